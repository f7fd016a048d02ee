"""A learned version as a folder that a person can read, and as the one file that it was before."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.template import read_template
from promptscope_engine.learned import (
    BEFORE,
    BEHIND,
    LABEL,
    LINES,
    LISTED,
    ROWS,
    SCHEMA,
    AddedSection,
    AddedTool,
    Ended,
    LearnedError,
    LearnedVersion,
    Moved,
    OptionEffect,
    Wording,
)
from promptscope_engine.learning.folder import HEAD, files_of, head_of, version_in, version_of

pytestmark = pytest.mark.slow

SAID = Wording("rules", "abc", ("rules.intro",), ("In ", "workspace", " be brief."), {"mode": "plan"}, (1, 2, 3, 5))
VERSION = LearnedVersion("roo", "3.28.16", (SAID,), "2026-01-01T00:00:00+00:00", runs=("a", "b", "c", "d", "e"))


def read(files: Mapping[str, bytes]) -> LearnedVersion:
    """What the files of a folder hold."""
    texts = {name: lambda data=data: data for name, data in files.items() if name != HEAD}
    return version_of(head_of(files[HEAD]), texts)


def kept(version: LearnedVersion) -> LearnedVersion:
    """A version, written and read."""
    return ordered(read(files_of(version)))


def ordered(version: LearnedVersion) -> LearnedVersion:
    """With its texts in an order that does not depend on files; of one variant order counts."""
    return replace(version, wordings=tuple(sorted(version.wordings, key=lambda each: (each.part, each.variant))))


def of(*wordings: Wording, **more: Any) -> LearnedVersion:
    return ordered(replace(VERSION, wordings=wordings, **more))


def test_a_text_is_under_a_line_that_says_where_it_belongs() -> None:
    files = files_of(of(SAID, Wording("rules", "def", ("rules.last",), ("Bye \x1b[0m{{.\n",))))
    assert list(files) == [HEAD, "sections/rules.md"]
    assert files["sections/rules.md"].decode() == (
        '{# {"variant": "abc", "ids": ["rules.intro"], "only": {"mode": "plan"}, "runs": "1-3 5"} #}\n'
        "In {{ workspace }} be brief.\n"
        '{# {"variant": "def", "ids": ["rules.last"]} #}\n'
        'Bye {{ "\\u001b" }}[0m{{ "{" }}{.\n'
        "\n"
    )


def test_a_schema_is_laid_out_as_json() -> None:
    schema = Wording("tools.Read", "abc", SCHEMA, ('{"type":"object","description":"in ', "home", '"}'), {}, (1,))
    (row,) = json.loads(files_of(of(schema))["tools/Read.json"])
    assert row == {"variant": "abc", "runs": "1", "schema": {"type": "object", "description": "in {{ home }}"}}
    assert kept(of(schema)) == of(schema)


def test_texts_are_in_one_order_however_they_were_seen() -> None:
    """Two versions can be compared; of one variant the last text counts, so these stay as they are."""
    small, any_model = replace(SAID, only={"model": "m"}), replace(SAID, only={})
    first = Wording("rules", "z", ("rules.first",), ("Hi.",))
    assert files_of(of(small, any_model, first)) == files_of(of(first, small, any_model))
    assert kept(of(small, any_model)).wordings == (small, any_model)
    assert kept(of(any_model, small)).wordings == (any_model, small)


WHOLE = LearnedVersion(
    "x", "1",
    (
        Wording("a", "v", ("a.b",), ("Hello.",), {"args.print": True}, (1,)),
        Wording("a", "l", LABEL, ("# Old",)),
        Wording("a", "n", (*LINES, "- Home: ", "home", "\n#}"), ("- Home: none", "chance:7f_é", "")),
        Wording("a", "r", (*ROWS, "- ", "piece:skill.name", ""), ("* ", "piece:0.path", "")),
        Wording("a", "p", (*BEFORE, "- ", "piece:plugin.skill", ""), ("- deep",)),
        Wording("a", "q", (*BEHIND, "- ", "piece:plugin.skill", ""), ("- last",)),
        Wording("tools.Read", "l", SCHEMA, ('{"enum":["', LISTED, '"]}',)),
        Wording("tools.Read", "d", ("tools.Read",), ("Reads.",)),
        Wording("tools.Read", "s", SCHEMA, ('{"type":"object"}',), {"model": "m"}),
    ),
    "2026-11-26T00:00:00+00:00", "0.9",
    (Ended("b", "gone", {"model": "small"}),), (Moved("c", "a", is_before=True),),
    (AddedTool("T", ("Does it in ", "home", "."), ('{"type":"object"}',), "S", ({"mode": "plan"},), (1, 2)),
     AddedTool("A", ("Again.",), ('{"a" : 1}',), "T", seen="in all")),
    (AddedSection(("New.",), "a", ({"mode": "plan"},), (2,)), AddedSection(("Newer.",), "a", seen="in all"),
     AddedSection(("Named.",), "a", runs=(1,), name="of_the_client", is_before=True)),
    ("headless, plain", "headless, project"),
    (OptionEffect("--brief", 212, ("T",), ("Read",), new_texts=1), OptionEffect("--odd", problem="it ended\x1b[0m")),
    {"a": ("alpha", "beta")},
)  # fmt: skip


def test_everything_that_was_learned_comes_back_from_its_folder() -> None:
    assert kept(WHOLE) == ordered(WHOLE)


def test_a_tool_that_is_new_may_have_lines_of_its_own_corrected() -> None:
    corrected = Wording("tools.T", "n", (*LINES, "Does it"), ("Did it",))
    assert kept(replace(WHOLE, wordings=(corrected,))) == replace(WHOLE, wordings=(corrected,))


HARD = (
    "\n", "\n\n", "\r\n", "a\n", "\na", " ", "\t", "{", "{{", "{{{", "{%", "{#", "{# {} #}\n", '{# {"a": 1} #}\nx',
    "#}", "{=}", "{.x}", "{.}", "{~a}", "{...}", "{% raw %}", "{% endraw %}", "{# end #}", "---\n", "\ud800", "\udfff{",
    "\x00", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff", "é", "\U0001f600", '"', "\\", "{\x1b", "{{ home }}",
)  # fmt: skip
literals = st.lists(st.sampled_from(HARD) | st.text(st.characters(codec=None), max_size=8), max_size=6).map("".join)
folders = st.sampled_from(("workspace", "workspace-name", "home", "home-name"))
names = literals | st.from_regex(r"\w+\.\w*", fullmatch=True)
chance, pieces = names.map("chance:{}".format), names.map("piece:{}".format)


def cut(holes: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Texts with such holes."""
    rest = st.lists(st.tuples(holes, literals), max_size=3)
    return st.builds(lambda first, rest: (first, *(each for pair in rest for each in pair)), literals, rest)


