#!/bin/sh
# gendata, data, eval and net on the command line: their files, output and exit status.
# Seconds: 60
# Long: every data command on games that it plays first
# Needs: komadori komadori-kifu
set -u
. tests/checks.sh
need mkfifo
build=${KOMADORI_BUILD:-build/release-native}
komadori=$build/komadori

echo "what was there" >"$trial/kept"
cp "$trial/kept" "$trial/old"

# ---- gendata -----------------------------------------------------------------------------------

# play FILE OPTION...
play() {
    file=$1
    shift
    "$komadori" gendata --out "$file" --nodes 20 --seed 7 --net "<handwritten>" "$@"
}
check "games of one thread" exits 0 "^202 games (black " play "$trial/one.kmd" --games 202
check "of two" play "$trial/two.kmd" --games 202 --threads 2
check "and of three" play "$trial/three.kmd" --games 202 --threads 3
check "are the same file" cmp "$trial/one.kmd" "$trial/two.kmd"
check "all of them" cmp "$trial/one.kmd" "$trial/three.kmd"
against() { play "$@" --games 30 --off-policy 20 --opponent "<internal>" --opponent-share 60; }
check "games against an opponent" exits 0 "^[1-9][0-9]* nodes, [1-9][0-9]* per second of processor time" \
    against "$trial/against.kmd"
check "on three threads" against "$trial/against3.kmd" --threads 3
check "are the same games" cmp "$trial/against.kmd" "$trial/against3.kmd"
check "name both evaluations" exits 0 ", black [0-9a-f]*, white <handwritten>$" "$komadori" data show "$trial/against.kmd"
check "as different players" exits 0 "^mean length [0-9.]* plies, 56.7% between different players" "$komadori" \
    data verify "$trial/against.kmd"
check "another seed" play "$trial/other.kmd" --games 3 --seed 8
check "more threads than games" exits 0 "^3 games (black " play "$trial/few.kmd" --games 3 --seed 8 --threads 5
check "change nothing" cmp "$trial/other.kmd" "$trial/few.kmd"
check "games" play "$trial/repeat.kmd" --games 2
cp "$trial/repeat.kmd" "$trial/repeat"
check "the same games again" exits 0 "repeat.kmd: has the games of this seed already; more need another" play "$trial/repeat.kmd" --games 2
check "other games" exits 1 "repeat.kmd: not overwritten: it has other games; name another file" play "$trial/repeat.kmd" \
    --games 2 --seed 8
check "leave them" cmp "$trial/repeat" "$trial/repeat.kmd"
check "no file" exits 2 "out FILE is missing" "$komadori" gendata --games 3
check "no such folder" exits 1 "its folder does not exist" play "$trial/nowhere/a.kmd" --games 1
check "no such net" exits 1 "gendata: $trial/none.nnue: No such file" "$komadori" gendata --out "$trial/none.kmd" \
    --net "$trial/none.nnue"
cat eval/komadori.nnue >"$trial/input.nnue"
cp "$trial/input.nnue" "$trial/before"
for option in --net --opponent; do
    check "games over the file of $option" exits 1 "input.nnue: not overwritten: this is an input" "$komadori" gendata \
        --out "$trial/input.nnue" "$option" "$trial/../${trial##*/}/input.nnue" --games 1 --nodes 1
    check "leave it" cmp "$trial/before" "$trial/input.nnue"
done

# A move with this many nodes takes more than a minute.
stopped_soon() {
    "$komadori" gendata --out "$trial/old" --nodes 100000000 2>"$trial/err" &
    player=$!
    await grep -q "^0 of 1000 games" "$trial/err"
    kill -INT $player
    ! wait $player && grep -q "gendata: $trial/old: stopped before the first game ended" "$trial/err"
}
check "games that are stopped within a move" stopped_soon
check "leave what was there" untouched "$trial/old"
check "and nothing else" [ ! -e "$trial/old.part" ]

