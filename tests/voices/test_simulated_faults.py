"""Faults and courses: each does what its name says, every time, and an unknown one is refused in one sentence."""

from __future__ import annotations

import pytest

from parliament.values import Purpose, Reading, TurnStatus, Vote
from tests.support.briefs import MEMBERS, brief_for, hold, roster_of
from voices.base import Brief, Trouble, VoiceError, VoiceReply, VoiceRequest
from voices.prompts import render
from voices.replies import Heard, read
from voices.simulated import SimulatedVoice
from voices.simulated.faults import NAMES, PROVIDER_FAULTS, Course, parse_faults
from voices.simulated.voice import answer

ROSTER = roster_of(tuple(MEMBERS.values()))


async def speak(voice: SimulatedVoice, brief: Brief, call_id: str = "mtg-1/t-1") -> VoiceReply:
    chairman = brief.member.id == brief.chair
    return await voice.speak(VoiceRequest(call_id, brief, render(brief, chairman=chairman)))


async def heard(faults: str, purpose: Purpose, member: str = "dalio", **changes: object) -> Heard:
    brief = brief_for(purpose, member, **changes)
    reply = await speak(SimulatedVoice(faults=faults), brief)
    return read(purpose, reply, chairman=member == "aurelius", roster=ROSTER)


def test_an_unknown_fault_lists_the_names() -> None:
    with pytest.raises(VoiceError) as error:
        SimulatedVoice(faults="slow,rate_limitd")
    assert error.value.fatal
    assert "rate_limitd" in str(error.value)
    assert "did you mean 'rate_limited'?" in str(error.value)
    assert all(name in str(error.value) for name in NAMES)


def test_an_unknown_purpose_and_an_unknown_pace_are_refused() -> None:
    with pytest.raises(VoiceError, match="unknown purpose 'votes'"):
        SimulatedVoice(faults="silent:dalio:votes")
    with pytest.raises(VoiceError, match="'fast' is not a pace"):
        SimulatedVoice(pace="fast")


def test_a_fault_is_read_with_its_member_and_purpose() -> None:
    faults = parse_faults(" silent:@dalio:vote, prose_votes, refusal::debate ")
    assert [(f.name, f.member, f.purpose) for f in faults] == [
        ("silent", "dalio", Purpose.VOTE),
        ("prose_votes", None, None),
        ("refusal", None, Purpose.DEBATE),
    ]
    assert faults[0].strikes(brief_for(Purpose.VOTE, "dalio"))
    assert not faults[0].strikes(brief_for(Purpose.DEBATE, "dalio"))
    assert not faults[0].strikes(brief_for(Purpose.VOTE, "musk"))


def test_a_member_may_be_named_by_its_alias() -> None:
    assert parse_faults("silent:elon")[0].strikes(brief_for(Purpose.VOTE, "musk"))


@pytest.mark.parametrize("name", PROVIDER_FAULTS)
async def test_a_providers_fault_strikes_each_call_once(name: str) -> None:
    voice = SimulatedVoice(faults=name)
    brief = brief_for(Purpose.DISCUSSION, "dalio")
    for call in ("mtg-1/a", "mtg-1/b"):
        with pytest.raises(VoiceError) as error:
            await speak(voice, brief, call)
        assert error.value.trouble is PROVIDER_FAULTS[name]
        assert error.value.retryable
        assert not error.value.fatal
        assert (error.value.retry_after is not None) is (name in ("rate_limited", "overloaded"))
        assert (await speak(voice, brief, call)).text
    assert (await SimulatedVoice(faults=f"{name}:musk").speak(VoiceRequest("x", brief, render(brief, chairman=False)))).text


async def test_a_silent_member_never_replies() -> None:
    voice = SimulatedVoice(faults="silent:dalio")
    for _ in range(4):
        with pytest.raises(VoiceError) as error:
            await speak(voice, brief_for(Purpose.VOTE, "dalio"))
        assert error.value.trouble is Trouble.SERVER
    assert (await speak(voice, brief_for(Purpose.VOTE, "musk"))).text


@pytest.mark.parametrize("member", ["dalio", "jobs", "musk"])
async def test_prose_votes_are_read_with_tolerance_as_the_same_vote(member: str) -> None:
    meant = answer(brief_for(Purpose.VOTE, member)).fields["vote"]
    found = await heard("prose_votes", Purpose.VOTE, member)
    assert found.reading is Reading.TOLERANT
    assert found.vote is Vote(meant)


async def test_a_placeholder_motion_is_not_in_order_however_often_it_is_asked_for() -> None:
    for problem in ("", "The motion holds a placeholder."):
        found = await heard("placeholder_motion", Purpose.MOTION, "aurelius", problem=problem)
        assert found.motion is None
        assert found.motion_problem
        assert found.status is TurnStatus.INVALID


