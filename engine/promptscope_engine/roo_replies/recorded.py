"""Replies to tool calls and user messages, by the names that recordings use."""

import posixpath
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from promptscope_engine.agents.roo.gather.editor import DEFAULT_LIMITS, Listing, LocalTime, Session, details, todo_rows
from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.ignore import RooProtected as RooProtected
from promptscope_engine.agents.roo.mentioned_files import add_line_numbers as add_line_numbers
from promptscope_engine.agents.roo.mentions import (
    Command,
    Expansion,
    Sources,
    cannot_fetch,
    expand_spans,
    terminal_text,
)
from promptscope_engine.agents.roo.params import Editor, Git, Problem, RooParams
from promptscope_engine.agents.roo.sections import details_sections
from promptscope_engine.agents.roo.terminal import compress_output as compress_output
from promptscope_engine.inputs.params import flatten
from promptscope_engine.javascript.text import js_trim_end, resolve
from promptscope_engine.prompt.conditions import Facts
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.prompt.spans import Spans
from promptscope_engine.workspace.disk import Entry, Kind

from . import format_response as format_response
from .completion import attempt_completion as attempt_completion
from .format_response import Block
from .history import api_metrics as api_metrics
from .history import approval_content as approval_content
from .history import estimate_tokens as estimate_tokens
from .history import max_output_tokens as max_output_tokens
from .history import request_messages as request_messages
from .history import resume as resume
from .history import task_content as task_content
from .history import truncate as truncate
from .spoken import tool_label as tool_label

# --- environment details ----------------------------------------------------------------------------------------------


_OUTPUT_LIMITS = ("terminalOutputLineLimit", "terminalOutputCharacterLimit")
_EDITOR_SETTINGS = ("maxWorkspaceFiles", "maxOpenTabsContext", "showRooIgnoredFiles")


def environment_details(**facts: Any) -> str:
    """The text block, tags included; `facts` are the fields of `EditorFacts`."""
    return EditorFacts(**facts).details()


class EditorFacts(Struct, frozen=True, kw_only=True):
    """What the editor shows at a moment.

    Paths: `cwd`, `home`, `visible_files` and `open_tabs` are absolute, `recently_modified` relative. `ignore` is None
    only for an agent without .rooignore handling. `terminals` are `[{id, cwd, busy, task, command?, output?,
    processes?}]`, `task` being `"own"`, another task's id or None (in the background), `processes` `[{command,
    output}]` the finished ones, newest first. `now` is ISO 8601 in UTC with milliseconds, `utc_offset` minutes east,
    `cost` dollars. `mode` is `{slug, name, role?, instructions?}` as resolved; its role and instructions are shown with
    `power_steering`. `files` is `{paths, did_hit_limit}` with absolute paths, None for a message without a listing.
    `todos` are `[{id, content, status}]`; `settings` are the agent's, under its own names.
    """

    cwd: str
    now: str
    time_zone: str
    utc_offset: int
    mode: Mapping[str, Any]
    model: str
    home: str | None = None
    visible_files: Sequence[str] = ()
    open_tabs: Sequence[str] = ()
    ignore: RooIgnore | None = None
    terminals: Sequence[Mapping[str, Any]] = ()
    recently_modified: Sequence[str] = ()
    cost: float = 0
    power_steering: bool = False
    files: Mapping[str, Any] | None = None
    todos: Sequence[Mapping[str, Any]] | None = None
    settings: Mapping[str, Any] | None = None

    def details(self) -> str:
        """The environment details, made by the prompt's own sections."""
        sections = details_sections(self._shown(), _spans("role", self.mode), _spans("instructions", self.mode))
        facts = Facts(params=flatten(self._params().model_dump()))
        texts = {
            section.id.partition(".")[2]: "".join(span.text for span in section.spans if span.when.holds(facts))
            for section in sections
            if section.when.holds(facts)
        }
        if self.files is None:
            del texts["workspace_files"]
        opening, closing, todo_list = texts.pop(""), texts.pop("end"), texts.pop("todos", "")
        # The parts are trimmed as a whole: nothing trails behind the last one.
        return opening + js_trim_end("".join(texts.values())) + todo_list + closing

    @property
    def _given(self) -> Mapping[str, Any]:
        return self.settings or {}

    def _editor(self) -> Editor:
        return Editor(
            openTabs=list(self.open_tabs),
            visibleFiles=list(self.visible_files),
            recentlyModified=list(self.recently_modified),
            terminals=[{key: v for key, v in t.items() if v is not None or key == "task"} for t in self.terminals],
            todos=[{"content": todo["content"]} for todo in self.todos or ()],
            cost=self.cost,
            **{name: self._given[name] for name in _EDITOR_SETTINGS if name in self._given},
        )

    def _params(self) -> RooParams:
        return RooParams(
            task="x",
            editor=self._editor(),
            experiments={"powerSteering": self.power_steering},
            settings={"todoListEnabled": self._given.get("todoListEnabled", True)},
        )

    def _shown(self) -> dict[str, Any]:
        lines, characters = map(self._given.get, _OUTPUT_LIMITS, DEFAULT_LIMITS)
        files: Mapping[str, Any] = self.files or {"paths": (), "did_hit_limit": False}
        listing = Listing(tuple(files["paths"]), files["did_hit_limit"])
        time = LocalTime(self.now, self.time_zone, self.utc_offset)
        session = Session(self.mode["slug"], self.mode["name"], self.model, time, self.cwd, (lines, characters))
        shown = details(self._editor(), session, self.home, self.ignore, listing)
        shown["todos"] = todo_rows((todo["content"], todo["status"]) for todo in self.todos or ())
        return shown


