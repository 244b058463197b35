"""Simulated voices: every reply is read exactly, the same brief has the same answer, and nothing shows its seams."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace

import pytest

from parliament.motions import Wording, check_wording
from parliament.values import ItemType, Purpose, Reading, TurnStatus
from tests.corpus.injections import NAMES, TEXTS
from tests.support.briefs import MEMBERS, brief_for, hold, item_of, roster_of
from voices.base import Brief, MemberBrief, VoiceReply, VoiceRequest
from voices.prompts import render
from voices.replies import read
from voices.simulated import SimulatedVoice, answer
from voices.simulated.forms import as_json, as_plain

TOPICS = (
    "Should I take the job in Lisbon?",
    "Is it time to sell the house?",
    "Should we rewrite the billing service in Rust?",
    "How do I sleep better?",
    "Quarterly review of my training plan",
    "Should I marry Anna or wait?",
    "Ship v2 now or fix the bugs first",
    "learn Japanese",
    "Should I invest $50,000 in index funds?",
    "Which laptop should I buy?",
    "Should we have a second child?",
    "Finish the novel before summer",
    "Should our bakery raise its prices?",
    "日本語を学ぶべきか",
)
CHAIRMANS = {
    Purpose.HEALTH_CHECK, Purpose.OPENING, Purpose.INTRO, Purpose.INPUT, Purpose.MOTION, Purpose.RULING, Purpose.ACTION_ITEMS,
    Purpose.SUMMARY, Purpose.CLOSING, Purpose.ADJOURNMENT,
}  # fmt: skip
SEAMS = re.compile(
    r"\bNone\b|  |\b(?:a|an) the\b|\bthe the\b|'s's|’s’s|\{[a-z_]+\}|\bto to\b|\bof of\b|\bis "
    r"is\b|\.\.|,,|\s[.,;:!?]|\( |[.!?] [a-z]"
)


def ask(purpose: Purpose, member: str, topic: str, **changes: object) -> tuple[Brief, bool]:
    chair = member if purpose in CHAIRMANS else "aurelius"
    brief = brief_for(purpose, member, topic, **changes)
    return replace(brief, chair=chair), member == chair


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("member", MEMBERS)
def test_every_purpose_of_every_persona_is_read_exactly(topic: str, member: str) -> None:
    roster = roster_of(tuple(MEMBERS.values()))
    for purpose in Purpose:
        brief, chairman = ask(purpose, member, topic)
        said = answer(brief)
        heard = read(purpose, VoiceReply(as_json(said, purpose, chairman=chairman)), chairman=chairman, roster=roster)
        assert heard.reading is Reading.EXACT, (purpose, heard)
        assert heard.status is TurnStatus.OK
        assert heard.speaking
        assert len(heard.whisper) > 10, purpose
        assert heard.whisper not in heard.speaking
        assert not heard.malformed, heard.malformed
        plain = read(purpose, VoiceReply(as_plain(said, purpose)), chairman=chairman, roster=roster)
        assert plain.status is (TurnStatus.PASS if plain.speaking == "PASS" else TurnStatus.OK), as_plain(said, purpose)
        assert (plain.vote, plain.second, plain.present, plain.position, plain.motion) == (
            heard.vote, heard.second, heard.present, heard.position, heard.motion,
        )  # fmt: skip


@pytest.mark.parametrize("topic", TOPICS)
def test_the_same_brief_has_the_same_answer_and_another_seed_another(topic: str) -> None:
    one = [hold(topic, seed=seed) for seed in (1, 1, 2)]
    assert one[0].text() == one[1].text()
    assert one[0].text() != one[2].text()


def test_the_meeting_id_does_not_change_what_is_said() -> None:
    """So that a meeting held again with its seed is the same meeting."""
    brief = brief_for(Purpose.DISCUSSION, "jobs")
    assert answer(brief) == answer(replace(brief, meeting_id="mtg-ffffffff", session_id="x"))


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("seed", range(6))
def test_motions_and_amendments_are_in_form(topic: str, seed: int) -> None:
    walk = hold(topic, seed=seed)
    for text in walk.motions:
        wording = check_wording(text)
        assert isinstance(wording, Wording), (text, wording)
        assert wording.text == text
        assert re.search(r" shall .*\d{1,2} [A-Z][a-z]+ 202[67]", text), text
    for brief, said in walk.answers:
        amendment = said.fields.get("amendment")
        if isinstance(amendment, dict):
            assert isinstance(check_wording(amendment["text"]), Wording), amendment
            assert brief.motion is not None
            assert amendment["text"] != brief.motion.text
        for task in said.fields.get("action_items", ()):
            assert task["owner"] == "shareholder"
            assert re.fullmatch(r"202[67]-\d\d-\d\d", task["deadline"])
            assert task["deadline"] > brief.date
            assert task["task"][0].isupper()


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("seed", range(6))
def test_no_seam_shows(topic: str, seed: int) -> None:
    """No unfilled slot, no doubled word, no capital missing, and nobody says a sentence that was said before."""
    walk = hold(topic, seed=seed)
    seen: dict[str, str] = {}
    for _, said in walk.answers:
        speech = re.sub(r"\{[A-Z]+(?::[^}]*)?\}", "", said.speaking).strip()
        found = SEAMS.search(re.sub(r"“[^”]*”", "“”", speech.replace("…", "")))
        assert found is None, (found and found.group(), speech)
        assert speech[0].isupper() or speech[0].isdigit() or speech[0] in "“@€$日", speech
        assert speech[-1] in ".?!”", speech
    for line in walk.speeches():
        if line.purpose in (Purpose.MOTION, Purpose.ACTION_ITEMS, Purpose.CLOSING):
            continue
        for sentence in re.split(r"(?<=[.!?])\s+", line.text):
            if len(sentence.split()) > 6:
                assert sentence not in seen, (sentence, line.name, seen[sentence])
                seen[sentence] = line.name


def test_a_meeting_of_several_items_does_not_repeat_itself() -> None:
    walk = hold(
        item_of("Quarterly review of my training plan", ItemType.REVIEW, 1),
        item_of("Should I take a sabbatical?", ItemType.DECISION, 2),
        item_of("Which laptop should I buy?", ItemType.DECISION, 3),
        item_of("How do I sleep better?", ItemType.DISCUSSION, 4),
        seed=3,
    )
    sentences = [
        s
        for line in walk.speeches(Purpose.DISCUSSION, Purpose.MENTION, Purpose.DEBATE)
        for s in re.split(r"(?<=[.!?])\s+", line.text)
        if len(s.split()) > 6
    ]
    assert len(sentences) == len(set(sentences))


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_law_03_a_topic_that_holds_commands_gives_the_chair_none(text: str) -> None:
    """What the shareholder typed is spoken, never carried out: the chair's commands are its own."""
    item = replace(item_of(text), description=text, desired_outcome=text, user_commentary=text)
    roster = roster_of(tuple(MEMBERS.values()))
    for purpose in Purpose:
        seated = tuple(replace(m, name=f"{text} {m.name}" if n else m.name) for n, m in enumerate(MEMBERS.values()))
        brief = replace(
            brief_for(purpose), item=item, agenda=(item,), board_book=text, user_input=text, point=text, seated=seated
        )
        clean = answer(brief_for(purpose))
        said = answer(brief)
        heard = read(purpose, VoiceReply(as_json(said, purpose, chairman=True)), chairman=True, roster=roster)
        mine = [type(c.command).__name__ for c in heard.commands]
        own = read(purpose, VoiceReply(as_json(clean, purpose, chairman=True)), chairman=True, roster=roster)
        assert mine == [type(c.command).__name__ for c in own.commands], (purpose, said.speaking)
        assert not heard.malformed, (purpose, heard.malformed)
        assert not any(c in said.speaking for c in "\x00\x1b\u200b\u202e\U000e0041")
        if purpose is Purpose.MOTION:
            assert heard.motion is not None, heard.motion_problem


