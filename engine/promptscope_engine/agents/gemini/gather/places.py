"""The folders of the client: its home, its temporary files, the name it gives the project."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from promptscope_engine.agents.gemini.gates import SANDBOX, SEATBELT, home_folder
from promptscope_engine.agents.kit.paths import absolute, shown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.workspace import Workspace

_MARKER = ".project_root"
_MAX_NAMES = 1_000


class Places(Struct, frozen=True):
    """Where things lie. `home` is the user's or GEMINI_CLI_HOME."""

    cwd: str
    home: str
    runtime: str
    """The folder of what the client writes, which is another one in a macOS sandbox."""
    own: str
    """The folder of settings, context files, extensions: `~/.gemini`, in a sandbox too."""
    project: str
    """The workspace's own folder of settings, skills and agents."""
    temporary: str
    memory: str
    """The folder of the private project memory."""
    plans: str
    """Where plans are kept unless something else is set."""
    tracker: str

    def shown(self, path: str) -> str:
        """A path as a sentence has it: relative to the working directory, or from `~`."""
        return shown(path, self.cwd, self.home)

    def absolute(self, path: str) -> str:
        """A path that a person wrote: from `~`, absolute, or relative to the working directory."""
        return absolute(path, self.cwd, self.home)


def find_places(inputs: Inputs, session: str, workspace: Workspace) -> Places:
    """The folders of a scenario."""
    cwd, home = inputs.workspace, home_folder(inputs.env, inputs.home)
    own = f"{home.rstrip('/')}/.gemini"
    runtime = f"{home.rstrip('/')}/.cache/.gemini" if inputs.env.get(SANDBOX) == SEATBELT else own
    slug = _slug(cwd, f"{own}/projects.json", (f"{runtime}/tmp", f"{own}/history"), workspace)
    temporary = f"{runtime}/tmp/{slug}"
    return Places(
        cwd, home, runtime, own, f"{cwd.rstrip('/')}/.gemini", temporary, f"{temporary}/memory",
        f"{temporary}/{session}/plans", f"{temporary}/{session}/tracker",
    )  # fmt: skip


def _slug(cwd: str, registry: str, bases: tuple[str, ...], workspace: Workspace) -> str:
    """The project's name: the registered one, one whose folder belongs to the project, or a new one."""
    known = _registered(workspace, registry)
    registered = known.get(cwd)
    if registered and all(_owner(workspace, base, registered) in (None, cwd) for base in bases):
        return registered
    for base in bases:
        for entry in workspace.list(base).entries[:_MAX_NAMES]:
            if _owner(workspace, base, entry.name) == cwd:
                return entry.name
    taken = {name for project, name in known.items() if project != cwd}
    plain = slug_of(cwd)
    for number in range(_MAX_NAMES):
        name = f"{plain}-{number}" if number else plain
        if name not in taken and all(_owner(workspace, base, name) in (None, cwd) for base in bases):
            return name
    return plain


def slug_of(path: str) -> str:
    """The name made of a path: its last part in lower case, with dashes for everything but letters and digits."""
    name = path.rstrip("/").rpartition("/")[2]
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "project"


def _registered(workspace: Workspace, registry: str) -> Mapping[str, str]:
    try:
        value = parse_json(workspace.read(registry).text).value
    except JsonSyntaxError:
        return {}
    projects = value.get("projects") if isinstance(value, dict) else None
    found = projects.items() if isinstance(projects, dict) else ()
    return {path: name for path, name in found if isinstance(name, str) and name and "/" not in name}


def _owner(workspace: Workspace, base: str, name: str) -> str | None:
    """The project that a folder is marked as belonging to; None for one without a mark."""
    marker = workspace.read(f"{base}/{name}/{_MARKER}")
    return marker.text.strip() if marker.found else None
