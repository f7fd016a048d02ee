"""What a chat channel brings into the prompt: capabilities, reactions, its groups' tools (specs/openclaw.md 7)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.openclaw.tool_policy import Policy, listed
from promptscope_engine.agents.shared.settings import at, mapping, text
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.text import js_trim

from .sessions import Session

BUTTONS = "inlineButtons"
_ALIASES = {"imsg": "imessage", "internet-relay-chat": "irc", "google-chat": "googlechat", "gchat": "googlechat"}
_SCOPES = ("off", "dm", "group", "all", "allowlist")
_REACTIONS = {"telegram": ("Telegram", "ack"), "signal": ("Signal", "minimal")}
"""The two channels with reactions: display name, and what an invalid level counts as."""


def normal_channel(name: str | None) -> str | None:
    """A channel's id, None if there is none."""
    lower = js_trim(name or "").lower()
    return _ALIASES.get(lower, lower) or None


def capabilities(config: Json, channel: str) -> list[str]:
    """What the channel can do; Telegram has inline buttons unless they are switched off."""
    account = _account(config, channel)
    own = account.get("capabilities")
    found = [text for item in _texts(own) if (text := js_trim(item))]
    offered = channel == "telegram" and _button_scope(own) != "off"
    if offered and not any(item.lower() == BUTTONS.lower() for item in found):
        found.append(BUTTONS)
    return found


def reaction_guidance(config: Json, channel: str) -> Json:
    """Level and display name, for the two channels that know reactions and the two levels that have a text."""
    if channel not in _REACTIONS:
        return None
    name, invalid = _REACTIONS[channel]
    level = _account(config, channel).get("reactionLevel", "minimal")
    level = "minimal" if level is None else level if level in ("off", "ack", "minimal", "extensive") else invalid
    return {"level": level, "channel": name} if level in ("minimal", "extensive") else None


def group_policy(config: Json, session: Session) -> Policy | None:
    """The tools of a group or channel, else those of `*`."""
    channel, group = group_of(session)
    if group is None:
        return None
    tools = mapping(group_entry(config, session)).get("tools")
    return listed(tools, f"channels.{channel}.groups tools") if isinstance(tools, Mapping) else None


def group_entry(config: Json, session: Session) -> Mapping[str, Json]:
    """The configuration of the session's group: its own, else that of `*`."""
    channel, group = group_of(session)
    if channel is None or group is None:
        return {}
    account = _account(config, channel)
    groups = {**mapping(account.get("channels")), **mapping(account.get("groups"))}
    return mapping(groups.get(group)) or mapping(groups.get("*"))


def group_of(session: Session) -> tuple[str | None, str | None]:
    """(channel, id) of the group that a session key names."""
    parts = session.rest.split(":")
    if len(parts) < 3 or parts[1] not in ("group", "channel"):
        return None, None
    ends = [at for at, part in enumerate(parts) if part in ("thread", "topic") and at > 2]
    return parts[0].lower(), ":".join(parts[2 : ends[0] if ends else None])


def _account(config: Json, channel: str) -> Mapping[str, Json]:
    """The channel's settings with those of its default account laid over."""
    base = mapping(at(config, f"channels.{channel}"))
    accounts = mapping(base.get("accounts"))
    chosen = "default" if "default" in accounts else next(iter(sorted(accounts)), None)
    return {**base, **mapping(accounts.get(chosen))} if chosen is not None else base


def _button_scope(own: Json) -> str:
    if isinstance(own, list):
        return "all" if any(js_trim(str(item)).lower() == BUTTONS.lower() for item in own) else "off"
    scope = (text(mapping(own).get(BUTTONS)) or "").lower()
    return scope if scope in _SCOPES else "allowlist"


def _texts(value: Json) -> list[str]:
    """The list if it holds nothing but texts: one wrong entry and the agent takes none."""
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else []
