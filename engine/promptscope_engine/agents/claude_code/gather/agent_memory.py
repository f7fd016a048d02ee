"""The memory that an agent's front matter asks for: `memory: project`, `user` or `local` [recorded 2.1.332]."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from promptscope_engine.agents.claude_code.materials import AgentMemory, SubAgent
from promptscope_engine.agents.kit.rows import file_row
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft, file_text
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Lever
from promptscope_engine.workspace import Workspace

from .memory import MAX_BYTES, cut
from .subagents import tools_line

_TOOLS = ("Write", "Edit", "Read")
"""What an agent with a memory has beside the tools that it lists."""


@frozen
class MemoryPlaces:
    """Where agents' memories lie: `config` is the user's folder, `written` the same as the agent writes it."""

    workspace: Workspace
    cwd: str
    config: str
    written: str

    def of(self, agent: SubAgent) -> AgentMemory:
        """The index of an agent's memory. Of a repository's own, one that is reached by a link does not count."""
        name = re.sub(r"[^A-Za-z0-9_-]", "-", agent.name)
        local = "-local" if agent.memory_scope == "local" else ""
        folder, shown = (f"{place}/agent-memory{local}/{name}" for place in self._roots(agent.memory_scope))
        source = self.workspace.read(f"{folder}/MEMORY.md")
        linked = (
            source.real_path != f"{self.workspace.real_path(self.cwd)}/.claude/agent-memory{local}/{name}/MEMORY.md"
        )
        refused = source.problem != "missing" and (not source.found or (agent.memory_scope != "user" and linked))
        text, told = cut("" if refused or source.size > MAX_BYTES else source.text.rstrip())
        pieces = (file_text(source.path, text, 1),) if text.strip() else ()
        return AgentMemory(f"{shown}/", pieces, told, refused, source.path)

    def _roots(self, scope: str) -> tuple[str, str]:
        project = f"{self.cwd}/.claude"
        return (self.config, self.written) if scope == "user" else (project, project)


def with_memories(agents: Iterable[SubAgent], places: MemoryPlaces) -> Iterator[SubAgent]:
    """The agents, with their memories and the tools to keep them."""
    for agent in agents:
        if not agent.memory_scope:
            yield agent
            continue
        found = replace(agent, memory=places.of(agent))
        if agent.tool_list is not None:
            tools = tuple(dict.fromkeys((*agent.tool_list.value, *_TOOLS)))
            line = tools_line(tools, agent.without.value if agent.without else None)
            found = replace(found, tools=line, tool_list=Known(tools, agent.tool_list.source))
        yield found


def memory_rows(agents: Iterable[SubAgent], shown: SubAgent | None, workspace: Workspace) -> Iterator[FileDraft]:
    """A row for the index of each; it is sent to its own agent alone."""
    for agent in agents:
        memory = agent.memory
        if memory is None or (file := workspace.read(memory.path)).problem == "missing":
            continue
        no, yes = f"only the agent {agent.name} is given it", f"it is the memory of the agent {agent.name}"
        on = (Lever("subagent", agent.name),)
        when: Condition = Observed("file", file.path, agent is shown, yes, no, on=on)
        if memory.refused:
            no = "it is reached by a link or is no file: the agent is told that it was not loaded"
            when = when & Observed("file", file.path, False, "", no, remedy=f"make {file.path} a file of its own")
        text = "".join(piece.text for piece in memory.pieces)
        yield file_row(file, "memory", "on-demand", when, text, truncated=memory.cut is not None)
