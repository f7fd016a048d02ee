"""From a scenario to an assembly: resolve the inputs, let the agent draft, evaluate the conditions, count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from promptscope_engine.agents.adapter import Agent, draft
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.conditions import ALWAYS, Facts
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
from promptscope_engine.tokens.measured import References, references
from promptscope_engine.wire.request import Request, wire_json, wire_tool
from promptscope_engine.workspace import Workspace

from .resolve import resolve

Count = Callable[[str], int | None]
"""Tokens of a text, or None if that is not known yet."""


def assemble(
    scenario: Scenario,
    workspace: Workspace | None = None,
    counter: Counter | None = None,
    *,
    cached_only: bool = False,
    expected_only: bool = False,
) -> Assembly:
    """What the agent would be given. The same files and the same scenario give the same assembly.

    `workspace` and `counter` may be kept between calls: then only what was forgotten is read again, and only new
    texts are counted. With `cached_only` nothing is counted and unknown counts are None (for a first frame). With
    `expected_only` the request as a whole is not counted: for a what-if over a prompt of megabytes.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    workspace = workspace or Workspace()
    agent, inputs = resolve(scenario, workspace)
    drafted = draft(agent, inputs, workspace)
    chosen = _tokenizer(scenario.tokenizer, drafted.facts.model or inputs.model)  # the agent resolves aliases
    counter = Counter(chosen) if counter is None else counter.by(chosen)
    count: Count = counter.cached if cached_only else counter.count
    return _Builder(agent, inputs, drafted, chosen, count, count_request=not expected_only).assembly()


def _tokenizer(asked: str | None, model: str | None) -> Tokenizer:
    try:
        return get_tokenizer(asked) if asked else tokenizer_for_model(model)
    except UnknownTokenizer as error:
        raise ScenarioError(str(error), where="tokenizer") from None


@dataclass(frozen=True)
class _Counted:
    """A text's tokens as counted, as expected of the real agent, and how far to trust them."""

    tokens: int | None
    expected: float | None
    reference: int | None
    confidence: Confidence


