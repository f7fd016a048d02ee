"""What a read would cost: the files that an agent takes in only when it reads them, or others near them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from promptscope_engine.prompt.model import SourceFile
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .lazy_rules import LazyRules


class OnRead(Struct, frozen=True):
    """A file's size and the tokens of its whole text, without the words around it that a read brings along."""

    real_path: str
    bytes: int
    tokens: int


def costs_on_read(
    files: Iterable[SourceFile], rules: LazyRules | None, cwd: str, workspace: Workspace, counter: Counter
) -> Iterator[tuple[str, OnRead]]:
    """Each file that is read on demand, by its path as the agent shows it: skills that are listed, and lazy files.

    One that cannot be read is left out. Counting may be cancelled by the counter.
    """
    absent = {file.path for file in files if not file.present}
    listed = [file.path for file in files if file.present and (file.load == "on-demand" or file.kind == "skill")]
    lazy = [rule.file.path for rule in rules.rules if not rule.unmatched] if rules else []
    present = {file.path for file in files} - absent
    for path in dict.fromkeys([*listed, *(path for path in lazy if path not in present)]):
        read = workspace.read(path_in(cwd, path))
        if read.found:
            yield path, OnRead(read.real_path, read.size, counter.count(read.text))
