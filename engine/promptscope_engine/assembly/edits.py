"""A scenario's `edits`, applied to what the agent drafted: everything behind it sees the edited prompt alone.

The drafts are the one place for it: conditions, the joints between neighbours, the layout, counting and what-ifs come
after. What is dropped stays as an absent thing with its reason. Without edits nothing here runs.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar

from msgspec.structs import replace

from promptscope_engine.inputs.edits import Edit, EditedTool, EditKind, KeptEdit
from promptscope_engine.inputs.errors import ScenarioError, nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import EDITED_TOOLS, Draft, ParameterDraft, SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.leaves import mode_has, mode_is
from promptscope_engine.prompt.model import Diagnostic, Origin
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import Workspace

from .edited_draft import Bullet, EditedDraft, Side, aligned, in_place_of
from .wording import OURS, Wordings


def edited(
    draft: Draft, edits: Sequence[Edit], inputs: Inputs, workspace: Workspace, wordings: Wordings = OURS
) -> Draft:
    """The draft with the edits applied in order. A text that replaces another keeps its lines, learned ones too.

    Raises ScenarioError for an id that is unknown and for a file that cannot be read, unless the edit is kept.
    """
    if not edits or any(diagnostic.code == "agent-refuses" for diagnostic in draft.diagnostics):
        return draft
    parts, texts = EditedDraft(draft, wordings), partial(_text, inputs, workspace)
    applied = False
    for number, edit in enumerate(edits):
        try:
            _CHANGES[edit.kind](parts, number, edit, texts).apply()
        except ScenarioError as error:
            if not isinstance(edit, KeptEdit):
                raise
            text = (
                f"edit {number + 1} (`{edit.kind}` of {edit.target!r}) is kept and does nothing here: {error.message}"
            )
            parts.diagnostics.append(Diagnostic("warning", "edit-without-place", text))
        else:
            applied = True
    return replace(
        draft,
        sections=tuple(parts.sections),
        tools=tuple(parts.tools),
        diagnostics=(*draft.diagnostics, *parts.diagnostics),
        edited=applied,
    )


def text_to_edit(draft: Draft, target: str, wordings: Wordings = OURS) -> str | None:
    """The text that an edit of this section, bullet or tool would replace; None if it does not exist."""
    return EditedDraft(draft, wordings).text_of(target)


Texts = Callable[[str | None, str | None, str], str]


def _text(inputs: Inputs, workspace: Workspace, text: str | None, file: str | None, where: str) -> str:
    """The text itself, or that of the file. Raises ScenarioError for a file that cannot be read."""
    if text is not None:
        return text
    assert file is not None
    path = inputs.home + file[1:] if file.startswith("~/") else file
    found = workspace.read(path if path.startswith("/") else f"{inputs.workspace}/{path}")
    if not found.found:
        raise ScenarioError(f"{file} cannot be read: {found.detail or found.problem}", where=where)
    if found.looks_binary:
        raise ScenarioError(f"{file} is not a text file", where=where)
    return found.text.removeprefix("\ufeff").replace("\r\n", "\n")


class _Change:
    """One edit of a draft."""

    verb: ClassVar[str] = ""

    def __init__(self, parts: EditedDraft, number: int, edit: Edit, text_of: Texts) -> None:
        self.parts, self.number, self.edit, self.text_of = parts, number, edit, text_of
        self.where = f"edits.{number}"
        self.origin = Origin("edit", index=number)

    def apply(self) -> None:
        """Change the draft. Raises ScenarioError."""
        raise NotImplementedError

    def note_absence(self, target: str, is_present: bool) -> None:
        """Say that what is edited is absent, if it is."""
        if not is_present:
            text = f"edit {self.number + 1} {self.verb} {target!r}, which is absent here"
            self.parts.diagnostics.append(Diagnostic("info", "edit-of-absent", text))

    def note_tool_absence(self, tool: ToolDraft) -> None:
        """The same for a tool that no section describes."""
        self.note_absence(tool.name, tool.when.holds(self.parts.facts))

    @property
    def side(self) -> tuple[Side, str]:
        """The side on which it puts something, and of what."""
        if self.edit.before is not None:
            return "before", self.edit.before
        assert self.edit.after is not None
        return "after", self.edit.after

    def bullets(self, target: str, key: str) -> list[Bullet]:
        """The bullets of this id. Raises ScenarioError for an id that the agent does not have."""
        found = self.parts.bullets(target)
        if not found and not self.parts.had_bullet(target):
            sections, tools = [s.id for s in self.parts.sections], [t.name for t in self.parts.tools]
            known = [*sections, *tools, *self.parts.bullet_ids()]
            raise self.unknown("section, bullet or tool", target, known, key)
        return found

    def bullet_beside(self, anchor: str, side: Side) -> Bullet:
        """The bullet beside which another is put."""
        if self.parts.section_at(anchor) is not None:
            raise ScenarioError("a bullet can only be placed next to a bullet", where=f"{self.where}.{side}")
        found = self.bullets(anchor, side)
        if not found:
            raise ScenarioError(f"{anchor!r} was replaced together with its section", where=f"{self.where}.{side}")
        return found[-1]

    def unknown(self, what: str, target: str, known: Iterable[str], key: str) -> ScenarioError:
        """The error for an id that does not exist."""
        close = nearest(target, dict.fromkeys(known))
        return ScenarioError(f"no {what} is called {target!r}", where=f"{self.where}.{key}", nearest=close)


class _Drop(_Change):
    """Leaves out a section with everything nested in it, a tool, or a bullet."""

    verb = "drops"

    @property
    def dropped(self) -> Condition:
        """False: an edit took it out."""
        remedy = f"take edit {self.number + 1} out of the scenario"
        text = f"edit {self.number + 1} drops it"
        return Fact("flag", self.where, False, "", text, remedy=remedy)

    def apply(self) -> None:
        parts, target = self.parts, self.edit.target
        if (at := parts.section_at(target)) is not None:
            self._drop_section(at)
            tool = next((n for n, tool in enumerate(parts.tools) if tool.section == target), None)
            if tool is not None:
                self._gate_tool(tool)
        elif (tool := parts.tool_at(target)) is not None:
            self.drop_tool(tool)
        else:
            bullets = self.bullets(target, "drop")
            self.note_absence(target, parts.has_present(bullets))
            for bullet in bullets:
                parts.put(bullet, self._gated(parts.spans_of(bullet)), closes=True)

    def _drop_section(self, at: int) -> None:
        sections = self.parts.sections
        self.note_absence(sections[at].id, self.parts.is_present(sections[at]))
        for member in self.parts.family(at):
            sections[member] = replace(sections[member], when=self.dropped & sections[member].when, edited=True)

    def _gate_tool(self, at: int) -> None:
        tool = self.parts.tools[at]
        self.parts.tools[at] = replace(tool, when=self.dropped & tool.when, edited=True)

    def _gated(self, spans: Sequence[Span]) -> list[Span]:
        return [span.under(self.dropped) for span in spans]

    def drop_tool(self, at: int) -> None:
        """Leave out a tool wherever it is: its section, its part of another tool's description, its entry in a list."""
        tool = self.parts.tools[at]
        section = self.parts.section_at(tool.section)
        if section is not None:
            self._drop_section(section)
        else:
            self.note_tool_absence(tool)
        self._gate_tool(at)
        if section is None:
            self.parts.change_within(tool, self._gated)
        self.parts.drop_listed(tool, self.dropped)


