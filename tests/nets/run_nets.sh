#!/bin/sh
# Foreign networks: the outputs of test networks with random weights (make_nets.py), as YaneuraOu built for each
# architecture computes them (outputs.tsv), and how such networks are named to the programs.
# Needs: komadori
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
python=${PYTHON:-python3}
"$python" -c 'import random; random.Random(1).randbytes' 2>/dev/null || skip_all "foreign networks" "needs Python 3.9 to write the networks"

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
# talk LINE...: what the engine prints for these lines.
talk() { printf '%s\n' "$@" quit | "$komadori"; }
# evaluates WANT LINE...: the evaluation of the start position.
evaluates() {
    want=$1
    shift
    talk "$@" 2>/dev/null | grep -q "^evaluation $want "
}
# The value is the output of the network divided by FV_SCALE, and the output is at most 16 more than the value times 16.
value=$("$komadori" eval --net "$half" 2>/dev/null | sed -n 's/^evaluation \([-0-9]*\) .*/\1/p')
output=$("$komadori" eval --net "$half" 2>/dev/null | sed -n 's/.*output \([-0-9]*\),.*/\1/p')
check "a scale that nobody gives" exits 0 "^komadori bench: network: .*, FV_SCALE 16 (nobody gives one" "$komadori" bench 1 --net "$half"
check "also without a search" exits 0 "^komadori eval: network: .*, FV_SCALE 16 (nobody gives one" "$komadori" eval --net "$half"
check "its value" test "$((output / 16))" = "$value"
check "a scale behind the file's name" evaluates "$((output / 8))" "eval --net $half@8"
check "no scale" exits 1 "halfkp_64x2-16-32.bin@0: No such file" "$komadori" eval --net "$half@0"
cp "$half" "$trial/nn@8"
check "a file of that name" evaluates "$((output / 16))" "eval --net $trial/nn@8"
check "what a network is" exits 0 "^kind *halfkp 64x2-16-32$" "$komadori" net info "$half"
check "bench with it" exits 0 "^Bench: " "$komadori" bench 3 --net "$half"
# The name of the file or of its folder decides what its contents leave open, however the path is written.
sharded=SFNN_ka2_640_7_64_c128_s64x8_hand4_k3k3_progress4
mkdir "$trial/$sharded"
cp "$nets/$sharded.bin" "$trial/$sharded/nn.bin"
describes() { (cd "$1" && "$komadori" net info "$2" 2>/dev/null | grep -q "^kind *SFNN ka2 640-7-64 c128 s64x8 hand4 k3k3 progress4$"); }
check "a path with the folder's name" describes / "$trial/$sharded/nn.bin"
check "the folder itself" describes "$trial" "$sharded"
check "from inside the folder" describes "$trial/$sharded" nn.bin
check "the same with a dot" describes "$trial/$sharded" .
check "a line that is no position" exits 1 "line [0-9]* is not a position" "$komadori" net eval --net "$half" README.md
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
check "in quotes" says "^$one 16 (nobody" "setoption name EvalFile value \"$folder/nn.bin\"" isready
odd="$trial/新しい フォルダ"
mkdir "$odd"
cp "$folder/nn.bin" "$odd/水匠 5.bin"
check "with a name in Japanese and a blank" says "^$one 16 (nobody" "setoption name EvalFile value $odd/水匠 5.bin" isready
check "with slashes behind" says "^$one 16 (nobody" "setoption name EvalDir value $folder//" isready
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
# gives TEXT SCALE SOURCE: with this text in eval_options.txt, the network has that scale.
gives() {
    printf '%b' "$1" >"$folder/eval_options.txt"
    exits 0 "^FV_SCALE *$2 ($3" "$komadori" net info "$folder"
}
for text in 'FV_SCALE = 36' 'FV_SCALE= 36' 'FV_SCALE =36' '\tfv_scale=36  ' 'setoption name FV_SCALE value 36' \
    'FV_SCALE=20\nFV_SCALE=36' '# FV_SCALE=20\n\nFV_SCALE=36\n' '\357\273\277FV_SCALE=36\r\n'; do
    check "read from: $text" gives "$text" 36 eval_options.txt
done
for value in 0 -24 129 99999999999999999999 24.5 24a x ''; do
    check "FV_SCALE '$value' is not used" gives "FV_SCALE=$value" 16 "eval_options.txt gives no number"
    check "FV_SCALE '$value' of an option is not used" \
        gives "option name FV_SCALE type spin default $value min 1 max 128" 16 "eval_options.txt gives no number"
done
for text in '' '\000\001\377' '# FV_SCALE=36' 'MY_FV_SCALE=36' 'Threads=4' 'option name' '='; do
    check "says nothing: $text" gives "$text" 16 "nobody gives one"
