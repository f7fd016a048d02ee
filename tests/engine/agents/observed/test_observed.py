"""A captured request as an assembly: its parts, its files, and what a person is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.captures.bodies import ANTHROPIC, BODIES, CHAT
from tests.support.frozen import frozen_scenario, sent

from promptscope_engine import Assembly, ScenarioError, Workspace, assemble
from promptscope_engine.agents.observed.materials import FromFile
from promptscope_engine.agents.observed.sections.parts import parts_of
from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.files import as_lines
from promptscope_engine.captures.labels import labelled
from promptscope_engine.captures.model import Capture, End, Fidelity, Header

RULES = "# Shop\n\nUse pnpm for everything, and never npm.\n\n## Style\n\n- tabs\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace/.claude/rules", "home/.claude/skills/deploy", "managed"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "workspace/CLAUDE.md").write_text(RULES)
    (tmp_path / "workspace/AGENTS.md").write_text("Nobody sends this file today.\n")
    (tmp_path / "home/.claude/skills/deploy/SKILL.md").write_text(
        "---\nname: deploy\ndescription: Ships the shop to production when asked to do so.\n---\n\nLong text.\n"
    )
    return tmp_path


def capture(place: Path, *sent: tuple[str, Any], header: Header | None = None) -> str:
    path = place / "run.jsonl"
    requests = [recorded(n, Exchange(path=to, body=body)) for n, (to, body) in enumerate(sent, 1)]
    whole = Capture(header or Header("claude-code", "2.1.329"), labelled(requests, None), End())
    path.write_bytes(b"".join(as_lines(whole)))
    return str(path)


def observed(place: Path, body: Any, path: str = "/v1/messages", **more: Any) -> Assembly:
    return assemble(frozen_scenario("observed/x", place, capture=capture(place, (path, body)), **more))


def saying(text: str) -> dict[str, Any]:
    return {**ANTHROPIC, "messages": [{"role": "user", "content": [{"type": "text", "text": text}]}]}


@pytest.mark.parametrize("protocol", BODIES)
def test_every_protocol_gives_the_same_parts(place: Path, protocol: str) -> None:
    body, path = BODIES[protocol]
    found = observed(place, body, path)
    assert [(s.title, s.channel) for s in found.sections] == [
        ("You are a tester.", "system"),
        ("Rules", "system"),
        ("user: hi", "messages"),
    ]
    assert [(tool.name, tool.description, tool.parameters[0].name) for tool in found.tools] == [
        ("read", "Reads.", "path")
    ]
    assert {fragment.origin.kind for s in found.sections for fragment in s.fragments} == {"sent"}
    plain = found.to_dict()
    for channel in ("system", "messages"):
        assert "".join(s.text for s in found.sections if s.channel == channel) == sent(plain["request"], channel)
    assert found.tokens.total == found.tokens.expected


def test_text_of_files_carries_file_and_lines(place: Path) -> None:
    found = observed(place, saying(f"<system-reminder>\nContents of CLAUDE.md:\n\n{RULES}\n</system-reminder>\nhi"))
    (section,) = [section for section in found.sections if section.title == "CLAUDE.md"]
    (origin,) = [fragment.origin for fragment in section.fragments if fragment.origin.kind == "file"]
    assert (origin.path, origin.start_line, origin.end_line) == (f"{place}/workspace/CLAUDE.md", 1, 7)
    assert section.parent == "messages.0.0.system_reminder"


def test_the_files_say_what_of_them_was_sent(place: Path) -> None:
    skill = "- deploy: Ships the shop to production when asked to do so."
    found = observed(place, saying(f"{skill}\n\n{RULES.partition('## Style')[0]}"))
    files = {Path(file.path).name: file for file in found.files}
    assert files["SKILL.md"].why.text == "present: in the request: line 3"
    assert files["SKILL.md"].kind == "skill"
    assert files["CLAUDE.md"].why.text == "present: in the request: lines 1-3"
    assert files["CLAUDE.md"].truncated
    assert files["AGENTS.md"].why.text == "absent: none of its text stands in the request"
    assert (files["AGENTS.md"].present, files["AGENTS.md"].injected_chars) == (False, 0)


def test_a_changed_file_is_looked_at_again(place: Path) -> None:
    scenario = frozen_scenario("observed/x", place, capture=capture(place, ("/v1/messages", saying(RULES))))
    workspace = Workspace()
    before = assemble(scenario, workspace)
    (place / "workspace/CLAUDE.md").write_text("# Other\n")
    changed = workspace.changed()
    assert changed == {f"{place}/workspace/CLAUDE.md"}
    workspace.forget(changed)
    after = assemble(scenario, workspace)
    assert [file.present for file in before.files if file.path.endswith("CLAUDE.md")] == [True]
    assert [file.present for file in after.files if file.path.endswith("CLAUDE.md")] == [False]
    assert before.request == after.request


def test_a_request_is_chosen_by_its_number(place: Path) -> None:
    later = {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], {"role": "assistant", "content": "ok"}]}
    file = capture(place, ("/api/hello", None), ("/v1/messages", ANTHROPIC), ("/v1/messages", later))
    main = assemble(frozen_scenario("observed/x", place, capture=file))
    third = assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 3}))
    assert [section.title for section in third.sections][len(main.sections) :] == ["assistant: ok"]
    with pytest.raises(ScenarioError, match="no request 1 to a model in the capture; there are: 2, 3"):
        assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 1}))


def test_without_an_agent_the_capture_names_it(place: Path) -> None:
    scenario = frozen_scenario("observed/x", place, capture=capture(place, ("/v1/messages", ANTHROPIC)))
    found = assemble(scenario.model_copy(update={"agent": None}))
    assert (found.agent, found.agent_version, found.model) == ("observed/claude-code", "2.1.329", "claude-sonnet-4-5")


def test_a_modelled_agent_is_predicted_although_there_is_a_capture(place: Path) -> None:
    file = capture(place, ("/v1/messages", ANTHROPIC))
    assert assemble(frozen_scenario("roo", place, capture=file)).agent == "roo"


def test_what_a_person_should_know_is_said(place: Path) -> None:
    body = {**CHAT, "messages": [*CHAT["messages"], {"role": "user", "content": [{"type": "image_url"}]}]}
    header = Header("qwen", fidelity=Fidelity("redirected", ("the model is another",)))
    file = capture(place, ("/v1/chat/completions", {**body, "user": "sk-" + "a1" * 20}), header=header)
    found = assemble(frozen_scenario("observed/x", place, capture=file))
    assert [d.message for d in found.diagnostics] == [
        "redirected: the model is another",
        "keys that are masked: 1",
        "1 images or documents are neither shown nor counted",
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b"nothing", "no capture"), (b'{"a": 1}', "known kind"), (None, "No such file")],
)
def test_a_file_that_is_no_capture_cannot_be_assembled(place: Path, content: bytes | None, says: str) -> None:
    file = place / "x.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ScenarioError, match=says):
        assemble(frozen_scenario("observed/x", place, capture=str(file)))


def test_without_a_capture_there_is_nothing_to_observe(place: Path) -> None:
    with pytest.raises(ScenarioError, match="name a capture"):
        assemble(frozen_scenario("observed/x", place))


# --- parts -----------------------------------------------------------------------------------------------------------

TEXT = """Before.

