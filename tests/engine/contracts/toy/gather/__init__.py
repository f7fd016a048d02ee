"""From the disk to materials."""

from __future__ import annotations

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.inputs.params import flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace
from toy.materials import Materials


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """NOTES.md, whole."""
    file = workspace.read(f"{inputs.workspace}/NOTES.md")
    noted = Fact("file", "NOTES.md", file.found, "NOTES.md is there", "there is no NOTES.md", remedy="create NOTES.md")
    draft = FileDraft(file.path, file.real_path, "notes", "always", noted, len(file.data), len(file.text), file.text)
    facts = Facts(flatten(inputs.params.model_dump()), model=inputs.model, version=inputs.agent_version)
    return Gathered(facts, Materials(file.path, file.text, noted), (draft,))