def _spans(key: str, mode: Mapping[str, Any]) -> Spans:
    text = mode.get(key) or ""
    return (computed(f"mode.{key}", text),) if text else ()


# --- mentions ---------------------------------------------------------------------------------------------------------


_TAGS_OF_WORDS = ("<task>", "<feedback>", "<answer>", "<user_message>")
"""A text is searched for mentions if it contains one of these, anywhere, and then as a whole."""


def expand_mentions(text: str, **facts: Any) -> Expansion:
    """Point every mention and command in `text` to its content, and append the contents.

    `facts` are those of `_sources`. Appended contents are not searched again.
    """
    return expand_spans((computed("words", text),), _sources(**facts))


def expand_content(blocks: Sequence[Block], **facts: Any) -> list[Block]:
    """The blocks with all mentions expanded in the texts that hold words of the user, others unchanged.

    Text blocks and the texts of tool results count; `facts` are those of `_sources`.
    """
    sources = _sources(**facts)
    return [_expand_block(block, sources) for block in blocks]


def _expand_block(block: Block, sources: Sources) -> Block:
    if block["type"] == "text":
        return {**block, "text": _expand_words(block["text"], sources)}
    if block["type"] != "tool_result":
        return block
    content = block.get("content")
    if isinstance(content, str):
        return {**block, "content": _expand_words(content, sources)}
    if isinstance(content, list):
        parts = [_expand_block(part, sources) if part["type"] == "text" else part for part in content]
        return {**block, "content": parts}
    return block


def _expand_words(text: str, sources: Sources) -> str:
    if not any(tag in text for tag in _TAGS_OF_WORDS):
        return text
    return expand_spans((computed("words", text),), sources).text


def _sources(
    cwd: str = "/project",
    files: Mapping[str, str | bytes] | None = None,
    urls: Mapping[str, Any] | None = None,
    browser_error: str | None = None,
    **facts: Any,
) -> Sources:
    """What mentions can point to, as the prompt's own expansion takes it.

    `files` are texts or bytes by path relative to `cwd`, a name that ends in `/` is a folder. `urls` are Markdown by
    address, or `{error}`. `diagnostics` are `[{path, line, severity, source, message}]`, lines from 0; of them
    `include_diagnostics` and `max_diagnostics`. `git` is `{status, diff, commits: {hash: {info, stats, diff}}}`,
    `terminal` `{clipboard, selection?, error?}`, `commands` `{content, description?}` by name.
    """
    git, terminal = facts.pop("git", None), facts.pop("terminal", None)
    commands = facts.pop("commands", None) or {}
    return Sources(
        cwd=cwd,
        tree=DataTree(cwd, files or {}),
        page=partial(_page, urls or {}, browser_error),
        problems=[Problem.model_validate(_given(each)) for each in facts.pop("diagnostics", ())],
        documents=facts.pop("documents", None) or {},
        include_problems=facts.pop("include_diagnostics", True),
        max_problems=facts.pop("max_diagnostics", 50),
        git=None if git is None else Git.model_validate(_given(git)),
        terminal=None if terminal is None else _copied(terminal),
        commands={name: _command(command) for name, command in commands.items()},
        **facts,
    )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _page(urls: Mapping[str, Any], browser_error: str | None, address: str) -> str | None:
    if browser_error is not None:
        return cannot_fetch(browser_error)
    page: str | Mapping[str, str] | None = urls.get(address)
    return cannot_fetch(page["error"]) if isinstance(page, Mapping) else page


def _copied(values: Mapping[str, Any]) -> str:
    """The terminal's text; where nothing is selected, what was in the clipboard before is taken for it."""
    if values.get("error") is not None:
        return f"Error fetching terminal output: {values['error']}"
    before, selection = values.get("clipboard") or "", values.get("selection")
    return terminal_text(before if selection is None else selection, before)


def _command(values: Mapping[str, Any]) -> Command:
    return Command((computed("command", values["content"]),), values.get("description"))


# --- a tree of files as data, in place of the disk --------------------------------------------------------------------


class DataTree:
    """Files by path relative to `cwd`; a name that ends in `/` is a folder, those of files exist by themselves."""

    def __init__(self, cwd: str, files: Mapping[str, str | bytes]) -> None:
        self._files = {resolve(cwd, name): text for name, text in files.items() if not name.endswith("/")}
        named = {resolve(cwd, name) for name in files if name.endswith("/")} | {resolve("/", cwd)}
        around = {str(parent) for path in (*named, *self._files) for parent in PurePosixPath(path).parents}
        self._folders = named | around

    def kind(self, path: str) -> Kind | None:
        """What is at a path."""
        return "directory" if path in self._folders else "file" if path in self._files else None

    def entries(self, folder: str) -> list[Entry]:
        """The entries of a folder, byte-sorted."""
        split = (posixpath.split(path) for path in self._folders.union(self._files))
        names = [name for around, name in split if name and around == folder]
        names.sort(key=lambda name: name.encode("utf-8", "surrogatepass"))
        return [Entry(name, self.kind(posixpath.join(folder, name)) or "other") for name in names]

    def content(self, path: str) -> str | bytes:
        """The content of a file."""
        return self._files[path]

    def real(self, path: str) -> str:
        """The path: there are no links."""
        return path
