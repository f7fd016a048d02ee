"""A prediction against captures that are made of one, whole and changed."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Scenario, ScenarioError, assemble, schema
from promptscope_engine.captures.content import content_of
from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.labels import labelled
from promptscope_engine.captures.model import Capture, Header
from promptscope_engine.insight.sent_blocks import MARK, Unpredictable, lines_of
from promptscope_engine.insight.verification import Verification, side_by_side, verify
from promptscope_engine.tokens import Counter, get_tokenizer
from promptscope_engine.wire.responses import ResponsesRequest

VERSIONS = {"claude-code": "2.1.329", "codex": "0.169.0", "gemini": "0.61.0"}
FILES = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "gemini": "GEMINI.md"}
RULES = "# Shop\n\nUse pnpm for everything, and never npm.\n\n## Style\n\n- tabs\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir(parents=True)
    for name in FILES.values():
        (tmp_path / "workspace" / name).write_text(RULES)
    return tmp_path


def body_of(agent: str, place: Path) -> tuple[str, dict[str, Any]]:
    """A prediction in the agent's own protocol."""
    params = {"claude-code": {"args": {"print": True}}, "codex": {}, "gemini": {"trusted": True}}[agent]
    assembly = assemble(frozen_scenario(agent, place, params=params, agent_version=VERSIONS[agent]))
    sent = copy.deepcopy(json.loads(json.dumps(assembly.to_dict()["request"])))
    if isinstance(assembly.request, ResponsesRequest):
        return "/v1/responses", {key: value for key, value in sent.items() if value is not None and key != "protocol"}
    if agent == "claude-code":
        return "/v1/messages", {**{k: sent[k] for k in ("system", "messages", "tools")}, "model": assembly.model}
    tools = [{"name": t["name"], "description": t["description"], "parametersJsonSchema": t["input_schema"]}
             for t in sent["tools"]]  # fmt: skip
    contents = [{"role": m["role"], "parts": [{"text": b["text"]} for b in m["content"]]} for m in sent["messages"]]
    system = {"parts": [{"text": block["text"]} for block in sent["system"]]}
    body = {"systemInstruction": system, "contents": contents, "tools": [{"functionDeclarations": tools}]}
    return f"/v1beta1/publishers/google/models/{assembly.model}:streamGenerateContent", body


def verified(agent: str, place: Path, sent: tuple[str, Any], version: str = "", cwd: str | None = None) -> Verification:
    command = ("claude", "-p", "hi") if agent == "claude-code" else ()
    header = Header(agent, version or VERSIONS[agent], command=command, cwd=cwd, home=str(place / "home"), prompt="hi")
    (request,) = labelled([recorded(1, Exchange(path=sent[0], body=sent[1]))], "hi")
    params = {"trusted": True} if agent == "gemini" else {}
    folders = {"workspace": str(place / "workspace"), "managed": str(place / "managed")}
    base = Scenario.model_validate({**folders, "env": {}, "environment": ENVIRONMENT, "params": params})
    return verify(Capture(header, (request,)), request, base, Counter(get_tokenizer("o200k_base")))


def verdicts(found: Verification) -> dict[str, str]:
    return {part.id: part.verdict for part in found.parts if part.verdict != "equal"}


@pytest.mark.parametrize("agent", VERSIONS)
def test_what_was_sent_as_predicted_is_equal(place: Path, agent: str) -> None:
    found = verified(agent, place, body_of(agent, place))
    assert (verdicts(found), found.unexplained, found.tools.missing, found.tools.unpredicted) == ({}, (), (), ())
    assert (found.explained, found.equal, found.differs) == (1, 1, False)
    assert found.characters > 5_000
    files = {Path(file.path).name: file.found for file in found.files}
    assert files[FILES[agent]] is True


def sent_by_claude(place: Path) -> tuple[str, Any]:
    return body_of("claude-code", place)


def in_messages(body: dict[str, Any], old: str, new: str) -> None:
    """Replace a text in the first message that has it."""
    blocks = [block for message in body["messages"] for block in message["content"]]
    block = next(block for block in blocks if old in block["text"])
    block["text"] = block["text"].replace(old, new)


def test_another_word_of_a_file_is_named_with_its_place(place: Path) -> None:
    path, body = sent_by_claude(place)
    in_messages(body, "Use pnpm for everything", "Use yarn for everything")
    found = verified("claude-code", place, (path, body))
    (verdict,) = verdicts(found).values()
    assert verdict == "other words"
    (rest,) = found.unexplained
    assert (rest.channel, rest.text) == ("messages", "Use yarn for everything, and never npm.")
    texts = [block["text"] for message in body["messages"] for block in message["content"]]
    assert texts[rest.index][rest.offset :][: rest.length] == rest.text
    assert [Path(file.path).name for file in found.files if not file.found] == ["CLAUDE.md"]
    assert found.explained == found.equal < 1


def test_other_words_of_fixed_prose_are_explained_by_their_size(place: Path) -> None:
    path, body = sent_by_claude(place)
    whole = assemble(frozen_scenario("claude-code", place, agent_version="2.1.329", params={"args": {"print": True}}))
    prose = [(s.id, f.text) for s in whole.sections if s.present and s.channel == "system" for f in s.fragments
             if f.origin.kind == "builtin" and "\n" not in f.text.strip() and len(f.text) > 60]  # fmt: skip
    section, text = prose[-1]
    block = next(block for block in body["system"] if text in block["text"])
    block["text"] = block["text"].replace(text, text.replace("e", "a", 3))
    found = verified("claude-code", place, (path, body))
    assert verdicts(found) == {section: "other words"}
    assert found.explained == 1
    assert found.equal < 1
    assert not found.differs


