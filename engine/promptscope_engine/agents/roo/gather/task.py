"""The drafted task, with what its mentions and commands lead to, and the messages before it."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar, cast

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.disk.settings import mapping, text
from promptscope_engine.agents.kit.sessions.conversation import objects_in, text_of
from promptscope_engine.agents.kit.sessions.earlier import Said, opened, row
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.roo import mentions
from promptscope_engine.agents.roo.gather.found import Found, file_diagnostic
from promptscope_engine.agents.roo.ignore import RooIgnore
from promptscope_engine.agents.roo.mentioned_files import DiskTree
from promptscope_engine.agents.roo.mentions import Expansion
from promptscope_engine.agents.roo.params import Editor
from promptscope_engine.agents.roo.texts import DRAFTED, FOLDER
from promptscope_engine.formats.yaml import CORE, YamlError, gray_matter
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import FileDraft, Span, builtin, file_text, label, param_value
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import FileText, Workspace

M = TypeVar("M", bound=Mapping[str, Any])
Role = Literal["user", "assistant"]


def history(path: str, workspace: Workspace) -> Found[tuple[Said, ...]]:
    """The texts of the messages that the public source sends: from the last summary on, after the first message."""
    file, unread = opened(path, "the task's file", "task-file", workspace)
    if file is None:
        return Found((), (), unread)
    try:
        messages = json.loads(file.text)
    except (ValueError, RecursionError):
        messages = None
    if not isinstance(messages, list) or None in messages:
        text = "Roo does not continue the task: its file is not a JSON list of messages"
        return Found((), (), (Diagnostic("error", "agent-refuses", text, path),))
    said: list[Said] = []
    sent = since_last_summary([each for each in objects_in(messages) if each.get("role") in ("user", "assistant")])
    for number, message in enumerate(sent):
        content, role = message.get("content"), "assistant" if message["role"] == "assistant" else "user"
        blocks = [content] if isinstance(content, str) else [text_of(each.get("text")) for each in objects_in(content)]
        # The file is one line, as Roo writes it.
        said += (Said(cast(Role, role), each, 1, number) for each in blocks if each)
    return Found(tuple(said), (row(file, "taskFile", said),))


def since_last_summary(history: Sequence[M]) -> list[M]:
    """The messages from the last summary on, after the task's first unless the summary is the user's."""
    summaries = [index for index, message in enumerate(history) if message.get("isSummary")]
    if not summaries:
        return list(history)
    rest = history[summaries[-1] :]
    return [*rest] if rest[0]["role"] == "user" else [history[0], *rest]


def find_commands(
    workspace: Workspace, cwd: str, home: str, names: Iterable[str]
) -> Found[dict[str, mentions.Command]]:
    """Those of the names that are commands: of the project, else the user's, else built in."""
    commands: dict[str, mentions.Command] = {}
    files: list[FileDraft] = []
    for name in names:
        for folder in (cwd, home):
            path = posixpath.join(folder, ".roo/commands", f"{name}.md")
            file = workspace.read(path)
            if not file.found:
                continue
            shown = posixpath.relpath(path, cwd) if folder == cwd else path
            command = _parsed(shown, file)
            when: Condition = ALWAYS
            if earlier := commands.get(name):
                when = FOLDER.reason("first_command", False, {"actual": earlier.path}, path=shown, earlier=earlier.path)
            files.append(file_row(file, "command", "on-demand", when, joined(command.content), shown=shown))
            commands.setdefault(name, command)
        if own := FOLDER.bundled("commands", FOLDER.versions[-1]).get(name):
            commands.setdefault(
                name, mentions.Command((builtin(f"command.{name}", own.text),), own.head["description"])
            )
    return Found(commands, tuple(files))


def _parsed(shown: str, file: FileText) -> mentions.Command:
    """What does not parse leaves the whole file."""
    content, values = file.text.removeprefix("\ufeff"), mapping(None)
    front, below = gray_matter(content)
    if front is not None:
        with suppress(YamlError):
            values, content = mapping(front.parse(CORE).value), below
    trimmed = js_trim(content)
    # Found from the end of the file: the front matter may say the same.
    first_line = 1 + file.text.count("\n", 0, file.text.rindex(trimmed))
    spans = (file_text(shown, trimmed, first_line),) if trimmed else ()
    return mentions.Command(spans, text(values.get("description")), shown)


