#!/bin/sh
# The command mate: files, uniqueness and exit status.
# Needs: komadori komadori-kifu
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-build/release-native}/komadori

# mate ARGUMENTS...: solves with a small table.
mate() { "$komadori" mate --hash 4 "$@"; }

mate1="4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
hard="4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1"
check "a position" exits 0 "^mate in 1," mate "$mate1"
check "an undecided position" exits 1 "^undecided," mate --nodes 1000 "$hard"
check "a single node" exits 0 "^no mate, 1 node, " mate "4k4/9/9/9/9/9/9/9/9 b - 1"
check "a bad position" exits 2 "column" mate "9/9 b - 1"

# A rook mates from a distance; the drop that delays it is futile, and capturing it mates either way.
check "futile drops at the end" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate \
    --check-unique "8k/9/6NG1/9/9/9/9/9/R8 b p 1"
# The composer's line leaves futile drops out. The line with them has moves with pieces won from drops.
composed() { # SFEN LENGTH: the line has that many moves and is unique
    mate --check-unique "$1" >"$trial/composed" &&
        sed -n 's/^mate.*s: //p' "$trial/composed" | awk -v n="$2" '{ exit NF != n }' &&
        grep "^mate in [0-9]* ($2 without futile drops)" "$trial/composed" &&
        grep "^  unique: 0 other mates, 0 checks undecided$" "$trial/composed"
}
check "a lance from a distance" composed "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1" 11
check "a lance from the other side, nearer" composed "2p6/k8/9/2P6/+P8/9/9/L8/9 b G2r2b3g4s4n3l15p 1" 11
check "a rook and a knight to drop" composed "k8/9/1G7/9/9/9/9/9/8R b n 1" 5
check "a mate at once but for drops" composed "8k/9/6NG1/9/9/9/9/9/R8 b 2p 1" 1
check "its record" exits 0 "" mate --check-unique --kif "$trial/composed.kifu" "k8/9/1G7/9/9/9/9/9/8R b n 1"
check "has the composer's line" exits 0 "game 1: 5 moves, " "${komadori}-kifu" check "$trial/composed.kifu"
check "and the verdict" exits 0 "^\*mate in 7 (5 without futile drops)$" cat "$trial/composed.kifu"
check "on the line" exits 0 "^\*  unique: 0 other mates, 0 checks undecided$" cat "$trial/composed.kifu"
check "a mate in one" exits 0 "^  unique: 0 other mates" mate --check-unique "$mate1"
check "one other mate" exits 0 "^  not unique: 1 other mate, 1 check undecided$" mate --check-unique \
    "9/3+N1k3/6p+N+B/8+R/9/9/4S4/3p5/9 b rb4g3s2n4l16p 35"
check "a check for others under limits of time" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate \
    --check-unique --time 60 --cpu 60 "8k/9/6NG1/9/9/9/9/9/R8 b p 1"
# A check whose answers need more than 200,000 nodes is judged as long as the time lasts.
long_check="6S2/7gk/5G2r/8G/9/9/9/9/9 b Gr2b3s4n4l18p 1"
check "a hard check without a limit" exits 0 "^  undecided: 0 other mates, 1 check undecided$" mate --check-unique "$long_check"
check "a hard check under a limit of time" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate --check-unique \
    --time 600 "$long_check"
check "under a limit of processor time" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate --check-unique \
    --cpu 600 "$long_check"
check "the same check without promotion" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate --check-unique \
    "4G2k1/9/6R2/9/9/9/9/9/9 b G 1"
# If a shorter mate may exist, the line is not judged.
judges_shortest() {
    mate --check-unique --nodes 1 "8k/9/7G1/5R3/9/9/9/9/9 b s 1" >"$trial/said"
    if grep -q "^mate in 5 or less" "$trial/said"; then
        grep "^  undecided: the mate may not be the shortest$" "$trial/said"
    else
        grep "^mate in 5" "$trial/said" && ! grep "may not be the shortest" "$trial/said"
    fi
}
check "only the line of a shortest mate is judged" judges_shortest

# Two golds beside a bare king: several first moves mate.
check "several lines" exits 0 "^  line 2: mate in 1: " mate --shortest --lines 3 \
    "4k4/9/4G4/9/9/9/9/9/9 b GS2r2b2g3s4n4l18p 1"
