#!/bin/sh
# Checks what a program can check of the style: length and parameters of functions, functions that
# are not used, who prints or exits, who uses extensions of the compiler or asks for the platform, #if
# inside functions, marks of open work, phrases that are not English, and the layout where clang-format 14 is
# at hand.
# usage: tests/style.sh. The last line is "N passed, N failed".
#
# Exceptions to length and parameters are the names in backquotes in the last section of
# docs/architecture.md. Each rule is first tried on a line that breaks it.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
awk=${AWK:-awk}

exceptions=" $(sed -n '/^## Exceptions/,$ s/^- `\([a-z0-9_]*\)`.*/\1/p' docs/architecture.md | tr '\n' ' ')"
files=$(find src include tests -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)

# find_faults FILE...
find_faults() {
    LC_ALL=C $awk -v exceptions="$exceptions" -f tests/style.awk "$@"
}

# try RULE LINE...: a file of these lines breaks RULE ("" for none) and no other.
try() {
    rule=$1
    shift
    printf '%s\n' "$@" >"$trial/src/rules/trial.c"
    found=$(cd "$trial" && find_faults src/rules/trial.c | sed 's/: .*//' | sort -u | tr '\n' ' ')
    check "self-test: ${rule:-good} ($found)" test "$found" = "${rule:+$rule }"
}

self_test() {
    mkdir -p "$trial/src/rules" "$trial/tests"
    cp tests/style.awk "$trial/tests/"
    long=$(seq 60 2>/dev/null | sed 's/.*/    step();/')
    try "" 'static int f(int a, int b,' '             int c) {' '    my_printf("atoi(");' '}' \
        '/* printf( and atoi( */' 'static const Row rows[] = {' "$long" '};'
    try length 'int f(void) {' "$long" '}'
    try parameters 'int f(int a, int b, int c, int d, int e, int f,' '      int g) {' '}'
    try banned 'int f(char *a) {' '    return atoi(a);' '}'
    try numbers 'int f(char *a) {' '    return strtol(a, 0, 10);' '}'
    try outer-world 'int f(void) {' '    printf("");' '}'
    try open-work "/* TO""DO */"
    try extensions 'int f(int a) {' '    return __builtin_ctz(a);' '}'
    try platform '#if defined(__linux__)' '#endif'
    try conditional 'int f(void) {' '#ifdef KMD_DEBUG' '#endif' '}'
}

# Phrases that read like a translation: "that many", "after a space", "can be allocated" are English.
find_phrases() {
    grep -nE '[Ss]o (many|much) (times|moves|plies|nodes|steps|lines|games|positions|digits|that)|(by|at least|in|over|first|most|these) so (many|much)|behind a blank|to be had' "$@"
}

check_phrases() {
    echo '/* Plays so many moves. */' >"$trial/phrase"
    check "self-test: phrases" test -n "$(find_phrases "$trial/phrase")"
    echo '/* Plays that many moves. */' >"$trial/phrase"
    check "self-test: plain English" test -z "$(find_phrases "$trial/phrase")"
    # shellcheck disable=SC2046
    found=$(find_phrases $(find src include docs eval bench README.md -name '*.[ch]' -o -name '*.def' -o -name '*.md' -o -name '*.1'))
    [ -z "$found" ] || printf 'phrase: %s\n' "$found"
    check "style: phrases" test -z "$found"
}

check_layout() {
    if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
        skip "style: layout" "there is no clang-format 14"
        return
    fi
    # shellcheck disable=SC2086
    wrong=$(clang-format --dry-run $files 2>&1 | sed -n 's/^\([^ :]*\):.*clang-format-violations.*/\1/p' | sort -u)
    [ -z "$wrong" ] || printf 'layout: %s is not laid out by clang-format 14\n' $wrong
    check "style: layout" test -z "$wrong"
}

self_test
# shellcheck disable=SC2086
faults=$(find_faults $files)
for rule in length parameters banned numbers outer-world open-work extensions platform conditional; do
    found=$(printf '%s\n' "$faults" | grep "^$rule: ")
    [ -z "$found" ] || printf '%s\n' "$found"
    check "style: $rule" test -z "$found"
done
check_phrases
check_layout
tell_counts
