"""What is done to the scenario as a whole: choosing agent, mode and model, undoing, saving, loading."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from textual.containers import Vertical
from textual.worker import get_current_worker

from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import load_scenario
from promptscope_engine.learned import Learned
from promptscope_engine.prompt.conditions import show
from promptscope_tui.session.folders import agents_here, situated
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.models import model_costs, models_of
from promptscope_tui.session.saving import named, pinned, question, save_scenario, scenario_path
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.versions import how_known, known_versions
from promptscope_tui.text.spans import Span, signed
from promptscope_tui.text.words import home_short, many, number, only
from promptscope_tui.widgets.messages import Noted, ask, in_thread
from promptscope_tui.widgets.picker import Option, Picker, PromptLine


class ScenarioActions(Vertical):
    """The base of Controls: actions on the session's scenario, each with a note on what it did."""

    def __init__(self, session: Session, state_folder: Callable[[], Path], *, id: str | None = None) -> None:
        """`state_folder` tells where scenarios are saved."""
        super().__init__(id=id)
        self._session, self._state_folder = session, state_folder
        self.inputs: AgentInputs | None = None
        self._confirmed: str | None = None
        """What was asked before saving; the same again is the answer yes."""

    def set(self, param: str, value: Json) -> None:
        """Set a value of the scenario, with a note."""
        self._note(f"{param} is {self.inputs.label(param, value) if self.inputs else show(value)}")
        self._session.set(param, value)

    def _note(self, words: str) -> None:
        self.post_message(Noted(words))

    def action_agent(self) -> None:
        """Choose the agent and its version."""
        assembly = self._session.snapshot.assembly
        options = list(agent_options(self._session.snapshot, self._session.learned))
        current = f"{assembly.agent} {assembly.shown_version}" if assembly else None
        ask(self.app, Picker("AGENT", options, current), self._take_agent)

    def _take_agent(self, chosen: str) -> None:
        agent, _, version = chosen.partition(" ")
        self._session.choose_agent(agent, version)
        self._note(f"the agent is {agent} {version}; u undoes it")

    def action_mode(self) -> None:
        """Choose the mode."""
        snapshot = self._session.snapshot
        assembly = snapshot.assembly
        if assembly is None:
            return
        options = []
        for mode in assembly.modes:
            effect = snapshot.effect("mode", mode.slug)
            right = signed(effect.tokens if effect else 0 if mode.slug == assembly.mode else None)
            limit = f"  edits {only(mode.edits_only)}" if mode.edits_only else ""
            options.append(Option(mode.slug, f"{mode.name}  {mode.source}{limit}", right))
        ask(self.app, Picker("MODE", options, assembly.mode, free=not options), partial(self.set, "mode"))

    def action_model(self) -> None:
        """Choose or type the model; what each would add is found out meanwhile."""
        session, shown = self._session, self._session.snapshot.assembly
        known, in_force = models_of(shown), shown.model if shown else None
        alias = next((name for name, about in known.items() if in_force in (name, about)), None)
        current = session.snapshot.scenario.model or alias
        names = dict.fromkeys([*([current] if current else []), *known])
        picker = Picker("MODEL", list(_model_options(names, known)), current, free=True)
        ask(self.app, picker, partial(self.set, "model"))

        def costs() -> dict[str, int | None]:
            worker = get_current_worker()
            return model_costs(session, names, lambda: worker.is_cancelled or not picker.is_running)

        def show(found: dict[str, int | None] | ScenarioError) -> None:
            if not isinstance(found, ScenarioError):
                picker.offer(list(_model_options(names, known, found)))

        in_thread(self, costs, show, group="models")

    def action_undo(self) -> None:
        """Undo the last change of the scenario."""
        self._note("undone" if self._session.snapshot.can_undo else "nothing to undo")
        self._session.undo()

    def action_redo(self) -> None:
        """Redo it."""
        self._note("redone" if self._session.snapshot.can_redo else "nothing to redo")
        self._session.redo()

    def action_reset(self) -> None:
        """Back to the first scenario."""
        differs = self._session.snapshot.can_reset
        self._note("back to the scenario at startup; u undoes it" if differs else "nothing to reset")
        self._session.reset()

    def action_save(self) -> None:
        """Save the scenario."""
        self._confirmed = None
        self.app.push_screen(PromptLine("SAVE THE SCENARIO AS", str(scenario_path(self._state_folder())), self._save))

    def _save(self, path: str) -> str | None:
        folder, now = self._state_folder(), self._session.snapshot
        try:
            target = named(path, folder)
            asked = question(target, folder)
            if asked and asked != self._confirmed:
                self._confirmed = asked
                return asked
            save_scenario(pinned(now.scenario, now.assembly), target)
        except OSError as error:
            return f"{path}: {error.strerror}"
        except (ValueError, RuntimeError) as error:  # what no path can hold, a name that is not UTF-8, an unknown home
            return str(error)
        self._note(f"saved {self._shown(target)}")
        return None

    def _shown(self, path: Path) -> str:
        assembly = self._session.snapshot.assembly
        return home_short(str(path), assembly.home) if assembly else str(path)

    def action_load(self) -> None:
        """Load a scenario."""
        self.app.push_screen(PromptLine("LOAD A SCENARIO", str(scenario_path(self._state_folder())), self._load))

    def _load(self, path: str) -> str | None:
        try:
            target = named(path, self._state_folder())
            found = target if target.exists() else Path(path)
            self._session.replace(load_scenario(found))
        except (ScenarioError, RuntimeError) as error:
            return str(error)
        self._note(f"loaded {self._shown(found)}; u undoes it")
        return None


def _model_options(
    names: Iterable[str], known: Mapping[str, str], costs: Mapping[str, int | None] = {}
) -> Iterator[Option]:
    """An option for each model with what its name stands for, and what it would add, as far as that is known."""
    for name in names:
        about, tokens = known.get(name, ""), costs.get(name)
        yield Option(name, about if about != name else "", Span("") if tokens is None else signed(tokens))


def agent_options(snapshot: Snapshot, learned: Learned | None = None) -> Iterator[Option]:
    """An option for each version of each agent; what is known of an agent is at the first of its versions."""
    here = {agent.id: agent for agent in agents_here(snapshot)}
    for agent in agents_for(situated(snapshot)):
        known = here.get(agent.id)
        for at, version in enumerate(reversed(known_versions(agent, learned))):
            first = at == 0
            files = f"{many(len(known.files), 'file') if known.files else 'no files'} here" if known else "…"
            own = "learned" if learned and (agent.id, version) in learned else ""
            about = (own, files) if first else (how_known(agent, version, learned),)
            detail = "  ".join(filter(None, (agent.name, *about)))
            tokens = known.tokens if known else None
            size = "does not start here" if tokens == 0 else f"≈{number(tokens)} tok"
            yield Option(f"{agent.id} {version}", detail, Span(size if first else "", "dim"))
