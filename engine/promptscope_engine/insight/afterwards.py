"""What is left of a session's prompt at a later request: part by part, with the reason, and what it costs."""

from collections import Counter as Counts
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.features import GoesOn, WrittenAsText
from promptscope_engine.agents.registry import all_agents, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.inputs.after import Event
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import home_short

Verdict = Literal["stays", "returns", "returns-as-file", "cut", "lost"]

WORDS: dict[Verdict, str] = {
    "stays": "stays",
    "returns": "comes back",
    "returns-as-file": "comes back as a file",
    "cut": "cut",
    "lost": "lost",
}
_CHARS_PER_TOKEN = 4
_LOOP = 0.5
"""Share of the room that what comes back may take: above it a session is soon compacted again."""
_CALL, _FILE, _SKILL = "after.call:", "after.file:", "after.skill:"
_WOKEN = "woken:"
_UNSURE = ("after.newest", "after.unread:")
"""What may be in the request where the forecast has it not, or otherwise."""


class Part(Struct, frozen=True):
    """A part of the session's prompt, or of what a later request brings along. `tokens` of it in that request.

    `why` is its reason in a sentence; `back` what would bring it back, of one that is lost.
    """

    id: str
    title: str
    verdict: Verdict
    tokens: int
    why: str
    file: str = ""
    back: str = ""

    @property
    def kind(self) -> Literal["file", "skill", ""]:
        """What it brings back: a file that was read or woken, a skill, or a part of the prompt."""
        return "file" if self.id.startswith(_FILE) else "skill" if self.id.startswith(_SKILL) else ""

    @property
    def name(self) -> str:
        """The skill's name, or the file, as a person names it."""
        return self.id.removeprefix(_SKILL) if self.kind == "skill" else self.file

    @property
    def is_open(self) -> bool:
        """Whether nobody can tell if it comes back."""
        return "not predictable" in self.why


class Budget(Struct, frozen=True):
    """How much of a limit is used by what comes back. `unit` in words."""

    name: str
    used: int
    of: int
    unit: str


class Afterwards(Struct, frozen=True):
    """The forecast. Tokens: of the prompt `now`, with what is known of the conversation, and of the request `after`.

    `limit` is where it compacts next, or the window; `written` are the tokens that no cache has.
    """

    agent: str
    event: Event
    parts: tuple[Part, ...]
    now: int
    after: int
    limit: int
    written: int
    warnings: tuple[str, ...]
    assembly: Assembly
    budgets: tuple[Budget, ...] = ()

    @property
    def room(self) -> int:
        """Tokens until the next compaction."""
        return max(self.limit - self.after, 0)


