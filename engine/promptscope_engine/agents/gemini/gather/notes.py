"""What a person would not expect: files that are not read, and surprises of the prompt, said in a line each."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.texts import FOLDER
from promptscope_engine.agents.gemini.tool_policy import (
    CLASSES,
    OLD_NAMES,
    SHELL_NAMES,
    TOOLS,
    Verdict,
    named_tool,
)
from promptscope_engine.agents.kit.disk.rows import Place, locked, near_misses
from promptscope_engine.agents.kit.disk.settings import MOST, Names, unmatched
from promptscope_engine.agents.kit.disk.walking import beyond, walk
from promptscope_engine.javascript.text import join
from promptscope_engine.prompt.conditions import Fact, Facts
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Severity
from promptscope_engine.workspace import Workspace

from .context import DEFAULT_NAME, KIND, is_usable
from .session import MANIFEST, Gatherer
from .settings import GeminiSettings

MOVE_THE_BOUNDARY = "remove what ends the search, or set `context.memoryBoundaryMarkers`"


NO_MCP_JSON = "Gemini CLI does not read .mcp.json: its servers are in `mcpServers` of .gemini/settings.json"


def places(folders: Sequence[str], names: Sequence[str], own: str, home: str) -> Iterator[Place]:
    """`folders` are the project's, `names` those that count there; `own` is ~/.gemini."""
    for folder in folders:
        yield Place(folder, KIND, tuple(names))
    yield Place(folders[-1], "mcp-config", theirs={".mcp.json": NO_MCP_JSON})
    yield Place(own, KIND, tuple(names))
    if home not in folders:
        others = {name: f"the user's own file is ~/.gemini/{name}, not ~/{name}" for name in names}
        yield Place(home, KIND, others=others)


_OTHERS = "AGENTS.md"
"""The name of context files that other agents read without being told."""
_MOST = 20


@dataclass(eq=False, repr=False)
class Unread(Gatherer):
    """The rows of such files, and what is said of them."""

    known: Collection[str]
    """The files that count all the same, as something else."""

    def gather(self, names: Sequence[str], markers: Sequence[str]) -> None:
        """`names`: those of context files, `markers`: what ends the search for them."""
        if _OTHERS not in names:
            why, remedy = "`context.fileName` does not name it", f"name {_OTHERS} in `context.fileName`"
            self._row(join(self.places.cwd, _OTHERS), KIND, "info", why, remedy)
        usable = [marker for marker in markers if is_usable(marker)]
        walked = walk(self.workspace, self.places.cwd, usable)
        own = self.places.own

        def above(_: Workspace, folder: str) -> Iterator[str]:
            return iter([join(folder, name) for name in names] if folder != own else ())

        self.found.files += beyond(self.workspace, walked, (KIND, above), self.known, MOVE_THE_BOUNDARY)
        near = [*places(walked.folders, names, own, self.places.home)]
        known = {*(file.path for file in self.found.files), *self.known}
        self.found.files += near_misses(self.workspace, near, known)
        for base in dict.fromkeys((self.places.project, own)):
            self.found.files += locked(self.workspace, f"{base}/commands", "command")
        if self.places.project == self.places.own:  # started in the home folder, where all of them are read
            return
        for name in names:
            path = join(self.places.project, name)
            target = join(self.places.cwd, name)
            why = "context files are not looked for in the workspace's .gemini"
            self._row(path, KIND, "warning", why, f"move it to {self.places.shown(target)}")
        for path in self._in_folder(f"{self.places.project}/policies", ".toml"):
            why = "the policies of a workspace are not read"
            self._row(path, "policy", "warning", why, f"move it to {self.places.own}/policies")
        for path in self._in_folder(f"{self.places.project}/extensions", ""):
            why = "the extensions of a workspace are not read"
            self._row(f"{path}/{MANIFEST}", "extension", "warning", why, f"move it to {self.places.own}/extensions")

    def _in_folder(self, folder: str, ending: str) -> Iterator[str]:
        entries = [entry for entry in self.workspace.list(folder).entries if entry.name.endswith(ending)]
        return (f"{folder}/{entry.name}" for entry in entries[:_MOST])

    def _row(self, path: str, kind: str, severity: Severity, why: str, remedy: str) -> None:
        """A row that says why the file does not count, if there is one."""
        if path in self.known or self.workspace.kind(path) != "file":
            return
        when = Fact("file", path, False, "", why, remedy=remedy)
        self.found.files.append(FileDraft(path, self.workspace.real_path(path), kind, "always", when))
        self.found.say(severity, "file-not-read", f"{self.places.shown(path)} is not read: {why}", path, 1)


