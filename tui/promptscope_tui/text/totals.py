"""How what a pane or a command lists adds up to the total of the prompt, `tokens.expected`: parts with labels.

Every sum ends with the same figure, the one in the header. What a pane counts differently has a part of its own.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.features import AgentReport
from promptscope_engine.prompt.model import Assembly, Confidence, Section, Server, SourceFile, Tool
from promptscope_engine.wire.request import wire_json

from .reasons import plain_reason
from .words import many, number, total, total_mark

ELSE = "everything else"
_WHOLE = "the whole request"
_CHANNELS = {"system": "system prompt", "messages": "messages", "tools": "tools beside them"}


class TotalPart(Struct, frozen=True):
    """A part of the total, or the total itself: expected tokens, None while they are not counted."""

    label: str
    tokens: int | None


class Sum(Struct, frozen=True):
    """Parts that add up to `tokens`, the total of the prompt. `mark` says whether it is exact."""

    parts: tuple[TotalPart, ...]
    tokens: int | None
    mark: str

    def lines(self) -> tuple[str, ...]:
        """A line for each part and one for the total, the numbers aligned."""
        counts = [*((number(part.tokens), part.label) for part in self.parts)]
        counts.append((f"{self.mark}{number(self.tokens)}", _WHOLE))
        width = max(len(count) for count, _ in counts)
        return tuple(f"{count:>{width}} tok  {label}" for count, label in counts)


def tools_sum(assembly: Assembly) -> Sum:
    """The tools as they are sent beside the prompt, those that its sections describe, and everything else."""
    beside, inside = assembly.tools_beside, tools_inside(assembly)
    told = [tool for tool in assembly.tools if tool.present and tool.section is not None]
    described = [tool for tool in told if tool not in inside]
    parts = []
    if described:
        parts.append(TotalPart("tools, described in sections of the prompt", _expected(described)))
    if beside:
        others = ", ".join(dict.fromkeys(str(tool.section) for tool in inside))
        within = (
            f", {number(_expected(inside))} of it for {len(inside)} tools in the text of {others}" if inside else ""
        )
        parts.append(TotalPart(f"tools, sent beside the prompt{within}", _expected(beside)))
    lines = total(tool.tokens.prompt for tool in beside)
    label = f"{ELSE}, with {number(lines)} tok of lines that name these tools" if lines else ELSE
    return _with_rest(parts, label, assembly)


class ToolParts(Struct, frozen=True):
    """What a tool's expected tokens are made of: its description and its schema; None while they are not counted."""

    description: int | None
    schema: int | None


def tool_parts(tool: Tool) -> ToolParts:
    """The parts of a tool, which add up to its expected tokens: divided by characters where both are one JSON text."""
    whole = tool.expected_tokens
    if whole is None or not tool.tokens.schema or tool.input_schema is None:
        return ToolParts(whole, None if whole is None else 0)
    described, schema = len(tool.description), len(wire_json(tool.input_schema))
    part = round(whole * schema / max(described + schema, 1))
    return ToolParts(whole - part, part)


def tools_inside(assembly: Assembly) -> list[Tool]:
    """The present tools that are in the text of another tool, which is sent with them."""
    names = {tool.name for tool in assembly.tools_beside}
    return [tool for tool in assembly.tools if tool.present and tool.section in names]


def files_sum(assembly: Assembly) -> Sum:
    """The files' own text as it is injected, what is around it in the same sections, and everything else."""
    files = [file for file in assembly.files if file.present]
    inside, of_tools = _inside_others(files, assembly), _of_tools(files, assembly)
    own = own_text_of_files(assembly)
    described = described_tools(assembly)
    holding = _expected(s for s in assembly.sections if s.present and holds_file(s) and not is_tool(s, described))
    count = len(files) - len(of_tools)
    imports = f", {len(inside):,} of them inside the file that imports it" if inside else ""
    parts = [TotalPart(f"own text of {many(count, 'file')}, as injected{imports}", own)]
    if own is not None and holding is not None and holding > own:
        parts.append(TotalPart("headings and wording around it, in the same sections", holding - own))
    if of_tools:
        taken = total(file.tokens for file in of_tools)
        parts.append(TotalPart(f"own text of {many(len(of_tools), 'file')} in descriptions of tools", taken))
    return _with_rest(parts, ELSE, assembly)


def own_text_of_files(assembly: Assembly) -> int | None:
    """The tokens of the files' own text as it is injected; what describes tools counts as tools."""
    files = [file for file in assembly.files if file.present]
    inside, of_tools = _inside_others(files, assembly), {file.path for file in _of_tools(files, assembly)}
    return total(file.tokens for file in files if file.path not in inside and file.path not in of_tools)


def _of_tools(files: Sequence[SourceFile], assembly: Assembly) -> list[SourceFile]:
    """The files whose text is in descriptions of tools only: sub-agents, say."""
    described = described_tools(assembly)
    sections = (s for s in assembly.sections if s.present and not is_tool(s, described))
    held = {f.origin.path for section in sections for f in section.fragments if f.origin.kind == "file"}
    inside = _inside_others(files, assembly)
    return [f for f in files if f.tokens and f.path not in inside and not {f.path, f.real_path} & held]


def described_tools(assembly: Assembly) -> frozenset[str]:
    """The sections that describe a tool."""
    return frozenset(tool.section for tool in assembly.tools if tool.section)


def is_tool(section: Section, described: frozenset[str]) -> bool:
    """Whether a section counts as a tool."""
    return section.id in described or section.channel == "tools"


