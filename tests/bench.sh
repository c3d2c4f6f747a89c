#!/bin/sh
# Compares the node count of `komadori bench` with the Bench: line of the last commit's message.
# usage: BUILD=build/release-native tests/bench.sh [--strict]
#
# The count is the same on every machine, so one line checks the whole search. As a test it skips if there is
# nothing to compare; with --strict (make bench-check) that is a failure. It is a single check, so it does not
# use checks.sh.
# Needs: komadori
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build/release-native}" "${MODE:=release}"
strict=${1:-}

finish() {
    echo "$2"
    case $1 in
    pass) echo "1 passed, 0 failed"; exit 0 ;;
    fail) echo "0 passed, 1 failed"; exit 1 ;;
    esac
}

# nothing REASON: there is nothing to compare.
nothing() {
    [ "$strict" != --strict ] || finish fail "bench: $1"
    echo "skip  bench: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

# The number after "Bench:" on the last such line.
bench_line() {
    sed -n 's/^Bench: *\([0-9][0-9]*\) *$/\1/p' | tail -n 1
}

[ "$MODE" = release ] || nothing "too slow in mode $MODE"
[ -x "$BUILD/komadori" ] || nothing "$BUILD/komadori is not there"
[ -e .git ] && command -v git >/dev/null 2>&1 || nothing "no git repository to read a Bench: line from"
want=$(git log -1 --format=%B 2>/dev/null | bench_line)
[ -n "$want" ] || nothing "the last commit's message has no Bench: line"
if [ "$strict" != --strict ] && ! git diff --quiet HEAD -- src eval Makefile 2>/dev/null; then
    nothing "src has changes that are not committed"
fi
got=$("$BUILD/komadori" bench </dev/null 2>/dev/null | bench_line)
[ -n "$got" ] || finish fail "bench: komadori bench prints no line 'Bench: <nodes>'"
[ "$got" = "$want" ] || finish fail "bench: $got nodes, but the last commit says $want"
finish pass "bench: $got nodes, as the last commit says"
