"""Roo's prompt, part by part (agent.toml has the order), then the first message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptscope_engine.agents.kit.sessions.earlier import sections
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.roo.materials import InstructionFile, Materials, RuleSet, Server
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import DRAFTED, FOLDER, HISTORY, LANGUAGES, USE_AGENT_RULES, scope_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import string, stringify, truthy
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt import drafts
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Test
from promptscope_engine.prompt.drafts import LazySequence, SectionDraft, Span, ToolDraft, label, param_value
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.memo import KeptWith
from promptscope_engine.prompt.model import Lever, SettingSource, Stability
from promptscope_engine.prompt.spans import Spans, trimmed_spans

if TYPE_CHECKING:
    pass


def _server(server: Server) -> Iterator[Span]:
    name = f"mcp.{server.name}"
    yield label("\n\n## ")
    yield drafts.computed(name, server.name + _command(server.config))
    if server.instructions:
        yield label("\n\n### Instructions\n")
        yield drafts.computed(name, server.instructions)
    yield from _server_tools(server)
    if server.resource_templates:
        yield label("\n\n### Resource Templates\n")
        yield drafts.computed(name, "\n".join(_resource(each, "uriTemplate") for each in server.resource_templates))
    if server.resources:
        yield label("\n\n### Direct Resources\n")
        yield drafts.computed(name, "\n".join(_resource(each, "uri") for each in server.resources))


def _command(config: Mapping[str, Json]) -> str:
    """The command line, arguments and all; `env` and `url` are not shown."""
    if not truthy(config.get("command")):
        return ""
    words = config.get("args")
    rest = " " + " ".join("" if each is None else string(each) for each in words) if isinstance(words, list) else ""
    return f" (`{_shown(config, 'command')}{rest}`)"


def _server_tools(server: Server) -> Iterator[Span]:
    if not server.tools:
        return
    conditions = [_enabled(server, tool) for tool in server.tools]
    yield label("\n\n### Available Tools", when=AnyOf(tuple(conditions)))
    for place, (tool, enabled) in enumerate(zip(server.tools, conditions, strict=True)):
        earlier = AnyOf(tuple(conditions[:place]))
        yield label("\n", when=enabled & ~earlier if place else enabled)
        if place:
            yield label("\n\n", when=enabled & earlier)
        yield drafts.computed(f"mcp.{server.name}", _server_tool(tool), when=enabled)


def _enabled(server: Server, tool: Mapping[str, Json]) -> Fact:
    ok = tool.get("enabledForPrompt") is not False
    return FOLDER.reason("tool_enabled", ok, tool=_shown(tool, "name"), server=server.name)


def _server_tool(tool: Mapping[str, Json]) -> str:
    """Without a schema the line's end stays, and makes an empty line."""
    schema = tool.get("inputSchema")
    shown = ""
    if truthy(schema):
        # Two tabs before the first line, four spaces before every later one: as the agent has it.
        shown = "    Input Schema:\n\t\t" + stringify(schema).replace("\n", "\n    ")
    return f"- {_shown(tool, 'name')}: {_shown(tool, 'description')}\n{shown}"


def _resource(resource: Mapping[str, Json], address: str) -> str:
    return f"- {_shown(resource, address)} ({_shown(resource, 'name')}): {_shown(resource, 'description')}"


def _shown(values: Mapping[str, Json], key: str) -> str:
    """A value in a JavaScript template: what is missing prints the word `undefined`."""
    return string(values[key]) if key in values else "undefined"


PARENT = "custom_instructions"


def custom_instructions(materials: Materials) -> Iterator[SectionDraft]:
    """The section with its children, as the system prompt ends with it."""
    ignore = materials.rooignore
    # The file itself is added as one that is ignored.
    pattern, text = label(f"\n{ignore.name}"), drafts.file_text(ignore.name, ignore.text, 1)
    names = {"rooignore": {"text": text, "pattern": pattern, "when": ignore.when}}
    patterns = next(FOLDER.sections(Scope(names), group="rooignore"))
    seen: dict[str, int] = {}
    middle = (patterns, _agent_rules(materials.agents, USE_AGENT_RULES))
    for section in _sections(materials, materials.mode_rules, middle):
        # A file that links show several times gives several sections: the second one's id ends in #2.
        count = seen[section.id] = seen.get(section.id, 0) + 1
        yield section if count == 1 else replace(section, id=f"{section.id}#{count}")


def repeated_instructions(materials: Materials) -> Iterator[Span]:
    """The section as powerSteering repeats it: without .rooignore, and without settings, so AGENTS.md always counts."""
    middle = (_agent_rules(materials.agents, ALWAYS),)
    for section in _sections(materials, materials.repeated_rules, middle):
        yield from drafts.guarded(section.spans, section.when)


