"""Which texts a JavaScript pattern matches: as node says, in a bounded number of steps."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript import matcher as matcher_module
from promptscope_engine.javascript.matcher import Matcher, NotDecided

MATCHED = (
    (r"\.md$", "docs/a.md", "a.md\n"),
    (r"^(?!src/).*\.md$", "x/src/b.md", "src/b.md"),
    (r"(?<=docs/)\w+\b(?!\.md)", "docs/a.txt", "docs/a.md"),
    (r"(?<!\.test)\.ts$", "a.ts", "a.test.ts"),
    (r"^(?:a(?=b)|b(?=$))+$", "ab", "aab"),
    (r"(^CHANGELOG|^docs/.*)\.md$", "docs/x/a.md", "src/CHANGELOG.md"),
    (r"^[^\s/]+\.(?:js|tsx?)$", "a.tsx", "a b.ts"),
    (r"^\d{2,3}-[\w-]{0,4}$", "123-ab_c", "1234-a"),
    (r"^a{2}b{1,}c{,3}$", "aabbc{,3}", "abc"),
    (r"^.$", "é", "😀"),
    (r"^..$", "😀", "\u2028a"),
    (r"^[😀]", "😀", "x"),
    (r"^\s+$", "\ufeff\u00a0", "\u0085"),
    (r"^\w$", "_", "é"),
    (r"^\12\x41\u0042\cJ\0[\c_\b]$", "\nAB\n\0\x08", "12AB"),
    (r"^[]|^[^]\B$", "-", ""),
    (r"\bsrc\b", "a/src/b", "a/srcs/b"),
    (r"^\k<a>\c$", "k<a>\\c", "a"),
    (r"^\1$", "\x01", "1"),  # a number that no group has is octal
    (r"^(a)\2$", "a\x02", "aa"),
    (r"^(a)\12$", "a\n", "aa2"),
    (r"^[(]\1$", "(\x01", "(("),
    (r"^[\](]\1$", "]\x01", "]]"),
    (r"^\(\1$", "(\x01", "(("),
    (r"^(?:a)(?=\1)(?<=a)(?<!b)\1$", "a\x01", "aa"),
    (r"^[\c_][\c0]$", "\x1f\x10", "c0"),
    (r"^[\c$]+$", "\\c$", "d"),
    (r"^a{2}b{0003}$", "aabbb", "aabb"),
    (r"^a{00000000002}$", "aa", "a"),
    (r"^a{٣}$", "a{٣}", "aaa"),
    (r"^[^\0-\ud7ff]$", "\uffff", "a"),
    (r"^\B-", "-", "a"),
    (r"^a\b", "a-", "ba"),
    (r"(?=b)a|c", "c", "a"),
    (r"(?=(?<=a)b)b$", "ab", "bb"),
    (r"(?!a)$", "b", None),
    (r"$a|b", "b", "a"),
    (r"", "", None),
)
"""Pattern, a text that matches, one that does not (None: all do)."""


@pytest.mark.parametrize(("pattern", "yes", "no"), MATCHED)
def test_a_text_is_matched_as_in_node(pattern: str, yes: str, no: str | None) -> None:
    matcher = Matcher(pattern)
    assert matcher.test(yes)
    assert no is None or not matcher.test(no)


@pytest.mark.parametrize("pattern", [r"(a)\1", r"\1(a)", r"(?<x>a)\k<x>", r"(?<x>a)\1", r"[(](a)\1", "(?i:a)"])
def test_what_needs_going_back_is_not_decided(pattern: str) -> None:
    with pytest.raises(NotDecided, match=r"backreference|flags of a group, \(\?i:"):
        Matcher(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", "(?=(a+)+$)c", "(.*a){20}$"])
def test_no_pattern_takes_longer_than_its_text(pattern: str) -> None:
    matcher = Matcher(pattern)
    assert not matcher.test("a" * 3_000 + "!")
    assert matcher.work < 100_000


def test_repetitions_are_written_out_up_to_a_limit() -> None:
    room = 2_000 - 1  # one position is where it has matched
    assert Matcher(f"^a{{{room - 1}}}").test("a" * (room - 1))
    with pytest.raises(NotDecided, match="more than 2,000 positions"):
        Matcher(f"^a{{{room}}}")
    with pytest.raises(NotDecided, match="more than 2,000 positions"):
        Matcher("(){99999999999999999999}")
    assert Matcher("(){19999}").test("")  # without positions there may be ten times as many
    with pytest.raises(NotDecided, match="more than 2,000 positions"):
        Matcher("(){20000}")


@pytest.mark.parametrize(
    ("before", "after"),
    [("(?:a", ")"), ("(?:a|", ")"), ("(?:", ")*"), ("(?:", ")?"), ("(?:", "){1}"), ("(?=", ")"), ("(?<!", ")")],
)
def test_a_pattern_has_150_levels_of_each_kind(before: str, after: str) -> None:
    assert Matcher(before * 150 + "a" + after * 150)
    with pytest.raises(NotDecided, match="more than 150 levels"):
        Matcher(before * 151 + "a" + after * 151)


def test_other_limits_are_said() -> None:
    assert Matcher("(?:)" * 1_024).test("a")
    with pytest.raises(NotDecided, match="longer than 4,096 characters"):
        Matcher("(?:)" * 1_025)


def test_a_text_that_takes_too_many_steps_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join("ab"[n * n % 7 % 2] for n in range(300))
    spent = Matcher("a[ab]{40}c")
    assert not spent.test(text)
    assert spent.work < matcher_module.MAX_WORK == 500_000
    monkeypatch.setattr(matcher_module, "MAX_WORK", spent.work)
    assert not Matcher("a[ab]{40}c").test(text)
    monkeypatch.setattr(matcher_module, "MAX_WORK", spent.work - 1)
    with pytest.raises(NotDecided, match="steps"):
        Matcher("a[ab]{40}c").test(text)


@pytest.mark.parametrize(
    ("pattern", "chars"),
    [
        ("[ac]", "ac"),
        ("[ab]", "ab"),
        ("[a-cb-d]", "abcd"),
        ("[a-db]", "abcd"),
        ("[eac]", "ace"),
        (r"\d", "0123456789"),
        (r"\w", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"),
        (r"\s", "\t\n\x0b\x0c\r "),
        (r"[\d/-]", "-/0123456789"),
        (r"[\d-z]", "-0123456789z"),
        (r"[z-\d]", "-0123456789z"),
    ],
)
def test_a_set_has_these_characters_and_no_neighbour_of_theirs(pattern: str, chars: str) -> None:
    every = [chr(code) for code in range(128)]
    assert "".join(char for char in every if Matcher(f"^{pattern}$").test(char)) == chars
    inverse = f"[^{pattern[1:]}" if pattern.startswith("[") else f"[^{pattern}]"
    assert [char for char in every if not Matcher(f"^{inverse}$").test(char)] == list(chars)
