"""The rows of files that an agent looks at, of links it may not follow, and of near misses, with reasons.

An agent says in data where it looks (`Place`) and what it reads (`Reads`). Near misses aren't watched, as they change
no prompt.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from posixpath import splitext
from typing import Any, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.sources import Table, noted
from promptscope_engine.prompt.conditions import ALWAYS, AllOf, Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Assumption, Diagnostic, Lever, Limit, Load, SettingSource, Severity
from promptscope_engine.tokens.measured import version_numbers
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.reader import Listing


class RowDetails(TypedDict, total=False):
    """What else a row says. `limits` cut the file; `chars`: its length as the agent counts it."""

    limits: tuple[Limit, ...]
    truncated: bool
    imported_by: str | None
    shown: str | None
    chars: int | None


def file_row(
    file: FileText, kind: str, load: Load, when: Condition, injected: str = "", **more: Unpack[RowDetails]
) -> FileDraft:
    """A file that was read, with the text that reaches the prompt if `when` holds."""
    limits, chars = more.get("limits", ()), more.get("chars")
    return FileDraft(
        more.get("shown") or file.path, file.real_path, kind, load, when, file.size,
        len(file.text) if chars is None else chars, injected,
        truncated=more.get("truncated", bool(limits)), imported_by=more.get("imported_by"), limits=limits,
    )  # fmt: skip


def absent(path: str, why: str, remedy: str) -> Fact:
    """A file does not count, and what a person would do about it."""
    return Fact("file", path, False, "", why, remedy=remedy)


def gone(workspace: Workspace, path: str) -> Fact:
    """No such file, or a link that leads nowhere."""
    if workspace.kind(path, follow=False) == "link":
        return never(path, *nowhere(workspace, path))
    return absent(path, "no such file", f"create {path}")


def there(path: str, what: str = "") -> Fact:
    """A file was found; `what` it is."""
    return Fact("file", path, True, f"{what or path.rpartition('/')[2]} was found", "", remedy=f"delete {path}")


def usable(file: FileText) -> Condition:
    """A file was found and can be read."""
    if file.found:
        return ALWAYS
    if file.problem == "missing":
        return absent(file.path, "no such file", f"create {file.path}")
    why = "a folder is there" if file.problem == "directory" else f"it cannot be read: {file.detail or file.problem}"
    return absent(file.path, why, f"put a readable file in the place of {file.path}")


def _link_as_text(workspace: Workspace, file: FileText) -> str:
    """The target of a link that git wrote as a text: one line without its end, the path of a file; else ""."""
    text = file.text
    if "\n" in text or not 0 < len(text) <= _LONGEST_TARGET or text != text.strip():
        return ""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), text))
    return text if path != file.path and workspace.kind(path) == "file" else ""


_LONGEST_TARGET = 200


@dataclass(eq=False, repr=False, kw_only=True)
class Found:
    """What gatherers are handed, and add to: rows, what is said of files and settings, and what stops the start."""

    workspace: Workspace
    files: list[FileDraft] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    refusals: list[Diagnostic] = field(default_factory=list)
    assumed: list[Assumption] = field(default_factory=list)

    def row(
        self, file: FileText, kind: str, load: Load, when: Condition, injected: str = "", **more: Unpack[RowDetails]
    ) -> None:
        """A file was looked at (see `file_row`)."""
        if injected:
            self.note_link(file)
        self.files.append(file_row(file, kind, load, when, injected, **more))

    def note_link(self, file: FileText) -> None:
        """A link that git checked out as a text, where `core.symlinks` is off, sends a path alone."""
        if target := _link_as_text(self.workspace, file):
            text = f"its text is nothing but {target}, as of a symbolic link checked out with core.symlinks off"
            self.warn("link-as-text", f"{text}: the model gets that path alone", file.path, 1)

    def guard(self, is_meant: Callable[[FileDraft], bool], when: Condition) -> None:
        """Some of the rows have one more condition."""
        self.files[:] = [replace(row, when=row.when & when) if is_meant(row) else row for row in self.files]

    def say(self, severity: Severity, code: str, text: str, path: str | None = None, line: int | None = None) -> None:
        """A person should know."""
        self.diagnostics.append(Diagnostic(severity, code, text, path, line))

    def warn(self, code: str, text: str, path: str | None = None, line: int | None = None) -> None:
        """A person would not expect it."""
        self.say("warning", code, text, path, line)

    def warn_at(self, source: SettingSource, code: str, text: str) -> None:
        """A person would not expect it of a setting."""
        self.say("warning", code, text, source.path, source.line)

    def note(self, notes: Table, about: Mapping[str, SettingSource | str | bool | None], **filled: str) -> None:
        """What surprises people, in the words of `[notes]` of agent.toml: a setting, a path, or True by its code."""
        for code, place in about.items():
            if place:
                self.diagnostics.append(noted(notes, code, None if place is True else place, None, filled))

    def may_read(self, path: str, kind: str) -> bool:
        """Whether a file or folder may be looked into. A refused link and a locked folder become rows."""
        workspace = self.workspace
        there = workspace.kind(path)
        if there in (None, "directory"):  # a folder in a locked one can't be looked at, either
            self.files += locked(workspace, path, kind)
        if there is None or workspace.allows(path, listing=True):
            return True
        when = followed(workspace, path, follow=False)
        self.files.append(FileDraft(path, workspace.real_path(path), kind, "on-demand", when))
        return False


# --- links ------------------------------------------------------------------------------------------------------------


_PARAM = "outside_links"


def followed(workspace: Workspace, path: str, follow: bool, reader: str = "the agent") -> Condition:
    """False if a link leaves the announced folders and isn't followed: our limit, `reader` would follow it."""
    real = workspace.leads_outside(path)
    if real is None:
        return ALWAYS
    return _switched(follow, f"a link leads to {real}, and such links are followed", f"it leads to {real}", reader)


