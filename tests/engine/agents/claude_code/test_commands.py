"""`/command` as the prompt: what the client sends in its place (recorded with 2.1.332)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.commands import shell_words

if TYPE_CHECKING:
    from .conftest import Project


C = "workspace/.claude/"


def sent(project: Project, prompt: str, **params: object) -> list[str]:
    """The blocks of the user's message, from the command on."""
    content = project.assemble("2.1.330", params={"prompt": prompt, **params}).request.messages[0]["content"]
    texts = [block["text"] for block in content]
    first = next((n for n, text in enumerate(texts) if text.startswith("<command-message>")), len(texts) - 1)
    return texts[first:]


def tags(name: str, arguments: str = "") -> str:
    line = f"<command-args>{arguments}</command-args>\n" if arguments else ""
    return f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n{line}"


@pytest.mark.parametrize(
    ("body", "typed", "arguments", "said"),
    [
        ("plain\n", "/c", "", "plain\n"),
        ("plain\n", "/c a b", "a b", "plain\n\n\nARGUMENTS: a b"),
        ("plain\n", "/c\nsecond", "second", "plain\n\n\nARGUMENTS: second"),
        ("all=$ARGUMENTS.\n", "/c  a   b ", "a   b", "all=a   b.\n"),
        ("$0 $1 $2 $10\n", "/c a b", "a b", "a b $2 $10\n"),
        ("$0|$1\n", '/c "a b" c', '"a b" c', "a b|c\n"),
        ("$ARGUMENTS[0] $ARGUMENTS[1]\n", "/c a", "a", "a $ARGUMENTS[1]\n"),
        ("$ARGUMENTS\\$0 $$ $X\n", "/c a", "a", "a$0 $$ $X\n"),
        ("$1st $1_ $1- \\\\$1 \\$1 \\\\\\$1\n", "/c a b", "a b", "$1st $1_ b- \\\\b $1 \\\\\\b\n"),
        ("$1|$ARGUMENTS\n", "/c it's a", "it's a", "$1|it's a\n"),
        ("---\narguments: [who, what]\n---\n$who ${who} $what\n", "/c a b", "a b", "a ${who} b\n"),
        ("---\narguments: [who, what]\n---\n$who-$what-$whom\n", "/c a", "a", "a--$whom\n"),
        ("---\narguments: who, what\n---\n$who $what\n", "/c a b", "a b", "$who b\n"),
        ("---\narguments: [who, who]\n---\n$who $whoé\n", "/c a b", "a b", "a aé\n"),
        ("$ARGUMENTS\n", "/c !`x` a! ```!", "!`x` a! ```!", "\\! `x` a! ``` \\!\n"),
        ("---\ndescription: d\n---\n", "/c x", "x", "\n\nARGUMENTS: x"),
        ("a\r\nb\r\n", "/c", "", "a\r\nb\r\n"),
        ("\n\n  x  \n\n", "/c", "", "\n\n  x  \n\n"),
        ("<!-- kept --> $1\n", "/c u", "u", "<!-- kept --> $1\n\n\nARGUMENTS: u"),
        ("${CLAUDE_SKILL_DIR} $HOME\n", "/c", "", "${CLAUDE_SKILL_DIR} $HOME\n"),
    ],
)
def test_a_command_s_text_takes_the_prompt_s_place(
    project: Project, body: str, typed: str, arguments: str, said: str
) -> None:
    project.write({f"{C}commands/c.md": body})
    assert sent(project, typed) == [tags("c", arguments), said]


def test_a_skill_names_its_folder(project: Project) -> None:
    text = "---\nname: other\ndescription: d\n---\nin ${CLAUDE_SKILL_DIR}: $ARGUMENTS\n"
    project.write({f"{C}skills/sk/SKILL.md": text})
    folder = f"{project.cwd}/.claude/skills/sk"
    said = f"Base directory for this skill: {folder}\n\nin {folder}: x\n"
    assert sent(project, "/sk x") == sent(project, "/other x") == [tags("sk", "x"), said]


def test_names_by_folder_and_plugin(project: Project) -> None:
    project.write({f"{C}commands/sub/deep.md": "deep\n", f"{C}commands/empty.md": ""})
    assert sent(project, "/sub:deep") == [tags("sub:deep"), "deep\n"]
    assert sent(project, "/empty") == [tags("empty")]


