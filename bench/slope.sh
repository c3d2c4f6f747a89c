#!/bin/sh
# Measures self-scaling: for several N, plays an engine with N nodes per move against itself with 2N, and prints how much
# Elo the doubling gains. If the gain drops early, the engine makes poor use of additional nodes.
# usage: bench/slope.sh [-d DIR] [-g GAMES] [-c CONCURRENCY] [-o OPENINGS] [-n "N N ..."] KEY=VALUE ...
#   KEY=VALUE  the engine, in the form of komadori-match -engine: cmd=./komadori option.USI_Hash=64
#   DIR        folder for results and slope.txt (default: slope); the same command continues an earlier run
#   GAMES      games for each N (default 100); by default, N is 10000 20000 40000 80000 160000 320000
# Environment: MATCH is the path of komadori-match (default: ./komadori-match).
set -eu
dir=slope games=100 concurrency=1 openings=bench/openings.sfen
nodes="10000 20000 40000 80000 160000 320000"
while getopts d:g:c:o:n: key; do
    case $key in
    d) dir=$OPTARG ;;
    g) games=$OPTARG ;;
    c) concurrency=$OPTARG ;;
    o) openings=$OPTARG ;;
    n) nodes=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$dir"
{
    echo "| nodes | games | score of twice the nodes | Elo, 95 % interval |"
    echo "|---|---|---|---|"
} >"$dir/slope.part"
for n in $nodes; do
    twice=$((2 * n))
    "${MATCH:-./komadori-match}" -engine "$@" name="nodes-$twice" nodes=$twice -engine "$@" name="nodes-$n" nodes="$n" \
        -openings file="$openings" order=random -seed 1 -rounds $(((games + 1) / 2)) -games 2 -concurrency "$concurrency" \
        -resign -draw -quiet -ratinginterval 20 -results "$dir/$n.jsonl" -resume >"$dir/$n.txt"
    awk -v n="$n" '
        $1 == "score" { games = $2; percent = $0; sub(/.*\(/, "", percent); sub(/\).*/, "", percent) }
        $1 == "Elo" { elo = $2 " +/- " $4; sub(/,/, "", elo) }
        END { print "| " n " | " games " | " percent " | " elo " |" }' "$dir/$n.txt" | tee -a "$dir/slope.part"
done
mv "$dir/slope.part" "$dir/slope.txt"
