"""A stand-in MCP server on standard input and output.

    mcp_server.py '{"tools": [...], "resources": [...], "instructions": "...", "delay": 1, "exit": 1}'

`delay` is seconds before it answers, `exit` ends it at once with that status. It runs with any Python and no package.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def answer(method: str, params: dict[str, Any], said: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for what it does not know."""
    if method == "initialize":
        offered: dict[str, Any] = {name: {} for name in ("tools", "resources", "prompts") if name in said}
        result: dict[str, Any] = {
            "protocolVersion": params.get("protocolVersion", "2025-03-26"),
            "capabilities": offered,
            "serverInfo": {"name": "stand-in", "version": "1"},
        }
        return {**result, "instructions": said["instructions"]} if "instructions" in said else result
    kind, _, verb = method.partition("/")
    if verb == "list" and kind in said:
        return {kind: said[kind]}
    if method == "resources/templates/list" and "resources" in said:
        return {"resourceTemplates": []}
    if method == "prompts/get" and "prompts" in said:
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "given"}}]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "done"}]}
    return {} if method == "ping" else None


def main() -> None:
    """Answer until the input ends."""
    said = json.loads(sys.argv[1])
    if "exit" in said:
        sys.exit(said["exit"])
    time.sleep(said.get("delay", 0))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {}, said)
        found = {"result": result} if result is not None else {"error": {"code": -32601, "message": "not known"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **found}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
