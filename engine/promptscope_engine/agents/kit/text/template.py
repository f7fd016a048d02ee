r"""Texts of a prompt with their conditions, written in a part of Jinja's syntax and read into nodes.

    {.intro}Words of our own, under the id `SECTION.intro`{=} exact characters{~count} a computed text
    {{ cwd }}                                                    a value, with the origin that it was gathered with
    {{ "\u001b" }}                                              text in quotes, as JSON has it
    {% if diff %} … {% elif not mcp %} … {% else %} … {% endif %}  text under a condition
    {% for server in servers %} … {{ server.name }} … {% endfor %} once for each of a gathered list
    {% raw %}{{ }}{% endraw %}  {# a remark #}                     signs as they are; nothing

What is outside of braces is the prompt, character for character; the last line break of the file is not. A mark holds
until the next one or to the end of its block. A tag that begins a line takes the blanks before it away, one that ends
a line the line break behind it; a tag that ends a line with text in it must say which: `+%}` keeps the break, `-%}`
drops it. Real Jinja renders the same.

With leading breaks a line break belongs to the line behind it, at the end to none: for lists of which some lines are
left out. `{#+#}` keeps the breaks before it where they are; so does `{# end #}`, the last line of a text that ends in
a line break, which editors would take away.

Nodes are plain lists, so that they can be kept as JSON:

    ["text", line, kind, name, text]      kind: "builtin", "label" or "computed"
    ["value", line, name]
    ["if", line, [[expression, nodes], …]]   of the last one perhaps "", for `else`
    ["for", line, item, items, nodes]
"""

import json
import re
from collections.abc import Collection
from typing import Any

from msgspec import Struct

Node = list[Any]
Nodes = list[Node]

_SIGN = r"""(?xs)
    \{%\ raw\ %\} (?P<raw> .*? ) \{%\ endraw\ (?P<rawend> [-+]? )%\}
    | \{% (?P<before> [-+]? ) (?P<tag> .*? ) (?P<after> [-+]? ) %\}
    | \{\{ (?P<value> .*? ) \}\}
    | \{\# (?P<remark> .*? ) \#\}
    | \{ (?P<mark> = | \.(?:\w[\w-]*(?:\.[\w-]+)*)? | ~\w[\w-]*(?:\.[\w-]+)* ) \}
    """
_RAW = r"(?s)\{% raw %\}.*?\{% endraw [-+]?%\}"
_PAIRS = (("{% raw %}", "{% endraw "), ("{{", "}}"), ("{%", "%}"), ("{#", "#}"))
_MAX_DEPTH, _MAX_WAYS = 40, 100
"""Tags within each other, and ways of one `if`: each asks all those before it."""

_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_FOR = r"for\s+([A-Za-z_]\w*)\s+in\s+([A-Za-z_][\w.]*)"
_KINDS = {".": "builtin", "~": "computed", "=": "label"}
_KEEP = ["keep"]
"""What `{#+#}` leaves among the nodes until the breaks have moved."""


class TemplateError(ValueError):
    """A template, or a condition in it, that doesn't parse: message, 1-based line, nearest valid words."""

    def __init__(self, message: str, line: int, near: Collection[str] = ()) -> None:
        self.message, self.line, self.nearest = message, line, tuple(near)
        super().__init__(f"line {line}: {message}")


def read_template(source: str, *, first_line: int = 1, leading: bool = False) -> Nodes:
    """The nodes of a text whose first line has the number `first_line`. Raises TemplateError."""
    _check_ends(source, first_line)
    nodes = _Reader(source.removesuffix("\n"), first_line).read()
    return _led(nodes) if leading else _without_keeps(nodes)


def _check_ends(source: str, first_line: int) -> None:
    """Raise TemplateError for a sign that has no end: to look for it behind each of many would take long."""
    plain = source
    for opens, closes in _PAIRS:
        at = plain.find(opens, plain.rfind(closes) + 1)
        if at != -1:
            raise TemplateError(f"`{opens}` has no end", first_line + source.count("\n", 0, at))
        if "raw" in opens:
            plain = re.sub(_RAW, lambda raw: " " * len(raw[0]), source)