class _DropTool(_Drop):
    """Leaves out a tool, named as such."""

    def apply(self) -> None:
        at = self.parts.tool_at(self.edit.target)
        if at is None:
            raise self.unknown("tool", self.edit.target, [tool.name for tool in self.parts.tools], "drop_tool")
        self.drop_tool(at)


class _Replace(_Change):
    """Gives a section, a tool's description or a bullet another text."""

    verb = "replaces"

    def apply(self) -> None:
        parts, target = self.parts, self.edit.target
        text = self.text_of(self.edit.text, self.edit.file, f"{self.where}.file")
        if (at := parts.section_at(target)) is not None:
            self.note_absence(target, parts.is_present(parts.sections[at]))
            parts.set_text(at, text, self.origin)
        elif (tool := parts.tool_at(target)) is not None:
            self._replace_description(tool, text)
        else:
            bullets = self.bullets(target, "replace")
            self.note_absence(target, parts.has_present(bullets))
            for n, bullet in enumerate(bullets):
                spans = parts.spans_of(bullet)
                new = Span(in_place_of(joined(spans), text), self.origin, spans[0].when)
                parts.put(bullet, [new] if n == len(bullets) - 1 else [])
            parts.name_bullet(self.number, target)

    def _replace_description(self, at: int, text: str) -> None:
        parts, tool = self.parts, self.parts.tools[at]
        section = parts.section_at(tool.section)
        if section is not None:
            parts.set_text(section, text, self.origin)
        else:
            new = Span(in_place_of(joined(tool.description), text), self.origin, tool.when)
            parts.change_within(tool, lambda _: (new,))
        self.note_tool_absence(tool)
        old = parts.worded(f"tools.{tool.name}", tool.description)
        parts.set_description(at, aligned(old, text, self.origin))


