#!/bin/sh
# Prints a page with the list of options as the programs print it now: docs/man/NAME.1, or the table of
# docs/usi.md. A page without the marks of such a list is printed unchanged. usage: BUILD=build/release-native
# sh tests/release/manual.sh NAME|usi.md
set -u
build=${BUILD:-build/release-native}
if [ "$1" = usi.md ]; then
    awk -v table="'$build/komadori' options --markdown" '
        is_table && /^[|]/ { next }
        { is_table = 0 }
        /^[|] option [|] default [|]/ && !is_done { is_table = is_done = 1; system(table); next }
        { print }' docs/usi.md
    exit
fi
page=docs/man/$1.1
grep -q '^\.\\" The list of' "$page" || exec cat "$page"
sed -n '1,/^\.\\" The list of/p' "$page"
"$build/$1" --man
sed -n '/^\.\\" End of the list/,$p' "$page"
