"""How a file is taken apart, its frontmatter and its text, and the files with frontmatter that are listed by name.

Frontmatter begins with `---` alone on the first line, and ends at the next three dashes, wherever they are: in a value
as well. YAML that does not parse is tried once more with some values in quotes: those that hold a sign of YAML, are not
in quotes from end to end, and are no list that is well formed. If that fails too, the block is cut off all the same and
holds nothing [asked of 2.1.332 in some 400 forms].

A leading BOM and the frontmatter go, block-level HTML comments go together with their blank line, both ends are
trimmed. What is left are stretches of the file that keep their line numbers.

What is running text, and which comments are blocks of their own, CommonMark decides, with what follows below: the
client's reader was asked of 1,600 places in random documents [2.1.332].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice, takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.materials import DEFAULT_STYLE, FORCE, OutputStyle
from promptscope_engine.agents.claude_code.texts import FOLDER, STYLES, STYLES_100
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.disk.front_matter import misfits
from promptscope_engine.agents.kit.disk.heads import Budget, Mending, is_yes, traced
from promptscope_engine.agents.kit.disk.rows import absent, near_entries
from promptscope_engine.agents.kit.disk.walking import Reach, linked_below, upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.formats.yaml import BUN, CORE, MAX_FRONT_MATTER, FrontMatter, Schema, YamlError, read_yaml
from promptscope_engine.javascript.json import string
from promptscope_engine.javascript.text import JS_WHITESPACE
from promptscope_engine.prompt.drafts import Span, file_text
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

from .plugins import Plugin
from .session import Gatherer, Session

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token


_OPENS, _CLOSES = re.compile(f"---[{JS_WHITESPACE}]*\n"), re.compile(f"---[{JS_WHITESPACE}]*")
_LINE = re.compile(rf"(?P<key>[A-Za-z_-]+):[{JS_WHITESPACE}]+(?P<value>[^{JS_WHITESPACE}][^\r\u2028\u2029]*)")
_SIGNS = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_COLON = r"(?m)^([A-Za-z_][\w-]*:)[ ]*\t[ \t]*"
_TABS = r"(?m)^[ \t]*\t[ \t]*"
_CLOSERS = {"[": "]", "{": "}"}


class Head(Struct, frozen=True):
    """A file's frontmatter: its values, the characters of the block, and what is wrong with it, with its line."""

    values: dict[str, Json] = {}
    length: int = 0
    problem: str | None = None
    line: int | None = None


def _fenced(text: str) -> tuple[FrontMatter, int] | None:
    """What is between the dashes, and the character at which the text goes on behind them."""
    opened = _OPENS.match(text)
    closed = _CLOSES.search(text, opened.end()) if opened else None
    if opened is None or closed is None:
        return None
    return FrontMatter(text[opened.end() : closed.start()], 1 + opened[0].count("\n")), closed.end()


def is_within(budget: Budget, text: str) -> bool:
    """Whether there is room left for a file's frontmatter, which is then taken."""
    found = _fenced(text.removeprefix("\ufeff")) if budget.left >= 0 else None
    return budget.allows(found[0].text if found else "")


def read_frontmatter(text: str, version: str, *, within_budget: bool = True) -> Head:
    """The front matter of a text without BOM, and the white space after it. Values that are no mapping are none."""
    found = _fenced(text)
    if not found:
        return Head()
    front, length = found
    if len(front.text) > MAX_FRONT_MATTER:
        return Head({}, length, "the frontmatter is too large to be read", 1)
    if not within_budget:
        most = f"{Budget.left:,} characters of all files of its kind"
        return Head({}, length, f"the frontmatter is not read: this is more than {most}", 1)
    source = re.sub(_COLON, r"\1 ", front.text)  # YAML takes a tab behind the colon, the reader here does not
    # 2.1.100 refuses two equal keys and tabs; later versions take the last key, and tabs for blanks.
    schema: Schema = CORE if version == V100 else BUN
    source = source if version == V100 else re.sub(_TABS, lambda tabs: tabs[0].replace("\t", "  "), source)
    front = replace(front, text=source)
    try:
        if "\0" in source:
            raise YamlError("a NUL character", front.line + source.count("\n", 0, source.index("\0")))
        parsed, is_mended = Mending(_LINE, partial(_is_quoted_anew, schema=schema)).parse(front, schema)
    except YamlError as error:
        return Head({}, length, f"{error.message}: the whole frontmatter is ignored", error.line or 2)
    values = parsed.value if isinstance(parsed.value, dict) else {}
    return Head(values, length, *(_unclosed(front) if is_mended else ()))


