"""What widgets request, and what is chosen in a list."""

from promptscope_tui.session.snapshot import (
    ApplyLevers,
    ChooseAgent,
    CompareWith,
    GoTo,
    InvokeSkill,
    NextEvent,
    OpenSource,
)
from promptscope_tui.views.subjects import ServerSubject

from .later import LaterControllers
from .navigation import Folders, Navigation
from .under_cursor import Editor


class Intents:
    """Carries them out, or hands them to the controller that does."""

    def __init__(self, screen: LaterControllers, navigation: Navigation, editor: Editor, folders: Folders) -> None:
        self._screen, self._navigation, self._editor, self._folders = screen, navigation, editor, folders

    def do(self, intent: object) -> None:
        """Do what a widget requests."""
        match intent:
            case ApplyLevers(levers):
                self._screen.note("set " + ", ".join(lever.param for lever in levers) + "; u undoes it")
                self._screen.session.apply(levers)
            case OpenSource(path, line):
                self._editor.open(path, line)
            case GoTo():
                self._navigation.go_to(intent)

    def choose(self, rows: object, key: object) -> None:
        """Do what was chosen in the welcome, or go to the place that a row is about."""
        match key:
            case _ if rows is self._screen.pages.welcome:
                self._folders.begin(key)
            case ServerSubject(name):
                self._screen.recordings.ask_server(name)
            case ChooseAgent(agent):
                self._screen.session.choose_agent(agent)
            case NextEvent():
                self._screen.pages.after.next_event()
            case InvokeSkill(name):
                self._screen.pages.after.invoke(name)
            case CompareWith(side):
                self._screen.overlays.compare_with_now(side)
            case _:
                self._navigation.jump(key)
