#!/bin/sh
# Plays a match in parts, one for each job of GNU parallel, and puts them together.
# usage: bench/fleet/parallel.sh match.json PARTS [OPTION OF parallel ...]    such as --sshlogin a,b --wd .
set -eu
config=$1
parts=$2
shift 2
seq "$parts" | parallel "$@" komadori-match -config "$config" -shard "{}/$parts" \
    -results "part-{}.jsonl" -resume -quiet
komadori-match -merge part-*.jsonl -html whole.html
