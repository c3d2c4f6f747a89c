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
    "$komadori" gendata --out "$file" --nodes 20 --seed 7 --net "<handwritten>" --deep 0 "$@"
}
check "games of one thread" exits 0 "^202 games (black " play "$trial/one.kmd" --games 202
check "of two" play "$trial/two.kmd" --games 202 --threads 2
check "and of three" play "$trial/three.kmd" --games 202 --threads 3
check "are the same file" cmp "$trial/one.kmd" "$trial/two.kmd"
check "all of them" cmp "$trial/one.kmd" "$trial/three.kmd"
deep_games() { play "$@" --games 30 --deep 5 --deep-nodes 300:900 --leaves 9 --label-nodes 20:40 --opponent "<internal>"; }
check "deep searches and an opponent" exits 0 "^[1-9][0-9]* nodes, [1-9][0-9]* per second of processor time" \
    deep_games "$trial/deep.kmd"
check "on three threads" deep_games "$trial/deep3.kmd" --threads 3
check "play the same games" cmp "$trial/deep.kmd" "$trial/deep3.kmd"
for range in 0 900:300 300: :900 300:900:1 1e3; do
    check "no such nodes" exits 2 "gendata: --deep-nodes" play "$trial/none.kmd" --deep-nodes $range
done
check "no list of starts" exits 1 "gendata: $trial/none.sfen: No such file" play "$trial/none.kmd" --starts "$trial/none.sfen"
echo "# lnsgkgsnl no position" >"$trial/none.sfen"
check "none with a position" exits 1 "none.sfen: no line starts with a position" play "$trial/none.kmd" \
    --starts "$trial/none.sfen"
printf '%s\t+12\n\n' "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3" >"$trial/start.sfen"
check "a list of starts" play "$trial/starts.kmd" --games 20 --starts "$trial/start.sfen"
begins_there() { "$komadori" data show "$1" | grep -q "pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"; }
check "some games begin there" begins_there "$trial/starts.kmd"
begins_elsewhere() { ! begins_there "$@"; }
check "no others do" begins_elsewhere "$trial/one.kmd"
check "another seed" play "$trial/other.kmd" --games 3 --seed 8
check "more threads than games" exits 0 "^3 games (black " play "$trial/few.kmd" --games 3 --seed 8 --threads 5
check "change nothing" cmp "$trial/other.kmd" "$trial/few.kmd"
check "another shard" play "$trial/shard.kmd" --games 3 --seed 8 --shard 2/9
check "plays other games" exits 1 "differ" cmp "$trial/other.kmd" "$trial/shard.kmd"
check "no file" exits 2 "out FILE is missing" "$komadori" gendata --games 3
check "no such shard" exits 2 "shard needs I/N, not .10/9." play "$trial/none.kmd" --shard 10/9
check "no such folder" exits 1 "its folder does not exist" play "$trial/nowhere/a.kmd" --games 1
check "no such net" exits 1 "gendata: $trial/none.nnue: No such file" "$komadori" gendata --out "$trial/none.kmd" \
    --net "$trial/none.nnue"
check "sparring games" play "$trial/spar.kmd" --games 10 --sparring 100 --opponent "<internal>"
check "count for both evaluations" exits 0 "^<handwritten> against [0-9a-f]*: 10 games" "$komadori" data stats "$trial/spar.kmd"
check "none between different players" exits 0 "^games 10, 0.0% between different players" "$komadori" data stats \
    "$trial/spar.kmd"
