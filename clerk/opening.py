"""Opening a meeting: who sits, with which voices and under which rules, all of it frozen into the record at once.

`plan` decides what can be decided without a store or a network, so that wrong usage is told before anything is started;
`open_meeting` asks the provider and writes the meeting in one transaction. After that no setting and no persona file
changes it (DESIGN, Task queues: frozen by content hash).
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clerk.errors import DeskError
from parliament.agenda import STANDING_ITEMS, Agenda
from parliament.seating import Composition, Seat, SeatingError, seats_for
from parliament.text import is_blank, one_line
from parliament.values import ItemStatus, MeetingStatus
from personas import loader
from personas.loader import Persona
from personas.schema import PersonaError
from settings import PROVIDERS, Settings
from workflows.messages import Rules

if TYPE_CHECKING:
    from records.engine import Store

MAX_NAME = 200
"""Characters of a meeting's name."""
PACES = ("instant", "brisk", "human")
UNNAMED = "Board meeting"
"""The name of a meeting that was given none and has no topic yet."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """What a person asks for when a board is to meet. What is None follows from the settings."""

    agenda: Agenda | None  # None: the chairman is to draft one
    seats: str | tuple[str, ...] = "auto"
    name: str | None = None  # else the first topic
    provider: str | None = None
    seed: int | None = None  # else one is drawn, and recorded
    pace: str = "instant"  # of simulated voices
    faults: str | None = None  # of simulated voices
    deadline: float | None = None  # seconds for the whole meeting
    board_book: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A request whose seats are chosen and whose values are checked: nothing of it can be wrong usage any more."""

    request: OpenRequest
    name: str
    seated: tuple[dict[str, Any], ...]  # the members as they are frozen
    facilitators: tuple[str, ...]  # the fallback chain, who is named to preside first
    rules: Rules
    seed: int
    provider: str
    composition: Composition | None = None  # given when the seats are chosen later, at the agenda's approval


@dataclass(frozen=True, slots=True)
class Opened:
    """A meeting that is on the record and ready to start (status PREPARED)."""

    meeting_id: str
    seated: tuple[str, ...]
    simulated: bool
    seed: int


@dataclass(frozen=True, slots=True)
class Board:
    """Everybody who may be seated, and how the board is composed."""

    personas: tuple[Persona, ...]
    composition: Composition

    @property
    def roster(self) -> tuple[Seat, ...]:
        return tuple(persona.seat() for persona in self.personas)

    def frozen(self, member: str, chair: str) -> dict[str, Any]:
        """What a meeting keeps of a member: as it is now, whatever becomes of the persona's file."""
        persona = next(persona for persona in self.personas if persona.id == member)
        return {
            "id": persona.id,
            "name": persona.display_name,
            "role": "chairman" if persona.id == chair else "member",
            "perspective": persona.perspective,
            "themes": list(persona.themes),
            "interests": list(persona.interests),
            "aliases": list(persona.aliases),
            "voting": persona.voting,
            "instructions": persona.instructions,
            "content_hash": persona.content_hash,
        }


def load_board(settings: Settings) -> Board:
    """The personas and the composition that the settings name. DeskError in one sentence when they cannot be used."""
    try:
        personas = loader.load_board(settings.personas_dir)
        return Board(personas, loader.load_composition(settings.composition, personas))
    except (PersonaError, SeatingError) as error:
        raise DeskError(sentence_of(error), usage=True) from None


def members(settings: Settings) -> list[dict[str, Any]]:
    """Everybody who may be seated, in seating order; `seat` is chairman, fixed, rotating, or "by name"."""
    board = load_board(settings)
    composition = board.composition
    seats = {composition.chairman: "chairman"}
    seats |= dict.fromkeys(composition.fixed_members, "fixed") | dict.fromkeys(composition.rotating_pool, "rotating")
    order = {member: n for n, member in enumerate(composition.named)}
    return [
        {
            "id": persona.id,
            "name": persona.display_name,
            "seat": seats.get(persona.id, "by name"),
            "voting": persona.voting,
            "perspective": persona.perspective,
            "aliases": list(persona.aliases),
            "themes": list(persona.themes),
        }
        for persona in sorted(board.personas, key=lambda persona: (order.get(persona.id, len(order)), persona.id))
    ]


