"""Mentions and commands in the user's words, and what they bring in (specs/roo-user-messages.md, section
3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from promptscope_engine.javascript.path import resolve
from promptscope_engine.javascript.text import JS_WHITESPACE
from promptscope_engine.prompt.conditions import Observed
from promptscope_engine.prompt.drafts import builtin, computed, label, param_value
from promptscope_engine.prompt.pieces import Pieces, joined, put_in

from .files import Content, FileReader, MissingPathError
from .git import commit_text, working_state_text
from .problems import problems_text
from .terminal import terminal_text
from .tree import DataTree, Tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from promptscope_engine.agents.roo.features.replies.format_response import Block
    from promptscope_engine.agents.roo.ignore import RooIgnore

_TAGS_OF_WORDS = ("<task>", "<feedback>", "<answer>", "<user_message>")
"""A text is looked through if it contains one of these, anywhere, and then as a whole."""

_MENTION = re.compile(
    rf"(?:^|(?<=[{JS_WHITESPACE}]))(?<!\\)"
    rf"@((?:/|\w+://)(?:[^{JS_WHITESPACE}\\]|\\ )+?|[a-f0-9]{{7,40}}\b|problems\b|git-changes\b|terminal\b)"
    rf"(?=[.,;:!?]?(?=[{JS_WHITESPACE}]|\Z))",
    re.ASCII,
)
_HASH = re.compile(r"[a-f0-9]{7,40}")
_COMMAND = re.compile(rf"(?:^|[{JS_WHITESPACE}])/([a-zA-Z0-9_.-]+)(?=[{JS_WHITESPACE}]|\Z)")


MentionKind = Literal["path", "page", "problems", "git", "terminal", "command", "unknown"]


@dataclass(frozen=True)
class Sources:
    """All that mentions can bring in, given as data; what is absent from it cannot be had."""

    cwd: str = "/project"
    """Absolute."""

    files: Mapping[str, str | bytes] = field(default_factory=dict)
    """Texts or bytes by path relative to `cwd`; a name that ends in `/` is a folder."""

    ignore: RooIgnore | None = None
    show_ignored: bool = False
    """The setting showRooIgnoredFiles."""

    max_read_file_line: float | None = None
    """The setting maxReadFileLine; None or -1: no limit."""

    urls: Mapping[str, Any] = field(default_factory=dict)
    """Markdown by address, or `{error}`."""

    browser_error: str | None = None
    """Why no browser can be started."""

    diagnostics: Sequence[Mapping[str, Any]] = ()
    """`[{path, line, severity, source, message}]` in the editor's order, lines from 0."""

    documents: Mapping[str, str | None] = field(default_factory=dict)
    """Texts by path as the editor opens them, None for a folder."""

    include_diagnostics: bool = True
    """The setting includeDiagnosticMessages."""

    max_diagnostics: int | None = 50
    """The setting maxDiagnosticMessages; 0 or less: no limit."""

    git: Mapping[str, Any] | None = None
    """What git printed, None for no repository: `{status, diff, commits: {hash: {info, stats, diff}}}`."""

    terminal: Mapping[str, Any] | None = None
    """`{clipboard, selection?, error?}`."""

    commands: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """`{content, description?}` by name, resolved; a content is a text, or pieces that know where they come from."""

    tree: Tree | None = None
    """Where files are looked up in place of `files`."""


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


def expand_mentions(text: str, **sources: Any) -> Expansion:
    """Point every mention and command in `text` to its content, and append the contents.

    `sources` are the fields of Sources. Contents that were appended are not looked through again.
    """
    return expand_pieces((computed("words", text),), Sources(**sources))


def expand_pieces(words: Pieces, sources: Sources) -> Expansion:
    """`expand_mentions` for words whose origins are known."""
    return _Expander(sources).expand(words)


def command_names(text: str) -> tuple[str, ...]:
    """The names in `text` that are commands if there are such commands, by first occurrence."""
    return tuple(dict.fromkeys(match[1] for match in _COMMAND.finditer(text)))


def expand_content(blocks: Sequence[Block], **sources: Any) -> list[Block]:
    """The blocks with all mentions expanded in the texts that hold words of the user, others unchanged.

    Looked at are text blocks and the texts of tool results; `sources` are the fields of Sources.
    """
    expander = _Expander(Sources(**sources))
    return [_expand_block(block, expander) for block in blocks]


def _expand_block(block: Block, expander: _Expander) -> Block:
    if block["type"] == "text":
        return {**block, "text": expander.expand_words(block["text"])}
    if block["type"] != "tool_result":
        return block
    content = block.get("content")
    if isinstance(content, str):
        return {**block, "content": expander.expand_words(content)}
    if isinstance(content, list):
        parts = [_expand_block(part, expander) if part["type"] == "text" else part for part in content]
        return {**block, "content": parts}
    return block


