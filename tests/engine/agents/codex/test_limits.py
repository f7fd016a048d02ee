"""How much is read of what is there; each limit one below, at and one above."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptscope_engine.agents.codex.gather.agents_md import nested_files
from promptscope_engine.agents.codex.gather.beside_settings import approved_prefixes, roles
from promptscope_engine.agents.codex.gather.settings import Session

from .conftest import Codex, session_of

pytestmark = pytest.mark.slow

RULE = 'prefix_rule(pattern=["{}"])\n'
ROLE = 'name = "{}"\ndescription = "d"\ndeveloper_instructions = "x"\n'


@pytest.fixture
def session(place: Path) -> Session:
    return session_of(place)


def put(place: Path, name: str, text: str) -> None:
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    (place / name).write_text(text)


def prefixes(place: Path, session: Session) -> tuple[list[tuple[str, ...]], list[str]]:
    """What the rules of the place allow, and what is said of them."""
    said = len(session.diagnostics), len(session.refusals)
    found = approved_prefixes(session, [str(place)])
    new = [*session.diagnostics[said[0] :], *session.refusals[said[1] :]]
    return list(found), [each.message for each in new]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('prefix_rule(pattern=["git", "log"])', [("git", "log")]),
        ('prefix_rule(pattern=["git", ["log", "show"]], decision="allow")', [("git", "[log|show]")]),
        ('prefix_rule(pattern=[["a", "b"], "c"])', [("a", "c"), ("b", "c")]),
        ('prefix_rule(pattern=["b"])\nprefix_rule(pattern=["a"])\nprefix_rule(pattern=["b"])', [("a",), ("b",)]),
        ('prefix_rule(pattern=["long", "er"])\nprefix_rule(pattern=["longer"])', [("longer",), ("long", "er")]),
        ('prefix_rule(pattern=["a"], decision="prompt")', []),
        ('prefix_rule(pattern=["a"], decision="forbidden")', []),
        ('prefix_rule(["a"], "allow")', [("a",)]),
        ('prefix_rule(pattern=["a"], match=["a b", ["a"]], not_match=["b"], justification="why")', [("a",)]),
        ('network_rule(host="x", protocol="https", decision="allow")\nhost_executable(name="a", paths=[])', []),
        ("'text'", []),
        ("", []),
    ],
)
def test_what_rules_allow(place: Path, session: Session, text: str, found: list[tuple[str, ...]]) -> None:
    put(place, "rules/a.rules", text)
    assert prefixes(place, session) == (found, [])


@pytest.mark.parametrize(
    "text",
    [
        "prefix_rule(", "\0", "text", "\ufeff", 'other_rule(pattern=["a"])', 'load("x", "y")', "import x",
        "prefix_rule(pattern=[f()])", "prefix_rule(pattern=[])", 'prefix_rule(pattern="a")', "prefix_rule(pattern=[1])",
        "prefix_rule(pattern=[[]])", 'prefix_rule(decision="allow")', 'prefix_rule(pattern=["a"], decision="no")',
        'prefix_rule(pattern=["a"], other=1)', 'prefix_rule(pattern=["a"], match=["b"])',
        'prefix_rule(pattern=["a"], not_match=["a b"])', 'prefix_rule(pattern=["a"], justification=" ")',
        "(" * 10_000, f"prefix_rule(pattern={'[' * 300}{']' * 300})", f"prefix_rule(pattern=[{'1' * 5_000}])",
    ],
)  # fmt: skip
def test_rules_that_fail_stop_the_start(place: Path, session: Session, text: str) -> None:
    """[0.169.0]"""
    put(place, "rules/a.rules", text)
    put(place, "rules/b.rules", RULE.format("ls"))
    found, said = prefixes(place, session)
    assert found == [("ls",)]
    assert [m.startswith("Codex does not start: its rules fail: ") and len(m) <= 300 for m in said] == [True]


@pytest.mark.parametrize(
    "text",
    [
        'x = ["a"]\nprefix_rule(pattern=x)', "def f():\n    pass\nf()", 'for x in ["a"]:\n    prefix_rule(pattern=[x])',
        "prefix_rule(pattern={[]: 1})", "prefix_rule(**{[]: 1})", 'x = prefix_rule(pattern=["a"])',
        'prefix_rule(pattern=["a"] + ["b"])',
    ],
)  # fmt: skip
def test_rules_that_are_programs_are_not_understood(place: Path, session: Session, text: str) -> None:
    """They may well be right, so they stop nothing."""
    put(place, "rules/a.rules", text)
    found, said = prefixes(place, session)
    assert not found
    assert [("here" in message, "start" in message) for message in said] == [(True, False)]


def test_linked_rules_are_not_read(codex: Codex, place: Path) -> None:
    codex({"shared/x": "prefix_rule(", "home/.codex/rules/ok.rules": RULE.format("ls")})
    (place / "home/.codex/rules/x.rules").symlink_to(place / "shared/x")
    answer = codex({})
    assert "agent-refuses" not in answer.codes
    assert "Codex reads no linked rules file" in answer.file("home/.codex/rules/x.rules").why.text


@pytest.mark.parametrize(("size", "is_read"), [(2**16 - 1, True), (2**16, True), (2**16 + 1, False)])
def test_so_long_a_file_of_rules_is_read(place: Path, session: Session, size: int, is_read: bool) -> None:
    put(place, "rules/a.rules", (RULE.format("ls") + "#").ljust(size, "x"))
    found, said = prefixes(place, session)
    assert (bool(found), bool(said)) == (is_read, not is_read)


@pytest.mark.parametrize("count", [99, 100, 101])
def test_so_many_files_of_rules_and_roles_are_read(place: Path, session: Session, count: int) -> None:
    for number in range(count):
        put(place, f"rules/{number:03}.rules", RULE.format(f"x{number}"))
        put(place, f"agents/{number:03}.toml", ROLE.format(f"x{number}"))
        put(place, f"rules/{number:03}.txt", "no rules")
    assert len(prefixes(place, session)[0]) == min(count, 100)
    found = roles(session, [str(place)])
    assert len(found) == min(count, 100)


def below(place: Path, session: Session) -> list[str]:
    """The files that are found below a folder."""
    nested_files(session, ["AGENTS.md"])
    return [file.path.removeprefix(f"{place}/") for file in session.files]


def test_nested_files_so_deep_are_pointed_out(place: Path, session: Session) -> None:
    for path in ("", "1/", "1/2/", "1/2/3/", "1/2/3/4/", "node_modules/x/", ".hidden/", "build/"):
        put(place, f"{path}AGENTS.md", "text")
    assert below(place, session) == ["1/AGENTS.md", "1/2/AGENTS.md", "1/2/3/AGENTS.md"]


@pytest.mark.parametrize("count", [19, 20, 21])
def test_so_many_nested_files_are_pointed_out(place: Path, session: Session, count: int) -> None:
    for number in range(count):
        put(place, f"workspace/{number:02}/AGENTS.md", "text")
    assert len(below(place, session)) == min(count, 20)


@pytest.mark.parametrize(("before", "is_found"), [(197, True), (198, True), (199, False)])
def test_so_many_folders_are_looked_into_for_nested_files(
    place: Path, session: Session, before: int, is_found: bool
) -> None:
    for number in range(before):
        (place / f"workspace/{number:03}").mkdir(parents=True)
    put(place, "workspace/z/AGENTS.md", "text")
    session.cwd = str(place / "workspace")
    nested_files(session, ["AGENTS.md"])
    assert bool(session.files) is is_found


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "starts in, so it never reads it"),
        (["a", "b"], "it and 1 more are below the folder"),
        (["a", "b", "c"], "it and 2 more are below"),
    ],
)
def test_nested_files_are_told_once(place: Path, session: Session, names: list[str], message: str) -> None:
    for name in names:
        put(place, f"workspace/{name}/AGENTS.md", "text")
    session.cwd = str(place / "workspace")
    nested_files(session, ["AGENTS.md"])
    (said,) = session.diagnostics
    assert message in said.message
    assert said.path == f"{place}/workspace/a/AGENTS.md"


@pytest.mark.parametrize(("size", "is_read"), [(499_999, True), (500_000, True), (500_001, False)])
def test_so_long_settings_are_read(codex: Codex, size: int, is_read: bool) -> None:
    answer = codex({"home/.codex/config.toml": 'developer_instructions = "x"\n#'.ljust(size, "x")})
    found = [(d.path, d.line) for d in answer.assembly.diagnostics if d.code == "agent-refuses"]
    assert found == ([] if is_read else [(f"{answer.place}/home/.codex/config.toml", 1)])


@pytest.mark.parametrize("content", ["{", "[]", '{"a": ' + "[" * 100_000, "\ufeff{"])
def test_hooks_that_cannot_be_read_are_told_at_their_first_line(codex: Codex, content: str) -> None:
    answer = codex({"home/.codex/hooks.json": content})
    assert [(d.path, d.line) for d in answer.assembly.diagnostics if d.code == "bad-hooks"] == [
        (f"{answer.place}/home/.codex/hooks.json", 1)
    ]


@pytest.mark.parametrize(("count", "said"), [(1_999, 0), (2_000, 0), (2_001, 1), (2_003, 1)])
def test_so_many_skills_are_looked_into(codex: Codex, count: int, said: int) -> None:
    roots = (".agents", ".codex")  # in each of them Codex looks into so many folders
    files: dict[str, str | bytes] = {f"home/{roots[n % 2]}/skills/{n:04}/SKILL.md": "x" for n in range(count)}
    answer = codex(files, settings={"skills": {"bundled": {"enabled": False}}})
    assert answer.codes.count("too-many-skills") == said
    assert answer.codes.count("skill-dropped") == min(count, 2_000)


def test_a_skill_that_the_prompt_names_is_sent_from_its_first_line(codex: Codex) -> None:
    answer = codex({"home/.agents/skills/x/SKILL.md": "---\nname: x\ndescription: d\n---\nBody.\n"}, prompt="use $x")
    origins = [
        (f.origin.start_line, f.origin.end_line)
        for s in answer.assembly.sections
        for f in s.fragments
        if f.origin.kind == "file" and str(f.origin.path).endswith("x/SKILL.md") and "Body." in f.text
    ]
    assert origins == [(1, 6)]


@pytest.mark.parametrize(("before", "is_found"), [(97, True), (98, True), (99, False)])
def test_so_many_folders_are_looked_into_for_roles(place: Path, session: Session, before: int, is_found: bool) -> None:
    """A hundred, with the one that they are in."""
    for number in range(before):
        (place / f"agents/{number:03}").mkdir(parents=True)
    put(place, "agents/z/r.toml", ROLE.format("r"))
    found = roles(session, [str(place)])
    assert bool(found) is is_found


@pytest.mark.parametrize(("dots", "is_refused"), [(19, False), (20, False), (21, True)])
def test_a_key_of_the_command_line_has_so_many_dots(codex: Codex, dots: int, is_refused: bool) -> None:
    answer = codex(args={"config": [f"a{'.a' * dots}=1"]})
    assert ("agent-refuses" in answer.codes) is is_refused
