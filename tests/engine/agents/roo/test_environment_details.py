"""The environment details."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from promptscope_engine.agents.roo.responses import RooIgnore
from promptscope_engine.agents.roo.user_messages import environment_details

FACTS: dict[str, Any] = {
    "cwd": "/project",
    "home": "/home/ann",
    "now": "2025-10-10T03:57:08.250Z",
    "time_zone": "UTC",
    "utc_offset": 0,
    "mode": {"slug": "code", "name": "💻 Code"},
    "model": "m",
}


def _details(**facts: Any) -> str:
    return environment_details(**{**FACTS, **facts})


def test_limits_count_before_hidden_files_leave() -> None:
    ignore = RooIgnore("/project", "a\n")
    settings = {"maxWorkspaceFiles": 2, "maxOpenTabsContext": 1}
    paths = ["/project/a", "/project/b", "/project/c"]
    text = _details(visible_files=paths, open_tabs=paths, ignore=ignore, settings=settings)
    assert "# VSCode Visible Files\nb\n\n# VSCode Open Tabs\n\n\n# Current Time" in text


def test_without_handling_of_hidden_files_there_is_one_path_per_line() -> None:
    text = _details(visible_files=["/project/a", "/x/b"], settings={"maxOpenTabsContext": 0}, open_tabs=["/a"])
    assert "# VSCode Visible Files\na\n../x/b\n\n# VSCode Open Tabs\n(No open tabs)\n" in text


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        *((0, "0.00"), (0.125, "0.13"), (1.005, "1.00"), (2.5, "2.50"), (-0.0, "0.00"), (12345.678, "12345.68")),
        *((math.nextafter(1e21, 0), "999999999999999868928.00"), (1e21, "1e+21")),
    ],
)
def test_dollars_are_rounded_as_javascript_does(cost: float, shown: str) -> None:
    assert f"# Current Cost\n${shown}\n" in _details(cost=cost)


def test_a_task_has_cost_nothing_at_first() -> None:
    assert "# Current Cost\n$0.00\n" in _details()


@pytest.mark.parametrize(("minutes", "shown"), [(0, "+0:00"), (-210, "-3:30"), (765, "+12:45"), (-30, "-0:30")])
def test_zones(minutes: int, shown: str) -> None:
    assert f"User time zone: UTC, UTC{shown}\n" in _details(utc_offset=minutes)


def test_ended_terminals_show_each_output_newest_first() -> None:
    processes = [
        {"command": "new", "output": "n\n"},
        {"command": "none", "output": ""},
        {"command": "old", "output": "o"},
    ]
    terminals = [
        {"id": 1, "cwd": "/t", "busy": False, "task": None, "processes": processes},
        {"id": 2, "cwd": "/t", "busy": False, "task": "own", "processes": []},
        {"id": 3, "cwd": "/t", "busy": False, "task": "other", "processes": processes},
    ]
    shown = (
        "# Inactive Terminals with Completed Process Output\n## Terminal 1 (Inactive)\n"
        "### Working Directory: `/t`\n### New Output\nCommand: `new`\nn\n\n"
        "### New Output\nCommand: `old`\no\n\n# Current Time"
    )
    assert shown in _details(terminals=terminals)


def test_a_terminal_in_which_nothing_ran_is_not_mentioned() -> None:
    idle = {"id": 1, "cwd": "/t", "busy": False, "task": "own", "processes": []}
    assert "Terminal" not in _details(terminals=[idle])


def test_terminals_of_the_task_come_before_those_in_the_background() -> None:
    tasks = {1: None, 2: "own", 3: "other", 4: None, 5: "own"}
    terminals = [{"id": number, "cwd": "/t", "busy": True, "task": task} for number, task in tasks.items()]
    assert re.findall(r"## Terminal (\d)", _details(terminals=terminals)) == ["2", "5", "1", "4"]


def test_a_busy_terminal_names_its_newest_ended_process_if_none_runs() -> None:
    processes = [{"command": "b", "output": ""}, {"command": "a", "output": ""}]
    text = _details(terminals=[{"id": 1, "cwd": "/t", "busy": True, "task": "own", "processes": processes}])
    assert "### Original command: `b`\n\n# Current Time" in text


def test_output_of_terminals_is_compressed_once() -> None:
    terminal = {"id": 1, "cwd": "/t", "busy": True, "task": "own", "command": "c", "output": "x\rab\n" * 3}
    text = _details(terminals=[terminal], settings={"terminalOutputCharacterLimit": 5})
    assert "### New Output\na\n[...4 characters omitted...]\n\nab\n" in text


@pytest.mark.parametrize(("length", "cut"), [(50_000, False), (50_001, True)])
def test_output_of_terminals_has_a_limit_by_default(length: int, cut: bool) -> None:
    terminal = {"id": 1, "cwd": "/t", "busy": True, "task": "own", "command": "c", "output": "x" * length}
    assert ("[...1 characters omitted...]" in _details(terminals=[terminal])) is cut


@pytest.mark.parametrize(("lines", "cut"), [(500, False), (501, True)])
def test_output_of_terminals_has_500_lines_by_default(lines: int, cut: bool) -> None:
    output = "\n".join(map(str, range(lines)))
    terminal = {"id": 1, "cwd": "/t", "busy": True, "task": "own", "command": "c", "output": output}
    assert ("[...1 lines omitted...]" in _details(terminals=[terminal])) is cut


def test_without_a_home_no_folder_is_the_desktop() -> None:
    files = {"paths": ["/Desktop/a.txt"], "did_hit_limit": False}
    assert "a.txt" in _details(cwd="/Desktop", home=None, files=files)


def test_power_steering_shows_role_and_instructions_untrimmed() -> None:
    mode = {**FACTS["mode"], "role": "R", "instructions": "\n====\n"}
    assert "<role>" not in _details(mode=mode)
    shown = _details(mode=mode, power_steering=True)
    assert "<role>R</role>\n<custom_instructions>\n====\n</custom_instructions>\n" in shown


@pytest.mark.parametrize("cwd", ["/home/ann/Desktop", "/home/ann/Desktop/"])
def test_the_desktop_is_not_listed(cwd: str) -> None:
    text = _details(cwd=cwd, files={"paths": [f"{cwd}/secret.txt"], "did_hit_limit": False})
    assert "secret.txt" not in text
    assert f"</model>\n\n\n# Current Workspace Directory ({cwd}) Files\n(" in text


def test_no_shields_in_the_listing() -> None:
    files = {"paths": ["/project/AGENTS.md", "/project/a"], "did_hit_limit": False}
    text = _details(files=files, ignore=RooIgnore("/project", "a\n"), settings={"showRooIgnoredFiles": True})
    assert "Files\n🔒 a\nAGENTS.md\n" in text


def test_todos_escape_pipes_and_keep_newlines() -> None:
    todos = [{"id": "1", "content": "a|b\\c\nd", "status": "in_progress"}]
    assert "\n| 1 | a\\|b\\\\c\nd | In Progress |\n" in _details(todos=todos)


def test_an_empty_todo_list_is_none() -> None:
    assert _details(todos=[]) == _details()


def test_recently_modified_files_stand_before_the_terminals() -> None:
    terminals = [{"id": 1, "cwd": "/t", "busy": True, "task": None}]
    text = _details(terminals=terminals, recently_modified=["x.py"])
    assert text.index("# Recently Modified Files") < text.index("# Actively Running Terminals")
