#!/bin/sh
# The loop that makes networks: generate, verify, train, measure, promote, and again.
#
#   eval/generation.sh POOL [GENERATIONS]
#
# Works in the folder POOL and ends after so many generations (0, the default: never). Killed at any
# moment and started again it goes on: each step leaves a file that appears when it is whole, and a
# step whose file is there is not done again. POOL/log has a line for each step done. Parameters:
# generation.conf beside this script, copied to POOL/gG.conf as generation G begins.
#
#   POOL/gG-I.kmd     games of shard I            POOL/gG.verified  what `data stats` says of them
#   POOL/gG.nnue      the trained network         POOL/gG.gate      its match against the one before
#   POOL/gG.done      "kept" or "refused"         POOL/newest.nnue  the last that was kept
# shellcheck disable=SC2154 # the parameters come from generation.conf
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
pool=${1:?usage: eval/generation.sh POOL [GENERATIONS]}
most=${2:-0}
conf=${GENERATION_CONF:-$here/eval/generation.conf}
quiet="nice -n 19"
mkdir -p "$pool"
exec 9>"$pool/lock"
flock -n 9 || { echo "another generation.sh works in $pool" >&2; exit 1; }

say() { printf '%s g%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$g" "$*" >>"$pool/log"; }
fail() { say "failed: $*"; echo "generation $g: $*" >&2; exit 1; }

# The network that plays, and the opponents it meets: those kept before it.
newest_net() { [ -e "$pool/newest.nnue" ] && echo "$pool/newest.nnue" || echo "<internal>"; }
kept_before() {
    n=$((g - 1))
    left=$opponents
    while [ $n -gt 0 ] && [ "$left" -gt 0 ]; do
        if grep -q kept "$pool/g$n.done" 2>/dev/null; then
            [ "$n" = "$(cat "$pool/newest")" ] || printf -- '--opponent %s ' "$pool/g$n.nnue"
            left=$((left - 1))
        fi
        n=$((n - 1))
    done
    [ ! -e "$pool/newest.nnue" ] || printf -- '--opponent <internal>'
}

generate() {
    i=1
    while [ $i -le "$shards" ]; do
        if [ ! -e "$pool/g$g-$i.kmd" ]; then
            # shellcheck disable=SC2046,SC2086 # lists of words
            $quiet "$here/komadori" gendata --out "$pool/g$g-$i.kmd" --games "$games" --nodes "$nodes" \
                --threads "$threads" --seed $((first_seed + g)) --shard "$i/$shards" \
                --net "$(newest_net)" $(kept_before) $play >"$pool/said" 2>/dev/null ||
                fail "generate: $(tail -1 "$pool/said")"
            say "generated $i of $shards: $(tail -1 "$pool/said")"
        fi
        i=$((i + 1))
    done
}

verify() {
    [ ! -e "$pool/g$g.verified" ] || return 0
    # shellcheck disable=SC2046 # a list of files
    $quiet "$here/komadori" data stats --svg "$pool/g$g.svg" \
        $(ls "$pool/g$g"-*.kmd) >"$pool/said" || fail "verify: $(tail -1 "$pool/said")"
    mv "$pool/said" "$pool/g$g.verified"
    say "verified: $(grep '^games' "$pool/g$g.verified")"
}

# The files of the newest generations.
training_files() {
    n=$((g - newest + 1))
    while [ $n -le "$g" ]; do
        ls "$pool/g$n"-*.kmd 2>/dev/null
        n=$((n + 1))
    done
}

train() {
    [ ! -e "$pool/g$g.nnue" ] || return 0
    start="--warm $here/eval/komadori.nnue $train"
    [ -z "$first_train" ] || start="--hidden $hidden $first_train"
    [ ! -e "$pool/newest.nnue" ] || start="--warm $pool/newest.nnue $train"
    # shellcheck disable=SC2046,SC2086
    $quiet "$here/komadori-train" --out "$pool/g$g.nnue" --checkpoint "$pool/g$g.state" --resume \
        --curve "$pool/g$g-curve.svg" --threads "$train_threads" --seed $((first_seed + g)) \
        $start $(training_files) >"$pool/said" || fail "train: $(tail -1 "$pool/said")"
    rm -f "$pool/g$g.state"
    say "trained: $(tail -1 "$pool/said")"
}

measure() {
    [ ! -e "$pool/g$g.gate" ] || return 0
    $quiet "$here/komadori-match" -engine cmd="$here/komadori" name=new option.EvalFile="$pool/g$g.nnue" \
        -engine cmd="$here/komadori" name=old "option.EvalFile=$(newest_net)" \
        -each nodes="$gate_nodes" option.USI_Hash=32 option.USI_OwnBook=false \
        -rounds "$gate_rounds" -games 2 -repeat \
        -openings file="$here/bench/openings.sfen" order=random -seed $((first_seed + g)) \
        -results "$pool/g$g.results" -resume >"$pool/said" 2>&1 ||
        fail "measure: $(tail -1 "$pool/said")"
    mv "$pool/said" "$pool/g$g.gate"
    say "measured: $(grep '^Elo' "$pool/g$g.gate" | tail -1)"
}

promote() {
    [ ! -e "$pool/g$g.done" ] || return 0
    points=$(sed -n 's/^score .*points (\([0-9.]*\) %).*/\1/p' "$pool/g$g.gate" | tail -1)
    verdict=refused
    if [ "$(echo "${points:-0} $gate_points" | awk '{ print ($1 >= $2) }')" = 1 ]; then
        verdict=kept
        cp "$pool/g$g.nnue" "$pool/newest.part" && mv "$pool/newest.part" "$pool/newest.nnue"
        echo "$g" >"$pool/newest"
    fi
    echo "$verdict with ${points:-no} % of the points" >"$pool/done.part"
    mv "$pool/done.part" "$pool/g$g.done"
    say "$(cat "$pool/g$g.done")"
}

g=1
while [ "$most" -eq 0 ] || [ $g -le "$most" ]; do
    if [ ! -e "$pool/g$g.done" ]; then
        [ -e "$pool/g$g.conf" ] || cp "$conf" "$pool/g$g.conf"
        # shellcheck source=/dev/null
        . "$pool/g$g.conf"
        generate
        verify
        train
        measure
        promote
    fi
    g=$((g + 1))
done
