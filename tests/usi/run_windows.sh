#!/bin/sh
# The Windows programs under Wine; `make CROSS=x86_64-w64-mingw32- ARCH=x86-64-v2` builds them. Skipped if
# anything is missing.
# Long: runs the programs for Windows
# Needs: komadori
set -u
. tests/checks.sh
built=build/release-x86_64-w64-mingw32-x86-64-v2
native=${KOMADORI_BUILD:-build/release-native}/komadori

need wine
[ -x $built/komadori.exe ] || skip_all windows "make CROSS=x86_64-w64-mingw32- ARCH=x86-64-v2 has not been run"
[ -z "$(find src include eval -type f -newer $built/komadori.exe)" ] ||
    skip_all windows "$built is older than the sources"

WINEPREFIX=${KOMADORI_WINEPREFIX:-$(pwd)/build/wine}
WINEDEBUG=-all
LC_ALL=C.UTF-8
export WINEPREFIX WINEDEBUG LC_ALL
mkdir -p "$WINEPREFIX"

# prints PATTERN COMMAND...: the command succeeds and prints PATTERN.
prints() {
    pattern=$1
    shift
    "$@" >"$trial/said" 2>"$trial/err" && grep -q -e "$pattern" "$trial/said" || {
        tail -n 5 "$trial/said" "$trial/err"
        return 1
    }
}

check "perft" prints "^Nodes searched: 719731$" wine $built/komadori.exe perft 4
check "the same bench" prints "^$("$native" bench 4 | grep '^Bench: [0-9]')$" wine $built/komadori.exe bench 4

printf 'usi\r\nisready\r\nposition startpos moves 7g7f\r\ngo nodes 500\r\nisready\r\n' >"$trial/script"
talk() { wine $built/komadori.exe <"$trial/script"; }
check "a conversation with CR LF" prints "^bestmove [1-9]" talk
has_no_cr() { ! LC_ALL=C grep "$(printf '\r')" "$trial/said"; }
check "lines end with LF alone" has_no_cr

place="$trial/将棋"
mkdir "$place"
cp $built/komadori.exe "$place/駒鳥.exe"
printf '%s\n' "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1" >"$place/局面.sfen"
from_place() { (cd "$place" && wine ./駒鳥.exe mate 局面.sfen); }
check "paths beyond ASCII" prints "mate in 1" from_place

engine=$built/komadori.exe
check "a match of .exe against .exe" prints "^ends *max_plies 2$" wine $built/komadori-match.exe \
    -engine cmd=$engine name=a -engine cmd=$engine name=b -each nodes=100 -rounds 1 -games 2 \
    -maxmoves 30

# A game on a CSA server, whose connection is lost before the game.
if command -v python3 >/dev/null; then
    mkdir "$trial/csa"
    echo sesame >"$trial/csa/key"
    : >"$trial/csa/faults"
    python3 tests/match/csaserver.py "$trial/csa" kick any any &
    await test -s "$trial/csa/port"
    check "games on a CSA server" prints "^total  *2 *2 *0" wine $built/komadori-csa.exe \
        "127.0.0.1:$(cat "$trial/csa/port")" tester -engine cmd=$engine option.Threads=1 depth=1 -games 2 \
        -password-file "$trial/csa/key" -records dir="$trial/csa/games" -retry 0.01
    wait
    check "the server has seen nothing wrong" test ! -s "$trial/csa/faults"
    check "and both records are there" sh -c "grep -l '^%TORYO' '$trial/csa/games/game02-any.csa' '$trial/csa/games/game03-any.csa'"
else
    skip "games on a CSA server" "there is no python3"
fi

# Paths with slashes of either kind and other letter case refer to the same game, which must not be overwritten.
mkdir "$trial/games"
cp tests/data/kifu/g001.kif tests/data/kifu/bad/nifu.kif "$trial/games"
top=$(pwd)
convert() { (cd "$trial" && wine "$top/$built/komadori-kifu.exe" convert "$@"); }
check "a game by a backslash" convert 'games\g001.kif' --to usi -o 'games\'
check "into its folder" [ -s "$trial/games/g001.usi" ]
check "into folders that are made" convert 'games\g001.kif' --to usi -o 'new\deep\'
check "one in another" [ -s "$trial/new/deep/g001.usi" ]
convert 'games\nifu.kif' -o 'GAMES/NIFU.KIF' 2>"$trial/err"
check "a faulty game is not cut" grep -q "holds more than the output" "$trial/err"
check "by another name" cmp tests/data/kifu/bad/nifu.kif "$trial/games/nifu.kif"

# A client may quit during a search, or close its end of the pipes.
quits() { printf 'go infinite\nquit\n' | timeout 60 wine $built/komadori.exe; }
check "quit during a search" prints "^bestmove [1-9]" quits
# The input stays open until the engine has ended; 124 is the status of timeout.
unread() {
    mkfifo "$trial/in"
    { timeout 300 wine $built/komadori.exe <"$trial/in"; echo $? >"$trial/status"; } | head -n 1 &
    exec 3>"$trial/in"
    printf 'usi\ngo infinite\n' >&3
    wait $!
    await test -s "$trial/status"
    exec 3>&-
    [ "$(cat "$trial/status")" != 124 ]
}
check "the output is closed" prints "^id name" unread

# The unit tests, except those that need POSIX. A match under Wine runs above.
tests=0
for test in $built/unit/test_*.exe; do
    [ -x "$test" ] && [ -z "$(find tests/unit -name "$(basename "$test" .exe).c" -newer "$test")" ] || continue
    # Every start of Wine is slow; a quick run includes the tests of system functions and a few others.
    case $test in
    *_clock.exe | *_cpu.exe | *_parallel.exe | *_xmem.exe | *_kernels.exe | *_engine.exe) ;;
    *) [ "${KOMADORI_TEST_FULL:-}" = 1 ] || continue ;;
    esac
    tests=$((tests + 1))
    check "$(basename "$test")" prints "^[0-9]* passed, 0 failed" wine "$test"
done
check "there are unit tests" test "$tests" -gt 0

tell_counts
