"""From a scenario to an assembly: resolve the inputs, let the agent draft, and take the draft through the pipeline."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import groupby, repeat
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.kit.text.sources import laid_over_notes
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.learned import Learned, values_of
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.derived import explained
from promptscope_engine.prompt.drafts import (
    DEFERRED,
    Draft,
    FileDraft,
    ProgramDraft,
    SectionDraft,
    ServerDraft,
    Span,
    ToolDraft,
)
from promptscope_engine.prompt.memo import KeptWith
from promptscope_engine.prompt.model import (
    AbsentFragment,
    Assembly,
    Diagnostic,
    Fragment,
    Parameter,
    Program,
    Reason,
    Section,
    Server,
    ServerTokens,
    SourceFile,
    TokenSummary,
    Tool,
    ToolTokens,
    when_asked,
)
from promptscope_engine.prompt.reasons import VerdictCache, reason
from promptscope_engine.timings import timed
from promptscope_engine.tokens.counter import LONG, Counter
from promptscope_engine.tokens.measured import references
from promptscope_engine.tokens.models import Tokenizer, UnknownTokenizer, get_tokenizer, tokenizer_for_model
from promptscope_engine.wire.joined import in_parts
from promptscope_engine.wire.request import AnyRequest
from promptscope_engine.workspace import Workspace

from .copies import copies
from .drafting import draft
from .edits import edited, text_to_edit
from .knowledge import NO_KNOWLEDGE, Knowledge
from .learned_parts import given_in, with_learned_parts
from .overfull import too_small
from .resolve import resolve
from .reuse import Joint, Reuse, framed, joints
from .sizes import NOTHING, Counted, SizedTool, Sizes, has_learned, rounded, total
from .wording import OURS, Wordings, earlier_wording


def assemble(
    scenario: Scenario,
    workspace: Workspace | None = None,
    counter: Counter | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    cached_only: bool = False,
    with_files: bool = True,
) -> Assembly:
    """The prompt that the agent would be given. The same files, scenario and knowledge give the same assembly.

    `workspace` and `counter` may be kept between calls: then only what was forgotten is read again, and only new
    texts are counted. With the knowledge's `drafts`, a part that is drafted as the last time is not made again. With
    `cached_only` nothing is counted and unknown counts are None (for a first frame). Without `with_files` the
    assembly's `files` are empty: thousands of them take a fifth of the time.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    pipeline = _pipeline(scenario, workspace or Workspace(), counter, knowledge, cached_only=cached_only)
    return pipeline.assembly(with_files)


class Totals(Struct, frozen=True):
    """What a what-if needs of an assembly: the present sections' ids and tools' names in order, and expected tokens."""

    sections: tuple[str, ...]
    tools: tuple[str, ...]
    expected: int | None

    @classmethod
    def of(cls, assembly: Assembly) -> Totals:
        """The totals of an assembly."""
        return cls(
            tuple(section.id for section in assembly.sections if section.present),
            tuple(tool.name for tool in assembly.tools if tool.present),
            assembly.tokens.expected,
        )


def totals(scenario: Scenario, workspace: Workspace, counter: Counter, knowledge: Knowledge = NO_KNOWLEDGE) -> Totals:
    """`Totals.of` the assembly, made by the same steps, which stop once what is present is counted.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _pipeline(scenario, workspace, counter, replace(knowledge, drafts=None)).totals()


def descriptions(
    scenario: Scenario, workspace: Workspace, counter: Counter, knowledge: Knowledge = NO_KNOWLEDGE
) -> dict[str, tuple[Fragment, ...]]:
    """The descriptions of the present tools that no section holds, by name, as pieces with their origin.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _pipeline(scenario, workspace, counter, knowledge, cached_only=True).descriptions()


def assemble_described(
    scenario: Scenario,
    workspace: Workspace,
    counter: Counter,
    knowledge: Knowledge = NO_KNOWLEDGE,
    *,
    cached_only: bool = False,
) -> tuple[Assembly, dict[str, tuple[Fragment, ...]]]:
    """The assembly without its files, and the `descriptions`, of one draft.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    pipeline = _pipeline(scenario, workspace, counter, knowledge, cached_only=cached_only)
    return pipeline.assembly(False), pipeline.descriptions()


def source_files(
    scenario: Scenario, workspace: Workspace, counter: Counter, knowledge: Knowledge = NO_KNOWLEDGE
) -> tuple[SourceFile, ...]:
    """The files of the assembly alone, with the counts that are known.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    return _pipeline(scenario, workspace, counter, knowledge, cached_only=True).files()


