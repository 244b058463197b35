"""A person's folder: no link in it is followed, nothing outside it is touched, no file is half-written."""

from __future__ import annotations

import json
import os
import resource
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clerk.errors import DeskError
from clerk.folders import MAX_FILE, Folder, NotRead, json_bytes, lines_bytes, read_json, read_lines


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.json").write_text('{"secret": 1}')
    return tmp_path / "in"


def why(place: Path, name: str) -> str:
    with Folder.open(place) as folder, pytest.raises(NotRead) as told:
        read_json(folder, name)
    return str(told.value)


def test_links_are_not_followed_in_reading(place: Path) -> None:
    (place / "a.json").symlink_to(place.parent / "secret.json")
    (place / "inner").symlink_to(place.parent)
    assert "symbolic link" in why(place, "a.json")
    with Folder.open(place) as folder, pytest.raises(NotRead, match="symbolic link"):
        folder.inner("inner")


def test_links_and_folders_are_not_written_through(place: Path) -> None:
    (place / "a.json").symlink_to(place.parent / "secret.json")
    (place / "inner").symlink_to(place.parent)
    (place / "b.json").mkdir()
    with Folder.open(place) as folder:
        for name in ("a.json", "b.json"):
            with pytest.raises(DeskError, match="take it away"):
                folder.write(name, b"x")
        with pytest.raises(DeskError, match="symbolic link"):
            folder.made("inner")
        folder.remove("a.json")
    assert (place / "a.json").is_symlink()
    assert (place.parent / "secret.json").read_text() == '{"secret": 1}'


def test_a_file_is_replaced_whole_and_is_its_owners_alone(place: Path) -> None:
    (place / "a.json").write_text("old")
    os.link(place / "a.json", place / "other name of the old file")
    with Folder.open(place) as folder:
        folder.write("a.json", b"new")
        folder.write("a.json", b"newer")
    assert (place / "a.json").read_bytes() == b"newer"
    assert (place / "other name of the old file").read_text() == "old"  # replaced, not written over
    assert (place / "a.json").stat().st_mode & 0o077 == 0
    assert sorted(file.name for file in place.iterdir()) == ["a.json", "other name of the old file"]


def test_what_cannot_be_written_leaves_nothing_behind(place: Path) -> None:
    (place / "a.json").write_text("old")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, limit[1]))
    try:
        with Folder.open(place) as folder, pytest.raises(DeskError, match="cannot be written"):
            folder.write("a.json", b"x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    assert [file.name for file in place.iterdir()] == ["a.json"]
    assert (place / "a.json").read_text() == "old"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"a": NaN}', "number"),
        (b"[1e999]", "number"),
        (b"[-Infinity]", "number"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"[" * 100_000, "nested"),
        (b"[" * 80 + b"]" * 80, "nested"),
        (b"[1" + b"0" * 5000 + b"]", "no JSON"),
        (b" " * (MAX_FILE + 1), "larger"),
    ],
)
def test_what_is_no_plain_json_is_told(place: Path, data: bytes, told: str) -> None:
    (place / "a.json").write_bytes(data)
    assert told in why(place, "a.json")


def test_pipes_folders_and_nothing_at_all_are_told(place: Path) -> None:
    os.mkfifo(place / "pipe.json")
    (place / "folder.json").mkdir()
    assert "no file" in why(place, "pipe.json")
    assert why(place, "folder.json")
    assert why(place, "none.json") == "is missing"


def test_the_line_that_is_wrong_is_named(place: Path) -> None:
    (place / "a.jsonl").write_text('{"a": 1}\n\n{"a": "\u2028"}\n{oops}\n')
    with Folder.open(place) as folder, pytest.raises(NotRead, match=r"line 4"):
        read_lines(folder, "a.jsonl")


def test_what_is_no_folder_is_told_in_a_sentence(place: Path) -> None:
    for path in (place / "none", place.parent / "secret.json"):
        with pytest.raises(DeskError, match="as a folder"):
            Folder.open(path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(value=VALUES, half=st.sampled_from(["", "\ud800", "\udfff"]))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, value: Any, half: str) -> None:
    place = tmp_path_factory.getbasetemp()
    with Folder.open(place) as folder:
        folder.write("v.json", json_bytes([value, half]))
        assert read_json(folder, "v.json") == [value, half]
        folder.write("v.jsonl", lines_bytes([value, half, "\u2028\n"]))
        assert read_lines(folder, "v.jsonl") == [value, half, "\u2028\n"]
        assert json_bytes(json.loads(json_bytes(value))) == json_bytes(value)
