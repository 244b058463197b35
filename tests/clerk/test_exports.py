"""Export and import: what was held here, and what another board kept, go out and in without losing a word or gaining one."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from clerk import exporting, importing, reading
from clerk.errors import DeskError
from clerk.importing import Brought
from parliament.following import ChangeKind, ResolutionStatus, answer, status
from parliament.minutes import render_minutes
from parliament.review import Review, ReviewEntry, render_review, review_json
from parliament.values import MeetingStatus
from records import conversations, erasing, following, knowledge, ledger, rows, schema, summaries, turns
from records.assemble import load_record
from records.engine import Store, sqlite_url
from settings import Settings
from tests.support import stores
from tests.support.courses import hold
from tests.support.meetings import House, house
from tests.support.messages_service import KEY, served

BOARD = Path(__file__).parents[1] / "corpus" / "other_board"
SETTINGS = Settings(zone="America/Los_Angeles", provider="simulated")
OLD = "mtg-Old_7"


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def read_file(file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line] if file.suffix == ".jsonl" else json.loads(text)


def write_file(file: Path, value: Any) -> None:
    lines = "\n".join(json.dumps(line) for line in value) + "\n" if file.suffix == ".jsonl" else json.dumps(value)
    file.write_text(lines, encoding="utf-8")


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store, on each database."""
    url = sqlite_url(tmp_path / "empty")
    if request.param == "postgresql":
        url = await asyncio.to_thread(stores.new_database, request.getfixturevalue("postgres_url"))
    opened = await Store.open(url)
    yield opened
    await opened.close()


@pytest.fixture
async def other(tmp_path: Path) -> AsyncIterator[Store]:
    """Another empty store, on SQLite."""
    opened = await Store.open(None, tmp_path / "other")
    yield opened
    await opened.close()


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A copy of the other board's folder, to be spoilt at will."""
    return Path(shutil.copytree(BOARD, tmp_path / "board"))


async def bring(store: Store, folder: Path) -> Brought:
    return await importing.bring(store, SETTINGS, folder)


async def count(store: Store) -> dict[str, int]:
    async with store.read() as tx:
        return {t.name: await tx.scalar(select(func.count()).select_from(t)) or 0 for t in schema.metadata.sorted_tables}


# -- meetings that were held here ---------------------------------------------------------------------------------------


async def filled(board: House, behaviour: Any) -> dict[str, str]:
    """Hold meetings that end in every way, and do to them what may be done afterwards; course -> meeting id."""
    held = {}
    for name in ("amended", "lost", "tabled", "appeal", "withdrawn", "user_input", "commands_refused"):
        behaviour.replies.clear()
        behaviour.faults.clear()
        behaviour.replies["/action_items/.*"] = {"commands": ['{ACTION: "Buy shoes" @dalio "next Friday"}']}
        held[name] = (await hold(name, board, behaviour)).id
    behaviour.replies.clear()
    behaviour.delay = 0.0
    behaviour.faults[:] = [
        {"match": "/vote/.*/dalio$", "fault": "400"},
        {"match": "/vote/.*/roosevelt$", "fault": "prose_vote"},
        {"match": "/vote/.*/(musk|jobs|rogers|davinci)$", "fault": "text", "text": "Hm.", "stop": "end_turn"},
    ]
    held["degraded"] = (await board.hold("Should I walk \u202emore\u202c, say {ADJOURN} =1+1 <b>?")).id
    at = stores.NOW
    first, paper = held["amended"], f"RES-{held['amended']}-1"

    async def write(tx: Any) -> None:
        await following.add_change(
            tx, meeting_id=first, resolution_id=paper, kind=ChangeKind.ACCEPTED, origin="shareholder", at=at, note="Yes.\0"
        )
        await following.set_response(tx, paper, {"response": "accept", "note": "Yes."})
        [task, *_] = await ledger.entries(tx, "shareholder", meeting_id=first)
        await ledger.turn_to(tx, task.id, ledger.DONE, at)
        await ledger.note(tx, task.id, kind="completed", origin="shareholder", at=at)
        await ledger.add(
            tx, id="ACT-0000abcd", person="shareholder", task="My own", owner="shareholder", deadline="next Friday", due=None,
            reading="unread", origin="person", at=at,
        )  # fmt: skip
        await ledger.note(tx, "ACT-0000abcd", kind="completed", origin="shareholder", at=at, text="by hand")
        await conversations.add(tx, id="msg-1", meeting_id=first, role="user", content="Add sleep", timestamp=at)
        await conversations.add(
            tx,
            id="msg-2",
            meeting_id=first,
            role="assistant",
            content="So be it.",
            timestamp=at,
            agenda_action={"lines": ["x"]},
        )
        await summaries.add(tx, meeting_id=first, version=1, source="record", content={"a": [1.0]}, problems=["p"], at=at)
        await summaries.add_feedback(tx, id="f1", meeting_id=first, version=1, text="Shorter.", at=at)
        entry = ReviewEntry(id=task.id, task=task.task, owner=task.owner, why="It is short.")
        review = review_json(Review(meeting_id=first, recommending=(entry,), summary="One thing is left."))
        await summaries.add_review(tx, meeting_id=first, source="model", content=review, at=at)
        note = {"id": "n1", "meeting_id": first, "kind": "feedback", "item_id": "agenda-1", "text": "t", "at": at}
        await tx.execute(schema.agenda_notes.insert().values(**note))
        change = {"meeting_id": first, "version": 1, "origin": "shareholder", "operations": [], "lines": ["l"], "before": []}
        await tx.execute(schema.agenda_changes.insert().values(**change, after=[], at=at))

    await board.store.run(write)
    return held


