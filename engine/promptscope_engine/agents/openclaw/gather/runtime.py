"""Whose run it is: what a session key says, the agents of the configuration, the model, the runtime information."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import at, mapping, text
from promptscope_engine.agents.openclaw.gather.channels import capabilities, comes_by_channel
from promptscope_engine.agents.openclaw.gather.config import Config, home_of, state_dir, user_path
from promptscope_engine.agents.openclaw.levers import SettingLevers, dotted, split
from promptscope_engine.agents.openclaw.materials import KEY_PARTS, Parameter, Prompt, Session, parameter
from promptscope_engine.agents.openclaw.params import CHANNELS, OpenClawParams
from promptscope_engine.agents.openclaw.texts import FOLDER, NEWER, RUNTIME
from promptscope_engine.agents.openclaw.tool_policy import Lists, lists_of
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.machine import time_zone
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.nearest import meant, nearest
from promptscope_engine.prompt.conditions import Condition, Fact, Levers
from promptscope_engine.prompt.derived import Derivation
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.tokens.models import context_window
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

T = TypeVar("T")
D = TypeVar("D")
DEFAULT_AGENT = "main"
_PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_ODD = re.compile(r"[^a-z0-9_-]+")
_KINDS = ("subagent", "cron", "direct", "group", "channel", "thread")
"""The words that make another session of it than a main one."""


def parse_session(key: str | None) -> Session:
    """A key taken apart: split at `:`, empty parts dropped, at least three and the first one exactly `agent`."""
    text = js_trim(key or "")
    parts = [part for part in text.split(":") if part]
    if len(parts) < KEY_PARTS or parts[0] != "agent":
        return Session(text, None, "")
    return Session(text, agent_id(parts[1]), ":".join(parts[2:]))


def agent_id(text: object) -> str:
    """An agent's id as the configuration and the keys are compared: `Ops Team` is ops-team, `main` where there is none.

    Recorded: what is not a letter, digit, `_` or `-` of ASCII becomes one `-`, none at the ends; 64 characters count.
    """
    lower = js_trim(text).lower() if isinstance(text, str) else ""
    if _PLAIN_ID.fullmatch(lower):
        return lower
    return _ODD.sub("-", lower).strip("-")[:64] or DEFAULT_AGENT


def unread_session(session: Session, agents: Collection[str]) -> Iterator[Diagnostic]:
    """What nobody reads of a session key: OpenClaw takes any. `agents` are the ids that the configuration lists."""
    if session.agent_id is None:
        if session.key and not session.is_subagent:
            choices = next(f.choices for f in fields_of(OpenClawParams) if f.name == "sessionKey")
            labels = [label for label, _ in choices]
            what = f"`{session.key}` is not a session key (`agent:ID:REST`), so the session is a main one"
            yield Diagnostic("warning", "session", what + or_nearest(session.key, labels))
        return
    if agents and session.agent_id not in agents:
        what = f"the configuration lists no agent `{session.agent_id}`"
        yield Diagnostic("info", "session", what + or_nearest(session.agent_id, agents))
    word = session.rest.split(":")[0]
    if session.kind == "main" and word.lower() not in ("main", *CHANNELS) and nearest(word, _KINDS):
        what = f"`{session.key}` is a main session: nothing reads `{word}`"
        yield Diagnostic("info", "session", what + or_nearest(word, _KINDS))


def or_nearest(written: str, known: Iterable[str]) -> str:
    """What may have been meant, to be behind a statement; without anything near, what there is."""
    known = list(known)
    return meant(written, known, otherwise=f"; known: {', '.join(known)}")


def agents(settings: SettingLevers) -> list[tuple[Path, Mapping[str, Json]]]:
    """The entries of `agents.list`, or of `agents.entries` from 2026.9 on, with their ids and paths."""
    listed, named = settings.get("agents.list"), settings.object("agents.entries")
    entries = enumerate(listed) if isinstance(listed, list) else ()
    found: list[tuple[Path, Mapping[str, Json]]] = [
        (("agents", "entries", name), {"id": name, **mapping(entry)}) for name, entry in named.items()
    ]
    return found or [(("agents", "list", at), mapping(entry)) for at, entry in entries if mapping(entry)]


def agent_path(settings: SettingLevers, me: str) -> Path:
    """Where the agent's own entry in `agents.list` is, () without one."""
    return next((path for path, entry in agents(settings) if agent_id(entry.get("id")) == me), ())


