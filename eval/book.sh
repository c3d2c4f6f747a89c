#!/bin/sh
# Grows the default opening book with the built-in network and saves it where the build expects it.
# usage: sh eval/book.sh [OUT [ARGUMENT ...]]    further arguments go to `komadori book grow`
# To continue a run that was stopped or killed, give the same command again.
set -eu
cd "$(dirname "$0")/.."
komadori=${KOMADORI:-./komadori}
out=${1:-eval/komadori.book}
[ $# -eq 0 ] || shift
work=${WORK:-build}/default.book

"$komadori" book grow --out "$work" --starts eval/book.starts --positions 22000 --nodes 300000 \
    --multipv 4 --threads "$(nproc 2>/dev/null || echo 1)" "$@"
"$komadori" book info "$work"
bytes=$(wc -c <"$work")
if [ "$bytes" -gt 1048576 ]; then
    echo "$work has $bytes bytes; more than 1 MB is not for the program" >&2
    exit 1
fi
cp "$work" "$out"
echo "$out is there; make builds it in"
