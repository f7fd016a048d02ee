from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from promptscope_engine.agents.claude_code.gather.skills import cut_at, listing_budget, shorten
from promptscope_engine.agents.claude_code.versions import resolve_model
from promptscope_engine.prompt.drafts import label

from .conftest import CUSTOM_HOST

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow

V100, V329 = "2.1.100", "2.1.329"


def skill(description: str, **more: str) -> str:
    lines = [f"description: {description}", *(f"{k.replace('_', '-')}: {v}" for k, v in more.items())]
    return "---\n" + "\n".join(lines) + "\n---\nBody paragraph.\n\nmore\n"


def listed(project: Project, version: str = V329, **more: Any) -> dict[str, str]:
    """The user's lines of the listing."""
    gathered = project.gathered(version, **more)
    found = [s for s in gathered.materials.skills if s.source != "bundled"]
    return {s.shown: "".join(p.text for p in s.spans) for s in found if s.when.holds(gathered.facts)}


def test_a_command_named_skill_stands_for_its_folder_and_keeps_the_others_in_it_out(project: Project) -> None:
    commands = "workspace/.claude/commands"
    names = ("d/SKILL", "d/o", "d/sub/p", "d/sub/q/SKILL", "e/skill", "plain")
    project.write({f"{commands}/{name}.md": skill(name) for name in names})
    project.write({"home/.claude/commands/SKILL.md": skill("whole"), "home/.claude/commands/x.md": skill("x")})
    assert {name: text.strip(" :") for name, text in listed(project, "2.1.332").items()} == {
        "commands": "whole",
        "d": "d/SKILL",
        "d:sub:p": "d/sub/p",
        "d:sub:q": "d/sub/q/SKILL",
        "e": "e/skill",
        "plain": "plain",
    }
    said = project.file(f"{commands}/d/o.md", "2.1.332").why.text
    assert said.endswith("commands/d/SKILL.md stands for the whole folder")
    assert {"d:SKILL", "d:o", "e:skill", "SKILL", "x"} <= {*listed(project, V100)}


def test_sources_and_order(project: Project) -> None:
    project.write(
        {
            "home/.claude/skills/us/SKILL.md": skill("user"),
            "workspace/.claude/skills/beta/SKILL.md": skill("b"),
            "workspace/.claude/skills/alpha/SKILL.md": skill("a"),
            "workspace/.claude/commands/sub/cmd.md": "Just a body.\n\nmore\n",
        }
    )
    own = ["us", "alpha", "beta", "sub:cmd"]
    assert list(listed(project)) == own
    names = {version: [s.shown for s in project.materials(version).skills] for version in (V100, V329)}
    assert names[V100][-4:] == own
    assert names[V329][:4] == own


def test_description_forms(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/fold/SKILL.md": "---\ndescription: >\n  two\n  lines\n---\n",
            "workspace/.claude/skills/hint/SKILL.md": "---\ndescription: d\nwhen_to_use: then\n---\n",
            "workspace/.claude/skills/none/SKILL.md": "---\nname: none\n---\nFirst paragraph.\n\nSecond.\n",
            "workspace/.claude/skills/folder/SKILL.md": "---\nname: other\ndescription: d\n---\n",
        }
    )
    assert listed(project) == {
        "fold": "two lines",
        "folder (other)": "d",
        "hint": "d - then",
        "none": "First paragraph.",
    }


def test_what_is_held_back(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/manual/SKILL.md": skill("m", disable_model_invocation="true"),
            "workspace/.claude/skills/waits/SKILL.md": skill("w", paths="src/**"),
            "workspace/.claude/skills/lower/skill.md": skill("l"),
        }
    )
    assert listed(project) == {}
    reasons = {name: project.file(f"workspace/.claude/skills/{name}/SKILL.md").why.text for name in ("manual", "waits")}
    assert "disable-model-invocation" in reasons["manual"]
    assert "src/**" in reasons["waits"]
    assert "SKILL.md counts" in project.file("workspace/.claude/skills/lower/skill.md").why.text


