"""What is said of files that are not read, and of what a person would not expect."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    MANIFEST,
    SERVER,
    SETTINGS,
    SKILL,
    Project,
    codes,
    said,
    text_of,
    tools_of,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("count", "named"), [(19, 19), (20, 20), (21, 20)])
def test_of_the_policies_and_extensions_of_a_workspace_twenty_are_named(
    project: Project, count: int, named: int
) -> None:
    for number in range(count):
        project.write(
            {f"workspace/.gemini/policies/{number:02}.toml": "", f"workspace/.gemini/policies/{number:02}.md": ""}
        )
        project.write({f"workspace/.gemini/extensions/{number:02}/gemini-extension.json": ""})
    found = [path for path, _, _ in said(project, "file-not-read")]
    folder = "workspace/.gemini"
    assert found == [
        *(f"{folder}/policies/{number:02}.toml" for number in range(named)),
        *(f"{folder}/extensions/{number:02}/gemini-extension.json" for number in range(named)),
    ]


def test_in_the_home_folder_all_of_it_is_read(project: Project) -> None:
    project.write(
        {"home/.gemini/GEMINI.md": "g", "home/.gemini/policies/p.toml": "", MANIFEST.format("e"): '{"name": "e"}'}
    )
    assert said(project, "file-not-read", workspace=project.home) == []


def lines(value: Any) -> str:
    """JSON with every key and item on a line of its own."""
    return json.dumps(value, indent=1)


@pytest.mark.parametrize(
    ("settings", "given", "code", "line"),
    [
        ({"contextFileName": "A.md"}, {}, "setting-without-effect", 2),
        ({"context": {"discoveryMaxDirs": 1}}, {}, "setting-without-effect", 3),
        ({"general": {"defaultApprovalMode": "yolo"}}, {}, "setting-without-effect", 3),
        ({"context": {"fileName": ["A.md"]}}, {}, "file-name-stays", 3),
        ({"context": {"memoryBoundaryMarkers": [".git", "../x"]}}, {}, "marker-skipped", 5),
        ({"context": {"memoryBoundaryMarkers": ["/x"]}}, {}, "marker-skipped", 4),
        ({"general": {"plan": {"directory": "../x"}}}, {}, "plans-outside", 4),
        ({"tools": {"core": ["GlobTool"]}}, {}, "core-tool-lost", 4),
        ({"tools": {"core": ["glob"]}}, {"mode": "plan"}, "core-not-in-plan-mode", 3),
        ({"tools": {"exclude": ["run_shell_command(rm)"]}}, {}, "unknown-tool", 4),
        ({"tools": {"allowed": ["WriteFileTool"]}}, {}, "unknown-tool", 4),
        ({"tools": {"exclude": ["nope"]}}, {}, "unmatched-entry", 4),
        ({"skills": {"disabled": ["nope"]}}, {}, "unmatched-entry", 4),
        ({"agents": {"overrides": {"nope": {"enabled": False}}}}, {}, "unmatched-entry", 4),
        ({"mcp": {"allowed": ["nope"]}}, {}, "unmatched-entry", 4),
        ({"tools": {"discoveryCommand": "bin/tools"}}, {}, "tools-not-discovered", 3),
        ({"tools": {"exclude": ["activate_skill"]}}, {"dialog": True}, "skills-without-tool", 4),
        ({"mcpServers": {"fx": {"command": "x"}}}, {"mcp_servers": [SERVER]}, "instructions-without-tools", 3),
        ({"mcpServers": {"fx": {"command": "x"}}}, {"mcp_servers": None}, "mcp-not-connected", 2),
        ({"model": {"name": "auto-gemini-2.5"}}, {}, "mixed-model", 3),
        ({"experimental": {"contextManagement": True}}, {}, "prompt-twice", 3),
    ],
)
def test_a_setting_is_named_with_its_line(
    project: Project, settings: dict[str, Any], given: dict[str, Any], code: str, line: int
) -> None:
    project.write({SETTINGS: lines(settings)})
    note = codes(project.assemble(**given))[code]
    assert (note.path, note.line) == (f"{project.home}/.gemini/settings.json", line)


@pytest.mark.parametrize(
    ("files", "code", "path", "line"),
    [
        ({"workspace/AGENTS.md": "a"}, "file-not-read", "workspace/AGENTS.md", 1),
        ({"workspace/.gemini/GEMINI.md": "a"}, "file-not-read", "workspace/.gemini/GEMINI.md", 1),
        ({"workspace/.gemini/policies/p.toml": "a"}, "file-not-read", "workspace/.gemini/policies/p.toml", 1),
        (
            {"workspace/.gemini/extensions/e/gemini-extension.json": "{}"},
            "file-not-read",
            "workspace/.gemini/extensions/e/gemini-extension.json",
            1,
        ),
        (
            {"workspace/.gemini/skills/x/SKILL.md": "\n" + SKILL.format("x", "d")},
            "bad-skill",
            "workspace/.gemini/skills/x/SKILL.md",
            1,
        ),
        ({"home/.gemini/GEMINI.md": "a\n\nb\n\n\n\nc"}, "blank-lines", "home/.gemini/GEMINI.md", 4),
        ({"workspace/GEMINI.md": "x\nask @alice"}, "import-failed", "workspace/GEMINI.md", 2),
        (
            {
                "home/.gemini/extensions/e/gemini-extension.json": lines(
                    {"name": "e", "mcpServers": {"fx": {"trust": True}}}
                )
            },
            "setting-without-effect",
            "home/.gemini/extensions/e/gemini-extension.json",
            5,
        ),
    ],
)
def test_a_file_is_named_with_its_line(
    project: Project, files: dict[str, str], code: str, path: str, line: int
) -> None:
    note = codes(project.write(files).assemble())[code]
    assert (note.path, note.line) == (f"{project.root}/{path}", line)


def test_what_is_not_read_has_a_row_that_says_so(project: Project) -> None:
    project.write({"workspace/AGENTS.md": "agents", "workspace/.gemini/GEMINI.md": "own"})
    for path in ("workspace/AGENTS.md", "workspace/.gemini/GEMINI.md"):
        row = project.file(path)
        assert not row.present
        assert row.why.remedy
    named = project.assemble(settings={"context": {"fileName": "AGENTS.md"}})
    assert [d.path for d in named.diagnostics if d.code == "file-not-read"] == [f"{project.cwd}/.gemini/GEMINI.md"]


def test_a_file_that_is_imported_is_read_after_all(project: Project) -> None:
    project.write({"workspace/AGENTS.md": "agents", "workspace/GEMINI.md": "@AGENTS.md"})
    assert "file-not-read" not in codes(project.assemble())
    assert project.file("workspace/AGENTS.md").present


def test_nothing_is_said_of_what_is_usual(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "x", "home/.gemini/GEMINI.md": "g\n\ng", SETTINGS: "{}"})
    assert list(codes(project.assemble(dialog=True))) == []


def test_the_nearest_file_is_not_always_the_last(project: Project) -> None:
    project.write({f"workspace/{name}": "x" for name in (".git/HEAD", "GEMINI.md", "Apps/GEMINI.md", "m/GEMINI.md")})
    note = codes(project.assemble(workspace=f"{project.cwd}/Apps"))["context-order"]
    assert (note.severity, note.path) == ("info", f"{project.cwd}/GEMINI.md")
    assert "context-order" not in codes(project.assemble(workspace=f"{project.cwd}/m"))


def test_imports_of_the_fifth_level_are_named(project: Project) -> None:
    project.write({"workspace/GEMINI.md": "@x1.md", **{f"workspace/x{n}.md": f"@x{n + 1}.md" for n in range(1, 7)}})
    note = codes(project.assemble())["import-too-deep"]
    assert (note.path, note.line) == (f"{project.cwd}/x5.md", 1)


def test_tools_of_a_command_are_never_discovered(project: Project) -> None:
    settings = {"tools": {"discoveryCommand": "touch ran; echo []"}}
    headless = project.assemble(settings=settings)
    assert "would drop them" in codes(headless)["tools-not-discovered"].message
    assert (
        "would drop them" not in codes(project.assemble(settings=settings, mode="yolo"))["tools-not-discovered"].message
    )
    assert not (project.root / "workspace/ran").exists()
    assert not [name for name in tools_of(headless) if name.startswith("discovered_tool_")]


@pytest.mark.parametrize(
    "head",
    ["kind: remote\nname: far\n", "name: far\n", "- name: far\n  agent_card_url: https://x.test/b\n- name: b\n  "],
)
def test_the_card_of_a_remote_sub_agent_is_never_fetched(project: Project, head: str) -> None:
    project.write({"home/.gemini/agents/far.md": f"---\n{head}agent_card_url: https://x.test/card\n---\n"})
    assembly = project.assemble()
    note = codes(assembly)["agent-not-fetched"]
    assert (note.severity, note.path) == ("info", f"{project.home}/.gemini/agents/far.md")
    assert text_of(assembly, "sub_agents").count("<subagent>") == 3


@pytest.mark.parametrize(("count", "named"), [(19, 19), (20, 20), (21, 20)])
def test_of_many_alike_twenty_are_named(project: Project, count: int, named: int) -> None:
    markers = {"context": {"memoryBoundaryMarkers": [f"../{number}" for number in range(count)]}}
    assert len(said(project, "marker-skipped", settings=markers)) == named
    project.write({SETTINGS: lines({"tools": {"core": ["GlobTool"] * count}})})
    assert [line for _, line, _ in said(project, "core-tool-lost")] == [4 + number for number in range(named)]
    unknown = {"tools": {key: [f"x{number}" for number in range(count)] for key in ("core", "exclude", "allowed")}}
    assert len(said(project, "unmatched-entry", settings=unknown)) == 3 * named
    names = [f"{number}.md" for number in range(count)]
    [(_, _, message)] = said(project, "file-name-stays", settings={"context": {"fileName": names}})
    assert message == f"GEMINI.md is read besides {', '.join(names[:named])}: `context.fileName` only adds names"
    servers = [{**SERVER, "name": f"s{number}"} for number in range(count)]
    assert len(said(project, "instructions-without-tools", mcp_servers=servers)) == named
    config = {server["name"]: {"command": "x"} for server in servers}
    [(_, _, message)] = said(project, "mcp-not-connected", mcp_servers=None, settings={"mcpServers": config})
    more = f" and {count - named} more" if count > named else ""
    assert message.startswith(f"MCP servers are configured: {', '.join([*config][:named])}{more}; none is started")
    project.write({f"home/.gemini/{name}": "a\n\n\nb" for name in names})
    assert len(said(project, "blank-lines", settings={"context": {"fileName": names}})) == named


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["GEMINI.md", "A.md"], ""),
        ([" "], ""),
        ("", ""),
        ("A.md", "GEMINI.md is read besides A.md: `context.fileName` only adds names"),
        (["A.md", " "], "GEMINI.md is read besides A.md: `context.fileName` only adds names"),
    ],
)
def test_a_name_beside_the_default(project: Project, names: object, message: str) -> None:
    project.write({SETTINGS: lines({"context": {"fileName": names}})})
    assert [text for _, _, text in said(project, "file-name-stays")] == [message] * bool(message)


@pytest.mark.parametrize(("marker", "skipped"), [("/x", True), ("a/../b", True), ("..x", False), ("a/b", False)])
def test_a_marker_that_leads_elsewhere_is_skipped(project: Project, marker: str, skipped: bool) -> None:
    project.write({SETTINGS: lines({"context": {"memoryBoundaryMarkers": [".git", marker]}})})
    text = f"`context.memoryBoundaryMarkers`: {marker} is skipped, as it is absolute or leads upward"
    assert said(project, "marker-skipped") == ([(SETTINGS, 5, text)] if skipped else [])


@pytest.mark.parametrize(
    ("cwd", "files", "note"),
    [
        ("workspace/Apps", ["GEMINI.md", "Apps/GEMINI.md"], ("workspace/GEMINI.md", "the workspace's own GEMINI.md")),
        ("workspace/Apps/b", ["GEMINI.md", "Apps/GEMINI.md"], ("workspace/GEMINI.md", "Apps/GEMINI.md")),
        ("workspace/Apps", ["A.md", "GEMINI.md"], None),
        ("workspace/m", ["GEMINI.md", "m/GEMINI.md"], None),
        ("workspace/Apps", [], None),
    ],
)
def test_the_order_of_context_files(project: Project, cwd: str, files: list[str], note: tuple[str, str] | None) -> None:
    project.write({"workspace/.git/HEAD": "x", f"{cwd}/x": "x"} | {f"workspace/{name}": "x" for name in files})
    text = "context files come in the order of their paths: this one comes after {}, which is nearer"
    expected = [] if note is None else [(note[0], 1, text.format(note[1]))]
    found = said(
        project, "context-order", workspace=f"{project.root}/{cwd}", settings={"context": {"fileName": "A.md"}}
    )
    assert found == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [("\n\na\n\n\nb", 4), ("a\n\n\nb\n\n\nc", 2), ("a\nb\nc\n\n\nd", 4), ("a\n\nb", None), ("a\n\n\n", None)],
)
@pytest.mark.parametrize("path", ["home/.gemini/GEMINI.md", "home/.gemini/tmp/workspace/memory/MEMORY.md"])
def test_blank_lines_of_the_system_text(project: Project, path: str, text: str, line: int | None) -> None:
    project.write({path: text, "workspace/GEMINI.md": text})
    what = "several blank lines become one: this file is part of the system text"
    assert said(project, "blank-lines") == ([] if line is None else [(path, line, what)])


def test_blank_lines_of_an_import_are_those_of_its_file(project: Project) -> None:
    project.write({"home/.gemini/GEMINI.md": "a\n@p.md b", "home/.gemini/p.md": "p\n\n\nq"})
    assert [(path, line) for path, line, _ in said(project, "blank-lines")] == [("home/.gemini/p.md", 2)]
    project.write({"home/.gemini/GEMINI.md": "@p.md\n\n\nb", "home/.gemini/p.md": "p"})
    assert [(path, line) for path, line, _ in said(project, "blank-lines")] == [("home/.gemini/GEMINI.md", 2)]


@pytest.mark.parametrize(
    ("tools", "code", "messages"),
    [
        ({"core": ["GlobTool", "glob"]}, "core-tool-lost", []),
        ({"core": ["ShellTool(ls)", "run_shell_command", "glob", "NoTool"]}, "core-tool-lost", []),
        ({"core": ["GlobTool(x)"]}, "core-tool-lost", ["`tools.core` names the class GlobTool: the tool glob is"]),
        (
            {"exclude": ["GlobTool", "ShellTool", "search_file_content", "mcp_x_y", "discovered_tool_x"]},
            "unknown-tool",
            [],
        ),
        ({"core": ["GlobTool", "glob(x)", "mcp_*", "a*"]}, "unknown-tool", []),
        ({"exclude": ["glob(x)"]}, "unknown-tool", ["`tools.exclude`: glob(x) excludes nothing, since a tool"]),
        ({"allowed": ["ShellTool(ls)", "glob(x)"]}, "unknown-tool", []),
        ({"allowed": ["GlobTool"]}, "unknown-tool", ["`tools.allowed`: GlobTool is the name of a class. Write glob"]),
        (
            {"confirmationRequired": ["GlobTool"]},
            "unknown-tool",
            ["`tools.confirmationRequired`: GlobTool is the name of a class. Write glob instead"],
        ),
        (
            {"allowed": ["golb"]},
            "unmatched-entry",
            ["`tools.allowed` names golb: there is no such tool; did you mean glob?"],
        ),
        ({"exclude": ["qqqq"]}, "unmatched-entry", ["`tools.exclude` names qqqq: there is no such tool"]),
        ({"discoveryCommand": " "}, "tools-not-discovered", []),
        ({"discoveryCommand": 5}, "tools-not-discovered", []),
    ],
)
def test_what_is_said_of_lists_of_tools(
    project: Project, tools: dict[str, Any], code: str, messages: list[str]
) -> None:
    project.write({SETTINGS: lines({"tools": tools})})
    found = said(project, code)
    assert len(found) == len(messages)
    assert all(text.startswith(start) for (_, _, text), start in zip(found, messages, strict=True))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "2 skills are listed, but activate_skill is not sent: nobody can allow it in a headless session"),
        ({"dialog": True}, None),
        (
            {"settings": {"skills": {"disabled": ["skill-creator"]}}},
            "1 skill is listed, but activate_skill is not sent: nobody can allow it in a headless session",
        ),
        ({"settings": {"skills": {"enabled": False}}}, None),
        ({"env": {"GEMINI_PROMPT_AGENTSKILLS": "0"}}, None),
        ({"env": {"GEMINI_SYSTEM_MD": "1"}}, None),
    ],
)
def test_skills_that_no_tool_opens(project: Project, given: dict[str, Any], message: str | None) -> None:
    project.write({"workspace/.gemini/system.md": "own"})
    assert [text for _, _, text in said(project, "skills-without-tool", **given)] == [message] * bool(message)


@pytest.mark.parametrize(
    ("server", "settings", "codes"),
    [
        (SERVER, {}, ["instructions-without-tools"]),
        ({**SERVER, "instructions": ""}, {}, []),
        ({**SERVER, "tools": []}, {}, []),
        (SERVER, {"mcpServers": {"fx": {"trust": True}}}, []),
        (SERVER, {"mcpServers": {"fx": {"trust": True, "includeTools": []}}}, ["instructions-without-tools"]),
        (
            {**SERVER, "name": "f x"},
            {"mcpServers": {"f x": {"trust": True}}},
            ["instructions-without-tools", "server-rule-misses"],
        ),
        ({**SERVER, "name": "f x"}, {"mcp": {"excluded": ["f x"]}}, []),
        ({**SERVER, "name": "f x", "tools": []}, {"mcpServers": {"f x": {"trust": True}}}, []),
        ({**SERVER, "name": "f x"}, {"tools": {"exclude": ["mcp_f x_*"]}}, ["instructions-without-tools"]),
    ],
)
def test_what_is_said_of_a_servers_tools(
    project: Project, server: dict[str, Any], settings: dict[str, Any], codes: list[str]
) -> None:
    found = project.gathered(mcp_servers=[server], settings=settings).diagnostics
    assert [each.code for each in found if each.code in ("instructions-without-tools", "server-rule-misses")] == codes


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"model": "auto-gemini-2.5"}, (SETTINGS, 3)),
        ({"env": {"GEMINI_MODEL": "auto-gemini-2.5"}}, (SETTINGS, 3)),
        ({"env": {"GEMINI_MODEL": "auto"}}, None),
        ({}, (SETTINGS, 3)),
        ({"model": "gemini-2.5-pro"}, None),
        ({"model": "auto"}, None),
        ({"model": "my-model"}, None),
    ],
)
def test_a_model_with_the_prompt_of_another(
    project: Project, given: dict[str, Any], place: tuple[str | None, int | None] | None
) -> None:
    project.write({SETTINGS: lines({"model": {"name": "auto-gemini-2.5"}})})
    text = "auto-gemini-2.5 has the prompt of the older models, and the tools of gemini-3.8-flash"
    assert said(project, "mixed-model", **given) == ([] if place is None else [(*place, text)])


@pytest.mark.parametrize(
    ("value", "mode", "code", "is_said"),
    [
        ({"experimental": {"contextManagement": True}}, "default", "prompt-twice", True),
        ({"experimental": {"contextManagement": False}}, "default", "prompt-twice", False),
        ({"experimental": {"contextManagement": "true"}}, "default", "prompt-twice", True),
        ({"tools": {"core": ["glob"]}}, "plan", "core-not-in-plan-mode", True),
        ({"tools": {"core": ["glob"]}}, "default", "core-not-in-plan-mode", False),
        ({"tools": {}}, "plan", "core-not-in-plan-mode", False),
    ],
)
def test_what_an_experiment_and_plan_mode_change(
    project: Project, value: dict[str, Any], mode: str, code: str, is_said: bool
) -> None:
    project.write({SETTINGS: lines(value)})
    assert bool(said(project, code, mode=mode)) is is_said


def test_core_tools_that_are_lost_are_named(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{"tools": {\n"core": [\n"ReadFileTool", "nope"]}}'})
    found = codes(project.assemble())
    assert (found["core-tool-lost"].line, "read_file" in found["core-tool-lost"].message) == (3, True)
    assert found["unmatched-entry"].message == "`tools.core` names nope: there is no such tool"


def test_skills_are_listed_without_the_tool_that_opens_them(project: Project) -> None:
    assert "activate_skill is not sent" in codes(project.assemble())["skills-without-tool"].message
    assert "skills-without-tool" not in codes(project.assemble(dialog=True))


def test_instructions_are_sent_without_the_tools(project: Project) -> None:
    assembly = project.assemble(mcp_servers=[SERVER])
    assert assembly.section("mcp_instructions:fx").present  # type: ignore[union-attr]
    assert codes(assembly)["instructions-without-tools"].message.startswith("the instructions of fx are sent")


def test_a_rule_that_misses_its_server(project: Project) -> None:
    server = {"name": "my server", "tools": [{"name": "t"}]}
    assembly = project.assemble(mcp_servers=[server], settings={"mcpServers": {"my server": {"trust": True}}})
    assert "mcp_my_server_t" not in tools_of(assembly)
    assert "server-rule-misses" in codes(assembly)


@pytest.mark.parametrize(
    ("settings", "messages"),
    [
        ({"skills": {"disabled": ["ONE", "skill-creator"]}}, []),
        ({"skills": {"disabled": ["on"]}}, ["`skills.disabled` names on: there is no such skill; did you mean one?"]),
        ({"agents": {"overrides": {"cli_help": {"enabled": False}, "browser_agent": {}}}}, []),
        (
            {"agents": {"overrides": {"cli_hlp": {}}}},
            ["`agents.overrides` names cli_hlp: there is no such sub-agent; did you mean cli_help?"],
        ),
        ({"mcp": {"excluded": ["fx", "*"]}, "mcpServers": {"fx": {"command": "x"}}}, []),
        (
            {"mcp": {"excluded": ["fy"]}, "mcpServers": {"fx": {"command": "x"}}},
            ["`mcp.excluded` names fy: there is no such server; did you mean fx?"],
        ),
    ],
)
def test_entries_that_match_nothing_are_noted(
    project: Project, settings: dict[str, object], messages: list[str]
) -> None:
    project.write({"workspace/.gemini/skills/one/SKILL.md": "---\nname: one\ndescription: x\n---\n"})
    project.write({SETTINGS: lines(settings)})
    assert [message for _, _, message in said(project, "unmatched-entry")] == messages
