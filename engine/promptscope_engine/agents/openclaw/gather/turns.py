"""Whose session and whose turn it is (docs/agents/openclaw.md#sessions), and what else the texts of 2026.9 ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.agents.kit.disk.settings import mapping, text
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.materials import Answers, Context, Session
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.agents.openclaw.texts import ANTHROPIC, FOLDER
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Facts, Levers
from promptscope_engine.prompt.derived import Derivation, because
from promptscope_engine.prompt.drafts import label
from promptscope_engine.prompt.model import Endpoint, Lever

from . import messages
from .channels import USUAL, comes_by_channel, group_of, normal_channel
from .runtime import SOME_ID, AgentRun, agent_id, default_agent_id, parse_session
from .tools import main_key, switched_on, within_workspace

_DIRECT = {
    "per-peer": "direct:{peer}",
    "per-channel-peer": "telegram:direct:{peer}",
    "per-account-channel-peer": "telegram:{account}:direct:{peer}",
}
"""What follows the agent in the key of a direct chat, by `session.dmScope`; with any other value it is the main one."""
BY_EXEC = "agent-exec"
_GROUPS = ("group", "supergroup")


class Whose(Struct, frozen=True):
    """The session's key, the agent's id and the channel, and which of them follow from other inputs, and why.

    `to_main` are the inputs that make it the agent's main session.
    """

    key: str
    me: str
    channel: str | None
    derived: tuple[Derivation, ...]
    to_main: Levers


def whose(
    params: OpenClawParams, settings: SettingLevers, here: tuple[str, Condition] | None, *, is_newer: bool = False
) -> Whose:
    """Whose run it is. `here`: the agent whose workspace the folder is, and why.

    Where all share one session, 2026.9.6 takes the key of an agent's main one for it [asked].
    """
    at_home = here[0] if here else default_agent_id(settings)
    agent = agent_id(params.agentId) if params.agentId else at_home
    led = _key(params, settings, agent)
    key = js_trim(params.sessionKey or "") or (led[0] if led else main_key(settings, agent))
    session = parse_session(key.lower())
    if is_newer and session.rest == "main" and settings.get("session.scope") == "global":
        key = main_key(settings, agent)
    named = session.agent_id
    by_key = named, because("agentId", f"the session's key names {named}")
    channel = next(_channel(params, session), None)
    own = (main_key(settings, agent), here[1]) if here else None
    derived = {
        "sessionKey": (led or own, params.sessionKey),
        "agentId": (by_key if named and params.sessionKey else here, params.agentId),
        "channel": (channel, params.channel),
    }
    found = (Derivation(name, *cause, given, is_setting=True) for name, (cause, given) in derived.items() if cause)
    by = channel[0] if channel and params.channel is None else params.channel
    return Whose(key, named or at_home, normal_channel(by), tuple(found), _to_main(params, settings, agent))


def _channel(params: OpenClawParams, session: Session) -> Iterator[tuple[str, Condition]]:
    """The channel by which the message came, where a chat's message or the session's key tells."""
    if params.chat:
        yield USUAL, because("channel", "the message came by it")
    named = normal_channel(session.channel)
    if named and params.entry is None:  # recorded: a run of `openclaw agent` has none, whatever its session
        yield named, because("channel", f"the session `{session.key}` is one of {named}")


def _key(params: OpenClawParams, settings: SettingLevers, agent: str) -> tuple[str, Condition] | None:
    """The key that another session, the command line or a chat's message leads to; None: the agent's main one."""
    if params.spawn:
        return f"agent:{agent}:subagent:{SOME_ID}", because("sessionKey", "another session starts it (`spawn`)")
    if params.entry == BY_EXEC:
        key = f"agent:{agent}:explicit:{params.sessionId or SOME_ID}"
        return key, because("sessionKey", "`openclaw agent exec` has a session of its own")
    return _by_chat(params, settings, agent)


def _to_main(params: OpenClawParams, settings: SettingLevers, agent: str) -> Levers:
    """What starts a session of its own is left out; beside a chat's message only a key that is said counts."""
    starts = {"spawn": params.spawn is not None, "entry": params.entry == BY_EXEC}
    led, main = _by_chat(params, settings, agent), main_key(settings, agent)
    said = main if led and led[0] != main else None
    names = [name for name, is_there in starts.items() if is_there]
    own = [Lever("sessionKey", said)] if said or params.sessionKey or not names else []
    return (*(Lever(name, None) for name in names), *own)


