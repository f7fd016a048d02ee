"""Mentions and commands in the user's words, and what they bring in (specs/roo-user-messages.md, section
3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from promptscope_engine.agents.roo.user_messages.mention_files import FileTree, MissingPathError
from promptscope_engine.agents.roo.user_messages.mention_git import commit_text, working_state_text
from promptscope_engine.agents.roo.user_messages.mention_problems import problems_text
from promptscope_engine.agents.roo.user_messages.mention_terminal import terminal_text
from promptscope_engine.jstext import JS_WHITESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from promptscope_engine.agents.roo.responses.format_response import Block
    from promptscope_engine.agents.roo.responses.ignore import RooIgnore

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
    """`{content, description?}` by name, resolved."""


@dataclass(frozen=True)
class Expansion:
    """A text with its mentions put in place."""

    text: str
    tracked: list[str]
    """The mentioned files that the agent goes on to watch, as mentioned, without the leading slash."""


def expand_mentions(text: str, **sources: Any) -> Expansion:
    """Point every mention and command in `text` to its content, and append the contents.

    `sources` are the fields of Sources. Contents that were appended are not looked through again.
    """
    return _Expander(Sources(**sources)).expand(text)


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
        self._tree = FileTree(
            sources.cwd, sources.files, sources.ignore, sources.show_ignored, sources.max_read_file_line
        )

    def expand_words(self, text: str) -> str:
        return self.expand(text).text if any(tag in text for tag in _TAGS_OF_WORDS) else text

    def expand(self, text: str) -> Expansion:
        # Commands come first, so that a mention directly before one grows by its replacement (section 3.1).
        text, commands = self._place_commands(text)
        mentions = list(dict.fromkeys(match[1] for match in _MENTION.finditer(text)))
        text = _MENTION.sub(lambda match: _pointer(match[1]) or match[0], text)
        tracked: list[str] = []
        contents = [self._content(mention, tracked) for mention in mentions]
        contents += [self._command_content(name) for name in commands]
        return Expansion(text + "".join(f"\n\n{content}" for content in contents if content), tracked)

    def _place_commands(self, text: str) -> tuple[str, list[str]]:
        """The text that points to the known commands in it, and their names by first occurrence."""
        known = [match for match in _COMMAND.finditer(text) if match[1] in self._sources.commands]
        for match in known:
            # The first place that reads like the match, the white space before it included, which so is lost;
            # it may be another one than the match's own (section 3.1).
            pointer = f"Command '{match[1]}' (what it says follows below)"
            text = text.replace(match[0], pointer, 1)
        return text, list(dict.fromkeys(match[1] for match in known))

    def _command_content(self, name: str) -> str:
        command = self._sources.commands[name]
        description = f"Description: {command['description']}\n\n" if command.get("description") else ""
        return f'<command name="{name}">\n{description}{command["content"]}\n</command>'

    def _content(self, mention: str, tracked: list[str]) -> str:
        """What is appended for a mention, empty for an unknown scheme; adds to the files to watch."""
        sources = self._sources
        if mention.startswith("http"):
            return f'<url_content url="{mention}">\n{self._page(mention)}\n</url_content>'
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
            return f"<workspace_diagnostics>\n{problems}\n</workspace_diagnostics>"
        if mention == "git-changes":
            return f"<git_working_state>\n{working_state_text(sources.git)}\n</git_working_state>"
        if _HASH.fullmatch(mention):
            return f'<git_commit hash="{mention}">\n{commit_text(sources.git, mention)}\n</git_commit>'
        if mention == "terminal":
            return f"<terminal_output>\n{terminal_text(sources.terminal)}\n</terminal_output>"
        return ""

    def _path_content(self, mention: str, tracked: list[str]) -> str:
        path = mention[1:]
        # The tag goes by the final slash, what is in it by what is there (section 3.3).
        tag = "folder_content" if mention.endswith("/") else "file_content"
        try:
            text = self._tree.read(path)
        except MissingPathError as error:
            text = f'Error fetching content: Nothing could be read at the path "{path}": {error}'
        else:
            if tag == "file_content":
                tracked.append(path)
        return f'<{tag} path="{path}">\n{text}\n</{tag}>'

    def _page(self, address: str) -> str:
        if self._sources.browser_error is not None:
            return f"Error fetching content: {self._sources.browser_error}"
        page = self._sources.urls.get(address, {"error": "net::ERR_INTERNET_DISCONNECTED"})
        return page if isinstance(page, str) else f"Error fetching content: {page['error']}"


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
