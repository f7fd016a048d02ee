"""Links of files and folders: within the announced folders, out of them, refused and followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from promptscope_engine import assemble

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from .conftest import Project

V100, V329 = "2.1.100", "2.1.329"
SKILL = "---\nname: s\ndescription: Linked.\n---\nx\n"
AGENT = "---\nname: g\ndescription: Linked.\n---\nYou.\n"


def link(project: Project, name: str, target: str) -> None:
    path = project.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(project.root / target)


def skills(project: Project, version: str, **more: str) -> list[str]:
    gathered = project.gathered(version, **more)
    return [s.name for s in gathered.materials.skills if s.source != "bundled" and s.when.holds(gathered.facts)]


def agents(project: Project, version: str, **more: str) -> list[str]:
    return [a.name for a in project.materials(version, **more).agents if a.source != "built-in"]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("name", ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"])
def test_an_instruction_file_elsewhere(project: Project, version: str, name: str) -> None:
    project.write({"far/away/x.md": "from afar @beside.md", "far/away/beside.md": "beside"})
    link(project, f"workspace/{name}", "far/away/x.md")
    assert project.loaded(version) == []
    row = project.file(f"workspace/{name}", version)
    assert str(project.root / "far/away/x.md") in row.why.text
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("outside_links", "follow")]
    assert row.injected_chars == 0
    assert project.loaded(version, outside_links="follow") == [f"workspace/{name}"]
    followed = project.file(f"workspace/{name}", version, outside_links="follow")
    assert [(lever.param, lever.value) for lever in followed.why.levers] == [("outside_links", "refuse")]
    assert project.loaded(version) == []  # and back again, in the same workspace


@pytest.mark.parametrize("name", ["AGENTS.md", "sub/CLAUDE.md"])
def test_agents_md_and_nested_files(project: Project, name: str) -> None:
    project.write({"far/away/x.md": "from afar", "workspace/sub/y.txt": "y"})
    link(project, f"workspace/{name}", "far/away/x.md")
    for follow, wanted in (("refuse", []), ("follow", [f"workspace/{name}"])):
        reads = {"reads": ["sub/y.txt"], "outside_links": follow}
        assert [*project.loaded(V329, **reads), *project.lazily_loaded(V329, **reads)] == wanted


@pytest.mark.parametrize("place", ["workspace/.claude", "home/.claude"])
@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(
    ("linked", "target", "kind"),
    [
        ("skills/s/SKILL.md", "far/away/SKILL.md", "skill"),
        ("skills/s", "far/away/s", "skill"),
        ("skills", "far/away/skills", "skill"),
        ("commands/s.md", "far/away/SKILL.md", "skill"),
        ("commands", "far/away/commands", "skill"),
        ("agents/g.md", "far/away/g.md", "agent"),
        ("agents", "far/away/agents", "agent"),
    ],
)
def test_what_is_listed(project: Project, place: str, version: str, linked: str, target: str, kind: str) -> None:
    files = {"SKILL.md": SKILL, "s/SKILL.md": SKILL, "skills/s/SKILL.md": SKILL, "commands/s.md": SKILL}
    files |= {"g.md": AGENT, "agents/g.md": AGENT}
    project.write({f"far/away/{name}": text for name, text in files.items()})
    link(project, f"{place}/{linked}", target)
    find, names = (skills, ["s"]) if kind == "skill" else (agents, ["g"])
    assert find(project, version) == []
    rows = [f for f in project.assemble(version).files if [lever.param for lever in f.why.levers] == ["outside_links"]]
    assert [row.kind for row in rows] == [kind]
    assert find(project, version, outside_links="follow") == names


@pytest.mark.parametrize("linked", [".claude/rules/r.md", ".claude/rules/team", ".claude/rules", ".claude"])
def test_rules_elsewhere(project: Project, linked: str) -> None:
    folder = {".claude/rules/r.md": "far/away/r.md", ".claude": "far/away/dot"}.get(linked, "far/away/rules")
    project.write({"far/away/r.md": "rule", "far/away/rules/r.md": "rule", "far/away/dot/rules/r.md": "rule"})
    link(project, f"workspace/{linked}", folder)
    target = {"far/away/r.md": "far/away/r.md", "far/away/dot": "far/away/dot/rules/r.md"}.get(folder, f"{folder}/r.md")
    assert project.loaded(V100) == []
    assert project.loaded(V100, outside_links="follow") == [target]
    assert project.loaded(V329, outside_links="follow") == []
    reasons = [f.why.text for f in project.assemble(V329, outside_links="follow").files if "rules" in f.path]
    assert any("does not follow" in text for text in reasons)


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_rules_that_stay_inside(project: Project, version: str, kind: str) -> None:
    project.write({"workspace/docs/r.md": "rule"})
    if kind == "file":
        link(project, "workspace/.claude/rules/r.md", "workspace/docs/r.md")
    else:
        link(project, "workspace/.claude/rules/team", "workspace/docs")
    assert project.loaded(version) == ["workspace/docs/r.md"]


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(("ending", "target"), [(".md", "docs/r.md"), ("", "docs")])
def test_two_links_to_one_rule_or_folder(project: Project, version: str, ending: str, target: str) -> None:
    project.write({"workspace/docs/r.md": "rule"})
    for name in "ab":
        link(project, f"workspace/.claude/rules/{name}{ending}", f"workspace/{target}")
    assert project.loaded(version) == ["workspace/docs/r.md"]
    why = project.file(f"workspace/.claude/rules/b{ending}", version).why.text
    assert f"{project.cwd}/{target}, which is read already" in why


@pytest.mark.parametrize("version", [V100, V329])
def test_a_link_to_what_was_imported(project: Project, version: str) -> None:
    project.write({"workspace/CLAUDE.md": "@docs/r.md", "workspace/docs/r.md": "rule"})
    link(project, "workspace/.claude/rules/r.md", "workspace/docs/r.md")
    assert project.loaded(version) == ["workspace/CLAUDE.md", "workspace/docs/r.md"]
    assert "is read already" in project.file("workspace/.claude/rules/r.md", version).why.text


@pytest.mark.parametrize("version", [V100, V329])
def test_a_working_directory_that_is_a_link_is_no_link_of_rules(project: Project, version: str) -> None:
    project.write({"workspace/.claude/rules/r.md": "rule"})
    link(project, "elsewhere", "workspace")
    assert project.loaded(version, workspace=str(project.root / "elsewhere")) == ["elsewhere/.claude/rules/r.md"]


def test_a_home_whose_folder_is_a_link(project: Project) -> None:
    project.write({"home/dotfiles/claude/rules/r.md": "rule", "home/dotfiles/claude/skills/s/SKILL.md": SKILL})
    link(project, "home/.claude", "home/dotfiles/claude")
    for version in (V100, V329):
        assert project.loaded(version) == ["home/dotfiles/claude/rules/r.md"]
        assert skills(project, version) == ["s"]


def test_an_import_that_is_a_link(project: Project) -> None:
    project.write(
        {"workspace/CLAUDE.md": "root @notes.md @inner.md", "far/away/n.md": "notes", "workspace/docs/i.md": "i"}
    )
    link(project, "workspace/notes.md", "far/away/n.md")
    link(project, "workspace/inner.md", "workspace/docs/i.md")
    root, notes, inner = "workspace/CLAUDE.md", "workspace/notes.md", "workspace/inner.md"
    assert project.loaded(V100) == [root, inner]
    assert project.loaded(V100, outside_links="follow") == [root, notes, inner]
    assert project.loaded(V329, outside_links="follow") == [root, inner]


@pytest.mark.parametrize("version", [V100, V329])
def test_dead_links_are_silent(project: Project, version: str) -> None:
    for name in (
        "CLAUDE.md",
        ".claude/rules/r.md",
        ".claude/skills/dead",
        ".claude/agents/a.md",
        ".claude/commands/c.md",
    ):
        link(project, f"workspace/{name}", "far/away/none")
    assembly = project.assemble(version, outside_links="follow")
    assert assembly.diagnostics == ()
    assert project.loaded(version, outside_links="follow") == []


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize("target", ["far/away", "workspace/real"])
def test_a_read_through_a_linked_folder(project: Project, version: str, target: str) -> None:
    """It loads what the link leads to, under the link's path, unless that is outside of the working directory."""
    project.write({f"{target}/CLAUDE.md": "there", f"{target}/x.ts": "x", f"{target}/.claude/rules/n.md": "nested"})
    project.write({"workspace/.claude/rules/r.md": "---\npaths: '*.ts'\n---\nrule\n"})
    link(project, "workspace/linked", target)
    loaded = project.lazily_loaded(version, reads=["linked/x.ts"], outside_links="follow")
    inside = ["workspace/linked/CLAUDE.md", "workspace/real/.claude/rules/n.md", "workspace/.claude/rules/r.md"]
    assert loaded == (inside if target == "workspace/real" else [])


