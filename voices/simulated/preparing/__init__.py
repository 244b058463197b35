"""The simulated chairman before a meeting: it drafts an agenda from the board book, revises it, and talks it over.

`book` reads the board book, `drafting` makes items of it, `wishes` reads what a person asks for, `revising` and `talking` do
it, `manner` has each lens say it, `forms` gives the answer its wire form and its faults.
"""

from voices.simulated.preparing.forms import answer_agenda

__all__ = ["answer_agenda"]
