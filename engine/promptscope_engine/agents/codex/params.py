"""Codex's inputs: command line, settings, and what a session brings along (docs/agents/codex.md#settings)."""

from pathlib import Path
from typing import Any, Literal

from promptscope_engine.agents.kit.params import with_switches
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
SANDBOX = "Sandbox and approvals"
PROMPT = "Prompt"
FEATURES = "Features"
SETTINGS = "Settings"
HOOKS = "Hooks"

Sandbox = Literal["read-only", "workspace-write", "danger-full-access"]


@with_switches(Path(__file__).parent)
class CodexOverlay(Params, extra="allow"):
    """What is laid over the settings files, stronger than everything else."""


class Args(Params):
    """The command line."""

    sandbox: Sandbox | None = param(None, SANDBOX, "wins over the mode", title="--sandbox")
    approval: Literal["on-request", "on-failure", "never"] | None = param(
        None, SANDBOX, "when an interactive session asks; headless ones never do", title="--ask-for-approval"
    )
    approveForMe: bool = param(
        False, SANDBOX, "workspace-write, with a reviewer for the rest", title="--approve-for-me"
    )
    bypassSandbox: bool = param(
        False, SANDBOX, "full access, nothing is asked", title="--dangerously-bypass-approvals-and-sandbox"
    )
    addDir: list[str] = param(list, SANDBOX, "more folders that may be written", title="--add-dir")
    trust: bool = param(False, SANDBOX, "trusts the project, as if it had been decided before", title="--trust")
    profile: str | None = param(None, SETTINGS, "the settings of <name>.config.toml as well", title="--profile")
    config: list[str] = param(list, SETTINGS, "each `key=value`, the value TOML, else a string", title="--config")
    ignoreUserConfig: bool = param(False, SETTINGS, "without the user's config.toml", title="--ignore-user-config")
    strictConfig: bool = param(False, SETTINGS, "an unknown key stops the start", title="--strict-config")
    enable: list[str] = param(list, FEATURES, "features to switch on", title="--enable")
    disable: list[str] = param(list, FEATURES, "features to switch off", title="--disable")
    images: list[str] = param(list, PROMPT, "image files that go with the prompt", title="--image")
    outputSchema: dict[str, Any] | str | None = param(
        None, PROMPT, "a JSON schema for the answer, or the file that holds it", title="--output-schema"
    )
    bypassHookTrust: bool = param(
        False, HOOKS, "runs hooks that nobody has trusted", title="--dangerously-bypass-hook-trust"
    )


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str | None = param(None, HOOKS, "what the SessionStart hook would print")
    UserPromptSubmit: str | None = param(None, HOOKS, "what the UserPromptSubmit hook would print")


class CodexParams(Params):
    """Everything that decides a Codex prompt besides files, mode, model and environment variables."""

    entry: Literal["exec", "interactive"] = param("exec", SESSION, "`codex exec`, or the session in a terminal")
    collaboration: Literal["default", "plan"] = param(
        "default", SESSION, "the mode of an interactive session; headless ones cannot plan"
    )
    prompt: str = param("hi", PROMPT, "the user's first message")
    auth: Literal["api-key", "chatgpt"] = param("api-key", SESSION, "how the user is logged in")
    args: Args = param(Args, SESSION, "the command line")
    settings: CodexOverlay = param(CodexOverlay, SETTINGS, "laid over the settings files")
    hooks: Hooks = param(Hooks, HOOKS, "imagined hook outputs")
