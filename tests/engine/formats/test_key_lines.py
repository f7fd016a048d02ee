"""Where settings stand: documents are written with known lines, and each of their parts is looked for."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import Notation, key_line
from promptscope_engine.javascript.json import parse_json5

KEYS = st.sampled_from(["a", "b", "a.b", "é", "😀", "x y", "", "0", "1", *"\"'\\{}#\n", "//", "/*"])
TEXTS = st.sampled_from(["", "a", *"\"'\\{,\n\u2028", "}[", "a: b", "// no", "/* no", "# no", '"""'])
SCALARS = st.booleans() | st.integers(-9, 9) | TEXTS
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=14,
)
TABLES: st.SearchStrategy[Json] = st.dictionaries(
    KEYS,
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
    ),
    max_size=4,
)
Path = tuple[str | int, ...]


def paths(value: Json, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in members:
        yield from paths(part, (*path, key))


class Writer:
    """Writes a document, and notes where it writes what."""

    def __init__(self, seed: int) -> None:
        self.random, self.text, self.lines = random.Random(seed), "", dict[Path, int]()

    def note(self, path: Path) -> None:
        self.lines[path] = 1 + self.text.count("\n")

    def one_of(self, *texts: str) -> str:
        return self.random.choice(texts)


class Json5Writer(Writer):
    def space(self) -> None:
        self.text += self.one_of("", "", " ", "\n", "\r\n", "// a: {'\n", '/* "b": [\n\n*/', "\t", "\ufeff")

    def string(self, text: str) -> str:
        if self.random.random() < 0.5:
            return json.dumps(text, ensure_ascii=False)
        inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
        return f"'{inner}'"

    def write(self, value: Json, path: Path = ()) -> None:
        self.space()
        if path and isinstance(path[-1], int):
            self.note(path)
        if isinstance(value, dict):
            self.members(value, path)
        elif isinstance(value, list):
            self.text += "["
            for place, item in enumerate(value):
                self.write(item, (*path, place))
                self.text += "," if place + 1 < len(value) else self.one_of("", ",")
            self.space()
            self.text += "]"
        else:
            self.text += self.string(value) if isinstance(value, str) else json.dumps(value)
        self.space()

    def members(self, value: dict[str, Json], path: Path) -> None:
        self.text += "{"
        doubles = [(key, {"a": [1], key: 2}) for key in value if self.random.random() < 0.2]
        members = [*doubles, *value.items()]
        for place, (key, part) in enumerate(members):
            self.space()
            self.note((*path, key))
            self.text += key if key in ("a", "b", "é") and self.random.random() < 0.5 else self.string(key)
            self.space()
            self.text += ":"
            before = self.lines.copy()
            self.write(part, (*path, key))
            if place < len(doubles):
                self.lines = before
            self.text += "," if place + 1 < len(members) else self.one_of("", ",")
        self.space()
        self.text += "}"


class TomlWriter(Writer):
    def key(self, key: str) -> str:
        return self.one_of(key if key in ("a", "b", "0", "1") else self.plain(key), self.plain(key))

    def plain(self, text: str) -> str:
        basic = json.dumps(text, ensure_ascii=False)
        return self.one_of(basic, basic if set("'\n") & set(text) else f"'{text}'")

    def string(self, text: str) -> str:
        plain = json.dumps(text, ensure_ascii=False)
        long = '"""' + self.one_of("", "\n") + plain[1:-1].replace("\\n", "\n") + '"""'
        return self.one_of(self.plain(text), plain if text.startswith("\n") else long)

    def space(self) -> None:
        self.text += self.one_of("", " ", "\n", " # x = '[\n")

    def inline(self, value: Json, path: Path) -> None:
        if isinstance(value, dict):
            self.text += "{ "
            for place, (key, part) in enumerate(value.items()):
                self.text += ", " if place else ""
                self.member(key, part, path)
            self.text += " }"
        elif isinstance(value, list):
            self.text += "["
            for place, part in enumerate(value):
                self.space()
                self.note((*path, place))
                self.inline(part, (*path, place))
                self.space()
                self.text += "," if place + 1 < len(value) else self.one_of("", ",")
            self.space()
            self.text += "]"
        else:
            self.text += self.string(value) if isinstance(value, str) else json.dumps(value)

    def member(self, key: str, part: Json, path: Path) -> None:
        self.note((*path, key))
        self.text += f"{self.key(key)} ="
        self.text += self.one_of("", " ")
        self.inline(part, (*path, key))

    def table(self, value: dict[str, Json], path: Path = (), name: str = "") -> None:
        tables = {k: v for k, v in value.items() if isinstance(v, dict) and self.random.random() < 0.7}
        lists = {
            k: v for k, v in value.items()
            if isinstance(v, list) and v and all(isinstance(i, dict) for i in v) and self.random.random() < 0.7
        }  # fmt: skip
        for key, part in value.items():
            if key not in tables and key not in lists:
                self.text += self.one_of("", "\n", "# [a]\n")
                self.member(key, part, path)
                self.text += self.one_of("\n", " # end\n", "\r\n")
        for key, part in tables.items():
            inner = f"{name}{self.one_of(' ', '')}{self.key(key)}"
            self.note((*path, key))
            self.text += f"[{inner}]\n"
            self.table(part, (*path, key), f"{inner}.")
        for key, items in lists.items():
            inner = f"{name}{self.key(key)}"
            for place, item in enumerate(items):
                if not place:
                    self.note((*path, key))
                self.note((*path, key, place))
                self.text += f"[[{inner}]]\n"
                self.table(item, (*path, key, place), f"{inner}.")


@given(VALUES)
@settings(deadline=None)
@pytest.mark.slow
def test_json(value: Json) -> None:
    lines: dict[Path, int] = {}
    last_line(value, (), 1, lines)
    text = json.dumps(value, indent=1)
    assert {path: key_line(text, path, "json") for path in paths(value)} == lines
    assert {path: key_line(json.dumps(value), path, "json") for path in lines} == dict.fromkeys(lines, 1)
    assert key_line(text, ("no such key",), "json") is None


def last_line(value: Json, path: Path, line: int, lines: dict[Path, int]) -> int:
    """Notes where json.dumps puts each part, one to a line; where the value ends."""
    members = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    for key, part in members:
        lines[*path, key] = line + 1
        line = last_line(part, (*path, key), line + 1, lines)
    return line + bool(members)


@given(VALUES, st.integers())
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_json5(value: Json, seed: int) -> None:
    writer = Json5Writer(seed)
    writer.write(value)
    assert parse_json5(writer.text).value == value
    assert {path: key_line(writer.text, path, "json") for path in paths(value)} == writer.lines


@given(TABLES, st.integers())
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_toml(value: dict[str, Json], seed: int) -> None:
    writer = TomlWriter(seed)
    writer.table(value)
    assert tomllib.loads(writer.text) == value
    assert {path: key_line(writer.text, path, "toml") for path in paths(value)} == writer.lines


@given(VALUES)
@settings(deadline=None)
@pytest.mark.slow
def test_yaml(value: Json) -> None:
    text = json.dumps(value, indent=1)
    assert {p: key_line(text, p, "yaml") for p in paths(value)} == {p: key_line(text, p, "json") for p in paths(value)}


@pytest.mark.parametrize(
    ("notation", "text", "key", "line"),
    [
        ("json", '{\n"a": {\n"b": 1}}', "a.b", 3),
        ("json", '{"a": {"b": 1},\n"a": {"c": 1}}', "a.b", None),  # the last of two equal keys counts
        ("json", '{"a": {"b": 1},\n"a": 1}', "a", 2),
        ("json", '{"a": [\n1,\n{"b": 2}]}', "a.1.b", 3),
        ("json", '{"a": "}\\"",\n"b": 1}', "b", 2),
        ("json", '{"\\u0061": 1}', "a", 1),
        ("json", "{\\u0061: 1}", "a", 1),
        ("json", "{'a\\x62\\\nc': 1}", ("abc",), 1),
        ("json", "{'a\\'\\tb\\qc': 1}", ("a'\tbqc",), 1),
        ("json", '{"a.b": 1}', ("a.b",), 1),
        ("json", '{"a.b": 1}', "a.b", None),
        ("json", '{"a": 1', "a", None),
        ("json", '{"a" 1}', "a", None),
        ("json", '{"a" 1 2}', "a", None),
        ("json", '{"a":: 1}', "a", None),
        ("json", '[[1,\n2],\n{"a": 3}]', "1.a", 3),
        ("json", '[[1,\n2],\n{"a": 3}]', "0.1", 2),
        ("json", '[[1,\n2],\n{"a": 3}]', "0.1.a", None),
        ("json", "1", "a", None),
        ("json", '{"a": 1}}', "a", None),
        ("json", '{"a": 1, , "b": 2}', "b", None),
        ("json", '{"a": 1]', "a", None),
        ("json", '{"a": "open}', "a", None),
        ("json", "[1 2]", "1", None),
        ("json", "", "a", None),
        ("json", '{"a": 1}', (), None),
        ("yaml", "x: 1\na:\n  b: 1\n", "a.b", 3),
        ("yaml", "a:\n- 1\n- b: 1\n", "a.1.b", 3),
        ("yaml", "a: &a\n  b: 1\nc: *a\n", "c", 3),
        ("yaml", "a: &a\n  b: 1\nc: *a\n", "c.b", None),
        ("yaml", "a: [\n", "a", None),
        ("yaml", "a:\n- 1\n", "a.1", None),
        ("yaml", "a:\n- 1\n", "a.b", None),
        ("yaml", "a: 1\n", "b", None),
        ("yaml", "a: 1\n", "a.b", None),
        ("toml", "[a]\nb.c = 1", "a.b.c", 2),
        ("toml", "[a.b]\nc = 1", "a", 1),
        ("toml", "[a.b]\nc = 1\n[a]\nd = 2", "a", 3),
        ("toml", "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3", "a.1.c.d", 6),
        ("toml", "[[a]]\n[[a.b]]\n[[a]]\n[[a.b]]\nc = 1", "a.1.b.0.c", 5),
        ("toml", "a = '''\nb = 1\n'''\nb = 2", "b", 4),
        ("toml", 'a = """x""""\nb = 2', "b", 2),
        ("toml", 'a = """\\"""b = 1"""\nb = 2', "b", 2),
        ("toml", "a = 1979-05-27 07:32:00 # b = 1\nb = 2", "b", 2),
        ("toml", '"a.b" = 1', ("a.b",), 1),
        ("toml", "a = [1,\n{b = 2}]", "a.1.b", 2),
        ("toml", "a = 1\na = 2", "a", None),
        ("toml", "a = 1", "b", None),
        ("toml", "a = [[1,\n2],\n3]", "a.0.1", 2),
        ("toml", "a = [[1,\n2],\n3]", "a.1", 3),
        ("toml", "[[a]]\n[[a]]\n[[a]]\nb = 1", "a.2.b", 4),
        ("toml", "[[a]]\n[[a]]\n[[a]]\nb = 1", "a.3", None),
    ],
)
def test_lines(notation: Notation, text: str, key: str | tuple[str, ...], line: int | None) -> None:
    assert key_line(text, key, notation) == line


@given(st.text("{}[]:,'\"\\/* \na1.#=&-", max_size=40), st.sampled_from(["json", "yaml", "toml"]))
@settings(max_examples=300, deadline=None)
@pytest.mark.slow
def test_any_text_has_a_line_or_none(text: str, notation: Notation) -> None:
    for key in ("a", "a.0", "a.a"):
        line = key_line(text, key, notation)
        assert line is None or 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize("size", [999_999, 1_000_000, 1_000_001])
def test_a_long_text_is_not_looked_through(size: int) -> None:
    text = '{"a": 1}'
    assert key_line(text + " " * (size - len(text)), "a", "json") == (1 if size <= 1_000_000 else None)


@pytest.mark.slow
@pytest.mark.parametrize("notation", ["json", "yaml", "toml"])
def test_deep_nesting_is_no_error(notation: Notation) -> None:
    assert key_line("a = " + "[" * 50_000, "a", notation) is None
    assert key_line('{"a":' * 20_000 + "1" + "}" * 20_000, ".".join("a" * 20_000), notation) == (
        1 if notation == "json" else None
    )
