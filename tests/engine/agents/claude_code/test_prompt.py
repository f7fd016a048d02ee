"""`/command` as the prompt: what the client sends in its place (recorded with 2.1.332)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.prompt import tokens

if TYPE_CHECKING:
    from .conftest import Project


OLDER = "claude-sonnet-4-5-20250929"
AGENT = "---\nname: rev\ndescription: reviews\n---\nbody\n"


def blocks(project: Project, prompt: str, version: str | None = None, **more: object) -> list[tuple[int, str]]:
    """The texts of the user's messages, with the number of the message."""
    params = {"prompt": prompt, **more.pop("params", {})}  # type: ignore[dict-item]
    messages = project.assemble(version, params=params, **more).request.messages
    return [(n, b["text"]) for n, m in enumerate(messages) if m["role"] == "user" for b in m["content"]]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("see @a.md", ["a.md"]),
        ("@a.md, @b.md. @c.md! @d.md? (x) @e.md; @f.md)", ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"]),
        ('@a.md"', ["a.md"]),
        ("@a.md's", ["a.md's"]),
        ('@x @"a b.md" @y', ["a b.md", "x", "y"]),
        ('me@a.md (@a.md) `@a.md` "@a.md" <@a.md>', []),
        ("\t@a.md\n@b.md", ["a.md", "b.md"]),
        ("@a.md @a.md @./a.md", ["a.md", "./a.md"]),
        ("@pkg/ @../a @~/b @.hidden", ["pkg", "../a", "~/b", ".hidden"]),
        ("@документ @файл.txt @a.md。", ["файл.txt", "a.md"]),
        ("@ @. @.. @/ @~", []),
        ("@a.md#L2-3", ["a.md#L2-3"]),
    ],
)
def test_what_a_mention_is(prompt: str, found: list[str]) -> None:
    assert tokens(prompt) == found


@given(st.text(alphabet="@a.\"' \n#L1é/", max_size=40))
def test_any_text_is_taken_apart(prompt: str) -> None:
    found = tokens(prompt)
    assert len(found) == len(set(found))
    assert all(f"@{token}" in prompt or f'@"{token}"' in prompt for token in found)


@pytest.mark.parametrize(
    ("mention", "call", "answer"),
    [
        ("a.txt", "", "1\tone\n2\ttwo\n3\t\n"),
        ("b.txt", "", "1\tone\n2\ttwo\n"),
        ("a.txt#L2", ',"offset":2,"limit":1', "2\ttwo\n"),
        ("a.txt#1-2", ',"offset":1,"limit":2', "1\tone\n2\ttwo\n"),
        ("a.txt#L2-99", ',"offset":2,"limit":98', "2\ttwo\n3\t\n"),
        ("a.txt#heading", "", "1\tone\n2\ttwo\n3\t\n"),
    ],
)
def test_a_file_is_read_before_the_prompt(project: Project, mention: str, call: str, answer: str) -> None:
    project.write({"workspace/a.txt": "one\r\ntwo\n", "workspace/b.txt": "\ufeffone\ntwo"})
    found = blocks(project, f"see @{mention}")
    name = mention.partition("#")[0]
    assert found[0][0] == 0
    assert f'{{"file_path":"{project.cwd}/{name}"{call}}}' in found[0][1]
    assert found[1][0] == 1
    assert found[1][1].endswith(f":\n{answer}</system-reminder>")
    assert found[-1] == (1, f"see @{mention}")


@pytest.mark.parametrize(("version", "call"), [("2.1.330", ""), ("2.1.331", ',"offset":2,"limit":1')])
def test_the_call_names_the_lines_from_2_1_331_on(project: Project, version: str, call: str) -> None:
    project.write({"workspace/a.txt": "one\ntwo\n"})
    found = blocks(project, "@a.txt#L2", version)
    assert f'{{"file_path":"{project.cwd}/a.txt"{call}}}' in found[0][1]
    assert found[1][1].endswith(":\n2\ttwo\n</system-reminder>")


@pytest.mark.parametrize(("mention", "says"), [("empty", "nothing is in it"), ("a.txt#L9", "it has 2 lines")])
def test_what_has_no_lines_has_a_warning(project: Project, mention: str, says: str) -> None:
    project.write({"workspace/empty": "", "workspace/a.txt": "one\n"})
    assert says in blocks(project, f"@{mention}")[1][1]


