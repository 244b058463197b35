"""Source 000's files as rows of the record: meetings that another board held and kept in its own folder.

What the files do not say is not made up: times without a zone are read in the person's own, turns have no phase of their own
(they stand under discussion), votes have no reasons unless the last checkpoint holds those of that very vote. Whatever has no
column, or stands there in other words, is given back by the export (`parliament.leftover`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

from parliament.agenda import MAX_MINUTES, MAX_TOPIC, MINUTES_BY_TYPE
from parliament.following import ChangeKind
from parliament.ids import action_id, is_imported_id
from parliament.review import Review, ReviewEntry, review_json
from parliament.text import is_blank, one_line
from parliament.triage import Bucket
from parliament.values import (
    CLERK,
    SHAREHOLDER,
    Disposition,
    EndedBy,
    ItemStatus,
    ItemType,
    MeetingStatus,
    Phase,
    Vote,
)
from records.exporting import CONVERSATION, MEETING, RESOLUTIONS, REVIEW, STATE, Files
from records.ledger import DONE, DROPPED, PENDING
from records.rows import Rows, Unreadable, moment_json
from records.schema import storable

ORIGIN = "imported"
VOTES = {"for": Vote.FOR, "against": Vote.AGAINST, "abstain": Vote.ABSTAIN}
VOTES |= {"absent": Vote.ABSENT, "no_reply": Vote.NO_REPLY, "invalid": Vote.INVALID}
_PERSON = ("shareholder", "user", "the shareholder", "the user")
_ITEM_ID = re.compile(r"agenda-[1-9][0-9]{0,3}")
_MAX = 2**31 - 1

_DISPOSITIONS = {each.value: each for each in Disposition} | {
    "passed": Disposition.ADOPTED, "carried": Disposition.ADOPTED, "approved": Disposition.ADOPTED,
    "failed": Disposition.LOST, "rejected": Disposition.LOST, "defeated": Disposition.LOST,
    "seconded": Disposition.PENDING, "deferred": Disposition.POSTPONED,
}  # fmt: skip
_STATES = {"completed": DONE, "complete": DONE, "done": DONE, "cancelled": DROPPED, "canceled": DROPPED, "dropped": DROPPED}
_ANSWERS = {
    "accept": ChangeKind.ACCEPTED, "accepted": ChangeKind.ACCEPTED, "approve": ChangeKind.ACCEPTED,
    "approved": ChangeKind.ACCEPTED, "reject": ChangeKind.REJECTED, "rejected": ChangeKind.REJECTED,
    "defer": ChangeKind.DEFERRED, "deferred": ChangeKind.DEFERRED,
}  # fmt: skip


@dataclass(frozen=True)
class House:
    """What the importing side knows: its person and zone, who may be seated, and what a meeting keeps of its members."""

    owner: str
    zone: ZoneInfo
    now: datetime
    names: Mapping[str, str]  # member id -> display name
    ids: Mapping[str, str]  # name or alias, case folded -> member id
    chairman: str
    config: Callable[[Mapping[str, str], str], dict[str, Any]]  # (member id -> name, who presides) -> meetings.config


def rows_of(meeting_id: str, files: Files, house: House, ledger: Sequence[dict[str, Any]] = ()) -> Rows:
    """The rows of one meeting; `ledger` are its entries of action_items.json. Raises Unreadable with file and key."""
    return _History(meeting_id, files, house, ledger).rows()


class _History:
    def __init__(self, meeting_id: str, files: Files, house: House, ledger: Sequence[dict[str, Any]]) -> None:
        self.id = meeting_id
        self.house = house
        self.ledger = {entry["id"]: entry for entry in ledger}
        self.meeting = _Part(MEETING, files[MEETING])
        self.state = _Part(STATE, files.get(STATE, {}))
        self.papers = [_Part(name, files[name]) for name in sorted(files, key=_number) if name.startswith(RESOLUTIONS)]
        self.said = [_Part(f"{CONVERSATION}, line {n}", line) for n, line in enumerate(files.get(CONVERSATION, ()), 1)]
        self.review = files.get(REVIEW)
        self.found: Rows = {}
        self.item_ids: dict[str, str] = {}

    def rows(self) -> Rows:
        if self.meeting.text("id", self.id) != self.id:
            self.meeting.wrong("id", "is another one than its folder's")
        self.turns = [_turn(n, one) for n, one in enumerate(self.state.list("transcript"), 1)]
        self.created = self._when(self.meeting, "created_at") or self._when(self.meeting, "started_at") or self._first_word()
        self.names = self._names()
        self.chair = self._chair()
        self._items()
        self._meeting()
        self._attendance()
        self._transcript()
        self._conversation()
        for paper in self.papers:
            self._paper(paper)
        self._rest_of_the_ledger()
        if isinstance(self.review, dict):
            self._review(_Part(REVIEW, self.review))
        return self.found

    def _add(self, table: str, **row: Any) -> None:
        self.found.setdefault(table, []).append({"meeting_id": self.id, **row})

    # The meeting itself ----------------------------------------------------------------------------------------------

    def _names(self) -> dict[str, str]:
        """The members by their ids, in seating order, with the names by which the files or the personas know them."""
        said = {
            dissent.text("member_id"): dissent.text("member_name")
            for paper in self.papers
            for dissent in paper.parts("dissents")
        }
        seated = self.meeting.texts("attendees") or self.state.texts("present_members")
        if not seated:
            votes = [paper.part("vote") for paper in self.papers]
            seated = [member for vote in votes for key in VOTES for member in vote.texts(key)]
        ids = list(dict.fromkeys(storable(member) for member in seated))
        return {member: storable(said.get(member) or self.house.names.get(member) or member) for member in ids}

    def _chair(self) -> str:
        return self.house.chairman if self.house.chairman in self.names else next(iter(self.names), CLERK)

    def _meeting(self) -> None:
        agenda = self.meeting.part("agenda")
        status = self.meeting.text("status", MeetingStatus.COMPLETED.value)
        config = self.house.config(self.names, self.chair)
        phase = self.state.text("current_phase")
        row = {
            "id": self.id,
            "kind": "board",
            "name": storable(one_line(self.meeting.text("name"))) or self.id,
            "status": MeetingStatus.COMPLETED.value,
            "phase": phase if phase in tuple(Phase) else None,
            "item_index": min(max(self.state.number("current_agenda_index", 0), 0), _MAX - 1) + 1,
            "quorum": config["rules"]["quorum"],
            "chair": self.chair,
            "chair_named": self.chair,
            "zone": self.house.zone.key,
            "seed": 0,
            "simulated": self.meeting.flag("simulated"),
            "provider": "",
            "config": config,
            "attendees": list(self.names),
            "standing_items": [storable(text) for text in agenda.texts("standing_items")],
            "agenda_status": "draft" if status in ("created", "agenda_draft") else "approved",
            "user_feedback": storable(agenda.text("user_feedback")),
            "revision_requested": agenda.flag("revision_requested"),
            "scheduled_start": self._iso(self.meeting, "scheduled_start"),
            "created_at": moment_json(self.created),
            "started_at": self._iso(self.meeting, "started_at"),
            "completed_at": self._iso(self.meeting, "completed_at"),
            "ended_by": EndedBy.IMPORTED.value,
            "owner": self.house.owner,
        }
        self.found["meetings"] = [{key: value for key, value in row.items() if value is not None}]

    def _items(self) -> None:
        items = self.meeting.part("agenda").parts("items")
        over = self.meeting.text("status", "completed") == MeetingStatus.COMPLETED
        taken_up = self.state.number("current_agenda_index", 0)
        ends = {paper.text("agenda_item_id"): paper.part("motion").text("status") for paper in self.papers}
        theirs = [item.text("id") for item in items]
        for n, item in enumerate(items, 1):
            own = theirs[n - 1]
            proper = _ITEM_ID.fullmatch(own) is not None and theirs.index(own) == n - 1
            id_ = own if proper else _free(n, {*theirs, *self.item_ids.values()})
            self.item_ids.setdefault(own, id_)
            kind = item.text("type", ItemType.DISCUSSION.value).lower()
            type_ = ItemType(kind) if kind in tuple(ItemType) else ItemType.DISCUSSION
            minutes = item.get("time_minutes")
            planned = isinstance(minutes, int) and not isinstance(minutes, bool) and 1 <= minutes <= MAX_MINUTES
            topic = one_line(storable(item.text("topic")))
            if _DISPOSITIONS.get(ends.get(own, "").lower()) is Disposition.TABLED:
                status = ItemStatus.TABLED
            else:
                status = ItemStatus.DONE if over or own in ends or n - 1 < taken_up else ItemStatus.PENDING
            self._add(
                "agenda_items",
                id=id_,
                number=n,
                topic=f"Item {n}" if is_blank(topic) else topic if len(topic) <= MAX_TOPIC else topic[: MAX_TOPIC - 1] + "…",
                type=type_.value,
                time_minutes=minutes if planned else MINUTES_BY_TYPE[type_],
                description=storable(item.text("description")),
                desired_outcome=storable(item.text("desired_outcome")),
                user_commentary=storable(item.text("user_commentary")),
                status=status.value,
            )

    def _attendance(self) -> None:
        present = self.state.texts("present_members")
        for n, member in enumerate(self.names if present else (), 1):
            self._add("attendance", member_id=member, round=n, status="present" if member in present else "absent")
        sessions = self.state.part("agent_sessions")
        for member in sessions.value:
            self._add(
                "agent_sessions",
                member_id=storable(member),
                session_id=storable(sessions.text(member)),
                prompt_hash="",
                started_at=moment_json(self._when(self.meeting, "started_at") or self.created),
            )
        for n, text in enumerate(self.state.list("user_input_pending"), 1):
            if isinstance(text, str):
                self._add(
                    "user_inputs", id=f"{self.id}/imported/{n:06}", text=storable(text), received_at=moment_json(self.created)
                )

    # What was said ---------------------------------------------------------------------------------------------------

    def _transcript(self) -> None:
        by_name = {name.casefold(): member for member, name in self.names.items()}
        at = self.created
        for n, (name, text, time) in enumerate(self.turns, 1):
            at = self._moment(time) or at
            person = name.strip().casefold() in _PERSON
            member = SHAREHOLDER if person else by_name.get(name.casefold()) or self.house.ids.get(name.casefold()) or name
            self._add(
                "turns",
                seq=n,
                id=f"imported/{n}",
                phase=Phase.DISCUSSION.value,
                purpose=ORIGIN,
                round=1,
                member_id=storable(member),
                name=storable(name),
                text=storable(text),
                status="ok",
                reading="exact",
                data={},
                at=moment_json(at),
            )

    def _conversation(self) -> None:
        at = self.created
        for n, message in enumerate(self.said, 1):
            at = self._when(message, "timestamp") or at
            row = {
                "id": f"{self.id}/{storable(message.text('id')) or n}",
                "n": n,
                "role": "user" if message.text("role").lower() in ("user", "human", SHAREHOLDER) else "assistant",
                "content": storable(message.text("content")),
                "timestamp": moment_json(at),
            }
            action = message.get("agenda_action")
            self._add("conversation", **row, **({"agenda_action": action} if isinstance(action, dict) else {}))

    # What was decided ------------------------------------------------------------------------------------------------

    def _paper(self, paper: _Part) -> None:
        id_ = paper.text("id")
        if f"{RESOLUTIONS}{id_}.json" != paper.file:
            paper.wrong("id", "is another one than its file's name says")
        if paper.text("meeting_id", self.id) != self.id:
            paper.wrong("meeting_id", "names another meeting")
        motion = paper.part("motion", needed=True)
        at = self._when(paper, "created_at") or self._when(motion, "created_at") or self.created
        theirs = paper.text("agenda_item_id")
        item = self.item_ids.get(theirs, storable(theirs))
        question = storable(motion.text("id")) or f"MOT-{id_.removeprefix('RES-')}"
        topic, text = storable(paper.text("topic")), storable(motion.text("text"))
        votes = self._votes(paper)
        status = self._end(motion.text("status"), votes)
        row = {
            "id": question,
            "item_id": item,
            "kind": "main",
            "text": text,
            "original_text": storable(motion.text("original_text")) or None,
            "mover": storable(motion.text("proposed_by")),
            "seconder": storable(motion.text("seconded_by")) or None,
            "status": status.value,
            "created_at": moment_json(self._when(motion, "created_at") or at),
            "closed_at": moment_json(at),
        }
        self._add("motions", **{key: value for key, value in row.items() if value is not None})
        self._ballot(paper, question, votes, status, at)
        seen: dict[str, int] = {}
        for dissent in paper.parts("dissents"):
            member = storable(dissent.text("member_id"))
            seen[member] = seen.get(member, 0) + 1
            self._add(
                "dissents",
                question_id=question,
                member_id=member,
                round=seen[member],
                statement=storable(dissent.text("statement")),
                recorded_at=moment_json(self._when(dissent, "recorded_at") or at),
            )
        response = paper.get("user_response")
        given = response if isinstance(response, dict) else {"response": response} if isinstance(response, str) else None
        row = {
            "id": id_,
            "item_id": item,
            "motion_id": question,
            "topic": topic,
            "user_response": given,
            "created_at": moment_json(at),
        }
        self._add("resolutions", **{key: value for key, value in row.items() if value is not None})
        if given:
            self._answer(id_, _Part(paper.file, given), at)
        for n, action in enumerate(paper.parts("action_items")):
            self._action(action, at, resolution=id_, item=item, n=n)

    def _votes(self, paper: _Part) -> dict[str, Vote]:
        lists = paper.part("vote")
        votes: dict[str, Vote] = {}
        for key, vote in VOTES.items():
            for member in lists.texts(key):
                if member in votes:
                    paper.wrong(f"vote.{key}", "names a member whose vote stands there already")
                votes[storable(member)] = vote
        return votes

    @staticmethod
    def _end(said: str, votes: dict[str, Vote]) -> Disposition:
        """How the motion ended: as its file says; where that is no word of ours, as its votes do."""
        if (found := _DISPOSITIONS.get(said.lower())) is not None:
            return found
        return _counted(votes) if votes else Disposition.FELL

    def _ballot(self, paper: _Part, question: str, votes: dict[str, Vote], status: Disposition, at: datetime) -> None:
        if not votes:
            return
        decided = status in (Disposition.ADOPTED, Disposition.LOST, Disposition.TIED)
        reasons = self._reasons(paper, votes)
        for member, vote in votes.items():
            self._add(
                "votes",
                question_id=question,
                round=1,
                member_id=member,
                choice=vote.value,
                reason=storable(reasons.get(member, "")),
                raw="",
                reading="exact",
            )
        self._add(
            "ballots",
            question_id=question,
            round=1,
            threshold="majority",
            roll=list(votes),
            tally={vote.value: sum(each is vote for each in votes.values()) for vote in Vote},
            outcome=(status if decided else _counted(votes)).value,
            present=sum(vote is not Vote.ABSENT for vote in votes.values()),
            closed_at=moment_json(at),
        )

    def _reasons(self, paper: _Part, votes: dict[str, Vote]) -> dict[str, str]:
        """The reasons of the checkpoint, when its votes are those of this resolution, and it is the last one saved."""
        if self.papers[-1] is not paper:
            return {}
        if self.state.part("votes_collected").value != {member: vote.value for member, vote in votes.items()}:
            return {}
        given = self.state.part("vote_reasons")
        return {member: given.text(member) for member in votes}

    def _answer(self, resolution: str, given: _Part, at: datetime) -> None:
        """The person's answer as a change of the resolution, where it can be told which one it is."""
        words = [given.get(key) for key in ("response", "action", "decision", "status", "answer")]
        kind = next((_ANSWERS[word.lower()] for word in words if isinstance(word, str) and word.lower() in _ANSWERS), None)
        if kind is None:
            return
        notes = [given.get(key) for key in ("note", "notes", "comment", "reason")]
        times = [given.get(key) for key in ("at", "responded_at", "timestamp", "created_at")]
        until = next((given.get(key) for key in ("until", "defer_until", "deferred_until") if given.get(key)), None)
        row = {
            "id": f"{resolution}/{kind.value}",
            "resolution_id": resolution,
            "kind": kind.value,
            "origin": ORIGIN,
            "note": storable(next((note for note in notes if isinstance(note, str)), "")),
            "until": _day(until) if kind is ChangeKind.DEFERRED else None,
            "at": moment_json(next(filter(None, map(self._moment, times)), at)),
        }
        self._add("resolution_changes", **{key: value for key, value in row.items() if value is not None})

    # What is to be done ----------------------------------------------------------------------------------------------

    def _action(self, action: _Part, at: datetime, *, resolution: str | None, item: str | None, n: int) -> None:
        task = storable(action.text("task"))
        id_ = action.text("id") or action_id(self.id, item or "", n)
        entry = self.ledger.pop(id_, None)
        standing = action if entry is None else _Part("action_items.json", entry)
        self._entry(standing, id_, task, at, resolution=resolution, item=item, n=n)

    def _rest_of_the_ledger(self) -> None:
        papers = {row["id"]: row["item_id"] for row in self.found.get("resolutions", ())}
        for n, (id_, entry) in enumerate(list(self.ledger.items()), 1000):
            part = _Part("action_items.json", entry)
            paper = part.text("resolution_id")
            item = papers.get(paper) or part.text("item_id") or None
            self._entry(part, id_, storable(part.text("task")), self.created, resolution=paper or None, item=item, n=n)

    def _entry(
        self, part: _Part, id_: str, task: str, at: datetime, *, resolution: str | None, item: str | None, n: int
    ) -> None:
        row = entry_row(part.value, part.file, self.house, at) | {
            "id": id_,
            "person": self.house.owner,
            "resolution_id": resolution,
            "item_id": item,
            "position": min(part.number("position", n), _MAX),
        }
        row["task"] = row["task"] or task
        self._add("action_items", **{key: value for key, value in row.items() if value is not None})

    def _review(self, part: _Part) -> None:
        """The secretary's review in our form; an entry's own form is kept beside it like everything that has no column."""
        review = Review(
            meeting_id=self.id,
            **{bucket.value: tuple(map(_review_entry, part.list(bucket.value))) for bucket in Bucket},
            summary=storable(part.text("summary")),
            simulated=self.meeting.flag("simulated"),
        )
        self._add("reviews", source=ORIGIN, content=review_json(review), at=moment_json(self.created))

    # Times -----------------------------------------------------------------------------------------------------------

    def _first_word(self) -> datetime:
        return next((at for _, _, time in self.turns if (at := self._moment(time)) is not None), self.house.now)

    def _when(self, part: _Part, key: str) -> datetime | None:
        return self._moment(part.get(key))

    def _iso(self, part: _Part, key: str) -> str | None:
        found = self._when(part, key)
        return moment_json(found) if found is not None else None

    def _moment(self, text: Any) -> datetime | None:
        return moment_of(text, self.house.zone)