@given(
    st.lists(cut(folders | chance), min_size=1, max_size=3),
    st.lists(cut(folders | chance | pieces), min_size=1, max_size=3),
)
def test_any_text_comes_back_byte_for_byte(found: list[tuple[str, ...]], ours: list[tuple[str, ...]]) -> None:
    words = [Wording("a", f"{n}", ("a.b",), text) for n, text in enumerate(found)]
    lines = [Wording("b", f"{n}", (*LINES, *text), text) for n, text in enumerate(ours)]
    rows = [Wording("b", f"r{n}", (*ROWS, *text), text) for n, text in enumerate(ours)]
    schemas = [Wording("tools.c", f"{n}", SCHEMA, text) for n, text in enumerate(found)]
    assert kept(of(*words, *lines, *rows, *schemas)) == of(*words, *lines, *rows, *schemas)


@given(st.recursive(st.none() | st.booleans() | st.integers() | literals, lambda v: st.dictionaries(literals, v)))
def test_any_schema_comes_back_byte_for_byte(value: object) -> None:
    text = json.dumps({"type": value}, separators=(",", ":"), ensure_ascii=False)
    schema = of(Wording("tools.c", "v", SCHEMA, (text,)))
    assert kept(schema) == schema


@given(st.lists(literals, min_size=1, max_size=6, unique=True))
def test_whatever_a_client_calls_its_parts_each_has_a_file_of_its_own(names: list[str]) -> None:
    parts = {f"{kind}{name}" for kind in ("", "tools.") for name in names}
    tools = tuple(AddedTool(f"new.{name}", (name,), ("{}",), after=name) for name in names)
    version = of(*(Wording(part, "v", (), (part,)) for part in parts), added=tools)
    files = [name for name in files_of(version) if name != HEAD]
    assert len({name.lower() for name in files}) == len(parts) + 2 * len(tools)
    assert all(re.fullmatch(r"(sections|tools)/\w[\w.~-]{0,120}\.(md|json)", name, re.ASCII) for name in files)
    assert kept(version) == version


