#!/bin/sh
# Input from a hostile or careless client: special files, endless lines, other line ends, nonsense.
# Needs: komadori
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-build/release-native}/komadori

# tells PATTERN TEXT: the engine receives TEXT (as for printf) and then quit; it exits normally and prints
# PATTERN.
tells() {
    pattern=$1
    shift
    # shellcheck disable=SC2059
    { printf "$@"; printf 'quit\n'; } | timeout 60 "$komadori" >"$trial/said" 2>"$trial/err" &&
        grep -q -e "$pattern" "$trial/said" || { head -n 5 "$trial/said" "$trial/err"; false; }
}
# silent PATTERN: it did not print that.
silent() { ! grep -e "$1" "$trial/said"; }

# A sanitizer reserves more.
starts_small() { (ulimit -v 1000000 && "$komadori" </dev/null) >/dev/null 2>&1; }

# ---- files -------------------------------------------------------------------------------------

mkfifo "$trial/fifo"
for option in DebugLogFile EvalFile BookFile; do
    for file in "$trial/fifo" /dev/zero; do
        check "$option on $file" tells "error $option: not a regular file" \
            "setoption name $option value $file\nisready\n"
        check "and the engine goes on" grep -q "^readyok" "$trial/said"
    done
    folder="Is a directory"
    [ "$option" != EvalFile ] || folder="no nn.bin in the folder"
    check "$option on a folder" tells "error $option: $folder" "setoption name $option value $trial\nisready\n"
done
if truncate -s 8G "$trial/sparse" 2>/dev/null; then
    check "a network of 8 GB of nothing" tells "error EvalFile: not a network" \
        "setoption name EvalFile value $trial/sparse\nisready\n"
    check "a book of 8 GB of nothing" tells "error BookFile: not a book" \
        "setoption name BookFile value $trial/sparse\nisready\n"
    # With less memory than the size of the file, its beginning identifies it.
    tells_small() { (ulimit -v 6000000 && tells "$@"); }
    if starts_small; then
        check "the same network in 6 GB" tells_small "error EvalFile: not a network" \
            "setoption name EvalFile value $trial/sparse\nisready\n"
        check "the same book in 6 GB" tells_small "error BookFile: Cannot allocate memory" \
            "setoption name BookFile value $trial/sparse\nisready\n"
        head -c 64 eval/komadori.nnue >"$trial/long" && truncate -s 8G "$trial/long"
        check "a network that goes on too long" tells_small "error EvalFile: wrong length" \
            "setoption name EvalFile value $trial/long\nisready\n"
    else
        skip "the same in 6 GB" "the program does not start in 1 GB of addresses"
    fi
fi

# ---- lines -------------------------------------------------------------------------------------

# endless BYTES: sends this many without a line end, with little memory, and then a command.
endless() {
    {
        printf 'isready\nposition startpos moves '
        head -c "$1" /dev/zero | tr '\0' x
        printf '\nsfen\nquit\n'
    } | (ulimit -v 1000000 && timeout 100 "$komadori") >"$trial/said"
}
once() { [ "$(grep -c "error" "$trial/said")" -eq 1 ]; }
if starts_small; then
    check "300 MB without a line end" endless 300000000
    check "are told of" grep -q "^info string error a line of more than 1048576 bytes is ignored$" "$trial/said"
    check "once" once
    check "and what follows is obeyed" grep -q "^lnsgkgsnl/1r5b1/" "$trial/said"
else
    skip "300 MB without a line end" "the program does not start in 1 GB of addresses"
fi
# A position that was ignored is not replaced by the one before it.
long_position() {
    {
        printf 'position startpos\nposition startpos moves '
        head -c 1100000 /dev/zero | tr '\0' x
        printf '\ngo depth 1\nposition startpos\ngo depth 1\nquit\n'
    } | timeout 100 "$komadori" >"$trial/said"
    grep -A 1 "^info string error go: the last position was rejected$" "$trial/said" | grep "^bestmove resign$" &&
        tail -n 1 "$trial/said" | grep "^bestmove [1-9]"
}
check "go behind a position that is too long" long_position
check "a line of a megabyte is not too long" tells "move 1 'xxx" "position startpos moves $(head -c 100000 /dev/zero | tr '\0' x)\n"
if [ -c /dev/full ]; then
    full() { timeout 60 "$komadori" </dev/full >/dev/full; [ $? -ne 124 ]; }
    check "endless zeros, and nowhere to answer" full
fi
check "a mark of UTF-8 before the first word" tells "^usiok" '\357\273\277usi\n'
check "lines that end in CR" tells "^lnsgkgsnl/1r5b1/p1ppppppp/" \
    'usi\rposition startpos moves 7g7f 8c8d\rsfen\r'
check "and in CR LF" tells "^lnsgkgsnl/.* w - 4$" 'position startpos moves 7g7f 8c8d 2g2f\r\nsfen\r\n'

# ---- go ----------------------------------------------------------------------------------------

for line in "go nonsense" "go go go"; do
    check "$line" tells "^info string error go: unknown '" "$line\nside\n"
    check "is no search" silent "^bestmove\|^info depth"
done
check "an unknown word behind a known one" tells "^bestmove [1-9]" 'go depth 1 nonsense\n'
check "go behind a position that was refused" tells "^info string error go: the last position was rejected" \
    'position startpos moves 7g7e\ngo depth 1\n'
check "is answered, but not for the position before" grep -q "^bestmove resign$" "$trial/said"
check "and a good position mends it" tells "^bestmove [1-9]" \
    'position startpos moves 7g7e\nposition startpos\ngo depth 1\n'

# ---- memory ------------------------------------------------------------------------------------

# What was refused stays refused, with a mate search in between.
small() { (ulimit -v 2000000 && exec "$komadori") >"$trial/said"; }
refused() {
    {
        printf 'setoption name USI_Hash value 16\nisready\nsetoption name USI_Hash value 65536\nisready\n'
        printf 'go mate 100\ngo depth 1\nquit\n'
    } | small
    grep -q "^bestmove " "$trial/said" && [ "$(grep -c "the hash table has 16 MB$" "$trial/said")" -ge 2 ] &&
        [ "$(grep -c "error" "$trial/said")" = "$(grep -c "the hash table has 16 MB$" "$trial/said")" ] || {
        grep "error\|bestmove" "$trial/said"
        return 1
    }
}
if starts_small; then
    check "a table that was refused" refused
else
    skip "a table that was refused" "the program does not start in 1 GB of addresses"
fi

# A log that cannot grow does not end the program.
crowded() {
    (
        printf 'setoption name DebugLogFile value %s\n' "$trial/log"
        i=0
        while [ $i -lt 200 ]; do echo usi; i=$((i + 1)); done
        echo sfen
        echo quit
    ) >"$trial/script"
    (ulimit -f 8 && exec "$komadori" <"$trial/script") | cat >"$trial/said"
    grep -q "^lnsgkgsnl" "$trial/said"
}
check "a log that may not grow" crowded

tell_counts
