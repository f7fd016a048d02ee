"""Mentions and commands in the user's words, and what they bring in (specs/roo-user-messages.md 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.params import Git, Problem
from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.text import JS_WHITESPACE
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import builtin, computed, label, param_value
from promptscope_engine.prompt.pieces import Pieces, joined, put_in, replaced

from .files import Content, FileReader, MissingPathError
from .texts import commit_text, problems_text, working_state_text
from .tree import Tree

_MENTION = re.compile(
    rf"(?:^|(?<=[{JS_WHITESPACE}]))(?<!\\)"
    rf"@((?:/|\w+://)(?:[^{JS_WHITESPACE}\\]|\\ )+?|[a-f0-9]{{7,40}}\b|problems\b|git-changes\b|terminal\b)"
    rf"(?=[.,;:!?]?(?=[{JS_WHITESPACE}]|\Z))",
    re.ASCII,
)
_HASH = re.compile(r"[a-f0-9]{7,40}")
_COMMAND = re.compile(rf"(?:^|[{JS_WHITESPACE}])/([a-zA-Z0-9_.-]+)(?=[{JS_WHITESPACE}]|\Z)")


MentionKind = Literal["path", "page", "problems", "git", "terminal", "command", "unknown"]


@frozen(slots=False)
class Command:
    """A slash command. `path` is its file, None for a built-in one."""

    content: Pieces
    description: str | None = None
    path: str | None = None


@frozen(slots=False)
class Sources:
    """Everything that mentions can bring in; what is not in here cannot be fetched."""

    cwd: str
    """Absolute."""

    tree: Tree
    """Where files are looked up."""

    ignore: RooIgnore | None = None
    show_ignored: bool = False
    """The setting showRooIgnoredFiles."""

    max_read_file_line: float | None = None
    """The setting maxReadFileLine; None or -1: no limit."""

    page: Callable[[str], str | None] = lambda _: None
    """What is there at an address, as Markdown, or why it cannot be fetched; None: it is not known."""

    problems: Sequence[Problem] = ()
    """In the editor's order."""

    documents: Mapping[str, str | None] = field(default_factory=dict)
    """Texts by path as the editor opens them, None for a folder."""

    include_problems: bool = True
    """The setting includeDiagnosticMessages."""

    max_problems: int | None = None
    """The setting maxDiagnosticMessages; None, 0 or less: no limit."""

    git: Git | None = None
    """What git printed, None for no repository."""

    terminal: str | None = None
    """What copying the terminal gives, None where it is not known."""

    commands: Mapping[str, Command] = field(default_factory=dict)


@frozen(slots=False)
class Appended:
    """What one mention or command brings in, below the words."""

    mention: str
    """As it was written, without the `@` or `/` in front."""

    kind: MentionKind
    pieces: Pieces
    """Without the empty line before it; () where nothing is appended."""

    held_back: Observed | None = None
    """Why what was mentioned, or a part of it, is not in the text."""

    read: tuple[str, ...] = ()
    """The files whose text is in it, absolute."""

    rest: Pieces = ()
    """Lines over a limit, each piece guarded by the reason for which it is not in the text."""


@frozen(slots=False)
class Expansion:
    """A text with its mentions put in place."""

    words: Pieces
    """The text, in which mentions and commands became pointers."""

    appended: tuple[Appended, ...]
    """The contents by first occurrence, mentions before commands."""

    tracked: list[str]
    """The mentioned files that the agent goes on to watch, as mentioned, without the leading slash."""

    @property
    def text(self) -> str:
        """The words, and below them the contents."""
        contents = [joined(each.pieces) for each in self.appended]
        return joined(self.words) + "".join(f"\n\n{content}" for content in contents if content)


def expand_pieces(words: Pieces, sources: Sources) -> Expansion:
    """Point every mention and command in the words to its content; appended contents are not searched again."""
    return _Expander(sources).expand(words)


def command_names(text: str) -> tuple[str, ...]:
    """The names in `text` that are commands if there are such commands, by first occurrence."""
    return tuple(dict.fromkeys(match[1] for match in _COMMAND.finditer(text)))


