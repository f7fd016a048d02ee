"""What a scenario of test_levers.py is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """Files by path below a folder that has `ws`, `home` and `managed`, and what the scenario says besides them.

    `repository`: `ws` is a git repository. `within`: the folder of `ws` that the agent is started in. `{ws}` in a text
    is the path of `ws`.
    """

    files: dict[str, str] = field(default_factory=dict)
    scenario: dict[str, Any] = field(default_factory=dict)
    repository: bool = False
    within: str = ""