lines="5R3/9/9/6k1S/9/9/4N4/9/9 b GLr2b3g3s3n3l18p 1"
check "lines that may not be the shortest" exits 0 "^  line 3: mate in [0-9]* or less: " mate --lines 3 "$lines"
check "the shortest lines" exits 0 "^  line 3: mate in 9: " mate --lines 3 --shortest "$lines"
check "nobody to mate" exits 2 "has no king" mate "9/9/4P4/9/9/9/9/9/4K4 b G 1"
printf '%s\n9/9/4P4/9/9/9/9/9/4K4 b G 1\n' "$mate1" >"$trial/kingless.tsv"
check "nobody to mate in a file" exits 1 "^line 2 cannot be solved: .*no king" mate "$trial/kingless.tsv"

# The defender's side. The first problem and its reply: one move shorter, in the same line.
defended="sfen 7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
check "a mate in seven" exits 0 "^mate in 7 (5 without futile drops), " mate --shortest $defended
check "its defender after the first move" exits 0 "^mated in 6 (4 without futile drops), .*: 2b" mate --shortest \
    $defended moves 4b3a+
check "the only moves that mate him" exits 0 "^  unique: 0 other mates, 0 checks undecided$" mate --check-unique \
    --kif "$trial/defence.kifu" $defended moves 4b3a+
check "the record of a defence" exits 0 ": 4 moves, [0-9]* variation" "${komadori}-kifu" check "$trial/defence.kifu"
check "says what it is" exits 0 "^[*]mated in 6 (4 without futile drops)$" cat "$trial/defence.kifu"
check "a defender who escapes" exits 0 "^escapes, .*: 5a[46]a$" mate "4k4/4P4/9/9/9/9/9/9/9 w G2r2b3g4s4n4l17p 1"
check "a defender who is mated" exits 0 "^mated already, [^:]*$" mate "4k4/4G4/4P4/9/9/9/9/9/9 w r 1"
check "a defender with futile drops only" exits 0 "^mated in 2 (0 without futile drops), " mate "+R7k/9/6NG1/9/9/9/9/9/9 w p 1"
check "two kings" exits 0 "^no mate, " mate "8k/8L/6SG1/9/9/9/9/9/4K4 w - 1"
check "of which one defends" exits 0 "^mated in 2, .*: 1a2a [0-9+a-i]*$" mate --defence "8k/8L/6SG1/9/9/9/9/9/4K4 w - 1"
check "a mate with the option" exits 0 "^mate in 1," mate --defence "$mate1"
check "a brinkmate against no king" exits 2 "has no king$" "$komadori" hisshi "4k4/4P4/9/9/9/9/9/9/9 w G 1"
check "a helpmate against no king" exits 2 "has no king$" mate --help-mate 3 "4k4/4P4/9/9/9/9/9/9/9 w G 1"
printf 'sfen\tlength_all_drops\n%s\t2\n%s\tnomate\n' "8k/8L/6SG1/9/9/9/9/9/9 w - 1" \
    "4k4/4P4/9/9/9/9/9/9/9 w G 1" >"$trial/defenders.tsv"
check "a file of defenders" exits 0 "^all  *2 of  *2 decided, 0 wrong, .* 1 of  *1 lengths" mate "$trial/defenders.tsv"

# A gold and a rook against a bare king: helpmates in three, each reported.
check "helpmates" exits 0 "^helpmate in 3, [1-9][0-9]* solutions," mate --help-mate 5 "4k4/9/9/9/9/9/9/9/9 b GR 1"
counts_lines() {
    lines=$(grep -c "^ : " "$trial/said")
    grep "^helpmate in 3, $lines solutions" "$trial/said"
}
check "all of them" counts_lines
check "their record" exits 0 "^helpmate in 3, " mate --help-mate 5 --kif "$trial/help.kif" "4k4/9/9/9/9/9/9/9/9 b GR 1"
check "has every solution" exits 0 ": 3 moves, $((lines - 1)) variation.*, mate" "${komadori}-kifu" check "$trial/help.kif"
check "a helpmate's table that does not fit" exits 0 "cannot allocate 1048576 MB; the hash table has" mate \
    --help-mate 5 --hash 1048576 "4k4/9/9/9/9/9/9/9/9 b GR 1"