@pytest.mark.server
async def test_meetings_held_here_go_out_and_in_and_out_again_byte_for_byte(
    server: str, tmp_path: Path, empty: Store, other: Store
) -> None:
    with served() as (url, behaviour):
        async with house(
            server, tmp_path / "data", provider="anthropic", designated_dissenter=False, ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_BASE_URL=url,
        ) as board:  # fmt: skip
            held = await filled(board, behaviour)
            first = await exporting.export(board.store, tmp_path / "out")
            tables = await count(board.store)
            async with board.store.read() as tx:
                whispered = [text for one in held.values() for _, _, text in await turns.whispers(tx, one)]
                minutes = {one: render_minutes(await load_record(tx, one)) for one in held.values()}
    files = files_of(tmp_path / "out")
    assert sorted(first.meetings) == sorted(held.values())
    assert first.files == len(files)
    assert all(tables[table.name] for table in rows.CARRIED), "every table that is carried has something to carry"
    degraded = json.loads(files[f"resolutions/RES-{held['degraded']}-1.json"])["vote"]
    assert degraded["no_reply"] == ["dalio"] and degraded["invalid"]
    assert json.loads(files[f"resolutions/RES-{held['tabled']}-1.json"])["motion"]["status"] == "tabled"
    assert json.loads(files[f"resolutions/RES-{held['lost']}-1.json"])["dissents"]

    assert whispered
    whole = b"\n".join(files.values())
    for text in whispered:  # law 7
        assert json.dumps(text, ensure_ascii=False)[1:-1].encode() not in whole
    for name, data in files.items():  # law 14
        for line in data.splitlines() if name.endswith(".jsonl") else [data]:
            assert json.loads(line)["simulated"] is False, name

    # From SQLite into the other database, and from there into SQLite again.
    for n, (store, source) in enumerate([(empty, tmp_path / "out"), (other, tmp_path / "out0")]):
        brought = await bring(store, source)
        assert (sorted(brought.new), brought.problems, brought.left) == (sorted(held.values()), [], [])
        await exporting.export(store, tmp_path / f"out{n}")
        assert files_of(tmp_path / f"out{n}") == files
        async with store.read() as tx:
            assert {one: render_minutes(await load_record(tx, one)) for one in held.values()} == minutes
        before = await count(store)
        again = await bring(store, tmp_path / "out")
        assert (again.new, again.problems, len(again.unchanged), again.new_entries) == ([], [], len(held), 0)
        assert await count(store) == before
        assert before["search_rows"] == tables["search_rows"]


