"""A text in its bullets, passages that a prompt has more than once, and what its parts would save."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, of_file, ours, section

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.insight.costs import bullets_of, is_agents, savings, weights
from promptscope_engine.insight.effects import Effect, each_effect
from promptscope_engine.insight.passages import find_repeats
from promptscope_engine.insight.repeats import Copy, Repeat, paid_twice, units
from promptscope_engine.prompt.model import Fragment, Origin, SourceFile, Tool, ToolTokens
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace

COUNTER = Counter(get_tokenizer("o200k_base"))
READY = {"codeIndex": {"enabled": True, "configured": True, "initialized": True}}


def prompt(place: Path, rules: str = "", other: str = "") -> tuple[Scenario, Assembly]:
    (place / ".roo/rules").mkdir(parents=True)
    (place / ".roo/rules/a.md").write_text(rules)
    (place / ".roo/rules/b.md").write_text(other)
    scenario = Scenario(agent="roo", workspace=str(place), home=str(place / "home"), params=READY, env={})
    return scenario, assemble(scenario, Workspace(), COUNTER)


def test_a_tool_that_is_insisted_on_is_found_in_all_its_places(tmp_path: Path) -> None:
    own = "Be brief.\n\n- IMPORTANT: `codebase_search` comes FIRST, before any other tool.\n"
    _, assembly = prompt(tmp_path, own)
    (found,) = (each for each in find_repeats(assembly, COUNTER.count) if each.kind == "other words")
    assert found.about == "codebase_search"
    sections = [copy.section for copy in found.copies]
    assert sections[:4] == ["tool_use_guidelines", "capabilities", "rules", "objective"]
    assert (found.copies[4].path or "").endswith("a.md")
    assert found.copies[4].file_line == 3
    counts = [copy.tokens or 0 for copy in found.copies]
    assert found.tokens == sum(counts) - max(counts)


def test_the_same_sentences_are_one_passage_across_files_and_built_in_text(tmp_path: Path) -> None:
    _, plain = prompt(tmp_path / "plain")
    sentence = next(f.text for f in plain.section("rules").fragments if f.origin.id == "rules.no_home")  # type: ignore[union-attr]
    twice = "Run the tests before you commit. Never push to main by hand.\n"
    _, assembly = prompt(tmp_path / "own", f"# A\n\n{twice}", f"{twice}\n{sentence}")
    found = [each for each in find_repeats(assembly, COUNTER.count) if each.kind == "same words"]
    ours = next(each for each in found if each.text.startswith("Run the tests"))
    assert [(Path(copy.path or "").name, copy.file_line) for copy in ours.copies] == [("a.md", 3), ("b.md", 1)]
    assert "Never push" in ours.text
    assert ours.tokens == COUNTER.count(ours.text)
    built_in = next(each for each in found if "$HOME" in each.text)
    assert next((copy.section, copy.path is None) for copy in built_in.copies) == ("rules", True)
    assert Path(built_in.copies[1].path or "").name == "b.md"
    assert paid_twice(found) == sum(each.tokens or 0 for each in found)


def test_every_copy_stands_in_the_line_that_is_told(tmp_path: Path) -> None:
    own = "# A\n\nBe brief in all that you answer.\n\n- IMPORTANT: `codebase_search` comes FIRST, before others.\n"
    _, assembly = prompt(tmp_path, f"\n\n{own}", f"Other words.\n{own}")
    told = set()
    for repeat in find_repeats(assembly, COUNTER.count):
        for copy in repeat.copies:
            section = assembly.section(copy.section)
            assert section is not None
            if copy.path is not None and copy.file_line is not None:
                line = section.text.split("\n")[copy.line]
                assert Path(copy.path).read_text().split("\n")[copy.file_line - 1] == line
                told.add((Path(copy.path).name, line[:11]))
    assert told >= {(name, begin) for name in ("a.md", "b.md") for begin in ("Be brief in", "- IMPORTANT")}


@pytest.mark.parametrize(("length", "is_told"), [(24, False), (25, True), (26, True)])
def test_a_short_sentence_is_a_coincidence(tmp_path: Path, length: int, is_told: bool) -> None:
    words = "Say what you have changed, and why so."[:length].rstrip(", ").ljust(length, "x")
    _, assembly = prompt(tmp_path, f"{words}\n", f"* {words}.\n")
    found = [each for each in find_repeats(assembly, COUNTER.count) if any(copy.path for copy in each.copies)]
    assert bool(found) is is_told


def test_every_bullet_has_its_tokens_and_they_add_up_to_their_section(tmp_path: Path) -> None:
    _, assembly = prompt(tmp_path, "Intro.\n\n- one\n  more of it\n  - deeper\n\n      code\n- two\n\nEnd.\n")
    found = weights(assembly, COUNTER.count)
    rules = assembly.section("rules")
    assert rules is not None
    assert len(found["rules"]) > 20
    assert sum(bullet.tokens or 0 for bullet in found["rules"]) == pytest.approx(rules.expected_tokens, rel=0.02)
    own = next(bullets for name, bullets in found.items() if name.endswith("a.md"))
    assert [(b.text, b.last - b.first) for b in own] == [("- one", 4), ("- two", 0)]


def test_a_text_is_divided_as_a_person_would() -> None:
    text = "# Title\nA paragraph\nof two lines.\n1. first\n\n   still\n2. second\n```\n- no bullet\n```\n* last"
    assert [(unit.text, unit.is_bullet) for unit in units(text)] == [
        ("A paragraph\nof two lines.", False),
        ("1. first\n\n   still", True),
        ("2. second", True),
        ("* last", True),
    ]


@pytest.mark.slow
def test_savings_are_what_would_go_the_largest_first(tmp_path: Path) -> None:
    scenario, assembly = prompt(tmp_path, "Run the tests before you commit anything.\n" * 2)
    effects = list(each_effect(scenario, Workspace(), COUNTER, assembly))
    found = savings(assembly, effects, find_repeats(assembly, COUNTER.count))
    assert [each.tokens for each in found] == sorted((each.tokens for each in found), reverse=True)
    assert all(each.tokens > 0 for each in found)
    index = next(each for each in found if each.id == "codeIndex=off")
    without = assemble(scenario.with_value("codeIndex", None), Workspace(), COUNTER)
    assert index.tokens == (assembly.tokens.expected or 0) - (without.tokens.expected or 0)
    assert (index.param, index.value) == ("codeIndex", None)
    kinds = {each.kind for each in found}
    assert kinds == {"switch", "file", "section", "passage"}
    tools = next(each for each in found if (each.kind, each.id) == ("section", "tools"))
    assert tools.detail == "with 15 below it"
    passage = next(each for each in found if each.kind == "passage" and each.title.startswith("Run the tests"))
    assert "2 times" in passage.detail


# --- of sections made up for it -----------------------------------------------------------------------------------


def words(text: str) -> int:
    return len(text.split())


RUN, PUSH, ASK = "Run the tests before a commit.", "Never push to main by hand.", "Ask whenever it is unclear."


def told(*texts: str, tools: tuple[Tool, ...] = ()) -> list[tuple[str, list[tuple[str, int]], int | None]]:
    """What sections a, b, … say more than once: the passage, the sections and lines of its copies, its tokens."""
    sections = [section(name, ours(text)) for name, text in zip("abcdef", texts, strict=False)]
    found = find_repeats(replace(assembly_of(*sections), tools=tools), words)
    return [(each.text, [(copy.section, copy.line) for copy in each.copies], each.tokens) for each in found]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((f"{RUN} {PUSH}", f"Hi.\n\n{RUN} {PUSH}"), [(f"{RUN} {PUSH}", [("a", 0), ("b", 2)], 12)]),
        ((f"{RUN} {PUSH}", f"{RUN} {ASK}"), [(RUN, [("a", 0), ("b", 0)], 6)]),
        ((f"{RUN} {PUSH}", RUN), [(RUN, [("a", 0), ("b", 0)], 6)]),
        ((RUN, f"{RUN} {PUSH}"), [(RUN, [("a", 0), ("b", 0)], 6)]),
        # what follows is elsewhere, too: it is another passage
        (
            (f"{RUN} {PUSH}", f"{RUN} {PUSH}", PUSH),
            [(PUSH, [("a", 0), ("b", 0), ("c", 0)], 12), (RUN, [("a", 0), ("b", 0)], 6)],
        ),
        # as often as the first one, but not behind it everywhere
        (
            (f"{RUN} {PUSH}", f"{RUN} {ASK}", f"{PUSH} Hi.", f"{ASK} Hi."),
            [(ASK, [("b", 0), ("d", 0)], 5), (PUSH, [("a", 0), ("c", 0)], 6), (RUN, [("a", 0), ("b", 0)], 6)],
        ),
        ((f"{RUN} {RUN}",), [(RUN, [("a", 0), ("a", 0)], 6)]),
        ((f"{RUN} {PUSH} {RUN} {PUSH}",), [(f"{RUN} {PUSH}", [("a", 0), ("a", 0)], 12)]),
        ((RUN, PUSH, RUN, PUSH), [(PUSH, [("b", 0), ("d", 0)], 6), (RUN, [("a", 0), ("c", 0)], 6)]),
        ((f"- {RUN}\n- {PUSH}\n", f"\n\n> {RUN.upper()}\n"), [(f"- {RUN}", [("a", 0), ("b", 2)], 7)]),
        ((RUN,), []),
        (("- - - - - - - - - - - - - - - - - - - - - - -",) * 2, []),
    ],
)
def test_sentences_that_follow_each_other_everywhere_are_one_passage(
    texts: tuple[str, ...], expected: list[tuple[str, list[tuple[str, int]], int]]
) -> None:
    assert sorted(told(*texts)) == sorted(expected)


def test_the_dearest_stands_first_and_of_equal_ones_the_first_by_its_words() -> None:
    counts = {RUN: 1, PUSH: 0, ASK: 0}
    for given, order in ((counts, [RUN, ASK, PUSH]), (dict.fromkeys(counts), [ASK, PUSH, RUN])):
        assembly = assembly_of(*(section(n, ours(t)) for n, t in zip("abcdef", [PUSH, RUN, ASK] * 2, strict=True)))
        assert [each.text for each in find_repeats(assembly, given.get)] == order  # type: ignore[arg-type]


def test_what_is_not_counted_is_not_known() -> None:
    assembly = assembly_of(section("a", ours(RUN), tokens=1, expected_tokens=2), section("b", ours(RUN)))
    (found,) = find_repeats(assembly, lambda _: None)
    assert ([copy.tokens for copy in found.copies], found.tokens, paid_twice([found])) == ([None, None], None, None)


@pytest.mark.parametrize(
    ("tokens", "expected", "counted"), [(10, 20, 12), (10, 0, 6), (0, 20, 6), (None, 20, 6), (10, None, 6), (20, 10, 3)]
)
def test_a_copy_costs_what_its_section_is_expected_to(tokens: int | None, expected: int | None, counted: int) -> None:
    more = {"tokens": tokens, "expected_tokens": expected}
    (found,) = find_repeats(assembly_of(section("a", ours(RUN), **more), section("b", ours(RUN))), words)
    assert [copy.tokens for copy in found.copies] == [counted, 6]
    assert found.tokens == min(counted, 6), "all but the dearest"


def test_only_what_is_present_is_repeated_and_each_copy_says_where_it_comes_from() -> None:
    text = f"Head\n\n{RUN}\n"
    one = section("one", ours("Intro.\n\n"), of_file(text, "/shop/a.md", 7), of_file(f"The {text}", "/shop/b.md", None))
    other = section("other", ours(f"{RUN}\n\n"), Fragment(RUN, Origin("param", path="/shop/p.md")))
    found = find_repeats(assembly_of(one, section("gone", ours(RUN), present=False), other), words)
    assert [(c.section, c.title, c.line, c.path, c.file_line) for c in found[0].copies] == [
        ("one", "One", 4, "/shop/a.md", 9),
        ("one", "One", 7, "/shop/b.md", 3),
        ("other", "Other", 0, None, None),
        ("other", "Other", 2, None, None),
    ]


INSISTS = "- IMPORTANT: call read_file before anything is changed in there.\n"


def tool(name: str, section: str | None = None, *, present: bool = True) -> Tool:
    return Tool(name, "g", present, WHY, "", None, (), None, ToolTokens(None, None, 3), "exact", None, section)


def insisted(*texts: str, tools: tuple[Tool, ...] = (tool("read_file"),)) -> list[list[str]]:
    """The sections that say again what to do with a tool."""
    sections = [section(name, ours(text)) for name, text in zip("abcdef", texts, strict=False)]
    found = [r for r in find_repeats(replace(assembly_of(*sections), tools=tools), words) if r.kind == "other words"]
    for each in found:
        first = next(text for text in texts if "IMPORTANT" in text or "ALWAYS" in text)
        assert (each.text, each.about) == (first.strip(), tools[0].name)
    return [[copy.section for copy in each.copies] for each in found]


LOUD = "- ALWAYS use read_file, and first of all.\n"
SIX = "alpha bravo charlie delta foxtrot"  # with the tool's name six words of content


@pytest.mark.parametrize(
    ("texts", "tools", "expected"),
    [
        ((INSISTS, LOUD), (tool("read_file"),), [["a", "b"]]),
        ((INSISTS,), (tool("read_file"),), []),
        ((INSISTS, LOUD), (tool("read_file", "b"),), []),  # its own description may say so
        ((INSISTS, LOUD), (tool("read_file", present=False),), []),
        ((INSISTS, LOUD), (tool("other_tool"),), []),
        ((INSISTS.replace("_", ""), LOUD.replace("_", "")), (tool("readfile"),), []),  # any word might be a tool's
        ((INSISTS, "Be calm, read_file is there.\n"), (tool("read_file"),), []),
        ((INSISTS, "IMPORTANT: be calm. The tool read_file is there.\n"), (tool("read_file"),), []),
    ],
)
def test_a_tool_is_insisted_on_in_other_words(
    texts: tuple[str, ...], tools: tuple[Tool, ...], expected: list[list[str]]
) -> None:
    assert insisted(*texts, tools=tools) == expected


@pytest.mark.parametrize(
    ("calm", "is_told"),
    [
        (SIX, True),
        (SIX.replace("alpha", "zulu"), False),  # five words
        (SIX.replace("alpha", "the"), False),  # the sixth says nothing
        (SIX.replace("alpha", "bravos"), False),  # the sixth is another form of the second
        (SIX.replace("alpha", "alphas"), True),
        (SIX.replace("alpha", "alphaing"), True),
        (SIX.replace("alpha", "dog"), False),  # three letters
    ],
)
def test_what_shares_six_words_with_a_bullet_that_insists_says_the_same(calm: str, is_told: bool) -> None:
    loud = f"- IMPORTANT: read_file {SIX} dog the.\n"
    assert insisted(loud, LOUD, f"- read_file {calm}.\n") == [["a", "b", "c"] if is_told else ["a", "b"]]


@pytest.mark.parametrize(
    ("word", "is_stem"), [("jump", True), ("jumps", True), ("jumped", True), ("jumping", True), ("jumper", False)]
)
def test_endings_make_no_difference(word: str, is_stem: bool) -> None:
    """Of words whose stem has four letters or more: `uses` and `used` stay apart."""
    loud = f"- IMPORTANT: read_file {SIX.replace('alpha', 'jump')}.\n"
    assert (insisted(loud, LOUD, f"- read_file {SIX.replace('alpha', word)}.\n")[0] == ["a", "b", "c"]) is is_stem
    short = f"- IMPORTANT: read_file {SIX.replace('alpha', 'gods')}.\n"
    assert insisted(short, LOUD, f"- read_file {SIX.replace('alpha', 'goding')}.\n") == [["a", "b"]]
    assert insisted(short, LOUD, f"- read_file {SIX.replace('alpha', 'gods')}.\n") == [["a", "b", "c"]]


@pytest.mark.parametrize(("more", "is_told"), [(-1, True), (0, True), (1, False)])
def test_200_000_characters_are_looked_through_for_other_words(more: int, is_told: bool) -> None:
    """The rest of them is in a section without a sentence."""
    rest = ours("x" * (200_000 + more - 2 * len(INSISTS)))
    gone = section("gone", ours("x" * 9), present=False)
    last = LOUD.ljust(len(INSISTS))
    sections = section("a", ours(INSISTS)), gone, section("rest", rest), section("b", ours(last))
    found = find_repeats(replace(assembly_of(*sections), tools=(tool("read_file"),)), words)
    assert bool(found) is is_told


def test_a_section_that_insists_is_not_told_for_its_calm_bullets() -> None:
    loud = f"- IMPORTANT: read_file {SIX}.\n"
    assert insisted(loud, f"{LOUD}\n- read_file {SIX}.\n") == [["a", "b"]]


def test_a_bullet_that_insists_is_told_with_its_file_and_line() -> None:
    """Each of the lines before it counts as one character more: its offset is that of its file's text."""
    sections = section("a", ours(INSISTS)), section("b", ours("x\n" * 60), of_file(f"\n{LOUD}", "/shop/a.md", 7))
    (found,) = find_repeats(replace(assembly_of(*sections), tools=(tool("read_file"),)), words)
    assert [(copy.line, copy.path, copy.file_line) for copy in found.copies] == [(0, None, None), (61, "/shop/a.md", 8)]