def entered(workspace: Workspace, folder: str, follow: bool, reader: str) -> Condition:
    """True unless a folder named in a file's setting is outside and not entered. To be asked before it is announced."""
    if workspace.allows(folder, listing=True):
        return ALWAYS
    where = f"{folder} is outside of the folders that are read"
    return _switched(follow, f"{where}, and such folders are entered", where, reader)


def _switched(follow: bool, yes: str, no: str, reader: str) -> Condition:
    return Fact(
        "flag",
        _PARAM,
        follow,
        yes,
        f"left out here: {no}; {reader} would read it",
        wanted="follow",
        on=(Lever(_PARAM, "follow"),),
        off=(Lever(_PARAM, "refuse"),),
    )


def with_reasons(
    workspace: Workspace, files: Sequence[FileDraft], cwd: str, *, follow: bool, reader: str
) -> Iterator[FileDraft]:
    """The rows of files; refused links say so. `reader`: agent and version. Paths may be relative to `cwd`."""
    if follow:
        yield from files
        return
    paths = [posixpath.join(cwd, file.path) for file in files]
    outside = workspace.leading_outside(paths)
    for file, path in zip(files, paths, strict=True):
        yield _with_reason(workspace, file, path, reader) if path in outside else file


def with_sizes(workspace: Workspace, files: Iterable[FileDraft], cwd: str) -> Iterator[FileDraft]:
    """The rows; a file that is there has its size and its real place, even if the agent has no need to look into it."""
    copy: Workspace | None = None
    for file in files:
        path = posixpath.join(cwd, file.path)
        if file.bytes or workspace.kind(path) != "file":
            yield file
            continue
        copy = copy or workspace.snapshot()  # a save of what the agent does not look into changes nothing
        found = copy.read(path)
        yield replace(file, bytes=found.size, real_path=found.real_path) if found.size else file


def is_never_read(file: FileDraft) -> bool:
    """Whether the row is that of a file which only looks as if the agent read it."""
    return isinstance(file.when, Fact) and file.when.wanted in (WANTED, ELSEWHERE)


