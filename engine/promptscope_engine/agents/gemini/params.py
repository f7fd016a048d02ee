"""Gemini CLI's inputs: its command line, settings, and what a session brings along (specs/gemini.md 16)."""

from pathlib import Path
from typing import Literal

from promptscope_engine.agents.kit.switches import with_switches
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
INSTRUCTIONS = "Instructions"
TOOLS = "Tools"
SETTINGS = "Settings"
HOOKS = "Hooks"


@with_switches(Path(__file__).parent)
class Settings(Params, extra="allow"):
    """Settings laid over the merged ones of the files."""


class Args(Params):
    """The command line. `print` is headless mode (`-p`, or no terminal)."""

    print: bool = param(True, title="--prompt", group=SESSION, help="headless: one answer, no dialogs")
    includeDirectories: list[str] = param(
        list, title="--include-directories", group=INSTRUCTIONS, help="more workspace folders"
    )
    extensions: list[str] | None = param(
        None, title="--extensions", group=INSTRUCTIONS, help="the only active extensions; `none` for none, null: all"
    )
    allowedTools: list[str] | None = param(
        None, title="--allowed-tools", group=TOOLS, help="tools that need no confirmation, in place of the setting"
    )
    allowedMcpServerNames: list[str] | None = param(
        None, title="--allowed-mcp-server-names", group=TOOLS, help="the only servers that are started; null: all"
    )
    policy: list[str] = param(
        list, title="--policy", group=TOOLS, help="policy files or folders, in place of ~/.gemini/policies"
    )


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str | None = param(
        None, title="SessionStart", group=HOOKS, help="what the SessionStart hook would add"
    )
    BeforeAgent: str | None = param(None, title="BeforeAgent", group=HOOKS, help="what the BeforeAgent hook would add")


class GeminiParams(Params):
    """Everything that decides a Gemini CLI prompt besides files, mode, model and environment variables."""

    prompt: str = param("hi", title="prompt", group=SESSION, help="the user's first message")
    stdin: str | None = param(None, title="stdin", group=SESSION, help="headless: what is piped in")
    args: Args = param(Args, title="args", group=SESSION, help="the command line")
    trusted: bool | None = param(
        None,
        title="trusted",
        group=SESSION,
        help="what trustedFolders.json says of the workspace; null: the file itself",
    )
    routed: Literal["flash", "pro"] = param(
        "flash", title="routed", group=SESSION, help="the answer of the router that an `auto` model asks first"
    )
    acknowledgedAgents: list[str] = param(
        list, title="acknowledgedAgents", group=INSTRUCTIONS, help="project agents that the user has acknowledged"
    )
    hooks: Hooks = param(Hooks, title="hooks", group=HOOKS, help="imagined hook outputs")
    ripgrep: bool = param(True, title="ripgrep", group=TOOLS, help="`rg` lies in a trusted folder of the system")
    sessionId: str = param(
        "00000000-0000-4000-8000-000000000001", title="sessionId", group=SESSION, help="names the session's folders"
    )
    packageDir: str = param(
        "{PACKAGE}", title="packageDir", group=SESSION, help="where the client is installed; its own skills lie there"
    )
    authType: str = param("gemini-api-key", title="authType", group=SESSION, help="how the user signed in")
    settings: Settings = param(Settings, title="settings", group=SETTINGS, help="laid over the settings files")
