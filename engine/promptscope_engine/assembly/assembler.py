"""From a scenario to an assembly: resolve the inputs, let the agent draft, evaluate the conditions, count."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import compress, count, groupby
from operator import is_not
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Agent, draft
from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.kit.sources import laid_over_notes
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned.model import values_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.derived import explained
from promptscope_engine.prompt.drafts import Choice, Draft, FileDraft, Place, SectionDraft, Span, ToolDraft, label
from promptscope_engine.prompt.memo import KeptWith
from promptscope_engine.prompt.model import (
    AbsentFragment,
    Assembly,
    Confidence,
    Diagnostic,
    Fragment,
    Parameter,
    Reason,
    Section,
    SourceFile,
    TokenSummary,
    Tool,
    ToolTokens,
    when_asked,
)
from promptscope_engine.prompt.reasons import VerdictCache, reason
from promptscope_engine.timings import timed
from promptscope_engine.tokens import Counter, Tokenizer, UnknownTokenizer, get_tokenizer, tokenizer_for_model
from promptscope_engine.tokens.counter import LONG
from promptscope_engine.tokens.measured import Pair, References, references
from promptscope_engine.wire.joined import Parts, in_parts
from promptscope_engine.wire.request import tool_json, wire_tool, without_parameters
from promptscope_engine.wire.shapes import AnyRequest
from promptscope_engine.workspace import Workspace

from .edits import edited, text_to_edit
from .resolve import resolve
from .wording import OURS, Wordings, earlier_wording, learned_origin

Count = Callable[[str], int | None]
"""Tokens of a text, or None if that is not known yet."""

CountJoined = Callable[[Sequence[str]], int | None]
"""The same for a text that is joined of parts."""

Traced = Span | Fragment
"""A stretch of text with its origin, before and after its condition was evaluated."""


def assemble(
    scenario: Scenario,
    workspace: Workspace | None = None,
    counter: Counter | None = None,
    *,
    cached_only: bool = False,
    with_files: bool = True,
) -> Assembly:
    """What the agent would be given. The same files and the same scenario give the same assembly.

    `workspace` and `counter` may be kept between calls: then only what was forgotten is read again, and only new
    texts are counted. With `cached_only` nothing is counted and unknown counts are None (for a first frame). Without
    `with_files` the assembly's `files` are empty: of thousands they take a fifth of the time.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    builder = _builder(scenario, workspace or Workspace(), counter, cached_only=cached_only)
    return builder.assembly(with_files)


def possible(scenario: Scenario, workspace: Workspace, counter: Counter) -> Assembly:
    """`assemble` for a scenario that may never be in force: what is kept to make the last assembly again stays.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace, counter, keeps=False).assembly()


class Totals(Struct, frozen=True):
    """What a what-if asks of an assembly: the ids of the sections and the names of the tools that are present, in
    order, and the expected tokens of the request."""

    sections: tuple[str, ...]
    tools: tuple[str, ...]
    expected: int | None

    @classmethod
    def of(cls, assembly: Assembly) -> Totals:
        return cls(
            tuple(section.id for section in assembly.sections if section.present),
            tuple(tool.name for tool in assembly.tools if tool.present),
            assembly.tokens.expected,
        )


def totals(scenario: Scenario, workspace: Workspace, counter: Counter) -> Totals:
    """`Totals.of` the assembly, without the rest of it: what is absent is neither written nor counted.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace, counter, keeps=False).totals()


def descriptions(scenario: Scenario, workspace: Workspace, counter: Counter) -> dict[str, tuple[Fragment, ...]]:
    """The descriptions of the present tools that no section holds, by name, with the origin of each stretch.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace, counter, cached_only=True, keeps=False).descriptions()


def source_files(scenario: Scenario, workspace: Workspace, counter: Counter) -> tuple[SourceFile, ...]:
    """The files of the assembly alone, with the counts that are known.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace, counter, cached_only=True).files()


