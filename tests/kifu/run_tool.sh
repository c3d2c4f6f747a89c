#!/bin/sh
# Tests komadori-kifu and `komadori analyze` as a user runs them: input files, output files, exit status.
# Needs: komadori komadori-kifu
set -u
. tests/checks.sh
kifu=$KOMADORI_BUILD/komadori-kifu
data=tests/data/kifu

# fails COMMAND...: the command fails, but does not crash.
fails() {
    "$@"
    status=$?
    [ $status -eq 1 ] || [ $status -eq 2 ]
}

# prints COMMAND...: the command succeeds; its output is kept for `said`. `prints_error` keeps its error
# instead.
prints() { "$@" >"$trial/said"; }
prints_error() { fails "$@" 2>"$trial/said"; }

# silent COMMAND...: the command succeeds and prints nothing on stderr.
silent() { "$@" 2>"$trial/err" && [ ! -s "$trial/err" ]; }

# said PATTERN
said() { grep -q -e "$1" "$trial/said" || { cat "$trial/said" && false; }; }

# ---- convert -----------------------------------------------------------------------------------

check "four games into one CSA file" "$kifu" convert $data/*.kif --to csa -o "$trial/all.csa"
check "with lines between them" [ "$(grep -c '^/$' "$trial/all.csa")" = 3 ]
check "the folder" mkdir "$trial/games"
check "and out again, a file each" "$kifu" convert "$trial/all.csa" --to kif -o "$trial/games"
check "four files" [ "$(ls "$trial/games" | wc -l)" -eq 4 ]
check "two games with a mark and CR LF" "$kifu" convert $data/g001.kif $data/g016.kif --to csa --bom --crlf \
    -o "$trial/bom.csa"
check "one mark for both" [ "$(LC_ALL=C grep -c "$(printf '\357\273\277')" "$trial/bom.csa")" = 1 ]
check "and one kind of line ends" fails env LC_ALL=C grep -qv "$(printf '\r')\$" "$trial/bom.csa"
check "no two games into one KIF file" fails "$kifu" convert "$trial/all.csa" --to kif -o "$trial/x.kif"
check "nothing is left of it" [ -z "$(ls "$trial" | grep x.kif)" ]
check "USI through a pipe" sh -c '"$1" convert "$2" --to usi | "$1" convert - --to usi >"$3"' sh \
    "$kifu" $data/g001.ki2 "$trial/g001.usi"
check "equal to the other program's" cmp "$trial/g001.usi" $data/g001.usi
check "games of one name" mkdir "$trial/2020" "$trial/2021" "$trial/names"
cp $data/g001.kif "$trial/2020/g1.kif"
cp $data/g016.kif "$trial/2021/g1.kif"
cp $data/g016.ki2 "$trial/2021/G1.ki2"
check "into one folder" "$kifu" convert "$trial"/202?/g1.kif "$trial/2021/G1.ki2" --to usi -o "$trial/names"
check "keep apart" [ "$(cat "$trial"/names/* | sort)" = \
    "$(cat $data/g001.usi $data/g016.usi $data/g016.usi | sort)" ]
check "by a number" [ -e "$trial/names/g1-2.usi" ]
check "a second run" "$kifu" convert "$trial"/202?/g1.kif "$trial/2021/G1.ki2" --to usi -o "$trial/names"
check "writes the same names" [ "$(ls "$trial/names" | wc -l)" -eq 3 ]
check "Shift_JIS by default" "$kifu" convert $data/g001.kifu -o "$trial/a.kif" --crlf
check "UTF-8 for .kifu" "$kifu" convert "$trial/a.kif" -o "$trial/a.kifu"
check "all that was in it" grep -q "表・ソ能十テスト戦" "$trial/a.kifu"

# onto_itself FILE: written in place in its own format, the file stays byte for byte, or a note says what changed.
onto_itself() {
    cp "$1" "$trial/onto" && "$kifu" convert "$1" -o "$1" 2>"$trial/err" >/dev/null &&
        { cmp -s "$1" "$trial/onto" || grep -q 'written differently\|added' "$trial/err"; }
}
# onto_itself_silently FILE: the same, but only byte for byte.
onto_itself_silently() { onto_itself "$1" && cmp "$1" "$trial/onto" && ! grep -q ' line' "$trial/err"; }
mkdir "$trial/own" "$trial/others"
sed -n '2,41s/^/position /p' bench/openings.sfen >"$trial/own/all.usi"
for to in kif kifu ki2 ki2u csa csa3 sfens usen jkf; do
    "$kifu" convert "$trial/own/all.usi" --to $to -o "$trial/own/" 2>"$trial/err"
done
wrong=
for file in "$trial"/own/*; do onto_itself_silently "$file" || wrong="$wrong $file"; done
check "forty games of its own onto themselves, byte for byte" [ -z "$wrong" ]
cp $data/g0* "$trial/others"
wrong=
for file in "$trial"/others/*; do onto_itself "$file" || wrong="$wrong $file"; done
check "games of others onto themselves, or a note" [ -z "$wrong" ]
printf 'V2.2\n$START_TIME: 2026/01/02 03:04:05\nPI\n+\n+7776FU\n%%CHUDAN\n' >"$trial/onto.csa"
check "a changed line" exits 0 'onto.csa: 1 line is written differently, the first is line 2: \$START_TIME: 2026' \
    "$kifu" convert "$trial/onto.csa" -o "$trial/onto.csa"
check "only once" onto_itself_silently "$trial/onto.csa"
printf 'V2.2\nPI\n+\n+7776FU\n%%CHUDAN' >"$trial/onto.csa"
check "a last line without an end" exits 0 'written differently, the first is line 5: %CHUDAN' \
    "$kifu" convert "$trial/onto.csa" -o "$trial/onto.csa"
check "no word with --quiet" silent "$kifu" convert $data/g001.kif -o "$trial/g001.kif" --quiet

check "the formats" prints "$kifu" formats
check "some of whose endings survive" [ "$(grep -c ' some endings' "$trial/said")" = 3 ]

echo "what was there" >"$trial/kept"
check "an output that is there" cp "$trial/kept" "$trial/old.csa"
check "no such input" fails "$kifu" convert "$trial/none.kif" -o "$trial/old.csa"
check "leaves it" untouched "$trial/old.csa"
: >"$trial/empty.kif"
check "an empty input" fails "$kifu" convert "$trial/empty.kif" -o "$trial/old.csa"
check "leaves it too" untouched "$trial/old.csa"
printf 'a\0b' >"$trial/binary.kif"
check "as do bytes" fails "$kifu" convert "$trial/binary.kif" -o "$trial/old.csa"
check "that are no text" untouched "$trial/old.csa"
cp "$trial/kept" "$trial/old.kif"
check "and too many games" fails "$kifu" convert "$trial/all.csa" -o "$trial/old.kif"
check "for the format" untouched "$trial/old.kif"
cp "$trial/kept" "$trial/old.usi"
check "one good game of two" fails "$kifu" convert "$trial/none.kif" $data/g001.ki2 -o "$trial/old.usi"
check "replaces it" cmp "$trial/old.usi" $data/g001.usi
check "a file of another's" cp "$trial/kept" "$trial/old.csa.part"
check "a link to an output" ln -s old.csa "$trial/link.csa"
check "written to" "$kifu" convert $data/g001.kif -o "$trial/link.csa"
check "stays a link" [ -L "$trial/link.csa" ]
check "to the new file" grep -q '^+' "$trial/old.csa"
check "and the file beside it stays" cmp "$trial/kept" "$trial/old.csa.part"

cp $data/bad/nifu.kif "$trial/nifu.kif"
cp $data/bad/nifu.kif "$trial/kept"
check "a game with a fault" exits 1 "not overwritten" "$kifu" convert "$trial/nifu.kif" --to kif -o "$trial/nifu.kif"
check "is not cut in its place" untouched "$trial/nifu.kif"
check "and counts as nothing" grep -q "^0 games, 0 moves, 1 with errors" "$trial/err"
check "nor in its folder" exits 1 "not overwritten" "$kifu" convert "$trial/nifu.kif" --to kif --encoding utf-8 -o "$trial"
check "where it stays" untouched "$trial/nifu.kif"
check "from standard input" exits 1 "not overwritten" sh -c '"$1" convert - -o "$2" <"$2"' sh "$kifu" "$trial/nifu.kif"
check "too" untouched "$trial/nifu.kif"
check "a game elsewhere" exits 1 "2 games" "$kifu" convert "$trial/nifu.kif" $data/g001.ki2 --to usi -o "$trial/two.usi"
check "is written up to it" [ "$(wc -l <"$trial/two.usi")" -eq 2 ]
cp $data/g001.kif "$trial/kept"
check "an input" cp $data/g001.kif "$trial/g1.kif"
check "of the name of another" exits 1 "not overwritten" "$kifu" convert "$trial/2021/g1.kif" "$trial/g1.kif" \
    --to kif -o "$trial"
check "stays until it is read" untouched "$trial/g1.kif"
cp "$trial/all.csa" "$trial/several.kif"
cp "$trial/all.csa" "$trial/kept"
check "several games" exits 1 "not overwritten" "$kifu" convert "$trial/several.kif" --to kif -o "$trial"
check "stay as they were" untouched "$trial/several.kif"
check "a good game" cp $data/g001.kif "$trial/good.kif"
check "is written in its place" "$kifu" convert "$trial/good.kif" --encoding utf-8 -o "$trial/good.kif"
check "as wanted" grep -q "表・ソ能十テスト戦" "$trial/good.kif"
check "and in its folder" "$kifu" convert "$trial/good.kif" --to kif -o "$trial"
check "as wanted too" grep -q "表・ソ能十テスト戦" "$trial/good.kif"
cp "$trial/good.kif" "$trial/kept"
check "a game in the place of one of another format" exits 1 "good.kif: not overwritten: it exists" "$kifu" convert $data/g001.kif --to csa \
    -o "$trial/good.kif"
check "leaves it" untouched "$trial/good.kif"
printf '先手：♥\n手合割：平手\n   1 ７六歩(77)\n' >"$trial/mark.kif"
cp "$trial/mark.kif" "$trial/kept"
check "a character that Shift_JIS lacks" exits 1 "not overwritten" "$kifu" convert "$trial/mark.kif" \
    -o "$trial/mark.kif" --encoding shift_jis --crlf
check "is not lost in its place" untouched "$trial/mark.kif"
check "nor in its folder" exits 1 "not overwritten" "$kifu" convert "$trial/mark.kif" --to kif -o "$trial" \
    --encoding shift_jis
check "where it stays too" untouched "$trial/mark.kif"
check "but elsewhere" exits 0 "^1 character is not in" "$kifu" convert "$trial/mark.kif" -o "$trial/geta.kif"
check "and goes on in UTF-8" exits 0 "^1 game, " "$kifu" convert "$trial/mark.kif" -o "$trial/mark.kif" \
    --encoding utf-8 --crlf
check "two games for one" exits 1 "^0 games, 0 moves, 0 with errors" "$kifu" convert $data/g001.kif \
    $data/g016.kif --to jkf -o "$trial/two.jkf"
check "a folder in one that is not there" exits 1 "^$trial/no/x.csa: No such" "$kifu" convert $data/g001.kif \
    -o "$trial/no/x.csa"
check "a game as .sfen" "$kifu" convert $data/g001.ki2 -o "$trial/g.sfen"
check "is a line of USI" cmp "$trial/g.sfen" $data/g001.usi
check "over itself" "$kifu" convert "$trial/g.sfen" -o "$trial/g.sfen" --crlf
check "it stays a game" grep -q '^position startpos moves 2h3h' "$trial/g.sfen"
check "a game of another name" cp $data/g001.usi "$trial/g.epd"
cp $data/g001.usi "$trial/kept"
check "for a format without moves" exits 1 "not overwritten" "$kifu" convert "$trial/g.epd" -o "$trial/g.epd"
check "stays as it was" untouched "$trial/g.epd"
cp $data/g001.kif "$trial/timed.usi"
cp $data/g001.kif "$trial/kept"
check "for a format without its times" exits 1 "not overwritten" "$kifu" convert "$trial/timed.usi" -o "$trial/timed.usi"
check "it keeps them" untouched "$trial/timed.usi"
cp "$trial/kept" "$trial/timed.usi"
check "in a folder" exits 1 "not overwritten" "$kifu" convert "$trial/timed.usi" --to usi -o "$trial"
check "they stay, too" untouched "$trial/timed.usi"
check "moves that are left out" exits 0 "^left out, because the format bod cannot hold it: moves (1 game), comments" \
    "$kifu" convert $data/g001.ki2 -o "$trial/g.bod"
printf '先手：x\n手合割：平手\nopening：a\n' > "$trial/key.ki2"
check "a header that EPD cannot hold" exits 0 "^left out, because the format epd cannot hold it: headers (1 game)" \
    "$kifu" convert "$trial/key.ki2" --to epd
check "and what else is" exits 0 \
    "^left out, because the format usi cannot hold it: headers (1 game), times (1 game), comments (1 game)" \
    "$kifu" convert $data/g001.kif -o "$trial/g.usi"
check "is told, unless that is not wanted" silent "$kifu" convert $data/g001.kif -o "$trial/g.usi" --quiet
check "nothing is left out of JKF" exits 0 "^1 game, " "$kifu" convert $data/g016.kif -o "$trial/g.jkf"
check "of a game without bookmarks" fails grep -q "left out" "$trial/err"
# Through a link, so that a failure loses only the link.
check "a device" ln -s /dev/null "$trial/device"
check "that is written to" "$kifu" convert $data/g001.kif --to csa -o "$trial/device"
check "stays one" [ -c "$trial/device" ]

printf 'N+表ソ能十\nN-表ソ能十\350\241\nPI\n+\n+7776FU\n' >"$trial/faulty.csa"
check "bytes that are no text" exits 0 "^2 places of the input" "$kifu" convert "$trial/faulty.csa" --to kif \
    --encoding utf-8 -o "$trial/faulty.kifu"
cp "$trial/faulty.csa" "$trial/kept"
check "of a file" exits 1 "not overwritten" "$kifu" convert "$trial/faulty.csa" -o "$trial/faulty.csa"
check "stay in it" untouched "$trial/faulty.csa"
check "a broken game" prints_error "$kifu" convert $data/bad/nifu.kif --to usi
check "its reason" said "nifu.kif:15: move 13: two pawns on the file (nifu)"
check "a file that is not there" fails "$kifu" convert "$trial/none.kif" --to usi
check "an unknown format" fails "$kifu" convert $data/g001.kif --to exe
check "an encoding that CSA has no name for" exits 2 "CSA V3.0 must be UTF-8 or Shift_JIS" "$kifu" convert \
    $data/g001.kif --to csa3 --encoding euc-jp

printf '先手：a🐦\n1 ７六歩(77)\n*🐦\n2 中断\n' >"$trial/bird.kifu"
check "characters that the encoding lacks" exits 0 "2 characters are not in the encoding" "$kifu" convert \
    "$trial/bird.kifu" -o "$trial/bird.kif"
check "without a part that is left out" fails grep -q "left out" "$trial/err"

# ---- show, check, diagram, stats ---------------------------------------------------------------

check "a board" prints "$kifu" show $data/g001.kif --at 5
check "in kanji" said "^|v香v桂v銀v金v玉v金v銀v桂v香|一$"
check "with the move" said "5/125  ▲７六歩"
check "a board in letters" prints "$kifu" show $data/g001.kif --at 5 --letters
check "of SFEN" said "^| l  n  s  g  k  g  s  n  l |a$"
printf '   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n   2 封じ手\n' >"$trial/sealed.kif"
check "a named ending" exits 0 "^main line, 1 of 2: \[△３四歩\] 封じ手$" "$kifu" show "$trial/sealed.kif"
# in_terminal TERM KEYS: shows the game there and types the keys when it asks for them; output in $trial/seen.
in_terminal() {
    rm -f "$trial/typed" "$trial/seen"
    mkfifo "$trial/typed"
    (TERM=$1 exec script -qefc "'$kifu' show $data/g001.kif" "$trial/seen" <"$trial/typed" >/dev/null) &
    {
        await grep -q 'NUMBER' "$trial/seen"
        printf "$2"
        wait $!
    } >"$trial/typed"
}
seen() { grep -q -e "$1" "$trial/seen"; }
if command -v script >/dev/null && script --version 2>&1 | grep -q util-linux && command -v mkfifo >/dev/null; then
    check "stepping" in_terminal xterm 'nnnnvlq'
    check "to a variation" seen "^4/7  △３二銀"
    check "and to its end" seen "^7/7  ▲４八飛 .*(終わり)"
    check "a key that asks for help" in_terminal xterm '?999\rq'
    check "which is named" seen "f l v q ?\] "
    check "and answered below the board" seen "^v: next variation .* ?: help"
    check "a number beyond the end" seen "^no move 999: the line has 125 moves"
    check "a number typed in a terminal" in_terminal xterm '12\rq'
    check "leads to that move" seen "^12/125 "
    check "with colours there" seen "$(printf '\033\\[')"
    check "one with a digit taken back" in_terminal xterm '19\17725\b\rq'
    check "leads there" seen "^12/125 "
    check "and nowhere else" [ "$(grep -c '^[1-9][0-9]*/125 ' "$trial/seen")" = 1 ]
    check "a number taken back as a whole, then back and forth" in_terminal xterm '1\177n\177nnq'
    check "is none" [ "$(grep -o '^[0-9]*/125 ' "$trial/seen" | tr -d '\n')" = "0/125 1/125 0/125 1/125 2/125 " ]
    check "a position in a terminal" script -qefc "'$kifu' show $data/g001.kif --at 12" "$trial/seen" </dev/null
    check "is printed alone" [ "$(grep -c 'NUMBER\|^0/125 ' "$trial/seen")" = 0 ]
    check "with colours" seen "$(printf '\033\\[7m')"
    check "unless that is not wanted" env NO_COLOR=1 script -qefc "'$kifu' show $data/g001.kif --at 12" "$trial/seen" \
        </dev/null
    check "by the environment" [ "$(grep -c "$(printf '\033')" "$trial/seen")" = 0 ]
    check "a terminal that knows no codes" in_terminal dumb '12\rq'
    check "shows the same" seen "^12/125 "
    check "and gets none" [ "$(grep -c "$(printf '\033')" "$trial/seen")" = 0 ]
