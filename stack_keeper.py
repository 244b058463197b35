"""The keeper: runs the embedded Temporal server for as long as somebody uses it.

`stack_server` starts this file as a detached process of its own, with one argument: a `Plan` as JSON. It imports the
standard library only and is never imported by the rest of the house except for the small helpers below, so that it is
up in 20 ms. The server is its child and dies with it; the keeper restarts a server that died, on the same port and
file, and stops when nobody holds the users' lock any more. So a `kill -9` of any one of user, keeper and server leaves
nothing running for long.

Files in `<data_dir>/temporal/`: `users.lock` (shared by every user), `keeper.lock` (held by the keeper for its life;
whoever gets it starts one), `state.json` (written by the keeper alone, replaced atomically), `version` (of the command
line that wrote the database), `server.log`, `temporal.db`.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

LOOK = 1.0  # seconds between two looks at the users' lock
GRACE = 2.0  # seconds without a user before the server is stopped
QUICK = 0.005  # seconds between two looks while the server starts
STARTING = 30.0  # seconds a server may take to answer; a new file takes half a second
TRIES = 5  # deaths in a row before the keeper gives up
LOG_LIMIT = 16 * 1024 * 1024  # bytes; a longer log is set aside at the next start
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")  # no key or token reaches the server

_PR_SET_PDEATHSIG = 1


def started_at(pid: int) -> str | None:
    """When a process started, as an opaque word: a pid with another word is another process. None: it does not run.

    A zombie counts as gone.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except FileNotFoundError:
        if os.path.exists("/proc/self/stat"):
            return None
        return _started_by_ps(pid)
    except ProcessLookupError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def _started_by_ps(pid: int) -> str | None:
    import subprocess

    shown = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    words = shown.stdout.split()
    return None if len(words) < 2 or words[0].startswith("Z") else " ".join(words[1:])


def process(pid: int) -> dict[str, Any]:
    return {"pid": pid, "started": started_at(pid)}


def runs(found: dict[str, Any] | None) -> bool:
    """Whether the process that `process` described still runs (not another one under its number)."""
    return found is not None and found["started"] is not None and started_at(int(found["pid"])) == found["started"]


def port_is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port(wish: int = 0) -> int:
    """A free port of 127.0.0.1: the wish if nobody else has it."""
    if wish and port_is_free(wish):
        return wish
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=0.5).close()
    except OSError:
        return False
    return True


def replace_file(path: str, text: str) -> None:
    """Write a file so that a reader sees the old text or the new one, never a piece."""
    fresh = f"{path}.{os.getpid()}"
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(text)
    os.replace(fresh, path)