done
rm "$folder/eval_options.txt"
mkdir "$folder/eval_options.txt"
check "a folder eval_options.txt" exits 0 "^FV_SCALE *16 (nobody" "$komadori" net info "$folder"
rmdir "$folder/eval_options.txt"
for value in -1 129 99999999999 x; do
    check "the option FV_SCALE is not $value" says "^info string error setoption: FV_SCALE needs a whole number from 0 to 128" "setoption name FV_SCALE value $value"
done

check "the option counts more" says "^$one 20 (option)" "setoption name FV_SCALE value 20" "setoption name EvalDir value $folder" isready
check "a folder without a network" says "^info string error EvalDir: no nn.bin in the folder" "setoption name EvalDir value $trial" isready

# ---- what is no network ----

# refused PATH TEXT: the program says TEXT about the path and exits; nothing of it takes long or needs much memory.
refused() { exits 1 ": $2" timeout 60 "$komadori" net info "$1"; }
mkdir -p "$trial/hostile" "$trial/odd/nn.bin"
"$python" tests/nets/make_hostile.py "$trial/hostile" "$folder/nn.bin" "$nets/SFNN_halfkahm2_256_15_32_k3k3.bin" \
    "$nets/SFNN_ka2_640_7_64_c128_s64x8_hand4_k3k3_progress4.bin" >"$trial/cases"
check "hostile files are written" test "$(wc -l <"$trial/cases")" -ge 80
while IFS='	' read -r name error; do
    check "refused: $name" refused "$trial/hostile/$name.bin" "$error"
done <"$trial/cases"
for bytes in 10 1003103 1003105; do
    head -c $bytes /dev/zero >"$trial/hostile/progress.bin"
    check "a progress.bin of $bytes bytes" refused "$trial/hostile/named_progress_file.bin" "its progress.bin"
done
head -c 1003104 /dev/zero | tr '\000' '\377' >"$trial/hostile/progress.bin" # numbers that are none
check "a progress.bin without numbers" refused "$trial/hostile/named_progress_file.bin" "its progress.bin"
check "a folder whose nn.bin is a folder" refused "$trial/odd" ""
check "no such file" refused "$trial/none" "No such file or directory"
check "a device" refused /dev/zero "not a regular file"
mkfifo "$trial/pipe"
check "a pipe" refused "$trial/pipe" "not a regular file"
ln -s loop "$trial/loop"
check "a link to itself" refused "$trial/loop" ""
check "a long name" refused "$(head -c 5000 /dev/zero | tr '\000' x)" "File name too long"
if [ "$(id -u)" = 0 ]; then
    skip "a file that may not be read" "root may read all files"
else
    cp "$folder/nn.bin" "$trial/secret.bin" && chmod 0 "$trial/secret.bin"
    check "a file that may not be read" refused "$trial/secret.bin" "Permission denied"
fi

# A file as large as the largest foreign network, without its last byte, and where memory is short.
header=12 # and no text
body=$((8 + 2 * 256 + 2 * 256 * 1128492 + 4 * 32 + 32 * 512 + 4 * 32 + 32 * 32 + 4 + 32))
sparse() {
    printf '\026\057\363\172\000\000\000\000\000\000\000\000' >"$trial/large.bin"
    truncate -s "$1" "$trial/large.bin" 2>/dev/null
}
starts_small() { (ulimit -v 500000 && "$komadori" </dev/null) >/dev/null 2>&1; }
if sparse $((header + body)) && starts_small; then
    check "577 MB of a network" exits 0 "^kind *halfkpe9 256x2-32-32$" "$komadori" net info "$trial/large.bin"
    # refused_small: where the file does not fit, the error says so, and the session goes on.
    refused_small() {
        (ulimit -v 500000 && says "^info string error EvalFile: $1" "setoption name EvalFile value $trial/large.bin" isready)
    }
    check "where memory is short" refused_small "Cannot allocate memory"
    sparse $((header + body - 1))
    check "577 MB without a byte" refused "$trial/large.bin" "unknown shape"
    check "where memory is short, too" refused_small ""
    sparse 6000000000
    check "6 GB" refused "$trial/large.bin" "unknown shape"
    rm "$trial/large.bin"
else
    skip "577 MB of a network" "the program does not start in 500 MB, or there is no truncate"
fi
check "in a session" says "^info string error EvalFile: not a network" "setoption name EvalFile value $trial/hostile/text.bin" isready
check "the built-in network takes its place" says "^info string error EvalFile: .*; using the built-in network" \
    "setoption name EvalFile value $folder" isready "setoption name EvalFile value $trial/hostile/rows_too_long.bin" isready

