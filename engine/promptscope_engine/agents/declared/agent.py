"""An agent that a file defines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Adapter, Gathered
from promptscope_engine.agents.description import Description
from promptscope_engine.agents.kit.built_in import messages, system_text
from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Layout, Place, SectionDraft, ToolDraft, Window
from promptscope_engine.prompt.model import Section, Tool
from promptscope_engine.prompt.model import texts_of as texts
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import AnyRequest, ChatRequest, Request, ResponsesRequest, chat_tool, wire_tool
from promptscope_engine.workspace import Workspace

from .definition import Protocol, params_of
from .gather import gather
from .materials import Materials
from .reading import Places, Read, own_folder, read_definition
from .sections import section_drafts
from .tables import NO_SCHEMA
from .texts import texts_of

FILE = "promptscope-agent.toml"
"""The definition of a workspace, at its root."""


@dataclass(frozen=True, slots=True)
class Declared(Adapter[Materials]):
    """The steps of the plan, over a definition."""

    read: Read
    id: str
    name: str
    versions: tuple[str, ...]
    params: type[Params]
    about: Description

    def mistakes(self, inputs: Inputs, workspace: Workspace) -> Sequence[ScenarioError]:
        """What is wrong with its texts."""
        return texts_of(self.read, self.params, Places.of(self.read.path, inputs, workspace)).mistakes

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        model = self.read.definition.model
        return {model: "of the definition"} if model else {}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params name outside workspace and home."""
        folder = own_folder(self.read.path, inputs.home)
        return (folder,) if folder else (self.read.path,)

    def gather(self, inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
        """Everything that sections and tools need."""
        return gather(inputs, workspace, self.read, self.params)

    def tools(self, materials: Materials) -> tuple[ToolDraft, ...]:
        """A draft for each tool, the absent ones too; those with files of their own come first."""
        shape = SHAPES[materials.protocol]
        own, conditions = materials.own, materials.conditions
        found = []
        for drafted in (own.own_tool(name, conditions.scope) for name in own.headings):
            sent = drafted.input_schema or NO_SCHEMA
            wire = partial(shape, drafted.name)
            found.append(replace(drafted, wire=wire, input_schema=sent, reference=None))
        for listed in materials.tools:
            name, schema = listed.name, listed.schema
            draft = ToolDraft(name, listed.group, listed.description, conditions.offered(name), parameters_of(schema))
            found.append(replace(draft, input_schema=schema, wire=partial(shape, name)))
        return tuple(found)

    def sections(self, materials: Materials, _tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
        """A draft for each section, the absent ones too, those of the system prompt first."""
        return section_drafts(materials)

    def layout(self, gathered: Gathered[Materials]) -> Layout:
        """How sections and tools become the request."""
        return partial(_laid_out, gathered.materials)

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        return gathered.materials.window


Shape = Callable[[str, str, Json], dict[str, Json]]


SHAPES: Mapping[Protocol, Shape] = {
    "anthropic": wire_tool,
    "chat": chat_tool,
    "responses": lambda name, description, parameters: {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": parameters,
    },
}


def _laid_out(materials: Materials, sections: Sequence[tuple[Place, Section]], tools: Sequence[Tool]) -> AnyRequest:
    """Sections and tools to the wire, in the shape that the definition asks for."""
    shape = SHAPES[materials.protocol]
    sent = tuple(shape(tool.name, tool.description, tool.input_schema) for tool in tools)
    match materials.protocol:
        case "chat":
            said = tuple({"role": role, "content": text} for role, text in _said(sections))
            return ChatRequest(materials.model, said, sent or None)
        case "responses":
            texts = ((role, [{"type": "input_text", "text": text}]) for role, text in _said(sections))
            items = tuple({"type": "message", "role": role, "content": content} for role, content in texts)
            return ResponsesRequest(materials.model, input=items, tools=sent or None)
    system = system_text(sections) if any(place.message is None for place, _ in sections) else ()
    return Request(system, tuple(messages(sections)), sent)


def _said(sections: Sequence[tuple[Place, Section]]) -> Iterator[tuple[str, str]]:
    """Each message as one text."""
    for (_, message, role), group in groupby(sections, key=lambda pair: (pair[0].block, pair[0].message, pair[0].role)):
        yield "system" if message is None else role, joined(texts(section for _, section in group))


def declared(path: str, workspace: Workspace) -> Declared:
    """The agent that a file defines; the same object until the file is saved. Raises ScenarioError."""

    def made() -> Declared:
        read = read_definition(path, workspace)
        said, about = read.definition, Description(own_files=(FILE,), definition=path)
        return Declared(read, said.id, said.name or said.id, read.versions, params_of(said.params), about)

    return workspace.memo(("definition", path), made, tracked=True)
