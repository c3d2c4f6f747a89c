#!/bin/sh
# The program for aarch64 under qemu's user emulation: its NEON kernels and all else give the same
# bench. `make CROSS=aarch64-linux-gnu- STATIC=1` builds it; what is missing is a reason to skip.
set -u
built=build/release-aarch64-linux-gnu/komadori
native=${KOMADORI_BUILD:-build/release-native}/komadori

skip() {
    echo "skip  aarch64: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

command -v qemu-aarch64 >/dev/null 2>&1 || skip "there is no qemu-aarch64"
[ -x $built ] || skip "make CROSS=aarch64-linux-gnu- STATIC=1 has not been run"
[ -z "$(find src include eval -type f -newer $built)" ] || skip "$built is older than the sources"

want=$("$native" bench 4 | tail -n 1)
got=$(qemu-aarch64 $built bench 4 | tail -n 1)
if [ -n "$want" ] && [ "$got" = "$want" ]; then
    echo "1 passed, 0 failed"
else
    echo "FAIL  bench under qemu: '$got', not '$want'"
    echo "0 passed, 1 failed"
    exit 1
fi
