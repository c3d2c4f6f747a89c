#!/bin/sh
# The pages of `komadori analyze --html` and `komadori-match -html` in a browser: page.mjs uses an analysed game with mouse,
# keys and fingers, match.mjs a tournament. Without a browser, page_moves.mjs plays games with
# their script. npm fetches playwright-core, which drives an installed Chromium
# (CHROMIUM, or one of the names below), so this runs only with KOMADORI_TEST_CLIENTS=1.
# Seconds: 170
# Long: needs a browser
# Needs: komadori komadori-match
set -u
. tests/checks.sh
komadori=$KOMADORI_BUILD/komadori

need node
# A handicap game with times, and a long even one; three lines each.
for game in g016 g045; do
    check "the page of $game" "$komadori" analyze --nodes 400 --multipv 3 --variations \
        -o "$trial/" --html "$trial/" --json "$trial/" tests/data/kifu/$game.kifu
done
check "the script of the pages plays and names moves as komadori does" node tests/clients/page_moves.mjs "$trial"

[ "${KOMADORI_TEST_CLIENTS:-}" = 1 ] || { skip "pages in a browser" "its driver is fetched from npm, in make test-all CLIENTS=1 only"; tell_counts; exit; }
browser=
for name in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
[ -n "$browser" ] || { skip "pages in a browser" "there is no Chromium"; tell_counts; exit; }
command -v npm >/dev/null || { skip "pages in a browser" "there is no npm"; tell_counts; exit; }
mkdir "$trial/npm"
npm install --prefix "$trial/npm" --cache "$trial/cache" --ignore-scripts --no-audit --no-fund playwright-core \
    >"$trial/npm.log" 2>&1 || {
    skip "pages in a browser" "npm cannot fetch playwright-core: $(grep -m 1 'code' "$trial/npm.log")"
    tell_counts
    exit
}

# sees WORD: page.mjs has seen this.
sees() { [ "$1" = ok ]; }

# studies SCRIPT FILE...: counts what the script checks; it must check something.
studies() {
    script=$1
    shift
    node "tests/clients/$script" "$trial/npm" "$browser" "$@" >"$trial/seen" 2>"$trial/page.err"
    check "$script ends well" [ $? -eq 0 ]
    cat "$trial/page.err"
    check "$script looks at something" [ "$(wc -l <"$trial/seen")" -gt 5 ]
    while read -r word text; do
        check "${file:-}$text" sees "$word"
    done <"$trial/seen"
}

for game in g016 g045; do
    file="$game: "
    studies page.mjs "$trial/$game-analysis.html" "$trial/$game-analysis.kifu"
done

# A match with an SPRT, and a gauntlet of five engines.
engines() { for name; do printf ' -engine name=%s cmd=%s nodes=%s' "$name" "$komadori" $((100 + 40 * ${#name})); done; }
plays() {
    file="$1: "
    page=$trial/$1.html
    shift
    # shellcheck disable=SC2046
    check "${file}it is played" "$KOMADORI_BUILD/komadori-match" -each option.USI_Hash=8 option.Threads=1 option.USI_OwnBook=false \
        -openings file=bench/openings.sfen -resign movecount=2 score=900 -maxmoves 120 -quiet -html "$page" "$@" \
        >"$trial/match.log" 2>&1
    studies match.mjs "$page"
}
# shellcheck disable=SC2046
{
    plays match $(engines one longername) -rounds 4 -sprt
    plays gauntlet $(engines one two three four fifth) -tournament gauntlet
}

tell_counts
