"""Paths of another system, pretended: how they are written here, and how they are handed back."""

from __future__ import annotations

import ntpath
import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.workspace import paths


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "SYSTEM", ntpath)


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (r"C:\Users\ada", "/C:/Users/ada"),
        ("C:/Users/ada", "/C:/Users/ada"),
        (r"c:\work", "/C:/work"),
        ("D:\\", "/D:"),
        (r"\\server\share\docs", "//server/share/docs"),
        (r"\\?\C:\work", "/C:/work"),
        (r"\\?\UNC\server\share", "//server/share"),
        (r"docs\a.md", "docs/a.md"),
        (r"..\a.md", "../a.md"),
        ("~", "~"),
        ("", ""),
    ],
)
def test_a_path_of_windows_is_written_with_slashes(theirs: str, ours: str) -> None:
    assert paths.from_system(theirs) == ours
    assert paths.from_system(ours) == ours


NAMES = st.text("abz .-_é", min_size=1, max_size=8).filter(lambda name: name.strip(". ") == name)


@given(st.sampled_from(["C:\\", "Z:\\", "\\\\server\\share\\"]), st.lists(NAMES, max_size=4))
def test_a_path_of_windows_comes_back_as_it_was(start: str, names: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "SYSTEM", ntpath)
        path = start + "\\".join(names)
        ours = paths.from_system(path)
        assert ours.startswith("/")
        assert "\\" not in ours
        assert paths.to_system(ours) == path
        assert paths.to_system(path) == path


@pytest.mark.usefixtures("windows")
def test_what_is_named_in_a_folder_may_have_a_drive_of_its_own() -> None:
    assert paths.path_in("/C:/work", r"docs\a.md") == "/C:/work/docs/a.md"
    assert paths.path_in("/C:/work", r"..\a.md") == "/C:/a.md"
    assert paths.path_in("/C:/work", r"D:\a.md") == "/D:/a.md"
    assert paths.path_in("//server/share", "a.md") == "//server/share/a.md"


@pytest.mark.usefixtures("windows")
def test_variables_that_name_a_folder_are_read_as_paths_and_others_stay() -> None:
    env = {"CODEX_HOME": r"D:\codex", "COMSPEC": r"C:\Windows\System32\cmd.exe", "PATH": r"C:\bin;D:\bin;C:\bin"}
    assert paths.variables(env) == env | {"CODEX_HOME": "/D:/codex"}
    assert paths.folders_of(env["PATH"]) == ("/C:/bin", "/D:/bin")


@given(st.text(max_size=30))
def test_elsewhere_a_path_stays_as_it_is_whatever_it_holds(path: str) -> None:
    assert paths.SYSTEM is posixpath
    assert paths.to_system(path) == paths.from_system(path) == path
