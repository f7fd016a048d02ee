"""Modes from files, and what becomes of them (docs/agents/roo.md#prompt)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine import Scenario, assemble
from promptscope_engine.agents.roo.gather.modes import global_storage, parse_modes, unread_of
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.scenario import Environment
from promptscope_engine.javascript.regexp import compiles
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

GOOD = "customModes:\n  - slug: a\n    name: A\n    roleDefinition: Does a. More.\n    groups: [read]\n"


TEXT = "must be a string that is not empty"
GROUP = "must be one of read, edit, browser, command, mcp, modes or a list of 2 items"


def problems(text: str, project: bool = True) -> list[str]:
    return [problem.message for problem in parse_modes(text, project)[1]]


def one(**fields: Any) -> str:
    """A file with one mode in flow style, some fields changed; None leaves a field out."""
    mode = {"slug": "a", "name": "A", "roleDefinition": "r", "groups": "[read]", **fields}
    return "customModes: [{" + ", ".join(f"{k}: {v}" for k, v in mode.items() if v is not None) + "}]"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (one(slug="a b"), "`customModes[0].slug` must be letters, digits and dashes"),
        (one(name='""'), f"`customModes[0].name` {TEXT}"),
        (one(roleDefinition='""'), f"`customModes[0].roleDefinition` {TEXT}"),
        (one(name=None), "`customModes[0].name` is missing"),
        (one(groups=None), "`customModes[0].groups` is missing"),
        (one(name=5), f"`customModes[0].name` {TEXT}"),
        (one(name="null"), f"`customModes[0].name` {TEXT}"),
        (one(whenToUse="true"), "`customModes[0].whenToUse` must be a string"),
        (one(customInstructions="[x]"), "`customModes[0].customInstructions` must be a string"),
        (one(description="{x: y}"), "`customModes[0].description` must be a string"),
        (one(groups="[nope]"), f"`customModes[0].groups[0]` {GROUP}"),
        (one(groups="[read, [edit]]"), f"`customModes[0].groups[1]` {GROUP}"),
        (one(groups="[[edit, {fileRegex: 5}]]"), "`customModes[0].groups[0][1].fileRegex` must be a string"),
        (one(groups="[[edit, {}, x]]"), f"`customModes[0].groups[0]` {GROUP}"),
        (
            one(groups="[[edit, {fileRegex: '('}]]"),
            "`customModes[0].groups[0][1].fileRegex` is not a regular expression",
        ),
        (one(groups="[read, [read, {}]]"), "`customModes[0].groups` has a group twice"),
        (one(groups="read"), f"`customModes[0].groups` must be a list of items, each {GROUP.removeprefix('must be ')}"),
        (
            one(source="elsewhere"),
            "`customModes[0].source` must be one of global, project",
        ),
        ("customModes: 5", "`customModes` must be a list of objects"),
        ("customModes: [5]", "`customModes[0]` must be an object"),
        (
            one()[:-1] + ", {slug: a, name: B, roleDefinition: r, groups: []}]",
            "`customModes` has two modes with one slug",
        ),
    ],
)
def test_each_misfit_is_told(text: str, wanted: str) -> None:
    assert problems(text) == [wanted]


@pytest.mark.parametrize(
    "text", ["", "# only words", "[]", "a: b", "customModes:", "customModes: 0", "just text", "null"]
)
def test_a_file_without_modes_is_silent(text: str) -> None:
    assert parse_modes(text, True) == ([], [])


def test_what_is_there_twice_is_told_once_each_part_fits() -> None:
    assert problems(one(groups="[read, read, nope]")) == [f"`customModes[0].groups[2]` {GROUP}"]
    assert problems(one(groups="[read, read]")) == ["`customModes[0].groups` has a group twice"]


def test_problems_name_their_line() -> None:
    text = GOOD + "  - slug: b\n    name: B\n    roleDefinition: r\n    groups:\n      - read\n      - nope\n"
    assert [(p.message, p.line) for p in parse_modes(text, True)[1]] == [(f"`customModes[1].groups[1]` {GROUP}", 11)]


def test_yaml_errors_name_their_line() -> None:
    (problem,) = parse_modes("customModes:\n  - slug: a\n   name: broken\n", True)[1]
    assert problem.line == 3
    assert "YAML" in problem.message


def test_odd_characters_are_made_plain() -> None:
    text = "\ufeffcustomModes:\n- slug: a‑b\n  name: “S”\n  roleDefinition: It’s\u200b — so\n  groups:\u00a0[read]\n"
    (mode, _), *_ = parse_modes(text, True)[0]
    assert (mode["slug"], mode["name"], mode["roleDefinition"]) == ("a-b", "S", "It's - so")


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        *((chr(code), "-") for code in (*range(0x2010, 0x2016), 0x2212)),
        *((chr(code), "'") for code in (0x2018, 0x2019)),
        *((chr(code), "") for code in (0x200B, 0x200C, 0x200D)),
        *((chr(code), chr(code)) for code in (0x200A, 0x200E, 0x200F, 0x2016, 0x2017, 0x201A, 0x2211, 0x2213)),
    ],
)
def test_each_odd_character_and_its_neighbours(odd: str, plain: str) -> None:
    text = f"customModes:\n- slug: a\n  name: x{odd}y\n  roleDefinition: r\n  groups: [read]\n"
    (mode, _), *_ = parse_modes(text, True)[0]
    assert mode["name"] == f"x{plain}y"


def test_json_with_tabs_is_read() -> None:
    text = '{\n\t"customModes": [\n\t\t{"slug": "a", "name": "A", "roleDefinition": "r", "groups": ["x"]}\n\t]\n}'
    assert [(p.message, p.line) for p in parse_modes(text, True)[1]] == [(f"`customModes[0].groups[0]` {GROUP}", 3)]


def test_a_bomb_is_a_problem_of_the_file() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 4)]
    assert [p.message for p in parse_modes("\n".join(lines), True)[1]] == ["YAML syntax error: excessive alias count"]


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")), st.booleans())
def test_the_parser_never_raises(text: str, project: bool) -> None:
    modes, wrong = parse_modes(text, project)
    assert not (modes and wrong)


@given(
    st.recursive(
        st.none() | st.integers() | st.text("ab-\n", max_size=3), lambda c: st.lists(c, max_size=3), max_leaves=5
    )
)
def test_a_list_that_is_no_list_of_modes_is_told(value: Any) -> None:
    modes, wrong = parse_modes(json.dumps({"customModes": [value]}), True)
    assert not modes
    assert wrong


@pytest.mark.parametrize(
    "pattern", ["(", "a{2,1}", "[z-a]", "*a", "a**", "(?<=a)*", "\\", "[", ")", "(?P<x>a)", "(?i)", "{1}", "[\\n-\\t]"]
)
def test_javascript_refuses(pattern: str) -> None:
    assert not compiles(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "{",
        "]",
        "[^]",
        "[]",
        "[a]",
        "[a-\\d]",
        "[z-\\d]",
        "[\\w-A]",
        "a+?",
        "(?=a)*",
        "\\k",
        "x{,3}",
        "\\.(md|mdx)$",
        "(?<n>a)\\k<n>",
    ],
)
def test_javascript_takes(pattern: str) -> None:
    assert compiles(pattern)


# --- in the prompt -------------------------------------------------------------------------------------------------


def show(root: Path, project: str | None = None, everywhere: str | None = None, **scenario: Any) -> Assembly:
    for name, text in (("ws/.roomodes", project), ("home/store/settings/custom_modes.yaml", everywhere)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            (root / name).write_bytes(text.encode())
    params = {"globalStorage": str(root / "home/store"), **scenario.pop("params", {})}
    asked = {
        "agent": "roo",
        "workspace": str(root / "ws"),
        "home": str(root / "home"),
        "env": {},
        "params": params,
        **scenario,
    }
    return assemble(Scenario.model_validate(asked), cached_only=True)


def listed(assembly: Assembly, slug: str) -> str:
    section = assembly.section("modes")
    assert section is not None
    return section.text.partition(f"mode ({slug}) - ")[2].partition("\n  * ")[0]


def test_project_modes_win_and_built_ins_are_replaced_in_place(tmp_path: Path) -> None:
    everywhere = GOOD.replace("name: A", "name: Global") + GOOD.partition("\n")[2].replace("slug: a", "slug: ask")
    told = show(tmp_path, GOOD, everywhere)
    assert [m.slug for m in told.modes] == ["architect", "code", "ask", "debug", "orchestrator", "a"]
    assert {m.slug: m.source for m in told.modes}["ask"] == "global"
    assert next(m.name for m in told.modes if m.slug == "a") == "A"
    hidden = [d.message for d in told.diagnostics if d.code == "mode-hidden"]
    assert hidden == ["the mode a of .roomodes hides the global one"]


def test_descriptions(tmp_path: Path) -> None:
    text = GOOD + "    whenToUse: |\n      One.\n      Two.\n"
    told = show(
        tmp_path, text, params={"customModePrompts": {"ask": {"whenToUse": "", "roleDefinition": "Ask e.g. me"}}}
    )
    assert listed(told, "a").startswith("One.\n    Two.\n    ")
    assert listed(told, "ask") == "Ask e"  # `??` keeps the empty text, and the first dot cuts


def test_settings_do_not_change_the_texts_of_a_custom_mode(tmp_path: Path) -> None:
    prompts = {"a": {"roleDefinition": "No.", "customInstructions": "No.", "whenToUse": "Listed all the same"}}
    told = show(tmp_path, GOOD, params={"customModePrompts": prompts}, mode="a")
    assert told.system_text.startswith("Does a. More.\n\n====")
    assert listed(told, "a").startswith("Listed all the same")


def test_empty_settings_fall_back_to_the_built_in_text(tmp_path: Path) -> None:
    plain = show(tmp_path, mode="ask")
    prompts = {"ask": {"roleDefinition": "", "customInstructions": ""}}
    assert show(tmp_path, mode="ask", params={"customModePrompts": prompts}).system_text[:80] == plain.system_text[:80]


def test_settings_of_an_unknown_mode_reach_the_default_one(tmp_path: Path) -> None:
    told = show(tmp_path, mode="cod", params={"customModePrompts": {"cod": {"roleDefinition": "Unknown role"}}})
    assert told.mode == "architect"
    assert told.system_text.startswith("Unknown role\n\n")
    warning = next(d for d in told.diagnostics if d.code == "unknown-mode")
    assert warning.severity == "warning"
    assert "did you mean code" in warning.message


def test_null_is_the_default_mode_without_a_warning(tmp_path: Path) -> None:
    told = show(tmp_path)
    assert told.mode == "architect"
    assert not told.diagnostics


def test_texts_keep_their_lines(tmp_path: Path) -> None:
    told = show(tmp_path, GOOD + "    customInstructions: |\n      First.\n\n      Third.\n", mode="a")
    section = told.section("custom_instructions.mode")
    assert section is not None
    found = [(f.text, f.origin.start_line) for f in section.fragments if f.origin.kind == "file"]
    assert found == [("First.", 7), ("Third.", 9)]
    file = next(f for f in told.files if f.path == ".roomodes")
    assert file.present
    assert file.injected_chars == len("Does a" + "Does a. More." + "First." + "Third.")


def test_errors_of_the_global_file_are_only_logged(tmp_path: Path) -> None:
    told = show(tmp_path, None, "customModes: 5")
    assert {d.severity for d in told.diagnostics} == {"warning", "info"}


def test_one_bad_mode_drops_the_file(tmp_path: Path) -> None:
    told = show(tmp_path, GOOD + "  - slug: b\n")
    assert [m.slug for m in told.modes][-1] == "orchestrator"
    assert all(d.path == str(tmp_path / "ws/.roomodes") for d in told.diagnostics)


def test_the_storage_is_the_editors_own_place() -> None:
    def on(platform: str, given: str | None = None) -> str:
        scenario = Scenario(agent="roo", workspace="/w", home="/h", environment=Environment(platform=platform))
        return global_storage(resolve(scenario, Workspace())[1], given)

    assert on("linux").startswith("/h/.config/Code/User/globalStorage/rooveterinaryinc")
    assert on("darwin").startswith("/h/Library/Application Support/Code/")
    assert on("linux", "~/x") == "/h/x"


@pytest.mark.parametrize(
    ("count", "why"),
    [
        (0, "absent: .roomodes defines no mode"),
        (1, "present: .roomodes defines 1 mode"),
        (2, "present: .roomodes defines 2 modes"),
    ],
)
def test_a_file_says_how_many_modes_it_defines(tmp_path: Path, count: int, why: str) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home").mkdir()
    entry = "{{slug: m{n}, name: M, roleDefinition: r, groups: []}}"
    listed = ", ".join(entry.format(n=n) for n in range(count))
    (tmp_path / "ws/.roomodes").write_text(f"customModes: [{listed}]")
    asked = {"agent": "roo", "workspace": str(tmp_path / "ws"), "home": str(tmp_path / "home"), "env": {}}
    assembly = assemble(Scenario.model_validate(asked), cached_only=True)
    assert next(file.why.text for file in assembly.files if file.path == ".roomodes") == why


def test_groups_that_a_mode_lacks_stand_among_its_own_as_elsewhere(tmp_path: Path) -> None:
    told = show(tmp_path, GOOD.replace("[read]", "[command]"), mode="a")
    names = [tool.name for tool in told.tools]
    assert (names[0], names[6], names[11:15]) == (
        "read_file",
        "apply_diff",
        ["browser_action", "execute_command", "use_mcp_tool", "access_mcp_resource"],
    )
    assert next(tool.name for tool in told.tools if tool.present) == "execute_command"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (GOOD + "    filePattern: x\n", 6, "`filePattern` here; did you mean fileRegex?"),
        (GOOD + "    baseInstructions: x\n", 6, "did you mean customInstructions? (known: slug, name,"),
        (GOOD + "    zzz: x\n", 6, "no key `zzz` here (known: slug, name, roleDefinition"),
        (GOOD.replace("[read]", "[[edit, {fileregex: x}]]"), 5, "did you mean fileRegex?"),
        (GOOD + "customMode: []\n", 6, "did you mean customModes?"),
        (GOOD.replace("[read]", "[[read, {fileRegex: x}]]"), 5, "`fileRegex` limits the group edit alone"),
    ],
)
def test_keys_that_nobody_reads_are_said_with_the_nearest(tmp_path: Path, text: str, line: int, says: str) -> None:
    told = show(tmp_path, text)
    [said] = told.diagnostics
    assert (said.code, said.line, said.severity) == ("modes-unread-key", line, "warning")
    assert says in said.message
    assert any(mode.slug == "a" for mode in told.modes)


@pytest.mark.parametrize(
    ("groups", "only"),
    [
        (r"[read, [edit, {fileRegex: '\.ts$', description: Sources}]]", (r"\.ts$", "Sources")),
        (r"[[edit, {fileRegex: '\.ts$'}]]", (r"\.ts$", None)),
        ("[[edit, {description: Sources}]]", None),
        ("[[edit, {fileRegex: ''}]]", None),
        (r"[edit, [read, {fileRegex: '\.ts$'}]]", None),
    ],
)
def test_a_pattern_of_the_group_edit_limits_it(
    tmp_path: Path, groups: str, only: tuple[str, str | None] | None
) -> None:
    modes = {mode.slug: mode for mode in show(tmp_path, GOOD.replace("[read]", groups)).modes}
    limit = modes["a"].edits_only
    assert (limit and (limit.pattern, limit.description)) == only
    if limit is not None:
        assert limit.source is not None
        assert (limit.source.shown, limit.source.line) == (".roomodes", 5)
        assert "generate_image" not in limit.tools
    builtin = modes["architect"].edits_only
    assert builtin is not None
    assert (builtin.pattern, builtin.source) == (r"\.md$", None)
    assert modes["code"].edits_only is None


@pytest.mark.parametrize(
    ("group", "says"),
    [
        ("terminal", "did you mean command?"),
        ("[edti, {}]", "did you mean edit?"),
        ("zzz", "one of read, edit, browser, command, mcp, modes"),
    ],
)
def test_a_group_that_does_not_exist_names_the_nearest(tmp_path: Path, group: str, says: str) -> None:
    [said] = show(tmp_path, GOOD.replace("[read]", f"[read, {group}]")).diagnostics
    assert (said.code, said.line) == ("modes-invalid", 5)
    assert says in said.message
    assert "one of read, edit, browser, command, mcp, modes" in said.message


def test_not_every_key_of_a_strangers_file_is_told(tmp_path: Path) -> None:
    text = GOOD + "".join(f"    key{n}x: 1\n" for n in range(100))
    assert len(show(tmp_path, text).diagnostics) == 20


@pytest.mark.parametrize(("count", "read"), [(500, 500), (501, 0)])
def test_a_file_has_500_modes_at_most(count: int, read: int) -> None:
    listed = ", ".join(f"{{slug: m{number}, name: M, roleDefinition: r, groups: []}}" for number in range(count))
    modes, wrong = parse_modes(f"customModes: [{listed}]", True)
    assert len(modes) == read
    assert [problem.message for problem in wrong] == (
        [] if read else ["it has 501 modes, and no more than 500 are read"]
    )


BLOCKS = """customModes:
  - slug: a
    name: A
    roleDefinition: Does a.
    groups:
      - read
      - - edit
        - description: Sources
          fileRegex: ts
