"""The dashboard: figures against expectations written by hand, and a page on which nothing runs or asks for anything."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from clerk.dashboard import Agreement, Dashboard, dashboard
from clerk.errors import DeskError
from cli.dashboard import write_whole
from cli.dashboard_page import page
from parliament.following import ChangeKind, ResolutionStatus
from records import ballots, following, ledger, motions, papers, schema
from records.engine import Store
from settings import Settings
from tests.corpus.injections import INJECTIONS
from tests.support import stores
from tests.support.packages import needs

DECIDED = datetime(2026, 11, 1, 17, 0, tzinfo=UTC)
NOW = datetime(2026, 12, 1, 17, 0, tzinfo=UTC)
SETTINGS = Settings(zone="UTC", provider="simulated")

SCRIPTS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</title><script>document.title='owned'</script>",
    "</style><script>document.title='owned'</script>",
    "\"><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "]]><!--<script>document.title='owned'</script>",
    "&lt;b&gt;&amp;",
    '=HYPERLINK("http://127.0.0.1:9/x")',
)


async def write(tx: Any, meeting: str, *, votes: dict[str, str], topic: str, status: str = "adopted", days: int = 0) -> str:
    """A meeting that decided one motion by these votes; its resolution's id."""
    at = DECIDED + timedelta(days=days)
    await stores.create_meeting(
        tx, meeting, created_at=at, started_at=at, completed_at=at, status="completed", ended_by="agenda", name=f"On {topic}"
    )
    await tx.execute(
        schema.agenda_items.update().where(schema.agenda_items.c.meeting_id == meeting).values(active_seconds=90.0)
    )
    motion, resolution = f"MOT-{meeting}-agenda-1", f"RES-{meeting}-1"
    await motions.add(
        tx, id=motion, meeting_id=meeting, item_id="agenda-1", kind="main", text=f"RESOLVED, That {topic}.", mover="dalio",
        status=status, created_at=at,
    )  # fmt: skip
    for member, choice in votes.items():
        await ballots.add_vote(
            tx, question_id=motion, round=1, member_id=member, meeting_id=meeting, choice=choice, reason="", raw="",
            reading="tolerant" if choice == "ABSTAIN" else "exact", seq=None,
        )  # fmt: skip
    await ballots.close(
        tx, question_id=motion, round=1, meeting_id=meeting, threshold="majority", roll=list(votes),
        tally={}, outcome=status, present=3, closed_at=at,
    )  # fmt: skip
    await papers.add_resolution(
        tx, id=resolution, meeting_id=meeting, item_id="agenda-1", motion_id=motion, topic=topic, created_at=at
    )
    return resolution


async def add(tx: Any, id: str, meeting: str, due: date | None, words: str | None = None, **more: Any) -> None:
    await ledger.add(
        tx, id=id, person="shareholder", task=f"Task {id}", owner=more.pop("owner", "shareholder"),
        deadline=words or (due and str(due)),
        due=due, reading=more.pop("reading", "date" if due else "none"), origin="resolution", at=DECIDED, meeting_id=meeting,
        item_id="agenda-1", **more,
    )  # fmt: skip


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(None, tmp_path / "data")
    yield opened
    await opened.close()


async def filled(store: Store) -> Dashboard:
    async def fill(tx: Any) -> None:
        await write(tx, "mtg-00000001", votes={"aurelius": "FOR", "dalio": "FOR", "jobs": "AGAINST"}, topic="Increase cardio")
        await write(
            tx, "mtg-00000002", votes={"aurelius": "FOR", "dalio": "ABSTAIN", "jobs": "FOR"}, topic="Buy a boat", days=20
        )
        await write(
            tx, "mtg-00000003", votes={"aurelius": "AGAINST", "dalio": "AGAINST", "jobs": "FOR"}, topic="Move", status="lost",
            days=25,
        )  # fmt: skip
        await following.add_change(
            tx, meeting_id="mtg-00000001", resolution_id="RES-mtg-00000001-1", kind=ChangeKind.ACCEPTED,
            origin="shareholder", at=DECIDED + timedelta(days=2),
        )  # fmt: skip
        await add(tx, "ACT-00000001", "mtg-00000001", date(2026, 11, 20))
        await add(tx, "ACT-00000002", "mtg-00000001", date(2026, 12, 5), owner="dalio")
        await add(tx, "ACT-00000003", "mtg-00000001", None, "when the moon is full", reading="unread")
        await add(tx, "ACT-00000004", "mtg-00000001", None, status="done", done_at=DECIDED + timedelta(days=5))

    await store.run(fill)
    return await dashboard(store, SETTINGS, now=NOW)


