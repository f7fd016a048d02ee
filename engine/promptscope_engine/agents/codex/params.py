"""Codex's inputs: command line, settings, and what a session brings along (specs/codex.md 12.1)."""

from typing import Any, Literal

from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
SANDBOX = "Sandbox and approvals"
PROMPT = "Prompt"
FEATURES = "Features"
SETTINGS = "Settings"
HOOKS = "Hooks"

Sandbox = Literal["read-only", "workspace-write", "danger-full-access"]


def _feature(name: str, help: str) -> Any:
    return param(None, title=name, group=FEATURES, help=help)


class Features(Params, extra="allow"):
    """Features to switch on or off, as `[features]` does; null leaves them as the settings have them."""

    goals: bool | None = _feature("goals", "the tools for a long-term goal")
    view_image: bool | None = _feature("view_image", "the tool that shows an image file to the model")
    shell_tool: bool | None = _feature("shell_tool", "the tools that run commands")
    sleep_tool: bool | None = _feature("sleep_tool", "the tool that waits (gpt-6 and 6.1)")
    unified_exec_tty: bool | None = _feature("unified_exec_tty", "the parameter `tty` of exec_command")
    multi_agent: bool | None = _feature("multi_agent", "sub-agents of the first kind")
    multi_agent_v2: bool | None = _feature("multi_agent_v2", "sub-agents of the second kind for every model")
    memories: bool | None = _feature("memories", "the summary of what earlier sessions learned")
    hooks: bool | None = _feature("hooks", "commands that run at events of a session")
    code_mode: bool | None = _feature("code_mode", "a tool that runs JavaScript, beside the others")
    code_mode_only: bool | None = _feature("code_mode_only", "a tool that runs JavaScript, in place of most others")
    token_budget: bool | None = _feature("token_budget", "tells the model how much of its window is left")
    omit_skill_descriptions: bool | None = _feature("omit_skill_descriptions", "lists skills by name only")
    deferred_tool_world_state: bool | None = _feature("deferred_tool_world_state", "names deferred tools in the prompt")
    model_catalog_in_context: bool | None = _feature("model_catalog_in_context", "lists the models in the prompt")
    current_time_reminder: bool | None = _feature("current_time_reminder", "tells the time after the prompt")
    request_permissions_tool: bool | None = _feature("request_permissions_tool", "a tool that asks for permissions")
    exec_permission_approvals: bool | None = _feature("exec_permission_approvals", "permissions for one command")
    send_message_to_user_async: bool | None = _feature("send_message_to_user_async", "a tool that writes to the user")
    non_prefixed_mcp_tool_names: bool | None = _feature("non_prefixed_mcp_tool_names", "MCP tools without `mcp__`")
    default_mode_request_user_input: bool | None = _feature(
        "default_mode_request_user_input", "the model may ask questions outside of plan mode"
    )
    web_search_request: bool | None = _feature("web_search_request", "lets the web search leave its cache")


def _setting(name: str, help: str, **more: Any) -> Any:
    return param(None, title=name, group=SETTINGS, help=help, **more)


class Settings(Params, extra="allow"):
    """What is laid over the settings files, stronger than everything else; keys that are no switches are kept."""

    features: Features = param(Features, title="features", group=FEATURES, help="as in `[features]`")
    approvals_reviewer: Literal["user", "auto_review"] | None = param(
        None, title="approvals_reviewer", group=SANDBOX, help="who reviews what a command may not do by itself"
    )
    personality: Literal["none", "friendly", "pragmatic"] | None = _setting("personality", "the model's manner")
    model_reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "ultra"] | None = _setting(
        "model_reasoning_effort", "how long the model thinks; `ultra` also delegates by itself"
    )
    model_reasoning_summary: Literal["auto", "concise", "detailed", "none"] | None = _setting(
        "model_reasoning_summary", "whether the model sums up what it thought"
    )
    model_verbosity: Literal["low", "medium", "high"] | None = _setting("model_verbosity", "how long answers are")
    model_context_window: int | None = _setting("model_context_window", "tokens of the window", ge=1)
    web_search: Literal["disabled", "cached", "indexed", "live"] | None = _setting(
        "web_search", "the web search of classic models"
    )
    project_doc_max_bytes: int | None = _setting(
        "project_doc_max_bytes", "bytes of all AGENTS.md files of a project together; 32768 when not set", ge=0
    )
    developer_instructions: str | None = _setting("developer_instructions", "a text of your own for the model")
    instructions: str | None = _setting("instructions", "a text in place of the base instructions")
    include_environment_context: bool | None = _setting("include_environment_context", "the environment context")
    include_permissions_instructions: bool | None = _setting(
        "include_permissions_instructions", "what the sandbox lets the model do"
    )
    include_collaboration_mode_instructions: bool | None = _setting(
        "include_collaboration_mode_instructions", "the collaboration mode (gpt-6 and 6.1)"
    )


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
    settings: Settings = param(Settings, SETTINGS, "laid over the settings files")
    hooks: Hooks = param(Hooks, HOOKS, "imagined hook outputs")