def test_every_table_that_hangs_on_a_meeting_is_carried_or_stays_for_a_reason() -> None:
    """A table of a later version is not silently left behind."""
    hanging = {
        table
        for table in schema.metadata.sorted_tables
        if any(key.column.table in (schema.meetings, schema.action_items) for key in table.foreign_keys)
    }
    assert hanging | {schema.meetings} == {*rows.CARRIED, *rows.STAYS}
    assert not {*rows.CARRIED} & {*rows.STAYS}


@pytest.mark.server
async def test_a_meeting_that_goes_on_goes_out_and_does_not_come_in(server: str, tmp_path: Path, empty: Store) -> None:
    async with house(server, tmp_path / "data") as board:
        handle = await board.open("Should I walk more?", pace="human")
        await exporting.export(board.store, tmp_path / "out", [handle.id])
        await handle.terminate()
    brought = await bring(empty, tmp_path / "out")
    [problem] = brought.problems
    assert handle.id in problem and "is not over" in problem
    assert (await count(empty))["meetings"] == 0


# -- the folder ---------------------------------------------------------------------------------------------------------


async def test_a_folder_keeps_what_is_not_the_exports(other: Store, tmp_path: Path) -> None:
    out = tmp_path / "out"
    await bring(other, BOARD)
    await exporting.export(other, out)
    foreign = {"notes.txt": b"mine", "meetings/mtg-abc123/notes.txt": b"mine too", "resolutions/RES-mtg-zzz-1.json": b"{}"}
    foreign["resolutions/RES-mtg-abc123-9.json"] = b'{"meeting_id": "mtg-elsewhere"}'
    for name, data in foreign.items():
        (out / name).write_bytes(data)
    await other.run(lambda tx: following.forget(tx, "RES-mtg-abc123-1"))
    await exporting.export(other, out, ["mtg-abc123"])
    files = files_of(out)
    assert {name: files[name] for name in foreign} == foreign
    assert "resolutions/RES-mtg-abc123-1.json" not in files, "what the record has no more is taken away"
    assert "resolutions/RES-mtg-Old_7-1.json" in files
    entries = {entry["id"]: entry for entry in json.loads(files["action_items.json"])["action_items"]}
    assert set(entries) == {"ACT-00c0ffee", "ACT-0a0a0a0a"}, "the other meetings' entries and the person's own stay"


async def test_links_in_the_folder_are_not_written_through(other: Store, tmp_path: Path) -> None:
    await bring(other, BOARD)
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "meeting.json").write_text("mine")
    for link, to in (
        ("meetings", victim),
        ("meetings/mtg-abc123", victim),
        ("meetings/mtg-abc123/meeting.json", victim / "meeting.json"),
    ):
        out = tmp_path / link.replace("/", "_")
        (out / link).parent.mkdir(parents=True)
        (out / link).symlink_to(to)
        with pytest.raises(DeskError, match="take it away"):
            await exporting.export(other, out, ["mtg-abc123"])
    assert files_of(victim) == {"meeting.json": b"mine"}


async def test_a_meeting_alone_has_only_its_own_entries(other: Store, tmp_path: Path) -> None:
    await bring(other, BOARD)
    await exporting.export(other, tmp_path / "out", [OLD])
    files = files_of(tmp_path / "out")
    assert {name.split("/")[1] for name in files if name.startswith("meetings/")} == {OLD}
    assert [entry["id"] for entry in json.loads(files["action_items.json"])["action_items"]] == ["ACT-0a0a0a0a"]
    with pytest.raises(DeskError, match="There is no meeting"):
        await exporting.export(other, tmp_path / "out", ["mtg-00000000"])


# -- another board's files ----------------------------------------------------------------------------------------------