async def test_the_figures_are_those_counted_by_hand(store: Store) -> None:
    board = await filled(store)
    assert [(p.id, p.status, p.age, p.open_tasks) for p in board.papers] == [
        ("RES-mtg-00000001-1", ResolutionStatus.OVERDUE, 30, 3),
        ("RES-mtg-00000002-1", ResolutionStatus.WAITING, 10, 0),
    ]
    assert {v.id: v.counts for v in board.voters} == {
        "aurelius": {"FOR": 2, "AGAINST": 1},
        "dalio": {"FOR": 1, "ABSTAIN": 1, "AGAINST": 1},
        "jobs": {"AGAINST": 1, "FOR": 2},
    }
    assert set(board.agreements) == {
        Agreement("aurelius", "dalio", 2, 2),  # the abstention is no vote cast
        Agreement("aurelius", "jobs", 3, 1),
        Agreement("dalio", "jobs", 2, 0),
    }
    assert board.readings == {"exact": 8, "tolerant": 1}
    assert [(d.planned_minutes, d.actual_seconds) for d in board.durations] == [(10, 90.0)] * 3
    assert await dashboard(store, SETTINGS, "somebody else", now=NOW) == replace(
        board, papers=(), voters=(), agreements=(), actions=(), durations=(), readings={}, choices={}, names={}, simulated=False
    )


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def read(html: str) -> Texts:
    texts = Texts()
    texts.feed(html)
    return texts


async def test_the_page_says_every_figure_in_words(store: Store) -> None:
    texts = read(page(await filled(store)))
    words = " ".join(texts.text.split())
    for expected in (
        "1 overdue", "1 waiting", "2026-11-20, 11 days overdue", "“when the moon is full”, not a date", "Ray Dalio",
        "8 as asked", "1 with tolerance", "2/2", "1/3", "0/2", "10 min", "2 min", "simulated voices",
    ):  # fmt: skip
        assert expected in words, expected


def hostile(board: Dashboard, text: str) -> Dashboard:
    """The board with this text wherever a person, a file or a model may write one."""
    return replace(
        board,
        papers=tuple(replace(one, topic=text, text=text) for one in board.papers),
        actions=tuple(replace(one, task=text, owner=text, deadline=text, reading="unread", due=None) for one in board.actions),
        durations=tuple(replace(one, name=text, ended_by=text) for one in board.durations),
        voters=tuple(replace(one, name=text) for one in board.voters),
        names=dict.fromkeys(board.names, text),
    )


async def test_law_03_no_text_becomes_markup(store: Store) -> None:
    board = await filled(store)
    plain = read(page(board))
    for text in (*SCRIPTS, *(text for _, text in INJECTIONS)):
        found = read(page(hostile(board, text)))
        assert found.tags <= plain.tags, text
        assert found.attributes <= plain.attributes, text


async def test_in_a_browser_nothing_runs_and_nothing_is_asked_for(store: Store, tmp_path: Path) -> None:
    needs("chromium")
    board = await filled(store)
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    here = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    bait = f"<img src={here}/a><link rel=stylesheet href={here}/b><iframe src={here}/c></iframe>![x]({here}/d)"
    file = tmp_path / "page.html"
    file.write_text(page(hostile(board, " ".join((*SCRIPTS, bait)))), encoding="utf-8")
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom",
        file.as_uri(),
    ]  # fmt: skip
    dumped = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=90, check=True)
    server.close()
    assert "<title>Boardroom on 2026-12-01</title>" in dumped.stdout
    assert not asked
    assert "&lt;script&gt;" in dumped.stdout


async def test_an_empty_record_has_a_page_too(store: Store) -> None:
    words = " ".join(read(page(await dashboard(store, SETTINGS, now=NOW))).text.split())
    assert "No resolution was adopted yet." in words
    assert "No meeting was held yet." in words


def test_a_pipe_is_written_to_and_what_a_link_leads_to_is_written(tmp_path: Path) -> None:
    pipe, file, link = tmp_path / "pipe", tmp_path / "file.html", tmp_path / "link.html"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "<p>")
        assert os.read(reader, 10) == b"<p>" and stat.S_ISFIFO(pipe.lstat().st_mode)
    finally:
        os.close(reader)
    link.symlink_to(file)
    write_whole(link, "<b>")
    assert link.is_symlink() and file.read_text() == "<b>"
    with pytest.raises(DeskError, match="is a folder"):
        write_whole(tmp_path, "x")
