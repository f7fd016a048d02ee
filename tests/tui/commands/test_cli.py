"""The headless commands: every command, format, error and exit code, as a user or a script meets them."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from promptscope_engine import Scenario, __version__, assemble
from promptscope_engine.prompt.model import Diagnostic
from promptscope_tui.cli import cli
from promptscope_tui.commands.table import COMMANDS
from promptscope_tui.output import exits
from promptscope_tui.output import stdout as output

AGENT = ["--agent", "roo", "--mode", "code"]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with rules; home and cache are empty folders."""
    home, folder = tmp_path / "home", tmp_path / "shop"
    for made in (home, folder / ".roo" / "rules"):
        made.mkdir(parents=True)
    (folder / "AGENTS.md").write_text("# Shop\n\nUse pnpm.\n")
    (folder / ".roo" / "rules" / "style.md").write_text("Naïve tabs.\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "PROMPTSCOPE_STATE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def data(*args: str) -> Any:
    return json.loads(run(*args, "--format", "json").stdout)


def process(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "promptscope_tui", *args]
    return subprocess.run(command, capture_output=True, check=False, timeout=60, **options)


# --- show -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("shop")
@pytest.mark.slow
def test_plain_is_the_system_text_to_the_byte(shop: Path) -> None:
    wanted = assemble(Scenario(agent="roo", mode="code", workspace=str(shop))).system_text
    done = process("show", *AGENT, "--format", "plain")
    assert done.returncode == exits.OK
    assert done.stdout == wanted.encode()
    assert b"Na\xc3\xafve tabs." in done.stdout
    assert done.stderr == b""


def test_json_is_the_assembly(shop: Path) -> None:
    got = data("show", *AGENT)
    wanted = assemble(Scenario(agent="roo", mode="code", workspace=str(shop))).to_dict()
    assert got == json.loads(json.dumps(wanted))
    assert got["schema"] == "promptscope.assembly.v1"


@pytest.mark.usefixtures("shop")
def test_text_says_sizes_sources_and_reasons() -> None:
    text = run("show", *AGENT).stdout
    assert text.startswith("roo 3.28.16 › code   ")
    assert "of 200,000 tokens" in text
    assert ".roo/rules/style.md:1" in text
    assert "absent: " in text
    assert "Use pnpm." in text
    assert "\x1b" not in text


@pytest.mark.usefixtures("shop")
def test_markdown_is_a_report_with_a_table_and_safe_fences(shop: Path) -> None:
    (shop / "AGENTS.md").write_text("````\ncode\n````\n")
    report = run("show", *AGENT, "--format", "markdown").stdout
    assert report.startswith("# roo 3.28.16 › code\n")
    assert "| section | tokens | share | origin, or why not |\n| --- | ---: | ---: | --- |\n" in report
    assert "`````text\n" in report


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("name", ["rules", "RULES", "Rules"])
def test_one_section(name: str) -> None:
    text = run("show", *AGENT, "--section", name, "--format", "plain").stdout
    assert text.startswith("====\n\nRULES\n\n")
    assert data("show", *AGENT, "--section", name)["id"] == "rules"


@pytest.mark.parametrize("form", ["text", "plain", "markdown", "html", "json"])
def test_a_section_is_printed_with_what_is_nested_in_it(shop: Path, form: str) -> None:
    (shop / "AGENTS.md").write_text("Count in cents.\n")
    printed = run("show", *AGENT, "--section", "custom_instructions", "--format", form).stdout
    assert "USER'S CUSTOM INSTRUCTIONS" in printed.replace("&#x27;", "'")
    assert "Count in cents." in printed
    assert "MARKDOWN RULES" not in printed, "but nothing else"
    if form == "json":
        assert {each["parent"] for each in json.loads(printed)["nested"]} == {"custom_instructions"}


@pytest.mark.usefixtures("shop")
def test_an_unknown_section_names_the_nearest() -> None:
    result = run("show", *AGENT, "--section", "capabilites", code=exits.WRONG_USE)
    assert "did you mean capabilities" in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("args", [[], AGENT, ["."], ["open"]])
def test_without_a_terminal_the_prompt_is_printed(args: list[str]) -> None:
    assert run(*args).stdout == run("show", *[arg for arg in args if arg != "open"]).stdout


# --- the scenario ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("setting", "where", "wanted"),
    [
        ("diffEnabled=false", ["diffEnabled"], False),
        ("diffEnabled=off", ["diffEnabled"], False),
        ("params.diffEnabled=false", ["diffEnabled"], False),
        ("settings.maxConcurrentFileReads=1", ["settings", "maxConcurrentFileReads"], 1),
        ("codeIndex={enabled: true, configured: true, initialized: true}", ["codeIndex", "initialized"], True),
        ('codeIndex={"enabled": true}', ["codeIndex", "enabled"], True),
        ("diffStrategy=null", ["diffStrategy"], None),
        ("globalCustomInstructions=a: b = c", ["globalCustomInstructions"], "a: b = c"),
    ],
)
def test_set_takes_json_yaml_and_text(
    monkeypatch: pytest.MonkeyPatch, setting: str, where: list[str], wanted: object
) -> None:
    from promptscope_engine.assembly import assembler

    seen: list[Any] = []
    real = assembler.resolve

    def resolve(*args: Any) -> Any:
        agent, inputs = real(*args)
        seen.append(inputs.params.model_dump())
        return agent, inputs

    monkeypatch.setattr(assembler, "resolve", resolve)
    run("show", *AGENT, "--set", setting)
    value = seen[-1]
    for name in where:
        value = value[name]
    assert value == wanted