class _Builder:
    """Evaluates and counts one draft."""

    def __init__(
        self, agent: Agent, inputs: Inputs, draft: Draft, chosen: Tokenizer, count: Count, *, count_request: bool
    ) -> None:
        self.count_request = count_request
        self.agent, self.inputs, self.draft = agent, inputs, draft
        self.tokenizer, self.count = chosen, count
        self.facts: Facts = draft.facts
        self.references: References = references(type(agent).__module__.rpartition(".")[0], inputs.agent_version)
        self.expected: dict[str, list[float | None]] = {"system": [], "messages": [], "tools": []}

    def assembly(self) -> Assembly:
        sections = self._sections()
        tools = tuple(map(self._tool, self.draft.tools))
        files = tuple(map(self._file, self.draft.files))
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
            files=files,
            request=request,
            tokens=self._summary(request),
            diagnostics=(*self._version_note(), *self.draft.diagnostics),
            modes=self.draft.modes,
            variables=self.draft.variables,
            views=self.draft.views,
        )

    def _version_note(self) -> tuple[Diagnostic, ...]:
        asked = self.inputs.unknown_version
        if asked is None:
            return ()
        known = ", ".join(self.agent.versions)
        text = f"{self.agent.name} {asked} is not modelled: this is {self.inputs.agent_version}; known: {known}"
        return (Diagnostic("warning", "unknown-version", text),)

    # --- parts --------------------------------------------------------------------------------------------------

    def _sections(self) -> tuple[Section, ...]:
        reasons = [reason(draft.when, self.facts) for draft in self.draft.sections]
        around = joints([(d.place, why.ok) for d, why in zip(self.draft.sections, reasons, strict=True)])
        return tuple(map(self._section, self.draft.sections, reasons, around))

    def _section(self, draft: SectionDraft, why: Reason, around: tuple[str, tuple[str, str]]) -> Section:
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
        for piece in pieces:
            if piece.when is ALWAYS:
                present.append(Fragment(piece.text, piece.origin))
                continue
            why = reason(piece.when, self.facts)
            if why.ok:
                present.append(Fragment(piece.text, piece.origin, why))
            elif piece.text:
                absent.append(AbsentFragment(piece.text, piece.origin, why, len(present)))
        return tuple(f for f in present if f.text), tuple(absent)

    def _tool(self, draft: ToolDraft) -> Tool:
        why = reason(draft.when, self.facts)
        present = why.ok
        fragments, _ = self._fragments(draft.description)
        description = "".join(f.text for f in fragments)
        counted = self._counted(fragments, draft.reference)
        reasons = [(p, reason(p.when, self.facts)) for p in draft.parameters]
        parameters = [Parameter(p.name, p.required, present=w.ok, why=w) for p, w in reasons]
        absent = tuple(p for p in parameters if not p.present)
        input_schema = self._schema(draft, {p.name for p in absent})
        schema: int | None = 0
        if input_schema is not None:
            schema = self.count(wire_json(wire_tool(draft.name, description, input_schema)))
        in_prompt = counted.tokens if draft.section else self.count("".join(piece.text for piece in draft.listed))
        expected = counted.expected if draft.section else self._on_wire(schema, fragments, draft.reference)
        if present and not draft.section:
            self.expected["tools"].append(expected)
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
            tokens=ToolTokens(in_prompt, schema, _round(expected)),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            section=draft.section,
        )

    def _schema(self, draft: ToolDraft, absent: Set[str]) -> Json:
        """The schema that is sent: without the parameters that are absent."""
        chosen = draft.input_schema
        schema = chosen.under(self.facts) if isinstance(chosen, Choice) else chosen
        properties = schema.get("properties") if isinstance(schema, dict) else None
        if not absent or not isinstance(schema, dict) or not isinstance(properties, dict):
            return schema
        return {**schema, "properties": {name: part for name, part in properties.items() if name not in absent}}

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

    def _counted(self, fragments: Sequence[Fragment], reference: str | None) -> _Counted:
        """Built-in wording is scaled by what was measured; everything else counts as it stands."""
        text = "".join(f.text for f in fragments)
        tokens = self.count(text)
        wording = [f for f in fragments if f.origin.kind == "builtin"]
        if not wording:
            exact: Confidence = "exact" if self.tokenizer.exact else "estimated"
            return _Counted(tokens, tokens, None, exact)
        encoding = self.tokenizer.encoding or "o200k_base"
        whole = self.references.pair(reference, "".join(f.text for f in wording), encoding)
        extra: float | None = 0.0
        for fragment_id, group in groupby(wording, key=lambda f: f.origin.id):
            pair = self.references.fragment(fragment_id, encoding) or whole
            if pair is None:
                continue
            ours = self.count("".join(f.text for f in group))
            extra = None if ours is None or extra is None else extra + ours * (pair.factor - 1)
        expected = None if tokens is None or extra is None else max(tokens + extra, 0.0)
        real = None if whole is None else self._scaled(whole.real)
        return _Counted(tokens, expected, real, "stand-in")

    def _on_wire(self, tokens: int | None, fragments: Sequence[Fragment], reference: str | None) -> float | None:
        """A tool of the request as expected of the real agent: measured whole, with name, description and schema."""
        wording = "".join(f.text for f in fragments if f.origin.kind == "builtin")
        pair = self.references.pair(reference, wording, self.tokenizer.encoding or "o200k_base") if wording else None
        return tokens if tokens is None or pair is None else tokens * pair.factor

    def _scaled(self, measured: int) -> int:
        """A measured size in the tokenizer's own tokens (measured sizes are of an encoding, not of an estimate)."""
        return self.tokenizer.tokens(measured) if self.tokenizer.encoding else measured

    def _summary(self, request: Request) -> TokenSummary:
        texts: dict[str, Iterable[str]] = {
            "system": [block["text"] for block in request.system],
            "messages": [b["text"] for m in request.messages for b in m["content"] if b.get("type") == "text"],
            "tools": [wire_json(tool) for tool in request.tools],
        }
        count = self.count if self.count_request else _unknown
        by_channel = {channel: _sum(map(count, parts)) for channel, parts in texts.items()}
        expected = _round(_sum(v for values in self.expected.values() for v in values))
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


_NOTHING = _Counted(0, 0.0, None, "exact")


def joints(sections: Sequence[tuple[Place, bool]]) -> list[tuple[str, tuple[str, str]]]:
    """What stands before and behind each section, from its place and whether it is present, in order.

    Only present sections are neighbours: see `Place`.
    """
    present = [n for n, (_, ok) in enumerate(sections) if ok]
    found = [("", ("", ""))] * len(sections)
    places = [None, *(sections[n][0] for n in present), None]
    for number, last, place, following in zip(present, places, places[1:], places[2:], strict=False):
        assert place is not None
        first = last is None or not place.joins(last)
        closes = place.closes if following is None or not following.joins(place) else ""
        ends = place.ends if following is None or following.run != place.run else ""
        found[number] = (place.opens if first else place.gap, (closes, ends))
    return found


def _framed(pieces: tuple[Piece, ...], before: str, behind: tuple[str, str]) -> tuple[Piece, ...]:
    opening, closing = [before] if before else [], filter(None, behind)
    return (*map(label, opening), *pieces, *map(label, closing))


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum, or None if any part is not known."""
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _unknown(text: str) -> int | None:
    """Of an empty text even an uncounted one is known."""
    return None if text else 0


def _round(value: float | None) -> int | None:
    return None if value is None else round(value)