check "no opponent" exits 2 "sparring needs --opponent" play "$trial/none.kmd" --sparring 50
echo startpos >"$trial/input"
cat eval/komadori.nnue >"$trial/input.nnue"
"$komadori" book think "$trial/input" --out "$trial/input.book" --nodes 10 --hash 1 >/dev/null
for input in --net=input.nnue --opponent=input.nnue --starts=input --book=input.book; do
    name=${input#*=}
    cp "$trial/$name" "$trial/before"
    check "games over the file of ${input%=*}" exits 2 "$name: not overwritten: this is an input" "$komadori" gendata \
        --out "$trial/$name" "${input%=*}" "$trial/../${trial##*/}/$name" --games 1 --nodes 1
    check "leave it" cmp "$trial/before" "$trial/$name"
done

# The answer to usi comes after stop; at the end of the input the program waits for the command.
stopped_games() {
    printf 'gendata --out %s --games 100000 --nodes %s\n%s\nusi\n' "$trial/old" "$2" "$1" |
        "$komadori" >"$trial/said"
    grep -q "error gendata: $trial/old: stopped" "$trial/said" && rm -f "$trial/old.part"
}
check "games that are stopped" stopped_games stop 1000
check "leave what was there" untouched "$trial/old"
check "as do those that end with the input" stopped_games side 1000
check "which nobody waits for" untouched "$trial/old"
# A move with this many nodes takes more than a minute.
stopped_soon() {
    start=$(date +%s)
    stopped_games stop 100000000 && { ! timed || [ $(($(date +%s) - start)) -lt 20 ]; }
}
check "games that are stopped within a move" stopped_soon
timed || skip "how soon they stop" "times count in make test TIMING=1 only"
check "leave it as well" untouched "$trial/old"

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
    "$komadori" gendata --out "$trial/ended.kmd" --nodes 20 --seed 7 --net "<handwritten>" --deep 0 \
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
    play "$trial/ended.kmd" --games 202 --deep 7
check "nor of fewer games" exits 1 "ended.kmd.part: contains more games than --games" \
    play "$trial/ended.kmd" --games 10
check "go on" exits 0 "^202 games (black " play "$trial/ended.kmd" --games 202
check "to the same end" cmp "$trial/one.kmd" "$trial/ended.kmd"
check "and leave nothing" [ ! -e "$trial/ended.kmd.part" ]

# ---- net test --results ------------------------------------------------------------------------

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
results() { "$komadori" net test --results "$@" "$trial/games.usi"; }
check "games with a result" exits 0 "^3 games (black 1, white 1, drawn 1), 11 positions$" results --every 5 --plies 0:19
check "and one without" exits 0 "^1 game left out: no result" results --every 5 --plies 5:19
check "a network against itself" exits 0 "^network 2 [0-9.]* +- [0-9.]* .* +0.0000 +- 0.0000$" \
    results --net "<internal>" --net "<internal>" --plies 0:19
check "searched" exits 0 "^scores after 100 nodes" results --nodes 100 --plies 0:19 --every 1 --tsv "$trial/scores.tsv"
cp "$trial/said" "$trial/said1"
check "on three threads" exits 0 "^scores after 100 nodes" results --nodes 100 --plies 0:19 --every 1 \
    --tsv "$trial/scores3.tsv" --threads 3
check "gives the same numbers" cmp "$trial/said1" "$trial/said"
check "for each position" cmp "$trial/scores.tsv" "$trial/scores3.tsv"
# The scores of the first two games are the same, and the results opposite.
is_opposite() {
    awk -F '\t' '$1 == 1 { a[$2] = $5 " " $6; r[$2] = $4 } $1 == 2 { n++; bad += a[$2] != $5 " " $6 || r[$2] + $4 != 1 }
        $1 == 3 { n3++; bad += $4 != 0.5 } END { exit bad || n < 10 || n3 < 5 }' "$1"
}
check "with its result" is_opposite "$trial/scores.tsv"
check "training games" exits 0 "^[0-9]* games (black" "$komadori" net test --results --net "<handwritten>" "$trial/one.kmd"
check "no games" exits 1 "no position of a game with a result" results --plies 300:400
check "no file of games" exits 1 "none.usi: No such file" "$komadori" net test --results "$trial/none.usi"
check "no such plies" exits 2 "net: --plies" results --plies 9:3
check "scores over the games" exits 2 "not overwritten: this is an input" results --tsv "$trial/games.usi"
check "nodes without results" exits 2 "usage" "$komadori" net test --nodes 100 "$trial/games.usi"

# ---- data --------------------------------------------------------------------------------------

# A file that an earlier version wrote names only the network of games between equal players.
check "games of version 2 of the format" exits 0 "^# game 1: white won, adjudicated, 35 moves, different players$" \
    "$komadori" data show tests/data/games-version2.kmd
check "with their network" exits 0 "^116248741533c337 against itself: 2 games, 0 drawn$" \
    "$komadori" data stats tests/data/games-version2.kmd
check "what is in a file" exits 0 "shard 2/9$" "$komadori" data info "$trial/shard.kmd"
check "its games" exits 0 "^files 1, blocks 3, games 202, positions [1-9]" \
    "$komadori" data verify "$trial/one.kmd"
scored_plies=$(sed -n 's/^files 1, .* positions \([0-9]*\)$/\1/p' "$trial/said")
# Such short and weak games take more bytes than the usual 1.7.
thousandths=$(sed -n 's/^\([0-9]*\)\.\([0-9]*\) bytes a position$/\1\2/p' "$trial/said")
check "a position takes about 1.79 bytes" [ "$thousandths" -gt 1000 -a "$thousandths" -lt 1850 ]
check "a file of no games" exits 1 "README.md: contains no games" "$komadori" data info README.md
check "no file" exits 2 "usage" "$komadori" data info
check "no output" exits 2 "out FILE is missing" "$komadori" data merge "$trial/one.kmd"
check "no such verb" exits 2 "VERB needs info|verify|stats|show|merge|export|import|lines, not .eat." "$komadori" data eat "$trial/one.kmd"

{ head -c 200 "$trial/one.kmd" && tail -c +202 "$trial/one.kmd"; } >"$trial/hurt.kmd"
check "a file with a byte less" exits 1 "^damaged: " "$komadori" data verify "$trial/hurt.kmd"
check "told by its name" exits 1 "hurt.kmd: damaged: skipped [1-9][0-9]* bytes and 0 inconsistent blocks" \
    "$komadori" data verify "$trial/one.kmd" "$trial/hurt.kmd" "$trial/other.kmd"
check "what is whole of it" exits 1 "^files 1, blocks 2, games 102" \
    "$komadori" data merge --out "$trial/saved.kmd" "$trial/hurt.kmd"
check "is a whole file" exits 0 "games 102" "$komadori" data verify "$trial/saved.kmd"

check "what games are made of" exits 0 "^ends: mate [1-9]" "$komadori" data stats "$trial/one.kmd"
rm -f "$trial/leaves.kmd"
check "positions of trees" exits 0 "^[0-9]* more games* started by deep searches, [1-9][0-9]* positions of their trees" \
    "$komadori" gendata --out "$trial/leaves.kmd" --games 4 --nodes 50 --deep 8 --leaves 5 --off-policy 20 --seed 3 --net "<handwritten>"
check "told apart from games" exits 0 "^another [1-9][0-9]* positions are from inside trees" "$komadori" data stats "$trial/leaves.kmd"
check "and whole" exits 0 "^whole" "$komadori" data verify "$trial/leaves.kmd"
lines() { "$komadori" data lines --nodes 60 --net "<handwritten>" "$@"; }
rm -f "$trial/lines.kmd"
check "ends of lines" exits 0 "^[1-9][0-9]* positions written, [0-9]* skipped" lines --out "$trial/lines.kmd" "$trial/one.kmd"
ends=$(sed -n 's/ positions written.*//p' "$trial/said")
check "many positions have one" [ "$ends" -gt $((scored_plies / 3)) ]
check "each a game of one move" exits 0 "^games $ends, .* mean length 1.0 plies, $ends positions" \
    "$komadori" data stats "$trial/lines.kmd"
check "on three threads" lines --threads 3 --out "$trial/lines3.kmd" "$trial/one.kmd"
check "the same" cmp "$trial/lines.kmd" "$trial/lines3.kmd"
check "with other labels" lines --lookahead 0 --out "$trial/lines3.kmd" "$trial/one.kmd"
check "not the same" exits 1 differ cmp "$trial/lines.kmd" "$trial/lines3.kmd"
check "of no network" exits 1 "none.nnue: No such file" lines --net "$trial/none.nnue" --out "$trial/old" "$trial/one.kmd"
check "leave what was there" untouched "$trial/old"
check "over their input" exits 1 "one.kmd: not overwritten: this is an input" lines --out "$trial/one.kmd" "$trial/one.kmd"
check "other verbs search nothing" exits 2 "nodes, --lookahead and --threads are only for lines" \
    "$komadori" data stats --nodes 60 "$trial/one.kmd"
check "a game twice" exits 0 "^duplicates: [4-9][0-9]" "$komadori" data stats "$trial/one.kmd" "$trial/two.kmd"
check "a merger" exits 0 "^files 2, blocks 4, games 205" \
    "$komadori" data merge --out "$trial/all.kmd" "$trial/one.kmd" "$trial/other.kmd"
check "holds both" exits 0 "games 205" "$komadori" data verify "$trial/all.kmd"
cat "$trial/one.kmd" "$trial/other.kmd" >"$trial/joined.kmd"
check "as do files that were joined" exits 0 "^files 1, blocks 4, games 205" \
    "$komadori" data verify "$trial/joined.kmd"
check "which a merger" "$komadori" data merge --out "$trial/saved.kmd" "$trial/joined.kmd"
check "makes the same of" cmp "$trial/all.kmd" "$trial/saved.kmd"
check "a merger with a file that is not there" exits 1 "typo.kmd: No such file" \
    "$komadori" data merge --out "$trial/old" "$trial/one.kmd" "$trial/typo.kmd"
check "leaves what was there" untouched "$trial/old"
check "an export of it" exits 1 "typo.kmd: No such file" \
    "$komadori" data export --out "$trial/old" "$trial/typo.kmd"
check "does so too" untouched "$trial/old"

# A pipe blocks the merger until it has been stopped.
stopped_merger() {
    mkfifo "$trial/pipe"
    : >"$trial/said"
    {
        printf 'data merge --out %s %s\nstop\nusi\n' "$trial/old" "$trial/pipe"
        until grep -q usiok "$trial/said"; do sleep 1; done
        cat "$trial/one.kmd" >"$trial/pipe"
    } | "$komadori" >"$trial/said"
    grep -q "error data: $trial/old: not written" "$trial/said"
}
check "a merger that is stopped" stopped_merger
check "leaves it as well" untouched "$trial/old"

# Handicap games can be written in this format as well.
check "records of other engines" exits 0 "^[1-9][0-9]* positions written, 0 skipped$" \
    "$komadori" data export --out "$trial/one.psv" "$trial/one.kmd"
scored=$(sed -n 's/ positions written.*//p' "$trial/said")
check "of 40 bytes each" [ "$(wc -c <"$trial/one.psv")" -eq $((scored * 40)) ]
check "are games again" exits 0 "^$scored positions written, 0 skipped$" \
    "$komadori" data import --out "$trial/back.kmd" "$trial/one.psv"
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
check "an export over the first of a pattern's games" exits 1 "two.kmd: not overwritten: it exists; name another" \
    "$komadori" data export --out "$trial/two.kmd" "$trial/other.kmd"
check "leaves these" cmp "$trial/one.kmd" "$trial/two.kmd"
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
    "$komadori" data import --out "$trial/single.kmd" "$trial/single.psv"
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
    "$komadori" data import --out "$trial/single.kmd" "$trial/moves.psv"
{ head -c 34 "$trial/one.psv" && printf '\000\000' && head -c 80 "$trial/one.psv" | tail -c +37; } >"$trial/moves.psv"
check "no move" exits 0 "^2 positions written, 0 skipped\$" "$komadori" data import --out "$trial/single.kmd" "$trial/moves.psv"
check "is told" exits 0 "^# game 1: .*, no move known, 1 move\$" "$komadori" data show "$trial/single.kmd"

check "a name with blanks" exits 0 "^files 1, " \
    "$komadori" data merge --out "$trial/a  b.kmd" "$trial/other.kmd"
check "to be read" exits 0 "a  b.kmd: net " "$komadori" data info "$trial/other.kmd" "$trial/a  b.kmd"
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
    "$komadori" data import --out "$trial/back.kmd" "$trial/one.hcpe"
check "and are games again" exits 0 "^$scored positions written, 0 skipped$" \
    "$komadori" data import --out "$trial/back.kmd" "$trial/one.hcpe"
check "which are counted" exits 0 "^files 1, blocks [1-9].*, positions $scored$" \
    "$komadori" data verify "$trial/back.kmd"
check "records once more" "$komadori" data export --format hcpe --out "$trial/again" "$trial/back.kmd"
check "do not change" cmp "$trial/one.hcpe" "$trial/again"
check "known without an ending" exits 0 "again: hcpe records$" \
    "$komadori" data import --out "$trial/back.kmd" "$trial/again"
cp "$trial/one.psv" "$trial/wrong.hcpe"
check "and against it" exits 0 "wrong.hcpe: psv records$" \
    "$komadori" data import --out "$trial/back.kmd" "$trial/wrong.hcpe"
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
check "a net that is whole" exits 0 "^whole: [0-9a-f]\{16\}$" "$komadori" net verify $net
check "what it is" exits 0 "^hidden  *[1-9]" "$komadori" net info $net
{ head -c 5000 $net && tail -c +5002 $net; } >"$trial/hurt.nnue"
check "a net with a byte less" exits 1 "^komadori net: .*: wrong length" "$komadori" net verify "$trial/hurt.nnue"
check "a net that is not there" exits 1 "^komadori net: $trial/none.nnue: No such file" "$komadori" net verify "$trial/none.nnue"
check "two nets" exits 2 "usage" "$komadori" net verify $net $net
check "what two are" exits 2 "usage" "$komadori" net info $net $net
check "no net" exits 2 "usage" "$komadori" net verify
scale=$("$komadori" net info $net | awk '/^scale/ { print $2 }')
other=$((scale + 150))
check "another scale" exits 0 "^scale       $other centipawns" \
    "$komadori" net rescale --scale $other --out "$trial/wide.nnue" $net
check "the same numbers" [ "$("$komadori" net verify "$trial/wide.nnue")" = "$("$komadori" net verify $net)" ]
eval_of() { "$komadori" eval --net "$1" sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL b RGgsn5p 1 |
    sed -n 's/^evaluation \(-*[0-9]*\) .*/\1/p'; }
is_scaled() { full=$(($(eval_of $net) * other)) part=$(($(eval_of "$trial/wide.nnue") * scale))
    [ "$full" -gt $((scale * 125)) ] && [ $((full - part)) -lt $((2 * scale)) ] && [ $((part - full)) -lt $((2 * scale)) ]; }
check "which evaluations have" is_scaled
check "the mean of a net and itself" exits 0 "^hidden  *[1-9]" \
    "$komadori" net average --out "$trial/mean.nnue" $net $net
check "is that net" cmp -s "$trial/mean.nnue" $net
check "a mean of different scales" exits 1 "wide.nnue: not the shape and scale of the first network$" \
    "$komadori" net average --out "$trial/mixed.nnue" $net "$trial/wide.nnue"
check "is not written" [ ! -e "$trial/mixed.nnue" ]
check "a mean with a net that is not there" exits 1 "^komadori net: $trial/none.nnue: No such file" \
    "$komadori" net average --out "$trial/mixed.nnue" $net "$trial/none.nnue"
check "a mean of one net" exits 2 "usage" "$komadori" net average --out "$trial/mixed.nnue" $net
check "a mean without a file" exits 2 "usage" "$komadori" net average $net $net
check "a scale without a file" exits 2 "usage" "$komadori" net rescale --scale 500 $net
check "a scale for info" exits 2 "usage" "$komadori" net info --scale 500 $net
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
check "a net with a blank in its name" exits 0 "^whole: " "$komadori" net verify "$trial/a net.nnue"
check "looked through" exits 0 "^evaluation " "$komadori" eval --net "$trial/a net.nnue" \
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1"
check "a bad position" exits 2 "column" "$komadori" eval sfen 9/9 b - 1

tell_counts
