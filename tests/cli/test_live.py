"""The view is tested on what reaches the terminal: rendered to text at many widths and heights."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from clerk.events import FloorEvent, Sitter, Sitting, StatusEvent, Topic, TurnEvent, WordsEvent
from cli.entries import entry, header
from cli.live import Hall, LiveView, PlainView, region
from cli.result import count_line, halted, result
from cli.screen import shown
from parliament.record import TurnRecord
from parliament.values import MeetingStatus, Phase

WIDTHS = (40, 60, 80, 120, 200)
HOSTILE = "\x1b[2J\x1b]0;owned\x07 \x9b31m [bold]not bold[/bold] :smile: \u202egnp.exe {ADJOURN} \x00 \r overwritten"
LONG = "The move to Lisbon asks what no ledger can answer, and the friends you leave count for more than the salary. " * 4
SEATS = {
    "aurelius": "Marcus Aurelius",
    "roosevelt": "Teddy Roosevelt",
    "dalio": "Ray Dalio",
    "davinci": "Leonardo da Vinci",
    "musk": "Elon Musk",
}


def sitting(**changes: object) -> Sitting:
    fields: dict[str, object] = {
        "meeting_id": "mtg-1234abcd",
        "name": "Should I take the job in Lisbon?",
        "simulated": True,
        "provider": "simulated",
        "members": tuple(Sitter(id, name, "chairman" if id == "aurelius" else "member") for id, name in SEATS.items()),
        "chair": "aurelius",
        "items": (Topic("agenda-1", 1, "Should I take the job in Lisbon?", "decision"),),
        "quorum": 3,
    }
    return Sitting(**(fields | changes))  # type: ignore[arg-type]


def turn(
    seq: int, member: str, text: str, *, phase: Phase = Phase.DISCUSSION, purpose: str = "discussion", **more: object
) -> TurnRecord:
    return TurnRecord(
        seq=seq, id=str(seq), item_id="agenda-1", phase=phase, purpose=purpose, round=1, member_id=member,
        name=SEATS.get(member, member), text=text, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def drawn(renderable: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False, force_terminal=False)
    console.print(renderable)
    return console.file.getvalue().split("\n")  # type: ignore[attr-defined]


def full_hall() -> Hall:
    hall = Hall(sitting())
    present = ("aurelius", "roosevelt", "davinci", "musk")
    hall.take(StatusEvent(MeetingStatus.IN_PROGRESS, Phase.MOTION_DISCUSSION, "agenda-1", None, None, "aurelius", present))
    hall.take(FloorEvent(f"RESOLVED, That {LONG}", mover="aurelius", seconder="davinci", amended=True))
    for n, member in enumerate(("davinci", "musk", "roosevelt")):
        hall.take(WordsEvent(member, f"call-{member}", 1, LONG, seq=n + 1))
    return hall


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("height", [8, 24, 60])
def test_the_region_fits_every_terminal_and_names_phase_seats_and_simulation(width: int, height: int) -> None:
    lines = drawn(region(full_hall(), width, height, typed="", notice="", clock=61, can_type=True), width)
    assert len(lines) - 1 <= max(height, 8)
    assert all(cell_len(line) <= width for line in lines)
    text = "\n".join(lines)
    assert "Simulated voices" in text
    assert "Debate" in text
    assert "♛" in text
    assert all(name.split()[-1] in text for name in SEATS.values())
    if height >= 24:
        assert "On the floor" in text
        assert "RESOLVED, That" in text


@pytest.mark.parametrize("width", WIDTHS)
def test_the_voice_whose_turn_comes_next_is_read_along_and_the_others_are_named(width: int) -> None:
    text = "\n".join(drawn(region(full_hall(), width, 40, typed="", notice="", clock=0, can_type=True), width))
    assert text.index("Leonardo da Vinci") < text.index("Elon Musk") < text.index("Teddy Roosevelt")


def test_a_new_attempt_of_a_call_begins_its_words_anew_and_a_late_old_one_is_not_mixed_in() -> None:
    hall = Hall(sitting())
    hall.take(WordsEvent("musk", "call", 1, "We should", seq=5))
    hall.take(WordsEvent("musk", "call", 2, "Let us", seq=5))
    hall.take(WordsEvent("musk", "call", 1, " launch", seq=5))
    hall.take(WordsEvent("musk", "call", 2, " build", seq=5))
    assert [speech.text for speech in hall.speeches.values()] == ["Let us build"]


def test_words_end_with_their_turn() -> None:
    hall = Hall(sitting())
    hall.take(WordsEvent("musk", "a", 1, "first", seq=5))
    hall.take(WordsEvent("dalio", "b", 1, "second", seq=6))
    hall.take(TurnEvent(turn(5, "musk", "first")))
    assert list(hall.speeches) == ["b"]
    hall.take(WordsEvent("musk", "a", 1, " late", seq=5))
    assert list(hall.speeches) == ["b"]


@pytest.mark.parametrize("width", WIDTHS)
def test_law_03_no_text_paints_the_terminal_and_all_of_it_is_shown_as_typed(width: int) -> None:
    hostile = sitting(name=HOSTILE, items=(Topic("agenda-1", 1, HOSTILE, "decision"),))
    hall = Hall(hostile)
    hall.take(StatusEvent(MeetingStatus.IN_PROGRESS, Phase.DISCUSSION, "agenda-1", None, HOSTILE, "aurelius"))
    hall.take(FloorEvent(HOSTILE, mover="musk"))
    hall.take(WordsEvent("musk", "call", 1, HOSTILE, seq=9))
    things = [
        header(hostile),
        entry(turn(1, "musk", HOSTILE), hostile, "aurelius", width),
        entry(turn(2, "clerk", HOSTILE, purpose="item"), hostile, "aurelius", width),
        entry(turn(3, "shareholder", HOSTILE, purpose="user_input"), hostile, "aurelius", width),
        region(hall, width, 40, typed=HOSTILE, notice=HOSTILE, clock=0, can_type=True),
    ]
    for thing in things:
        text = "\n".join(drawn(thing, width))
        assert not {c for c in text if ord(c) < 32 and c != "\n"} | {c for c in text if 0x7F <= ord(c) < 0xA0}
        assert "\u202e" not in text
    spoken = "".join(drawn(things[1], 200))
    assert "[bold]not bold[/bold]" in spoken
    assert ":smile:" in spoken
    assert "{ADJOURN}" in spoken
    assert "␛[2J" in spoken


def test_what_is_shown_of_a_text_changes_nothing_that_can_be_seen() -> None:
    assert shown("Café ☕ — 東京 e\u0301 👩\u200d🚀") == "Café ☕ — 東京 e\u0301 👩\u200d🚀"
    assert shown("a\tb") == "a   b"
    assert shown("a\nb") == "a\nb"


def test_law_14_simulated_voices_are_named_in_header_region_and_result_and_real_ones_are_not() -> None:
    for simulated in (True, False):
        hall = Hall(sitting(simulated=simulated))
        summary = summed(simulated=simulated)
        for thing in (
            header(hall.sitting),
            region(hall, 80, 24, typed="", notice="", clock=0, can_type=False),
            result(summary, {}),
        ):
            assert ("Simulated voices" in "\n".join(drawn(thing, 80))) is simulated


def summed(**changes: object) -> dict[str, object]:
    vote = {
        "for": ["aurelius", "dalio"],
        "against": ["musk"],
        "abstain": [],
        "absent": ["davinci"],
        "no_reply": ["roosevelt"],
        "invalid": [],
    }
    resolution = {
        "motion": {"text": "RESOLVED, That the shareholder shall go to Lisbon.", "status": "adopted"},
        "vote": vote,
        "dissents": [{"member_id": "musk", "member_name": "Elon Musk", "statement": "Too slow."}],
        "action_items": [{"owner": "shareholder", "task": "Sign the contract", "deadline": "2026-01-15"}],
    }
    fields: dict[str, object] = {
        "meeting_id": "mtg-1234abcd", "status": "completed", "ended_by": "agenda", "simulated": True, "seconds": 42.4,
        "calls": 40,
        "tokens": {"input": 1000, "output": 234}, "resolutions": [resolution], "unfinished": [],
        "warnings": [],
    }  # fmt: skip
    return fields | changes


def test_law_08_the_count_keeps_the_kinds_of_answers_apart() -> None:
    assert count_line(summed()["resolutions"][0]) == "2 for, 1 against, 1 absent, 1 without a reply"  # type: ignore[index]
    assert count_line({"vote": {key: [] for key in ("for", "against", "abstain", "absent", "no_reply", "invalid")}}) == (
        "no vote was taken"
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_a_notice_is_whole_at_every_width(width: int) -> None:
    notice = "Pausing after those who are speaking now. Ctrl-C again drops at once."
    lines = drawn(region(full_hall(), width, 24, typed="", notice=notice, clock=1.0, can_type=True), width)
    assert notice in " ".join(" ".join(lines).split())
    assert len(lines) - 1 <= 24


@pytest.mark.parametrize("width", WIDTHS)
def test_the_result_tells_counts_dissents_tasks_and_how_to_read_on(width: int) -> None:
    left = [
        {"topic": "The lease", "status": "unfinished", "why": ""},
        {"topic": "The boat", "status": "skipped", "why": "The motion holds a placeholder."},
    ]
    lines = drawn(result(summed(unfinished=left, warnings=["1 of 5 places: absent."]), {}), width)
    text = " ".join(" ".join(lines).split())
    assert all(cell_len(line) <= width for line in lines)
    for part in (
        "ADOPTED",
        "Dissent — Elon Musk: Too slow.",
        "To do — Shareholder, by 2026-01-15:",
        "Unfinished: The lease",
        "Passed over: The boat (The motion holds a placeholder)",
        "Warning: 1 of 5 places: absent.",
    ):
        assert part in text
    assert "boardroom minutes mtg-1234abcd" in text
    for command in ("minutes", "meetings", "whispers"):
        assert any(f"boardroom {command} mtg-1234abcd" in line for line in lines), "a command can be copied whole"
    assert "tokens" not in text, "simulated voices cost nothing"
    assert "1,234 tokens" in "\n".join(drawn(result(summed(simulated=False), {}), 200))


def test_the_way_on_is_said_as_it_can_be_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH", raising=False)
    assert drawn(halted(summed(), "The meeting is paused."), 40) == [
        "The meeting is paused.",
        "Go on with:",
        "  boardroom meet --resume mtg-1234abcd",
        "",
    ]
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")  # `uv run boardroom …`: on no path but uv's own
    assert drawn(halted(summed(), ""), 80) == ["Go on with: uv run boardroom meet --resume mtg-1234abcd", ""]


def test_where_there_is_no_terminal_the_meeting_is_plain_lines() -> None:
    console = Console(file=io.StringIO(), width=80, markup=False, emoji=False, highlight=False)
    with PlainView(console) as view:
        view.begin(sitting())
        view.show(WordsEvent("musk", "call", 1, "We sho", seq=1))
        view.show(TurnEvent(turn(1, "musk", "We should go.")))
        view.show(TurnEvent(turn(2, "dalio", "Aye.", phase=Phase.VOTING, purpose="vote", data={"vote": "FOR"})))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b" not in text
    assert "We sho\n" not in text
    assert [line for line in text.split("\n") if "──" in line] == ["── Discussion ──", "── Vote ──"]
    assert "Elon Musk  We should go." in text
    assert "FOR" in text


def test_the_live_part_is_drawn_over_and_taken_away_at_the_end() -> None:
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True, markup=False, emoji=False, highlight=False)
    with LiveView(console, can_type=True) as view:
        view.begin(sitting())
        view.show(WordsEvent("musk", "call", 1, "We should", seq=1))
        view.type("taxes")
        view.show(TurnEvent(turn(1, "musk", "We should go.")))
    out = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[?25l" in out
    assert "\x1b[?25h" in out, "the cursor is shown again"
    assert out.rindex("We should go.") < out.rindex("\x1b[2K"), "the last thing done is to erase the live part"
