"""Talking to people: who may command, how to answer where (specs/openclaw.md 1, parts 14, 17 to 19, 21)."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256

from promptscope_engine.agents.openclaw.gather.channels import BUTTONS
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import CHANNELS
from promptscope_engine.agents.shared.settings import mapping, text, texts
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, computed, label
from promptscope_engine.prompt.leaves import equals, given

from .part import ANY_MODE, FULL, part

HASH_CHARS = 12


def authorized_senders(materials: Materials) -> SectionDraft:
    """The owners, in the clear or hashed (part 14, section 7)."""
    when = FULL & given("promptParams.ownerNumbers", yes="owners are known", no="no owner is known")
    return part("authorized_senders", "## Authorized Senders", _senders(materials), when)


def _senders(materials: Materials) -> Iterator[Piece]:
    owners = materials.prompt.texts("ownerNumbers")
    yield builtin("authorized_senders", "\nSenders on the allowlist: ")
    if materials.prompt.value("ownerDisplay") == "hash":
        secret = materials.prompt.text("ownerDisplaySecret")
        yield computed("ownerNumbers", ", ".join(hashed(owner, secret) for owner in owners))
    elif owners:
        yield materials.prompt.says("ownerNumbers", ", ".join(owners))
    yield builtin("authorized_senders", ". To be on it does not by itself make anybody an owner.")


def hashed(owner: str, secret: str | None) -> str:
    """The first digits of the owner's SHA-256, or of its HMAC where there is a secret."""
    data = owner.encode("utf-8", "surrogatepass")
    digest = hmac.new(secret.encode(), data, sha256) if secret else sha256(data)
    return digest.hexdigest()[:HASH_CHARS]


def reply_tags() -> SectionDraft:
    """How to quote (part 17)."""
    text_ = (
        "\nWhere the surface can do it, a tag in your answer makes it a native reply or quote:"
        "\n- The tag has to be what the message starts with, with no words and no new line ahead of it: [[reply_to_current]] and then what you say."
        "\n- [[reply_to_current]] answers the message that set you off."
        "\n- Take [[reply_to_current]] by preference. [[reply_to:<id>]] is only for an id that somebody handed you outright (the user, say, or a tool)."
        "\nSpaces inside of the tag do no harm (as in [[ reply_to_current ]] or [[ reply_to: 123 ]])."
        "\nOpenClaw takes tags out ahead of sending; which ones work is up to the channel's configuration."
    )
    return part("reply_tags", "## Reply Tags", [builtin("reply_tags", text_)], FULL, stability="static")


def messaging(materials: Materials) -> Iterator[SectionDraft]:
    """How to reach people and sessions; it names tools whether they are there or not (part 18, section 2)."""
    text_ = (
        "\n- A reply in this session goes by itself to the channel it came from (Signal, Telegram, etc.)"
        "\n- To another session → sessions_send(sessionKey, message)"
        "\n- To manage sub-agents → subagents(action=list|steer|kill)"
        "\n- A message of the form `[System Message] ...` is internal; by itself the user does not see it."
        "\n- If such a `[System Message]` tells of finished cron or sub-agent work and wants the user told, say it anew in the voice you normally have "
        "(pass on no raw system text, and do not fall back to NO_REPLY)."
        "\n- Leave messages to providers to OpenClaw, which does all routing itself: no exec or curl for that."
    )
    yield part("messaging", "## Messaging", [builtin("messaging", text_)], FULL, stability="static")
    when = FULL & materials.has_tool("message")
    yield part("messaging.message_tool", "### message tool", _message_tool(materials), when, parent="messaging")


def _message_tool(materials: Materials) -> Iterator[Piece]:
    info = materials.prompt.object("runtimeInfo")
    channel = (text(info.get("channel")) or "").lower()
    able = any(item.strip().lower() == BUTTONS.lower() for item in texts(info.get("capabilities")) or [])
    yield builtin(
        "message_tool",
        "\n- `message` is for sending on your own account and for channel actions (polls, reactions, etc.)."
        "\n- With `action=send`, `to` and `message` have to be there."
        "\n- Several channels set up: name one by `channel` (",
    )
    yield label("|".join(CHANNELS))
    yield builtin(
        "message_tool",
        ").\n- If what the user gets to read was sent by `message` (`action=send`), answer with NO_REPLY and nothing more, so that no reply comes double.",
    )
    buttons = Observed(
        "flag", BUTTONS, able, "the channel has inline buttons", "the channel is not said to have inline buttons"
    )
    known = Observed("flag", "channel", bool(channel), f"the channel is {channel}", "no channel is known")
    yield from _buttons(buttons, known, channel)
    for hint in materials.prompt.value("messageToolHints") or []:
        if hint:
            yield label("\n")
            yield materials.prompt.says("messageToolHints", hint)


def _buttons(able: Condition, known: Condition, channel: str) -> Iterator[Piece]:
    """Supported, or how to switch them on; without a channel neither."""
    yield builtin(
        "message_tool.buttons_supported",
        "\n- Inline buttons work here: `action=send` with `buttons=[[{text,callback_data,style?}]]`, `style` being `primary`, `success` or `danger`.",
        when=able,
    )
    hint = ~able & known
    yield builtin("message_tool.buttons_hint", "\n- No inline buttons on ", when=hint)
    yield label(channel, when=hint)
    yield builtin("message_tool.buttons_hint", " yet. Want some? Ask for ", when=hint)
    yield label(channel, when=hint)
    yield builtin(
        "message_tool.buttons_hint",
        '.capabilities.inlineButtons to be set to "dm", "group", "all" or "allowlist".',
        when=hint,
    )


def voice(materials: Materials) -> SectionDraft:
    """How to be spoken (part 19)."""
    when = FULL & given("promptParams.ttsHint", yes="speech is on", no="speech is off")
    return part("voice", "## Voice (TTS)", (label("\n"), *materials.prompt.pieces("ttsHint")), when)


def reactions(materials: Materials) -> SectionDraft:
    """How freely to react (part 21); kept in minimal mode."""
    guidance = materials.prompt.object("reactionGuidance")
    level = text(guidance.get("level")) or "minimal"
    when = ANY_MODE & given(
        "promptParams.reactionGuidance", yes="the channel knows reactions", no="no guidance on reactions is passed"
    )
    lines = _reactions(materials, text(mapping(guidance).get("channel")) or "")
    return part("reactions", "## Reactions", lines, when, reference=f"## Reactions ({level})")


def _reactions(materials: Materials, channel: str) -> Iterator[Piece]:
    minimal = equals("promptParams.reactionGuidance.level", "minimal")
    extensive = ~minimal
    yield builtin("reactions", "\nOn ")
    if channel:
        yield materials.prompt.says("reactionGuidance", channel)
    yield builtin("reactions", " you can react to messages, in ")
    yield label("MINIMAL mode", when=minimal)
    yield label("EXTENSIVE mode", when=extensive)
    yield builtin(
        "reactions.minimal",
        ".\nPut a reaction ONLY where it matters:\n- To show that you have seen a weighty request or confirmation\n"
        "- To let a real feeling show (humor, appreciation), and not often\n- Never on small talk, never on replies of your own\n"
        "How often: one in 5-10 exchanges at the very most.",
        when=minimal,
    )
    yield builtin(
        "reactions.extensive",
        ".\nReact as much as you like:\n- Show by a fitting emoji that you have seen a message\n- Let feelings and character come through in what you pick\n"
        "- React to what is interesting or funny, to what is said well\n- Say by a reaction that you have understood or agree\nHow often: whenever it comes naturally.",
        when=extensive,
    )
