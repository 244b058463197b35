"""Reading replies: exact first, tolerant second, INVALID third, and each says which (000, Vote and Motion Parsing)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.commands import render
from parliament.roster import Roster, RosterEntry
from parliament.values import Purpose, Reading, TurnStatus, Vote
from tests.voices.test_whispers import HIDDEN, TOKENS
from voices.base import VoiceReply
from voices.replies import ActionHeard, AmendmentHeard, Heard, read, schema_for
from voices.wire import FIELDS, conforms

ROSTER = Roster(
    (
        RosterEntry("aurelius", "Marcus Aurelius", ("marcus",)),
        RosterEntry("dalio", "Ray Dalio", ("ray",)),
        RosterEntry("jobs", "Steve Jobs", ("steve",)),
        RosterEntry("musk", "Elon Musk", ("elon",)),
    )
)
MOTION = "RESOLVED, That the shareholder shall walk daily, effective immediately."
EXACT, TOLERANT, FAILED = Reading.EXACT, Reading.TOLERANT, Reading.FAILED
OK, PASS, INVALID = TurnStatus.OK, TurnStatus.PASS, TurnStatus.INVALID

ANSWERS: dict[str, Any] = {
    "present": True,
    "point_of_order": None,
    "amendment": None,
    "procedural": None,
    "motion": MOTION,
    "second": True,
    "position": "CONSENT",
    "well_taken": True,
    "remedy": "none",
    "appeal": False,
    "objection": False,
    "vote": "FOR",
    "reason": "It is small.",
    "dissent": "",
    "action_items": [],
}


def fields(purpose: Purpose, *, chairman: bool = False, **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"thinking": "CANARY", "speaking": "Said."}
    if chairman:
        found["commands"] = []
    return found | {name: ANSWERS[name] for name in FIELDS.get(purpose, {})} | changes


def heard(purpose: Purpose, text: str | dict[str, Any], *, chairman: bool = False, stop: str = "end_turn") -> Heard:
    raw = text if isinstance(text, str) else json.dumps(text)
    return read(purpose, VoiceReply(raw, stop_reason=stop), chairman=chairman, roster=ROSTER)


# -- as asked -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chairman", [True, False])
@pytest.mark.parametrize("purpose", list(Purpose))
def test_a_reply_by_the_schema_is_exact_for_every_purpose(purpose: Purpose, chairman: bool) -> None:
    found = heard(purpose, fields(purpose, chairman=chairman), chairman=chairman)
    assert (found.speaking, found.whisper) == ("Said.", "CANARY")
    assert (found.reading, found.status) == (EXACT, OK)


@pytest.mark.parametrize("chairman", [True, False])
@pytest.mark.parametrize("purpose", list(Purpose))
def test_schemas_ask_for_everything_and_allow_nothing_else(purpose: Purpose, chairman: bool) -> None:
    schema = schema_for(purpose, chairman=chairman)
    assert list(schema["properties"])[:2] == ["thinking", "speaking"]
    assert ("commands" in schema["properties"]) is chairman
    found = fields(purpose, chairman=chairman)
    assert conforms(found, schema)
    assert not conforms(found | {"more": 1}, schema)
    for name in found:
        assert not conforms({key: value for key, value in found.items() if key != name}, schema)
        assert not conforms(found | {name: 7}, schema)

    def closed(part: Any) -> None:
        if isinstance(part, dict):
            if part.get("type") == "object":
                assert part["additionalProperties"] is False
                assert part["required"] == list(part["properties"])
            for inner in part.values():
                closed(inner)
        elif isinstance(part, list):
            for inner in part:
                closed(inner)

    closed(schema)


def test_every_field_arrives() -> None:
    amendment = {"text": MOTION, "summary": "names the day"}
    debate = heard(
        Purpose.DEBATE,
        fields(Purpose.DEBATE, amendment=amendment, point_of_order="No second was made.", procedural="previous_question"),
    )
    assert debate.amendment == AmendmentHeard(MOTION, "names the day")
    assert (debate.point_of_order, debate.procedural) == ("No second was made.", "previous_question")
    ruling = heard(Purpose.RULING, fields(Purpose.RULING, remedy="out_of_order"))
    assert (ruling.well_taken, ruling.remedy) == (True, "out_of_order")
    assert heard(Purpose.RULING, fields(Purpose.RULING, well_taken=False, remedy="out_of_order")).remedy == "none"
    tasks = [
        {"task": "Walk.", "owner": "shareholder", "deadline": None},
        {"task": "Ask Ray.", "owner": "dalio", "deadline": "May"},
    ]
    acted = heard(Purpose.ACTION_ITEMS, fields(Purpose.ACTION_ITEMS, action_items=tasks))
    assert acted.actions == (ActionHeard("Walk.", "shareholder"), ActionHeard("Ask Ray.", "dalio", "May"))
    against = heard(Purpose.VOTE, fields(Purpose.VOTE, vote="AGAINST", dissent="It will fail."))
    assert (against.vote, against.reason, against.dissent) == (Vote.AGAINST, "It is small.", "It will fail.")
    assert heard(Purpose.AMENDMENT, fields(Purpose.AMENDMENT, position="OBJECT")).position == "object"
    assert heard(Purpose.CONSENT, fields(Purpose.CONSENT, objection=True)).objection is True
    assert heard(Purpose.APPEAL, fields(Purpose.APPEAL, appeal=True)).appeal is True
    assert heard(Purpose.SECOND, fields(Purpose.SECOND, second=False)).second is False
    assert heard(Purpose.ROLL_CALL, fields(Purpose.ROLL_CALL, present=False)).present is False


def tagged(speech: str, after: str = "") -> str:
    return f"<thinking>CANARY</thinking><speaking>{speech}</speaking>{after}"


@pytest.mark.parametrize(
    ("purpose", "text", "found"),
    [
        (Purpose.DISCUSSION, tagged("I favour it."), {"speaking": "I favour it."}),
        (Purpose.ROLL_CALL, tagged("PRESENT"), {"present": True}),
        (Purpose.SECOND, tagged("SECOND"), {"second": True}),
        (Purpose.SECOND, tagged("It deserves a debate.", "\nSECOND"), {"second": True, "speaking": "It deserves a debate."}),
        (Purpose.MOTION, tagged(f"I have weighed it.\n\n{MOTION}"), {"motion": MOTION}),
        (Purpose.VOTE, tagged("VOTE: FOR\nREASON: It is small."), {"vote": Vote.FOR, "reason": "It is small."}),
        (
            Purpose.VOTE,
            tagged("I must refuse.", "\nVOTE: AGAINST\nREASON: Too soon.\nDISSENT: It will fail."),
            {"vote": Vote.AGAINST, "reason": "Too soon.", "dissent": "It will fail.", "speaking": "I must refuse."},
        ),
        (Purpose.AMENDMENT, tagged("SUPPORT\nIt names the day."), {"position": "support"}),
        (Purpose.RULING, tagged("NOT WELL TAKEN\nNo rule was broken."), {"well_taken": False}),
        (Purpose.APPEAL, tagged("NO APPEAL"), {"appeal": False}),
        (Purpose.CONSENT, tagged("NO OBJECTION"), {"objection": False}),
    ],
)
def test_the_plain_form_as_asked_is_exact_too(purpose: Purpose, text: str, found: dict[str, Any]) -> None:
    got = heard(purpose, text)
    assert {key: getattr(got, key) for key in found} == found
    assert (got.reading, got.status) == (EXACT, OK)
    assert got.whisper == "CANARY"


# -- with tolerance: RULES_OF_ORDER, case 6 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "vote"),
    [("for", Vote.FOR), ("Against.", Vote.AGAINST), ("dafür", Vote.FOR), ("**ABSTAIN**", Vote.ABSTAIN), ("棄権", Vote.ABSTAIN)],
)
def test_a_lower_case_or_translated_choice_is_read_and_marked(given: str, vote: Vote) -> None:
    found = heard(Purpose.VOTE, fields(Purpose.VOTE, vote=given))
    assert (found.vote, found.reading, found.status) == (vote, TOLERANT, OK)


@pytest.mark.parametrize("given", ["9", "9/10", "N/A", "FOR or AGAINST", "perhaps", "PASS", 9, True, ["FOR"], {"FOR": 1}])
def test_law_08_what_is_no_vote_is_invalid_with_the_raw_words(given: Any) -> None:
    found = heard(Purpose.VOTE, fields(Purpose.VOTE, vote=given, speaking="I vote for it."))
    assert (found.vote, found.reading, found.status) == (Vote.INVALID, FAILED, INVALID)
    assert found.raw == str(given)
    assert found.speaking == "I vote for it."


@pytest.mark.parametrize(
    ("text", "raw"), [("", ""), ("PASS", "PASS"), ("Well, there is much to be said.", "Well, there is much to be said.")]
)
def test_law_08_a_reply_without_a_vote_is_invalid_and_not_an_abstention(text: str, raw: str) -> None:
    found = heard(Purpose.VOTE, text)
    assert (found.vote, found.reading, found.status, found.raw) == (Vote.INVALID, FAILED, INVALID, raw)


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("I vote in favor of the motion. It is small.", Vote.FOR),
        ("**VOTE: FOR.**", Vote.FOR),
        ("I have thought about it. I vote against this motion, since nobody has said what it costs.", Vote.AGAINST),
        (fields(Purpose.VOTE, vote="", speaking="I vote for it."), Vote.FOR),
    ],
)
def test_a_vote_in_prose_is_read_and_marked(text: str, vote: Vote) -> None:
    found = heard(Purpose.VOTE, text)
    assert (found.vote, found.reading, found.status) == (vote, TOLERANT, OK)


@pytest.mark.parametrize("reason", ["There were no failures.", "I would not vote against this.", "Those against it are right."])
def test_reasoning_does_not_flip_an_approval(reason: str) -> None:
    for reply in (fields(Purpose.VOTE, reason=reason, speaking=reason), f"VOTE: FOR\nREASON: {reason}"):
        found = heard(Purpose.VOTE, reply)
        assert (found.vote, found.reason) == (Vote.FOR, reason)


def test_a_vote_given_twice_and_differently_is_none() -> None:
    found = heard(Purpose.VOTE, '{"thinking": "w", "speaking": "Said.", "vote": "FOR", "vote": "AGAINST"}')
    assert found.vote is Vote.INVALID


WHOLE = json.dumps(
    fields(Purpose.VOTE, vote="AGAINST", reason="Too soon.", dissent="It will fail.", speaking="I vote against it.")
)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{WHOLE}\n```",
        f"```\n{WHOLE}",
        f"Here is my reply:\n{WHOLE}",
        f"{WHOLE}\n\nI hope that this helps. I vote FOR it, ha.",
        WHOLE.replace('"}', '",}'),
        WHOLE.replace('"AGAINST"', "AGAINST"),
        f"<thinking>CANARY</thinking>\n{WHOLE}",
        f"<speaking>{WHOLE}</speaking>",
        f"\ufeff{WHOLE},",
        f"[{WHOLE}]",
    ],
)
def test_json_in_a_fence_or_with_words_around_it_is_read_and_marked(text: str) -> None:
    found = heard(Purpose.VOTE, text)
    assert (found.vote, found.reason, found.dissent) == (Vote.AGAINST, "Too soon.", "It will fail.")
    assert (found.reading, found.status) == (TOLERANT, OK)
    assert found.speaking == "I vote against it."


@given(st.integers(0, len(WHOLE) - 1))
def test_a_reply_that_is_cut_off_keeps_what_is_beyond_doubt(end: int) -> None:
    found = heard(Purpose.VOTE, WHOLE[:end], stop="max_tokens")
    assert "I vote against it.".startswith(found.speaking) or found.speaking == "Too soon."
    assert "CANARY" not in found.speaking + found.raw + found.reason
    assert found.vote in (Vote.AGAINST, Vote.INVALID)
    assert found.reading is (TOLERANT if found.vote is Vote.AGAINST else FAILED)


def test_a_whole_object_of_a_reply_that_ran_out_of_tokens_is_not_exact() -> None:
    assert heard(Purpose.VOTE, WHOLE, stop="max_tokens").reading is TOLERANT


def test_a_motion_that_is_cut_off_is_none_even_where_it_looks_whole() -> None:
    text = json.dumps(fields(Purpose.MOTION))
    found = heard(Purpose.MOTION, text[: text.index(MOTION) + len(MOTION)], stop="max_tokens")
    assert found.motion is None
    assert "cut off" in found.motion_problem
    assert (found.speaking, found.status) == ("Said.", INVALID)


def test_an_amendment_that_is_cut_off_is_none() -> None:
    text = json.dumps(fields(Purpose.DEBATE, amendment={"text": MOTION, "summary": "x"}))
    found = heard(Purpose.DEBATE, text[: text.index(MOTION) + len(MOTION)], stop="max_tokens")
    assert (found.amendment, found.speaking, found.reading) == (None, "Said.", TOLERANT)


# -- motions ------------------------------------------------------------------------------------------------------------


def test_i_move_that_is_rewritten() -> None:
    found = heard(Purpose.MOTION, fields(Purpose.MOTION, motion=f"I move that{MOTION[14:]}"))
    assert found.motion == MOTION


@pytest.mark.parametrize(
    "motion", ["RESOLVED, That [person] shall [action] by [date].", "RESOLVED, That TBD.", "Let us walk.", "RESOLVED, That the"]
)
def test_a_motion_out_of_form_is_none_and_says_why(motion: str) -> None:
    found = heard(Purpose.MOTION, fields(Purpose.MOTION, motion=motion, speaking=f"I move: {MOTION}"))
    assert found.motion is None
    assert found.motion_problem.startswith("The motion")
    assert (found.status, found.reading) == (INVALID, FAILED)


@pytest.mark.parametrize(
    "text",
    [
        fields(Purpose.MOTION, chairman=True, motion="", speaking=f"I have drafted this: {MOTION}"),
        fields(Purpose.MOTION, chairman=True, motion="", commands=[f'{{MOTION: "{MOTION}"}}']),
        f'I move it so. {{MOTION: "{MOTION}"}}',
        f"{MOTION} I think that it is right.",
    ],
)
def test_a_motion_outside_of_its_field_is_read_and_marked(text: str | dict[str, Any]) -> None:
    found = heard(Purpose.MOTION, text, chairman=True)
    assert (found.motion, found.reading) == (MOTION, TOLERANT)


# -- passes, refusals, nothing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("purpose", [Purpose.DISCUSSION, Purpose.DEBATE, Purpose.MENTION, Purpose.CALLED, Purpose.SECOND])
@pytest.mark.parametrize("speech", ["PASS", "Pass.", "I pass."])
def test_a_pass_is_recorded_as_one(purpose: Purpose, speech: str) -> None:
    assert (
        heard(purpose, fields(purpose, speaking=speech, **({"second": False} if purpose is Purpose.SECOND else {}))).status
        is PASS
    )
    assert heard(purpose, tagged(speech)).status is PASS


def test_who_passes_but_raises_a_point_has_not_passed() -> None:
    assert heard(Purpose.DEBATE, fields(Purpose.DEBATE, speaking="PASS", point_of_order="No second was made.")).status is OK


@pytest.mark.parametrize("purpose", [Purpose.ROLL_CALL, Purpose.RULING, Purpose.MOTION, Purpose.VOTE])
def test_law_08_some_questions_cannot_be_passed_on(purpose: Purpose) -> None:
    found = heard(purpose, "PASS")
    assert (found.status, found.reading) == (INVALID, FAILED)


@pytest.mark.parametrize("purpose", [Purpose.ROLL_CALL, Purpose.RULING, Purpose.MOTION, Purpose.VOTE])
def test_an_answer_is_no_pass_whatever_is_said_with_it(purpose: Purpose) -> None:
    assert heard(purpose, fields(purpose, speaking="PASS")).status is OK


@pytest.mark.parametrize("purpose", list(Purpose))
def test_a_refusal_is_a_refusal(purpose: Purpose) -> None:
    found = heard(purpose, "I can't take part in this.", stop="refusal")
    assert (found.speaking, found.status, found.reading) == ("", TurnStatus.REFUSED, FAILED)
    assert found.vote is (Vote.INVALID if purpose is Purpose.VOTE else None)


@pytest.mark.parametrize(
    "text", ["", "  \n", "{}", "{", "null", "[]", "<thinking></thinking>", '{"thinking": "CANARY"}', "```"]
)
@pytest.mark.parametrize("purpose", [p for p in Purpose if p is not Purpose.ACTION_ITEMS])
def test_an_empty_reply_is_invalid(purpose: Purpose, text: str) -> None:
    found = heard(purpose, text)
    if found.speaking:  # braces and the like are words, if nothing else
        assert found.speaking == text
        return
    assert (found.status, found.reading) == (INVALID, FAILED)


def test_a_question_that_is_not_answered_is_invalid_and_its_words_are_kept() -> None:
    found = heard(Purpose.SECOND, "Let me tell you about the sea.")
    assert (found.second, found.status, found.reading) == (None, INVALID, FAILED)
    assert found.speaking == "Let me tell you about the sea."
    assert heard(Purpose.ROLL_CALL, "Let me tell you about the sea.").present is None


# -- whispers: law 7 ------------------------------------------------------------------------------------------------------


def public(found: Heard) -> str:
    """Everything of a reading that anybody but the owner may see."""
    parts = [found.speaking, found.reason, found.dissent, found.raw, found.motion, found.motion_problem, found.point_of_order]
    if found.amendment is not None:
        parts += [found.amendment.text, found.amendment.summary]
    parts += [part for action in found.actions for part in (action.task, action.owner, action.deadline)]
    parts += [command.source for command in found.commands] + [fault.source for fault in found.malformed]
    return "\n".join(part for part in parts if part)


@pytest.mark.parametrize("purpose", [Purpose.DISCUSSION, Purpose.VOTE, Purpose.MOTION, Purpose.DEBATE, Purpose.ACTION_ITEMS])
@pytest.mark.parametrize("text", HIDDEN)
def test_law_07_a_whisper_in_any_spelling_stays_one(text: str, purpose: Purpose) -> None:
    for reply in (text, f"{text}<speaking>Said.</speaking>", f"<speaking>Said.</speaking>{text}"):
        found = heard(purpose, reply, chairman=True)
        assert "CANARY" not in public(found)
        assert "CANARY" in found.whisper or text.startswith("<thinking CANARY")


@pytest.mark.parametrize("text", HIDDEN)
def test_law_07_a_whisper_in_any_value_stays_one(text: str) -> None:
    if text.startswith("<musing>"):
        return  # within words that are somebody's an unknown tag is a word
    vote = fields(Purpose.VOTE, vote="AGAINST", speaking=f"Said.\n{text}", reason=text, dissent=text)
    debate = fields(Purpose.DEBATE, point_of_order=text, amendment={"text": text, "summary": text})
    tasks = fields(Purpose.ACTION_ITEMS, action_items=[{"task": f"Walk.\n{text}", "owner": text, "deadline": text}])
    chair = fields(Purpose.OPENING, chairman=True, commands=[text], speaking=f"{text}\nSaid.")
    for purpose, reply in (
        (Purpose.VOTE, vote),
        (Purpose.DEBATE, debate),
        (Purpose.ACTION_ITEMS, tasks),
        (Purpose.OPENING, chair),
    ):
        assert "CANARY" not in public(heard(purpose, reply, chairman=purpose is Purpose.OPENING))


@pytest.mark.parametrize(
    "text",
    [
        '{"thinking": "CANARY',
        '{"thinking": "CANARY"',
        '{"thinking": "I could say "speaking": "CANARY" to them", "speaking": "Said."}',
        '{"thinking": "CANARY", "spoken": "Said."}',
        '[{"thinking": "CANARY", "speaking": "Said."}',
        "{'thinking': 'CANARY', 'speaking': 'Said.'}",
        "thinking: CANARY, speaking: Said.",
        "thinking = 'CANARY'",
        '{"speaking": "{\\"thinking\\": \\"CANARY\\", \\"speaking\\": \\"Said.\\"}"}',
        '{"speaking": "{\\"thinking\\": \\"CANARY"}',
        'Let me see, CANARY. {"speaking": "Said."}',
        '```json\n{"thinking": "CANARY"\n```',
        '{"thoughts": "CANARY", "response": "Said."}',
        '{"Thinking": "CANARY", "Speaking": "Said."}',
    ],
)
@pytest.mark.parametrize("purpose", [Purpose.DISCUSSION, Purpose.VOTE])
def test_law_07_a_whisper_in_broken_json_stays_one(text: str, purpose: Purpose) -> None:
    found = heard(purpose, text)
    assert "CANARY" not in public(found)
    assert found.speaking in ("", "Said.")


@pytest.mark.parametrize(
    "text",
    [
        "<thinking>w</thinkng> CANARY",
        "<thinking>w</thinking CANARY",
        "CANARY <thinking>w",
        "CANARY\nThinking: w",
        "CANARY </think",
    ],
)
@pytest.mark.parametrize("purpose", [Purpose.DISCUSSION, Purpose.VOTE, Purpose.OPENING])
def test_law_07_words_in_doubt_are_a_whisper(text: str, purpose: Purpose) -> None:
    found = heard(purpose, text, chairman=True)
    assert (public(found), found.status, found.reading) == ("", INVALID, FAILED)
    assert "CANARY" in found.whisper


def test_law_07_a_vote_in_a_whisper_is_no_vote() -> None:
    for text in ("<thinking>VOTE: FOR", "<thinking>VOTE: FOR</thinking>", '{"thinking": "VOTE: FOR", "speaking": "Said."}'):
        assert heard(Purpose.VOTE, text).vote is Vote.INVALID


def test_law_07_a_command_in_a_whisper_is_no_command() -> None:
    for text in ("<thinking>{ADJOURN}</thinking>Said.", fields(Purpose.OPENING, chairman=True, thinking="{ADJOURN}")):
        assert heard(Purpose.OPENING, text, chairman=True).commands == ()


markup = st.lists(st.sampled_from(TOKENS) | st.text(max_size=5), max_size=10).map("".join)
anything = st.text(max_size=80) | markup | st.text(alphabet='{}[]":,\\ntu speakigvo<>/', max_size=80)


@given(st.sampled_from(list(Purpose)), anything, st.booleans(), st.sampled_from(["end_turn", "max_tokens", "refusal", "odd"]))
def test_reading_never_raises(purpose: Purpose, text: str, chairman: bool, stop: str) -> None:
    found = heard(purpose, text, chairman=chairman, stop=stop)
    assert found.status in (OK, PASS, INVALID, TurnStatus.REFUSED)
    assert "\x00" not in public(found) + found.whisper
    (public(found) + found.whisper).encode()
    if found.status is INVALID:
        assert found.reading is FAILED


json_values = st.recursive(
    st.none() | st.booleans() | st.text(max_size=9) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["task", "text", "vote"]), inner, max_size=2),
)


@given(st.sampled_from(list(Purpose)), json_values, st.booleans(), st.data())
def test_no_value_of_a_wrong_type_raises_or_is_exact(purpose: Purpose, value: Any, chairman: bool, data: st.DataObject) -> None:
    reply = fields(purpose, chairman=chairman)
    name = data.draw(st.sampled_from(sorted(reply)))
    reply[name] = value
    found = heard(purpose, reply, chairman=chairman)
    if not conforms(reply, schema_for(purpose, chairman=chairman)):
        assert found.reading is not EXACT


@given(st.sampled_from([Purpose.DISCUSSION, Purpose.VOTE, Purpose.MOTION, Purpose.DEBATE]), markup, st.booleans())
def test_law_07_canaries_in_a_whisper_never_reach_the_room(purpose: Purpose, inside: str, chairman: bool) -> None:
    whisper = fields(purpose, chairman=chairman, thinking=f"CANARY {inside} CANARY")
    assert "CANARY" not in public(heard(purpose, whisper, chairman=chairman))
    assert "CANARY" not in public(heard(purpose, json.dumps(whisper)[:-1], chairman=chairman))
    if "/" not in inside and "\\" not in inside and "peaking" not in inside.lower():
        for text in (f"<thinking>{inside} CANARY", f"<thinking>{inside} CANARY</thinking><speaking>Said.</speaking>"):
            assert "CANARY" not in public(heard(purpose, text, chairman=chairman))


# -- commands and mentions --------------------------------------------------------------------------------------------------


def test_the_chairmans_commands_are_read_from_speech_and_field_and_identical_ones_once() -> None:
    found = heard(
        Purpose.INTRO,
        fields(
            Purpose.INTRO,
            chairman=True,
            speaking="Steve, what do you see? {CALL: @steve}",
            commands=["{CALL: @jobs}", "{DISCUSS}", "QUORUM", "{CALL: @nobody}"],
        ),
        chairman=True,
    )
    assert [render(command.command) for command in found.commands] == ["{CALL: @jobs}", "{DISCUSS}", "{QUORUM}"]
    assert [fault.source for fault in found.malformed] == ["{CALL: @nobody}"]
    assert found.speaking == "Steve, what do you see?"
    assert found.reading is EXACT


def test_in_the_plain_form_commands_may_stand_after_the_speech() -> None:
    found = heard(Purpose.INTRO, tagged("Let us begin.", "\n{DISCUSS}"), chairman=True)
    assert [render(command.command) for command in found.commands] == ["{DISCUSS}"]
    assert (found.speaking, found.reading) == ("Let us begin.", EXACT)


def test_law_02_a_member_has_no_commands() -> None:
    found = heard(
        Purpose.DISCUSSION, fields(Purpose.DISCUSSION, speaking="{ADJOURN} {VOTE: @dalio=FOR}", commands=["{ADJOURN}"])
    )
    assert (found.commands, found.malformed) == ((), ())
    assert found.speaking == "{ADJOURN} {VOTE: @dalio=FOR}"


def test_mentions_are_members_named_in_plain_words() -> None:
    found = heard(
        Purpose.DISCUSSION, fields(Purpose.DISCUSSION, speaking='@elon, you said "@jobs knows". And @ray? @shareholder?')
    )
    assert found.mentions == ("musk", "dalio")


LONG = [
    "x", "\u201c", '"', "{", "[ ", "<", "</", "<thinking>", "&lt;", "\n", " ", "I ", "I move to amend ", "said ", "vote ",
    "the ", "I vote for it ", "VOTE: FOR\n", "Thinking: ", "- ", "```\n", "@dalio ", "{CALL: @", '{"speaking": ', '{"a":',
    "RESOLVED, That ",
]  # fmt: skip


@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("purpose", [Purpose.VOTE, Purpose.DEBATE, Purpose.MOTION, Purpose.AMENDMENT, Purpose.ACTION_ITEMS])
def test_a_very_long_reply_is_read_in_bounds(purpose: Purpose, piece: str) -> None:
    started = time.monotonic()
    for text in (piece * (1_000_000 // len(piece)), f"<speaking>{piece * 60_000}", json.dumps({"speaking": piece * 9_000})):
        found = heard(purpose, text, chairman=True)
        assert len(found.speaking) <= 60_000
        assert found.reading is not EXACT
    assert time.monotonic() - started < 20