class _Expander:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        tree = sources.tree or DataTree(sources.cwd, sources.files)
        self._files = FileReader(
            resolve("/", sources.cwd), tree, sources.ignore, sources.show_ignored, sources.max_read_file_line
        )

    def expand_words(self, text: str) -> str:
        return self.expand((computed("words", text),)).text if any(tag in text for tag in _TAGS_OF_WORDS) else text

    def expand(self, words: Pieces) -> Expansion:
        # Commands come first, so that a mention directly before one grows by its replacement (section 3.1).
        words, commands = self._place_commands(words)
        found = list(_MENTION.finditer(joined(words)))
        for match in reversed(found):
            if pointer := _pointer(match[1]):
                words = put_in(words, match.start(), match.end(), (builtin("mention.pointer", pointer),))
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
        content = command["content"]
        pieces = [label(f'<command name="{name}">\n')]
        if command.get("description"):
            pieces += [label("Description: "), computed("command.description", command["description"]), label("\n\n")]
        pieces += [computed("command", content)] if isinstance(content, str) else content
        return Appended(name, "command", (*pieces, label("\n</command>")))

    def _content(self, mention: str, tracked: list[str]) -> Appended:
        """What is appended for a mention, nothing for an unknown scheme; adds to the files to watch."""
        sources = self._sources
        if mention.startswith("http"):
            return self._page(mention)
        if mention.startswith("/"):
            return self._path_content(mention, tracked)
        if mention == "problems":
            problems = problems_text(
                sources.cwd,
                sources.diagnostics,
                sources.documents,
                sources.include_diagnostics,
                sources.max_diagnostics,
            )
            return Appended(mention, "problems", _tagged("workspace_diagnostics", "", "editor.problems", problems))
        if mention == "git-changes":
            changes = working_state_text(sources.git)
            pieces = _tagged("git_working_state", "", "editor.git", changes)
            return Appended(mention, "git", pieces, _not_given("editor.git", sources.git is not None))
        if _HASH.fullmatch(mention):
            commit = commit_text(sources.git, mention)
            known = mention in ((sources.git or {}).get("commits") or {})
            pieces = _tagged("git_commit", f' hash="{mention}"', "editor.git", commit)
            return Appended(mention, "git", pieces, _not_given(f"editor.git.commits.{mention}", known))
        if mention == "terminal":
            pieces = _tagged("terminal_output", "", "editor.terminalText", terminal_text(sources.terminal))
            return Appended(
                mention, "terminal", pieces, _not_given("editor.terminalText", sources.terminal is not None)
            )
        unknown = Observed("flag", mention, False, "", f"{mention.partition(':')[0]} is no scheme that is looked up")
        return Appended(mention, "unknown", (), unknown)

    def _path_content(self, mention: str, tracked: list[str]) -> Appended:
        path = mention[1:]
        # The tag goes by the final slash, what is in it by what is there (section 3.3).
        tag = "folder_content" if mention.endswith("/") else "file_content"
        try:
            content = self._files.read(path)
        except MissingPathError as error:
            text = f'Error fetching content: Nothing could be read at the path "{path}": {error}'
            fact = Observed("file", path, False, f"{path} was found", f"there is no {path}")
            content = Content((builtin("mention.missing", text),), fact)
        else:
            if tag == "file_content":
                tracked.append(path)
        pieces = (label(f'<{tag} path="{path}">\n'), *content.pieces, label(f"\n</{tag}>"))
        return Appended(mention, "path", pieces, content.held_back, content.read, content.rest)

    def _page(self, address: str) -> Appended:
        sources = self._sources
        known = address in sources.urls or sources.browser_error is not None
        page = sources.urls.get(address, {"error": "net::ERR_INTERNET_DISCONNECTED"})
        if sources.browser_error is not None:
            page = {"error": sources.browser_error}
        text = page if isinstance(page, str) else f"Error fetching content: {page['error']}"
        pieces = _tagged("url_content", f' url="{address}"', "editor.pages", text)
        return Appended(address, "page", pieces, _not_given("editor.pages", known))


def _tagged(tag: str, attributes: str, param: str, text: str) -> Pieces:
    return label(f"<{tag}{attributes}>\n"), param_value(param, text), label(f"\n</{tag}>")


def _not_given(param: str, known: bool) -> Observed | None:
    """What only the editor, git or a browser would know, and the scenario does not say."""
    return None if known else Observed("flag", param, False, f"`{param}` is given", f"`{param}` is not given")


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
