"""A person's folder, read and written without ever leaving it: no link in it is followed, and no file is half-written.

Every step goes from an open folder to a name in it, so that nobody can put a link in between a check and its use.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
from pathlib import Path
from typing import Any

from clerk.errors import DeskError

MAX_FILE = 16 * 1024 * 1024
"""Bytes of one file."""
MAX_NAMES = 50_000
"""Files in one folder."""
MAX_DEPTH = 64
"""Of JSON."""


class NotRead(Exception):
    """Why a file was not read, as what can be said after its name."""


class Folder:
    """An open folder. `shown` is its path in sentences."""

    def __init__(self, fd: int, shown: Path) -> None:
        self.fd = fd
        self.shown = shown

    @classmethod
    def open(cls, path: Path, *, make: bool = False) -> Folder:
        """The folder that a person named; a link that they named is their own. DeskError."""
        try:
            if make:
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), path)
        except OSError as error:
            raise DeskError(f"{path} cannot be opened as a folder ({error.strerror}): name another one.", usage=True) from None

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def names(self) -> list[str]:
        """What is in the folder, sorted. DeskError when it is too much to be meant."""
        with os.scandir(self.fd) as entries:
            found = []
            for entry in entries:
                found.append(entry.name)
                if len(found) > MAX_NAMES:
                    raise DeskError(f"{self.shown} holds more than {MAX_NAMES} files: name the folder of a board.")
        return sorted(found)

    def inner(self, name: str) -> Folder:
        """A folder in this one. NotRead for a link, a file, or none."""
        try:
            fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.fd)
        except OSError as error:
            raise NotRead(_why(error, "is no folder")) from None
        return Folder(fd, self.shown / name)

    def made(self, name: str) -> Folder:
        """A folder in this one, made where it is not. DeskError for a link or a file of that name."""
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self.fd)
            return self.inner(name)
        except NotRead as why:
            raise DeskError(f"{self.shown / name} {why}: take it away, or choose another folder.") from None
        except OSError as error:
            raise self._unwritten(name, error) from None

    def read(self, name: str) -> bytes:
        """A file whole. NotRead for a link, what is no file, and what is too large."""
        try:
            # NONBLOCK: a pipe of that name must not hold us up.
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self.fd)
        except OSError as error:
            raise NotRead(_why(error, "is no file")) from None
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise NotRead("is no file")
        with os.fdopen(fd, "rb") as file:
            try:
                data = file.read(MAX_FILE + 1)
            except OSError as error:
                raise NotRead(_why(error, "is no file")) from None
        if len(data) > MAX_FILE:
            raise NotRead(f"is larger than {MAX_FILE // (1024 * 1024)} MiB")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Put a file there whole, for its owner alone; one that stands there is replaced, a link is not. DeskError."""
        held = f".{name[:100]}.{secrets.token_hex(4)}"
        try:
            if not self._is_ours(name):
                raise DeskError(f"{self.shown / name} is no file of an export: take it away, or choose another folder.")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(held, flags, 0o600, dir_fd=self.fd)
            try:
                with os.fdopen(fd, "wb") as file:
                    file.write(data)
                os.replace(held, name, src_dir_fd=self.fd, dst_dir_fd=self.fd)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(held, dir_fd=self.fd)
                raise
        except OSError as error:
            raise self._unwritten(name, error) from None

    def remove(self, name: str) -> None:
        """Take a file of an earlier export away; nothing happens where there is none. DeskError."""
        try:
            if self._is_ours(name):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=self.fd)
        except OSError as error:
            raise self._unwritten(name, error) from None

    def _is_ours(self, name: str) -> bool:
        try:
            return stat.S_ISREG(os.stat(name, dir_fd=self.fd, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return True

    def _unwritten(self, name: str, error: OSError) -> DeskError:
        return DeskError(f"{self.shown / name} cannot be written ({error.strerror}): choose another folder.")


def _why(error: OSError, otherwise: str) -> str:
    if error.errno == errno.ELOOP:
        return "is a symbolic link, and none is followed"
    if error.errno == errno.ENOENT:
        return "is missing"
    if error.errno == errno.ENOTDIR:  # a link to a folder is told like this, too
        return f"{otherwise}, or a symbolic link"
    return f"cannot be read ({error.strerror})"


# -- JSON --------------------------------------------------------------------------------------------------------------


def read_json(folder: Folder, name: str) -> Any:
    """A JSON file's value. NotRead for whatever is no plain JSON: other encodings, NaN, a key twice, endless nesting."""
    return _parsed(_text(folder.read(name)))


def read_lines(folder: Folder, name: str) -> list[Any]:
    """The values of a file with one JSON value a line; empty lines say nothing. NotRead names the line."""
    found = []
    for n, line in enumerate(_text(folder.read(name)).split("\n"), 1):
        if line.strip():
            try:
                found.append(_parsed(line))
            except NotRead as why:
                raise NotRead(f"{why} (line {n})") from None
    return found


def json_bytes(value: Any) -> bytes:
    """The one way in which a value is written: same value, same bytes."""
    return _encoded(value, indent=2) + b"\n"


def lines_bytes(values: list[Any]) -> bytes:
    return b"".join(_encoded(value, indent=None) + b"\n" for value in values)


def _encoded(value: Any, *, indent: int | None) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False).encode()
    except UnicodeEncodeError:  # half of a character: only JSON's own escapes can carry it
        return json.dumps(value, ensure_ascii=True, indent=indent, allow_nan=False).encode()


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotRead("is no text in UTF-8") from None


def _parsed(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_once)
    except RecursionError:
        raise NotRead("is nested too deeply") from None
    except ValueError:
        raise NotRead("is no JSON") from None
    if _deeper(value, MAX_DEPTH):
        raise NotRead("is nested too deeply")
    return value


def _refused(_: str) -> Any:
    raise NotRead("holds a number that JSON has not")


def _finite(text: str) -> float:
    found = float(text)
    return found if abs(found) != float("inf") else _refused(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotRead("has a key twice")
    return found


def _deeper(value: Any, depth: int) -> bool:
    """Whether the value is nested deeper than this; without recursion, which such a value would exhaust."""
    layer = [value]
    for _ in range(depth):
        layer = [
            inner
            for each in layer
            if isinstance(each, (dict, list))
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, (dict, list))
        ]
        if not layer:
            return False
    return True
