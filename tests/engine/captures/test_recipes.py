"""How each agent's traffic is turned, and the smallest replies to it, in the form that was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.engine.captures.bodies import BODIES

from promptscope_engine.captures.recipes import (
    DUMMY_KEY,
    GENERIC,
    RECIPES,
    Reply,
    agent_name,
    blank_reply,
    command_line,
    environment,
    fidelity_of,
    given_settings,
    is_one_shot,
    recipe_for,
    settings_of,
    smallest,
    typed_prompt,
    without_env,
)

URL = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("command", "agent", "prompt"),
    [
        ("/usr/bin/claude -p hi", "claude-code", "hi"),
        ("claude --print=hi", "claude-code", "hi"),
        ("codex exec --skip-git-repo-check hi", "codex", "hi"),
        ("gemini -p hi", "gemini", "hi"),
        ("opencode run hi", "opencode", "hi"),
        ("qwen -p hi", "qwen", "hi"),
        ("copilot -p hi --allow-all-tools", "copilot", "hi"),
        ("openclaw agent --local --agent main --message hi", "openclaw", "hi"),
        ("aider --message hi --yes-always", "aider", "hi"),
        ("./own-agent", "own-agent", None),
    ],
)
def test_the_recipe_goes_by_the_base_name(command: str, agent: str, prompt: str | None) -> None:
    words = command.split()
    recipe = recipe_for(None, words)
    assert agent_name(None, words) == agent
    assert (recipe is GENERIC) == (agent == "own-agent")
    assert typed_prompt(recipe, words) == prompt
    assert is_one_shot(recipe, words) == (prompt is not None)


def test_a_named_agent_overrides_the_command() -> None:
    assert recipe_for("codex", ["claude"]).agent == "codex"
    assert recipe_for("claude", ["wrapper"]).agent == "claude-code"
    assert recipe_for("unheard-of", ["claude"]) is GENERIC


@pytest.mark.parametrize("recipe", [*RECIPES, GENERIC], ids=lambda recipe: recipe.agent)
def test_every_recipe_leads_to_the_server_with_a_made_up_key(recipe: object) -> None:
    found = next(each for each in (*RECIPES, GENERIC) if each is recipe)
    own = {"ANTHROPIC_API_KEY": "real", "OPENAI_API_KEY": "real", "PATH": "/bin", **dict.fromkeys(found.unset, "x")}
    env = environment(found, URL, own, keep_login=False, proxied=True)
    words = command_line(found, URL, ["program", "-p", "hi"])
    assert URL in json.dumps([env, words])
    assert "{url}" not in json.dumps([env, words])
    assert all(env[key] == DUMMY_KEY for key in found.keys)
    assert not env.keys() & set(found.unset)
    assert (env["HTTPS_PROXY"], env["PATH"]) == (URL, "/bin")
    assert words[0] == "program"
    assert " -p hi" in " ".join(words)
    kept = environment(found, URL, own, keep_login=True, proxied=False)
    assert kept["ANTHROPIC_API_KEY"] == "real"
    assert "HTTPS_PROXY" not in kept


def test_own_settings_of_the_command_line_stay_below_the_recipes() -> None:
    recipe = recipe_for("claude-code", [])
    words = ["claude", "--settings", '{"env": {"ANTHROPIC_BASE_URL": "https://x", "A": "1"}, "model": "m"}', "-p", "hi"]
    own = json.loads(given_settings(recipe, words) or "")
    line = command_line(recipe, URL, words, settings_of(recipe, URL, own))
    assert line.count("--settings") == 1
    made = json.loads(line[line.index("--settings") + 1])
    assert made["model"] == "m"
    assert made["env"]["A"] == "1"
    assert made["env"]["ANTHROPIC_BASE_URL"] == URL


@pytest.mark.parametrize("program", ["node", "/usr/bin/python3.12", "npx", "bun.exe"])
def test_a_script_that_starts_the_agent_itself_gets_no_settings(program: str) -> None:
    words = [program, "run.mjs", "{}"]
    assert command_line(recipe_for("claude-code", words), URL, words) == words


def test_a_made_up_key_is_said_in_the_grade() -> None:
    recipe = recipe_for("claude-code", [])
    assert any("logged out" in note for note in fidelity_of(recipe, keep_login=False).notes)
    assert fidelity_of(recipe, keep_login=True).notes == ()


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("claude --settings {} -p hi", "{}"),
        ("claude -p hi --settings x.json", "x.json"),
        ("claude --settings=x.json", "x.json"),
        ("claude --settings=", ""),
        ("claude --settings", None),
        ("claude --settings-file x", None),
        ("claude -p hi", None),
        ("--settings x", "x"),
    ],
)
def test_settings_that_the_command_line_gives_itself(command: str, given: str | None) -> None:
    assert given_settings(recipe_for("claude-code", []), command.split()) == given
    assert given_settings(recipe_for("codex", []), command.split()) is None


@pytest.mark.parametrize(
    ("command", "left", "variables"),
    [
        ("claude -p hi", "claude -p hi", {"A": "1"}),
        ("env X=2 claude -p", "claude -p", {"A": "1", "X": "2"}),
        ("/usr/bin/env -u A X=a=b -- claude", "claude", {"X": "a=b"}),
        ("env -i --unset=B X= claude", "claude", {"X": ""}),
        ("env -S x claude", "env -S x claude", {"A": "1"}),
        ("env X=1", "env X=1", {"A": "1"}),
        ("", "", {"A": "1"}),
    ],
)
def test_a_leading_env_sets_variables(command: str, left: str, variables: dict[str, str]) -> None:
    assert without_env(command.split(), {"A": "1"}) == (tuple(left.split()), variables)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "STRING"}, "ok"),
        ({"type": ["null", "string"]}, None),
        ({"enum": ["a", "b"]}, "a"),
        ({"anyOf": [{"type": "array"}, {"type": "string"}]}, []),
        ({"type": "integer", "minimum": 7}, 7),
        (
            {"type": "OBJECT", "properties": {"a": {"type": "INTEGER"}, "b": {}}, "required": ["a"]},
            {"a": 1},
        ),
        ({"type": "number"}, 1),
        ({"type": "number", "minimum": 0.5}, 0.5),
        ({"type": "integer", "minimum": True}, 1),
        ({"type": "integer", "minimum": "7"}, 1),
        ({"type": "string", "minimum": 7}, "ok"),
        ({"type": "boolean"}, False),
        ({"type": []}, {}),
        ({"const": None, "type": "string"}, None),
        ({"enum": [], "type": "string"}, "ok"),
        ({"enum": "ab", "type": "string"}, "ok"),
        ({"oneOf": [{"const": 3}]}, 3),
        ({"allOf": [{"type": "integer"}, {}]}, 1),
        ({"type": "object", "properties": {"a": {"const": 1}, "b": {}}, "required": ["a", "c", 3]}, {"a": 1, "c": {}}),
        ({"type": "object", "properties": [], "required": "abc"}, {}),
        ({"$ref": "#"}, {}),
        ("no schema", {}),
    ],
)
def test_the_smallest_value_of_a_schema(schema: Any, value: Any) -> None:
    assert smallest(schema) == value


@pytest.mark.parametrize("protocol", BODIES)
def test_counting_is_answered_with_a_number(protocol: Any) -> None:
    body, _ = BODIES[protocol]
    paths = {"gemini": "/v1/models/x:countTokens", "responses": "/v1/responses/input_tokens"}
    reply = json.loads(blank_reply(protocol, paths.get(protocol, "/v1/messages/count_tokens"), body).body)
    assert reply.get("input_tokens", reply.get("totalTokens")) > 10


def test_a_router_that_asks_for_json_gets_json() -> None:
    schema = {"type": "OBJECT", "properties": {"score": {"type": "INTEGER"}}, "required": ["score"]}
    body = {"contents": [], "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema}}
    reply = json.loads(blank_reply("gemini", "/v1/models/x:generateContent", body).body)
    assert json.loads(reply["candidates"][0]["content"]["parts"][0]["text"]) == {"score": 1}


def nested(levels: int) -> Any:
    schema: dict[str, Any] = {"const": "deep"}
    for _ in range(levels):
        schema = {"anyOf": [schema]}
    return schema


@pytest.mark.parametrize(("levels", "value"), [(19, "deep"), (20, "deep"), (21, {})])
def test_a_schema_is_followed_down_twenty_levels(levels: int, value: Any) -> None:
    assert smallest(nested(levels)) == value
    schema: dict[str, Any] = {"const": "deep"}
    for _ in range(levels):
        schema = {"properties": {"a": schema}, "required": ["a"]}
    found: Any = smallest(schema)
    for _ in range(levels):
        found = found["a"]
    assert found == value


@pytest.mark.parametrize(("size", "tokens"), [(4, 1), (5, 1), (7, 1), (8, 2), (9, 2), (400, 100)])
def test_a_count_is_a_quarter_of_the_characters_and_at_least_one(size: int, tokens: int) -> None:
    body = {"": "x" * (size - 8)} if size >= 8 else {}
    assert len(json.dumps(body)) == (size if size >= 8 else 2)
    assert json.loads(blank_reply("anthropic", "/v1/messages/count_tokens", body).body) == {"input_tokens": tokens}
    found = json.loads(blank_reply("responses", "/v1/responses/input_tokens", body).body)
    assert found == {"object": "response.input_tokens", "input_tokens": tokens}
    assert json.loads(blank_reply("gemini", "/x:countTokens", body).body) == {"totalTokens": tokens}


FORM = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
ASKED: dict[str, dict[str, Any]] = {
    "anthropic": {"output_config": {"format": {"schema": FORM}}},
    "responses": {"text": {"format": {"schema": FORM}}},
    "chat": {"response_format": {"json_schema": {"schema": FORM}}},
    "gemini": {"generationConfig": {"responseSchema": FORM}},
}
PATHS = {"gemini": "/v1beta/models/gemini-2.5-pro:generateContent"}
USED = {
    "anthropic": {"input_tokens": 1, "output_tokens": 1},
    "chat": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    "gemini": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    "responses": {
        "input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0},
    },
}  # fmt: skip


def said(protocol: str, reply: dict[str, Any]) -> tuple[str, Any]:
    """The text and the usage of a reply that is not streamed, as a client reads it."""
    match protocol:
        case "anthropic":
            assert (reply["type"], reply["role"], reply["stop_reason"]) == ("message", "assistant", "end_turn")
            return reply["content"][0]["text"], reply["usage"]
        case "responses":
            assert (reply["object"], reply["status"], reply["created_at"]) == ("response", "completed", 0)
            return reply["output"][0]["content"][0]["text"], reply["usage"]
        case "chat":
            (choice,) = reply["choices"]
            assert (reply["created"], choice["index"], choice["finish_reason"]) == (0, 0, "stop")
            return choice["message"]["content"], reply["usage"]
    (candidate,) = reply["candidates"]
    assert (reply["modelVersion"], candidate["index"], candidate["finishReason"]) == ("gemini-2.5-pro", 0, "STOP")
    return candidate["content"]["parts"][0]["text"], reply["usageMetadata"]


@pytest.mark.parametrize("protocol", BODIES)
def test_a_reply_that_is_not_streamed_says_a_word_or_the_form_that_is_asked_for(protocol: Any) -> None:
    path = PATHS.get(protocol, "/")
    for asked, text in (({}, "ok"), (ASKED[protocol], '{"title": "ok"}')):
        reply = blank_reply(protocol, path, {"model": "m", **asked})
        assert reply.content_type == "application/json"
        assert said(protocol, json.loads(reply.body)) == (text, USED[protocol])


def events(reply: Reply) -> list[tuple[str, Any]]:
    """The events' names and data."""
    assert reply.content_type == "text/event-stream; charset=utf-8"
    found = []
    for event in reply.body.decode().removesuffix("\n\n").split("\n\n"):
        lines = dict(line.split(": ", 1) for line in event.split("\n"))
        found.append(
            (lines.get("event", ""), lines["data"] if lines["data"] == "[DONE]" else json.loads(lines["data"]))
        )
    return found


