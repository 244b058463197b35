"""A process at a terminal of its own, as a person sits at it: keys go in, what is drawn comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
from pathlib import Path

_CONTROLS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class Terminal:
    """Runs a command at a pseudo-terminal. `text` is all that was drawn, without the control sequences."""

    def __init__(self, command: list[str], *, cwd: Path, env: dict[str, str], columns: int = 80, rows: int = 40) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env | {"TERM": "xterm-256color"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self._drawn = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                return
            if not data:
                return
            self._drawn += data

    @property
    def drawn(self) -> str:
        return bytes(self._drawn).decode("utf-8", "replace")

    @property
    def text(self) -> str:
        return _CONTROLS.sub("", self.drawn)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, wanted: str, seconds: float = 60) -> None:
        """Wait until this was drawn; a regular expression."""
        end = time.monotonic() + seconds
        while not re.search(wanted, self.text):
            assert time.monotonic() < end, f"{wanted!r} was not drawn:\n{self.text[-3000:]}"
            assert self.process.poll() is None or re.search(wanted, self.text), (
                f"ended with {self.process.returncode} before {wanted!r} was drawn:\n{self.text[-3000:]}"
            )
            time.sleep(0.02)

    def ends(self, seconds: float = 60) -> int:
        """Wait for the end of the process; its exit code. What is drawn last is read too."""
        code = self.process.wait(seconds)
        time.sleep(0.1)
        return code

    def given_back(self) -> bool:
        """Whether the terminal is as it was before (echo, lines)."""
        return termios.tcgetattr(self._theirs)[3] == self.before[3]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        os.close(self._theirs)
        os.close(self._ours)
