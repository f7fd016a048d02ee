from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("version", "model", "roles"),
    [
        ("2.1.100", None, ["user", "user"]),
        ("2.1.329", None, ["user", "user", "system"]),
        ("2.1.329", "claude-sonnet-4-5-20250929", ["user", "user"]),
    ],
)
def test_a_mention_is_an_earlier_message(project: Project, version: str, model: str | None, roles: list[str]) -> None:
    project.write({"workspace/a.txt": "one\ntwo\n"})
    messages = project.assemble(version, model=model, params={"prompt": "see @a.txt and @gone.txt"}).request.messages
    assert [m["role"] for m in messages] == roles
    call, result = (block["text"] for block in messages[0]["content"])
    assert f'{{"file_path": "{project.cwd}/a.txt"}}' in call
    assert result.endswith("\n1\tone\n2\ttwo\n</system-reminder>")


def test_forms_of_mentions(project: Project) -> None:
    project.write({"workspace/a b.txt": "x", "workspace/c": "y", "home/h": "z"})
    found = project.materials(params={"prompt": 'me@c "@c" @"a b.txt"\n@~/h @c @c @.'}).mentions
    assert [project.short(m.path) for m in found] == ["workspace/a b.txt", "home/h", "workspace/c"]


def test_two_thousand_lines_are_read(project: Project) -> None:
    project.write({"workspace/long": "line\n" * 2_500})
    file = project.file("workspace/long", params={"prompt": "@long"})
    assert file.truncated
    assert file.present
    assert file.injected_chars == 2_000 * 5 - 1


def test_what_may_not_be_read_is_absent(project: Project) -> None:
    assembly = project.assemble(params={"prompt": "@/etc/hostname"})
    found = [f for f in assembly.files if f.kind == "mention"]
    assert all(not f.present and "outside" in f.why.text for f in found)
    assert len(assembly.request.messages) == 2


@pytest.mark.parametrize(("count", "read"), [(49, 49), (50, 50), (51, 50)])
def test_so_many_files_are_read(project: Project, count: int, read: int) -> None:
    names = [f"f{number:02}.md" for number in range(count)]
    project.write({f"workspace/{name}": "x" for name in names})
    assembly = project.assemble(params={"prompt": " ".join(f"@{name}" for name in names)})
    assert len([file for file in assembly.files if file.kind == "mention"]) == read


@pytest.mark.parametrize(("lines", "truncated"), [(1_999, False), (2_000, False), (2_001, True)])
def test_so_many_lines_of_a_file_are_read(project: Project, lines: int, truncated: bool) -> None:
    project.write({"workspace/a.md": "x\n" * lines})
    row = project.file("workspace/a.md", params={"prompt": "see @a.md"})
    assert (row.truncated, row.injected_chars) == (truncated, 2 * min(lines, 2_000) - 1)


@pytest.mark.parametrize(
    ("prompt", "is_read"),
    [
        ("@a.md", True), ("see @a.md", True), ("see\n@a.md", True), ('@"a.md"', True), ("see@a.md", False),
        ("(@a.md)", False), ("@./b/../a.md", True), ("@~/a.md", False), ("@{cwd}/a.md", True),
        ("@b", False), ("@", False),
    ],
)  # fmt: skip
def test_what_names_a_file(project: Project, prompt: str, is_read: bool) -> None:
    project.write({"workspace/a.md": "x", "workspace/b/c": "x"})
    assembly = project.assemble(params={"prompt": prompt.replace("{cwd}", str(project.cwd))})
    assert [project.short(f.path) for f in assembly.files if f.kind == "mention"] == ["workspace/a.md"] * is_read
