"""The conversation: earlier turns, the prompt or command with what it names, reminders, and what the model reads."""

import re
from collections.abc import Iterator, Sequence, Set

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.heads import setting_spans
from promptscope_engine.agents.kit.disk.reading import excerpt
from promptscope_engine.agents.kit.disk.rows import usable
from promptscope_engine.agents.kit.disk.walking import absolute
from promptscope_engine.agents.kit.text.arguments import Places, called
from promptscope_engine.agents.kit.text.choosing import first_row
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.materials import READ, Agent, Model, Part
from promptscope_engine.agents.opencode.permissions import deciding
from promptscope_engine.agents.opencode.texts import FOLDER
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.javascript.text import js_trim, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Facts
from promptscope_engine.prompt.drafts import Span, computed, environment, label, param_value, unpredictable
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.prompt.spans import joined
from promptscope_engine.wire.protocols import image, picture
from promptscope_engine.wire.request import wire_json

from .agents import Agents, Skills
from .instructions import InstructionFiles
from .settings import Session

_MENTION = re.compile(r"(?<![\w`])@(\.?[^\s`,.]*(?:\.[^\s`,.]+)*)")
_PLACES = Places(re.compile(r"()\$(?:(\d{1,9})|ARGUMENTS)"), "\n\n", first=1, takes_rest=True)
_SHELL = re.compile(r"!`([^`]+)`")
_RANGE = re.compile(r"(?P<path>.*?)\?(?:start=(?P<start>\d{1,9}))?&?(?:end=(?P<end>\d{1,9}))?")
_LINES, _LINE, _BYTES = 2_000, 2_000, 50 * 1024
"""What a read shows at most: lines, characters of one, bytes in all [source]."""
PLAN, BUILD = "plan", "build"
_TYPED = "typed"
"""The parts of what is named in the message itself: there `#3-5` behind a path are lines of it."""