def afterwards(
    scenario: Scenario,
    workspace: Workspace,
    counter: Counter | None = None,
    conversation: int = 0,
    before: Assembly | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Afterwards:
    """What the scenario's `after` leaves of the prompt that the session has without it: `before`, if that is known.

    Raises ScenarioError for a scenario that cannot be assembled, or an agent whose later requests are not modelled.
    """
    was = before or assemble(scenario.model_copy(update={"after": None}), workspace, counter, knowledge=knowledge)
    now = assemble(scenario, workspace, counter, knowledge=knowledge)
    event: Event = scenario.after.event if scenario.after else "turn"
    parts = tuple(_parts(was, now, replays=event in ("resume", "turn")))
    tokens = now.tokens
    used, limit = tokens.expected or 0, tokens.compact_at or tokens.window
    kept = sum(part.tokens for part in parts if part.verdict == "stays")
    made = Afterwards(
        now.agent, event, parts, (was.tokens.expected or 0) + conversation, used, limit, used - kept, (), now
    )
    return replace(made, warnings=tuple(_warnings(made, parts)), budgets=tuple(_budgets(parts, now)))


def everywhere(
    scenario: Scenario,
    workspace: Workspace,
    counter: Counter | None = None,
    own: Afterwards | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Iterator[Afterwards]:
    """The same of every agent whose later requests are known, with the same files read. `own`: one that is known."""
    for agent in all_agents():
        if not isinstance(agent, GoesOn):
            continue
        if own is not None and own.agent == agent.id:
            yield own
            continue
        other: dict[str, object] = {"agent": agent.id, "agent_version": None, "mode": None, "model": None, "params": {}}
        asked = scenario if scenario.agent == agent.id else scenario.model_copy(update=other)
        try:
            yield afterwards(asked, workspace, counter, knowledge=knowledge)
        except ScenarioError:
            continue


# --- part by part -----------------------------------------------------------------------------------------------------


def _parts(was: Assembly, now: Assembly, *, replays: bool) -> Iterator[Part]:
    """The parts of the later request in its order, then those that are gone."""
    tools = sum(tool.tokens.expected or 0 for tool in now.tools if tool.present and tool.section is None)
    if tools:
        yield Part("tools", "Tools", "stays", tools, "the same tools in the same order are read from the cache")
    comparison = _Comparison(was, now, replays=replays)
    found = [part for part in map(comparison.part, now.sections) if part is not None]
    left = [part for part in found if part.verdict != "lost"]
    yield from left
    told = {part.file for part in left if part.file}
    for part in found:
        if part.verdict == "lost" and part.file not in told:
            told |= {part.file} - {""}
            yield part


class _Comparison:
    """The sections of a later request beside those that the session has."""

    def __init__(self, was: Assembly, now: Assembly, *, replays: bool) -> None:
        self._now, self._replays = now, replays
        self._before = {section.id: section for section in was.sections if section.present}
        self._woken = {section.id.removeprefix(_WOKEN) for section in was.sections if section.id.startswith(_WOKEN)}
        calls = (section for section in now.sections if section.id.startswith(_CALL))
        self._calls = {section.id.removeprefix(_CALL): section.expected_tokens or 0 for section in calls}

    def part(self, section: Section) -> Part | None:
        """A section as a part; None for what is no part of its own, or was not there before, either."""
        if section.id.startswith(_CALL):
            return None
        if section.id.startswith(_FILE):
            return self._file(section)
        if section.id.startswith(_SKILL):
            return self._skill(section)
        return self._sent(section) if section.present else self._gone(section)

    def _file(self, section: Section) -> Part:
        path, why = section.id.removeprefix(_FILE), section.why.because
        if not section.present:
            beside = ", or of a file beside or below it" if path in self._woken else ""
            return Part(section.id, path, "lost", 0, why, path, f"a read of {path}{beside}")
        verdict: Verdict = "returns-as-file" if path in self._woken else "returns"
        return Part(section.id, path, verdict, (section.expected_tokens or 0) + self._calls.get(path, 0), why, path)

    def _skill(self, section: Section) -> Part:
        name, why = section.id.removeprefix(_SKILL), section.why.because
        if not section.present:
            return Part(section.id, section.title, "lost", 0, why, back=f"invoke {name} again")
        is_cut = any(fragment.origin.id == "after.cut" for fragment in section.fragments)
        verdict: Verdict = "cut" if is_cut else "returns"
        return Part(section.id, section.title, verdict, section.expected_tokens or 0, why, _path(section, self._now))

    def _sent(self, section: Section) -> Part:
        old = self._before.get(section.id)
        is_same = old is not None and old.text == section.text
        stays = is_same and (section.channel == "system" or self._replays)
        why = "the same text at the same place" if stays else "sent again" if old else "new"
        verdict: Verdict = "stays" if stays else "returns"
        return Part(section.id, section.title, verdict, section.expected_tokens or 0, why, _path(section, self._now))

    def _gone(self, section: Section) -> Part | None:
        old = self._before.get(section.id)
        if old is None:
            return None
        return Part(section.id, section.title, "lost", 0, section.why.because, _path(old, self._now), _back(section))


def shown_path(path: str, of: Assembly) -> str:
    """A path as a person names it in the workspace of an assembly."""
    return home_short(path, of.home).removeprefix(f"{of.workspace.rstrip('/')}/")


def _path(section: Section, of: Assembly) -> str:
    """The file that a section mostly is, or most of which it has, as a person names it; "" for one of several."""
    sizes = Counts[str]()
    for fragment in section.fragments:
        if fragment.origin.path:
            sizes[fragment.origin.path] += len(fragment.text)
    path, size = sizes.most_common(1)[0] if sizes else ("", 0)
    raw = next((file.raw_chars for file in of.files if file.path == path), section.chars)
    if not path or size * 2 < min(section.chars, raw):
        return ""
    return shown_path(path, of)


def _back(section: Section) -> str:
    node = section.why.condition
    return getattr(node, "remedy", "") or "a read brings it again"


_LIMITS = (("files", _FILE, "places"), ("file_tokens", _FILE, "tokens"), ("skill_tokens", _SKILL, "tokens"))
_NAMES = {"files": "files", "file_tokens": "files", "skill_tokens": "skills"}


def _budgets(parts: Sequence[Part], now: Assembly) -> Iterator[Budget]:
    """What the agent's data limit, by the table `[after]`; tokens are the agent's own, four characters each."""
    agent = load_agent(now.agent)
    table = agent.folder.agent.get("after", {}) if isinstance(agent, WrittenAsText) else {}
    sections = {section.id: section for section in now.sections}
    for name, begins, unit in _LIMITS:
        sent = [part for part in parts if part.id.startswith(begins) and part.verdict != "lost"]
        asked = [part for part in parts if part.id.startswith(begins)]
        if name in table and asked:
            used = len(sent) if unit == "places" else sum(sections[part.id].chars for part in sent) // _CHARS_PER_TOKEN
            yield Budget(_NAMES[name], used, table[name], unit)


def _warnings(made: Afterwards, parts: Sequence[Part]) -> Iterator[str]:
    tokens = made.assembly.tokens
    returned = sum(part.tokens for part in parts if part.verdict != "stays")
    free = made.limit - (made.after - returned)
    if made.event in ("compact", "auto") and free > 0 and returned > free * _LOOP:
        yield f"what comes back takes {returned:,} of {free:,} tokens of room: the session soon compacts again"
    if tokens.ends_at is not None:
        yield f"compaction is {tokens.compaction}: the session ends at {tokens.ends_at:,} tokens"
    elif tokens.compact_at is None:
        yield f"compaction: {tokens.compaction}"
    if made.event in ("compact", "auto") and any(part.is_open for part in parts):
        yield "which of several files of one time of change come back is not predictable"
    for section in made.assembly.sections:
        if section.id.startswith(_UNSURE) and not section.present:
            yield f"{section.title}: {section.why.because}"
