#!/bin/sh
# komadori-csa against a scripted server (csaserver.py): every line of the protocol in odd order and in pieces, garbage,
# servers and engines that die at every point of a game, signals, records, and that the password stays secret.
set -u
. tests/checks.sh
csa=$KOMADORI_BUILD/komadori-csa
command -v python3 >/dev/null || skip_all "the client for CSA servers" "there is no python3"
password=sesame-open

engine_words=

# session NAME MODE OPTIONS -- SCENARIO...: runs the client in $trial/NAME with an engine of that mode.
session() {
    name=$1 mode=$2 words=
    dir=$trial/$name
    shift 2
    while [ "$1" != -- ]; do words="$words $1"; shift; done
    shift
    mkdir "$dir"
    echo $password >"$dir/key"
    : >"$dir/faults"
    python3 tests/match/csaserver.py "$dir" "$@" 2>"$dir/server.err" &
    server=$!
    await test -s "$dir/port"
    # shellcheck disable=SC2086
    "$csa" "127.0.0.1:$(cat "$dir/port")" tester -engine cmd=python3 arg=tests/match/csaengine.py arg="$dir" arg=$mode \
        $engine_words -password-file "$dir/key" -log "$dir/log" -records dir="$dir/records" -retry 0.01 $words \
        >"$dir/out" 2>"$dir/err" </dev/null &
    client=$!
    echo $client >"$dir/client.pid"
    wait $client
    status=$?
    kill $server 2>/dev/null
    wait $server 2>/dev/null
    check "$name: the server has seen nothing wrong" test ! -s "$dir/faults"
    [ ! -s "$dir/faults" ] || cat "$dir/faults"
    check "$name: and has not failed" test ! -s "$dir/server.err"
    rm "$dir/key"
    check "$name: the password is nowhere" sh -c "! grep -r $password '$dir'"
}

