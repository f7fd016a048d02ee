"""The first message: the skills that it names with `$`, and what a terminal takes for a command of its own."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from promptscope_engine.agents.codex.materials import MentionedSkill
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.inputs.params import Params
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Span, builtin, file_text
from promptscope_engine.workspace import Workspace

from .settings import Session
from .skills import LOADED, FoundSkill

_VARIABLES = frozenset(
    {"PATH", "HOME", "USER", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "LANG", "TERM", "XDG_CONFIG_HOME"}
)
"""Names that mean a variable of the environment [source]."""
_MENTION = re.compile(r"\[\$([\w:-]+)\][ \t\n\x0c\r]*\(([^)]*)\)|\$([\w:-]+)", re.ASCII)
_COMMAND = re.compile(r"/([^\s/]+)(?:\s|\Z)")
_MOST = 50
"""Names that lead nowhere, and are said to."""


def message_sent(params: Params) -> str:
    """The words as they are sent: a terminal takes the white space around them away (recorded 0.169.0)."""
    prompt: str = params.prompt
    return prompt if params.entry == "exec" else prompt.strip()


def note_command(session: Session, params: Params) -> None:
    """Say that a terminal sends nothing of a message that begins with `/name`; `codex exec` sends it (0.169.0)."""
    command = None if params.entry == "exec" else _COMMAND.match(params.prompt)
    if command is None:
        return
    own = f"{session.codex_home}/prompts/{command[1].removeprefix('prompts:')}.md"
    text = f"a terminal takes /{command[1]} for a command of Codex, and sends none of these words"
    if session.workspace.kind(own) == "file":
        session.warn("command-not-sent", f"{text}; {session.shown(own)} is no longer read: make a skill of it", own)
    else:
        session.warn("command-not-sent", text)


def mentioned(prompt: str, found: Sequence[FoundSkill], workspace: Workspace) -> tuple[MentionedSkill, ...]:
    """The skills the prompt names, linked ones first, in Codex's own order; a shared name names none [0.169.0].

    Then the names that lead nowhere, each with the reason.
    """
    able = [skill for skill in found if skill.enabled]
    able.sort(key=lambda skill: LOADED.index(skill.rank))
    counts = Counter(skill.name for skill in able)
    said = [match.groups() for match in _MENTION.finditer(prompt)]
    said = [each for each in said if (each[0] or each[2]).upper() not in _VARIABLES]
    paths = {path.strip().removeprefix("skill://") for linked, path, _ in said if linked}
    names = dict.fromkeys(name for _, _, name in said if name)
    chosen = [skill for skill in able if skill.path in paths]
    chosen += [skill for skill in able if skill.name in names and counts[skill.name] == 1 and skill not in chosen]
    nowhere = [name for name in names if counts[name] != 1 and not name.isdigit()][:_MOST]
    sent = (MentionedSkill(s.name, s.path, _whole(s, workspace)) for s in chosen)
    return (*sent, *_nowhere(nowhere, counts, found))


def _nowhere(names: Sequence[str], counts: Counter[str], found: Sequence[FoundSkill]) -> Iterator[MentionedSkill]:
    """The names that bring no skill along."""
    for name in names:
        off = next((skill for skill in found if skill.name == name and not skill.enabled), None)
        if counts[name]:
            why: Condition = FOLDER.reason("ambiguous", name=name, count=counts[name])
        elif off is not None and off.why_not:
            why = off.why_not[0]
        else:
            why = FOLDER.reason("no_skill_named", name=name)
        yield MentionedSkill(name, "", (), why)


def _whole(skill: FoundSkill, workspace: Workspace) -> tuple[Span, ...]:
    if skill.file is not None:
        return (file_text(skill.path, skill.file.text, 1),)
    own = workspace.read(skill.path)
    if own.found:
        return (file_text(skill.path, own.text, 1),)
    front = f"---\nname: {skill.name}\ndescription: {skill.description}\n---\n"
    return (builtin(f"skills.{skill.name}.body", front),)
