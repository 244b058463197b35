"""Directors review proposals on a real server: what is said, what is counted, what is missing, and who decides in the end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from clerk import reading, reviews, running
from clerk.errors import DeskError, Kind
from parliament.record import TurnRecord
from protocols.proposal_review import Missing, Outcome
from records import turns
from tests.support.mailbox import mailbox
from tests.support.meetings import House, house
from tests.support.messages_service import Behaviour
from tests.support.reviews import LOYALTY, PAYMENTS, SPLIT, TOKENS, opened, reviewed
from voices.simulated.directors.domains import DOMAINS
from voices.simulated.directors.proposal import look

pytestmark = pytest.mark.server


@pytest.fixture
async def simulated(server: str, tmp_path: Path) -> Any:
    async with house(server, tmp_path / "data", call_retries=0) as found:
        yield found


async def transcript(board: House, meeting_id: str) -> list[TurnRecord]:
    return await board.store.look(lambda tx: turns.transcript(tx, meeting_id))


def of(found: reviews.Stand, director: str) -> Any:
    """(Assessment, contributions, vote) of one director."""
    record = found.record
    return (
        next((one for one in record.assessments if one.director == director), None),
        [one for one in record.contributions if one.director == director],
        next((one for one in record.votes if one.director == director), None),
    )


# -- three proposals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "outcome"), [(PAYMENTS, Outcome.APPROVED), (LOYALTY, Outcome.REJECTED), (TOKENS, Outcome.APPROVED)],
    ids=["markdown with code and tables", "a thin idea", "a diff"],
)  # fmt: skip
async def test_a_real_proposal_is_reviewed_by_each_director_for_its_own_domain(
    simulated: House, file: Path, outcome: Outcome
) -> None:
    found = await reviewed(simulated, file)
    record, text = found.record, " ".join(file.read_text().replace("*", "").replace("`", "").split())
    assert record.review.outcome is outcome
    assert found.session.status == "completed" and not record.review.degraded
    assert [one.code for one in record.directors] == ["CA", "CPO", "CSO", "COO", "CXO"]
    quotes = 0
    for one, domain in zip(record.directors, DOMAINS, strict=True):
        assessment, _, vote = of(found, one.id)
        kind = look(((file.name, file.read_text()),)).kind
        gaps = [aspect.gap for aspect in domain.aspects(kind)]
        names = [aspect.name for aspect in domain.aspects(kind)]
        said = " ".join([*assessment.key_points, *assessment.concerns])
        assert any(name in said.casefold() for name in names) or any(gap in said for gap in gaps), one.code
        others = {aspect.gap for other in DOMAINS if other is not domain for aspect in other.aspects(kind)} - set(gaps)
        assert not any(gap in said for gap in others), f"{one.code} speaks of another's domain"
        for point in assessment.key_points:
            if "“" in point and not point.startswith(("I find", "The change")):
                quoted = point.partition("“")[2].partition("”")[0].removesuffix(" …").split(": ")[0]
                assert quoted.replace("*", "") in text, quoted  # of this proposal
                quotes += 1
        assert vote.final_verdict is not None and vote.confidence is not None and vote.reason
    assert quotes >= 3
    lines = await transcript(simulated, found.session.meeting_id)
    assert [turn.seq for turn in lines] == list(range(1, len(lines) + 1))
    rounds = {turn.purpose for turn in lines}
    assert {"assessment", "final_vote", "assessed", "vote_called", "resolved"} <= rounds


async def test_two_proposals_get_different_reviews_and_the_same_seed_the_same(server: str, tmp_path: Path) -> None:
    said = []
    for n, file in enumerate((PAYMENTS, PAYMENTS, LOYALTY)):
        async with house(server, tmp_path / str(n)) as board:
            record = (await reviewed(board, file)).record
            said.append([record.assessments, record.contributions, record.votes])
    assert said[0] == said[1] != said[2]


async def test_a_proposal_of_two_megabytes_is_read_whole(simulated: House) -> None:
    text = (
        "# Archive everything\n\n" + "The archive keeps records for seven years. " * 46_000 + "\n\nOwner: the platform team.\n"
    )
    documents = (reviews.Proposal("long.md", text), reviews.Proposal("second.md", "# Second\n\nA second file.\n"))
    assert 1_900_000 < len(text.encode()) < reviews.MAX_PROPOSAL
    found = await reviewed(simulated, documents=documents, rounds=0)
    assert [one.name for one in found.record.documents] == ["long.md", "second.md"]
    history = await simulated.client.get_workflow_handle(found.session.meeting_id).fetch_history()
    raw = b"".join(event.SerializeToString() for event in history.events)
    assert b"archive" not in raw.lower() and len(raw) < 40_000  # law 6


# -- what is missing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["assessment", "response", "rebuttal", "position", "final_vote"])
async def test_a_director_that_times_out_in_a_phase_keeps_what_it_said_before(simulated: House, phase: str) -> None:
    found = await reviewed(simulated, LOYALTY, faults=f"silent:cso:{phase}")
    assessment, contributions, vote = of(found, "cso")
    lacks = [(lack.director, lack.phase, lack.why) for lack in found.record.review.degraded]
    assert lacks == [("cso", phase, "no_reply")]
    assert (assessment.missing is Missing.NO_REPLY) == (phase == "assessment")
    assert (vote.missing is Missing.NO_REPLY) == (phase == "final_vote")
    missing = {"response": 1, "rebuttal": 2, "position": 3}.get(phase)
    assert [one.round for one in contributions if one.missing is not None] == ([missing] if missing else [])
    if phase != "assessment":
        assert assessment.verdict is not None and assessment.key_points
    assert found.record.review.vote == ("0-4-1" if phase == "final_vote" else "0-5")
    assert found.record.review.outcome is Outcome.REJECTED
    assert found.as_json["degraded"] == [{"director": "CSO", "phase": phase, "why": "no_reply"}]


async def test_a_director_that_answers_in_prose_is_read_where_it_is_plain(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="prose_votes:coo")
    assessment, contributions, vote = of(found, "coo")
    assert (assessment.reading, assessment.verdict, assessment.score) == ("tolerant", "APPROVE", 10)
    assert all(one.reading == "tolerant" and one.statement for one in contributions)
    assert (vote.reading, vote.final_verdict) == ("tolerant", "APPROVE") and vote.confidence is not None
    assert found.record.review.vote == "5-0"


async def test_prose_that_says_nothing_plain_is_no_verdict_and_no_vote(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="malformed:coo")
    assessment, _, vote = of(found, "coo")
    assert assessment.missing is vote.missing is Missing.UNREADABLE
    assert found.record.review.vote == "4-0-1"
    assert {(lack.phase, lack.why) for lack in found.record.review.degraded} == {
        ("assessment", "unreadable"), ("final_vote", "unreadable"),
    }  # fmt: skip


async def test_the_score_na_is_no_score_and_is_shown_as_it_was_said(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="no_score:cxo:assessment")
    assessment, _, vote = of(found, "cxo")
    assert (assessment.score, assessment.score_said, assessment.verdict) == (None, "N/A", "APPROVE")
    assert [(lack.director, lack.why) for lack in found.record.review.degraded] == [("cxo", "no_score")]
    assert vote.final_verdict == "APPROVE"


async def test_who_votes_twice_and_differently_has_not_voted(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="votes_twice:ca:final_vote")
    assert of(found, "ca")[2].missing is Missing.UNREADABLE
    assert found.record.review.vote == "4-0-1"


async def test_a_question_to_nobody_is_put_to_the_board_and_listed_when_nobody_answers(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="asks_nobody:coo:assessment", rounds=0)
    (matter,) = [one for one in found.record.review.matters if one.matter.director == "coo" and one.matter.kind == "question"]
    assert (matter.matter.to, matter.open, matter.answered_by) == ((), True, ())
    session = json.loads(next(iter((await reviews.files(simulated.store, found.session.session_id)).values())))
    assert matter.matter.id in session["unanswered"]


async def test_law_02_a_vote_without_a_vote_being_called_does_not_count_and_is_said_of(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults="early_vote:cso:response")
    assert of(found, "cso")[2].final_verdict == "APPROVE"  # it had put in REJECT before
    said = [turn.text for turn in await transcript(simulated, found.session.meeting_id) if turn.purpose == "early_vote"]
    assert said == ["Chief Security Officer put in a vote before the vote was called: it does not count."]


async def test_a_round_with_nothing_open_is_skipped_and_the_clerk_says_so(
    server: str, tmp_path: Path, messages: tuple[str, Behaviour]
) -> None:
    """Through the real client: nobody has a concern or a question, so nothing is discussed."""
    url, service = messages
    service.replies |= {
        "/assessment/": {"speaking": "Fine.", "verdict": "APPROVE", "score": 9, "key_points": ["It is small."],
                         "concerns": [], "questions_for_board": []},
        "/final_vote/": {"speaking": "Yes.", "final_verdict": "APPROVE", "confidence": 0.9, "conditions": ["Add caching"],
                         "dissent_noted": False},
    }  # fmt: skip
    more: dict[str, Any] = {"provider": "anthropic", "anthropic_api_key": "sk-ant-local-test-key", "anthropic_base_url": url}
    async with house(server, tmp_path, **more) as board:
        found = await reviewed(board, PAYMENTS)
        said = [turn.purpose for turn in await transcript(board, found.session.meeting_id) if turn.member_id == "clerk"]
    assert found.record.skipped == (1, 2, 3)
    assert said.count("round_skipped") == 3 and "round" not in said
    assert not found.session.simulated
    assert [(c.text, c.by) for c in found.record.review.conditions] == [("Add caching", ("ca", "cpo", "cso", "coo", "cxo"))]
    assert len(service.calls) == 10
    assert all("Idempotency-Key" in str(request) for request in service.requests)  # the proposal is in every prompt


async def test_rounds_can_be_left_out(simulated: House) -> None:
    found = await reviewed(simulated, LOYALTY, rounds=0)
    assert found.record.contributions == () and found.record.skipped == ()
    assert [c.met for c in found.record.review.criteria][1] is False  # nobody has spoken to the concerns


# -- time and money ----------------------------------------------------------------------------------------------------


async def test_law_13_on_a_deadline_the_directors_still_vote(server: str, tmp_path: Path) -> None:
    async with house(server, tmp_path, rules={"meeting_deadline": 1.0}) as board:
        found = await reviewed(board, PAYMENTS, faults="slow:cso:assessment")
    assert found.session.ended_by == "deadline"
    assert found.record.contributions == () and len([v for v in found.record.votes if v.final_verdict]) == 5


async def test_law_13_an_empty_purse_ends_it_with_what_stands(server: str, tmp_path: Path) -> None:
    async with house(server, tmp_path, budget_calls=5) as board:
        found = await reviewed(board, PAYMENTS)
        assert found.status == "escalated"
        await reviews.decide(board.client, board.store, found.session.session_id, "reject", "Once more, with money.")
        await board.client.get_workflow_handle(found.session.meeting_id).result()
        found = await reviews.stand(board.store, found.session.session_id)
    assert (found.session.ended_by, found.record.review.vote, found.session.decision) == ("budget", "0-0-5", "reject")


# -- the person --------------------------------------------------------------------------------------------------------


async def test_what_is_escalated_waits_for_the_person_and_the_first_decision_stands(server: str, tmp_path: Path) -> None:
    async with mailbox() as mail, house(server, tmp_path, call_retries=0, **mail.settings) as board:
        found = await reviewed(board, PAYMENTS, faults=SPLIT, folder=tmp_path / "out")
        id = found.session.session_id
        assert (found.status, found.record.review.vote) == ("escalated", "2-0-3")
        assert {lack.director for lack in found.record.review.degraded} == {"ca", "cpo", "coo"}

        async def told() -> list[Any]:
            return [one for one in mail.mails if "waits for your decision" in str(one["Subject"])]

        (one,) = await board.until(told, "the notice")
        assert found.session.meeting_id in str(one.get_content()) and "Payments" not in str(one.get_content())
        with pytest.raises(DeskError, match="Say why"):
            await reviews.decide(board.client, board.store, id, "approve", "  ")
        both = await asyncio.gather(
            reviews.decide(board.client, board.store, id, "approve", "The pilot is small."),
            reviews.decide(board.client, board.store, id, "reject", "No."),
            return_exceptions=True,
        )
        refused = [one for one in both if isinstance(one, DeskError)]
        assert [one.kind for one in refused] == [Kind.REFUSED]
        await board.client.get_workflow_handle(found.session.meeting_id).result()
        stand = await reviews.stand(board.store, id)
        given = "approve" if isinstance(both[1], DeskError) else "reject"
        assert (stand.session.decision, stand.status) == (given, "completed")
        with pytest.raises(DeskError, match="decided already"):
            await reviews.decide(board.client, board.store, id, "approve", "Again.")
        written = (tmp_path / "out" / ".message-bus" / "board" / "resolution.md").read_text()
        assert f"**{given}" in written.replace("approved", "approve").replace("rejected", "reject") or given in written
        assert stand.record.decision is not None and stand.record.decision.because in written


async def test_only_what_was_escalated_can_be_decided(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS)
    with pytest.raises(DeskError, match="needs no decision"):
        await reviews.decide(simulated.client, simulated.store, found.session.session_id, "reject", "I do not like it.")
    with pytest.raises(DeskError, match="no review"):
        await reviews.decide(simulated.client, simulated.store, "board-20200101-1", "reject", "Why?")


async def test_the_same_decision_under_its_key_is_taken_once(simulated: House) -> None:
    found = await reviewed(simulated, PAYMENTS, faults=SPLIT)
    for _ in range(2):
        stand = await reviews.decide(
            simulated.client, simulated.store, found.session.session_id, "approve", "Small.", key="decision-1234567812345678"
        )
        assert stand.session.decision == "approve"


async def test_nobody_decides_in_time(server: str, tmp_path: Path) -> None:
    async with house(server, tmp_path, call_retries=0) as board:
        board.settings = board.settings.model_copy(update={"escalation_days": 1 / 86400, "escalation_reminder_days": 0})
        found = await reviewed(board, PAYMENTS, faults=SPLIT)
        await asyncio.wait_for(board.client.get_workflow_handle(found.session.meeting_id).result(), 30)
        stand = await reviews.stand(board.store, found.session.session_id)
        assert (stand.status, stand.session.decision, stand.as_json["verdict"]) == ("completed", None, "ESCALATE")
        with pytest.raises(DeskError, match="time in which"):
            await reviews.decide(board.client, board.store, found.session.session_id, "approve", "Too late.")


async def test_the_person_speaks_into_it_and_pauses_it(simulated: House) -> None:
    found = await opened(simulated, PAYMENTS, faults="slow:ca:assessment")

    async def begun() -> bool:
        return await reading.status(simulated.store, found.meeting_id) == "in_progress"

    await simulated.until(begun, "the beginning")
    await running.say(simulated.client, simulated.store, found.meeting_id, "We must ship in May.")
    await running.pause(simulated.client, simulated.store, found.meeting_id)

    async def paused() -> bool:
        return await reading.status(simulated.store, found.meeting_id) == "paused"

    await simulated.until(paused, "the pause")
    await running.resume(simulated.client, simulated.store, simulated.settings, found.meeting_id)
    await asyncio.wait_for(simulated.client.get_workflow_handle(found.meeting_id).result(), 60)
    lines = await transcript(simulated, found.meeting_id)
    assert [turn.text for turn in lines if turn.member_id == "shareholder"] == ["We must ship in May."]


# -- tracks ------------------------------------------------------------------------------------------------------------


async def test_a_tracks_later_review_knows_the_earlier_one_and_keeps_its_copies(simulated: House, tmp_path: Path) -> None:
    first = await reviewed(simulated, LOYALTY, track="loyalty", folder=tmp_path)
    second = await reviewed(simulated, PAYMENTS, track="loyalty", folder=tmp_path, rounds=1)
    assert second.session.earlier == first.session.session_id
    assert second.record.earlier_verdict == "REJECTED"
    assert all(one.what_changed for one in second.record.assessments)
    board = tmp_path / "conductor" / "tracks" / "loyalty" / ".message-bus" / "board"
    assert f"What changed since {first.session.session_id}" in (board / "resolution.md").read_text()
    for stand in (first, second):
        copies = board / "sessions" / stand.session.session_id
        assert {path.name for path in copies.iterdir()} == set(await reviews.files(simulated.store, stand.session.session_id))
    assert len(list(board.glob("session-*.json"))) == 2
    assert (board / "votes.json").read_text() == (board / "sessions" / second.session.session_id / "votes.json").read_text()
    another = await reviewed(simulated, PAYMENTS, track="other", rounds=0)
    assert another.session.earlier is None
