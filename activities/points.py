"""Points at which a test may hold a process and kill it. Without `BOARDROOM_HOLD_AT` they do nothing.

A fault test sets `BOARDROOM_HOLD_AT=name[:n]` and `BOARDROOM_HOLD_DIR`: the process that reaches the n-th passing of that
point writes `<dir>/<name>.<pid>` and waits for ever, so the test kills it exactly there and fails when it never came.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from pathlib import Path

_passed: Counter[str] = Counter()


async def reached(name: str) -> None:
    """Hold here when a fault test asked for it."""
    if _wanted(name) and await asyncio.to_thread(_mark, name):
        await asyncio.Event().wait()


def reached_now(name: str) -> None:
    """`reached` for the middle of a store's transaction, which may wait for nothing: it holds the thread it runs in."""
    if _wanted(name) and _mark(name):
        threading.Event().wait()


def _wanted(name: str) -> bool:
    """Count a passing of the point; whether it is the one to hold at."""
    wanted = os.environ.get("BOARDROOM_HOLD_AT")
    if not wanted:
        return False
    point, _, nth = wanted.partition(":")
    if point != name:
        return False
    _passed[name] += 1
    return _passed[name] == int(nth or 1)


def _mark(name: str) -> bool:
    """Leave the mark that this point was reached; False when a killed process left it before: this is the recovery."""
    folder = Path(os.environ["BOARDROOM_HOLD_DIR"])
    if any(folder.glob(f"{name}.*")):
        return False
    (folder / f"{name}.{os.getpid()}").touch()
    return True