# same_record GAME: its record has the moves and times of the server.
same_record() {
    tr ',' '\n' <"$dir/records/$1.csa" | awk '/^[+-][0-9]/ { move = $0 } /^T/ { print move, $0 }' | diff - "$dir/$1.moves"
}
all_records() {
    for moves in "$dir"/*.moves; do
        game=$(basename "$moves" .moves)
        check "$name: the record of $game" same_record "$game"
    done
}
says() { grep -q -e "$1" "$dir/out" "$dir/err" || { cat "$dir/out" "$dir/err" && false; }; }
has() { grep -q -e "$2" "$dir/records/$1"*.csa; }
logs() { grep -q -e "$1" "$dir/log"; }

session forms "" -games 12 -comments on -- plain white pieces crlf odd resumed hands unlimited bad illegal rejected plain
check "forms: all games are played" test $status -eq 0
all_records
check "forms: a start position with hands" has game07 '^P+.*FU'
check "forms: a handicap" has game05 'PI22KA\|^P2.*\* *-HI'
check "forms: the times that are left of a resumed game" logs 'go btime 49[0-9]* wtime 5[0-9]* byoyomi 10000'
check "forms: a game without a clock" logs '> go$'
check "forms: an increment" logs 'binc [0-9]* winc 5010\|winc [45][0-9]*$'
check "forms: comments with score and line" grep -q "+2838HI,'\* 50 -8272HI" "$dir/comments"
check "forms: and for white with its own sign" grep -q "8272HI,'\* -50" "$dir/comments"
check "forms: a table of the session" says '^total  *12 *0 *12'
check "forms: the password is replaced in the log" logs 'LOGIN tester \*\*\*\*'

session ends "" -games 7 -- end='#RESIGN/#WIN' end='#TIME_UP/#LOSE' end='%KACHI/#JISHOGI/#WIN' \
    end='#OUTE_SENNICHITE/#LOSE' end='#MAX_MOVES/#CENSORED' end='#CENSORED' end='#CHUDAN' end='#ILLEGAL_MOVE/#WIN' \
    end='#SENNICHITE/#DRAW'
check "ends: all games are played" test $status -eq 0
all_records
for pair in 01:TORYO 02:TIME_UP 03:KACHI 05:MAX_MOVES 06:CHUDAN 07:CHUDAN 08:ILLEGAL_MOVE 09:SENNICHITE; do
    check "ends: record ${pair%:*} has ${pair#*:}" has "game${pair%:*}" "^%.*${pair#*:}\|^%.*ILLEGAL_ACTION"
done
check "ends: the table" says '^total  *7 *3 *2 *2 *2'

session deaths "" -games 2 -- plain die=accept die=login die=half die=summary die=agree die=0 die=1 die=2 die=5 \
    die=reason plain
check "deaths: the client comes back each time" test $status -eq 0
all_records
check "deaths: the record of a broken game says so" has game09 '^%CHUDAN'

session kills "" -games 10 -- kill=0 kill=1 kill=2 kill=3 kill=4 kill=5 kill=6 kill=7 kill=8 kill=9
check "kills: the games go on" test $status -eq 0
all_records
check "kills: the engine is started again" says 'starting it again'

engine_words=ponder
session ponder "" -games 2 -- plain white
check "ponder: all games are played" test $status -eq 0
check "ponder: the engine ponders when the server has answered" logs '> go ponder btime'
check "ponder: and plays after a hit" logs '> ponderhit$'
engine_words=earlyponder
session early "" -games 2 -- plain white
check "early ponder: all games are played" test $status -eq 0
check "early ponder: a hit has the times" logs '> ponderhit btime [0-9]* wtime [0-9]* byoyomi'
check "early ponder: it begins before the server answers" sh -c \
    "awk '/server.* > .2838HI/ { sent = 1; next } sent { exit !/go ponder|position/ }' '$dir/log'"
engine_words=

session hang hang -games 1 -timeouts stop=0.1 -- short
check "hang: the game goes on" test $status -eq 0
check "hang: the engine is stopped" logs '> stop$'
check "hang: and started again" says 'starting it again'
all_records

session resign resign -games 1 -- resign
check "resign: the game is over" says 'lost, #RESIGN #LOSE'
session illegal illegal -games 1 -- resign
check "illegal: an engine that plays illegal moves resigns in the end" says 'not allowed here'

session once "" -- signal=1
check "one Ctrl-C: the game is played to its end" test $status -eq 130
check "and its record is complete" has game01 '^%SENNICHITE'
session twice "" -- signal=2
check "two Ctrl-C: the program ends" test $status -eq 130
check "and the record is kept" has game01 '^%CHUDAN'

session refused "" -- refuse
check "a wrong password: exit status" test $status -eq 1
check "a wrong password: message" says 'refuses the login'

# ---- wrong use --------------------------------------------------------------------------------------
refused() { pattern=$1; shift; check "refused: $pattern" exits 2 "^komadori-csa: .*$pattern" "$csa" "$@"; }
refused "give the server" -engine cmd=x
refused "is not HOST or HOST:PORT" host:0 me -engine cmd=x
refused "is not HOST or HOST:PORT" :4081 me -engine cmd=x
refused "must not contain spaces" host "m e" -engine cmd=x
refused "give one -engine" host me
refused "give one -engine" host me -engine cmd=x -engine cmd=y
refused "has no cmd" host me -engine name=x
refused "needs dir=" host me -engine cmd=x -records format=kif
refused "unknown option" host me -engine cmd=x -password secret
check "a preset: the server" exits 1 'preset floodgate: server wdoor.c.u-tokyo.ac.jp, game floodgate-300-10F, margin 500 ms' \
    env KOMADORI_CSA_PASSWORD=x "$csa" me -preset floodgate -engine cmd=./none
check "a preset: another server" exits 1 'preset wcsc: server 127.0.0.1, .*comments on' \
    env KOMADORI_CSA_PASSWORD=x "$csa" 127.0.0.1:1 me -preset wcsc -engine cmd=./none
check "no password" exits 1 "no password" "$csa" host me -engine cmd=x
check "an engine that does not exist" exits 1 "cannot start" env KOMADORI_CSA_PASSWORD=x "$csa" 127.0.0.1:1 me -engine cmd=./none
tell_counts
