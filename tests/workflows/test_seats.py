"""Seats without a vote: they speak, and decide nothing (source 000, Voting-eligibility model)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from parliament.values import Disposition
from tests.support.messages_service import Behaviour
from tests.workflows.conftest import anthropic_house

BOARD = Path(__file__).parents[2] / "personas" / "board"


async def test_a_seat_without_a_vote_is_heard_and_not_counted(
    server: str, messages: tuple[str, Behaviour], tmp_path: Path
) -> None:
    personas = tmp_path / "personas"
    shutil.copytree(BOARD, personas)
    jobs = json.loads((personas / "jobs.json").read_text())
    jobs["board"]["voting"] = False
    (personas / "jobs.json").write_text(json.dumps(jobs))
    url, behaviour = messages
    behaviour.replies["/debate/.*/jobs$"] = {"procedural": "lay_on_table"}
    async with anthropic_house(server, tmp_path / "data", url, personas_dir=personas) as board:
        record = await board.hold("Should I walk more?", seats=("aurelius", "dalio", "musk", "jobs"))
    assert record.motions[0].status is Disposition.ADOPTED
    assert sorted(record.motions[0].ballots[0].votes) == ["aurelius", "dalio", "musk"]
    heard = {call.split("/")[2] for call in behaviour.calls if call.endswith("/jobs")}
    assert heard == {"roll_call", "discussion", "debate"}
