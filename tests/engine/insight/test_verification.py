"""A prediction against captures that are made of one, whole and changed."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tests.engine.insight.made_up import assembly_of, of_file, ours, section
from tests.support.frozen import ENVIRONMENT, frozen_scenario

from promptscope_engine import Scenario, ScenarioError, assemble, schema
from promptscope_engine.captures.exchange import Exchange, labelled, recorded
from promptscope_engine.captures.model import Block, Capture, Content, Fidelity, Header, Message, Recorded, SentTool
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.insight.alignment import Heading
from promptscope_engine.insight.fitting import best_fit, verify
from promptscope_engine.insight.predicted_lines import factor_of, headings_of
from promptscope_engine.insight.sent_blocks import MARK, Unpredictable, lines_of
from promptscope_engine.insight.tally import Part, PartTexts, Unexplained
from promptscope_engine.insight.verification import (
    ToolNames,
    Verification,
    VerifiedFile,
    side_by_side,
)
from promptscope_engine.prompt.model import Fragment, Origin, Section
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.wire.request import ResponsesRequest
from promptscope_engine.workspace import Workspace

pytestmark = pytest.mark.slow

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
    return verify(Capture(header, (request,)), request, base, Counter(get_tokenizer("o200k_base")), Workspace())


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
    found = verified("claude-code", place, sent_by_claude(place), "2.1.333")
    assert (found.version, found.predicted_version) == ("2.1.333", "2.1.332")
    assert found.notes[0] == "2.1.333 is not modelled: compared with 2.1.332, the nearest"


def test_the_other_version_s_number_is_explained(place: Path) -> None:
    path, body = sent_by_claude(place)
    newer = json.loads(json.dumps(body).replace("2.1.329", "2.1.340"))
    found = verified("claude-code", place, (path, newer), "2.1.340")
    assert not any("billing" in each.text for each in found.unexplained)
    assert "billing" in {part.id for part in found.parts if part.verdict == "equal"}


def test_of_scenarios_that_fit_alike_the_first_one_counts(place: Path) -> None:
    """What is tried besides are variables, and nothing that was sent tells about them."""
    base = Scenario(workspace=str(place / "workspace"), home=str(place / "home"), env={})
    capture = Capture(Header("claude-code", VERSIONS["claude-code"]), ())
    body = {"tools": [{"name": "New", "description": "Nothing of this is predicted.", "input_schema": {}}]}
    request = Recorded(1, "POST", "/v1/messages", "anthropic", body=body)
    found = best_fit(capture, request, base, Counter(get_tokenizer("o200k_base")), Workspace())
    assert (found.scenario.env, found.result.explained) == ({}, 0)


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


# --- of sections made up for it -----------------------------------------------------------------------------------

LOGGED_OUT = "logged out: account settings may differ"


def of(
    *sections: Section, system: tuple[str, ...] = (), said: tuple[str, ...] = (), header: Header | None = None
) -> tuple[Verification, Any]:
    """The sections compared with the texts that were sent, and the texts of the parts."""
    messages = (Message("user", tuple(Block(text) for text in said)),)
    content = Content("anthropic", system=tuple(Block(text) for text in system), messages=messages if said else ())
    return side_by_side(assembly_of(*sections), content, Capture(header or Header(agent_version="1.2.3"), ()))


def parts(found: Verification) -> list[tuple[str, str, int, int]]:
    return [(part.id, part.verdict, part.predicted, part.sent) for part in found.parts]


def test_what_is_equal_is_counted_with_its_line_feeds() -> None:
    found, texts = of(section("rules", of_file("one\n\ntwo\n")), system=("one\n\ntwo\n",))
    assert parts(found) == [("rules", "equal", 9, 9)]
    assert (found.characters, found.explained, found.equal, found.notes) == (9, 1, 1, ())
    assert texts["rules"] == PartTexts("one\n\ntwo\n", "one\n\ntwo\n")
    assert found.files == (VerifiedFile("/shop/CLAUDE.md", True),)


def test_nothing_sent_where_nothing_was_predicted_is_as_predicted() -> None:
    found, texts = of()
    assert (found.characters, found.explained, found.equal, found.parts, texts) == (0, 1, 1, (), {})
    assert not found.differs


@pytest.mark.parametrize(
    ("second", "explained"),
    [(84, 1.0), (85, 1.0), (86, 10 / 96)],
)
def test_prose_may_be_half_as_long_again_and_a_little_more(second: int, explained: float) -> None:
    """Ten characters are expected: 95 are not too many."""
    found, _ = of(section("prose", ours("a" * 10)), system=("b" * 9 + "\n" + "c" * second,))
    assert found.explained == pytest.approx(explained)
    assert found.equal == 0
    assert parts(found) == [("prose", "other words", 10, 10 + second)]
    assert [(each.index, each.offset, each.length, each.text) for each in found.unexplained] == (
        [] if explained == 1 else [(0, 10, second, "c" * 80)]
    )
    assert found.differs is (explained < 1)


def test_the_first_line_of_prose_may_have_any_length() -> None:
    found, _ = of(section("prose", ours("a" * 10)), system=("b" * 500,))
    assert (parts(found), found.explained) == ([("prose", "other words", 10, 500)], 1)


@pytest.mark.parametrize(
    ("sent", "first", "second"),
    [
        (("b" * 4, "c" * 4, "d" * 9), 10, 9),  # 5 + 5 are as long as expected
        (("b" * 4, "c" * 5, "d" * 9), 11, 9),  # 5 + 6 are nearer to what is expected than 5 alone
        (("b" * 4, "c" * 3, "d" * 9), 9, 9),
    ],
)
def test_sections_between_two_anchors_take_as_many_lines_as_expected(
    sent: tuple[str, ...], first: int, second: int
) -> None:
    sections = section("one", ours("a" * 9 + "\n")), section("two", ours("e" * 9))
    found, _ = of(*sections, system=("\n".join(sent),))
    assert parts(found) == [("one", "other words", 10, first), ("two", "other words", 9, second)]


def test_sections_of_a_paragraph_each_are_cut_between_paragraphs() -> None:
    names = ("list", "where", "job")
    sections = [section(name, ours(f"{name} " * size + "\n\n")) for name, size in zip(names, (30, 8, 9), strict=True)]
    sent = ("- a\n- b, which is long and has many words\n" * 4, "shown on a screen\n", "the job is what was asked\n")
    found, _ = of(*sections, system=("\n".join(sent),))
    assert [(part.id, part.sent) for part in found.parts] == [
        (name, len(text) + (number < 2)) for number, (name, text) in enumerate(zip(names, sent, strict=True))
    ]


def test_a_file_of_which_only_the_heading_was_sent_is_not_sent() -> None:
    files = section("one", ours("Rules:\n"), of_file("Use tabs.\n")), section("two", of_file("Be kind.\n"))
    found, _ = of(*files, system=("Rules:\nBe kind.\n",))
    assert [(part.id, part.verdict) for part in found.parts] == [("one", "not sent"), ("two", "equal")]


def test_other_words_of_a_file_are_not_explained() -> None:
    found, texts = of(section("rules", of_file("Use tabs.\n")), system=("Use spaces.\n",))
    assert parts(found) == [("rules", "other words", 10, 12)]
    assert (found.explained, found.equal) == (0, 0)
    assert [(each.channel, each.index, each.offset, each.length, each.text) for each in found.unexplained] == [
        ("system", 0, 0, 11, "Use spaces.")
    ]
    assert texts["rules"] == PartTexts("Use tabs.\n", "Use spaces.\n")
    assert found.files == (VerifiedFile("/shop/CLAUDE.md", False),)


def test_more_lines_than_a_file_has_are_its_section_s_unless_they_begin_with_a_heading() -> None:
    rules = section("rules", of_file("# Shop\nUse tabs."))
    found, _ = of(rules, system=("# Shop\nUse tabs.\nAnd more.\n\n",))
    assert parts(found) == [("rules", "other words", 16, 28)]
    assert [(each.offset, each.length, each.text) for each in found.unexplained] == [(17, 9, "And more.")]
    for heading in ("# News", "###### News", "<news>", "<n-1_a>"):
        found, texts = of(rules, system=(f"# Shop\nUse tabs.\n{heading}\nSee.",))
        place, size = "system.0.17", len(heading) + 5
        assert parts(found) == [("rules", "other words", 16, 17 + size), (place, "not predicted", 0, size)]
        assert texts[place] == PartTexts("", f"{heading}\nSee.")
    for other in ("#News", "####### News", "<News>", "<news", "a # News"):
        found, _ = of(rules, system=(f"# Shop\nUse tabs.\n{other}\nSee.",))
        assert [part.id for part in found.parts] == ["rules"]


def test_blank_lines_at_the_end_are_no_news() -> None:
    found, _ = of(section("rules", of_file("Use tabs.")), system=("Use tabs.\n\n",))
    assert parts(found) == [("rules", "equal", 9, 11)]
    assert (found.characters, found.explained, found.unexplained) == (11, 1, ())
    assert not found.differs
    assert found.equal == pytest.approx(10 / 11)


def test_what_was_not_sent_is_in_no_share() -> None:
    """The blank line at the end is none of the section's words."""
    sections = section("one", of_file("Use tabs.\n")), section("two", ours("Be kind."))
    found, texts = of(*sections, system=("Use tabs.\n",))
    assert parts(found) == [("one", "equal", 10, 10), ("two", "not sent", 8, 0)]
    assert (found.characters, found.explained, found.equal) == (10, 1, 1)
    assert texts["two"] == PartTexts("Be kind.", "")
    found, _ = of(*sections)
    assert [part.verdict for part in found.parts] == ["not sent", "not sent"]
    assert found.characters == 0


