#!/bin/sh
# The commands of the program on the command line.
# Needs: all
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-build/release-native}/komadori

check "perft of the start" exits 0 "^Nodes searched: 25470$" "$komadori" perft 3
check "threads and hash" exits 0 "^Nodes searched: 719731$" "$komadori" perft 4 --threads 2 --hash 4
check "divide" exits 0 "^7g7f: 30$" "$komadori" perft 2 --divide
check "a position in words" exits 0 "^Nodes searched: 207$" "$komadori" perft 1 sfen \
    l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1
check "a position in one word" exits 0 "^Nodes searched: 207$" "$komadori" perft 1 \
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1" --threads 2
check "moves behind a position" exits 0 "^Nodes searched: 30$" "$komadori" perft 1 startpos moves 7g7f
check "of which one is not legal" exits 2 "perft: no piece on the origin, move 2 '7g7f'$" \
    "$komadori" perft 1 startpos moves 7g7f 7g7f
check "evaluation behind moves" exits 0 "for white, to move" "$komadori" eval startpos moves 7g7f
check "a position as in a line of USI" exits 0 "for white, to move" "$komadori" eval position startpos moves 7g7f
check "also in one word" exits 0 "^mate in 1, .*: G\*1b$" "$komadori" mate "position sfen 8k/9/8P/9/9/9/9/9/9 b G 1"
check "depth 0" exits 0 "^Nodes searched: 1$" "$komadori" perft 0
check "no depth" exits 2 "usage" "$komadori" perft
check "a negative depth" exits 2 "DEPTH needs a whole number from 0 to 30, not .-1.$" "$komadori" perft -1

# Errors go to stderr, with the word and the allowed range.
silent_on_stdout() { "$komadori" "$@" 2>"$trial/err" >"$trial/said"; [ $? -eq 2 ] && [ ! -s "$trial/said" ]; }
check "a fault says nothing on standard output" silent_on_stdout perft 99
check "it says what is wrong" exits 2 "^komadori perft: DEPTH needs a whole number from 0 to 30, not .99.$" \
    "$komadori" perft 99
typed_fault() { printf 'perft 99\n' | "$komadori" | grep "^info string error perft: DEPTH needs .*, not '99'$"; }
check "typed, it is a line of the protocol" typed_fault
# Neither perft nor help needs a network or a hash table.
small() { (ulimit -v 65536; "$@"); }
case ${KOMADORI_MODE:-release} in
asan | tsan) skip "little memory" "a sanitizer needs the whole address space" ;;
*)
    check "perft in little memory" exits 0 "^Nodes searched: 900$" small "$komadori" perft 2
    check "help in little memory" exits 0 "perft" small "$komadori" help
    ;;
esac
check "an unknown option" exits 2 "^komadori perft: unknown option .--fast." "$komadori" perft 2 --fast
check "help on perft" exits 0 "^usage: komadori perft .* DEPTH" "$komadori" perft --help
check "a bad position" exits 2 "column" "$komadori" perft 2 sfen 9/9 b - 1

check "a position behind sfen in one word" exits 0 "^Nodes searched: 207$" "$komadori" perft 1 --threads 2 sfen \
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
check "a line of the protocol in one word" exits 0 "^lnsgkgsnl/" "$komadori" "sfen "
check "an empty position" exits 2 "no position given" "$komadori" perft 3 ""
check "an empty position behind sfen" exits 2 "no position given" "$komadori" perft 3 sfen ""
check "no position behind sfen" exits 2 "no position given" "$komadori" perft 3 sfen
check "a quote in an argument" exits 2 "unknown piece, column 1" "$komadori" perft 1 '"sfen'

check "a table that does not fit" exits 1 "^komadori perft: no memory for its table" "$komadori" perft 2 --hash 1048576