_LISTS = ("tools.core", "tools.exclude", "tools.allowed", "tools.confirmationRequired")
_BY_NAME = ("tools.allowed", "tools.confirmationRequired")
"""Lists that go by the names of tools alone."""
_OF_SERVERS = ("mcp_", "discovered_tool_")


def settings_warnings(m: Materials, settings: GeminiSettings, facts: Facts) -> Iterator[Diagnostic]:
    """Each with the setting that brings it about."""
    yield from _of_context(settings)
    yield from _order(m)
    yield from _blank_lines(m)
    yield from _lost_tools(settings)
    if facts.mode == "plan" and settings.is_list("tools.core"):
        yield FOLDER.note("core-not-in-plan-mode", settings.known("tools.core").source)
    yield from _unknown_tools(m, settings)
    yield from _discovered_tools(m, settings, facts)
    yield from _skills_without_their_tool(m, facts)
    yield from _silent_servers(m, settings, facts)
    if m.model.variant == "legacy" and m.model.family == "gemini-3":  # they go by the configured one, and by the wire's
        known = settings.known("model.name")
        place = known.source if known.value == m.model.configured else None
        why = "mixed-model" if m.model.previews else "login-found-late"
        yield FOLDER.note(why, place, configured=m.model.configured, model=m.model.name)
    known = settings.known("experimental.contextManagement")
    if known.value is True:  # a side effect of an experiment, as recorded
        yield FOLDER.note("prompt-twice", known.source)


def _of_context(settings: GeminiSettings) -> Iterator[Diagnostic]:
    """`context.fileName` only adds names, and markers that lead elsewhere are skipped."""
    known = settings.known("context.fileName")
    given = known.value if isinstance(known.value, list) else [known.value]
    names = [name for name in given if isinstance(name, str) and name.strip()]
    if names and DEFAULT_NAME not in names:
        yield FOLDER.note("file-name-stays", known.source, names=", ".join(names[:MOST]))
    for item in settings.items("context.memoryBoundaryMarkers")[:MOST]:
        if not is_usable(item.value):
            yield FOLDER.note("marker-skipped", item.source, marker=item.value)


def _order(m: Materials) -> Iterator[Diagnostic]:
    """Context files are in the order of their paths, so that the nearest is not always the last."""
    cwd = m.inputs.workspace.rstrip("/") + "/"
    around = [file.path for file in m.placed("project") if cwd.startswith(f"{file.path.rpartition('/')[0]}/")]
    if not around:
        return
    nearest = max(around, key=lambda path: path.count("/"))
    last = around[-1]
    if last.count("/") < nearest.count("/"):
        folder, _, name = nearest.rpartition("/")
        own = folder == m.inputs.workspace.rstrip("/")
        near = f"the workspace's own {name}" if own else f"{folder.rpartition('/')[2]}/{name}"
        yield FOLDER.note("context-order", last, 1, near=near)


def _blank_lines(m: Materials) -> Iterator[Diagnostic]:
    """In the system text more than one blank line becomes one, also where they were meant."""
    for file in (*m.placed("global"), *m.placed("private"))[:MOST]:
        for span in file.spans:
            at = span.text.find("\n\n\n")
            if at >= 0 and span.origin.start_line is not None:
                line = span.origin.start_line + span.text[:at].count("\n") + 1
                yield FOLDER.note("blank-lines", span.origin.path, line)
                break


