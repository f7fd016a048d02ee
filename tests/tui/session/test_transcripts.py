"""What is said of a transcript as a whole."""

import json

from promptscope_engine.agents.claude_code.transcripts import Reader
from promptscope_engine.prompt.model import TokenSummary
from promptscope_tui.session.transcripts import summary

TOKENS = TokenSummary("estimate", False, 1_000, 1_000, None, {}, 200_000, 33_000, 167_000, 0)


def said_of(tool: str) -> list[str]:
    """What the summary says of six results of a tool in one message, of 60,000 characters each."""
    ids = [str(number) for number in range(6)]
    calls = [{"type": "tool_use", "id": each, "name": tool, "input": {}} for each in ids]
    results = [{"type": "tool_result", "tool_use_id": each, "content": "x" * 60_000} for each in ids]
    reader = Reader(0)
    for role, content in (("assistant", calls), ("user", results)):
        reader.feed(json.dumps({"type": role, "message": {"role": role, "content": content}}).encode() + b"\n")
    return [line for line in summary(reader.close(), TOKENS) if f" {tool}: " in line]


def test_large_results_of_read_are_said_to_be_sent_whole() -> None:
    (line,) = said_of("Read")
    assert line == (
        "line 2: Read: 6 large results, sent whole: Claude Code cuts neither a result of this tool"
        " nor all results of a message together"
    )


def test_each_large_result_of_bash_is_said_to_be_cut() -> None:
    assert said_of("Bash") == ["line 2: Bash: 60,000 characters would be cut to a stub of 2,283"] * 6
