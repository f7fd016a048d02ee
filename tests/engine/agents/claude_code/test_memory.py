from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.memory import MAX_LINES, MAX_UNITS, cleaned, cut, memory_folder
from promptscope_engine.agents.claude_code.materials import MemoryCut

if TYPE_CHECKING:
    from .conftest import Project


def test_the_folder_has_the_path_with_dashes() -> None:
    assert memory_folder("/h/.claude", "/work/My.app_1") == "/h/.claude/projects/-work-My-app-1/memory"


@pytest.mark.parametrize(
    ("configured", "folder"),
    [("~", "/h"), ("~/m/", "/h/m"), ("/m/../n", "/n"), ("~m", None), ("m", None), (5, None), (None, None)],
)
def test_a_folder_of_one_s_own_is_absolute_or_below_home(configured: Any, folder: str | None) -> None:
    assert memory_folder("/c", "/w", configured, "/h") == (folder or "/c/projects/-w/memory")


def test_two_hundred_lines() -> None:
    text, warning = cut("\n".join(f"line {n}" for n in range(300)))
    assert text.endswith("line 199")
    assert warning == MemoryCut("300 lines", "", total=300, line=201, start="line 200")


def test_units_are_cut_at_a_line() -> None:
    text, warning = cut("\n".join("x" * 307 for _ in range(150)))
    assert len(text) == 81 * 308 - 1
    assert warning == MemoryCut("", "45.1KB", total=150, line=82, start="x" * 79 + "…")
    assert cut("x" * 100_000)[1] == MemoryCut("", "97.7KB", total=1, line=1, inside=True)


def test_half_an_emoji_is_cut_whole() -> None:
    text, warning = cut("x" + "\U0001f600" * 20_000)
    assert text == "x" + "\U0001f600" * 12_499
    assert warning
    assert warning.size == "39.1KB"


def test_a_line_of_one_letter_before_a_long_one_is_a_place_to_cut() -> None:
    assert cut("x\n" + "y" * 30_000) == ("x", MemoryCut("", "29.3KB", total=2, line=2, start="y" * 79 + "…"))


def test_a_cut_behind_the_last_unit_of_a_line_keeps_the_line() -> None:
    text, warning = cut("x" * 25_000 + "\n\ny")
    assert (text, warning) == ("x" * 25_000, MemoryCut("", "24.4KB", total=3, line=2))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u200bb\u2060c\ufeff\u00ad\x07", "abc"), ("a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"),
        ("a\u200c\u200d\ufe0f\ufe0eb", "a\u200c\u200d\ufe0f\ufe0eb"), ("\ue000\U000e0041\u034f\u3164x", "x"),
        ("\t\u00a0\u3000", "\t\u00a0\u3000"),
    ],
)  # fmt: skip
def test_what_nobody_sees_is_taken_out(text: str, seen: str) -> None:
    assert cleaned(text) == seen


def test_front_matter_and_comments_do_not_count(project: Project) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    lines = "".join(f"- {n}\n" for n in range(200))
    project.write({f"{folder}/MEMORY.md": f"---\nname: x\n---\n\n<!-- a\nb -->\n{lines}"})
    file = project.file(f"{folder}/MEMORY.md")
    assert not file.truncated
    assert file.injected_chars == len(lines) - 1


@pytest.mark.parametrize(("lines", "is_cut"), [(199, False), (200, False), (201, True)])
def test_lines_one_below_at_and_one_above(lines: int, is_cut: bool) -> None:
    text, warning = cut("\n".join("x" * lines))
    assert text.count("x") == min(lines, 200)
    assert warning == (MemoryCut("201 lines", "", 201, 201, "x") if is_cut else None)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("x" * 24_999, 24_999), ("x" * 25_000, 25_000), ("x" * 25_001, 25_000), ("\n" + "x" * 25_000, 25_000),
        ("x\n" + "x" * 25_000, 1), ("é" * 25_001, 25_000),
    ],
)  # fmt: skip
def test_units_one_below_at_and_one_above(text: str, kept: int) -> None:
    found, warning = cut(text)
    assert (len(found), warning is not None) == (kept, kept != len(text))


@given(st.text(alphabet="aé\n", max_size=400).map(lambda text: text * 200))
def test_never_more_than_the_limits(text: str) -> None:
    kept, warning = cut(text)
    assert len(kept) <= MAX_UNITS
    assert kept.count("\n") < MAX_LINES
    assert (warning is None) == (kept == text)


@pytest.mark.slow
def test_it_stands_last_and_only_memory_md_is_loaded(project: Project) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    project.write({"workspace/CLAUDE.md": "root", f"{folder}/MEMORY.md": "- [a](a.md)\n", f"{folder}/a.md": "topic"})
    for version in ("2.1.100", "2.1.329"):
        assert project.loaded(version) == ["workspace/CLAUDE.md", f"{folder}/MEMORY.md"]
        env = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
        assert project.loaded(version, env=env) == ["workspace/CLAUDE.md"]
        sections = {s.id for s in project.assemble(version, env=env).sections if s.present}
        assert "memory_instructions" not in sections
        assert ("context_management" in sections) is (version == "2.1.329")


def test_a_subdirectory_has_its_repository_s_memory(repository: Project) -> None:
    repository.write({"workspace/sub/x": "x"})
    materials = repository.materials(workspace=str(repository.cwd / "sub"))
    assert materials.memory_folder == memory_folder(str(repository.root / "home/.claude"), str(repository.cwd))


