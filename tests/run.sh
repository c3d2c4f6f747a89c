#!/bin/sh
# Runs tests and adds up their results. docs/contributing.md describes the tests.
#
#   tests/run.sh           run the chosen tests, which are built
#   tests/run.sh --goals   print what make must build for them
#   tests/run.sh --list    print their names
#
# Environment: BUILD is the folder with the programs, MODE the build mode, CC the compiler. TESTS is quick (the
# default), long or all; a test with a line "Long: REASON" in its source is long, every other one is quick. ONLY
# chooses by name instead: the tests whose whole name is one of its words or, if a word is no such name, the tests
# whose name contains it. JOBS is the number that run at once, KOMADORI_CASES a folder of test data that is not part
# of the project. KOMADORI_TEST_FULL=1 includes cases that take hours, KOMADORI_TEST_LIMIT is the limit per test
# in seconds. KOMADORI_TEST_TIMING=1 chooses the tests that check real time, unless ONLY does, and runs one at a time.
set -u
# What a test builds is not a part of the make that runs the tests.
unset MAKEFLAGS MFLAGS MAKELEVEL

# The file of a test's result: $RESULTS/usi_run_cli.log, .counts and so on.
result_of() { printf '%s/%s' "$RESULTS" "$(printf '%s' "$1" | tr '/' '_')"; }

# remaining: prints "12 of 190, about 2 min left", from the times of the last run.
remaining() {
    ls "$RESULTS" | sed -n 's/\.counts$//p' | awk -v jobs="$JOBS" -v times="$BUILD/test-times" -v list="$RESULTS/list" '
        { is_done[$1] = 1; finished++ }
        END {
            while ((getline line < times) > 0) { split(line, part, " "); last[part[1]] = part[2] }
            while ((getline line < list) > 0) {
                split(line, part, " ")
                name = part[1]
                gsub("/", "_", name)
                total++
                if (!(name in is_done)) { if (part[1] in last) left += last[part[1]]; else unknown++ }
            }
            printf "%d of %d", finished, total
            if (finished < total && unknown == 0) {
                left /= jobs
                printf left < 60 ? ", about %d s left" : ", about %d min left", left < 60 ? left : (left + 59) / 60
            }
        }'
}

# report NAME PASSED FAILED SKIPPED SECONDS: prints a line, and details on a failure or a skip.
report() {
    word=ok
    [ "$3" -eq 0 ] || word=FAIL
    printf '%-4s  %-32s %6s passed %3s failed %3s skipped %4ss  %s\n' "$word" "$@" "$(remaining)"
    if [ "$3" -gt 0 ]; then
        tail -n 40 "$log.log" | sed 's/^/      | /'
    else
        grep '^skip  ' "$log.log" | sed 's/^/      /'
    fi
}

