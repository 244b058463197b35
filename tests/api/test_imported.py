"""A meeting that was brought along is read, followed and deleted over HTTP like one that was held here."""

from __future__ import annotations

import json

import pytest

from clerk import importing
from tests.api.conftest import BOARD, Door
from tests.clerk.test_exports import BOARD as OTHER_BOARD

pytestmark = pytest.mark.server


async def test_a_meeting_that_was_brought_along_is_read_like_any_other(door: Door) -> None:
    await importing.bring(door.store, door.settings, OTHER_BOARD)
    async with door.http() as http:
        listed = {line["meeting_id"]: line for line in (await http.get(f"{BOARD}/meetings")).json()["meetings"]}
        assert set(listed) == {"mtg-9fed5d5a", "mtg-Old_7", "mtg-abc123"}
        for meeting_id in listed:
            here = f"{BOARD}/meetings/{meeting_id}"
            for path in ("", "/transcript", "/minutes", "/agenda", "/conversation"):
                found = await http.get(f"{here}{path}")
                assert found.status_code == 200, (meeting_id, path, found.text)
            for path, body in (("pause", None), ("resume", None), ("start", None), ("user-input", {"text": "Wait."})):
                assert (await http.post(f"{here}/{path}", json=body)).status_code == 409, path
        async with door.follow("mtg-abc123", after=2) as live:
            seqs = []
            async for message in live:
                event = json.loads(message)
                if event["event"] == "turn":
                    seqs.append(event["seq"])
                if event["event"] == "status" and event["ended_by"]:
                    assert event["ended_by"] == "imported"
                    break
            assert seqs == [3, 4, 5]
        assert (await http.delete(f"{BOARD}/meetings/mtg-abc123")).status_code == 204
        assert (await http.get(f"{BOARD}/meetings/mtg-abc123")).status_code == 404
        for wrong in ("mtg-..", "mtg-%2e%2e%2fx", "mtg-a%0a", "mtg-a%00", f"mtg-{'a' * 97}"):
            assert (await http.get(f"{BOARD}/meetings/{wrong}")).status_code in (404, 422)
    told = await importing.bring(door.store, door.settings, OTHER_BOARD)
    assert told.new == ["mtg-abc123"] and told.problems == []
