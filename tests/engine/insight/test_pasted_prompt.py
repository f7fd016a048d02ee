"""System prompts as people copy them: texts made of recorded sessions, with words of a made-up agent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.captures.model import Capture, CaptureError
from promptscope_engine.captures.pasted import MAX_BYTES, pasted
from promptscope_engine.insight.calibration import calibrate
from promptscope_engine.insight.fitting import verify
from promptscope_engine.insight.pasted_prompt import read_prompt
from promptscope_engine.insight.predicted_lines import headings_of
from promptscope_engine.insight.sent_blocks import Unpredictable
from promptscope_engine.insight.verification import Verification
from promptscope_engine.learned.model import Learned, LearnedVersion
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import get_tokenizer
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

CASES = Path(__file__).parents[2] / "conformance" / "cases"
COUNTER = Counter(get_tokenizer("o200k_base"))


def recorded(name: str, place: Path) -> Scenario:
    """The scenario of a recorded session, its files written."""
    case = json.loads((CASES / f"{name}.json").read_text())
    for folder in ("workspace", "home"):
        (place / folder).mkdir()
    for path, text in case.get("files", {}).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    given = {key: value for key, value in case["scenario"].items() if value is not None}
    folders = {folder: str(place / folder) for folder in ("workspace", "home")}
    return Scenario.model_validate({**given, **folders, "agent": case["agent"], "env": {}})


def preview(assembly: Assembly) -> str:
    """What is copied: the system prompt, the agent's fixed prose in other words."""
    fragments = (f for s in assembly.sections if s.present and s.channel == "system" for f in s.fragments)
    return "".join(_other(each.text) if each.origin.kind == "builtin" else each.text for each in fragments)


def _other(text: str) -> str:
    return re.sub(r"[A-Za-z]{5,}", lambda word: word[0][::-1], text)


def here(scenario: Scenario, **more: Any) -> Scenario:
    """What a person who imports a text says: the agent and the folder."""
    keys = ("agent", "workspace", "home", "environment")
    return Scenario.model_validate({**{key: getattr(scenario, key) for key in keys}, "env": {}, **more})


def compared(data: str | bytes, base: Scenario) -> tuple[Capture, Verification]:
    """The text taken over, and its comparison."""
    found = read_prompt(data if isinstance(data, bytes) else data.encode(), base, COUNTER, Workspace())
    return found, verify(found, found.requests[0], base, COUNTER, Workspace())


@pytest.fixture
def session(tmp_path: Path) -> Scenario:
    return recorded("roo/mode-rules.code", tmp_path)


def verdicts(result: Verification) -> dict[str, str]:
    return {part.id: part.verdict for part in result.parts}


def test_a_copied_prompt_is_aligned_by_its_headings_and_files_are_equal(session: Scenario) -> None:
    case = json.loads((CASES / "roo/mode-rules.code.json").read_text())
    text = preview(assemble(session, Workspace(), COUNTER))
    for heading in case["expect"]["headings"]:  # the text has the shape of the recorded one
        assert heading.removeprefix("==== ") in text
    capture, result = compared(text, here(session))
    assert (capture.header.cwd, capture.header.home) == (session.workspace, session.home)
    found = verdicts(result)
    assert set(found.values()) == {"equal", "other words"}
    assert result.explained == 1
    assert result.unexplained == ()
    assert found["tools.apply_diff"] == found["rules"] == "other words"
    assert found["custom_instructions.file:.roo/rules-code/01-a.md"] == "equal"
    assert all(file.found for file in result.files)
    assert result.files
    assert result.tools.missing == result.tools.unpredicted == ()
    assert any("no tools, no messages and no request body" in note for note in result.notes)


