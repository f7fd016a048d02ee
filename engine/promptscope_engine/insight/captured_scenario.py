"""The scenario of a captured run: what an agent would have to be asked to send the same."""

from __future__ import annotations

from promptscope_engine.agents.adapter import inputs_of
from promptscope_engine.agents.features import ReadsCaptures
from promptscope_engine.agents.registry import OBSERVED, agent_ids, load_agent
from promptscope_engine.captures.content import Content
from promptscope_engine.captures.model import Capture, Recorded
from promptscope_engine.captures.recipes import RECIPES
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario

_REDIRECTS = ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "OPENAI_BASE_URL")
"""Variables that lead to the recording server: of the run they are no inputs."""


def scenario_of(capture: Capture, request: Recorded, content: Content, base: Scenario) -> Scenario:
    """The scenario of a request; what the capture does not tell is as in `base`.

    Raises ScenarioError for an agent that is not modelled.
    """
    header = capture.header
    agent_id = base.agent or header.agent.removeprefix(OBSERVED)
    if agent_id not in agent_ids():
        known = ", ".join(agent_ids())
        message = f"{agent_id} is not modelled, so there is no prediction to compare with; modelled are {known}"
        raise ScenarioError(message, where="agent")
    agent = load_agent(agent_id)
    env = {name: value for name, value in (base.env or {}).items() if name not in _REDIRECTS}
    if header.source == "capture" and header.login is not None:
        env |= _of_recipe(agent_id)
    given = base.model_copy(update={"agent": agent_id, "capture": None, "env": env})
    told: dict[str, object] = {"agent_version": header.agent_version, "model": content.model, "home": header.home}
    if isinstance(agent, ReadsCaptures):
        told |= agent.started_by(header.command, request.headers.get("user-agent", ""))
    if any(field.name == "prompt" for field in inputs_of(agent)):
        told["prompt"] = header.prompt or typed(content)
    for name, value in told.items():
        at_top = name in Scenario.model_fields
        asked = getattr(base, name) is not None if at_top else _has(base.params, name)
        if value is not None and not asked:
            given = given.with_value(name, value)
    if header.started and base.environment.date is None:
        environment = base.environment.model_copy(update={"date": header.started})
        given = given.model_copy(update={"environment": environment})
    return given


def _of_recipe(agent_id: str) -> dict[str, str]:
    """The variables that the recording set and that do not lead to its server."""
    found = [recipe.env for recipe in RECIPES if recipe.agent == agent_id]
    return {name: value for env in found for name, value in env.items() if "{url}" not in value}


def typed(content: Content) -> str | None:
    """What the user typed: the last text of the first message of the user."""
    said = [block.text for message in content.messages[:1] for block in message.blocks if block.kind == "text"]
    users = [message for message in content.messages if message.role == "user"]
    if len(users) > 1 and content.protocol in ("responses", "gemini"):  # a message for each part
        said = [block.text for block in users[-1].blocks if block.kind == "text"]
    return said[-1] if said else None


def _has(params: object, name: str) -> bool:
    for part in name.split("."):
        if not isinstance(params, dict) or part not in params:
            return False
        params = params[part]
    return True
