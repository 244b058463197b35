"""Points at which a test may hold a process and kill it. Without `BOARDROOM_HOLD_AT` they do nothing.

A fault test sets `BOARDROOM_HOLD_AT=name[:n]` and `BOARDROOM_HOLD_DIR`: the process that reaches the n-th passing of that
point writes `<dir>/<name>.<pid>` and waits for ever, so the test kills it exactly there and fails when it never came.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path

_passed: Counter[str] = Counter()


async def reached(name: str) -> None:
    """Hold here when a fault test asked for it."""
    wanted = os.environ.get("BOARDROOM_HOLD_AT")
    if not wanted:
        return
    point, _, nth = wanted.partition(":")
    if point != name:
        return
    _passed[name] += 1
    if _passed[name] != int(nth or 1):
        return
    if await asyncio.to_thread(_mark, name):
        await asyncio.Event().wait()


def _mark(name: str) -> bool:
    """Leave the mark that this point was reached; False when a killed process left it before: this is the recovery."""
    folder = Path(os.environ["BOARDROOM_HOLD_DIR"])
    if any(folder.glob(f"{name}.*")):
        return False
    (folder / f"{name}.{os.getpid()}").touch()
    return True