@pytest.mark.parametrize("linked", [".claude/rules/r.md", ".claude/rules/team", ".claude/rules", ".claude"])
def test_the_user_s_rules_may_be_links_to_anywhere(project: Project, linked: str) -> None:
    project.write({"home/dot/r.md": "rule", "home/dot/rules/r.md": "rule", "far/away/r.md": "rule"})
    folder = {".claude/rules/r.md": "home/dot/r.md", ".claude": "home/dot"}.get(linked, "home/dot/rules")
    link(project, f"home/{linked}", folder)
    link(project, "home/dot/rules/far.md", "far/away/r.md")
    near, far = ("home/dot/r.md", []) if folder.endswith(".md") else ("home/dot/rules/r.md", ["far/away/r.md"])
    assert project.loaded(V329) == [near]
    assert project.loaded(V329, outside_links="follow") == [*far, near]


@pytest.mark.parametrize(
    ("claude", "beside"), [("home/.claude", "home/dot/b.md"), ("workspace", "workspace/docs/b.md")]
)
def test_the_imports_of_a_link_are_looked_for_beside_its_target(project: Project, claude: str, beside: str) -> None:
    target = beside.replace("b.md", "c.md")
    project.write({target: "x @b.md", beside: "beside", f"{claude}/b.md": "not this"})
    link(project, f"{claude}/CLAUDE.md", target)
    assert project.loaded(V329) == [f"{claude}/CLAUDE.md", beside]


