"""What is computed again and when, and how much of a request stays cached if a file changes.

A session keeps what it computed: `[caching]` of agent.toml has what each event does to it [recorded interactively].
The cache of the service works on the request's beginning: tools, then system, then messages. `forecast` finds the first
changed text; what was cached stays so up to the last breakpoint before it.
"""

from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.features import Forecast
from promptscope_engine.agents.kit.built_in import characters_before, in_request
from promptscope_engine.prompt.ids import path_in_id
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_engine.prompt.positions import cached_before, offset_of, tokens_before

_REPLACEMENTS = {"system_prompt", "agent_prompt", "bare"}


_BEFORE_BOUNDARY = (
    "intro", "system", "doing_tasks", "executing_actions", "using_tools", "tone_and_style", "harness", "artifact",
    "memory_instructions.static",
)  # fmt: skip
"""The sections before the boundary of static and dynamic parts."""


def boundary(assembly: Assembly) -> str | None:
    """The first present section after the boundary of static and dynamic parts (never sent); None if replaced."""
    system = [s for s in assembly.sections if s.present and s.channel == "system"]
    fixed = [n for n, section in enumerate(system) if section.id in _BEFORE_BOUNDARY]
    replaced = any(section.id in _REPLACEMENTS for section in system)
    if replaced or not fixed or fixed[-1] + 1 >= len(system):
        return None
    return system[fixed[-1] + 1].id


def forecast(assembly: Assembly, path: str) -> Forecast:
    """How many leading tokens of the request stay cached if the file at `path` (as shown) changes."""
    total = assembly.tokens.expected or 0
    section = _first(assembly, path)
    if section is None:
        # An agent's file changes the Agent tool of 2.1.100, and tools are at the very beginning.
        agents = (file for file in assembly.files if file.path == path and file.kind == "agent" and file.present)
        if assembly.agent_version == V100 and any(agents):
            return Forecast("tools", 0, 0, total)
        return Forecast(None, total, total, total)
    start = offset_of(assembly, section) + characters_before(section, path)
    before, cached = (count(assembly, section.channel, start) for count in (tokens_before, cached_before))
    return Forecast(section.id, before, cached, total)


def _first(assembly: Assembly, path: str) -> Section | None:
    named = path_in_id(path, assembly.workspace, assembly.home)
    ids = (f"user_context.file:{named}", f"woken:{named}")
    holding = (s for s in in_request(assembly) if s.id in ids or any(f.origin.path == path for f in s.fragments))
    return next(holding, None)