def default_agent_id(settings: SettingLevers) -> str:
    """The agent marked default, else `main` where it is listed, else the first one."""
    entries = [entry for _, entry in agents(settings)]
    marked = [entry for entry in entries if entry.get("default")]
    ids = [agent_id(entry.get("id")) for entry in marked or entries]
    return DEFAULT_AGENT if not ids or (not marked and DEFAULT_AGENT in ids) else ids[0]


def workspace_of(inputs: Inputs, settings: SettingLevers, me: str) -> str:
    """The agent's own workspace, the default one for the default agent, or the profile's."""
    default_agent = default_agent_id(settings)
    own = agent_path(settings, me)
    named = text(settings.object(own).get("workspace")) if own else None
    if not named and me == default_agent:
        named = settings.word("agents.defaults.workspace")
    if named:
        return user_path(named, inputs)
    if me != default_agent:
        return f"{state_dir(inputs)}/workspace-{me}"
    profile = js_trim(inputs.env.get("OPENCLAW_PROFILE", ""))
    suffix = f"-{profile}" if profile and profile.lower() != "default" else ""
    return f"{home_of(inputs)}/.openclaw/workspace{suffix}"


def agent_of_folder(inputs: Inputs, settings: SettingLevers, workspace: Workspace) -> tuple[str, Condition] | None:
    """The agent whose workspace the folder is, default first, and why. Relative paths name no folder here."""
    here, default = workspace.real_path(inputs.workspace), default_agent_id(settings)
    found = sorted(agents(settings), key=lambda each: agent_id(each[1].get("id")) != default)
    for path, entry in found:
        me, named = agent_id(entry.get("id")), text(entry.get("workspace"))
        is_known = not named or js_trim(named).startswith(("/", "~"))
        if is_known and workspace.real_path(workspace_of(inputs, settings, me)) == here:
            fact = f"the folder is the workspace of the agent {me} in `{dotted(path[:2])}`"
            return me, settings.decides((*path, "workspace"), True, fact, "")
    return None


class Box(Struct, frozen=True):
    """The sandbox of a session. `folder` is the workspace on the host: a copy, unless `access` is rw."""

    mode: Sourced[str]
    active: Condition
    on: bool
    access: Sourced[str]
    folder: str
    workdir: str


class AgentRun(Struct, frozen=True):
    """Whose run it is, where, through which channel, with which model."""

    inputs: Inputs
    params: OpenClawParams
    config: Config
    session: Session
    me: str
    """The agent's id."""
    own: Path
    """Its own entry in `agents.list`, () without one."""
    is_default: bool
    whose: tuple[Derivation, ...]
    """What session, agent and channel would be if nobody said, and why."""
    to_main: Levers
    """The inputs that make it the agent's main session."""
    folder: str
    channel: str | None
    box: Box
    model: str
    default_model: str

    @property
    def settings(self) -> SettingLevers:
        """The settings in force."""
        return self.config.settings

    @property
    def provider(self) -> str:
        """Of the model, as it is compared."""
        return self.model.partition("/")[0].strip().lower()

    @property
    def model_name(self) -> str:
        """The model without its provider."""
        return self.model.partition("/")[2]

    @property
    def window(self) -> int:
        """The tokens that the model's context holds: what the scenario says, else what is known of the model."""
        info = self.params.modelInfo
        return info.contextWindow if info and info.contextWindow else context_window(self.model_name or self.model)

    @property
    def entry(self) -> Mapping[str, Json]:
        """The agent's own entry in `agents.list`."""
        return self.settings.object(self.own) if self.own else {}

    @property
    def version(self) -> str:
        """OpenClaw's version."""
        return self.inputs.agent_version

    @property
    def working_folder(self) -> str:
        """Where tools work, if that is another folder than the agent's own [2026.9.6]."""
        named = self.first(text, "cwd", "").value if self.is_newer else ""
        return user_path(named, self.inputs) if named else self.folder

    @property
    def is_newer(self) -> bool:
        """2026.9 or later."""
        return self.version >= NEWER

    @property
    def mode(self) -> str:
        """The size of the prompt that the session has."""
        return self.session.mode(self.version)

    @property
    def lists(self) -> Lists:
        """The lists of tools of this version."""
        return lists_of(self.version)

    def first(self, read: Callable[[Json], T | None], name: str, default: D) -> Sourced[T | D]:
        """The agent's own setting before that of all."""
        rest = split(name)
        return self.settings.first(
            read, (*self.own, *rest) if self.own else None, ("agents", "defaults", *rest), default=default
        )


