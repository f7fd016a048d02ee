"""The kinds of agents that spawn_agent may start, as its parameter lists them (specs/codex.md 7.8)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.codex.materials import Role
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.formats.document import Json


def role_text(roles: Sequence[Role]) -> str:
    """What `agent_type` says: the user's own roles first; one that has the name of a built-in role replaces it."""
    built_in = FOLDER.agent["roles"]
    own = [f"{role.name}: {{\n{role.description}\n}}" for role in roles]
    taken = {role.name for role in roles}
    fixed = [f"{name}: {{\n{text}\n}}" for name, text in built_in["own"].items() if name not in taken]
    return "\n".join([built_in["intro"], *own, *fixed])


def with_roles(schema: Json, roles: Sequence[Role]) -> Json:
    """The schema of spawn_agent with the roles that there are."""
    properties = {**schema["properties"], "agent_type": {"type": "string", "description": role_text(roles)}}
    return {**schema, "properties": {name: properties[name] for name in sorted(properties)}}