else
    skip "keys in a terminal" "there is no script of util-linux"
fi
printf 'sfen 4KG3/9/9/9/9/9/9/9/4k4 b - 1 moves 5a5b\n' >"$trial/entered.usi"
check "points" prints "$kifu" check "$trial/entered.usi"
check "of one piece" said "black: king in the zone, 1 piece there, 1 point$"
check "and of none" said "white: king in the zone, 0 pieces there, 0 points "
echo "startpos moves 2h3h" >"$trial/one-move.usi"
check "a picture in letters" prints "$kifu" diagram "$trial/one-move.usi" --letters
check "has no Japanese sentence about it" said ">after move 1: [^<]*R-3h, white to move<"
check "check of a good game" "$kifu" check $data/g001.kif
printf '   1 ７六歩(77)\n   2 入玉勝ち\n' >"$trial/declared.kif"
check "check of a false declaration" fails "$kifu" check "$trial/declared.kif"
check "check of an illegal move" prints_error "$kifu" check $data/bad/uchifuzume.kif
check "pawn-drop mate" said "mate by dropping a pawn"
round="2h3h 8b7b 3h2h 7b8b"
echo "position startpos moves $round $round $round" >"$trial/three.usi"
echo "position startpos moves $round $round $round 2h3h" >"$trial/more.usi"
check "check of a repetition" prints "$kifu" check "$trial/three.usi"
check "it is told once" said "^[^:]*: move 12: fourth occurrence of the position: sennichite$"
check "check of moves behind it" fails "$kifu" check "$trial/more.usi"
checks="4i5i 5a4a 5i4i 4a5a"
echo "position sfen 4k4/9/9/9/9/9/9/9/K4R3 b - 1 moves $checks $checks $checks rep_draw" >"$trial/checks.usi"
check "perpetual check as a draw" exits 1 "move 12: the record says sennichite, but perpetual check loses" \
    "$kifu" check "$trial/checks.usi"
