"""The `.env` file whose variables the client adds to its environment (specs/gemini.md 12)."""

from __future__ import annotations

from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.gemini.variables import HOME, TRUST
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.agents.kit.walking import upwards
from promptscope_engine.formats.dotenv import entries
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import SettingSource, Variable
from promptscope_engine.workspace import FileText, Workspace

from .places import Places

_TOO_LATE = (TRUST, HOME)
"""These were looked at before the file is."""


@frozen
class DotEnv:
    """What the first such file sets, of the variables that count here. The process's own win."""

    variables: tuple[Variable, ...] = ()
    files: tuple[FileDraft, ...] = ()


def read_dotenv(inputs: Inputs, places: Places, workspace: Workspace, trusted: Condition, is_trusted: bool) -> DotEnv:
    """The nearest `.gemini/.env` or `.env`, from the working directory up, then in the home folder."""
    file = _nearest(places, workspace)
    if file is None:
        return DotEnv()
    known = FOLDER.agent["variables"].keys() - set(_TOO_LATE)
    shown = places.shown(file.path)
    found: dict[str, Variable] = {}
    for name, value, line in entries(file.text):
        if name in known and name not in inputs.env:
            source = SettingSource(name, file.path, shown, line, overlay=f"env.{name}")
            found[name] = Variable(name, value, source)
    remedy = f"set one of the client's variables in {file.path}"
    sets = Observed("file", file.path, bool(found), "it sets variables", "it sets none that counts", remedy=remedy)
    row = file_row(file, "env", "always", trusted & sets)
    return DotEnv(tuple(found.values()) if is_trusted else (), (row,))


def _nearest(places: Places, workspace: Workspace) -> FileText | None:
    for folder in [*upwards(places.cwd), places.home]:
        for name in (".gemini/.env", ".env"):
            file = workspace.read(f"{folder.rstrip('/')}/{name}")
            if file.found:
                return file
    return None
