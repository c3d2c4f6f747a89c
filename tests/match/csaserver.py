# A scripted CSA server on the loopback address, for tests/match/run_csa.sh. It plays one side of each game, moving its
# rook back and forth, and checks every line of the client; csaengine.py moves its rook in the same way.
# usage: csaserver.py FOLDER SCENARIO...
# Writes the port to FOLDER/port, the moves of each game to FOLDER/GAME.moves, and what was wrong to FOLDER/faults. Each
# connection runs the next scenario; the server ends after the last one.
import os, re, signal, socket, sys, time

folder, scenarios = sys.argv[1], sys.argv[2:]
OUT = {"+": ["+2838HI", "+3828HI"], "-": ["-8272HI", "-7282HI"]}


class Dead(Exception):
    """The client has gone, or the script ends the connection."""


def fault(text):
    with open(f"{folder}/faults", "a") as file:
        file.write(text + "\n")


class Link:
    def __init__(self, connection):
        self.connection, self.bytes = connection, b""
        self.form = str.encode
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


def other(side):
    return "-" if side == "+" else "+"


def play(link, text, us="+", first="+", before=(), units=None, plies=8, end="#SENNICHITE\n#DRAW", pieces=False, die=None, kill=None,
         noise=False):
    """Plays a game in which the client is `us`. `die` is the ply, or the word, after which the connection ends; `kill` is
    the ply before which the engine is killed. `units` is the number of seconds in a unit of each side's times."""
    if die == "half":
        link.send(text[:len(text) // 2].rstrip("\n"), pieces)
        raise Dead("die")
    link.send(text, pieces)
    if die == "summary":
        raise Dead("die")
    link.expect("AGREE")
    if die == "agree":
        raise Dead("die")
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
    # The client may have answered the last move before it has read how the game ends.
    if link.expect(r"LOGOUT|[+-]\d{4}HI.*") != "LOGOUT":
        link.expect("LOGOUT")
    link.send("LOGOUT:completed")


def record(name, moves):
    with open(f"{folder}/{name}.moves", "w") as file:
        file.writelines(f"{move} T{spent}\n" for move, spent in moves)


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
        play(link, "BEGIN Game_Summary\nBEGIN Position\nPI22KA\n-\nEND Position\nMax_Moves:300\nBEGIN Time+\nTotal_Time:1\n"
             "Time_Unit:1min\nTime_Roundup:YES\nEND Time+\nBEGIN Time-\nIncrement:5000\nTotal_Time:60000\nDelay:10\n"
             "Time_Unit:1msec\nEND Time-\nNew_Field:1\nTo_Move:-\nName-:a b\nName+:c\nYour_Turn:-\n"
             f"Rematch_On_Draw:YES\nGame_ID:{name}\nEND Game_Summary", us="-", first="-", units={"+": 60, "-": 0.001})
    elif kind == "resumed":
        before = [("+2838HI", 7), ("-8272HI", 20), ("+3828HI", 100)]
        position = START + "".join(f"\n{move},T{spent}" for move, spent in before)
        play(link, summary(name, us="-", position=position), us="-", before=before)
    elif kind == "hands":
        position = "P5 *  *  *  * -OU *  *  *  * \nP1 *  *  *  * +OU *  *  *  * \nP8 *  *  *  *  *  *  * +HI * \n" \
            "P2 * -HI *  *  *  *  *  *  * \nP+00FU00KI\nP-00AL\n+"
        play(link, summary(name, position=position))
    elif kind == "short":
        play(link, summary(name, time="BEGIN Time\nTime_Unit:1sec\nTotal_Time:1\nByoyomi:1\nEND Time"))
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
        if str(reason) != "die" and scenario.split("=")[0] not in ("refuse", "signal"):
            fault(f"{link.name}: {reason}")
    connection.close()
