"""Persona files as people write them: sections in their order, and errors that name file, key and mend in one sentence."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parliament.seating import Composition, SeatingError
from personas.loader import assemble, get_chairman, load_board, load_composition
from personas.schema import PersonaError, Section

ADA: dict[str, Any] = {
    "v": 1,
    "id": "board-ada",
    "name": "Ada Lovelace",
    "description": "Board Member - analysis",
    "launchable": False,
    "tags": ["board"],
    "board": {
        "role": "member",
        "display_name": "Ada Lovelace",
        "voting": True,
        "perspective": "Analysis with imagination",
        "aliases": ["countess"],
        "themes": ["Engines", "numbers"],
    },
    "claude_md": {
        "sections": [
            {"heading": "## Your Identity", "content": "You are Ada.", "position": "start"},
            {"heading": "## Your Diction", "content": "Exact.", "position": "after:## Your Identity"},
        ]
    },
}


def write(folder: Path, data: Any, name: str = "ada.json") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return folder


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = copy.deepcopy(ADA)
    change(data)
    return data


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path, "not even JSON", "_notes.json")
    write(tmp_path, "nor this", "README.md")
    (ada,) = load_board(write(tmp_path, ADA))
    assert (ada.id, ada.display_name, ada.themes, ada.aliases) == ("ada", "Ada Lovelace", ("engines", "numbers"), ("countess",))
    assert ada.instructions == "## Your Identity\n\nYou are Ada.\n\n## Your Diction\n\nExact."
    assert ada.seat().themes == ("engines", "numbers")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d["board"].update(persective="x"), "unknown key 'persective' in board (did you mean 'perspective'?)"),
        (lambda d: d["board"].update(perspectiv=d["board"].pop("perspective")), "did you mean 'perspective'?"),
        (lambda d: d.update(nam="x"), "unknown key 'nam' (did you mean 'name'?)"),
        (lambda d: d.update(zzzzzz="x"), "unknown key 'zzzzzz'; remove it"),
        (
            lambda d: d["claude_md"]["sections"][1].update(positon="start"),
            "in claude_md.sections[1] (did you mean 'position'?)",
        ),
        (lambda d: d.pop("description"), "description is missing; add it"),
        (lambda d: d["board"].pop("role"), "board.role is missing; add it"),
        (lambda d: d["board"].update(role="boss"), "board.role is 'boss'; it must be 'chairman' or 'member'"),
        (lambda d: d.update(v=2), "v is 2; it must be 1"),
        (lambda d: d.update(id="ada"), "write 'board-'"),
        (lambda d: d.update(id="board-ada\n"), "write 'board-'"),
        (lambda d: d.update(id="board-eve"), "id is 'board-eve', but the file's name wants 'board-ada'"),
        (lambda d: d["board"].update(aliases=["The Countess"]), "use small letters, digits and underscores"),
        (lambda d: d["board"].update(aliases=["shareholder"]), "'shareholder' is reserved"),
        (lambda d: d["board"].update(voting="perhaps"), "board.voting is 'perhaps'"),
        (lambda d: d["claude_md"].update(sections=[]), "there are no sections"),
        (lambda d: d["claude_md"]["sections"][0].update(content=" "), "sections[0].content: the content is empty"),
        (lambda d: d["claude_md"]["sections"][0].update(content="x" * 40_000), "40000 bytes and the limit is 32768"),
        (lambda d: d["claude_md"]["sections"][0].update(heading="Identity"), "does not begin with a mark like '## '"),
        (lambda d: d["claude_md"]["sections"][1].update(heading="## Your Identity"), "stands twice"),
        (lambda d: d["claude_md"]["sections"][1].update(position="before:x"), "is no position"),
        (lambda d: d["claude_md"]["sections"][1].update(position="after:"), "names no heading"),
        (lambda d: d["claude_md"]["sections"][1].update(position="after:## Your Identty"), "did you mean '## Your Identity'?"),
        (lambda d: d["claude_md"]["sections"][1].update(position="after:## Your Diction"), "stands after itself"),
        (lambda d: d.update(extends="base"), "there is no _base.json beside it"),
        (lambda d: d.update(extends="../x"), "extends is '../x'"),
        (lambda d: d["board"].update(perspective="y" * 9000), "board.perspective"),
    ],
)
def test_an_error_names_file_key_and_mend(tmp_path: Path, change: Callable[[dict[str, Any]], object], says: str) -> None:
    with pytest.raises(PersonaError) as error:
        load_board(write(tmp_path, changed(change)))
    assert str(error.value).startswith("ada.json: ")
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 260


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "ada.json: line 1, column 2: the JSON is malformed"),
        ("[1]", "ada.json: a persona is an object"),
        ('{"v": 1, "v": 1}', "ada.json: the key 'v' stands twice"),
        ('{"v":' * 100_000, "nested too deeply"),
        ('{"v": ' + "1" * 5000 + "}", "a number that is too long"),
        (" " * (512 * 1024 + 1), "the limit is 524288"),
    ],
)
def test_a_file_that_is_no_persona(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(PersonaError) as error:
        load_board(write(tmp_path, text))
    assert says in str(error.value)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_bytes(json.dumps(ADA, ensure_ascii=False).replace("Exact", "Exäct").encode("latin-1"))
    with pytest.raises(PersonaError, match="save it as UTF-8"):
        load_board(tmp_path)
    (tmp_path / "ada.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(ADA).encode())
    assert load_board(tmp_path)[0].id == "ada"


def test_a_folder_that_is_none_and_one_without_personas(tmp_path: Path) -> None:
    with pytest.raises(PersonaError, match="nowhere is not a folder"):
        load_board(tmp_path / "nowhere")
    with pytest.raises(PersonaError, match="holds no persona files"):
        load_board(tmp_path)


def test_two_members_of_one_name(tmp_path: Path) -> None:
    write(tmp_path, ADA)
    write(tmp_path, changed(lambda d: d.update(id="board-countess")), "countess.json")
    with pytest.raises(PersonaError, match=r"countess.json: the name 'countess' belongs to 'ada' already"):
        load_board(tmp_path)


def test_exactly_one_chairman(tmp_path: Path) -> None:
    with pytest.raises(PersonaError, match="0 personas have the role 'chairman'"):
        get_chairman(load_board(write(tmp_path, ADA)))


def test_voting_false_is_kept(tmp_path: Path) -> None:
    (ada,) = load_board(write(tmp_path, changed(lambda d: d["board"].update(voting=False))))
    assert not ada.voting
    assert not ada.seat().voting


def section(heading: str, position: str, content: str = "c") -> Section:
    return Section(heading=heading, content=content, position=position)


def order(own: list[Section], shared: list[Section] | None = None) -> list[str]:
    return [each.heading for each in assemble(own, shared or [], "x.json")]


def test_sections_stand_where_they_say() -> None:
    """A position `after:X` matches the heading that starts with X, as in source 000's own sample."""
    own = [
        section("## Your Identity", "start"),
        section("## Parliamentary Procedure (Robert's Rules)", "after:## Your Identity"),
        section("### Chairman Duties", "after:## Parliamentary Procedure"),
    ]
    assert order(own) == ["## Your Identity", "## Parliamentary Procedure (Robert's Rules)", "### Chairman Duties"]
    assert order(own[::-1]) == order(own)


