"""Where the model works: folder, documentation, sandbox, time (specs/openclaw.md 1, parts 10 to 16)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.openclaw.builder import Parameter
from promptscope_engine.agents.openclaw.gates import ANY_MODE, FULL
from promptscope_engine.agents.openclaw.materials import Materials
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, Piece, SectionDraft, builtin, label

from .part import literal, part


def status_hint(materials: Materials) -> SectionDraft:
    """A line without a heading, so it reads as the end of the part before it (part 10).

    It depends on the time zone, not on the tool that it names.
    """
    text = "\nFor the date, time or weekday of this moment, call session_status (📊 session_status)."
    return SectionDraft(
        "status_hint", "Hint at session_status", (builtin("status_hint", text),), when=ANY_MODE & materials.prompt.cause("userTimezone"),
        reference="status_hint",
    )  # fmt: skip


def workspace(materials: Materials) -> SectionDraft:
    """The working directory, and whose paths are meant (part 11)."""
    in_sandbox = materials.sandbox.inside
    reference = Choice(((in_sandbox, "## Workspace (container)"),), "## Workspace")
    return part("workspace", "## Workspace", _workspace(materials, in_sandbox), reference=reference)


def _workspace(materials: Materials, in_sandbox: Condition) -> Iterator[Piece]:
    prompt, workdir = materials.prompt, materials.sandbox.workdir
    inside, host = literal(js_trim(str(workdir.value))), literal(str(prompt.value("workspaceDir") or ""))
    yield builtin("workspace.directory", "\nYou are working in: ")
    yield workdir.piece(inside).under(in_sandbox)
    yield prompt.says("workspaceDir", host).under(~in_sandbox)
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
    if not materials.prompt.passes("workspaceNotes"):
        note = "To remember: git-commit what you change in this workspace."
        yield label("\n", when=materials.bootstrapping)
        yield builtin("workspace.bootstrap_note", note, when=materials.bootstrapping)
    for note in materials.prompt.texts("workspaceNotes"):
        yield label("\n")
        yield materials.prompt.says("workspaceNotes", note)


def documentation(materials: Materials) -> SectionDraft:
    """Where OpenClaw is explained (part 12)."""
    when = FULL & materials.prompt.cause("docsPath")
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
    return part("sandbox", "## Sandbox", _sandbox(materials), ANY_MODE & materials.sandbox.on)


def _sandbox(materials: Materials) -> Iterator[Piece]:
    box = materials.sandbox
    yield builtin(
        "sandbox",
        "\nThis run is sandboxed: the tools work inside of Docker.\nSandbox policy may take away some tools.\n"
        "Sub-agents are sandboxed like you: nothing elevated, no host. Is something needed from outside the sandbox? Ask first, start none for it.",
    )
    yield from _value(box.workdir, label("\nSandbox container workdir: "))
    mounted = "\nMounted from this host folder (used by file tools alone; sandbox exec has none such): "
    yield from _value(box.host, builtin("sandbox.host_mount", mounted))
    yield from _value(box.access, label("\nAgent workspace access: "))
    yield label(f" (mounted at {literal(str(box.mount.value))})", when=box.mount.because)
    yield label("\nSandbox browser: enabled.", when=box.browser)  # the address itself stays hidden
    yield from _value(box.no_vnc, builtin("sandbox.novnc", "\nWatch that browser here (noVNC): "))
    yield label("\nHost browser control: allowed.", when=box.host_browser_allowed)
    yield label("\nHost browser control: blocked.", when=box.host_browser_blocked)
    yield builtin(
        "sandbox.elevated",
        "\nElevated exec can be had in this session.\nThe user switches it by /elevated on|off|ask|full.\nYou too may send /elevated on|off|ask|full where it is called for.",
        when=box.elevated,
    )
    yield label("\nCurrent elevated level: ", when=box.elevated)
    yield label(box.elevated_level, when=box.elevated)
    yield builtin(
        "sandbox.elevated", " (with ask, exec on the host waits for a yes; full says yes by itself).", when=box.elevated
    )


def _value(value: Parameter, lead: Piece) -> Iterator[Piece]:
    yield lead.under(value.because)
    yield value.piece(literal(str(value.value or "")))


def date_and_time(materials: Materials) -> SectionDraft:
    """The zone alone: a clock would spoil the prompt's cache (part 15)."""
    pieces = (label("\nTime zone: "), *materials.prompt.pieces("userTimezone"))
    return part("date_and_time", "## Current Date & Time", pieces, ANY_MODE & materials.prompt.cause("userTimezone"))


def workspace_files() -> SectionDraft:
    """Announces the files, even if none is injected (part 16)."""
    text = "\nWhat follows as Project Context are files the user may edit; OpenClaw put them in."
    return part(
        "workspace_files", "## Workspace Files (injected)", [builtin("workspace_files", text)], stability="static"
    )