def _inside_others(files: Sequence[SourceFile], assembly: Assembly) -> set[str]:
    """The paths of imports that are in the injected text of the file that imports them, which counts them too."""
    if not any(file.imported_by for file in files):
        return set()
    chars: dict[str | None, int] = {}
    for section in assembly.sections:
        for fragment in section.fragments if section.present else ():
            chars[fragment.origin.path] = chars.get(fragment.origin.path, 0) + len(fragment.text)
    by_path = {file.path: file for file in files}
    found = set()
    for file in files:
        above, seen = by_path.get(file.imported_by or ""), {file.path}
        while above is not None and above.path not in seen:  # an import may itself be imported
            if above.injected_chars - chars.get(above.path, 0) >= file.injected_chars > 0:
                found.add(file.path)
            seen.add(above.path)
            above = by_path.get(above.imported_by or "")
    return found


def channels_sum(assembly: Assembly) -> Sum:
    """The channels of the request."""
    counted = assembly.tokens.expected_by_channel
    parts = [
        TotalPart(label, counted.get(channel)) for channel, label in _CHANNELS.items() if counted.get(channel) != 0
    ]
    return Sum(tuple(parts), assembly.tokens.expected, total_mark(assembly))


def with_total(found: AgentReport, assembly: Assembly) -> AgentReport:
    """An agent's own report with a note on the total, which its own figures need not add up to."""
    whole = channels_sum(assembly)
    parts = ", ".join(f"{number(part.tokens)} {part.label}" for part in whole.parts)
    note = f"the whole request is {whole.mark}{number(whole.tokens)} tok here: {parts}; its own figures are estimates"
    return replace(found, notes=(*found.notes, note))


def sections_sum(assembly: Assembly) -> Sum:
    """The sections, and the tools that none of them describes."""
    parts = [TotalPart("sections of the prompt", _expected(s for s in assembly.sections if s.present))]
    if beside := assembly.tools_beside:
        parts.append(TotalPart("tools, sent beside the prompt", _expected(beside)))
    return Sum(tuple(parts), assembly.tokens.expected, total_mark(assembly))


def holds_file(section: Section) -> bool:
    """Whether some of its text comes from a file."""
    return any(fragment.origin.kind == "file" for fragment in section.fragments)


def own_text(section: Section, assembly: Assembly) -> int | None:
    """The own text of the files in a section, if it holds all that is injected of them; None if it does not."""
    paths = {f.origin.path for f in section.fragments if f.origin.kind == "file"}
    files = [f for f in assembly.files if (f.path in paths or f.real_path in paths) and f.present]
    inside = _inside_others(files, assembly)
    tokens = total(file.tokens for file in files if file.path not in inside)
    if not files or tokens is None or tokens > (section.expected_tokens or 0):
        return None
    others = (f.origin for s in assembly.sections if s is not section for f in s.fragments)
    return None if any(o.path in paths and o.kind == "file" for o in others) else tokens


def family_confidence(section: Section, assembly: Assembly) -> Confidence:
    """The confidence of a section with everything nested in it: that of the first part that is not exact."""
    found = (each.confidence for each in assembly.family(section) if each.present)
    return next((confidence for confidence in found if confidence != "exact"), "exact")


def with_nested(section: Section, assembly: Assembly) -> int | None:
    """A section's tokens with those of everything nested in it."""
    return _expected(each for each in assembly.family(section) if each.present)


def _expected(counted: Iterable[Section | Tool]) -> int | None:
    return total(each.expected_tokens for each in counted)


def _with_rest(parts: Sequence[TotalPart], label: str, assembly: Assembly) -> Sum:
    """The parts, and what they leave out of the total."""
    whole, known = assembly.tokens.expected, total(part.tokens for part in parts)
    rest = None if whole is None or known is None else whole - known
    return Sum((*parts, TotalPart(label, rest)), whole, total_mark(assembly))


GROUP = "MCP server"
"""The group in which servers are listed, and the tools that stand for those that offer nothing."""


def own_tools(assembly: Assembly) -> list[Tool]:
    """The tools without those that stand for a server, which has a row of its own."""
    return [tool for tool in assembly.tools if not assembly.servers or tool.group != GROUP]


def offer(server: Server) -> str:
    """`12 tools, 3 of them deferred`, or that nobody knows."""
    if not server.known:
        return "not asked" if server.configured else "of another agent"
    late = f", {server.deferred:,} of them deferred" if server.deferred else ""
    return f"{many(server.tools, 'tool')}{late}"


def knowledge(server: Server, assembly: Assembly) -> str:
    """Why it offers nothing here, or else how it is known what it offers."""
    return server.known if server.present and server.known else plain_reason(server, assembly)


def cost(server: Server) -> str:
    """`1,204`; nothing for a server that takes no part, since its cost is not known."""
    return number(server.tokens.expected) if server.known else ""


def parts(server: Server) -> str:
    """`84 in the prompt's text, 1,120 for its tools, 412 more once its deferred tools are loaded`."""
    tokens = server.tokens
    said = [(tokens.text, "in the prompt's text"), (tokens.tools, "for its tools")]
    said += [(tokens.deferred, "more once all of its deferred tools are loaded")]
    return ", ".join(f"{number(count)} {words}" for count, words in said if count != 0)


def whole(servers: Sequence[Server]) -> tuple[int | None, str]:
    """What all servers take together, and how many of them nobody has asked."""
    unknown = [server for server in servers if not server.known and server.configured]
    taken = total(server.tokens.expected for server in servers)
    return taken, f"  without {many(len(unknown), 'server')} that nobody has asked" if unknown else ""
