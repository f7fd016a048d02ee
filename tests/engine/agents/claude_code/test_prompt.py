"""What the prompt mentions with `@` (recorded with 2.1.332), whose hooks speak, and how much of it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptscope_engine.agents.claude_code.gather.prompt import tokens

if TYPE_CHECKING:
    from promptscope_engine.prompt.model import Section

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


def test_what_adds_nothing_has_a_row_with_the_reason(project: Project) -> None:
    project.write({"workspace/a.txt": "SECRET"})
    params = {"prompt": "@gone.txt @a.txt", "settings": {"permissions": {"deny": ["Read(a.txt)"]}}}
    assembly = project.assemble(params=params)
    gone, kept = (section for section in assembly.sections if section.id.startswith("mention.none:"))
    assert not gone.present
    assert gone.why.text == f"absent: there is no {project.cwd}/gone.txt: the words go as they are"
    assert "Read(a.txt)" in kept.why.text


_FILES = {
    "user": "home/.claude/settings.json",
    "project": "workspace/.claude/settings.json",
    "local": "workspace/.claude/settings.local.json",
    "managed": "managed/managed-settings.json",
}
_HOOK = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}]}}


def section(project: Project, said: str) -> Section:
    found = project.assemble(params={"hooks": {"SessionStart": said}}).sections
    return next(each for each in found if each.id == "hook.session_start")


def write(project: Project, files: dict[str, dict[str, Any]]) -> None:
    project.write({_FILES[level]: json.dumps(values) for level, values in files.items()})


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"user": {"disableAllHooks": True}}, "`disableAllHooks` is on"),
        ({"local": {"disableAllHooks": True}, "project": _HOOK}, "`disableAllHooks` is on"),
        ({"managed": {**_HOOK, "disableAllHooks": True}}, "`disableAllHooks` is on"),
        ({"managed": {"disableAllHooks": True}, "local": {"disableAllHooks": False}}, "`disableAllHooks` is on"),
        ({"managed": {"allowManagedHooksOnly": True}, "user": _HOOK}, "no managed settings have such a hook"),
    ],
)
def test_a_switch_silences_hooks(project: Project, files: dict[str, dict[str, Any]], why: str) -> None:
    write(project, files)
    found = section(project, "words")
    assert not found.present
    assert why in found.why.text


@pytest.mark.parametrize(
    "files",
    [
        {"user": _HOOK},
        {"user": {"disableAllHooks": True}, "managed": _HOOK},
        {"user": {"disableAllHooks": True}, "local": {"disableAllHooks": False}},
        {"managed": {"disableAllHooks": False}, "user": {"disableAllHooks": True}},
        {"managed": {**_HOOK, "allowManagedHooksOnly": True}},
        {"user": {"allowManagedHooksOnly": True}},
    ],
)
def test_other_hooks_speak(project: Project, files: dict[str, dict[str, Any]]) -> None:
    write(project, files)
    assert section(project, "words").present


@pytest.mark.parametrize(
    ("said", "size", "sent"),
    [
        ("x" * 10_001, "9.8KB", "x" * 2_000),
        ("é" * 10_240, "10KB", "é" * 2_000),
        ("😀" * 5_001, "9.8KB", "😀" * 1_000),
        ("x" * 1_000 + "\n" + "y" * 12_000, "12.7KB", "x" * 1_000 + "\n" + "y" * 999),
        ("x" * 1_001 + "\n" + "y" * 12_000, "12.7KB", "x" * 1_001),
    ],
)
def test_of_what_is_too_long_the_start_is_sent(project: Project, said: str, size: str, sent: str) -> None:
    text = section(project, said).text
    assert f"({size})" in text
    assert f":\n{sent}\n...\n</persisted-output>" in text


@pytest.mark.parametrize("said", ["é" * 10_000, "x" * 9_999 + "\n\n\n"])
def test_ten_thousand_characters_are_sent(project: Project, said: str) -> None:
    assert said.strip() in section(project, said).text


@pytest.mark.parametrize(
    ("event", "said", "is_sent"),
    [
        ("UserPromptSubmit", {"decision": "block"}, False),
        ("UserPromptSubmit", {"continue": False}, False),
        ("UserPromptSubmit", {"decision": "Block", "continue": "false"}, True),
        ("SessionStart", {"decision": "block", "continue": False}, True),
    ],
)
def test_a_hook_may_stop_the_prompt(project: Project, event: str, said: dict[str, Any], is_sent: bool) -> None:
    params = {"hooks": {event: json.dumps(said)}}
    found = project.assemble(params=params)
    assert bool(found.request.messages) is is_sent
    assert [d.code for d in found.diagnostics] == ([] if is_sent else ["agent-refuses"])


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("words", "SessionStart:startup hook success: words"),
        (
            '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "words"}}',
            "SessionStart hook additional context: words",
        ),
    ],
)
def test_what_a_hook_says_stands_behind_how_it_said_so(project: Project, said: str, begins: str) -> None:
    assert begins in section(project, said).text


def test_a_hook_that_is_off_stops_nothing(project: Project) -> None:
    write(project, {"user": {"disableAllHooks": True}})
    blocks = {"hooks": {"UserPromptSubmit": '{"decision": "block"}'}}
    assert project.assemble(params=blocks).request.messages


@pytest.mark.parametrize(("event", "sent"), [("SessionStart", "ZQ words"), ("UserPromptSubmit", None), (None, None)])
def test_only_what_is_meant_for_the_event_is_sent(project: Project, event: str | None, sent: str | None) -> None:
    own = {"additionalContext": "ZQ words", **({"hookEventName": event} if event else {})}
    write(project, {"user": _HOOK})
    found = section(project, json.dumps({"hookSpecificOutput": own}))
    assert ("ZQ words" in (found.text or "")) == (sent is not None)


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
@pytest.mark.parametrize("prompt", ["/a/b words", "/tmp is full", "/notes.txt words"])
def test_hooks_speak_also_beside_a_prompt_that_begins_like_a_path(project: Project, prompt: str, event: str) -> None:
    sent = project.assemble("2.1.332", params={"prompt": prompt, "hooks": {event: "ZQ words"}}).request
    assert "ZQ words" in json.dumps(sent.messages)


def test_a_hook_that_is_configured_is_named_with_its_place(project: Project) -> None:
    project.write(
        {
            "workspace/.claude/settings.json": json.dumps(_HOOK),
            "plug/.claude-plugin/plugin.json": '{"name": "tool"}',
            "plug/hooks/hooks.json": json.dumps(_HOOK),
        }
    )
    args = {"pluginDir": [str(project.cwd.parent / "plug")]}
    found = project.assemble("2.1.332", params={"args": args}).sections
    why = next(each.why.text for each in found if each.id == "hook.session_start")
    assert ".claude/settings.json:1" in why
    assert "plug/hooks/hooks.json" in why
