"""Roo Code's inputs: the arguments of its `SYSTEM_PROMPT`, under its own names (docs/agents/roo.md#prompt)."""

from typing import Any, Literal

from promptscope_engine.inputs.models import field
from promptscope_engine.inputs.params import Params, param

CAPABILITIES = "Capabilities"
EXPERIMENTS = "Experiments"
INSTRUCTIONS = "Instructions"
SETTINGS = "Settings"
MACHINE = "Machine"
EDITOR = "Editor"


DERIVED: dict[str, bool | None] = {"derived": None, "on": True, "off": False}
"""The values of a switch that Roo computes from others."""


class Experiments(Params):
    """Switches of Roo's experimental settings; all are off by default."""

    powerSteering: bool = param(False, EXPERIMENTS, "repeats the mode's details in each environment block")
    multiFileApplyDiff: bool = param(False, EXPERIMENTS, "apply_diff takes several files at once")
    preventFocusDisruption: bool = param(False, EXPERIMENTS, "edits in the background; no text in the prompt")
    imageGeneration: bool = param(False, EXPERIMENTS, "adds the tool generate_image")
    runSlashCommand: bool = param(False, EXPERIMENTS, "adds the tool run_slash_command")


class CodeIndex(Params):
    """State of the code index manager: the tool needs all three."""

    enabled: bool = False
    configured: bool = False
    initialized: bool = False


class RooOverlay(Params):
    """`SystemPromptSettings`, partial ones merge with these defaults."""

    maxConcurrentFileReads: int | None = param(5, SETTINGS, "files that one read_file may name; null: 5", ge=0)
    todoListEnabled: bool = param(True, SETTINGS, "offers update_todo_list (per API profile)")
    useAgentRules: bool = param(True, INSTRUCTIONS, "loads AGENTS.md (roo-cline.useAgentRules)")
    newTaskRequireTodos: bool = param(False, SETTINGS, "new_task must be given a list of todos")


class Process(Params):
    """A command that ended in a terminal, and what it printed."""

    command: str = ""
    output: str = ""


class Terminal(Params):
    """A terminal of the editor. `task`: "own", another task's id, or null for one in the background."""

    id: int = 1
    cwd: str | None = None
    busy: bool = False
    task: str | None = "own"
    command: str | None = None
    output: str = ""
    processes: list[Process] = field(default_factory=list)


class Todo(Params):
    """An item of the task's todo list."""

    id: str = ""
    content: str
    status: Literal["pending", "in_progress", "completed"] = "pending"


class Problem(Params):
    """A diagnostic of the editor; lines count from 0."""

    path: str
    line: int = 0
    severity: Literal["error", "warning", "information", "hint"] = "error"
    source: str = ""
    message: str = ""


class Commit(Params):
    """What `git show` prints of a commit, by the agent's three formats."""

    info: str = ""
    stats: str = ""
    diff: str = ""


class Git(Params):
    """What git prints: `git status --short`, `git diff HEAD`, and commits by the hash as mentioned."""

    status: str = ""
    diff: str = ""
    commits: dict[str, Commit] = field(default_factory=dict)


class Editor(Params):
    """What only the running editor knows, and its settings for messages. Paths may be relative to the workspace."""

    openTabs: list[str] = param(list, EDITOR, "files in tabs, in the editor's order")
    visibleFiles: list[str] = param(list, EDITOR, "files that can be seen")
    recentlyModified: list[str] = param(list, EDITOR, "files that changed since the agent last saw them")
    terminals: list[Terminal] = param(list, EDITOR, "terminals and what they printed")
    todos: list[Todo] = param(list, EDITOR, "the todo list of the task")
    cost: float = param(0.0, EDITOR, "dollars that the task has cost so far", ge=0)
    problems: list[Problem] = param(list, EDITOR, "diagnostics, for @problems")
    git: Git | None = param(None, EDITOR, "what git prints, for @git-changes and @<hash>")
    terminalText: str | None = param(None, EDITOR, "what copying the terminal gives, for @terminal")
    pages: dict[str, str] = param(dict, EDITOR, "Markdown by address, for @https://…")
    laterTurn: bool = param(False, EDITOR, "a later message of the task: words are feedback on a result")
    maxWorkspaceFiles: int = param(200, EDITOR, "entries of the workspace that are listed", ge=0, le=500)
    maxOpenTabsContext: int = param(20, EDITOR, "open tabs that are listed", ge=0, le=500)
    maxReadFileLine: int = param(-1, EDITOR, "lines of a mentioned file; -1: all of them")
    showRooIgnoredFiles: bool = param(False, EDITOR, "lists what .rooignore hides, with a lock")
    includeDiagnosticMessages: bool = param(True, EDITOR, "whether @problems lists any")
    maxDiagnosticMessages: int = param(50, EDITOR, "problems that are listed; 0: all of them")


