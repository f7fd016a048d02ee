"""Folders, settings, trust and hooks: what comes before everything else that is gathered."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from promptscope_engine.agents.copilot.params import CopilotParams
from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.layered import Content, Join, Layer, LayeredSettings, LayerReader, layered
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.agents.kit.settings_schema import Policy, Schema, load_schema
from promptscope_engine.agents.kit.walking import Walk, walk
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact
from promptscope_engine.prompt.drafts import Span, computed, param_value
from promptscope_engine.prompt.model import Lever, SettingSource
from promptscope_engine.workspace import FileText

_REPOSITORY = "repository"


@cache
def schema() -> Schema:
    """What 1.0.102 tells about its settings in `copilot help config`."""
    return load_schema(FOLDER.path / "settings.json", "json")


POLICY = Policy(FOLDER.agent["name"], schema, misfit="value")


def _params(inputs: Inputs) -> CopilotParams:
    assert isinstance(inputs.params, CopilotParams)
    return inputs.params


def start_folder(inputs: Inputs) -> str:
    """The folder that it starts in: `-C` acts before everything else."""
    return resolve(inputs.workspace, _params(inputs).args.directory or "")


def copilot_home(inputs: Inputs) -> str:
    """The folder of the user's own files."""
    named = inputs.env.get("COPILOT_HOME", "")
    return resolve(start_folder(inputs), named or f"{inputs.home.rstrip('/')}/.copilot")


