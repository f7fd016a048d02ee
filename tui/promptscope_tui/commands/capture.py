"""`promptscope capture`: record what an agent really sends."""

import asyncio
import errno
import os
import shlex
import shutil
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.registry import agent_ids, load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.captures.recipes import GENERIC, agent_name, command_line, is_one_shot, recipe_for, without_env
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.captured_scenario import with_values
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.table import BY_ID
from promptscope_tui.capturing.plan import TIMEOUT, Observing, Plan, announcement, nothing_came, overlay_of
from promptscope_tui.capturing.recording import Recording, record
from promptscope_tui.capturing.running import why_not, writable_folders
from promptscope_tui.learning.clients import Client, version_of
from promptscope_tui.learning.mod_runs import ModPlan, observer_for, plan_for, run_mods
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import put_shown
from promptscope_tui.settings.settings import read_settings
from promptscope_tui.text.words import runs
from promptscope_tui.views.capture.rows import request_line, verdict

from .captures import say_newer
from .import_ import keep
from .open import run_app
from .programs import say_ended, say_noted, say_run
from .table import command
from .verify import calibrate


class _Asked(Struct, frozen=True):
    """What to record, and how."""

    command: tuple[str, ...]
    agent: str | None
    to: str | None
    upstream: str | None
    port: int
    timeout: float | None
    keep_login: bool
    isolated: bool
    yes: bool

    def run(self) -> "_Run":
        """The run, and those that follow. Raises click.UsageError for what cannot be run."""
        (command, env), upstream, timeout = without_env(self.command, os.environ), self.upstream, self.timeout
        if command and shutil.which(command[0]) is None:
            there = Path(command[0]).exists()
            raise click.UsageError(f"{command[0]} is not a program" if there else f"no such command: {command[0]}")
        if upstream is not None and not upstream.startswith(("http://", "https://")):
            raise click.UsageError(f"--upstream takes an address like https://api.anthropic.com, not {upstream!r}")
        recipe = recipe_for(self.agent, command)
        try:
            overlay = overlay_of(recipe, command, str(Path.cwd()))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        agent = agent_name(self.agent, command)
        version = version_of(agent, command)
        plan = Plan(
            agent=self.agent,
            recipe=recipe,
            command=command,
            env=env,
            upstream=upstream,
            port=self.port,
            timeout=timeout if timeout is not None or not command else TIMEOUT,
            keep_login=self.keep_login,
            ends_itself=is_one_shot(recipe, command) or not sys.stdin.isatty(),
            overlay=overlay,
            isolated=_isolated(command, upstream) if self.isolated else (),
            version=version,
        )
        assembly = _assembled(agent, plan) if command else None
        if assembly is None:
            return _Run(plan)
        plan = replace(plan, programs=runs(assembly))
        observer = observer_for(agent, version, command) if self.isolated else None
        if observer is None:
            return _Run(plan, assembly)
        try:
            mods = plan_for(assembly, Client(command[0], version), plan.folder, env, observer.given(command))
        except ScenarioError:  # there are none whose work could be told
            mods = None
        observing = Observing(observer.words, observer.how.writes, mods.runs if mods else 0)
        return _Run(replace(plan, observing=observing), assembly, mods)


class _Run(Struct, frozen=True):
    """The recorded run, what is predicted for it, and the runs that tell what each mod does."""

    plan: Plan
    assembly: Assembly | None = None
    mods: ModPlan | None = None

    def finish(self, found: Recording) -> None:
        """What the observing mod noted in the run, and what each mod does: the other runs."""
        if self.assembly is None or self.plan.observing is None:
            return
        say_noted(found.observed, self.assembly)
        if self.mods is None:
            return
        try:
            say_run(run_mods(self.mods, partial(say_ended, self.mods)), self.assembly)
        except ScenarioError as error:
            exits.say(f"promptscope: what each mod does is not known: {error.message}")
        except OSError as error:
            exits.say(f"promptscope: what each mod does is not known: {error}")


@command("capture")
def capture(**options: Any) -> None:
    """Record the requests that an agent sends, as they are sent."""
    asked = _Asked(**options)
    run = asked.run()
    plan = run.plan
    if asked.to is not None and not Path(asked.to).absolute().parent.is_dir():
        raise click.UsageError(f"no such folder: {Path(asked.to).parent}")
    found = _recorded(plan, asked.yes)
    if found is None:
        exits.say("promptscope: nothing was run")
        raise click.exceptions.Exit(exits.CHECK_FAILED)
    path = _finish(found, plan, asked.to)
    run.finish(found)
    if not asked.yes and plan.command:
        _offer_learning(path, found.capture.header.agent)
        if _is_wanted():
            values = {"capture": str(path), "workspace": str(Path.cwd()), "env": dict(os.environ)}
            run_app(Scenario.model_validate(values), read_settings(bindings=BY_ID), captured=str(path))


