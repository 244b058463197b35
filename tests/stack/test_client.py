"""The client, and servers that are not ours."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes
from temporalio.testing import WorkflowEnvironment

import settings as settings_module
import stack
from settings import Settings
from stack_server import EmbeddedServer, begin_early, temporal_binary
from tests.support.servers import of_directory

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("stack")]


class Inner(BaseModel):
    words: list[str] = []
    n: int = 1


class Message(BaseModel):
    id: str
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()
    maybe: int | None = None


async def test_payloads_leave_out_what_equals_its_default() -> None:
    [payload] = await stack.data_converter.encode([Message(id="m", many=(Inner(n=2), Inner()))])
    assert payload.data == b'{"id":"m","many":[{"n":2},{}]}'
    assert await stack.data_converter.decode([payload], [Message]) == [Message(id="m", many=(Inner(n=2), Inner()))]


async def test_what_was_changed_in_place_is_kept() -> None:
    message = Message(id="m")
    message.inner.words.append("grew")
    assert await stack.data_converter.decode(await stack.data_converter.encode([message]), [Message]) == [message]


async def test_the_embedded_server_keeps_closed_histories_for_ninety_days(data_dir: Path) -> None:
    for _ in range(2):  # the second time on the same file
        server = await EmbeddedServer.join(data_dir)
        client = await stack.connect_embedded(server)
        await stack.keep_closed_histories(client)
        found = await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace="default"))
        assert found.config.workflow_execution_retention_ttl.ToTimedelta() == timedelta(days=90)
        await server.leave()


async def test_the_embedded_server_knows_the_search_attributes_from_its_start(data_dir: Path) -> None:
    async with stack.connect(Settings(data_dir=data_dir)) as client:
        assert await stack.missing_search_attributes(client) == []
        await client.start_workflow(
            "Nobody",
            id="m",
            task_queue="nobody",
            search_attributes=TypedSearchAttributes(
                [
                    SearchAttributePair(SearchAttributeKey.for_keyword("BoardroomStatus"), "IN_PROGRESS"),
                    SearchAttributePair(
                        SearchAttributeKey.for_datetime("BoardroomMeetingDate"), datetime(2026, 3, 1, tzinfo=UTC)
                    ),
                ]
            ),
        )
        until = asyncio.get_running_loop().time() + 10
        while [w.id async for w in client.list_workflows("BoardroomStatus = 'IN_PROGRESS'")] != ["m"]:
            assert asyncio.get_running_loop().time() < until
            await asyncio.sleep(0.05)
    assert of_directory(data_dir) == []


async def test_a_given_server_is_used_as_it_is(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await WorkflowEnvironment.start_local(dev_server_existing_path=str(temporal_binary())) as given:
        address = given.client.service_client.config.target_host
        monkeypatch.setenv("TEMPORAL_ADDRESS", address)
        assert begin_early(data_dir) is None
        async with stack.connect(Settings(data_dir=data_dir)) as client:
            assert client.service_client.config.target_host == address
            assert of_directory(data_dir) == []
            assert set(await stack.missing_search_attributes(client)) == set(stack.SEARCH_ATTRIBUTES)
            assert await stack.register_search_attributes(client) == []
            assert await stack.register_search_attributes(client) == []  # again: nothing to do
            assert await stack.missing_search_attributes(client) == []


async def test_a_profile_is_used_too(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "temporal.toml"
    config.write_text('[profile.work]\naddress = "temporal.example:7233"\nnamespace = "board"\n')
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(config))
    monkeypatch.setenv("TEMPORAL_PROFILE", "work")
    assert stack.server_elsewhere() == {"target_host": "temporal.example:7233", "namespace": "board"}
    monkeypatch.setenv("TEMPORAL_PROFILE", "none")
    with pytest.raises(stack.StackError, match=r"^Temporal's configuration cannot be read .*\.$"):
        stack.server_elsewhere()


def test_other_peoples_variables_may_hold_any_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMEBODY", "caf\udce9")  # Latin-1 on a UTF-8 system: the SDK panics where it reads all variables
    assert stack.server_elsewhere() is None
    monkeypatch.setenv("TEMPORAL_ADDRESS", "temporal.example:7233")
    found = stack.server_elsewhere()
    assert found is not None
    assert found["target_host"] == "temporal.example:7233"


def test_a_configuration_file_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(tmp_path / "temporal.toml"))
    with pytest.raises(stack.StackError, match=r"^TEMPORAL_CONFIG_FILE names .*temporal.toml, which is not there: correct it"):
        stack.server_elsewhere()


def test_half_a_configuration_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stack.server_elsewhere() is None
    monkeypatch.setenv("TEMPORAL_NAMESPACE", "board")
    with pytest.raises(stack.StackError, match="names no address: set TEMPORAL_ADDRESS"):
        stack.server_elsewhere()


async def test_a_server_that_does_not_answer_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    monkeypatch.setenv("TEMPORAL_ADDRESS", address)
    with pytest.raises(
        stack.StackError, match=rf"^No Temporal server answers at {address} \(Connection refused\): start it, .*\.$"
    ):
        async with stack.connect(Settings(data_dir=data_dir)):
            pass


async def test_a_server_that_is_silent_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "CONNECTING", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("TEMPORAL_ADDRESS", f"127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(stack.StackError, match=r"\(no answer in time\)"):
            async with stack.connect(Settings(data_dir=data_dir)):
                pass


async def test_a_namespace_that_is_not_there_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = await EmbeddedServer.join(data_dir)
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    monkeypatch.setenv("TEMPORAL_NAMESPACE", "nowhere")
    with pytest.raises(
        stack.StackError, match=r"has no namespace 'nowhere': create it with `temporal operator namespace create"
    ):
        async with stack.connect(Settings(data_dir=data_dir)):
            pass
    await server.leave()


async def test_the_command_for_an_operator_works_as_printed(data_dir: Path) -> None:
    async with await WorkflowEnvironment.start_local(dev_server_existing_path=str(temporal_binary())) as given:
        client: Client = given.client
        command = stack.search_attributes_command(client, list(stack.SEARCH_ATTRIBUTES)).split()
        assert command[0] == "temporal"
        done = await asyncio.create_subprocess_exec(
            str(temporal_binary()), *command[1:], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        out, _ = await done.communicate()
        assert done.returncode == 0, out.decode()
        assert await stack.missing_search_attributes(client) == []


def test_settings_of_the_ports_reach_the_server(data_dir: Path) -> None:
    server = stack.embedded_server(settings_module.load(data_dir=data_dir, temporal_port=1234, temporal_ui_port=1235), ui=True)
    assert (server.port, server.ui_port, server.ui) == (1234, 1235, True)
