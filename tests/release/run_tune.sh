#!/bin/sh
# The tuning build: it compiles, searches as the ordinary one does, tells every parameter, and an
# option changes the search.
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori

[ "${KOMADORI_MODE:-release}" = release ] || skip_all tune "built in mode release only"

signature() { "$1" bench 4 | tail -n 1; }

# search_with VALUE: how many nodes the start position takes when LMR_MOVES is set to that.
search_with() {
    "$trial/build/komadori" <"$trial/in" >"$trial/answers" 3>&- 4>&- &
    exec 3>"$trial/in" 4<"$trial/answers"
    printf 'setoption name LMR_MOVES value %s\nposition startpos\ngo depth 9\n' "$1" >&3
    nodes=
    while read -r line <&4; do
        case $line in
        *" nodes "*) nodes=${line#* nodes } ;;
        bestmove*) break ;;
        esac
    done
    exec 3>&- 4<&-
    wait
    echo "${nodes%% *}"
}

mkfifo "$trial/in" "$trial/answers"
check "the tuning build compiles" \
    make MODE=tune CFLAGS=-O1 BUILD="$trial/build" "$trial/build/komadori"
check "it searches as the ordinary build" \
    test "$(signature "$komadori")" = "$(signature "$trial/build/komadori" | grep Bench)"
check "params tells every parameter" \
    test "$("$trial/build/komadori" params | wc -l)" -eq \
    "$(grep -c '^PARAM' src/search/params.def)"
check "an option changes the search" \
    test "$(search_with 2)" -ne "$(search_with 999)"

tell_counts