_LOOKS_LIKE_ONE = re.compile(r"[(\[{<\"'`]@(/[^\s)\]}>\"'`]+|problems\b|git-changes\b|terminal\b)")


def find_task(inputs: Inputs, words: str, editor: Editor, ignore: RooIgnore, workspace: Workspace) -> Found[Expansion]:
    """The task's words and what they mention."""
    cwd = inputs.workspace
    commands = find_commands(workspace, cwd, inputs.home, mentions.command_names(words))
    # Folders have no text, and a file that cannot be read is left out.
    reported = {problem.path: workspace.read(resolve(cwd, problem.path)) for problem in editor.problems}
    readable = {path: file for path, file in reported.items() if file.found or file.problem == "directory"}
    sources = mentions.Sources(
        cwd=cwd,
        tree=DiskTree(workspace),
        ignore=ignore,
        show_ignored=editor.showRooIgnoredFiles,
        max_read_file_line=editor.maxReadFileLine,
        page=editor.pages.get,
        problems=editor.problems,
        documents={path: file.text if file.found else None for path, file in readable.items()},
        include_problems=editor.includeDiagnosticMessages,
        max_problems=editor.maxDiagnosticMessages,
        git=editor.git,
        terminal=None if editor.terminalText is None else mentions.terminal_text(editor.terminalText),
        commands=commands.value,
    )
    task = mentions.expand_spans(_as_said(words, editor), sources)
    files = (*commands.files, *_mentioned_files(workspace, cwd, task))
    return Found(task, files, (*commands.diagnostics, *_diagnostics(workspace, cwd, words, task)))


def _as_said(words: str, editor: Editor) -> tuple[Span, ...]:
    """The first message is the task; in a later one words are feedback on a result."""
    said = param_value("task", words)
    if not editor.laterTurn:
        return label("<task>\n"), said, label("\n</task>")
    lead = FOLDER.spans("feedback", Scope({}))
    return label("[attempt_completion] Result:\n"), *lead, label("\n<feedback>\n"), said, label("\n</feedback>")


def _mentioned_files(workspace: Workspace, cwd: str, task: Expansion) -> Iterator[FileDraft]:
    def row(path: str, shown: str, when: Condition, injected: str, *, truncated: bool = False) -> FileDraft:
        file = workspace.read(path)
        return file_row(file, "mention", "on-demand", when, injected, shown=shown, truncated=truncated)

    for each in task.appended:
        if each.kind != "path":
            continue
        for path in each.read:
            shown = _shown(cwd, path)
            lines = [span.text for span in each.spans if span.origin.path == shown]
            cut = any(span.origin.path == shown for span in each.rest)
            yield row(path, shown, DRAFTED, "\n".join(lines), truncated=cut)
        path = _path(cwd, each)
        if each.held_back is not None and workspace.kind(path) == "file":
            yield row(path, _shown(cwd, path), each.held_back, "")


def _diagnostics(workspace: Workspace, cwd: str, words: str, task: Expansion) -> Iterator[Diagnostic]:
    for each in task.appended:
        path = _path(cwd, each)
        file = workspace.read(path) if each.kind == "path" else None
        if file is not None and file.problem in ("outside", "too-large"):
            yield file_diagnostic(path, file)
    for match in _LOOKS_LIKE_ONE.finditer(words):
        message = f"@{match[1]} is not a mention: {match[0][0]!r} comes before it, not a space"
        yield Diagnostic("info", "no-mention", message)


def _path(cwd: str, mention: mentions.Appended) -> str:
    return resolve(cwd, mention.mention[1:].replace("\\ ", " "))


def _shown(cwd: str, path: str) -> str:
    return posixpath.relpath(path, cwd) if path.startswith(f"{cwd}/") else path
