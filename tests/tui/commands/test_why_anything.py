"""`why WORD` has an answer for anything that a person could name, set or not, in every agent by the same rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.support.repository import git, write

from promptscope_tui.cli import cli

FILES = {
    "repo/CLAUDE.md": "Use tabs.\nBoxes are blue.\n@docs/more.md\n",
    "repo/docs/more.md": "Count the\nboxes twice.\n",
    "repo/AGENTS.md": "Use tabs.\n",
    "repo/.claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}',
    "repo/.claude/output-styles/verse.md": "---\nname: verse\ndescription: x\n---\nSpeak in verse.\n",
    "repo/.mcp.json": '{"mcpServers": {"mail box": {"command": "none"}}}',
    "repo/.claude/agents/reviewer.md": "---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n",
    "home/.codex/config.toml": "",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    write(tmp_path, FILES)
    git(tmp_path / "repo", "init", "-q")
    return tmp_path


def why(root: Path, word: str, agent: str, *more: str) -> str:
    words = ["why", "--agent", agent, "--home", str(root / "home"), *more, "--", word, str(root / "repo")]
    done = CliRunner().invoke(cli, words)
    assert not done.exception or isinstance(done.exception, SystemExit), done.output
    return done.output


ANSWERS = [
    (
        "claude-code",
        "autoMemoryEnabled",
        "→ setting autoMemoryEnabled",
        "not set in ",
        "with false the prompt would differ: − Memory",
    ),
    ("claude-code", "permissions.deny", "set in .claude/settings.json:1"),
    ("claude-code", "permissions.allow", "takes a list of items"),
    (
        "claude-code",
        "DISABLE_TELEMETRY",
        "→ variable DISABLE_TELEMETRY",
        "not set",
        "to try it: --set env.DISABLE_TELEMETRY=1",
    ),
    ("claude-code", "MAX_THINKING_TOKENS", "no value that was tried changed its prompt"),
    ("claude-code", "--bare", "→ option --bare", "to try it: --set args.bare=true"),
    ("claude-code", "--allowedTools", "→ option --allowed-tools"),
    ("claude-code", "PreToolUse", "→ hook event PreToolUse", "no hook of this event is set here"),
    ("claude-code", "disable-model-invocation", "of the front matter of skill files", "takes true or false"),
    ("claude-code", "opus", "→ model opus", "stands for claude-opus"),
    ("claude-code", "claude-opus-4-5", "→ model claude-opus-4-5", "to try it: --model claude-opus-4-5"),
    ("claude-code", "Explanatory", "a value of outputStyle", "+ Output style"),
    ("claude-code", "mcp__mail_box__send", "✗ tool mcp:mail box"),
    ("claude-code", "mail_box", "✗ tool mcp:mail box", "waits for your approval", "assumed: interactive; otherwise "),
    ("claude-code", "@agent-reviewer", "✓ file .claude/agents/reviewer.md"),
    ("claude-code", "Boxes are blue", "✓ text", "from CLAUDE.md:2"),
    ("claude-code", "Count the boxes", "✓ text", "from docs/more.md:1"),
    ("claude-code", "Speak in verse", "✗ text", "output-styles/verse.md:5", "not in the prompt: `outputStyle`"),
    ("claude-code", "docs", "✓ file docs/more.md: imported"),
    (
        "claude-code",
        "CLAUD.md",
        "there is no such file; did you mean CLAUDE.md",
        "Claude Code does not look at this file",
    ),
    ("claude-code", "pkg/CLAUDE.md", "if there were one: loads when a file below pkg is read"),
    ("claude-code", ".claude/skills/x/SKILL.md", "if there were one: listed as kind skill"),
    ("claude-code", "bsah", "did you mean Bash?"),
    ("claude-code", "ENABLE_TOOL_SERCH", "did you mean ENABLE_TOOL_SEARCH"),
    ("codex", "AGENTS.override.md", "+ AGENTS.override.md, − AGENTS.md"),
    ("codex", "features.goals", "with false the prompt would differ", "create_goal"),
    ("codex", "mcp_servers.mail.enabled_tools", "→ setting mcp_servers.mail.enabled_tools", "takes a list of strings"),
    ("openclaw", "weather", "→ built-in skill weather", "nothing in this prompt names it"),
    ("codex", "CODEX_HOME", "→ input env.CODEX_HOME", "→ variable CODEX_HOME"),
    ("gemini", "tools.core", "only these built-in tools", "takes a list of strings"),
    ("gemini", "--yolo", "→ option --yolo", "to try it: --mode yolo"),
    ("gemini", "startup", "what the matchers of SessionStart have to fit"),
    ("opencode", "permission.edit", "with deny the prompt would differ: − edit, − write"),
    ("opencode", "general", "in the tool task"),
    ("copilot", "--deny-tool", "tools that are refused; they are offered all the same"),
    ("copilot", "--yolo", "→ option --allow-all"),
    ("openclaw", "bootstrapMaxChars", "→ setting agents.defaults.bootstrapMaxChars"),
    ("openclaw", "tools.profile", "takes one of minimal"),
    ("roo", "diffEnabled", "→ input diffEnabled", "with false the prompt would differ"),
]


@pytest.mark.parametrize(("agent", "word", "says"), [(agent, word, says) for agent, word, *says in ANSWERS])
def test_anything_that_can_be_named_has_an_answer(root: Path, agent: str, word: str, says: list[str]) -> None:
    said = why(root, word, agent)
    assert [each for each in says if each not in said] == [], said


def test_a_variable_that_is_set_says_where_and_what_it_does(root: Path) -> None:
    said = why(root, "DISABLE_TELEMETRY", "claude-code", "--set", "env.DISABLE_TELEMETRY=1")
    assert "  set\n" in said
    assert "without it the prompt would differ: ± Harness" in said


def test_what_nothing_has_is_said_with_the_agent_and_its_version(root: Path) -> None:
    said = why(root, "no such thing at all", "gemini")
    assert (
        "no part of this prompt, no file that it is made of and no setting, variable, option or model of gemini" in said
    )


@pytest.mark.parametrize("form", ["json", "plain", "markdown"])
@pytest.mark.parametrize("word", ["autoMemoryEnabled", "pkg/CLAUDE.md", "Boxes are blue", "opus", "ts"])
def test_every_form_has_the_answer(root: Path, word: str, form: str) -> None:
    assert why(root, word, "claude-code", "--format", form).strip()
