"""The rows around a meeting: the agenda's versions, the conversation, access, notices, convenings, search, erasing."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.agenda import AgendaItem
from records import access, agendas, convenings, conversations, erasing, knowledge, notices, schema, search, turns
from records.agendas import VersionConflict
from records.engine import Store
from records.troubles import RecordConflict
from tests.support.stores import NOW, create_meeting, turn

MTG = "mtg-00000001"


@pytest.fixture
async def store(url: str) -> Store:
    opened = await Store.open(url)
    await opened.run(create_meeting)
    yield opened
    await opened.close()


def item(number: int, topic: str) -> AgendaItem:
    return AgendaItem(id=f"agenda-{number}", topic=topic)


async def change(store: Store, expected: int, *topics: str, source: str | None = None) -> int:
    items = [item(n, topic) for n, topic in enumerate(topics, 1)]
    return await store.run(
        lambda tx: agendas.change(
            tx, MTG, items, expected=expected, origin="shareholder", at=NOW, lines=["x"], source_id=source
        )
    )


async def test_a_change_gives_the_next_version_and_keeps_what_stood_before(store: Store) -> None:
    assert await change(store, 0, "Sleep", "Work", source="msg-1") == 1
    agenda, version = await store.look(lambda tx: agendas.standing(tx, MTG))
    assert (version, [i.topic for i in agenda.items]) == (1, ["Sleep", "Work"])
    (found,) = await store.look(lambda tx: agendas.changes(tx, MTG))
    assert [i["topic"] for i in found.before] == ["A question"]
    assert (await store.look(lambda tx: agendas.change_from(tx, MTG, "msg-1"))).version == 1
    assert await store.look(lambda tx: agendas.used_ids(tx, MTG)) == {"agenda-1", "agenda-2"}


async def test_of_two_changes_at_once_one_is_told_that_it_lost(store: Store) -> None:
    found = await asyncio.gather(change(store, 0, "Mine"), change(store, 0, "Yours"), return_exceptions=True)
    assert sorted(type(result).__name__ for result in found) == ["VersionConflict", "int"]
    agenda, version = await store.look(lambda tx: agendas.standing(tx, MTG))
    assert version == 1
    assert [i.topic for i in agenda.items] == (["Mine"] if found[0] == 1 else ["Yours"])
    assert len(await store.look(lambda tx: agendas.changes(tx, MTG))) == 1


async def test_a_change_for_another_version_writes_nothing(store: Store) -> None:
    with pytest.raises(VersionConflict) as caught:
        await change(store, 4, "Late")
    assert (caught.value.expected, caught.value.found) == (4, 0)
    agenda, _ = await store.look(lambda tx: agendas.standing(tx, MTG))
    assert [i.topic for i in agenda.items] == ["A question"]


async def test_a_message_is_kept_once_and_in_its_place(store: Store) -> None:
    for n in (1, 2, 2, 3):
        await store.run(
            lambda tx, n=n: conversations.add(
                tx, id=f"msg-{n}", meeting_id=MTG, role="user", content=f"words {n}", timestamp=NOW
            )
        )
    found = await store.look(lambda tx: conversations.messages(tx, MTG))
    assert [(m.n, m.id) for m in found] == [(1, "msg-1"), (2, "msg-2"), (3, "msg-3")]
    assert [m.id for m in await store.look(lambda tx: conversations.messages(tx, MTG, last=1, before="msg-3"))] == ["msg-2"]
    assert await store.run(lambda tx: conversations.clear(tx, MTG)) == 3


async def test_a_ticket_is_used_once_also_by_two_at_once(store: Store) -> None:
    row = {"hash": "h", "kind": "login", "owner": "me", "scopes": ["reader"], "created_at": NOW}
    await store.run(lambda tx: access.add_ticket(tx, **row, expires_at=NOW + timedelta(seconds=30)))
    assert await store.run(lambda tx: access.use_ticket(tx, "h", "live", NOW)) is None  # of another kind
    found = await asyncio.gather(*(store.run(lambda tx: access.use_ticket(tx, "h", "login", NOW)) for _ in range(4)))
    assert sum(ticket is not None for ticket in found) == 1
    await store.run(lambda tx: access.add_ticket(tx, **row | {"hash": "late"}, expires_at=NOW))
    assert await store.run(lambda tx: access.use_ticket(tx, "late", "login", NOW)) is None


async def test_a_token_is_revoked_once(store: Store) -> None:
    row = {"id": "tok-1", "name": "laptop", "owner": "me", "scopes": ["reader"], "hash": "abc", "created_at": NOW}
    await store.run(lambda tx: access.add_token(tx, **row))
    assert (await store.look(lambda tx: access.token_by_hash(tx, "abc"))).scopes == ("reader",)
    assert await store.run(lambda tx: access.revoke_token(tx, "tok-1", NOW))
    assert not await store.run(lambda tx: access.revoke_token(tx, "tok-1", NOW))


async def claim(store: Store, owner: str, seconds: float = 0) -> object:
    return await store.run(
        lambda tx: notices.claim(
            tx, id="n1", channel="mail", kind="test", owner=owner, lease_seconds=10, now=NOW + timedelta(seconds=seconds)
        )
    )


async def settle(store: Store, owner: str, state: str) -> bool:
    return await store.run(lambda tx: notices.settle(tx, id="n1", channel="mail", owner=owner, state=state, now=NOW))


async def test_law_04_a_notice_is_sent_once_or_said_to_be_possibly_repeated(store: Store) -> None:
    assert await claim(store, "a") == notices.Claimed(repeated=False)
    assert await claim(store, "b", 5) == NOW + timedelta(seconds=10)  # the other one may still be sending
    assert await claim(store, "b", 11) == notices.Claimed(repeated=True)  # it died between sending and saying so
    assert not await settle(store, "a", "sent")  # too late: it is not its any more
    assert await settle(store, "b", "sent")
    assert await claim(store, "c", 60) is None
    (row,) = await store.look(lambda tx: notices.listing(tx))
    assert (row.state, row.attempts, row.possibly_repeated) == ("sent", 2, True)


async def test_a_notice_that_was_certainly_not_sent_is_not_called_repeated(store: Store) -> None:
    await claim(store, "a")
    await settle(store, "a", "open")
    assert await claim(store, "b", 1) == notices.Claimed(repeated=False)


async def test_a_convening_ends_once_and_a_missed_one_is_recorded_once(store: Store) -> None:
    await store.run(lambda tx: convenings.begin(tx, id="c1", schedule_id="s", planned_for=NOW, now=NOW))
    await store.run(lambda tx: convenings.convened(tx, "c1", MTG))
    assert await store.run(lambda tx: convenings.end(tx, "c1", outcome="completed", now=NOW))
    assert not await store.run(lambda tx: convenings.end(tx, "c1", outcome="failed", now=NOW))
    for expected in (True, False):
        missed = await store.run(
            lambda tx: convenings.missed(tx, schedule_id="s", planned_for=NOW - timedelta(days=7), now=NOW, why="nothing ran")
        )
        assert missed is expected
    assert [c.outcome for c in await store.look(lambda tx: convenings.listing(tx, "s"))] == ["completed", "missed"]


async def resolution(tx: AsyncConnection, number: int, topic: str, status: str, answered: bool = False) -> None:
    motion = f"MOT-{MTG}-{number}"
    await tx.execute(
        insert(schema.motions).values(
            id=motion, meeting_id=MTG, kind="main", text=f"RESOLVED, That {topic} shall be.", mover="dalio", status=status,
            created_at=NOW,
        )
    )  # fmt: skip
    await tx.execute(
        insert(schema.resolutions).values(
            id=f"RES-{MTG}-{number}", meeting_id=MTG, item_id="agenda-1", motion_id=motion, topic=topic, created_at=NOW,
            user_response={"response": "accept"} if answered else None,
        )
    )  # fmt: skip
    await search.add(tx, meeting_id=MTG, kind="resolution", ref=f"RES-{MTG}-{number}", words=topic)


async def test_precedent_is_found_by_the_words_of_the_topic(store: Store) -> None:
    await store.run(lambda tx: resolution(tx, 1, "Sleeping eight hours", "adopted"))
    await store.run(lambda tx: resolution(tx, 2, "Savings for a house", "lost"))
    found = await store.look(lambda tx: knowledge.precedents(tx, "shareholder", ["How do I sleep better?"]))
    assert [(paper.topic, paper.status) for paper in found] == [("Sleeping eight hours", "adopted")]
    assert await store.look(lambda tx: knowledge.precedents(tx, "somebody else", ["sleep"])) == []
    assert await store.look(lambda tx: knowledge.precedents(tx, "shareholder", ["sleep"], but=MTG)) == []


async def test_law_04_what_is_made_findable_again_is_there_once_and_other_words_are_refused(store: Store) -> None:
    """A worker that dies after the record was written writes it again."""
    for _ in range(2):
        await store.run(lambda tx: search.add(tx, meeting_id=MTG, kind="resolution", ref=f"RES-{MTG}-1", words="Sleep well"))
    assert [hit.ref for hit in await store.look(lambda tx: search.find(tx, "sleep"))] == [f"RES-{MTG}-1"]
    with pytest.raises(RecordConflict, match="nothing is written twice"):
        await store.run(lambda tx: search.add(tx, meeting_id=MTG, kind="resolution", ref=f"RES-{MTG}-1", words="Sleep less"))


@pytest.mark.parametrize(
    "words", ['"', "sleep OR", "NEAR(", "* : ^ -", "text:sleep", "' OR 1=1 --", "(((", "", "\0", "a\ud83d"]
)
async def test_no_word_of_a_question_is_an_operator(store: Store, words: str) -> None:
    await store.run(lambda tx: resolution(tx, 1, "Sleep", "adopted"))
    found = await store.look(lambda tx: search.find(tx, schema.storable(words)))
    assert {hit.ref for hit in found} <= {f"RES-{MTG}-1"}


async def test_what_waits_is_what_was_adopted_and_not_answered(store: Store) -> None:
    for number, (status, answered) in enumerate([("adopted", False), ("adopted", True), ("lost", False)], 1):
        await store.run(lambda tx, n=number, s=status, a=answered: resolution(tx, n, f"Topic {n}", s, a))
    found = await store.look(lambda tx: knowledge.waiting(tx, "shareholder"))
    assert [paper.topic for paper in found] == ["Topic 1"]


async def test_a_tabled_item_is_put_off_until_a_later_meeting_takes_it_up(store: Store) -> None:
    items, meetings = schema.agenda_items, schema.meetings
    await store.run(lambda tx: tx.execute(update(items).values(status="tabled")))
    await store.run(lambda tx: tx.execute(update(meetings).values(started_at=NOW)))
    since = NOW - timedelta(days=90)
    (found,) = await store.look(lambda tx: knowledge.put_off(tx, "shareholder", since))
    assert (found.topic, found.status) == ("A question", "tabled")
    await store.run(
        lambda tx: create_meeting(tx, "mtg-00000002", created_at=NOW + timedelta(days=7), started_at=NOW + timedelta(days=7))
    )
    await store.run(lambda tx: tx.execute(update(items).where(items.c.meeting_id == "mtg-00000002").values(status="done")))
    assert await store.look(lambda tx: knowledge.put_off(tx, "shareholder", since)) == []


async def test_a_deleted_meeting_is_nowhere(store: Store) -> None:
    await change(store, 0, "Sleep")
    await store.run(lambda tx: resolution(tx, 1, "Sleep", "adopted"))
    await store.run(lambda tx: turns.add(tx, **turn(1)))
    await store.run(lambda tx: conversations.add(tx, id="msg-1", meeting_id=MTG, role="user", content="x", timestamp=NOW))
    assert await store.run(lambda tx: erasing.meeting(tx, MTG))
    assert not await store.run(lambda tx: erasing.meeting(tx, MTG))

    async def rows(tx: AsyncConnection) -> dict[str, int]:
        kept = ("meta", "tokens", "sessions")
        return {t.name: len((await tx.execute(select(t))).all()) for t in schema.metadata.sorted_tables if t.name not in kept}

    assert set((await store.look(rows)).values()) == {0}
    assert await store.look(lambda tx: search.find(tx, "sleep")) == []


async def test_erased_words_are_not_in_the_files_while_the_store_is_open(tmp_path: Path) -> None:
    """Also not in the full-text index's pages and not in the write-ahead log (SERVICE_SECURITY 12)."""
    opened = await Store.open(None, tmp_path)
    secrets = [f"canary{n}zzz" for n in range(20)]
    await opened.run(create_meeting)
    for n, secret in enumerate(secrets):
        await opened.run(lambda tx, n=n, secret=secret: turns.add(tx, **turn(n + 1, text=secret)))
        await opened.run(lambda tx, n=n, secret=secret: search.add(tx, meeting_id=MTG, kind="turn", ref=str(n), words=secret))
    await opened.run(lambda tx: erasing.meeting(tx, MTG))
    assert await opened.forget_log()
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    await opened.close()
    assert [secret for secret in secrets if secret.encode() in content] == []