check "a picture" "$kifu" diagram $data/g001.kif --at 40 --arrow 7f7e --svg "$trial/d.svg"
check "which ends" grep -q "^</svg>" "$trial/d.svg"
in_trial() { (program=$(realpath "$kifu") && cd "$trial" && "$program" "$@"); }
echo "position sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 37 moves 2g2f 8d8e" >"$trial/later.usi"
check "the number of a later move" exits 0 ">38手目 △８五歩まで" "$kifu" diagram "$trial/later.usi"
check "a picture of an SFEN" exits 0 "先手番" "$kifu" diagram "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
check "a board of a USI line" exits 0 "^1/1  ▲７六歩" "$kifu" show "startpos moves 7g7f"
check "an SFEN with an error" exits 1 "4K4 x G.*: side to move is neither b nor w" "$kifu" diagram "sfen 4k4/9/4P4/9/9/9/9/9/4K4 x G 1"
check "a file that is no position" exits 1 "^a/b/c/d/e/f/g/h/i: No such file" "$kifu" show a/b/c/d/e/f/g/h/i
cp "$trial/one-move.usi" "$trial/startpos"
check "a file whose name is a position" exits 0 "^1/1  " in_trial show startpos
check "an arrow that is none" fails "$kifu" diagram $data/g001.kif --arrow 7x
check "counts" prints "$kifu" stats $data/*.csa
check "of all games" said "^4 games, 3[0-9]* moves"
for result in 中断 千日手 投了; do
    printf '先手：a\n後手：b\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 %s\n' "$result" >"$trial/$result.kifu"
done
check "counts of results" prints "$kifu" stats "$trial/中断.kifu" "$trial/千日手.kifu" "$trial/投了.kifu"
check "half a point for a draw, none for an interruption" said "^  a  *3   75.0 %"
check "nor for the other player" said "^  b  *3   25.0 %"
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    printf 'V2.2\nN+player%d\nPI\n+\n+7776FU\n%%TORYO\n/\n' "$number"
done >"$trial/field.csa"
check "scores of many players" prints "$kifu" stats "$trial/field.csa"
check "of each of them" [ "$(grep -c '^  player[0-9]*  *1  100.0 %' "$trial/said")" = 13 ]
cp "$trial/d.svg" "$trial/kept"
check "a full disk" fails sh -c 'trap "" XFSZ; ulimit -f 4; "$1" diagram "$2" --svg "$3"' sh "$kifu" \
    $data/g001.kif "$trial/d.svg"
check "leaves the picture" untouched "$trial/d.svg"
check "and is told" exits 1 "^$trial/d.svg: File too large" sh -c 'trap "" XFSZ; ulimit -f 4
    exec "$1" diagram "$2" --svg "$3"' sh "$kifu" $data/g001.kif "$trial/d.svg"
check "no picture" exits 1 "not overwritten" "$kifu" diagram "$trial/good.kif" --svg "$trial/good.kif"
check "or of another" exits 1 "not overwritten: it exists and is not a picture" "$kifu" diagram $data/g001.kif \
    --svg "$trial/good.kif"
check "of a game in its place" "$kifu" check "$trial/good.kif"
for command in show check stats diagram "convert --to csa"; do
    if [ -c /dev/full ]; then
        check "$command without room" exits 1 "standard output could not" sh -c '"$@" >/dev/full' sh \
            "$kifu" $command $data/g001.kif
    else
        skip "$command without room" "there is no /dev/full"
    fi
done
check "an arrow for no legal move" exits 1 "occupied" "$kifu" diagram $data/g001.kif --at 40 --arrow 7g7f
check "a picture says who is to move" exits 0 "40手目 △３五角まで・先手番" "$kifu" diagram $data/g001.kif --at 40
check "a board of a faulty game" exits 1 "two pawns on the file" "$kifu" show $data/bad/nifu.kif
check "and no picture of it" exits 1 "two pawns on the file" "$kifu" diagram $data/bad/nifu.kif --svg "$trial/no.svg"
check "is written" [ ! -e "$trial/no.svg" ]
check "a move beyond the end" exits 1 "no move 999: the game has 125 moves" "$kifu" show \
    $data/g001.kif --at 999
check "variations beside a move" exits 0 "main line, 1 of 2: .△７二飛. △３二銀" "$kifu" show $data/g001.kif --at 4
printf '手合割：目隠し\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 投了\n' >"$trial/three.kifu"
check "a handicap without a known position" exits 0 "^手合割：目隠し" "$kifu" convert "$trial/three.kifu" --to kifu
check "is noted" grep -q "/three.kifu: an unknown handicap without a diagram" "$trial/err"
echo "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2" >"$trial/white.usi"
check "no handicap where white merely moves first" exits 0 "後手番" "$kifu" diagram --at 0 "$trial/white.usi"
check "players of a handicap game" exits 0 "上手番" "$kifu" diagram $data/g016.kif --at 0
# Records onto themselves: nothing is lost, and nothing replaced if something would be.
{
    printf "V2\nN+a\nN-b\n'Max_Moves:1024\n'Increment:10Turn\nPI\n+\n'rating:a:1\n+7776FU\nT1\n'** 5\n%%TORYO\n'summary:toryo:a win\n"
} >"$trial/floodgate.csa"
check "a file of floodgate onto itself" exits 0 "^1 game, 1 move, 0 with errors$" "$kifu" convert "$trial/floodgate.csa" \
    -o "$trial/floodgate.csa"
check "keeps its remarks" [ "$(grep -c "^'[a-zA-Z]" "$trial/floodgate.csa")" = 4 ]
check "in JKF they are left out" exits 0 "jkf cannot hold it: remarks (1 game)" "$kifu" convert "$trial/floodgate.csa" --to jkf
printf '手数----指手--\n変化：3手\n1 ７六歩(77)\n2 投了\n' >"$trial/odd.kifu"
cp "$trial/odd.kifu" "$trial/kept"
check "a line that is skipped" exits 1 "odd.kifu:2: a variation before the first move" "$kifu" convert "$trial/odd.kifu" \
    -o "$trial/odd.kifu"
check "is counted" grep -q "^1 line of the input was left out$" "$trial/err"
check "and its file not replaced" untouched "$trial/odd.kifu"
printf '# one\nposition startpos moves 7g7f\n' >"$trial/remark.usi"
cp "$trial/remark.usi" "$trial/kept"
check "a comment between games" exits 1 "not overwritten" "$kifu" convert "$trial/remark.usi" -o "$trial/remark.usi"
check "is not lost" untouched "$trial/remark.usi"
printf '1 ７六歩(77)\n2 ３四歩(33)\n3 ５五歩打\n4 反則勝ち\n' >"$trial/foul.kifu"
check "an illegal last move" exits 0 "foul.kifu:3: move 3: the piece is not in hand" "$kifu" check "$trial/foul.kifu"
check "is not called legal" fails grep -q "its moves are legal" "$trial/said" "$trial/err"
check "and stays" exits 0 "^   3 ５五歩打" "$kifu" convert "$trial/foul.kifu" --to kifu
printf '手合割：目隠し\n1 ３四歩(33)\n' >"$trial/blind.kifu"
printf '手合割：その他\n手数----指手---------消費時間--\n1 ７六歩(77)\n' >"$trial/other.kifu"
check "another start without a diagram is noted" exits 0 "an unknown handicap without a diagram" "$kifu" check "$trial/other.kifu"
printf 'position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n' >"$trial/problem.usi"
"$kifu" convert --to kif "$trial/problem.usi" -o "$trial/problem.kif" 2>/dev/null
check "a problem without moves" fails exits 0 "is ignored" sh -c '"$1" check - <"$2"' sh "$kifu" "$trial/problem.kif"
check "is read without a loss" exits 0 "^#KIF" sh -c '"$1" convert --to kifu - <"$2"' sh "$kifu" "$trial/problem.kif"
check "an unknown handicap that does not fit" exits 1 "an unknown handicap without a diagram" "$kifu" check "$trial/blind.kifu"
check "and the move" grep -q "no such piece can go there" "$trial/err"
check "an SFEN that cannot be read" exits 1 "x.*: " "$kifu" show "sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1"
check "is not drawn" [ ! -s "$trial/said" ]
printf 'V3.0\nPI\n+\n+7776FU\nT1.25\n%%TORYO\n' >"$trial/v3.csa"
check "fractions of seconds in a .csa file" exits 0 "^1 game, 1 move, 0 with errors" "$kifu" convert "$trial/v3.csa" --crlf \
    -o "$trial/v3.csa"
check "are kept" [ "$(tr -d '\r' <"$trial/v3.csa" | sed -n '2p;/^T/p' | tr '\n' ' ')" = "V3.0 T1.25 " ]
cp "$trial/v3.csa" "$trial/kept"
check "in CSA V2.2 they are left out" exits 1 "csa cannot hold it: fractions of seconds (1 game)" "$kifu" convert "$trial/v3.csa" \
    --to csa -o "$trial/v3.csa"
check "which replaces no record that has them" untouched "$trial/v3.csa"
check "without times they are not counted" exits 0 "usi cannot hold it: times (1 game), endings" "$kifu" convert "$trial/v3.csa" --to usi
printf 'V2.2\nN+a\nN-b\n$TIME:600+10+5\n$MAX_MOVES:256\n$JISHOGI:27\n$X:1\nPI\n+\n+7776FU\n%%TORYO\n' >"$trial/h.csa"
for format in ki2u kifu; do
    "$kifu" convert "$trial/h.csa" --to $format >"$trial/h.txt"
    check "headers of CSA in $format" exits 0 "^position startpos moves 7g7f" "$kifu" convert "$trial/h.txt" --to usi
done
check "an extension as a format" "$kifu" convert $data/g001.kif --to kifu -o "$trial/made/"
check "into a folder that is made" [ -s "$trial/made/g001.kifu" ]
check "is in UTF-8 as such files are" grep -q "^#KIF version=2.0 encoding=UTF-8" "$trial/made/g001.kifu"
check "a .kif stays in Shift_JIS, which is told" exits 0 "named.kif is written in Shift_JIS, .* name it .kifu" "$kifu" \
    convert $data/g001.kifu --to kifu -o "$trial/named.kif"
check "and is" [ "$(head -c 4 "$trial/named.kif" | od -An -tx1 | tr -d ' ')" = 90e68ee8 ]
check "where both say so, nothing is told" exits 0 "^1 game, 125 moves, 0 with errors$" "$kifu" convert $data/g001.kifu \
    --to kif -o "$trial/named.kif"
check "about its encoding" fails grep -q Shift_JIS "$trial/err"
check "a .kif in UTF-8 says so in its first line" "$kifu" convert $data/g001.kif --encoding utf-8 -o "$trial/named.kif"
check "as the .kifu does" cmp "$trial/named.kif" "$trial/made/g001.kifu"
check "on standard output too" exits 0 "^#KIF version=2.0 encoding=UTF-8" "$kifu" convert $data/g001.kif --to kifu
check "folders that are made one in another" "$kifu" convert $data/g001.kif --to kif -o "$trial/in/an/other/"
check "hold the game" [ -s "$trial/in/an/other/g001.kif" ]
check "a file in the way of a folder" exits 1 "Not a directory\|File exists" "$kifu" convert $data/g001.kif --to kif \
    -o "$trial/in/an/other/g001.kif/x/"
check "KIF in UTF-8 says so" exits 0 "^#KIF version=2.0 encoding=UTF-8" "$kifu" convert $data/g001.kif \
    --to kif --encoding utf-8
printf 'PI\n+\n+7776FU\n%%%%TORYO\n%%%%TORYO\n' | sed 's/%%%%/%%/' >"$trial/twice.csa"
check "an ending that stands twice" exits 0 "twice.csa:5: move 3: the ending is given twice" \
    "$kifu" check "$trial/twice.csa"
"$kifu" convert - --to kif --encoding utf-8 -o "$trial/mated.kif" 2>/dev/null <<END
position sfen 7nk/7l1/9/9/4R4/9/9/9/4K4 b p 1 moves 5e1e
END
printf 'まで1手詰\n' >>"$trial/mated.kif"
check "a mate with an interposition left" exits 0 "only interpositions remain" "$kifu" check "$trial/mated.kif"
check "two games to show" exits 2 "one file" "$kifu" show $data/g001.kif $data/g016.kif
check "none to draw" exits 2 "missing file name" "$kifu" diagram
check "no file of a check" exits 2 "check: unknown option '-o'" "$kifu" check -o "$trial/report" $data/g001.kif
check "nor a picture of counts" exits 2 "unknown option '--svg'" "$kifu" stats --svg "$trial/s.svg" $data/g001.kif
check "nor a format of a board" exits 2 "unknown option '--to'" "$kifu" show --to csa $data/g001.kif
check "the format of an input" "$kifu" stats --from kif $data/g001.kif
check "counts of nothing" exits 1 "empty.kif: contains no game" "$kifu" stats "$trial/empty.kif"
check "a remark" exits 0 "says illegal move" "$kifu" check $data/g022.kif
check "of a check that is quiet" prints "$kifu" check --quiet $data/g022.kif "$trial/three.usi"
check "is left out" [ ! -s "$trial/said" ]
check "but not a fault" exits 1 "continues after" "$kifu" check --quiet "$trial/more.usi"
check "an empty file" prints_error "$kifu" convert "$trial/empty.kif" --to csa
check "no game" said "contains no game"
check "a file that is no text" prints_error "$kifu" convert "$trial/binary.kif" --to csa
check "why" said "not a text"
check "help" "$kifu" --help
check "help on a command" exits 0 "^usage: komadori-kifu show" "$kifu" show --help
check "an unknown command" fails "$kifu" dance

# ---- analyze -----------------------------------------------------------------------------------

analyze() {
    "$KOMADORI_BUILD/komadori" analyze --depth 1 -o "$trial/an.kif" "$1"
}
check "a short game" sh -c 'head -n 20 "$1" >"$2"' sh $data/g001.kifu "$trial/short.kifu"
check "its analysis" analyze "$trial/short.kifu"
check "readable" "$kifu" convert "$trial/an.kif" -o "$trial/an.kifu"
check "with scores" grep -q "^\*#評価値=" "$trial/an.kifu"
check "without a journal" fails [ -e "$trial/an.kif.journal" ]
entered='sfen +R8/2+NK1+R+P+P1/+P+PPS+P4/6g+b1/7p1/3g5/3+b1g+p1+p/5p3/5k+p2 b G3S3N3L7Pl 1'
echo "$entered moves P*3c 3g3f" >"$trial/entered.usi"
analyze_by() {
    "$KOMADORI_BUILD/komadori" analyze --depth 5 --rule "$1" -o "$trial/entered.kifu" "$trial/entered.usi"
}
check "a game with an entered king" analyze_by CSARule27
check "which may declare" grep -q "^\*#入玉宣言勝ち=先手$" "$trial/entered.kifu"
check "and is analysed all the same" grep -q "^\*#読み筋=▲" "$trial/entered.kifu"
check "without a missed mate" fails grep -q "詰み逃し" "$trial/entered.kifu"
check "by another rule" analyze_by NoEnteringKing
check "it may not" fails grep -q "入玉" "$trial/entered.kifu"
check "by a rule that does not exist" fails analyze_by CSARule28
{
    printf 'komadori-analysis 1 nodes 0 time 0 depth 1 '
    "$kifu" convert "$trial/short.kifu" --to usi
    printf '0 1234 9 5 7g7f .\n1 4321 9 5 3c3d'
} >"$trial/an.kif.journal"
check "an analysis that was broken off goes on" analyze "$trial/short.kifu"
check "its record as UTF-8" "$kifu" convert "$trial/an.kif" -o "$trial/resumed.kifu"
check "what its journal had is kept" grep -q "#評価値=1234$" "$trial/resumed.kifu"
check "but not the line that was torn" fails grep -q "評価値=4321" "$trial/resumed.kifu"
# A run of several games that is interrupted in the second one continues there, and does not search the first one again.
mkdir "$trial/broken"
cp "$trial/short.kifu" "$trial/broken/a.kifu"
cp $data/g001.kif "$trial/broken/b.kif"
interrupted() {
    "$KOMADORI_BUILD/komadori" analyze --nodes 20000 --hash 1 "$trial/broken" >"$trial/said" &
    pid=$!
    await [ -e "$trial/broken/b-analysis.kif.journal" ]
    kill -INT $pid
    wait $pid
    [ $? -eq 1 ]
}
check "an analysis of a folder that is interrupted" interrupted
check "says how to go on" said "^interrupted; run the same command again to continue"
sed -i 's/^0 -*[0-9]* /0 4321 /' "$trial/broken/a-analysis.kifu.journal"
check "and goes on" "$KOMADORI_BUILD/komadori" analyze --nodes 20000 --hash 1 "$trial/broken/a.kifu"
check "without another search" grep -q "#評価値=4321$" "$trial/broken/a-analysis.kifu"
check "and then has no journal" fails [ -e "$trial/broken/a-analysis.kifu.journal" ]
if command -v script >/dev/null && script --version 2>&1 | grep -q util-linux; then
    mkdir "$trial/watched"
    cp "$trial/short.kifu" "$trial/watched/short.kifu"
    printf 'position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b\n' >"$trial/watched/mated.usi"
    (TERM=xterm exec script -qefc "'$KOMADORI_BUILD/komadori' analyze --depth 1 '$trial/watched'" "$trial/seen" \
        >/dev/null)
    check "the progress of several games" grep -q "game 2 of 2  short.kifu  1/8  after move 7: .*0:0[0-9] left, 0:0[0-9] for all" "$trial/seen"
    check "a mate as a mate" grep -q "game 1 of 2  mated.usi  2/2  after move 0: mate +1, " "$trial/seen"
else
    skip "the progress of several games" "there is no script of util-linux"
fi
mkdir "$trial/indexed"
cp "$trial/short.kifu" "$trial/indexed/short #1.kifu"
cp "$trial/short.kifu" "$trial/indexed/two.kifu"
check "a folder of pages" exits 0 "^written: $trial/indexed/index.html\$" "$KOMADORI_BUILD/komadori" analyze --depth 1 \
    "$trial/indexed" --html "$trial/indexed/"
check "has an index" grep -q '<a href="./short %231-analysis.html">short #1-analysis.html</a>.*<td>7<td>' "$trial/indexed/index.html"
mkdir "$trial/lonely"
cp "$trial/short.kifu" "$trial/lonely/one.kifu"
check "a folder with one game" exits 0 "^written: $trial/lonely/index.html\$" "$KOMADORI_BUILD/komadori" analyze --depth 1 \
    "$trial/lonely" --html "$trial/lonely/"
echo "not ours" >"$trial/indexed/index.html"
check "a page of somebody else's" exits 1 "index.html: not written by komadori analyze; it is not replaced" \
    "$KOMADORI_BUILD/komadori" analyze --depth 1 "$trial/indexed" --html "$trial/indexed/"
check "stays" grep -q -x "not ours" "$trial/indexed/index.html"
# utf8 FILE: it is in UTF-8, as the lines of analyses can be in it.
utf8() { grep -q "評価値=" "$1"; }
analyze_to() { "$KOMADORI_BUILD/komadori" analyze --depth 1 -o "$2" "$1"; }
analyze_beside() { "$KOMADORI_BUILD/komadori" analyze --depth 1 "$1"; }
check "a Shift_JIS copy" "$kifu" convert "$trial/short.kifu" -o "$trial/short.kif"
check "analysed as .kifu" analyze_to "$trial/short.kif" "$trial/to.kifu"
check "is in UTF-8" utf8 "$trial/to.kifu"
check "analysed as .kif" analyze_to "$trial/short.kifu" "$trial/to.kif"
check "is in Shift_JIS" fails utf8 "$trial/to.kif"
check "a .kif in UTF-8" cp "$trial/short.kifu" "$trial/utf.kif"
check "analysed beside it" analyze_beside "$trial/utf.kif"
check "stays in UTF-8" utf8 "$trial/utf-analysis.kif"
check "a CSA file" "$kifu" convert "$trial/short.kifu" --to csa -o "$trial/csa.kif"
check "by the name of KIF" analyze_beside "$trial/csa.kif"
check "is analysed as CSA" grep -q "^'\*\* " "$trial/csa-analysis.csa"
check "a name with blanks" cp "$trial/csa.kif" "$trial/a game.kif"
check "analysed" analyze_to "$trial/a game.kif" "$trial/its analysis.csa"
check "to another" [ -s "$trial/its analysis.csa" ]
check "no game" fails analyze "$trial/none.kif"
cp $data/bad/nifu.kif "$trial/nifu.kif"
check "a game with a fault" exits 1 "analyze: $trial/nifu.kif:15: move 13: two pawns" analyze "$trial/nifu.kif"
check "is analysed before it" "$kifu" check "$trial/an.kif"
check "not over itself" fails analyze_to "$trial/nifu.kif" "$trial/nifu.kif"
check "by another name" fails analyze_to "$trial/nifu.kif" "$trial/../${trial##*/}/nifu.kif"
check "which stays whole" cmp $data/bad/nifu.kif "$trial/nifu.kif"
check "without a journal" fails [ -e "$trial/nifu.kif.journal" ]
check "several games" cp "$trial/all.csa" "$trial/twelve.csa"
check "the first of them" analyze_to "$trial/twelve.csa" "$trial/first.csa"
check "not over all" fails analyze_to "$trial/twelve.csa" "$trial/twelve.csa"
check "which stay" cmp "$trial/all.csa" "$trial/twelve.csa"
printf 'position startpos moves 7g7f\nposition startpos moves 2g2f 8c8d\n' >"$trial/lines.usi"
check "games of a line each" exits 0 "^written: " analyze_to "$trial/lines.usi" "$trial/lines.kifu"
check "the first of them too" exits 0 "^position startpos moves 7g7f$" "$kifu" convert "$trial/lines.kifu" --to usi
check "not over all" exits 1 "only a part of this input" analyze_to "$trial/lines.usi" "$trial/lines.usi"
printf '4k4/9/9/9/9/9/9/9/4K4 b G 1\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n' >"$trial/bare.sfen"
check "positions" exits 0 "^written: " analyze_to "$trial/bare.sfen" "$trial/bare.kifu"
check "of which the first is judged" utf8 "$trial/bare.kifu"
printf '/\nPI\n+\n+7776FU\n' >"$trial/slash.csa"
check "nothing before the first game" exits 0 "^written: " analyze_to "$trial/slash.csa" "$trial/scored.csa"
# has_cr FILE: its lines end in CR LF.
has_cr() { LC_ALL=C grep -q "$(printf '\r')\$" "$1"; }
check "line ends" "$kifu" convert "$trial/short.kifu" -o "$trial/cr.kif" --crlf
check "of the game" analyze_beside "$trial/cr.kif"
check "are those of its analysis" has_cr "$trial/cr-analysis.kif"
# analyze_as OPTION...: analyses games that are too short for long searches.
analyze_as() { "$KOMADORI_BUILD/komadori" analyze --depth 1 "$@"; }
cp "$trial/short.kifu" "$trial/kept"
printf '\357\273\277\n \r\n' >"$trial/blank.csa"
for file in empty.kif blank.csa; do
    check "nothing in $file" exits 1 "contains no game" analyze_as -o "$trial/short.kifu" "$trial/$file"
    check "is no game" untouched "$trial/short.kifu"