def only(exported: Any, original: Any) -> Any:
    """The export without the keys that the original has not; what has a member for a key is left whole."""
    if isinstance(exported, dict) and isinstance(original, dict):
        return {key: only(value, original[key]) for key, value in exported.items() if key in original}
    if isinstance(exported, list) and isinstance(original, list) and len(exported) == len(original):
        return [only(one, other) for one, other in zip(exported, original, strict=True)]
    return exported


async def test_another_boards_files_come_in_and_go_out_as_they_were(empty: Store, other: Store, tmp_path: Path) -> None:
    brought = await bring(empty, BOARD)
    assert brought.problems == [] and brought.left == []
    assert brought.new == ["mtg-9fed5d5a", OLD, "mtg-abc123"]
    assert brought.new_entries == 3
    out = tmp_path / "out"
    await exporting.export(empty, out)
    for file in sorted(BOARD.rglob("*.json*")):
        original, exported = read_file(file), read_file(out / file.relative_to(BOARD))
        if file.name == "action_items.json":
            entries = {entry["id"]: entry for entry in exported["action_items"]}
            exported = [entries[entry["id"]] for entry in original]
        assert only(exported, original) == original, file.name
        assert repr(only(exported, original)).count("True") == repr(original).count("True")
    state = read_file(out / "meetings/mtg-abc123/state.json")
    assert state["votes_collected"] == read_file(BOARD / "meetings/mtg-abc123/state.json")["votes_collected"]

    before = await count(empty)
    again = await bring(empty, BOARD)
    assert (again.new, again.problems, len(again.unchanged), again.new_entries) == ([], [], 3, 0)
    assert await count(empty) == before

    moved = await bring(other, out)
    assert (moved.problems, len(moved.new)) == ([], 3)
    await exporting.export(other, tmp_path / "out2")
    assert files_of(tmp_path / "out2") == files_of(out)
    assert (await bring(other, BOARD)).new == []


async def test_what_was_brought_along_is_read_like_what_was_held_here(empty: Store) -> None:
    await bring(empty, BOARD)
    record = await reading.record_of(empty, "mtg-abc123")
    assert record.status is MeetingStatus.COMPLETED and record.simulated is False
    [motion] = record.motions
    assert [*motion.ballots[0].votes.values()].count("FOR") == 4
    assert motion.ballots[0].reasons["musk"] == "Half a measure."  # the checkpoint's votes are this vote
    minutes = render_minutes(record)
    assert "Three is the number of somebody who does not mean it." in minutes
    assert "1 of the shareholder's inputs came too late" in minutes
    said = await reading.transcript(empty, "mtg-abc123")
    assert [(turn.seq, turn.member_id, turn.name) for turn in said] == [
        (1, "aurelius", "Marcus Aurelius"), (2, "dalio", "Ray Dalio"), (3, "shareholder", "User"),
        (4, "davinci", "Leonardo da Vinci"), (5, "A guest", "A guest"),
    ]  # fmt: skip
    assert said[0].at == "2026-01-03T18:00:00.000+00:00", "a time without a zone is the person's own"
    old = await reading.record_of(empty, OLD)
    assert [member.name for member in old.members] == ["Ada Lovelace", "Marcus Aurelius", "grace"]
    assert [dissent.statement for dissent in old.resolutions[1].dissents] == ["It is my alarm clock.", "And my lamp."]
    assert (await reading.summary(empty, OLD))["ended_by"] == "imported"
    assert await reading.open_meetings(empty, "shareholder") == 0

    async with empty.read() as tx:
        found = await knowledge.precedents(tx, "shareholder", ["cardio sessions"])
        tracked = await following.tracked(tx, "RES-mtg-Old_7-1")
        entries = {entry.id: entry for entry in await ledger.entries(tx, "shareholder")}
        review = await summaries.review(tx, "mtg-abc123")
    assert review is not None
    mail = render_review(Review.model_validate(review.content), record.name)
    assert "Ask the neighbour when the next party is" in mail and "Put the three sessions into the calendar" in mail
    assert [each.id for each in found] == ["RES-mtg-abc123-1"]
    assert tracked is not None and answer(tracked.followed) == "accept"
    assert tracked.history[0].note == "From Monday on."
    assert status(tracked.followed, stores.NOW) in (ResolutionStatus.STALE, ResolutionStatus.OVERDUE)
    assert entries["ACT-12345678"].status == "done", "the ledger knows better than the resolution's own file"
    assert entries["ACT-0badcafe"].meeting_id == "mtg-abc123" and entries["ACT-00c0ffee"].meeting_id is None


