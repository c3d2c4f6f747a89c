#!/bin/sh
# komadori-train on the command line: what it rejects, and that it does not touch other files.
# Seconds: 45
# Long: trains networks
# Needs: komadori komadori-train
set -u
. tests/checks.sh
build=${KOMADORI_BUILD:-build/release-native}

# train OPTION...: one epoch of a small network.
train() {
    "$build/komadori-train" --epochs 1 --batch 512 --threads 1 "$@"
}

games=$trial/games.kmd
check "games to learn from" "$build/komadori" gendata --out "$games" --games 40 --nodes 20 \
    --net "<handwritten>"
cp "$games" "$trial/games.kept"

# ---- checkpoints -------------------------------------------------------------------------------

check "a training" exits 0 "^network .* written" train --hidden 32 --out "$trial/a.nnue" \
    --checkpoint "$trial/c.ck" "$games"
# in_terminal TERM: trains there; its output is in $trial/seen.
in_terminal() {
    TERM=$1 script -qec "'$build/komadori-train' --epochs 1 --batch 512 --threads 1 --hidden 32 \
        --out '$trial/seen.nnue' '$games'" "$trial/seen" </dev/null >/dev/null && grep -q "^network .* written" "$trial/seen"
}
codes() { grep -c "$(printf '\033')" "$trial/seen"; }
if command -v script >/dev/null && script --version 2>&1 | grep -q util-linux; then
    check "in a terminal" in_terminal xterm
    check "with a line that is written anew" [ "$(codes)" -gt 0 ]
    check "in one that knows no codes" in_terminal dumb
    check "without them" [ "$(codes)" = 0 ]
else
    skip "training in a terminal" "there is no script of util-linux"
fi
cp "$trial/c.ck" "$trial/c.kept"
check "a checkpoint in the way" exits 1 "c.ck: not overwritten: it exists; continue" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/c.ck" "$games"
check "stays" untouched "$trial/c.ck" "$trial/c.kept"
check "one of another shape" exits 1 "c.ck: was made for a network of another shape" train --hidden 64 \
    --out "$trial/b.nnue" --checkpoint "$trial/c.ck" --resume "$games"
check "one of other labels" exits 1 "c.ck: was made from other games or other samples" train --hidden 32 \
    --lookahead 0.5 --out "$trial/b.nnue" --checkpoint "$trial/c.ck" --resume "$games"
check "one of another decay" exits 1 "c.ck: was made with other options" train --hidden 32 \
    --decay 0.5 --out "$trial/b.nnue" --checkpoint "$trial/c.ck" --resume "$games"
check "and of fewer epochs" exits 1 "c.ck: was made with other options" train --hidden 32 \
    --epochs 2 --out "$trial/b.nnue" --checkpoint "$trial/c.ck" --resume "$games"
check "stays, too" untouched "$trial/c.ck" "$trial/c.kept"
cp "$games" "$trial/other.kmd"
cp README.md "$trial/text"
check "what is no checkpoint" exits 1 "text: not a checkpoint, or damaged" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/text" --resume "$games"
check "stays as well" untouched "$trial/text" README.md
check "none of them trains" test ! -e "$trial/b.nnue"
check "a checkpoint to come" exits 0 "new.ck: does not exist yet" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/new.ck" --resume "$games"
check "makes the same network" cmp "$trial/a.nnue" "$trial/b.nnue"
check "a checkpoint of a training that has ended" exits 0 "new.ck: resumed" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/new.ck" --resume "$games"
check "makes it again" cmp "$trial/a.nnue" "$trial/b.nnue"
check "a training from a network" train --warm "$trial/a.nnue" --out "$trial/w.nnue" --checkpoint "$trial/w.ck" "$games"
check "is not continued from another" exits 1 "w.ck: was made with other options" train --warm "$trial/w.nnue" \
    --out "$trial/v.nnue" --checkpoint "$trial/w.ck" --resume "$games"
check "nothing to go on from" exits 2 "komadori-train: --resume needs --checkpoint" train \
    --resume --out "$trial/c.nnue" "$games"

# ---- what is written ---------------------------------------------------------------------------

# early STATUS PATTERN COMMAND...: like exits, but no game has been read.
early() {
    exits "$@" && ! grep -q "games, " "$trial/said"
}
cp "$games" "$trial/swallowed.kmd"
for option in out checkpoint; do
    check "no folder for --$option" early 1 "nodir/x: its folder does not exist" train \
        --out "$trial/d.nnue" "--$option" "$trial/nodir/x" "$games"
    check "a folder as --$option" early 1 "$trial: Is a directory" train \
        --out "$trial/d.nnue" "--$option" "$trial" --resume --checkpoint "$trial/d.ck" \
        "--$option" "$trial" "$games"
    check "the games as --$option" early 1 "games.kmd: not overwritten: this is an input" train --out "$trial/d.nnue" \
        --checkpoint "$trial/d.ck" --resume "--$option" "$trial/./games.kmd" "$trial/other.kmd" "$games"
    check "which stay" untouched "$games" "$trial/games.kept"
    check "the first of a pattern's games as --$option" early 1 "swallowed.kmd: not overwritten: it exists; name another" train \
        --out "$trial/d.nnue" "--$option" "$trial/swallowed.kmd" "$games"
    check "which stay, too" untouched "$trial/swallowed.kmd" "$trial/games.kept"
done
check "the network as --checkpoint" early 1 "d.nnue: not overwritten: another output" train --out "$trial/d.nnue" \
    --checkpoint "$trial/./d.nnue" --resume "$games"
