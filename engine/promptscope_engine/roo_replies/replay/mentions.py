"""Mentions in texts, expanded from plain facts (docs/agents/roo.md#user-messages)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.mentions import (
    Command,
    Expansion,
    Sources,
    cannot_fetch,
    expand_spans,
    terminal_text,
)
from promptscope_engine.agents.roo.params import Git, Problem
from promptscope_engine.prompt.drafts import computed
from promptscope_engine.roo_replies.format_response import Block

from .data_tree import DataTree

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
    *,
    cwd: str = "/project",
    files: Mapping[str, str | bytes] | None = None,
    ignore: RooIgnore | None = None,
    show_ignored: bool = False,
    max_read_file_line: float | None = None,
    urls: Mapping[str, Any] | None = None,
    browser_error: str | None = None,
    diagnostics: Sequence[Mapping[str, Any]] = (),
    documents: Mapping[str, str | None] | None = None,
    include_diagnostics: bool = True,
    max_diagnostics: int | None = 50,
    git: Mapping[str, Any] | None = None,
    terminal: Mapping[str, Any] | None = None,
    commands: Mapping[str, Mapping[str, Any]] | None = None,
) -> Sources:
    """`files` are texts or bytes by path relative to `cwd`, a name that ends in `/` is a folder. `urls` are Markdown by
    address, or `{error}`. `diagnostics` are `[{path, line, severity, source, message}]`, lines from 0. `git` is
    `{status, diff, commits: {hash: {info, stats, diff}}}`, `terminal` `{clipboard, selection?, error?}`,
    `commands` `{content, description?}` by name.
    """
    return Sources(
        cwd=cwd,
        tree=DataTree(cwd, files or {}),
        ignore=ignore,
        show_ignored=show_ignored,
        max_read_file_line=max_read_file_line,
        page=partial(_page, urls or {}, browser_error),
        problems=[Problem.model_validate(_given(each)) for each in diagnostics],
        documents=documents or {},
        include_problems=include_diagnostics,
        max_problems=max_diagnostics,
        git=None if git is None else Git.model_validate(_given(git)),
        terminal=None if terminal is None else _copied(terminal),
        commands={name: _command(command) for name, command in (commands or {}).items()},
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
