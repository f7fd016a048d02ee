"""Where the model works: folder, documentation, sandbox, time (specs/openclaw.md 1, parts 10 to 16)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, label
from promptscope_engine.prompt.leaves import equals, flag, given

from .literal import literal
from .part import ANY_MODE, FULL, part

_TIMEZONE: Condition = given("promptParams.userTimezone", yes="the time zone is known", no="no time zone is passed")


def status_hint() -> SectionDraft:
    """A line without a heading, so it reads as the end of whatever stands before it (part 10).

    It depends on the time zone, not on the tool that it names.
    """
    text = "\nFor the date, time or weekday of this moment, call session_status (📊 session_status)."
    return SectionDraft(
        "status_hint", "Hint at session_status", (builtin("status_hint", text),), when=ANY_MODE & _TIMEZONE,
        reference="status_hint",
    )  # fmt: skip


def workspace(materials: Materials) -> SectionDraft:
    """The working directory, and whose paths are meant (part 11)."""
    reference = "## Workspace (container)" if _container(materials) else "## Workspace"
    return part("workspace", "## Workspace", _workspace(materials), reference=reference)


def _container(materials: Materials) -> str:
    """The directory inside the container that is shown in place of the host's, "" if there is none."""
    info = materials.prompt.object("sandboxInfo")
    folder = info.get("containerWorkspaceDir")
    return literal(js_trim(folder)) if info.get("enabled") and isinstance(folder, str) else ""


def _workspace(materials: Materials) -> Iterator[Piece]:
    prompt, inside = materials.prompt, _container(materials)
    host = literal(str(prompt.value("workspaceDir") or ""))
    in_sandbox = Observed(
        "flag",
        "promptParams.sandboxInfo",
        bool(inside),
        f"the sandbox works in {inside}",
        "no sandbox names its directory",
    )
    yield builtin("workspace.directory", "\nYou are working in: ")
    if inside:
        yield prompt.says("sandboxInfo", inside)
    elif host:
        yield prompt.says("workspaceDir", host)
    yield builtin(
        "workspace.guidance.host",
        "\nAll file work goes on in this one directory, your whole workspace, as long as you are not told to go elsewhere.",
        when=~in_sandbox,
    )
    yield builtin(
        "workspace.guidance.sandbox",
        "\nThe tools read/write/edit/apply_patch take paths as seen from the host's workspace: ",
        when=in_sandbox,
    )
    yield label(host, when=in_sandbox)
    yield builtin(
        "workspace.guidance.sandbox",
        ". Commands of bash/exec run inside the container instead: give them paths below ",
        when=in_sandbox,
    )
    yield label(inside, when=in_sandbox)
    yield builtin(
        "workspace.guidance.sandbox",
        " (relative ones start there), never the host's. Relative paths serve both worlds alike, so take those where you can.",
        when=in_sandbox,
    )
    yield from _notes(materials)


def _notes(materials: Materials) -> Iterator[Piece]:
    given_notes = materials.prompt.values.get("workspaceNotes")
    if given_notes is not None and given_notes.pieces:
        yield label("\n")
        yield from given_notes.pieces
        return
    for note in materials.prompt.texts("workspaceNotes"):
        yield label("\n")
        yield materials.prompt.says("workspaceNotes", note)


def documentation(materials: Materials) -> SectionDraft:
    """Where OpenClaw is explained (part 12)."""
    when = FULL & given(
        "promptParams.docsPath", yes="the documentation's path is known", no="no documentation was found"
    )
    return part("documentation", "## Documentation", _documentation(materials), when)


def _documentation(materials: Materials) -> Iterator[Piece]:
    yield builtin("documentation", "\nOpenClaw's docs on this machine: ")
    yield from materials.prompt.pieces("docsPath")
    yield builtin(
        "documentation",
        "\nThe same on the web: https://docs.openclaw.ai\nIts code: https://github.com/openclaw/openclaw\nIts people: https://discord.com/invite/clawd\nMore skills: https://clawhub.com"
        "\nOn OpenClaw's behavior, commands, configuration or design, read the local docs first."
        "\nTo find a fault, run `openclaw status` yourself if you can; ask the user only if you have no access (as in a sandbox).",
    )