class _Insert(_Change):
    """Puts a section beside a section, or a bullet beside a bullet."""

    def apply(self) -> None:
        parts, new = self.parts, self.edit.insert
        assert new is not None
        if parts.section_at(new.id) is not None or parts.tool_at(new.id) is not None or parts.bullets(new.id):
            raise ScenarioError(f"there is a part called {new.id!r} already", where=f"{self.where}.insert.id")
        text = self.text_of(new.text, new.file, f"{self.where}.insert.file")
        side, anchor = self.side
        if (at := parts.section_of(anchor)) is not None:
            beside = parts.sections[at]
            last = parts.sections[max(parts.family(at))] if side == "after" else beside
            section = replace(parts.new_section(last, new.id, new.title, text, self.origin), parent=beside.parent)
            parts.put_sections([section], at, side, self.origin)
            return
        if parts.tool_at(anchor) is not None:
            raise ScenarioError("text cannot be placed next to a tool", where=f"{self.where}.{side}")
        bullet = self.bullet_beside(anchor, side)
        span = Span(in_place_of(joined(parts.spans_of(bullet)), text), self.origin)
        parts.put_beside([span], bullet, side, self.origin)
        parts.name_bullet(self.number, new.id)


class _Move(_Change):
    """Moves a section beside a section, a tool beside a tool, or a bullet beside a bullet."""

    verb = "moves"

    def apply(self) -> None:
        parts, target = self.parts, self.edit.target
        side, anchor = self.side
        tool = parts.tool_at(target)
        if tool is not None and parts.tool_at(anchor) is not None:
            self._move_tool(tool, side, anchor)
        elif (at := parts.section_at(target)) is not None:
            self._move_section(at, side, anchor)
        elif tool is not None:
            raise ScenarioError("a tool can only be moved next to a tool", where=f"{self.where}.{side}")
        else:
            self._move_bullets(self.bullets(target, "move"), side, anchor)

    def _move_bullets(self, bullets: Sequence[Bullet], side: Side, anchor: str) -> None:
        parts = self.parts
        self.note_absence(self.edit.target, parts.has_present(bullets))
        beside = self.bullet_beside(anchor, side)
        for bullet in bullets:
            if bullet.section == beside.section and bullet.start <= beside.start < bullet.stop:
                raise self._beside_itself(side)
        moved: list[Span] = []
        for bullet in bullets:
            moved = [*parts.spans_of(bullet), *moved]
            parts.put(bullet, [], closes=True)
        if moved:
            parts.put_beside(moved, self.bullet_beside(anchor, side), side, self.origin)

    def _beside_itself(self, side: Side) -> ScenarioError:
        return ScenarioError("a part cannot be placed next to itself", where=f"{self.where}.{side}")

    def _move_section(self, at: int, side: Side, anchor: str) -> None:
        parts, sections = self.parts, self.parts.sections
        self.note_absence(sections[at].id, parts.is_present(sections[at]))
        beside = parts.section_of(anchor)
        if beside is None:
            if parts.tool_at(anchor) is None:
                self.bullets(anchor, side)
            raise ScenarioError("a section is moved beside a section", where=f"{self.where}.{side}")
        family = set(parts.family(at))
        if beside in family:
            raise self._beside_itself(side)
        to = sections[beside]
        others = [section for n, section in enumerate(sections) if n not in family and parts.is_present(section)]
        own = self._keeps_block(sections[at], to, side, others)
        moved = [sections[n] if own else replace(sections[n], place=to.place) for n in sorted(family)]
        moved = [replace(section, edited=True) for section in moved]
        moved[0] = replace(moved[0], parent=to.parent)
        parts.sections = [section for n, section in enumerate(sections) if n not in family]
        now = next(n for n, section in enumerate(parts.sections) if section is to)
        parts.put_sections(moved, now, side, self.origin)

    def _keeps_block(self, moved: SectionDraft, to: SectionDraft, side: Side, others: Sequence[SectionDraft]) -> bool:
        """Whether a block of its own moves as a whole: it would cut no other block in two."""
        same_message = (moved.place.message, moved.place.role) == (to.place.message, to.place.role)
        if not same_message or to not in others or any(each.place.joins(moved.place) for each in others):
            return False
        at = others.index(to)
        beyond = others[at - 1 : at] if side == "before" else others[at + 1 : at + 2]
        return not any(each.place.joins(to.place) for each in beyond)

    def _move_tool(self, at: int, side: Side, anchor: str) -> None:
        tool = self.parts.tools[at]
        if tool.name == anchor:
            raise self._beside_itself(side)
        section = self.parts.section_at(tool.section)
        if section is not None:
            self._move_section(section, side, anchor)
        else:
            self.note_tool_absence(tool)
        del self.parts.tools[at]
        beside = self.parts.tool_at(anchor)
        assert beside is not None
        self.parts.tools.insert(beside + (side == "after"), replace(tool, edited=True))


