"""The simulated secretary: a summary and a review in plain English, from the brief and the seed alone."""

from voices.simulated.secretary.writing import answer_secretary

__all__ = ["answer_secretary"]
