# A scripted CSA server on the loopback address, for tests/match/run_csa.sh. It plays one side of each game, moving its
# rook back and forth, and checks every line of the client; csaengine.py moves its rook in the same way.
# usage: csaserver.py FOLDER SCENARIO...
# Writes the port to FOLDER/port, the moves of each game to FOLDER/GAME.moves, and what was wrong to FOLDER/faults. Each
# connection runs the next scenario; the server ends after the last one.
import os, random, re, signal, socket, sys, time

folder, scenarios = sys.argv[1], sys.argv[2:]
OUT = {"+": ["+2838HI", "+3828HI"], "-": ["-8272HI", "-7282HI"]}


class Dead(Exception):
    """The client has gone, or the script ends the connection."""


def fault(text):
    with open(f"{folder}/faults", "a") as file:
        file.write(text + "\n")


def said(words):
    """How often the client has said the words; 0 where a test does not keep its output in FOLDER/out."""
    if not os.path.exists(f"{folder}/out"):
        return 0
    return open(f"{folder}/out").read().count(words)


class Link:
    def __init__(self, connection):
        self.connection, self.bytes = connection, b""
        self.form = str.encode
        self.logins = said("logged in as")
        connection.settimeout(60)

    def send(self, text, pieces=False):
        data = self.form(text + "\n")
        try:
            for part in [data[i:i + 1] for i in range(len(data))] if pieces else [data]:
                self.connection.sendall(part)
        except OSError:
            raise Dead("send")

    def line(self):
        """The next line of the client that is not empty."""
        while True:
            while b"\n" not in self.bytes:
                try:
                    more = self.connection.recv(4096)
                except OSError:
                    raise Dead("no line in a minute")
                if not more:
                    raise Dead("closed")
                self.bytes += more
            line, self.bytes = self.bytes.split(b"\n", 1)
            if line:
                return line.decode()

    def expect(self, pattern):
        line = self.line()
        if not re.fullmatch(pattern, line):
            fault(f"{self.name}: {line!r} is not {pattern}")
            raise Dead("unexpected line")
        return line


START = "PI\n+"
TIME = "BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\nByoyomi:10\nLeast_Time_Per_Move:0\nEND Time"


def summary(name, us="+", first="+", position=START, time=TIME, more="Max_Moves:256"):
    return (f"BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n"
            f"Game_ID:{name}\nName+:black\nName-:white\nYour_Turn:{us}\nRematch_On_Draw:NO\nTo_Move:{first}\n{more}\n"
            f"{time}\nBEGIN Position\n{position}\nEND Position\nEND Game_Summary")


def kill_engine():
    """Kills the engine, and returns when it is gone."""
    with open(f"{folder}/engine.pid") as file:
        pid = int(file.read())
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        fault("no engine to kill")


def wait_for(is_so, what):
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    fault("waited in vain for " + what)


def engine_pid():
    try:
        return open(f"{folder}/engine.pid").read()
    except OSError:
        return ""


def look_for_password():
    """Nobody who lists the processes may see it."""
    pid = open(f"{folder}/client.pid").read().strip()
    for name in ("cmdline", "environ"):
        if os.path.exists(f"/proc/{pid}/{name}") and b"sesame" in open(f"/proc/{pid}/{name}", "rb").read():
            fault(f"the password is in /proc/PID/{name}")


def other(side):
    return "-" if side == "+" else "+"