# One
text
```
# no heading
```
## Two
<env>
a: 1
# Inner
</env>
after the tag
<one>line</one>
# Three
end"""


def test_headings_and_tags_begin_parts() -> None:
    found = parts_of(TEXT, ())
    assert [(part.title, part.parent) for part in found] == [
        ("", None), ("One", None), ("Two", 1), ("<env>", 2), ("Inner", 3), ("", 2), ("Three", None),
    ]  # fmt: skip
    assert TEXT[found[5].start : found[5].end].startswith("after the tag")


def test_within_the_text_of_a_file_nothing_begins() -> None:
    start, end = TEXT.index("# One"), TEXT.index("# Three")
    found = parts_of(TEXT, [FromFile(start, end, "/ws/x.md")])
    assert [(part.title, part.path) for part in found] == [
        ("", None), ("/ws/x.md", "/ws/x.md"), ("Three", None),
    ]  # fmt: skip


@given(st.text(alphabet="#<>/a \n`", max_size=120), st.integers(0, 60), st.integers(0, 60))
def test_parts_join_to_the_text(text: str, start: int, length: int) -> None:
    end = min(start + length, len(text))
    found = parts_of(text, [FromFile(start, end, "/x")] if start < end else ())
    assert "".join(text[part.start : part.end] for part in found) == text
    assert all(part.parent is None or part.parent < number for number, part in enumerate(found))


def test_a_text_of_headings_only_stays_readable() -> None:
    assert len(parts_of("# a\n" * 50_000, ())) <= 2_001


def test_the_request_keeps_roles_and_breakpoints(place: Path) -> None:
    found = observed(place, ANTHROPIC).request
    assert found.system[0]["cache_control"] == {"type": "ephemeral"}
    assert [message["role"] for message in found.messages] == ["user"]
    assert json.dumps(found.tools[0]["input_schema"]) == json.dumps(ANTHROPIC["tools"][0]["input_schema"])


# --- what is looked into ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "looked"), [(-1, 1), (0, 1), (1, 2)])
def test_no_more_bytes_than_the_limit_are_looked_into(
    place: Path, monkeypatch: pytest.MonkeyPatch, more: int, looked: int
) -> None:
    monkeypatch.setattr("promptscope_engine.agents.observed.gather.MAX_TOTAL", len(RULES) + more)
    (place / "home/.claude/skills/deploy/SKILL.md").unlink()
    (place / "workspace/x.md").write_text("more")
    found = observed(place, saying(RULES))
    said = [d.message for d in found.diagnostics if d.code == "files-left-out"]
    assert [text.split(":")[0] for text in said] == [f"looked into {looked} files for what was sent"]


def test_within_the_limits_nothing_is_said(place: Path) -> None:
    assert [d for d in observed(place, saying(RULES)).diagnostics if d.code == "files-left-out"] == []


LONG = "This sentence of the file is long enough to be found wherever it stands in what was sent. " * 3


@pytest.mark.parametrize(("nul", "is_text"), [(8_190, False), (8_191, False), (8_192, True)])
def test_a_file_with_a_nul_at_its_beginning_is_no_text(place: Path, nul: int, is_text: bool) -> None:
    content = bytearray(LONG.ljust(9_000).encode())
    content[nul] = 0
    (place / "workspace/notes.txt").write_bytes(bytes(content))
    assert [f.path for f in observed(place, saying(LONG)).files if f.path.endswith("notes.txt")] == (
        [f"{place}/workspace/notes.txt"] if is_text else []
    )


@pytest.mark.slow
@pytest.mark.parametrize(("size", "is_found"), [(2**21 - 1, True), (2**21, True), (2**21 + 1, False)])
def test_a_file_is_looked_into_up_to_its_limit(place: Path, size: int, is_found: bool) -> None:
    (place / "workspace/CLAUDE.md").write_text(LONG.ljust(size))
    files = {Path(file.path).name: file.present for file in observed(place, saying(LONG)).files}
    assert files["CLAUDE.md"] is is_found


SENTENCES = [f"Sentence number {number} says what nobody else would say of thing {number}." for number in range(10)]


@pytest.mark.parametrize(
    ("sent_lines", "words"),
    [
        ([0], "line 1"),
        ([0, 1], "lines 1-2"),
        ([0, 2], "lines 1, 3"),
        ([0, 2, 4, 5], "lines 1, 3, 5-6"),
        ([0, 2, 4, 6], "lines 1, 3, 5 and 1 more stretch"),
        ([0, 2, 4, 6, 8, 9], "lines 1, 3, 5 and 2 more stretches"),
        (range(10), "all of it"),
    ],
)
def test_which_lines_were_sent_is_said_in_words(place: Path, sent_lines: Sequence[int], words: str) -> None:
    (place / "workspace/CLAUDE.md").write_text("\n".join(SENTENCES))
    text = "\n".join(SENTENCES[n] if n in sent_lines else f"-{n}-" for n in range(10))
    (file,) = [f for f in observed(place, saying(text)).files if f.path.endswith("CLAUDE.md")]
    assert file.why.text == f"present: in the request: {words}"
    assert file.truncated is (9 not in sent_lines)


def test_which_files_are_missed(place: Path) -> None:
    for name in (
        "workspace/README.md",
        "workspace/.claude/rules/r.md",
        "home/.claude/notes.md",
        "home/.claude/CLAUDE.md",
    ):
        (place / name).write_text("Nothing of this is sent.")
    absent = [Path(f.path) for f in observed(place, saying("hi")).files if not f.present]
    assert sorted(str(path.relative_to(place)) for path in absent) == [
        "home/.claude/CLAUDE.md",
        "workspace/.claude/rules/r.md",
        "workspace/AGENTS.md",
        "workspace/CLAUDE.md",
    ]


@pytest.mark.parametrize(("model", "shown"), [(None, "claude-sonnet-4-5"), ("gpt-5", "gpt-5")])
def test_the_model_is_the_captures_unless_one_is_chosen(place: Path, model: str | None, shown: str) -> None:
    assert observed(place, ANTHROPIC, model=model).model == shown


def test_a_capture_that_names_no_model_has_none(place: Path) -> None:
    assert observed(place, {key: value for key, value in ANTHROPIC.items() if key != "model"}).model is None


def test_only_texts_and_results_are_cut_into_parts(place: Path) -> None:
    text = "# One\na\n# Two\nb\n"
    call = {"type": "tool_use", "id": "1", "name": "read", "input": {"path": text}}
    result = {"type": "tool_result", "tool_use_id": "1", "content": text}
    said = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    found = observed(place, {**ANTHROPIC, "messages": [*ANTHROPIC["messages"], *said]})
    titles = [s.title for s in found.sections if s.channel == "messages"][1:]
    assert titles[0].startswith("tool_use: ")
    (called,) = [s for s in found.sections if s.title == titles[0]]
    assert json.loads(called.text) == call
    assert titles[1:] == ["One", "Two"]
    assert [message["role"] for message in found.request.messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize(("length", "shown"), [(47, "x" * 47), (48, "x" * 48), (49, "x" * 47 + "…")])
def test_a_title_is_how_a_text_begins(place: Path, length: int, shown: str) -> None:
    found = observed(place, saying("x" * length))
    assert [s.title for s in found.sections if s.channel == "messages"] == [f"user: {shown}"]


@pytest.mark.parametrize(
    ("name", "kind", "group"),
    [
        ("read", "custom", "agent"),
        ("read", "function", "agent"),
        ("web_search", "web_search_20250305", "service"),
        ("mcp__files__find", "custom", "mcp files"),
        ("mcp__files__find__all", "custom", "mcp files"),
        ("mcp_files_find", "custom", "agent"),
    ],
)
def test_what_runs_a_tool(place: Path, name: str, kind: str, group: str) -> None:
    tool = {"name": name, "type": kind, "description": "Does it."}
    (found,) = observed(place, {**ANTHROPIC, "tools": [tool]}).tools
    assert (found.group, found.parameters) == (group, ())


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, [("a", False), ("b", True)]),
        ({"type": "object", "properties": {"a": {}}, "required": "a"}, [("a", False)]),
        ({"type": "object", "properties": ["a"]}, []),
        ({"type": "object"}, []),
        ("no schema", []),
    ],
)
def test_the_parameters_of_a_tool(place: Path, schema: Any, parameters: list[tuple[str, bool]]) -> None:
    tool = {"name": "t", "description": "d", "input_schema": schema}
    (found,) = observed(place, {**ANTHROPIC, "tools": [tool]}).tools
    assert [(each.name, each.required) for each in found.parameters] == parameters


def test_a_list_of_files_that_was_cut_is_told_with_the_limits(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["promptscope_engine.agents.observed.gather.candidates"], "MAX_FILES", 2)
    (said,) = [d for d in observed(place, saying(RULES)).diagnostics if d.code == "files-left-out"]
    assert said.message == "looked into 2 files for what was sent: at most 5,000, 96 MB"


@pytest.mark.parametrize("count", [19, 20, 21])
def test_so_many_requests_are_named_where_one_is_not_there(place: Path, count: int) -> None:
    file = capture(place, *[("/v1/messages", ANTHROPIC)] * count)
    with pytest.raises(ScenarioError) as caught:
        assemble(frozen_scenario("observed/x", place, capture=file, params={"request": 99}))
    named = ", ".join(str(number) for number in range(1, min(count, 20) + 1))
    assert str(caught.value).endswith(f"there are: {named}")


@pytest.mark.parametrize(
    ("fidelity", "messages"),
    [
        (Fidelity(), []),
        (Fidelity("redirected"), ["redirected: the real request differs"]),
        (Fidelity("redirected", ("a", "b")), ["redirected: a; b"]),
        (Fidelity(notes=("a", "b")), ["a; b"]),
    ],
)
def test_how_faithful_a_capture_is(place: Path, fidelity: Fidelity, messages: list[str]) -> None:
    file = capture(place, ("/v1/messages", ANTHROPIC), header=Header("qwen", fidelity=fidelity))
    scenario = frozen_scenario("observed/x", place, capture=file)
    found = assemble(scenario.model_copy(update={"agent": None}))
    assert [d.message for d in found.diagnostics] == messages
    assert (found.agent, found.agent_version) == ("observed/qwen", "unknown")
