"""Wording learned from a request, and put in the place of stand-ins: the round trip, with a made-up agent's words."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.engine.insight.made_up import WHY, assembly_of, of_file, ours, section
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Assembly, Scenario, assemble
from promptscope_engine.assembly.assembler import descriptions, totals
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.assembly.wording import coverage
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.model import Block, Capture, Content, Header, Message, Recorded, SentTool
from promptscope_engine.insight.calibration import Calibration, calibrate, wording_in
from promptscope_engine.insight.client_sections import ClientSection, ClientSections
from promptscope_engine.insight.fitting import verify
from promptscope_engine.insight.verification import Verification
from promptscope_engine.learned import SCHEMA, Learned, LearnedVersion
from promptscope_engine.prompt.model import Fragment, Origin, Section, Tool, ToolTokens
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.wire.request import Request
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
    for each in assembly.sections:
        for fragment in each.fragments:
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
    return calibrate(*captured(place, body), COUNTER, Workspace())


def learned(*found: Calibration) -> Knowledge:
    wordings = tuple(wording for each in found for wording in each.wordings)
    return Knowledge(Learned((LearnedVersion("claude-code", VERSION, wordings),)))


def verified(place: Path, body: dict[str, Any], known: Knowledge) -> Verification:
    capture, request, base = captured(place, body)
    return verify(capture, request, base.model_copy(update={"learned": True}), COUNTER, Workspace(), knowledge=known)


def text_of(assembly: Assembly) -> list[str]:
    return [block.value["text"] for block in assembly.request.blocks() if "text" in block.value]


def test_what_was_learned_is_predicted_from_then_on_also_beside_other_files(place: Path) -> None:
    first = sent(place)
    found = calibrated(place, first)
    assert [part for part in found.parts if part.flaw] == []
    assert found.learned == len(found.parts) > 20
    known = learned(found)
    assembly = assemble(predicted(place, learned=True), Workspace(), COUNTER, knowledge=known)
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
    before = verified(place, sent(place), Knowledge())
    assert before.equal < 0.2


def test_without_the_key_nothing_that_was_learned_takes_part(place: Path) -> None:
    known = learned(calibrated(place, sent(place)))
    plain = assemble(predicted(place), Workspace(), COUNTER).to_dict()
    assert assemble(predicted(place), Workspace(), COUNTER, knowledge=known).to_dict() == plain
    assert plain["learned"] is False


def test_a_variant_that_was_not_seen_stays_a_stand_in(place: Path) -> None:
    known = learned(calibrated(place, sent(place)))
    quiet = predicted(place, learned=True, env={"DISABLE_TELEMETRY": "1"})
    harness = assemble(quiet, Workspace(), COUNTER, knowledge=known).section("harness")
    assert harness is not None
    assert {fragment.origin.kind for fragment in harness.fragments} == {"label", "builtin"}
    assert harness.confidence == "stand-in"


@pytest.mark.parametrize("left_out", [None, True, False])
def test_a_what_if_counts_learned_wording_as_the_assembly_does(place: Path, left_out: bool | None) -> None:
    """Of tools both description and schema may be learned, or only one of them."""
    found = calibrated(place, sent(place))
    kept = tuple(each for each in found.wordings if (each.ids == SCHEMA) is not left_out)
    known = learned(replace(found, wordings=kept))
    scenario = predicted(place, learned=True)
    whole = assemble(scenario, Workspace(), COUNTER, knowledge=known).tokens.expected
    assert totals(scenario, Workspace(), COUNTER, known).expected == whole


def test_values_of_the_scenario_stay_values(place: Path) -> None:
    """Another folder, another day: what was learned holds no trace of the run."""
    found = calibrated(place, sent(place))
    moved = place / "moved"
    (place / "workspace").rename(moved)
    (place / "workspace").mkdir()
    scenario = predicted(place, learned=True).model_copy(update={"workspace": str(moved)})
    text = "\n".join(text_of(assemble(scenario, Workspace(), COUNTER, knowledge=learned(found))))
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
    assembly = assemble(predicted(place, learned=True), Workspace(), COUNTER, knowledge=learned(found))
    assert text_of(assembly)[2] == body["system"][2]["text"]


def test_what_is_far_too_long_is_no_wording(place: Path) -> None:
    body = sent(place)
    body["tools"][0]["description"] = "x" * 500_000
    found = calibrated(place, body)
    name = f"tools.{body['tools'][0]['name']}"
    assert next(part.flaw for part in found.parts if part.id == name).startswith("500,000 characters are where")
    assert max(sum(map(len, each.text)) for each in found.wordings) < 100_000


# --- of sections made up for it -----------------------------------------------------------------------------------

SHOP = of_file("Use tabs.")
GONE = Fragment("gone", Origin("param", name="prompt"))


def label(text: str) -> Fragment:
    return Fragment(text, Origin("label"))


def taught(
    *sections: Section,
    system: tuple[str, ...] = (),
    said: tuple[str, ...] = (),
    header: Header | None = None,
    request: Request | None = None,
) -> Calibration:
    """What these texts teach, sent in the place of the sections."""
    messages = (Message("user", tuple(map(Block, said))),)
    content = Content("anthropic", system=tuple(map(Block, system)), messages=messages if said else ())
    assembly = assembly_of(*sections)
    predicted = assembly if request is None else replace(assembly, request=request)
    return wording_in(content, Capture(header or Header(), ()), predicted, {})


def words(found: Calibration) -> list[tuple[str, str]]:
    """The wordings as they are filled in, each with its part."""
    values = {name: f"[{name}]" for name in ("workspace", "workspace-name", "home", "home-name")}
    return [(each.part, each.filled(values)) for each in found.wordings]


def flaws(found: Calibration) -> dict[str, str]:
    return {part.id: part.flaw for part in found.parts}


def test_prose_is_what_stands_between_what_is_exact() -> None:
    one, two = section("a", label("# A\n"), ours("One."), label("\n\n")), section("b", SHOP, ours(" Two."))
    found = taught(one, two, system=("# A\nFirst.\n\nUse tabs. Second",))
    assert (words(found), flaws(found)) == ([("a", "First."), ("b", " Second")], {"a": "", "b": ""})
    assert ([part.title for part in found.parts], found.learned) == (["A", "B"], 2)


def test_the_version_is_the_one_that_was_captured() -> None:
    assert (taught().agent, taught().agent_version) == ("claude-code", "1.2.3")
    assert taught(header=Header(agent_version="1.2.4")).agent_version == "1.2.4"


@pytest.mark.parametrize(("command", "run"), [(("claude", "-p", "say hi"), "claude -p 'say hi'"), ((), "a capture")])
def test_words_of_a_capture_were_seen_in_the_run_that_was_captured(command: tuple[str, ...], run: str) -> None:
    one = section("a", label("# A\n"), ours("One."))
    kept = taught(one, system=("# A\nFirst.",), header=Header(command=command)).taught
    assert (kept.runs, [(each.text, each.runs) for each in kept.wordings]) == ((run,), [(("First.",), (1,))])


@pytest.mark.parametrize(
    ("header", "text"),
    [
        (
            Header(cwd="/work/shop", home="/home/ada"),
            "In [workspace], [workspace-name] and [home]; /home/u, /shop, /root.",
        ),
        (Header(), "In /work/shop, -work-shop and /home/ada; [home], /shop, /root."),
        (Header(cwd="/shop", home="/root"), "In /work/shop, -work-shop and /home/ada; /home/u, /shop, /root."),
    ],
)
def test_folders_of_the_run_are_holes_unless_they_are_at_the_root(header: Header, text: str) -> None:
    """Without a header they are those of the prediction, /shop and /home/u."""
    sent = "In /work/shop, -work-shop and /home/ada; /home/u, /shop, /root."
    assert words(taught(section("a", ours("Where.")), system=(sent,), header=header)) == [("a", text)]


def test_a_stretch_that_was_sent_in_several_wordings_has_none() -> None:
    twice = section("a", ours("One."), SHOP, ours("One.")), section("b", label("\n# B\n"), ours("Two."))
    found = taught(*twice, system=("First.Use tabs.Other.\n# B\nSecond.",))
    assert (words(found), flaws(found)) == ([("b", "Second.")], {"a": "it has several wordings", "b": ""})
    found = taught(*twice, system=("First.Use tabs.First.\n# B\nSecond.",))
    assert (words(found), flaws(found)) == ([("a", "First."), ("b", "Second.")], {"a": "", "b": ""})


def test_of_several_flaws_the_first_one_counts() -> None:
    sections = section("a", ours("One."), SHOP, ours("One."), label("\n"), of_file("gone"), ours("Two."))
    found = taught(sections, system=("First.Use tabs.Other.\nSecond.",))
    assert flaws(found) == {"a": "beside it, /shop/CLAUDE.md was not found"}


@pytest.mark.parametrize(
    ("size", "tokens", "flaw"),
    [
        (4_080, None, ""),
        (4_081, None, "4,081 characters are where 10 were expected"),
        (4_160, 2, ""),
        (4_161, 2, "4,161 characters are where 20 were expected"),
    ],
)
def test_prose_is_at_most_eight_times_as_long_as_expected_and_4000_characters_more(
    size: int, tokens: int | None, flaw: str
) -> None:
    """Ten characters of ours are there; of a section that was measured, the real ones are twice as many."""
    measured = {"tokens": 1, "expected_tokens": tokens} if tokens else {}
    found = taught(section("a", ours("x" * 10), **measured), system=("y" * size,))
    assert (flaws(found), len(found.wordings)) == ({"a": flaw}, 0 if flaw else 1)


def test_a_label_that_was_sent_otherwise_is_prose() -> None:
    """A file's text is none, nor is a line break, nor a label where there is no prose."""
    sections = (
        section("a", label("# A\n"), ours("One."), label("\n\n"), of_file("gone"), ours("Two.")),
        section("b", label("\n# Gone\n"), SHOP, label("\n\n\n")),
    )
    found = taught(*sections, system=("# Other\nFirst. Second.Use tabs.",))
    assert [(each.part, each.ids, each.text) for each in found.wordings] == [("a", ("label",), ("# A\n",))]
    found = taught(sections[0], system=("# A\nFirst.\n\ngoneSecond.",))
    assert [each.ids for each in found.wordings] == [("ours",), ("ours",)]


