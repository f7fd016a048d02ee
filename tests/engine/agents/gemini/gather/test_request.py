"""The prompt: commands, files that it names, what is piped in (specs/gemini.md 12)."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import (
    MANIFEST,
    Project,
    codes,
    parts,
    said,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("prompt = 5", 1, "it has no `prompt`"),
        ("\n\n[", 1, "no TOML: "),
        (f"[{'k' * 300}]\n" * 2, 1, "no TOML: Cannot declare ('kkk"),
    ],
)
def test_what_is_wrong_with_a_command(project: Project, text: str, line: int, message: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": text})
    [(path, at, found)] = said(project, "bad-command", prompt="/say")
    assert (path, at, found[: len(message)]) == ("workspace/.gemini/commands/say.toml", line, message)
    assert project.file("workspace/.gemini/commands/say.toml", prompt="/say").why.text == f"absent: {found}"
    assert len(found) == 200 or "kkk" not in found


@pytest.mark.parametrize(
    ("prompt", "sent"),
    [
        ("/say", "said"), ("/a:b", "nested"), ("/../say", "/../say"), ("/..:say", "/..:say"), ("/sa\0y", "/sa\0y"),
        ("/ext", "extended"), ("/none", "/none"), ("/ say", "/ say"), ("//say", "//say"), ("say", "say"),
    ],
)  # fmt: skip
def test_the_file_of_a_command(project: Project, prompt: str, sent: str) -> None:
    project.write(
        {"workspace/.gemini/commands/say.toml": 'prompt = "said"', "workspace/.gemini/say.toml": 'prompt = "no"'}
    )
    project.write({"workspace/.gemini/commands/a/b.toml": 'prompt = "nested"', MANIFEST.format("e"): '{"name": "e"}'})
    project.write({"home/.gemini/extensions/e/commands/ext.toml": 'prompt = "extended"'})
    found = project.gathered(prompt=prompt).materials.prompt
    assert "".join(piece.text for piece in found) == sent


@pytest.mark.parametrize(
    ("template", "prompt", "sent"),
    [
        ("a {{args}} b {{args}}", "/say x y ", "a x y b x y"),
        ("a {{args}}", "/say", "a "),
        ("a", "/say", "a"),
        ("a", "/say  x", "a\n\n/say  x"),
        ("{{args}}", "/say\tx\ny", "x\ny"),
    ],
)
def test_the_arguments_of_a_command(project: Project, template: str, prompt: str, sent: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = '{template}'"})
    assert "".join(piece.text for piece in project.gathered(prompt=prompt).materials.prompt) == sent


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("@a.md", ["a.md"]), ("@a.md,", ["a.md"]), ("(@a.md)", []), ("x@a.md", []), ("@a.md.", ["a.md"]),
        ("@a.md,b @b.md", ["b.md"]), ("@./a.md @a.md", ["./a.md"]), ("@d", []), ("@../out", []),
        ("@none @e.md", ["e.md"]),
        ("@c.md!", ["c.md!"]), ("@\0", []),
    ],
)  # fmt: skip
def test_the_files_that_a_prompt_names(project: Project, prompt: str, named: list[str]) -> None:
    project.write({f"workspace/{name}": "x" for name in ("a.md", "b.md", "c.md", "c.md!", "d/x")})
    project.write({"extra/e.md": "e", "out": "o"})
    given = {"prompt": prompt, "args": {"includeDirectories": ["../extra"]}}
    assert [mention.token for mention in project.gathered(**given).materials.mentions] == named


def test_an_empty_file_that_a_prompt_names_is_sent_empty(project: Project) -> None:
    project.write({"workspace/a.md": "", "workspace/b.md": "\nb"})
    found = project.gathered(prompt="@a.md @b.md").materials.mentions
    assert [[(piece.text, piece.origin.start_line) for piece in mention.pieces] for mention in found] == [
        [],
        [("\nb", 1)],
    ]


def test_what_stands_before_a_command_makes_it_none(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Say {{args}}!"'})
    assert parts(project, prompt="/say a", stdin="in") == ["in\n\n/say a"]
    assert parts(project, prompt="/say a", hooks={"SessionStart": "h"})[0].endswith("\n\n/say a")
    off = {"hooksConfig": {"enabled": False}}
    assert parts(project, prompt="/say a", hooks={"SessionStart": "h"}, settings=off) == ["Say a!"]
    assert parts(project, prompt="/say a", stdin="in", dialog=True) == ["Say a!"]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [("/say a b", "Say a b!"), ("/git:log now", "Log\n\n/git:log now"), ("/git:log", "Log"), ("/nope x", "/nope x")],
)
def test_commands(project: Project, prompt: str, text: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Say {{args}}!"'})
    project.write(
        {"home/.gemini/commands/git/log.toml": 'prompt = "Log"', "home/.gemini/commands/say.toml": 'prompt = "no"'}
    )
    assert parts(project, prompt=prompt) == [text]


def test_a_command_with_a_shell_command_says_that_none_is_run(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now: !{date}"'})
    assembly = project.assemble(prompt="/say")
    said = codes(assembly)["command-not-run"]
    assert (said.path, said.line) == (f"{project.cwd}/.gemini/commands/say.toml", 1)
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now"'})
    assert "command-not-run" not in codes(project.assemble(prompt="/say"))


@pytest.mark.parametrize(("size", "counts"), [(999_999, True), (1_000_000, True), (1_000_001, False)])
def test_so_long_a_command_is_read(project: Project, size: int, counts: bool) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Said"\n#'.ljust(size, "x")})
    assert parts(project, prompt="/say") == (["Said"] if counts else ["/say"])


@pytest.mark.parametrize(("count", "read"), [(99, 99), (100, 100), (101, 100)])
def test_so_many_mentioned_files_are_read(project: Project, count: int, read: int) -> None:
    names = [f"f{number:03}" for number in range(count)]
    project.write({f"workspace/{name}": "x" for name in names})
    found = parts(project, prompt=" ".join(f"@{name}" for name in names))
    assert len([part for part in found if part.startswith("\nContent from @")]) == read


@pytest.mark.parametrize(
    ("name", "length", "is_read"), [("a.md", 4_094, True), ("a.md", 4_096, True), ("ab.md", 4_097, False)]
)
def test_so_long_a_mention_is_looked_up(project: Project, name: str, length: int, is_read: bool) -> None:
    project.write({f"workspace/{name}": "x"})
    mention = "./" * ((length - len(name)) // 2) + name
    assert len(mention) == length
    assert any(part.startswith("\nContent from @") for part in parts(project, prompt=f"@{mention}")) is is_read
