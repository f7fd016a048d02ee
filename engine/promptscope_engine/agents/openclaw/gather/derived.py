"""What a run of OpenClaw makes of its session, configuration and files before it calls the builder (1, 4, 7)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.materials import Materials, Prompt
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Facts
from promptscope_engine.prompt.derived import Derivation, because
from promptscope_engine.prompt.pieces import joined

_WORDS = {
    "toolNames": "they are the tools that the policies leave",
    "workspaceDir": "it is the folder that the agent works in",
    "userTimezone": "it is the machine's time zone",
    **{f"runtimeInfo.{part['of']}": part["is"] for part in FOLDER.agent["runtime"].values()},
}
"""What the values without a condition are made of."""


def from_parameters(prompt: Prompt) -> Iterator[Derivation]:
    """The builder's parameters that were gathered. They are there to be replaced: other values are no mistake."""
    for name, found in prompt.gathered.items():
        passed = prompt.passed.get(name)
        if not isinstance(found.value, dict):  # `runtimeInfo` alone is an object
            yield _parameter(name, found.value, found.because, passed)
            continue
        replaced = passed if isinstance(passed, dict) else {}
        for key in (*found.value, *(each for each in ("channel", "capabilities") if each not in found.value)):
            value: Json = found.value.get(key)
            cause: Condition = ALWAYS
            if passed is not None and key not in replaced:  # the whole of it is replaced
                value = None
                cause = because(f"promptParams.{name}.{key}", f"`promptParams.{name}` is passed without it")
            elif key not in found.value:
                cause = because(f"promptParams.{name}.{key}", "the message has no channel")
            yield _parameter(f"{name}.{key}", value, cause, replaced.get(key))


def from_run(prompt: Prompt, channel: str | None) -> Iterator[Derivation]:
    """The parameters that parts of OpenClaw give which are not modelled: a channel's plugin, commands."""
    plugin = f"the plugin of {channel} may say some: plugins are not run, so none stand here"
    hints = plugin if channel else "the message has no channel, whose plugin would say them"
    known: tuple[tuple[str, Json, str], ...] = (
        ("messageToolHints", None, hints),
        ("toolSummaries", "the whole description of each tool", "they are those of the tools that the policies leave"),
        ("reasoningLevel", "off", "it is off until somebody sends /reasoning"),
    )
    for name, value, why in known:
        yield _parameter(name, value, because(f"promptParams.{name}", why), prompt.passed.get(name))


def from_materials(materials: Materials, facts: Facts) -> Iterator[Derivation]:
    """The parameters that are made of files, skills, the channel and the sandbox."""
    boxed, reactions, chat = materials.sandbox, materials.reactions, materials.chat
    level = "minimal" if reactions.minimal.holds(facts) else "extensive"
    heartbeat = materials.heartbeat
    own_prompt = heartbeat.prompt.value if heartbeat.configured.holds(facts) else "the built-in prompt"
    listed: list[Json] = [context.entry.path for context in materials.contexts if context.entry.when.holds(facts)]
    made: tuple[tuple[str, Json, Condition], ...] = (
        ("contextFiles", listed, Any(tuple(context.entry.when for context in materials.contexts))),
        ("workspaceNotes", "a note on commits", materials.bootstrapping),
        ("skillsPrompt", joined(materials.skills), materials.has_skills),
        ("heartbeatPrompt", own_prompt, heartbeat.passed),
        ("extraSystemPrompt", "what is told of the channel", chat.comes_by_channel | chat.group_prompt.because),
        ("sandboxInfo", {"enabled": True, "containerWorkspaceDir": boxed.workdir.value}, boxed.on),
        ("reactionGuidance", {"level": level, "channel": reactions.channel.value}, reactions.on),
        ("ttsHint", materials.speech.auto, materials.speech.on),
    )
    for name, value, cause in made:
        if not materials.prompt.passes(name):  # otherwise the condition is about what was passed
            yield Derivation(f"promptParams.{name}", value if cause.holds(facts) else None, cause, is_setting=True)


def _parameter(name: str, value: Json, cause: Condition, given: Json) -> Derivation:
    param = f"promptParams.{name}"
    if cause is ALWAYS:
        cause = because(param, _WORDS.get(name, "it is gathered"))
    return Derivation(param, value, cause, given, is_setting=True)
