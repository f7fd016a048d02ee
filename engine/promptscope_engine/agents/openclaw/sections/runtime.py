"""Runtime (specs/openclaw.md 1 part 26, and 5): one line of facts, one on reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.agents.shared.settings import text
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label

from .part import part

_PARTS = (("agentId", "agent"), ("host", "host"), ("repoRoot", "repo"), ("os", "os"), ("arch", "arch"), ("node", "node"),
          ("model", "model"), ("defaultModel", "default_model"), ("shell", "shell"))  # fmt: skip


def runtime(materials: Materials) -> SectionDraft:
    """What the model runs on."""
    return part("runtime", "## Runtime", _lines(materials))


def _lines(materials: Materials) -> Iterator[Piece]:
    prompt = materials.prompt
    yield label("\nRuntime: ")
    for name, value in runtime_parts(prompt.object("runtimeInfo")):
        yield label(f"{name}=")
        yield prompt.says("runtimeInfo", value)
        yield label(" | ")
    yield label("thinking=")
    yield prompt.says("defaultThinkLevel", level) if (level := prompt.value("defaultThinkLevel")) else label("off")
    yield label("\nReasoning: ")
    yield prompt.says("reasoningLevel", level) if (level := prompt.value("reasoningLevel")) else label("off")
    yield builtin(
        "runtime.reasoning",
        " (not shown unless on/stream). /reasoning switches it; if on, /status has a line on Reasoning.",
    )


def runtime_parts(info: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The parts that are not empty, in their order; nothing in them is sanitised."""
    for key, name in _PARTS:
        value = info.get(key)
        if not isinstance(value, str) or not value:
            continue
        if name == "os" and info.get("arch"):
            yield "os", f"{value} ({info['arch']})"
        elif name != "arch" or not info.get("os"):
            yield name, value
    channel = (text(info.get("channel")) or "").lower()
    if channel:
        listed = info.get("capabilities")
        able = [item for value in listed if (item := text(value))] if isinstance(listed, list) else []
        yield "channel", channel
        yield "capabilities", ",".join(able) or "none"
