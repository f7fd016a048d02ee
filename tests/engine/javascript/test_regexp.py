"""Which patterns JavaScript compiles: node takes and refuses the same ones."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.regexp import compiles

TAKEN = r"""
a|b ^a$ (a) (?:a)b (?=a)* (?!a)+ (?<=a)b (?<!a)b (?<n>a)\k<n> \k \k<n> (?<n>a)(?<m>b)\k<m>\k<n>
(?<n>a)\\k a* a+? a?? a{1} a{2,} a{1,2} a{2,2}? a{9,10} a{02,2} a{ { a{,5} a{1 ] } (a)* [a]* \d+ .* \b [] [^]
[a-z] [a-a] [-a] [a-] [^b-c] [^^-a] [a-c-a] [\d-a] [a-\d] [\w-a] [\s-a] [z\-a] [\b-\t] [\t-\n] [\n-\v] [\v-\f]
[\f-\r] [\0-\b] [\x41-\x42] [\u0041-B] [\x-z] [\ca-\cb] [\cZ-\x1a] [\]a] [\c] [[] [(] \( \[ []a- [\n-\x0a] [\t-\x09]
[\r-\x0d] [\v-\x0b] [\f-\x0c] [\b-\x08] [\0-\x00] [\ca-\x01] [\cz-\x1a]
"""
REFUSED = r"""
( ) a) (a (a)) (?a) (?P<n>a) (?i)a (?<n>a)(?<n>b) (?<1>a) (?<n>a)\k<m> (?<n>a)\k * (*a) |* ^* $+ a** a++
a{1}{2} {1} a{2,1} a{10,9} a{010,9} (?<=a)* (?<!a)+ \b+ \B* \ [ [a [\ [^ [z-a] [^z-a] [b-a] [\t-\b] [\n-\t]
[\v-\n] [\f-\v] [\r-\f] [\b-\0] [\x01-\0] [\x42-\x41] [B-\u0041] [\cb-\ca] [\x1b-\cZ] [a-c-ab-a] [a-c-ab-a [a])
"""


@pytest.mark.parametrize("pattern", ["", *TAKEN.split()])
def test_a_pattern_is_taken(pattern: str) -> None:
    assert compiles(pattern)


@pytest.mark.parametrize("pattern", REFUSED.split())
def test_a_pattern_is_refused(pattern: str) -> None:
    assert not compiles(pattern)


@pytest.mark.parametrize(("depth", "is_taken"), [(1_000, True), (1_001, True), (1_002, False)])
def test_groups_are_nested_up_to_a_limit(depth: int, is_taken: bool) -> None:
    assert compiles("(" * depth + ")" * depth) is is_taken
