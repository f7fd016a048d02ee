"""OpenClaw's scenarios for test_levers.py: sessions, channels and configurations over the same files."""

from __future__ import annotations

from typing import Any

from .case import Case

_FILES = {
    "home/.openclaw/openclaw.json": (
        '{\n  "tools": {"deny": ["exec", "group:memory"]},\n  "skills": {"entries": {"off": {"enabled": false}}}\n}'
    ),
    "ws/skills/plain/SKILL.md": "---\nname: plain\ndescription: d\n---\n",
    "ws/skills/off/SKILL.md": "---\nname: off\ndescription: d\n---\n",
    "ws/skills/hidden/SKILL.md": "---\nname: hidden\ndescription: d\ndisable-model-invocation: true\n---\n",
    "ws/skills/mac/SKILL.md": ('---\nname: mac\ndescription: d\nmetadata: {"openclaw": {"os": ["darwin"]}}\n---\n'),
    "ws/skills/tool/SKILL.md": (
        '---\nname: tool\ndescription: d\nmetadata: {"openclaw": {"requires": {"bins": ["no-such-program"]}}}\n---\n'
    ),
    "ws/skills/blank/SKILL.md": "---\nname: blank\n---\n",
    "ws/AGENTS.md": "x" * 300,
    "ws/USER.md": " \n",
}
_SANDBOX = {"agents": {"defaults": {"sandbox": {"mode": "all", "workspaceAccess": "ro"}}}}
_GROUP = {"channels": {"telegram": {"reactionLevel": "off", "groups": {"7": {"tools": {"deny": ["tts"]}}}}}}
_EVERYTHING = {
    "commands": {"ownerAllowFrom": ["+1"], "ownerDisplay": "hash"},
    "memory": {"citations": "off"},
    "messages": {"tts": {"auto": "tagged"}},
    "agents": {
        "defaults": {
            "models": {"a/b": {"alias": "x"}}, "heartbeat": {"prompt": "beat"}, "thinkingDefault": "high",
            "sandbox": {"mode": "non-main", "browser": {"allowHostControl": True}}, "elevatedDefault": "ask",
        }
    },
    "tools": {"elevated": {"allowFrom": {"telegram": ["*"]}}},
}  # fmt: skip
_SMALL = {"agents": {"defaults": {"bootstrapMaxChars": 100, "bootstrapTotalMaxChars": 500}}}
_DENIED = {"tools": {"profile": "minimal", "deny": ["browser"], "byProvider": {"Anthropic": {"deny": ["tts"]}}}}
_POLICIES: dict[str, dict[str, Any]] = {
    "groups": {"tools": {"deny": ["group:fs", "web_*", "exec", "CRON"]}},
    "allowed": {"tools": {"allow": ["read"], "web": {"fetch": {"enabled": False}}}},
    "profile": _DENIED,
    "memory": {"plugins": {"slots": {"memory": "none"}}, "agents": {"defaults": {"memorySearch": {"enabled": False}}}},
    "provider": {"tools": {"byProvider": {"anthropic/claude-4.6": {"allow": ["read"]}}}},
}
_MACHINE = {"platform": "linux", "arch": "x64", "timezone": "UTC", "hostname": "h"}
_NO_SEARCH = {"tools": {"toolSearch": False}}


def _said(kind: str) -> dict[str, Any]:
    """A chat's message."""
    sender = {"id": 7, "is_bot": False, "first_name": "A"}
    return {
        "message": {"message_id": 1, "date": 1767323040, "from": sender, "text": "hi", "chat": {"id": 7, "type": kind}}
    }


_SCENARIOS: dict[str, dict[str, Any]] = {
    "default": {},
    "minimal": {"mode": "minimal"},
    "none": {"mode": "none"},
    "sub-agent": {"params": {"sessionKey": "agent:main:subagent:1"}},
    "cron": {"params": {"sessionKey": "agent:main:cron:job"}},
    "group": {"params": {"config": _GROUP, "channel": "telegram", "sessionKey": "agent:main:telegram:group:7"}},
    "discord": {"params": {"channel": "discord"}},
    "spawned": {"params": {"spawn": {"task": ""}, "configOverlay": _NO_SEARCH}},
    "spawned-with-a-key": {"params": {"spawn": {"task": "x"}, "sessionKey": "agent:main:subagent:1"}},
    "exec": {"params": {"entry": "agent-exec", "spawn": {"task": "x"}}},
    "said-in-a-group": {"params": {"chat": _said("group"), "configOverlay": _NO_SEARCH}},
    "said-by-a-peer": {"params": {"chat": _said("private"), "configOverlay": {"session": {"dmScope": "per-peer"}}}},
    "sandbox": {"params": {"config": _SANDBOX}},
    "everything": {"params": {"config": _EVERYTHING, "channel": "telegram", "sessionKey": "agent:main:x:direct:1"}},
    "denied": {"params": {"config": _DENIED, "senderIsOwner": False, "disableMessageTool": True}},
    "small": {"params": {"config": _SMALL}},
    "own": {"params": {"config": {"agents": {"list": [
        {"id": "main", "tools": {"deny": ["tts"]}, "sandbox": {"mode": "off"}, "skills": ["none"]}]}}}},
    "passed": {"params": {"promptParams": {
        "toolNames": ["read"], "ttsHint": None, "ownerNumbers": ["+1"], "contextFiles": [], "skillsPrompt": "s",
        "heartbeatPrompt": None, "sandboxInfo": {"enabled": True}, "runtimeInfo": {"channel": "x"}}}},
    "stand-ins": {"params": {"tools": [], "skills": [], "bootstrapFiles": [], "config": {}}},
}  # fmt: skip
SCENARIOS = {
    f"openclaw-{name}": Case(
        _FILES, {"agent": "openclaw", "environment": {"platform": "linux", "timezone": "UTC"}, **given}
    )
    for name, given in _SCENARIOS.items()
} | {
    f"openclaw-{name}-{kind}": Case(
        _FILES,
        {
            "agent": "openclaw",
            "environment": _MACHINE,
            "model": "anthropic/claude-4.6",
            "params": {"config": config, "sessionKey": session},
        },
    )
    for name, config in _POLICIES.items()
    for kind, session in (("main", None), ("sub-agent", "agent:main:subagent:1"))
}
