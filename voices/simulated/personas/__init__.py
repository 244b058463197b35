"""The personas that the simulated provider can play, and a plain speaker for any other persona file."""

from __future__ import annotations

from voices.base import MemberBrief
from voices.simulated.personas.aurelius import AURELIUS
from voices.simulated.personas.base import Persona, Temper
from voices.simulated.personas.dalio import DALIO
from voices.simulated.personas.davinci import DAVINCI
from voices.simulated.personas.jobs import JOBS
from voices.simulated.personas.musk import MUSK
from voices.simulated.personas.plain import plain_speaker
from voices.simulated.personas.rogers import ROGERS
from voices.simulated.personas.roosevelt import ROOSEVELT

__all__ = ["KNOWN", "Persona", "Temper", "persona_of"]

KNOWN: dict[str, Persona] = {
    "aurelius": AURELIUS,
    "dalio": DALIO,
    "davinci": DAVINCI,
    "jobs": JOBS,
    "musk": MUSK,
    "rogers": ROGERS,
    "roosevelt": ROOSEVELT,
}


def persona_of(member: MemberBrief) -> Persona:
    """The persona that plays this member: by id, else a plain speaker tempered by its perspective and themes."""
    return KNOWN.get(member.id) or plain_speaker(member)
