"""`promptscope why ITEM`: the reasons for one section, tool or file."""

from collections.abc import Callable, Iterator
from itertools import chain, takewhile

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.features import EditStep, LimitsEdits
from promptscope_engine.agents.kit.servers import PREFIX
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.insight.agents_table import unread_file
from promptscope_engine.insight.editable import EditableFiles, EditAnswer, find_editable
from promptscope_engine.insight.lazy_rules import LazyRules, find_lazy_rules
from promptscope_engine.nearest import meant
from promptscope_engine.prompt import conditions
from promptscope_engine.prompt.model import (
    Assembly,
    DerivedParam,
    ModeChoice,
    Reason,
    Section,
    Server,
    SourceFile,
    Tool,
    to_json,
)
from promptscope_engine.workspace import Workspace
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.settings.settings import DEFAULTS
from promptscope_tui.text import words
from promptscope_tui.text.reasons import lines_of
from promptscope_tui.text.totals import cost, offer, parts, tool_parts
from promptscope_tui.text.words import short_path, short_text

from .options import Options, with_options
from .table import command

_MOST_LISTED = 8
_REMEDY = "read a matching file: `reads` simulates it"

Thing = Section | Tool | Server | SourceFile | DerivedParam | ModeChoice


@command("why")
@with_options
def why(item: str, edited: str | None, options: Options) -> None:
    """Explain why ITEM is in the prompt, or is not, and what would change that."""
    workspace = Workspace()
    assembly = options.assembly(workspace=workspace)
    scenario = options.scenario(DEFAULTS).with_value("agent", assembly.agent)

    def unread(path: str) -> SourceFile | None:
        return unread_file(path, *resolve(scenario, workspace), assembly, workspace)

    found = find(item, assembly, lambda: find_lazy_rules(*resolve(scenario, workspace), workspace), unread)
    found = with_edits(found, assembly, lambda mode: find_editable(*resolve(scenario, workspace), workspace, mode))
    found = _asked(found, edited, assembly) if edited is not None else found
    match options.form:
        case "json":
            put_json([_as_json(each) for each in found])
        case "markdown":
            put_shown(
                "\n".join(f"## {each.title}\n\n```text\n{''.join(explanation(each, assembly))}```\n" for each in found)
            )
        case "plain":
            Table((), [_plain(each) for each in found]).put("plain")
        case _:
            put_shown("\n".join(f"{each.title}\n{''.join(explanation(each, assembly))}" for each in found))


class Candidate(Struct, frozen=True):
    """Something to explain, with its names; `label` is the one that parts are matched with.

    `loading` says of a file that is not loaded which files of the repository load it, or that none ever does. `edits`
    are the files that a mode, or a tool in the mode in force, may edit, and `answer` whether one is among them.
    """

    kind: str
    names: tuple[str, ...]
    thing: Thing
    label: str
    loading: str = ""
    never: bool = False
    edits: EditableFiles | None = None
    answer: EditAnswer | None = None

    @property
    def title(self) -> str:
        """Its line: present or not, its kind, its name."""
        if isinstance(self.thing, DerivedParam | ModeChoice):
            return f"→ {self.kind} {self.names[0]}"
        mark = "✓" if self.thing.present else "✗"
        return f"{mark} {self.kind} {self.names[0]}" + (f" ({self.names[1]})" if self.kind == "section" else "")


def _candidates(assembly: Assembly) -> Iterator[Candidate]:
    for section in assembly.sections:
        yield Candidate("section", (section.id, section.title), section, short_path(section.title, assembly))
    for tool in assembly.tools:
        names = (tool.name, *([tool.name.removeprefix(PREFIX)] if tool.name.startswith(PREFIX) else []))
        yield Candidate("tool", names, tool, tool.name)
    silent = {tool.name for tool in assembly.tools if tool.name.startswith(PREFIX)}
    for server in assembly.servers:
        if f"{PREFIX}{server.name}" not in silent:
            yield Candidate("server", (server.name, f"{PREFIX}{server.name}"), server, server.name)
    for file in assembly.files:
        yield _file_candidate(file, assembly)


def _file_candidate(file: SourceFile, assembly: Assembly) -> Candidate:
    short = short_path(file.path, assembly)
    names = (short, file.path, file.real_path, short.rpartition("/")[2])
    return Candidate("file", tuple(dict.fromkeys(names)), file, short)


