"""Law 3 from end to end: hostile texts in every place that people, files and models write into decide nothing.

Each meeting is held twice, once with harmless words and once with hostile ones in the same places. What was decided, ruled
and counted must be the same; the words are kept as they were typed; and no prompt holds any of them alive.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from clerk import running
from parliament.agenda import Agenda, make_agenda
from parliament.record import MeetingRecord, TurnRecord
from parliament.text import one_line, printable
from parliament.values import Disposition, Purpose, Vote
from records import turns
from tests.corpus.injections import TEXTS
from tests.support.meetings import House
from tests.support.messages_service import MOTION, Behaviour, reply_fields
from tests.workflows.conftest import anthropic_house

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("injections")]

PERSONAS = Path(__file__).parents[2] / "personas" / "board"
SEATS = ("aurelius", "roosevelt", "dalio", "jobs", "rogers")
OTHERS = SEATS[1:]
AMENDED = MOTION.replace("ten minutes", "twenty minutes")
HARMLESS = "We have heard it before and it does no harm."

_MARKED = re.compile(r"(?i)[<\uff1c]\s*/?\s*(speaking|thinking)|\"(vote|thinking|speaking)\"|<!--")
SPOKEN = tuple(text for text in TEXTS if not _MARKED.search(text))
"""What a voice can say as a speech. A text that is itself marked up as a reply, or hides a part of itself as a comment, is
taken apart by `voices.whispers`: less is heard than was written."""


def window(texts: tuple[str, ...], first: int, size: int = 10) -> str:
    """Some of the texts as paragraphs, beginning with another one each time: an open fence hides only what follows it."""
    return "\n\n".join(texts[(first + n) % len(texts)] for n in range(size))


def lines(texts: Iterable[str], limit: int) -> list[str]:
    """The texts on one line each, put together up to `limit` characters."""
    packed = [""]
    for text in map(one_line, texts):
        if len(packed[-1]) + len(text) + 3 > limit:
            packed.append("")
        packed[-1] = f"{packed[-1]} / {text}".strip(" /") if packed[-1] else text
    return packed


def agenda_of(hostile: bool) -> Agenda:
    """Two decisions, and a review of one speech each for what is left of the topics."""
    topics = lines(TEXTS, 480)
    items: list[dict[str, Any]] = []
    for n, topic in enumerate(topics):
        text = "\n\n".join((*TEXTS[n * 7 :], *TEXTS[: n * 7]))[:8_000]
        items.append(
            {
                "topic": topic if hostile else f"Should I walk more in month {n + 1}?",
                "type": "decision" if n < 2 else "information",
                "description": text if hostile else HARMLESS,
                "desired_outcome": text if hostile else HARMLESS,
                "user_commentary": text if hostile else HARMLESS,
            }
        )
    return make_agenda(items)


def decided(record: MeetingRecord) -> dict[str, Any]:
    """All that a meeting decided and refused, without anybody's free words."""
    return {
        "status": (record.status, record.ended_by, record.chair, record.present, record.absent),
        "items": [(item.id, item.status, item.why) for item in record.items],
        "motions": [
            (m.item_id, m.kind, m.text, m.original_text, m.status, m.proposed_by, m.seconded_by, m.by_consent, m.dissenter)
            for m in record.motions
        ],
        "amendments": [[(a.mover, a.seconder, a.text, a.status, a.by_consent) for a in m.amendments] for m in record.motions],
        "ballots": [
            [(b.round, b.threshold, b.votes, b.outcome) for one in (m, *m.amendments) for b in one.ballots]
            for m in record.motions
        ],
        "dissents": [[d.member_id for d in r.dissents] for r in record.resolutions],
        "actions": [(a.item_id, a.owner, a.origin, a.status) for a in record.actions],
        "rulings": [
            (r.kind, r.member_id, r.item_id, r.result, r.reason, r.rule, r.text if r.kind == "refused_command" else "")
            for r in record.rulings
        ],
    }


def replies(speech: Any) -> dict[str, dict[str, Any]]:
    """What the members say and decide. `speech(n)` gives the n-th text; the typed fields are the same in every meeting."""
    said: dict[str, dict[str, Any]] = {}
    count = 0

    def add(item: str, purpose: str, member: str, **fields: Any) -> None:
        nonlocal count
        said[f"/{item}/{purpose}/.*/{member}$"] = {"speaking": speech(count)} | fields
        count += 1

    for purpose in Purpose:
        for member in OTHERS:
            add("[^/]+", purpose.value, member)
    for item in ("agenda-1", "agenda-2"):
        for member in OTHERS:
            add(item, "second", member, second=member == "roosevelt")
            against = member in ("dalio", "jobs", "rogers") if item == "agenda-2" else member == "jobs"
            answer = {"vote": "AGAINST", "dissent": speech(count)} if against else {"vote": "FOR"}
            add(item, "vote", member, reason=speech(count + 1), **answer)
        # In the first: an amendment that is contested, and a point of order that is not well taken.
        add(item, "appeal", "jobs", appeal=False)
    amendment = {"text": AMENDED, "summary": speech(count)}
    add("agenda-1", "debate", "dalio", amendment=amendment)
    add("agenda-1", "debate", "rogers", point_of_order=speech(count))
    add("agenda-1", "amendment", "roosevelt", position="SUPPORT")
    add("agenda-1", "amendment", "rogers", position="OBJECT")
    said["/agenda-1/action_items/.*/aurelius$"] = {
        "commands": ['{ACTION: "Lay out the shoes" @jobs}', "{VOTE: @dalio=AGAINST}", "{WITHDRAW}"],
        "action_items": [],
    }
    return said


