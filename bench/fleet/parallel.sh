#!/bin/sh
# Plays a match in parts, one for each job of GNU parallel, and puts them together.
# usage: bench/fleet/parallel.sh match.sh PARTS [OPTION OF parallel ...]    such as --sshlogin a,b --wd .
# match.sh is the match, a script such as: komadori-match -engine cmd=./new -engine cmd=./old -each tc=8+0.08 "$@"
set -eu
match=$1
parts=$2
shift 2
seq "$parts" | parallel "$@" sh "$match" -shard "{}/$parts" -results "part-{}.jsonl" -resume -quiet
komadori-match -merge part-*.jsonl -html whole.html