class Conversation:
    """Makes the parts of the messages, in order."""

    def __init__(self, session: Session, agents: Agents, agent: Agent, files: InstructionFiles, skills: Skills) -> None:
        self.session, self.agents, self.agent, self.files, self.skills = session, agents, agent, files, skills
        self.params = session.params
        self.interactive = self.params.entry == "interactive"
        self.number = 0
        self.plan_mode = session.gate("plan_mode").holds(Facts())

    def parts(self, model: Model) -> Iterator[Part]:
        """Everything, from the first turn on."""
        self.model = model
        before = ""
        for number, turn in enumerate(self.params.history):
            name, prompt = str(turn.get("agent") or BUILD), str(turn.get("prompt") or "")
            yield self._part(f"history.{number}", "An earlier prompt", param_value("history", prompt))
            if self.plan_mode:
                yield from self._reminders(name, before, f"history.{number}.")
            self.number += 1
            answer = (param_value("history", "ok"),)
            yield Part(f"history.{number}.answer", "Its answer", answer, self.number, "assistant")
            self.number += 1
            before = name
        yield from self._asked()
        past = {str(turn.get("agent")) for turn in self.params.history}
        yield from self._reminders(self.agent.name, before if self.plan_mode else PLAN if PLAN in past else "", "")
        reads = tuple(dict.fromkeys(resolve(self.session.cwd, path) for path in self.session.inputs.reads))
        self.number += 1
        for path in reads:
            yield Part(f"{READ}{path}", f"Read of {path}", self._output(path), self.number, "tool")
        self.number += bool(reads)
        if self.agent.steps and (2 if reads else 1) >= self.agent.steps:
            yield replace(self._said("last_step", "The last step", "last_step"), role="assistant")

    def _part(self, name: str, title: str, *spans: Span, attached: dict[str, Json] | None = None) -> Part:
        return Part(name, title, spans, self.number, attached=attached)

    def _said(self, name: str, title: str, text: str, **values: object) -> Part:
        """A part that is one of the client's own texts."""
        return Part(name, title, tuple(self._text(text, **values)), self.number, measured=text)

    def _text(self, name: str, **values: object) -> Sequence[Span]:
        return FOLDER.spans(name, Scope(values))

    # --- the prompt -----------------------------------------------------------------------------------------------

    def _asked(self) -> Iterator[Part]:
        params, session = self.params, self.session
        command, typed = params.command, params.prompt
        if self.interactive and not command:  # [asked, in a terminal]
            command, typed = called(typed, lambda name: self.command(name).value is not None) or ("", typed)
        ignored = bool(command) and not self.interactive  # `run` hands no files on to a command [asked]
        named = () if ignored else params.files
        files = [part for number, path in enumerate(named) for part in self._attached(path, f"files.{number}")]
        session.note(FOLDER.agent["notes"], {"files-ignored": ignored and bool(params.files)})
        if command:
            yield from self._command(command, typed)
            yield from files
        else:
            prompt = self._part("prompt", "Prompt", param_value("prompt", self.quoted(typed)))
            yield from (prompt, *files) if self.interactive else (*files, prompt)
        if self.interactive:
            yield from self._mentions(typed, session.cwd, _TYPED)
        for number, name in enumerate(params.agentMentions):
            yield self._mentioned(name, f"agent_mention.{number}")

    def quoted(self, text: str) -> str:
        """`run` puts an argument that holds a blank into quotes."""
        is_plain = self.interactive or " " not in text
        return text if is_plain else '"' + text.replace('"', '\\"') + '"'

    def _mentioned(self, name: str, part: str) -> Part:
        rule = deciding(self.agent.rules, "task", name)
        denied = rule is not None and rule.action == "deny"
        title, named = f"Mention of the agent {name}", computed("agent.name", name)
        return self._said(part, title, "agent_mention", mentioned=named, denied=denied)

    # --- commands -------------------------------------------------------------------------------------------------

    def _command(self, name: str, typed: str) -> Iterator[Part]:
        session = self.session
        found = self.command(name)
        if found.value is None:
            session.refuse(f"there is no command {name}")
            return
        expanded = _PLACES.filled(found.value, self.quoted(typed))
        session.note(FOLDER.agent["notes"], {"not-run": bool(_SHELL.search(expanded))})
        text = js_trim(expanded)
        known = replace(found, value=text)
        spans = setting_spans(known, session.workspace) if found.source.is_set else (computed("command", text),)
        yield self._part("prompt", f"Command {name}", *spans)
        # a path that is chosen in the message itself isn't attached again where the command names it, too [asked]
        names = _MENTION.findall(typed) if self.interactive else ()
        chosen = {resolve(session.cwd, name.partition("#")[0]) for name in names}
        yield from self._mentions(text, session.root, "mention", chosen)

    def _mentions(self, text: str, base: str, part: str, chosen: Set[str] = frozenset()) -> Iterator[Part]:
        """What `@` names in a text: a file or folder that is there, from `base` on, else an agent."""
        session = self.session
        for number, match in enumerate(dict.fromkeys(_MENTION.findall(text))):
            name, _, lines = match.partition("#") if part == _TYPED else (match, "", "")
            path = absolute(name, session.cwd, session.home) if name[:1] in "~/" else resolve(base, name)
            if name and path not in chosen and session.workspace.kind(path) is not None:
                start, _, end = lines.partition("-")
                at = f"?start={start}" + f"&end={end}" * bool(end) if start.isdigit() else ""
                yield from self._attached(path + at, f"{part}.{number}")
            elif match in self.agents.every:
                yield self._mentioned(match, f"{part}.{number}")

    def command(self, name: str) -> Sourced[str | None]:
        """The text of a command, and where it is: of the settings, a skill's, or one that comes along."""
        named = (self.session.settings.text(key, name, "template") for key in ("command", "commands"))
        if found := next((each for each in named if each.value is not None), None):
            return found
        text = None
        bundled, skill = FOLDER.bundled("commands", self.session.inputs.agent_version), self.skills.every.get(name)
        if name in bundled:
            text = bundled[name].text.replace("${path}", self.session.root)
        elif skill is not None and skill.path:
            folder = environment("folder", skill.path.rpartition("/")[0])
            text = joined(self._text("skill_command", body=computed("skill", skill.body), folder=folder))
        return Sourced(text, SettingSource("command", is_set=False))

    # --- files ----------------------------------------------------------------------------------------------------

    def _attached(self, named: str, part: str) -> Iterator[Part]:
        """The call of `read` and what it answers; an image by itself."""
        match = _RANGE.fullmatch(named)
        path, start, end = match.groups() if match else (named, None, None)
        path = absolute(path, self.session.cwd, self.session.home)
        if not self.interactive and self.session.workspace.kind(path) is None:
            self.session.refuse(f"there is no file {path}")
        first, last = int(start or 0), int(end or 0)
        most = last - first + 1 if start and last >= first else 0
        asked = {"filePath": path, **({"offset": first} if start else {}), **({"limit": most} if most else {})}
        head = label("Called the Read tool with the following input: ")
        call = self._part(part, f"File {path}", head, computed("read", wire_json(asked)))
        file = self.session.workspace.read(path)
        found = picture(file.data) if file.found else None
        if found is None:
            yield call
            yield self._part(f"{part}.output", f"Text of {path}", *self._output(path, first, most))
            return
        self.session.row(file, "image", "always", ALWAYS)
        shown = image(self.model.protocol, *found)
        yield replace(call, attached=shown) if self.interactive else call
        if not self.interactive:
            yield self._part(f"{part}.output", f"Image {path}", label("Image read successfully"), attached=shown)

    def _output(self, path: str, start: int = 0, most: int = 0) -> tuple[Span, ...]:
        """What `read` answers for a file or folder, with the instruction files that this wakes."""
        workspace, shown = self.session.workspace, environment("path", path)
        if workspace.is_dir(path):
            names = (entry.name for entry in workspace.list(path).entries)
            entries = [f"{name}/" if workspace.is_dir(f"{path}/{name}") else name for name in names]
            listed = "\n".join(in_locale_order(entries, str))
            return tuple(self._text("read_folder", path=shown, entries=listed, count=str(len(entries))))
        file = workspace.read(path)
        self.session.row(file, "attached", "always", usable(file), file.text)
        if not file.found:
            why = computed("problem", str(file.detail or file.problem))
            return tuple(self._text("read_failed", path=shown, why=why))
        lines = numbered(file.text, max(start, 1), most or _LINES, width=_LINE, size=_BYTES)
        return (*self._text("read_file", path=shown, **lines), *self.files.woken(path, self.number))

    # --- reminders ------------------------------------------------------------------------------------------------

    def _reminders(self, name: str, before: str, part: str) -> Iterator[Part]:
        """Plan mode has a reminder on each of its turns, or, where it is the experimental one, on entering it."""
        facts = {"agent": name, "before": before, "experiment": self.plan_mode, "same": name == before}
        row, folder = (
            first_row(FOLDER.agent["rows"]["reminder"], facts),
            f"{self.session.root.rstrip('/')}/.opencode/plans",
        )
        if said := row.get("keys"):
            values = {"folder": environment("plans", folder), "plan": unpredictable("plan", "TIME-SLUG")}
            yield self._said(f"{part}{said['part']}", said["title"], said["text"], **values)


def numbered(text: str, start: int, most: int, *, width: int, size: int) -> dict[str, object]:
    """The lines with their numbers from `start` on, and what follows: `width` of each, `size` bytes in all."""
    lines = text.removesuffix("\n").split("\n") if text else []
    mark = f"... (line truncated to {width} chars)"
    rest = (line.removesuffix("\r") for line in lines[start - 1 :])
    found, is_full = excerpt(rest, mark, width=width, most=most, size=size)
    shown, following = "".join(f"{n}: {line}\n" for n, line in enumerate(found, start)), start + len(found)
    numbers = {"start": start, "last": following - 1, "following": following, "total": len(lines), "most": size // 1024}
    told = {name: str(number) for name, number in numbers.items()}
    return {**told, "lines": shown, "is_full": is_full, "is_cut": following <= len(lines)}
