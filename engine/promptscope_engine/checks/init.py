"""Settings from today's numbers: written once, and moved on purpose."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.errors import ScenarioError

from .findings import CheckReport
from .settings import OWN_FILE, CheckSettings

_ROOM = 1.1
"""What a budget allows of today's cost: a sentence more is no alarm."""

_STEP = 100
_TOKENS = re.compile(r"(\btokens\s*=\s*)\d[\d_]*")

_HEAD = Path(__file__).with_suffix(".toml").read_text("utf-8")

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
