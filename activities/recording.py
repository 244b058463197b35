"""The `record` and `start_sessions` activities: what the procedure itself puts on the record."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity

from activities import interface as act
from activities.frozen import Frozen, freeze, meeting_of_activity
from activities.interface import Entry, Recording, Sessions
from activities.points import reached, reached_now
from activities.recent import Recent
from parliament import announcements
from parliament.announcements import question_words
from parliament.commands import ActionCommand, DissentCommand, RulingCommand, parse
from parliament.ids import action_id, motion_id, resolution_id, session_id
from parliament.values import CLERK, SHAREHOLDER, Disposition, ItemStatus, Phase, TurnStatus, Vote
from protocols import review_words
from records import ballots, meetings, motions, papers, proposals, search, turns
from records.engine import Store

CLERK_NAME = "Clerk"
SHAREHOLDER_NAME = "Shareholder"


class Recorder:
    """Activities of the meetings' queue that write the procedure's own entries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._frozen: Recent[Frozen] = Recent()

    @activity.defn(name=act.RECORD)
    async def record(self, recording: Recording) -> None:
        """Write the entries in one transaction. Each is a no-op when it stands there already (law 4)."""
        meeting_id = meeting_of_activity()
        frozen = await self._known(meeting_id)

        async def write(tx: AsyncConnection) -> None:
            writer = Writer(tx, frozen, datetime.fromisoformat(recording.at), recording.phase)
            for entry in recording.entries:
                await writer.write(entry)
                reached_now(f"recorded_{entry.what}")

        await self._store.run(write)
        await reached("record_written")

    @activity.defn(name=act.START_SESSIONS)
    async def start_sessions(self, sessions: Sessions) -> None:
        """Deterministic sessions, started in parallel while the meeting opens (source 000, Parallel Session Init)."""
        meeting_id = meeting_of_activity()
        frozen = await self._known(meeting_id)
        started_at = activity.info().started_time

        async def write(tx: AsyncConnection) -> None:
            for member in sessions.members:
                brief = frozen.members[member]
                await meetings.start_session(
                    tx,
                    meeting_id=meeting_id,
                    member_id=member,
                    session_id=session_id(meeting_id, member),
                    prompt_hash=hashlib.sha256(brief.instructions.encode()).hexdigest()[:16],
                    started_at=started_at,
                )

        await self._store.run(write)

    async def _known(self, meeting_id: str) -> Frozen:
        if meeting_id not in self._frozen:

            async def read(tx: AsyncConnection) -> Frozen:
                return freeze(await meetings.get(tx, meeting_id), await meetings.items(tx, meeting_id), None)

            self._frozen[meeting_id] = await self._store.look(read)
        return self._frozen[meeting_id]


