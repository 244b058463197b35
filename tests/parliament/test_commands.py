"""The command language: each command read and written, what is quoted, and what a malformed one is told."""

from __future__ import annotations

import pytest

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
from parliament.values import Phase, Vote
from tests.corpus.injections import NAMES, TEXTS

ROSTER = Roster(
    (
        RosterEntry("aurelius", "Marcus Aurelius", ("marcus",)),
        RosterEntry("jobs", "Steve Jobs", ("steve",)),
        RosterEntry("musk", "Elon Musk", ("elon",)),
        RosterEntry("davinci", "Leonardo da Vinci", ("leonardo", "da vinci")),
    )
)


def ops(text: str) -> list[str]:
    return [found.command.op for found in parse(text, ROSTER).commands]


def only(text: str) -> Command:
    parsed = parse(text, ROSTER)
    assert not parsed.malformed, parsed.malformed
    (found,) = parsed.commands
    assert found.source == text[found.start : found.end]
    return found.command


WRITTEN: tuple[tuple[str, Command], ...] = (
    (
        "{ROLL: @musk=present, @jobs=absent}",
        RollCommand(roll=(RollEntry(member="musk", present=True), RollEntry(member="jobs", present=False))),
    ),
    ("{QUORUM}", QuorumCommand()),
    ("{DISCUSS}", DiscussCommand()),
    ("{CALL: @jobs @musk}", CallCommand(members=("jobs", "musk"))),
    ('{MOTION: "RESOLVED, That we go."}', MotionCommand(text="RESOLVED, That we go.")),
    ("{SECOND: @jobs}", SecondCommand(member="jobs")),
    (
        '{AMENDMENT: @jobs "RESOLVED, That we stay." "stay for go"}',
        AmendmentCommand(member="jobs", text="RESOLVED, That we stay.", summary="stay for go"),
    ),
    ("{TABLE}", TableCommand()),
    ("{WITHDRAW}", WithdrawCommand()),
    (
        '{VOTE: @jobs=FOR, @musk=AGAINST "too slow"}',
        VoteCommand(
            votes=(VoteEntry(member="jobs", vote=Vote.FOR), VoteEntry(member="musk", vote=Vote.AGAINST, reason="too slow"))
        ),
    ),
    ('{DISSENT: @musk "It is too slow."}', DissentCommand(member="musk", text="It is too slow.")),
    ("{PHASE: motion_discussion}", PhaseCommand(phase=Phase.MOTION_DISCUSSION)),
    ('{RULING: "The point is well taken."}', RulingCommand(text="The point is well taken.")),
    ("{NEXT}", NextCommand()),
    ("{OPEN}", OpenCommand()),
    ("{ADJOURN}", AdjournCommand()),
    (
        '{ACTION: "Write the letter" @shareholder "by Friday"}',
        ActionCommand(text="Write the letter", owner="shareholder", deadline="by Friday"),
    ),
)
"""Every command in the form in which `render` writes it."""


def test_there_are_the_seventeen_commands_of_the_source() -> None:
    assert [command.op for _, command in WRITTEN] == list(OPS)
    assert len(set(OPS)) == 17


@pytest.mark.parametrize(("text", "command"), WRITTEN, ids=OPS)
def test_a_command_is_read_and_written(text: str, command: Command) -> None:
    assert only(text) == command
    assert render(command) == text


@pytest.mark.parametrize(("text", "command"), WRITTEN, ids=OPS)
def test_a_command_stands_anywhere_in_prose_and_leaves_it_with_strip(text: str, command: Command) -> None:
    speech = f"We've heard enough. {text} Let's go on."
    (found,) = parse(speech, ROSTER).commands
    assert found.command == command
    assert (found.start, found.end, found.source) == (20, 20 + len(text), text)
    assert strip_commands(speech, ROSTER) == "We've heard enough.  Let's go on."


@pytest.mark.parametrize(("text", "command"), WRITTEN, ids=OPS)
def test_blanks_stand_between_all_parts(text: str, command: Command) -> None:
    op = command.op
    spaced = (
        text.replace("{", "{ \t")
        .replace("}", "\n }")
        .replace(f"{op}:", f"{op} :  ")
        .replace("=", " = ")
        .replace(", @", " ,\t@")
    )
    assert only(spaced) == command


