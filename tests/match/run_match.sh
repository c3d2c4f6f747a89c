#!/bin/sh
# Plays tournaments between fake engines that make every mistake, and checks how komadori-match handles them.
# usage: BUILD=build/release-native sh tests/match/run_match.sh
# Seconds: 60
# Long: plays some hundred games
# Needs: komadori komadori-kifu komadori-match match/fakeengine
set -u
. tests/checks.sh
need mkfifo
: "${BUILD:=build/release-native}" "${KOMADORI_BUILD:=$(pwd)/$BUILD}" "${MODE:=release}"
match=$KOMADORI_BUILD/komadori-match
dir=$trial
# A separate copy, because other tests use the fake engine at the same time.
fake=$dir/fakeengine
cp "$KOMADORI_BUILD/match/fakeengine" "$fake"
out=$dir/said
log=$dir/results.jsonl

# The last tournament, for the checks. If one fails, its output is shown.
tell_out() { tail -n 11 "$out" | sed 's/^/      > /' && false; }
says() { grep -q -e "$1" "$out" || tell_out; }
logs() { grep -q -e "$1" "$log" || tell_out; }
equal() { [ "$1" = "$2" ] || { echo "      $1 is not $2" && tell_out; }; }
value_of() { awk -v key="$1" '$1 == key { print $2 }' "$out"; }

# An engine that answers is given a long time, because on a busy machine it may be late. Tests must not wait long
# for engines that do not answer, so theirs are played with $hasty. Tests of clocks run only in make test TIMING=1.
if timed; then
    hasty="-timeouts usi=1 ready=0.5 stop=0.3 quit=0.3 hang=0.4"
    timeouts=$hasty
else
    hasty="-timeouts usi=4 ready=2 stop=1 quit=1 hang=1.5"
    timeouts="-timeouts usi=60 ready=60 stop=60 quit=60 hang=60"
fi

# play ARGUMENTS...: writes the output to $out, the results to $log, the exit status to $ended.
play() {
    rm -f "$log"
    # shellcheck disable=SC2086
    "$match" $timeouts -results "$log" "$@" >"$out" 2>&1
    ended=$?
}

# data_of PAGE: writes the JSON of a page of -html to $data.
data=$dir/page.json
data_of() { sed -n '/^<script id="data"/,/<\/script>$/p' "$1" | sed '1s/^[^>]*>//; $s/<\/script>$//' >"$data"; }
# is_in_page PATTERN...: each pattern matches a line of it.
is_in_page() {
    for pattern; do
        tr -d '\n' <"$data" | grep -q -e "$pattern" || { echo "      no $pattern in $(head -c 3000 "$data")" && return 1; }
    done
}

# The number of processes of the fake engine. /proc gives a program's path without links.
real_fake=$(cd "$dir" && pwd -P)/fakeengine
count_fakes() {
    ls -l /proc/[0-9]*/exe 2>/dev/null | grep -c -F -- "-> $real_fake"
}

# A running one must be counted; otherwise counting none would prove nothing.
sees_fakes() {
    mkfifo "$dir/held_open"
    "$fake" <"$dir/held_open" >/dev/null &
    pid=$!
    await a_fake_runs >"$dir/held_open"
    is_seen=$?
    wait $pid
    return $is_seen
}
a_fake_runs() { [ "$(count_fakes)" -gt 0 ]; }
if [ -e /proc/self/exe ]; then
    check "a fake engine that runs is seen" sees_fakes
    # none_left TEXT: no process of the fake engine is left.
    none_left() { check "$1" equal "$(count_fakes)" 0; }
else
    skip "processes that are left" "there is no /proc to see them in"
    none_left() { :; }
fi

# One hundred openings of two plies.
for black in 7g7f 2g2f 6g6f 5g5f 4g4f 1g1f 9g9f 3g3f 8g8f 2h7h; do
    for white in 3c3d 8c8d 4c4d 5c5d 6c6d 1c1d 9c9d 7c7d 2c2d 8b3b; do
        echo "startpos moves $black $white"
    done
done >"$dir/openings"
echo "# handicap: two pieces
lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1" >"$dir/handicap"

