"""What an agent may offer beside its prompt, as values."""

from __future__ import annotations

from inspect import getattr_static, signature

import pytest

from promptscope_engine.agents import features
from promptscope_engine.agents.adapter import ROLES
from promptscope_engine.agents.features import Category, ContextReport
from promptscope_engine.agents.kit.built_in import BuiltIn, Feature
from promptscope_engine.agents.registry import built_in_ids, load_agent

PROTOCOLS = [*ROLES, *(each for each in vars(features).values() if getattr(each, "_is_protocol", False))]


def test_of_the_window_the_used_rows_are_used() -> None:
    report = ContextReport((Category("prompt", 5), Category("free", 90, used=False), Category("more", 3)), 100, 2, None)
    assert (report.used, report.conversation, report.reported) == (8, 0, None)


@pytest.mark.parametrize("agent_id", built_in_ids())
def test_a_feature_that_is_imported_late_takes_what_its_protocol_says(agent_id: str) -> None:
    agent = load_agent(agent_id)
    names = {name for kind in type(agent).__mro__ for name in vars(kind)}
    found = {name: getattr_static(type(agent), name) for name in names}
    late = {
        name: each for name, each in found.items() if isinstance(each, Feature)
    }  # but for what a subclass does itself
    assert late
    assert isinstance(agent, BuiltIn)
    for name, feature in late.items():
        (protocol,) = [each for each in PROTOCOLS if name in vars(each)]
        wanted = [*signature(getattr(protocol, name)).parameters.values()][1:]
        assert protocol in ROLES or isinstance(agent, protocol)
        signature(feature.function(agent)).bind(*(each.name for each in wanted))