def test_a_block_that_nothing_predicts_is_a_part_of_its_own() -> None:
    rules = section("rules", of_file("Use tabs."))
    found, texts = of(rules, system=("Use tabs.", "\n  Other \t words \nof it."))
    assert parts(found) == [("rules", "equal", 9, 9), ("system.1.1", "not predicted", 0, 24)]
    assert texts["system.1.1"] == PartTexts("", "\n  Other \t words \nof it.")
    assert [(each.index, each.offset, each.length, each.text) for each in found.unexplained] == [
        (1, 1, 23, "Other words")
    ]
    assert found.parts[-1].title == "Other words"
    found, _ = of(rules, system=("Use tabs.", "x" * 81))
    assert [(part.id, part.title) for part in found.parts] == [("rules", "Rules"), ("system.1", "x" * 80)]


def test_lines_belong_to_the_section_that_has_most_of_them() -> None:
    sections = (
        section("name", of_file("Name: ")),
        section("value", of_file("a long value\nnext\n")),
        section("rest", of_file("\nab")),
        section("half", of_file("cd\n")),
    )
    found, texts = of(*sections, system=("Name: a long value\nnext\n\nabcd\n",))
    assert {name: text.predicted for name, text in texts.items()} == {
        "value": "Name: a long value\nnext",
        "rest": "\nabcd",  # as much as the next section has of the line: the first one counts
        "half": "",
    }
    assert parts(found) == [("value", "equal", 24, 24), ("rest", "equal", 6, 6)]


