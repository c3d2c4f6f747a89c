#!/bin/sh
# The tuning build: it compiles, searches like the ordinary build, lists every parameter, and an option changes
# the search.
# Seconds: 110
# Long: builds the engine a second time
# Needs: komadori
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori

[ "${KOMADORI_MODE:-release}" = release ] || skip_all tune "built in mode release only"

signature() { "$1" bench 4 | grep "^Bench"; }

# search_with NAME VALUE DEPTH: the number of nodes that a search of the start position to this depth takes if the
# parameter NAME is set to VALUE; nothing if the program ends without an answer.
search_with() {
    "$trial/build/komadori" <"$trial/in" >"$trial/answers" 3>&- 4>&- &
    exec 3>"$trial/in" 4<"$trial/answers"
    printf 'setoption name %s value %s\n' USI_OwnBook false Threads 1 "$1" "$2" >&3
    printf 'position startpos\ngo depth %s\n' "$3" >&3
    nodes=
    answer=
    while read -r line <&4; do
        case $line in
        *" nodes "*) nodes=${line#* nodes } ;;
        bestmove*)
            answer=${nodes%% *}
            break
            ;;
        esac
    done
    exec 3>&- 4<&-
    wait
    echo "$answer"
}

# tell LINE...: prints its answers to these lines.
tell() { printf '%s\n' "$@" | "$trial/build/komadori"; }

mkfifo "$trial/in" "$trial/answers"
check "the tuning build compiles" \
    make MODE=tune CFLAGS=-O1 BUILD="$trial/build" "$trial/build/komadori"
check "it searches as the ordinary build" \
    test "$(signature "$komadori")" = "$(signature "$trial/build/komadori")"
check "params tells every parameter" \
    test "$("$trial/build/komadori" params | wc -l)" -eq \
    "$(grep -c '^PARAM' src/search/params.def)"
number='-\{0,1\}[0-9][0-9]*'
check "usi tells every parameter, with its range" \
    test "$(tell usi | grep -v "name FV_SCALE " | grep -c "^option name [A-Z][A-Z_]* type spin default $number min $number max $number\$")" \
    -eq "$(grep -c '^PARAM' src/search/params.def)"
check "an option is set, in any case, and told" \
    test "$(tell "setoption name lmr_base value 500" "getoption LMR_BASE")" = "LMR_BASE = 500"
check "but not out of its range" \
    test "$(tell "setoption name LMR_BASE value 10000")" = \
    "info string error setoption: LMR_BASE needs a whole number from 200 to 2400, not '10000'"
check "an option changes the search" \
    test "$(search_with LMR_BASE 200 9)" -ne "$(search_with LMR_BASE 2400 9)"
# A node whose depth fell to -1 would divide by depth + 1.
check "the greatest ALPHA_LESS leaves each node a depth" test -n "$(search_with ALPHA_LESS 4 17)"

tell_counts
