#!/bin/sh
# Prints docs/man/NAME.1 with its list of options as the program prints it now; a page without the marks of
# such a list stays as it is. usage: BUILD=build/release-native sh tests/release/manual.sh NAME
set -u
page=docs/man/$1.1
grep -q '^\.\\" The list of' "$page" || exec cat "$page"
sed -n '1,/^\.\\" The list of/p' "$page"
"${BUILD:-build/release-native}/$1" --man
sed -n '/^\.\\" End of the list/,$p' "$page"
