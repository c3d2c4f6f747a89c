#!/bin/sh
# Plays training games until it is stopped:
#
#   setsid eval/generate.sh FOLDER [OPTION of komadori gendata ...] &
#
# File after file appears in FOLDER: games-1.kmd, games-2.kmd and so on. The number of a file is the seed of its games. A
# finished file is never played again. Whatever stops the script, the games that have ended are in FOLDER; the same
# command continues. FIRST=1001 begins at another number, for example on another machine, and LAST=20 ends after file 20.
#
# Everything runs at the lowest priority. On Linux that is the priority of the whole session, hence setsid.
set -u
komadori=${KOMADORI:-$(dirname "$0")/../komadori}
folder=${1:?usage: eval/generate.sh FOLDER [OPTION ...]}
shift
mkdir -p "$folder" || exit 1
[ ! -w /proc/self/autogroup ] || echo 19 >/proc/self/autogroup
number=${FIRST:-1}
while [ "$number" -le "${LAST:-999999999}" ]; do
    file=$folder/games-$number.kmd
    [ -e "$file" ] || nice -n 19 "$komadori" gendata --out "$file" --games 1000 --nodes 5000 --off-policy 40 "$@" \
        --seed "$number" || exit 1
    number=$((number + 1))
done
