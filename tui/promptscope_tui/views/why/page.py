"""A page of explanations: titled blocks of wrapped rows, some of which act when they are chosen."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.description import Quirk
from promptscope_engine.agents.features import WrittenAsText
from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import (
    Assembly,
    DerivedParam,
    Lever,
    Origin,
    Program,
    Reason,
    Section,
    SourceFile,
    Tool,
)
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import ApplyLevers, GoTo, Intent, OpenSource, Snapshot, Unfold
from promptscope_tui.settings import wordings
from promptscope_tui.text.reasons import Thing, VerdictLine, how_many, lines_of, sentence
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.words import difference, many, number, rewritten, short_text


class Page:
    """Collects rows; `links` are the intents of rows whose key is a number. `whole`: reasons are shown as trees."""

    def __init__(self, snapshot: Snapshot, inputs: AgentInputs, *, whole: bool = False) -> None:
        self.snapshot, self.inputs, self.whole = snapshot, inputs, whole
        self.rows: list[Row] = []
        self.links: list[Intent] = []

    @property
    def assembly(self) -> Assembly:
        """What is explained; there is one wherever a subject is."""
        assert self.snapshot.assembly is not None
        return self.snapshot.assembly

    def shorten(self, text: str) -> str:
        """A title or a sentence with its paths shortened."""
        return short_text(text, self.assembly)

    def heading(self, title: str) -> None:
        """The page's own title."""
        self.rows.append(paragraph(Span(self.shorten(title), "strong")))

    def line(self, *parts: Span | str, indent: int = 1, hang: int = 0) -> None:
        """A wrapped line under the block's title, indented by `indent` cells, its continuation by `hang` more."""
        self.rows.append(paragraph(" " * indent, *parts, indent=indent + hang))

    def pair(self, name: str, value: str, tone: Tone = "text") -> None:
        """A name and its value, values aligned."""
        self.rows.append(paragraph(Span(f" {name:<10} ", "dim"), Span(self.shorten(value), tone), indent=12))

    def block(self, title: str) -> None:
        """An empty line and a block's title."""
        self.rows += [BLANK, row(Span(title.upper(), "title"))]

    def link(self, words: Iterable[Span | str], intent: Intent, sign: str = "→") -> None:
        """A line that acts."""
        self.links.append(intent)
        self.rows.append(paragraph(Span(f" {sign} ", "accent"), *words, indent=3, key=len(self.links) - 1))

    def place(self, section: Section) -> None:
        """A section of the prompt with its tokens; choosing it leads there."""
        tokens = Span(f"  {number(section.expected_tokens)} tok", "dim")
        self.link([self.shorten(section.title), tokens], GoTo("prompt", section.id))

    # --- what several subjects share ----------------------------------------------------------------------------

    def why(self, thing: Thing, loading: str = "") -> None:
        """Why something is there or not: the sentence, the whole reason behind a fold. `loading`: what loads a file."""
        self._says(loading or sentence(thing), thing.present)
        self._fold(thing.why)

    def quirks(self, found: Sequence[Quirk]) -> None:
        """The slips of the agent itself that show here."""
        if found:
            self.block("A quirk of the agent" if len(found) == 1 else "Quirks of the agent")
        for each in found:
            self.line(Span("~ ", "warn"), *spans_of(each.says), hang=2)

    def rewritten(self, mods: Sequence[Program], part: Section | Tool | SourceFile) -> None:
        """The mods that may rewrite what is shown."""
        if mods:
            self.block("Before mods")
        for each in mods:
            words = spans_of(self.shorten(rewritten(each, self.assembly, part)))
            self.link([Span("~ ", "warn"), *words], OpenSource(each.path, each.line or 1))

    def reason(self, why: Reason, title: str) -> None:
        """The same of a part, in a block of its own."""
        self.block(title)
        self._says(why.because, why.ok)
        self._fold(why)

    def _says(self, text: str, present: bool) -> None:
        mark = Span("✓ ", "good") if present else Span("✗ ", "error")
        self.line(mark, *spans_of(self.shorten(text)), hang=2)

    def _fold(self, why: Reason) -> None:
        """The conditions, where there are more than the sentence has, and the settings that decide."""
        lines = lines_of(why.condition) if why.condition else []
        if len(lines) > 1 or (lines and lines[0].text not in why.text):
            words = f"the whole reason, {many(how_many(lines), 'condition')}"
            self.link([Span(words, "dim")], Unfold(), "▾" if self.whole else "▸")
        for line in lines:
            if self.whole and len(lines) > 1:
                self._verdict(line)
            source = line.verdict.source
            if source and source.path and source.is_set:
                self.source(source.shown, source.path, source.line, source.line)

    def change(self, why: Reason, present: bool, by_hand: str = "", title: str = "") -> None:
        """What a person would do to flip a reason, and the switches that do it here."""
        levers = self.inputs.folded(why.levers)
        if not (by_hand or why.remedy or levers):
            return
        self.block(title or ("To remove it" if present else "To add it"))
        for words in filter(None, (by_hand, why.remedy)):
            self.line(*spans_of(self.shorten(words)))
        if levers:
            self.link(self._set(levers), ApplyLevers(levers))

    def _set(self, levers: Sequence[Lever]) -> list[Span | str]:
        words: list[Span | str] = []
        for at, lever in enumerate(levers):
            value = Span(self.inputs.label(lever.param, lever.value), "strong")
            words += [", " if at else "set ", Span(lever.param, "param"), " to ", value]
        if len(levers) == 1 and (effect := self.snapshot.effect(levers[0].param, levers[0].value)):
            words.append(Span(f"  {difference(effect.tokens)} tok", "dim"))
        return words

    def derivation(self, derived: DerivedParam) -> None:
        """What the agent computes an input from, and that it was set by hand."""
        computed = derived.computed
        plain = f"{len(computed)} entries" if isinstance(computed, list | dict) else show(computed)
        self.block("What the agent makes of it")
        self.line(Span("→ ", "accent"), Span(self.shorten(plain), "param"), hang=2)
        if derived.why.condition is not None:
            for line in lines_of(derived.why.condition):
                self._verdict(line)
        if derived.overridden:
            self.line(Span("! ", "warn"), "set by hand, and that counts", hang=2)

    def _verdict(self, line: VerdictLine) -> None:
        verdict, actual = line.verdict, line.verdict.actual
        indent = 2 * line.depth + 1
        words: list[Span | str] = [Span(" " * indent), Span("✓ ", "good") if line.ok else Span("✗ ", "error")]
        words += [Span(line.text, "dim")] if line.joint else spans_of(self.shorten(line.text))
        plain = isinstance(actual, str | int | float) and not isinstance(actual, bool)
        has_value = plain and verdict.op in ("flag", "model", "version") and not verdict.children
        if has_value and actual not in ("", "true", "false") and show(actual) not in verdict.text:
            words.append(Span(f"  is {show(actual)}", "param"))
        self.rows.append(paragraph(*words, indent=indent + 2))

    def source(self, path: str, real_path: str, start: int | None, end: int | None, note: str = "") -> None:
        """A link that opens a file at its lines in the editor."""
        lines = "" if start is None else f":{start}" if end in (None, start) else f":{start}-{end}"
        words: Sequence[Span] = [Span(path, "file"), Span(lines, "dim"), Span(f"  {note}" if note else "", "faint")]
        self.link(words, OpenSource(real_path, start or 1))


