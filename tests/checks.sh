# checks.sh: functions for tests in shell; read by `. tests/checks.sh` from the top of the project. Provides a
# folder $trial that is removed at the end, and check, exits, timed, await, untouched, skip, skip_all,
# need and tell_counts, which ends a test. The output of a checked command is kept in $trial/out until the next check.
passed=0
failed=0
skipped=0
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
trap 'exit 143' HUP INT TERM

# check TEXT COMMAND...: the command succeeds.
check() {
    text=$1
    shift
    if "$@" >"$trial/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $text, output:"
        tail -n 12 "$trial/out"
    fi
}

# exits STATUS PATTERN COMMAND...: the command ends with STATUS and prints PATTERN. Its output is kept in
# $trial/said, and its stderr in $trial/err.
exits() {
    want=$1 pattern=$2
    shift 2
    "$@" >"$trial/said" 2>"$trial/err" </dev/null
    got=$?
    [ "$got" = "$want" ] && grep -q -e "$pattern" "$trial/said" "$trial/err" || {
        echo "status $got"
        head -n 5 "$trial/said" "$trial/err"
        return 1
    }
}

# True in make test TIMING=1, on a quiet machine: only there are limits of real time checked.
timed() { [ "${KOMADORI_TEST_TIMING:-}" = 1 ]; }

# await COMMAND...: waits until the command succeeds; gives up after five minutes, which only a hanging program
# takes.
await() {
    awaited=0
    until "$@" >/dev/null 2>&1; do
        awaited=$((awaited + 1))
        [ $awaited -le 6000 ] || return 1
        sleep 0.05
    done
}

# has_lines FILE COUNT: the file has that many or more.
has_lines() { [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; }

# untouched FILE [KEPT]: it is equal to KEPT, or to $trial/kept, and no temporary file is left next to it.
untouched() {
    cmp "${2:-$trial/kept}" "$1" && [ "$(echo "$1"*)" = "$1" ] &&
        [ -z "$(find "$trial" -name '*.part-*')" ]
}

# skip WHAT REASON
skip() {
    skipped=$((skipped + 1))
    echo "skip  $1: $2"
}

# skip_all WHAT REASON: ends the test, because nothing can be checked here.
skip_all() {
    skip "$@"
    tell_counts
    exit 0
}

# need PROGRAM: ends the test where there is no such program.
need() { command -v "$1" >/dev/null 2>&1 || skip_all "$0" "there is no $1"; }

# Prints the counts; fails if a check has failed.
tell_counts() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
