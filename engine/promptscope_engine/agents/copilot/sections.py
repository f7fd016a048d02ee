"""Copilot's sections in the order of the wire (agent.toml): those that lists decide are made here."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import SectionDraft, Span, ToolDraft, computed, label, of_server

from .materials import Instruction, Materials
from .texts import FOLDER, scope_of


def server_sections(m: Materials) -> Iterator[SectionDraft]:
    """What servers say of themselves, each in an element of its own."""
    for server in m.servers:
        said = computed("mcp.instructions", server.instructions)
        spans = of_server(server.name, label(f"<{server.name}-*>\n"), said, label(f"\n</{server.name}-*>\n"))
        title, place = f"Instructions of {server.name}", FOLDER.place("second")
        yield SectionDraft(f"tools.server:{server.name}", title, spans, None, server.when, place, parent="tools")


# --- instruction files --------------------------------------------------------------------------------------------


def instruction_sections(m: Materials) -> Iterator[SectionDraft]:
    """Blocks, loose texts, then the tables; what joins them depends on what there is."""
    before: list[Condition] = []
    for file in m.instructions:
        spans = (*_gap(before), *_framed(file))
        kind = "loose" if file.loose else "file"
        yield _section(f"instructions.{kind}:{file.path}", file.path, spans, file.when)
        before.append(file.when)
    blocks = [file.when for file in m.instructions if not file.loose]
    others = [file.when for file in m.instructions if file.loose]
    for table, title in (("directories", "Folders with instructions"), ("patterns", "Instructions for some files")):
        rows = [row for row in m.named if row.table == table]
        when = _any([row.when for row in rows])
        listed = [
            {
                "first": computed("pattern", row.first),
                "path": computed("path", row.shown),
                "description": row.description,
                "when": row.when,
            }
            for row in rows
        ]
        spans = tuple(FOLDER.spans(table, scope_of(m).within({"rows": listed})))
        yield _section(f"instructions.{table}", title, (*_gap(before), *spans), when)
        before.append(when)
        others.append(when)
    both = _any(blocks) & _any(others)
    # nothing at all leaves two line breaks; so do blocks with something behind them
    ends = (label("\n"), label("\n", when=both | ~_any([*blocks, *others])))
    yield _section("instructions.end", "End of the instruction files", ends)


def _framed(file: Instruction) -> tuple[Span, ...]:
    if file.loose:
        return file.spans
    return (label("<custom_instruction>\n"), *file.spans, label("\n</custom_instruction>"))


def _gap(before: Sequence[Condition]) -> tuple[Span, ...]:
    """A line break before the first present one, two before each further one."""
    return (label("\n"), *([label("\n", when=_any(before))] if before else []))


def _any(conditions: Sequence[Condition]) -> Condition:
    nothing = Fact("file", "instructions", False, "", "there is no such file", remedy="write an AGENTS.md")
    return reduce(or_, conditions) if conditions else nothing


def _section(section_id: str, title: str, spans: tuple[Span, ...], when: Condition = ALWAYS) -> SectionDraft:
    place = FOLDER.place("second")
    return SectionDraft(section_id, title, spans, None, when, place, parent="instructions")


def woken_sections(m: Materials) -> Iterator[SectionDraft]:
    """What reads brought along: one message."""
    for file in m.woken:
        each = {"path": computed("path", file.shown), "text": file.spans}
        spans = tuple(FOLDER.spans("reminder", scope_of(m).within({"each": each})))
        place = FOLDER.place("woken")
        yield SectionDraft(f"woken:{file.path}", f"{file.shown}, woken", spans, None, file.when, place, "turn")


def all_sections(m: Materials, _tools: tuple[ToolDraft, ...] = ()) -> tuple[SectionDraft, ...]:
    """Every section, the absent ones at their place."""
    made = {
        "servers": lambda: server_sections(m),
        "instructions": lambda: instruction_sections(m),
        "woken": lambda: woken_sections(m),
    }
    return tuple(_in_order(m, [*FOLDER.sections(scope_of(m), made)]))


def _in_order(m: Materials, drafts: list[SectionDraft]) -> list[SectionDraft]:
    """What is said of tools is in the order of the tools, which a chosen agent may change."""
    names = {f"tools.{name}": number for number, name in enumerate(m.order)}
    names["tools.search"] = min(names["tools.rg"], names["tools.grep"])
    at = [number for number, draft in enumerate(drafts) if draft.id in names]
    for number, draft in zip(at, sorted((drafts[n] for n in at), key=lambda each: names[each.id]), strict=True):
        drafts[number] = draft
    return drafts
