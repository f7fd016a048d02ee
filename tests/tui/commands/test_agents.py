"""Corrections to an agent's texts: laid over, told about, looked through; and the steps of docs/agents-as-data.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.tui.support.client import client_in

from promptscope_engine.agents.kit.text.sources import lay_over
from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.learned import LearnedVersion
from promptscope_tui.cli import cli
from promptscope_tui.output import exits
from promptscope_tui.settings import wordings
from promptscope_tui.text.words import age

STEPS = Path(__file__).parents[3] / "docs" / "agents-as-data.md"
TEXT = "---\nheading: RULES\n---\n{.own}- Offer tea.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty repository; home, config and state are empty folders."""
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    for name in ("HOME", "PROMPTSCOPE_CONFIG", "PROMPTSCOPE_STATE", "PROMPTSCOPE_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    yield tmp_path
    lay_over(())


def rules(place: Path, text: str = TEXT) -> Path:
    """Corrections to Roo's rules below a folder."""
    (place / "roo" / "sections").mkdir(parents=True)
    (place / "roo" / "sections" / "rules.md").write_text(text, "utf-8")
    return place / "roo"


def run(*args: str, code: int = exits.OK) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exit_code == code, result.output
    return result


def shown(*args: str) -> bool:
    return "- Offer tea." in run(*args, "--agent", "roo", "--format", "plain").stdout


def test_corrections_are_laid_over_and_told_of(folder: Path) -> None:
    own = rules(folder / "promptscope_config" / "agents")
    found = run("show", "--agent", "roo", "--format", "plain", "-v")
    assert "- Offer tea." in found.stdout
    assert f"{own}: info: your own corrections (1 file) are laid over the built-in roo" in found.stderr
    assert "Roo" not in run("show", "--agent", "codex", "--format", "plain").stderr


def test_the_folder_that_is_named_comes_last(folder: Path) -> None:
    rules(folder / "promptscope_config" / "agents", "---\nheading: RULES\n---\n{.own}- Offer coffee.\n")
    assert not shown("show")
    assert shown("show", "--agent-dir", str(rules(folder / "here")))


def test_what_was_learned_is_laid_over_on_request(folder: Path) -> None:
    rules(folder / "promptscope_state" / "agents")
    assert not shown("show")
    assert shown("show", "--learned")
    assert shown("open"), "as in the app"


def test_check_and_diff_are_the_same_on_every_machine(folder: Path) -> None:
    plain = [
        run(*words).stdout
        for words in (("check", "--agent", "roo"), ("diff", "mode:code", "mode:ask", "--agent", "roo"))
    ]
    rules(folder / "promptscope_config" / "agents")
    assert run("check", "--agent", "roo").stdout == plain[0]
    assert run("diff", "mode:code", "mode:ask", "--agent", "roo").stdout == plain[1]
    given = str(rules(folder / "here"))
    assert run("check", "--agent", "roo", "--agent-dir", given).stdout != plain[0]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("sections/rules.md", "{% if nope %}\nx\n{% endif %}\n", "sections/rules.md:1: `nope`: unknown name nope"),
        ("sections/rules.md", "---\nwen: x\n---\n", "sections/rules.md:2: unknown key `wen`; did you mean `when`?"),
        ("tools/read_file.json", "{", "tools/read_file.json:1: Expecting property name"),
        ("agent.toml", "[", "agent.toml: Invalid"),
    ],
)
def test_a_mistake_has_file_and_line(folder: Path, file: str, text: str, message: str) -> None:
    place = rules(folder / "here")
    (place / "tools").mkdir()
    (place / file).write_text(text, "utf-8")
    assert message in run("show", "--agent", "roo", "--agent-dir", str(place), code=exits.CANNOT_ASSEMBLE).output
    if file != "agent.toml":  # without it, the folder's own name says which agent is meant
        linted = run("agents", "lint", str(place), code=exits.CHECK_FAILED).output
        assert message.replace(": ", ": error: ", 1) in linted


def test_all_mistakes_of_a_definition_are_listed(folder: Path) -> None:
    mistakes = '[gatez]\nx = 1\n[[mode]]\nslug = 3\nnmae = "x"\n[params.tone]\nhlep = "x"\n'
    (folder / "promptscope-agent.toml").write_text(f'name = "Helper"\n{mistakes}')
    linted = run("agents", "lint", str(folder), code=exits.CHECK_FAILED).output
    for place, message in {
        "1:1": "the key `id` is missing",
        "2:1": "unknown key 'gatez' (did you mean gap?)",
        "5:1": "`mode.0.slug`:",
        "6:1": "unknown key 'nmae' (did you mean name?)",
        "8:1": "unknown key 'hlep' (did you mean help?)",
    }.items():
        assert f"promptscope-agent.toml:{place}: error: {message}" in linted
    assert linted.endswith("5 errors, 0 warnings\n")


