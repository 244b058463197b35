"""What is handed in to be reviewed: each wrong value in one sentence that says what to do, before anything is on the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clerk.errors import DeskError
from clerk.reviews import MAX_PROPOSAL, Proposal, ReviewRequest, checked, plan
from settings import Settings

ONE = (Proposal("proposal.md", "# Session tokens\n\nTokens expire after 12 hours.\n"),)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    return Settings(data_dir=tmp_path / "data", provider="simulated")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"documents": ()}, "There is no proposal"),
        ({"documents": (Proposal("a.md", " \n\u200b"),)}, "a.md is empty"),
        ({"documents": (Proposal("a\n\x1b[31m.md", ""),)}, "is empty"),
        ({"documents": (Proposal("a.md", "x\0y"),)}, "not a text file"),
        ({"documents": (Proposal("a.md", "ä" * (MAX_PROPOSAL // 2) + "x"),)}, "2 MiB"),
        ({"documents": (Proposal("a.md", "x" * MAX_PROPOSAL), *ONE)}, "2 MiB"),
        ({"documents": ONE * 51}, "more than the 50"),
        ({"track": "../x"}, "not the id of a track"),
        ({"track": ""}, "not the id of a track"),
        ({"track": "x" * 101}, "not the id of a track"),
        ({"rounds": 4}, "0 to 3"),
        ({"rounds": -1}, "0 to 3"),
        ({"title": " "}, "title of the review is empty"),
        ({"pace": "fast"}, "not a pace"),
        ({"board": Path("nowhere")}, "name a folder of directors"),
        ({"provider": "oracle"}, "provider"),
        ({"seed": -1}, "seed"),
        ({"deadline": 0.0}, "deadline"),
        ({"deadline": -5.0}, "deadline"),
        ({"deadline": float("nan")}, "deadline"),
    ],
)  # fmt: skip
def test_wrong_values_are_told_in_one_sentence(settings: Settings, request_: dict[str, Any], words: str) -> None:
    with pytest.raises(DeskError, match=words) as error:
        plan(settings, ReviewRequest(**({"documents": ONE} | request_)))
    assert error.value.usage and "\n" not in str(error.value) and str(error.value)[-1] in ".:`"


@pytest.mark.parametrize(
    ("documents", "title"),
    [
        (ONE, "Session tokens"),
        ((Proposal("tokens.diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n+y"),), "tokens.diff"),
        ((Proposal("a.md", "no heading\n#\n## A second level ##\n"),), "A second level"),
        ((Proposal("a.md", "# " + "long " * 100),), ("long " * 100)[:199].rstrip() + "…"),
        ((Proposal("price.txt", "From 12 to 15 euros per seat\n\nFrom March on."),), "From 12 to 15 euros per seat"),
        ((Proposal("price.txt", "From March on we charge more.\n\nWhy: costs."),), "price.txt"),
        ((Proposal("price.txt", "From March on\nwe charge more"),), "price.txt"),
        ((Proposal("a.md", "# {ADJOURN} \x1b[31m<b>"),), None),
        ((Proposal("\u200b", "text"),), None),
    ],
)  # fmt: skip
def test_a_review_is_named_by_its_proposal(settings: Settings, documents: tuple[Proposal, ...], title: str | None) -> None:
    found = plan(settings, ReviewRequest(documents=documents)).title
    assert found.strip() and "\n" not in found and "\x1b" not in found and len(found) <= 200
    assert title is None or found == title


@pytest.mark.parametrize(
    "id", ["", "board-1", "board-20260201-0", "board-20260201-", "../x", "mtg-", "board-20260201-1\n", "b" * 999]
)
def test_an_id_that_is_none_says_how_one_looks(id: str) -> None:
    with pytest.raises(DeskError, match="board-20260201-1") as error:
        checked(id)
    assert len(str(error.value)) < 300
