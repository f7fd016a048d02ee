"""Learned wording in the app: learned anew from the newest capture of an agent, and forgotten."""

from __future__ import annotations

from datetime import datetime

from promptscope_engine.captures.recording import chosen, recording
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.calibration import Calibration, calibrate
from promptscope_engine.learned.model import LearnedError
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.tokenizers import tokenizer_for_model
from promptscope_engine.workspace import Workspace
from promptscope_tui.capturing import store
from promptscope_tui.settings import wordings


def newest(agent: str) -> str | None:
    """The path of an agent's newest capture on this machine."""
    return next((str(each.path) for each in store.stored() if each.header.get("agent") == agent), None)


def learn_from(path: str) -> str:
    """Learn from a capture; what became of it, in a line. Raises ScenarioError."""
    workspace = Workspace()
    capture = recording(path, workspace)
    base = Scenario(workspace=capture.header.cwd or ".", env={})
    result = calibrate(capture, chosen(capture, 0), base, Counter(tokenizer_for_model(None)), workspace)
    try:
        wordings.add(result.agent, result.agent_version, result.wordings, datetime.now())
    except LearnedError as error:
        raise ScenarioError(str(error)) from None
    except OSError as error:
        raise ScenarioError(f"cannot write {wordings.folder()}: {error.strerror or error}") from None
    return summary(result)


def summary(result: Calibration) -> str:
    """`claude-code 2.1.329: 41 of 47 parts learned`."""
    return f"{result.agent} {result.agent_version}: {result.learned} of {len(result.parts)} parts learned"


def forget(agent: str) -> str:
    """Forget an agent's wording; what became of it, in a line. Raises ScenarioError."""
    try:
        gone = wordings.forget(agent)
    except OSError as error:
        raise ScenarioError(f"cannot delete {error.filename}: {error.strerror or error}") from None
    names = ", ".join(f"{each.agent} {each.agent_version}" for each in gone)
    return f"forgotten: {names}" if names else f"nothing was learned of {agent}"
