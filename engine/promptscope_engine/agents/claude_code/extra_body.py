"""CLAUDE_CODE_EXTRA_BODY: an object of JSON that is laid over the body of each request, key by key [asked of 2.1.332].

What it gives takes the place of all that would be there; any other text counts for nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.settings import mapping, object_in
from promptscope_engine.agents.kit.text.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Setting
from promptscope_engine.prompt.drafts import Place, SectionDraft, ToolDraft, param_value
from promptscope_engine.prompt.model import Lever
from promptscope_engine.prompt.sourced import Sourced

NAME = "CLAUDE_CODE_EXTRA_BODY"
_GROUP = "Extra body"


class ExtraBody(Struct, frozen=True):
    """What the variable gives the body."""

    variable: Sourced[str]
    values: Mapping[str, Json] = {}

    @classmethod
    def of(cls, variable: Sourced[str]) -> "ExtraBody":
        """The object in a variable."""
        return cls(variable, object_in(variable.value) or {})

    @property
    def model(self) -> str:
        """The model that the request names, "" for the agent's own."""
        return str(self.values.get("model") or "")

    def sections(self, drafts: Iterable[SectionDraft]) -> Iterator[SectionDraft]:
        """Those of the agent, absent where the variable gives their part of the body; and what it gives."""
        yield from (replace(each, when=each.when & self._left(each.place.channel)) for each in drafts)
        system, said = self.values.get("system"), self.values.get("messages")
        for number, text in enumerate(_texts(system)):
            yield self._section(f"system {number + 1}", text, Place(f"extra {number}"))
        for number, message in enumerate(said if isinstance(said, list) else ()):
            role = mapping(message).get("role")
            for text in _texts(mapping(message).get("content")):
                place = Place(f"extra {number}", number, _ROLES.get(str(role), "user"))
                yield self._section(f"message {number + 1}", text, place)

    def tools(self, drafts: Iterable[ToolDraft]) -> tuple[ToolDraft, ...]:
        """The same of tools."""
        given = self.values.get("tools")
        left = (replace(each, when=each.when & self._left("tools")) for each in drafts)
        return (*left, *(self._tool(mapping(each)) for each in (given if isinstance(given, list) else ())))

    def _left(self, key: str) -> Condition:
        """The part of the body is the agent's own."""
        if key not in self.values:
            return ALWAYS
        overlay = self.variable.source.overlay
        off = Lever(overlay, "") if overlay else None
        return Setting(
            self.variable.source, True, "is", False, "", f"`{NAME}` puts another `{key}` in its place", on=off
        )

    def _section(self, what: str, text: str, place: Place) -> SectionDraft:
        return SectionDraft(f"extra_body.{what}", f"{_GROUP}, {what}", (param_value(f"env.{NAME}", text),), place=place)

    def _tool(self, tool: Mapping[str, Json]) -> ToolDraft:
        described = (param_value(f"env.{NAME}", str(tool.get("description") or "")),)
        schema = tool.get("input_schema")
        return ToolDraft(
            str(tool.get("name")), _GROUP, described, parameters=parameters_of(schema), input_schema=schema
        )


_ROLES: Mapping[str, Literal["user", "assistant", "system"]] = {"assistant": "assistant", "system": "system"}


def _texts(content: Json) -> Iterator[str]:
    """A text, or the texts of blocks."""
    for block in content if isinstance(content, list) else [content]:
        text = block if isinstance(block, str) else mapping(block).get("text")
        if isinstance(text, str):
            yield text
