"""The sections of Gemini CLI's request, in the order of agent.toml: those that lists decide are made here."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact
from promptscope_engine.prompt.drafts import (
    LazySequence,
    Place,
    SectionDraft,
    Span,
    ToolDraft,
    builtin,
    computed,
    guarded,
    label,
    of_server,
    param_value,
)
from promptscope_engine.prompt.spans import Spans, cut, joined, replaced, replaced_in_javascript, trimmed_spans

from .materials import ContextFile, Discovered, Materials, McpServer
from .scope import active, offered, scope_of, text
from .texts import FOLDER

_RUN = re.compile(r"\n{3,}")


def collapsed(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans without the line feeds that the client takes out; a run may go over several spans."""
    spans = tuple(spans)
    yield from replaced(spans, ((run.start() + 2, run.end(), ()) for run in _RUN.finditer(joined(spans))))


DEFAULT_NAME = "GEMINI.md"


def remembered(m: Materials) -> dict[str, object]:
    """What the text of the memory may name. With a private one that is not blank, heading and prose are absent."""
    of_user, private = m.placed("global"), m.placed("private")
    there = FOLDER.reason("memory", bool(of_user or private), user=m.global_memory, private=m.private_memory)
    is_private = FOLDER.reason("private_memory", bool(private), path=m.private_memory)
    # The older prompt names the default whatever names are set.
    names = ", ".join(m.names if m.model.variant == "modern" else (DEFAULT_NAME,))
    return {
        "remembered": there,
        "private": is_private,
        "memory.names": label(names),
        "memory.heading": label(f"# Contextual Instructions ({names})\n"),
        "memory.is_private": bool(private),
        "memory.is_global": bool(of_user),
        "memory.global": tuple(entries(of_user)),
        "memory.private": tuple(entries(private)),
    }


def entries(files: Sequence[ContextFile]) -> Iterator[Span]:
    """The files one behind the other, each between the lines that name it."""
    for number, file in enumerate(files):
        yield label(("\n\n" if number else "") + "--- Context from: ")
        yield computed("path", file.path)
        yield label(" ---\n")
        yield from file.spans
        yield label("\n--- End of Context from: ")
        yield computed("path", file.path)
        yield label(" ---")


def agents_listed(m: Materials) -> list[dict[str, object]]:
    """The sub-agents as the section lists them."""
    texts = [each.spans if each.spans is not None else tuple(text(m, each.name)) for each in m.agents]
    return [
        {"opens": _opens(at, "subagent"), "name": computed("agent.name", agent.name), "text": texts[at]}
        for at, agent in enumerate(m.agents)
    ]


def skills_listed(m: Materials) -> list[dict[str, object]]:
    """The skills as the section lists them."""
    return [
        {
            "opens": _opens(number, "skill"),
            "name": computed("skill.name", skill.name),
            "text": skill.spans,
            "location": computed("skill.location", skill.location),
        }
        for number, skill in enumerate(m.skills)
    ]


def _opens(number: int, tag: str) -> Span:
    return label(("\n" if number else "") + f"  <{tag}>\n    <name>")


_MOST = 100
"""Placeholders of one kind that are filled in; no prompt has one more than a few times."""
_TOOL_NAME = re.compile(r"\$\{(\w+)_ToolName\}")


def override(m: Materials) -> SectionDraft:
    """The file with its placeholders filled in, trimmed."""
    there = bool(joined(trimmed_spans(m.override.spans)))
    key = "override_blank" if m.override.spans else "override"
    when = ~m.gates["built_in"] & FOLDER.reason(key, there, file=m.override.path)
    return SectionDraft(
        "override", "System prompt override", LazySequence(_filled(m)), None, when, FOLDER.place("system")
    )


def _filled(m: Materials) -> Spans:
    """In the client's order: skills, sub-agents, the list of tools, then the names of single tools."""
    filled = trimmed_spans(m.override.spans)
    skills = tuple(text(m, "skills", skills_listed=skills_listed(m))) if m.skills else ()
    filled = replaced_in_javascript(filled, "${AgentSkills}", skills, _MOST)
    # Here the tool that calls them is not asked for.
    agents = guarded(text(m, "sub_agents", agents_listed=agents_listed(m)), m.gates["agents"]) if m.agents else ()
    filled = replaced_in_javascript(filled, "${SubAgents}", tuple(agents), _MOST)
    if "${AvailableTools}" in joined(filled):
        filled = replaced_in_javascript(filled, "${AvailableTools}", tuple(_tool_list(m)), _MOST)
    return trimmed_spans(_tool_names(m, filled))


