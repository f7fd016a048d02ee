"""An agent that a file defines, in the app: its switches, and the file edited while the app is open."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tui.support.roo_shop import ENVIRONMENT
from tests.tui.support.user import running

from promptscope_engine.inputs.scenario import Environment, Scenario
from promptscope_tui.views.controls.scenario import agent_options

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[3] / "examples" / "support"
FILE = "promptscope-agent.toml"


def own_at(folder: Path) -> Scenario:
    """The example, copied where it may be edited."""
    shutil.copytree(EXAMPLE, folder / "support")
    return Scenario(workspace=str(folder / "support"), home=str(folder), env={}, environment=Environment(**ENVIRONMENT))


async def test_the_definition_is_edited_while_the_app_is_open(tmp_path: Path) -> None:
    async with running(own_at(tmp_path)) as user:
        file = tmp_path / "support" / FILE
        valid = file.read_text("utf-8")
        await user.press("m", "down", "enter")
        first = (await user.settle()).assembly
        assert first is not None
        assert (first.agent, first.mode) == ("greenhouse", "email")

        memory = tmp_path / "support" / "tools" / "memory_search.md"
        for broken, place, says in (
            (file, "when = 'mode != \"triage\"'", "69:1: unknown key 'wenn'"),
            (memory, "when: memory", "2: unknown key `wenn`; did you mean `when`?"),
        ):
            before = broken.read_text("utf-8")
            now = await user.save(broken, before.replace(place, place.replace("when", "wenn")))
            assert f"{broken}:{says}" in str(now.error)
            assert now.assembly is first
            now = await user.save(broken, before)
            assert now.error is None
            first = now.assembly

        now = await user.save(file, valid.replace('"E-mail"', '"Post"'))
        assert now.error is None
        assert now.assembly is not None
        assert [mode.name for mode in now.assembly.modes] == ["Live chat", "Post", "Sorting the inbox"]

        now = await user.save(
            tmp_path / "support" / "sections" / "role.md", "---\ntitle: Who\n---\nYou water plants.\n"
        )
        assert now.assembly is not None
        assert now.assembly.sections[0].title == "Who"
        assert now.assembly.system_text.startswith("You water plants.\n\n# How you write")

        await user.save(file, valid.replace("[params.memory]", '[params.pots]\ndefault = "clay"\n\n[params.memory]'))
        assert user.app.main.snapshot.error is None
        user.session.set("pots", "glass")
        assert (await user.settle()).error is None


async def test_it_is_one_of_the_agents(tmp_path: Path) -> None:
    async with running(own_at(tmp_path)) as user:
        user.session.choose_agent("roo", "3.28.16")
        now = await user.settle()
        assert now.assembly is not None
        assert now.assembly.agent == "roo"
        found = [option.value for option in agent_options(now)]
        assert found[-1] == "greenhouse 2"
        user.session.choose_agent("greenhouse", "2")
        now = await user.settle()
        assert (now.error, now.assembly and now.assembly.agent) == (None, "greenhouse")
