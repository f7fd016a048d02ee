"""One total, `tokens.expected`, everywhere: what each pane, command and export lists adds up to it, for every agent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.tui.support.apps import apps_at
from tests.tui.support.monorepo import monorepo_at
from tests.tui.support.openclaw_workspace import openclaw_workspace_at
from tests.tui.support.roo_shop import roo_shop_at, scenario_of, texts
from tests.tui.support.user import NOON

from promptscope_engine import Assembly, Counter, Scenario, Workspace, assemble
from promptscope_engine.agents.features import Reporting
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.checks import checker
from promptscope_engine.inputs.pinned import pinned
from promptscope_engine.insight import sides
from promptscope_engine.insight.comparison import changed_sections, compare
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace.repository import repository_root
from promptscope_tui.cli import cli
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import Change, Snapshot
from promptscope_tui.text.spans import Row
from promptscope_tui.text.totals import (
    Sum,
    channels_sum,
    files_sum,
    own_text,
    sections_sum,
    tool_parts,
    tools_sum,
    with_nested,
)
from promptscope_tui.text.words import injected_of, total_mark
from promptscope_tui.views.bars.budget import figures
from promptscope_tui.views.change_words import beside_sections
from promptscope_tui.views.changes import change_rows
from promptscope_tui.views.files.records import FilesShown
from promptscope_tui.views.files.rows import file_rows
from promptscope_tui.views.prompt.panels import Panels
from promptscope_tui.views.request import request_rows
from promptscope_tui.views.subjects import Cursor, WindowSubject
from promptscope_tui.views.tools import tool_rows
from promptscope_tui.views.why.pages import why_page
from promptscope_tui.views.window.rows import by_origin, composition, context_rows, own_account
from promptscope_tui.views.window.view import largest_rows, server_rows

COUNTER = Counter(get_tokenizer("o200k_base"))
_PART = re.compile(r"^ *([≈=]?)([\d,]+) tok  (.*\S)")


_Case = tuple[str, str, dict[str, Any]]
"""(where, agent, more)"""


def _printed() -> Iterator[_Case]:
    """Every agent, and each kind of part that only some prompts have. What the others have are other amounts: adding
    them up is tested with the panes, which cost a tenth of the commands."""
    yield "shop", "codex", {"mode": None, "model": None}
    yield "shop", "roo", {"mode": None, "model": None, "tokenizer": "claude-estimate"}
    yield "den", "openclaw", {"mode": None, "model": None}
    yield "shop", "gemini", {"mode": None, "model": None, "env": {}}  # it refuses to start: nothing is sent
    yield "apps", "gemini", {"reads": ["src/sum.py"]}
    yield "shop", "roo", {"mode": "orchestrator", "mcp_servers": [_SERVER]}
    yield "shop", "openclaw", {"mode": "none", "model": None}
    yield "shop", "claude-code", {"mode": "plan", "model": None, "agent_version": "2.1.100", "mcp_servers": [_SERVER]}
    yield "shop", "claude-code", {"mode": None, "model": None, "params": {"args": {"tools": []}}}
    yield "mono", "claude-code", {"agent_version": "2.1.329", "reads": ["packages/web/src/main.ts"]}
    yield "agents", "claude-code", {"agent_version": "2.1.329", "mode": None, "model": None}


def _scenarios() -> Iterator[_Case]:
    """Those, and every agent in every version and mode."""
    yield from _printed()
    for agent in agent_ids():
        for version in load_agent(agent).versions:
            yield "shop", agent, {"agent_version": version, "mode": None, "model": None}
        if agent != "roo":
            yield "shop", agent, {"mode": None, "model": None, "tokenizer": "claude-estimate"}
        if agent != "openclaw":
            yield "den", agent, {"mode": None, "model": None}
    yield "shop", "codex", {"mode": "read-only", "model": None, "mcp_servers": [_SERVER]}
    yield "shop", "roo", {"mode": "ask"}
    yield "shop", "openclaw", {"mode": "minimal", "model": None}
    yield "mono", "claude-code", {"agent_version": "2.1.100", "reads": ["packages/web/src/main.ts"]}
    yield "agents", "claude-code", {"agent_version": "2.1.100", "mode": None, "model": None}


_SERVER = {
    "name": "docs",
    "status": "connected",
    "instructions": "Ask docs for words.",
    "tools": [{"name": "find", "description": "Finds.", "inputSchema": {"properties": {"q": {"type": "string"}}}}],
}
_TRUSTED = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}
_AGENT = "---\nname: {name}\ndescription: {words}\n---\nYou review.\n"


def _at(where: str, agent: str, more: dict[str, Any], folder: Path) -> Scenario:
    more = {"env": _TRUSTED, **more}
    match where:
        case "apps":
            return apps_at(folder, **more)
        case "mono":
            return monorepo_at(folder, "packages/web/src", agent=agent, **more)
        case "den":
            den = openclaw_workspace_at(folder).to_dict()
            return Scenario.model_validate({**den, "agent": agent, **more})
    roo_shop_at(folder)
    if where == "agents":  # long descriptions, which one tool or one section lists
        for name in ("first", "second"):
            path = folder / "shop" / ".claude" / "agents" / f"{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_AGENT.format(name=name, words="reviews whatever was changed " * 400))
    return scenario_of(folder, agent=agent, **more)


def _for_each(cases: Iterator[_Case]) -> pytest.MarkDecorator:
    found = list(cases)
    names = [f"{where}-{agent}-{'-'.join(str(v)[:9] for v in more.values() if v)}" for where, agent, more in found]
    return pytest.mark.parametrize("asked", found, ids=names, indirect=True)


@pytest.fixture
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Scenario:
    return _at(*request.param, tmp_path)


def added_up(lines: Sequence[str]) -> tuple[int, int]:
    """What the labelled parts among the lines add up to, and the total that follows them."""
    found = [match for line in lines if (match := _PART.match(line))]
    at = next(n for n, match in enumerate(found) if match[3] == "the whole request")
    return sum(_number(match[2]) for match in found[:at]), _number(found[at][2])


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _right(row: Row) -> int:
    return _number("".join(span.text for span in row.right).removesuffix(" tok"))


@_for_each(_scenarios())
@pytest.mark.slow
def test_every_pane_adds_up_to_the_total(asked: Scenario) -> None:
    assembly = assemble(asked, counter=COUNTER)
    whole = assembly.tokens.expected
    assert whole is not None
    agent, snapshot = load_agent(assembly.agent), Snapshot(asked, assembly)

    header = "".join(span.text for span in figures(assembly.tokens, 140, total_mark(assembly)))
    assert f"{whole:,} of {assembly.tokens.window:,} tok" in header
    assert sum(share.tokens for share in composition(assembly)) == whole, "the bar"
    own = files_sum(assembly).parts[0].tokens
    assert sum(share.tokens for share in composition(assembly) if share.tone == "file") == own, "the bar, and Files"
    panels = Panels(assembly)
    assert sum(panel.tokens or 0 for panel in panels.all if panel.parent is None) == whole, "Prompt"
    for section in assembly.sections:
        panel = panels.by_id[section.id]
        assert not panel.present or panel.tokens == with_nested(section, assembly), "a row of Prompt, and Why"
    for tool in assembly.tools:
        parts = tool_parts(tool)
        assert (parts.description or 0) + (parts.schema or 0) == (tool.expected_tokens or 0), "a tool, of which"
    for width in (80, 140):
        assert added_up(texts(tool_rows(assembly, width))) == (whole, whole), "Tools"
        assert added_up(texts(file_rows(FilesShown(assembly), width))) == (whole, whole), "Files"
    request = request_rows(assembly, frozenset())
    assert added_up(texts(request)) == (whole, whole), "Request"
    heads = [row for row in request if row.left and row.left[0].text in ("SYSTEM", "MESSAGES", "INPUT", "TOOLS")]
    assert sum(_right(row) for row in heads if row.right[0].text) == whole, "the heads of Request"

    for report in filter(None, (own_account(agent, assembly, asked), by_origin(assembly))):
        assert report.used == whole, "Window"
        free = sum(row.tokens for row in report.categories if row.kind == "free")
        assert free == max(report.window - report.reserve - whole, 0)
        assert all(row.tokens > 0 for row in report.categories), "nothing is counted twice"
        assert f"≈{whole:,} of" in texts(context_rows(report, 120))[0]
    largest = [texts([row])[0] for row in largest_rows(assembly, 120)][1:]
    sizes = [_number(found[1]) for line in largest if (found := re.search(r" ([\d,]+) *(?:\d+\.\d%.*)?$", line))]
    assert (sum(sizes[:-1]), sizes[-1:]) == (whole, [whole] if whole else []), "LARGEST"

    _servers_add_up(assembly)

    inputs = AgentInputs.of(agent, asked)
    shown = "\n".join(texts(why_page(WindowSubject(), snapshot, inputs).rows))
    assert f"expected   {whole:,} tok" in shown
    if assembly.tools_beside:
        page = texts(why_page(Cursor(kind="tools"), snapshot, inputs).rows)
        assert added_up(page) == (whole, whole), "Why, of the tools"


def _servers_add_up(assembly: Assembly) -> None:
    """The tools of the servers are the present ones of theirs, and their text is no more than the sections it is in."""
    known = [server for server in assembly.servers if server.known]
    own = [tool for tool in assembly.tools if tool.present and tool.server]
    assert sum(server.tokens.tools or 0 for server in known) == sum(tool.expected_tokens or 0 for tool in own)
    holding = [s for s in assembly.sections if s.present and any(f.origin.server for f in s.fragments)]
    assert sum(server.tokens.text or 0 for server in known) <= sum(s.tokens or 0 for s in holding)
    if not known:
        return
    in_all = re.match(r" all servers +([\d,]+)", texts(server_rows(assembly, 120))[-2])
    assert in_all is not None
    assert _number(in_all[1]) == sum(server.tokens.expected or 0 for server in known), "MCP SERVERS"
    cells = [line.split() for line in texts(tool_rows(assembly, 140)) if line.startswith("◆")]
    assert [_number(found[4]) for found in cells] == [s.tokens.expected for s in known if s.present], "Tools"


@_for_each(_printed())
@pytest.mark.slow
def test_every_command_and_export_adds_up_to_the_total(asked: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(asked.workspace)
    while not (folder / "home").exists():
        folder = folder.parent
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(folder / "cache"))
    file = folder / "scenario.json"
    file.write_text(json.dumps(asked.to_dict()))
    run = partial(_run, file)

    shown = json.loads(run("show", "json"))
    whole = shown["tokens"]["expected"]
    sections = [s for s in shown["sections"] if s["present"]]
    beside = [t for t in shown["tools"] if t["present"] and t["section"] is None]
    assert sum(s["expected_tokens"] for s in sections) + sum(t["tokens"]["expected"] for t in beside) == whole
    assert sum(shown["tokens"]["expected_by_channel"].values()) == whole
    assert sum(shown["tokens"]["by_channel"].values()) == shown["tokens"]["total"]
    text = run("show", "text")
    assert f"{whole:,} of {shown['tokens']['window']:,} tokens" in text
    rules = [_number(found[1]) for line in text.splitlines() if (found := re.match(r"──+ .*?  [≈=]([\d,]+) tok", line))]
    assert sum(rules) == whole, "the headers of show"
    cells = re.findall(r"\|\s+[≈=]([\d,]+) tok\s+\|", run("show", "markdown"))
    assert sum(map(_number, cells)) == whole, "the table of show"

    counted = json.loads(run("tokens", "json"))
    own = sum(group["expected_tokens"] for group in counted["tools"] if not group["in_sections"])
    assert counted["summary"]["expected"] == whole == sum(s["expected_tokens"] for s in counted["sections"]) + own
    servers = [each for each in counted["servers"] if each["known"]]
    assert sum(each["tokens"]["tools"] for each in servers) == sum(
        tool["tokens"]["expected"] for tool in shown["tools"] if tool["present"] and tool["server"]
    )
    rows = [cells for line in run("tokens", "plain").splitlines() if (cells := line.split("\t"))[0] != "note"]
    tops = [row for row in rows if not row[1].startswith("  ") and "s above)" not in row[1]]
    amounts = [_number(row[2][1:]) for row in tops]
    assert tops[-1][0] == "total"
    assert sum(amounts[:-1]) == amounts[-1] == whole

    ends = [row[2] for row in rows if row[0].startswith("server:") and row[2]]
    assert [_number(end[1:]) for end in ends] == [each["tokens"]["text"] + each["tokens"]["tools"] for each in servers]

    window = json.loads(run("window", "json"))
    assert sum(row["tokens"] for row in window["categories"] if row["used"]) == whole
    assert window["used"] == window["expected"] == whole
    for name in ("tools", "files"):
        lines = run(name, "text").splitlines()
        assert added_up([line for line in lines if _PART.match(line)]) == (whole, whole), name
    tools = json.loads(run("tools", "json"))
    assert sum(t["tokens"]["expected"] for t in tools if t["present"] and not t["section"]) == own
    page = run("show", "html")
    parts = [int(found) for found in re.findall(r' data-tokens="(-?\d+)"', page)]
    assert (parts[0], sum(parts[1:])) == (whole, whole), "the page"
    if isinstance(load_agent(shown["agent"]), Reporting):
        assert json.loads(run("report", "json"))["tokens"]["expected"] == whole
        assert f"{whole:,} tok here" in run("report", "text")
    else:
        assert "has no context report" in CliRunner().invoke(cli, ["report", "--scenario", str(file)]).stderr


@_for_each(_printed())
@pytest.mark.slow
def test_check_has_the_total_of_show_on_the_machine_that_it_assumes(
    asked: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    root = repository_root(asked.workspace, Workspace()) or asked.workspace
    for module in (checker, sides):  # a check takes the repository for one in this folder, whose name takes tokens
        monkeypatch.setattr(module, "REPOSITORY", root)
    asked = pinned(asked).model_copy(update={"attended": True})
    for name, value in load_agent(str(asked.agent)).about.trusted.items():
        asked = asked.with_value(name, value)
    (tmp_path / "scenario.json").write_text(json.dumps(asked.to_dict()))
    shown = json.loads(_run(tmp_path / "scenario.json", "show", "json"))["tokens"]["expected"]
    assert [each.expected for each in checker.check(asked, counter=COUNTER).prompts] == [shown]


def _run(file: Path, command: str, form: str) -> str:
    result = CliRunner().invoke(cli, [command, "--scenario", str(file), "--format", form])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("agent", agent_ids())
def test_a_change_adds_up_to_the_difference_of_the_totals(agent: str, tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    workspace = Workspace()
    before = assemble(scenario_of(tmp_path, agent=agent, mode=None, model=None), workspace, COUNTER)
    path = tmp_path / "shop" / "AGENTS.md"
    path.write_text(path.read_text() + "Use tabs, and no others.\n" * 9)
    workspace.forget([str(path)])
    after = assemble(scenario_of(tmp_path, agent=agent, mode=None, model=None), workspace, COUNTER)
    _is_shown(before, after)


def test_a_change_of_tools_has_a_line_of_its_own(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    ask = partial(scenario_of, tmp_path, agent="claude-code", mode=None, model=None)
    before, after = (
        assemble(ask(params={"args": {"tools": t}}), counter=COUNTER) for t in (["Read"], ["Read", "Edit"])
    )
    change = _is_shown(before, after)
    assert beside_sections(change) == (after.tokens.expected_by_channel["tools"] or 0) - (
        before.tokens.expected_by_channel["tools"] or 0
    )
    assert any("sent beside the prompt" in line for line in texts(change_rows(_changed(after, change))))


def _is_shown(before: Assembly, after: Assembly) -> Change:
    """Changes shows what adds up to the difference of the two totals."""
    difference = (after.tokens.expected or 0) - (before.tokens.expected or 0)
    totals = (before.tokens.expected, after.tokens.expected)
    change = Change(NOON, ("AGENTS.md",), changed_sections(before, after), totals)
    rows = [row for row in change_rows(_changed(after, change)) if row.right]
    signed = [int(row.right[0].text.replace("−", "-").replace(",", "").replace("·", "0")) for row in rows]
    assert sum(signed[1:]) == signed[0] == difference
    found = compare(before, after)
    beside = sum(tool.tokens or 0 for tool in found.tools if tool.section is None)
    assert sum(section.tokens or 0 for section in found.sections) + beside == found.tokens == difference, "diff"
    return change


def _changed(after: Assembly, change: Change) -> Snapshot:
    return Snapshot(Scenario(), after, changes=(change,))


def test_a_conversation_fills_the_window_beyond_the_prompt(tmp_path: Path) -> None:
    asked = monorepo_at(tmp_path, params={"usage": {"lastTotal": 150_000}})
    assembly = assemble(asked, counter=COUNTER)
    report = own_account(load_agent("claude-code"), assembly, asked)
    assert report is not None
    assert (report.used, report.used - report.conversation) == (150_000, assembly.tokens.expected)
    shown = " ".join(" ".join(texts(context_rows(report, 100))).split())
    assert f"the prompt is ≈{assembly.tokens.expected:,} tok of it" in shown


def test_an_import_inside_the_file_that_imports_it_is_counted_once_in_why_too(tmp_path: Path) -> None:
    assembly = assemble(apps_at(tmp_path), counter=COUNTER)
    file = next(f for f in assembly.files if f.path.endswith("repo/GEMINI.md") and f.present)
    paths = {file.path, file.real_path}
    section = next(s for s in assembly.sections if any(f.origin.path in paths for f in s.fragments))
    assert any(f.imported_by in paths and f.present for f in assembly.files)
    assert file.injected_chars > file.raw_chars
    assert own_text(section, assembly) == file.tokens
    assert injected_of(file) == f"{file.raw_chars:,} characters, {file.injected_chars:,} as injected"


def test_files_tell_their_own_text_from_what_stands_around_it(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    assembly = assemble(scenario_of(tmp_path, agent="claude-code", mode=None, model=None), counter=COUNTER)
    section = next(s for s in assembly.sections if s.id.startswith("user_context.file:"))
    file = next(f for f in assembly.files if f.present)
    assert own_text(section, assembly) == file.tokens
    assert (file.tokens or 0) < (section.expected_tokens or 0)
    labels = {part.label: part.tokens for part in files_sum(assembly).parts}
    assert labels["own text of 1 file, as injected"] == file.tokens
    around = labels["headings and wording around it, in the same sections"]
    assert (file.tokens or 0) + (around or 0) == section.expected_tokens
    snapshot = Snapshot(Scenario(), assembly)
    inputs = AgentInputs.of(
        load_agent("claude-code"), scenario_of(tmp_path, agent="claude-code", mode=None, model=None)
    )
    page = " ".join(texts(why_page(Cursor(section.id), snapshot, inputs).rows))
    assert f"{file.tokens} tok  your files" in page
    assert f"{around} tok  around them" in page


def test_an_import_inside_another_file_is_counted_once(tmp_path: Path) -> None:
    assembly = assemble(apps_at(tmp_path / "apps"), counter=COUNTER)
    files = {file.path: file for file in assembly.files if file.present}
    imports = [file for file in files.values() if file.imported_by]
    assert imports
    own = files_sum(assembly).parts[0]
    assert f"{len(imports)} of them inside" in own.label
    assert own.tokens == sum(file.tokens or 0 for file in files.values() if not file.imported_by)
    separate = assemble(monorepo_at(tmp_path / "mono"), counter=COUNTER)
    assert any(file.imported_by for file in separate.files if file.present)
    assert "inside" not in files_sum(separate).parts[0].label


@pytest.mark.parametrize(("agent", "folder"), [("claude-code", ".claude"), ("codex", ".agents"), ("gemini", ".gemini")])
def test_a_description_over_several_lines_is_text_of_its_file_everywhere(
    agent: str, folder: str, tmp_path: Path
) -> None:
    skill = tmp_path / "shop" / folder / "skills/tests/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: tests\ndescription: >\n  Write the tests first.\n  Then run them all.\n---\nTests.\n")
    trusted = load_agent(agent).about.trusted
    asked = Scenario(agent=agent, workspace=str(tmp_path / "shop"), home=str(tmp_path), env={}, attended=True)
    for name, value in trusted.items():
        asked = asked.with_value(name, value)
    assembly = assemble(asked, counter=COUNTER)
    [tokens] = [file.tokens for file in assembly.files if file.present and file.tokens]
    labels = {part.label: part.tokens for part in files_sum(assembly).parts}
    assert labels.pop("own text of 1 file, as injected") == tokens
    assert not any("descriptions of tools" in label for label in labels)
    assert sum(share.tokens for share in composition(assembly) if share.tone == "file") == tokens


@pytest.mark.parametrize("head", ["", "disable-model-invocation: true\n"])
def test_the_text_of_a_command_that_the_prompt_is_counts_as_its_files(head: str, tmp_path: Path) -> None:
    command = tmp_path / "shop/.claude/commands/ship.md"
    command.parent.mkdir(parents=True)
    command.write_text(f"---\ndescription: Ships it.\n{head}---\nRun the tests first, then ship $ARGUMENTS to all.\n")
    params = {"prompt": "/ship the shop"}
    home = str(tmp_path / "home")
    asked = Scenario(agent="claude-code", workspace=str(tmp_path / "shop"), home=home, env={}, params=params)
    assembly = assemble(asked, counter=COUNTER)
    [file] = [each for each in assembly.files if each.path.endswith("ship.md")]
    sent = [f for s in assembly.sections for f in s.fragments if f.origin.kind == "file" and f.origin.path == file.path]
    assert file.present
    assert file.injected_chars == sum(len(fragment.text) for fragment in sent)
    assert sum(share.tokens for share in composition(assembly) if share.tone == "file") == file.tokens


def test_what_is_not_counted_yet_is_not_added_up(tmp_path: Path) -> None:
    roo_shop_at(tmp_path)
    fresh = Counter(get_tokenizer("o200k_base"))
    assembly = assemble(scenario_of(tmp_path), counter=fresh, cached_only=True)
    sums: list[Sum] = [make(assembly) for make in (tools_sum, files_sum, channels_sum, sections_sum)]
    assert {found.tokens for found in sums} == {None}
    assert all("… tok" in found.lines()[-1] for found in sums)


def test_both_copies_of_a_file_that_is_sent_twice_are_yours_in_every_total(tmp_path: Path) -> None:
    rules = "".join(f"- Rule {n} of the shop is unlike all the others: {n * 7919}.\n" for n in range(40))
    for name, text in {"AGENTS.md": rules, "CLAUDE.md": "# Shop\n\n@AGENTS.md\n"}.items():
        (tmp_path / name).write_text(text)
    places = {"workspace": str(tmp_path), "home": str(tmp_path / "home"), "env": {}}
    assembly = assemble(Scenario(agent="copilot", attended=True, **places), counter=COUNTER)
    once = COUNTER.by(get_tokenizer(assembly.tokens.tokenizer)).count(rules)
    files = {Path(file.path).name: file for file in assembly.files if file.present}
    assert (files["AGENTS.md"].times, files["AGENTS.md"].tokens) == (2, 2 * once)
    own = 2 * once + (files["CLAUDE.md"].tokens or 0)
    assert files_sum(assembly).parts[0].tokens == own
    assert sum(share.tokens for share in composition(assembly) if share.tone == "file") == own


def test_a_copy_that_the_importing_file_counts_is_not_counted_again(tmp_path: Path) -> None:
    rules = "".join(f"- Rule {n} of the shop is unlike all the others: {n * 7919}.\n" for n in range(40))
    settings = json.dumps({"context": {"fileName": ["GEMINI.md", "AGENTS.md"]}})
    files = {"AGENTS.md": rules, "GEMINI.md": "# Shop\n\n@AGENTS.md\n", ".gemini/settings.json": settings}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    asked = Scenario(agent="gemini", workspace=str(tmp_path), home=str(tmp_path / "home"), env={}, attended=True)
    for name, value in load_agent("gemini").about.trusted.items():
        asked = asked.with_value(name, value)
    assembly = assemble(asked, counter=COUNTER)
    texts = "".join(section.text for section in assembly.sections if section.present)
    assert texts.count(rules.strip()) == 2
    rows = {Path(file.path).name: file for file in assembly.files if file.present}
    assert rows["AGENTS.md"].times == 1
    own = sum(rows[name].tokens or 0 for name in ("AGENTS.md", "GEMINI.md"))
    assert files_sum(assembly).parts[0].tokens == own < 2.2 * (rows["AGENTS.md"].tokens or 0)
