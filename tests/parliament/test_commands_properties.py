"""What holds of the command language for any text at all."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parliament.command_values import fold
from parliament.commands import (
    OPS,
    ActionCommand,
    AdjournCommand,
    AmendmentCommand,
    CallCommand,
    Command,
    DiscussCommand,
    DissentCommand,
    MotionCommand,
    NextCommand,
    OpenCommand,
    PhaseCommand,
    QuorumCommand,
    RollCommand,
    RollEntry,
    Roster,
    RosterEntry,
    RulingCommand,
    SecondCommand,
    TableCommand,
    VoteCommand,
    VoteEntry,
    WithdrawCommand,
    compact,
    find_mentions,
    from_compact,
    parse,
    render,
    strip_commands,
)
from parliament.text import is_blank
from parliament.values import SHAREHOLDER, Phase, Vote
from tests.corpus.injections import TEXTS

ROSTER = Roster(
    (
        RosterEntry("aurelius", "Marcus Aurelius", ("marcus",)),
        RosterEntry("jobs", "Steve Jobs", ("steve",)),
        RosterEntry("ann-lee", "Ann Lee", ("ann",)),
    )
)

PIECES = st.sampled_from(
    [
        *'{}"`~:@=,\\ \t\n',
        *"“”„«»＂'’",
        "\n\n",
        "\r\n\r\n",
        "```\n",
        "\n~~~~\n",
        "    ",
        "\u200b",
        "\u2028",
        "\ud800",
        "\x00",
        "@jobs",
        "@Steve Jobs",
        "@nobody",
        "=FOR",
        "=present",
        '"a reason"',
        '"a \\" b"',
        "word",
        *(f"{{{op}" for op in OPS),
        *(f"{{{op}: " for op in OPS),
        "{NEXT}",
        "{VOTE: @jobs=AGAINST}",
        '{MOTION: "RESOLVED, That we go."}',
        *TEXTS,
    ]
)
SCRIPTS = st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join)
"""Texts of which most hold something that looks like a command or a quotation."""

WORDS = (st.text(min_size=1, max_size=40) | SCRIPTS).map(fold).filter(lambda text: not is_blank(text))
SEATS = st.sampled_from(ROSTER.ids)
NAMED = st.sampled_from((*ROSTER.ids, SHAREHOLDER))
ROLLS = st.lists(st.builds(RollEntry, member=NAMED, present=st.booleans()), min_size=1, unique_by=lambda e: e.member)
VOTES = st.lists(
    st.builds(VoteEntry, member=NAMED, vote=st.sampled_from(Vote), reason=st.none() | WORDS),
    min_size=1,
    unique_by=lambda e: e.member,
)
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(
        (
            QuorumCommand(), DiscussCommand(), TableCommand(), WithdrawCommand(), NextCommand(), OpenCommand(),
            AdjournCommand(),
        )
    ),
    st.builds(RollCommand, roll=ROLLS.map(tuple)),
    st.builds(CallCommand, members=st.lists(NAMED, min_size=1, unique=True).map(tuple)),
    st.builds(MotionCommand, text=WORDS),
    st.builds(SecondCommand, member=SEATS),
    st.builds(AmendmentCommand, member=SEATS, text=WORDS, summary=st.just("") | WORDS),
    st.builds(VoteCommand, votes=VOTES.map(tuple)),
    st.builds(DissentCommand, member=SEATS, text=WORDS),
    st.builds(PhaseCommand, phase=st.sampled_from(Phase)),
    st.builds(RulingCommand, text=WORDS),
    st.builds(ActionCommand, text=WORDS, owner=NAMED, deadline=st.none() | WORDS),
)  # fmt: skip


@given(SCRIPTS)
@example("{" * 500)
@example("{ROLL" * 200)
@example("\ud83d{NEXT}\ude00")
def test_reading_never_raises_and_says_truly_where_it_read(text: str) -> None:
    for roster in (ROSTER, None):
        parsed = parse(text, roster)
        everything = sorted([*parsed.commands, *parsed.malformed], key=lambda found: found.start)
        for found in everything:
            assert found.source == text[found.start : found.end]
            assert found.source.startswith("{")
        for before, after in pairwise(everything):
            assert before.end <= after.start
        for command in parsed.commands:
            assert command.source.endswith("}")
            assert not re.search(r"\n[ \t]*\n", command.source)
        for fault in parsed.malformed:
            assert fault.reason.endswith(".") and fault.mend.endswith(".")
            assert "\n" not in fault.reason + fault.mend


@given(SCRIPTS)
def test_what_was_read_is_written_and_read_again_as_the_same(text: str) -> None:
    for found in parse(text, ROSTER).commands:
        written = render(found.command)
        again = parse(written, ROSTER)
        assert [one.command for one in again.commands] == [found.command]
        assert again.malformed == ()
        assert render(again.commands[0].command) == written
        # What it was read from reads the same alone: the store keeps the source and reads it again.
        assert [one.command for one in parse(found.source, ROSTER).commands] == [found.command]


@given(COMMANDS)
def test_every_command_is_written_and_read_as_itself(command: Command) -> None:
    written = render(command)
    assert "\n" not in written
    parsed = parse(written, ROSTER)
    assert parsed.malformed == ()
    assert [found.command for found in parsed.commands] == [command]
    assert parsed.commands[0].source == written


@given(st.lists(COMMANDS, max_size=5))
def test_commands_side_by_side_do_not_meddle(commands: list[Command]) -> None:
    text = " and ".join(render(command) for command in commands)
    assert [found.command for found in parse(text, ROSTER).commands] == commands


@given(COMMANDS)
def test_law_06_a_compact_command_carries_nobodys_words(command: Command) -> None:
    small = compact(command)
    back = from_compact(small)
    assert back.op == command.op
    assert compact(back) == small

    def leaves(value: object) -> list[object]:
        if isinstance(value, dict):
            return [leaf for key, one in value.items() for leaf in [key, *leaves(one)]]
        return [leaf for one in value for leaf in leaves(one)] if isinstance(value, (list, tuple)) else [value]

    known = {*OPS, *Vote, *Phase, *ROSTER.ids, SHAREHOLDER, True, False}
    known |= {"op", "roll", "votes", "member", "members", "present", "vote", "phase", "owner"}
    assert [leaf for leaf in leaves(small) if leaf not in known] == []


@given(SCRIPTS)
def test_strip_leaves_no_live_command_that_parse_saw(text: str) -> None:
    parsed = parse(text, ROSTER)
    stripped = strip_commands(text, ROSTER)
    if not parsed.commands:
        assert stripped == text
    else:
        assert len(stripped) <= len(text) - sum(found.end - found.start for found in parsed.commands)


@given(SCRIPTS)
def test_mentions_are_members_each_once(text: str) -> None:
    named = find_mentions(text, ROSTER)
    assert len(set(named)) == len(named)
    assert set(named) <= set(ROSTER.ids)


@given(st.text(max_size=60))
def test_law_03_nothing_in_a_fence_or_quotation_acts(text: str) -> None:
    fenced = "~~~~\n" + text.replace("~", "") + "\n{ADJOURN}\n~~~~"
    assert parse(fenced, ROSTER).commands == ()
    words = fold(text).replace("\\", "\\\\").replace('"', '\\"')
    assert parse(f'"{words} {{ADJOURN}}"', ROSTER).commands == ()


ADVERSARIAL = {
    "braces": "{",
    "closed braces": "{}",
    "spaced braces": "{ ",
    "marks": '"',
    "spaced marks": ' "a',
    "curly": "“a",
    "closing curly": " ”a",
    "angle": " »a «",
    "ticks": "` `` ``` ",
    "growing ticks": None,
    "fences": "```\n",
    "other fences": "~~~\n```x\n",
    "paragraphs with a mark": '"a\n\n',
    "paragraphs with a curly mark": " “a\n\n",
    "paragraphs with a brace": "{NEXT\n\n",
    "commands": "{NEXT}",
    "not closed": "{NEXT ",
    "votes not closed": "{VOTE: @jobs=FOR ",
    "quotation in braces": '{ "',
    "quotation in commands": '{MOTION: "',
    "mentions": "@jobs ",
    "mentions in quotations": '@jobs "@',
    "backslashes": "\\",
    "escapes": '{MOTION: "\\',
    "blanks": "{ \n",
    "line ends": "\r\n",
    "long roll": None,
    "long call": None,
}


def _adversarial(name: str, size: int) -> str:
    piece = ADVERSARIAL[name]
    if piece is not None:
        return (piece * (size // len(piece) + 1))[:size]
    if name == "growing ticks":
        text, n = [], 1
        while sum(map(len, text[-1:])) < size and n * n < 2 * size:
            text.append("`" * n + " ")
            n += 1
        return "".join(text)
    if name == "long roll":
        return "{ROLL: " + ", ".join(f"@m{n}=present" for n in range(size // 15)) + "}"
    return "{CALL: " + " ".join(f"@m{n}" for n in range(size // 8)) + "}"


def _cost(text: str) -> float:
    """The least of a few times, in seconds of this process."""
    least = float("inf")
    for _ in range(3):
        start = time.process_time()
        parse(text, None)
        parse(text, ROSTER)
        find_mentions(text, ROSTER)
        least = min(least, time.process_time() - start)
    return least


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_reading_takes_time_linear_in_the_length(name: str) -> None:
    """Eight times the text takes about eight times as long: quadratic reading would take sixty-four times."""
    small, large = _cost(_adversarial(name, 12_500)), _cost(_adversarial(name, 100_000))
    floor = _cost("plain words " * 1_000)  # a text of nothing at all sets the resolution
    assert large <= 24 * max(small, floor), (small, large, floor)
