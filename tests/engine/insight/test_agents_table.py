"""File by file: which agent takes what, and what each pays."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.support.repository import write

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.agents_table import (
    AgentFiles,
    AgentsTable,
    Column,
    FileUse,
    agent_files,
    agents_table,
    unread_file,
)
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.tokens.models import get_tokenizer

pytestmark = pytest.mark.slow

SHARED = "Always install packages with pnpm, and never with npm.\n"
FILES = {
    "CLAUDE.md": f"# Shop\n{SHARED}",
    "AGENTS.md": f"{SHARED}\nmore\n",
    "packages/api/CLAUDE.md": "# api\n",
    ".roo/rules/style.md": f"Tabs.\n\n{SHARED}",
    ".cursor/rules/x.mdc": "nobody\n",
    "README.md": f"{SHARED}",
    ".claude/settings.json": "{}",
}


def table(folder: Path, *agents: str, **more: object) -> AgentsTable:
    write(folder / "shop", FILES)
    places = {"workspace": str(folder / "shop"), "home": str(folder / "home"), "env": {}, **more}
    scenarios = [Column(load_agent(agent), Scenario.model_validate({"agent": agent, **places})) for agent in agents]
    counter = Counter(get_tokenizer("o200k_base"))
    found = agents_table(
        scenarios, Workspace(), counter, repeats_of=lambda assembly: find_repeats(assembly, counter.count)
    )
    assert found
    return found


def by_path(found: AgentsTable) -> dict[str, FileUse]:
    return {file.path: file for file in found.files}


def test_each_file_has_what_each_agent_makes_of_it(tmp_path: Path) -> None:
    found = table(tmp_path, "claude-code", "roo")
    files = by_path(found)
    taken = {path: {agent: use.taken for agent, use in file.uses.items()} for path, file in files.items()}
    assert taken["CLAUDE.md"]["claude-code"] == "taken"
    assert taken["AGENTS.md"]["roo"] == "taken"
    assert taken[".roo/rules/style.md"] == {"roo": "taken"}
    assert taken["packages/api/CLAUDE.md"] == {"claude-code": "later"}
    later = files["packages/api/CLAUDE.md"].uses["claude-code"]
    assert (later.tokens, later.why) == (0, f"loads when a file below {tmp_path}/shop/packages/api is read")
    assert files["packages/api/CLAUDE.md"].is_read
    assert [agent.refused for agent in found.agents] == [None, None]
    assert all(use.tokens for file in files.values() for use in file.uses.values() if use.taken == "taken")
    assert not {"README.md", ".claude/settings.json"} & set(files)
    assert [agent.id for agent in found.agents] == ["claude-code", "roo"]
    assert all((agent.tokens or 0) > 1_000 for agent in found.agents)


def test_what_no_agent_reads_stands_last(tmp_path: Path) -> None:
    files = table(tmp_path, "roo").files
    unread = [file.path for file in files if not file.is_read]
    assert ".cursor/rules/x.mdc" in unread
    assert "packages/api/CLAUDE.md" in unread
    assert [file.is_read for file in files] == sorted((file.is_read for file in files), reverse=True)


def test_what_costs_most_comes_first(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"AGENTS.md": "for two\n", "CLAUDE.md": "", "b.md": "imported\n"})
    files = {"CLAUDE.md": "one\n@b.md\n", "AGENTS.md": "two\n", ".roo/rules/a.md": "three " * 50}
    write(tmp_path / "shop", files)
    places = {"workspace": str(tmp_path / "shop"), "home": str(tmp_path / "home"), "env": {}}
    scenarios = [Column(load_agent(id), Scenario(agent=id, **places)) for id in ("claude-code", "roo", "codex")]  # type: ignore[arg-type]
    found = agents_table(scenarios, Workspace(), Counter(get_tokenizer("o200k_base")))
    assert found
    paths = [file.path for file in found.files]
    assert paths[0] == ".roo/rules/a.md"
    assert set(paths) == {".roo/rules/a.md", "CLAUDE.md", "b.md", "AGENTS.md"}
    costs = [file.tokens for file in found.files]
    assert costs == sorted(costs, reverse=True)


def test_an_agent_that_would_not_start_says_why(tmp_path: Path) -> None:
    (agent,) = table(tmp_path, "gemini").agents
    assert (agent.error, agent.refused is not None) == (None, True)
    assert "trust" in (agent.refused or "")


def test_files_of_home_and_elsewhere_have_names_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, {"home/.claude/CLAUDE.md": "home\n", "managed/CLAUDE.md": "managed\n"})
    files = by_path(table(tmp_path, "claude-code", managed=str(tmp_path / "managed")))
    assert files["~/.claude/CLAUDE.md"].uses["claude-code"].taken == "taken"
    assert files[str(tmp_path / "managed" / "CLAUDE.md")].uses["claude-code"].taken == "taken"
    assert files["CLAUDE.md"].real_path == str(tmp_path / "shop" / "CLAUDE.md")


def test_passages_that_stand_in_two_files(tmp_path: Path) -> None:
    files = by_path(table(tmp_path, "claude-code", "roo"))
    (shared,) = files[".roo/rules/style.md"].shared
    assert (shared.start, shared.end, shared.copy.path, shared.copy.file_line) == (3, 3, "AGENTS.md", 1)
    assert (shared.tokens or 0) > 5
    assert files["AGENTS.md"].shared[0].copy.path == ".roo/rules/style.md"
    assert files["CLAUDE.md"].shared == (), "no agent is given it twice"


def test_a_linked_file_is_one_file(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"CLAUDE.md": "one\n", "AGENTS.md": "-> CLAUDE.md"})
    places = {"workspace": str(tmp_path / "shop"), "home": str(tmp_path / "home"), "env": {}}
    scenarios = [Column(load_agent(id), Scenario(agent=id, **places)) for id in ("claude-code", "roo")]  # type: ignore[arg-type]
    found = agents_table(scenarios, Workspace(), Counter(get_tokenizer("o200k_base")))
    assert found
    (file,) = found.files
    assert {agent: use.taken for agent, use in file.uses.items()} == {"claude-code": "taken", "roo": "taken"}
    assert file.shared == ()


@pytest.mark.parametrize(("mode", "error"), [("nonsense", True), (None, False)])
def test_an_agent_that_cannot_be_assembled_is_said(tmp_path: Path, mode: str | None, error: bool) -> None:
    (agent,) = table(tmp_path, "openclaw", mode=mode).agents
    assert bool(agent.error) is error
    assert (agent.tokens is None) is error


def test_a_file_that_no_agent_reads_has_a_row_with_its_size_and_nothing_of_it_is_sent(tmp_path: Path) -> None:
    write(tmp_path / "shop", {"notes.txt": "hello", "link.txt": "-> notes.txt", "gone.txt": "-> nowhere.txt"})
    places = {"workspace": str(tmp_path / "shop"), "home": str(tmp_path / "home"), "env": {}}
    scenario, workspace = Scenario.model_validate({"agent": "roo", **places}), Workspace()
    assembly = assemble(scenario, workspace)
    row = partial(unread_file, agent=load_agent("roo"), inputs=resolve(scenario, workspace)[1], assembly=assembly,
                  workspace=workspace)  # fmt: skip
    found = {name: row(name) for name in ("notes.txt", "link.txt", "gone.txt")}
    assert {name: file and (file.bytes, file.raw_chars, file.injected_chars) for name, file in found.items()} == {
        "notes.txt": (5, 0, 0), "link.txt": (5, 0, 0), "gone.txt": (0, 0, 0),
    }  # fmt: skip
    gone = found["gone.txt"]
    assert gone is not None
    assert "the link leads nowhere: there is no nowhere.txt" in gone.why.text
    assert row("nowhere.txt") is None
    write(tmp_path / "home", {"own.txt": "own"})
    own = row("~/own.txt")
    assert own is not None
    assert own.path == f"{tmp_path}/home/own.txt"


def test_it_ends_when_it_is_no_longer_wanted() -> None:
    roo = Column(load_agent("roo"), Scenario(agent="roo"))
    assert agents_table([roo], Workspace(), Counter(get_tokenizer("o200k_base")), lambda: False) is None


def files_of(folder: Path, agent: str, **more: object) -> AgentFiles:
    write(folder / "shop", {"AGENTS.md": SHARED, "CLAUDE.md": SHARED})
    places = {"workspace": str(folder / "shop"), "home": str(folder / "home"), "env": {}, **more}
    scenario = Scenario.model_validate({"agent": agent, **places})
    return agent_files(load_agent(agent), scenario, Workspace(), Counter(get_tokenizer("o200k_base")))


def test_each_agent_says_what_it_makes_of_a_file(tmp_path: Path) -> None:
    found = {agent: files_of(tmp_path, agent) for agent in ("roo", "openclaw", "claude-code")}
    agents, claude = str(tmp_path / "shop" / "AGENTS.md"), str(tmp_path / "shop" / "CLAUDE.md")
    assert [found[agent].files[agents].present for agent in ("roo", "openclaw")] == [True, True]
    assert found["claude-code"].files[claude].present
    assert not found["openclaw"].files[claude].present  # a row that says which names count
    assert all(each.error is None for each in found.values())


def test_an_agent_that_cannot_be_asked_says_why(tmp_path: Path) -> None:
    found = files_of(tmp_path, "roo", params={"diffEnabeld": True})
    assert found.files == {}
    assert "diffEnabled" in (found.error or "")
