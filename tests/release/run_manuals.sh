#!/bin/sh
# What the programs say of themselves stands in the man pages and in docs/, and bash completes it.
set -u
. tests/checks.sh
build=${KOMADORI_BUILD:-$(pwd)/build/release-native}

# stands WHAT PAGE FILE: each of the words in $trial/words stands in FILE, the text of PAGE.
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

for name in komadori komadori-kifu komadori-match komadori-train; do
    page=docs/man/$name.1
    # The text behind the marks of troff.
    sed -e 's/\\f[BRI]//g' -e 's/\\-/-/g' -e 's/"//g' $page >"$trial/$name"
    "$build/$name" --help >"$trial/help" 2>&1 </dev/null
    case $name in
    komadori-match) sed -n 's/^  \(-[^ ]*\).*/\1/p' "$trial/help" ;;
    *) grep -o -e '--[a-z-]*[a-z]' "$trial/help" ;;
    esac >"$trial/words"
    case $name in
    komadori | komadori-kifu) sed -n 's/^  \([a-z]*\) .*/\1/p' "$trial/help" >>"$trial/words" ;;
    komadori-match) sed -n 's/^  \([a-z][a-zN.A-Z]*\)  *[a-z].*/\1/p' "$trial/help" >>"$trial/words" ;;
    esac
    stands "$name" "$page" "$trial/$name"
    if command -v man >/dev/null 2>&1 && man --version 2>/dev/null | grep -q '^man 2'; then
        man --warnings -E UTF-8 -l -Tutf8 -Z $page >/dev/null 2>"$trial/warnings"
        check "$page is laid out without a warning" test ! -s "$trial/warnings"
    else
        skip "the layout of $page" "there is no man-db"
    fi
done

printf 'usi\nquit\n' | "$build/komadori" >"$trial/usi"
sed -n 's/^option name \([^ ]*\) .*/\1/p' "$trial/usi" >"$trial/words"
stands option docs/gui.md docs/gui.md
stands option docs/usi.md docs/usi.md

# completes WANTED WORD...: behind the words, of which the last is begun, WANTED is offered.
completes() {
    wanted=$1
    shift
    check "completion of '$*'" env PATH="$build:$PATH" bash -c '
        . docs/completion/komadori.bash
        wanted=$1
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _komadori
        for word in "${COMPREPLY[@]}"; do [[ $word != "$wanted" ]] || exit 0; done
        echo "offered: ${COMPREPLY[*]}"
        exit 1' bash "$wanted" "$@"
}
if command -v bash >/dev/null 2>&1; then
    completes perft komadori p
    completes --divide komadori perft 3 --d
    completes --graph komadori analyze --g
    completes convert komadori-kifu c
    completes --encoding komadori-kifu convert --
    completes -engine komadori-match -e
    completes cmd= komadori-match -engine c
    completes --held-out komadori-train --h
else
    skip "completion" "there is no bash"
fi

tell_counts
