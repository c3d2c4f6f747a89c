#!/bin/sh
# Builds and benches the engine as OpenBench's client does, and runs the scripts of bench/fleet.
# Long: builds the engine as a farm does
# Needs: komadori komadori-kifu komadori-match match/fakeengine
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${MODE:=release}" "${CC:=cc}"
build=${KOMADORI_BUILD:-$(pwd)/$BUILD}
match=$build/komadori-match

# What the client reads from the output of bench: the last "N nodes" and "N nps", after everything except
# letters and digits is replaced by spaces.
found() {
    sed 's/[^a-zA-Z0-9 ][^a-zA-Z0-9 ]*/ /g' "$trial/bench" |
        grep -i -o -e "[0-9][0-9]* *$1" -e "$1 *[0-9][0-9]*" | tail -n 1 | grep -o '[0-9]*'
}

if [ "$MODE" = release ]; then
    # The objects compiled already can be used: only the network differs.
    mkdir "$trial/build"
    cp -Rp "$BUILD/obj" "$BUILD/flags" "$BUILD/target" "$trial/build/"
    cp eval/komadori.nnue "$trial/other.nnue"
    make EXE="$trial/Komadori-1234ABCD" EVALFILE="$trial/other.nnue" CC="$CC" BUILD="$trial/build" \
        >"$trial/made" 2>&1
    check "make EXE= EVALFILE= CC=" test $? = 0
    check "the engine is there" test -x "$trial/Komadori-1234ABCD"
    check "and nothing else is built" test ! -e "$trial/build/komadori-match"
    check "with the network" grep -q -x "$trial/other.nnue" "$trial/build/network"
    (cd "$trial" && ./Komadori-1234ABCD bench >bench 2>&1)
    make EXE="$trial/none" EVALFILE=README.md CC="$CC" BUILD="$trial/build" >"$trial/made" 2>&1
    printf 'isready\nquit\n' | "$trial/none" >"$trial/usi"
    check "a file that is no network is noticed" grep -q \
        '^info string error EvalFile: the file built into this program is not a network' "$trial/usi"
else
    "$build/komadori" bench 2 >"$trial/bench" 2>&1
fi
check "bench ends with nodes and speed" \
    sh -c 'tail -n 1 "$1" | grep -q -x "[0-9]* nodes [0-9]* nps"' sh "$trial/bench"
check "nothing else looks like it" test "$(grep -c -i 'nodes\|nps' "$trial/bench")" = 1
check "it finds the number of nodes" \
    test "$(found nodes)" = "$(sed -n 's/^Bench: //p' "$trial/bench")"
check "and the speed" test "$(found nps)" -gt 0
printf 'usi\nsetoption name Hash value 8\nsetoption name Threads value 2\nisready\nquit\n' |
    "$build/komadori" >"$trial/usi"
check "Hash and Threads are options" test "$(grep -c 'info string' "$trial/usi")" = 0

sh bench/fleet/params.sh >"$trial/params"
check "all parameters" \
    test "$(wc -l <"$trial/params")" = "$(grep -c '^PARAM(' src/search/params.def)"
check "as OpenBench takes them" sh -c '! grep -v -x "[A-Z0-9_]*, int\(, -*[0-9.]*\)\{5\}" "$1"' sh \
    "$trial/params"
check "those that begin so" \
    test "$(sh bench/fleet/params.sh LMR RFP | grep -v -c '^LMR\|^RFP')" = 0
sh bench/fleet/shogiarena-space.sh RFP >"$trial/space.yaml"
check "a space of ShogiArena" grep -q '^      option: RFP_MARGIN$' "$trial/space.yaml"
if command -v python3 >/dev/null 2>&1; then
    check "openbench.json is JSON" python3 -m json.tool bench/fleet/openbench.json
    if python3 -c 'import yaml' 2>/dev/null; then
        check "the samples of ShogiArena are YAML" python3 -c \
            'import sys, yaml; [yaml.safe_load(open(name)) for name in sys.argv[1:]]' \
            bench/fleet/shogiarena-sprt.yaml "$trial/space.yaml"
    else
        skip "the samples of ShogiArena" "python3 has no yaml"
    fi
else
    skip "the samples" "there is no python3"
fi
"$build/komadori-kifu" convert bench/openings.sfen --to epd -o "$trial/openings.epd" >/dev/null 2>&1
cut -d ' ' -f 1-4 "$trial/openings.epd" >"$trial/openings.sfen"
check "openings as SFEN" \
    sh -c 'head -n 1 "$1" | grep -q "^[^ ]*/[^ ]* [bw] [^ ]* [0-9]*$"' sh "$trial/openings.sfen"
check "one for each" test "$(grep -c / "$trial/openings.sfen")" = "$(grep -c '^[^#]' bench/openings.sfen)"

# A stand-in for GNU parallel and for Slurm: the parts one after the other.
cat >"$trial/match.sh" <<END
komadori-match -engine cmd="$build/match/fakeengine" name=a -engine cmd="$build/match/fakeengine" name=b arg=seed=7 \\
    -each nodes=1 -openings file="$trial/openings.sfen" -rounds 6 -maxmoves 30 "\$@"
END
mkdir "$trial/bin"
ln -s "$match" "$trial/bin/komadori-match"
cat >"$trial/bin/parallel" <<'END'
#!/bin/sh
while read -r part; do
    "$(dirname "$0")/../one" "$part" "$@" || exit
done
END
cat >"$trial/one" <<'END'
#!/bin/sh
part=$1
shift
exec $(echo "$@" | sed "s/{}/$part/g")
END
chmod +x "$trial/bin/parallel" "$trial/one"
fleet=$(pwd)/bench/fleet
if [ -x "$build/match/fakeengine" ]; then
    (cd "$trial" && PATH="$trial/bin:$PATH" sh "$fleet/parallel.sh" match.sh 3) >"$trial/said" 2>&1
    check "GNU parallel: parts as one" grep -q '^score *12 games' "$trial/said"
    check "a page" test -s "$trial/whole.html"
    rm "$trial"/part-*.jsonl
    for part in 1 2; do
        (cd "$trial" && PATH="$trial/bin:$PATH" SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_COUNT=2 \
            sh "$fleet/slurm.sh" match.sh) >"$trial/said" 2>&1
        check "Slurm: part $part" test $? = 0
    done
    "$match" -merge "$trial"/part-1.jsonl "$trial"/part-2.jsonl >"$trial/said" 2>&1
    check "Slurm: parts as one" grep -q '^score *12 games' "$trial/said"
else
    skip "the scripts" "there is no fake engine"
fi
tell_counts