def _with_reason(workspace: Workspace, file: FileDraft, path: str, reader: str) -> FileDraft:
    real = workspace.leads_outside(path)
    if is_never_read(file) or (kind := workspace.kind(path)) is None or (kind == "file" and workspace.allows(path)):
        return file  # whatever the link leads to, the agent does not read it, or it leads to a parent's own file
    each = file.when.members if isinstance(file.when, AllOf) else (file.when,)
    is_folders_row = kind == "directory" and any(isinstance(one, Fact) and one.name == _PARAM for one in each)
    if kind != "file" and not is_folders_row:  # to follow the link would not help
        no, remedy = f"a link leads to {real}, which is not a file", f"put a file in the place of {path}"
        return replace(file, when=Fact("file", path, False, "a file is there", no, remedy=remedy))
    return replace(file, when=followed(workspace, path, False, reader))


# --- files that are not read ------------------------------------------------------------------------------------------


_TEXTS = frozenset((".md", ".mdc", ".mdx", ".mdown", ".mkd", ".markdown", ".txt", ""))
"""Endings that people give to instructions, in lower case."""
WANTED = "a file that is read"
"""What the condition of a near miss wants, by which `check` knows one."""
ELSEWHERE = "a place that is read"
"""What the condition of other files that are never read wants: what a link to one leads to makes no difference."""
_MOST = 50
"""Rows for one place: a folder of notes may hold thousands."""
_MOST_SEARCHED = 200
"""Folders that are searched below one."""
Missed = Iterator[tuple[str, str, str]]
"""Paths that miss, each with why, and what to do."""
_PRUNED = frozenset({"node_modules", "venv", "target", "dist", "build", "__pycache__", "vendor"})


class Place(Struct, frozen=True):
    """A folder from which an agent reads files: those of some names, or all with an ending.

    `others` are names, or paths below the folder, that a person may expect to count there, each with why it does not;
    `theirs` are those that other agents read there.
    """

    folder: str
    kind: str
    names: tuple[str, ...] = ()
    ending: str = ""
    others: Mapping[str, str] = {}
    theirs: Mapping[str, str] = {}


class Reads(Struct, frozen=True):
    """What an agent reads, in sentences for the files that it does not.

    `named` holds one for each file name, in whatever case, or part of a path (`.roo/rules/`, `~/.roo/` for the `home`
    folder's own); `otherwise` is for all other files.
    """

    otherwise: str
    named: Mapping[str, str] = {}
    home: str = ""

    @classmethod
    def of(cls, agent: Mapping[str, Any], version: str, home: str = "") -> Reads:
        """What `[reads]` in an agent's agent.toml says, with `{name}` and `{version}` filled in.

        A sentence counts `since` a version, and in the place of one before it.
        """
        said, now = agent["reads"], version_numbers(version)
        rows = [each for each in said["named"] if version_numbers(each.get("since", "")) <= now]
        named = {name: each["says"].replace("{name}", name) for each in rows for name in each["names"]}
        filled = {name: sentence.replace("{version}", version) for name, sentence in named.items()}
        return cls(said["otherwise"].replace("{version}", version), filled, home.rstrip("/").lower())

    def sentence(self, path: str) -> str:
        """Why the file at a path is not read: the longest name or part that fits it decides."""
        name, whole = path.rpartition("/")[2].lower(), f"/{path.strip('/').lower()}"
        own = f"/~{whole.removeprefix(self.home)}" if self.home and whole.startswith(f"{self.home}/") else whole

        def fit(key: str) -> bool:
            return key.lower() == name or ("/" in key and (f"/{key.lower()}" in whole or f"/{key.lower()}" in own))

        fits = list(filter(fit, self.named))
        return self.named[max(fits, key=len)] if fits else self.otherwise


def moved_away(agent: Mapping[str, Any], env: Mapping[str, str], home: str, path: str) -> str:
    """Which variable keeps the agent from a file: `[reads.moved]` has the place that each takes away; "" for none."""
    own = f"~{path.removeprefix(home)}" if home and path.startswith(f"{home.rstrip('/')}/") else path
    for variable, place in agent["reads"].get("moved", {}).items():
        if env.get(variable) and (own == place or (place.endswith("/") and own.startswith(place))):
            return f"`{variable}` is set: what it names takes the place of {place.rstrip('/')}"
    return ""


