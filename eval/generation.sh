#!/bin/sh
# Trains one generation of networks after another: play games, verify them, train, test, play matches, keep or reject.
#
#   eval/generation.sh POOL [GENERATIONS]
#
# Works in the folder POOL at the lowest priority and stops after GENERATIONS generations (by default 0:
# never). You can kill it at any time and start it again: each step writes a file, which appears only when
# it is complete, and a step whose file exists is not repeated. POOL/log has a line for each finished step,
# POOL/generations.md a table row for each generation. The parameters are in generation.conf next to this
# script, which is copied to POOL/gG.conf at the start of generation G.
#
#   POOL/gG-I.kmd     games of shard I            POOL/gG-I.said    the summary of gendata
#   POOL/gG.verified  output of `data stats`      POOL/gG-M.nnue    trained network M
#   POOL/gG.nnue      their mean                  POOL/gG.results   how well it and the previous
#                                                                   network predict results
#   POOL/gG.gate      its match against the       POOL/gG.outside   its match against another
#                     previous network                              engine, if there is one
#   POOL/gG.done      "kept" or "refused"         POOL/newest.nnue  the last network kept
#   POOL/newest.outside  its points in that match
#
# Optional are the file POOL/starts.sfen, for `gendata --starts`, and POOL/yardstick, a folder of games for
# `net test --results` that no network of the pool played or was trained on.
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

# The network that plays, and its opponents: the networks kept before it.
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
    opponents_now="$(kept_before) ${sparring:-}"
    case $opponents_now in
    *--opponent*) play="$play --sparring ${sparring_share:-0}" ;;
    esac
    [ ! -e "$pool/g$g.starts" ] || play="$play --starts $pool/g$g.starts"
    while [ $i -le "$shards" ]; do
        if [ ! -e "$pool/g$g-$i.kmd" ]; then
            # shellcheck disable=SC2086 # lists of words
            $quiet "$here/komadori" gendata --out "$pool/g$g-$i.kmd" --games "$games" --nodes "$nodes" \
                --threads "$threads" --seed $((first_seed + g)) --shard "$i/$shards" \
                --net "$(newest_net)" $opponents_now $play >"$pool/g$g-$i.said" 2>/dev/null ||
                fail "generate: $(tail -1 "$pool/g$g-$i.said")"
            say "generated $i of $shards: $(head -1 "$pool/g$g-$i.said")"
        fi
        i=$((i + 1))
    done
}

