"""Settings whose values keep the client from starting: it uses them without a look at their type (recorded 0.61.0)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.kit.settings_schema import Schema, Shape
from promptscope_engine.javascript.json import truthy
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed

from .settings import Settings

_TEXTS: Shape = ["[text]", "text"]
_TAKEN: Mapping[str, Shape] = {
    "ui.theme": "text",
    "context.fileName": _TEXTS,
    "context.includeDirectories": _TEXTS,
    "context.memoryBoundaryMarkers": _TEXTS,
    "context.fileFiltering.customIgnoreFilePaths": _TEXTS,
    "modelConfigs.overrides": ["[object]", "text"],
    "tools.core": "[text]",
    "tools.allowed": _TEXTS,
    "tools.exclude": _TEXTS,
    "tools.confirmationRequired": _TEXTS,
    "skills.disabled": _TEXTS,
    "mcp.allowed": ["list", "text"],
    "mcp.excluded": ["list", "text"],
    "policyPaths": _TEXTS,
    "adminPolicyPaths": _TEXTS,
}
"""What the client can use without failing: not what its schema asks for."""
_MODE = "general.defaultApprovalMode"
_MODES: Shape = "=default|auto_edit|plan|yolo"
_EVEN_FALSY = (
    "context.memoryBoundaryMarkers", "context.fileFiltering.customIgnoreFilePaths", "modelConfigs.overrides",
    "skills.disabled",
)  # fmt: skip
"""Settings that are used although they are 0 or false."""


def usable_settings(settings: Settings, *, has_mode: bool) -> Condition:
    """No value ends the start. `has_mode`: the approval mode is given, and the setting of it does not count."""
    when: Condition = ALWAYS
    for key, shape in {**_TAKEN, **({} if has_mode else {_MODE: _MODES})}.items():
        known = settings.known(key)
        schema = Schema(shape)
        if (
            known.value is None
            or (key not in _EVEN_FALSY and not truthy(known.value))
            or not schema.findings(known.value)
        ):
            continue
        no = f"`{key}` {known.source.place} must be {schema.described(shape)}"
        remedy = f"edit `{key}` {known.source.place}".strip()
        when = when & Observed("flag", key, False, "", no, remedy=remedy, source=known.source)
    return when