class _Block(Struct, frozen=True):
    """A tag that waits for its end. `mark` is that of the text around it."""

    node: Node
    around: Nodes
    mark: tuple[str, str]


class _Reader:
    """Reads one source from left to right."""

    def __init__(self, source: str, first_line: int) -> None:
        self.source, self.line = source, first_line
        self.nodes: Nodes = []
        self.blocks: list[_Block] = []
        self.mark = ("builtin", "")
        self.fresh = True  # the next text begins a node of its own
        self.begins_line, self.line_has_text = True, False

    def read(self) -> Nodes:
        at = 0
        for sign in re.finditer(_SIGN, self.source):
            text = self.source[at : sign.start()]
            tag, remark = sign["tag"] is not None, sign["remark"] is not None
            if tag or remark:
                text = self.trimmed(text, sign["before"])
            self.text(text, self.source[at : sign.start()])
            at = sign.end() if sign.end() > at else at
            if tag:
                self.tag(sign["tag"].strip())
            elif remark:
                self.remark(sign["remark"])
            elif sign["raw"] is not None:
                self.text(sign["raw"], sign["raw"])
            elif sign["mark"] is not None:
                self.mark, self.fresh, self.begins_line = (_KINDS[sign["mark"][0]], sign["mark"][1:]), True, False
            elif sign["value"].lstrip().startswith('"'):
                self.text(self.quoted(sign["value"]), '""')
            else:
                self.value(sign["value"].strip())
            self.line += sign[0].count("\n") if sign["raw"] is None else 0
            if tag or remark or sign["raw"] is not None:
                at = self.ended(at, sign["after"] or sign["rawend"] or ("+" if sign["remark"] == "+" else ""))
        self.text(self.source[at:], self.source[at:])
        if self.blocks:
            raise TemplateError(f"`{self.blocks[-1].node[0]}` has no end", self.blocks[-1].node[1])
        return self.nodes

    def trimmed(self, text: str, sign: str) -> str:
        """The text before a tag, without the blanks that only indent it."""
        if sign == "-":
            return text.rstrip()
        blanks = text.rpartition("\n")[2]
        indents = sign != "+" and not blanks.strip() and ("\n" in text or self.begins_line)
        return text.removesuffix(blanks) if indents and blanks else text

    def ended(self, at: int, sign: str) -> int:
        """Where the text goes on behind a tag that ends at `at`."""
        self.begins_line = False
        if sign == "-":
            found = len(self.source) - len(self.source[at:].lstrip())
            self.line += self.source.count("\n", at, found)
            self.begins_line = self.source[at:found].endswith("\n")
            self.line_has_text = self.line_has_text and "\n" not in self.source[at:found]
            return found
        if sign == "+" or not self.source.startswith("\n", at):
            return at
        if self.line_has_text:
            raise TemplateError("write `+%}` to keep the line break behind this, or `-%}` to drop it", self.line)
        self.line, self.begins_line = self.line + 1, True
        return at + 1

    def text(self, text: str, written: str) -> None:
        """A stretch of the prompt; `written` is what is in the source."""
        if text:
            if self.fresh or not self.nodes or self.nodes[-1][0] != "text":
                self.nodes.append(["text", self.line, *self.mark, ""])
                self.fresh = False
            self.nodes[-1][4] += text
        self.line += written.count("\n")
        if written:
            last = written.rpartition("\n")[2]
            self.begins_line = not last
            self.line_has_text = bool(last.strip()) or (self.line_has_text and "\n" not in written)

    def quoted(self, text: str) -> str:
        try:
            return str(json.loads(text))
        except ValueError:
            raise TemplateError("a text in quotes must be as JSON has it", self.line) from None

    def value(self, name: str) -> None:
        if not re.fullmatch(_NAME, name):
            raise TemplateError(f"`{{{{ {name} }}}}` is not the name of a value", self.line)
        self.nodes.append(["value", self.line, name])
        self.begins_line, self.line_has_text = False, True

    def remark(self, text: str) -> None:
        if text.strip() in ("+", "end"):
            self.nodes.append(_KEEP)
            self.fresh = True

    def tag(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        match word:
            case "if":
                self.open(["if", self.line, [[self.condition(rest, word), []]]])
            case "for":
                found = re.fullmatch(_FOR, text)
                if found is None:
                    raise TemplateError("write `for NAME in LIST`", self.line)
                self.open(["for", self.line, found[1], found[2], []])
            case "elif" | "else":
                block = self.block("if", word)
                if block.node[2][-1][0] == "":
                    raise TemplateError(f"`{word}` behind `else`", self.line)
                if len(block.node[2]) == _MAX_WAYS:
                    raise TemplateError(f"an `if` has at most {_MAX_WAYS} ways", self.line)
                block.node[2].append([self.condition(rest, word) if word == "elif" else "", []])
                self.nodes, self.mark, self.fresh = block.node[2][-1][1], block.mark, True
            case "endif" | "endfor":
                block = self.block(word[3:], word)
                self.blocks.pop()
                self.nodes, self.mark, self.fresh = block.around, block.mark, True
            case _:
                raise TemplateError(f"unknown tag `{word}`: there are if, elif, else, endif, for, endfor", self.line)

    def condition(self, text: str, word: str) -> str:
        if not text.strip():
            raise TemplateError(f"`{word}` without a condition", self.line)
        return text.strip()

    def open(self, node: Node) -> None:
        if len(self.blocks) == _MAX_DEPTH:
            raise TemplateError(f"tags are nested more than {_MAX_DEPTH} levels deep", self.line)
        self.nodes.append(node)
        self.blocks.append(_Block(node, self.nodes, self.mark))
        self.nodes, self.fresh = node[2][0][1] if node[0] == "if" else node[4], True

    def block(self, kind: str, word: str) -> _Block:
        if not self.blocks or self.blocks[-1].node[0] != kind:
            raise TemplateError(f"`{word}` without `{kind}`", self.line)
        return self.blocks[-1]


def bodies(node: Node) -> list[Nodes]:
    """The nodes within a node."""
    if node[0] == "if":
        return [nodes for _, nodes in node[2]]
    return [node[4]] if node[0] == "for" else []


def _without_keeps(nodes: Nodes) -> Nodes:
    kept = [node for node in nodes if node is not _KEEP]
    for node in kept:
        for body in bodies(node):
            body[:] = _without_keeps(body)
    return kept


# --- leading breaks ---------------------------------------------------------------------------------------------------


def _led(nodes: Nodes) -> Nodes:
    return _moved(nodes, None)[0]


def _moved(nodes: Nodes, waiting: Node | None) -> tuple[Nodes, Node | None]:
    """The nodes with each line break moved to the text behind it, and the breaks left over: a text node of breaks."""
    done: Nodes = []
    for node in nodes:
        if waiting is not None and waiting[0] == "differs":
            raise TemplateError("the ways of this block end in different line breaks", waiting[1])
        if node is _KEEP:
            if waiting is not None:
                _stay(done, waiting)
            waiting = None
        elif node[0] == "text":
            body = node[4].rstrip("\n")
            before = waiting[4] if waiting else ""
            if body:
                done.append([node[0], node[1] - len(before), *node[2:4], before + body])
                before = ""
            after = before + node[4][len(body) :]
            alone = [] if body or before else [_ALONE]
            waiting = [*node[:4], after, *alone] if after else None
        elif node[0] == "value":
            done += [waiting[:5], node] if waiting else [node]
            waiting = None
        else:
            waiting = _moved_within(node, waiting)
            done.append(node)
    return done, waiting


_ALONE = "alone"
"""Marks breaks that are a text of their own."""


def _stay(done: Nodes, waiting: Node) -> None:
    """Put breaks where they were written: at the end of the text that they follow, or by themselves."""
    if done and done[-1][0] == "text" and waiting[-1] != _ALONE:
        done[-1] = [*done[-1][:4], done[-1][4] + waiting[4]]
    else:
        done.append(waiting[:5])


def _moved_within(node: Node, waiting: Node | None) -> Node | None:
    """The same for what is within a tag. All its ways, none of them among these, must leave the same breaks."""
    left = []
    for body in bodies(node):
        body[:], each = _moved(body, waiting)
        left.append(each)
    if node[0] == "for" or node[2][-1][0] != "":
        left.append(waiting)
    breaks = {each[4] if each and each[0] == "text" else "" for each in left}
    return left[0] if len(breaks) == 1 else ["differs", node[1]]
