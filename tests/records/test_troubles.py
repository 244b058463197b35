"""What goes wrong with a store is said in one sentence that names it and the mend; nothing is half written."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import func, select

from records import engine, schema, turns
from records.engine import Store, StoreError, sqlite_url
from tests.support.stores import create_meeting, turn

ROOT = Path(__file__).parents[2]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_file_named_by_a_url_is_the_owners_alone_too(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "board.db"
    opened = await Store.open(f"sqlite:///{file}")
    try:
        async with opened.write() as tx:
            await create_meeting(tx)
        assert {each.name: mode(each) for each in file.parent.iterdir() if mode(each) & 0o077} == {}
        assert {each.name for each in file.parent.iterdir()} >= {"board.db", "board.db-wal"}
        assert mode(file.parent) == 0o700
    finally:
        await opened.close()


async def test_a_directory_for_everybody_stays_one(tmp_path: Path) -> None:
    """Closing /tmp to everybody else is no service to whoever names it; the file alone is closed."""
    tmp_path.chmod(0o1777)
    opened = await Store.open(None, tmp_path)
    await opened.close()
    assert mode(tmp_path) == 0o1777
    assert mode(tmp_path / "boardroom.db") == 0o600


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite+aiosqlite://"])
async def test_a_store_in_memory_is_refused(url: str) -> None:
    """Reader and writer would each have one of their own, and a meeting would lose its record with its process."""
    with pytest.raises(StoreError, match="names no file"):
        await Store.open(url)


@pytest.mark.parametrize("url", ["mysql://host/name", "nonsense"])
async def test_another_database_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="BOARDROOM_DATABASE_URL"):
        await Store.open(url)


async def test_a_postgresql_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="PostgreSQL store at") as caught:
        await Store.open(f"postgresql://me:sesame@/board?host={tmp_path}")
    assert "sesame" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_store_that_another_process_holds_is_said_to_be_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await (await Store.open(None, tmp_path)).close()
    monkeypatch.setattr(engine, "BUSY", 0.2)
    holder = sqlite3.connect(tmp_path / "boardroom.db", isolation_level=None)
    opened = await Store.open(None, tmp_path)  # a store that stands is opened without a lock
    try:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"boardroom\.db is in use by another program"):
            await opened.run(lambda tx: create_meeting(tx))
        with pytest.raises(StoreError, match=r"boardroom\.db is in use by another program"):
            async with opened.write() as tx:
                await create_meeting(tx)
        holder.execute("ROLLBACK")
        await opened.run(lambda tx: create_meeting(tx))
    finally:
        holder.close()
        await opened.close()


async def test_a_file_that_is_damaged_is_named_with_both_mends(tmp_path: Path) -> None:
    await (await Store.open(None, tmp_path)).close()
    file = tmp_path / "boardroom.db"
    file.write_bytes(b"\x00" * 40 + file.read_bytes()[40:])
    with pytest.raises(StoreError, match="move it away to begin a new one, or restore it from a backup"):
        await Store.open(None, tmp_path)


def limited(code: str, size: int, *args: object) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose files may not grow beyond `size` bytes: to SQLite, a disk with no more room."""
    head = (
        "import asyncio, resource, sys\n"
        "from pathlib import Path\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
        "from records.engine import Store, StoreError\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", head + code, *map(str, args)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


async def test_a_disk_that_is_full_when_the_store_is_made_is_said_to_be_and_nothing_is_left_in_halves(tmp_path: Path) -> None:
    code = "try:\n    asyncio.run(Store.open(None, Path(sys.argv[1])))\nexcept StoreError as error:\n    print(error)\n"
    done = await asyncio.to_thread(limited, code, 40_000, tmp_path)
    assert "Traceback" not in done.stderr
    (said,) = done.stdout.splitlines()
    assert "boardroom.db" in said
    assert "free some" in said
    opened = await Store.open(None, tmp_path)  # as soon as there is room
    await opened.run(lambda tx: create_meeting(tx))
    await opened.close()


@pytest.mark.parametrize("way", ["run", "write"])
async def test_a_disk_that_is_full_while_a_meeting_runs_is_said_to_be_and_keeps_what_was_written(
    tmp_path: Path, way: str
) -> None:
    opened = await Store.open(None, tmp_path)
    await opened.run(lambda tx: create_meeting(tx))
    await opened.close()
    code = (
        "from records import turns\nfrom tests.support.stores import turn\n"
        "async def main():\n"
        "    store = await Store.open(None, Path(sys.argv[1]))\n"
        "    for seq in range(1, 100):\n"
        "        async def add(tx):\n            return await turns.add(tx, **turn(seq, text='word ' * 20_000))\n"
        "        try:\n"
        "            if sys.argv[2] == 'run':\n                await store.run(add)\n"
        "            else:\n"
        "                async with store.write() as tx:\n                    await add(tx)\n"
        "        except StoreError as error:\n"
        "            print(seq - 1)\n            print(error)\n            return\n"
        "asyncio.run(main())\n"
    )
    done = await asyncio.to_thread(limited, code, 1_000_000, tmp_path, way)
    assert "Traceback" not in done.stderr, done.stderr
    written, said = done.stdout.splitlines()
    assert int(written) > 0
    assert "free some" in said
    opened = await Store.open(None, tmp_path)
    async with opened.read() as tx:
        assert await tx.scalar(select(func.count()).select_from(schema.turns)) == int(written)
    await opened.run(lambda tx: turns.add(tx, **turn(int(written) + 1)))
    await opened.close()


async def test_a_file_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    await (await Store.open(None, tmp_path)).close()
    reading = sqlite3.connect(f"file:{tmp_path / 'boardroom.db'}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError) as caught:
        reading.execute("CREATE TABLE t (x)")
    reading.close()
    from records.troubles import told

    error = told(sqlite_url(tmp_path), caught.value)
    assert str(error).startswith(f"The store {tmp_path / 'boardroom.db'} cannot be written")
    assert "give this user the right" in str(error)
