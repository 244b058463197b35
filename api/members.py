"""The members who can be seated (source 000, Trigger Points)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from api import models
from api.auth import Reader
from api.bodies import Strict
from api.house import House, house
from clerk import opening
from clerk.errors import DeskError, Kind

router = APIRouter(prefix="/api/v1/board/members", tags=["members"], route_class=Strict)
At = Annotated[House, Depends(house)]
MemberId = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_-]{0,63}$", examples=["dalio"])]


@router.get("", summary="List the members")
async def listing(who: Reader, at: At) -> models.Members:
    return models.Members(members=[models.Member(**member) for member in opening.members(at.settings)])


@router.get("/{member_id}", summary="Get a member")
async def get(member_id: MemberId, who: Reader, at: At) -> models.Member:
    found = next((member for member in opening.members(at.settings) if member["id"] == member_id), None)
    if found is None:
        raise DeskError("There is no such member: GET /api/v1/board/members lists them.", kind=Kind.UNKNOWN)
    return models.Member(**found)