def own_text(scenario: Scenario, workspace: Workspace, target: str, knowledge: Knowledge = NO_KNOWLEDGE) -> str | None:
    """The text of a section, bullet or tool that an edit would replace, with the scenario's edits so far.

    None if the draft has no such part.

    Raises ScenarioError for a scenario that cannot be assembled.
    """
    drafting = _draft(scenario, workspace, knowledge)
    return text_to_edit(drafting.draft, target, drafting.wordings)


class _Drafting(NamedTuple):
    """A scenario resolved, drafted by its agent, and edited; `learned`: the version whose parts or words took part."""

    agent: Describes
    inputs: Inputs
    wordings: Wordings
    draft: Draft
    learned: str | None


def _draft(scenario: Scenario, workspace: Workspace, knowledge: Knowledge) -> _Drafting:
    agent, inputs = resolved = resolve(scenario, workspace, knowledge)
    drafted, wordings = draft(resolved, workspace), OURS
    learned = knowledge.learned if scenario.learned else None
    version = learned.version(agent.id, _asked(inputs)) if learned else None
    if learned and version:
        given = given_in(drafted, inputs, workspace)
        drafted = with_learned_parts(drafted, version, inputs, given)
        wordings = _wordings(agent, inputs, learned, len(version.runs), given)
    drafted = edited(drafted, scenario.edits, inputs, workspace, wordings)
    return _Drafting(agent, inputs, wordings, drafted, version.agent_version if version else None)


def _wordings(agent: Describes, inputs: Inputs, learned: Learned, runs: int, given: Callable[[str], Json]) -> Wordings:
    """The learned wording of the version that was asked for, whether it is modelled or not; it was seen in `runs`."""
    earlier = partial(earlier_wording, package_of(agent))
    found = learned.of(agent.id, _asked(inputs), earlier, given)
    return Wordings(found, values_of(inputs.workspace, inputs.home), runs) if found else OURS


def _pipeline(
    scenario: Scenario,
    workspace: Workspace,
    counter: Counter | None,
    knowledge: Knowledge,
    *,
    cached_only: bool = False,
) -> Pipeline:
    drafting = _draft(scenario, workspace, knowledge)
    model = drafting.draft.facts.model or drafting.inputs.model  # the agent resolves aliases
    chosen = _tokenizer(scenario.tokenizer, model)
    counter = Counter(chosen) if counter is None else counter.by(chosen)
    reuse = Reuse()
    if knowledge.drafts is not None and knowledge.drafts.workspace is workspace:
        drafted, reuse = knowledge.drafts.reused(drafting.agent.id, drafting.draft, counter, drafting.wordings)
        drafting = drafting._replace(draft=drafted)
    return Pipeline(drafting, counter, reuse, cached_only=cached_only)


def _tokenizer(asked: str | None, model: str | None) -> Tokenizer:
    try:
        return get_tokenizer(asked) if asked else tokenizer_for_model(model)
    except UnknownTokenizer as error:
        raise ScenarioError(str(error), where="tokenizer") from None


class _Placed(NamedTuple):
    """A section, whether it is present, and what joins it to its neighbours."""

    draft: SectionDraft
    is_present: bool
    around: Joint


def _version_note(agent: Describes, inputs: Inputs, wordings: Wordings) -> tuple[Diagnostic, ...]:
    if inputs.unknown_version is None:
        return ()
    asked, known = inputs.unknown_version, ", ".join(agent.versions)
    if wordings:
        text = f"{agent.name} {asked} is not modelled: this is what was learned of it, with the rules of "
        return (Diagnostic("info", "learned-version", f"{text}{inputs.agent_version}"),)
    text = f"{agent.name} {asked} is not modelled: this is {inputs.agent_version}; known: {known}"
    return (Diagnostic("warning", "unknown-version", text),)


