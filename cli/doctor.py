"""`boardroom doctor`: what is configured and where from, what answers, what is missing and how to mend it.

Each check is tried for real: the store is opened, a Temporal server is started or asked, the provider is asked. What
did not exist before is tried in a temporary folder, so that looking leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
import stat
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import SecretStr
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.engine import make_url
from temporalio.client import Client
from temporalio.service import RPCError

import settings as settings_module
import stack
import stack_server
from cli.screen import print_json
from settings import Settings

Status = Literal["ok", "warning", "failed"]
PATIENCE = 45.0  # seconds one check may take


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `mend` says what to do, and is empty when nothing has to be done."""

    name: str
    status: Status
    says: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Configured:
    """One setting: its value as it may be shown, and where it comes from (a variable, "boardroom.toml" or "default")."""

    name: str
    variable: str
    value: str
    origin: str


def configured(settings: Settings) -> list[Configured]:
    """Every setting, secrets masked."""
    found = []
    for name in Settings.model_fields:
        value = getattr(settings, name)
        shown = "" if value is None else str(value)  # a SecretStr shows stars
        if isinstance(value, SecretStr):
            shown = "(set, not shown)"
        elif name in ("database_url", "anthropic_base_url") and value:
            shown = _without_password(value)
        found.append(Configured(name, settings_module.variable_of(name), shown, settings_module.origin_of(name)))
    for variable in sorted(os.environ):
        if variable.startswith("TEMPORAL_") and os.environ[variable]:
            secret = any(word in variable for word in ("KEY", "TOKEN", "SECRET", "META"))
            found.append(
                Configured(variable.lower(), variable, "(set, not shown)" if secret else os.environ[variable], variable)
            )
    return found


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except Exception:
        return "(set, not shown)"


async def checks(settings: Settings) -> list[Check]:
    """Look at everything; the checks run side by side."""
    looks: list[tuple[str, Callable[[Settings], Awaitable[list[Check]]]]] = [
        ("settings", _settings),
        ("data directory", _data_directory),
        ("store", _store),
        ("temporal command line", _temporal_command_line),
        ("temporal server", _temporal_server),
        ("voices", _voices),
        ("personas", _personas),
        ("notices", _notices),
        ("tasks", _tasks),
    ]
    found = await asyncio.gather(*(_one(name, look(settings)) for name, look in looks))
    return [check for part in found for check in part]


async def _one(name: str, look: Awaitable[list[Check]]) -> list[Check]:
    """What a look found; whatever it raised becomes its one failed check."""
    try:
        return await asyncio.wait_for(look, PATIENCE)
    except TimeoutError:
        return [Check(name, "failed", f"no answer within {PATIENCE:.0f} s")]
    except Exception as error:
        # Our own errors are one sentence that has the mend in it.
        return [Check(name, "failed", " ".join(str(error).split())[:400] or type(error).__name__)]


async def _settings(settings: Settings) -> list[Check]:
    strays = [
        Check("settings", "warning", stray.partition(": ")[0], stray.partition(": ")[2])
        for stray in settings_module.unknown_variables()
    ]
    changed = sum(one.origin != "default" for one in configured(settings))
    return [Check("settings", "ok", f"{changed} set, the others at their defaults"), *strays]


async def _data_directory(settings: Settings) -> list[Check]:
    return await asyncio.to_thread(_look_at_data_directory, settings.data_dir.absolute())


def _look_at_data_directory(folder: Path) -> list[Check]:
    name = "data directory"
    change = "Set BOARDROOM_DATA_DIR to a folder you may write."
    above = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not above.is_dir():
        return [Check(name, "failed", f"{above} is not a folder", change)]
    if not os.access(above, os.W_OK | os.X_OK):
        return [Check(name, "failed", f"{above} cannot be written", change)]
    if above != folder:
        return [Check(name, "ok", f"{folder} will be made at the first meeting")]
    open_to_others = [
        path
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077 and path.stat().st_uid == os.geteuid()
    ]
    if open_to_others:
        modes = ", ".join(f"{path} ({stat.S_IMODE(path.stat().st_mode):04o})" for path in open_to_others[:3])
        return [Check(name, "warning", f"others may read {modes}", f"chmod -R go= {folder}")]
    return [Check(name, "ok", f"{folder}, yours alone")]


async def _store(settings: Settings) -> list[Check]:
    from records.engine import Store

    url = settings.database_url
    shown = _without_password(url) if url else f"SQLite in {settings.data_dir.absolute()}"
    async with AsyncExitStack() as exits:
        folder = settings.data_dir
        if not folder.exists():
            folder = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="boardroom-doctor-")))
            shown = "SQLite, made at the first meeting (tried in a temporary folder)" if not url else shown
        store = await Store.open(url, folder)
        exits.push_async_callback(store.close)
        revision = await store.revision()
    return [Check("store", "ok", f"{shown}, revision {revision}")]


async def _temporal_command_line(_settings: Settings) -> list[Check]:
    binary = stack_server.temporal_binary()
    return [Check("temporal command line", "ok", f"{binary}, version {stack_server.temporal_version(binary)}")]


