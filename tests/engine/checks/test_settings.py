"""The settings of `check`: where they are read, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.repository import write

from promptscope_engine.checks.budgets import initial_settings, moved_budgets
from promptscope_engine.checks.findings import Checked, CheckReport, Spent
from promptscope_engine.checks.settings import CheckSettings, Loaded, load_settings
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.workspace import Workspace


def loaded(folder: Path, files: dict[str, str]) -> Loaded:
    write(folder, files)
    workspace = Workspace()
    workspace.allow([str(folder)])
    return load_settings(str(folder), workspace)


def test_where_settings_are_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, {}).path is None
    project = {"pyproject.toml": "[tool.promptscope]\nstrict = true\n"}
    assert loaded(tmp_path, project).settings.strict
    assert loaded(tmp_path, {"pyproject.toml": "[tool.other]\n"}).path is None
    both = loaded(tmp_path, {**project, ".promptscope.toml": 'agents = ["roo"]\n'})
    assert both.settings == CheckSettings(agents=["roo"])
    assert both.path == f"{tmp_path}/.promptscope.toml"
    assert both.notes == (".promptscope.toml counts; [tool.promptscope] in pyproject.toml is not read",)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("strct = true\n", ":1", "unknown key 'strct' (did you mean strict?)"),
        ("\n[[budget]]\ntoken = 3\n", ":3", "unknown key 'token' (did you mean tokens?)"),
        ('[[budget]]\ntokens = 1\n\n[[budget]]\nagent = "roo"\n', ":4", "a budget needs `tokens` or `share`"),
        ('[[budget]]\nfile = "a"\ntool = "b"\ntokens = 1\n', ":1", "only one of them"),
        ("[[budget]]\ntokens = -1\n", ":2", "greater than or equal to 0"),
        ("[[budget]]\nshare = 1.5\n", ":2", "less than or equal to 1"),
        ('[rules]\nsecrt = "off"\n', ":1", "there is no rule 'secrt': did you mean secret?"),
        ('[rules]\nsecret = "of"\n', ":2", "'off'"),
        ('[[ignore]]\npath = "a"\nrules = ["secrets"]\n', ":3", "did you mean secret?"),
        ("a = [\n", "", "not valid TOML"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, place: str, words: str) -> None:
    with pytest.raises(ScenarioError) as error:
        loaded(tmp_path, {".promptscope.toml": text})
    assert str(error.value).startswith(f"{tmp_path}/.promptscope.toml{place}: ")
    assert words in str(error.value)


def test_a_line_of_pyproject(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"pyproject\.toml:4: budgt: unknown key"):
        loaded(tmp_path, {"pyproject.toml": '[project]\nname = "x"\n[tool.promptscope]\nbudgt = 3\n'})


REPORT = CheckReport("/r", None, (Checked("roo", "3.28.16", "code", 8_605, 200_000),), ())


def test_initial_settings_are_valid_and_leave_room(tmp_path: Path) -> None:
    text = initial_settings(REPORT)
    budgets = loaded(tmp_path, {".promptscope.toml": text}).settings.budget
    assert [(budget.agent, budget.tokens) for budget in budgets] == [("roo", 9_500)]
    uncommented = "\n".join(
        line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in text.split("\n")
    )
    assert loaded(tmp_path, {".promptscope.toml": uncommented}).settings.strict  # what the comments offer is valid


def test_initial_settings_without_a_prompt_name_an_agent_to_go_by() -> None:
    assert '"claude-code"' in initial_settings(CheckReport("/r", None, (), ()))
    assert '"roo"' in initial_settings(REPORT)
    assert '"claude-code"' not in initial_settings(REPORT)


def test_only_exceeded_budgets_move_and_comments_stay() -> None:
    text = '# mine\n[[budget]]\nagent = "roo"\ntokens = 8_000 # tight\n[[budget]]\ntokens = 9000\n'
    settings = CheckSettings.model_validate({"budget": [{"agent": "roo", "tokens": 8_000}, {"tokens": 9_000}]})
    spent = (Spent(0, "the prompt", "roo", 8_605, 8_000), Spent(1, "the prompt", "roo", 9_000, 9_000))
    report = CheckReport("/r", None, (), (), spent)
    moved, changes = moved_budgets(text, settings, report)
    assert moved == text.replace("8_000", "9_500")
    assert changes == ("4: 8,000 → 9,500 tokens",)


def test_a_budget_that_is_not_on_a_line_of_its_own_is_left_alone() -> None:
    settings = CheckSettings.model_validate({"budget": [{"tokens": 1}, {"tokens": 2}]})
    for number, line, text in (
        (0, 1, "budget = [{ tokens = 1 }, { tokens = 2 }]\n"),
        (1, 4, "[[budget]]\ntokens = 1\n[[budget]]\ntokens = 2 # not tokens = 3\n"),
        (0, 1, "[[budget]]\ntokens = 1\n[[budget]]\ntokens = 2\n" + "#" * 1_000_000),  # no line is looked for
    ):
        report = CheckReport("/r", None, (), (), (Spent(number, "the prompt", "roo", 5, 1),))
        with pytest.raises(ScenarioError) as raised:
            moved_budgets(text, settings, report)
        assert str(raised.value) == f".promptscope.toml:{line}: budget {number + 1} is not on a line of its own"


@pytest.mark.parametrize(
    ("table", "key", "value", "is_valid"),
    [
        ("[[budget]]", "tokens", -1, False), ("[[budget]]", "tokens", 0, True), ("[[budget]]", "tokens", 1, True),
        ("[[budget]]", "share", -0.1, False), ("[[budget]]", "share", 0, True), ("[[budget]]", "share", 0.1, True),
        ("[[budget]]", "share", 1, True), ("[[budget]]", "share", 1.1, False),
        ("[growth]", "tokens", -1, False), ("[growth]", "tokens", 0, True), ("[growth]", "tokens", 1, True),
        ("[growth]", "percent", -0.1, False), ("[growth]", "percent", 0, True), ("[growth]", "percent", 0.1, True),
        ("[growth]", "percent", 200, True),
    ],
)  # fmt: skip
def test_what_a_limit_may_be(tmp_path: Path, table: str, key: str, value: float, is_valid: bool) -> None:
    against = 'against = "main"\n' if table == "[growth]" else ""
    files = {".promptscope.toml": f"{table}\n{against}{key} = {value}\n"}
    if is_valid:
        assert loaded(tmp_path, files).path
    else:
        with pytest.raises(ScenarioError, match=f":{2 + bool(against)}: .*{key}"):
            loaded(tmp_path, files)


@pytest.mark.parametrize(
    ("given", "is_valid"),
    [
        ("", True),
        ('section = "a"', True),
        ('file = "a"', True),
        ('tool = "a"', True),
        ('section = "a"\nfile = "a"', False),
        ('section = "a"\ntool = "a"', False),
    ],
)
def test_a_budget_is_for_one_thing(tmp_path: Path, given: str, is_valid: bool) -> None:
    files = {".promptscope.toml": f"[[budget]]\ntokens = 1\nshare = 0.5\n{given}\n"}
    if is_valid:
        assert len(loaded(tmp_path, files).settings.budget) == 1
    else:
        with pytest.raises(ScenarioError, match="only one of them"):
            loaded(tmp_path, files)


def test_a_folder_in_the_file_s_place_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"\.promptscope\.toml: cannot be read: "):
        loaded(tmp_path, {".promptscope.toml/x": ""})


def test_the_table_in_pyproject_is_one_or_it_is_not_there(tmp_path: Path) -> None:
    assert loaded(tmp_path, {"pyproject.toml": "tool = 3\n"}).path is None
    with pytest.raises(ScenarioError, match=r"pyproject\.toml: \[tool\.promptscope\] is a table"):
        loaded(tmp_path, {"pyproject.toml": "[tool]\npromptscope = 3\n"})