def chain_of(composition: Composition, seated: Sequence[str]) -> tuple[str, ...]:
    """Who presides, first choice first, of those who are seated; the first seat where nobody of the chain is."""
    return tuple(member for member in composition.chain if member in seated) or tuple(seated[:1])


def plan(settings: Settings, request: OpenRequest) -> Plan:
    """Choose the seats and check every value of the request. Touches no store and no network.

    Raises DeskError in one sentence: an unknown seat, fewer seats than the quorum, a persona file that is none, a faulty
    composition.
    """
    if request.pace not in PACES:
        raise DeskError(f"{request.pace!r} is not a pace: it is one of {', '.join(PACES)}.", usage=True)
    board = load_board(settings)
    try:
        # Without an agenda nobody can be chosen for it: the whole pool is frozen, and the approval chooses among them.
        later = request.agenda is None and request.seats == "auto"
        items = request.agenda.items if request.agenda is not None else ()
        seated = seats_for("all" if later else request.seats, items, board.composition, board.roster)
    except SeatingError as error:
        raise DeskError(sentence_of(error), usage=True) from None
    name = one_line(request.name if request.name is not None else items[0].topic if items else UNNAMED)
    if is_blank(name):
        raise DeskError("The name of the meeting is empty: leave --name out to have it named by its first topic.", usage=True)
    chain = chain_of(board.composition, seated)
    return Plan(
        request=request,
        name=name if len(name) <= MAX_NAME else name[: MAX_NAME - 1].rstrip() + "…",
        seated=tuple(board.frozen(member, chain[0]) for member in seated),
        facilitators=chain,
        rules=rules_of(settings, board.composition, request.deadline),
        seed=seed_of(request.seed),
        provider=provider_of(settings, request.provider),
        composition=board.composition if later else None,
    )


def sentence_of(error: Exception) -> str:
    """An error's message as a sentence."""
    text = str(error)
    # A persona's error begins with a file's name or a folder's, which stays as it is; so does a member's id.
    if not isinstance(error, PersonaError) and text.partition(" ")[0].isalpha():
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def seed_of(given: int | None) -> int:
    """The given seed, else a drawn one: either way it is recorded, and the same meeting can be held again."""
    if given is None:
        return secrets.randbelow(2**31)
    if not 0 <= given < 2**63:
        raise DeskError(f"{given} is not a seed: it is a whole number from 0 to 2^63 - 1.", usage=True)
    return given


def rules_of(settings: Settings, composition: Composition, deadline: float | None = None) -> Rules:
    """The rules that govern a meeting opened now: every rule that is a setting has its value, then the composition's."""
    rules: dict[str, Any] = {"quorum": composition.quorum, "second_required": composition.second_required}
    rules |= {name: getattr(settings, name) for name in Rules.model_fields if hasattr(settings, name)}
    if deadline is not None:
        rules["meeting_deadline"] = deadline
    return Rules(**rules)


def provider_of(settings: Settings, given: str | None) -> str:
    """The provider's name, "auto" resolved: anthropic where a key is set, else simulated."""
    name = given if given is not None else settings.provider
    if name not in PROVIDERS:
        raise DeskError(f"{name!r} is not a provider: it is one of {', '.join(PROVIDERS)}.", usage=True)
    if name == "auto":
        return "anthropic" if settings.anthropic_api_key is not None else "simulated"
    return name


