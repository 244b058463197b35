"""The minutes: rendered from the record alone, with what RONR wants in them, and with text that stays text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from parliament.minutes import minutes_json, render_minutes
from parliament.minutes_data import VOTE_KEYS
from parliament.minutes_words import ENDED_BY, ENDS, STATUSES, VOTES
from parliament.record import MeetingRecord
from parliament.text import inert, one_line, quoted
from parliament.values import Disposition, EndedBy, ItemStatus, MeetingStatus, Vote
from tests.support.hostile import hostile_record
from tests.support.meeting_records import ADOPTED, AS_MOVED, MEETING, SEATS, ballot, full_record, votes

MINUTES = render_minutes(full_record())
PROPER, ANNEX = MINUTES.split("## Annex", 1)


def changed(change: Callable[[dict[str, Any]], object]) -> MeetingRecord:
    """The full record with one thing changed in it."""
    data = full_record().model_dump(mode="json")
    change(data)
    return MeetingRecord.model_validate(data)


def section(minutes: str, heading: str) -> str:
    """From a heading to the next heading of its depth."""
    depth = heading.split(" ")[0]
    return re.split(rf"(?m)^{depth} ", minutes.split(f"{heading}", 1)[1])[0]


# Law 9 ---------------------------------------------------------------------------------------------------------------


def test_law_09_the_same_record_gives_the_same_minutes() -> None:
    again = MeetingRecord.model_validate_json(full_record().model_dump_json())
    assert render_minutes(again) == MINUTES
    assert minutes_json(again) == minutes_json(full_record())


def test_law_09_the_minutes_do_not_depend_on_the_process() -> None:
    """Another process, another hash seed, another zone of the machine: the same bytes."""
    code = (
        "import sys; from parliament.minutes import render_minutes; from tests.support.meeting_records import full_record;"
        "sys.stdout.buffer.write(render_minutes(full_record()).encode())"
    )
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": "."},
        )
        assert done.stdout.decode() == MINUTES


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(name="Other"),
        lambda d: d.update(simulated=False),
        lambda d: d.update(status="paused"),
        lambda d: d.update(ended_by="budget"),
        lambda d: d.update(seed=8),
        lambda d: d.update(quorum=4),
        lambda d: d.update(chair="musk"),
        lambda d: d.update(chair_named="musk"),
        lambda d: d.update(started_at="2026-01-04T14:00:01+00:00"),
        lambda d: d.update(completed_at=None),
        lambda d: d.update(scheduled_start="2026-01-04T14:00:00+00:00"),
        lambda d: d.update(zone="Europe/Lisbon"),
        lambda d: d["present"].remove("davinci"),
        lambda d: d["absent"].update(musk="absent"),
        lambda d: d["members"][1].update(voting=False),
        lambda d: d["members"][1].update(name="T. R."),
        lambda d: d["warnings"].clear(),
        lambda d: d["standing_items"].pop(),
        lambda d: d["items"][0].update(topic="Other"),
        lambda d: d["items"][0].update(type="review"),
        lambda d: d["items"][0].update(time_minutes=16),
        lambda d: d["items"][0].update(active_seconds=760),
        lambda d: d["items"][5].update(status="pending"),
        lambda d: d["items"][5].update(why="another reason"),
        lambda d: d["motions"][0].update(text=ADOPTED.replace("1,400", "1,500")),
        lambda d: d["motions"][0].update(original_text=None),
        lambda d: d["motions"][0].update(proposed_by="musk"),
        lambda d: d["motions"][0].update(status="lost"),
        lambda d: d["motions"][0].update(dissenter=None),
        lambda d: d["motions"][5].update(by_consent=False),
        lambda d: d["motions"][3].update(status="lost"),
        lambda d: d["motions"][0]["ballots"][1]["votes"].update(davinci="FOR"),
        lambda d: d["motions"][0]["ballots"][1]["votes"].update(davinci="FOR", aurelius="AGAINST"),  # the same count
        lambda d: d["motions"][0]["ballots"][1].update(threshold="two_thirds"),
        lambda d: d["motions"][0]["ballots"][1].update(outcome=None),
        lambda d: d["motions"][0]["ballots"][1].update(present=4),
        lambda d: d["motions"][0]["ballots"][1]["reasons"].update(davinci="Other"),
        lambda d: d["motions"][0]["ballots"][1]["raw"].update(musk="Other"),
        lambda d: d["motions"][0]["ballots"].pop(0),
        lambda d: d["motions"][0]["amendments"].pop(),
        lambda d: d["motions"][0]["amendments"][0].update(mover="musk"),
        lambda d: d["motions"][0]["amendments"][0].update(status="lost"),
        lambda d: d["motions"][0]["amendments"][0].update(text="Other"),
        lambda d: d["motions"].pop(),
        lambda d: d["resolutions"].pop(),
        lambda d: d["resolutions"][0]["dissents"][0].update(statement="Other"),
        lambda d: d["resolutions"][0].update(user_response={"response": "accepted"}),
        lambda d: d["actions"][0].update(task="Other"),
        lambda d: d["actions"][0].update(owner="musk"),
        lambda d: d["actions"][0].update(deadline=None),
        lambda d: d["actions"][1].update(origin="resolution"),
        lambda d: d["rulings"][1].update(result="well taken"),
        lambda d: d["rulings"][1].update(text="Other"),
        lambda d: d["rulings"].pop(),
        lambda d: d["user_inputs"][0].update(text="Other"),
    ],
)
def test_law_09_a_change_of_the_record_changes_the_minutes(change: Callable[[dict[str, Any]], object]) -> None:
    assert render_minutes(changed(change)) != MINUTES
    assert changed(change) != full_record()


@given(st.text("FA-XNI", min_size=5, max_size=5))
def test_law_09_counts_and_names_can_be_read_back_from_the_minutes(letters: str) -> None:
    def put(d: dict[str, Any]) -> None:
        d["motions"][1]["ballots"] = [ballot("q", letters, Disposition.LOST).model_dump(mode="json")]

    minutes = render_minutes(changed(put))
    told = section(section(minutes, "### 2. The flat"), "> RESOLVED, That the flat be sold by May.").split(
        "The motion was put"
    )[0]
    numbers = re.search(r"(\d) for, (\d) against, (\d) abstaining, (\d) absent, (\d) without a reply, (\d) invalid", told)
    assert numbers is not None
    assert [int(n) for n in numbers.groups()] == [letters.count(letter) for letter in "FA-XNI"]
    for kind, (heading, _) in VOTES.items():
        named = re.search(rf"(?m)^  - {heading}(?: \([^)]*\))?: (.*)$", told)
        expected = [SEATS[member] for member, vote in votes(letters).items() if vote is kind]
        assert (named[1].split(", ") if named else []) == expected
    assert ("Degraded" in told) == ("N" in letters or "I" in letters)


# What minutes hold -----------------------------------------------------------------------------------------------------


def test_a_motion_has_its_wording_as_finally_put_its_mover_and_its_end() -> None:
    first = section(MINUTES, "### 1. The post in Lisbon (decision)")
    assert f"> {ADOPTED}" in first
    assert "Motion by Marcus Aurelius" in first
    assert f"The motion, as amended, was put to the vote: **adopted**. Entered as RES-{MEETING}-1." in first
    assert AS_MOVED + "\n" not in PROPER
    assert f"> {AS_MOVED}\n" in ANNEX


def test_the_seconder_is_not_named() -> None:
    """RONR leaves the seconder out by default (RULES_OF_ORDER, Minutes): another seconder, the same minutes."""
    assert render_minutes(changed(lambda d: d["motions"][0].update(seconded_by="roosevelt"))) == MINUTES


def test_amendments_stand_with_their_targets_votes_and_ends() -> None:
    first = section(MINUTES, "### 1. The post in Lisbon (decision)")
    assert f"Amendment by Ray Dalio to the motion (AMD-{MEETING}-21), caps the rent; it would read:" in first
    assert f"The amendment AMD-{MEETING}-21: **adopted**." in first
    assert f"Amendment by Leonardo da Vinci to the amendment AMD-{MEETING}-21 (AMD-{MEETING}-22)" in first
    assert f"The amendment AMD-{MEETING}-22: **not taken up, for want of a second**." in first


def test_every_end_is_told_and_withdrawn_motions_are_left_to_the_annex() -> None:
    second = section(MINUTES, "### 2. The flat (decision)")
    for end in ("lost on a tie", "**lost**", "for want of a second", "adopted by unanimous consent"):
        assert end in second
    assert "burnt" not in PROPER
    assert "Elon Musk, withdrawn" in ANNEX
    assert "That the flat be burnt by May." in ANNEX
    assert "**laid on the table**" in section(MINUTES, "### 3. The dog (decision)")


@pytest.mark.parametrize("status", Disposition)
def test_no_end_is_nameless(status: Disposition) -> None:
    minutes = render_minutes(changed(lambda d: d["motions"][1].update(status=status.value)))
    assert ENDS[status] in minutes


@pytest.mark.parametrize("status", ItemStatus)
@pytest.mark.parametrize("item", [0, 4])
def test_no_state_of_an_item_is_nameless(status: ItemStatus, item: int) -> None:
    def put(d: dict[str, Any]) -> None:
        d["motions"] = [motion for motion in d["motions"] if motion["item_id"] != "agenda-1"]
        d["items"][item].update(status=status.value, why="so it is")

    assert ": so it is." in render_minutes(changed(put))


@pytest.mark.parametrize("status", [status for status in MeetingStatus if status is not MeetingStatus.COMPLETED])
def test_minutes_of_a_meeting_that_has_not_ended_say_so(status: MeetingStatus) -> None:
    minutes = render_minutes(changed(lambda d: d.update(status=status.value, completed_at=None, ended_by=None)))
    assert STATUSES[status] in minutes
    assert "- Adjourned: not yet\n" in minutes


@pytest.mark.parametrize("reason", EndedBy)
def test_law_13_the_minutes_say_why_the_meeting_ended(reason: EndedBy) -> None:
    assert ENDED_BY[reason] in render_minutes(changed(lambda d: d.update(ended_by=reason.value)))


def test_law_13_unfinished_threads_are_tasks() -> None:
    assert "**Unfinished** when the meeting ended; it became a task: the time allotted had run out." in MINUTES
    assert "ACT-00000002: Take up: Savings — the shareholder, no date set [pending; left unfinished by the meeting]" in MINUTES


def test_law_08_absent_and_no_reply_are_told_apart_at_the_roll_call() -> None:
    attendance = section(MINUTES, "## Attendance")
    assert "- Absent: Teddy Roosevelt\n" in attendance
    assert "this" not in attendance.split("- Absent:")[1].split("\n")[0]
    assert re.search(r"- No reply \(the call failed [^)]*\): Elon Musk\n", attendance)
    assert "Quorum: 3 of 5 voting seats; 3 answered the roll, a quorum was present" in attendance
    assert "**no quorum was present**" in render_minutes(changed(lambda d: d["present"].remove("davinci")))


def test_law_08_the_six_kinds_of_vote_are_six_and_a_degraded_result_says_so() -> None:
    assert len({heading for heading, _ in VOTES.values()}) == len(Vote) == len(set(VOTE_KEYS.values()))
    second_round = section(MINUTES, "### 1. The post in Lisbon (decision)").split("round 2")[1]
    assert "Abstained: Teddy Roosevelt" in second_round
    assert "Invalid (replied, but no vote could be read; this is not an abstention): Elon Musk" in second_round
    assert "Degraded: of 5 seats on the roll, 1 gave a reply that could not be read as a vote." in second_round
    assert f"MOT-{MEETING}-agenda-1, round 2: Degraded" in section(MINUTES, "## Warnings")
    assert "the reply as it came: “Sure, why not”" in ANNEX


def test_a_void_vote_decides_nothing() -> None:
    first = section(MINUTES, "### 1. The post in Lisbon (decision)")
    assert "**void**, since the quorum was lost before the vote was closed; nothing was decided by it" in first


def test_a_roll_that_was_not_called() -> None:
    minutes = render_minutes(changed(lambda d: d.update(present=[], absent={})))
    assert "the roll was not called" in minutes
    assert "Not called on the roll: Marcus Aurelius, Teddy Roosevelt" in minutes


def test_points_of_order_and_appeals_stand_with_the_reasons_of_the_chair() -> None:
    third = section(MINUTES, "### 3. The dog (decision)")
    assert "- Point of order by Leonardo da Vinci: The question was not stated (RONR 23)" in third
    assert "- Ruling of the chair, Ray Dalio: It was stated at turn 28 — **not well taken** (RONR 23)" in third
    assert "- Appeal by Leonardo da Vinci — **sustained** (RONR 24)" in third
    assert "it took a majority against the chair to reverse the ruling" in third
    assert "The appeal was put to the vote: **the decision of the chair was sustained on a tie**." in third
    reversed_ = render_minutes(changed(lambda d: d["motions"][7].update(status="lost")))
    assert "the decision of the chair was reversed" in reversed_


def test_refused_commands_and_the_words_of_the_shareholder_stand_in_the_annex() -> None:
    assert "Ray Dalio (turn 40): {ADJOURN} — **out of order**; reason: A question is pending. (RONR 21)" in ANNEX
    assert "{ADJOURN}" not in PROPER
    assert "> The salary is 3,200 a month." in ANNEX


def test_who_presided() -> None:
    assert "- Presiding: Ray Dalio, in place of the chairman, Marcus Aurelius\n" in MINUTES
    assert "- Presiding: Marcus Aurelius, chairman\n" in render_minutes(changed(lambda d: d.update(chair="aurelius")))


def test_actual_against_planned_minutes_and_the_times_of_the_zone() -> None:
    assert "Planned: 15 min; 12 min 30 s used." in MINUTES
    assert "- Called to order: 2026-01-04 06:00:00 PST\n" in MINUTES
    assert "- Adjourned: 2026-01-04 06:30:05 PST, since the time allotted had run out\n" in MINUTES
    assert "45 min planned for the agenda, 13 min 12 s used on it, 30 min 5 s from the call to order" in MINUTES
    assert "2026-01-04T14:00:00+00:00" in render_minutes(changed(lambda d: d.update(zone="Nowhere/Land")))
    assert "Called to order: soon\n" in render_minutes(changed(lambda d: d.update(started_at="soon")))


def test_law_10_a_dissent_stays_whatever_else_becomes_of_the_record() -> None:
    def wither(d: dict[str, Any]) -> None:
        d.update(motions=[], actions=[], rulings=[], warnings=[], items=[], status="failed", user_inputs=[])

    for minutes in (MINUTES, render_minutes(changed(wither))):
        dissents = section(minutes, "## Annex: dissents")
        assert f"Leonardo da Vinci, on The post in Lisbon (RES-{MEETING}-1), recorded 2026-01-04 06:20:00 PST:" in dissents
        assert "> We decide before we have looked.\n>\n> The river has other mouths.\n" in dissents
    assert minutes_json(changed(wither))["annex"]["dissents"][0]["member_id"] == "davinci"
    assert "No dissent was recorded." in render_minutes(changed(lambda d: d["resolutions"].clear()))


def test_law_14_simulated_minutes_say_so_first_and_others_do_not() -> None:
    assert MINUTES.startswith("> **SIMULATED.** The voices of this meeting were simulated")
    assert minutes_json(full_record())["notice"].startswith("The voices of this meeting were simulated")
    real = changed(lambda d: d.update(simulated=False, provider="anthropic"))
    assert "simulated" not in render_minutes(real).lower()
    assert (minutes_json(real)["simulated"], minutes_json(real)["notice"]) == (False, None)


def test_the_json_holds_what_the_markdown_holds() -> None:
    data = json.loads(json.dumps(minutes_json(full_record())))
    first = data["items"][0]["motions"][0]
    assert first["ballots"][1]["vote"] == {
        "for": ["aurelius", "dalio"],
        "against": ["davinci"],
        "abstain": ["roosevelt"],
        "absent": [],
        "no_reply": [],
        "invalid": ["musk"],
    }
    assert first["ballots"][1]["count"] == {"for": 2, "against": 1, "abstain": 1, "absent": 0, "no_reply": 0, "invalid": 1}
    assert (first["ballots"][0]["void"], first["ballots"][1]["void"]) == (True, False)
    assert first["amendments"][0]["ballots"][0]["vote"]["no_reply"] == ["musk"]
    assert data["attendance"] == {
        "present": ["aurelius", "dalio", "davinci"],
        "absent": ["roosevelt"],
        "no_reply": ["musk"],
        "quorum": 3,
        "quorum_present": True,
    }
    assert data["presiding"] == {"chair": "dalio", "named": "aurelius", "fallback": True}
    assert [motion["id"] for motion in data["annex"]["withdrawn"]] == [f"MOT-{MEETING}-agenda-2-3"]
    told = [motion["id"] for item in data["items"] for motion in item["motions"]] + [m["id"] for m in data["other_motions"]]
    assert sorted([*told, f"MOT-{MEETING}-agenda-2-3"]) == sorted(motion.id for motion in full_record().motions)


# Law 3 in what people read ----------------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=y>", "![pixel](https://evil.example/p.png)", "[x](javascript:y)", "`code`",
    "```\nfence\n```", "# Heading", "- item", "+ item", "1. item", "1) item", "> quote", "---", "***", "===", "| a | b |",
    "~~x~~",
    "**bold**", "__bold__", "a_b_c", "*", "\\", "\\*x*", "&lt;b&gt;", "&amp;", "&#60;b&#62;", "AT&T; R&D", "https://evil.example/x",
    "www.evil.example", "<!-- x -->", "<https://evil.example>", "[^1]", "[x]: https://evil.example", "{ADJOURN}", "｛ADJOURN｝",
    "    indented", "\tindented", "x\n\n# Minutes\n\n- Adopted", "a  \nb", "a\\\nb", "\u202eDETPODA", "x\u2028# y",
    "\x1b[31m", "\x00",
    "\ud800", ":smile:", "$x$", "<b", "a<b>c", "**Adopted** 5 to 0", "==x==", "\\[x\\]", "![", "](", "]: x", ": x", "%%x%%",
]  # fmt: skip
PARSER = MarkdownIt("gfm-like", {"html": True, "linkify": False, "breaks": False})


def shown(markdown: str) -> tuple[set[str], str]:
    """The elements that Markdown makes of a text, and the text that a reader sees."""
    page = PARSER.render(markdown)
    return set(re.findall(r"<(/?[a-z][a-z0-9]*)", page)), unescape(re.sub(r"<[^>]*>", "", page)).strip("\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_law_03_a_line_is_shown_as_typed_and_does_nothing(text: str) -> None:
    elements, seen = shown(f"x {inert(text)}")
    assert elements == {"p", "/p"}
    assert not set("<>") & set(inert(text))  # pasted into a page it is text too
    assert seen.removeprefix("x").strip() == one_line(text).replace("\u202e", "(U+202E)")


@given(st.text(alphabet=st.sampled_from("<>&*_`[]()!#-+=~|\\:;{}1.0 \n\tabw/\"'@$%^"), max_size=30))
def test_law_03_any_line_is_shown_as_typed(text: str) -> None:
    elements, seen = shown(inert(text))
    assert elements <= {"p", "/p"}
    assert " ".join(seen.split()) == " ".join(one_line(text).split())


@given(st.text(max_size=40))
def test_law_03_any_text_at_all_is_shown_as_typed(text: str) -> None:
    elements, _ = shown(quoted(text))
    assert elements <= {"blockquote", "/blockquote", "p", "/p"}


def test_law_03_nothing_that_anybody_typed_is_markup_in_the_minutes() -> None:
    """Every text of the record hostile at once: the page has the elements that the harmless record's page has."""

    record = hostile_record(" | ".join(HOSTILE).replace("\ud800", ""))
    page = PARSER.render(render_minutes(record))
    harmless = PARSER.render(MINUTES)
    count = {tag: len(re.findall(rf"<{tag}\b", page)) for tag in ("h1", "h2", "h3", "ul", "li", "strong", "hr", "table", "ol")}
    assert count == {tag: len(re.findall(rf"<{tag}\b", harmless)) for tag in count}
    assert not re.search(r"<(?:script|img|a|code|pre|em|s|del)\b", page)


def test_inert_text_of_a_megabyte_takes_no_time() -> None:
    assert len(inert("[" * 1_000_000)) == 2_000_000
    assert inert("& " * 500_000)