@pytest.mark.parametrize(("version", "limit"), [(V100, 250), (V329, 1_536)])
def test_long_descriptions_are_cut(project: Project, version: str, limit: int) -> None:
    assert cut_at(version) == limit
    project.write(
        {
            "workspace/.claude/skills/edge/SKILL.md": skill("x" * limit),
            "workspace/.claude/skills/over/SKILL.md": skill("y" * (limit + 1)),
        }
    )
    env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "100000"}
    assert listed(project, version, env=env) == {"edge": "x" * limit, "over": "y" * (limit - 1) + "…"}


def test_over_budget_only_names_stay(project: Project) -> None:
    project.write({f"workspace/.claude/skills/s{n}/SKILL.md": skill("text") for n in range(3)})
    assert listed(project, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": "600"}) == {"s0": "", "s1": "", "s2": ""}


@pytest.mark.parametrize(
    ("version", "env", "taken"),
    [(V329, CUSTOM_HOST, 6_050), (V329, {}, 6_050 + 404 + 2), ("2.1.330", CUSTOM_HOST, 6_050)],
)
def test_a_description_is_listed_whole_or_not_at_all(
    project: Project, version: str, env: dict[str, str], taken: int
) -> None:
    """At the first-party host there are two more bundled skills, about pages that can be published."""
    names = taken + len("- init\n- security-review\n- a\n- b")
    project.write({f"workspace/.claude/skills/{name}/SKILL.md": skill(name * 50) for name in "ab"})
    for left, kept in ((104, "ab"), (103, "a"), (52, "a"), (51, "")):
        budget = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(names + left)}
        assert listed(project, version, env=env | budget) == {n: n * 50 if n in kept else "" for n in "ab"}


def test_a_description_that_no_longer_fits_does_not_keep_a_later_one_out(project: Project) -> None:
    texts = {"a": "x" * 100, "b": "名" * 60, "c": "<>", "d": "y" * 8}
    project.write({f"workspace/.claude/skills/{name}/SKILL.md": skill(text) for name, text in texts.items()})
    names = 6_050 + len("- init\n- security-review\n- a\n- b\n- c\n- d")
    # 102 for a; 122 columns for b; 10 for c, as it is escaped; 10 for d
    for left, kept in ((244, "abcd"), (243, "abc"), (233, "ab"), (222, "acd"), (102, "a"), (101, "cd"), (9, "")):
        found = listed(project, env=CUSTOM_HOST | {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(names + left)})
        assert "".join(name for name, text in found.items() if text) == kept, left


def test_what_the_budget_takes_is_told(project: Project) -> None:
    files = {f"workspace/.claude/skills/s{n}/SKILL.md": skill("x" * 900) for n in range(4)}
    project.write({**files, "workspace/.claude/skills/long/SKILL.md": skill("y" * 2_000)})
    assembly = project.assemble(env=CUSTOM_HOST | {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "9600"})
    (found,) = (d.message for d in assembly.diagnostics if d.code == "skills-budget")
    assert found == "2 of 18 skills are listed without their descriptions: the list may take 9,600 characters"
    (cut,) = (d for d in assembly.diagnostics if d.code == "description-cut")
    assert (cut.message, cut.line) == (
        "its description has 2,000 characters, of which 1,535 and an ellipsis are listed",
        2,
    )
    rows = {f.path.rpartition("/skills/")[2]: f for f in assembly.files if f.kind == "skill"}
    assert [(limit.allowed, limit.wanted) for limit in rows["long/SKILL.md"].limits] == [(1_536, 2_000)]
    assert rows["s3/SKILL.md"].truncated
    said = "listed by name only: the list may take 9,600 characters and 18 skills want more"
    assert rows["s3/SKILL.md"].why.text == f"present: {said}"
    assert not rows["s0/SKILL.md"].truncated


