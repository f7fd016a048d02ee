"""The wheel and the source archive in clean environments, one for each Python that the classifiers name.

    uv run --group test pytest -n 0 -m package tests/packaging

What has to be installed is downloaded. A Python that uv does not find is skipped, with a reason.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.tui.support.terminal import Terminal

from promptscope_engine import __version__

pytestmark = pytest.mark.package

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = [found[1] for each in PROJECT["classifiers"] if (found := re.search(r"Python :: (\d\.\d+)$", each))]


@pytest.fixture(scope="module")
def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    if found is None:
        pytest.skip("there is no uv to build and install with")
    return found


@pytest.fixture(scope="module")
def built(uv: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What is uploaded: the wheel, made of the source archive, and the archive."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([uv, "build", "-q", "--out-dir", folder], cwd=ROOT, check=True)
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": archive}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("Use pnpm.\n")
    return folder


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_works_in_a_clean_environment(python: str, kind: str, uv: str, built: dict[str, Path], shop: Path) -> None:
    tmp_path = shop.parent
    if kind == "sdist" and python != PYTHONS[-1] and python != PYTHONS[0]:
        pytest.skip("of the source archive the oldest and the newest Python")
    if subprocess.run([uv, "python", "find", "--no-project", python], capture_output=True).returncode:
        pytest.skip(f"uv finds no Python {python} here")
    home = tmp_path / "venv"
    subprocess.run([uv, "venv", "-q", "--no-project", "--python", python, home], check=True)
    own = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([uv, "pip", "install", "-q", "--python", own / "python", built[kind]], check=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PROMPTSCOPE_CACHE": str(tmp_path / "cache")}

    def said(*words: str) -> str:
        done = subprocess.run(words, cwd=shop, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for name in PROJECT["scripts"]:
        assert said(str(own / name), "--version") == f"promptscope {__version__}\n"
    command = str(own / "promptscope")
    assert "Use pnpm." in said(command, "show")
    assert "0 errors" in said(command, "check")
    client = tmp_path / "claude"
    client.write_text("#!/bin/sh\necho '2.1.332 (Claude Code)'\n")
    client.chmod(0o700)
    assert " texts in " in said(command, "learn", "claude-code", "--plan", "--client", str(client))
    app = Terminal([[]], shop, python=str(own / "python"))
    app.opens_and_ends(lambda: "live" in app.text and "CLAUDE.md" in app.text)


def test_the_sample_opens_without_installing(uv: str, built: dict[str, Path], shop: Path) -> None:
    program = [uv, "tool", "run", "--from", str(built["wheel"]), "promptscope", "--demo"]
    kept = {name: value for name, value in os.environ.items() if name.startswith(("UV_", "SSL_"))}
    app = Terminal([[]], shop, program=program, env=kept)
    app.opens_and_ends(lambda: "THREE THINGS TO TRY" in app.text)
