"""Instruction files that are here and that no agent reads, with the settings as they are."""

from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.insight.agents_table import MODELLED, AgentFiles

from .context import Context
from .findings import RULES, Finding

RULE = "unread-file"

_SKILLS, _SKILL = "/skills/", "/SKILL.md"
_SAY = frozenset({"near-miss", "outside-link", "skill-dropped", "suppressed", "unmatched-rule"})
"""Rules whose findings say already why a file is not read."""
_NO_FILE = "/\x01"
"""A path for which an agent says no more than what it reads at all."""


def unread_files(context: Context, agents: Sequence[AgentFiles], told: Iterable[Finding]) -> Iterator[Finding]:
    """The files of the repository with a name for instructions that none of these agents reads, by folder.

    `told` are the findings so far: a file of which one says why it is not read is not found again. Nothing is found
    where not all files are known, or not what one of the agents reads.
    """
    listing = context.names.listing
    if not listing.complete or any(each.error for each in agents):
        return
    known = {each.path for each in told if each.rule in _SAY}
    folders: dict[tuple[str, str], list[str]] = {}
    for name in listing.files:
        if MODELLED.search(name) and not _is_part_of_skill(name) and name not in known:
            path = f"{context.root}/{name}"
            real = context.workspace.real_path(path)
            if not any(each.reads(real) for each in agents) and not _is_for_mode(real, agents):
                folders.setdefault((dirname(name), _why(path, real, agents)), []).append(name)
    for (folder, why), names in folders.items():
        others = len(names) - 1
        more = f", nor {others} more in {folder or 'this folder'}" if others else ""
        tokens = sum(context.count(context.text(f"{context.root}/{name}")) for name in names)
        checked = tuple(each.agent for each in agents)
        yield Finding(RULE, RULES[RULE].level, f"no agent reads it{more}: {why}", names[0], None, checked, tokens)


def _is_part_of_skill(name: str) -> bool:
    """Whether it is one of a skill's further files, which the skill itself names."""
    return _SKILLS in f"/{name}" and not name.endswith(_SKILL)


def _is_for_mode(real: str, agents: Iterable[AgentFiles]) -> bool:
    """Whether an agent reads it in another mode."""
    rows = (each.files[real] for each in agents if real in each.files)
    return any(lever.param == "mode" for row in rows for lever in row.why.levers)


def _why(path: str, real: str, agents: Sequence[AgentFiles]) -> str:
    """What the agent says whose file it is by its name, else the first that knows such files."""
    owner = sorted(agents, key=lambda each: not _is_of(path, each))
    for each in owner:
        if real in each.files:
            return each.files[real].why.because.removeprefix("not read: ")
        said = each.unread(path)
        if said != each.unread(_NO_FILE):
            return said
    return owner[0].unread(path)


def _is_of(path: str, agent: AgentFiles) -> bool:
    """Whether a part of the path is a name by which the agent has files of its own."""
    parts = path.split("/")
    return any(name.partition("/")[0] in parts for name in load_agent(agent.agent).about.own_files)
