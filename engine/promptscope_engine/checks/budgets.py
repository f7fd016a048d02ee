"""Findings about sizes: budgets, growth since a revision, files forbidden or required; settings of today's numbers."""

import re
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import accumulate
from pathlib import Path

from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import OVERFULL, Assembly

from .context import Context
from .findings import RULES, CheckReport, Finding, Spent
from .settings import OWN_FILE, Budget, CheckSettings, Growth

Place = tuple[str | None, int | None]
"""A file's absolute path, and a line of it."""


def over_budget(budget: Budget, context: Context, place: Place = (None, None)) -> Iterator[Finding]:
    """What costs more than this budget, which is for this agent and mode; `place` is where the budget is written.

    A file is at fault from the line on with which it goes over; all else has no lines but those of the budget.
    """
    limit = _limit(budget, context.assembly)
    for name, path, tokens in _costs(budget, context):
        if tokens > limit:
            words = f"{name} takes {tokens:,} tokens, {tokens - limit:,} over its budget of {limit:,}"
            where = place if path is None else (path, _line_over(limit, path, context))
            yield context.finding("budget", words, *where)


def _line_over(limit: int, path: str, context: Context) -> int:
    """The first line of a file that is beyond the limit; the last one where imports or headings make the difference."""
    text = context.text(path)
    ends = list(accumulate(len(line) + 1 for line in text.rstrip("\n").split("\n")))
    return bisect_right(ends[:-1], limit, key=lambda end: context.count(text[:end])) + 1


def spent(number: int, budget: Budget, context: Context) -> Iterator[Spent]:
    """What the dearest of the budget's things costs; nothing where it has none."""
    costs = max(_costs(budget, context), key=lambda cost: cost[2], default=None)
    if costs is not None:
        yield Spent(number, costs[0], context.assembly.agent, costs[2], _limit(budget, context.assembly))


def _limit(budget: Budget, assembly: Assembly) -> int:
    share = None if budget.share is None else int(budget.share * assembly.tokens.window)
    return min(each for each in (budget.tokens, share) if each is not None)


def _costs(budget: Budget, context: Context) -> Iterator[tuple[str, str | None, int]]:
    assembly = context.assembly
    if budget.section is not None:
        for section in assembly.sections:
            if section.present and fnmatchcase(section.id, budget.section):
                yield f"section {section.id}", None, section.expected_tokens or 0
    elif budget.tool is not None:
        for tool in assembly.tools:
            if tool.present and fnmatchcase(tool.name, budget.tool):
                yield f"tool {tool.name}", None, tool.expected_tokens or 0
    elif budget.file is not None:
        for file in assembly.files:
            shown = context.relative(file.path)
            if file.present and shown is not None and fnmatchcase(shown, budget.file):
                yield shown, file.path, file.tokens or 0
    else:
        mode = f" in mode {budget.mode}" if budget.mode else ""
        yield f"the prompt of {assembly.agent}{mode}", None, assembly.tokens.expected or 0


def grown(growth: Growth, before: Assembly, context: Context, place: Place = (None, None)) -> Iterator[Finding]:
    """Whether the prompt grew by more than is allowed since the revision; `place` is where that is written."""
    old, new = before.tokens.expected or 0, context.assembly.tokens.expected or 0
    more = new - old
    share = None if growth.percent is None else int(old * growth.percent / 100)
    allowed = [each for each in (growth.tokens, share) if each is not None]
    if allowed and more > min(allowed):
        words = f"{context.assembly.agent} has {more:,} tokens more than at {growth.against} ({old:,} → {new:,})"
        yield context.finding("growth", f"{words}; {min(allowed):,} are allowed", *place)


def beyond_window(context: Context) -> Iterator[Finding]:
    """A prompt that its model has no room for, or none beside what the agent keeps free."""
    if any(each.code == OVERFULL for each in context.assembly.diagnostics):
        return  # it says what the agent does then
    tokens = context.assembly.tokens
    room, used = tokens.window - tokens.reserve, tokens.expected or 0
    if used > tokens.window:
        words = f"the prompt takes {used:,} tokens, and the model's window has {tokens.window:,}"
        yield context.finding("beyond-window", words, tokens=used - tokens.window)
    elif used > room:
        kept = f"{tokens.window:,} less the {tokens.reserve:,} that the agent reserves"
        words = f"the prompt takes {used:,} tokens, and the model's window has room for {room:,}: {kept}"
        yield context.finding("beyond-window", words, tokens=used - room)


