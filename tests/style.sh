#!/bin/sh
# Checks the style as far as a program can: parameters of functions, unused functions, printing and
# exiting, compiler extensions, platform tests, #if inside functions, marks of open work, tables of the
# documentation, the functions of its call paths, and, if clang-format 14 is installed,
# the layout. usage: tests/style.sh.
# The last line is "N passed, N failed".
#
# Functions listed in the last section of docs/architecture.md may have more parameters. Each rule
# is first tried on a line that breaks it.
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
    try "" 'static int f(int a, int b,' '             int c) {' '    my_printf("atoi(");' '}' \
        '/* printf( and atoi( */'
    try parameters 'int f(int a, int b, int c, int d, int e, int f,' '      int g) {' '}'
    try banned 'int f(char *a) {' '    return atoi(a);' '}'
    try numbers 'int f(char *a) {' '    return strtol(a, 0, 10);' '}'
    try outer-world 'int f(void) {' '    printf("");' '}'
    try open-work "/* TO""DO */"
    try extensions 'int f(int a) {' '    return __builtin_ctz(a);' '}'
    try platform '#if defined(__linux__)' '#endif'
    try conditional 'int f(void) {' '#ifdef KMD_DEBUG' '#endif' '}'
}

# find_uneven FILE...: rows of tables that do not have as many cells as the first row. A | in code is no border.
find_uneven() {
    $awk '{ row = $0; gsub(/`[^`]*`/, "", row); gsub(/\\[|]/, "", row); cells = gsub(/[|]/, "", row) }
        FNR == 1 || !/^[|]/ { wanted = 0 }
        /^[|]/ && wanted == 0 { wanted = cells }
        /^[|]/ && cells != wanted { print FILENAME ":" FNR ": " cells - 1 " cells, not " wanted - 1 }' "$@"
}

check_tables() {
    printf '%s\n' '| a | b |' '|---|---|' '| `x | y` | c \| d |' '' '| one |' '|---|' >"$trial/table"
    check "self-test: even tables" test -z "$(find_uneven "$trial/table")"
    printf '%s\n' '| a | b |' '|---|---|' '| c | d | | e | f |' '| g |' >"$trial/table"
    check "self-test: uneven tables" test "$(find_uneven "$trial/table" | wc -l)" -eq 2
    # shellcheck disable=SC2046
    found=$(find_uneven README.md $(find docs eval bench -name '*.md'))
    [ -z "$found" ] || printf 'table: %s\n' "$found"
    check "style: tables" test -z "$found"
}

# find_lost DOCUMENT FILE...: functions of the call paths in DOCUMENT that no FILE defines, or that the file in
# parentheses does not define.
find_lost() {
    document=$1
    shift
    $awk 'FILENAME != document {
            if (match($0, /^[A-Za-z_][^(;=]*[ *][a-z0-9_]+\(/)) {
                name = substr($0, 1, RLENGTH - 1)
                sub(/.*[ *]/, "", name)
                file = FILENAME
                sub(/.*\//, "", file)
                defined[name] = 1
                defined[name " (" file ")"] = 1
            }
            next
        }
        /^## / { is_path = /^## Call paths/ }
        is_path && /^    / {
            sub(/^ +(worker 0: )?/, "")
            sub(/    .*/, "")
            count = split($0, names, / *[>,;] */)
            for (i = 1; i <= count; i++) {
                if (!(names[i] in defined)) {
                    print FILENAME ":" FNR ": there is no function " names[i]
                }
            }
        }' document="$document" "$@" "$document"
}

check_paths() {
    mkdir -p "$trial/src/rules"
    printf '%s\n' 'static int *find(int a,' '                 int b) {' '}' 'void run(void) {' '    call(1);' '}' \
        >"$trial/src/rules/found.c"
    printf '%s\n' '## Other' '    absent' '## Call paths' 'a > b' '    run > find (found.c), run;  run > find    now' \
        >"$trial/paths"
    check "self-test: functions that exist" test -z "$(find_lost "$trial/paths" "$trial/src/rules/found.c")"
    printf '%s\n' '## Call paths' '    run > absent' '    run > find (other.c)' '    worker 0: call > run' >"$trial/paths"
    check "self-test: functions that do not exist" \
        test "$(find_lost "$trial/paths" "$trial/src/rules/found.c" | wc -l)" -eq 3
    # shellcheck disable=SC2046
    found=$(find_lost docs/architecture.md $(find src -name '*.c'))
    [ -z "$found" ] || printf 'path: %s\n' "$found"
    check "style: call paths" test -z "$found"
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

# A test names the programs that it runs, so that `make test ONLY=` builds them.
check_needs() {
    for file in tests/*/run_*.sh; do
        needs=" $(sed -n 's/^# Needs: *//p' "$file" | tr '\n' ' ') "
        for program in $(grep -o 'KOMADORI_BUILD/komadori[a-z-]*' "$file" | cut -d / -f 2 | sort -u); do
            case $needs in
            *" $program "* | *" all "*) ;;
            *) echo "needs: $file runs $program and does not name it" ;;
            esac
        done
    done
}

self_test
# shellcheck disable=SC2086
faults=$(find_faults $files)
for rule in parameters banned numbers outer-world open-work extensions platform conditional; do
    found=$(printf '%s\n' "$faults" | grep "^$rule: ")
    [ -z "$found" ] || printf '%s\n' "$found"
    check "style: $rule" test -z "$found"
done
found=$(check_needs)
[ -z "$found" ] || printf '%s\n' "$found"
check "style: needs" test -z "$found"
check_tables
check_paths
check_layout
tell_counts
