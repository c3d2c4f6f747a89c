#!/bin/sh
# Measures changes of the fake engine's options, whose effects are known, with komadori-match -foldover. usage:
# BUILD=build/release-native sh tests/match/run_foldover.sh
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}"
dir=$trial
out=$dir/said

says() { grep -q -e "$1" "$out" || { tail -n 11 "$out" | sed 's/^/      > /' && false; }; }

# With the options of fold() the fake engine's weakness is 1.44. The first change reduces it by 0.8, the second
# adds 0.25. A player wins with probability 1 / (1 + exp(difference)): 69 and 44 %.
cat >"$dir/changes" <<END
# name, and its options

strong Alpha=80
weak Gamma=0.65 Beta=-60  # two options at once
idle Dummy=3
END
for black in 7g7f 2g2f 6g6f 5g5f 4g4f 1g1f 9g9f 3g3f 8g8f 2h5h; do
    for white in 3c3d 8c8d 4c4d 5c5d 6c6d 1c1d 9c9d 7c7d 2c2d 8b5b; do
        for next in 3i4h 6i7h 4i3h 5i4h; do
            echo "startpos moves $black $white $next"
        done
    done
done >"$dir/openings"

# fold NAME ARGUMENTS...: writes results to $dir/NAME.jsonl, the output to $out, the status to $ended.
fold() {
    name=$1
    shift
    "$KOMADORI_BUILD/komadori-match" -engine cmd="$KOMADORI_BUILD/match/fakeengine" name=fake arg=tune \
        option.Beta=-60 option.Gamma=0.75 nodes=1 -openings file="$dir/openings" -quiet -seed 1 \
        -foldover "$dir/changes" -results "$dir/$name.jsonl" "$@" >"$out" 2>&1
    ended=$?
}

# near NAME PERCENT: the effect in the last table is within 3 standard errors of PERCENT.
near() {
    awk -v name="$1" -v want="$2" '$1 == name { effect = $2; error = $4 }
        END { off = (effect - want) / error; exit !(error > 0 && error < 1.5 && off * off < 9) }' "$out"
}

fold whole -games 800 -concurrency 2 -ratinginterval 300
check "exit status" [ "$ended" = 0 ]
check "a table in between" [ "$(grep -c '^3 changes of fake (nodes 1), [0-9]* pairs:$' "$out")" = 3 ]
check "and at the end" says "^3 changes of fake (nodes 1), 400 pairs:"
check "the strong change" near strong 18.7
check "the weak change" near weak -6.1
check "the change without effect" near idle 0
check "the strong one is seen" awk '$1 == "strong" && $NF < 10 { exit 1 }' "$out"
check "no warnings" [ "$(grep -c warning "$out")" = 0 ]
grep '^strong\|^weak\|^idle\|^signature' "$out" | tail -n 4 >"$dir/wanted"

# same TEXT: the last table and the games equal those of the complete match.
same() {
    check "$1" [ "$(grep '^strong\|^weak\|^idle\|^signature' "$out" | tail -n 4)" = \
        "$(cat "$dir/wanted")" ]
}
head -n 300 "$dir/whole.jsonl" >"$dir/cut.jsonl"
fold cut -games 800
check "results that are there are refused" [ "$ended" = 1 ]
fold cut -games 800 -resume
check "goes on" says "^continuing after 299 games"
same "and comes to the same end"
fold part1 -games 800 -shard 1/2
fold part2 -games 800 -shard 2/2
"$KOMADORI_BUILD/komadori-match" -merge "$dir/part1.jsonl" "$dir/part2.jsonl" >"$out" 2>&1
same "so do two parts, merged"
"$KOMADORI_BUILD/komadori-match" -merge "$dir/part1.jsonl" "$dir/part2.jsonl" -sprt >"$out" 2>&1
check "no SPRT of merged parts" says "^komadori-match: -sprt: not for the results of -foldover$"
fold cut -games 800 -resume -seed 2
check "another seed is another match" says "cut.jsonl belongs to a different tournament"
cp "$dir/changes" "$dir/kept"
echo "more Gamma2=1" >>"$dir/changes"
fold cut -games 800 -resume
check "so are other changes" says "cut.jsonl belongs to a different tournament"
fold typo -games 2
check "an option that the engine does not announce is warned of" \
    says "warning: fake: does not announce the option Gamma2"
check "too few pairs" says "^4 changes of fake (nodes 1), 1 pair, too few to separate the changes"
cp "$dir/kept" "$dir/changes"

# The options sent: in each pair one side gets the changes of the subset, the other one the others.
fold log -rounds 8 -games 2 -log "$dir/log"
check "each change for one of the two" [ "$(grep -c 'setoption name Alpha value 80' "$dir/log")" = 16 ]
check "both options of a change" \
    [ "$(grep -c 'setoption name Gamma value 0.65' "$dir/log")" = 16 ]
check "from both sides" [ "$(grep 'Alpha value 80' "$dir/log" | cut -d ' ' -f 2 | sort -u | wc -l)" = 2 ]
check "a new process for each game" [ "$(grep -c '> usi$' "$dir/log")" = 32 ]

# refused TEXT ARGUMENTS...
refused() {
    wanted=$1
    shift
    "$KOMADORI_BUILD/komadori-match" "$@" >"$out" 2>&1
    check "refused: $wanted" says "^komadori-match: $wanted"
}
one="-engine cmd=x nodes=1"
# shellcheck disable=SC2086
{
    refused "-foldover: needs one -engine" $one $one -foldover "$dir/changes"
    refused "-foldover: not together with -sprt" $one -foldover "$dir/changes" -sprt
    refused "-foldover: not together with -tournament" $one -foldover "$dir/changes" -tournament swiss
    refused "-foldover: needs pairs" $one -foldover "$dir/changes" -games 3
    refused "-foldover: needs pairs" $one -foldover "$dir/changes" -noswap
    refused "-foldover: -merge takes" -merge "$dir/cut.jsonl" -foldover "$dir/changes"
    refused "-compliance: not together with -foldover" $one -compliance -foldover "$dir/changes"
    refused "$dir/none: No such file" $one -foldover "$dir/none"
    echo "lonely" >"$dir/bad"
    refused "$dir/bad, line 1: the change sets no option" $one -foldover "$dir/bad"
}

tell_counts
