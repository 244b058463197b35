"""Proposal reviews: hand one in, follow it, read what came of it, decide what was escalated (source 001)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response

from api import proposals as models
from api.auth import Operator, Reader
from api.bodies import Strict
from api.house import House, house
from api.keys import Key, id_of
from clerk import reading, reviews
from clerk.errors import DeskError, Kind

router = APIRouter(prefix="/api/v1/reviews", tags=["reviews"], route_class=Strict)
At = Annotated[House, Depends(house)]
ReviewId = Annotated[
    str,
    Path(
        pattern=r"^(board-[0-9]{8}-[1-9][0-9]{0,5}|mtg-[A-Za-z0-9][A-Za-z0-9_-]{0,95})$",
        description="a review's session id, or its meeting's id",
        examples=[models.SESSION],
    ),
]


@router.post("", summary="Hand in a proposal: the directors review it at once", status_code=201)
async def create(asked: models.ReviewCreate, who: Operator, at: At, response: Response) -> models.Review:
    """Follow it live at the WebSocket of its `meeting_id`. Files are written where BOARDROOM_REVIEWS_DIR names a folder."""
    if await reading.open_meetings(at.store, who.owner) >= at.settings.max_meetings:
        raise DeskError(
            f"There are {at.settings.max_meetings} meetings that are not over, the most one person may have "
            "(BOARDROOM_MAX_MEETINGS): end or delete one first.",
            kind=Kind.REFUSED,
        )
    request = reviews.ReviewRequest(
        documents=tuple(reviews.Proposal(one.name, one.text) for one in asked.documents),
        track=asked.track,
        folder=at.settings.reviews_dir,
        rounds=asked.rounds,
        title=asked.title,
        seed=asked.seed,
        owner=who.owner,
    )
    opened = await reviews.open_review(at.store, at.settings, reviews.plan(at.settings, request))
    await reviews.start(at.client, at.store, at.settings, opened.meeting_id)
    response.headers["Location"] = f"{router.prefix}/{opened.session_id}"
    return models.Review(**(await reviews.stand(at.store, opened.meeting_id, who.owner)).as_json)


@router.get("", summary="List the reviews, newest first")
async def listing(
    who: Reader, at: At, track: Annotated[str | None, Query(max_length=100, description="of this track only")] = None
) -> models.Reviews:
    found = await reviews.listing(at.store, who.owner, track=track)
    return models.Reviews(reviews=[models.ReviewLine(**reviews.line(one)) for one in found])


@router.get("/{review_id}", summary="Where a review stands, and what came of it")
async def get(review_id: ReviewId, who: Reader, at: At) -> models.Review:
    return models.Review(**(await reviews.stand(at.store, review_id, who.owner)).as_json)


@router.get("/{review_id}/files", summary="The files of a review, by name")
async def files(review_id: ReviewId, who: Reader, at: At) -> models.ReviewFiles:
    found: dict[str, Any] = await reviews.files(at.store, review_id, who.owner)
    return models.ReviewFiles(files=found)


@router.post("/{review_id}/decide", summary="Decide a proposal that the directors escalated")
async def decide(review_id: ReviewId, asked: models.Decide, who: Operator, at: At, key: Key = None) -> models.Review:
    """The first decision stands; another one is 409."""
    found = await reviews.decide(
        at.client,
        at.store,
        review_id,
        asked.answer,
        asked.because,
        owner=who.owner,
        key=id_of("decision", review_id, key),
    )
    return models.Review(**found.as_json)