check "one helpmate" exits 0 "^helpmate in 1, 1 solution," mate --help-mate 1 "8k/9/8P/9/9/9/9/9/9 b GS"
check "no helpmate" exits 0 "^no helpmate in 3," mate --help-mate 3 "4k4/9/9/9/9/9/9/9/9 b P 1"
check "helpmates under a limit" exits 1 "^undecided," mate --help-mate 9 --nodes 1000 "9/9/9/9/4k4/9/9/9/9 b 2B4N 1"

# Brinkmates, from a game and in a position without one, and solutions as records.
brink="1ng4nl/1r4k2/lppp1ps1p/p5p2/5G1p1/PPbPPP3/1+b1gS1PPP/2GR5/LNK3SNL w S2p 1"
hisshi() { "$komadori" hisshi --hash 64 "$@"; }
records() { "${komadori}-kifu" check "$@"; }
check "a brinkmate" exits 0 "^brinkmate in 1, [0-9].*: 6g5g " hisshi --kif "$trial/brink.kif" "$brink"
check "its record" exits 0 "^.*: 35 moves, 8[0-9]* variations, mate" records "$trial/brink.kif"
check "no brinkmate" exits 0 "^no brinkmate in 3," hisshi --moves 3 "4k4/9/9/9/9/9/9/9/9 b 2p 1"
check "a mate instead" exits 0 "^mate by checks alone," hisshi "$mate1"
printf 'sfen\tknown_length\n%s\t1\n%s\t0\n' "$brink" "$mate1" >"$trial/brink.tsv"
check "a file of brinkmates" exits 0 "^all  *2 of  *2 decided, 0 wrong, .* 2 of  *2 lengths" hisshi \
    --moves 1 "$trial/brink.tsv"
printf 'sfen\tknown_length\n%s\tnone\n' "$brink" >"$trial/wrong.tsv"
check "a wrong one" exits 1 "^all .* 1 wrong" hisshi --moves 1 "$trial/wrong.tsv"
check "the solution of a mate" exits 0 "^mate in 3 " mate --kif "$trial/mate.kifu" "8k/9/6NG1/9/9/9/9/9/R8 b p 1"
check "its record" exits 0 ": 1 move, [0-9]* variations" records "$trial/mate.kifu"
other="3k5/9/3P5/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
printf '%s\n9/9/9/9/9/9/9/9/4K4 b - 1\n%s\n' "$mate1" "$other" >"$trial/set.txt"
check "the solutions of a file" exits 1 "2 of  *3 decided" mate --kif "$trial/set.kif" "$trial/set.txt"
check "are records by problem" exits 0 "set-3.kif game 1: 1 move, .*, mate" records "$trial/set.kif" "$trial/set-3.kif"
check "and no more" [ "$(ls "$trial" | grep -c '^set.*[.]kif$')" = 2 ]
mate --kif "$trial/set.csa" "$trial/set.txt" >/dev/null
printf '手数----指手\n   1 ７六歩(77)\n   2 ７六歩(77)\n' >"$trial/bad.kif"
check "a record as the problem" exits 0 "^all  *1 of  *1 decided" mate "$trial/set-3.kif"
check "is solved from its start" grep -q "^3k5/9/3P5/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1$" "$trial/said"
check "a record with an error" exits 1 "^komadori mate: .*bad.kif:[0-9]*: " mate "$trial/bad.kif"
check "a record that is not there" exits 1 "^komadori mate: .*nowhere.kif: No such file" mate "$trial/nowhere.kif"
printf '%s\n' "position sfen $mate1 moves G*5b" "sfen $other moves G*6b resign" "startpos moves 7g7f" >"$trial/lines.usi"
check "lines of USI as problems" exits 0 "^all  *3 of  *3 decided" mate "$trial/lines.usi"
check "are solved before their moves" [ "$(grep -c "^mate in 1, " "$trial/said")" = 2 ]
check "or one file where games can follow each other" exits 0 "game 2: 1 move, .*, mate" records "$trial/set.csa"
check "a folder that is not there" exits 1 "nodir/set.kif: its folder does not exist" mate --kif "$trial/nodir/set.kif" \
    "$trial/set.txt"