check "nothing is written" test -z "$(find "$trial" -name 'd.*')"
check "the net to start from as --checkpoint" early 1 "a.nnue: not overwritten: this is an input" train --out "$trial/d.nnue" \
    --warm "$trial/a.nnue" --checkpoint "$trial/a.nnue" --resume "$games"

check "a hidden that is no multiple of 32" early 2 "--hidden must be a multiple of 32" train \
    --hidden 33 --out "$trial/d.nnue" "$games"
check "an option that is none" early 2 "unknown option '--hiden'" train --hiden 32 --out "$trial/d.nnue" "$games"
check "no games" early 2 "GAMES is missing" train --hidden 32 --out "$trial/d.nnue"
check "no network" early 2 "--out is missing" train --hidden 32 "$games"

# ---- shapes ------------------------------------------------------------------------------------

check "a start of another width" early 1 "a.nnue: does not have the width" train --out "$trial/d.nnue" \
    --warm "$trial/a.nnue" --hidden 128 "$games"
check "a start that says its width" exits 0 "^32 hidden sums, " train --out "$trial/d.nnue" --warm "$trial/a.nnue" "$games"
check "no start" early 1 "none.nnue: No such file" train --out "$trial/d.nnue" \
    --warm "$trial/none.nnue" "$games"
check "the usual width" exits 0 "^256 hidden sums, " train --out "$trial/d.nnue" "$games"
check "has small layers" exits 0 "^layers *8 and 32, added" "$build/komadori" net info "$trial/d.nnue"
check "and outputs for eight phases" exits 0 "^outputs *8" "$build/komadori" net info "$trial/d.nnue"

{ head -c 200 "$games" && tail -c +202 "$games"; } >"$trial/hurt.kmd"
check "games of which some are damaged" exits 0 \
    "hurt.kmd: skipped: [1-9][0-9]* damaged bytes$" train --hidden 32 --out "$trial/d.nnue" "$games" "$trial/hurt.kmd"

# scale_of NET
scale_of() { "$build/komadori" net info "$1" | grep '^scale'; }
check "a scale of its own" exits 0 "^network .* written" train --hidden 32 --scale 777 \
    --out "$trial/e.nnue" "$games"
check "a start from there" exits 0 "^network .* written" train --warm "$trial/e.nnue" \
    --lookahead 0.5 --wdl 0 --out "$trial/f.nnue" "$games"
check "keeps it" [ "$(scale_of "$trial/f.nnue")" = "$(scale_of "$trial/e.nnue")" ]
{ head -c 32 "$trial/e.nnue" && printf '\001' && tail -c +34 "$trial/e.nnue"; } >"$trial/hurt.nnue"
check "a scale that is damaged" exits 1 "hurt.nnue: damaged\$" "$build/komadori" net info \
    "$trial/hurt.nnue"
for scale in 0.5 1404.7 10001; do
    check "a scale that a network cannot have" exits 2 "komadori-train: --scale .*, not " train \
        --scale $scale --out "$trial/f.nnue" "$games"
done
check "no share above 1" exits 2 "komadori-train: --lookahead .*, not " train --lookahead 1.5 \
    --out "$trial/f.nnue" "$games"

differ() { ! cmp -s "$1" "$2"; }

# ---- several files, buffers --------------------------------------------------------------------

check "a file twice, and a buffer" exits 0 "^network .* written" train --hidden 64 --wdl 0.2:0.5 --average 0.5 \
    --buffer 1 --out "$trial/l.nnue" "$games" "$games" "$trial/other.kmd"
check "says what it is" exits 0 "64 per view, squared clipped" "$build/komadori" net info "$trial/l.nnue"
check "and evaluates" exits 0 "^evaluation" "$build/komadori" eval --net "$trial/l.nnue"
says() { "$build/komadori" eval --net "$1" | awk '/^evaluation/ { print $2 }'; }
near() { awk -v a="$(says "$1")" -v b="$(says "$2")" 'BEGIN { exit !(a != "" && a - b <= 3 && b - a <= 3) }'; }
for net in a l; do
    check "a scale for one that has another" exits 0 "^network .* written" train --warm "$trial/$net.nnue" \
        --scale 1500 --rate 0 --out "$trial/scaled.nnue" "$games"
    check "is told" exits 0 "scale  *1500 centipawns" "$build/komadori" net info "$trial/scaled.nnue"
    check "and changes nothing that it says" near "$trial/$net.nnue" "$trial/scaled.nnue"
done
check "no share beyond" exits 2 "komadori-train: --wdl .*, not " train --wdl 0.2:1.5 --out "$trial/f.nnue" "$games"

# ---- generate.sh -------------------------------------------------------------------------------

# In a session of its own, because it gives its session the lowest priority.
own_session=$(command -v setsid >/dev/null && echo "setsid -w")
generate() { KOMADORI=$build/komadori FIRST=$1 LAST=$2 $own_session sh eval/generate.sh "$trial/a pool" --games 2 --nodes 20; }
check "two files of games" generate 5 6
check "are there" [ "$(ls "$trial/a pool")" = "games-5.kmd
games-6.kmd" ]
check "with other games each" differ "$trial/a pool/games-5.kmd" "$trial/a pool/games-6.kmd"
cp "$games" "$trial/a pool/games-5.kmd"
check "and one more" generate 5 7
check "leaves a finished file alone" cmp "$games" "$trial/a pool/games-5.kmd"
check "and plays the next" [ -e "$trial/a pool/games-7.kmd" ]

tell_counts
