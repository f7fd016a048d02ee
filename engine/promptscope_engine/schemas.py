"""The published JSON schemas of what goes in and what comes out."""

from __future__ import annotations

from typing import Literal

from pydantic import TypeAdapter

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.captures.model import SCHEMA as CAPTURE
from promptscope_engine.captures.model import End, Header, Recorded
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import SCHEMA, Assembly

from .checks.findings import SCHEMA as CHECK
from .checks.findings import CheckReport
from .insight.comparison import SCHEMA as DIFF
from .insight.comparison import Comparison
from .insight.verification import SCHEMA as VERIFY
from .insight.verification import Verification

Schema = Literal["scenario", "assembly", "diff", "check", "capture", "verify", "agent"]


def schema(what: Schema, agent_id: str | None = None) -> dict[str, Json]:
    """The JSON schema of a scenario, an assembly, a comparison, the report of a check, a line of a capture or its
    comparison with the prediction, or of a file that defines an agent.

    With an agent's id, `params` of a scenario has that agent's own inputs.

    Raises ScenarioError for an unknown agent.
    """
    if what == "assembly":
        return {"$id": SCHEMA, "title": "Assembly", **TypeAdapter(Assembly).json_schema(mode="serialization")}
    if what == "diff":
        made = TypeAdapter(Comparison).json_schema(mode="serialization")
        made["properties"] = {"differs": {"type": "boolean"}, **made["properties"]}
        return {"$id": DIFF, "title": "Diff", **made}
    if what == "check":
        return {"$id": CHECK, "title": "Check", **TypeAdapter(CheckReport).json_schema(mode="serialization")}
    if what == "verify":
        made = TypeAdapter(Verification).json_schema(mode="serialization")
        made["properties"] = {"differs": {"type": "boolean"}, **made["properties"]}
        return {"$id": VERIFY, "title": "Verify", **made}
    if what == "capture":
        made = TypeAdapter(list[Header | Recorded | End]).json_schema(mode="serialization")
        return {"$id": CAPTURE, "title": "Capture", "$defs": made["$defs"], **made["items"]}
    if what == "agent":
        from promptscope_engine.agents.declared.definition import schema as definition_schema

        return definition_schema()
    made = Scenario.model_json_schema()
    if agent_id:
        params = load_agent(agent_id).params.model_json_schema(ref_template="#/$defs/{model}")
        made.setdefault("$defs", {}).update(params.pop("$defs", {}))
        made["properties"]["params"] = params
    return {"$id": "promptscope.scenario.v1", **made}
