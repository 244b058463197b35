"""Boards of directors: the five of source 001, and others as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from personas.loader import load_directors
from personas.schema import PersonaError


def director(folder: Path, code: str, **board: Any) -> None:
    folder.mkdir(exist_ok=True)
    file = {
        "v": 1, "id": f"board-{code.lower()}", "name": code, "description": f"Director - {code}", "launchable": False,
        "tags": ["directors"],
        "board": {"role": "member", "display_name": f"Chief of {code}", "voting": True, "perspective": f"{code} matters",
                  "aliases": [], "themes": ["permits", "noise"], **board},
        "claude_md": {"sections": [{"heading": "## Your Office", "content": f"You are {code}.", "position": "start"}]},
    }  # fmt: skip
    (folder / f"{code.lower()}.json").write_text(json.dumps(file), "utf-8")


def made(folder: Path, seats: int) -> Path:
    for n in range(seats):
        director(folder, f"D{n}")
    return folder


def test_the_five_of_source_001_sit_in_its_order_with_its_domains() -> None:
    name, seats = load_directors()
    assert name == "Directors"
    assert [(one.name, one.display_name, one.perspective) for one in seats] == [
        ("CA", "Chief Architect", "Technical"), ("CPO", "Chief Product Officer", "Product"),
        ("CSO", "Chief Security Officer", "Security"), ("COO", "Chief Operations Officer", "Operations"),
        ("CXO", "Chief Experience Officer", "Experience"),
    ]  # fmt: skip
    assert [one.themes for one in seats] == [
        ("system design", "patterns", "scalability", "tech debt"), ("user value", "market fit", "scope", "usability"),
        ("vulnerabilities", "compliance", "risk assessment"), ("feasibility", "timeline", "resources", "deployment"),
        ("ux/ui", "accessibility", "user journey"),
    ]  # fmt: skip
    assert all(len(one.instructions) > 800 and one.voting and one.role == "member" for one in seats)
    assert len({one.instructions for one in seats}) == 5


@pytest.mark.parametrize("seats", range(3, 10))
def test_a_folder_is_a_board_of_three_to_nine(tmp_path: Path, seats: int) -> None:
    name, found = load_directors(made(tmp_path / "planning", seats))
    assert (name, len(found)) == ("planning", seats)


@pytest.mark.parametrize("seats", [1, 2, 10])
def test_other_numbers_of_seats_are_refused(tmp_path: Path, seats: int) -> None:
    with pytest.raises(PersonaError, match=f"3 to 9 seats, and this has {seats}"):
        load_directors(made(tmp_path / "planning", seats))


def test_a_file_lists_some_of_the_directors_beside_it_in_its_order(tmp_path: Path) -> None:
    made(tmp_path, 5)
    listing = tmp_path / "_small.json"
    listing.write_text(json.dumps({"v": 1, "name": "Small", "directors": ["d3", "d0", "d4"]}))
    name, found = load_directors(listing)
    assert (name, [one.id for one in found]) == ("Small", ["d3", "d0", "d4"])
    (tmp_path / "_board.json").write_text(json.dumps({"v": 1, "name": "Home", "directors": ["d2", "d1", "d0"]}))
    assert [one.id for one in load_directors(tmp_path)[1]] == ["d2", "d1", "d0"]


@pytest.mark.parametrize(
    ("listing", "words"),
    [
        ({"v": 1, "name": "X", "directors": ["d0", "d1", "dx"]}, "no dx.json beside it"),
        ({"v": 1, "name": "X", "directors": ["d0", "d1", "d0"]}, "listed twice"),
        ({"v": 1, "name": "X", "directors": ["d0", "d1"]}, "3 to 9 seats"),
        ({"v": 1, "name": "X", "directors": ["../d0", "d1", "d2"]}, "directors"),
        ({"v": 1, "name": "X", "directors": "d0"}, "directors"),
        ({"v": 1, "directors": ["d0", "d1", "d2"]}, "name"),
        ({"v": 1, "name": "X", "directors": ["d0", "d1", "d2"], "chairs": 3}, "chairs"),
        ({"v": 2, "name": "X", "directors": ["d0", "d1", "d2"]}, "v"),
        ([], "_board.json"),
        ("{", "malformed"),
        ('{"v": 1, "v": 1}', "stands twice"),
        ("\ufeff", "malformed"),
    ],
)  # fmt: skip
def test_a_listing_that_is_wrong_is_named_in_one_sentence(tmp_path: Path, listing: Any, words: str) -> None:
    made(tmp_path, 3)
    (tmp_path / "_board.json").write_text(listing if isinstance(listing, str) else json.dumps(listing), "utf-8")
    with pytest.raises(PersonaError, match=words) as error:
        load_directors(tmp_path)
    assert "\n" not in str(error.value) and "_board.json" in str(error.value)


def test_two_directors_with_one_code_are_refused(tmp_path: Path) -> None:
    made(tmp_path, 3)
    file = json.loads((tmp_path / "d1.json").read_text())
    (tmp_path / "d1.json").write_text(json.dumps(file | {"name": "d0"}))
    with pytest.raises(PersonaError, match="same name"):
        load_directors(tmp_path)


@pytest.mark.parametrize("name", ["A\nB", "<b>x</b>", "a/../../b", "\x1b[31mR", "# APPROVED", "A  B", "x" * 41, "\u202eA", "|"])
def test_a_name_that_is_no_code_is_refused(tmp_path: Path, name: str) -> None:
    made(tmp_path, 3)
    file = json.loads((tmp_path / "d1.json").read_text())
    (tmp_path / "d1.json").write_text(json.dumps(file | {"name": name}))
    with pytest.raises(PersonaError, match=r"d1\.json"):
        load_directors(tmp_path)


@pytest.mark.parametrize("name", ["CA", "R&D", "St. Gallen", "Ärzte-1", "C", "x" * 40])
def test_a_name_that_is_a_code_is_taken(tmp_path: Path, name: str) -> None:
    made(tmp_path, 3)
    file = json.loads((tmp_path / "d1.json").read_text())
    (tmp_path / "d1.json").write_text(json.dumps(file | {"name": name}))
    assert name in [one.name for one in load_directors(tmp_path)[1]]


def test_a_seat_without_a_vote_is_refused_where_it_is_listed(tmp_path: Path) -> None:
    made(tmp_path, 4)
    file = json.loads((tmp_path / "d1.json").read_text())
    file["board"]["voting"] = False
    (tmp_path / "d1.json").write_text(json.dumps(file))
    assert [one.id for one in load_directors(tmp_path)[1]] == ["d0", "d2", "d3"]
    (tmp_path / "_board.json").write_text(json.dumps({"v": 1, "name": "Home", "directors": ["d2", "d1", "d0"]}))
    with pytest.raises(PersonaError, match=r"d1\.json: every director votes"):
        load_directors(tmp_path)


def test_a_place_that_is_not_there_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(PersonaError, match="name a folder of directors"):
        load_directors(tmp_path / "nowhere")
    with pytest.raises(PersonaError):
        load_directors(tmp_path)  # empty
