# A USI engine that moves its rook back and forth, for tests/match/run_csa.sh. usage: csaengine.py FOLDER [MODE]
# Writes its process to FOLDER/engine.pid, so that the server can kill it, and complains in FOLDER/faults if it can see the
# password. MODE resign resigns at once, illegal wants to play an illegal move each time, hang does not answer the second
# time, but only the first process does that, and miss ponders on a move that is not played and takes a second to stop.
# early answers go ponder at once and then neither ponderhit nor stop; every other time, another move than the expected one
# is played. stall answers the second time at once, but the client is stopped until its time is over.
import os, signal, sys, time

folder = sys.argv[1]
mode = sys.argv[2] if len(sys.argv) > 2 else ""
with open(f"{folder}/engine.new", "w") as file:
    file.write(str(os.getpid()))
os.rename(f"{folder}/engine.new", f"{folder}/engine.pid")
if any("sesame" in value for value in [*os.environ.values(), *sys.argv]):
    open(f"{folder}/faults", "a").write("the engine sees the password\n")
is_first = not os.path.exists(f"{folder}/has_hung")
best, reply, goes = "", "", 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["usi"]:
        while os.path.exists(f"{folder}/is_slow"):
            time.sleep(0.01)
        print("id name rook\nusiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        is_black = (words[3] == "b") == (len(moves) % 2 == 0)
        black, white = [("2h3h", "3h2h"), ("8b7b", "7b8b")]
        best = (black if is_black else white)[len(moves) // 2 % 2]
        reply = (white if is_black else black)[(len(moves) + 1) // 2 % 2]
        if mode == "miss" or mode == "early" and len(moves) // 2 % 2:
            reply = "5a5b" if is_black else "5i5h"
    elif mode == "early" and words[:1] in (["ponderhit"], ["stop"]):
        pass
    elif words[:1] == ["go"] and (mode == "early" or words[1:2] != ["ponder"]) or words[:1] in (["ponderhit"], ["stop"]):
        goes += words[0] == "go"
        if mode == "stall" and goes == 2:
            os.kill(os.getppid(), signal.SIGSTOP)
        if mode == "miss" and words[0] == "stop":
            time.sleep(1)
        if mode == "hang" and is_first and goes >= 2:
            open(f"{folder}/has_hung", "w").close()
        elif mode == "resign":
            print("bestmove resign", flush=True)
        elif mode == "illegal":
            print("bestmove 5e5e", flush=True)
        else:
            info = f"info depth 3 score cp 50 pv {best} {reply}\n"
            print(f"{'' if mode == 'stall' else info}bestmove {best} ponder {reply}", flush=True)
        if mode == "stall" and goes == 2:
            time.sleep(2)
            os.kill(os.getppid(), signal.SIGCONT)
    elif words[:1] == ["quit"]:
        break
