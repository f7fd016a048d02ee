"""What a run of Claude Code computes while nobody sets it: mode, model, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code.gates import INTERACTIVE, searches_by_default
from promptscope_engine.agents.claude_code.materials import Materials, SubAgent
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.agents.claude_code.versions import config_folder, usual_output, window_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.prompt.conditions import Condition, Facts
from promptscope_engine.prompt.derived import Derivation, because, by_setting, from_settings, in_home
from promptscope_engine.prompt.sourced import Sourced

from .settings import ClaudeCodeSettings
from .skill_lines import chars_per_token, listing_budget, listing_window

_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
_BUDGET = "SLASH_COMMAND_TOOL_CHAR_BUDGET"


def derived_inputs(
    m: Materials, settings: ClaudeCodeSettings, facts: Facts, asked: Sourced[str | None], answer: Condition
) -> Iterator[Derivation]:
    """Every input that Claude Code computes, with its arrow.

    `asked`: the agent that is to drive the session. `answer`: external imports were approved in `.claude.json`.
    """
    yield from _mode_and_model(m, settings, facts)
    if asked.value is not None:
        yield Derivation("args.agent", asked.value, by_setting(asked), m.params.args.agent or None, is_setting=True)
    approved = answer.holds(facts)
    yield Derivation(
        "approvedExternalImports", approved, answer, m.params.approvedExternalImports or None, is_setting=True
    )
    yield from _variables(m, settings, facts)
    yield from from_settings(fields_of(ClaudeCodeParams), settings.known)


def _mode_and_model(m: Materials, settings: ClaudeCodeSettings, facts: Facts) -> Iterator[Derivation]:
    """What decided the mode and the model that were not chosen (see `_mode`, `_model`)."""
    inputs, sub_agent, main_agent = m.inputs, m.sub_agent, m.main_agent
    if inputs.mode is None:
        configured = settings.known("permissions.defaultMode")
        entry = "a headless session" if m.params.args.print else f"an interactive session of {m.version}"
        usual = because("mode", f"{entry} starts in this mode")
        yield Derivation("mode", facts.mode, by_setting(configured) if configured.value == facts.mode else usual)
    if sub_agent and sub_agent.model:
        yield Derivation("model", m.model.name, because("model", f"the sub-agent {sub_agent.name} names its model"))
    elif inputs.model is None:
        yield Derivation("model", m.model.name, _by_default(m, settings, main_agent))


def _by_default(m: Materials, settings: ClaudeCodeSettings, main_agent: SubAgent | None) -> Condition:
    variable = settings.variable("ANTHROPIC_MODEL", m.inputs.env)
    plain = settings.known("model")
    if main_agent and main_agent.model and main_agent.model.value:
        return because("model", f"the agent {main_agent.name}, which drives the session, names its model")
    if variable.value:
        return by_setting(variable)
    if plain.value and isinstance(plain.value, str):
        return by_setting(plain)
    return because("model", f"it is the model of {m.version} where none is named")


def _variables(m: Materials, settings: ClaudeCodeSettings, facts: Facts) -> Iterator[Derivation]:
    """The environment variables that, not set, follow from version, host, session, model and home folder."""
    inputs, model, version = m.inputs, m.model, m.version
    searches = searches_by_default(m.gates.first_party, version, model)
    fraction = settings.known("skillListingBudgetFraction")
    tokens, characters = listing_window(model, version, inputs.env), chars_per_token(model, version)
    share = f"1 % of the window of {tokens:,} tokens, at {characters} characters each"
    whole = window_of(model, version, {key: value for key, value in inputs.env.items() if key != _WINDOW})
    budget = listing_budget(model, version, {**inputs.env, _BUDGET: ""}, fraction.value)
    of_budget = because("model", share) if fraction.value is None else by_setting(fraction)
    of_output = because("model", f"an answer of {model.name} may have so many tokens")
    found: tuple[tuple[str, Json, Condition], ...] = (
        ("ENABLE_TOOL_SEARCH", str(searches.holds(facts)).lower(), searches),
        ("CLAUDE_CODE_ENABLE_TASKS", str(int(INTERACTIVE.holds(facts))), INTERACTIVE),
        (_BUDGET, str(budget), of_budget),
        (_WINDOW, str(whole), because("model", f"it is the window of {model.name}")),
        ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", str(usual_output(model, version)), of_output),
    )
    for name, computed, cause in found:
        variable = settings.variable(name, inputs.env)
        if variable.value and variable.source.path:  # the `env` of a settings file
            yield Derivation(f"env.{name}", variable.value, by_setting(variable), is_setting=True)
        else:
            yield Derivation(f"env.{name}", computed, cause, variable.value or None, is_setting=True)
    folder = config_folder({}, inputs.home, inputs.workspace)
    yield in_home("CLAUDE_CONFIG_DIR", folder, inputs.env.get("CLAUDE_CONFIG_DIR"))
