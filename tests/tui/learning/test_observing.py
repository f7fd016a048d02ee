"""The observing mod of an agent's package: where it is, and how a client is started with it."""

from __future__ import annotations

import json
from pathlib import Path

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.registry import built_in_ids, load_agent
from promptscope_tui.learning.clients import script_for
from promptscope_tui.learning.observing import Observer, observer_of


def observer() -> Observer:
    agent = load_agent("claude-code")
    found = observer_of(agent, script_for(agent))
    assert found is not None
    return found


def test_the_mod_is_where_the_package_has_it_and_is_started_beside_what_is_left_out() -> None:
    words = observer().command(("--plugin-dir", "mine"), ["m@inline"])
    assert words[2:4] == ("--plugin-dir", "mine")  # the first one named is the outermost
    folder = Path(words[words.index("--plugin-dir") + 1])
    assert json.loads((folder / "hooks/hooks.json").read_text())["modules"] == ["./register.js"]
    assert json.loads(words[-1]) == {"enabledPlugins": {"m@inline": False}}
    assert observer().variables("/tmp/out")["OBSERVE_OUT"] == "/tmp/out"


def test_the_words_of_a_command_that_load_mods() -> None:
    command = ("claude", "-p", "hi", "--plugin-dir", "one", "--plugin-dir=two", "--model", "opus", "--plugin-dir")
    assert observer().given(command) == ("--plugin-dir", "one", "--plugin-dir=two", "--plugin-dir", "")


def test_only_versions_that_load_mods_are_asked() -> None:
    assert [observer().fits(version) for version in ("2.1.287", "2.1.332", "2.1.286", "")] == [True, True, False, False]


def test_clients_without_mods_have_none() -> None:
    others = [load_agent(each) for each in built_in_ids() if each != "claude-code"]
    assert [observer_of(agent, script_for(agent)) for agent in others] == [None] * len(others)


def test_every_section_that_the_client_names_is_one_of_ours(tmp_path: Path) -> None:
    known: set[str] = set()
    for simple in ("0", "1"):
        env = {"CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT": simple}
        scenario = Scenario(agent="claude-code", workspace=str(tmp_path), home=str(tmp_path), env=env)
        known |= {
            section.id for section in assemble(scenario, cached_only=True).sections if section.channel == "system"
        }
    named = {part for parts in observer().how.sections.values() for part in parts}
    assert named - {"memory_instructions.static"} <= known
