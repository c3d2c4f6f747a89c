#!/bin/sh
# Checks the style as far as a program can: includes between folders, cycles, unique file names, banned functions,
# tests for the platform (style.awk), and, if clang-format 14 is installed, the layout. usage: tests/style.sh
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
awk=${AWK:-awk}
files=$(find src include tests -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort)

# none RULE FAULTS: there are no faults; otherwise prints them.
none() {
    [ -z "$2" ] || printf '%s\n' "$2"
    check "style: $1" test -z "$2"
}

# shellcheck disable=SC2086
faults=$(LC_ALL=C $awk -f tests/style.awk docs/architecture.md $files)
for rule in includes cycles names functions platform; do
    none $rule "$(printf '%s\n' "$faults" | grep "^$rule: ")"
done

# A test names the programs that it runs, so that `make test ONLY=` builds them, and other programs that it needs.
find_needs() {
    for file in tests/*/run_*.sh; do
        needs=" $(sed -n 's/^# Needs: *//p' "$file" | tr '\n' ' ') "
        for program in $(grep -o 'KOMADORI_BUILD/komadori[a-z-]*' "$file" | cut -d / -f 2 | sort -u); do
            case $needs in
            *" $program "* | *" all "*) ;;
            *) echo "needs: $file runs $program and does not name it" ;;
            esac
        done
        ! grep -q '^ *mkfifo ' "$file" || grep -q 'need mkfifo\|command -v mkfifo\|need wine' "$file" ||
            echo "needs: $file uses mkfifo and does not need it"
    done
}
none needs "$(find_needs)"

if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    # shellcheck disable=SC2046
    none layout "$(clang-format --dry-run $(find src include tests -name '*.[ch]') 2>&1 |
        sed -n 's/^\([^ :]*\):.*clang-format-violations.*/layout: \1/p' | sort -u)"
else
    skip "style: layout" "there is no clang-format 14"
fi
tell_counts
