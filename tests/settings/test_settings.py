"""Settings: where they come from, and one sentence for what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import settings
from settings import Settings, SettingsError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("BOARDROOM_", "ANTHROPIC_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_variables_go_over_the_file_and_the_file_over_defaults(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere / "boardroom.toml").write_text('tier = "low"\ncall_retries = 1\n')
    monkeypatch.setenv("BOARDROOM_TIER", "high")
    monkeypatch.setenv("BOARDROOM_ZONE", "")  # empty is unset
    found = settings.load(call_timeout=7)
    assert (found.tier, found.call_retries, found.zone, found.call_timeout) == ("high", 1, "America/Los_Angeles", 7.0)
    assert settings.origin_of("tier") == "BOARDROOM_TIER"
    assert settings.origin_of("call_retries") == "boardroom.toml"
    assert settings.origin_of("zone") == "default"


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("BOARDROOM_CALL_TIMEOUT", "soon", 'BOARDROOM_CALL_TIMEOUT is "soon", but it must be a number (120.0 unless set).'),
        ("BOARDROOM_CALL_TIMEOUT", "0", 'BOARDROOM_CALL_TIMEOUT is "0", but it must be greater than 0.0 (120.0 unless set).'),
        ("BOARDROOM_CALL_RETRIES", "11", 'BOARDROOM_CALL_RETRIES is "11", but it must be at most 10 (2 unless set).'),
        ("BOARDROOM_BATCH_SIZE", "1.5", 'BOARDROOM_BATCH_SIZE is "1.5", but it must be a whole number (0 unless set).'),
        (
            "BOARDROOM_HEALTH_CHECK",
            "perhaps",
            'BOARDROOM_HEALTH_CHECK is "perhaps", but it must be true or false (True unless set).',
        ),
        ("BOARDROOM_TIER", "huge", 'BOARDROOM_TIER is "huge", but it must be one of low, mid, high (mid unless set).'),
        (
            "BOARDROOM_PROVIDER",
            "oracle",
            'BOARDROOM_PROVIDER is "oracle", but it must be one of auto, anthropic, simulated (auto unless set).',
        ),
        (
            "BOARDROOM_ZONE",
            "Mars/Olympus",
            'BOARDROOM_ZONE is "Mars/Olympus", but it must be an IANA time zone such as Europe/Lisbon '
            "(America/Los_Angeles unless set).",
        ),
        (
            "BOARDROOM_TEMPORAL_PORT",
            "70000",
            'BOARDROOM_TEMPORAL_PORT is "70000", but it must be at most 65535 (0 unless set).',
        ),
        (
            "BOARDROOM_DATABASE_URL",
            "mysql://me:hidden@host/db",
            "BOARDROOM_DATABASE_URL is a value that is not shown, but it must be a URL like postgresql://user@host/name.",
        ),
    ],
)
def test_a_bad_variable_is_one_sentence(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, sentence: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as raised:
        settings.load()
    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('tyer = "low"', "boardroom.toml sets 'tyer', which is no setting: did you mean 'tier'?"),
        ("xyzzy = 1", "boardroom.toml sets 'xyzzy', which is no setting: remove it."),
        ("call_timeout = -1", "boardroom.toml sets call_timeout to -1, but it must be greater than 0.0 (120.0 unless set)."),
    ],
)
def test_a_bad_file_is_one_sentence(elsewhere: Path, text: str, sentence: str) -> None:
    (elsewhere / "boardroom.toml").write_text(text)
    with pytest.raises(SettingsError) as raised:
        settings.load()
    assert str(raised.value) == sentence


def test_a_file_that_is_no_toml_is_one_sentence(elsewhere: Path) -> None:
    (elsewhere / "boardroom.toml").write_text("tier = ")
    with pytest.raises(SettingsError, match=r"^boardroom\.toml is not valid TOML: .*\.$"):
        settings.load()


def test_a_file_that_cannot_be_read_is_one_sentence(elsewhere: Path) -> None:
    (elsewhere / "boardroom.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match=r"^boardroom\.toml cannot be read: "):
        settings.load()


def test_the_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-very-secret")
    found = settings.load()
    assert found.anthropic_api_key
    assert found.anthropic_api_key.get_secret_value() == "sk-ant-very-secret"
    assert "very-secret" not in repr(found)
    assert "very-secret" not in str(found.model_dump())
    assert settings.origin_of("anthropic_api_key") == "ANTHROPIC_API_KEY"


def test_a_misspelt_variable_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDROOM_TYER", "low")
    assert settings.unknown_variables() == ["BOARDROOM_TYER sets nothing: did you mean BOARDROOM_TIER?"]


def test_the_example_agrees_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / ".env.example").read_text()
    assert text == settings.example(), (
        "write it anew: python -c 'import settings; print(settings.example(), end=\"\")' > .env.example"
    )
    for line in text.splitlines():
        name, is_one, value = line.removeprefix("# ").partition("=")
        if is_one and name.isupper() and not name.startswith("TEMPORAL_"):
            monkeypatch.setenv(name, value)
    assert settings.load() == Settings()
    for name, field in Settings.model_fields.items():
        assert field.description, f"{name} has no description"
        assert getattr(settings.load(), name) == field.default  # uncommented as it stands, it changes nothing


def test_a_database_url_whose_port_is_none_is_told_without_its_password() -> None:
    with pytest.raises(SettingsError) as caught:
        settings.load(database_url="postgresql://me:canary-secret@host:port/x")
    assert "its port is no number" in str(caught.value)
    assert "canary-secret" not in str(caught.value)
