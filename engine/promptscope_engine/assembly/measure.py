"""Pairs the measured sizes of an agent's `reference.json` with the sizes of our own text: writes its `sizes.json`.

    python -m promptscope_engine.assembly.measure          writes the file of every built-in agent

Run it after our wording changed; a test fails while the file is stale. Each measured variant is assembled on an empty
disk with the paths that were measured, so both sizes speak of the same thing. A reference file of single texts (with
`sections` at its top) names the `scenarios` in which they are, by what differs from its `scenario`, the plain ones
first, and the `files` that these need. `counted` are the origins of what was measured of a section, if not all of it;
what was measured by itself is under `fragments`, with the exact text `around` it, and no part of its section.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from promptscope_engine.agents.features import package_of
from promptscope_engine.agents.kit.text.sources import over
from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.pinned import PINNED
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.drafts import Choice
from promptscope_engine.prompt.model import Fragment
from promptscope_engine.tokens.counter import Counter
from promptscope_engine.tokens.measured import ENCODINGS, digest
from promptscope_engine.tokens.models import get_tokenizer
from promptscope_engine.wire.request import tool_json, wire_json, wire_tool
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Disk, EmptyDisk, Moved, OnlyBelow, RealDisk, moved

from .assembler import assemble
from .drafting import draft
from .resolve import resolve

Pairs = dict[str, dict[str, dict[str, list[int]]]]


class Measured(NamedTuple):
    """One measured thing: its key, the real sizes by column, and our text for it."""

    key: str
    real: dict[str, int]
    builtin: str
    ours: str


def measure(package: str) -> dict[str, Pairs]:
    """{version: {encoding: {key: {digest of our text: [real tokens, our tokens]}}}} of one agent."""
    found: dict[str, Pairs] = {}
    for path in sorted(Path(str(files(package))).glob("reference*.json")):
        reference = reference_of(path)
        pairs: Pairs = {encoding: {} for encoding in ENCODINGS}
        counters = {encoding: Counter(get_tokenizer(encoding)) for encoding in ENCODINGS}
        for measured in by_scenarios(reference) if "sections" in reference else _measured(reference):
            for encoding in measured.real.keys() & pairs.keys():  # not every agent was measured in each
                ours = counters[encoding].count(measured.ours)
                sizes = pairs[encoding].setdefault(measured.key, {})
                sizes.setdefault(digest(measured.builtin), [measured.real[encoding], ours])
        found[reference["agent_version"]] = pairs
    return found


def reference_of(path: Path) -> dict[str, Json]:
    """A file of measured sizes; one that says only what `differs_from` another file beside it has the rest of that."""
    own: dict[str, Json] = json.loads(path.read_text(encoding="utf-8"))
    if "differs_from" not in own:
        return own
    before = reference_of(path.with_name(own["differs_from"]))
    sections = {**before["sections"], **own["sections"]}
    scenarios = [*before["scenarios"], *own["scenarios"]]
    known = {name: size for name, size in sections.items() if size is not None}
    return {**before, **own, "sections": known, "scenarios": scenarios}


def _measured(reference: dict[str, Json]) -> list[Measured]:
    columns: list[str] = reference["columns"]
    fragments: dict[str, Measured] = {}
    found: list[Measured] = []
    for variant in reference["variants"].values():
        for mode, measured in variant["modes"].items():
            scenario = variant_scenario(reference, variant["differs_from_default"], mode)
            assembly = assemble(scenario, Workspace(EmptyDisk()), cached_only=True)
            sizes = {**measured["sections"], **{f"tools.{k}": v for k, v in measured["tools"].items()}}
            parents = {section.parent for section in assembly.sections}
            for section in assembly.sections:
                # a parent was measured with all that is nested in it; its own text is only the frame
                if section.present and section.id in sizes and section.id not in parents:
                    real = dict(zip(columns, sizes[section.id], strict=True))
                    builtin = "".join(f.text for f in section.fragments if f.origin.kind == "builtin")
                    found.append(Measured(section.id, real, builtin, section.text.strip("\n")))
            for fragment_id, text in _wordings(scenario).items():
                if fragment_id in reference["fragments"]:
                    real = dict(zip(columns, reference["fragments"][fragment_id], strict=True))
                    key = f"fragment:{fragment_id}"
                    fragments.setdefault(key, Measured(key, real, text, text.strip()))
            for tool in assembly.tools_beside:  # these were measured as a whole
                key = f"tools.{tool.name}"
                if tool.input_schema is not None and key in sizes:
                    wire = wire_json(wire_tool(tool.name, tool.description, tool.input_schema))
                    found.append(Measured(key, dict(zip(columns, sizes[key], strict=True)), tool.description, wire))
    return [*found, *fragments.values()]


def by_scenarios(reference: dict[str, Json]) -> list[Measured]:
    """Texts that were measured one by one, each as it is in the first scenario that has it."""
    found: dict[str, Measured] = {}
    alone = reference.get("fragments", {})
    sizes = {**reference["sections"], **{f"fragment:{name}": size for name, size in alone.items()}}
    for each in reference["scenarios"]:
        of = {"agent": reference["agent"], "agent_version": reference["agent_version"]}
        scenario = Scenario.model_validate({**of, **over(reference["scenario"], each)})
        with _files(reference["files"], scenario.home or "/") as disk:
            for key, builtin, text in _by_key(scenario, Workspace(disk), alone, reference.get("counted")):
                if key and key in sizes:
                    found.setdefault(key, Measured(key, sizes[key], builtin, text.strip("\n")))
    return list(found.values())


def _by_key(
    scenario: Scenario, workspace: Workspace, alone: Mapping[str, Json], counted: Collection[str] | None
) -> Iterator[tuple[str | None, str, str]]:
    """Each section, fragment and tool: the key of its measured size, our wording, and the text that was measured."""
    drafted = draft(resolve(scenario, workspace), workspace)
    assembly = assemble(scenario, workspace, cached_only=True)
    for section, made in zip(drafted.sections, assembly.sections, strict=True):
        if made.present:
            key = section.reference.under(drafted.facts) if isinstance(section.reference, Choice) else section.reference
            rest = [f for f in made.fragments if f.origin.id not in alone and (not counted or f.origin.kind in counted)]
            yield key, _joined(f for f in made.fragments if f.origin.kind == "builtin"), _joined(rest)
            for name, size in alone.items():
                if text := _joined(f for f in made.fragments if f.origin.id == name):
                    before, behind = size.get("around", ("", ""))
                    yield f"fragment:{name}", text, f"{before}{text}{behind}"
    for tool, offered in zip(drafted.tools, assembly.tools, strict=True):
        if offered.present:
            wire = None if tool.section else tool.wire or partial(wire_tool, tool.name)
            sent = wire and tool_json(wire(offered.description, offered.input_schema))
            yield tool.reference, offered.description, sent or offered.description


@contextmanager
def _files(files: Mapping[str, str], home: str) -> Iterator[Disk]:
    """A disk with these files below the home folder and nothing else."""
    with TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(moved(path, home, folder))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        yield OnlyBelow(Moved(RealDisk(), folder, home), [home])


def _joined(fragments: Iterable[Fragment]) -> str:
    return "".join(fragment.text for fragment in fragments)


def _wordings(scenario: Scenario) -> dict[str, str]:
    """Our wording by fragment id, of absent sections too: some are only where the user has a certain file."""
    resolved = resolve(scenario, workspace := Workspace(EmptyDisk()))
    texts: dict[str, str] = {}
    for section in draft(resolved, workspace).sections:
        here: dict[str, str] = {}
        for span in section.spans:
            if span.origin.kind == "builtin" and span.origin.id:
                here[span.origin.id] = here.get(span.origin.id, "") + span.text
        texts = here | texts  # a section may repeat another's words: they were measured once
    return texts


def variant_scenario(reference: dict[str, Json], differs: dict[str, Json], mode: str) -> Scenario:
    """A measured variant. Stand-in servers that it only names are in `stand_ins`."""
    params = dict(differs)
    top = {key: params.pop(key) for key in ("model", "mcp_servers", "env") if key in params}
    if isinstance(top.get("mcp_servers"), str):
        top["mcp_servers"] = reference["stand_ins"][top["mcp_servers"]]
    return Scenario.model_validate(
        {
            "agent": reference["agent"],
            "agent_version": reference["agent_version"],
            "workspace": reference["paths"]["workspace"],
            "home": reference["paths"]["home"],
            "mode": None if mode == "null" else mode,
            "params": {**reference.get("params", {}), **params},
            "environment": PINNED.model_copy(update={"date": "2026-11-20"}),
            "env": {},
            "tokenizer": "o200k_base",
            **top,
        }
    )


def main() -> None:
    """Write `sizes.json` of every built-in agent that has measured sizes."""
    for agent_id in agent_ids():
        package = package_of(load_agent(agent_id))
        sizes = measure(package)
        if sizes:
            target = Path(str(files(package))) / "sizes.json"
            target.write_text(json.dumps(sizes, indent=1, sort_keys=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
