#!/bin/sh
# The build rejects machines that Komadori does not support, with the reason in one line.
set -u
. tests/checks.sh
: "${CC:=cc}"

# refuses PATTERN COMMAND...: the command fails and prints PATTERN.
refuses() {
    pattern=$1
    shift
    if "$@" >"$trial/said" 2>&1; then
        echo "it succeeds"
        return 1
    fi
    cat "$trial/said"
    grep -q -e "$pattern" "$trial/said"
}

compile="$CC -w -E -Wfatal-errors -x c src/base/base.h"
# shellcheck disable=SC2086
{
    check "this machine" $compile
    check "big-endian" refuses "error.*little-endian" $compile -U__BYTE_ORDER__ -D__BYTE_ORDER__=4321
    check "32-bit by its pointers" refuses "error.*64-bit" \
        $compile -U__SIZEOF_POINTER__ -D__SIZEOF_POINTER__=4
    check "another compiler" refuses "error.*gcc or clang" $compile -U__GNUC__
}

# As a user sees it; -m32 exists only on x86. The libc's headers for it need not be installed.
if echo 'int number;' | $CC -m32 -E -x c - >/dev/null 2>&1; then
    check "make for 32 bits" refuses "error.*64-bit" make ARCH= BUILD="$trial/build" CFLAGS=-m32 units
else
    skip "make for 32 bits" "$CC knows no -m32"
fi

# Where things are built.
check "a build folder with a space" refuses "cannot build with spaces in the names BUILD=$trial/a b " make BUILD="$trial/a b" units
check "no links to a build folder elsewhere" test "$(make -n BUILD="$trial/build" links | grep -c 'ln -sf')" = 0

tell_counts