def test_what_is_escaped_and_what_stands_in_for_a_description(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/s/SKILL.md": skill("a < b & <example>"),
            "workspace/.claude/skills/empty/SKILL.md": "",
            "workspace/.claude/skills/body/SKILL.md": "z" * 101,
            "workspace/.claude/commands/c.md": "---\nmodel: haiku\n---\n",
        }
    )
    assert listed(project) == {
        "body": "z" * 97 + "...",
        "empty": "Skill",
        "s": "a &lt; b & &lt;example&gt;",
        "c": "Custom command",
    }


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("other", "s (other)"),
        ("a.b:c-d_é½", "s (a.b:c-d_é½)"),
        ("team/lint", "s"),
        ("a, b", "s"),
        ("a@b", "s"),
        ("help", "s"),
        ("dataviz", "s"),
        ("Help", "s (Help)"),
    ],
)
def test_which_display_names_are_shown(project: Project, name: str, shown: str) -> None:
    project.write({"workspace/.claude/skills/s/SKILL.md": f"---\nname: {name}\ndescription: d\n---\n"})
    assert list(listed(project)) == [shown]


def test_a_display_name_is_shown_once(project: Project) -> None:
    project.write({f"workspace/.claude/skills/{n}/SKILL.md": "---\nname: x\ndescription: d\n---\n" for n in "ab"})
    assert list(listed(project)) == ["a (x)", "b"]


def test_names_that_are_not_listed(project: Project) -> None:
    names = ("a<b>", "a\tb", "a\u200bb")
    project.write({f"workspace/.claude/skills/{name}/SKILL.md": skill("d") for name in (*names, "a & b")})
    assert list(listed(project)) == ["a & b"]
    assert "its name holds `<`" in project.file("workspace/.claude/skills/a<b>/SKILL.md").why.text


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("off", {}),
        ("user-invocable-only", {}),
        ("name-only", {"one": "", "g:two": ""}),
        ("on", {"one (uno)": "d", "g:two": "d"}),
    ],
)
def test_skill_overrides(project: Project, word: str, found: dict[str, str]) -> None:
    project.write(
        {
            "workspace/.claude/skills/one/SKILL.md": "---\nname: uno\ndescription: d\n---\n",
            "workspace/.claude/commands/g/two.md": skill("d"),
            "workspace/.claude/settings.json": json.dumps(
                {"skillOverrides": {"one": word, "uno": "off", "g:two": word, "dataviz": word}}
            ),
        }
    )
    assert listed(project) == found
    gathered = project.gathered()
    assert any(s.name == "dataviz" and s.when.holds(gathered.facts) for s in gathered.materials.skills) == bool(found)
    if not found:
        assert f"`skillOverrides` has it {word}" in project.file("workspace/.claude/skills/one/SKILL.md").why.text


@pytest.mark.parametrize(
    ("settings", "env"),
    [({"disableBundledSkills": True}, {}), ({}, {"CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1"})],
)
def test_bundled_skills_can_be_switched_off(project: Project, settings: dict[str, object], env: dict[str, str]) -> None:
    project.write({"workspace/.claude/settings.json": json.dumps(settings)})
    gathered = project.gathered(env=env)
    found = [s.name for s in gathered.materials.skills if s.when.holds(gathered.facts)]
    assert found == ["plugin-authoring"]


def test_a_setting_cuts_all_descriptions(project: Project) -> None:
    files = {"workspace/.claude/skills/s/SKILL.md": skill("x" * 20)}
    project.write({**files, "workspace/.claude/settings.json": json.dumps({"skillListingMaxDescChars": 10})})
    assert listed(project) == {"s": "x" * 9 + "…"}