class _Expander:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._files = FileReader(
            resolve("/", sources.cwd), sources.tree, sources.ignore, sources.show_ignored, sources.max_read_file_line
        )

    def expand(self, words: Pieces) -> Expansion:
        # Commands come first, so that a mention directly before one grows by its replacement (section 3.1).
        words, commands = self._place_commands(words)
        found = list(_MENTION.finditer(joined(words)))
        pointers = [(*match.span(), _pointer(match[1])) for match in found]
        places = [(start, end, (builtin("mention.pointer", to),)) for start, end, to in pointers if to]
        words = replaced(words, places)
        tracked: list[str] = []
        contents = [self._content(mention, tracked) for mention in dict.fromkeys(match[1] for match in found)]
        contents += [self._command_content(name) for name in commands]
        return Expansion(words, tuple(contents), tracked)

    def _place_commands(self, words: Pieces) -> tuple[Pieces, list[str]]:
        """The words that point to the known commands in them, and their names by first occurrence."""
        known = [match for match in _COMMAND.finditer(joined(words)) if match[1] in self._sources.commands]
        for match in known:
            # The first place that reads like the match, the white space before it included, which so is lost;
            # it may be another one than the match's own (section 3.1).
            at = joined(words).index(match[0])
            pointer = builtin("command.pointer", f"Command '{match[1]}' (what it says follows below)")
            words = put_in(words, at, at + len(match[0]), (pointer,))
        return words, list(dict.fromkeys(match[1] for match in known))

    def _command_content(self, name: str) -> Appended:
        command = self._sources.commands[name]
        head: Pieces = (label(f'<command name="{name}">\n'),)
        if command.description:
            head += (label("Description: "), computed("command.description", command.description), label("\n\n"))
        return Appended(name, "command", (*head, *command.content, label("\n</command>")))

    def _content(self, mention: str, tracked: list[str]) -> Appended:
        """What is appended for a mention, nothing for an unknown scheme; adds to the files to watch."""
        sources = self._sources
        if mention.startswith("http"):
            return self._page(mention)
        if mention.startswith("/"):
            return self._path_content(mention, tracked)
        if mention == "problems":
            problems = problems_text(
                sources.cwd, sources.problems, sources.documents, sources.include_problems, sources.max_problems
            )
            return _told(mention, "problems", "workspace_diagnostics", problems, "editor.problems")
        if mention == "git-changes":
            text = working_state_text(sources.git)
            return _told(mention, "git", "git_working_state", text, "editor.git", known=sources.git is not None)
        if _HASH.fullmatch(mention):
            text = commit_text(sources.git, mention)
            told = _told(mention, "git", f'git_commit hash="{mention}"', text, "editor.git")
            known = sources.git is not None and mention in sources.git.commits
            return told if known else replace(told, held_back=_not_given(f"editor.git.commits.{mention}"))
        if mention == "terminal":
            text, known = sources.terminal or "", sources.terminal is not None
            return _told(mention, "terminal", "terminal_output", text, "editor.terminalText", known=known)
        scheme = mention.partition(":")[0]
        no, remedy = f"{scheme} is not a scheme that Roo fetches", "use an http or https address"
        unknown = Observed("flag", mention, False, "", no, remedy=remedy)
        return Appended(mention, "unknown", (), unknown)

    def _path_content(self, mention: str, tracked: list[str]) -> Appended:
        path = mention[1:]
        # The tag goes by the final slash, what is in it by what is there (section 3.3).
        tag = "folder_content" if mention.endswith("/") else "file_content"
        try:
            content = self._files.read(path)
        except MissingPathError as error:
            text = f'Error fetching content: Nothing could be read at the path "{path}": {error}'
            no, remedy = f"there is no {path}", f"create {path}, or correct the mention"
            fact = Observed("file", path, False, f"{path} was found", no, remedy=remedy)
            content = Content((builtin("mention.missing", text),), fact)
        else:
            if tag == "file_content":
                tracked.append(path)
        pieces = (label(f'<{tag} path="{path}">\n'), *content.pieces, label(f"\n</{tag}>"))
        return Appended(mention, "path", pieces, content.held_back, content.read, content.rest)

    def _page(self, address: str) -> Appended:
        text = self._sources.page(address)
        shown = cannot_fetch("net::ERR_INTERNET_DISCONNECTED") if text is None else text
        return _told(address, "page", f'url_content url="{address}"', shown, "editor.pages", known=text is not None)


def cannot_fetch(why: str) -> str:
    """What stands for a page that cannot be fetched."""
    return f"Error fetching content: {why}"


def _told(mention: str, kind: MentionKind, tag: str, text: str, param: str, *, known: bool = True) -> Appended:
    """What only the editor, git or a browser knows, as `param` has it; `known`: the scenario says it."""
    pieces = (label(f"<{tag}>\n"), param_value(param, text), label(f"\n</{tag.partition(' ')[0]}>"))
    return Appended(mention, kind, pieces, None if known else _not_given(param))


def _not_given(param: str) -> Observed:
    no, remedy = f"`{param}` is not given", f"set `{param}` to what the editor has"
    return Observed("flag", param, False, f"`{param}` is given", no, remedy=remedy)


def _pointer(mention: str) -> str:
    """What stands in the place of a mention; empty for an unknown scheme, which stays as it is."""
    if mention.startswith("http"):
        return f"'{mention}' (the page's content follows below)"
    if mention.startswith("/"):
        kind = "folder" if mention.endswith("/") else "file"
        return f"'{mention[1:]}' (the {kind}'s content follows below)"
    if mention == "problems":
        return "Workspace Problems (the diagnostics follow below)"
    if mention == "git-changes":
        return "Working directory changes (they follow in full below)"
    if _HASH.fullmatch(mention):
        return f"Git commit '{mention}' (what it holds follows below)"
    if mention == "terminal":
        return "Terminal Output (what was printed follows below)"
    return ""