def required(
    patterns: Iterable[str], contexts: Iterable[Context], elsewhere: Callable[[], set[str]] = set
) -> Iterator[Finding]:
    """The required files that no agent is given; `elsewhere`: what agents are given whose prompts are not here."""
    here = {name for context in contexts for name in given(context)}
    missing = [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in here)]
    others = elsewhere() if missing else set()
    for pattern in missing:
        if not any(fnmatchcase(name, pattern) for name in others):
            text = "it is required, and no agent is given it"
            yield Finding("required-file", RULES["required-file"].level, text, pattern)


def forbidden(patterns: Iterable[str], context: Context) -> Iterator[Finding]:
    """The forbidden files that an agent is given."""
    for name in given(context):
        for pattern in patterns:
            if fnmatchcase(name, pattern):
                yield context.finding("forbidden-file", f"it is forbidden ({pattern}), and the agent is given it", name)


def given(context: Context) -> set[str]:
    """The files below the repository's root that the agent is given."""
    names = (context.relative(file.path) for file in context.assembly.files if file.present)
    return {name for name in names if name is not None}


_ROOM = 1.1
"""What a budget allows of today's cost: a sentence more is no alarm."""

_STEP = 100
_TOKENS = re.compile(r"(\btokens\s*=\s*)\d[\d_]*")

_HEAD = Path(__file__).with_name("init.toml").read_text("utf-8")

_BUDGET = """
[[budget]]
agent = "{agent}"  # {tokens:,} tokens when this was written
tokens = {limit}
"""


_IGNORE = """
[[ignore]]  # wrong when this was written: {found}
path = "{path}"
rules = [{rules}]
"""


def initial_settings(report: CheckReport) -> str:
    """The text of a new `.promptscope.toml` that this very report passes.

    It has a budget for each agent that was checked, what is wrong today as ignored, and comments for the rest.
    """
    agents = ", ".join(f'"{prompt.agent}"' for prompt in report.prompts)
    budgets = (
        _BUDGET.format(agent=prompt.agent, tokens=prompt.expected, limit=_written(_with_room(prompt.expected)))
        for prompt in report.prompts
        if prompt.expected  # an agent that refuses to start has no size yet
    )
    return _HEAD.format(agents=agents or '"claude-code"') + "".join((*budgets, *_ignored(report)))


def _ignored(report: CheckReport) -> Iterator[str]:
    """An entry for each file with errors. Those that are in no file become warnings."""
    errors = [finding for finding in report.findings if finding.level == "error"]
    for path in dict.fromkeys(finding.path for finding in errors if finding.path):
        own = [finding for finding in errors if finding.path == path]
        places = dict.fromkeys(f"{each.rule} in line {each.line}" if each.line else each.rule for each in own)
        rules = ", ".join(dict.fromkeys(f'"{each.rule}"' for each in own))
        yield _IGNORE.format(found=", ".join(places), path=_pattern(path), rules=rules)
    if others := dict.fromkeys(finding.rule for finding in errors if not finding.path):
        yield "\n[rules]\n" + "".join(f'{rule} = "warning"\n' for rule in others)


_ANY = dict.fromkeys((*range(32), 127, *range(0xD800, 0xE000)), "?")
"""Characters that a TOML string cannot hold as they are; a pattern matches each of them with `?`."""


def _pattern(path: str) -> str:
    """A string of TOML with the pattern that matches one path."""
    plain = re.sub(r"[\[*?]", r"[\g<0>]", path).translate(_ANY)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def moved_budgets(text: str, settings: CheckSettings, report: CheckReport) -> tuple[str, tuple[str, ...]]:
    """The text of `.promptscope.toml` with the exceeded budgets moved to today's cost, and `line: what moved` for each.

    Comments and everything else stay as they are. Budgets that are a share of the window are not moved.
    Raises ScenarioError where a number cannot be found in the text for certain.
    """
    dearest: dict[int, int] = defaultdict(int)
    for each in report.spent:
        dearest[each.number] = max(dearest[each.number], each.tokens)
    lines = text.split("\n")
    changes = []
    for number, tokens in dearest.items():
        old = settings.budget[number].tokens
        if old is None or tokens <= old:
            continue
        line, new = key_line(text, ["budget", number, "tokens"], "toml"), _with_room(tokens)
        if line is None or len(_TOKENS.findall(lines[line - 1])) != 1:
            raise ScenarioError(f"budget {number + 1} is not on a line of its own", where=f"{OWN_FILE}:{line or 1}")
        lines[line - 1] = _TOKENS.sub(rf"\g<1>{_written(new)}", lines[line - 1])
        changes.append(f"{line}: {old:,} → {new:,} tokens")
    moved = "\n".join(lines)
    tomllib.loads(moved)
    return moved, tuple(changes)


def _with_room(tokens: int) -> int:
    return -(-int(tokens * _ROOM) // _STEP) * _STEP


def _written(number: int) -> str:
    return f"{number:_}"
