"""Resolutions and action items across all meetings (source 000, Trigger Points)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Response

from api import papers
from api.auth import MeetingId, Operator, Reader
from api.bodies import Strict
from api.house import House, house
from api.keys import Key, id_of
from clerk import actions as ledger
from clerk import resolutions as desk
from parliament.following import ResolutionStatus

router = APIRouter(prefix="/api/v1/board", tags=["resolutions"], route_class=Strict)
At = Annotated[House, Depends(house)]
ResolutionId = Annotated[
    str,
    Path(pattern=r"^RES-[A-Za-z0-9][A-Za-z0-9_-]{0,95}$", description="a resolution's id", examples=[papers.RESOLUTION]),
]
ActionId = Annotated[
    str, Path(pattern=r"^ACT-[A-Za-z0-9][A-Za-z0-9_-]{0,95}$", description="an action item's id", examples=["ACT-12345678"])
]
Owner = Annotated[str | None, Query(max_length=200, description="of this owner only")]


@router.get("/resolutions", summary="All resolutions, the newest first")
async def listing(
    who: Reader,
    at: At,
    pending_only: Annotated[bool, Query(description="adopted ones that wait for your answer")] = False,
    status: Annotated[ResolutionStatus | None, Query(description="adopted ones that stand so")] = None,
    meeting_id: Annotated[MeetingId | None, Query(description="of this meeting only")] = None,
) -> papers.Resolutions:
    found = await desk.listing(
        at.store,
        at.settings,
        who.owner,
        pending_only=pending_only,
        status=status.value if status else None,
        meeting_id=meeting_id,
    )
    return papers.Resolutions(resolutions=[papers.Resolution(**one.as_json) for one in found])


@router.get("/resolutions/{resolution_id}", summary="One resolution")
async def get(resolution_id: ResolutionId, who: Reader, at: At) -> papers.Resolution:
    return papers.Resolution(**(await desk.resolution(at.store, at.settings, resolution_id, who.owner)).as_json)


@router.delete("/resolutions/{resolution_id}", summary="Delete a resolution with its action items", status_code=204)
async def delete(resolution_id: ResolutionId, who: Operator, at: At) -> None:
    await desk.delete(at.client, at.store, at.settings, resolution_id, who.owner)


@router.post("/resolutions/{resolution_id}/respond", summary="Accept, reject or defer a resolution")
async def respond(
    resolution_id: ResolutionId, asked: papers.Respond, who: Operator, at: At, key: Key = None
) -> papers.Resolution:
    """The first final answer stands; another one is 409."""
    found = await desk.respond(
        at.client,
        at.store,
        at.settings,
        resolution_id,
        who.owner,
        asked.response.value,
        note=asked.note,
        until=asked.until,
        key=id_of("answer", resolution_id, key),
    )
    return papers.Resolution(**found.as_json)


@router.get("/actions", summary="Action items across all resolutions")
async def actions(
    who: Reader,
    at: At,
    status: Annotated[Literal["pending", "done", "dropped", "all"], Query()] = "all",
    owner: Owner = None,
) -> papers.Actions:
    found = await ledger.listing(at.store, who.owner, status=None if status == "all" else status, owner=owner)
    return papers.Actions(actions=[papers.Action(**ledger.as_json(one)) for one in found])


@router.get("/actions/scope", summary="Open action items: overdue, within a week, later, open-ended")
async def scope(who: Reader, at: At) -> papers.ActionScope:
    found = await ledger.scope(at.store, at.settings, who.owner)
    slots = {
        name: [papers.Action(**ledger.as_json(one)) for one in getattr(found, name)]
        for name in ("overdue", "upcoming_week", "later", "open_ended")
    }
    return papers.ActionScope(**slots)


@router.post("/actions", summary="Add an action item of your own", status_code=201)
async def add(asked: papers.ActionCreate, who: Operator, at: At, response: Response, key: Key = None) -> papers.Action:
    found = await ledger.add(
        at.store,
        at.settings,
        who.owner,
        asked.task,
        owner=asked.owner,
        deadline=asked.deadline,
        key=id_of("action", who.owner, key),
    )
    return papers.Action(**ledger.as_json(found))


@router.post("/actions/{action_id}/complete", summary="Complete an action item")
async def complete(action_id: ActionId, who: Operator, at: At) -> papers.Action:
    return papers.Action(**ledger.as_json(await ledger.turn(at.client, at.store, who.owner, action_id, done=True)))


@router.post("/actions/{action_id}/reopen", summary="Open an action item again")
async def reopen(action_id: ActionId, who: Operator, at: At) -> papers.Action:
    return papers.Action(**ledger.as_json(await ledger.turn(at.client, at.store, who.owner, action_id, done=False)))
