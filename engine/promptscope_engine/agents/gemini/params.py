"""Gemini CLI's inputs: its command line, settings, and what a session brings along."""

from pathlib import Path
from typing import Literal

from promptscope_engine.agents.kit.params import with_switches
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
INSTRUCTIONS = "Instructions"
TOOLS = "Tools"
SETTINGS = "Settings"
HOOKS = "Hooks"


@with_switches(Path(__file__).parent)
class GeminiOverlay(Params, extra="allow"):
    """Settings laid over the merged ones of the files."""


class Args(Params):
    """The command line. `print` is headless mode (`-p`, or no terminal)."""

    print: bool = param(True, SESSION, "headless: one answer, no dialogs", title="--prompt")
    includeDirectories: list[str] = param(list, INSTRUCTIONS, "more workspace folders", title="--include-directories")
    extensions: list[str] | None = param(
        None, INSTRUCTIONS, "the only active extensions; `none` for none, null: all", title="--extensions"
    )
    allowedTools: list[str] | None = param(
        None, TOOLS, "tools that need no confirmation, in place of the setting", title="--allowed-tools"
    )
    allowedMcpServerNames: list[str] | None = param(
        None, TOOLS, "the only servers that are started; null: all", title="--allowed-mcp-server-names"
    )
    policy: list[str] = param(list, TOOLS, "policy files or folders, in place of ~/.gemini/policies", title="--policy")


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str | None = param(None, HOOKS, "what the SessionStart hook would add", title="SessionStart")
    BeforeAgent: str | None = param(None, HOOKS, "what the BeforeAgent hook would add", title="BeforeAgent")


class GeminiParams(Params):
    """Everything that decides a Gemini CLI prompt besides files, mode, model and environment variables."""

    prompt: str = param("hi", SESSION, "the user's first message", title="prompt")
    stdin: str | None = param(None, SESSION, "headless: what is piped in", title="stdin")
    args: Args = param(Args, SESSION, "the command line", title="args")
    trusted: bool | None = param(
        None, SESSION, "what trustedFolders.json says of the workspace; null: the file itself", title="trusted"
    )
    routed: Literal["flash", "pro"] = param(
        "flash", SESSION, "the answer of the router that an `auto` model asks first", title="routed"
    )
    acknowledgedAgents: list[str] = param(
        list, INSTRUCTIONS, "project agents that the user has acknowledged", title="acknowledgedAgents"
    )
    hooks: Hooks = param(Hooks, HOOKS, "imagined hook outputs", title="hooks")
    ripgrep: bool = param(True, TOOLS, "`rg` is in a trusted system folder", title="ripgrep")
    sessionId: str = param(
        "00000000-0000-4000-8000-000000000001", SESSION, "names the session's folders", title="sessionId"
    )
    packageDir: str = param(
        "{PACKAGE}", SESSION, "where the client is installed; its own skills are there", title="packageDir"
    )
    authType: str = param("gemini-api-key", SESSION, "how the user signed in", title="authType")
    settings: GeminiOverlay = param(GeminiOverlay, SETTINGS, "laid over the settings files", title="settings")