def _by_chat(params: OpenClawParams, settings: SettingLevers, agent: str) -> tuple[str, Condition] | None:
    said = mapping(mapping(params.chat).get("message"))
    return next(_of_chat(said, settings, agent), None) if said else None


def _of_chat(said: Mapping[str, Json], settings: SettingLevers, agent: str) -> Iterator[tuple[str, Condition]]:
    chat, topic = mapping(said.get("chat")), said.get("message_thread_id")
    if chat.get("type") in _GROUPS:
        rest = f"telegram:group:{chat.get('id')}" + (f":topic:{topic}" if topic is not None else "")
        yield f"agent:{agent}:{rest}", because("sessionKey", "the message was said in a group")
        return
    scope = settings.named("session.dmScope", "main")
    rest = _DIRECT.get(scope.value, "")
    account = settings.word("channels.telegram.defaultAccount") or "default"
    peer = mapping(said.get("from")).get("id")
    key = f"agent:{agent}:{rest.format(peer=peer, account=account)}" if rest else main_key(settings, agent)
    yield key, scope.is_(scope.value, unset="per-peer")


COMPLETIONS = "openai-completions"
_APIS = {"anthropic": ANTHROPIC, "openai": "openai-responses", "google": "google-generative-ai"}
"""The protocols of providers whose configuration names none."""
MODES = ("tools", "code", "directory")


def api_of(run: AgentRun) -> str:
    """The protocol of the request: the scenario's, the provider's in the configuration, or the provider's own."""
    named = run.settings.word(("models", "providers", run.provider, "api"))
    return run.params.api or named or _APIS.get(run.provider, COMPLETIONS)


def endpoint_of(run: AgentRun) -> Endpoint:
    """Where the request goes: `[[endpoints]]` of agent.toml. Anthropic's base counts without its `/v1` [asked]."""
    api, key, hosts = api_of(run), f"models.providers.{run.provider}.baseUrl", FOLDER.agent["hosts"]
    base = run.settings.word(("models", "providers", run.provider, "baseUrl"))
    given = {key: base.rstrip("/").removesuffix("/v1") if base and api == ANTHROPIC else base}
    facts = {
        "api": api,
        "provider": run.provider,
        "model": run.model.partition("/")[2],
        "host": hosts.get(run.provider),
    }
    return endpoint(FOLDER.agent["endpoints"], facts, given)


def finding(run: AgentRun) -> Answers:
    """How the tools that are not sent are found: by search in one of its modes, or by scripts (`code`)."""
    code, mode = _code_mode(run), _search_mode(run)
    path = ("tools", "toolSearch")
    yes, no = f"tools are searched in the mode {mode}", "`tools.toolSearch` is off"
    on: Json = True if mode == "off" else None
    searched = run.settings.decides(path, mode != "off", yes, no, on=on, off=False)
    modes = {
        each: run.settings.decides(path, mode == each, yes, f"tools are searched in another mode ({mode})",
                                   on={"mode": each}, off={"mode": "code" if each == "tools" else "tools"})
        for each in MODES
    }  # fmt: skip
    controls = {"tools": modes["tools"] | modes["directory"], "code": modes["code"]}
    mode = mode if mode in MODES else MODES[0]
    return Answers(code=code, searched=searched, waiting=searched & ~code, search=modes, controls=controls, mode=mode)


def _search_mode(run: AgentRun) -> str:
    said = run.settings.get("tools.toolSearch")
    if said is None:
        return "tools"
    if isinstance(said, bool):
        return "code" if said else "off"
    keys = mapping(said)
    enabled, mode = keys.get("enabled"), text(keys.get("mode")) or "code"
    is_on = enabled if isinstance(enabled, bool) else bool({*keys} - {"enabled"})
    return (mode if mode in MODES else "code") if is_on else "off"


