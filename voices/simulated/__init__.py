"""Simulated voices: they hold the whole meeting offline, in persona and on topic, from a seed.

`topic` reads what an item is about, `domains` knows the field, `personas` lend their sentences, `stance` says what each thinks,
`drafting` writes motions, `member` and `presiding` compose what is said, `forms` gives it the wire form, `voice` speaks it.
"""

from __future__ import annotations

from voices.simulated.voice import PACES, SimulatedVoice, answer

__all__ = ["PACES", "SimulatedVoice", "answer"]
