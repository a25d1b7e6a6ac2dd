"""Draws the terminal output of a command as SVG: terminal_picture.py OUT.svg COLUMNS LINES COMMAND...

The command runs on a pseudo-terminal with this many columns, in colour. Only the first LINES lines are drawn.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from html import escape

COLOURS = {"30": "#6e7681", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea", "90": "#8b949e",
           "91": "#ff7b72", "92": "#7ee787", "93": "#e3b341", "94": "#79c0ff", "95": "#d2a8ff", "96": "#76e3ea"}
WIDTH, HEIGHT, MARGIN = 8.4, 19, 16


def printed(command, columns):
    """The output of the command on a terminal of this width."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    parts = []
    try:
        while part := os.read(terminal, 65536):
            parts.append(part)
    except OSError:  # the end of a pseudo-terminal
        pass
    os.waitpid(pid, 0)
    return b"".join(parts).decode().replace("\r\n", "\n")


def spans(line):
    """The pieces of a line, each with its style."""
    colour, bold, faint = None, False, False
    for piece in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        found = re.fullmatch(r"\x1b\[([0-9;]*)([A-Za-z])", piece)
        if not found:
            if piece:
                yield piece, colour, bold, faint
        elif found[2] == "m":
            for code in found[1].split(";") or ["0"]:
                if code in ("", "0"):
                    colour, bold, faint = None, False, False
                elif code == "1":
                    bold = True
                elif code == "2":
                    faint = True
                elif code in COLOURS:
                    colour = COLOURS[code]


def kept(text):
    """Escapes text for SVG, which would otherwise collapse spaces."""
    return escape(text).replace(" ", "\u00a0")


def drawn(lines, columns):
    """Renders the lines as SVG."""
    wide, high = columns * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" role="img" aria-label="Terminal: acidtest run">'
    yield f'<rect width="{wide:.0f}" height="{high}" rx="8" fill="#0d1117"/>'
    yield '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" fill="#e6edf3">'
    for number, line in enumerate(lines):
        column, pieces = 0, []
        for text, colour, bold, faint in spans(line):
            style = "".join([f' fill="{colour}"' if colour else "", ' font-weight="bold"' if bold else "", ' opacity="0.6"' if faint else ""])
            # With a fixed text length, columns line up in any font.
            length = len(text) * WIDTH
            pieces.append(f'<tspan x="{MARGIN + column * WIDTH:.1f}" textLength="{length:.1f}"{style}>{kept(text)}</tspan>')
            column += len(text)
        if pieces:
            yield f'<text y="{MARGIN + (number + 0.75) * HEIGHT:.1f}">{"".join(pieces)}</text>'
    yield "</g>\n</svg>"


def main():
    out, columns, count, *command = sys.argv[1:]
    text = printed(command, int(columns))
    # A progress line that was erased is not part of the picture.
    lines = [line.rsplit("\r", 1)[-1] for line in text.split("\n")]
    shown = ["$ " + os.environ.get("SHOWN", " ".join(command))] + lines[: int(count)]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(drawn(shown, int(columns))) + "\n")


main()