# The same node count from any directory, twice, and after other options.
here=$(pwd)
case $komadori in /*) ;; *) komadori=$here/$komadori ;; esac
check "bench" exits 0 "^Bench: [1-9][0-9]*$" "$komadori" bench 3
first=$(grep '^Bench:' "$trial/said")
cd / || exit 1
check "bench elsewhere" exits 0 "^$first$" "$komadori" bench 3
cd "$here" || exit 1
check "bench with threads" exits 0 "^Bench: " "$komadori" bench 2 2 2
check "bench with a table that does not fit" exits 1 "^komadori bench: only [0-9]* MB and 1 thread could be allocated" \
    "$komadori" bench 1 1 262144
# A bench that is stopped in one of its searches has no count to print.
stopped_bench() {
    mkfifo "$trial/in"
    "$komadori" <"$trial/in" >"$trial/stopped" &
    exec 3>"$trial/in"
    echo "bench 18" >&3
    await grep -q "^position  1 " "$trial/stopped"
    printf 'stop\nisready\nquit\n' >&3
    exec 3>&-
    wait $! && [ "$(tail -n 1 "$trial/stopped")" = readyok ] && ! grep "^Bench" "$trial/stopped"
}
check "bench that is stopped" stopped_bench
check "bench misspelt" exits 2 "DEPTH needs a whole number from 1 to 120, not .deep." "$komadori" bench deep

check "help" exits 0 "perft" "$komadori" help
check "help by option" exits 0 "perft" "$komadori" --help
check "help by a letter" exits 0 "perft" "$komadori" -h
check "help on a command" exits 0 "^usage: komadori mate " "$komadori" help mate
only_mate() { grep -q "^Solve a mate problem" "$trial/said" && ! grep -q "perft\|analyze" "$trial/said"; }
check "and no other" only_mate
check "help on a command by option" exits 0 "^  --divide" "$komadori" --help perft
check "help on a command by its own option" exits 0 "^  --out FILE" "$komadori" gendata --help
check "or letter" exits 0 "^usage: komadori help " "$komadori" help -h
# Every command of every program answers --help, whatever precedes it.
folder=${komadori%/*}
helps() {
    "$folder/$@" 2>"$trial/err" >"$trial/said" </dev/null && [ ! -s "$trial/err" ] &&
        grep -q "^usage: $1 ${command:-}" "$trial/said"
}
for program in komadori komadori-kifu; do
    for command in $("$folder/$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p;s/^  \([a-z]*\)$/\1/p'); do
        check "$program $command --help" helps $program "$command" --help
        check "$program $command x -h" helps $program "$command" x -h
    done
done
command=
for program in komadori-match komadori-train; do
    check "$program --help" helps $program --help
    check "$program x -h" helps $program x -h
done
lost() { "$folder/$@" >/dev/full; }
for program in komadori komadori-kifu komadori-match komadori-train; do
    check "$program: help that is lost" exits 1 "standard output could not be written" lost $program --help
done
check "help on what there is not" exits 2 "^komadori help: unknown command .nosuch." "$komadori" help nosuch
check "help on two" exits 2 "^komadori help: .mate. is one argument too many" "$komadori" help perft mate
check "version of something" exits 2 "usage: komadori version" "$komadori" version x
check "parameters of something" exits 2 "usage: komadori params" "$komadori" params x
check "parameters" exits 0 ", int, " "$komadori" params
check "what gendata does by itself" exits 0 "^  --nodes N .*(default 1000, " "$komadori" help gendata
check "and analyze" exits 0 "^  --hash MB .*(default 64, " "$komadori" help analyze
check "version" exits 0 "^Komadori [0-9]" "$komadori" --version
check "version: the build" exits 0 "^build    [a-z]* [0-9.]*, " "$komadori" --version
check "version: the kernels" exits 0 "^kernels  [a-z0-9]*, the fastest of: scalar" "$komadori" --version
check "version: the net" exits 0 "^net      [0-9a-f]\{16\}, [0-9]* hidden" "$komadori" --version
net=$("$komadori" net info | awk '/^network/ { print $2 }')
check "version: the net's number" exits 0 "^net      $net," "$komadori" --version
for tool in match kifu train; do
    program=$(dirname "$komadori")/komadori-$tool
    check "version of komadori-$tool" exits 0 "^komadori-$tool [0-9]" "$program" --version
    check "build of komadori-$tool" exits 0 "^build    [a-z]* [0-9.]*, " "$program" --version
done
check "bench with kernels" exits 0 "^$first$" "$komadori" bench 3 --kernels scalar
check "bench with kernels unknown" exits 2 "this machine supports only scalar" "$komadori" bench 3 --kernels x
check "bench without the name" exits 2 "kernels needs scalar.avx2" "$komadori" bench 3 --kernels
check "the board of a position" exits 0 "^sfen lnsgkgsnl/.* w - 2$" "$komadori" d startpos moves 7g7f
check "its moves" exits 0 "^5a4b .* 3c3d .*$" "$komadori" moves startpos moves 7g7f
check "its side" exits 0 "^white$" "$komadori" side startpos moves 7g7f
check "its name" exits 0 "^4k4/9/9/9/9/9/9/9/4K4 b 2P 1$" "$komadori" sfen sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P
key=$("$komadori" key startpos moves 7g7f)
check "its key" [ "$key" != "$("$komadori" key)" ]
check "is that of the same position" exits 0 "^$key$" "$komadori" key \
    lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
for query in d moves side sfen key; do
    check "no position after $query" exits 2 "^info string error $query: unknown piece, column 1$" "$komadori" $query x
done
check "a command of the protocol" exits 0 "^sfen lnsgkgsnl/" "$komadori" d
check "quit" "$komadori" quit
check "a bad position of the protocol" exits 2 "error position" "$komadori" position nonsense
check "a bad option of the protocol" exits 2 "error setoption" "$komadori" setoption name Nonsense
check "bad limits" exits 2 "error go" "$komadori" go nodes 10 depth x
check "an unknown command" exits 2 "unknown command 'nonsense'" "$komadori" nonsense
check "an answer to go" exits 0 "^bestmove " "$komadori" go nodes 100
check "go without limits" exits 0 "^bestmove 2g2f" timeout 60 "$komadori" go searchmoves 2g2f
endless() { timeout 2 "$komadori" go infinite >"$trial/said"; [ $? -eq 124 ]; }
check "go infinite" endless

# ---- analyze -----------------------------------------------------------------------------------

# Rooks go along their ranks, back, and once more.
there="2h3h 8b7b 3h4h 7b6b 4h5h 6b5b 5h6h 5b4b 6h7h 4b3b"
back="7h6h 3b4b 6h5h 4b5b 5h4h 5b6b 4h3h 6b7b 3h2h 7b8b"
echo "position startpos moves $there $back $there" >"$trial/game.usi"
# analyze OPTION...: the game of 30 moves.
analyze() {
    "$komadori" analyze --depth 1 -o "$trial/an.kifu" "$@" "$trial/game.usi"
}
check "an analysis with a table that does not fit" exits 1 \
    "^komadori analyze: only [0-9]* MB and 1 thread could be allocated, not 262144 and 1" analyze --hash 262144
check "is not begun" [ ! -e "$trial/an.kifu.journal" ]
cores=$(echo usi | "$komadori" | sed -n 's/^option name Threads .*default \([0-9]*\) .*/\1/p')
check "with a limit of time, as many threads as the engine" exits 1 "only [0-9]* MB and $cores threads\? could be allocated" \
    "$komadori" analyze --time 1 --hash 262144 "$trial/game.usi"

