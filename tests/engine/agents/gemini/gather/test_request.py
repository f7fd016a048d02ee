"""What the message names with `@`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.engine.agents.gemini.conftest import Project, parts

pytestmark = pytest.mark.slow


OPENING, CLOSING = "\n--- Content from referenced files ---", "\n--- End of content ---"


def read(project: Project, prompt: str, **given: object) -> list[str]:
    """The names of the files that are read."""
    found = [part for part in parts(project, prompt=prompt, **given) if part.startswith("\nContent from @")]
    return [part.removeprefix("\nContent from @").removesuffix(":\n") for part in found]


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("@a.md", ["a.md"]), ("@a.md,", ["a.md"]), ("(@a.md)", ["a.md"]), ("x@a.md", ["a.md"]), ("@a.md.", ["a.md"]),
        ("@a.md,b @b.md", ["a.md", "b.md"]), ("@./a.md", ["./a.md"]), ("@a.md @a.md", ["a.md"]), ("@d", ["d/x"]),
        ("@d/", ["d/x"]), ("@../out", []), ("@nothing @e.md", ["e.md"]), ("@c.md!", ["c.md"]), ("@\0", []),
        ("\\\\@a.md", []), ("@two\\ words.md", ["two words.md"]), ('@"two words.md"', []), ("@A.MD", ["A.MD"]),
        ("@.", []), ("@d/*.none", []), ("@GEMINI.md", []), ("@dist/x.md", []), ("@node_modules/x.md", []),
        ("@y[1].md", ["y"]), ("@{W}/a.md", ["a.md"]),
    ],
)  # fmt: skip
def test_what_a_message_names(project: Project, prompt: str, named: list[str]) -> None:
    names = ("a.md", "b.md", "c.md", "d/x", "two words.md", "GEMINI.md", "dist/x.md", "node_modules/x.md", "y")
    project.write({f"workspace/{name}": "x" for name in names})
    project.write({"extra/e.md": "e", "out": "o"})
    args = {"includeDirectories": ["../extra"]}
    assert read(project, prompt.replace("{W}", project.cwd), args=args) == named


@pytest.mark.parametrize(
    ("prompt", "sent"),
    [
        ("see @d now", "see @d/** now"), ("x@a.md", "x @a.md"), ("  @a.md  @d/x ", "@a.md @d/x"), ("@nope", "@nope"),
        ("@x and @nope", "@d/x and @nope"), ("@./d/", "@d/**"), ("me@example.org", "me@example.org"),
    ],
)  # fmt: skip
def test_the_message_says_what_was_found(project: Project, prompt: str, sent: str) -> None:
    project.write({"workspace/a.md": "A", "workspace/d/x": "X"})
    assert parts(project, prompt=prompt)[0] == sent


def test_the_files_stand_between_their_lines_with_the_context_files_around_them(project: Project) -> None:
    project.write({"workspace/p/x.ts": "\nX\r\n\r\n1\n", "workspace/p/s/y.ts": "Y", "workspace/p/GEMINI.md": "P"})
    project.write({"workspace/p/s/GEMINI.md": "S", "workspace/p/empty": ""})
    places = [(f"{project.cwd}/p/GEMINI.md", "P"), (f"{project.cwd}/p/s/GEMINI.md", "S")]
    context = [f"--- Context from: {at} ---\n{text}\n--- End of Context from: {at} ---" for at, text in places]
    found = "\n\n--- Newly Discovered Project Context ---\n" + "\n".join(context) + "\n--- End Project Context ---"
    assert parts(project, prompt="@p") == [
        "@p/**", OPENING, "\nContent from @p/empty:\n", "\nContent from @p/s/y.ts:\n", "Y",
        "\nContent from @p/x.ts:\n", "X\n\n1", found, CLOSING,
    ]  # fmt: skip
    rows = [file.path for file in project.assemble(prompt="@p").files if file.kind == "mention"]
    assert rows == [f"{project.cwd}/p/{name}" for name in ("empty", "s/y.ts", "x.ts")]


def test_of_files_that_fit_a_name_the_newest_is_meant(project: Project) -> None:
    project.write({"workspace/new/a.txt": "N", "workspace/old/a.txt": "O", "workspace/nope/a.md": "M"})
    for name, age in (("new", 10), ("old", 20), ("nope", 5)):
        path = Path(project.cwd, name)
        for file in path.iterdir():
            at = file.stat().st_mtime - age
            os.utime(file, (at, at))
    assert parts(project, prompt="@a.txt")[0] == "@new/a.txt"
    for path in Path(project.cwd).glob("*/a.txt"):
        os.utime(path, (1, 1))
    assert parts(project, prompt="@a.txt")[0] == "@new/a.txt"  # among old ones the first by name
    off = {"context": {"fileFiltering": {"enableRecursiveFileSearch": False}}}
    assert parts(project, prompt="@a.txt", settings=off) == ["@a.txt"]


@pytest.mark.parametrize("prompt", ["@out.txt", "@hidden.txt", "@h/a.txt"])
def test_what_is_hidden_or_outside_is_not_read(project: Project, prompt: str) -> None:
    project.write({"workspace/.geminiignore": "hidden.txt\nh/", "workspace/hidden.txt": "H", "workspace/h/a.txt": "H"})
    project.write({"shared/o.txt": "O"})
    Path(project.cwd, "out.txt").symlink_to("../shared/o.txt")
    assert parts(project, prompt=prompt) == [prompt]


def test_a_hidden_file_that_is_named_has_a_row(project: Project) -> None:
    project.write({"workspace/.geminiignore": "hidden.txt", "workspace/hidden.txt": "H"})
    why = project.file("workspace/hidden.txt", prompt="@hidden.txt").why
    assert why.text == "absent: the prompt names it, and .geminiignore hides it"


def test_the_text_of_a_file_that_is_named_is_from_its_lines(project: Project) -> None:
    project.write({"workspace/a.txt": "\none\ntwo\n"})
    fragments = [each for section in project.assemble(prompt="@a.txt").sections for each in section.fragments]
    (origin,) = [each.origin for each in fragments if each.text == "one\ntwo"]
    assert (origin.kind, origin.start_line, origin.end_line) == ("file", 2, 3)


def test_a_long_file_is_cut(project: Project) -> None:
    project.write({"workspace/a.txt": "x\n" * 2_001, "workspace/b.txt": "y" * 2_001, "workspace/c.txt": "x\n" * 1_999})
    found = parts(project, prompt="@a.txt @b.txt @c.txt")
    texts = [part for part in found if part[-1:] in "xy]" and not part.startswith(("@", "\n"))]
    assert [len(text.rpartition("\n\n")[2]) for text in texts] == [3_999, 2_015, 3_997]
    assert [text.startswith("[") for text in texts] == [True, True, False]


def test_sub_agents_that_are_named_are_said(project: Project) -> None:
    found = parts(project, prompt="@cli_help what is new")
    assert found[0] == "@cli_help what is new"
    assert "cli_help" in found[1]
    assert len(found) == 2


def test_of_a_folder_that_is_named_500_files_are_read(project: Project) -> None:
    project.write({f"workspace/d/{number:03}": "x" for number in range(501)})
    assert read(project, "@d") == [f"d/{number:03}" for number in range(500)]


def test_names_that_bring_nothing_have_a_row_with_the_reason(project: Project) -> None:
    project.write({"workspace/.geminiignore": "hid.txt", "workspace/hid.txt": "x", "out": "o"})
    assembly = project.assemble(prompt="@gone, @hid.txt @../out")
    whys = {s.title: s.why for s in assembly.sections if s.id.startswith("mention.none:")}
    found = {title: why.text for title, why in whys.items()}
    assert whys["@gone"].condition is not None
    assert whys["@gone"].condition.name == f"{project.cwd}/gone"
    assert found["@gone"] == "absent: there is no file gone: the words go as they are"
    assert found["@hid.txt"].endswith("hides hid.txt")
    assert found["@../out"] == "absent: ../out is outside of the workspace's folders"


@pytest.mark.parametrize(
    ("name", "data", "is_data"),
    [
        ("a.png", b"x", True), ("a.JPG", b"x", True), ("a.pdf", b"x", True), ("a.svg", b"x", False),
        ("a.mp3", b"x", False), ("a.mp3", b"\0\1", True), ("a.ico", b"x", False),
    ],
)  # fmt: skip
def test_pictures_go_as_they_are(project: Project, name: str, data: bytes, is_data: bool) -> None:
    project.write({f"workspace/{name}": data})
    sent = parts(project, prompt=f"@{name}")
    assert (f"\nContent from @{name}:\n" not in sent) is is_data
    assert (f"(the file {name} itself)" in sent) is is_data
