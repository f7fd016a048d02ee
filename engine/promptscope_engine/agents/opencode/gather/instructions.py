"""Instruction files: the user's, the project's by the first name that is found, those of the settings.

A read of a file brings along further ones, of the folders from its own up to the start folder.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from promptscope_engine.agents.kit.rows import Place, absent, entered, followed, near_misses
from promptscope_engine.agents.kit.walking import absolute, beyond, from_home, globbed, upwards
from promptscope_engine.agents.opencode.gates import switched
from promptscope_engine.agents.opencode.materials import Instructions
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.javascript.glob import is_pattern
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import Span, environment, file_text, label, param_value
from promptscope_engine.prompt.model import Load, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText

from .settings import Session

KIND = "agents-md"
ADDRESS = ("http://", "https://")
CLAUDE = "CLAUDE.md"
_MAX = 2_000
"""Files that one pattern may name."""


@dataclass(eq=False, repr=False)
class InstructionFiles:
    """Collects the files in their order."""

    session: Session
    names: tuple[str, ...] = ()
    found: dict[str, Instructions] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        env, session = self.session.env, self.session
        off = [f"OPENCODE_DISABLE_CLAUDE_CODE{end}" for end in ("", "_PROMPT")]
        self.with_claude = ~(switched(env, off[0]) | switched(env, off[1]))
        self.names = tuple(
            n for n in FOLDER.agent["instructions"]["names"] if n != CLAUDE or not self._without_claude()
        )
        self.project = session.in_project

    def _without_claude(self) -> bool:
        return any(self.session.is_on(f"OPENCODE_DISABLE_CLAUDE_CODE{end}") for end in ("", "_PROMPT"))

    def gather(self) -> tuple[Instructions, ...]:
        """The user's, the project's, those of the settings, and the addresses."""
        session = self.session
        named = session.env.get("OPENCODE_CONFIG_DIR")
        own = resolve(session.cwd, named) if named else session.config
        self._first([(f"{own}/AGENTS.md", ALWAYS), (f"{session.home}/.claude/{CLAUDE}", self.with_claude)])
        if session.of_project:
            self._project()
        entries = session.settings.items("instructions", overlays=True)
        for entry in entries:
            if not entry.value.startswith(ADDRESS):
                for path in self._named(entry):
                    self._add(path, ALWAYS, entry.source)
        addresses = [entry for entry in entries if entry.value.startswith(ADDRESS)]
        sent = (*self.found.values(), *filter(None, map(self._address, addresses)))
        self._near(own)
        return sent

    def _first(self, paths: Iterable[tuple[str, Condition]]) -> None:
        """Of the user's two files the first one that is there."""
        taken = ""
        for path, when in paths:
            file = self.session.workspace.read(path)
            if taken and file.problem != "missing":
                why = absent(path, f"{self.session.shown(taken)} takes its place", f"take {taken} away")
                self.session.row(file, KIND, "always", why)
            elif file.found and when.holds(Facts()):
                taken = path
                self._add(path, when)
            elif file.problem == "missing":
                create = Fact("file", path, False, "", "no such file", remedy=f"create {path}")
                self.session.row(file, KIND, "always", create)
            else:
                self.session.row(file, KIND, "always", when & _usable(file))

    def _project(self) -> None:
        """The first name that is found anywhere counts, in every folder, the nearest first."""
        session, workspace = self.session, self.session.workspace
        chosen = next((n for n in self.names if any(self._is_there(f, n) for f in session.folders)), None)
        for name in FOLDER.agent["instructions"]["names"]:
            for folder in session.folders:
                path = f"{folder.rstrip('/')}/{name}"
                if name == chosen:
                    if self._is_there(folder, name):
                        self._add(path, self.with_claude if name == CLAUDE else ALWAYS)
                elif workspace.kind(path) == "file":
                    hidden = absent(path, f"only {chosen} counts, as it comes before {name}", f"take {chosen} away")
                    session.row(
                        workspace.read(path), KIND, "always", self.with_claude if name not in self.names else hidden
                    )
        if chosen is None:
            path = f"{session.cwd.rstrip('/')}/{self.names[0]}"
            session.row(workspace.read(path), KIND, "always", absent(path, "no such file", f"create {path}"))

    def _is_there(self, folder: str, name: str) -> bool:
        return self.session.workspace.kind(f"{folder.rstrip('/')}/{name}") is not None

    def _named(self, entry: Sourced[str]) -> Iterator[str]:
        """The files that an entry of the settings names; a relative one is looked up in every folder up to the root."""
        session, text = self.session, from_home(entry.value, self.session.home)
        if text.startswith("/"):
            folder, _, last = text.rpartition("/")
            if not is_pattern(folder):
                yield from self._globbed(folder or "/", last)
            return
        for folder in session.folders if session.of_project else [session.config]:
            yield from self._globbed(folder, text)

    def _globbed(self, folder: str, pattern: str) -> list[str]:
        workspace, follow = self.session.workspace, self.session.inputs.follow_links
        start = resolve(folder, "/".join(takewhile(lambda part: not is_pattern(part), pattern.split("/")[:-1])) or ".")
        if not entered(workspace, start, follow, "OpenCode").holds(Facts()):
            text = f"`instructions` leads to {start}, which is outside of the folders that are read"
            self.session.say("info", "outside", text, start)
            return []
        if follow:
            workspace.allow([start])
        return globbed(workspace, folder, pattern, most=_MAX)

    def _add(self, path: str, when: Condition, source: SettingSource | None = None, load: Load = "always") -> None:
        session = self.session
        if path in self.seen:
            return
        self.seen.add(path)
        file = session.workspace.read(path)
        text = file.text.removeprefix("\ufeff")
        when = when & followed(session.workspace, path, session.inputs.follow_links)
        if file.found and not text:
            when = when & absent(path, "it is empty", f"write something into {path}")
        spans = spans_of(file)
        session.row(file, KIND, load, when & _usable(file), text)
        if file.found and text:
            self.found[path] = Instructions(path, spans, when & _named_by(source))

    def _address(self, entry: Sourced[str]) -> Instructions | None:
        """Nothing is fetched: the scenario may say what the address answers."""
        path = "/" + entry.value.partition("://")[2].partition("/")[2]
        text = self.session.params.urls.get(path)
        if text is None:
            said = f"`instructions` names {entry.value}, which is not fetched here; `urls` says what it answers"
            self.session.say("info", "address-not-fetched", said, entry.source.path, entry.source.line)
        if not text:
            return None
        return Instructions(entry.value, (param_value(f"urls.{path}", text),), _named_by(entry.source))

    def _near(self, own: str) -> None:
        """Near misses, and what would count if the walk went on."""
        session, others = self.session, FOLDER.agent["instructions"]
        places = [
            Place(session.cwd.rstrip("/"), KIND, self.names, theirs=others["theirs"], others=others["others"]),
            Place(own, KIND, ("AGENTS.md",), others=others["of_user"]),
        ]
        known = {file.path for file in session.files}
        session.files += near_misses(session.workspace, places, known)
        if session.walk.marker:
            names = self.names

            def files_in(_: object, folder: str) -> Iterator[str]:
                return (f"{folder.rstrip('/')}/{name}" for name in names)

            files = (KIND, files_in)
            session.files += beyond(session.workspace, session.walk, files, known, "move it into the repository")

    # --- what a read brings along ---------------------------------------------------------------------------------

    def woken(self, path: str) -> tuple[Span, ...]:
        """The files of the folders from that of a file up to below the start folder; each comes once."""
        session, cwd = self.session, self.session.cwd
        if not path.startswith(f"{cwd.rstrip('/')}/") or session.workspace.kind(path) != "file":
            return ()
        spans: list[Span] = []
        for folder in upwards(path.rpartition("/")[0], cwd)[:-1]:
            near = next((f"{folder}/{name}" for name in self.names if self._is_there(folder, name)), None)
            if near is None or near == path or near in self.found:
                continue
            self._add(near, ALWAYS, load="on-demand")
            if near in self.found:
                spans += (label("\n\n" if spans else "\n\n<system-reminder>\n"), *entry_of(self.found[near]))
        return (*spans, label("\n</system-reminder>")) if spans else ()


def entry_of(each: Instructions) -> tuple[Span, ...]:
    """A file or address with the line above it."""
    return label("Instructions from: "), environment("path", each.path), label("\n"), *each.spans


def spans_of(file: FileText) -> tuple[Span, ...]:
    """A file's whole text without a byte order mark."""
    text = file.text.removeprefix("\ufeff")
    return (file_text(file.path, text, 1),) if file.found and text else ()


def _usable(file: FileText) -> Condition:
    if file.found:
        return ALWAYS
    return absent(file.path, f"it cannot be read: {file.problem}", f"make {file.path} a file that can be read")


def _named_by(source: SettingSource | None) -> Condition:
    if source is None:
        return ALWAYS
    text = "`instructions` names it"
    return Fact("file", source.key, True, text, text, source=source)


def full_path(path: str, session: Session) -> str:
    """A path of the command line."""
    return absolute(path, session.cwd, session.home)
