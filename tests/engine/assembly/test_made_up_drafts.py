"""Drafts made up for it, made into assemblies: figures, neighbours, and what is made again. A token is a character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import pytest
from msgspec.structs import replace

from promptscope_engine import Assembly, Counter, Scenario, ScenarioError, Workspace, assemble
from promptscope_engine.agents.description import Description
from promptscope_engine.assembly import assembler
from promptscope_engine.assembly.assembler import Totals, descriptions, totals
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.reuse import LastDrafts, joints
from promptscope_engine.assembly.wording import ids, schema_variant, variant
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Environment
from promptscope_engine.learned import SCHEMA, Learned, LearnedVersion, Wording
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import (
    Choice,
    Draft,
    FileDraft,
    LazySequence,
    ParameterDraft,
    Place,
    SectionDraft,
    Span,
    ToolDraft,
    Window,
    builtin,
    file_text,
    label,
    param_value,
)
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.tokens.measured import References, digest
from promptscope_engine.tokens.models import Tokenizer, get_tokenizer
from promptscope_engine.wire.request import Request, wire_tool
from promptscope_engine.workspace.disk import EmptyDisk


class Characters(Counter):
    """Takes each character for a token, and remembers the texts that it was told about beforehand."""

    def __init__(self, tokenizer: Tokenizer, *, knows: bool = True) -> None:
        super().__init__(tokenizer)
        self.knows = knows
        self.told: list[list[str]] = []
        self.others: dict[str, Characters] = {}

    def by(self, tokenizer: Tokenizer) -> Counter:
        other = self.others.setdefault(tokenizer.id, Characters(tokenizer, knows=self.knows))
        return self if self.tokenizer == tokenizer else other

    def count(self, text: str) -> int:
        return self.tokenizer.tokens(len(text))

    def count_joined(self, parts: Sequence[str]) -> int:
        return self.count("".join(parts))

    def cached(self, text: str) -> int | None:
        return self.count(text) if self.knows else None

    def cached_joined(self, parts: Sequence[str]) -> int | None:
        return self.cached("".join(parts))

    @contextmanager
    def ahead(self, texts: Iterable[str]) -> Iterator[None]:
        self.told.append(list(texts))
        yield


class MadeUp:
    """All that the assembler asks an agent itself for."""

    id, name, versions, about = "made-up", "Made up", ("1.0", "1.1"), Description()


PAIRS = References(
    {
        "o200k_base": {
            "rules": {"any": [15, 10]},
            "two": {digest("0123456789"): [30, 10], digest("abcdefghij"): [20, 10]},
            "short": {"any": [5, 10]},
            "tools.read": {"any": [30, 20]},
            "fragment:a": {"any": [4, 2]},
        }
    }
)
INPUTS = Inputs("1.1", "/w", "/h", None, None, None, Params(), Environment(), {}, None, ())
ON, OFF = flag("on"), flag("off")
FACTS = Facts({"on": True, "off": False})


def section(name: str, *spans: Span | str, **more: Any) -> SectionDraft:
    return SectionDraft(name, name.title(), tuple(label(p) if isinstance(p, str) else p for p in spans), **more)


def tool(name: str, *spans: Span | str, **more: Any) -> ToolDraft:
    return ToolDraft(name, "g", tuple(label(p) if isinstance(p, str) else p for p in spans), **more)


def layout(sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> Request:
    """One block of the system prompt, one message, and the tools that no section describes."""
    texts = {"system": "", "messages": ""}
    for place, each in sections:
        assert each.text, "there is nothing to lay out"
        texts[place.channel] += each.text
    sent = tuple(wire_tool(t.name, t.description, t.input_schema) for t in tools if t.section is None)
    system = ({"type": "text", "text": texts["system"]},) if texts["system"] else ()
    said = ({"role": "user", "content": texts["messages"]},) if texts["messages"] else ()
    return Request(system, said, sent)


def draft(*sections: SectionDraft, tools: Sequence[ToolDraft] = (), **more: Any) -> Draft:
    values: dict[str, Any] = {"facts": FACTS, "files": (), "window": Window(100), "layout": layout, **more}
    return Draft(sections=sections, tools=tuple(tools), **values)


class Maker:
    """Assembles one draft after another, in one workspace."""

    def __init__(self, patch: Callable[[str, object], None]) -> None:
        self.patch = patch
        self.workspace = Workspace(EmptyDisk())
        self.learned: Learned | None = None
        self.drafts = LastDrafts(self.workspace)
        self.counter = Characters(get_tokenizer("o200k_base"))
        self.inputs = INPUTS
        patch("references", lambda *_: PAIRS)
        patch("resolve", lambda *_: (MadeUp(), self.inputs))

    def __call__(self, drafted: Draft, *, tokenizer: str | None = "o200k_base", **more: Any) -> Assembly:
        learned = more.pop("learned", False)
        asked = self.scenario(drafted, tokenizer, learned)
        return assemble(asked, self.workspace, self.counter, knowledge=self.knowledge, **more)

    @property
    def knowledge(self) -> Knowledge:
        return Knowledge(self.learned, drafts=self.drafts)

    def scenario(self, drafted: Draft, tokenizer: str | None = "o200k_base", learned: bool = False) -> Scenario:
        self.patch("draft", lambda *_: drafted)
        return Scenario(tokenizer=tokenizer, learned=learned)

    def anew(self, drafted: Draft, tokenizer: str = "o200k_base") -> Assembly:
        """By a workspace and a counter that keep nothing of what was before."""
        counter = Characters(get_tokenizer("o200k_base"))
        return assemble(self.scenario(drafted, tokenizer), Workspace(EmptyDisk()), counter)

    def totals(self, drafted: Draft, tokenizer: str = "o200k_base") -> Totals:
        return totals(self.scenario(drafted, tokenizer), self.workspace, self.counter)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Maker:
    return Maker(lambda name, value: monkeypatch.setattr(assembler, name, value))


# --- what a section is expected to cost ---------------------------------------------------------------------------

TEN = builtin("r", "0123456789")


@pytest.mark.parametrize(
    "case",
    [
        ((label("12345"),), {}, 5, 5, None, "exact"),
        ((label("12345"),), {"reference": "rules"}, 5, 5, None, "exact"),
        ((TEN,), {}, 10, 10, None, "stand-in"),
        ((TEN,), {"reference": "unmeasured"}, 10, 10, None, "stand-in"),
        ((TEN,), {"reference": "rules"}, 10, 15, 15, "stand-in"),
        ((TEN,), {"reference": "short"}, 10, 5, 5, "stand-in"),
        ((TEN,), {"reference": "two"}, 10, 30, 30, "stand-in"),
        ((builtin("r", "abcdefghij"),), {"reference": "two"}, 10, 20, 20, "stand-in"),
        ((label("12345"), TEN, file_text("f", "abc", 1)), {"reference": "rules"}, 18, 23, 15, "stand-in"),
        ((builtin("a", "xx"),), {}, 2, 4, None, "stand-in"),  # measured by itself
        ((builtin("a", "xx"), TEN, builtin("a", "x")), {"reference": "rules"}, 13, 21, 15, "stand-in"),
        ((builtin("a", "xx"), TEN), {}, 12, 14, None, "stand-in"),
        # what an edit left is scaled as the whole was, and is of no measured size
        ((builtin("r", "01234"),), {"reference": "two", "unedited": (builtin("r", "abcdefghij"),)}, 5, 10, None,
         "stand-in"),
        ((builtin("r", "01234"),), {"reference": "two", "unedited": (builtin("r", "abcdefghij"), builtin("r", "x",
         when=OFF))}, 5, 10, None, "stand-in"),
        ((TEN,), {"reference": Choice(((OFF, "short"), (ON, "rules")), None)}, 10, 15, 15, "stand-in"),
        ((TEN, builtin("r", "gone", when=OFF)), {"reference": "rules"}, 10, 15, 15, "stand-in"),
    ],
)  # fmt: skip
def test_wording_of_ours_is_scaled_by_what_was_measured_and_all_else_counts_as_it_stands(
    made: Maker, case: tuple[Any, ...]
) -> None:
    spans, more, tokens, expected, reference, confidence = case
    drafted = draft(section("s", *spans, **more))
    assembly = made(drafted)
    (found,) = assembly.sections
    assert (found.tokens, found.expected_tokens, found.reference_tokens, found.confidence) == (
        tokens, expected, reference, confidence,
    )  # fmt: skip
    assert (assembly.tokens.total, assembly.tokens.expected) == (tokens, expected)
    assert made.totals(drafted) == Totals.of(assembly)


@pytest.mark.parametrize(
    ("tokenizer", "plain", "scaled"),
    [
        ("claude-estimate", (12, 12, None, "estimated"), (12, 18, 18, "stand-in")),  # 1.18 for each of o200k
        ("gemini-estimate", (3, 3, None, "estimated"), (3, 4, 15, "stand-in")),  # of characters: sizes are as measured
        ("cl100k_base", (10, 10, None, "exact"), (10, 10, None, "stand-in")),  # nothing was measured in it
    ],
)
def test_measured_sizes_are_of_an_encoding(made: Maker, tokenizer: str, plain: object, scaled: object) -> None:
    drafted = draft(section("a", "0123456789"), section("b", TEN, reference="rules"))
    found = made(drafted, tokenizer=tokenizer)
    sizes = [(s.tokens, s.expected_tokens, s.reference_tokens, s.confidence) for s in found.sections]
    assert sizes == [plain, scaled]
    assert made.totals(drafted, tokenizer) == Totals.of(found)


def test_the_tokenizer_is_that_of_the_model_which_the_agent_takes(made: Maker) -> None:
    alias = draft(section("a", "x"), facts=replace(FACTS, model="claude-opus-4-5"))
    assert made(alias, tokenizer=None).tokens.tokenizer == "claude-estimate"
    made.inputs = replace(INPUTS, model="gpt-4")
    assert made(draft(section("a", "x")), tokenizer=None).tokens.tokenizer == "cl100k_base"
    assert made(alias, tokenizer=None).tokens.tokenizer == "claude-estimate"
    assert made(alias, tokenizer="o200k_base").tokens.tokenizer == "o200k_base"
    with pytest.raises(ScenarioError, match="tokenizer: no tokenizer 'o200'"):
        made(alias, tokenizer="o200")


# --- absent, or not known -----------------------------------------------------------------------------------------


def test_what_is_absent_costs_nothing_and_is_not_written(made: Maker) -> None:
    def unwritten() -> Iterator[Span]:
        raise AssertionError("written")
        yield

    file = FileDraft("f", "f", "rules", "always", OFF, bytes=9, raw_chars=9, injected="text", injected_chars=4)
    drafted = draft(SectionDraft("s", "S", LazySequence(unwritten()), when=OFF), section("t", "x"), files=(file,))
    assembly = made(drafted)
    gone, (absent,) = assembly.sections[0], assembly.files
    assert (gone.present, gone.tokens, gone.expected_tokens, gone.chars, gone.confidence) == (False, 0, 0, 0, "exact")
    assert (absent.present, absent.tokens, absent.injected_chars, absent.bytes, absent.raw_chars) == (False, 0, 0, 9, 9)
    assert (assembly.tokens.total, assembly.tokens.expected) == (1, 1)
    assert made.totals(drafted) == Totals(("t",), (), 1)


def test_a_stretch_without_a_text_is_none_and_an_absent_one_stands_before_the_next(made: Maker) -> None:
    spans = (
        label("a"), label("b", when=OFF), label(""), label("", when=OFF), label("c", when=ON), label("d", when=OFF),
    )  # fmt: skip
    found, empty = made(draft(section("s", *spans), section("empty", ""))).sections
    assert (empty.present, empty.fragments, empty.tokens) == (True, (), 0)
    assert [(f.text, f.why is None) for f in found.fragments] == [("a", True), ("c", False)]
    assert [(f.text, f.at) for f in found.absent] == [("b", 1), ("d", 3)]


def test_counts_that_are_not_known_are_none_and_are_made_again(made: Maker) -> None:
    made.counter = Characters(get_tokenizer("o200k_base"), knows=False)
    file = FileDraft("f", "f", "rules", "always", ON, injected="text")
    tools = (tool("t", "does", input_schema={}), tool("u", "does", section="r"))
    drafted = draft(section("s", "x"), section("r", TEN, reference="rules"), tools=tools, files=(file,))
    first = made(drafted, cached_only=True)
    assert [(s.tokens, s.expected_tokens) for s in first.sections] == [(None, None)] * 2
    assert (first.tokens.total, first.tokens.expected, first.tokens.free, first.tokens.band) == (None,) * 4
    assert (first.files[0].tokens, first.files[0].injected_chars, first.tools[0].tokens.schema) == (None, 4, None)
    assert made.counter.told == [], "nothing is counted"
    made.counter.knows = True
    assert made(drafted, cached_only=True).to_dict() == made.anew(drafted).to_dict()
    assert made(drafted, with_files=False).files == ()


def test_characters_are_counted_as_the_agent_counts_them(made: Maker) -> None:
    files = (
        FileDraft("f", "f", "rules", "always", ON, injected="text"),
        FileDraft("g", "g", "rules", "always", ON, injected="text", injected_chars=7),
    )
    found = made(draft(section("s", "x", "yz"), files=files, length=lambda text: 10 * len(text)))
    assert (found.sections[0].chars, [f.injected_chars for f in found.files]) == (30, [40, 7])
    assert (found.files[0].bytes, found.files[0].raw_chars) == (0, 0), "nobody said more"


# --- tools --------------------------------------------------------------------------------------------------------

WIRE = len('{"name":"read","description":"Reads.","input_schema":{}}')


@pytest.mark.parametrize(
    "case",
    [
        (tool("read", "Reads.", input_schema={}), 0, WIRE, WIRE, None, "exact"),
        (tool("read", builtin("d", "Reads."), input_schema={}), 0, WIRE, WIRE, None, "stand-in"),
        (tool("read", builtin("d", "Reads."), input_schema={}, reference="tools.read"), 0, WIRE, WIRE * 1.5, 30,
         "stand-in"),
        (tool("read", "Reads.", input_schema={}, reference="tools.read"), 0, WIRE, WIRE, None, "exact"),
        (tool("read", builtin("d", "Reads."), reference="tools.read"), 0, 0, 0, 30, "stand-in"),
        (tool("read", "Reads.", input_schema={}, listed=(label("- read"),)), 6, WIRE, WIRE, None, "exact"),
        (tool("read", "Reads.", input_schema={}, wire=lambda text, schema: {"d": text, "s": schema}), 0,
         len('{"d":"Reads.","s":{}}'), len('{"d":"Reads.","s":{}}'), None, "exact"),
        (tool("read", "Reads.", section="none"), 6, 0, 6, None, "exact"),
        (tool("read", builtin("a", "xx"), section="none"), 2, 0, 4, None, "stand-in"),
        (tool("read", builtin("d", "Reads."), input_schema={}, reference="tools.read", unedited=(builtin("d", "R"),)),
         0, WIRE, WIRE * 1.5, None, "stand-in"),
    ],
)  # fmt: skip
def test_what_a_tool_costs_in_the_prompt_and_in_the_request(made: Maker, case: tuple[Any, ...]) -> None:
    drafted, prompt, schema, expected, reference, confidence = case
    whole = draft(section("s", "x"), tools=(drafted,))
    assembly = made(whole)
    (found,) = assembly.tools
    costs = found.tokens.prompt, found.tokens.schema, found.tokens.expected, found.reference_tokens, found.confidence
    assert costs == (prompt, schema, round(expected), reference, confidence)
    in_request = 0 if drafted.section else round(expected)
    assert assembly.tokens.expected_by_channel == {"system": 1, "messages": 0, "tools": in_request}
    assert made.totals(whole) == Totals.of(assembly)


def test_a_tool_that_has_a_section_to_itself_is_expected_to_cost_what_the_section_does(made: Maker) -> None:
    tools = (tool("one", "1", section="one"), tool("two", "2", section="both"), tool("three", "3", section="both"),
             tool("gone", "4", section="gone"), tool("off", "5", input_schema={}, when=OFF))  # fmt: skip
    sections = (section("one", "one.\n"), section("both", "two, three\n"), section("gone", "gone", when=OFF))
    found = made(draft(*sections, tools=tools))
    assert [(t.name, t.tokens.expected, t.tokens.prompt) for t in found.tools[:4]] == [
        ("one", 5, 1), ("two", 1, 1), ("three", 1, 1), ("gone", 1, 1),
    ]  # fmt: skip
    assert found.tokens.expected_by_channel == {"system": 16, "messages": 0, "tools": 0}


def test_parameters_that_are_absent_are_not_sent(made: Maker) -> None:
    schema = {"properties": {"a": {}, "b": {}}}
    parameters = (ParameterDraft("a"), ParameterDraft("b", required=False, when=OFF))
    drafted = draft(tools=(tool("t", "T", input_schema=schema, parameters=parameters),))
    (found,) = made(drafted).tools
    assert ([p.name for p in found.parameters], [p.name for p in found.absent_parameters]) == (["a"], ["b"])
    assert found.input_schema == {"properties": {"a": {}}}
    assert made.totals(drafted) == Totals.of(made(drafted))


def test_descriptions_are_those_of_present_tools_that_no_section_holds(made: Maker) -> None:
    tools = (tool("a", "A", label("x", when=OFF)), tool("b", "B", section="s"), tool("c", "C", when=OFF))
    found = descriptions(made.scenario(draft(section("s", "B"), tools=tools)), made.workspace, made.counter)
    assert {name: [f.text for f in fragments] for name, fragments in found.items()} == {"a": ["A"]}


# --- the whole ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "free"),
    [
        (Window(100), 70), (Window(100, 10), 60), (Window(30), 0), (Window(31), 1), (Window(29), 0),
        (Window(100, free_by="total"), 80), (Window(20, free_by="total"), 0), (Window(10, 5), 0),
    ],
)  # fmt: skip
def test_what_is_free_is_left_of_the_window_by_reserve_and_prompt(made: Maker, window: Window, free: int) -> None:
    """10 characters as they are, and 10 that are expected to be 20."""
    found = made(draft(section("a", "x" * 10), section("b", builtin("a", "y" * 10)), window=window)).tokens
    assert (found.total, found.expected, found.free) == (20, 30, free)
    assert (found.window, found.reserve, found.band) == (window.size, window.reserve, None)


def test_channels_add_up_and_an_estimate_has_a_band(made: Maker) -> None:
    sections = (section("a", "x" * 10), section("b", builtin("a", "y" * 10), place=Place("m", 0)))
    found = made(draft(*sections, tools=(tool("t", "T", input_schema={}),))).tokens
    sent = len('{"name":"t","description":"T","input_schema":{}}')
    assert found.by_channel == {"system": 10, "messages": 10, "tools": sent}
    assert found.expected_by_channel == {"system": 10, "messages": 20, "tools": sent}
    assert (found.total, found.expected) == (20 + sent, 30 + sent)
    estimate = made(draft(section("a", "x" * 1_000)), tokenizer="claude-estimate").tokens
    assert (estimate.exact, estimate.expected, estimate.band) == (False, 1_180, (1_156, 1_204))


def test_a_version_that_is_not_modelled_is_noted_first(made: Maker) -> None:
    assert made(draft()).diagnostics == ()
    made.inputs = replace(INPUTS, unknown_version="2.0")
    (note,) = made(draft()).diagnostics
    assert note.message == "Made up 2.0 is not modelled: this is 1.1; known: 1.0, 1.1"


# --- what is around a section ---------------------------------------------------------------------------------

FRAMED = Place("one", gap="+", opens="(", closes=")", run="r", ends="]")


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([(FRAMED, True)], [("(", (")", "]"))]),
        ([(FRAMED, False)], [("", ("", ""))]),
        ([(FRAMED, True), (FRAMED, True)], [("(", ("", "")), ("+", (")", "]"))]),
        ([(FRAMED, True)] * 3, [("(", ("", "")), ("+", ("", "")), ("+", (")", "]"))]),
        ([(FRAMED, True), (FRAMED, False), (FRAMED, True)], [("(", ("", "")), ("", ("", "")), ("+", (")", "]"))]),
        # another block of the same run: the first one closes, and the run goes on
        ([(FRAMED, True), (replace(FRAMED, block="two"), True)], [("(", (")", "")), ("(", (")", "]"))]),
        ([(FRAMED, True), (replace(FRAMED, run="s"), True)], [("(", ("", "]")), ("+", (")", "]"))]),
        ([(FRAMED, True), (replace(FRAMED, message=1), True)], [("(", (")", "")), ("(", (")", "]"))]),
        ([(FRAMED, True), (replace(FRAMED), True), (FRAMED, True)],
         [("(", ("", "")), ("+", ("", "")), ("+", (")", "]"))]),
        ([], []),
    ],
)  # fmt: skip
def test_the_first_of_a_block_opens_it_and_the_last_one_closes_it(places: Any, found: Any) -> None:
    assert joints(places) == found


def test_what_stands_around_a_section_is_part_of_it(made: Maker) -> None:
    drafted = draft(section("a", "a", place=FRAMED), section("b", "b", place=FRAMED, when=OFF), section("c", "c"))
    assembly = made(drafted)
    assert [s.text for s in assembly.sections] == ["(a)]", "", "c"]
    assert made.totals(drafted) == Totals(("a", "c"), (), 5)


# --- what is made again --------------------------------------------------------------------------------------------

FILES = tuple(FileDraft(n, n, "rules", "always", ON, injected=n) for n in "fgh")
BEFORE = draft(
    section("a", "a", place=FRAMED), section("b", TEN, place=FRAMED, reference="rules"), section("c", "c", when=OFF),
    section("d", "d", place=FRAMED), tools=(tool("t", "T", input_schema={}), tool("u", "U", section="d")),
    files=FILES,
)  # fmt: skip
A, B, C, D = BEFORE.sections
CHANGES: dict[str, Draft] = {
    "nothing": replace(BEFORE),
    "a text": replace(BEFORE, sections=(A, replace(B, spans=(label("new"),)), C, D)),
    "a section goes": replace(BEFORE, sections=(A, replace(B, when=OFF), C, D)),
    "the last one goes": replace(BEFORE, sections=(A, B, C, replace(D, when=OFF))),
    "a section comes": replace(BEFORE, sections=(A, B, replace(C, when=ON, place=FRAMED), D)),
    "a block": replace(BEFORE, sections=(A, replace(B, place=replace(FRAMED, block="two")), C, D)),
    "a place and a text": replace(BEFORE, sections=(A, B, C, replace(D, place=Place(), spans=(label("e"),)))),
    "another order": replace(BEFORE, sections=(B, A, C, D)),
    "one less": replace(BEFORE, sections=(A, C, D), files=FILES[:2]),
    "one more": replace(BEFORE, sections=(A, B, C, D, section("e", "e", place=FRAMED)), files=(*FILES, FILES[0])),
    "two of one name": replace(BEFORE, sections=(A, B, C, D, section("a", "other"))),
    "two tools of one name": replace(BEFORE, tools=(*BEFORE.tools, tool("t", "Other", input_schema={}))),
    "a tool": replace(BEFORE, tools=(tool("t", "New", input_schema={}), BEFORE.tools[1])),
    "a file": replace(BEFORE, files=(FILES[0], replace(FILES[1], injected="new"), FILES[2])),
    "a file goes": replace(BEFORE, files=(FILES[0], replace(FILES[1], when=OFF), FILES[2])),
    "the facts": replace(BEFORE, facts=Facts({"on": True, "off": True})),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_assembly_is_as_if_it_were_the_first(made: Maker, change: str) -> None:
    for drafted in (BEFORE, CHANGES[change], CHANGES[change], BEFORE):
        assembly = made(drafted)
        assert assembly.to_dict() == made.anew(drafted).to_dict()
        for parts, given in ((assembly.tools, drafted.tools), (assembly.sections, drafted.sections)):
            assert [part.why.ok for part in parts] == [each.when.holds(drafted.facts) for each in given]
    other = made(BEFORE, tokenizer="claude-estimate")
    assert other.to_dict() == made.anew(BEFORE, "claude-estimate").to_dict()


@pytest.mark.parametrize(
    ("change", "sections", "tools", "files"),
    [
        ("nothing", "", "", ""),
        ("a text", "b", "", ""),
        ("a section goes", "b", "", ""),
        ("the last one goes", "bd", "u", ""),  # the one before it closes the block
        ("a section comes", "c", "", ""),
        ("a tool", "", "t", ""),
        ("a file", "", "", "g"),
    ],
)
def test_only_what_changed_is_made_anew(made: Maker, change: str, sections: str, tools: str, files: str) -> None:
    made(BEFORE)
    before, after = made(BEFORE), made(CHANGES[change])
    assert "".join(o.id for o, n in zip(before.sections, after.sections, strict=True) if o is not n) == sections
    assert "".join(o.name for o, n in zip(before.tools, after.tools, strict=True) if o is not n) == tools
    assert "".join(o.path for o, n in zip(before.files, after.files, strict=True) if o is not n) == files


def test_an_equal_draft_is_the_one_of_before(made: Maker) -> None:
    before = made(BEFORE)
    equal = replace(BEFORE, sections=tuple(map(replace, BEFORE.sections)), tools=tuple(map(replace, BEFORE.tools)))
    after = made(replace(equal, facts=Facts({"on": True, "off": False})))
    assert all(old is new for old, new in zip(before.sections, after.sections, strict=True))
    assert all(old is new for old, new in zip(before.tools, after.tools, strict=True))


LONG = "x" * 1_000


def test_long_texts_of_new_sections_that_stand_are_counted_at_once(made: Maker) -> None:
    def unwritten() -> Iterator[Span]:
        raise AssertionError("written")
        yield

    def with_text(text: str) -> Draft:
        new = section("new", label(text), label(f"{text}-", when=ON))
        return draft(section("old", label(LONG)), section("short", LONG[1:]), new,
                     SectionDraft("gone", "Gone", LazySequence(unwritten()), when=OFF))  # fmt: skip

    made(with_text(f"{LONG}1"))
    made(with_text(f"{LONG}2"))
    moved = with_text(f"{LONG}3")
    made(replace(moved, sections=(*moved.sections, section("last", LONG + "4"))))
    assert made.counter.told == [[LONG, f"{LONG}1"], [f"{LONG}2"], [f"{LONG}3", f"{LONG}4"]]


def test_totals_are_those_of_the_facts_the_neighbours_and_the_tokenizer(made: Maker) -> None:
    either = section("x", builtin("r", "0123456789"), reference=Choice(((flag("off"), "short"),), "rules"))
    guarded = section("y", label("y"), label("more", when=OFF))
    plain = section("z", file_text("f", "z" * 100, 1), param_value("p", "p"), place=FRAMED)
    only = section("w", label("w", when=OFF))
    facts = Facts({"on": True, "off": True})
    drafts = (
        draft(either, guarded, only, plain),
        draft(either, guarded, only, plain, facts=facts),
        draft(either, guarded, plain, section("end", "end", place=FRAMED)),
        draft(either, guarded, plain, section("end", "end", place=FRAMED, when=OFF)),
    )
    for tokenizer in ("o200k_base", "claude-estimate", "o200k_base"):
        for drafted in drafts:
            assert made.totals(drafted, tokenizer) == Totals.of(made.anew(drafted, tokenizer))


# --- learned wording ----------------------------------------------------------------------------------------------


def learn(*wordings: Wording, version: str = "1.1") -> Learned:
    return Learned((LearnedVersion("made-up", version, wordings),))


def of_part(part: str, spans: Sequence[Span], text: str) -> Wording:
    return Wording(part, variant(spans), ids(spans), (text,))


WORDED = (
    builtin("a", "A"), label("gone", when=OFF), builtin("b", "B", when=ON), param_value("p", "p"),
    label("too", when=OFF), label("L"), label("end", when=OFF),
)  # fmt: skip


def test_learned_words_take_the_place_of_a_stretch_and_absent_ones_stay_where_they_would_stand(made: Maker) -> None:
    made.learned = learn(of_part("s", (WORDED[0], WORDED[2]), "theirs"))
    drafted = draft(section("s", *WORDED), section("t", TEN))
    (found, other), assembly = made(drafted, learned=True).sections, made(drafted, learned=True)
    assert [(f.text, f.origin.kind, f.why is None) for f in found.fragments] == [
        ("theirs", "learned", True), ("p", "param", True), ("L", "label", True),
    ]  # fmt: skip
    assert [(f.text, f.at) for f in found.absent] == [("gone", 0), ("too", 2), ("end", 3)]
    assert (assembly.learned, other.fragments[0].origin.kind) == (True, "builtin")
    assert not made(drafted).learned
    made.inputs = replace(INPUTS, unknown_version="2.0")
    assert not made(drafted, learned=True).learned
    made.learned = learn(of_part("s", (WORDED[0], WORDED[2]), "theirs"), version="2.0")
    assert made(drafted, learned=True).learned
    made.learned = learn(of_part("other", (WORDED[0], WORDED[2]), "theirs"), version="2.0")
    assert not made(drafted, learned=True).learned, "it is of another part"
    made.learned = None
    assert not made(drafted, learned=True).learned


def test_learned_words_under_one_condition_keep_it(made: Maker) -> None:
    spans = builtin("a", "A", when=ON), builtin("b", "B", when=ON)
    made.learned = learn(of_part("s", spans, "theirs"))
    (found,) = made(draft(section("s", *spans)), learned=True).sections
    (fragment,) = found.fragments
    assert fragment.why is not None
    assert fragment.why.text == "present: `on` is on"


@pytest.mark.parametrize(
    ("words", "schema", "is_learned", "confidence"),
    [
        (False, False, False, "stand-in"),
        (True, False, True, "stand-in"),  # the schema is ours still
        (False, True, True, "stand-in"),
        (True, True, True, "exact"),
    ],
)
def test_a_tool_is_exact_once_its_description_and_its_schema_are_learned(
    made: Maker, words: bool, schema: bool, is_learned: bool, confidence: str
) -> None:
    ours = {"type": "object"}
    description = (builtin("d", "Reads."),)
    wordings = [of_part("tools.read", description, "Theirs.")] * words
    wordings += [Wording("tools.read", schema_variant(ours), SCHEMA, ('{"type":"object","x":1}',))] * schema
    made.learned = learn(*wordings) if wordings else None
    drafted = draft(tools=(ToolDraft("read", "g", description, input_schema=ours, reference="tools.read"),))
    assembly = made(drafted, learned=True)
    (found,) = assembly.tools
    assert (found.learned, assembly.learned, found.confidence) == (is_learned, is_learned, confidence)
    assert found.description == ("Theirs." if words else "Reads.")
    assert ("x" in cast(dict[str, object], found.input_schema)) is schema
    scenario = made.scenario(drafted, learned=True)
    assert totals(scenario, made.workspace, made.counter, made.knowledge) == Totals.of(assembly)


def test_what_is_learned_meanwhile_counts(made: Maker) -> None:
    drafted = draft(section("s", TEN, reference="rules"))
    made.learned = learn(of_part("s", (TEN,), "theirs"))
    for text in ("theirs", "other"):
        made.learned = learn(of_part("s", (TEN,), text))
        assert made(drafted, learned=True).system_text == text
    assert made(drafted).system_text == TEN.text
