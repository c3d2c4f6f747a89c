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
    "$build/komadori-train" --epochs 1 --batch 512 --threads 1 --no-leaves "$@"
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
    TERM=$1 script -qec "'$build/komadori-train' --epochs 1 --batch 512 --threads 1 --no-leaves --hidden 32 \
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

check "options behind a weight" early 2 "options must come before --weight" train \
    --hidden 32 --weight 2 "$games" --out "$trial/d.nnue"
check "a hidden that is no multiple of 32" early 2 "--hidden must be a multiple of 32" train \
    --hidden 33 --out "$trial/d.nnue" "$games"
check "an option that is none" early 2 "unknown option '--hiden'" train --hiden 32 --out "$trial/d.nnue" "$games"
check "no games" early 2 "GAMES is missing" train --hidden 32 --out "$trial/d.nnue"
check "threats kept from nothing" early 2 "--keep-threats needs --warm" train --hidden 32 --keep-threats \
    --out "$trial/d.nnue" "$games"
check "inputs kept from nothing" early 2 "--keep-inputs needs --warm" train --hidden 32 --keep-inputs \
    --out "$trial/d.nnue" "$games"
check "no network" early 2 "--out is missing" train --hidden 32 "$games"

# ---- shapes and kernels ------------------------------------------------------------------------

check "unknown kernels" early 2 "foo: this processor does not support" train --out "$trial/d.nnue" --kernels foo "$games"
check "a start of another width" early 1 "a.nnue: does not have the shape" train --out "$trial/d.nnue" \
    --warm "$trial/a.nnue" --hidden 128 "$games"
check "a start of other outputs" early 1 "a.nnue: does not have the shape" train --out "$trial/d.nnue" \
    --warm "$trial/a.nnue" --buckets 1 "$games"
check "a start of the same shape" exits 0 "^32 hidden sums, 8 outputs" train --out "$trial/d.nnue" \
    --warm "$trial/a.nnue" --hidden 32 --buckets 8 "$games"
check "a start that says its shape" exits 0 "^32 hidden sums, 8 outputs" train \
    --out "$trial/d.nnue" --warm "$trial/a.nnue" "$games"
check "no start" early 1 "none.nnue: No such file" train --out "$trial/d.nnue" \
    --warm "$trial/none.nnue" "$games"
check "the usual shape" exits 0 "^256 hidden sums, 8 outputs" train --speed 1 "$games"
# A step takes at least a millisecond of the displayed time, so the speed is below a million samples per second.
check "a batch of more samples than there are" exits 0 "^[0-9]\{1,7\} samples/s, " train \
    --hidden 32 --batch 1048576 --speed 1 "$games"

{ head -c 200 "$games" && tail -c +202 "$games"; } >"$trial/hurt.kmd"
check "games of which some are damaged" exits 0 \
    "hurt.kmd: skipped: [1-9][0-9]* damaged bytes$" train --speed 1 "$games" "$trial/hurt.kmd"

# scale_of NET
scale_of() { "$build/komadori" net info "$1" | grep '^scale'; }
check "a scale of its own" exits 0 "^network .* written" train --hidden 32 --scale 777 \
    --out "$trial/e.nnue" "$games"
check "a start from there" exits 0 "^network .* written" train --warm "$trial/e.nnue" \
    --lookahead 0.5 --wdl 0 --out "$trial/f.nnue" "$games"
check "keeps it" [ "$(scale_of "$trial/f.nnue")" = "$(scale_of "$trial/e.nnue")" ]
{ head -c 32 "$trial/e.nnue" && printf '\001' && tail -c +34 "$trial/e.nnue"; } >"$trial/hurt.nnue"
check "a scale that is damaged" exits 1 "hurt.nnue: damaged\$" "$build/komadori" net verify \
    "$trial/hurt.nnue"
for scale in 0.5 1404.7 10001; do
    check "a scale that a network cannot have" exits 2 "komadori-train: --scale .*, not " train \
        --scale $scale --out "$trial/f.nnue" "$games"
done
check "no share above 1" exits 2 "komadori-train: --lookahead .*, not " train --lookahead 1.5 \
    --out "$trial/f.nnue" "$games"

# The result of one position is more likely the smaller, or the larger, the scale is.
"$build/komadori" data export --out "$trial/all.psv" "$games" >"$trial/said"
head -c 40 "$trial/all.psv" >"$trial/one.psv"
check "a single position" "$build/komadori" data import --out "$trial/one.kmd" "$trial/one.psv"
check "tells no scale" exits 0 "the results do not determine the scale, so give --scale" train --hidden 32 \
    --held-out 0 --out "$trial/f.nnue" "$trial/one.kmd"

# ---- small layers ------------------------------------------------------------------------------

info_says() { "$build/komadori" net info "$1" | grep -q "$2"; }
check "added to a network" exits 0 "^network .* written" train --out "$trial/m.nnue" --warm "$trial/a.nnue" \
    --small-layers --keep-inputs "$games"
check "says so" info_says "$trial/m.nnue" "^layers *16 and 32, added"
has_none() { ! info_says "$1" "^layers"; }
check "the start has none" has_none "$trial/a.nnue"
check "evaluates" exits 0 "^evaluation" "$build/komadori" eval --net "$trial/m.nnue"
check "a start that has them" exits 0 "^network .* written" train --out "$trial/n.nnue" --warm "$trial/m.nnue" "$games"
check "keeps them" info_says "$trial/n.nnue" "^layers"
check "from the start" exits 0 "^network .* written" train --hidden 32 --small-layers --out "$trial/o.nnue" "$games"
check "has them" info_says "$trial/o.nnue" "^layers"
check "no mean with one that has none" exits 1 "not the shape" "$build/komadori" net average \
    --out "$trial/p.nnue" "$trial/m.nnue" "$trial/a.nnue"

