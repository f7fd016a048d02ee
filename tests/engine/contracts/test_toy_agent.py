"""A new agent, written as ARCHITECTURE's "Adding an agent" says, is an agent like any other."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from promptscope_engine import Scenario, Workspace, assemble, effects
from promptscope_engine.agents import registry
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer

HERE = Path(__file__).parent
MOST_LINES = 150


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy as an installed package would register it."""
    entry = EntryPoint("toy", "toy.agent:TOY", registry.ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setattr(registry, "plug_ins", lambda: (entry,))


def scenario(folder: Path, **params: bool) -> Scenario:
    return Scenario(agent="toy", workspace=str(folder), home=str(folder / "home"), env={}, params=params)


def test_it_is_small() -> None:
    lines = [line for path in (HERE / "toy").rglob("*.py") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) < MOST_LINES


def test_it_is_listed() -> None:
    assert "toy" in registry.agent_ids()
    assert "toy" in [agent.id for agent in registry.all_agents()]


def test_its_prompt_is_assembled(tmp_path: Path) -> None:
    (tmp_path / "NOTES.md").write_text("Mind the gap.\n")
    assembly = assemble(scenario(tmp_path, search=True))
    assert assembly.request.system[0]["text"] == "You are a toy. Say please.\n\n# Notes\nMind the gap.\n"
    assert [tool["name"] for tool in assembly.request.tools] == ["search"]
    assert [(file.path, file.present) for file in assembly.files] == [(f"{tmp_path}/NOTES.md", True)]
    assert "".join(s.text for s in assembly.sections if s.present) == assembly.request.system[0]["text"]


def test_what_is_absent_says_why(tmp_path: Path) -> None:
    assembly = assemble(scenario(tmp_path))
    notes, search = assembly.section("notes"), assembly.tools[0]
    assert notes is not None
    assert (notes.present, notes.why.text, notes.why.remedy) == (
        False,
        "absent: there is no NOTES.md",
        "create NOTES.md",
    )
    assert search.why.text == "absent: `search` is off"
    assert [(lever.param, lever.value) for lever in search.why.levers] == [("search", True)]
    assert assembly.request.system[0]["text"] == "You are a toy. Say please."


def test_its_switches_have_effects(tmp_path: Path) -> None:
    found = effects(scenario(tmp_path), Workspace(), Counter(get_tokenizer("o200k_base")))
    assert {(effect.param, effect.value): effect.tools_added for effect in found} == {
        ("polite", False): (),
        ("search", True): ("search",),
    }


def test_an_agent_may_live_in_a_module_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from toy.agent import Toy\n\n\nclass Single(Toy):\n    pass\n\n\nSINGLE = Single()\n"
    (tmp_path / "single_module.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("toy", "single_module:SINGLE", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "plug_ins", lambda: (entry,))
    assert assemble(scenario(tmp_path)).request.system[0]["text"] == "You are a toy. Say please."