@pytest.mark.parametrize(
    ("parts", "flaw"),
    [
        ((GONE, ours("One.")), "beside it, prompt was not found"),
        ((ours("One."), GONE), "beside it, prompt was not found"),
        ((SHOP, ours("One."), GONE), "beside it, prompt was not found"),
        ((of_file("gone"), ours("One.")), "beside it, /shop/CLAUDE.md was not found"),
        ((Fragment(" gone", Origin("edit", index=0)), ours("One.")), "beside it, 'gone' was not found"),
    ],
)
def test_what_is_missing_beside_prose_is_named(parts: tuple[Fragment, ...], flaw: str) -> None:
    found = taught(section("a", *parts), section("b", label("\n@\n"), ours("Two.")), system=("Use tabs.\n@\nSecond.",))
    assert (flaws(found), words(found)) == ({"a": flaw, "b": ""}, [("b", "Second.")])


def test_a_heading_that_is_missing_beside_prose_is_named() -> None:
    found = taught(
        section("a", ours("One.")), section("b", label("# Gone\n")), section("c", SHOP), system=("Use tabs.",)
    )
    assert flaws(found) == {"a": "beside it, '# Gone' was not found"}


def test_prose_beside_prose_of_another_section_has_no_certain_place() -> None:
    found = taught(section("a", ours("One.")), section("b", ours("Two.")), system=("First. Second.",))
    assert flaws(found) == {"a": "its place is not certain", "b": "its place is not certain"}
    assert words(found) == []


