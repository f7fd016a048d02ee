"""An MCP server on standard input and output that offers what a file says: run by clients that are learned.

    python -I stand_in_server.py FILE

FILE is a stand-in of a scenario (`mcp_servers`) as JSON: `tools`, `instructions`, and a `status`: one that is
`connecting` answers late. Stands on the standard library alone.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

_LATE = 12
"""Seconds: a client on a terminal has sent its first request by then, and one that waits is not ended before."""


def answer(method: str, params: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The result of a request."""
    match method:
        case "initialize":
            about = {
                "protocolVersion": params.get("protocolVersion", "2025-03-26"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": said["name"], "version": "1"},
            }
            return {**about, **({"instructions": said["instructions"]} if "instructions" in said else {})}
        case "tools/list":
            return {"tools": said.get("tools", [])}
    return {}


def main() -> None:
    """Answer until the input ends."""
    said = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    if said.get("status") == "connecting":
        time.sleep(_LATE)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            found = answer(message["method"], message.get("params") or {}, said)
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": found}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
