"""Codex CLI: how the package is put together, and from placed sections and tools to a Responses request."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.codex.gather.gathering import codex_home
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn, Feature
from promptscope_engine.agents.kit.sessions.command_line import options_from_argv
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import EDITED_TOOLS, Place, Window
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import TOOL_CARRIER, ResponsesRequest
from promptscope_engine.workspace.paths import path_in

from .gates import CHATGPT, COMPACT_PERCENT, USABLE_PERCENT, models
from .materials import Materials
from .texts import FOLDER
from .tools import function, namespace_texts, rows

_BODY = "by what follows the prefix alone (`model_auto_compact_token_limit_scope`): how much that is, is not known here"


class Wire(Struct, frozen=True):
    """A `Layout`: items of neighbouring parts, and the tools where the model expects them."""

    materials: Materials
    chatgpt: bool

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> ResponsesRequest:
        """The request."""
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
                    # classic models look at images as they are, lite ones are not told
                    detail = {} if self.materials.model.lite else {"detail": "original"}
                    content.append({"type": "input_image", "image_url": images[name].url, **detail})
            yield {"type": "message", "role": role, "content": content}

    def _tools(self, tools: Sequence[Tool]) -> Iterator[dict[str, Json]]:
        """The tools in order; neighbours of one namespace are one entry."""
        wires = {row.name: row.wire for row in rows(self.materials)}
        texts = namespace_texts(self.materials)
        sent = [tool for tool in tools if tool.section is None]
        for namespace, group in groupby(sent, key=lambda tool: tool.name.rpartition(".")[0]):
            made = []
            for tool in group:
                own = wires.get(tool.name) if tool.group != EDITED_TOOLS else None
                wire = own or function(tool.name.rpartition(".")[2])
                made.append(wire(tool.description, tool.input_schema))
            if not namespace:
                yield from made
            else:
                said = {"description": texts[namespace]} if namespace in texts else {}
                yield {"type": "namespace", "name": namespace, **said, "tools": made}


def wire(gathered: Gathered[Materials]) -> Wire:
    """The layout of a scenario."""
    return Wire(gathered.materials, CHATGPT.holds(gathered.facts))


class Codex(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    extra: Mapping[str, Json] = {
        "trusted": {"args.trust": True},
        "attended": {"entry": "interactive"},
        "in_slashes": ("skills",),  # as users on Windows see it; all else has what the system has
    }
    layout = staticmethod(wire)

    def models(self, version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {slug: slug for slug in models(version)}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        params = inputs.params
        named = [path_in(inputs.workspace, path) for path in params.args.images]
        system = () if inputs.managed else ("/etc/codex",)
        return (codex_home(inputs), *named, *system)

    def window(self, gathered: Gathered[Materials]) -> Window:
        """What the session is shown, and the total at which it compacts: the setting if it comes first [asked]."""
        m = gathered.materials
        compact_at = m.window * COMPACT_PERCENT // 100
        compact_at = compact_at if m.compact_limit is None else min(compact_at, m.compact_limit)
        size = m.window * USABLE_PERCENT // 100
        return Window(size, 0, None, compaction=_BODY) if m.counts_body else Window(size, 0, compact_at)

    after = Feature("after")

    # --- features (features.py) -----------------------------------------------------------------------

    def started_by(self, command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
        """The session in a terminal calls itself `codex-tui` in its header."""
        in_terminal = "tui" in user_agent if user_agent else bool(command) and not {"exec", "e"} & set(command)
        return {
            "entry": "interactive" if in_terminal else "exec",
            **options_from_argv(command, fields_of(self.params), FOLDER.agent["command_line"]),
        }


CODEX = Codex()
