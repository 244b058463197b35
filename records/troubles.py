"""What goes wrong with a store, in one sentence that names it and the mend."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy import URL, make_url
from sqlalchemy.exc import DBAPIError


class StoreError(Exception):
    """The store cannot be used; the message is one sentence that names it and the mend."""


class RecordConflict(StoreError):
    """Something else stands already under an id that is written once (law 4). An error of code, never of a person."""


_FULL = "has no more room ({why}): free some on its disk, then go on where it stopped."
_DISK = "cannot be read or written ({why}): see that its disk is sound and free some room on it, then go on where it stopped."
_FORBIDDEN = "cannot be written ({why}): give this user the right to write it, or choose another place with BOARDROOM_DATA_DIR."
_IN_USE = "is in use by another program, which did not give way in time ({why}): end that program, or try again."
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
}
_OF_THE_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _FORBIDDEN,
}
_DISK_FULL = "53100"  # PostgreSQL's code


def told(url: str, error: BaseException) -> StoreError | None:
    """The error as people can act on it, where its cause is one that they can mend: room, rights, another program."""
    origin = _origin(error)
    if getattr(origin, "sqlstate", None) == _DISK_FULL:
        return StoreError(f"The PostgreSQL store at {_host(make_url(url))} {_FULL.format(why=sentence(origin))}")
    words = None
    if isinstance(origin, sqlite3.Error):
        words = _OF_SQLITE.get(getattr(origin, "sqlite_errorcode", 0) & 0xFF)
    elif isinstance(origin, OSError):
        words = _OF_THE_SYSTEM.get(origin.errno or 0)
    parsed = make_url(url)
    if words is None or parsed.get_backend_name() != "sqlite":
        return None
    return StoreError(f"The store {parsed.database} {words.format(why=sentence(origin))}")


def not_opened(url: str, error: BaseException) -> StoreError:
    """Any error of opening."""
    known = told(url, error)
    if known is not None:
        return known
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return StoreError(
            f"The store {parsed.database} cannot be opened ({sentence(error)}): move it away to begin a new one, or restore it "
            "from a backup."
        )
    return StoreError(
        f"The PostgreSQL store at {_host(parsed)} cannot be opened ({sentence(error)}): start it, or correct "
        "BOARDROOM_DATABASE_URL."
    )


def sentence(error: BaseException) -> str:
    """A database's error in a few words, without its SQL and parameters."""
    origin = _origin(error)
    if isinstance(origin, OSError) and origin.strerror and origin.errno:
        return origin.strerror
    return " ".join(str(origin).split())[:200] or type(origin).__name__


def _host(url: URL) -> str:
    return url.host or "its socket"


def _origin(error: BaseException) -> BaseException:
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
