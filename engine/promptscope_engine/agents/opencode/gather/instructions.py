"""Instruction files: the user's, the project's by the first name that is found, those of the settings, addresses.

A read of a file brings along further ones, of the folders from its own up to the start folder.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from promptscope_engine.agents.kit.disk.rows import absent, entered, places_of, usable
from promptscope_engine.agents.kit.disk.settings import note
from promptscope_engine.agents.kit.disk.walking import first_there, from_home, unread, upwards
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.materials import Instructions
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.javascript.glob import is_pattern
from promptscope_engine.javascript.packages import globbed
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, stated
from promptscope_engine.prompt.drafts import Span, file_text, label, param_value
from promptscope_engine.prompt.model import Load, SettingSource
from promptscope_engine.prompt.sourced import Sourced

from .settings import Session, named_by

KIND = "agents-md"
NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")
"""The names of instruction files, of which the first that is found anywhere counts."""
_ADDRESS = ("http://", "https://")
_MOST = 2_000
"""Files that one pattern may name."""


class InstructionFiles:
    """Collects the files in their order, each once by its path. `names` are those of the project's."""

    def __init__(self, session: Session) -> None:
        self.session, self.workspace = session, session.workspace
        self.names: dict[str, Condition] = dict.fromkeys(NAMES, ALWAYS)
        self.names["CLAUDE.md"] = session.gate("claude_files")
        self.let_in = [name for name, when in self.names.items() if when.holds(Facts())]
        self.found: dict[str, Instructions] = {}
        self.seen: set[str] = set()
        self.brought: dict[int, set[str]] = {}

    def gather(self) -> tuple[Instructions, ...]:
        """The user's, the project's, those of the settings, and the addresses."""
        session = self.session
        own = next(iter(named_by(session.inputs, "OPENCODE_CONFIG_DIR")), session.config)
        users = {f"{own}/AGENTS.md": ALWAYS, f"{session.home}/.claude/CLAUDE.md": self.names["CLAUDE.md"]}
        self._first({path: ([path], when) for path, when in users.items()})
        if session.of_project:
            every = {name: [resolve(folder, name) for folder in session.folders] for name in self.names}
            there = {name: list(filter(self.workspace.kind, paths)) for name, paths in every.items()}
            if not self._first({name: (paths, self.names[name]) for name, paths in there.items()}):
                self._first({"": (every[self.let_in[0]][:1], ALWAYS)})  # where one would be
        entries = session.settings.items("instructions", overlays=True)
        for entry in (each for each in entries if not each.value.startswith(_ADDRESS)):
            self._named(entry)
        addresses = (entry for entry in entries if entry.value.startswith(_ADDRESS))
        self.sent = tuple(self.found)
        sent = (*self.found.values(), *filter(None, map(self._address, addresses)))
        places = places_of(FOLDER.agent, {"start": (session.cwd,), "user": (own,)}, names=tuple(self.let_in))
        walk = session.walk if session.is_repository else None
        unread(session, walk, places, self.let_in, "move it into the repository")
        return sent

    def _add(self, path: str, when: Condition, source: SettingSource | None = None, load: Load = "always") -> None:
        """A file, whole, without a byte order mark; an empty one adds nothing. `source`: the setting that names it."""
        if path in self.seen:
            return
        self.seen.add(path)
        file = self.workspace.read(path)
        text, when = file.text.removeprefix("\ufeff") if file.found else "", when & usable(file)
        if file.found and not text:
            when = when & absent(path, "it is empty", f"write something into {path}")
        self.session.row(file, KIND, load, when, text)
        if text:
            self.found[path] = Instructions(path, (file_text(path, text, 1),), when & _named_by(source))

    def _first(self, groups: Mapping[str, tuple[Sequence[str], Condition]]) -> str:
        """The first of some groups of which a file is there and let in counts; the files of the others have rows."""
        taken = ""
        for name, (paths, when) in groups.items():
            counts = not taken and when.holds(Facts()) and any(map(self.workspace.kind, paths))
            for path in paths:
                file, why = self.workspace.read(path), f"only {taken} counts, as it comes first"
                if counts:
                    self._add(path, when)
                    continue
                is_second = taken and self.workspace.kind(path)
                never = absent(path, why, f"take {taken} away") if is_second else when & usable(file)
                self.session.row(file, KIND, "always", never)
            taken = name if counts else taken
        return taken

    def _named(self, entry: Sourced[str]) -> None:
        """The files that an entry of the settings names; a relative one is looked up in every folder up to the root."""
        session, text = self.session, from_home(entry.value, self.session.home)
        folder, _, last = text.rpartition("/")
        if text.startswith("/"):
            is_there = not is_pattern(folder) and self._pattern(folder or "/", last, entry.source)
            where = ""
        else:
            tops = session.folders if session.of_project else [session.config]
            is_there = bool(
                sum(self._pattern(each, text, entry.source) for each in tops)
            )  # each of them is looked into
            where = "; a relative path is looked up in every folder from the start folder up to the root"
            beside = resolve((entry.source.path or "").rpartition("/")[0] or "/", text)
            if entry.source.path and self.workspace.kind(beside) == "file":
                where += f", not beside the settings: name it as {session.shown(beside)}"
        if not is_there:
            text = f"`instructions` names {entry.value}: there is no such file{where}"
            session.diagnostics.append(note(text, entry.source))

    def _pattern(self, folder: str, text: str, source: SettingSource) -> bool:
        """The files that a setting names from a folder on, if they may be read; False if there is none."""
        follow = self.session.inputs.follow_links
        plain = takewhile(lambda part: not is_pattern(part), text.split("/")[:-1])
        start = resolve(folder, "/".join(plain) or ".")
        if not entered(self.workspace, start, follow, "OpenCode").holds(Facts()):
            self.session.note(FOLDER.agent["notes"], {"outside": source}, key=source.key, folder=start)
            return True
        if follow:
            self.workspace.allow([start])
        paths = list(globbed(self.workspace, folder, text, most=_MOST))
        for path in paths:
            self._add(path, ALWAYS, source)
        return bool(paths)

    def _address(self, entry: Sourced[str]) -> Instructions | None:
        """Nothing is fetched: the scenario may say what the address answers."""
        path = "/" + entry.value.partition("://")[2].partition("/")[2]
        text = self.session.params.urls.get(path)
        missing = entry.source if text is None else None
        self.session.note(FOLDER.agent["notes"], {"address-not-fetched": missing}, address=entry.value)
        spans = (param_value(f"urls.{path}", text or ""),)
        return Instructions(entry.value, spans, _named_by(entry.source)) if text else None

    def woken(self, path: str, message: int) -> tuple[Span, ...]:
        """The reminder of the files that a read brings along: the first name in each folder up to the start folder.

        A file comes once in a message, and not where it is sent anyway; another message may bring it along again.
        """
        cwd, spans = self.session.cwd, list[Span]()
        if not path.startswith(f"{cwd.rstrip('/')}/") or self.workspace.kind(path) != "file":
            return ()
        brought = self.brought.setdefault(message, {path, *self.sent})
        for folder in upwards(path.rpartition("/")[0], cwd)[:-1]:
            near = first_there(self.workspace, (resolve(folder, name) for name in self.let_in)) or path
            if near not in brought:
                brought.add(near)
                self._add(near, ALWAYS, load="on-demand")
                if near in self.found:
                    entry = FOLDER.spans("instructions", Scope({"each": self.found[near]}))
                    spans += (label("\n\n" if spans else "\n\n<system-reminder>\n"), *entry)
        return (*spans, label("\n</system-reminder>")) if spans else ()


def _named_by(source: SettingSource | None) -> Condition:
    """A setting names a file."""
    return stated("file", source.key, True, f"`{source.key}` names it", source=source) if source else ALWAYS
