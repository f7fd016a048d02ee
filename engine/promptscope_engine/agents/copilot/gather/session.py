"""Folders, settings, trust and hooks: what comes before everything else that is gathered."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, product
from posixpath import basename

from msgspec.structs import replace

from promptscope_engine.agents.copilot.texts import FOLDER
from promptscope_engine.agents.kit.disk.hooks import MOST, HookTable, each_hook, hooks_of, in_json, in_layer, said_by
from promptscope_engine.agents.kit.disk.layered import Content, Join, Layer, LayerReader, usable
from promptscope_engine.agents.kit.disk.settings import mapping, object_in
from promptscope_engine.agents.kit.disk.settings_schema import Policy, load_schema
from promptscope_engine.agents.kit.disk.walking import Reach, first_there, git_walk, linked_below, upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Fact, Facts
from promptscope_engine.prompt.drafts import ProgramDraft, Span, computed, param_value
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.workspace.dot_git import on_github

from .plugins import GIVEN, KINDS, Plugin, Plugins

_REPOSITORY = "repository"
_FEWEST_CREDITS = 30
_OWN_SETTINGS = "settings.json", "settings.local.json"
_CLAUDE_EVENTS = {"SessionStart": "sessionStart", "UserPromptSubmit": "userPromptSubmitted"}
"""Events of hooks by the names that Claude Code has for them."""
_TRUSTED = "the folder is trusted", "the folder is not trusted"


POLICY = Policy(FOLDER.agent["name"], partial(load_schema, FOLDER.path / "settings.json"), misfit="file")
"""By what 1.0.102 tells about its settings in `copilot help config`."""


def start_folder(inputs: Inputs) -> str:
    """The folder that it starts in: `-C` acts before everything else."""
    return resolve(inputs.workspace, inputs.params.args.directory or "")


def copilot_home(inputs: Inputs) -> str:
    """The folder of the user's own files; --config-dir goes before the variable [asked of 1.0.102]."""
    named = inputs.params.args.configDir or inputs.env.get("COPILOT_HOME", "")
    return resolve(start_folder(inputs), named or f"{inputs.home.rstrip('/')}/.copilot")


INSTRUCTIONS_DIRS, SKILLS_DIRS = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "COPILOT_SKILLS_DIRS"


def folders_named(inputs: Inputs, variable: str) -> tuple[str, ...]:
    """The folders in a variable: nothing but a comma separates them, and `~` is a name like any other."""
    named = (each.strip() for each in inputs.env.get(variable, "").split(","))
    return tuple(dict.fromkeys(resolve(start_folder(inputs), each) for each in named if each))


def model_of(inputs: Inputs) -> tuple[str | None, str | None]:
    """The model by which prompt and limits are chosen, and that on the wire.

    A provider's two names of another model than the one that is asked for don't count [asked of 1.0.102].
    """
    named = inputs.params.args.model or inputs.model or inputs.env.get("COPILOT_MODEL") or None
    known, wire = (inputs.env.get(f"COPILOT_PROVIDER_{name}") for name in ("MODEL_ID", "WIRE_MODEL"))
    return (named, named) if known and wire and named not in (None, known) else (known or named, wire or named or known)


