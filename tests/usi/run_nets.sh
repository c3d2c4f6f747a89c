#!/bin/sh
# Networks in the format nn.bin. The expected outputs in tests/data/nets are those of two other programs, for
# networks with random weights that make_nets.py writes. Also the options that choose a network.
# Needs: komadori
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
data=$(pwd)/tests/data/nets

# equal NAME: the outputs of all positions are those expected.
equal() {
    awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$data/outputs.tsv" >"$trial/positions"
    awk -F '\t' -v name="$1" '$1 == name { print $3 "\t" int($3 / 16) }' "$data/outputs.tsv" >"$trial/want"
    "$komadori" net eval --net "$trial/nets/$1.bin" "$trial/positions" >"$trial/all" || return 1
    cut -f 1-2 "$trial/all" >"$trial/got"
    [ -s "$trial/want" ] && diff "$trial/want" "$trial/got"
}

# talk LINE...: what the engine prints for these lines.
talk() { printf '%s\n' "$@" quit | "$komadori"; }
says() {
    pattern=$1
    shift
    talk "$@" >"$trial/said" && grep -q -e "$pattern" "$trial/said" || { cat "$trial/said" && return 1; }
}

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    skip_all "networks of nn.bin" "there is no python3 to write them"
fi
python3 "$data/make_nets.py" "$trial/nets" halfkp_64x2-16-32 halfkpvm_64x2-8-32 >"$trial/made"
check "the networks are those of the vectors" test "$(grep -c 'as expected' "$trial/made")" = 2
for name in halfkp_64x2-16-32 halfkpvm_64x2-8-32; do
    check "$name: the outputs of two other programs" equal $name
done

folder=$trial/folder
mkdir "$folder"
cp "$trial/nets/halfkpvm_64x2-8-32.bin" "$folder/nn.bin"
one="info string network: halfkpvm 64x2-8-32, FV_SCALE"
check "EvalFile is a file" says "^$one 16 (nobody gives one" "setoption name EvalFile value $folder/nn.bin" isready
check "or a folder" says "^$one 16 (nobody" "setoption name EvalFile value $folder" isready
check "EvalDir is a folder" says "^$one 16 (nobody" "setoption name EvalDir value $folder" isready
check "FV_SCALE" says "^$one 40 (option)" "setoption name EvalDir value $folder" "setoption name FV_SCALE value 40" isready
printf 'FV_SCALE=24\r\nThreads=4\n' >"$folder/eval_options.txt"
check "eval_options.txt" says "^$one 24 (eval_options.txt)" "setoption name EvalDir value $folder" isready
check "with net info, too" exits 0 "^FV_SCALE *24 (eval_options.txt)" "$komadori" net info "$folder"
echo 'option name FV_SCALE type spin default 28 min 1 max 128' >"$folder/eval_options.txt"
check "as a USI option" exits 0 "^FV_SCALE *28 " "$komadori" net info "$folder/nn.bin"
echo 'FV_SCALE 36' >"$folder/eval_options.txt"
check "with a blank" exits 0 "^FV_SCALE *36 " "$komadori" net info "$folder/nn.bin"
check "the option counts more" says "^$one 20 (option)" "setoption name FV_SCALE value 20" "setoption name EvalDir value $folder" isready
check "a folder without a network" says "^info string error EvalDir: No such file" "setoption name EvalDir value $trial" isready
echo nonsense >"$trial/bad.bin"
check "no network" says "^info string error EvalFile: not a network" "setoption name EvalFile value $trial/bad.bin" isready
head -c 5000000 "$folder/nn.bin" >"$trial/cut.bin"
check "a network that is cut" says "^info string error EvalFile: unknown shape" "setoption name EvalFile value $trial/cut.bin"
# The value changes with the scale, in net eval too.
check "a position that is none" exits 1 "line 2 is no SFEN" sh -c "printf 'startpos\nnone\n' | sed 's/startpos/lnsgkgsnl\/1r5b1\/ppppppppp\/9\/9\/9\/PPPPPPPPP\/1B5R1\/LNSGKGSNL b - 1/' | '$komadori' net eval --net '$folder'"
check "no other scale can be written" exits 1 "only read" "$komadori" net rescale --scale 600 --out "$trial/x.nnue" "$folder/nn.bin"
check "a search with it" says "^bestmove [1-9]" "setoption name EvalDir value $folder" "setoption name USI_OwnBook value false" isready "go nodes 2000"

tell_counts
