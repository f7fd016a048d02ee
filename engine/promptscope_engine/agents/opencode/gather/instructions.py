"""Instruction files: the user's, the project's by the first name that is found, those of the settings, addresses.

A read of a file brings along further ones, of the folders from its own up to the start folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from promptscope_engine.agents.kit.rows import Place, near_misses
from promptscope_engine.agents.kit.walking import beyond, from_home
from promptscope_engine.agents.opencode import collecting
from promptscope_engine.agents.opencode.collecting import KIND, Instructions
from promptscope_engine.agents.opencode.gates import switched
from promptscope_engine.agents.opencode.texts import FOLDER, entry_of
from promptscope_engine.javascript.glob import is_pattern
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.prompt.drafts import Span, label, param_value
from promptscope_engine.prompt.sourced import Sourced

from .settings import Session

_ADDRESS = ("http://", "https://")
_SAID = FOLDER.agent["instructions"]


@dataclass(eq=False, repr=False)
class InstructionFiles:
    """Collects the files in their order."""

    session: Session

    def __post_init__(self) -> None:
        session = self.session
        off = (switched(session.env, f"OPENCODE_DISABLE_CLAUDE_CODE{end}") for end in ("", "_PROMPT"))
        claude = ~(next(off) | next(off))
        self.names: dict[str, Condition] = {n: claude if n == "CLAUDE.md" else ALWAYS for n in _SAID["names"]}
        self.files = collecting.Collector(session, "OpenCode", session.inputs.follow_links)

    def gather(self) -> tuple[Instructions, ...]:
        """The user's, the project's, those of the settings, and the addresses."""
        session, files = self.session, self.files
        named = session.env.get("OPENCODE_CONFIG_DIR")
        own = resolve(session.cwd, named) if named else session.config
        files.first([(f"{own}/AGENTS.md", ALWAYS), (f"{session.home}/.claude/CLAUDE.md", self.names["CLAUDE.md"])])
        if session.of_project:
            files.chain(session.folders, self.names)
        entries = session.settings.items("instructions", overlays=True)
        for entry in (each for each in entries if not each.value.startswith(_ADDRESS)):
            self._named(entry)
        addresses = (entry for entry in entries if entry.value.startswith(_ADDRESS))
        sent = (*files.found.values(), *filter(None, map(self._address, addresses)))
        self._near(own)
        return sent

    def _named(self, entry: Sourced[str]) -> None:
        """The files that an entry of the settings names; a relative one is looked up in every folder up to the root."""
        session, text = self.session, from_home(entry.value, self.session.home)
        folder, _, last = text.rpartition("/")
        if not text.startswith("/"):
            for each in session.folders if session.of_project else [session.config]:
                self.files.pattern(each, text, entry.source)
        elif not is_pattern(folder):
            self.files.pattern(folder or "/", last, entry.source)

    def _address(self, entry: Sourced[str]) -> Instructions | None:
        """Nothing is fetched: the scenario may say what the address answers."""
        path = "/" + entry.value.partition("://")[2].partition("/")[2]
        text = self.session.params.urls.get(path)
        if text is None:
            said = f"`instructions` names {entry.value}, which is not fetched here; `urls` says what it answers"
            self.session.say("info", "address-not-fetched", said, entry.source.path, entry.source.line)
        spans = (param_value(f"urls.{path}", text),) if text else ()
        return Instructions(entry.value, spans, collecting.named_by(entry.source)) if text else None

    def _near(self, own: str) -> None:
        """Near misses, and what would count if the walk went on."""
        session, names = self.session, tuple(n for n, when in self.names.items() if when.holds(Facts()))
        places = [
            Place(session.cwd.rstrip("/"), KIND, names, theirs=_SAID["theirs"], others=_SAID["others"]),
            Place(own, KIND, ("AGENTS.md",), others=_SAID["of_user"]),
        ]
        known = {file.path for file in session.files}
        session.files += near_misses(session.workspace, places, known)

        def files_in(_: object, folder: str) -> Iterator[str]:
            return (f"{folder.rstrip('/')}/{name}" for name in names)

        if session.is_repository:
            remedy = "move it into the repository"
            session.files += beyond(session.workspace, session.walk, (KIND, files_in), known, remedy)

    def woken(self, path: str) -> tuple[Span, ...]:
        """The reminder of the files that a read brings along."""
        names = [name for name, when in self.names.items() if when.holds(Facts())]
        spans: list[Span] = []
        for each in self.files.woken(path, self.session.cwd, names):
            spans += (label("\n\n" if spans else "\n\n<system-reminder>\n"), *entry_of(each))
        return (*spans, label("\n</system-reminder>")) if spans else ()