@pytest.mark.parametrize(("text", "command"), WRITTEN, ids=OPS)
def test_what_travels_holds_nobodys_words(text: str, command: Command) -> None:
    small = compact(command)
    for word in ("RESOLVED", "slow", "stay", "letter", "Friday", "taken"):
        assert word not in repr(small)
    back = from_compact(small)
    assert back.op == command.op
    assert compact(back) == small


def test_from_compact_takes_nothing_else() -> None:
    for value in ({"op": "ABDICATE"}, {"op": "NEXT", "also": 1}, {"op": "VOTE", "votes": []}, {}):
        with pytest.raises(ValueError, match=r"valid|union|tag|extra|least"):
            from_compact(value)


# -- what may be left out, and what may not


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("{CALL: @jobs, @musk @jobs}", CallCommand(members=("jobs", "musk"))),
        (
            "{ROLL: @jobs=present @musk=present}",
            RollCommand(roll=(RollEntry(member="jobs", present=True), RollEntry(member="musk", present=True))),
        ),
        ('{AMENDMENT: @jobs "We stay."}', AmendmentCommand(member="jobs", text="We stay.", summary="")),
        ('{ACTION: "Write" @musk}', ActionCommand(text="Write", owner="musk", deadline=None)),
        ("{VOTE: @jobs=NO_REPLY}", VoteCommand(votes=(VoteEntry(member="jobs", vote=Vote.NO_REPLY),))),
        ('{MOTION: "  two\n  lines\tand  blanks "}', MotionCommand(text="two lines and blanks")),
        ('{MOTION: "\x1b[31mred\x07"}', MotionCommand(text="␛[31mred␇")),
    ],
)
def test_a_command_in_its_shorter_forms(text: str, command: Command) -> None:
    assert only(text) == command


MALFORMED: tuple[tuple[str, str, str], ...] = (
    # text, what the reason names, what the mend shows
    ("{ABDICATE}", "ABDICATE is not a command", "ROLL, QUORUM"),
    ("{ABDICATE: @jobs}", "ABDICATE is not a command", "ADJOURN, ACTION"),
    ("{ROLL}", "ROLL wants a colon", "{ROLL: @elon=present"),
    ("{ROLL:}", "a name with @, and '}'", "{ROLL:"),
    ("{ROLL: @jobs}", "wants = after @jobs", "{ROLL:"),
    ("{ROLL: @jobs=here}", "present and absent, not 'here'", "{ROLL:"),
    ("{ROLL: @jobs=present, @steve=absent}", "names @jobs twice", "{ROLL:"),
    ("{ROLL: @jobs=present,}", "a name with @", "{ROLL:"),
    ("{QUORUM: yes}", "QUORUM is not closed", "{QUORUM}"),
    ("{DISCUSS: all}", "DISCUSS is not closed", "{DISCUSS}"),
    ("{CALL @jobs}", "CALL wants a colon and its arguments, and '@'", "{CALL: @steve"),
    ("{CALL: jobs}", "a name with @, and 'j'", "{CALL: @steve"),
    ("{CALL: @}", "a name after the @", "{CALL:"),
    ("{CALL: @nobody}", "@nobody names no one member", "@aurelius, @jobs, @musk, @davinci, @shareholder"),
    ("{MOTION: RESOLVED, That we go.}", "the motion in double quotation marks, and 'R'", '{MOTION: "RESOLVED'),
    ("{MOTION: 'RESOLVED, That we go.'}", "double quotation marks", '{MOTION: "RESOLVED'),
    ('{MOTION "RESOLVED, That we go."}', "MOTION wants a colon", '{MOTION: "RESOLVED'),
    ("{MOTION “RESOLVED, That we go.”}", "MOTION wants a colon", '{MOTION: "RESOLVED'),
    ('{MOTION: ""}', "the quotation is empty", '{MOTION: "RESOLVED'),
    ('{MOTION: " \u200b "}', "the quotation is empty", '{MOTION: "RESOLVED'),
    ('{MOTION: "We go."; "Now."}', "MOTION is not closed", "{MOTION:"),
    ("{SECOND}", "SECOND wants a colon", "{SECOND: @steve}"),
    ("{SECOND: @ jobs}", "a name after the @", "{SECOND: @steve}"),
    ("{SECOND: @jobs @musk}", "SECOND is not closed: a brace was expected, and '@'", "{SECOND: @steve}"),
    ('{AMENDMENT: "We stay." @jobs}', "a name with @", "{AMENDMENT: @steve"),
    ("{AMENDMENT: @jobs}", "the full amended text in double", "{AMENDMENT: @steve"),
    ("{TABLE: now}", "TABLE is not closed", "{TABLE}"),
    ("{WITHDRAW: it}", "WITHDRAW is not closed", "{WITHDRAW}"),
    ("{VOTE: @jobs=for}", "VOTE knows FOR, AGAINST", "{VOTE: @steve=FOR"),
    ("{VOTE: @jobs=MAYBE}", "not 'MAYBE'", "{VOTE: @steve=FOR"),
    ("{VOTE: @jobs=}", "VOTE wants a vote, and '}'", "{VOTE:"),
    ("{VOTE: @jobs=FOR, @jobs=AGAINST}", "names @jobs twice", "{VOTE:"),
    ("{VOTE: @jobs=FOR reason}", "a name with @, and 'r'", "{VOTE:"),
    ("{DISSENT: @jobs}", "the statement in double", '{DISSENT: @elon "statement"}'),
    ("{PHASE: VOTING}", "not 'VOTING'", "{PHASE: voting}"),
    ("{PHASE}", "PHASE wants a colon", "{PHASE: voting}"),
    ("{RULING: well taken}", "the ruling in double", "{RULING:"),
    ("{NEXT: item}", "NEXT is not closed", "{NEXT}"),
    ("{OPEN: floor}", "OPEN is not closed", "{OPEN}"),
    ("{ADJOURN: now}", "ADJOURN is not closed", "{ADJOURN}"),
    ('{ACTION: @jobs "Write"}', "the task in double", '{ACTION: "task" @owner'),
    ('{ACTION: "Write"}', "a name with @, and '}'", '{ACTION: "task" @owner'),
)