"""
KNOWN = "slug, name, roleDefinition, whenToUse, description, customInstructions, groups, source"


def test_each_part_of_a_mode_knows_its_line(tmp_path: Path) -> None:
    told = show(tmp_path, BLOCKS, mode="a")
    limit = next(mode.edits_only for mode in told.modes if mode.slug == "a")
    assert limit is not None
    assert limit.source is not None
    assert (limit.source.line, limit.source.is_set) == (9, True)
    section = told.section("custom_instructions.mode")
    assert section is not None
    assert section.why.remedy == "write `customInstructions` for the mode a in .roomodes:5"
    told = show(tmp_path, BLOCKS + "    customInstructions: ''\n", mode="a")
    section = told.section("custom_instructions.mode")
    assert section is not None
    assert section.why.remedy == "write `customInstructions` for the mode a in .roomodes:10"


def test_a_global_mode_names_the_global_file(tmp_path: Path) -> None:
    section = show(tmp_path, None, BLOCKS, mode="a").section("custom_instructions.mode")
    assert section is not None
    assert section.why.remedy == "write `customInstructions` for the mode a in custom_modes.yaml:5"


@pytest.mark.parametrize(
    ("mode", "levers"), [("code", ["customModePrompts.code.customInstructions"]), ("ask", []), ("a", [])]
)
def test_only_without_a_text_of_its_own_a_built_in_mode_loses_its_instructions(
    tmp_path: Path, mode: str, levers: list[str]
) -> None:
    """The others fall back on their own, or ignore the settings."""
    params = {"customModePrompts": {mode: {"customInstructions": "Mine."}}}
    told = show(tmp_path, GOOD + "    customInstructions: Own.\n", mode=mode, params=params)
    section = told.section("custom_instructions.mode")
    assert section is not None
    assert section.present
    assert [lever.param for lever in section.why.levers] == levers


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (
            BLOCKS.replace("fileRegex", "fileregex"),
            9,
            "`fileregex` here; did you mean fileRegex? (known: fileRegex, description)"
            " (in a group's options: `[edit, {fileRegex: …}]`)",
        ),
        (
            GOOD + "    filePattern: x\n",
            6,
            f"`filePattern` here; did you mean fileRegex? (known: {KNOWN})"
            " (in a group's options: `[edit, {fileRegex: …}]`)",
        ),
        (GOOD + "    roleDescription: x\n", 6, f"`roleDescription` here; did you mean description? (known: {KNOWN})"),
        (GOOD + "    zzz: x\n", 6, f"`zzz` here (known: {KNOWN})"),
    ],
)
def test_one_nearest_key_is_named(text: str, line: int, says: str) -> None:
    assert unread_of(text, True) == ((line, f"Roo reads no key {says}"),)


@pytest.mark.parametrize("groups", ["[read, [edit]]", "[[]]", "[5]", "read", r"[[edit, {fileRegex: '\.ts$'}]]"])
def test_groups_without_options_hold_no_key_that_nobody_reads(groups: str) -> None:
    assert unread_of(one(groups=groups), True) == ()


@pytest.mark.parametrize("groups", ["[[edit, {fileRegex: 5}]]", "[5]", "[[]]"])
def test_for_what_is_no_unknown_group_none_is_suggested(groups: str) -> None:
    [problem] = parse_modes(one(groups=groups), True)[1]
    assert "did you mean" not in problem.message


def given(tmp_path: Path, modes: list[dict[str, Any]] | None, mode: str = "docs") -> Assembly:
    """What a task is sent that was given these modes, in a workspace whose file has another one."""
    (tmp_path / ".roomodes").write_text(GOOD)
    params = {"customModes": modes}
    return assemble(
        Scenario.model_validate({"agent": "roo", "workspace": str(tmp_path), "mode": mode, "params": params})
    )


DOCS = {
    "slug": "docs", "name": "D", "roleDefinition": "You write. Well.", "customInstructions": "Briefly.",
    "groups": ["read", ["edit", {"fileRegex": r"\.md$"}]],
}  # fmt: skip


def test_a_task_has_the_modes_that_it_was_given_and_lists_those_of_the_files(tmp_path: Path) -> None:
    assembly = given(tmp_path, [DOCS])
    assert assembly.mode == "docs"
    assert assembly.system_text.startswith("You write. Well.\n")
    assert "Mode-specific Instructions:\nBriefly." in assembly.system_text
    assert "mode (a) - Does a" in assembly.system_text
    assert "mode (docs)" not in assembly.system_text
    [docs] = [mode for mode in assembly.modes if mode.slug == "docs"]
    assert docs.edits_only is not None
    assert docs.edits_only.pattern == r"\.md$"
    tools = {tool.name for tool in assembly.tools if tool.present}
    assert {"read_file", "write_to_file"} <= tools
    assert "execute_command" not in tools


def test_without_given_modes_those_of_the_files_count(tmp_path: Path) -> None:
    assert given(tmp_path, None, "a").system_text.startswith("Does a. More.")
    assert [d.code for d in given(tmp_path, [], "a").diagnostics] == ["unknown-mode"]