def _sections(materials: Materials, mode_rules: RuleSet, middle: tuple[SectionDraft, ...]) -> tuple[SectionDraft, ...]:
    """`middle` is between the rules of the mode and those of all modes.

    Every child begins with the empty line that divides it from what is before, so the present ones can be joined.
    """
    params, mode, generic, code = materials.params, materials.mode, materials.rules, materials.language
    name = LANGUAGES.get(code, code)
    # Only "" switches the language off: null means the editor's, which is never empty.
    on, off, no = (Lever("language", ""),), (Lever("language", "en"),), f"the language is {name} ({code})"
    language = ~Test("flag", "language", "is", "", "`language` is empty", no, on=on, off=off)
    own = _child("mode", "Mode-specific Instructions:", trimmed_spans(mode.instructions), mode.instructed)
    instructions = (_global(params), own)
    rules = AnyOf((mode_rules.present, *(section.when for section in middle), generic.present))
    given = AnyOf((language, *(section.when for section in instructions), rules))
    shown = drafts.environment("language", code) if params.language is None else param_value("language", code)
    said = {"given": language, "name": drafts.computed("language.name", name), "code": shown}
    return (
        *FOLDER.sections(Scope({"instructed": given, "language": said}), group="instructions"),
        *instructions,
        _child("rules", "Rules:", (), rules, after=""),
        *_rules(mode_rules, materials.inputs),
        *middle,
        *_rules(generic, materials.inputs),
    )


def _child(name: str, heading: str, spans: Iterable[Span], when: Condition, *, after: str = "\n") -> SectionDraft:
    """The section under `heading` (exact); `after` is what is between the heading and the spans."""
    title = heading.removesuffix(":")
    spans = (label(f"\n\n{heading}{after}"), *spans)
    return SectionDraft(f"{PARENT}.{name}", title, spans, heading, when, parent=PARENT)


def _global(params: RooParams) -> SectionDraft:
    trimmed = js_trim(params.globalCustomInstructions)
    name = "globalCustomInstructions"
    more = {"source": SettingSource(name, overlay=name, is_set=bool(params.globalCustomInstructions))}
    state = "blank" if params.globalCustomInstructions else "empty"
    given = FOLDER.reason("global_given", bool(trimmed), more, state=state)
    return _child("global", "Global Instructions:", [param_value(name, trimmed)], given)


def _rules(rules: RuleSet, inputs: Inputs) -> Iterator[SectionDraft]:
    """The files of rule directories, and the legacy files, present or not."""
    if rules.files and rules.slug is not None:
        # The agent means to leave this heading out for directories, but its test never holds.
        heading = f"# Rules from rules-{rules.slug} directories:"
        count = f"{len(rules.files):,} file{'s' if len(rules.files) > 1 else ''} found"
        found = Fact("file", f"rules-{rules.slug}", True, count, "")
        yield replace(_child("mode_rules", heading, (), found, after=""), title=f"rules-{rules.slug} directories")
    # The generic text is trimmed as a whole: a blank last file ends at its heading.
    ends_at_heading = rules.slug is None and bool(rules.files) and not rules.files[-1].text
    whole = rules.files[:-1] if ends_at_heading else rules.files
    yield from _file_sections(whole, "\n", inputs)
    yield from _file_sections(rules.files[len(whole) :], "", inputs)
    yield from _file_sections(rules.legacy, "\n", inputs)


def _file_sections(files: Iterable[InstructionFile], after_heading: str, inputs: Inputs) -> list[SectionDraft]:
    """The section of each file, the same one while the file is."""

    def made(file: InstructionFile) -> SectionDraft:
        name, spans = path_in_id(file.name, inputs.workspace, inputs.home), [trimmed(file.name, file.whole, file.text)]
        heading = f"# Rules from {file.name}:"
        return replace(_child(f"file:{name}", heading, spans, file.when, after=after_heading), title=file.name)

    trimmed = drafts.trimmed_file
    return _FILE_SECTIONS.each(files, (after_heading, inputs.workspace, inputs.home), made)


_FILE_SECTIONS: KeptWith[InstructionFile, SectionDraft] = KeptWith()


def _agent_rules(files: tuple[InstructionFile, ...], switch: Condition) -> SectionDraft:
    """The one agent file that counts; without one the first stands for them, absent."""
    chosen = next((file for file in files if file.text), None)
    name, whole, text = (chosen.name, chosen.whole, chosen.text) if chosen else (files[0].name, "", "")
    when = switch & (chosen.when if chosen else AnyOf(tuple(file.when for file in files)))
    spans = [drafts.trimmed_file(name, whole, text)]
    return replace(_child("agents_md", f"# Agent Rules Standard ({name}):", spans, when), title=name)


