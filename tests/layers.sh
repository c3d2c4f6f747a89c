#!/bin/sh
# Checks the layers of src/ against the real #include lines, and exported names against their files and headers. usage: BUILD=build/... tests/layers.sh [TREE]
#
# TREE is a folder with src/ and include/ (default: the project). Each rule is one check; the last line is "N
# passed, N failed". Without TREE, the checker is first tried on trees that break one rule each, because a rule
# that cannot fail is worthless.
# Needs: all
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/checks.sh"
tree=${1:-$(dirname "$here")}
awk=${AWK:-awk}

# Prints "RULE: message" for everything in tree $1 that breaks a rule.
find_faults() {
    (
        cd "$1" || exit 1
        files=$(find src include -name '*.[ch]' -o -name '*.def' 2>/dev/null | LC_ALL=C sort)
        # shellcheck disable=SC2086
        [ -z "$files" ] || LC_ALL=C $awk -f "$here/comments.awk" -f "$here/layers.awk" $files
    )
}

# A header must compile by itself. Prints "self-contained: message".
find_dependent_headers() {
    (
        cd "$1" || exit 1
        find src include -name '*.h' 2>/dev/null | LC_ALL=C sort | while read -r header; do
            ${CC:-cc} -std=c11 -D_GNU_SOURCE -Isrc -Iinclude -fsyntax-only -x c "$header" \
                >/dev/null 2>&1 || echo "self-contained: $header does not compile by itself"
        done
    )
}

# The beginning of exported names: the name of their file or its first word, also in the singular (usi_ in
# usi_text.c, word_ in words.c). In the places listed here, another prefix is allowed as well.
prefixes='
src/api/ kmd_
src/record/ kifu_
src/base/fileio file_
src/base/str sv_ strbuf_ tok_
src/rules/position pos_
src/rules/sfen pos_
src/rules/movegen gen_
src/rules/legality move_is_legal'

# Reads "FILE SYMBOL" lines; prints "symbols: message" for each symbol that is not allowed, and for each row of
# the table that no symbol needs.
judge_symbols() {
    $awk -v table="$prefixes" '
        function begins_with(name, prefix) { return substr(name, 1, length(prefix)) == prefix }
        BEGIN {
            lines = split(table, line, "\n")
            for (i = 1; i <= lines; i++) {
                words = split(line[i], word, " ")
                for (k = 2; k <= words; k++) {
                    place[++count] = word[1]
                    prefix[count] = word[k]
                }
            }
        }
        {
            file = $1
            gsub(/^.*\/|\.c$/, "", file)
            first = file
            sub(/_.*/, "", first)
            one = first
            sub(/s$/, "", one)
            good = $2 == "main" || $2 == file || begins_with($2, file "_") ||
                begins_with($2, first "_") || begins_with($2, one "_")
            for (i = 1; i <= count && !good; i++) {
                if (begins_with($1, place[i]) && begins_with($2, prefix[i])) {
                    good = is_used[i] = 1
                }
            }
            if (!good) {
                print "symbols: " $1 " exports " $2
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                if (NR > 1 && !is_used[i]) {
                    print "symbols: " place[i] " exports nothing with " prefix[i]
                }
            }
        }'
}

# Prints the exported symbols of the objects in $1/obj as "FILE SYMBOL" lines. Those that begin with
# "_" are the compiler's.
list_symbols() {
    find src -name '*.c' | LC_ALL=C sort | while read -r source; do
        object=$1/obj/${source%.c}.o
        [ ! -f "$object" ] || ${NM:-nm} -g --defined-only "$object" |
            $awk -v source="$source" 'NF == 3 && $3 !~ /^_/ { print source, $3 }'
    done
}

