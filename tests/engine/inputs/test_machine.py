"""The machine's facts, on machines that this one is not."""

from __future__ import annotations

import platform
import pwd
import zoneinfo
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from promptscope_engine.inputs import scenario as scenario_module
from promptscope_engine.inputs.machine import read_machine, search_path, time_zone
from promptscope_engine.inputs.scenario import Environment, Scenario


@pytest.mark.parametrize(
    ("system", "release", "name"),
    [
        ("Darwin", "17.7.0", "macOS"),
        ("Darwin", "18.0.0", "macOS Mojave"),
        ("Darwin", "19.6.0", "macOS Catalina"),
        ("Darwin", "20.6.0", "macOS Big Sur"),
        ("Darwin", "21.6.0", "macOS Monterey"),
        ("Darwin", "22.6.0", "macOS Ventura"),
        ("Darwin", "23.6.0", "macOS Sonoma"),
        ("Darwin", "24.6.0", "macOS Sequoia"),
        ("Darwin", "25.1.0", "macOS Tahoe"),
        ("Darwin", "26.0.0", "macOS"),
        ("Darwin", "unknown", "Darwin unknown"),
        ("Linux", "6", "Linux 6"),
        ("Linux", "6.1", "Linux 6.1"),
        ("Linux", "6.1.0-13-amd64", "Linux 6.1"),
        ("Windows", "11", "Windows 11"),
        ("FreeBSD", "14.1", "FreeBSD 14.1"),
    ],
)
def test_the_name_of_the_system(monkeypatch: pytest.MonkeyPatch, system: str, release: str, name: str) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "release", lambda: release)
    assert read_machine(Environment(), {}).os_name == name


class Ticking(datetime):
    """A clock that is a second further at each look."""

    seconds = 0

    @classmethod
    def now(cls, tz: object = None) -> Ticking:  # type: ignore[override]  # noqa: ARG003
        cls.seconds += 1
        return cls(2026, 1, 2) + timedelta(seconds=cls.seconds)


def test_the_clock_is_read_once_for_a_scenario_and_its_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_module, "datetime", Ticking)
    asked = Scenario(agent="roo")
    first = read_machine(asked.environment, {})
    assert read_machine(asked.with_value("mode", "ask").environment, {}) == first
    assert asked == Scenario(agent="roo"), "what was read is no part of the question"
    assert read_machine(Environment(), {}) != first


@pytest.mark.parametrize(
    ("system", "machine", "facts"),
    [
        ("Linux", "x86_64", ("Linux", "linux", "x64")),
        ("Darwin", "arm64", ("Darwin", "darwin", "arm64")),
        ("Windows", "AMD64", ("Windows_NT", "win32", "x64")),
        ("FreeBSD", "aarch64", ("FreeBSD", "freebsd", "arm64")),
    ],
)
def test_system_and_processor_as_node_names_them(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, facts: tuple[str, str, str]
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    found = read_machine(Environment(), {})
    assert (found.os_type, found.platform, found.arch) == facts


def test_what_the_scenario_gives_is_not_asked_of_the_machine() -> None:
    given = Environment(os_type="", shell="/bin/mine", username="me", hostname="h", timezone="UTC", language="xx")
    found = read_machine(given, {"USER": "other", "LANG": "de_DE", "TZ": "Asia/Tokyo"})
    assert (found.os_type, found.shell, found.username, found.hostname) == ("", "/bin/mine", "me", "h")
    assert (found.timezone, found.language) == ("UTC", "xx")


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"USER": "a", "LOGNAME": "b", "USERNAME": "c"}, "a"),
        ({"USER": "", "LOGNAME": "b", "USERNAME": "c"}, "b"),
        ({"USERNAME": "c"}, "c"),
        ({}, "ada"),
    ],
)
def test_the_users_name(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], name: str | None) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_shell="", pw_name="ada"))
    assert read_machine(Environment(), env).username == name


@pytest.mark.parametrize(
    ("own", "env", "shell"),
    [("/bin/own", {"SHELL": "/bin/other"}, "/bin/own"), ("", {"SHELL": "/bin/other"}, "/bin/other"), ("", {}, None)],
)
def test_the_login_shell_goes_first(
    monkeypatch: pytest.MonkeyPatch, own: str, env: dict[str, str], shell: str | None
) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_shell=own, pw_name="ada"))
    assert read_machine(Environment(), env).shell == shell


def test_a_user_that_the_machine_does_not_know_has_the_shell_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert read_machine(Environment(), {"SHELL": "/bin/other"}).shell == "/bin/other"


@pytest.mark.parametrize(
    ("env", "code"),
    [
        ({"LANG": "pt_BR.UTF-8"}, "pt-br"),
        ({"LANG": "de_AT@euro"}, "de-at"),
        ({"LC_ALL": "fr", "LC_MESSAGES": "it", "LANG": "de"}, "fr"),
        ({"LC_ALL": "", "LC_MESSAGES": "it", "LANG": "de"}, "it"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "en_GB"}, "en"),
        ({"LANG": "enm"}, "enm"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(env: dict[str, str], code: str) -> None:
    assert read_machine(Environment(), env).language == code


def test_programs_are_looked_for_where_the_scenario_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/machine::/more:/machine")
    assert search_path({"PATH": "/own:/own"}) == ("/own",)
    assert search_path({"PATH": ""}) == search_path({}) == ("/machine", "/more")


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("Europe/Vienna", True), ("europe/vienna", True), ("UTC", True), ("Europe/Nowhere", False), ("", False)],
)
def test_a_time_zone_is_known_in_any_case(name: str, is_one: bool) -> None:
    assert time_zone(name) == (name if is_one else None)


@pytest.mark.parametrize(("name", "fits"), [("Europe/Anything", True), ("UTC", True), ("Elsewhere/X", False)])
def test_without_a_database_the_form_of_a_time_zone_decides(
    monkeypatch: pytest.MonkeyPatch, name: str, fits: bool
) -> None:
    def missing(key: str) -> None:
        raise LookupError(key)

    monkeypatch.setattr(zoneinfo, "ZoneInfo", missing)
    monkeypatch.setattr(zoneinfo, "available_timezones", set)
    assert time_zone(name) == (name if fits else None)


@pytest.mark.parametrize(
    ("env", "target", "zone"),
    [
        ({}, "/usr/share/zoneinfo/Europe/Vienna", "Europe/Vienna"),
        ({}, "../usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"),
        ({}, "/elsewhere", "UTC"),
        ({}, None, "UTC"),
        ({"TZ": ""}, "/usr/share/zoneinfo/Europe/Vienna", "Europe/Vienna"),
        ({"TZ": ":Asia/Tokyo"}, "/usr/share/zoneinfo/Europe/Vienna", "Asia/Tokyo"),
    ],
)
def test_the_time_zone_is_that_of_the_process_or_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str], target: str | None, zone: str
) -> None:
    def readlink(path: Path) -> Path:
        if target is None:
            raise FileNotFoundError(path)
        return Path(target)

    monkeypatch.setattr(Path, "readlink", readlink)
    assert read_machine(Environment(), env).timezone == zone