DEFAULT_PROVIDER = "anthropic"
DEFAULT_MODEL = "claude-opus-4-6"

MODELS = "agents.defaults.models"
GIT_LEVELS = 12
"""Folders that 2026.2.24 looks into for a `.git`, the first one included."""


def names_model(config: Json, agent: Json) -> bool:
    """Whether the configuration names a model."""
    return bool(at(agent, "model") or at(config, "agents.defaults.model"))


def default_model(config: Json, agent: Json, *, is_newer: bool = False) -> str:
    """`provider/model` of the agent: its own, else the default one, an alias resolved.

    Without any 2026.9.6 takes the first one that the configuration lists under a provider [asked].
    """
    for named in (at(agent, "model"), at(config, "agents.defaults.model")):
        found = text(named) or text(at(named, "primary"))
        if found:
            return model_ref(config, found, is_newer=is_newer)
    first = (
        next(_listed_models(config), (DEFAULT_PROVIDER, DEFAULT_MODEL))
        if is_newer
        else (DEFAULT_PROVIDER, DEFAULT_MODEL)
    )
    return "/".join(first)


def _listed_models(config: Json) -> Iterator[tuple[str, str]]:
    """Provider and name of each model in the configuration."""
    for provider, said in mapping(at(config, "models.providers")).items():
        listed = mapping(said).get("models")
        for each in listed if isinstance(listed, list) else ():
            if name := text(mapping(each).get("id")):
                yield provider, name


def model_ref(config: Json, named: str, *, is_newer: bool = False) -> str:
    """`provider/model`: an alias is looked up, a bare name belongs to the default provider.

    For 2026.9.6 it belongs to a provider that the configuration lists it under, in any case of letters, else to OpenAI
    [asked].
    """
    if "/" in named:
        return named
    for ref, entry in mapping(at(config, "agents.defaults.models")).items():
        if (text(mapping(entry).get("alias")) or "").lower() == named.lower():
            return ref
    if not is_newer:
        return f"{DEFAULT_PROVIDER}/{named}"
    listed = (provider for provider, name in _listed_models(config) if name.lower() == named.lower())
    return f"{next(listed, 'openai')}/{named}"


def needs_reasoning_tags(ref: str) -> bool:
    """Whether the provider's models have to tag their reasoning."""
    provider = ref.partition("/")[0].strip().lower()
    return provider in ("google-gemini-cli", "google-generative-ai") or "minimax" in provider


def reasoning_tags(ref: str) -> Condition:
    """The model has to tag its reasoning."""
    return FOLDER.reason("tags", needs_reasoning_tags(ref), ref=ref)


def alias_lines(settings: SettingLevers, known: Callable[[str], bool] = bool) -> Parameter:
    """Lines `- alias: provider/model` in the order of `localeCompare`, of the models that are `known`."""
    entries = settings.object(MODELS).items()
    given = [(alias, ref) for ref, entry in entries if (alias := text(mapping(entry).get("alias")))]
    named = [(alias, ref) for alias, ref in given if known(ref)]
    lines = [f"- {named[at][0]}: {named[at][1]}" for at in locale_order([alias for alias, _ in named])]
    because = settings.decides(
        MODELS, bool(given), "models have aliases", f"`{MODELS}` gives no model an alias",
        on={f"{DEFAULT_PROVIDER}/{DEFAULT_MODEL}": {"alias": "opus"}},
        off={ref: {"alias": ""} for _, ref in given},
    )  # fmt: skip
    if given and not named:
        refs = [ref for _, ref in given]
        because &= FOLDER.reason("alias_known", False, {"on": (Lever("moreModels", refs),)}, refs=", ".join(refs))
    return parameter(lines or None, MODELS, because=because)


def alias_known(run: AgentRun, ref: str) -> bool:
    """From 2026.9 on an alias is for a model that the catalog has."""
    provider, _, name = ref.partition("/")
    listed = run.settings.get(("models", "providers", provider, "models"))
    own = {text(mapping(each).get("id")) for each in listed} if isinstance(listed, list) else set()
    return not run.is_newer or ref in (run.model, *run.params.moreModels) or name in own


def user_timezone(inputs: Inputs, settings: SettingLevers) -> Parameter:
    """The configured zone if it is one, else the machine's, else UTC: there is practically always one."""
    key = "agents.defaults.userTimezone"
    named = settings.word(key)
    if named and time_zone(named):
        return parameter(named, key)
    return parameter(inputs.environment.timezone or "UTC", "timezone", "environment")


