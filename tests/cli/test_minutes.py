"""`boardroom minutes --format …`: the same record as Markdown, a page, PDF and JSON; and the page in a real browser."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from clerk.errors import DeskError
from clerk.printing import html_pdf
from parliament.minutes_html import minutes_html
from records.engine import Store
from tests.cli.conftest import Boardroom
from tests.corpus.injections import INJECTIONS
from tests.parliament.test_minutes_html import SCRIPTS
from tests.support import stores
from tests.support.browsers import dumped, listening
from tests.support.hostile import hostile_record
from tests.support.meeting_records import full_record

MEETING = "mtg-00000001"


def write_meeting(data_dir: Path, **columns: Any) -> None:
    async def go() -> None:
        store = await Store.open(None, data_dir)
        async with store.write() as tx:
            await stores.create_meeting(tx, MEETING, **columns)
        await store.close()

    asyncio.run(go())


def test_the_minutes_come_in_every_form(boardroom: Boardroom, data_dir: Path, tmp_path: Path) -> None:
    write_meeting(data_dir, name="Café <b>& Söhne</b>")
    markdown = boardroom("minutes", MEETING)
    assert markdown.code == 0
    assert markdown.out.startswith("> **SIMULATED.**")
    page = boardroom("minutes", MEETING, "--format", "html")
    assert page.out.startswith("<!DOCTYPE html>")
    assert "<h1>Minutes: Café &lt;b&gt;&amp; Söhne&lt;/b&gt;</h1>" in page.out
    assert boardroom("minutes", MEETING, "--format", "json").json()["minutes"] == markdown.out
    for form, text in (("md", markdown.out), ("html", page.out)):
        file = tmp_path / f"minutes.{form}"
        told = boardroom("minutes", MEETING, "--format", form, "--out", str(file))
        assert (told.code, told.out, file.read_text(encoding="utf-8")) == (0, "", text)
    file = tmp_path / "minutes.pdf"
    assert boardroom("minutes", MEETING, "--format", "pdf", "--out", str(file)).code == 0
    assert file.read_bytes().startswith(b"%PDF-")
    assert file.stat().st_mode & 0o077 == 0


def test_a_place_that_cannot_be_written_is_told(boardroom: Boardroom, data_dir: Path, tmp_path: Path) -> None:
    write_meeting(data_dir)
    ran = boardroom("minutes", MEETING, "--format", "html", "--out", str(tmp_path / "nowhere" / "x.html"))
    assert ran.code == 1
    assert "--out" in ran.told()


def test_without_weasyprint_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(DeskError, match=r"pip install 'boardroom\[pdf\]'"):
        html_pdf(minutes_html(full_record()))


async def test_nothing_is_asked_for_while_a_pdf_is_made(tmp_path: Path) -> None:
    secret = tmp_path / "secret.css"
    secret.write_text("p { color: red }")
    async with listening() as ear:
        html = (
            f'<link rel=stylesheet href="{secret.as_uri()}"><link rel=stylesheet href="{ear.here}/a">'
            f'<img src="{ear.here}/b"><object data="{ear.here}/c"></object><p style="background: url({ear.here}/d)">text</p>'
            f'<link rel=attachment href="{secret.as_uri()}">'
        )
        made = await asyncio.to_thread(html_pdf, html)
        assert made.startswith(b"%PDF-")
        assert b"secret.css" not in made
        assert not ear.asked


async def test_law_03_in_a_browser_no_script_runs_and_nothing_is_asked_for(tmp_path: Path) -> None:
    async with listening() as ear:
        bait = (
            f"<img src={ear.here}/a onerror=\"document.title='owned'\"><link rel=stylesheet href={ear.here}/b>"
            f"<iframe src={ear.here}/c></iframe>![x]({ear.here}/d)<style>@import url({ear.here}/e)</style>"
            f'<meta http-equiv=refresh content="0;url={ear.here}/f">[click]({ear.here}/g)<base href={ear.here}/>'
        )
        page = minutes_html(hostile_record(" ".join((*SCRIPTS, bait, *(text for _, text in INJECTIONS)))))
        seen = await dumped(page, tmp_path)
        assert not ear.asked
    assert "<title>Minutes: &lt;script&gt;" in seen
    assert "&lt;script&gt;document.title='owned'&lt;/script&gt;" in seen
    body = seen[seen.index("<body>") :]
    for tag in ("<script", "<img", "<link", "<iframe", "<style", "<meta", "<a ", "<base", "<svg"):
        assert tag not in body


async def test_the_browser_would_have_run_and_asked(tmp_path: Path) -> None:
    """What the tests above rely on: without the fences the same browser runs a script and fetches an image."""
    async with listening() as ear:
        seen = await dumped(f"<title>x</title><script>document.title='owned'</script><img src={ear.here}/a>", tmp_path)
        assert ear.asked
    assert "<title>owned</title>" in seen


async def test_the_policy_in_the_page_holds_by_itself(tmp_path: Path) -> None:
    """Should hostile markup ever reach the body, the page's own policy still stops it."""
    async with listening() as ear:
        styled = f"<style>p{{background:url({ear.here}/b)}}</style>"
        hole = f"<body><script>document.title='owned'</script><img src={ear.here}/a>{styled}"
        seen = await dumped(minutes_html(full_record()).replace("<body>", hole, 1), tmp_path)
        assert not ear.asked
    assert "<title>owned</title>" not in seen
