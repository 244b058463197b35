"""Who sits: the composition of the board, the seats chosen for an agenda, who presides, who argues against a motion.

Source 000, "Agenda-Driven Attendee Selection", "Voting-eligibility model" and "Facilitator Fallback Chain".
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from parliament.text import brief, did_you_mean, has_word

OVERLAP_PAIRS: Mapping[frozenset[str], int] = {
    frozenset({"musk", "roosevelt"}): 3,  # speed, action
    frozenset({"aurelius", "rogers"}): 2,  # patience, care
    frozenset({"dalio", "musk"}): 2,  # systems, engineering
    frozenset({"jobs", "davinci"}): 2,  # creativity, design
}
"""How much two members think alike (source 000). Counted against a candidate when the other was picked first."""

DEFAULT_FACILITATORS = ("dalio", "davinci")
"""Who presides when the chairman cannot, in this order (source 000, Facilitator Fallback Chain)."""

MAX_SEATS = 25
"""Seats of one meeting (SERVICE_SECURITY 20)."""


class SeatingError(ValueError):
    """A composition or a choice of seats that cannot be seated; the message is one sentence with the mend."""


class Topical(Protocol):
    """What seating reads of an agenda item."""

    @property
    def topic(self) -> str: ...
    @property
    def description(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Seat:
    """What the parliament knows of somebody who may be seated."""

    id: str
    name: str
    voting: bool = True
    aliases: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    interests: tuple[str, ...] = ()


class Composition(BaseModel):
    """Who can attend, and the quorum (source 000, Composition config). The defaults are those of the shipped file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    chairman: str = "aurelius"
    fixed_members: tuple[str, ...] = ("roosevelt", "dalio")
    rotating_pool: tuple[str, ...] = ("davinci", "jobs", "musk", "rogers")
    quorum: int = Field(default=3, ge=1, le=MAX_SEATS)
    max_attendees: int = Field(default=5, ge=1, le=MAX_SEATS)
    facilitators: tuple[str, ...] = DEFAULT_FACILITATORS
    second_required: bool = True

    @property
    def chain(self) -> tuple[str, ...]:
        """Who presides, first choice first: the chairman, then the facilitators."""
        return tuple(dict.fromkeys((self.chairman, *self.facilitators)))

    @property
    def named(self) -> tuple[str, ...]:
        """Everybody whom the composition may seat, in seating order."""
        return (self.chairman, *self.fixed_members, *self.rotating_pool)

    @property
    def rotating_seats(self) -> int:
        """Seats left for the rotating pool: `max_attendees` less the chairman and the fixed members."""
        return self.max_attendees - 1 - len(self.fixed_members)


def parse_composition(data: Any = None, where: str = "board_config.json") -> Composition:
    """A composition from its decoded JSON; a missing key takes the default, `None` gives the whole default.

    The older single `fixed_member` key is read as `fixed_members` with one entry. Raises SeatingError.
    """
    if data is None:
        return Composition()
    if not isinstance(data, Mapping):
        raise SeatingError(f'{where}: a composition is an object like {{"chairman": …}}, not {type(data).__name__}')
    fields = dict(data)
    if "fixed_member" in fields:
        if "fixed_members" in fields:
            raise SeatingError(f"{where}: has both fixed_member and fixed_members; keep fixed_members")
        one = fields.pop("fixed_member")
        fields["fixed_members"] = [one] if one else []
    for key in fields:
        if key not in Composition.model_fields:
            raise SeatingError(f"{where}: unknown key {brief(str(key))!r}{did_you_mean(str(key), Composition.model_fields)}")
    try:
        composition = Composition.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SeatingError(f"{where}: {key}: {first['msg']}") from None
    _check(composition, where)
    return composition


def _check(composition: Composition, where: str) -> None:
    twice = _first_repeated(composition.named)
    if twice is not None:
        raise SeatingError(f"{where}: {twice!r} is named twice; chairman, fixed_members and rotating_pool share nobody")
    if composition.rotating_seats < 0:
        raise SeatingError(
            f"{where}: max_attendees is {composition.max_attendees}, but the chairman and the fixed members are "
            f"{1 + len(composition.fixed_members)}; raise max_attendees or name fewer fixed members"
        )
    if composition.quorum > min(composition.max_attendees, len(composition.named)):
        raise SeatingError(
            f"{where}: a quorum of {composition.quorum} can never be reached with "
            f"{min(composition.max_attendees, len(composition.named))} seats; lower quorum or raise max_attendees"
        )