def test_one_file_by_two_ways_is_listed_once(project: Project) -> None:
    project.write(
        {
            "workspace/pool/b/SKILL.md": skill("d"),
            "workspace/.claude/commands/u/run.md": skill("d"),
            "home/.claude/skills/mine/SKILL.md": skill("m"),
        }
    )
    (project.cwd / ".claude/skills").mkdir()
    for link, target in (
        ("b2", "../../pool/b"),
        ("b", "../../pool/b"),
        ("theirs", str(project.root / "home/.claude/skills/mine")),
    ):
        (project.cwd / ".claude/skills" / link).symlink_to(target)
    (project.cwd / ".claude/commands/run.md").symlink_to("u/run.md")
    assert list(listed(project)) == ["mine", "b", "run"]
    why = project.file("workspace/.claude/skills/b2/SKILL.md").why.text
    assert "it is the same file as" in why
    assert "which is listed as b" in why


def test_what_misses_a_place_says_why(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/group/inner/SKILL.md": skill("deep"),
            "workspace/.claude/skills/flat.md": skill("flat"),
            "workspace/.claude/skills/low/SKILL.MD": skill("low"),
            "workspace/.claude/commands/a.toml": "x",
            "workspace/.claude/agents/b.mdc": "x",
        }
    )
    (project.cwd / ".claude/skills/gone").symlink_to("nowhere")
    for path, why in (
        ("skills/group/inner/SKILL.md", "it is too deep: a skill is a folder directly in the folder of skills"),
        ("skills/flat.md", "a skill is a folder with a SKILL.md in it"),
        ("skills/low/SKILL.MD", "only the name SKILL.md counts (this is SKILL.MD)"),
        ("skills/gone", "the link leads nowhere: there is no nowhere"),
        ("commands/a.toml", "only names that end in .md count (this is a.toml)"),
        ("agents/b.mdc", "only names that end in .md count (this is b.mdc)"),
    ):
        assert project.file(f"workspace/.claude/{path}").why.text == f"absent: not read: {why}"


def test_a_skill_that_only_the_user_calls_hides_no_other(project: Project) -> None:
    project.write(
        {
            "home/.claude/skills/s/SKILL.md": skill("mine", disable_model_invocation="true"),
            "workspace/.claude/skills/s/SKILL.md": skill("theirs"),
        }
    )
    assert listed(project) == {"s": "theirs"}


def test_skills_and_commands_are_in_the_order_of_a_dictionary(project: Project) -> None:
    names = ["_x", "10", "2", "a", "A", "a b", "a_b", "a-b", "ab", "aB", "Ab", "B", "é", "z"]
    project.write({f"workspace/.claude/skills/{name}/SKILL.md": skill("d") for name in names})
    assert list(listed(project)) == names


def test_skills_share_what_is_left(project: Project) -> None:
    project.write({f"workspace/.claude/skills/{name}/SKILL.md": skill(name * 50) for name in "ab"})
    names = 880 + 2 * len("- a: \n")
    for left, share in ((100, 50), (99, 49), (98, 49), (40, 20)):
        found = listed(project, V100, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(names + left)})
        assert [len(text) for text in found.values()] == [share, share]


def test_a_listing_that_just_fits_is_whole(project: Project) -> None:
    files = {f"workspace/.claude/skills/{name}/SKILL.md": skill(text) for name, text in (("a", "x" * 80), ("b", "y"))}
    project.write({**files, "workspace/.claude/skills/c/SKILL.md": skill("z", disable_model_invocation="true")})
    whole = 880 + 2 * len("- a: \n") + 81
    for budget, text in ((whole, "x" * 80), (whole - 1, "x" * 39 + "…")):
        found = listed(project, V100, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(budget)})
        assert found == {"a": text, "b": "y"}


