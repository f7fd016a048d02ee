"""Which permission mode and which model a run has."""

from promptscope_engine.agents.claude_code.materials import SubAgent
from promptscope_engine.agents.claude_code.texts import FOLDER, is_first_party
from promptscope_engine.agents.claude_code.versions import V100, WATCHED, Model, is_on, overridden, resolve_model
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.prompt.model import ModeChoice

from .session import Session

MODES = tuple(ModeChoice(**mode) for mode in FOLDER.agent["mode"])
_FORBIDS = {"bypassPermissions": "disableBypassPermissionsMode", "auto": "disableAutoMode"}
"""Modes that need more trust than a project has, each with the setting that forbids it [asked of 2.1.332]."""


def model_of(session: Session, mode: str, sub_agent: SubAgent | None, main_agent: SubAgent | None) -> Model:
    """The model of the command line, of a variable or a setting, of the agent, or the usual one."""
    configured, env = session.settings.plain.get("model"), session.inputs.env
    fallback = configured if isinstance(configured, str) and configured else None
    # The model of the agent that drives the session counts unless one is chosen on the command line [D].
    own = main_agent.model.value if main_agent and main_agent.model else None
    if sub_agent and sub_agent.model:  # a sub-agent's own model goes before that of the session
        own = sub_agent.model.value
    elif session.inputs.model:
        own = None
    if own:  # it stays the same while planning [recorded 2.1.332]
        return resolved(session, own)
    given = session.inputs.model
    return resolved(session, given or env.get("ANTHROPIC_MODEL") or fallback, mode, written=not given)


def resolved(session: Session, asked: str | None, mode: str | None = None, *, written: bool = True) -> Model:
    """The model of a name, under the id that `modelOverrides` gives it."""
    model = resolve_model(asked, session.version, mode, session.inputs.env, written=written)
    return overridden(model, asked, session.version, session.settings.plain.get("modelOverrides"))


def mode_meant(named: Json) -> Json:
    """A mode by the name that counts: `manual`, which --help lists from 2.1.200 on, is the default one."""
    return "default" if named == "manual" else named


def mode_of(session: Session) -> str:
    """The permission mode. From 2.1.329 on, a session that somebody watches starts in auto mode (variants, b)."""
    slugs = [mode.slug for mode in MODES]
    watched = not session.params.args.print or session.started_as in WATCHED
    env = session.inputs.env
    remote = session.version != V100 and is_on(env.get("CLAUDE_CODE_REMOTE", ""))
    told = session.params.online or not is_first_party(session.settings.variable("ANTHROPIC_BASE_URL", env).value)
    usual = "auto" if watched and told and session.version != V100 and not remote else "default"
    configured = _configured(session)
    mode = mode_meant(session.inputs.mode) or (str(configured) if configured in slugs else usual)
    if mode not in slugs:
        raise unknown("permission mode", mode, slugs, where="mode")
    return "default" if _is_forbidden(mode, session) else mode


def _configured(session: Session) -> Json:
    """`permissions.defaultMode`; a project can't set a mode that needs more trust."""
    layers, key = session.settings, "permissions.defaultMode"
    found = mode_meant(layers.known(key).value)
    if found in _FORBIDS and session.version != V100:
        return mode_meant(layers.without("project", "local").known(key).value)
    return found


def _is_forbidden(mode: str, session: Session) -> bool:
    """A setting forbids the mode, and so it counts for nobody."""
    key = _FORBIDS.get(mode)
    names = (f"permissions.{key}", *(["disableAutoMode"] if key == "disableAutoMode" else ())) if key else ()
    return session.version != V100 and any(session.settings.known(name).value == "disable" for name in names)
