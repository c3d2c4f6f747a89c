#!/bin/sh
# Prints parameters of the search as lines "name, int, start, min, max, c_end, r_end", which OpenBench and
# komadori-match -spsa take. usage: bench/fleet/params.sh [PREFIX ...]    all, or those whose names begin so
set -eu
cd "$(dirname "$0")/../.."
sed -n 's/^PARAM(\([^)]*\)).*/\1/p' src/search/params.def | awk -F ', ' -v prefixes="$*" '{
    count = split(prefixes, prefix, " ")
    wanted = count == 0
    for (i = 1; i <= count; i++) wanted = wanted || index($1, prefix[i]) == 1
    if (wanted) print $1 ", int, " $2 ", " $3 ", " $4 ", " $5 ", 0.002"
}'
