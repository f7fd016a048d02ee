"""`check` on small repositories: each rule where it belongs, at the right line, and not beside it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.support.repository import commit, write

from promptscope_engine import Scenario
from promptscope_engine.checks.checker import check
from promptscope_engine.checks.findings import CheckReport
from promptscope_engine.checks.settings import CheckSettings, Loaded
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import tokenizer_for_model

COUNTER = Counter(tokenizer_for_model(None))
KEY = "sk-ant-api03-" + "a1B2" * 8


def checked(folder: Path, files: dict[str, str], agent: str | None = None, **settings: object) -> CheckReport:
    write(folder, {".git/HEAD": "ref: refs/heads/main\n", **files})
    loaded = Loaded(CheckSettings.model_validate(settings)) if settings else None
    return check(Scenario(workspace=str(folder), agent=agent), counter=COUNTER, loaded=loaded)


def found(report: CheckReport) -> list[tuple[str, str]]:
    return [(finding.rule, finding.place) for finding in report.findings]


AGAIN = """- Never push to the main branch: open a pull request, ask two people to look at it, wait until both \
agree and all tests pass on every system, and merge it only then.
"""

RULES = {
    "an import of nothing": ({"CLAUDE.md": "# A\n\nSee @docs/none.md.\n"}, [("unresolved-import", "CLAUDE.md:3")]),
    "an import that is there": ({"CLAUDE.md": "@docs/a.md\n", "docs/a.md": "Tabs.\n"}, []),
    "somebody's name": ({"CLAUDE.md": "Ask @alice.\n"}, []),
    "an import from outside": ({"CLAUDE.md": "x\n@../b.md\n"}, [("import-outside", "CLAUDE.md:2")]),
    "a rule for no file": (
        {"CLAUDE.md": "x\n", ".claude/rules/z.md": "---\nname: z\npaths: src/**/*.zig\n---\nZig.\n"},
        [("unmatched-rule", ".claude/rules/z.md:3"), ("front-matter", ".claude/rules/z.md:2")],
    ),
    "a rule for a file": (
        {"CLAUDE.md": "x\n", "src/a.zig": "", ".claude/rules/z.md": "---\npaths: src/**/*.zig\n---\nZig.\n"},
        [],
    ),
    "a rule for files that git ignores": (
        {"CLAUDE.md": "x\n", ".gitignore": "/out\n", ".claude/rules/z.md": "---\npaths: out/**/*.log\n---\nZ.\n"},
        [],
    ),
    "names of packages and teams": ({"CLAUDE.md": "Uses @xterm/xterm; ask @shop/team.\n"}, []),
    "front matter": (
        {".claude/skills/a/SKILL.md": "---\nname: [\n---\nA.\n"},
        [("invalid-front-matter", ".claude/skills/a/SKILL.md:2")],
    ),
    "a mode": (
        {".roomodes": "customModes:\n  - slug: a b\n    name: A\n    roleDefinition: R\n    groups: []\n"},
        [("invalid-mode", ".roomodes:2")],
    ),
    "a file that another one hides": (
        {"CLAUDE.md": "x\n", "AGENTS.md": "y\n"},
        [("suppressed", "AGENTS.md")],
    ),
    "files that nearly count": (
        {"CLAUDE.md": "x\n", ".claude/rules/a.mdc": "y\n", ".claude/CLAUDE.local.md": "z\n"},
        [("near-miss", ".claude/CLAUDE.local.md"), ("near-miss", ".claude/rules/a.mdc")],
    ),
    "a legacy file": (
        {".roo/rules/a.md": "x\n", ".roorules": "y\n"},
        [("suppressed", ".roorules")],
    ),
    "a blank override": (
        {"AGENTS.override.md": " \n", "AGENTS.md": "y\n"},
        [("suppressed", "AGENTS.md"), ("suppressed", "AGENTS.override.md:1")],
    ),
    "a chain that is cut": (
        {"AGENTS.md": "x" * 40_000 + "\n", ".codex/config.toml": ""},
        [("truncated", "AGENTS.md:1"), ("truncated", "AGENTS.md:1")],  # OpenClaw's cut, and that of Codex
    ),
    "a key": ({"CLAUDE.md": f"x\nKey: {KEY}\n"}, [("secret", "CLAUDE.md:2")]),
    "bidi": ({"CLAUDE.md": "a\u202eb\n"}, [("invisible-characters", "CLAUDE.md:1")]),
    "twice": (
        {"CLAUDE.md": f"@a.md\n{AGAIN}", "a.md": f"# More\n{AGAIN}"},
        [("duplicate-lines", "CLAUDE.md:2"), ("duplicate-lines", "a.md:2")],
    ),
    "a Gemini import": ({"GEMINI.md": "Use @lib/none.md here\n"}, [("unresolved-import", "GEMINI.md:1")]),
}


@pytest.mark.parametrize("case", RULES)
def test_each_rule_at_its_place(tmp_path: Path, case: str) -> None:
    files, expected = RULES[case]
    assert found(checked(tmp_path / "repo", files)) == expected


def test_the_key_itself_is_not_told(tmp_path: Path) -> None:
    report = checked(tmp_path, {"CLAUDE.md": f"{KEY}\n"})
    assert report.findings
    assert KEY[8:] not in str(report.to_dict())


def agents(folder: Path, files: dict[str, str], **more: str) -> list[str]:
    write(folder, {".git/HEAD": "ref: refs/heads/main\n", **files})
    report = check(Scenario(workspace=str(folder), **more), counter=COUNTER)
    return [prompt.agent for prompt in report.prompts]


ALL_THAT_READ_AGENTS_MD = ["claude-code", "roo", "openclaw", "codex", "opencode", "copilot"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"AGENTS.md": "x\n"}, ALL_THAT_READ_AGENTS_MD),
        ({"AGENTS.md": "x\n", "CLAUDE.md": "y\n"}, ALL_THAT_READ_AGENTS_MD),
        ({"CLAUDE.md": "y\n"}, ["claude-code", "opencode", "copilot"]),
        ({"GEMINI.md": "z\n"}, ["gemini", "copilot"]),
        (
            {"AGENTS.md": "x\n", ".gemini/settings.json": '{"context": {"fileName": "AGENTS.md"}}'},
            ["claude-code", "roo", "openclaw", "codex", "gemini", "opencode", "copilot"],
        ),
        (
            {"CLAUDE.md": " \n", ".roomodes": "{}"},
            ["claude-code", "roo", "opencode"],
        ),  # of all there is something to say
        ({"AGENTS.md": " \n"}, ["opencode"]),  # which sends it all the same
        ({".gitignore": "x\n", "main.py": "x\n"}, []),
    ],
)
def test_checked_is_every_agent_that_reads_a_file_that_is_here(
    tmp_path: Path, files: dict[str, str], expected: list[str]
) -> None:
    assert agents(tmp_path, files) == expected


def test_where_no_agent_has_files_nothing_is_checked(tmp_path: Path) -> None:
    none = checked(tmp_path, {"main.py": "x\n"})
    assert none.notes == ("no agent has files here: nothing was checked",)
    assert not none.failed(strict=True)


def test_a_folder_of_a_repository_is_read_with_the_files_above_it(tmp_path: Path) -> None:
    write(tmp_path, {"CLAUDE.md": "x\n"})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert agents(tmp_path / "web", {"main.ts": ""}) == []  # a repository of its own
    (tmp_path / "app").mkdir()
    report = check(Scenario(workspace=str(tmp_path / "app")), counter=COUNTER)
    assert [prompt.agent for prompt in report.prompts] == ["claude-code", "opencode", "copilot"]


def test_a_refusal_is_found_though_its_cause_is_in_the_home_folder(tmp_path: Path) -> None:
    write(tmp_path, {"home/.codex/config.toml": "model = [\n", "repo/.git/HEAD": "", "repo/AGENTS.md": "x\n"})
    scenario = Scenario(workspace=str(tmp_path / "repo"), home=str(tmp_path / "home"))
    report = check(scenario, counter=COUNTER)
    assert [(f.rule, f.path, f.agents) for f in report.findings] == [
        ("agent-refuses", "~/.codex/config.toml", ("codex",))
    ]
    assert not check(scenario.model_copy(update={"home": None}), counter=COUNTER).findings


def test_settings_of_the_home_folder_name_the_repository_where_it_is(tmp_path: Path) -> None:
    """A check puts the repository at a fixed place: paths into it, as names and as values, are led there."""
    repo = tmp_path / "repo"
    skill = "---\nname: wiki\ndescription: The wiki.\n---\nIt is there.\n"
    off = f'[[skills.config]]\npath = "{repo}/.agents/skills/wiki/SKILL.md"\nenabled = false\n'
    untrusted = f'[projects."{repo}"]\ntrust_level = "untrusted"\n'
    files = {"home/.codex/config.toml": off + untrusted, "repo/.agents/skills/wiki/SKILL.md": skill}
    write(tmp_path, {**files, "repo/.git/HEAD": "ref: refs/heads/main\n", "repo/AGENTS.md": "x\n"})
    report = check(Scenario(workspace=str(repo), home=str(tmp_path / "home"), agent="codex"), counter=COUNTER)
    assert "there is no skill" not in " ".join(finding.message for finding in report.findings)


SAME = "Use tabs, never spaces, in all of the files here.\n"


@pytest.mark.parametrize(
    ("files", "links"),
    [
        ({"AGENTS.md": SAME}, {"CLAUDE.md": "AGENTS.md"}),
        ({"CLAUDE.md": SAME}, {"AGENTS.md": "CLAUDE.md"}),
        ({"AGENTS.md": SAME, "CLAUDE.md": "@AGENTS.md\n"}, {}),
        ({"AGENTS.md": SAME, "CLAUDE.md": "# Shop\n\nSee @./AGENTS.md for more\n"}, {}),
        ({"AGENTS.md": SAME, ".claude/CLAUDE.md": "@../AGENTS.md\n"}, {}),
        ({"AGENTS.md": SAME}, {".claude/CLAUDE.md": "../AGENTS.md"}),
        ({"docs/all.md": SAME}, {"CLAUDE.md": "docs/all.md", "AGENTS.md": "docs/all.md", "GEMINI.md": "docs/all.md"}),
        ({"AGENTS.md": SAME, "CLAUDE.md": SAME}, {}),
        ({"AGENTS.md": SAME}, {"AGENT.md": "AGENTS.md"}),
    ],
)
def test_the_same_file_by_two_names_is_not_suppressed(
    tmp_path: Path, files: dict[str, str], links: dict[str, str]
) -> None:
    write(tmp_path, {".git/HEAD": "ref: refs/heads/main\n", ".claude/settings.json": "{}", **files})
    for link, target in links.items():
        (tmp_path / link).symlink_to(target)
    every = check(Scenario(workspace=str(tmp_path)), counter=COUNTER).findings
    found = [each for each in every if each.rule != "thin-import"]
    refused = [(each.path, each.agents) for each in found]  # OpenClaw reads no link in the place of its own files
    assert refused == ([("AGENTS.md", ("openclaw",))] if "AGENTS.md" in links else [])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".gemini/settings.json", '{"tools": {"sandbox": true, "discoveryCommand": "frobnicate"}}'),
        (".claude/settings.json", '{"enabledPlugins": {"a@b": true}}'),
    ],
)
def test_what_is_installed_is_not_guessed(tmp_path: Path, path: str, text: str) -> None:
    files = {"CLAUDE.md": "x\n", "GEMINI.md": "y\n", path: text}
    assert not checked(tmp_path / "repo", files).findings
    (tmp_path / "home").mkdir()
    known = Scenario(workspace=str(tmp_path / "repo"), home=str(tmp_path / "home"))
    said = [finding.message for finding in check(known, counter=COUNTER).findings]
    assert not any("PATH" in message for message in said)
    assert any("known_marketplaces.json" in message for message in said) is path.startswith(".claude")


def test_agents_can_be_named(tmp_path: Path) -> None:
    files = {"AGENTS.md": "x\n", "CLAUDE.md": "y\n"}
    assert [p.agent for p in checked(tmp_path, files, agents=["roo", "codex"]).prompts] == ["roo", "codex"]
    assert [p.agent for p in checked(tmp_path, files, agent="openclaw").prompts] == ["openclaw"]
    with pytest.raises(ScenarioError, match=r"did you mean gemini"):
        checked(tmp_path, files, agents=["gemni"])


def test_a_finding_of_several_agents_is_one(tmp_path: Path) -> None:
    report = checked(tmp_path, {"AGENTS.md": f"{KEY}\n"}, agents=["roo", "codex"])
    assert [(f.rule, f.agents) for f in report.findings] == [("secret", ("roo", "codex"))]


def test_budgets_one_below_at_and_above(tmp_path: Path) -> None:
    files = {"AGENTS.md": "Use tabs, not spaces.\n"}
    cost = checked(tmp_path, files, "codex").prompts[0].expected
    for tokens, expected in ((cost - 1, ["budget"]), (cost, []), (cost + 1, [])):
        report = checked(tmp_path, files, "codex", budget=[{"tokens": tokens}])
        assert [finding.rule for finding in report.findings] == expected
        assert [(s.tokens, s.limit) for s in report.spent] == [(cost, tokens)]
    over = checked(tmp_path, files, "codex", budget=[{"tokens": cost - 1}])
    assert over.findings[0].message == f"the prompt of codex takes {cost:,} tokens, 1 over its budget of {cost - 1:,}"
    assert over.failed()


@pytest.mark.parametrize(
    ("budget", "words", "place"),
    [
        ({"file": "AGENTS.md", "tokens": 1}, "AGENTS.md takes", "AGENTS.md:1"),
        ({"tool": "exec_*", "tokens": 1}, "tool exec_command takes", ""),
        ({"section": "agents_md*", "tokens": 1}, "section agents_md", ""),
        ({"share": 0.0001}, "the prompt of codex takes", ""),
        ({"mode": "read-only", "tokens": 1}, "the prompt of codex in mode read-only takes", ""),
    ],
)
def test_budgets_of_parts(tmp_path: Path, budget: dict[str, object], words: str, place: str) -> None:
    report = checked(tmp_path, {"AGENTS.md": "Use tabs, not spaces.\n"}, "codex", budget=[budget])
    assert words in report.findings[0].message
    assert report.findings[0].place == place
    others = checked(tmp_path, {}, "codex", budget=[{**budget, "agent": "roo"}])
    assert not others.findings


def test_a_budget_is_exceeded_where_it_is_written_or_at_a_line_of_the_file(tmp_path: Path) -> None:
    text = "".join(f"- rule {number} is unlike the others\n" for number in range(20))
    settings = (
        "[[budget]]\ntokens = 1\n[[budget]]\nfile = '*.md'\ntokens = {}\n[growth]\nagainst = 'HEAD'\ntokens = 1\n"
    )
    cost = COUNTER.count(text[: text.index("- rule 12 ")])
    commit(tmp_path, {"AGENTS.md": "x\n"})
    for limit, line in ((cost - 1, 12), (cost, 13), (cost + 1, 13)):
        write(tmp_path, {"AGENTS.md": text, ".promptscope.toml": settings.format(limit)})
        report = check(Scenario(workspace=str(tmp_path), agent="codex"), counter=COUNTER)
        places = [("budget", ".promptscope.toml:2"), ("growth", ".promptscope.toml:7"), ("budget", f"AGENTS.md:{line}")]
        assert found(report) == places


def test_a_budget_for_a_mode_is_for_the_agents_that_have_it(tmp_path: Path) -> None:
    budget = {"mode": "read-only", "tokens": 1}
    report = checked(tmp_path, {"AGENTS.md": "x\n"}, budget=[budget])
    assert [finding.agents for finding in report.findings] == [("codex",), ("opencode",), ("roo",)], (
        "the last two start in their first mode"
    )
    with pytest.raises(ScenarioError, match="read-only"):
        checked(tmp_path, {"AGENTS.md": "x\n"}, budget=[{**budget, "agent": "claude-code"}])


def test_required_and_forbidden_files(tmp_path: Path) -> None:
    files = {"AGENTS.md": "x\n"}
    report = checked(tmp_path, files, required=["AGENTS.md", "docs/*"], forbidden=["AGENTS.*", "other.md"])
    assert found(report) == [("forbidden-file", "AGENTS.md"), ("required-file", "docs/*")]


@pytest.mark.slow
def test_a_required_file_that_another_agent_is_given_is_not_missing(tmp_path: Path) -> None:
    files = {"CLAUDE.md": "x\n", "AGENTS.md": "y\n"}
    report = checked(tmp_path, files, agent="claude-code", required=["AGENTS.md", "docs/*"])
    assert ("required-file", "docs/*") in found(report)
    assert ("required-file", "AGENTS.md") not in found(report)


def test_growth_since_a_revision(tmp_path: Path) -> None:
    commit(tmp_path, {"AGENTS.md": "x\n"})
    write(tmp_path, {"AGENTS.md": "word " * 100 + "\n"})
    scenario = Scenario(workspace=str(tmp_path), agent="codex")

    def report(**growth: object) -> CheckReport:
        settings = CheckSettings.model_validate({"growth": {"against": "HEAD", **growth}})
        return check(scenario, counter=COUNTER, loaded=Loaded(settings))

    more = report(tokens=0).findings[0]
    assert more.rule == "growth"
    assert " tokens more than at HEAD" in more.message
    assert not report(tokens=150).findings
    assert not report(percent=10).findings
    assert report(percent=0.1).findings
    with pytest.raises(ScenarioError, match="no-such"):
        check(scenario, counter=COUNTER, loaded=Loaded(CheckSettings()), growth_against=None) and report(
            against="no-such"
        )


def test_levels_and_what_is_ignored(tmp_path: Path) -> None:
    files = {"CLAUDE.md": f"{KEY}\n", "AGENTS.md": "y\n"}
    assert found(checked(tmp_path, files, rules={"secret": "off"})) == [("suppressed", "AGENTS.md")]
    assert not checked(tmp_path, files).failed()
    assert checked(tmp_path, files).failed(strict=True)
    assert checked(tmp_path, files, rules={"secret": "error"}).failed()
    assert found(checked(tmp_path, files, ignore=[{"path": "CLAUDE.*"}])) == [("suppressed", "AGENTS.md")]
    of_rule = checked(tmp_path, files, ignore=[{"path": "*", "rules": ["suppressed"]}])
    assert found(of_rule) == [("secret", "CLAUDE.md:1")]
    for line, left in ((1, []), (2, [("secret", "CLAUDE.md:1")])):
        of_line = {"path": "CLAUDE.md", "rules": ["secret"], "lines": [line]}
        assert found(checked(tmp_path, files, ignore=[of_line, {"path": "AGENTS.md"}])) == left


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{KEY} <!-- promptscope: ignore secret -->\n", 0),
        (f"<!-- promptscope: ignore secret -->\n{KEY}\n", 0),
        (f"<!-- promptscope: ignore -->\n{KEY}\n", 0),
        (f"<!-- promptscope: ignore secret, truncated -->\n{KEY}\n", 0),
        (f"<!-- promptscope: ignore truncated -->\n{KEY}\n", 1),
        (f"<!-- promptscope: ignore secret -->\n\n{KEY}\n", 1),
        (f"{KEY}\n<!-- promptscope: ignore-file secret -->\n", 0),
    ],
)
def test_comments_in_the_file(tmp_path: Path, text: str, count: int) -> None:
    assert len(checked(tmp_path, {"CLAUDE.md": text}).findings) == count


def test_two_machines_find_the_same(tmp_path: Path) -> None:
    files = {"CLAUDE.md": "@none.md\n", ".roo/rules/a.md": "a\n", ".roorules": "b\n", "AGENTS.md": "c\n"}
    one, two = (checked(tmp_path / name, files) for name in ("here", "somewhere/else"))
    assert one.findings == two.findings
    assert [(p.agent, p.mode) for p in one.prompts] == [(p.agent, p.mode) for p in two.prompts]


def test_what_the_machine_has_is_no_finding(tmp_path: Path) -> None:
    gates = {
        "bins": '{"requires": {"bins": ["frobnicate"]}}',
        "some": '{"requires": {"anyBins": ["frobnicate", "sh"]}}',
        "variable": '{"requires": {"env": ["FROB_KEY"]}}',
        "system": '{"os": ["darwin"]}',
        "setting": '{"requires": {"config": ["channels.discord.token"]}}',
    }
    skill = '---\nname: {0}\ndescription: Does {0}.\nmetadata: {{"openclaw": {1}}}\n---\n'
    files = {f"skills/{name}/SKILL.md": skill.format(name, gate) for name, gate in gates.items()}
    report = checked(tmp_path, {**files, "skills/none/SKILL.md": "---\nname: none\n---\n"}, agents=["openclaw"])
    assert [(each.rule, each.path) for each in report.findings] == [("skill-dropped", "skills/none/SKILL.md")]


def test_the_skills_of_another_agent_are_not_dropped(tmp_path: Path) -> None:
    skill = "---\nname: a\ndescription: Does a.\n---\n"
    files = {"AGENTS.md": "x\n", ".claude/skills/a/SKILL.md": skill, "skills/README.md": "y\n"}
    report = checked(tmp_path, files)
    assert "openclaw" in [prompt.agent for prompt in report.prompts]
    assert not report.findings


SKILL = "---\nname: {}\ndescription: {}\n---\n"


def test_what_a_budget_takes_from_fifty_skills_is_one_finding(tmp_path: Path) -> None:
    files = {f"{folder}/s{n}/SKILL.md": SKILL.format(f"s{n}", f"Does {n}, {'word ' * 190}")
             for folder in (".agents/skills", ".claude/skills") for n in range(60)}  # fmt: skip
    report = checked(tmp_path, {**files, "AGENTS.md": "x\n"}, rules={"duplicate-lines": "off"})
    said = [(each.rule, each.agents, each.message.split(":")[0]) for each in report.findings]
    assert {each[:2] for each in said} == {
        ("long-description", (agent,)) for agent in ("openclaw", "codex", "claude-code")
    }
    assert all(any(map(str.isdigit, words)) for *_, words in said), "each with its numbers"


def test_a_file_is_large_only_where_it_is_loaded(tmp_path: Path) -> None:
    large = "".join(f"- Rule {number} of this shop.\n" for number in range(6_000))
    report = checked(tmp_path, {"CLAUDE.md": "x\n", "AGENTS.md": large}, agents=["claude-code", "openclaw"])
    assert [(each.rule, each.agents) for each in report.findings] == [
        ("suppressed", ("claude-code",)), ("truncated", ("openclaw",)),
    ]  # fmt: skip
    assert report.findings[1].message.startswith("OpenClaw cuts it (bootstrapMaxChars allows 20,000 of 1")
    cut = report.findings[1].line
    assert cut is not None
    head = "".join(line + "\n" for line in large.split("\n")[: cut - 1])
    assert len(head) <= 9_000 < len(head) + 40, (
        "the line in which the cut begins: 45 % of the limit are kept of the head"
    )


@pytest.mark.parametrize(
    ("path", "text", "agent"),
    [
        (".claude/settings.json", '{"permisions": {}}', "claude-code"),
        (".codex/config.toml", 'modle = "x"\n', "codex"),
        (".gemini/settings.json", '{"contxt": {}}', "gemini"),
        (".roomodes", "customModes:\n  - {slug: a, name: A, roleDefinition: R, groups: [], grps: []}\n", "roo"),
    ],
)
def test_a_key_that_an_agent_does_not_know(tmp_path: Path, path: str, text: str, agent: str) -> None:
    (only,) = checked(tmp_path, {path: text}, agents=[agent]).findings
    assert (only.rule, only.level, only.path, bool(only.line)) == ("unknown-setting", "warning", path, True)


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        (".claude/Claude.md", "claude-code"), (".claude/rules/a.mdc", "claude-code"), ("Agents.md", "codex"),
        ("gemini.md", "gemini"), (".roo/rules.md", "roo"), ("agent.md", "roo"), ("soul.md", "openclaw"),
    ],
)  # fmt: skip
def test_a_name_that_nearly_counts(tmp_path: Path, path: str, agent: str) -> None:
    near = checked(tmp_path, {path: "x\n"}, agents=[agent]).findings
    assert [(each.rule, each.level, each.place) for each in near] == [("near-miss", "info", path)]


def test_a_description_is_long_only_where_it_is_listed(tmp_path: Path) -> None:
    long = SKILL.format("a", "word " * 600)
    files = {".agents/skills/a/SKILL.md": long, ".claude/skills/a/SKILL.md": long, "AGENTS.md": "x\n"}
    cut = [each.agents for each in checked(tmp_path / "a", files).findings if each.rule == "long-description"]
    assert cut == [("codex",), ("claude-code",)]
    files[".agents/skills/a/agents/openai.yaml"] = "policy:\n  allow_implicit_invocation: false\n"
    for path in (".agents/skills/a/SKILL.md", ".claude/skills/a/SKILL.md"):
        files[path] = long.replace("name:", "disable-model-invocation: true\nname:")
    found = {each.rule for each in checked(tmp_path / "b", files).findings}
    assert found == {"near-miss"}, "kept for people: nothing is cut or dropped; some agents don't know the key"


def test_the_skills_of_a_linked_folder_and_the_notes_beside_one_are_not_dropped(tmp_path: Path) -> None:
    files = {"AGENTS.md": "x\n", "skills/a/SKILL.md": SKILL.format("a", "Does a."), "skills/a/notes.md": "Notes.\n"}
    write(tmp_path, {".git/HEAD": "ref: refs/heads/main\n", **files, ".agents/.keep": ""})
    (tmp_path / ".agents" / "skills").symlink_to("../skills")
    assert not check(Scenario(workspace=str(tmp_path)), counter=COUNTER).findings


def test_a_situation_of_its_own(tmp_path: Path) -> None:
    report = checked(
        tmp_path, {".roo/rules/a.md": "a\n"}, scenario={"roo": {"mode": "ask", "params": {"language": "de"}}}
    )
    assert report.prompts[0].mode == "ask"


def test_a_link_to_a_folder_of_the_repository_is_that_folder(tmp_path: Path) -> None:
    files = {"CLAUDE.md": "x\n", "web/CLAUDE.md": f"{KEY}\n", ".promptscope.toml": 'rules.secret = "error"\n'}
    write(tmp_path / "repo", files)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "repo", check=True)
    (tmp_path / "link").symlink_to("repo/web")
    report = check(Scenario(workspace=str(tmp_path / "link")), counter=COUNTER)
    assert report.root == str(tmp_path.resolve() / "repo")
    assert [(finding.level, finding.place) for finding in report.findings] == [("error", "web/CLAUDE.md:1")]
