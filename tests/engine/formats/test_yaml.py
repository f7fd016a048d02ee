"""YAML that anybody may have written: plain values with lines, or the reader's own error."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import (
    BUN,
    CORE,
    JS_YAML,
    YAML_1_1,
    FrontMatter,
    Schema,
    YamlError,
    YamlLimitError,
    read_yaml,
    weight,
)
from promptscope_engine.formats.yaml_parser import core_value

SCHEMAS = pytest.mark.parametrize("schema", [YAML_1_1, CORE, JS_YAML], ids=["1.1", "core", "js-yaml"])
MARKS = [
    *"ab:-&*!#{}[]\"'|>\n\t ,\\%@`?~1.=<", "\n- ", "\n  ", ": ", "&a ", "*a", "!!", "!!int ", "!!float ", "!!bool ",
    "!!null ", "!!binary ", "!!set ", "!!omap ", "!!timestamp ", "<<: ", "? ", "2024-13-01", "yes", "0x", "1:30",
    ".inf", "\\ud800", "\\U00110000", "\\x00", "---\n", "...", "%YAML 1.1\n", "%TAG ! x\n", "\ud800", "\0", "\ufeff",
    "\u2028", "\x85", "\r", "\x1b",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(MARKS), max_size=25).map("".join) | st.text(max_size=60)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def parts(value: Json) -> Iterator[Json]:
    yield value
    for part in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from parts(part)


@pytest.mark.slow
@SCHEMAS
@given(text=TEXTS)
@settings(max_examples=500, deadline=None)
@example(text='!!int ""')
@example(text="!!float ''")
@example(text="!!bool maybe")
@example(text='"\\U00110000"')
@example(text="%YAML 1." + "1" * 5_000 + "\n--- a")
@example(text="a: &a [*a]")
@example(text="&a {*a : b}")
@example(text="? &a [*a]\n: b")
@example(text="2024-13-45")
@example(text="1" * 5_000)
@example(text="0x" + "f" * 5_000)
@example(text="1:" * 300 + "1")
def test_only_plain_values_and_only_its_own_error(schema: Schema, text: str) -> None:
    try:
        parsed = read_yaml(text, schema)
    except YamlError as error:
        parsed, lines = None, {error.line or 1}
    else:
        lines = {*parsed.lines.values(), *parsed.value_lines.values()}
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
    if parsed is None:
        return
    for part in parts(parsed.value):
        assert part is None or type(part) in (bool, int, float, str, list, dict)
        assert not isinstance(part, dict) or all(type(key) is str for key in part)
    json.dumps(parsed.value, ensure_ascii=False).encode()  # no lone surrogates, no cycles, no number beyond writing


@pytest.mark.slow
@given(text=TEXTS)
@settings(max_examples=500, deadline=None)
@example(text="a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [{x: 5}, *a], <<: {z: 1}}")
@example(text="{=: 1, a: 2, a: 3}")
@example(text="a: =")
@example(text="[0b11, 0o7, 017, 1_000, 1:30, 1:30.5, .5, -.inf, 1e3, 1.e+3, on, ~, '', ! a, !!str 5, !!int '5']")
def test_yaml_1_1_is_what_pyyaml_makes_of_it(text: str) -> None:
    try:
        expected = plain(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError, LookupError, RecursionError, AttributeError, TypeError):
        return
    try:
        value = read_yaml(text).value
    except YamlError as error:
        refused_on_purpose = "constructor for the tag" in error.message or "the very thing" in error.message
        value = expected if refused_on_purpose else error
    assert same(value, expected)


def plain(value: object) -> Json:
    """PyYAML's value with keys as JSON has them; None in place of what JSON has not."""
    if isinstance(value, dict):
        keys = ["" if key is None else key if isinstance(key, str) else plain_key(key) for key in value]
        return dict(zip(keys, map(plain, value.values()), strict=True))
    return [plain(item) for item in value] if isinstance(value, list) else value


def plain_key(key: object) -> str:
    return str(key) if isinstance(key, (datetime.date, bytes, tuple)) else json.dumps(key)


