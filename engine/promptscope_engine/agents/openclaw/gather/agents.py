"""What a session key says, and the agents of the configuration: which is the default one, where each works."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from promptscope_engine.agents.kit.settings import mapping, text
from promptscope_engine.agents.openclaw.gather.config import Config, home_of, state_dir, user_path
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.agents.openclaw.materials import Session
from promptscope_engine.agents.openclaw.params import CHANNELS, OpenClawParams
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

DEFAULT_AGENT = "main"
_PLAIN_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_ODD = re.compile(r"[^a-z0-9_-]+")
_KINDS = ("subagent", "cron", "direct", "group", "channel", "thread")
"""The words that make another session of it than a main one."""


def parse_session(key: str | None) -> Session:
    """A key taken apart: split at `:`, empty parts dropped, at least three and the first one exactly `agent` (6)."""
    text = js_trim(key or "")
    parts = [part for part in text.split(":") if part]
    if len(parts) < 3 or parts[0] != "agent":
        return Session(text, None, "")
    return Session(text, agent_id(parts[1]), ":".join(parts[2:]))


def agent_id(text: object) -> str:
    """An agent's id as the configuration and the keys are compared: `Ops Team` is ops-team, `main` where there is none.

    Recorded: what is no letter, digit, `_` or `-` of ASCII becomes one `-`, none at the ends; 64 characters count.
    """
    lower = js_trim(text).lower() if isinstance(text, str) else ""
    if _PLAIN_ID.fullmatch(lower):
        return lower
    return _ODD.sub("-", lower).strip("-")[:64] or DEFAULT_AGENT


def unread_session(session: Session, agents: Collection[str]) -> Iterator[Diagnostic]:
    """What nobody reads of a session key: OpenClaw takes any text, and one that it does not know for a main session.

    `agents` are the ids that the configuration lists.
    """
    if session.agent_id is None:
        if session.key and not session.is_subagent:
            choices = next(f.choices for f in fields_of(OpenClawParams) if f.name == "sessionKey")
            labels = [label for label, _ in choices]
            what = f"`{session.key}` is no session key (`agent:ID:REST`), so the session is a main one"
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
    """What may have been meant, to stand behind a statement; without anything near, what there is."""
    known = list(known)
    close = nearest(written, known)
    return f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(known)}"


def agents(settings: Settings) -> list[tuple[Path, Mapping[str, Json]]]:
    """The entries of `agents.list` with their paths."""
    listed = settings.get("agents.list")
    entries = enumerate(listed) if isinstance(listed, list) else ()
    return [(("agents", "list", at), mapping(entry)) for at, entry in entries if mapping(entry)]


def agent_path(settings: Settings, me: str) -> Path:
    """Where the agent's own entry in `agents.list` stands, () without one."""
    return next((path for path, entry in agents(settings) if agent_id(entry.get("id")) == me), ())


def default_agent_id(settings: Settings) -> str:
    """The agent marked default, else `main` where it is listed, else the first one."""
    entries = [entry for _, entry in agents(settings)]
    marked = [entry for entry in entries if entry.get("default")]
    ids = [agent_id(entry.get("id")) for entry in marked or entries]
    return DEFAULT_AGENT if not ids or (not marked and DEFAULT_AGENT in ids) else ids[0]


def workspace_of(inputs: Inputs, settings: Settings, me: str) -> str:
    """The agent's own workspace, the default one for the default agent, or the profile's."""
    default_agent = default_agent_id(settings)
    own = agent_path(settings, me)
    named = text(mapping(settings.get(own)).get("workspace")) if own else None
    if not named and me == default_agent:
        named = text(settings.get("agents.defaults.workspace"))
    if named:
        return user_path(named, inputs)
    if me != default_agent:
        return f"{state_dir(inputs)}/workspace-{me}"
    profile = js_trim(inputs.env.get("OPENCLAW_PROFILE", ""))
    suffix = f"-{profile}" if profile and profile.lower() != "default" else ""
    return f"{home_of(inputs)}/.openclaw/workspace{suffix}"


def agent_of_folder(inputs: Inputs, settings: Settings, workspace: Workspace) -> tuple[str, Condition] | None:
    """The agent whose workspace the folder is, and why; the default one comes first. None for a folder of no agent's.

    A relative path depends on where the gateway was started, so it names no folder here.
    """
    here, default = workspace.real_path(inputs.workspace), default_agent_id(settings)
    found = sorted(agents(settings), key=lambda each: agent_id(each[1].get("id")) != default)
    for path, entry in found:
        me, named = agent_id(entry.get("id")), text(entry.get("workspace"))
        is_known = not named or js_trim(named).startswith(("/", "~"))
        if is_known and workspace.real_path(workspace_of(inputs, settings, me)) == here:
            fact = f"the folder is the workspace of the agent {me} in `agents.list`"
            return me, settings.decides((*path, "workspace"), True, fact, fact)
    return None


# --- the run ----------------------------------------------------------------------------------------------------------


@frozen
class Box:
    """The sandbox of a session. `folder` is the workspace on the host: a copy, unless `access` is rw."""

    mode: Known[str]
    active: Condition
    on: bool
    access: Known[str]
    folder: str
    workdir: str


@frozen
class Run:
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
    of_folder: tuple[str, Condition] | None
    """The agent whose workspace the folder is, and why."""
    folder: str
    channel: str | None
    box: Box
    model: str
    default_model: str

    @property
    def settings(self) -> Settings:
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
    def entry(self) -> Mapping[str, Json]:
        """The agent's own entry in `agents.list`."""
        return mapping(self.settings.get(self.own)) if self.own else {}
