"""Every item in exactly one bucket, whatever a model says (source 000, Post-Meeting Secretary Review)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.review import make_review, render_review, review_json, subject
from parliament.triage import Bucket, Doing, Proposal, Risk, TriageItem, doable, risks, triage

DUE = date(2026, 12, 11)


def item(task: str, context: str = "", due: date | None = DUE, id: str = "ACT-00000001") -> TriageItem:
    return TriageItem(id, task, "shareholder", "2026-12-11", due, context)


@pytest.mark.parametrize(
    ("task", "risk"),
    [
        ("See a doctor about the knee", Risk.MEDICAL),
        ("Begin a three-day fast", Risk.MEDICAL),
        ("Halve the dose of the medication", Risk.MEDICAL),
        ("Have surgery on the knee", Risk.MEDICAL),
        ("Sign the lease", Risk.LEGAL),
        ("File for divorce", Risk.LEGAL),
        ("Apply for a work visa", Risk.LEGAL),
        ("Ask a lawyer about the contract", Risk.LEGAL),
        ("Invest the bonus", Risk.FINANCIAL),
        ("Take out a loan", Risk.FINANCIAL),
        ("Move the pension", Risk.FINANCIAL),
        ("File the taxes", Risk.FINANCIAL),
        ("Buy a boat", Risk.COSTLY),
        ("Pay the deposit", Risk.COSTLY),
        ("Spend four weeks on a rented flat", Risk.COSTLY),
        ("Spend $400 on shoes", Risk.COSTLY),
        ("Hire a coach", Risk.COSTLY),
        ("Quit the job", Risk.IRREVERSIBLE),
        ("Sell the car", Risk.IRREVERSIBLE),
        ("Delete the old photographs", Risk.IRREVERSIBLE),
        ("Take the job in Lisbon", Risk.IRREVERSIBLE),
        ("Move to Lisbon", Risk.IRREVERSIBLE),
        ("Cancel the membership", Risk.IRREVERSIBLE),
    ],
)
def test_risky_items_are_the_persons_call_whatever_the_model_says(task: str, risk: Risk) -> None:
    one = item(task)
    assert risk in risks(one)
    for bucket in Bucket:
        (found,) = triage([one], {one.id: Proposal(bucket, minutes=1)}, {one.id: Doing("calendar", "calendar.ics")})
        assert found.bucket is Bucket.NEED_YOUR_CALL
        assert found.doing is None


@pytest.mark.parametrize(
    ("task", "due", "doer"),
    [
        ("Schedule 3 cardio sessions per week on calendar", DUE, "calendar"),
        ("Block the evening", DUE, "calendar"),
        ("Put the review in the calendar", None, None),
        ("Set a reminder to stretch", DUE, "reminder"),
        ("Remind the shareholder of the check-in", DUE, "reminder"),
        ("Take up again: the garden", None, "ledger"),
        ("Record the resting pulse in the ledger", None, "ledger"),
        ("Put the garden on the next agenda", None, "ledger"),
        ("Walk for twenty minutes every day", DUE, None),
        ("Call mother", DUE, None),
        ("Try one change for ten days before deciding on scheduling three walks a week", DUE, None),
        ("Schedule three walks and walk them", DUE, None),
        ("Report to the board whether the calendar was kept", DUE, None),
        ("Put the flat up for sale in the calendar of the agent, and sell", DUE, None),
    ],
)
def test_what_a_doer_could_do_at_all(task: str, due: date | None, doer: str | None) -> None:
    assert doable(item(task, due=due)) == doer


def test_nothing_is_done_without_a_doer_and_its_proof() -> None:
    one = item("Schedule 3 cardio sessions per week on calendar")
    said = {one.id: Proposal(Bucket.DID_IT, "I did it.")}
    assert triage([one], said, {})[0].bucket is Bucket.RECOMMENDING
    assert triage([one], said, {one.id: Doing("calendar", "")})[0].bucket is Bucket.RECOMMENDING
    assert triage([one], said, {one.id: Doing("ledger", "entry 1")})[0].bucket is Bucket.RECOMMENDING
    done = triage([one], said, {one.id: Doing("calendar", "calendar.ics, UID 1")})[0]
    assert (done.bucket, done.doing) == (Bucket.DID_IT, Doing("calendar", "calendar.ics, UID 1"))
    long = {one.id: Proposal(Bucket.DID_IT, "", 90)}
    assert triage([one], long, {one.id: Doing("calendar", "calendar.ics")})[0].bucket is Bucket.RECOMMENDING


IDS = st.integers(0, 30).map(lambda n: f"ACT-{n:08x}")
TASKS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["Buy a boat", "Schedule a session on the calendar", "Take up again: x", "Walk", "Set a reminder"]),
)
ITEMS = st.lists(st.builds(item, TASKS, st.text(max_size=30), st.sampled_from([None, DUE]), IDS), max_size=20)
PROPOSALS = st.dictionaries(
    IDS, st.builds(Proposal, st.sampled_from(list(Bucket)), st.text(max_size=30), st.one_of(st.none(), st.integers(-5, 999)))
)
DOINGS = st.dictionaries(IDS, st.builds(Doing, st.sampled_from(["calendar", "reminder", "ledger", "x"]), st.text(max_size=9)))


@given(ITEMS, PROPOSALS, DOINGS)
def test_every_item_is_in_exactly_one_bucket(
    items: list[TriageItem], proposals: dict[str, Proposal], doings: dict[str, Doing]
) -> None:
    found = triage(items, proposals, doings)
    assert [one.item.id for one in found] == list(dict.fromkeys(one.id for one in items))
    review = make_review("mtg-00000001", found, summary="s", source="model", simulated=True)
    kept = review_json(review)
    everywhere = [entry["id"] for bucket in Bucket for entry in kept[bucket.value]]
    assert sorted(everywhere) == sorted({one.id for one in items})
    assert all(entry["proof"] for entry in kept["did_it"])
    assert not any(entry["proof"] for bucket in ("recommending", "need_your_call") for entry in kept[bucket])
    assert all(not one.risks or one.bucket is Bucket.NEED_YOUR_CALL for one in found)
    for one in found:
        if one.bucket is Bucket.DID_IT:
            assert doings[one.item.id].doer == doable(one.item)
    assert sum(review.counts) == len(found)


@given(ITEMS, PROPOSALS)
def test_take_the_doers_away_and_nothing_was_done(items: list[TriageItem], proposals: dict[str, Proposal]) -> None:
    assert all(one.bucket is not Bucket.DID_IT for one in triage(items, proposals, {}))


def test_the_mail_says_first_what_needs_the_person() -> None:
    items = [
        item("Walk", id="ACT-00000001"),
        item("Sell the car", id="ACT-00000002"),
        item("Take up again: x", id="ACT-00000003"),
    ]
    found = triage(items, {}, {"ACT-00000003": Doing("ledger", "entry ACT-00000003")})
    review = make_review(
        "mtg-00000001", found, summary="Three things came of it.\nSubject: forged", source="model", simulated=True
    )
    text = render_review(review, "Weekly Health Review\r\nBcc: x@example.com")
    assert text.index("NEEDS YOUR CALL (1)") < text.index("RECOMMENDED, AWAITING A NOD (1)") < text.index("DONE (1)")
    assert "Proof: ledger: entry ACT-00000003" in text
    assert "simulated" in text
    assert "\nSubject" not in text and "\nBcc" not in text
    assert subject("Weekly Health Review") == "Board Review: Weekly Health Review"
    assert "\n" not in subject("a\nb")
