"""What may go to a terminal: text of people and voices made harmless, and the streams of a command.

A topic, a persona or a speech cannot paint the terminal (law 3): control characters are shown as their pictures,
directional overrides by their code, and no text is ever read as markup.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from parliament.text import printable

if TYPE_CHECKING:
    from rich.console import Console

_BIDI = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    """The text as it may be shown: same letters, nothing that a terminal would obey."""
    text = _BIDI.sub(lambda found: f"(U+{ord(found.group()):04X})", printable(text)).expandtabs(4)
    return text


def shown_line(text: str) -> str:
    """`shown` on one line."""
    return " ".join(shown(text).split())


def program() -> str:
    """What to type to run this program again: under `uv run` the command is on no path outside of it."""
    return "uv run boardroom" if os.environ.get("UV_RUN_RECURSION_DEPTH") else "boardroom"


def console(*, error: bool = False) -> Console:
    """A console that reads no markup, no emoji codes and highlights nothing: text is data."""
    from rich.console import Console

    class Lasting(Console):
        """What holds a meeting must not end by SystemExit in one of its tasks because its reader had enough."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            _unread(2 if error else 1)

    return Lasting(stderr=error, markup=False, emoji=False, highlight=False, soft_wrap=False)


def _unread(stream: int) -> None:
    """Nobody reads a stream (by its number) any more: the rest goes nowhere, and the work to its exit code."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream)
    os.close(nowhere)


def json_text(data: Any) -> str:
    """One JSON value as the text of a file."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def print_json(data: Any) -> None:
    """The one object of `--json` on standard output."""
    encoding = str(getattr(sys.stdout, "encoding", None) or "").lower().replace("_", "-")
    # Where standard output cannot hold every character, JSON's own escapes can.
    try:
        sys.stdout.write(json.dumps(data, ensure_ascii=encoding not in ("utf-8", "utf8"), indent=2) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _unread(1)


def say(message: str) -> None:
    """A diagnostic on standard error."""
    try:
        print(shown(message), file=sys.stderr, flush=True)
    except BrokenPipeError:
        _unread(2)