def test_what_is_equal_everywhere_is_not_told_again_as_other_words() -> None:
    assembly = assembly_of(section("a", ours(INSISTS)), section("b", ours(INSISTS)))
    found = find_repeats(replace(assembly, tools=(tool("read_file"),)), words)
    texts = [(each.kind, each.text) for each in found]
    assert texts == [("same words", INSISTS.strip())]


# --- savings and weights ------------------------------------------------------------------------------------------


def copy_in(name: str) -> Copy:
    return Copy(name.lower(), name, 3, 5)


def test_each_kind_of_saving_says_what_goes() -> None:
    effects = (
        Effect("mode", "ask", "", -9, sections_removed=("a", "tools.x"), tools_removed=("x", "y")),
        Effect("mode", "plan", "Plan", -8, sections_removed=("a", "b", "c")),
        Effect("four", True, "on", -8, sections_removed=("a", "b", "c", "d")),
        Effect("all", True, "on", -7, sections_removed=("a", "b", "c"), tools_removed=("d", "e")),
        Effect("none", True, "on", -6),
        Effect("more", True, "on", 5),
        Effect("same", True, "on"),
        Effect("wrong", True, "on", -50, error="no"),
    )
    repeats = (
        Repeat("same words", "**Run** the\n tests", (copy_in("One"), copy_in("Two"), copy_in("One")), 4),
        Repeat("other words", "- Use it", (copy_in("One"), copy_in("Two")), 3, "read_file"),
        Repeat("same words", "uncounted", (copy_in("One"),), None),
    )
    sections = (
        section("whole", ours("x"), expected_tokens=20),
        section("part", ours("x"), expected_tokens=10, parent="whole"),
        section("deep", ours("x"), expected_tokens=1, parent="part"),
        section("gone", present=False, expected_tokens=40, parent="whole"),
        section("unknown", ours("x")),
    )
    tools = (tool("beside"), tool("told", "part"), tool("absent", present=False))
    files = (
        SourceFile("a.md", "/a.md", "rules", "always", True, WHY, 1, 1, 1, False, 12),
        SourceFile("b.md", "/b.md", "rules", "always", True, WHY, 1, 1, 1, False, 11, imported_by="a.md"),
        SourceFile("c.md", "/c.md", "rules", "always", False, WHY, 1, 1, 1, False, 99),
        SourceFile("d.md", "/d.md", "rules", "always", True, WHY, 1, 1, 1, False, 0),
    )
    found = savings(replace(assembly_of(*sections), tools=tools, files=files), effects, repeats)
    assert [(each.kind, each.id, each.title, each.tokens, each.detail) for each in found] == [
        ("section", "whole", "Whole", 31, "with 2 below it"),
        ("file", "a.md", "a.md", 12, "rules"),
        ("file", "b.md", "b.md", 11, "imported by a.md"),
        ("section", "part", "Part", 11, "with 1 below it"),
        ("switch", "mode=ask", "mode=ask", 9, "without a, x, y"),
        ("switch", "mode=Plan", "mode=Plan", 8, "without a, b, c"),
        ("switch", "four=on", "four=on", 8, "without a, b, c and 1 more"),
        ("switch", "all=on", "all=on", 7, "without a, b, c and 2 more"),
        ("switch", "none=on", "none=on", 6, ""),
        ("passage", "one", "Run the tests", 4, "3 times: One, Two"),
        ("tool", "beside", "beside", 3, "g"),
        ("passage", "one", "read_file: Use it", 3, "2 times in other words: One, Two"),
        ("section", "deep", "Deep", 1, ""),
    ]
    assert [each.line for each in found if each.kind == "passage"] == [3, 3]
    uncounted = replace(tool("beside"), tokens=ToolTokens(None, None, None))
    assert savings(replace(assembly_of(), tools=(uncounted,)), (), ()) == ()


