"""Wording learned from a request, and put in the place of stand-ins: the round trip, with a made-up agent's words."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.assembly.assembler import descriptions, totals
from promptscope_engine.assembly.wording import coverage
from promptscope_engine.captures.exchange import Exchange, recorded
from promptscope_engine.captures.labels import labelled
from promptscope_engine.captures.model import Capture, Header, Recorded
from promptscope_engine.insight.calibration import Calibration, calibrate
from promptscope_engine.insight.verification import Verification, verify
from promptscope_engine.learned.model import SCHEMA, Learned, LearnedVersion
from promptscope_engine.prompt.model import Fragment
from promptscope_engine.tokens import Counter, get_tokenizer
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

VERSION = "2.1.329"
COUNTER = Counter(get_tokenizer("o200k_base"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir()
    (tmp_path / "workspace" / "CLAUDE.md").write_text("# Shop\n\nUse pnpm.\n")
    return tmp_path


def predicted(place: Path, **given: Any) -> Scenario:
    params = {"args": {"print": True}, **given.pop("params", {})}
    return frozen_scenario("claude-code", place, params=params, agent_version=VERSION, tokenizer="o200k_base", **given)


def other(text: str) -> str:
    """The words of the made-up agent: ours, spelled backwards, and some more of them."""
    return re.sub(r"[A-Za-z]{5,}", lambda word: word[0][::-1], text) + (" And so on." if text.strip() else "")


def sent(place: Path, **given: Any) -> dict[str, Any]:
    """What an agent sends that says everything in other words."""
    scenario, workspace = predicted(place, **given), Workspace()
    assembly = assemble(scenario, workspace, COUNTER)
    body: dict[str, Any] = copy.deepcopy(json.loads(json.dumps(assembly.to_dict()["request"])))
    body = {**{key: body[key] for key in ("system", "messages", "tools")}, "model": assembly.model}
    for section in assembly.sections:
        for fragment in section.fragments:
            if fragment.origin.kind == "builtin":
                _replace(body, fragment.text)
    described = descriptions(scenario, workspace, COUNTER)
    for tool in body["tools"]:
        tool["description"] = "".join(map(_in_other_words, described[tool["name"]]))
        for parameter in tool["input_schema"].get("properties", {}).values():
            parameter["description"] = f"{parameter.get('description', '')} And so on."
    return body


def _in_other_words(fragment: Fragment) -> str:
    return other(fragment.text) if fragment.origin.kind == "builtin" else fragment.text


def _replace(body: dict[str, Any], text: str) -> None:
    blocks = [*body["system"], *(block for message in body["messages"] for block in message["content"])]
    for block in blocks:
        if text in block["text"]:
            block["text"] = block["text"].replace(text, other(text), 1)
            return
    raise AssertionError(text)


def captured(place: Path, body: dict[str, Any]) -> tuple[Capture, Recorded, Scenario]:
    header = Header(
        "claude-code",
        VERSION,
        command=("claude", "-p", "hi"),
        cwd=str(place / "workspace"),
        home=str(place / "home"),
        prompt="hi",
    )
    (request,) = labelled([recorded(1, Exchange(path="/v1/messages", body=body))], "hi")
    folders = {"workspace": str(place / "workspace"), "managed": str(place / "managed")}
    base = Scenario.model_validate({**folders, "env": {}, "environment": ENVIRONMENT, "tokenizer": "o200k_base"})
    return Capture(header, (request,)), request, base


def calibrated(place: Path, body: dict[str, Any]) -> Calibration:
    return calibrate(*captured(place, body), COUNTER)


def learned(*found: Calibration) -> Workspace:
    workspace = Workspace()
    wordings = tuple(wording for each in found for wording in each.wordings)
    workspace.learned = Learned((LearnedVersion("claude-code", VERSION, wordings),))
    return workspace


def verified(place: Path, body: dict[str, Any], workspace: Workspace) -> Verification:
    capture, request, base = captured(place, body)
    return verify(capture, request, base.model_copy(update={"learned": True}), COUNTER, workspace)


def text_of(assembly: Assembly) -> list[str]:
    return [block.value["text"] for block in assembly.request.blocks() if "text" in block.value]


def test_what_was_learned_is_predicted_from_then_on_also_beside_other_files(place: Path) -> None:
    first = sent(place)
    found = calibrated(place, first)
    assert [part for part in found.parts if part.flaw] == []
    assert found.learned == len(found.parts) > 20
    workspace = learned(found)
    assembly = assemble(predicted(place, learned=True), workspace, COUNTER)
    assert text_of(assembly) == [
        b["text"] for b in [*first["system"], *(b for m in first["messages"] for b in m["content"])]
    ]
    assert assembly.request.tools == tuple(first["tools"])
    assert assembly.learned is True
    assert coverage(assembly) == (len(found.parts), len(found.parts))
    harness = assembly.section("harness")
    assert harness is not None
    assert {fragment.origin.kind for fragment in harness.fragments} == {"label", "learned"}
    assert (harness.confidence, harness.expected_tokens) == ("exact", harness.tokens)

    (place / "workspace" / "CLAUDE.md").write_text("# Shop\n\nUse npm.\n\nAnd tabs.\n")
    rules = place / "workspace" / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "new.md").write_text("A rule that is new.\n")
    result = verified(place, sent(place), learned(found))
    assert (result.equal, result.explained, result.differs, result.unexplained) == (1, 1, False, ())
    before = verified(place, sent(place), Workspace())
    assert before.equal < 0.2


def test_without_the_key_nothing_that_was_learned_takes_part(place: Path) -> None:
    workspace = learned(calibrated(place, sent(place)))
    plain = assemble(predicted(place), Workspace(), COUNTER).to_dict()
    assert assemble(predicted(place), workspace, COUNTER).to_dict() == plain
    assert plain["learned"] is False


def test_a_variant_that_was_not_seen_stays_a_stand_in(place: Path) -> None:
    workspace = learned(calibrated(place, sent(place)))
    quiet = predicted(place, learned=True, env={"DISABLE_TELEMETRY": "1"})
    harness = assemble(quiet, workspace, COUNTER).section("harness")
    assert harness is not None
    assert {fragment.origin.kind for fragment in harness.fragments} == {"label", "builtin"}
    assert harness.confidence == "stand-in"


@pytest.mark.parametrize("left_out", [None, True, False])
def test_a_what_if_counts_learned_wording_as_the_assembly_does(place: Path, left_out: bool | None) -> None:
    """Of tools both description and schema may be learned, or only one of them."""
    found = calibrated(place, sent(place))
    kept = tuple(each for each in found.wordings if (each.ids == SCHEMA) is not left_out)
    workspace = learned(replace(found, wordings=kept))
    scenario = predicted(place, learned=True)
    assert totals(scenario, workspace, COUNTER).expected == assemble(scenario, workspace, COUNTER).tokens.expected


def test_values_of_the_scenario_stay_values(place: Path) -> None:
    """Another folder, another day: what was learned holds no trace of the run."""
    found = calibrated(place, sent(place))
    moved = place / "moved"
    (place / "workspace").rename(moved)
    (place / "workspace").mkdir()
    scenario = predicted(place, learned=True).model_copy(update={"workspace": str(moved)})
    text = "\n".join(text_of(assemble(scenario, learned(found), COUNTER)))
    assert str(place / "workspace") not in text
    assert str(moved) in text


def test_folders_in_the_prose_itself_become_holes(place: Path) -> None:
    body = sent(place)
    text = body["system"][2]["text"]
    body["system"][2]["text"] = text.replace("# Harness\n", f"# Harness\nAt home in {place / 'home'}: ")
    found = calibrated(place, body)
    (wording,) = [each for each in found.wordings if each.part == "harness"]
    assert wording.text[1] == "home"
    values = {"home": "/elsewhere", "workspace": "", "workspace-name": "", "home-name": ""}
    assert wording.filled(values).startswith("At home in /elsewhere: ")


def test_prose_without_its_neighbour_is_not_learned(place: Path) -> None:
    body = sent(place)
    memory = str(place / "home" / ".claude" / "projects")
    block = next(block for block in body["system"] if memory in block["text"])
    block["text"] = block["text"].replace(memory, "/somewhere")
    found = calibrated(place, body)
    flaws = {part.id: part.flaw for part in found.parts if part.flaw}
    assert flaws == {"memory_instructions": "beside it, memory.folder was not found"}
    assert not [each for each in found.wordings if each.part == "memory_instructions"]


def test_a_heading_that_was_sent_otherwise_is_learned_with_its_prose(place: Path) -> None:
    body = sent(place)
    for block in body["system"]:
        block["text"] = block["text"].replace("# Harness\n", "# The harness\n\n")
    found = calibrated(place, body)
    assert [part for part in found.parts if part.flaw] == []
    assembly = assemble(predicted(place, learned=True), learned(found), COUNTER)
    assert text_of(assembly)[2] == body["system"][2]["text"]


def test_what_is_far_too_long_is_no_wording(place: Path) -> None:
    body = sent(place)
    body["tools"][0]["description"] = "x" * 500_000
    found = calibrated(place, body)
    name = f"tools.{body['tools'][0]['name']}"
    assert next(part.flaw for part in found.parts if part.id == name).startswith("500,000 characters stand where")
    assert max(sum(map(len, each.text)) for each in found.wordings) < 100_000
