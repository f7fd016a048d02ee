"""Settings files with their precedence (specs/claude-code.md 6).

managed > `--settings` (params.settings) > .claude/settings.local.json > .claude/settings.json >
~/.claude/settings.json.
Lists of all layers are joined, objects are merged, everything else is overridden.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from promptscope_engine.agents.claude_code.gates import Settable
from promptscope_engine.agents.claude_code.materials import Origined
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, Lever
from promptscope_engine.workspace import FileText, Workspace


@dataclass(frozen=True, slots=True)
class Found:
    """The settings in force and what was consulted for them."""

    values: dict[str, Origined]
    files: tuple[FileDraft, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def plain(self) -> dict[str, Json]:
        return {key: setting.value for key, setting in self.values.items()}


@dataclass(frozen=True, slots=True)
class Sources:
    """What `--setting-sources` lets in: `user`, `project`, `local`; all without it."""

    named: str | None

    def allows(self, source: str) -> bool:
        return self.named is None or source in {part.strip() for part in self.named.split(",")}

    def condition(self, source: str) -> Condition:
        """True while the source is let in; the lever is the argument."""
        if self.named is None:
            return ALWAYS
        return Settable(
            "flag",
            "args.settingSources",
            self.allows(source),
            f"--setting-sources names {source}",
            f"--setting-sources leaves {source} files out",
            wanted=source,
            actual=self.named,
            on=(Lever("args.settingSources", None),),
        )


def read_json(file: FileText, code: str) -> tuple[Json, Diagnostic | None]:
    """The file's JSON, or None and what is wrong with it, with its line."""
    if not file.found:
        return None, None
    try:
        return json.loads(file.text.removeprefix("\ufeff")), None
    except json.JSONDecodeError as error:
        return None, Diagnostic("warning", code, f"not valid JSON: {error.msg}", file.path, error.lineno)
    except (ValueError, RecursionError) as error:
        return None, Diagnostic("warning", code, f"cannot be read as JSON: {error}"[:200], file.path, 1)


def gather_settings(inputs: Inputs, params: ClaudeCodeParams, config: str, managed: str, workspace: Workspace) -> Found:
    """Every settings file in rising precedence, and what they come to."""
    sources = Sources(params.args.settingSources)
    layers = [
        ("user", f"{config}/settings.json", sources.condition("user")),
        ("project", f"{inputs.workspace}/.claude/settings.json", sources.condition("project")),
        ("local", f"{inputs.workspace}/.claude/settings.local.json", sources.condition("local")),
        ("flag", None, ALWAYS),
        ("managed", f"{managed}/managed-settings.json", ALWAYS),
    ]
    values: dict[str, Origined] = {}
    files: list[FileDraft] = []
    diagnostics: list[Diagnostic] = []
    for source, path, condition in layers:
        if path is None:
            _lay_over(values, params.settings.model_dump(exclude_none=True), None, "")
            continue
        file = workspace.read(path)
        data, problem = read_json(file, "bad-settings")
        if problem:
            diagnostics.append(problem)
        elif file.found and not isinstance(data, dict):
            diagnostics.append(Diagnostic("warning", "bad-settings", "settings are a JSON object", path, 1))
        usable = isinstance(data, dict)
        there = Observed(
            "file", path, usable, "the file was found", "no such file" if not file.found else "it cannot be used"
        )
        when = there if isinstance(condition, type(ALWAYS)) else there & condition
        files.append(FileDraft(path, file.real_path, "settings", "always", when, file.size, len(file.text)))
        if isinstance(data, dict) and (
            source == "managed" or source not in ("user", "project", "local") or sources.allows(source)
        ):
            _lay_over(values, data, path, file.text)
    return Found(values, tuple(files), tuple(diagnostics))


def _lay_over(values: dict[str, Origined], layer: Mapping[str, Json], path: str | None, text: str) -> None:
    for key, value in layer.items():
        if value is None:
            continue
        before = values.get(key)
        merged = _merge(before.value, value) if before else value
        values[key] = Origined(merged, path, _line_of(text, key, value) if path else None)


def _merge(low: Json, high: Json) -> Json:
    if isinstance(low, dict) and isinstance(high, dict):
        return {**low, **{key: _merge(low[key], value) if key in low else value for key, value in high.items()}}
    if isinstance(low, list) and isinstance(high, list):
        return [*low, *(item for item in high if item not in low)]
    return high


def _line_of(text: str, key: str, value: Json) -> int | None:
    """The line that holds the key and, verbatim, a string value."""
    if not isinstance(value, str):
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if f'"{key}"' in line and f'"{value}"' in line:
            return number
    return None
