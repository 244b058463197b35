"""The OpenAPI description is complete and true: schemathesis asks everything, and gets nothing that is not written there."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from jsonschema_rs import validator_for
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

from api.app import make_app
from clerk import access
from parliament.agenda_changes import OPERATIONS
from settings import Settings
from tests.api.conftest import BOARD, Door
from tests.support import stores

SCHEMA = make_app(None, None, Settings()).app.openapi()
CHECKED = (
    checks.status_code_conformance,  # 500 is documented nowhere, 503 is
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
)
MEETING = "mtg-00000001"


def test_every_model_has_an_example_and_the_example_is_one() -> None:
    models = {name: model for name, model in SCHEMA["components"]["schemas"].items() if "enum" not in model}
    assert len(models) > 30
    for name, model in models.items():
        assert model.get("examples"), f"{name} has no example"
        validator = validator_for({**model, "components": SCHEMA["components"]})
        for example in model["examples"]:
            validator.validate(example)
    assert {model["properties"]["op"]["const"] for model in models.values() if "op" in model.get("properties", {})} == set(
        OPERATIONS
    )


def test_every_operation_says_what_can_become_of_it() -> None:
    for path, operations in SCHEMA["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], f"{method} {path} has no summary"
            assert {"401", "403", "404", "409", "413", "415", "421", "422", "429", "503"} <= set(operation["responses"])
            done = [status for status in operation["responses"] if status.startswith("2")]
            assert done, f"{method} {path} never succeeds"
    assert "HTTPValidationError" not in SCHEMA["components"]["schemas"]


def ask_everything(door: Door, meeting: Callable[[], str], examples: int, skip: tuple[str, ...] = ()) -> Counter[int]:
    """Ask every operation for right and wrong things, half of the time about a meeting that is there; counts the answers."""
    schema = schemathesis.openapi.from_dict(SCHEMA)
    answers: Counter[int] = Counter()
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.label in skip:
            continue
        here = meeting()
        kinds = [operation.as_strategy(generation_mode=GenerationMode.POSITIVE)]
        if operation.body or operation.path_parameters or operation.query or operation.headers:
            kinds.append(operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))

        @seed(7)
        @settings(
            max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck),
            phases=[phase for phase in settings().phases if phase.name in ("explicit", "generate")],
        )  # fmt: skip
        @given(case=st.one_of(kinds), known=st.booleans())
        def ask(case: Any, known: bool) -> None:
            if known and "meeting_id" in (case.path_parameters or {}):
                case.path_parameters["meeting_id"] = here  # noqa: B023  it runs before the next one is there
            sent = {"Authorization": f"Bearer {door.secrets['all']}", "Origin": door.url}
            answer = case.call(base_url=door.url, headers=sent)
            answers[answer.status_code] += 1
            case.validate_response(answer, checks=CHECKED)
            assert answer.status_code < 500 or answer.status_code == 503

        ask()
    return answers


async def all_scopes(door: Door) -> None:
    door.secrets["all"] = (await access.create_token(door.store, "all", access.SCOPES))[1]


@pytest.mark.timeout(300)
async def test_nothing_undocumented_comes_back_while_temporal_is_away(lone: Door) -> None:
    await all_scopes(lone)
    async with lone.store.write() as tx:
        await stores.create_meeting(tx, MEETING, status="agenda_draft", agenda_status="draft")
    answers = await asyncio.to_thread(ask_everything, lone, lambda: MEETING, 25)
    assert {200, 404, 409, 422, 503} <= set(answers)
    assert answers[500] == 0


@pytest.mark.server
@pytest.mark.timeout(300)
async def test_nothing_undocumented_comes_back_while_everything_runs(door: Door) -> None:
    await all_scopes(door)
    loop = asyncio.get_running_loop()

    async def create() -> str:
        async with door.http() as http:
            made = await http.post(f"{BOARD}/meetings", json={"items": [{"topic": "Should I walk more?"}]})
            return str(made.json()["id"])

    def fresh() -> str:
        return asyncio.run_coroutine_threadsafe(create(), loop).result(30)

    answers = await asyncio.to_thread(ask_everything, door, fresh, 8, (f"POST {BOARD}/meetings",))
    assert {200, 202, 404, 422} <= set(answers)
    assert answers[500] == answers[503] == 0