def own_text(scenario: Scenario, workspace: Workspace, target: str) -> str | None:
    """The text of a section, bullet or tool that an edit would replace, with the scenario's edits so far; None if there
    is no such thing.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    agent, inputs = resolve(scenario, workspace)
    wordings = _wordings(scenario, agent, inputs, workspace)
    drafted = edited(draft(agent, inputs, workspace), scenario.edits, inputs, workspace, wordings)
    return text_to_edit(drafted, target, wordings)


def _builder(
    scenario: Scenario, workspace: Workspace, counter: Counter | None, *, cached_only: bool = False, keeps: bool = True
) -> Builder:
    """`keeps`: the assembly, or one like it, is likely to be asked for again; a what-if is not."""
    agent, inputs = resolve(scenario, workspace)
    wordings = _wordings(scenario, agent, inputs, workspace)
    drafted = edited(draft(agent, inputs, workspace), scenario.edits, inputs, workspace, wordings)
    chosen = _tokenizer(scenario.tokenizer, drafted.facts.model or inputs.model)  # the agent resolves aliases
    counter = Counter(chosen) if counter is None else counter.by(chosen)
    builder = Builder(agent, inputs, drafted, counter, wordings, cached_only=cached_only)
    if keeps:
        _reuse(builder, workspace)
    return builder


def _wordings(scenario: Scenario, agent: Agent, inputs: Inputs, workspace: Workspace) -> Wordings:
    """What was learned of the version that was asked for, be it modelled or not."""
    if not scenario.learned or workspace.learned is None:
        return OURS
    version = inputs.unknown_version or inputs.agent_version
    found = workspace.learned.of(agent.id, version, partial(earlier_wording, package_of(agent)))
    return Wordings(found, values_of(inputs.workspace, inputs.home)) if found else OURS


def _reuse(builder: Builder, workspace: Workspace) -> None:
    """Let a builder take over what was made for the same agent the last time.

    Equal facts become one object. If they are those of the last time, as after a file was saved, so does every section
    and tool that is drafted as then.
    """
    drafted, all_known = builder.draft, _KNOWN.get(workspace, None, dict[str, _DraftCache])
    facts = workspace.same(f"facts of {builder.agent.id}", drafted.facts)
    known = all_known.get(builder.agent.id)
    sections = {section.id: section for section in drafted.sections}
    tools = {tool.name: tool for tool in drafted.tools}
    if known is not None and known.facts is facts:
        from promptscope_engine.prompt.equality import Alike  # a first assembly has nothing to compare with

        alike = Alike()
        for name, section in sections.items():
            before = known.sections.get(name)
            if before is not None and alike.sections(before, section, facts):
                sections[name] = before
        for name, tool in tools.items():
            last = known.tools.get(name)
            if last is not None and alike.tools(last, tool):
                tools[name] = last
        if known.counter is builder.counter and known.wordings == builder.wordings:
            builder.before, builder.last = known.made, known.last
    builder.facts = facts
    builder.draft = replace(drafted, facts=facts)
    if len(sections) == len(drafted.sections) and len(tools) == len(drafted.tools):  # no two of one name
        builder.draft = replace(builder.draft, sections=tuple(sections.values()), tools=tuple(tools.values()))
    all_known[builder.agent.id] = _DraftCache(
        facts, builder.counter, builder.wordings, sections, tools, builder.made, builder.next
    )


AnyDraft = SectionDraft | ToolDraft | FileDraft

Made = dict[int, tuple[AnyDraft, "Joint | int | None", Any]]
"""By the identity of a draft: the draft, so that no other one gets its identity, what stood around it (of a tool that a
section describes: the tokens of that section), and what was made of it."""


class _DraftCache(Struct, frozen=True):
    """What an agent drafted last, by id and name, under which facts, by which counter and with which wordings, and what
    was made of it."""

    facts: Facts
    counter: Counter
    wordings: Wordings
    sections: dict[str, SectionDraft]
    tools: dict[str, ToolDraft]
    made: Made
    last: dict[str, _Row]


class _Row(Struct, frozen=True):
    """All drafts of one kind, what was made of each, and what stood around it (of files: nothing)."""

    drafts: tuple[AnyDraft, ...]
    made: tuple[Any, ...]
    around: tuple[Joint, ...] = ()

    def others(self, drafts: Sequence[AnyDraft]) -> list[int] | None:
        """The places at which other drafts stand now; None if they are fewer or more."""
        if len(drafts) != len(self.drafts):
            return None
        return list(compress(count(), map(is_not, drafts, self.drafts)))


_KNOWN: KeptWith[Workspace, dict[str, _DraftCache]] = KeptWith()


def _tokenizer(asked: str | None, model: str | None) -> Tokenizer:
    try:
        return get_tokenizer(asked) if asked else tokenizer_for_model(model)
    except UnknownTokenizer as error:
        raise ScenarioError(str(error), where="tokenizer") from None


class _Counted(NamedTuple):
    """A text's tokens as counted, as expected of the real agent, and how far to trust them."""

    tokens: int | None
    expected: float | None
    reference: int | None
    confidence: Confidence


