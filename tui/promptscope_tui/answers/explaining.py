"""The reasons for what was found, in lines: why in a sentence, what would change it, what it is, the whole reason."""

import json
from collections.abc import Iterator

from promptscope_engine.agents.description import Quirk
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.insight.imagined import Imagined
from promptscope_engine.insight.known import Known
from promptscope_engine.insight.mentions import Mention
from promptscope_engine.insight.quirks import quirks_of, quirks_of_input
from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.insight.set_keys import SetKey, some_changes
from promptscope_engine.prompt import conditions
from promptscope_engine.prompt.model import (
    Assembly,
    DerivedParam,
    Lever,
    ModeChoice,
    Program,
    Reason,
    Section,
    Server,
    SourceFile,
    Tool,
)
from promptscope_tui.text import words
from promptscope_tui.text.reasons import by_hand, how_many, lines_of, sentence, usual
from promptscope_tui.text.totals import cost, offer, parts, tool_parts
from promptscope_tui.text.words import short_path, short_text

from .items import Candidate, Part, Row, is_silent, listed_names, showing

_MOST_LISTED = 8
_EXCERPT = 100


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
            yield from (f"  {each}\n" for each in found.notes)
        case Known():
            yield from _known(thing, assembly)
        case Mention():
            yield from _mention(thing, assembly)
        case Imagined():
            yield from _imagined(thing, found, assembly)
            yield from (f"  {each}\n" for each in found.notes)
        case _:
            yield f"  {found.loading or short_text(sentence(thing), assembly)}\n"
            yield from (f"  {each}\n" for each in found.notes)
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


def _known(known: Known, assembly: Assembly) -> Iterator[str]:
    """What it is now, what it takes, and what would change."""
    takes = f"takes {shape}" if (shape := known.takes()) else ""
    yield from (f"  {short_text(each, assembly)}\n" for each in (known.now, known.says, takes) if each)
    trials = known.trials or ()
    same = [_value(trial.lever, known.kind) for trial in trials if not trial.changes and not trial.refused]
    for trial in trials:
        before = "  without it" if trial.lever.value is None else f"  with {_value(trial.lever, known.kind)}"
        if trial.refused:
            yield f"{before}: {short_text(trial.refused, assembly)}\n"
        elif trial.changes:
            yield f"{before} the prompt would differ: {short_text(some_changes(trial.changes), assembly)}\n"
    if same:
        yield f"  with {' or '.join(filter(None, (', '.join(same[:-1]), same[-1])))} the prompt would be the same\n"
    if tried := next((trial.lever for trial in trials if trial.changes), None):
        yield f"  to try it: {tried.option}\n"
    if known.decides and not any(trial.changes for trial in trials):
        yield f"  what goes by it here: {short_text(some_changes(known.decides), assembly)}\n"
    if known.asked and not any(trial.changes for trial in trials):
        yield f"  {known.asked}\n"


def _value(lever: Lever, kind: str) -> str:
    """The value as it is written; "it" of an option without one."""
    if lever.value is None or (lever.value is True and kind == "option"):
        return "it" if lever.value else "it unset"
    return lever.value if isinstance(lever.value, str) else json.dumps(lever.value, ensure_ascii=False)


def _mention(mention: Mention, assembly: Assembly) -> Iterator[str]:
    """Where it is, and why."""
    place = short_path(words.place(mention.path, mention.line), assembly) if mention.path else ""
    yield f"  in {mention.where}{f', from {place}' if place and mention.where != 'a file' else place and f' {place}'}\n"
    if not mention.present and mention.why:
        yield f"  not in the prompt: {short_text(mention.why.text.removeprefix('absent: '), assembly)}\n"
    yield f"  {words.excerpt(mention.text, _EXCERPT)}\n"


def _imagined(file: Imagined, found: Candidate, assembly: Assembly) -> Iterator[str]:
    """What would become of it if it were there."""
    yield f"  there is no such file{found.loading}\n"
    would = "if there were one: "
    if file.row and file.row.present:
        said = sentence(file.row)
        more = "" if said == usual(file.row) else f": {short_text(said, assembly)}"
        yield f"  {would}{'listed' if said == 'listed' else 'read'} as kind {file.row.kind}{more}\n"
    elif file.later:
        yield f"  {would}{short_text(file.later, assembly)}\n"
    elif file.row:
        yield f"  {would}not read: {short_text(sentence(file.row), assembly)}\n"
    else:
        yield f"  {would}{short_text(file.unread, assembly)}\n"
    if file.changes:
        yield f"  the prompt would differ: {short_text(some_changes(file.changes), assembly)}\n"


def verdict(found: Candidate, assembly: Assembly) -> str:
    """Whether it is there, and why, in a line."""
    thing = found.thing
    if not isinstance(thing, Row):
        return found.title
    return f"{found.title}: {found.loading or short_text(sentence(thing), assembly)}"


def _unasked(found: Candidate, assembly: Assembly) -> Iterator[str]:
    """What holds of a server's tools although nobody asked it."""
    if found.unasked:
        yield f"  that is so if {found.unasked} offers it, which was not asked: promptscope mcp-list {found.unasked}\n"
    if found.offers:
        said = sentence(found.offers).replace(found.offers.name, "it")
        yield f"  of any tool that it offers: {short_text(said, assembly)}\n"
    if isinstance(found.thing, Tool) and is_silent(found.thing):
        yield from (line for each in assembly.servers if each.name == found.names[1] for line in _limits(each))


def _limits(server: Server) -> Iterator[str]:
    """How much of its texts is sent at most."""
    for each in server.limits:
        of = f"{each.wanted:,}" if each.wanted else "what it says is known only when it is asked"
        yield f"  {each.name}: {of}; at most {each.allowed:,} are sent\n"


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
            yield from _limits(thing)
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
    yield from (f"  a quirk of the agent: {each.says}\n" for each in known_quirks(found, assembly))


def known_quirks(found: Candidate, assembly: Assembly) -> tuple[Quirk, ...]:
    """The slips of the agent itself that show in it."""
    match found.thing:
        case DerivedParam():
            return quirks_of_input(found.thing.param, assembly)
        case Part() | ModeChoice() | Program() | SetKey() | Known() | Mention() | Imagined():
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
