"""Scenarios of which nothing is left to the machine."""

from __future__ import annotations

from promptscope_engine.inputs.pinned import PINNED, pinned
from promptscope_engine.inputs.scenario import Environment, Scenario


def test_what_a_scenario_does_not_say_is_pinned() -> None:
    found = pinned(Scenario(agent="roo"))
    assert (found.home, found.managed, found.env) == ("/nonexistent", "/nonexistent/managed", {})
    assert found.environment == PINNED
    assert [name for name, fact in PINNED.model_dump().items() if fact is None] == ["workspace"]


def test_a_machine_with_drives_is_pinned_to_windows() -> None:
    for said in (Scenario(home=r"C:\Users\ada"), Scenario(environment=Environment(workspace="D:/work"))):
        facts = pinned(said).environment
        assert (facts.platform, facts.os_name, facts.username) == ("win32", "Windows 11", "user")


def test_what_a_scenario_says_stays() -> None:
    facts = Environment(os_name="", date="2020-02-02")
    said = Scenario(home="/h", managed="/m", env={"A": "b"}, environment=facts)
    found = pinned(said)
    assert (found.home, found.managed, found.env) == ("/h", "/m", {"A": "b"})
    assert (found.environment.os_name, found.environment.date) == ("", "2020-02-02")
    assert found.environment.username == PINNED.username