def test_what_a_command_s_text_mentions_is_read(project: Project) -> None:
    project.write({f"{C}commands/c.md": "see @a.txt and $ARGUMENTS\n", "workspace/a.txt": "A", "workspace/b.txt": "B"})
    messages = project.assemble("2.1.330", params={"prompt": "/c @b.txt"}).request.messages
    texts = [block["text"] for message in messages[:2] for block in message["content"]]
    assert "a.txt" in texts[0]
    assert "1\tA" in texts[1]
    assert any("1\tB" in text for text in texts)


def test_commands_of_the_shell_are_named_and_not_run(project: Project) -> None:
    project.write({f"{C}commands/c.md": "now: !`touch $0`\n```!\nls\n```\n(!`no` x!`no` !``\n"})
    assembly = project.assemble("2.1.330", params={"prompt": "/c ran"})
    [note] = [note for note in assembly.diagnostics if note.code == "command-runs"]
    assert note.message.startswith("/c would run `touch ran`, `ls` and send what that prints; ")
    assert sent(project, "/c ran")[-1] == "now: (what `touch ran` prints)\n(what `ls` prints)\n(!`no` x!`no` !``\n"
    assert not (project.cwd / "ran").exists()


def test_no_text_of_a_command_takes_long(project: Project) -> None:
    project.write({f"{C}commands/c.md": "\\" * 100_000})  # for minutes, if each backslash looked for the last one
    assert len(sent(project, "/c")[-1]) == 100_000


def test_each_part_of_a_command_s_text_keeps_its_lines(project: Project) -> None:
    project.write({f"{C}commands/c.md": "---\ndescription: d\n---\none $0\n!`ls`\nlast\n"})
    section = project.assemble("2.1.330", params={"prompt": "/c x"}).section("prompt")
    assert section is not None
    found = [(f.text, f.origin.kind, f.origin.start_line) for f in section.fragments]
    assert found == [
        ("one ", "file", 4), ("x", "param", None), ("\n", "file", 4),
        ("(what `ls` prints)", "computed", None), ("\nlast\n", "file", 5),
    ]  # fmt: skip


def test_a_command_s_model_gets_the_messages(project: Project) -> None:
    project.write({f"{C}commands/c.md": "---\nmodel: haiku\n---\nx\n"})
    assembly = project.assemble("2.1.330", model="claude-sonnet-4-5", params={"prompt": "/c"})
    assert assembly.model == "claude-haiku-5-5"
    assert [message["role"] for message in assembly.request.messages] == ["user", "system"]
    assert "# Doing tasks" in assembly.request.system[-1]["text"]


@pytest.mark.parametrize(
    ("typed", "close"), [("/Plain x", "/plain"), ("/plain:x", "/plain"), ("/nope", ""), ("/123", "")]
)
def test_an_unknown_command_is_explained(project: Project, typed: str, close: str) -> None:
    project.write({f"{C}commands/plain.md": "x\n", f"{C}skills/shy/SKILL.md": "---\nuser-invocable: false\n---\nx\n"})
    assembly = project.assemble("2.1.330", params={"prompt": typed, "args": {"print": True}})
    note = assembly.section("command.unknown")
    assert note is not None
    assert "/plain, /dataviz" in note.text
    assert ("most like it" in note.text) is bool(close)
    assert assembly.request.messages[0]["content"][-1]["text"] == typed


@pytest.mark.parametrize("typed", ["/home/x", "/sub/deep", "/tmp", "/etc hi", "/", "/ plain", "/plain.", "/a@b", "//x"])
def test_what_begins_like_a_path_goes_out_alone(project: Project, typed: str) -> None:
    project.write({f"{C}commands/plain.md": "x\n", "workspace/CLAUDE.md": "HERE"})
    messages = project.assemble("2.1.330", params={"prompt": typed, "args": {"print": True}}).request.messages
    assert messages[-1]["content"][0]["text"].startswith("Today's date is")
    assert "HERE" in str(messages[0])


@pytest.mark.parametrize("typed", ["/nope", "/nope x", "/", "/ plain", "  /nope"])
def test_a_terminal_sends_no_unknown_command(project: Project, typed: str) -> None:
    project.write({f"{C}commands/plain.md": "x\n"})
    assembly = project.assemble("2.1.330", params={"prompt": typed})
    assert "command-unknown" in [note.code for note in assembly.diagnostics]
    assert assembly.section("command.unknown") is None


def test_a_terminal_takes_the_blanks_before_a_command_away(project: Project) -> None:
    project.write({f"{C}commands/c.md": "body\n"})
    assert sent(project, "  /c") == [tags("c"), "body\n"]


@pytest.mark.parametrize("typed", [" /c", "x /c", "c"])
def test_a_command_stands_at_the_very_beginning(project: Project, typed: str) -> None:
    project.write({f"{C}commands/c.md": "body\n"})
    assert sent(project, typed, args={"print": True}) == [typed]