async def test_what_happens_afterwards_is_exported_and_the_rest_stays_as_it_was(other: Store, tmp_path: Path) -> None:
    await bring(other, BOARD)
    await other.run(lambda tx: following.set_response(tx, "RES-mtg-abc123-1", {"response": "accept"}))
    await other.run(lambda tx: ledger.turn_to(tx, "ACT-0a0a0a0a", ledger.DONE, stores.NOW))
    await exporting.export(other, tmp_path)
    paper = read_file(tmp_path / "resolutions/RES-mtg-abc123-1.json")
    assert paper["user_response"] == {"response": "accept"}
    assert paper["created_at"] == "2026-01-03T10:50:00"
    old = read_file(tmp_path / "resolutions/RES-mtg-Old_7-1.json")
    assert old["action_items"][0]["status"] == "done" and old["action_items"][0]["effort"] == "5 min"
    assert old["motion"]["status"] == "passed"
    told = await bring(other, BOARD)  # the record has moved on: that is told, and nothing is taken back
    assert [problem.split(":")[0] for problem in told.problems] == ["meetings/mtg-Old_7", "meetings/mtg-abc123"]
    async with other.read() as tx:
        assert (await following.tracked(tx, "RES-mtg-abc123-1")).user_response == {"response": "accept"}  # type: ignore[union-attr]


async def test_another_content_under_the_same_id_is_told_and_changes_nothing(empty: Store, board: Path) -> None:
    await bring(empty, BOARD)
    before = await count(empty)
    file = board / "meetings/mtg-abc123/state.json"
    file.write_text(file.read_text().replace("I call this meeting to order.", "I call it off."))
    paper = board / f"resolutions/RES-{OLD}-1.json"
    write_file(paper, {**read_file(paper), "created_at": "2025-11-30T23:46:00+01:00"})
    ledger_file = board / "action_items.json"
    ledger_file.write_text(ledger_file.read_text().replace("Cancel the gym", "Join the gym"))
    told = await bring(empty, board)
    assert told.new == [] and told.unchanged == ["mtg-9fed5d5a"]
    assert [("state.json" in p, f"RES-{OLD}-1.json" in p, "ACT-00c0ffee" in p) for p in told.problems] == [
        (False, True, False), (True, False, False), (False, False, True),
    ]  # fmt: skip
    assert not any("call it off" in problem or "gym" in problem for problem in told.problems)
    assert await count(empty) == before
    assert (await reading.transcript(empty, "mtg-abc123"))[0].text == "I call this meeting to order."


