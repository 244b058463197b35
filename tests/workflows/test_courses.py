"""Whole meetings on the real server, each through another course of the rules of order, and what stands in the record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from parliament.record import MeetingRecord
from parliament.values import Disposition, EndedBy, ItemStatus, ItemType, MeetingStatus, Vote
from records import turns
from tests.support.meetings import House, agenda
from tests.support.messages_service import MOTION, Behaviour

Messages = tuple[str, Behaviour]

AMENDED = MOTION.replace("ten minutes", "twenty minutes")
AMENDED_AGAIN = MOTION.replace("ten minutes", "fifteen minutes")


def said(record: MeetingRecord, key: str) -> bool:
    """Whether the clerk said something of this kind; its lines are in `record` through `texts`."""
    return key in record.warnings


async def clerk(board: House, meeting_id: str) -> list[tuple[str, str]]:
    """(key, words) of the clerk's lines."""
    async with board.store.read() as tx:
        return [(t.purpose, t.text) for t in await turns.transcript(tx, meeting_id) if t.member_id == "clerk"]


async def test_a_motion_is_adopted_and_everything_of_it_is_on_the_record(board: House) -> None:
    record = await board.hold("Should I walk more?")
    assert record.status is MeetingStatus.COMPLETED
    assert record.ended_by is EndedBy.AGENDA
    (motion,) = record.motions
    assert (motion.text, motion.status, motion.proposed_by) == (MOTION, Disposition.ADOPTED, "aurelius")
    assert motion.seconded_by in {"roosevelt", "dalio", *(m.id for m in record.members)} - {"aurelius"}
    assert motion.ballots[0].votes == dict.fromkeys((m.id for m in record.members), Vote.FOR)
    (resolution,) = record.resolutions
    assert resolution.id == f"RES-{record.id}-1"
    assert resolution.motion_id == f"MOT-{record.id}-agenda-1"
    assert record.items[0].status is ItemStatus.DONE
    assert record.present == tuple(m.id for m in record.members)
    async with board.store.read() as tx:
        lines = await turns.transcript(tx, record.id)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert len(lines) == len({line.id for line in lines})


async def test_a_motion_is_lost_and_the_dissents_stay(board: House, messages: Messages) -> None:
    messages[1].replies["/vote/.*(jobs|musk|dalio|davinci|rogers)$"] = {
        "vote": "AGAINST",
        "dissent": "It is not enough by far.",
    }
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.LOST
    assert {d.statement for d in record.resolutions[0].dissents} == {"It is not enough by far."}
    assert len(record.resolutions[0].dissents) == 3
    assert not record.actions


async def test_a_tie_is_lost_and_said_to_be_one(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/vote/.*/roosevelt$": {"vote": "AGAINST", "dissent": "No."},
        "/vote/.*/dalio$": {"vote": "AGAINST", "dissent": "No."},
        "/vote/.*/aurelius$": {"vote": "ABSTAIN"},
    }
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.TIED
    assert ("vote", "The motion: 2 for, 2 against, 1 abstaining. A tie: it is lost.") in await clerk(board, record.id)


async def test_a_motion_without_a_second_dies(board: House, messages: Messages) -> None:
    messages[1].replies["/second/"] = {"second": False}
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.UNSECONDED
    assert record.motions[0].seconded_by is None
    assert record.motions[0].ballots == ()
    assert not any("/vote/" in call for call in messages[1].calls)


async def test_an_amendment_without_objection_changes_what_is_voted_on(board: House, messages: Messages) -> None:
    messages[1].replies["/debate/.*/dalio$"] = {"amendment": {"text": AMENDED, "summary": "twenty for ten"}}
    record = await board.hold("Should I walk more?")
    motion = record.motions[0]
    assert (motion.text, motion.original_text) == (AMENDED, MOTION)
    assert motion.amendments[0].status is Disposition.ADOPTED
    assert motion.amendments[0].by_consent
    assert AMENDED in str(messages[1].requests[[c.split("/")[2] for c in messages[1].calls].index("vote")])


