#!/bin/sh
# The engine as the child of a client that dies, falls silent or is suspended, and in unusual surroundings.
# Needs: komadori
set -u
. tests/checks.sh
need mkfifo
komadori=${KOMADORI_BUILD:-$(pwd)/build/release-native}/komadori
mode=${KOMADORI_MODE:-release}

# Prints the engine's output and fails.
tell_output() {
    tail -n 5 "$trial/said" 2>/dev/null
    false
}

is_gone() { ! kill -0 "$1"; }

# Does process $1 end? Otherwise it is killed.
ends() {
    await is_gone "$1" || {
        kill -9 "$1"
        tell_output
    }
}

# Does process $2, our child, end with status $1? A crash gives another status.
ends_with() {
    ends "$2" && {
        wait "$2"
        got=$?
        [ $got -eq "$1" ] || { echo "status $got" && tell_output; }
    }
}

# Does a line with $1, or with further words after -e, appear in the output?
says() {
    [ "$1" = -e ] || set -- -e "$@"
    await grep -q "$@" "$trial/said" || tell_output
}

# Starts the engine with input from our descriptor 3 and output to a file.
start() {
    rm -f "$trial/in" "$trial/said"
    mkfifo "$trial/in"
    "$@" <"$trial/in" >"$trial/said" 2>&1 &
    engine=$!
    exec 3>"$trial/in"
}

# A client that dies during a search closes the pipe to our input.
start "$komadori"
printf 'position startpos\ngo infinite\n' >&3
check "a search" says "^info depth"
exec 3>&-
check "the parent dies during it" ends_with 0 "$engine"

# The same if it is killed and nobody else holds the pipe.
rm -f "$trial/in" "$trial/said"
mkfifo "$trial/in"
"$komadori" <"$trial/in" >"$trial/said" 2>&1 3>&- &
engine=$!
sh -c 'exec 3>"$1"; echo "go infinite" >&3; exec sleep 100' sh "$trial/in" &
client=$!
check "another" says "^info depth"
kill -9 $client
check "the parent is killed during it" ends_with 0 "$engine"

# The output has no reader any more, while the input stays open.
rm -f "$trial/in" "$trial/answers"
mkfifo "$trial/in" "$trial/answers"
"$komadori" <"$trial/in" >"$trial/answers" 3>&- &
engine=$!
exec 3>"$trial/in"
exec 4<"$trial/answers"
exec 4<&-
printf 'position startpos\ngo infinite\n' >&3
check "the output is closed during a search" ends_with 1 "$engine"
exec 3>&-

# As when a laptop sleeps, during a search and until after its time.
is_stopped() { grep -q '^[^)]*) T' "/proc/$engine/stat"; }
has_passed() { [ "$(date +%s)" -gt "$1" ]; }
start "$komadori"
printf 'setoption name USI_OwnBook value false\nposition startpos\ngo btime 0 wtime 0 byoyomi 1000\n' >&3
check "suspended: a search" says "^info depth"
kill -STOP "$engine"
if [ -r "/proc/$engine/stat" ]; then
    check "suspended: it stands still" await is_stopped
fi
await has_passed $(($(date +%s) + 1))
kill -CONT "$engine"
check "suspended and resumed: an answer" says "^bestmove [1-9]"
printf 'go nodes 100\nisready\n' >&3
check "suspended and resumed: alive" says "^readyok"
printf 'quit\n' >&3
check "suspended and resumed: quits" ends_with 0 "$engine"
exec 3>&-

tells_smaller_table() {
    says "^info string error USI_Hash" && says "^readyok" && says "^bestmove [1-9]"
}

# Does the engine, started with little memory, end with an answer or with the reason?
ends_with_reason() {
    ends "$engine" && {
        wait "$engine"
        got=$?
        [ $got -le 1 ] || { echo "status $got" && tell_output; }
    } && { grep -q -e "^bestmove [1-9]" -e "out of memory" "$trial/said" || tell_output; }
}

# Does a mate search limited to $1 KB of address space answer, or say why not? A crash does neither.
mates_or_says_why() {
    start sh -c 'ulimit -v "$1" && exec "$2"' sh "$1" "$komadori"
    cat "$trial/script" >&3
    says -e "^checkmate" -e "out of memory" && exec 3>&- && ends "$engine" && {
        wait "$engine"
        [ $? -le 1 ] || tell_output
    } && { ! grep -q "^checkmate timeout" "$trial/said" || says "^info string error go mate: not enough memory"; }
}

# Do $2 lines with $1 appear within about a minute?
says_times() {
    tries=0
    until [ "$(grep -c -e "$1" "$trial/said")" -ge "$2" ]; do
        tries=$((tries + 1))
        [ $tries -le 600 ] || { tell_output; return; }
        sleep 0.1
    done
}

# Does the engine use less than $1 kilobytes of memory?
takes_less() {
    resident=$(awk '/^VmRSS:/ { print $2 }' "/proc/$engine/status")
    [ "$resident" -lt "$1" ] || { echo "$resident KB" && false; }
}

