"""The order of a files list and its marks."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import strategies as st

from promptscope_engine.agents.roo.ignore import format_files_list
from promptscope_engine.agents.roo.responses import RooIgnore, RooProtected

ASCII = st.text(st.characters(max_codepoint=127), max_size=8)


def _listed(*names: str, **options: object) -> list[str]:
    text = format_files_list("/p", [f"/p/{name}" for name in names], False, **options)  # type: ignore[arg-type]
    return text.split("\n")


def test_files_come_before_folders_at_each_level() -> None:
    assert _listed("src/", "src/sub/z.ts", "src/sub/", "zed.md", "src/b.ts") == [
        "zed.md",
        "src/",
        "src/b.ts",
        "src/sub/",
        "src/sub/z.ts",
    ]


@pytest.mark.slow
def test_numbers_go_by_value_and_case_and_accents_do_not_count() -> None:
    assert _listed("a10", "a9", "a09b", "Äa", "ab", "AC") == ["a9", "a09b", "a10", "Äa", "ab", "AC"]


def test_ties_stay_as_they_came() -> None:
    assert _listed("README", "readme", "ReadMe") == ["README", "readme", "ReadMe"]
    assert _listed("élan", "elan", "Elan") == ["élan", "elan", "Elan"]


def test_punctuation_in_icu_order() -> None:
    assert _listed("a", "1", "$", "~", "@", ".x", "-x", "_x") == ["_x", "-x", ".x", "@", "~", "$", "1", "a"]


def test_other_scripts_follow_the_latin_one() -> None:
    assert _listed("я", "б", "日本", "z", "α") == ["z", "α", "б", "я", "日本"]


def test_the_tables_are_loaded_only_for_names_that_need_them() -> None:
    script = (
        "import sys; from promptscope_engine.agents.roo.ignore import format_files_list;"
        "format_files_list('/p', ['/p/a', '/p/b'], False); sys.exit('pyuca' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_marks() -> None:
    names = ("AGENTS.md", "a.pem", "b.md", ".rooignore")
    ignore, protected = RooIgnore("/p", "*.pem\n"), RooProtected("/p")
    shown = _listed(*names, ignore=ignore, show_ignored=True, protected=protected)
    assert shown == ["🔒 .rooignore", "🔒 a.pem", "🛡️ AGENTS.md", "b.md"]
    assert _listed(*names, ignore=ignore, protected=protected) == ["🛡️ AGENTS.md", "b.md"]
    assert _listed(*names, protected=protected) == [".rooignore", "a.pem", "AGENTS.md", "b.md"]


def test_a_folder_pattern_hides_what_is_below_but_not_the_entry() -> None:
    assert _listed("secret/", "secret/k", ignore=RooIgnore("/p", "secret/\n")) == ["secret/"]


@pytest.mark.parametrize("files", [[], ["/p/a.pem"]])
def test_nothing_to_show_is_a_sentence_and_the_limit_a_note(files: list[str]) -> None:
    ignore = RooIgnore("/p", "*.pem")
    sentence = format_files_list("/p", files, False, ignore=ignore)
    assert "\n" not in sentence
    assert "a.pem" not in sentence
    assert format_files_list("/p", files, True, ignore=ignore).startswith("\n\n(")


def test_paths_outside_the_directory_are_relative_too() -> None:
    assert format_files_list("/p/q", ["/p/a", "/p/q/b", "/p/q/"], False) == "b\n/\n../a"