def _code_mode(run: AgentRun) -> Condition:
    """The agent's own setting before that of all; `auto` goes by what the catalog marks, which is none of these."""
    paths: list[Path] = [*([(*run.own, "tools", "codeMode")] if run.own else []), ("tools", "codeMode")]

    def is_on(value: Json) -> bool | None:
        return None if value is None else value is True or mapping(value).get("enabled") is True

    return run.settings.first(is_on, *paths, default=False).is_(True, unset=False)


def answers(run: AgentRun, found: Answers, shown: tuple[Context, ...], bootstrapping: Condition) -> dict[str, object]:
    """Everything, by the names that texts have for it."""
    settings, chats = run.settings, comes_by_channel(run.channel)
    api = api_of(run)
    kind = run.session.kind
    main = FOLDER.reason("main", not run.session.is_subagent, {"on": run.to_main}, key=run.session.key, kind=kind)
    only = within_workspace(run) | FOLDER.reason("held_in", _by_exec(run))
    is_gpt = run.provider == "openai" and run.model_name.lower().startswith("gpt-5")
    engine = settings.word("plugins.slots.contextEngine") or "legacy"
    cut = next((c for c in shown if c.injection.is_cut and c.entry.when.holds(Facts())), None)
    return {
        "code": found.code,
        "waiting": found.waiting,
        "search": found.search,
        "main": main & ~found.code,
        "line_moves": FOLDER.reason("line_moves", api == COMPLETIONS, api=api),
        "chats": chats,
        "by_tool_only": by_tool_only(run),
        "approves": chats,
        "styled": False,
        "delegates": _delegates(run),
        "recalls": _recalls(run, engine),
        "gpt_family": FOLDER.reason("gpt_family", is_gpt, model=run.model)
        & switched_on(settings, "openai", usual=True),
        "personable": _personality(run),
        "ultra": FOLDER.reason("ultra", run.params.thinking == "ultra"),
        "project_notes": FOLDER.reason("project_notes"),
        "webchat": FOLDER.reason("webchat", run.channel == "webchat"),
        "only": only,
        "pending": bootstrapping & ~_without_setup(run),
        "limited": run.box.active & run.box.access.is_("none", "ro", unset="rw"),
        "files_cut": FOLDER.reason("files_cut", cut is not None, name=cut.entry.name if cut else ""),
        "exec_state": settings.switch("tools.elevated.enabled", usual=False) & run.box.active,
        "model_identity": label(run.model),
        "mirror": label("https://docs.openclaw.ai"),
        "source": label("https://github.com/openclaw/openclaw"),
        **messages.answers(run),
    }


def _by_exec(run: AgentRun) -> bool:
    return bool(run.params.entry == BY_EXEC)


def by_tool_only(run: AgentRun) -> Condition:
    """In this chat the message tool is the only way to answer."""
    key = "messages.groupChat.visibleReplies"
    by_tool = run.settings.named(key, "automatic").is_("message_tool", unset="automatic")
    if group_of(run.session) is None:
        return by_tool & FOLDER.reason("of_no_group")
    return by_tool & comes_by_channel(run.channel)


def _without_setup(run: AgentRun) -> Condition:
    kind = run.session.kind
    return FOLDER.reason("without_setup", kind in ("sub-agent", "cron"), {"off": run.to_main}, kind=kind)


def _delegates(run: AgentRun) -> Condition:
    """The main session prefers sub-agents, another one where the configuration says so."""
    said = run.first(text, "subagents.delegationMode", None)
    if said.value is not None:
        return said.is_("prefer", unset="suggest")
    is_main = run.session.key == main_key(run.settings, run.me) and not _by_exec(run)
    return FOLDER.reason("main_session", is_main, {"on": run.to_main}, me=run.me)


def _recalls(run: AgentRun, engine: str) -> Condition:
    """The memory's plugin is on, which a list of plugins has to name, and the usual engine makes the context."""
    key = "plugins.slots.contextEngine"
    yes, no = "the usual engine makes the context", f"`{key}` is {engine}"
    usual = run.settings.decides(key, engine == "legacy", yes, no, on="legacy", off="other")
    return switched_on(run.settings, "memory-core", usual=True) & usual


def _personality(run: AgentRun) -> Condition:
    path = ("plugins", "entries", "openai", "config", "personality")
    return run.settings.named(path, "friendly").is_("friendly", unset="off")
