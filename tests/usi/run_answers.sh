#!/bin/sh
# The last line before bestmove, in games of the engine against itself with five node limits: an exact score,
# beginning with the move played, legal to its end, and from depth 8 on at least three moves, unless the game
# ends before or a position repeats, which counts as a draw. 1,000 answers in make test-all FULL=1, otherwise about a
# hundred.
# Needs: komadori komadori-kifu komadori-match
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}"
games=1 plies=40
[ "${KOMADORI_TEST_FULL:-}" != 1 ] || { games=2 plies=320; }

# play NAME OPENING KEYS...: plays games from that opening, with all communication in $trial/NAME.log. A limit of
# nodes ends a search anywhere in it, as a clock does, and at the same place each time.
play() {
    name=$1 opening=$2
    shift 2
    "$KOMADORI_BUILD/komadori-match" -engine name=a cmd="$KOMADORI_BUILD/komadori" -engine name=b \
        cmd="$KOMADORI_BUILD/komadori" -each "$@" -openings file=bench/openings.sfen start="$opening" \
        -games 1 -norepeat -rounds "$games" -maxmoves "$plies" -log "$trial/$name.log" -quiet
}

# Prints each answer of a log as "LINE<tab>DEPTH<tab>MOVES<tab>WHAT": the position with the line after it, the
# depth and the number of moves of the line, and what is wrong with it or "-".
cat >"$trial/answers.awk" <<'END'
{ who = $2; direction = $3; text = substr($0, index($0, $3) + 2) }
direction == ">" && text ~ /^position / { position[who] = substr(text, 10) }
direction == ">" && text ~ /^go/ { last[who] = "" }
direction == "<" && text ~ /^info / { last[who] = text }
direction == "<" && text ~ /^bestmove / {
    split(text, answer, " ")
    if (answer[2] == "resign" || answer[2] == "win") next
    line = last[who]
    what = "-"
    moves = line
    if (!sub(/.* pv /, "", moves)) moves = ""
    count = split(moves, move, " ")
    depth = line
    sub(/.* depth /, "", depth)
    if (count == 0) what = "no line"
    else if (line ~ /(lower|upper)bound/) what = "a bound"
    else if (line !~ / score (cp|mate) -?[0-9]/) what = "no score"
    else if (move[1] != answer[2]) what = "another move, " answer[2]
    else if (count > 1 && answer[3] == "ponder" && answer[4] != move[2]) what = "another reply, " answer[4]
    at = position[who]
    print at (at ~ / moves / ? " " : " moves ") moves "\t" depth + 0 "\t" count "\t" what
}
END

look() {
    cat "$trial"/*.log | awk -f "$trial/answers.awk" >"$trial/answers"
    cut -f 1 "$trial/answers" >"$trial/lines.usi"
    "$KOMADORI_BUILD/komadori-kifu" check --from usi "$trial/lines.usi" >"$trial/judged" 2>"$trial/faults"
}

# comes_back LINE: the last position has occurred before.
comes_back() {
    echo "$1" | awk '{ split($0, half, " moves "); count = split(half[2], move, " "); line = half[1] " moves"
        print half[1]; for (i = 1; i <= count; i++) print line = line " " move[i] }' >"$trial/way.usi"
    "$KOMADORI_BUILD/komadori-kifu" convert --quiet --from usi "$trial/way.usi" --to epd -o "$trial/way.epd" &&
        awk '{ here = $1 " " $2 " " $3; found = seen[here]++ } END { exit !found }' "$trial/way.epd"
}

# Short lines from depth 8 on whose last position neither ends the game nor is at the move limit.
short() {
    sed -n 's/^.* game [0-9]*: .*last position: //p' "$trial/judged" | paste - "$trial/answers" |
        awk -F '\t' -v plies="$plies" '$3 >= 8 && $4 < 3 && $1 !~ /mate|repetition|check|declar/ {
            half = index($2, " moves ")
            if (split(substr($2, half + 7), moves, " ") < plies) print $2 }' >"$trial/short"
    [ "$(wc -l <"$trial/answers")" = "$(grep -c 'last position: ' "$trial/judged")" ] || return 1
    while IFS= read -r line; do
        comes_back "$line" || { echo "$line" && return 1; }
    done <"$trial/short"
}

check "games with few nodes" play few 3 nodes=3000
check "with more" play more 14 nodes=20011
check "with a small hash table" play small 25 nodes=30000 option.USI_Hash=1
check "with several lines" play lines 36 nodes=25000 option.MultiPV=2
check "with two threads" play threads 47 nodes=40000 option.Threads=2
look
count=$(wc -l <"$trial/answers")
echo "$count answers, $(awk -F '\t' '$2 >= 8' "$trial/answers" | wc -l) of them from depth 8 on"
check "answers enough" [ "$count" -ge $((plies == 320 ? 1000 : 80)) ]
check "each has the exact line of its move right before it" sh -c '! cut -f 2- "$1" | grep -v -e "-$"' sh "$trial/answers"
check "which is legal to its end" sh -c 'head -n 5 "$1"; [ ! -s "$1" ]' sh "$trial/faults"
check "and has three moves from depth 8 on, or ends the game" short
tell_counts
