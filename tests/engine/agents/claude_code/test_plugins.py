"""Installed plugins: which of them are found, and what they are called."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.gather.plugins import Plugins
from promptscope_engine.agents.claude_code.gather.settings import ClaudeCodeSettings, Sources
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.prompt.model import SettingSource

from .prompts import section

if TYPE_CHECKING:
    from .conftest import Project

NO_SETTINGS = ClaudeCodeSettings((), {}, SettingSource("unset"))


def installed(project: Project, listed: Any, settings: ClaudeCodeSettings = NO_SETTINGS) -> Plugins:
    """Plugins `tools`, `zz` and `aa` of the marketplace `shop`, which comes from the net; `listed` are installed."""
    config = project.root / "home/.claude"
    shop = f"{config}/shop"
    project.write(
        {
            "home/.claude/plugins/installed_plugins.json": json.dumps({"plugins": listed}),
            "home/.claude/plugins/known_marketplaces.json": json.dumps(
                {"shop": {"source": {"source": "github", "repo": "x/y"}, "installLocation": shop}}
            ),
            "home/.claude/shop/.claude-plugin/marketplace.json": json.dumps(
                {"plugins": [{"name": name, "source": f"./{name}"} for name in ("tools", "zz", "aa")]}
            ),
            "home/.claude/p/a/commands/c.md": "",
            "home/.claude/p/b/skills/x": "",
        }
    )
    project.workspace.forget(project.workspace.asked)
    project.workspace.allow([str(config)])
    return Plugins(settings, Sources(None), str(config), project.workspace)


def with_settings(plain: dict[str, Any]) -> ClaudeCodeSettings:
    return replace(NO_SETTINGS, layers=(Layer(plain),), plain=plain)


def switched(**values: Any) -> ClaudeCodeSettings:
    plain = {"enabledPlugins": {f"{name}@shop": value for name, value in values.items()}}
    return with_settings(plain)


@pytest.mark.parametrize(
    ("installs", "folder"),
    [
        ({"installPath": "A"}, "A"),
        ([{"installPath": "A/"}, {"installPath": "B"}], "A"),
        ([{"installPath": "relative"}, {"installPath": "B"}], "B"),
        ([{"installPath": 5}, {"installPath": None}, {}, "odd", None, {"installPath": "B"}], "B"),
        ([{"installPath": "relative"}], None),
        ([], None),
        ("A", None),
    ],
)
def test_a_plugin_lies_in_the_first_folder_that_is_one(project: Project, installs: Any, folder: str | None) -> None:
    base = f"{project.root}/home/.claude/p"
    text = json.dumps(installs).replace('"A', f'"{base}/a').replace('"B', f'"{base}/b')
    found = installed(project, {"tools@shop": json.loads(text)}, switched(tools=True))
    wanted = [("tools", f"{base}/{folder.lower()}", True)] if folder else []
    assert [(each.name, each.folder, each.enabled) for each in found.all] == wanted
    assert [d.code for d in found.diagnostics] == ([] if folder else ["plugin-missing"])


@pytest.mark.parametrize(
    ("manifest", "name", "problem"),
    [
        ('{"name": "Fine", "odd": 1}', "Fine", ""),
        ('{"name": ""}', "tools", "`name` of"),
        ('{"name": 5}', "tools", "must be a string that is not empty"),
        ('{"name": "x", "version": 3}', "x", "`version` of"),
        ('{"name": "x", "commands": "cmds"}', "x", "must be an object or a path that begins with ./"),
        ('{"name": "x", "agents": "./agents"}', "x", "must be the path of an .md file"),
        ("[]", "tools", "is not an object"),
        ("{", "tools", "not valid JSON"),
    ],
)
def test_what_a_manifest_says(project: Project, manifest: str, name: str, problem: str) -> None:
    project.write({"home/.claude/p/a/.claude-plugin/plugin.json": manifest})
    place = {"installPath": f"{project.root}/home/.claude/p/a"}
    found = installed(project, {"tools@shop": place}, switched(tools=True))
    assert [(each.name, each.enabled) for each in found.all] == [(name, not problem)]
    assert [problem in d.message for d in found.diagnostics] == ([True] if problem else [])


def test_where_a_manifest_says_that_files_are(project: Project) -> None:
    """Commands and agents replace the usual folders, skills are added."""
    manifest = {"name": "x", "commands": ["./c", "./d/e.md"], "agents": "./f.md", "skills": "./more"}
    project.write({"home/.claude/p/b/.claude-plugin/plugin.json": json.dumps(manifest)})
    base = f"{project.root}/home/.claude/p/b"
    (found,) = installed(project, {"tools@shop": {"installPath": base}}).all
    assert found.commands == (f"{base}/c", f"{base}/d/e.md")
    assert found.agents == (f"{base}/f.md",)
    assert found.skills == (f"{base}/skills", f"{base}/more")


def test_a_plugin_without_a_folder_of_skills_may_be_one_itself(project: Project) -> None:
    base = f"{project.root}/home/.claude/p/a"
    (found,) = installed(project, {"tools@shop": {"installPath": base}}).all
    assert found.skills == (base,)
    assert found.commands == (f"{base}/commands",)


@pytest.mark.parametrize(
    ("key", "files", "problem"),
    [
        ("tools@mall", {}, "known_marketplaces.json has no marketplace mall"),
        ("nope@shop", {}, "the marketplace shop has no plugin nope"),
        ("tools@shop", {}, "it is not installed"),
    ],
)
def test_a_plugin_that_is_switched_on_and_not_there_is_told(
    project: Project, key: str, files: dict[str, str], problem: str
) -> None:
    plain = {"enabledPlugins": {key: True}}
    found = installed(project, files, with_settings(plain))
    assert found.all == ()
    assert [d.message for d in found.diagnostics] == [f"the plugin {key} is switched on, but not loaded: {problem}"]


def test_a_marketplace_that_is_a_folder_is_read_in_place(project: Project) -> None:
    config = project.root / "home/.claude"
    project.write(
        {
            "home/shop/.claude-plugin/marketplace.json": json.dumps({"plugins": [{"name": "t", "source": "./in/t"}]}),
            "home/.claude/plugins/known_marketplaces.json": json.dumps(
                {"shop": {"source": {"source": "directory"}, "installLocation": f"{project.root}/home/shop"}}
            ),
        }
    )
    project.workspace.allow([str(project.root / "home")])
    settings = switched(t=True)
    (missing,) = Plugins(settings, Sources(None), str(config), project.workspace).all
    assert (missing.folder, missing.enabled) == (f"{project.root}/home/shop/in/t", False)
    project.write({"home/shop/in/t/commands/c.md": ""})
    project.workspace.forget(project.workspace.asked)
    (found,) = Plugins(settings, Sources(None), str(config), project.workspace).all
    assert found.enabled


def test_plugins_are_in_the_order_of_the_settings(project: Project) -> None:
    places = {f"{n}@shop": {"installPath": f"{project.root}/home/.claude/p/a"} for n in ("aa", "tools", "zz")}
    found = installed(project, places, switched(zz=True, tools=False))
    assert [(each.name, each.enabled) for each in found.all] == [("zz", True), ("tools", False), ("aa", False)]


@pytest.mark.parametrize("listed", [[], None, "x", 5])
def test_a_list_of_plugins_that_is_none_is_not_used(project: Project, listed: Any) -> None:
    found = installed(project, listed)
    assert found.all == ()
    assert len(found.files) == 2


def test_without_the_file_there_is_nothing(project: Project) -> None:
    found = Plugins(NO_SETTINGS, Sources(None), str(project.root / "home/.claude"), project.workspace)
    assert (found.all, found.files, found.diagnostics) == ((), [], [])


@pytest.mark.parametrize(("count", "looked_at"), [(499, 499), (500, 500), (501, 500)])
def test_five_hundred_plugins_are_looked_at(project: Project, count: int, looked_at: int) -> None:
    names = [f"p{number:03}" for number in range(count)]
    found = installed(project, {name: {"installPath": f"/p/{name}"} for name in names})
    assert [each.name for each in found.all] == names[:looked_at]


@pytest.mark.parametrize("value", [True, False, None, "true", 1, []])
def test_a_plugin_is_switched_on_by_its_key(project: Project, value: Any) -> None:
    place = {"installPath": f"{project.root}/home/.claude/p/a"}
    found = installed(project, {"tools@shop": place}, switched(tools=value))
    assert [each.enabled for each in found.all] == [value is True]


_STYLES = "plug/output-styles/"


def _style(name: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: d\n{more}---\nStyle {name}.\n"


@pytest.mark.parametrize(
    ("files", "setting", "in_force"),
    [
        ({f"{_STYLES}a.md": _style("A")}, None, None),
        ({f"{_STYLES}a.md": _style("A")}, "tool:A", "A"),
        ({f"{_STYLES}a.md": _style("A")}, "A", None),
        ({f"{_STYLES}in/a.md": _style("A")}, "tool:A", "A"),
        ({f"{_STYLES}a.md": _style("A", "force-for-plugin: true\n")}, None, "A"),
        ({f"{_STYLES}a.md": _style("A", "force-for-plugin: 'true'\n")}, "Explanatory", "A"),
        ({f"{_STYLES}{n}.md": _style(n, "force-for-plugin: true\n") for n in ("A", "B")}, "default", "A"),
        ({"workspace/.claude/output-styles/a.md": _style("A", "force-for-plugin: true\n")}, None, None),
        ({"plug/st/a.md": _style("A"), "plug/.claude-plugin/plugin.json": '{"outputStyles": "./st"}'}, "tool:A", "A"),
        (
            {
                "plug/st/b.md": _style("B"),
                f"{_STYLES}a.md": _style("A"),
                "plug/.claude-plugin/plugin.json": '{"outputStyles": ["./st/b.md"]}',
            },
            "tool:A",
            None,
        ),
    ],
)
def test_output_styles_of_a_plugin(
    project: Project, files: dict[str, str], setting: str | None, in_force: str | None
) -> None:
    """As 2.1.332 answered."""
    manifest = json.loads(files.get("plug/.claude-plugin/plugin.json", "{}"))
    project.write({**files, "plug/.claude-plugin/plugin.json": json.dumps({"name": "tool", **manifest})})
    params = {"args": {"pluginDir": [str(project.cwd.parent / "plug")]}, "settings": {"outputStyle": setting}}
    text = "".join(each.text for each in project.assemble("2.1.332", params=params).sections)
    assert [name for name in ("A", "B") if f"Style {name}." in text] == ([in_force] if in_force else [])


_PLUGIN = "home/.claude/plugins/marketplaces/mkt/tool"


def _from_marketplace(project: Project, entry: dict[str, Any], manifest: dict[str, Any] | None) -> set[str]:
    """What is listed of a plugin with a skill, a command and an agent in their usual folders, and others beside."""
    place = f"{project.root}/home/.claude/plugins/marketplaces/mkt"
    plugins = [{"name": "tool", "source": "./tool", **entry}]
    project.write(
        {
            **{f"{_PLUGIN}/{at}/{name}/SKILL.md": f"---\ndescription: of {name}\n---\n" for at, name in _SKILLS},
            **{f"{_PLUGIN}/{at}/{name}.md": f"---\ndescription: of {name}\n---\n" for at, name in _COMMANDS},
            **{
                f"{_PLUGIN}/{at}/{name}.md": f"---\nname: {name}\ndescription: of {name}\n---\nBody.\n"
                for at, name in _AGENTS
            },
            f"{_PLUGIN}/../.claude-plugin/marketplace.json": json.dumps({"name": "mkt", "plugins": plugins}),
            "home/.claude/plugins/known_marketplaces.json": json.dumps(
                {"mkt": {"source": {"source": "directory", "path": place}, "installLocation": place}}
            ),
            "home/.claude/plugins/installed_plugins.json": json.dumps(
                {"plugins": {"tool@mkt": [{"installPath": f"{place}/tool"}]}}
            ),
            "home/.claude/settings.json": json.dumps({"enabledPlugins": {"tool@mkt": True}}),
            **({f"{_PLUGIN}/.claude-plugin/plugin.json": json.dumps(manifest)} if manifest is not None else {}),
        }
    )
    text = "".join(each.text for each in project.assemble("2.1.332").sections)
    names = [name for _, name in (*_SKILLS, *_COMMANDS, *_AGENTS)]
    return {name for name in names if f"tool:{name}: of {name}" in text}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("./more/skmore/SKILL.md", ["tool:SKILL (tool:skmore)"]),
        ("./more/skmore", ["tool:skmore"]),
        ("./more", ["tool:skmore"]),
        ("./deep/all", ["tool:all"]),
    ],
)
def test_a_plugins_commands_may_be_skills(project: Project, given: str, names: list[str]) -> None:
    """Of a whole folder, with everything below it; a file that the manifest names has its own name."""
    at = "workspace/tool"
    text = "---\nname: {}\ndescription: word\n---\n"
    files = {"more/skmore/SKILL.md": "skmore", "deep/all/SKILL.md": "all"}
    files |= {"deep/all/in.md": "in", "deep/all/sub/low.md": "low"}
    project.write({f"{at}/{path}": text.format(name) for path, name in files.items()})
    project.write({f"{at}/.claude-plugin/plugin.json": json.dumps({"name": "tool", "commands": [given]})})
    params = {"args": {"pluginDir": [f"{project.root}/{at}"]}}
    found = "".join(each.text for each in project.assemble("2.1.332", params=params).sections)
    assert re.findall(r"- (tool:.*): word", found) == names


_SKILLS = (("skills", "sk"), ("more", "skmore"))
_COMMANDS = (("commands", "cm"), ("cmds", "cmmore"))
_AGENTS = (("agents", "ag"), ("ags", "agmore"))
_USUAL = {"sk", "cm", "ag"}
_MANIFEST = {"name": "tool"}


@pytest.mark.parametrize(
    ("entry", "manifest", "listed"),
    [
        ({}, None, _USUAL),
        ({"strict": False}, _MANIFEST, _USUAL),
        *[({"skills": ["./more"]}, manifest, _USUAL | {"skmore"}) for manifest in (None, _MANIFEST)],
        *[({"commands": ["./cmds/cmmore.md"]}, manifest, _USUAL | {"cmmore"}) for manifest in (None, _MANIFEST)],
        *[({"agents": "./ags/agmore.md"}, manifest, _USUAL | {"agmore"}) for manifest in (None, _MANIFEST)],
        ({"skills": ["./more"], "strict": False}, None, _USUAL | {"skmore"}),
        ({"skills": ["./more"], "strict": False}, _MANIFEST, set()),
        ({"commands": {"z": {"content": "b"}}, "strict": False}, _MANIFEST, set()),
        *[({key: value, "strict": False}, _MANIFEST, _USUAL) for key, value in (("agents", "./ags"), ("skills", 5))],
        ({"dependencies": ["nope"]}, None, set()),
        ({"dependencies": ["nope"]}, _MANIFEST, _USUAL),
        ({}, {**_MANIFEST, "dependencies": [{"name": "nope"}]}, set()),
        ({}, {"name": "To ol"}, set()),
        ({}, {**_MANIFEST, "hooks": 7}, set()),
    ],
)
def test_the_entry_of_a_marketplace_is_beside_the_manifest(
    project: Project, entry: dict[str, Any], manifest: dict[str, Any] | None, listed: set[str]
) -> None:
    """As 2.1.332 answered."""
    assert _from_marketplace(project, entry, manifest) == listed


@pytest.mark.parametrize(
    ("of_plugin", "setting", "given", "drives"),
    [
        ({"agent": "tool:lead"}, None, None, "tool:lead"),
        ({"agent": "lead"}, None, None, "tool:lead"),
        ({"agent": "own"}, None, None, "own"),
        ({"agent": "nope"}, None, None, None),
        ({"agent": 5}, None, None, None),
        ({"agent": "tool:lead"}, "own", None, "own"),
        ({"agent": "tool:lead"}, None, "own", "own"),
        ({}, "lead", None, "tool:lead"),
        ({}, None, "lead", "tool:lead"),
        ({"language": "german", "outputStyle": "Explanatory"}, None, None, None),
    ],
)
def test_a_plugin_may_name_the_agent_that_drives(
    project: Project, of_plugin: dict[str, Any], setting: str | None, given: str | None, drives: str | None
) -> None:
    """As 2.1.332 answered."""
    agents = {"plug/agents/lead.md": "lead", "workspace/.claude/agents/own.md": "own"}
    project.write(
        {
            **{path: f"---\nname: {name}\ndescription: d\n---\nBody.\n" for path, name in agents.items()},
            "plug/.claude-plugin/plugin.json": '{"name": "tool"}',
            "plug/settings.json": json.dumps(of_plugin),
        }
    )
    args = {"pluginDir": [str(project.cwd.parent / "plug")], "agent": given}
    found = project.materials("2.1.332", params={"args": args, "settings": {"agent": setting}})
    assert (found.main_agent and found.main_agent.name) == drives
    assert not found.language.value


_COMMAND_FILE = "---\ndescription: of the file\n---\nText of the file.\n"


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ({"k": {"source": "./cmds/c.md"}}, ["- tool:k: of the file"]),
        ({"k": {"source": "./cmds/c.md", "description": "own"}}, ["- tool:k: own"]),
        ({"k": {"source": "./cmds/bare.md"}}, []),
        ({"k": {"source": "./cmds/bare.md", "description": "own"}}, ["- tool:k: own"]),
        ({"k": {"content": "Text.", "description": "own"}}, ["- tool:k: own"]),
        ({"k": {"content": "Text."}}, []),
        ({"k": {"content": "---\ndescription: of the text\n---\nText."}}, ["- tool:k: of the text"]),
        ({"k": {"content": "---\ndescription: of the text\n---\n", "description": "own"}}, ["- tool:k: own"]),
        ({"a b": {"content": "x", "description": "own"}}, ["- tool:a b: own"]),
        ({"a/b": {"content": "x", "description": "own", "unknown": 7}}, ["- tool:a/b: own"]),
        ({"k": {"source": "./cmds", "description": "own"}}, ["- tool:c: of the file"]),
        ({"k": {"source": "./none.md", "description": "own"}}, []),
        ({}, []),
    ],
)
def test_commands_that_a_manifest_names(project: Project, commands: dict[str, Any], lines: list[str]) -> None:
    """As 2.1.332 answered; the usual folder no longer counts."""
    project.write({"plug/cmds/c.md": _COMMAND_FILE, "plug/cmds/bare.md": "x\n", "plug/commands/u.md": _COMMAND_FILE})
    assert [line for line in _listed(project, {"commands": commands}) if line.startswith("- tool:")] == lines


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("commands", {"k": value}) for value in (7, "./cmds/c.md", {}, {"description": "d"})],
        ("commands", {"k": {"source": "./cmds/c.md", "content": "x"}}),
        *[("commands", {"k": {"source": source}}) for source in ("cmds/c.md", "../x.md")],
        ("commands", {"k": {"content": "x", "description": 7}}),
        *[("name", name) for name in ("a b", "a/b", "a\\b", "a:b", "a@b", "", 7, None)],
        *[("hooks", value) for value in (7, [7], None)],
        *[("mcpServers", value) for value in (7, "x", None, {"a": 7}, {"a": {"command": 7}})],
        *[("lspServers", value) for value in (7, {"a": 7}, {"a": {"command": "x"}})],
        ("channels", [{"server": "x"}]),
        ("monitors", "./m"),
        ("experimental", {"monitors": "./m"}),
        *[(key, 7) for key in ("settings", "userConfig", "channels", "themes", "monitors", "workflows")],
    ],
)
def test_a_manifest_that_the_client_refuses(project: Project, key: str, value: Any) -> None:
    project.write({"plug/commands/u.md": _COMMAND_FILE, "plug/cmds/c.md": _COMMAND_FILE})
    assert not [line for line in _listed(project, {key: value}) if "of the file" in line]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("name", name) for name in ("UP", "a.b", "a_b", "ä", "-a", "a.", "1")],
        *[("hooks", value) for value in ("./h.json", [], {}, {"Nope": []}, {"SessionStart": 7})],
        *[("mcpServers", value) for value in ([], {}, "./m.json")],
        *[(key, 7) for key in ("description", "homepage", "license", "experimental", "bin", "rules", "unknown")],
        ("settings", {"agent": 7}),
        ("channels", []),
        ("workflows", "./wf"),
    ],
)
def test_a_manifest_that_the_client_takes(project: Project, key: str, value: Any) -> None:
    project.write({"plug/commands/u.md": _COMMAND_FILE})
    assert [line for line in _listed(project, {key: value}) if "of the file" in line]


def _listed(project: Project, manifest: dict[str, Any]) -> list[str]:
    project.write({"plug/.claude-plugin/plugin.json": json.dumps({"name": "tool", **manifest})})
    params = {"args": {"print": True, "pluginDir": [str(project.cwd.parent / "plug")]}}
    return section(project.assemble("2.1.332", params=params), "skills").text.split("\n")


def test_a_command_of_the_manifest_can_be_typed(project: Project) -> None:
    manifest = {"name": "tool", "commands": {"k": {"content": "Do $ARGUMENTS.", "description": "own"}}}
    project.write({"plug/.claude-plugin/plugin.json": json.dumps(manifest)})
    args = {"print": True, "pluginDir": [str(project.cwd.parent / "plug")]}
    found = project.assemble("2.1.332", params={"args": args, "prompt": "/tool:k it"})
    assert section(found, "prompt").text == "Do it."


_HERE, _OWN = "workspace/.claude/skills/box", "home/.claude/skills/box"


def _among_skills(at: str, word: str = "inner", **manifest: Any) -> dict[str, str]:
    return {
        f"{at}/.claude-plugin/plugin.json": json.dumps({"name": "tool", **manifest}),
        f"{at}/skills/in/SKILL.md": f"---\ndescription: {word}\n---\n",
        f"{at}/agents/a.md": f"---\nname: a\ndescription: agent {word}\n---\nBody.\n",
    }


def _of_tool(project: Project, **top: Any) -> list[str]:
    params = {"args": {"print": True, **top.pop("args", {})}}
    text = "".join(each.text for each in project.assemble("2.1.332", params=params, **top).sections)
    return [line for line in text.split("\n") if line.startswith("- tool:")]


_LOADED = ["- tool:a: agent inner (Tools: All tools)", "- tool:in: inner"]


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        (_among_skills(_HERE), _LOADED),
        (_among_skills(_OWN), _LOADED),
        (_among_skills(_HERE, "here") | _among_skills(_OWN), _LOADED),
        (_among_skills("workspace/.claude/skills/deeper/box"), []),
        (_among_skills("workspace/below/.claude/skills/box"), []),
        (_among_skills("workspace/.claude/plugins/box"), []),
        (_among_skills("managed/.claude/skills/box"), []),
        ({k: v for k, v in _among_skills(_HERE).items() if "plugin.json" not in k}, []),
        (_among_skills(_HERE, name=None), []),
        (_among_skills(_HERE, hooks=7), []),
        (_among_skills(_HERE, defaultEnabled=False), []),
        (_among_skills(_HERE, dependencies=["other@m"]), []),
    ],
)
def test_plugins_among_skills(project: Project, files: dict[str, str], lines: list[str]) -> None:
    """As 2.1.332 answered: those of the start folder and of the user, which come first."""
    project.write(files)
    assert _of_tool(project) == lines


@pytest.mark.parametrize(
    ("key", "off"), [("tool@skills-dir", True), ("tool@inline", False), ("tool", False), ("box@skills-dir", False)]
)
def test_settings_switch_a_plugin_among_skills_off(project: Project, key: str, off: bool) -> None:
    project.write(_among_skills(_HERE) | {"home/.claude/settings.json": json.dumps({"enabledPlugins": {key: False}})})
    assert (_of_tool(project) == []) is off


def test_its_source_and_the_folders_trust_count(project: Project) -> None:
    project.write(_among_skills(_HERE))
    assert _of_tool(project, args={"settingSources": "user"}) == []
    assert _of_tool(project, env={"CLAUDE_CODE_SAFE_MODE": "1"}) == []
    project.write({"home/.claude.json": json.dumps({"projects": {str(project.cwd): {}}})})
    project.workspace.forget(project.workspace.asked)
    assert _of_tool(project) == []


def test_one_of_plugin_dir_comes_before_those_among_skills(project: Project) -> None:
    project.write(_among_skills(_HERE, "here") | _among_skills("plug"))
    assert _of_tool(project, args={"pluginDir": [str(project.cwd.parent / "plug")]}) == _LOADED


@pytest.mark.parametrize(
    ("path", "value", "there"),
    [
        (".lsp.json", {"ts": {"command": "x", "extensionToLanguage": {".ts": "typescript"}}}, True),
        (".lsp.json", {"ts": {"command": "x"}}, False),
        (".lsp.json", {}, False),
    ],
)
def test_a_language_server_brings_a_tool(project: Project, path: str, value: Any, there: bool) -> None:
    project.write({f"plug/{path}": json.dumps(value), "plug/.claude-plugin/plugin.json": json.dumps({"name": "tool"})})
    params = {"args": {"print": True, "pluginDir": [str(project.cwd.parent / "plug")]}}
    lines = section(project.assemble("2.1.332", params=params), "deferred_tools").text.split("\n")
    assert ("LSP" in lines) is there
