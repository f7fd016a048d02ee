"""The package as people install it: a wheel in an empty virtual environment, and nothing of this repository beside it.

Nothing is downloaded: what uv has in its cache, as after `uv run`, is enough.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.tui.support.terminal import Terminal

from promptscope_engine import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "engine" / "promptscope_engine", ROOT / "tui" / "promptscope_tui")


@pytest.fixture(scope="module")
def uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")  # `uv run` says where it is
    if found is None:
        pytest.skip("there is no uv to build and install with")
    return found


def run(*words: str | Path, env: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        words, cwd=ROOT, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        if "--offline" in words and ("cache" in done.stderr or "network" in done.stderr):
            pytest.skip(f"uv has not everything in its cache: {done.stderr.strip().splitlines()[-1]}")
        pytest.fail(f"{words}: {done.stderr}")


@pytest.fixture(scope="module")
def wheel(uv: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(uv, "build", "--wheel", "--offline", "--out-dir", folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def python(uv: str, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds what the lock names and the wheel."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    locked = ("--locked", "--offline", "--no-default-groups", "--no-install-project", "--python", sys.executable)
    run(uv, "sync", *locked, env={"UV_PROJECT_ENVIRONMENT": str(home), "VIRTUAL_ENV": ""})
    found = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(uv, "pip", "install", "--offline", "--no-deps", "--python", found, wheel)
    return found


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        path.relative_to(source.parent).as_posix()
        for source in SOURCES
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted - packed == set()
    assert "promptscope_engine/tokens/data/o200k_base.tiktoken" in packed
    release = f"promptscope_tui-{__version__}"
    assert {name.partition("/")[0] for name in packed - wanted} == {f"{release}.dist-info", f"{release}.data"}
    assert f"{release}.data/data/share/man/man1/promptscope.1" in packed


def test_the_installed_commands_work(python: Path, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "AGENTS.md").write_text("Use pnpm.\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PROMPTSCOPE_CACHE": str(tmp_path / "cache")}

    def said(*words: str) -> str:
        command = [str(python.with_name("promptscope")), *words]
        return subprocess.run(command, cwd=shop, env=env, capture_output=True, check=True, timeout=120).stdout.decode()

    assert said("--version") == f"promptscope {__version__}\n"
    assert "Use pnpm." in said("show", "--agent", "roo")
    assert said("show", "--agent", "roo", "--format", "html").startswith("<!DOCTYPE html>")
    where = subprocess.run(
        [python, "-P", "-c", "import promptscope_tui as p; print(p.__file__)"], capture_output=True, check=True
    )
    assert str(ROOT) not in where.stdout.decode()


def test_the_installed_app_starts(python: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "AGENTS.md").write_text("Use pnpm.\n")
    shown = Terminal([["--agent", "roo"]], tmp_path / "shop", python=str(python))
    shown.opens_and_ends(lambda: "live" in shown.text and "Roo Code" in shown.text)