def test_several_files_and_folders(project: Project) -> None:
    project.write({"workspace/a.txt": "x", "workspace/dir/b.txt": "y", "workspace/dir/c.txt": "z"})
    found = blocks(project, "@a.txt @dir/ @gone.txt")
    assert [n for n, text in found if "reminder" in text and "Its input" in text] == [0, 1]
    assert f'"command":"ls {project.cwd}/dir"' in found[2][1]
    assert found[3][1].endswith(":\nb.txt\nc.txt\n</system-reminder>")
    assert ["What Bash answered" in text for _, text in found[1:4]] == [False, False, True]
    assert [text.endswith("\n") for _, text in found[1:4]] == [True, True, False]


def test_the_same_file_by_two_names_is_read_twice_and_told_apart(project: Project) -> None:
    project.write({"workspace/a.txt": "x"})
    sections = project.assemble(params={"prompt": "@a.txt @./a.txt"}).sections
    path = f"{project.cwd}/a.txt"
    titles = [s.title for s in sections if s.present and s.title.endswith("result")]
    assert titles == [f"{path}, result", f"{path} (2), result"]


def test_a_mention_wakes_what_lies_on_its_way(project: Project) -> None:
    project.write({
        "workspace/pkg/CLAUDE.md": "NESTED", "workspace/pkg/x.ts": "1", "workspace/other/AGENTS.md": "AGENTS",
        "workspace/.claude/rules/ts.md": '---\npaths: "**/*.ts"\n---\nRULE',
    })  # fmt: skip
    there = "\n".join(text for _, text in blocks(project, "@pkg/x.ts"))
    assert there.index("1\t1") < there.index("NESTED") < there.index("RULE")
    gone = "\n".join(text for _, text in blocks(project, "@pkg/gone.ts @pkg"))
    assert "NESTED" in gone
    assert "RULE" in gone
    assert "NESTED" not in "\n".join(text for _, text in blocks(project, "@pkg"))
    beside = "\n".join(text for _, text in blocks(project, "@other/x.md"))
    assert "prompt.mention hook additional context: Contents of" in beside
    older = [text for _, text in blocks(project, "@pkg/x.ts", model=OLDER)]
    at = next(n for n, text in enumerate(older) if "NESTED" in text)
    assert "Agent tool" in older[at - 1]
    assert not any(text.endswith("\n") for text in older[:at])


def test_agents_and_large_files_are_notes(project: Project) -> None:
    project.write({"home/.claude/agents/rev.md": AGENT, "workspace/big.txt": "x" * (257 * 1024)})
    prompt = '@agent-rev @agent-gone @"Explore (agent)" @rev @big.txt'
    assembly = project.assemble("2.1.330", params={"prompt": prompt})
    notes = [s.id.rpartition("/")[2] for s in assembly.sections if s.present and s.id.startswith("mention")]
    assert notes == ["mention.large:big.txt", "mention.agent:Explore", "mention.agent:rev"]
    assert "(257KB)" in assembly.request.messages[-1]["content"][0]["text"]


@pytest.mark.parametrize("rule", ["Read", "Read(*)", "Read(./a.txt)", "Read(a.*)", "Read(//**)", "Read(/a.txt)"])
def test_a_file_that_may_not_be_read_stays_out(project: Project, rule: str) -> None:
    project.write({"workspace/a.txt": "SECRET", "workspace/b/c.txt": "x"})
    settings = {"permissions": {"deny": [rule]}}
    assert "SECRET" not in str(blocks(project, "@a.txt", params={"settings": settings}))
    row = project.file("workspace/a.txt", version="2.1.330", params={"prompt": "@a.txt", "settings": settings})
    assert not row.present
    assert rule in row.why.text
    assert "SECRET" in str(blocks(project, "@a.txt", params={"settings": {"permissions": {"deny": ["Read(b/**)"]}}}))


def test_what_is_no_text_stays_out(project: Project) -> None:
    project.write({"workspace/a.bin": b"\0\1\2"})
    assert len(blocks(project, "@a.bin")) == len(blocks(project, "hi"))
    row = project.file("workspace/a.bin", version="2.1.330", params={"prompt": "@a.bin"})
    assert "binary" in row.why.text


