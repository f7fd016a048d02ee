from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.content import Content
from promptscope_engine.agents.claude_code.gather.content import process as process_for
from promptscope_engine.formats.front_matter import MAX_CHARS

V100, V329 = "2.1.100", "2.1.329"


def process(text: str) -> Content:
    return process_for(text, V329)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("plain\n", "plain"),
        ("\ufeffbom\r\nline\r\n", "bom\r\nline"),
        ("end   \n\n\n", "end"),
        ("---\ntitle: t\n---\n\nbody\n", "body"),
        ("---\nno end\nbody\n", "---\nno end\nbody"),
        ("one\n<!-- gone -->\n\ntwo\n", "one\ntwo"),
        ("one\n<!-- over\nlines -->\ntwo\n", "one\ntwo"),
        ("text <!-- stays --> end", "text <!-- stays --> end"),
        ("<!-- gone --> tail", "tail"),
        ("```\n<!-- stays -->\n```", "```\n<!-- stays -->\n```"),
        ("```\n~~~\n<!-- stays -->\n```", "```\n~~~\n<!-- stays -->\n```"),
        ("````\n```\n<!-- stays -->\n````", "````\n```\n<!-- stays -->\n````"),
        ("```\n```x\n<!-- stays -->\n```", "```\n```x\n<!-- stays -->\n```"),
        ("```x\na\n```\n<!-- gone -->\nb", "```x\na\n```\nb"),
        ("```\na\n````  \n<!-- gone -->\nb", "```\na\n````  \nb"),
        ("~~~\na\n~~~\n<!-- gone -->\nb", "~~~\na\n~~~\nb"),
        ("- item\n\ntext\n<!-- gone -->\nb", "- item\n\ntext\nb"),
        ("- item\n\n\ttext\n\n\t<!-- stays -->\nb", "- item\n\n\ttext\n\n\t<!-- stays -->\nb"),
        ("<!-- gone -->tail", "tail"),
        ("\n<!-- gone -->\ntext", "text"),
        ("- item\n\n  <!-- stays -->", "- item\n\n  <!-- stays -->"),
        ("- item\n\n  text\n\n  <!-- stays -->", "- item\n\n  text\n\n  <!-- stays -->"),
        ("- item\n  <!-- stays -->", "- item\n  <!-- stays -->"),
        ("x\n\n    <!-- code -->", "x\n\n    <!-- code -->"),
        ("<!-- never closed", "<!-- never closed"),
        ("  \n\t\n", ""),
        ("\n\n  first\n", "first"),
        ("\n---\npaths: x\n---\nbody\n", "---\npaths: x\n---\nbody"),
        ("----\npaths: x\n---\nbody\n", "----\npaths: x\n---\nbody"),
        ("---\npaths: x\n...\nbody\n", "---\npaths: x\n...\nbody"),
        ("---  \r\npaths: x\r\n--- \r\nbody\r\n", "body"),
        ("---\nkey: [x\n---\nbody\n", "body"),
    ],
)
def test_what_is_sent(text: str, sent: str) -> None:
    assert process(text).text == sent


def test_frontmatter_values() -> None:
    assert process("---\npaths: src/**\nn: 3\n---\nx").frontmatter == {"paths": "src/**", "n": 3}


@pytest.mark.parametrize("version", [V100, V329])
@pytest.mark.parametrize(
    "value",
    ["**/*.ts", "*.ts", "{src,lib}/**", "[ab]*.ts", "@first", "%x", "`x`", "use this: always", "[open"],
)
def test_a_value_that_is_no_yaml_is_taken_as_text(version: str, value: str) -> None:
    content = process_for(f"---\nfirst: 1\npaths: {value}\n---\nx", version)
    assert content.frontmatter == {"first": 1, "paths": value}
    assert (content.problem is not None) is value.endswith("open")
    # As an item of a list it is not.
    if value[0] in "*@%`":
        assert process_for(f"---\npaths:\n  - {value}\n---\nx", version).frontmatter == {}


@pytest.mark.parametrize(
    ("head", "older", "newer"),
    [
        ("a: 1\na: 2", {}, {"a": 2}),
        ("paths:\n\t- src/**", {}, {"paths": ["src/**"]}),
        ("a: x\n\tb: y", {}, {}),
        ("just words", {}, {}),
        ("a: yes", {"a": "yes"}, {"a": "yes"}),
        ("a: before # after", {"a": "before"}, {"a": "before"}),
        ("a: it's [open\nb: 'both'", {"a": "it's [open", "b": "both"}, {"a": "it's [open", "b": "both"}),
        ("a: use: it\nb: [x, y]", {"a": "use: it", "b": ["x", "y"]}, {"a": "use: it", "b": ["x", "y"]}),
        ("a:\tb\nc: \t d", {"a": "b", "c": "d"}, {"a": "b", "c": "d"}),
        ("", {}, {}),
    ],
)
def test_each_version_reads_yaml_its_own_way(head: str, older: dict[str, object], newer: dict[str, object]) -> None:
    assert process_for(f"---\n{head}\n---\nx", V100).frontmatter == older
    assert process_for(f"---\n{head}\n---\nx", V329).frontmatter == newer
    assert process_for(f"---\n{head}\n---\nx", V100).text == "x"


