"""A file that exists and that the agent does not look at: the reason, for whoever asks about its path."""

from __future__ import annotations

import os

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import SaysWhatItReads
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.model import Assembly, Reason, SourceFile
from promptscope_engine.workspace import Workspace


def absolute(item: str, inputs: Inputs) -> str:
    """The path that a person means: from `~`, absolute, or relative to the folder that the agent starts in."""
    if item == "~" or item.startswith("~/"):
        item = inputs.home + item[1:]
    return os.path.normpath(item if item.startswith("/") else f"{inputs.workspace.rstrip('/')}/{item}")


def unread_file(item: str, agent: Agent, inputs: Inputs, assembly: Assembly, workspace: Workspace) -> SourceFile | None:
    """The row of a file that a person names; None if there is no such file, or if the assembly has a row for it."""
    path = absolute(item, inputs)
    if any(path in (os.path.join(inputs.workspace, file.path), file.real_path) for file in assembly.files):  # noqa: PTH118
        return None
    copy = workspace.snapshot()  # a file that is only asked about is not watched
    found = copy.kind(path, follow=False)
    if found in (None, "directory"):
        return None
    why = agent.unread(inputs, path) if isinstance(agent, SaysWhatItReads) else f"{agent.name} does not look at it"
    if found == "link" and copy.kind(path) is None:
        why = f"the link leads nowhere: there is no {copy.readlink(path)}"
    size = copy.read(path).size if found == "file" and copy.allows(path) else 0
    reason = Reason(f"absent: {why}")
    return SourceFile(path, copy.real_path(path), "file", "on-demand", False, reason, size, 0, 0, False, None)
