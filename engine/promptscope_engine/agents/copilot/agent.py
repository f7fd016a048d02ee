"""GitHub Copilot CLI 1.0.102: how the package is put together, and from placed sections and tools to a body."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.copilot.gather.gathering import gather
from promptscope_engine.agents.copilot.gather.session import copilot_home, extra_folders, start_folder
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn, Feature
from promptscope_engine.agents.kit.command_line import options_from_argv
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.drafts import Layout, Place, Window
from promptscope_engine.prompt.model import Section, Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import BodyRequest

from .gates import is_claude, table
from .materials import Materials
from .params import CopilotParams
from .sections import all_sections
from .texts import FOLDER
from .tools import tool_drafts, wire_of

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content


class Wire(Struct, frozen=True):
    """A `Layout`: the body in the protocol of the provider."""

    materials: Materials

    def __call__(self, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> BodyRequest:
        """The request."""
        m = self.materials
        system = [part for part in sections if part[0].message is None]
        messages = [*self._messages([part for part in sections if part[0].message is not None])]
        body: dict[str, Json] = {"model": m.options["model"]}
        if m.protocol == "messages":
            body["system"] = [{**_text(block), **self._cached()} for block in _blocks(system)]
            body["messages"] = messages
        elif m.protocol == "completions":
            body["messages"] = [{"role": "system", "content": _joined(system)}, *messages]
        elif m.split:
            parts = [{"type": "input_text", "text": _joined(block)} for block in _blocks(system)]
            body["input"] = [{"role": "system", "content": parts, "type": "message"}, *messages]
        else:
            body |= {"instructions": _joined(system), "input": messages}
        wired = [wire_of(m.protocol, tool.name)(tool.description, tool.input_schema) for tool in tools]
        if wired and m.protocol == "messages":
            wired[-1] = {**wired[-1], **self._cached()}
        return BodyRequest({**body, **({"tools": wired} if wired else {}), **m.options})

    def _cached(self) -> Mapping[str, Json]:
        """The breakpoint of a part that a Claude's service is asked to cache."""
        return {"cache_control": {"type": "ephemeral"}} if is_claude(self.materials.model) else {}

    def _messages(self, sections: Sequence[tuple[Place, Section]]) -> Iterator[dict[str, Json]]:
        """A message for each number; in Anthropic's shape the first two are one, of which the last text is cached."""
        m = self.materials
        grouped = {number: [*group] for number, group in groupby(sections, key=lambda pair: pair[0].message)}
        if m.protocol == "messages":
            before = [_text(group) for number, group in grouped.items() if number == 0]
            for number, group in grouped.items():
                if number:
                    parts = [*(before if number == 1 else ()), _text(group), *self._attached(number)]
                    yield {"role": "user", "content": [*parts[:-1], {**parts[-1], **self._cached()}]}
            return
        for number, group in grouped.items():
            text, attached = _joined(group), self._attached(number)
            if m.protocol == "responses":
                said = [{"type": "input_text", "text": text}, *attached]
                yield {"role": "user", "content": said, "type": "message"}
            else:
                yield {"role": "user", "content": [{"type": "text", "text": text}, *attached] if attached else text}

    def _attached(self, number: int | None) -> list[dict[str, Json]]:
        """The images that go with the prompt, as the protocol has them."""
        if number != 1:
            return []
        m, found = self.materials, []
        for url in m.attached:
            kind, _, data = url.removeprefix("data:").partition(";base64,")
            forms: Mapping[str, dict[str, Json]] = {
                "messages": {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}},
                "responses": {"type": "input_image", "image_url": url},
                "completions": {"type": "image_url", "image_url": {"url": url}},
            }
            found.append(forms[m.protocol])
        return found


def _joined(sections: Sequence[tuple[Place, Section]]) -> str:
    return joined(texts_of(section for _, section in sections))


def _text(sections: Sequence[tuple[Place, Section]]) -> dict[str, Json]:
    return {"type": "text", "text": _joined(sections)}


def _blocks(sections: Sequence[tuple[Place, Section]]) -> Iterator[list[tuple[Place, Section]]]:
    yield from ([*group] for _, group in groupby(sections, key=lambda pair: pair[0].block))


def wire(gathered: Gathered[Materials]) -> Layout:
    """The layout of a scenario."""
    return Wire(gathered.materials)


class Copilot(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    params = CopilotParams
    trusted: Mapping[str, Json] = {"args.trustFolder": True, "login": True}
    attended: Mapping[str, Json] = {"entry": "interactive", "login": True}
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    sections = staticmethod(all_sections)
    layout = staticmethod(wire)
    lazy_files = Feature("gather.instructions")

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {name: name for name in table("models")}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params and the environment name outside workspace and home."""
        params, cwd = cast(CopilotParams, inputs.params), start_folder(inputs)
        named = (*params.args.addDir, *params.args.pluginDir, *params.args.attachment)
        named += tuple(each[1:] for each in params.args.additionalMcpConfig if each.startswith("@"))
        own = (os.path.normpath(os.path.join(cwd, each)) for each in named)  # noqa: PTH118
        return (copilot_home(inputs), *own, *extra_folders(inputs))

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The window that the provider's limit names; where it compacts was not recorded."""
        return Window(gathered.materials.window, compaction="it was not recorded where it compacts")

    # --- features (features.py) -----------------------------------------------------------------------

    def started_by(self, command: Sequence[str], _user_agent: str) -> Mapping[str, Json]:
        """Without `-p` the session is in a terminal."""
        headless = not command or any(re.match(r"(-p|--prompt)(=|\Z)", word) for word in command)
        said = options_from_argv(command, fields_of(CopilotParams), FOLDER.agent["command_line"])
        return {"entry": "prompt" if headless else "interactive", **said}

    def params_from_request(self, content: "Content") -> Mapping[str, Json]:
        """The provider by the protocol."""
        kinds = {"anthropic": {"env.COPILOT_PROVIDER_TYPE": "anthropic"}}
        kinds |= {"responses": {"env.COPILOT_PROVIDER_WIRE_API": "responses"}}
        return kinds.get(content.protocol, {})

    def servers(self, content: "Content") -> Sequence[McpServer]:
        """The servers whose tools a request has: what is none of the client's own, up to the first dash."""
        found: dict[str, list[dict[str, Json]]] = {}
        for tool in content.tools:
            server, dash, name = tool.name.partition("-")
            if dash:
                described = {"name": name, "description": tool.description, "inputSchema": tool.schema}
                found.setdefault(server, []).append(described)
        return [McpServer(name=name, tools=tools) for name, tools in found.items()]


COPILOT = Copilot()