check "is told before the search" [ ! -s "$trial/said" ]
mkdir "$trial/set-3.ki2"
check "several games as problems" exits 0 "^all  *2 of  *2 decided" mate "$trial/set.csa"
check "a solution that cannot be written" exits 1 "/set-3.ki2: Is a directory" mate --kif "$trial/set.ki2" "$trial/set.txt"
sed 's/^+0052KI$/+0053KI/' "$trial/set.csa" >"$trial/damaged.csa"
check "several games, one with an error" exits 1 "^all  *2 of  *2 decided" mate "$trial/damaged.csa"
check "is told" grep -q "^komadori mate: .*damaged.csa:[0-9]*: move 1: " "$trial/err"

# Ctrl-C keeps the solutions so far. The second problem has no answer within the time of a test.
printf '%s\n' "$mate1" "4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1" >"$trial/long.txt"
"$komadori" mate --hash 4 --kif "$trial/long.usi" "$trial/long.txt" >"$trial/long.out" 2>/dev/null &
pid=$!
await grep -q "^mate in 1," "$trial/long.out"
kill -INT $pid
wait $pid
check "a run that is ended" test $? = 1
check "says what it solved" grep -q "^all  *1 of  *2 decided" "$trial/long.out"
check "and keeps it" grep -q "^position sfen 4k4/9/4P4/.* moves " "$trial/long.usi"
printf '%s\n' "$mate1" >"$trial/problem.sfen"
cp "$trial/problem.sfen" "$trial/problem"
for solver in mate hisshi; do
    check "a solution of $solver over its problem" exits 1 "problem.sfen: not overwritten: this is an input" $solver \
        --kif "$trial/problem.sfen" "$trial/problem.sfen"
    check "leaves it" cmp "$trial/problem" "$trial/problem.sfen"
    cp "$trial/problem" "$trial/problem.sfen"
done
cp tests/data/kifu/g001.kif "$trial/one.kif"
cp tests/data/kifu/g001.kif "$trial/other.kif"
check "a solution over another problem" exits 1 "one.kif: not overwritten: it exists" mate \
    --kif "$trial/one.kif" "$trial/other.kif"
check "leaves it" cmp "$trial/one.kif" "$trial/other.kif"
cp "$trial/set.txt" "$trial/many-3.kif"
check "the solution of the third problem over the problems" exits 1 "many-3.kif: not overwritten: this is an input" mate \
    --kif "$trial/many.kif" "$trial/many-3.kif"
check "is not begun" [ ! -e "$trial/many.kif" ]
check "leaves them" cmp "$trial/set.txt" "$trial/many-3.kif"
check "a record of no format" exits 2 "unknown file name extension" mate --kif "$trial/mate.xyz" "$mate1"