def test_each_section_keeps_its_own_words_where_one_is_missing_and_another_is_not_predicted(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    names = ("insert_content", "search_and_replace", "execute_command")
    start, end, place = (text.index(f"## {name}\n") for name in names)
    other = text[:start] + text[end:place] + "## browser_action\nClick here.\n\n" + text[place:]
    base = here(session, params={"supportsComputerUse": False})
    _, result = compared(other, base)
    found = {part.id: (part.verdict, part.sent) for part in result.parts}
    assert found["tools.insert_content"] == ("not sent", 0)
    assert found["tools.browser_action"] == ("not predicted", len("## browser_action\nClick here.\n\n"))
    whole = {part.id: part.sent for part in compared(text, here(session))[1].parts}
    for beside in ("tools.write_to_file", "tools.search_and_replace", "tools.execute_command"):
        assert found[beside] == ("other words", pytest.approx(whole[beside], abs=1))  # a blank line between them
    assert next(each.text for each in result.unexplained) == "## browser_action"
    assert other[result.unexplained[0].offset :].startswith("## browser_action")


def section_of(text: str, name: str, behind: str) -> tuple[str, str]:
    """A section with the rule above it, and the text without it."""
    first, last = (text.index(f"====\n\n{heading}\n") for heading in (name, behind))
    return text[first:last], text[:first] + text[last:]


def test_a_section_that_stands_elsewhere_is_moved(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    rules, rest = section_of(text, "RULES", "SYSTEM INFORMATION")
    at = rest.index("====\n\nCAPABILITIES\n")
    capture, result = compared(rest[:at] + rules + rest[at:], here(session))
    assert {part.id: part.moved for part in result.parts if part.moved is not None} == {"rules": "Tool Use Guidelines"}
    assert set(verdicts(result).values()) == {"equal", "other words"}
    assert (result.explained, result.unexplained, result.differs) == (1, (), True)
    unmoved = {part.id: part.sent for part in compared(text, here(session))[1].parts}
    assert {part.id: part.sent for part in result.parts} == pytest.approx(unmoved, abs=1)
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    assert [part for part in lesson.parts if part.flaw] == []
    place = Workspace()
    place.learned = Learned((LearnedVersion("roo", "3.28.16", lesson.wordings),))
    assert verify(capture, capture.requests[0], here(session, learned=True), COUNTER, place).equal == 1


def test_a_file_that_stands_elsewhere_is_equal_or_has_other_words(session: Scenario) -> None:
    assembly = assemble(session, Workspace(), COUNTER)
    text, id = preview(assembly), "custom_instructions.file:.roo/rules-code/01-a.md"
    section = assembly.section(id)
    assert section is not None
    rest = text.replace(section.text, "")
    _, same = compared(rest + section.text, here(session))
    assert {part.id: (part.verdict, part.moved) for part in same.parts if part.moved is not None} == {
        id: ("equal", ".roorules")
    }
    _, other = compared(rest + section.text + "\nOne more line.\n", here(session))
    assert verdicts(other)[id] == "other words"
    assert next(part.moved for part in other.parts if part.id == id) == ".roorules"
    heading = section.text[: section.text.index(":\n") + 2]
    _, gone = compared(f"{rest}{heading}Nothing of it.\n", here(session))
    assert verdicts(gone)[id] == "not sent", "a heading alone is no section"


def test_what_stands_last_and_was_moved_there_may_be_cut_off(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    rules, rest = section_of(text, "RULES", "SYSTEM INFORMATION")
    capture, result = compared(f"{rest}\n{rules[:3_000]}", here(session))
    assert next(part.moved for part in result.parts if part.id == "rules") is not None
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    flaws = {part.id: part.flaw for part in lesson.parts if part.flaw}
    assert flaws == {"rules": "the text may be cut off in it"}


def test_a_section_without_a_heading_is_known_by_its_first_line_once_it_was_learned(session: Scenario) -> None:
    assembly = assemble(session, Workspace(), COUNTER)
    text = preview(assembly)
    capture, _ = compared(text, here(session))
    place = Workspace()
    wordings = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace()).wordings
    place.learned = Learned((LearnedVersion("roo", "3.28.16", wordings),))
    end, at = (text.index(f"====\n\n{name}\n") for name in ("MARKDOWN RULES", "MODES"))
    moved = read_prompt(f"{text[end:at]}{text[:end]}{text[at:]}".encode(), here(session), COUNTER, Workspace())
    found = verify(moved, moved.requests[0], here(session, learned=True), COUNTER, place)
    assert [(part.id, part.verdict, part.moved) for part in found.parts if part.moved is not None] == [
        ("role", "equal", "CAPABILITIES")
    ]


def test_what_the_text_tells_decides_over_mode_tools_servers_and_machine(tmp_path: Path) -> None:
    session = recorded("roo/mcp.code", tmp_path)
    text = preview(assemble(session, Workspace(), COUNTER))
    _, result = compared(text, here(session))
    assert set(verdicts(result).values()) <= {"equal", "other words"}
    assert verdicts(result)["mcp_servers"] == "other words"
    assert result.explained == 1
    _, wrong = compared(text, here(session, mode="ask"))
    assert verdicts(wrong)["tools.write_to_file"] == "not predicted"


def test_a_text_that_is_cut_off_says_where_and_teaches_nothing_of_its_end(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    cut = text[: text.index("## write_to_file\n") + 700]
    capture, result = compared(cut, here(session))
    assert any("the text ends in write_to_file: is it cut off?" in note for note in result.notes)
    assert verdicts(result)["objective"] == "not sent"
    assert verdicts(result)["tools.apply_diff"] == "other words"
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    flaws = {part.id: part.flaw for part in lesson.parts}
    assert flaws["tools.apply_diff"] == ""
    assert flaws["objective"] == "its heading is not in the text"
    assert flaws["tools.write_to_file"]


def test_what_is_learned_of_a_copied_prompt_is_predicted_word_for_word(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    capture, _ = compared(text, here(session))
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    assert [part for part in lesson.parts if part.flaw] == []
    assert len(lesson.parts) > 20
    place = Workspace()
    place.learned = Learned((LearnedVersion("roo", "3.28.16", lesson.wordings),))
    base = here(session, learned=True)
    assert verify(capture, capture.requests[0], base, COUNTER, place).equal == 1
    changed = read_prompt(text.replace("evitaler", "absolute").encode(), base, COUNTER, place)
    again = verify(changed, changed.requests[0], base, COUNTER, place)
    assert 0.9 < again.equal < 1  # a single word is noticed
    assert verdicts(again)["tools.read_file"] == "other words"


@pytest.mark.parametrize("how", ["crlf", "bom", "json", "escaped", "utf-16"])
def test_how_a_clipboard_writes_it_makes_no_difference(session: Scenario, how: str) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    data = {
        "crlf": text.replace("\n", "\r\n").encode(),
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "json": json.dumps(text).encode(),
        "escaped": json.dumps(text)[1:-1].encode(),
        "utf-16": text.encode("utf-16"),
    }[how]
    capture = pasted(data, "roo")
    body: Any = capture.requests[0].body
    assert body["messages"][0]["content"] == text
    assert len(capture.problems) == (how in ("crlf", "json", "escaped"))


def test_a_carriage_return_of_a_file_stays(session: Scenario) -> None:
    body: Any = pasted(b"one\r\ntwo\nthree", session.agent or "").requests[0].body
    assert body["messages"][0]["content"] == "one\r\ntwo\nthree"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the text is empty"),
        (b" \r\n\t", "the text is empty"),
        (b"\0\1\2", "is not text"),
        (b"x" * (MAX_BYTES + 1), "larger than 8 MB"),
        (b"Once upon a time.", "none of its"),
    ],
)
def test_what_is_no_prompt_is_refused_in_a_sentence(session: Scenario, data: bytes, said: str) -> None:
    with pytest.raises(CaptureError, match=said):
        compared(data, here(session))


def test_the_prompt_of_another_agent_is_named(tmp_path: Path) -> None:
    session = recorded("openclaw/01-full-default", tmp_path)
    text = preview(assemble(session, Workspace(), COUNTER))
    with pytest.raises(CaptureError, match=r"not a prompt of roo.* of openclaw: --agent openclaw"):
        compared(text, here(session, agent="roo"))
    _, result = compared(text, here(session, agent_version="2026.2.24"))
    assert result.explained > 0.7
    assert verdicts(result)["skills"] == "not predicted"  # the folder has none
    assert verdicts(result)["tooling"] == "other words"
    assert verdicts(result)["runtime"] == "other words"


def headings(agent: str, place: Path, beside: str) -> list[str]:
    """Headings of an agent's sections that the other one has not."""
    plain = Unpredictable(())

    def of(each: str) -> list[str]:
        scenario = Scenario(agent=each, workspace=str(place), home=str(place), env={})
        return list(
            dict.fromkeys(h.line for h in headings_of(assemble(scenario, Workspace(), COUNTER), plain) if h.present)
        )

    own, other = of(agent), of(beside)
    return [line for line in own if line not in other]


@pytest.mark.parametrize(
    ("own", "of_another", "said"),
    [
        (0, 0, "none of its"),
        (0, 1, "none of its"),
        (0, 2, "of openclaw: --agent openclaw"),
        (1, 0, None),
        (1, 2, None),
        (1, 3, "1 of its .* headings are in it, but 3 of .* of openclaw"),
        (2, 4, None),
        (2, 5, "2 of its .* headings are in it, but 5 of .* of openclaw"),
    ],
)
def test_a_text_is_another_agent_s_with_more_than_twice_as_many_headings(
    tmp_path: Path, own: int, of_another: int, said: str | None
) -> None:
    ours, theirs = headings("roo", tmp_path, "openclaw"), headings("openclaw", tmp_path, "roo")
    text = "\n\n".join(["Once upon a time.", *ours[:own], *theirs[:of_another]])
    base = Scenario(agent="roo", workspace=str(tmp_path), home=str(tmp_path), env={})
    if said is None:
        assert read_prompt(text.encode(), base, COUNTER, Workspace()).is_prompt
    else:
        with pytest.raises(CaptureError, match=said):
            read_prompt(text.encode(), base, COUNTER, Workspace())
