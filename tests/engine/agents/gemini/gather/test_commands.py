"""Custom commands that the message begins with: their files, and what is put into their text."""

from __future__ import annotations

import pytest
from tests.engine.agents.gemini.conftest import MANIFEST, SETTINGS, Project, codes, parts, said, text_of, tools_of

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
        ("@{ {{args}} }", ["@{ x }"]), ("@{args.txt}", ["got {{args}}\n\n/say x"]),
        ("@{args.txt}{{args}}", ["got x", "x"]),
        ("a!{ }b", ["ab\n\n/say x"]), ("@{hidden.txt}b", ["b\n\n/say x"]), ("@{../out}b", ["@{../out}", "b\n\n/say x"]),
        ("@{d}", ["--- Start of content for directory: d ---\n", "--- b ---\n", "B", "\n", "--- a ---\n", "A", "\n",
                  "--- c/d ---\n", "D", "\n", "--- End of content for directory: d ---\n\n/say x"]),
    ],
)  # fmt: skip
def test_what_a_command_puts_in(project: Project, template: str, sent: list[str]) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = '{template}'", "workspace/n.txt": "note\n"})
    project.write(
        {
            "workspace/args.txt": "got {{args}}",
            "workspace/.geminiignore": "hidden.txt",
            "workspace/hidden.txt": "no",
            "out": "no",
        }
    )
    project.write({"workspace/d/a": "A", "workspace/d/b": "B", "workspace/d/c/d": "D"})
    assert parts(project, prompt="/say x") == sent


@pytest.mark.parametrize("opening", ["@{", "!{"])
def test_braces_without_their_end_keep_the_client_from_starting(project: Project, opening: str) -> None:
    project.write({"workspace/.gemini/commands/say.toml": f"prompt = 'a {opening}n.txt'"})
    refused = codes(project.assemble(prompt="/say", mode="yolo"))["agent-refuses"]
    assert f"say.toml has a `{opening}` without its end" in refused.message
    assert "agent-refuses" not in codes(project.assemble(prompt="say"))


def test_commands_of_the_shell_are_named_and_not_run(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now: !{touch {{args}}} @{n.txt}"'})
    project.write({"workspace/n.txt": "!{date}"})
    assert "nobody can approve in a headless run" in codes(project.assemble(prompt="/say"))["agent-refuses"].message
    assert parts(project, prompt="/say it's a", mode="yolo") == [
        'Now: (what `touch "it\'s a"` prints) ',
        "(what `date` prints)",  # a file that is put in may run commands, too
    ]
    said = codes(project.assemble(prompt="/say ran", mode="yolo"))["command-not-run"]
    assert (said.path, said.line) == (f"{project.cwd}/.gemini/commands/say.toml", 1)
    assert said.message == "/say would run `touch ran`, `date` and send what that prints; promptscope runs nothing"
    assert not (project.root / "workspace/ran").exists()
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Now @{n.txt}"'})
    assert "command-not-run" not in codes(project.assemble(prompt="/say"))


def test_the_text_of_a_command_keeps_its_lines(project: Project) -> None:
    project.write(
        {"workspace/.gemini/commands/say.toml": 'description = "d"\nprompt = """\none\n\nSay {{args}}\n"""\n'}
    )
    section = project.assemble(prompt="/say a").section("prompt")
    assert section is not None
    found = [(f.text, f.origin.kind, f.origin.start_line) for f in section.fragments if f.text.strip()]
    assert found == [("one", "file", 3), ("Say ", "file", 5), ("a", "param", None)]


def test_a_terminal_takes_the_blanks_around_the_words_away(project: Project) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Said"'})
    assert parts(project, prompt="  /say ", dialog=True) == ["Said"]
    assert parts(project, prompt="  x ", dialog=True) == ["x"]
    assert parts(project, prompt="  x ") == ["  x "]


@pytest.mark.parametrize(("size", "counts"), [(999_999, True), (1_000_000, True), (1_000_001, False)])
def test_so_long_a_command_is_read(project: Project, size: int, counts: bool) -> None:
    project.write({"workspace/.gemini/commands/say.toml": 'prompt = "Said"\n#'.ljust(size, "x")})
    assert parts(project, prompt="/say") == (["Said"] if counts else ["/say"])


@pytest.mark.parametrize(
    ("typed", "sent", "plans"),
    [
        ("/plan find the cause", "find the cause", True),
        ("/plan  two   words", "two words", True),
        ("/plan", "/plan", True),
        ("/plan copy", "/plan copy", False),
        ("/planned", "/planned", False),
        ("please /plan", "please /plan", False),
    ],
)
def test_plan_mode_may_be_typed(project: Project, typed: str, sent: str, plans: bool) -> None:
    assembly = project.assemble(prompt=typed)
    assert text_of(assembly, "prompt") == sent
    assert ("exit_plan_mode" in tools_of(assembly)) is plans


def test_plan_mode_is_not_typed_where_it_is_switched_off(project: Project) -> None:
    project.write({SETTINGS: '{"general": {"plan": {"enabled": false}}}'})
    assert text_of(project.assemble(prompt="/plan x"), "prompt") == "/plan x"


def test_nothing_is_looked_up_in_what_follows_plan(project: Project) -> None:
    project.write({"workspace/a.md": "text"})
    assert text_of(project.assemble(prompt="/plan @a.md"), "prompt") == "@a.md"
