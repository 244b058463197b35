"""Delivering: each channel has a notice once, or one that says it may be a repetition; what went wrong tells no secret."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from temporalio.exceptions import ApplicationError

from activities import delivering
from activities.delivering import MAILED, Courier, Told
from activities.interface import Delivery
from activities.notices import ChannelError, Message
from activities.notices.composing import KINDS, REPEATED, SIMULATED
from records import erasing, notices, schema
from records.engine import Store, sqlite_url
from records.notices import NoticeRow
from settings import Settings
from tests.support import stores

MEETING = "mtg-00000001"
ENDED = Delivery(id=f"{MEETING}/meeting_ended", kind="meeting_ended", meeting=MEETING)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A store with one meeting in it."""
    if request.param == "sqlite":
        url = sqlite_url(tmp_path / "data")
    else:
        url = await asyncio.to_thread(stores.new_database, request.getfixturevalue("postgres_url"))
    opened = await Store.open(url)
    async with opened.write() as tx:
        await stores.create_meeting(tx)
    yield opened
    await opened.close()


class Scripted:
    """A channel that does what it is told next, and then takes everything."""

    def __init__(self, name: str, *does: Any) -> None:
        self.name = name
        self.does = list(does)
        self.got: list[Message] = []
        self.asked = 0

    async def send(self, message: Message) -> None:
        self.asked += 1
        step = self.does.pop(0) if self.does else None
        if isinstance(step, ChannelError) and step.unsure:
            self.got.append(message)  # it arrived, and the answer was lost
        if isinstance(step, BaseException):
            raise step
        if step is not None:
            await step()
        self.got.append(message)


def courier(store: Store, *channels: Scripted, **settings: Any) -> Courier:
    return Courier(store, Settings(**settings), channels)


async def rows(store: Store) -> dict[str, NoticeRow]:
    async with store.read() as tx:
        return {row.channel: row for row in await notices.listing(tx)}


async def test_law_04_each_channel_gets_it_once_however_often_it_is_delivered(store: Store) -> None:
    one, two = Scripted("one"), Scripted("two")
    for _ in range(3):
        await courier(store, one, two).deliver_notice(ENDED)
    assert (one.asked, two.asked) == (1, 1)
    assert one.got == two.got
    kept = await rows(store)
    assert {row.state for row in kept.values()} == {"sent"}
    assert all(row.attempts == 1 and row.sent_at is not None and not row.possibly_repeated for row in kept.values())


async def test_law_14_the_record_decides_whether_a_meeting_was_simulated(store: Store) -> None:
    one = Scripted("one")
    await courier(store, one).deliver_notice(ENDED)
    assert one.got[0].simulated and SIMULATED in one.got[0].text
    assert "No resolution was adopted." in one.got[0].text


async def test_one_channel_that_fails_holds_up_no_other_and_is_tried_alone(store: Store) -> None:
    bad, good = Scripted("bad", ChannelError("It could not be reached.")), Scripted("good")
    with pytest.raises(ApplicationError) as raised:
        await courier(store, bad, good).deliver_notice(ENDED)
    assert raised.value.message == "bad: It could not be reached." and raised.value.next_retry_delay is None
    kept = await rows(store)
    assert (kept["bad"].state, kept["bad"].trouble, kept["good"].state) == ("open", "It could not be reached.", "sent")
    await courier(store, bad, good).deliver_notice(ENDED)
    assert (len(bad.got), len(good.got), good.asked) == (1, 1, 1)
    assert REPEATED not in bad.got[0].text  # it certainly had not arrived
    kept = await rows(store)
    assert (kept["bad"].state, kept["bad"].trouble, kept["bad"].attempts) == ("sent", "", 2)


async def test_a_notice_that_may_have_arrived_says_so_when_it_is_sent_again(store: Store) -> None:
    one = Scripted("one", ChannelError("It gave no answer.", unsure=True), ChannelError("It could not be reached."))
    for _ in range(2):
        with pytest.raises(ApplicationError):
            await courier(store, one).deliver_notice(ENDED)
    assert (await rows(store))["one"].possibly_repeated
    await courier(store, one).deliver_notice(ENDED)
    first, last = one.got
    assert REPEATED not in first.text
    # Also after an attempt in between that certainly sent nothing.
    assert REPEATED in last.text and last.possibly_repeated and first.id == last.id
    assert (await rows(store))["one"].state == "sent"


async def test_what_cannot_be_mended_by_trying_is_given_up_and_told(store: Store) -> None:
    one = Scripted("one", ChannelError("It knows no such chat.", retryable=False))
    for _ in range(2):
        await courier(store, one).deliver_notice(ENDED)
    kept = (await rows(store))["one"]
    assert (one.asked, kept.state, kept.trouble, kept.sent_at) == (1, "failed", "It knows no such chat.", None)


async def test_who_asks_to_wait_is_not_asked_before_and_holds_up_no_other(store: Store) -> None:
    slow = Scripted("slow", ChannelError("It asks to wait.", retry_after=77.0))
    bad = Scripted("bad", ChannelError("Down."))
    with pytest.raises(ApplicationError) as raised:
        await courier(store, slow, bad).deliver_notice(ENDED)
    assert raised.value.next_retry_delay is None  # the other one is tried again as soon as may be
    with pytest.raises(ApplicationError) as raised:
        await courier(store, slow, bad).deliver_notice(ENDED)
    assert (slow.asked, bad.asked) == (1, 2)
    kept = await rows(store)
    assert (kept["slow"].state, kept["bad"].state) == ("open", "sent")
    delay = raised.value.next_retry_delay
    assert delay is not None and 70 < delay.total_seconds() <= 77
    async with store.write() as tx:
        await tx.execute(update(schema.notices).values(lease_until=datetime.now(UTC)))
    await courier(store, slow, bad).deliver_notice(ENDED)
    assert (await rows(store))["slow"].state == "sent" and slow.asked == 2


