"""The shell that commands run in [recorded 2.1.332]."""

from __future__ import annotations

from promptscope_engine.inputs.machine import search_path
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace

_KINDS = ("zsh", "bash")
_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")


def shells(inputs: Inputs, workspace: Workspace) -> tuple[str, str]:
    """The path of the shell that commands run in, and of the login shell.

    CLAUDE_CODE_SHELL or else SHELL, if it names a bash or zsh that can be run; else one on PATH, of SHELL's kind first.
    The machine's login shell stands in for SHELL where no variable says, and is there. Where nothing can be seen, SHELL
    is taken at its word.
    """
    env = inputs.env
    login = env.get("SHELL", inputs.environment.shell) or ""
    named = [path for path in (env.get("CLAUDE_CODE_SHELL", ""), login) if any(kind in path for kind in _KINDS)]
    if named == [login] and "SHELL" not in env:
        return login, login
    kinds = reversed(_KINDS) if "bash" in login else _KINDS
    folders = (*search_path(env), *_FOLDERS)
    paths = (*named, *(f"{folder}/{kind}" for kind in kinds for folder in folders))
    absolute = (path if path.startswith("/") else f"{inputs.workspace}/{path}" for path in paths)
    return next(filter(workspace.is_executable, absolute), (*named, "bash")[0]), login