@pytest.mark.parametrize(
    ("parts", "tokens", "expected", "factor"),
    [
        ((ours("a" * 10),), 100, 150, 1.5),
        ((ours("a" * 10), of_file("b" * 30)), 100, 150, 3),  # 25 of the tokens are ours: these become 75
        ((ours("a" * 10),), 100, 10, 0.1),
        ((ours("a" * 10),), 100, 9, 0.1),
        ((ours("a" * 10),), 100, 0, 0.1),
        ((ours("a" * 10),), None, 100, 1),
        ((ours("a" * 10),), 0, 100, 1),
        ((ours("a" * 10),), 100, None, 1),
        ((of_file("a" * 10),), 100, 150, 1),
        ((), 100, 150, 1),
    ],
)
def test_real_wording_is_so_much_longer_than_ours(
    parts: tuple[Fragment, ...], tokens: int | None, expected: int | None, factor: float
) -> None:
    assert factor_of(section("a", *parts, tokens=tokens, expected_tokens=expected)) == pytest.approx(factor)


def test_prose_that_was_measured_has_its_expected_length() -> None:
    measured = section("prose", ours("a" * 10), tokens=10, expected_tokens=20)
    assert [parts(of(measured, system=(sent,))[0]) for sent in ("b" * 20, "a" * 10)] == [
        [("prose", "other words", 20, 20)],
        [("prose", "equal", 20, 10)],
    ]
    for second, is_explained in ((90, True), (91, False)):  # one and a half times 20, and 80
        found, _ = of(measured, system=("b" * 19 + "\n" + "c" * second,))
        assert (found.unexplained == ()) is is_explained


