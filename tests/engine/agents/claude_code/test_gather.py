"""The gatherer as a whole."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.session import added_directories, managed_folder
from promptscope_engine.assembly.resolve import resolve

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ("~", "{root}/home"),
        ("~/more", "{root}/home/more"),
        ("~more", "{root}/workspace/~more"),
        ("more/", "{root}/workspace/more"),
        ("../more", "{root}/more"),
        (".", "{root}/workspace"),
        ("/more/./a/..", "/more"),
    ],
)
def test_added_folders_are_absolute(project: Project, given: str, folder: str) -> None:
    _, inputs = resolve(project.scenario(params={"args": {"addDir": [given]}}), project.workspace)
    assert added_directories(inputs) == (folder.format(root=project.root),)


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/etc/claude-code"),
        ("darwin", "/Library/Application Support/ClaudeCode"),
        ("win32", "/C:/Program Files/ClaudeCode"),
        (None, "/etc/claude-code"),
    ],
)
def test_where_an_organisations_files_lie(project: Project, platform: str | None, folder: str) -> None:
    asked = project.scenario(managed=None, environment={"platform": platform})
    assert managed_folder(resolve(asked, project.workspace)[1]) == folder
    assert managed_folder(resolve(project.scenario(), project.workspace)[1]) == str(project.root / "managed")


def derived(project: Project, param: str, **more: Any) -> list[tuple[object, str, object]]:
    """What an input comes to, why, and what is given in its place."""
    project.workspace.forget(project.workspace.asked)
    found = project.gathered(**more)
    each = [each for each in found.derived if each.param == param]
    return [(d.computed, d.because.evaluate(found.facts).text.partition(" (in ")[0], d.given) for d in each]


SETTINGS = "home/.claude/settings.json"


def settings(project: Project, **values: Any) -> None:
    project.write({SETTINGS: json.dumps(values)})


@pytest.mark.parametrize(
    ("configured", "more", "reason"),
    [
        (None, {}, ("auto", "an interactive session of 2.1.329 starts in this mode", None)),
        (None, {"params": {"args": {"print": True}}}, ("default", "a headless session starts in this mode", None)),
        (None, {"version": "2.1.100"}, ("default", "an interactive session of 2.1.100 starts in this mode", None)),
        ("plan", {}, ("plan", "`permissions.defaultMode` is plan", None)),
        ("nonsense", {}, ("auto", "an interactive session of 2.1.329 starts in this mode", None)),
        ("manual", {}, ("default", "`permissions.defaultMode` is manual", None)),
        ("plan", {"mode": "default"}, None),
    ],
)
def test_what_decides_the_mode(
    project: Project, configured: str | None, more: dict[str, Any], reason: tuple[object, str, object] | None
) -> None:
    settings(project, permissions={"defaultMode": configured} if configured else {})
    assert derived(project, "mode", **more) == ([reason] if reason else [])


AGENTS = {
    "workspace/.claude/agents/a.md": "---\nname: a\ndescription: d\nmodel: haiku\n---\nYou.\n",
    "workspace/.claude/agents/b.md": "---\nname: b\ndescription: d\n---\nYou.\n",
    "workspace/.claude/agents/c.md": "---\nname: c\ndescription: d\nmodel: haiku\n---\n",
}


@pytest.mark.parametrize(
    ("values", "more", "reason"),
    [
        ({}, {}, ("claude-opus-5-5", "it is the model of 2.1.329 where none is named")),
        ({"model": "haiku"}, {}, ("claude-haiku-5-5", "`model` is haiku")),
        ({"model": ""}, {}, ("claude-opus-5-5", "it is the model of 2.1.329 where none is named")),
        ({"model": 5}, {}, ("claude-opus-5-5", "it is the model of 2.1.329 where none is named")),
        (
            {"model": "opus", "env": {"ANTHROPIC_MODEL": "haiku"}},
            {},
            ("claude-haiku-5-5", "`env.ANTHROPIC_MODEL` is haiku"),
        ),
        (
            {"model": "opus"},
            {"env": {"ANTHROPIC_MODEL": "haiku"}},
            ("claude-haiku-5-5", "`env.ANTHROPIC_MODEL` is haiku"),
        ),
        (
            {"model": "opus"},
            {"params": {"args": {"agent": "a"}}},
            ("claude-haiku-5-5", "the agent a, which drives the session, names its model"),
        ),
        ({"model": "sonnet"}, {"params": {"args": {"agent": "b"}}}, ("claude-sonnet-5-5", "`model` is sonnet")),
        ({"model": "opus"}, {"params": {"args": {"agent": "c"}}}, ("claude-opus-5-5", "`model` is opus")),
        ({}, {"params": {"subagent": "a"}}, ("claude-haiku-5-5", "the sub-agent a names its model")),
        ({}, {"params": {"subagent": "a"}, "model": "opus"}, ("claude-haiku-5-5", "the sub-agent a names its model")),
        ({}, {"params": {"subagent": "b"}, "model": "opus"}, None),
        ({"model": "haiku"}, {"model": "opus"}, None),
        ({}, {"params": {"args": {"agent": "a"}}, "model": "opus"}, None),
    ],
)
def test_what_decides_the_model(
    project: Project, values: dict[str, Any], more: dict[str, Any], reason: tuple[str, str] | None
) -> None:
    project.write(AGENTS)
    settings(project, **values)
    assert [found[:2] for found in derived(project, "model", **more)] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("configured", "asked", "reason"),
    [
        (None, None, []),
        ("a", None, [("a", "`agent` is a", None)]),
        ("", None, []),
        (5, None, []),
        ("a", "b", [("b", "`--agent` is b", "b")]),
        (None, "b", [("b", "`--agent` is b", "b")]),
    ],
)
def test_what_names_the_agent_of_the_session(
    project: Project, configured: object, asked: str | None, reason: list[tuple[object, str, object]]
) -> None:
    project.write(AGENTS)
    settings(project, **({} if configured is None else {"agent": configured}))
    assert derived(project, "args.agent", params={"args": {"agent": asked}}) == reason
    drives = project.gathered(params={"args": {"agent": asked}}).materials.main_agent
    assert (drives.name if drives else None) == (reason[0][0] if reason else None)


@pytest.mark.parametrize("approved", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_what_approves_external_imports(project: Project, approved: bool, given: bool) -> None:
    answer = {"projects": {str(project.cwd): {"hasClaudeMdExternalIncludesApproved": approved}}}
    project.write({"home/.claude.json": json.dumps(answer)})
    text = "you answered its dialog with yes" if approved else "you haven't answered its dialog with yes"
    found = derived(project, "approvedExternalImports", params={"approvedExternalImports": given})
    assert found == [(approved, text, given or None)]


@pytest.mark.parametrize(
    ("name", "usual", "set_to"),
    [
        ("ENABLE_TOOL_SEARCH", "true", "false"),
        ("CLAUDE_CODE_ENABLE_TASKS", "1", "0"),
        ("SLASH_COMMAND_TOOL_CHAR_BUDGET", "30000", "500"),
        ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "1000000", "150000"),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "128000", "9000"),
        ("CLAUDE_CONFIG_DIR", "{root}/home/.claude", "{root}/home/.claude"),
    ],
)
def test_what_a_variable_comes_to_that_nobody_sets(project: Project, name: str, usual: str, set_to: str) -> None:
    usual, set_to, param = usual.format(root=project.root), set_to.format(root=project.root), f"env.{name}"
    host = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    assert [(found, given) for found, _, given in derived(project, param)] == [(usual, None)]
    found = derived(project, param, env={**host, name: set_to})
    assert [each[2] for each in found] == [set_to]
    if name != "CLAUDE_CONFIG_DIR":
        if name != "SLASH_COMMAND_TOOL_CHAR_BUDGET":
            assert found[0][0] == usual
        settings(project, env={name: set_to})
        assert derived(project, param) == [(set_to, f"`{param}` is {set_to}", None)]


@pytest.mark.parametrize(
    ("fraction", "budget", "why"),
    [
        (None, "30000", "1 % of the window of 1,000,000 tokens, at 3 characters each"),
        (0.5, "1500000", "`skillListingBudgetFraction` is 0.5"),
    ],
)
def test_what_decides_the_budget_of_the_listing(
    project: Project, fraction: float | None, budget: str, why: str
) -> None:
    settings(project, **({} if fraction is None else {"skillListingBudgetFraction": fraction}))
    assert derived(project, "env.SLASH_COMMAND_TOOL_CHAR_BUDGET") == [(budget, why, None)]


@pytest.mark.parametrize(
    ("search", "characters", "deferred"),
    [
        ("auto:1", 8_000 - 2, False), ("auto:1", 8_001 - 2, True), ("auto", 80_000 - 2, False),
        ("auto", 80_001 - 2, True), ("auto:0", 1, True), ("auto:x", 80_000 - 2, False), ("auto:x", 80_001 - 2, True),
        ("auto:²", 80_000 - 2, False),
    ],
)  # fmt: skip
def test_tool_search_goes_by_the_share_of_the_window(
    project: Project, search: str, characters: int, deferred: bool
) -> None:
    tool = {"name": "t", "description": "x" * characters, "inputSchema": {}}
    schema = len(str({"type": "object", "properties": {}}))
    tool["description"] = "x" * (characters + 2 - schema)
    servers = [{"name": "fx", "tools": [tool]}]
    env = {"ENABLE_TOOL_SEARCH": search}
    assembly = project.assemble("2.1.100", model="sonnet", mcp_servers=servers, env=env)
    found = next(tool for tool in assembly.tools if tool.name == "mcp__fx__t")
    assert (found.variant == "deferred") is deferred


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"language": "a"}', 2),
        ('{\n"language": "a\\u0062"}', None),
        ('{"language": " "}', 1),
    ],
)
def test_the_line_of_the_language_is_one_where_it_stands(project: Project, text: str, line: int | None) -> None:
    project.write({SETTINGS: text})
    found = project.materials().language
    assert found.value == json.loads(text)["language"]
    assert found.source.line == line


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        (None, None, ""),
        ("Explore", None, ""),
        ("a", None, ""),
        (
            "statusline-setup",
            "subagent-unrecorded",
            "the prompt of the built-in sub-agent statusline-setup was not rec",
        ),
        ("nobody", "unknown-subagent", "no sub-agent is called nobody; known: "),
    ],
)
def test_what_is_said_of_a_sub_agent_that_is_asked_for(
    project: Project, name: str | None, code: str | None, message: str
) -> None:
    project.write(AGENTS)
    found = [d for d in project.gathered(params={"subagent": name}).diagnostics if "subagent" in d.code]
    assert [(d.code, d.message[: len(message)]) for d in found] == ([(code, message)] if code else [])


@pytest.mark.parametrize("name", [None, "Explore", "Plan", "general-purpose", "a"])
def test_who_sees_the_project(project: Project, name: str | None) -> None:
    project.write({**AGENTS, "workspace/CLAUDE.md": "x"})
    assert bool(project.loaded(params={"subagent": name})) is (name not in ("Explore", "Plan"))


def test_an_own_agent_of_a_built_in_name_sees_the_project(project: Project) -> None:
    project.write(
        {"workspace/.claude/agents/x.md": "---\nname: Explore\ndescription: d\n---\nYou.\n", "workspace/CLAUDE.md": "x"}
    )
    assert project.loaded(params={"subagent": "Explore"}) == ["workspace/CLAUDE.md"]


@pytest.mark.parametrize(
    ("configured", "asked", "text", "levers"),
    [
        (None, None, "no --agent is given", ["a"]),
        (None, "nobody", "no agent with a prompt of its own is called nobody", ["a"]),
        (None, "c", "no agent with a prompt of its own is called c", ["a"]),
        (None, "a", "--agent replaces the sections", [None]),
        ("a", None, "the setting `agent` replaces the sections", []),
        ("c", None, "no agent with a prompt of its own is called c", ["a"]),
    ],
)
def test_what_is_said_of_the_agent_of_the_session(
    project: Project, configured: str | None, asked: str | None, text: str, levers: list[str | None]
) -> None:
    project.write(AGENTS)
    settings(project, **({} if configured is None else {"agent": configured}))
    found = project.gathered(params={"args": {"agent": asked}})
    gate, drives = found.materials.gates.agent_body, asked == "a" or configured == "a"
    assert gate.evaluate(found.facts).text.partition(" (in ")[0] == text
    assert [(lever.param, lever.value) for lever in gate.levers(found.facts, not drives) or ()] == [
        ("args.agent", lever) for lever in levers
    ]


@pytest.mark.parametrize(
    ("asked", "code", "message"),
    [
        (None, None, ""),
        ("a", None, ""),
        ("Explore", None, ""),
        ("c", "agent-without-prompt", "the agent c has no prompt of its own"),
        ("nobody", "agent-refuses", "Claude Code does not start: no agent is called nobody; known: a, b, c"),
        ("A", "agent-refuses", "Claude Code does not start: no agent is called A; known: a, b, c"),
    ],
)
def test_what_is_said_of_a_name_that_is_asked_for(
    project: Project, asked: str | None, code: str | None, message: str
) -> None:
    project.write(AGENTS)
    found = project.gathered(params={"args": {"agent": asked}}).diagnostics
    said = [(d.code, d.message) for d in found if d.code in ("agent-without-prompt", "agent-refuses")]
    assert [each[0] for each in said] == ([code] if code else [])
    assert all(text.startswith(message.partition(", claude")[0]) for _, text in said)


def test_an_agent_that_only_a_setting_names_stops_no_start(project: Project) -> None:
    settings(project, agent="nobody")
    (found,) = (d for d in project.gathered().diagnostics if "nobody" in d.message)
    assert (found.code, found.line) == ("unknown-agent", 1)


def test_git_status_needs_a_repository(repository: Project) -> None:
    inside, outside = (
        repository.assemble(workspace=str(repository.root / name)).section("git_status")
        for name in ("workspace", "home")
    )
    assert inside is not None
    assert outside is not None
    assert (inside.present, outside.present) == (True, False)
    assert outside.why.text == "absent: no git repository and `CLAUDE_CODE_PERFORCE_MODE` is not set"


def test_rules_have_rows_and_their_folder_has_none(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/rules/a.md": "a",
            "workspace/.claude/rules/b.txt": "b",
            "workspace/.claude/rules/d/c.md": "c",
        }
    )
    (project.cwd / ".claude/rules/gone.md").symlink_to("nowhere.md")
    (project.cwd / ".claude/rules/e.md").mkdir()
    rows = [draft.path for draft in project.gathered().files if "/rules" in draft.path]
    names = ("a.md", "d/c.md", "b.txt", "gone.md")  # the last two nearly count, and their rows say why they don't
    assert rows == [str(project.cwd / ".claude/rules" / name) for name in names]


@pytest.mark.parametrize(
    ("version", "model", "long"),
    [("2.1.329", "claude-sonnet-4-5-20250929", True), ("2.1.329", None, False), ("2.1.100", None, False)],
)
def test_older_models_are_given_longer_texts_of_built_in_agents(
    project: Project, version: str, model: str | None, long: bool
) -> None:
    project.write({"workspace/.claude/agents/x.md": "---\nname: Plan\ndescription: own words\n---\nYou.\n"})
    found = project.gathered(version, model=model)
    texts = {
        agent.name: [span.text for span in agent.spans if span.when.holds(found.facts)]
        for agent in found.materials.agents
    }
    short = {
        a.name: [p.text for p in a.spans if p.when.holds(f.facts)]
        for f in [project.gathered(version)]
        for a in f.materials.agents
    }
    assert texts["Plan"] == ["own words"]
    assert all(len(spans) == 1 for spans in texts.values())
    assert (texts != short) is long


@pytest.mark.parametrize("folder", ["", "."])
def test_the_working_directory_may_hold_the_configuration(project: Project, folder: str) -> None:
    key = re.sub(r"[^A-Za-z0-9]", "-", str(project.root / "workspace"))
    memory = f"projects/{key}/memory/MEMORY.md"
    project.write({"workspace/CLAUDE.md": "a\n", "workspace/rules/r.md": "b\n", f"workspace/{memory}": "c\n"})
    project.write({"home/.claude/CLAUDE.md": "d\n"})
    found = [each for each in project.materials(env={"CLAUDE_CONFIG_DIR": folder}).instructions if each.spans]
    shown = [project.short(each.shown) for each in found]
    assert shown == ["CLAUDE.md", "workspace/rules/r.md", memory]