def test_a_budget_that_the_bundled_skills_use_up_is_no_matter_where_none_is_listed(project: Project) -> None:
    project.write({"workspace/.claude/skills/c/SKILL.md": skill("z", disable_model_invocation="true")})
    assert listed(project, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": "600"}) == {}


def budget(version: str, name: str, env: dict[str, str] | None = None, fraction: Any = None) -> int:
    return listing_budget(resolve_model(name, version), version, env or {}, fraction)


@pytest.mark.parametrize(
    ("name", "characters"),
    [
        ("claude-haiku-4-5", 8_000),
        ("claude-sonnet-4-6", 8_000),
        ("claude-opus-4-6[1m]", 40_000),
        ("claude-opus-4-7", 30_000),
        ("claude-opus-5-5", 30_000),
        ("claude-haiku-5", 30_000),
        ("some-model", 30_000),
    ],
)
def test_the_budget_goes_by_the_model(name: str, characters: int) -> None:
    assert budget(V329, name) == characters
    assert budget(V100, name.removesuffix("[1m]")) == 8_000


def test_the_short_window_has_the_characters_of_the_model() -> None:
    assert budget(V329, "claude-opus-5-5", {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}) == 6_000


def test_no_skill_tool_no_listing(project: Project) -> None:
    for args, versions in (({"disallowedTools": ["Skill"]}, (V100, V329)), ({"disableSlashCommands": True}, (V329,))):
        for version in versions:
            section = project.assemble(version, params={"args": args}).section("skills")
            assert section is not None
            assert not section.present


@pytest.mark.parametrize("args", [{}, {"print": True}])
@pytest.mark.parametrize("mode", [None, "plan"])
def test_the_older_version_takes_no_notice_of_disabled_slash_commands(
    project: Project, args: dict[str, object], mode: str | None
) -> None:
    params = {"args": {**args, "disableSlashCommands": True}}
    assembly = project.assemble(V100, params=params, mode=mode, env={"ANTHROPIC_BASE_URL": "http://x"})
    section = assembly.section("skills")
    assert section is not None
    assert section.present
    assert "Skill" in {tool["name"] for tool in assembly.request.tools}


def lines(project: Project, version: str = V329, **more: Any) -> list[tuple[str, str]]:
    """All lines of the listing but those of bundled skills that no file replaces."""
    gathered = project.gathered(version, **more)
    shown = [s for s in gathered.materials.skills if s.when.holds(gathered.facts) and s.source != "bundled"]
    return [(s.shown, "".join(p.text for p in s.spans)) for s in shown]


SAME = {
    "home/.claude/skills/same/SKILL.md": skill("user"),
    "workspace/.claude/skills/same/SKILL.md": skill("root"),
    "workspace/sub/.claude/skills/same/SKILL.md": skill("nested"),
    "workspace/.claude/commands/same.md": skill("command"),
}


def test_the_same_name_at_four_levels(repository: Project) -> None:
    repository.write(SAME)
    inner = {"workspace": str(repository.cwd / "sub")}
    names = ["user", "nested", "root", "command"]
    assert [text for _, text in lines(repository, V100, **inner)] == names
    assert lines(repository, **inner) == [("same", "user")]
    # Each one steps forward where those before it are not let in.
    (repository.root / "home/.claude/skills/same/SKILL.md").unlink()
    repository.workspace.forget(repository.workspace.asked)
    assert lines(repository, **inner) == [("same", "nested")]
    assert lines(repository) == [("same", "root")]
    (repository.cwd / ".claude/skills/same/SKILL.md").unlink()
    repository.workspace.forget(repository.workspace.asked)
    assert lines(repository) == [("same", "command")]


def test_a_source_that_is_left_out_hides_nothing(project: Project) -> None:
    project.write(SAME)
    assert lines(project, params={"args": {"settingSources": "project"}}) == [("same", "root")]
    assert "has the same name" in project.file("workspace/.claude/skills/same/SKILL.md").why.text


def test_an_own_skill_takes_a_bundled_name(project: Project) -> None:
    project.write({"workspace/.claude/commands/loop.md": skill("own"), "home/.claude/skills/simplify/SKILL.md": "x"})
    for version, times in ((V100, 2), (V329, 1)):
        gathered = project.gathered(version)
        names = [s.name for s in gathered.materials.skills if s.when.holds(gathered.facts)]
        assert [names.count(name) for name in ("loop", "simplify", "claude-api")] == [times, times, 1]


def test_names_against_folders(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/a/SKILL.md": "---\nname: shown\ndescription: d\n---\n",
            "workspace/.claude/skills/b/SKILL.md": "---\nname: two words\ndescription: d\n---\n",
            "workspace/.claude/skills/c/SKILL.md": "---\nname: a\ndescription: d\n---\n",
            "workspace/.claude/skills/d/SKILL.md": "---\nname: simplify\ndescription: d\n---\n",
            "workspace/.claude/skills/e/SKILL.md": "---\nname: E\ndescription: d\n---\n",
        }
    )
    assert [name for name, _ in lines(project)] == ["a (shown)", "b", "c", "d", "e (E)"]
    assert [name for name, _ in lines(project, V100)] == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("head", "older", "newer"),
    [
        ("description: Use it: always", "Use it: always", "Use it: always"),
        ("description: [one, two", "[one, two", "[one, two"),
        ("description: [one, two]", "Body", "Body"),
        ("description:", "Body", "Body"),
        ("description: true", "true", "true"),
        ("description: 1.50", "1.5", "1.5"),
        ("description: |\n  one\n    two\n", "one\n  two", "one   two"),
        ('description: "one\\n\\ttwo"', "one\n\ttwo", "one two"),
        ("description: first\ndescription: second", "Body", "second"),
        ("name: x\n\tdescription: y", "Body", "Body"),
    ],
)
def test_descriptions_by_version(project: Project, head: str, older: str, newer: str) -> None:
    project.write({"workspace/.claude/skills/s/SKILL.md": f"---\n{head}\n---\n\n# Body\nnot this\n"})
    assert lines(project, V100) == [("s", older)]
    assert lines(project) == [("s", newer)]


