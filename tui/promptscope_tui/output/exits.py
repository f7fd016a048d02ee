"""stderr and the exit codes: nothing else writes to the one or decides the other.

The codes are a contract: 0 success · 1 a check failed · 2 wrong usage · 3 the prompt cannot be assembled (or
printed) · 4 the app met errors of its own and went on. A reader that closes the pipe is no error. Ctrl-c gives 130, as
in any shell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from traceback import format_exception
from typing import TYPE_CHECKING

import click

from promptscope_engine.inputs.errors import ScenarioError

from . import last_frame
from .stdout import harmless

if TYPE_CHECKING:
    from promptscope_engine.agents.description import Quirk
    from promptscope_engine.prompt.model import Diagnostic

OK = 0
CHECK_FAILED = 1
WRONG_USE = 2
CANNOT_ASSEMBLE = 3
OWN_ERRORS = 4
INTERRUPTED = 130


def say(message: str) -> None:
    """One message to stderr, escaped for a terminal: it may quote a file or a file's name."""
    last_frame.give_back()
    sys.stderr.write(harmless(message) + "\n")


def can_ask() -> bool:
    """Whether a person is there to answer: on stdin, and on stderr, where questions go."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def need_a_person(otherwise: str) -> None:
    """Raises click.UsageError where nobody can be asked; `otherwise` says what does without."""
    if not can_ask():
        raise click.UsageError(f"nobody can be asked here: {otherwise}")


def report(diagnostics: Iterable[Diagnostic], *, verbose: bool = False) -> None:
    """Each diagnostic as `path:line: severity: message`, as compilers print them, so that editors can jump.

    What is only information is there if it is asked for.
    """
    for diagnostic in diagnostics:
        if diagnostic.severity == "info" and not verbose:
            continue
        say(f"{diagnostic.place or 'promptscope'}: {diagnostic.severity}: {diagnostic.message}")


def report_quirks(found: Iterable[tuple[Quirk, str]]) -> None:
    """The slips of the agent itself that show in the prompt, each with what shows it."""
    for quirk, where in found:
        say(f"{where}: quirk: {quirk.says}")


def guard(run: Callable[[], object]) -> int:
    """Run a command; what it raises becomes a message and an exit code."""
    if sys.stderr is None:  # closed by anyone who started us
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        say("promptscope: cannot write the output: stdout is closed")
        return CANNOT_ASSEMBLE
    code = OK
    try:
        run()
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        code = done.exit_code
    except click.UsageError as error:
        say(f"promptscope: {error.format_message()}")
        if error.ctx is not None:
            say(f"try: {error.ctx.command_path} --help")
        code = WRONG_USE
    except BrokenPipeError:
        _abandon_stdout()
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except OSError as error:
        _abandon_stdout()
        say(f"promptscope: cannot write the output: {error.strerror or error}")
        code = CANNOT_ASSEMBLE
    except Exception as error:
        code = _failed(error)
    return code


def _failed(error: Exception) -> int:
    if isinstance(error, ScenarioError):
        say(f"promptscope: {error}")
    else:
        # Python's own exit code for this is 1, which says that a check failed.
        say("".join(format_exception(error)) + "promptscope: this is a bug in promptscope; please report it")
    return CANNOT_ASSEMBLE


def _abandon_stdout() -> None:
    """Point stdout at nothing: the interpreter flushes it once more at exit, and would complain."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except OSError:  # stdout is not a real file
        pass