def _other_machine_note(inputs: Inputs) -> Iterator[Diagnostic]:
    if named := inputs.environment.workspace:
        text = f"the folder is looked at as {named}: git is not asked, and changes show when it is read again"
        yield Diagnostic("info", "other-machine", text)


def _asked(inputs: Inputs) -> str:
    return inputs.unknown_version or inputs.agent_version


class _Fragments(NamedTuple):
    """Writes spans down as fragments, with the reason of each."""

    wordings: Wordings
    facts: Facts
    verdicts: VerdictCache

    def of(self, part: str, spans: Sequence[Span]) -> tuple[tuple[Fragment, ...], tuple[AbsentFragment, ...]]:
        """The present fragments of a part, and the absent ones."""
        present: list[Fragment] = []
        absent: list[AbsentFragment] = []
        when: Condition = ALWAYS
        why: Reason | None = None
        for span in spans:
            if span.when is not when:  # neighbours often share one condition
                when = span.when
                why = None if when is ALWAYS else reason(when, self.facts, self.verdicts)
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
        """The fragments with learned wording and lines in place of ours; absent ones stay about where they would be."""
        worded: list[Fragment] = []
        places: list[int] = []
        for stretch, words in self.wordings.worded(part, present):
            if words is None:
                places += range(len(worded), len(worded) + len(stretch))
                worded += stretch
            else:
                places += [len(worded)] * len(stretch)
                why = stretch[0].why if all(each.why is stretch[0].why for each in stretch) else None
                worded.append(Fragment(*words, why))
        places.append(len(worded))
        lined = self.wordings.with_lines(part, worded, Fragment)
        gone = tuple(replace(each, at=min(places[each.at], len(lined))) for each in absent)
        return tuple(f for f in lined if f.text), gone


