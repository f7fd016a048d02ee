"""The texts and tools of a request's body, whichever of the protocols it speaks."""

from __future__ import annotations

import json
from typing import Any

from .situation import Json


def texts_of(body: Json) -> list[tuple[str, str]]:
    """[(place, text)] in the order in which the model reads them; a place is `system` or `2:user`."""
    found = []
    system = body.get("system") or body.get("systemInstruction") or body.get("instructions")
    if system:
        found.append(("system", _flat(system)))
    for number, item in enumerate(body.get("messages") or body.get("input") or body.get("contents") or []):
        found.append((f"{number}:{item.get('role') or item.get('type')}", _flat(item)))
    return found


def tools_of(body: Json) -> dict[str, str]:
    """{name: its schema as JSON, for marks in the descriptions}"""
    more = [
        tool for item in body.get("input") or [] if item.get("type") == "additional_tools" for tool in item["tools"]
    ]
    found = {}
    for tool in [*(body.get("tools") or []), *more]:
        inner = tool.get("functionDeclarations", tool.get("tools"))
        for one in [tool.get("function") or tool.get("custom") or tool] if inner is None else inner:
            found[one.get("name") or one.get("type") or "?"] = json.dumps(one, ensure_ascii=False)
    return found


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(map(_flat, value))
    if not isinstance(value, dict) or value.get("type") == "tool_use":
        return ""
    for key in ("text", "content", "parts", "output"):
        if value.get(key):
            return _flat(value[key])
    response = value.get("functionResponse", {}).get("response", {})
    return _flat(list(response.values()))
