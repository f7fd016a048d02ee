"""What a copied system prompt says of the session that it was made for (docs/agents/openclaw.md#prompt)."""

import re
from collections.abc import Iterator

from promptscope_engine.agents.features import PromptHints
from promptscope_engine.agents.openclaw.gather.gather import MODES
from promptscope_engine.agents.openclaw.texts import RUNTIME
from promptscope_engine.formats.document import Json

_RUNTIME = re.compile(r"^Runtime: (.*)$", re.M)
_OS = re.compile(r"(.*) \((\S+)\)")
_REASONING = re.compile(r"^Reasoning: (off|on|stream)\b", re.M)
_TIMEZONE = re.compile(r"^Time zone: (\S+)$", re.M)
_LISTED = re.compile(r"^- ([\w.:-]+)(?::|$)", re.M)


def hints_from_prompt(text: str) -> PromptHints:
    """Tooling tells about the tools, the runtime line of the machine, the model and the channel."""
    values: dict[str, Json] = {}
    _, _, tooling = text.partition("## Tooling\n")
    listed, end, _ = tooling.partition("\n## ")
    if end:  # else the list may be cut off
        names: list[Json] = [*_LISTED.findall(listed)]
        values["promptParams.toolNames"] = names
    if found := _RUNTIME.search(text):
        pairs = (part.partition("=") for part in found[1].split(" | "))
        parts = {name: value for name, equals, value in pairs if equals}
        values["model"] = parts.get("model")
        values["promptParams.runtimeInfo"] = dict(_info(parts))
        if thinking := parts.get("thinking"):
            values["promptParams.defaultThinkLevel"] = thinking
    if found := _TIMEZONE.search(text):
        values["promptParams.userTimezone"] = found[1]
    if found := _REASONING.search(text):
        values["promptParams.reasoningLevel"] = found[1]
    return PromptHints(values=values, alternatives=tuple({"mode": mode} for mode in MODES))


def _info(parts: dict[str, str]) -> Iterator[tuple[str, Json]]:
    for shown, said in RUNTIME.items():
        value = parts.get(shown)
        if value is None or shown == "capabilities":
            continue
        if shown == "os" and (found := _OS.fullmatch(value)):
            yield "os", found[1]
            yield "arch", found[2]
        else:
            yield said["of"], value
    if capabilities := parts.get("capabilities"):
        shown_ones: list[Json] = [] if capabilities == "none" else [*capabilities.split(",")]
        yield "capabilities", shown_ones