def test_what_the_client_carries_out_by_itself_is_said(project: Project) -> None:
    assembly = project.assemble("2.1.330", params={"prompt": "/clear"})
    assert "command-local" in [note.code for note in assembly.diagnostics]


@pytest.mark.parametrize("value", ["false", "no", '"false"', "0", "x", "", "[]"])
def test_a_skill_that_people_may_not_type_sends_nothing(project: Project, value: str) -> None:
    project.write({f"{C}skills/shy/SKILL.md": f"---\nuser-invocable: {value}\n---\nx\n"})
    [note] = [n for n in project.assemble("2.1.330", params={"prompt": "/shy"}).diagnostics if n.code == "command-kept"]
    assert note.message == "/shy is for the model alone (`user-invocable`): nothing is sent"


@pytest.mark.parametrize("value", ["yes", '"true"', "1", "TRUE", "on"])
def test_a_skill_that_people_may_type(project: Project, value: str) -> None:
    project.write({f"{C}skills/open/SKILL.md": f"---\nuser-invocable: {value}\n---\nx\n"})
    assert sent(project, "/open")[-1].endswith("\n\nx\n")


@pytest.mark.parametrize("more", [{"env": {"CLAUDE_CODE_SAFE_MODE": "1"}}, {"args": {"disableSlashCommands": True}}])
def test_where_one_s_own_commands_are_off(project: Project, more: dict[str, dict[str, object]]) -> None:
    project.write({f"{C}commands/c.md": "BODY\n"})
    params = {"prompt": "/c", "args": {"print": True, **more.get("args", {})}}
    assembly = project.assemble("2.1.330", params=params, env=more.get("env", {}))
    note = assembly.section("command.unknown")
    assert note is not None
    assert "BODY" not in str(assembly.request.messages)


@pytest.mark.parametrize(
    ("typed", "told", "is_there"),
    [
        ("/mcp__my_srv__pp one", None, True),
        ("/mcp__my_srv__pp one", [{"name": "my srv"}], True),
        ("/mcp__my_srv__pp one", [], False),
        ("/mcp__other__pp one", None, False),
    ],
)
def test_a_prompt_of_a_server(project: Project, typed: str, told: list[dict[str, str]] | None, is_there: bool) -> None:
    project.write({"home/.claude.json": '{"mcpServers": {"my srv": {"command": "x"}}}', "workspace/CLAUDE.md": "HERE"})
    params = {"prompt": typed, "args": {"print": True}}
    assembly = project.assemble("2.1.330", params=params, mcp_servers=told)
    assert ("command-of-server" in [note.code for note in assembly.diagnostics]) is is_there
    messages = assembly.request.messages
    assert messages[-1]["content"][0]["text"].startswith("Today's date is") is is_there
    assert ("<command-args>one</command-args>" in str(messages[0])) is is_there
    assert (assembly.section("command.unknown") is None) is is_there


@pytest.mark.parametrize(
    ("head", "agent", "model", "tools"),
    [
        ("", "general-purpose", "opus", {"ListAgents", "ReportFindings"}),
        ("agent: nope\n", "general-purpose", "opus", {"ListAgents", "ReportFindings"}),
        ("agent: ag\n", "ag", "haiku", set()),
        ("agent: ag\nmodel: opus\n", "ag", "opus", set()),
    ],
)
def test_a_fork_is_the_task_of_a_sub_agent(
    project: Project, head: str, agent: str, model: str, tools: set[str]
) -> None:
    project.write(
        {
            "workspace/.claude/skills/fk/SKILL.md": f"---\ndescription: d\ncontext: fork\n{head}---\ndo $ARGUMENTS\n",
            "workspace/.claude/agents/ag.md": "---\nname: ag\ndescription: d\nmodel: haiku\ntools: Read\n---\nbody\n",
        }
    )
    assembly = project.assemble("2.1.332", params={"prompt": "/fk this"})
    prompt = assembly.section("prompt")
    assert prompt is not None
    assert prompt.text.endswith("do this\n")
    assert assembly.section("command") is None
    found = project.materials("2.1.332", params={"prompt": "/fk this"})
    assert found.sub_agent is not None
    assert found.sub_agent.name == agent
    assert model in found.model.id
    assert {tool.name for tool in assembly.tools if tool.present}.issuperset(tools)


