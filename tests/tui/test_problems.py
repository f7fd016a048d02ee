"""What the header counts is what `check --home` finds for the same scenario, for every agent."""

from __future__ import annotations

import json
from collections import Counter as Counts
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import commit, write

from promptscope_engine import Counter, Scenario, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_tui.cli import cli
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.unavailable import has_problems
from promptscope_tui.views.bars.top import Header

COUNTER = Counter(get_tokenizer("o200k_base"))
KEY = "AKIA" + "ABCDEFGH12345678"
FAULTY = f"""# Shop

Models are in `src/modles.py`. See @docs/missing.md

key = {KEY}
zero\u200bwidth, and the same passage is here more than once.

zero\u200bwidth, and the same passage is here more than once.
"""
FILES = {
    "src/models.py": "",
    "CLAUDE.md": FAULTY,
    "AGENTS.md": FAULTY,
    "GEMINI.md": FAULTY,
    "SOUL.md": FAULTY,
    ".claude/rules/never.md": '---\npaths: ["src/**/*.nothing"]\n---\nNever.\n',
    ".claude/settings.json": '{"permisions": {}, "env": 3}',
    ".gemini/settings.json": '{"contxt": {}, "context": {"fileFiltering": 3}}',
    ".codex/config.toml": 'project_doc_max_byte = 3\n[projects."/x"]\n',
    ".roomodes": "customModes:\n  - slug: a b\n    name: A\n    roleDefinition: R\n    groups: []\n",
    ".roo/rules/a.md": FAULTY,
    ".roorules": "Old.\n",
}
HOME = {".claude/CLAUDE.md": "@none.md\n", ".gemini/settings.json": '{"modle": 1}', ".codex/AGENTS.md": FAULTY}
SETTINGS = {
    "none": "",
    "levels": """[rules]
secret = "error"
unresolved-import = "info"
stale-reference = "error"
unmatched-rule = "warning"
unknown-setting = "error"
invalid-mode = "off"
suppressed = "info"
""",
    "ignored": """[[ignore]]
path = "*.md"
rules = ["secret", "unresolved-import"]
[[ignore]]
path = ".[gcr]*"
[[ignore]]
path = "AGENTS.md"
lines = [3, 6]
""",
    "sizes": """required = ["CLAUDE.md", "docs/never.md"]
forbidden = ["*.md"]
[[budget]]
tokens = 100
[[budget]]
file = "*.md"
tokens = 5
[[budget]]
agent = "roo"
mode = "architect"
tokens = 50
[growth]
against = "HEAD"
tokens = 1
""",
    "not valid": "[rules\n",
}
IN_FILES = "<!-- promptscope: ignore-file invisible-characters -->\n<!-- promptscope: ignore stale-reference -->\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("problems")
    commit(place / "shop", {"CLAUDE.md": "Tabs.\n", "AGENTS.md": "Tabs.\n", "GEMINI.md": "Tabs.\n"})
    write(place / "shop", FILES)
    write(place / "home", HOME)
    return place


def in_header(place: Path, agent: str, check: LiveCheck) -> dict[str, int]:
    """The numbers beside the header's marks."""
    asked = Scenario(agent=agent, workspace=str(place / "shop"), home=str(place / "home"), env={}, attended=True)
    for name, value in load_agent(agent).about.trusted.items():
        asked = asked.with_value(name, value)
    workspace = Workspace()
    assembly = assemble(asked, workspace, COUNTER)
    lazy = find_lazy_rules(*resolve(asked, workspace), workspace)
    found = check.find(asked, assembly, lazy, workspace, lambda: True)
    now = Snapshot(asked).with_found(assembly, found)
    assert now.unchecked == assembly
    header = Header()
    header.set_reactive(Header.assembly, now.assembly)
    said = "".join(span.text for each in header.parts(200)[1] for span in each.spans).split()
    counts = {mark: int(said[at + 1]) for at, mark in enumerate(said) if mark in "✗⚠"}
    assert has_problems(now) == bool(counts)
    return {"error": counts.get("✗", 0), "warning": counts.get("⚠", 0)}


def by_check(place: Path, agent: str) -> dict[str, int]:
    asked = ["check", str(place / "shop"), "--agent", agent, "--home", str(place / "home"), "--format", "json"]
    report = json.loads(CliRunner().invoke(cli, asked).stdout)
    counts = Counts(each["level"] for each in report["findings"])
    return {level: counts[level] for level in ("error", "warning")}


@pytest.mark.parametrize("agent", agent_ids())
def test_the_header_counts_what_a_check_finds(
    agent: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    check, seen = LiveCheck(COUNTER), set()
    for name, text in {**SETTINGS, "comments": ""}.items():
        write(place / "shop", {".promptscope.toml": text})
        if name == "comments":
            write(place / "shop", dict.fromkeys(("CLAUDE.md", "AGENTS.md", "GEMINI.md", "SOUL.md"), IN_FILES + FAULTY))
        counted = in_header(place, agent, check)
        if name != "not valid":  # a check refuses; the app goes on without
            assert counted == by_check(place, agent), name
        seen.add(tuple(counted.values()))
    write(place / "shop", FILES)
    assert len(seen) > 3, "the settings make a difference"