@pytest.mark.parametrize("gone", [SHOP, label("- "), GONE])
def test_of_exact_neighbours_those_count_that_were_sent(gone: Fragment) -> None:
    """Three are between the prose; where one of them is missing, the others still say where it ends and begins."""
    parts = label("\n<a>\n"), SHOP, label("- "), GONE, label("\n</a>\n")
    sent = "".join(part.text for part in parts if part is not gone)
    found = taught(section("a", ours("One.")), section("b", *parts), section("c", ours("Two.")), system=(f"x{sent}y",))
    assert words(found) == [("a", "x"), ("c", "y")]


# --- blocks -------------------------------------------------------------------------------------------------------


def test_each_block_teaches_the_sections_that_make_it_up() -> None:
    """One of them is made up by no section, and one of the sections is in two blocks."""
    sections = (
        section("a", label("# A\n"), ours("One.")),
        section("b", label("# B\n"), ours("Two."), label("# C\n"), ours("Three.")),
        section("said", label("<said>"), ours("Four."), channel="messages"),
        section("gone", label("# A\n"), ours("Gone."), present=False),
    )
    texts = "# A\nOne.", "Who made this?", "# B\nTwo.", "# C\nThree."
    system = tuple({"type": "text", "text": text} for text in texts)
    request = Request(system=system, messages=({"role": "user", "content": "<said>Four."},), tools=())
    new = "# A\n1.", "Who made this?", "A new block.", "# B\n2.", "# C\n3."
    found = taught(*sections, system=new, said=("<said>4.",), request=request)
    assert words(found) == [("a", "1."), ("b", "2."), ("b", "3."), ("said", "4.")]
    assert flaws(found) == {"a": "", "b": "", "said": ""}