def same(value: Json, expected: object) -> bool:
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(
            isinstance(other, datetime.date) or (key in value and same(value[key], other))
            for key, other in expected.items()
            if not key[:4].isdigit()
        )
    if isinstance(expected, list):
        return isinstance(value, list) and len(value) == len(expected) and all(map(same, value, expected))
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(value, float) and math.isnan(value)
    if isinstance(expected, str) and isinstance(value, str):
        return value == expected.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return (isinstance(expected, datetime.date) and isinstance(value, str)) or (
        type(value) is type(expected) and value == expected
    )


@pytest.mark.slow
@given(value=VALUES)
@settings(deadline=None)
def test_what_is_written_as_json_is_read_back(value: Json) -> None:
    assert read_yaml(json.dumps(value), CORE).value == value


@pytest.mark.slow
@given(value=VALUES)
@settings(deadline=None)
def test_what_is_written_as_yaml_is_read_back(value: Json) -> None:
    assert read_yaml(yaml.safe_dump(value)).value == value


# --- limits -----------------------------------------------------------------------------------------------------------


def refused(text: str, schema: Schema = YAML_1_1) -> str | None:
    """Why the text is too much; None if it is not."""
    try:
        read_yaml(text, schema)
    except YamlLimitError as error:
        return error.message
    return None


def laughs(levels: int, width: int) -> str:
    rows = [f"a: &a [{','.join('x' * width)}]"]
    rows += [f"{chr(97 + n)}: &{chr(97 + n)} [{','.join([f'*{chr(96 + n)}'] * width)}]" for n in range(1, levels)]
    return "\n".join(rows)


def merges(levels: int) -> str:
    rows = ["a: &a {k: v}"]
    rows += [f"{chr(97 + n)}: &{chr(97 + n)} {{<<: [*{chr(96 + n)}, *{chr(96 + n)}]}}" for n in range(1, levels)]
    return "\n".join(rows)


@pytest.mark.slow
@SCHEMAS
@pytest.mark.parametrize("bomb", [laughs(8, 9), laughs(20, 5), merges(15), merges(25)], ids=len)
def test_small_bombs_are_refused(schema: Schema, bomb: str) -> None:
    assert len(bomb) < 700
    assert "aliases are written out" in str(refused(bomb, schema)) or refused(bomb, schema) == "excessive alias count"


@pytest.mark.slow
@SCHEMAS
@pytest.mark.parametrize("size", [499_999, 500_000, 500_001])
def test_characters_of_the_text(schema: Schema, size: int) -> None:
    text = "# " + "x" * (size - 2)
    too_many = f"{size:,} characters are too many to be parsed here (at most 500,000)"
    assert refused(text, schema) == (None if size <= 500_000 else too_many)


@pytest.mark.slow
@pytest.mark.parametrize("size", [499_999, 500_000, 500_001])
def test_characters_with_aliases_written_out(size: int) -> None:
    uses, (length, rest) = 20, divmod(size - 2, 20)
    text = f"a: [&x {'x' * length}, {', '.join(['*x'] * (uses - 1))}, {'y' * (rest + 1)}]"  # `a` and the y count, too
    assert ("characters once" in str(refused(text))) == (size > 500_000)
    text = f"- &x [{'x' * 249_000}]\n- *x\n- {'y' * (size - 498_000)}"
    assert ("characters once" in str(refused(text))) == (size > 500_000)


@pytest.mark.slow
@pytest.mark.parametrize("count", [49_999, 50_000, 50_001])
def test_values_with_aliases_written_out(count: int) -> None:
    # 100 lists of 400 values are 100 * 401 + 1, the rest is a list of its own
    rest = count - 3 - 100 * 401
    text = f"- - &x [{','.join('a' * 400)}]\n" + "  - *x\n" * 99 + f"- [{','.join('b' * rest)}]"
    assert ("values once" in str(refused(text))) == (count > 50_000)


@pytest.mark.slow
@SCHEMAS
@pytest.mark.parametrize("depth", [99, 100, 101])
def test_depth(schema: Schema, depth: int) -> None:
    for text in ("[" * (depth - 1) + "a" + "]" * (depth - 1), "- " * (depth - 1) + "a", "? " * (depth - 1) + "a"):
        try:
            problem = refused(text, schema)
        except YamlError as error:
            problem = error.message  # a mapping is not a key in YAML 1.1
        assert (problem == "it is nested too deeply") == (depth > 100)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [99, 100, 101])