async def _temporal_server(settings: Settings) -> list[Check]:
    """Server and search attributes. A server that does not run is started, and stopped again."""
    async with AsyncExitStack() as exits:
        if elsewhere := stack.server_elsewhere():
            client = await stack.connect_elsewhere(elsewhere)
            found = [Check("temporal server", "ok", f"{elsewhere['target_host']}, namespace {client.namespace}, answers")]
            return found + await _search_attributes(client)
        state = stack_server.state(settings.data_dir)
        running = state is not None and state.alive
        if not settings.data_dir.exists():
            folder = exits.enter_context(tempfile.TemporaryDirectory(prefix="boardroom-doctor-"))
            settings = settings.model_copy(update={"data_dir": Path(folder)})
        server = stack.embedded_server(settings)
        exits.push_async_callback(server.leave)
        client = await stack.connect_embedded(server)
        says = f"embedded, runs at {server.address}" if running else "embedded, starts and stops as it should; not running now"
        if running and state and state.ui_address:
            says += f", pages at {state.ui_address}"
        return [Check("temporal server", "ok", says), *await _search_attributes(client)]


async def _search_attributes(client: Client) -> list[Check]:
    name = "search attributes"
    try:
        missing = await stack.missing_search_attributes(client)
    except RPCError as error:
        command = stack.search_attributes_command(client, list(stack.SEARCH_ATTRIBUTES))
        return [Check(name, "warning", f"the server does not say which it has ({error.message})", command)]
    if not missing:
        return [Check(name, "ok", f"all {len(stack.SEARCH_ATTRIBUTES)} registered")]
    says = f"{', '.join(missing)} not registered; a worker tries at its start"
    return [Check(name, "warning", says, stack.search_attributes_command(client, missing))]


async def _voices(settings: Settings) -> list[Check]:
    from voices.providers import make_voice

    voice = make_voice(settings)
    try:
        await voice.check((settings.tier,))
    finally:
        await voice.close()
    if voice.simulated:
        wanted = "" if settings.provider == "simulated" else "Set ANTHROPIC_API_KEY to have a model speak."
        return [Check("voices", "ok", f"{voice.name}: what is said is simulated and says so", wanted)]
    return [Check("voices", "ok", f"{voice.name} answers")]


async def _personas(settings: Settings) -> list[Check]:
    """The personas load, the composition names only them, and one of them is the chairman."""
    from personas.loader import load_board, load_composition

    board = load_board(settings.personas_dir)
    composition = load_composition(settings.composition, board)
    where = settings.personas_dir or "the built-in ones"
    names = ", ".join(persona.id for persona in board)
    return [Check("personas", "ok", f"{names} ({where}), {composition.chairman} presides")]


async def _notices(settings: Settings) -> list[Check]:
    """The channels that are set up, and what is wrong with them as far as it can be known without sending anything."""
    from activities.notices import channels_of, problems_of

    if found := [Check("notices", "warning", problem) for problem in problems_of(settings)]:
        return found  # each has its mend in it
    names = ", ".join(channel.name for channel in channels_of(settings))
    if not names:
        return [Check("notices", "ok", "none: no channel is set up")]
    return [Check("notices", "ok", f"{names} set up", "Try them: boardroom notices test")]


async def _tasks(settings: Settings) -> list[Check]:
    """Where action items go, and what is wrong with that."""
    from activities.tasks import problems_of, sinks_of

    if found := [Check("tasks", "warning", problem) for problem in problems_of(settings)]:
        return found
    names = ", ".join(sink.name for sink in sinks_of(settings))
    return [Check("tasks", "ok", f"{names}, for {settings.tasks_owners}" if names else "none: they stay in the ledger")]


async def examine(settings: Settings) -> dict[str, Any]:
    """Everything the doctor knows, as it is printed with `--json`."""
    found = await checks(settings)
    return {
        "boardroom": _version(),
        "python": platform.python_version(),
        "healthy": all(check.status != "failed" for check in found),
        "settings": [asdict(one) for one in configured(settings)],
        "checks": [asdict(check) for check in found],
    }


def _version() -> str:
    try:
        return importlib.metadata.version("boardroom")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


_MARKS = {"ok": "[green]✓[/green]", "warning": "[yellow]![/yellow]", "failed": "[red]✗[/red]"}


def render(found: dict[str, Any], console: Console) -> None:
    """Settings that were set, then each check with its mend under it."""
    console.print(f"Boardroom {found['boardroom']} on Python {found['python']}")
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in found["settings"]:
        if one["origin"] != "default":
            origin = "" if one["origin"] == one["variable"] else one["origin"]
            table.add_row(escape(one["variable"]), escape(one["value"]), f"[dim]{escape(origin)}[/dim]")
    if table.row_count:
        console.print(table)
    for check in found["checks"]:
        console.print(f"{_MARKS[check['status']]} {escape(check['name'])}: {escape(check['says'])}", soft_wrap=True)
        if check["mend"]:
            console.print(f"  → {escape(check['mend'])}", soft_wrap=True, style="bold" if check["status"] != "ok" else "dim")


def run(settings: Settings, json: bool) -> int:
    """Print what was found; 0 when nothing failed, else 1."""
    found = asyncio.run(examine(settings))
    if json:
        print_json(found)
    else:
        render(found, Console(file=sys.stdout, highlight=False))
    return 0 if found["healthy"] else 1
