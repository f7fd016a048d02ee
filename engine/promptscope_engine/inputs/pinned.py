"""A scenario of which nothing is left to the machine it runs on, so that two machines get the same prompt."""

from promptscope_engine.workspace.paths import absolute, has_drive

from .scenario import Environment, GitFacts, Scenario

NOWHERE = "/nonexistent"
"""A home folder that no machine has, as Debian names that of users without one."""

REPOSITORY = "/workspace"
"""Where the repository of a pinned scenario lies for the agent: prompts name the folder, and that takes tokens."""

PINNED = Environment.model_construct(
    os_name="Linux 6.1",
    os_type="Linux",
    os_version="6.1.0",
    platform="linux",
    arch="x64",
    shell="/bin/bash",
    hostname="host",
    timezone="UTC",
    date="2026-01-01T12:00:00+00:00",
    username="user",
    language="en",
    node="v22.12.0",
    git=GitFacts(),
)
"""The machine of a pinned scenario: a date, a system, a user, and a clean work tree on `main` without any commits."""


WINDOWS = {
    "os_name": "Windows 11",
    "os_type": "Windows_NT",
    "os_version": "10.0.26100",
    "platform": "win32",
    "arch": "x64",
    "shell": r"C:\Windows\System32\cmd.exe",
}
"""The facts of a machine whose folders are on drives, where the scenario does not give them."""


def with_system(scenario: Scenario) -> Scenario:
    """The scenario, with the facts of Windows where its folders are named as they are there."""
    named = (scenario.environment.workspace, scenario.home)
    if not any(path and has_drive(absolute(path)) for path in named):
        return scenario
    missing = {name: fact for name, fact in WINDOWS.items() if getattr(scenario.environment, name) is None}
    return scenario.model_copy(update={"environment": scenario.environment.model_copy(update=missing)})


def pinned(scenario: Scenario) -> Scenario:
    """The scenario with everything pinned that it does not say itself.

    That is the machine's facts, the variables, and a home and a managed folder with nothing in them.
    """
    scenario = with_system(scenario)
    given = {name: getattr(scenario.environment, name) for name in Environment.model_fields}
    facts = {name: value for name, value in given.items() if value is not None}
    return scenario.model_copy(
        update={
            "home": scenario.home or NOWHERE,
            "managed": scenario.managed or f"{NOWHERE}/managed",
            "env": scenario.env or {},
            "environment": PINNED.model_copy(update=facts),
        }
    )