async def test_a_contested_amendment_is_seconded_and_voted_on(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"amendment": {"text": AMENDED, "summary": "twenty for ten"}},
        "/amendment/.*/roosevelt$": {"position": "SUPPORT"},
        "/amendment/.*/aurelius$": {"position": "OBJECT"},
        "/vote/AMD": {"vote": "AGAINST"},
        "/vote/AMD.*/dalio$": {"vote": "FOR"},
    }
    record = await board.hold("Should I walk more?")
    motion = record.motions[0]
    assert motion.amendments[0].status is Disposition.LOST
    assert motion.amendments[0].seconder == "roosevelt"
    assert len(motion.amendments[0].ballots) == 1
    assert (motion.text, motion.original_text, motion.status) == (MOTION, None, Disposition.ADOPTED)


async def test_an_amendment_to_the_amendment_is_settled_first(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"amendment": {"text": AMENDED, "summary": "twenty for ten"}},
        "/amendment/AMD[^/]*/1/roosevelt$": {"position": "SUPPORT", "amendment": {"text": AMENDED_AGAIN, "summary": "fifteen"}},
    }
    record = await board.hold("Should I walk more?")
    first, second = sorted(record.motions[0].amendments, key=lambda a: a.degree)
    assert second.target_id == first.id
    assert second.status is Disposition.ADOPTED
    assert record.motions[0].text == AMENDED_AGAIN


async def test_a_motion_is_tabled_without_objection(board: House, messages: Messages) -> None:
    messages[1].replies["/debate/.*/dalio$"] = {"procedural": "lay_on_table"}
    record = await board.hold("Should I walk more?")
    main = next(m for m in record.motions if m.kind == "main")
    assert main.status is Disposition.TABLED
    assert record.items[0].status is ItemStatus.TABLED


async def test_tabling_takes_a_vote_when_a_member_objects(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"procedural": "lay_on_table"},
        "/consent/.*/roosevelt$": {"objection": True},
        "/vote/LAY_ON_TABLE": {"vote": "AGAINST"},
    }
    record = await board.hold("Should I walk more?")
    kinds = {m.kind: m.status for m in record.motions}
    assert kinds == {"main": Disposition.ADOPTED, "lay_on_table": Disposition.LOST}


async def test_the_previous_question_takes_two_thirds(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"procedural": "previous_question"},
        "/vote/PREVIOUS_QUESTION.*/(roosevelt|aurelius)$": {"vote": "AGAINST"},
    }
    record = await board.hold("Should I walk more?")
    question = next(m for m in record.motions if m.kind == "previous_question")
    assert question.ballots[0].threshold == "two_thirds"
    assert question.status is Disposition.LOST  # 3 for, 2 against


async def test_the_mover_withdraws_with_consent(board: House, messages: Messages) -> None:
    messages[1].replies["/debate/.*/aurelius$"] = {"procedural": "withdraw"}
    record = await board.hold("Should I walk more?")
    assert next(m for m in record.motions if m.kind == "main").status is Disposition.WITHDRAWN


async def test_nobody_else_can_withdraw_a_motion(board: House, messages: Messages) -> None:
    messages[1].replies["/debate/.*/dalio$"] = {"procedural": "withdraw"}
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.ADOPTED


async def test_a_point_well_taken_takes_the_motion_from_the_floor(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"point_of_order": "The motion is outside of this board's powers."},
        "/ruling/": {"well_taken": True, "remedy": "out_of_order"},
    }
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.OUT_OF_ORDER
    assert [(r.kind, r.result) for r in record.rulings] == [("point_of_order", ""), ("ruling", "well taken")]


@pytest.mark.parametrize("fault", ["400", "text"])
async def test_law_08_a_ruling_that_does_not_come_is_no_ruling(board: House, messages: Messages, fault: str) -> None:
    messages[1].replies["/debate/.*/dalio$"] = {"point_of_order": "The motion is outside of this board's powers."}
    messages[1].faults.append({"match": "/ruling/", "fault": fault, "text": "Well, well."})
    record = await board.hold("Should I walk more?")
    assert record.motions[0].status is Disposition.ADOPTED
    assert any(key == "no_ruling" for key, _ in await clerk(board, record.id))
    assert not any("/appeal/" in call for call in messages[1].calls)
    if fault == "400":
        assert record.chair != record.chair_named or record.motions[0].ballots[0].votes["aurelius"] is Vote.ABSENT