def runtime_info(run: AgentRun, workspace: Workspace) -> dict[str, Json]:
    """What the runtime line tells; a part that is not known is left out."""
    machine, channel = run.inputs.environment, run.channel
    newer: dict[str, Json] = {
        "name": own_name(run),
        "sessionKey": re.sub(r":run:[^:]*$", "", run.session.key) if run.session.is_cron else run.session.key,
        "sessionId": run.params.sessionId or SOME_ID,
        "activeNode": "unknown",
    }
    return {
        **(newer if run.is_newer else {}),
        "agentId": run.me,
        "host": machine.hostname,
        "os": " ".join(filter(None, (machine.os_type, machine.os_version))) or None,
        "arch": machine.arch,
        "node": machine.node,
        "model": run.model,
        "defaultModel": run.default_model,
        "shell": _shell(run.inputs.env, None if run.is_newer else machine.shell),
        "repoRoot": repository_of(run, workspace),
        **({"channel": channel, "capabilities": capabilities(run.settings, channel, run.version)} if channel else {}),
    }


SOME_ID = "00000000-0000-4000-8000-000000000000"
"""The id that is shown for a session without one."""
NAME_CHARS = 128


def own_name(run: AgentRun) -> str | None:
    """The name that the agent goes by, if it is another than its id."""
    name = js_trim(text(mapping(run.entry.get("identity")).get("name")) or "")[:NAME_CHARS]
    return name if name and name != run.me else None


def runtime_parts(prompt: Prompt, channel: str | None, version: str) -> Iterator[tuple[str, Parameter]]:
    """The parts of the runtime line in their order, those without a value too; nothing in them is sanitised."""
    info = prompt.object("runtimeInfo")
    origin = prompt.parameter("runtimeInfo").origin
    table = RUNTIME.items()
    parts = (
        (n, said["of"], said["remedy"]) for n, said in table if "remedy" in said and said.get("since", "") <= version
    )
    for name, key, remedy in parts:
        value = info.get(key) if isinstance(info.get(key), str) else ""
        if name == "os" and value and info.get("arch"):
            value = f"{value} ({info['arch']})"
        if name == "arch" and info.get("os"):
            continue
        if prompt.passes("runtimeInfo"):
            remedy = f"`--set promptParams.runtimeInfo.{key}=TEXT`"
        known: Condition = Fact("flag", key, bool(value), f"{name} is known", f"{name} is not known", remedy=remedy)
        yield name, Parameter(value, origin, known)
    listed = info.get("capabilities")
    able = [item for value in listed if (item := text(value))] if isinstance(listed, list) else []
    named = (text(info.get("channel")) or "").lower()
    known = comes_by_channel(channel)
    if prompt.passes("runtimeInfo"):
        remedy = "`--set promptParams.runtimeInfo.channel=telegram`"
        known = Fact("flag", "channel", bool(named), "a channel is passed", "no channel is passed", remedy=remedy)
    yield "channel", Parameter(named, origin, known)
    yield "capabilities", Parameter(",".join(able) or "none", origin, known)


def _shell(env: Mapping[str, str], login: str | None) -> str | None:
    """The bare name from CLAWDBOT_SHELL or SHELL; a login sets the latter, so the login shell stands in for it."""
    for named in (env.get("CLAWDBOT_SHELL"), env.get("SHELL"), login):
        base = js_trim(named or "").rpartition("/")[2]
        name = re.sub(r"[^a-zA-Z0-9_-]", "", re.sub(r"\.(exe|cmd|bat)$", "", base, flags=re.IGNORECASE))
        if name:
            return name
    return None


def repository_of(run: AgentRun, workspace: Workspace) -> str | None:
    """The configured folder if there is one, else the repository around the agent's folder or that where it works.

    2026.9.6 looks at every folder above, and never at the one in which it is started [asked].
    """
    named = run.settings.word("agents.defaults.repoRoot")
    if named and workspace.is_dir(user_path(named, run.inputs)):
        return user_path(named, run.inputs)
    starts = dict.fromkeys((run.folder, run.working_folder if run.is_newer else run.inputs.workspace))
    levels = None if run.is_newer else GIT_LEVELS
    roots = (repository_root(at, workspace, kinds=("directory", "file"), levels=levels) for at in starts)
    return next((root for root in roots if root is not None), None)