def content_hash(config: dict[str, Any]) -> str:
    """What was frozen, as one value: the same members, models and rules give the same hash."""
    return hashlib.sha256(json.dumps(config, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def frozen_config(settings: Settings, planned: Plan) -> dict[str, Any]:
    """`meetings.config`: everything that a meeting may not lose or see changed while it runs. No key, no address."""
    config: dict[str, Any] = {
        "provider": planned.provider,
        "pace": planned.request.pace,
        "faults": planned.request.faults if planned.request.faults is not None else settings.simulated_faults,
        "models": {"low": settings.model_low, "mid": settings.model_mid, "high": settings.model_high},
        "tier": settings.tier,
        "members": list(planned.seated),
        "facilitators": list(planned.facilitators),
        "rules": planned.rules.model_dump(mode="json"),
        "designated_dissenter": settings.designated_dissenter,
        "budget_calls": settings.budget_calls,
        "budget_microusd": round(settings.budget_usd * 1_000_000),
    }
    if planned.composition is not None:
        config["composition"] = planned.composition.model_dump(mode="json")
    return config | {"hash": content_hash(config)}


async def check_provider(settings: Settings, planned: Plan) -> bool:
    """`asked_provider` for a planned meeting."""
    return await asked_provider(settings, planned.provider, planned.request.faults, planned.request.pace)


async def asked_provider(settings: Settings, provider: str, faults: str | None, pace: str) -> bool:
    """Ask the provider whether a meeting can be held with it. Returns whether its voices are simulated.

    DeskError in one sentence for a wrong key, a model that is not there, no network.
    """
    from voices.base import VoiceError
    from voices.providers import make_voice

    told = faults if faults is not None else settings.simulated_faults
    chosen = settings.model_copy(update={"provider": provider, "simulated_faults": told})
    try:
        voice = make_voice(chosen, pace=pace)
        try:
            await voice.check((settings.tier,))
        finally:
            await voice.close()
    except VoiceError as error:
        raise DeskError(sentence_of(error)) from None
    return voice.simulated


async def open_meeting(store: Store, settings: Settings, request: OpenRequest | Plan) -> Opened:
    """Put a meeting on the record, ready to start: the meeting and its items in one transaction, or nothing.

    The provider is asked first. Raises DeskError.
    """
    planned = plan(settings, request) if isinstance(request, OpenRequest) else request
    simulated = await check_provider(settings, planned)
    meeting_id = await write_meeting(store, settings, planned, simulated=simulated, status=MeetingStatus.PREPARED)
    seated = tuple(member["id"] for member in planned.seated)
    return Opened(meeting_id=meeting_id, seated=seated, simulated=simulated, seed=planned.seed)


async def write_meeting(
    store: Store,
    settings: Settings,
    planned: Plan,
    *,
    simulated: bool,
    status: MeetingStatus,
    meeting_id: str | None = None,
    **columns: Any,
) -> str:
    """Put a planned meeting on the record in one transaction; its id. `columns`: more of the meeting's own row.

    With a `meeting_id` of the caller's, a meeting that stands under it already is left as it is.
    """
    from records import meetings

    request, agenda = planned.request, planned.request.agenda
    given = meeting_id
    meeting_id = given or f"mtg-{secrets.token_hex(4)}"
    async with store.write() as tx:
        while await meetings.find(tx, meeting_id) is not None:
            if given is not None:
                return given
            meeting_id = f"mtg-{secrets.token_hex(4)}"
        await meetings.create(
            tx,
            id=meeting_id,
            kind="board",
            name=planned.name,
            status=status.value,
            quorum=planned.rules.quorum,
            chair=planned.facilitators[0],
            chair_named=planned.facilitators[0],
            zone=settings.zone,
            seed=planned.seed,
            simulated=simulated,
            provider=planned.provider,
            config=frozen_config(settings, planned),
            attendees=[member["id"] for member in planned.seated],
            standing_items=list(agenda.standing_items if agenda is not None else STANDING_ITEMS),
            user_feedback=agenda.user_feedback if agenda is not None else "",
            board_book=request.board_book,
            created_at=datetime.now(UTC),
            items=[
                {
                    "number": number,
                    **item.model_dump(mode="json"),
                    "status": ItemStatus.PENDING.value,
                    "why": "",
                }
                for number, item in enumerate(agenda.items if agenda is not None else (), 1)
            ],
            **columns,
        )
    return meeting_id
