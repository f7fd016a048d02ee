"""The kinds of agents that spawn_agent may start, as its parameter lists them (specs/codex.md 7.8)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.codex.materials import Role
from promptscope_engine.formats.document import Json

_OWN_ROLES = {
    "default": "The usual kind, for anything that none of the others fits.",
    "explorer": (
        "For questions about a code base that can be answered by reading, quickly and well founded.\n"
        "Ask it bounded and precise questions. Several of them may look for different things at once.\n"
        "Trust what it finds; do not look for the same once more yourself.\n"
        "Ask one again that knows the matter already, instead of starting another."
    ),
    "worker": (
        "For carrying out: a part of a feature, a fix, a change that goes through many files.\n"
        "Name the files that are its own, and tell it that others work in the same folder.\n"
        "It must not undo what others have done, and has to fit in with it.\n"
        "Let it say in the end which files it has changed, and how it has checked them."
    ),
}


def role_text(roles: Sequence[Role]) -> str:
    """What `agent_type` says: the user's own roles first; one that has the name of a built-in role replaces it."""
    own = [f"{role.name}: {{\n{role.description}\n}}" for role in roles]
    taken = {role.name for role in roles}
    fixed = [f"{name}: {{\n{text}\n}}" for name, text in _OWN_ROLES.items() if name not in taken]
    return "\n".join([_ROLES_INTRO, *own, *fixed])


_ROLES_INTRO = (
    "The kind of agent to start. Left out it is `default`. Each kind has a text of its own on what it is for, and some have "
    "settings of their own: a kind that names a model or an effort has these, whatever you say. An agent that is given this "
    "whole conversation (`fork_turns` is `all`) is always of your own kind, so leave it out then.\n"
    "Choose by what the task needs, not by its size: `explorer` to find out, `worker` to change, one of the user's own where "
    "its description fits. If the user names a kind, take that one. If none fits, leave it out.\n"
    "The kinds:"
)


def with_roles(schema: Json, roles: Sequence[Role]) -> Json:
    """The schema of spawn_agent with the roles that there are."""
    properties = {**schema["properties"], "agent_type": {"type": "string", "description": role_text(roles)}}
    return {**schema, "properties": {name: properties[name] for name in sorted(properties)}}
