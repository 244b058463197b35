"""Following live: every turn once and in order, whenever one joins, whoever else follows, and whatever dies meanwhile."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter

import pytest
import websockets

from api import hub, live
from api.serving import SEND_BUFFER
from clerk import access
from parliament.values import ItemType
from records import live as records_live
from records import turns
from tests.api.conftest import BOARD, NOWHERE, Door, heard, opened, turns_of
from tests.support import meetings, stores

pytestmark = pytest.mark.server


async def test_a_meeting_is_told_from_its_first_turn_to_its_end(door: Door) -> None:
    handle = await door.house.open("Should I take the job in Lisbon?")
    async with door.follow(handle.id) as line:
        events = await heard(line)
        assert (line.close_code, line.close_reason) == (1000, "the meeting is over")
    record = await door.house.record(handle.id)
    async with door.http() as http:
        transcript = (await http.get(f"{BOARD}/meetings/{handle.id}/transcript")).json()
    assert turns_of(events) == list(range(1, transcript["last_seq"] + 1))
    told = [event["turn"] for event in events if event["event"] == "turn"]
    assert told == transcript["transcript"]
    phase = None
    for event in events:  # a phase is told before what is said in it
        if event["event"] == "phase":
            assert event["phase"] != phase
            phase = event["phase"]
        elif event["event"] == "turn":
            assert event["turn"]["phase"] == phase
    kinds = Counter(event["event"] for event in events)
    assert {"turn", "phase", "status", "motion", "vote", "resolution"} <= set(kinds)
    votes = {event["member_id"]: event["choice"] for event in events if event["event"] == "vote"}
    assert votes == {m: v.value for motion in record.motions for ballot in motion.ballots for m, v in ballot.votes.items()}
    assert [event["resolution"]["id"] for event in events if event["event"] == "resolution"][-1] == record.resolutions[0].id
    assert [event for event in events if event["event"] == "status"][-1]["ended_by"] == "agenda"
    motions = [event["motion"] for event in events if event["event"] == "motion"]
    assert motions[-1] is None
    texts = {m.text for m in record.motions} | {m.original_text for m in record.motions}
    texts |= {amendment.text for m in record.motions for amendment in m.amendments}
    assert {motion["text"] for motion in motions if motion} <= texts


async def test_who_joins_late_or_comes_back_has_each_turn_once(door: Door) -> None:
    handle = await door.house.open(meetings.agenda("Should I walk more?", type=ItemType.REVIEW))
    async with door.follow(handle.id) as first:
        seen = await heard(first, lambda event: event["event"] == "turn" and event["seq"] >= 5)
    last = turns_of(seen)[-1]
    async with door.follow(handle.id, after=last) as again, door.follow(handle.id) as other:
        rest, whole = await asyncio.gather(heard(again), heard(other))
    assert turns_of(seen) + turns_of(rest) == turns_of(whole) == list(range(1, turns_of(whole)[-1] + 1))
    for after in (0, 3, len(turns_of(whole)), 10_000):
        async with door.follow(handle.id, after=after) as line:  # when it is over: the rest of the record, and the end
            assert turns_of(await heard(line)) == turns_of(whole)[after:]
            assert line.close_code == 1000


async def test_a_meeting_that_is_deleted_is_told_as_deleted(door: Door) -> None:
    async with door.http() as http:
        meeting = (await http.post(f"{BOARD}/meetings", json={"name": "Soon gone"})).json()["id"]
        async with door.follow(meeting) as line:
            await heard(line, lambda event: event["event"] == "status")
            assert (await http.delete(f"{BOARD}/meetings/{meeting}")).status_code == 204
            await heard(line, within=10)
            assert line.close_code == hub.DELETED


async def refused(connecting: object) -> int:
    """The HTTP status with which a connection is not accepted."""
    with pytest.raises(websockets.InvalidStatus) as raised:
        async with connecting:  # type: ignore[attr-defined]
            pass
    return raised.value.response.status_code


@pytest.fixture
async def meeting(door: Door) -> str:
    async with door.http() as http:
        return str((await http.post(f"{BOARD}/meetings", json={"name": "Quiet"})).json()["id"])


async def test_nobody_comes_in_without_being_known(door: Door, meeting: str) -> None:
    assert await refused(door.follow(meeting, secret="")) == 401
    assert await refused(door.follow(meeting, secret="brd_" + "x" * 43)) == 401
    assert await refused(door.follow(meeting, secret=door.secrets["worker"])) == 403
    assert await refused(door.follow(meeting, secret=door.stranger)) == 404
    assert await refused(door.follow(NOWHERE)) == 404
    assert await refused(door.follow("mtg-9FED5D5A")) in (404, 422)
    for after in ("-1", "one", "1e3", "9" * 30, "%00"):
        assert await refused(door.follow(meeting, after=after)) == 422


async def test_a_ticket_opens_one_connection_to_its_own_meeting_once(
    door: Door, meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with door.http() as http:
        other = (await http.post(f"{BOARD}/meetings", json={"name": "Another"})).json()["id"]

        async def ticket() -> list[str]:
            answer = await http.post(f"{BOARD}/meetings/{meeting}/tickets")
            assert (answer.status_code, answer.json()["expires_in"]) == (201, 30)
            return ["boardroom", f"boardroom.ticket.{answer.json()['ticket']}"]

        once = await ticket()
        async with door.follow(meeting, secret="", subprotocols=once) as line:
            assert line.subprotocol == "boardroom"  # the ticket is not sent back
            await heard(line, lambda event: event["event"] == "status")
        assert await refused(door.follow(meeting, secret="", subprotocols=once)) == 401
        assert await refused(door.follow(other, secret="", subprotocols=await ticket())) == 401
        with monkeypatch.context() as patched:
            patched.setattr(access, "LIVE_FOR", -access.LIVE_FOR)
            stale = (await http.post(f"{BOARD}/meetings/{meeting}/tickets")).json()["ticket"]
        assert await refused(door.follow(meeting, secret="", subprotocols=["boardroom", f"boardroom.ticket.{stale}"])) == 401
    async with door.http(door.stranger) as http:
        assert (await http.post(f"{BOARD}/meetings/{meeting}/tickets")).status_code == 404


async def test_who_is_revoked_or_runs_out_while_connected_is_let_go(
    door: Door, meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "CHECKED_EVERY", 0.1)
    token, secret = await access.create_token(door.store, "short", ["reader"])
    _, hasty = await access.create_token(door.store, "hasty", ["reader"], days=1.5 / 86400)
    async with door.http(secret) as http:
        ticket = (await http.post(f"{BOARD}/meetings/{meeting}/tickets")).json()["ticket"]
    ticketed = door.follow(meeting, secret="", subprotocols=["boardroom", f"boardroom.ticket.{ticket}"])
    async with door.follow(meeting, secret=secret) as one, ticketed as two, door.follow(meeting, secret=hasty) as three:
        await access.revoke_token(door.store, token.id)
        for line in (one, two, three):
            await heard(line, within=10)
            assert line.close_code == live.REVOKED


async def test_one_person_has_twenty_connections_and_no_more(door: Door, meeting: str) -> None:
    open_ = [await door.follow(meeting) for _ in range(hub.PER_OWNER)]
    assert await refused(door.follow(meeting)) == 429
    async with door.http(door.stranger) as http:
        theirs = (await http.post(f"{BOARD}/meetings", json={"name": "Theirs"})).json()["id"]
    async with door.follow(theirs, secret=door.stranger) as line:  # somebody else still may
        assert await heard(line, lambda event: event["event"] == "status")
    await open_.pop().close()
    async with door.follow(meeting) as line:
        assert await heard(line, lambda event: event["event"] == "status")
    for line in open_:
        await line.close()


async def test_a_message_of_a_follower_is_limited_and_never_heard(door: Door, meeting: str) -> None:
    async with door.follow(meeting) as line:
        await line.send("x" * (64 * 1024))
        await line.send(b"\x00\xff")
        assert await heard(line, lambda event: event["event"] == "status")
        await line.send("x" * (64 * 1024 + 1))
        await heard(line, within=10)
        assert line.close_code == 1009


async def test_passing_events_reach_the_followers_of_every_process_and_stay_out_of_the_record(door: Door, meeting: str) -> None:
    path = f"{BOARD}/meetings/{meeting}/broadcast"
    async with (
        opened(door.client, door.store, door.settings) as second,
        door.http(door.secrets["worker"]) as worker,
        door.follow(meeting) as here,
        second.follow(meeting, secret=door.secrets["everything"]) as there,
    ):
        for line in (here, there):
            await heard(line, lambda event: event["event"] == "status")
        for event in (
            {"event": "notice", "text": "Back in a minute."},
            {"event": "words", "text": "I was saying", "member_id": "dalio"},
        ):
            assert (await worker.post(path, json=event)).status_code == 202
        for line in (here, there):
            told = await heard(line, lambda event: event["event"] == "words", within=10)
            assert [(e["event"], e["text"], e["passing"], e["broadcast"]) for e in told] == [
                ("notice", "Back in a minute.", True, True),
                ("words", "I was saying", True, True),
            ]
        for forged in (
            {"event": "turn", "text": "I resign.", "member_id": "dalio"},
            {"event": "words", "text": "I resign.", "member_id": "dalio", "seq": 1},
            {"event": "words", "text": "I resign.", "member_id": "stranger"},
            {"event": "words", "text": "I resign."},
            {"event": "vote", "text": "FOR", "member_id": "dalio"},
            {"event": "notice", "text": ""},
            {"event": "notice", "text": "x" * 4097},
        ):
            assert (await worker.post(path, json=forged)).status_code == 422, forged
    for name in ("reader", "operator", "admin", "asker"):
        async with door.http(door.secrets[name]) as http:
            assert (await http.post(path, json={"event": "notice", "text": "x"})).status_code == 403
    async with door.http(door.stranger) as http:
        assert (await http.post(path, json={"event": "notice", "text": "x"})).status_code == 404
    async with door.http() as http, door.follow(meeting) as late:
        assert (await http.get(f"{BOARD}/meetings/{meeting}/transcript")).json()["transcript"] == []
        told = await heard(late, lambda event: event["event"] == "status")
        await asyncio.sleep(0.6)
        assert {event["event"] for event in told} <= {"status", "phase"}  # nothing that has passed is told again


async def test_a_slow_reader_is_cut_and_comes_back_where_it_was(
    door: Door, meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "QUEUE", 8)
    monkeypatch.setattr(live, "PARTING", 60)  # this machine may be busy
    with socket.create_connection(("127.0.0.1", int(door.url.rpartition(":")[2]))) as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        async with door.follow(meeting) as quick:
            slow = await door.follow(meeting, max_queue=1, compression=None, sock=narrow)
            await heard(slow, lambda event: event["event"] == "status")
            reading = asyncio.create_task(heard(quick, lambda event: event.get("seq") == 2))
            await turn(door, meeting, 1)
            slow.transport.pause_reading()
            for _ in range(2 * SEND_BUFFER // 60_000 + 8 + hub.QUEUE):  # more than the buffers on the way hold
                async with door.store.write() as tx:
                    await records_live.append(
                        tx, meeting_id=meeting, call_id="x", attempt=1, member_id="", seq=None, kind="notice",
                        text="slowly " * 8600, at=stores.NOW,
                    )  # fmt: skip
                await asyncio.sleep(0.1)
            await turn(door, meeting, 2)
            told = await reading  # nobody else was held up
            assert turns_of(told) == [1, 2]
            slow.transport.resume_reading()
            seen = await heard(slow, within=20)
            assert slow.close_code == hub.SLOW
            async with door.follow(meeting, after=max(turns_of(seen), default=0)) as again:
                rest = await heard(again, lambda event: event.get("seq") == 2)
                assert turns_of(seen) + turns_of(rest) == [1, 2]


async def turn(door: Door, meeting: str, seq: int) -> None:
    row = stores.turn(seq, meeting, item_id=None)
    async with door.store.write() as tx:
        await turns.add(tx, **row)


async def test_words_come_as_a_voice_speaks_from_their_beginning_and_end_with_the_turn(door: Door, meeting: str) -> None:
    async def say(text: str, attempt: int = 1, seq: int = 1) -> None:
        async with door.store.write() as tx:
            await records_live.append(
                tx, meeting_id=meeting, call_id=f"{meeting}/-/opening/-/{seq}", attempt=attempt, member_id="dalio", seq=seq,
                kind="words", text=text, at=stores.NOW,
            )  # fmt: skip

    await say("Call")
    async with door.follow(meeting) as early:
        told = await heard(early, lambda event: event["event"] == "words")
        await say("ing to ")
        told += await heard(early, lambda event: event["event"] == "words")
        assert [e["text"] for e in told if e["event"] == "words"] == ["Call", "ing to "]
        async with door.follow(meeting) as late:
            [words] = [e for e in await heard(late, lambda event: event["event"] == "words") if e["event"] == "words"]
            assert (words["text"], words["turn_seq"], words["passing"], words["broadcast"]) == ("Calling to ", 1, True, False)
        await say("Anew", attempt=2)
        await heard(early, lambda event: event.get("attempt") == 2)
        async with door.follow(meeting) as late:
            assert (await heard(late, lambda event: event["event"] == "words"))[-1]["text"] == "Anew"
        await turn(door, meeting, 1)
        await heard(early, lambda event: event.get("seq") == 1)
        async with door.follow(meeting) as late:
            told = await heard(late, lambda event: event["event"] == "status")
            assert [event["event"] for event in told] == ["phase", "turn", "status"]


async def test_a_store_that_fails_sends_followers_back_and_not_away(
    door: Door, meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with door.follow(meeting) as line:
        await heard(line, lambda event: event["event"] == "status")
        with monkeypatch.context() as patched:
            patched.setattr(door.store, "read", broken)
            await heard(line, within=10)
        assert line.close_code == hub.AGAIN
    async with door.follow(meeting) as line:
        assert await heard(line, lambda event: event["event"] == "status")


def broken() -> object:
    raise OSError("the disk is gone")


async def test_many_come_and_go_at_once_and_each_is_told_all(door: Door, meeting: str) -> None:
    """Whoever joins while the last one leaves is not sent away with it."""
    await turn(door, meeting, 1)

    async def one() -> None:
        async with door.follow(meeting) as line:
            assert turns_of(await heard(line, lambda event: event["event"] == "status", within=10)) == [1]

    for _ in range(8):
        await asyncio.gather(*(one() for _ in range(4)))
