"""Saving: in the user's state folder (see settings/paths.py), never in the inspected repository."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import yaml

from promptscope_engine.inputs.scenario import Scenario


def scenario_path(folder: Path) -> Path:
    """Where a scenario is saved unless the user says otherwise."""
    return folder / "scenarios" / "scenario.yaml"


def save_scenario(scenario: Scenario, path: str) -> Path:
    """Write a scenario as JSON or YAML, by the extension. Raises OSError, or ValueError for what no file can hold."""
    target = Path(path).expanduser()
    values = scenario.to_dict()
    if target.suffix.lower() == ".json":
        text = json.dumps(values, indent=2, ensure_ascii=False) + "\n"
    else:
        text = yaml.safe_dump(values, allow_unicode=True, sort_keys=False)
    return _write(target, text)


def save_screenshot(picture: str, folder: Path) -> Path:
    """Write a picture of the screen (SVG), named by the time. Raises OSError."""
    return _write(folder / "screenshots" / f"promptscope-{datetime.now():%Y%m%d-%H%M%S}.svg", picture)


def _write(target: Path, text: str) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target