def details_sections(
    details: Mapping[str, object], role: Spans, instructions: Sequence[Span]
) -> Iterator[SectionDraft]:
    """The block's parts between its tags. `role` and `instructions` are what powerSteering repeats."""
    names = {
        "details": details,
        "role": role,
        "instructions": instructions,
        "some_instructions": lambda: AnyOf(tuple(dict.fromkeys(span.when for span in instructions))),
    }
    return FOLDER.sections(Scope(names), group="environment_details")


TASK = drafts.Place("task", 0)


def task(materials: Materials) -> Iterator[SectionDraft]:
    """The first block of the first message: the words, then a section for each mention and command."""

    def section(
        name: str, title: str, spans: Spans, when: Condition = ALWAYS, *, parent: str | None = None
    ) -> SectionDraft:
        return SectionDraft(name, title, spans, None, DRAFTED & when, TASK, "turn", parent)

    drafted = materials.task
    heading = "<feedback>" if materials.params.editor.laterTurn else "<task>"
    yield replace(section("user.task", "Task", drafted.words if drafted else ()), heading=heading)
    for number, each in enumerate(drafted.appended if drafted else (), start=1):
        name, title = f"user.mention.{number}", f"{'/' if each.kind == 'command' else '@'}{each.mention}"
        if not each.spans:
            yield section(name, title, (), each.held_back or ALWAYS, parent="user.task")
            continue
        spans = (label("\n\n"), *each.spans[:-1], *each.rest, each.spans[-1])
        yield section(name, title, spans, parent="user.task")
        if each.held_back is not None:
            yield section(f"{name}.content", f"what {title} stands for", (), each.held_back, parent=name)


def all_sections(materials: Materials, tools: tuple[ToolDraft, ...]) -> tuple[SectionDraft, ...]:
    """The role and the custom instructions stay where a file overrides what is between them."""
    servers = materials.servers
    scope = scope_of(
        materials,
        servers=lambda: [{"when": s.when, "text": drafts.of_server(s.name, *_server(s))} for s in servers],
    )
    details = partial(details_sections, materials.details, materials.mode.role)
    made = {
        "tools": lambda: _tools(tools),
        "custom_instructions": lambda: custom_instructions(materials),
        "history": lambda: sections(materials.history, materials.params.taskFile or "", HISTORY),
        "task": lambda: task(materials),
        "environment_details": lambda: details(LazySequence(repeated_instructions(materials))),
    }
    return tuple(FOLDER.sections(scope, made))


def _tools(tools: tuple[ToolDraft, ...]) -> Iterator[SectionDraft]:
    """The block of every tool, behind the heading."""
    for tool in tools:
        name, spans = f"tools.{tool.name}", (*tool.description, label("\n\n"))
        fixed = all(span.when is ALWAYS and span.origin.kind in ("builtin", "label") for span in spans)
        stability: Stability = "static" if fixed else "session"
        yield SectionDraft(
            name, tool.name, spans, f"## {tool.name}", tool.when, stability=stability, parent="tools", reference=name
        )


# --- tools ------------------------------------------------------------------------------------------------------------


_ALWAYS = "always"


def tool_drafts(materials: Materials) -> tuple[ToolDraft, ...]:
    """Every tool: the mode's groups in the mode's order, then those that are always available, each tool once."""
    groups, scope = FOLDER.tool_groups, scope_of(materials)
    names = [name for group in _order(materials.mode.groups) for name in groups[group]]
    generated = materials.override.generated
    offered = {group: generated & _offered(materials, group) for group in groups}
    return tuple(
        FOLDER.tool(name, scope, offered[FOLDER.group_of(name)]) for name in dict.fromkeys((*names, *groups[_ALWAYS]))
    )


def _offered(materials: Materials, group: str) -> Condition:
    """The tools of `modes` are always available too; those of `mcp` are offered while a server is enabled."""
    if group in (_ALWAYS, "modes"):
        return ALWAYS
    return materials.mcp if group == "mcp" else materials.mode.has(group)


def _order(groups: tuple[str, ...]) -> list[str]:
    """The mode's groups, with each one it lacks after its usual neighbour; `modes` only where a mode lists it."""
    order = list(groups)
    before: str | None = None
    for group in FOLDER.tool_groups:
        if group not in order and group not in ("modes", _ALWAYS):
            order.insert(order.index(before) + 1 if before else 0, group)
        before = group if group in order else before
    return order