def test_what_follows_the_same_section_keeps_its_order_with_its_own_followers() -> None:
    own = [section("# A", "start"), section("# B", "after:# A"), section("# C", "after:# A"), section("# D", "after:# B")]
    assert order(own) == ["# A", "# B", "# D", "# C"]
    assert order([*own, section("# 0", "start")]) == ["# A", "# B", "# D", "# C", "# 0"]


def test_a_whole_heading_is_matched_before_a_beginning() -> None:
    own = [section("# Rules and more", "start"), section("# Rules", "start"), section("# X", "after:# Rules")]
    assert order(own) == ["# Rules and more", "# Rules", "# X"]


def test_own_sections_come_before_shared_ones_and_replace_them() -> None:
    own = [section("# A", "start"), section("# Own", "after:# A"), section("# Both", "after:# Shared", "mine")]
    shared = [section("# Shared", "after:# A"), section("# Both", "start", "theirs")]
    assembled = assemble(own, shared, "x.json")
    assert [each.heading for each in assembled] == ["# A", "# Own", "# Shared", "# Both"]
    assert assembled[-1].content == "mine"


BASE = {
    "v": 1,
    "id": "base",
    "description": "shared",
    "claude_md": {"sections": [{"heading": "## Procedure", "content": "Rules.", "position": "after:## Your Identity"}]},
}


def test_a_base_is_joined_in_and_changes_the_hash(tmp_path: Path) -> None:
    write(tmp_path, changed(lambda d: d.update(extends="base")))
    write(tmp_path, BASE, "_base.json")
    (before,) = load_board(tmp_path)
    assert "## Procedure\n\nRules." in before.instructions
    other = copy.deepcopy(BASE)
    other["claude_md"]["sections"][0]["content"] = "Other rules."  # type: ignore[index]
    write(tmp_path, other, "_base.json")
    (after,) = load_board(tmp_path)
    assert before.content_hash != after.content_hash


def test_a_fault_in_the_base_names_the_base(tmp_path: Path) -> None:
    write(tmp_path, changed(lambda d: d.update(extends="base")))
    write(tmp_path, {**BASE, "board": {}}, "_base.json")
    with pytest.raises(PersonaError, match=r"^_base.json: unknown key 'board'"):
        load_board(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(name="Ada L."),
        lambda d: d["board"].update(perspective="Other"),
        lambda d: d["board"].update(voting=False),
        lambda d: d["board"].update(themes=["numbers"]),
        lambda d: d["claude_md"]["sections"][1].update(content="Exact!"),
    ],
)
def test_the_hash_changes_with_anything_that_matters(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    (before,) = load_board(write(tmp_path / "a", ADA))
    (after,) = load_board(write(tmp_path / "b", changed(change)))
    assert before.content_hash != after.content_hash


def test_the_composition_file(tmp_path: Path) -> None:
    path = tmp_path / "board_config.json"
    with pytest.raises(SeatingError, match="is not there; name a composition file"):
        load_composition(path)
    path.write_text("{}")
    assert load_composition(path) == Composition()
    path.write_text('{"chairman": "ada", "fixed_members": [], "rotating_pool": [], "quorum": 1, "max_attendees": 1}')
    board = load_board(write(tmp_path / "board", ADA))
    assert load_composition(path, board).chairman == "ada"
    path.write_text('{"chairman": "adda", "fixed_members": [], "rotating_pool": [], "quorum": 1}')
    with pytest.raises(SeatingError, match=r"board_config.json: no persona is called 'adda' \(did you mean 'ada'\?\)"):
        load_composition(path, board)
    path.write_text("{nonsense")
    with pytest.raises(SeatingError, match=r"board_config\.json: line 1, column 2"):
        load_composition(path)
    with pytest.raises(SeatingError, match="is a folder"):
        load_composition(tmp_path)
