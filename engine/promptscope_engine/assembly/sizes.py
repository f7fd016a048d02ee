"""Counts what a part sends, and scales our wording to the size measured of the real agent."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Choice, SectionDraft, Span, ToolDraft
from promptscope_engine.prompt.model import Confidence, Origin
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.measured import Pair, References
from promptscope_engine.wire.joined import Parts
from promptscope_engine.wire.request import AnyRequest, tool_json, wire_tool

from .line_forms import Traced
from .wording import Wordings


class Counted(NamedTuple):
    """A text's tokens as counted, as expected of the real agent, and how far to trust them."""

    tokens: int | None
    expected: float | None
    reference: int | None
    confidence: Confidence


NOTHING = Counted(0, 0.0, None, "exact")
"""The size of what is absent."""


class SizedTool(NamedTuple):
    """What is sent of a tool, and its size: `in_prompt` and `on_wire` are tokens.

    `named`: only its name or a row is sent, and `loaded` are the tokens of the tool once the agent loads it.
    """

    description: str
    input_schema: Json
    learned_from: Origin | None
    in_prompt: int | None
    on_wire: int | None
    counted: Counted
    named: bool = False
    loaded: float | None = None


class Sizes:
    """Sizes of parts under the facts of one scenario. With `cached_only` unknown counts are None."""

    def __init__(
        self, counter: Counter, references: References, wordings: Wordings, facts: Facts, *, cached_only: bool
    ) -> None:
        self._tokenizer, self._references = counter.tokenizer, references
        self._wordings, self._facts = wordings, facts
        self.count: Callable[[str], int | None] = counter.cached if cached_only else counter.count
        self.count_joined: Callable[[Sequence[str]], int | None] = (
            counter.cached_joined if cached_only else counter.count_joined
        )

    def chosen(self, value: str | Choice[str] | Choice[str | None] | None) -> str | None:
        """The value that the facts choose."""
        return value.under(self._facts) if isinstance(value, Choice) else value

    def section(self, draft: SectionDraft, spans: Sequence[Span]) -> Counted:
        """The size of a present section, whose spans are given with the labels around them.

        Our own wording is scaled by what was measured; everything else counts as it is.
        """
        sent = self._wordings.put_in(draft.id, self._present(spans))
        return self._in_prompt(sent, self.chosen(draft.reference), draft.unedited)

    def tool(self, draft: ToolDraft) -> SizedTool:
        """What is sent of a tool that is present, or would be if it were."""
        spans = self._wordings.put_in(f"tools.{draft.name}", self._present(draft.description))
        description = "".join([span.text for span in spans])
        input_schema, schema_from = self._schema(draft)
        loaded = self.tool(draft.loaded).counted.expected if draft.loaded else None
        on_wire = 0 if draft.loaded else self._on_wire(draft, description, input_schema)
        learned = next((span.origin for span in spans if span.origin.kind == "learned"), schema_from)
        if draft.section:
            counted = self._in_prompt(spans, draft.reference, draft.unedited)
            return SizedTool(
                description, input_schema, learned, counted.tokens, on_wire, counted, bool(draft.loaded), loaded
            )
        counted = self._requested(on_wire, spans, draft, schema_known=bool(schema_from) or input_schema is None)
        listed = self.count("".join([span.text for span in draft.listed]))
        return SizedTool(description, input_schema, learned, listed, on_wire, counted)

    def by_channel(self, request: AnyRequest) -> dict[str, float | None]:
        """The counted tokens of a whole request, by the channel of its blocks."""
        counts: dict[str, list[float | None]] = {"system": [], "messages": [], "tools": []}
        for block in request.blocks():
            if block.field == "tools":
                counts["tools"].append(self.count(tool_json(block.value)))
            elif "text" in block.value:
                text = block.value["text"]
                is_joined = isinstance(text, Parts)
                counts[block.field].append(self.count_joined(text.parts) if is_joined else self.count(text))
        return {channel: total(tokens) for channel, tokens in counts.items()}

    def _present(self, spans: Sequence[Span]) -> list[Span]:
        """The spans with a text whose conditions hold."""
        found: list[Span] = []
        when: Condition = ALWAYS
        holds = True
        for span in spans:
            if span.when is not when:  # neighbours often share one condition
                when = span.when
                holds = when.holds(self._facts)
            if holds and span.text:
                found.append(span)
        return found

    def _schema(self, draft: ToolDraft) -> tuple[Json, Origin | None]:
        """The schema that is sent, without the parameters that are absent; where it is from if it is a learned one."""
        ours = draft.schema(self._facts)
        return self._wordings.schema(f"tools.{draft.name}", ours) if self._wordings else (ours, None)

    def _on_wire(self, draft: ToolDraft, description: str, input_schema: Json) -> int | None:
        """The tokens of a tool in the request; 0 for one that only the prompt describes."""
        if draft.wire is not None:
            return self.count(tool_json(draft.wire(description, input_schema)))
        if input_schema is None:
            return 0
        return self.count(tool_json(wire_tool(draft.name, description, input_schema)))

    def _in_prompt(self, sent: Sequence[Traced], reference: str | None, unedited: Sequence[Span]) -> Counted:
        """The size of a text; what an edit left of our wording is scaled as the whole is."""
        tokens = self.count_joined([part.text for part in sent])
        wording = _builtin(sent)
        if not wording:
            return self._unscaled(tokens)
        whole = self._pair(self._agents_own(wording, unedited), reference)
        extra: float | None = 0.0
        for fragment_id, group in groupby(wording, key=lambda part: part.origin.id):
            pair = self._references.fragment(fragment_id, self._encoding) or whole
            if pair is None:
                continue
            ours = self.count("".join([part.text for part in group]))
            extra = None if ours is None or extra is None else extra + ours * (pair.factor - 1)
        expected = None if tokens is None or extra is None else max(tokens + extra, 0.0)
        return Counted(tokens, expected, None if unedited else self._real(whole), "stand-in")

    def _requested(
        self, tokens: int | None, description: Sequence[Traced], draft: ToolDraft, *, schema_known: bool
    ) -> Counted:
        """The size of a tool in the request, measured as a whole: name, description and schema.

        If the description was learned, the schema is still ours unless it was learned too.
        """
        wording = _builtin(description)
        if not wording and (schema_known or not has_learned(description)):
            return self._unscaled(tokens)
        whole = self._pair(self._agents_own(wording, draft.unedited), draft.reference)
        expected = tokens if tokens is None or whole is None else tokens * whole.factor
        return Counted(tokens, expected, None if draft.unedited else self._real(whole), "stand-in")

    def _agents_own(self, wording: Sequence[Traced], unedited: Sequence[Span]) -> Sequence[Traced]:
        """The agent's wording before any edit: its measured size is found by that."""
        return _builtin(self._present(unedited)) if unedited else wording

    def _unscaled(self, tokens: int | None) -> Counted:
        return Counted(tokens, tokens, None, "exact" if self._tokenizer.exact else "estimated")

    @property
    def _encoding(self) -> str:
        return self._tokenizer.encoding or "o200k_base"

    def _pair(self, wording: Sequence[Traced], reference: str | None) -> Pair | None:
        return self._references.pair(reference, "".join([part.text for part in wording]), self._encoding)

    def _real(self, pair: Pair | None) -> int | None:
        """A measured size in the tokenizer's own tokens: sizes are measured in an encoding, not in an estimate."""
        if pair is None:
            return None
        return self._tokenizer.tokens(pair.real) if self._tokenizer.encoding else pair.real


def has_learned(parts: Iterable[Traced]) -> bool:
    """Whether the agent's own wording, as learned, is in a text."""
    return any(part.origin.kind == "learned" for part in parts)


def _builtin(parts: Iterable[Traced]) -> list[Traced]:
    return [part for part in parts if part.origin.kind == "builtin"]


def total(values: Iterable[float | None]) -> float | None:
    """The sum, or None if any part is not known."""
    summed = 0.0
    for value in values:
        if value is None:
            return None
        summed += value
    return summed


def rounded(value: float | None) -> int | None:
    """The nearest whole number, if there is a number."""
    return None if value is None else round(value)
