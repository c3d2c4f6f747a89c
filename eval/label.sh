#!/bin/sh
# Labels positions with the score of a deep search, for `komadori net test`.
#
#   eval/label.sh POSITIONS NODES [GROUP] >labelled.tsv
#
# POSITIONS has a position as SFEN in each line, or in the first column of lines with tabs; lines that
# are none are left out. The result has the position, the score for the side to move in centipawns
# (a mate counts 30000) and the group.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
positions=${1:?usage: eval/label.sh POSITIONS NODES [GROUP]}
nodes=${2:?usage: eval/label.sh POSITIONS NODES [GROUP]}
group=${3:-}
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/in" "$pipes/out"
"$here/komadori" <"$pipes/in" >"$pipes/out" &
exec 3>"$pipes/in" 4<"$pipes/out"
printf 'setoption name USI_OwnBook value false\nisready\n' >&3

# Prints the last score in the answer to `go`.
read_score() {
    score=
    while read -r line <&4; do
        case $line in
        *" score cp "*) score=${line##*score cp } score=${score%% *} ;;
        *" score mate -"*) score=-30000 ;;
        *" score mate "*) score=30000 ;;
        "bestmove "*) break ;;
        esac
    done
}

cut -f1 "$positions" | grep '/.* [bw] ' | while read -r sfen; do
    printf 'usinewgame\nposition sfen %s\ngo nodes %d\n' "${sfen#sfen }" "$nodes" >&3
    read_score
    [ -z "$score" ] || printf '%s\t%s\t%s\n' "${sfen#sfen }" "$score" "$group"
done
echo quit >&3
wait