printf '%s\tmixed\n' "$mate1" >"$trial/plain.tsv"
printf '\357\273\277category\tsfen\tknown_length\none\t%s\t1\n' "$mate1" >"$trial/marked.tsv"
tabs=$(printf '\t%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
printf '%ssfen\tknown_length\n%s%s\t1\n' "$tabs" "$tabs" "$mate1" >"$trial/wide.tsv"
: >"$trial/empty.tsv"
check "a list of positions" exits 0 "^all  *1 of  *1 decided" mate "$trial/plain.tsv"
check "a byte-order mark" exits 0 "^all  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" mate "$trial/marked.tsv"
check "the 17th and 18th column" exits 0 "^all  *1 of  *1 decided, 0 wrong, .* 1 of  *1 as players" mate \
    "$trial/wide.tsv"
check "an empty file" exits 1 "no problem to solve" mate "$trial/empty.tsv"
# judged OPTIONS KNOWN EXACT SFEN REMARK: the answer to a row with these lengths has the remark, or none.
judged() {
    printf 'sfen\tknown_length\tlength_all_drops\n%s\t%s\t%s\n' "$4" "$2" "$3" >"$trial/row.tsv"
    # shellcheck disable=SC2086
    "$komadori" $1 --hash 16 "$trial/row.tsv" >"$trial/said"
    case $5 in
    '') grep " s[:,]*" "$trial/said" | grep -v "WRONG\|length\|shorter\|cannot" ;;
    *) grep -F -e "$5" "$trial/said" ;;
    esac
}
mate3="4G2k1/9/6R2/9/9/9/9/9/9 b G 1"
none="4k4/9/9/9/9/9/9/9/9 b P 1"
check "a mate of the known length" judged "mate --shortest" 3 3 "$mate3" ""
check "a mate where there is none" judged "mate --shortest" nomate "" "$mate3" ", WRONG (known_length nomate)"
check "with all drops" judged "mate --shortest" "?" nomate "$mate3" ", WRONG (length_all_drops nomate)"
check "no mate where there is one" judged "mate --shortest" 5 "" "$none" ", WRONG (known_length 5)"
check "no mate, rightly" judged "mate --shortest" nomate nomate "$none" ""
check "a mate that is longer" judged "mate --shortest" "" 1 "$mate3" ", WRONG (length_all_drops 1)"
check "a mate that is shorter" judged "mate --shortest" "" 5 "$mate3" ", shorter (length_all_drops 5)"
check "another length as players count" judged "mate --shortest" 5 3 "8k/9/6NG1/9/9/9/9/9/R8 b p 1" ", other length (known_length 5)"
check "a length that is no number" judged "mate --shortest" 3x "" "$mate3" "line 2 cannot be read: known_length is not a number of plies"
check "a length that is 0" judged "mate --shortest" "" 0 "$mate3" "line 2 cannot be read: length_all_drops is not a number of plies"
check "a brinkmate that is shorter" judged "hisshi --moves 3" 3 "" "$brink" ", WRONG (known_length 3)"
check "a brinkmate beyond the search" judged "hisshi --moves 1" 3 "" "4k4/9/9/9/9/9/9/9/9 b 2p 1" ""
check "a number of moves that is none" judged "hisshi --moves 1" nomate "" "$brink" "line 2 cannot be read: known_length is not a number of moves"
check "a helpmate of the known length" judged "mate --help-mate 5" "" 3 "4k4/9/9/9/9/9/9/9/9 b GR 1" ""
check "a helpmate that is shorter" judged "mate --help-mate 5" 5 "" "4k4/9/9/9/9/9/9/9/9 b GR 1" ", shorter (known_length 5)"
check "a helpmate that is longer" judged "mate --help-mate 5" 1 "" "4k4/9/9/9/9/9/9/9/9 b GR 1" ", WRONG (known_length 1)"

printf '\n# one problem\nsfen\tknown_length\nsfen %s\t1\n' "$mate1" >"$trial/late.tsv"
check "remarks before the names of columns" exits 0 "^all .* 0 wrong, .* 1 of  *1 as players" mate "$trial/late.tsv"
printf '# a problem\nsfen %s\n' "$mate1" >"$trial/words.tsv"
check "a position behind sfen" exits 0 "^all  *1 of  *1 decided" mate "$trial/words.tsv"
check "a file that is not there" exits 1 "^komadori mate: .*: No such file" mate "$trial/nowhere.tsv"

# The file says 3, then 1 for a mate in 3; the last count is cut short by the limit.
printf 'sfen\tlength_all_drops\n%s\t3\n' "$mate1" >"$trial/shorter.tsv"
printf 'sfen\tlength_all_drops\n8k/9/6NG1/9/9/9/9/9/R8 b p 1\t1\n' >"$trial/longer.tsv"
printf 'sfen\tknown_length\n8k/9/7G1/5R3/9/9/9/9/9 b s 1\t5\n' >"$trial/players.tsv"
check "a mate shorter than known" exits 0 "^all .* 0 wrong, 1 shorter, " mate "$trial/shorter.tsv"
check "its line" grep -q "^mate in 1, .* s, shorter (length_all_drops 3): G\*5b$" "$trial/said"
check "a mate longer than known" exits 1 "^all .* 1 wrong, 0 shorter, " mate "$trial/longer.tsv"
check "its line" grep -q "^mate in 3.* s, WRONG (length_all_drops 1): " "$trial/said"
check "a count cut short" exits 0 "^mate in 5.* s: " mate --nodes 1 "$trial/players.tsv"
check "a whole count" exits 0 "^mate in 5, .* s: " mate "$trial/players.tsv"