def entry_row(entry: dict[str, Any], file: str, house: House, at: datetime) -> dict[str, Any]:
    """The columns of an entry of a ledger that do not depend on where it hangs. Raises Unreadable."""
    part = _Part(file, entry)
    done = moment_of(part.get("done_at") or part.get("completed_at"), house.zone)
    status = _STATES.get(part.text("status").lower(), PENDING)
    created = moment_of(part.get("created_at"), house.zone) or at
    id_ = part.text("id")
    if id_ and not is_imported_id(id_, "ACT"):
        part.wrong("id", "is no action item's id")
    return {
        "task": storable(part.text("task")),
        "owner": storable(part.text("owner")) or SHAREHOLDER,
        "deadline": storable(part.text("deadline")) or None,
        "status": status,
        "origin": storable(part.text("origin", ORIGIN)),
        "due": _day(part.get("due")),
        "reading": storable(part.text("reading")) if part.get("due") is None or _day(part.get("due")) else "",
        "position": min(max(part.number("position", 0), 0), _MAX),
        "created_at": moment_json(created),
        "done_at": moment_json(done) if done is not None and status == DONE else None,
    }


def moment_of(text: Any, zone: ZoneInfo) -> datetime | None:
    """A time as such files write it: without a zone it is the person's own. None for what is no time."""
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo is not None else found.replace(tzinfo=zone)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