class Keeper:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.dir: str = plan["dir"]
        self.ui: bool = plan["ui"]
        self.port = 0
        self.ui_port = 0
        self.server = 0  # pid
        self.ready = False
        self.ever_ready = False
        self.begun = 0.0
        self.deaths = 0
        self.restarts = 0
        self.log_start = 0
        self.stop_asked = False
        self.free_since: float | None = None
        self.users = os.open(self.path("users.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.log = self.open_log()
        self.wake, wake_in = os.pipe()
        for end in (self.wake, wake_in):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1):
            signal.signal(number, self.on_signal)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)

    def path(self, name: str) -> str:
        return os.path.join(self.dir, name)

    def on_signal(self, number: int, _frame: object) -> None:
        if number == signal.SIGTERM:
            self.stop_asked = True

    def open_log(self) -> int:
        path = self.path("server.log")
        try:
            if os.path.getsize(path) > LOG_LIMIT:
                os.replace(path, path + ".1")
        except FileNotFoundError:
            pass
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def note(self, text: str) -> None:
        os.write(self.log, f"keeper {os.getpid()}: {text}\n".encode())

    def tell(self, status: str, reason: str = "") -> None:
        replace_file(
            self.path("state.json"),
            json.dumps(
                {
                    "status": status,
                    "reason": reason,
                    "keeper": process(os.getpid()),
                    "server": process(self.server) if self.server else None,
                    "port": self.port,
                    "ui_port": self.ui_port if self.ui else None,
                    "version": self.plan["version"],
                    "restarts": self.restarts,
                }
            ),
        )

    # The server

    def choose_ports(self) -> None:
        self.port = self.plan["port"] or free_port(self.port or self.plan["last_port"])
        self.ui_port = self.plan["ui_port"] or free_port(self.ui_port or self.plan["last_ui_port"])

    def start(self) -> None:
        if not self.ever_ready:
            self.choose_ports()
        self.ready = False
        self.begun = time.monotonic()
        command = [self.plan["binary"], *self.plan["args"], "--port", str(self.port)]
        command += ["--ui-port", str(self.ui_port)] if self.ui else ["--headless"]
        self.log_start = os.lseek(self.log, 0, os.SEEK_END)
        self.note(f"starting the server, command line {self.plan['version']}, port {self.port}")
        keeper = os.getpid()
        self.server = os.fork()
        if self.server == 0:
            self.become_server(command, keeper)
        self.tell("starting")

    def become_server(self, command: list[str], keeper: int) -> NoReturn:
        """In the child: die with the keeper, keep nothing of its, and turn into the server."""
        try:
            if sys.platform == "linux":
                import ctypes

                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != keeper:
                    os._exit(1)
            for number in (signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.dup2(self.log, 1)
            os.dup2(self.log, 2)
            os.execve(command[0], command, {name: os.environ[name] for name in PASSED_ON if name in os.environ})
        except BaseException as error:
            os.write(2, f"Error: {error}\n".encode())
        os._exit(127)

    def stop_server(self) -> None:
        """By SIGKILL: the server's own drain takes over a second and protects nothing that its file does not."""
        if self.server:
            os.kill(self.server, signal.SIGKILL)  # our child, not reaped yet: the pid is its own
            os.waitpid(self.server, 0)
            self.server = 0

    def reason(self) -> str:
        """The last thing the server said about why it ended."""
        text = os.pread(self.log, 1 << 20, self.log_start).decode(errors="replace")
        for line in reversed(text.splitlines()):
            if line.startswith("Error:"):
                return line.removeprefix("Error:").strip()[:300]
        return ""

    def reap(self) -> bool:
        """Whether the server died; if so it has been started again, or the keeper has given up (SystemExit)."""
        if not os.waitpid(self.server, os.WNOHANG)[0]:
            return False
        self.server = 0
        self.deaths = 1 if self.ready and time.monotonic() - self.begun > 5.0 else self.deaths + 1
        reason = self.reason()
        self.note(f"the server ended ({reason or 'it said nothing'})")
        another_port_helps = "address already in use" in reason and not self.plan["port"]
        hopeless = bool(reason) and not self.ever_ready and not another_port_helps
        if hopeless or self.deaths >= TRIES:
            self.give_up(reason or "it ended without saying why")
        if self.deaths > 1:
            time.sleep(0.1 * self.deaths)
        self.restarts += 1
        self.start()
        return True

    def give_up(self, reason: str) -> NoReturn:
        self.stop_server()
        self.tell("failed", reason)
        self.note(f"gave up: {reason}")
        raise SystemExit(1)

    def look_ready(self) -> None:
        if answers(self.port):
            self.ready = self.ever_ready = True
            replace_file(self.path("version"), self.plan["version"] + "\n")
            if self.ui:
                self.forget_wish()
            self.tell("running")
        elif time.monotonic() - self.begun > STARTING:
            self.give_up(f"it did not answer within {STARTING:.0f} s")

    # The users

    def nobody(self) -> bool:
        """Whether no user is left. True leaves the lock in the keeper's hand: who comes now waits until it is gone."""
        try:
            if os.stat(self.path("users.lock")).st_ino != os.fstat(self.users).st_ino:
                return True
        except FileNotFoundError:
            return True  # the data directory was taken away
        try:
            fcntl.flock(self.users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.free_since = None
            return False
        now = time.monotonic()
        self.free_since = now if self.free_since is None else self.free_since
        if now - self.free_since >= GRACE:
            return True
        fcntl.flock(self.users, fcntl.LOCK_UN)
        return False

    def ui_asked(self) -> bool:
        return not self.ui and os.path.exists(self.path("ui.wanted"))

    def forget_wish(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path("ui.wanted"))

    def pause(self) -> None:
        try:
            select.select([self.wake], [], [], LOOK if self.ready else QUICK)
            os.read(self.wake, 4096)
        except BlockingIOError:
            pass

    def run(self) -> None:
        self.tell("starting")
        self.start()
        looked = time.monotonic()
        while not self.stop_asked:
            self.pause()
            if self.reap():
                continue
            if not self.ready:
                self.look_ready()
            elif self.ui_asked():
                self.note("restarting the server with its pages")
                self.ui = True
                self.stop_server()
                self.start()
            if time.monotonic() - looked >= LOOK * 0.9:
                looked = time.monotonic()
                if self.nobody():
                    break
        self.stop_server()
        if os.path.isdir(self.dir):
            self.tell("stopped")
            self.note("stopped")


def main() -> None:
    os.umask(0o077)
    os.chdir("/")
    plan = json.loads(sys.argv[1])
    os.set_inheritable(plan["lock_fd"], False)  # the keeper's own lock: the server must not hold it
    Keeper(plan).run()


if __name__ == "__main__":
    main()
