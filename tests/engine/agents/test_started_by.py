"""What the command line and the header of a captured run say of the params it had."""

from __future__ import annotations

from typing import Any

import pytest

from promptscope_engine.agents.claude_code import captured as claude_code
from promptscope_engine.agents.codex.agent import CODEX
from promptscope_engine.agents.gemini.agent import GEMINI
from promptscope_engine.agents.kit.sessions.command_line import options_from_argv
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.captures.model import Block, Content, Message, SentTool
from promptscope_engine.inputs.params import ParamField

FIELDS = [
    ParamField(name, title, "", kind, None, "")  # type: ignore[arg-type]
    for name, title, kind in [
        ("args.loud", "--loud", "bool"),
        ("args.name", "--name", "text"),
        ("args.dirs", "--dir", "object"),
        ("args.form", "--form", "object"),
        ("quiet", "quiet", "bool"),
    ]
]
TABLE = {
    "aliases": {"-n": "--name"},
    "also": {"--mode": "mode"},
    "json": {"--form": "args.form", "--mode": "modes"},
    "sets": {"--yolo": {"mode": "yolo"}},
}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", {}),
        ("x --mode plan", {"mode": "plan"}),
        ("x --mode=plan", {"mode": "plan"}),
        ("x --mode=a=b", {"mode": "a=b"}),
        ("x --mode=", {"mode": ""}),
        ("x --mode", {"mode": ""}),
        ("x --mode plan --mode ask", {"mode": "ask"}),
        ("x --moder plan quiet", {}),
        ("x --yolo", {"mode": "yolo"}),
        ("x --loud", {"args.loud": True}),
        ("x -n me", {"args.name": "me"}),
        ("x --dir a --dir=b c", {"args.dirs": ["a", "b"]}),
        ("x --dir", {"args.dirs": []}),
        ("--dir a --mode b", {"args.dirs": ["a"], "mode": "b"}),
        ('--form {"a":1}', {"args.form": {"a": 1}}),
        ("--form form.json", {"args.form": "form.json"}),
        ('--mode {"a":1}', {"modes": {"a": 1}}),
        ('--mode {"a":1} --mode plan', {"mode": "plan"}),
    ],
)
def test_options_and_their_values(command: str, said: dict[str, Any]) -> None:
    assert options_from_argv(command.split(), FIELDS, TABLE) == said


@pytest.mark.parametrize(
    ("command", "dirs"),
    [
        ("--dir a b --loud c", ["a", "b"]),
        ("--dir=a b", ["a"]),
        ("--dir a,b c,", ["a", "b", "c"]),
    ],
)
def test_lists_of_several_words_split_at_commas(command: str, dirs: list[str]) -> None:
    table = {"several": True, "split": ["--dir"]}
    assert options_from_argv(command.split(), FIELDS, table)["args.dirs"] == dirs
    assert options_from_argv(["--dir", "a", "b", "--dir=c"], FIELDS, {**table, "single": ["--dir"]})["args.dirs"] == [
        "a",
        "c",
    ]


@pytest.mark.parametrize(
    ("command", "agent", "headless"),
    [
        ("", "", False),
        ("claude", "", False),
        ("claude -p hi", "", True),
        ("claude --print hi", "", True),
        ("claude --prints", "", False),
        ("", "claude-cli/2.1.329 (external, sdk-cli)", True),
        ("claude", "claude-cli/2.1.329 (external, cli)", False),
        ("claude -p", "claude-cli/2.1.329 (external, cli)", True),
    ],
)
def test_claude_code(command: str, agent: str, headless: bool) -> None:
    assert claude_code.started_by(command.split(), agent) == {"args.print": headless}


def test_every_modelled_option_of_claude_code() -> None:
    command = ["claude", "--tools", "Bash,Edit  Read", "--disallowed-tools=", "--add-dir", "a", "b", "--add-dir", "c"]
    command += ["--bare", "--disable-slash-commands", "--exclude-dynamic-system-prompt-sections"]
    command += ["--settings", '{"includeGitInstructions": false}', "--dangerously-skip-permissions"]
    command += ["--agents", '{"a": {"description": "d", "prompt": "p"}}', "--json-schema", '{"type": "object"}']
    command += ["--effort", "high", "--mcp-config", "a.json", "{}", "--strict-mcp-config"]
    command += ["--plugin-dir", "p", "hi", "--plugin-dir", "q"]
    assert claude_code.started_by(command, "") == {
        "args.print": False,
        "args.tools": ["Bash", "Edit", "Read"],
        "args.disallowedTools": [],
        "args.addDir": ["a", "b", "c"],
        "args.bare": True,
        "args.disableSlashCommands": True,
        "args.excludeDynamicSystemPromptSections": True,
        "settings": {"includeGitInstructions": False},
        "mode": "bypassPermissions",
        "args.agents": {"a": {"description": "d", "prompt": "p"}},
        "args.jsonSchema": {"type": "object"},
        "args.effort": "high",
        "args.mcpConfig": ["a.json", "{}"],
        "args.strictMcpConfig": True,
        "args.pluginDir": ["p", "q"],
    }
    assert (
        claude_code.started_by(["claude", "--settings", "{}", "--settings", "s.json"], "")["args.settings"] == "s.json"
    )


