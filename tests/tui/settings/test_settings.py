"""The settings: read, checked key by key, and documented."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.generated import assert_current_between

from promptscope_tui.actions.bindings import with_keys
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.settings.settings import (
    DEFAULTS,
    MAX_BYTES,
    FoundSettings,
    Settings,
    read_settings,
)


def settings_table() -> str:
    """Every setting as Markdown."""
    lines = ["| setting | default | what it sets |", "|---|---|---|"]
    for name, info in Settings.model_fields.items():
        default = info.get_default()
        shown = {None: "", True: "`true`", False: "`false`"}.get(default, f'`"{default}"`') if default != {} else ""
        lines.append(f"| `{name}` | {shown} | {info.description} |")
    return "\n".join(lines) + "\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    assert read_settings(file) == FoundSettings(DEFAULTS)
    assert Settings() == DEFAULTS


def test_every_setting_is_read(file: Path) -> None:
    file.write_text(
        'theme = "light"\ntab = "files"\nagent = "roo"\ntokenizer = "cl100k_base"\neditor = "hx"\nmouse = false\n'
        '[keymap]\ntheme = "f2,ctrl+y"\n'
    )
    found = read_settings(file, BY_ID)
    assert found.problems == ()
    assert found.settings.model_dump() == {
        "theme": "light",
        "tab": "files",
        "agent": "roo",
        "tokenizer": "cl100k_base",
        "editor": "hx",
        "mouse": False,
        "keymap": {"theme": "f2,ctrl+y"},
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('thme = "dark"', "unknown key 'thme' (did you mean theme?)"),
        ('theme = "drak"', "theme: input should be 'last', 'dark', 'light' or 'ansi', not 'drak' (did you mean dark?)"),
        ('agent = "rooo"', "agent: unknown agent 'rooo' (did you mean roo?)"),
        ('tokenizer = "o200"', "tokenizer: no tokenizer 'o200'; did you mean o200k_base"),
        ("mouse = 1", "mouse: input should be a valid boolean, not 1"),
        ("editor = 3", "editor: input should be a valid string, not 3"),
        ("keymap = 3", "keymap: input should be a valid dictionary, not 3"),
        ('keymap.themes = "f2"', "unknown action 'themes' (did you mean theme?)"),
        ('keymap.theme = ""', "keymap: no key is given for 'theme'"),
        ("keymap.theme = 3", "keymap: input should be a valid string, not 3"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_the_rest_holds(file: Path, line: str, words: str) -> None:
    file.write_text(
        f'# mine\ntab = "tools"\n{line}\nkeymap.quit_app = "f10"\n'.replace(
            "keymap.quit", "#" * ("keymap = " in line) + "keymap.quit"
        )
    )
    found = read_settings(file, BY_ID)
    (problem,) = found.problems
    assert problem.startswith(f"{file}:3: {words}")
    assert found.settings.tab == "tools"
    assert found.settings.keymap == ({} if "keymap = " in line else {"quit_app": "f10"})


def test_several_problems_are_all_named(file: Path) -> None:
    file.write_text('thme = "dark"\nmouse = "no"\ntab = "window"\n')
    found = read_settings(file, BY_ID)
    assert [problem.removeprefix(f"{file}:").partition(":")[0] for problem in found.problems] == ["1", "2"]
    assert found.settings.tab == "window"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'tab = "tools"\ntheme =\n', ":2: Invalid value; the defaults hold"),
        (b"\xff", ": is not UTF-8 text"),
        (b" " * (MAX_BYTES + 1), ": larger than 1,048,576 bytes"),
        (b"a = " + b"[" * 5000, ":1: "),
    ],
)
def test_a_broken_file_leaves_the_defaults(file: Path, data: bytes, words: str) -> None:
    file.write_bytes(data)
    found = read_settings(file, BY_ID)
    assert found.settings == DEFAULTS
    assert found.problems[0].startswith(f"{file}{words}")
    file.unlink()
    file.mkdir()
    assert read_settings(file).problems == (f"{file}: cannot read the settings: Is a directory",)


def test_the_documents_have_the_table_of_settings() -> None:
    begins = "settings.py; a test compares -->\n"
    assert_current_between("docs/app.md", begins, "<!-- /settings -->", settings_table())
    assert all(field.description for field in Settings.model_fields.values())


def test_the_table_of_actions_under_a_keymap() -> None:
    actions = {action.id: action for action in with_keys({"theme": "f2, q", "choose": "ctrl+q"})}
    assert actions["theme"].shown_keys == "f2 q"
    assert actions["quit_app"].shown_keys == "", "what is given to one is taken from the other"
    assert actions["choose"].shown_keys == "^q"
    assert actions["help_close"].keys == BY_ID["help_close"].keys, "another screen has keys of its own"
    assert actions["help"] == BY_ID["help"]