def test_a_stream_of_anthropic() -> None:
    found = events(blank_reply("anthropic", "/v1/messages", {"model": "m", "stream": True}))
    assert [name for name, _ in found] == [data["type"] for _, data in found]
    assert [(data["type"], data.get("index")) for _, data in found] == [
        ("message_start", None), ("content_block_start", 0), ("content_block_delta", 0), ("content_block_stop", 0),
        ("message_delta", None), ("message_stop", None),
    ]  # fmt: skip
    start, _, delta, _, end, _ = (data for _, data in found)
    assert (start["message"]["model"], start["message"]["content"], start["message"]["stop_reason"]) == ("m", [], None)
    assert start["message"]["usage"] == USED["anthropic"]
    assert delta["delta"] == {"type": "text_delta", "text": "ok"}
    assert (end["delta"]["stop_reason"], end["usage"]) == ("end_turn", {"output_tokens": 1})


def test_a_stream_of_responses() -> None:
    found = events(blank_reply("responses", "/v1/responses", {"model": "m", "stream": True}))
    assert [name for name, _ in found] == [data["type"] for _, data in found]
    assert [data["sequence_number"] for _, data in found] == list(range(9))
    assert {data["output_index"] for _, data in found if "output_index" in data} == {0}
    assert {data["content_index"] for _, data in found if "content_index" in data} == {0}
    assert [data["delta"] for name, data in found if name == "response.output_text.delta"] == ["ok"]
    first, last = found[0][1]["response"], found[-1][1]["response"]
    assert (first["status"], first["output"], first["usage"], first["created_at"]) == ("in_progress", [], None, 0)
    assert said("responses", last) == ("ok", USED["responses"])


