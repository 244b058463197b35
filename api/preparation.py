"""The agenda and the conversation about it (source 000, Trigger Points). What the desk refuses is 409 with its reason."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from api import models
from api.auth import OwnRead, OwnRun
from api.bodies import Strict
from api.house import House, house
from api.keys import Key, id_of
from clerk import preparing

router = APIRouter(prefix="/api/v1/board/meetings/{meeting_id}", tags=["agenda"], route_class=Strict)
At = Annotated[House, Depends(house)]
ItemId = Annotated[str, Path(pattern=r"^agenda-[1-9][0-9]{0,3}$", examples=["agenda-1"])]


def _view(found: preparing.AgendaView) -> models.AgendaView:
    return models.AgendaView(
        meeting_id=found.meeting_id,
        status=found.status,
        version=found.version,
        planned_minutes=found.planned_minutes,
        agenda=models.Agenda(**found.agenda.model_dump(mode="json")) if found.agenda is not None else None,
        changes=[
            models.Change(version=change.version, origin=change.origin, lines=change.lines, at=change.at.isoformat())
            for change in found.changes
        ],
    )


def _message(found: preparing.Message) -> models.Message:
    return models.Message(
        id=found.id,
        role=found.role,
        content=found.content,
        timestamp=found.timestamp.isoformat(),
        agenda_action=found.agenda_action,
    )


def _waited(response: Response, found: preparing.AgendaView, done: bool) -> models.AgendaView:
    """202 while the chairman is still at it: the agenda will stand at a higher version when it is done."""
    if not done:
        response.status_code = 202
    return _view(found)


_LATER: dict[int | str, dict[str, object]] = {202: {"model": models.AgendaView, "description": "The chairman is still at it."}}


@router.get("/agenda", summary="The agenda, its version and its changes")
async def agenda(meeting_id: OwnRead, at: At) -> models.AgendaView:
    return _view(await preparing.agenda(at.store, meeting_id))


@router.post("/request-agenda", summary="The chairman drafts the agenda", responses=_LATER)
async def request_agenda(meeting_id: OwnRun, at: At, response: Response) -> models.AgendaView:
    return _waited(response, *await preparing.request_agenda(at.client, at.store, meeting_id))


@router.post("/revise-agenda", summary="The chairman revises the agenda by feedback", responses=_LATER)
async def revise_agenda(meeting_id: OwnRun, asked: models.Revision, at: At, response: Response) -> models.AgendaView:
    return _waited(response, *await preparing.revise(at.client, at.store, meeting_id, asked.feedback))


@router.post("/edit-agenda", summary="Return to the draft")
async def edit_agenda(meeting_id: OwnRun, at: At) -> models.AgendaView:
    return _view(await preparing.edit(at.client, at.store, meeting_id))


@router.post("/approve-agenda", summary="Lock the agenda")
async def approve_agenda(meeting_id: OwnRun, at: At, asked: models.Approval | None = None) -> models.AgendaView:
    return _view(await preparing.approve(at.client, at.store, meeting_id, asked.version if asked is not None else None))


@router.post("/agenda/operations", summary="Change the agenda by typed operations")
async def operations(meeting_id: OwnRun, asked: models.Operations, at: At) -> models.AgendaView:
    """add, update, remove, reorder, set_type, set_minutes: all or none, at the version that was read."""
    return _view(await preparing.change_agenda(at.client, at.store, meeting_id, asked.operations, asked.version))


@router.post("/agenda/undo", summary="Take the last change back")
async def undo(meeting_id: OwnRun, asked: models.Version, at: At) -> models.AgendaView:
    return _view(await preparing.undo(at.client, at.store, meeting_id, asked.version))


@router.put("/agenda/items/{item_id}/commentary", summary="Add notes to an item")
async def commentary(meeting_id: OwnRun, item_id: ItemId, asked: models.Commentary, at: At) -> models.AgendaView:
    return _view(await preparing.comment(at.store, meeting_id, item_id, asked.commentary))


@router.put("/agenda/feedback", summary="Overall feedback, and perhaps a revision", responses=_LATER)
async def feedback(meeting_id: OwnRun, asked: models.Feedback, at: At, response: Response) -> models.AgendaView:
    found = await preparing.feedback(at.client, at.store, meeting_id, asked.feedback, request_revision=asked.request_revision)
    return _waited(response, *found)


@router.get("/conversation", summary="The conversation with the chairman")
async def conversation(meeting_id: OwnRead, at: At) -> models.Conversation:
    return models.Conversation(messages=[_message(m) for m in await preparing.conversation(at.store, meeting_id)])


@router.post("/conversation", summary="Say something to the chairman")
async def converse(meeting_id: OwnRun, said: models.Words, at: At, key: Key = None) -> models.Exchange:
    """The chairman answers, and changes the agenda where it was asked to; its words pass by live meanwhile."""
    message_id = id_of("msg", meeting_id, key)
    found = await preparing.converse(at.client, at.store, meeting_id, said.message, message_id=message_id)
    return models.Exchange(message_id=found.message_id, reply=_message(found.reply), lines=found.lines, view=_view(found.view))


@router.delete("/conversation", summary="Forget the conversation")
async def clear(meeting_id: OwnRun, at: At) -> models.Cleared:
    return models.Cleared(cleared=await preparing.clear_conversation(at.store, meeting_id))
