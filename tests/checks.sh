# checks.sh: the frame of a test in shell; read by `. tests/checks.sh` from the top of the project.
# Gives a folder $trial that is removed at the end, check, skip, skip_all and tell_counts, with which
# a test ends. What a checked command prints is kept in $trial/out until the next check.
passed=0
failed=0
skipped=0
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT

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

# skip WHAT REASON
skip() {
    skipped=$((skipped + 1))
    echo "skip  $1: $2"
}

# skip_all WHAT REASON: ends the test, which has nothing to check here.
skip_all() {
    skip "$@"
    tell_counts
    exit 0
}

# Prints the counts; fails when a check has failed.
tell_counts() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
