"""What people get wrong, and what two of them do at once: told with its reason, and the first result stands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.api.conftest import BOARD, Door, heard

pytestmark = pytest.mark.server

ITEM = {"topic": "Should I walk more?"}


async def made(http: Any, **body: Any) -> str:
    answer = await http.post(f"{BOARD}/meetings", json=body)
    assert answer.status_code == 201, answer.text
    return f"{BOARD}/meetings/{answer.json()['id']}"


async def test_each_limit_at_and_above_is_told_by_its_name(door: Door) -> None:
    long = {"topic": "x" * 500}
    async with door.http() as http:
        for body in (
            {"items": [{"topic": f"Topic {n}"} for n in range(50)]},
            {"items": [long]},
            {"items": [{**ITEM, "description": "x" * 8192}]},
            {"items": [{**ITEM, "time_minutes": 480}]},
            {"name": "x" * 500},
            {"attendees": ["aurelius", "dalio", "jobs"]},
            {"scheduled_start": "2099-12-06T06:00:00-08:00"},
        ):
            assert (await http.post(f"{BOARD}/meetings", json=body)).status_code == 201, body
        for body, named in (
            ({"items": [{"topic": f"Topic {n}"} for n in range(51)]}, "50"),
            ({"items": [{"topic": "x" * 501}]}, "500"),
            ({"items": [{**ITEM, "description": "x" * 8193}]}, "8192"),
            ({"items": [{**ITEM, "description": "é" * 4097}]}, "8192"),
            ({"items": [{**ITEM, "time_minutes": 481}]}, "480"),
            ({"items": [{**ITEM, "time_minutes": 0}]}, "1"),
            ({"items": []}, "1"),
            ({"items": [{"topic": " \u200b "}]}, "topic"),
            ({"items": [{**ITEM, "type": "quarrel"}]}, "decision"),
            ({"name": "x" * 501}, "500"),
            ({"name": " \u200b"}, "name"),
            ({"attendees": ["aurelius"] * 26}, "25"),
            ({"attendees": []}, "1"),
            ({"attendees": ["aurelius", "dalio"]}, "quorum"),
            ({"attendees": ["aurelius", "dalio", "napoleon"]}, "napoleon"),
            ({"attendees": ["aurelius", "dalio", "../../etc/passwd"]}, ""),
            ({"scheduled_start": "2099-12-06T06:00:00"}, "time zone"),
            ({"seed": -1}, "0"),
        ):
            answer = await http.post(f"{BOARD}/meetings", json=body)
            assert answer.status_code == 422, body
            assert named in answer.json()["detail"], answer.json()["detail"]
            assert len(answer.json()["detail"]) < 600
        here = await made(http, items=[ITEM])
        for path, field, limit in (("conversation", "message", 8192), ("revise-agenda", "feedback", 8192)):
            for words in ("", " \n\u200b", "x" * (limit + 1)):
                answer = await http.post(f"{here}/{path}", json={field: words})
                assert answer.status_code == 422, (path, len(words))
        assert (await http.put(f"{here}/agenda/feedback", json={"feedback": "x" * 8193})).status_code == 422
        noted = await http.put(f"{here}/agenda/items/agenda-1/commentary", json={"commentary": "x" * 8192})
        assert noted.status_code == 200
        for item, words, status in (("agenda-1", "x" * 8193, 422), ("agenda-2", "x", 404), ("agenda-0", "x", 422)):
            answer = await http.put(f"{here}/agenda/items/{item}/commentary", json={"commentary": words})
            assert answer.status_code == status
        version = (await http.get(f"{here}/agenda")).json()["version"]
        many = [{"op": "add", "topic": f"Topic {n}"} for n in range(21)]
        assert (await http.post(f"{here}/agenda/operations", json={"version": version, "operations": many})).status_code == 422
        assert (await http.post(f"{here}/agenda/operations", json={"version": version, "operations": []})).status_code == 422
        assert (await http.get(f"{here}/agenda")).json()["version"] == version  # and nothing was lost or changed


async def test_what_is_not_in_order_is_refused_with_its_reason_and_changes_nothing(door: Door) -> None:
    async with door.http() as http:
        empty = await made(http, name="Nothing on it yet")
        for path in ("approve-agenda", "start", "pause"):
            answer = await http.post(f"{empty}/{path}")
            assert (answer.status_code, bool(answer.json()["detail"])) == (409, True), path
        assert (await http.get(empty)).json()["status"] == "created"
        assert (await http.post(f"{empty}/user-input", json={"text": "Hello?"})).status_code == 409
        assert (await http.post(f"{empty}/agenda/undo", json={"version": 7})).status_code in (409, 422)

        here = await made(http, items=[ITEM])
        assert (await http.post(f"{here}/approve-agenda", json={"version": 99})).status_code == 409
        assert (await http.post(f"{here}/approve-agenda")).status_code == 200
        for method, path, body in (
            ("POST", "conversation", {"message": "Add the garden."}),
            ("POST", "request-agenda", None),
            ("POST", "revise-agenda", {"feedback": "Shorter."}),
            ("POST", "agenda/operations", {"version": 0, "operations": [{"op": "add", "topic": "x"}]}),
            ("POST", "agenda/undo", {"version": 0}),
            ("PUT", "agenda/feedback", {"feedback": "Shorter."}),
            ("PUT", "agenda/items/agenda-1/commentary", {"commentary": "x"}),
        ):
            answer = await http.request(method, f"{here}/{path}", json=body)
            assert answer.status_code == 409, path
            assert "approved" in answer.json()["detail"]
        assert [item["topic"] for item in (await http.get(f"{here}/agenda")).json()["agenda"]["items"]] == [ITEM["topic"]]


async def test_of_two_who_change_an_agenda_at_once_one_is_told(door: Door) -> None:
    async with door.http() as http:
        here = await made(http, items=[ITEM])
        version = (await http.get(f"{here}/agenda")).json()["version"]
        answers = await asyncio.gather(
            *(
                http.post(
                    f"{here}/agenda/operations",
                    json={"version": version, "operations": [{"op": "add", "topic": f"Topic {n}"}]},
                )
                for n in range(4)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert all("version" in answer.json()["detail"] for answer in answers if answer.status_code == 409)
        view = (await http.get(f"{here}/agenda")).json()
        assert (view["version"], len(view["agenda"]["items"])) == (version + 1, 2)


async def test_started_twice_at_once_it_is_one_meeting(door: Door) -> None:
    async with door.http() as http:
        here = await made(http, items=[{"topic": "Where do I stand?", "type": "review"}])
        assert (await http.post(f"{here}/approve-agenda")).status_code == 200
        answers = await asyncio.gather(*(http.post(f"{here}/start") for _ in range(3)))
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [200, 409, 409]
        assert (await http.post(f"{here}/start")).status_code == 409  # also before the record says that it has begun
        async with door.follow(here.rpartition("/")[2]) as line:
            events = await heard(line)
        openings = [event for event in events if event["event"] == "turn" and event["turn"]["purpose"] == "opening"]
        assert len(openings) == 1
        # Over is over as soon as the record says so, whatever its workflow still does.
        for action in ("pause", "resume", "start"):
            assert (await http.post(f"{here}/{action}")).status_code == 409


async def test_the_same_words_under_the_same_key_are_put_once(door: Door) -> None:
    async with door.http() as http:
        here = await made(http, items=[{"topic": "Where do I stand?", "type": "review"}])
        assert (await http.post(f"{here}/approve-agenda")).status_code == 200
        assert (await http.post(f"{here}/start")).status_code == 200
        async with door.follow(here.rpartition("/")[2]) as line:
            await heard(line, lambda event: event["event"] == "turn")
            assert (await http.post(f"{here}/pause")).status_code == 200
            await heard(line, lambda event: event["event"] == "status" and event["status"] == "paused")
            key = {"Idempotency-Key": "once-and-no-more"}
            said = [await http.post(f"{here}/user-input", json={"text": "And the cost?"}, headers=key) for _ in range(3)]
            assert {answer.status_code for answer in said} == {202}
            assert len({answer.json()["input_id"] for answer in said}) == 1
            other = await http.post(f"{here}/user-input", json={"text": "Other words."}, headers=key)
            assert other.status_code == 409
            for bad in ("short", "x" * 101, "with space", "ünïcode!".encode()):
                answer = await http.post(f"{here}/user-input", json={"text": "x"}, headers={"Idempotency-Key": bad})
                assert answer.status_code == 422, bad
            assert (await http.post(f"{here}/resume")).status_code == 200
            events = await heard(line)
        words = [event["turn"]["text"] for event in events if event["event"] == "turn"]
        assert words.count("And the cost?") == 1
