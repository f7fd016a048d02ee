"""The sample shop, copied where a test may change it, and the app on it with everything frozen."""

from __future__ import annotations

import shutil
from pathlib import Path

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.text.spans import Row

SAMPLES = Path(__file__).parents[2] / "samples"

ENVIRONMENT = {
    "os_name": "Linux 6.1",
    "os_type": "Linux",
    "os_version": "6.1.0",
    "platform": "linux",
    "arch": "x64",
    "shell": "/bin/bash",
    "hostname": "shop-1",
    "timezone": "Europe/Vienna",
    "date": "2026-03-02T12:00:00Z",
    "username": "ada",
    "language": "en",
}


def roo_shop_at(folder: Path) -> Scenario:
    """A scenario on a copy of the sample shop and its home below `folder`."""
    for name in ("shop", "home"):
        shutil.copytree(SAMPLES / name, folder / name)
    return scenario_of(folder)


def scenario_of(folder: Path, **more: object) -> Scenario:
    """The frozen scenario on the shop below `folder`."""
    values = {
        "agent": "roo",
        "workspace": str(folder / "shop"),
        "home": str(folder / "home"),
        "mode": "code",
        "model": "claude-sonnet-4-5",
        "environment": ENVIRONMENT,
        "env": {},
        **more,
    }
    return Scenario.model_validate(values)


def inputs_of(folder: Path) -> AgentInputs:
    """Roo's inputs under the scenario."""
    return AgentInputs.of(load_agent("roo"), scenario_of(folder))


def texts(rows: list[Row]) -> list[str]:
    """The rows as plain lines, left and right parts with a gap."""
    return ["".join(s.text for s in r.left) + "  " + "".join(s.text for s in r.right) for r in rows]
