"""Skills: places, front matter, budget, and those that the prompt names (docs/agents/codex.md#skills)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from promptscope_engine.agents.codex.gather.skills import (
    SkillGatherer,
    SkillLine,
    allows_implicit,
    budget,
    cost,
    described,
    fitted,
)
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.formats.yaml import MAX_CHARS

from .conftest import Answer, Codex, session_of

BARE = {"skills": {"bundled": {"enabled": False}}}


def skill(name: str, description: str = "does it") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\nBody.\n"


def listed(answer: Answer) -> list[str]:
    lines = answer.text("skills").split("\n")
    return [line for line in lines if line.startswith("- ") and "(file: " in line]


def test_places_and_their_order(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "workspace/.git/HEAD": "",
        "home/.codex/skills/a/SKILL.md": skill("a"),
        "home/.agents/skills/B/SKILL.md": skill("B"),
        "workspace/.agents/skills/z/SKILL.md": skill("z"),
        "workspace/w/.codex/skills/y/SKILL.md": skill("y"),
        "workspace/.claude/skills/no/SKILL.md": skill("no"),
        "workspace/skills/no/SKILL.md": skill("no"),
    }
    answer = codex(files, within="workspace/w", settings=BARE)
    assert listed(answer) == [
        "- y: does it (file: r0/y/SKILL.md)", "- z: does it (file: r3/z/SKILL.md)",
        "- B: does it (file: r2/B/SKILL.md)", "- a: does it (file: r1/a/SKILL.md)",
    ]  # fmt: skip
    assert f"- `r0` = `{answer.place}/workspace/w/.codex/skills`\n" in answer.text("skills")


def test_six_folders_deep_and_no_hidden_ones(codex: Codex) -> None:
    base = "home/.agents/skills"
    files: dict[str, str | bytes] = {
        f"{base}/1/2/3/4/5/6/SKILL.md": skill("six"), f"{base}/1/2/3/4/5/6/7/SKILL.md": skill("seven"),
        f"{base}/SKILL.md": skill("top"), f"{base}/.h/SKILL.md": skill("hidden"), f"{base}/x/skill.md": skill("small"),
    }  # fmt: skip
    assert [line.split(":")[0] for line in listed(codex(files, settings=BARE))] == ["- six", "- top"]


def test_linked_folders_are_followed_and_linked_files_are_not(codex: Codex, place: Path) -> None:
    codex({"home/real/SKILL.md": skill("real"), "home/.agents/skills/f/x": ""})
    (place / "home/.agents/skills/link").symlink_to(place / "home/real")
    (place / "home/.agents/skills/f/SKILL.md").symlink_to(place / "home/real/SKILL.md")
    answer = codex(settings=BARE)
    assert listed(answer) == ["- real: does it (file: r0/link/SKILL.md)"]
    assert "Codex takes no SKILL.md that is a link" in answer.file("home/.agents/skills/f/SKILL.md").why.text


def test_a_linked_root_is_shown_where_it_leads(codex: Codex, place: Path) -> None:
    codex({"home/real/s/SKILL.md": skill("s"), "home/.agents/x": ""})
    (place / "home/.agents/skills").symlink_to(place / "home/real")
    assert f"- `r0` = `{place}/home/real`" in codex(settings=BARE).text("skills")


@pytest.mark.parametrize(
    ("text", "name", "description", "problem"),
    [
        ("---\nname: n\ndescription: d\n---\n", "n", "d", ""),
        ("---\r\nname: n\r\ndescription: d\r\n---\r\n", "n", "d", ""),
        ("---\ndescription: d\n---\n", "folder", "d", ""),
        ("---\nname: ''\ndescription: d\n---\n", "folder", "d", ""),
        ("---\nname: n\ndescription: |\n  one\n\n  two\n---\n", "n", "one two", ""),
        ("---\nname: n\ndescription: use it: often\n---\n", "n", "use it: often", ""),
        ("\ufeff---\nname: n\ndescription: d\n---\n", "folder", "", "no front matter"),
        (" text\n---\n", "folder", "", "no front matter"),
        ("---\nname: n\ndescription: d\n", "folder", "", "no front matter"),
        ("---\nname: n\n---\n", "n", "", "no description"),
        ("---\nname: n\ndescription: ' '\n---\n", "n", "", "no description"),
        ("---\nname: [n]\ndescription: d\n---\n", "folder", "", "`name` must be a string"),
        ('---\nname: "n\ndescription: d\n---\n', "folder", "", "not valid YAML"),
        ("---\nname: n\ndescription: '- d\n---\n", "folder", "", "not valid YAML"),
        ("---\nname: n\ndescription: d:\n---\n", "folder", "", "not valid YAML"),
        ("---\nname: 5\ndescription: 0x10\n---\n", "5", "0x10", ""),
        ("---\nname: 1.0\ndescription: True\n---\n", "1.0", "True", ""),
        ("---\nname: null\ndescription: [d\n---\n", "folder", "[d", ""),
        ("---\nname: {a: b}\ndescription: @d\n---\n", "{a: b}", "@d", ""),
        ('---\nname: n\ndescription: d\n"x y": a: b\n---\n', "n", "d", ""),
        ("---\n- a\n---\n", "folder", "", "no keys"),
    ],
)
def test_front_matter(text: str, name: str, description: str, problem: str) -> None:
    said = described(text, "folder")
    assert (said.name, said.description) == (name, description)
    assert problem in said.problem
    assert bool(said.problem) == bool(problem)


@pytest.mark.parametrize(("length", "fits"), [(63, True), (64, True), (65, False)])
def test_the_longest_name(length: int, fits: bool) -> None:
    assert (described(skill("n" * length), "f").problem == "") is fits


@pytest.mark.parametrize(("length", "kept"), [(1023, 1023), (1024, 1024), (1025, 1024)])
def test_the_longest_description(length: int, kept: int) -> None:
    assert len(described(skill("n", "d" * length), "f").description) == kept


def test_what_is_dropped_says_why(codex: Codex) -> None:
    answer = codex(
        {"home/.agents/skills/a/SKILL.md": "x", "home/.agents/skills/b/SKILL.md": skill("b").encode() + b"\xff"}
    )
    assert answer.codes == ["skill-dropped", "skill-dropped"]
    assert not answer.file("home/.agents/skills/b/SKILL.md").present


def test_switched_off_by_name_or_path(codex: Codex, place: Path) -> None:
    files: dict[str, str | bytes] = {f"home/.agents/skills/{n}/SKILL.md": skill(n) for n in "abc"}
    config = [
        {"name": "a", "enabled": False},
        {"path": f"{place}/home/.agents/skills/b/SKILL.md", "enabled": False},
        {"name": "c", "enabled": False},
        {"name": "c", "enabled": True},
    ]
    answer = codex(files, settings={"skills": {**BARE["skills"], "config": config}}, prompt="$a")
    assert [line[:3] for line in listed(answer)] == ["- c"]
    assert not [s for s in answer.assembly.sections if s.id.startswith("skill:")]


def test_a_policy_takes_a_skill_off_the_list_but_not_out_of_reach(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.agents/skills/q/SKILL.md": skill("q"),
        "home/.agents/skills/q/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    }
    answer = codex(files, settings=BARE, prompt="use $q, twice $q")
    assert not answer.section("skills").present
    path = f"{answer.place}/home/.agents/skills/q/SKILL.md"
    text = answer.text("skill:~/.agents/skills/q/SKILL.md")
    assert text == f"<skill>\n<name>q</name>\n<path>{path}</path>\n{skill('q')}\n</skill>"


def test_skills_follow_the_prompt_linked_ones_first_and_in_the_order_in_which_they_are_loaded(
    codex: Codex, place: Path
) -> None:
    files: dict[str, str | bytes] = {f"home/.agents/skills/{n}/SKILL.md": skill(n) for n in ("one", "two", "home")}
    files["workspace/.agents/skills/one/SKILL.md"] = skill("one")
    link = f"[$one]({place}/home/.agents/skills/one/SKILL.md)"
    answer = codex(files, prompt=f"$two $HOME $home then {link}, $one $nothing")
    sent = [s.title for s in answer.assembly.sections if s.id.startswith("skill:")]
    assert sent == ["Skill one", "Skill two"]
    files["workspace/.agents/skills/zz/SKILL.md"] = skill("zz")
    assert [
        s.title for s in codex(files, prompt="$imagegen $home $two $zz").assembly.sections if s.id.startswith("skill:")
    ] == ["Skill zz", "Skill two", "Skill imagegen"]


# --- the budget -------------------------------------------------------------------------------------------------------


def test_the_clients_own_descriptions_have_the_real_lengths() -> None:
    own = FOLDER.bundled("skills", FOLDER.versions[-1])
    assert [len(skill.text) for skill in own.values()] == [570, 624, 106, 225]


@pytest.mark.parametrize(("line", "tokens"), [("", 1), ("abc", 1), ("abcd", 2), ("äöü", 2)])
def test_what_a_line_costs(line: str, tokens: int) -> None:
    assert cost(line) == tokens


def test_two_percent_of_the_window() -> None:
    assert [budget(window) for window in (1, 272_000, 50_000)] == [1, 5440, 1000]


LINES = (SkillLine("a", "x" * 20, "p"), SkillLine("b", "y" * 4, "p"))


def test_all_of_it_fits() -> None:
    whole = sum(cost(line.text(len(line.description))) for line in LINES)
    assert fitted(LINES, whole).characters == (20, 4)
    assert fitted(LINES, whole).rank(LINES) == (0, 0, whole)
    assert fitted(LINES, whole - 1).characters != (20, 4)


def test_the_rest_is_handed_out_by_turns() -> None:
    bare = sum(cost(line.text(0)) for line in LINES)
    assert [fitted(LINES, bare + more).characters for more in range(4)] == [(0, 0), (4, 0), (4, 4), (8, 4)]


def test_bare_lines_as_long_as_they_fit() -> None:
    long = SkillLine("n" * 60, "d", "p")
    room = cost(LINES[0].text(0)) + cost(LINES[1].text(0))
    found = fitted((LINES[0], long, LINES[1]), room)
    assert found.characters == (0, None, 0)


def test_shortened_descriptions_are_told(codex: Codex) -> None:
    files: dict[str, str | bytes] = {"home/.agents/skills/s/SKILL.md": skill("s", "d" * 900)}
    answer = codex(files, settings={**BARE, "model_context_window": 5_000})
    assert answer.codes == ["skills-shortened"]
    assert answer.file("home/.agents/skills/s/SKILL.md").truncated
    left_out = codex(settings={**BARE, "model_context_window": 100})
    assert left_out.codes == ["skills-budget"]
    assert not left_out.section("skills").present


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("text", 1),
        ('---\nname: "n\ndescription: d\n---\n', 3),
        ("---\nname: n\n\ndescription: >\n  d\n---\n", 4),
        ("---\nname: n\n---\n", 2),
        ("---\n- a\n---\n", 2),
        ("---\nname: n\n\ndescription: 5\n---\n", 4),
        (f"---\nname: {'n' * 70}\ndescription: d\n---\n", 3),
        (f"---\nname: n\n# {'x' * MAX_CHARS}\n---\n", 1),
    ],
)
def test_the_line_of_a_description_or_of_what_is_wrong(text: str, line: int) -> None:
    assert described(text, "folder").line == line


@pytest.mark.parametrize(
    ("values", "allows"),
    [
        ({"policy": {"allow_implicit_invocation": False}}, False),
        ({"policy": {"allow_implicit_invocation": True}}, True),
        ({"policy": {"allow_implicit_invocation": 0}}, True),
        ({"policy": {}}, True),
        ({"policy": {"allow_implicit_invocation": False}, "interface": 5}, True),
        ({"policy": {"allow_implicit_invocation": False}, "dependencies": {"tools": 5}}, True),
        ({"policy": {"allow_implicit_invocation": False, "products": ["nope"]}}, True),
        ({"policy": {"allow_implicit_invocation": False, "products": ["codex"]}, "interface": None}, False),
        ({"policy": False}, True),
        ({}, True),
        (None, True),
        ([], True),
    ],
)
def test_whether_a_skill_may_be_used_without_being_named(values: object, allows: bool) -> None:
    assert allows_implicit(values) is allows  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "hides"),
    [
        ("dependencies:\n  tools:\n", True),
        ("dependencies:\n  tools: # none yet\n", True),
        ("dependencies:\n  tools: []\n", True),
        ("dependencies:\n  tools: null\n", False),
        ("dependencies:\n  tools: ~\n", False),
        ("dependencies:\n  tools: ''\n", False),
        ("dependencies: null\n", True),
        ("  products:\n", True),
        ("  products: null\n", False),
        ("  products: ''\n", False),
    ],
)
def test_a_list_that_is_left_empty_is_one_and_null_is_none(codex: Codex, more: str, hides: bool) -> None:
    """Asked of 0.171.0: a file that does not fit says nothing."""
    files: dict[str, str | bytes] = {
        "home/.agents/skills/s/SKILL.md": skill("s"),
        "home/.agents/skills/s/agents/openai.yaml": f"policy:\n  allow_implicit_invocation: false\n{more}",
    }
    assert codex(files, settings=BARE).section("skills").present is not hides


@pytest.mark.parametrize(
    ("products", "is_for"),
    [("[]", True), ("[chatgpt, codex]", True), ("[CODEX]", True), ("[chatgpt]", False), ("x", True)],
)
def test_a_skill_may_be_for_other_products(codex: Codex, products: str, is_for: bool) -> None:
    """Then it is neither listed nor can it be named [0.169.0]."""
    files: dict[str, str | bytes] = {
        "home/.agents/skills/s/SKILL.md": skill("s"),
        "home/.agents/skills/s/agents/openai.yaml": f"policy:\n  products: {products}\n",
    }
    answer = codex(files, settings=BARE, prompt="$s")
    assert answer.section("skills").present is is_for
    assert bool([s for s in answer.assembly.sections if s.id.startswith("skill:")]) is is_for


@pytest.mark.parametrize(
    ("window", "says"),
    [
        (300, "no skill is described any more, and 1 of 1 are left out"),
        (350, "descriptions of skills lose 90 characters"),
        (400, "descriptions of skills lose 86 characters"),
        (1_450, "descriptions of skills lose 2 characters"),
    ],
)
def test_how_much_is_lost_is_told(codex: Codex, window: int, says: str) -> None:
    """A line without description takes 7 tokens, 2 % of 350."""
    files: dict[str, str | bytes] = {"home/.agents/skills/s/SKILL.md": skill("s", "d" * 90)}
    answer = codex(files, settings={**BARE, "model_context_window": window})
    assert any(says in found.message for found in answer.assembly.diagnostics)


@pytest.mark.parametrize(("name", "given"), [("a", 0), ("aa", 0), ("aaa", 2), ("aaaa", 1)])
def test_what_a_line_leaves_of_its_last_token_is_filled(name: str, given: int) -> None:
    """`- a: (file: p)` and its line break are 15 bytes; a blank is behind the description."""
    line = SkillLine(name, "xyz", "p")
    assert fitted((line,), cost(line.text(0))).characters == (given,)


def gatherer(place: Path, **more: Any) -> SkillGatherer:
    """Of the skills below a home folder."""
    session = session_of(place, {"skills": {"bundled": {"enabled": False}}})
    session.codex_home, session.inputs = (
        str(place / "codex_home"),
        replace(session.inputs, home=str(place / "home"), managed=str(place / "system_folder")),
    )
    return SkillGatherer(session, folders=(), settings_folders=(), window=272_000, names_only=False, **more)


@pytest.mark.slow
def test_so_many_folders_are_looked_into_for_skills(tmp_path: Path) -> None:
    """Two thousand, with the one that they are in."""
    base = tmp_path / "home/.agents/skills"
    for number in range(1_998):
        (base / f"{number:04}").mkdir(parents=True)
    for last, said, found in (("", 0, 0), ("w", 1, 1), ("x", 1, 1)):
        if last:
            (base / last).mkdir()
            (base / last / "SKILL.md").write_text(skill(last))
        skills = gatherer(tmp_path)
        listing = skills.gather()
        assert (len(skills.session.diagnostics), len(listing.skills)) == (said, found), last


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("~/.agents/skills/b", "ab"),
        ("skills/b", "ab"),
        ("skills/b/", "ab"),
        ("{place}/home/.agents/skills/b/SKILL.md", "a"),
        ("{place}/home/.agents/../.agents/skills/b/SKILL.md", "a"),
        ("skills/b/SKILL.md", "a"),
    ],
)
def test_a_switch_names_a_skill_by_its_file_not_by_its_folder(codex: Codex, place: Path, path: str, left: str) -> None:
    """A relative path begins at the file that names it [0.169.0]."""
    where = "home/.codex" if path.startswith("skills") else "home/.agents"
    files: dict[str, str | bytes] = {f"{where}/skills/{name}/SKILL.md": skill(name) for name in "ab"}
    files["home/.codex/config.toml"] = f'[[skills.config]]\npath = "{path.format(place=place)}"\nenabled = false\n'
    assert [line[2] for line in listed(codex(files, settings=BARE))] == list(left)


def test_what_switches_a_skill_back_on_keeps_what_the_scenario_says(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.agents/skills/a/SKILL.md": skill("a"),
        "home/.codex/config.toml": '[[skills.config]]\nname = "a"\nenabled = false\n',
    }
    own = {"name": "x", "enabled": False}
    answer = codex(files, settings={"skills": {**BARE["skills"], "config": [own]}})
    (lever,) = answer.file("home/.agents/skills/a/SKILL.md").why.levers
    assert (lever.param, lever.value) == (
        "settings.skills", {**BARE["skills"], "config": [own, {"name": "a", "enabled": True}]},
    )  # fmt: skip


def test_the_row_of_a_skill_tells_what_of_it_is_sent(codex: Codex) -> None:
    path = "home/.agents/skills/s/SKILL.md"
    room = "the list may take 8 tokens (2 % of the window)"
    for window, why, chars, is_cut in (
        (272_000, "present: it is listed", 90, False),
        (
            400,
            f"present: listed with 4 of 90 characters of its description: {room}",
            4,
            True,
        ),
        (300, "absent: the list may take 6 tokens, and without any description it is longer", 0, False),
    ):
        file = codex({path: skill("s", "d" * 90)}, settings={**BARE, "model_context_window": window}).file(path)
        assert (file.why.text, file.injected_chars, file.truncated) == (why, chars, is_cut)


def test_a_description_that_is_cut_is_told(codex: Codex) -> None:
    path = "home/.agents/skills/s/SKILL.md"
    for length, said in ((1_024, []), (1_285, ["description-cut"])):
        answer = codex({path: skill("s", "d" * length)}, settings=BARE)
        assert answer.codes == said
        file = answer.file(path)
        assert (file.injected_chars, file.truncated) == (1_024, bool(said))
        assert [(limit.allowed, limit.wanted) for limit in file.limits] == ([(1_024, length)] if said else [])


def test_what_misses_a_folder_of_skills_says_why(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.agents/skills/low/skill.md": skill("low", "d"), "home/.agents/skills/bare.md": skill("bare", "d"),
    }  # fmt: skip
    answer = codex(files, settings=BARE)
    assert (
        "only the name SKILL.md counts (this is skill.md)" in answer.file("home/.agents/skills/low/skill.md").why.text
    )
    assert "a skill is a folder with a SKILL.md in it" in answer.file("home/.agents/skills/bare.md").why.text


def test_a_shortened_description_is_told_at_the_first_that_loses_something(codex: Codex) -> None:
    files: dict[str, str | bytes] = {
        "home/.agents/skills/a/SKILL.md": skill("a", "ab"), "home/.agents/skills/b/SKILL.md": skill("b", "d" * 90),
    }  # fmt: skip
    answer = codex(files, settings={**BARE, "model_context_window": 1_000})
    assert answer.codes == ["skills-shortened"]
    assert answer.assembly.diagnostics[0].path == f"{answer.place}/home/.agents/skills/b/SKILL.md"


@pytest.mark.parametrize(
    ("description", "origin"),
    [
        ("does it", ("file", 3)),
        ("'does it'", ("file", 3)),
        ("\r" * 9 + " does it", ("file", 3)),  # to YAML a line ends with each
    ],
)
def test_a_description_has_its_line_where_it_stands_in_one(
    codex: Codex, description: str, origin: tuple[str, int | None]
) -> None:
    section = codex({"home/.agents/skills/s/SKILL.md": skill("s", description)}, settings=BARE).section("skills")
    (found,) = [fragment.origin for fragment in section.fragments if fragment.text == "does it"]
    assert (found.kind, found.start_line) == origin


def test_a_folded_description_is_traced_line_by_line(codex: Codex) -> None:
    files = {"home/.agents/skills/s/SKILL.md": skill("s", ">\n  does\n  it")}
    section = codex(files, settings=BARE).section("skills")
    found = [(each.text.strip(), each.origin.start_line) for each in section.fragments if each.origin.kind == "file"]
    assert [each for each in found if each[0] in ("does", "it")] == [("does", 4), ("it", 5)]


def test_a_skill_of_codexs_own_is_sent_as_it_lies_there(codex: Codex) -> None:
    path = "home/.codex/skills/.system/imagegen/SKILL.md"
    without = codex(prompt="$imagegen").section(f"skill:~/{path.removeprefix('home/')}")
    assert "builtin" in [fragment.origin.kind for fragment in without.fragments]
    section = codex({path: "Body.\n"}, prompt="$imagegen").section(f"skill:~/{path.removeprefix('home/')}")
    (found,) = [fragment for fragment in section.fragments if fragment.origin.kind == "file"]
    assert (found.text, found.origin.start_line) == ("Body.\n", 1)


@pytest.mark.parametrize(("model", "is_told"), [("gpt-5.5", True), ("gpt-5.6-luna", False), ("gpt-6.1-sol", False)])
def test_which_models_are_told_how_to_use_skills(codex: Codex, model: str, is_told: bool) -> None:
    assert ("### How to use skills\n" in codex(model=model).text("skills")) is is_told
