#!/bin/sh
# komadori-kifu and `komadori analyze` from outside: files in, files out, exit status.
set -u
kifu=$KOMADORI_BUILD/komadori-kifu
data=tests/data/kifu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# expect TEXT COMMAND...: the command succeeds.
expect() {
    text=$1
    shift
    if "$@" >"$work/out" 2>"$work/err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $text"
        head -n 5 "$work/err"
    fi
}

refuse() {
    text=$1
    shift
    expect "$text" sh -c '! "$@"' sh "$@"
}

said() {
    expect "$1" grep -q -e "$2" "$work/$3.kept"
}

keep() {
    cp "$work/$1" "$work/$1.kept"
}

# ---- convert -----------------------------------------------------------------------------------

expect "twelve games into one CSA file" "$kifu" convert $data/*.kif --to csa -o "$work/all.csa"
expect "with lines between them" [ "$(grep -c '^/$' "$work/all.csa")" = 11 ]
expect "the folder" mkdir "$work/games"
expect "and out again, a file each" "$kifu" convert "$work/all.csa" --to kif -o "$work/games"
expect "twelve files" [ "$(ls "$work/games" | wc -l)" -eq 12 ]
refuse "no two games into one KIF file" "$kifu" convert "$work/all.csa" --to kif -o "$work/x.kif"
refuse "nothing is left of it" [ -e "$work/x.kif.part" ]
expect "USI through a pipe" sh -c '"$1" convert "$2" --to usi | "$1" convert - --to usi >"$3"' sh \
    "$kifu" $data/g001.ki2 "$work/g001.usi"
expect "equal to the other program's" cmp "$work/g001.usi" $data/g001.usi
expect "Shift_JIS by default" "$kifu" convert $data/g001.kifu -o "$work/a.kif" --crlf
expect "UTF-8 for .kifu" "$kifu" convert "$work/a.kif" -o "$work/a.kifu"
expect "all that was in it" grep -q "表・ソ能十テスト戦" "$work/a.kifu"
refuse "a broken game" "$kifu" convert $data/bad/nifu.kif --to usi
keep err
said "its reason" "nifu.kif:15: move 13: two pawns on the file (nifu)" err
refuse "a file that is not there" "$kifu" convert "$work/none.kif" --to usi
refuse "an unknown format" "$kifu" convert $data/g001.kif --to exe

# ---- show, check, diagram, stats ---------------------------------------------------------------

expect "a board" "$kifu" show $data/g001.kif --at 5
keep out
said "in kanji" "^|v香v桂v銀v金v玉v金v銀v桂v香|一$" out
said "with the move" "5/125  ▲７六歩" out
expect "a board in letters" "$kifu" show $data/g001.kif --at 5 --letters
keep out
said "of SFEN" "^| l  n  s  g  k  g  s  n  l |a$" out
printf 'n\nv\nl\nq\n' >"$work/keys"
expect "stepping" sh -c '"$1" show "$2" --at 3 --step <"$3"' sh "$kifu" $data/g001.kif "$work/keys"
keep out
said "to a variation" "▲７六歩\|△３二銀" out
expect "check of a good game" "$kifu" check $data/g001.kif
refuse "check of a false declaration" "$kifu" check $data/g026.kif
refuse "check of an illegal move" "$kifu" check $data/bad/uchifuzume.kif
keep err
said "pawn-drop mate" "mate by dropping a pawn" err
round="2h3h 8b7b 3h2h 7b8b"
echo "position startpos moves $round $round $round" >"$work/three.usi"
echo "position startpos moves $round $round $round 2h3h" >"$work/more.usi"
expect "check of a repetition" "$kifu" check "$work/three.usi"
keep out
said "it is told once" "^[^:]*: move 12: fourth occurrence of the position: sennichite$" out
refuse "check of moves behind it" "$kifu" check "$work/more.usi"
expect "a picture" "$kifu" diagram $data/g001.kif --at 40 --arrow 7g7f --svg "$work/d.svg"
expect "which ends" grep -q "^</svg>" "$work/d.svg"
refuse "an arrow that is none" "$kifu" diagram $data/g001.kif --arrow 7x
expect "counts" "$kifu" stats $data/*.csa
keep out
said "of all games" "^12 games, 1[0-9]* moves" out
: >"$work/empty.kif"
refuse "an empty file" "$kifu" convert "$work/empty.kif" --to csa
keep err
said "no game" "no game there" err
printf 'a\0b' >"$work/binary.kif"
refuse "a file that is no text" "$kifu" convert "$work/binary.kif" --to csa
keep err
said "why" "not a text" err
expect "help" "$kifu" --help
refuse "an unknown command" "$kifu" dance

# ---- analyze -----------------------------------------------------------------------------------

analyze() {
    "$KOMADORI_BUILD/komadori" analyze --depth 1 -o "$work/an.kif" --graph "$work/an.svg" "$1"
}
expect "a short game" sh -c 'head -n 20 "$1" >"$2"' sh $data/g001.kifu "$work/short.kifu"
expect "its analysis" analyze "$work/short.kifu"
expect "readable" "$kifu" convert "$work/an.kif" -o "$work/an.kifu"
expect "with scores" grep -q "^\*評価値=" "$work/an.kifu"
expect "with a graph" grep -q "^</svg>" "$work/an.svg"
refuse "without a journal" [ -e "$work/an.kif.journal" ]
refuse "no game" analyze "$work/none.kif"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