check "an analysis without a folder for its page" exits 1 "nodir/x.html: its folder does not exist" analyze \
    --html "$trial/nodir/x.html"
check "or for its record" exits 1 "nodir/an.kifu: its folder does not exist" analyze -o "$trial/nodir/an.kifu"
check "searches nothing" [ ! -e "$trial/an.kifu.journal" ]
# The line of the first search was cut short; the second run stops at its page, for which there is no room.
{
    printf 'komadori-analysis 1 nodes 0 time 0 depth 1 '
    "$(dirname "$komadori")/komadori-kifu" convert "$trial/game.usi" --to usi
    printf '30 4321 9 5 7g7f'
} >"$trial/an.kifu.journal"
crowded_analysis() {
    (
        trap '' XFSZ
        ulimit -f "$1"
        shift
        analyze "$@"
    )
}
check "an analysis without its page" exits 1 "x.html: File too large" crowded_analysis 64 --html "$trial/x.html"
check "has a journal" exits 0 "^0 .* \.\$" cat "$trial/an.kifu.journal"
check "from which it goes on" exits 0 "^written: " analyze
check "each position searched" [ "$(grep -c "^\*#評価値=\|^\*#詰み=" "$trial/an.kifu")" -ge 30 ]
none_torn() { ! grep -q "評価値=4321$" "$trial/an.kifu"; }
check "none of them told by half a line" none_torn
check "a journal that cannot be written" exits 1 "an.kifu.journal: File too large" crowded_analysis 1
told_once() { [ "$(grep -c "journal: File too large" "$trial/err")" -eq 1 ]; }
check "is told of once" told_once
rm -f "$trial/an.kifu.journal"

# One scale of winning chances: net info, the analysis and the manual.
scale=$("$komadori" net info | sed -n 's/^chances .* \([0-9]*\)))$/\1/p')
check "an analysis" exits 0 "^written: " analyze --json "$trial/scale.json"
check "with the scale of the network" grep -q "\"scale\": *$scale," "$trial/scale.json"
check "which the manual states" grep -q "1 / (1 + exp(-X / $scale))" docs/usi.md
check "and that of the analysis too" grep -q "$scale for the built-in network" docs/kifu.md

# A client hears nothing about a line that it may send to every engine, a person at a terminal does.
check "an unknown line of a client" [ "$(printf 'exit\nquit\n' | "$komadori" 2>&1 | wc -l)" = 0 ]
if command -v script >/dev/null && script --version 2>&1 | grep -q util-linux; then
    printf 'exit\nquit\n' | script -qec "'$komadori'" "$trial/seen" >/dev/null
    check "one typed at a terminal" exits 0 "^unknown command 'exit'; quit leaves the engine" cat "$trial/seen"
else
    skip "one typed at a terminal" "there is no script of util-linux"
fi

# The log holds both directions; a path may have blanks.
printf 'setoption name DebugLogFile value %s/a log.txt\nusi\nposition nonsense\nquit\n' "$trial" |
    "$komadori" >/dev/null 2>&1
check "a log of the client" exits 0 "^ *[0-9]* > position nonsense" cat "$trial/a log.txt"
check "a log of the engine" exits 0 "^ *[0-9]* < usiok" cat "$trial/a log.txt"

tell_counts
