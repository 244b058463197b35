"""A file that other programs write too: read whole, changed under a lock, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from activities.points import reached_now
from activities.tasks.values import SinkError

LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is still somebody's list of tasks."""
PATIENCE = 10.0
"""Seconds to wait for another of our processes that has the file."""
TRIES = 5
"""So often a change is made anew because another program wrote meanwhile, which knows nothing of our lock."""

_LASTING = frozenset((errno.ELOOP, errno.EISDIR, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG))
"""What the next attempt finds just so. A folder that is not there may be a disk that comes back."""


class SharedFile:
    """One text file. Errors are SinkErrors that name the file, not its folder, and the setting that chooses another."""

    def __init__(self, path: Path, setting: str) -> None:
        self.path = path
        self._setting = setting

    def read(self) -> str:
        """The file's text as it stands, byte for byte; "" when there is none. Links are not followed. SinkError."""
        return self._look()[0]

    def change(self, change: Callable[[str], str]) -> None:
        """Replace the file by what `change` makes of its text, alone among all that use this class. SinkError.

        `change` is asked again when another program wrote meanwhile.
        """
        try:
            with self._locked():
                for _ in range(TRIES):
                    before, standing = self._look()
                    after = change(before)
                    if after == before or self._replaced(after, standing):
                        return
        except OSError as error:
            raise self._trouble(error) from None
        raise self._error("is written by another program all the time", "try again later", retryable=True)

    def _look(self) -> tuple[str, os.stat_result | None]:
        try:
            opened = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return "", None
        except OSError as error:
            raise self._trouble(error) from None
        try:
            standing = os.fstat(opened)
            if not stat.S_ISREG(standing.st_mode):
                raise self._error("is no plain file")
            with open(opened, "rb", closefd=False) as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise self._trouble(error) from None
        finally:
            os.close(opened)
        if len(content) > LARGEST:
            raise self._error("is larger than 8 MiB")
        try:
            return content.decode("utf-8"), standing
        except UnicodeDecodeError:
            raise self._error("is not UTF-8", "save it as UTF-8") from None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """The lock lies beside the file, because the file itself is another one after each change; it is never removed."""
        lock = os.open(self.path.with_name(f".{self.path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise self._error("is in use by another worker", "try again later", retryable=True) from None
                    time.sleep(0.02)
            yield
        finally:
            os.close(lock)

    def _replaced(self, text: str, standing: os.stat_result | None) -> bool:
        """Put the text in the file's place; False when the file is not the one any more that was read."""
        content = text.encode()
        if len(content) > LARGEST:
            raise self._error("would be larger than 8 MiB")
        # One name, so that a killed process leaves one file at most, which the next change clears away.
        new = self.path.with_name(f".{self.path.name}.new")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(new)
        try:
            opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(opened, "wb") as file:
                if standing is not None:
                    self._keep_owner(file.fileno(), standing)
                    os.fchmod(file.fileno(), stat.S_IMODE(standing.st_mode))
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            reached_now("tasks_file_written")
            if _same(standing, self._standing()):
                os.replace(new, self.path)
                self._settle()
                return True
            return False
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(new)

    def _keep_owner(self, opened: int, standing: os.stat_result) -> None:
        """A file stays whose it was; one that can't be left so is left alone."""
        found = os.fstat(opened)
        if (found.st_uid, found.st_gid) == (standing.st_uid, standing.st_gid):
            return
        try:
            os.fchown(opened, standing.st_uid, standing.st_gid)
        except PermissionError:
            raise self._error("belongs to another user or group", "give it to the user that runs Boardroom") from None

    def _standing(self) -> os.stat_result | None:
        try:
            return os.lstat(self.path)
        except FileNotFoundError:
            return None

    def _settle(self) -> None:
        """Have the new name on the disk too. Not every file system can; the file is whole either way."""
        with contextlib.suppress(OSError):
            folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _trouble(self, error: OSError) -> SinkError:
        if error.errno == errno.ELOOP:
            return self._error("is a link, or its lock is, which is not followed", "name the file itself")
        what = (error.strerror or type(error).__name__).lower()
        return self._error(f"cannot be used ({what})", retryable=error.errno not in _LASTING)

    def _error(self, what: str, mend: str = "mend it", *, retryable: bool = False) -> SinkError:
        return SinkError(f"{self.path.name} {what}: {mend}, or choose another with {self._setting}.", retryable=retryable)


def _same(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(
        getattr(one, name) == getattr(other, name) for name in ("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
    )