def test_a_text_that_nothing_names_is_told_of(folder: Path) -> None:
    place = rules(folder / "here")
    (place / "sections" / "old.md").write_text("x\n", "utf-8")
    (place / "sections" / "role@9.9.md").write_text("x\n", "utf-8")
    found = run("agents", "lint", str(place)).output
    assert "sections/old.md: warning: it replaces no text of the built-in agent" in found
    assert "sections/role@9.9.md: warning: there is no version 9.9; known: 3.28.16" in found
    assert found.endswith("0 errors, 2 warnings\n")


def test_a_strangers_link_is_not_followed(folder: Path) -> None:
    place = rules(folder / "here")
    (place / "sections" / "role.md").symlink_to("/etc/passwd")
    words = f"{place}/sections/role.md: a link that leads out of the folder"
    assert words in run("show", "--agent", "roo", "--agent-dir", str(place), code=exits.CANNOT_ASSEMBLE).output


def test_python_is_never_looked_at(folder: Path) -> None:
    place = rules(folder / "here")
    for name in ("agent.py", "texts.py", "sections/__init__.py"):
        (place / name).write_text("raise SystemExit(9)\n", "utf-8")
    assert shown("show", "--agent-dir", str(place))


def test_a_folder_for_no_agent(folder: Path) -> None:
    (folder / "nope").mkdir()
    assert "unknown agent 'nope'" in run("show", "--agent-dir", str(folder / "nope"), code=exits.CANNOT_ASSEMBLE).output


def test_the_built_in_texts_are_without_a_mistake() -> None:
    assert run("agents", "lint").output == "0 errors, 0 warnings\n"


def test_what_corrections_change(folder: Path) -> None:
    found = run("agents", "diff", "roo", "--agent-dir", str(rules(folder / "here"))).stdout.splitlines()
    assert found[:2] == ["--- built-in/sections/rules.md", f"+++ {folder}/here/roo/sections/rules.md"]
    assert "+{.own}- Offer tea." in found


def test_where_an_agents_texts_are() -> None:
    place = Path(run("agents", "roo", "--path").stdout.strip())
    assert (place / "sections" / "rules.md").is_file()
    assert "unknown built-in agent 'rooo' (did you mean roo?)" in run("agents", "rooo", "--path", code=3).output


@pytest.mark.slow
def test_the_steps_of_the_guide(folder: Path) -> None:
    """Literally: each command of it, in an empty folder."""
    steps = re.findall(r"^    \$ (.*)$", STEPS.read_text("utf-8"), re.MULTILINE)
    assert len(steps) > 10
    script = "set -e\n" + "\n".join(steps)
    bin_folder = Path(sys.executable).parent
    env = {"PATH": f"{bin_folder}:/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, env=env, cwd=folder / "repo", check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("- ")] == [
        "- Never write ~ or $HOME for the home directory.",
        "- Offer tea.",
        "- Offer coffee.",
    ]


def test_a_link_to_nothing_is_named(folder: Path) -> None:
    place = rules(folder / "promptscope_config" / "agents")
    (place / "sections" / "role.md").symlink_to(folder / "gone.md")
    found = run("show", "--agent", "roo", code=exits.CANNOT_ASSEMBLE).output
    assert f"{place}/sections/role.md: cannot be read: No such file" in found


# --- which version is which -------------------------------------------------------------------------------------------


