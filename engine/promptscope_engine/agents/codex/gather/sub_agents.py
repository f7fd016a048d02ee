"""Sub-agents: which kind there is, and what `features.multi_agent_v2` and `agents` change of it [0.171.0]."""

from collections.abc import Mapping

from promptscope_engine.agents.codex.materials import SubAgents
from promptscope_engine.agents.kit.disk.heads import setting_spans
from promptscope_engine.prompt.conditions import Condition, Fact, Named
from promptscope_engine.prompt.sourced import Sourced

from .settings import CodexSettings, Session, in_files

_SECOND = ("features", "multi_agent_v2")
_SWITCHES = {
    "native": ("disable_native_tools", False),
    "messages": ("disable_direct_message", False),
    "waits": ("wait_agent_enabled", True),
    "overrides": ("expose_spawn_agent_model_overrides", True),
    "metadata": ("hide_spawn_agent_metadata", False),
    "in_scripts": ("non_code_mode_only", False),
}
"""The keys of the feature by the gate that each opens, and with which value."""
_USUAL = {
    "disable_native_tools": False, "disable_direct_message": False, "wait_agent_enabled": True,
    "expose_spawn_agent_model_overrides": True, "hide_spawn_agent_metadata": True, "non_code_mode_only": True,
}  # fmt: skip
_HINTS = {
    "root_hint": "root_agent_usage_hint_text",
    "mode_hint": "multi_agent_mode_hint_text",
    "usage_hint": "usage_hint_text",
}
"""The user's own texts: an empty one takes Codex's text away, too."""
_WAITS = {"min_wait_timeout_ms": 10_000, "default_wait_timeout_ms": 30_000, "max_wait_timeout_ms": 3_600_000}
_THREADS = 4


def sub_agents(session: Session, of_model: Mapping[str, Condition], features: Mapping[str, Condition]) -> SubAgents:
    """The gates and values of a scenario."""
    settings = session.settings
    on = settings.enabled("agents.enabled", True)
    said = "sub-agents of the second kind are on"
    named = Named("flag", "multi_agent_v2", of_model["second_own"] | features["multi_agent_v2"], said)
    # the feature brings them back where `agents.enabled` is off
    second = Named("flag", "multi_agent_v2", (of_model["second_own"] & on) | features["multi_agent_v2"], said)
    hints = {name: settings.text(*_SECOND, key) for name, key in _HINTS.items()}
    depth = settings.known("agents", "max_depth", default=1)
    deep = depth.is_(0, unset=1, yes="`agents.max_depth` is 0", no="sub-agents may be started")
    return SubAgents(
        gates={
            "second_kind": second,
            "first_kind": features["multi_agent"] & ~named & on & ~deep,
            **{name: _switch(settings, key, wanted=wanted) for name, (key, wanted) in _SWITCHES.items()},
            **{name: _given(known) for name, known in hints.items()},
            "mode_silent": in_files(hints["mode_hint"]).is_("", yes="`multi_agent_mode_hint_text` is empty"),
        },
        own={name: setting_spans(known, session.workspace) for name, known in hints.items()},
        namespace=settings.text(*_SECOND, "tool_namespace").value or "collaboration",
        threads=_threads(settings),
        waits={key: str(settings.whole(*_SECOND, key) or usual) for key, usual in _WAITS.items()},
    )


def _switch(settings: CodexSettings, key: str, *, wanted: bool) -> Condition:
    known = settings.flag(*_SECOND, key, default=_USUAL[key])
    return in_files(known).is_(wanted)


def _given(known: Sourced[str | None]) -> Condition:
    """Whether there is such a text, be it an empty one."""
    key, source = known.source.key, in_files(known).source
    return Fact(
        "flag", key, known.value is not None, f"`{key}` is set", f"`{key}` is not set", source=source,
        remedy=f"set `{key}` in config.toml",
    )  # fmt: skip


def _threads(settings: CodexSettings) -> int:
    """How many agents may work at once: what `agents` says does not count the first one."""
    beside = settings.whole("agents", "max_concurrent_threads_per_session") or settings.whole("agents", "max_threads")
    return settings.whole(*_SECOND, "max_concurrent_threads_per_session") or (beside + 1 if beside else _THREADS)