def play(link, text, us="+", first="+", before=(), units=None, plies=8, end="#SENNICHITE\n#DRAW", pieces=False, die=None, kill=None,
         noise=False, leaves=True, then=None):
    """Plays a game in which the client is `us`. `die` is the ply, or the word, after which the connection ends; `kill` is
    the ply before which the engine is killed. `units` is the number of seconds in a unit of each side's times. `then` is a
    pair of a ply, or "summary" or "agreed", and what happens then. Unless the client `leaves`, it stays logged in after the game."""
    if die == "half":
        link.send(text[:len(text) // 2].rstrip("\n"), pieces)
        raise Dead("die")
    link.send(text, pieces)
    if then and then[0] == "summary":
        then[1]()
    if die == "summary":
        raise Dead("die")
    link.expect("AGREE")
    if die == "agree":
        raise Dead("die")
    if then and then[0] == "agreed":
        then[1]()
    link.send("START:" + link.name, pieces)
    moves = list(before)
    side = first if len(moves) % 2 == 0 else other(first)
    for ply in range(len(moves), plies):
        wanted = OUT[side][len(moves) // 2 % 2]
        if die == ply:
            record(link.name, moves)
            raise Dead("die")
        if noise:
            link.send("##[CHAT] hello\n\n#\nwhat is this?\n+\n%%\nBEGIN nothing\n\x01\x02" + "x" * 5000, pieces)
            link.send("+9911OU,T1\n-0055FU,T2\n" + wanted.replace("HI", "TO"), pieces)
        if kill == ply:
            kill_engine()
        if then and then[0] == ply:
            then[1]()
        if ply == 2:
            look_for_password()
        if side == us:
            line = link.expect(re.escape(wanted) + r"(,'\* -?\d+( [+-]\d{4}[A-Z]{2})*)?")
            if "'" in line:
                open(f"{folder}/comments", "a").write(line + "\n")
        link.send(f"{wanted},T{ply % 3}", pieces)
        moves.append((wanted, int(ply % 3 * (units or {}).get(side, 1))))
        side = other(side)
    record(link.name, moves)
    if die == "reason":
        link.send(end.split("\n")[0])
        raise Dead("die")
    link.send(end, pieces)
    if not leaves:
        return
    # The client may have answered the last move before it has read how the game ends.
    if link.expect(r"LOGOUT|[+-]\d{4}HI.*") != "LOGOUT":
        link.expect("LOGOUT")
    link.send("LOGOUT:completed")


def record(name, moves):
    with open(f"{folder}/{name}.moves", "w") as file:
        file.writelines(f"{move} T{spent}\n" for move, spent in moves)


def mangle(rng, text):
    """Drops, repeats, cuts, swaps and scribbles over some of the lines."""
    lines = []
    for line in text.split("\n"):
        how = rng.randrange(30)
        at = rng.randrange(len(line) + 1)
        if how == 1:
            line = line[:at]
        elif how == 2:
            line = line[:at] + chr(rng.randrange(1, 256)) + line[at + 1:]
        elif how == 3:
            line = line[:at] + rng.choice(["9" * 30, "-1", "\0", " ", ",T", "\t", "%s%n"]) + line[at:]
        elif how == 4 and lines:
            lines[-1], line = line, lines[-1]
        if how != 0:
            lines += [line] * (2 if how == 5 else 1)
    return "\n".join(lines)


def chaos(link, rng):
    """Says anything at any time, in the words of the protocol."""
    words = ["AGREE", "START:" + link.name, "REJECT:" + link.name + " by other", "%TORYO,T1", "%KACHI", "%CHUDAN", "#WIN", "#LOSE", "#DRAW",
             "#CHUDAN", "#SENNICHITE\n#DRAW", "#RESIGN\n#WIN", "#MAX_MOVES\n#CENSORED", "BEGIN Game_Summary", "END Game_Summary", "BEGIN Time+",
             "BEGIN Position\nP+00FU\nP-00AL\n+", "LOGIN:tester OK", "LOGIN:incorrect", "LOGOUT:completed", "##[CHAT] hello", ""]
    link.connection.settimeout(0.03)
    link.send(mangle(rng, summary(link.name)))
    for _ in range(30):
        said = ""
        try:
            said = link.line()
        except Dead as reason:
            if str(reason) == "closed":
                raise
        if said == "LOGOUT":
            break
        if said == "AGREE" and rng.randrange(4):
            link.send("START:" + link.name)
        elif re.match("[+-]", said) and rng.randrange(6):
            side = other(said[0])
            link.send(mangle(rng, said.split(",")[0] + f",T{rng.randrange(9)}\n{rng.choice(OUT[side])},T0"))
        elif not said or not rng.randrange(3):
            link.send(mangle(rng, rng.choice(words + [summary(link.name, us=rng.choice("+-"))])), pieces=not rng.randrange(5))


def go_on(link, die=None):
    """The game of the last connection goes on after the moves that were played."""
    link.name = [file for file in sorted(os.listdir(folder)) if file.endswith(".moves")][-1][:-len(".moves")]
    before = [(move, int(spent[1:])) for move, spent in map(str.split, open(f"{folder}/{link.name}.moves"))]
    played = "".join(f"\n{move},T{spent}" for move, spent in before)
    then = (7, die) if callable(die) else None
    play(link, summary(link.name, position=START + played), before=before, die=None if then else die, then=then)


def run(link, scenario):
    kind, _, argument = scenario.partition("=")
    name = link.name
    if kind == "die" and argument == "accept":
        raise Dead("die")
    link.expect(r"LOGIN tester .+")
    if kind == "refuse":
        link.send("LOGIN:incorrect")
        link.expect("nothing")
    if kind == "die" and argument == "login":
        raise Dead("die")
    link.send("LOGIN:tester OK", pieces=True)
    if kind == "plain":
        play(link, summary(name))
    elif kind == "white":
        play(link, summary(name, us="-"), us="-")
    elif kind == "pieces":
        play(link, summary(name), pieces=True, noise=True)
    elif kind == "crlf":
        link.form = lambda text: text.replace("\n", "\r\n").encode()
        play(link, summary(name, us="-"), us="-")
    elif kind == "odd":
        # All fields in another order, a time block for each side, white begins with a handicap.
        odd = (
             "BEGIN Game_Summary\nBEGIN Position\nPI22KA\n-\nEND Position\nMax_Moves:300\nBEGIN Time+\nTotal_Time:1\n"
             "Time_Unit:1min\nTime_Roundup:YES\nEND Time+\nBEGIN Time-\nIncrement:5000\nTotal_Time:60000\nDelay:10\n"
             "Time_Unit:1msec\nEND Time-\nNew_Field:1\nTo_Move:-\nName-:a b\nName+:c\nYour_Turn:-\n"
             f"Rematch_On_Draw:YES\nGame_ID:{name}\nEND Game_Summary")
        play(link, odd, us="-", first="-", units={"+": 60, "-": 0.001}, leaves=False)
        # The game is drawn and played again at once.
        link.name = name + "again"
        play(link, odd.replace(name, link.name), us="-", first="-", units={"+": 60, "-": 0.001}, end="#RESIGN\n#WIN")
    elif kind == "bare":
        # START without an agreement, then a summary without names and id.
        link.send("START:nothing\n##[CHAT] hello\n#")
        link.name = "game"
        play(link, "BEGIN Game_Summary\nYour_Turn:+\nTo_Move:+\nEND Game_Summary\n##[GAME] +OK", noise=True)
    elif kind == "broken":
        # The server begins another game in the middle of one, and again after the result, in the same packet.
        link.name = name + "a"
        play(link, summary(link.name), plies=3, end="##[CHAT] this one is over", leaves=False)
        link.name = name + "b"
        play(link, summary(link.name, more="Rematch_On_Draw:YES"), plies=4, leaves=False,
             end=f"#SENNICHITE\n#DRAW\nBEGIN Game_Summary\nGame_ID:{name}c\nName+:black\nName-:white")
        link.name = name + "c"
        play(link, "Your_Turn:+\nTo_Move:+\nBEGIN Time\nTotal_Time:9\nEND Time\nEND Game_Summary", end="#RESIGN\n#WIN")
    elif kind == "goeson":
        go_on(link, argument)
    elif kind == "kick":
        raise Dead("die")
    elif kind == "chaos":
        chaos(link, random.Random(int(argument)))
        raise Dead("die")
    elif kind == "idle":
        # Before that, the client may not know yet that it has logged in.
        wait_for(lambda: said("logged in as") > link.logins, "a client that knows of its login")
        os.kill(int(open(f"{folder}/client.pid").read()), signal.SIGINT)
        link.expect("LOGOUT")
        link.send("LOGOUT:completed")
    elif kind == "revive":
        # The engine dies while the opponent thinks, and is there again before it moves.
        def revive():
            old = engine_pid()
            kill_engine()
            wait_for(lambda: engine_pid() != old, "a new engine")
        play(link, summary(name), then=(3, revive))
    elif kind == "gone":
        # The engine dies, and its program is not there for a while.
        seen = open(f"{folder}/out").read().count("trying again")

        def go():
            os.rename(f"{folder}/engine", f"{folder}/engine.away")
            kill_engine()

        def come_back():
            wait_for(lambda: open(f"{folder}/out").read().count("trying again") > seen, "a failed start")
            os.rename(f"{folder}/engine.away", f"{folder}/engine")

        def disappear():
            go()
            come_back()
        if argument == "before":
            go()
            play(link, summary(name), then=("summary", come_back))
        else:
            play(link, summary(name), then=(int(argument), disappear))
    elif kind == "late":
        # The engine dies, and the next one does not answer before the clock has run out.
        link.send(summary(name, time="BEGIN Time\nTotal_Time:1\nEND Time"))
        link.expect("AGREE")
        old = engine_pid()
        open(f"{folder}/is_slow", "w").close()
        kill_engine()
        link.send("START:" + name)
        wait_for(lambda: engine_pid() != old, "a new engine")
        link.send("#TIME_UP\n#LOSE")
        record(name, [])
        link.expect("LOGOUT")
        os.remove(f"{folder}/is_slow")
    elif kind == "vanish":
        # The engine dies while the opponent thinks, and its program is not there before the clock has run out.
        seen = said("trying again"), said("no time is left")
        link.send(summary(name, us="-", time="BEGIN Time\nTotal_Time:1\nEND Time"))
        link.expect("AGREE")
        link.send("START:" + name)
        os.rename(f"{folder}/engine", f"{folder}/engine.away")
        kill_engine()
        wait_for(lambda: said("trying again") > seen[0], "a failed start")
        link.send("+2726FU,T1")
        wait_for(lambda: said("no time is left") > seen[1], "the end of the clock")
        link.send("#TIME_UP\n#LOSE")
        record(name, [("+2726FU", 1)])
        link.expect("LOGOUT")
        os.rename(f"{folder}/engine.away", f"{folder}/engine")
    elif kind == "stopped":
        # Ctrl-C while the engine gets ready: the game is rejected; after the agreement, it is played to its end.
        def interrupt():
            os.kill(int(open(f"{folder}/client.pid").read()), signal.SIGINT)
        if argument == "before":
            old = engine_pid()
            open(f"{folder}/is_slow", "w").close()
            kill_engine()
            link.send(summary(name))
            wait_for(lambda: engine_pid() != old, "a new engine")
            interrupt()
            os.remove(f"{folder}/is_slow")
            link.expect("REJECT")
            link.expect("LOGOUT")
            link.send("LOGOUT:completed")
        else:
            play(link, summary(name), then=("agreed", interrupt))
    elif kind == "full":
        # Nothing can be written to the folder of records when the game ends.
        def full():
            os.rename(f"{folder}/records", f"{folder}/away")
            open(f"{folder}/records", "w").close()
        play(link, summary(name), then=(7 if not argument else int(argument), full), die=int(argument) + 1 if argument else None)
    elif kind == "free":
        os.remove(f"{folder}/records")
        os.rename(f"{folder}/away", f"{folder}/records")
        play(link, summary(name))
    elif kind == "fullgoeson":
        # Nothing can be written when the game is broken off, but all when it has been resumed.
        go_on(link, lambda: (os.remove(f"{folder}/records"), os.rename(f"{folder}/away", f"{folder}/records")))
    elif kind == "any":
        # Any engine that can play two moves.
        link.send(summary(name))
        link.expect("AGREE")
        link.send("START:" + name)
        for reply in OUT["-"]:
            move = link.expect(r"(\+\d{4}[A-Z]{2})(,'.*)?").split(",")[0]
            link.send(f"{move},T0\n{reply},T0")
        link.send("#RESIGN\n#WIN")
        if link.expect(r"LOGOUT|\+\d{4}[A-Z]{2}.*") != "LOGOUT":
            link.expect("LOGOUT")
        link.send("LOGOUT:completed")
    elif kind == "resumed":
        before = [("+2838HI", 7), ("-8272HI", 20), ("+3828HI", 100)]
        position = START + "".join(f"\n{move},T{spent}" for move, spent in before)
        play(link, summary(name, us="-", position=position), us="-", before=before)
    elif kind == "hands":
        position = "P5 *  *  *  * -OU *  *  *  * \nP1 *  *  *  * +OU *  *  *  * \nP8 *  *  *  *  *  *  * +HI * \n" \
            "P2 * -HI *  *  *  *  *  *  * \nP+00FU00KI\nP-00AL\n+"
        play(link, summary(name, position=position))
    elif kind == "short":
        play(link, summary(name, time="BEGIN Time\nTime_Unit:1sec\nTotal_Time:1\nByoyomi:1\nEND Time"), plies=int(argument or 8))
    elif kind == "unlimited":
        play(link, summary(name, time="BEGIN Time\nTime_Unit:1sec\nEND Time", more="New:1"))
    elif kind == "end":
        play(link, summary(name), plies=5, end=argument.replace("/", "\n"))
    elif kind == "bad":
        link.send(summary(name, more="Max_Moves:x"))
        link.expect("REJECT")
        link.send(f"REJECT:{name} by tester")
        play(link, summary(name))
    elif kind == "illegal":
        link.send(summary(name, position="PI\n+\n+7777FU,T1"))
        link.expect("REJECT")
        play(link, summary(name))
    elif kind == "rejected":
        link.send(summary(name))
        link.expect("AGREE")
        link.send(f"REJECT:{name} by other")
        play(link, summary(name))
    elif kind == "die":
        play(link, summary(name), die=int(argument) if argument.isdigit() else argument)
    elif kind == "kill":
        play(link, summary(name), plies=12, kill=int(argument))
    elif kind == "resign":
        link.send(summary(name))
        link.expect("AGREE")
        link.send("START:" + name)
        link.expect("%TORYO")
        link.send("%TORYO,T0\n#RESIGN\n#LOSE")
        record(name, [])
        link.expect("LOGOUT")
    elif kind == "signal":
        # Ctrl-C in the middle of a game: once to play it to its end, twice to leave at once.
        link.send(summary(name))
        link.expect("AGREE")
        link.send("START:" + name)
        link.expect(r"\+2838HI.*")
        for i in range(int(argument)):
            os.kill(int(open(f"{folder}/client.pid").read()), signal.SIGINT)
            time.sleep(0.3)
        link.send("+2838HI,T0\n-8272HI,T0")
        if argument == "1":
            link.expect(r"\+3828HI.*")
            link.send("+3828HI,T0\n#SENNICHITE\n#DRAW")
        link.expect("LOGOUT")
    else:
        fault(f"no scenario {scenario}")


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", 0))
listener.listen(5)
listener.settimeout(120)
with open(f"{folder}/port.new", "w") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(f"{folder}/port.new", f"{folder}/port")
for number, scenario in enumerate(scenarios):
    try:
        connection, _ = listener.accept()
    except OSError:
        fault(f"{scenario}: nobody connects")
        break
    link = Link(connection)
    link.name = f"game{number + 1:02}-{scenario.split('=')[0]}"
    try:
        run(link, scenario)
    except Dead as reason:
        if str(reason) != "die" and scenario.split("=")[0] not in ("refuse", "signal", "chaos"):
            fault(f"{link.name}: {reason}")
    connection.close()
