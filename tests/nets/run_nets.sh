#!/bin/sh
# Networks of the field: the outputs of test networks with random weights (make_nets.py), as YaneuraOu built for each
# architecture computes them (outputs.tsv), and how such networks are named to the programs.
# Needs: komadori
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
python=${PYTHON:-python3}
"$python" -c 'import random; random.Random(1).randbytes' 2>/dev/null || skip_all "networks of the field" "needs Python 3.9 to write the networks"

nets=$trial/nets
"$python" tests/nets/make_nets.py "$nets" $(cut -f1 tests/nets/md5.tsv) >"$trial/made"
check "the networks are written" test "$(grep -c 'as expected' "$trial/made")" = 6

# has_outputs NAME: the program computes what outputs.tsv says.
has_outputs() {
    grep "^$1	" tests/nets/outputs.tsv >"$trial/rows"
    cut -f2 "$trial/rows" >"$trial/positions"
    cut -f3 "$trial/rows" >"$trial/want"
    "$komadori" net eval --net "$nets/$1.bin" "$trial/positions" >"$trial/lines" || return 1
    cut -f1 "$trial/lines" | cmp - "$trial/want"
}
for name in $(cut -f1 tests/nets/md5.tsv); do
    check "outputs of $name" has_outputs "$name"
done

half=$nets/halfkp_64x2-16-32.bin
check "what a network is" exits 0 "^kind *halfkp 64x2-16-32$" "$komadori" net info "$half"
check "bench with it" exits 0 "^Bench: " "$komadori" bench 3 --net "$half"
check "no scale to change" exits 1 "set FV_SCALE" "$komadori" net rescale --scale 400 --out "$trial/new" "$half"
check "a line that is no position" exits 1 "line [0-9]* is not a position" "$komadori" net eval --net "$half" README.md
head -c 5000000 "$half" >"$trial/cut.bin"
check "a file that is cut" exits 1 "unknown shape of network" "$komadori" net info "$trial/cut.bin"
# talk LINE...: what the engine prints for these lines.
talk() { printf '%s\n' "$@" quit | "$komadori"; }
says() {
    pattern=$1
    shift
    talk "$@" >"$trial/said" && grep -q -e "$pattern" "$trial/said" || { cat "$trial/said" && return 1; }
}


# ---- the options ----

folder=$trial/folder
mkdir "$folder"
cp "$nets/halfkpvm_64x2-8-32.bin" "$folder/nn.bin"
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
check "a folder without a network" says "^info string error EvalDir: no nn.bin in the folder" "setoption name EvalDir value $trial" isready
echo nonsense >"$trial/bad.bin"
check "no network" says "^info string error EvalFile: not a network" "setoption name EvalFile value $trial/bad.bin" isready
head -c 5000000 "$folder/nn.bin" >"$trial/cut.bin"
check "a network that is cut" says "^info string error EvalFile: unknown shape" "setoption name EvalFile value $trial/cut.bin"

# ---- commands of a session use the network that the options name ----

# The program's folder and the working directory both have a folder `eval` and a file `one.bin`: EvalDir prefers the
# former, EvalFile the latter.
mkdir -p "$trial/home/eval" "$trial/work/eval"
cp "$komadori" "$trial/home/komadori"
cp "$nets/halfkpvm_64x2-8-32.bin" "$trial/home/eval/nn.bin"
cp "$half" "$trial/work/eval/nn.bin"
cp "$half" "$trial/work/one.bin"
cp "$nets/halfkpvm_64x2-8-32.bin" "$trial/home/one.bin"
echo 'startpos' >"$trial/work/positions"
grep "^halfkpvm_64x2-8-32	lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b" tests/nets/outputs.tsv | cut -f3 >"$trial/start"

# session PATTERN LINE...: the program in its own folder, started elsewhere, prints PATTERN.
session() {
    pattern=$1
    shift
    (cd "$trial/work" && printf '%s\n' "$@" quit | "$trial/home/komadori") >"$trial/said"
    grep -q -e "$pattern" "$trial/said" || { cat "$trial/said" && return 1; }
}
set_dir="setoption name EvalDir value eval"
set_file="setoption name EvalFile value one.bin"
set_scale="setoption name FV_SCALE value 2"
start=$(cat "$trial/start")
check "the position is among the outputs" test -n "$start"
for set in "" "$set_scale"; do
    divisor=16 source="nobody gives one"
    [ -z "$set" ] || divisor=2 source=option
    check "EvalDir: isready with scale $divisor" session "^$one $divisor ($source" "$set_dir" "$set" isready
    check "EvalDir: eval with scale $divisor" session "output $start, value $((start / divisor))$" "$set_dir" "$set" eval
    check "EvalDir: net eval with scale $divisor" session "^$start	$((start / divisor))	" "$set_dir" "$set" "net eval positions"
    check "EvalDir: net info with scale $divisor" session "^FV_SCALE *$divisor ($source" "$set_dir" "$set" "net info"
done
check "EvalDir: net info" session "^kind *halfkpvm 64x2-8-32$" "$set_dir" "net info"
check "EvalFile: net info" session "^kind *halfkp 64x2-16-32$" "$set_file" "net info"
check "EvalFile counts more" session "^kind *halfkp 64x2-16-32$" "$set_dir" "$set_file" "net info"
check "EvalFile: eval" session "^evaluation" "$set_file" eval
check "FV_SCALE is not for other networks" session "^FV_SCALE *16 (nobody" "$set_scale" "net info one.bin"
check "no network: eval" session "^evaluation 20 " "setoption name EvalFile value <handwritten>" eval
check "no network: net eval" session "^info string error net: <handwritten>: not a network" "setoption name EvalFile value <handwritten>" "net eval positions"

# ---- a search ----

check "a search with it" says "^bestmove [1-9]" "setoption name EvalDir value $folder" "setoption name USI_OwnBook value false" isready "go nodes 2000"

tell_counts