def test_a_head_that_is_never_closed_is_the_text(project: Project) -> None:
    project.write({"workspace/.claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\nbody\n"})
    assert lines(project) == [("s", "---")]


def test_commands_are_sorted_over_all_folders(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/commands/top.md": "t",
            "workspace/.claude/commands/a/b/c.md": "deep",
            "home/.claude/commands/mine.md": "m",
        }
    )
    assert [name for name, _ in lines(project)] == ["a:b:c", "mine", "top"]
    assert [name for name, _ in lines(project, V100)] == ["mine", "a:b:c", "top"]


def plugin(project: Project, *, enabled: bool | None) -> None:
    folder = "home/.claude/plugins/cache/mp/pl/1.0.0"
    installed = {"version": 2, "plugins": {"pl@mp": [{"scope": "user", "installPath": str(project.root / folder)}]}}
    switched = {} if enabled is None else {"enabledPlugins": {"pl@mp": enabled}}
    project.write(
        {
            "home/.claude/plugins/installed_plugins.json": json.dumps(installed),
            "home/.claude/plugins/known_marketplaces.json": json.dumps(
                {"mp": {"source": {"source": "github"}, "installLocation": f"{project.root}/home/.claude/mp"}}
            ),
            "home/.claude/mp/.claude-plugin/marketplace.json": '{"plugins": [{"name": "pl", "source": "./pl"}]}',
            "home/.claude/settings.json": json.dumps(switched),
            f"{folder}/.claude-plugin/plugin.json": '{"name": "pl"}',
            f"{folder}/skills/dir/SKILL.md": "---\nname: shown\ndescription: Skill.\n---\n",
            f"{folder}/commands/cmd.md": skill("Command."),
            f"{folder}/agents/help.md": "---\nname: help\ndescription: Helps.\ntools: Read\n---\nYou.\n",
            "workspace/.claude/skills/own/SKILL.md": skill("own"),
        }
    )