@pytest.mark.usefixtures("shop")
def test_set_reaches_the_other_keys_of_the_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ["mode=ask", "environment.date=2026-01-02", "env.PORT=8080", "reads=[a.md]", "agent_version=3.28.16"]
    seen: list[Scenario] = []
    monkeypatch.setattr("promptscope_tui.commands.options.assemble", _keep(seen))
    with pytest.raises(SystemExit):
        cli(["show", "--agent", "roo", *[word for setting in settings for word in ("--set", setting)]])
    scenario = seen[0]
    assert (scenario.mode, scenario.environment.date, scenario.reads) == ("ask", "2026-01-02", ["a.md"])
    assert scenario.agent_version == "3.28.16"
    assert scenario.env is not None
    assert (scenario.env["PORT"], scenario.env["HOME"]) == ("8080", os.environ["HOME"])


def _keep(seen: list[Scenario]) -> Any:
    def assemble_(scenario: Scenario, *_: Any, **__: Any) -> Any:
        seen.append(scenario)
        raise click.Abort

    return assemble_


@pytest.mark.parametrize("suffix", ["json", "yaml", "toml"])
@pytest.mark.slow
def test_options_lie_over_the_scenario_file(shop: Path, suffix: str) -> None:
    values = {"agent": "roo", "mode": "ask", "params": {"diffEnabled": False, "language": "fr"}}
    text = {
        "json": json.dumps(values),
        "yaml": yaml.safe_dump(values),
        "toml": 'agent = "roo"\nmode = "ask"\n[params]\ndiffEnabled = false\nlanguage = "fr"\n',
    }[suffix]
    file = shop / f"scenario.{suffix}"
    file.write_text(text)
    got = data("show", "--scenario", str(file))
    assert (got["mode"], got["workspace"]) == ("ask", str(shop))
    got = data("show", "--scenario", str(file), "--mode", "code", "--set", "diffEnabled=true")
    assert got["mode"] == "code"
    assert next(t for t in got["tools"] if t["name"] == "apply_diff")["present"]
    assert (
        "fr" in next(s for s in got["sections"] if s["id"] == "custom_instructions.language")["fragments"][-2]["text"]
    )


