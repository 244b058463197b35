"""One server for a data directory, and nothing left of it (DESIGN.md, Embedded server)."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import stack_keeper
import stack_server
from stack_server import EmbeddedServer, StackError
from tests.support.meetings import connect
from tests.support.servers import User, eventually, of_directory, processes

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("stack")]

Start = Callable[[], User]


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def test_two_processes_that_join_at_once_share_one_server(data_dir: Path, user: Start) -> None:
    users = [user() for _ in range(4)]
    assert len({one.address() for one in users}) == 1
    assert len(of_directory(data_dir)) == 2 + len(users)  # keeper, server, and the users themselves
    for one in users[:-1]:
        one.leave()
        assert set(processes(data_dir)) == {"keeper", "server"}
    users[-1].leave()
    assert of_directory(data_dir) == []


async def test_the_last_to_leave_stops_it_and_waits_until_it_is_gone(data_dir: Path) -> None:
    first, second = await EmbeddedServer.join(data_dir), await EmbeddedServer.join(data_dir)
    assert first.address == second.address
    await first.leave()
    assert set(processes(data_dir)) == {"keeper", "server"}
    began = time.monotonic()
    await second.leave()
    assert time.monotonic() - began < 3.0
    assert of_directory(data_dir) == []
    await second.leave()  # leaving twice is leaving


async def test_joining_and_leaving_in_turns_never_meets_a_dying_server(data_dir: Path) -> None:
    async def visit(n: int) -> None:
        for _ in range(4):
            server = await EmbeddedServer.join(data_dir)
            client = await connect(server.address)
            assert await client.service_client.check_health()
            await asyncio.sleep(0.01 * n)
            await server.leave()

    await asyncio.gather(*(visit(n) for n in range(3)))
    eventually(lambda: not of_directory(data_dir))


def test_a_killed_user_leaves_nothing_running_for_long(data_dir: Path, user: Start) -> None:
    one = user()
    assert one.address()
    found = processes(data_dir)
    assert set(found) == {"keeper", "server"}
    one.kill()
    eventually(lambda: not of_directory(data_dir), within=8.0)


def test_a_user_who_comes_within_the_grace_finds_the_same_server(data_dir: Path, user: Start) -> None:
    one = user()
    address = one.address()
    before = processes(data_dir)
    one.kill()
    assert user().address() == address
    time_to_look = time.monotonic() + stack_keeper.GRACE + 2 * stack_keeper.LOOK
    eventually(lambda: time.monotonic() > time_to_look)
    assert processes(data_dir) == before


async def test_a_killed_server_is_back_on_its_port_with_its_data(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    client = await connect(server.address)
    handle = await client.start_workflow("Nobody", id="kept", task_queue="nobody")
    killed = processes(data_dir)["server"]
    os.kill(killed["pid"], signal.SIGKILL)
    eventually(lambda: processes(data_dir).get("server") not in (None, killed))
    again = await EmbeddedServer.join(data_dir)
    assert again.address == server.address
    described = await handle.describe()
    assert described.id == "kept"
    found = stack_server.state(data_dir)
    assert found is not None
    assert (found.restarts, found.status) == (1, "running")
    await again.leave()
    await server.leave()
    assert of_directory(data_dir) == []


async def test_a_server_killed_again_and_again_still_comes_back(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    for _ in range(3):
        killed = processes(data_dir)["server"]
        os.kill(killed["pid"], signal.SIGKILL)
        eventually(
            lambda killed=killed: (
                (found := stack_server.state(data_dir))
                and found.alive
                and found.status == "running"
                and found.server_pid != killed["pid"]
            )
        )
    assert stack_keeper.answers(int(server.address.rpartition(":")[2]))
    await server.leave()


async def test_a_killed_keeper_takes_the_server_along_and_the_next_join_starts_again(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    found = processes(data_dir)
    os.kill(found["keeper"]["pid"], signal.SIGKILL)
    eventually(lambda: not stack_keeper.runs(found["server"]), within=5.0)
    again = await EmbeddedServer.join(data_dir)
    assert again.address == server.address  # the port of the last time, where it is free
    assert processes(data_dir)["keeper"] != found["keeper"]
    await again.leave()
    await server.leave()
    assert of_directory(data_dir) == []


async def test_a_user_that_watches_starts_a_killed_keeper_again(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    watch = asyncio.create_task(server.watch())
    found = processes(data_dir)
    os.kill(found["keeper"]["pid"], signal.SIGKILL)
    until = time.monotonic() + 20
    while set(now := processes(data_dir)) != {"keeper", "server"} or now["keeper"] == found["keeper"]:
        assert time.monotonic() < until
        await asyncio.sleep(0.05)
    while not stack_keeper.answers(int(server.address.rpartition(":")[2])):
        assert time.monotonic() < until
        await asyncio.sleep(0.05)
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    await server.leave()
    assert of_directory(data_dir) == []


async def test_a_state_file_of_another_boot_deceives_nobody(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    await server.leave()
    state = data_dir / "temporal" / "state.json"
    # Our own pid under another start time, and a status that says it runs: as after a reboot that gave out the pid again.
    state.write_text(
        state.read_text()
        .replace('"status": "stopped"', '"status": "running"')
        .replace('"server": null', f'"server": {{"pid": {os.getpid()}, "started": "1"}}')
    )
    found = stack_server.state(data_dir)
    assert found is not None
    assert not found.alive
    again = await EmbeddedServer.join(data_dir)
    assert set(processes(data_dir)) == {"keeper", "server"}
    assert processes(data_dir)["server"]["pid"] != os.getpid()
    await again.leave()


async def test_a_state_file_cut_in_half_deceives_nobody(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    await server.leave()
    (data_dir / "temporal" / "state.json").write_text('{"status": "runn')
    assert stack_server.state(data_dir) is None
    again = await EmbeddedServer.join(data_dir)
    await again.leave()


async def test_only_the_owner_can_read_what_the_server_keeps(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    folder = data_dir / "temporal"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    names = {file.name for file in folder.iterdir()}
    assert {"server.log", "state.json", "temporal.db", "users.lock", "keeper.lock", "version"} <= names
    for file in folder.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    await server.leave()


async def test_no_secret_of_the_user_reaches_keeper_or_server(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-very-secret")
    server = await EmbeddedServer.join(data_dir)
    environments = [environment(process["pid"]) for process in processes(data_dir).values()]
    assert len(environments) == 2
    assert not any(b"very-secret" in one for one in environments)
    await server.leave()


async def test_the_server_says_nothing_on_the_terminal(data_dir: Path, capfd: pytest.CaptureFixture[str]) -> None:
    server = await EmbeddedServer.join(data_dir)
    await server.leave()
    assert capfd.readouterr() == ("", "")
    assert "starting the server" in (data_dir / "temporal" / "server.log").read_text()


async def test_who_asks_for_the_pages_gets_them_also_from_a_running_server(data_dir: Path) -> None:
    plain = await EmbeddedServer.join(data_dir)
    assert plain.ui_address is None
    pages = await EmbeddedServer.join(data_dir, ui=True)
    assert pages.address == plain.address
    assert pages.ui_address
    port = int(pages.ui_address.rpartition(":")[2])
    eventually(lambda: stack_keeper.answers(port))
    await plain.leave()
    await pages.leave()
    assert of_directory(data_dir) == []


async def test_a_wished_port_is_taken_and_a_taken_one_is_one_sentence(data_dir: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(StackError, match=rf"^Port {port} is in use: set BOARDROOM_TEMPORAL_PORT .*\.$"):
            await EmbeddedServer.join(data_dir, port=port)
        assert of_directory(data_dir) == []
    server = await EmbeddedServer.join(data_dir, port=port)
    assert server.address == f"127.0.0.1:{port}"
    await server.leave()
    # Without a wish, the port of the last time is given up when somebody else has it.
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        server = await EmbeddedServer.join(data_dir)
        assert server.address != f"127.0.0.1:{port}"
        await server.leave()


async def test_a_database_of_another_command_line_is_named(data_dir: Path) -> None:
    server = await EmbeddedServer.join(data_dir)
    await server.leave()
    (data_dir / "temporal" / "version").write_text("1.2.3\n")
    with pytest.raises(StackError, match=r"was written by temporal 1\.2\.3 and this is \d+\.\d+\.\d+: install"):
        await EmbeddedServer.join(data_dir)
    assert of_directory(data_dir) == []


async def test_a_damaged_database_is_named(data_dir: Path) -> None:
    (data_dir / "temporal").mkdir(parents=True)
    (data_dir / "temporal" / "temporal.db").write_text("this was never a database")
    with pytest.raises(StackError, match=r"temporal\.db is damaged \(.*not a database.*\): restore it"):
        await EmbeddedServer.join(data_dir)
    assert of_directory(data_dir) == []


async def test_a_disk_without_room_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack_server, "LITTLE_ROOM", 1 << 62)
    (data_dir / "temporal").mkdir(parents=True)
    (data_dir / "temporal" / "temporal.db").write_text("the server does not start on this")
    with pytest.raises(
        StackError, match=r"^The embedded Temporal server has no room in .*temporal \(\d+ KiB free\): free some"
    ):
        await EmbeddedServer.join(data_dir)


async def test_a_data_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match=r"^The data directory .*file/data cannot be made .*: set BOARDROOM_DATA_DIR"):
        await EmbeddedServer.join(tmp_path / "file" / "data")


async def test_a_join_that_is_cancelled_leaves_nothing_running(data_dir: Path) -> None:
    joining = asyncio.create_task(EmbeddedServer.join(data_dir))
    await asyncio.sleep(0)  # begun: the keeper is on its way
    joining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await joining
    eventually(lambda: not of_directory(data_dir))
