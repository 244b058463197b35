"""Simulated directors: they read the proposal that is there, each for its own domain, and say what is in it and what is not."""

from voices.simulated.directors.speaking import answer_director

__all__ = ["answer_director"]
