"""What of the instructions is left later in a session: after a compaction, above all.

Only agents whose later requests are known are looked at (`agents.features.GoesOn`).
"""

import re
from collections.abc import Callable, Iterator

from promptscope_engine.agents.features import GoesOn, WrittenAsText
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.after import EVENTS, After
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, Section

from .advice import lasting
from .budgets import Place
from .context import Context
from .findings import Finding
from .settings import Assertion

_HEADING = re.compile(r"#{1,6}\s+compact(?:ion)?\s+instructions?\b", re.IGNORECASE)
_FILE = "after.file:"
_START, _COMPACT = "SessionStart", "compact"

Assembled = Callable[[Scenario], Assembly]


def survival(context: Context) -> Iterator[Finding]:
    """Hints on what a compaction takes away, or what people write for it in vain."""
    agent = load_agent(context.assembly.agent)
    if not isinstance(agent, GoesOn):
        return
    yield from _headings(context)
    yield from _hooks(context)
    yield from _skills(context, agent)
    for passage in context.later:
        if found := lasting(passage):
            line, said = found
            text = f"“{said}” is to hold for good, but a compaction drops this file until a read loads it again"
            yield context.finding("lost-on-compaction", text, passage.path, line)


def _headings(context: Context) -> Iterator[Finding]:
    for passage in context.passages:
        for number, line in enumerate(passage.text.split("\n"), passage.start):
            if _HEADING.match(line):
                text = "no agent looks for such a heading: it is sent like the rest of the file, and steers no summary"
                yield context.finding("compact-heading", text, passage.path, number)


def _hooks(context: Context) -> Iterator[Finding]:
    """SessionStart hooks that add to a fresh session and to none that was compacted."""
    for hook in context.assembly.programs:
        if hook.kind != "hook" or hook.event != _START or hook.matcher in ("", "*") or not hook.present:
            continue
        if _COMPACT not in re.split(r"\W+", hook.matcher):
            text = (
                f"what `{hook.name}` adds is gone after a compaction: its matcher `{hook.matcher}` leaves out `compact`"
            )
            yield context.finding("hook-without-compact", text, hook.path, hook.line)


def _skills(context: Context, agent: object) -> Iterator[Finding]:
    most = agent.folder.agent.get("after", {}).get("skill_chars") if isinstance(agent, WrittenAsText) else None
    for file in context.assembly.files:
        if most and file.kind == "skill" and file.present and file.raw_chars > most:
            text = (
                f"a compaction keeps {most:,} characters of a skill that was invoked; this one has {file.raw_chars:,}"
            )
            yield context.finding("skill-over-limit", text, file.path)


# --- assertions -------------------------------------------------------------------------------------------------------


def broken(
    assertion: Assertion, base: Scenario, context: Context, assembled: Assembled, place: Place
) -> Iterator[Finding]:
    """Whether what is asserted to survive does not. An assertion about what is not there is broken, too."""
    agent = load_agent(context.assembly.agent)
    if not assertion.is_for(agent.id) or not isinstance(agent, GoesOn):
        return
    path, _, heading = assertion.survives.partition("#")
    if (missing := _missing(path, heading, context)) is not None:
        yield context.finding("assertion", missing, *place)
        return
    after = After(event=assertion.event)
    found = assembled(base.model_copy(update={"after": after, "reads": [*base.reads, *assertion.after_read]}))
    where = [section for section in found.sections if section.present and _holds(section, path, heading, context)]
    if any(not section.id.startswith(_FILE) for section in where):
        return
    what = f"{assertion.survives} does not survive {EVENTS[assertion.event]}"
    why = "it comes back as a file and no longer as an instruction" if where else _reason(found, path, context)
    yield context.finding("assertion", f"{what}: {why}", *place)


def _missing(path: str, heading: str, context: Context) -> str | None:
    """What is wrong with an assertion about something that is not there."""
    if path not in context.names.files:
        close = nearest(path, sorted(context.names.files))[:1]
        return f"there is no {path}" + (f": did you mean {close[0]}?" if close else "")
    titles = [_slug(line.lstrip("#")) for line in context.text(f"{context.root}/{path}").split("\n") if line[:1] == "#"]
    if heading and _slug(heading) not in titles:
        close = nearest(_slug(heading), titles)[:1]
        return f"{path} has no heading {heading!r}" + (f": did you mean {close[0]!r}?" if close else "")
    return None


def _holds(section: Section, path: str, heading: str, context: Context) -> bool:
    for fragment in section.fragments:
        if fragment.origin.path and context.relative(context.absolute(fragment.origin.path)) == path:
            lines = fragment.text.split("\n")
            if not heading or any(line[:1] == "#" and _slug(line.lstrip("#")) == _slug(heading) for line in lines):
                return True
    return False


def _reason(found: Assembly, path: str, context: Context) -> str:
    """Why what was there before is gone: the reason of an absent section of the file."""
    named = (s for s in found.sections if not s.present and s.id.rpartition(":")[2] in (path, f"{context.root}/{path}"))
    absent = next(named, None)
    if absent is not None:
        return absent.why.because
    return f"{load_agent(found.agent).name} does not send it there"


def _slug(title: str) -> str:
    """A heading as links name it: `## Security rules` is `security-rules`."""
    return re.sub(r"[^\w]+", "-", title.strip().casefold()).strip("-")