def test_a_block_that_no_section_makes_up_is_named_by_its_place() -> None:
    assembly = assembly_of(section("rules", of_file("Use tabs.")), blocks=("Be kind.", "And more."))
    content = Content("anthropic", system=(Block("Use tabs."), Block("Be kind."), Block("And less.")))
    found, texts = side_by_side(assembly, content, Capture(Header(agent_version="1.2.3"), ()))
    assert [(p.id, p.title, p.verdict) for p in found.parts] == [
        ("rules", "Rules", "equal"),
        ("system.1", "system.1", "equal"),
        ("system.2", "system.2", "other words"),
    ]
    assert texts["system.2"] == PartTexts("And more.", "And less.")


def test_sections_of_a_channel_are_held_against_what_was_sent_there() -> None:
    rules = section("rules", of_file("Use tabs."), channel="messages")
    gone = section("gone", of_file("Use tabs.", "/shop/gone.md"), present=False)
    other = section("other", of_file("Use tabs.", "/shop/other.md"))
    found, _ = of(other, gone, rules, said=("Use tabs.",), system=("Use tabs.",))
    assert parts(found) == [("other", "equal", 9, 9), ("rules", "equal", 9, 9)]
    assert [file.path for file in found.files] == ["/shop/other.md", "/shop/CLAUDE.md"]


def test_a_file_is_found_if_all_of_its_stretches_were_sent() -> None:
    sections = (
        section("one", of_file("Use tabs.\n", "/a.md"), of_file("Be kind.\n", "/b.md"), of_file("  \n", "/c.md")),
        section("two", of_file("The end.\n", "/a.md"), Fragment("Not a file.", Origin("param", path="/d.md"))),
    )
    whole = "Use tabs.\nBe kind.\n  \nThe end.\nNot a file."
    assert [(f.path, f.found) for f in of(*sections, system=(whole,))[0].files] == [("/a.md", True), ("/b.md", True)]
    for gone, found in (("Use tabs.", "/b.md"), ("The end.", "/b.md"), ("Be kind.", "/a.md")):
        files = of(*sections, system=(whole.replace(gone, "Gone."),))[0].files
        assert [f.path for f in files if f.found] == [found], gone


@pytest.mark.parametrize(
    ("header", "notes"),
    [
        (Header(agent_version="1.2.3"), ()),
        (Header(agent_version="1.2.3", login="kept"), ()),
        (Header(agent_version="1.2.3", login="dummy"), (LOGGED_OUT,)),
        (
            Header(agent_version="1.2.3", login="dummy", fidelity=Fidelity(notes=(f"{LOGGED_OUT}!", "slow"))),
            (f"{LOGGED_OUT}!", "slow"),
        ),
        (
            Header(agent_version="1.2.3", login="dummy", fidelity=Fidelity("redirected", ("slow",))),
            (LOGGED_OUT, "slow"),
        ),
        (Header(agent_version="1.2.4"), ("1.2.4 is not modelled: compared with 1.2.3, the nearest",)),
        (Header(), ("the capture tells no version: compared with 1.2.3",)),
    ],
)  # fmt: skip
def test_notes_say_what_limits_the_comparison(header: Header, notes: tuple[str, ...]) -> None:
    assert of(header=header)[0].notes == notes