def test_depth_with_aliases_written_out(depth: int) -> None:
    rows = ["- &a1 [a]"] + [f"- &a{n} [*a{n - 1}]" for n in range(2, depth - 1)]  # the list of them all is one level
    assert refused("\n".join(rows)) == ("it is nested too deeply" if depth > 100 else None)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 50_000, "? " * 100_000, "!!seq [" * 50_000])
@SCHEMAS
def test_far_too_deep(schema: Schema, text: str) -> None:
    assert refused(text, schema) == "it is nested too deeply"


@pytest.mark.slow
@pytest.mark.parametrize("count", [999, 1_000, 1_001])
def test_aliases(count: int) -> None:
    text = "- &a x\n" + "- *a\n" * count
    assert refused(text) == ("it has more than 1,000 aliases" if count > 1_000 else None)


@pytest.mark.slow
@pytest.mark.parametrize("count", [98, 99, 100])
def test_the_npm_package_counts_the_uses_of_an_anchor(count: int) -> None:
    """The anchor is the first use: with a hundred aliases there are 101 (maxAliasCount is 100)."""
    for value in ("x", "[x, {y: z}]"):
        refusal = refused(f"- &a {value}\n" + "- *a\n" * count, CORE)
        assert refusal == ("excessive alias count" if count == 100 else None)


@pytest.mark.slow
@pytest.mark.parametrize("uses", [9, 10])
def test_the_npm_package_multiplies_the_aliases_within(uses: int) -> None:
    """Ten uses of a list whose own aliases make ten uses are 100; eleven would be 110."""
    text = "- &a x\n- &b [" + ", ".join(["*a"] * 9) + "]\n" + "- *b\n" * uses
    assert refused(text, CORE) == ("excessive alias count" if uses == 10 else None)


@pytest.mark.slow
@pytest.mark.parametrize("digits", [299, 300, 301])
def test_long_numbers(digits: int) -> None:
    text = "1" * digits
    assert read_yaml(text, CORE).value == (int(text) if digits < 300 else math.inf)
    assert read_yaml(f"-{text[1:]}", CORE).value == (-int(text[1:]) if digits < 300 else -math.inf)
    if digits <= 300:
        assert read_yaml(text).value == int(text)
    else:
        with pytest.raises(YamlError, match="301 characters is too long"):
            read_yaml(text)


