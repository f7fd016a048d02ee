"""The `.env` files that OpenClaw adds to its environment when it starts."""

from __future__ import annotations

from dataclasses import replace

from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.formats.dotenv import entries
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .config import older_place, state_dir


def completed(inputs: Inputs, workspace: Workspace) -> tuple[Inputs, tuple[FileDraft, ...]]:
    """The inputs with the variables of both files, and the rows of those that are there.

    First that of the folder it is started in, then that of the state folder. What is set already stays, even if it is
    empty [recorded].
    """
    files: list[FileDraft] = []
    for is_state in (False, True):
        file = workspace.read(f"{state_dir(inputs) if is_state else inputs.workspace}/.env")
        if not file.found or file.path in [row.path for row in files]:
            continue
        new = {name: value for name, value, _ in entries(file.text) if name not in inputs.env}
        no, remedy = "it sets nothing that is not set already", f"set a variable in {file.path}"
        sets = Observed("file", file.path, bool(new), "it sets variables", no, remedy=remedy)
        files.append(file_row(file, "env", "always", sets))
        inputs = replace(inputs, env={**new, **inputs.env})
    return replace(inputs, env={**inputs.env, **older_place(inputs, workspace)}), tuple(files)
