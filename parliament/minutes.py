"""The minutes: what was done, rendered from the record alone (law 9, RONR 48; RULES_OF_ORDER, Minutes).

They give each motion's exact wording as finally put, its mover and its end, the count and the names of a recorded vote,
points of order and appeals with the chair's reasons, who was there and who presided. What was said, reasons and
dissents, the wording as moved, withdrawn motions and refused commands, stands in an annex. Same record, same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from parliament import minutes_words as words
from parliament.minutes_data import minutes_json
from parliament.minutes_words import Names, count_words, degraded, duration, end_of, moment
from parliament.motions import MotionKind
from parliament.record import (
    ActionRecord,
    AmendmentRecord,
    BallotRecord,
    ItemRecord,
    MeetingRecord,
    MotionRecord,
    ResolutionRecord,
    RulingRecord,
)
from parliament.text import inert, quoted
from parliament.values import Disposition, MeetingStatus

__all__ = ["minutes_json", "render_minutes"]

_IN_ANNEX = "refused_command"


def render_minutes(record: MeetingRecord) -> str:
    """The minutes as Markdown. Nothing typed by anybody is markup in them: it is shown as typed."""
    return _Minutes(record).render()


class _Minutes:
    def __init__(self, record: MeetingRecord) -> None:
        self.record = record
        self.name = Names(record)
        self.lines: list[str] = []

    def render(self) -> str:
        self._head()
        self._attendance()
        self._warnings()
        self._items()
        self._actions()
        self._annex()
        return "\n".join(self.lines).rstrip("\n") + "\n"

    def _say(self, *lines: str) -> None:
        """A paragraph, a list or a quotation, and the blank line after it."""
        self.lines += [*lines, ""]

    # Head ------------------------------------------------------------------------------------------------------------

    def _head(self) -> None:
        record = self.record
        if record.simulated:
            self._say(f"> **SIMULATED.** {words.SIMULATED}")
        self._say(f"# Minutes: {inert(record.name) or inert(record.id)}")
        if record.status is not MeetingStatus.COMPLETED:
            phase = f" (phase: {record.phase.value})" if record.phase else ""
            self._say(f"**{words.STATUSES[record.status]}**{phase}")
        facts = [f"- Meeting: {inert(record.id)}"]
        if record.scheduled_start:
            facts.append(f"- Called for: {moment(record.scheduled_start, record.zone)}")
        facts.append(f"- Called to order: {moment(record.started_at, record.zone)}")
        ended = f", since {words.ENDED_BY[record.ended_by]}" if record.ended_by else ""
        open_still = not record.completed_at and record.status is not MeetingStatus.COMPLETED
        adjourned = "not yet" if open_still else moment(record.completed_at, record.zone)
        facts.append(f"- Adjourned: {adjourned}{ended}")
        facts.append(f"- Presiding: {self._presiding()}")
        facts.append(f"- Time: {self._time()}")
        voice = "simulated" if record.simulated else inert(record.provider) or "not recorded"
        facts.append(f"- Voices: {voice}, seed {record.seed}")
        if record.standing_items:
            facts.append(f"- Standing items: {'; '.join(inert(item) for item in record.standing_items)}")
        self._say(*facts)

    def _presiding(self) -> str:
        record = self.record
        chair = self.name(record.chair)
        if record.chair == record.chair_named:
            return f"{chair}, chairman"
        return f"{chair}, in place of the chairman, {self.name(record.chair_named)}"

    def _time(self) -> str:
        record = self.record
        planned = sum(item.time_minutes for item in record.items)
        known = [item.active_seconds for item in record.items if item.active_seconds is not None]
        text = f"{planned} min planned for the agenda, {duration(sum(known)) if known else 'none'} used on it"
        whole = words.seconds_between(record.started_at, record.completed_at)
        return text if whole is None else f"{text}, {duration(whole)} from the call to order to the adjournment"

    def _attendance(self) -> None:
        record = self.record
        voters = [member.id for member in record.members if member.voting]
        here = [member for member in record.present if member in voters]
        gone = [member for member, how in record.absent.items() if how != "no_reply"]
        silent = [member for member, how in record.absent.items() if how == "no_reply"]
        called = {*record.present, *record.absent}
        self._say("## Attendance")
        lines = [
            f"- Present: {self.name.all(record.present)}",
            f"- Absent: {self.name.all(gone)}",
            f"- No reply (the call failed after its retries; not counted as absent by choice): {self.name.all(silent)}",
        ]
        uncalled = [member.id for member in record.members if member.id not in called]
        if uncalled:
            lines.append(f"- Not called on the roll: {self.name.all(uncalled)}")
        silent_seats = [member.id for member in record.members if not member.voting]
        if silent_seats:
            lines.append(f"- Seated without a vote: {self.name.all(silent_seats)}")
        if called:
            has = "a quorum was present" if len(here) >= record.quorum else "**no quorum was present**"
            lines.append(f"- Quorum: {record.quorum} of {len(voters)} voting seats; {len(here)} answered the roll, {has}")
        else:
            lines.append(f"- Quorum: {record.quorum} of {len(voters)} voting seats; the roll was not called")
        self._say(*lines)

    def _warnings(self) -> None:
        lines = [f"- {inert(warning)}" for warning in self.record.warnings]
        for question, ballot in _ballots(self.record):
            if note := degraded(ballot):
                lines.append(f"- {inert(question)}, round {ballot.round}: {note}")
        if lines:
            self._say("## Warnings")
            self._say(*lines)

    # What was done ---------------------------------------------------------------------------------------------------

    def _items(self) -> None:
        self._say("## Proceedings")
        if not self.record.items:
            self._say("The agenda had no items.")
        for item in self.record.items:
            self._item(item)
        known = {item.id for item in self.record.items}
        rest = [motion for motion in self.record.motions if motion.item_id not in known and _done(motion)]
        points = [ruling for ruling in self.record.rulings if ruling.item_id not in known and ruling.kind != _IN_ANNEX]
        if rest or points:
            self._say("### Outside the items of the agenda")
            self._motions(rest)
            self._points(points)

    def _item(self, item: ItemRecord) -> None:
        record = self.record
        self._say(f"### {item.number}. {inert(item.topic)} ({item.type.value})")
        actual = "no time recorded" if item.active_seconds is None else f"{duration(item.active_seconds)} used"
        self._say(f"Planned: {item.time_minutes} min; {actual}.")
        motions = [motion for motion in record.motions if motion.item_id == item.id and _done(motion)]
        self._motions(motions)
        self._points([ruling for ruling in record.rulings if ruling.item_id == item.id and ruling.kind != _IN_ANNEX])
        if end := words.item_end(item, len(motions)):
            self._say(end)

    def _motions(self, motions: Iterable[MotionRecord]) -> None:
        for motion in motions:
            self._say(f"{words.kind_of(motion)} by {self.name(motion.proposed_by)} ({inert(motion.id)}):")
            if motion.text:  # a motion to adjourn has no words of its own
                self._say(quoted(motion.text))
            for amendment in motion.amendments:
                if _done(amendment):
                    self._amendment(motion, amendment)
            self._votes(motion.ballots, words.APPEAL_THRESHOLD if motion.kind == MotionKind.APPEAL else None)
            resolutions = [each.id for each in self.record.resolutions if each.motion_id == motion.id]
            entered = f" Entered as {', '.join(inert(each) for each in resolutions)}." if resolutions else ""
            removed = [each.id for each in self.record.removed if each.motion_id == motion.id]
            if removed:
                entered = f" It was entered as {inert(removed[0])}, which the shareholder has since deleted."
            put = " was put to the vote" if motion.ballots else ""
            amended = f", as amended{',' if put else ''}" if motion.original_text is not None else ""
            self._say(f"The {_noun(motion)}{amended}{put}: **{end_of(motion)}**.{entered}")

    def _amendment(self, motion: MotionRecord, amendment: AmendmentRecord) -> None:
        to = "the motion" if amendment.target_id == motion.id else f"the amendment {inert(amendment.target_id)}"
        summary = f", {inert(amendment.summary)}" if amendment.summary else ""
        self._say(f"Amendment by {self.name(amendment.mover)} to {to} ({inert(amendment.id)}){summary}; it would read:")
        self._say(quoted(amendment.text))
        self._votes(amendment.ballots)
        self._say(f"The amendment {inert(amendment.id)}: **{end_of(amendment)}**.")

    def _votes(self, ballots: Sequence[BallotRecord], needed: str | None = None) -> None:
        for ballot in ballots:
            threshold = needed or words.THRESHOLDS.get(ballot.threshold, inert(ballot.threshold))
            if ballot.outcome is None:
                result = "**void**, since the quorum was lost before the vote was closed; nothing was decided by it"
            else:
                result = f"{count_words(ballot)}; {ballot.present} present when it was closed"
            lines = [f"- Vote, round {ballot.round} (it took {threshold}): {result}"]
            for kind, (heading, meaning) in words.VOTES.items():
                members = [member for member, vote in ballot.votes.items() if vote is kind]
                if members:
                    note = f" ({meaning})" if meaning else ""
                    lines.append(f"  - {heading}{note}: {self.name.all(members)}")
            if note := degraded(ballot):
                lines.append(f"  - {note}")
            self._say(*lines)

    def _points(self, rulings: Sequence[RulingRecord]) -> None:
        heading = {"point_of_order": "Point of order by", "ruling": "Ruling of the chair,", "appeal": "Appeal by"}
        lines: list[str] = []
        for ruling in rulings:
            head = heading.get(ruling.kind, f"{inert(ruling.kind.replace('_', ' ')).capitalize()} by")
            lines.append(f"- {head} {self.name(ruling.member_id)}{self._ruling_end(ruling)}")
        if lines:
            self._say(*lines)

    @staticmethod
    def _ruling_end(ruling: RulingRecord) -> str:
        text = f": {inert(ruling.text)}" if ruling.text else ""
        result = f" — **{inert(ruling.result)}**" if ruling.result else ""
        reason = f"; reason: {inert(ruling.reason)}" if ruling.reason else ""
        rule = f" ({inert(ruling.rule)})" if ruling.rule else ""
        return f"{text}{result}{reason}{rule}"

    # What follows ----------------------------------------------------------------------------------------------------

    def _actions(self) -> None:
        self._say("## Action items")
        if not self.record.actions:
            self._say("None.")
            return
        self._say(*(f"- {self._action(action)}" for action in self.record.actions))

    def _action(self, action: ActionRecord) -> str:
        due = f", due {inert(action.deadline)}" if action.deadline else ", no date set"
        origin = "left unfinished by the meeting" if action.origin == "unfinished" else inert(action.resolution_id or "")
        source = f"; {origin}" if origin else ""
        return f"{inert(action.id)}: {inert(action.task)} — {self.name(action.owner)}{due} [{inert(action.status)}{source}]"

    def _annex(self) -> None:
        self._say("## Annex: dissents")
        papers = (*self.record.resolutions, *self.record.removed)
        dissents = [(each, dissent) for each in papers for dissent in each.dissents]
        for resolution, dissent in dissents:
            at = moment(dissent.recorded_at, self.record.zone)
            self._say(f"{inert(dissent.member_name)}, on {inert(resolution.topic)} ({inert(resolution.id)}), recorded {at}:")
            self._say(quoted(dissent.statement))
        if not dissents:
            self._say("No dissent was recorded.")
        self._reasons()
        self._as_moved()
        self._withdrawn()
        self._refused()
        self._shareholder()

    def _reasons(self) -> None:
        lines: list[str] = []
        for question, ballot in _ballots(self.record):
            for member, vote in ballot.votes.items():
                given = [inert(ballot.reasons[member])] if ballot.reasons.get(member) else []
                if member in ballot.raw:
                    given.append(f"the reply as it came: “{inert(ballot.raw[member])}”")
                if given:
                    place = f"{inert(question)}, round {ballot.round}"
                    lines.append(f"- {self.name(member)}, {words.VOTES[vote][0].lower()}, on {place}: {'; '.join(given)}")
        for motion in self.record.motions:
            if motion.dissenter:
                lines.append(f"- {self.name(motion.dissenter)} had been asked to argue against {inert(motion.id)}")
        self._section("## Annex: reasons given with votes", lines)

    def _as_moved(self) -> None:
        amended = [motion for motion in self.record.motions if motion.original_text is not None]
        if amended:
            self._say("## Annex: wording as moved")
        for motion in amended:
            self._say(f"{inert(motion.id)}, before it was amended:")
            self._say(quoted(motion.original_text or ""))

    def _withdrawn(self) -> None:
        lines: list[str] = []
        for motion in self.record.motions:
            if not _done(motion):
                text = inert(motion.text)
                lines.append(f"- {self.name(motion.proposed_by)}, {end_of(motion)} ({inert(motion.id)}): {text}")
            for amendment in motion.amendments:
                if not (_done(motion) and _done(amendment)):
                    text = inert(amendment.text)
                    lines.append(
                        f"- {self.name(amendment.mover)}, amendment to {inert(amendment.target_id)}, {end_of(amendment)} "
                        f"({inert(amendment.id)}): {text}"
                    )
        self._section("## Annex: motions withdrawn", lines)

    def _refused(self) -> None:
        refused = [ruling for ruling in self.record.rulings if ruling.kind == _IN_ANNEX]
        self._section(
            "## Annex: commands refused",
            [f"- {self.name(ruling.member_id)} (turn {ruling.seq}){self._ruling_end(ruling)}" for ruling in refused],
        )

    def _shareholder(self) -> None:
        if self.record.user_inputs:
            self._say("## Annex: words of the shareholder")
        for turn in self.record.user_inputs:
            self._say(f"Turn {turn.seq}, {moment(turn.at, self.record.zone)}:")
            self._say(quoted(turn.text))
        answers = [each for each in self.record.resolutions if each.user_response]
        self._section("## Annex: answers of the shareholder", [f"- {_answer(each)}" for each in answers])

    def _section(self, heading: str, lines: Sequence[str]) -> None:
        if lines:
            self._say(heading)
            self._say(*lines)


def _done(question: MotionRecord | AmendmentRecord) -> bool:
    """Whether it belongs into the minutes proper: withdrawn motions are left out (RONR 48:4)."""
    return question.status is not Disposition.WITHDRAWN


def _noun(motion: MotionRecord) -> str:
    return "appeal" if motion.kind == MotionKind.APPEAL else "motion"


def _answer(resolution: ResolutionRecord) -> str:
    given = "; ".join(
        f"{inert(str(key))}: {inert(str(value))}"
        for key, value in sorted((resolution.user_response or {}).items())
        if key != "key" and value not in (None, "")
    )
    return f"{inert(resolution.id)} — {given}"


def _ballots(record: MeetingRecord) -> list[tuple[str, BallotRecord]]:
    """Every vote taken, with the id of its question, in the order of the record."""
    found: list[tuple[str, BallotRecord]] = []
    for motion in record.motions:
        for amendment in motion.amendments:
            found += [(amendment.id, ballot) for ballot in amendment.ballots]
        found += [(motion.id, ballot) for ballot in motion.ballots]
    return found
