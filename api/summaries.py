"""A meeting's executive summary and its review (source 000, Trigger Points)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends

from api import papers
from api.auth import OwnRead, OwnRun
from api.bodies import Strict
from api.house import House, house
from clerk import summaries

router = APIRouter(prefix="/api/v1/board/meetings/{meeting_id}", tags=["summary"], route_class=Strict)
At = Annotated[House, Depends(house)]


@router.get("/summary", summary="The executive summary; it is written when there is none yet")
async def get(meeting_id: OwnRead, at: At) -> papers.Summary:
    return papers.Summary(**(await summaries.summary(at.client, at.store, at.settings, meeting_id)).as_json)


@router.post("/summary/regenerate", summary="Write the summary anew, by what you said of it")
async def regenerate(meeting_id: OwnRun, at: At, asked: papers.Regenerate | None = None) -> papers.Summary:
    mail = asked.mail if asked is not None else False
    return papers.Summary(**(await summaries.regenerate(at.client, at.store, at.settings, meeting_id, mail=mail)).as_json)


@router.put("/summary/feedback", summary="Say what you think of the summary")
async def feedback(meeting_id: OwnRun, asked: papers.SummaryFeedback, at: At) -> papers.Summary:
    return papers.Summary(**(await summaries.give_feedback(at.store, meeting_id, asked.feedback)).as_json)


@router.get("/review", summary="The secretary's review")
async def review(meeting_id: OwnRead, at: At) -> papers.Review:
    return papers.Review(**await summaries.review(at.store, meeting_id))