class _Part:
    """An object of a file, read key by key: null is as good as missing, and another type than expected is told."""

    def __init__(self, file: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise Unreadable(f"{file} is no JSON object")
        self.file = file
        self.value = value

    def wrong(self, key: str, what: str) -> NoReturn:
        raise Unreadable(f"{self.file}: {key} {what}")

    def get(self, key: str) -> Any:
        return self.value.get(key)

    def _of(self, key: str, kind: type, default: Any, what: str) -> Any:
        value = self.value.get(key)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.wrong(key, f"is no {what}")
        return value

    def text(self, key: str, default: str = "") -> str:
        return str(self._of(key, str, default, "text"))

    def number(self, key: str, default: int) -> int:
        return int(self._of(key, int, default, "whole number"))

    def flag(self, key: str) -> bool:
        return bool(self._of(key, bool, False, "true or false"))

    def list(self, key: str) -> list[Any]:
        return list(self._of(key, list, [], "list"))

    def texts(self, key: str) -> list[str]:
        found = self.list(key)
        if not all(isinstance(each, str) for each in found):
            self.wrong(key, "is no list of texts")
        return found

    def part(self, key: str, *, needed: bool = False) -> _Part:
        if needed and self.value.get(key) is None:
            self.wrong(key, "is missing")
        return _Part(self.file, self._of(key, dict, {}, "object"))

    def parts(self, key: str) -> list[_Part]:
        found = self.list(key)
        if not all(isinstance(each, dict) for each in found):
            self.wrong(key, "is no list of objects")
        return [_Part(self.file, each) for each in found]


def _turn(n: int, given: Any) -> tuple[str, str, Any]:
    """A line of the transcript: [name, text, time]."""
    if not isinstance(given, list) or not 2 <= len(given) <= 3 or not all(isinstance(each, str) for each in given[:2]):
        raise Unreadable(f"{STATE}: line {n} of the transcript is not [name, text, time]")
    return given[0], given[1], given[2] if len(given) == 3 else None


def _review_entry(given: Any) -> ReviewEntry:
    """An entry of a review: a text, or an object that has the text under one of the names that are used for it."""
    entry = _Part(REVIEW, {"task": given} if isinstance(given, str) else given)
    texts = {key: storable(entry.text(key)) for key in ("task", "item", "text", "action", "title", "description")}
    return ReviewEntry(
        id=storable(entry.text("id") or entry.text("action_id")),
        task=next(filter(None, texts.values()), ""),
        owner=storable(entry.text("owner")),
        deadline=storable(entry.text("deadline")) or None,
        why=storable(entry.text("why") or entry.text("reason")),
        proof=storable(entry.text("proof")) or None,
    )


def _counted(votes: Mapping[str, Vote]) -> Disposition:
    """What a majority of the votes cast decided."""
    for_, against = (sum(vote is kind for vote in votes.values()) for kind in (Vote.FOR, Vote.AGAINST))
    return Disposition.ADOPTED if for_ > against else Disposition.TIED if for_ == against else Disposition.LOST


def _free(n: int, taken: set[str]) -> str:
    while f"agenda-{n}" in taken:
        n += 1
    return f"agenda-{n}"


def _day(text: Any) -> str | None:
    """An ISO date, or None."""
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except (TypeError, ValueError):
        return None


def _number(file: str) -> tuple[tuple[int, str], ...]:
    """A file's name in the order in which people count: RES-x-2 before RES-x-10."""
    parts = re.split(r"([0-9]{1,9})", file)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
