"""The head of a SKILL.md as both readers take it (docs/agents/openclaw.md#skills)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.openclaw.gather.skill_folders import Skill
from promptscope_engine.agents.openclaw.gather.skill_heads import (
    MAX_HEAD_CHARS,
    Head,
    head_of,
    read_head,
    with_texts_quoted,
)

GATES = ("requires.bins", "requires.anyBins", "requires.env", "requires.config", "os")


def skill(found: Head) -> Skill:
    return Skill("s", "", "", "", hidden=False, head=found)


def gates_nothing(found: Head) -> bool:
    own = skill(found)
    return own.own("always") is not True and own.key == "s" and not any(map(own.names, GATES))


HEADS = st.text(alphabet="abk:-&*!#{}[]\"'|>\n\t ,\\%@`?~1.", max_size=120)


def head(block: str) -> str:
    return f"---\n{block}\n---\nbody\n"


@given(HEADS)
def test_no_head_raises(block: str) -> None:
    found = read_head(head("description: d\n" + block))
    assert found.problem is None or found.description == ""


@given(st.text(max_size=200))
def test_no_file_raises(content: str) -> None:
    gates_nothing(read_head(content))


@pytest.mark.parametrize(
    ("block", "description"),
    [
        ("description: plain", "plain"),
        ('description: "Says: \\"hi\\" & <bye>"', 'Says: "hi" & <bye>'),
        ("description: >\n  first line\n  second line", "first line second line\n"),
        ("description: |\n  one\n  two", "one\ntwo\n"),
        ("description: >-\n  folded\n  away", "folded away"),
        ("description: yes", "yes"),  # no boolean in YAML 1.2
        ("description: 2026-01-02", "2026-01-02"),  # and no date
        ("description:\ttab", "tab"),
        ("description: !custom text", "text"),
        ("description: für Gäste 🫖", "für Gäste 🫖"),
    ],
)
def test_descriptions(block: str, description: str) -> None:
    assert read_head(head(block)).description == description


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("no head\n", "no front matter"),
        ("\ufeff---\ndescription: d\n---\n", "no front matter"),
        ("---\ndescription: never closed\n", "no front matter"),
        (head("name: a"), "no description"),
        (head('description: "  "'), "no description"),
        (head("description: 42"), "must be a string"),
        (head("description: true"), "must be a string"),
        (head("description: d\nname: 7"), "name must be a string"),
        (head("description: a: b: c"), "not YAML"),
        (head("description: d\ndescription: e"), "twice"),
        (head('description: d\nmetadata: {"openclaw": {'), "not YAML"),
        (head("- a\n- b"), "must be an object"),
        (head("description: d\nx: " + "[" * 2000), "front matter"),
    ],
)
@pytest.mark.slow
def test_what_gives_no_skill_says_why(content: str, problem: str) -> None:
    found = read_head(content)
    assert problem in (found.problem or "")
    assert found.json5_chars == 0


@pytest.mark.parametrize(
    ("block", "name", "name_line", "description_line"),
    [
        ("description: d", None, 1, 2),
        ("description: d\nname: a", "a", 3, 2),
        ("name: a\n\ndescription: >\n  d", "a", 2, 4),
        ("name:\ndescription: d", None, 2, 3),
    ],
)
def test_name_and_description_have_their_lines(
    block: str, name: str | None, name_line: int, description_line: int
) -> None:
    found = read_head(head(block))
    assert (found.name, found.name_line, found.description_line) == (name, name_line, description_line)


@pytest.mark.parametrize(("above", "line"), [("", 3), ("\n", 4), (" # note", 3)])
def test_a_problem_has_its_line(above: str, line: int) -> None:
    assert read_head(f"---{above}\nname: a\ndescription: a: b: c\n---\n").line == line


@pytest.mark.parametrize(
    ("content", "length"),
    [
        ("no head\n---\n", 0),
        ("---\nnever closed\n", 0),
        ("---\n---\n", 3),
        ("---\nab\n---\n", 6),
        (f"---{'a' * (MAX_HEAD_CHARS - 4)}\n---", MAX_HEAD_CHARS - 1),
        (f"---{'a' * (MAX_HEAD_CHARS - 3)}\n---", MAX_HEAD_CHARS),
        (f"---{'a' * (MAX_HEAD_CHARS - 2)}\n---", 0),
    ],
)
def test_how_much_is_looked_at(content: str, length: int) -> None:
    assert head_of(content) == content[:length]


def bomb(levels: int) -> str:
    """Lines of which each repeats the one above nine times."""
    rows = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for level in range(levels):
        above, here = chr(97 + level), chr(98 + level)
        rows.append(f"{here}: &{here} [{','.join([f'*{above}'] * 9)}]")
    return "\n".join(rows)


@pytest.mark.parametrize("levels", [3, 10, 20])
def test_an_alias_bomb_is_refused_at_once(levels: int) -> None:
    found = read_head(head("description: d\n" + bomb(levels)))
    assert found.problem in (
        "its front matter is not read: excessive alias count",
        "its front matter is not read: it holds more than 50,000 values once its aliases are written out",
    )


@pytest.mark.parametrize("aliases", [99, 100, 101])
def test_a_hundred_aliases_are_taken(aliases: int) -> None:
    rows = [f"- [&a{n} x, *a{n}]" for n in range(aliases)]
    problem = read_head(head("description: d\nall:\n" + "\n".join(rows))).problem
    assert problem == (None if aliases <= 100 else "its front matter is not read: it has more than 100 aliases")


@pytest.mark.parametrize("size", [MAX_HEAD_CHARS - 1, MAX_HEAD_CHARS, MAX_HEAD_CHARS + 1])
def test_a_long_head_is_not_read(size: int) -> None:
    found = read_head(head("description: " + "d" * (size - 13)))
    too_long = "its front matter is longer than 32,000 characters"
    assert (found.problem, found.line) == ((None, None) if size <= MAX_HEAD_CHARS else (too_long, 1))


def test_a_loop_of_aliases_ends() -> None:
    found = read_head(head("description: d\nmetadata: &m\n  openclaw: *m"))
    assert gates_nothing(found)


def test_line_ends_of_windows_are_taken() -> None:
    found = read_head("---\r\nname: d\r\ndescription: windows\r\n---\r\n")
    assert (found.name, found.description, found.description_line) == ("d", "windows", 3)


@pytest.mark.parametrize("value", ["true", "'True'", "yes", "1", "on"])
def test_a_skill_can_be_hidden_from_the_model(value: str) -> None:
    assert read_head(head(f"description: d\ndisable-model-invocation: {value}")).hidden


@pytest.mark.parametrize(
    "metadata",
    [
        '{"openclaw":{"always":true,"requires":{"bins":["x"]}}}',
        "{openclaw: {always: true, requires: {bins: ['x'],},},}",
        '\'{"openclaw":{"always":true,"requires":{"bins":["x"]}}}\'',
        "\n  openclaw:\n    always: true\n    requires:\n      bins: [x]",
        '\n  {\n    "openclaw": {"always": true, "requires": {"bins": "x"}}\n  }',
    ],
)
def test_metadata_in_all_its_forms(metadata: str) -> None:
    found = skill(read_head(head(f"description: d\nmetadata: {metadata}")))
    assert (found.own("always"), found.names("requires.bins"), found.names("requires.env")) == (True, ("x",), ())


@pytest.mark.parametrize(
    "metadata",
    ["[]", "text", "{other: {always: true}}", "{openclaw: [1]}", "{openclaw: {always: 'yes'}}"],
)
def test_metadata_of_another_kind_gates_nothing(metadata: str) -> None:
    assert gates_nothing(read_head(head(f"description: d\nmetadata: {metadata}")))


def test_metadata_may_be_the_one_line_below_its_key() -> None:
    found = read_head(head('description: d\nmetadata:\n  {"openclaw": {"always": true}}'))
    assert skill(found).own("always") is True


def test_a_blank_line_does_not_end_metadata() -> None:
    found = read_head(head('description: d\nmetadata:\n  {"openclaw":\n\n  {"always": true}}\nname: a'))
    assert skill(found).own("always") is True
    assert found.json5_chars == 0


@pytest.mark.parametrize("below", [0, 1, 2])
def test_metadata_may_stand_below_its_key_at_the_very_end(below: int) -> None:
    lines = ['  {"openclaw":', '  {"always": true}}'][:below]
    found = read_head(head("description: d\nmetadata:" + "".join(f"\n{line}" for line in lines)))
    assert (skill(found).own("always") is True) is (below == 2)


@pytest.mark.parametrize(
    ("metadata", "always"),
    [
        ("{openclaw: {always: true}}", True),
        ("'{openclaw: {always: true}}'", True),
        ('"{openclaw: {always: true}}"', True),
        ("a{openclaw:{always:true}}a", False),  # no quotes
        ("'{openclaw: {always: true}} '", True),
        ("{openclaw: {always: True}}", False),  # YAML would take it for true
        ("\n  {openclaw: {always: True}}", False),
        ("\n  {openclaw: {always: true}}\nother: True", True),
        ("\n  {openclaw:\n\n  {always: true}}\nother: True", True),
        ('"{\\"openclaw\\": {\\"always\\": true}}"', False),  # the backslashes stay
        ("\n\n  openclaw: {always: true}", True),
    ],
)
def test_metadata_in_braces_is_json5_as_it_stands_there(metadata: str, always: bool) -> None:
    assert (skill(read_head(head(f"description: d\nmetadata: {metadata}"))).own("always") is True) is always


def test_the_last_metadata_that_says_something_counts() -> None:
    lines = 'description: |\n  metadata: x\nmetadata: "{openclaw: {always: true}}"'
    assert skill(read_head(head(lines))).own("always") is True


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("d", "d"),
        ("d #c", "d"),
        ("d: a: b", "d: a: b"),
        ("- d", "- d"),
        ("[d]", '["d"]'),
        ("[d", "[d"),
        ("{a: d}", "{a: d}"),
        ('"d" e', '"d" e'),
        ("it's: d", "it's: d"),
        ("~", "~"),
        ("5", "5"),
        ("*d", "*d"),
        (">d", ">d"),
    ],
)
def test_a_newer_version_takes_a_description_as_it_is_written(written: str, taken: str) -> None:
    """Each was asked of 2026.9.6."""
    assert read_head(with_texts_quoted(head(f"name: s\ndescription: {written}"))).description == taken


def test_a_newer_version_minds_no_byte_order_mark() -> None:
    found = head("description: d")
    assert read_head(with_texts_quoted(f"\ufeff{found}")).description == "d"
    assert read_head(f"\ufeff{found}").problem


@pytest.mark.parametrize(
    "block", ["description: d\nnote: a: b", "name: a: b\ndescription: d", "description:", "name: a"]
)
def test_what_else_is_broken_stays_so(block: str) -> None:
    assert read_head(with_texts_quoted(head(block))).problem
