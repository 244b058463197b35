"""`boardroom notices`: a test through every channel to real peers, and the list of what was told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from activities.notices.signed import signature
from cli import doctor
from records import notices
from records.engine import Store
from settings import Settings
from tests.cli.conftest import Boardroom, Run
from tests.support import stores
from tests.support.mailbox import Mailbox, mailbox
from tests.support.peers import Peer, peer

SECRET = "CANARY-secret-0123456789"


@pytest.fixture
async def mail() -> AsyncIterator[Mailbox]:
    async with mailbox() as found:
        yield found


@pytest.fixture
async def hook() -> AsyncIterator[Peer]:
    async with peer() as found:
        yield found


@pytest.fixture
def both(mail: Mailbox, hook: Peer) -> dict[str, str]:
    return mail.environment | {
        "BOARDROOM_WEBHOOK_URL": f"http://127.0.0.1:{hook.port}/?key=CANARY-key",
        "BOARDROOM_WEBHOOK_SECRET": SECRET,
        "BOARDROOM_WEBHOOK_ALLOWED_HOSTS": "127.0.0.1",
    }


async def ran(boardroom: Boardroom, *arguments: str, **variables: str) -> Run:
    """The command in a process, while the peers answer in this one."""
    return await asyncio.to_thread(partial(boardroom, *arguments, **variables))


async def test_a_test_goes_through_every_channel_and_says_what_came_of_it(
    boardroom: Boardroom, both: dict[str, str], mail: Mailbox, hook: Peer
) -> None:
    done = await ran(boardroom, "notices", "test", **both)
    assert (done.code, done.out, done.err) == (0, "mail: sent\nwebhook: sent\n", "")
    assert mail.subjects() == {"Boardroom: A test": 1}
    [posted] = hook.requests
    stamp, id_ = posted.headers["webhook-timestamp"], posted.headers["webhook-id"]
    assert posted.headers["webhook-signature"] == signature(SECRET, id_, stamp, posted.body)
    listed = (await ran(boardroom, "notices", "--json", **both)).json()
    assert {(row["id"], row["channel"], row["state"], row["kind"]) for row in listed} == {
        (id_, "mail", "sent", "test"),
        (id_, "webhook", "sent", "test"),
    }
    shown = await ran(boardroom, "notices", **both)
    assert shown.out.count("test") == 2 and "webhook" in shown.out and "sent" in shown.out
    assert "CANARY" not in done.out + shown.out + str(listed)


async def test_each_test_is_a_new_one(boardroom: Boardroom, mail: Mailbox) -> None:
    for _ in range(2):
        assert (await ran(boardroom, "notices", "test", **mail.environment)).code == 0
    assert len(mail.ids()) == len(mail.mails) == 2


async def test_one_channel_alone(boardroom: Boardroom, both: dict[str, str], mail: Mailbox, hook: Peer) -> None:
    done = await ran(boardroom, "notices", "test", "--channel", "webhook", "--json", **both)
    assert done.json() == {"sent": True, "channels": [{"channel": "webhook", "state": "sent", "trouble": ""}], "problems": []}
    assert (len(mail.mails), len(hook.requests)) == (0, 1)


async def test_what_fails_is_said_and_the_rest_is_sent(
    boardroom: Boardroom, both: dict[str, str], mail: Mailbox, hook: Peer
) -> None:
    hook.answer = [b"HTTP/1.1 500 CANARY\r\nContent-Length: 6\r\n\r\nCANARY"]
    done = await ran(boardroom, "notices", "test", **both)
    said = "The webhook answered 500 and did not take the notice."
    assert (done.code, done.out) == (1, f"mail: sent\nwebhook: not sent. {said}\n")
    assert len(mail.mails) == 1 and len(hook.requests) == 1
    again = await ran(boardroom, "notices", "test", "--json", **both)
    assert again.code == 1
    assert again.json()["channels"][1] == {"channel": "webhook", "state": "failed", "trouble": said}
    assert "CANARY" not in done.out + done.err + again.out + again.err


async def test_what_is_half_set_up_is_said_and_the_rest_is_sent(boardroom: Boardroom, mail: Mailbox) -> None:
    half = mail.environment | {"BOARDROOM_TELEGRAM_CHAT": "123"}
    done = await ran(boardroom, "notices", "test", **half)
    assert (done.code, done.out) == (1, "mail: sent\n")
    assert done.err == "Telegram is half set up: set BOARDROOM_TELEGRAM_TOKEN too.\n"
    assert (await ran(boardroom, "notices", "test", "--channel", "mail", **half)).code == 0
    only = await ran(boardroom, "notices", "test", "--json", BOARDROOM_TELEGRAM_CHAT="123")
    assert only.code == 1
    assert only.json() == {"sent": False, "channels": [], "problems": [done.err.strip()]}


def test_where_no_channel_is_set_up_it_says_how(boardroom: Boardroom, data_dir: Path) -> None:
    done = boardroom("notices", "test")
    assert done.code == 2 and "BOARDROOM_SMTP_HOST" in done.told()
    listed = boardroom("notices")
    assert (listed.code, listed.out) == (0, "") and "no channel is set up" in listed.err
    assert boardroom("notices", "--json").json() == []
    assert not data_dir.exists()  # looking leaves nothing behind


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("test", "--channel", "pigeon"), "There is no channel 'pigeon': none is set up."),
        (("--limit", "0"), "--limit is 0, but it must be from 1 to 1000."),
        (("--limit", "many"), "--limit"),
        (("--meeting", "mtg-1"), "mtg-1"),
        (("--meeting", "mtg-00000009"), "mtg-00000009"),
        (("nonsense",), "nonsense"),
    ],
)
def test_wrong_usage_is_one_sentence(boardroom: Boardroom, arguments: tuple[str, ...], says: str) -> None:
    done = boardroom("notices", *arguments)
    assert done.code == 2 and done.out == ""
    assert says in done.told()


async def test_the_list_tells_what_waits_what_was_given_up_and_what_may_be_repeated(
    boardroom: Boardroom, data_dir: Path
) -> None:
    now = datetime.now(UTC)
    store = await Store.open(None, data_dir)
    async with store.write() as tx:
        await stores.create_meeting(tx)
        for hours, state in ((1, "open"), (2, "unsure"), (30, "open"), (3, "failed")):
            given: dict[str, Any] = {"id": f"n-{hours}", "channel": "mail"}
            at = now - timedelta(hours=hours)
            await notices.claim(
                tx, **given, kind="meeting_ended", owner="me", lease_seconds=1, now=at, meeting_id="mtg-00000001"
            )
            await notices.settle(tx, **given, owner="me", state=state, now=at, trouble="It was [red]down[/red].\x1b[2J")
        await notices.claim(tx, id="n-2", channel="mail", kind="meeting_ended", owner="you", lease_seconds=1, now=now)
        await notices.settle(tx, id="n-2", channel="mail", owner="you", state="sent", now=now)
    await store.close()
    found = {row["id"]: row for row in (await ran(boardroom, "notices", "--json")).json()}
    assert {id_: row["shown_as"] for id_, row in found.items()} == {
        "n-1": "on its way", "n-2": "sent", "n-30": "given up", "n-3": "failed",
    }  # fmt: skip
    assert found["n-2"]["possibly_repeated"] and found["n-2"]["attempts"] == 2
    shown = (await ran(boardroom, "notices", COLUMNS="200")).out
    assert "sent, possibly repeated" in shown and "given up (1 attempt): It was [red]down[/red]." in shown
    assert "\x1b" not in shown
    assert [row["id"] for row in (await ran(boardroom, "notices", "--limit", "1", "--json")).json()] == ["n-1"]
    assert len((await ran(boardroom, "notices", "--meeting", "mtg-00000001", "--json")).json()) == 4


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [
        ({}, "ok", "none: no channel is set up"),
        ({"telegram_chat": "1"}, "warning", "Telegram is half set up: set BOARDROOM_TELEGRAM_TOKEN too."),
        (
            {"smtp_host": "127.0.0.1", "mail_from": "a@example.org", "mail_to": "b@example.org"},
            "ok",
            "mail set up",
        ),
    ],
)
async def test_the_doctor_looks_at_the_channels(given: dict[str, Any], status: str, says: str) -> None:
    [check] = await doctor._notices(Settings(**given))
    assert (check.status, check.says) == (status, says)