# Write errors are reported at once. A limit on the file size has the same effect as a full disk.
crowded_games() {
    (
        trap '' XFSZ
        ulimit -f 160
        play "$trial/full.kmd" --games 100000
    )
}
check "a file that grows too large" exits 1 \
    "full.kmd: File too large; [0-9]* of 100000 games are in .*/full.kmd.part; run the same" crowded_games
check "is not there" [ ! -e "$trial/full.kmd" ]
check "but its whole games are saved" exits 1 "^files 1, blocks [1-9].*, games [1-9][0-9]*, " \
    "$komadori" data merge --out "$trial/saved.kmd" "$trial"/full.kmd.part
check "by a merger" exits 0 "games [1-9][0-9]*, " "$komadori" data verify "$trial/saved.kmd"
rm "$trial"/full.kmd.part
if [ -c /dev/full ]; then
    check "a device as output" exits 1 "gendata: /dev/full: not a regular file\$" play /dev/full --games 1
else
    skip "a device as output" "there is no /dev/full"
fi

# After being stopped or killed at any moment, the same command continues and produces the same file.
# ended_games SIGNAL SIZE: ends the run when the journal has more than SIZE blocks of 512 bytes.
ended_games() {
    "$komadori" gendata --out "$trial/ended.kmd" --nodes 20 --seed 7 --net "<handwritten>" \
        --games 202 --threads 2 2>"$trial/ended.err" &
    player=$!
    tries=0
    until [ -n "$(find "$trial" -name "ended.kmd.part" -size "+$2")" ] || [ $tries -gt 2400 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    kill "-$1" $player
    wait $player
    [ $tries -le 2400 ] && [ ! -e "$trial/ended.kmd" ]
}
saved_games() { "$komadori" data verify "$trial/ended.kmd.part" | sed -n 's/^files 1, .* games \([0-9]*\), .*/\1/p'; }
check "games that are killed" ended_games KILL 8
check "begin with a line of progress" grep -q "^0 of 202 games$" "$trial/ended.err"
check "and are there, from the first on" [ "$(saved_games)" -ge 10 ]
printf KBLK >>"$trial/ended.kmd.part"
check "games that are stopped, after them" ended_games TERM 24
check "tell how many there are" grep -q "ended.kmd: stopped; $(saved_games) of 202 games are in $trial/ended.kmd.part; run" \
    "$trial/ended.err"
check "are not those of another run" exits 1 "ended.kmd.part: belongs to another run" \
    play "$trial/ended.kmd" --games 202 --off-policy 7
check "nor of fewer games" exits 1 "ended.kmd.part: contains more games than --games" \
    play "$trial/ended.kmd" --games 10
check "go on" exits 0 "^202 games (black " play "$trial/ended.kmd" --games 202
check "to the same end" cmp "$trial/one.kmd" "$trial/ended.kmd"
check "and leave nothing" [ ! -e "$trial/ended.kmd.part" ]

# ---- net test ------------------------------------------------------------------------

# A game that black wins and one that white wins, each resigned in the start position's twentieth move; one has no
# result, and one draws by repetition without saying so.
moves="7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g 8f8b 3i3h 7a7b"
gold="5i5h 5a5b 5h5i 5b5a"
cat >"$trial/games.usi" <<END
startpos moves $moves 1g1f resign
startpos moves $moves resign
startpos moves $moves
startpos moves $gold $gold $gold
END
results() { "$komadori" net test "$@" "$trial/games.usi"; }
check "games with a result" exits 0 "^3 games (black 1, white 1, drawn 1), 9 positions$" results --every 1
check "and one without" exits 0 "^1 game left out: no result" results
check "a network against itself" exits 0 "^network 2 [0-9.]* +- [0-9.]* .* +0.0000 +- 0.0000$" \
    results --net "<internal>" --net "<internal>" --every 1
check "searched" exits 0 "^scores after 100 nodes" results --nodes 100 --every 1
cp "$trial/said" "$trial/said1"
check "on three threads" exits 0 "^scores after 100 nodes" results --nodes 100 --every 1 --threads 3
check "gives the same numbers" cmp "$trial/said1" "$trial/said"
# White has neither rook nor bishop, and resigns: the scores of both sides forecast it.
echo "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b 9g9f" \
    "9c9d 1g1f 1c1d 5i6h 5a4b 4g4f 6c6d 3h4g 7b6c 4i5h resign" >"$trial/clear.usi"
check "a clear case" exits 0 "^network 1 0.00" "$komadori" net test --every 1 "$trial/clear.usi"
echo "startpos moves 7g7f resign" >"$trial/short.usi"
check "no games" exits 1 "no position of a game with a result" "$komadori" net test "$trial/short.usi"
check "no file of games" exits 1 "none.usi: No such file" "$komadori" net test "$trial/none.usi"
check "nodes without games" exits 2 "usage" "$komadori" net info --nodes 100

# ---- data --------------------------------------------------------------------------------------

# A file that an earlier version wrote names only the network that gave the scores.
check "games of version 2 of the format" exits 0 "^# game 1: white won, adjudicated, 35 moves, different players$" \
    "$komadori" data show tests/data/games-version2.kmd
names_nobody() { ! grep -q ", black " "$trial/said"; }
check "whose players it does not name" names_nobody
check "its games" exits 0 "^files 1, blocks 3, games 202, positions [1-9]" \
    "$komadori" data verify "$trial/one.kmd"
scored_plies=$(sed -n 's/^files 1, .* positions \([0-9]*\)$/\1/p' "$trial/said")
# Such short and weak games take more bytes than the usual 1.7.
thousandths=$(sed -n 's/^\([0-9]*\)\.\([0-9]*\) bytes a position$/\1\2/p' "$trial/said")
check "a position takes about 1.79 bytes" [ "$thousandths" -gt 1000 -a "$thousandths" -lt 1850 ]
check "a file of no games" exits 1 "README.md: contains no games" "$komadori" data verify README.md
check "no file" exits 2 "usage" "$komadori" data verify
check "no output" exits 2 "out FILE is missing" "$komadori" data merge "$trial/one.kmd"
check "no such verb" exits 2 "VERB needs verify|show|merge|export|import, not .eat." "$komadori" data eat "$trial/one.kmd"

{ head -c 200 "$trial/one.kmd" && tail -c +202 "$trial/one.kmd"; } >"$trial/hurt.kmd"
check "a file with a byte less" exits 1 "^damaged: " "$komadori" data verify "$trial/hurt.kmd"
check "told by its name" exits 1 "hurt.kmd: damaged: skipped [1-9][0-9]* bytes and 0 inconsistent blocks" \
    "$komadori" data verify "$trial/one.kmd" "$trial/hurt.kmd" "$trial/other.kmd"
check "what is whole of it" exits 1 "^files 1, blocks 2, games 102" \
    "$komadori" data merge --out "$trial/whole.kmd" "$trial/hurt.kmd"
check "is a whole file" exits 0 "games 102" "$komadori" data verify "$trial/whole.kmd"

check "what games are made of" exits 0 "^ends: mate [1-9]" "$komadori" data verify "$trial/one.kmd"
check "of each result" exits 0 "^black won [1-9][0-9]*, white [1-9]" "$komadori" data verify "$trial/one.kmd"
check "a merger" exits 0 "^files 2, blocks 4, games 205" \
    "$komadori" data merge --out "$trial/all.kmd" "$trial/one.kmd" "$trial/other.kmd"
check "holds both" exits 0 "games 205" "$komadori" data verify "$trial/all.kmd"
cat "$trial/one.kmd" "$trial/other.kmd" >"$trial/joined.kmd"
check "as do files that were joined" exits 0 "^files 1, blocks 4, games 205" \
    "$komadori" data verify "$trial/joined.kmd"
check "which a merger" "$komadori" data merge --out "$trial/rejoined.kmd" "$trial/joined.kmd"
check "makes the same of" cmp "$trial/all.kmd" "$trial/rejoined.kmd"
check "a merger with a file that is not there" exits 1 "typo.kmd: No such file" \
    "$komadori" data merge --out "$trial/old" "$trial/one.kmd" "$trial/typo.kmd"
check "leaves what was there" untouched "$trial/old"
check "an export of it" exits 1 "typo.kmd: No such file" \
    "$komadori" data export --out "$trial/old" "$trial/typo.kmd"
check "does so too" untouched "$trial/old"

# Handicap games can be written in this format as well.
check "records of other engines" exits 0 "^[1-9][0-9]* positions written, 0 skipped$" \
    "$komadori" data export --out "$trial/one.psv" "$trial/one.kmd"
scored=$(sed -n 's/ positions written.*//p' "$trial/said")
check "of 40 bytes each" [ "$(wc -c <"$trial/one.psv")" -eq $((scored * 40)) ]
# import_anew OUT RECORDS: an import does not replace the games of an earlier one.
import_anew() { rm -f "$1" && "$komadori" data import --out "$@"; }
check "are games again" exits 0 "^$scored positions written, 0 skipped$" \
    import_anew "$trial/back.kmd" "$trial/one.psv"
counted=$(grep '^files' "$trial/said")
check "which are counted" exits 0 "^$counted$" "$komadori" data verify "$trial/back.kmd"
check "every one" exits 0 "^files 1, blocks [1-9].*, positions $scored$" echo "$counted"
check "records once more" "$komadori" data export --out "$trial/again.psv" "$trial/back.kmd"
check "do not change" cmp "$trial/one.psv" "$trial/again.psv"

cp "$trial/one.psv" "$trial/kept"
check "an export over its input" exits 1 "one.psv: not overwritten: this is an input" \
    "$komadori" data export --out "$trial/one.psv" "$trial/other.kmd" "$trial/./one.psv"
check "leaves it" untouched "$trial/one.psv"
check "an import over its input" exits 1 "one.psv: not overwritten: this is an input" \
    "$komadori" data import --out "$trial/one.psv" "$trial/one.psv"
check "leaves it, too" untouched "$trial/one.psv"
cp "$trial/old" "$trial/kept"
for verb in export merge; do
    check "$verb over the first of a pattern's games" exits 1 "two.kmd: not overwritten: it exists; name another" \
        "$komadori" data $verb --out "$trial/two.kmd" "$trial/other.kmd"
    check "leaves these" cmp "$trial/one.kmd" "$trial/two.kmd"
done
check "and over the first of its records" exits 1 "again.psv: not overwritten: it exists; name another" \
    "$komadori" data import --out "$trial/again.psv" "$trial/one.psv"
check "an import over games" exits 1 "two.kmd: not overwritten: it exists; name another" \
    "$komadori" data import --out "$trial/two.kmd" "$trial/one.psv"
cp "$trial/three.kmd" "$trial/grown.kmd"
check "a merger into one of its inputs" exits 0 "games 205" \
    "$komadori" data merge --out "$trial/grown.kmd" "$trial/grown.kmd" "$trial/other.kmd"
check "adds to it" exits 0 "games 205" "$komadori" data verify "$trial/grown.kmd"

head -c 1010 "$trial/one.psv" >"$trial/cut.psv"
check "a record cut short" exits 1 "cut.psv: 10 bytes at the end are no whole record" \
    "$komadori" data import --out "$trial/old" "$trial/cut.psv"
check "leaves what was there" untouched "$trial/old"
head -c 41 "$trial/one.psv" >"$trial/cut.psv"
check "or by all but a byte" exits 1 "cut.psv: 1 byte at the end is no whole record" \
    "$komadori" data import --out "$trial/old" "$trial/cut.psv"
check "leaves it, too" untouched "$trial/old"
head -c 40 "$trial/one.psv" >"$trial/single.psv"
check "a single record" exits 0 "^1 position written, 0 skipped" \
    import_anew "$trial/single.kmd" "$trial/single.psv"
head -c 4000 /dev/zero >"$trial/zero.psv"
check "no record that can be used" exits 1 \
    "zero.psv: contains no positions: 0 positions written, 100 skipped: 100 not playable positions" \
    "$komadori" data import --out "$trial/old" "$trial/zero.psv"
check "changes nothing" untouched "$trial/old"
: >"$trial/empty.psv"
check "as an empty file" exits 1 "empty.psv: contains no positions" \
    "$komadori" data import --out "$trial/old" "$trial/empty.psv"
check "changes nothing" untouched "$trial/old"

# Byte 34 of a record is the low byte of the move, 35 the high one.
{ head -c 34 "$trial/one.psv" && printf '\377\377' && head -c 80 "$trial/one.psv" | tail -c +37; } >"$trial/moves.psv"
check "a move of another program" exits 0 "^1 position written, 1 skipped: 1 with an illegal move\$" \
    import_anew "$trial/single.kmd" "$trial/moves.psv"
{ head -c 34 "$trial/one.psv" && printf '\000\000' && head -c 80 "$trial/one.psv" | tail -c +37; } >"$trial/moves.psv"
check "no move" exits 0 "^2 positions written, 0 skipped\$" import_anew "$trial/single.kmd" "$trial/moves.psv"
check "is told" exits 0 "^# game 1: .*, no move known, 1 move\$" "$komadori" data show "$trial/single.kmd"

check "a name with blanks" exits 0 "^files 1, " \
    "$komadori" data merge --out "$trial/a  b.kmd" "$trial/other.kmd"
check "to be read" exits 0 "a  b.kmd: net " "$komadori" data verify "$trial/other.kmd" "$trial/a  b.kmd"
check "and imported" exits 1 "^komadori data: $trial/c d.psv: No such file" \
    "$komadori" data import --out "$trial/old" "$trial/c d.psv"
check "and played to" exits 0 "^1 game (black" play "$trial/a b.kmd" --games 1
check "where it says" [ -s "$trial/a b.kmd" ]
check "a whole file" exits 0 "^whole$" "$komadori" data verify "$trial/one.kmd" "$trial/other.kmd"
not_whole() { ! "$komadori" data verify "$trial/one.kmd" "$trial/hurt.kmd" 2>&1 | grep "^whole"; }
check "is not said of one that is damaged" not_whole

# ---- hcpe --------------------------------------------------------------------------------------

check "records of Apery's kin" exits 0 "^$scored positions written, 0 skipped$" \
    "$komadori" data export --out "$trial/one.hcpe" "$trial/one.kmd"
check "of 38 bytes each" [ "$(wc -c <"$trial/one.hcpe")" -eq $((scored * 38)) ]
check "are known as such" exits 0 "one.hcpe: hcpe records$" \
    import_anew "$trial/back.kmd" "$trial/one.hcpe"
check "and are games again" exits 0 "^$scored positions written, 0 skipped$" \
    import_anew "$trial/back.kmd" "$trial/one.hcpe"
check "which are counted" exits 0 "^files 1, blocks [1-9].*, positions $scored$" \
    "$komadori" data verify "$trial/back.kmd"
check "records once more" "$komadori" data export --format hcpe --out "$trial/again" "$trial/back.kmd"
check "do not change" cmp "$trial/one.hcpe" "$trial/again"
check "known without an ending" exits 0 "again: hcpe records$" \
    import_anew "$trial/back.kmd" "$trial/again"
cp "$trial/one.psv" "$trial/wrong.hcpe"
check "and against it" exits 0 "wrong.hcpe: psv records$" \
    import_anew "$trial/back.kmd" "$trial/wrong.hcpe"
cp README.md "$trial/kind"
check "what is neither" exits 1 "kind: not clear whether this is psv or hcpe; use --format$" \
    "$komadori" data import --out "$trial/old" "$trial/kind"
check "is taken for what it is said to be" exits 1 "kind: [0-9]* bytes* at the end\|kind: contains no positions" \
    "$komadori" data import --format hcpe --out "$trial/old" "$trial/kind"
check "changes nothing" untouched "$trial/old"

# ---- show --------------------------------------------------------------------------------------

check "games as text" exits 0 "^# game 3: \(black won\|white won\|drawn\), [a-z ]*, [0-9]* moves" \
    "$komadori" data show "$trial/other.kmd"
cp "$trial/said" "$trial/shown.usi"
check "with their scores" [ "$(grep -c '^# scores: - - .* -*[0-9]' "$trial/shown.usi")" -eq 3 ]
check "are a record of each" exits 0 "" "$build/komadori-kifu" check "$trial/shown.usi"
"$komadori" data verify "$trial/other.kmd" | grep '^black won' | tr -d ' ' >"$trial/counts"
"$build/komadori-kifu" stats "$trial/shown.usi" |
    awk '$1 == "black" { b = $3 } $1 == "white" { w = $3 } $1 == "draws" || $1 == "draw" { d = $2 }
        END { print "blackwon" b + 0 ",white" w + 0 ",drawn" d + 0 ",unknown0" }' >"$trial/stats"
check "and their results" cmp "$trial/counts" "$trial/stats"
check "of a line" [ "$(grep -c '^position sfen ' "$trial/shown.usi")" -eq 3 ]
check "nothing else" [ "$(wc -l <"$trial/shown.usi")" -eq 9 ]
check "games around damage" exits 1 "^komadori data: .*hurt.kmd: damaged: skipped [1-9][0-9]* bytes and 0 inconsistent blocks\$" \
    "$komadori" data show "$trial/hurt.kmd"
cp "$trial/said" "$trial/shown.usi"
check "are records, too" exits 0 "game 102: " "$build/komadori-kifu" check "$trial/shown.usi"
if [ -c /dev/full ]; then
    for verb in merge export; do
        check "a full disk as output of $verb" exits 1 "dev/full: No space left on device\$" \
            "$komadori" data $verb --out /dev/full "$trial/one.kmd" "$trial/two.kmd" "$trial/one.kmd"
    done
    check "and of import" exits 1 "dev/full: No space left on device\$" \
        "$komadori" data import --out /dev/full "$trial/one.psv" "$trial/one.psv"
else
    skip "a full disk as output" "there is no /dev/full"
fi

# ---- net and eval ------------------------------------------------------------------------------

net=eval/komadori.nnue
check "a net that is whole" exits 0 "^network  *[0-9a-f]\{16\}$" "$komadori" net info $net
check "what it is" exits 0 "^hidden  *[1-9]" "$komadori" net info $net
{ head -c 5000 $net && tail -c +5002 $net; } >"$trial/hurt.nnue"
check "a net with a byte less" exits 1 "^komadori net: .*: wrong length" "$komadori" net info "$trial/hurt.nnue"
check "a net that is not there" exits 1 "^komadori net: $trial/none.nnue: No such file" "$komadori" net info "$trial/none.nnue"
check "two nets" exits 2 "usage" "$komadori" net info $net $net
check "no games" exits 2 "usage" "$komadori" net test
check "the start" exits 0 "^evaluation -\{0,1\}[0-9]* for black, to move$" "$komadori" eval
check "another position" exits 0 "for white, to move$" "$komadori" eval sfen \
    l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1
check "by hand" exits 0 "^evaluation 20 for black" "$komadori" eval --net "<handwritten>"
check "by a net that is not there" exits 1 "eval: $trial/none.nnue: No such file" \
    "$komadori" eval --net "$trial/none.nnue"
check "by a net that is none" exits 1 "eval: README.md: not a network" \
    "$komadori" eval --net README.md
check "help on eval" exits 0 "^usage: komadori eval " "$komadori" eval --help
cp $net "$trial/a net.nnue"
check "a net with a blank in its name" exits 0 "^network  *[0-9a-f]" "$komadori" net info "$trial/a net.nnue"
check "looked through" exits 0 "^evaluation " "$komadori" eval --net "$trial/a net.nnue" \
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1"
check "a bad position" exits 2 "column" "$komadori" eval sfen 9/9 b - 1

tell_counts