# Reads "FILE SYMBOL" lines; prints "doors: message" for each symbol that the header of its own file does not
# declare. A private part of a module, module_part.c, shares the module's header, and module.def is a part of that
# header; the public API is in include/.
judge_doors() {
    $awk '
        # Reads a file into `text`; false if there is none.
        function load(path,    line) {
            text = ""
            if ((getline line <path) < 0) {
                return 0
            }
            do {
                text = text " " line
            } while ((getline line <path) > 0)
            close(path)
            return 1
        }
        function declares(name) { return (" " text " ") ~ ("[^A-Za-z0-9_]" name "[^A-Za-z0-9_]") }
        {
            stem = $1
            sub(/\.c$/, "", stem)
            sub(/^src\/api\//, "include/komadori/", stem)
            while (!(found = load(stem ".h")) && sub(/_[a-z0-9]+$/, "", stem)) {
            }
            header = text
            load(stem ".def")
            text = header " " text
            name = $2
            is_good = name == "main" || found && declares(name)
            if (!is_good && load($1)) {
                sub(/_end$/, "", name)
                is_good = declares("EMBED_FILE[(]" name)
            }
            if (!is_good) {
                print "doors: no header of " $1 " declares " $2
            }
        }'
}

rules="allowed form system exists public module-cycle directory-cycle unique libc guard"
sample=$trial/sample

check_tree() {
    faults=$(find_faults "$1"; find_dependent_headers "$1")
    for rule in $rules self-contained; do
        found=$(printf '%s\n' "$faults" | grep "^$rule: ")
        [ -z "$found" ] || printf '%s\n' "$found"
        check "layers: $rule" test -z "$found"
    done
    [ -n "${BUILD:-}" ] || return 0
    list_symbols "$BUILD" >"$trial/symbols"
    check "layers: there are objects in $BUILD" test -s "$trial/symbols"
    found=$(judge_symbols <"$trial/symbols")
    [ -z "$found" ] || printf '%s\n' "$found"
    check "layers: symbols" test -z "$found"
    found=$(judge_doors <"$trial/symbols")
    [ -z "$found" ] || printf '%s\n' "$found"
    check "layers: doors" test -z "$found"
}

# ---- self-test ---------------------------------------------------------------------------------

# put FILE LINE...: writes a file of the sample tree.
put() {
    file=$sample/$1
    shift
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "$@" >"$file"
}

# header FILE GUARD [LINE...]
header() {
    name=$1
    guard=$2
    shift 2
    put "$name" "#ifndef $guard" "#define $guard" "$@" '#endif'
}

# A small tree without errors.
good_tree() {
    rm -rf "$sample"
    mkdir -p "$sample/include"
    header src/base/str.h KMD_BASE_STR_H '#include <stddef.h>'
    header src/rules/types.h KMD_RULES_TYPES_H '#include "base/str.h"'
    put src/rules/types.c '#include "rules/types.h"' '#include <string.h>'
    header src/play/referee.h KMD_PLAY_REFEREE_H '#include "rules/types.h"'
    header include/komadori/shogi.h KMD_KOMADORI_SHOGI_H '#include <stdint.h>'
    put src/api/api_shogi.c '#include "komadori/shogi.h"' '/* #include "engine/usi.h" */'
}

# expect RULE TEXT: the sample breaks RULE ("" for none) and no other.
expect() {
    found=$(find_faults "$sample" | sed 's/: .*//' | sort -u | tr '\n' ' ')
    check "self-test: $2 (found: ${found:-nothing})" test "$found" = "${1:+$1 }"
}

self_test() {
    good_tree; expect "" "a good tree passes"
    good_tree; put src/rules/up.c '#include "search/tt.h"'; header src/search/tt.h KMD_SEARCH_TT_H
    expect allowed "rules must not include search"
    good_tree; put src/odd/odd.c 'int odd;'
    expect allowed "a directory that the table does not name"
    good_tree; put src/match/convert.c '#include "eval/nnue.h"'
    header src/eval/nnue.h KMD_EVAL_NNUE_H
    expect allowed "match sees no evaluation"
    good_tree; put src/rules/near.c '#include "types.h"'
    expect form "an include written from the file's own directory"
    good_tree; put src/rules/dots.c '#include "rules/../base/str.h"'
    expect form "an include with dots"
    good_tree; put src/rules/angle.c '#include <rules/types.h>'
    expect system "a project header in angle brackets"
    good_tree; put src/rules/lost.c '# include  "rules/lost.h"'
    expect exists "an include of a file that is not there"
    good_tree; put src/base/public.c '#include "komadori/shogi.h"'
    expect public "base must not know the public API"
    good_tree; header include/komadori/kifu.h KMD_KOMADORI_KIFU_H '#include "base/str.h"'
    expect public "a public header must not know src/"
    good_tree; header src/rules/a.h KMD_RULES_A_H '#include "rules/b.h"'
    put src/rules/b.c '#include "rules/a.h"'; header src/rules/b.h KMD_RULES_B_H
    expect module-cycle "two modules that need each other"
    good_tree; put src/base/str.c '#include "rules/types.h"'
    found=$(find_faults "$sample" | grep -c -e '^directory-cycle' -e '^module-cycle')
    check "self-test: a cycle of directories" test "$found" = 2
    good_tree; header src/base/types.h KMD_BASE_TYPES_H
    expect unique "two files of one name"
    good_tree; header src/base/time.h KMD_BASE_TIME_H
    expect libc "a header with a name of libc's"
    good_tree; header src/base/hint.h KMD_HINT_H
    expect guard "a guard of another form"
    good_tree; put src/base/bare.h 'typedef int Bare;'
    expect guard "a header without guard"
    good_tree; header src/base/needy.h KMD_BASE_NEEDY_H 'extern size_t needy;'
    check "self-test: a header that does not compile alone" \
        test -n "$(find_dependent_headers "$sample")"
    for symbol in wordy_kanji kanji_word codec_read; do
        check "self-test: an exported name of another module, $symbol" \
            test -n "$(echo "src/record/words.c $symbol" | judge_symbols)"
    done
    for symbol in words_kanji word_kanji kifu_words; do
        check "self-test: an exported name of its own module, $symbol" \
            test -z "$(echo "src/record/words.c $symbol" | judge_symbols)"
    done
    check "self-test: an exported name of a type of its module" \
        test -z "$(echo "src/base/str.c strbuf_add" | judge_symbols)"
    good_tree; put src/rules/types.h 'int types_one(void), types_ones[3];'; put src/base/bare.c 'int bare;'
    printf '%s\n' 'src/rules/types.c types_one' 'src/rules/types_part.c types_ones' 'src/rules/types.c types_on' \
        'src/base/bare.c bare' >"$trial/symbols"
    found=$(cd "$sample" && judge_doors <"$trial/symbols" | sed 's/.* declares //' | tr '\n' ' ')
    check "self-test: exports that their own header does not declare ($found)" test "$found" = "types_on bare "
}

[ $# -gt 0 ] || self_test
check_tree "$tree"
tell_counts
