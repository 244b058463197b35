"""The minutes as one page of HTML: the Markdown that the record gives (law 9), and nothing else that could do anything.

Markdown without raw HTML, links and images, then a sanitizer that knows a dozen tags and no attribute, then a policy in
the page's own head: three fences, each of which would do alone (SERVICE_SECURITY 22). The page loads nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape

import nh3
from markdown_it import MarkdownIt

from parliament.minutes import render_minutes
from parliament.record import MeetingRecord
from parliament.text import shown_directions

TAGS = {"h1", "h2", "h3", "p", "ul", "ol", "li", "blockquote", "strong", "em", "code", "pre", "hr", "br"}
"""Everything that minutes are made of. None has an attribute."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1b19; --paper: #fdfcf9; --faint: #6b675f; --line: #d9d4c8; --mark: #f3eee2; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e2d8; --paper: #191816; --faint: #a39d90; --line: #3b3832; --mark: #262420; }
}
html { background: var(--paper); color: var(--ink); }
body { font: 1rem/1.55 Georgia, "Times New Roman", "DejaVu Serif", serif; max-width: 46rem; margin: 2.5rem auto;
  padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p, ul, blockquote { margin: .6rem 0; }
ul { padding-left: 1.3rem; }
li { margin: .15rem 0; unicode-bidi: isolate; }
blockquote { margin-left: 0; padding: .4rem 1rem; border-left: 3px solid var(--line); background: var(--mark); }
blockquote p { margin: .3rem 0; unicode-bidi: isolate; }
@media print {
  @page { margin: 2cm; @bottom-center { content: counter(page) " / " counter(pages); font: 9pt serif; color: #555; } }
  :root { --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; --mark: #fff; }
  body { font-size: 10.5pt; max-width: none; margin: 0; padding: 0; }
  h1, h2, h3 { break-after: avoid; }
  blockquote, li { break-inside: avoid; }
}
"""


def minutes_html(record: MeetingRecord) -> str:
    """The minutes as a page that stands alone, for the screen, light and dark, and for paper. Same record, same bytes."""
    title = escape(shown_directions(record.name) or record.id)
    simulated = " (simulated)" if record.simulated else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>Minutes: {title}{simulated}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{markdown_html(render_minutes(record))}</body>\n</html>\n"
    )


def markdown_html(markdown: str) -> str:
    """Markdown as a fragment of HTML in which a link, an image and raw HTML are only the text they are written with."""
    return nh3.clean(_markdown().render(markdown), tags=TAGS, attributes={}, link_rel=None)


@cache
def policy() -> str:
    """What the page may do: show the style it brings along, named by its hash."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


_OFF = ["link", "image", "autolink", "reference", "html_block", "html_inline"]


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).disable(_OFF)
