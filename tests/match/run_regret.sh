#!/bin/sh
# Compares moves of fake engines with komadori-match -regret, and tests the scripts of bench for it. usage:
# BUILD=build/release-native sh tests/match/run_regret.sh
set -u
. tests/checks.sh
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}"
dir=$trial
out=$dir/said
match=$KOMADORI_BUILD/komadori-match
fake="cmd=$KOMADORI_BUILD/match/fakeengine"

says() { grep -q -e "$1" "$out" || { tail -n 11 "$out" | sed 's/^/      > /' && false; }; }

# Positions from games of the fake engine.
"$match" -engine name=a "$fake" -engine name=b "$fake" arg=seed=7 -each nodes=1 -rounds 10 -maxmoves 120 \
    -norepeat -furigoma -quiet -usiout "$dir/games.usi" >"$out" 2>&1
check "positions from games" bench/sample.sh "$dir/games.usi" 12 5
cp "$dir/out" "$dir/positions"
check "as many as are wanted" [ "$(sort -u "$dir/positions" | wc -l)" = 12 ]
bench/sample.sh "$dir/games.usi" 12 5 | cmp -s - "$dir/positions"
check "the same again" [ $? = 0 ]
bench/sample.sh "$dir/games.usi" 12 6 | cmp -s - "$dir/positions"
check "others with another seed" [ $? = 1 ]
check "too few games" exits 1 "bench/sample.sh: only" bench/sample.sh "$dir/games.usi" 5000

# regret NAME ARGUMENTS...: writes the files $dir/NAME.*, the output to $out, the status to $ended.
regret() {
    name=$1
    shift
    "$match" -engine name=judge "$fake" arg=scores nodes=500 -engine name=left "$fake" \
        -engine name=right "$fake" arg=seed=7 -openings file="$dir/positions" -quiet -regret csv="$dir/$name.csv" \
        table="$dir/$name.md" svg="$dir/$name.svg" nodes=10,20 scale=300 worst=3 "$@" >"$out" 2>&1
    ended=$?
}

regret whole
check "exit status" [ "$ended" = 0 ]
check "all positions" says "^12 of 12 positions complete"
check "each engine chooses at each number of nodes" [ "$(grep -c ',left,[12]0,' "$dir/whole.csv")" = 24 ]
check "the reference chooses once" [ "$(grep -c ',judge,500,' "$dir/whole.csv")" = 12 ]
check "each judged move once" [ "$(grep ',,500' "$dir/whole.csv" | cut -d , -f 1,4 | sort | uniq -d)" = "" ]

# Mean losses and errors from the CSV file alone.
awk -F , '
    NR > 2 && $2 != "" { chosen[$2 "," $3, $1] = $4 }
    NR > 2 && $2 == "" {
        chance[$1, $4] = 1 / (1 + exp(-$5 / 300))
        if (chance[$1, $4] > best[$1]) best[$1] = chance[$1, $4]
    }
    END {
        for (key in chosen) {
            split(key, part, SUBSEP)
            loss = best[part[2]] - chance[part[2], chosen[key]]
            sum[part[1]] += loss
            squares[part[1]] += loss * loss
        }
        for (who in sum) {
            mean = sum[who] / 12
            printf "%s,%.2f ± %.2f\n", who, 100 * mean, 100 * sqrt((squares[who] / 12 - mean * mean) / 11)
        }
    }' "$dir/whole.csv" | sort >"$dir/wanted"
awk -F ' *[|] *' '$2 == "all" { if ($5 != "") print $4 ",10," $5; if ($6 != "") print $4 ",20," $6
    if ($7 != "") print $4 ",500," $7 }' "$dir/whole.md" | sort >"$dir/found"
check "means and errors" diff "$dir/wanted" "$dir/found"
check "something is lost" grep -q 'left,10,[1-9]' "$dir/found"
check "kinds of moves" [ "$(grep -c '^| drop | [0-9]* | left' "$dir/whole.md")" = 1 ]
check "worst moves" [ "$(grep -c '^Worst moves of \(left\|right\) at 20 nodes:' "$dir/whole.md")" = 2 ]
check "a picture" grep -q '</svg>' "$dir/whole.svg"

