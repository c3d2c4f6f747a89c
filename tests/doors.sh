#!/bin/sh
# Doors: every module declares what it exports in the header of its own file, and files do not call
# each other in circles. Prints some figures as well.
# usage: BUILD=build/... tests/doors.sh [--singles]
#
# --singles lists the files with exactly one caller, each with that caller, and checks nothing.
# A private part of a module, module_part.c without a header of its own, may use the module's header.
# Needs the objects of a build and nm. The last line is "N passed, N failed".
# Needs: all
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
awk=${AWK:-awk}
: "${BUILD:=build/release-native}"

# Prints "D FILE SYMBOL" for the functions that the objects in $1/obj define, "C FILE SYMBOL" for their
# data, and "U FILE SYMBOL" for what they use. Names that begin with "_" or "." are the compiler's.
list_symbols() {
    find src -name '*.c' | LC_ALL=C sort | while read -r source; do
        object=$1/obj/${source%.c}.o
        [ ! -f "$object" ] || ${NM:-nm} -g "$object" | $awk -v source="$source" '
            NF >= 2 && $NF !~ /^[._]/ && $(NF - 1) !~ /^[wvWV]$/ {
                kind = $(NF - 1)
                print (kind == "U" ? "U" : kind == "T" ? "D" : "C"), source, $NF
            }'
    done
}

# find_facts SYMBOLS FILE...
find_facts() {
    LC_ALL=C $awk -v room=src/match -f "$tests/comments.awk" -f "$tests/doors.awk" "$@" | LC_ALL=C sort
}

count() { grep -cE "^$1( |$)" "$trial/facts"; }

# ---- self-test ---------------------------------------------------------------------------------

# put FILE LINE...
put() {
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$2" >"$1"
}

# expect TEXT FACT: the sample has this fact or, with "!" before it, does not have it.
expect() {
    found=$(find_facts symbols $(find src -name '*.[ch]'))
    case $2 in
    !*) check "self-test: $1" test -z "$(echo "$found" | grep "^${2#!}")" ;;
    *) check "self-test: $1" test -n "$(echo "$found" | grep "^$2")" ;;
    esac
}

self_test() {
    mkdir "$trial/sample"
    cd "$trial/sample" || exit 1
    put src/rules/a.h 'int a_one(void); /* b_one(void); */'
    put src/rules/a.c '#include "rules/a.h"'
    put src/rules/a_part.c '#include "rules/a.h"'
    put src/rules/b.c '#include "rules/a.h"'
    printf '%s\n' 'D src/rules/a.c a_one' 'D src/rules/a_part.c a_two' 'D src/rules/b.c b_one' \
        'U src/rules/b.c a_one' 'U src/rules/a_part.c a_one' >symbols
    expect "an export that its own header declares" '!door src/rules/a.c'
    expect "a comment declares nothing" 'door src/rules/b.c b_one'
    expect "a file without a header" 'bare src/rules/b.c'
    expect "a part whose module does not declare it" 'door src/rules/a_part.c a_two'
    put src/rules/a.h 'int a_one(void), a_two[3];'
    expect "a part of a module" 'part src/rules/a_part.c'
    expect "a part whose module declares it" '!door src/rules/a_part.c'
    expect "no circle" '!circle'
    echo 'U src/rules/a.c b_one' >>symbols
    expect "a circle of calls" 'circle src/rules/[ab].c src/rules/[ab].c$'
    expect "a file with one caller" 'single src/rules/b.c src/rules/a.c module'
    sed 's/^D \(.*b_one\)/C \1/' symbols >data
    mv data symbols
    expect "an entry of a table" 'single src/rules/b.c src/rules/a.c entry'
    echo 'U src/rules/a.c a_two' >>symbols
    expect "a private part with one caller" 'single src/rules/a_part.c src/rules/a.c part'
    expect "a file with two callers" '!single src/rules/a.c'
    put src/match/low.h 'int low(void);'
    put src/match/high.h '#include "match/low.h"'
    put src/match/high.c '#include "match/high.h"'
    printf '%s\n' 'D src/match/low.c low' 'U src/match/high.c low' >symbols
    expect "two floors" 'floor 2'
    expect "a call downwards" '!upward'
    printf '%s\n' 'D src/match/high.c high' 'U src/match/low.c high' >symbols
    expect "a call upwards" 'upward src/match/low.c src/match/high.c'
    cd - >/dev/null || exit 1
}

# ---- the tree ----------------------------------------------------------------------------------

tests=$(pwd)/tests
self_test
list_symbols "$BUILD" >"$trial/symbols"
check "doors: there are objects in $BUILD" test -s "$trial/symbols"
# shellcheck disable=SC2046
find_facts "$trial/symbols" $(find src include -name '*.[ch]' | LC_ALL=C sort) >"$trial/facts"
if [ "${1:-}" = --singles ]; then
    sed -n 's/^single //p' "$trial/facts"
    exit 0
fi

sources=$(find src -name '*.c' | wc -l)
headers=$(find src -name '*.h' | wc -l)
homeless=$($awk '$1 == "door" && !seen[$2]++ { n++ } END { print n + 0 }' "$trial/facts")
cat <<END
$sources .c and $headers .h files, $(cat $(find src -name '*.[ch]') | wc -l) lines
$homeless files with exports in another module's header
$(count part) private parts of modules
$(count circle) circles of calls
$(count single) files with exactly one caller: $(count 'single .* entry') entries of a table, $(count 'single .* part') private parts, $(count 'single .* module') modules
$(sed -n 's/^floor //p' "$trial/facts") files in the longest chain of calls in src/match, $(count upward) calls upwards
END

found=$(grep '^door ' "$trial/facts")
[ -z "$found" ] || printf '%s\n' "$found"
check "doors: exports are declared in the header of their own file" test -z "$found"
found=$(grep '^circle ' "$trial/facts")
[ -z "$found" ] || printf '%s\n' "$found"
check "doors: no circles of calls" test -z "$found"
found=$(grep '^upward ' "$trial/facts")
[ -z "$found" ] || printf '%s\n' "$found"
check "doors: src/match calls nothing upwards" test -z "$found"
found=$(grep -lE '"match/(settings|tourney)\.h"' src/match/*.[ch] |
    grep -vE '/(settings|tourney|tuner|komadori_match)\.[ch]$')
[ -z "$found" ] || printf '%s\n' "$found"
check "doors: the settings of src/match are for its top alone" test -z "$found"
tell_counts