done
echo "N+one" >"$trial/head.csa"
check "a fault without a line" exits 1 "head.csa: no line with the side to move\$" analyze_as "$trial/head.csa"
check "a page" exits 1 "not overwritten" analyze_as --html "$trial/short.kifu" "$trial/short.kifu"
check "over its game" untouched "$trial/short.kifu"
check "a record" exits 1 "another output has this name" analyze_as -o "$trial/y.kif" --html "$trial/../${trial##*/}/y.kif" \
    "$trial/short.kifu"
check "and its page in one" [ ! -e "$trial/y.kif" ]
cp "$trial/short.kifu" "$trial/z.kif.journal"
check "a journal" exits 1 "not overwritten" analyze_as -o "$trial/z.kif" "$trial/z.kif.journal"
check "over its game" untouched "$trial/z.kif.journal"
check "standard output" exits 2 "give a file name" analyze_as -o - "$trial/short.kifu"
check "a folder that cannot be made" exits 1 "short.kifu/x/: " analyze_as -o "$trial/short.kifu/x/" "$trial/short.kifu"
check "for a page" exits 2 "give a file name" analyze_as --html - "$trial/short.kifu"
check "which is no file" [ ! -e - ]
cp "$trial/short.kifu" "$trial/beside.kifu"
cp "$trial/short.kifu" "$trial/kept"
for output in --html --json; do
    check "$output before a pattern" exits 1 "beside.kifu: not overwritten: it exists.*; name another file" \
        analyze_as $output "$trial/beside.kifu" "$trial/short.kifu"
    check "replaces no game" untouched "$trial/beside.kifu"
