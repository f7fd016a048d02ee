"""The scenario of a captured run, or of a pasted prompt: what an agent would have to be asked to send the same."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.features import PromptHints
from promptscope_engine.agents.registry import OBSERVED, agent_ids, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.knowledge import NO_KNOWLEDGE, Knowledge
from promptscope_engine.captures.exchange import secrets_of
from promptscope_engine.captures.model import Capture, CaptureError, Content, Header, Recorded
from promptscope_engine.captures.other_tools import pasted
from promptscope_engine.captures.protocols import content_of
from promptscope_engine.captures.recipes import RECIPES, without_env
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace

from .alignment import matches
from .predicted_lines import headings_of
from .sent_blocks import Unpredictable, blocks_of

_REDIRECTS = ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "OPENAI_BASE_URL")
"""Variables that lead to the recording server: of the run they are no inputs."""
_SERVER, _KEY = "http://127.0.0.1", "none"
"""What is in the recorded run's variables for the server's address and for a key."""


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
    given = base.model_copy(update={"agent": agent_id, "capture": None, "env": _env(header, agent, base)})
    if capture.is_prompt:
        return _of_prompt(_hints_from_prompt(agent_id, _prompt_text(content)), given, base)
    told: dict[str, object] = {"agent_version": header.agent_version, "model": content.model, "home": header.home}
    told |= agent.params_from_request(content)
    told |= agent.started_by(without_env(header.command, {})[0], request.headers.get("user-agent", ""))
    if any(field.name == "prompt" for field in inputs_of(agent)):
        told["prompt"] = header.prompt or told.get("prompt") or typed(content)
    given = _with(told, given, base)
    if base.mcp_servers is None and (servers := agent.servers(content)):
        given = given.model_copy(update={"mcp_servers": list(servers)})
    if header.started and base.environment.date is None:
        environment = base.environment.model_copy(update={"date": header.started})
        given = given.model_copy(update={"environment": environment})
    return given


def _env(header: Header, agent: Describes, base: Scenario) -> dict[str, str]:
    """The variables of the run: those that were noted, or that its command sets, over those of `base`."""
    noted = {*_variables(agent)} if header.variables is not None else set()
    env = {name: text for name, text in (base.env or {}).items() if name not in _REDIRECTS and name not in noted}
    env = without_env(header.command, {**env, **(header.variables or {})})[1]
    return env | _of_recipe(agent) if header.source == "capture" and header.login is not None else env


def variables_of_run(agent_id: str, env: Mapping[str, str]) -> dict[str, str] | None:
    """The variables of a run that its agent looks at, without keys; None for an agent that is not modelled."""
    if agent_id not in agent_ids():
        return None
    kept = {name: env[name] for name in _variables(load_agent(agent_id)) if name in env and name not in _REDIRECTS}
    return {name: value for name, value in kept.items() if not secrets_of({name: value})}


def _variables(agent: Describes) -> Iterator[str]:
    return (field.name.removeprefix("env.") for field in agent.about.variables)


def alternatives(agent_id: str, header: Header, content: Content, base: Scenario) -> Iterator[Mapping[str, Json]]:
    """What may be otherwise as neither request nor recording tells it, set by set; what `base` says stays."""
    agent = load_agent(agent_id)
    for values in (*agent.alternatives(content.model), *agent.hints_from_prompt(_prompt_text(content)).alternatives):
        if not any(is_said(name, header, base) for name in values):
            yield values


def with_values(scenario: Scenario, values: Mapping[str, Json]) -> Scenario:
    """The scenario with inputs set."""
    for name, value in values.items():
        scenario = scenario.with_value(name, value)
    return scenario


def is_said(name: str, header: Header, base: Scenario) -> bool:
    """Whether a recording, or `base`, says what an input was: the command its options, `variables` the variables."""
    if _asked(base, name):
        return True
    if name.startswith("env."):
        return header.variables is not None
    return name.startswith("args.") and bool(header.command)


def _prompt_text(content: Content) -> str:
    """The system prompt as one text."""
    return "\n".join([block.text for block in content.system])


def _hints_from_prompt(agent_id: str, text: str) -> PromptHints:
    """What a pasted system prompt tells about its scenario: nothing, of an agent that does not show its own."""
    return load_agent(agent_id).hints_from_prompt(text)


def _of_prompt(told: PromptHints, given: Scenario, base: Scenario) -> Scenario:
    """The scenario of a pasted prompt: what it tells, where `base` does not say otherwise."""
    given = _with({**told.values, "home": told.home}, given, base)
    facts = {name: text for name, text in told.environment.items() if getattr(base.environment, name) is None}
    if facts:
        given = given.model_copy(update={"environment": base.environment.model_copy(update=facts)})
    if told.servers and base.mcp_servers is None:
        given = given.model_copy(update={"mcp_servers": list(told.servers)})
    return given


def _with(told: Mapping[str, Json], given: Scenario, base: Scenario) -> Scenario:
    """The scenario with what was told, where `base` does not say otherwise."""
    for name, value in told.items():
        if value is not None and not _asked(base, name):
            given = given.with_value(name, value)
    return given


def _asked(base: Scenario, name: str) -> bool:
    """Whether a scenario says something of a top-level key, a variable or a param."""
    if name in Scenario.model_fields:
        return getattr(base, name) is not None
    variable = name.removeprefix("env.")
    return _has(base.params, name) if variable == name else variable in (base.env or {})


def _of_recipe(agent: Describes) -> dict[str, str]:
    """The variables that the recording set, but for those that the agent looks at and that lead to its server.

    The others are given for settings that name them: OpenClaw refuses a `${NAME}` that is not set.
    """
    read = {field.name for field in inputs_of(agent)}
    found: dict[str, str] = {}
    for recipe in RECIPES:
        if recipe.agent == agent.id:
            found |= {name: value.replace("{url}", _SERVER) for name, value in recipe.env.items()}
            found |= dict.fromkeys(recipe.keys, _KEY)
    own = {*_REDIRECTS, *(key for recipe in RECIPES for key in recipe.keys)}
    return {name: value for name, value in found.items() if name not in own or f"env.{name}" not in read}


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


_CERTAIN = 0.5
"""With this share of an agent's headings in a text, nobody asks whether it is another one's."""


def read_prompt(
    data: bytes, base: Scenario, counter: Counter, workspace: Workspace, knowledge: Knowledge = NO_KNOWLEDGE
) -> Capture:
    """The text as a capture of `base.agent`, with the folders that it tells about.

    Raises CaptureError for what is no prompt of that agent, ScenarioError for an agent that is not modelled.
    """
    agent = base.agent or ""
    capture = pasted(data, agent)
    request = capture.requests[0]
    assert request.protocol is not None
    content = content_of(request.protocol, request.path, request.body)
    scenario = scenario_of(capture, request, content, base)
    told = _hints_from_prompt(agent, _prompt_text(content))
    capture = replace(capture, header=replace(capture.header, cwd=told.workspace, home=told.home))
    pasted_text = _Pasted(capture, content, counter, workspace, knowledge)
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
    """A pasted text, and what its predictions are assembled with."""

    capture: Capture
    content: Content
    counter: Counter
    workspace: Workspace
    knowledge: Knowledge

    def matches(self, scenario: Scenario) -> tuple[int, int]:
        """How many headings of a prediction are in the text, and how many it has."""
        assembly = assemble(scenario, self.workspace, self.counter, knowledge=self.knowledge, cached_only=True)
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