def _is_quoted_anew(value: str, schema: Schema) -> bool:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return False
    if not _SIGNS.search(value):
        return False
    if value[0] != "[" or value[-1] != "]":
        return True
    try:
        read_yaml(value, schema, max_chars=MAX_FRONT_MATTER)
    except YamlError:
        return True
    return False


def _unclosed(front: FrontMatter) -> tuple[str | None, int | None]:
    """The first list or mapping that does not end on its line, now that all of it is a text."""
    for at, line in enumerate(front.text.split("\n"), front.line):
        found = _LINE.fullmatch(line)
        closer = _CLOSERS.get(found["value"][0]) if found else None
        if found and closer and found["value"].count(found["value"][0]) > found["value"].count(closer):
            return f"the value of `{found['key']}` is not closed: it counts as a text", at
    return None, None


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Excerpt(Struct, frozen=True):
    """A verbatim part of a file that begins on the 1-based `line`."""

    text: str
    line: int


class Content(Struct, frozen=True):
    """A processed file. `problem` says what is wrong with its frontmatter, `problem_line` where."""

    stretches: tuple[Excerpt, ...]
    untrimmed: tuple[Excerpt, ...] = ()
    """The same with the white space at both ends: so a file is that a read loads [recorded]."""
    frontmatter: dict[str, Json] = {}
    problem: str | None = None
    problem_line: int | None = None

    @property
    def text(self) -> str:
        """The text as it is sent."""
        return "".join(s.text for s in self.stretches)

    def spans(self, path: str, *, trimmed: bool = True) -> tuple[Span, ...]:
        """The stretches with their file:line."""
        return tuple(file_text(path, s.text, s.line) for s in (self.stretches if trimmed else self.untrimmed))


def process(text: str, version: str, *, comments: bool = True, within_budget: bool = True) -> Content:
    """The text as it is sent.

    `comments=False` keeps HTML comments (skills, agents, styles), `within_budget=False` leaves the front matter
    unread.
    """
    body = text.removeprefix("\ufeff")
    found = read_frontmatter(body, version, within_budget=within_budget)
    line = 1 + body[: found.length].count("\n")
    body = body[found.length :]
    stretches = list(_without_comments(body, line)) if comments else [Excerpt(body, line)] if body else []
    return Content(tuple(_trimmed(stretches)), tuple(stretches), found.values, found.problem, found.line)


def _without_comments(text: str, first_line: int) -> Iterator[Excerpt]:
    """The text without the comments that are blocks of their own, with the blank lines behind them.

    The client takes the text apart as Markdown for this, and only where it holds a comment: then every line break is a
    line feed. What is in a fence, in a list item or in other HTML stays, and so does a comment that never ends
    [recorded 2.1.332].
    """
    if "<!--" not in text:
        if text:
            yield Excerpt(text, first_line)
        return
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    at = 0
    for start, end in comments(text):
        if at < start:
            yield Excerpt("".join(lines[at:start]), first_line + at)
        at = end + len([*takewhile("\n".__eq__, lines[end:])])
        yield from _between_comments("".join(lines[start:at]), first_line + start)
    if rest := "".join(lines[at:]):
        yield Excerpt(rest, first_line + at)


