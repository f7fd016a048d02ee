"""What a source gives, and the files that were consulted for it."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from posixpath import basename, dirname, join
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import (
    Place,
    Reads,
    Search,
    Strays,
    below,
    locked,
    near_misses,
    never,
    nowhere,
    row,
    rows_below,
)
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import FileText, Workspace
from promptscope_engine.workspace.repository import repository_root

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Found(Struct, Generic[T_co], frozen=True):
    """A gathered value, the files behind it in load order, and what the user should know about them."""

    value: T_co
    files: tuple[FileDraft, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Collected:
    """What all sources give, in the order in which they were asked."""

    def __init__(self) -> None:
        self.files: list[FileDraft] = []
        self.diagnostics: list[Diagnostic] = []

    def take(self, found: Found[T]) -> T:
        """The value of a source."""
        self.files += found.files
        self.diagnostics += found.diagnostics
        return found.value


def counts(shown: str, file: FileText, read: Fact, holding: str = "") -> Fact:
    """`read`, for a file that was read; another reason for one that wasn't. `holding`: what a new one has to hold."""
    no, remedy = read.no, read.remedy
    if file.problem == "missing":
        no, remedy = f"there is no {shown}", f"create {shown}{holding}"
    elif not file.found:
        no, remedy = f"{shown} cannot be read", f"make {shown} readable ({file.detail})"
    return replace(read, no=no, remedy=remedy)


def has_text(name: str, file: FileText, text: str) -> Fact:
    """Whether the single file `name` has a text that counts, and if not why."""
    if file.problem == "directory":
        return FOLDER.reason("folder", bool(text), path=name)
    return counts(name, file, FOLDER.reason("blank" if file.text else "empty", bool(text), path=name))


def problem(file: FileText) -> str:
    """Why the file gives no text, as a clause with "it"."""
    match file.problem:
        case "missing":
            return "it vanished while it was read"
        case "too-large":
            return f"it is too large to be shown ({file.detail})"
        case "outside":
            return f"it {file.detail}, which may not be read here"
        case _:
            return f"it cannot be read ({file.detail})"


def file_diagnostic(path: str, file: FileText) -> Diagnostic:
    """An instruction file that gave no text. Roo itself reads those that are too large or outside our roots."""
    unknown = file.problem in ("too-large", "outside")
    tail = "; Roo would read it, so the prompt shown here lacks it" if unknown else ""
    return Diagnostic("warning", f"file-{file.problem}", f"{path} is left out: {problem(file)}{tail}", path)


def binary_diagnostic(path: str) -> Diagnostic:
    """An instruction file with NUL bytes: Roo puts it into the prompt as it is."""
    return Diagnostic("info", "binary", f"{path} looks binary; Roo puts it into the prompt all the same", path)


def patterns_diagnostics(path: str, left_out: str | None) -> Iterator[Diagnostic]:
    """An ignore file that holds more patterns than are read here."""
    if left_out:
        yield Diagnostic("warning", "too-many-patterns", f"{path}: {left_out}", path)


# --- files that are not read ------------------------------------------------------------------------------------------


NAMES = ("AGENTS.md", "AGENT.md")
AT_ROOT = (*NAMES, ".roorules", ".clinerules", ".rooignore", ".roomodes")
"""Files that count at the workspace root alone."""
AT_TOP = (*AT_ROOT, ".roo/")
"""The same, with the folder that counts there and at home."""
_MOST = 50
"""Rows for one folder."""
_COMMANDS, _RULES = "commands", "rules"
_COUNTS = re.compile(r"rules(-[^/]+)?/|commands/[^/]+\.md$|mcp\.json$|system-prompt-[^/]+$")


def places(cwd: str, home: str, reads: Reads) -> Iterator[Place]:
    """The workspace root, its .roo, and the home folder."""
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    theirs |= {name: f"Roo Code does not read {name}" for name in (".cursorrules", ".github/copilot-instructions.md")}
    theirs[".mcp.json"] = "Roo Code does not read .mcp.json: its servers are in .roo/mcp.json"
    theirs["AGENTS.override.md"] = "Roo Code has no AGENTS.override.md: it reads AGENTS.md at the workspace root"
    in_dot_roo = {f".roo/{name}": f"{name} counts beside .roo, not in it" for name in AT_ROOT}
    yield Place(cwd, "agents-md", AT_ROOT, others=in_dot_roo, theirs=theirs)
    if home != cwd:
        yield Place(home, "agents-md", theirs={name: reads.sentence(name) for name in AT_ROOT})


def _stray_command(rest: str) -> tuple[str, str]:
    name = rest.rpartition("/")[2]
    if "/" in rest:
        return "only files of .roo/commands itself are commands", f"{_COMMANDS}/{name}"
    if not rest.endswith(".md"):
        return "only names that end in .md are commands", f"{_COMMANDS}/{name.rpartition('.')[0] or name}.md"
    return f"a command comes into the prompt where the task says /{name.removesuffix('.md')}", ""


def strays_in_roo(path: str) -> tuple[str, str]:
    """Why a file below `.roo` does not count, by its path there, and where it was probably meant to be."""
    top, _, rest = path.partition("/")
    if top == _COMMANDS:
        return _stray_command(rest)
    if rest and (top == _RULES or top.startswith(f"{_RULES}-")):
        return "Roo leaves files of this kind out of its rules", ""
    if rest and top.removeprefix(".") == "roo":
        return f".roo/{top} is one folder too deep", rest
    if top.startswith(_RULES) and not rest:
        folder = top.partition(".")[0]
        return f"Roo reads the folder .roo/{folder}, not a file of that name", f"{folder}/{top}"
    known = (_COMMANDS, _RULES) if rest else ("mcp.json",)
    near = nearest(top.lower(), known, 1) or [name for name in known if top.lower().startswith(name)]
    for_mode = "" if rest else " and system-prompt-<mode>"
    why = f"in .roo, Roo reads {'the folders commands, rules and rules-<mode>' if rest else 'mcp.json'}{for_mode}"
    return why, f"{near[0]}/{rest}".rstrip("/") if near else ""