pair="-engine name=a cmd=$fake -engine name=b cmd=$fake arg=seed=7"
# shellcheck disable=SC2086
{
    # ---- a thousand games --------------------------------------------------------------------
    play $pair -each nodes=1 -openings file="$dir/openings" -rounds 500 -concurrency 2 -maxmoves 200
    signature=$(value_of signature)
    check "1,000 games: exit status" equal "$ended" 0
    check "1,000 games: signature" equal "$signature" 0f5e23340efdd8ed
    check "1,000 games: all counted" says "^score *1000 games"
    check "1,000 games: a line each and one for the tournament" equal "$(wc -l <"$log")" 1001
    play $pair -each nodes=1 ponder -openings file="$dir/openings" -rounds 100 -maxmoves 200
    with_ponder=$(value_of signature)
    play $pair -each nodes=1 -openings file="$dir/openings" -rounds 100 -maxmoves 200 -concurrency 3
    check "neither ponder nor concurrency changes games" equal "$(value_of signature)" "$with_ponder"
    play $pair -each nodes=1 -openings file="$dir/openings" order=random -seed 5 -rounds 50
    shuffled=$(value_of signature)
    play $pair -each nodes=1 -openings file="$dir/openings" order=random -seed 5 -rounds 50
    check "one seed, one order" equal "$(value_of signature)" "$shuffled"
    play $pair -each nodes=1 -openings file="$dir/openings" order=random -seed 6 -rounds 50
    check "another seed, another order" [ "$(value_of signature)" != "$shuffled" ]
    count_starts() { grep -o '"start":"[^"]*"' "$log" | sort -u | grep -c .; }
    play $pair -each nodes=1 -openings file="$dir/openings" -rounds 2 -maxmoves 4
    check "two games from each opening" equal "$(count_starts)" 2
    play $pair -each nodes=1 -openings file="$dir/openings" -rounds 2 -maxmoves 4 -norepeat
    check "a new opening for each game" equal "$(count_starts)" 4
    play $pair -each nodes=1 -openings file="$dir/openings" start=3 -games 1 -maxmoves 4
    check "the third opening first" logs '"start":"startpos moves 7g7f 4c4d"'
    printf 'startpos moves %s\n' 7g7f 7g7f 2g2f >"$dir/doubled"
    play $pair -each nodes=1 -openings file="$dir/doubled" -rounds 2 -maxmoves 4
    check "an opening that is in the file twice counts once" equal "$(count_starts)" 2
    play $pair -each nodes=1 -openings file="$dir/handicap" -rounds 1
    check "a handicap game" logs '"start":"sfen lnsgkgsnl/9/ppppppppp'

    # ---- the rules ------------------------------------------------------------------------------
    # rule REASON WINNER SFEN MOVES_A MOVES_B [ARGUMENTS...]: one game, a is black.
    rule() {
        reason=$1
        winner=$2
        echo "$3" >"$dir/position"
        moves_a=$4
        moves_b=$5
        shift 5
        play -engine name=a cmd="$fake" arg="play=$moves_a" \
            -engine name=b cmd="$fake" arg="play=$moves_b" -each nodes=1 -games 1 \
            -openings file="$dir/position" "$@"
        check "$reason: $winner" logs "\"winner\":\"$winner\",\"end\":\"$reason\""
    }
    shuttle=2h3h,3h2h,2h3h,3h2h,2h3h,3h2h,2h3h
    rule repetition draw "startpos" $shuttle 8b7b,7b8b,8b7b,7b8b,8b7b,7b8b,8b7b
    check "repetition: at the fourth occurrence" logs '"plies":12,'
    checks=5i4i,4i5i,5i4i,4i5i,5i4i,4i5i,5i4i
    rule perpetual_check white "4k4/9/9/9/9/9/9/9/K3R4 w - 1" $checks \
        5a4a,4a5a,5a4a,4a5a,5a4a,4a5a,5a4a
    entered="+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2R2B 1"
    rule declaration black "$entered" win ""
    rule declaration draw "$entered" win "" -rule CSARule24
    rule false_win white "$entered" win "" -rule NoEnteringKing
    rule false_win white "startpos" win ""
    rule try black "9/4K4/9/9/9/9/9/4k4/9 b G 1" 5b5a "" -rule TryRule
    rule mate black "4k4/9/4P4/9/9/9/9/9/4K4 b G 1" "G*5b" ""
    rule illegal white "3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1" "P*5b" ""
    check "illegal: pawn-drop mate" logs uchifuzume
    rule illegal white "4k4/9/9/9/9/9/4P4/9/4K4 b P 1" "P*5e" ""
    check "illegal: nifu" logs nifu
    rule resign white "startpos" "7g7f,resign" ""
    rule max_plies draw "startpos moves 7g7f 3c3d" "" "" -maxmoves 9
    check "max_plies: the opening's moves count" logs '"plies":7,'

    # ---- engines at fault ----------------------------------------------------------------------
    # fault MODE REASON [ARGUMENTS...]: the engine loses all games by that reason.
    fault() {
        fault_mode=$1
        reason=$2
        shift 2
        play -engine name=bad cmd="$fake" arg="$fault_mode" arg=at=3 \
            -engine name=good cmd="$fake" arg=late arg=ms=4 -each nodes=1 -openings file="$dir/openings" -rounds 2 -concurrency 2 "$@"
        check "$fault_mode: exit status" equal "$ended" 0
        check "$fault_mode: played to the end" says "^score *4 games, +0 =0 -4"
        check "$fault_mode: lost by $reason" says "^bad .*lost by $reason 4\$"
        check "$fault_mode: only so" says "^ends *$reason 4\$"
        none_left "$fault_mode: nothing is left"
    }
    fault hang hang $hasty
    ! timed || fault late hang $hasty
    fault crash crash
    check "the signal is told" says "loses by crash: signal 9"
    fault exit crash
    check "the status is told" says "loses by crash: exit status 3"
    fault closed crash
    fault illegal illegal
    check "why it is illegal" says "5e5d: "
    fault none illegal
    fault empty illegal
    fault twice protocol
    fault win false_win
    fault chatty hang $hasty
    fault noreadyok not_ready $hasty
    fault nostop hang -each nodes=1 ponder $hasty
    if timed; then
        fault hang time -each tc=0 byoyomi=0.1
        fault late time -each st=0.2
        fault late time -each tc=0.5+0.1 margin=10
        play -engine name=bad cmd="$fake" arg=freeze arg=at=3 arg=ms=900 -engine name=good cmd="$fake" \
            -each st=0.6 -rounds 1 -maxmoves 9
        check "freeze: a move that came in time is played" says "^ends *max_plies 2\$"
    else
        skip "losses on time" "times count in make test TIMING=1 only"
    fi

    # harmless MODE [ARGUMENTS...]: the engine plays on normally.
    play -engine name=bad cmd="$fake" arg=good arg=at=3 -engine name=good cmd="$fake" -each nodes=1 \
        -openings file="$dir/openings" -rounds 4 -maxmoves 60
    plain=$(value_of signature)
    harmless() {
        harmless_mode=$1
        shift
        play -engine name=bad cmd="$fake" arg="$harmless_mode" arg=at=3 \
            -engine name=good cmd="$fake" -each nodes=1 -openings file="$dir/openings" -rounds 4 \
            -maxmoves 60 "$@"
        check "$harmless_mode: exit status" equal "$ended" 0
        check "$harmless_mode: the same games" equal "$(value_of signature)" "$plain"
        none_left "$harmless_mode: nothing is left"
    }
    harmless stderr
    harmless stdout
    harmless deaf $hasty
    harmless badponder -each nodes=1 ponder
    harmless early -each nodes=1 ponder
    harmless crashafter
    harmless good -each nodes=1 restart

    # ---- nothing leaks --------------------------------------------------------------------------
    rm -f "$log"
    (
        ulimit -n 32
        "$match" -engine name=bad cmd="$fake" arg=crash arg=at=2 -engine name=good cmd="$fake" \
            arg=exit arg=at=4 -each nodes=1 -openings file="$dir/openings" -rounds 500 \
            -concurrency 2 >"$out" 2>&1
    )
    check "1,000 games with crashes and 32 descriptors" says "^ends *crash 1000\$"
    none_left "no process is left of them"

    # ---- interruption and resumption ------------------------------------------------------------
    slow="-engine name=a cmd=$fake arg=late arg=ms=5 -engine name=b cmd=$fake arg=seed=7"
    slow="$slow -each nodes=1 -openings file=$dir/openings -rounds 20 -maxmoves 40"
    play $slow -concurrency 2
    whole=$(value_of signature)
    rm -f "$log"
    "$match" $slow -concurrency 2 -results "$log" -ratinginterval 1 >"$out" 2>&1 &
    pid=$!
    await has_lines "$log" 2
    kill -INT $pid
    wait $pid
    check "SIGINT: exit status" equal $? 130
    check "SIGINT: the table is printed" says "^signature "
    check "SIGINT: it did not end by itself" says "^interrupted"
    none_left "SIGINT: no process is left"
    done=$(($(wc -l <"$log") - 1))
    check "SIGINT: some games were played, not all ($done)" [ "$done" -gt 0 -a "$done" -lt 40 ]
    if sh -c 'kill -HUP $$; exit 7'; [ $? -eq 7 ]; then
        skip "SIGHUP" "it is ignored here, as under nohup"
    else
        : >"$out" # the shell in the background may be late to empty it
        "$match" $slow -concurrency 2 -ratinginterval 1 >"$out" 2>&1 &
        pid=$!
        await has_lines "$out" 1
        kill -HUP $pid
        wait $pid
        check "SIGHUP: exit status" equal $? 130
        check "SIGHUP: the table is printed" says "^signature "
        none_left "SIGHUP: no process is left"
    fi
    printf '{"game":39,"round":20,"bla' >>"$log"
    "$match" $slow -concurrency 2 -results "$log" -resume >"$out" 2>&1
    check "resumed: goes on" says "^continuing after $done games*\$"
    check "resumed: the same tournament" equal "$(value_of signature)" "$whole"
    check "resumed: each game once" equal "$(grep -c '"game"' "$log")" 40
    head -c 50 "$log" >"$dir/begun"
    "$match" $slow -results "$dir/begun" -resume -rounds 1 >"$out" 2>&1
    check "a file of results that was only begun is begun again" says "^score *2 games"
    check "and is whole" equal "$(grep -c '^{.*}$' "$dir/begun")" 3
    for foreign in 'a note' 'a note\nwith two lines'; do
        printf "$foreign" >"$dir/note"
        "$match" $slow -results "$dir/note" -resume >"$out" 2>&1
        check "a file without results is refused" says "note belongs to a different tournament"
        check "and left as it is" equal "$(cat "$dir/note")" "$(printf "$foreign")"
    done
    "$match" $slow -results "$log" -resume -rounds 5 >"$out" 2>&1
    check "resumed with fewer rounds: exit status" equal $? 0
    check "resumed with fewer rounds: their games count" says "^score *10 games"
    "$match" $slow -results "$dir/held" -rounds 100000 >"$dir/first" 2>&1 &
    holder=$!
    tries=0
    until [ -s "$dir/held" ] || [ $tries -gt 600 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    "$match" $slow -results "$dir/held" -resume >"$out" 2>&1
    check "results that another process writes: exit status" [ $? -ne 0 ]
    check "results that another process writes: the reason" says "held: another process is writing to it"
    kill -INT $holder
    wait $holder
    check "resumed with fewer rounds: the others stay" equal "$(grep -c '"game"' "$log")" 40
    sed 's/"game":39/"game":-1/' "$log" >"$dir/broken"
    "$match" $slow -results "$dir/broken" -resume >"$out" 2>&1
    check "a line that is no game is refused" says "broken, line [0-9]*: not a game of this tournament"
    "$match" $slow -results "$log" >"$out" 2>&1
    check "a results file is not overwritten" says "not overwritten: it exists; continue it with -resume"
    "$match" $slow -results "$log" -resume -maxmoves 41 >"$out" 2>&1
    check "another tournament is refused" says "belongs to a different tournament"

    # ---- adjudication ---------------------------------------------------------------------------
    play -engine name=a cmd="$fake" arg=score=-900 -engine name=b cmd="$fake" arg=score=900 \
        -each nodes=1 -rounds 1 -resign movecount=4 score=900 twosided=true
    check "resign rule" says "^ends *adjudged_win 2\$"
    check "after four moves of each" logs '"plies":8,.*"black_nodes":4000'
    play -engine name=a cmd="$fake" arg=score=-900 -engine name=b cmd="$fake" -each nodes=1 -rounds 1 \
        -resign movecount=4 score=900 twosided=true -maxmoves 30
    check "not without the other's word" says "^ends *max_plies 2\$"
    play -engine name=a cmd="$fake" arg=score=-5 -engine name=b cmd="$fake" arg=score=20 \
        -each nodes=1 -rounds 1 -draw movenumber=20 movecount=3 score=20
    check "draw rule" says "^ends *adjudged_draw 2\$"
    check "at its ply" logs '"plies":20,'

    mkdir "$dir/scored"
    play -engine name=a cmd="$fake" arg=score=900 arg=play=7g7f,2g2f -engine name=b cmd="$fake" \
        arg=score=-900 arg=play=3c3d,8c8d -each nodes=1 -games 1 -resign movecount=2 score=900 \
        twosided=true -records dir="$dir/scored" format=csa
    record=$dir/scored/game-000001.csa
    check "records: black's score, the line behind its move, nodes" \
        grep -q -x "'\*\* 900 -[0-9A-Z]* #1000" "$record"
    check "records: white's, seen from black, too: one for each move" \
        equal "$(grep -c "^'\*\* 900 " "$record")" 3
    check "records: adjudged when the loser was to move: it gives up" grep -q '^%TORYO' "$record"
    check "records: the date" grep -q '^$START_TIME:20[0-9/]* [0-9:]*$' "$record"
    check "records: the time control" grep -q -x "'TIME：nodes 1" "$record"
    check "records: the depth" grep -q -x "'\*\*深さ=3" "$record"
    for each in csa csa3 kif ki2 jkf usen; do
        mkdir "$dir/won-$each"
        play -engine name=a cmd="$fake" arg=score=900 -engine name=b cmd="$fake" arg=score=-900 \
            -each tc=15:00 byoyomi=60 -games 1 -resign movecount=2 score=900 \
            -records dir="$dir/won-$each" format=$each
        "$KOMADORI_BUILD/komadori-kifu" stats "$dir/won-$each"/* >"$out" 2>&1
        check "records: an adjudged win is a win in $each" says "^  [a-z]* wins  *1  100.0 %"
    done
    play -engine name=a cmd="$fake" -engine name=b cmd="$fake" -each tc=15:00 -games 1 -maxmoves 4 \
        -records dir="$dir/kifu" format=kifu
    check "records: kifu is KIF in UTF-8" grep -q '^#KIF version=2.0 encoding=UTF-8' "$dir/kifu/game-000001.kifu"
    "$KOMADORI_BUILD/komadori-kifu" convert --to kifu "$dir/kifu/game-000001.kifu" >"$dir/converted.kifu" 2>/dev/null
    check "records: as convert writes it" cmp "$dir/kifu/game-000001.kifu" "$dir/converted.kifu"
    check "records: time left" grep -q "^'\*\*残り時間=[89][0-9.]*$" "$dir/won-csa"/*
    check "records: CSA's time control" grep -q -x -F '$TIME_LIMIT:00:15+60' "$dir/won-csa"/*
    check "records: CSA 3's time control" grep -q -x -F '$TIME:900+60+0' "$dir/won-csa3"/*
    check "records: the time control in words" grep -q '"持ち時間":"15分、秒読み60秒"' "$dir/won-jkf"/*
    play -engine name=a cmd="$fake" arg=score=-900 arg=play=7g7f,2g2f -engine name=b cmd="$fake" \
        arg=score=900 arg=play=3c3d,8c8d -each nodes=1 -games 1 -resign movecount=2 score=900 \
        twosided=true -records dir="$dir/scored" format=jkf
    record=$dir/scored/game-000001.jkf
    check "records: adjudged against the side to move" grep -q '"special": *"TORYO"' "$record"
    check "records: a score in words" grep -q '"comments":\["\*評価値=-900","\*読み筋=△[^"]*","\*深さ=3","\*ノード数=1000"\]' "$record"
    echo 'sfen 7gk/9/9/9/9/9/9/9/K8 b G 1' >"$dir/capture.sfen"
    play -engine name=a cmd="$fake" arg=score=9 arg=play='G*1b' -engine name=b cmd="$fake" -each nodes=1 -games 1 \
        -maxmoves 1 -openings file="$dir/capture.sfen" -records dir="$dir/captured" format=jkf
    check "records: a line that begins with a recapture" grep -q '"\*読み筋=△１二\(玉\|金\)"' "$dir/captured/game-000001.jkf"
    play -engine name=a cmd="$fake" arg=score=900 -engine name=b cmd="$fake" -each nodes=1 -games 1 \
        -maxmoves 2 -records dir="$dir/scored" format=csa3
    check "records: a score in CSA 3" grep -q "^'\*\* 900 " "$dir/scored/game-000001.csa3"
    for each in "csa|'\*\* 30000 " "kifu|\*\*詰み=先手勝ち$"; do
        play -engine name=a cmd="$fake" arg=mate=+ -engine name=b cmd="$fake" -each nodes=1 -games 1 -maxmoves 2 \
            -records dir="$dir/mate" format="${each%|*}" -html "$dir/mate.html"
        check "records: a mate of unknown length in ${each%|*}" grep -q "^${each#*|}" "$dir/mate/game-000001.${each%|*}"
    done
    data_of "$dir/mate.html"
    check "page: a mate of unknown length" is_in_page '"notes":\[\[200000,'
    mkdir "$dir/named"
    play -engine name=a cmd="$fake" -engine name=b cmd="$fake" -each nodes=1 -games 1 -maxmoves 2 \
        -event "Test Cup" -site "Some Place" -records dir="$dir/named"
    record=$dir/named/game-000001.csa
    check "records: the event" grep -q -x -F '$EVENT:Test Cup' "$record"
    check "records: the site" grep -q -x -F '$SITE:Some Place' "$record"

    # ---- tournaments and the test ---------------------------------------------------------------
    quick="-each nodes=1 -openings file=$dir/openings -maxmoves 20"
    three="-engine name=a cmd=$fake -engine name=b cmd=$fake arg=resign -engine name=c cmd=$fake"
    play $three $quick -rounds 2 -concurrency 2
    check "round robin: three encounters" says "^ends .*resign 8"
    check "round robin: a table" says "^ *3 b  *8  *0.0 "
    play $three $quick -rounds 2 -tournament gauntlet
    check "gauntlet: two encounters" says "^ends *resign 4, max_plies 4\$"
    play $three -engine name=d cmd="$fake" $quick -tournament gauntlet -seeds 2
    check "gauntlet of two: four encounters" says "^signature .* over 8 games"
    check "gauntlet of two: they do not meet" equal "$(grep -c '"black":"a","white":"b"\|"black":"b","white":"a"' "$log")" 0
    whole=$(value_of signature)
    "$match" -merge "$log" >"$out" 2>&1
    check "gauntlet of two: its file says so" equal "$(value_of signature)" "$whole"
    check "gauntlet of two: nothing is missing" equal "$(grep -c 'are missing' "$out")" 0
    play -engine name=a cmd="$fake" -engine name=b cmd="$fake" arg=resign $quick -sprt elo0=0 elo1=50
    check "SPRT: stops by itself" says "H1 accepted"
    check "SPRT: no bound of games is told" equal "$(grep -c '/2000000' "$out")" 0
    check "SPRT: soon" [ "$(wc -l <"$log")" -lt 100 ]
    play -engine name=a cmd="$fake" arg=resign -engine name=b cmd="$fake" $quick \
        -sprt elo0=0 elo1=50 model=logistic
    check "SPRT: the other way" says "H0 accepted"

    # ---- round robins, colours, shards ------------------------------------------------------------
    four="-engine name=a cmd=$fake -engine name=b cmd=$fake arg=resign arg=at=6
        -engine name=c cmd=$fake arg=resign arg=at=4 -engine name=d cmd=$fake arg=resign arg=at=2"
    play $four $quick -concurrency 3 -ratinginterval 4 -html "$dir/four.html" -site '<b>&'
    cp "$out" "$dir/four.out"
    "$match" -merge "$log" -sprt -results "$dir/untested" >"$out" 2>&1
    check "-merge with -sprt of four: exit status" equal $? 1
    check "-merge with -sprt of four: the reason" says "^komadori-match: -sprt: only between two engines\$"
    check "-merge with -sprt of four: one line" equal "$(wc -l <"$out")" 1
    check "-merge with -sprt of four: nothing is written" [ ! -e "$dir/untested" ]
    cp "$dir/four.out" "$out"
    check "round robin: twelve games" says "^signature .* over 12 games"
    check "round robin: the table" says "^ *1 a  *6  *6.0 "
    data_of "$dir/four.html"
    check "round robin: its page has ended" is_in_page '"kind":"round-robin".*"done":12' '"state":"ended"'
    check "round robin: text is no markup" is_in_page '"site":"\\u003cb>&"'
    check "round robin: a curve of each, won games or lost" \
        is_in_page '"elo":{"0":\[null,[nul,]*190.8,[^]]*\],"1":\[[^]]*\],"2":\[[^]]*\],"3":\[[^]]*-[0-9.]*\]}'
    check "round robin: encounters" is_in_page '"first":2,"second":3'
    check "live standings" says "^   1 a  *[0-9.]*/"
    check "a line when a game begins" says "^game 1 of 12 begins: a - b"
    check "and when it ends" says "^game 1 ends: a - b 1-0, resign after [0-9]* plies"
    sed -i '$d' "$log"
    "$match" $timeouts $four $quick -rounds 2 -results "$log" -resume >"$out" 2>&1
    check "round robin: goes on" says "^continuing after 11 games"
    check "round robin: one more round" says "^signature .* over 24 games"
    whole=$(value_of signature)
    "$match" -merge "$log" >"$out" 2>&1
    check "round robin: its file says so" equal "$(value_of signature)" "$whole"
    sed '1s/"games":2/"games":10000000/' "$log" >"$dir/huge"
    "$match" -merge "$dir/huge" >"$out" 2>&1
    check "-merge: a first line with too many games" says "^komadori-match: -merge: more than 20 million games"
    for each in '"tournament":2' '"colors":5'; do
        sed "1s/\"$(echo "$each" | cut -d '"' -f 2)\":[0-9]*/$each/" "$log" >"$dir/odd"
        "$match" -merge "$dir/odd" >"$out" 2>&1
        check "-merge: a first line with $each" \
            says "^komadori-match: $dir/odd: the first line does not describe the tournament completely"
    done
    play $pair $quick -rounds 3 -quiet
    check "none with -quiet" equal "$(grep -c '^game ' "$out")" 0
    play $pair $quick -rounds 3 -noswap
    check "colours that are not swapped" equal "$(grep -c '"black":"a"' "$log")" 6
    play $pair $quick -rounds 3 -noswap -reverse
    check "or the other way round" equal "$(grep -c '"black":"b"' "$log")" 6
    "$match" -merge "$log" >"$out" 2>&1
    check "its file says so" says "^  as white   6 games"
    "$match" $timeouts $pair $quick -rounds 3 -noswap -results "$log" -resume >"$out" 2>&1
    check "and is of no other tournament" equal $? 1
    play $pair $quick -rounds 20
    whole=$(value_of signature)
    for each in 1 2 3; do
        "$match" $timeouts $pair $quick -rounds 20 -shard $each/3 -results "$dir/shard$each" \
            >"$out" 2>&1
        check "shard $each: played to its end" equal $? 0
        check "shard $each: pairs are whole" \
            equal "$(sed -n 's/^{"game":\([0-9]*\),.*/\1/p' "$dir/shard$each" | awk -v n=$each 'int($1 / 2) % 3 == n - 1 { k++ } END { print k == NR && NR % 2 == 0 }')" 1
    done
    "$match" -merge "$dir/shard1" "$dir/shard2" "$dir/shard3" -results "$dir/merged" \
        -html "$dir/merged.html" -sprt >"$out" 2>&1
    check "merged: exit status" equal $? 0
    check "merged: the same tournament" equal "$(value_of signature)" "$whole"
    check "merged: the test" says "^SPRT  *LLR"
    check "merged: names and times" says "^a against b (nodes 1):"
    check "merged: pairs are whole" says "^pairs .*(LL, LD"
    check "merged: one file" equal "$(grep -c '"game"' "$dir/merged")" 40
    "$match" $timeouts $pair $quick -rounds 20 -results "$dir/merged" -resume >"$out" 2>&1
    check "merged: nothing is left to play" says "^continuing after 40 games"
    "$match" -merge "$dir/shard1" "$dir/shard1" "$dir/shard2" "$dir/shard3" >"$out" 2>&1
    check "merged: a game in two files counts once" equal "$?$(value_of signature)" "0$whole"
    "$match" -merge "$dir/shard1" "$dir/shard2" -results "$dir/shard2" >"$out" 2>&1
    check "merged: a part is not overwritten" says "^komadori-match: $dir/shard2: not overwritten: this is an input"
    sed 's/"white_depth_moves":[0-9]*,//; s/"black_us":[0-9]*,//' "$dir/shard2" >"$dir/older"
    "$match" -merge "$dir/shard1" "$dir/older" "$dir/shard3" >"$out" 2>&1
    check "merged: a number that an older version did not write is 0" equal "$?$(value_of signature)" "0$whole"
    sed '3s/"winner"/"loser"/' "$dir/shard2" >"$dir/damaged"
    "$match" -merge "$dir/shard1" "$dir/damaged" >"$out" 2>&1
    check "merged: a bad line is named" says "^komadori-match: $dir/damaged, line 3: not a game of this tournament"
    sed '1s/"settings":"./"settings":"x/' "$dir/shard2" >"$dir/odd"
    "$match" -merge "$dir/shard1" "$dir/odd" >"$out" 2>&1
    check "merged: a file of another tournament is named" says "^komadori-match: $dir/odd: belongs to a different tournament"
    "$match" -merge "$dir/shard1" "$log" "$dir/none" >"$out" 2>&1
    check "merged: a missing file is named" says "^komadori-match: $dir/none: No such file"
    : >"$dir/shard4"
    head -c 50 "$dir/shard1" >"$dir/shard5"
    "$match" -merge "$dir/shard4" "$dir/shard5" "$dir/shard1" "$dir/shard3" >"$out" 2>&1
    check "merged: parts without games are none that fail" equal $? 0
    check "merged: missing games are told" \
        says "^komadori-match: warning: 14 of 40 games are missing from these files"
    "$match" -merge "$dir/shard1" >"$out" 2>&1
    check "merged: and those after the last" says "warning: 26 of 40 games are missing from these files"
    "$match" -merge "$dir/shard4" >"$out" 2>&1
    check "merged: no games at all" says "^komadori-match: $dir/shard4: contains no results"
    data_of "$dir/merged.html"
    check "merged: its page" is_in_page '"state":"merged"'
    check "merged: with all games" equal "$(grep -c '^{"game":' "$data")" 40
    check "merged: and an LLR curve" is_in_page '"llr":[[0-9.,-]*]'

    play $pair $quick -rounds 4
    whole=$(value_of signature)
    sed 's/"white_depth_moves":[0-9]*,//; s/"black_us":[0-9]*,//' "$log" >"$dir/older"
    "$match" $timeouts $pair $quick -rounds 4 -results "$dir/older" -resume -html "$dir/older.html" >"$out" 2>&1
    check "resumed: a number that an older version did not write is 0" equal "$?$(value_of signature)" "0$whole"
    data_of "$dir/older.html"
    check "resumed: the page has all games" equal "$(grep -c '^{"game":' "$data")" 8
    sed '3s/"winner"/"loser"/' "$log" >"$dir/damaged"
    "$match" $timeouts $pair $quick -rounds 4 -results "$dir/damaged" -resume >"$out" 2>&1
    check "resumed: a bad line is named" says "^komadori-match: $dir/damaged, line 3: not a game of this tournament"

    # ---- the page: its numbers equal those of the report -----------------------------------------
    play -engine name=a cmd="$fake" arg=scores -engine name=b cmd="$fake" arg=scores arg=seed=7 arg=resign arg=at=30 \
        $quick -rounds 4 -concurrency 2 -sprt -html "$dir/match.html" -event '</script>'
    data_of "$dir/match.html"
    if command -v node >/dev/null; then
        check "page: whole JSON" node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' "$data"
    fi
    check "page: one that needs no other" equal "$(grep -c ' src=\|href="[a-z]*:\| url(\|@import' "$dir/match.html")" 0
    check "page: nothing is left to be filled in" equal \
        "$(grep -c '^@[A-Z]*@\|>@[A-Z]*@' "$dir/match.html")" 0
    check "page: the event is no markup" is_in_page '"event":"\\u003c/script>"'
    check "page: points" says "^score  *8 games, .*, $(sed -n 's/.*"name":"a".*"points":\([0-9.]*\).*/\1/p' "$data") points"
    check "page: pairs" says "^pairs  *\[$(sed -n 's/.*"name":"a".*"pairs":\[\([0-9,]*\)\].*/\1/p' "$data" | sed 's/,/, /g')\]"
    check "page: LLR" says "^SPRT  *LLR $(grep -o '"llr":-*[0-9.]*' "$data" | cut -d : -f 2) "
    check "page: Elo" says "^Elo  *$(sed -n 's/.*"name":"a".*"elo":\(-*[0-9.]*\),.*/\1/p' "$data" | sed 's/^[0-9]/+&/') \|^Elo  *[+-]inf"
    check "page: signature" is_in_page "\"signature\":\"$(value_of signature)\""
    check "page: eight games" equal "$(grep -c '^{"game":.*"moves":"[^"]* [^"]*","notes":\[\[-*[0-9]' "$data")" 8
    check "page: each move has its score, time, depth and line" equal "$(awk -F '"notes":' '/^{"game":/ {
        sub(/.*"moves":"/, "", $1); moves = split($1, words, " ")
        notes = gsub(/\[(-?[0-9]+|null),[0-9]+,[0-9]+,"/, "", $2)
        if (moves < 5 || notes != moves) print moves, notes }' "$data")" ""
    check "page: none is played any more" is_in_page '"playing":\[\]}$'
    # During a tournament the page shows games in progress, and after Ctrl-C that it was interrupted.
    rm -f "$log"
    "$match" $timeouts $pair -each nodes=1 -openings file="$dir/openings" -rounds 100000 -html "$dir/live.html" >"$out" 2>&1 &
    pid=$!
    check "page: written when the first game begins" await grep -q '"state":"running"' "$dir/live.html"
    data_of "$dir/live.html"
    check "page: it is under way" is_in_page '"playing":\[{"game":0,.*"left":\[-1,-1\]'
    kill -INT $pid
    wait $pid
    check "page: interrupted" grep -q '"state":"interrupted"' "$dir/live.html"

    # ---- files of openings and traffic ---------------------------------------------------------
    play -engine cmd="$fake" name=a option.Dummy=2 -engine cmd="$fake" name=b arg=resign arg=at=3 option.Bogus=1 \
        -each nodes=1 -rounds 3 -openings file="$dir/openings" order=random -resign -quiet -maxmoves 20 -log "$dir/traffic"
    check "-log: options of the engine" grep -q ' a\[1\] > setoption name Dummy value 2' "$dir/traffic"
    check "-log: and of the other" grep -q ' b\[1\] > setoption name Bogus value 1' "$dir/traffic"
    check "-log: what it says" grep -q '^[0-9.]* b\[1\] < bestmove resign' "$dir/traffic"
    play $pair -each nodes=1 -openings file="$dir/won-kif/game-000001.kif" plies=2 -maxmoves 9
    check "openings from a record" logs '"start":"sfen [^"]* moves 7g7f 3c3d"\|"start":"sfen [^"]* moves [^" ]* [^" ]*"'
    start=$(date +%s)
    play $pair -each nodes=1 -rounds 2 -wait 400 -maxmoves 4
    check "-wait" [ "$(($(date +%s) - start))" -ge 1 ]

    # ---- compliance -------------------------------------------------------------------------------
    "$match" -compliance -engine cmd="$KOMADORI_BUILD/komadori" >"$out" 2>&1
    check "compliance: Komadori" equal $? 0
    check "compliance: all of it" says "^28 passed, 0 failed"
    "$match" -compliance $hasty -engine cmd="$fake" >"$out" 2>&1
    check "compliance: an engine with faults" equal $? 1
    check "compliance: answers go infinite" says "^FAIL  go infinite is not answered"
    check "compliance: knows no mates" says "^FAIL  go mate is answered by checkmate: no checkmate"
    "$match" -compliance $hasty -engine cmd="$fake" arg=crash >"$out" 2>&1
    check "compliance: an engine that crashes" says "^FAIL .*the process ended"
    "$match" -compliance $hasty -engine cmd="$dir/none" >"$out" 2>&1
    check "compliance: no program" says "^komadori-match: cannot start $dir/none: No such file"
    check "compliance: no program: one line" equal "$(wc -l <"$out")" 1
    "$match" -compliance $hasty -engine cmd=/bin/true >"$out" 2>&1
    check "compliance: no engine" equal $? 1
    check "compliance: no engine: what it lacks" says "^FAIL  usiok answers usi: "
    check "compliance: no engine: nothing passes" says "^0 passed, 1 failed"
    : >"$out" # the shell in the background may be late to empty it
    "$match" -compliance -timeouts ready=600 -engine cmd="$fake" arg=noreadyok >"$out" 2>&1 &
    pid=$!
    await grep -q '^pass  usiok answers usi$' "$out"
    kill -INT $pid
    wait $pid
    check "compliance: SIGINT: exit status" equal $? 130
    check "compliance: SIGINT: the engine is not blamed" says "^3 passed, 0 failed"
    check "compliance: SIGINT: no result of the check that was cut short" equal "$(grep -c ready "$out")" 0
    check "compliance: SIGINT: it did not end by itself" says "^interrupted"

    # ---- commands sent to engines ---------------------------------------------------------------
    cat >"$dir/wrapped" <<END
#!/bin/sh
tee -a "$dir/told" | "$fake"
END
    chmod +x "$dir/wrapped"
    play -engine name=a cmd="$dir/wrapped" option.USI_Hash=64 option.Path="/a b" option.Clear= \
        -engine name=b cmd="$fake" arg=resign arg=at=2 -each tc=10+0.5 -rounds 1 \
        -records dir="$dir" format=csa
    told() { grep -q -x -e "$1" "$dir/told"; }
    check "told: options" told "setoption name USI_Hash value 64"
    check "told: an option with blanks" told "setoption name Path value /a b"
    check "told: a button" told "setoption name Clear"
    check "told: one thread" told "setoption name Threads value 1"
    check "told: no ponder" told "setoption name USI_Ponder value false"
    check "told: the first move has the main time" \
        told "go btime 9500 wtime 9500 binc 500 winc 500"
    check "told: a new game" told "usinewgame"
    check "told: the end of the game" told "gameover win"
    check "told: the end" told "quit"
    none_left "a wrapped engine leaves nothing"
    check "a record" grep -q '^N+a' "$dir/game-000001.csa"
    check "its ending" grep -q '^%TORYO' "$dir/game-000001.csa"
    mkdir "$dir/below"
    cat >"$dir/placed" <<END
#!/bin/sh
pwd >"$dir/stood"
echo "\$*" >"$dir/given"
ls -l /proc/\$\$/fd >"$dir/held" 2>/dev/null
tee "$dir/told" | "$fake" "\$@"
END
    chmod +x "$dir/placed"
    play -engine name=a cmd="$dir/placed" "args=stderr at=2" dir="$dir/below" stderr="$dir/errors" \
        -engine name=b cmd="$fake" -each depth=4 -rounds 1 -maxmoves 5
    check "a working directory" equal "$(cat "$dir/stood")" "$dir/below"
    if grep -q " 0 -> " "$dir/held"; then
        check "an engine gets no file of the match" equal "$(grep -c -F "$log" "$dir/held")" 0
    else
        skip "an engine gets no file of the match" "there is no /proc to see it"
    fi
    check "arguments in one word" equal "$(cat "$dir/given")" "stderr at=2"
    check "told: a depth" told "go depth 4"
    check "what an engine says on stderr: a megabyte before three answers" \
        equal "$(($(wc -c <"$dir/errors")))" 3145728
    play -engine name=a cmd="$dir/placed" "args=stderr at=5" stderr="$dir/errors" -engine name=b \
        cmd="$fake" -each nodes=1 -games 1 -maxmoves 10
    check "which is appended to what is there" equal "$(($(wc -c <"$dir/errors")))" 4194304
    # White has one reply to the first move: the one that is expected.
    echo "8k/9/7G1/9/9/9/9/9/K8 b - 1" >"$dir/position"
    play -engine name=a cmd="$dir/placed" arg=play=9i8i ponder -engine name=b cmd="$fake" \
        -each nodes=1 -games 1 -openings file="$dir/position" -maxmoves 3
    check "told: to ponder on it" grep -q -A 1 -x "position .* moves 9i8i 1a2a" "$dir/told"
    check "told: to ponder, with the limits" told "go ponder nodes 1"
    check "told: that it was played" told ponderhit
    play -engine name=a cmd="$dir/placed" arg=play=9i8i ponder -engine name=b cmd="$fake" \
        -each nodes=1 -games 1 -openings file="$dir/position" -maxmoves 2
    check "told: to move" told "go nodes 1"
    check "told: not to ponder where the reply ends the game" \
        equal "$(grep -c "^go ponder" "$dir/told")" 0
    play -engine name=a cmd="$dir/placed" ponder -engine name=b cmd="$fake" arg=seed=7 \
        -each nodes=1 -games 1 -openings file="$dir/openings" -maxmoves 20
    check "told: to stop where another was played" told stop

    # ---- outputs that would destroy others ------------------------------------------------------
    # clashes FILE ARGUMENTS...: both outputs are refused, and the file is not touched.
    clashes() {
        clash=$1
        shift
        "$match" $pair -each nodes=1 -openings file="$dir/openings" -maxmoves 4 "$@" >"$out" 2>&1
        check "one name for two outputs: exit status ($*)" equal $? 2
        check "one name for two outputs: the reason ($*)" says "^komadori-match: $clash: not overwritten: another output has this name\$"
    }
    clashes "$dir/clash" -results "$dir/clash" -html "$dir/clash"
    clashes "$dir/clash" -log "$dir/./clash" -html "$dir/clash"
    clashes "$dir/clash" -log "$dir/clash" -results "$dir/clash"
    clashes "$dir/clash" -each stderr="$dir/clash" -results "$dir/clash"
    check "one name for two outputs: nothing is created" [ ! -e "$dir/clash" ]
    play $pair -each nodes=1 -openings file="$dir/openings" -maxmoves 4
    cp "$log" "$trial/kept"
    clashes "$log" -resume -rounds 2 -results "$log" -html "$log"
    check "one name for two outputs: the results are kept" untouched "$log"
    play $pair -each nodes=1 stderr="$dir/two-stderrs" -maxmoves 4 -log /dev/null -html /dev/null
    check "two engines may share a file of stderr, and outputs /dev/null" equal "$ended" 0
    cp "$dir/openings" "$trial/kept"
    play $pair -each nodes=1 -maxmoves 4 -html "$dir/openings"
    check "a page does not replace another file: exit status" equal "$ended" 1
    check "a page does not replace another file: the reason" \
        says "^komadori-match: $dir/openings: not overwritten: it exists and is not a page of -html; name another file\$"
    check "a page does not replace another file: it is kept" untouched "$dir/openings"
    check "a page does not replace another file: no results" [ ! -e "$log" ]
    : >"$dir/again.html"
    play $pair -each nodes=1 -maxmoves 4 -html "$dir/again.html"
    check "a page replaces an empty file" grep -q '^</html>' "$dir/again.html"
    play $pair -each nodes=1 -maxmoves 4 -html "$dir/again.html" -event second-time
    check "a page replaces a page: exit status" equal "$ended" 0
    check "a page replaces a page" grep -q second-time "$dir/again.html"

    play $pair -each nodes=1 -maxmoves 4
    cp "$dir/openings" "$trial/kept"
    "$match" $pair -each nodes=1 -maxmoves 4 -results "$log" -resume -rounds 2 -log "$dir/openings" >"$out" 2>&1
    check "-log appends to no other file: exit status" equal $? 1
    check "-log appends to no other file: the reason" \
        says "^komadori-match: $dir/openings: not overwritten: it exists and is not a log of -log; name another file\$"
    check "-log appends to no other file: it is kept" untouched "$dir/openings"
    check "-log appends to no other file: nothing was played" equal "$(grep -c '"game":' "$log")" 2
    play $pair -each nodes=1 -maxmoves 4 -log "$dir/long.log"
    cp "$dir/long.log" "$dir/once.log"
    play $pair -each nodes=1 -maxmoves 4 -log "$dir/long.log"
    check "-log appends to a log: exit status" equal "$ended" 0
    check "-log appends to a log" \
        sh -c 'head -c "$(($(wc -c <"$2")))" "$1" | cmp - "$2" && [ "$(grep -c " usi$" "$1")" = 4 ]' sh "$dir/long.log" "$dir/once.log"

    # ---- making openings ------------------------------------------------------------------------
    # make_openings FILE ARGUMENTS...
    make_openings() {
        made=$1
        shift
        "$match" -makeopenings file="$made" minplies=3 maxplies=6 nodes=20 score=300 "$@" -engine \
            name=m cmd="$KOMADORI_BUILD/komadori" option.USI_Hash=1 nodes=100 >"$out" 2>&1
        ended=$?
    }
    make_openings "$dir/made8" count=8 seed=3
    check "openings: exit status" equal "$ended" 0
    check "openings: says how many there are" says "^8 openings in $dir/made8$"
    check "openings: eight, all different" \
        equal "$(grep '^startpos moves ' "$dir/made8" | sort -u | grep -c .)" 8
    check "openings: of three to six plies" \
        equal "$(awk 'NF >= 5 && NF <= 8' "$dir/made8" | grep -c .)" 8
    play $pair -each nodes=1 -openings file="$dir/made8" -rounds 8 -maxmoves 10
    check "openings: can be played from" says "^score *16 games"
    make_openings "$dir/again8" count=8 seed=3
    check "openings: one seed, one file" cmp "$dir/made8" "$dir/again8"
    make_openings "$dir/other8" count=8 seed=4
    check "openings: another seed, others" [ "$(cat "$dir/other8")" != "$(cat "$dir/made8")" ]
    make_openings "$dir/made8" count=8 seed=5
    check "openings: a file that is there is refused" equal "$ended" 1
    check "openings: and named" says "$dir/made8: not overwritten: it exists; name another file"
    check "openings: and kept" cmp "$dir/made8" "$dir/again8"
    make_openings "$dir/none/made" count=8
    check "openings: a place that cannot be written" says "$dir/none/made: its folder does not exist"
    check "openings: is told before the work" equal "$(grep -c . "$out")" 1
    "$match" -makeopenings file="$dir/cut" count=100000 minplies=2 maxplies=2 nodes=1 score=30000 \
        -engine name=m cmd="$KOMADORI_BUILD/komadori" nodes=1 >"$out" 2>&1 &
    pid=$!
    await test -s "$dir/cut"
    kill -INT $pid
    wait $pid
    check "openings: cut off: exit status" equal $? 130
    check "openings: cut off: says so" says "^komadori-match: stopped after [1-9]"
    check "openings: cut off: what was made stays" grep -q "^startpos moves " "$dir/cut"

    # ---- warnings -------------------------------------------------------------------------------
    # warned COUNT TEXT: this many warnings of the last match begin with the text.
    warned() { equal "$(grep -c -e "^komadori-match: warning: $2" "$out")" "$1"; }
    play -engine name=a cmd="$fake" option.dummy=3 option.Bogus=1 option.USI_Hash=8 restart \
        -engine name=b cmd="$fake" -each nodes=1 -rounds 8 -concurrency 2 -maxmoves 10 \
        -openings file="$dir/openings"
    check "an unknown option is no fault" says "^score *16 games"
    check "warned of it once" warned 1 'a: does not announce the option Bogus, which is set$'
    check "not of one in another case, nor of one that clients set anyway" warned 1 ""
    check "warned in the log" logs '"warning":"a: does not announce the option Bogus, which is set"'
    check "the log begins with the tournament" equal "$(sed -n '1s/:.*//p' "$log")" '{"komadori_match"'
    "$match" $timeouts -engine name=a cmd="$fake" option.dummy=3 option.Bogus=1 option.USI_Hash=8 \
        restart -engine name=b cmd="$fake" -each nodes=1 -rounds 9 -maxmoves 10 -results "$log" \
        -openings file="$dir/openings" -resume >"$out" 2>&1
    check "a log with a warning can be resumed" says "^continuing after 16 games"
    varied="-openings file=$dir/openings"
    play -engine name=a cmd="$fake" arg=grumble -engine name=b cmd="$fake" -each nodes=1 -rounds 8 \
        -concurrency 2 -maxmoves 10 $varied
    check "warned of a complaint before readyok once" \
        warned 1 'a: printed before readyok: info string Error: cannot read file 1$'
    check "and of nothing else" warned 1 ""
    play -engine name=a cmd="$fake" arg=grumble arg=seed=1 -engine name=b cmd="$fake" -each nodes=1 \
        -rounds 20 -maxmoves 10 $varied
    check "an engine that never complains twice of the same is not told for ever" warned 20 ""
    check "which the last says" warned 1 'a: .*cannot read file 20 (further warnings are not printed)$'
    for wrong in EvalFile="$dir/typo.nnue" USI_Hash=abc; do
        play -engine name=new cmd="$KOMADORI_BUILD/komadori" option.$wrong \
            -engine name=old cmd="$KOMADORI_BUILD/komadori" -each nodes=10 -maxmoves 4 -timeouts ready=60
        check "warned of $wrong" warned 1 "new: printed before readyok: info string error "
        check "and only once" warned 1 ""
    done
    "$match" -makeopenings file="$dir/made" count=1 minplies=1 maxplies=1 score=30000 -engine name=m \
        cmd="$KOMADORI_BUILD/komadori" nodes=10 option.Bogus=1 >"$out" 2>&1
    check "warned while openings are made" \
        warned 1 'm: does not announce the option Bogus, which is set$'

    play $pair -each nodes=1 -rounds 2 -maxmoves 4
    check "warned of one opening for all games" warned 1 "all games start from the same position"
    play $pair -each nodes=1 -rounds 1 -maxmoves 4
    check "not where there is one for each pair" warned 0 ""
    play $pair -each nodes=1 -rounds 101 -maxmoves 4 $varied
    check "warned of a file that is too short" \
        warned 1 "there are only 100 openings for games that need 101"

    # ---- files that cannot be written ----------------------------------------------------------
    # not_begun TEXT ARGUMENTS...: exit status 1 and the text before the first game, without results.
    not_begun() {
        wanted=$1
        shift
        rm -f "$log"
        "$match" $pair -each nodes=1 -maxmoves 4 -results "$log" "$@" >"$dir/stdout" 2>"$out"
        check "not begun: $wanted" equal $? 1
        check "not begun: says $wanted" says "^komadori-match: .*$wanted"
        check "not begun: $wanted: only on standard error" [ ! -s "$dir/stdout" ]
        check "not begun: $wanted: nothing was played" [ ! -s "$log" ]
        check "not begun: $wanted: one line" equal "$(wc -l <"$out")" 1
    }
    not_begun "$dir/none/games: its folder does not exist" -log "$dir/none/games"
    play $pair -each nodes=1 -maxmoves 4 -records dir="$dir/folder/within"
    check "a folder for records is made, with the one above it" [ -s "$dir/folder/within/game-000002.csa" ]
    not_begun "-records: $dir/openings/within: Not a directory" -records dir="$dir/openings/within"
    not_begun "-records: $dir/openings: Not a directory" -records dir="$dir/openings"
    play $pair -each nodes=1 -maxmoves 4
    check "and the right command needs no -resume" says "^score *2 games"
    mkdir "$dir/kif"
    touch "$dir/kif/game-000009.kif" "$dir/kif/game-000001.csa" "$dir/kif/game-1.kif"
    play $pair -each nodes=1 -maxmoves 4 -records dir="$dir/kif" format=kif
    check "records beside others" [ -s "$dir/kif/game-000002.kif" ]
    not_begun "$dir/kif/game-00000[12].kif: not overwritten: it exists; name another folder" -records dir="$dir/kif" format=kif
    play $pair -each nodes=1 -maxmoves 4
    "$match" $pair -each nodes=1 -maxmoves 4 -results "$log" -resume -rounds 2 \
        -records dir="$dir/kif" format=kif >"$out" 2>&1
    check "-resume adds records" [ -s "$dir/kif/game-000004.kif" ]
    for each in 1 2; do
        "$match" $pair -each nodes=1 -maxmoves 4 -rounds 4 -shard $each/2 -records dir="$dir/shared" >"$out" 2>&1
        check "shard $each: the folder of records has those of other parts" says "^score *4 games"
    done
    check "shards: all records are there" equal "$(ls "$dir/shared" | grep -c .)" 8
    not_begun "$dir/shared/game-00000[3478].csa: not overwritten: it exists; name another folder" -rounds 4 -shard 2/2 \
        -records dir="$dir/shared"
    mkfifo "$dir/results"
    cat "$dir/results" >"$dir/piped" &
    "$match" $pair -each nodes=1 -maxmoves 4 -results "$dir/results" >"$out" 2>&1
    wait $!
    check "results into a pipe" equal "$(grep -c '"game"' "$dir/piped")" 2
    play -engine cmd="$dir/none" -engine cmd="$fake" -each nodes=1
    check "a missing program leaves no results" [ ! -s "$log" ]
    play -engine cmd="$fake" dir="$dir/none" -engine cmd="$fake" -each nodes=1
    check "a missing folder is named" says "cannot start $fake in $dir/none: No such file"
    if [ -c /dev/full ]; then
        "$match" $pair -each nodes=1 -maxmoves 4 >/dev/full 2>"$out"
        check "a report that is lost is a failure" equal $? 1
        check "and told" says "standard output could not be written"
    else
        skip "a report that is lost" "there is no /dev/full"
    fi

    # ---- wrong use ------------------------------------------------------------------------------
    # refused TEXT ARGUMENTS...: exit status 2 and the text.
    refused() {
        wanted=$1
        shift
        "$match" "$@" >"$dir/stdout" 2>"$out"
        check "refused: $wanted" equal $? 2
        check "refused: says $wanted" says "^komadori-match: .*$wanted"
        check "refused: $wanted: only on standard error" [ ! -s "$dir/stdout" ]
    }
    refused "two or more -engine"
    refused "two or more -engine" -engine cmd=x
    refused "not together with -sprt" $pair -each nodes=1 -shard 1/2 -sprt
    refused "tournament needs .*, not 'swiss'" $pair -each nodes=1 -tournament swiss
    refused "-shard needs I/N, not '3/2'" $pair -each nodes=1 -shard 3/2
    refused "-seeds: only for a gauntlet" $pair -seeds 2
    refused "-seeds: must be less than the number of engines" $pair -tournament gauntlet -seeds 2
    refused "-merge: takes no -engine" $pair -merge "$dir/shard1"
    refused "-merge: give all files of results after one -merge" -merge
    refused "-merge: give all files of results after one -merge" -merge "$dir/shard1" -merge "$dir/shard2"
    refused "-merge: not together with -log" -merge "$dir/shard1" -log "$dir/ignored"
    refused "-merge: not together with -records" -merge "$dir/shard1" -records dir="$dir/ignored"
    refused "-compliance: not together with -log" -compliance -engine cmd=x -log "$dir/ignored"
    refused "-makeopenings: not together with -log" -makeopenings file="$dir/two" -engine cmd=x -log "$dir/ignored"
    for each in "-compliance" "-makeopenings file=$dir/two" "-spsa params=$dir/none csv=$dir/two"; do
        refused "${each%% *}: not together with -html" -engine cmd=x nodes=1 $each -html "$dir/ignored"
        refused "${each%% *}: not together with -results" -engine cmd=x nodes=1 $each -results "$dir/ignored"
        refused "${each%% *}: not together with -shard" -engine cmd=x nodes=1 $each -shard 1/2
    done
    for each in "-spsa params=$dir/none csv=$dir/two" "-compliance"; do
        refused "-makeopenings: not together with ${each%% *}" $each -makeopenings file="$dir/two" -engine cmd=x
    done
    for each in "-makeopenings file=$dir/two" "-compliance"; do
        refused "${each%% *}: not together with -resume" $each -engine cmd=x nodes=1 -resume
    done
    refused "-spsa: not together with -compliance" -compliance -spsa params="$dir/none" csv="$dir/two" -engine cmd=x
    refused "-makeopenings: needs file=" -compliance -makeopenings count=2 -engine cmd=x
    check "ignored outputs are not made" [ ! -e "$dir/ignored" ]
    refused "-engine: the name of number 2 has a control character" -engine cmd=x -engine cmd=y name="a
b" -each nodes=1
    refused "no limit" -engine cmd=x -engine cmd=y
    refused "unknown key 'earlyponder'" $pair earlyponder -each nodes=1
    refused "tc needs .*, not 'x'" $pair -each tc=x
    refused "nodes needs a whole number of at least 1, not '0'" $pair -each nodes=0
    refused "unknown option '-round'" $pair -each nodes=1 -round 5
    refused "has a clock without time" $pair -each tc=0
    refused "-repeat takes no value: '4'" $pair -each nodes=1 -repeat 4
    refused "-repeat: needs an even number of -games" $pair -each nodes=1 -games 1 -repeat
    refused "-repeat: needs an even number of -games" $pair -each nodes=1 -repeat -games 3
    refused "-norepeat takes no value: '2'" $pair -each nodes=1 -norepeat 2
    refused "needs one -engine" -makeopenings file="$dir/two" $pair -each nodes=1
    refused "both an increment and byoyomi" $pair -each tc=1+1 byoyomi=1
    refused "only between two" $three -each nodes=1 -sprt
    many=$(for each in $(seq 44); do echo "-engine cmd=$fake"; done)
    refused "-rounds, -games: more than 20 million games" $many -each nodes=1 -rounds 100000000
    refused "elo0 must be less" $pair -each nodes=1 -sprt elo0=3 elo1=3
    refused "start needs a whole number from 1 .*, not '0'" $pair -each nodes=1 -openings start=0
    for each in bod epd none; do
        refused "format needs .*, not '$each'" $pair -each nodes=1 -records dir="$dir" format=$each
    done
    refused "-records: needs dir=" $pair -each nodes=1 -records format=kif
    refused "alpha and beta together" $pair -each nodes=1 -sprt alpha=0.5 beta=0.5
    echo "startpos moves 7g7f 7g7f" >"$dir/bad"
    refused "-resume: needs -results" $pair -each nodes=1 -resume
    for each in usi=0 ready=0.0 stop=0.0004 quit=-1 hang=0; do
        refused "${each%=*} needs seconds from 0.001 .*, not '${each#*=}'" $pair -each nodes=1 -timeouts $each
    done
    : >"$dir/empty"
    not_begun "$dir/bad, line 1: " -openings file="$dir/bad"
    not_begun "$dir/openings, line 1: the game is over" -openings file="$dir/openings" -maxmoves 2
    not_begun "$dir/none: No such file" -openings file="$dir/none"
    not_begun "$dir/none: No such file" -openings file="$dir/none" -rounds 5000
    not_begun "start=101 is after the last opening, 100" -openings file="$dir/openings" start=101
    not_begun "$dir: Is a directory" -openings file="$dir"
    not_begun "$dir/empty: no openings" -openings file="$dir/empty"
    not_begun "$match: not a text file: it contains a zero byte$" -openings file="$match"
    printf '# A page\n\nIt has a table.\n\n| a | b |\n|---|---|\n| one | two |\n' >"$dir/page"
    not_begun "page: neither positions nor game records (as kif: line 5: " -openings file="$dir/page"
    not_begun "docs/board.svg: neither positions nor game records (as positions: line 1: unknown piece)$" \
        -openings file=docs/board.svg
    head -n 1 "$dir/openings" >"$dir/mistyped"
    echo "startpos moves 7g7f 3d3c" >>"$dir/mistyped"
    not_begun "$dir/mistyped, line 2: no piece on the origin$" -openings file="$dir/mistyped"
    echo "１ ７六歩(77)" >"$dir/mistyped.kif"
    echo "２ ３五歩(33)" >>"$dir/mistyped.kif"
    not_begun "$dir/mistyped.kif, line 2: " -openings file="$dir/mistyped.kif"
    play -engine cmd="$dir/none" -engine cmd="$fake" -each nodes=1
    check "a missing program ends it" equal "$ended" 1
    check "with one line and no report" equal "$(wc -l <"$out")" 1
    check "and is named" says "^komadori-match: cannot start $dir/none: No such file"
    "$match" -engine cmd="$dir/none" -engine cmd="$fake" -each nodes=1 >/dev/null 2>"$out"
    check "on standard error" says "^komadori-match: cannot start $dir/none: No such file"
    # mute WHY PROGRAM [ARGUMENT...]: a program that never sends usiok.
    mute() {
        wanted=$1
        shift
        play -engine name=mute "$@" -engine name=good cmd="$fake" -each nodes=1 -rounds 5 -concurrency 2 \
            -openings file="$dir/openings"
        check "a program that says no usiok ends it" equal "$ended" 1
        check "with one line" equal "$(wc -l <"$out")" 1
        check "that says why" says "^komadori-match: cannot use mute: $wanted"
        check "and no results" [ ! -s "$log" ]
        none_left "and no process"
    }
    mute "no usiok, exit status 1" cmd=/bin/false
    mute "no usiok in [0-9]* ms" cmd="$fake" arg=nousiok $hasty
    # Of the first two processes one ends after the other has answered with usiok and been sent isready.
    cat >"$dir/lame" <<'END'
mkdir "$2/one" 2>/dev/null && exec "$1"
mkdir "$2/two" 2>/dev/null || exec "$1"
until grep -q '^[^ ]* lame.*> isready' "$2/lame.log"; do sleep 0.05; done
exit 1
END
    play -engine name=lame cmd=sh arg="$dir/lame" arg="$fake" arg="$dir" -engine name=good cmd="$fake" \
        -each nodes=1 -rounds 5 -concurrency 2 -openings file="$dir/openings" -maxmoves 20 -log "$dir/lame.log"
    check "a second process that does not start ends no tournament" equal "$ended" 0
    check "it loses its game" equal "$(grep -c '"end":"crash"' "$log")" 1
    check "and the others are played" equal "$(grep -c '"end":' "$log")" 10
}

tell_counts
