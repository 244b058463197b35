"""What is decided before anything is started: seats, rules, seed and names, and what is frozen of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clerk.errors import DeskError, checked_id
from clerk.opening import OpenRequest, Plan, frozen_config, members, plan
from parliament.agenda import agenda_from_topics
from settings import Settings
from workflows.messages import Rules

LISBON = agenda_from_topics(["Should I take the job in Lisbon?"])


def planned(settings: Settings, **request: Any) -> Plan:
    return plan(settings, OpenRequest(agenda=request.pop("agenda", LISBON), **request))


def seats(found: Plan) -> list[str]:
    return [member["id"] for member in found.seated]


def test_the_board_of_source_000_is_seated(settings: Settings) -> None:
    found = planned(settings, agenda=agenda_from_topics(["User experience and engineering scale of the app"]))
    assert seats(found)[:3] == ["aurelius", "roosevelt", "dalio"]
    assert len(seats(found)) == 5
    assert len(seats(planned(settings, seats="all"))) == 7
    assert seats(planned(settings, seats="steve, @elon,teddy")) == ["jobs", "musk", "roosevelt"]


def test_who_presides_is_the_first_of_the_chain_who_is_seated(settings: Settings) -> None:
    found = planned(settings, seats="davinci,dalio,jobs")
    assert found.facilitators == ("dalio", "davinci")
    assert [member["role"] for member in found.seated] == ["member", "chairman", "member"]
    nobody = planned(settings, seats="jobs,musk,rogers")
    assert nobody.facilitators == ("jobs",)
    assert nobody.seated[0]["role"] == "chairman"


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"seats": "aurelius,dalio,nobody"}, "'nobody'"),
        ({"seats": "aurelius,dalio"}, "quorum of 3"),
        ({"seats": ""}, "quorum of 3"),
        ({"pace": "fast"}, "'fast'"),
        ({"seed": -1}, "-1"),
        ({"seed": 2**63}, "seed"),
        ({"name": " \u200b"}, "name of the meeting is empty"),
        ({"provider": "oracle"}, "'oracle'"),
    ],
)
def test_wrong_usage_is_one_sentence(settings: Settings, request_: dict[str, Any], said: str) -> None:
    with pytest.raises(DeskError, match=said) as raised:
        planned(settings, **request_)
    assert raised.value.usage
    assert "\n" not in raised.value.message
    assert raised.value.message[0].isupper() or raised.value.message[0] in "'-0123456789"
    assert raised.value.message[-1] in ".?"


def test_a_meeting_without_a_seed_gets_one_of_its_own(settings: Settings) -> None:
    assert planned(settings, seed=42).seed == 42
    assert len({planned(settings).seed for _ in range(5)}) == 5


def test_every_rule_that_is_a_setting_is_taken_from_it(settings: Settings) -> None:
    changed = settings.model_copy(update={"call_timeout": 7.0, "heartbeat": 2.0, "max_amendments": 0, "batch_size": 2})
    rules = planned(changed, deadline=90.0).rules
    assert rules == Rules(
        quorum=3, call_timeout=7.0, heartbeat=2.0, max_amendments=0, batch_size=2, meeting_deadline=90.0,
        health_check=False, second_required=True,
    )  # fmt: skip
    named = set(Rules.model_fields) & set(Settings.model_fields)
    assert len(named) >= 10, "settings and rules share their names"


def test_what_is_frozen_is_whole_and_holds_no_secret(settings: Settings) -> None:
    secret = settings.model_copy(update={"anthropic_api_key": "sk-ant-hidden", "anthropic_base_url": "http://10.0.0.7:1"})
    config = frozen_config(secret, planned(secret, seed=1, faults="slow:musk", pace="brisk"))
    written = json.dumps(config)
    assert "sk-ant-hidden" not in written
    assert "10.0.0.7" not in written
    assert config["provider"] == "simulated"
    assert config["pace"] == "brisk"
    assert config["faults"] == "slow:musk"
    assert set(config["models"]) == {"low", "mid", "high"}
    assert config["members"][0]["id"] == "aurelius"
    assert all(member["instructions"] and member["perspective"] for member in config["members"])
    assert Rules(**config["rules"]).quorum == 3


def test_the_hash_changes_with_what_is_frozen_and_only_with_it(settings: Settings) -> None:
    def hash_of(settings: Settings, **request: Any) -> str:
        return str(frozen_config(settings, planned(settings, **request))["hash"])

    assert hash_of(settings, seed=1) == hash_of(settings, seed=2, name="Other")
    assert hash_of(settings) != hash_of(settings, seats="all")
    assert hash_of(settings) != hash_of(settings, deadline=60.0)
    assert hash_of(settings) != hash_of(settings.model_copy(update={"model_mid": "other"}))


def test_members_are_told_with_their_seats(settings: Settings) -> None:
    found = members(settings)
    assert [(member["id"], member["seat"]) for member in found] == [
        ("aurelius", "chairman"),
        ("roosevelt", "fixed"),
        ("dalio", "fixed"),
        ("davinci", "rotating"),
        ("jobs", "rotating"),
        ("musk", "rotating"),
        ("rogers", "rotating"),
    ]


@pytest.mark.parametrize(
    "wrong", ["", "mtg-", "mtg-1234/abcd", "mtg-..", "mtg-%00", "mtg-1234abcd\n", f"mtg-{'a' * 97}", "RES-mtg-1234abcd-1", "*"]
)
def test_ids_are_checked_wherever_they_come_in(wrong: str) -> None:
    with pytest.raises(DeskError, match="is not a meeting id"):
        checked_id(wrong)
    assert checked_id("mtg-1234abcd") == "mtg-1234abcd"
    assert checked_id("mtg-abc123") == "mtg-abc123"  # of a record that was brought along
