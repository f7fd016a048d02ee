"""How the model is to behave: who it is, style, safety, commands, tags, silence, heartbeats (specs/openclaw.md 1)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.gates import ANY_MODE, FULL
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, label

from .part import part

SILENT = "NO_REPLY"
HEARTBEAT = (
    "See if there is a HEARTBEAT.md (in the context of your workspace) and do as it says, to the letter. Take up "
    "nothing again from talks of the past. If all is well, answer HEARTBEAT_OK."
)


def identity() -> SectionDraft:
    """Who the model is, without a heading (part 1): all there is in mode `none`."""
    text = "You serve one person as an assistant within OpenClaw."
    return SectionDraft("identity", "Identity", (builtin("identity", text),), stability="static", reference="identity")


def tool_call_style() -> SectionDraft:
    """When to speak of a tool call (part 3)."""
    text = (
        "\nAs a rule make plain, low-risk calls without a word about them (simply call the tool)."
        "\nSpeak up where it is of use: work in many steps, hard problems, steps that are delicate (such as deleting), or when asked to."
        "\nSay little and say something: no step that anyone can see needs explaining."
        "\nWrite the way people talk, unless the matter is technical."
    )
    return part("tool_call_style", "## Tool Call Style", [builtin("tool_call_style", text)], stability="static")


def safety() -> SectionDraft:
    """No aims of one's own, people in charge (part 4)."""
    text = (
        "\nYou have no aims of your own: seek neither to survive, to copy yourself, to gain resources or power, nor to plan further than what the user asked for."
        "\nSafety and human control go before finishing; where instructions clash, stop and ask. Obey requests to stop, pause or account for yourself, and leave safeguards alone. (After Anthropic's constitution.)"
        "\nTalk nobody into more access or fewer safeguards. Neither copy yourself nor touch system prompts, safety rules or tool policies without a plain request."
    )
    return part("safety", "## Safety", [builtin("safety", text)], stability="static")


def cli_reference() -> SectionDraft:
    """The commands of the gateway (part 5)."""
    text = (
        "\nOpenClaw is run by subcommands; make none up."
        "\nThe Gateway's background service (start/stop/restart):"
        "\n- openclaw gateway status\n- openclaw gateway start\n- openclaw gateway stop\n- openclaw gateway restart"
        "\nIn doubt, have the user call `openclaw help` (or else `openclaw gateway --help`) and send you what it prints."
    )
    return part(
        "cli_reference", "## OpenClaw CLI Quick Reference", [builtin("cli_reference", text)], stability="static"
    )


def reasoning_format(materials: Materials) -> SectionDraft:
    """The tags around thoughts and answer (part 22); kept in minimal mode."""
    text = (
        "\nEVERYTHING you think through MUST stand inside <think>...</think>."
        " Do no analysis outside of <think>."
        " Each reply has the shape <think>...</think> and then <final>...</final>, with nothing around them."
        " What the user is to see belongs inside <final>, and nothing else does."
        " Only the text within <final> is shown."
        " All the rest is thrown away: the user never gets it."
        " For example:"
        " <think>Thoughts, in short.</think> <final>Good morning! What shall we begin with?</final>"
    )
    prompt = materials.prompt
    when = ANY_MODE & prompt.has("reasoningTagHint", True, prompt.cause("reasoningTagHint"))
    return part("reasoning_format", "## Reasoning Format", [builtin("reasoning_format", text)], when)


def silent_replies() -> SectionDraft:
    """The token that says nothing (part 24)."""
    return part("silent_replies", "## Silent Replies", _silence(), FULL, stability="static")


def _silence() -> Iterator[Piece]:
    yield builtin("silent_replies", "\nIf you have nothing to say, answer with nothing but: ")
    yield label(SILENT)
    yield builtin(
        "silent_replies",
        '\n⚠️ What counts:\n- It is the message as a WHOLE, without a word more\n- Never add it to a real answer (none has "NO_REPLY" in it)'
        "\n- No markdown and no code block around it"
        "\n✗ no good: This may help you. NO_REPLY\n✗ no good: the token in quotes or `code`\n✓ good: NO_REPLY",
    )


def heartbeats(materials: Materials) -> SectionDraft:
    """What a heartbeat asks and how to answer it (part 25); without a prompt there is a placeholder."""
    passed = materials.prompt.cause("heartbeatPrompt", materials.heartbeat.passed)
    default = materials.heartbeat.passed & ~materials.heartbeat.configured
    options = () if materials.prompt.passes("heartbeatPrompt") else ((default, "## Heartbeats (default prompt)"),)
    reference = Choice(options, "## Heartbeats (placeholder)")
    return part("heartbeats", "## Heartbeats", _heartbeat(materials, passed), FULL, reference=reference)


def _heartbeat(materials: Materials, passed: Condition) -> Iterator[Piece]:
    heartbeat = materials.heartbeat
    gathered = (
        heartbeat.prompt.piece().under(heartbeat.configured),
        builtin("heartbeats.default_prompt", HEARTBEAT, when=~heartbeat.configured),
    )
    yield label("\nHeartbeat prompt: ")
    for piece in materials.prompt.pieces("heartbeatPrompt", gathered):
        yield piece.under(passed)
    yield label("(configured)", when=~passed)
    yield builtin(
        "heartbeats",
        "\nWhen a heartbeat poll comes (a message of the user that is the above prompt) and there is nothing to see to, answer with just this:\nHEARTBEAT_OK"
        '\nA "HEARTBEAT_OK" at the beginning or the end of an answer is taken by OpenClaw as a heartbeat ack, and it may drop it.'
        '\nIf something does need attention, leave "HEARTBEAT_OK" out and say what it is.',
    )