# ---- leaves ------------------------------------------------------------------------------------

check "with leaves" exits 0 "^network .* written" "$build/komadori-train" --epochs 2 \
    --batch 512 --threads 2 --hidden 32 --out "$trial/g.nnue" "$games"
differ() { ! cmp -s "$1" "$2"; }
check "the network is another" differ "$trial/g.nnue" "$trial/a.nnue"

# ---- weights, buffers ---------------------------------------------------------------------------

check "weights and a buffer" exits 0 "^network .* written" train --hidden 64 --wdl 0.2:0.5 \
    --buffer 1 --out "$trial/l.nnue" --weight 0.5 "$games" --weight 2 "$trial/other.kmd"
check "says what it is" exits 0 "64 per view, squared clipped" "$build/komadori" net info "$trial/l.nnue"
check "and evaluates" exits 0 "^evaluation" "$build/komadori" eval --net "$trial/l.nnue"
says() { "$build/komadori" eval --net "$1" | awk '/^evaluation/ { print $2 }'; }
near() { awk -v a="$(says "$1")" -v b="$(says "$2")" 'BEGIN { exit !(a != "" && a - b <= 3 && b - a <= 3) }'; }
for net in a l; do
    check "a scale for one that has another" exits 0 "^network .* written" train --warm "$trial/$net.nnue" \
        --scale 1500 --rate 0 --rate-end 0 --out "$trial/scaled.nnue" "$games"
    check "is told" exits 0 "scale  *1500 centipawns" "$build/komadori" net info "$trial/scaled.nnue"
    check "and changes nothing that it says" near "$trial/$net.nnue" "$trial/scaled.nnue"
done
check "no share beyond" exits 2 "komadori-train: --wdl .*, not " train --wdl 0.2:1.5 --out "$trial/f.nnue" "$games"
check "no weight of nothing" exits 2 "--weight needs a number" train --out "$trial/f.nnue" --weight x "$games"

# ---- the loop ----------------------------------------------------------------------------------

cat >"$trial/loop.conf" <<'END'
first_seed=1 shards=2 games=10 nodes=20 threads=1 opponents=2 hidden=32 members=2 newest=2 train_threads=1
results_nodes=20 results_loss=9 sparring="--opponent <handwritten>" sparring_share=50
play="--deep 60 --leaves 2" first_train="--epochs 1 --batch 512" train="--epochs 1 --batch 512 --rate 0.0001"
gate_nodes=20 gate_rounds=1 gate_points=0.0
outside="cmd=./komadori name=other option.EvalFile=<handwritten>" outside_nodes=20 outside_rounds=1 outside_loss=100
END
mkdir "$trial/pool" "$trial/pool/yardstick"
echo "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g 8f8b 3i3h resign" \
    >"$trial/pool/yardstick/game.usi"
echo "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1" >"$trial/pool/starts.sfen"
loop() { GENERATION_CONF=$trial/loop.conf sh eval/generation.sh "$trial/pool" "$1"; }
mean_is_right() {
    "$build/komadori" net average --out "$trial/mean.nnue" "$trial/pool/g1.nnue" "$trial/pool/g1.nnue" \
        "$trial/pool/g2-1.nnue" "$trial/pool/g2-2.nnue" >/dev/null && cmp "$trial/mean.nnue" "$trial/pool/g2.nnue" &&
        ! cmp -s "$trial/pool/g2-1.nnue" "$trial/pool/g2-2.nnue"
}
if cmp -s komadori "$build/komadori"; then
    check "one generation" loop 1
    check "and one more" loop 2
    check "seven steps each, a shard more, and two networks and their mean" [ "$(wc -l <"$trial/pool/log")" -eq 18 ]
    check "which is the mean of both and twice the one before" mean_is_right
    check "a row of each" exits 0 "^| 2 | [1-9][0-9]* | [1-9][0-9]* | [0-9.]* | [-+0-9.]* | [0-9.]* % | [0-9.]* % | kept |$" \
        cat "$trial/pool/generations.md"
    check "from the positions of the list, too" cmp "$trial/pool/starts.sfen" "$trial/pool/g1.starts"
    rm "$trial/pool/g2.done" "$trial/pool/g2.nnue"
    cp "$trial/pool/g1.nnue" "$trial/pool/newest.nnue"
    echo 1 >"$trial/pool/newest"
    check "what is missing is made again" loop 2
    check "and nothing else" [ "$(wc -l <"$trial/pool/log")" -eq 20 ]
    check "to the end" exits 0 "^kept with" cat "$trial/pool/g2.done"
    # If it has no point against the other engine, which had all of them before, it has become weaker.
    echo 150 >"$trial/pool/newest.outside"
    rm "$trial/pool/g2.done"
    sed 's/outside_loss=100/outside_loss=5/' "$trial/pool/g2.conf" >"$trial/lossy" && cp "$trial/lossy" "$trial/pool/g2.conf"
    check "a measurement by another engine" loop 2
    check "refuses a network that loses ground" exits 0 "^refused with" cat "$trial/pool/g2.done"
    # A network that predicts results worse plays no match.
    rm "$trial/pool/g2.done" "$trial/pool/g2.gate"
    sed 's/results_loss=9/results_loss=-9/' "$trial/pool/g2.conf" >"$trial/lossy" && cp "$trial/lossy" "$trial/pool/g2.conf"
    check "and one more" loop 2
    check "refuses a network that predicts results worse" exits 0 "^refused because" cat "$trial/pool/g2.done"
    check "without a match" [ ! -e "$trial/pool/g2.gate" ]
else
    skip "the loop of generations" "it runs the programs of the source folder"
fi

tell_counts