# Cut off in the middle of a row.
head -n 40 "$dir/whole.csv" >"$dir/cut.csv"
printf '9,left' >>"$dir/cut.csv"
regret cut -concurrency 2
check "goes on" [ "$ended" = 0 ]
check "to the same rows" [ "$(sort "$dir/cut.csv")" = "$(sort "$dir/whole.csv")" ]
check "and the same table" cmp -s "$dir/cut.md" "$dir/whole.md"
echo "13,left,10,7g7f,0" >>"$dir/cut.csv"
regret cut
check "a row of no position is refused" says "cut.csv, line [0-9]*: not a row of a regret test$"
regret whole -openings file="$dir/positions" plies=3
check "so are other positions" says "whole.csv was written for other positions or another reference$"
cp "$dir/positions" "$trial/kept"
regret whole table="$dir/positions"
check "a table does not replace the positions: exit status" [ "$ended" = 1 ]
check "a table does not replace the positions" says "positions exists and is not a table of -regret; name another file$"
check "they are kept" untouched "$dir/positions"
regret clash svg="$dir/clash.md"
check "one name for two outputs" says "^komadori-match: $dir/clash.md: two outputs have this name$"
check "what is refused creates no file" [ ! -e "$dir/clash.csv" ]
regret early table="$dir/none/table.md"
check "a table that cannot be written" says "^komadori-match: $dir/none/table.md: No such file"
check "is found before the first search" [ ! -e "$dir/early.csv" ]
regret whole
check "a table and a picture replace those of the same test" [ "$ended" = 0 ]

# Names that CSV writes in quotes, and rows of the same test without quotes.
named() {
    "$match" -engine name='ju,dge' "$fake" arg=scores nodes=500 -engine name='",a' "$fake" -engine name='b"' "$fake" \
        arg=seed=7 -openings file="$dir/positions" -quiet -regret csv="$dir/named.csv" nodes=10 >"$out" 2>&1
    ended=$?
}
named
check "names with commas and quotes" grep -q '^1,""",a",10,[^,]*,[-0-9]*$' "$dir/named.csv"
cp "$dir/named.csv" "$trial/kept"
grep '^|' "$out" >"$dir/wanted"
named
check "they are read again" [ "$ended" = 0 ]
check "and nothing is searched again" untouched "$dir/named.csv"
grep '^|' "$out" >"$dir/found"
check "the table is the same" diff "$dir/wanted" "$dir/found"
sed '$s/^12,.*/12,"b""x,10,7g7f,0/' "$trial/kept" >"$dir/named.csv"
named
check "a name without its last quote is refused" says "named.csv, line [0-9]*: not a row of a regret test$"

# A mate in one by a drop, which the rules judge; everything else is even.
echo "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1" >"$dir/mate"
"$match" -engine name=judge "$fake" arg=score=0 nodes=500 -engine name=finds "$fake" arg=play=G*5b \
    -engine name=misses "$fake" arg=play=G*1b -openings file="$dir/mate" -regret csv="$dir/mate.csv" \
    nodes=10 >"$out" 2>&1
check "a mate is judged by the rules" grep -q '^1,,500,G\*5b,100000$' "$dir/mate.csv"
check "who finds it loses nothing" says "^| best is a check | 1 | finds | 0.00 |"
check "who does not loses half" says "^| best is a check | 1 | misses | 50.00 |"
check "and is listed" says "^| 50.0 | G\*5b | G\*1b | 1: sfen 4k4/"

# refused TEXT ARGUMENTS...
refused() {
    wanted=$1
    shift
    "$match" "$@" >"$out" 2>&1
    check "refused: $wanted" says "^komadori-match: $wanted"
}
refused "-regret: needs csv=" -engine cmd=x nodes=1 -engine cmd=y nodes=1 -regret nodes=10
refused "-regret: needs the reference" -regret csv="$dir/new.csv"
refused "-engine: x has no limit" -engine cmd=x -engine cmd=y -regret csv="$dir/new.csv"
refused "nodes needs N,N" -engine cmd=x nodes=1 -regret csv="$dir/new.csv" nodes=20,10

# Self-scaling, resumed.
slope() {
    MATCH=$match bench/slope.sh -d "$dir/slope" -g "$1" -n "10 20" "$fake" >"$out" 2>&1
}
slope 2
check "self-scaling" says "^| 20 | 2 | [0-9.]* % | "
slope 4
check "goes on" says "^| 10 | 4 | [0-9.]* % | "
check "its table" [ "$(grep -c '^| [12]0 | 4 |' "$dir/slope/slope.txt")" = 2 ]

tell_counts
