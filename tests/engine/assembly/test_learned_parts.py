"""Parts that ended, that moved and that are new, as learned, in an assembly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.support.frozen import frozen_scenario

from promptscope_engine import Assembly, assemble
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.learned import AddedSection, AddedTool, Ended, Learned, LearnedVersion, Moved, Wording
from promptscope_engine.workspace import Workspace

NEW = AddedTool(
    "Shout", ("Says it louder, in ", "workspace", "."), ('{"type": "object"}',), "Read", seen="in 9 of 9 runs"
)
VERSION = LearnedVersion("claude-code", "2.1.400", (), "2026-11-26T00:00:00+00:00", base="2.1.332")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for folder in ("workspace", "home", "managed"):
        (tmp_path / folder).mkdir()
    return tmp_path


def assembled(place: Path, learned: LearnedVersion, **args: object) -> Assembly:
    scenario = frozen_scenario(
        "claude-code",
        place,
        params={"args": {"print": True, **args}},
        agent_version=learned.agent_version,
        learned=True,
    )
    return assemble(scenario, Workspace(), knowledge=Knowledge(Learned((learned,))))


def names(assembly: Assembly) -> list[str]:
    return [section.id for section in assembly.sections if section.present]


def test_a_version_that_is_not_modelled_has_the_parts_of_its_base(place: Path) -> None:
    words = (Wording("nowhere", "v", ("nowhere.x",), ("Hello.",)),)
    found = assembled(place, replace(VERSION, wordings=words))
    assert (found.agent_version, found.learned_version) == ("2.1.332", VERSION.agent_version)
    assert found.shown_version == VERSION.agent_version
    (note,) = (each for each in found.diagnostics if each.code == "learned-version")
    assert note.message.endswith("this is what was learned of it, with the rules of 2.1.332")
    assert "intro" in names(found)


def test_a_part_that_ended_is_absent_with_its_reason(place: Path) -> None:
    why = "2.1.400 sent it in none of the 9 runs in which it was expected"
    found = assembled(place, replace(VERSION, ended=(Ended("harness", why), Ended("tools.Read", why))))
    assert "harness" not in names(found)
    (section,) = (each for each in found.sections if each.id == "harness")
    assert why in section.why.text
    assert not next(tool for tool in found.tools if tool.name == "Read").present


def test_a_part_may_have_ended_for_one_way_to_start_only(place: Path) -> None:
    learned = replace(VERSION, ended=(Ended("harness", "gone", {"args.print": False}),))
    assert "harness" in names(assembled(place, learned))
    assert "harness" not in names(assembled(place, learned, print=False))


def test_a_new_tool_is_in_the_request_behind_the_one_that_it_follows(place: Path) -> None:
    found = assembled(place, replace(VERSION, added=(NEW,)))
    (tool,) = (each for each in found.tools if each.name == "Shout")
    assert (tool.present, tool.description) == (True, f"Says it louder, in {place}/workspace.")
    sent = [each["name"] for each in found.request.tools]  # type: ignore[union-attr]
    assert sent.index("Shout") == sent.index("Read") + 1
    assert found.tokens.expected == sum(
        found.tokens.expected_by_channel[part] or 0 for part in ("system", "messages", "tools")
    )


def test_a_new_tool_is_there_with_the_inputs_that_it_was_seen_with(place: Path) -> None:
    learned = replace(VERSION, added=(replace(NEW, only=({"args.bare": True},)),))
    (tool,) = (each for each in assembled(place, learned).tools if each.name == "Shout")
    assert not tool.present
    assert "in 9 of 9 runs" in tool.why.text
    assert any(each.name == "Shout" and each.present for each in assembled(place, learned, bare=True).tools)


@pytest.mark.parametrize("has", ["place.git", "place.servers", "place.configured"])
def test_a_part_may_be_there_with_what_the_folder_has(place: Path, has: str) -> None:
    learned = replace(VERSION, added=(replace(NEW, only=({has: True},)),))
    assert not any(each.name == "Shout" and each.present for each in assembled(place, learned).tools)
    (place / "workspace/.git").mkdir()
    (place / "workspace/.mcp.json").write_text('{"mcpServers": {"boxes": {"command": "boxes"}}}')
    assert any(each.name == "Shout" and each.present for each in assembled(place, learned).tools)


def test_a_section_is_where_it_is_sent(place: Path) -> None:
    before = names(assembled(place, VERSION))
    assert before.index("environment") > before.index("intro") + 1
    after = names(assembled(place, replace(VERSION, moved=(Moved("environment", "intro"),))))
    assert after.index("environment") == after.index("intro") + 1


def test_a_section_that_is_sent_behind_a_file_begins_on_its_own_line(place: Path) -> None:
    (place / "workspace/CLAUDE.md").write_text("Be kind.")
    found = assembled(place, replace(VERSION, moved=(Moved("date", "user_context.file:"),)))
    assert "Be kind.\nToday's date is" in json.dumps(found.to_dict()["request"]).replace("\\n", "\n")


def test_a_part_that_no_version_has_changes_nothing(place: Path) -> None:
    learned = replace(
        VERSION, moved=(Moved("nowhere", "intro"), Moved("intro", "nowhere")), ended=(Ended("no", "gone"),)
    )
    assert names(assembled(place, learned)) == names(assembled(place, VERSION))


def test_a_new_text_is_a_section_of_its_own_behind_the_part_it_follows(place: Path) -> None:
    new = AddedSection(("# Manners\nBe kind in ", "workspace", "."), "user_context", seen="in 9 of 9 runs")
    found = assembled(place, replace(VERSION, sections=(new,)))
    (section,) = (each for each in found.sections if each.id == "learned.1")
    assert (section.present, section.title, section.channel) == (True, "Manners", "messages")
    assert section.text == f"# Manners\nBe kind in {place}/workspace."
    said = json.dumps(found.request.messages)  # type: ignore[union-attr]
    assert json.dumps(section.text)[1:-1] in said


def test_a_new_section_by_the_clients_name_is_in_the_block_of_the_part_beside_it(place: Path) -> None:
    new = (
        AddedSection(("Sing.",), "notes", name="novel"),
        AddedSection(("Hum.",), "notes", name="first", is_before=True),
    )
    found = assembled(
        place, replace(VERSION, sections=new, names={"notes": ("pronouns", "caution"), "memory": ("memory",)})
    )
    present = names(found)
    at = present.index("notes")
    assert present[at - 1 : at + 2] == ["learned.first", "notes", "learned.novel"]
    titles = {each.id: (each.title, each.names) for each in found.sections}
    assert titles["notes"] == ("Notes (pronouns, caution)", ("pronouns", "caution"))
    assert titles["learned.novel"] == ("novel", ("novel",))
    dynamic = json.loads(json.dumps(found.to_dict()["request"]))["system"][-1]["text"]
    assert dynamic.startswith("Hum.\n\n")
    assert "\n\nSing.\n\n# Session-specific guidance" in dynamic


def test_two_texts_of_one_new_section_have_ids_of_their_own(place: Path) -> None:
    new = [AddedSection((text,), "notes", name="novel") for text in ("Sing.", "Dance.")]
    assert {"learned.novel", "learned.novel.2"} <= {*names(assembled(place, replace(VERSION, sections=tuple(new))))}


def test_what_only_an_unknown_option_brings_is_absent_with_that_as_the_reason(place: Path) -> None:
    only = ({"option.--brisk": True},)
    new = AddedSection(("Be brisk.",), "user_context", only, seen="it is sent only with --brisk")
    tool = AddedTool("Whip", ("Cracks.",), ("{}",), "", only, seen="it is sent only with --brisk")
    found = assembled(place, replace(VERSION, sections=(new,), added=(tool,)))
    (section,) = (each for each in found.sections if each.id == "learned.1")
    (whip,) = (each for each in found.tools if each.name == "Whip")
    assert not section.present
    assert not whip.present
    for why in (section.why, whip.why):
        assert why.condition
        assert "it is sent only with --brisk" in repr(why.condition)
        assert "these inputs" not in repr(why.condition)
