#!/bin/sh
# The command book: books are made, grown, merged and converted, in one run, and after being killed.
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
check "a grown book has its positions" exits 0 "^positions 600, " book info "$trial/one.book"
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
await has_lines "$trial/stopped.book.log" 3
kill -INT $pid
wait $pid
check "a stopped run says so" test $? = 1
check "and how to go on" grep -q "to continue from" "$trial/stopped"
check "what it found is a book" exits 0 "^positions [1-9]" book info "$trial/stopped.book"

# Books of different positions, together.
check "another book" book grow --out "$trial/other.book" --positions 50 $quick --window 200
check "merge" book merge "$trial/one.book" "$trial/other.book" --out "$trial/both.book"
check "has the positions of both" exits 0 "^positions 6[0-9][0-9], " book info "$trial/both.book"
check "merge with itself" book merge "$trial/one.book" "$trial/one.book" --out "$trial/again.book"
check "changes nothing" same "$trial/one.book" "$trial/again.book"

# From one format to the other and back.
check "to text" book convert "$trial/one.book" --out "$trial/one.db"
check "and back" book convert "$trial/one.db" --out "$trial/back.book"
check "is the same" same "$trial/one.book" "$trial/back.book"
check "and to text again" book convert "$trial/back.book" --out "$trial/back.db"
check "is the same text" same "$trial/one.db" "$trial/back.db"
check "the book in the program" exits 0 " 7g7f 3c3d " book show "<default>"
check "is looked at as any other" exits 0 "^positions [1-9]" book info "<default>"
for verb in make grow merge convert info show; do
    check "help names $verb" exits 0 "[ .]$verb:" "$komadori" help book
done
check "no record" exits 2 "one.kif: this is the name of a record\|--out: this is the name of a record" \
    book convert "$trial/one.book" --out "$trial/one.kif"
check "also before a search" exits 2 "name of a record" book grow --out "$trial/one.usi" $quick
check "leaves no journal" [ ! -e "$trial/one.usi.log" ]

# From records.
check "make" book make tests/data/kifu/*.csa tests/data/kifu/*.kif --out "$trial/made.book" --max-ply 20
check "with games" exits 0 "games [1-9]" book info "$trial/made.book"
check "and moves" exits 0 " games [1-9].* 7g7f" book show "$trial/made.book"
echo "startpos moves 7g7f 3c3d 2g2f 8c8d" >"$trial/game.usi"
check "two games" book make "$trial/game.usi" "$trial/game.usi" --out "$trial/two.book" --max-ply 3 --min-games 2
check "up to a move" exits 0 "^positions 3, the last of ply 3\$" book info "$trial/two.book"
check "count" exits 0 "games 2 (+0 =0 -0)  7g7f 3c3d 2g2f\$" book show "$trial/two.book"
check "fewer than three" exits 0 "^$trial/three.book: 0 positions" book make "$trial/game.usi" "$trial/game.usi" \
    --out "$trial/three.book" --min-games 3

echo "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b" >"$trial/repeated.usi"
check "a game with repetitions" book make "$trial/repeated.usi" --out "$trial/repeated.book"
check "counts once" exits 0 "games 1 (+0 =[01] -0)  2h3h" book show "$trial/repeated.book" position startpos
: >"$trial/empty.csa"
check "a file without a game" exits 1 "empty.csa: contains no game" book make "$trial/game.usi" "$trial/empty.csa" \
    "$trial/game.usi" --out "$trial/rest.book"
check "does not stop the others" exits 0 "games 2 " book show "$trial/rest.book"
cp "$trial/rest.book" "$trial/rest"
check "a book that was not grown" exits 1 "rest.book: not overwritten: it exists, but not .*rest.book.log" \
    book grow --out "$trial/rest.book" --positions 2 $quick
check "stays" same "$trial/rest" "$trial/rest.book"

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

# The default book, at a small size.
check "the default book is made" env KOMADORI="$komadori" WORK="$trial" \
    sh eval/book.sh "$trial/default" --positions 60 --nodes 200 --hash 1 --threads 1
check "it knows a ranging rook" exits 0 "depth" book show "$trial/default" startpos moves 2h5h

# A book may be replaced by its new version, but no other input by the output.
cp "$trial/game.usi" "$trial/input"
echo startpos >"$trial/starts"
over="not overwritten: this is an input"
check "a book over its games" exits 1 "input: $over" book make "$trial/input" --out "$trial/input"
check "leaves them" same "$trial/game.usi" "$trial/input"
check "a book over its starts" exits 1 "starts: $over" book grow --starts "$trial/starts" \
    --out "$trial/starts" --positions 2 $quick
check "leaves them, too" grep -q startpos "$trial/starts"
cp "$trial/other.book" "$trial/input.book"
check "a book onto itself" book merge "$trial/input.book" --out "$trial/input.book"
check "is that book" same "$trial/other.book" "$trial/input.book"

# Illegal moves of a text are left out, which is reported.
printf '%s\n' "#YANEURAOU-DB2016 1.00" "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1" \
    "7g7f none 10 5 1" "7g7e none 9 5 1" "3i3h+ none 8 5 1" >"$trial/illegal.db"
check "illegal moves" exits 0 "illegal.db: skipped 2 positions or moves that cannot be played or reached" \
    book convert "$trial/illegal.db" --out "$trial/legal.book"

# Errors.
head -c 700 "$trial/one.book" >"$trial/short.book"
check "a book that was cut" exits 1 "damaged or cut" book info "$trial/short.book"
check "no book" exits 1 "not a book in a known format" book info README.md
tr '\n' '\r' <"$trial/one.db" >"$trial/cr.db"
check "lines that end in CR alone" exits 1 "cr.db: contains no positions" book info "$trial/cr.db"
head -n 1 "$trial/one.db" >"$trial/head.db"
check "a book of a header" exits 1 "head.db: contains no positions" book convert "$trial/head.db" --out "$trial/x.book"
check "nothing there" exits 1 "nothing.book: No such file" book info "$trial/nothing.book"
check "no file" exits 1 "No such file" book convert "$trial/none" --out "$trial/x.book"
check "no --out" exits 2 "missing" book convert "$trial/one.book"
check "no games" exits 1 "README.md:[0-9]*: not a move" book make README.md --out "$trial/x.book"
check "no position" exits 1 "line [0-9]* is not a position" book grow --starts README.md --out "$trial/x.book" $quick
check "no position" exits 2 "^komadori book: .*, column 1$" book show "$trial/one.book" foo
check "no verb" exits 2 "help book" book
tell_counts
