"""A pasted system prompt taken for that of an agent, if it is one."""

from dataclasses import replace
from typing import NamedTuple

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.content import Content
from promptscope_engine.captures.model import Capture, CaptureError
from promptscope_engine.captures.pasted import pasted
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .by_heading import matches
from .captured_scenario import alternatives, hints_from_prompt, prompt_text, scenario_of, with_values
from .predicted_lines import headings_of
from .sent_blocks import Unpredictable, blocks_of

_CERTAIN = 0.5
"""With this share of an agent's headings in a text, nobody asks whether it is another one's."""


def read_prompt(data: bytes, base: Scenario, counter: Counter, workspace: Workspace) -> Capture:
    """The text as a capture of `base.agent`, with the folders that it tells about.

    Raises CaptureError for what is no prompt of that agent, ScenarioError for an agent that is not modelled.
    """
    agent = base.agent or ""
    capture = pasted(data, agent)
    request = capture.requests[0]
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    scenario = scenario_of(capture, request, content, base)
    told = hints_from_prompt(agent, prompt_text(content))
    capture = replace(capture, header=replace(capture.header, cwd=told.workspace, home=told.home))
    pasted_text = _Pasted(capture, content, counter, workspace)
    counts = []
    others = alternatives(agent, capture.header, content, base)
    for each in (scenario, *(with_values(scenario, values) for values in others)):
        found, of = pasted_text.matches(each)
        if found >= of * _CERTAIN:
            return capture
        counts.append((found, of))
    _compare_with_others(pasted_text, base, *max(counts))
    return capture


class _Pasted(NamedTuple):
    """A pasted text, and what predictions of it are assembled with."""

    capture: Capture
    content: Content
    counter: Counter
    workspace: Workspace

    def matches(self, scenario: Scenario) -> tuple[int, int]:
        """How many headings of a prediction are in the text, and how many it has."""
        assembly = assemble(scenario, self.workspace, self.counter, cached_only=True)
        header = self.capture.header
        unpredictable = Unpredictable((assembly.workspace, assembly.home, header.cwd, header.home))
        (block,) = blocks_of(self.content, unpredictable)["system"]
        return matches(headings_of(assembly, unpredictable), [line.masked for line in block.lines])


def _compare_with_others(text: _Pasted, base: Scenario, found: int, of: int) -> None:
    """Raises CaptureError if the text has nothing of the agent, or more of another one."""
    better = []
    unset: dict[str, object] = {"agent_version": None, "mode": None, "model": None, "params": {}, "definition": None}
    for other in agent_ids():
        if other == base.agent:
            continue
        try:
            count, its = text.matches(base.model_copy(update={"agent": other, **unset}))
        except ScenarioError:  # an agent that cannot be assembled here
            continue
        if count > 1 and count > 2 * found:
            better.append((count, its, other))
    agent = base.agent or ""
    if better:
        count, its, other = max(better)
        counts = f"{found} of its {of} headings are in it, but {count} of {its} of {other}"
        raise CaptureError(f"this is not a prompt of {agent}: {counts}: --agent {other}")
    if of and not found:
        raise CaptureError(f"this is not a prompt of {agent}: none of its {of} headings is in it")