def test_home_and_workspace(shop: Path) -> None:
    home = shop.parent / "other-home"
    home.mkdir()
    (shop / "deep").mkdir()
    got = data("show", *AGENT, "--home", str(home), "--workspace", str(shop / "deep"))
    assert (got["home"], got["workspace"]) == (str(home), str(shop / "deep"))


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["show", "nowhere"], exits.WRONG_USE, "no such folder: nowhere"),
        (["show", "AGENTS.md"], exits.WRONG_USE, "AGENTS.md is not a folder"),
        (["shwo"], exits.WRONG_USE, "and no such command; did you mean show"),
        (["matrix"], exits.WRONG_USE, "and no such command; did you mean agents?"),
        (["xyzzyq"], exits.WRONG_USE, "and no such command: see --help"),
        (["--agent", "roo", "show"], exits.WRONG_USE, "a command comes first: promptscope show"),
        (["show", "--format", "xml"], exits.WRONG_USE, "'xml' is not one of"),
        (["show", "--set", "diffEnabled"], exits.WRONG_USE, "'diffEnabled' is not NAME=VALUE"),
        (["show", "--set", ".a=1"], exits.WRONG_USE, "is not NAME=VALUE"),
        (["show", "--set", "codeIndex={a"], exits.WRONG_USE, "neither JSON nor YAML"),
        (["show", "--scenario", "missing.json"], exits.WRONG_USE, "does not exist"),
        (["show", "--home", "nowhere"], exits.WRONG_USE, "does not exist"),
        (["show", ".", "--workspace", ".roo"], exits.WRONG_USE, "name different workspaces"),
        (["why"], exits.WRONG_USE, "Missing argument 'ITEM'"),
        (["schema", "prompt"], exits.WRONG_USE, "is not one of"),
        (["show", "--agent", "rooo"], exits.CANNOT_ASSEMBLE, "did you mean roo?"),
        (["show", "--set", "diffEnbled=true"], exits.CANNOT_ASSEMBLE, "did you mean diffEnabled or mcpEnabled?"),
        (["show", "--set", "settings.todoList=true"], exits.CANNOT_ASSEMBLE, "did you mean todoListEnabled?"),
        (["show", "--set", "environment.shel=x"], exits.CANNOT_ASSEMBLE, "did you mean shell?"),
        (["show", "--set", "diffEnabled=perhaps"], exits.CANNOT_ASSEMBLE, "params.diffEnabled"),
        (["show", "--tokenizer", "o200k"], exits.CANNOT_ASSEMBLE, "o200k_base"),
        (["agents", "rooo"], exits.CANNOT_ASSEMBLE, "did you mean roo?"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_errors_are_clear_and_leave_stdout_empty(args: list[str], code: int, says: str) -> None:
    if args[0] == "show" and "--agent" not in args:
        args = [*args, "--agent", "roo"]
    result = run(*args, code=code)
    assert says in result.stderr
    assert result.stderr.startswith("promptscope: ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ('{"workspace": "WORKSPACE/.roo"}', exits.WRONG_USE, "name different workspaces"),
        ('{"workspace": "/nowhere/at/all"}', exits.CANNOT_ASSEMBLE, "workspace: no such folder: /nowhere/at/all"),
        ('{\n "agnet": "roo"}', exits.CANNOT_ASSEMBLE, "s.json:2: agnet: unknown key 'agnet' (did you mean agent or"),
        ("{", exits.CANNOT_ASSEMBLE, "s.json:1: "),
    ],
)
def test_errors_of_a_scenario_file(shop: Path, text: str, code: int, says: str) -> None:
    (shop / "s.json").write_text(text.replace("WORKSPACE", str(shop)))
    path = ["."] if code == exits.WRONG_USE else []
    assert says in run("show", *path, "--scenario", "s.json", code=code).stderr


def test_path_and_scenario_may_agree(shop: Path) -> None:
    (shop / "s.json").write_text(json.dumps({"agent": "roo", "workspace": str(shop)}))
    assert run("show", ".", "--scenario", "s.json").stdout


