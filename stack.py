"""The stack a process stands on: the Temporal server (embedded or given), the client, the store, the workers.

With nothing configured the server is the embedded one of the data directory; with `TEMPORAL_ADDRESS` or a Temporal
profile it is that one, used as it is. `Stack.up` brings all of it up at once and takes it down again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf.duration_pb2 import Duration
from pydantic_core import SchemaSerializer
from pydantic_core.core_schema import any_schema
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.namespace.v1 import NamespaceConfig
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest, UpdateNamespaceRequest
from temporalio.client import Client
from temporalio.contrib.pydantic import PydanticJSONPlainPayloadConverter
from temporalio.converter import (
    CompositePayloadConverter,
    DataConverter,
    DefaultPayloadConverter,
    JSONPlainPayloadConverter,
)
from temporalio.envconfig import ClientConfig, ClientConnectConfig
from temporalio.service import RPCError, RPCStatusCode

import telemetry
from settings import Settings
from stack_server import SEARCH_ATTRIBUTES, EmbeddedServer, StackError

if TYPE_CHECKING:
    from records.engine import Store

__all__ = [
    "SEARCH_ATTRIBUTES",
    "EmbeddedServer",
    "Stack",
    "StackError",
    "connect",
    "data_converter",
    "embedded_server",
    "keep_closed_histories",
    "register_search_attributes",
    "server_elsewhere",
]

log = logging.getLogger("boardroom.stack")

RETENTION = timedelta(days=90)
"""How long the embedded server keeps closed histories; a development server's own default is one day."""

CONNECTING = 10.0  # seconds a given server may take to answer
_RPC = timedelta(seconds=5)

_compact = SchemaSerializer(any_schema())


class _CompactJSON(PydanticJSONPlainPayloadConverter):
    """Pydantic's converter, but what equals its default is left out: small histories (law 6).

    The SDK's own `ToJsonOptions(exclude_unset=True)` would lose what was changed in place (an append to a list that
    began as its default). The price: changing a default of a message changes the meaning of open histories.
    """

    def to_payload(self, value: Any) -> Payload | None:
        return Payload(
            metadata={"encoding": self.encoding.encode()},
            data=_compact.to_json(value, exclude_defaults=True),
        )


class CompactPayloadConverter(CompositePayloadConverter):
    def __init__(self) -> None:
        super().__init__(
            *(
                _CompactJSON() if isinstance(converter, JSONPlainPayloadConverter) else converter
                for converter in DefaultPayloadConverter.default_encoding_payload_converters
            )
        )


data_converter = DataConverter(payload_converter_class=CompactPayloadConverter)
"""What every client, worker and replayer of the project uses."""


def server_elsewhere() -> ClientConnectConfig | None:
    """The server that Temporal's own variables or profile name; None when they name none. StackError when half set."""
    named = os.environ.get("TEMPORAL_CONFIG_FILE")
    if named and not Path(named).exists():  # the SDK takes that for no configuration, and a server nobody meant is used
        raise StackError(f"TEMPORAL_CONFIG_FILE names {named}, which is not there: correct it, or unset it.")
    # Only its own variables: the SDK panics, beyond any `except Exception`, at one of the others that is not UTF-8.
    variables = {name: value for name, value in os.environ.items() if name.startswith("TEMPORAL_")}
    try:
        config = ClientConfig.load_client_connect_config(override_env_vars=variables)
    except Exception as error:  # the SDK's own errors: unreadable file, unknown profile
        raise StackError(f"Temporal's configuration cannot be read ({error}): mend it, or unset TEMPORAL_PROFILE.") from None
    if not config:
        return None
    if not config.get("target_host"):
        raise StackError(
            "Temporal's configuration names no address: set TEMPORAL_ADDRESS to use your own server, or unset the other "
            "TEMPORAL_* variables to use the embedded one."
        )
    return config


def embedded_server(settings: Settings, *, ui: bool = False) -> EmbeddedServer:
    """This process's part in the embedded server, not joined yet."""
    return EmbeddedServer(settings.data_dir, ui=ui, port=settings.temporal_port, ui_port=settings.temporal_ui_port)


