"""None"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.limit import limited

from promptscope_engine.agents.claude_code.globs import first_braces, names_any, path_matcher, path_patterns


@pytest.mark.parametrize(
    ("value", "patterns"),
    [
        ("src/**", ("src/**",)),
        ("lib/*.ts, nothing/**", ("lib/*.ts", "nothing/**")),
        ("{a,b}/*.py, c", ("{a,b}/*.py", "c")),
        ("{a,{b,c}},d", ("{a,{b,c}}", "d")),
        ("{{a},b},c", ("{{a},b}", "c")),
        ("{a},b", ("{a}", "b")),
        ("}a,b", ("}a,b",)),
        ("}{a,b},c", ("}{a", "b},c")),
        ("{a,b", ("{a,b",)),
        ("a,b,", ("a", "b")),
        (",,a", ("a",)),
        ([["a", "b"], "c", 5, None], ("a", "b", "c")),
        ("**,**", None),
        ("**,a", ("**", "a")),
        ("/**", None),
        ("**/**", None),
        ("**/*", ("**/*",)),
        (["docs/**", "src/*.py"], ("docs/**", "src/*.py")),
        (None, None),
        ("", None),
        ("**", None),
        ([], None),
        ({"a": 1}, None),
    ],
)
def test_patterns_are_taken_from_a_text_or_a_list(value: object, patterns: tuple[str, ...] | None) -> None:
    assert path_patterns(value) == patterns


@pytest.mark.parametrize(
    ("pattern", "path", "hit"),
    [
        ("*.ts", "/w/deep/down/x.ts", True),
        ("lib/", "/w/lib/a/b.py", True),
        ("./lib/y.ts", "/w/lib/y.ts", False),
        ("src/**/*.py", "/w/src/x.py", True),
        ("src/*.py", "/w/src/a/x.py", False),
        ("{src,lib}/**/*.{ts,tsx}", "/w/lib/y.tsx", True),
        ("src/**", "/elsewhere/src/x", False),
        ("src/**", "/w/lib/src/x", True),  # `src/**` is `src`
        ("/src/**", "/w/lib/src/x", False),
        ("SRC/*.TS", "/w/src/a.ts", True),
        ("*.{ts}", "/w/a.ts", True),
        ("*.{ts,{mts,cts}}", "/w/a.ts", False),
        ("{{src}}/*", "/w/src/a.ts", True),
        ("src/{{a,b},c}.ts", "/w/src/a.ts", True),
        ("src/{a,{b,c}}.ts", "/w/src/a.ts", False),
    ],
)
def test_paths_that_a_pattern_names(pattern: str, path: str, hit: bool) -> None:
    assert path_matcher((pattern,), "/w")(path) is hit


@pytest.mark.parametrize("count", [255, 256, 257])
def test_only_so_many_patterns_count(count: int) -> None:
    found = path_patterns(",".join(f"p{number}" for number in range(count)))
    assert found is not None
    assert len(found) == min(count, 256)


@pytest.mark.parametrize(
    ("base", "path", "hit"),
    [("/w/", "/w/a", True), ("/w", "/w/a", True), ("/", "/a", True), ("/w", "/wa", False), ("/w/x", "/w/a", False)],
)
def test_a_pattern_is_relative_to_its_folder(base: str, path: str, hit: bool) -> None:
    assert path_matcher(("a",), base)(path) is hit


@given(st.text(max_size=60), st.text(alphabet="ab/.*", max_size=30))
def test_never_raises(pattern: str, path: str) -> None:
    assert path_matcher((pattern,), "/w")(f"/w/{path}") in (True, False)


@pytest.mark.parametrize(
    ("pattern", "written_out"),
    [
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("{a, b}", ["a", "b"]),
        ("{a}", ["a"]),
        ("{}{a,b}", ["{}{a,b}"]),
        ("{a,{b,c}}", ["a}", "b", "c}"]),
        ("a,b}", ["a,b}"]),
        ("", [""]),
    ],
)
def test_braces_from_the_first_to_the_first(pattern: str, written_out: list[str]) -> None:
    assert first_braces(pattern) == written_out


@pytest.mark.parametrize("pattern", ["{a,b}" * 800, "{" + "," * 4_000 + "}", "{a," * 1_000 + "}" * 1_000, "{" * 4_000])
def test_braces_end_soon(pattern: str) -> None:
    with limited(60):
        assert len(first_braces(pattern)) <= 256


LINKS = {"/w/link": "/w/docs", "/x": "/w"}


@pytest.mark.parametrize(
    ("pattern", "hit"),
    [
        ("/w/docs/a.md", True),
        ("/w//docs/./a.md", True),
        ("/w/none/../docs/*.md", True),
        ("/w/docs//*.md", False),  # what stands just before a sign is not looked up
        ("/w/link/a.md", True),
        ("/w/link/@(a|b).md", True),
        ("/w/link/*.md", False),
        ("/w/link/**", False),
        ("/w/other/l.md", True),
        ("docs/a.md", False),
        ("\\**/docs/a.md", True),
        ("/**", True),
        ("/*", False),
        ("!/w/docs/a.md", True),
    ],
)
def test_a_pattern_names_a_link_or_its_target(pattern: str, hit: bool) -> None:
    def real_path(path: str) -> str:
        return LINKS.get(path, path)

    assert names_any(pattern, ["/w/other/l.md", "/w/docs/a.md"], real_path) is hit