@pytest.mark.parametrize(
    ("options", "tells"),
    [(None, False), ({}, False), ({"include_usage": False}, False), ({"include_usage": True}, True)],
)
def test_a_stream_of_chat_tells_its_usage_where_that_is_asked_for(options: Any, tells: bool) -> None:
    body = {"model": "m", "stream": True, "stream_options": options}
    *found, (_, done) = events(blank_reply("chat", "/v1/chat/completions", body))
    assert done == "[DONE]"
    assert [choice["index"] for _, data in found for choice in data["choices"]] == [0, 0]
    assert [choice["finish_reason"] for _, data in found for choice in data["choices"]] == [None, "stop"]
    assert found[0][1]["choices"][0]["delta"] == {"role": "assistant", "content": "ok"}
    assert {data["created"] for _, data in found} == {0}
    assert [data["usage"] for _, data in found if "usage" in data] == ([USED["chat"]] if tells else [])


def test_a_stream_of_gemini_is_a_list_or_events() -> None:
    path = "/v1beta/models/gemini-2.5-pro:streamGenerateContent"
    listed = json.loads(blank_reply("gemini", path, {}).body)
    ((_, event),) = events(blank_reply("gemini", f"{path}?alt=sse", {}))
    assert listed == [event]
    assert said("gemini", event) == ("ok", USED["gemini"])
    plain = blank_reply("gemini", f"{PATHS['gemini']}?alt=sse", {})
    assert said("gemini", json.loads(plain.body)) == ("ok", USED["gemini"])
