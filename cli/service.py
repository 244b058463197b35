"""`boardroom service …`: the systemd user unit that keeps `boardroom up` running, so that schedules find somebody there."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from cli.screen import print_json, say, shown

if TYPE_CHECKING:
    from settings import Settings

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Name = Annotated[str, Parameter(help="Name of the unit, where several data directories have one each.")]

SYSTEMD = Path("/run/systemd/system")
"""It is there exactly where systemd runs this machine (sd_booted(3))."""
STOPPING = 20.0
"""Seconds beyond a model call that an orderly stop may take."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_SHELL = ("BOARDROOM_", "ANTHROPIC_", "TEMPORAL_")

app = App(name="service", help="Keep `boardroom up` running by a systemd user unit.", help_format="plaintext")


@app.command
def install(
    *,
    print_: Annotated[bool, Parameter(name="--print", negative=(), help="Only print the unit; write nothing.")] = False,
    env_file: Annotated[
        Path | None, Parameter(help="File with the variables of the service, keys too; else .env in this folder.")
    ] = None,
    replace: Annotated[bool, Parameter(negative=(), help="Write it over one that says something else.")] = False,
    name: Name = "boardroom",
) -> int:
    """Write the unit that runs `boardroom up` from this folder, on this data directory.

    It starts nothing: the two commands that do so are printed.
    """
    from clerk.errors import DeskError
    from cli.serving import settings_for

    settings = settings_for()
    file = Path(os.path.abspath(env_file or ".env"))
    text = unit(settings, file)
    target = path_of(name)
    if print_:
        print(text, end="")
        return 0
    if not SYSTEMD.is_dir():
        raise DeskError(
            "There is no systemd on this machine: have what supervises its services run `boardroom up`, as "
            "`boardroom service install --print` writes it out for systemd."
        )
    with contextlib.suppress(FileNotFoundError):
        if target.read_text(encoding="utf-8", errors="replace") != text and not replace:
            raise DeskError(
                f"{target} says something else already: add --replace, or give this one another --name.", usage=True
            )
    _write(target, text)
    print(f"Wrote {shown(str(target))}. Now run:")
    for command in commands(name):
        print(f"  {command}")
    print("So that it also runs while you are not logged in (Sunday at six):")
    print("  loginctl enable-linger")
    for line in unseen(file):
        say(line)
    return 0


@app.command
def show(*, name: Name = "boardroom", json: Json = False) -> int:
    """Show the unit that is installed, and whether it runs."""
    target = path_of(name)
    text = target.read_text(encoding="utf-8", errors="replace") if target.is_file() else None
    state = _state(name) if text is not None else None
    if json:
        print_json({"name": name, "path": str(target), "installed": text is not None, "state": state, "unit": text})
        return 0
    if text is None:
        print(f"No unit is installed ({shown(str(target))}): `boardroom service install` writes it.")
    else:
        print(f"# {shown(str(target))}: {state or 'there is no systemd on this machine to run it'}")
        print(shown(text), end="")
    return 0


@app.command
def remove(*, name: Name = "boardroom") -> int:
    """Take the unit away. While the service runs that is refused, with the command that stops it."""
    from clerk.errors import DeskError

    target = path_of(name)
    if not target.is_file():
        raise DeskError(f"No unit is installed at {target}.", usage=True)
    if (state := _state(name)) in ("active", "activating", "reloading", "deactivating"):
        raise DeskError(
            f"The service is {state}: stop it first by `systemctl --user disable --now {name}`, and remove it then."
        )
    target.unlink()
    print(f"Removed {shown(str(target))}. Let systemd know: systemctl --user daemon-reload")
    return 0


# -- the unit ----------------------------------------------------------------------------------------------------------


def unit(settings: Settings, env_file: Path) -> str:
    """The text of the unit. DeskError for paths that no unit can name."""
    interpreter, folder, data = sys.executable, os.getcwd(), os.path.abspath(settings.data_dir)
    for path in (interpreter, folder, data, str(env_file)):
        if any(ord(c) < 32 or ord(c) == 127 for c in path):
            from clerk.errors import DeskError

            raise DeskError("A path with control characters cannot stand in a unit: use another folder.", usage=True)
    stop = math.ceil(settings.call_timeout + 10 + STOPPING)
    return f"""\
[Unit]
Description=Boardroom: its meetings, their record and their schedule
StartLimitIntervalSec=10min
StartLimitBurst=10

[Service]
Type=exec
WorkingDirectory={_literal(folder)}
Environment={_quoted(f"BOARDROOM_DATA_DIR={data}")}
EnvironmentFile=-{_literal(str(env_file))}
ExecStart={_quoted(interpreter)} -P -m cli.main up
Restart=on-failure
RestartSec=5
# As long as a model call: a stop waits for the calls in flight, so that none is bought twice.
TimeoutStopSec={stop}
# The embedded Temporal server stops by itself when nobody uses it any more; a meeting in a terminal may still do so.
KillMode=process
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def commands(name: str) -> tuple[str, str]:
    """What starts the unit, now and at each login (or boot, where lingering is enabled)."""
    return "systemctl --user daemon-reload", f"systemctl --user enable --now {name}"


def path_of(name: str) -> Path:
    """Where the user's unit of that name belongs (systemd.unit(5)). DeskError for a name that is none."""
    if not _NAME.fullmatch(name):
        from clerk.errors import DeskError
        from parliament.text import brief

        raise DeskError(
            f"{brief(name)!r} is not a unit's name: use small letters, digits and hyphens, like boardroom.", usage=True
        )
    config = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(config) if os.path.isabs(config) else Path.home() / ".config"
    return base / "systemd" / "user" / f"{name}.service"


def unseen(env_file: Path) -> list[str]:
    """What the service will not see of this shell, and a file of keys that others may read: a sentence each. Names only."""
    try:
        text = env_file.read_text(encoding="utf-8", errors="replace")
        mode = env_file.stat().st_mode & 0o077
    except OSError:
        text, mode = "", 0
    given = {line.partition("=")[0].strip() for line in text.splitlines() if "=" in line and not line.lstrip().startswith("#")}
    found = []
    names = sorted(
        name
        for name, value in os.environ.items()
        if name.startswith(_SHELL) and value and name not in given and name != "BOARDROOM_DATA_DIR"
    )
    if names:
        verb = "is" if len(names) == 1 else "are"
        found.append(
            f"{', '.join(names)} {verb} set in this shell only: write {'it' if len(names) == 1 else 'them'} to {env_file}."
        )
    if mode:
        found.append(f"Others may read {env_file}, which may hold keys: chmod 600 {shlex.quote(str(env_file))}")
    return found


def _literal(value: str) -> str:
    """A path as a whole setting: percent signs are specifiers there."""
    return value.replace("%", "%%")


def _quoted(value: str) -> str:
    """A program's path, or one assignment of Environment=: a dollar sign means nothing there (systemd.exec(5))."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'


def _write(target: Path, text: str) -> None:
    from clerk.errors import DeskError

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f".{target.name}.{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(target)
    except OSError as error:
        raise DeskError(f"{target} cannot be written ({error.strerror}).") from None


def _state(name: str) -> str | None:
    """What systemd says of the unit ("active", "inactive", "failed", …); None where there is none to ask."""
    if not SYSTEMD.is_dir() or (systemctl := shutil.which("systemctl")) is None:
        return None
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([systemctl, "--user", "is-active", name], capture_output=True, text=True, timeout=10, check=False)
        return done.stdout.strip() or None
    return None
