"""Paths as Node's `path` has them."""

from __future__ import annotations

import pytest

from promptscope_engine.javascript.path import join, relative, resolve, to_posix


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
