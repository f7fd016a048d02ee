"""An instruction file as Markdown: what is running text in it, and which comments are blocks of their own.

The client's reader is asked of 1,600 places in random documents [2.1.332]: CommonMark with what follows below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_CLOSED_HTML = re.compile(r" {0,3}(?:<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<![A-Za-z].*?>)", re.DOTALL)
"""The client reads on behind these, where CommonMark gives the rest of the line to the block."""


def running_text(text: str) -> Iterator[str]:
    """The stretches of text between marks, code, links, images, tags and escapes."""
    for block in _parser().parse(text):
        if block.type == "html_block":
            closed = _CLOSED_HTML.match(block.content)
            yield block.content[closed.end() :] if closed else ""
        else:
            yield from _stretches(block.children or ())


def comments(text: str) -> Iterator[tuple[int, int]]:
    """The comments that are blocks of their own, as (first line, the one behind the last), 0-based.

    None that never ends, and none in a list item or a quote.
    """
    for block in _parser().parse(text):
        content = block.content.lstrip(" ")
        is_comment = block.type == "html_block" and content.startswith("<!--") and "-->" in content
        if is_comment and not block.level and block.map:
            yield block.map[0], block.map[1]


@cache
def _parser() -> MarkdownIt:
    """An entity stays as it is written; addresses in `<>`, tables and strikethrough are text. Indented HTML does not
    end a paragraph."""
    from markdown_it import MarkdownIt  # 25 ms of a start, where a file has a `@path` or a comment
    from markdown_it.rules_block import html_block

    def html(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        goes_on = silent and state.parentType == "paragraph" and state.sCount[line] > state.blkIndent
        return not goes_on and html_block(state, line, end, silent)

    parser = MarkdownIt("commonmark").disable(["text_join", "entity", "autolink"])
    parser.block.ruler.at("html_block", html, {"alt": ["paragraph", "reference", "blockquote"]})
    return parser


def _stretches(inline: list[Token] | tuple[()]) -> Iterator[str]:
    text = ""
    for token in inline:
        if token.type in ("softbreak", "hardbreak"):
            text += "\n"
        elif token.type == "text" or (token.type == "text_special" and token.content.startswith("\\")):
            text += token.content  # `\ ` is no escape in Markdown
        else:
            yield text
            text = ""
    yield text
