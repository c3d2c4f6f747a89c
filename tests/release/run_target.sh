#!/bin/sh
# The build refuses machines that Komadori is not for, and says why in one line.
set -u
: "${CC:=cc}"
passed=0
failed=0
skipped=0
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT

# refuse TEXT PATTERN COMMAND...: the command must fail and print PATTERN.
refuse() {
    text=$1 pattern=$2
    shift 2
    if ! "$@" >"$trial/out" 2>&1 && grep -q -e "$pattern" "$trial/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $text, output:"
        tail -n 5 "$trial/out"
    fi
}

check="$CC -w -E -x c src/base/target.h"
if $check >"$trial/out" 2>&1; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL  this machine is refused"
fi
refuse "big-endian" "error.*little-endian" $check -U__BYTE_ORDER__ -D__BYTE_ORDER__=4321
refuse "32-bit by its pointers" "error.*64-bit" $check -U__SIZEOF_POINTER__ -D__SIZEOF_POINTER__=4
refuse "another compiler" "error.*gcc or clang" $check -U__GNUC__

# As a user meets it; -m32 exists on x86 only. The libc's headers for it need not be there.
if echo 'int number;' | $CC -m32 -E -x c - >/dev/null 2>&1; then
    refuse "make for 32 bits" "error.*64-bit" make ARCH= BUILD="$trial/build" CFLAGS=-m32 units
else
    skipped=1
    echo "skip  make for 32 bits: $CC knows no -m32"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
