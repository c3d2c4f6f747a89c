#!/bin/sh
# Builds the programs for each processor, system and compiler for which there is a compiler, and compares
# the node count of `komadori bench` with that of the build for this machine. `make variants` calls it.
# What cannot be built or run here is skipped with the reason.
#
# Environment: MAKE is the make to run, WERROR=1 makes warnings errors, KOMADORI_WINEPREFIX is the folder for
# Wine's files.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
: "${MAKE:=make}"
WINEPREFIX=${KOMADORI_WINEPREFIX:-$(pwd)/build/wine}
WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
mkdir -p "$WINEPREFIX"

# builds ARGUMENT...: make succeeds; otherwise prints the lines that say why not.
builds() {
    $MAKE "$@" >"$trial/log" 2>&1 || {
        grep -e 'error' -e '\*\*\*' "$trial/log" | head -n 12
        false
    }
}

count() { "$@" bench 2>/dev/null </dev/null | tr -d '\r' | sed -n 's/^Bench: //p'; }
is_wanted() { [ -n "$got" ] && [ "$got" = "$want" ]; }

# has KERNEL: this processor supports these kernels.
has() { case " $kernels " in *" $1 "*) ;; *) false ;; esac; }

# variant NAME COMPILER FOLDER ARGUMENT...: builds $goals and, unless that is the engine alone, checks that each
# file compiles by itself. Sets $is_built if there are programs to run.
goals=programs
variant() {
    name=$1 folder=build/$3
    is_built=no
    command -v "$2" >/dev/null 2>&1 || { skip "$name" "there is no $2"; return; }
    shift 3
    echo "building for $name"
    set -- MODE=release BUILD="$folder" "$@"
    before=$failed
    if [ "$goals" = engine ]; then
        check "$name: the engine builds" builds "$@" "$folder/komadori"
    else
        check "$name: each source and header compiles by itself" builds -k "$@" syntax
        # shellcheck disable=SC2086
        check "$name: it builds" builds "$@" $goals
    fi
    [ "$failed" -gt "$before" ] || is_built=yes
}

# bench KERNEL LAUNCHER...: the program that was built counts the same nodes as the one for this machine.
bench() {
    [ $is_built = yes ] || return 0
    needs=$1
    shift
    if [ $# -gt 0 ] && ! command -v "$1" >/dev/null 2>&1; then
        skip "$name: bench" "there is no $1"
    elif [ $# -eq 0 ] && ! has "$needs"; then
        skip "$name: bench" "this processor has no $needs"
    else
        program=$folder/komadori
        [ ! -f "$program.exe" ] || program=$program.exe
        got=$(count "$@" "$program")
        check "$name: bench: '$got' nodes, not '$want'" is_wanted
    fi
}

native=build/release-native
check "this machine: it builds" builds MODE=release ARCH=native CROSS= BUILD=$native programs
want=$(count $native/komadori)
kernels=$($native/komadori --version 2>/dev/null | sed -n 's/^kernels .* of: //p')
check "this machine: bench" test -n "$want"

if [ "$(uname -m)" = x86_64 ]; then
    variant x86-64-v2 "${CC:-cc}" release-x86-64-v2 CROSS= ARCH=x86-64-v2
    bench scalar
    goals=engine # what differs between these processors is the engine's alone
    variant x86-64-v3 "${CC:-cc}" release-x86-64-v3 CROSS= ARCH=x86-64-v3
    bench avx2
    variant x86-64-v4 "${CC:-cc}" release-x86-64-v4 CROSS= ARCH=x86-64-v4
    bench avx512
fi
goals=programs
variant clang clang release-native-clang CC=clang CROSS= ARCH=native
bench scalar
goals="programs units api"
variant aarch64 aarch64-linux-gnu-gcc release-aarch64-linux-gnu CROSS=aarch64-linux-gnu- ARCH= STATIC=1
bench scalar qemu-aarch64
variant Windows x86_64-w64-mingw32-gcc release-x86_64-w64-mingw32-x86-64-v2 \
    CROSS=x86_64-w64-mingw32- ARCH=x86-64-v2
bench scalar wine

tell_counts