async def test_what_the_shareholder_says_at_the_vote_is_settled_before_the_ballot_opens(
    board: House, messages: Messages
) -> None:
    """The chair's answer to it fails, so its seat is absent when the roll is frozen and not in the middle of the vote."""
    messages[1].faults += [
        {"match": "/debate/.*/dalio$", "fault": None, "delay": 2.0},
        {"match": "/input/", "fault": "400"},
    ]
    handle = await board.open("Should I walk more?")

    async def debating() -> bool:
        return any("/debate/" in call for call in messages[1].calls)

    await board.until(debating, "the debate")
    from clerk import running

    await running.say(board.client, board.store, handle.id, "And my knee?")
    await asyncio.wait_for(handle.result(), 60)
    record = await board.record(handle.id)
    assert record.motions[0].ballots[0].votes["aurelius"] is Vote.ABSENT
    assert record.motions[0].status is Disposition.ADOPTED


async def test_an_appeal_reverses_the_ruling_only_by_a_majority_against_the_chair(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/debate/.*/dalio$": {"point_of_order": "The motion is outside of this board's powers."},
        "/ruling/": {"well_taken": True, "remedy": "out_of_order"},
        "/appeal/.*/(roosevelt|dalio)$": {"appeal": True},
        "/vote/APPEAL.*": {"vote": "AGAINST"},
    }
    record = await board.hold("Should I walk more?")
    main = next(m for m in record.motions if m.kind == "main")
    assert main.status is Disposition.ADOPTED
    assert ("appeal", "reversed") in [(r.kind, r.result) for r in record.rulings]


async def test_an_item_that_is_not_for_decision_is_talked_round_the_table(board: House, messages: Messages) -> None:
    record = await board.hold(agenda("How the spring went", type=ItemType.REVIEW))
    assert record.motions == ()
    assert record.items[0].status is ItemStatus.DONE
    spoken = [call.split("/")[-1] for call in messages[1].calls if "/discussion/" in call]
    assert sorted(spoken) == sorted(m.id for m in record.members)
    # Sighted: each who speaks has heard those before.
    prompts = [str(r) for c, r in zip(messages[1].calls, messages[1].requests, strict=True) if "/discussion/" in c]
    assert f"As {spoken[3]} I speak" in prompts[4]
    assert any("/summary/" in call for call in messages[1].calls)


async def test_a_round_is_blind(board: House, messages: Messages) -> None:
    await board.hold("Should I walk more?")
    for call, request in zip(messages[1].calls, messages[1].requests, strict=True):
        if "/discussion/" in call:
            assert "I speak to the discussion" not in str(request)
        if "/motion/" in call:
            assert str(request).count("I speak to the discussion") == 5


@pytest.mark.parametrize("times", [1, 2])
async def test_a_placeholder_motion_is_asked_again_once_and_then_the_item_is_skipped(
    board: House, messages: Messages, times: int
) -> None:
    messages[1].faults.append({"match": "/motion/", "fault": "placeholder_motion", "times": times})
    record = await board.hold("Should I walk more?")
    if times == 1:
        assert record.motions[0].status is Disposition.ADOPTED
    else:
        assert record.motions == ()
        assert record.items[0].status is ItemStatus.SKIPPED
        assert record.items[0].why
        assert any(key == "skipped" for key, _ in await clerk(board, record.id))
        history = await board.client.get_workflow_handle(record.id).fetch_history()
        assert b"[person]" not in b"".join(event.SerializeToString() for event in history.events)  # law 6


async def test_law_13_the_deadline_ends_a_meeting_in_order(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "agenda-1/debate/", "fault": "hang"})
    record = await board.hold(agenda("Should I walk?", "Should I swim?"), deadline=3.0)
    assert (record.status, record.ended_by) == (MeetingStatus.COMPLETED, EndedBy.DEADLINE)
    assert [item.status for item in record.items] == [ItemStatus.UNFINISHED, ItemStatus.UNFINISHED]
    assert record.motions[0].status is Disposition.FELL
    assert [(a.origin, a.task) for a in record.actions] == [
        ("unfinished", "Take up again: Should I walk?"),
        ("unfinished", "Take up again: Should I swim?"),
    ]
    assert any("/closing/" in call for call in messages[1].calls)
    async with board.store.read() as tx:
        lines = await turns.transcript(tx, record.id)
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert {line.status for line in lines if line.purpose == "debate"} == {"no_reply"}