async def test_what_is_broken_huge_foreign_or_a_link_is_named_and_the_rest_comes_in(empty: Store, board: Path) -> None:
    (board / "dashboard.html").write_text("<p>")
    (board / "meetings/mtg-abc123/summary.md").write_text("x")
    (board / "meetings/old stuff").mkdir()
    (board / "meetings/mtg-huge").mkdir()
    with (board / "meetings/mtg-huge/meeting.json").open("wb") as file:
        file.truncate(17 * 1024 * 1024)
    (board / "meetings/mtg-link").symlink_to(BOARD / "meetings/mtg-abc123")
    (board / "meetings/mtg-half").mkdir()
    (board / "meetings/mtg-half/meeting.json").symlink_to(BOARD / "meetings/mtg-abc123/meeting.json")
    (board / "meetings/mtg-none").mkdir()
    (board / "resolutions/RES-mtg-gone-1.json").write_text('{"id": "RES-mtg-gone-1", "meeting_id": "mtg-gone"}')
    (board / "resolutions/RES-mtg-9fed5d5a-1.json").write_text("{")
    (board / "resolutions/loose.json").write_text("{}")
    told = await bring(empty, board)
    assert told.new == [OLD, "mtg-abc123"]
    text = "\n".join(told.problems)
    for named in (
        "meetings/mtg-huge/meeting.json is larger than 16 MiB.", "meetings/mtg-link is no folder, or a symbolic link.",
        "meetings/mtg-half/meeting.json is a symbolic link", "meetings/mtg-none was left out: meeting.json is missing.",
        "meetings/mtg-gone was left out: meeting.json is missing.", "resolutions/RES-mtg-9fed5d5a-1.json is no JSON.",
        "meetings/mtg-9fed5d5a was left out, since not all of its files could be read.",
    ):  # fmt: skip
        assert named in text
    assert told.left == [
        "dashboard.html", "meetings/mtg-abc123/summary.md", "meetings/old stuff", "resolutions/loose.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("meetings/mtg-abc123/meeting.json", {"id": "mtg-abc124"}, "id is another one than its folder's"),
        ("meetings/mtg-abc123/meeting.json", {"attendees": [1]}, "attendees is no list of texts"),
        ("meetings/mtg-abc123/meeting.json", {"agenda": "none"}, "agenda is no object"),
        ("meetings/mtg-abc123/state.json", {"transcript": [["x"]]}, "line 1 of the transcript"),
        ("meetings/mtg-abc123/state.json", {"current_agenda_index": "2"}, "current_agenda_index is no whole number"),
        ("resolutions/RES-mtg-abc123-1.json", {"id": "RES-mtg-abc123-2"}, "another one than its file's name"),
        ("resolutions/RES-mtg-abc123-1.json", {"motion": None}, "motion is missing"),
        ("resolutions/RES-mtg-abc123-1.json", {"vote": {"for": ["musk"], "against": ["musk"]}}, "vote.against names a member"),
        ("resolutions/RES-mtg-abc123-1.json", {"action_items": [{"id": "../x"}]}, "id is no action item's id"),
        ("resolutions/RES-mtg-abc123-1.json", {"dissents": {}}, "dissents is no list"),
    ],
)
async def test_what_cannot_be_a_record_is_told_with_file_and_key(
    other: Store, board: Path, file: str, change: dict[str, Any], told: str
) -> None:
    write_file(board / file, {**read_file(board / file), **change})
    brought = await bring(other, board)
    assert "mtg-abc123" not in brought.new and OLD in brought.new
    [problem] = [each for each in brought.problems if each.startswith("meetings/mtg-abc123 ")]
    assert told in problem and file.rpartition("/")[2] in problem
    async with other.read() as tx:
        for table in rows.CARRIED:
            if "meeting_id" in table.c:
                query = select(func.count()).select_from(table).where(table.c.meeting_id == "mtg-abc123")
                assert not await tx.scalar(query), f"{table.name} is half-written"


async def test_two_meetings_cannot_bring_the_same_action_item(other: Store, board: Path) -> None:
    file = board / f"resolutions/RES-{OLD}-1.json"
    file.write_text(file.read_text().replace("ACT-0a0a0a0a", "ACT-12345679"))
    brought = await bring(other, board)
    assert brought.new == ["mtg-9fed5d5a", OLD]
    assert any("mtg-abc123" in problem and "ACT-12345679" in problem for problem in brought.problems)


