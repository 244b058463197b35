"""Following a meeting live: WS …/ws, tickets for it, and passing events from programs that may (source 000, WebSocket)."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, WebSocket, WebSocketDisconnect
from starlette.websockets import WebSocketState

from api import models
from api.auth import MeetingId, Needs, OwnRead, Reader, authenticated
from api.house import House, house, house_of
from api.hub import OVER, Follower
from api.problems import Problem
from clerk import access, passing, reading
from clerk.access import Who
from clerk.errors import DeskError

router = APIRouter(prefix="/api/v1/board/meetings", tags=["live"])

PROTOCOL = "boardroom"
TICKET = "boardroom.ticket."
"""A one-time ticket travels as a WebSocket subprotocol, never in an address, which logs keep."""

CHECKED_EVERY = 5.0
"""Seconds after which what somebody came in by is looked at again."""
NOT_ALLOWED, REVOKED, TOO_MANY = 4403, 4401, 4429


@router.post("/{meeting_id}/tickets", summary="A one-time ticket for a live connection", status_code=201)
async def ticket(meeting_id: OwnRead, who: Reader, at: Annotated[House, Depends(house)]) -> models.Ticket:
    """Good for 30 seconds and one connection; sent as the WebSocket subprotocol `boardroom.ticket.<ticket>`."""
    return models.Ticket(
        ticket=await access.live_ticket(at.store, who, meeting_id), expires_in=int(access.LIVE_FOR.total_seconds())
    )


@router.post("/{meeting_id}/broadcast", summary="Pass words or a notice to whoever follows", status_code=202)
async def broadcast(
    meeting_id: MeetingId,
    event: models.Broadcast,
    who: Annotated[Who, Depends(Needs("worker"))],
    at: Annotated[House, Depends(house)],
) -> models.Accepted:
    """Only what passes: words as they are spoken, and notices. A line of the transcript comes from the record alone."""
    await reading.owned(at.store, meeting_id, who.owner)
    await passing.tell(at.store, meeting_id, kind=event.event, text=event.text, member_id=event.member_id or "")
    return models.Accepted(accepted=True)


@router.websocket("/{meeting_id}/ws")
async def follow(socket: WebSocket, meeting_id: str, after: Annotated[str, Query()] = "0") -> None:
    """Turns after `after` from the record, then everything as it happens, until the meeting is over."""
    at = house_of(socket)
    who, protocol = await _admitted(at, socket, meeting_id)
    if who is None:
        await socket.close(NOT_ALLOWED if protocol else REVOKED)
        return
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        await socket.close(4422, "after is the seq of the last turn you have")
        return
    async with at.hub.join(meeting_id, who.owner, int(after)) as joined:
        if joined is None:
            await socket.close(TOO_MANY, "too many connections")
            return
        first, follower = joined
        await socket.accept(subprotocol=protocol or None)
        watching = asyncio.create_task(_watched(at, socket, who, follower))
        try:
            for text in first:
                await socket.send_text(text)
            await _sent(socket, follower)
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # the other side left
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching


follow.live = True  # type: ignore[attr-defined]  # authenticates by itself, before it accepts


async def _admitted(at: House, socket: WebSocket, meeting_id: str) -> tuple[Who | None, str]:
    """Who follows, and the subprotocol to answer with; nobody, when the meeting is not theirs or they may not read."""
    offered = [name.strip() for name in socket.headers.get("sec-websocket-protocol", "").split(",") if name.strip()]
    given = next((name.removeprefix(TICKET) for name in offered if name.startswith(TICKET)), None)
    protocol = PROTOCOL if PROTOCOL in offered else (TICKET + given if given is not None else "")
    try:
        if given is not None:
            who = await access.by_live_ticket(at.store, given, meeting_id)
        else:
            who = await authenticated(at, socket)
            if who is not None and who.csrf_hash is not None and "origin" not in socket.headers:
                return None, ""  # a cookie counts only from a page that says where it comes from
        if who is None or "reader" not in who.scopes:
            return None, ""
        await reading.owned(at.store, meeting_id, who.owner)
    except (DeskError, Problem):
        return None, protocol
    return who, protocol


async def _sent(socket: WebSocket, follower: Follower) -> None:
    """Send what comes until the follower is ended, and close with its code."""
    while True:
        while not follower.queue.empty():
            await socket.send_text(follower.queue.get_nowait())
            if follower.ended not in (None, OVER):
                break
        if follower.ended is not None and (follower.queue.empty() or follower.ended != OVER):
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(follower.ended, _REASONS.get(follower.ended, ""))
            return
        follower.woken.clear()
        await follower.woken.wait()


_REASONS = {
    OVER: "the meeting is over",
    4408: "you read too slowly: come back with after=<your last seq>",
    4404: "the meeting was deleted",
    REVOKED: "what you came in by is no longer good",
}


async def _watched(at: House, socket: WebSocket, who: Who, follower: Follower) -> None:
    """Notice when the other side leaves, and when what it came in by is taken back."""
    receiving: asyncio.Task[Any] = asyncio.create_task(socket.receive())
    try:
        while True:
            done, _ = await asyncio.wait({receiving}, timeout=CHECKED_EVERY)
            if done:
                if receiving.result()["type"] == "websocket.disconnect":
                    follower.end(1001)
                    return
                receiving = asyncio.create_task(socket.receive())  # nothing a follower says is heard
            late = who.expires_at is not None and who.expires_at <= datetime.now(UTC)
            if late or not await access.still_stands(at.store, who):
                follower.end(REVOKED)
                return
    except RuntimeError:
        follower.end(1001)
    finally:
        receiving.cancel()
