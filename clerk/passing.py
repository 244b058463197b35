"""Passing events for whoever follows a meeting: words and notices that are no part of the record (SERVICE_SECURITY 9)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING

from clerk import reading
from clerk.errors import DeskError, Kind
from parliament.text import is_blank, printable
from parliament.values import MeetingStatus
from records import live

if TYPE_CHECKING:
    from records.engine import Store

MAX_TEXT = 4096
"""Characters of one event."""
CALL = "broadcast/"
"""What the call ids of words begin with that a program passed on: no voice said them."""
PASSED = timedelta(minutes=1)
"""How long every process has to see a passing event before it is forgotten."""


async def tell(store: Store, meeting_id: str, *, kind: str, text: str, member_id: str = "") -> None:
    """Put a passing event ("words" or "notice") where every process's followers see it. Raises DeskError."""
    meeting = await reading.known(store, meeting_id)
    if meeting.status is MeetingStatus.COMPLETED or meeting.ended_by is not None:
        raise DeskError(f"The meeting {meeting_id} is over: nobody follows it.", kind=Kind.REFUSED)
    if kind not in ("words", "notice"):
        raise DeskError("Only words and notices pass; a line of the transcript comes from the record alone.", usage=True)
    words = printable(text)
    if is_blank(words) or len(words) > MAX_TEXT:
        raise DeskError(f"A passing event has 1 to {MAX_TEXT} characters.", usage=True)
    members = {member["id"] for member in meeting.config["members"]}
    if kind == "words" and member_id not in members:
        raise DeskError("Words pass under the id of a member of this meeting.", usage=True)
    now = datetime.now(UTC)
    async with store.write() as tx:
        await live.forget_passed(tx, meeting_id, now - PASSED)
        await live.append(
            tx,
            meeting_id=meeting_id,
            call_id=f"{CALL}{token_hex(8)}",
            attempt=1,
            member_id=member_id,
            seq=None,
            kind=kind,
            text=words,
            at=now,
        )