async def test_a_folder_that_holds_no_board_is_told(other: Store, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(DeskError, match="holds none of meetings/"):
        await bring(other, tmp_path / "x")


# -- files that were changed by hand, or by somebody who means harm -----------------------------------------------------


@pytest.fixture
async def exported(other: Store, tmp_path: Path) -> Path:
    await bring(other, BOARD)
    await exporting.export(other, tmp_path / "exported")
    return tmp_path / "exported"


async def test_a_file_that_was_changed_by_hand_beside_boardroom_json_is_told(empty: Store, exported: Path) -> None:
    for name, told in (
        ("meetings/mtg-abc123/meeting.json", "do not say the same"),
        ("resolutions/RES-mtg-Old_7-2.json", "is missing"),
        ("meetings/mtg-9fed5d5a/review.json", "was added by hand"),
    ):
        file = exported / name
        if told == "is missing":
            file.unlink()
        else:
            write_file(file, {**(read_file(file) if file.exists() else {}), "name": "Another"})
    told = await bring(empty, exported)
    assert told.new == []
    for words in ("do not say the same", "is missing", "was added by hand"):
        assert any(words in problem for problem in told.problems)
    assert (await count(empty))["meetings"] == 0


async def test_without_boardroom_json_the_other_files_still_come_in(empty: Store, exported: Path, tmp_path: Path) -> None:
    for file in exported.rglob("boardroom.json"):
        file.unlink()
    told = await bring(empty, exported)
    assert told.problems == [] and len(told.new) == 3
    await exporting.export(empty, tmp_path / "again")
    for name in ("meetings/mtg-abc123/meeting.json", "meetings/mtg-abc123/state.json", "resolutions/RES-mtg-Old_7-1.json"):
        assert files_of(tmp_path / "again")[name] == files_of(exported)[name]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


ODD = st.sampled_from(
    [None, True, 0, -1, 2**31, 2**70, 1.5, "", "x", "\0", "\ud800", "2026-13-01", "0001-01-01T00:00:00", "9999-12-31T23:59:59",
     "mtg-abc123", [], {}, [None], [[]], {"a": "\0"}, "x" * 9000, "../../x", "RES-mtg-Old_7-1"]
)  # fmt: skip


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    which=st.sampled_from(
        ["meeting.json", "state.json", "conversation.jsonl", "review.json", "boardroom.json", "paper", "ledger"]
    ),
    seed=st.integers(0, 2**32),
    odd=ODD,
)
def test_whatever_a_file_says_it_comes_in_whole_or_not_at_all(
    tmp_path_factory: pytest.TempPathFactory, which: str, seed: int, odd: Any
) -> None:
    """One value of one file is something else: the import ends, nothing is half-written, and what came in can be read."""
    asyncio.run(_mutated(tmp_path_factory, which, seed, odd))


async def _mutated(factory: pytest.TempPathFactory, which: str, seed: int, odd: Any) -> None:
    base = factory.getbasetemp() / "mutations"
    if not (base / "ours").exists():
        store = await Store.open(None, base / "first")
        await bring(store, BOARD)
        await exporting.export(store, base / "ours")
        await store.close()
    folder = base / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base / "ours" if which == "boardroom.json" else BOARD, folder)
    name = {"paper": "resolutions/RES-mtg-abc123-1.json", "ledger": "action_items.json"}.get(
        which, f"meetings/mtg-abc123/{which}"
    )
    value = read_file(folder / name)
    path = random.Random(seed).choice(places(value)[1:])
    write_file(folder / name, changed(value, path, odd))
    store = await Store.open(None, base / "store")
    try:
        told = await bring(store, folder)
        for meeting_id in (*told.new, *told.unchanged):
            render_minutes(await reading.record_of(store, meeting_id))
            await reading.detail(store, meeting_id)
        await exporting.export(store, base / "after")
        assert (await bring(store, folder)).new == [], (name, path, odd)
        assert {*told.new} >= {OLD, "mtg-9fed5d5a"}
        if "mtg-abc123" not in told.new:
            assert any("mtg-abc123" in problem for problem in told.problems)
            async with store.read() as tx:
                assert await tx.scalar(select(func.count()).select_from(schema.turns)) == 2
        async with store.write() as tx:
            for meeting_id in told.new:
                await erasing.meeting(tx, meeting_id)
            await tx.execute(schema.action_items.delete())
        assert sum((await count(store)).values()) == 1  # the store's own id
    except BaseException:
        shutil.rmtree(base / "store")  # the next example begins with nothing
        raise
    finally:
        await store.close()
        shutil.rmtree(base / "after", ignore_errors=True)
