# Runs a command on a pseudo terminal, shows what it prints to a small model of a terminal, and prints what was seen as
# "KEY VALUE" lines; the screen at the end follows after "screen". usage: live.py COLUMNS ROWS INTERRUPT COMMAND...
# INTERRUPT is the number of drawings after which Ctrl-C is typed, or 0.
import os, pty, re, select, struct, sys, time
import fcntl, termios

columns, rows, interrupt = map(int, sys.argv[1:4])
command = sys.argv[4:]


class Screen:
    """The lines since the start, with the cursor: a terminal that is never scrolled."""

    def __init__(self):
        self.lines, self.x, self.y = [""], 0, 0
        self.widest, self.drawings, self.styles, self.unknown = 0, 0, 0, set()

    def feed(self, text):
        for code, number, letter, character in re.findall(r"(\x1b\[([0-9;]*)([A-Za-z]))|(.)", text, re.S):
            if character:
                self.put(character)
            elif letter == "A":
                self.y -= int(number or 1)
                self.drawings += 1
                assert 0 <= self.y and int(number) < rows, "the cursor leaves the screen"
            elif letter == "J":
                del self.lines[self.y + 1:]
                self.lines[self.y] = self.lines[self.y][:self.x]
            elif letter == "m":
                self.styles += 1
            else:
                self.unknown.add(code)

    def put(self, character):
        if character == "\r":
            self.x = 0
        elif character == "\n":
            self.y += 1
            while len(self.lines) <= self.y:
                self.lines.append("")
        elif character == "\x1b":
            self.unknown.add(character)
        else:
            line = self.lines[self.y].ljust(self.x)
            self.lines[self.y] = line[:self.x] + character + line[self.x + 1:]
            self.x += 1


def find_block(screen):
    """The lines of the live view, as far as they are drawn."""
    heads = [i for i, line in enumerate(screen.lines) if line.endswith("elapsed") or " elapsed, about" in line]
    return [line for line in screen.lines[heads[-1]:] if line] if heads else []


child, terminal = pty.fork()
if child == 0:
    # The size must be known before the command starts.
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    # Else Ctrl-C makes the system drop output that has not been read, which no program can know.
    modes = termios.tcgetattr(1)
    modes[3] |= termios.NOFLSH
    termios.tcsetattr(1, termios.TCSANOW, modes)
    os.execvp(command[0], command)
screen, begun, games, most, pending = Screen(), time.time(), 0, 0, b""
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        data = b""
    if not data:
        break
    # Text that is cut inside a character or a code waits for its rest.
    pending += data
    end = max(pending.rfind(b"\n"), pending.rfind(b"J")) + 1
    # A busy machine may read several drawings at once. Each is looked at before the cursor goes up for the next.
    for drawing in re.split(r"(?=\x1b\[\d*A)", pending[:end].decode()):
        screen.feed(drawing)
        block = find_block(screen)
        widths = [len(line) for line in block]
        screen.widest = max([screen.widest, *widths])
        most = max(most, len(block))
        heads = [i for i, line in enumerate(block) if line.startswith("  game ")]
        games = max(games, len(block) - heads[0] - 1 if heads else 0)
    pending = pending[end:]
    if interrupt and screen.drawings >= interrupt:
        os.write(terminal, b"\x03")
        interrupt = 0
screen.feed(pending.decode())
seconds = time.time() - begun
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print("status", status)
print("drawings", screen.drawings)
# Each line that is printed above the view draws it anew; the view itself is drawn four times a second.
printed = sum(line.startswith("game ") for line in screen.lines)
print("hurried", "yes" if screen.drawings > 4 * seconds + printed + 3 else "no")
print("styles", screen.styles)
print("widest", screen.widest)
print("lines", most)
print("games", games)
print("unknown", len(screen.unknown))
print("screen")
print("\n".join(line.rstrip() for line in screen.lines))