def test_values_that_change_from_run_to_run_are_in_no_number() -> None:
    value = Fragment("pid-4711", Origin("computed", name="unpredictable.pid"))
    other = Fragment("twice", Origin("computed", name="times"))
    run = section("run", ours("Head\nrun "), value, ours(" of the shop, "), other, ours("\nTail"))
    found, _ = of(run, system=("Head\nrun pid-12 of the shop, twice\nTail",))
    assert (parts(found), found.equal) == ([("run", "equal", 33, 33)], 1)
    found, _ = of(run, system=("Head\nrun pid-12 of the shop, thrice\nTail",))
    assert parts(found)[0][1] == "other words"


# --- tools --------------------------------------------------------------------------------------------------------

READ = {"type": "object", "properties": {"path": {"type": "string", "description": "Where."}}}


def tools_of(predicted: list[tuple[str, str, Any]], sent: list[tuple[str, str, Any]]) -> tuple[Verification, Any]:
    """Tools by name, description and schema, compared with those that were sent."""
    plain = tuple({"name": name, "description": said, "input_schema": schema} for name, said, schema in predicted)
    content = Content("anthropic", tools=tuple(SentTool(*each, kind="custom") for each in sent))
    return side_by_side(assembly_of(tools=plain), content, Capture(Header(agent_version="1.2.3"), ()))


def test_tools_are_compared_by_name() -> None:
    size = len("Reads.") + len(json.dumps(READ, separators=(",", ":")))
    found, texts = tools_of([("Read", "Reads.", READ), ("Gone", "Goes.", {})], [("Read", "Reads.", READ)])
    assert parts(found) == [("tools.Read", "equal", size, size), ("tools.Gone", "not sent", 7, 0)]
    assert found.tools == ToolNames(("Gone",), ())
    assert (found.characters, found.explained, found.equal) == (size, 1, 1)
    assert texts["tools.Gone"] == PartTexts("Goes.\n\n{}", "")
    assert texts["tools.Read"].sent == f"Reads.\n\n{json.dumps(READ, indent=2)}"
    found, texts = tools_of([], [("New", "Does möre.", {})])
    assert parts(found) == [("tools.New", "not predicted", 0, 12)]
    assert found.tools == ToolNames((), ("New",))
    assert (found.characters, found.explained, found.equal) == (12, 0, 0)
    assert [(u.channel, u.index, u.offset, u.length, u.text) for u in found.unexplained] == [("tools", 0, 0, 12, "New")]
    assert texts["tools.New"] == PartTexts("", "Does möre.\n\n{}")


def test_other_words_of_a_tool_are_explained() -> None:
    said = {"type": "object", "properties": {"path": {"type": "string", "description": "The place."}}}
    size = len("Reads.") + len(json.dumps(READ, separators=(",", ":")))
    for tool, equal in (
        (("Read", "Shows.", READ), size - 6),
        (("Read", "Reads.", said), 6),
        (("Read", "Shows.", said), 0),
    ):
        found, _ = tools_of([("Read", "Reads.", READ)], [tool])
        assert [part.verdict for part in found.parts] == ["other words"]
        assert (found.explained, found.equal * found.characters) == (1, pytest.approx(equal))
        assert not found.differs


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        ({"path": {"type": "string"}}, None),  # descriptions are words
        ({"path": {"type": "string", "description": "Where."}, "all": {"type": "boolean"}}, '"all":{"type":"boolean"}'),
        ({"path": {"type": "number"}}, '"path":{"type":"number"}'),
        ({"path": {"type": "string", "description": {}}}, '"path":{"type":"string","description":{}}'),
        ({"path": {"type": "string", "enum": ["a", "b"]}}, '"path":{"type":"string","enum":["a","b"]}'),
        ({}, None),
    ],
)  # fmt: skip
def test_parameters_that_were_not_predicted_are_named(theirs: dict[str, Any], named: str | None) -> None:
    schema = {"type": "object", "properties": theirs}
    written = json.dumps(schema, separators=(",", ":"))
    found, _ = tools_of([("Read", "Reads.", READ)], [("Other", "", None), ("Read", "Reads.", schema)])
    size, (_, *rest) = len("Reads." + written), found.unexplained
    assert parts(found)[1] == (
        "tools.Read",
        "other words",
        len("Reads." + json.dumps(READ, separators=(",", ":"))),
        size,
    )
    assert found.characters == size
    if named is None:
        assert (rest, found.explained) == ([], 1)
    else:
        (unknown,) = rest
        assert ("Reads." + written)[unknown.offset :][: unknown.length] == named
        assert (unknown.index, unknown.text) == (1, f"Read: {named.split(chr(34))[1]}")
        assert found.explained == pytest.approx((size - len(named)) / size)