async def test_law_13_an_empty_purse_ends_a_meeting_in_order(board: House) -> None:
    record = await board.hold(agenda("Should I walk?", "Should I swim?"), rules={"budget_calls": 20})
    assert (record.status, record.ended_by) == (MeetingStatus.COMPLETED, EndedBy.BUDGET)
    assert record.items[1].status is ItemStatus.UNFINISHED


async def test_a_phase_that_takes_too_long_goes_on_without_who_has_not_spoken(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/discussion/.*/dalio$", "fault": "hang"})
    record = await board.hold("Should I walk more?", rules={"phase_deadline": 2.0})
    assert record.motions[0].status is Disposition.ADOPTED
    assert record.motions[0].ballots[0].votes["dalio"] is Vote.ABSENT


async def test_a_lost_quorum_waits_and_every_absentee_is_asked_again(board: House, messages: Messages) -> None:
    silent = {"match": "/roll_call/.*/1/(dalio|roosevelt|davinci|musk|jobs|rogers)$", "fault": "400"}
    messages[1].faults.append(silent)
    handle = await board.open("Should I walk more?")

    async def lost() -> bool:
        return (await board.record(handle.id)).status is MeetingStatus.QUORUM_LOST

    await board.until(lost, "the quorum is lost")
    assert len((await board.record(handle.id)).absent) == 4
    await handle.signal("resume")
    await asyncio.wait_for(handle.result(), 60)
    record = await board.record(handle.id)
    assert record.status is MeetingStatus.COMPLETED
    again = {call.split("/")[-1] for call in messages[1].calls if "/roll_call/" in call and call.split("/")[-2] == "2"}
    assert len(again) == 4
    assert record.motions[0].status is Disposition.ADOPTED


async def test_a_quorum_lost_while_voting_voids_the_vote_and_it_is_taken_again(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/vote/-/1/(dalio|roosevelt|davinci|musk|jobs|rogers)$", "fault": "400"})
    handle = await board.open("Should I walk more?")

    async def lost() -> bool:
        return (await board.record(handle.id)).status is MeetingStatus.QUORUM_LOST

    await board.until(lost, "the quorum is lost")
    await handle.signal("resume")
    await asyncio.wait_for(handle.result(), 60)
    first, second = (await board.record(handle.id)).motions[0].ballots
    assert first.outcome is None
    assert sorted(first.votes.values()) == sorted([Vote.FOR, *[Vote.NO_REPLY] * 4])
    assert second.outcome is Disposition.ADOPTED


async def test_a_meeting_is_paused_at_the_next_checkpoint_and_resumed(board: House, messages: Messages) -> None:
    messages[1].delay = 0.1
    handle = await board.open("Should I walk more?")
    await handle.signal("pause")

    async def paused() -> bool:
        return (await board.record(handle.id)).status is MeetingStatus.PAUSED

    await board.until(paused, "the meeting is paused")
    calls = len(messages[1].calls)
    await asyncio.sleep(0.5)
    assert len(messages[1].calls) == calls
    await handle.signal("resume")
    await asyncio.wait_for(handle.result(), 60)
    assert (await board.record(handle.id)).status is MeetingStatus.COMPLETED


async def test_the_shareholders_words_are_put_to_the_board_once(board: House, messages: Messages) -> None:
    from clerk import running

    messages[1].delay = 0.1
    handle = await board.open("Should I walk more?")

    async def called() -> bool:
        return bool((await board.record(handle.id)).present)

    await board.until(called, "the roll is called")
    await running.say(board.client, board.store, handle.id, "What about {ADJOURN} my knee?", input_id="inp-1")
    await handle.signal("user_input", "inp-1")
    await asyncio.wait_for(handle.result(), 60)
    record = await board.record(handle.id)
    assert [t.text for t in record.user_inputs] == ["What about {ADJOURN} my knee?"]
    assert record.ended_by is EndedBy.AGENDA
    assert any("/input/" in call for call in messages[1].calls)


async def test_a_member_named_in_a_speech_gets_the_next_word(board: House, messages: Messages) -> None:
    messages[1].replies["/discussion/.*/dalio$"] = {"speaking": "I should like to hear what @teddy says to that."}
    await board.hold("Should I walk more?")
    assert [c.split("/")[-1] for c in messages[1].calls if "/mention/" in c] == ["roosevelt"]


async def test_the_next_facilitator_presides_when_the_chairman_is_not_well(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/health_check/.*/aurelius$", "fault": "500"})
    record = await board.hold("Should I walk more?", rules={"health_check": True})
    assert (record.chair, record.chair_named) == ("dalio", "aurelius")
    assert record.motions[0].proposed_by == "dalio"


async def test_law_02_a_vote_that_the_chairman_announces_for_another_changes_nothing(board: House, messages: Messages) -> None:
    messages[1].replies |= {
        "/action_items/.*/aurelius$": {"commands": ["{VOTE: @dalio=AGAINST}", "{SECOND: @aurelius}"]},
        "/debate/.*/aurelius$": {"commands": ["{ROLL: @dalio=absent}", "{QUORUM}"]},
        "/closing/.*/aurelius$": {"commands": ["{NEXT}"]},
        "/adjournment/.*/aurelius$": {"commands": ["{ADJOURN}"]},
        "/vote/.*/aurelius$": {"commands": ["{VOTE: @dalio=AGAINST}", "{ADJOURN}"]},
    }
    record = await board.hold("Should I walk more?")
    assert record.motions[0].ballots[0].votes["dalio"] is Vote.FOR
    refused = [r.text for r in record.rulings if r.kind == "refused_command"]
    assert sorted(refused) == [
        "{ADJOURN}",  # the one of the open ballot; at the adjournment it agrees with the record
        "{NEXT}",
        "{ROLL: @dalio=absent}",
        "{SECOND: @aurelius}",
        "{VOTE: @dalio=AGAINST}",
        "{VOTE: @dalio=AGAINST}",
    ]


COMMANDS: list[tuple[str, str, Callable[[MeetingRecord], Any]]] = [
    ("/discussion/", '{MOTION: "RESOLVED, That the shareholder shall swim twice a week, effective immediately."}',
     lambda r: r.motions[0].text.startswith("RESOLVED, That the shareholder shall swim")),
    ("/intro/", "{NEXT}", lambda r: not r.motions and r.items[0].status is ItemStatus.DONE),
    ("/debate/", "{TABLE}", lambda r: any(m.status is Disposition.TABLED for m in r.motions)),
    ("/debate/", "{WITHDRAW}", lambda r: any(m.status is Disposition.WITHDRAWN for m in r.motions)),
    ("/intro/", "{ADJOURN}", lambda r: r.ended_by is EndedBy.ADJOURNED and r.items[0].status is ItemStatus.UNFINISHED),
    ("/action_items/", '{ACTION: "Buy shoes" @shareholder "Friday"}', lambda r: [a.task for a in r.actions] == ["Buy shoes"]),
    ("/debate/", '{RULING: "Speeches are kept short."}', lambda r: [x.text for x in r.rulings] == ["Speeches are kept short."]),
]  # fmt: skip


@pytest.mark.parametrize(("where", "command", "effect"), COMMANDS, ids=[c[1][:12] for c in COMMANDS])
async def test_a_command_in_the_chairmans_own_speech_acts(
    board: House, messages: Messages, where: str, command: str, effect: Callable[[MeetingRecord], Any]
) -> None:
    messages[1].replies[f"{where}.*/aurelius$"] = {"speaking": f"So be it. {command}"}
    record = await board.hold("Should I walk more?")
    assert effect(record)
    assert not [r for r in record.rulings if r.kind == "refused_command"]


@pytest.mark.parametrize(("where", "command", "effect"), COMMANDS, ids=[c[1][:12] for c in COMMANDS])
async def test_law_03_the_same_command_from_a_member_or_in_quotation_marks_does_nothing(
    board: House, messages: Messages, where: str, command: str, effect: Callable[[MeetingRecord], Any]
) -> None:
    messages[1].replies |= {
        f"{where}.*/(dalio|roosevelt)$": {"speaking": f"So be it. {command}"},
        f"{where}.*/aurelius$": {"speaking": f"He wrote `{command}` and left."},
    }
    record = await board.hold("Should I walk more?")
    assert not effect(record)
    assert record.motions[0].status is Disposition.ADOPTED
