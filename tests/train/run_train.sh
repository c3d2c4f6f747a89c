#!/bin/sh
# komadori-train by arguments: what it refuses, and that it leaves files alone which are not its own.
set -u
. tests/checks.sh
build=${KOMADORI_BUILD:-build/release-native}

# train OPTION...: one epoch of a small network.
train() {
    "$build/komadori-train" --epochs 1 --batch 512 --threads 1 --no-leaves "$@"
}

# untouched FILE KEPT: the file is as it was, and nothing is left beside it.
untouched() { cmp "$1" "$2" && [ -z "$(find "$trial" -name '*.part-*')" ]; }

games=$trial/games.kmd
check "games to learn from" "$build/komadori" gendata --out "$games" --games 40 --nodes 20 \
    --net "<handwritten>"
cp "$games" "$trial/games.kept"

# ---- checkpoints -------------------------------------------------------------------------------

check "a training" exits 0 "^network .* written" train --hidden 32 --out "$trial/a.nnue" \
    --checkpoint "$trial/c.ck" "$games"
cp "$trial/c.ck" "$trial/c.kept"
check "a checkpoint in the way" exits 1 "c.ck: is there already" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/c.ck" "$games"
check "stays" untouched "$trial/c.ck" "$trial/c.kept"
check "one of another shape" exits 1 "c.ck: of a network of another shape" train --hidden 64 \
    --out "$trial/b.nnue" --checkpoint "$trial/c.ck" --resume "$games"
check "stays, too" untouched "$trial/c.ck" "$trial/c.kept"
cp "$games" "$trial/other.kmd"
check "what is no checkpoint" exits 1 "other.kmd: no checkpoint, or damaged" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/other.kmd" --resume "$games"
check "stays as well" untouched "$trial/other.kmd" "$trial/games.kept"
check "none of them trains" test ! -e "$trial/b.nnue"
check "a checkpoint to come" exits 0 "new.ck: not there yet" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/new.ck" --resume "$games"
check "makes the same network" cmp "$trial/a.nnue" "$trial/b.nnue"
check "a checkpoint of a training that has ended" exits 0 "new.ck: taken up" train --hidden 32 \
    --out "$trial/b.nnue" --checkpoint "$trial/new.ck" --resume "$games"
check "makes it again" cmp "$trial/a.nnue" "$trial/b.nnue"
check "nothing to go on from" exits 2 "missing or wrong: --resume without --checkpoint" train \
    --resume --out "$trial/c.nnue" "$games"

tell_counts
