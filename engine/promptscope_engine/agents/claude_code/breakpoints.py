"""Where a request may be cached (specs/claude-code.md 1.1)."""

from __future__ import annotations

from .gates import env_is_on
from .layout import Breakpoints, Cache
from .materials import Materials
from .models import V329
from .sections.system import splits


def breakpoints(m: Materials) -> Breakpoints:
    """The cache_control of the system blocks and of the last message's last block."""
    if not m.gates.caching.holds(m.facts):
        return Breakpoints({}, None)
    plain: Cache = {"type": "ephemeral"}
    if m.version == V329 and env_is_on(m.inputs.env, "ENABLE_PROMPT_CACHING_1H"):  # no effect in 2.1.100
        plain["ttl"] = "1h"
    if splits(m):
        # At the first-party host the static prefix is cached for everyone, and the identity needs no breakpoint.
        return Breakpoints({"static": {**plain, "scope": "global"}, "dynamic": plain}, plain)
    return Breakpoints({"identity": plain, "dynamic": plain}, plain)