def _tool_list(m: Materials) -> Iterator[Span]:
    """`- name` for each tool of the request, or a sentence that there is none."""
    before: list[Condition] = []
    for name, when in offered(m):
        if before:
            yield label("\n", when=when & AnyOf(tuple(before)))
        yield from guarded((label("- "), computed("tool", name)), when)
        before.append(when)
    yield builtin("override.no_tools", "There is no tool at your disposal.", when=~AnyOf(tuple(before)))


def _tool_names(m: Materials, spans: Spans) -> Spans:
    """`${…_ToolName}` of a tool of the request is its name; any other stays as it is."""
    text = joined(spans)
    known = dict(offered(m)) if "_ToolName}" in text else {}
    found = [match for match in list(_TOOL_NAME.finditer(text))[:_MOST] if match[1] in known]
    return replaced(spans, [(*match.span(), _tool_name(spans, match, known[match[1]])) for match in found])


def _tool_name(spans: Spans, match: re.Match[str], offered: Condition) -> Spans:
    return (computed("tool", match[1], when=offered), *guarded(cut(spans, *match.span()), ~offered))


def tree_sections(m: Materials) -> Iterator[SectionDraft]:
    """The structure of each folder."""
    for number, tree in enumerate(m.trees, 1):
        lines = f"{tree.folder.rstrip('/')}/\n" + "\n".join(tree.lines)
        spans = text(m, "tree", tree={"is_cut": tree.is_cut, "lines": computed("tree", lines)})
        gap = () if number == len(m.trees) else (label("\n"),)
        title = f"Structure of {tree.folder}"
        yield _of_session(f"session.tree:{tree.folder}", title, (*spans, *gap), m.gates["tree"])


def _of_session(section_id: str, title: str, spans: Iterable[Span], when: Condition) -> SectionDraft:
    place = FOLDER.place("session")
    return SectionDraft(section_id, title, LazySequence(spans), None, when, place, "session", parent="session")


def loaded_sections(m: Materials) -> Iterator[SectionDraft]:
    """Extensions' files, the project's, and servers' instructions, in their tags."""
    groups = (
        ("extension_context", m.placed("extension"), ()),
        ("project_context", m.placed("project"), tuple(s for s in m.servers if s.instructions)),
    )
    present = [(tag, files, servers) for tag, files, servers in groups if files or servers]
    place = f"{m.inputs.workspace.rstrip('/')}/{m.names[0]}"
    there = FOLDER.reason("loaded_context", bool(present), place=place)
    opening = f"\n<loaded_context>\n<{present[0][0]}>\n" if present else "\n<loaded_context>\n"
    yield _of_session("memory.open", "Loaded context", (label(opening),), there)
    for number, (tag, files, servers) in enumerate(present):
        if number:
            title = tag.replace("_", " ").capitalize()
            yield _of_session(f"memory.open:{tag}", title, (label(f"\n</{present[number - 1][0]}>\n<{tag}>\n"),), there)
        for at, file in enumerate(files):
            when = Fact("file", file.path, True, "the file was found", "", remedy=f"empty or remove {file.path}")
            spans = (*((label("\n\n"),) if at else ()), *entries((file,)))
            yield _of_session(f"memory.{file.place}:{file.path}", file.path, spans, when)
        for at, server in enumerate(servers):
            yield _instructions(server, "\n\n" if at or files else "")
    closing = f"\n</{present[-1][0]}>\n</loaded_context>" if present else "\n</loaded_context>"
    yield _of_session("memory.close", "End of the loaded context", (label(closing),), there)


