"""SYSTEM INFORMATION (specs/roo.md 1.6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, environment, label

from .part import section


@section("SYSTEM INFORMATION")
def system_information(materials: Materials) -> Iterator[Piece]:
    """Four facts of the machine and what the workspace directory means."""
    yield label("====\n\nSYSTEM INFORMATION\n\n")
    yield label("Operating System: ")
    yield environment("os_name", materials.inputs.environment.os_name or "")
    yield label("\nDefault Shell: ")
    yield environment("shell", materials.shell)
    yield label("\nHome Directory: ")
    yield environment("home", materials.inputs.home)
    yield label("\nCurrent Workspace Directory: ")
    yield environment("cwd", materials.inputs.workspace)
    yield builtin(
        "system_information.workspace",
        "\n\nThe Current Workspace Directory is the project directory that is open in VS Code at present, and so it is the place from which every tool operation starts unless you say otherwise. New terminals open in it; a `cd` inside a terminal changes that terminal's own working directory and leaves the workspace directory as it was, since you cannot move the workspace. With the user's first message you are given, in environment_details, a recursive list of all the file paths in the current workspace directory ('",
    )
    yield label("/test/path")  # a literal left in the agent's code where the workspace belongs (1.6)
    yield builtin(
        "system_information.workspace",
        "'). It is an overview of the project's file structure: names of directories and files show how the developers think of their code and arrange it, and extensions show which languages are in use. It can also guide you in choosing what to explore next. To look into a directory outside the workspace, for instance, call list_files; with 'true' for the recursive parameter it lists everything below, and without it only the top level, which is the better choice for places such as the Desktop, whose nested structure would tell you nothing that the task needs.",
    )
