"""The top line: agent, version, mode and model, the folder, and whether its files are watched."""

from __future__ import annotations

from textual.reactive import reactive

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.watcher import WatchStatus
from promptscope_tui.text.paths import home_short
from promptscope_tui.text.spans import Span, Tone, tail

from .line_bar import LineBar, Part, part, width_of_parts

_NARROW = 90
_ROOMY = 120
_LEAST_PATH = 12  # less of a path is useless


class Header(LineBar):
    """`promptscope  Roo Code 3.28.16 › code › claude-sonnet-4-5   ~/code/shop      ● live, 14 files`."""

    DEFAULT_CSS = "Header { background: $panel; padding: 0 1; }"

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    status: reactive[WatchStatus | None] = reactive(None)
    """The watcher's state, None before its first report."""

    confirmed: reactive[bool] = reactive(True)
    """False in a frame that is kept for the next start."""

    agent_name: reactive[str] = reactive("")
    """The agent's name as its makers write it."""

    progress: reactive[tuple[int, int] | None] = reactive(None)
    """How many files of how many are counted, while that takes long."""

    others: reactive[int] = reactive(0)
    """How many other agents have files in the folder."""

    def parts(self, width: int) -> tuple[list[Part], list[Part]]:
        """The line's parts."""
        left = [part(Span("promptscope", "accent"), "   ")] if width >= _NARROW else []
        assembly = self.assembly
        if assembly is not None:
            left += _scenario(self.agent_name, assembly)
        if self.others:
            words = f" agent{'s' * (self.others > 1)} here" if width >= _ROOMY else ""
            left.append(part(Span(f"  +{self.others}{words}", "accent"), action="agent"))
        right = [*_diagnostics(assembly), _watching(self.status, short=width < _NARROW) if self.confirmed else _LAST]
        if self.progress:
            done, of = self.progress
            right.insert(0, part(Span(f"counting {done:,} of {of:,}   ", "accent")))
        room = width - width_of_parts([*left, *right]) - 5
        if assembly is not None and room >= _LEAST_PATH:
            path = tail(home_short(assembly.workspace, assembly.home), room)
            left.append(part("   ", Span(path, "faint")))
        return left, right


_LAST = part(Span("◌ ", "warn"), Span("last view, loading", "dim"))


def _scenario(name: str, assembly: Assembly) -> list[Part]:
    arrow = Span(" › ", "faint")
    found = [part(Span(name, "strong"), Span(f" {assembly.agent_version}", "dim"), action="agent")]
    if assembly.mode:
        found.append(part(arrow, Span(assembly.mode), action="mode"))
    found.append(part(arrow, Span(assembly.model or "no model", "text" if assembly.model else "faint"), action="model"))
    return found


def _diagnostics(assembly: Assembly | None) -> list[Part]:
    counted = [d for d in assembly.diagnostics if d.severity != "info"] if assembly else []
    if not counted:
        return []
    tone: Tone = "error" if any(d.severity == "error" for d in counted) else "warn"
    return [part(Span(f"⚠ {len(counted)}   ", tone), action="tab_files")]


def _watching(status: WatchStatus | None, short: bool) -> Part:
    if status is None or status.state == "off":
        return part(
            Span("○ ", "faint"), Span("not watching" if short else "not watching: r reloads", "dim"), action="reload"
        )
    mark = Span("● ", "good") if status.state == "live" else Span("◐ ", "warn")
    word = "live" if status.state == "live" else "polling"
    return part(mark, Span(word if short else f"{word}, {_count(status)}", "dim"))


def _count(status: WatchStatus) -> str:
    """`14 files`; without any, the paths watched: a file created there will be noticed."""
    if status.files:
        return f"{status.files:,} file{'s' * (status.files > 1)}"
    return f"no files yet, watching {status.places:,} paths"
