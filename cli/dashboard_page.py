"""The dashboard as one page of HTML: nothing is loaded from anywhere, nothing runs, and every word on it is text (law 3).

The page is a tree of elements whose texts the serialiser escapes; there is no place where a string becomes markup. Bars are
SVG, which printers print, and every bar has its figure beside it in words.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from xml.etree.ElementTree import Element, SubElement, tostring
from zoneinfo import ZoneInfo

from clerk.dashboard import Dashboard, Paper, Voter
from parliament.following import ResolutionStatus
from parliament.text import brief, one_line, with_directions_shown
from records.ledger import Entry

STATUS_ORDER = (
    ResolutionStatus.OVERDUE,
    ResolutionStatus.STALE,
    ResolutionStatus.WAITING,
    ResolutionStatus.IN_PROGRESS,
    ResolutionStatus.ACCEPTED,
    ResolutionStatus.DONE,
    ResolutionStatus.REJECTED,
    ResolutionStatus.SUPERSEDED,
)
"""What wants attention comes first."""
CHOICES = ("FOR", "AGAINST", "ABSTAIN", "ABSENT", "NO_REPLY", "INVALID")
SLOTS = ("overdue", "this week", "later", "no date", "done")

STYLE = """
:root{--ink:#1c1b19;--soft:#625f58;--line:#dedad0;--paper:#fbfaf7;--card:#fff;--track:#ece8de;
--a:#2f6d62;--b:#b4552d;--c:#c99a2e;--d:#4a6fa5;--e:#8b8578;--f:#7a4d8b;--g:#b9b3a5}
@media (prefers-color-scheme:dark){:root{--ink:#ece9e2;--soft:#a7a196;--line:#3a3731;--paper:#171613;--card:#201e1b;
--track:#34312b;--a:#5fb3a1;--b:#e0845a;--c:#dcb65a;--d:#86a9dc;--e:#9b9588;--f:#b98ac9;--g:#6d685d}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font:600 1.9rem/1.2 Georgia,"Times New Roman",serif;margin:0}
h2{font:600 1.25rem/1.3 Georgia,"Times New Roman",serif;margin:2.6rem 0 .8rem;padding-top:.8rem;
border-top:1px solid var(--line)}
h3{font-size:.95rem;margin:1.4rem 0 .4rem}
p{margin:.4rem 0}
.soft{color:var(--soft)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 .6rem;font-size:.8rem;color:var(--b)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.8rem;margin:1.4rem 0 0}
.figure{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
.figure b{display:block;font:600 1.8rem/1.1 Georgia,serif}
.figure.bad b{color:var(--b)}
svg{display:block;width:100%;height:.8rem;background:var(--track);border-radius:2px}
svg.tall{height:1.4rem}
.a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.d{fill:var(--d)}.e{fill:var(--e)}.f{fill:var(--f)}.g{fill:var(--g)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.5rem 0 1rem;padding:0;list-style:none;font-size:.88rem}
.legend svg{display:inline-block;width:.75rem;height:.75rem;vertical-align:-1px;margin-right:.4rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{font-weight:600;text-align:left;color:var(--soft);font-size:.8rem}
th,td{padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.bar{width:26%;min-width:6rem;padding-top:.75rem}
code{font:.82rem ui-monospace,SFMono-Regular,Menlo,monospace;color:var(--soft);overflow-wrap:anywhere}
.matrix td,.matrix th{text-align:center;padding:.4rem .3rem;min-width:3.6rem}
.matrix th[scope=row]{text-align:left;white-space:nowrap}
.matrix svg{height:.35rem;width:3rem;margin:.15rem auto 0}
blockquote{margin:.4rem 0 .4rem;padding-left:.9rem;border-left:3px solid var(--line)}
@media (max-width:38rem){main{padding:1.2rem .9rem 3rem}.stack thead{display:none}
.stack tr{display:block;padding:.6rem 0;border-bottom:1px solid var(--line)}
.stack td{display:block;border:0;padding:.1rem 0;width:auto;text-align:left}
.stack td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.8rem}
.stack td.bar{padding-top:.3rem}}
@media print{body{background:#fff;font-size:11px}main{max-width:none;padding:0}h2{break-after:avoid}
tr,.figure{break-inside:avoid}}
"""


def page(board: Dashboard) -> str:
    """The whole page. The same figures give the same bytes."""
    html = Element("html", {"lang": "en"})
    _head(html, board)
    main = SubElement(SubElement(html, "body"), "main")
    _masthead(main, board)
    _resolutions(main, board)
    _actions(main, board)
    _votes(main, board)
    _durations(main, board)
    _reading(main, board)
    return "<!doctype html>\n" + with_directions_shown(tostring(html, encoding="unicode", method="html")) + "\n"


# -- the parts ---------------------------------------------------------------------------------------------------------


def _head(html: Element, board: Dashboard) -> None:
    head = SubElement(html, "head")
    SubElement(head, "meta", {"charset": "utf-8"})
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    SubElement(head, "meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    SubElement(head, "meta", {"name": "referrer", "content": "no-referrer"})
    SubElement(head, "meta", {"name": "color-scheme", "content": "light dark"})
    _text(head, "title", f"Boardroom on {board.today.isoformat()}")
    _text(head, "style", STYLE)


def _masthead(main: Element, board: Dashboard) -> None:
    _text(main, "h1", "Your board")
    line = SubElement(main, "p", {"class": "soft"})
    line.text = f"As of {_day(board.today)}, {board.made_at:%H:%M %Z}. "
    if board.simulated:
        _text(line, "span", "Some of these meetings had simulated voices", {"class": "badge"})
    counts = Counter(paper.status for paper in board.papers)
    slots = Counter(_slot(entry, board.today) for entry in board.actions if entry.status != "dropped")
    figures = SubElement(main, "div", {"class": "figures"})
    for number, label, bad in (
        (counts[ResolutionStatus.WAITING], "wait for your answer", False),
        (counts[ResolutionStatus.OVERDUE], "resolutions overdue", True),
        (counts[ResolutionStatus.STALE], "stand still", True),
        (slots["overdue"], "action items overdue", True),
        (sum(slots[slot] for slot in SLOTS[:-1]), "action items open", False),
        (len(board.durations), "meetings held", False),
    ):
        box = SubElement(figures, "div", {"class": "figure bad" if bad and number else "figure"})
        _text(box, "b", str(number))
        _text(box, "span", label)


def _resolutions(main: Element, board: Dashboard) -> None:
    _text(main, "h2", "Resolutions")
    if not board.papers:
        _text(main, "p", "No resolution was adopted yet.", {"class": "soft"})
        return
    counts = Counter(paper.status for paper in board.papers)
    shown = [(one.value.replace("_", " "), counts[one], _COLOURS[one]) for one in STATUS_ORDER if counts[one]]
    _stacked(main, shown, tall=True)
    oldest = max(paper.age for paper in board.papers) or 1
    body = _table(main, "Topic", "Status", "#Age in days", "", "#Stands still", "#Open items")
    for paper in sorted(board.papers, key=lambda one: (STATUS_ORDER.index(one.status), -one.age, one.id)):
        row = SubElement(body, "tr")
        cell = SubElement(row, "td")
        _text(cell, "div", one_line(paper.topic))
        _text(cell, "code", paper.id)
        _cell(row, _standing(paper), "Status")
        _cell(row, str(paper.age), "Age in days", number=True)
        _bar(SubElement(row, "td", {"class": "bar"}), [(paper.age, _COLOURS[paper.status])], oldest, f"{paper.age} days")
        _cell(row, f"{paper.still} days" if paper.status not in _OVER else "", "Stands still", number=True)
        _cell(row, str(paper.open_tasks), "Open items", number=True)
    for one in board.opposed:
        _text(main, "h3", f"Contradiction: {brief(one.later.topic, 120)}")
        for decision in (one.earlier, one.later):
            quote = _text(main, "blockquote", one_line(decision.text) + " ")
            _text(quote, "code", decision.id)


def _actions(main: Element, board: Dashboard) -> None:
    _text(main, "h2", "Action items")
    items = [entry for entry in board.actions if entry.status != "dropped"]
    if not items:
        _text(main, "p", "There are none.", {"class": "soft"})
        return
    by_owner: dict[str, Counter[str]] = {}
    for entry in items:
        by_owner.setdefault(_owner(entry, board), Counter())[_slot(entry, board.today)] += 1
    _legend(main, [(slot, None, colour) for slot, colour in zip(SLOTS, "bcdea", strict=True)])
    most = max(counts.total() for counts in by_owner.values())
    body = _table(main, "Owner", "", "#Overdue", "#This week", "#Later", "#No date", "#Done")
    for owner in sorted(by_owner, key=lambda one: (-by_owner[one]["overdue"], one.casefold())):
        counts = by_owner[owner]
        row = SubElement(body, "tr")
        _cell(row, owner)
        bar = SubElement(row, "td", {"class": "bar"})
        _bar(
            bar, [(counts[slot], colour) for slot, colour in zip(SLOTS, "bcdea", strict=True)], most, f"{counts.total()} items"
        )
        for slot in SLOTS:
            _cell(row, str(counts[slot]), slot.capitalize(), number=True)
    open_items = [entry for entry in items if entry.status != "done"]
    if not open_items:
        return
    _text(main, "h3", "What is to be done")
    body = _table(main, "Item", "Owner", "Deadline")
    for entry in sorted(open_items, key=lambda one: (one.due or date.max, one.created_at, one.position, one.id)):
        row = SubElement(body, "tr")
        cell = SubElement(row, "td")
        _text(cell, "div", one_line(entry.task))
        _text(cell, "code", entry.id)
        _cell(row, _owner(entry, board), "Owner")
        _cell(row, _deadline(entry, board.today), "Deadline")


def _votes(main: Element, board: Dashboard) -> None:
    _text(main, "h2", "Votes")
    if not board.voters:
        _text(main, "p", "No motion was put to a vote yet.", {"class": "soft"})
        return
    used = [choice for choice in CHOICES if any(voter.counts.get(choice) for voter in board.voters)]
    colours = dict(zip(CHOICES, "abcegf", strict=True))
    _text(main, "p", "On main motions that were decided by a vote.", {"class": "soft"})
    _legend(main, [(_choice(choice), None, colours[choice]) for choice in used])
    most = max(sum(voter.counts.values()) for voter in board.voters)
    body = _table(main, "Member", "", *(f"#{_choice(choice)}" for choice in used))
    for voter in board.voters:
        row = SubElement(body, "tr")
        _cell(row, voter.name)
        bar = SubElement(row, "td", {"class": "bar"})
        parts = [(voter.counts.get(choice, 0), colours[choice]) for choice in used]
        _bar(bar, parts, most, f"{sum(voter.counts.values())} votes")
        for choice in used:
            _cell(row, str(voter.counts.get(choice, 0)), _choice(choice), number=True)
    _agreement(main, board, board.voters)


def _agreement(main: Element, board: Dashboard, voters: Sequence[Voter]) -> None:
    shares = {frozenset((one.one, one.other)): one for one in board.agreements}
    if not any(one.together for one in shares.values()):
        return
    _text(main, "h3", "How often two members voted alike")
    _text(main, "p", "Of the questions on which both voted for or against.", {"class": "soft"})
    table = SubElement(SubElement(main, "div", {"class": "wide"}), "table", {"class": "matrix"})
    head = SubElement(SubElement(table, "thead"), "tr")
    _text(head, "th", "")
    for voter in voters:
        _text(head, "th", _surname(voter.name), {"scope": "col"})
    body = SubElement(table, "tbody")
    for one in voters:
        row = SubElement(body, "tr")
        _text(row, "th", one.name, {"scope": "row"})
        for other in voters:
            pair = shares.get(frozenset((one.id, other.id)))
            cell = SubElement(row, "td")
            if one is other or pair is None or pair.share is None:
                cell.text = "·" if one is other else "–"
                continue
            cell.text = f"{pair.same}/{pair.together}"
            _bar(cell, [(pair.same, "a")], pair.together, f"{pair.share:.0%}")


def _durations(main: Element, board: Dashboard) -> None:
    _text(main, "h2", "Meetings: planned and actual")
    if not board.durations:
        _text(main, "p", "No meeting was held yet.", {"class": "soft"})
        return
    _legend(main, [("actual", None, "d"), ("planned", None, "g")])
    longest = max(max(one.planned_minutes, (one.actual_seconds or 0) / 60) for one in board.durations) or 1
    body = _table(main, "Meeting", "Held on", "", "#Planned", "#Actual", "Ended by")
    for one in reversed(board.durations):
        actual = (one.actual_seconds or 0.0) / 60
        row = SubElement(body, "tr")
        cell = SubElement(row, "td")
        _text(cell, "div", one_line(one.name))
        _text(cell, "code", one.meeting_id)
        _cell(row, one.started_at.astimezone(ZoneInfo(one.zone)).strftime("%Y-%m-%d"), "Held on")
        bars = SubElement(row, "td", {"class": "bar"})
        _bar(bars, [(actual, "d")], longest, f"actual {_minutes(actual)}")
        _bar(bars, [(one.planned_minutes, "g")], longest, f"planned {one.planned_minutes} min")
        _cell(row, f"{one.planned_minutes} min", "Planned", number=True)
        _cell(row, _minutes(actual), "Actual", number=True)
        _cell(row, one.ended_by or "goes on", "Ended by")


def _reading(main: Element, board: Dashboard) -> None:
    _text(main, "h2", "How votes could be read")
    total = sum(board.readings.values())
    if not total:
        _text(main, "p", "No vote was cast yet.", {"class": "soft"})
        return
    labels = {"exact": ("as asked", "a"), "tolerant": ("with tolerance", "c"), "failed": ("not at all", "b")}
    parts = [(label, board.readings.get(key, 0), colour) for key, (label, colour) in labels.items()]
    _stacked(main, [part for part in parts if part[1]], tall=True)
    tolerant, failed = board.readings.get("tolerant", 0), board.readings.get("failed", 0)
    sentence = f"{total} replies to a vote, {board.choices.get('NO_REPLY', 0)} calls without a reply."
    if 2 * (tolerant + failed) > total:
        sentence += " More than half were not written as asked: look at the model's tier."
    _text(main, "p", sentence, {"class": "soft"})


# -- pieces ------------------------------------------------------------------------------------------------------------

_COLOURS = {
    ResolutionStatus.OVERDUE: "b",
    ResolutionStatus.STALE: "f",
    ResolutionStatus.WAITING: "c",
    ResolutionStatus.IN_PROGRESS: "d",
    ResolutionStatus.ACCEPTED: "d",
    ResolutionStatus.DONE: "a",
    ResolutionStatus.REJECTED: "e",
    ResolutionStatus.SUPERSEDED: "g",
}
_OVER = (ResolutionStatus.DONE, ResolutionStatus.REJECTED, ResolutionStatus.SUPERSEDED)


def _text(parent: Element, tag: str, text: str, attributes: dict[str, str] | None = None) -> Element:
    element = SubElement(parent, tag, attributes or {})
    element.text = text
    return element


def _table(main: Element, *headings: str) -> Element:
    """A table that becomes one block a row on a narrow screen; its body. A heading that begins with # stands over figures."""
    table = SubElement(SubElement(main, "div", {"class": "wide"}), "table", {"class": "stack"})
    head = SubElement(SubElement(table, "thead"), "tr")
    for heading in headings:
        attributes = {"scope": "col"} if heading else {}
        _text(head, "th", heading.removeprefix("#"), attributes | ({"class": "n"} if heading.startswith("#") else {}))
    return SubElement(table, "tbody")


def _cell(row: Element, text: str, label: str = "", *, number: bool = False) -> None:
    attributes = {"data-label": label} if label else {}
    if number:
        attributes["class"] = "n"
    _text(row, "td", text, attributes)


def _bar(parent: Element, parts: Iterable[tuple[float, str]], whole: float, says: str, *, tall: bool = False) -> None:
    """One bar of several parts on a scale of `whole`; what it says in words is its label."""
    svg = SubElement(
        parent,
        "svg",
        {"viewBox": "0 0 100 10", "preserveAspectRatio": "none", "role": "img", "aria-label": says}
        | ({"class": "tall"} if tall else {}),
    )
    at = 0.0
    for size, colour in parts:
        width = 100 * size / whole if whole else 0.0
        if width > 0:
            SubElement(svg, "rect", {"x": f"{at:.2f}", "y": "0", "width": f"{width:.2f}", "height": "10", "class": colour})
        at += width


def _stacked(main: Element, parts: Sequence[tuple[str, int, str]], *, tall: bool) -> None:
    """A bar of counts with its legend below."""
    total = sum(count for _, count, _ in parts)
    _bar(
        main,
        [(count, colour) for _, count, colour in parts],
        total,
        ", ".join(f"{n} {name}" for name, n, _ in parts),
        tall=tall,
    )
    _legend(main, parts)


def _legend(main: Element, parts: Sequence[tuple[str, int | None, str]]) -> None:
    legend = SubElement(main, "ul", {"class": "legend"})
    for name, count, colour in parts:
        line = SubElement(legend, "li")
        svg = SubElement(line, "svg", {"viewBox": "0 0 10 10", "aria-hidden": "true"})
        SubElement(svg, "rect", {"width": "10", "height": "10", "class": colour})
        svg.tail = name if count is None else f"{count} {name}"


def _standing(paper: Paper) -> str:
    text = paper.status.value.replace("_", " ")
    return f"{text} (deferred to {paper.deferred_until})" if paper.deferred_until else text


def _slot(entry: Entry, today: date) -> str:
    if entry.status == "done":
        return "done"
    if entry.due is None:
        return "no date"
    if entry.due < today:
        return "overdue"
    return "this week" if entry.due <= today + timedelta(days=7) else "later"


def _owner(entry: Entry, board: Dashboard) -> str:
    return one_line(board.names.get(entry.owner.lower(), entry.owner)) or "nobody"


def _deadline(entry: Entry, today: date) -> str:
    words = one_line(entry.deadline or "")
    if entry.due is None:
        return f"“{words}”, not a date" if words and entry.reading == "unread" else words or "none"
    late = (today - entry.due).days
    shown = entry.due.isoformat() + (f", {late} day{'s' if late > 1 else ''} overdue" if late > 0 else "")
    return shown if words in ("", entry.due.isoformat()) else f"{shown} (“{words}”)"


def _minutes(minutes: float) -> str:
    return f"{minutes:.0f} min" if minutes >= 1 else f"{60 * minutes:.0f} s"


def _choice(choice: str) -> str:
    return choice.replace("_", " ").lower()


def _surname(name: str) -> str:
    return one_line(name).rsplit(" ", 1)[-1] or name


def _day(day: date) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"
