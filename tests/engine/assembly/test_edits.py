"""A scenario's edits: what each kind does to sections, bullets, tools and the request, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptscope_engine import Assembly, Counter, Scenario, ScenarioError, Workspace, assemble
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.assembler import Totals, own_text, totals
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.wording import ids, stretches, variant
from promptscope_engine.inputs.edits import kept
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_engine.learned import Learned, LearnedVersion, Wording
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace.disk import EmptyDisk

pytestmark = pytest.mark.slow

WORKSPACE, COUNTER = Workspace(EmptyDisk()), Counter(get_tokenizer("o200k_base"))


def _scenario(agent: str, *edits: Mapping[str, Any], **others: Any) -> Scenario:
    environment = {"date": "2026-11-20T12:00:00+00:00", "platform": "linux", "os_name": "Linux 6.1", "hostname": "h"}
    if agent == "gemini":
        others = {"params": {"trusted": True}, **others}
    if agent == "copilot":
        others = {"model": "gpt-5.4", **others}
    values = {"agent": agent, "workspace": "/w", "home": "/h", "env": {}, "environment": environment, **others}
    return Scenario.model_validate({**values, "tokenizer": "o200k_base", "edits": list(edits)})


def _assembly(agent: str, *edits: Mapping[str, Any], **others: Any) -> Assembly:
    return assemble(_scenario(agent, *edits, **others), WORKSPACE, COUNTER)


def _present(assembly: Assembly) -> list[str]:
    return [section.id for section in assembly.sections if section.present]


def _sent(assembly: Assembly) -> str:
    return json.dumps(assembly.to_dict()["request"], ensure_ascii=False)


def test_a_dropped_section_stays_as_an_absent_one_with_its_reason() -> None:
    before, after = _assembly("roo"), _assembly("roo", {"drop": "rules"})
    rules, old = after.section("rules"), before.section("rules")
    assert rules
    assert old
    assert (rules.present, rules.edited, rules.why.text) == (False, True, "absent: edit 1 drops it")
    assert rules.why.remedy == "take edit 1 out of the scenario"
    assert (before.edited, after.edited) == (False, True)
    assert after.system_text == before.system_text.replace(old.text, "")
    assert after.request.system[0]["text"] == after.system_text  # type: ignore[union-attr]
    assert before.tokens.expected - after.tokens.expected == old.expected_tokens  # type: ignore[operator]


def test_a_dropped_section_takes_along_what_is_nested_in_it() -> None:
    after = _assembly("roo", {"drop": "tools"})
    assert [each for each in _present(after) if each.startswith("tools")] == []


def test_what_is_known_and_absent_is_dropped_with_a_word() -> None:
    for target in ("mcp_servers", "rules.codebase_search", "codebase_search"):
        found = _assembly("roo", {"drop": target}).diagnostics[-1]
        assert (found.severity, found.code) == ("info", "edit-of-absent")
        assert target in found.message


def test_a_replaced_section_keeps_the_line_feeds_around_it() -> None:
    before, after = _assembly("roo"), _assembly("roo", {"replace": "rules", "text": "Only this.\n"})
    rules, old = after.section("rules"), before.section("rules")
    assert rules
    assert old
    assert [(f.text, f.origin.kind, f.origin.index) for f in rules.fragments] == [("Only this.\n\n", "edit", 0)]
    assert (rules.heading, rules.confidence, rules.reference_tokens) == (None, "exact", None)
    assert after.system_text == before.system_text.replace(old.text, "Only this.\n\n")


def test_a_corrected_line_leaves_the_others_their_origin_and_their_measured_size() -> None:
    before = _assembly("roo")
    text = own_text(_scenario("roo"), WORKSPACE, "rules") or ""
    line = next(line for line in text.split("\n") if "$HOME" in line)
    after = _assembly("roo", {"replace": "rules", "text": text.replace(line, "- Stay here.")})
    rules, old = after.section("rules"), before.section("rules")
    assert rules
    assert old
    assert [f.text for f in rules.fragments if f.origin.kind == "edit"] == ["- Stay here.\n"]
    assert after.system_text == before.system_text.replace(line, "- Stay here.")
    assert rules.expected_tokens
    assert old.expected_tokens
    assert old.expected_tokens - 20 < rules.expected_tokens < old.expected_tokens


def test_learned_words_are_what_is_edited_and_stay_where_they_are_not() -> None:
    section = _assembly("roo").section("objective")
    assert section
    text = "====\n\nOBJECTIVE\n\nBe quick and kind to all who read.\nStop when it is done.\n"
    stretch = [each for fixed, each in stretches(section.fragments) if fixed]
    assert len(stretch) == 1
    wording = Wording("objective", variant(stretch[0]), ids(stretch[0]), (text,))
    known, workspace = Knowledge(Learned((LearnedVersion("roo", "3.28.16", (wording,)),))), Workspace(EmptyDisk())
    begins = own_text(_scenario("roo", learned=True), workspace, "objective", known)
    assert begins
    assert begins.endswith("Stop when it is done.")
    edit = {"replace": "objective", "text": begins.replace("Stop", "Go on")}
    after = assemble(_scenario("roo", edit, learned=True), workspace, COUNTER, knowledge=known).section("objective")
    assert after
    kinds = {line: f.origin.kind for f in after.fragments for line in f.text.splitlines()}
    assert (kinds["Be quick and kind to all who read."], kinds["Go on when it is done."]) == ("learned", "edit")


def test_a_bullet_goes_with_the_values_in_it() -> None:
    before = _assembly("roo")
    after = _assembly("roo", {"drop": "rules.base_directory"})
    line = next(line for line in before.system_text.split("\n") if "base directory of the project is: /w" in line)
    assert after.system_text == before.system_text.replace(f"{line}\n", "")
    rules = after.section("rules")
    assert rules
    assert "absent: edit 1 drops it" in {part.why.text for part in rules.absent}


def test_a_bullet_is_replaced_moved_and_put_in_as_a_line() -> None:
    after = _assembly(
        "roo",
        {"replace": "rules.no_home", "text": "- Stay here."},
        {"move": "rules.no_home", "before": "rules.base_directory"},
        {"insert": {"id": "mine", "text": "- Mine."}, "after": "rules.no_home"},
    )
    assert "RULES\n\n- Stay here.\n- Mine.\n- The base directory" in after.system_text


def test_a_bullet_moves_into_another_section_whatever_its_place_there() -> None:
    lines = _assembly("roo").system_text.split("\n")
    first = next(line for line in lines if line.startswith("- Your tools let you"))
    after = _assembly("roo", {"move": "capabilities.tools", "before": "rules.base_directory"}).system_text.split("\n")
    assert after.count(first) == 1
    assert after[after.index("RULES") + 2] == first


def test_a_bullet_that_went_with_its_section_is_known_and_absent() -> None:
    after = _assembly("roo", {"replace": "rules", "text": "None."}, {"drop": "rules.no_home"})
    assert after.diagnostics[-1].code == "edit-of-absent"


def test_sections_are_put_in_and_moved() -> None:
    before = _assembly("roo")
    after = _assembly(
        "roo",
        {"insert": {"id": "house", "title": "House rules", "text": "====\n\nHOUSE"}, "after": "rules"},
        {"move": "objective", "before": "house"},
    )
    here = _present(after)
    assert here[here.index("rules") + 1 : here.index("rules") + 3] == ["objective", "house"]
    assert "\n\n====\n\nHOUSE\n\n====" in after.system_text
    assert sorted([*_present(before), "house"]) == sorted(here)
    house = after.section("house")
    assert house
    assert (house.title, house.edited, house.why.text) == ("House rules", True, "always present")


def test_a_section_that_is_a_block_of_its_own_moves_as_one() -> None:
    before = _assembly("claude-code").to_dict()["request"]["system"]
    after = _assembly("claude-code", {"move": "identity", "before": "billing"}).to_dict()["request"]["system"]
    assert after == [before[1], before[0], *before[2:]]
    joined = _assembly("claude-code", {"move": "identity", "after": "intro"}).to_dict()["request"]["system"]
    assert len(joined) == len(before) - 1
    assert before[1]["text"] in joined[1]["text"]


@pytest.mark.parametrize("agent", agent_ids())
def test_texts_beside_each_other_are_parted(agent: str) -> None:
    first = next(s.id for s in _assembly(agent).sections if s.present and s.fragments)
    after = _assembly(agent, {"insert": {"id": "mine", "text": "MINE"}, "after": first})
    sent = "".join(b.value.get("text", "") + "\n" for b in after.request.blocks() if b.field != "tools")
    at = sent.index("MINE")
    assert (sent[at - 1], sent[at + 4]) == ("\n", "\n")


@pytest.mark.parametrize("agent", agent_ids())
def test_the_request_shows_every_edit_and_is_the_old_one_without_them(agent: str) -> None:
    before = _assembly(agent)
    first = next(s for s in before.sections if s.present and s.fragments and s.channel == "system")
    last = [s for s in before.sections if s.present and s.fragments][-1]
    tool = next(t.name for t in before.tools if t.present)
    after = _assembly(
        agent,
        {"replace": first.id, "text": "A-NEW-FIRST"},
        {"insert": {"id": "mine", "text": "MY-OWN"}, "after": last.id},
        {"tool": {"name": "zed_tool", "description": "ZED-DOES", "input_schema": {"type": "object"}}},
        {"drop_tool": tool},
    )
    for text in ("A-NEW-FIRST", "MY-OWN", "ZED-DOES"):
        assert text in _sent(after)
    gone = next(t for t in after.tools if t.name == tool)
    assert (gone.present, gone.why.ok) == (False, False)
    system = "".join(s.text for s in after.sections if s.present and s.channel == "system")
    messages = "".join(s.text for s in after.sections if s.present and s.channel == "messages")
    texts = {"system": "", "messages": ""}
    for block in after.request.blocks():
        if block.field != "tools":
            texts[block.field] += block.value.get("text", "")
    assert (texts["system"], texts["messages"]) == (system, messages)
    assert _assembly(agent).to_dict() == before.to_dict()


@pytest.mark.parametrize("agent", agent_ids())
def test_a_what_if_has_the_totals_of_the_edited_prompt(agent: str) -> None:
    before = _assembly(agent)
    sections = [s.id for s in before.sections if s.present and s.fragments]
    edits = ({"drop": sections[-1]}, {"replace": sections[0], "text": "Short."})
    scenario = _scenario(agent, *edits)
    assert totals(scenario, WORKSPACE, COUNTER) == Totals.of(assemble(scenario, WORKSPACE, COUNTER))


def test_an_offered_tool_takes_the_place_of_its_namesake() -> None:
    tool = {"name": "Read", "description": "Mine.", "input_schema": {"type": "object", "properties": {"p": {}}}}
    before, after = _assembly("claude-code"), _assembly("claude-code", {"tool": tool})
    assert [t.name for t in after.tools] == [t.name for t in before.tools]
    sent = next(block.value for block in after.request.blocks() if block.value.get("name") == "Read")
    assert sent == tool
    assert [p.name for t in after.tools if t.name == "Read" for p in t.parameters] == ["p"]


@pytest.mark.parametrize(
    ("limits", "mode", "offered"),
    [
        ({}, "ask", True),
        ({"group": "command"}, "code", True),
        ({"group": "command"}, "ask", False),
        ({"modes": ["ask"]}, "ask", True),
        ({"modes": ["ask"]}, "code", False),
        ({"modes": ["ask", "code"], "group": "command"}, "ask", False),
    ],
)
def test_the_mode_decides_over_a_tool_with_a_group_or_modes(limits: dict[str, Any], mode: str, offered: bool) -> None:
    tool = {"name": "deploy", "description": "Deploys a branch.", **limits}
    after = _assembly("roo", {"tool": tool}, mode=mode)
    made = next(each for each in after.tools if each.name == "deploy")
    section = after.section("tools.deploy")
    assert section
    assert (made.present, section.present) == (offered, offered)
    assert ("Deploys a branch." in after.system_text) is offered
    if limits:
        lever = made.why.levers[0]
        flipped = _assembly("roo", {"tool": tool}, mode=lever.value)
        assert next(each for each in flipped.tools if each.name == "deploy").present is not offered


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"group": "comand"}, "no group is called 'comand' (did you mean command"),
        ({"modes": ["cod"]}, "no mode is called"),
    ],
)
def test_a_group_or_mode_that_is_not_there_is_an_error(limits: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError) as error:
        _assembly("roo", {"tool": {"name": "deploy", **limits}})
    assert said in str(error.value)


def test_tools_change_their_order() -> None:
    names = [t.name for t in _assembly("claude-code").tools if t.present]
    after = _assembly("claude-code", {"move": names[2], "before": names[0]})
    assert [t.name for t in after.tools if t.present][:3] == [names[2], names[0], names[1]]


def test_a_dropped_tool_takes_its_words_along() -> None:
    assert "## read_file" not in _assembly("roo", {"drop_tool": "read_file"}).system_text
    tools = [{"name": "read", "description": "Reads."}, {"name": "exec", "description": "Runs."}]
    before = _assembly("openclaw", params={"tools": tools})
    after = _assembly("openclaw", {"drop_tool": "exec"}, params={"tools": tools})
    assert "\n- exec" in before.system_text
    assert "\n- exec" not in after.system_text
    inner = next(t for t in _assembly("codex").tools if t.present and t.section)
    script = next(t for t in _assembly("codex", {"drop_tool": inner.name}).tools if t.name == inner.section)
    assert inner.description not in script.description


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"drop": "ruls"}, "edits.0.drop: no section, bullet or tool is called 'ruls' (did you mean rules or"),
        ({"replace": "rules.no_hom", "text": "x"}, "(did you mean rules.no_home"),
        ({"drop_tool": "read_fil"}, "no tool is called 'read_fil' (did you mean read_file or"),
        ({"move": "rules", "after": "rols"}, "edits.0.after: no section, bullet or tool is called 'rols'"),
        ({"move": "rules", "after": "rules"}, "a part cannot be placed next to itself"),
        ({"move": "tools", "after": "tools.read_file"}, "a part cannot be placed next to itself"),
        ({"move": "rules", "after": "rules.no_home"}, "a section is moved beside a section"),
        ({"move": "rules.no_home", "after": "rules"}, "a bullet can only be placed next to a bullet"),
        ({"insert": {"id": "rules", "text": "x"}, "after": "role"}, "there is a part called 'rules' already"),
        ({"replace": "rules", "file": "none.md"}, "edits.0.file: none.md cannot be read"),
    ],
)
def test_what_makes_no_sense_is_an_error(edit: Mapping[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        _assembly("roo", edit)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({}, "exactly one of drop, replace"),
        ({"drop": "a", "move": "b", "after": "c"}, "exactly one of drop, replace"),
        ({"replace": "a"}, "exactly one of `text` and `file`"),
        ({"drop": "a", "text": "b"}, "belong to `replace`"),
        ({"move": "a"}, "exactly one of `before` and `after`"),
        ({"drop": "a", "before": "b"}, "`drop` has no place"),
        ({"insert": {"id": "a"}, "after": "b"}, "exactly one of `text` and `file`"),
        ({"drup": "a"}, "did you mean drop"),
    ],
)
def test_an_edit_that_is_none_is_refused_with_its_line(edit: Mapping[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text('{"agent": "roo",\n "edits": [\n  ' + json.dumps(edit) + "]}")
    with pytest.raises(ScenarioError) as error:
        load_scenario(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}:3")


def test_a_kept_edit_without_a_place_does_nothing_and_says_so() -> None:
    scenario = _scenario("roo", {"drop": "gone"}, {"drop": "rules"})
    scenario = scenario.model_copy(update={"edits": kept(scenario.edits)})
    after = assemble(scenario, WORKSPACE, COUNTER)
    found = after.diagnostics[-1]
    assert (found.severity, found.code) == ("warning", "edit-without-place")
    assert found.message.startswith("edit 1 (`drop` of 'gone') is kept and does nothing here")
    assert "rules" not in _present(after)


def test_texts_come_from_announced_files_that_are_watched(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w/new.md").write_text("From a file.\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/out.md").write_text("Outside.\n")
    places = {"workspace": str(tmp_path / "w"), "home": str(tmp_path / "h")}
    workspace = Workspace()
    scenario = _scenario("roo", {"replace": "rules", "file": "new.md"}, **places)
    assert "From a file." in assemble(scenario, workspace, COUNTER).system_text
    path = str(tmp_path / "w/new.md")
    assert path in workspace.asked
    (tmp_path / "w/new.md").write_text("Saved again.\n")
    workspace.forget([path])
    assert "Saved again." in assemble(scenario, workspace, COUNTER).system_text
    for bad in ("none.md", "../other/out.md"):
        with pytest.raises(ScenarioError, match="cannot be read"):
            assemble(_scenario("roo", {"replace": "rules", "file": bad}, **places), workspace, COUNTER)


def test_a_client_that_does_not_start_stays_without_a_prompt() -> None:
    after = _assembly("gemini", {"drop": "nothing"}, params={"trusted": False})
    assert "agent-refuses" in {diagnostic.code for diagnostic in after.diagnostics}
    assert (after.edited, list(after.request.blocks())) == (False, [])


ROO = _assembly("roo")
_SECTIONS = st.sampled_from([section.id for section in ROO.sections])
_EDITS = st.one_of(
    st.builds(lambda target: {"drop": target}, _SECTIONS),
    st.builds(lambda target, text: {"replace": target, "text": text}, _SECTIONS, st.text(max_size=20)),
    st.builds(lambda target, to: {"move": target, "after": to}, _SECTIONS, _SECTIONS),
)


@settings(max_examples=8, deadline=None)
@given(st.lists(_EDITS, max_size=4))
def test_fragments_are_the_request_whatever_is_edited(edits: list[dict[str, str]]) -> None:
    scenario = _scenario("roo", *edits)
    after = assemble(scenario.model_copy(update={"edits": kept(scenario.edits)}), WORKSPACE, COUNTER, cached_only=True)
    assert after.request.system[0]["text"] == after.system_text  # type: ignore[union-attr]
    assert {s.id for s in after.sections} == {s.id for s in ROO.sections}
    assert _assembly("roo").system_text == ROO.system_text


def test_a_new_tool_is_told_of_behind_the_last_one() -> None:
    before = _assembly("roo")
    last = max(before.sections.index(s) for t in before.tools if (s := before.section(t.section or "")))
    after = _assembly("roo", {"tool": {"name": "mine", "description": "## mine\nDoes it.", "input_schema": {}}})
    ids_after = [section.id for section in after.sections]
    assert ids_after == [
        *(s.id for s in before.sections[: last + 1]),
        "tools.mine",
        *(s.id for s in before.sections[last + 1 :]),
    ]