async def connect_elsewhere(config: ClientConnectConfig) -> Client:
    """Connect to a given server. StackError in one sentence when it does not answer or lacks the namespace."""
    where = config["target_host"]
    try:
        connecting = Client.connect(**config, data_converter=data_converter, plugins=telemetry.plugins())
        client = await asyncio.wait_for(connecting, CONNECTING)
    except (TimeoutError, RuntimeError, RPCError) as error:
        reason = "no answer in time" if isinstance(error, TimeoutError) else _cause(error)
        raise StackError(
            f"No Temporal server answers at {where} ({reason}): start it, correct TEMPORAL_ADDRESS, or unset it to use the "
            "embedded one."
        ) from None
    try:
        await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace), timeout=_RPC)
    except RPCError as error:
        if error.status == RPCStatusCode.NOT_FOUND:
            raise StackError(
                f"The Temporal server at {where} has no namespace {client.namespace!r}: create it with "
                f"`temporal operator namespace create --namespace {client.namespace}`, or set TEMPORAL_NAMESPACE."
            ) from None
        if error.status in (RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNAUTHENTICATED):
            log.info("the server does not let this client describe its namespace")
        else:
            raise StackError(f"The Temporal server at {where} does not answer as it should ({_short(error)}).") from None
    return client


async def connect_embedded(server: EmbeddedServer) -> Client:
    """Wait until the embedded server answers and connect. StackError in one sentence when it does not."""
    address = await server.ready()
    until = asyncio.get_running_loop().time() + CONNECTING
    while True:
        try:
            return await Client.connect(address, data_converter=data_converter, plugins=telemetry.plugins())
        except (RuntimeError, RPCError) as error:
            if asyncio.get_running_loop().time() > until:
                raise StackError(f"The embedded Temporal server does not answer at {address} ({_short(error)}).") from None
            await asyncio.sleep(0.02)


@asynccontextmanager
async def connect(settings: Settings) -> AsyncIterator[Client]:
    """A client of the configured server, else of the embedded one, which is joined for as long as the context lasts."""
    if elsewhere := server_elsewhere():
        yield await connect_elsewhere(elsewhere)
        return
    server = embedded_server(settings)
    try:
        yield await connect_embedded(server)
    finally:
        await server.leave()


_INNERMOST = re.compile(r'\b(?:message|error): "([^"]+)"')


def _cause(error: BaseException) -> str:
    """Why a connection failed, without the nest of the SDK's own types around it: "Connection refused"."""
    found = _INNERMOST.findall(str(error))
    return found[-1][:200] if found else _short(error)


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


_TYPES = {
    "Keyword": IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
    "Datetime": IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
}


async def register_search_attributes(client: Client) -> list[str]:
    """Register what is missing of `SEARCH_ATTRIBUTES`.

    Returns what an operator must do where the server refuses: one command or sentence each; empty when all is there.
    """
    present, refused = await _registered(client)
    if not refused:
        wrong = [name for name in SEARCH_ATTRIBUTES if name in present and present[name] != _TYPES[SEARCH_ATTRIBUTES[name]]]
        missing = [name for name in SEARCH_ATTRIBUTES if name not in present]
        if missing:
            request = AddSearchAttributesRequest(namespace=client.namespace)
            for name in missing:
                request.search_attributes[name] = _TYPES[SEARCH_ATTRIBUTES[name]]
            try:
                await client.operator_service.add_search_attributes(request, timeout=_RPC)
            except RPCError as error:
                if error.status == RPCStatusCode.ALREADY_EXISTS:  # another worker was quicker
                    present, refused = await _registered(client)
                    missing = [name for name in SEARCH_ATTRIBUTES if name not in present]
            else:
                missing = []
    else:
        wrong, missing = [], list(SEARCH_ATTRIBUTES)
    found = [
        f"The search attribute {name} has another type than {SEARCH_ATTRIBUTES[name]}: use a namespace of Boardroom's own."
        for name in wrong
    ]
    return found + ([search_attributes_command(client, missing)] if missing else [])


