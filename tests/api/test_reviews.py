"""Proposal reviews over HTTP: handed in, followed, read, decided; and what is refused."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from clerk import reviews
from protocols.proposal_review import Outcome
from tests.api.conftest import Door, heard, turns_of
from tests.support.reviews import LOYALTY, PAYMENTS, SEED, SPLIT, reviewed

pytestmark = pytest.mark.server
REVIEWS = "/api/v1/reviews"
DOCUMENTS = [{"name": "payments_api.md", "text": PAYMENTS.read_text()}]


async def settled(http: Any, id: str) -> dict[str, Any]:
    for _ in range(600):
        found: dict[str, Any] = (await http.get(f"{REVIEWS}/{id}")).json()
        if found["verdict"] is not None and found["status"] != "in_progress":
            return found
        await asyncio.sleep(0.1)
    raise AssertionError("no result")


async def test_a_proposal_is_handed_in_followed_and_read(door: Door) -> None:
    async with door.http() as http:
        made = await http.post(REVIEWS, json={"documents": DOCUMENTS, "track": "payments", "seed": SEED})
        assert made.status_code == 201, made.text
        review = made.json()
        assert made.headers["Location"] == f"{REVIEWS}/{review['session_id']}"
        assert (review["verdict"], review["title"]) == (None, "Payments API: retries and idempotency keys")
        early = await http.get(f"{REVIEWS}/{review['session_id']}/files")
        assert early.status_code in (200, 409)
        async with door.follow(review["meeting_id"]) as socket:
            events = await heard(socket, lambda event: event["event"] == "status" and event["status"] == "completed")
        assert turns_of(events) == list(range(1, len(turns_of(events)) + 1))
        assert {event["phase"] for event in events if event["event"] == "phase"} >= {"assessment", "voting", "resolution"}
        found = await settled(http, review["session_id"])
        assert (found["verdict"], found["vote"], found["with_review"], found["simulated"]) == ("APPROVED", "5-0", False, True)
        assert found == await settled(http, review["meeting_id"])
        files = (await http.get(f"{REVIEWS}/{review['session_id']}/files")).json()["files"]
        assert sum(name.startswith("session-") for name in files) == 1 and len(files) == 5
        assert files == await reviews.files(door.store, review["session_id"])
        listed = (await http.get(REVIEWS, params={"track": "payments"})).json()["reviews"]
        assert [one["session_id"] for one in listed] == [review["session_id"]]
        assert (await http.get(REVIEWS, params={"track": "other"})).json()["reviews"] == []
    async with door.http(door.stranger) as theirs:
        assert (await theirs.get(REVIEWS)).json()["reviews"] == []
        for path in ("", "/files"):
            assert (await theirs.get(f"{REVIEWS}/{review['session_id']}{path}")).status_code == 404
        answer = {"answer": "approve", "because": "Mine."}
        assert (await theirs.post(f"{REVIEWS}/{review['session_id']}/decide", json=answer)).status_code == 404


async def test_what_is_escalated_is_decided_once(door: Door) -> None:
    found = await reviewed(door.house, PAYMENTS, faults=SPLIT, seed=SEED)
    url = f"{REVIEWS}/{found.session.session_id}/decide"
    async with door.http() as http:
        for body in ({"answer": "maybe", "because": "x"}, {"answer": "approve"}, {"answer": "approve", "because": ""}):
            assert (await http.post(url, json=body)).status_code == 422
        blank = await http.post(url, json={"answer": "approve", "because": " \n"})
        assert (blank.status_code, "Say why" in blank.json()["detail"]) == (422, True)
        key = {"Idempotency-Key": "3f1c5a52-7e0b-4c61-9a4e-000000000001"}
        body = {"answer": "approve", "because": "The pilot is small."}
        first = await http.post(url, json=body, headers=key)
        assert (first.status_code, first.json()["decision"], first.json()["verdict"]) == (200, "approve", "ESCALATE")
        again = await http.post(url, json=body, headers=key)
        assert (again.status_code, again.json()["decided_at"]) == (200, first.json()["decided_at"])
        turned = await http.post(url, json=body | {"answer": "reject"}, headers=key)
        assert (turned.status_code, "first decision stands" in turned.json()["detail"]) == (409, True)
        other = await http.post(url, json={"answer": "reject", "because": "No."})
        assert (other.status_code, "first decision stands" in other.json()["detail"]) == (409, True)
    async with door.http(door.secrets["reader"]) as http:
        assert (await http.post(url, json=body)).status_code == 403


async def test_of_many_decisions_at_once_one_stands_and_the_others_hear_so(door: Door) -> None:
    found = await reviewed(door.house, PAYMENTS, faults=SPLIT, seed=SEED)
    url = f"{REVIEWS}/{found.session.session_id}/decide"
    async with door.http() as http:
        twice = '{"answer": "approve", "answer": "reject", "because": "x"}'
        refused = await http.post(url, content=twice, headers={"Content-Type": "application/json"})
        assert (refused.status_code, "stands twice" in refused.json()["detail"]) == (422, True)
        bodies = [{"answer": ("approve", "reject")[n % 2], "because": f"Because of {n}."} for n in range(8)]
        answers = await asyncio.gather(*(http.post(url, json=body) for body in bodies))
        (won,) = [answer.json() for answer in answers if answer.status_code == 200]
        lost = [answer.json()["detail"] for answer in answers if answer.status_code == 409]
        assert len(lost) == 7 and all(re.search("first (one|decision) stands", detail) for detail in lost), lost
        stands = (await http.get(f"{REVIEWS}/{found.session.session_id}")).json()
        assert (stands["decision"], stands["because"]) == (won["decision"], won["because"])


async def test_what_needs_no_decision_is_409(door: Door) -> None:
    found = await reviewed(door.house, LOYALTY, rounds=0)
    assert found.record.review.outcome is Outcome.REJECTED
    async with door.http() as http:
        answer = await http.post(
            f"{REVIEWS}/{found.session.session_id}/decide", json={"answer": "approve", "because": "I like it."}
        )
    assert (answer.status_code, "needs no decision" in answer.json()["detail"]) == (409, True)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422), ({"documents": []}, 422), ({"documents": [{"name": "a.md"}]}, 422),
        ({"documents": [{"name": "a.md", "text": " "}]}, 422), ({"documents": [{"name": "a.md", "text": "a\0b"}]}, 422),
        ({"documents": [{"name": "", "text": "a"}]}, 422), ({"documents": DOCUMENTS, "track": "../x"}, 422),
        ({"documents": DOCUMENTS, "rounds": 4}, 422), ({"documents": DOCUMENTS, "verdict": "APPROVED"}, 422),
        ({"documents": DOCUMENTS, "title": " "}, 422), ({"documents": DOCUMENTS, "seed": -1}, 422),
        ({"documents": DOCUMENTS * 51}, 422), ({"documents": [{"name": "a.md", "text": "x" * (2 * 1024 * 1024 + 1)}]}, 422),
        ({"documents": [{"name": "a.md", "text": "x" * (9 * 1024 * 1024)}]}, 413),
    ],
    ids=range(14),
)  # fmt: skip
async def test_wrong_proposals_are_problems_and_nothing_is_opened(lone: Door, body: dict[str, Any], status: int) -> None:
    async with lone.http() as http:
        answer = await http.post(REVIEWS, json=body)
        assert answer.status_code == status, answer.text[:300]
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]
        assert (await http.get(REVIEWS)).json()["reviews"] == []


async def test_without_temporal_a_proposal_is_503_and_reading_goes_on(lone: Door) -> None:
    async with lone.http() as http:
        answer = await http.post(REVIEWS, json={"documents": DOCUMENTS})
        assert answer.status_code == 503
        assert (await http.get(REVIEWS)).status_code == 200
        for id in ("board-20260201-1", "mtg-00000000"):
            assert (await http.get(f"{REVIEWS}/{id}")).status_code == 404
        for id in ("board-1", "../x", "board-20260201-0"):
            assert (await http.get(f"{REVIEWS}/{id}")).status_code in (404, 422)