@pytest.mark.parametrize(("lines", "bullets"), [(1, 0), (2, 2), (3, 3)])
def test_two_bullets_are_a_list(lines: int, bullets: int) -> None:
    text = "".join(f"- one more\n  of {n}\n" for n in range(lines))
    assert [(b.first, b.last, b.text, b.tokens) for b in bullets_of(section("a", ours(text)), words)] == [
        (2 * n, 2 * n + 1, "- one more", 5) for n in range(bullets)
    ]
    assert bullets_of(section("a", ours(text), present=False), words) == ()
    assert set(weights(assembly_of(section("a", ours(text))), words)) == ({"a"} if bullets else set())


@pytest.mark.parametrize(
    ("tokens", "expected", "scaled"), [(10, 20, 6), (10, 0, 3), (0, 20, 3), (None, 20, 3), (10, None, 3), (20, 10, 2)]
)
def test_bullets_weigh_what_their_section_is_expected_to(tokens: int | None, expected: int | None, scaled: int) -> None:
    two = section("a", ours("- one more\n- two more\n"), tokens=tokens, expected_tokens=expected)
    assert [bullet.tokens for bullet in bullets_of(two, words)] == [scaled, scaled]
    assert [bullet.tokens for bullet in bullets_of(two, lambda _: None)] == [None, None]


