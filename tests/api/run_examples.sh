#!/bin/sh
# The library as installed: its symbols, a client with its own functions of the same names as internal ones, and
# the examples of docs/examples in C, C++ and Python, which must print the same.
# Needs: komadori library
set -u
. tests/checks.sh
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}
: "${CC:=cc}" "${CXX:=c++}"

[ -e "$build/libkomadori.so" ] || skip_all "the shared library" "there is none on this system"
case ${KOMADORI_MODE:-release} in
release | debug) ;;
*) skip_all "the library" "clients would have to be linked with the sanitizer of mode $KOMADORI_MODE" ;;
esac
ln -s "$build/libkomadori.so" "$trial/libkomadori.so"
ln -s "$build/libkomadori.so" "$trial/libkomadori.so.1"
ln -s "$build/libkomadori.a" "$trial/libkomadori.a"
LD_LIBRARY_PATH=$trial
export LD_LIBRARY_PATH

if command -v nm >/dev/null 2>&1; then
    # exports FILE NM-OPTION...
    exports() { file=$1; shift; nm "$@" --defined-only "$file" | awk 'NF == 3 { print $3 }' >"$trial/names"; }
    only_kmd() { [ "$(wc -l <"$trial/names")" -gt 40 ] && ! grep -v '^kmd_' "$trial/names"; }
    exports "$build/libkomadori.so" -D
    check "the shared library exports kmd_* only" only_kmd
    exports "$build/libkomadori.a" -g
    check "so does the archive" only_kmd
else
    skip "the symbols of the library" "there is no nm"
fi

# A client may define functions with these names and still link the library.
cat >"$trial/client.c" <<'END'
#include <komadori/kifu.h>
#include <stdio.h>
#include <stdlib.h>
void record_free(void *record) { abort(); }
void json_string(void) { abort(); }
void *xmem_alloc(size_t count, size_t size) { abort(); }
int main(void) {
    KmdRecord *record = kmd_record_new();
    KmdPosition *pos = kmd_position_new();
    printf("%d\n", kmd_legal_count(pos));
    kmd_position_free(pos);
    kmd_record_free(record);
    return 0;
}
END
for kind in a so; do
    case $kind in a) libs="-pthread -lm" ;; so) libs= ;; esac
    # shellcheck disable=SC2086
    check "a client with names of ours links with the .$kind" $CC -Iinclude "$trial/client.c" \
        "$trial/libkomadori.$kind" $libs -o "$trial/client-$kind"
    check "and runs" exits 0 "^30$" "$trial/client-$kind"
done

# A client with limited memory frees what it can, and saves its work before the end.
cat >"$trial/short.c" <<'END'
#include <komadori/kifu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *spare;
static bool on_shortage(size_t bytes, void *context) {
    printf("%s\n", spare != NULL ? "freed" : (const char *)context);
    fflush(stdout);
    bool had_spare = spare != NULL;
    free(spare);
    spare = NULL;
    return had_spare && bytes > 0;
}
int main(void) {
    enum { SIZE = 1 << 20 };
    char *comment = malloc(SIZE);
    memset(comment, 'a', SIZE - 1);
    comment[SIZE - 1] = 0;
    spare = malloc(100 * SIZE);
    kmd_on_memory_shortage(on_shortage, "saved");
    KmdRecord *record = kmd_record_new();
    for (int i = 0; i < 1000; i++) {
        kmd_record_set_comment(record, KMD_ROOT, comment);
    }
    return 0;
}
END
check "a client with a handler is built" $CC -Iinclude "$trial/short.c" "$trial/libkomadori.so" -o "$trial/short"
short() { (ulimit -v 400000 && exec "$trial/short"); }
frees_and_saves() { exits 1 "out of memory" short && [ "$(tr '\n' ' ' <"$trial/said")" = "freed saved " ]; }
check "when memory runs out it is asked to free some, then to save" frees_and_saves

position="l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
# same PROGRAM...: it prints 207 moves, the same as the engine lists.
echo "position sfen $position
moves" | "$build/komadori" | tr ' ' '\n' | sort >"$trial/want"
same() { "$@" "$position" | sort | cmp - "$trial/want" && [ "$(wc -l <"$trial/want")" -eq 207 ]; }
check "the example in C" $CC -Iinclude docs/examples/legal_moves.c "$trial/libkomadori.so" -o "$trial/c"
check "lists what the engine does" same "$trial/c"
check "and says what is wrong" exits 1 "column" "$trial/c" "9/9 b - 1"
if command -v $CXX >/dev/null 2>&1; then
    check "the example in C++" $CXX -std=c++11 -Iinclude docs/examples/legal_moves.cpp "$trial/libkomadori.so" \
        -o "$trial/cxx"
    check "lists the same" same "$trial/cxx"
else
    skip "the example in C++" "there is no $CXX"
fi
if command -v python3 >/dev/null 2>&1; then
    check "the example in Python lists the same" same python3 docs/examples/legal_moves.py
    check "and says what is wrong" exits 1 "column" python3 docs/examples/legal_moves.py "9/9 b - 1"
else
    skip "the example in Python" "there is no python3"
fi

tell_counts