@pytest.mark.parametrize(
    ("main", "tools"),
    [
        ("", {"Bash", "Read"}),
        ("disallowedTools: Bash(ls *)\n", {"Read"}),
        ("tools: Read\n", {"Read"}),
        ("tools: Bash(ls *), Read\n", {"Bash", "Read"}),
    ],
)
def test_a_fork_is_left_what_the_agent_that_drives_the_session_may_call(
    project: Project, main: str, tools: set[str]
) -> None:
    project.write(
        {
            "workspace/.claude/skills/fk/SKILL.md": "---\ndescription: d\ncontext: fork\nagent: ag\n---\ndo it\n",
            "workspace/.claude/agents/ag.md": "---\nname: ag\ndescription: d\ntools: Read, Bash\n---\nbody\n",
            "workspace/.claude/agents/top.md": f"---\nname: top\ndescription: d\n{main}---\nbody\n",
        }
    )
    assembly = project.assemble("2.1.332", params={"prompt": "/fk", "args": {"agent": "top"}})
    assert {tool.name for tool in assembly.tools if tool.present} == tools


def test_a_fork_is_told_of_agents_after_its_first_reply(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/skills/fk/SKILL.md": "---\ndescription: d\ncontext: fork\n---\ndo it\n",
            "workspace/a": "1\n",
        }
    )
    before = project.assemble("2.1.332", params={"prompt": "/fk"})
    assert not any("Available agent types" in str(message["content"]) for message in before.request.messages)
    after = project.assemble("2.1.332", params={"prompt": "/fk"}, reads=["a"]).request.messages
    assert after[-1]["role"] == "system"
    assert after[-1]["content"][0]["text"].startswith("Available agent types for the Agent tool:")


def test_a_servers_prompt_goes_by_the_name_that_is_shown(project: Project) -> None:
    server = [{"name": "srv", "tools": []}]
    shown = project.materials(mcp_servers=server, params={"prompt": "/srv:pp (MCP) one two"}).typed
    assert shown is not None
    assert (shown.kind, shown.name, shown.arguments) == ("server", "mcp__srv__pp", "one two")
    params = {"prompt": "/srv:pp one", "args": {"print": True}}
    plain = project.materials(mcp_servers=server, params=params).typed
    assert plain is not None
    assert plain.kind == "unknown"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("one  two\tthree", ["one", "two", "three"]),
        ("\"a b\" 'c d'e f\\ g", ["a b", "c de", "f g"]),
        ("x it's b", ["x", "it's b"]),
        ("a don't b can't c", ["a", "dont b cant", "c"]),
        ('say "x y" and "z', ["say", "x y", "and", '"z']),
        ('"a\\"b" c', ['a\\"b', "c"]),
        ("fix #12 and #13", ["fix"]),
        ("#1 y", ["#1", "y"]),
        ("a#x y", ["a#x", "y"]),
        ("a; b", ["a"]),
        ("a\nb c", ["a"]),
        ("a && b", ["a"]),
        ("a && b > c", ["a", "&&", "b", ">", "c"]),
        ("a >b c", ["a"]),
        ("a 2>x b", ["a"]),
        (">a b", ["b"]),
        ("a b (c d) e", ["a", "b", "e"]),
        ("a b(c) d", ["a", "d"]),
        ("(a b) c", ["a", "b"]),
        ("if x then y", ["x", "then", "y"]),
        ("done", ["done"]),
        ("a=1 b", ["b"]),
        ("a=1", ["a=1"]),
        ("a = b", ["a", "b"]),
        ("export x y", ["export"]),
        ("[x] y", ["y"]),
        ("$X a $Y b$Z", ["$X", "a", "b$Z"]),
        ("a $(x y) b", ["a"]),
        ("a$(x)b c", ["a$(x)b", "c"]),
        ("a `x` b", ["a"]),
        ("`x` y", ["x` y"]),
        ("a \\\n b \\", ["a", "b"]),
        ("\"\" x ''", ["", "x", ""]),
        ("! a", ["a"]),
        ("", []),
    ],
)
def test_words_are_those_of_the_first_command(arguments: str, words: list[str]) -> None:
    assert shell_words(arguments) == words


@given(st.text(alphabet="a=1 \t\n'\"\\$(){}[]`<>&|;#!é", max_size=60))
def test_any_arguments_have_words(arguments: str) -> None:
    assert bool(shell_words(arguments)) is bool(arguments.split())


@pytest.mark.parametrize("piece", ["${", "$(", '"\\', "'", "`", "[ ", "a ${", "(a ", "a `", "a=("])
def test_no_arguments_take_long(piece: str) -> None:
    assert shell_words(piece * 20_000) is not None