@pytest.mark.parametrize(
    ("env", "args"),
    [
        ({"CLAUDE_CODE_DISABLE_ATTACHMENTS": "1"}, {}),
        ({"CLAUDE_CODE_SAFE_MODE": "1"}, {}),
        ({}, {"bare": True}),
    ],
)
def test_where_mentions_are_just_words(project: Project, env: dict[str, str], args: dict[str, bool]) -> None:
    project.write({"workspace/a.txt": "READ", "workspace/CLAUDE.md": ""})
    assert "READ" not in str(blocks(project, "@a.txt", env=env, params={"args": args}))


def test_the_older_version_reads_so_many_lines(project: Project) -> None:
    project.write({"workspace/long": "line\n" * 2_500})
    file = project.file("workspace/long", version="2.1.100", params={"prompt": "@long"})
    assert file.truncated
    assert file.injected_chars == 2_000 * 5 - 1
    project.write({"workspace/fits": "line\n" * 2_000})
    assert not project.file("workspace/fits", version="2.1.100", params={"prompt": "@fits"}).truncated
    assert not project.file("workspace/long", version="2.1.330", params={"prompt": "@long"}).truncated


@pytest.mark.parametrize(("count", "read"), [(50, 50), (51, 50)])
def test_so_many_files_are_read(project: Project, count: int, read: int) -> None:
    names = [f"f{number:02}.md" for number in range(count)]
    project.write({f"workspace/{name}": "x" for name in names})
    assembly = project.assemble(params={"prompt": " ".join(f"@{name}" for name in names)})
    assert len([file for file in assembly.files if file.kind == "mention"]) == read


C = "workspace/.claude/"


def sent(project: Project, prompt: str, **more: object) -> list[str]:
    """The blocks of the user's message, from the command on."""
    content = project.assemble("2.1.330", params={"prompt": prompt}, **more).request.messages[0]["content"]
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
        ("---\narguments: [who, what]\n---\n$who ${who} $what\n", "/c a b", "a b", "a ${who} b\n"),
        ("---\ndescription: d\n---\n", "/c x", "x", "\n\nARGUMENTS: x"),
        ("a\r\nb\r\n", "/c", "", "a\nb\n"),
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


def test_lines_to_be_run_are_named_and_not_run(project: Project) -> None:
    project.write({f"{C}commands/c.md": "now: !`touch ran`\n"})
    assembly = project.assemble("2.1.330", params={"prompt": "/c"})
    assert "command-runs" in [note.code for note in assembly.diagnostics]
    assert not (project.cwd / "ran").exists()


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
    assembly = project.assemble("2.1.330", params={"prompt": typed})
    note = assembly.section("command.unknown")
    assert note is not None
    assert "/plain, /dataviz" in note.text
    assert ("most like it" in note.text) is bool(close)
    assert assembly.request.messages[0]["content"][-1]["text"] == typed


@pytest.mark.parametrize("typed", ["/home/x", "/sub/deep", "/tmp", "/etc hi", "/", "/ plain", "/plain.", "/a@b", "//x"])
def test_what_begins_like_a_path_goes_out_alone(project: Project, typed: str) -> None:
    project.write({f"{C}commands/plain.md": "x\n", "workspace/CLAUDE.md": "HERE"})
    messages = project.assemble("2.1.330", params={"prompt": typed}).request.messages
    assert messages[-1]["content"][0]["text"].startswith("Today's date is")
    assert "HERE" in str(messages[0])


@pytest.mark.parametrize("typed", [" /c", "x /c", "c"])
def test_a_command_stands_at_the_very_beginning(project: Project, typed: str) -> None:
    project.write({f"{C}commands/c.md": "body\n"})
    assert sent(project, typed) == [typed]


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
    params = {"prompt": "/c", "args": more.get("args", {})}
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
    assembly = project.assemble("2.1.330", params={"prompt": typed}, mcp_servers=told)
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


def test_a_servers_prompt_goes_by_the_name_that_is_shown(project: Project) -> None:
    server = [{"name": "srv", "tools": []}]
    shown = project.materials(mcp_servers=server, params={"prompt": "/srv:pp (MCP) one two"}).typed
    assert shown is not None
    assert (shown.kind, shown.name, shown.arguments) == ("server", "mcp__srv__pp", "one two")
    plain = project.materials(mcp_servers=server, params={"prompt": "/srv:pp one"}).typed
    assert plain is not None
    assert plain.kind == "unknown"