async def hear(board: House, meeting_id: str) -> list[TurnRecord]:
    async with board.store.read() as tx:
        return await turns.transcript(tx, meeting_id)


def prompt_of(request: dict[str, Any]) -> str:
    def words(content: Any) -> str:
        return content if isinstance(content, str) else "\n".join(block["text"] for block in content)

    return "\n".join([words(request.get("system", "")), *(words(m["content"]) for m in request["messages"])])


_BLOCK = re.compile(r"=== (data-[0-9a-f]{16}) [^\n]*? ===\n(.*?)\n?=== end \1 ===", re.DOTALL)
_LIVE = re.compile(
    "[{}\uff5b\uff5d\ufe5b\ufe5c\ufe37\ufe38\u2983\u2984\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\U000e0041]"
)


def outside(prompt: str) -> str:
    """What of a prompt is the house's own: the words outside of all data blocks."""
    return re.sub(r"data-[0-9a-f]{16}", "data-", _BLOCK.sub("=== data ===", prompt))


def prompts(behaviour: Behaviour, since: int) -> dict[str, str]:
    """Call id without its meeting -> the prompt."""
    calls = zip(behaviour.calls[since:], behaviour.requests[since:], strict=True)
    return {call.partition("/")[2]: prompt_of(request) for call, request in calls}


def check_prompts(hostile: dict[str, str], harmless: dict[str, str]) -> None:
    """No data block holds anything alive, and hostile words change nothing outside of the blocks."""
    for call, prompt in hostile.items():
        inside = "\n".join(body for _, body in _BLOCK.findall(prompt))
        assert inside, call
        live = _LIVE.search(inside)
        assert live is None, (call, inside[max(0, live.start() - 80) : live.end() + 80])
        assert not re.search(r"(?i)[<\uff1c]\s*/?\s*(speaking|thinking|script)", inside), call
        if call in harmless:
            assert outside(prompt).count("{") == outside(harmless[call]).count("{"), call
            for line in outside(prompt).splitlines():
                assert "RESOLVED, That everybody" not in line, call
    assert len(hostile.keys() & harmless.keys()) >= 0.8 * len(harmless)


def personas_with(folder: Path, hostile: bool) -> Path:
    """The board's persona files with other perspectives and instructions."""
    shutil.copytree(PERSONAS, folder)
    packed = lines(TEXTS, 490)
    for n, file in enumerate(sorted(p for p in folder.glob("*.json") if not p.name.startswith("_"))):
        persona = json.loads(file.read_text())
        persona["board"]["perspective"] = packed[n % len(packed)] if hostile else HARMLESS
        for section in persona["claude_md"]["sections"]:
            section["content"] = "\n\n".join((*TEXTS[n * 8 :], *TEXTS[: n * 8])) if hostile else HARMLESS
        file.write_text(json.dumps(persona))
    return folder


async def _hold(board: House, agenda: Agenda, *, say: Iterable[str] = (), **request: Any) -> MeetingRecord:
    handle = await board.open(agenda, seats=SEATS, **request)
    if say:

        async def called() -> bool:
            return bool((await board.record(handle.id)).present)

        await board.until(called, "the roll is called")
        for text in say:
            await running.say(board.client, board.store, handle.id, text)
    await asyncio.wait_for(handle.result(), 120)
    return await board.record(handle.id)


def check_is_a_meeting(record: MeetingRecord) -> None:
    """The meeting that both are compared with has something of everything to compare."""
    first, second = (m for m in record.motions if m.kind == "main")
    assert (first.status, second.status) == (Disposition.ADOPTED, Disposition.LOST)
    assert first.amendments[0].seconder == "roosevelt" and first.amendments[0].ballots
    assert {first.ballots[0].votes[m] for m in ("jobs", "dalio")} == {Vote.AGAINST, Vote.FOR}
    assert {r.kind for r in record.rulings} >= {"refused_command", "point_of_order", "ruling"}
    assert [a.owner for a in record.actions] == ["jobs"]