def test_diagnostics_go_to_stderr_with_their_place(shop: Path) -> None:
    (shop / ".roomodes").write_text("customModes: [\n")
    result = run("tools", "--agent", "roo")
    line = result.stderr.splitlines()[0]
    assert line.startswith(f"{shop}/.roomodes:")
    assert ": error: " in line
    assert ".roomodes" not in result.stdout


def test_a_diagnostic_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    exits.report([Diagnostic("warning", "x", "odd\x1b[31m"), Diagnostic("info", "y", "fine", "a.md")], verbose=True)
    assert capsys.readouterr().err == "promptscope: warning: odd␛[31m\na.md: info: fine\n"


# --- the other commands ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("shop")
def test_tools() -> None:
    text = run("tools", *AGENT).stdout
    assert "✓  read_file " in text
    assert "✗  codebase_search" in text
    assert "the code index is not ready" in text
    found = data("tools", *AGENT)
    assert {tool["name"]: tool["present"] for tool in found}["codebase_search"] is False
    assert run("tools", *AGENT, "--format", "plain").stdout.splitlines()[0].split("\t")[:2] == ["✓", "read_file"]
    assert run("tools", *AGENT, "--format", "markdown").stdout.splitlines()[1].startswith("| --- |")


@pytest.mark.usefixtures("shop")
def test_files() -> None:
    text = run("files", *AGENT).stdout
    assert "● always" in text
    assert "✗ not loaded" in text
    assert "AGENTS.md" in text
    found = {file["path"]: file for file in data("files", *AGENT)}
    assert any(path.endswith("style.md") and file["present"] for path, file in found.items())


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("item", "says"),
    [
        ("codebase_search", ["✗ tool codebase_search", "to add it: --set codeIndex", "✓ query, required"]),
        ("mcp servers", ["✗ section", "no MCP server is configured"]),
        ("rules", ["✓ section rules (RULES)", "from built-in wording", "parts are absent", "supportsComputerUse"]),
        ("style.md", ["✓ file .roo/rules/style.md", "kind rules", "bytes"]),
        ("./AGENTS.md", ["✓ file AGENTS.md"]),
        ("execute_comm", ["✓ tool execute_command"]),
    ],
)
@pytest.mark.slow
def test_why(item: str, says: list[str]) -> None:
    text = run("why", item, *AGENT).stdout
    assert [word for word in says if word not in text] == []
    assert [found["why"]["text"] for found in data("why", item, *AGENT)]
    assert "\t" in run("why", item, *AGENT, "--format", "plain").stdout
    assert "```text" in run("why", item, *AGENT, "--format", "markdown").stdout


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("item", "path", "mode", "allowed"),
    [
        ("write_to_file", "src/a.ts", "architect", False),
        ("write_to_file", "AGENTS.md", "architect", True),
        ("write_to_file", "src/a.ts", "ask", False),
        ("architect", "src/a.ts", "code", False),
        ("code", "src/a.ts", "ask", True),
    ],
)
def test_why_answers_whether_a_mode_may_edit_a_file(item: str, path: str, mode: str, allowed: bool) -> None:
    asked = ("why", item, "--path", path, "--agent", "roo", "--mode", mode)
    assert f"  {path}: {'yes' if allowed else 'no'}\n" in run(*asked).stdout
    [found] = data(*asked)
    assert found["path"]["allowed"] is allowed
    assert found["path"]["steps"][-1]["ok"] is allowed


