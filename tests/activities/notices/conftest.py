"""What the tests of notices share: no settings from outside, a certificate that signs itself, a message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from activities.notices.composing import Message, Moment, compose
from tests.support.peers import Certificate, certificate

HOST = "hooks.example.org"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("BOARDROOM_", "ANTHROPIC_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate of HOST, localhost and 127.0.0.1 that nobody trusts."""
    return certificate(tmp_path_factory.mktemp("certificate"), HOST, "localhost", "127.0.0.1")


@pytest.fixture
def trusted(signed: Certificate, monkeypatch: pytest.MonkeyPatch) -> Certificate:
    """The same, trusted the way an operator trusts an authority of their own."""
    monkeypatch.setenv("SSL_CERT_FILE", str(signed.certificate))
    return signed


@pytest.fixture
def message() -> Message:
    moment = Moment("mtg-9fed5d5a/meeting_ended", "meeting_ended", meeting="mtg-9fed5d5a", resolutions=2, topic="CANARY-topic")
    return compose(moment, details=True, possibly_repeated=True)