def find(
    item: str,
    assembly: Assembly,
    lazy: Callable[[], LazyRules | None],
    unread: Callable[[str], SourceFile | None] = lambda _: None,
) -> list[Candidate]:
    """The exact name, else the only thing that the part matches (a tool and its section are one).

    `lazy` finds the files that load when another one is read; it is asked only for files that are not loaded. `unread`
    makes the row of a file that exists and that the agent does not look at.
    Raises click.UsageError for none or several.
    """
    everything = list(_candidates(assembly))
    found = _exact(item, everything, assembly) or _of_server(item, everything)
    if not found and _is_path(item):
        later = []
        if rules := lazy():
            for rule in rules.beside(assembly.files):
                why = Reason(short_text(rules.why(rule), assembly), remedy="" if rule.unmatched else _REMEDY)
                later.append(_file_candidate(rule.as_file(why), assembly))
        if found := _exact(item, later, assembly):
            return found
        if row := unread(item):
            return [_file_candidate(row, assembly)]
        everything += later
    found = found or _find(item, everything, assembly)
    if any(isinstance(each.thing, SourceFile) and not each.thing.present for each in found):
        return [_with_loading(each, lazy(), assembly) for each in found]
    return found


def _exact(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    """What has this very name, capitals included; of files the one at this very path comes first."""
    wanted = item.removeprefix("./")
    named = [each for each in everything if wanted in each.names]
    here = f"{assembly.workspace.rstrip('/')}/{wanted}"
    return sorted(named, key=lambda each: here not in each.names)


def _of_server(item: str, everything: list[Candidate]) -> list[Candidate]:
    """The server that a tool's name on the wire begins with, if nothing is known of its tools."""
    name = item.removeprefix("mcp").lstrip("_") if item.startswith("mcp_") else ""
    servers = [each for each in everything if each.names[0].startswith(PREFIX)]
    return [each for each in servers if name.startswith((f"{each.names[1]}_", f"{each.names[1]}."))]


def _with_loading(found: Candidate, rules: LazyRules | None, assembly: Assembly) -> Candidate:
    rule = rules.of(found.thing.path) if rules and isinstance(found.thing, SourceFile) else None
    if rules is None or rule is None:
        return found
    return replace(found, loading=short_text(rules.why(rule), assembly), never=rule.unmatched)


def _find(item: str, everything: list[Candidate], assembly: Assembly) -> list[Candidate]:
    wanted = item.removeprefix("./").lower()
    exact = [c for c in everything if wanted in (name.lower() for name in c.names)]
    if exact:
        return exact
    derived = [each for each in assembly.derived if wanted in (param := each.param.lower(), param.rpartition(".")[2])]
    if derived:
        return [Candidate("input", (each.param,), each, each.param) for each in derived]
    modes = [each for each in assembly.modes if each.slug.lower() == wanted]
    if modes:
        return [Candidate("mode", (each.slug, each.name), each, each.slug) for each in modes]
    partial = [c for c in everything if wanted in c.label.lower()]
    labels = list(dict.fromkeys(c.label for c in partial))
    if len(labels) == 1:
        return partial
    if labels:
        some = ", ".join(labels[:_MOST_LISTED]) + (", …" if len(labels) > _MOST_LISTED else "")
        raise click.UsageError(f"{item!r} matches {len(labels)} items: {some}")
    known = dict.fromkeys(chain.from_iterable(c.names for c in everything))
    hint = meant(item, known, otherwise="; see `promptscope tokens`, `tools` and `files`")
    if _is_path(item):
        raise click.UsageError(
            f"no file {item!r} is among those that {assembly.agent} looks at{hint}\n{_places(item, assembly)}"
        )
    raise click.UsageError(f"no section, tool or file matches {item!r}{hint}")


def _is_path(item: str) -> bool:
    """Whether what was typed is a file's path or name, and not a word of a title."""
    return "/" in item or (" " not in item and "." in item.strip("."))


def _places(item: str, assembly: Assembly) -> str:
    """Where the agent looks, the places that share a folder with the item first."""
    shorts = {short_path(file.path, assembly): None for file in assembly.files}
    folders = item.removeprefix("./").split("/")[:-1]

    def shared(place: str) -> int:
        both = zip(folders, place.split("/"), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))

    places = sorted(shorts, key=lambda place: -shared(place))
    more = f", and {len(places) - _MOST_LISTED} more (`promptscope files`)" if len(places) > _MOST_LISTED else ""
    return f"it looks at {', '.join(places[:_MOST_LISTED])}{more}" if places else "it looks at no file here"


