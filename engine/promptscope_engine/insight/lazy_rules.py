"""Which file loads which rule, and which rule never loads: an agent's lazy files matched with the real ones."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import LazyFile, LoadsLazily
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.model import Reason, SourceFile
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_engine.workspace.repository import FileList, list_files

KEPT = 200
"""Matching files whose names are kept for each rule; all of them are counted."""

MAX_TESTS = 40_000_000
"""Files compared with one pattern each: some seconds, twenty patterns for every file of a large repository."""

_SLICE = 2_000  # files between two checks whether to go on

_NAMED = 2
"""Files that a sentence names."""


class LazyRule(Struct, frozen=True):
    """A lazy file, and the repository's files that load it: the first ones relative to the root, and how many."""

    file: LazyFile
    files: tuple[str, ...]
    count: int

    @property
    def unmatched(self) -> bool:
        """Whether nothing in the repository matches its patterns."""
        return bool(self.file.patterns) and self.count == 0

    def as_file(self, why: Reason) -> SourceFile:
        """Its file, which is not loaded, as one that was looked for."""
        path = self.file.path
        return SourceFile(path, path, self.file.kind, "on-demand", False, why, 0, 0, 0, False, None)


class LazyRules(Struct, frozen=True, dict=True):
    """The lazy files of an agent in one repository."""

    listing: FileList
    rules: tuple[LazyRule, ...]

    def of(self, path: str) -> LazyRule | None:
        """What is known of the file at `path`, as the agent shows it."""
        return self._by_path.get(path)

    def beside(self, files: Iterable[SourceFile]) -> list[LazyRule]:
        """Those whose files are not among these: they are in folders below the workspace."""
        listed = {file.path for file in files}
        return [rule for rule in self.rules if rule.file.path not in listed]

    @cached_property
    def _by_path(self) -> dict[str, LazyRule]:
        return {rule.file.path: rule for rule in reversed(self.rules)}  # the first of a path counts

    def example(self, rule: LazyRule, cwd: str) -> str | None:
        """A file of the repository that loads it, as a person in `cwd` writes it; None where there is none.

        Of a folder's files rather the code that an agent works on than what is written or hidden beside it.
        """
        if not rule.files:
            return None
        name = min(rule.files, key=lambda path: path.endswith(".md") or path.rpartition("/")[2].startswith("."))
        return path_in(self.listing.root, name).removeprefix(f"{cwd.rstrip('/')}/")

    def loaded_by(self, path: str, cwd: str) -> tuple[LazyFile, ...]:
        """The files that reading `path` (absolute, or relative to cwd) loads, in load order. Nothing is read."""
        if not path:
            return ()
        absolute = path_in(cwd, path)
        return tuple(rule.file for rule in self.rules if rule.file.loads_for(absolute))

    def _among(self) -> str:
        looked_at = f"{len(self.listing.files):,} files"
        return looked_at if self.listing.complete else f"the first {looked_at}"

    def why(self, rule: LazyRule) -> str:
        """One line: what loads it, or why nothing ever does."""
        file = rule.file
        if not file.patterns:
            return file.never or f"loads when a file below {file.base} is read"
        patterns = ", ".join(file.patterns)
        if rule.unmatched:
            return f"never loads: {file.never or f'no file matches {patterns}'} (of {self._among()})"
        some = ", ".join(rule.files[:_NAMED])
        words = "1 file" if rule.count == 1 else f"{rule.count:,} files"
        return f"loaded by {words}: {some}{', …' if rule.count > _NAMED else ''} ({patterns})"


def find_lazy_rules(
    agent: Describes,
    inputs: Inputs,
    workspace: Workspace,
    wanted: Callable[[], bool] = lambda: True,
    listing: FileList | None = None,
) -> LazyRules | None:
    """Match every lazy file with the repository's files; None for an agent without any, or once not `wanted`.

    `listing` are the repository's files, where git cannot list them at the workspace's path.
    """
    if not isinstance(agent, LoadsLazily):
        return None
    listing = listing or list_files(inputs.workspace, inputs.home, inputs.env, workspace)
    lazy = agent.lazy_files(inputs, workspace, listing.absolute())
    patterns = sum(len(file.patterns) for file in lazy)
    if len(listing.files) * patterns > MAX_TESTS:
        listing = replace(listing, files=listing.files[: MAX_TESTS // patterns], complete=False)
    absolute = listing.absolute()
    found: list[LazyRule] = []
    known = workspace.memo(("lazy-rules", absolute), dict[_Asked, list[int]], tracked=True)
    for file in lazy:
        matching: list[int] = []
        below = _below(file.base, absolute)
        for start in range(below.start, below.stop, _SLICE):
            if not wanted():
                return None
            asked = (file.kind, file.patterns, file.base, start)
            stop = min(start + _SLICE, below.stop)
            if not file.patterns:  # any file there loads it
                loads = list(range(start, stop))
            elif asked not in known:
                loads = known[asked] = _matching(file, absolute, start, stop)
            else:
                loads = known[asked]
            matching += [n for n in loads if absolute[n] != file.path]
        names = tuple(listing.files[n] for n in matching[:KEPT])
        found.append(LazyRule(file, names, len(matching)))
    return LazyRules(listing, tuple(found))


_Asked = tuple[str, tuple[str, ...], str, int]
"""A lazy file's kind, patterns and base, and the first file of a slice: rules with the same patterns match the same."""


def _below(base: str, files: Sequence[str]) -> range:
    """The indices of the files below a folder: they are sorted, so those are beside each other."""
    folder = base.rstrip("/")
    return range(bisect_left(files, f"{folder}/"), bisect_left(files, f"{folder}0"))  # "0" comes after "/"


def _matching(file: LazyFile, files: tuple[str, ...], start: int, stop: int) -> list[int]:
    """The indices of the files in one slice that load it."""
    if file.loads_among is not None:
        return [start + n for n in file.loads_among(files[start:stop])]
    return [n for n in range(start, stop) if file.loads_for(files[n])]