@pytest.mark.parametrize(("text", "reason", "mend"), MALFORMED, ids=[text for text, _, _ in MALFORMED])
def test_a_malformed_command_says_where_and_why_and_how_it_is_mended(text: str, reason: str, mend: str) -> None:
    speech = f"Well. {text} And so on."
    parsed = parse(speech, ROSTER)
    assert parsed.commands == ()
    (found,) = parsed.malformed
    assert (found.start, found.end, found.source) == (6, 6 + len(text), text)
    assert reason in found.reason
    assert found.reason.endswith(".") and "\n" not in found.reason
    assert mend in found.mend
    assert strip_commands(speech, ROSTER) == speech


def test_every_command_has_a_malformed_form_in_the_table() -> None:
    assert {text.strip("{}").replace(":", " ").split()[0] for text, _, _ in MALFORMED} - {"ABDICATE"} == set(OPS)


def test_what_a_mend_shows_is_well_formed() -> None:
    for text, _, _ in MALFORMED:
        (found,) = parse(text, ROSTER).malformed
        if found.mend.startswith("Write "):
            shown = found.mend.removeprefix("Write ").removesuffix(".")
            assert len(parse(shown).commands) == 1, shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{VOTE: @jobs=FOR", "the end of the paragraph"),
        ("{VOTE: @jobs=FOR\n\n, @musk=FOR}", "the end of the paragraph"),
        ('{MOTION: "We go.\n\nThen we rest."}', "not closed within its paragraph"),
        ('{MOTION: "We go}', "not closed within its paragraph"),
        ("{NEXT: \n```\n}", "NEXT is not closed"),
    ],
)
def test_a_command_does_not_reach_beyond_its_paragraph(text: str, reason: str) -> None:
    parsed = parse(text, ROSTER)
    assert parsed.commands == ()
    (found,) = parsed.malformed
    assert reason in found.reason
    assert found.source == text[: found.end]
    assert "\n\n" not in found.source.rstrip("\n")


def test_a_malformed_command_ends_nothing_for_the_next_paragraph() -> None:
    parsed = parse('{MOTION: "We go}\n\n{NEXT}', ROSTER)
    assert [found.command.op for found in parsed.commands] == ["NEXT"]
    assert len(parsed.malformed) == 1


