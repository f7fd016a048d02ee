"""`promptscope why ITEM`: the reasons for one section, tool or file."""

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import islice
from shlex import quote

import click
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Quirk
from promptscope_engine.agents.features import EditStep, LimitsEdits
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import own_value, unread_file
from promptscope_engine.insight.editable import EditableFiles, find_editable
from promptscope_engine.insight.lazy_rules import find_lazy_rules
from promptscope_engine.insight.offered_tools import as_offered, is_singled_out
from promptscope_engine.insight.quirks import quirks_of, quirks_of_input
from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.insight.set_keys import SetKey, given_arguments, set_keys
from promptscope_engine.prompt import conditions
from promptscope_engine.prompt.model import (
    Assembly,
    DerivedParam,
    ModeChoice,
    Program,
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
from promptscope_tui.text.reasons import by_hand, how_many, lines_of, sentence
from promptscope_tui.text.totals import cost, offer, parts, tool_parts
from promptscope_tui.text.words import short_path, short_text

from .items import Beyond, Candidate, Part, find, listed_names, showing
from .options import Options, with_options
from .table import command

_MOST_LISTED = 8
_EXCERPT = 100
Row = Section | Tool | Server | SourceFile | Program


@command("why")
@with_options
def why(item: str, edited: str | None, options: Options) -> None:
    """Explain why ITEM is in the prompt, or is not, and what would change that."""
    workspace = Workspace()
    assembly = options.assembly(workspace=workspace)
    scenario = options.scenario(DEFAULTS).with_value("agent", assembly.agent)

    beyond = _beyond(assembly, scenario, workspace)
    found = find(item, assembly, lambda: find_lazy_rules(*resolve(scenario, workspace), workspace), beyond)
    found = with_edits(found, assembly, lambda mode: find_editable(*resolve(scenario, workspace), workspace, mode))
    found = _asked(found, edited, assembly) if edited is not None else found
    named = (f"--agent {quote(agent)}" if (agent := options.given["agent"]) else "", quote(options.path or ""))
    again = "".join(f" {word}" for word in named if word.strip("'"))
    texts = [f"{each.title}\n{''.join(explanation(each, assembly, again))}" for each in found]
    if options.form == "text":
        texts += _otherwise(item, found, assembly, scenario, workspace)
    match options.form:
        case "json":
            put_json([_as_json(each, assembly) for each in found])
        case "markdown":
            parts = (text.partition("\n") for text in texts)
            put_shown("\n".join(f"## {title}\n\n```text\n{text}```\n" for title, _, text in parts))
        case "plain":
            Table((), [_plain(each) for each in found]).put("plain")
        case _:
            put_shown("\n".join(texts))


def _beyond(assembly: Assembly, scenario: Scenario, workspace: Workspace) -> Beyond:
    """What is looked up only for what has no row."""
    resolved = cache(lambda: resolve(scenario, workspace))
    return Beyond(
        unread=lambda path: unread_file(path, *resolved(), assembly, workspace),
        head=lambda file, key: own_value(file.path, key, workspace),
        offered=lambda server, tool: as_offered(server, tool, scenario, workspace),
        singled_out=lambda server, tool: is_singled_out(server, tool, scenario, workspace),
        keys=lambda name: (
            *set_keys(name, assembly, scenario, workspace),
            *given_arguments(name, scenario, workspace),
        ),
    )


def _otherwise(
    item: str, found: list[Candidate], assembly: Assembly, scenario: Scenario, workspace: Workspace
) -> Iterator[str]:
    """What was assumed since nothing says otherwise, where the answer would be another one without it."""
    for each in assembly.assumed:
        changed = reduce(lambda made, lever: made.with_value(lever.param, lever.value), each.otherwise, scenario)
        other = assemble(changed, workspace.snapshot(), cached_only=True)
        try:
            others = find(item, other, lambda: None, _beyond(other, changed, workspace))
        except click.UsageError:
            others = []
        alike = [one for one in others if one.kind in {each.kind for each in found}]
        before, after = ([_verdict(one, made) for one in some] for some, made in ((found, assembly), (alike, other)))
        if before != after:
            said = {note.message for note in assembly.diagnostics}
            why = (note.message for note in other.diagnostics if note.severity != "info" and note.message not in said)
            gone = ": ".join(("it is not there", *islice(why, 1)))
            yield f"assumed: {each.text}; otherwise {short_text('; '.join(after) or gone, assembly)}\n"


def _verdict(found: Candidate, assembly: Assembly) -> str:
    """Whether it is there, and why, in a line."""
    thing = found.thing
    if isinstance(thing, Part | ModeChoice | DerivedParam | SetKey):
        return found.title
    return f"{found.title}: {found.loading or short_text(sentence(thing), assembly)}"


def explanation(found: Candidate, assembly: Assembly, again: str = "") -> Iterator[str]:
    """The lines below its title: why in a sentence, what would change it, what it is, and the whole reason.

    `again`: how a command names the folder and the agent.
    """
    thing = found.thing
    match thing:
        case ModeChoice():
            yield from _mode(thing, found, assembly)
        case DerivedParam():
            yield f"  {thing.why.text}\n  the agent makes it {conditions.show(thing.computed)}\n"
            if thing.overridden:
                yield f"  set by hand to {conditions.show(thing.value)}, and that counts\n"
            yield from _quirks(found, assembly)
            yield from _whole(thing.why, assembly)
        case Part():
            yield from _part(thing, assembly)
        case SetKey():
            yield from _key(thing, assembly)
        case _:
            yield f"  {found.loading or short_text(sentence(thing), assembly)}\n"
            yield from _unasked(found, assembly)
            yield from _remedies(thing, found, assembly, again)
            yield from _about(thing, found, assembly)
            yield from _rewritten(thing, assembly)
            yield from _notes(thing, assembly)
            yield from _quirks(found, assembly)
            yield from _whole(thing.why, assembly)


def _key(key: SetKey, assembly: Assembly) -> Iterator[str]:
    """Where it is, and what it does to the prompt."""
    place = f"set in {short_path(key.path, assembly)}{f':{key.line}' if key.line else ''}"
    yield f"  {place if key.path else 'given on the command line'}\n"
    yield from (f"  {short_text(each, assembly)}\n" for each in key.said)
    if key.effect:
        yield f"  {short_text(key.effect, assembly)}\n"


def _unasked(found: Candidate, assembly: Assembly) -> Iterator[str]:
    """What holds of a server's tools although nobody asked it."""
    if found.unasked:
        yield f"  that is so if {found.unasked} offers it, which was not asked: promptscope mcp-list {found.unasked}\n"
    if found.offers:
        said = sentence(found.offers).replace(found.offers.name, "it")
        yield f"  of any tool that it offers: {short_text(said, assembly)}\n"


def _rewritten(thing: Row, assembly: Assembly) -> Iterator[str]:
    """The mods that may rewrite or drop it."""
    if isinstance(thing, Section | Tool | SourceFile):
        for mod in rewriters(thing, assembly):
            yield f"  {words.rewritten(mod, assembly, thing)}\n"


def _notes(thing: Row, assembly: Assembly) -> Iterator[str]:
    """What is said of its files; warnings and errors are printed below, too."""
    files = {thing.path} if isinstance(thing, SourceFile | Program) else set[str]()
    if isinstance(thing, Section):
        files = {part.origin.path for part in thing.fragments if part.origin.path}
    for each in assembly.diagnostics:
        if each.severity == "info" and each.path in files:
            yield f"  {short_path(each.place, assembly)}: {short_text(each.message, assembly)}\n"


def _about(thing: Row, found: Candidate, assembly: Assembly) -> Iterator[str]:
    """What it is and costs."""
    match thing:
        case Section():
            yield from _section(thing, assembly)
        case Tool():
            yield from _tool(thing, assembly)
            yield from _edits(found)
        case Server():
            yield f"  {offer(thing)}: {cost(thing)} tok, {parts(thing) or 'nothing in the prompt'}\n  {thing.known}\n"
        case SourceFile():
            yield from _file(thing, assembly)
            if found.model:
                yield f"  its own model: {found.model}\n"
        case Program():
            yield from _program(thing, assembly)


def _program(thing: Program, assembly: Assembly) -> Iterator[str]:
    """Where it is, and what it may do to the prompt."""
    place = words.program_place(thing, assembly)
    matcher = f"for `{thing.matcher}`" if thing.matcher else ""
    yield f"  {', '.join(filter(None, (thing.source, place, matcher)))}\n"
    if thing.kind == "hook":
        yield f"  into the prompt: {thing.adds or 'nothing'}\n"
    else:
        yield f"  hooks {', '.join(thing.events)}\n"
        yield from (f"  {each}\n" for each in words.deeds(thing, assembly))


def _quirks(found: Candidate, assembly: Assembly) -> Iterator[str]:
    """The slips of the agent itself that show in it."""
    yield from (f"  a quirk of the agent: {each.says}\n" for each in _known_quirks(found, assembly))


def _known_quirks(found: Candidate, assembly: Assembly) -> tuple[Quirk, ...]:
    match found.thing:
        case DerivedParam():
            return quirks_of_input(found.thing.param, assembly)
        case Part() | ModeChoice() | Program() | SetKey():
            return ()
        case _:
            return quirks_of(found.thing, assembly)


def _whole(why: Reason, assembly: Assembly) -> Iterator[str]:
    """The conditions, where they say more than the sentence."""
    lines = lines_of(why.condition) if why.condition else []
    if len(lines) > 1 or (lines and lines[0].text not in why.text):
        yield f"  the whole reason, {words.many(how_many(lines), 'condition')}\n"
        for line in lines:
            yield f"{'  ' * (line.depth + 2)}{'✓' if line.ok else '✗'} {short_text(line.text, assembly)}\n"


def _mode(mode: ModeChoice, found: Candidate, assembly: Assembly) -> Iterator[str]:
    in_force = "in force" if mode.slug == assembly.mode else "not in force"
    yield f"  {mode.name}, {mode.source}, {in_force}\n"
    if mode.groups:
        yield f"  groups {', '.join(mode.groups)}\n"
    yield from _edits(found)


def _remedies(thing: Row, found: Candidate, assembly: Assembly, again: str) -> Iterator[str]:
    """What would show it, add it or remove it: what a person does first, then what a switch simulates."""
    if found.reads:
        yield f"  to see it: {showing(found.reads, again)}\n"
    steps = [short_text(by_hand(thing), assembly), _levers(thing.why)]
    for at, step in enumerate(filter(None, steps)):
        yield f"  {'or' if at else 'to remove it' if thing.present else 'to add it'}: {step}\n"
    if thing.why.remedy and found.reads is None:
        yield from (f"  {step}\n" for step in _typed(thing.why.remedy, assembly).split("; "))


def _typed(remedy: str, assembly: Assembly) -> str:
    """A remedy as it is typed, without backticks."""
    return short_text(remedy, assembly).replace("`", "")


def _part(part: Part, assembly: Assembly) -> Iterator[str]:
    """A built-in part of a section."""
    why = part.why.text.partition(": ")[2] if part.why and not part.present else "listed"
    yield f"  {short_text(why, assembly)}, {part.source}, a part of the section {part.section} ({part.title})\n"
    if part.why and part.why.levers:
        yield f"  to {'remove it' if part.present else 'add it'}: {_levers(part.why)}\n"
    for view in assembly.views:
        if view.title == part.name:
            yield f"  its own prompt: promptscope show {view.lever.option}\n"
    yield f"  {words.excerpt(part.text, _EXCERPT)}\n"
    if part.why:
        yield from _whole(part.why, assembly)


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


def _as_json(found: Candidate, assembly: Assembly) -> dict[str, Json]:
    answer = found.answer
    known = _known_quirks(found, assembly)
    quirks = {"quirks": [quirk.says for quirk in known]} if known else {}
    edits = {"edits": found.edits.to_dict()} if found.edits else {}
    asked = {"path": {"path": answer.path, "allowed": answer.ok, "steps": to_json(answer.steps)}} if answer else {}
    return {"item": found.kind, **to_json(found.thing), **quirks, **edits, **asked}


def _plain(found: Candidate) -> tuple[str, str, str]:
    if found.answer:
        return found.kind, found.names[0], found.answer.words
    thing = found.thing
    if isinstance(thing, SetKey):
        return found.kind, found.names[0], thing.effect
    why = None if isinstance(thing, ModeChoice) else thing.why
    said = ", ".join(thing.groups) if isinstance(thing, ModeChoice) else why.text if why else "always present"
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
    return " ".join(lever.option for lever in reason.levers)


def _section(section: Section, assembly: Assembly) -> Iterator[str]:
    if not section.present:
        return
    chars = "" if section.confidence == "stand-in" else f"{section.chars:,} characters, "
    yield f"  {words.size(section)}, {chars}{words.CONFIDENCE[section.confidence]}\n"
    for source in words.sources(section.fragments, assembly):
        yield f"  from {source}\n"
    absent = [part for part in section.absent if _says(part.text)]
    if absent:
        parts = sum(_says(part.text) for part in section.fragments) + len(absent)
        yield f"  {len(absent)} of its {parts} parts are absent:\n"
    for part in absent:
        levers = f" ({_levers(part.why)})" if part.why.levers else ""
        what = words.origin(part.origin, assembly) if part.origin.kind == "file" else words.excerpt(part.text)
        yield f"    ✗ {what!r}: {short_text(part.why.text.removeprefix('absent: '), assembly)}{levers}\n"


def _says(text: str) -> bool:
    """Whether a part says anything: the others are what is between two."""
    return any(map(str.isalnum, text))


def _tool(tool: Tool, assembly: Assembly) -> Iterator[str]:
    place = f"described in the section {tool.section}" if tool.section else "sent in the request's tools"
    variant = f", variant {tool.variant}" if tool.variant else ""
    yield f"  group {tool.group}{variant}, {place}\n"
    if tool.waits:
        yield f"  only named until the agent loads it: {tool.waits.text.removeprefix('absent: ')}\n"
        now = f"to send it right away: {_levers(tool.waits)}" if tool.waits.levers else ""
        yield f"  {now or _typed(tool.waits.remedy, assembly)}\n"
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


def _file(file: SourceFile, assembly: Assembly) -> Iterator[str]:
    yield f"  {words.loaded(file)}, kind {file.kind}\n"
    if sequence := load_agent(assembly.agent).sequence(file.kind):
        yield f"  {file.kind} files are read {sequence}\n"
    if (
        (name := listed_names(assembly).get(file.path))
        and f"/{name}/" not in file.path
        and f"/{name}.md" not in file.path
    ):
        yield f"  its name in the prompt: {name}\n"
    if file.real_path != file.path:
        yield f"  on disk at {short_path(file.real_path, assembly)}\n"
    for other in assembly.files:
        if other.real_path == file.real_path and other.path != file.path:
            state = words.loaded(other).partition(" ")[2]
            yield f"  the same file as {short_path(other.path, assembly)}, {state}\n"
    for view in assembly.views:
        if view.path in (file.path, file.real_path):
            yield f"  its own prompt: promptscope show {view.lever.option}\n"
    yield from _sizes(file) if file.present else (f"  {file.bytes:,} bytes\n" for _ in range(file.bytes > 0))


def _sizes(file: SourceFile) -> Iterator[str]:
    """What is sent of a file that is read."""
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