printf 'sfen\tknown_length\n8k/9/7G1/5R3/9/9/9/9/9 b s 1\t3\n' >"$trial/players.tsv"
check "another length" exits 0 "^mate in 5, .* s, other length (known_length 3): [1-9]" mate "$trial/players.tsv"

# Composers' positions may break a rule, and leave out the pieces that the defender holds.
nifu="4k4/9/4P4/9/9/9/9/4P4/9 b G 1"
check "two pawns on a file" exits 0 "^mate in 1, .*: G\*5b$" mate "$nifu"
check "are noted" grep -q "^  note: two pawns of one side on a file (nifu), column [1-9]" "$trial/said"
check "with moves too" exits 0 "^mate in 1, .*: G\*5b$" mate "$nifu" moves 5h5g 5a4a 5g5f 4a5a
echo "$nifu" >"$trial/nifu.txt"
check "in a file" exits 0 "^  note: two pawns of one side on a file (nifu)" mate "$trial/nifu.txt"
printf 'V2.2\nP1 *  *  *  * -OU *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \nP8 *  *  *  * +FU *  *  *  * \nP+00KI\n+\n' \
    >"$trial/nifu.csa"
check "in a record" exits 0 "^  note: two pawns of one side on a file (nifu)" mate "$trial/nifu.csa"
check "a pawn that can never move" exits 0 "^mate in 1, .*" mate "P3k4/9/4P4/9/9/9/9/9/9 b G 1"
check "is noted" grep -q "^  note: .*, column 1$" "$trial/said"
check "two kings are an error" exits 2 "column" mate "k3k4/9/4P4/9/9/9/9/9/9 b G 1"
check "a perft of two pawns also" exits 2 "nifu" "${komadori}" perft 1 "$nifu"
far="8k/9/6NG1/9/9/9/9/9/R8 b"
check "the missing pieces are nowhere" exits 0 "^mate in 1, " mate --shortest "$far - 1"
check "or with the defender" exits 0 "^mate in 15 (1 without futile drops), " mate --shortest --add-missing "$far - 1"
check "as if they were given" exits 0 "^mate in 15 (1 without futile drops), " mate --shortest "$far r2b3g4s3n4l18p 1"

printf '%s\n%s\n' "$mate1" "$mate1" >"$trial/two.tsv"
once() { [ "$(grep -c "cannot allocate" "$trial/err")" -eq 1 ]; }
check "a table that does not fit" exits 0 \
    "^komadori mate: cannot allocate 1048576 MB; the hash table has [0-9]" \
    mate --hash 1048576 "$trial/two.tsv"
check "is told once" once

# piped TEXT ARGUMENTS...: what is solved comes from standard input.
piped() { text=$1; shift; printf '%b' "$text" | "$@"; }
solves_piped() { piped "$@" >"$trial/said" 2>"$trial/err"; grep "^all  *1 of  *1 decided" "$trial/said"; }
for solver in mate hisshi; do
    check "$solver: a problem from standard input" solves_piped "$mate1\n" $solver -
    check "$solver: a table" solves_piped "sfen\tknown_length\n$mate1\t?\n" $solver -
    "${komadori}-kifu" convert "$trial/problem.sfen" --to kif -o "$trial/problem.kif"
    check "$solver: a record" solves_piped "$(cat "$trial/problem.kif")\n" $solver -
    check "$solver: nothing" exits 1 "no problem to solve" $solver -
done
record_fault() { piped '   1 ７六歩(77)\n   2 ７六歩(77)\n' mate - 2>"$trial/err"; [ $? = 1 ] && grep "^komadori mate: -:2: " "$trial/err"; }
check "a record with an error from standard input" record_fault
typed_stdin() { printf 'mate -\nside\n' | "$komadori" | tr '\n' ' ' | grep "info string error mate: -: give a file name"; }
echo "$mate1 id \"one\";" >"$trial/one.epd"
echo "$mate1" >"$trial/one.sfen"
for to in epd usen csa; do
    "${komadori}-kifu" convert "$trial/one.sfen" --to $to -o "$trial/one.$to" --quiet
    cp "$trial/one.$to" "$trial/$to.txt"
    check "a problem in $to" exits 0 "^all  *1 of  *1 decided" mate "$trial/one.$to"
    check "whatever its name" exits 0 "^all  *1 of  *1 decided" mate "$trial/$to.txt"
