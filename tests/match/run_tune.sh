#!/bin/sh
# Tunes the fake engine, whose strength depends on three options, by komadori-match -spsa.
# usage: BUILD=build/release-native sh tests/match/run_tune.sh
# Needs: komadori-match match/fakeengine
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}"
dir=$trial
out=$dir/said

says() { grep -q -e "$1" "$out" || { tail -n 11 "$out" | sed 's/^/      > /' && false; }; }

cat >"$dir/params" <<END
# name, kind, start, min, max, c_end, r_end
Alpha, int, 60, 0, 200, 16, 0.002
Beta, int, 0, -100, 100, 10, 0.002
Gamma, float, 0.5, 0, 2, 0.08, 0.002
END
for black in 7g7f 2g2f 6g6f 5g5f 4g4f 1g1f 9g9f 3g3f 8g8f 2h7h; do
    for white in 3c3d 8c8d 4c4d 5c5d 6c6d 1c1d 9c9d 7c7d 2c2d 8b3b; do
        echo "startpos moves $black $white"
    done
done >"$dir/openings"

# tune NAME ARGUMENTS...: writes the values to $dir/NAME.csv, the output to $out, the status to $ended.
tune() {
    name=$1
    shift
    "$KOMADORI_BUILD/komadori-match" -engine cmd="$KOMADORI_BUILD/match/fakeengine" arg=tune \
        -openings file="$dir/openings" -spsa params="$dir/params" csv="$dir/$name.csv" \
        svg="$dir/$name.svg" "$@" >"$out" 2>&1
    ended=$?
}

