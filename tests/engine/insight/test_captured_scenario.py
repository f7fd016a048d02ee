"""What of a captured request, or of a pasted prompt, becomes the scenario that is compared with it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from promptscope_engine import Assembly, Scenario, ScenarioError, assemble
from promptscope_engine.agents.registry import OBSERVED
from promptscope_engine.assembly.knowledge import Knowledge
from promptscope_engine.captures.model import (
    Block,
    Capture,
    CaptureError,
    Content,
    Header,
    Message,
    Protocol,
    Recorded,
    SentTool,
)
from promptscope_engine.captures.other_tools import MAX_BYTES, pasted
from promptscope_engine.inputs.scenario import Environment, McpServer
from promptscope_engine.insight.calibration import calibrate
from promptscope_engine.insight.captured_scenario import alternatives, read_prompt, scenario_of, typed
from promptscope_engine.insight.fitting import verify
from promptscope_engine.insight.predicted_lines import headings_of
from promptscope_engine.insight.sent_blocks import Unpredictable
from promptscope_engine.insight.verification import Verification
from promptscope_engine.learned import Learned, LearnedVersion
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.workspace import Workspace

REQUEST = Recorded(1, "POST", "/v1/messages", "anthropic")
SERVER_TOOL = SentTool("mcp__shop__buy", "Buys.", {"type": "object"}, "custom")


def message(role: str, *texts: str, kind: str = "text") -> Message:
    return Message(role, tuple(Block(text, kind) for text in texts))


def content(*messages: Message, protocol: Protocol = "anthropic", **more: Any) -> Content:
    return Content(protocol, messages=messages or (message("user", "hi"),), **more)


def of(header: Header, base: Scenario | None = None, sent: Content | None = None) -> Scenario:
    return scenario_of(Capture(header, (REQUEST,)), REQUEST, sent or content(), base or Scenario())


def test_the_agent_is_the_one_that_was_recorded_unless_another_is_asked_for() -> None:
    assert of(Header("codex")).agent == "codex"
    assert of(Header(f"{OBSERVED}codex")).agent == "codex"
    assert of(Header("codex"), Scenario(agent="claude-code")).agent == "claude-code"
    with pytest.raises(ScenarioError, match="aider is not modelled, so there is no prediction"):
        of(Header("aider"))


def test_what_the_header_tells_counts_where_the_base_says_nothing() -> None:
    header = Header("claude-code", "2.1.100", home="/home/ada", started="2026-05-05T10:00:00Z", prompt="Do it.")
    told = of(header, sent=content(model="claude-opus-4-1"))
    assert (told.agent_version, told.model, told.home) == ("2.1.100", "claude-opus-4-1", "/home/ada")
    assert told.environment.date == "2026-05-05T10:00:00Z"
    base = Scenario(
        agent_version="2.1.329", model="m", home="/h", environment=Environment(date="2026-01-01", username="bob")
    )
    asked = of(header, base, content(model="claude-opus-4-1"))
    assert (asked.agent_version, asked.model, asked.home) == ("2.1.329", "m", "/h")
    assert asked.environment == base.environment
    silent = of(Header("claude-code"))
    assert (silent.agent_version, silent.model, silent.home, silent.environment.date) == (None, None, None, None)
    other = of(header, Scenario(environment=Environment(username="bob")))
    assert (other.environment.username, other.environment.date) == ("bob", "2026-05-05T10:00:00Z")
    undated = of(Header("claude-code"), Scenario(environment=Environment(date="2026-01-01")))
    assert undated.environment.date == "2026-01-01"


def test_the_prompt_is_what_was_typed() -> None:
    assert of(Header("claude-code", prompt="Do it.")).params["prompt"] == "Do it."
    assert of(Header("claude-code")).params["prompt"] == "hi"
    assert of(Header("claude-code", prompt="Do it."), Scenario(params={"prompt": "mine"})).params["prompt"] == "mine"


@pytest.mark.parametrize(
    ("agent", "is_told"),
    [("claude-code", True), ("codex", True), ("gemini", True), ("roo", False), ("openclaw", False)],
)
def test_what_was_typed_is_told_where_it_is_an_input(agent: str, is_told: bool) -> None:
    assert ("prompt" in of(Header(agent, prompt="Do it.")).params) is is_told


@pytest.mark.parametrize(
    ("source", "login", "is_set"),
    [("capture", "dummy", True), ("capture", "kept", True), ("capture", None, False), ("har", "dummy", False)],
)
def test_variables_that_the_recording_set_are_inputs_of_the_run(source: Any, login: Any, is_set: bool) -> None:
    """Those that the agent looks at to find the recording server are not, nor are those of other agents' recordings."""
    found = of(Header("gemini", source=source, login=login), Scenario(env={"A": "b", "OPENAI_BASE_URL": "http://x"}))
    set_by_it = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    assert found.env is not None
    assert found.env.items() >= {"A": "b", **(set_by_it if is_set else {})}.items()
    assert ("GEMINI_CLI_TRUST_WORKSPACE" in found.env) is is_set
    assert not found.env.keys() & {"OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"}
    assert found.capture is None


