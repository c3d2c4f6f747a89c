#!/bin/sh
# The live view of komadori-match on a pseudo terminal, which live.py interprets: standings and games are
# updated in place, at most four times a second, within the terminal's width, and nothing of them is left at the
# end or after Ctrl-C.
# Needs: komadori-match match/fakeengine
set -u
. tests/checks.sh
match=$KOMADORI_BUILD/komadori-match
fake=$trial/fakeengine
cp "$KOMADORI_BUILD/match/fakeengine" "$fake"

need python3
python3 -c 'import pty, os; os.close(pty.openpty()[0]); os.waitstatus_to_exitcode' 2>/dev/null ||
    skip_all "the live view" "python3 (3.9 or later) has no pseudo terminals here"

# Two concurrent games of 30 moves of at least 10 ms each.
games="-engine cmd=$fake arg=late arg=ms=10 arg=scores name=slow -engine cmd=$fake arg=late arg=ms=10 name=other
    -each depth=1 -rounds 3 -maxmoves 30 -concurrency 2"

# watch COLUMNS ROWS INTERRUPT ARGUMENTS...: writes the report of live.py to $trial/seen.
watch() {
    columns=$1 rows=$2 interrupt=$3
    shift 3
    # shellcheck disable=SC2086
    python3 tests/match/live.py "$columns" "$rows" "$interrupt" "$match" $games "$@" >"$trial/seen" 2>"$trial/watch.err" ||
        cat "$trial/watch.err"
}
# The value of a key, and the screen at the end.
seen() { awk -v key="$1" '$1 == key { print $2; exit }' "$trial/seen"; }
screen() { sed '1,/^screen$/d' "$trial/seen"; }
is() { [ "$(seen "$1")" "$2" "$3" ] || { cat "$trial/seen" && false; }; }
# The lines that every run prints, without times. Games may end in another order.
report() { screen | grep -v 'ms a move' | LC_ALL=C sort >"$trial/$1"; }
TERM=xterm
export TERM
unset NO_COLOR

watch 80 24 0
check "a terminal: the match is played" is status = 0
check "the view is drawn in place" is drawings -gt 3
check "not more than four times a second" is hurried = no
check "with both games in progress" is games = 2
check "and the standings" is lines = 7
check "in bold and faint" is styles -gt 0
check "no wider than the terminal" is widest -lt 80
check "with no other codes" is unknown = 0
report live

for columns in 46 200; do
    watch $columns 12 0
    check "$columns columns: the lines fit" is widest -lt $columns
    check "and nothing is left of them" is status = 0
    report narrow
    check "but the same report" cmp "$trial/live" "$trial/narrow"
done

NO_COLOR=1
export NO_COLOR
watch 80 24 0
check "NO_COLOR: the view is drawn" is drawings -gt 3
check "without bold and faint" is styles = 0
unset NO_COLOR

# Only lines, as in a file, with one for the start of each game.
report_of_lines() { screen | grep -v 'ms a move\| begins: \|/6 games' | LC_ALL=C sort >"$trial/$1"; }
TERM=dumb
watch 80 24 0
check "TERM=dumb: lines only" is drawings = 0
check "without codes" is unknown = 0
check "that report the games" grep -q '^game 6 of 6 begins: ' "$trial/seen"
report_of_lines dumb
check "and the same in the end" cmp "$trial/live" "$trial/dumb"
TERM=xterm
# shellcheck disable=SC2086
"$match" $games >"$trial/piped" 2>&1
check "a pipe gets no codes" sh -c '! grep -q "$(printf "\033")" "$1"' sh "$trial/piped"

watch 80 24 4 -rounds 300
check "Ctrl-C ends the match" is status = 130
check "says so last" [ "$(screen | grep . | tail -n 1)" = interrupted ]
check "and removes the view" [ -z "$(screen | grep ' elapsed')" ]

tell_counts