def _isolated(command: tuple[str, ...], upstream: str | None) -> tuple[str, ...]:
    """The folders that COMMAND may write to without a trace."""
    if not command:
        raise click.UsageError("--isolated runs a COMMAND: what is started in another terminal writes as it likes")
    folders = writable_folders(Path.cwd(), os.environ)
    if reason := why_not(folders, offline=upstream is None):
        raise click.UsageError(f"--isolated is not possible here: {reason}")
    return folders


def _recorded(plan: Plan, yes: bool) -> Recording | None:
    def ready(url: str) -> bool:
        if not plan.command:
            put_shown(_to_paste(plan, url))
            exits.say(f"recording on {url}; ctrl-c ends it")
            return True
        exits.say("\n".join(announcement(plan, url)))
        if yes:
            return True
        exits.need_a_person("--yes runs the command without asking")
        return _asked("Run it?")

    def full() -> None:
        exits.say("promptscope: the size limit is reached: further requests are answered, and not recorded")

    try:
        return asyncio.run(record(plan, ready=ready, seen=lambda request: exits.say(request_line(request)), full=full))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise click.UsageError(f"port {plan.port} is taken") from None
        what = f"run {shlex.join(plan.command[:1])}" if plan.command else "record"
        raise click.UsageError(f"cannot {what}: {error.strerror or error}") from None


def _assembled(agent: str, plan: Plan) -> Assembly | None:
    """What is predicted for the run, with the hooks and mods that the agent runs, as far as its files tell."""
    if agent not in agent_ids():
        return None
    try:
        scenario = Scenario.model_validate({"agent": agent, "workspace": plan.folder, "env": dict(plan.env)})
        scenario = with_values(scenario, load_agent(agent).started_by(plan.command, ""))
        return assemble(scenario, cached_only=True)
    except ScenarioError:  # what it would say stops no capture
        return None


def _asked(question: str) -> bool:
    """The person's answer. Ctrl-c is a no at once: asyncio's own handler would wait for the answer."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return click.confirm(question, default=True, err=True)
    finally:
        signal.signal(signal.SIGINT, before)


def _to_paste(plan: Plan, url: str) -> str:
    """Lines for another terminal."""
    recipe = plan.recipe
    new = plan.environment(url)
    changed = {name: value for name, value in new.items() if plan.env.get(name) != value}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in sorted(changed.items())]
    lines += [f"unset {name}" for name in recipe.unset if name in plan.env and name not in new]
    if recipe.example:
        lines.append(shlex.join(command_line(recipe, url, shlex.split(recipe.example))))
    return "".join(f"{line}\n" for line in lines)


def _finish(found: Recording, plan: Plan, to: str | None) -> Path:
    """Save it, and say what came; where the main request is not in it, raises click's Exit."""
    capture = found.capture
    if found.ended == "time-out":
        exits.say(f"promptscope: no end after {plan.timeout:g} seconds: the command was ended (--timeout)")
    if capture.end.refused:
        hosts = ", ".join(f"{host} ({count})" for host, count in sorted(capture.end.refused.items()))
        exits.say(f"refused: {hosts}")
    if not capture.requests:
        hint = "" if plan.recipe is not GENERIC else "; --agent names a recipe"
        exits.say(f"promptscope: {nothing_came(plan, capture)}{hint}")
        raise click.exceptions.Exit(_failed(found, plan))
    path = keep(capture, to)
    exits.say(verdict(capture))
    say_newer([(capture.header.agent, capture.header.agent_version)])
    put_shown(f"{path}\n")
    if capture.main is None:
        exits.say("promptscope: no request to a model was among them")
        raise click.exceptions.Exit(_failed(found, plan))
    return path


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()


def _offer_learning(path: Path, agent: str | None) -> None:
    """Ask whether to learn from it, where a person can answer and the agent is one that is modelled."""
    if agent not in agent_ids() or not _can_ask():
        return
    if click.confirm("Learn the agent's wording from it, for this machine only?", default=False, err=True):
        click.get_current_context().invoke(calibrate, file=str(path))


def _is_wanted() -> bool:
    """Whether a person wants to see it. Where nobody can be asked, and on ctrl-c, not: it was recorded all the same."""
    if not _can_ask():
        return False
    try:
        return _asked("Open the comparison with the prediction?")
    except click.Abort:
        return False


def _failed(found: Recording, plan: Plan) -> int:
    stopped = found.ended == "interrupted" and bool(plan.command)
    return exits.INTERRUPTED if stopped else exits.CHECK_FAILED
