"""Opening, migrating, writing side by side: SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from records import calls, migrate, papers, schema, turns
from records.engine import Store, StoreError
from tests.support.stores import create_meeting, turn

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("way", ["write", "run", "either"])
async def test_eight_writers_lose_no_update(store: Store, way: str) -> None:
    """The trap of SQLite's own transaction handling: 44 of 400 kept, without an error."""
    column = schema.meetings.c.item_index

    async def add_one(tx: AsyncConnection) -> None:
        value = await tx.scalar(select(column).where(schema.meetings.c.id == "mtg-00000001").with_for_update())
        await tx.execute(update(schema.meetings).values(item_index=value + 1))

    async def add_fifty(writer: int) -> None:
        for _ in range(50):
            if way == "run" or (way == "either" and writer % 2):
                await store.run(add_one)
            else:
                async with store.write() as tx:
                    await asyncio.sleep(0)
                    await add_one(tx)

    await asyncio.gather(*(add_fifty(writer) for writer in range(8)))
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

    # The search index is each dialect's own and made by the migrations alone.
    ours = ("alembic_version", "search_index", "search_rows.words", "ix_search_rows_words")

    async with store.read() as tx:
        found = await tx.run_sync(differences)
    assert [d for d in found if not any(name in str(d) for name in ("'search_rows', Column('words'", *ours))] == []


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


async def test_a_migration_that_is_killed_in_the_middle_is_made_whole(url: str, tmp_path: Path) -> None:
    """The process dies after half of the tables; the next one starts from nothing, since a revision is one transaction."""
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
    await killed_at_its_mark(code, url, tmp_path / "mark")
    opened = await Store.open(url)
    async with opened.read() as tx:
        assert await tx.scalar(text("SELECT count(*) FROM meetings")) == 0
    await opened.close()


async def test_a_store_whose_maker_was_killed_before_it_was_named_gets_a_name(url: str, tmp_path: Path) -> None:
    code = (
        "import asyncio, sys, time\nfrom pathlib import Path\n"
        "from records import migrate\n"
        "def wait(connection):\n    Path(sys.argv[2]).touch()\n    time.sleep(600)\n"
        "migrate._name = wait\n"
        "from records.engine import Store\nasyncio.run(Store.open(sys.argv[1]))\n"
    )
    await killed_at_its_mark(code, url, tmp_path / "mark")
    ids = set()
    for _ in range(2):
        opened = await Store.open(url)
        ids.add(opened.store_id)
        await opened.close()
    assert len(ids) == 1
    assert len(ids.pop()) == 8


async def killed_at_its_mark(code: str, url: str, mark: Path) -> None:
    """Run code that touches `mark` and waits, and kill it there."""
    process = subprocess.Popen([sys.executable, "-c", code, url, str(mark)], cwd=ROOT)
    try:
        until = time.monotonic() + 30
        while not mark.exists():
            assert time.monotonic() < until, "the point was not reached"
            assert process.poll() is None
            await asyncio.sleep(0.05)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)


async def test_a_store_that_stands_is_opened_without_alembic_and_quickly(store: Store, url: str) -> None:
    """Every command opens it. 100 ms is the limit; the best of three, since a test machine has other things to do."""
    code = (
        "import asyncio, sys, time\nfrom records.engine import Store\n"
        "async def main():\n    took = []\n"
        "    for _ in range(3):\n        begun = time.perf_counter()\n        store = await Store.open(sys.argv[1])\n"
        "        took.append(time.perf_counter() - begun)\n        await store.close()\n"
        "    print(min(took), any(name.split('.')[0] == 'alembic' for name in sys.modules))\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code, url], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    seconds, alembic = done.stdout.split()
    assert alembic == "False"
    assert float(seconds) < 0.1


async def test_sqlite_is_set_to_be_durable_and_to_forget(tmp_path: Path) -> None:
    """WAL and NORMAL: a killed process loses nothing; what is deleted is overwritten; references are checked."""
    opened = await Store.open(None, tmp_path)
    wanted = {"journal_mode": "wal", "synchronous": 1, "secure_delete": 1, "foreign_keys": 1}

    async def settings(tx: AsyncConnection) -> dict[str, object]:
        return {name: await tx.scalar(text(f"PRAGMA {name}")) for name in (*wanted, "query_only")}

    try:
        async with opened.write() as tx:
            by_write = await settings(tx)
        async with opened.read() as tx:
            by_read = await settings(tx)
        assert by_write == await opened.run(settings) == wanted | {"query_only": 0}
        assert by_read == await opened.look(settings) == wanted | {"query_only": 1}
    finally:
        await opened.close()


async def test_deleted_words_are_not_in_the_files(tmp_path: Path) -> None:
    opened = await Store.open(None, tmp_path)
    secret = "the-words-that-are-to-go"
    await opened.run(lambda tx: create_meeting(tx))
    await opened.run(lambda tx: turns.add(tx, **turn(1, text=secret)))
    await opened.run(lambda tx: tx.execute(schema.meetings.delete()))  # and what hangs on it
    assert await opened.look(lambda tx: turns.last_seq(tx, "mtg-00000001")) == 0
    await opened.close()  # the last one to close writes the log back and removes it
    assert not any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())


async def test_law_07_an_error_of_the_store_does_not_say_what_was_to_be_written(store: Store) -> None:
    """Its message goes into logs and histories."""
    secret = "what-nobody-else-may-read"

    async def wrong(tx: AsyncConnection) -> None:
        await turns.whisper_add(tx, meeting_id="mtg-ffffffff", seq=1, member_id="dalio", text=secret)

    for way in (lambda: store.run(wrong), lambda: written(store, wrong)):
        with pytest.raises(IntegrityError) as caught:
            await way()
        assert secret not in "".join(traceback.format_exception(caught.value))


async def written(store: Store, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    async with store.write() as tx:
        await work(tx)


@pytest.mark.parametrize(
    ("heard", "kept"),
    [("a\0b", "a\u2400b"), ("a\ud83db", "a\ufffdb"), ("a\ud83d\ude00b", "a\U0001f600b"), ("\udfff", "\ufffd")],
)
async def test_law_05_no_character_loses_a_reply_that_was_paid_for(store: Store, heard: str, kept: str) -> None:
    """PostgreSQL takes no NUL, and neither store halves of characters, which a stream cut in pieces can hold."""
    now = datetime(2026, 12, 1, tzinfo=UTC)

    async def course(tx: AsyncConnection) -> calls.Claim:
        lease: dict[str, Any] = {"meeting_id": "mtg-00000001", "member_id": "dalio", "purpose": "vote", "owner": "a"}
        await calls.claim(tx, "c1", lease_seconds=9, now=now, **lease)
        assert await calls.finish(tx, "c1", reply=heard, provider="p", now=now, model="m", stop_reason="end_turn")
        await papers.add_input(tx, id="i", meeting_id="mtg-00000001", text=heard, received_at=now)
        assert not await papers.add_input(tx, id="i", meeting_id="mtg-00000001", text=heard, received_at=now)
        await turns.add(tx, **turn(1, data={"commands": [heard]}))
        assert (await turns.get(tx, "mtg-00000001", 1)).data["commands"] in ([heard], [kept])  # JSON escapes what it must
        return await calls.claim(tx, "c1", lease_seconds=9, now=now, **lease)

    assert await store.run(course) == calls.Done(reply=kept, stop_reason="end_turn", model="m")