# -- names


@pytest.mark.parametrize(
    ("written", "member"),
    [
        ("@jobs", "jobs"), ("@steve", "jobs"), ("@Steve", "jobs"), ("@JOBS", "jobs"), ("@SteveJobs", "jobs"),
        ("@Steve Jobs", "jobs"), ("@steve_jobs", "jobs"), ("@steve-jobs", "jobs"), ("@Leonardo da Vinci", "davinci"),
        ("@da vinci", "davinci"), ("@DaVinci", "davinci"), ("@shareholder", "shareholder"),
        ("@Shareholder", "shareholder"),
    ],
)  # fmt: skip
def test_a_member_is_named_by_id_alias_or_display_name(written: str, member: str) -> None:
    assert only(f"{{SECOND: {written}}}") == SecondCommand(member=member)


def test_names_of_several_words_stand_in_lists() -> None:
    assert only("{CALL: @Steve Jobs, @Leonardo da Vinci @marcus}") == CallCommand(members=("jobs", "davinci", "aurelius"))
    assert only("{VOTE: @Steve Jobs=FOR}") == VoteCommand(votes=(VoteEntry(member="jobs", vote=Vote.FOR),))


def test_a_name_that_two_seats_share_names_nobody() -> None:
    roster = Roster((RosterEntry("a1", "Ann", ("boss",)), RosterEntry("a2", "Ann", ("boss", "a1"))))
    assert roster.resolve("boss") is None
    assert roster.resolve("Ann") is None
    assert roster.resolve("a1") == "a1"  # ids win over aliases
    with pytest.raises(ValueError, match="share the id 'x'"):
        Roster((RosterEntry("x"), RosterEntry("x")))


def test_without_a_roster_names_stay_as_written() -> None:
    (found,) = parse("{CALL: @Somebody @else}").commands
    assert found.command == CallCommand(members=("Somebody", "else"))


def test_mentions_stand_in_plain_words_only_each_once_in_order() -> None:
    text = 'As @elon said, and @Steve Jobs, @elon: "@davinci" `@davinci` {CALL: @davinci} me@davinci.example @@davinci @nobody'
    assert find_mentions(text, ROSTER) == ("musk", "jobs")
    assert find_mentions("@shareholder and @steves", ROSTER) == ()


# -- what is quoted is not a command


QUOTED = (
    'They wrote "{NEXT}" to us.',
    "They wrote “{NEXT}” to us.",
    "They wrote „{NEXT}“ to us.",
    "They wrote «{NEXT}» to us.",
    "They wrote »{NEXT}« to us.",
    "They wrote ”{NEXT}” to us.",
    "They wrote ＂{NEXT}＂ to us.",
    'They wrote "say \\"{NEXT}\\" now" to us.',
    'They wrote "she said "{NEXT}" to him" to us.',
    'Unbalanced: "they wrote {NEXT}',
    'A backslash before the first mark takes nothing away: \\"{NEXT}',
    'Unbalanced: "they wrote {NEXT}\nand {NEXT} in the same paragraph',
    "Unbalanced: “they wrote {NEXT}",
    'Over paragraphs: "first\n\nthen {NEXT} there"',
    "Code: `{NEXT}`.",
    "Code: ``a ` {NEXT}``.",
    "Code left open: `a {NEXT}",
    "```\n{NEXT}\n```",
    "~~~text\n{NEXT}\n~~~",
    "````\n```\n{NEXT}\n```\n````",
    "```\nleft open\n\n{NEXT}",
    "{{NEXT}}",
    "{ {NEXT} }",
    "{the list: {NEXT}}",
    "${NEXT} #{NEXT} %{NEXT} \\{NEXT}",
    '{"commands": ["{NEXT}"]}',
)


@pytest.mark.parametrize("text", QUOTED)
def test_law_03_what_is_quoted_is_no_command(text: str) -> None:
    parsed = parse(text, ROSTER)
    assert parsed.commands == ()
    assert parsed.malformed == ()
    assert strip_commands(text, ROSTER) == text


