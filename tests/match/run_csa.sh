#!/bin/sh
# komadori-csa against a scripted server (csaserver.py): every line of the protocol in odd order and in pieces, garbage,
# servers and engines that die at every point of a game, signals, records, and that the password stays secret.
# Seconds: 35
# Needs: komadori-csa
set -u
. tests/checks.sh
csa=$KOMADORI_BUILD/komadori-csa
need python3
password=sesame-open

engine_words=
before= # a command that runs the client
environment= # where the password comes from, if not from a file

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
    python3 -S -E tests/match/csaserver.py "$dir" "$@" 2>"$dir/server.err" &
    server=$!
    await test -s "$dir/port"
    printf '#!/bin/sh\nexec python3 -S -E "%s" "$@"\n' "$(pwd)/tests/match/csaengine.py" >"$dir/engine"
    chmod +x "$dir/engine"
    if [ -n "$environment" ]; then
        KOMADORI_CSA_PASSWORD=$password
        export KOMADORI_CSA_PASSWORD
    else
        words="-password-file $dir/key $words"
    fi
    # shellcheck disable=SC2086
    $before "$csa" "127.0.0.1:$(cat "$dir/port")" tester -engine cmd="$dir/engine" arg="$dir" arg=$mode \
        $engine_words -records dir="$dir/records" -retry 0.01 -log "$dir/log" $words \
        >"$dir/out" 2>"$dir/err" </dev/null &
    client=$!
    echo $client >"$dir/client.pid"
    unset KOMADORI_CSA_PASSWORD
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

session forms "" -games 13 -comments on -- plain white pieces crlf odd resumed hands unlimited bad illegal rejected plain
check "forms: all games are played" test $status -eq 0
all_records
check "forms: a start position with hands" has game07 '^P+.*FU'
check "forms: a handicap" has game05 'PI22KA\|^P2.*\* *-HI'
check "forms: the times that are left of a resumed game" logs 'go btime 49[0-9]* wtime 5[0-9]* byoyomi 10000'
check "forms: a game without a clock" logs '> go$'
check "forms: an increment" logs 'binc [0-9]* winc 5010\|winc [45][0-9]*$'
check "forms: comments with score and line" grep -q "+2838HI,'\* 50 -8272HI" "$dir/comments"
check "forms: and for white with its own sign" grep -q "8272HI,'\* -50" "$dir/comments"
check "forms: a table of the session" says '^total  *13 *1 *12'
check "forms: the password is replaced in the log" logs 'LOGIN tester \*\*\*\*'

session odds "" -games 3 -- bare broken
check "odds: all games are played" test $status -eq 0
all_records
check "odds: the game that the server left is broken" has game02-brokena '^%CHUDAN'
check "odds: and counted so" says '^total  *3 *1 *2 *0 *1'

session ends "" -games 7 -- end='#RESIGN/#WIN' end='#TIME_UP/#LOSE' end='%KACHI/#JISHOGI/#WIN' \
    end='#OUTE_SENNICHITE/#LOSE' end='#MAX_MOVES/#CENSORED' end='#CENSORED' end='#CHUDAN' end='#ILLEGAL_MOVE/#WIN' \
    end='#SENNICHITE/#DRAW'
check "ends: all games are played" test $status -eq 0
all_records
for pair in 01:TORYO 02:TIME_UP 03:KACHI 05:MAX_MOVES 06:CHUDAN 07:CHUDAN 08:ILLEGAL_MOVE 09:SENNICHITE; do
    check "ends: record ${pair%:*} has ${pair#*:}" has "game${pair%:*}" "^%.*${pair#*:}\|^%.*ILLEGAL_ACTION"
done
check "ends: the table" says '^total  *7 *3 *2 *2 *2'

session deaths "" -games 2 -- plain die=accept die=login die=half die=summary die=agree die=0 die=1 die=2 die=3 die=4 \
    die=5 die=6 die=7 die=reason plain
check "deaths: the client comes back each time" test $status -eq 0
all_records
check "deaths: the record of a broken game says so" has game09 '^%CHUDAN'

session resumed "" -games 2 -- die=3 goeson=summary goeson die=6 goeson
check "resumed: the games go on" test $status -eq 0
all_records
check "resumed: in the same records" test "$(ls "$dir/records")" = "game01-die.csa
game04-die.csa"
check "resumed: with the scores of the moves before" test "$(grep -c "^'\*\* 50" "$dir/records/game01-die.csa")" -eq 4
check "resumed: and they are counted once" says '^total  *2 *0 *2 *0 *0'

# Eight servers that say anything at any time. Afterwards the client plays on as if nothing had happened.
# shellcheck disable=SC2046
session chaos "" -- $(seq 8 | sed 's/^/chaos=/') plain idle
check "chaos: the client is there at the end" test $status -eq 130
check "chaos: and plays on" same_record game09-plain

session kicked "" -games 2 -- plain kick kick kick plain
check "kicked: another client with this name" says 'does another client log in as tester'

# Refused again and again after the first login: the client gives up in the end.
# shellcheck disable=SC2046
session given-up "" -games 2 -retry 0.001 -- plain $(yes refuse | head -n 30) plain
check "given up: exit status" test $status -eq 1
check "given up: after thirty logins" test "$(grep -c '> LOGIN' "$dir/log")" -eq 31

