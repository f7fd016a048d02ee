"""What agent.toml says of a built-in agent: its account of the window, its caching, its features.

`[account]` lists the rows for an agent that prints no account itself, in their order. `sections` are ids, or
beginnings of ids up to a dot or colon; a section below one belongs to it too. `channel` takes the rest of a channel,
`messages` the rest of all. `server_tool` is the pattern of servers' tools in the group MCP.

A service that caches by prefix keeps the request up to the first text that changes, if the agent sends one system text
and no breakpoints. `[caching.EVENT]` is what can happen in a session: the `name` people use, and the `rules`, of which
the first one that fits says the effect on a section, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import ValidationError, convert

from promptscope_engine.agents.adapter import Adapter, BodyKey, Gathered
from promptscope_engine.agents.description import Description
from promptscope_engine.agents.features import CacheEffect, Category, ContextReport, Forecast
from promptscope_engine.agents.transcripts import Turn
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import Params, fields_of, variable
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.drafts import Layout, Place, Window
from promptscope_engine.prompt.model import Assembly, Lever, Section, Tool, texts_of
from promptscope_engine.prompt.positions import offset_of, tokens_before
from promptscope_engine.tokens.measured import version_numbers
from promptscope_engine.wire.joined import joined
from promptscope_engine.wire.request import Request, wire_tool

from .disk.rows import Reads, moved_away
from .disk.servers import sent_servers
from .sessions.command_line import entry_from_argv, options_from_argv
from .text.folder import Folder
from .text.sources import FolderError, Table

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.model import Content

Placed = tuple[Place, Section]
Cache = dict[str, Json]


def system_blocks(placed: Iterable[Placed], cache: Mapping[str, Cache]) -> tuple[dict[str, Json], ...]:
    """The text blocks of the system field, each with the cache_control that `cache` has for its block's name."""
    return tuple(_blocks((pair for pair in placed if pair[0].message is None), cache))


def messages(
    placed: Iterable[Placed],
    cache: Mapping[str, Cache] = {},
    roles: Mapping[str, str] = {},
    behind: Mapping[str, Iterable[Cache]] = {},
) -> list[dict[str, Json]]:
    """The messages: sections of one number and role are one. `roles` has those that differ from their places.

    `behind` has the parts that are sent behind the text of a block, such as images.
    """
    found = (pair for pair in placed if pair[0].message is not None)
    made: list[dict[str, Json]] = []
    for (_, role), group in groupby(found, key=lambda pair: (pair[0].message, pair[0].role)):
        content = list(group)
        made.append({"role": roles.get(content[0][0].block, role), "content": list(_blocks(content, cache, behind))})
    return made


def system_text(sections: Sequence[Placed]) -> tuple[dict[str, Json], ...]:
    """The system field of an agent whose whole prompt is one text, empty or not."""
    return ({"type": "text", "text": joined(texts_of(s for place, s in sections if place.message is None))},)


def request_layout(sections: Sequence[Placed], tools: Sequence[Tool]) -> Request:
    """The request of an agent with one system text and no breakpoints."""
    wired = tuple(wire_tool(tool.name, tool.description, tool.input_schema) for tool in tools)
    return Request(system_text(sections), tuple(messages(sections)), wired)


def _blocks(
    placed: Iterable[Placed], cache: Mapping[str, Cache], behind: Mapping[str, Iterable[Cache]] = {}
) -> Iterator[dict[str, Json]]:
    for name, group in groupby(placed, key=lambda pair: pair[0].block):
        block: dict[str, Json] = {"type": "text", "text": joined(texts_of(section for _, section in group))}
        yield {**block, "cache_control": dict(cache[name])} if name in cache else block
        yield from map(dict, behind.get(name, ()))


# --- the request ------------------------------------------------------------------------------------------------------


M = TypeVar("M")


class Feature:
    """A method that is a function (of the same name, if no other is given) in another module of its package.

    No prompt needs it, so the module is imported at the first call (transcripts alone would add 5 ms to `show`).
    """

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = self._name or name

    def __get__(self, agent: BuiltIn[Any], _owner: type) -> Callable[..., Any]:
        """The method. `isinstance` with a protocol asks for every method, so nothing is imported yet."""
        return lambda *given, **named: self.function(agent)(*given, **named)

    def function(self, agent: BuiltIn[Any]) -> Callable[..., Any]:
        """The function behind the method."""
        module = import_module(f"promptscope_engine.agents.{agent.folder.path.name}.{self._module}")
        found: Callable[..., Any] = getattr(module, self._name)
        return found


