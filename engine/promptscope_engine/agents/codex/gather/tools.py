"""What decides about tools that are no feature: scripts, waiting, the web search."""

from collections.abc import Mapping

from promptscope_engine.agents.codex.gates import Model
from promptscope_engine.agents.codex.materials import CodeMode
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import AnyOf, Condition, Fact

from .mcp import Servers
from .requirements import Requirements
from .settings import CodexSettings, in_files

_YIELD_TIME = 30_000


def code_mode(settings: CodexSettings) -> CodeMode:
    """What scripts may call, and what they may not."""

    def named(key: str) -> dict[str, Condition]:
        names = settings.texts("features", "code_mode", key) or ()
        return {name: settings.names(f"features.code_mode.{key}", name, wanted=True) for name in names}

    waits = settings.known("features", "code_mode", "default_exec_yield_time_ms", default=_YIELD_TIME).value
    return CodeMode(named("direct_only_tool_namespaces"), named("excluded_tool_namespaces"), str(waits))


def sleeps(settings: CodexSettings, features: Mapping[str, Condition], current: Condition) -> Condition:
    """The tool that waits: for models with a clock, or as the settings of two features say [0.171.0]."""
    always = in_files(settings.known("features", "sleep_tool", "mode")).is_("always_on")
    beside = in_files(settings.known("features", "current_time_reminder", "sleep_tool")).is_(True)
    reminder = features["current_time_reminder"]
    return features["sleep_tool"] & (always | (reminder & beside) | (current & ~reminder))


def deferred(scripts: CodeMode, servers: Servers, first_kind: Condition, known: Condition) -> dict[str, Condition]:
    """Something is named in place of its schema: sub-agents of the first kind, or tools of a server."""
    agents = first_kind & known & scripts.deferred("multi_agent_v1")
    any_server = AnyOf(tuple(scripts.deferred(server.namespace) for server in servers.answering))
    return {"deferred_agents": agents, "deferred": (servers.with_tools & known & any_server) | agents}


def searches(settings: CodexSettings, required: Requirements) -> Condition:
    """The web search is not disabled, and none of its modes is ruled out."""
    known = settings.text("web_search")
    on = ~known.is_("disabled", unset="cached", yes="`web_search` is disabled", no="`web_search` is {actual}")
    instead = required.search(known.value or "cached")
    if instead is None or instead.value != "disabled":
        return on
    return on & Fact("flag", "web_search", False, "", "no web search is allowed", source=instead.source)


def web_search(settings: CodexSettings, required: Requirements, model: Model, *, live: bool) -> dict[str, Json]:
    """The tool as classic models are given it; `live` is how it is where no setting says."""
    mode = settings.text("web_search").value or ("live" if live else "cached")
    instead = required.search(mode)
    mode = instead.value if instead else mode
    made: dict[str, Json] = {"type": "web_search", "external_web_access": mode in ("live", "indexed")}
    if mode == "indexed":
        made["indexed_web_access"] = True
    table = settings.table("tools", "web_search")
    if isinstance(table.get("context_size"), str):
        made["search_context_size"] = table["context_size"]
    if isinstance(table.get("allowed_domains"), list):
        made["filters"] = {"allowed_domains": table["allowed_domains"]}
    if isinstance(table.get("location"), dict):
        made["user_location"] = {"type": "approximate", **table["location"]}
    if model.known:
        made["search_content_types"] = ["text", "image"]
    return made