def _between_comments(token: str, line: int) -> Iterator[Excerpt]:
    """What else is on the lines of a comment; nothing where it is white space."""
    if not _COMMENT.sub("", token).strip():
        return
    at = 0
    for comment in (*_COMMENT.finditer(token), None):
        end = comment.start() if comment else len(token)
        if token[at:end]:
            yield Excerpt(token[at:end], line + token.count("\n", 0, at))
        at = comment.end() if comment else end


def _trimmed(stretches: list[Excerpt]) -> Iterator[Excerpt]:
    """Without white space at either end."""
    whole = "".join(stretch.text for stretch in stretches)
    start, end = len(whole) - len(whole.lstrip()), len(whole.rstrip())
    for stretch in stretches:
        before = max(start, 0)
        if text := stretch.text[before : max(end, 0)]:
            yield Excerpt(text, stretch.line + stretch.text.count("\n", 0, before))
        start, end = start - len(stretch.text), end - len(stretch.text)


_CLOSED_HTML = r"(?s) {0,3}(?:<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<![A-Za-z].*?>)"
"""The client reads on behind these, where CommonMark gives the rest of the line to the block."""


_MARKS = r"[`<>\[*_~\\\t\0]| {4}"
"""A text without one of these is running text: CLAUDE.md is often just `@AGENTS.md`."""


def running_text(text: str) -> Iterator[str]:
    """The stretches of text between marks, code, links, images, tags and escapes."""
    if not re.search(_MARKS, text):
        yield text
        return
    for block in _parser().parse(text):
        if block.type == "html_block":
            closed = re.match(_CLOSED_HTML, block.content)
            yield block.content[closed.end() :] if closed else ""
        else:
            yield from _stretches(block.children or ())


def comments(text: str) -> Iterator[tuple[int, int]]:
    """Comments that are blocks of their own, not in list items or quotes: (first line, line after), 0-based."""
    for block in _parser().parse(text):
        content = block.content.lstrip(" ")
        is_comment = block.type == "html_block" and content.startswith("<!--") and "-->" in content
        if is_comment and not block.level and block.map:
            yield block.map[0], block.map[1]


