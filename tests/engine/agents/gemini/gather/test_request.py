"""What the user sends: the prompt, commands, and what is named with `@`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.engine.agents.gemini.conftest import MANIFEST, Project, codes, parts, said

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("prompt = 5", 1, "it has no `prompt`"),
        ("\n\n[", 1, "this is not valid TOML: "),
        (f"[{'k' * 300}]\n" * 2, 1, "this is not valid TOML: Cannot declare ('kkk"),
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
        ("/ext", "extended"), ("/none", "/none"), ("/ say", "said"), ("//say", "//say"), ("/*say", "/*say"),
        ("say", "say"), ("/a_b", "with a blank"), ("/.h:x", "hidden"), ("/SHOUT", "/SHOUT"), ("/a/b", "/a/b"),
    ],
)  # fmt: skip
def test_the_file_of_a_command(project: Project, prompt: str, sent: str) -> None:
    project.write(
        {"workspace/.gemini/commands/say.toml": 'prompt = "said"', "workspace/.gemini/say.toml": 'prompt = "no"'}
    )
    project.write({"workspace/.gemini/commands/a/b.toml": 'prompt = "nested"', MANIFEST.format("e"): '{"name": "e"}'})
    project.write({"home/.gemini/extensions/e/commands/ext.toml": 'prompt = "extended"'})
    project.write({"workspace/.gemini/commands/a b.toml": 'prompt = "with a blank"'})
    project.write({"workspace/.gemini/commands/.h/x.toml": 'prompt = "hidden"'})
    project.write({"workspace/.gemini/commands/SHOUT.TOML": 'prompt = "no"'})
    assert parts(project, prompt=prompt) == [sent]


@pytest.mark.parametrize(
    ("template", "prompt", "sent"),
    [
        ("a {{args}} b {{args}}", "/say x y ", "a x y b x y"),
        ("a {{args}}", "/say", "a "),
        ("a", "/say", "a"),
        ("a", "/say  x", "a\n\n/say  x"),
        ("{{args}}", "/say\tx\ny", "x y"),
        ("{{args}}", "/say x   y", "x y"),
    ],
)
def test_the_arguments_of_a_command(project: Project, template: str, prompt: str, sent: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = '{template}'"})
    assert parts(project, prompt=prompt) == [sent]


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
    project.write({"home/.gemini/commands/git/log.toml": 'prompt = "Log"'})
    assert parts(project, prompt=prompt) == [text]


def test_two_commands_of_one_name_both_take_the_place_that_they_are_from(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "project"'})
    project.write({"home/.gemini/commands/say.toml": 'prompt = "user"', MANIFEST.format("e"): '{"name": "e"}'})
    assert parts(project, prompt="/say") == ["/say"]
    assert [parts(project, prompt=f"/{name}.say") for name in ("user", "workspace")] == [["user"], ["project"]]
    [(_, _, text), *_] = said(project, "command-renamed", prompt="/say")
    assert text == "2 commands are called say, so none of them runs by that name: type /user.say or /workspace.say"
    project.write({"home/.gemini/extensions/e/commands/say.toml": 'prompt = "extended"'})
    assert parts(project, prompt="/e:say") == ["extended"]
    project.write({"home/.gemini/commands/say.toml": "[", "home/.gemini/extensions/e/commands/say.toml": "x = 1"})
    assert parts(project, prompt="/say") == ["project"]  # what cannot be read takes no name


@pytest.mark.parametrize(
    ("template", "sent"),
    [
        ("a @{n.txt} b", ["a ", "note\n", " b\n\n/say x"]), ("@{ n.txt }", ["note\n\n\n/say x"]),
        ("a @{none} b", ["a ", "@{none}", " b\n\n/say x"]), ("{{args}} @{n.txt}", ["x ", "note\n"]),
        ("@{hidden.txt}b", ["b\n\n/say x"]), ("@{../out}b", ["@{../out}", "b\n\n/say x"]),
        ("@{d}", ["--- Start of content for directory: d ---\n", "--- b ---\n", "B", "\n", "--- a ---\n", "A", "\n",
                  "--- c/d ---\n", "D", "\n", "--- End of content for directory: d ---\n\n/say x"]),
    ],
)  # fmt: skip
def test_what_a_command_puts_in(project: Project, template: str, sent: list[str]) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = '{template}'", "workspace/n.txt": "note\n"})
    project.write({"workspace/.geminiignore": "hidden.txt", "workspace/hidden.txt": "no", "out": "no"})
    project.write({"workspace/d/a": "A", "workspace/d/b": "B", "workspace/d/c/d": "D"})
    assert parts(project, prompt="/say x") == sent


def test_braces_without_their_end_keep_the_client_from_starting(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": "prompt = 'a @{n.txt'"})
    refused = codes(project.assemble(prompt="/say"))["agent-refuses"]
    assert "say.toml has a `@{` without its end" in refused.message
    assert "agent-refuses" not in codes(project.assemble(prompt="say"))


def test_a_command_with_a_shell_command_says_that_none_is_run(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now: !{date}"'})
    assert "nobody can approve in a headless run" in codes(project.assemble(prompt="/say"))["agent-refuses"].message
    said = codes(project.assemble(prompt="/say", mode="yolo"))["command-not-run"]
    assert (said.path, said.line) == (f"{project.cwd}/.gemini/commands/say.toml", 1)
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now"'})
    assert "command-not-run" not in codes(project.assemble(prompt="/say"))


@pytest.mark.parametrize(("size", "counts"), [(999_999, True), (1_000_000, True), (1_000_001, False)])
def test_so_long_a_command_is_read(project: Project, size: int, counts: bool) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Said"\n#'.ljust(size, "x")})
    assert parts(project, prompt="/say") == (["Said"] if counts else ["/say"])


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