@pytest.mark.parametrize("version", [V100, V329])
def test_loops_end(project: Project, version: str) -> None:
    for name in ("rules", "skills", "commands", "agents"):
        (project.cwd / ".claude" / name).mkdir(parents=True)
        link(project, f"workspace/.claude/{name}/again", f"workspace/.claude/{name}")
        link(project, f"workspace/.claude/{name}/up", "workspace/.claude")
    assert assemble(project.scenario(version), project.workspace, cached_only=True).agent_version == version


def test_a_link_is_no_key_to_paths_that_no_link_names(project: Project) -> None:
    """`follow` lets links lead out: a path that lies outside by itself stays closed."""
    project.write({"workspace/CLAUDE.md": "root @../far/away/x.md", "far/away/x.md": "secret"})
    more = {"outside_links": "follow", "params": {"approvedExternalImports": True}}
    assert project.loaded(V329, **more) == ["workspace/CLAUDE.md"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(".claude/settings.json", "settings"), (".claude/output-styles", "output-style"), (".mcp.json", "mcp-config")],
)
def test_settings_styles_and_servers(project: Project, name: str, kind: str) -> None:
    style = "---\nname: Far\n---\nBe far.\n"
    project.write({"far/away/x": '{"language": "french", "mcpServers": {}}', "far/away/styles/far.md": style})
    link(project, f"workspace/{name}", "far/away/styles" if "styles" in name else "far/away/x")
    row = project.file(f"workspace/{name}", mcp_servers=None)
    assert row.kind == kind
    assert [lever.param for lever in row.why.levers] == ["outside_links"]
    params = {"settings": {"outputStyle": "Far"}}
    followed = project.assemble(outside_links="follow", params=params)
    if kind == "settings":
        assert any(s.present for s in followed.sections if s.id == "language")
    if kind == "output-style":
        assert "Be far." in "".join(s.text for s in followed.sections)


@pytest.mark.parametrize("agent", ["roo", "openclaw"])
def test_every_agent_s_rows_say_what_was_refused(project: Project, agent: str) -> None:
    project.write({"far/away/x.md": "rules"})
    link(project, "workspace/AGENTS.md", "far/away/x.md")
    for follow in ("refuse", "follow"):
        assembly = project.assemble(agent=agent, agent_version=None, env={}, outside_links=follow)
        (row,) = [f for f in assembly.files if f.path.endswith("AGENTS.md") and "workspace/" in f"workspace/{f.path}"]
        assert row.present is (follow == "follow")
        if not row.present:
            assert [(lever.param, lever.value) for lever in row.why.levers] == [("outside_links", "follow")]


@pytest.mark.parametrize("folder", ["link", "link/in"])
def test_an_added_directory_may_be_a_link(project: Project, folder: str) -> None:
    link(project, "link", "lib")
    at = folder.replace("link", "lib")
    project.write({f"{at}/CLAUDE.md": "a", f"{at}/.claude/rules/r.md": "b", f"{at}/beside.md": "c"})
    link(project, f"{at}/.claude/rules/s.md", f"{at}/beside.md")
    params = {"args": {"addDir": [f"../{folder}"]}}
    env = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"}
    assert project.loaded(params=params, env=env) == [f"{folder}/CLAUDE.md", f"{at}/.claude/rules/r.md"]
