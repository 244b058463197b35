"""Settings of notices: secrets from files that others cannot read, addresses that are some."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import settings
from settings import SECRET_FILE, Settings, SettingsError

SECRETS = ("smtp_password", "telegram_token", "webhook_secret", "apprise_urls")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("BOARDROOM_", "ANTHROPIC_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(**given: object) -> str:
    with pytest.raises(SettingsError) as raised:
        settings.load(**given)
    return str(raised.value)


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_comes_from_a_file_that_is_the_persons_alone(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = elsewhere / "secret"
    file.write_text("CANARY-secret\n")
    file.chmod(0o600)
    monkeypatch.setenv(f"BOARDROOM_{name.upper()}_FILE", str(file))
    found = settings.load()
    assert getattr(found, name).get_secret_value() == "CANARY-secret"
    assert "CANARY" not in repr(found) + str(found) + str(found.model_dump())
    assert found.has_notices is (name in ("telegram_token", "apprise_urls"))


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o644, 0o620, 0o666, 0o777])
def test_a_secret_that_others_may_read_or_write_is_refused(elsewhere: Path, mode: int) -> None:
    file = elsewhere / "secret"
    file.write_text("CANARY-secret")
    file.chmod(mode)
    said = refusal(smtp_password_file=file)
    assert said == f'smtp_password_file is "{file}", but others may read or write it: chmod go= it.'


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o640, 0o440])
def test_a_secret_that_at_most_the_group_may_read_is_taken(elsewhere: Path, mode: int) -> None:
    file = elsewhere / "secret"
    file.write_text("hidden")
    file.chmod(mode)
    found = settings.load(smtp_password_file=file).smtp_password
    assert found is not None and found.get_secret_value() == "hidden"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty or no text: write the secret into it"),
        (b" \n\n", "it is empty or no text: write the secret into it"),
        (b"\xff\xfe\x00", "it is empty or no text: write the secret into it"),
        (b"two\nlines", f"it must hold one line of text, of at most {SECRET_FILE} bytes"),
        (b"a\x00b", f"it must hold one line of text, of at most {SECRET_FILE} bytes"),
        (b"x" * (SECRET_FILE + 1), f"it must hold one line of text, of at most {SECRET_FILE} bytes"),
    ],
)
def test_a_file_without_a_secret_is_one_sentence(elsewhere: Path, content: bytes, why: str) -> None:
    file = elsewhere / "secret"
    file.write_bytes(content)
    file.chmod(0o600)
    assert refusal(webhook_secret_file=file).endswith(f"but {why}.")


def test_what_is_no_file_is_one_sentence(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDROOM_TELEGRAM_TOKEN_FILE", "nowhere")
    assert refusal() == 'BOARDROOM_TELEGRAM_TOKEN_FILE is "nowhere", but it cannot be read (no such file or directory).'
    os.mkfifo(elsewhere / "pipe", 0o600)
    for what in ("pipe", "."):
        monkeypatch.setenv("BOARDROOM_TELEGRAM_TOKEN_FILE", what)
        assert refusal() == f'BOARDROOM_TELEGRAM_TOKEN_FILE is "{what}", but it is not a file.'


def test_two_secrets_that_differ_are_refused_without_showing_one(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = elsewhere / "secret"
    file.write_text("CANARY-one")
    file.chmod(0o600)
    monkeypatch.setenv("BOARDROOM_TELEGRAM_TOKEN_FILE", str(file))
    monkeypatch.setenv("BOARDROOM_TELEGRAM_TOKEN", "CANARY-two")
    said = refusal()
    assert said == "BOARDROOM_TELEGRAM_TOKEN and BOARDROOM_TELEGRAM_TOKEN_FILE are both set and differ: keep one of them."
    monkeypatch.setenv("BOARDROOM_TELEGRAM_TOKEN", "CANARY-one")
    assert settings.load().telegram_token is not None


@pytest.mark.parametrize(
    "value",
    [
        "board.example.org", "ftp://board.example.org", "https://", "https://me@board.example.org", "https://b.example/?q=1",
        "https://b.example/#top", "https://b.example:99999", "https://b.example:0", "javascript://x", "https://b\u00f6rd.example",
        "https://b.example/\r\nx", "https://[::1", "https:\\\\b.example",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(value: str) -> None:
    for name in ("public_url", "telegram_base_url"):
        assert "but it must be an address like https://board.example.org" in refusal(**{name: value})


def test_an_address_loses_the_slash_at_its_end() -> None:
    found = settings.load(public_url="https://board.example.org/at/", telegram_base_url="http://127.0.0.1:8081/")
    assert (found.public_url, found.telegram_base_url) == ("https://board.example.org/at", "http://127.0.0.1:8081")
    assert settings.load(public_url="http://board.lan:8000").public_url == "http://board.lan:8000"


def test_the_token_of_telegram_never_goes_over_the_network_in_clear() -> None:
    said = refusal(telegram_base_url="http://telegram.example")
    assert "it must be https, or the token would go over the network for all to read" in said


def test_mail_has_three_ways_to_be_secured() -> None:
    assert "one of starttls, tls, none" in refusal(smtp_security="ssl")
    assert Settings().smtp_security == "starttls"


def test_notices_are_off_until_a_channel_is_set() -> None:
    assert not Settings().has_notices
    assert not Settings(mail_to="me@example.org", public_url="https://b.example", webhook_secret="x" * 20).has_notices
    assert Settings(webhook_url="https://hooks.example.org/").has_notices
