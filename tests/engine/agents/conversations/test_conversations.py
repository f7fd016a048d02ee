"""What each agent writes of its conversations, read as it was recorded (see `files/README.md`), and hostile files."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from promptscope_engine.agents.features import KeepsTranscripts
from promptscope_engine.agents.kit.sessions import conversation
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.agents.transcripts import HEAD, Transcript, Turn

FILES = Path(__file__).parent / "files"
KEEPERS = [agent for agent in all_agents() if isinstance(agent, KeepsTranscripts)]
WRITTEN = {
    "claude-code-2.1.100.jsonl": "claude-code",
    "claude-code-2.1.329.jsonl": "claude-code",
    "codex-0.169.0.jsonl": "codex",
    "codex-0.169.0-compacted.jsonl": "codex",
    "copilot-1.0.102.jsonl": "copilot",
    "gemini-0.61.0.jsonl": "gemini",
    "gemini-0.61.0-resumed.jsonl": "gemini",
    "openclaw-2026.2.24.jsonl": "openclaw",
    "opencode-1.18.33.json": "opencode",
    "roo-api_conversation_history.json": "roo",
    "roo-ui_messages.json": "roo",
}
BASE = 5_000


def read(agent: str, data: bytes, **variables: str) -> Transcript:
    keeper = load_agent(agent)
    assert isinstance(keeper, KeepsTranscripts)
    reader = keeper.transcript_reader(BASE, variables)
    for at in range(0, len(data), 1_000):
        reader.feed(data[at : at + 1_000])
    return reader.close()


def recorded(name: str, **variables: str) -> Transcript:
    return read(WRITTEN[name], (FILES / name).read_bytes(), **variables)


def counts(found: Transcript) -> list[tuple[str, int]]:
    return [(turn.role, turn.fill) for turn in found.turns]


@pytest.mark.parametrize("name", WRITTEN)
def test_only_its_writer_knows_a_file_by_its_content(name: str) -> None:
    head = (FILES / name).read_bytes()[:HEAD]
    assert [agent.id for agent in KEEPERS if agent.is_transcript(head)] == [WRITTEN[name]]
    assert recorded(name).flaws == ()


@pytest.mark.parametrize(
    ("name", "turns", "others", "model"),
    [
        ("claude-code-2.1.100.jsonl", 9, 4, "claude-sonnet-4-6"),
        ("claude-code-2.1.329.jsonl", 14, 16, "claude-opus-5-5"),
        ("codex-0.169.0.jsonl", 6, 10, "gpt-6.1-sol"),
        ("codex-0.169.0-compacted.jsonl", 5, 11, "gpt-6.1-sol"),
        ("copilot-1.0.102.jsonl", 4, 9, "gpt-5.4"),
        ("gemini-0.61.0.jsonl", 6, 8, "gemini-3.8-flash"),
        ("gemini-0.61.0-resumed.jsonl", 13, 16, "gemini-3.8-flash"),
        ("openclaw-2026.2.24.jsonl", 11, 4, "mock/m1"),
        ("opencode-1.18.33.json", 2, 0, "promptscope/blank"),
        ("roo-api_conversation_history.json", 5, 0, ""),
        ("roo-ui_messages.json", 7, 4, ""),
    ],
)
def test_how_many_lines_are_messages_and_how_many_are_not(name: str, turns: int, others: int, model: str) -> None:
    found = recorded(name)
    assert (len(found.turns), found.other, found.broken, found.model) == (turns, others, 0, model)


@pytest.mark.parametrize("head", [b"", b"{", b"[", b"[]", b'{"type": 1}', b"\0\xff", b'"text"', b"[" * HEAD])
def test_what_is_no_conversation_is_nobodys(head: bytes) -> None:
    assert [agent.id for agent in KEEPERS if agent.is_transcript(head)] == []


def test_a_session_of_copilot_has_what_was_typed_called_and_returned() -> None:
    found = recorded("copilot-1.0.102.jsonl")
    assert (found.form, found.version) == ("session of GitHub Copilot CLI", "1.0.102")
    assert [turn.role for turn in found.turns] == ["user", "assistant", "user", "assistant"]
    assert found.turns[0].text == "What is in src/a.txt?"
    assert [returned.tool for returned in found.turns[2].returned] == ["view"]
    assert found.fill == 11_218, "the session's own count of the window, at its end"


def test_a_session_of_claude_code_compacts_and_goes_on() -> None:
    found = recorded("claude-code-2.1.329.jsonl")
    assert (found.form, found.version, found.model) == ("session of Claude Code", "2.1.329", "claude-opus-5-5")
    at = next(n for n, turn in enumerate(found.turns) if turn.role == "compaction")
    compaction, summary = found.turns[at : at + 2]
    kept = next(turn for turn in found.turns if turn.text == "There are two files.")
    assert compaction.text == "manual, at 12,220 tokens"
    assert compaction.fill == BASE + kept.tokens, "the last answer is kept"
    assert summary.fill == compaction.fill + summary.tokens
    assert found.turns[at - 1].fill == 12_220


def test_claude_code_compacts_by_itself() -> None:
    found = recorded("claude-code-2.1.100.jsonl")
    roles = counts(found)
    at = roles.index(("compaction", BASE))
    assert roles[at - 1][1] > 167_000
    assert found.turns[at].text == "auto, at 167,866 tokens"
    assert found.turns[-1].fill == 2_040, "an answer's own account wins"


def test_the_budget_of_a_bash_result_is_told() -> None:
    results = [r for turn in recorded("claude-code-2.1.329.jsonl").turns for r in turn.returned]
    small, _, large = results
    assert (small.tool, small.whole, small.remark) == ("Bash", None, "")
    assert (large.tool, large.whole) == ("Bash", 60_894)
    assert large.remark.startswith("60,894 characters were cut to a stub of ")


@pytest.mark.parametrize(("limit", "cut"), [(2_399, True), (2_400, False), (2_401, False)])
def test_a_result_over_the_scenarios_limit_would_be_cut(limit: int, cut: bool) -> None:
    found = read("claude-code", called("Bash", 2_400), BASH_MAX_OUTPUT_LENGTH=str(limit))
    [result] = found.turns[-1].returned
    assert result.remark == ("2,400 characters would be cut to a stub of 2,283" if cut else "")


def called(tool: str, characters: int) -> bytes:
    """A call, and a result of so many characters."""
    call = {"type": "tool_use", "id": "a", "name": tool, "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "x" * characters}
    lines = [
        {"type": "assistant", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "message": {"role": "user", "content": [result]}},
    ]
    return "\n".join(map(json.dumps, lines)).encode()


@pytest.mark.parametrize(
    ("tokens", "remark"),
    [(10_000, ""), (10_001, "large: the agent warns of it"), (25_001, "over the limit of 25,000 tokens")],
)
def test_the_budget_of_an_mcp_result_is_told(tokens: int, remark: str) -> None:
    found = read("claude-code", called("mcp__x__y", 4 * tokens))
    assert [(r.tool, r.tokens, r.remark) for r in found.turns[-1].returned] == [("mcp__x__y", tokens, remark)]


def test_a_rollout_counts_an_answers_items_and_its_outputs_as_a_turn_each() -> None:
    found = recorded("codex-0.169.0.jsonl")
    assert (found.version, found.model, found.window) == ("0.169.0", "gpt-6.1-sol", 258_400)
    assert [(turn.role, turn.reported, len(turn.calls), turn.results) for turn in found.turns] == [
        ("user", None, 0, 0),
        ("assistant", 15_060, 1, 0),
        ("user", None, 0, 1),
        ("assistant", 15_390, 2, 0),
        ("user", None, 0, 2),
        ("assistant", 16_220, 0, 0),
    ]
    first = found.turns[0]
    assert (first.text, first.fill) == ("Look at the files here", BASE + first.tokens), (
        "the prompt's parts are no turns"
    )


def test_a_rollout_without_usage_records_goes_by_its_events() -> None:
    lines = (FILES / "codex-0.169.0.jsonl").read_bytes().splitlines()
    older = b"\n".join(line for line in lines if b'"token_usage_record"' not in line)
    assert counts(read("codex", older))[-1] == ("assistant", 16_220)
    assert [turn.reported for turn in read("codex", older).turns[1::2]] == [15_060, 15_390, 16_220]


def test_a_compacted_rollout_goes_on_from_what_remains() -> None:
    found = recorded("codex-0.169.0-compacted.jsonl")
    asked, *_, compaction, answer = found.turns
    assert (compaction.role, compaction.fill) == ("compaction", BASE + asked.tokens)
    assert compaction.text == "summary encrypted, not counted"
    assert answer.fill == 13_030, "what the compaction itself used is nobody's answer"


def test_a_chat_takes_the_last_form_of_a_message() -> None:
    found = recorded("gemini-0.61.0.jsonl")
    assert [(turn.line, turn.reported, turn.calls, turn.results) for turn in found.turns] == [
        (3, None, (), 0),
        (5, 8_060, ("list_directory",), 0),
        (8, None, (), 1),
        (10, 8_390, ("read_file", "run_shell_command"), 0),
        (13, None, (), 2),
        (15, 9_220, (), 0),
    ]


def test_a_resumed_chat_sends_its_results_again() -> None:
    found = recorded("gemini-0.61.0-resumed.jsonl")
    assert [turn.role for turn in found.turns].count("compaction") == 0
    assert sum(turn.results for turn in found.turns) == 6, "two results, each three times after the second resumption"
    assert "/compress" not in {turn.text for turn in found.turns}, "a command leaves the history"
    assert found.turns[-1].fill == 600_060


def test_a_compressed_chat_starts_from_the_new_history() -> None:
    said = {"id": "s", "type": "user", "content": [{"text": "x" * 40}]}
    lines = [*(FILES / "gemini-0.61.0.jsonl").read_text().splitlines(), json.dumps({"$set": {"messages": [said]}})]
    found = read("gemini", "\n".join(lines).encode())
    assert counts(found)[-2:] == [("compaction", BASE), ("user", BASE + 10)]
    assert len(found.turns) == 8, "nothing of what was said before is lost"


def test_an_older_chat_is_one_document() -> None:
    call = {"name": "ls", "args": {}, "result": [{"functionResponse": {"name": "ls", "response": {"output": "x" * 8}}}]}
    messages = [
        {"type": "user", "content": "Look"},
        {"type": "gemini", "content": "I look.", "toolCalls": [call], "tokens": {"input": 90, "output": 10}},
        {"type": "gemini", "content": "Done.", "model": "m"},
    ]
    data = json.dumps({"sessionId": "a", "projectHash": "b", "messages": messages}, indent=1).encode()
    assert [agent.id for agent in KEEPERS if agent.is_transcript(data[:HEAD])] == ["gemini"]
    found = read("gemini", data)
    assert counts(found) == [("user", BASE + 1), ("assistant", 100), ("user", 102), ("assistant", 104)]
    assert found.model == "m"
    assert found.turns[0].line < found.turns[1].line < found.turns[3].line


def test_a_session_of_openclaw_keeps_what_its_compaction_says() -> None:
    found = recorded("openclaw-2026.2.24.jsonl")
    summary, *_ = (turn for turn in found.turns if turn.role == "compaction")
    kept = [turn for turn in found.turns if turn.text in ("There are two files.", "And now?", "Still two files.")]
    lines = (FILES / "openclaw-2026.2.24.jsonl").read_text().splitlines()
    said = next(json.loads(line) for line in lines if '"compaction"' in line)
    assert summary.fill == BASE + conversation.estimate(said["summary"]) + sum(turn.tokens for turn in kept)
    assert (found.model, found.turns[-1].fill) == ("mock/m1", 6_060)


def test_a_branch_of_openclaw_goes_on_from_where_it_begins() -> None:
    def entry(name: str, before: str | None, words: str) -> str:
        message = {"role": "user", "content": words}
        return json.dumps({"type": "message", "id": name, "parentId": before, "message": message})

    lines = [entry("a", None, "x" * 4), entry("b", "a", "x" * 400), entry("c", "a", "x" * 8)]
    assert [turn.fill - BASE for turn in read("openclaw", "\n".join(lines).encode()).turns] == [1, 101, 3]


def test_a_task_of_roo_starts_from_its_summary() -> None:
    found = recorded("roo-api_conversation_history.json")
    asked, call, result, summary, last = found.turns
    assert call.calls == ("read_file",)
    assert [(r.tool, r.tokens) for r in result.returned] == [("read_file", result.result_tokens)]
    assert summary.fill == BASE + asked.tokens + conversation.estimate(summary.text)
    assert last.fill == summary.fill + last.tokens


def test_the_chat_of_roo_tells_what_answers_used() -> None:
    found = recorded("roo-ui_messages.json")
    assert [(turn.role, turn.fill, turn.calls) for turn in found.turns[:3]] == [
        ("user", BASE + 6, ()),
        ("assistant", 11_070, ("readFile",)),
        ("assistant", 11_250, ("execute_command",)),
    ]
    assert ("compaction", 9_000) in counts(found)
    assert counts(found)[-2:] == [("assistant", 9_150), ("user", 9_153)]


@pytest.mark.parametrize(
    ("told", "tokens", "fill"),
    [(0, 0, BASE), (BASE - 1, 0, BASE - 1), (BASE, 0, BASE), (BASE + 1, 1, BASE + 1), (9_000, 4_000, 9_000)],
)
def test_what_remains_of_a_task_of_roo_has_the_prompt_in_it(told: int, tokens: int, fill: int) -> None:
    condensed = {"prevContextTokens": 20_000, "newContextTokens": told}
    entries = [
        {"ts": 1, "type": "say", "say": "text", "text": "hi"},
        {"ts": 2, "type": "say", "say": "condense_context", "contextCondense": condensed},
    ]
    (compaction,) = [turn for turn in read("roo", json.dumps(entries).encode()).turns if turn.role == "compaction"]
    assert (compaction.tokens, compaction.fill, compaction.text) == (tokens, fill, "at 20,000 tokens")


# --- files of strangers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [agent.id for agent in KEEPERS])
def test_what_does_not_parse_is_told_with_its_line(agent: str) -> None:
    bad = [b"nul\0l", b"[" * 100_000, b'{"a":', b"[1]", b"\xff\xfe", b"1" * 5_000]
    found = read(agent, b"\n".join(bad))
    assert found.broken > 0
    assert found.flaws[0].line == 1
    if agent not in ("roo", "opencode"):  # one document: what follows the first flaw has no shape
        head = b'{"sessionId": "a", "projectHash": "b"}\n' if agent == "gemini" else b""
        flaws = read(agent, head + b"\n".join(bad)).flaws
        assert [flaw.line for flaw in flaws] == [n + bool(head) for n in range(1, 7)]


@pytest.mark.parametrize("name", [name for name, agent in WRITTEN.items() if agent not in ("roo", "opencode")])
def test_odd_values_are_no_error(name: str) -> None:
    """Each line of a real file with one of its values replaced by something else."""
    odd = [None, 1, "x", [], {}, [1, None], {"type": "message"}, -1, 1e300]
    for number, line in enumerate((FILES / name).read_text().splitlines()):
        entry = json.loads(line)
        for key in entry:
            inner = entry[key] if isinstance(entry[key], dict) else {}
            lines = [entry | {key: odd[number % len(odd)]}]
            lines += [entry | {key: inner | {part: odd[(number + 3) % len(odd)]}} for part in inner]
            assert read(WRITTEN[name], "\n".join(map(json.dumps, lines)).encode()).broken == 0


def test_a_list_that_is_cut_off_gives_what_is_whole() -> None:
    data = (FILES / "roo-api_conversation_history.json").read_bytes()
    found = read("roo", data[:-100])
    assert len(found.turns) == 4
    assert [flaw.message for flaw in found.flaws] == ["what follows is not valid JSON"]


@pytest.mark.parametrize("over", [0, 1])
def test_a_document_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch, over: int) -> None:
    data = (FILES / "roo-ui_messages.json").read_bytes()
    monkeypatch.setattr(conversation, "MAX_DOCUMENT", len(data) - over)
    found = read("roo", data)
    assert (found.left_out, bool(found.flaws)) == (over, bool(over))


def test_flaws_are_told_up_to_a_limit() -> None:
    found = read("codex", b"x\n" * (conversation.MAX_FLAWS + 5))
    assert (len(found.flaws), found.broken) == (conversation.MAX_FLAWS, conversation.MAX_FLAWS + 5)


# --- compactions that a file does not hold ----------------------------------------------------------------------------


def turns(*fills: int, reported: int = -1) -> tuple[Turn, ...]:
    before = (BASE, *fills)
    return tuple(
        Turn(n + 1, "user", fill - before[n], fill, reported=fill if n == reported else None)
        for n, fill in enumerate(fills)
    )


@pytest.mark.parametrize(
    ("threshold", "fills"),
    [
        (None, [6_000, 9_000, 12_000]),
        (8_999, [6_000, 9_000, 8_000]),
        (9_000, [6_000, 9_000, 8_000]),
        (9_001, [6_000, 9_000, 12_000]),
        (12_001, [6_000, 9_000, 12_000]),
    ],
)
def test_an_estimate_that_reaches_the_threshold_starts_from_the_prompt(threshold: int | None, fills: list[int]) -> None:
    found = Transcript(turns(6_000, 9_000, 12_000), base=BASE).compacted(threshold)
    assert [turn.fill for turn in found.turns] == fills


def test_what_was_reported_stands() -> None:
    found = Transcript(turns(9_000, 20_000, 21_000, 22_000, reported=1), base=BASE).compacted(8_000)
    assert [turn.fill for turn in found.turns] == [9_000, 20_000, 6_000, 7_000]


def test_a_prompt_over_the_threshold_is_not_compacted_away() -> None:
    found = Transcript(turns(6_000, 9_000), base=BASE)
    assert found.compacted(BASE) is found


# --- OpenCode's database ----------------------------------------------------------------------------------------------


def database(*sessions: tuple[str, int, list[tuple[str, list[dict[str, object]]]]]) -> bytes:
    """A database of sessions: each with its name, when it was used, and its messages by role, with their parts."""
    made = sqlite3.connect(":memory:")
    made.execute("CREATE TABLE session (id, parent_id, version, time_updated)")
    made.execute("CREATE TABLE message (id, session_id, time_created, data)")
    made.execute("CREATE TABLE part (id, message_id, session_id, data)")
    for name, used, messages in sessions:
        made.execute("INSERT INTO session VALUES (?, NULL, '1.18.33', ?)", (name, used))
        for at, (role, parts) in enumerate(messages):
            message = f"{name}.{at}"
            made.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (message, name, at, json.dumps({"role": role})))
            for number, part in enumerate(parts):
                row = (f"{message}.{number}", message, name, json.dumps(part))
                made.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
    made.commit()
    return bytes(made.serialize())


def test_of_opencodes_database_the_session_used_last_is_read() -> None:
    call = {"type": "tool", "tool": "read", "state": {"input": {"filePath": "/a"}, "output": "four words are here"}}
    asked, said = {"type": "text", "text": "look"}, {"type": "text", "text": "I do"}
    found = read(
        "opencode",
        database(("old", 1, [("user", [asked])]), ("new", 2, [("user", [asked]), ("assistant", [said, call])])),
    )
    assert [(turn.role, turn.text, turn.calls) for turn in found.turns] == [
        ("user", "look", ()), ("assistant", "I do", ("read",)), ("user", "four words are here", ()),
    ]  # fmt: skip
    assert found.turns[-1].returned[0].characters == len("four words are here")
    assert found.version == "1.18.33"


def test_what_opencode_summed_up_is_not_sent_any_more() -> None:
    long = {"type": "text", "text": "word " * 1_000}
    asks, sums = {"type": "compaction", "auto": True}, {"type": "text", "text": "a summary"}
    found = read("opencode", database(("a", 1, [("user", [long]), ("user", [asks]), ("assistant", [sums])])))
    assert [turn.role for turn in found.turns] == ["user", "compaction"]
    assert found.fill < BASE + 10


@pytest.mark.parametrize("cut", [16, 100, 5_000])
def test_a_database_that_is_cut_off_is_told(cut: int) -> None:
    whole = database(("a", 1, [("user", [{"type": "text", "text": "look"}])]))
    assert read("opencode", whole[:cut]).flaws[0].message.startswith("the database cannot be read")