def test_a_parameter_is_looked_for_in_the_schema_only() -> None:
    extra = '"all":{"type":"boolean"}'
    schema = {"properties": {"all": {"type": "boolean"}}}
    found, _ = tools_of([("Read", "", {})], [("Read", f"Reads {extra}.", schema)])
    assert [each.offset for each in found.unexplained] == [len(f"Reads {extra}.") + len('{"properties":{')]


def test_a_tool_of_which_less_counts_than_was_not_predicted_is_not_explained() -> None:
    """What differs from run to run is in no number."""
    parameter = {"default": " ".join(["0123abcd-0000-4000-8000-0123456789ab"] * 9)}
    found, _ = tools_of([("Read", "", {})], [("Read", "", {"properties": {"all": parameter}})])
    assert (found.explained, found.equal) == (0, 0)
    assert 0 < found.characters < len(json.dumps(parameter))


@pytest.mark.parametrize("schema", [None, [], "x", {"properties": []}, {"properties": None}])
def test_a_schema_without_parameters_has_none_to_name(schema: Any) -> None:
    assert tools_of([("Read", "Reads.", READ)], [("Read", "Reads.", schema)])[0].unexplained == ()
    assert tools_of([("Read", "Reads.", schema)], [("Read", "Reads.", schema)])[0].equal == 1


@pytest.mark.parametrize(
    ("tools", "verdict", "differs"),
    [
        (ToolNames((), ()), "equal", False),
        (ToolNames((), ()), "other words", False),
        (ToolNames((), ()), "not sent", True),
        (ToolNames((), ()), "not predicted", True),
        (ToolNames(("Read",), ()), "equal", True),
        (ToolNames((), ("Read",)), "equal", True),
    ],
)
def test_whether_anything_but_words_differs(tools: ToolNames, verdict: Any, differs: bool) -> None:
    part = Part("a", "A", verdict, 1, 1)
    assert Verification("x", None, "1", 1, 1, 1, (part,), tools, (), ()).differs is differs
    rest = Unexplained("system", 0, 0, 1, "x")
    assert Verification("x", None, "1", 1, 1, 1, (part,), tools, (), (rest,)).differs


# --- a pasted prompt ----------------------------------------------------------------------------------------------

PASTED = Header("claude-code", "1.2.3", source="prompt")
A, B, C = "# A\nfirst\n\n", "# B\nsecond\n\n", "# C\nthird"
PROMPT = (
    section("intro", ours("Intro.\n\n")),
    section("a", ours(A), heading="# A"),
    section("x", heading="# X", present=False),
    section("b", of_file(B), heading="# B\n"),
    section("c", of_file(C), heading="# C"),
)


def pasted(text: str) -> tuple[Verification, Any]:
    return of(*PROMPT, system=(text,), header=PASTED)


