"""Skills and sub-agents."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.engine.agents.gemini.conftest import (
    AGENT,
    MANIFEST,
    SETTINGS,
    SKILL,
    UNTRUSTED,
    Project,
    codes,
    rows,
    said,
    text_of,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("make", "notes"),
    [
        (lambda path: path.write_text(SKILL.format("a", "d")), []),
        (lambda path: path.write_text("no head"), ["no skill: it does not begin with front matter"]),
        (
            lambda path: path.write_text("---\nname: a\n---\n"),
            ["no skill: its front matter has no name or no description"],
        ),
        (lambda path: path.symlink_to("nowhere"), []),
        (lambda path: path.mkdir(), []),
    ],
)
def test_what_is_said_of_a_skill(project: Project, make: Any, notes: list[str]) -> None:
    folder = project.root / "home/.gemini/skills/a"
    folder.mkdir(parents=True)
    make(folder / "SKILL.md")
    found = project.gathered()
    assert said(project, "bad-skill") == [("home/.gemini/skills/a/SKILL.md", 1, note) for note in notes]
    assert rows(project, "skill") == ["home/.gemini/skills/a/SKILL.md"]
    whys = [draft.when.evaluate(found.facts).text for draft in found.files if draft.kind == "skill"]
    assert not notes or whys == [notes[0].removeprefix("no skill: ")]


def test_where_skills_are_looked_for(project: Project) -> None:
    names = ["SKILL.md", "b/SKILL.md", "b/c/SKILL.md", ".d/SKILL.md", "e.md", "f/skill.md"]
    folders = ["home/.gemini/skills", "home/.agents/skills", "workspace/.gemini/skills", "workspace/.agents/skills"]
    project.write({f"{folder}/{name}": SKILL.format("x", "d") for folder in folders for name in names})
    taken = [f"{folder}/{name}" for folder in folders for name in names[:2]]
    reasons = {name: project.file(f"{folders[2]}/{name}").why.text for name in (names[2], *names[4:])}
    assert [path for path in rows(project, "skill") if path in taken] == taken
    assert reasons["b/c/SKILL.md"].startswith("absent: not read: it is too deep: a skill is a folder directly in")
    assert reasons["e.md"] == "absent: not read: a skill is a folder with a SKILL.md in it"
    assert reasons["f/skill.md"] == "absent: not read: only the name SKILL.md counts (this is skill.md)"
    at_home = rows(project, "skill", workspace=project.home)
    assert [path for path in at_home if path in taken] == taken[:4]


def test_the_skills_of_a_folder_are_listed_backwards(project: Project) -> None:
    names = ["1", "10", "2", "A", "B", "_x", "a-b", "a_", "b", "z"]
    project.write({f"workspace/.gemini/skills/{name}/SKILL.md": SKILL.format(name, "d") for name in names})
    found = [skill.name for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    assert found == names[::-1]


@pytest.mark.parametrize(
    ("disabled", "files", "lever"),
    [(["X"], None, []), (["y", "x"], None, ["y"]), (["y"], ["x"], None), (["x"], ["x"], None)],
)
def test_what_would_bring_a_disabled_skill_back(
    project: Project, disabled: list[str], files: list[str] | None, lever: list[str] | None
) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    if files:
        project.write({SETTINGS: json.dumps({"skills": {"disabled": files}})})
    row = project.file("home/.gemini/skills/x/SKILL.md", settings={"skills": {"disabled": disabled}})
    assert [each.value for each in row.why.levers] == ([] if lever is None else [lever])


@pytest.mark.parametrize(
    ("head", "entry"),
    [
        ("---\nname: x\ndescription: a\n---\n", ("x", "a")),
        ("---\nname: x\ndescription: a: b\n---", ("x", "a: b")),
        ("---\nname: 123\ndescription: [a]\n  more\n---\n", ("123", "[a] more")),
        ("---\r\nname: a/b:c\r\ndescription: ''\r\n---\r\n", ("a-b-c", "")),
        ("---\nname: x\ndescription: >\n  a\n  b\n---\n", ("x", "a b\n")),
        ("---\nname: x\ndescription: a\n---and more", ("x", "a")),
        ("---\nname: ''\ndescription: a\n---\n", ("", "a")),
        ("---\nname:\ndescription:\n  a\n---\n", ("", "a")),
        ('---\nname: x\ndescription: "a\\n\\n\\n\\nb"\n---\n', ("x", "a\n\nb")),
        ("\ufeff---\nname: x\ndescription: a\n---\n", None),
        ("\n---\nname: x\ndescription: a\n---\n", None),
        ("---\nname: x\n---\n", None),
        ("---\ndescription: x\n---\n", None),
    ],
)
def test_the_head_of_a_skill(project: Project, head: str, entry: tuple[str, str] | None) -> None:
    project.write({"home/.gemini/skills/d/SKILL.md": head})
    assembly = project.assemble()
    text = text_of(assembly, "skills")
    if entry is None:
        assert text.count("<skill>") == 2
        row = next(f for f in assembly.files if f.kind == "skill")
        assert not row.present
        assert row.why.remedy
    else:
        assert (
            f"    <name>{entry[0]}</name>\n    <description>{entry[1]}</description>\n    <location>{project.home}"
            in text
        )


def test_a_later_skill_takes_the_place_of_an_earlier_one(project: Project) -> None:
    project.write({"home/.gemini/skills/a/SKILL.md": SKILL.format("a", "first")})
    project.write({"home/.gemini/skills/b/SKILL.md": SKILL.format("b", "second")})
    project.write({"workspace/.gemini/skills/x/SKILL.md": SKILL.format("a", "third")})
    assembly = project.assemble()
    text = text_of(assembly, "skills")
    assert text.index(">second<") < text.index(">third<")
    assert ">first<" not in text
    row = next(file for file in assembly.files if file.path.endswith("skills/a/SKILL.md"))
    assert "replaces it" in row.why.text


@pytest.mark.parametrize(
    ("settings", "skills"),
    [({}, 3), ({"disabled": ["X", "Skill-Creator"]}, 1), ({"enabled": False}, 0), ({"disabled": ["nope"]}, 3)],
)
def test_skills_are_switched_off(project: Project, settings: dict[str, Any], skills: int) -> None:
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "d")})
    assembly = project.assemble(settings={"skills": settings})
    assert text_of(assembly, "skills").count("<skill>") == skills
    assert ("`activate_skill`" in text_of(assembly, "core_mandates")) is (skills > 0)


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_skills_are_read(project: Project, over: int) -> None:
    names = [f"x{number:04}" for number in range(500 + over)]
    project.write({f"home/.gemini/skills/{name}/SKILL.md": SKILL.format(name, "d") for name in names})
    found = project.gathered()
    assert len([draft for draft in found.files if draft.kind == "skill"]) == min(500, len(names))
    notes = [each.message for each in found.diagnostics if each.code == "too-many-files"]
    assert notes == ["500 skills are read; the others are left out"] * (over > 0)


@pytest.mark.parametrize(
    ("description", "text", "line"),
    [("plain", "plain", 3), ("in ${extensionPath}", "in {}", None), ("in ${workspacePath}", "in {cwd}", None)],
)
def test_the_description_of_an_extensions_skill(
    project: Project, description: str, text: str, line: int | None
) -> None:
    folder = "home/.gemini/extensions/e"
    project.write(
        {MANIFEST.format("e"): '{"name": "e"}', f"{folder}/skills/x/SKILL.md": SKILL.format("x", description)}
    )
    [skill] = [skill for skill in project.gathered().materials.skills if "/bundle/" not in skill.location]
    shown = text.format(f"{project.root}/{folder}", cwd=project.cwd)
    assert [(span.text, span.origin.start_line) for span in skill.spans] == [(shown, line)]


NOT = "no sub-agent: "
REMOTE = "agent_card_url: https://x.test/card\n"


@pytest.mark.parametrize(
    ("head", "code", "message"),
    [
        (f"name: far\n{REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card, and nothing is"),
        (f"kind: remote\n{REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card, and nothing"),
        (f"- {REMOTE}- kind: remote\n  {REMOTE}", "agent-not-fetched", "a remote sub-agent is described by its card"),
        (f"- {REMOTE}- name: x\n", "bad-agent", f"{NOT}its front matter must be an object"),
        ("[]\n", "bad-agent", f"{NOT}its front matter must be an object"),
        (f"kind: local\n{REMOTE}", "bad-agent", f"{NOT}`agent_card_url`: unknown key"),
        ("kind: remote\nagent_card_url: 5\n", "bad-agent", f"{NOT}`kind`: must be `local`"),
        (f"{'k' * 300}: 1\n", "bad-agent", f"{NOT}`kkk"),
        ("Tool: [glob]\n", "bad-agent", f"{NOT}`Tool`: unknown key; did you mean `tools`?"),
        (
            "name: a\ndescription: d\ntools: [glub]\n",
            "bad-agent",
            "no sub-agent: `tools` names no tool: glub; did you mean glob?",
        ),
        (f"name: a\ndescription: d\ntools: [{'t' * 300}]\n", "bad-agent", "no sub-agent: `tools` names no tool: ttt"),
        ("a: [\n", "bad-agent", "no sub-agent: its front matter is not valid YAML: "),
        (f"a: *{'x' * 300}\n", "bad-agent", f"{NOT}its front matter is not valid YAML: found undefined alias 'xxx"),
        ("name: a\ndescription: ''\n", "bad-agent", f"{NOT}`description`: must be a string that is not empty"),
        ("description: d\n", "bad-agent", f"{NOT}`name`: is missing"),
    ],
)
def test_what_is_said_of_a_sub_agent(project: Project, head: str, code: str, message: str) -> None:
    path = "home/.gemini/agents/far.md"
    project.write({path: f"---\n{head}---\n"})
    [(place, line, text)] = said(project, code)
    assert (place, line, text[: len(message)]) == (path, 1, message)
    assert len(text) <= 200 + len("no sub-agent: ")
    if "kkk" in message or "ttt" in message or "xxx" in message:
        assert len(text) == 200 + len("no sub-agent: ")


KEYS = [
    ("temperature: 0", True), ("temperature: -0.5", True), ("temperature: true", False), ("max_turns: 1", True),
    ("max_turns: 0", False), ("max_turns: -1", False), ("max_turns: 2.0", True), ("max_turns: 2.5", False),
    ("max_turns: true", False), ("tools: []", True), ("mcp_servers: []", False), ("display_name: 5", False),
    ("tools: [5]", False), ("tools: ['*', glob, search_file_content, save_memory, discovered_tool_x]", True),
    ("tools: [mcp_*, mcp_a_*, mcp_a_b, mcp_a_b_c]", True), ("tools: [mcp_a]", False), ("tools: [mcp_a_]", False),
    ("tools: [mcp_a___]", False), ("tools: [GlobTool]", False), ("kind: local", True), ("kind: far", False),
]  # fmt: skip


def test_what_the_keys_of_a_sub_agent_take(project: Project) -> None:
    for number, (further, _) in enumerate(KEYS):
        project.write({f"home/.gemini/agents/{number}.md": f"---\nname: a{number}\ndescription: d\n{further}\n---\n"})
    found = {agent.name for agent in project.gathered().materials.agents}
    assert [(further, f"a{number}" in found) for number, (further, _) in enumerate(KEYS)] == KEYS


def test_sub_agents_of_a_name_and_of_a_file_with_an_underscore(project: Project) -> None:
    project.write({"home/.gemini/agents/_a.md": AGENT.format("a"), "home/.gemini/agents/b.md": AGENT.format("b")})
    project.write(
        {
            "home/.gemini/agents/c.md": AGENT.format("b"),
            "home/.gemini/agents/d.md/x": "",
            "home/.gemini/agents/e.txt": "x",
        }
    )
    assert [agent.name for agent in project.gathered().materials.agents][3:] == ["b"]
    read = [path for path in rows(project, "agent") if project.file(path).why.text != "absent"]
    assert [path for path in read if path.endswith(".md")] == [f"home/.gemini/agents/{n}.md" for n in ("_a", "b", "c")]
    assert "only names that end in .md count" in project.file("home/.gemini/agents/e.txt").why.text
    assert project.file("home/.gemini/agents/c.md").why.text == "absent: another sub-agent is called b"
    assert said(project, "bad-agent") == []


def test_started_in_the_home_folder_its_sub_agents_are_the_users_own(project: Project) -> None:
    project.write({"home/.gemini/agents/a.md": AGENT.format("a"), "workspace/.gemini/agents/b.md": AGENT.format("b")})
    assert rows(project, "agent", workspace=project.home) == ["home/.gemini/agents/a.md"]
    assert project.file("home/.gemini/agents/a.md", workspace=project.home).present
    assert said(project, "agent-not-acknowledged", workspace=project.home) == []
    assert len(said(project, "agent-not-acknowledged")) == 1


@pytest.mark.parametrize(
    ("known", "acknowledged", "levers"),
    [
        (False, [], [("acknowledgedAgents", ["rev"])]),
        (False, ["x"], [("acknowledgedAgents", ["x", "rev"])]),
        (False, ["x", "rev"], []),
        (True, [], []),
        (True, ["rev"], []),
    ],
)
def test_what_acknowledges_a_sub_agent(
    project: Project, known: bool, acknowledged: list[str], levers: list[tuple[str, object]]
) -> None:
    text = AGENT.format("rev")
    project.write({"workspace/.gemini/agents/rev.md": text})
    if known:
        seen = {project.cwd: {"rev": sha256(text.encode()).hexdigest()}}
        project.write({"home/.gemini/acknowledgments/agents.json": json.dumps(seen)})
    row = project.file("workspace/.gemini/agents/rev.md", acknowledgedAgents=acknowledged)
    assert row.present is (known or "rev" in acknowledged)
    assert [(lever.param, lever.value) for lever in row.why.levers if lever.param == "acknowledgedAgents"] == levers


def test_nothing_is_said_of_sub_agents_that_do_not_count_anyway(project: Project) -> None:
    project.write({"workspace/.gemini/agents/rev.md": AGENT.format("rev")})
    assert said(project, "agent-not-acknowledged", **UNTRUSTED) == []
    assert said(project, "agent-not-acknowledged", settings={"experimental": {"enableAgents": False}}) == []


@pytest.mark.parametrize(
    ("overrides", "agents"),
    [
        ({}, ["codebase_investigator", "cli_help", "generalist"]),
        ({"browser_agent": {"enabled": True}}, ["codebase_investigator", "cli_help", "generalist", "browser_agent"]),
        ({"browser_agent": {"enabled": "true"}}, ["codebase_investigator", "cli_help", "generalist", "browser_agent"]),
        ({"cli_help": {"enabled": False}, "generalist": 5}, ["codebase_investigator", "generalist"]),
    ],
)
def test_the_built_in_sub_agents(project: Project, overrides: dict[str, Any], agents: list[str]) -> None:
    project.write({SETTINGS: json.dumps({"agents": {"overrides": overrides}})})
    assert [agent.name for agent in project.gathered().materials.agents] == agents


def test_the_place_of_what_is_wrong_with_a_link_among_sub_agents(project: Project) -> None:
    project.write({"home/.gemini/agents/own.md": AGENT.format("own")})
    Path(project.home, ".gemini/agents/rev.md").symlink_to("own.md")
    place = ("home/.gemini/agents/rev.md", 1, "no sub-agent: the file is a link")
    assert said(project, "bad-agent") == [place]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (AGENT.format("Rev"), "small letters"),
        ("---\nname: rev\n---\n", "`description`: is missing"),
        ("---\nname: rev\ndescription: d\ncolour: red\n---\n", "colour"),
        ("---\nname: 1\ndescription: d\n---\n", "`name`: must be small letters"),
        ("---\nname: rev\ndescription: d\nkind: far\n---\n", "`kind`"),
        ("---\nname: rev\ndescription: d\ntools: read_file\n---\n", "`tools`: must be a list"),
        ("---\nname: rev\ndescription: d\ntools: [nope]\n---\n", "nope"),
        ("---\nname: rev\ndescription: d\nmax_turns: 0\n---\n", "`max_turns`"),
        ("---\nname: rev\ndescription: d\ntimeout_mins: 1.5\n---\n", "`timeout_mins`"),
        ("---\nname: rev\ndescription: d\ntemperature: warm\n---\n", "`temperature`"),
        ("---\nname: rev\ndescription: d\nmodel: 3\n---\n", "`model`"),
        ("name: rev", "no front matter"),
        ("---\n[\n---\n", "not valid YAML"),
    ],
)
def test_agents_whose_head_is_not_in_order(project: Project, text: str, why: str) -> None:
    project.write({"home/.gemini/agents/rev.md": text})
    assembly = project.assemble()
    assert why in codes(assembly)["bad-agent"].message
    assert text_of(assembly, "sub_agents").count("<subagent>") == 3


def test_an_agent_with_all_keys(project: Project) -> None:
    further = (
        "kind: local\ndisplay_name: Rev\ntools: [glob, search_file_content, '*', mcp_fx_find, discovered_tool_x]\n"
    )
    further += "mcp_servers: {}\nmodel: inherit\ntemperature: 0.2\nmax_turns: 3.0\ntimeout_mins: 5\n"
    project.write({"home/.gemini/agents/rev.md": f"---\nname: rev\ndescription: d\n{further}---\n"})
    assert "<name>rev</name>" in text_of(project.assemble(), "sub_agents")


def test_a_link_among_sub_agents_is_left_out(project: Project) -> None:
    project.write({"home/rev.md": AGENT.format("rev"), "home/.gemini/agents/own.md": AGENT.format("own")})
    Path(project.home, ".gemini/agents/rev.md").symlink_to(f"{project.home}/rev.md")
    text = text_of(project.assemble(), "sub_agents")
    assert "<name>own</name>" in text
    assert "<name>rev</name>" not in text
    assert project.file("home/.gemini/agents/rev.md").why.text == "absent: links are left out"


def test_an_agent_of_the_project_has_to_be_acknowledged(project: Project) -> None:
    project.write({"workspace/.gemini/agents/rev.md": AGENT.format("rev")})
    assert "agent-not-acknowledged" in codes(project.assemble())
    row = project.file("workspace/.gemini/agents/rev.md")
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("acknowledgedAgents", ["rev"])]
    known = {project.cwd: {"rev": sha256(AGENT.format("rev").encode()).hexdigest()}}
    project.write({"home/.gemini/acknowledgments/agents.json": json.dumps(known)})
    assert project.file("workspace/.gemini/agents/rev.md").present
    project.write({"workspace/.gemini/agents/rev.md": AGENT.format("rev") + "changed"})
    assert not project.file("workspace/.gemini/agents/rev.md").present


def test_without_the_tool_that_calls_them_sub_agents_are_not_listed(project: Project) -> None:
    section = project.assemble(settings={"tools": {"exclude": ["invoke_agent"]}}).section("sub_agents")
    assert section is not None
    assert not section.present
    assert "`tools.exclude` names it" in section.why.text


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_so_many_files_of_sub_agents_are_read(project: Project, over: int) -> None:
    names = [f"x{number:04}" for number in range(300 + over)]
    project.write({f"home/.gemini/agents/{name}.md": AGENT.format(name) for name in names})
    found = project.gathered()
    assert len([draft for draft in found.files if draft.kind == "agent"]) == min(300, len(names))
    notes = [each.message for each in found.diagnostics if each.code == "too-many-files"]
    assert notes == ["300 files of sub-agents are read; the others are left out"] * (over > 0)
