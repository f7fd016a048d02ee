"""Real agents from npm, each in a folder of its own outside of the repository, kept from one run to the next."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from platformdirs import user_cache_path

FOLDER = "PROMPTSCOPE_TEST_AGENTS"
"""The environment variable that names the folder of the installed agents."""

_IMPATIENT = ("--fetch-retries=1", "--fetch-timeout=60000")
"""Without a network nobody waits for npm's three attempts."""

_PATIENCE = 600
"""Seconds that npm may take."""


@dataclass(frozen=True)
class Package:
    """An agent's package; `version` may be npm's tag of the newest."""

    name: str
    version: str


def programs(package: Package) -> Path:
    """The folder with its programs, installed if it is not there yet. Skips where npm or the network is missing."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on the PATH")
    version = package.version
    if version == "latest":
        version = _said(npm, "view", package.name, "version", "--prefer-online", *_IMPATIENT).strip()
    base = Path(os.environ.get(FOLDER) or user_cache_path("promptscope-tests", appauthor=False) / "agents")
    folder = base / f"{package.name.replace('/', '-')}@{version}"
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _said(
            npm, "install", "--no-audit", "--no-fund", *_IMPATIENT, "--prefix", str(folder), f"{package.name}@{version}"
        )
        (folder / "complete").touch()
    return folder / "node_modules" / ".bin"


def _said(npm: str, *arguments: str) -> str:
    try:
        ran = subprocess.run([npm, *arguments], capture_output=True, text=True, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm {arguments[0]} took more than {_PATIENCE} seconds")
    if ran.returncode:
        pytest.skip(f"npm {arguments[0]} failed: {' '.join(ran.stderr.split())[:200]}")
    return ran.stdout
