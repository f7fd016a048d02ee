"""What a person would not expect: each has a diagnostic that says where it comes from."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Project, codes, text_of, tools_of

SETTINGS = "home/.gemini/settings.json"
SERVER = {"name": "fx", "instructions": "Ask fx.", "tools": [{"name": "find"}]}
SKILL = "---\nname: x\ndescription: d\n---\n"


def lines(value: Any) -> str:
    """JSON with every key and item on a line of its own."""
    return json.dumps(value, indent=1)


@pytest.mark.parametrize(
    ("settings", "given", "code", "line"),
    [
        ({"contextFileName": "A.md"}, {}, "setting-without-effect", 2),
        ({"context": {"discoveryMaxDirs": 1}}, {}, "setting-without-effect", 3),
        ({"context": {"fileFiltering": {"respectGitIgnore": False}}}, {}, "setting-without-effect", 4),
        ({"general": {"defaultApprovalMode": "yolo"}}, {}, "setting-without-effect", 3),
        ({"context": {"fileName": ["A.md"]}}, {}, "file-name-stays", 3),
        ({"context": {"memoryBoundaryMarkers": [".git", "../x"]}}, {}, "marker-skipped", 5),
        ({"context": {"memoryBoundaryMarkers": ["/x"]}}, {}, "marker-skipped", 4),
        ({"general": {"plan": {"directory": "../x"}}}, {}, "plans-outside", 4),
        ({"tools": {"core": ["GlobTool"]}}, {}, "core-tool-lost", 4),
        ({"tools": {"core": ["glob"]}}, {"mode": "plan"}, "core-not-in-plan-mode", 3),
        ({"tools": {"exclude": ["run_shell_command(rm)"]}}, {}, "unknown-tool", 4),
        ({"tools": {"allowed": ["WriteFileTool"]}}, {}, "unknown-tool", 4),
        ({"tools": {"exclude": ["nope"]}}, {}, "unknown-tool", 4),
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
        ({"workspace/.gemini/skills/x/SKILL.md": "\n" + SKILL}, "bad-skill", "workspace/.gemini/skills/x/SKILL.md", 1),
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
