"""What arguments of the command line hold: JSON, or a file with it [asked of 2.1.332].

A value that is not a JSON object is a file's path, from the working directory on; `~` is not the home folder. What is
missing, or has another shape, keeps the agent from starting.
"""

import json
from collections.abc import Iterator, Mapping

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.layered import usable
from promptscope_engine.agents.kit.rows import Found
from promptscope_engine.agents.kit.servers import servers_in
from promptscope_engine.agents.kit.settings_schema import Schema
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.inputs.params import Params
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .settings import read_json

_AGENT = Schema(FOLDER.agent["shapes"]["agent"])


def named_paths(params: Params, cwd: str) -> Iterator[str]:
    """The files and folders that arguments name."""
    args = params.args
    files = (args.settings, args.agents, *args.mcpConfig)
    yield from (from_cwd(each, cwd) for each in files if isinstance(each, str) and each and _object(each) is None)
    yield from (from_cwd(each, cwd) for each in args.pluginDir)


def from_cwd(path: str, cwd: str) -> str:
    """A path of an argument, absolute."""
    return path_in(cwd, path)


def _object(text: str) -> Mapping[str, Json] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not too_deep(value) else None


class Arguments(Found):
    """The agents and servers of the command line, and the schema of its answer; with the files' rows and refusals."""

    def __init__(self, params: Params, cwd: str, workspace: Workspace) -> None:
        super().__init__(workspace=workspace)
        args, self.cwd, self.headless = params.args, cwd, params.args.print
        given = args.agents
        if isinstance(given, str) and given and not self.headless and _object(given) is None:
            self.refuse("--agents names a file, which only a headless session reads")
            given = None
        self.agents_path, agents = self.read("--agents", given)
        self.agents = {name: each for name, each in (agents or {}).items() if self._is_agent(name, each)}
        self.schema = self._schema(args.jsonSchema)
        self.servers: dict[str, Json] = {}
        for each in args.mcpConfig:
            path, config = self.read("--mcp-config", each)
            if config is not None and each and not isinstance(config.get("mcpServers"), dict):
                self.refuse("--mcp-config has no `mcpServers`", path)
            self.servers |= servers_in(config)

    def refuse(self, text: str, path: str | None = None) -> None:
        """The agent does not start."""
        self.say("error", "agent-refuses", f"Claude Code does not start: {text}", path)

    def read(self, option: str, given: Json) -> tuple[str | None, Mapping[str, Json] | None]:
        """The file that a value names, if it does, and the object that is given; None where that cannot be read."""
        if not given:
            return None, {}
        if isinstance(given, dict):
            return None, given
        if (inline := _object(str(given))) is not None:
            return None, inline
        path = from_cwd(str(given), self.cwd)
        file = self.workspace.read(path)
        value, problem = read_json(file, "bad-argument")
        self.row(file, "settings", "always", usable(file, isinstance(value, dict)))
        if not file.found:
            self.refuse(f"{option} names a file that cannot be read", path)
        elif not isinstance(value, dict):
            self.refuse(f"{option}: {problem.message if problem else 'the file holds no JSON object'}", path)
        return path, value if isinstance(value, dict) else None

    def _is_agent(self, name: str, value: Json) -> bool:
        wrong = next(iter(_AGENT.findings(value)), None)
        if wrong:
            key = ".".join(filter(None, (name, str(wrong.key))))
            self.refuse(f"`{key}` of --agents {wrong.reason}", self.agents_path)
        return wrong is None

    def _schema(self, given: Json) -> Mapping[str, Json] | None:
        """The schema that a headless answer has to fit; it is never read from a file."""
        if given is None or not self.headless:
            return None
        found = given if isinstance(given, dict) else _object(str(given))
        if found is None:
            self.refuse("--json-schema is not a JSON object")
        return found
