"""An assembly by a workspace that keeps what it saw equals one that reads everything again."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.support.frozen import frozen_scenario

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.agents.roo.agent import request_layout
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.reuse import LastDrafts
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.tokens.models import tokenizer_for_model
from promptscope_engine.wire.joined import Parts
from promptscope_engine.wire.request import Request

_RULES = "workspace/.claude/rules"
FILES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "roo": {
        "workspace/.roo/rules/a.md": ("Be kind.\n", "Be kind, and say why.\n", "", "  \n", "x" * 5_000 + "\n" * 300),
        "workspace/.roo/rules/b/c.md": ("Use pnpm.\n", "Use npm. " * 400),
        "workspace/.roo/rules-code/d.md": ("Types.\n",),
        "workspace/.roorules": ("Old rules.\n",),
        "workspace/AGENTS.md": ("Agents.\n", "# Agents\n\nMore.\n"),
        "workspace/.roomodes": (
            "customModes:\n- {slug: x, name: X, roleDefinition: R, groups: [read]}\n",
            "customModes: 1\n",
        ),
        "home/.roo/rules/e.md": ("Mine.\n",),
    },
    "claude-code": {
        "workspace/CLAUDE.md": ("See @docs/a.md and @docs/b.md.\n", "No imports.\n", ""),
        "workspace/docs/a.md": ("A.\n", "A, and @b.md.\n"),
        "workspace/docs/b.md": ("B.\n", "B, and @a.md.\n", "\x00"),
        f"{_RULES}/one.md": (
            "Always.\n",
            "---\npaths: ['**/*.py']\n---\nFor Python.\n",
            "---\npaths: [\n---\nBroken.\n",
        ),
        f"{_RULES}/two.md": ("Two.\n", "# Two\n\n<!-- hidden -->\nMore.\n", "z" * 40_001),
        "workspace/.claude/settings.json": ('{"language": "German"}', '{"claudeMdExcludes": ["**/two.md"]}', "{"),
        "home/.claude/CLAUDE.md": ("Mine.\n", "Mine, and @~/x.md.\n"),
        "home/x.md": ("X.\n",),
    },
    "openclaw": {
        "workspace/AGENTS.md": ("Agents.\n", "a" * 21_000),
        "workspace/SOUL.md": ("Soul.\n", ""),
        "workspace/skills/s/SKILL.md": ("---\nname: s\ndescription: S.\n---\n", "---\nname: t\n---\n"),
        "home/.openclaw/openclaw.json": ("{}", '{"messages": {"tts": {"auto": "always"}}}', "{"),
    },
    "codex": {
        "workspace/AGENTS.md": ("Agents.\n", "# Agents\n\nMore.\n", ""),
        "home/.codex/AGENTS.md": ("Mine.\n",),
        "home/.codex/config.toml": ("", "web_search = true\n", "web_search = 1\n", "["),
        "home/.codex/skills/s/SKILL.md": ("---\nname: s\ndescription: S.\n---\n", "---\nname: t\n---\n"),
    },
    "gemini": {
        "workspace/GEMINI.md": ("See @docs/a.md.\n", "No imports.\n", ""),
        "workspace/docs/a.md": ("A.\n", "A, and @b.md.\n"),
        "home/.gemini/GEMINI.md": ("Mine.\n",),
        "home/.gemini/settings.json": ("{}", '{"ui": {"footer": true}}', '{"ui": {"footer": 1}}', "{"),
    },
}
PARAMS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "roo": ({}, {"mode": "ask"}, {"params": {"language": "de"}}),
    "claude-code": ({}, {"agent_version": "2.1.100"}, {"reads": ["src/a.py"]}),
    "openclaw": ({}, {"params": {"channel": "telegram"}}),
    "codex": ({}, {"mode": "workspace-write"}),
    "gemini": ({}, {"env": {"GEMINI_CLI_TRUST_WORKSPACE": "true"}}),
}


def _step(root: Path, chosen: random.Random, files: Mapping[str, tuple[str, ...]]) -> str:
    """Write, remove or link one file; its path."""
    name = chosen.choice(list(files))
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    what = chosen.random()
    path.unlink(missing_ok=True)
    if what < 0.75:
        path.write_text(chosen.choice(files[name]))
    elif what < 0.85:
        path.symlink_to(root / chosen.choice(list(files)))
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "seed"), [*((agent, 2) for agent in FILES), ("roo", 5), ("claude-code", 5)])
def test_what_is_kept_equals_what_is_new(agent: str, seed: int, tmp_path: Path) -> None:
    chosen, kept = random.Random(seed), Workspace()
    known = Knowledge(drafts=LastDrafts(kept))
    counter, other = Counter(tokenizer_for_model(None)), Counter(tokenizer_for_model(None))
    for name in FILES[agent]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(FILES[agent][name][0])
    for _ in range(8):
        saved = _step(tmp_path, chosen, FILES[agent])
        kept.forget(kept.changed(kept.asked) | {saved})
        more = chosen.choice(PARAMS[agent])
        scenario = frozen_scenario(agent, tmp_path, **more)
        mine = assemble(scenario, kept, counter, knowledge=known)
        new = assemble(scenario, Workspace(), other)
        assert mine.to_dict() == new.to_dict()


@pytest.mark.parametrize(
    ("agent", "version", "name"),
    [("roo", None, ".roo/rules/a.md"), ("openclaw", "2026.2.24", "AGENTS.md"), ("openclaw", None, "AGENTS.md")],
)
def test_what_says_the_same_after_a_save_is_the_same_object(
    agent: str, version: str | None, name: str, tmp_path: Path
) -> None:
    saved = tmp_path / "workspace" / name
    saved.parent.mkdir(parents=True)
    saved.write_text("Be kind.\n")
    kept, counter, scenario = Workspace(), Counter(tokenizer_for_model(None)), frozen_scenario(agent, tmp_path)
    scenario = scenario.model_copy(update={"agent_version": version})
    known = Knowledge(drafts=LastDrafts(kept))
    before = assemble(scenario, kept, counter, knowledge=known)
    saved.write_text("Be kind, and say why.\n")
    kept.forget([str(saved)])
    after = assemble(scenario, kept, counter, knowledge=known)
    made = [new.id for old, new in zip(before.sections, after.sections, strict=True) if old is not new]
    assert 1 <= len(made) <= 2, made
    assert "say why" in "".join(section.text for section in after.sections if section.id in made)
    assert all(old is new for old, new in zip(before.tools, after.tools, strict=True))


def test_an_assembly_may_be_given_up_between_its_parts(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    kept, scenario = Workspace(), frozen_scenario("roo", tmp_path)
    known = Knowledge(drafts=LastDrafts(kept))
    assemble(scenario, kept, counter := Stopping(tokenizer_for_model(None)), knowledge=known)
    counter.stops = True
    assemble(scenario, kept, counter, knowledge=known)  # nothing is made again
    assemble(frozen_scenario("roo", tmp_path, mode="ask"), kept, counter, cached_only=True)
    with pytest.raises(InterruptedError):
        assemble(scenario.with_value("mode", "debug"), kept, counter)


class Stopping(Counter):
    stops = False

    def check_cancelled(self) -> None:
        if self.stops:
            raise InterruptedError


def test_a_request_is_laid_out_once_and_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "workspace").mkdir()
    made: list[bool] = []

    def noted(*args: Any) -> Request:
        found = request_layout(*args)
        made.append(not isinstance(found.system[0]["text"], Parts))
        return found

    monkeypatch.setattr("promptscope_engine.agents.roo.agent.request_layout", noted)
    assembly = assemble(frozen_scenario("roo", tmp_path))
    other = assembly.with_diagnostics((Diagnostic("info", "code", "A word."),))
    assert made == [False], "counted by its parts"
    assert other.request is assembly.request
    assert made == [False, True]
    assert other.request.system[0]["text"] == assembly.system_text
    assert other == replace(assembly, diagnostics=other.diagnostics)
    assert assembly != other


@pytest.mark.slow
def test_another_mode_makes_new_sections(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    kept, counter = Workspace(), Counter(tokenizer_for_model(None))
    known = Knowledge(drafts=LastDrafts(kept))
    for mode in ("code", "ask", "code"):
        scenario = frozen_scenario("roo", tmp_path, mode=mode)
        again = assemble(scenario, kept, counter, knowledge=known)
        assert again.to_dict() == assemble(scenario, Workspace(), counter).to_dict()


@pytest.mark.parametrize("agent", agent_ids())
def test_every_section_has_a_title_to_be_read_by(agent: str, tmp_path: Path) -> None:
    where = {"agent": agent, "workspace": str(tmp_path), "home": str(tmp_path), "env": {}}
    sections = assemble(Scenario.model_validate(where), cached_only=True).sections
    assert [section.id for section in sections if not section.title.strip()] == []


YOUNG = 0
"""What was made since the last search for garbage: one through everything takes a second here."""


@pytest.mark.parametrize("agent", agent_ids())
def test_an_assembly_leaves_next_to_nothing_for_the_garbage_collector(agent: str, tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    scenario = frozen_scenario(agent, tmp_path)
    assemble(scenario, cached_only=True)  # what is imported and kept for good
    gc.collect(YOUNG)
    assemble(scenario, cached_only=True)
    assert gc.collect(YOUNG) < 100, "the drafts alone are a thousand objects"


class Holding(Counter):
    """A session's counter leads to the session, which has the workspace."""

    workspace: Workspace


@pytest.mark.parametrize("agent", agent_ids())
def test_a_workspace_that_nobody_has_is_gone_after_the_next_assembly(agent: str, tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md"):
        (tmp_path / "workspace" / name).write_text("Use pnpm.\n")

    def assembled() -> weakref.ref[Workspace]:
        counter = Holding(tokenizer_for_model(None))
        counter.workspace = Workspace()
        assemble(frozen_scenario(agent, tmp_path), counter.workspace, counter)
        return weakref.ref(counter.workspace)

    gc.collect(YOUNG)
    last = assembled()
    assembled()
    gc.collect(YOUNG)
    assert last() is None
