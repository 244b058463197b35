"""A room imports only what DESIGN.md's table of rooms allows (docs/design.md says why)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ANYTHING = {"*"}
_PURE = {"parliament", "protocols"}
_GOVERNANCE = {"records", "voices", "personas", "governance", "settings", *_PURE}

ROOMS: dict[str, set[str]] = {
    "parliament": set(),
    "protocols": {"parliament"},
    "personas": {"parliament"},
    "settings": set(),
    "telemetry": set(),
    "records": {*_PURE, "settings"},
    "voices": {*_PURE, "personas", "settings"},
    "governance": {"records", "voices", "personas", "settings", *_PURE},
    "activities": {*_GOVERNANCE, "telemetry"},
    "workflows": {"activities.interface", *_PURE},
    "worker": {"workflows", "activities", *_GOVERNANCE},
    "clerk": {"workflows.messages", "records", "governance", "settings", "voices", "personas", *_PURE},
    "api": {"clerk", "settings", "telemetry", *_PURE},
    "web": {"clerk", "api", "settings", *_PURE},
    "mcp_server": {"clerk", "governance", "settings", *_PURE},
    "stack": ANYTHING,
    "stack_server": {"stack_keeper"},
    "stack_keeper": set(),
    "cli": ANYTHING,
}
"""Room -> the rooms and modules it may import besides itself. DESIGN.md's table; rooms of later issues are in it already.

The table names what a room builds on; values that pass through (`parliament`, `personas` types in a clerk's signature,
settings at every door) are spelt out here.
"""

NARROWER: dict[str, set[str]] = {
    "governance.judge": {"governance", "voices", "personas", "settings", *_PURE},  # neither tools nor store
    "activities.interface": _PURE,  # what workflows import
    "workflows.messages": _PURE,  # what the clerk imports
    "voices.base": _PURE,
}
"""Modules that are held to less than their room."""

WIDER: dict[str, set[str]] = {
    # A schedule's convener stands at the same desk as a person: it opens a meeting by the desk's own functions.
    "activities.convening": {"clerk.opening", "clerk.preparing", "clerk.errors"},
}
"""Modules that may import more than their room, each with its reason."""

FORBIDDEN_IN_WORKFLOWS = ("anthropic", "sqlalchemy", "httpx", "httpx2", "structlog", "settings")


def files() -> list[Path]:
    found = [file for room in ROOMS for file in (sorted((ROOT / room).rglob("*.py")) or [ROOT / f"{room}.py"])]
    return [file for file in found if file.is_file()]


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_of(file: Path, module: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of each import, wherever in the file it stands; `from a import b` gives "a.b"."""
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def _covers(allowed: str, name: str) -> bool:
    return name == allowed or name.startswith(f"{allowed}.")


def trespasses(file: Path, module: str) -> list[str]:
    """One sentence for each import of the project's that the module may not make."""
    room = module.partition(".")[0]
    narrower = NARROWER.get(module)
    allowed = ({room} | ROOMS[room] | WIDER.get(module, set())) if narrower is None else ({module} | narrower)
    if "*" in allowed:
        return []
    return [
        f"{file.name if ROOT not in file.parents else file.relative_to(ROOT)}:{line}: {module} may not import {name} "
        f"(it may: {', '.join(sorted(allowed - {room})) or 'nothing of the project'})"
        for line, name in imports_of(file, module)
        if name.partition(".")[0] in ROOMS and not any(_covers(one, name) for one in allowed)
    ]


def test_every_room_imports_only_what_the_table_allows() -> None:
    found = [problem for file in files() for problem in trespasses(file, module_of(file))]
    assert not found, "\n".join(found)


def test_the_table_is_complete() -> None:
    """No Python file of ours escapes the table: each is in a room, a test, a benchmark or an example."""
    elsewhere = {"tests", "benchmarks", "examples", "evals", "docs", "deploy"}
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    strays = [name for name in listed if name.partition("/")[0].removesuffix(".py") not in {*ROOMS, *elsewhere}]
    assert not strays


@pytest.mark.parametrize(
    ("module", "text", "trespass"),
    [
        ("parliament.floor", "import settings", True),
        ("parliament.floor", "def f():\n    from records import engine", True),
        ("parliament.floor", "from .values import Vote\nfrom parliament import votes", False),
        ("protocols.review", "from parliament.votes import tally", False),
        ("workflows.board_meeting", "from activities import interface\nfrom activities.interface import hear", False),
        ("workflows.board_meeting", "from activities import speaking", True),
        ("workflows.board_meeting", "import activities.speaking as s", True),
        ("clerk.desk", "from workflows.messages import Seat", False),
        ("clerk.desk", "from workflows.board_meeting import BoardMeeting", True),
        ("clerk.desk", "from activities.interface import hear", True),
        ("activities.interface", "from records.engine import Store", True),
        ("activities.interface", "from activities.speaking import Speaking", True),
        ("governance.judge", "import records", True),
        ("voices.base", "from ..settings import Settings", True),
        ("activities.convening", "from clerk import opening, preparing", False),
        ("activities.convening", "from clerk import running", True),
        ("activities.speaking", "from clerk import opening", True),
        ("cli.main", "import stack, worker, records.engine", False),
    ],
)
def test_the_reader_of_imports_tells_right_from_wrong(tmp_path: Path, module: str, text: str, trespass: bool) -> None:
    file = tmp_path / "given.py"
    file.write_text(text)
    found = trespasses(file, module)
    if module == "voices.base":  # relative out of the project: reported by its own resolution
        assert [name for _, name in imports_of(file, module)] == ["settings.Settings"]
    assert bool(found) is trespass


@pytest.mark.parametrize("module", ["workflows.messages", "workflows.board_meeting", "activities.interface"])
def test_workflows_load_nothing_that_touches_the_world(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not set(done.stdout.split()) & set(FORBIDDEN_IN_WORKFLOWS)


def test_the_embedded_server_is_begun_before_anything_heavy_is_loaded() -> None:
    code = (
        "import sys, stack_server; print(*sorted({name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"stack_server", "stack_keeper", "__main__"}