verify() {
    [ ! -e "$pool/g$g.verified" ] || return 0
    # shellcheck disable=SC2046 # a list of files
    $quiet "$here/komadori" data stats $(ls "$pool/g$g"-*.kmd) >"$pool/said" ||
        fail "verify: $(tail -1 "$pool/said")"
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

# Trains from the previous network, or the first network from scratch.
train_member() {
    member=$pool/g$g-$1.nnue
    [ ! -e "$member" ] || return 0
    start="--warm $here/eval/komadori.nnue $train"
    [ -z "$first_train" ] || start="--hidden $hidden $first_train"
    [ ! -e "$pool/newest.nnue" ] || start="--warm $pool/newest.nnue $train"
    # shellcheck disable=SC2046,SC2086
    $quiet "$here/komadori-train" --out "$member" --checkpoint "$pool/g$g.state" --resume \
        --threads "$train_threads" --seed $((first_seed + g * 100 + $1)) \
        $start $(training_files) >"$pool/said" || fail "train: $(tail -1 "$pool/said")"
    rm -f "$pool/g$g.state"
    say "trained: $(tail -1 "$pool/said")"
}

# Trains several networks, which differ only in the order of the positions, and averages them with
# the previous network, which counts as much as all of them together.
train() {
    [ ! -e "$pool/g$g.nnue" ] || return 0
    before=$here/eval/komadori.nnue
    count=${members:-1}
    [ ! -e "$pool/newest.nnue" ] || before=$pool/newest.nnue
    [ -z "$first_train" ] || [ -e "$pool/newest.nnue" ] || count=1
    i=1
    all=
    while [ $i -le "$count" ]; do
        train_member $i
        all="$all $before $pool/g$g-$i.nnue"
        i=$((i + 1))
    done
    if [ "$count" -eq 1 ]; then
        cp "$pool/g$g-1.nnue" "$pool/g$g.part"
    else
        # shellcheck disable=SC2086 # a list of files
        "$here/komadori" net average --out "$pool/g$g.part" $all >"$pool/said" ||
            fail "average: $(tail -1 "$pool/said")"
        say "averaged: $(head -1 "$pool/said")"
    fi
    mv "$pool/g$g.part" "$pool/g$g.nnue"
}

# Lets the new network and the previous one predict the results of the games in POOL/yardstick, by searches.
predict() {
    [ -d "$pool/yardstick" ] && [ ! -e "$pool/g$g.results" ] || return 0
    $quiet "$here/komadori" net test --results --net "$(newest_net)" --net "$pool/g$g.nnue" \
        --nodes "$results_nodes" --threads "$threads" "$pool"/yardstick/* >"$pool/said" 2>/dev/null ||
        fail "predict: $(tail -1 "$pool/said")"
    mv "$pool/said" "$pool/g$g.results"
    say "predicted: log loss $(more_loss) more than the previous network"
}

# The log loss of the new network after a search, minus that of the previous one.
more_loss() { awk '/^network 2 .* \+- .* \+- / { more = $(NF - 2) } END { print more }' "$pool/g$g.results" 2>/dev/null; }

# True unless the new network predicts results worse than the previous one.
predicts_well() { at_least "${results_loss:-0}" "$(more_loss)"; }

measure() {
    predicts_well || return 0
    [ ! -e "$pool/g$g.gate" ] || return 0
    $quiet "$here/komadori-match" -engine cmd="$here/komadori" name=new option.EvalFile="$pool/g$g.nnue" \
        -engine cmd="$here/komadori" name=old "option.EvalFile=$(newest_net)" \
        -each nodes="$gate_nodes" option.USI_Hash=32 option.USI_OwnBook=false \
        -rounds "$gate_rounds" -games 2 -repeat \
        -openings file="$here/bench/openings.sfen" order=random -seed $((first_seed + g)) \
        -results "$pool/g$g.gate-results" -resume >"$pool/said" 2>&1 ||
        fail "measure: $(tail -1 "$pool/said")"
    mv "$pool/said" "$pool/g$g.gate"
    say "measured: $(grep '^Elo' "$pool/g$g.gate" | tail -1)"
}

# A match against another engine shows weaknesses that self-play hides, because both sides share them.
measure_outside() {
    predicts_well || return 0
    [ -n "$outside" ] && [ ! -e "$pool/g$g.outside" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    $quiet "$here/komadori-match" -engine cmd="$here/komadori" name=new option.EvalFile="$pool/g$g.nnue" \
        option.USI_Hash=64 option.USI_OwnBook=false -engine $outside \
        -each nodes="$outside_nodes" -rounds "$outside_rounds" -games 2 -repeat \
        -openings file="$here/bench/openings.sfen" order=random -seed "$first_seed" \
        -results "$pool/g$g.outside-results" -resume >"$pool/said" 2>&1 ||
        fail "measure: $(tail -1 "$pool/said")"
    mv "$pool/said" "$pool/g$g.outside"
    say "against another engine: $(grep '^score' "$pool/g$g.outside" | tail -1)"
}

# The points of a match in per cent.
points_of() { sed -n 's/^score .*points (\([0-9.]*\) %).*/\1/p' "$1" 2>/dev/null | tail -1; }

# at_least A B: A and B are numbers with fractions.
at_least() { [ "$(echo "${1:-0} ${2:-0}" | awk '{ print ($1 >= $2) }')" = 1 ]; }

# Prints the table row of a generation. gendata prints the number of positions in its first line, and the
# nodes and the nodes per second of processor time in its second.
add_row() {
    [ -e "$pool/generations.md" ] || printf '%s\n' \
        "| generation | positions | nodes each | core-hours | log loss | gate | outside | |" \
        "|---|---|---|---|---|---|---|---|" >"$pool/generations.md"
    cat "$pool/g$g"-*.said | awk -v row="$g" -v results="$(more_loss)" \
        -v gate="$(points_of "$pool/g$g.gate")" -v outside="$(points_of "$pool/g$g.outside")" \
        -v verdict="$(cut -d' ' -f1 "$pool/g$g.done")" '
        / positions, .* per second$/ { for (i = 2; i <= NF; i++) if ($i ~ /^positions/) positions += $(i - 1) }
        / nodes, .* of processor time$/ { nodes += $1; seconds += $1 / $3 }
        END { printf "| %d | %d | %.0f | %.2f | %s | %s | %s | %s |\n", row, positions,
              nodes / (positions ? positions : 1), seconds / 3600,
              results != "" ? results : "-", gate != "" ? gate " %" : "-",
              outside != "" ? outside " %" : "-", verdict }' >>"$pool/generations.md"
}

promote() {
    [ ! -e "$pool/g$g.done" ] || return 0
    points=$(points_of "$pool/g$g.gate")
    abroad=$(points_of "$pool/g$g.outside")
    least=$(awk -v loss="${outside_loss:-0}" '{ print $1 - loss }' "$pool/newest.outside" 2>/dev/null)
    verdict=refused
    if at_least "${points:-0}" "$gate_points" && at_least "${abroad:-0}" "${least:-0}"; then
        verdict=kept
        echo "${abroad:-0}" >"$pool/newest.outside"
        cp "$pool/g$g.nnue" "$pool/newest.part" && mv "$pool/newest.part" "$pool/newest.nnue"
        echo "$g" >"$pool/newest"
    fi
    reason="with ${points:-no} % of the points"
    predicts_well || reason="because it predicts results worse"
    echo "$verdict $reason" >"$pool/done.part"
    mv "$pool/done.part" "$pool/g$g.done"
    add_row
    say "$(cat "$pool/g$g.done")"
}

g=1
while [ "$most" -eq 0 ] || [ $g -le "$most" ]; do
    if [ ! -e "$pool/g$g.done" ]; then
        # A change of starts.sfen or generation.conf takes effect in the next generation.
        if [ ! -e "$pool/g$g.conf" ]; then
            [ ! -e "$pool/starts.sfen" ] || cp "$pool/starts.sfen" "$pool/g$g.starts"
            cp "$conf" "$pool/g$g.conf"
        fi
        # shellcheck source=/dev/null
        . "$pool/g$g.conf"
        generate
        verify
        train
        predict
        measure
        measure_outside
        promote
    fi
    g=$((g + 1))
done
