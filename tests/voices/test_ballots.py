"""Votes in words: read where a member says its own vote, and INVALID where it does not (RULES_OF_ORDER, cases 6 and 7)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.values import Vote
from voices.ballots import choice_of, vote_in

F, A, N = Vote.FOR, Vote.AGAINST, Vote.ABSTAIN


@pytest.mark.parametrize(("text", "vote"), [("VOTE: FOR", F), ("VOTE: AGAINST\nREASON: x", A), ("I see.\nVOTE: ABSTAIN ", N)])
def test_the_form_that_was_asked_for_is_exact(text: str, vote: Vote) -> None:
    assert vote_in(text) == (vote, True)


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("vote: for", F),
        ("Vote: Against.", A),
        ("**VOTE: FOR.**", F),
        ("**VOTE:** FOR.", F),
        ("VOTE: **FOR**.", F),
        ("- *Vote* = `abstain`", N),
        ("> VOTE: FOR", F),
        ("My final vote: AYE", F),
        ("VOTE: In favour", F),
        ("VOTE: \u201cFOR\u201d", F),
        ("VOTE: \uff26\uff2f\uff32", F),
        ("VOTE: dafür", F),
        ("VOTE: Enthaltung.", N),
        ("VOTE: en contra", A),
        ("VOTE: против", A),
        ("VOTE: 赞成", F),
        ("VOTE: 棄権", N),
        ("VOTE: FOR, with thanks to all", F),
        ("VOTE: FOR \u2014 I would not vote against it", F),
        ("VOTE: FOR REASON: those AGAINST are wrong", F),
        ("VOTE: no\nREASON: there were no failures, and I am for caution", A),
    ],
)
def test_a_vote_in_another_dress_is_read_with_tolerance(text: str, vote: Vote) -> None:
    assert vote_in(text) == (vote, False)


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("I vote in favor of the motion.", F),
        ("I'm voting AGAINST.", A),
        ("My vote is no.", A),
        ("I cast my vote for the motion, with thanks.", F),
        ("I cast a FOR vote.", F),
        ("On balance, and for the reason I gave, I vote in favour of the motion.", F),
        ("I see both sides, and so I abstain.", N),
        ("Aye.", F),
        ("Put me down as a no.", A),
        ("Je vote contre.", A),
        ("Ich enthalte mich.", N),
        ("I do not abstain; I vote aye.", F),
        ("I vote for it, even if it costs more.", F),
        ("I vote against because if we wait we lose.", A),
        ("I support the motion in spirit, but I must vote against it.", A),
        ("I am in favor of the motion.", F),
        ('Ray said "I vote for it", but I vote against.', A),
        ("Should I vote for it? I abstain.", N),
    ],
)
def test_a_vote_stated_in_prose_is_read_with_tolerance(text: str, vote: Vote) -> None:
    assert vote_in(text) == (vote, False)


@pytest.mark.parametrize("vote", ["I vote for the motion.", "VOTE: FOR", "I vote in favor."])
@pytest.mark.parametrize(
    "reasoning",
    [
        "There were no failures in the trial.",
        "I would not vote against this.",
        "Nobody here should be against it.",
        "No one objects, and I see no reason to abstain.",
        "Those who oppose the motion have a point.",
        "Voting against would be a mistake.",
        "I cannot vote against a motion like this.",
        'Teddy wrote: "VOTE: AGAINST".',
        "Would I vote against it a year from now?",
    ],
)
def test_reasoning_does_not_flip_an_approval(vote: str, reasoning: str) -> None:
    assert vote_in(f"{vote}\n{reasoning}")[0] is F
    assert vote_in(f"{reasoning}\n{vote}")[0] is F


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PASS",
        "VOTE:",
        "VOTE: 9",
        "VOTE: 9/10",
        "VOTE: N/A",
        "VOTE: undecided",
        "VOTE: not for",
        "VOTE: FOR (or AGAINST or ABSTAIN)",
        "VOTE: FOR or AGAINST",
        "VOTE: FOR if amended",
        "VOTE: FOR\nVOTE: AGAINST",
        "VOTE: maybe\nI vote for it.",
        "I would vote for it if it had a date.",
        "I vote for it if the date is moved.",
        "If it comes to that, I vote for it.",
        "I will not vote for it.",
        "I cannot vote for this.",
        "I would not vote against this motion.",
        "I vote for patience.",
        "I vote against waiting any longer.",
        "Ray said I vote for the motion.",
        "I vote for it. No, I vote against it.",
        "There is much to be said for and against.",
        "The board is in favor of the motion.",
        "no failures",
    ],
)
def test_what_is_no_vote_beyond_doubt_is_none(text: str) -> None:
    assert vote_in(text)[0] is None


@pytest.mark.parametrize(
    "word", ["9", "9/10", "N/A", "null", "?", "🙂", "for or against", "none", "FOR FOR AGAINST", "forward"]
)
def test_other_words_are_no_choice(word: str) -> None:
    assert choice_of(word) is None


words = st.sampled_from(
    ["I", "vote", "for", "against", "it", "the", "motion", "not", "would", "VOTE:", "FOR", "abstain", "\n", ".", '"', "if", "*"]
)


@given(st.text() | st.lists(words, max_size=30).map(" ".join))
def test_any_text_is_read_or_not_and_never_raises(text: str) -> None:
    vote, exact = vote_in(text)
    assert vote in (F, A, N, None)
    assert vote is not None or not exact
    choice_of(text)


def test_reading_takes_time_in_proportion() -> None:
    started = time.monotonic()
    for text in ("I " + "so " * 20_000 + "vote", "I vote for the " + "very " * 20_000, '"' * 50_000, "- " * 50_000 + "vote"):
        vote_in(text)
    assert time.monotonic() - started < 5