def listed(agent: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = json.loads(run("agents", "--format", "json").stdout)
    return next(row for row in rows if row["id"] == agent)


def test_every_agent_says_which_version_is_shown_and_when_it_was_modelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    lines = run("agents").stdout.splitlines()
    for row in json.loads(run("agents", "--format", "json").stdout):
        newest = row["versions"][-1]
        assert (row["shown"], row["learned"], row["installed"]) == (newest, None, None)
        assert row["modelled"].keys() == set(row["versions"])
        day, state = row["modelled"][newest], row["state"]
        assert date.fromisoformat(state["looked_up"]) <= date.today()
        shown, line, _ = (line for line in lines if line.startswith(f"{row['id']} "))
        assert ", ".join(row["versions"]) in shown, "scripts look for a version in an agent's first row"
        assert line.split() == [row["id"], newest, day, *age(day, date.today()).split(), state["now"]]
    assert f"shown: {newest}, modelled {day}" in run("agents", row["id"]).stdout


def test_an_agent_that_came_to_an_end_says_so() -> None:
    said = "archived since 2026-05-15: its successor is Zoo Code (looked up 2026-11-27)"
    assert f"roo: {said}" in run("agents").stdout
    assert said in run("agents", "roo").stdout
    assert "limited since 2026-06-18: it serves enterprise accounts and API keys only" in run("agents").stdout


def test_a_client_that_is_installed_and_a_version_that_was_learned_are_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_in(folder)
    monkeypatch.setenv("PATH", f"{client.parent}:/usr/bin:/bin")
    wordings.keep(LearnedVersion("claude-code", "2.1.999", (), "2026-12-01T10:00:00+00:00", base="2.1.332"))
    row = listed("claude-code")
    assert row["installed"] == {"version": "2.1.332", "path": str(client)}
    assert row["shown"] == "2.1.999"
    learned = row["learned"]
    assert (learned["version"], learned["when"], learned["parts"]) == ("2.1.999", "2026-12-01T10:00:00+00:00", 0)
    assert learned["of"] > 0
    shown, alive = (line for line in run("agents").stdout.splitlines() if re.match(r"claude-code +(Cl|\d)", line))
    assert re.search(r" 2\.1\.999 +2\.1\.332 +active$", alive)
    assert re.search(r"Claude Code +2\.1\.999 +0 of \d+ parts ", shown)


def test_the_instruction_files_that_each_agent_reads_are_what_its_prompt_has() -> None:
    """With all four in one repository, and each alone where another one keeps it out."""
    reads = {row["id"]: tuple(row["reads"].values()) for row in json.loads(run("agents", "--format", "json").stdout)}
    assert reads == {
        "claude-code": ("alone", "yes", "no", "no"),
        "roo": ("yes", "no", "no", "no"),
        "openclaw": ("yes", "no", "no", "no"),
        "codex": ("yes", "no", "no", "no"),
        "gemini": ("no", "no", "yes", "no"),
        "opencode": ("yes", "alone", "no", "no"),
        "copilot": ("yes", "yes", "yes", "yes"),
    }
    assert re.search(r"^opencode +yes +", run("agents").stdout, re.MULTILINE)
    assert "GEMINI.md" not in run("agents", "--format", "plain").stdout


@pytest.mark.parametrize("form", ["text", "json", "markdown", "plain"])
@pytest.mark.parametrize("agent", agent_ids())
def test_the_inputs_of_every_agent_are_printed_in_every_format(agent: str, form: str) -> None:
    printed = run("agents", agent, "--format", form).stdout
    assert "object object" not in printed
    if form == "json":
        assert {"name", "default", "required", "help"} <= {*json.loads(printed)["params"][0]}


def test_the_quirks_of_an_agent_are_listed_in_every_format() -> None:
    says = "the example path '/test/path' is a leftover of the agent's own"
    for form in ("text", "markdown", "plain"):
        assert says in run("agents", "roo", "--format", form).stdout
    quirks = json.loads(run("agents", "roo", "--format", "json").stdout)["quirks"]
    (found,) = [each for each in quirks if each["says"].startswith(says)]
    assert (found["fact"], found["at"]) == ("Prompt 9", ["system_information.workspace"])


def test_why_and_verbose_name_the_quirks_that_show() -> None:
    says = "a leftover of the agent's own"
    asked = ("--agent", "roo")
    assert (
        f"  a quirk of the agent: the example path '/test/path' is {says}"
        in run("why", "system_information", *asked).stdout
    )
    (found,) = json.loads(run("why", "system_information", *asked, "--format", "json").stdout)
    assert says in found["quirks"][0]
    assert says not in run("why", "objective", *asked).stdout
    assert f"system_information: quirk: the example path '/test/path' is {says}" in run("show", *asked, "-v").stderr
    assert says not in run("show", *asked).stderr


def test_an_input_without_a_default_is_required() -> None:
    (task,) = [
        each for each in json.loads(run("agents", "openclaw", "--format", "json").stdout)["params"] if each["required"]
    ]
    assert (task["name"], task["default"]) == ("spawn.task", None)
    assert re.search(r"^spawn\.task +\S+ +text +required", run("agents", "openclaw").stdout, re.MULTILINE)