class Writer:
    """Writes entries in the caller's transaction."""

    def __init__(self, tx: AsyncConnection, frozen: Frozen, at: datetime, phase: Phase | None) -> None:
        self.tx = tx
        self.frozen = frozen
        self.at = at
        self.phase = phase

    @property
    def meeting_id(self) -> str:
        return self.frozen.meeting_id

    async def write(self, entry: Entry) -> None:
        writers: dict[str, Callable[[Entry], Awaitable[None]]] = {
            "status": self._status,
            "chair": self._chair,
            "announce": self._announce,
            "item": self._item,
            "moved": self._moved,
            "seconded": self._seconded,
            "ended": self._ended,
            "ballot": self._ballot,
            "amended": self._amended,
            "resolution": self._resolution,
            "ruling": self._ruling,
            "action": self._action,
            "dissent": self._dissent,
            "input": self._input,
            "silent": self._silent,
            "unfinished": self._unfinished,
        }
        await writers[entry.what](entry)

    async def _status(self, entry: Entry) -> None:
        assert entry.status is not None
        await meetings.set_status(
            self.tx,
            self.meeting_id,
            status=entry.status.value,
            at=self.at,
            error=entry.why or None,
            phase=self.phase.value if self.phase else None,
            ended_by=entry.ended_by.value if entry.ended_by else None,
        )

    async def _chair(self, entry: Entry) -> None:
        await meetings.set_chair(self.tx, self.meeting_id, entry.member)

    async def _item(self, entry: Entry) -> None:
        assert entry.item is not None and entry.item_status is not None
        await meetings.set_item(
            self.tx,
            self.meeting_id,
            entry.item,
            status=entry.item_status.value,
            why=entry.why,
            active_seconds=entry.seconds,
        )

    async def _announce(self, entry: Entry) -> None:
        args = dict(entry.args or {})
        words = _WORDS[self.frozen.kind]
        text = words(entry.key, await self._arguments(entry, args))
        await self._clerk_turn(entry.seq, entry.key, entry.item, text, args, entry.phase)

    async def _arguments(self, entry: Entry, args: dict[str, Any]) -> dict[str, Any]:
        """Ids become names, and what only the store knows (a topic, an amendment's summary) is put in."""
        shown = dict(args)
        for key in ("member", "other"):
            if key in shown:
                shown[key] = self.frozen.member_name(shown[key])
        for key in ("members", "objectors"):
            if key in shown:
                shown[key] = _and([self.frozen.member_name(member) for member in shown[key]])
        if entry.key == "item":
            item = self.frozen.item(entry.item)
            shown["topic"] = item.topic if item is not None else ""
        elif entry.key == "amendment":
            amendment = await motions.get_amendment(self.tx, args["id"])
            shown["summary"] = amendment.summary or amendment.text
        elif entry.key == "point":
            shown["text"] = await papers.ruling_text(self.tx, self.meeting_id, args["seq"], "point_of_order")
        elif entry.key == "vote" and self.frozen.kind == "board":
            counted = {vote.value: int(args.get(vote.value, 0)) for vote in Vote}
            shown["for_"], shown["against"], shown["abstain"] = counted["FOR"], counted["AGAINST"], counted["ABSTAIN"]
            missing = [
                (counted["ABSENT"], "absent"),
                (counted["NO_REPLY"], "without a reply"),
                (counted["INVALID"], "not readable"),
            ]
            shown["missing"] = "".join(f", {n} {word}" for n, word in missing if n)
            shown["result"] = _RESULTS.get(Disposition(args["result"]), args["result"])
        return shown

    async def _moved(self, entry: Entry) -> None:
        await motions.add(
            self.tx,
            id=entry.id,
            meeting_id=self.meeting_id,
            item_id=entry.item,
            kind=entry.kind,
            text=question_words(entry.kind),
            mover=entry.member,
            status=Disposition.PROPOSED.value,
            dissenter=None,
            created_at=self.at,
        )

    async def _seconded(self, entry: Entry) -> None:
        await motions.second(self.tx, entry.id, entry.member)

    async def _ended(self, entry: Entry) -> None:
        assert entry.disposition is not None
        await motions.end(self.tx, entry.id, status=entry.disposition.value, by_consent=entry.by_consent, at=self.at)

    async def _ballot(self, entry: Entry) -> None:
        """A ballot that was closed, or that was void. Seats without a row of their own get one: ABSENT or NO_REPLY (law 8)."""
        votes = entry.votes or {}
        for member, vote in votes.items():
            if vote in (Vote.ABSENT, Vote.NO_REPLY):
                await ballots.add_vote(
                    self.tx,
                    question_id=entry.id,
                    round=entry.round,
                    member_id=member,
                    meeting_id=self.meeting_id,
                    choice=vote.value,
                    reason="",
                    raw="",
                    reading="failed",
                    seq=None,
                )
        await ballots.close(
            self.tx,
            question_id=entry.id,
            round=entry.round,
            meeting_id=self.meeting_id,
            threshold=entry.threshold,
            roll=list(votes),
            tally={vote.value: sum(v is vote for v in votes.values()) for vote in Vote},
            outcome=entry.result or None,
            present=entry.present,
            closed_at=self.at,
        )
        if entry.result:
            await motions.end(self.tx, entry.id, status=entry.result, by_consent=False, at=self.at)

    async def _amended(self, entry: Entry) -> None:
        await motions.take_words(self.tx, entry.id, entry.source)

    async def _resolution(self, entry: Entry) -> None:
        """The paper of a main motion that came to its end, with the dissents and action items that belong to it."""
        item = self.frozen.item(entry.item)
        assert item is not None
        await papers.add_resolution(
            self.tx,
            id=resolution_id(self.meeting_id, item.number),
            meeting_id=self.meeting_id,
            item_id=item.id,
            motion_id=entry.id,
            topic=item.topic,
            created_at=self.at,
        )
        wording = await motions.text_of(self.tx, entry.id)
        await search.add(
            self.tx,
            meeting_id=self.meeting_id,
            kind="resolution",
            ref=resolution_id(self.meeting_id, item.number),
            words=f"{item.topic}\n{wording}",
        )

    async def _ruling(self, entry: Entry) -> None:
        text = entry.source
        if entry.kind in ("refused_command", "ruling"):
            source = await self._command(entry.seq, entry.n)
            parsed = parse(source, self.frozen.roster).commands
            text = (
                parsed[0].command.text
                if entry.kind == "ruling" and parsed and isinstance(parsed[0].command, RulingCommand)
                else source
            )
        await papers.add_ruling(
            self.tx,
            meeting_id=self.meeting_id,
            seq=entry.seq,
            n=entry.n,
            kind=entry.kind,
            member_id=entry.member,
            item_id=entry.item,
            text=text,
            result=entry.result,
            reason=entry.why,
            rule=entry.rule,
        )

    async def _action(self, entry: Entry) -> None:
        parsed = parse(await self._command(entry.seq, entry.n), self.frozen.roster).commands
        command = parsed[0].command
        assert isinstance(command, ActionCommand)
        await papers.add_action(
            self.tx,
            id=action_id(self.meeting_id, entry.item or "", command.text),
            meeting_id=self.meeting_id,
            item_id=entry.item,
            task=command.text,
            owner=command.owner,
            deadline=command.deadline,
            origin="resolution",
            position=entry.seq * 100 + entry.n,
            created_at=self.at,
        )

    async def _dissent(self, entry: Entry) -> None:
        parsed = parse(await self._command(entry.seq, entry.n), self.frozen.roster).commands
        command = parsed[0].command
        assert isinstance(command, DissentCommand)
        await ballots.add_dissent(
            self.tx,
            question_id=motion_id(self.meeting_id, entry.item or ""),
            member_id=entry.member,
            round=0,
            meeting_id=self.meeting_id,
            statement=command.text,
            recorded_at=self.at,
        )

    async def _command(self, seq: int, n: int) -> str:
        turn = await turns.get(self.tx, self.meeting_id, seq)
        return str(turn.data["commands"][n])

    async def _input(self, entry: Entry) -> None:
        text = await papers.take_up_input(self.tx, entry.id, entry.seq)
        await self._add(
            entry.seq, f"input/{entry.id}", entry.item, "user_input", SHAREHOLDER, SHAREHOLDER_NAME, text, entry.phase, {}
        )

    async def _silent(self, entry: Entry) -> None:
        assert entry.purpose is not None
        await self._add(
            entry.seq,
            f"silent/{entry.seq}",
            entry.item,
            entry.purpose.value,
            entry.member,
            self.frozen.member_name(entry.member),
            "",
            entry.phase,
            {"trouble": entry.why},
            status=TurnStatus.NO_REPLY.value,
            reading="failed",
        )

    async def _unfinished(self, entry: Entry) -> None:
        """The unfinished thread becomes a task (law 13)."""
        item = self.frozen.item(entry.item)
        assert item is not None
        await meetings.set_item(
            self.tx,
            self.meeting_id,
            item.id,
            status=ItemStatus.UNFINISHED.value,
            why="the meeting ended first",
            active_seconds=None,
        )
        task = f"Take up again: {item.topic}"
        await papers.add_action(
            self.tx,
            id=action_id(self.meeting_id, item.id, task),
            meeting_id=self.meeting_id,
            item_id=item.id,
            task=task,
            owner="secretary",
            deadline=None,
            origin="unfinished",
            position=LAST + item.number,
            created_at=self.at,
        )

    async def _clerk_turn(
        self, seq: int, key: str, item: str | None, text: str, args: dict[str, Any], phase: Phase | None
    ) -> None:
        await self._add(seq, f"clerk/{key}/{seq}", item, key, CLERK, CLERK_NAME, text, phase, args)

    async def _add(
        self,
        seq: int,
        turn: str,
        item: str | None,
        purpose: str,
        member: str,
        name: str,
        text: str,
        phase: Phase | None,
        data: dict[str, Any],
        *,
        status: str = "ok",
        reading: str = "exact",
    ) -> None:
        await turns.add(
            self.tx,
            clear_words=member not in (CLERK, SHAREHOLDER),
            meeting_id=self.meeting_id,
            seq=seq,
            id=turn,
            item_id=item,
            phase=(phase or self.phase or Phase.OPENING).value,
            purpose=purpose,
            round=1,
            member_id=member,
            name=name,
            text=text,
            status=status,
            reading=reading,
            data=data,
            at=self.at,
        )


_WORDS: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "board": announcements.words,
    proposals.KIND: review_words.words,
}
"""What the clerk says, by the kind of meeting."""

LAST = 10**8
"""Positions of threads that were left unfinished: after all that was spoken."""

_RESULTS = {
    Disposition.ADOPTED: "It is adopted.",
    Disposition.LOST: "It is lost.",
    Disposition.TIED: "A tie: it is lost.",
}


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