NOT_A_COMMAND = (
    "{next}", "{Next}", "{adjourn}", "{vote: @jobs=FOR}", "NEXT", "[NEXT]", "(NEXT)", "{NEXT", "｛NEXT｝", "﹛NEXT﹜",
    "{NE\u200bXT}", "{\u200bNEXT}", "{NEXT item}", "{NEXT @jobs}", "{CALL the roll}",
    "{MOTION 'x'}", "{}", "{ }", "{1}", "{x + 1}", "{ΝΕΧΤ}", "{\n\nNEXT}", "{NEXT\n\n}",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_A_COMMAND)
def test_what_is_not_written_as_a_command_is_prose(text: str) -> None:
    assert parse(text, ROSTER).commands == ()
    assert parse(text, ROSTER).malformed == ()


LIVE = (
    "{NEXT}",
    "Don't wait: {NEXT} it's time, he's 5' tall.",
    "'{NEXT}'",
    '"They said so." {NEXT}',
    '"They said "so" then." {NEXT}',
    "“They said so.” {NEXT}",
    "`x` {NEXT}",
    "```\nx\n```\n{NEXT}",
    'An inch is 1".\n\n{NEXT}',
    "Left open: “so\n\n{NEXT}",
    "Left open: `so\n\n{NEXT}",
    "{a group} {NEXT}",
    "(see {a, b}) {NEXT}",
    "{unclosed\n\n{NEXT}",
    "> {NEXT}",
    "**{NEXT}**",
)


@pytest.mark.parametrize("text", LIVE)
def test_the_chairmans_plain_words_are_live(text: str) -> None:
    assert ops(text) == ["NEXT"]


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ('"a } b"', "a } b"),
        ('"a {NEXT} b"', "a {NEXT} b"),
        ('"say \\"no\\" now"', 'say "no" now'),
        ('"say "no" now"', 'say "no" now'),
        ("“say ‘no’ now”", "say ‘no’ now"),
        ("“say \\”no”", "say ”no"),
        ('"a \\\\"', "a \\"),
        ('"C:\\new"', "C:\\new"),
        ('"a `b` ```c```"', "a `b` ```c```"),
        ('"@musk=FOR, @aurelius=FOR"', "@musk=FOR, @aurelius=FOR"),
    ],
)
def test_a_reason_may_hold_anything(written: str, reason: str) -> None:
    text = f"{{VOTE: @jobs=AGAINST {written}}}"
    command = only(text)
    assert command == VoteCommand(votes=(VoteEntry(member="jobs", vote=Vote.AGAINST, reason=reason),))
    assert only(render(command)) == command


def test_several_commands_come_in_the_order_in_which_they_are_written() -> None:
    text = '{OPEN} We hear @jobs. {CALL: @jobs}{CALL: @musk} "{TABLE}" {VOTE: @jobs=for} {NEXT}\n\n{ADJOURN}'
    parsed = parse(text, ROSTER)
    assert [found.source for found in parsed.commands] == ["{OPEN}", "{CALL: @jobs}", "{CALL: @musk}", "{NEXT}", "{ADJOURN}"]
    assert [found.source for found in parsed.malformed] == ["{VOTE: @jobs=for}"]
    places = [(found.start, found.end) for found in parsed.commands]
    assert places == sorted(places)
    assert strip_commands(text, ROSTER) == 'We hear @jobs.  "{TABLE}" {VOTE: @jobs=for}'


def test_strip_takes_what_parse_took_and_nothing_else() -> None:
    """With the roster of the meeting: a name of two words is one name, and a name of nobody is malformed and stays."""
    assert strip_commands("Please. {CALL: @Steve Jobs}", ROSTER) == "Please."
    assert strip_commands("Please. {CALL: @nobody}", ROSTER) == "Please. {CALL: @nobody}"
    assert strip_commands("a\n\n{NEXT}\n\nb {NEXT}\nc", ROSTER) == "a\n\nb\nc"
    assert strip_commands("  nothing to take \n", ROSTER) == "  nothing to take \n"


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_law_03_a_hostile_text_in_quotation_marks_is_never_a_command(text: str) -> None:
    """As the prompts ask the chairman to cite: on one line, marks inside escaped."""
    line = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    assert ops(f'The note says "{line}" and we go on.') == []
    assert ops(f'The note says "{line}" and we go on. {{NEXT}}') == ["NEXT"]
