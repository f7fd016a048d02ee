"""What goes out beside the typed prompt: the files that it mentions with `@`, and what hooks say [recorded 2.1.332]."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from promptscope_engine.agents.claude_code.materials import Hook, Mention, Mentions
from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.claude_code.versions import V100, has
from promptscope_engine.agents.kit.disk.hooks import runs
from promptscope_engine.agents.kit.disk.rows import absent
from promptscope_engine.agents.kit.disk.settings import mapping, object_in
from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.inputs.params import Params
from promptscope_engine.javascript.text import utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import ProgramDraft, Span, computed, label, param_value, unpredictable
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText
from promptscope_engine.workspace.paths import home_short

from .instruction_files import DeniedReads
from .memory import memory_folder, size_shown
from .prefix import prefix_of
from .session import Gatherer, Session
from .settings import MANAGED

MAX_LINES = 2_000
"""Lines that one Read gives in 2.1.100; later versions give a file whole."""
MAX_BYTES = 256 * 1024
"""A larger file is named only (recorded 2.1.332)."""
_MAX_MENTIONS = 50
_MAX_ENTRIES = 1_000
_QUOTED = r'(?<!\S)@"([^"]{1,4096})"'
_PLAIN = r'(?<!\S)@([^\s"]\S{0,4095}(?a:\b))'
_RANGE = r"L?(\d{1,9})(?:-L?(\d{1,9}))?"
_AGENT = "agent-"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def tokens(prompt: str) -> list[str]:
    r"""What is behind each `@` at the start of a word, once each: quoted ones first (recorded 2.1.332).

    A plain one ends at the last border of an ASCII word, as `\\b` has it: `notes.txt,` is `notes.txt`.
    """
    quoted = (match[1] for match in re.finditer(_QUOTED, prompt))
    plain = (match[1] for match in re.finditer(_PLAIN, prompt))
    return list(dict.fromkeys((*quoted, *plain)))[:_MAX_MENTIONS]


def mentioned_paths(prompt: str, cwd: str, home: str) -> tuple[str, ...]:
    """The paths that the words of the prompt name, wherever they are: the person who wrote them wants them read."""
    found = (absolute(token.partition("#")[0], cwd, home) for token in tokens(prompt))
    return tuple(path for path in found if path != "/")


class MentionFinder(Gatherer):
    """Looks for what the prompt mentions. `denied`: the rules that forbid to read. `when`: mentions are read at all."""

    def __init__(self, session: Session, when: Condition) -> None:
        super().__init__(session)
        self.denied, self.when = DeniedReads(session.rules, session.cwd, session.home, session.config), when

    def find(self, prompt: str, agents: Collection[str]) -> Mentions:
        """The mentioned files, folders and agents that are there, in order; each file has a row."""
        found: list[Mention] = []
        named: dict[str, None] = {}
        looked_at: dict[str, None] = {}
        kept_out: dict[str, Condition] = {}
        for token in tokens(prompt):
            agent = _agent(token, agents)
            if agent is not None:
                named[agent] = None
                continue
            path_text, _, fragment = token.partition("#")
            path = absolute(path_text, self.cwd, self.session.home)
            looked_at[path] = None
            kind = self.workspace.kind(path)
            if kind == "directory":
                lines = tuple((None, entry.name) for entry in self.workspace.list(path).entries[:_MAX_ENTRIES])
                asked = _input(command=f"ls {path}", description=f"Lists files in {path}")
                found.append(Mention(path, "folder", asked, lines))
            elif kind == "file":
                mention, when = self._file(path, re.fullmatch(_RANGE, fragment))
                if mention is None:
                    kept_out[path] = when
                else:
                    found.append(mention)
            else:
                kept_out[path] = absent(path, f"there is no {path}: the words go as they are", f"write {path}")
        large, read = (tuple(each for each in found if (each.kind == "large") is it) for it in (True, False))
        return Mentions(read, large, tuple(named), tuple(looked_at), self.when, tuple(kept_out.items()))

    def _file(self, path: str, wanted: re.Match[str] | None) -> tuple[Mention | None, Condition]:
        """What is sent of a file, None for nothing, and the condition for it."""
        source = self.workspace.read(path)
        why = f"it cannot be read: {source.problem} ({source.detail})" if source.problem else ""
        there = FOLDER.reason("mentioned", source.found, path=path, why=why)
        when = there & self.denied.permitted(path) & self.when
        mention, truncated = read_answer(path, source, wanted, self.version)
        text = "\n".join(line for _, line in mention.lines)
        if mention.kind == "binary":
            when = when & FOLDER.reason("binary", path=path)
        if all(draft.path != path for draft in self.files):
            self.row(source, "mention", "on-demand", when, text, truncated=truncated)
        refused = source.problem not in (None, "too-large") or mention.kind == "binary"
        return None if refused or self.denied.denying(path) else mention, when


def _agent(token: str, agents: Collection[str]) -> str | None:
    """The agent that `agent-NAME` or `"NAME (agent)"` names."""
    name = token.removeprefix(_AGENT) if token.startswith(_AGENT) else token.removesuffix(" (agent)")
    return name if name != token and name in agents else None


def _input(**values: str | int) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def read_answer(path: str, source: FileText, wanted: re.Match[str] | None, version: str) -> tuple[Mention, bool]:
    """What Read answers, and whether lines were left out."""
    if path.lower().endswith(_IMAGES):
        return Mention(path, "image", _input(file_path=path)), False
    if path.lower().endswith(".pdf"):
        text = f"PDF file read: {path} ({size_shown(source.size)})"
        return Mention(path, "pdf", _input(file_path=path), ((None, text),)), False
    if source.size > MAX_BYTES and version != V100:
        return Mention(path, "large", size_shown(source.size)), True
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n")
    if "\0" in text:
        return Mention(path, "binary", ""), False
    if version == V100:
        lines = tuple(enumerate(text.removesuffix("\n").split("\n"), 1))
        return Mention(path, "file", _input(file_path=path), lines[:MAX_LINES]), len(lines) > MAX_LINES
    return _lines(path, text, wanted, version), False


def _lines(path: str, text: str, wanted: re.Match[str] | None, version: str) -> Mention:
    every = tuple(enumerate(text.split("\n"), 1))
    if not wanted:
        return Mention(path, "file" if text else "empty", _input(file_path=path), every if text else ())
    first, last = int(wanted[1]), int(wanted[2] or wanted[1])
    asked = {"offset": first, "limit": last - first + 1} if last >= first and has(version, "mention_range") else {}
    lines = every[first - 1 : last] if first else ()
    kind = "file" if lines else "beyond"
    return Mention(path, kind, _input(file_path=path, **asked), lines, (first, len(every)))


def woken_by(mentions: Mentions) -> list[str]:
    """The paths whose folders' files and rules load: those of files and of what is not there, not of folders."""
    folders = {mention.path for mention in mentions.read if mention.kind == "folder"}
    return [path for path in mentions.looked_at if path not in folders]


_EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact")
_MOST = 10_000
"""UTF-16 units of what a hook says; more is put into a file, and its start is sent."""
_START = 2_000


def gather_hooks(session: Session, listed: Sequence[ProgramDraft]) -> dict[str, Hook]:
    """What the hooks of each event say. What one prints is a text, or an object whose `additionalContext` counts."""
    found: dict[str, Hook] = {}
    for event in _EVENTS:
        printed: str = getattr(session.params.hooks, event).strip()
        said = object_in(printed)
        own = mapping((said or {}).get("hookSpecificOutput"))
        context = own.get("additionalContext") if own.get("hookEventName") == event else None
        text = printed if said is None else context if isinstance(context, str) else ""
        spans = tuple(_spans(event, text, session))
        places = dict.fromkeys((hook.path, hook.line) for hook in listed if hook.event == event)
        commands = tuple(hook.name for hook in listed if hook.event == event)
        shown = (f"{home_short(path, session.home).removeprefix(f'{session.cwd}/')}:{line}" for path, line in places)
        found[event] = Hook(
            _may_speak(session, event) & runs(listed, event), spans, said is not None, tuple(shown), commands
        )
    return found


def stopped(params: Params, hooks: Mapping[str, Hook], facts: Facts) -> tuple[Diagnostic, Condition] | None:
    """Why nothing is sent, if a hook blocks the prompt. A SessionStart hook cannot [recorded 2.1.332]."""
    said = object_in(params.hooks.UserPromptSubmit.strip()) or {}
    keeps = said.get("decision") == "block" or said.get("continue") is False
    if not keeps or params.subagent is not None or not hooks["UserPromptSubmit"].speaks.holds(facts):
        return None
    name, why = "hooks.UserPromptSubmit", "the UserPromptSubmit hook stops the prompt, so nothing is sent"
    return Diagnostic("error", "agent-refuses", why), Fact("flag", name, False, "", why, on=(Lever(name, ""),))


def _may_speak(session: Session, event: str) -> Condition:
    """Whether `disableAllHooks` silences the hooks.

    In an organisation's file it silences all of them; elsewhere it leaves the organisation's, as do that file's
    `allowManagedHooksOnly` and `strictPluginOnlyCustomization`.
    """
    settings = session.settings
    own = settings.of(MANAGED)
    decides = settings.layer_of("disableAllHooks")
    if event in own.table("hooks") and (decides is None or decides.kind != MANAGED):
        return ALWAYS
    off, only = settings.known("disableAllHooks", default=False), own.known("allowManagedHooksOnly", default=False)
    others = "`allowManagedHooksOnly` is on, and no managed settings have such a hook"
    return (
        off.is_(False, unset=True, no="`disableAllHooks` is on")
        & only.is_(False, no=others)
        & session.sources.of("hooks").open
        & prefix_of(session).hooks
    )


def _spans(event: str, text: str, session: Session) -> Iterator[Span]:
    """All of the text, or its start up to the end of a line in its second half."""
    said, size = f"hooks.{event}", utf16_len(text)
    project = memory_folder(session.written, session.cwd).removesuffix("/memory")
    if size <= _MOST:
        yield param_value(said, text)
        return
    head = utf16_slice(text, 0, _START)
    end = head.rfind("\n")
    yield label("<persisted-output>\nThis is too large (")
    yield computed("hook.size", size_shown(size))
    yield label("). All of it is in: ")
    yield unpredictable("hook.file", f"{project}/00000000-0000-0000-0000-000000000000/tool-results/hook-{event}.txt")
    yield label("\n\nIts first 2KB:\n")
    yield param_value(said, head[:end] if end > 0 and utf16_len(head[:end]) > _START // 2 else head)
    yield label("\n...\n</persisted-output>")