@pytest.mark.parametrize(
    ("text", "differing", "note"),
    [
        (f"Intro.\n\n{A}{B}{C}", {}, None),
        (f"Intro.\n\n{A}{C}", {"b": "not sent"}, None),
        (f"Intro.\n\n{A}{B}", {"c": "not sent"}, "ends in B: is it cut off? 1 predicted section behind it would"),
        (f"Intro.\n\n{A}", {"b": "not sent", "c": "not sent"}, "ends in A: is it cut off? 2 predicted sections behind"),
        ("Intro.\n\n", {"a": "not sent", "b": "not sent", "c": "not sent"}, None),
        (f"{A}{B}{C}", {"intro": "not sent"}, None),
        (f"Intro.\n\n# A\nother\n\n{B}{C}", {"a": "other words"}, None),
        (f"Intro.\n\n{A}# X\nnew\n\n{B}{C}", {"x": "not predicted"}, None),
    ],
)
def test_a_pasted_prompt_is_held_section_against_section(
    text: str, differing: dict[str, str], note: str | None
) -> None:
    found, texts = pasted(text)
    assert verdicts(found) == differing
    assert found.characters == len(text)
    assert (note is None and not found.notes) or note in found.notes[0]
    assert found.tools == ToolNames((), ())
    assert "".join(f"{texts[name].sent}\n" for name in differing if texts[name].sent) in f"{text}\n"


def test_a_section_that_was_pasted_and_is_not_predicted_is_named_with_its_place() -> None:
    text = f"Intro.\n\n{A}# X\nnews\n\n\n{B}{C}"
    found, texts = pasted(text)
    assert ("x", "not predicted", 0, 11) in parts(found), "with the blank lines behind it"
    (rest,) = found.unexplained
    assert (rest.channel, rest.index, rest.text, text[rest.offset :][: rest.length]) == (
        "system",
        0,
        "# X",
        "# X\nnews",
    )
    assert (found.explained, found.equal) == pytest.approx((1 - 11 / len(text), 1 - 11 / len(text)))
    assert texts["x"] == PartTexts("", "# X\nnews\n\n")
    assert [file.found for file in found.files] == [True]


def test_files_of_messages_are_not_looked_for_in_a_pasted_prompt() -> None:
    said = section("said", of_file("Use tabs.", "/said.md"), channel="messages")
    found, _ = of(*PROMPT, said, system=(f"Intro.\n\n{A}{B}{C}",), header=PASTED)
    assert [file.path for file in found.files] == ["/shop/CLAUDE.md"]
    assert "said" not in [part.id for part in found.parts]


def test_a_text_without_a_version_is_compared_with_the_newest() -> None:
    found, _ = of(*PROMPT, system=("Intro.",), header=Header("claude-code", source="prompt"))
    assert found.notes == ("the text tells no version: compared with 1.2.3",)


@pytest.mark.parametrize(
    ("fragments", "sent"),
    [
        ((ours("Head\n"), of_file("Use tabs.")), "Head\nUse spaces."),
        ((ours("Head\n\n"), of_file("Use tabs.")), "Head\n\nUse spaces."),
        ((of_file("Use tabs."), ours("\nTail")), "Use spaces.\nTail"),
        ((of_file("Use tabs.\n"), ours("Tail")), "Use spaces.\nTail"),
        ((ours("Head\n"), of_file("Use tabs.\n"), ours("Tail")), "Head\nUse spaces.\nTail"),
        ((of_file("Be kind.\n\n"), ours("Tail")), "Be kind.\nUse spaces.\nTail"),  # in the place of a blank line
    ],
)
def test_prose_that_ends_or_begins_beside_a_line_explains_nothing_of_it(
    fragments: tuple[Fragment, ...], sent: str
) -> None:
    found, _ = of(section("a", *fragments), system=(sent,))
    assert [each.text for each in found.unexplained] == ["Use spaces."]


def test_a_line_that_is_prose_in_part_may_have_other_words() -> None:
    for fragments in ((ours("Use "), of_file("tabs.")), (of_file("Use "), ours("tabs."))):
        found, _ = of(section("a", *fragments), system=("Indent with spaces.",))
        assert (parts(found), found.unexplained) == ([("a", "other words", 9, 19)], ())