# --- what parts mean --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@SCHEMAS
@pytest.mark.parametrize("text", ["a: &a [*a]", "&a {b: {c: *a}}", "- &a\n  <<: *a"])
def test_what_holds_itself_is_an_error(schema: Schema, text: str) -> None:
    with pytest.raises(YamlError, match="refers to the very thing that holds it"):
        read_yaml(text, schema)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-13-01", "2024-13-01"), ("2024-01-01", "2024-01-01"), ("2001-12-14t21:59:43.10-05:00",) * 2,
        ("!!str 5", "5"), ("!!int '5'", 5), ("!!null x", None), ("yes", True), ("1:30", 90), ("010", 8),
        ("1_000", 1000), ("{1: a, true: b, ~: c}", {"1": "a", "true": "b", "": "c"}),
        ("{a: 1, a: 2}", {"a": 2}),
        ("{<<: {a: 1, b: 2}, b: 3}", {"a": 1, "b": 3}), ("{=: 1}", {"=": 1}), ('"\\ud83d\\ude00 \\ud83d"', "😀 \ufffd"),
        ("", None), ("--- # nothing", None),
    ],
)  # fmt: skip
def test_yaml_1_1(text: str, value: Json) -> None:
    assert read_yaml(text).value == value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('!!int ""', "'' is no int"), ("!!float x", "'x' is no float"), ("!!bool 2", "'2' is no bool"),
        ("!!python/object/apply:os.system [x]", "constructor for the tag"), ("!!binary aGk=", "the tag"),
        ("!!set {a}", "constructor for the tag"), ("!x y", "constructor for the tag '!x'"), ("a: =", "constructor"),
        ("{[a]: b}", "unhashable"), ("{<<: a}", "for merging, but found ScalarNode"), ("a: *b", "undefined alias"),
        ("a\0b", "special characters"), ("a: \ud800", "special characters"), ('"\\U00110000"', "not valid YAML"),
        ("a: b: c", "mapping values are not allowed"), ("--- a\n--- b", "another document"),
    ],
)  # fmt: skip
def test_what_yaml_1_1_refuses(text: str, says: str) -> None:
    with pytest.raises(YamlError, match=says):
        read_yaml(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"), ("on", "on"), ("2024-01-01", "2024-01-01"), ("010", 10), ("0o10", 8), ("0x1F", 31), ("~", None),
        ("1e3", 1000.0), ("1_000", "1_000"), ("12:30", "12:30"), ("True", True), ("=", "="), (".5", 0.5), ("-", "-"),
        ("", None), ("-.INF", -math.inf), ("+1", 1), ("<<", "<<"),
    ],
)  # fmt: skip
def test_plain_scalars_of_the_core_schema(text: str, value: Json) -> None:
    assert core_value(text) == value
    assert read_yaml(f"[{text}]", CORE).value == ([value] if text else [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 5", "5"), ("!!int '5'", 5), ('!!int ""', ""), ("!!null ''", None), ("!!bool 'true'", True),
        ("'5'", "5"),
        ("!x y", "y"), ("!x {a: 1}", {"a": 1}), ("!!python/object/apply:os.system ['x']", ["x"]), ("a\0b", "a\ufffdb"),
        ("a\x1bb", "a\x1bb"), ("{<<: {a: 1}}", {"<<": {"a": 1}}), ("{[a, 1]: b}", {"[a, 1]": "b"}),
        ("{~: a}", {"": "a"}),
    ],
)  # fmt: skip
def test_the_core_schema(text: str, value: Json) -> None:
    assert read_yaml(text, CORE).value == value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-01-01", {}), ("2024-1-1", "2024-1-1"), ("2001-12-14t21:59:43.10-05:00", {}),
        ("'2024-01-01'", "2024-01-01"),
        ("!!binary aGk=", {}), ("!!str 5", "5"), ("!!int '5'", 5), ("yes", "yes"), ("!!set {a}", {"a": None}),
        ("{<<: {a: 1, b: 2}, b: 3}", {"a": 1, "b": 3}), ("{<<: [{a: 1}, {a: 2, b: 4}]}", {"a": 1, "b": 4}),
    ],
)  # fmt: skip
def test_the_npm_package_js_yaml(text: str, value: Json) -> None:
    assert read_yaml(text, JS_YAML).value == value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("!x y", "constructor for the tag '!x'"), ("!x {a: 1}", "the tag '!x'"), ("!!js/function 'x'", "js/function"),
        ("{a: 1, a: 2}", "is there twice"), ("{<<: a}", "for merging, but found ScalarNode"),
    ],
)  # fmt: skip
def test_what_js_yaml_refuses(text: str, says: str) -> None:
    with pytest.raises(YamlError, match=says):
        read_yaml(text, JS_YAML)


@pytest.mark.slow
@pytest.mark.parametrize("length", [99, 100, 101])
def test_a_long_key_is_named_by_its_first_100_characters(length: int) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(f"{'k' * length}: 1\n" * 2, CORE)
    assert caught.value.message == f"map keys must be unique: {'k' * min(length, 100)} is there twice"


@pytest.mark.slow
def test_an_error_is_said_as_the_parser_says_it() -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml("a: b: c")
    assert caught.value.message == "mapping values are not allowed in this context"


@pytest.mark.slow
def test_keys_of_the_core_schema_are_unique() -> None:
    with pytest.raises(YamlError, match="map keys must be unique: b is there twice") as caught:
        read_yaml("a:\n  b: 1\n  b: 2", CORE)
    assert caught.value.line == 3


@pytest.mark.slow
@SCHEMAS
@pytest.mark.parametrize(
    ("text", "value"),
    [("[a:]", [{"a": None}]), ("{a: ,b: 1}", {"a": None, "b": 1}), ("|\n  \tx", "\tx"), ("[? ]", [{"": None}]),
     ("\ufeffa: 1\nb: [c:]", {"a": 1, "b": [{"c": None}]}), ("a: !\n", {"a": None}),
     ("\n\ufeffa: 1", {"\ufeffa": 1})],
)  # fmt: skip
def test_what_libyaml_alone_would_refuse_or_read_otherwise(schema: Schema, text: str, value: Json) -> None:
    assert read_yaml(text, schema).value == value


@pytest.mark.slow
def test_a_long_text_keeps_its_lines_behind_a_byte_order_mark() -> None:
    parsed = read_yaml("\ufeffa: 1\n" + "# x\n" * 10_000 + "b: 2", CORE)
    assert (parsed.value, parsed.line(("b",))) == ({"a": 1, "b": 2}, 10_002)


