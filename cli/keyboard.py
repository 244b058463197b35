"""What the person types while a meeting runs: lines, read without blocking and without disturbing the live view.

In a live view the terminal's own echo would be painted over, so the keys are read one by one and the line being typed
is shown by the view. Ctrl-C stays a signal. Nothing is read when standard input is no terminal or we are in background.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import re
import signal
import sys
import termios
from collections.abc import Callable
from typing import Any

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
MAX_LINE = 4000
"""Characters of one line of user input."""


class Keyboard:
    """Lines from a terminal. `typed` is the line so far; `on_line` is called with each finished one."""

    def __init__(self, on_line: Callable[[str], None], *, raw: bool, fd: int = 0) -> None:
        self.typed = ""
        self._on_line = on_line
        self._raw = raw
        self._fd = fd
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._before: list[Any] | None = None

    @staticmethod
    def available(fd: int = 0) -> bool:
        """Whether somebody can type: a terminal, with this process in its foreground (reading in background stops it)."""
        try:
            return os.isatty(fd) and os.tcgetpgrp(fd) == os.getpgrp()
        except OSError:
            return False

    def open(self) -> None:
        loop = asyncio.get_running_loop()
        if self._raw:
            self._before = termios.tcgetattr(self._fd)
            self._without_echo()
            loop.add_signal_handler(signal.SIGCONT, self._without_echo)
        loop.add_reader(self._fd, self._read)

    def close(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        if self._before is not None:
            loop.remove_signal_handler(signal.SIGCONT)
            self.restore()

    def restore(self) -> None:
        """Give the terminal back as it was. Also for where no loop runs any more."""
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, self._before)

    def _without_echo(self) -> None:
        changed = termios.tcgetattr(self._fd)
        changed[3] &= ~(termios.ECHO | termios.ICANON)
        changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSANOW, changed)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:  # the terminal was closed, or Ctrl-D on an empty line
            asyncio.get_running_loop().remove_reader(self._fd)
            return
        self.feed(self._decoder.decode(data))

    def feed(self, keys: str) -> None:
        """Take in what was typed: letters, Backspace, Ctrl-U (clear), Ctrl-W (a word), Enter. Arrow keys do nothing."""
        keys = _ESCAPE.sub("", self._rest + keys)
        begun = _BEGUN.search(keys)
        self._rest = begun.group() if begun else ""
        for key in keys.removesuffix(self._rest) if self._rest else keys:
            if key in "\r\n":
                line, self.typed = self.typed.strip(), ""
                if line:
                    self._on_line(line)
            elif key in "\x7f\b":
                self.typed = self.typed[:-1]
            elif key == "\x15":
                self.typed = ""
            elif key == "\x17":
                self.typed = self.typed.rstrip()
                self.typed = self.typed[: self.typed.rfind(" ") + 1]
            elif key.isprintable() and len(self.typed) < MAX_LINE:
                self.typed += key


def keyboard_for(on_line: Callable[[str], None], *, live: bool) -> Keyboard | None:
    """The keyboard of this process, when somebody can type at it. `live`: the view shows the line being typed."""
    return Keyboard(on_line, raw=live, fd=sys.stdin.fileno()) if sys.stdin and Keyboard.available(sys.stdin.fileno()) else None