class Pipeline:
    """The steps from a draft to an assembly: evaluate conditions, count, write, lay out, sum up.

    `totals` stops after the second step. What was made of the same drafts the last time passes all steps as it is.
    """

    def __init__(self, drafting: _Drafting, counter: Counter, reuse: Reuse, *, cached_only: bool) -> None:
        self._agent, self._inputs, self._wordings, self._draft, self._learned_version = drafting
        self._counter, self._reuse, self._cached_only = counter, reuse, cached_only
        self._facts = self._draft.facts
        self._verdicts = VerdictCache()
        measured = references(package_of(self._agent), self._inputs.agent_version)
        self._sizes = Sizes(counter, measured, self._wordings, self._facts, cached_only=cached_only)
        self._fragments = _Fragments(self._wordings, self._facts, self._verdicts)
        self._expected: dict[str, list[int | None]] = {"system": [], "messages": [], "tools": []}

    def totals(self) -> Totals:
        """What is present, and the expected tokens."""
        present = [placed for placed in self._evaluate() if placed.is_present]
        tools = [tool for tool in self._draft.tools if tool.when.holds(self._facts)]
        for section in present:
            self._check_cancelled()
            self._expected[section.draft.place.channel].append(rounded(self._count(section).expected))
        for tool in tools:
            self._check_cancelled()
            if not tool.section:
                self._expected["tools"].append(rounded(self._sizes.tool(tool).counted.expected))
        return Totals(tuple([p.draft.id for p in present]), tuple([t.name for t in tools]), self._total_expected())

    @timed("assembling", lambda *_: "")
    def assembly(self, with_files: bool = True) -> Assembly:
        """The whole answer; without `with_files` its files are empty."""
        sections = self._sections()
        tools = self._tools(sections)
        files = self.files() if with_files else ()
        lay_out = self._layout(sections, tools)
        with in_parts():
            tokens = self.summary(lay_out())
        return Assembly(
            agent=self._agent.id,
            agent_version=self._inputs.agent_version,
            mode=self._facts.mode,
            model=self._facts.model,
            workspace=self._inputs.workspace,
            home=self._inputs.home,
            sections=sections,
            tools=tools,
            files=files,
            request=when_asked(lay_out),
            tokens=tokens,
            diagnostics=(
                *_version_note(self._agent, self._inputs, self._wordings),
                *laid_over_notes(self._agent.id),
                *_other_machine_note(self._inputs),
                *self._draft.diagnostics,
                *too_small(self._agent, self._inputs.agent_version, tokens),
            ),
            modes=self._draft.modes,
            variables=self._draft.variables,
            views=self._draft.views,
            derived=tuple(explained(each, self._facts) for each in self._draft.derived),
            assumed=self._draft.assumed,
            known=self._draft.known,
            endpoint=self._draft.endpoint,
            servers=self._servers(sections, tools) if self._draft.servers else (),
            programs=tuple(_program(draft, self._reason(draft.when)) for draft in self._draft.programs),
            learned=any(tool.learned for tool in tools)
            or (bool(self._wordings) and any(has_learned(section.fragments) for section in sections)),
            learned_version=self._learned_version,
            edited=self._draft.edited,
        )

    def files(self) -> tuple[SourceFile, ...]:
        """The files that were consulted."""
        facts, drafts = self._facts, self._draft.files
        times = copies([each for each in self._draft.sections if self._is_present(each)], drafts, facts)
        counts = [times.get(each.path, times.get(each.real_path, 1)) for each in drafts] if times else repeat(1)
        return tuple(self._reuse.get(*each) or self._file(*each) for each in zip(drafts, counts, strict=False))

    def descriptions(self) -> dict[str, tuple[Fragment, ...]]:
        """The descriptions of the present tools that no section holds, by name."""
        tools = [tool for tool in self._draft.tools if not tool.section and tool.when.holds(self._facts)]
        return {tool.name: self._fragments.of(f"tools.{tool.name}", tool.description)[0] for tool in tools}

    # --- evaluate -----------------------------------------------------------------------------------------------

    def _evaluate(self) -> list[_Placed]:
        drafts = self._draft.sections
        present = list(map(self._is_present, drafts))
        around = joints([(draft.place, ok) for draft, ok in zip(drafts, present, strict=True)])
        return list(map(_Placed, drafts, present, around))

    def _is_present(self, draft: SectionDraft) -> bool:
        last: Section | None = self._reuse.last(draft)
        return draft.when.holds(self._facts) if last is None else last.present

    def _reason(self, condition: Condition) -> Reason:
        return reason(condition, self._facts, self._verdicts)

    # --- count --------------------------------------------------------------------------------------------------

    def _count(self, section: _Placed) -> Counted:
        """The size of a present section. Text of files that is unconditional has the same size under all facts."""
        draft, _, around = section
        kept = _COUNTED.get(draft, (around, self._counter.tokenizer), list[Counted])
        if not kept:
            spans = framed(draft.spans, around)
            counted = self._sizes.section(draft, spans)
            if counted.tokens is None or not all(s.when is ALWAYS and s.origin.kind != "builtin" for s in spans):
                return counted
            kept.append(counted)
        return kept[0]

    def _check_cancelled(self) -> None:
        """Stop if the counter's owner wants to; nothing that takes no counting is given up."""
        if not self._cached_only:
            self._counter.check_cancelled()

    def _counting(self, sections: Iterable[_Placed]) -> AbstractContextManager[None]:
        """Meanwhile, the long texts of new present sections are counted on two threads."""
        if self._cached_only:
            return nullcontext()
        new = (placed.draft for placed in sections if placed.is_present and self._reuse.last(placed.draft) is None)
        texts = (span.text for draft in new for span in draft.spans if span.when is ALWAYS)
        return self._counter.ahead([text for text in texts if len(text) >= LONG])

    # --- write --------------------------------------------------------------------------------------------------

    def _sections(self) -> tuple[Section, ...]:
        placed = self._evaluate()
        with self._counting(placed):
            sections = tuple(map(self._section, placed))
        for section in (each for each in sections if each.present):
            self._expected[section.channel].append(section.expected_tokens)
        return sections

    def _section(self, placed: _Placed) -> Section:
        section: Section | None = self._reuse.get(placed.draft, placed.around)
        if section is None:
            section = self._written_section(placed.draft, placed)
            self._reuse.keep(placed.draft, placed.around, section, section.tokens, section.expected_tokens)
        return section

    @timed("assembling", lambda _, draft, *__: draft.id)
    def _written_section(self, draft: SectionDraft, placed: _Placed) -> Section:
        self._check_cancelled()
        present = placed.is_present
        fragments, absent = self._fragments.of(draft.id, framed(draft.spans, placed.around) if present else ())
        counted = self._count(placed) if present else NOTHING
        return Section(
            id=draft.id,
            title=_titled(self._sizes.chosen(draft.title) or "", draft.names),
            heading=self._sizes.chosen(draft.heading),
            channel=draft.place.channel,
            present=present,
            why=self._reason(draft.when),
            stability=draft.stability,
            tokens=counted.tokens,
            expected_tokens=rounded(counted.expected),
            chars=sum([self._draft.length(f.text) for f in fragments]),
            confidence=counted.confidence,
            reference_tokens=counted.reference,
            fragments=fragments,
            absent=absent,
            parent=draft.parent,
            edited=draft.edited,
            names=draft.names,
        )

    def _tools(self, sections: Sequence[Section]) -> tuple[Tool, ...]:
        drafts = self._draft.tools
        tools_in = Counts(draft.section for draft in drafts)
        # A tool and the section that describes it alone are one thing, with the line feeds that join it.
        described = {s.id: s.expected_tokens for s in sections if s.present and tools_in[s.id] == 1}
        tools = tuple(self._tool(draft, described.get(draft.section) if draft.section else None) for draft in drafts)
        self._expected["tools"] += [tool.tokens.expected for tool in tools if tool.present and not tool.section]
        return tools

    def _tool(self, draft: ToolDraft, described: int | None) -> Tool:
        tool: Tool | None = self._reuse.get(draft, described)
        if tool is None:
            tool = self._written_tool(draft)
            if described is not None:
                tool = replace(tool, tokens=replace(tool.tokens, expected=described))
            self._reuse.keep(draft, described, tool, *_counts(tool))
        return tool

    @timed("assembling", lambda _, draft: f"tool {draft.name}")
    def _written_tool(self, draft: ToolDraft) -> Tool:
        self._check_cancelled()
        why = self._reason(draft.when)
        sent = self._sizes.tool(draft)
        variant = self._sizes.chosen(draft.variant)
        reasons = [(each, self._reason(each.when)) for each in draft.parameters]
        parameters = [Parameter(each.name, each.required, present=own.ok, why=own) for each, own in reasons]
        return Tool(
            name=draft.name,
            group=draft.group,
            present=why.ok,
            why=why,
            description=sent.description,
            input_schema=sent.input_schema,
            parameters=tuple(p for p in parameters if p.present),
            absent_parameters=tuple(p for p in parameters if not p.present),
            variant=variant,
            tokens=_tool_tokens(sent, deferred=variant == DEFERRED),
            confidence=sent.counted.confidence,
            reference_tokens=sent.counted.reference,
            section=draft.section,
            learned=sent.learned_from is not None,
            learned_from=sent.learned_from,
            edited=draft.edited,
            server=draft.server,
            waits=self._reason(draft.loaded.when) if draft.loaded and why.ok else None,
        )

    def _servers(self, sections: Iterable[Section], tools: Sequence[Tool]) -> tuple[Server, ...]:
        texts = _texts_of_servers(sections)
        return tuple(self._server(draft, texts.get(draft.name, ()), tools) for draft in self._draft.servers)

    def _server(self, draft: ServerDraft, texts: Iterable[str], tools: Iterable[Tool]) -> Server:
        own = [tool for tool in tools if tool.server == draft.name]
        late = [tool for tool in own if tool.variant == DEFERRED and not tool.present]
        why = self._reason(draft.when)
        return Server(
            name=draft.name,
            present=why.ok,
            why=why,
            known=draft.known,
            tools=draft.tools or len(own),
            deferred=len(late),
            tokens=ServerTokens(
                rounded(total(map(self._sizes.count, texts))),
                rounded(total(tool.expected_tokens for tool in own if tool.present)),
                rounded(total(tool.expected_tokens for tool in late)),
            ),
            configured=draft.configured,
            limits=draft.limits,
        )

    @timed("assembling", lambda _, draft, *__: draft.path)
    def _file(self, draft: FileDraft, times: int) -> SourceFile:
        """The row of a file whose text is in the prompt `times` times if it is there."""
        why = self._reason(draft.when)
        tokens = self._sizes.count(draft.injected) if why.ok else 0
        chars = self._draft.length(draft.injected) if draft.injected_chars is None else draft.injected_chars
        file = SourceFile(
            path=draft.path,
            real_path=draft.real_path,
            kind=draft.kind,
            load=draft.load,
            present=why.ok,
            why=why,
            bytes=draft.bytes,
            raw_chars=draft.raw_chars,
            injected_chars=chars * times if why.ok else 0,
            truncated=draft.truncated,
            tokens=None if tokens is None else tokens * times,
            imported_by=draft.imported_by,
            limits=draft.limits,
            stretches=draft.stretches,
            times=times,
        )
        self._reuse.keep(draft, times, file, file.tokens)
        return file

    # --- lay out and sum up -------------------------------------------------------------------------------------

    def _layout(self, sections: Sequence[Section], tools: Sequence[Tool]) -> Callable[[], AnyRequest]:
        pairs = zip(self._draft.sections, sections, strict=True)
        placed = [(draft.place, section) for draft, section in pairs if section.present and section.fragments]
        return partial(self._draft.layout, placed, [tool for tool in tools if tool.present])

    def summary(self, request: AnyRequest) -> TokenSummary:
        """The tokens of the whole request, as counted and as expected."""
        by_channel = self._sizes.by_channel(request)
        expected, counted = self._total_expected(), rounded(total(by_channel.values()))
        window, tokenizer = self._draft.window, self._counter.tokenizer
        used = counted if window.free_by == "total" else expected
        return TokenSummary(
            tokenizer=tokenizer.id,
            exact=tokenizer.exact,
            total=counted,
            expected=expected,
            band=None if tokenizer.exact or expected is None else tokenizer.span(expected),
            by_channel={channel: rounded(tokens) for channel, tokens in by_channel.items()},
            expected_by_channel={channel: rounded(total(parts)) for channel, parts in self._expected.items()},
            window=window.size,
            reserve=window.reserve,
            compact_at=window.compact_at,
            free=None if used is None else max(window.size - window.reserve - used, 0),
            reported=window.reported,
            compaction=window.compaction,
            ends_at=window.ends_at,
        )

    def _total_expected(self) -> int | None:
        """The sum of the parts as each of them is shown, so that adding them up gives the total."""
        return rounded(total(value for values in self._expected.values() for value in values))


