"""The session that gatherers go by: its folders, and the settings files, the weakest first.

the user's - OPENCODE_CONFIG - the project's, from the root down - the settings folders, of which `.opencode` from the
start folder up, each with its agents and commands - OPENCODE_CONFIG_CONTENT - the machine's - OPENCODE_PERMISSION
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.heads import Head, Heads, Mending, nearly
from promptscope_engine.agents.kit.disk.layered import Content, Join, Layer, LayerReader, jsonc
from promptscope_engine.agents.kit.disk.rows import absent, usable
from promptscope_engine.agents.kit.disk.settings import below, mapping
from promptscope_engine.agents.kit.disk.settings_schema import Policy, load_schema
from promptscope_engine.agents.kit.disk.walking import Reach, absolute, git_walk, named_files, upwards
from promptscope_engine.agents.kit.text.sources import Table
from promptscope_engine.agents.kit.text.texts import Scope
from promptscope_engine.agents.opencode.texts import FOLDER, switched
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.formats.yaml import gray_matter
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import js_trim, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts
from promptscope_engine.workspace import FileText

NAMES = ("opencode.json", "opencode.jsonc")
_JOIN = Join(lists=("instructions",), once=True)
_MANAGED = {
    "linux": "/etc/opencode",
    "darwin": "/Library/Application Support/opencode",
    "win32": "/C:/ProgramData/opencode",
}
_MARKDOWN: Mapping[str, Table] = {
    "agent": {"folders": ("agent", "agents"), "kind": "agent", "below": "agent", "text": "prompt"},
    "mode": {
        "folders": ("mode", "modes"),
        "kind": "agent",
        "below": "agent",
        "text": "prompt",
        "fixed": {"mode": "primary"},
    },
    "command": {"folders": ("command", "commands"), "kind": "command", "below": "command", "text": "template"},
}
"""The files of settings folders that are settings too: where they are, what their text is, and where they belong."""
_TOKEN = re.compile(r"\{(env|file):([^}\n]+)\}")
_MENDING = Mending(re.compile(r"(?P<key>[A-Za-z_]\w*)\s*:\s*(?P<value>[^\s>|\"'].*)"), lambda value: ":" in value)


_POLICY = Policy("OpenCode", partial(load_schema, FOLDER.path / "settings.json"), misfit="start")
"""By what 1.18.33 takes in opencode.json."""


def settings_home(inputs: Inputs) -> str:
    """The user's settings folder."""
    base = inputs.env.get("XDG_CONFIG_HOME") or f"{inputs.home.rstrip('/')}/.config"
    return f"{resolve(inputs.workspace, base).rstrip('/')}/opencode"


def data_home(inputs: Inputs) -> str:
    """The folder of what OpenCode keeps."""
    base = inputs.env.get("XDG_DATA_HOME") or f"{inputs.home.rstrip('/')}/.local/share"
    return f"{resolve(inputs.workspace, base).rstrip('/')}/opencode"


def named_by(inputs: Inputs, *variables: str) -> list[str]:
    """The paths that variables have."""
    return [resolve(inputs.workspace, path) for name in variables if (path := inputs.env.get(name))]


def managed_folder(inputs: Inputs) -> str:
    """The folder of the machine's own settings."""
    usual = _MANAGED.get(inputs.environment.platform or "", _MANAGED["linux"])
    return inputs.env.get("OPENCODE_TEST_MANAGED_CONFIG_DIR") or inputs.managed or usual


def settings_files(folder: str) -> list[str]:
    """The settings files of a folder."""
    return [f"{folder.rstrip('/')}/{name}" for name in NAMES]


REACH = Reach(8)
"""How deep, and how many, files of one kind are looked for in a folder."""


