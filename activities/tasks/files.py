"""A file that other programs write too: read whole, changed under a lock, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from activities.points import reached_now
from activities.tasks.values import SinkError

LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is still somebody's list of tasks."""


def read_file(path: Path) -> str:
    """The file's text; "" when there is none. Links are not followed. SinkError."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _trouble(path, error) from None
    with os.fdopen(opened, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise SinkError(f"{path.name} is no plain file: choose another with BOARDROOM_TASKS_FILE.", retryable=False)
        if found.st_size > LARGEST:
            raise SinkError(f"{path.name} is larger than 8 MiB: choose another with BOARDROOM_TASKS_FILE.", retryable=False)
        try:
            return file.read().decode("utf-8")
        except UnicodeDecodeError:
            raise SinkError(f"{path.name} is not UTF-8: choose another with BOARDROOM_TASKS_FILE.", retryable=False) from None


def change_file(path: Path, change: Callable[[str], str]) -> None:
    """Replace the file by what `change` makes of its text, alone among all that use this function. SinkError."""
    try:
        with _locked(path):
            before = read_file(path)
            after = change(before)
            if after != before:
                _replace(path, after)
    except OSError as error:
        raise _trouble(path, error) from None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _replace(path: Path, text: str) -> None:
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        reached_now("tasks_file_written")
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _trouble(path: Path, error: OSError) -> SinkError:
    return SinkError(f"{path.name} cannot be used ({error.strerror}): mend it, or choose another with BOARDROOM_TASKS_FILE.")