def unread(inputs: Inputs, workspace: Workspace, files: Iterable[FileDraft]) -> Iterator[FileDraft]:
    """Rows of what nearly counts: other spellings, and files of these names below the workspace root or at home."""
    cwd, reads = inputs.workspace, Reads.of(FOLDER.agent, inputs.agent_version)
    known = {file.path if file.path.startswith("/") else f"{cwd}/{file.path}" for file in files}
    near = near_misses(workspace, [*places(cwd, inputs.home, reads)], known)
    known |= {draft.path for draft in near}
    above, below_it = (
        rows(workspace, cwd, Strays(AT_TOP, "agents-md", reads), known) for rows in (_rows_above, rows_below)
    )
    elsewhere = [*above, *below_it]
    seen = {*known, *(draft.path for draft in elsewhere)}
    own: list[FileDraft] = []
    for folder in dict.fromkeys((cwd, inputs.home)):
        own += _locked_in_roo(workspace, f"{folder}/.roo", seen)
        own += _strays(workspace, f"{folder}/.roo", seen, strays_in_roo)
        own += _spelled_otherwise(workspace, folder, seen)
    if workspace.kind(f"{cwd}/.clinerules") == "directory":
        own += _strays(workspace, f"{cwd}/.clinerules", seen, lambda _: (".clinerules counts as a file", ""))
    for draft in (*near, *elsewhere, *own):
        inside = draft.path.startswith(f"{cwd}/")  # shown relative, as all of Roo's files
        yield replace(draft, path=draft.path.removeprefix(f"{cwd}/")) if inside else draft


def _locked_in_roo(workspace: Workspace, folder: str, known: Container[str]) -> Iterator[FileDraft]:
    """The rows of the folders of commands, and of rules of whatever mode, that cannot be listed."""
    copy = workspace.snapshot()  # of the rules, those that count are walked and watched elsewhere
    for entry in copy.list(folder).entries:
        path, kind = f"{folder}/{entry.name}", "command" if entry.name == _COMMANDS else "mode-rules"
        if (kind == "command" or entry.name.startswith(f"{_RULES}-")) and path not in known:
            yield from locked(copy, path, kind)


def _rows_above(workspace: Workspace, folder: str, strays: Strays, known: Container[str]) -> list[FileDraft]:
    """The rows of files of these names in the folders above one, up to the root of its repository."""
    root = repository_root(folder, workspace)

    def found() -> Iterator[FileDraft]:
        copy, above = workspace.snapshot(), folder
        while root is not None and above != root:
            above = dirname(above)
            for name in strays.names:
                path = f"{above.rstrip('/')}/{name}"
                inner = below(copy, path[:-1], bool, Search(lowest=0)) if name.endswith("/") else [path]
                for each in (one for one in inner if copy.kind(one) == "file"):
                    yield strays.row(copy, each)

    rows = workspace.memo(("rows above", folder, root, strays.kind, *strays.names), lambda: [*found()])
    return [each for each in rows if each.path not in known]


def _strays(
    workspace: Workspace, folder: str, known: Collection[str], why: Callable[[str], tuple[str, str]]
) -> list[FileDraft]:
    """The rows of the files in a folder of Roo's, and below it, that it does not read.

    `why` says of a path below the folder why not, and what it was probably meant to be, "" where nothing is near: an
    absolute path, or one below the folder.
    """

    def found() -> Iterator[FileDraft]:
        copy = workspace.snapshot()
        for path in below(copy, folder, bool, Search(most=_MOST, lowest=0, hidden=(basename(folder),))):
            if copy.kind(path) is None:
                yield row(copy, path, "rules", never(path, *nowhere(copy, path)))
                continue
            sentence, meant = why(path.removeprefix(f"{folder}/"))
            remedy = f"move it to {join(folder, meant)}" if meant else ""
            yield row(copy, path, "rules", never(path, sentence, remedy, is_near=bool(meant)))

    rows = workspace.memo(("strays", folder), lambda: [*found()])
    return [each for each in rows if each.path not in known and not _is_entered(each.path, workspace, known)]


def _is_entered(path: str, workspace: Workspace, known: Collection[str]) -> bool:
    """Whether it is a link to a folder whose files have rows of their own."""
    if workspace.kind(path) != "directory":
        return False
    inside = f"{workspace.real_path(path)}/"
    return any(each.startswith(inside) for each in known)


def _spelled_otherwise(workspace: Workspace, parent: str, known: Collection[str]) -> Iterator[FileDraft]:
    """The rows of files in folders that are nearly `.roo`; in `roo`, only of those whose path would count."""
    for entry in workspace.snapshot().list(parent).entries:
        spelled = entry.name.lower()
        if entry.kind == "directory" and entry.name != ".roo" and spelled in (".roo", "roo"):
            folder = f"{parent}/{entry.name}"

            def misnamed(path: str, name: str = entry.name) -> tuple[str, str]:
                return f"only the name .roo counts (this is {name})", f"{parent}/.roo/{path}"

            for each in _strays(workspace, folder, known, misnamed):
                if spelled == ".roo" or _COUNTS.match(each.path.removeprefix(f"{folder}/")):
                    yield each