def missed(name: str, names: Sequence[str], ending: str = "") -> str | None:
    """Why a file of this name does not count in a place; None if it does, or has nothing to do with it."""
    if name in names or (ending and name.endswith(ending)):
        return None
    stem, found = splitext(name.lower())
    for proper in names:
        wanted, usual = splitext(proper.lower())
        same = stem == wanted or f".{stem}" == wanted
        if same and (found == usual or not usual or {found, usual} <= _TEXTS):
            return f"only the name {proper} counts (this is {name})"
    if ending and found and (found == ending or found in _TEXTS):
        return f"only names that end in {ending} count (this is {name})"
    return None


def stands_for(workspace: Workspace, folder: str, name: str, names: Iterable[str]) -> bool:
    """Whether a folder gives this file under a name that counts: to some disks, small and large letters are one."""
    listed = {entry.name for entry in workspace.list(folder).entries}
    others = (proper for proper in names if proper.lower() == name.lower() and proper not in listed)
    return any(workspace.kind(f"{folder.rstrip('/')}/{proper}") == "file" for proper in others)


def places_of(agent: Table, folders: Mapping[str, Sequence[str]], **usual: Any) -> Iterator[Place]:
    """The places of `[[near]]` in agent.toml (see `located`); `usual` are names of a row that has none."""
    for folder, row in located(agent["near"], folders):
        said = {key: value for key, value in row.items() if key not in ("at", "below")}
        names = {"names": tuple(said["names"])} if "names" in said else usual
        yield Place(folder, **{**said, **names})


def located(rows: Iterable[Table], folders: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Table]]:
    """The folders that rows of agent.toml are about, with the row.

    `at` names some of them, `below` what is in each; `but` names those that the row leaves out.
    """
    for row in rows:
        left_out = folders[row["but"]] if "but" in row else ()
        for folder in (each for each in folders[row["at"]] if each not in left_out):
            below = row.get("below")
            yield f"{folder.rstrip('/')}/{below}" if below else folder, row


def near_misses(workspace: Workspace, places: Sequence[Place], known: Container[str]) -> list[FileDraft]:
    """The rows, in the order of the places; none for a path in `known`, which are absolute."""
    key = ("near misses", *((place.folder, place.names, place.ending, *place.others.items()) for place in places))
    rows = workspace.memo(key, lambda: _rows(workspace.snapshot(), places))  # what is asked of a copy is not watched
    return [draft for path, draft in rows.items() if path not in known]


def _rows(copy: Workspace, places: Sequence[Place]) -> dict[str, FileDraft]:
    rows: dict[str, FileDraft] = {}
    for place in places:
        for path, why, remedy in _of(copy, place):
            rows.setdefault(path, row(copy, path, place.kind, never(path, why, remedy)))
        for name, why in place.theirs.items():
            path = f"{place.folder.rstrip('/')}/{name}"
            if copy.kind(path) == "file":
                rows.setdefault(path, row(copy, path, place.kind, never(path, why, is_near=False)))
    return rows


def never(path: str, why: str, remedy: str = "", *, is_near: bool = True) -> Fact:
    """The condition of a file that is never read. `is_near`: somebody meant it to be."""
    remedy = remedy or "move its text into a file that is read"
    return Fact("file", path, False, "", f"not read: {why}", wanted=WANTED if is_near else ELSEWHERE, remedy=remedy)


def nowhere(workspace: Workspace, link: str) -> tuple[str, str]:
    """Why a dead link does not count, and what to do."""
    return f"the link leads nowhere: there is no {workspace.readlink(link)}", f"point the link {link} at a file"


def row(workspace: Workspace, path: str, kind: str, when: Fact) -> FileDraft:
    """The row of a file that is never read."""
    return FileDraft(path, workspace.real_path(path), kind, "on-demand", when, workspace.read(path).size)


