"""The secretary after a meeting: prompts for the executive summary and the review, and the readers of its replies."""

from __future__ import annotations

from voices.secretary.prompts import SECRETARY, review_request, summary_request
from voices.secretary.replies import ReadProposals, ReadSummary, read_review, read_summary

__all__ = [
    "SECRETARY",
    "ReadProposals",
    "ReadSummary",
    "read_review",
    "read_summary",
    "review_request",
    "summary_request",
]
