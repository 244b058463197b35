"""The table of source 000 ("Trigger Points"), row by row, against the router's own list, and walked by a real client."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from api import models
from api.app import make_app
from api.auth import routes_of
from parliament.values import MeetingStatus
from settings import Settings
from tests.api.conftest import BOARD, Door, heard, turns_of

TABLE = """\
POST   /meetings
POST   /meetings/{id}/request-agenda
POST   /meetings/{id}/conversation
POST   /meetings/{id}/approve-agenda
POST   /meetings/{id}/edit-agenda
POST   /meetings/{id}/revise-agenda
POST   /meetings/{id}/start
POST   /meetings/{id}/pause
POST   /meetings/{id}/resume
POST   /meetings/{id}/user-input
GET    /meetings/{id}/transcript
DELETE /meetings/{id}
WS     /meetings/{id}/ws
POST   /meetings/{id}/broadcast
GET    /members
GET    /members/{id}
PUT    /meetings/{id}/agenda/items/{item_id}/commentary
PUT    /meetings/{id}/agenda/feedback
DELETE /meetings/{id}/conversation
GET    /meetings/{id}/summary
POST   /meetings/{id}/summary/regenerate
PUT    /meetings/{id}/summary/feedback
GET    /resolutions
GET    /resolutions/{id}
DELETE /resolutions/{id}
POST   /resolutions/{id}/respond
GET    /actions
"""
BESIDE = """\
GET    /meetings
GET    /meetings/{id}
GET    /meetings/{id}/agenda
POST   /meetings/{id}/agenda/operations
POST   /meetings/{id}/agenda/undo
GET    /meetings/{id}/conversation
GET    /meetings/{id}/minutes
POST   /meetings/{id}/tickets
GET    /meetings/{id}/review
GET    /actions/scope
POST   /actions
POST   /actions/{id}/complete
POST   /actions/{id}/reopen
"""
ELSEWHERE = {
    ("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics"), ("GET", "/openapi.json"), ("GET", "/enter"),
    ("GET", "/enter.js"), ("GET", "/enter.css"), ("GET", "/enter.svg"), ("POST", "/api/v1/session"), ("GET", "/api/v1/session"),
    ("DELETE", "/api/v1/session"),
    # Source 001's reviews have their own place beside the board's.
    ("POST", "/api/v1/reviews"), ("GET", "/api/v1/reviews"), ("GET", "/api/v1/reviews/{review_id}"),
    ("GET", "/api/v1/reviews/{review_id}/files"), ("POST", "/api/v1/reviews/{review_id}/decide"),
}  # fmt: skip


def rows(table: str) -> set[tuple[str, str]]:
    return {(method, path) for method, path in (line.split() for line in table.splitlines())}


def routed() -> set[tuple[str, str]]:
    """Method and path of every route; the names of its ids as the table has them."""
    app = make_app(None, None, Settings()).app
    return {
        (
            method,
            str(route.path)
            .replace("{meeting_id}", "{id}")
            .replace("/{member_id}", "/{id}")
            .replace("/{resolution_id}", "/{id}")
            .replace("/{action_id}", "/{id}")
            .removeprefix(BOARD),
        )
        for route in routes_of(app)
        for method in ((route.methods or set()) - {"HEAD"} if hasattr(route.original_route, "methods") else {"WS"})
    }


def test_every_row_of_the_table_has_its_route_and_nothing_else_is_there() -> None:
    found = routed()
    assert rows(TABLE) - found == set()
    assert found - rows(TABLE) - rows(BESIDE) == ELSEWHERE


@pytest.mark.server
async def test_a_client_walks_the_table_in_the_order_of_a_meetings_life(door: Door) -> None:
    async with door.http() as http:
        members = (await http.get(f"{BOARD}/members")).json()["members"]
        assert len(members) == 7
        assert (await http.get(f"{BOARD}/members/dalio")).json() == next(m for m in members if m["id"] == "dalio")

        created = await http.post(f"{BOARD}/meetings", json={"name": "Weekly Health Review"})
        assert created.status_code == 201
        meeting = created.json()
        assert meeting["status"] == "created"
        assert sorted(meeting["attendees"]) == sorted(member["id"] for member in members)  # ad hoc: the whole pool
        here = f"{BOARD}/meetings/{meeting['id']}"
        assert created.headers["location"] == here
        assert meeting["id"] in [line["meeting_id"] for line in (await http.get(f"{BOARD}/meetings")).json()["meetings"]]

        drafted = await http.post(f"{here}/request-agenda")
        assert (drafted.status_code, drafted.json()["status"]) == (200, "agenda_draft")
        assert 3 <= len(drafted.json()["agenda"]["items"]) <= 5
        item = drafted.json()["agenda"]["items"][0]["id"]
        noted = await http.put(f"{here}/agenda/items/{item}/commentary", json={"commentary": "My knee hurts."})
        assert noted.json()["agenda"]["items"][0]["user_commentary"] == "My knee hurts."
        kept = await http.put(f"{here}/agenda/feedback", json={"feedback": "Keep it short."})
        assert (kept.status_code, kept.json()["agenda"]["user_feedback"]) == (200, "Keep it short.")
        revised = await http.post(f"{here}/revise-agenda", json={"feedback": "Sleep first, please."})
        assert (revised.status_code, revised.json()["version"] > drafted.json()["version"]) == (200, True)

        said = await http.post(f"{here}/conversation", json={"message": "Can we add a sleep goal?"})
        assert said.status_code == 200
        assert said.json()["reply"]["role"] == "assistant"
        messages = (await http.get(f"{here}/conversation")).json()["messages"]
        assert [message["role"] for message in messages] == ["user", "assistant"]
        assert messages[0]["content"] == "Can we add a sleep goal?"
        assert (await http.delete(f"{here}/conversation")).json() == {"cleared": 2}
        assert (await http.get(f"{here}/conversation")).json() == {"messages": []}

        view = (await http.get(f"{here}/agenda")).json()
        changed = await http.post(
            f"{here}/agenda/operations",
            json={"version": view["version"], "operations": [{"op": "add", "topic": "The garden", "type": "review"}]},
        )
        assert [each["topic"] for each in changed.json()["agenda"]["items"]][-1] == "The garden"
        stale = await http.post(f"{here}/agenda/undo", json={"version": view["version"]})
        assert stale.status_code == 409  # somebody was quicker
        undone = await http.post(f"{here}/agenda/undo", json={"version": changed.json()["version"]})
        assert undone.json()["agenda"]["items"] == view["agenda"]["items"]

        assert (await http.post(f"{here}/start")).status_code == 409  # not approved yet
        approved = await http.post(f"{here}/approve-agenda", json={"version": undone.json()["version"]})
        assert (approved.status_code, approved.json()["status"]) == (200, "prepared")
        assert (await http.post(f"{here}/approve-agenda")).status_code == 409
        assert (await http.post(f"{here}/edit-agenda")).json()["status"] == "agenda_draft"
        assert (await http.post(f"{here}/approve-agenda")).status_code == 200

        assert (await http.post(f"{here}/pause")).status_code == 409  # it has not begun
        assert (await http.post(f"{here}/start")).status_code == 200
        async with door.follow(meeting["id"]) as live:
            events = await heard(live, lambda event: event["event"] == "turn")
            assert (await http.post(f"{here}/start")).status_code == 409  # once is enough
            assert (await http.post(f"{here}/pause")).status_code == 200
            events += await heard(live, lambda event: event["event"] == "status" and event["status"] == "paused")
            assert (await http.delete(here)).status_code == 409  # while it runs
            assert (await http.post(f"{here}/user-input", json={"text": "What would it cost me?"})).status_code == 202
            assert (await http.post(f"{here}/resume")).status_code == 200
            events += await heard(live)
        transcript = (await http.get(f"{here}/transcript")).json()
        assert turns_of(events) == [turn["seq"] for turn in transcript["transcript"]]
        assert "What would it cost me?" in [turn["text"] for turn in transcript["transcript"]]
        assert models.Transcript.model_validate(transcript).model_dump(mode="json") == transcript  # the answer is the model's
        lines = (await http.get(f"{BOARD}/meetings")).json()
        assert models.Meetings.model_validate(lines).model_dump(mode="json") == lines
        later = (await http.get(f"{here}/transcript", params={"after": 10})).json()
        assert later["transcript"] == transcript["transcript"][10:]
        minutes = (await http.get(f"{here}/minutes")).json()["minutes"]
        assert "Weekly Health Review" in minutes
        for accepted, kind in (("text/markdown", "text/markdown"), ("text/html,*/*", "text/plain")):
            as_text = await http.get(f"{here}/minutes", headers={"Accept": accepted})
            assert (as_text.text, as_text.headers["content-type"]) == (minutes, f"{kind}; charset=utf-8")
        over = (await http.get(here)).json()
        assert over["status"] == MeetingStatus.COMPLETED

        await _afterwards(http, here, meeting["id"])
        for path, body in (("pause", None), ("resume", None), ("start", None), ("user-input", {"text": "Wait."})):
            refused = await http.post(f"{here}/{path}", json=body)
            assert (refused.status_code, "over" in refused.json()["detail"]) == (409, True), path
        assert (await http.delete(here)).status_code == 204
        for path in ("", "/transcript", "/minutes", "/agenda", "/conversation"):
            assert (await http.get(f"{here}{path}")).status_code == 404


async def _afterwards(http: httpx2.AsyncClient, here: str, meeting: str) -> None:
    """Resolutions, action items, the summary and the review."""
    early = await http.put(f"{here}/summary/feedback", json={"feedback": " "})
    assert early.status_code == 422
    summary = (await http.get(f"{here}/summary")).json()
    assert summary["headline"]
    assert summary["simulated"] is True
    said = await http.put(f"{here}/summary/feedback", json={"feedback": "Shorter, please."})
    assert said.json()["feedback"][-1]["text"] == "Shorter, please."
    anew = (await http.post(f"{here}/summary/regenerate")).json()
    assert anew["version"] == summary["version"] + 1
    assert (await http.post(f"{here}/summary/regenerate", json={"mail": True})).status_code == 409  # no mail is set up

    listed = (await http.get(f"{BOARD}/resolutions")).json()["resolutions"]
    assert {one["meeting_id"] for one in listed} == {meeting}
    adopted = [one for one in listed if one["motion"]["status"] == "adopted"]
    waiting = (await http.get(f"{BOARD}/resolutions", params={"pending_only": True})).json()["resolutions"]
    assert {one["id"] for one in waiting} == {one["id"] for one in adopted}
    actions = (await http.get(f"{BOARD}/actions")).json()["actions"]
    assert {item["id"] for one in adopted for item in one["action_items"]} <= {one["id"] for one in actions}
    for other in (one for one in listed if one["motion"]["status"] != "adopted"):
        refused = await http.post(f"{BOARD}/resolutions/{other['id']}/respond", json={"response": "accept"})
        assert (refused.status_code, "not adopted" in refused.json()["detail"]) == (409, True)
    assert adopted, "the seed of this meeting adopts nothing: there is nothing to answer"
    first = adopted[0]
    path = f"{BOARD}/resolutions/{first['id']}"
    assert (await http.get(path)).json()["status"] in ("waiting", "stale")
    assert (await http.post(f"{path}/respond", json={"response": "defer"})).status_code == 422  # until when?
    past = await http.post(f"{path}/respond", json={"response": "defer", "until": "2020-01-01"})
    assert (past.status_code, "not in the future" in past.json()["detail"]) == (422, True)
    until = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
    deferred = await http.post(f"{path}/respond", json={"response": "defer", "until": until, "note": "After the holidays."})
    assert (deferred.status_code, deferred.json()["deferred_until"]) == (200, until)
    key = {"Idempotency-Key": "f3a0c2de-8a41"}
    for _ in range(2):
        accepted = await http.post(f"{path}/respond", json={"response": "accept", "note": "Yes."}, headers=key)
        assert accepted.status_code == 200, accepted.text
    assert accepted.json()["user_response"]["response"] == "accept"
    assert [change["kind"] for change in accepted.json()["history"]][:2] == ["deferred", "accepted"]
    second = await http.post(f"{path}/respond", json={"response": "reject"})
    assert (second.status_code, "first answer stands" in second.json()["detail"]) == (409, True)
    for item in first["action_items"]:
        if item["status"] == "pending":
            done = await http.post(f"{BOARD}/actions/{item['id']}/complete")
            assert (done.status_code, done.json()["status"]) == (200, "done")
            assert (await http.post(f"{BOARD}/actions/{item['id']}/complete")).status_code == 409
    assert (await http.get(path)).json()["status"] == "done"
    if first["action_items"]:
        opened = await http.post(f"{BOARD}/actions/{first['action_items'][0]['id']}/reopen")
        assert opened.json()["status"] == "pending"
    added = await http.post(f"{BOARD}/actions", json={"task": "Call the landlord", "deadline": "when the moon is full"})
    assert (added.status_code, added.json()["deadline_reading"], added.json()["due"]) == (201, "unread", None)
    scope = (await http.get(f"{BOARD}/actions/scope")).json()
    assert added.json()["id"] in [one["id"] for one in scope["open_ended"]]
    assert (await http.delete(path)).status_code == 204
    assert (await http.get(path)).status_code == 404
    assert (await http.post(f"{path}/respond", json={"response": "accept"})).status_code == 404
    for bad in ("RES-..", "RES-mtg-x%00", "RES-mtg-9fed5d5a-1%0A", "res-mtg-9fed5d5a-1"):
        assert (await http.get(f"{BOARD}/resolutions/{bad}")).status_code in (404, 422), bad