def locked(workspace: Workspace, folder: str, kind: str) -> list[FileDraft]:
    """The row of a folder that is listed for files of a kind, if it can't be; a refused link has one of its own."""
    listing = workspace.list(folder)
    found = _locked(folder, listing) if listing.problem != "outside" else ()
    return [row(workspace, path, kind, never(path, *why)) for path, *why in found]


def _locked(folder: str, listing: Listing) -> Missed:
    if listing.problem not in (None, "missing", "too-many"):
        yield folder, f"the folder cannot be listed: {listing.detail}", f"make {folder} readable"


def _of(workspace: Workspace, place: Place) -> Missed:
    """Everything that misses a place."""
    base = place.folder.rstrip("/")
    for name, why in place.others.items():
        if workspace.kind(f"{base}/{name}") == "file":
            yield f"{base}/{name}", why, ""
    found = 0
    listing = workspace.list(place.folder) if place.names or place.ending else Listing()
    yield from _locked(place.folder, listing) if place.ending else ()  # files that have a name are opened by it
    for entry in listing.entries:
        path = f"{base}/{entry.name}"
        counts = entry.name in place.names or bool(place.ending and entry.name.endswith(place.ending))
        if entry.kind == "link" and counts and workspace.kind(path) is None:
            yield path, *nowhere(workspace, path)
        elif entry.kind != "directory" and (near := missed(entry.name, place.names, place.ending)):
            found += 1
            if found > _MOST:
                return
            if workspace.kind(path) == "file" and not stands_for(workspace, base, entry.name, place.names):
                yield path, near, f"rename {path}"


def _listings(
    workspace: Workspace, top: str, enters: Callable[[str, int], bool], most: int
) -> Iterator[tuple[str, int, Listing]]:
    """A folder and those below it, nearest first, with depth and listing. `enters` decides by name and depth."""
    pending = [(top, 0)]
    for folder, level in islice(pending, most):  # it grows meanwhile
        listing = workspace.list(folder)
        yield folder, level, listing
        inner = (entry.name for entry in listing.entries if entry.kind == "directory")
        pending += ((f"{folder.rstrip('/')}/{name}", level + 1) for name in inner if enters(name, level + 1))


class Search(Struct, frozen=True):
    """Where files are looked for: from depth `lowest` (0: the folder itself) to `depth`, in `hidden` folders too."""

    depth: int = 3
    most: int = 20
    lowest: int = 1
    hidden: tuple[str, ...] = ()


_USUAL = Search()


def below(workspace: Workspace, top: str, wanted: Callable[[str], bool], search: Search = _USUAL) -> list[str]:
    """The files below a folder whose relative path is wanted, nearest first; no vendored code. Nothing is watched."""
    lowest, most = search.lowest, search.most

    def enters(name: str, level: int) -> bool:
        is_open = name[:1] != "." or (level > lowest and name in search.hidden)
        return level <= search.depth and is_open and name not in _PRUNED

    found: list[str] = []
    base, kinds = top.rstrip("/"), ("file",) if lowest else ("file", "link")
    for folder, level, listing in _listings(workspace.snapshot(), top, enters, _MOST_SEARCHED):
        paths = [f"{folder.rstrip('/')}/{entry.name}" for entry in listing.entries if entry.kind in kinds]
        found += (path for path in paths if level >= lowest and wanted(path.removeprefix(f"{base}/")))
        if len(found) >= most:
            break
    return found[:most]


class Strays(Struct, frozen=True):
    """Files of these names that an agent reads in one folder only: their kind, and what it reads instead."""

    names: tuple[str, ...]
    kind: str
    reads: Reads

    def row(self, copy: Workspace, path: str) -> FileDraft:
        """The row of one of them."""
        return row(copy, path, self.kind, never(path, self.reads.sentence(path), is_near=False))