def sandbox(materials: Materials) -> SectionDraft:
    """What the sandbox allows (part 13, section 7); each line after the first three only if its value is known."""
    if "sandboxInfo" in materials.params.promptParams.model_fields_set:
        on: Condition = flag("promptParams.sandboxInfo.enabled", yes="the sandbox is on", no="no sandbox is passed")
    else:
        on = materials.sandboxed
    return part("sandbox", "## Sandbox", _sandbox(materials), ANY_MODE & on)


def _sandbox(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "sandbox",
        "\nThis run is sandboxed: the tools work inside of Docker.\nSandbox policy may take away some tools.\n"
        "Sub-agents are sandboxed like you: nothing elevated, no host. Is something needed from outside the sandbox? Ask first, start none for it.",
    )
    yield from _value(materials, "containerWorkspaceDir", label("\nSandbox container workdir: "))
    mounted = "\nMounted from this host folder (used by file tools alone; sandbox exec has none such): "
    yield from _value(materials, "workspaceDir", builtin("sandbox.host_mount", mounted))
    yield from _value(materials, "workspaceAccess", label("\nAgent workspace access: "))
    yield from _mount(materials)
    yield label("\nSandbox browser: enabled.", when=_known("browserBridgeUrl"))  # the address itself stays hidden
    yield from _value(materials, "browserNoVncUrl", builtin("sandbox.novnc", "\nWatch that browser here (noVNC): "))
    key = "promptParams.sandboxInfo.hostBrowserAllowed"
    yield label("\nHost browser control: allowed.", when=equals(key, True))
    yield label("\nHost browser control: blocked.", when=equals(key, False))
    elevated = equals("promptParams.sandboxInfo.elevated.allowed", True, no="elevated commands are not allowed")
    yield builtin(
        "sandbox.elevated",
        "\nElevated exec can be had in this session.\nThe user switches it by /elevated on|off|ask|full.\nYou too may send /elevated on|off|ask|full where it is called for.",
        when=elevated,
    )
    yield label("\nCurrent elevated level: ", when=elevated)
    info = materials.prompt.object("sandboxInfo").get("elevated") or {}
    yield label(str(info.get("defaultLevel") or ""), when=elevated)
    yield builtin(
        "sandbox.elevated", " (with ask, exec on the host waits for a yes; full says yes by itself).", when=elevated
    )


def _known(name: str) -> Condition:
    return given(f"promptParams.sandboxInfo.{name}", no=f"`sandboxInfo.{name}` is not known")


def _value(materials: Materials, name: str, lead: Piece) -> Iterator[Piece]:
    known = _known(name)
    yield lead.under(known)
    value = materials.prompt.object("sandboxInfo").get(name)
    if isinstance(value, str) and value:
        yield materials.prompt.says("sandboxInfo", literal(value)).under(known)


def _mount(materials: Materials) -> Iterator[Piece]:
    mount = materials.prompt.object("sandboxInfo").get("agentWorkspaceMount")
    if isinstance(mount, str) and mount:
        yield label(f" (mounted at {literal(mount)})", when=_known("workspaceAccess") & _known("agentWorkspaceMount"))


def date_and_time(materials: Materials) -> SectionDraft:
    """The zone alone: a clock would spoil the prompt's cache (part 15)."""
    pieces = (label("\nTime zone: "), *materials.prompt.pieces("userTimezone"))
    return part("date_and_time", "## Current Date & Time", pieces, ANY_MODE & _TIMEZONE)


def workspace_files() -> SectionDraft:
    """Announces the files; stands there even if none is injected (part 16)."""
    text = "\nWhat follows as Project Context are files the user may edit; OpenClaw put them in."
    return part(
        "workspace_files", "## Workspace Files (injected)", [builtin("workspace_files", text)], stability="static"
    )
