"""What an agent can ask over MCP, without the protocol; tests/mcp has that."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.support.repository import commit, write

from promptscope_tui.cli import cli
from promptscope_tui.commands.mcp import MOST, TOOLS, QuestionError, Toolbox, schema_of
from promptscope_tui.output import exits

pytestmark = pytest.mark.slow

FILES = {
    "CLAUDE.md": "# Shop\nPrices are integers.\n@docs/none.md\n",
    ".claude/rules/zig.md": "---\npaths: src/**/*.zig\n---\nZig has tabs.\n",
    ".claude/rules/py.md": "---\npaths: src/**/*.py\n---\nPython has spaces.\n",
    "src/a.py": "",
    "web/CLAUDE.md": "Web has tabs.\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    commit(folder, FILES)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def tools(shop: Path) -> Toolbox:
    return Toolbox([str(shop)], agent="claude-code")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolbox]:
    """For questions that change nothing: what is read for one is there for the next."""
    folder = tmp_path_factory.mktemp("kept")
    commit(folder / "shop", FILES)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROMPTSCOPE_CACHE", str(folder / "cache"))
        yield Toolbox([str(folder / "shop")], agent="claude-code", home=str(folder / "home"))


def refused(tools: Toolbox, name: str, **arguments: Any) -> str:
    with pytest.raises(QuestionError) as error:
        tools.answer(name, arguments)
    return str(error.value)


def test_the_prompt_and_one_section_of_it(kept: Toolbox) -> None:
    assert "Prices are integers." in kept.answer("show_prompt", {"start": 0, "section": "CLAUDE.md"})
    assert "absent:" in kept.answer("show_prompt", {})
    assert "no section 'none of these'" in refused(kept, "show_prompt", section="none of these")


def test_what_it_costs_and_what_never_loads(kept: Toolbox) -> None:
    text = kept.answer("tokens", {})
    assert "the whole request" in text
    assert "never loads: no file matches src/**/*.zig" in text
    assert "loaded by 1 file: src/a.py" in text
    assert "loads when a file below web is read" in text


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("Bash", "✓ tool Bash"),
        ("zig.md", "never loads: no file matches src/**/*.zig (of 5 files)"),
        ("py.md", "loaded by 1 file: src/a.py"),
        ("web/CLAUDE.md", "loads when a file below web is read"),
    ],
)
def test_why(kept: Toolbox, item: str, words: str) -> None:
    assert words in kept.answer("why", {"item": item})


def test_what_if(tools: Toolbox) -> None:
    assert "✓ file .claude/rules/py.md" in tools.answer("why", {"item": "py.md", "reads": ["src/a.py"]})
    assert "run_in_background" in tools.answer("why", {"item": "Bash"})
    assert "run_in_background" not in tools.answer("why", {"item": "Bash", "switches": {"args.bare": True}})
    assert "args.bare is one of on, off, not 'maybe'" in refused(
        tools, "why", item="Bash", switches={"args.bare": "maybe"}
    )


def test_check_and_diff(tools: Toolbox, shop: Path) -> None:
    assert "CLAUDE.md:3: unresolved-import: docs/none.md" in tools.answer("check", {})
    assert "no difference" in tools.answer("diff", {"before": "git:HEAD"})
    write(shop, {"CLAUDE.md": "# Shop\nPrices are decimals.\n"})
    changed = tools.answer("diff", {"before": "git:HEAD"})
    assert "git:HEAD → work tree" in changed
    assert "decimals" in changed
    assert "decimals" not in tools.answer("diff", {"before": "git:HEAD", "texts": False})
    commit(shop, {})
    assert "git:HEAD~1 → git:HEAD" in tools.answer("diff", {"before": "git:HEAD~1..HEAD"})
    assert "agent:codex → this prompt" in tools.answer("diff", {"before": "agent:codex", "texts": False})
    assert "mode:plan → mode:default" in tools.answer("diff", {"before": "mode:plan", "after": "mode:default"})


def test_a_save_is_seen_and_nothing_is_read_twice(tools: Toolbox, shop: Path) -> None:
    tools.answer("tokens", {})
    reads = tools.workspace.reads
    tools.answer("why", {"item": "Bash"})
    assert tools.workspace.reads == reads
    write(shop, {"CLAUDE.md": "# Shop\nSaved.\n"})
    assert "Saved." in tools.answer("show_prompt", {"section": "CLAUDE.md"})
    assert tools.workspace.reads == reads + 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("show_prompt", {"folder": "/etc"}),
        ("show_prompt", {"folder": "../other"}),
        ("show_prompt", {"folder": "away"}),
        ("check", {"folder": ".."}),
        ("diff", {"before": "git:HEAD", "folder": "../other"}),
        ("tokens", {"reads": ["../other/a.py"]}),
    ],
)
def test_no_other_folder_can_be_named(tools: Toolbox, shop: Path, name: str, arguments: dict[str, Any]) -> None:
    write(shop.parent / "other", {"CLAUDE.md": "elsewhere\n"})
    write(shop, {"away": "-> ../other"})
    assert "is outside of what may be asked about" in refused(tools, name, **arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("none", {}, "there is no tool 'none': there are show_prompt, why, tokens, check, diff"),
        ("why", {}, "item: field required"),
        ("why", {"itm": "x", "item": "y"}, "itm: unknown key 'itm' (did you mean item?)"),
        ("why", {"item": "nothing of it"}, "is called 'nothing of it'"),
        ("why", {"item": "x", "switches": {"args.addDir": ["/etc"]}}, "unknown switch 'args.addDir'"),
        ("tokens", {"agent": "promptscope-agent.toml"}, "unknown agent 'promptscope-agent.toml'"),
        ("tokens", {"folder": "a\0b"}, "no path can be 'a\\x00b'"),
        ("tokens", {"folder": "none"}, "there is no folder 'none'"),
        ("tokens", {"start": 10**9}, "start: the answer has "),
        ("diff", {"before": "scenario.yaml"}, "'scenario.yaml' is not a side"),
        ("diff", {"before": "agent:/etc/agent.toml"}, "unknown agent '/etc/agent.toml'"),
        ("diff", {"before": "git:nowhere"}, "nowhere"),
        ("diff", {"before": "git:a..b", "after": "mode:plan"}, "git:a..b names both sides"),
    ],
)
def test_what_cannot_be_answered(kept: Toolbox, name: str, arguments: dict[str, Any], words: str) -> None:
    assert words in refused(kept, name, **arguments)


def test_a_folder_below_and_a_second_one(shop: Path) -> None:
    other = shop.parent / "other"
    write(other, {"AGENTS.md": "Elsewhere.\n"})
    tools = Toolbox([str(shop), str(other)])
    assert "Web has tabs." in tools.answer("show_prompt", {"folder": "web", "agent": "claude-code"})
    asked = {"folder": str(other), "agent": "codex", "item": "AGENTS.md"}
    assert "✓ file AGENTS.md" in tools.answer("why", asked)


def test_a_long_answer_is_cut_and_goes_on(tools: Toolbox, shop: Path) -> None:
    lines = [f"- rule {number} is unlike the others" for number in range(1500)]
    write(shop, {"CLAUDE.md": "\n".join(lines)})
    text, start = "", 0
    for _ in range(10):
        part = tools.answer("show_prompt", {"section": "CLAUDE.md", "start": start})
        assert len(part) < MOST + 200
        body, cut, how = part.partition("\n\n[")
        text += body + "\n"
        if not cut:
            break
        assert "characters were cut" in how
        start = int(how.partition("start=")[2].split()[0])
    assert [line for line in text.splitlines() if line.startswith("- rule")] == lines


def test_no_control_character_reaches_the_agent(tools: Toolbox, shop: Path) -> None:
    write(shop, {"CLAUDE.md": "a\x1b[31mb\u202ec\n"})
    text = tools.answer("show_prompt", {"section": "CLAUDE.md"})
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_every_argument_is_described() -> None:
    for tool in TOOLS:
        schema = schema_of(tool)
        assert schema["additionalProperties"] is False
        assert all(each["description"] for each in schema["properties"].values())


@pytest.mark.usefixtures("shop")
def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "promptscope_tui.commands.mcp_server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp", None)
    result = CliRunner().invoke(cli, ["mcp"])
    assert result.exit_code == exits.WRONG_USE
    assert "--extra mcp" in result.stderr
    assert result.stdout == ""
    assert "show_prompt" in CliRunner().invoke(cli, ["mcp", "--help"]).stdout
    assert CliRunner().invoke(cli, ["mcp", "--agent", "cloude-code"]).exit_code != exits.OK
