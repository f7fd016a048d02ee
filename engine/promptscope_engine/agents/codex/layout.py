"""From placed sections and tools to a request of the Responses API (specs/codex.md 1.2 - 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import EDITED_TOOLS, Place
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.responses import TOOL_CARRIER, ResponsesRequest

from .gates import CHATGPT
from .materials import Materials
from .tools import function, namespace_texts, rows


@frozen(slots=False)
class Wire:
    """A `Layout`: items of neighbouring parts, and the tools where the model expects them."""

    materials: Materials
    chatgpt: bool

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> ResponsesRequest:
        m = self.materials
        items = list(self._items(sections))
        sent = tuple(self._tools(tools))
        if m.model.lite:
            items.insert(0, {"type": TOOL_CARRIER, "role": "developer", "tools": list(sent)})
            if self.chatgpt:
                items.append({"type": "configuration_update"})
        return ResponsesRequest(input=tuple(items), tools=None if m.model.lite else sent, **m.options)

    def _items(self, sections: Sequence[tuple[Place, Section]]) -> Iterator[dict[str, Json]]:
        """A message for each number, a text for each block of it."""
        images = {f"image.{image.number}": image for image in self.materials.images if image.url}
        for (_, role), group in groupby(sections, key=lambda pair: (pair[0].message, pair[0].role)):
            content: list[dict[str, Json]] = []
            for name, block in groupby(group, key=lambda pair: pair[0].block):
                content.append({"type": "input_text", "text": joined(texts_of(section for _, section in block))})
                if name in images:
                    content.append(self._image(images[name].url))
            yield {"type": "message", "role": role, "content": content}

    def _image(self, url: str) -> dict[str, Json]:
        """Classic models look at images as they are, lite ones are not told (10.2)."""
        image: dict[str, Json] = {"type": "input_image", "image_url": url}
        return image if self.materials.model.lite else {**image, "detail": "original"}

    def _tools(self, tools: Sequence[Tool]) -> Iterator[dict[str, Json]]:
        """The tools in order; neighbours of one namespace are one entry."""
        wires = {row.name: row.wire for row in rows(self.materials)}
        texts = namespace_texts(self.materials)
        sent = [tool for tool in tools if tool.section is None]
        for namespace, group in groupby(sent, key=lambda tool: tool.name.rpartition(".")[0]):
            made = []
            for tool in group:
                own = tool.group != EDITED_TOOLS
                wire = wires[tool.name] if own else function(tool.name.rpartition(".")[2])
                assert wire is not None
                made.append(wire(tool.description, tool.input_schema))
            if not namespace:
                yield from made
            else:
                said = {"description": texts[namespace]} if namespace in texts else {}
                yield {"type": "namespace", "name": namespace, **said, "tools": made}


def wire(gathered: Gathered[Materials]) -> Wire:
    """The layout of a scenario."""
    return Wire(gathered.materials, CHATGPT.holds(gathered.facts))