class _OfferTool(_Change):
    """Offers a tool, in place of the one that has its name."""

    def apply(self) -> None:
        parts, tool = self.parts, self.edit.tool
        assert tool is not None
        at = parts.tool_at(tool.name)
        old = parts.tools[at] if at is not None else None
        made = self._drafted(tool)
        section = self._last_description() if old is None else parts.section_at(old.section)
        if section is not None:  # this agent describes its tools in the prompt: the schema is not sent
            described = f"tools.{tool.name}" if old is None else old.section
            made = replace(made, section=described, input_schema=None)
            if old is not None:
                parts.set_text(section, tool.description, self.origin)
                parts.sections[section] = replace(parts.sections[section], when=made.when)
            else:
                self._insert_description(made, section)
        elif at is not None and old is not None and old.section:  # it was part of another tool's description
            _Drop(parts, self.number, self.edit, self.text_of).drop_tool(at)
        if at is None:
            parts.tools.append(made)
        else:
            parts.tools[at] = made

    def _drafted(self, tool: EditedTool) -> ToolDraft:
        schema = dict(tool.input_schema)
        named, required = schema.get("properties"), schema.get("required")
        wanted = required if isinstance(required, list) else []
        parameters = tuple(ParameterDraft(each, each in wanted) for each in named) if isinstance(named, dict) else ()
        return ToolDraft(
            tool.name,
            tool.group or EDITED_TOOLS,
            (Span(tool.description, self.origin),),
            self._offered_in(tool),
            parameters,
            schema,
            edited=True,
        )

    def _offered_in(self, tool: EditedTool) -> Condition:
        """In the modes that it names, of those that have its group. Raises ScenarioError for one that isn't there."""
        modes = self.parts.facts.modes
        slugs, groups = [mode.slug for mode in modes], dict.fromkeys(group for mode in modes for group in mode.groups)
        for slug in tool.modes or ():
            if slug not in slugs:
                raise self.unknown("mode", slug, slugs, "tool.modes")
        if tool.group is not None and groups and tool.group not in groups:
            raise self.unknown("group", tool.group, groups, "tool.group")
        when = ALWAYS if tool.modes is None else mode_is(*tool.modes)
        return when & mode_has(tool.group) if tool.group is not None and groups else when

    def _last_description(self) -> int | None:
        """The last section that describes a tool, if the agent describes all of its tools in sections."""
        places = [self.parts.section_at(tool.section) for tool in self.parts.tools]
        found = [place for place in places if place is not None]
        return max(found, default=None) if len(found) == len(places) else None

    def _insert_description(self, tool: ToolDraft, last: int) -> None:
        beside = self.parts.sections[last]
        text = joined(tool.description)
        section = self.parts.new_section(beside, f"tools.{tool.name}", tool.name, text, self.origin)
        section = replace(section, parent=beside.parent, when=tool.when)
        self.parts.put_sections([section], last, "after", self.origin)


_CHANGES: dict[EditKind, type[_Change]] = {
    "drop": _Drop,
    "replace": _Replace,
    "insert": _Insert,
    "move": _Move,
    "tool": _OfferTool,
    "drop_tool": _DropTool,
}
