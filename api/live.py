"""Following a meeting live: WS …/ws, tickets for it, and passing events from programs that may (source 000, WebSocket)."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, WebSocket, WebSocketDisconnect

from api import models
from api.auth import Own, OwnRead, Reader, ticket_in
from api.bodies import Strict
from api.house import House, house, house_of
from api.hub import AGAIN, DELETED, OVER, PER_OWNER, SLOW, Follower, TooMany
from api.problems import Problem
from clerk import access, passing
from clerk.access import Who

router = APIRouter(prefix="/api/v1/board/meetings", tags=["live"], route_class=Strict)

PROTOCOL = "boardroom"
"""The subprotocol that is answered; a client that sends a ticket offers it beside the ticket."""
CHECKED_EVERY = 5.0
"""Seconds after which what somebody came in by is looked at again."""
PARTING = 5.0
"""Seconds that a reader which does not read has to hear why it is cut."""
REVOKED = 4401

_REASONS = {
    OVER: "the meeting is over",
    AGAIN: "the record cannot be read now: come back with after=<your last seq>",
    SLOW: "you read too slowly: come back with after=<your last seq>",
    DELETED: "the meeting was deleted",
    REVOKED: "what you came in by is no longer good",
}


@router.post("/{meeting_id}/tickets", summary="A one-time ticket for a live connection", status_code=201)
async def ticket(meeting_id: OwnRead, who: Reader, at: Annotated[House, Depends(house)]) -> models.Ticket:
    """Good for 30 seconds and one connection; sent as the WebSocket subprotocol `boardroom.ticket.<ticket>`."""
    return models.Ticket(
        ticket=await access.live_ticket(at.store, who, meeting_id), expires_in=int(access.LIVE_FOR.total_seconds())
    )


@router.post("/{meeting_id}/broadcast", summary="Pass words or a notice to whoever follows", status_code=202)
async def broadcast(
    meeting_id: Annotated[str, Depends(Own("worker"))], event: models.Broadcast, at: Annotated[House, Depends(house)]
) -> models.Accepted:
    """Only what passes: words as they are spoken, and notices. A line of the transcript comes from the record alone."""
    await passing.tell(at.store, meeting_id, kind=event.event, text=event.text, member_id=event.member_id or "")
    return models.Accepted(accepted=True)


@router.websocket("/{meeting_id}/ws")
async def follow(socket: WebSocket, meeting_id: OwnRead, who: Reader, after: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> None:
    """Turns after `after` from the record, then everything as it happens, until the meeting is over.

    Who may not is answered with a problem instead of a connection: who asks is known before anything is accepted.
    """
    at = house_of(socket)
    async with contextlib.AsyncExitStack() as exits:
        try:
            first, follower = await exits.enter_async_context(at.hub.join(meeting_id, who.owner, after))
        except TooMany:
            raise Problem(
                429, f"One person may have {PER_OWNER} live connections: close one first.", {"Retry-After": "5"}
            ) from None
        offered = socket.scope.get("subprotocols", ())
        await socket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else ticket_in(offered, whole=True))
        await _followed(at, socket, who, first, follower)


async def _followed(at: House, socket: WebSocket, who: Who, first: list[str], follower: Follower) -> None:
    """Send until the meeting is over, the other side leaves, or it has to."""
    sending = asyncio.create_task(_send(socket, first, follower))
    leaving = asyncio.create_task(_left(socket))
    work: list[asyncio.Task[Any]] = [
        sending,
        leaving,
        asyncio.create_task(_checked(at, who, follower)),
        asyncio.create_task(follower.cut.wait()),
    ]
    try:
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    if follower.code is None or (leaving.done() and not leaving.cancelled()):
        return
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
        # A reader that reads nothing holds up its own farewell too.
        await asyncio.wait_for(socket.close(follower.code, _REASONS[follower.code]), PARTING)


async def _send(socket: WebSocket, first: list[str], follower: Follower) -> None:
    for text in first:
        await socket.send_text(text)
    async for text in follower.texts():
        await socket.send_text(text)


async def _left(socket: WebSocket) -> None:
    """Return when the other side has left. Nothing a follower says is heard."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _checked(at: House, who: Who, follower: Follower) -> None:
    """End the connection when what somebody came in by ran out or was taken back."""
    while True:
        await asyncio.sleep(CHECKED_EVERY)
        late = who.expires_at is not None and who.expires_at <= datetime.now(UTC)
        try:
            stands = not late and await access.still_stands(at.store, who)
        except access.STORE_AWAY:
            follower.end(AGAIN)  # who cannot be checked does not stay
            return
        if not stands:
            follower.end(REVOKED)
            return
