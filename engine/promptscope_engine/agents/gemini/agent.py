"""Gemini CLI 0.61.0: how the package is put together, and from placed sections to the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.features import LazyFile
from promptscope_engine.agents.gemini.gather.context import KIND
from promptscope_engine.agents.gemini.gather.gathering import gather, roots
from promptscope_engine.agents.kit.built_in import Accounted, BuiltIn, Feature
from promptscope_engine.agents.kit.disk.walking import folders_with
from promptscope_engine.agents.kit.sessions.command_line import options_from_argv
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import Window
from promptscope_engine.workspace import Workspace

from .materials import Materials
from .scope import tool_drafts
from .sections import section_drafts
from .texts import ALIASES, FOLDER, HEADLESS, ROUTERS

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.model import Content
    from promptscope_engine.inputs.params import fields_of

_WINDOWS = {"gemma-4": 256000, "": 1048576}
"""The window in tokens by what a model's name begins with, read from source and not recorded."""
_RIPGREP_ONLY = "case_sensitive"
"""A parameter that grep_search has through ripgrep alone."""


class Gemini(BuiltIn[Materials], Accounted):
    """The agent as the registry knows it."""

    folder = FOLDER
    extra: Mapping[str, Json] = {"trusted": {"trusted": True}, "attended": {"args.print": False}}
    roots = staticmethod(roots)
    gather = staticmethod(gather)
    tools = staticmethod(tool_drafts)
    sections = staticmethod(section_drafts)

    def models(self, _version: str) -> Mapping[str, str]:
        """The agent's names of models."""
        return {**{name: answers["flash"] for name, answers in ROUTERS.items()}, **ALIASES}

    def window(self, gathered: Gathered[Materials]) -> Window:
        """The context window."""
        m = gathered.materials
        size = next(size for start, size in _WINDOWS.items() if m.model.name.startswith(start))
        unsure = "by its own estimate of the history" if HEADLESS.holds(gathered.facts) else ""
        return Window(size, 0, int(size * m.compression), compaction=unsure)

    after = Feature("after")

    # --- features (features.py) -----------------------------------------------------------------------

    def lazy_files(self, inputs: Inputs, workspace: Workspace, files: Sequence[str]) -> tuple[LazyFile, ...]:
        """The context files that a read brings along, those of folders below the workspace's own, outer ones first."""
        materials = self.gather(inputs, workspace).materials
        folders = folders_with(workspace, inputs.workspace, files, materials.names)
        found = self.gather(replace(inputs, reads=tuple(folders)), workspace).materials.discovered
        return tuple(_lazy_file(file.path, materials) for each in found for file in each.files)

    def started_by(self, command: Sequence[str], _user_agent: str) -> Mapping[str, Json]:
        """Without a command line it was headless, as a capture mostly is."""
        said = options_from_argv(command, fields_of(self.params), FOLDER.agent["command_line"])
        return {"args.print": not command, **said}

    def params_from_request(self, content: Content) -> Mapping[str, Json]:
        """The folder of the client, below which its own skills are listed, and whether it found `rg`."""
        told = super().params_from_request(content)
        grep = next((tool.schema for tool in content.tools if tool.name == "grep_search"), None)
        return {**told, "ripgrep": _RIPGREP_ONLY in str(grep)} if grep else told

    def alternatives(self, model: str | None) -> Sequence[Mapping[str, Json]]:
        """The prompt follows the configured model; of a routed one the request names only where it led."""
        return [
            {"model": configured, "routed": answer}
            for configured, answers in ROUTERS.items()
            for answer, name in answers.items()
            if name == model
        ]


def _lazy_file(path: str, m: Materials) -> LazyFile:
    """A context file that a read of a file in its folder loads, unless something hides that file or the folder."""
    # the file's name may hold folders of its own
    name = next((name for name in sorted(m.names, key=len, reverse=True) if path.endswith(f"/{name}")), "")
    folder = path.removesuffix(f"/{name}")
    hidden = m.hidden_by(f"{folder}/")
    why = "nothing in a node_modules is read" if hidden == "node_modules" else f"{hidden} hides the folder"
    never = f"loads only when the folder is listed, not by reading a file in it: {why}" if hidden else ""
    return LazyFile(path, KIND, folder, (), lambda read: read.startswith(f"{folder}/") and not m.hidden_by(read), never)


GEMINI = Gemini()