def test_what_a_plugin_names_and_what_needs_a_description(project: Project) -> None:
    plugin(project, enabled=True)
    folder = "home/.claude/plugins/cache/mp/pl/1.0.0"
    project.write(
        {
            f"{folder}/skills/bare/SKILL.md": "---\nname: bare\n---\nbody\n",
            f"{folder}/skills/when/SKILL.md": "---\nwhen_to_use: then\n---\nbody\n",
            f"{folder}/commands/bare.md": "body\n",
            f"{folder}/commands/team/x.md": skill("x"),
            f"{folder}/commands/k/SKILL.md": skill("k"),
            f"{folder}/agents/in/plain.md": "No head.\n",
        }
    )
    found = [name for name in listed(project) if name.startswith("pl:")]
    assert found == ["pl:cmd", "pl:k", "pl:team:x", "pl:dir (pl:shown)", "pl:when"]
    assert "only with a `description`" in project.file(f"{folder}/commands/bare.md").why.text
    agents = {a.name: "".join(p.text for p in a.spans) for a in project.materials().agents}
    assert agents["pl:in:plain"] == "Agent from pl plugin"


def test_plugins(project: Project) -> None:
    plugin(project, enabled=True)
    own = [("own", "own"), ("pl:cmd", "Command."), ("pl:dir (pl:shown)", "Skill.")]
    assert lines(project) == own
    assert [name for name, _ in lines(project, V100)] == ["own", "pl:cmd", "pl:dir"]
    assert [s.shown for s in project.materials().skills][:3] == [name for name, _ in own]
    assert [s.shown for s in project.materials(V100).skills][-3:] == ["own", "pl:cmd", "pl:dir"]
    gathered = project.gathered()
    agents = [a.name for a in gathered.materials.agents if a.when.holds(gathered.facts)]
    assert agents[-3:] == ["pl:help", "Plan", "statusline-setup"]


@pytest.mark.parametrize("enabled", [False, None])
def test_a_plugin_that_is_not_switched_on(project: Project, enabled: bool | None) -> None:
    plugin(project, enabled=enabled)
    assert lines(project) == [("own", "own")]
    row = project.file("home/.claude/plugins/cache/mp/pl/1.0.0/skills/dir/SKILL.md")
    assert "enabledPlugins" in row.why.text
    assert [(lever.param, lever.value) for lever in row.why.levers] == [("settings.enabledPlugins.pl@mp", True)]
    on = {"settings": {"enabledPlugins": {"pl@mp": True}}}
    assert ("pl:cmd", "Command.") in lines(project, params=on)


@pytest.mark.parametrize("version", [V100, V329])
def test_an_organisation_and_an_added_directory_bring_skills(project: Project, version: str) -> None:
    project.write(
        {
            "managed/.claude/skills/m/SKILL.md": skill("organisation"),
            "managed/.claude/commands/mc.md": skill("organisation's command"),
            "home/.claude/skills/u/SKILL.md": skill("user"),
            "other/.claude/skills/a/SKILL.md": skill("added"),
            "other/.claude/commands/oc.md": skill("added command"),
        }
    )
    args = {"addDir": ["../other"]}
    commands = ["mc"] if version == V100 else ["mc", "oc"]
    assert list(listed(project, version, params={"args": args})) == ["m", "u", "a", *commands]
    assert list(listed(project, version, params={"args": args | {"settingSources": "local"}})) == ["m", "mc"]


def test_a_file_counts_once_where_the_project_is_the_home_folder(project: Project) -> None:
    project.write({"home/.claude/skills/u/SKILL.md": skill("user"), "home/.claude/commands/c.md": skill("command")})
    assert len(project.materials(V100, workspace=str(project.root / "home")).skills) == 4 + 2


@pytest.mark.parametrize(
    ("body", "text"), [("# Title of it\n", "Title of it"), ("#tag first\n", "#tag first"), ("### Deep\n", "Deep")]
)
def test_the_words_of_a_heading_describe_a_skill(project: Project, body: str, text: str) -> None:
    project.write({"workspace/.claude/skills/s/SKILL.md": f"{body}\nmore\n"})
    assert listed(project) == {"s": text}