session kills "" -games 10 -- kill=0 kill=1 kill=2 kill=3 kill=4 kill=5 kill=6 kill=7 kill=8 kill=9
check "kills: the games go on" test $status -eq 0
all_records
check "kills: the engine is started again" says 'starting it again'

session revived "" -games 1 -- revive
check "revived: in the opponent's time" test $status -eq 0
check "revived: the client says so" says 'the engine has ended'
all_records

session gone "" -games 4 -- plain gone=before gone=2 gone=3
check "gone: the games go on when the engine can be started again" test $status -eq 0
check "gone: no game is rejected" says '^total  *4 *0 *4 *0 *0'
all_records

session late "" -games 2 -- late plain
check "late: no time is left to start the engine" says 'lost, #TIME_UP #LOSE'
check "late: the client explains the loss" says 'time is up: no move was sent in the'
check "late: and plays on" test $status -eq 0

session vanished "" -games 2 -- vanish plain
check "vanished: without an engine in the opponent's time" test $status -eq 0
check "vanished: the client plays on" same_record game02-plain

session stopped "" -- stopped=before
check "stopped: before the agreement" test $status -eq 130
session stopped-late "" -- stopped=after
check "stopped: after it, the game is played to its end" test $status -eq 130
all_records

session full "" -games 2 -- full free
check "full: a record that cannot be written is printed" says 'cannot write the record .*; here it is:'
check "full: with its end" says '^%SENNICHITE'
check "full: the exit status says so" test $status -eq 1
session mended "" -games 1 -- full=4 fullgoeson
check "mended: the whole game is written in the end" test $(ls "$dir/records" | wc -l) -gt 0
all_records

environment=yes
session environment "" -games 1 -- plain
check "environment: the password comes from a variable" test $status -eq 0
# The server counts two seconds for a move that was answered at once.
check "time that only the server has counted is a delay" says 'longest delay \(1[0-9]\{3\}\|2000\) ms'
check "and is kept in reserve" logs 'go btime 59[0-5]'
environment=

if python3 -c 'import pty, os; os.close(pty.openpty()[0]); os.waitstatus_to_exitcode' 2>/dev/null; then
    before="env TERM=xterm NO_COLOR= python3 tests/match/live.py 80 30 0"
    session live "" -games 1 -- plain
    seen() { awk -v key="$1" '$1 == key { print $2; exit }' "$dir/out"; }
    check "live: the game is played" test "$(seen status)" -eq 0
    check "live: the view is drawn in place" test "$(seen drawings)" -gt 1
    check "live: with the board" test "$(seen lines)" -ge 18
    check "live: within the terminal" test "$(seen widest)" -lt 80
    check "live: nothing is left of it" sh -c "! grep -q elapsed '$dir/out'"
    before=
else
    skip "the live view" "python3 (3.9 or later) has no pseudo terminals here"
fi

engine_words=ponder
session ponder "" -games 2 -- plain white
check "ponder: all games are played" test $status -eq 0
check "ponder: the engine ponders when the server has answered" logs '> go ponder btime'
check "ponder: and plays after a hit" logs '> ponderhit$'
session miss miss -games 1 -timeouts stop=60 -- plain
check "ponder: the game goes on if another move is played" test $status -eq 0
check "ponder: an engine that takes a second to stop has that much less time" sh -c \
    "sed -n 's/.*> go btime \([0-9]*\) .*/\1/p' '$dir/log' | sed -n 2p | awk '{ exit !(\$1 <= 598700) }'"
session premature early -games 2 -- plain white
check "premature: all games are played" test $status -eq 0
check "premature: an answer before ponderhit is no fault" sh -c "! grep -q 'starting it again' '$dir/out'"
all_records
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

# A move that is there is sent, even if the client could not read it in time.
session stall stall -games 1 -timeouts stop=60 -- short=3
check "stall: the game goes on" test $status -eq 0
check "stall: and the engine is not started again" sh -c "! grep -q 'starting it again' '$dir/out'"
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
check "and no connection is lost" says 'ends: stopped by the user, interrupted after'

session idle "" -- idle
check "Ctrl-C while waiting for a game: the program ends" test $status -eq 130

session log "" -games 1 -log /dev/full -- plain
check "a full log: the game is played and the exit status says so" test $status -eq 1
check "a full log: message" says 'cannot write to /dev/full'

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
refused "unknown key 'margin=500'" host me -engine cmd=x margin=500
refused "needs dir=" host me -engine cmd=x -records format=kif
refused "unknown option" host me -engine cmd=x -password secret
if [ -c /dev/full ]; then
    "$csa" --help >/dev/full 2>"$trial/lost"
    status=$?
    check "help that is lost is a failure" test "$status $(cat "$trial/lost")" = "1 komadori-csa: standard output could not be written"
fi
check "no password" exits 1 "no password" "$csa" host me -engine cmd=x
check "an engine that does not exist" exits 1 "cannot start" env KOMADORI_CSA_PASSWORD=x "$csa" 127.0.0.1:1 me -engine cmd=./none
tell_counts
