#!/bin/sh
# `make pgo` in a copy of the sources: the program that is compiled for what was recorded searches as
# the one under test does. Both compilations take minutes: only in `make test-full`.
set -u
. tests/checks.sh
: "${CC:=cc}"
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}

[ "${KOMADORI_TEST_FULL:-}" = 1 ] || skip_all pgo "it takes minutes; make test-full does it"
[ "${KOMADORI_MODE:-release}" = release ] || skip_all pgo "it is of mode release only"
case $($CC --version) in *clang*) skip_all pgo "the profiles of clang are others" ;; esac

# The variables of the make that runs this test are not for the copy.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS ARCH CROSS PGO BUILD MODE
copy=$trial/copy
mkdir "$copy"
cp -R Makefile src include bench eval tests "$copy"

bench_of() { "$1" bench 2>/dev/null </dev/null | sed -n 's/^Bench: //p'; }
is_equal() { [ -n "$1" ] && [ "$1" = "$2" ]; }

check "make pgo" make -C "$copy" pgo CC="$CC"
check "it has recorded something" test -n "$(find "$copy/build" -name 'node.gcda')"
check "it leaves no program that records" sh -c '! grep -q __gcov_ "$1"' sh "$copy/komadori"
want=$(bench_of "$build/komadori")
got=$(bench_of "$copy/komadori")
check "the same bench: '$got', not '$want'" is_equal "$got" "$want"
check "another program" sh -c '! cmp "$1" "$2"' sh "$copy/komadori" "$build/komadori"

tell_counts
