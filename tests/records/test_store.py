"""Opening, migrating, writing side by side: SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select, text, update

from records import migrate, schema
from records.engine import Store, StoreError, sqlite_url

ROOT = Path(__file__).parents[2]


async def test_eight_writers_lose_no_update(store: Store) -> None:
    """The trap of SQLite's own transaction handling: 44 of 400 kept, without an error."""
    column = schema.meetings.c.item_index

    async def add_fifty() -> None:
        for _ in range(50):
            async with store.write() as tx:
                value = await tx.scalar(select(column).where(schema.meetings.c.id == "mtg-00000001").with_for_update())
                await asyncio.sleep(0)
                await tx.execute(update(schema.meetings).values(item_index=value + 1))

    await asyncio.gather(*(add_fifty() for _ in range(8)))
    async with store.read() as tx:
        assert await tx.scalar(select(column)) == 400


async def test_writers_in_several_processes_lose_no_update(store: Store, url: str) -> None:
    code = (
        "import asyncio, sys\nfrom sqlalchemy import select, update\n"
        "from records import schema\nfrom records.engine import Store\n"
        "async def main():\n    store = await Store.open(sys.argv[1])\n"
        "    for _ in range(25):\n        async with store.write() as tx:\n"
        "            v = await tx.scalar(select(schema.meetings.c.item_index).with_for_update())\n"
        "            await tx.execute(update(schema.meetings).values(item_index=v + 1))\n    await store.close()\n"
        "asyncio.run(main())\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT) for _ in range(4)]
    for process in processes:
        assert await asyncio.to_thread(process.wait, 60) == 0
    async with store.read() as tx:
        assert await tx.scalar(select(schema.meetings.c.item_index)) == 100


async def test_four_processes_open_an_empty_store_at_once_and_agree_on_its_id(url: str) -> None:
    code = (
        "import asyncio, sys\nfrom records.engine import Store\n"
        "async def main():\n    store = await Store.open(sys.argv[1])\n    print(store.store_id)\n    await store.close()\n"
        "asyncio.run(main())\n"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    ids = set()
    for process in processes:
        out, _ = await asyncio.to_thread(process.communicate, None, 60)
        assert process.returncode == 0
        ids.add(out.strip())
    assert len(ids) == 1
    assert len(ids.pop()) == 8


async def test_the_migrations_make_what_the_schema_says(store: Store) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))

    async with store.read() as tx:
        found = await tx.run_sync(differences)
    assert [d for d in found if "alembic_version" not in str(d)] == []


def test_the_head_is_the_newest_revision() -> None:
    versions = sorted(file.stem for file in (ROOT / "records/migrations/versions").glob("r*.py"))
    assert versions[-1].startswith(f"r{migrate.HEAD}_")


async def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(Exception, match=r"readonly|read-only|query_only"):
        async with store.read() as tx:
            await tx.execute(update(schema.meetings).values(name="x"))


async def test_an_error_in_a_transaction_leaves_nothing(store: Store) -> None:
    async def half() -> None:
        async with store.write() as tx:
            await tx.execute(update(schema.meetings).values(name="half"))
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        await half()
    async with store.read() as tx:
        assert await tx.scalar(select(schema.meetings.c.name)) == "A test"


async def test_a_store_of_a_newer_boardroom_is_said_to_be_one(store: Store, url: str) -> None:
    async with store.write() as tx:
        await tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer Boardroom"):
        await Store.open(url)


async def test_files_are_the_owners_alone(tmp_path: Path) -> None:
    opened = await Store.open(None, tmp_path / "data")
    await opened.close()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "data").iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "boardroom.db").write_text("This is a letter, and long enough not to be taken for an empty file." * 20)
    with pytest.raises(StoreError, match=r"boardroom\.db cannot be opened"):
        await Store.open(None, tmp_path)


async def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="BOARDROOM_DATA_DIR"):
        await Store.open(None, tmp_path / "file" / "data")


async def test_tables_of_another_program_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "boardroom.db") as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    with pytest.raises(StoreError, match="another program"):
        await Store.open(None, tmp_path)


async def test_a_migration_that_is_killed_in_the_middle_is_made_whole(tmp_path: Path) -> None:
    """The process dies after half of the tables; the next one starts from nothing, since a revision is one transaction."""
    url = sqlite_url(tmp_path)
    code = (
        "import asyncio, sys, time\nfrom pathlib import Path\n"
        "from sqlalchemy import event\nfrom sqlalchemy.engine import Engine\n"
        "made = []\n"
        "@event.listens_for(Engine, 'before_cursor_execute')\n"
        "def count(conn, cursor, statement, *rest):\n"
        "    if 'CREATE TABLE' in statement.upper():\n"
        "        made.append(1)\n"
        "        if len(made) == 6:\n            Path(sys.argv[2]).touch()\n            time.sleep(600)\n"
        "from records.engine import Store\nasyncio.run(Store.open(sys.argv[1]))\n"
    )
    mark = tmp_path / "mark"
    process = subprocess.Popen([sys.executable, "-c", code, url, str(mark)], cwd=ROOT)
    until = time.monotonic() + 30
    while not mark.exists():
        assert time.monotonic() < until, "the migration was not reached"
        assert process.poll() is None
        await asyncio.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    opened = await Store.open(url)
    async with opened.read() as tx:
        assert await tx.scalar(text("SELECT count(*) FROM meetings")) == 0
    await opened.close()
