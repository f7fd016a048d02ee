"""Mentions and commands in the user's words, and what they bring in."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.mentioned_files import Content, FileReader, MissingPathError, Tree
from promptscope_engine.agents.roo.params import Git, Problem
from promptscope_engine.agents.roo.terminal import truncate_output
from promptscope_engine.javascript.text import JS_WHITESPACE, js_trim, relative, resolve, to_posix
from promptscope_engine.prompt.conditions import Fact
from promptscope_engine.prompt.drafts import builtin, computed, label, param_value
from promptscope_engine.prompt.spans import Spans, joined, replaced

_LABELS = {"error": "Error", "warning": "Warning"}
"""The severities that are shown, the worse one first."""

_RANKS = {severity: rank for rank, severity in enumerate(_LABELS)}
_NO_PROBLEMS = "The editor reports neither errors nor warnings."


def problems_text(
    cwd: str, reported: Sequence[Problem], documents: Mapping[str, str | None], include: bool, limit: int | None
) -> str:
    """The errors and warnings of the workspace by file.

    `reported` are in the editor's order; `documents` are texts by path, None for a folder; a path that is absent
    cannot be opened. `include` is the setting includeDiagnosticMessages, `limit` maxDiagnosticMessages, 0 or less or
    None for no limit.
    """
    if not include:
        return _NO_PROBLEMS
    problems = [problem for problem in reported if problem.severity in _LABELS]
    shown = problems
    if limit is not None and limit > 0:
        shown = sorted(problems, key=lambda p: (_RANKS[p.severity], p.line))[:limit]
    files: dict[str, list[Problem]] = {}
    for problem in shown:
        files.setdefault(problem.path, []).append(problem)
    text = ""
    for path, found in files.items():
        text += f"\n\n{to_posix(relative(cwd, resolve(cwd, path)))}"
        for problem in sorted(found, key=lambda p: p.line):
            source, place = f"{problem.source} " if problem.source else "", _place(path, problem.line, documents)
            text += f"\n- [{source}{_LABELS[problem.severity]}] {place} : {problem.message}"
    text = js_trim(text)
    omitted = len(problems) - len(shown)
    if omitted:
        text += f"\n\n... {omitted} more problems are left out, so that they do not fill the context"
    return text or _NO_PROBLEMS


def _place(path: str, line: int, documents: Mapping[str, str | None]) -> str:
    """The number and text of a line; a folder says line 1, whatever the problem says."""
    if path not in documents:
        return f"{line + 1} | (unavailable)"
    document = documents[path]
    if document is None:
        return "1 | (directory)"
    lines = re.split(r"\r\n|\r|\n", document)
    return f"{line + 1} | {lines[line] if line < len(lines) else '(unavailable)'}"


_LINE_LIMIT = 500
_NO_REPOSITORY = "This folder belongs to no git repository"
_NO_CHANGES = "The working directory has no changes"


def working_state_text(git: Git | None) -> str:
    """What changed since the last commit, from what git prints; None: no repository."""
    if git is None:
        return _NO_REPOSITORY
    if not js_trim(git.status):
        return _NO_CHANGES
    text = js_trim(f"Working directory changes:\n\n{git.status}\n\n{git.diff}")
    return truncate_output(text, _LINE_LIMIT)


def commit_text(git: Git | None, mentioned: str) -> str:
    """A commit from git, by the hash mentioned; `info`: hash, short hash, subject, author, date, body."""
    if git is None:
        return _NO_REPOSITORY
    commit = git.commits.get(mentioned)
    if commit is None:
        return f"The commit could not be read: fatal: bad object {mentioned}"
    fields = js_trim(commit.info).split("\n")
    full, short, subject, author, date = islice(chain(fields, repeat("undefined")), 5)
    # The body's first line only: the way the fields are split drops the others.
    body = next(iter(fields[5:]), "")
    lines = [
        f"Commit: {short} ({full})",
        f"Author: {author}",
        f"Date: {date}",
        f"\nMessage: {subject}",
        f"\nDescription:\n{body}" if body else "",
        "\nFiles Changed:",
        js_trim(commit.stats),
        "\nFull Changes:",
        f"\n{js_trim(commit.diff)}",
    ]
    return truncate_output("\n".join(lines), _LINE_LIMIT)


def terminal_text(selection: str, before: str = "") -> str:
    """What the last command printed, from a copy of the whole terminal; "" if the clipboard already held `before`."""
    copied = js_trim(selection)
    if copied == before:
        return ""
    *lines, prompt = copied.split("\n")
    prompt = js_trim(prompt)
    if not prompt:
        return copied
    starts = [index for index, line in enumerate(lines) if js_trim(line).startswith(prompt)]
    return "\n".join(lines[starts[-1] if starts else 0 :])


_MENTION = re.compile(
    rf"(?:^|(?<=[{JS_WHITESPACE}]))(?<!\\)"
    rf"@((?:/|\w+://)(?:[^{JS_WHITESPACE}\\]|\\ )+?|[a-f0-9]{{7,40}}\b|problems\b|git-changes\b|terminal\b)"
    rf"(?=[.,;:!?]?(?=[{JS_WHITESPACE}]|\Z))",
    re.ASCII,
)
_HASH = re.compile(r"[a-f0-9]{7,40}")
_COMMAND = re.compile(rf"(?:^|[{JS_WHITESPACE}])/([a-zA-Z0-9_.-]+)(?=[{JS_WHITESPACE}]|\Z)")


MentionKind = Literal["path", "page", "problems", "git", "terminal", "command", "unknown"]


class Command(Struct, frozen=True):
    """A slash command. `path` is its file, None for a built-in one."""

    content: Spans
    description: str | None = None
    path: str | None = None


class Sources(Struct, frozen=True):
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
    documents: Mapping[str, str | None] = {}
    """Texts by path as the editor opens them, None for a folder."""
    include_problems: bool = True
    """The setting includeDiagnosticMessages."""
    max_problems: int | None = None
    """The setting maxDiagnosticMessages; None, 0 or less: no limit."""
    git: Git | None = None
    """What git printed, None for no repository."""
    terminal: str | None = None
    """What copying the terminal gives, None where it is not known."""
    commands: Mapping[str, Command] = {}


class Appended(Struct, frozen=True):
    """What one mention or command brings in, below the words."""

    mention: str
    """As it was written, without the `@` or `/` in front."""
    kind: MentionKind
    spans: Spans
    """Without the empty line before it; () where nothing is appended."""
    held_back: Fact | None = None
    """Why what was mentioned, or a part of it, is not in the text."""
    read: tuple[str, ...] = ()
    """The files whose text is in it, absolute."""
    rest: Spans = ()
    """Lines over a limit, each span guarded by the reason for which it is not in the text."""


class Expansion(Struct, frozen=True):
    """A text with its mentions put in place."""

    words: Spans
    """The text, in which mentions and commands became pointers."""
    appended: tuple[Appended, ...]
    """The contents by first occurrence, mentions before commands."""
    tracked: list[str]
    """The mentioned files that the agent goes on to watch, as mentioned, without the leading slash."""

    @property
    def text(self) -> str:
        """The words, and below them the contents."""
        contents = [joined(each.spans) for each in self.appended]
        return joined(self.words) + "".join(f"\n\n{content}" for content in contents if content)


def expand_spans(words: Spans, sources: Sources) -> Expansion:
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

    def expand(self, words: Spans) -> Expansion:
        # Commands come first, so that a mention directly before one grows by its replacement.
        words, commands = self._place_commands(words)
        found = list(_MENTION.finditer(joined(words)))
        pointers = [(*match.span(), _pointer(match[1])) for match in found]
        places = [(start, end, (builtin("mention.pointer", to),)) for start, end, to in pointers if to]
        words = replaced(words, places)
        tracked: list[str] = []
        contents = [self._content(mention, tracked) for mention in dict.fromkeys(match[1] for match in found)]
        contents += [self._command_content(name) for name in commands]
        return Expansion(words, tuple(contents), tracked)

    def _place_commands(self, words: Spans) -> tuple[Spans, list[str]]:
        """The words that point to the known commands in them, and their names by first occurrence."""
        known = [match for match in _COMMAND.finditer(joined(words)) if match[1] in self._sources.commands]
        for match in known:
            # The first place that reads like the match, the white space before it included, which so is lost;
            # it may be another one than the match's own.
            at = joined(words).index(match[0])
            pointer = builtin("command.pointer", f"Command '{match[1]}' (what it says follows below)")
            words = replaced(words, [(at, at + len(match[0]), (pointer,))])
        return words, list(dict.fromkeys(match[1] for match in known))

    def _command_content(self, name: str) -> Appended:
        command = self._sources.commands[name]
        head: Spans = (label(f'<command name="{name}">\n'),)
        if command.description:
            head += (label("Description: "), computed("command.description", command.description), label("\n\n"))
        return Appended(name, "command", (*head, *command.content, label("\n</command>")))

    def _of_editor(self, mention: str) -> Appended:
        of = self._sources
        if mention == "problems":
            text = problems_text(of.cwd, of.problems, of.documents, of.include_problems, of.max_problems)
            return _told(mention, "problems", "workspace_diagnostics", text, "editor.problems")
        if mention == "git-changes":
            told = _told(mention, "git", "git_working_state", working_state_text(of.git), "editor.git")
            return told if of.git is not None else replace(told, held_back=_not_given("editor.git"))
        told = _told(mention, "terminal", "terminal_output", of.terminal or "", "editor.terminalText")
        return told if of.terminal is not None else replace(told, held_back=_not_given("editor.terminalText"))

    def _content(self, mention: str, tracked: list[str]) -> Appended:
        """What is appended for a mention, nothing for an unknown scheme; adds to the files to watch."""
        of, git = self._sources, self._sources.git
        if mention.startswith("http"):
            page = of.page(mention)
            text = cannot_fetch("net::ERR_INTERNET_DISCONNECTED") if page is None else page
            told = _told(mention, "page", f'url_content url="{mention}"', text, "editor.pages")
            return told if page is not None else replace(told, held_back=_not_given("editor.pages"))
        if mention.startswith("/"):
            return self._path_content(mention, tracked)
        if mention in ("problems", "git-changes", "terminal"):
            return self._of_editor(mention)
        if _HASH.fullmatch(mention):
            told = _told(mention, "git", f'git_commit hash="{mention}"', commit_text(git, mention), "editor.git")
            known = git is not None and mention in git.commits
            return told if known else replace(told, held_back=_not_given(f"editor.git.commits.{mention}"))
        scheme = mention.partition(":")[0]
        no, remedy = f"{scheme} is not a scheme that Roo fetches", "use an http or https address"
        unknown = Fact("flag", mention, False, "", no, remedy=remedy)
        return Appended(mention, "unknown", (), unknown)

    def _path_content(self, mention: str, tracked: list[str]) -> Appended:
        path = mention[1:]
        # The tag goes by the final slash, what is in it by what is there.
        tag = "folder_content" if mention.endswith("/") else "file_content"
        try:
            content = self._files.read(path)
        except MissingPathError as error:
            text = f'Error fetching content: Nothing could be read at the path "{path}": {error}'
            no, remedy = f"there is no {path}", f"create {path}, or correct the mention"
            fact = Fact("file", path, False, f"{path} was found", no, remedy=remedy)
            content = Content((builtin("mention.missing", text),), fact)
        else:
            if tag == "file_content":
                tracked.append(path)
        spans = (label(f'<{tag} path="{path}">\n'), *content.spans, label(f"\n</{tag}>"))
        return Appended(mention, "path", spans, content.held_back, content.read, content.rest)


def cannot_fetch(why: str) -> str:
    """What stands for a page that cannot be fetched."""
    return f"Error fetching content: {why}"


def _told(mention: str, kind: MentionKind, tag: str, text: str, param: str) -> Appended:
    """What only the editor, git or a browser knows, as `param` has it."""
    spans = (label(f"<{tag}>\n"), param_value(param, text), label(f"\n</{tag.partition(' ')[0]}>"))
    return Appended(mention, kind, spans)


def _not_given(param: str) -> Fact:
    no, remedy = f"`{param}` is not given", f"give `{param}` in the scenario"
    return Fact("flag", param, False, f"`{param}` is given", no, remedy=remedy)


_POINTERS = {
    "problems": "Workspace Problems (the diagnostics follow below)",
    "git-changes": "Working directory changes (they follow in full below)",
    "terminal": "Terminal Output (what was printed follows below)",
}


def _pointer(mention: str) -> str:
    """What is in the place of a mention; empty for an unknown scheme, which stays as it is."""
    if mention.startswith("http"):
        return f"'{mention}' (the page's content follows below)"
    if mention.startswith("/"):
        kind = "folder" if mention.endswith("/") else "file"
        return f"'{mention[1:]}' (the {kind}'s content follows below)"
    if _HASH.fullmatch(mention):
        return f"Git commit '{mention}' (what it holds follows below)"
    return _POINTERS.get(mention, "")