done
check "scores of a .csa file on a page" exits 0 "^written: $trial/scores.html\$" analyze_as --no-search \
    --html "$trial/scores.html" "$trial/scored.csa"
check "an unknown ending" exits 2 "unknown file name extension" analyze_as -o "$trial/x.xyz" "$trial/short.kifu"
check "a game in a file" cp "$trial/short.kifu" "$trial/game.txt"
check "of such an ending" analyze_as -o "$trial/out.txt" "$trial/game.txt"
check "two games to one file" exits 2 "give a folder" analyze_as -o "$trial/x.kif" "$trial/short.kifu" "$trial/an.kif"
check "two games to a folder" analyze_as -o "$trial/both/" "$trial/short.kifu" "$trial/an.kif"
check "are two" [ "$(ls "$trial/both" | wc -l)" -eq 2 ]
check "two games of one name" exits 1 "same/short-analysis.html: not overwritten: another game of this run was written here" \
    analyze_as -o "$trial/same/" --html "$trial/same/" "$trial/short.kifu" "$trial/short.kif"
check "leave the first" [ "$(ls "$trial/same" | tr '\n' ' ')" = "index.html short-analysis.html short-analysis.kifu " ]
check "the same game twice" exits 1 "short-analysis.kifu: not overwritten: another game" analyze_as -o "$trial/same/" \
    "$trial/short.kifu" "$trial/../${trial##*/}/short.kifu"
