"""What a message in a session brings along: the skills and commands that it calls, and the files that `@` names."""

import re
from collections.abc import Iterator

from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.disk.heads import verbatim
from promptscope_engine.agents.kit.disk.walking import Reach, linked_below
from promptscope_engine.agents.kit.text.arguments import Places, called
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.drafts import Span, computed, environment, param_value
from promptscope_engine.prompt.spans import trimmed_end
from promptscope_engine.workspace import FileText

from .session import Session

_CALL = re.compile(r"(?<!\S)/([A-Za-z0-9][\w:-]*)(?![\w/])")
_PLACES = Places(re.compile(r"(\\)?\$(?:ARGUMENTS\[(\d{1,3})\]|ARGUMENTS(?!\w)|(\d{1,3}))"), "\n\nARGUMENTS: ")
_MENTION = re.compile(r"(?<!\S)@(\S+)")
_DEPTH, _MOST = 20, 100


def message(session: Session, skills: dict[str, tuple[FileText, str]]) -> Iterator[Span]:
    """The prompt as it is sent: what it calls before it, or in its place, and behind it what it names [asked].

    `skills` are those and the commands by name, with the text below the front matter. Headless, nothing is expanded.
    """
    prompt, gap = session.params.prompt.rstrip(), list[Span]()
    if session.params.entry == "interactive":
        names = {name.lower(): name for name in skills}
        first = called(prompt, lambda name: name.lower() in names)
        inner = () if prompt.lstrip().startswith("/") else _CALL.findall(prompt)
        calls = {names[first[0].lower()]: first[1]} if first else {name: "" for name in inner if name in skills}
        for name, arguments in calls.items():
            yield from (*gap, *_context(session, name, *skills[name], arguments))
            gap = [computed("skill_context", "\n\n")]
        if first:
            return
    yield from (*gap, *trimmed_end((param_value("prompt", session.params.prompt),)))


def _context(session: Session, name: str, file: FileText, body: str, arguments: str) -> tuple[Span, ...]:
    folder = file.path.rpartition("/")[0]
    text = _PLACES.filled(body.lstrip("\r\n"), arguments)
    above = file.text.count("\n") - body.count("\n")
    every = linked_below(session.workspace, folder, "", Reach(_DEPTH))
    related = [path for path in every if not path.endswith("/SKILL.md")]
    lines = "".join(f"  - {path}\n" for path in related[:_MOST])
    values = {"name": name, "folder": environment("folder", folder), "body": verbatim(file, text, "skill", above)}
    more = {"related": bool(related), "files": environment("files", lines), "is_cut": len(related) > _MOST}
    return tuple(FOLDER.spans("skill_context", Scope({**values, **more})))


def tagged(session: Session) -> str:
    """What `@` names in a session, behind the prompt: a line for each file and folder that is there, not its text."""
    workspace, found = session.workspace, {}
    for name in _MENTION.findall(session.params.prompt if session.params.entry == "interactive" else ""):
        path = resolve(session.cwd, name.rstrip(".,:;!?)"))
        if workspace.is_dir(path):
            found[path] = f"{len(workspace.list(path).entries)} items"
        elif (file := workspace.read(path)).found:
            found[path] = f"{file.text.count(chr(10)) + 1} lines"
    lines = "\n".join(f"* {path} ({size})" for path, size in found.items())
    return f"\n\n\n\n<tagged_files>\n{lines}\n</tagged_files>" if found else ""