async def test_an_error_of_our_own_is_told_by_its_type_and_stops_no_other_channel(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "https://bot:CANARY-token@hooks.example.org"
    bad, good = Scripted("bad", RuntimeError(secret)), Scripted("good")
    with pytest.raises(ApplicationError) as raised:
        await courier(store, bad, good).deliver_notice(ENDED)
    assert raised.value.message == "bad: The channel broke off (RuntimeError)."
    assert raised.value.__cause__ is None and raised.value.__context__ is None  # Temporal keeps those of a failure, too
    kept = await rows(store)
    assert (kept["bad"].state, kept["bad"].trouble) == ("unsure", "The channel broke off (RuntimeError).")
    assert kept["good"].state == "sent"
    assert "CANARY" not in caplog.text


async def test_two_attempts_at_once_send_once(store: Store) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        begun.set()
        await go.wait()

    one = Scripted("one", hold)
    first = asyncio.create_task(courier(store, one).deliver_notice(ENDED))
    await begun.wait()
    with pytest.raises(ApplicationError) as raised:
        await courier(store, one).deliver_notice(ENDED)
    delay = raised.value.next_retry_delay
    assert delay is not None and 0 < delay.total_seconds() <= delivering.LEASE
    go.set()
    await first
    await courier(store, one).deliver_notice(ENDED)
    assert one.asked == 1


async def test_an_attempt_that_was_left_is_taken_over_after_its_lease_and_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "LEASE", 0.0)
    one = Scripted("one", asyncio.CancelledError())  # the worker stops in the middle
    with pytest.raises(asyncio.CancelledError):
        await courier(store, one).deliver_notice(ENDED)
    assert (await rows(store))["one"].state == "sending"
    await courier(store, one).deliver_notice(ENDED)
    assert [REPEATED in message.text for message in one.got] == [True]


async def test_who_comes_back_after_its_lease_does_not_undo_what_the_other_wrote(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "LEASE", 0.0)
    begun, go = asyncio.Event(), asyncio.Event()

    async def late() -> None:
        begun.set()
        await go.wait()
        raise ChannelError("It could not be reached.")

    one = Scripted("one", late)
    first = asyncio.create_task(courier(store, one).deliver(one, ENDED))
    await begun.wait()
    await courier(store, one).deliver_notice(ENDED)
    go.set()
    await first
    assert (await rows(store))["one"].state == "sent"


@pytest.mark.parametrize("when", ["before", "while it is claimed"])
async def test_a_deleted_meeting_tells_nothing_more(store: Store, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Scripted("one")

    async def delete() -> None:
        async with store.write() as tx:
            await erasing.meeting(tx, MEETING)

    if when == "before":
        await delete()
        await courier(store, one).deliver_notice(ENDED)
    else:
        sender = courier(store, one)
        moment = sender._moment

        async def deleted_then(delivery: Delivery) -> Any:
            await delete()
            return await moment(delivery)

        monkeypatch.setattr(sender, "_moment", deleted_then)
        await sender.deliver_notice(ENDED)
    assert one.asked == 0
    assert await rows(store) == {}


async def test_the_last_attempt_leaves_nothing_open(store: Store) -> None:
    test = Delivery(id="test-1", kind="test")
    one, two = Scripted("one", ChannelError("Down.")), Scripted("two")
    sender = courier(store, one, two)
    assert await sender.deliver(one, test, last=True) == Told("failed", trouble="Down.")
    assert await sender.deliver(two, test, last=True) == Told("sent")
    assert {name: row.state for name, row in (await rows(store)).items()} == {"one": "failed", "two": "sent"}


@pytest.mark.parametrize("details", [False, True])
async def test_law_15_the_persons_words_are_in_it_only_if_they_want_them(store: Store, details: bool) -> None:
    words = "CANARY sertraline 50 mg"
    async with store.write() as tx:
        await stores.create_meeting(tx, "mtg-00000002", name=words, error=words)
    one = Scripted("one")
    for kind in ("meeting_started", "meeting_failed", "meeting_ended", "agenda_waiting", "meeting_dropped"):
        delivery = Delivery(id=f"mtg-00000002/{kind}", kind=kind, meeting="mtg-00000002")
        await courier(store, one, notice_details=details).deliver_notice(delivery)
    assert len(one.got) == 5
    for message in one.got:
        assert ("CANARY" in message.text) is details
        assert "CANARY" not in message.subject + message.plain + message.id + message.link
    assert all("CANARY" not in repr(row) for row in (await rows(store)).values())


async def test_every_kind_can_be_delivered(store: Store) -> None:
    one = Scripted("one")
    for kind in KINDS:
        await courier(store, one).deliver_notice(Delivery(id=f"x/{kind}", kind=kind))
    assert [message.kind for message in one.got] == [kind for kind in KINDS if kind not in MAILED]
    assert datetime.now(UTC) - (await rows(store))["one"].created_at < timedelta(minutes=1)


async def test_what_somebody_asked_to_be_mailed_goes_by_mail_alone(store: Store) -> None:
    mail, other = Scripted("mail"), Scripted("telegram")
    for kind in MAILED:
        await courier(store, mail, other).deliver_notice(Delivery(id=f"x/{kind}", kind=kind))
    assert [message.kind for message in mail.got] == list(MAILED)
    assert other.got == []
