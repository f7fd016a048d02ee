"""Which MCP servers `allowedMcpServers` and `deniedMcpServers` let start [recorded 2.1.332]."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.known import Known

from .settings import MANAGED, Settings

_NAME, _COMMAND, _URL = "serverName", "serverCommand", "serverUrl"


@frozen
class ServerRules:
    """Both lists of all settings files; each entry says one of a name, a command, a URL. `allowed` without a list of
    its own allows every server."""

    allowed: Known[Json]
    denied: Known[Json]

    def permitted(self, name: str, config: Json, *, allowed: bool = False) -> Condition:
        """No rule keeps the server from starting. `allowed`: it need not be in the list of what is allowed."""
        condition: Condition = ALWAYS
        if not allowed and isinstance(self.allowed.value, list):
            fits, no = _allows(_entries(self.allowed), name, config), f"`{self.allowed.source.key}` leaves it out"
            yes = f"`{self.allowed.source.key}` names it"
            condition = condition & Setting(self.allowed.source, fits, "is", True, yes, no)
        denied = any(_means(rule, name, config) for rule in _entries(self.denied))
        no = f"`{self.denied.source.key}` names it"
        return (
            condition & Setting(self.denied.source, denied, "is", False, "no rule denies it", no)
            if denied
            else condition
        )


def server_rules(settings: Settings) -> ServerRules:
    """Those of all files; an organisation may say that only its own list of what is allowed counts."""
    own = settings.layered.of(MANAGED)
    allowing = own if own.at("allowManagedMcpServersOnly") is True else settings.layered
    return ServerRules(allowing.known("allowedMcpServers"), settings.layered.known("deniedMcpServers"))


def _entries(rules: Known[Json]) -> list[dict[str, Json]]:
    """The entries that say one thing of a server; others match none."""
    found = rules.value if isinstance(rules.value, list) else []
    kinds = {_NAME, _COMMAND, _URL}
    return [rule for rule in found if isinstance(rule, dict) and len(kinds.intersection(rule)) == 1]


def _allows(rules: Sequence[dict[str, Json]], name: str, config: Json) -> bool:
    """Where entries say commands, a server that is a command needs one of these; likewise with URLs."""
    kind = _COMMAND if _command(config) else _URL if _url(config) else _NAME
    if not any(kind in rule for rule in rules):
        kind = _NAME
    return any(kind in rule and _means(rule, name, config) for rule in rules)


def _means(rule: dict[str, Json], name: str, config: Json) -> bool:
    url, pattern = _url(config), rule.get(_URL)
    if url and isinstance(pattern, str):
        return stars_match(pattern, url)
    return rule.get(_NAME) == name or (_COMMAND in rule and rule[_COMMAND] == _command(config))


def _command(config: Json) -> list[Json]:
    if not isinstance(config, dict) or not isinstance(config.get("command"), str):
        return []
    more = config.get("args")
    return [config["command"], *(more if isinstance(more, list) else ())]


def _url(config: Json) -> str:
    url = config.get("url") if isinstance(config, dict) else None
    return url if isinstance(url, str) else ""
