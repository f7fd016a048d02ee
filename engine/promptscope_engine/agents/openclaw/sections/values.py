"""What OpenClaw's sections may name: a scenario's values, and the conditions that they stand under."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.agents.openclaw.builder import NAMES, Parameter, Prompt, literal
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
        "box": materials.sandbox,
        "chat": materials.chat,
        "heartbeat": materials.heartbeat,
        "reactions": materials.reactions,
        "speech": materials.speech,
        "bootstrapping": materials.bootstrapping,
        **_passed(materials),
        **_paths(materials),
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


def _passed(materials: Materials) -> dict[str, object]:
    """What the scenario may pass in the place of what was gathered."""
    prompt, chat, heartbeat = materials.prompt, materials.chat, materials.heartbeat
    owners, secret = prompt.texts("ownerNumbers"), prompt.text("ownerDisplaySecret")
    # one value of several lines: an empty line inside of it is no separator and stays
    aliases = "\n".join(prompt.value("modelAliasLines") or [])
    return {
        "skilled": prompt.cause("skillsPrompt", materials.has_skills),
        "skills": lambda: prompt.pieces("skillsPrompt", materials.skills),
        "citations_off": prompt.has("memoryCitationsMode", "off", materials.citations_off),
        "aliases": _lines(prompt, "modelAliasLines", [aliases] if aliases else []),
        "reasoning": prompt.has("reasoningTagHint", True, prompt.cause("reasoningTagHint")),
        "beats": prompt.cause("heartbeatPrompt", heartbeat.passed),
        "default_heartbeat": False if prompt.passes("heartbeatPrompt") else heartbeat.passed & ~heartbeat.configured,
        "hashed": prompt.has("ownerDisplay", "hash", materials.hashed),
        "hashes": lambda: computed("ownerNumbers", ", ".join(hashed(owner, secret) for owner in owners)),
        "owners": prompt.says("ownerNumbers", ", ".join(owners)),
        "channels": label("|".join(CHANNELS)),
        "hints": _lines(prompt, "messageToolHints", [hint for hint in prompt.value("messageToolHints") or [] if hint]),
        "spoken": prompt.cause("ttsHint", materials.speech.on),
        "extra": prompt.cause("extraSystemPrompt", chat.comes_by_channel | chat.group_prompt.because),
        "notes": _lines(prompt, "workspaceNotes", prompt.texts("workspaceNotes")),
    }


def hashed(owner: str, secret: str | None) -> str:
    """The first digits of the owner's SHA-256, or of its HMAC where there is a secret."""
    data = owner.encode("utf-8", "surrogatepass")
    digest = hmac.new(secret.encode(), data, sha256) if secret else sha256(data)
    return digest.hexdigest()[:HASH_CHARS]


def _paths(materials: Materials) -> dict[str, object]:
    prompt, box = materials.prompt, materials.sandbox
    inside, host = js_trim(str(box.workdir.value)), literal(str(prompt.value("workspaceDir") or ""))
    return {
        "mount": label(f" (mounted at {box.mount.value})"),
        "workdir": replace(box.workdir, value=inside).shown,
        "inside": label(inside),
        "host_dir": prompt.says("workspaceDir", host),
        "host": label(host),
    }


def _lines(prompt: Prompt, name: str, lines: list[str]) -> list[Piece]:
    """Lines of a parameter, each with the break before it."""
    return [piece for line in lines for piece in (label("\n"), prompt.says(name, line))]


def _facts(materials: Materials) -> Iterator[Piece]:
    for name, value in materials.runtime:
        yield label(f"{name}=", when=value.because)
        yield value.shown
        yield label(" | ", when=value.because)


def _level(level: Parameter) -> tuple[Piece, Piece]:
    return level.shown, label("off", when=~level.because)
