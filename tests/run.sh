#!/bin/sh
# Runs the tests that `make test` has built and adds up their results. docs/testing.md describes the tests.
# usage: BUILD=build/release-native tests/run.sh
#
# Environment: BUILD is the folder with the programs, MODE the build mode, CC the compiler, ONLY parts of the
# names of the tests to run, JOBS the number that run at once, KOMADORI_CASES a folder of test data that is not
# part of the project. KOMADORI_TEST_FULL=1 includes slow cases, KOMADORI_TEST_LIMIT is the limit per test in
# seconds, and KOMADORI_TEST_TIMING=1 checks real time, with one test at a time.
set -u

# report NAME PASSED FAILED SKIPPED SECONDS: prints a line, and details on a failure or a skip.
report() {
    word=ok
    [ "$3" -eq 0 ] || word=FAIL
    printf '%-4s  %-32s %6s passed %3s failed %3s skipped %4ss\n' "$word" "$@"
    if [ "$3" -gt 0 ]; then
        tail -n 40 "$log.log" | sed 's/^/      | /'
    else
        grep '^skip  ' "$log.log" | sed 's/^/      /'
    fi
}

# Runs test $1 with the command after it; leaves its output and "passed failed skipped" in $RESULTS.
run_one() {
    name=$1
    shift
    log=$RESULTS/$(printf '%s' "$name" | tr '/' '_')
    start=$(date +%s)
    $LIMIT "$@" >"$log.log" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    counts=$(awk '/^[0-9]+ passed, [0-9]+ failed/ { line = $0 }
        END { split(line, n, /[^0-9]+/); if (line != "") print n[1], n[2], n[3] + 0 }' "$log.log")
    # shellcheck disable=SC2086
    set -- ${counts:-0 0 0}
    failed=$2
    # A crash or an end without counts is a failure, whatever was counted before.
    if [ "$status" -eq 124 ] && [ -n "$LIMIT" ]; then
        echo "stopped after ${LIMIT##* } seconds, the limit; KOMADORI_TEST_LIMIT raises it" >>"$log.log"
        failed=$((failed + 1))
    elif [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ -z "$counts" ] || [ $(($1 + $3)) -eq 0 ]; }
    then
        echo "ended with status $status without a failed check; its last lines stand above" >>"$log.log"
        failed=1
    fi
    echo "$1 $failed $3" >"$log.counts"
    # In one piece, because several tests report at once.
    report "$name" "$1" "$failed" "$3" "$seconds" >"$log.report"
    cat "$log.report"
}

if [ "${1:-}" = --one ]; then
    shift
    # The name and the command arrive as one word; the command is split here.
    # shellcheck disable=SC2086
    run_one $1
    exit 0
fi

cd "$(dirname "$0")/.." || exit 1
top=$(pwd -P)
: "${BUILD:=build/release-native}" "${MODE:=release}" "${CC:=cc}" "${ONLY:=}"
: "${JOBS:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}"
KOMADORI_BUILD=$top/$BUILD
RESULTS=$KOMADORI_BUILD/results
KOMADORI_MODE=$MODE
# Ends a hanging test. The limit is many times what the longest test takes on a quiet machine, because
# sanitizers slow programs down by up to ten times.
seconds=1800
[ "$MODE" = release ] || seconds=3600
[ "${KOMADORI_TEST_FULL:-}" != 1 ] || seconds=36000
seconds=${KOMADORI_TEST_LIMIT:-$seconds}
[ "${KOMADORI_TEST_TIMING:-}" != 1 ] || JOBS=1
LIMIT=
if command -v timeout >/dev/null 2>&1; then
    LIMIT="timeout $seconds"
fi
# If a sanitizer finds an error, the program ends with a status that no test expects.
ASAN_OPTIONS=exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=exitcode=99${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
TSAN_OPTIONS=exitcode=99${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
export KOMADORI_BUILD KOMADORI_MODE RESULTS LIMIT BUILD MODE CC
rm -rf "$RESULTS"
mkdir -p "$RESULTS"
begun=$(date +%s)

# One line "NAME COMMAND..." per test, the slow ones first.
list_tests() {
    for file in tests/*/run_*.sh; do
        [ ! -f "$file" ] || echo "$(basename "$(dirname "$file")")/$(basename "$file" .sh) sh $file"
    done
    for file in tests/data/test_*.c tests/*/test_*.c; do
        name=${file#tests/}
        name=${name%.c}
        case $name in api/*) continue ;; esac
        [ ! -f "$file" ] || echo "$name $BUILD/$name"
    done | awk '!seen[$1]++'
    for file in tests/api/*.c; do
        [ -f "$file" ] || continue
        name=api/$(basename "$file" .c)
        echo "$name $BUILD/$name"
        [ ! -x "$BUILD/$name-cxx" ] || echo "$name-cxx $BUILD/$name-cxx"
    done
    for file in tests/fuzz/fuzz_*.c; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .c)
        echo "fuzz/$name $BUILD/fuzz/$name tests/fuzz/corpus/$name"
    done
    echo "layers sh tests/layers.sh"
    echo "doors sh tests/doors.sh"
    echo "style sh tests/style.sh"
    echo "bench sh tests/bench.sh"
}

list_tests | awk -v only="$ONLY" '
    BEGIN { count = split(only, word, " ") }
    { for (i = 1; i <= count && !index($1, word[i]); i++) ; if (count == 0 || i <= count) print }' \
    >"$RESULTS/list" || exit 1
xargs -P "$JOBS" -I '{}' sh tests/run.sh --one '{}' <"$RESULTS/list"

# A test that left no counts has failed: its runner was killed, or the disk is full.
while read -r name command; do
    counts=$(cat "$RESULTS/$(printf '%s' "$name" | tr '/' '_').counts" 2>/dev/null)
    [ -n "$counts" ] || echo "FAIL  $name left no result: $command" >&2
    echo "${counts:-0 1 0}"
done <"$RESULTS/list" | awk -v seconds=$(($(date +%s) - begun)) '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        if (NR == 0) { print "no test has this name"; failed = 1 }
        printf "the tests took %d min %d s\n", int(seconds / 60), seconds % 60
        printf "%d passed, %d failed", passed, failed
        if (skipped > 0) printf ", %d skipped", skipped
        print ""
        exit failed > 0
    }'