def test_settings_may_name_the_variables_that_led_to_the_recording_server() -> None:
    env = of(Header("openclaw", source="capture", login="dummy")).env or {}
    assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1")
    assert env["ANTHROPIC_API_KEY"]


def test_servers_are_told_by_the_tools_that_were_sent_unless_the_base_names_some() -> None:
    sent = content(tools=(SERVER_TOOL,))
    told = of(Header("claude-code"), sent=sent).mcp_servers
    assert told is not None
    assert [server.name for server in told] == ["shop"]
    assert of(Header("claude-code")).mcp_servers is None
    assert of(Header("claude-code"), Scenario(mcp_servers=[]), sent).mcp_servers == []
    named = [McpServer(name="other")]
    assert of(Header("claude-code"), Scenario(mcp_servers=named), sent).mcp_servers == named


def test_alternatives_leave_what_the_base_or_the_recording_says() -> None:
    header, telemetry = Header("claude-code"), {"env.DISABLE_TELEMETRY": "1"}
    every = [*alternatives("claude-code", header, content(), Scenario(env={}))]
    assert telemetry in every
    base = Scenario(env={"DISABLE_TELEMETRY": "0"})
    assert [*alternatives("claude-code", header, content(), base)] == [each for each in every if each != telemetry]
    params = Scenario(params={"env": {"DISABLE_TELEMETRY": "x"}})
    assert [*alternatives("claude-code", header, content(), params)] == every, "a param of that name is no variable"
    assert not [*alternatives("claude-code", Header("claude-code", variables={}), content(), Scenario(env={}))]


PASTED = """You are Roo.

====

SYSTEM INFORMATION

Operating System: Linux 6.1
Default Shell: /bin/zsh
Home Directory: /home/ada
Current Workspace Directory: /home/ada/shop
"""


def copied(base: Scenario, text: str = PASTED) -> Scenario:
    sent = Content("chat", system=(Block(text),))
    return scenario_of(Capture(Header("roo", source="prompt"), (REQUEST,)), REQUEST, sent, base)


def test_of_a_pasted_prompt_its_own_words_count_where_the_base_says_nothing() -> None:
    told = copied(Scenario())
    assert (told.agent, told.home, told.params["terminalShell"]) == ("roo", "/home/ada", "/bin/zsh")
    assert told.environment.os_name == "Linux 6.1"
    facts = Environment(os_name="BSD", date="2026-01-01")
    base = Scenario(home="/h", params={"terminalShell": "sh"}, environment=facts)
    said = copied(base)
    assert (said.home, said.params["terminalShell"], said.environment) == ("/h", "sh", facts)
    other = copied(Scenario(environment=Environment(date="2026-01-01"), params={"mode": {"terminalShell": "sh"}}))
    assert (other.environment.os_name, other.environment.date) == ("Linux 6.1", "2026-01-01")
    assert other.params["terminalShell"] == "/bin/zsh"


def test_servers_that_a_pasted_prompt_names_are_those_of_its_scenario() -> None:
    text = f"{PASTED}\n\n====\n\nMCP SERVERS\n\n# Connected MCP Servers\n\n## shop (`npx shop`)\n"
    told = copied(Scenario(), text).mcp_servers
    assert told is not None
    assert [server.name for server in told] == ["shop"]
    assert copied(Scenario(mcp_servers=[]), text).mcp_servers == []
    assert copied(Scenario()).mcp_servers is None
    named = [McpServer(name="other")]
    assert copied(Scenario(mcp_servers=named)).mcp_servers == named


