"""What a file of an MCP server's answers tells, and what is said of one that tells nothing."""

import json
from typing import Any

import pytest

from promptscope_engine.inputs.answers import MAX_BYTES, MAX_TOOLS, AnswerError, read_answer

FIND, LOOK = ({"name": name, "description": f"{name} \x1b[31m", "inputSchema": {}} for name in ("find", "look"))
FIRST = {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18", "instructions": "Ask me."}}
PAGES = [
    {"jsonrpc": "2.0", "id": 2, "result": {"tools": [FIND], "nextCursor": "2"}},
    {"jsonrpc": "2.0", "id": 3, "result": {"tools": [LOOK]}},
]


@pytest.mark.parametrize(
    ("text", "tools", "instructions"),
    [
        (json.dumps([FIND, LOOK]), [FIND, LOOK], None),
        (json.dumps({"tools": [FIND]}), [FIND], None),
        (json.dumps(PAGES[1], indent=2), [LOOK], None),
        (json.dumps({"result": {"tools": [FIND]}}), [FIND], None),
        ("\n".join(map(json.dumps, [FIRST, {"jsonrpc": "2.0", "method": "x"}, *PAGES])), [FIND, LOOK], "Ask me."),
        ("\ufeff" + json.dumps([FIRST, *PAGES]), [FIND, LOOK], "Ask me."),
        (json.dumps(FIRST), None, "Ask me."),
        ("[]", [], None),
    ],
)
def test_answers_as_lines_as_a_list_or_bare(text: str, tools: list[Any] | None, instructions: str | None) -> None:
    told = read_answer(text.encode())
    assert (told.tools and list(told.tools), told.instructions) == (tools or told.tools, instructions)
    assert told.notes == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        ("{\n,}", "line 2: not valid JSON"),
        ("\xff", "not UTF-8"),
        ("3", "must be an object or a list of tools"),
        ('{"a": 1}', "tools: must be a list"),
        ('{"jsonrpc": "2.0", "result": 3}', "result: must be an object"),
        ('{"jsonrpc": "2.0", "error": {"message": "no"}}', "the server refused: no"),
        ("[3]", "tools[0]: must be an object"),
        ('[{"name": ""}]', "tools[0].name: must be a string"),
        ('[{"name": "a", "description": 3}]', "tools[0].description: must be a string"),
        ('[{"name": "a", "inputSchema": [1]}]', "tools[0].inputSchema: must be an object"),
        ('[{"name": "a\\ud800"}]', "half a surrogate pair"),
        ('{"tools": [{"name": "a", "inputSchema": {"most": NaN}}]}', "tools[0].inputSchema.most: the number"),
        (
            '[{"name": "a", "inputSchema": ' + '{"a": ' * 900 + "1" + "}" * 900 + "}]",
            "nested more than 100 levels deep",
        ),
        ("[" * 100_000, "nested too deeply"),
        (json.dumps([{"name": str(number)} for number in range(MAX_TOOLS + 1)]), "2,001 tools; at most 2,000"),
        (" " * (MAX_BYTES + 1), "larger than 8,388,608 bytes"),
    ],
)
def test_what_is_no_answer_is_said_with_its_place(text: str, words: str) -> None:
    with pytest.raises(AnswerError, match=words.replace("[", r"\[")):
        read_answer(text.encode("latin-1"))


def test_what_is_missing_or_twice_is_noted() -> None:
    told = read_answer(json.dumps({"tools": [FIND, FIND], "nextCursor": "2"}).encode())
    assert told.tools == (FIND,)
    assert [note.partition(" ")[0] for note in told.notes] == ["1", "the"]