def _first_repeated(ids: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for member in ids:
        if member in seen:
            return member
        seen.add(member)
    return None


def theme_scores(text: str, themes: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """For each member, how many of its keywords stand in the text as whole words (each counts once)."""
    return {member: sum(has_word(text, word) for word in dict.fromkeys(words)) for member, words in themes.items()}


def select_meeting_attendees(
    items: Iterable[Topical], composition: Composition, themes: Mapping[str, Sequence[str]]
) -> list[str]:
    """`[chairman, *fixed_members, rotating_1, rotating_2]` for an agenda (source 000, Selection algorithm).

    The first rotating seat goes to the pool's top scorer by theme; ties by member id. For each later seat, a candidate
    loses its overlap with the *first* pick (OVERLAP_PAIRS), then the highest adjusted score wins. With another
    `max_attendees` there are as many rotating seats as it leaves; a pool too small leaves seats empty.
    """
    text = " ".join(f"{item.topic} {item.description}" for item in items).lower()
    scores = theme_scores(text, {member: themes.get(member, ()) for member in composition.rotating_pool})
    picked: list[str] = []
    while len(picked) < min(composition.rotating_seats, len(scores)):
        first = picked[:1]
        adjusted = {
            member: score - sum(OVERLAP_PAIRS.get(frozenset({member, other}), 0) for other in first)
            for member, score in scores.items()
            if member not in picked
        }
        picked.append(min(adjusted, key=lambda member: (-adjusted[member], member)))
    return [composition.chairman, *composition.fixed_members, *picked]


def resolve_member(name: str, roster: Sequence[Seat]) -> str | None:
    """The id of the member called so, by id or alias, with or without "@", in any case; None when nobody is."""
    wanted = name.strip().removeprefix("@").lower()
    for seat in roster:
        if wanted == seat.id:
            return seat.id
    for seat in roster:
        if wanted in (alias.lower() for alias in seat.aliases):
            return seat.id
    return None


def seats_for(
    spec: str | Sequence[str], items: Iterable[Topical], composition: Composition, roster: Sequence[Seat]
) -> tuple[str, ...]:
    """The seated members' ids, the chairman first when seated.

    `spec`: "auto" (chosen by the agenda's themes), "all" (the whole roster), or ids or aliases, as a sequence or
    separated by commas; those keep their order after the chairman. Raises SeatingError for an unknown or repeated
    seat, for more than MAX_SEATS, and for fewer voting seats than the quorum.
    """
    if isinstance(spec, str) and spec.strip().lower() == "auto":
        seated = select_meeting_attendees(items, composition, {seat.id: seat.themes for seat in roster})
        for member in seated:
            if resolve_member(member, roster) != member:
                raise SeatingError(
                    f"the composition seats {member!r}, but no persona has that id; add its file or change the composition"
                )
    elif isinstance(spec, str) and spec.strip().lower() == "all":
        seated = [seat.id for seat in roster]
    else:
        names = spec.split(",") if isinstance(spec, str) else list(spec)
        seated = _named_seats([name for name in names if name.strip()], roster)
    if composition.chairman in seated:
        seated = [composition.chairman, *(member for member in seated if member != composition.chairman)]
    if len(seated) > MAX_SEATS:
        raise SeatingError(f"{len(seated)} seats are more than the limit of {MAX_SEATS}; name fewer")
    votes = {seat.id for seat in roster if seat.voting}
    voters = sum(member in votes for member in seated)
    if voters < composition.quorum:
        raise SeatingError(
            f"{voters} voting {'seat is' if voters == 1 else 'seats are'} fewer than the quorum of {composition.quorum}; "
            f"name at least {composition.quorum} voting members"
        )
    return tuple(seated)


def _named_seats(names: Sequence[str], roster: Sequence[Seat]) -> list[str]:
    seated: list[str] = []
    known = [name for seat in roster for name in (seat.id, *seat.aliases)]
    for name in names:
        member = resolve_member(name, roster)
        if member is None:
            hint = did_you_mean(name.strip().removeprefix("@"), known)
            ids = ", ".join(seat.id for seat in roster)
            raise SeatingError(f"no member is called {brief(name)!r}{hint}; the members are {ids}")
        if member in seated:
            raise SeatingError(f"{member!r} is named twice among the seats; name each member once")
        seated.append(member)
    return seated


def presiding_order(
    chain: Sequence[str], seated: Sequence[str], present: Collection[str], voters: Collection[str] | None = None
) -> tuple[str, ...]:
    """Who may preside, first choice first: those of the chain who are seated and present, then the other present voters
    in seating order (DESIGN, Fallback chair). `voters` defaults to everybody seated."""
    votes = seated if voters is None else voters
    chosen = [member for member in chain if member in seated and member in present]
    chosen += [member for member in seated if member in present and member in votes]
    return tuple(dict.fromkeys(chosen))


def choose_presider(
    chain: Sequence[str],
    seated: Sequence[str],
    present: Collection[str],
    healthy: Collection[str],
    voters: Collection[str] | None = None,
) -> str | None:
    """The first of `presiding_order` who passed the health check; None when nobody can preside."""
    return next((member for member in presiding_order(chain, seated, present, voters) if member in healthy), None)


def choose_dissenter(motion_text: str, members: Sequence[Seat], exclude: Collection[str] = ()) -> str | None:
    """The member asked to argue against a motion: the one whose themes are furthest from it.

    Of the voting members not excluded (the mover always is), it is the one with the fewest themes in the motion's text,
    then the fewest interests; among equals, the smallest digest of motion and member, so that equal distance does not
    fall on the same member in every meeting. The same motion and members always give the same dissenter. None when
    nobody is left.
    """

    def distance(seat: Seat) -> tuple[int, int, str]:
        near = theme_scores(motion_text, {"themes": seat.themes, "interests": seat.interests})
        digest = hashlib.sha256(f"{motion_text}\0{seat.id}".encode("utf-8", "replace")).hexdigest()
        return near["themes"], near["interests"], digest

    candidates = [seat for seat in members if seat.voting and seat.id not in exclude]
    return min(candidates, key=distance).id if candidates else None
