"""What a run of OpenClaw makes of its session, configuration and files before it calls the builder (1, 4, 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from promptscope_engine.agents.kit.settings import mapping, text
from promptscope_engine.agents.openclaw.gather.agents import Run
from promptscope_engine.agents.openclaw.gather.config import config_path, state_dir
from promptscope_engine.agents.openclaw.gather.sandbox import main_key
from promptscope_engine.agents.openclaw.materials import Materials, Prompt
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Facts, Observed
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.pieces import joined

_WORDS = {
    "toolNames": "they are the tools that the policies leave",
    "workspaceDir": "it is the folder that the agent works in",
    "userTimezone": "it is the machine's time zone",
    **{f"runtimeInfo.{part['of']}": part["is"] for part in FOLDER.agent["runtime"].values()},
}
"""What the values without a condition are made of."""


def from_session(run: Run, prompt: Prompt) -> Iterator[Derivation]:
    """What the session and the configuration decide of the run (1, 6, 7)."""
    if run.of_folder is not None:
        whose, cause = run.of_folder
        key = main_key(run.settings, whose)
        yield Derivation("sessionKey", key, cause, run.params.sessionKey, is_setting=True)
    owner = "the default agent" if run.is_default else f"the agent {run.me}"
    session = f"the session {run.params.sessionKey or f'of {owner}'} is {run.session.kind}"
    by_session = Observed("flag", "sessionKey", True, session, session)
    yield Derivation("promptParams.promptMode", run.session.mode, by_session, prompt.passed.get("promptMode"))
    agent = f"{run.me} is {'the' if run.is_default else 'not the'} default agent"
    by_agent = Observed("flag", "heartbeatDefault", True, agent, agent)
    yield Derivation("heartbeatDefault", run.is_default, by_agent, run.params.heartbeatDefault)
    if run.inputs.mode is None and not prompt.passes("promptMode"):
        yield Derivation("mode", run.session.mode, by_session)
    if run.inputs.model is None:
        own = run.entry.get("model")
        named = own or run.settings.get("agents.defaults.model")
        key = "`model` of its entry in `agents.list`" if own else "`agents.defaults.model`"
        told = f"{key} is {text(named) or text(mapping(named).get('primary'))}"
        cause = because("model", told if named else "it is OpenClaw's own where the configuration names none")
        yield Derivation("model", run.model, cause)


def from_folders(run: Run) -> Iterator[Derivation]:
    """Where things lie, and the agent's own list of skills (3, 4)."""
    inputs, params = run.inputs, run.params
    named = inputs.env.get

    def without(variable: str) -> Inputs:
        return replace(inputs, env={name: value for name, value in inputs.env.items() if name != variable})

    yield in_home("OPENCLAW_HOME", inputs.home, named("OPENCLAW_HOME"))
    yield in_home("OPENCLAW_STATE_DIR", state_dir(without("OPENCLAW_STATE_DIR")), named("OPENCLAW_STATE_DIR"))
    for param, path, given in (
        ("env.OPENCLAW_CONFIG_PATH", config_path(without("OPENCLAW_CONFIG_PATH")), named("OPENCLAW_CONFIG_PATH")),
        ("managedSkillsDir", f"{state_dir(inputs)}/skills", params.managedSkillsDir),
    ):
        yield Derivation(param, path, because(param, "it lies in the state folder"), given or None, is_setting=True)
    bundled = named("OPENCLAW_BUNDLED_SKILLS_DIR")
    package = "it lies in the installed package, which is not known here"
    why = "`OPENCLAW_BUNDLED_SKILLS_DIR` names it" if bundled else package
    cause = because("bundledSkillsDir", why)
    yield Derivation("bundledSkillsDir", bundled, cause, params.bundledSkillsDir, is_setting=True)
    own = run.entry.get("skills")
    listed = [str(name) for name in own] if isinstance(own, list) else None
    why = "`skills` of its entry in `agents.list` names them" if listed is not None else "no list: it is offered all"
    filtered: Json = None if params.skillFilter is None else [*params.skillFilter]
    yield Derivation("skillFilter", listed and [*listed], because("skillFilter", why), filtered, is_setting=True)


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
