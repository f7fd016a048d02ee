"""Text as JavaScript sees it, and paths as Node does."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.text import (
    display_width,
    join,
    js_trim,
    js_trim_end,
    relative,
    resolve,
    splits_pair,
    to_posix,
    utf16_len,
    utf16_slice,
    utf16_units,
    well_formed,
)


def test_trim_takes_what_javascript_takes() -> None:
    assert js_trim("\ufeff\u00a0\u3000\u2028 a \u2003\u205f\v\f\r\n\t") == "a"
    assert js_trim_end(" a\u00a0") == " a"


@pytest.mark.parametrize("char", ["\x85", "\x1c", "\x1f", "\u200b"])
def test_trim_leaves_what_only_python_strips(char: str) -> None:
    assert js_trim(f"{char}a{char}") == f"{char}a{char}"


def test_lengths_and_slices_count_utf16_units() -> None:
    assert utf16_len("a🛡b") == 4
    assert utf16_slice("a🛡b", 1, 3) == "🛡"
    assert utf16_slice("a🛡b", 0, 2) == "a\ufffd"
    assert utf16_slice("a🛡b", -1) == "b"
    assert utf16_slice("abc", 2, 1) == ""


@pytest.mark.parametrize(
    ("text", "places"), [("ab", []), ("🛡", [1]), ("a🛡b", [2]), ("🛡🛡", [1, 3]), ("ab🛡", [3]), ("", []), ("ÿ\uffff", [])]
)
def test_a_cut_splits_a_pair_in_its_middle_alone(text: str, places: list[int]) -> None:
    assert [at for at in range(utf16_len(text) + 2) if splits_pair(text, at)] == places


def test_surrogates_are_put_together_or_replaced() -> None:
    assert well_formed("\ud83d\ude00 \ud83d") == "😀 \ufffd"


def test_units_stand_alone() -> None:
    assert utf16_units("a😀é\uffff\udc00") == "a\ud83d\ude00é\uffff\udc00"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("ab", 2), ("a\t", 1), ("日本", 4), ("é", 1), ("e\u0301", 1), ("👩\u200d💻x", 3), ("❤\ufe0f", 2)],
)
def test_columns_are_those_of_a_terminal(text: str, columns: int) -> None:
    assert display_width(text) == columns


@pytest.mark.parametrize(
    ("base", "path", "resolved", "way"),
    [
        ("/a/b", "/a/b", "/a/b", ""),
        ("/a/b", "/a/b/", "/a/b", ""),
        ("/a/b", "/a/b/c", "/a/b/c", "c"),
        ("/a/b", "/a/c", "/a/c", "../c"),
        ("/a/b", "//a//x/../c", "/a/c", "../c"),
        ("/", "/a", "/a", "a"),
    ],
)
def test_an_absolute_path(base: str, path: str, resolved: str, way: str) -> None:
    assert resolve(base, path) == resolved
    assert relative(base, path) == way


@pytest.mark.parametrize(
    ("folder", "name", "joined"),
    [("/a", "b", "/a/b"), ("a", "../b", "b"), ("", "b", "b"), ("a", "/b", "a/b"), ("a/", "./b/", "a/b")],
)
def test_a_name_below_a_folder(folder: str, name: str, joined: str) -> None:
    assert join(folder, name) == joined


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (r"C:\a\b", "C:/a/b"),
        (r"\\srv\a", "//srv/a"),
        (r"/a\ b", "/a/ b"),
        (r"\\?\C:\a", r"\\?\C:\a"),
        (r"\?\a", "/?/a"),
    ],
)
def test_a_path_of_windows_in_slashes(path: str, shown: str) -> None:
    assert to_posix(path) == shown