@pytest.mark.parametrize(
    ("command", "agent", "entry"),
    [
        ("", "", "exec"),
        ("codex", "", "interactive"),
        ("codex exec hi", "", "exec"),
        ("codex e hi", "", "exec"),
        ("codex exec", "codex-tui/0.169.0", "interactive"),
        ("codex", "codex_exec/0.169.0", "exec"),
    ],
)
def test_codex(command: str, agent: str, entry: str) -> None:
    assert CODEX.started_by(command.split(), agent) == {"entry": entry}


@pytest.mark.parametrize(
    ("command", "headless"),
    [
        ("", True),
        ("gemini", False),
        ("gemini -p hi", True),
        ("gemini --prompt=hi", True),
        ("gemini --prompt-interactive hi", False),
        ("gemini hi", False),
    ],
)
def test_gemini(command: str, headless: bool) -> None:
    assert GEMINI.started_by(command.split(), "") == {"args.print": headless}


@pytest.mark.parametrize(
    ("agent", "command", "entry"),
    [
        ("opencode", "", "run"),
        ("opencode", "opencode run hi", "run"),
        ("opencode", "opencode", "interactive"),
        ("copilot", "", "prompt"),
        ("copilot", "copilot -p hi", "prompt"),
        ("copilot", "copilot --prompt=hi", "prompt"),
        ("copilot", "copilot", "interactive"),
    ],
)
def test_opencode_and_copilot(agent: str, command: str, entry: str) -> None:
    assert load_agent(agent).started_by(command.split(), "")["entry"] == entry


@pytest.mark.parametrize(
    ("model", "configured"),
    [
        ("gemini-3.8-flash", {("auto", "flash"), ("auto-gemini-3", "flash"), ("auto-gemini-2.5", "flash")}),
        ("gemini-3.1-pro-preview-customtools", {("auto", "pro"), ("auto-gemini-3", "pro")}),
        ("gemini-2.5-flash", set()),
        (None, set()),
    ],
)
def test_what_may_have_led_gemini_to_a_model(model: str | None, configured: set[tuple[str, str]]) -> None:
    assert configured <= {(str(each["model"]), str(each["routed"])) for each in GEMINI.alternatives(model)}
    assert bool(GEMINI.alternatives(model)) is bool(configured)


@pytest.mark.parametrize(
    ("texts", "prompt"),
    [
        ((), ""),
        (("hi",), "hi"),
        (("earlier", "later"), "later"),
        (("hi", "<system-reminder>\nBe kind.\n</system-reminder>"), "hi"),
        (("hi", "Image read successfully"), "hi"),
        (('"say hi"',), "say hi"),
        (('"say \\"hi\\" twice"',), 'say "hi" twice'),
        (('"hi"',), '"hi"'),
        (('"a" and "b',), '"a" and "b'),
    ],
)
def test_what_was_typed_into_opencode(texts: tuple[str, ...], prompt: str) -> None:
    """`opencode run` puts words with spaces in them into quotes."""
    sent = Content("chat", messages=tuple(Message("user", (Block(text),)) for text in texts))
    assert load_agent("opencode").params_from_request(sent)["prompt"] == prompt


@pytest.mark.parametrize(
    ("properties", "params"),
    [({"case_sensitive": {}}, {"ripgrep": True}), ({"pattern": {}}, {"ripgrep": False}), (None, {})],
)
def test_gemini_s_schema_of_the_search_tells_whether_ripgrep_was_found(
    properties: dict[str, Any] | None, params: dict[str, Any]
) -> None:
    tools = () if properties is None else (SentTool("grep_search", "", {"properties": properties}, ""),)
    assert GEMINI.params_from_request(Content("gemini", tools=tools)) == params