# Runs test $1 with the command after it; leaves its output and "passed failed skipped seconds" in $RESULTS.
run_one() {
    name=$1
    shift
    log=$(result_of "$name")
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
    echo "$1 $failed $3 $seconds" >"$log.counts"
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
: "${BUILD:=build/release-native}" "${MODE:=release}" "${CC:=cc}" "${ONLY:=}" "${TESTS:=quick}"
: "${JOBS:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}"
case $BUILD in
/*) KOMADORI_BUILD=$BUILD ;;
*) KOMADORI_BUILD=$top/$BUILD ;;
esac
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

# One line "NAME FILE COMMAND..." per test.
list_all() {
    for file in tests/*/run_*.sh; do
        [ ! -f "$file" ] || echo "$(basename "$(dirname "$file")")/$(basename "$file" .sh) $file sh $file"
    done
    for file in tests/*/test_*.c; do
        name=${file#tests/}
        name=${name%.c}
        case $name in api/*) continue ;; esac
        [ ! -f "$file" ] || echo "$name $file $BUILD/$name"
    done
    for file in tests/api/*.c; do
        [ -f "$file" ] || continue
        name=api/$(basename "$file" .c)
        echo "$name $file $BUILD/$name"
        ! command -v "${CXX:-c++}" >/dev/null 2>&1 || echo "$name-cxx $file $BUILD/$name-cxx"
    done
    for file in tests/fuzz/fuzz_*.c; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .c)
        echo "fuzz/$name $file $BUILD/fuzz/$name tests/fuzz/corpus/$name"
    done
    for name in style bench; do
        echo "$name tests/$name.sh sh tests/$name.sh"
    done
}

# Those that TESTS and ONLY choose.
choose() {
    sources=$(list_all | cut -d ' ' -f 2 | sort -u)
    # shellcheck disable=SC2086
    long=$(grep -ls '^[#/ *]*Long: ' $sources)
    timed=
    if [ "${KOMADORI_TEST_TIMING:-}" = 1 ]; then
        # shellcheck disable=SC2086
        timed=$(grep -ls 'CHECK_TIMELY\|unit_is_timed\|child_slowness\|^timed\|! timed' $sources)
    fi
    list_all | awk -v only="$ONLY" -v tests="$TESTS" -v long="$long" -v timed="$timed" '
        BEGIN {
            words = split(only, word, " ")
            files = split(long, file, "\n")
            for (i = 1; i <= files; i++) is_long[file[i]] = 1
            clocks = split(timed, file, "\n")
            for (i = 1; i <= clocks; i++) is_timed[file[i]] = 1
        }
        { line[++count] = $0; name[count] = $1; source[count] = $2; is_name[$1] = 1 }
        END {
            for (i = 1; i <= count; i++) {
                is_chosen = words == 0 &&
                    (clocks > 0 ? (source[i] in is_timed) : tests == "all" || (source[i] in is_long) == (tests == "long"))
                for (k = 1; k <= words; k++) {
                    is_hit = word[k] in is_name ? name[i] == word[k] : index(name[i], word[k]) > 0
                    hits[k] += is_hit
                    is_chosen = is_chosen || is_hit
                }
                if (is_chosen) print line[i]
            }
            for (k = 1; k <= words; k++) {
                if (!hits[k]) {
                    printf "no test has a name that contains \"%s\"; make test-list lists all\n", word[k] >"/dev/stderr"
                    exit 2
                }
            }
        }'
}

# What make must build for the tests on standard input: the test's own program, and what its source lists in a
# line "Needs: komadori match/fakeengine ..." ("library" is the installed library, "all" all that make builds).
goals() {
    while read -r name file command; do
        case $file in *.c) echo "${command%% *}" ;; esac
        [ ! -f "$file" ] || sed -n -e 's: *[*]/$::' -e 's:^[#/ *]*Needs\: *::p' "$file"
    done | tr ' ' '\n' | awk -v build="$BUILD" '
        $1 == "" || seen[$1]++ { next }
        $1 == "library" || $1 == "all" || index($1, "/") && index($1, build) == 1 { print; next }
        { print build "/" $1 }'
}

case ${1:-} in
--list) choose | cut -d ' ' -f 1; exit ;;
--goals) chosen=$(choose) || exit 2; echo "$chosen" | goals; exit ;;
esac

rm -rf "$RESULTS"
mkdir -p "$RESULTS"
export JOBS
begun=$(date +%s)

# The slow ones first: by the last run or, in a new folder, by a line "Seconds: N" in their source.
choose >"$RESULTS/chosen" || exit 2
awk -v times="$BUILD/test-times" -v hints="$(grep -s '^# Seconds: ' tests/*/run_*.sh)" '
    BEGIN {
        while ((getline line < times) > 0) { split(line, part, " "); last[part[1]] = part[2] }
        count = split(hints, hint, "\n")
        for (i = 1; i <= count; i++) { split(hint[i], part, ":# Seconds: "); usual[part[1]] = part[2] }
    }
    { printf "%d %s", $1 in last ? last[$1] : usual[$2], $1
      for (i = 3; i <= NF; i++) printf " %s", $i
      print "" }' "$RESULTS/chosen" | sort -s -k 1,1nr | cut -d ' ' -f 2- >"$RESULTS/list"
xargs -P "$JOBS" -I '{}' sh tests/run.sh --one '{}' <"$RESULTS/list"

# A test that left no counts has failed: its runner was killed, or the disk is full.
while read -r name command; do
    counts=$(cat "$(result_of "$name").counts" 2>/dev/null)
    [ -n "$counts" ] || echo "FAIL  $name left no result: $command" >&2
    echo "$name ${counts:-0 1 0 0}"
done <"$RESULTS/list" >"$RESULTS/summary"

# The times, for the estimate of the next run.
touch "$BUILD/test-times"
awk '{ print $1, $5 }' "$RESULTS/summary" | cat - "$BUILD/test-times" | awk '!seen[$1]++' >"$RESULTS/times"
mv "$RESULTS/times" "$BUILD/test-times"

awk -v seconds=$(($(date +%s) - begun)) '
    { passed += $2; failed += $3; skipped += $4 }
    $3 > 0 { printf "failed: %s; to run it alone: make test ONLY=%s\n", $1, $1 }
    END {
        printf "the tests took %d min %d s\n", int(seconds / 60), seconds % 60
        printf "%d passed, %d failed", passed, failed
        if (skipped > 0) printf ", %d skipped", skipped
        print ""
        exit failed > 0
    }' "$RESULTS/summary"
