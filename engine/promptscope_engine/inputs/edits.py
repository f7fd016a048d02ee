"""What a scenario may imagine of the finished prompt: parts dropped, replaced, put in and moved, tools offered."""

from collections.abc import Callable
from typing import Literal, Self

from promptscope_engine.formats.document import Json

from .models import Model, field

EditKind = Literal["drop", "replace", "insert", "move", "tool", "drop_tool"]
KINDS: tuple[EditKind, ...] = ("drop", "replace", "insert", "move", "tool", "drop_tool")


class Insertion(Model):
    """A section, or a bullet where it is put beside a bullet. Its text is here or in a file."""

    id: str = field(min_length=1, description="how later edits, budgets and comparisons call it")
    title: str = field(default="", description="absent: the id")
    text: str | None = None
    file: str | None = field(default=None, description="a file, relative to the workspace or below `~`")

    def model_check(self) -> None:
        """It has one text."""
        _one_of_both(self.text, self.file)


class EditedTool(Model):
    """A tool as the agent would offer it; it takes the place of the one of this name."""

    name: str = field(min_length=1)
    description: str = ""
    input_schema: dict[str, Json] = field(
        default_factory=lambda: {"type": "object", "properties": {}}, description="JSON schema"
    )
    group: str | None = field(default=None, description="the group of tools that a mode must have for it")
    modes: list[str] | None = field(default=None, description="the modes that offer it; by default every mode")


class Edit(Model):
    """One change of the finished prompt: exactly one of `drop`, `replace`, `insert`, `move`, `tool` and `drop_tool`.

    Ids are those of sections, of bullets (the ids of the fragments with our wording) and of tools.
    """

    drop: str | None = field(default=None, description="what is left out")
    replace: str | None = field(default=None, description="what gets another text, that of `text` or of `file`")
    insert: Insertion | None = field(default=None, description="what is put in, `before` or `after` something")
    move: str | None = field(default=None, description="what is put elsewhere, `before` or `after` something")
    tool: EditedTool | None = field(default=None, description="a tool that is offered")
    drop_tool: str | None = field(default=None, description="a tool that is not offered")
    text: str | None = None
    file: str | None = field(default=None, description="a file, relative to the workspace or below `~`")
    before: str | None = None
    after: str | None = None

    @property
    def kind(self) -> EditKind:
        """Which of the changes it is."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    @property
    def target(self) -> str:
        """The id or name of what it changes or puts in."""
        value = getattr(self, self.kind)
        match value:
            case Insertion():
                return value.id
            case EditedTool():
                return value.name
            case _:
                return str(value)

    def with_files(self, place: Callable[[str], str]) -> Self:
        """The edit with its file at another place."""
        if self.file is not None:
            return self.model_copy(update={"file": place(self.file)})
        if self.insert is not None and self.insert.file is not None:
            return self.model_copy(update={"insert": self.insert.model_copy(update={"file": place(self.insert.file)})})
        return self

    def model_check(self) -> None:
        """It is one change, with what belongs to it."""
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"an edit is exactly one of {', '.join(KINDS)}")
        if given == ["replace"]:
            _one_of_both(self.text, self.file)
        elif self.text is not None or self.file is not None:
            raise ValueError(f"`text` and `file` belong to `replace`, or into `insert`, not to `{given[0]}`")
        beside = [name for name in ("before", "after") if getattr(self, name) is not None]
        if len(beside) != (given[0] in ("insert", "move")):
            wanted = "exactly one of `before` and `after`" if given[0] in ("insert", "move") else "no place"
            raise ValueError(f"`{given[0]}` has {wanted}")


class KeptEdit(Edit):
    """An edit that stays where it lost its place, as after a save: it does nothing, and a diagnostic says so."""


def kept(edits: list[Edit]) -> list[Edit]:
    """The edits, none of which makes a prompt impossible."""
    return [KeptEdit.model_construct(edit.model_fields_set, **dict(edit)) for edit in edits]


def _one_of_both(text: str | None, file: str | None) -> None:
    if (text is None) is (file is None):
        raise ValueError("give exactly one of `text` and `file`")
