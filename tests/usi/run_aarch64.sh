#!/bin/sh
# The programs for aarch64 under qemu's user emulation: with their NEON kernels they count the same nodes and
# give the same answers. `make CROSS=aarch64-linux-gnu- STATIC=1 programs units` builds them; skipped if they
# are missing.
# Seconds: 260
# Long: runs the programs for ARM
# Needs: komadori
set -u
. tests/checks.sh
built=build/release-aarch64-linux-gnu
here=${KOMADORI_BUILD:-$(pwd)/build/release-native}
full=${KOMADORI_TEST_FULL:-}

need qemu-aarch64
[ -x $built/komadori ] || skip_all aarch64 "make CROSS=aarch64-linux-gnu- STATIC=1 has not been run"
[ -z "$(find src include eval -type f -newer $built/komadori)" ] ||
    skip_all aarch64 "$built is older than the sources"

bench=$("$here/komadori" bench 4 | grep '^Bench: [0-9]')
check "there is a bench" test -n "$bench"
check "the same under qemu" exits 0 "^$bench$" qemu-aarch64 $built/komadori bench 4
check "perft" exits 0 "^Nodes searched: 719731$" qemu-aarch64 $built/komadori perft 4

# Slowness under qemu does not count.
KOMADORI_MODE=emulated
export KOMADORI_MODE

# The transcripts of test_transcripts.c and test_replay.c, run by the tests of this machine.
holds() { KOMADORI_BUILD=$(pwd)/$built KOMADORI_RUN=qemu-aarch64 "$here/usi/$1"; }
for talk in test_transcripts test_replay; do
    if [ -x "$here/usi/$talk" ]; then
        check "$talk" exits 0 "^[0-9]* passed, 0 failed" holds $talk
    else
        skip $talk "make tests has not been run"
    fi
done

tests=0
for test in $built/unit/test_*; do
    name=$(basename "$test")
    [ -x "$test" ] && [ -z "$(find src include tests/unit/unit.c "tests/unit/$name.c" -type f -newer "$test")" ] ||
        continue
    # In a quick run without long counts, searches and training; perft and the transcripts represent them.
    case $name in
    *_engine | *_kifu_cases | *_mate1 | *_mate_cases | *_matesolver | *_matestop | *_movegen_reference | *_notation | \
        *_perft | *_perft_cases | *_selfplay | *_sprt | *_trainer)
        [ "$full" = 1 ] || continue ;;
    esac
    tests=$((tests + 1))
    check "$name" exits 0 "^[0-9]* passed, 0 failed" qemu-aarch64 "$test"
done
[ $tests -gt 0 ] || skip "unit tests" "make CROSS=aarch64-linux-gnu- STATIC=1 units has not been run"

tell_counts