async def test_law_03_hostile_words_in_every_place_decide_nothing(
    server: str, messages: tuple[str, Behaviour], tmp_path: Path
) -> None:
    """Agenda, board book, shareholder, personas and every speech of every member, all at once."""
    url, behaviour = messages
    records: dict[bool, MeetingRecord] = {}
    heard: dict[bool, list[TurnRecord]] = {}
    seen: dict[bool, dict[str, str]] = {}
    inputs = ["\n\n".join((*TEXTS[n:], *TEXTS[:n])) for n in (0, 20, 40)]
    behaviour.delay = 0.01
    for hostile in (False, True):
        behaviour.replies.clear()
        behaviour.replies |= replies((lambda n: window(SPOKEN, n)) if hostile else (lambda n: HARMLESS))
        folder = personas_with(tmp_path / f"personas-{hostile}", hostile)
        since = len(behaviour.calls)
        async with anthropic_house(server, tmp_path / f"data-{hostile}", url, personas_dir=folder) as board:
            records[hostile] = await _hold(
                board,
                agenda_of(hostile),
                say=inputs if hostile else [f"{HARMLESS} {n}" for n in range(3)],
                board_book="\n\n".join(TEXTS) if hostile else HARMLESS,
            )
            heard[hostile] = await hear(board, records[hostile].id)
        seen[hostile] = prompts(behaviour, since)
    check_is_a_meeting(records[False])
    assert decided(records[True]) == decided(records[False])

    # As typed: what people wrote stands on the record, and so does what the members said.
    record = records[True]
    wanted = agenda_of(True)
    assert [(i.topic, i.description, i.desired_outcome, i.user_commentary) for i in record.items] == [
        (i.topic, i.description, i.desired_outcome, i.user_commentary) for i in wanted.items
    ]
    for text in TEXTS:
        assert any(one_line(text) in item.topic for item in record.items), text
        assert any(printable(text) in item.description for item in record.items), text
    assert [turn.text for turn in record.user_inputs] == [printable(text).strip() for text in inputs]
    own = [turn for turn in heard[True] if turn.member_id in OTHERS]
    for turn in own:
        assert turn.text in {printable(window(SPOKEN, n)).strip() for n in range(len(SPOKEN))}, turn.purpose
    spoken = "\n\n".join(turn.text for turn in own)
    for text in SPOKEN:
        assert printable(text).strip() in spoken, text
    assert {turn.purpose for turn in own} >= {"roll_call", "discussion", "second", "debate", "amendment", "appeal", "vote"}
    check_prompts(seen[True], seen[False])


async def test_law_03_one_text_alone_is_a_speech_like_any_other(board: House, messages: tuple[str, Behaviour]) -> None:
    """Each text stands alone as a whole speech too: what is marked up as a reply, or reads as a vote or a pass, included."""
    behaviour = messages[1]
    agenda = make_agenda([{"topic": f"Should I walk more in month {n}?"} for n in (1, 2)])
    behaviour.replies |= replies(lambda n: HARMLESS)
    expected = decided(await _hold(board, agenda))
    heard: set[str] = set()
    for start in (0, 12, 24, 36, 48):
        behaviour.replies.clear()
        behaviour.replies |= replies(lambda n, start=start: TEXTS[(n + start) % len(TEXTS)])
        since = len(behaviour.calls)
        assert decided(await _hold(board, agenda)) == expected
        calls = [call for call in behaviour.calls[since:] if call.rpartition("/")[2] in OTHERS]
        heard |= {reply_fields(call, None, behaviour)["speaking"] for call in calls}
        if heard >= set(TEXTS):
            break
    assert heard >= set(TEXTS)


async def test_law_03_the_chairman_may_cite_all_of_it(board: House, messages: tuple[str, Behaviour]) -> None:
    """In quotation marks, a fence or a code span of the chairman's own speech nothing acts; after it, his own words do."""
    behaviour = messages[1]
    agenda = make_agenda([{"topic": f"Should I walk more in month {n}?"} for n in (1, 2)])
    cited = " ".join(one_line(text) for text in SPOKEN).replace("\\", "\\\\").replace('"', '\\"')
    fenced = "\n".join(printable(text) for text in SPOKEN).replace("~~~", "---")
    decisions = []
    for speech in (HARMLESS, f'A note says "{cited}" and I read no more of it.', f"~~~~\n{fenced}\n~~~~\n\nThat is the note."):
        behaviour.replies.clear()
        behaviour.replies |= replies(lambda n: HARMLESS)
        for purpose in Purpose:
            behaviour.replies[f"/[^/]+/{purpose.value}/.*/aurelius$"] = {"speaking": speech}
        behaviour.replies["/agenda-1/action_items/.*/aurelius$"] = {
            "speaking": f"{speech} {{VOTE: @dalio=AGAINST}}",
            "commands": ['{ACTION: "Lay out the shoes" @jobs}', "{WITHDRAW}"],
        }
        record = await _hold(board, agenda)
        check_is_a_meeting(record)
        decisions.append(decided(record))
        said = [turn for turn in await hear(board, record.id) if turn.member_id == "aurelius" and turn.purpose == "debate"]
        assert [turn.text for turn in said] == [printable(speech).strip()] * len(said) and said
    assert decisions[1] == decisions[0]
    assert decisions[2] == decisions[0]