class CustomModePrompt(Params):
    """A user's override of one mode's texts, from the settings."""

    roleDefinition: str | None = None
    whenToUse: str | None = None
    description: str | None = None
    customInstructions: str | None = None


class GivenMode(Params):
    """A mode as Roo has read it from a file: groups are names, or pairs of a name and its options."""

    slug: str
    name: str = ""
    roleDefinition: str = ""
    whenToUse: str | None = None
    description: str | None = None
    customInstructions: str | None = None
    groups: list[str | list[Any]] = field(default_factory=list)
    source: Literal["global", "project"] | None = None


class RooParams(Params):
    """Everything that decides a Roo prompt besides files, mode and model."""

    diffEnabled: bool = param(True, CAPABILITIES, "offers apply_diff and names it in the rules")
    diffStrategy: Literal["multi-search-replace", "multi-file-search-replace"] | None = param(
        "multi-search-replace", CAPABILITIES, "the form of apply_diff"
    )
    apiProvider: str | None = param(None, CAPABILITIES, "whose list of models counts; null: any that has the model")
    supportsComputerUse: bool | None = param(
        None, CAPABILITIES, "offers browser_action; derived from the model and browserToolEnabled", choices=DERIVED
    )
    browserToolEnabled: bool = param(True, CAPABILITIES, "the setting for browsers: off, whatever the model can do")
    browserViewportSize: str = param("900x600", CAPABILITIES, "width x height that browser_action names")
    codeIndex: CodeIndex | None = param(
        None,
        CAPABILITIES,
        "the code index; ready adds codebase_search",
        choices={
            "off": None,
            "starting": {"enabled": True, "configured": True, "initialized": False},
            "ready": {"enabled": True, "configured": True, "initialized": True},
        },
    )
    partialReadsEnabled: bool | None = param(
        None, CAPABILITIES, "read_file takes line ranges; derived from editor.maxReadFileLine", choices=DERIVED
    )
    mcpEnabled: bool | None = param(
        True,
        CAPABILITIES,
        "the setting for MCP: off, no server is looked at; null: on",
        choices={"on": True, "off": False},
    )
    mcpConnectSeconds: int | None = param(
        None, CAPABILITIES, "how long connecting servers take, of ten seconds; null: longer", ge=0
    )
    enableMcpServerCreation: bool | None = param(True, CAPABILITIES, "explains how to create an MCP server")
    experiments: Experiments = param(Experiments, EXPERIMENTS, "experimental features")
    settings: RooOverlay = param(RooOverlay, SETTINGS, "SystemPromptSettings")
    useRooIgnore: bool = param(True, INSTRUCTIONS, "tells the model about .rooignore")
    language: str | None = param("en", INSTRUCTIONS, "the language to answer in; empty: none, null: the editor's")
    globalCustomInstructions: str = param("", INSTRUCTIONS, "instructions for all modes, from the settings")
    customModePrompts: dict[str, CustomModePrompt] = param(
        dict, INSTRUCTIONS, "texts of modes changed in the settings, by slug"
    )
    customModes: list[GivenMode] | None = param(
        None, INSTRUCTIONS, "the modes that a task is given; null: those of the files, which MODES lists in any case"
    )
    task: str = param("", EDITOR, "the first message of a task; its mentions are expanded")
    taskFile: str | None = param(
        None, EDITOR, "api_conversation_history.json of a task: its messages come before the message"
    )
    includeFileDetails: bool | None = param(
        None, EDITOR, "the message lists the workspace's files; derived from editor.laterTurn", choices=DERIVED
    )
    editor: Editor = param(Editor, EDITOR, "what only the running editor knows")
    globalStorage: str | None = param(None, MACHINE, "the extension's storage folder; null: the editor's own place")
    terminalShell: str | None = param(None, MACHINE, "the shell of VS Code's terminal profile; null: the login shell")
    vscodeShell: str | None = param(None, MACHINE, "vscode.env.shell, for override files; null: the login shell")

    def settled(self) -> "RooParams":
        """With the values that Roo takes where its state holds null."""
        settings = self.settings
        if settings.maxConcurrentFileReads is None:
            settings = settings.model_copy(update={"maxConcurrentFileReads": 5})
        return self.model_copy(update={"settings": settings, "mcpEnabled": self.mcpEnabled is not False})
