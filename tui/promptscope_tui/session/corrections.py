"""Copies of built-in agents' texts, which take their place and may be edited: the package's own files never are."""

from pathlib import Path

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import WrittenAsText
from promptscope_engine.agents.kit.text.sources import Layer, files_in, layers_of
from promptscope_tui.settings.packaged import is_packaged
from promptscope_tui.settings.paths import config_folder, write_whole


class Correction(Struct, frozen=True):
    """A text of an agent's folder, by its path in it, and the layer that has the copy, or will have it."""

    agent: Path
    name: str
    layer: Layer

    @property
    def file(self) -> Path:
        """The copy."""
        return self.layer.folder / self.name

    def write(self) -> None:
        """Make the copy, unless there is one. Raises OSError."""
        if not self.file.exists():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.file, (self.agent / self.name).read_bytes(), mode=0o666)


def correction_of(file: Path, agent: Describes | None) -> Correction | None:
    """The copy of a text of an agent; None for what cannot be corrected file by file.

    It is in the folder of --agent-dir if one was given for the agent, else in the user's own.
    """
    if not isinstance(agent, WrittenAsText) or not file.is_relative_to(agent.folder.path):
        return None
    name = file.relative_to(agent.folder.path).as_posix()
    if name not in {each for each, _ in files_in(agent.folder.path)} or "/" not in name:
        return None
    own = Layer(agent.id, "own", config_folder() / "agents" / agent.id)
    found = Correction(agent.folder.path, name, next((n for n in layers_of(agent.id) if n.kind == "given"), own))
    return None if is_packaged(str(found.file)) else found