async def missing_search_attributes(client: Client) -> list[str]:
    """Names of `SEARCH_ATTRIBUTES` that the server does not have. Changes nothing; RPCError where it may not be asked."""
    listed = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=client.namespace), timeout=_RPC
    )
    return [name for name in SEARCH_ATTRIBUTES if name not in listed.custom_attributes]


async def _registered(client: Client) -> tuple[dict[str, int], bool]:
    try:
        listed = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace), timeout=_RPC
        )
    except RPCError:
        return {}, True
    return dict(listed.custom_attributes), False


def search_attributes_command(client: Client, names: list[str]) -> str:
    """The command with which an operator registers search attributes."""
    pairs = " ".join(f"--name {name} --type {SEARCH_ATTRIBUTES[name]}" for name in names)
    where = f"--address {client.service_client.config.target_host} --namespace {client.namespace}"
    return f"temporal operator search-attribute create {where} {pairs}"


async def keep_closed_histories(client: Client, retention: timedelta = RETENTION) -> None:
    """See that the server keeps closed histories for at least this long."""
    service = client.workflow_service
    found = await service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace), timeout=_RPC)
    if found.config.workflow_execution_retention_ttl.ToTimedelta() < retention:
        wanted = Duration()
        wanted.FromTimedelta(retention)
        await service.update_namespace(
            UpdateNamespaceRequest(namespace=client.namespace, config=NamespaceConfig(workflow_execution_retention_ttl=wanted)),
            timeout=_RPC,
        )


@dataclass(frozen=True, slots=True)
class Stack:
    """What is up: everything a command needs to hold or read meetings."""

    settings: Settings
    client: Client
    store: Store
    address: str  # of the Temporal server's gRPC front end
    embedded: bool
    ui_address: str | None = None  # of Temporal's pages; None when there are none or they are not ours
    notices: tuple[str, ...] = ()  # what an operator should do, a sentence or command each

    @staticmethod
    @asynccontextmanager
    async def up(
        settings: Settings,
        *,
        worker: bool = True,
        ui: bool = False,
        schedules: bool = False,
        server: EmbeddedServer | None = None,
    ) -> AsyncIterator[Stack]:
        """Bring up server, client, store and (with `worker`) this process's workers; take all down on leaving.

        `server`: what `stack_server.begin_early` returned. `schedules`: this process stays, and holds what Schedules bring
        due. StackError, or the store's own error, in one sentence.
        """
        telemetry.start()
        async with AsyncExitStack() as exits:
            exits.callback(telemetry.flush)
            elsewhere = server_elsewhere()
            if elsewhere is None:
                server = server or embedded_server(settings, ui=ui)
                exits.push_async_callback(server.leave)
                server.begin()
            elif server is not None:
                await server.leave()
                server = None
            opening = asyncio.create_task(_open_store(settings))
            exits.push_async_callback(_close_store, opening)
            client = await (connect_elsewhere(elsewhere) if elsewhere else connect_embedded(server))  # type: ignore[arg-type]
            notices: list[str] = []
            if server is not None:
                await keep_closed_histories(client)
                await _in_background(exits, server.watch())
            if worker:
                notices = await register_search_attributes(client)
            store = await opening
            if worker:
                import worker as workers

                await exits.enter_async_context(workers.running(client, store, settings, schedules=schedules))
            if worker and schedules:
                from clerk import missing

                await _in_background(exits, missing.watch(client, store, settings))
            yield Stack(
                settings=settings,
                client=client,
                store=store,
                address=client.service_client.config.target_host,
                embedded=server is not None,
                ui_address=server.ui_address if server else None,
                notices=tuple(notices),
            )


async def _open_store(settings: Settings) -> Store:
    from records.engine import Store

    return await Store.open(settings.database_url, settings.data_dir)


async def _close_store(opening: asyncio.Task[Store]) -> None:
    opening.cancel()
    done = (await asyncio.gather(opening, return_exceptions=True))[0]
    if not isinstance(done, BaseException):
        await done.close()


async def _in_background(exits: AsyncExitStack, work: Any) -> None:
    task = asyncio.ensure_future(work)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    exits.push_async_callback(end)
