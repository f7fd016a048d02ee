"""The builder: which parts stand when, and how the lines are joined (docs/agents/openclaw.md#prompt)."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest

from promptscope_engine import ScenarioError
from promptscope_engine.agents.openclaw.materials import Prompt, parameter
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.model import Assembly, Lever, Section

from .conftest import Claw

pytestmark = pytest.mark.slow

EVERYTHING: dict[str, Any] = {
    "toolNames": ["read", "message", "gateway", "memory_get"], "ownerNumbers": ["+1"], "reasoningTagHint": True,
    "modelAliasLines": ["- a: b/c"], "userTimezone": "UTC", "contextFiles": [{"path": "soul.md", "content": "s"}],
    "skillsPrompt": "skills", "heartbeatPrompt": "beat", "docsPath": "/d", "workspaceNotes": ["n"], "ttsHint": "t",
    "extraSystemPrompt": "x", "reactionGuidance": {"level": "extensive", "channel": "Signal"},
    "sandboxInfo": {"enabled": True}, "workspaceDir": "/w",
}  # fmt: skip
ORDER = [
    "## Tooling", "## Tool Call Style", "## Safety", "## OpenClaw CLI Quick Reference", "## Skills (mandatory)",
    "## Memory Recall", "## OpenClaw Self-Update", "## Model Aliases", "## Workspace", "## Documentation", "## Sandbox",
    "## Authorized Senders", "## Current Date & Time", "## Workspace Files (injected)", "## Reply Tags", "## Messaging",
    "### message tool", "## Voice (TTS)", "## Group Chat Context", "## Reactions", "## Reasoning Format",
    "# Project Context", "## soul.md", "## Silent Replies", "## Heartbeats", "## Runtime",
]  # fmt: skip
ONLY_FULL = {
    "## Memory Recall", "## OpenClaw Self-Update", "## Model Aliases", "## Documentation", "## Authorized Senders",
    "## Reply Tags", "## Messaging", "### message tool", "## Voice (TTS)", "## Silent Replies", "## Heartbeats",
}  # fmt: skip


def headings(assembly: Assembly) -> list[str | None]:
    return [s.heading for s in assembly.sections if s.present and s.heading]


def section(assembly: Assembly, section_id: str) -> Section:
    found = assembly.section(section_id)
    assert found is not None
    return found


def test_all_parts_in_order(claw: Claw) -> None:
    assert headings(claw(passed=EVERYTHING)) == ORDER


def test_minimal_drops_ten_parts_and_renames_the_extra_context(claw: Claw) -> None:
    wanted = ["## Subagent Context" if h == "## Group Chat Context" else h for h in ORDER if h not in ONLY_FULL]
    assert headings(claw(passed=EVERYTHING, mode="minimal")) == wanted


def test_none_is_one_line(claw: Claw) -> None:
    assembly = claw(passed=EVERYTHING, mode="none")
    assert "\n" not in assembly.system_text
    assert [s.id for s in assembly.sections if s.present] == ["identity"]


def test_with_nothing_given_no_blank_line_stands(claw: Claw, bare: dict[str, Any]) -> None:
    assembly = claw(passed=bare)
    assert "\n\n" not in assembly.system_text
    absent = [s for s in assembly.sections if not s.present]
    assert all(s.why.text.startswith("absent: ") for s in absent)
    assert {"skills", "voice", "sandbox", "project_context"} <= {s.id for s in absent}


def test_an_unknown_mode_is_an_error_that_names_the_nearest(claw: Claw) -> None:
    with pytest.raises(ScenarioError, match="minimal"):
        claw(mode="minimum")


@pytest.mark.parametrize(
    ("mode", "passed", "wanted"),
    [("none", "full", "none"), (None, "minimal", "minimal"), (None, None, "full")],
)
def test_the_scenarios_mode_goes_first(claw: Claw, mode: str | None, passed: str | None, wanted: str) -> None:
    assert claw(mode=mode, passed={"promptMode": passed}, sessionKey="subagent:x").mode == wanted


def test_paths_lose_control_and_format_characters(claw: Claw, bare: dict[str, Any]) -> None:
    assembly = claw(passed=bare | {"workspaceDir": "/a\n## x\u200b/b\u2028\x07"})
    assert "/a## x/b\n" in assembly.system_text


def test_the_container_stands_for_the_workspace(claw: Claw, bare: dict[str, Any]) -> None:
    info = {
        "enabled": True,
        "containerWorkspaceDir": " /box ",
        "workspaceAccess": "ro",
        "agentWorkspaceMount": "/agent",
    }
    text = claw(passed=bare | {"sandboxInfo": info}).system_text
    assert "You are working in: /box\n" in text
    assert "/w" in text.partition("You are working in: /box\n")[2].partition("\n")[0]
    assert "Agent workspace access: ro (mounted at /agent)\n" in text
    assert "Host browser control" not in text
    blank = claw(passed=bare | {"sandboxInfo": {**info, "containerWorkspaceDir": " \n"}}).system_text
    assert "You are working in: /w\n" in blank


def test_sandbox_lines_follow_their_values(claw: Claw, bare: dict[str, Any]) -> None:
    info = {"enabled": True, "browserBridgeUrl": "http://secret", "browserNoVncUrl": "http://vnc",
            "hostBrowserAllowed": False, "elevated": {"allowed": True, "defaultLevel": "ask"}}  # fmt: skip
    text = section(claw(passed=bare | {"sandboxInfo": info}), "sandbox").text
    assert "Sandbox browser: enabled." in text
    assert "http://secret" not in text
    assert "Host browser control: blocked." in text
    assert "Current elevated level: ask" in text
    off = section(claw(passed=bare | {"sandboxInfo": {"enabled": False}}), "sandbox")
    assert not off.present


@pytest.mark.parametrize("secret", [None, " pepper "])
def test_owners_can_be_hashed(claw: Claw, bare: dict[str, Any], secret: str | None) -> None:
    passed = bare | {"ownerNumbers": [" +431 ", "", "tg:5"], "ownerDisplay": "hash", "ownerDisplaySecret": secret}
    text = claw(passed=passed).system_text

    def short(owner: bytes) -> str:
        made = hmac.new(b"pepper", owner, "sha256") if secret else hashlib.sha256(owner)
        return made.hexdigest()[:12]

    assert f"{short(b'+431')}, {short(b'tg:5')}" in text
    assert "+431" not in text


def test_raw_owners_are_joined(claw: Claw, bare: dict[str, Any]) -> None:
    assert (
        "+431, tg:5" in claw(passed=bare | {"ownerNumbers": [" +431 ", "", "tg:5"], "ownerDisplay": "raw"}).system_text
    )


def test_a_built_in_summary_wins_and_others_are_kept_whole(claw: Claw, bare: dict[str, Any]) -> None:
    passed = bare | {
        "toolNames": ["zeta", " Exec ", "EXEC", "Äther", "😀x", "ﬀ"],
        "toolSummaries": {"exec": "mine", " ZETA ": " two\nlines "},
    }
    text = section(claw(passed=passed), "tooling").text
    bullets = [line.partition(":")[0] for line in text.split("\n") if line.startswith("- ")]
    assert bullets == ["- Exec", "- zeta", "- Äther", "- 😀x", "- ﬀ"]  # by UTF-16 units, not by code points
    assert "mine" not in text
    assert "- zeta: two\nlines\n" in text


def test_without_tools_a_fixed_list_stands(claw: Claw, bare: dict[str, Any]) -> None:
    found = section(claw(passed=bare), "tooling")
    assert sum(line.startswith("- ") for line in found.text.split("\n")) == 15
    known = section(claw(passed=bare | {"toolNames": ["read"]}), "tooling")
    assert "tooling.fallback" in {a.origin.id for a in known.absent}


@pytest.mark.parametrize(
    ("info", "inside", "outside"),
    [
        ({"channel": " Telegram ", "capabilities": ["INLINEBUTTONS"]}, "callback_data", "capabilities.inlineButtons"),
        ({"channel": "discord"}, "discord.capabilities.inlineButtons", "callback_data"),
        (None, "### message tool", "inlineButtons"),
    ],
)
def test_inline_buttons(claw: Claw, bare: dict[str, Any], info: Any, inside: str, outside: str) -> None:
    hints = ["one", "", "two\nlines"]
    text = section(
        claw(passed=bare | {"toolNames": ["message"], "runtimeInfo": info, "messageToolHints": hints}),
        "messaging.message_tool",
    ).text
    assert inside in text
    assert outside not in text
    assert text.endswith("\none\ntwo\nlines")


@pytest.mark.parametrize(
    ("info", "line"),
    [
        ({}, "thinking=off"),
        ({"arch": "x64"}, "arch=x64 | thinking=off"),
        ({"os": "L", "arch": "x64", "host": ""}, "os=L (x64) | thinking=off"),
        ({"channel": " WhatsApp ", "capabilities": [" A ", ""]}, "channel=whatsapp | capabilities=A | thinking=off"),
        ({"channel": "x"}, "channel=x | capabilities=none | thinking=off"),
        ({"capabilities": ["a"]}, "thinking=off"),
    ],
)
def test_the_runtime_line(claw: Claw, bare: dict[str, Any], info: Any, line: str) -> None:
    text = section(claw(passed=bare | {"runtimeInfo": info}), "runtime").text
    assert text.split("\n")[2] == f"Runtime: {line}"


def test_reactions_and_citations_have_variants(claw: Claw, bare: dict[str, Any]) -> None:
    passed = bare | {"toolNames": ["memory_get"], "reactionGuidance": {"level": "minimal", "channel": "Telegram"}}
    on = claw(passed=passed)
    off = claw(passed=passed | {"memoryCitationsMode": "off"})
    assert "On Telegram you can react to messages, in MINIMAL mode" in section(on, "reactions").text
    ids = [{f.origin.id for f in section(a, "memory_recall").fragments} for a in (on, off)]
    assert "memory_recall.citations_on" in ids[0]
    assert "memory_recall.citations_off" in ids[1]


def test_a_blank_heartbeat_is_a_placeholder(claw: Claw, bare: dict[str, Any]) -> None:
    assert "Heartbeat prompt: (configured)\n" in claw(passed=bare | {"heartbeatPrompt": "  "}).system_text
    assert "Heartbeat prompt: look\n" in claw(passed=bare | {"heartbeatPrompt": " look "}).system_text


def test_notes_and_extra_context_keep_their_inner_lines(claw: Claw, bare: dict[str, Any]) -> None:
    passed = bare | {"workspaceNotes": [" a\n\nb ", "", "c"], "extraSystemPrompt": "\n# x\n\ny \n"}
    assembly = claw(passed=passed)
    assert section(assembly, "workspace").text.endswith("\na\n\nb\nc")
    assert section(assembly, "extra_context").text == "\n## Group Chat Context\n# x\n\ny"


def test_levers_bring_a_part_in(claw: Claw, bare: dict[str, Any]) -> None:
    assembly = claw(passed=bare | {"toolNames": ["read"]})
    gateway = section(assembly, "self_update").why
    assert [(lever.param, lever.value) for lever in gateway.levers] == [("promptParams.toolNames", ["read", "gateway"])]
    assert [lever.param for lever in section(assembly, "reasoning_format").why.levers] == ["model"]


@pytest.mark.parametrize(
    ("display", "secret", "said"), [("hash", None, True), ("hash", "pepper", False), ("raw", None, False)]
)
def test_hashing_without_a_secret_is_said(
    claw: Claw, bare: dict[str, Any], display: str, secret: str | None, said: bool
) -> None:
    passed = bare | {"ownerNumbers": ["+1"], "ownerDisplay": display, "ownerDisplaySecret": secret}
    assert ("owners" in [d.code for d in claw(passed=passed).diagnostics]) is said


@pytest.mark.parametrize(
    ("gathered", "passed", "told", "levers", "remedy"),
    [
        ({}, {}, "is not passed", None, "`--set promptParams.ttsHint=TEXT`"),
        ({}, {"ttsHint": None}, "is null", None, "`--set promptParams.ttsHint=TEXT`"),
        ({}, {"ttsHint": " "}, "is empty", None, "`--set promptParams.ttsHint=TEXT`"),
        (
            {"ttsHint": parameter("a", "key")},
            {"ttsHint": None},
            "is null",
            None,
            "leave `promptParams.ttsHint` out of the scenario",
        ),
        (
            {},
            {"ttsHint": "a"},
            "is passed",
            (Lever("promptParams.ttsHint", None),),
            "`--set promptParams.ttsHint=TEXT`",
        ),
    ],
)
def test_why_a_parameter_is_there_or_not(
    gathered: dict[str, Any], passed: dict[str, Any], told: str, levers: tuple[Lever, ...] | None, remedy: str
) -> None:
    why = Prompt(gathered, passed).parameter("ttsHint").because
    verdict = why.evaluate(Facts())
    assert (verdict.text, verdict.remedy) == (f"`promptParams.ttsHint` {told}", remedy)
    assert why.levers(Facts(), not verdict.ok) == levers


@pytest.mark.parametrize(
    ("name", "example"),
    [("reasoningTagHint", True), ("ownerDisplay", "raw"), ("defaultThinkLevel", "off"), ("ttsHint", None)],
)
def test_a_lever_passes_a_parameter_that_takes_a_few_values(name: str, example: Any) -> None:
    levers = Prompt({}, {}).parameter(name).because.levers(Facts(), True)
    assert levers == (None if example is None else (Lever(f"promptParams.{name}", example),))


@pytest.mark.parametrize(("names", "there"), [([], False), ([" "], False), (["a"], True), ([5], False)])
def test_a_list_of_blanks_is_not_there(names: list[Any], there: bool) -> None:
    assert Prompt({}, {"toolNames": names}).parameter("toolNames").because.holds(Facts()) is there


def test_the_scenarios_own_files_are_numbered_and_may_be_empty(claw: Claw, bare: dict[str, Any]) -> None:
    given = [{"path": "a.md", "content": "text"}, {"path": " "}, {"path": "b.md"}, {"path": "c.md", "content": ""}]
    assembly = claw(passed=bare | {"contextFiles": given})
    found = [(s.id, s.text) for s in assembly.children("project_context")]
    assert found == [
        ("project_context.given.1", "\n## a.md\ntext"),
        ("project_context.given.2", "\n## b.md"),
        ("project_context.given.3", "\n## c.md"),
    ]