def extra_folders(inputs: Inputs) -> tuple[str, ...]:
    """The folders of COPILOT_CUSTOM_INSTRUCTIONS_DIRS: nothing but a comma separates them."""
    named = (each.strip() for each in inputs.env.get("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "").split(","))
    cwd = start_folder(inputs)
    found = (resolve(cwd, each) for each in named if each)
    return tuple(dict.fromkeys(found))


def model_of(inputs: Inputs) -> tuple[str | None, str | None]:
    """The model by which prompt and limits are chosen, and that on the wire."""
    named = _params(inputs).args.model or inputs.model or inputs.env.get("COPILOT_MODEL") or None
    known = inputs.env.get("COPILOT_PROVIDER_MODEL_ID") or named
    return known, inputs.env.get("COPILOT_PROVIDER_WIRE_MODEL") or named or known


@dataclass(eq=False, repr=False, kw_only=True)
class Session(LayerReader):
    """Gathering for one scenario. The first of `refusals` is what stops the start."""

    policy: Policy = POLICY
    settings: LayeredSettings = field(init=False)
    cwd: str = field(init=False)
    home: str = field(init=False)
    walk: Walk = field(init=False)
    trusted: Condition = field(init=False)
    is_trusted: bool = field(init=False)
    hook_texts: dict[str, list[Span]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cwd = self.workspace.real_path(start_folder(self.inputs))
        self.home = copilot_home(self.inputs)
        self.walk = walk(self.workspace, self.cwd, [".git"])
        self.trusted = self._trust()
        user = self.layer(f"{self.home}/settings.json")
        below = [f"{self.root}/.github/copilot/{name}" for name in ("settings.json", "settings.local.json")]
        own = [self.layer(path, _REPOSITORY, when=self.trusted, listed=False) for path in below]
        overlay = Layer(self.params.settings.model_dump(exclude_none=True))
        layers = tuple(filter(None, (user, *own, overlay)))
        unset = SettingSource("", f"{self.home}/settings.json", self.shown(f"{self.home}/settings.json"), is_set=False)
        self.settings = layered(layers, Join(), unset)

    @property
    def params(self) -> CopilotParams:
        """The agent's own inputs."""
        return _params(self.inputs)

    @property
    def root(self) -> str:
        """The repository's root, without one the start folder."""
        return self.walk.folders[0].rstrip("/")

    @property
    def is_repository(self) -> bool:
        """Whether there is a repository."""
        return self.walk.marker is not None

    def parsed(self, file: FileText) -> Content:
        """A file's JSON, with comments and a comma behind the last item."""
        parsed = parse_json5(file.text.removeprefix("\ufeff"))
        line = lambda where: key_line(file.text, where, "json") if where else None  # noqa: E731
        return Content(parsed.value, line, parsed.problem or "it is not a JSON object", parsed.line or 1)

    def broken(self, path: str, content: Content) -> None:
        """It goes on without a word."""
        text = f"the file is left out, and Copilot does not say so: {content.problem}"
        self.warn("bad-settings", text, path, content.place)

    def refuse(self, text: str, path: str | None = None, line: int | None = None) -> None:
        """It does not start."""
        self.say("error", "agent-refuses", f"{FOLDER.agent['name']} does not start: {text}", path, line)
        self.refusals.append(self.diagnostics.pop())

    def values(self, path: str, kind: str, when: Condition = ALWAYS) -> Mapping[str, Json]:
        """The object of a JSON file that is no settings file, with its row; an empty one where it is broken."""
        file = self.workspace.read(path)
        content = self.parsed(file) if file.found else Content()
        usable = isinstance(content.values, dict)
        if file.found and not usable:
            self.broken(path, content)
        if file.problem != "missing":
            no, remedy = "it cannot be used", f"make {path} a JSON object"
            self.row(file, kind, "always", Fact("file", path, usable, "the file was found", no, remedy=remedy) & when)
        return mapping(content.values)

    def _trust(self) -> Condition:
        """Trust decides about the servers, hooks and settings of a folder, and about nothing else."""
        state = self.values(f"{self.home}/config.json", "settings").get("trustedFolders")
        folders = [*(state if isinstance(state, list) else ()), *self.params.trustedFolders]
        real = {self.workspace.real_path(each) for each in folders if isinstance(each, str)}
        self.is_trusted = ok = self.params.args.trustFolder or bool(real & {self.cwd, self.root})
        levers = (Lever("args.trustFolder", True),), (Lever("args.trustFolder", False),)
        yes, no, remedy = (
            "the folder is trusted",
            "the folder is not trusted",
            "trust the folder, or pass --trust-folder",
        )
        return Fact("flag", "trust", ok, yes, no, on=levers[0], off=levers[1], remedy=remedy)

    # --- hooks ----------------------------------------------------------------------------------------------------

    def gather_hooks(self, plugins: tuple[str, ...]) -> None:
        """Hooks of the user, of settings, of plugins, and of the repository where it is trusted; none is run."""
        self._hooks(self.settings.without(_REPOSITORY).plain)
        for folder, when in ((f"{self.home}/hooks", ALWAYS), (f"{self.root}/.github/hooks", self.trusted)):
            names = [each.name for each in self.workspace.list(folder).entries if each.name.endswith(".json")]
            found = [self.values(f"{folder}/{name}", "hook", when) for name in names]
            for values in found if when is ALWAYS or self.is_trusted else ():
                self._hooks(values)
        for plugin in plugins:
            self._hooks(self.values(f"{plugin}/hooks.json", "hook"))
        for event, given in self.params.hooks.model_dump(exclude_none=True).items():
            self.hook_texts[event] = [param_value(f"hooks.{event}", given)]

    def _hooks(self, values: Mapping[str, Json]) -> None:
        for event, hooks in mapping(values.get("hooks")).items():
            for hook in hooks if isinstance(hooks, list) else ():
                said = _echoed(mapping(hook).get("bash"))
                for key, name in (("additionalContext", event), ("modifiedPrompt", "modifiedPrompt")):
                    text = said.get(key)
                    if isinstance(text, str):
                        self.hook_texts.setdefault(name, []).append(computed(f"hook.{event}", text))
                if not said and event in ("sessionStart", "userPromptSubmitted"):
                    text = f"what the {event} hook would print is not known: `hooks.{event}` imagines it"
                    self.say("info", "hook-not-run", text)


_ECHO = re.compile(r"echo '([^']*)'\s*\Z")


def _echoed(command: Json) -> Mapping[str, Json]:
    """What a hook prints that is nothing but `echo` of a quoted text; of any other command nothing is known."""
    found = _ECHO.match(command) if isinstance(command, str) else None
    try:
        return mapping(json.loads(found[1])) if found else {}
    except (ValueError, RecursionError):
        return {}


def remote(session: Session) -> str:
    """OWNER/NAME of the repository on GitHub: of `origin`, else of another remote; "" for any other host."""
    if not session.is_repository:
        return ""
    marker = f"{session.root}/.git"
    if session.workspace.kind(marker) == "file":
        where = session.workspace.read(marker).text.partition("gitdir:")[2].strip()
        where = resolve(session.root, where)
        marker = where.partition("/worktrees/")[0]
    addresses: dict[str, str] = {}
    name = ""
    for line in session.workspace.read(f"{marker}/config").text.split("\n"):
        key, _, value = line.strip().partition("=")
        if line.strip().startswith("["):
            name = line.strip().removeprefix('[remote "').removesuffix('"]') if "[remote" in line else ""
        elif name and key.strip() == "url":
            addresses.setdefault(name, value.strip())
    for address in (addresses[each] for each in sorted(addresses, key=lambda each: each != "origin")):
        found = _GITHUB.match(address)
        return f"{found[1]}/{found[2]}" if found else ""
    return ""


_GITHUB = re.compile(r"(?:https?://(?:[^@/]*@)?|ssh://git@|git@)github\.com[:/]([\w.-]+)/([\w.-]+?)(?:\.git)?/?\Z")
