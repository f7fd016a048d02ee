"""GitHub Copilot CLI 1.0.102: how the package is put together, and from placed sections and tools to a body."""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct

from promptscope_engine.agents.copilot.gather.session import (
    INSTRUCTIONS_DIRS,
    SKILLS_DIRS,
    copilot_home,
    folders_named,
    start_folder,
)
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn, Feature, Placed, messages, system_blocks
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.model import Tool, texts_of
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.protocols import image, message_of, tool_of
from promptscope_engine.wire.request import BodyRequest

from .materials import MODELS, Materials
from .texts import FOLDER

_CACHED: dict[str, Json] = {"type": "ephemeral"}


class Wire(Struct, frozen=True):
    """A `Layout`: the body in the protocol of the provider. What a Claude's service is to cache has a mark."""

    materials: Materials

    def __call__(self, sections: Sequence[Placed], tools: Sequence[Tool]) -> BodyRequest:
        """The request."""
        m = self.materials
        said = [message_of(m.protocol, each) for each in self._messages(sections)]
        wired = [tool_of(m.protocol, tool.name, tool.description, tool.input_schema) for tool in tools]
        marks = {"system": _CACHED, "second": _CACHED} if m.protocol == "messages" and m.model.traits["claude"] else {}
        blocks = system_blocks(sections, marks)
        whole = joined(texts_of(section for place, section in sections if place.message is None))
        body: dict[str, Json] = {"model": m.options["model"]}
        if m.protocol == "messages":
            body |= {"system": [*blocks], "messages": said}
            for part in (*(each["content"][-1] for each in said), *wired[-1:]) if marks else ():
                part["cache_control"] = _CACHED
        elif m.protocol == "chat":
            body["messages"] = [{"role": "system", "content": whole}, *said]
        elif m.split:
            body["input"] = [message_of(m.protocol, {"role": "system", "content": blocks}), *said]
        else:
            body |= {"instructions": whole, "input": said}
        return BodyRequest({**body, **({"tools": wired} if wired else {}), **m.options})

    def _messages(self, sections: Sequence[Placed]) -> list[dict[str, Json]]:
        """A message for each number, the prompt with its images; in Anthropic's shape what hooks add is part of it."""
        m = self.materials
        images = {"prompt": [image(m.protocol, *each) for each in m.attached]}
        made = messages(sections, behind=images)
        if m.protocol == "messages" and any(place.block == "hook" for place, _ in sections):
            hook, prompt, *others = made
            return [{**prompt, "content": [*hook["content"], *prompt["content"]]}, *others]
        return made


class Copilot(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    wire = Wire
    extra: Mapping[str, Json] = {
        "trusted": {"args.trustFolder": True, "login": True},
        "attended": {"entry": "interactive", "login": True},
    }
    lazy_files = Feature("gather.instructions")
    after = Feature("after")

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {name: name for name in MODELS}

    def roots(self, inputs: Inputs) -> tuple[str, ...]:
        """What the params and the environment name outside workspace and home."""
        args, cwd = inputs.params.args, start_folder(inputs)
        configs = (each[1:] for each in args.additionalMcpConfig if each.startswith("@"))
        own = (resolve(cwd, each) for each in (*args.addDir, *args.pluginDir, *args.attachment, *configs))
        further = (folders_named(inputs, name) for name in (INSTRUCTIONS_DIRS, SKILLS_DIRS))
        moved = inputs.env.get("XDG_CONFIG_HOME")
        return (
            copilot_home(inputs),
            cwd,
            *own,
            *([f"{moved}/.copilot"] if moved else ()),
            *chain.from_iterable(further),
        )


COPILOT = Copilot()
