"""Writing a review's files: whole, under the chosen folder and nowhere else (source 001, Message Bus Structure)."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from activities.points import reached_now
from protocols.proposal_review import is_track_id
from protocols.review_files import FOLDER, SESSIONS, TRACKS, ReviewRecord, files_of, session_file

PATIENCE = 10.0
"""Seconds to wait for another process that writes into the folder."""
_SESSION = re.compile(r"session-(?P<at>\d{8}T\d{6}[^\s_]*)(?:_(?P<n>\d{1,6}))?\.json")
_LARGEST = 64 * 1024 * 1024
"""Bytes; a larger file in a session's place was not written here."""


class FilesError(Exception):
    """The files cannot be written; the message names what is in the way, `kind` says so without a path."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


def board_folder(folder: str, track: str | None) -> Path:
    """Where a review's files go. Raises FilesError for a track that is no name of a folder."""
    base = Path(folder)
    if track is not None:
        if not is_track_id(track):
            raise FilesError(f"{track!r} is not the id of a track.", "the track's id is no name of a folder")
        base = base / TRACKS / track
    return base / FOLDER


async def write_files(folder: str, record: ReviewRecord) -> Path:
    """Write the five files, and the session's own copy of them. FilesError.

    The files at the top are those of the track's newest session: one that is written later but was opened earlier leaves them
    alone, and only its session file and its copy are written.
    """
    return await asyncio.to_thread(_write, folder, record)


def _write(folder: str, record: ReviewRecord) -> Path:
    root = Path(folder)
    target = board_folder(folder, record.track)
    files = files_of(record)
    own = session_file(record)
    try:
        _make(root, target)
        with _locked(target):
            copies = target / SESSIONS / record.session_id
            _make(root, copies)
            for name, text in files.items():
                _put(copies / name, text)
            reached_now("review_copy_written")
            place = _place(target, own, record.session_id)
            newest = not any(_order(path.name) > _order(place) for path in target.glob("session-*.json"))
            for name, text in files.items():
                if newest or name == own:
                    _put(target / (place if name == own else name), text)
    except OSError as error:
        what = (error.strerror or type(error).__name__).lower()
        raise FilesError(f"{error.filename or target}: {what}.", f"its folder cannot be written ({what})") from None
    return target


def check_folder(folder: str, track: str | None) -> None:
    """Before a review is held for it: raises FilesError where its files certainly cannot be written. Makes nothing."""
    root = Path(folder)
    target = board_folder(folder, track)
    try:
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # a name that is too long, a loop of links
        raise FilesError(f"{target} cannot be a folder ({error.strerror}).", "its folder cannot be made") from None
    above = next(path for path in (root, *root.parents) if os.path.lexists(path))
    path = above
    if not path.is_dir():  # the chosen folder may be a link to one
        raise FilesError(f"{path} is no folder.", "a link or a file is in the way")
    if above == root:
        for part in target.relative_to(root).parts:
            if not os.path.lexists(path / part):
                break
            path = path / part
            _check(path)
    try:
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise FilesError(f"{path} takes no files ({error.strerror}).", "its folder cannot be written") from None


def _check(path: Path) -> None:
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise FilesError(f"{path} is a link or a file where a folder should be.", "a link or a file is in the way")


def _place(target: Path, own: str, session_id: str) -> str:
    """The name of the session's file: where another review of the same second has it, the session's number is added."""
    try:
        there = target / own
        found = there.lstat()
        if not stat.S_ISREG(found.st_mode):
            return own
        if found.st_size > _LARGEST:  # none of ours; it is left alone
            return _numbered(own, session_id)
        other = json.loads(there.read_text(encoding="utf-8")).get("session_id")
    except (OSError, ValueError, AttributeError):
        return own
    return own if other in (None, session_id) else _numbered(own, session_id)


def _numbered(own: str, session_id: str) -> str:
    return f"{own.removesuffix('.json')}_{session_id.rpartition('-')[2]}.json"


def _order(name: str) -> tuple[str, int]:
    """Where a session's file stands in time: its second, then the number of a review of the same second."""
    found = _SESSION.fullmatch(name)
    return (found["at"], int(found["n"] or 0)) if found is not None else ("", 0)


def _make(root: Path, target: Path) -> None:
    """Make the folders below the chosen one. A link on the way leads elsewhere and is refused."""
    root.mkdir(parents=True, exist_ok=True)
    path = root
    for part in target.relative_to(root).parts:
        path = path / part
        with contextlib.suppress(FileExistsError):
            path.mkdir()
        _check(path)


def _put(path: Path, text: str) -> None:
    """Replace the file by the text, whole or not at all; one that says it already is left alone."""
    content = text.encode("utf-8")
    with contextlib.suppress(OSError):
        found = path.lstat()  # a pipe in its place would be waited for
        if stat.S_ISREG(found.st_mode) and found.st_size == len(content) and path.read_bytes() == content:
            return
    new = path.with_name(f".{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        reached_now("review_file_written")
        os.replace(new, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among those that write here; the lock's file is never removed."""
    lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise FilesError(
                        f"{folder} is being written by another process: try again.", "another process writes there"
                    ) from None
                time.sleep(0.02)
        yield
    finally:
        os.close(lock)
