"""Which of a repository's files a mode may edit, and whether it may edit a certain one."""

import posixpath
from collections.abc import Callable

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import EditRules, EditStep, LimitsEdits
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.matcher import NotDecided
from promptscope_engine.prompt.model import ModeChoice, to_json
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import list_files

KEPT = 200
"""Files whose names are kept; all of them are counted."""

MAX_WORK = 16_000_000
"""Positions of a pattern that are entered for all files together: some seconds' work, and enough for all paths of a
large repository, unless the pattern is made to take long."""


class EditAnswer(Struct, frozen=True):
    """Whether a mode may edit the file at `path`, as the agent compares it; `ok` is None where that is not told."""

    path: str
    steps: tuple[EditStep, ...]

    @property
    def ok(self) -> bool | None:
        """False where a step refuses it; else None where one is not decided."""
        verdicts = [step.ok for step in self.steps]
        return False if False in verdicts else None if None in verdicts else True

    @property
    def words(self) -> str:
        """The path and the answer."""
        return f"{self.path}: {'not decided' if self.ok is None else 'yes' if self.ok else 'no'}"


class EditableFiles(Struct, frozen=True):
    """What a mode may edit: the first files of the repository, relative to the workspace, and how many.

    `hidden`: how many more the pattern matches, and another rule hides. `of`: how many there are, as far as they were
    looked at; `complete` is False where there are more. For a mode that edits nothing, or any file, none are listed.
    """

    rules: EditRules
    root: str
    files: tuple[str, ...] = ()
    count: int = 0
    hidden: int = 0
    of: int = 0
    complete: bool = True
    undecided: str = ""

    @property
    def is_listed(self) -> bool:
        """Whether files were compared with a pattern."""
        return self.rules.may_edit and self.rules.matcher is not None and not self.undecided

    def answer(self, path: str, tool: str | None = None) -> EditAnswer:
        """Whether the mode may edit a file, with one of its tools.

        A path below the workspace is made relative, as the model is told to write it.
        """
        below = f"{self.root.rstrip('/')}/"
        written = posixpath.normpath(path).removeprefix(below) if path.startswith(below) else path
        return EditAnswer(written, self.rules.steps(written, tool))

    def summary(self) -> str:
        """One line on the files."""
        if self.undecided:
            return self.undecided
        if not self.rules.may_edit:
            return f"the mode {self.rules.mode.slug} edits no file"
        among = f"{self.of:,} files" if self.complete else f"the first {self.of:,} files"
        ignored = f"; {self.hidden:,} more of them hidden from the agent" if self.hidden else ""
        return f"{self.count:,} of {among} match{ignored}" if self.is_listed else "any file"

    def to_dict(self) -> dict[str, Json]:
        """As JSON: `files` are null where none were listed."""
        listed = self.is_listed
        return {
            "mode": self.rules.mode.slug,
            "may_edit": self.rules.may_edit,
            "only": to_json(self.rules.mode.edits_only) if self.rules.mode.edits_only else None,
            "undecided": self.undecided or None,
            "files": list(self.files) if listed else None,
            "count": self.count if listed else None,
            "hidden": self.hidden if listed else None,
            "of": self.of if listed else None,
            "complete": self.complete if listed else None,
        }


def find_editable(
    agent: Describes,
    inputs: Inputs,
    workspace: Workspace,
    mode: ModeChoice,
    wanted: Callable[[], bool] = lambda: True,
) -> EditableFiles | None:
    """Hold the repository's files against a mode's pattern; None for an agent without such, or once not `wanted`."""
    if not isinstance(agent, LimitsEdits):
        return None
    rules = agent.edit_rules(inputs, workspace, mode)
    cwd, matcher = inputs.workspace, rules.matcher
    if not rules.may_edit or matcher is None:
        return EditableFiles(rules, cwd, undecided=rules.undecided if rules.may_edit else "")
    listing = list_files(cwd, inputs.home, inputs.env, workspace)
    below = f"{cwd.rstrip('/')}/"
    paths = [path.removeprefix(below) for path in listing.absolute() if path.startswith(below)]
    found: list[str] = []
    count = hidden = 0
    try:
        for at, path in enumerate(paths):
            if not wanted():
                return None
            if matcher.work > MAX_WORK:
                return EditableFiles(rules, cwd, tuple(found), count, hidden, at, complete=False)
            if not matcher.test(path):
                continue
            if rules.hides(path):
                hidden += 1
                continue
            count += 1
            if len(found) < KEPT:
                found.append(path)
    except NotDecided as reason:
        return EditableFiles(rules, cwd, undecided=f"which files match is not decided: {reason}")
    return EditableFiles(rules, cwd, tuple(found), count, hidden, len(paths), listing.complete)
