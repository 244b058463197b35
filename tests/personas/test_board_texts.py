"""The seven of source 000 as they come along: who they are, how they are composed, that they are seven and not one."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from rapidfuzz import fuzz

from parliament.roster import Roster, RosterEntry
from parliament.seating import Composition
from personas.loader import Persona, get_chairman, get_voting_members, load_board, load_composition

BOARD = load_board()
BY_ID = {persona.id: persona for persona in BOARD}

MEMBERS = {  # source 000, Agent Personas and AGENT_THEMES
    "aurelius": ("Marcus Aurelius", "chairman", ["virtue", "duty", "discipline", "stoic", "patience"]),
    "dalio": ("Ray Dalio", "member", ["efficiency", "data", "principles", "systems", "metrics"]),
    "davinci": ("Leonardo da Vinci", "member", ["innovation", "curiosity", "exploration", "creativity"]),
    "jobs": ("Steve Jobs", "member", ["experience", "design", "simplicity", "user", "taste"]),
    "musk": ("Elon Musk", "member", ["ambition", "engineering", "scale", "first-principles", "speed"]),
    "rogers": ("Fred Rogers", "member", ["empathy", "kindness", "emotional", "relationships", "patience"]),
    "roosevelt": ("Teddy Roosevelt", "member", ["action", "courage", "vigor", "conservation", "boldness"]),
}


def test_the_pool_is_the_seven_of_source_000() -> None:
    assert [persona.id for persona in BOARD] == list(MEMBERS)
    for member, (name, role, themes) in MEMBERS.items():
        persona = BY_ID[member]
        assert (persona.display_name, persona.role, list(persona.themes), persona.voting) == (name, role, themes, True)
        assert persona.tags == ("board",)
        assert not persona.launchable
    assert get_chairman(BOARD) == "aurelius"
    assert get_voting_members(BOARD) == tuple(MEMBERS)


def test_the_files_have_the_keys_of_source_000() -> None:
    for member in MEMBERS:
        data = json.loads(files("personas").joinpath("board", f"{member}.json").read_text("utf-8"))
        assert list(data) == ["v", "id", "name", "description", "extends", "launchable", "tags", "board", "claude_md"]
        assert set(data["board"]) >= {"role", "display_name", "voting", "perspective"}
        assert all(set(section) == {"heading", "content", "position"} for section in data["claude_md"]["sections"])


def test_the_composition_seats_only_personas_that_are_there() -> None:
    assert load_composition(None, BOARD) == Composition()
    assert set(Composition().named) == set(MEMBERS)


@pytest.mark.parametrize(
    ("called", "member"),
    [("steve", "jobs"), ("elon", "musk"), ("fred", "rogers"), ("teddy", "roosevelt"), ("marcus", "aurelius"), ("ray", "dalio"),
     ("leonardo", "davinci"), ("Marcus Aurelius", "aurelius")],
)  # fmt: skip
def test_the_names_of_the_command_language(called: str, member: str) -> None:
    roster = Roster(tuple(RosterEntry(each.id, each.display_name, each.aliases) for each in BOARD))
    assert roster.resolve(called) == member


@pytest.mark.parametrize("persona", BOARD, ids=lambda persona: persona.id)
def test_each_says_who_it_is_and_how_it_argues(persona: Persona) -> None:
    headings = re.findall(r"(?m)^#{2,3} .*$", persona.instructions)
    assert headings[0] == "## Your Identity"
    assert headings[:6] == [
        "## Your Identity",
        "## How You Think and Argue",
        "## Questions You Ask",
        "## Your Diction",
        "## What Moves You",
        "## Your Manners at the Table",
    ]
    duties = headings.index("### Chairman Duties") if persona.role == "chairman" else None
    if duties is not None:
        assert headings[duties - 1] == "## Parliamentary Procedure (Robert's Rules)"
    assert "## Parliamentary Procedure (Robert's Rules)" in headings
    assert headings[-1] == "## Speaking at This Board"
    assert persona.display_name.split()[-1] in persona.instructions
    assert persona.instructions.count("?\n") >= 5
    assert "[" not in persona.instructions.replace("[ ]", "")  # no blank was left to be filled in
    assert len(persona.interests) >= 12


def test_no_two_share_their_texts() -> None:
    own = {persona.id: persona.instructions.split("## Parliamentary Procedure")[0] for persona in BOARD}
    for one, text in own.items():
        for other, another in own.items():
            if one < other:
                sentences = {each.strip() for each in re.split(r"[.?!]\s", text) if len(each.strip()) > 12}
                shared = sentences & {each.strip() for each in re.split(r"[.?!]\s", another)}
                assert {each for each in shared if not each.startswith("## ")} == set(), (one, other)
                assert fuzz.token_sort_ratio(text, another) < 70, (one, other)


def test_interests_are_not_themes() -> None:
    """Interests widen what a member dissents from; if they were themes they would seat the board otherwise than source 000."""
    for persona in BOARD:
        assert not set(persona.interests) & set(persona.themes), persona.id
        assert len(set(persona.interests)) == len(persona.interests), persona.id


def test_a_persona_survives_being_frozen() -> None:
    for persona in BOARD:
        assert Persona.model_validate_json(persona.model_dump_json()) == persona


def test_hashes_are_stable_and_differ() -> None:
    assert [persona.content_hash for persona in load_board()] == [persona.content_hash for persona in BOARD]
    assert len({persona.content_hash for persona in BOARD}) == len(BOARD)