class Builder:
    """Evaluates and counts one draft."""

    def __init__(
        self, agent: Agent, inputs: Inputs, draft: Draft, counter: Counter, wordings: Wordings, *, cached_only: bool
    ) -> None:
        self.agent, self.inputs, self.draft, self.wordings = agent, inputs, draft, wordings
        self.tokenizer, self.counter, self.cached_only = counter.tokenizer, counter, cached_only
        self.count: Count = counter.cached if cached_only else counter.count
        self.count_joined: CountJoined = counter.cached_joined if cached_only else counter.count_joined
        self.go_on: Callable[[], None] = _never_stops if cached_only else counter.go_on
        self.facts: Facts = draft.facts
        self.known = VerdictCache()
        self.references: References = references(package_of(agent), inputs.agent_version)
        self.expected: dict[str, list[int | None]] = {"system": [], "messages": [], "tools": []}
        self.described: dict[str, int | None] = {}
        """The expected tokens of the present sections that describe a single tool."""
        self.before: Made = {}
        self.made: Made = {}
        self.last: dict[str, _Row] = {}
        self.next: dict[str, _Row] = {}

    @timed("assembling", lambda *_: "")
    def assembly(self, with_files: bool = True) -> Assembly:
        sections = self._sections()
        tools_in = Counts(draft.section for draft in self.draft.tools)
        single = {name for name, tools in tools_in.items() if tools == 1}
        self.described = {s.id: s.expected_tokens for s in sections if s.id in single and s.present}
        tools = tuple(map(self._tool, self.draft.tools))
        files = self.files() if with_files else ()
        places = [draft.place for draft in self.draft.sections]
        placed = [(place, s) for place, s in zip(places, sections, strict=True) if s.present and s.fragments]
        lay_out = partial(self.draft.layout, placed, [tool for tool in tools if tool.present])
        with in_parts():
            counted = self.summary(lay_out())
        return Assembly(
            agent=self.agent.id,
            agent_version=self.inputs.agent_version,
            mode=self.facts.mode,
            model=self.facts.model,
            workspace=self.inputs.workspace,
            home=self.inputs.home,
            sections=sections,
            tools=tools,
            files=files,
            request=when_asked(lay_out),
            tokens=counted,
            diagnostics=(*self._version_note(), *laid_over_notes(self.agent.id), *self.draft.diagnostics),
            modes=self.draft.modes,
            variables=self.draft.variables,
            views=self.draft.views,
            derived=tuple(explained(each, self.facts) for each in self.draft.derived),
            learned=self._has_learned(sections) or any(tool.learned for tool in tools),
            edited=self.draft.edited,
        )

    def totals(self) -> Totals:
        drafts = self.draft.sections
        standing = [draft.when.holds(self.facts) for draft in drafts]
        between = joints([(draft.place, ok) for draft, ok in zip(drafts, standing, strict=True)])
        present = [(draft, around) for draft, around, ok in zip(drafts, between, standing, strict=True) if ok]
        for section, around in present:
            self.counter.go_on()
            self.expected[section.place.channel].append(self._section_expected(section, around))
        tools = [tool for tool in self.draft.tools if tool.when.holds(self.facts)]
        for tool in tools:
            self.counter.go_on()
            if not tool.section:
                spans = self.wordings.put_in(f"tools.{tool.name}", self._standing(tool.description))
                absent = {p.name for p in tool.parameters if not p.when.holds(self.facts)}
                input_schema, known = self._schema(tool, absent)
                sent = self._on_wire(tool, _text(spans), input_schema)
                counted = self._measured(sent, spans, tool, schema_known=known or input_schema is None)
                self.expected["tools"].append(_round(counted.expected))
        return Totals(tuple(section.id for section, _ in present), tuple(tool.name for tool in tools), self._expected())

    def _has_learned(self, sections: Sequence[Section]) -> bool:
        return bool(self.wordings) and any(_is_learned(section.fragments) for section in sections)

    def files(self) -> tuple[SourceFile, ...]:
        drafts = tuple(self.draft.files)
        last = self.last.get("files")
        others = last.others(drafts) if last is not None else None
        if last is None or others is None:
            files = self._all_files()
        else:
            found = list(last.made)
            self._take_over(last, others)
            for number in others:
                found[number] = self._file(drafts[number])
            files = tuple(found)
        self._remember("files", drafts, files)
        return files

    def _take_over(self, last: _Row, others: Sequence[int]) -> None:
        """Keep what was made of all drafts but these for the next time, too."""
        same = [True] * len(last.drafts)
        for number in others:
            same[number] = False
        kept = list(map(id, compress(last.drafts, same)))
        self.made.update(zip(kept, map(self.before.__getitem__, kept), strict=True))

    def _remember(
        self, name: str, drafts: tuple[AnyDraft, ...], made: tuple[Any, ...], around: tuple[Joint, ...] = ()
    ) -> None:
        """Keep a whole row, if everything in it is counted."""
        if all(map(self.made.__contains__, map(id, drafts))):
            self.next[name] = _Row(drafts, made, around)

    def _all_files(self) -> tuple[SourceFile, ...]:
        return tuple(self._kept(draft, None) or self._file(draft) for draft in self.draft.files)

    def descriptions(self) -> dict[str, tuple[Fragment, ...]]:
        tools = [tool for tool in self.draft.tools if not tool.section and tool.when.holds(self.facts)]
        return {tool.name: self._fragments(f"tools.{tool.name}", tool.description)[0] for tool in tools}

    def _version_note(self) -> tuple[Diagnostic, ...]:
        asked = self.inputs.unknown_version
        if asked is None:
            return ()
        known = ", ".join(self.agent.versions)
        text = f"{self.agent.name} {asked} is not modelled: this is {self.inputs.agent_version}; known: {known}"
        return (Diagnostic("warning", "unknown-version", text),)

    # --- parts --------------------------------------------------------------------------------------------------

    def _placed(self) -> Iterator[tuple[SectionDraft, Reason, Joint]]:
        """Every section, whether and why it is present, and what stands around it."""
        drafts = self.draft.sections
        reasons = [self._why(draft) for draft in drafts]
        around = joints([(draft.place, why.ok) for draft, why in zip(drafts, reasons, strict=True)])
        return zip(drafts, reasons, around, strict=True)

    def _sections(self) -> tuple[Section, ...]:
        drafts = self.draft.sections
        last = self.last.get("sections")
        others = last.others(drafts) if last is not None else None
        if last is None or others is None or any(self._stands_elsewhere(last, drafts, n) for n in others):
            placed = list(self._placed())
            with self._counting([draft for draft, why, _ in placed if why.ok and id(draft) not in self.before]):
                sections = tuple(self._section(*each) for each in placed)
            self._remember("sections", drafts, sections, tuple(around for _, _, around in placed))
        else:
            found = list(last.made)
            self._take_over(last, others)
            with self._counting([drafts[n] for n in others if self._why(drafts[n]).ok]):
                for number in others:
                    draft = drafts[number]
                    found[number] = self._section(draft, self._why(draft), last.around[number])
            sections = tuple(found)
            self._remember("sections", drafts, sections, last.around)
        for section in sections:
            if section.present:
                self.expected[section.channel].append(section.expected_tokens)
        return sections

    def _counting(self, drafts: Iterable[SectionDraft]) -> AbstractContextManager[None]:
        """Meanwhile the long texts of new sections that stand are counted, in less time than one after the other."""
        if self.cached_only:
            return nullcontext()
        spans = (span for draft in drafts for span in draft.spans if span.when is ALWAYS)
        return self.counter.ahead([span.text for span in spans if len(span.text) >= LONG])

    def _stands_elsewhere(self, last: _Row, drafts: Sequence[SectionDraft], number: int) -> bool:
        """Whether a draft stands or is placed otherwise than the one that was there, so that its neighbours change."""
        old, new = last.drafts[number], drafts[number]
        assert isinstance(old, SectionDraft)
        return new.place != old.place or self._why(new).ok is not last.made[number].present

    def _why(self, draft: SectionDraft) -> Reason:
        kept = self.before.get(id(draft))
        if kept is None:
            return reason(draft.when, self.facts, self.known)
        why: Reason = kept[2].why
        return why

    def _section(self, draft: SectionDraft, why: Reason, around: Joint) -> Section:
        """The section as it was made of the same draft the last time, or made now."""
        section: Section | None = self._kept(draft, around)
        if section is None:
            section = self._new_section(draft, why, around)
            self._keep(draft, around, section, section.tokens, section.expected_tokens)
        return section

    def _section_expected(self, draft: SectionDraft, around: Joint) -> int | None:
        """The expected tokens of a present section. Unconditional spans count the same under all facts."""
        kept = _EXPECTED.get(draft, None, dict)
        if kept.get("around") == around and kept["counter"] is self.counter:
            known: int = kept["tokens"]
            return known
        spans = _framed(draft.spans, *around)
        standing = self.wordings.put_in(draft.id, self._standing(spans))
        expected = _round(self._counted(standing, self._chosen(draft.reference), draft.unedited).expected)
        if all(span.when is ALWAYS and span.origin.kind != "builtin" for span in spans):
            kept.update(around=around, counter=self.counter, tokens=expected)
        return expected

    def _kept(self, draft: AnyDraft, around: Joint | int | None) -> Any:
        """What was made of a draft the last time, between the same neighbours."""
        kept = self.before.get(id(draft))
        if kept is None or kept[1] != around:
            return None
        self.made[id(draft)] = kept
        return kept[2]

    def _keep(self, draft: AnyDraft, around: Joint | int | None, made: object, *counts: int | None) -> None:
        if None not in counts:  # else it is to be made again, with counts
            self.made[id(draft)] = (draft, around, made)

    @timed("assembling", lambda _, draft, *__: draft.id)
    def _new_section(self, draft: SectionDraft, why: Reason, around: Joint) -> Section:
        self.go_on()
        present = why.ok
        spans = _framed(draft.spans, *around) if present else ()
        fragments, absent = self._fragments(draft.id, spans)
        reference = self._chosen(draft.reference)
        counted = self._counted(fragments, reference, draft.unedited) if present else _NOTHING
        return Section(
            id=draft.id,
            title=self._chosen(draft.title) or "",
            heading=self._chosen(draft.heading),
            channel=draft.place.channel,
            present=present,
            why=why,
            stability=draft.stability,
            tokens=counted.tokens,
            expected_tokens=_round(counted.expected),
            chars=sum([self.draft.length(f.text) for f in fragments]),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            fragments=fragments,
            absent=absent,
            parent=draft.parent,
            edited=draft.edited,
        )

    def _chosen(self, value: str | Choice[str] | Choice[str | None] | None) -> str | None:
        return value.under(self.facts) if isinstance(value, Choice) else value

    def _fragments(self, part: str, spans: Sequence[Span]) -> tuple[tuple[Fragment, ...], tuple[AbsentFragment, ...]]:
        present: list[Fragment] = []
        absent: list[AbsentFragment] = []
        when: Condition = ALWAYS
        why: Reason | None = None
        for span in spans:
            if span.when is not when:  # neighbours often share one condition
                when = span.when
                why = None if when is ALWAYS else reason(when, self.facts, self.known)
            if why is None or why.ok:
                present.append(Fragment(span.text, span.origin, why))
            elif span.text:
                absent.append(AbsentFragment(span.text, span.origin, why, len(present)))
        if self.wordings:
            return self._with_wording(part, present, absent)
        return tuple([f for f in present if f.text]), tuple(absent)

    def _with_wording(
        self, part: str, present: Sequence[Fragment], absent: Sequence[AbsentFragment]
    ) -> tuple[tuple[Fragment, ...], tuple[AbsentFragment, ...]]:
        """The fragments with learned wording in the place of stand-ins; what is absent stays where it would stand."""
        worded: list[Fragment] = []
        places: list[int] = []
        for stretch, text in self.wordings.worded(part, present):
            if text is None:
                places += range(len(worded), len(worded) + len(stretch))
                worded += stretch
            else:
                places += [len(worded)] * len(stretch)
                why = stretch[0].why if all(each.why is stretch[0].why for each in stretch) else None
                worded.append(Fragment(text, learned_origin(stretch), why))
        places.append(len(worded))
        return tuple(f for f in worded if f.text), tuple(replace(each, at=places[each.at]) for each in absent)

    def _standing(self, spans: Sequence[Span]) -> list[Span]:
        """The spans that `_fragments` finds present."""
        found: list[Span] = []
        when: Condition = ALWAYS
        stands = True
        for span in spans:
            if span.when is not when:
                when = span.when
                stands = when.holds(self.facts)
            if stands and span.text:
                found.append(span)
        return found

    def _tool(self, draft: ToolDraft) -> Tool:
        """The tool as it was made of the same draft the last time, or made now."""
        described = self.described.get(draft.section) if draft.section else None
        tool: Tool | None = self._kept(draft, described)
        if tool is None:
            tool = self._new_tool(draft)
            if described is not None:  # by the section, with the line feeds that join it: both are one thing
                tool = replace(tool, tokens=replace(tool.tokens, expected=described))
            self._keep(draft, described, tool, tool.tokens.prompt, tool.tokens.schema, tool.tokens.expected)
        if tool.present and not tool.section:
            self.expected["tools"].append(tool.tokens.expected)
        return tool

    @timed("assembling", lambda _, draft: f"tool {draft.name}")
    def _new_tool(self, draft: ToolDraft) -> Tool:
        self.go_on()
        why = reason(draft.when, self.facts, self.known)
        spans = self.wordings.put_in(f"tools.{draft.name}", self._standing(draft.description))
        description = _text(spans)
        reasons = [(p, reason(p.when, self.facts, self.known)) for p in draft.parameters]
        parameters = [Parameter(p.name, p.required, present=w.ok, why=w) for p, w in reasons]
        absent = tuple(p for p in parameters if not p.present)
        input_schema, known = self._schema(draft, {p.name for p in absent})
        schema = self._on_wire(draft, description, input_schema)
        if draft.section:
            counted = self._counted(spans, draft.reference, draft.unedited)
            in_prompt = counted.tokens
        else:
            counted = self._measured(schema, spans, draft, schema_known=known or input_schema is None)
            in_prompt = self.count(_text(draft.listed))
        expected = _round(counted.expected)
        return Tool(
            name=draft.name,
            group=draft.group,
            present=why.ok,
            why=why,
            description=description,
            input_schema=input_schema,
            parameters=tuple(p for p in parameters if p.present),
            absent_parameters=absent,
            variant=self._chosen(draft.variant),
            tokens=ToolTokens(in_prompt, schema, expected),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            section=draft.section,
            learned=known or _is_learned(spans),
            edited=draft.edited,
        )

    def _schema(self, draft: ToolDraft, absent: Set[str]) -> tuple[Json, bool]:
        """The schema that is sent, without the parameters that are absent; whether it is a learned one."""
        chosen = draft.input_schema
        ours = without_parameters(chosen.under(self.facts) if isinstance(chosen, Choice) else chosen, absent)
        return self.wordings.schema(f"tools.{draft.name}", ours) if self.wordings else (ours, False)

    @timed("assembling", lambda _, draft: draft.path)
    def _file(self, draft: FileDraft) -> SourceFile:
        why = reason(draft.when, self.facts, self.known)
        present = why.ok
        chars = self.draft.length(draft.injected) if draft.injected_chars is None else draft.injected_chars
        file = SourceFile(
            path=draft.path,
            real_path=draft.real_path,
            kind=draft.kind,
            load=draft.load,
            present=present,
            why=why,
            bytes=draft.bytes,
            raw_chars=draft.raw_chars,
            injected_chars=chars if present else 0,
            truncated=draft.truncated,
            tokens=self.count(draft.injected) if present else 0,
            imported_by=draft.imported_by,
            limits=draft.limits,
            stretches=draft.stretches,
        )
        self._keep(draft, None, file, file.tokens)
        return file

    # --- counting -----------------------------------------------------------------------------------------------

    def _counted(self, fragments: Sequence[Traced], reference: str | None, unedited: Sequence[Span]) -> _Counted:
        """Built-in wording is scaled by what was measured; everything else counts as it stands.

        What an edit left of it is scaled as the whole is.
        """
        tokens = self.count_joined([fragment.text for fragment in fragments])
        wording = _builtin(fragments)
        if not wording:
            return self._as_it_stands(tokens)
        whole = self._pair(self._own(wording, unedited), reference)
        extra: float | None = 0.0
        for fragment_id, group in groupby(wording, key=lambda f: f.origin.id):
            pair = self.references.fragment(fragment_id, self._encoding) or whole
            if pair is None:
                continue
            ours = self.count(_text(group))
            extra = None if ours is None or extra is None else extra + ours * (pair.factor - 1)
        expected = None if tokens is None or extra is None else max(tokens + extra, 0.0)
        return _Counted(tokens, expected, None if unedited else self._real(whole), "stand-in")

    def _measured(
        self, tokens: int | None, fragments: Sequence[Traced], draft: ToolDraft, *, schema_known: bool
    ) -> _Counted:
        """A tool of the request as expected of the real agent: measured whole, with name, description and schema.

        `fragments` are its description, `tokens` all that is sent of it. Of a description that was learned the schema
        is ours still, unless it was learned, too.
        """
        wording = _builtin(fragments)
        if not wording and (schema_known or not _is_learned(fragments)):
            return self._as_it_stands(tokens)
        whole = self._pair(self._own(wording, draft.unedited), draft.reference)
        expected = tokens if tokens is None or whole is None else tokens * whole.factor
        return _Counted(tokens, expected, None if draft.unedited else self._real(whole), "stand-in")

    def _own(self, wording: Sequence[Traced], unedited: Sequence[Span]) -> Sequence[Traced]:
        """The wording of the agent itself, by which its measured size is found."""
        return _builtin(self._standing(unedited)) if unedited else wording

    def _as_it_stands(self, tokens: int | None) -> _Counted:
        return _Counted(tokens, tokens, None, "exact" if self.tokenizer.exact else "estimated")

    def _on_wire(self, draft: ToolDraft, description: str, input_schema: Json) -> int | None:
        """The tokens of a tool in the request; 0 for one that only the prompt describes."""
        if draft.wire is not None:
            return self.count(tool_json(draft.wire(description, input_schema)))
        if input_schema is None:
            return 0
        return self.count(tool_json(wire_tool(draft.name, description, input_schema)))

    @property
    def _encoding(self) -> str:
        return self.tokenizer.encoding or "o200k_base"

    def _pair(self, wording: Sequence[Traced], reference: str | None) -> Pair | None:
        return self.references.pair(reference, _text(wording), self._encoding)

    def _real(self, pair: Pair | None) -> int | None:
        return None if pair is None else self._scaled(pair.real)

    def _scaled(self, measured: int) -> int:
        """A measured size in the tokenizer's own tokens (measured sizes are of an encoding, not of an estimate)."""
        return self.tokenizer.tokens(measured) if self.tokenizer.encoding else measured

    def summary(self, request: AnyRequest) -> TokenSummary:
        """The tokens of the whole request, as counted and as expected."""
        texts: dict[str, list[float | None]] = {"system": [], "messages": [], "tools": []}
        for block in request.blocks():
            if block.field == "tools":
                texts["tools"].append(self.count(tool_json(block.value)))
            elif "text" in block.value:
                text = block.value["text"]
                tokens = self.count_joined(text.parts) if isinstance(text, Parts) else self.count(text)
                texts[block.field].append(tokens)
        by_channel = {channel: _sum(counts) for channel, counts in texts.items()}
        expected = self._expected()
        total = _round(_sum(by_channel.values()))
        window = self.draft.window
        used = total if window.free_by == "total" else expected
        return TokenSummary(
            tokenizer=self.tokenizer.id,
            exact=self.tokenizer.exact,
            total=total,
            expected=expected,
            band=None if self.tokenizer.exact or expected is None else self.tokenizer.span(expected),
            by_channel={channel: _round(tokens) for channel, tokens in by_channel.items()},
            expected_by_channel={channel: _round(_sum(parts)) for channel, parts in self.expected.items()},
            window=window.size,
            reserve=window.reserve,
            compact_at=window.compact_at,
            free=None if used is None else max(window.size - window.reserve - used, 0),
            reported=window.reported,
            compaction=window.compaction,
        )

    def _expected(self) -> int | None:
        """The sum of the parts as each of them is shown, so that whoever adds them up gets the total."""
        return _round(_sum(value for values in self.expected.values() for value in values))


