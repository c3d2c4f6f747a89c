#!/bin/sh
# Each source and header includes what it uses. A build for this machine cannot show that, because its
# intrinsics include other headers. So the files are compiled for an older processor, without generating code.
# Long: compiles every file for an older processor
set -u
. tests/checks.sh
: "${CC:=cc}"

[ "${KOMADORI_MODE:-release}" = release ] || skip_all portable "mode release has looked at the same files"
$CC -dumpmachine | grep -q '^x86_64' || skip_all portable "$CC is not for x86-64"

folder=${BUILD:-build/release-native}-syntax
# The variables of the make that runs this test must not affect these.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS ARCH CROSS BUILD MODE

# Prints the errors, if any.
compiles() {
    make -k CC="$CC" WERROR=1 ARCH=x86-64-v2 BUILD="$folder" syntax >"$trial/log" 2>&1 || {
        grep -e error -e '\*\*\*' "$trial/log" | head -n 12
        false
    }
}
check "each file compiles by itself for x86-64-v2" compiles

# A small tree with a file that lacks <stdlib.h>, which its headers for AVX2 would include.
mkdir -p "$trial/tree/src/base" "$trial/tree/src/rules" "$trial/tree/eval"
: >"$trial/tree/eval/komadori.nnue"
cp Makefile "$trial/tree"
cp -R include "$trial/tree"
cp src/base/*.h "$trial/tree/src/base"
cp src/rules/*.h "$trial/tree/src/rules"
forgets() {
    rm -rf "$trial/tree/build" # two versions of the file may have the same time
    printf '%s\n' "$@" 'int forgetful(int number);' 'int forgetful(int number) {' \
        '    return abs(number);' '}' >"$trial/tree/src/base/forgetful.c"
    make -C "$trial/tree" CC="$CC" WERROR=1 ARCH=x86-64-v2 BUILD=build/x \
        build/x/syntax/src/base/forgetful.c 2>&1
}
check "what includes all is taken" forgets '#include "rules/bitboard.h"' '#include <stdlib.h>'
is_found() { ! forgets '#include "rules/bitboard.h"' >"$trial/said" && grep "error.*abs" "$trial/said"; }
check "what forgets a header is found" is_found

tell_counts
