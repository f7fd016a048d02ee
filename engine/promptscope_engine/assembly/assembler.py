"""From a scenario to an assembly: resolve the inputs, let the agent draft, evaluate the conditions, count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import groupby

from promptscope_engine.agents.adapter import Agent, draft
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Choice, Draft, FileDraft, Piece, Place, SectionDraft, ToolDraft, label
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
)
from promptscope_engine.prompt.reasons import reason
from promptscope_engine.tokens import Counter, Tokenizer, UnknownTokenizer, get_tokenizer, tokenizer_for_model
from promptscope_engine.tokens.measured import Pair, References, references
from promptscope_engine.wire.request import Request, tool_json, wire_tool, without_parameters
from promptscope_engine.wire.responses import ResponsesRequest
from promptscope_engine.workspace import Workspace

from .resolve import resolve

Count = Callable[[str], int | None]
"""Tokens of a text, or None if that is not known yet."""

Traced = Piece | Fragment
"""A stretch of text with its origin, before and after its condition was evaluated."""


def assemble(
    scenario: Scenario,
    workspace: Workspace | None = None,
    counter: Counter | None = None,
    *,
    cached_only: bool = False,
) -> Assembly:
    """What the agent would be given. The same files and the same scenario give the same assembly.

    `workspace` and `counter` may be kept between calls: then only what was forgotten is read again, and only new
    texts are counted. With `cached_only` nothing is counted and unknown counts are None (for a first frame).

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace or Workspace(), counter, cached_only=cached_only).assembly()


@frozen
class Totals:
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
    return _builder(scenario, workspace, counter).totals()


def source_files(scenario: Scenario, workspace: Workspace, counter: Counter) -> tuple[SourceFile, ...]:
    """The files of the assembly alone, with the counts that are known.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _builder(scenario, workspace, counter, cached_only=True).files()


def _builder(
    scenario: Scenario, workspace: Workspace, counter: Counter | None, *, cached_only: bool = False
) -> _Builder:
    agent, inputs = resolve(scenario, workspace)
    drafted = draft(agent, inputs, workspace)
    chosen = _tokenizer(scenario.tokenizer, drafted.facts.model or inputs.model)  # the agent resolves aliases
    counter = Counter(chosen) if counter is None else counter.by(chosen)
    return _Builder(agent, inputs, drafted, chosen, counter.cached if cached_only else counter.count)


def _tokenizer(asked: str | None, model: str | None) -> Tokenizer:
    try:
        return get_tokenizer(asked) if asked else tokenizer_for_model(model)
    except UnknownTokenizer as error:
        raise ScenarioError(str(error), where="tokenizer") from None


@frozen(slots=False)
class _Counted:
    """A text's tokens as counted, as expected of the real agent, and how far to trust them."""

    tokens: int | None
    expected: float | None
    reference: int | None
    confidence: Confidence


