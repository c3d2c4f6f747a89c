#!/bin/sh
# Records written by Komadori, read by tsshogi, the library of ShogiHome. It must find the same in them as in
# the original KIF files of tests/data/kifu. npm fetches it, so only `make test-all CLIENTS=1` runs this.
# Seconds: 90
# Long: needs packages of npm
# Needs: komadori komadori-kifu
set -u
. tests/checks.sh
kifu=$KOMADORI_BUILD/komadori-kifu
komadori=$KOMADORI_BUILD/komadori
data=tests/data/kifu

[ "${KOMADORI_TEST_CLIENTS:-}" = 1 ] || skip_all "tsshogi" "npm fetches it in make test-all CLIENTS=1 only"
command -v npm >/dev/null && command -v node >/dev/null || skip_all "tsshogi" "there is no npm"
mkdir "$trial/npm"
npm install --prefix "$trial/npm" --cache "$trial/cache" --ignore-scripts --no-audit --no-fund tsshogi \
    >"$trial/npm.log" 2>&1 || skip_all "tsshogi" "npm cannot fetch it: $(grep -m 1 'code' "$trial/npm.log")"

# asks ASPECTS FILE...: prints what tsshogi finds.
asks() { node tests/clients/tsshogi.mjs "$trial/npm" "$@"; }

# same FORMAT ASPECTS: all games in that format.
same() {
    asks "$2" $data/g*.kifu >"$trial/want" && asks "$2" "$trial/$1"/* >"$trial/got" &&
        [ "$(wc -l <"$trial/got")" -eq "$(ls $data/g*.kifu | wc -l)" ] && cmp "$trial/want" "$trial/got"
}
for row in kifu:start,moves,ending,tree,times,comments,remarks kif:start,moves,ending,tree,times,comments,remarks \
    ki2:start,moves,tree,comments,remarks ki2u:start,moves,tree,comments,remarks csa:start,moves,times,remarks \
    jkf:start,moves,ending,tree,times,comments,remarks usi:start,moves usen:start,moves,tree; do
    format=${row%%:*}
    aspects=${row#*:}
    check "all games as $format" "$kifu" convert $data/g*.kifu --to "$format" -o "$trial/$format/"
    check "are the same to tsshogi: $aspects" same "$format" "$aspects"
done

# The comments of an analysis belong to the right position in the words of each style's programs, and the
# variations that it adds can be played. g045 is an even game, g022 has a handicap.
analyses() {
    "$komadori" analyze --nodes 300 --multipv 2 --variations --style "$1" -o "$trial/$1.$3.$2" "$data/$3.kifu"
}
for game in g045 g022; do
    asks start,moves $data/$game.kifu >"$trial/$game.want"
done
for style in shogihome shogigui floodgate; do
    for format in kifu kif ki2 ki2u csa csa3 jkf; do
        variations=true
        [ ${format%3} != csa ] || variations=false
        for row in g045:151 g022:91; do
            game=${row%:*}
            check "$game analysed as $format, $style" analyses $style $format $game
            asks start,moves "$trial/$style.$game.$format" >"$trial/got"
            check "has the moves of the game" cmp "$trial/$game.want" "$trial/got"
            asks strange,positions,variations "$trial/$style.$game.$format" >"$trial/got"
            check "and a score and a line at each of its positions" grep -q -x "\[\[\],${row#*:},$variations\]" "$trial/got"
        done
    done
done

tell_counts
