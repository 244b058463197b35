"""Reads a context folder and nothing else: no link is followed, no path outside is opened, nothing blocks or raises.

Every folder on the way is opened by its name in the folder above it (`dir_fd` with O_NOFOLLOW), so that a link which is
put there meanwhile is refused by the system and not by a check that came too early. What could not be read is named and skipped
(issue 3, Bad input; SERVICE_SECURITY 18 and 20).
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from activities.book.values import Skipped
from parliament.text import brief

MAX_FILE = 1024 * 1024
"""Bytes of one file."""
MAX_FILES = 200
MAX_TOTAL = 8 * 1024 * 1024
"""Bytes of all files together."""
MAX_NAMES = 10_000
"""Names that are looked at in one folder."""
MAX_SKIPPED = 100
"""Files that are named one by one as skipped; the rest is counted."""
LOOKING_BACK = 35
"""Days: a file that is named after an older day is left alone, so that years of data cost nothing."""

GOALS = "goals/active"
VIEWS = "memory/views"
WEARABLE = ("garmin", "wearable")
CHECKINS = ("checkins", "check-ins")
NOTES = "notes"
VIEW_NAMES = ("goal-progress", "health-snapshot", "training-status", "week-summary")
"""The views of source 000 (Agenda Generation Prompt); each is a file <name>.json in memory/views."""

_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True)
class FileText:
    """A file that was read: `path` relative to the folder, with slashes; `text` as it stands, without a byte order mark."""

    path: str
    text: str


@dataclass(frozen=True)
class FolderText:
    """What a context folder holds, in the order in which it was read, and what was skipped. `there`: the folder was opened."""

    files: tuple[FileText, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    there: bool = True


@dataclass
class _Reading:
    files: list[FileText] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    total: int = 0
    opened: int = 0

    def skip(self, path: str, why: str) -> None:
        self.skipped.append(Skipped(shown(path), why))


def shown(path: str) -> str:
    """A path of the folder as a message may repeat it: on one line, control characters as pictures, at most 120 characters."""
    return brief(path, 120)


def read_folder(folder: Path, *, today: date) -> FolderText:
    """Every file of the layout that examples/context/README.md describes. Never raises; blocking calls, for a thread.

    The folder itself may be a link, since it is the person's own setting. Views and goals are read first, then days and
    check-ins from the newest on, then notes: what a limit cuts off is the least.
    """
    reading = _Reading()
    try:
        root = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    except (OSError, ValueError) as error:
        why = _why(error, "the context folder")
        return FolderText(skipped=(Skipped("context folder", why),), there=False)
    try:
        _walk(root, reading, today)
    finally:
        os.close(root)
    return FolderText(tuple(reading.files), _shortened(reading.skipped))


def _walk(root: int, reading: _Reading, today: date) -> None:
    views = {f"{name}.json" for name in VIEW_NAMES}
    _folder(root, VIEWS, reading, lambda name: None if name in views else "no view of this name is read")
    _folder(root, GOALS, reading, _json)
    recent = _recent(today)
    for place in WEARABLE:
        _folder(root, place, reading, recent, inner=("activities",))
        _folder(root, f"{place}/activities", reading, recent)
    for place in CHECKINS:
        _folder(root, place, reading, recent)
    _folder(root, NOTES, reading, _markdown)
    # At the top only notes are looked for: whatever else a person keeps there is theirs.
    _folder(root, "", reading, lambda name: None if _is_note(name) else "")


def _json(name: str) -> str | None:
    """None: to be read. A text: why not. An empty text: not, and not worth a word."""
    return None if name.lower().endswith(".json") else "only .json files are read here"


def _markdown(name: str) -> str | None:
    return None if name.lower().endswith(".md") else "only .md files are read here"


def _is_note(name: str) -> bool:
    return name.lower().endswith(".md") and name.lower() != "readme.md"


def _recent(today: date) -> Callable[[str], str | None]:
    oldest = (today - timedelta(days=LOOKING_BACK)).isoformat()

    def wanted(name: str) -> str | None:
        stem = name[: -len(".json")]
        return "" if _json(name) is None and _DATED.fullmatch(stem) and stem < oldest else _json(name)

    return wanted


def _folder(root: int, place: str, reading: _Reading, wanted: Callable[[str], str | None], inner: tuple[str, ...] = ()) -> None:
    try:
        with _opened(root, place) as folder:
            names = _names(folder, place, reading)
            for name in names:
                path = f"{place}/{name}" if place else name
                why = "" if name.startswith(".") or name in inner else wanted(name)
                if why is None:
                    _file(folder, name, path, reading)
                elif why:
                    reading.skip(path, why)
    except FileNotFoundError:
        return  # a source that is missing is named by the book, not here
    except OSError as error:
        reading.skip(place, _why(error, "the folder"))


@contextmanager
def _opened(root: int, place: str) -> Iterator[int]:
    """The descriptor of a folder below root, component by component; none of them may be a link."""
    folder = os.dup(root)
    try:
        for part in filter(None, place.split("/")):
            inner = os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _names(folder: int, place: str, reading: _Reading) -> list[str]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if len(names) == MAX_NAMES:
                reading.skip(place or "context folder", f"the folder has more than {MAX_NAMES} names; keep fewer files in it")
                break
            names.append(entry.name)
    dated = sorted((n for n in names if _DATED.match(n)), reverse=True)
    return dated + sorted(n for n in names if not _DATED.match(n))


def _file(folder: int, name: str, path: str, reading: _Reading) -> None:
    if reading.opened >= MAX_FILES:
        reading.skip(path, f"{MAX_FILES} files were read before it, which is the limit; keep fewer files in the folder")
        return
    try:
        # Looked at before it is opened: opening a device or a pipe can do something.
        if why := _unfit(os.stat(name, dir_fd=folder, follow_symlinks=False)):
            reading.skip(path, why)
            return
        descriptor = os.open(name, _FLAGS | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            if why := _unfit(os.fstat(file.fileno())):
                reading.skip(path, why)
                return
            data = file.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:
        reading.skip(path, _why(error, "the file"))
        return
    _take(data, path, reading)


def _unfit(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link, and links are not followed; put the file itself here"
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder where a file is expected"
    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    if status.st_size > MAX_FILE:
        return f"it has {status.st_size} bytes and the limit is {MAX_FILE} (1 MiB); split or shorten it"
    return ""


def _take(data: bytes, path: str, reading: _Reading) -> None:
    if len(data) > MAX_FILE:  # it grew while it was read
        reading.skip(path, f"it is larger than {MAX_FILE} bytes (1 MiB); split or shorten it")
        return
    if reading.total + len(data) > MAX_TOTAL:
        reading.skip(path, f"the files before it fill the limit of {MAX_TOTAL} bytes (8 MiB); keep less in the folder")
        return
    reading.opened += 1
    reading.total += len(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reading.skip(path, f"it is not UTF-8 text (byte {error.start}); save it as UTF-8")
        return
    reading.files.append(FileText(path, text))


def _why(error: Exception, what: str) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT:
        return f"{what} is not there; create it, or change the setting that names it"
    if number in (errno.EACCES, errno.EPERM):
        return f"{what} may not be read by this account; change its permissions"
    if number in (errno.ELOOP, errno.EMLINK):
        return f"{what} is a symbolic link, and links are not followed; put the thing itself here"
    if number == errno.ENOTDIR:
        # What O_DIRECTORY with O_NOFOLLOW answers for a link as well as for a file.
        return f"{what} is not a folder (links are not followed)"
    return f"{what} could not be read ({errno.errorcode.get(number or 0, type(error).__name__)})"


def _shortened(skipped: list[Skipped]) -> tuple[Skipped, ...]:
    more = len(skipped) - MAX_SKIPPED
    if more <= 0:
        return tuple(skipped)
    return (*skipped[:MAX_SKIPPED], Skipped(f"{more} more", "they were skipped too, for reasons like those above"))