@pytest.mark.parametrize(
    ("item", "agent", "says"),
    [
        (
            "ENABLE_TOOL_SEARCH",
            "claude-code",
            "→ input env.ENABLE_TOOL_SEARCH\n  the version is 2.1.332, not before 2.1.329",
        ),
        ("messagetoolhints", "openclaw", "→ input promptParams.messageToolHints\n  the message has no channel"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_why_finds_an_input_by_its_last_name(item: str, agent: str, says: str) -> None:
    assert run("why", item, "--agent", agent).stdout.startswith(says)


@pytest.mark.usefixtures("shop")
def test_why_lists_the_files_that_a_mode_may_edit() -> None:
    text = run("why", "architect", *AGENT).stdout
    assert r"edits only files that match \.md$ (Markdown files only), built in" in text
    assert "· AGENTS.md" in text
    [found] = data("why", "architect", *AGENT)
    assert found["edits_only"]["pattern"] == r"\.md$"
    assert found["edits"]["files"] == [".roo/rules/style.md", "AGENTS.md"]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("item", "agent", "says"),
    [
        ("read_file", "roo", "--path asks about a tool that edits"),
        ("Edit", "claude-code", "no mode of claude-code says which files it may edit"),
    ],
)
def test_why_cannot_ask_about_every_path(item: str, agent: str, says: str) -> None:
    assert says in run("why", item, "--path", "a.ts", "--agent", agent, code=exits.WRONG_USE).stderr


@pytest.mark.usefixtures("shop")
def test_the_levers_of_why_act() -> None:
    line = next(line for line in run("why", "generate_image", *AGENT).stdout.splitlines() if "to add it" in line)
    option, setting = line.partition(": ")[2].split()
    tools = data("tools", *AGENT, option, setting)
    assert next(tool for tool in tools if tool["name"] == "generate_image")["present"]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("item", "says"),
    [("codebase_serch", "did you mean codebase_search"), ("§", "see `promptscope")],
)
def test_why_not_found(item: str, says: str) -> None:
    assert says in run("why", item, *AGENT, code=exits.WRONG_USE).stderr


@pytest.mark.usefixtures("shop")
def test_why_lists_what_a_word_is_a_part_of() -> None:
    lines = run("why", "file", *AGENT).stdout.splitlines()
    assert "✓ tool read_file: offered" in lines
    assert len(lines) > 5


@pytest.mark.usefixtures("shop")
def test_why_of_a_file_that_is_not_there_says_what_one_would_do() -> None:
    said = run("why", ".roo/rules-code/none.md", "--agent", "roo", "--mode", "code").stdout
    assert (
        "✗ file .roo/rules-code/none.md\n  there is no such file\n  if there were one: read as kind mode-rules" in said
    )
    assert "the prompt would differ: + " in said


@pytest.mark.usefixtures("shop")
def test_tokens() -> None:
    text = run("tokens", *AGENT).stdout
    assert "of 200,000 tokens" in text
    assert "█" in text
    assert "tools of edit (in the sections above)" in text
    found = data("tokens", *AGENT)
    top = [line for line in text.splitlines() if line.startswith("tools  ")]
    inside = sum(s["expected_tokens"] for s in found["sections"] if s["id"] == "tools" or s["parent"] == "tools")
    assert f"≈{inside:,}" in top[0]
    assert abs(sum(s["expected_tokens"] for s in found["sections"]) - found["summary"]["expected"]) < 60
    assert run("tokens", *AGENT, "--format", "plain").stdout.startswith("role\t")


@pytest.mark.parametrize("args", [["scenario"], ["assembly"], ["scenario", "--agent", "roo"]])
def test_schema(args: list[str]) -> None:
    found = json.loads(run("schema", *args).stdout)
    assert found["$id"].startswith("promptscope.")
    if "--agent" in args:
        assert "diffEnabled" in found["properties"]["params"]["properties"]


@pytest.mark.slow
def test_agents() -> None:
    assert "3.28.16" in run("agents").stdout
    assert "architect" in run("agents").stdout
    roo = next(agent for agent in data("agents") if agent["id"] == "roo")
    assert roo["modes"] == data("agents", "roo")["modes"]
    architect, code = roo["modes"][:2]
    assert (architect["slug"], architect["source"], code["edits_only"]) == ("architect", "built in", None)
    assert {key: architect["edits_only"][key] for key in ("pattern", "description")} == {
        "pattern": r"\.md$",
        "description": "Markdown files only",
    }
    text = run("agents", "roo").stdout
    assert "architect edits only files that match \\.md$ (Markdown files only), built in" in text
    assert "diffEnabled" in text
    assert "settings.maxConcurrentFileReads" in text
    assert "multi-search-replace" in text
    fields = {field["name"]: field for field in data("agents", "roo")["params"]}
    assert fields["diffEnabled"]["default"] is True


def test_locate(shop: Path) -> None:
    home = shop.parent / "home"
    found = data("locate")
    assert found["cache"] == str(shop.parent / "cache")
    assert str(home) in found["state"]
    assert "token counts" in run("locate").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_is_complete(name: str) -> None:
    text = run(name, "--help").stdout
    assert "Examples:" in text
    assert f"promptscope {name}" in text or name == "open"
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_the_help_lists_the_commands() -> None:
    text = run("--help").stdout
    assert all(name in text for name in COMMANDS)
    assert "Exit codes" in text


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version(option: str) -> None:
    assert run(option).stdout == f"promptscope {__version__}\n"
    assert process(option).stdout == f"promptscope {__version__}\n".encode()


# --- streams and codes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (click.Abort(), exits.INTERRUPTED),
        (KeyboardInterrupt(), exits.INTERRUPTED),
        (BrokenPipeError(), exits.OK),
        (click.exceptions.Exit(exits.CHECK_FAILED), exits.CHECK_FAILED),
    ],
)
def test_what_ends_quietly(raised: BaseException, code: int, capfd: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise raised

    assert exits.guard(fails) == code
    assert capfd.readouterr() == ("", "")


def test_a_mistake_of_ours_is_no_failed_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert exits.guard(lambda: 1 // 0) == exits.CANNOT_ASSEMBLE
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.usefixtures("shop")
@pytest.mark.slow
def test_a_reader_that_had_enough() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "promptscope_tui", "show", *AGENT], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == exits.OK


@pytest.mark.usefixtures("shop")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.slow
@pytest.mark.parametrize("words", [["show", *AGENT, "--format", "plain"], ["--version"]], ids=["show", "version"])
def test_a_full_disk_is_said(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "promptscope_tui", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode == exits.CANNOT_ASSEMBLE
    assert os.strerror(errno.ENOSPC) in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("naïve 字", "naïve 字".encode()),
        ("name\udcff.md", b"name\xff.md"),
        ("half \ud83d pair", b"half \xef\xbf\xbd pair"),
        ("both \ud83d \udcff", b"both \xef\xbf\xbd \xff"),
    ],
)
def test_surrogates(text: str, wanted: bytes) -> None:
    assert output.encoded(text) == wanted