@pytest.mark.slow
def test_values_weigh_more_than_prose_and_what_only_the_slow_parser_takes_most() -> None:
    assert weight("a text, and " + "more " * 20) == 112
    assert weight("[a, b, c, d]") == 30 < weight("[a:]") == weight("\x1b: a")
    with pytest.raises(YamlError, match="control characters"):
        read_yaml("# x\n" * 10_000 + "a: \x1b", CORE)  # and is not given to it if it is long


# --- lines ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_lines_are_those_of_keys_and_of_values() -> None:
    parsed = read_yaml("# head\na:\n  - b\n  - c:\n      d\ne: |\n  text\n")
    assert [parsed.line(path) for path in ((), ("a",), ("a", 0), ("a", 1, "c"), ("e",))] == [2, 2, 3, 4, 6]
    assert [parsed.value_line(path) for path in ((), ("a",), ("a", 1, "c"), ("e",))] == [2, 3, 5, 6]
    assert parsed.line(("a", 1, "x")) == parsed.value_line(("a", 1, "x")) == 4  # the nearest part around it


@pytest.mark.slow
@SCHEMAS
def test_a_byte_order_mark_in_a_value_is_a_character(schema: Schema) -> None:
    assert read_yaml('a: "\ufeff"\nb: c', schema).line(("b",)) == 2


@pytest.mark.slow
def test_lines_are_counted_by_line_feeds() -> None:
    """PyYAML counts U+2028 as a break, no editor does."""
    parsed = read_yaml('a: "x\u2028y"\nb: c\r\nd: e\n')
    assert [parsed.line((key,)) for key in "abd"] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: c: d", 2),
        ("a: 1\nb: [", 2),
        ("x\n\x07", 2),
        ("a: 1\nb: !x", 2),
        ('a: 1\nb: "\\U00110000"', 2),
        ("\n" + "[" * 101, 2),
    ],
)
def test_errors_name_their_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(text)
    assert caught.value.line == line


@pytest.mark.slow
def test_the_last_of_two_equal_keys() -> None:
    text = "a: yes\nb: {c: 1, c: 2}\na: no\n"
    assert read_yaml(text, BUN).value == {"a": "no", "b": {"c": 2}}
    with pytest.raises(YamlError, match="c is there twice"):
        read_yaml(text, CORE)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "kept"), [(999, 999), (1_000, 1_000), (1_001, 1_000)])
def test_a_collection_as_a_key_is_as_it_is_written_up_to_a_length(length: int, kept: int) -> None:
    key = f"[{'a' * (length - 2)}]"
    assert read_yaml(f"? {key}\n: 1\n", CORE).value == {key[:kept]: 1}


@pytest.mark.slow
@pytest.mark.parametrize(("size", "is_read"), [(24_999, True), (25_000, True), (25_001, False)])
def test_what_only_the_slow_parser_reads_may_be_a_twentieth_as_long(size: int, is_read: bool) -> None:
    text = "a: {b:, c: 1}\n# "
    text += "x" * (size - len(text))
    if is_read:
        assert read_yaml(text, CORE).value == {"a": {"b": None, "c": 1}}
    else:
        with pytest.raises(YamlError, match="unexpected ':'"):
            read_yaml(text, CORE)


def test_lines_are_those_of_the_file() -> None:
    parsed = FrontMatter("name: a\ndescription:\n  b\n").parse(CORE)
    assert [parsed.line(("name",)), parsed.line(("description",)), parsed.value_line(("description",))] == [2, 3, 4]
    assert FrontMatter("name: a", line=1).parse(CORE).line(("name",)) == 1


def test_errors_name_the_line_of_the_file() -> None:
    with pytest.raises(YamlError, match="could not determine") as caught:
        FrontMatter("a: 1\nb: !x", line=5).parse(YAML_1_1)
    assert caught.value.line == 6


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537])
def test_its_size_is_limited(size: int) -> None:
    front_matter = FrontMatter("#" + "x" * (size - 1))
    if size <= 65_536:
        assert front_matter.parse(YAML_1_1).value is None
    else:
        with pytest.raises(YamlLimitError, match="too many") as caught:
            front_matter.parse(YAML_1_1)
        assert caught.value.line is None
