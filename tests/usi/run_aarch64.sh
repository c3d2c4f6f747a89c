#!/bin/sh
# The program for aarch64 under qemu's user emulation: its NEON kernels and all else give the same
# bench. `make CROSS=aarch64-linux-gnu- STATIC=1` builds it; what is missing is a reason to skip.
set -u
. tests/checks.sh
built=build/release-aarch64-linux-gnu/komadori
native=${KOMADORI_BUILD:-build/release-native}/komadori

command -v qemu-aarch64 >/dev/null 2>&1 || skip_all aarch64 "there is no qemu-aarch64"
[ -x $built ] || skip_all aarch64 "make CROSS=aarch64-linux-gnu- STATIC=1 has not been run"
[ -z "$(find src include eval -type f -newer $built)" ] || skip_all aarch64 "$built is older than the sources"

want=$("$native" bench 4 | tail -n 1)
got=$(qemu-aarch64 $built bench 4 | tail -n 1)
is_wanted() { [ -n "$want" ] && [ "$got" = "$want" ]; }
check "bench under qemu: '$got', '$want' here" is_wanted

tell_counts