def spans_of(text: str) -> list[Span | str]:
    """A reason's sentence, with the names between backticks in their own tone."""
    return [Span(part, "param" if n % 2 else "text") for n, part in enumerate(text.split("`")) if part]


def text_place(agent: Describes, wording: str) -> OpenSource | None:
    """The file and line of a wording; None for an agent without texts, and for what Python says."""
    found = agent.folder.place_of(wording) if isinstance(agent, WrittenAsText) else None
    return OpenSource(str(found[0]), found[1]) if found else None


def learned_place(assembly: Assembly, part: str, origin: Origin | None) -> OpenSource | None:
    """The file and line of a learned text of a part; None for any other text."""
    if origin is None or origin.kind != "learned" or assembly.learned_version is None:
        return None
    found = wordings.place_of(assembly.agent, assembly.learned_version, part, origin.variant)
    return OpenSource(str(found[0]), found[1]) if found else None


def learned_source(page: Page, part: str, origin: Origin) -> None:
    """A line `claude-code@2.1.332/sections/rules.md:14` that leads to the learned text."""
    if found := learned_place(page.assembly, part, origin):
        shown = Path(found.path).relative_to(wordings.folder())
        page.source(str(shown), found.path, found.line, found.line)


def text_source(page: Page, wording: str | None) -> None:
    """A line `sections/rules.md:14` that leads to the text."""
    agent = page.inputs.agent
    found = text_place(agent, wording) if wording else None
    if found is not None and isinstance(agent, WrittenAsText):
        page.source(agent.folder.shown(Path(found.path)), found.path, found.line, found.line)
