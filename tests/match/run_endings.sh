#!/bin/sh
# The engine plays against itself from tests/data/endings.tsv at 20,000 nodes per move. Does it win won games,
# does the side that stands worse take a repetition and the other one not, and how do entering kings end? All 50
# positions of each kind in make test-all FULL=1, otherwise the first four, or one if a sanitizer slows them down.
# Seconds: 70
# Long: plays whole games
# Needs: komadori komadori-match
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}"
data=tests/data/endings.tsv
count=4
[ "${KOMADORI_MODE:-release}" = release ] || count=1
[ "${KOMADORI_TEST_FULL:-}" != 1 ] || count=50

# play KIND PLIES: plays the games of a kind, with this many moves of each line already made. Writes a line for
# each to $trial/ends: who won (the side named, the other, draw), how, and the first move after the line with
# the move that repeats.
play() {
    awk -F '\t' -v kind="$1" -v count="$count" '$1 == kind && n++ < count' $data >"$trial/rows"
    cut -f 3 "$trial/rows" >"$trial/lines"
    rm -f "$trial/results"
    "$KOMADORI_BUILD/komadori-match" -engine name=a cmd="$KOMADORI_BUILD/komadori" -engine name=b \
        cmd="$KOMADORI_BUILD/komadori" -each nodes=20000 option.Threads=1 option.USI_OwnBook=false option.USI_Hash=64 -openings file="$trial/lines" plies="$2" \
        -games 1 -norepeat -noswap -rounds "$count" -maxmoves 400 -results "$trial/results" -quiet || return 1
    awk -F '\t' -v plies="$2" '
        NR == FNR { named[n++] = $2; split($3, half, " moves "); split(half[2], moves, " "); repeats[n - 1] = moves[plies % 4 + 1]; next }
        /"game":/ { game = winner = end = first = $0
            sub(/.*"game":/, "", game); sub(/[^0-9].*/, "", game)
            sub(/.*"winner":"/, "", winner); sub(/".*/, "", winner)
            sub(/.*"end":"/, "", end); sub(/".*/, "", end)
            sub(/.*"moves":"/, "", first); sub(/[ "].*/, "", first)
            print winner == "draw" ? "draw" : winner == named[game] ? "named" : "other", end,
                first == repeats[game] ? "repeats" : "differs", game }' "$trial/rows" "$trial/results" >"$trial/ends"
    [ "$(wc -l <"$trial/ends")" = "$count" ]
}

# ends PATTERN LEAST: at least this many games of 50 end this way.
ends() {
    found=$(grep -c -e "$1" "$trial/ends")
    echo "$kind: $found of $count: $1"
    [ $((found * 50)) -ge $(($2 * count)) ] || { cat "$trial/ends" && false; }
}

# of_many TEXT PATTERN LEAST: a check only if there are many games, because a few are lost occasionally.
of_many() { [ "$count" != 50 ] || check "$1" ends "$2" "$3"; }

# tell KIND: prints how the games ended.
tell() { cut -d ' ' -f 1,2 "$trial/ends" | sort | uniq -c | sed "s/^/$1:/"; }

kind=won
check "won games are played" play won 0
tell won
check "none is drawn" ends "^named\|^other" 49
of_many "they are won" "^named" 45
kind=lost
check "lost games with the fourth occurrence at hand are played" play lost 11
tell lost
check "it is taken" ends "^draw repetition repeats" 50
kind=entering
check "games with a king that has entered are played" play entering 0
tell entering
check "they are not drawn" ends "^named\|^other" 48
of_many "most of these kings win" "^named" 30
of_many "many by declaration" "^named declaration" 12
[ "$count" = 50 ] || skip "how many are won" "four games of each kind tell nothing; 50 in make test-all FULL=1"
tell_counts