class _Builder:
    """Evaluates and counts one draft."""

    def __init__(self, agent: Agent, inputs: Inputs, draft: Draft, chosen: Tokenizer, count: Count) -> None:
        self.agent, self.inputs, self.draft = agent, inputs, draft
        self.tokenizer, self.count = chosen, count
        self.facts: Facts = draft.facts
        self.references: References = references(type(agent).__module__.rpartition(".")[0], inputs.agent_version)
        self.expected: dict[str, list[float | None]] = {"system": [], "messages": [], "tools": []}

    def assembly(self) -> Assembly:
        sections = self._sections()
        tools = tuple(map(self._tool, self.draft.tools))
        places = [draft.place for draft in self.draft.sections]
        placed = [(place, s) for place, s in zip(places, sections, strict=True) if s.present and s.fragments]
        request = self.draft.layout(placed, [tool for tool in tools if tool.present])
        return Assembly(
            agent=self.agent.id,
            agent_version=self.inputs.agent_version,
            mode=self.facts.mode,
            model=self.facts.model,
            workspace=self.inputs.workspace,
            home=self.inputs.home,
            sections=sections,
            tools=tools,
            files=self.files(),
            request=request,
            tokens=self._summary(request),
            diagnostics=(*self._version_note(), *self.draft.diagnostics),
            modes=self.draft.modes,
            variables=self.draft.variables,
            views=self.draft.views,
        )

    def totals(self) -> Totals:
        present = [(section, around) for section, why, around in self._placed() if why.ok]
        for section, around in present:
            pieces = self._standing(_framed(section.pieces, *around))
            self.expected[section.place.channel].append(self._counted(pieces, self._chosen(section.reference)).expected)
        tools = [tool for tool in self.draft.tools if tool.when.holds(self.facts)]
        for tool in tools:
            if not tool.section:
                pieces = self._standing(tool.description)
                absent = {p.name for p in tool.parameters if not p.when.holds(self.facts)}
                schema = self._on_wire(tool, _text(pieces), self._schema(tool, absent))
                self.expected["tools"].append(self._measured(schema, pieces, tool.reference).expected)
        return Totals(tuple(section.id for section, _ in present), tuple(tool.name for tool in tools), self._expected())

    def files(self) -> tuple[SourceFile, ...]:
        return tuple(map(self._file, self.draft.files))

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
        reasons = [reason(draft.when, self.facts) for draft in drafts]
        around = joints([(draft.place, why.ok) for draft, why in zip(drafts, reasons, strict=True)])
        return zip(drafts, reasons, around, strict=True)

    def _sections(self) -> tuple[Section, ...]:
        return tuple(self._section(*each) for each in self._placed())

    def _section(self, draft: SectionDraft, why: Reason, around: Joint) -> Section:
        fragments, absent = self._fragments(_framed(draft.pieces, *around)) if why.ok else ((), ())
        counted = self._counted(fragments, self._chosen(draft.reference)) if why.ok else _NOTHING
        if why.ok:
            self.expected[draft.place.channel].append(counted.expected)
        return Section(
            id=draft.id,
            title=self._chosen(draft.title) or "",
            heading=self._chosen(draft.heading),
            channel=draft.place.channel,
            present=why.ok,
            why=why,
            stability=draft.stability,
            tokens=counted.tokens,
            expected_tokens=_round(counted.expected),
            chars=sum(self.draft.length(f.text) for f in fragments),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            fragments=fragments,
            absent=absent,
            parent=draft.parent,
        )

    def _chosen(self, value: str | Choice[str] | Choice[str | None] | None) -> str | None:
        return value.under(self.facts) if isinstance(value, Choice) else value

    def _fragments(self, pieces: Sequence[Piece]) -> tuple[tuple[Fragment, ...], tuple[AbsentFragment, ...]]:
        present: list[Fragment] = []
        absent: list[AbsentFragment] = []
        when: Condition = ALWAYS
        why: Reason | None = None
        for piece in pieces:
            if piece.when is not when:  # neighbours often share one condition
                when = piece.when
                why = None if when is ALWAYS else reason(when, self.facts)
            if why is None or why.ok:
                present.append(Fragment(piece.text, piece.origin, why))
            elif piece.text:
                absent.append(AbsentFragment(piece.text, piece.origin, why, len(present)))
        return tuple(f for f in present if f.text), tuple(absent)

    def _standing(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces that `_fragments` finds present."""
        found: list[Piece] = []
        when: Condition = ALWAYS
        stands = True
        for piece in pieces:
            if piece.when is not when:
                when = piece.when
                stands = when.holds(self.facts)
            if stands and piece.text:
                found.append(piece)
        return found

    def _tool(self, draft: ToolDraft) -> Tool:
        why = reason(draft.when, self.facts)
        present = why.ok
        fragments, _ = self._fragments(draft.description)
        description = _text(fragments)
        reasons = [(p, reason(p.when, self.facts)) for p in draft.parameters]
        parameters = [Parameter(p.name, p.required, present=w.ok, why=w) for p, w in reasons]
        absent = tuple(p for p in parameters if not p.present)
        input_schema = self._schema(draft, {p.name for p in absent})
        schema = self._on_wire(draft, description, input_schema)
        if draft.section:
            counted = self._counted(fragments, draft.reference)
            in_prompt = counted.tokens
        else:
            counted = self._measured(schema, fragments, draft.reference)
            in_prompt = self.count(_text(draft.listed))
        if present and not draft.section:
            self.expected["tools"].append(counted.expected)
        return Tool(
            name=draft.name,
            group=draft.group,
            present=present,
            why=why,
            description=description,
            input_schema=input_schema,
            parameters=tuple(p for p in parameters if p.present),
            absent_parameters=absent,
            variant=self._chosen(draft.variant),
            tokens=ToolTokens(in_prompt, schema, _round(counted.expected)),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            section=draft.section,
        )

    def _schema(self, draft: ToolDraft, absent: Set[str]) -> Json:
        """The schema that is sent: without the parameters that are absent."""
        chosen = draft.input_schema
        return without_parameters(chosen.under(self.facts) if isinstance(chosen, Choice) else chosen, absent)

    def _file(self, draft: FileDraft) -> SourceFile:
        why = reason(draft.when, self.facts)
        present = why.ok
        chars = self.draft.length(draft.injected) if draft.injected_chars is None else draft.injected_chars
        return SourceFile(
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

    # --- counting -----------------------------------------------------------------------------------------------

    def _counted(self, fragments: Sequence[Traced], reference: str | None) -> _Counted:
        """Built-in wording is scaled by what was measured; everything else counts as it stands."""
        tokens = self.count(_text(fragments))
        wording = _builtin(fragments)
        if not wording:
            return self._as_it_stands(tokens)
        whole = self._pair(wording, reference)
        extra: float | None = 0.0
        for fragment_id, group in groupby(wording, key=lambda f: f.origin.id):
            pair = self.references.fragment(fragment_id, self._encoding) or whole
            if pair is None:
                continue
            ours = self.count(_text(group))
            extra = None if ours is None or extra is None else extra + ours * (pair.factor - 1)
        expected = None if tokens is None or extra is None else max(tokens + extra, 0.0)
        return _Counted(tokens, expected, self._real(whole), "stand-in")

    def _measured(self, tokens: int | None, fragments: Sequence[Traced], reference: str | None) -> _Counted:
        """A tool of the request as expected of the real agent: measured whole, with name, description and schema.

        `fragments` are its description, `tokens` all that is sent of it.
        """
        wording = _builtin(fragments)
        if not wording:
            return self._as_it_stands(tokens)
        whole = self._pair(wording, reference)
        expected = tokens if tokens is None or whole is None else tokens * whole.factor
        return _Counted(tokens, expected, self._real(whole), "stand-in")

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

    def _summary(self, request: Request | ResponsesRequest) -> TokenSummary:
        texts: dict[str, list[str]] = {"system": [], "messages": [], "tools": []}
        for block in request.blocks():
            if block.field == "tools":
                texts["tools"].append(tool_json(block.value))
            elif "text" in block.value:
                texts[block.field].append(block.value["text"])
        by_channel = {channel: _sum(map(self.count, parts)) for channel, parts in texts.items()}
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
            window=window.size,
            reserve=window.reserve,
            compact_at=window.compact_at,
            free=None if used is None else max(window.size - window.reserve - used, 0),
        )

    def _expected(self) -> int | None:
        return _round(_sum(value for values in self.expected.values() for value in values))


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
        first = last is None or not place.joins(last)
        closes = place.closes if following is None or not following.joins(place) else ""
        ends = place.ends if following is None or following.run != place.run else ""
        found[number] = (place.opens if first else place.gap, (closes, ends))
    return found


def _framed(pieces: Sequence[Piece], before: str, behind: tuple[str, str]) -> tuple[Piece, ...]:
    opening, closing = [before] if before else [], filter(None, behind)
    return (*map(label, opening), *pieces, *map(label, closing))


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
