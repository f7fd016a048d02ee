"""Mods: which there are, in which order, what they hook, whether they load and why not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from promptscope_engine.insight.rewriting import rewriters
from promptscope_engine.prompt.model import Program

from .conftest import Project

_HOOK = "async ($, e, next) => next(e)"
_TRUST = '{"projects": {"%s": {"hasTrustDialogAccepted": true}}}'


def module(*events: str) -> str:
    lines = "".join(f"  on('{event}', {_HOOK})\n" for event in events)
    return f"export const register = (on) => {{\n{lines}}}\n"


def mod(folder: str, text: str, name: str = "", file: str = "register.js", **manifest: Any) -> dict[str, str]:
    named = {"name": name or folder.rpartition("/")[2], "version": "1.0.0", **manifest}
    return {
        f"{folder}/.claude-plugin/plugin.json": json.dumps(named),
        f"{folder}/hooks/hooks.json": json.dumps({"modules": [f"./{file}"]}),
        f"{folder}/hooks/{file}": text,
    }


def listed(project: Project, *folders: str, **more: Any) -> list[Program]:
    args = {"pluginDir": [str(project.root / folder) for folder in folders], **more.pop("args", {})}
    assembly = project.assemble("2.1.332", params={"args": args}, **more)
    return [each for each in assembly.programs if each.kind == "mod" and each.path]


def warned(project: Project, *folders: str, **more: Any) -> list[str]:
    args = {"pluginDir": [str(project.root / folder) for folder in folders], **more.pop("args", {})}
    assembly = project.assemble("2.1.332", params={"args": args}, **more)
    return [each.message for each in assembly.diagnostics if each.code == "mod"]


def test_a_mod_is_listed_with_its_events_and_warned_of(project: Project) -> None:
    project.write(mod("dropper", module("prompt.context", "session.end")))
    (found,) = listed(project, "dropper")
    assert (found.id, found.present, found.events, found.line) == (
        "dropper@inline",
        True,
        ("prompt.context", "session.end"),
        2,
    )
    assert found.path == str(project.root / "dropper/hooks/register.js")
    (said,) = warned(project, "dropper")
    assert '"dropper@inline"' in said
    assert "drop, rewrite or add instruction files" in said


def test_a_mod_that_does_not_shape_the_prompt_is_not_warned_of(project: Project) -> None:
    project.write(mod("calm", module("session.end", "tool.call")))
    assert listed(project, "calm")[0].present
    assert warned(project, "calm") == []


def test_the_outermost_comes_first(project: Project) -> None:
    project.write({"home/.claude.json": _TRUST % project.cwd})
    for folder in ("b", "a", "home/.claude/skills/h", "workspace/.claude/skills/p"):
        project.write(mod(folder, module("prompt.section")))
    found = listed(project, "b", "a")
    assert [each.id for each in found] == ["b@inline", "a@inline", "h@skills-dir", "p@skills-dir"]
    assert [each.order for each in found] == [1, 2, 3, 4]


def test_those_of_a_folder_of_skills_are_in_its_own_order_and_of_a_given_one_by_name(project: Project) -> None:
    names = ["c", "a", "d", "b"]
    for name in names:
        project.write(mod(f"home/.claude/skills/{name}", module("prompt.section")))
        project.write(mod(f"given/{name}{name}", module("prompt.section")))
    disk = [path.name for path in (project.root / "home/.claude/skills").iterdir()]
    found = [each.id.partition("@")[0] for each in listed(project, "given")]
    assert found == [*sorted(name * 2 for name in names), *disk]


def test_one_that_depends_on_another_is_outside(project: Project) -> None:
    project.write(mod("home/.claude/skills/a", module("prompt.section")))
    project.write(mod("home/.claude/skills/b", module("prompt.section"), dependencies=["a"]))
    assert [each.id for each in listed(project)] == ["b@skills-dir", "a@skills-dir"]


def test_a_chain_of_dependencies_goes_from_the_outside_in_across_sources(project: Project) -> None:
    skills = "home/.claude/skills"
    project.write(mod("d", module("prompt.section")) | mod(f"{skills}/a", module("prompt.section")))
    project.write(mod(f"{skills}/b", module("prompt.section"), dependencies=["a@skills-dir", "d@inline"]))
    project.write(mod(f"{skills}/c", module("prompt.section"), dependencies=[{"name": "b"}]))
    found = [each.id for each in listed(project, "d")]
    assert found == ["c@skills-dir", "b@skills-dir", "d@inline", "a@skills-dir"]


def test_mods_that_depend_on_each_other_keep_their_order(project: Project) -> None:
    project.write(mod("a", module("prompt.section"), dependencies=["b"]))
    project.write(mod("b", module("prompt.section"), dependencies=["a"]))
    assert [each.id for each in listed(project, "a", "b")] == ["a@inline", "b@inline"]


def test_the_user_may_put_a_mod_first(project: Project) -> None:
    project.write(mod("one", module("prompt.section")))
    project.write(mod("home/.claude/skills/h", module("prompt.section")))
    project.write({"home/.claude/settings.json": '{"prependPlugins": ["h@skills-dir"]}'})
    assert [each.id for each in listed(project, "one")] == ["h@skills-dir", "one@inline"]


def test_a_project_s_mod_needs_trust(project: Project) -> None:
    project.write(
        {"home/.claude.json": '{"numStartups": 1}', **mod("workspace/.claude/skills/p", module("prompt.context"))}
    )
    (found,) = listed(project, args={"print": True})
    assert not found.present
    assert "trust" in found.why.text
    assert warned(project, args={"print": True}) == []


def test_mods_above_and_below_the_start_folder_are_named(project: Project) -> None:
    project.git("init", "-q")
    project.write(mod("workspace/pkg/.claude/skills/low", module("prompt.context")))
    (found,) = listed(project)
    assert (found.id, found.present) == ("low@skills-dir", False)
    assert "start folder alone" in found.why.text


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("place", ["workspace/m", "elsewhere/m"])
def test_mods_of_folders_that_a_projects_settings_name_are_named(project: Project, name: str, place: str) -> None:
    project.write(mod(place, module("prompt.context")))
    env = {"CLAUDE_CODE_PLUGIN_DIRS": str(project.root / place)}
    project.write({f"workspace/.claude/{name}": json.dumps({"env": env})})
    (found,) = listed(project)
    assert (found.id, found.present) == ("m@inline", False)
    assert "`CLAUDE_CODE_PLUGIN_DIRS` of a project's settings doesn't count" in found.why.text


@pytest.mark.parametrize(
    ("settings", "args"),
    [
        ({"home/.claude/settings.json": {"disableAllHooks": True}}, {}),
        ({"workspace/.claude/settings.json": {"disableAllHooks": True}}, {}),
        ({"managed/managed-settings.json": {"allowManagedHooksOnly": True}}, {}),
        (
            {
                "managed/managed-settings.json": {
                    "pluginConfigs": {"cc-plugin-sec-default@builtin": {"options": {"allowManagedModsOnly": True}}}
                }
            },
            {},
        ),
        ({"home/.claude/settings.json": {"enabledPlugins": {"one@inline": False}}}, {}),
        ({}, {"bare": True}),
    ],
)
def test_switches_stop_mods(project: Project, settings: dict[str, Any], args: dict[str, Any]) -> None:
    project.write(mod("one", module("prompt.section")) | {path: json.dumps(said) for path, said in settings.items()})
    (found,) = listed(project, "one", args=args)
    assert not found.present
    assert warned(project, "one", args=args) == []


def test_a_guard_stands_first_on_a_managed_machine(project: Project) -> None:
    project.write(mod("one", module("prompt.context", "tool.describe")))
    project.write({"managed/managed-settings.json": '{"language": "french"}'})
    programs = project.assemble("2.1.332", params={"args": {"pluginDir": [str(project.root / "one")]}}).programs
    mods = [each for each in programs if each.kind == "mod"]
    assert [each.name for each in mods] == [
        "cc-plugin-sec-default@builtin",
        "one@inline",
        "cc-plugin-agents-md@builtin",
    ]
    (said,) = warned(project, "one")
    assert said.endswith("cc-plugin-sec-default@builtin keeps it from prompt.context")


def test_an_empty_list_of_what_comes_first_leaves_the_guard_out(project: Project) -> None:
    project.write(mod("one", module("prompt.context")))
    project.write({"managed/managed-settings.json": '{"prependPlugins": []}'})
    (said,) = warned(project, "one")
    assert "keeps it" not in said


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("export const register = (on => {\n", "does not end"),
        (module("prompt.nothing"), "prompt.nothing is not an event"),
        (module("prompt"), "prompt is not an event"),
        (module("classic.Nope"), "classic.Nope is not an event"),
        (module("prompt.context", "prompt.context"), "hooked twice without a matcher"),
        (f"const NAME = 'prompt.context'\nexport const register = (on) => {{ on(NAME, {_HOOK}) }}", "not a literal"),
        (
            f"const o = {{ f: {_HOOK} }}\nexport const register = (on) => {{ on('prompt.context', o.f) }}",
            "not a function",
        ),
        ("export const register = (on) => { on('prompt.context') }", "is missing"),
        (f"export default (on) => {{ on('prompt.context', {_HOOK}) }}", "exports no function `register`"),
        (f"export let register = (on) => {{ on('prompt.context', {_HOOK}) }}", "exports no function `register`"),
        (f"// {module('prompt.context').splitlines()[0]}", "exports no function `register`"),
        ("export { register } from './other.js'", "exports no function `register`"),
        (f"export const register = ({{ on }}) => {{ on('prompt.context', {_HOOK}) }}", "is not a plain name"),
        (
            f"export const register = (on) => {{ const o = on; o('prompt.context', {_HOOK}) }}",
            "only be called or passed",
        ),
        (module("turn.step"), "must be an async generator"),
        (f"const f = {_HOOK}\nexport const register = (on) => {{ on('process.spawn', f) }}", "must be an async"),
        *[
            (
                f"export const register = (on) => {{ on('{event}', async function* ($, e, next) {{}}) }}",
                "may not be an async",
            )
            for event in ("prompt.section", "turn.*", "*")
        ],
        ("export const register = (on) => { on('prompt.context', nobody) }", "not a function declared"),
        (f"let f = {_HOOK}\nexport const register = (on) => {{ on('prompt.context', f) }}", "not a function declared"),
        (
            "export const register = (on) => { on('prompt.context', async ({ fs }, e) => e) }",
            "takes first is not a plain",
        ),
        *[(module(event), "is not an event") for event in (" prompt.context", "*.context", "a.b.c", "prompt.con*")],
        (f"import fs from 'node:fs'\n{module('prompt.context')}", "not a file of its own"),
        (f"import {{ a }} from './none.js'\n{module('prompt.context')}", "is missing"),
        (f"const a = import('./register.js')\n{module('prompt.context')}", "imports while it runs"),
        (module("others.own"), "hooks others, which no other mod brings"),
        (module("others.*"), "hooks others, which no other mod brings"),
    ],
)
def test_what_the_client_refuses_does_not_load(project: Project, text: str, problem: str) -> None:
    project.write(mod("x", text))
    (found,) = listed(project, "x")
    assert (found.present, found.events) == (False, ())
    assert problem in found.why.text
    assert warned(project, "x") == []


@pytest.mark.parametrize(
    ("text", "events"),
    [
        (f"export function register(h) {{ h('prompt.context', {_HOOK}) }}", ("prompt.context",)),
        (f"const f = {_HOOK}\nexport const register = (on) => {{ on('prompt.context', f) }}", ("prompt.context",)),
        (module("prompt.*", "*"), ("prompt.*", "*")),
        (module("classic.SessionStart"), ("classic.SessionStart",)),
        (module("audio.play"), ("audio.play",)),
        (f"function go(h) {{ h('prompt.context', {_HOOK}) }}\nexport {{ go as register }}", ("prompt.context",)),
        (f"const register = (on) => {{ on(('prompt.context'), {_HOOK}) }}\nexport {{ register }}", ("prompt.context",)),
        (f"import type {{ T }} from './none.js'\n{module('prompt.context')}", ("prompt.context",)),
        (
            f"export const register = (on) => {{ on('prompt.section', {{name: 'a'}}, {_HOOK}); "
            f"on('prompt.section', {{name: 'b'}}, {_HOOK}) }}",
            ("prompt.section",),
        ),
        ("export const register = (on) => { on('turn.step', async function* ($, e, next) {}) }", ("turn.step",)),
    ],
)
def test_what_the_client_takes_loads(project: Project, text: str, events: tuple[str, ...]) -> None:
    project.write(mod("x", text))
    (found,) = listed(project, "x")
    assert (found.present, found.events) == (True, events)


def test_imported_files_are_read_too_and_circles_end(project: Project) -> None:
    text = (
        f"import {{ more }} from './part'\nexport const register = (on) => {{ more(on); on('tool.describe', {_HOOK}) }}"
    )
    part = f"import './register'\nexport const more = (on) => on('prompt.context', {_HOOK})"
    project.write(mod("x", text, file="register.ts") | {"x/hooks/part.ts": part})
    (found,) = listed(project, "x")
    assert {*found.events} == {"tool.describe", "prompt.context"}


def test_a_hook_may_be_imported(project: Project) -> None:
    text = "import { f } from './part.js'\nexport const register = (on) => { on('prompt.context', f) }"
    project.write(mod("x", text) | {"x/hooks/part.js": f"export const f = {_HOOK}"})
    (found,) = listed(project, "x")
    assert found.events == ("prompt.context",)


def test_of_two_plugins_of_one_name_the_first_one_s_mod_loads(project: Project) -> None:
    project.write(mod("one", module("prompt.context"), "twin") | mod("two", module("prompt.context"), "twin"))
    first, second = listed(project, "one", "two")
    assert (first.present, second.present) == (True, False)
    assert "another plugin is called twin" in second.why.text


def test_an_event_that_another_mod_brings_may_be_hooked(project: Project) -> None:
    project.write(mod("one", module("others.own")) | mod("two", f"// others\n{module('prompt.context')}"))
    assert [each.present for each in listed(project, "one", "two")] == [True, True]


def test_several_modules_a_missing_one_and_no_manifest(project: Project) -> None:
    files = mod("two", module("prompt.context")) | {"two/hooks/hooks.json": '{"modules": ["./register.js", "./b.js"]}'}
    project.write(files | {"gone/hooks/hooks.json": '{"modules": ["./register.js"]}'})
    project.write({"gone/.claude-plugin/plugin.json": '{"name": "gone"}'})
    project.write({"bare/hooks/hooks.json": '{"modules": ["./r.js"]}', "bare/hooks/r.js": module("prompt.context")})
    found = listed(project, "two", "gone", "bare")
    assert not any(each.present for each in found)
    assert warned(project, "two", "gone", "bare") == []


def test_two_files_of_hooks_with_a_module_each_are_several(project: Project) -> None:
    project.write(mod("two", module("prompt.context"), hooks="./more.json"))
    project.write({"two/more.json": '{"modules": ["./hooks/b.js"]}', "two/hooks/b.js": module("prompt.section")})
    found = listed(project, "two")
    assert [each.present for each in found] == [False, False]
    assert "several modules" in found[0].why.text


def test_a_module_of_five_megabytes_does_not_hold_up(project: Project) -> None:
    project.write(mod("big", module("prompt.context") + "//" + "x" * 5_000_000))
    (found,) = listed(project, "big")
    assert not found.present


def test_a_link_out_is_not_followed(project: Project) -> None:
    project.write(mod("home/.claude/skills/x", module("prompt.context")))
    outside = project.root / "elsewhere/outside.js"
    outside.parent.mkdir()
    outside.write_text(module("tool.describe"))
    link = project.root / "home/.claude/skills/x/hooks/register.js"
    link.unlink()
    link.symlink_to(outside)
    (found,) = listed(project, outside_links="refuse")
    assert (found.present, found.events) == (False, ())


def test_no_mod_is_ever_run(project: Project) -> None:
    witness = project.root / "ran"
    text = f"process.mainModule.require('fs').writeFileSync('{witness}', '')\n{module('prompt.context')}"
    project.write(mod("x", text))
    assert listed(project, "x")[0].present
    assert not witness.exists()


def rewritten(project: Project, folder: str, **more: Any) -> dict[str, list[str]]:
    """The sections, tools and kinds of files that mods may rewrite, each with the mods."""
    args = {"pluginDir": [str(project.root / folder)]}
    assembly = project.assemble("2.1.332", params={"args": args}, **more)
    things = {each.id: each for each in assembly.sections} | {each.name: each for each in assembly.tools}
    things |= {each.kind: each for each in assembly.files if each.present}
    return {name: [mod.id for mod in found] for name, each in things.items() if (found := rewriters(each, assembly))}


@pytest.mark.parametrize(
    ("event", "some", "others"),
    [
        ("prompt.section", ["intro", "environment"], ["billing", "identity", "prompt", "Bash", "claude-md"]),
        ("prompt.context", ["user_context", "claude-md"], ["intro", "prompt", "Bash"]),
        ("prompt.attachment", ["skills", "environment.facts"], ["intro", "prompt", "Bash"]),
        ("prompt.submit", ["prompt"], ["intro", "skills", "Bash", "claude-md"]),
        ("tool.describe", ["Bash"], ["intro", "prompt", "claude-md"]),
        ("prompt.*", ["intro", "prompt", "skills", "claude-md"], ["billing", "Bash"]),
        ("session.end", [], ["intro", "prompt", "Bash", "claude-md"]),
    ],
)
def test_the_parts_that_a_mod_may_rewrite_follow_from_its_events(
    project: Project, event: str, some: list[str], others: list[str]
) -> None:
    project.write({"workspace/CLAUDE.md": "Use tabs.\n", **mod("quiet", module(event))})
    found = rewritten(project, "quiet")
    assert {name: found.get(name) for name in some} == {name: ["quiet@inline"] for name in some}
    assert found.keys().isdisjoint(others)


def test_a_guard_leaves_a_persons_mod_the_tools(project: Project) -> None:
    project.write({"managed/managed-settings.json": '{"cleanupPeriodDays": 30}'})
    project.write({"workspace/CLAUDE.md": "Use tabs.\n", **mod("quiet", module("prompt.context", "tool.describe"))})
    found = rewritten(project, "quiet", managed=str(project.root / "managed"))
    assert "Bash" in found
    assert "claude-md" not in found


def test_nothing_may_be_rewritten_by_a_mod_that_does_not_load(project: Project) -> None:
    project.write(mod("quiet", "export const register = (on) => { on('prompt.section', "))
    assert rewritten(project, "quiet") == {}


def told(project: Project, *folders: str, model: str | None = None, **args: Any) -> list[str]:
    """The mods and events that the model is told were left out, in the order of the request."""
    given = {"print": True, "pluginDir": [str(project.root / folder) for folder in folders], **args}
    more = {"params": {"args": given}, "managed": str(project.root / "managed"), **({"model": model} if model else {})}
    sections = project.assemble("2.1.332", **more).sections
    named = (each.id.split(":") for each in sections if each.id.startswith("left_out_mod:") and each.present)
    return [f"{name} {event.removeprefix('prompt.')}" for _, name, event in named]


@pytest.mark.parametrize("model", [None, "claude-haiku-4-5"])
def test_a_notice_names_each_event_that_the_guard_keeps_from_a_mod(project: Project, model: str | None) -> None:
    events = ("prompt.section", "prompt.attachment", "prompt.compose", "prompt.context", "tool.describe")
    project.write(mod("a", module(*events)) | mod("b", module("prompt.context")))
    project.write({"managed/managed-settings.json": '{"language": "french"}'})
    assert told(project, "a", "b", model=model) == ["a context", "b context", "a compose", "a section"]
    assert told(project, "a", model=model, print=False) == ["a section", "a context", "a compose"]
    assert told(project, "a", model=model, systemPrompt="x") == ["a context", "a section"]


def test_without_managed_settings_no_mod_is_left_out(project: Project) -> None:
    project.write(mod("a", module("prompt.section")))
    assert told(project, "a") == []


def test_a_mod_on_every_event_has_a_notice_of_each_that_a_first_request_brings_about(project: Project) -> None:
    project.write(mod("a", module("*")) | {"managed/managed-settings.json": '{"language": "french"}'})
    assert told(project, "a") == [
        "a settings.read", "a classic.SessionStart", "a context", "a compose", "a section",
        "a classic.UserPromptSubmit", "a session.append",
    ]  # fmt: skip
