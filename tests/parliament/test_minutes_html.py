"""The minutes as HTML: what the record holds, as text, in a page that loads nothing and runs nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parliament.minutes_html import TAGS, markdown_html, minutes_html
from parliament.record import MeetingRecord
from parliament.text import shown_directions
from tests.corpus.injections import INJECTIONS
from tests.support.hostile import hostile_record
from tests.support.meeting_records import full_record

SCRIPTS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</title><script>document.title='owned'</script>",
    "</style><script>document.title='owned'</script>",
    "\"><svg onload=document.title='owned'>",
    "[a](javascript:document.title='owned')",
    "![x](http://127.0.0.1:9/x.png)",
    "<http://127.0.0.1:9/y>",
    "[ref]: http://127.0.0.1:9/z\n\n[ref]",
    "]]><!--<script>document.title='owned'</script>",
    "\u202egpj.exe\u202c",
    '=HYPERLINK("http://127.0.0.1:9/x")',
    "    <script>indented()</script>",
    "```html\n<script>fenced()</script>\n```",
    "&#x3c;script&#x3e;",
    "# not a heading\n\n---\n\n1. not a list",
)
PAGE = {"html", "head", "meta", "title", "style", "body"}


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag in TAGS:
            self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_law_09_the_page_says_what_the_record_says_and_the_same_record_gives_the_same_bytes() -> None:
    record = full_record()
    page = minutes_html(record)
    assert page == minutes_html(MeetingRecord.model_validate_json(record.model_dump_json()))
    text = words(Page(page).text)
    for said in ("Minutes: Lisbon & after", "with the rent capped at 1,400 euros", "1 invalid", "The river has other mouths."):
        assert said in text


def test_law_14_a_simulated_meeting_says_so_in_its_title_and_first() -> None:
    page = minutes_html(full_record())
    assert "(simulated)</title>" in page
    assert page.index("SIMULATED.") < page.index("<h1>")
    held = minutes_html(full_record().model_copy(update={"simulated": False, "provider": "anthropic"}))
    assert "simulated" not in held.lower()


def test_the_policy_names_the_style_that_stands_in_the_page() -> None:
    page = minutes_html(full_record())
    [style] = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"content=\"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\"" in page
    assert "url(" not in style and "@import" not in style


@pytest.mark.parametrize("text", [*SCRIPTS, *(text for _, text in INJECTIONS)])
def test_law_03_hostile_text_is_shown_as_typed_and_is_nothing_else(text: str) -> None:
    page = Page(minutes_html(hostile_record(text)))
    assert page.tags <= TAGS | PAGE
    assert not page.attributes
    typed = words(shown_directions(text)).strip()
    assert typed in words(page.text)  # a name is one line: all of it stands in the heading


@settings(max_examples=150)
@given(st.text(max_size=200))
def test_no_text_becomes_a_tag_or_an_attribute(text: str) -> None:
    fragment = Page(markdown_html(text))  # Markdown from anybody, not only what minutes are made of
    assert fragment.tags <= TAGS
    assert not fragment.attributes
    page = Page(minutes_html(full_record().model_copy(update={"name": text})))
    assert page.tags <= TAGS | PAGE
