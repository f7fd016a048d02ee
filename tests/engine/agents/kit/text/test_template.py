"""Texts with conditions: what is in the prompt, and that real Jinja would put the same there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine import agents
from promptscope_engine.agents.kit.text.sources import front_matter
from promptscope_engine.agents.kit.text.template import Nodes, TemplateError, read_template

Answers = Mapping[str, bool]

_MARK = re.compile(r"\{(?:=|\.(?:\w[\w-]*(?:\.[\w-]+)*)?|~\w[\w-]*(?:\.[\w-]+)*)\}")
_CONDITION = re.compile(r"\{%([-+]?) *(if|elif) +(.+?) *([-+]?)%\}")
_RAW = re.compile(r"(\{% raw %\}.*?\{% endraw [-+]?%\})", re.DOTALL)
_VALUE = re.compile(r"\{\{ *([^\" ].*?) *\}\}")


def rendered(nodes: Nodes, answers: Answers) -> str:
    """The text as nodes have it; a value is its name in quotes, a list has two items."""
    return "".join(_rendered(node, answers) for node in nodes)


def _rendered(node: list[object], answers: Answers) -> str:
    match node:
        case ["text", _, _, _, str(text)]:
            return text
        case ["value", _, name]:
            return f"«{name}»"
        case ["if", _, list(ways)]:
            return next((rendered(inner, answers) for text, inner in ways if not text or answers[text]), "")
        case ["for", _, _, _, list(inner)]:
            return 2 * rendered(inner, answers)
    raise AssertionError(node)


def by_jinja(source: str, answers: Answers) -> str:
    """The same by Jinja."""
    return _MARK.sub("", _compiled(source, tuple(answers)).render(c=list(answers.values())))


@lru_cache(maxsize=8)
def _compiled(source: str, conditions: tuple[str, ...]) -> jinja2.Template:
    parts = _RAW.split(source)
    parts[::2] = [_for_jinja(part, list(conditions)) for part in parts[::2]]
    return jinja2.Environment(trim_blocks=True, lstrip_blocks=True).from_string("".join(parts))


def _for_jinja(text: str, conditions: list[str]) -> str:
    """Conditions by their numbers, names in quotes as values, lists of two items."""
    text = _CONDITION.sub(lambda m: f"{{%{m[1]} {m[2]} c[{conditions.index(m[3])}] {m[4]}%}}", text)
    text = _VALUE.sub(lambda m: "{{ '«" + m[1] + "»' }}", text)
    text = re.sub(r"\{% for (\w+) in [\w.]+ %\}", r"{% for \1 in [1, 2] %}", text)
    return text.replace("{#+#}", "")  # its sign would keep blanks that indent it; it is written behind a text


def conditions_of(nodes: Nodes) -> list[str]:
    """Every condition, once."""
    found: list[str] = []
    for node in nodes:
        for text, inner in node[2] if node[0] == "if" else ():
            found += [text, *conditions_of(inner)]
        if node[0] == "for":
            found += conditions_of(node[4])
    return [text for text in dict.fromkeys(found) if text]


# --- the rules --------------------------------------------------------------------------------------------------------


def test_a_mark_holds_until_the_next_one() -> None:
    nodes = read_template("Own{.a}first\nsecond{=}exact{~n}7{.a}again\n")
    assert [node[2:] for node in nodes] == [
        ["builtin", "", "Own"],
        ["builtin", "a", "first\nsecond"],
        ["label", "", "exact"],
        ["computed", "n", "7"],
        ["builtin", "a", "again"],
    ]


def test_a_mark_ends_with_its_block() -> None:
    nodes = read_template("{.a}one {% if x %}{.b}two{% endif %} three\n")
    assert nodes == [
        ["text", 1, "builtin", "a", "one "],
        ["if", 1, [["x", [["text", 1, "builtin", "b", "two"]]]]],
        ["text", 1, "builtin", "a", " three"],
    ]


def test_lines_are_those_of_the_file() -> None:
    nodes = read_template(
        "{.a}one\n{# a remark\nof two lines #}\n{% if x %}\n{.b}two\n{% endif %}\n{{ v }}", first_line=4
    )
    assert nodes[1][1] == 7
    assert nodes[1][2][0][1][0][1] == 8
    assert nodes[2] == ["value", 10, "v"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a\n", "a"),
        ("a\n\n", "a\n"),
        ("a\n{# end #}\n", "a\n"),
        ("a\n{% if yes %}\nb\n{% endif %}\nc", "a\nb\nc"),
        ("a\n  {% if no %}\nb\n  {% endif %}\nc", "a\nc"),
        ("a{% if yes %} b{% endif +%}\nc", "a b\nc"),
        ("a{% if yes %} b{% endif -%}\n\n  c", "a bc"),
        ("a {%- if yes %}b{% endif %}", "ab"),
        ("{% if no %}a{% elif yes %}b{% else %}c{% endif %}", "b"),
        ("{% if no %}a{% else %}c{% endif %}", "c"),
        ("{% raw %}{{ x }} {% if %} {.a}{% endraw %}!", "{{ x }} {% if %} {.a}!"),
        ('{{ "{{" }} {{"\\u001b[0m" }}', "{{ \x1b[0m"),
        ('{.a}one\n{{ "\\r" }}\n{# end #}\n', "one\n\r\n"),
        ("{...} {a: 1} { .b } {=x}", "{...} {a: 1} { .b } {=x}"),
        ("{% for each in list %}\n- {{ each.name }}\n{% endfor %}", "- «each.name»\n- «each.name»\n"),
        ("", ""),
    ],
)
def test_what_stands_in_the_prompt(source: str, text: str) -> None:
    assert rendered(read_template(source), {"yes": True, "no": False}) == text


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("{.a}one\n{.b}two\n{.c}three\n", ["one", "\ntwo", "\nthree"]),
        ("{.a}one\n{% if x %}\n{.b}two\n{% endif %}\n{.c}three\n", ["one", "\ntwo", "\nthree"]),
        ("{.a}one\n{% if x %}\n{.b}two\n{% endif %}\n", ["one", "\ntwo"]),
        ("{.a}one\n\n{{ v }}\n{.b}two", ["one", "\n\n", "«v»", "\ntwo"]),
        ("{.a}one\n{#+#}{.b}two\n", ["one\n", "two"]),
        ("{.a}one\n{# end #}\n", ["one\n"]),
    ],
)
def test_with_leading_breaks_a_break_belongs_to_the_line_behind_it(source: str, texts: list[str]) -> None:
    found = []
    for node in read_template(source, leading=True):
        found += [rendered([inner], {"x": True}) for inner in (node[2][0][1] if node[0] == "if" else [node])]
    assert found == texts


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("a\n{% if x %}\nb", 2, "`if` has no end"),
        ("a\n{% endif %}", 2, "`endif` without `if`"),
        ("{% for a in b %}{% endif %}", 1, "`endif` without `if`"),
        ("{% if x %}{% else %}{% elif y %}{% endif %}", 1, "`elif` behind `else`"),
        ("{% if %}a{% endif %}", 1, "`if` without a condition"),
        ("\n\n{% set x = 1 %}", 3, "unknown tag `set`: there are if, elif, else, endif, for, endfor"),
        ("{% for x in f() %}{% endfor %}", 1, "write `for NAME in LIST`"),
        ("a {% if x %}\nb{% endif %}", 1, "write `+%}` to keep the line break behind this, or `-%}` to drop it"),
        ('a\n{{ "b }}', 2, "a text in quotes must be as JSON has it"),
        ("\n{{ a | upper }}", 2, "`{{ a | upper }}` is not the name of a value"),
    ],
)
def test_a_mistake_is_named_with_its_line(source: str, line: int, message: str) -> None:
    with pytest.raises(TemplateError) as error:
        read_template(source)
    assert (error.value.line, error.value.message) == (line, message)


def test_ways_that_end_in_different_breaks_are_a_mistake_where_text_follows() -> None:
    source = "{.a}one\n{% if x %}\n{.b}two{% endif +%}\n{.c}three"
    with pytest.raises(TemplateError, match="line 2: the ways of this block end in different line breaks"):
        read_template(source, leading=True)


@pytest.mark.parametrize(("depth", "message"), [(40, ""), (41, "tags are nested more than 40 levels deep")])
def test_tags_are_nested_so_deep(depth: int, message: str) -> None:
    source = "{% if x %}" * depth + "a" + "{% endif %}" * depth
    if not message:
        assert rendered(read_template(source), {"x": True}) == "a"
        return
    with pytest.raises(TemplateError, match=message):
        read_template(source)


# --- real Jinja -------------------------------------------------------------------------------------------------------

_LEAVES = st.sampled_from(
    ["one ", "two", "\n", "\n\n", "  ", "{.a}", "{=}", "{{ v.w }}", '{{ "{%\\u00e9" }}', "{# remark #}", "<x>", "\t- "]
)
_TAGS = st.sampled_from(
    [
        "{% if p and q %}A{% else %}B{% endif %}",
        "{% if p %}A{% elif q %}B{% endif %}",
        "\n{% if q %}\nA\n{% endif %}\n",
        "{% for i in items %}A{% endfor %}",
        "{% if p +%}A{% endif -%}",
    ]
)


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda tag, a, b: tag.replace("A", a).replace("B", b), _TAGS, inner, inner)


_TEMPLATES = st.lists(st.recursive(_LEAVES, _blocks, max_leaves=8), max_size=6).map("".join)


@given(_TEMPLATES, st.booleans(), st.booleans())
def test_jinja_renders_any_text_alike(source: str, p: bool, q: bool) -> None:
    answers = {"p and q": p and q, "p": p, "q": q}
    with suppress(TemplateError):  # where a line break has to be kept or dropped, Jinja chooses in silence
        assert rendered(read_template(source), answers) == by_jinja(source, answers)


FILES = sorted(Path(agents.__file__).parent.glob("*/sections/**/*.md")) + sorted(
    Path(agents.__file__).parent.glob("*/tools/*.md")
)


@pytest.mark.slow
def test_jinja_renders_the_agents_own_texts_alike() -> None:
    for file in FILES:
        head, body, line = front_matter(file.read_text("utf-8"))
        leading = head.get("breaks") == "leading"
        nodes = read_template(body, first_line=line, leading=leading)
        conditions = conditions_of(nodes)
        for number in range(min(2 ** len(conditions), 16)):
            answers = {
                text: bool((number if place < 4 else number >> place % 4) >> place % 4 & 1)
                for place, text in enumerate(conditions)
            }
            ours, theirs = rendered(nodes, answers), by_jinja(body, answers)
            assert ours.rstrip("\n") == theirs.rstrip("\n") if leading else ours == theirs, file
