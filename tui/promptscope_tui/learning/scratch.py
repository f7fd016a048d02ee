"""Folders made up for a run: a home and a repository with marked files, and nothing of the person's."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from promptscope_engine.captures.recipes import DUMMY_KEY
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.params import with_value
from promptscope_engine.learning.plan import Run
from promptscope_engine.learning.script import Script

_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "SHELL")
"""Variables of the person's that a client keeps: programs have to be found, and dates, texts and facts look alike."""
_GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
_COMMIT = ("-c", "user.name=Quuxmark", "-c", "user.email=quuxmark@localhost", "-c", "commit.gpgsign=false")


_SERVER = {"{python}": sys.executable, "{server}": str(Path(__file__).with_name("stand_in_server.py"))}
"""What plays an MCP server: it is given `{home}/NAME.json`."""


class Scratch(Struct, frozen=True):
    """The folders of a run, and everything that its client finds in its environment."""

    root: Path
    home: str
    repo: str
    env: Mapping[str, str]


def scratch_for(script: Script, run: Run, root: Path) -> Scratch:
    """Make the folders of a run below `root`, which is new. Raises OSError."""
    home, repo, temporary = root / "home", root / "repo", root / "tmp"
    for folder in (home, repo, temporary):
        folder.mkdir(parents=True)
    kind = script.workspace[run.workspace]
    names = {"{home}": str(home), "{repo}": str(repo), "{key}": DUMMY_KEY[-20:], **_SERVER}
    said = {f"home/{each['name']}.json": json.dumps(each) for each in kind.servers}
    for path, text in {**script.files, **said, **kind.files, **_settings(script, run)}.items():
        _new(root, path).write_text(filled(text, names), "utf-8")
    own = {"HOME": str(home), "TMPDIR": str(temporary), "TERM": "xterm-256color", "SHELL": "/bin/sh", **_GIT}
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    if kind.git:
        _git(repo, {**kept, **own})
    given = {name: filled(value, names) for name, value in {**script.env, **run.env}.items()}
    return Scratch(root, str(home), str(repo), {"LANG": "C.UTF-8", **own, **kept, **given})


def command_of(script: Script, run: Run, client: str, scratch: Scratch, prompt: str) -> tuple[str, ...]:
    """The words that start the client."""
    names = {"{prompt}": prompt, "{home}": scratch.home, "{repo}": scratch.repo}
    words = [*script.start[run.start].words, *run.words, *_option(script, run)]
    return (client, *(filled(word, names) for word in words))


def _new(root: Path, path: str) -> Path:
    """The place of a new file."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def filled(text: str, names: Mapping[str, str]) -> str:
    """The text with values in place of names in braces."""
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def _nested(run: Run, below: Mapping[str, Json]) -> dict[str, Json]:
    """The run's settings over others, keys with dots in tables."""
    found = dict(below)
    for name, value in run.settings.items():
        found = with_value(found, name, value)
    return found


def _settings(script: Script, run: Run) -> dict[str, str]:
    """The settings as a file, for an agent that has no option for them."""
    file = script.settings.get("file")
    if not file or not run.settings:
        return {}
    return {file: json.dumps(_nested(run, json.loads(script.files.get(file, "{}"))))}


def _option(script: Script, run: Run) -> list[str]:
    """The settings on the command line: as JSON behind one option, or `KEY=VALUE` behind one each."""
    option = script.settings.get("option")
    if not option or not run.settings:
        return []
    if script.settings.get("form") == "pairs":
        return [w for key, value in run.settings.items() for w in (option, f"{key}={json.dumps(value)}")]
    return [option, json.dumps(_nested(run, {}))]


def git_program() -> str:
    """Where git is. Raises ScenarioError where there is none."""
    git = shutil.which("git")
    if git is None:
        raise ScenarioError("git is not on PATH: the client is run in a repository made for it", where="learn")
    return git


def _git(repo: Path, env: Mapping[str, str]) -> None:
    """Make a repository of the folder. Raises ScenarioError where there is no git."""
    git = git_program()
    for words in (
        ["init", "-q", "-b", "quuxmark-branch"],
        ["add", "-A"],
        [*_COMMIT, "commit", "-q", "-m", "Quuxmark commit", "--allow-empty"],
    ):
        subprocess.run([git, *words], cwd=repo, env=dict(env), check=False, capture_output=True, timeout=20)


def remove(root: Path) -> None:
    """Take the folders away again; what a client made read-only stays."""
    shutil.rmtree(root, ignore_errors=True)
