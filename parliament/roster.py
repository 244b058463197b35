"""Who can be named with @: ids, aliases and display names of the seats, each leading to one id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from parliament.values import SECRETARY, SHAREHOLDER

_TOKEN = re.compile(r"\w+(?:-\w+)*")


def _key(name: str) -> str:
    """`Ray Dalio`, `ray_dalio` and `@RayDalio` are one name: letters and digits count, case does not."""
    return "".join(c for c in name.casefold() if c.isalnum())


@dataclass(frozen=True)
class RosterEntry:
    """One seat: its member id, display name, and the aliases its persona goes by (`steve`, `elon`)."""

    id: str
    name: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Roster:
    """The seats of a meeting as names. Raises ValueError when two seats share an id.

    Ids win over aliases, aliases over display names; a name that two seats share on the same footing names nobody. The
    shareholder and the secretary can always be named: they own action items (source 000, Action Items).
    """

    members: tuple[RosterEntry, ...] = ()

    def __post_init__(self) -> None:
        ids = [entry.id for entry in self.members]
        for member in ids:
            if ids.count(member) > 1:
                raise ValueError(f"Two seats share the id {member!r}; give each seat its own.")

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(entry.id for entry in self.members)

    @cached_property
    def _names(self) -> dict[str, str | None]:
        names: dict[str, str | None] = {_key(SHAREHOLDER): SHAREHOLDER, _key(SECRETARY): SECRETARY}
        by_id = [(entry.id, entry.id) for entry in self.members]
        by_alias = [(alias, entry.id) for entry in self.members for alias in entry.aliases]
        by_display_name = [(entry.name, entry.id) for entry in self.members]
        for footing in (by_id, by_alias, by_display_name):
            found: dict[str, set[str]] = {}
            for name, member in footing:
                if key := _key(name):
                    found.setdefault(key, set()).add(member)
            for key, members in found.items():
                names.setdefault(key, next(iter(members)) if len(members) == 1 else None)
        return names

    @cached_property
    def _several_words(self) -> tuple[str, ...]:
        """Names written with spaces, longest first: `@Marcus Aurelius` is one name."""
        names = {name for entry in self.members for name in (entry.name, *entry.aliases) if len(name.split()) > 1}
        return tuple(sorted(names, key=lambda name: (-len(name), name)))

    def resolve(self, name: str) -> str | None:
        """The id that `name` (with or without its @) stands for; None when it is nobody's, or not one member's alone."""
        return self._names.get(_key(name))

    def read(self, text: str, at: int, limit: int | None = None) -> tuple[str | None, str, int]:
        """Read the name that stands at `at` (after its @): the id or None, the name as written, and where it ends."""
        limit = len(text) if limit is None else limit
        for name in self._several_words:
            end = at + len(name)
            written = text[at:end]
            if end <= limit and written.casefold() == name.casefold() and not text[end : end + 1].isalnum():
                return self.resolve(name), written, end
        token = _TOKEN.match(text, at, limit)
        if token is None:
            return None, "", at
        return self.resolve(token[0]), token[0], token.end()
