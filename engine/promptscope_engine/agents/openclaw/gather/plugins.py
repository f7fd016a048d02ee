"""The plugins that come with the package: what switches one on, and what some of their tools go by [2026.2.24]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_

from promptscope_engine.agents.kit.settings import mapping, text, texts
from promptscope_engine.agents.openclaw.levers import Settings, dotted
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.agents.openclaw.tool_policy import Policy, normal
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition

from .sessions import agent_id

_MEMORY = "plugins.slots.memory"
_FEISHU: Path = ("channels", "feishu")
_FEISHU_TOOLS = {"doc": True, "scopes": True, "wiki": True, "drive": True, "perm": False}
"""The switches of Feishu's tools, and whether each is on unless it is set."""
_CREDENTIALS = {"appId": "cli_a1", "appSecret": "secret"}


def memory_slot(settings: Settings) -> str:
    """The plugin of the memory, "none" for none at all."""
    named = js_trim(text(settings.get(_MEMORY)) or "")
    return "none" if named.lower() == "none" else named or FOLDER.agent["plugins"]["memory"][0]


def switched_on(settings: Settings, plugin: str) -> Condition:
    """The plugin is loaded: nothing forbids it, and its entry switches it on, or the slot of the memory names it.

    The slot counts before an entry that switches the plugin off, and a plugin of the memory goes by it alone.
    """
    slot = memory_slot(settings)
    if slot == plugin or plugin in FOLDER.agent["plugins"]["memory"]:
        fact = f"`{_MEMORY}` is {slot}"
        chosen = settings.decides(_MEMORY, slot == plugin, fact, fact, on=plugin, off="none")
    else:
        entry: Path = ("plugins", "entries", plugin, "enabled")
        chosen = settings.known(entry, settings.get(entry) is True).is_(True, unset=False)
    allow = _names(settings, "allow")
    yes, no = f"`plugins.allow` names {plugin}, or nothing", f"`plugins.allow` lacks {plugin}"
    is_allowed = not any(allow) or plugin in allow
    allowed = settings.decides("plugins.allow", is_allowed, yes, no, on=[*allow, plugin], off=["telegram"])
    return chosen & allowed & not_forbidden(settings, plugin)


def not_forbidden(settings: Settings, plugin: str) -> Condition:
    """Plugins are on, and this one is not denied."""
    enabled = settings.known("plugins.enabled", settings.get("plugins.enabled") is not False)
    deny = _names(settings, "deny")
    yes, no = f"`plugins.deny` does not name {plugin}", f"`plugins.deny` names {plugin}"
    rest = [name for name in deny if name != plugin]
    admitted = settings.decides("plugins.deny", plugin not in deny, yes, no, on=rest, off=[*deny, plugin])
    return enabled.is_(True, unset=False) & admitted


def _names(settings: Settings, key: str) -> list[str]:
    return [js_trim(name) for name in texts(settings.get(("plugins", key))) or []]


def names_tool(settings: Settings, steps: Iterable[Policy], name: str, plugin: str) -> Condition:
    """A list of allowed tools names an optional tool, its plugin or all plugins; a wildcard does not."""
    named = {normal(entry) for step in steps if step.profile is None for entry in step.allow}
    ok = not named.isdisjoint((normal(name), plugin, "group:plugins"))
    key = "tools.allow" if texts(settings.get("tools.allow")) else "tools.alsoAllow"
    yes, no = "a list of allowed tools names it or its plugin", "it is optional: no list of allowed tools names it"
    return settings.decides(key, ok, yes, no, on=[*(texts(settings.get(key)) or []), name])


def has_key(settings: Settings) -> Condition:
    """The memory with LanceDB has a key for its embeddings, without which its configuration is refused."""
    return _is_set(settings, ("plugins", "entries", "memory-lancedb", "config", "embedding", "apiKey"), "sk-1")


def feishu(settings: Settings) -> Mapping[str, Condition]:
    """What each group of Feishu's tools goes by: the first account in use, and the switches of that account.

    The tools of tables ask for the credentials of the channel itself, whether it is in use or not.
    """
    channel = mapping(settings.get(_FEISHU))
    accounts = mapping(channel.get("accounts"))
    names = [name for name in accounts if name] or ["default"]
    sorted_names = [names[at] for at in locale_order(names)]
    used = next((name for name in map(agent_id, sorted_names) if _in_use(channel, accounts.get(name))), None)
    yes, no = "an account of Feishu has its credentials", "no account of Feishu that is on has `appId` and `appSecret`"
    on: Json = {"enabled": True, **_CREDENTIALS}
    account = settings.decides(_FEISHU, used is not None, yes, no, on=None if accounts else on)
    own: Path = (*_FEISHU, "accounts", used or "")
    place = own if "tools" in mapping(settings.get(own)) else _FEISHU

    def switch(name: str, default: bool) -> Condition:
        at = (*place, "tools", name)
        is_on = bool(mapping(settings.get(at[:-1])).get(name, default))
        return settings.known(at, is_on).is_(True, unset=default)

    found = {name: account & switch(name, default) for name, default in _FEISHU_TOOLS.items()}
    tables = (_is_set(settings, (*_FEISHU, key), example) for key, example in _CREDENTIALS.items())
    return {**found, "bitable": reduce(and_, tables)}


def _is_set(settings: Settings, path: Path, example: str) -> Condition:
    """A credential is given, which is not shown."""
    key = dotted(path)
    return settings.decides(path, bool(settings.get(path)), f"`{key}` is set", f"`{key}` is not set", on=example)


def _in_use(channel: Mapping[str, Json], account: Json) -> bool:
    merged = {**channel, **mapping(account)}
    ready = all(js_trim(text(merged.get(key)) or "") for key in _CREDENTIALS)
    return ready and channel.get("enabled") is not False and merged.get("enabled") is not False