def test_tools_that_went_and_came_are_named(place: Path) -> None:
    path, body = sent_by_claude(place)
    gone = body["tools"].pop(0)["name"]
    body["tools"].append({"name": "New", "description": "Does more.", "input_schema": {"type": "object"}})
    body["tools"][0]["input_schema"]["properties"]["extra"] = {"type": "string"}
    changed = body["tools"][0]["name"]
    found = verified("claude-code", place, (path, body))
    assert (found.tools.missing, found.tools.unpredicted) == ((gone,), ("New",))
    wanted = {gone: "not sent", "New": "not predicted", changed: "other words"}
    assert verdicts(found) == {f"tools.{name}": verdict for name, verdict in wanted.items()}
    assert [rest.text for rest in found.unexplained] == [f"{changed}: extra", "New"]


@pytest.mark.parametrize("agent", VERSIONS)
def test_a_block_that_nobody_predicted_is_named(place: Path, agent: str) -> None:
    path, body = body_of(agent, place)
    news = "# News of today\n\nNothing of this was foreseen by anyone.\n"
    if agent == "claude-code":
        body["system"].insert(1, {"type": "text", "text": news})
    elif agent == "codex":
        body["input"].insert(
            1, {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": news}]}
        )
    else:
        body["systemInstruction"]["parts"].append({"text": news})
    found = verified(agent, place, (path, body))
    ((name, verdict),) = verdicts(found).items()
    assert (name.partition(".")[0], verdict) == ("system", "not predicted")
    (rest,) = found.unexplained
    assert rest.text == "# News of today"
    assert found.explained == pytest.approx(1 - len(news) / found.characters)


def test_a_section_that_was_not_sent_is_named(place: Path) -> None:
    path, body = sent_by_claude(place)
    gone = body["system"].pop()
    found = verified("claude-code", place, (path, body))
    assert gone["text"]
    assert set(verdicts(found).values()) == {"not sent"}
    assert found.explained == 1
    assert found.differs


def test_what_differs_from_run_to_run_is_in_no_number(place: Path) -> None:
    unpredictable = Unpredictable(("/home/u/shop", None))
    text = "/home/u/shop/a -home-u-shop 0123abcd-0000-4000-8000-0123456789ab 1a2b3c4 12:30:01 [masked] /home/u/shopping"
    (line,) = lines_of(text, unpredictable)
    assert line.masked == f"{MARK}/a {MARK} {MARK} {MARK} {MARK} {MARK} /home/u/shopping"
    assert line.size == len(line.masked) - 6
    path, body = sent_by_claude(place)
    moved = json.loads(json.dumps(body).replace(str(place / "workspace"), "/elsewhere/shop"))
    found = verified("claude-code", place, (path, moved), cwd="/elsewhere/shop")
    assert (found.explained, found.equal) == (1, 1)


def test_a_version_that_is_not_modelled_is_compared_with_the_nearest(place: Path) -> None:
    found = verified("claude-code", place, sent_by_claude(place), "2.1.331")
    assert (found.version, found.predicted_version) == ("2.1.331", "2.1.330")
    assert found.notes[0] == "2.1.331 is not modelled: compared with 2.1.330, the nearest"


def test_an_agent_that_is_not_modelled_is_said(place: Path) -> None:
    with pytest.raises(ScenarioError, match="aider is not modelled"):
        verified("aider", place, sent_by_claude(place), "1")


def test_the_schema_describes_it(place: Path) -> None:
    found = verified("claude-code", place, sent_by_claude(place)).to_dict()
    described = schema("verify")
    assert set(found) == set(described["properties"])
    assert {"agent", "version", "characters", "explained", "equal", "parts", "tools", "files", "unexplained"} <= set(
        found
    )


def test_a_line_in_front_of_a_block_is_named(place: Path) -> None:
    path, body = sent_by_claude(place)
    body["system"][-1]["text"] = "A line of news.\n\n" + body["system"][-1]["text"]
    found = verified("claude-code", place, (path, body))
    assert [each.text for each in found.unexplained] == ["A line of news."]


def test_each_part_has_its_texts_on_both_sides(place: Path) -> None:
    path, body = body_of("claude-code", place)
    body["tools"] = [tool for tool in body["tools"] if tool["name"] != "Write"]
    body["messages"][0]["content"][0]["text"] += "\n<more>\nNobody predicted this.\n</more>\n"
    command = ("claude", "-p", "hi")
    header = Header("claude-code", VERSIONS["claude-code"], command=command, home=str(place / "home"), prompt="hi")
    (request,) = labelled([recorded(1, Exchange(path=path, body=body))], "hi")
    content = content_of("anthropic", path, request.body)
    params = {"args": {"print": True}}
    assembly = assemble(frozen_scenario("claude-code", place, params=params, agent_version=VERSIONS["claude-code"]))
    found, texts = side_by_side(assembly, content, Capture(header, (request,)))
    assert {part.id for part in found.parts} == set(texts)
    for part in found.parts:
        assert bool(texts[part.id].sent) is (part.verdict != "not sent"), part
    rules = next(text for id, text in texts.items() if id.endswith("CLAUDE.md"))
    assert RULES.rstrip() in rules.predicted
    assert RULES.rstrip() in rules.sent
    assert texts["tools.Write"].predicted.startswith(next(t.description for t in assembly.tools if t.name == "Write"))
    assert texts["tools.Write"].sent == ""
    assert any("Nobody predicted this." in text.sent and not text.predicted for text in texts.values())