# Less memory than the table needs, but enough for the threads, for each of which the C library may reserve
# addresses. Sanitizers reserve terabytes and cannot be limited.
case $mode in
release | debug | ubsan)
    start sh -c 'ulimit -v 900000 && exec "$1"' sh "$komadori"
    printf 'setoption name USI_Hash value 4096\nisready\ngo nodes 100\n' >&3
    check "little memory: a message and a smaller table" tells_smaller_table
    exec 3>&-
    check "and it ends" ends_with 0 "$engine"
    # From far too little memory to plenty: an answer, or a line that says why not.
    printf 'isready\ngo nodes 100\n' >"$trial/script"
    for limit in 30000 50000 70000 80000 90000 100000 110000 130000 170000 210000; do
        (
            ulimit -v $limit
            exec "$komadori" <"$trial/script" >"$trial/said" 2>&1
        ) &
        engine=$!
        check "little memory: $limit KB" ends_with_reason
    done
    # A mate search that gets no table, or cannot verify its answer, reports it.
    printf 'setoption name USI_Hash value 4096\nisready\n%s\ngo mate 60000\n' \
        'position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1' >"$trial/script"
    for limit in 90000 100000 120000 160000 170000 180000 185000 190000 195000 200000 205000 210000 215000 220000; do
        check "a mate search in $limit KB" mates_or_says_why $limit
    done
    # Threads get their memory as they use it, and give it back.
    if [ -r /proc/self/status ]; then
        start "$komadori"
        printf 'setoption name USI_OwnBook value false\nsetoption name USI_Hash value 16\n' >&3
        for threads in 512 1 512 1 512; do
            printf 'setoption name Threads value %s\ngo nodes 20000\nisready\n' $threads >&3
        done
        check "512 threads: answers" says_times "^bestmove [1-9]" 5
        check "512 threads touch what they use" takes_less 1000000
        printf 'setoption name Threads value 1\nisready\nusinewgame\nisready\nside\n' >&3
        check "one thread again" says "^black"
        check "the memory of the others is given back" takes_less 150000
        printf 'quit\n' >&3
        check "and it ends" ends_with 0 "$engine"
        exec 3>&-
    else
        skip "512 threads" "the system does not tell their memory"
    fi
    ;;
*)
    skip "little memory" "a sanitizer needs the whole address space"
    ;;
esac

# A path with spaces and non-ASCII letters, and a working directory that was deleted.
place="$trial/将棋 エンジン é"
mkdir -p "$place/gone"
cp "$komadori" "$place/駒鳥"
tells_version() { "$place/駒鳥" version >"$trial/said" 2>&1 && says "^Komadori"; }
check "an install path beyond ASCII" tells_version

# A network next to the program is found from any working directory.
finds_network() {
    cp eval/komadori.nnue "$place/own.nnue" &&
        printf 'setoption name EvalFile value %s\nisready\n' own.nnue none.nnue /own.nnue >"$trial/script" &&
        "$place/駒鳥" <"$trial/script" >"$trial/said" 2>&1 &&
        says "^info string error EvalFile: .* 'none.nnue'" &&
        says "^info string error EvalFile: .* '/own.nnue'" && [ "$(grep -c error "$trial/said")" = 2 ]
}
if [ -e /proc/self/exe ]; then
    check "a network beside the program" finds_network
else
    skip "a network beside the program" "the system does not tell where that is"
fi

talks_from_nowhere() (
    cd "$place/gone" && rmdir "$place/gone" &&
        printf 'usi\nquit\n' | "$place/駒鳥" >"$trial/said" 2>&1 && says "^usiok"
)
check "a working directory that was removed" talks_from_nowhere

# If a log cannot be opened, the previous one is kept.
keeps_log() {
    printf 'setoption name DebugLogFile value %s\nsetoption name DebugLogFile value %s\nusi\nquit\n' \
        "$trial/kept.log" "$trial/none/x.log" | "$komadori" >"$trial/said" 2>&1 &&
        says "^info string error DebugLogFile: " && grep -q "< usiok" "$trial/kept.log"
}
check "a log that goes on" keeps_log

# Messages show a path as it was given, in UTF-8.
shows_path() {
    printf 'setoption name DebugLogFile value %s\ngetoption DebugLogFile\ngetoption\nquit\n' \
        "$place/log" | "$komadori" >"$trial/said" 2>&1 &&
        says "^DebugLogFile = .*将棋 エンジン é/log" && [ -s "$place/log" ]
}
check "a log beyond ASCII" shows_path

# In a read-only working directory, the log is rejected and the session continues.
if [ -d /proc/self ]; then
    printf 'setoption name DebugLogFile value komadori.log\nusi\nquit\n' >"$trial/script"
    talks_without_log() {
        (cd /proc && "$komadori" <"$trial/script" >"$trial/said" 2>&1) &&
            says "^info string error DebugLogFile: " && says "^usiok"
    }
    check "a working directory that cannot be written" talks_without_log
else
    skip "a read-only directory" "there is no /proc"
fi

tell_counts