def rows_below(workspace: Workspace, top: str, strays: Strays, known: Container[str]) -> list[FileDraft]:
    """The rows of strays below a folder. A name that ends in a slash means all files of a folder of that name."""
    names = strays.names
    folders = tuple(name[:-1] for name in names if name.endswith("/"))

    def wanted(path: str) -> bool:
        *above, name = path.split("/")
        return name in names or not {*folders}.isdisjoint(above[1:])

    def found() -> list[FileDraft]:
        paths = below(workspace, top, wanted, Search(depth=4 if folders else 3, hidden=folders))
        copy = workspace.snapshot()
        return [strays.row(copy, path) for path in paths]

    return [each for each in workspace.memo(("rows below", top, strays.kind, *names), found) if each.path not in known]


# --- skills, commands and sub-agents ----------------------------------------------------------------------------------


NAME = "SKILL.md"
_NOTES = frozenset(
    f"{name}.md" for name in ("agents", "changelog", "claude", "contributing", "gemini", "readme", "skill")
)
"""Files beside skills that nobody means to be one; SKILL.md itself is told about on its own."""
_MOST_ROWS = 50
_MOST_FOLDERS = 500


def _near(
    workspace: Workspace,
    folder: str,
    kind: str,
    misses: Callable[[Workspace, str, int, Listing], Missed],
    enters: Callable[[str, int], bool] = lambda *_: True,
) -> list[FileDraft]:
    """The rows of what misses in and below a folder. `misses` is asked of each with its depth and listing."""
    copy = workspace.snapshot()
    rows: list[FileDraft] = []
    for inner, level, listing in _listings(copy, folder, enters, _MOST_FOLDERS):
        found = (*_locked(inner, listing), *misses(copy, inner, level, listing))
        rows += (row(copy, path, kind, never(path, *why)) for path, *why in found)
        if len(rows) >= _MOST_ROWS:
            break
    return rows


def near_skills(workspace: Workspace, folder: str, *, depth: int = 1, root: bool = False) -> list[FileDraft]:
    """The rows of near misses in a folder of skills: wrong names, wrong depth, broken links. Nothing is watched.

    `depth`: how many folders deep a SKILL.md counts. `root`: it counts in the folder itself too.
    """
    deep = "a folder directly in" if depth == 1 else f"at most {depth} folders below"

    def misses(copy: Workspace, inner: str, level: int, listing: Listing) -> Missed:
        counts = level <= depth and (level > 0 or root)
        whole = any(entry.name == NAME for entry in listing.entries)
        for name in (entry.name for entry in listing.entries):
            path = f"{inner.rstrip('/')}/{name}"
            there = copy.kind(path)
            if there is None and (name == NAME or level == 0):
                yield path, *nowhere(copy, path)
            elif there == "file" and name == NAME and not counts and level:
                yield path, f"it is too deep: a skill is {deep} the folder of skills", f"move {inner} up"
            elif there == "file" and name == NAME and not counts:
                yield path, "it must be in a folder of its own, NAME/SKILL.md", f"move {path} into a folder"
            elif there == "file" and counts and not whole and (near := missed(name, (NAME,))):
                if not stands_for(copy, inner, name, (NAME,)):
                    yield path, near, f"rename {path} to SKILL.md"
            elif there == "file" and level == 0 and name.endswith(".md") and name.lower() not in _NOTES:
                proper = f"{path.removesuffix('.md')}/SKILL.md"
                yield path, "a skill is a folder with a SKILL.md in it", f"move {path} to {proper}"

    return _near(workspace, folder, "skill", misses, lambda name, level: level <= depth + 2 and name[:1] != ".")


def near_entries(workspace: Workspace, folder: str, kind: str, ending: str = ".md") -> list[FileDraft]:
    """The rows of files in or below a folder of commands or sub-agents whose names end otherwise, and of dead links."""

    def misses(copy: Workspace, inner: str, _level: int, listing: Listing) -> Missed:
        for entry in listing.entries:
            path = f"{inner.rstrip('/')}/{entry.name}"
            if entry.kind == "link" and copy.kind(path) is None:
                yield path, *nowhere(copy, path)
            elif not entry.name.endswith(ending) and copy.kind(path) == "file" and entry.name[:1] != ".":
                yield path, f"only names that end in {ending} count (this is {entry.name})", f"rename {path}"

    return _near(workspace, folder, kind, misses)
