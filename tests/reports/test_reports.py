"""Public bug reports about the agents, rebuilt: what each was really given, and what a person reads here about it.

`<agent>.yaml` holds the cases. A case has files (below a fresh root with `home/` beside the folder that the agent is
started in), and what has to hold:

    start        the folder below the root, `repo` without it
    set          params, as `--set` takes them
    shows, hides texts that the request contains, or does not
    tools        the names of the tools, where they are the point
    why          for an item: words that the answer of `promptscope why` contains
    check        words that a finding of `promptscope check` contains each; `check_not`: that none contains
    findings     the most that `check` may say
    differs      why a case cannot hold yet: the test fails once it does
    refuses      params under which the agent does not start; `says`: words of that error
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from tests.support.repository import git

from promptscope_tui.cli import cli

HERE = Path(__file__).parent
FILLER = "sort the boxes by weight "
_FILLER = re.compile(r"\{filler (\d+)\}")


def _cases() -> Iterator[Any]:
    for file in sorted(HERE.glob("*.yaml")):
        for case in yaml.safe_load(file.read_text("utf-8")):
            reason = case.get("differs")
            marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            yield pytest.param(file.stem, case, id=f"{file.stem}: {case['title']}", marks=marks)


def _filled(text: str, root: Path) -> str:
    """The text with the root's path, and so many characters of prose for each `{filler N}`."""
    filled = _FILLER.sub(lambda found: (FILLER * (int(found[1]) // len(FILLER) + 1))[: int(found[1])], text)
    return filled.replace("{ROOT}", str(root))


def _write(root: Path, files: Mapping[str, Any]) -> None:
    for name, value in files.items():
        path = root / name
        if value == "folder":
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, dict):
            path.symlink_to(_filled(value["link"], root))
        else:
            path.write_text(_filled(value, root), "utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROMPTSCOPE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "home").mkdir()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "case"), list(_cases()))
def test_report(agent: str, case: dict[str, Any], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(root, case["files"])
    for name in case.get("repositories", ["repo"]):
        (root / name).mkdir(exist_ok=True)
        git(root / name, "init", "-q")
    folder = root / case.get("start", "repo")
    monkeypatch.chdir(folder)
    params = {"args.print": True} if agent == "claude-code" else {}
    params |= case.get("set", {})

    def run(*words: str, **given: Any) -> str:
        extra = [
            f"--set={key}={_filled(value, root) if isinstance(value, str) else json.dumps(value)}"
            for key, value in (params | given).items()
        ]
        version = [f"--agent-version={case['version']}"] if "version" in case else []
        result = CliRunner().invoke(cli, [*words, "--agent", agent, *version, "--home", str(root / "home"), *extra])
        assert result.exit_code in (0, 1), result.output
        return result.stdout + result.stderr

    if "refuses" in case:
        said = json.loads(_json(run("show", "--format", "json", **case["refuses"])))["diagnostics"]
        error = next(d for d in said if d["code"] == "agent-refuses")
        told = f"{error.get('path') or ''}:{error.get('line') or ''}: {error['message']}"
        assert [word for word in case.get("says", ()) if word not in told] == [], told
    if case.keys() & {"shows", "hides", "tools"}:
        assembly = json.loads(_json(run("show", "--format", "json")))
        request = json.dumps(assembly["request"], ensure_ascii=False).replace("\\n", "\n")
        assert [text for text in case.get("shows", ()) if text not in request] == []
        assert [text for text in case.get("hides", ()) if text in request] == []
        if "tools" in case:
            assert [tool["name"] for tool in assembly["tools"] if tool["present"]] == case["tools"]
    for item, words in case.get("why", {}).items():
        answer = run("why", _filled(item, root))
        assert [word for word in words if word not in answer] == [], answer
    if case.keys() & {"check", "check_not", "findings"}:
        *findings, _ = run("check").splitlines()
        missed = [w for w in case.get("check", ()) if not any(_filled(w, root) in finding for finding in findings)]
        assert missed == [], findings
        assert [f for f in findings if any(words in f for words in case.get("check_not", ()))] == []
        assert len(findings) <= case.get("findings", len(findings)), findings


def _json(output: str) -> str:
    """What was printed to stdout, which is one line of JSON or an indented object."""
    return output[output.index("{") : output.rindex("}") + 1]
