"""The agents and the files as lines with a cell for each agent: the files in their folders, the dearest first."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from promptscope_engine.insight.agents_table import AgentsTable, AgentTotal, AgentUse, FileUse
from promptscope_tui.text.folders import Choices, Folder, Labels, dearest_first, tree_of, visible
from promptscope_tui.text.short_names import ALSO
from promptscope_tui.text.spans import Tone
from promptscope_tui.text.words import number, total

NEVER, LATER, LEFT = "·", "○", "✗"
OPEN, FOLDED = "▾", "▸"
LEGEND = (
    f"tokens: in the prompt   {LATER} loads later   {LEFT} looked at, and left   {NEVER} never looked at"
    "   ≡ lines paid for twice"
)

Cell = tuple[str, Tone]
"""What an agent makes of a file, or of a folder's files."""


class FolderKey(Struct, frozen=True):
    """A folder of files that some agent reads, or that none does."""

    path: str
    is_read: bool


class Line(Struct, frozen=True):
    """A file, a folder, or a sum: its mark, its name with its indent, a cell for each agent, the key of its row."""

    mark: str
    name: str
    cells: tuple[Cell, ...]
    key: FolderKey | str | None = None
    note: str = ""
    """Behind the name: how many lines are paid for twice."""


def file_lines(found: AgentsTable, *, is_read: bool, choices: Choices | None) -> list[Line]:
    """The files that some agent reads, or none does, in their folders; without `choices` one by one.

    A folder is open as `choices` say by its path, else if it has few files.
    """
    files = [file for file in found.files if file.is_read is is_read]
    if choices is None:
        return [_file_line(file, ALSO.join(_names(file)), found) for file in files]
    tree = dearest_first(tree_of((n, file.path) for n, file in enumerate(files)), lambda n: files[n].tokens)
    labels, lines = Labels(lambda n: _names(files[n])), []
    for entry in visible(tree, lambda folder: choices.get(folder.path, folder.is_small)):
        node, around, indent = entry.node, entry.around, "  " * entry.depth
        if isinstance(node, Folder):
            mark = OPEN if choices.get(node.path, node.is_small) else FOLDED
            cells = tuple(_sums([files[n] for n in node.indexes], found.agents))
            name = indent + labels.folder(node, around)
            lines.append(Line(mark, name, cells, FolderKey(node.path, is_read)))
        else:
            lines.append(_file_line(files[node.index], indent + labels.file(node, around), found))
    return lines


def totals(found: AgentsTable) -> Iterator[Line]:
    """What each agent pays for files, and its whole prompt."""
    yield Line("", "from files", tuple((number(paid(found, agent)), "strong") for agent in found.agents))
    whole = ("refuses" if agent.refused else number(agent.tokens) for agent in found.agents)
    yield Line("", "whole prompt", tuple((cell, "strong") for cell in whole))


def paid(found: AgentsTable, agent: AgentTotal) -> int | None:
    """The tokens that an agent takes from all files."""
    if agent.error:
        return None
    uses = [use for file in found.files if (use := file.uses.get(agent.id))]
    return total(use.tokens for use in uses if use.taken == "taken")


def said(use: AgentUse | None) -> Cell:
    """What an agent makes of a file, in a cell."""
    if use is None:
        return NEVER, "faint"
    if use.taken == "taken":
        return number(use.tokens), "text"
    return (LATER, "accent") if use.taken == "later" else (LEFT, "dim")


def _file_line(file: FileUse, name: str, found: AgentsTable) -> Line:
    twice = sum(each.end - each.start + 1 for each in file.shared)
    cells = tuple(said(file.uses.get(agent.id)) for agent in found.agents)
    return Line("", name, cells, file.real_path, f"≡ {twice}" if twice else "")


def _names(file: FileUse) -> tuple[str, ...]:
    return file.names or (file.path,)


def _sums(files: Iterable[FileUse], agents: Iterable[AgentTotal]) -> Iterator[Cell]:
    for agent in agents:
        uses = [use for file in files if (use := file.uses.get(agent.id))]
        taken = [use.tokens for use in uses if use.taken == "taken"]
        yield (number(total(taken)), "text") if taken else said(min(uses, key=lambda use: use.taken, default=None))