def explanation(found: Candidate, assembly: Assembly) -> Iterator[str]:
    """The lines below its title: the reason, the conditions, what would change it, where it comes from."""
    thing = found.thing
    if isinstance(thing, ModeChoice):
        yield from _mode(thing, found, assembly)
        return
    yield f"  {thing.why.text}\n"
    if thing.why.condition is not None:
        for line in lines_of(thing.why.condition):
            yield f"{'  ' * (line.depth + 2)}{'✓' if line.ok else '✗'} {line.text}\n"
    match thing:
        case DerivedParam():
            yield f"  the agent makes it {conditions.show(thing.computed)}\n"
            if thing.overridden:
                yield f"  set by hand to {conditions.show(thing.value)}, and that counts\n"
        case Section():
            yield from _remedies(thing, found)
            yield from _section(thing, assembly)
        case Tool():
            yield from _remedies(thing, found)
            yield from _tool(thing)
            yield from _edits(found)
        case Server():
            yield from _remedies(thing, found)
            yield f"  {offer(thing)}: {cost(thing)} tok, {parts(thing) or 'nothing in the prompt'}\n  {thing.known}\n"
        case SourceFile():
            yield from _remedies(thing, found)
            yield from _file(thing)


def _mode(mode: ModeChoice, found: Candidate, assembly: Assembly) -> Iterator[str]:
    in_force = "in force" if mode.slug == assembly.mode else "not in force"
    yield f"  {mode.name}, {mode.source}, {in_force}\n"
    if mode.groups:
        yield f"  groups {', '.join(mode.groups)}\n"
    yield from _edits(found)


def _remedies(thing: Section | Tool | Server | SourceFile, found: Candidate) -> Iterator[str]:
    """What loads it, and what would add or remove it."""
    if found.loading:
        yield f"  {found.loading}\n"
    if thing.why.levers:
        yield f"  to {'remove it' if thing.present else 'add it'}: {_levers(thing.why)}\n"
    if thing.why.remedy and not found.never:
        yield f"  {thing.why.remedy}\n"


def with_edits(
    found: list[Candidate], assembly: Assembly, editable: Callable[[ModeChoice], EditableFiles | None]
) -> list[Candidate]:
    """With the files that may be edited, for modes and for tools that edit in the mode in force.

    `editable` holds the repository's files against a mode's pattern; it is asked only where that says something.
    """
    now = next((mode for mode in assembly.modes if mode.slug == assembly.mode), None)
    some: EditableFiles | None = None

    def edits(each: Candidate) -> Candidate:
        nonlocal some
        if isinstance(each.thing, ModeChoice):
            return replace(each, edits=editable(each.thing))
        if not isinstance(each.thing, Tool) or now is None:
            return each
        some = some or editable(now)
        return replace(each, edits=some) if some and each.thing.name in some.rules.tools else each

    return [edits(each) for each in found]


def _asked(found: list[Candidate], path: str, assembly: Assembly) -> list[Candidate]:
    """Those that edit, each with the answer to whether it may edit the file. Raises click.UsageError for none."""

    def answered(each: Candidate, edits: EditableFiles) -> Candidate:
        tool = each.thing if isinstance(each.thing, Tool) else None
        answer = edits.answer(path, tool.name if tool else None)
        if tool is not None and not tool.present:
            answer = replace(answer, steps=(EditStep(False, tool.why.text),))
        return replace(each, answer=answer)

    asked = [answered(each, each.edits) for each in found if each.edits]
    if asked:
        return asked
    if not isinstance(load_agent(assembly.agent), LimitsEdits):
        raise click.UsageError(f"--path: no mode of {assembly.agent} says which files it may edit")
    raise click.UsageError("--path asks about a tool that edits, as write_to_file, or about a mode")


def _as_json(found: Candidate) -> dict[str, Json]:
    answer = found.answer
    edits = {"edits": found.edits.to_dict()} if found.edits else {}
    asked = {"path": {"path": answer.path, "allowed": answer.ok, "steps": to_json(answer.steps)}} if answer else {}
    return {"item": found.kind, **to_json(found.thing), **edits, **asked}


def _plain(found: Candidate) -> tuple[str, str, str]:
    if found.answer:
        return found.kind, found.names[0], found.answer.words
    thing = found.thing
    said = ", ".join(thing.groups) if isinstance(thing, ModeChoice) else thing.why.text
    return found.kind, found.names[0], said


