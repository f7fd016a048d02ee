"""An agent's inputs with the values they have now: what the controls draw and edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml
from msgspec import Struct, structs

from promptscope_engine.agents.adapter import Agent, inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.settling import as_values, settled
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.yaml import YamlError, read_yaml
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import ParamField, flatten, validate, with_value
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.conditions import show
from promptscope_engine.prompt.model import DerivedParam, Lever

from .snapshot import Snapshot


class AgentInputs(Struct, frozen=True):
    """The fields of an agent's params and their values, by dotted name; `derived` is what the agent makes of them."""

    agent: Agent
    fields: tuple[ParamField, ...]
    values: Mapping[str, Json]
    derived: Mapping[str, DerivedParam] = {}
    known: Mapping[str, tuple[str, ...]] = {}
    """Names to choose from, where the agent found some."""

    @classmethod
    def of(cls, agent: Agent, scenario: Scenario) -> AgentInputs:
        """The inputs under a scenario; an invalid value is shown as it was written."""
        scenario = as_values(agent, scenario)
        try:
            params = settled(agent, scenario).params.model_dump()
        except ScenarioError:
            params = {**validate(agent.params, {}).model_dump(), **scenario.params}
        return cls(agent, inputs_of(agent), flatten(params) | scenario.variables())

    @classmethod
    def shown(cls, snapshot: Snapshot) -> AgentInputs | None:
        """The inputs of the agent in force; None for one that does not exist, before anything was assembled."""
        shown = snapshot.assembly.agent if snapshot.assembly else None
        for agent_id in (snapshot.scenario.agent or shown, shown):
            try:
                if agent_id:
                    found = cls.of(load_agent(agent_id), snapshot.scenario)
                    assembly = snapshot.assembly
                    if assembly is None or agent_id != shown:
                        return found
                    derived = {each.param: each for each in assembly.derived}
                    return structs.replace(found, derived=derived, known=assembly.known)
            except ScenarioError:
                continue
        return None

    def field(self, name: str) -> ParamField | None:
        """The field with this dotted name."""
        return next((f for f in self.fields if f.name == name), None)

    def value(self, name: str) -> Json:
        """The value in force."""
        return self.values.get(name)

    def label(self, name: str, value: Json) -> str:
        """A value in words: the label of its choice, if it has one."""
        field = self.field(name)
        found = [label for label, choice in field.choices if choice == value] if field else []
        return found[0] if found else show(value)

    def folded(self, levers: Sequence[Lever]) -> tuple[Lever, ...]:
        """The levers, those that together make up one choice of a field joined to that choice: `codeIndex` is ready."""
        rest = list(levers)
        found: list[Lever] = []
        for field in self.fields:
            inner = [lever for lever in rest if lever.param.startswith(f"{field.name}.")]
            value = self.value(field.name)
            made: dict[str, Json] = {field.name: value}
            for lever in inner:
                made = with_value(made, lever.param, lever.value)
            if inner and any(choice == made[field.name] for _, choice in field.choices):
                found.append(Lever(field.name, made[field.name]))
                rest = [lever for lever in rest if lever not in inner]
        return (*found, *rest)

    def parse(self, field: ParamField, text: str, scenario: Scenario) -> Json:
        """What was typed for a field, as its value. Raises ScenarioError with the reason if it is invalid."""
        value = field.resolve_label(_parse(field, text))
        if field.name.startswith("env."):
            return value
        try:
            validate(self.agent.params, with_value(scenario.params, field.name, value))
        except ScenarioError:
            if value is not None or text == "":
                raise
            # `null` is not a value of this field, so it is the word.
            validate(self.agent.params, with_value(scenario.params, field.name, text))
            if field.kind != "text" and not field.free:
                raise
            return text
        return value


def _parse(field: ParamField, text: str) -> Json:
    if field.kind == "text" or field.free:
        return None if text.strip() == "null" or (field.free and not text.strip()) else text
    if field.kind == "int":
        try:
            return int(text.strip().replace(",", "").replace("_", ""))
        except ValueError:
            raise ScenarioError(f"expected an integer, got {text!r}", where=field.name) from None
    if not text.strip():
        return field.default  # nothing was typed
    try:
        return read_yaml(text).value
    except YamlError as error:
        line = f"line {error.line}: " if error.line else ""
        raise ScenarioError(f"{line}{error.message}", where=field.name) from None


def as_text(field: ParamField, value: Json) -> str:
    """A value as it is edited."""
    if field.kind == "object" and not value and value == field.default:
        return ""  # `{}` or `null` would only get in the way of typing
    if value is None:
        return "" if field.free else "null"
    if field.kind == "object":
        return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False)).removesuffix("...\n")
    return str(value)