# ---- a file that changes ----

# await COUNT: waits until the engine has answered this many of the lines that start with readyok or bestmove.
await() {
    for _ in $(seq 600); do
        [ "$(grep -c -e '^readyok' -e '^bestmove' "$trial/said")" -lt "$1" ] || break
        sleep 0.1
    done
}
# changed COMMAND PATTERN [go]: the file of the network changes by this shell command between two games, or in a game,
# and the next isready says PATTERN. The engine goes on.
changed() {
    cp "$half" "$trial/folder/changing.bin"
    : >"$trial/said"
    {
        printf '%s\n' "setoption name USI_OwnBook value false" "setoption name EvalFile value $folder/changing.bin" isready "go nodes 500"
        await 2
        (cd "$folder" && eval "$1")
        [ -z "${3:-}" ] || echo "go nodes 500"
        await $((2 + ${#3} / 2))
        printf '%s\n' isready "go nodes 500"
        await $((4 + ${#3} / 2))
        printf '%s\n' isready quit
    } | "$komadori" >"$trial/said"
    rm -f "$folder/changing.bin" "$folder/eval_options.txt"
    sed '1,/^bestmove/d' "$trial/said" >"$trial/after"
    [ "$(grep -c '^bestmove [1-9]' "$trial/said")" = $((2 + ${#3} / 2)) ] && grep -q -e "$2" "$trial/after" || { cat "$trial/said" && return 1; }
}
check "the file is overwritten" changed "cat nn.bin >changing.bin" "^$one 16" ""
check "another one takes its place" changed "cp nn.bin new.bin && mv new.bin changing.bin" "^$one 16" ""
check "it is overwritten by what is no network" changed "head -c 100000 nn.bin >changing.bin" \
    "^info string error EvalFile: unknown shape of network; the file may be incomplete .*; using the built-in network" ""
check "it is removed" changed "rm changing.bin" "^readyok" ""
check "eval_options.txt comes" changed "echo FV_SCALE=36 >eval_options.txt" "^info string network: halfkp 64x2-16-32, FV_SCALE 36" ""
# The identity of a large file comes from 1,025 parts of it; this writes between two of them.
named_anew() {
    cp "$half" "$folder/changing.bin"
    : >"$trial/said"
    bytes=$(wc -c <"$half")
    {
        printf '%s\n' "setoption name USI_OwnBook value false" "setoption name EvalFile value $folder/changing.bin" isready "go nodes 500"
        await 2
        printf komadori | dd of="$folder/changing.bin" bs=1 seek=$(((bytes - 4096) / 1023 * 500 + 8000)) conv=notrunc 2>/dev/null
        printf '%s\n' "setoption name EvalFile value $folder/changing.bin" isready
        await 3
        echo quit
    } | "$komadori" >"$trial/said"
    rm -f "$folder/changing.bin"
    sed "1,/^bestmove/d" "$trial/said" | grep -q "^info string network: halfkp 64x2-16-32" || { cat "$trial/said" && return 1; }
}
check "a few bytes are overwritten, and it is named anew" named_anew
case ${KOMADORI_MODE:-release} in
asan | tsan) skip "it is cut during a game" "the sanitizer handles the signal" ;;
*) check "it is cut during a game" changed "head -c 5000 nn.bin >changing.bin" "^info string error EvalFile: " go ;;
esac

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
done
check "EvalFile counts more" session "^info string network: halfkp 64x2-16-32" "$set_dir" "$set_file" isready
check "EvalFile: eval" session "^evaluation" "$set_file" eval
check "no network: eval" session "^evaluation 20 " "setoption name EvalFile value <handwritten>" eval

# ---- other commands ----

printf 'position startpos moves 7g7f 3c3d 2g2f 8c8d 8h2b+ 3a2b\n' >"$trial/game.usi"
# analysed NET...: the page of an analysis with this network has the scale of its winning chances.
analysed() {
    exits 0 "^white: " "$komadori" analyze --nodes 500 --json "$trial/game.json" "$@" "$trial/game.usi" &&
        tr -d ' ' <"$trial/game.json" | grep -q '"scale":380,'
}
check "analyze with a network" analysed --net "$folder"
check "analyze without that network" exits 1 "No such file" "$komadori" analyze --net "$trial/none" "$trial/game.usi"
check "gendata with a network" exits 0 "^2 games" "$komadori" gendata --out "$trial/one.kgd" --games 2 --nodes 50 --net "$folder"

# ---- a search ----

check "a search with it" says "^bestmove [1-9]" "setoption name EvalDir value $folder" "setoption name USI_OwnBook value false" isready "go nodes 2000"

tell_counts
