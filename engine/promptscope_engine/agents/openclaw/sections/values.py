"""What OpenClaw's sections may name: a scenario's values, and the conditions that they stand under."""

from __future__ import annotations

import hmac
import json
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.builder import NAMES, Parameter, Prompt
from promptscope_engine.agents.openclaw.gates import has_tool, has_tools
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.openclaw.params import CHANNELS
from promptscope_engine.agents.openclaw.texts import listed, spelling
from promptscope_engine.agents.openclaw.tools.drafts import bullet, summaries
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS
from promptscope_engine.prompt.drafts import Piece, SectionDraft, computed, label

from .project_context import any_file, any_soul

HASH_CHARS = 12


def scope_of(materials: Materials, files: list[SectionDraft]) -> Scope:
    """What texts may name; `files` are those that are injected."""
    prompt = materials.prompt
    names = {
        "passes": {name: prompt.passes(name) for name in NAMES},
        "prompt": lambda: {name: prompt.pieces(name) for name in NAMES},
        "injected": lambda: any_file(files),
        "soul": lambda: any_soul(files),
        **_tools(materials),
        **_capabilities(materials),
        **_chat(materials),
        **_surroundings(materials),
        "facts": lambda: _facts(materials),
        "thinking": lambda: _level(prompt.parameter("defaultThinkLevel")),
        "reasoning_level": lambda: _level(prompt.parameter("reasoningLevel")),
    }
    return Scope(names, {"tool": lambda name: has_tool(materials, name), "passed": prompt.cause})


def _tools(materials: Materials) -> dict[str, object]:
    names = materials.prompt.texts("toolNames")
    return {
        "tools_known": lambda: has_tools(materials),
        "bullets": lambda: list(_bullets(materials)),
        "spelled": lambda: {name: label(spelling(name, names)) for name in ("exec", "process", "read")},
    }


def _bullets(materials: Materials) -> Iterator[Piece]:
    """One line a tool; what a policy removed stands among the absent, at its place."""
    present, told = materials.prompt.texts("toolNames"), summaries(materials)
    passed = materials.prompt.passes("toolNames")
    absent = [] if passed else [offer.name for offer in materials.offers]
    for key, name in listed([*present, *absent]):
        yield from bullet(key, name, told.get(key), ALWAYS if passed else materials.offered[key])


def _capabilities(materials: Materials) -> dict[str, object]:
    prompt, heartbeat = materials.prompt, materials.heartbeat
    # one value of several lines: an empty line inside of it is no separator and stays
    aliases = "\n".join(prompt.value("modelAliasLines") or [])
    passes = prompt.passes("heartbeatPrompt")
    return {
        "skilled": prompt.cause("skillsPrompt", materials.has_skills),
        "skills": lambda: prompt.pieces("skillsPrompt", materials.skills),
        "citations_off": prompt.has("memoryCitationsMode", "off", materials.citations_off),
        "aliases": _lines(prompt, "modelAliasLines", [aliases] if aliases else []),
        "reasoning": prompt.has("reasoningTagHint", True, prompt.cause("reasoningTagHint")),
        "heartbeat": heartbeat,
        "heartbeat_prompt": lambda: heartbeat.prompt.piece(),
        "beats": prompt.cause("heartbeatPrompt", heartbeat.passed),
        "default_heartbeat": False if passes else heartbeat.passed & ~heartbeat.configured,
    }


def _chat(materials: Materials) -> dict[str, object]:
    prompt, speech, chat, reactions = materials.prompt, materials.speech, materials.chat, materials.reactions
    owners, secret = prompt.texts("ownerNumbers"), prompt.text("ownerDisplaySecret")
    on = speech.auto.is_("always", "inbound", "tagged", unset="off")
    return {
        "hashed": prompt.has("ownerDisplay", "hash", materials.hashed),
        "hashes": lambda: computed("ownerNumbers", ", ".join(hashed(owner, secret) for owner in owners)),
        "owners": prompt.says("ownerNumbers", ", ".join(owners)),
        "channels": label("|".join(CHANNELS)),
        "buttons": chat.buttons,
        "no_buttons": chat.lacks_buttons,
        "channel": label(chat.shown),
        "hints": _lines(prompt, "messageToolHints", [hint for hint in prompt.value("messageToolHints") or [] if hint]),
        "spoken": prompt.cause("ttsHint", on),
        "inbound_only": speech.auto.is_("inbound", unset="always"),
        "tagged_only": speech.auto.is_("tagged", unset="always"),
        "spoken_length": computed("messages.tts.maxLength", str(speech.max_length.value)),
        "summarized": speech.summarize.is_(True),
        "extra": prompt.cause("extraSystemPrompt", chat.comes_by_channel | chat.group_prompt.because),
        "inbound": chat.comes_by_channel,
        "metadata": lambda: computed("inbound_meta", json.dumps(chat.metadata, indent=2, ensure_ascii=False)),
        "grouped": chat.group_prompt.because,
        "group_prompt": chat.group_prompt.piece(),
        "reacting": reactions.on,
        "minimal": reactions.minimal,
        "channel_of_reactions": reactions.channel.piece(),
    }


def hashed(owner: str, secret: str | None) -> str:
    """The first digits of the owner's SHA-256, or of its HMAC where there is a secret."""
    data = owner.encode("utf-8", "surrogatepass")
    digest = hmac.new(secret.encode(), data, sha256) if secret else sha256(data)
    return digest.hexdigest()[:HASH_CHARS]


def _surroundings(materials: Materials) -> dict[str, object]:
    prompt, box = materials.prompt, materials.sandbox
    inside, host = literal(js_trim(str(box.workdir.value))), literal(str(prompt.value("workspaceDir") or ""))
    return {
        "box": box,
        "sandboxed": lambda: {
            name: value.piece(literal(str(value.value or "")))
            for name in ("workdir", "host", "access", "no_vnc")
            if isinstance(value := getattr(box, name), Parameter)
        },
        "mount": lambda: label(f" (mounted at {literal(str(box.mount.value))})"),
        "elevated_level": label(box.elevated_level),
        "workdir": box.workdir.piece(inside),
        "inside": label(inside),
        "host_dir": prompt.says("workspaceDir", host),
        "host": label(host),
        "bootstrapping": materials.bootstrapping,
        "notes": _lines(prompt, "workspaceNotes", prompt.texts("workspaceNotes")),
    }


def literal(text: str) -> str:
    """A path as it may stand in a prompt (1, "Display workspace dir"): without control and format characters and
    line separators; what they held apart joins up."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and c not in "\u2028\u2029")


def _lines(prompt: Prompt, name: str, lines: list[str]) -> list[Piece]:
    """Lines of a parameter, each with the break before it."""
    return [piece for line in lines for piece in (label("\n"), prompt.says(name, line))]


def _facts(materials: Materials) -> Iterator[Piece]:
    for name, value in materials.runtime:
        yield label(f"{name}=", when=value.because)
        yield value.piece()
        yield label(" | ", when=value.because)


def _level(level: Parameter) -> tuple[Piece, Piece]:
    return level.piece(), label("off", when=~level.because)
