"""What the overview finds: in a repository with something of every kind."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from tests.support.repository import commit, write

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.session.findings import Tools
from promptscope_tui.session.found_out import found_out
from promptscope_tui.session.history import switched
from promptscope_tui.session.snapshot import CompareWith, GoTo, Snapshot
from promptscope_tui.views.overview.items import Item, Overview, overview_of
from promptscope_tui.views.subjects import FileSubject, ToolSubject

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

TODAY = date(2026, 3, 1)
PASSAGE = "Every change needs a test that fails without it, and a line in the changelog that a user understands.\n" * 2

FILES = {
    "CLAUDE.md": f"# Shop\n\n{PASSAGE}\nRead `docs/missing/setup.md` first.\n",
    ".claude/rules/style.md": f"{PASSAGE}\nShort names.\n",
    "web/CLAUDE.md": "Components are functions.\n" * 20,
    "web/app.ts": "export {}\n",
    "docs/setup.md": "Set up.\n",
    "AGENTS.md": "Use pnpm.\n",
    "docs/copilot-instructions.md": "Answer briefly, in whole sentences, and name the file.\n" * 9,
}


def shop(folder: Path) -> Path:
    commit(folder, {**FILES, "CLAUDE.md": "# Shop\n"}, "at first")
    commit(folder, {"CLAUDE.md": FILES["CLAUDE.md"]}, "instructions")
    return folder


def seen(folder: Path, **more: object) -> tuple[Overview, Snapshot]:
    """The overview of a folder, everything found out."""
    values = {"agent": "claude-code", "workspace": str(folder), "home": str(folder / "home"), "env": {}, **more}
    scenario = Scenario.model_validate(values)
    counter, workspace = Counter(tokenizer_for_model(None)), Workspace()
    assembly = assemble(scenario, workspace, counter)
    tools = Tools(workspace, counter, lambda: False)
    found = found_out(
        scenario,
        assembly,
        tools,
        lambda agent: scenario if agent.id == scenario.agent else switched(scenario, agent, agent.versions[-1], None),
    )
    overview = overview_of(found, TODAY)
    assert overview is not None
    return overview, found


@pytest.fixture(scope="module")
def overview(tmp_path_factory: pytest.TempPathFactory) -> Overview:
    return seen(shop(tmp_path_factory.mktemp("overview") / "shop"))[0]


def texts(items: tuple[Item, ...]) -> str:
    return "\n".join(item.text for item in items)


def test_the_groups_add_up_to_the_total(overview: Overview) -> None:
    assert overview.total == sum(share.tokens for share in overview.groups)
    assert {"tools", "built in", "your files"} <= {share.name for share in overview.groups}


def test_what_costs_most_is_named_with_its_tokens_and_its_place(overview: Overview) -> None:
    first, second, *_ = overview.of("costs-most")
    assert (first.text, second.text) == ("CLAUDE.md", ".claude/rules/style.md")
    assert first.tokens
    assert second.tokens
    assert first.tokens > second.tokens
    assert isinstance(first.link, FileSubject)
    assert first.link.path.endswith("/CLAUDE.md")
    dearest = overview.of("costs-most-of-all")[0]
    assert isinstance(dearest.link, ToolSubject | GoTo)
    sizes = [item.tokens or 0 for item in overview.of("costs-most-of-all")]
    assert sizes == sorted(sizes, reverse=True)


def test_a_number_that_no_blank_run_shows_bears_what_would_show_it(tmp_path: Path) -> None:
    found = seen(shop(tmp_path / "shop"), attended=True)[0]
    artifact = next(item for item in found.of("costs-most-of-all") if item.text.startswith("Artifact"))
    assert artifact.unconfirmed == "the maker's own servers"
    offline = seen(tmp_path / "shop", attended=True, params={"online": False})[0]
    assert not any(item.text.startswith("Artifact") for item in offline.findings)
    assert not any(item.unconfirmed for item in offline.findings)


def test_many_files_of_a_kind_are_one_item(tmp_path: Path) -> None:
    skills = {
        f".claude/skills/s{number}/SKILL.md": f"---\nname: s{number}\ndescription: Does {number}\n---\n"
        for number in range(5)
    }
    write(tmp_path, {"CLAUDE.md": "Short.\n", **skills})
    found = seen(tmp_path)[0]
    grouped = next(item for item in found.of("costs-most") if "skills" in item.text)
    assert grouped.text == "5 skills"
    assert grouped.link == GoTo("files", FileSubject(str(tmp_path / ".claude/skills/s0/SKILL.md")))


def test_what_is_paid_twice_and_what_is_gone_leads_to_its_line(overview: Overview) -> None:
    assert "style.md" in texts(overview.of("paid-twice")) or "CLAUDE.md" in texts(overview.of("paid-twice"))
    gone = overview.of("stale")[0]
    assert gone.file == "CLAUDE.md"
    assert gone.lines == (6, 6)
    assert "docs/missing/setup.md" in gone.text or "setup.md" in gone.text


def test_what_wakes_on_a_read_says_what_it_would_cost_and_how_to_see_it(overview: Overview) -> None:
    (woken,) = overview.of("wakes")
    assert woken.file == "web/CLAUDE.md"
    assert woken.tokens
    assert woken.remedy == "promptscope show --reads web/app.ts"


def test_a_file_that_no_agent_reads_is_named_with_what_it_holds(overview: Overview) -> None:
    found = [each for each in overview.of("never-read") if each.file == "docs/copilot-instructions.md"]
    assert [each.tokens for each in found] == [165]  # 108 of o200k_base, × 1.53
    assert "no agent reads it" in found[0].text


def test_the_last_commit_that_changed_the_prompt_is_named(overview: Overview) -> None:
    (changed,) = overview.of("changed")
    assert changed.text.startswith("CLAUDE.md")
    assert changed.text.endswith("8 weeks ago")
    assert changed.tokens
    assert isinstance(changed.link, CompareWith)


def test_other_agents_are_there_with_what_they_read_otherwise(overview: Overview) -> None:
    agents = {agent.agent: agent for agent in overview.agents}
    assert "claude-code" not in agents
    assert agents["codex"].total
    assert "AGENTS.md" in agents["codex"].text
    totals = [agent.total or 0 for agent in overview.agents]
    assert totals == sorted(totals, reverse=True)


def test_what_is_not_found_out_yet_is_not_known(tmp_path: Path) -> None:
    _, found = seen(shop(tmp_path / "shop"))
    early = overview_of(Snapshot(found.scenario, found.assembly), TODAY)
    assert early is not None
    assert early.known == {"costs-most", "costs-most-of-all"}


def test_json_has_the_keys_of_the_contract(overview: Overview) -> None:
    made = overview.to_dict()
    assert {"agent", "total", "window", "groups", "findings", "agents"} == {*made}
    findings = made["findings"]
    assert isinstance(findings, list)
    assert all({"kind", "file", "lines", "tokens", "agents", "text", "remedy"} <= {*each} for each in findings)  # type: ignore[misc]
    assert load_agent(str(made["agent"])).id == "claude-code"