@dataclass(eq=False, repr=False, kw_only=True)
class Session(LayerReader):
    """Reads the settings, and keeps what else was found. `folders` are those from the start up to the root."""

    policy: Policy = _POLICY
    layers: list[Layer] = field(default_factory=list)
    heads: Heads = field(default_factory=lambda: Heads(gray_matter, mending=_MENDING))

    def __post_init__(self) -> None:
        inputs, workspace = self.inputs, self.workspace
        self.env, self.cwd, self.home = inputs.env, inputs.workspace, inputs.home.rstrip("/")
        self.walk = git_walk(workspace, self.cwd)
        self.is_repository = self.walk.marker is not None
        self.root = self.walk.folders[0] if self.is_repository else "/"
        self.folders = upwards(self.cwd, self.root)
        self.config = settings_home(inputs)
        self.words = {"on": partial(switched, self.env)}
        self.in_project = self.gate("of_project")
        self.of_project = self.in_project.holds(Facts())
        self.around = tuple(f"{folder.rstrip('/')}/.opencode" for folder in self.folders)
        around, further = self.around if self.of_project else (), named_by(inputs, "OPENCODE_CONFIG_DIR")
        every = (self.config, *around, f"{self.home}/.opencode", *further)
        # those with settings, agents, commands, skills and tools
        self.bases = tuple(filter(workspace.is_dir, dict.fromkeys(every)))
        self.described: dict[str, list[str]] = {}
        """The files of agents and commands by kind and name."""
        self._read()
        self.settings = self.merged(tuple(self.layers), _JOIN, f"{self.cwd.rstrip('/')}/opencode.json")

    def gate(self, name: str) -> Condition:
        """One of the `[gates]` that the environment alone decides."""
        return FOLDER.condition(FOLDER.agent["gates"][name], Scope({}, self.words), FOLDER.main)

    # --- the layers -----------------------------------------------------------------------------------------------

    def _read(self) -> None:
        env, own = self.env, [*reversed(self.folders), *(() if self.of_project else self.around)]
        named = named_by(self.inputs, "OPENCODE_CONFIG")
        self.listed = {settings_files(self.config)[0], *named, settings_files(self.cwd)[0]}
        self._add("user", f"{self.config}/config.json", *settings_files(self.config))
        self._add("named", *named)
        self._add("project", *chain.from_iterable(map(settings_files, own)))
        if not self.of_project:
            self._add("project", *chain.from_iterable(map(settings_files, self.around)))
        for base in self.bases:
            self._add("folder", *(settings_files(base) if base != self.config else ()))
            self._marked(base)
        if content := env.get("OPENCODE_CONFIG_CONTENT"):
            self._inline("OPENCODE_CONFIG_CONTENT", content)
        self._add("managed", *settings_files(managed_folder(self.inputs)))
        if permission := env.get("OPENCODE_PERMISSION"):
            self._permission(permission)
        if (workspace := env.get("OPENCODE_WORKSPACE_ID")) and not workspace.startswith("wrk"):
            self.refuse("`OPENCODE_WORKSPACE_ID` does not begin with wrk")
        overlay = {k: v for k, v in self.params.settings.model_dump(exclude_none=True).items() if v not in ({}, [])}
        self.layers += [Layer(overlay)] if overlay else []

    def _add(self, kind: str, *paths: str) -> None:
        for path in (path for path in paths if path in self.listed or self.workspace.kind(path) is not None):
            if kind == "project" and not self.of_project:
                self._references_of(path)
                continue
            layer = self.layer(path, kind, when=self.in_project if kind == "project" else ALWAYS)
            self.layers += [replace(layer, fixed=kind == "managed")] if layer else []

    def _references_of(self, path: str) -> None:
        """Of the project's settings the references count even where they are disabled [asked]."""
        file = self.workspace.read(path)
        content = jsonc(file.text)
        said = {key: value for key, value in mapping(content.values).items() if key in ("references", "reference")}
        self.layers += [self.check(Layer(said, "project", path, self.shown(path), content.line))] if said else []
        self.row(file, "settings", "always", usable(file) & (ALWAYS if said else self.in_project))

    def _inline(self, name: str, text: str) -> None:
        """Settings in a variable."""
        content = jsonc(self._filled(text, self.cwd))
        if content.values is None:
            self.refuse(f"`{name}`: {content.problem}")
        self.layers.append(self.check(Layer(mapping(content.values), kind=f"env.{name}")))

    def _permission(self, text: str) -> None:
        """Permissions in a variable: text that is not a JSON object is passed over [asked of 1.18.33]."""
        content = jsonc(text)
        if isinstance(content.values, dict):
            self.layers.append(Layer({"permission": content.values}, kind="env.OPENCODE_PERMISSION"))
        else:
            self.warn("bad-settings", f"`OPENCODE_PERMISSION` counts for nothing: {content.problem}")

    def check(self, layer: Layer) -> Layer:
        """With a permission for everything as one for `*`, so that others are laid over it [asked of 1.18.33]."""
        layer = super().check(layer)
        values: Json = dict(layer.values)
        agents = [(kind, name) for kind in ("agent", "mode") for name in mapping(values.get(kind))]
        whole = {
            where
            for where in (("permission",), *((*agent, "permission") for agent in agents))
            if isinstance(below(values, where), str)
        }
        for where in whole:
            said: Json = {"*": below(values, where)}
            for key in reversed(where):
                said = {key: said}
            values = _JOIN.over(values, said)

        def line(where: Path) -> int | None:
            return layer.line(where[:-1] if where[:-1] in whole else where)

        return replace(layer, values=mapping(values), line=line) if whole else layer

    def text_of(self, file: FileText) -> str:
        """A file's text with what its tokens name: without a byte it says nothing, a blank one is broken [asked]."""
        text = file.text.removeprefix("\ufeff")
        return self._filled(text, file.path.rpartition("/")[0]) if text else "{}"

    def broken(self, path: str, content: Content) -> None:
        """The client does not start."""
        self.refuse(f"{self.shown(path)}: {content.problem}", path, content.place)

    def _filled(self, text: str, folder: str) -> str:
        """`{env:X}` and `{file:path}`, the latter as it is within a JSON text, and not in a line of a comment.

        Blanks belong to the name: a file that there is not keeps the client from starting [asked of 1.18.33].
        """

        def made(found: re.Match[str]) -> str:
            if found[1] == "env":
                return self.env.get(found[2], "")
            if text[: found.start()].rpartition("\n")[2].lstrip().startswith("//"):
                return found[0]
            file = self.workspace.read(absolute(found[2], folder, self.home))
            self.row(file, "settings", "import", usable(file))
            if not file.found:
                self.refuse(f"{{file:{found[2]}}} names a file that cannot be read", file.path)
            return json.dumps(js_trim(file.text), ensure_ascii=False)[1:-1]

        return _TOKEN.sub(made, text)

    # --- Markdown -------------------------------------------------------------------------------------------------

    def _marked(self, base: str) -> None:
        """The agents and commands of a settings folder: each file is a layer of its own."""
        for kind, said in _MARKDOWN.items():
            for folder in (f"{base}/{name}" for name in said["folders"]):
                for name, file in named_files(self, folder, said["kind"], REACH):
                    if kind != "mode" or "/" not in name:
                        self._markdown(file, name, said)

    def _markdown(self, file: FileText, name: str, said: Mapping[str, Json]) -> None:
        """An agent or command: one whose head is not YAML is text as a whole [asked of 1.18.33]."""
        path, kind, head = file.path, said["kind"], self.heads.read(file.text)
        if not file.found:
            problem = f"it cannot be read: {file.problem}"
            self.warn(f"bad-{kind}", f"no {kind}: {problem}", path, 1)
            self.row(file, kind, "always", absent(path, problem, f"correct {path}"))
            return
        near = "" if head.values or head.problem else nearly(file.text)
        if unread := head.problem or near:
            whole = f", and its {said['text']} is the whole file" if head.broken or near else ""
            self.warn(f"bad-{kind}", f"{unread}: no key of {kind} {name} counts{whole}", path, head.line or 1)
        if head.broken:
            head = Head(body=file.text.removeprefix("\ufeff"))
        values = {"name": name, **head.values, **said.get("fixed", {}), said["text"]: js_trim(head.body)}
        name = str(values.pop("name"))
        below = 1 + file.text.count("\n", 0, len(file.text) - len(head.body))

        def line(where: Path) -> int | None:
            return below if where[2:] == (said["text"],) else head.lines.get(where[2:], 1)

        layer = Layer({said["below"]: {name: values}}, kind, path, self.shown(path), line)
        self.layers.append(self.check(layer))
        self.described.setdefault(f"{kind} {name}", []).append(path)
        if said["text"] in head.values:
            text = f"`{said['text']}` counts for nothing here: the text below the front matter is the {said['text']}"
            self.say("warning", "ignored-key", text, path, head.lines.get((said["text"],), 1))
        off = kind == "agent" and values.get("disable") is True
        when = absent(path, "`disable` of its front matter is on", f"take `disable` out of {path}") if off else ALWAYS
        self.row(file, kind, "always", when)
