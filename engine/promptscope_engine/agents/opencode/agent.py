"""OpenCode 1.18.33: how the package is put together, and from placed sections and tools to the request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn, Feature, Placed, messages, system_text
from promptscope_engine.agents.kit.disk.walking import named_below
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.model import Tool
from promptscope_engine.wire.request import NeutralRequest
from promptscope_engine.workspace import Workspace

from .gather.instructions import NAMES
from .materials import READ, Materials
from .texts import FOLDER
from .tools import WIRE, tool_of

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.model import Content


class Wire(Struct, frozen=True):
    """A `Layout`: one system text, the messages, and the tools in the protocol of the model's provider."""

    materials: Materials

    def __call__(self, sections: Sequence[Placed], tools: Sequence[Tool]) -> NeutralRequest:
        """The request."""
        m = self.materials
        protocol = m.model.protocol
        (system,), said = system_text(sections), tuple(self._messages(sections))
        if protocol == "responses":
            system["role"] = "developer" if m.model.reasoning or not m.model.is_known else "system"
        if m.cached:
            # of a lone text of a compatible package the message has the mark, else the last block
            is_compatible = protocol == "chat" and "openrouter" not in m.model.package
            for each in said[-_MARKED:]:
                blocks = each["content"]
                (each if is_compatible and len(blocks) == 1 else blocks[-1])["cache_control"] = _CACHED
            system["cache_control"] = _CACHED
        sent = tuple(tool_of(protocol, tool.name, tool.description, tool.input_schema) for tool in tools)
        options = {**m.options, **(WIRE[protocol]["choice"] if sent else {})}
        return NeutralRequest((system,), said, sent, options, protocol)

    def _messages(self, sections: Sequence[Placed]) -> Iterator[dict[str, Json]]:
        """The messages, with a call of `read` for each text that answers one."""
        m = self.materials
        paths = [place.block.removeprefix(READ) for place, _ in sections if place.role == "tool"]
        for message in messages(sections, behind={part.id: [part.attached] for part in m.parts if part.attached}):
            if message["role"] != "tool":
                yield message
                continue
            calls = [{"type": "tool_use", "name": "read", "input": {"filePath": path}} for path in paths]
            results = [{"type": "tool_result", "content": [block]} for block in message["content"]]
            for role, blocks in (("assistant", calls), ("user", results)):
                is_apart = role in WIRE[m.model.protocol].get("apart", ())
                contents = [[block] for block in blocks] if is_apart else [blocks]
                yield from ({"role": role, "content": content} for content in contents)


_MARKED = 2
"""How many of the last messages end in a cache mark."""
_CACHED: dict[str, Json] = {"type": "ephemeral"}


_OFFERED = (
    "anthropic/claude-sonnet-5", "anthropic/claude-opus-5-5", "anthropic/claude-haiku-4-5", "openai/gpt-6-sol",
    "openai/gpt-5.5", "openai/gpt-5.3-codex", "openai/gpt-4.1", "google/gemini-3.1-pro-preview",
    "openrouter/moonshotai/kimi-k2.5", "openrouter/z-ai/glm-4.6", "openrouter/meta/muse-spark-1.3",
    "openrouter/arcee-ai/trinity-large-thinking", "opencode/big-pickle",
)  # fmt: skip
"""Models that are offered by name, at least one for each base text."""


class OpenCode(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    wire = Wire
    extra: Mapping[str, Json] = {"model_form": "{provider}/{model}", "attended": {"entry": "interactive"}}
    roots = Feature("gather.gathering")
    after = Feature("after")

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {name: name for name in _OFFERED}

    # --- features (features.py) -----------------------------------------------------------------------

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        """The instruction files of folders below the start folder, of each the first name."""
        found = named_below(workspace, inputs.workspace, files, NAMES)
        return tuple(LazyFile.of_folder(paths[0], "agents-md", folder) for folder, paths in found)

    def params_from_request(self, content: Content) -> Mapping[str, Json]:
        """The model's whole name, the agent of a reminder, attached files, and a prompt that `run` put into quotes."""
        texts = [block.text for message in content.messages for block in message.blocks]
        told = {**super().params_from_request(content)}
        calls = [json.loads(match[1]) for text in texts if (match := _CALLED.fullmatch(text))]
        told |= {"files": [_attached(call) for call in calls]} if calls else {}
        said = [text for text in texts if text[:1] != "<" and not text.startswith(_OF_FILES)]
        typed = said[-1] if said else ""
        is_quoted = typed[:1] == typed[-1:] == '"' and " " in typed
        return {**told, "prompt": typed[1:-1].replace('\\"', '"') if is_quoted else typed}


_CALLED = re.compile(r"Called the Read tool with the following input: (\{.*\})")
_OF_FILES = ("Called the Read tool", "Image read successfully")


def _attached(call: Mapping[str, Json]) -> str:
    first, most = call.get("offset"), call.get("limit")
    lines = f"?start={first}&end={first + most - 1}" if first and most else f"?start={first}" if first else ""
    return f"{call.get('filePath')}{lines}"


OPENCODE = OpenCode()