def test_prose_of_a_block_that_was_not_sent_is_not_known() -> None:
    sections = section("a", SHOP), section("said", ours("One."), channel="messages"), section("b", ours("Two."))
    found = taught(*sections, said=("First.",))
    assert (flaws(found), words(found)) == (
        {"b": "no block of its system was sent", "said": ""},
        [("said", "First.")],
    )


# --- tools --------------------------------------------------------------------------------------------------------


def tool(name: str, schema: Any, *, confidence: Any = "stand-in") -> Tool:
    return Tool(name, "g", True, WHY, "", schema, (), None, ToolTokens(None, None, None), confidence, None)


def taught_by_tools(
    tools: tuple[Tool, ...], predicted: Mapping[str, tuple[str, Any]], sent: Mapping[str, tuple[str, Any]]
) -> Calibration:
    """What tools teach: those of the prediction, with the description and the schema of each in either request."""
    wire = tuple({"name": n, "description": said, "input_schema": schema} for n, (said, schema) in predicted.items())
    content = Content(
        "anthropic", tools=tuple(SentTool(n, said, schema, "custom") for n, (said, schema) in sent.items())
    )
    described = {each.name: (ours("Reads."),) for each in tools}
    return wording_in(content, Capture(Header(), ()), replace(assembly_of(tools=wire), tools=tools), described)


OBJECT, OTHER = {"type": "object"}, {"type": "object", "title": "T"}


@pytest.mark.parametrize(
    ("schema", "predicted", "sent", "flaw", "learned"),
    [
        (OBJECT, {"f.Read": ("Reads.", OBJECT)}, {"f.Read": ("Shows.", OTHER)}, "", ["Shows.", json.dumps(OTHER)]),
        (OBJECT, {"Read": ("Reads.", OBJECT)}, {"Read": ("Shows.", OTHER)}, "", ["Shows.", json.dumps(OTHER)]),
        (OBJECT, {"f.Read": ("Reads.", OBJECT)}, {"Read": ("Shows.", OTHER)}, "it was not sent", []),
        (OBJECT, {"Read": ("Reads.", OBJECT)}, {}, "it was not sent", []),
        (OBJECT, {}, {"Read": ("Shows.", OTHER)}, "it was not sent", []),
        (None, {"Read": ("Reads.", OBJECT)}, {"Read": ("Shows.", OTHER)}, "", ["Shows.", json.dumps(OTHER)]),
        (
            OBJECT,
            {"Read": ("Reads.", OTHER)},
            {"Read": ("Shows.", OBJECT)},
            "its parameters are sent in another form",
            ["Shows."],
        ),
        (OBJECT, {"Read": ("Reads.", OTHER)}, {"Read": ("Shows.", OTHER)}, "", ["Shows."]),
        (
            OBJECT,
            {"Read": ("Reads it.", OBJECT)},
            {"Read": ("Shows.", OTHER)},
            "its description is sent in another form",
            [json.dumps(OTHER)],
        ),
    ],
)
def test_a_tool_teaches_its_description_and_its_schema(
    schema: Any,
    predicted: dict[str, tuple[str, Any]],
    sent: dict[str, tuple[str, Any]],
    flaw: str,
    learned: list[str],
) -> None:
    """The tool `f.Read` is sent as it is called, or as `Read` within its namespace."""
    found = taught_by_tools((tool("f.Read", schema), tool("exact", {}, confidence="exact")), predicted, sent)
    assert flaws(found) == {"tools.f.Read": flaw}
    assert [text for _, text in words(found)] == [each.replace('": ', '":').replace(', "', ',"') for each in learned]