class BuiltIn(Adapter[M]):
    """An agent with a folder of texts. A subclass names the folder and the params.

    The prompt is built by `gather/gathering.py`, `tools.py` and `sections.py`, unless the subclass says otherwise.
    """

    folder: Folder
    extra: Mapping[str, Json] = {}
    """What its agent.toml does not say, under the names of a `Description`."""
    gather = Feature("gather.gathering")
    tools = Feature("tools", "tool_drafts")
    sections = Feature("sections", "all_sections")

    @property
    def id(self) -> str:
        """The name by which a scenario chooses it."""
        return str(self.folder.agent["id"])

    @property
    def name(self) -> str:
        """The name that people know it by."""
        return str(self.folder.agent["name"])

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that are modelled, oldest first."""
        return self.folder.versions

    @property
    def params(self) -> type[Params]:
        """The model of its inputs."""
        return self.folder.params

    @property
    def about(self) -> Description:
        """What agent.toml declares; the same object until the files change. Raises FolderError."""
        table = self.folder.agent  # first: it drops what was made of other files
        return self.folder.once("about", lambda: self._described({**table, **self.extra}))

    def _described(self, table: Table) -> Description:
        variables = tuple(
            variable(name, said["help"], *said.get("values", ()), group=said.get("group", "Environment"))
            for name, said in table.get("variables", {}).items()
        )
        try:
            return convert({**table, "variables": variables}, Description)
        except ValidationError as error:
            raise FolderError(self.folder.path / self.folder.main, None, str(error)) from None

    def body(self, assembly: Assembly) -> Sequence[BodyKey]:
        """The table `[body]`: `keys` that may be sent, and those that are sent in some `modes` alone.

        `not_in` has the last version that was seen without a key; `handed` what the provider's code is given.
        """
        table = self.folder.agent.get("body", {})
        modes, says, not_in = (table.get(name, {}) for name in ("modes", "says", "not_in"))
        own = [name for name, those in modes.items() if assembly.mode in those]
        shown = version_numbers(assembly.shown_version)
        handed = [
            BodyKey(name, says=text.replace("{mode}", assembly.mode or ""), handed=True)
            for name, text in table.get("handed", {}).items()
        ]
        return handed + [
            BodyKey(name, name in own, says.get(name, ""))
            for name in (*table.get("keys", ()), *own)
            if name not in not_in or version_numbers(not_in[name]) < shown
        ]

    def unread(self, inputs: Inputs, path: str) -> str:
        """Why a file that is in no row is not read."""
        agent, home = self.folder.agent, inputs.home
        return moved_away(agent, inputs.env, home, path) or Reads.of(agent, inputs.agent_version, home).sentence(path)

    def sequence(self, kind: str) -> str:
        """What `[reads.sequence]` says of a kind."""
        return str(self.folder.agent.get("reads", {}).get("sequence", {}).get(kind, ""))

    def started_by(self, command: Sequence[str], _user_agent: str, /) -> Mapping[str, Json]:
        """What `[command_line]` makes of a command line; without one a capture mostly is of a headless run."""
        table = self.folder.agent.get("command_line", {})
        said = entry_from_argv(command, table) if "headless" in table else {}
        return {**said, **options_from_argv(command, fields_of(self.params), table)}

    def params_from_request(self, content: Content, /) -> Mapping[str, Json]:
        """What the rows of `[[from_request]]` find."""
        return told_by(content, self.folder.agent.get("from_request", ()))

    def servers(self, content: Content, /) -> Sequence[McpServer]:
        """The servers whose tools a request has, by how their names are put together (`[sent_servers]`).

        `says` is how the system text has what one says of itself, behind `indent` in each line: its name and the text.
        With `told` only such servers are known.
        """
        named = {**self.folder.agent.get("sent_servers", {})}
        said, indent, told = named.pop("says", ""), named.pop("indent", ""), named.pop("told", False)
        found = (m for block in content.system for m in (re.finditer(said, block.text) if said else ()))
        texts = {m[1]: re.sub(rf"(?m)^{indent}", "", m[2]) for m in found}
        starts = tuple(f"{named['prefix']}{name}{named['separator']}" for name in texts) if told else ("",)
        tools = (tool for tool in content.tools if tool.name.startswith(starts))
        return sent_servers(tools, (), texts, **named) if named else ()

    transcript_files = Feature("transcripts")
    is_transcript = Feature("transcripts")
    transcript_reader = Feature("transcripts", "Reader")

    wire: Callable[[M], Layout] | None = None
    """What makes the layout of the materials."""

    def layout(self, gathered: Gathered[M], /) -> Layout:
        """The agent's own, else one system text, messages and tools, in Anthropic's shape."""
        return self.wire(gathered.materials) if self.wire else request_layout

    def window(self, gathered: Gathered[M]) -> Window:
        """The window that was gathered."""
        materials: Any = gathered.materials
        found: Window = materials.window
        return found

    def continue_from(self, _path: str, _turn: Turn) -> tuple[Lever, ...]:
        """No input takes up a conversation."""
        return ()


def told_by(content: Content, rows: Iterable[Table]) -> dict[str, Json]:
    """The params that rows find in a request: the first place that fits a pattern, in `system`, `messages`, `protocol`.

    The param is the pattern's group, made a list where the row has a `split`, or the row's `value`.
    """
    said: dict[str, list[str]] = {
        "protocol": [content.protocol],
        "system": [block.text for block in content.system],
        "messages": [block.text for message in content.messages for block in message.blocks],
    }
    told: dict[str, Json] = {}
    for row in rows:
        where = next(name for name in said if name in row)
        found = next(filter(None, (re.search(row[where], text) for text in said[where])), None)
        if found is not None:
            text = row["value"] if "value" in row else found[1]
            told[row["param"]] = text.split(row["split"]) if "split" in row else text
    return told


class Accounted:
    """A subclass has the folder."""

    folder: Folder

    def context(self, assembly: Assembly, _params: Mapping[str, Json]) -> ContextReport:
        """Where the tokens of the first request go, and where the conversation is compressed."""
        table, window = self.folder.agent["account"], assembly.tokens
        tokens = dict.fromkeys((row["name"] for row in table["rows"]), 0)
        for name, part in _parts(assembly, table):
            tokens[name] += part.expected_tokens or 0
        rows = [Category(row["name"], tokens[row["name"]], kind=row["kind"]) for row in table["rows"]]
        free = max(window.window - window.reserve - sum(tokens.values()), 0)
        rows.append(Category("Free space", free, used=False, kind="free"))
        return ContextReport(
            tuple(row for row in rows if row.tokens), window.window, window.reserve, window.compact_at,
            remark=table.get("remark", ""), compaction=window.compaction,
        )  # fmt: skip


def _parts(assembly: Assembly, table: Table) -> Iterator[tuple[str, Section | Tool]]:
    """The sections and tools that are sent by themselves, each with its row."""
    of_server = re.compile(table["server_tool"])
    yield from ((_row(each, table), each) for each in assembly.sections if each.present)
    for tool in assembly.tools:
        if tool.present and tool.section is None:
            yield "MCP tools" if tool.group == "MCP" and of_server.search(tool.name) else "Tools", tool


def _row(section: Section, table: Table) -> str:
    for name in (section.id, section.parent or ""):
        for row in table["rows"]:
            if any(name.startswith(own) if own[-1] in ".:" else name == own for own in row.get("sections", ())):
                return str(row["name"])
    return next(str(row["name"]) for row in table["rows"] if row.get("channel") in (section.channel, "messages"))


def _is_for(rule: Table, section: Section, version: str) -> bool:
    return (
        rule.get("version", version) == version
        and rule.get("stability", section.stability) == section.stability
        and rule.get("channel", section.channel) == section.channel
        and rule.get("id", section.id) == section.id
        and section.id.startswith(rule.get("begins", ""))
        and rule.get("holds", "") in section.id
    )


NO_TEXT = "none of its text is in the request; if it is a setting, what it decides may change any part"


def in_request(assembly: Assembly) -> list[Section]:
    """The present sections of the system text and of the messages, in the order of the request."""
    return [s for channel in ("system", "messages") for s in assembly.sections if s.present and s.channel == channel]


def characters_before(section: Section, path: str) -> int:
    """Characters of a section before the first fragment that the file gives."""
    before = takewhile(lambda fragment: fragment.origin.path != path, section.fragments)
    return sum(len(fragment.text) for fragment in before)


class CachedByOrder:
    """A subclass has the folder."""

    folder: Folder

    @property
    def events(self) -> Mapping[str, str]:
        """What can happen in a session, as people call it."""
        return {event: each["name"] for event, each in self.folder.agent["caching"].items()}

    def cache_effect(self, assembly: Assembly, section: Section, event: str) -> CacheEffect:
        """What an event does to a section: the first of its rules that fits."""
        rules, version = self.folder.agent["caching"][event]["rules"], assembly.agent_version
        rule = next(rule for rule in rules if _is_for(rule, section, version))
        return CacheEffect(rule["effect"], rule["why"])

    def boundary(self, assembly: Assembly) -> str | None:
        """The first present section of the system text that may change, behind fixed ones; None without fixed ones."""
        system = [s for s in assembly.sections if s.present and s.channel == "system"]
        first = next((n for n, section in enumerate(system) if section.stability != "static"), 0)
        return system[first].id if first else None

    def forecast(self, assembly: Assembly, path: str) -> Forecast:
        """How many leading tokens of the request stay cached if the file at `path` (as shown) changes."""
        total = assembly.tokens.expected or 0
        section = next((s for s in in_request(assembly) if any(f.origin.path == path for f in s.fragments)), None)
        if section is None:
            return Forecast(None, total, total, total, NO_TEXT)
        start = offset_of(assembly, section) + characters_before(section, path)
        before = tokens_before(assembly, section.channel, start)
        note = "as far as the request begins alike; a service with breakpoints keeps it up to the last one before"
        return Forecast(section.id, before, before, total, f"{note} the change")
