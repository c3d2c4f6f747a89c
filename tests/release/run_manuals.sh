#!/bin/sh
# The man pages and docs/ contain what the programs print about themselves, and no other options and defaults.
# Needs: all
set -u
. tests/checks.sh
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}

# stands WHAT PAGE FILE: each word of $trial/words is in FILE, the text of PAGE.
stands() {
    found=0
    while read -r word; do
        found=$((found + 1))
        check "$1 '$word' stands in $2" grep -q -e "\\(^\\|[^a-zA-Z_-]\\)$word\\([^a-zA-Z_-]\\|\$\\)" "$3"
    done <<END
$(sort -u "$trial/words")
END
    check "$1: there are any" test "$found" -gt 3
}

for name in komadori komadori-csa komadori-kifu komadori-match komadori-train; do
    page=docs/man/$name.1
    BUILD=$build sh tests/release/manual.sh $name >"$trial/$name.1"
    check "$page is up to date (make manuals)" cmp "$page" "$trial/$name.1"
    # The text without troff's markup.
    sed -e 's/\\f[BRI]//g' -e 's/\\-/-/g' -e 's/"//g' $page >"$trial/$name"
    "$build/$name" --help >"$trial/help" 2>&1 </dev/null
    case $name in
    komadori)
        # The options are in the help of each command.
        for command in $(sed -n 's/^  \([a-z]*\).*/\1/p' "$trial/help"); do
            "$build/$name" help "$command" </dev/null
        done >"$trial/more"
        sed -n 's/^  \(--*[a-z-]*\).*/\1/p' "$trial/more"
        cat "$trial/more" >>"$trial/help"
        ;;
    komadori-kifu)
        for command in $(sed -n 's/^  \([a-z]*\) .*/\1/p' "$trial/help"); do
            "$build/$name" "$command" --help </dev/null
        done >"$trial/more"
        sed -n 's/^  \(--*[a-z-]*\).*/\1/p' "$trial/more"
        cat "$trial/more" >>"$trial/help"
        ;;
    komadori-csa | komadori-match) sed -n 's/^  \(-[^ ]*\).*/\1/p' "$trial/help" ;;
    *) grep -o -e '--[a-z-]*[a-z]' "$trial/help" ;;
    esac >"$trial/words"
    case $name in
    komadori | komadori-kifu) sed -n 's/^  \([a-z]*\) .*/\1/p' "$trial/help" >>"$trial/words" ;;
    komadori-csa | komadori-match) sed -n 's/^  \([a-z][a-zN.A-Z]*\)  *[a-z].*/\1/p' "$trial/help" >>"$trial/words" ;;
    esac
    stands "$name" "$page" "$trial/$name"
    # Every word in bold that begins like an option is one, except those that describe others. A list that
    # the program has written needs no check.
    grep -q '^\.\\" The list of' $page || sed 's/\\-/-/g' $page | awk '{
        count = split($0, parts, /\\f/)
        for (i = 2; i <= count; i++) {
            words = substr(parts[i], 1, 1) == "B" ? split(substr(parts[i], 2), word, /[ ,]+/) : 0
            for (j = 1; j <= words; j++) {
                if (word[j] ~ /^-+[a-z]/ && word[j] !~ /^-+(h|help|version)$/) print word[j]
            }
        }
    }' >"$trial/words"
    grep -q '^\.\\" The list of' $page || stands "$page has" "$name --help" "$trial/help"
    if command -v man >/dev/null 2>&1 && man --version 2>/dev/null | grep -q '^man 2'; then
        man --warnings -E UTF-8 -l -Tutf8 -Z $page >/dev/null 2>"$trial/warnings"
        check "$page is laid out without a warning" test ! -s "$trial/warnings"
    else
        skip "the layout of $page" "there is no man-db"
    fi
done

printf 'usi\nquit\n' | "$build/komadori" >"$trial/usi"
sed -n 's/^option name \([^ ]*\) .*/\1/p' "$trial/usi" >"$trial/words"
sort "$trial/words" >"$trial/sorted"
sed -n '/^## Options/,/^## When/p' docs/gui.md | grep -o '\*\*[A-Za-z0-9_]*\*\*' | tr -d '*' | sort >"$trial/bold"
check "docs/gui.md explains every option, once" diff "$trial/sorted" "$trial/bold"
for word in $(grep -h -o '`[A-Z][A-Za-z0-9_]*`' docs/gui.md docs/gui.ja.md | tr -d '`' | sort -u); do
    [ "$word" = SHA256SUMS ] || check "$word in the GUI guides is an option or a choice" grep -q -w "$word" "$trial/usi"
done
ln -s "$build" "$trial/a folder"
BUILD="$trial/a folder" sh tests/release/manual.sh usi.md >"$trial/usi.md"
check "docs/usi.md is up to date (make manuals)" diff docs/usi.md "$trial/usi.md"
sed -n '/^| option | default | values |/,/^$/ s/^| `\([^`]*\)` .*/\1/p' docs/usi.md >"$trial/table"
check "its table has every option in the order of usi" diff "$trial/words" "$trial/table"
"$build/komadori" options | sed -n 's/^  \([A-Z][A-Za-z_0-9]*\)=.*/\1/p' >"$trial/listed"
check "and so has komadori options" diff "$trial/words" "$trial/listed"

tell_counts