@cache
def _parser() -> MarkdownIt:
    """The parser: entities stay as written; addresses in `<>` and tables are text; indented HTML ends no paragraph."""
    from markdown_it import MarkdownIt, rules_block  # 25 ms of a start, where a file has a `@path` or a comment

    def html(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        goes_on = silent and state.parentType == "paragraph" and state.sCount[line] > state.blkIndent
        return not goes_on and rules_block.html_block(state, line, end, silent)

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


# --- files that are listed by name: skills, commands, agents, output styles -------------------------------------------


MAX_FILES = 2_000
_DEPTH = 8
_COMMA = re.compile(r",(?![^()]*\))")
"""Between two tools, not inside of `Agent(worker, reviewer)`."""
_RULE = re.compile(r"(?:\([^)]*\)?|[^ ,(])+")


class Described(Struct, frozen=True):
    """A file that was read: its frontmatter and its body (none of it is cut)."""

    source: FileText
    content: Content

    @property
    def values(self) -> dict[str, Json]:
        """The values of all keys."""
        return self.content.frontmatter

    def text(self, key: str) -> str:
        """A scalar of the frontmatter as text, as JavaScript writes it; empty if it is none."""
        value = self.values.get(key)
        return "" if value is None or isinstance(value, dict | list) else string(value)

    def spans(self, text: str) -> tuple[Span, ...]:
        """A text taken from the file: traced to its line where it is there verbatim."""
        return traced(self.source, text, "frontmatter")

    def setting(self, key: str, *item: int) -> SettingSource:
        """Where the frontmatter sets a key, or an item of its list. No switch simulates an edit."""
        path = self.source.path
        head = self.source.text.partition("---")[2].partition("\n---")[0]
        return SettingSource(key, path, path, key_line(head, (key, *item), "yaml"))

    def entries(self, key: str, *, tools: bool = False) -> Iterator[Sourced[str]]:
        """The names in a list, each with its line. Of `tools` blanks part two names, in an item of a YAML list too."""
        value = self.values.get(key)
        for at, item in enumerate(listed(value)):
            source = self.setting(key, *([at] if isinstance(value, list) else []))
            yield from (Sourced(name, source) for name in (tool_rules(item) if tools else [item]) if name)


def listed(value: Json) -> list[str]:
    """The names in a comma list or a YAML list; some may be blank."""
    items = value if isinstance(value, list) else _COMMA.split(value) if isinstance(value, str) else []
    return [str(item).strip() for item in items]


def tool_rules(value: Json) -> list[str]:
    """The tools in a text or a YAML list of texts: commas and blanks part them, but within brackets [2.1.332]."""
    items = value if isinstance(value, list) else [value]
    return [name for item in items if isinstance(item, str) for part in _RULE.findall(item) if (name := part.strip())]


def described(workspace: Workspace, path: str, version: str, budget: Budget) -> Described | None:
    """The file, or None if it cannot be read."""
    source = workspace.read(path)
    if not source.found:
        return None
    within = is_within(budget, source.text)
    key = ("claude-code.described", version, within)
    make = partial(process, source.text, version, comments=False, within_budget=within)
    content = workspace.made_of(source, key, make)
    return Described(source, content)


def markdown_below(workspace: Workspace, folder: str, diagnostics: list[Diagnostic]) -> list[str]:
    """Every `*.md` below a folder, sorted by path, up to a limit that is announced in `diagnostics`."""
    found = list(islice(linked_below(workspace, folder, ".md", Reach(_DEPTH)), MAX_FILES + 1))
    if len(found) > MAX_FILES:
        text = f"it holds more than {MAX_FILES:,} files; the others are left out"
        diagnostics.append(Diagnostic("warning", "too-many-files", text, folder))
    return found[:MAX_FILES]


class Finder(Gatherer):
    """Looks through folders of files of one kind: the organisation's, the project's, the user's and plugins'."""

    def below(self, folder: str, kind: str, plugin: Plugin | None) -> list[str]:
        """The files of a folder, or the single one that a plugin's manifest names in its place."""
        if not self.may_read(folder, kind):
            return []
        self.files += near_entries(self.workspace, folder, kind)
        if plugin and self.workspace.kind(folder) == "file":
            return [folder]
        return markdown_below(self.workspace, folder, self.diagnostics)

    def read(self, path: str, kind: str) -> Described | None:
        """A file, and notes on what is wrong with its front matter."""
        readable = self.may_read(path, kind)
        found = described(self.workspace, path, self.version, self.budget) if readable else None
        if found and found.content.problem:
            self.warn("bad-frontmatter", found.content.problem, path, found.content.problem_line)
        self.diagnostics += misfits(found.source, found.values, FOLDER.agent["front_matter"][kind]) if found else ()
        return found


def project_folders(session: Session, name: str) -> list[str]:
    """`.claude/<name>` of cwd and of the folders around it, closest first [asked of 2.1.332].

    They are those up to the repository's root, without one those up to the root of the disk, and none from the user's
    home on. A linked work tree without one at its root has that of the main checkout, in 2.1.100 no skills.
    """
    cwd, repository = session.cwd, session.repository
    folders = upwards(cwd, session.root)
    if session.home in folders:
        folders = folders[: folders.index(session.home)] or [cwd]
    found = [f"{folder.rstrip('/')}/.claude/{name}" for folder in folders]
    if repository and repository.linked and (name != "skills" or session.version != V100):
        main = f"{repository.main_root}/.claude/{name}"
        if not session.workspace.is_dir(f"{repository.root}/.claude/{name}"):
            session.workspace.allow([main])
            found.append(main)
    return found


class _StyleFile(Struct, frozen=True):
    """A file of an output style, and the plugin it is of."""

    file: Described
    style: OutputStyle
    plugin: Plugin | None = None

    @property
    def is_forced(self) -> bool:
        """Whether its plugin has it in force, whatever the settings say [asked of 2.1.332]."""
        return self.plugin is not None and self.plugin.enabled and is_yes(self.file.values.get(FORCE))


class StyleGatherer(Finder):
    """Looks for output styles."""

    names: tuple[str, ...] = ()
    """Those that can be chosen, once they were gathered."""

    def gather(self) -> tuple[OutputStyle, Sourced[Json]]:
        """The style in force, and what chose it: `outputStyle`, or a plugin's file. Every style file has a row."""
        setting, found = self.session.settings.known("outputStyle"), [*self._own(), *self._of_plugins()]
        forced = next((each for each in found if each.is_forced), None)
        if forced:
            setting = Sourced(forced.style.name, forced.file.setting(FORCE))
        name = setting.value if isinstance(setting.value, str) and setting.value else DEFAULT_STYLE
        chosen, own = replace(setting, value=name), dict[str, OutputStyle]()
        for each in found:
            self._row(each, own.setdefault(each.style.name, each.style) is each.style, chosen)
        styles = {
            style: OutputStyle(style, built_in=True) for style in (STYLES_100 if self.version == V100 else STYLES)
        }
        styles |= {} if self.sources.safe else own
        self.names = (DEFAULT_STYLE, *styles)
        if name.lower() != DEFAULT_STYLE and name not in styles:
            text = f"no output style is called {name}; known: {', '.join(sorted(styles))}"
            self.warn("unknown-style", text)
        return styles.get(name, OutputStyle(DEFAULT_STYLE, built_in=True)), setting

    def _row(self, each: _StyleFile, counts: bool, chosen: Sourced[Json]) -> None:
        path = each.file.source.path
        if counts:
            when = chosen.is_(each.style.name, unset=DEFAULT_STYLE, yes=f"`{chosen.source.key}` names it")
            when = when & self.sources.own if self.sources.safe else when
            when = when & each.plugin.when if each.plugin else when
        else:
            when = absent(path, "another style has the same name", f"give it a `name` of its own in {path}")
        self.row(each.file.source, "output-style", "on-demand", when, each.file.content.text)

    def _own(self) -> Iterator[_StyleFile]:
        """Of the organisation's folder, the project's and the user's, as far as --setting-sources lets them in [D]."""
        folders = [f"{self.session.managed}/.claude/output-styles"]
        if self.sources.named_in("project"):
            folders += project_folders(self.session, "output-styles")
        if self.sources.named_in("user"):
            folders.append(f"{self.session.config}/output-styles")
        for folder in folders:
            yield from self._in(folder)

    def _of_plugins(self) -> Iterator[_StyleFile]:
        """Named with their plugin in front: `tool:Sharp` [asked of 2.1.100 and 2.1.332]."""
        for plugin in self.session.plugins.all:
            for folder in plugin.styles:
                yield from self._in(folder, plugin)

    def _in(self, folder: str, plugin: Plugin | None = None) -> Iterator[_StyleFile]:
        for path in self.below(folder, "output-style", plugin):
            if found := self.read(path, "output-style"):
                style = _style(path, found)
                name = f"{plugin.name}:{style.name}" if plugin else style.name
                yield _StyleFile(found, replace(style, name=name), plugin)


def _style(path: str, found: Described) -> OutputStyle:
    named = found.values.get("name")  # as it is written, blanks and all [asked of 2.1.332]
    name = ("" if named is None else string(named)) or PurePosixPath(path).stem
    keep = found.values.get("keep-coding-instructions") is True
    return OutputStyle(name, built_in=False, body=found.content.spans(path), keep_coding_instructions=keep)