def test_its_lines_are_those_of_the_file(project: Project) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    project.write({f"{folder}/MEMORY.md": "one\ntwo\n"})
    path = str(project.root / folder / "MEMORY.md")
    origins = [f.origin for s in project.assemble().sections for f in s.fragments if f.origin.path == path]
    assert [(origin.start_line, origin.end_line) for origin in origins] == [(1, 2)]


def test_a_cut_file_says_so(project: Project) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    project.write({f"{folder}/MEMORY.md": "line\n" * 300})
    file = project.file(f"{folder}/MEMORY.md")
    assert file.truncated
    assert file.injected_chars == 200 * 5 - 1
    section = project.assemble().section(f"user_context.file:~{file.path.removeprefix(str(project.root / 'home'))}")
    assert section is not None
    assert "\n\n> WARNING: MEMORY.md is 300 lines (limit: 200)" in section.text


SWITCH = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329", "2.1.332"])
@pytest.mark.parametrize(
    ("files", "more", "on"),
    [
        ({}, {}, True),
        ({}, {"env": {SWITCH: "1"}}, False),
        ({}, {"env": {SWITCH: "true"}}, False),
        ({}, {"env": {SWITCH: "0"}}, True),
        ({"home/.claude/settings.json": {"env": {SWITCH: "1"}}}, {}, False),
        ({"home/.claude/settings.json": {"autoMemoryEnabled": False}}, {}, False),
        ({"workspace/.claude/settings.json": {"autoMemoryEnabled": False}}, {}, False),
        ({"workspace/.claude/settings.local.json": {"autoMemoryEnabled": False}}, {}, False),
        ({"managed/managed-settings.json": {"autoMemoryEnabled": False}}, {}, False),
        ({}, {"params": {"settings": {"autoMemoryEnabled": False}}}, False),
        ({"home/.claude/settings.json": {"autoMemoryEnabled": False}}, {"env": {SWITCH: "0"}}, True),
        ({"managed/managed-settings.json": {"autoMemoryEnabled": False}}, {"env": {SWITCH: "0"}}, True),
        ({"home/.claude/settings.json": {"autoMemoryEnabled": False}}, {"env": {SWITCH: ""}}, False),
        ({}, {"params": {"args": {"bare": True}}}, False),
    ],
)
@pytest.mark.slow
def test_every_switch(project: Project, version: str, files: dict[str, Any], more: dict[str, Any], on: bool) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    project.write({f"{folder}/MEMORY.md": "- a\n", **{name: json.dumps(values) for name, values in files.items()}})
    section = project.assemble(version, **more).section("memory_instructions")
    assert section is not None
    assert section.present is on
    assert bool(project.loaded(version, **more)) is on


def test_no_instruction_files_but_instructions_on_memory(project: Project) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    project.write({f"{folder}/MEMORY.md": "- a\n", "workspace/CLAUDE.md": "root"})
    env = {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}
    for version in ("2.1.100", "2.1.329"):
        section = project.assemble(version, env=env).section("memory_instructions")
        assert section is not None
        assert section.present
        assert project.loaded(version, env=env) == []


@pytest.mark.parametrize("version", ["2.1.100", "2.1.329"])
def test_a_directory_of_one_s_own(project: Project, version: str) -> None:
    project.write(
        {"home/.claude/settings.json": '{"autoMemoryDirectory": "~/notes"}', "home/notes/MEMORY.md": "- own\n"}
    )
    assert project.loaded(version) == ["home/notes/MEMORY.md"]
    section = project.assemble(version).section("memory_instructions")
    assert section is not None
    assert f"{project.root}/home/notes/" in section.text
    # In 2.1.100 a repository may not say where a person's memories go; later each file of settings may [2.1.332].
    project.write({"workspace/.claude/settings.json": '{"autoMemoryDirectory": "/elsewhere"}'})
    project.workspace.forget(project.workspace.asked)
    assert project.loaded(version) == (["home/notes/MEMORY.md"] if version == "2.1.100" else [])


def test_a_folder_that_is_not_read_here_is_said_to_be_read(project: Project) -> None:
    away = project.root / "away"
    project.write({"away/MEMORY.md": "x", "workspace/.claude/settings.json": f'{{"autoMemoryDirectory": "{away}"}}'})
    why = project.file("away/MEMORY.md").why
    assert why.text.startswith(f"absent: left out here: {away} is outside of the folders that are read")


@pytest.mark.parametrize(("text", "remedy"), [(None, "create {0}"), ("\n", "write something into {0}")])
def test_what_would_bring_memories_in(project: Project, text: str | None, remedy: str) -> None:
    folder = memory_folder("home/.claude", str(project.cwd))
    if text is not None:
        project.write({f"{folder}/MEMORY.md": text})
    file = project.file(f"{folder}/MEMORY.md")
    assert file.why.remedy == remedy.format(file.path)


@pytest.mark.parametrize(
    ("written", "folder"),
    [("/elsewhere/memory", "/elsewhere/memory"), ("~/own", "HOME/own"), *[(each, "") for each in ("./m", "m", "/")]],
)
def test_a_folder_for_memories_that_does_not_count_is_named(project: Project, written: str, folder: str) -> None:
    """As 2.1.332 answered."""
    project.write({"workspace/.claude/settings.json": json.dumps({"autoMemoryDirectory": written})})
    assembly = project.assemble("2.1.332")
    notes = [d.message for d in assembly.diagnostics if d.code == "memory-folder"]
    assert bool(notes) is not bool(folder)
    assert all(written in note for note in notes)
    shown = folder.replace("HOME", str(project.root / "home")) or "/projects/"
    assert shown in project.materials("2.1.332").memory_folder
