"""What is left of a session's prompt at a later request: part by part, with the reason, and what it costs."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from promptscope_engine.agents.features import GoesOn
from promptscope_engine.agents.registry import all_agents
from promptscope_engine.assembly.assembler import assemble
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
_LOOP = 0.5
"""Share of the room that what comes back may take: above it a session is soon compacted again."""
_CALL, _FILE, _SKILL = "after.call:", "after.file:", "after.skill:"
_WOKEN = "woken:"


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


class Afterwards(Struct, frozen=True):
    """The forecast. Tokens: of the prompt `now`, with what is known of the conversation, and of the request `after`.

    `limit` is where it compacts next, or the window; `written` are the tokens that no cache has.
    """

    agent: str
    event: str
    parts: tuple[Part, ...]
    now: int
    after: int
    limit: int
    written: int
    warnings: tuple[str, ...]
    assembly: Assembly

    @property
    def room(self) -> int:
        """Tokens until the next compaction."""
        return max(self.limit - self.after, 0)


def afterwards(
    scenario: Scenario, workspace: Workspace, counter: Counter | None = None, conversation: int = 0
) -> Afterwards:
    """What the scenario's `after` leaves of the prompt that the session has without it.

    Raises ScenarioError for a scenario that cannot be assembled, or an agent whose later requests are not modelled.
    """
    was = assemble(scenario.model_copy(update={"after": None}), workspace, counter)
    now = assemble(scenario, workspace, counter)
    event = scenario.after.event if scenario.after else "turn"
    parts = tuple(_parts(was, now, replays=event in ("resume", "turn")))
    tokens = now.tokens
    used, limit = tokens.expected or 0, tokens.compact_at or tokens.window
    kept = sum(part.tokens for part in parts if part.verdict == "stays")
    made = Afterwards(
        now.agent, event, parts, (was.tokens.expected or 0) + conversation, used, limit, used - kept, (), now
    )
    return Afterwards(
        now.agent, event, parts, made.now, used, limit, used - kept, tuple(_warnings(made, parts)), now
    )


def everywhere(scenario: Scenario, workspace: Workspace, counter: Counter | None = None) -> Iterator[Afterwards]:
    """The same of every agent whose later requests are known, with the same files read."""
    for agent in all_agents():
        if not isinstance(agent, GoesOn):
            continue
        other = {"agent": agent.id, "agent_version": None, "mode": None, "model": None, "params": {}}
        asked = scenario if scenario.agent == agent.id else scenario.model_copy(update=other)
        try:
            yield afterwards(asked, workspace, counter)
        except ScenarioError:
            continue


# --- part by part -----------------------------------------------------------------------------------------------------


def _parts(was: Assembly, now: Assembly, *, replays: bool) -> Iterator[Part]:
    """The parts of the later request in its order, then those that are gone."""
    before = {section.id: section for section in was.sections if section.present}
    tools = sum(tool.tokens.expected or 0 for tool in now.tools if tool.present and tool.section is None)
    if tools:
        yield Part("tools", "Tools", "stays", tools, "the same tools in the same order are read from the cache")
    calls = {s.id.removeprefix(_CALL): s.expected_tokens or 0 for s in now.sections if s.id.startswith(_CALL)}
    woken = {section.id.removeprefix(_WOKEN) for section in was.sections if section.id.startswith(_WOKEN)}
    gone: list[Part] = []
    files = {s.id.removeprefix(_FILE) for s in now.sections if s.present and s.id.startswith(_FILE)}
    for section in now.sections:
        made = _part(section, now, before, woken, calls, replays=replays)
        if made is None:
            continue
        if made.verdict == "lost" and (made.file in files or section.id.removeprefix(_WOKEN) in files):
            continue  # it is there in another form
        if made.verdict == "lost":
            gone.append(made)
        else:
            yield made
    named = {part.file for part in gone if part.id.startswith(_FILE)}
    yield from (part for part in gone if not (part.id.startswith(_WOKEN) and part.file in named))


def _part(
    section: Section, of: Assembly, before: dict[str, Section], woken: set[str], calls: dict[str, int], *, replays: bool
) -> Part | None:
    if section.id.startswith(_CALL) or section.parent in before and not section.present:
        return None
    tokens = section.expected_tokens or 0
    if section.id.startswith(_FILE):
        path = section.id.removeprefix(_FILE)
        if not section.present:
            return Part(section.id, path, "lost", 0, section.why.text, path, f"a read of {path}, or of a file below it")
        verdict: Verdict = "returns-as-file" if path in woken else "returns"
        return Part(section.id, path, verdict, tokens + calls.get(path, 0), section.why.text, path)
    if section.id.startswith(_SKILL):
        name = section.id.removeprefix(_SKILL)
        if not section.present:
            return Part(section.id, section.title, "lost", 0, section.why.text, back=f"invoke {name} again")
        cut = any(fragment.origin.id == "after.cut" for fragment in section.fragments)
        return Part(section.id, section.title, "cut" if cut else "returns", tokens, section.why.text, _path(section, of))
    if section.present:
        old = before.get(section.id)
        same = old is not None and old.text == section.text
        stays = same and (section.channel == "system" or replays)
        why = "the same text at the same place" if stays else "sent again" if old else "new"
        return Part(section.id, section.title, "stays" if stays else "returns", tokens, why, _path(section, of))
    if section.id in before:
        path = _path(before[section.id], of)
        return Part(section.id, section.title, "lost", 0, section.why.text, path, _back(section))
    return None


def _path(section: Section, of: Assembly) -> str:
    """The file that a section is, as the agent's person names it; "" for one of several, or of none."""
    paths = {f.origin.path for f in section.fragments if f.origin.path}
    path = paths.pop() if len(paths) == 1 else ""
    return home_short(path, of.home).removeprefix(f"{of.workspace.rstrip('/')}/") if path else ""


def _back(section: Section) -> str:
    node = section.why.condition
    return getattr(node, "remedy", "") or "a read brings it again"


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
    if made.event in ("compact", "auto") and any("not predictable" in part.why for part in parts):
        yield "which of several files of one time of change come back is not predictable"