tune whole pairs=60 -each nodes=1
check "exit status" [ "$ended" = 0 ]
check "a line for each pair, and one above" [ "$(wc -l <"$dir/whole.csv")" = 61 ]
check "its head" [ "$(head -n 1 "$dir/whole.csv")" = "pair,points,Alpha,Beta,Gamma" ]
check "all pairs in turn" [ "$(awk -F, 'NR > 1 && $1 != NR - 1' "$dir/whole.csv")" = "" ]
check "values at the end" says "^Alpha, [0-9]*$"
check "and as input" says "^Gamma, float, [0-9.]*, 0, 2, 0.08, 0.002$"
check "a picture with three lines and a legend" [ "$(grep -c 'stroke="#2f7ed8"' "$dir/whole.svg")" = 4 ]
check "a title" grep -q '>SPSA of fakeengine: 3 parameters after 60 of 60 pairs<' "$dir/whole.svg"
check "and the unit of each plot" [ "$(grep -c '>pairs<' "$dir/whole.svg")" = 3 ]
check "no warnings" [ "$(grep -c warning "$out")" = 0 ]

# Cut in the middle of a line.
"$KOMADORI_BUILD/komadori-match" -engine cmd="$KOMADORI_BUILD/match/fakeengine" arg=tune \
    -openings file="$dir/openings" -spsa params="$dir/params" csv="$dir/cut.csv" pairs=1000 \
    -each nodes=1 >"$out" 2>&1 &
pid=$!
await has_lines "$dir/cut.csv" 5
kill -KILL $pid 2>/dev/null || skip "a run that is killed" "it has already ended"
wait $pid 2>/dev/null
head -n 1 "$dir/cut.csv" >"$dir/begun.csv"
sed -n '2,21p' "$dir/whole.csv" >>"$dir/begun.csv"
check "what is killed leaves whole lines" [ "$(wc -l <"$dir/cut.csv")" -ge 5 ]
printf '21,2,70.1' >>"$dir/cut.csv"
tune cut pairs=1000 -each nodes=1
check "a file that is there is refused" [ "$ended" = 1 ]
check "and kept" [ "$(tail -c 9 "$dir/cut.csv")" = 21,2,70.1 ]
tune cut pairs=1000 -each nodes=1 -resume -concurrency 2
check "it goes on" says "^continuing after [0-9]* pairs"
check "each pair once" [ "$(cut -d , -f 1 "$dir/cut.csv" | sort -u | wc -l)" = 1001 ]
check "and no more" [ "$(wc -l <"$dir/cut.csv")" = 1001 ]
# The openings and signs of a pair follow from its number, but the fake engine's random numbers from its games.
# Restarted engines get other random numbers, so only the first pair must be the same.
points() { sed -n 's/^\(1,[^,]*\),.*/\1/p' "$1"; }
check "a pair is the same in both runs" [ "$(points "$dir/whole.csv")" = "$(points "$dir/cut.csv")" ]
tune begun pairs=20 -each nodes=1 -resume
check "nothing is left to play" says "^values after 20 of 20 pairs"
check "values are taken from the file" \
    [ "$(awk -F, '$1 == "Gamma" && NF == 2 { printf "%.5f", $2 }' "$out")" = \
    "$(awk -F, 'NR == 21 { printf "%.5f", $5 }' "$dir/whole.csv")" ]
sed 's/Alpha/Aleph/' "$dir/params" >"$dir/other"
mv "$dir/other" "$dir/params"
tune begun pairs=60 -each nodes=1 -resume
check "a run of other parameters is refused" says "other parameters$"
tune typo pairs=2 -each nodes=1
check "a name that the engine does not announce is warned of" \
    says "warning: fakeengine: does not announce the option Aleph"
tune clock pairs=2 -each tc=10+0.1
check "with a clock" [ "$ended" = 0 ]

tune clash pairs=2 svg="$dir/clash.csv" -each nodes=1
check "one name for two outputs: exit status" [ "$ended" = 2 ]
check "one name for two outputs" says "^komadori-match: $dir/clash.csv: not overwritten: another output has this name$"
cp "$dir/params" "$trial/kept"
tune chart pairs=2 svg="$dir/params" -each nodes=1
check "a chart does not replace another file: exit status" [ "$ended" = 1 ]
check "a chart does not replace another file" says "params: not overwritten: it exists and is not a chart; name another file$"
check "it is kept" untouched "$dir/params"
check "what is refused creates no file" [ ! -e "$dir/clash.csv" -a ! -e "$dir/chart.csv" ]
tune early pairs=2 svg="$dir/none/chart.svg" -each nodes=1
check "a chart that cannot be written: exit status" [ "$ended" = 1 ]
check "a chart that cannot be written" says "^komadori-match: $dir/none/chart.svg: its folder does not exist"
check "is found before the first pair" [ ! -e "$dir/early.csv" ]

# refused TEXT ARGUMENTS...
refused() {
    wanted=$1
    shift
    "$KOMADORI_BUILD/komadori-match" -engine cmd=x nodes=1 "$@" >"$out" 2>&1
    check "refused: $wanted" says "$wanted"
}
refused "needs params=" -spsa csv="$dir/new.csv"
refused "needs params= and csv=" -spsa params="$dir/params"
refused "pairs needs a whole number" -spsa pairs=0
refused "-spsa: not together with -sprt" -spsa params="$dir/params" csv="$dir/new.csv" -sprt
refused "needs one -engine" -engine cmd=y -spsa params="$dir/params" csv="$dir/new.csv"
refused "$dir/none: No such file" -spsa params="$dir/none" csv="$dir/new.csv"
echo "Alpha, int, 1, 0" >"$dir/bad"
refused "$dir/bad, line 1: no max" -spsa params="$dir/bad" csv="$dir/new.csv"

# 20,000 games; the best values are those of tests/match/fakeengine.c.
if [ "${KOMADORI_TEST_FULL:-}" = 1 ]; then
    sed -i 's/Aleph/Alpha/' "$dir/params"
    tune full pairs=10000 -each nodes=1 -ratinginterval 1000
    for each in Alpha:120 Beta:-60 Gamma:0.75; do
        value=$(awk -F, -v name="${each%:*}" '$1 == name && NF == 2 { print $2 }' "$out")
        check "${each%:*} is$value after 20,000 games, within 5 % of ${each#*:}" awk -v a="$value" \
            -v b="${each#*:}" 'BEGIN { d = a / b - 1; exit d * d > 0.0025 }'
    done
else
    skip "20,000 games find the best values" "a test of make test-all FULL=1"
fi

tell_counts
