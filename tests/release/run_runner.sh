#!/bin/sh
# tests/run.sh itself: how it adds up results, and how it reports tests that fail or leave no result.
set -u
. tests/checks.sh

mkdir -p "$trial/project/tests/x"
cp tests/run.sh "$trial/project/tests"
# a_test NAME: creates the test x/run_NAME from standard input.
a_test() { cat >"$trial/project/tests/x/run_$1.sh"; }
a_test good <<'END'
echo "3 passed, 0 failed, 1 skipped"
END
a_test bad <<'END'
echo "1 passed, 2 failed"
exit 1
END
a_test silent <<'END'
exit 0
END
# Its counts cannot be written, as on a full disk.
a_test lost <<'END'
echo "5 passed, 0 failed"
mkdir "$RESULTS/x_run_lost.counts"
END
# ends STATUS LINE NAME: a run of the tests whose name contains NAME ends with this status and line.
ends() {
    BUILD=build MODE=release ONLY=$3 JOBS=1 sh "$trial/project/tests/run.sh" >"$trial/said" 2>&1
    got=$?
    [ "$got" = "$1" ] && [ "$(tail -n 1 "$trial/said")" = "$2" ] || {
        echo "status $got"
        cat "$trial/said"
        return 1
    }
}

check "a test that passes" ends 0 "3 passed, 0 failed, 1 skipped" x/run_good
check "one that fails" ends 1 "1 passed, 2 failed" x/run_bad
check "one that counts nothing" ends 1 "0 passed, 1 failed" x/run_silent
check "one without a result" ends 1 "0 passed, 1 failed" x/run_lost
check "which is named" grep -q "^FAIL  x/run_lost left no result" "$trial/said"
# A build folder outside the sources, and a missing program.
a_test built <<'END'
. tests/checks.sh
check "$KOMADORI_BUILD" test "$KOMADORI_BUILD" = "$BUILD"
need nosuchprogram
END
cp tests/checks.sh "$trial/project/tests"
check "programs elsewhere" exits 0 "^1 passed, 0 failed, 1 skipped" env BUILD="$trial/ko ma" ONLY=x/run_built sh "$trial/project/tests/run.sh"
check "a missing program is a skip" grep -q "skip .*: there is no nosuchprogram" "$trial/said"
rm "$trial/project/tests/x/run_built.sh"
a_test slow <<'END'
echo "5 passed, 0 failed"
sleep 30
END
KOMADORI_TEST_LIMIT=1
export KOMADORI_TEST_LIMIT
if command -v timeout >/dev/null 2>&1; then
    check "one that takes too long" ends 1 "5 passed, 1 failed" x/run_slow
    check "is told so, with the limit" grep -q "stopped after 1 seconds, the limit; KOMADORI_TEST_LIMIT" "$trial/said"
else
    skip "one that takes too long" "there is no timeout"
fi
unset KOMADORI_TEST_LIMIT
rm -f "$trial/project/tests/x/run_slow.sh"
check "several names" ends 1 "4 passed, 2 failed, 1 skipped" "x/run_good x/run_bad"
check "the failed ones, and how to run them" grep -q "^failed: x/run_bad; to run it alone: make test ONLY=x/run_bad\$" "$trial/said"
check "how many are done" grep -q "^FAIL  x/run_bad .* [12] of 2" "$trial/said"
check "how long they took" grep -q "^the tests took 0 min [0-9]* s\$" "$trial/said"
check "all of them" ends 1 "4 passed, 4 failed, 1 skipped" x/run_
check "none" ends 2 'no test has a name that contains "x/run_none"; make test-list lists all' x/run_none
# What make builds, and for which tests.
goals() { BUILD=build MODE=release TESTS=$1 ONLY=$2 sh "$trial/project/tests/run.sh" --goals | tr '\n' ' '; }
listed() { BUILD=build MODE=release TESTS=$1 ONLY= sh "$trial/project/tests/run.sh" --list | grep '/' | tr '\n' ' '; }
mkdir -p "$trial/project/tests/unit"
printf '%s\n' '/* Long: hours' ' * Needs: komadori library */' >"$trial/project/tests/unit/test_aa.c"
: >"$trial/project/tests/unit/test_aa_bb.c"
check "a part of a name" test "$(goals quick aa_)" = "build/unit/test_aa_bb "
check "a whole name" test "$(goals quick unit/test_aa)" = "build/unit/test_aa build/komadori library "
check "nothing is built for an unknown one" exits 2 'contains "nosuch"' env ONLY=nosuch sh "$trial/project/tests/run.sh" --goals
check "quick tests" test "$(listed quick)" = "x/run_bad x/run_good x/run_lost x/run_silent unit/test_aa_bb "
check "long ones" test "$(listed long)" = "unit/test_aa "
rm -r "$trial/project/tests/unit"
if command -v ps >/dev/null 2>&1; then
    # The shell that would write its counts was killed.
    a_test killed <<'END'
echo "5 passed, 0 failed"
kill -9 "$(ps -o ppid= -p "$PPID" | tr -d ' ')" "$PPID"
END
    check "one whose runner is killed" ends 1 "0 passed, 1 failed" x/run_killed
else
    skip "one whose runner is killed" "no ps here to find the runner"
fi

tell_counts
