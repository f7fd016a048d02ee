"""The roles of an agent."""

from __future__ import annotations

import pytest

from promptscope_engine.agents.adapter import ROLES, Adapter


@pytest.mark.parametrize("role", ROLES)
def test_a_role_can_be_kept_in_mind(role: type) -> None:
    assert len([name for name in vars(role) if not name.startswith("_")]) <= 8


def test_an_adapter_is_its_roles_and_no_more() -> None:
    assert [each for each in Adapter.__mro__ if each in ROLES] == [*ROLES]
    assert not [name for name in vars(Adapter) if not name.startswith("_")]