check "but again in a later run" analyze_as -o "$trial/same/" "$trial/short.kifu"
check "all games of a file" analyze_as --all -o "$trial/all/" --html "$trial/all/" "$trial/lines.usi"
check "have names of their own" [ "$(ls "$trial/all" | tr '\n' ' ')" = \
    "index.html lines-analysis-2.html lines-analysis-2.kifu lines-analysis.html lines-analysis.kifu " ]
check "a folder of results" exits 1 "both: contains no game" analyze_as -o "$trial/again/" "$trial/both"
check "is not analysed twice" [ -z "$(ls "$trial/again")" ]
check "a folder of games" analyze_as -o "$trial/again/" "$trial/names"
check "is analysed whole" [ "$(ls "$trial/again" | wc -l)" -eq 3 ]
check "a page and data" analyze_as -o "$trial/p.kifu" --html "$trial/p.html" --json "$trial/p.json" --multipv 2 \
    --variations "$trial/short.kifu"
check "second lines" grep -q "^\*#候補2=" "$trial/p.kifu"
check "as ShogiHome collects them" [ "$(grep -c "^\*#読み筋=" "$trial/p.kifu")" -gt "$(grep -c "^\*#深さ=" "$trial/p.kifu")" ]
check "in the data too" grep -q '"others":\[{"score":' "$trial/p.json"
check "scores of a record" exits 0 "^written: $trial/q.html" analyze_as --no-search --html "$trial/q.html" "$trial/p.kifu"
check "that has none" exits 1 "this game has no comment with a score" analyze_as --no-search --html "$trial/r.html" \
    "$trial/short.kifu"
check "a part of the game" analyze_as -o "$trial/part.kifu" --from 2 --to 3 "$trial/short.kifu"
check "is all that is judged" [ "$(grep -c "^\*#評価値=\|^\*#詰み=" "$trial/part.kifu")" = 2 ]
check "a part behind the end" exits 1 "short.kifu: --from 10 is beyond the end: the game has 7 moves" analyze_as \
    -o "$trial/none.kifu" --from 10 "$trial/short.kifu"
check "is no result" [ ! -e "$trial/none.kifu" ]
check "a part from behind to before" exits 2 "--to 2 comes before --from 3" analyze_as --from 3 --to 2 "$trial/short.kifu"
check "one side" exits 0 "^white: " analyze_as -o "$trial/white.kifu" --side white "$trial/short.kifu"
check "is told of alone" fails exits 0 "^black: " analyze_as -o "$trial/white.kifu" --side white "$trial/short.kifu"
check "scores of one side judge no move" exits 0 "^black: no move has a score both before and after it$" \
    analyze_as --no-search --html "$trial/white.html" "$trial/white.kifu"
check "nor of the other side" grep -q "^white: no move has a score" "$trial/said"
check "a folder with its slash" exits 0 "^written: $trial/slash/short-analysis.kifu\$" \
    analyze_as -o "$trial/slash/" "$trial/short.kifu"
check "the analysis of an analysis" exits 0 "^written: $trial/slash/short-analysis.html\$" \
    analyze_as --no-search --html "$trial/slash/" "$trial/slash/short-analysis.kifu"
# What a record in each style says about the players is what the analysis said.
cp tests/data/kifu/g001.kifu "$trial/judged.kifu"
for style in shogihome shogigui floodgate; do
    "$KOMADORI_BUILD/komadori" analyze --nodes 400 --style $style -o "$trial/judged-$style.kifu" \
        --json "$trial/judged-$style.json" "$trial/judged.kifu" | grep "moves, " >"$trial/first"
    "$KOMADORI_BUILD/komadori" analyze --no-search --json "$trial/again-$style.json" \
        "$trial/judged-$style.kifu" | grep "moves, " >"$trial/second"
    check "players of an analysis, $style" test "$(wc -l <"$trial/first")" = 2
    check "are the same without a search" cmp "$trial/first" "$trial/second"
    check "and so are the depths" test "$(grep -o '"depth":[0-9]*' "$trial/judged-$style.json")" = \
        "$(grep -o '"depth":[0-9]*' "$trial/again-$style.json")"
done
check "and the nodes" test "$(grep -o '"nodes":[0-9]*' "$trial/judged-shogihome.json" | sort -u)" = \
    "$(grep -o '"nodes":[0-9]*' "$trial/again-shogihome.json" | sort -u)"
check "nothing to write" exits 2 "nothing to write" analyze_as --no-search "$trial/slash/short-analysis.kifu"
check "standard input" exits 2 "give a file name" analyze_as - <"$trial/short.kifu"
check "the style of ShogiGUI" analyze_as -o "$trial/gui.kifu" --style shogigui "$trial/short.kifu"
check "has its words" grep -qE "^\*\*解析 0 (○ )?候補1 時間 00:[0-9][0-9]\.[0-9] 深さ [0-9]* ノード数 [0-9]* 評価値 -*[0-9]* 読み筋 (▲|△).*\([1-9][1-9]\)" "$trial/gui.kifu"
check "a format without comments" exits 0 "the format usi cannot hold comments" analyze_as -o "$trial/c.usi" \
    "$trial/short.kifu"
echo 'sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G moves G*5b' >"$trial/mated.usi"
"$kifu" convert "$trial/mated.usi" -o "$trial/mated.kifu" --quiet && echo '   2 詰み' >>"$trial/mated.kifu"
if command -v chromium >/dev/null && chromium --headless=new --no-sandbox --disable-gpu --dump-dom \
    "file://$trial/p.html#3en" >"$trial/dom" 2>/dev/null; then
    check "the page in a browser draws an arrow" grep -q 'class="arrow"' "$trial/dom"
    check "and all pieces" [ "$(grep -o '<g class="piece" ' "$trial/dom" | wc -l)" = 40 ]
    check "and marks the move" grep -q 'class="row on" data-at="3"' "$trial/dom"
    check "and shows the second line" grep -q 'data-rank="1"' "$trial/dom"
    check "a game that ends in mate" analyze_as -o "$trial/mated.kifu" --html "$trial/mated.html" "$trial/mated.kifu"
    chromium --headless=new --no-sandbox --disable-gpu --dump-dom "file://$trial/mated.html#1ja" >"$trial/dom" 2>/dev/null
    check "says so in Japanese" grep -q '<span class="ply">1</span><span class="m0">▲５二金 </span><span class="score">詰み</span>' \
        "$trial/dom"
    check "its ending has no number" grep -q '<span class="ply"></span><span class="m0">詰み </span>' "$trial/dom"
    chromium --headless=new --no-sandbox --disable-gpu --dump-dom "file://$trial/mated.html#1en" >"$trial/dom" 2>/dev/null
    check "and in English" grep -q '<span class="score">mated</span>.*<span class="ply"></span><span class="m0">mate </span>' "$trial/dom"
else
    skip "the page in a browser" "there is no chromium"
fi
check "a game in CSA V3.0" analyze_as "$trial/v3.csa"
check "keeps its version and times" [ "$(tr -d '\r' <"$trial/v3-analysis.csa" | sed -n '2p;/^T/p' | tr '\n' ' ')" = "V3.0 T1.25 " ]
check "also where the name is given" analyze_to "$trial/v3.csa" "$trial/v3-named.csa"
check "and not as V2.2" cmp "$trial/v3-analysis.csa" "$trial/v3-named.csa"
check "an option behind the game" analyze_as "$trial/utf.kif" --nodes 10
check "a game over itself" analyze_to "$trial/short.kifu" "$trial/short.kifu"
check "with scores" utf8 "$trial/short.kifu"

tell_counts
