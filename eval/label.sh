#!/bin/sh
# Labels positions with the score of a deep search, for `komadori net test`.
#
#   eval/label.sh POSITIONS NODES [GROUP] >labelled.tsv
#
# POSITIONS is a file with one SFEN per line; if a line has tabs, its first column is the SFEN. Other lines are
# skipped. The output has the position, the score in centipawns from the side to move's point of view (30000
# for a mate), and the group.
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
