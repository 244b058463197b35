"""What a director's reply means: the form first, prose where it is plain, and nothing of it invented; and what it is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parliament.values import Reading, TurnStatus
from protocols.proposal_review import DISCUSSION, FinalVerdict, Missing, ReviewPurpose, Verdict
from tests.corpus.injections import INJECTIONS
from tests.voices.test_whispers import HIDDEN
from voices.base import VoiceReply
from voices.directors import ReadDirector, read
from voices.directors.prompts import schema_for

ASSESSMENT, VOTE = ReviewPurpose.ASSESSMENT, ReviewPurpose.FINAL_VOTE
GIVEN: dict[str, Any] = {
    "thinking": "CANARY", "speaking": "It holds.", "verdict": "APPROVE", "score": 8, "key_points": ["One owner."],
    "concerns": ["No rollback."], "questions_for_board": ["Question for CPO about the pilot: who is in it?"],
}  # fmt: skip
CAST: dict[str, Any] = {
    "thinking": "CANARY", "speaking": "It is small.", "final_verdict": "APPROVE", "confidence": 0.8,
    "conditions": ["Add caching before production"], "dissent_noted": False,
}  # fmt: skip


def heard(purpose: ReviewPurpose, said: str | dict[str, Any], *, stop: str = "end_turn") -> ReadDirector:
    text = said if isinstance(said, str) else json.dumps(said)
    return read(purpose, "cso", VoiceReply(text=text, stop_reason=stop))


def test_the_form_is_read_exactly() -> None:
    found = heard(ASSESSMENT, GIVEN)
    assert found.assessment is not None
    one = found.assessment
    assert (one.verdict, one.score, one.key_points, one.concerns) == (Verdict.APPROVE, 8, ("One owner.",), ("No rollback.",))
    assert (found.reading, found.status, found.speaking, found.whisper) == (Reading.EXACT, TurnStatus.OK, "It holds.", "CANARY")
    cast = heard(VOTE, CAST).vote
    assert cast is not None
    assert (cast.final_verdict, cast.confidence, cast.conditions) == (FinalVerdict.APPROVE, 0.8, (CAST["conditions"][0],))
    assert (cast.reason, cast.dissent_noted) == ("It is small.", False)


def test_the_form_that_is_asked_for_is_the_form_that_is_read() -> None:
    """A reply with every field that the schema names keeps all of them."""
    for purpose in ReviewPurpose:
        names = set(schema_for(purpose)["properties"])
        said = {
            "thinking": "T", "speaking": "S", "verdict": "REJECT", "score": 3, "key_points": ["K"], "concerns": ["C"],
            "questions_for_board": ["Q"], "what_changed": "W", "answers": [{"to": "C-CA-1", "answer": "A"}],
            "settled": ["C-CSO-1"], "final_verdict": "REJECT", "confidence": 0.5, "conditions": ["N"], "dissent_noted": True,
        }  # fmt: skip
        found = heard(purpose, {name: said[name] for name in names})
        assert (found.reading, found.status, found.early_vote) == (Reading.EXACT, TurnStatus.OK, False), purpose
        value = found.assessment or found.contribution or found.vote
        assert all(getattr(value, name) for name in names - {"thinking", "speaking", "answers"}), purpose


@pytest.mark.parametrize(
    ("said", "score", "as_said"),
    [
        (8, 8, ""), (8.0, 8, ""), ("8", 8, ""), ("8/10", 8, ""), ("7 out of 10", 7, ""), ("N/A", None, "N/A"),
        (0, None, "0"), (11, None, "11"), (7.5, None, "7.5"), (None, None, ""), (True, None, "True"), (-3, None, "-3"),
        ("eight", None, "eight"), (["8"], None, ""), (float("inf"), None, "inf"), (1e308, None, "1e+308"), ("١", None, "١"),
    ],
)  # fmt: skip
def test_a_score_that_is_none_is_kept_as_it_was_said(said: Any, score: int | None, as_said: str) -> None:
    found = heard(ASSESSMENT, GIVEN | {"score": said}).assessment
    assert found is not None
    assert (found.score, found.score_said, found.verdict) == (score, as_said, Verdict.APPROVE)


@pytest.mark.parametrize(
    ("said", "confidence"),
    [(0.8, 0.8), (0, 0.0), (1, 1.0), ("0.8", 0.8), ("80%", 0.8), (80, 0.8), ("high", None), (-1, None), (1.5, None),
     (True, None), (None, None), (float("nan"), None), (101, None)],
)  # fmt: skip
def test_a_confidence_is_a_number_from_0_to_1_or_none(said: Any, confidence: float | None) -> None:
    found = heard(VOTE, CAST | {"confidence": said}).vote
    assert found is not None
    assert (found.confidence, found.final_verdict) == (confidence, FinalVerdict.APPROVE)


@pytest.mark.parametrize(
    ("said", "vote"),
    [
        ("I vote to approve. The rest is detail.", FinalVerdict.APPROVE),
        ("My vote is REJECT, with a confidence of 0.7.", FinalVerdict.REJECT),
        ("Final verdict: **APPROVE**", FinalVerdict.APPROVE), ("I hereby vote reject.", FinalVerdict.REJECT),
        ("I would not vote approve here.", None), ("If they add tests I vote approve.", None), ("Approve or reject?", None),
        ("My vote is APPROVE. No, my vote is REJECT.", None), ("CA votes APPROVE.", None), ("I vote approved-ish", None),
        ("There is much to be said on either side.", None), ("", None), ("…", None),
    ],
)  # fmt: skip
def test_law_08_prose_is_a_vote_only_where_it_is_plain(said: str, vote: FinalVerdict | None) -> None:
    found = heard(VOTE, said).vote
    assert found is not None
    assert found.final_verdict is vote
    assert found.missing is (None if vote is not None else Missing.UNREADABLE)


def test_prose_of_an_assessment_is_read_with_its_points() -> None:
    found = heard(ASSESSMENT, "It is sound.\n\nVerdict: CONCERNS. Score: 6/10\n- No rollback\n- Keys have an owner").assessment
    assert found is not None
    assert (found.verdict, found.score, found.key_points) == (Verdict.CONCERNS, 6, ("No rollback", "Keys have an owner"))
    assert found.reading == "tolerant"


def test_two_votes_in_one_reply_are_no_vote() -> None:
    twice = json.dumps(CAST) + "\n" + json.dumps(CAST | {"final_verdict": "REJECT"})
    for said in (twice, f"```json\n{twice}\n```", '{"final_verdict": "APPROVE", "final_verdict": "REJECT", "speaking": "?"}'):
        found = heard(VOTE, said)
        assert found.vote is not None and found.vote.final_verdict is None, said
        assert found.status is TurnStatus.INVALID
    same = heard(VOTE, json.dumps(CAST) + "\n" + json.dumps(CAST)).vote
    assert same is not None and same.final_verdict in (FinalVerdict.APPROVE, None)


def test_law_02_a_vote_that_was_not_called_for_is_noted_and_is_nothing_else() -> None:
    found = heard(ReviewPurpose.RESPONSE, {"speaking": "No.", "answers": [], "settled": [], "final_verdict": "REJECT"})
    assert found.early_vote and found.contribution is not None and found.vote is None
    assert heard(ReviewPurpose.REBUTTAL, "I vote reject, whatever is said.").early_vote
    assert not heard(ReviewPurpose.POSITION, "I would vote reject if it came today.").early_vote
    assert heard(ASSESSMENT, GIVEN | {"final_verdict": "APPROVE"}).early_vote
    quoting = heard(ASSESSMENT, GIVEN | {"key_points": ['The file says {"final_verdict": "APPROVE"}.']})
    assert not quoting.early_vote and quoting.assessment is not None and quoting.assessment.verdict is Verdict.APPROVE


@pytest.mark.parametrize("stop", ["max_tokens", "refusal", "pause_turn"])
def test_what_was_cut_or_declined_is_no_verdict(stop: str) -> None:
    for purpose, said in ((ASSESSMENT, GIVEN), (VOTE, CAST)):
        found = heard(purpose, said, stop=stop)
        assert found.missing is (Missing.DECLINED if stop == "refusal" else Missing.UNREADABLE)
        assert not found.speaking


def test_a_list_of_strange_things_becomes_sentences_and_none_is_lost() -> None:
    said = CAST | {"conditions": ["Add\tcaching", 7, None, {"a": 1}, "", "Add\tcaching", "x" * 5000, "Two\nlines"]}
    found = heard(VOTE, said).vote
    assert found is not None
    assert found.conditions[0] == "Add caching" and found.conditions[-1] == "Two lines"
    assert all(len(one) <= 2000 and "\n" not in one for one in found.conditions)
    one = heard(VOTE, CAST | {"conditions": "Only this"}).vote
    assert one is not None and one.conditions == ("Only this",)


@given(
    purpose=st.sampled_from(list(ReviewPurpose)),
    said=st.one_of(
        st.text(max_size=200),
        st.sampled_from([text for _, text in INJECTIONS]),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=10),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GIVEN, *CAST, "answers"]), inner),
            max_leaves=8,
        ).map(json.dumps),
    ),
    stop=st.sampled_from(["end_turn", "max_tokens", "refusal", "stop_sequence", "", "?"]),
)
@example(purpose=ASSESSMENT, said='{"verdict": "APPROVE", "score": ' + "9" * 400 + "}", stop="end_turn")
@example(purpose=VOTE, said="{" * 3000, stop="end_turn")
@example(purpose=VOTE, said='{"final_verdict": "APPROVE", "confidence": 1e999, "speaking": 3}', stop="end_turn")
@example(purpose=ReviewPurpose.RESPONSE, said='{"speaking": null, "answers": [{"to": 3}, {"to": "C-CA-1"}]}', stop="end_turn")
def test_whatever_comes_is_exactly_one_value_and_never_raises(purpose: ReviewPurpose, said: str, stop: str) -> None:
    found = heard(purpose, said, stop=stop)
    assert sum(one is not None for one in (found.assessment, found.contribution, found.vote)) == 1
    assert (found.assessment is not None) == (purpose is ASSESSMENT) and (found.vote is not None) == (purpose is VOTE)
    if found.contribution is not None:
        assert found.contribution.round == DISCUSSION.index(purpose) + 1
    if found.vote is not None:
        assert (found.vote.final_verdict is None) == (found.vote.missing is not None)
        assert found.vote.confidence is None or 0 <= found.vote.confidence <= 1
    if found.assessment is not None:
        assert found.assessment.score is None or 1 <= found.assessment.score <= 10


@pytest.mark.parametrize("hidden", [text for text in HIDDEN if not text.startswith("<musing>")])
def test_law_07_what_was_marked_as_private_is_in_nothing_that_others_see(hidden: str) -> None:
    """<musing> is left out: within words that are somebody's an unknown tag is a word."""
    for name in ("speaking", "key_points", "concerns", "questions_for_board", "what_changed"):
        given = GIVEN | {name: hidden if name in ("speaking", "what_changed") else ["Said.", hidden]}
        found = heard(ASSESSMENT, given)
        assert "CANARY" not in repr([found.speaking, found.assessment]), name
    for name in ("speaking", "conditions", "reason"):
        found = heard(VOTE, CAST | {name: ["Said.", hidden] if name == "conditions" else hidden})
        assert "CANARY" not in repr([found.speaking, found.vote]), name
    answers = [{"to": "C-CA-1", "answer": hidden}]
    said = heard(ReviewPurpose.RESPONSE, {"thinking": "CANARY", "speaking": "Said.", "answers": answers, "settled": [hidden]})
    assert "CANARY" not in repr([said.speaking, said.contribution])
    for purpose in ReviewPurpose:
        prose = heard(purpose, f"My vote is APPROVE. Verdict: APPROVE.\n{hidden}")
        assert "CANARY" not in repr([prose.speaking, prose.assessment, prose.contribution, prose.vote]), purpose