def test_names_that_differ_in_their_letters_case_have_two_files() -> None:
    version = of(Wording("tools.Bash", "v", (), ("one",)), Wording("tools.bash", "v", (), ("two",)))
    assert kept(version) == version
    assert len({name.lower() for name in files_of(version)}) == 3


def test_a_huge_text_comes_back() -> None:
    version = of(Wording("a", "v", (), ("{{ x }}\n" * 20_000,)))
    assert kept(version) == version


def test_the_reader_of_agents_texts_reads_them_alike() -> None:
    body = files_of(of(SAID))["sections/rules.md"].decode().partition("\n")[2]
    assert [node[-1] for node in read_template(body)] == ["In ", "workspace", " be brief."]


# --- changed by hand --------------------------------------------------------------------------------------------------

GOOD = Wording("good", "v", (), ("Hello.",))
HEADER = b'{# {"variant": "w", "ids": []} #}\n'


@pytest.mark.parametrize(
    ("name", "data", "line", "message"),
    [
        ("sections/rules.md", b"Hello.\n", 1, "first line"),
        ("sections/rules.md", b"{# {nothing} #}\nHello.\n", 1, "JSON is malformed"),
        ("sections/rules.md", b"{# [] #}\nHello.\n", 1, "object"),
        ("sections/rules.md", b'{# {"number": "a", "runs": 7} #}\nHello.\n', 1, "int"),
        ("sections/rules.md", HEADER + b"a\n\n{{ nowhere }}\n", 1, "nowhere"),
        ("sections/rules.md", HEADER + b"a {{ piece._0 }}\n", 1, "piece:0"),
        ("tools/T.json", b'[\n {"variant": "w", "schema": {"a": "{{ piece._1 }}"}}\n]', 2, "piece:1"),
        ("sections/rules.md", HEADER + b"a\n{% if b %}\nc\n{% endif %}\n", 3, "`if` is not for learned texts"),
        ("sections/rules.md", HEADER + b"a\n{{ b\n", 3, "has no end"),
        ("sections/rules.md", HEADER + b"a\n\n" + HEADER.replace(b'"w"', b"1"), 4, "variant"),
        ("sections/rules.md", b'{# {"variant": "w", "ids": [1]} #}\nHello.\n', 1, "ids"),
        ("sections/rules.md", HEADER + b"x" * 400_001, 1, "400,000 characters"),
        ("sections/rules.md", b'{# {"variant": "w", "ids": [], "runs": "a-b"} #}\n', 1, "invalid literal"),
        ("sections/rules.md", HEADER + b"a\n\xff", 3, "UTF-8"),
        ("sections/rules.md", b'{# {"only": {}} #}\nNew.\n', 1, "it must say `variant`, or `number` for what is new"),
        ("sections/rules.md", b'{# {"variant": "w", "only": []} #}\nNew.\n', 1, "it must say `variant`"),
        ("tools/T.md", b'{# {"number": 1, "after": "S"} #}\nNew.\n', 1, "schema of number 1 is missing"),
        ("tools/T.json", b'[\n {"variant": "w",\n "schema": {"a": }}]', 3, "malformed"),
        ("tools/T.json", b"{}", 1, "array"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line_and_the_rest_is_used(
    name: str, data: bytes, line: int, message: str
) -> None:
    found = read({**files_of(of(GOOD)), name: data})
    assert found.wordings[0] == GOOD
    (flaw,) = found.flaws
    assert (flaw.path, flaw.line) == (name, line)
    assert message in flaw.message


def test_a_text_beside_a_broken_one_is_used() -> None:
    found = read({**files_of(of(GOOD)), "sections/rules.md": b"{# {} #}\nLost.\n" + HEADER + b"Kept.\n"})
    assert [each.text for each in found.wordings] == [("Hello.",), ("Kept.",)]
    assert [(flaw.line, flaw.message) for flaw in found.flaws] == [
        (1, "it must say `variant`, or `number` for what is new")
    ]


def test_an_editor_may_leave_out_the_last_line_break() -> None:
    found = read({**files_of(of()), "sections/rules.md": HEADER + HEADER + b"Kept."})
    assert [each.text for each in found.wordings] == [("",), ("Kept.",)]


def test_a_file_that_cannot_be_opened_is_named() -> None:
    def refused() -> bytes:
        raise PermissionError(13, "Permission denied")

    found = version_of(VERSION, {"sections/rules.md": refused})
    assert [(each.path, each.message) for each in found.flaws] == [
        ("sections/rules.md", "cannot be read: Permission denied")
    ]


def test_runs_that_are_not_in_the_list_count_for_nothing() -> None:
    files = files_of(of(replace(GOOD, runs=(1,))))
    files["sections/good.md"] = files["sections/good.md"].replace(b'"1"', b'"0-999999999999 7"')
    assert kept(of(replace(GOOD, runs=(1, 2, 3, 4, 5)))) == read(files)


# --- limits -----------------------------------------------------------------------------------------------------------


def test_a_version_has_at_most_20_000_texts_in_5_000_files() -> None:
    many = [Wording(f"a{n}", "", (), ("",)) for n in range(20_000)]
    assert len(kept(of(*(replace(each, part="a", variant=each.part) for each in many))).wordings) == 20_000
    for more in ((*(replace(each, part="a") for each in many), SAID), many[:5_001]):
        with pytest.raises(LearnedError, match=r"more than 20,000 texts, or 5,000 files of them, of roo 3\.28\.16"):
            files_of(of(*more))


def test_a_version_has_at_most_16_mib() -> None:
    large = [Wording("rules", str(n), (), ("x" * 400_000,)) for n in range(42)]
    with pytest.raises(LearnedError, match="takes more than 16,777,216 bytes"):
        files_of(of(*large))
    files = {f"sections/{n}.md": files_of(of(each))["sections/rules.md"] for n, each in enumerate(large)}
    found = read({HEAD: files_of(VERSION)[HEAD], **files})
    assert (len(found.wordings), found.flaws[0].message) == (41, "a version has at most 16,777,216 bytes")


# --- the one file that it was before ----------------------------------------------------------------------------------

NAMELESS = b'{"format": "promptscope.learned.v1", "agent": "roo"}'


def before(version: LearnedVersion, **rows: object) -> bytes:
    """The file that an earlier promptscope kept of a version."""
    return json.dumps({"format": "promptscope.learned.v1", **to_builtins(version), **rows}).encode()


def test_a_file_of_an_earlier_promptscope_is_read() -> None:
    old = replace(WHOLE, wordings=tuple(replace(each, runs=()) for each in WHOLE.wordings))
    assert version_in(before(old)) == old


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b'{"format": "other"}', b"[" * 100_000, NAMELESS, b" " * (2**24 + 1)]
)
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(LearnedError):
        version_in(data)
    with pytest.raises(LearnedError):
        head_of(data)


@pytest.mark.parametrize(
    "flaw",
    [
        {"text": ["a", "nowhere", "b"]},
        {"text": ["a", "home"]},
        {"text": ["a", "other:b", "c"]},
        {"text": ["a", "piece:0", "c"]},
        {"text": ["x" * 400_001]},
        {"text": ["x" * 400_000, "home", ""]},
        {"text": []},
        {"variant": None},
        {"text": "abc"},
        {"part": 7},
        {"ids": [1]},
        {"ids": ["lines", "x", "nowhere", ""]},
    ],
)
def test_wordings_of_another_shape_are_left_out(flaw: dict[str, object]) -> None:
    row = to_builtins(SAID)
    assert version_in(before(VERSION, wordings=[row, {**row, **flaw}])) == VERSION


BROKEN = (
    {"added": [{"name": "x", "description": ["d"], "schema": ["{not JSON"]}]},
    {"added": [{"name": "x", "description": ["d", "nowhere", ""], "schema": ["{}"]}]},
    {"added": [{"name": 3}], "sections": "none"},
)


@pytest.mark.parametrize("rows", BROKEN)
def test_a_row_that_cannot_be_used_is_left_out(rows: dict[str, object]) -> None:
    found = version_in(before(VERSION, **rows))
    assert (found.wordings, found.added, found.sections) == ((SAID,), (), ())


@pytest.mark.parametrize(
    "text", [[""], ["x" * 400_000], ["x" * 399_996, "home", ""], ["", "home", "", "workspace", ""]]
)
def test_a_text_has_at_most_400_000_characters(text: list[str]) -> None:
    version = of(Wording("rules", "abc", (), tuple(text)))
    assert version_in(before(version)) == kept(version) == version
