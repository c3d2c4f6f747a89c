#!/bin/sh
# Prints positions from games as "startpos moves ...", one per line, for komadori-match -regret or -openings. Each comes
# from a random ply of a game. Every game contributes one position before any game contributes a second.
# usage: bench/sample.sh GAMES COUNT [SEED]    GAMES as komadori-match -usiout writes them
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
awk -v count="$2" -v seed="${3:-1}" '
    # Minimal standard generator (Park, Miller 1988), for the same positions with every awk.
    function draw(n) {
        state = state * 16807 % 2147483647
        return int(state / 2147483647 * n)
    }
    BEGIN { state = seed % 2147483646 + 1; draw(1); draw(1) }
    /^#/ || NF == 0 { next }
    { sub(/^position /, ""); game[games++] = $0 }
    END {
        skipped = 10  # plies at either end: the opening itself, and what is decided or mate
        while (printed < count && tries++ < 20 * count + games) {
            n = split(game[(tries - 1) % games], word, " ")
            for (first = 1; first <= n && word[first] != "moves"; first++) continue
            plies = n - first
            if (plies <= 2 * skipped) continue
            plies = skipped + draw(plies - 2 * skipped)
            line = word[1]
            for (i = 2; i <= first + plies; i++) line = line " " word[i]
            if (!(line in is_printed)) {
                print line
                is_printed[line] = 1
                printed++
            }
        }
        if (printed < count) {
            print "bench/sample.sh: only " printed + 0 " positions in these games" > "/dev/stderr"
            exit 1
        }
    }' "$1"