async def test_law_07_an_unclosed_whisper_leaves_nothing_to_hear() -> None:
    brief = brief_for(Purpose.DISCUSSION, "dalio")
    found = await heard("unclosed_tags", Purpose.DISCUSSION)
    assert answer(brief).thinking not in found.speaking
    assert found.reading is not Reading.EXACT


async def test_a_refusal_is_a_refusal() -> None:
    assert (await heard("refusal", Purpose.DEBATE)).status is TurnStatus.REFUSED


@pytest.mark.parametrize("name", ["truncated", "malformed"])
@pytest.mark.parametrize("purpose", [Purpose.DISCUSSION, Purpose.VOTE, Purpose.DEBATE])
async def test_a_broken_reply_is_never_read_as_exact(name: str, purpose: Purpose) -> None:
    brief = brief_for(purpose, "dalio")
    reply = await speak(SimulatedVoice(faults=name), brief)
    assert reply.stop_reason == ("max_tokens" if name == "truncated" else "end_turn")
    found = read(purpose, reply, chairman=False, roster=ROSTER)
    assert found.reading is not Reading.EXACT
    assert answer(brief).thinking[:40] not in found.speaking


async def test_plain_text_is_read_as_what_it_says() -> None:
    found = await heard("plain", Purpose.VOTE)
    assert found.vote is Vote(answer(brief_for(Purpose.VOTE, "dalio")).fields["vote"])
    assert found.reading is Reading.EXACT


async def test_the_same_fault_gives_the_same_reply() -> None:
    for name in ("truncated", "malformed", "unclosed_tags", "plain", "prose_votes"):
        brief = brief_for(Purpose.VOTE, "jobs")
        replies = {(await speak(SimulatedVoice(faults=name), brief)).text for _ in range(3)}
        assert len(replies) == 1


SEATS = ("aurelius", "roosevelt", "dalio", "davinci", "musk")


def course(text: str) -> Course:
    return Course(parse_faults(text))


@pytest.mark.parametrize("seed", range(4))
def test_courses_bring_about_their_ends(seed: int) -> None:
    topic = "Should I take the job in Lisbon?"
    assert hold(topic, seed=seed, seats=SEATS, course=course("tie")).statuses == ["tied"]
    assert hold(topic, seed=seed, seats=SEATS, course=course("nosecond")).statuses == ["unseconded"]
    assert hold(topic, seed=seed, seats=SEATS, course=course("against")).statuses == ["lost"]
    against = hold(topic, seed=seed, seats=SEATS, course=course("against:musk"))
    assert against.votes[0]["musk"] == "AGAINST"
    assert ("musk" in dict(against.dissents)) is True
    assert len(hold(topic, seed=seed, seats=SEATS, course=course("amend")).amendments) == 1
    contested = hold(topic, seed=seed, seats=SEATS, course=course("amend,contest"))
    assert "by vote" in contested.amendments[0]


@pytest.mark.parametrize(
    ("name", "purpose", "found"),
    [
        ("table", Purpose.DEBATE, {"procedural": "lay_on_table"}),
        ("previous_question", Purpose.DEBATE, {"procedural": "previous_question"}),
        ("withdraw:aurelius", Purpose.DEBATE, {"procedural": "withdraw"}),
        ("object", Purpose.CONSENT, {"objection": True}),
        ("appeal", Purpose.APPEAL, {"appeal": True}),
        ("absent", Purpose.ROLL_CALL, {"present": False}),
    ],
)
async def test_courses_of_procedure(name: str, purpose: Purpose, found: dict[str, object]) -> None:
    member = "aurelius" if ":" in name else "dalio"
    got = await heard(name, purpose, member)
    if name in ("table", "previous_question"):  # taken by one member: the first after the chair
        first = next(m for m in MEMBERS if m != "aurelius")
        got = await heard(name, purpose, first)
    assert {key: getattr(got, key) for key in found} == found


async def test_a_point_of_order_is_raised_by_one_member_and_ruled_on() -> None:
    first = next(m for m in MEMBERS if m != "aurelius")
    point = (await heard("point", Purpose.DEBATE, first)).point_of_order
    assert point
    assert (await heard("point", Purpose.DEBATE, "rogers")).point_of_order is None
    ruling = await heard("", Purpose.RULING, "aurelius", point=point)
    assert ruling.well_taken is True
    assert ruling.remedy == "none"
    other = await heard("", Purpose.RULING, "aurelius", point="I do not like this motion.")
    assert other.well_taken is False
