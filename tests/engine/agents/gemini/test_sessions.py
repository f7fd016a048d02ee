"""Settings, trust, places, models, dates, skills, sub-agents, the override and the user's own message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Scenario, ScenarioError, Workspace
from promptscope_engine.agents.gemini.dates import long_date
from promptscope_engine.agents.gemini.gather.places import find_places, slug_of
from promptscope_engine.agents.gemini.models import resolve_model
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Verdict

from .conftest import Project, codes, loaded, text_of, tools_of

pytestmark = pytest.mark.slow

SKILL = "---\nname: {}\ndescription: {}\n---\n"
AGENT = "---\nname: {}\ndescription: d\n---\nx\n"


# --- settings, trust ------------------------------------------------------------------------------------------------


def test_settings_win_in_the_order_of_their_layers(project: Project) -> None:
    def names(**layers: str) -> str:
        files = {"defaults": "managed/system-defaults.json", "user": "home/.gemini/settings.json",
                 "own": "workspace/.gemini/settings.json", "system": "managed/settings.json"}  # fmt: skip
        project.write({files[key]: json.dumps({"context": {"fileName": name}}) for key, name in layers.items()})
        return text_of(project.assemble(), "core_mandates").partition("stands in `")[2].partition("`")[0]

    assert names(defaults="D") == "D"
    assert names(user="U") == "U"
    assert names(own="W") == "W"
    assert names(system="S") == "S"


def test_the_machines_settings_lie_where_a_variable_says(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "settings.json").write_text('{"context": {"includeDirectoryTree": false}}')
    (folder / "system-defaults.json").write_text('{"context": {"fileName": "D.md"}}')
    env = {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": f"{folder}/settings.json", "GEMINI_CLI_TRUST_WORKSPACE": "false"}
    assembly = project.assemble(env=env, dialog=True)
    assert "`D.md` or `GEMINI.md`" in text_of(assembly, "core_mandates")
    assert text_of(assembly, "session.directories") == ""


def test_comments_and_variables_in_settings(project: Project) -> None:
    text = '{ // a "comment"\n "context": {"fileName": ["$ONE", "${TWO:-two.md}", "a//b", "$NONE"]} /* x */ }'
    project.write({"home/.gemini/settings.json": text})
    mandates = text_of(project.assemble(env={"ONE": "one.md"}), "core_mandates")
    assert "`one.md`, `two.md`, `a/b`, `$NONE` or `GEMINI.md`" in mandates


def test_lists_that_layers_add_to(project: Project) -> None:
    project.write({"home/.gemini/settings.json": '{"tools": {"exclude": ["glob"], "allowed": ["write_file"]}}'})
    project.write({"workspace/.gemini/settings.json": '{"tools": {"exclude": ["read_file"], "allowed": []}}'})
    assert not {"glob", "read_file", "write_file"} & set(tools_of(project.assemble()))


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1,}', "{'a': 1}", ""])
@pytest.mark.parametrize("path", ["home/.gemini/settings.json", "workspace/.gemini/settings.json"])
def test_with_settings_that_cannot_be_read_the_client_does_not_start(project: Project, path: str, text: str) -> None:
    found = codes(project.write({path: text}).assemble(dialog=True))
    assert (found["bad-settings"].severity, found["bad-settings"].path) == ("warning", f"{project.root}/{path}")
    assert "is no JSON object" in found["agent-refuses"].message


def test_settings_without_effect_are_named(project: Project) -> None:
    project.write(
        {"home/.gemini/settings.json": '{"contextFileName": "A",\n"general": {"defaultApprovalMode": "yolo"}}'}
    )
    found = [d for d in project.assemble().diagnostics if d.code == "setting-without-effect"]
    assert [d.line for d in found] == [2, 1]


@pytest.mark.parametrize(
    ("folders", "trusted"),
    [
        ("{}", False),
        ('{"W": "TRUST_FOLDER"}', True),
        ('{"P": "TRUST_FOLDER"}', True),
        ('{"P": "TRUST_FOLDER", "W": "DO_NOT_TRUST"}', False),
        ('{"W/x": "TRUST_PARENT"}', True),
        ('{"W/x": "TRUST_FOLDER"}', False),
        ("[", False),
    ],
)
def test_the_list_of_trusted_folders(project: Project, folders: str, trusted: bool) -> None:
    text = folders.replace("W", project.cwd).replace('"P', f'"{project.root}')
    project.write({"home/.gemini/trustedFolders.json": text, "workspace/GEMINI.md": "p"})
    assembly = project.assemble(dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""})
    assert bool(loaded(assembly)) is trusted


def sentences(verdict: Verdict | None) -> Iterator[str]:
    """What a verdict and those below it say."""
    if verdict is not None:
        yield verdict.text
        for child in verdict.children:
            yield from sentences(child)


@pytest.mark.parametrize(
    ("folders", "why"),
    [
        ("{}", "trustedFolders.json does not name it"),
        ('{"W": "MAYBE"}', "trustedFolders.json does not name it"),
        ('{"/elsewhere": "DO_NOT_TRUST"}', "trustedFolders.json does not name it"),
        ('{"WX": "TRUST_FOLDER"}', "trustedFolders.json does not name it"),
        ('{"W": "DO_NOT_TRUST"}', "`W` is marked DO_NOT_TRUST"),
        ('{"W/": "DO_NOT_TRUST", "/": "TRUST_FOLDER"}', "`W/` is marked DO_NOT_TRUST"),
    ],
)
def test_why_a_folder_is_not_trusted(project: Project, folders: str, why: str) -> None:
    project.write({"home/.gemini/trustedFolders.json": folders.replace("W", project.cwd), "workspace/GEMINI.md": "p"})
    row = project.file("workspace/GEMINI.md", dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""})
    assert row.why.text == "absent: the folder is not trusted"
    assert why.replace("W", project.cwd) in sentences(row.why.condition)
    on = project.file("workspace/GEMINI.md", dialog=True, env={"GEMINI_CLI_TRUST_WORKSPACE": ""}, trusted=True)
    assert on.why.text == "present: the folder is trusted and the file was found"


def test_headless_the_client_refuses_a_folder_that_is_not_trusted(project: Project) -> None:
    assembly = project.assemble(env={"GEMINI_CLI_TRUST_WORKSPACE": "false"})
    assert codes(assembly)["agent-refuses"].severity == "error"
    assert (assembly.request.system, assembly.request.messages, assembly.request.tools) == ((), (), ())
    assert not [s for s in assembly.sections if s.present]


def test_a_folder_that_is_not_trusted_has_the_usual_mode(project: Project) -> None:
    assembly = project.assemble(dialog=True, mode="yolo", env={"GEMINI_CLI_TRUST_WORKSPACE": "false"})
    assert assembly.mode == "default"
    assert "mode-not-trusted" in codes(assembly)


def test_an_unknown_mode_names_the_nearest(project: Project) -> None:
    with pytest.raises(ScenarioError, match="auto_edit"):
        project.assemble(mode="autoedit")


# --- places, models, dates ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "slug"), [("/a/My Project!", "my-project"), ("/a/--x__Y--", "x-y"), ("/a/中", "project"), ("/", "project")]
)
def test_the_name_of_a_project(path: str, slug: str) -> None:
    assert slug_of(path) == slug


def test_the_registry_may_give_a_project_another_name(project: Project) -> None:
    project.write({"home/.gemini/projects.json": json.dumps({"projects": {"/other": "workspace"}})})
    assert "/.gemini/tmp/workspace-1\n" in text_of(project.assemble(), "session")
    project.write({"home/.gemini/tmp/mine/.project_root": project.cwd})
    assert "/.gemini/tmp/mine\n" in text_of(project.assemble(), "session")


def test_another_home(project: Project) -> None:
    project.write({"elsewhere/.gemini/GEMINI.md": "g"})
    assembly = project.assemble(env={"GEMINI_CLI_HOME": f"{project.root}/elsewhere"})
    assert f"{project.root}/elsewhere/.gemini/GEMINI.md ---\ng\n" in text_of(assembly, "memory")


@pytest.mark.parametrize(
    ("configured", "routed", "plan", "wire", "variant", "family"),
    [
        ("auto", "flash", False, "gemini-3.8-flash", "modern", "gemini-3"),
        ("auto", "flash", True, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-3", "pro", False, "gemini-3.1-pro-preview-customtools", "modern", "gemini-3"),
        ("auto-gemini-2.5", "flash", False, "gemini-3.8-flash", "legacy", "gemini-3"),
        ("pro", "flash", False, "gemini-3.1-pro-preview", "modern", "gemini-3"),
        ("flash-lite", "flash", False, "gemini-3.5-flash-lite", "modern", "gemini-3"),
        ("gemini-3-flash-preview", "pro", True, "gemini-3-flash-preview", "modern", "gemini-3"),
        ("gemini-2.5-flash", "pro", False, "gemini-2.5-flash", "legacy", "default-legacy"),
        ("my-model", "flash", False, "my-model", "modern", "default-legacy"),
    ],
)
def test_models(configured: str, routed: Any, plan: bool, wire: str, variant: str, family: str) -> None:
    model = resolve_model(configured, routed, plan=plan)
    assert (model.name, model.variant, model.family) == (wire, variant, family)


@pytest.mark.parametrize(
    ("moment", "zone", "locale", "text"),
    [
        ("2026-11-20", "UTC", "en-US", "Friday, November 20, 2026"),
        ("2026-11-20", "UTC", "en-GB", "Friday, 20 November 2026"),
        ("2026-11-20", "UTC", "de-DE", "Freitag, 20. November 2026"),
        ("2026-11-20", "UTC", "zh-CN", "2026年11月20日星期五"),
        ("2026-11-20T23:30:00+00:00", "Asia/Tokyo", "en", "Saturday, November 21, 2026"),
        ("2026-11-20", None, "tlh", "Friday, November 20, 2026"),
    ],
)
def test_dates(moment: str, zone: str | None, locale: str, text: str) -> None:
    assert long_date(moment, zone, locale) == text


# --- skills, sub-agents ---------------------------------------------------------------------------------------------


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
    assert text.index(">third<") < text.index(">second<")
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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (AGENT.format("Rev"), "small letters"),
        ("---\nname: rev\n---\n", "no `description`"),
        ("---\nname: rev\ndescription: d\ncolour: red\n---\n", "colour"),
        ("---\nname: 1\ndescription: d\n---\n", "`name` has to be a text"),
        ("---\nname: rev\ndescription: d\nkind: far\n---\n", "`kind`"),
        ("---\nname: rev\ndescription: d\ntools: read_file\n---\n", "`tools` has to be a list"),
        ("---\nname: rev\ndescription: d\ntools: [nope]\n---\n", "nope"),
        ("---\nname: rev\ndescription: d\nmax_turns: 0\n---\n", "`max_turns`"),
        ("---\nname: rev\ndescription: d\ntimeout_mins: 1.5\n---\n", "`timeout_mins`"),
        ("---\nname: rev\ndescription: d\ntemperature: warm\n---\n", "`temperature`"),
        ("---\nname: rev\ndescription: d\nmodel: 3\n---\n", "`model`"),
        ("name: rev", "no front matter"),
        ("---\n[\n---\n", "no YAML"),
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


# --- the override, the message --------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["1", " TRUE ", ".gemini/system.md"])
def test_an_override_and_its_placeholders(project: Project, value: str) -> None:
    text = "\n A\n\n\n\n${AgentSkills}\n\n${SubAgents}\n\nT:\n${AvailableTools}\n"
    text += "${glob_ToolName} ${x_ToolName}${replace_ToolName} \n"
    project.write({"workspace/.gemini/system.md": text})
    settings = {"skills": {"enabled": False}, "experimental": {"enableAgents": False}, "tools": {"core": ["glob"]}}
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value}, settings=settings)
    assert assembly.request.system[0]["text"] == "A\n\nT:\n- glob\nglob ${x_ToolName}${replace_ToolName}"


def test_dollars_of_a_description_act_in_the_override(project: Project) -> None:
    project.write({"workspace/.gemini/system.md": "a ${AgentSkills} b"})
    project.write({"home/.gemini/skills/x/SKILL.md": SKILL.format("x", "$$ $& $1 $`|$'")})
    text = project.assemble(env={"GEMINI_SYSTEM_MD": "1"}).request.system[0]["text"]
    assert "<description>$ ${AgentSkills} $1 a | b</description>" in text


@pytest.mark.parametrize(("value", "refuses"), [("0", False), ("", False), ("False", False), ("nope.md", True)])
def test_an_override_that_is_off_or_missing(project: Project, value: str, refuses: bool) -> None:
    assembly = project.assemble(env={"GEMINI_SYSTEM_MD": value})
    assert ("agent-refuses" in codes(assembly)) is refuses
    assert bool(assembly.request.system) is not refuses


def parts(project: Project, **given: Any) -> list[str]:
    """The parts of the first content behind the session context."""
    return [block["text"] for block in project.assemble(**given).request.messages[0]["content"][1:]]


def test_hooks(project: Project) -> None:
    hooks = {"SessionStart": "a <b> & c", "BeforeAgent": "z"}
    start, before = "<hook_context>a &lt;b&gt; & c</hook_context>", "<hook_context>z</hook_context>"
    assert parts(project, hooks=hooks) == [f"{start}\n\nhi", before]
    assert parts(project, hooks=hooks, dialog=True) == [start, "hi", before]
    assert parts(project, hooks=hooks, settings={"hooksConfig": {"enabled": False}}) == ["hi"]


def test_what_stands_before_a_command_makes_it_none(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Say {{args}}!"'})
    assert parts(project, prompt="/say a", stdin="in") == ["in\n\n/say a"]
    assert parts(project, prompt="/say a", hooks={"SessionStart": "h"})[0].endswith("\n\n/say a")
    off = {"hooksConfig": {"enabled": False}}
    assert parts(project, prompt="/say a", hooks={"SessionStart": "h"}, settings=off) == ["Say a!"]
    assert parts(project, prompt="/say a", stdin="in", dialog=True) == ["Say a!"]


def test_what_is_piped_in_stands_before_the_prompt(project: Project) -> None:
    assert parts(project, stdin="in\n") == ["in\n\n\nhi"]
    assert parts(project, stdin="in", dialog=True) == ["hi"]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [("/say a b", "Say a b!"), ("/git:log now", "Log\n\n/git:log now"), ("/git:log", "Log"), ("/nope x", "/nope x")],
)
def test_commands(project: Project, prompt: str, text: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Say {{args}}!"'})
    project.write(
        {"home/.gemini/commands/git/log.toml": 'prompt = "Log"', "home/.gemini/commands/say.toml": 'prompt = "no"'}
    )
    assert parts(project, prompt=prompt) == [text]


def test_files_that_the_prompt_names(project: Project) -> None:
    project.write({"workspace/a.md": "A\n", "workspace/d/b": "", "out": "o"})
    assert parts(project, prompt="see @a.md, @a.md @none @d @../out") == [
        "see @a.md, @a.md @none @d @../out",
        "\n--- Content from referenced files ---",
        "\nContent from @a.md:\n",
        "A\n",
        "\n--- End of content ---",
    ]


def test_every_switch_of_a_section_takes_it_away(project: Project) -> None:
    project.write({"workspace/.git/HEAD": "x"})
    names = [
        "PREAMBLE",
        "COREMANDATES",
        "AGENTCONTEXTS",
        "AGENTSKILLS",
        "HOOKCONTEXT",
        "PRIMARYWORKFLOWS",
        "OPERATIONALGUIDELINES",
        "GIT",
    ]
    off = {f"GEMINI_PROMPT_{name}": " False " for name in names}
    assert project.assemble(env=off).request.system[0]["text"] == ""


def test_the_folder_of_plans_has_to_lie_in_the_workspace(project: Project) -> None:
    def shown(directory: str) -> str:
        assembly = project.assemble(mode="plan", settings={"general": {"plan": {"directory": directory}}})
        return text_of(assembly, "plan").partition("`")[2].partition("`")[0]

    assert shown("docs/plans") == "docs/plans/"
    assert shown("").endswith("/00000000-0000-4000-8000-000000000001/plans/")
    project.write({"home/.gemini/settings.json": '{"general": {"plan": {"directory": 5}}}'})
    assert text_of(project.assemble(mode="plan"), "plan").partition("`")[2].partition("`")[0] == shown("")
    project.write({"home/.gemini/settings.json": "{}"})
    Path(project.cwd, "out").symlink_to(project.home)
    assert shown("out/plans").endswith("/00000000-0000-4000-8000-000000000001/plans/")
    assert shown("../elsewhere").endswith("/00000000-0000-4000-8000-000000000001/plans/")


@pytest.mark.parametrize("enabled", [True, False])
def test_the_folder_of_plans_counts_only_with_plan_mode(project: Project, enabled: bool) -> None:
    project.write({"workspace/docs/plans/p.md": "p"})
    settings = {"general": {"plan": {"directory": "docs/plans", "enabled": enabled}}}
    directories = text_of(project.assemble(settings=settings), "session.directories")
    assert (f"  - {project.cwd}/docs/plans\n" in directories) is enabled


@pytest.mark.parametrize(
    ("override", "active"),
    [
        ("!/*", False), ("!{root}/*", False), ("!{cwd}/", False), ("!{cwd}", True), ("!{root}/work*", False),
        ("!{root}/work/*", True), ("!{cwd}/sub/*", True), ("!*", False), ("!/*/workspace/", False), ("{cwd}/", True),
    ],
)  # fmt: skip
def test_overrides_of_extensions(project: Project, override: str, active: bool) -> None:
    rule = override.replace("{cwd}", project.cwd).replace("{root}", str(project.root))
    project.write({"home/.gemini/extensions/e/gemini-extension.json": '{"name": "e"}'})
    project.write({"home/.gemini/extensions/extension-enablement.json": json.dumps({"e": {"overrides": [rule]}})})
    assert project.file("home/.gemini/extensions/e/gemini-extension.json").present is active


def test_the_section_of_sub_agents_of_an_override_does_not_ask_for_their_tool(project: Project) -> None:
    project.write({"workspace/.gemini/system.md": "a\n${SubAgents}\n\n${AvailableTools}"})
    env, settings = {"GEMINI_SYSTEM_MD": "1"}, {"tools": {"exclude": ["invoke_agent"]}}
    assert "# Available Sub-Agents" in text_of(project.assemble(env=env, settings=settings), "override")
    none = text_of(project.assemble(env=env, settings={"tools": {"core": []}}), "override")
    assert none.endswith("\n\nThere is no tool at your disposal.")


def test_a_command_with_a_shell_command_says_that_none_is_run(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now: !{date}"'})
    assembly = project.assemble(prompt="/say")
    said = codes(assembly)["command-not-run"]
    assert (said.path, said.line) == (f"{project.cwd}/.gemini/commands/say.toml", 1)
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now"'})
    assert "command-not-run" not in codes(project.assemble(prompt="/say"))


@pytest.mark.parametrize(
    ("path", "absolute"),
    [
        ("~", "{home}"), ("~/x", "{home}/x"), ("~x", "{cwd}/~x"), ("x", "{cwd}/x"), ("../x", "{root}/x"), ("/x", "/x"),
        (".", "{cwd}"),
    ],
)  # fmt: skip
def test_a_path_that_a_person_wrote(project: Project, path: str, absolute: str) -> None:
    workspace = Workspace()
    scenario = {"agent": "gemini", "workspace": project.cwd, "home": project.home, "env": {}}
    _, inputs = resolve(Scenario.model_validate(scenario), workspace)
    places = find_places(inputs, "s", workspace)
    wanted = absolute.format(home=project.home, cwd=project.cwd, root=project.root)
    assert places.absolute(path) == wanted


@pytest.mark.parametrize(
    ("path", "shown"),
    [("{cwd}/a/b", "a/b"), ("{home}/a", "~/a"), ("{root}/a", "{root}/a"), ("{cwd}", "{cwd}"), ("{cwd}x/a", "{cwd}x/a")],
)
def test_a_path_as_a_sentence_has_it(project: Project, path: str, shown: str) -> None:
    workspace = Workspace()
    scenario = {"agent": "gemini", "workspace": project.cwd, "home": project.home, "env": {}}
    _, inputs = resolve(Scenario.model_validate(scenario), workspace)
    named = {"home": project.home, "cwd": project.cwd, "root": str(project.root)}
    assert find_places(inputs, "s", workspace).shown(path.format(**named)) == shown.format(**named)


@pytest.mark.parametrize(("kind", "filled"), [("${AvailableTools}", "- glob"), ("${glob_ToolName}", "glob")])
@pytest.mark.parametrize(("count", "left"), [(99, 0), (100, 0), (101, 1)])
def test_a_hundred_placeholders_of_a_kind_are_filled_in(
    project: Project, kind: str, filled: str, count: int, left: int
) -> None:
    project.write({"workspace/.gemini/system.md": f"a {kind} b " * count})
    given = {"env": {"GEMINI_SYSTEM_MD": "1"}, "settings": {"tools": {"core": ["glob"]}, "skills": {"enabled": False}}}
    text = text_of(project.assemble(**given), "override")
    assert (text.count(f"a {filled} b"), text.count(kind)) == (count - left, left)


@pytest.mark.parametrize(
    ("text", "with_skills", "without"),
    [
        ("${AgentSkills}", "[S]", ""),
        ("a\n${AgentSkills}", "a\n[S]", "a"),
        ("a\n\n${AgentSkills}\n\nb", "a\n\n[S]\n\nb", "a\n\nb"),
        ("a\n\n\n${AgentSkills}\n\n\nb", "a\n\n[S]\n\nb", "a\n\nb"),
        ("a\n${AgentSkills}\nb", "a\n[S]\nb", "a\n\nb"),
        ("a ${AgentSkills}\nb", "a [S]\nb", "a \nb"),
        ("a\n\n${AgentSkills}\n", "a\n\n[S]", "a"),
        ("${AgentSkills}\n\nb", "[S]\n\nb", "b"),
        ("a ${AgentSkills} ${AgentSkills} b", "a [S] [S] b", "a   b"),
        ("a\n${AgentSkills}\n${AgentSkills}\nb", "a\n[S]\n[S]\nb", "a\n\nb"),
    ],
)
def test_line_feeds_around_a_placeholder_collapse(project: Project, text: str, with_skills: str, without: str) -> None:
    project.write({"workspace/.gemini/system.md": text})
    for skills, expected in ((True, with_skills), (False, without)):
        given = {"env": {"GEMINI_SYSTEM_MD": "1"}, "settings": {"skills": {"enabled": skills}}}
        assembly = project.assemble(**given)
        block = text_of(project.assemble(settings={"skills": {"enabled": skills}}), "skills").strip()
        assert assembly.request.system[0]["text"] == expected.replace("[S]", block)