@dataclass(eq=False, repr=False, kw_only=True)
class Session(LayerReader):
    """Gathering for one scenario. The first of `refusals` is what stops the start."""

    policy: Policy = POLICY
    hook_texts: dict[str, list[Span]] = field(default_factory=dict)
    hook_tables: list[HookTable] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home = copilot_home(self.inputs)
        self.cwd = self.workspace.real_path(start_folder(self.inputs))
        self.walk = git_walk(self.workspace, self.cwd, lost=True)
        self.is_repository = self.walk.marker is not None
        self.root = self.walk.folders[0].rstrip("/")  # without a repository the start folder
        # OWNER/NAME of the repository on GitHub; "" for any other host
        self.remote = on_github(self.workspace, f"{self.root}/.git") if self.is_repository else ""
        is_whole = git_walk(self.workspace, self.cwd).marker is not None  # agents are looked for as git sees it [asked]
        self.folders: dict[str, list[str]] = {
            **{kind: [] for kind in (*KINDS, *GIVEN.values())},
            "copilot": [self.home],
            "home": [self.inputs.home.rstrip("/")],
            "root": [self.root],
            "cwd": [self.cwd],
            "inner": [self.cwd] if self.cwd != self.root else [],
            "up": upwards(self.cwd, self.root if self.is_repository else None),
            "down": upwards(self.cwd, self.root if is_whole else None)[::-1],
            "extra": [*folders_named(self.inputs, INSTRUCTIONS_DIRS)],
            "further_skills": [*folders_named(self.inputs, SKILLS_DIRS)],
            "added": [resolve(self.cwd, each) for each in self.params.args.addDir],
        }
        path = f"{self.home}/config.json"
        self.state = self.changed(Layer(self.values(path, "settings"))).values
        self.trusted = self._trust(path)
        # where the repository's hooks are looked for: --trust-folder means the start folder alone [asked]
        self.base = self.cwd if self.params.args.trustFolder else self.root
        user = self.layer(f"{self.home}/settings.json")
        below = [f"{self.base}/.github/copilot/{name}" for name in _OWN_SETTINGS]
        own = [self.layer(path, _REPOSITORY, when=self.trusted, listed=False) for path in below]
        overlay = Layer(self.params.settings.model_dump(exclude_none=True))
        every = self.merged(tuple(filter(None, (user, *own, overlay))), Join(), f"{self.home}/settings.json")
        # of a repository's own settings only the hooks count
        self.settings, self.of_repository = every.without(_REPOSITORY), every.of(_REPOSITORY)
        switches = self.settings.table("enabledPlugins")
        known = Plugins(self.workspace, self.cwd, self.home, self.state, switches, self.values, self.refuse)
        self.plugins = known.found(self.params.args.pluginDir)
        self.plugin_names: dict[str, str] = {}
        for plugin in self.plugins:
            for kind, folder in plugin.folders():
                self.folders.setdefault(kind, []).append(folder)
                self.plugin_names[folder] = plugin.name
        self._checked()

    def _checked(self) -> None:
        """Folders that the command line names and that are not there stop the start; so do two modes."""
        args = self.params.args
        given = [("-C", self.cwd)] if args.directory else []
        for option, path in (*given, *(("--add-dir", each) for each in self.folders["added"])):
            if not self.workspace.is_dir(path):
                self.refuse(f"{option} names {path}, which is not a folder")
        if args.plan and args.autopilot:
            self.refuse("--plan and --autopilot exclude each other: pass --plan --mode autopilot")
        for each in args.dynamicRetrieval:
            if not re.fullmatch("(skills|mcp)=(on|off)", each):
                self.refuse(f"--dynamic-retrieval takes skills=on or skills=off, not {each}")
        if args.maxAiCredits is not None and args.maxAiCredits < _FEWEST_CREDITS:
            self.refuse(f"--max-ai-credits is {args.maxAiCredits}: it takes {_FEWEST_CREDITS} at least")
        self._checked_provider()

    def _checked_provider(self) -> None:
        """Variables of a provider of one's own that stop the start."""
        env = self.inputs.env
        for name in ("COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_WIRE_API"):
            known = FOLDER.agent["variables"][name]["values"]
            if (given := env.get(name)) and given not in known:
                self.refuse(f"{name} is {given}: it has to be one of {', '.join(known)}")
        for name in ("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS"):
            given = env.get(name, "").strip()
            if given and not (re.fullmatch("[0-9]+", given) and int(given)):
                self.refuse(f"{name} is {given}: it has to be a positive integer")

    def may_view(self, path: str) -> bool:
        """Whether a tool may read a file without asking: in the start folder, and in those that were added."""
        args, folders = self.params.args, (self.cwd, *self.folders["added"])
        return args.allowAll or args.allowAllPaths or any(path.startswith(f"{each}/") for each in folders)

    def changed(self, layer: Layer) -> Layer:
        """Keys may be written with underscores."""
        values = {re.sub("_([a-z])", lambda at: at[1].upper(), key): value for key, value in layer.values.items()}
        return replace(layer, values=values)

    def broken(self, path: str, content: Content) -> None:
        """It goes on without a word."""
        text = f"the file is left out, and Copilot does not say so: {content.problem}"
        self.warn("bad-settings", text, path, content.place)

    def values(self, path: str, kind: str, when: Condition = ALWAYS) -> Mapping[str, Json]:
        """The object of a file beside the settings, with its row; an empty one where it is broken or not there."""
        file, content = self.content_of(path)
        fits = isinstance(content.values, dict)
        if file.found and not fits:
            self.broken(path, content)
        if file.problem != "missing":
            self.row(file, kind, "always", usable(file, fits) & when)
        return mapping(content.values)

    def _trust(self, path: str) -> Condition:
        """Trust decides about the servers, hooks and settings of a folder, and about nothing else."""
        state = self.state.get("trustedFolders")
        folders = [*(state if isinstance(state, list) else ()), *self.params.trustedFolders]
        if not isinstance(state, list | None) or not all(isinstance(each, str) for each in folders):
            self.refuse("`trustedFolders` is not a list of texts", path)
        self._trusting = {self.workspace.real_path(each).rstrip("/") for each in folders if isinstance(each, str)}
        around = (*upwards(self.cwd), self.root)
        self.is_trusted = ok = self.params.args.trustFolder or not self._trusting.isdisjoint(around)
        trust = param_decides("args.trustFolder", ok, _TRUSTED, on=True, off=False)
        return replace(trust, remedy="trust the folder, or pass --trust-folder")

    def trusts(self, folder: str) -> tuple[bool, Condition]:
        """Whether a folder between the root and the start folder is trusted: by itself, but for the start folder."""
        if folder == self.cwd:
            return self.is_trusted, self.trusted
        ok = not self._trusting.isdisjoint(upwards(folder))
        return ok, Fact("file", folder, ok, *_TRUSTED, remedy="trust the folder")

    # --- hooks ----------------------------------------------------------------------------------------------------

    def gather_hooks(self) -> None:
        """Hooks of the user, of plugins, and of the repository where it is trusted; none is run.

        `disableAllHooks` of the user's settings stops those of these settings, that of the repository's all [asked].
        """
        key = "disableAllHooks"
        off = self.settings.known(key, default=False)
        of_user = off.is_(False, unset=True, no=f"`{key}` of your settings is on")
        stopped = self.is_trusted and self.of_repository.plain.get(key) is True
        runs = Fact(
            "flag", key, not stopped, "the repository stops no hooks", f"`{key}` of the repository's settings is on"
        )
        user, own = self.settings.layers, self.of_repository.layers
        self.hook_tables = [
            replace(table, when=table.when & runs, values=mapping(table.values.get("hooks")))
            for table in (
                *self._hook_files(self._own_hooks(), "user", ALWAYS),
                *(HookTable(each.path, "user", each.values, of_user, in_layer(each)) for each in user),
                *self._hooks_of(self.base),
                *(HookTable(each.path, "repository", each.values, self.trusted, in_layer(each)) for each in own),
                *chain.from_iterable(self._hooks_of(each, ".github/copilot") for each in self.folders["added"]),
                *map(self._plugin_hooks, self.plugins),
            )
        ]
        for table in self.hook_tables:
            if table.when.holds(Facts()):
                self._texts_of_hooks(table)
        for event, given in self.params.hooks.model_dump(exclude_none=True).items():
            texts = {event: said_by(given, "additionalContext"), **_changed(given)}
            self.hook_texts |= {each: [param_value(f"hooks.{event}", text)] for each, text in texts.items() if text}

    def _hook_files(self, folder: str, source: str, when: Condition) -> Iterator[HookTable]:
        """Those of a folder, the last name first, and of deeper ones."""
        below = linked_below(self.workspace, folder, ".json", _HOOKS)
        for path in sorted(below, key=lambda path: (-path.count("/"), path), reverse=True):
            if basename(path)[0] != ".":
                yield self._hook_file(path, source, when)

    def _own_hooks(self) -> str:
        """The folder of the user's own hooks; where it isn't there, that of XDG_CONFIG_HOME [asked]."""
        moved = self.inputs.env.get("XDG_CONFIG_HOME")
        folders = (f"{self.home}/hooks", *([f"{moved.rstrip('/')}/.copilot/hooks"] if moved else ()))
        return first_there(self.workspace, folders) or folders[0]

    def _hooks_of(self, folder: str, *settings: str) -> Iterator[HookTable]:
        """Those of a repository or an added folder, then of Claude's settings there unless it is home [asked]."""
        yield from self._hook_files(f"{folder}/.github/hooks", "repository", self.trusted)
        claude = () if folder == self.inputs.home.rstrip("/") else (".claude",)
        for place, name in product((*claude, *settings), _OWN_SETTINGS):
            yield self._hook_file(f"{folder}/{place}/{name}", "repository", self.trusted)

    def _plugin_hooks(self, plugin: Plugin) -> HookTable:
        inline, path = plugin.part("hooks", ("hooks.json", "hooks/hooks.json"))
        if path:
            return self._hook_file(path, "plugin", ALWAYS)
        manifest = f"{plugin.folder}/plugin.json"
        return HookTable(manifest, "plugin", {"hooks": inline}, ALWAYS, in_json(self.workspace.read(manifest)))

    def _hook_file(self, path: str, source: str, when: Condition) -> HookTable:
        values = self.values(path, "hook", when)
        fits = Fact(
            "file",
            path,
            values.get("version", 1) == 1,
            "its `version` is 1",
            "its `version` is not 1",
            remedy="write 1",
        )
        return HookTable(path, source, values, when & fits, in_json(self.workspace.read(path)))

    def hooks(self) -> tuple[ProgramDraft, ...]:
        """Every hook, under the agent's own names of the events."""
        tables = (
            replace(t, values={_CLAUDE_EVENTS.get(e, e): v for e, v in t.values.items()}) for t in self.hook_tables
        )
        return tuple(islice(hooks_of(tables, FOLDER.agent["hook_events"], bare=True), MOST))

    def hooked(self, event: str) -> tuple[Span, ...]:
        """The texts of all hooks of an event, with a blank line between them."""
        gap = param_value(event, "\n\n")
        return tuple(span for text in self.hook_texts.get(event, ()) for span in (gap, text))[1:]

    def _texts_of_hooks(self, table: HookTable) -> None:
        for hook in each_hook(table.values):
            event = _CLAUDE_EVENTS.get(hook.event, hook.event)
            said = _echoed(hook.values.get("bash") or hook.values.get("command"))
            for key, place in (("additionalContext", event), ("modifiedPrompt", "modifiedPrompt")):
                text = said.get(key)
                if isinstance(text, str):
                    self.hook_texts.setdefault(place, []).append(computed(f"hook.{event}", text))
            is_asked = not said and event in ("sessionStart", "userPromptSubmitted")
            self.note(FOLDER.agent["notes"], {"hook-not-run": is_asked}, event=event)


_HOOKS = Reach(20)
_ECHO = re.compile(r"echo '([^']*)'\s*\Z")


def _changed(output: str) -> Mapping[str, str]:
    """What an imagined output puts in place of the prompt."""
    said = mapping(object_in(output.strip())).get("modifiedPrompt")
    return {"modifiedPrompt": said} if isinstance(said, str) else {}


def _echoed(command: Json) -> Mapping[str, Json]:
    """What a hook prints that is nothing but `echo` of a quoted text; of any other command nothing is known."""
    found = _ECHO.match(command) if isinstance(command, str) else None
    return (found and object_in(found[1])) or {}
