"""Settings from today's numbers: written once, and moved on purpose."""

import re
import tomllib
from collections import defaultdict
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


def initial_settings(report: CheckReport) -> str:
    """The text of a new `.promptscope.toml`: a budget for each agent that was checked, and comments for the rest."""
    agents = ", ".join(f'"{prompt.agent}"' for prompt in report.prompts)
    budgets = (
        _BUDGET.format(agent=prompt.agent, tokens=prompt.expected, limit=_written(_with_room(prompt.expected)))
        for prompt in report.prompts
    )
    return _HEAD.format(agents=agents or '"claude-code"') + "".join(budgets)


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