def test_a_section_without_a_file_s_text_is_the_agent_s() -> None:
    assert is_agents(section("a", ours("x"), Fragment("y", Origin("param", path="/p.md"))))
    assert not is_agents(section("a", ours("x"), of_file("y")))


def units_of(text: str) -> list[tuple[int, int, bool]]:
    """The first and the last line of each unit, and whether it is a bullet."""
    lines = text.split("\n")
    found = list(units(text))
    assert [unit.text for unit in found] == ["\n".join(lines[unit.first : unit.last + 1]) for unit in found]
    return [(unit.first, unit.last, unit.is_bullet) for unit in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("one", [(0, 0, False)]),
        ("one\ntwo", [(0, 1, False)]),
        ("one\n\ntwo", [(0, 0, False), (2, 2, False)]),
        ("\none\n", [(1, 1, False)]),
        ("# Title\none\n## More\ntwo", [(1, 3, False)]),
        ("# Title\n# Title\none", [(2, 2, False)]),
        ("====\n<tag>\n| a |\none", [(3, 3, False)]),
        ("one\n- a", [(0, 0, False), (1, 1, True)]),
        ("one\n```\ncode\n```\ntwo", [(0, 0, False), (4, 4, False)]),
        ("```\n- a\n```\n- b", [(3, 3, True)]),
        ("~~~\n```\n- a\n~~~\n- b", [(4, 4, True)]),
        ("```\n- a", []),
        ("  ```\n- a\n  ```\nb", [(3, 3, False)]),
        ("- a", [(0, 0, True)]),
        ("- a\n- b", [(0, 0, True), (1, 1, True)]),
        ("- a\n  - b\n- c", [(0, 1, True), (2, 2, True)]),
        ("  - a\n- b", [(0, 0, True), (1, 1, True)]),
        ("- a\nlazy\n- b", [(0, 1, True), (2, 2, True)]),
        ("- a\n# Title", [(0, 0, True)]),
        ("- a\n  # Title", [(0, 1, True)]),
        ("- a\n```\ncode\n```", [(0, 0, True)]),
        ("- a\n\n  more", [(0, 2, True)]),
        ("- a\n\n\n  more", [(0, 3, True)]),
        ("- a\n\n\n\n  more", [(0, 0, True), (4, 4, False)]),
        ("- a\n\nmore", [(0, 0, True), (2, 2, False)]),
        ("- a\n\n- b", [(0, 0, True), (2, 2, True)]),
        ("- a\n\n", [(0, 0, True)]),
        ("- a\n\n \n", [(0, 0, True)]),
        ("  - a\n\n  more", [(0, 0, True), (2, 2, False)]),
        ("  - a\n\n   more", [(0, 2, True)]),
        ("\t- a\n    - b\n     - c", [(0, 0, True), (1, 2, True)]),
        ("\t- a\n     - b", [(0, 1, True)]),  # a tab is four spaces
        ("    - a\n\t- b", [(0, 0, True), (1, 1, True)]),
        ("```py\n- a\n```\n- b", [(3, 3, True)]),
        ("* a\n• b\n1. c\n123) d", [(0, 0, True), (1, 1, True), (2, 2, True), (3, 3, True)]),
        ("1234. a\n-b\n- \n+ c", [(0, 3, False)]),
    ],
)
def test_units(text: str, expected: list[tuple[int, int, bool]]) -> None:
    assert units_of(text) == expected


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_text_that_is_too_long_is_not_divided(more: int) -> None:
    assert bool(units_of("x" * (200_000 + more))) is (more <= 0)
