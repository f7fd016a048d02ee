"""Saving: in the user's state folder (see settings/paths.py), never in the inspected repository."""

import json
import os
from datetime import datetime
from pathlib import Path

from promptscope_engine.agents.registry import all_agents
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.settings.paths import write_whole

_PINNED = ("agent", "agent_version", "mode", "model")


def scenario_path(folder: Path) -> Path:
    """Where a scenario is saved unless the user says otherwise."""
    return folder / "scenarios" / "scenario.yaml"


def named(path: str, folder: Path) -> Path:
    """The file that is meant: a name alone is one of the state folder's scenarios, and YAML unless it says otherwise.

    Raises RuntimeError for the home of somebody unknown.
    """
    if not path or path in (".", "..") or "/" in path or os.sep in path or path.startswith("~"):
        return Path(path).expanduser()
    found = scenario_path(folder).with_name(path)
    return found if found.suffix else found.with_name(f"{path}.yaml")


def question(target: Path, folder: Path) -> str | None:
    """What to ask before writing there: whether to replace a file, or to make a folder that is not our own."""
    if target.exists():
        return f"{target} exists: enter again replaces it"
    if target.parent != scenario_path(folder).parent and not target.parent.is_dir():
        return f"there is no folder {target.parent}: enter again makes it"
    return None


def pinned(scenario: Scenario, assembly: Assembly | None) -> Scenario:
    """The scenario with the agent, version, mode and model that it was answered with.

    What is saved has to mean the same tomorrow, when the defaults or the files that they come from may be others.
    """
    if assembly is None or scenario.agent not in (None, assembly.agent):
        return scenario
    answers = {name: getattr(assembly, name) for name in _PINNED} | {"agent_version": assembly.shown_version}
    answered = {name: getattr(scenario, name) or answers[name] for name in _PINNED}
    return scenario.model_copy(update={name: value for name, value in answered.items() if value is not None})


def save_scenario(scenario: Scenario, target: Path) -> Path:
    """Write a scenario as JSON or YAML, by the extension. Raises OSError, or ValueError for what no file can hold."""
    values = scenario.to_dict() | _environment(scenario)
    if target.suffix.lower() == ".json":
        text = json.dumps(values, indent=2, ensure_ascii=False) + "\n"
    else:
        import yaml  # 8 ms, which many a start does without

        text = yaml.safe_dump(values, allow_unicode=True, sort_keys=False)
    return _write(target, text)


def _environment(scenario: Scenario) -> dict[str, Json]:
    """The variables that matter: those the agents read by name, and those that were set here.

    The rest of the process's environment is private: it may hold keys and passwords.
    """
    if scenario.env is None:
        return {}
    read = {field.name.removeprefix("env.") for agent in all_agents() for field in agent.about.variables}
    return {"env": {k: v for k, v in scenario.env.items() if k in read or os.environ.get(k) != v}}


def save_screenshot(picture: str, folder: Path) -> Path:
    """Write a picture of the screen (SVG), named by the time. Raises OSError."""
    return _write(folder / "screenshots" / f"promptscope-{datetime.now():%Y%m%d-%H%M%S}.svg", picture)


def _write(target: Path, text: str) -> Path:
    """In one step: on a disk that is full, what was saved before stays as it was."""
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target.resolve(), text.encode(), mode=0o666)
    return target
