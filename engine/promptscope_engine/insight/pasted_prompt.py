"""A pasted system prompt taken for that of an agent, if it is one."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.model import Capture, CaptureError
from promptscope_engine.captures.pasted import pasted
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .by_heading import matches
from .captured_scenario import alternatives, hints_from_prompt, prompt_text, scenario_of
from .sent_blocks import Unpredictable, blocks_of
from .verification import headings_of

_CERTAIN = 0.5
"""With this share of an agent's headings in a text, nobody asks whether it is another one's."""


def read_prompt(data: bytes, base: Scenario, counter: Counter, workspace: Workspace) -> Capture:
    """The text as a capture of `base.agent`, with the folders that it tells of.

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
    counts = []
    for each in (scenario, *alternatives(scenario, content, base)):
        found, of = _matches(each, capture, counter, workspace)
        if found >= of * _CERTAIN:
            return capture
        counts.append((found, of))
    found, of = max(counts)
    _hold_against_others(agent, found, of, capture, base, counter, workspace)
    return capture


def _matches(scenario: Scenario, capture: Capture, counter: Counter, workspace: Workspace) -> tuple[int, int]:
    """How many headings of a prediction stand in the text, and how many it has."""
    assembly = assemble(scenario, workspace, counter, cached_only=True)
    folders = (assembly.workspace, assembly.home, capture.header.cwd, capture.header.home)
    unpredictable = Unpredictable(folders)
    request = capture.requests[0]
    assert request.protocol is not None
    (block,) = blocks_of(content_of(request.protocol, request.path, request.body), unpredictable)["system"]
    return matches(headings_of(assembly, unpredictable), [line.masked for line in block.lines])


def _hold_against_others(
    agent: str, found: int, of: int, capture: Capture, base: Scenario, counter: Counter, workspace: Workspace
) -> None:
    """Raises CaptureError if the text has nothing of the agent, or more of another one."""
    better = []
    for other in agent_ids():
        if other == agent:
            continue
        plain = base.model_copy(
            update={
                "agent": other,
                "agent_version": None,
                "mode": None,
                "model": None,
                "params": {},
                "definition": None,
            }
        )
        try:
            count, its = _matches(plain, capture, counter, workspace)
        except ScenarioError:  # an agent that cannot be assembled here
            continue
        if count > 1 and count > 2 * found:
            better.append((count, its, other))
    if better:
        count, its, other = max(better)
        message = (
            f"this is no prompt of {agent}: {found} of its {of} headings are in it, but {count} of {its} of {other}"
        )
        raise CaptureError(f"{message}: --agent {other}")
    if of and not found:
        raise CaptureError(f"this is no prompt of {agent}: none of its {of} headings is in it")