@pytest.mark.parametrize(
    ("protocol", "messages", "expected"),
    [
        ("anthropic", (), None),
        ("anthropic", (message("user"),), None),
        ("anthropic", (message("user", "reminder", "hi"),), "hi"),
        ("anthropic", (message("user", "hi"), message("assistant", "yes"), message("user", "more")), "hi"),
        ("anthropic", (message("user", "hi"), message("user", "x", kind="image")), "hi"),
        ("anthropic", (Message("user", (Block("hi"), Block("{}", "tool_result"))),), "hi"),
        ("chat", (message("user", "one"), message("user", "two")), "one"),
        ("responses", (message("user", "context"), message("user", "hi")), "hi"),
        ("gemini", (message("user", "context"), message("assistant", "ok"), message("user", "hi")), "hi"),
        ("responses", (message("user", "hi"),), "hi"),
        ("responses", (message("assistant", "ok"), message("user", "hi")), "ok"),
        ("responses", (message("user", "hi"), Message("user", (Block("x", "tool_result"),))), None),
        ("responses", (message("user", "hi"), Message("user", (Block("a"), Block("x", "tool_result")))), "a"),
    ],
)
def test_what_was_typed_is_the_last_text_of_the_first_message_or_of_the_last(
    protocol: Protocol, messages: tuple[Message, ...], expected: str | None
) -> None:
    """Codex and Gemini send a message for each part, and what was typed last."""
    assert typed(Content(protocol, messages=messages)) == expected


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    known = Knowledge(Learned((LearnedVersion("roo", "3.28.16", lesson.wordings),)))
    base = here(session, learned=True)
    assert verify(capture, capture.requests[0], base, COUNTER, Workspace(), knowledge=known).equal == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_stands_last_and_was_moved_there_may_be_cut_off(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    rules, rest = section_of(text, "RULES", "SYSTEM INFORMATION")
    capture, result = compared(f"{rest}\n{rules[:3_000]}", here(session))
    assert next(part.moved for part in result.parts if part.id == "rules") is not None
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    flaws = {part.id: part.flaw for part in lesson.parts if part.flaw}
    assert flaws == {"rules": "the text may be cut off in it"}


@pytest.mark.slow
def test_a_section_without_a_heading_is_known_by_its_first_line_once_it_was_learned(session: Scenario) -> None:
    assembly = assemble(session, Workspace(), COUNTER)
    text = preview(assembly)
    capture, _ = compared(text, here(session))
    wordings = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace()).wordings
    known, base = Knowledge(Learned((LearnedVersion("roo", "3.28.16", wordings),))), here(session, learned=True)
    end, at = (text.index(f"====\n\n{name}\n") for name in ("MARKDOWN RULES", "MODES"))
    moved = read_prompt(f"{text[end:at]}{text[:end]}{text[at:]}".encode(), here(session), COUNTER, Workspace())
    found = verify(moved, moved.requests[0], base, COUNTER, Workspace(), knowledge=known)
    assert [(part.id, part.verdict, part.moved) for part in found.parts if part.moved is not None] == [
        ("role", "equal", "CAPABILITIES")
    ]


@pytest.mark.slow
def test_what_the_text_tells_decides_over_mode_tools_servers_and_machine(tmp_path: Path) -> None:
    session = recorded("roo/mcp.code", tmp_path)
    text = preview(assemble(session, Workspace(), COUNTER))
    _, result = compared(text, here(session))
    assert set(verdicts(result).values()) <= {"equal", "other words"}
    assert verdicts(result)["mcp_servers"] == "other words"
    assert result.explained == 1
    _, wrong = compared(text, here(session, mode="ask"))
    assert verdicts(wrong)["tools.write_to_file"] == "not predicted"


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_is_learned_of_a_copied_prompt_is_predicted_word_for_word(session: Scenario) -> None:
    text = preview(assemble(session, Workspace(), COUNTER))
    capture, _ = compared(text, here(session))
    lesson = calibrate(capture, capture.requests[0], here(session), COUNTER, Workspace())
    assert [part for part in lesson.parts if part.flaw] == []
    assert len(lesson.parts) > 20
    place, known = Workspace(), Knowledge(Learned((LearnedVersion("roo", "3.28.16", lesson.wordings),)))
    base = here(session, learned=True)
    assert verify(capture, capture.requests[0], base, COUNTER, place, knowledge=known).equal == 1
    changed = read_prompt(text.replace("evitaler", "absolute").encode(), base, COUNTER, place, known)
    again = verify(changed, changed.requests[0], base, COUNTER, place, knowledge=known)
    assert 0.9 < again.equal < 1  # a single word is noticed
    assert verdicts(again)["tools.read_file"] == "other words"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_carriage_return_of_a_file_stays(session: Scenario) -> None:
    body: Any = pasted(b"one\r\ntwo\nthree", session.agent or "").requests[0].body
    assert body["messages"][0]["content"] == "one\r\ntwo\nthree"


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