def test_json_escapes_what_a_terminal_would_act_on(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    value = {"text": "ä\x1b[31m\x9b\u202e\ud83d \udcff\U0001f468", "rest": ["字\n"]}
    output.put_json(value)
    printed = capsysbinary.readouterr().out
    assert all(character.encode() not in printed for character in "\x1b\x9b\u202e")
    assert "ä".encode() in printed
    assert json.loads(printed) == value


@pytest.mark.parametrize(
    ("command", "form"),
    [
        *product(["show", "tokens", "tools", "files", "why", "window"], ["text", "markdown"]),
        ("show", "html"),
    ],
)
def test_what_a_terminal_would_act_on_is_shown_to_a_pipe_too(shop: Path, command: str, form: str) -> None:
    rule = shop / ".roo" / "rules" / "x\x1b[2J\u202e.md"
    rule.write_text("a\x1b]0;owned\x07b\x9bc\u202e\r\n")
    item = ["rules"] if command == "why" else []
    done = run(command, *item, *AGENT, "--format", form)
    assert not [sign for sign in ("\x1b", "\x07", "\x9b", "\u202e", "\r") if sign in done.stdout + done.stderr]
    assert command != "show" or "␛]0;owned␇b" in done.stdout


def test_a_table_keeps_a_cell_on_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    table = output.Table(("name", "size"), [("a\nb|c\td", "1"), ("字", "12")], frozenset({"size"}))
    table.put("plain")
    assert capsys.readouterr().out == "a b|c d\t1\n字\t12\n"
    table.put("markdown")
    assert "| a b\\|c d | 1 |" in capsys.readouterr().out
    table.put("text")
    assert capsys.readouterr().out == "name     size\na b|c d     1\n字         12\n"


@pytest.mark.usefixtures("shop")
def test_a_version_that_is_not_modelled_is_answered_by_the_nearest() -> None:
    result = run("show", "--agent", "roo", "--agent-version", "3.28.61", code=exits.OK)
    assert "3.28.61" in result.stderr
    assert result.stdout.startswith("roo 3.28.16 ")


def test_the_settings_decide_what_nothing_else_says(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CONFIG", str(shop.parent / "config"))
    (shop.parent / "config").mkdir()
    (shop.parent / "config" / "settings.toml").write_text(
        'agent = "openclaw"\ntokenizer = "cl100k_base"\nmuse = true\n'
    )
    done = run("tokens", "--format", "json")
    assert "settings.toml:3: unknown key 'muse' (did you mean mouse?)" in done.stderr
    assert "cl100k_base" in done.stdout
    assert data("show")["agent"] == "openclaw"
    assert data("show", "--agent", "roo", "--tokenizer", "o200k_base")["agent"] == "roo"


CANNOT_RUN = [
    "calibrate",
    "capture",
    "captures",
    "import",
    "learn",
    "mcp-list",
    "mcp",
    "serve",
    "watch",
    "shell-completion",
    "transcript",
    "verify",
    "diff",
    "check",
]
"""Commands whose examples take a server, a terminal, a recording or a repository of one's own."""


def printed_examples(name: str) -> list[tuple[str, str]]:
    """(what goes to stdin, the command) of each example that a command's help prints, without what follows a pipe; but
    none that names a file of one's own or asks a provider."""
    found = []
    for line in run(name, "--help").stdout.splitlines():
        given = re.match(r"\s+(?:echo '(?P<input>[^']*)' \| )?(?P<command>promptscope [^|>#]*)", line)
        if (
            given
            and "$(" not in line
            and "--exact" not in line
            and "~/" not in line
            and not re.search(r"\.(?:yaml|jsonl|har)\b", line)
        ):
            found.append((given["input"] or "", given["command"].strip()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*COMMANDS} - {*CANNOT_RUN}))
@pytest.mark.usefixtures("shop")
def test_the_examples_of_a_help_run_as_printed(name: str) -> None:
    for given, command in printed_examples(name):
        result = CliRunner().invoke(cli, shlex.split(command)[1:], input=given)
        assert result.exit_code == exits.OK, (command, result.output[-500:])


@pytest.mark.parametrize("command", ["show", "tokens", "window", "tools"])
def test_a_number_without_an_end_in_a_setting_is_not_in_json(command: str, tmp_path: Path) -> None:
    settings = tmp_path / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": {"compressionThreshold": 1e999}}')

    def refuse(word: str) -> None:
        raise AssertionError(word)

    result = CliRunner().invoke(cli, [command, str(tmp_path), "--agent", "gemini", "--format", "json"])
    assert result.exit_code == 0
    json.loads(result.stdout, parse_constant=refuse)


def test_what_is_only_information_is_said_when_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("Be kind.\n")
    args = ["tools", str(tmp_path), "--agent", "openclaw", "--home", str(tmp_path)]
    assert not CliRunner().invoke(cli, args).stderr
    assert ": info: " in CliRunner().invoke(cli, [*args, "-v"]).stderr


def test_a_file_that_holds_no_conversation_is_no_transcript(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy milk.\n")
    told = CliRunner().invoke(cli, ["transcript", str(notes), str(tmp_path)])
    assert (told.exit_code, told.stdout) == (exits.CANNOT_ASSEMBLE, "")
    assert "notes.txt: not a transcript" in told.stderr
