#!/bin/sh
# The command book: books are made, searched, grown, merged and converted, in one run, in parts, and after being
# killed.
# Long: makes books
# Needs: komadori
set -u
. tests/checks.sh
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
quick="--nodes 300 --hash 1 --net <handwritten>"

book() {
    "$komadori" book "$@"
}

# same A B
same() {
    cmp "$1" "$2"
}

# grow OUT ARGUMENT...
grow() {
    out=$1
    shift
    book grow --out "$out" --positions 600 --starts bench/handicaps.sfen $quick "$@"
}

# Grown in one run, by several threads, and killed ten times.
check "grow" grow "$trial/one.book"
check "grow by threads" grow "$trial/three.book" --threads 3
check "threads do not matter" same "$trial/one.book" "$trial/three.book"
check "a grown book is whole" book verify "$trial/one.book"
check "it has the handicaps" exits 0 "7a6b" book show "$trial/one.book" \
    sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1
kills=0
for ms in 0.01 0.02 0.03 0.05 0.02 0.01 0.04 0.03 0.02 0.01; do
    "$komadori" book grow --out "$trial/killed.book" --positions 600 \
        --starts bench/handicaps.sfen $quick >/dev/null 2>&1 &
    pid=$!
    sleep $ms
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
    rm -f "$trial/killed.book"
done
check "it was killed" test "$kills" -gt 3
check "a killed run goes on" grow "$trial/killed.book"
check "and ends in the same book" same "$trial/one.book" "$trial/killed.book"
head -c 3000 "$trial/killed.book.log" >"$trial/cut.book.log"
check "a journal that was cut goes on" grow "$trial/cut.book"
check "and ends in the same book, too" same "$trial/one.book" "$trial/cut.book"
check "a journal of another run is refused" exits 1 "cut.book.log: belongs to another run" grow "$trial/cut.book" --multipv 2
check "and kept" grow "$trial/cut.book"

# Ctrl-C keeps the results so far.
"$komadori" book grow --out "$trial/stopped.book" --positions 100000 --nodes 20000 --hash 1 \
    >"$trial/stopped" 2>&1 &
pid=$!
await test -s "$trial/stopped.book.log"
kill -INT $pid
wait $pid
check "a stopped run says so" test $? = 1
check "and how to go on" grep -q "to continue from" "$trial/stopped"
check "what it found is a book" book verify "$trial/stopped.book"

# Positions of a list, in one run and in four parts.
grep -v '^#' bench/openings.sfen | head -n 30 >"$trial/list.sfen"
check "think" book think "$trial/list.sfen" --out "$trial/list.book" $quick
check "a folder as a list" exits 1 "Is a directory" book think "$trial" --out "$trial/none.book" $quick
check "no journal stays" test ! -e "$trial/list.book.log"
for i in 1 2 3 4; do
    check "think, part $i" book think "$trial/list.sfen" --out "$trial/$i.book" --shard $i/4 $quick
done
check "merge" book merge "$trial/4.book" "$trial/2.book" "$trial/1.book" "$trial/3.book" \
    --out "$trial/parts.book"
check "the parts make the whole" same "$trial/list.book" "$trial/parts.book"
check "the leaves of a book" book think --leaves "$trial/list.book" --out "$trial/leaves.book" $quick
check "are more than it" test "$(wc -c <"$trial/leaves.book")" -gt "$(wc -c <"$trial/list.book")"

# From one format to the others and back.
check "to text" book convert "$trial/one.book" --out "$trial/one.db"
check "and back" book convert "$trial/one.db" --out "$trial/back.book"
check "is the same" same "$trial/one.book" "$trial/back.book"
check "and to text again" book convert "$trial/back.book" --out "$trial/back.db"
check "is the same text" same "$trial/one.db" "$trial/back.db"
check "the book in the program" exits 0 " 7g7f 3c3d " book show "<default>"
check "is looked at as any other" exits 0 "^positions [1-9]" book info "<default>"
check "can be verified" exits 0 "^<default>: whole" book verify "<default>"
check "and searched" book think "<default>" --out "$trial/part.book" --shard 1/5000 $quick
for verb in make think grow minimax merge prune convert info verify show; do
    check "help names $verb" exits 0 "[ .]$verb:" "$komadori" help book