def _titled(title: str, names: Sequence[str]) -> str:
    """A title with the client's own names behind it: `Notes (pronouns, action_caution)`."""
    others = [name for name in names if name.replace("_", " ").casefold() != title.replace("_", " ").casefold()]
    return f"{title} ({', '.join(others)})" if others else title


def _tool_tokens(sent: SizedTool, *, deferred: bool) -> ToolTokens:
    """Loading adds the whole tool: the draft behind a row that only names it, or a `deferred` tool as it is."""
    expected = rounded(sent.counted.expected)
    loaded = rounded(sent.loaded) if sent.named else expected if deferred else None
    return ToolTokens(sent.in_prompt, sent.on_wire, expected, loaded)


def _counts(tool: Tool) -> tuple[int | None, ...]:
    """The counts of a tool, as far as it has them."""
    counts = tool.tokens.prompt, tool.tokens.schema, tool.tokens.expected
    return (*counts, tool.tokens.loaded) if tool.waits else counts


_COUNTED: KeptWith[SectionDraft, list[Counted]] = KeptWith()
"""The sizes of drafts that are the same under all facts; drafts are data and hold no caches."""


def _program(draft: ProgramDraft, why: Reason) -> Program:
    told = {name: getattr(draft, name) for name in Program.__struct_fields__ if hasattr(draft, name)}
    return Program(**told, present=why.ok, why=why)


def _texts_of_servers(sections: Iterable[Section]) -> dict[str, list[str]]:
    """What the prompt says for each MCP server."""
    texts: dict[str, list[str]] = {}
    for section in sections:
        for server, group in groupby(section.fragments, key=lambda fragment: fragment.origin.server):
            if server is not None and section.present:
                texts.setdefault(server, []).append("".join([fragment.text for fragment in group]))
    return texts
