"""Whose session a run is: as its key says, or as what starts it leads to (docs/agents/openclaw.md#sessions)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from promptscope_engine.agents.kit.settings import mapping, text
from promptscope_engine.agents.openclaw.gather.channels import USUAL, normal_channel
from promptscope_engine.agents.openclaw.gather.runtime import SOME_ID, agent_id, default_agent_id, parse_session
from promptscope_engine.agents.openclaw.gather.tools import main_key
from promptscope_engine.agents.openclaw.levers import SettingLevers
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.derived import Derivation, because

_DIRECT = {
    "per-peer": "direct:{peer}",
    "per-channel-peer": "telegram:direct:{peer}",
    "per-account-channel-peer": "telegram:{account}:direct:{peer}",
}
"""What follows the agent in the key of a direct chat, by `session.dmScope`; with any other value it is the main one."""
_GROUPS = ("group", "supergroup")


class Whose(Struct, frozen=True):
    """The session's key, the agent's id and the channel, and which of them follow from other inputs, and why."""

    key: str
    me: str
    channel: str | None
    derived: tuple[Derivation, ...]


def whose(params: OpenClawParams, settings: SettingLevers, here: tuple[str, Condition] | None) -> Whose:
    """Whose run it is. `here`: the agent whose workspace the folder is, and why."""
    at_home = here[0] if here else default_agent_id(settings)
    agent = agent_id(params.agentId) if params.agentId else at_home
    led = _key(params, settings, agent)
    key = js_trim(params.sessionKey or "") or (led[0] if led else main_key(settings, agent))
    named = parse_session(key.lower()).agent_id
    channel = params.channel or (USUAL if params.chat else None)
    own = (main_key(settings, agent), here[1]) if here else None
    derived = {
        "sessionKey": (led or own, params.sessionKey),
        "agentId": (_named(named) if named and params.sessionKey else here, params.agentId),
        "channel": ((USUAL, because("channel", "the message came by it")) if params.chat else None, params.channel),
    }
    found = (Derivation(name, *cause, given, is_setting=True) for name, (cause, given) in derived.items() if cause)
    return Whose(key, named or at_home, normal_channel(channel), tuple(found))


def _named(agent: str) -> tuple[str, Condition]:
    return agent, because("agentId", f"the session's key names {agent}")


def _key(params: OpenClawParams, settings: SettingLevers, agent: str) -> tuple[str, Condition] | None:
    """The key that another session, the command line or a chat's message leads to; None: the agent's main one."""
    if params.spawn:
        return f"agent:{agent}:subagent:{SOME_ID}", because("sessionKey", "another session starts it (`spawn`)")
    if params.entry == "agent-exec":
        key = f"agent:{agent}:explicit:{params.sessionId or SOME_ID}"
        return key, because("sessionKey", "`openclaw agent exec` has a session of its own")
    said = mapping(mapping(params.chat).get("message"))
    return next(_of_chat(said, settings, agent), None) if said else None


def _of_chat(said: Mapping[str, Json], settings: SettingLevers, agent: str) -> Iterator[tuple[str, Condition]]:
    chat, topic = mapping(said.get("chat")), said.get("message_thread_id")
    if chat.get("type") in _GROUPS:
        rest = f"telegram:group:{chat.get('id')}" + (f":topic:{topic}" if topic is not None else "")
        yield f"agent:{agent}:{rest}", because("sessionKey", "the message was said in a group")
        return
    scope = settings.known("session.dmScope", text(settings.get("session.dmScope")) or "main")
    rest = _DIRECT.get(scope.value, "")
    account = text(settings.get("channels.telegram.defaultAccount")) or "default"
    peer = mapping(said.get("from")).get("id")
    key = f"agent:{agent}:{rest.format(peer=peer, account=account)}" if rest else main_key(settings, agent)
    yield key, scope.is_(scope.value, unset="per-peer")