done
check "solutions in one file" exits 0 "^all  *2 of  *2 decided" mate "$trial/two.tsv" --kif "$trial/two.csa"
check "are games of it" exits 0 "^2 games, " "${komadori}-kifu" convert "$trial/two.csa" --to kif -o "$trial/two/"
futile="8k/8p/9/9/9/9/9/9/R6L1 b r2b4g4s4n3l17p 1"
check "a mate before futile drops" exits 0 "^mate in .* (1 without" mate "$futile" --kif "$trial/futile.kifu"
check "ends there" grep -q "^ *2 詰み" "$trial/futile.kifu"
lined="8k/9/8G/9/9/9/9/9/9 b G 1"
check "several mates" exits 0 "line 2: mate in 1: G\*[12]b" mate --lines 2 "$lined" --kif "$trial/lined.kifu"
check "are variations" grep -q "^変化：1手" "$trial/lined.kifu"
check "typed, standard input is the session's" typed_stdin

check "nothing to solve" exits 2 "usage" "$komadori" mate
check "options alone" exits 2 "usage" mate --shortest
check "an empty name" exits 2 "usage" mate ""
check "an option behind a file" exits 0 "^all  *1 of  *1 decided" mate "$trial/plain.tsv" --shortest
check "an option behind a position" exits 0 "^mate in 1," mate "$mate1" --threads 1
# shellcheck disable=SC2086
check "an option behind words" exits 0 "^mate in 1," mate sfen $mate1 --shortest
check "an unknown option behind a file" exits 2 "unknown option .--fast." mate "$trial/plain.tsv" --fast
check "two inputs" exits 2 "usage" mate "$trial/plain.tsv" --shortest "$trial/plain.tsv"

mkdir "$trial/two words"
cp "$trial/plain.tsv" "$trial/two words/a b.tsv"
check "a file whose name has blanks" exits 0 "^all  *1 of  *1 decided" mate "$trial/two words/a b.tsv"
check "an option behind it" exits 0 "^all  *1 of  *1 decided" mate "$trial/two words/a b.tsv" --shortest
check "one that is not there" exits 1 "^komadori mate: .*/no where.tsv: " mate "$trial/no where.tsv"
check "two files" exits 2 "usage" mate "$trial/plain.tsv" "$trial/two.tsv"
check "the start by its word" exits 0 "^no mate," mate startpos
check "a board alone" exits 2 "side to move is neither b nor w, column 22" mate 4k4/9/4P4/9/9/9/9/9/9
check "a position with a damaged side" exits 2 "column" mate "4k4/9/4P4/9/9/9/9/9/9 x G 1"
printf 'sfen\tknown_length\n%s\tnone\n%s\tno mate\n%s\t?\n' "$mate1" "$mate1" "$mate1" >"$trial/lengths.tsv"
check "unreadable lengths" exits 1 "^all  *1 of  *3 decided, 0 wrong" mate "$trial/lengths.tsv"
check "the first" grep -q "^line 2 cannot be read: known_length is not a number of plies, nomate or ?$" "$trial/said"
printf 'sfen\tknown_length\n%s\tnomate\n' "$mate1" >"$trial/lengths.of.brinks.tsv"
check "lengths of brinkmates" exits 1 "^line 2 cannot be read: known_length is not a number of moves, none or ?$" hisshi \
    "$trial/lengths.of.brinks.tsv"
typed() { printf 'position sfen %s\nmate --hash 4\n' "$mate1" | "$komadori" | grep "^mate in 1,"; }
check "typed, it is the position at hand" typed

printf 'id\tsfen\n1\t%s\n\n2\tbogus\n3\t9/9 b - 1\n' "$mate1" >"$trial/bad.tsv"
check "a bad row" exits 1 "^line 4 cannot be read: [a-z].*, column [1-9]" mate "$trial/bad.tsv"
check "another" grep -q "^line 5 cannot be read: " "$trial/said"
check "the others" grep -q "^mate in 1," "$trial/said"
printf 'abc\n\351t\351\n' >"$trial/game.txt"
check "a file of another kind" exits 1 "^line 2 cannot be read: " mate "$trial/game.txt"
ascii() { ! LC_ALL=C grep -q "[^ -~]" "$trial/said"; }
check "is not repeated" ascii

tell_counts