def _lost_tools(settings: GeminiSettings) -> Iterator[Diagnostic]:
    """A class name in `tools.core` lets its tool be registered, and the policy then denies it."""
    items = settings.items("tools.core")
    by_name = {named_tool(item.value)[0] for item in items}
    for item in items[:MOST]:
        name = item.value.partition("(")[0]
        if name in CLASSES and name not in SHELL_NAMES and CLASSES[name] not in by_name:
            yield FOLDER.note("core-tool-lost", item.source, name=name, tool=CLASSES[name])


def _unknown_tools(m: Materials, settings: GeminiSettings) -> Iterator[Diagnostic]:
    """Entries that name no tool; an excluded one may be a server's, by its own name."""
    offered = {tool.own_name for tool in m.mcp_tools}
    for key in _LISTS:
        for item in settings.items(key)[:MOST]:
            name = item.value.partition("(")[0]
            if key == "tools.exclude" and name != item.value:
                yield FOLDER.note("excludes-nothing", item.source, key=key, entry=item.value)
                continue
            if key in _BY_NAME and name in CLASSES and name not in SHELL_NAMES:
                yield FOLDER.note("class-name", item.source, key=key, name=name, tool=CLASSES[name])
                continue
            known = {*TOOLS, *OLD_NAMES, *CLASSES, *SHELL_NAMES, *(offered if key == "tools.exclude" else ())}
            if name not in known and "*" not in name and not name.startswith(_OF_SERVERS):
                yield from unmatched([Names(key, "tool", [item], known)])


def _discovered_tools(m: Materials, settings: GeminiSettings, facts: Facts) -> Iterator[Diagnostic]:
    """Tools that a command of the project names: it is never run."""
    known = settings.known("tools.discoveryCommand")
    if isinstance(known.value, str) and known.value.strip():
        verdict = _verdict(m, facts, "discovered_tool_x")
        why = verdict.rule.words if verdict.rule else "no rule allows them"
        dropped = "" if verdict.stays else f"; the client would drop them: {why}"
        yield FOLDER.note("tools-not-discovered", known.source, dropped=dropped)


def _skills_without_their_tool(m: Materials, facts: Facts) -> Iterator[Diagnostic]:
    """Skills are listed whether or not the model can bring one in."""
    verdict = _verdict(m, facts, "activate_skill")
    if m.skills and not verdict.stays and m.gates["built_in"].holds(facts) and m.switches["skills"].holds(facts):
        why = f": {verdict.rule.words}" if verdict.rule else ""
        count = f"{len(m.skills)} skill{'s are' if len(m.skills) > 1 else ' is'} listed"
        place = verdict.rule.source if verdict.rule else None
        yield FOLDER.note("skills-without-tool", place, count=count, why=why)


def _silent_servers(m: Materials, settings: GeminiSettings, facts: Facts) -> Iterator[Diagnostic]:
    """A server's instructions are sent, whatever becomes of its tools."""
    for server in m.servers[:MOST]:
        tools = [tool for tool in m.mcp_tools if tool.server == server.name]
        sent = [
            tool
            for tool in tools
            if tool.offered.holds(facts) and _verdict(m, facts, tool.name, read_only=tool.read_only).stays
        ]
        if tools and not sent and server.instructions:
            place = settings.member("mcpServers", server.name).source
            yield FOLDER.note("instructions-without-tools", place, server=server.name)
        rules = [rule for rule in m.policy.rules if f"mcp_{server.name}_*" in rule.tools and rule.decision == "allow"]
        if rules and tools and not any(tool.name.startswith(f"mcp_{server.name}_") for tool in tools):
            yield FOLDER.note("server-rule-misses", rules[0].source, server=server.name)


def _verdict(m: Materials, facts: Facts, tool: str, *, read_only: bool = False) -> Verdict:
    interactive = not m.params.args.print
    return m.policy.verdict(tool, facts.mode or "default", interactive=interactive, read_only=read_only)
