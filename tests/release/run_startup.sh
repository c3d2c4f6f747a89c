#!/bin/sh
# A GUI waits for the start: `usi` to `usiok` must take at most 20 ms, `isready` with 256 MB at most 300 ms,
# each the best of several tries; and the program must be a single file of less than 12 MB. `make test` allows
# twice the time, because it runs as many tests at once as there are processors.
# Needs: komadori
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
grace=2
[ "${KOMADORI_TEST_FULL:-}" != 1 ] || grace=1

[ "${KOMADORI_MODE:-release}" = release ] || skip_all start "only mode release is meant to be quick"
timed || skip_all "the time of a start" "times count in make test TIMING=1 only"
case $(date +%N) in *[!0-9]* | "") skip_all start "date tells no nanoseconds" ;; esac
mkfifo "$trial/in" "$trial/answers"

now_us() { echo $(($(date +%s%N) / 1000)); }

# answer_us SCRIPT ANSWER: the time from the start of the program to the line ANSWER.
answer_us() {
    start=$(now_us)
    "$komadori" <"$trial/in" >"$trial/answers" 3>&- 4>&- &
    exec 3>"$trial/in" 4<"$trial/answers"
    printf '%b' "$1" >&3
    while read -r line <&4 && [ "$line" != "$2" ]; do :; done
    end=$(now_us)
    exec 3>&- 4<&-
    wait
    echo $((end - start))
}

# within TEXT MS SCRIPT ANSWER: the best of ten tries takes at most MS.
within() {
    best=
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        took=$(answer_us "$3" "$4")
        if [ -z "$best" ] || [ "$took" -lt "$best" ]; then
            best=$took
        fi
    done
    echo "$1: $best us"
    check "$1 within $(($2 * grace)) ms, not $best us" test "$best" -le $(($2 * 1000 * grace))
}

within "usi to usiok" 20 'usi\n' usiok
within "isready with 256 MB" 300 'setoption name USI_Hash value 256\nisready\n' readyok

size=$(wc -c <"$komadori")
echo "the program: $size bytes"
check "the program is smaller than that" test "$size" -lt 12000000

tell_counts