def test_what_a_read_loads_keeps_its_end() -> None:
    content = process("---\r\npaths: x\r\n---\r\nbody\r\n")
    assert [s.text for s in content.untrimmed] == ["body\r\n"]
    assert [(s.text, s.line) for s in process("\n\n  a\nb \n").stretches] == [("a\nb", 3)]


def test_bad_frontmatter_names_its_line() -> None:
    for bad in ("bad: [a", "- bad: [a"):
        content = process(f"---\nok: 1\n{bad}\n---\nbody")
        assert content.problem
        assert content.problem_line in (3, 4)
        assert content.text == "body"


@pytest.mark.parametrize(
    "frontmatter", ["- a\n", "a\n", "&a [*a]\n", "1: " + "[" * 5000 + "\n", "x" * 70_000 + ": 1\n"]
)
@pytest.mark.slow
def test_odd_frontmatter_never_raises(frontmatter: str) -> None:
    assert process(f"---\n{frontmatter}---\nbody").text == "body"


def bomb(first: str, rows: int, row: str) -> str:
    """Lines of which each repeats the one above."""
    names = "abcdefghijklmnopqrstuvwxyz"
    lines = [row.format(names[n + 1], names[n]) for n in range(rows)]
    return "\n".join(["name: x", "description: y", f"a: &a {first}", *lines, f"tools: [*{names[rows]}]"])


@pytest.mark.parametrize(
    "front_matter",
    [
        bomb("[x,x,x,x,x,x,x,x]", 7, "{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]"),
        bomb("{{k: v}}", 24, "{0}: &{0} {{<<: [*{1},*{1}]}}"),
        "a: &a " + "x" * 30_000 + "\ntools: [*a, *a, *a]",
    ],
)
def test_a_bomb_of_aliases_is_a_problem(front_matter: str) -> None:
    content = process(f"---\n{front_matter}\n---\nbody")
    assert (content.text, content.frontmatter) == ("body", {})
    assert "once its aliases are written out" in str(content.problem)
    assert content.problem_line is not None


@pytest.mark.parametrize("size", [MAX_CHARS - 1, MAX_CHARS, MAX_CHARS + 1])
def test_frontmatter_has_a_limit(size: int) -> None:
    content = process("---\na: " + "x" * (size - 4) + "\n---\nbody")
    assert content.problem == (None if size <= MAX_CHARS else "the frontmatter is too large to be read")
    assert (content.problem_line, len(content.frontmatter)) == ((None, 1) if size <= MAX_CHARS else (1, 0))


@given(st.text(alphabet="a <!->`~-\n\r\t#", max_size=200))
def test_stretches_are_verbatim(text: str) -> None:
    lines = text.split("\n")
    for stretch in process(text).stretches:
        end = stretch.line + stretch.text.count("\n")
        assert stretch.text in "\n".join(lines[stretch.line - 1 : end])
    assert process(text).text == process(text).text.strip()


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("- a\n<!-- x -->\n- b", "- a\n- b"), ("- a\n  <!-- x -->\n- b", "- a\n  <!-- x -->\n- b"),
        ("1. a\n <!-- x -->\n2. b", "1. a\n2. b"), ("1. a\n   <!-- x -->\n2. b", "1. a\n   <!-- x -->\n2. b"),
        ("- a\n\n<!-- x\n\ny -->\n- b", "- a\n\n- b"), ("- a\n-\n<!-- x -->\nb", "- a\n-\nb"),
        ("a\n<!-- x --><!-- y -->\nb", "a\nb"), ("a\n<!-- x --> - <!-- y --> c\nb", "a\n -  c\nb"),
        ("a\n\n\n<!-- x -->\n\n\nb", "a\n\n\nb"), ("a\r\n<!-- x -->\r\nb\r\n", "a\nb"),
        ("<div>\n<!-- x -->\n</div>\n\n<!-- y -->\nb", "<div>\n<!-- x -->\n</div>\n\nb"),
        ("<rules>\n<!-- x -->\n</rules>", "<rules>\n<!-- x -->\n</rules>"),
        ("a\n<rules>\n<!-- x -->\nb", "a\n<rules>\nb"), ("a\n    <!-- x -->\nb", "a\n    <!-- x -->\nb"),
    ],
)  # fmt: skip
def test_comments_go_where_they_are_blocks_of_their_own(text: str, sent: str) -> None:
    assert process(text).text == sent


@pytest.mark.parametrize("part", ["<!-- \n", "<!-- a -->", "```\n", "---\n"])
def test_hostile_text_is_read_in_linear_time(part: str) -> None:
    assert isinstance(process(part * 20_000).text, str)


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("a\n<!-- x -->\nb\n<!-- x -->\nc", [("a\n", 1), ("b\n", 3), ("c", 5)]),
        ("a\n<!-- x\nx -->\n\nb\n<!-- x -->\n\nc", [("a\n", 1), ("b\n", 5), ("c", 8)]),
        ("<!-- x --> a\nb\n<!-- x -->\nc", [("a\n", 1), ("b\n", 2), ("c", 4)]),
        ("---\nk: v\n---\n<!-- x -->\na", [("a", 5)]),
        ("\n\n a\n", [("a", 3)]),
    ],
)
def test_what_is_left_keeps_its_lines(text: str, stretches: list[tuple[str, int]]) -> None:
    assert [(each.text, each.line) for each in process(text).stretches] == stretches