def _never_stops() -> None:
    """What takes no counting is not given up."""


_EXPECTED: KeptWith[SectionDraft, dict[str, Any]] = KeptWith()
"""The expected tokens of drafts that count the same under all facts; drafts are data and hold no caches."""


def _is_learned(fragments: Sequence[Traced]) -> bool:
    return any(fragment.origin.kind == "learned" for fragment in fragments)


_NOTHING = _Counted(0, 0.0, None, "exact")


Joint = tuple[str, tuple[str, str]]
"""What stands before a section, and the two labels behind it."""


def joints(sections: Sequence[tuple[Place, bool]]) -> list[Joint]:
    """What stands before and behind each section, from its place and whether it is present, in order.

    Only present sections are neighbours: see `Place`.
    """
    present = [n for n, (_, ok) in enumerate(sections) if ok]
    found: list[Joint] = [("", ("", ""))] * len(sections)
    places = [None, *(sections[n][0] for n in present), None]
    for number, last, place, following in zip(present, places, places[1:], places[2:], strict=False):
        assert place is not None
        if last is place is following:  # as are thousands of rules
            found[number] = (place.gap, ("", ""))
            continue
        first = last is None or not place.joins(last)
        closes = place.closes if following is None or not following.joins(place) else ""
        if following is None or following.run != place.run:
            ends = place.ends
        else:
            ends = "" if following.joins(place) else place.between
        found[number] = (place.opens if first else place.gap, (closes, ends))
    return found


def _framed(spans: Sequence[Span], before: str, behind: tuple[str, str]) -> Sequence[Span]:
    if not before and not any(behind):
        return spans
    opening, closing = [before] if before else [], filter(None, behind)
    return (*map(label, opening), *spans, *map(label, closing))


def _text(parts: Iterable[Traced]) -> str:
    return "".join([part.text for part in parts])


def _builtin(parts: Iterable[Traced]) -> list[Traced]:
    return [part for part in parts if part.origin.kind == "builtin"]


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum, or None if any part is not known."""
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _round(value: float | None) -> int | None:
    return None if value is None else round(value)