def test_headings_are_those_of_the_system_prompt() -> None:
    sections = (
        section("a", heading="\n# A\n"),
        section("none"),
        section("blank", heading=" \n"),
        section("said", heading="# S", channel="messages"),
        section("absent", heading="# /home/u/x", present=False),
    )
    assert headings_of(assembly_of(*sections), Unpredictable(("/home/u",))) == [
        Heading("a", "# A"),
        Heading("absent", f"# {MARK}/x", present=False),
    ]


# --- sections of a pasted prompt that are elsewhere -------------------------------------------------------------


def moved(*sections: Section, text: str) -> dict[str, str]:
    """The sections that are elsewhere, each with the title of the one before it."""
    found, _ = of(*sections, system=(text,), header=PASTED)
    return {part.id: part.moved for part in found.parts if part.moved is not None}


def moving(body: str, *more: Fragment) -> tuple[Section, ...]:
    return (
        section("a", ours("# A\nfirst\n"), heading="# A"),
        section("b", of_file(f"# B\n{body}"), *more, heading="# B"),
        section("c", of_file("# C\nthird\n"), heading="# C"),
        section("d", of_file("# D\nfourth"), heading="# D"),
    )


@pytest.mark.parametrize(("size", "is_known"), [(23, False), (24, True), (25, True)])
def test_a_section_without_a_heading_is_known_by_a_first_line_of_24_characters(size: int, is_known: bool) -> None:
    first = "x" * size
    sections = (section("a", of_file("# A\nfirst\n"), heading="# A"), section("b", of_file(f"{first}\nmore")))
    assert moved(*sections, text=f"{first}\nmore\n# A\nfirst") == ({"a": "B"} if is_known else {})
    twice = section("c", of_file(f"\n{first}"))
    assert moved(*sections, twice, text=f"{first}\nmore\n# A\nfirst") == {}, "it stands somewhere else, too"


@pytest.mark.parametrize(("more", "is_moved"), [(106, True), (107, True), (108, False)])
def test_what_stands_elsewhere_is_at_most_four_times_as_long_and_a_little_more(more: int, is_moved: bool) -> None:
    """Nine characters are expected: four times nine and eighty are not too many."""
    text = f"# A\nfirst\n# C\nthird\n# D\nfourth\n# B\nkeep\n{'y' * more}"
    assert moved(*moving("keep\n"), text=text) == ({"b": "D"} if is_moved else {})


@pytest.mark.parametrize(("more", "is_moved"), [(345, True), (346, True), (347, False)])
def test_what_stands_elsewhere_is_at_least_a_quarter_as_long_less_a_little(more: int, is_moved: bool) -> None:
    """Nine characters are there: with eighty more they are a quarter of 356."""
    text = "# C\nthird\n# B\nkeep\n# A\nfirst\n# D\nfourth"
    sections = moving("keep\n", ours("x" * more + "\n"))
    assert ("b" in moved(*sections, text=text)) is is_moved


@pytest.mark.parametrize(
    ("of", "there", "is_moved"), [(4, 4, True), (4, 2, True), (4, 1, False), (3, 2, True), (3, 1, False)]
)
def test_of_what_stands_elsewhere_half_is_known(of: int, there: int, is_moved: bool) -> None:
    known = ["one\n", "two\n", "three\n", "four\n"][:of]
    text = f"# A\nfirst\n# C\nthird\n# D\nfourth\n# B\n{''.join(known[:there])}end"
    assert moved(*moving("".join(known)), text=text) == ({"b": "D"} if is_moved else {})


def test_blank_lines_of_a_pasted_prompt_are_no_block() -> None:
    found, _ = of(section("a", of_file("# A\nfirst\n"), heading="# A"), system=("\n\n# A\nfirst\n",), header=PASTED)
    assert [(part.id, part.verdict) for part in found.parts] == [("a", "equal")]
    assert found.unexplained == ()
