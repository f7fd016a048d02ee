"""A scenario's `edits`, applied to what the agent drafted: everything behind it sees the edited prompt alone.

The drafts are the one place for it: conditions, the joints between neighbours, the layout, counting and what-ifs come
after. What is dropped stays as an absent thing with its reason. Without edits nothing here runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.edits import Edit, EditedTool, KeptEdit
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import EDITED_TOOLS, Choice, Draft, ParameterDraft, SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.prompt.spans import cut, joined
from promptscope_engine.workspace import Workspace

from .edited_text import aligned, between_line_feeds, in_place_of, standing
from .wording import OURS, Wordings

_PARTED = "\n\n"
"""What parts two texts where neither ends or begins with a line feed."""

D = TypeVar("D", SectionDraft, ToolDraft)


def edited(
    draft: Draft, edits: Sequence[Edit], inputs: Inputs, workspace: Workspace, wordings: Wordings = OURS
) -> Draft:
    """The draft with the edits applied in order. A text that replaces another keeps its lines, learned ones too.

    Raises ScenarioError for an id that is unknown and for a file that cannot be read, unless the edit is kept.
    """
    if not edits or any(diagnostic.code == "agent-refuses" for diagnostic in draft.diagnostics):
        return draft
    editing = _Editing(draft, inputs, workspace, wordings)
    for number, edit in enumerate(edits):
        try:
            editing.apply(number, edit)
        except ScenarioError as error:
            if not isinstance(edit, KeptEdit):
                raise
            text = (
                f"edit {number + 1} (`{edit.kind}` of {edit.target!r}) is kept and does nothing here: {error.message}"
            )
            editing.diagnostics.append(Diagnostic("warning", "edit-without-place", text))
        else:
            editing.applied = True
    return replace(
        draft,
        sections=tuple(editing.sections),
        tools=tuple(editing.tools),
        diagnostics=(*draft.diagnostics, *editing.diagnostics),
        edited=editing.applied,
    )


def text_to_edit(draft: Draft, target: str, wordings: Wordings = OURS) -> str | None:
    """What an edit of this section, bullet or tool would replace; None if there is no such thing."""
    return _Editing(draft, None, None, wordings).text_of(target)


class _Bullet(Struct, frozen=True):
    """The spans `start` to `stop` of a section."""

    section: int
    start: int
    stop: int


class _Editing:
    """Sections and tools while they are edited."""

    def __init__(self, draft: Draft, inputs: Inputs | None, workspace: Workspace | None, wordings: Wordings) -> None:
        self.sections, self.tools = list(draft.sections), list(draft.tools)
        self.diagnostics: list[Diagnostic] = []
        self.applied = False
        self._draft, self._facts, self._inputs, self._workspace = draft, draft.facts, inputs, workspace
        self._wordings = wordings
        self._bullets_put: dict[int, str] = {}  # ids of the bullets whose text is that of an edit, by its number

    def apply(self, number: int, edit: Edit) -> None:
        """Apply one edit. Raises ScenarioError."""
        match edit.kind:
            case "drop":
                self._drop(number, edit.target)
            case "replace":
                self._replace(number, edit)
            case "insert":
                self._insert(number, edit)
            case "move":
                self._move(number, edit)
            case "tool":
                assert edit.tool is not None
                self._offer(number, edit.tool)
            case "drop_tool":
                self._drop_tool(number, self._tool_called(edit.target, f"edits.{number}.drop_tool"))

    # --- what is meant --------------------------------------------------------------------------------------------

    def text_of(self, target: str) -> str | None:
        """The text of what has this id, without the line feeds around it."""
        if (at := self._section_at(target)) is not None:
            spans = self._worded(target, self.sections[at].spans)
        elif (tool := self._tool_at(target)) is not None:
            spans = self._worded(f"tools.{target}", self.tools[tool].description)
        elif bullets := self._bullets(target):
            section = self.sections[bullets[0].section]
            spans = standing(section.spans[bullets[0].start : bullets[0].stop], self._facts)
        else:
            return None
        return between_line_feeds(joined(spans))[1]

    def _worded(self, part: str, spans: Sequence[Span]) -> Sequence[Span]:
        """The spans of a part as they stand in the prompt."""
        return self._wordings.put_in(part, standing(spans, self._facts))

    def _section_at(self, section_id: str | None) -> int | None:
        return next((n for n, section in enumerate(self.sections) if section.id == section_id), None)

    def _tool_at(self, name: str) -> int | None:
        return next((n for n, tool in enumerate(self.tools) if tool.name == name), None)

    def _tool_called(self, name: str, where: str) -> int:
        at = self._tool_at(name)
        if at is None:
            raise self._unknown("tool", name, [tool.name for tool in self.tools], where)
        return at

    def _bullets(self, bullet_id: str) -> list[_Bullet]:
        """The stretches that begin with a fragment of this id, the last ones first: cutting moves what is behind."""
        found = [
            _Bullet(at, start, stop)
            for at, section in enumerate(self.sections)
            for start, stop in _stretches(section.spans, lambda span: self._id_of(span), bullet_id)
        ]
        return found[::-1]

    def _id_of(self, span: Span) -> str | None:
        origin = span.origin
        return self._bullets_put.get(origin.index) if origin.index is not None else origin.id

    def _found_bullets(self, target: str, where: str) -> list[_Bullet]:
        found = self._bullets(target)
        if not found and not self._was_known(target):
            sections, tools = [s.id for s in self.sections], [t.name for t in self.tools]
            raise self._unknown("section, bullet or tool", target, [*sections, *tools, *self._all_bullets()], where)
        return found

    def _was_known(self, target: str) -> bool:
        """Whether the agent has such a bullet: one that is gone was replaced together with its section."""
        return any(span.origin.id == target for section in self._draft.sections for span in section.spans)

    def _all_bullets(self) -> list[str]:
        return [found for section in self.sections for span in section.spans if (found := self._id_of(span))]

    def _unknown(self, what: str, target: str, known: Iterable[str], where: str) -> ScenarioError:
        return ScenarioError(
            f"no {what} is called {target!r}", where=where, nearest=nearest(target, dict.fromkeys(known))
        )

    def _family(self, at: int) -> list[int]:
        """A section and all that is nested in it, by place."""
        inside = {self.sections[at].id}
        found = [at]
        for number, section in enumerate(self.sections):
            if number != at and section.parent in inside:
                inside.add(section.id)
                found.append(number)
        return found

    # --- the edits ------------------------------------------------------------------------------------------------

    def _drop(self, number: int, target: str) -> None:
        if (at := self._section_at(target)) is not None:
            self._drop_section(number, at)
            tool = next((n for n, tool in enumerate(self.tools) if tool.section == target), None)
            if tool is not None:
                self.tools[tool] = _dropped(self.tools[tool], number)
        elif (tool := self._tool_at(target)) is not None:
            self._drop_tool(number, tool)
        else:
            bullets = self._found_bullets(target, f"edits.{number}.drop")
            self._note_absence(number, "drops", target, any(map(self._bullet_stands, bullets)))
            for bullet in bullets:
                spans = self.sections[bullet.section].spans[bullet.start : bullet.stop]
                self._put(bullet, [span.under(_taken(number)) for span in spans], closes=True)

    def _drop_section(self, number: int, at: int) -> None:
        self._note_absence(number, "drops", self.sections[at].id, self._stands(self.sections[at]))
        for member in self._family(at):
            self.sections[member] = _dropped(self.sections[member], number)

    def _drop_tool(self, number: int, at: int) -> None:
        tool = self.tools[at]
        section = self._section_at(tool.section)
        if section is not None:
            self._drop_section(number, section)
        else:
            self._note_absence(number, "drops", tool.name, tool.when.holds(self._facts))
        self.tools[at] = _dropped(tool, number)
        if tool.section and section is None:  # it stands in the description of another tool
            outer = self._tool_at(tool.section)
            if outer is not None:
                self.tools[outer] = self._without(number, self.tools[outer], tool.description)
        if tool.listed:
            for n, each in enumerate(self.sections):
                if (start := _run(each.spans, tool.listed)) is not None:
                    spans = [span.under(_taken(number)) for span in each.spans[start : start + len(tool.listed)]]
                    self._put(_Bullet(n, start, start + len(tool.listed)), spans)

    def _without(self, number: int, outer: ToolDraft, inner: Sequence[Span]) -> ToolDraft:
        start = _run(outer.description, inner)
        if start is None:
            return outer
        stop, spans = start + len(inner), outer.description
        gone = [span.under(_taken(number)) for span in spans[start:stop]]
        description = (*spans[:start], *gone, *spans[stop:])
        return replace(outer, description=description, edited=True, unedited=outer.unedited or spans)

    def _replace(self, number: int, edit: Edit) -> None:
        target, where = edit.target, f"edits.{number}"
        text = self._text(edit.text, edit.file, f"{where}.file")
        if (at := self._section_at(target)) is not None:
            section = self.sections[at]
            self._note_absence(number, "replaces", target, self._stands(section))
            self.sections[at] = self._with_text(section, text, number)
        elif (tool := self._tool_at(target)) is not None:
            self._replace_description(number, tool, text)
        else:
            bullets = self._found_bullets(target, f"{where}.replace")
            self._note_absence(number, "replaces", target, any(map(self._bullet_stands, bullets)))
            for n, bullet in enumerate(bullets):
                spans = self.sections[bullet.section].spans[bullet.start : bullet.stop]
                new = Span(in_place_of(joined(spans), text), _origin(number), spans[0].when)
                self._put(bullet, [new] if n == len(bullets) - 1 else [])
            self._bullets_put[number] = target

    def _with_text(self, section: SectionDraft, text: str, number: int) -> SectionDraft:
        old = self._worded(section.id, section.spans)
        spans = aligned(old, in_place_of(joined(old or section.spans), text), _origin(number))
        heading = section.heading.under(self._facts) if isinstance(section.heading, Choice) else section.heading
        if heading is not None and heading not in text:
            heading = None
        return replace(section, spans=spans, heading=heading, edited=True, unedited=section.unedited or section.spans)

    def _replace_description(self, number: int, at: int, text: str) -> None:
        tool = self.tools[at]
        section = self._section_at(tool.section)
        if section is not None:
            self.sections[section] = self._with_text(self.sections[section], text, number)
        elif tool.section and (outer := self._tool_at(tool.section)) is not None:
            start = _run(self.tools[outer].description, tool.description)
            if start is not None:
                spans = self.tools[outer].description
                new = Span(in_place_of(joined(tool.description), text), _origin(number), tool.when)
                description = (*spans[:start], new, *spans[start + len(tool.description) :])
                unedited = self.tools[outer].unedited or spans
                self.tools[outer] = replace(self.tools[outer], description=description, edited=True, unedited=unedited)
        self._note_absence(number, "replaces", tool.name, tool.when.holds(self._facts))
        description = aligned(self._worded(f"tools.{tool.name}", tool.description), text, _origin(number))
        self.tools[at] = replace(tool, description=description, edited=True, unedited=tool.unedited or tool.description)

    def _insert(self, number: int, edit: Edit) -> None:
        new, where = edit.insert, f"edits.{number}"
        assert new is not None
        if self._section_at(new.id) is not None or self._tool_at(new.id) is not None or self._bullets(new.id):
            raise ScenarioError(f"there is a part called {new.id!r} already", where=f"{where}.insert.id")
        text = self._text(new.text, new.file, f"{where}.insert.file")
        side, anchor = _side(edit)
        if (at := self._anchor_section(anchor)) is not None:
            beside = self.sections[at]
            last = self.sections[max(self._family(at))] if side == "after" else beside
            self._put_sections([self._like(last, new.id, new.title, text, number, beside.parent)], at, side, number)
            return
        if self._tool_at(anchor) is not None:
            raise ScenarioError("no text stands beside a tool", where=f"{where}.{side}")
        bullet = self._anchor_bullet(anchor, f"{where}.{side}")
        spans = self.sections[bullet.section].spans[bullet.start : bullet.stop]
        self._put_spans([Span(in_place_of(joined(spans), text), _origin(number))], bullet, side, number)
        self._bullets_put[number] = new.id

    def _move(self, number: int, edit: Edit) -> None:
        target, where = edit.target, f"edits.{number}"
        side, anchor = _side(edit)
        if (tool := self._tool_at(target)) is not None and self._tool_at(anchor) is not None:
            self._move_tool(number, tool, anchor, side)
            return
        if (at := self._section_at(target)) is not None:
            self._move_section(number, at, anchor, side)
            return
        if tool is not None:
            raise ScenarioError("a tool is moved beside a tool", where=f"{where}.{side}")
        bullets = self._found_bullets(target, f"{where}.move")
        self._note_absence(number, "moves", target, any(map(self._bullet_stands, bullets)))
        beside = self._anchor_bullet(anchor, f"{where}.{side}")
        for bullet in bullets:
            if bullet.section == beside.section and bullet.start <= beside.start < bullet.stop:
                raise ScenarioError("nothing stands beside itself", where=f"{where}.{side}")
        moved: list[Span] = []
        for bullet in bullets:
            moved = [*self.sections[bullet.section].spans[bullet.start : bullet.stop], *moved]
            self._put(bullet, [], closes=True)
        if moved:
            self._put_spans(moved, self._anchor_bullet(anchor, f"{where}.{side}"), side, number)

    def _move_section(self, number: int, at: int, anchor: str, side: Literal["before", "after"]) -> None:
        where = f"edits.{number}.{side}"
        self._note_absence(number, "moves", self.sections[at].id, self._stands(self.sections[at]))
        beside = self._anchor_section(anchor)
        if beside is None:
            if self._tool_at(anchor) is None:
                self._found_bullets(anchor, where)
            raise ScenarioError("a section is moved beside a section", where=where)
        family = set(self._family(at))
        if beside in family:
            raise ScenarioError("nothing stands beside itself", where=where)
        to = self.sections[beside]
        others = [section for n, section in enumerate(self.sections) if n not in family and self._stands(section)]
        own = self._keeps_block(self.sections[at], to, side, others)
        moved = [self.sections[n] if own else replace(self.sections[n], place=to.place) for n in sorted(family)]
        moved = [replace(section, edited=True) for section in moved]
        moved[0] = replace(moved[0], parent=to.parent)
        self.sections = [section for n, section in enumerate(self.sections) if n not in family]
        now = next(n for n, section in enumerate(self.sections) if section is to)
        self._put_sections(moved, now, side, number)

    def _keeps_block(
        self, moved: SectionDraft, to: SectionDraft, side: Literal["before", "after"], others: Sequence[SectionDraft]
    ) -> bool:
        """Whether a block of its own moves as a whole: it would cut no other block in two."""
        same_message = (moved.place.message, moved.place.role) == (to.place.message, to.place.role)
        if not same_message or to not in others or any(each.place.joins(moved.place) for each in others):
            return False
        at = others.index(to)
        beyond = others[at - 1 : at] if side == "before" else others[at + 1 : at + 2]
        return not any(each.place.joins(to.place) for each in beyond)

    def _move_tool(self, number: int, at: int, anchor: str, side: Literal["before", "after"]) -> None:
        tool = self.tools[at]
        if tool.name == anchor:
            raise ScenarioError("nothing stands beside itself", where=f"edits.{number}.{side}")
        section = self._section_at(tool.section)
        if section is not None:
            self._move_section(number, section, anchor, side)
        else:
            self._note_absence(number, "moves", tool.name, tool.when.holds(self._facts))
        del self.tools[at]
        beside = self._tool_at(anchor)
        assert beside is not None
        self.tools.insert(beside + (side == "after"), replace(tool, edited=True))

    def _offer(self, number: int, tool: EditedTool) -> None:
        span = Span(tool.description, _origin(number))
        schema: Json = dict(tool.input_schema)
        named = schema.get("properties") if isinstance(schema, dict) else None
        required = schema.get("required") if isinstance(schema, dict) else None
        wanted = required if isinstance(required, list) else []
        parameters = tuple(ParameterDraft(name, name in wanted) for name in named) if isinstance(named, dict) else ()
        made = ToolDraft(tool.name, EDITED_TOOLS, (span,), parameters=parameters, input_schema=schema, edited=True)
        at = self._tool_at(tool.name)
        old = self.tools[at] if at is not None else None
        section = self._last_description() if old is None else self._section_at(old.section)
        if section is not None:  # this agent tells of its tools in the prompt: the schema is not sent
            made = replace(made, section=f"tools.{tool.name}" if old is None else old.section, input_schema=None)
            if old is not None:
                self.sections[section] = replace(
                    self._with_text(self.sections[section], tool.description, number), when=ALWAYS
                )
            else:
                self._insert_description(number, tool, section)
        elif old is not None and old.section:  # it stood in another tool's description; now it is sent by itself
            self._drop_tool(number, self._tool_called(tool.name, ""))
        if at is None:
            self.tools.append(made)
        else:
            self.tools[at] = made

    def _last_description(self) -> int | None:
        """The last section that describes a tool, of an agent that tells of all of them in sections."""
        places = [self._section_at(tool.section) for tool in self.tools]
        found = [place for place in places if place is not None]
        return max(found, default=None) if len(found) == len(places) else None

    def _insert_description(self, number: int, tool: EditedTool, last: int) -> None:
        beside = self.sections[last]
        section = self._like(beside, f"tools.{tool.name}", tool.name, tool.description, number, beside.parent)
        self._put_sections([section], last, "after", number)

    def _like(
        self, beside: SectionDraft, section_id: str, title: str, text: str, number: int, parent: str | None
    ) -> SectionDraft:
        """A section that is put in beside another: with its line feeds, and in its block."""
        old = joined(standing(beside.spans, self._facts) or beside.spans)
        span = Span(in_place_of(old, text), _origin(number))
        return SectionDraft(section_id, title or section_id, (span,), place=beside.place, parent=parent, edited=True)

    # --- helpers --------------------------------------------------------------------------------------------------

    def _text(self, text: str | None, file: str | None, where: str) -> str:
        if text is not None:
            return text
        assert file is not None
        assert self._inputs is not None
        assert self._workspace is not None
        path = self._inputs.home + file[1:] if file.startswith("~/") else file
        found = self._workspace.read(path if path.startswith("/") else f"{self._inputs.workspace}/{path}")
        if not found.found:
            raise ScenarioError(f"{file} cannot be read: {found.detail or found.problem}", where=where)
        if found.looks_binary:
            raise ScenarioError(f"{file} is no text", where=where)
        return found.text.removeprefix("\ufeff").replace("\r\n", "\n")

    def _anchor_section(self, anchor: str) -> int | None:
        """The section of this id, or the one that describes the tool of this name."""
        at = self._section_at(anchor)
        tool = self._tool_at(anchor) if at is None else None
        section = self.tools[tool].section if tool is not None else None
        return self._section_at(section) if section else at

    def _anchor_bullet(self, anchor: str, where: str) -> _Bullet:
        if self._section_at(anchor) is not None:
            raise ScenarioError("a bullet stands beside a bullet", where=where)
        found = self._found_bullets(anchor, where)
        if not found:
            raise ScenarioError(f"{anchor!r} was replaced together with its section", where=where)
        return found[-1]

    def _stands(self, section: SectionDraft) -> bool:
        return section.when.holds(self._facts)

    def _bullet_stands(self, bullet: _Bullet) -> bool:
        section = self.sections[bullet.section]
        spans = section.spans[bullet.start : bullet.stop]
        return self._stands(section) and any(span.when.holds(self._facts) for span in spans)

    def _note_absence(self, number: int, verb: str, target: str, stands: bool) -> None:
        if not stands:
            text = f"edit {number + 1} {verb} {target!r}, which is absent here"
            self.diagnostics.append(Diagnostic("info", "edit-of-absent", text))

    def _put(self, bullet: _Bullet, spans: Sequence[Span], *, closes: bool = False) -> None:
        """Put spans in a bullet's place; with `closes` what is left around it does not keep two line feeds of it."""
        section = self.sections[bullet.section]
        head, tail = section.spans[: bullet.start], tuple(section.spans[bullet.stop :])
        gone = joined(section.spans[bullet.start : bullet.stop])
        if (
            closes
            and not gone.endswith("\n")
            and joined(head[-1:]).endswith("\n")
            and joined(tail[:1]).startswith("\n")
        ):
            tail = cut(tail, 1, len(joined(tail)))
        self.sections[bullet.section] = replace(
            section, spans=(*head, *spans, *tail), edited=True, unedited=section.unedited or section.spans
        )

    def _put_spans(self, spans: list[Span], beside: _Bullet, side: Literal["before", "after"], number: int) -> None:
        section = self.sections[beside.section]
        at = beside.start if side == "before" else beside.stop
        head, tail = section.spans[:at], section.spans[at:]
        if _runs_on(joined(head), joined(spans)):
            spans = [Span("\n", _origin(number)), *spans]
        if _runs_on(joined(spans), joined(tail)):
            spans = [*spans, Span("\n", _origin(number))]
        self._put(_Bullet(beside.section, at, at), spans)

    def _put_sections(self, new: list[SectionDraft], at: int, side: Literal["before", "after"], number: int) -> None:
        """Put sections beside the one at a place, behind all that is nested in it."""
        place = at if side == "before" else max(self._family(at)) + 1
        before, behind = self.sections[place - 1 : place], self.sections[place : place + 1]
        for neighbour in before:
            if self._meet(neighbour, new[0]):
                new[0] = replace(new[0], spans=(Span(_PARTED, _origin(number)), *new[0].spans))
        for neighbour in behind:
            if self._meet(new[-1], neighbour):
                new[-1] = replace(new[-1], spans=(*new[-1].spans, Span(_PARTED, _origin(number))))
        self.sections[place:place] = new

    def _meet(self, first: SectionDraft, second: SectionDraft) -> bool:
        """Whether two sections of one block run on without anything between them."""
        if second.place.gap or not second.place.joins(first.place):
            return False
        texts = [joined(standing(each.spans, self._facts)) for each in (first, second)]
        return _runs_on(texts[0], texts[1])