def _edits(found: Candidate) -> Iterator[str]:
    edits = found.edits
    if edits is None:
        return
    limit = edits.rules.mode.edits_only
    if edits.rules.may_edit and limit is not None:
        tool = found.names[0] if isinstance(found.thing, Tool) else None
        held = tool is None or tool in limit.tools
        yield f"  {words.edits_only(edits.rules.mode)}{'' if held else f', but asks nothing of {tool}'}\n"
        yield f"    {edits.summary()}\n"
        for file in edits.files[:_MOST_LISTED]:
            yield f"    · {file}\n"
        if edits.count > _MOST_LISTED:
            yield f"    … {edits.count - _MOST_LISTED:,} more\n"
    elif edits.rules.may_edit or isinstance(found.thing, ModeChoice):
        yield f"  may edit {edits.summary()}\n" if edits.rules.may_edit else f"  {edits.summary()}\n"
    if found.answer:
        yield f"  {found.answer.words}\n"
        for step in found.answer.steps:
            yield f"    {'?' if step.ok is None else '✓' if step.ok else '✗'} {step.text}\n"


def _levers(reason: Reason) -> str:
    return " ".join(map(words.lever, reason.levers))


def _section(section: Section, assembly: Assembly) -> Iterator[str]:
    if not section.present:
        return
    chars = "" if section.confidence == "stand-in" else f"{section.chars:,} characters, "
    yield f"  {words.size(section)}, {chars}{words.CONFIDENCE[section.confidence]}\n"
    for source in words.sources(section.fragments, assembly):
        yield f"  from {source}\n"
    if section.absent:
        parts = len(section.fragments) + len(section.absent)
        yield f"  {len(section.absent)} of its {parts} parts are absent:\n"
    for part in section.absent:
        levers = f" ({_levers(part.why)})" if part.why.levers else ""
        what = words.origin(part.origin, assembly) if part.origin.kind == "file" else words.excerpt(part.text)
        yield f"    ✗ {what!r}: {part.why.text.removeprefix('absent: ')}{levers}\n"


def _tool(tool: Tool) -> Iterator[str]:
    place = f"described in the section {tool.section}" if tool.section else "sent in the request's tools"
    variant = f", variant {tool.variant}" if tool.variant else ""
    yield f"  group {tool.group}{variant}, {place}\n"
    if tool.waits:
        yield f"  only named until the agent loads it: {tool.waits.text.removeprefix('absent: ')}\n"
        yield f"  to send it right away: {_levers(tool.waits)}\n" if tool.waits.levers else f"  {tool.waits.remedy}\n"
    if tool.present:
        made_of = tool_parts(tool)
        more = f": {words.number(made_of.description)} description, {words.number(made_of.schema)} schema"
        yield f"  {words.number(tool.expected_tokens)} tokens{more if made_of.schema else ''}\n"
    if tool.tokens.loaded is not None:
        yield f"  {words.difference(tool.tokens.loaded)} tokens once the agent loads it\n"
    for parameter in tool.parameters:
        need = "required" if parameter.required else "optional"
        reason = f": {parameter.why.text}" if parameter.why and not parameter.present else ""
        yield f"    {'✓' if parameter.present else '✗'} {parameter.name}, {need}{reason}\n"


def _file(file: SourceFile) -> Iterator[str]:
    yield f"  {words.loaded(file)}, kind {file.kind}\n"
    if file.real_path != file.path:
        yield f"  on disk at {file.real_path}\n"
    if not file.bytes and not file.present:
        return
    cut = ", cut" if file.truncated else ""
    of_them = "of them" if file.injected_chars <= file.raw_chars else "as"  # imports make it longer than the file
    yield f"  {file.bytes:,} bytes, {file.raw_chars:,} characters, {file.injected_chars:,} {of_them} injected{cut}\n"
    for limit in file.limits:
        mark = "✗" if limit.wanted > limit.allowed else "✓"
        yield f"  {mark} {limit.name}: {limit.allowed:,} allowed, {limit.wanted:,} wanted\n"
    for stretch in file.stretches:
        lines = words.line_range(stretch.start_line, stretch.end_line)
        yield f"    {'kept' if stretch.kept else 'cut '} {lines}, {stretch.chars:,} characters\n"
    if file.imported_by:
        yield f"  imported by {file.imported_by}\n"