@pytest.mark.parametrize(
    ("limit", "text"), [(1, "…"), (3, "ab…"), (4, "abc…"), (6, "abcde…"), (7, "abcdefg"), (8, "abcdefg")]
)
def test_a_text_over_its_limit_ends_in_an_ellipsis(limit: int, text: str) -> None:
    shortened = shorten((label("ab"), label("cdefg")), limit)
    assert "".join(span.text for span in shortened) == text
    assert all(span.text for span in shortened)


def test_two_thousand_entries_of_a_folder_are_looked_into(project: Project) -> None:
    folder = project.cwd / ".claude/skills"
    project.write({"workspace/.claude/skills/last/SKILL.md": skill("last")})
    for number in range(1_999):
        (folder / f"{number:04}").touch()

    def found() -> tuple[bool, list[tuple[str, str | None]]]:
        gathered = project.gathered()
        said = [(d.message, d.path) for d in gathered.diagnostics if d.code == "too-many-skills"]
        return "last" in [each.name for each in gathered.materials.skills], said

    assert found() == (True, [])
    (folder / "1999").touch()
    project.workspace.forget(project.workspace.asked)
    assert found() == (False, [("2,001 entries, of which the first 2,000 are looked into", str(folder))])


@pytest.mark.parametrize(
    ("patterns", "named"), [("[a, b, c]", "a, b, c"), ("[a, b, c, d]", "a, b, c, d"), ("[a, b, c, d, e]", "a, b, c, d")]
)
def test_a_skill_that_waits_names_the_first_four_patterns(project: Project, patterns: str, named: str) -> None:
    project.write({"workspace/.claude/skills/s/SKILL.md": f"---\ndescription: d\npaths: {patterns}\n---\n"})
    why = project.file("workspace/.claude/skills/s/SKILL.md").why.text
    assert why.startswith(f"absent: it waits for a file that matches {named} (in")


@pytest.mark.parametrize(
    ("given", "characters"),
    [
        *(("", 8_000), ("0", 8_000), ("1", 1), (" 500 ", 500), ("-1", -1), ("5x", 8_000), ("²", 8_000)),
        *(("1e4", 10_000), ("99.9", 99), ("0x10", 16), ("10_000", 10_000), ("1_0_000", 8_000), ("1,000", 8_000)),
    ],
)
def test_the_budget_that_a_variable_gives(given: str, characters: int) -> None:
    assert budget(V329, "claude-haiku-4-5", {"SLASH_COMMAND_TOOL_CHAR_BUDGET": given}) == characters


@pytest.mark.parametrize(("given", "characters"), [("500", 500), ("-1", 8_000), ("1e4", 8_000), ("0", 8_000)])
def test_the_budget_that_a_variable_gives_2_1_100(given: str, characters: int) -> None:
    assert budget(V100, "claude-haiku-4-5", {"SLASH_COMMAND_TOOL_CHAR_BUDGET": given}) == characters


@pytest.mark.parametrize(
    ("fraction", "characters"),
    [(0, 8_000), (1, 800_000), (0.5, 400_000), (True, 8_000), ("1", 8_000), (float("inf"), 8_000), (-1, 8_000)],
)
def test_the_budget_that_a_setting_gives(fraction: object, characters: int) -> None:
    assert budget(V329, "claude-haiku-4-5", fraction=fraction) == characters


@pytest.mark.parametrize(
    ("setting", "most"), [(None, 1_536), (0, 1_536), (1, 1), (900, 900), (-5, 1_536), (True, 1_536), ("900", 1_536)]
)
def test_where_a_description_is_cut(setting: Any, most: int) -> None:
    assert cut_at(V329, setting) == most
    assert cut_at(V100, setting) == 250