def _runs_on(first: str, second: str) -> bool:
    return bool(first) and bool(second) and not first.endswith("\n") and not second.startswith("\n")


def _side(edit: Edit) -> tuple[Literal["before", "after"], str]:
    if edit.before is not None:
        return "before", edit.before
    assert edit.after is not None
    return "after", edit.after


def _origin(number: int) -> Origin:
    return Origin("edit", index=number)


def _taken(number: int) -> Condition:
    """False: an edit has taken it out."""
    remedy = f"take edit {number + 1} out of the scenario"
    return Fact("flag", f"edits.{number}", False, "", f"edit {number + 1} drops it", remedy=remedy)


def _dropped(draft: D, number: int) -> D:
    return replace(draft, when=_taken(number) & draft.when, edited=True)


def _stretches(spans: Sequence[Span], id_of: Callable[[Span], str | None], bullet_id: str) -> Iterator[tuple[int, int]]:
    """Where a bullet stands: its first span, and all that goes on with it.

    A sentence of ours is often cut by a value (a path, a number) or by a part of its own with a condition: what
    follows belongs to it up to a line break or the next wording.
    """
    start: int | None = None
    stop = 0
    for number, span in enumerate(spans):
        found = id_of(span)
        if found == bullet_id:
            if start is None:
                start = number
            stop = number + 1
        elif start is None:
            continue
        elif found is not None:
            if not found.startswith(f"{bullet_id}."):
                yield start, stop
                start = None
        elif stop == number and not span.text.startswith("\n") and not spans[number - 1].text.endswith("\n"):
            stop = number + 1
    if start is not None:
        yield start, stop


def _run(spans: Sequence[Span], wanted: Sequence[Span]) -> int | None:
    """Where the wanted spans stand among others, whatever guards them there."""
    alike = [(span.text, span.origin) for span in wanted]
    if not alike:
        return None
    for start in range(len(spans) - len(alike) + 1):
        if all((spans[start + n].text, spans[start + n].origin) == each for n, each in enumerate(alike)):
            return start
    return None