@pytest.mark.parametrize(
    ("size", "flaw"), [(400_000, ""), (400_001, "400,001 characters are where 400,000 were expected")]
)
def test_a_schema_has_at_most_400_000_characters(size: int, flaw: str) -> None:
    sent = {"Read": ("Reads.", "x" * (size - 2))}
    found = taught_by_tools((tool("Read", OBJECT),), {"Read": ("Reads.", OBJECT)}, sent)
    assert flaws(found) == {"tools.Read": flaw}


# --- a pasted prompt ----------------------------------------------------------------------------------------------

PROMPT = (
    section("intro", ours("0123456789"), label("\n\n")),
    section("a", label("# A\n"), ours("About a."), label("\n\n"), heading="# A"),
    section("b", label("# B\n"), ours("About b."), label("\n\n"), heading="# B"),
    section("c", label("# C\n"), SHOP, label("\n\n"), heading="# C"),
    section("d", label("# D\n"), ours("0123456789"), heading="# D"),
    section("said", ours("Said."), channel="messages"),
)


def pasted(text: str) -> Calibration:
    return taught(*PROMPT, system=(text,), header=Header("claude-code", source="prompt"))


CUT, MISSING = "the text may be cut off in it", "its heading is not in the text"


@pytest.mark.parametrize(
    ("text", "flawed"),
    [
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcdef.", {}),
        # the wording at either end is complete from 70 % of its expected size on
        ("Abcdef\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcdef.", {"intro": CUT}),
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcde.", {"d": CUT}),
        # and at the end if it closes a sentence
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcdefg", {"d": CUT}),
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcdef:\n", {}),
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# C\nUse tabs.\n\n", {"d": MISSING}),
        ("Abcdefg\n\n# A\nA.\n\n# B\nB.\n\n# D\nAbcdef.", {}),
        ("Abcdefg\n\n# A\nA.\n\n# C\nUse tabs.\n\n# D\nAbcdef.", {"b": MISSING}),
        # in a section that is elsewhere the text may end
        ("Abcdefg\n\n# B\nB.\n\n# C\nUse tabs.\n\n# D\nAbcdef.\n\n# A\nA.", {"a": CUT}),
        ("Abcdefg\n\n# B\nB.\n\n# A\nA.\n\n# C\nUse tabs.\n\n# D\nAbcdef.", {}),
    ],
)
def test_a_pasted_prompt_teaches_what_is_certainly_whole(text: str, flawed: dict[str, str]) -> None:
    found = pasted(text)
    assert flaws(found) == {"intro": "", "a": "", "b": "", "d": "", **flawed}
    assert {part for part, _ in words(found)} == {"intro", "a", "b", "d"} - flawed.keys()
    learned = dict(words(found))
    assert {learned.get(name) for name in ("a", "b")} <= {"A.", "B.", None}


def test_where_the_client_tells_its_sections_the_words_of_one_are_not_those_of_the_next() -> None:
    table = {"body": ("intro",), "games": ("games",), "closing": ("closing",)}
    texts = {"body": "Be brief at all times.", "closing": "Act when you know.", "total": "9 left"}
    named = ClientSections([ClientSection(*each) for each in texts.items()], table)
    parts = ("intro", "Keep it short."), ("closing", "\n\nDo things."), ("games", "\n\nPlay, if asked.")
    assembly = assembly_of(*(section(name, ours(text)) for name, text in parts))
    content = Content("anthropic", system=(Block("\n\n".join(texts.values())),))
    found = wording_in(content, Capture(Header(), ()), assembly, {}, named)
    assert words(found) == [("intro", "Be brief at all times."), ("closing", "\n\nAct when you know.")]
    assert flaws(found)["games"] == "no block of its system was sent"