def _instructions(server: McpServer, gap: str) -> SectionDraft:
    spans = of_server(
        server.name,
        label(f"{gap}The following are instructions provided by the tool server '"),
        computed("mcp.server", server.name),
        label("':\n---[start of server instructions]---\n"),
        computed("mcp.instructions", server.instructions),
        label("\n---[end of server instructions]---"),
    )
    remedy = f"disconnect {server.name}"
    when = Fact("mcp", server.name, True, f"{server.name} sent instructions", "", remedy=remedy)
    return _of_session(f"mcp_instructions:{server.name}", f"Instructions of {server.name}", spans, when)


def _message(section_id: str, title: str, spans: Iterable[Span], when: Condition) -> SectionDraft:
    return SectionDraft(section_id, title, tuple(spans), None, when, FOLDER.place("message", section_id), "turn")


def mentions(m: Materials) -> Iterator[SectionDraft]:
    """What the prompt names with `@`: each stretch is a part of its own."""
    found, remedy = m.mentions, "take it out of the prompt"
    for token, why in found.kept_out:
        yield _message(f"mention.none:{token}", f"@{token}", (), why)
    if found.agents:
        when = Fact("flag", "prompt", True, "the prompt names a sub-agent", "", remedy=remedy)
        text = f"\n<system_note>\nThe user chose: {', '.join(found.agents)}. Hand the task to it.\n</system_note>\n"
        yield _message("mention.agents", "Sub-agents that the prompt names", (builtin("mention.agents", text),), when)
    if not found.named:
        return
    when = Fact("flag", "prompt", True, "the prompt names files", "", remedy=remedy)
    opening = (label("\n--- Content from referenced files ---"),)
    yield _message("mention.opening", "Before the files", opening, when)
    for mention in found.files:
        by_name = Fact("file", mention.path, True, "the prompt names it", "", remedy=remedy)
        name = (label("\nContent from @"), param_value("prompt", mention.token), label(":\n"))
        if not mention.data:
            yield _message(f"mention.name:{mention.path}", f"{mention.path} (name)", name, by_name)
        yield _message(f"mention.text:{mention.path}", f"{mention.path} (text)", mention.spans, by_name)
    if found.discovered:
        yield _message("mention.context", "Found around the files", _found(*found.discovered), when)
    closing = label("\n--- End of content ---") if found.files else builtin("mention.nothing", "No file is sent.")
    yield _message("mention.closing", "Behind the files", (closing,), when)


def _found(*discovered: Discovered) -> Iterator[Span]:
    """Context files between their lines."""
    yield label("\n\n--- Newly Discovered Project Context ---\n")
    for number, each in enumerate(discovered):
        yield from (label("\n"),) if number else ()
        yield from entries(each.files)
    yield label("\n--- End Project Context ---")


def reads(m: Materials) -> Iterator[SectionDraft]:
    """What is appended to the results of reads."""
    for number, found in enumerate(m.discovered):
        remedy = f"take {found.path} out of `reads`"
        when = Fact("file", found.path, True, f"{found.path} was read", "", remedy=remedy) & active(m, found.tool)
        title, place = f"Found on reading {found.path}", Place(f"read {number}", 1 + number)
        yield SectionDraft(f"read:{number}", title, tuple(_found(found)), None, when, place, "turn")


def section_drafts(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place. Blank lines collapse in the whole system text."""
    legacy = m.model.variant == "legacy"
    listed = {"agents_listed": lambda: agents_listed(m), "skills_listed": lambda: skills_listed(m)}
    scope = scope_of(m).within({**remembered(m), **listed})
    made = {
        "override": lambda: [override(m)],
        "final_reminder": lambda: FOLDER.sections(scope, group="legacy") if legacy else (),
        "trees": lambda: tree_sections(m),
        "loaded": lambda: loaded_sections(m),
        "further": lambda: (
            _message(f"prompt:{number}", f"Prompt, part {number}", spans, ALWAYS)
            for number, spans in enumerate(m.prompt[1:], 2)
        ),
        "mentions": lambda: mentions(m),
        "reads": lambda: reads(m),
    }
    drafts = FOLDER.sections(scope, made, form="legacy" if legacy else "")
    return tuple(
        replace(draft, spans=LazySequence(collapsed(draft.spans))) if draft.place.block == "system" else draft
        for draft in drafts
    )