@pytest.mark.parametrize(
    "topic", ["", " ", "?", "x", "!!!", "x" * 500, "a " * 250, "the", "I", "or", "should I", "Is it?", "42", "🎉"]
)
def test_any_topic_gives_a_meeting(topic: str) -> None:
    walk = hold(topic or " ")
    assert walk.motions
    assert isinstance(check_wording(walk.motions[0]), Wording), walk.motions


def test_the_chair_counts_from_the_record() -> None:
    walk = hold("Should I take the job in Lisbon?", seed=1)
    closing = walk.speeches(Purpose.CLOSING)[0].text
    count = sum(v == "FOR" for v in walk.votes[0].values())
    words = ["no", "one", "two", "three", "four", "five"]
    assert words[count] in closing
    for member, _ in walk.dissents:
        assert MEMBERS[member].name.split()[0] in closing


def test_unknown_personas_speak_too_and_not_with_one_voice() -> None:
    strangers = tuple(
        MemberBrief(f"m{n}", f"Name{n} Surname{n}", "chairman" if n == 0 else "member", perspective)
        for n, perspective in enumerate(["data and evidence", "care and community", "bold action", "ethics and law", ""])
    )
    brief = replace(brief_for(Purpose.DISCUSSION), seated=strangers, chair="m0")
    said = [answer(replace(brief, member=m)).speaking for m in strangers]
    sentences = [s for speech in said for s in re.split(r"(?<=[.!?])\s+", speech) if len(s.split()) > 6]
    assert len(sentences) == len(set(sentences))
    assert all("Lisbon" in speech for speech in said)


# -- the provider itself -------------------------------------------------------------------------------------------------


def request_for(brief: Brief, *, chairman: bool = False) -> VoiceRequest:
    return VoiceRequest("mtg-0000000a/turn-1", brief, render(brief, chairman=chairman))


async def test_it_streams_the_reply_in_words() -> None:
    pieces: list[str] = []

    async def hear(piece: str) -> None:
        pieces.append(piece)

    reply = await SimulatedVoice().speak(request_for(brief_for(Purpose.DISCUSSION, "jobs")), hear)
    assert "".join(pieces) == reply.text
    assert len(pieces) > 20
    assert json.loads(reply.text)["speaking"]
    assert reply.usage.input > 500
    assert reply.model == "simulated"


async def test_paces_differ_and_instant_does_not_wait() -> None:
    brief = brief_for(Purpose.ROLL_CALL, "jobs")
    loop = asyncio.get_running_loop()
    took = {}
    for pace in ("instant", "brisk"):
        started = loop.time()
        await SimulatedVoice(pace=pace).speak(request_for(brief), None)
        took[pace] = loop.time() - started
    assert took["instant"] < 0.2 < took["brisk"]


async def test_check_is_always_fine_and_it_says_what_it_is() -> None:
    voice = SimulatedVoice()
    await voice.check()
    await voice.close()
    assert voice.simulated
    assert voice.name == "simulated"
