"""The installed clients still send what is in the store: only with -m agents.

Clients are looked up as README.md says; one that is not installed is skipped.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .clients import NAMES
from .commands import MISSING
from .comparing import differences
from .known import signatures
from .recordings import STORE, stored
from .samples import quick

pytestmark = pytest.mark.agents

_EACH = 8
"""Situations of each client: seconds apiece."""


@pytest.mark.parametrize("client", NAMES)
def test_client_still_sends_what_was_recorded(client: str) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare on the PATH: clients run in a network of their own")
    recordings = [one for one in stored([client]) if not one.unstable]
    chosen = quick(one.name for one in recordings)
    for recording in [one for one in recordings if one.name in chosen][:_EACH]:
        command = [sys.executable, "-m", "tests.oracle", "ask", str(STORE / f"{recording.name}.json")]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2])
        if ran.returncode == MISSING:
            pytest.skip(ran.stderr.strip())
        assert ran.returncode == 0, ran.stderr
        found = differences(recording.situation, recording.facts, json.loads(ran.stdout))
        assert signatures(found) == [], recording.name
