"""Meetings: create, list, read, start, pause, resume, speak to, delete (source 000, Trigger Points)."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import PlainTextResponse

from api import models
from api.auth import Operator, OwnRead, OwnRun, Reader
from api.bodies import Strict
from api.house import House, house
from api.hub import turn_data
from api.keys import Key, id_of
from clerk import erasing, opening, preparing, reading, running
from clerk.errors import DeskError, Kind
from parliament.agenda import AgendaError, make_agenda

router = APIRouter(prefix="/api/v1/board", tags=["meetings"], route_class=Strict)
At = Annotated[House, Depends(house)]


async def meeting_of(at: House, meeting_id: str) -> models.BoardMeeting:
    """The meeting in source 000's structure."""
    return models.BoardMeeting(**await reading.meeting(at.store, meeting_id))


@router.post("/meetings", summary="Create a meeting", status_code=201)
async def create(asked: models.MeetingCreate, who: Operator, at: At, response: Response) -> models.BoardMeeting:
    """The whole pool is seated unless `attendees` says otherwise; `auto` chooses five when the agenda is approved."""
    agenda = None
    if asked.items is not None:
        try:
            agenda = make_agenda([item.model_dump() for item in asked.items])
        except AgendaError as error:
            raise DeskError(opening.sentence_of(error), usage=True) from None
    if await reading.open_meetings(at.store, who.owner) >= at.settings.max_meetings:
        raise DeskError(
            f"There are {at.settings.max_meetings} meetings that are not over, the most one person may have "
            "(BOARDROOM_MAX_MEETINGS): end or delete one first.",
            kind=Kind.REFUSED,
        )
    attendees = asked.attendees if isinstance(asked.attendees, str) else tuple(asked.attendees or ()) or "all"
    request = preparing.CreateRequest(
        name=asked.name,
        attendees=attendees,
        agenda=agenda,
        scheduled_start=asked.scheduled_start,
        review_deadline=asked.review_deadline,
        seed=asked.seed,
    )
    meeting_id = await preparing.create(at.client, at.store, at.settings, request, owner=who.owner, titles=at.embedded)
    response.headers["Location"] = f"{router.prefix}/meetings/{meeting_id}"
    return await meeting_of(at, meeting_id)


@router.get("/meetings", summary="List the meetings, newest first", response_model=models.Meetings)
async def listing(who: Reader, at: At) -> Response:
    return _told({"meetings": await reading.listing(at.store, owner=who.owner)})


@router.get("/meetings/{meeting_id}", summary="Get a meeting")
async def get(meeting_id: OwnRead, at: At) -> models.BoardMeeting:
    return await meeting_of(at, meeting_id)


@router.delete("/meetings/{meeting_id}", summary="Delete a meeting and all its data", status_code=204)
async def delete(meeting_id: OwnRun, at: At) -> None:
    await erasing.delete(at.client, at.store, meeting_id)


@router.post("/meetings/{meeting_id}/start", summary="Start an approved meeting")
async def start(meeting_id: OwnRun, at: At) -> models.Done:
    await preparing.start(at.client, at.store, at.settings, meeting_id)
    return await _done(at, meeting_id)


@router.post("/meetings/{meeting_id}/pause", summary="Pause at the next checkpoint")
async def pause(meeting_id: OwnRun, at: At) -> models.Done:
    await running.pause(at.client, at.store, meeting_id)
    return await _done(at, meeting_id)


@router.post("/meetings/{meeting_id}/resume", summary="Go on after a pause or a halt")
async def resume(meeting_id: OwnRun, at: At) -> models.Done:
    await running.resume(at.client, at.store, at.settings, meeting_id, titles=at.embedded)
    return await _done(at, meeting_id)


@router.post("/meetings/{meeting_id}/user-input", summary="Speak to the board at the next checkpoint", status_code=202)
async def user_input(meeting_id: OwnRun, said: models.UserInput, at: At, key: Key = None) -> models.InputTaken:
    input_id = id_of("inp", meeting_id, key)
    return models.InputTaken(input_id=await running.say(at.client, at.store, meeting_id, said.text, input_id=input_id))


@router.get("/meetings/{meeting_id}/transcript", summary="Read the transcript", response_model=models.Transcript)
async def transcript(
    meeting_id: OwnRead, at: At, after: Annotated[int, Query(ge=0, lt=2**31, description="turns after this seq")] = 0
) -> Response:
    """Only settled turns: a line is never added before one that was given out."""
    found = await reading.settled(at.store, meeting_id, after)
    status = await reading.status(at.store, meeting_id)
    last = found[-1].seq if found else after
    turns = [turn_data(turn) for turn in found]
    return _told({"meeting_id": meeting_id, "status": status.value, "last_seq": last, "transcript": turns})


@router.get(
    "/meetings/{meeting_id}/minutes",
    summary="Read the minutes",
    response_model=models.Minutes,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}, "text/plain": {}}}},
)
async def minutes(meeting_id: OwnRead, at: At, request: Request) -> models.Minutes | Response:
    """Rendered from the record alone: Markdown in JSON; as it is for who accepts text/markdown, and for a browser."""
    found = await reading.minutes(at.store, meeting_id)
    accepted = request.headers.get("accept", "")
    if "text/markdown" in accepted:
        return PlainTextResponse(found, media_type="text/markdown")
    if "text/html" in accepted:  # a browser would keep Markdown as a file; as text it is shown
        return PlainTextResponse(found)
    return models.Minutes(meeting_id=meeting_id, minutes=found)


async def _done(at: House, meeting_id: str) -> models.Done:
    return models.Done(meeting_id=meeting_id, status=await reading.status(at.store, meeting_id))


def _told(value: dict[str, Any]) -> Response:
    """JSON of our own record as it is: checking every line of it again against its model cost more than reading it.

    A test holds the models to what is sent.
    """
    return Response(json.dumps(value, ensure_ascii=False, separators=(",", ":")), media_type="application/json")
