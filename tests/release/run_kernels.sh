#!/bin/sh
# The search visits exactly the same nodes with every kernel that runs here, and in every program for another
# processor, compiler or system that has been built (`make variants`).
# Needs: komadori
set -u
. tests/checks.sh
native=${KOMADORI_BUILD:-build/release-native}/komadori
mode=${KOMADORI_MODE:-release}
depth=5
[ "${KOMADORI_TEST_FULL:-}" != 1 ] || depth=10
[ "$mode" = release ] || depth=3

count() { "$@" 2>/dev/null </dev/null | tr -d '\r' | sed -n 's/^Bench: //p'; }

is_wanted() { [ -n "$got" ] && [ "$got" = "$want" ]; }

# same TEXT COMMAND...: the command counts the same nodes as the program under test.
same() {
    text=$1
    shift
    got=$(count "$@")
    check "$text: '$got' nodes, not '$want'" is_wanted
}

kernels() { "$@" --version | tr -d '\r' | sed -n 's/^kernels .* of: //p'; }

want=$(count "$native" bench $depth)
names=$(kernels "$native")
begins_with_scalar() { case $names in scalar*) ;; *) echo "$names" && false ;; esac; }
check "the names of the kernels" begins_with_scalar
for name in $names; do
    same "kernels $name" "$native" bench $depth --kernels "$name"
done
check "kernels that do not exist are refused" sh -c '! "$@"' sh \
    "$native" bench $depth --kernels abacus

# variant TEXT BUILD NEEDS LAUNCHER...: a program built for something else, with all its kernels.
# NEEDS is a kernel that this processor must have to run it.
variant() {
    text=$1 program=build/$2 needs=$3
    shift 3
    [ -x "$program" ] || { skip "$text" "make variants has not built it"; return; }
    [ -z "$(find src include eval bench/positions.sfen -type f -newer "$program")" ] ||
        { skip "$text" "it is older than the sources"; return; }
    if [ $# -gt 0 ] && ! command -v "$1" >/dev/null 2>&1; then
        skip "$text" "there is no $1"
        return
    fi
    case " $names " in *" $needs "*) ;; *) skip "$text" "this processor has no $needs"; return ;; esac
    found=$(kernels "$@" "$program")
    [ -n "$found" ] || { check "$text: it runs" false; return; }
    for name in $found; do
        same "$text, kernels $name" "$@" "$program" bench $depth --kernels "$name"
    done
    # The features of the processor are used, even if a program was compiled for fewer.
    [ $# -gt 0 ] || [ "$found" = "$names" ] ||
        check "$text: kernels $found, but $names are there" false
}

WINEPREFIX=${KOMADORI_WINEPREFIX:-$(pwd)/build/wine}
WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
mkdir -p "$WINEPREFIX"
if [ "$mode" = release ]; then
    variant x86-64-v2 release-x86-64-v2/komadori scalar
    variant x86-64-v3 release-x86-64-v3/komadori avx2
    variant x86-64-v4 release-x86-64-v4/komadori avx512
    variant clang release-native-clang/komadori scalar
    variant aarch64 release-aarch64-linux-gnu/komadori scalar qemu-aarch64
    variant Windows release-x86_64-w64-mingw32-x86-64-v2/komadori.exe scalar wine
fi

tell_counts
