"""What directors of a proposal review are told, and how their replies are read."""

from voices.directors.prompts import max_tokens_for, render
from voices.directors.replies import ReadDirector, read

__all__ = ["ReadDirector", "max_tokens_for", "read", "render"]