done
check "text is sorted" exits 0 ", sorted" book verify "$trial/one.db"
check "a list" book convert "$trial/one.book" --out "$trial/one.sfen"
check "has all positions" test "$(wc -l <"$trial/one.sfen")" = 600
check "a tree" book convert "$trial/one.book" --out "$trial/one.kif"
check "reports what a tree lacks" exits 0 "^[1-9][0-9]* positions left out, because the start position does not lead there" \
    book convert "$trial/one.book" --out "$trial/one.kif"
check "no tree" exits 2 "cannot hold variations" book convert "$trial/one.book" --out "$trial/one.csa"
check "also before a search" exits 2 "cannot hold variations" book grow --out "$trial/one.usi" $quick
check "leaves no journal" [ ! -e "$trial/one.usi.log" ]
check "in UTF-8" book convert "$trial/one.book" --out "$trial/one.kifu"
check "with scores as GUIs read them" grep -q "^\*#評価値=-*[0-9]" "$trial/one.kifu"
check "is a record with variations" "${komadori}-kifu" check "$trial/one.kif"
check "values are the same once more" book minimax "$trial/one.book" --out "$trial/again.book"
check "after minimax" same "$trial/one.book" "$trial/again.book"

# From records, and pruned.
check "make" book make tests/data/kifu/*.csa tests/data/kifu/*.kif --out "$trial/made.book" --max-ply 20
check "which is whole" book verify "$trial/made.book"
check "with games" exits 0 "games [1-9]" book info "$trial/made.book"
check "prune" book prune "$trial/one.book" --out "$trial/thin.book" --window 0 --reached
check "leaves less" test "$(wc -c <"$trial/thin.book")" -lt "$(wc -c <"$trial/one.book")"
check "which the handicaps are no part of" exits 0 "not in the book" book show "$trial/thin.book" \
    sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1

# A stopped make leaves the output file as it was. Its games would take it several seconds.
yes "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e" | head -n 400000 >"$trial/many.usi"
echo old >"$trial/kept"
cp "$trial/kept" "$trial/halted.book"
"$komadori" book make "$trial/many.usi" --out "$trial/halted.book" >"$trial/halted" 2>&1 &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.05
    kill -INT $pid 2>/dev/null
done
wait $pid
check "a stopped make fails" test $? = 1
check "says so" grep -q "stopped; $trial/halted.book was not written" "$trial/halted"
check "and leaves the old book" untouched "$trial/halted.book"

# Damage among training games is reported, and the rest is used.
check "games" "$komadori" gendata --out "$trial/some.kmd" --games 12 --nodes 50 --net "<handwritten>"
check "whole games" book make "$trial/some.kmd" --out "$trial/some.book"
{ cat "$trial/some.kmd" && echo nonsense; } >"$trial/hurt.kmd"
check "damaged games" exits 1 "^damaged: skipped 9 bytes and 0 inconsistent blocks" \
    book make "$trial/hurt.kmd" --out "$trial/hurt.book"
check "make the same book" same "$trial/some.book" "$trial/hurt.book"

# The default book, at a small size.
check "the default book is made" env KOMADORI="$komadori" WORK="$trial" \
    sh eval/book.sh "$trial/default" --positions 60 --nodes 200 --hash 1 --threads 1
check "and is whole" book verify "$trial/default"
check "it knows a ranging rook" exits 0 "depth" book show "$trial/default" startpos moves 2h5h

# A book may be replaced by its new version, but no other input by the output.
cp "$trial/list.sfen" "$trial/input.sfen"
cp "$trial/list.sfen" "$trial/input"
cp "$trial/one.kif" "$trial/input.kif"
over="not overwritten: this is an input"
check "a book over its games" exits 2 "input.kif: $over" book make "$trial/input.kif" --out "$trial/input.kif"
check "leaves them" same "$trial/one.kif" "$trial/input.kif"
check "a search over its list" exits 2 "input: $over" book think "$trial/input" --out "$trial/input" $quick
check "leaves it" same "$trial/list.sfen" "$trial/input"
check "a book over its starts" exits 2 "input.sfen: $over" book grow --starts "$trial/input.sfen" \
    --out "$trial/input.sfen" --positions 2 $quick
check "leaves them, too" same "$trial/list.sfen" "$trial/input.sfen"
cp "$trial/list.book" "$trial/input.book"
check "a book searched in place" book think "$trial/input.book" --out "$trial/input.book" $quick
check "is that book" same "$trial/list.book" "$trial/input.book"

# After Ctrl-C, the leaves of a book that is replaced are the same as before.
leaves="book think --leaves --nodes 20000 --hash 1 --net <handwritten>"
check "leaves in one run" $leaves "$trial/input.book" --out "$trial/leaves.book"
"$komadori" $leaves "$trial/input.book" --out "$trial/input.book" >"$trial/stopped" 2>&1 &
pid=$!
await has_lines "$trial/input.book.log" 3
kill -INT $pid
wait $pid
check "leaves in place, stopped" test $? = 1
check "say how to go on" grep -q "to continue from" "$trial/stopped"
check "go on" $leaves "$trial/input.book" --out "$trial/input.book"
check "to the same book" same "$trial/leaves.book" "$trial/input.book"

# Illegal moves of a text are left out, which is reported.
printf '%s\n' "#YANEURAOU-DB2016 1.00" "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1" \
    "7g7f none 10 5 1" "7g7e none 9 5 1" "3i3h+ none 8 5 1" >"$trial/illegal.db"
check "illegal moves" exits 0 "illegal.db: skipped 2 positions or moves that cannot be played or reached" \
    book convert "$trial/illegal.db" --out "$trial/legal.book"

# Errors.
head -c 700 "$trial/one.book" >"$trial/short.book"
# Entries of an Apery book: 3c3d after 7g7f; 7g7f and 2g2f in the start position; 7g7f in no known position.
after='\325\040\162\126\202\037\173\076\025\012\011\0\354\377\377\377'
start='\025\176\255\341\347\216\276\356'
first="$start"'\073\036\036\0\014\0\0\0'
second="$start"'\216\007\012\0\0\0\0\0'
nowhere='\1\0\0\0\0\0\0\0\073\036\1\0\0\0\0\0'
printf "$after$first$second" >"$trial/apery.bin"
printf "$nowhere$after$first$second" >"$trial/part.bin"
printf "$nowhere" >"$trial/nowhere.bin"
printf "$first$after" >"$trial/unsorted.bin"
printf "$after$start"'\216\017\012\0\0\0\0\0' >"$trial/illegal.bin"
printf '\325\040\162\126\202\037\173\076\073\036\011\0\0\0\0\0'"$first" >"$trial/reply.bin"
check "an Apery book" exits 0 "^$trial/apery.bin: whole" book verify "$trial/apery.bin"
check "has moves" exits 0 "^3 moves, 3 of them verified$" book verify "$trial/apery.bin"
check "moves that lead nowhere" exits 0 "^4 moves, 3 of them verified; the start position does not lead to the others$" \
    book verify "$trial/part.bin"
check "do not make it whole" [ "$(grep -c whole "$trial/said")" = 0 ]
check "only such moves" exits 1 "nowhere.bin: the start position leads to none of its moves" book verify "$trial/nowhere.bin"
check "a wrong order" exits 1 "unsorted.bin: not a book" book verify "$trial/unsorted.bin"
check "an illegal move" exits 1 "illegal.bin: it has illegal moves" book verify "$trial/illegal.bin"
check "an illegal reply" exits 1 "reply.bin: it has illegal moves" book verify "$trial/reply.bin"
check "a book that was cut" exits 1 "damaged or cut" book verify "$trial/short.book"
check "no book" exits 1 "not a book in a known format" book info README.md
tr '\n' '\r' <"$trial/one.db" >"$trial/cr.db"
check "lines that end in CR alone" exits 1 "cr.db: contains no positions" book info "$trial/cr.db"
head -n 1 "$trial/one.db" >"$trial/head.db"
check "a book of a header" exits 1 "head.db: contains no positions" book convert "$trial/head.db" --out "$trial/x.book"
check "nothing there" exits 1 "nothing.book: No such file" book info "$trial/nothing.book"
check "no file" exits 1 "No such file" book convert "$trial/none" --out "$trial/x.book"
check "no --out" exits 2 "missing" book convert "$trial/one.book"
check "no games" exits 1 "contains no games" book make README.md --out "$trial/x.book"
check "no position" exits 1 "line [0-9]* is not a position" book think README.md --out "$trial/x.book"
check "no verb" exits 2 "help book" book
tell_counts
