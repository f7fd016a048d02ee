"""The entry point: `--version` is answered before anything is imported, everything else goes to `cli.py`."""

import atexit
import gc
import os
import sys

from promptscope_engine import __version__  # imports nothing itself


def main() -> None:
    """Run the command line and exit with its code (see exits.py)."""
    if sys.argv[1:] in (["--version"], ["-V"]) and sys.stdout is not None:
        try:
            sys.stdout.write(f"promptscope {__version__}\n")
            sys.stdout.flush()
        except OSError:  # full, or closed: what follows says so
            pass
        else:
            return
    gc.set_threshold(2_000_000, 20, 50)  # modules and assemblies are many objects that stay: 10 % of a command
    from .output import last_frame  # 8 ms, which `--version` need not wait for

    last_frame.show(sys.argv[1:])
    try:
        from .cli import cli  # 23 ms: click
    except KeyboardInterrupt:
        sys.exit(130)
    cli()


def run() -> None:
    """`main` in a process of its own, which ends at once."""
    try:
        main()
    except SystemExit as ended:
        leave(ended.code)
        raise


def leave(code: object) -> None:
    """End the process at once: to take its modules and objects apart takes longer than to assemble a prompt.

    Whatever else Python does at an end is done here: exit handlers run, and what was printed is written. Returns where
    there is more to do: a thread that works on, or output that cannot be written.
    """
    threading = sys.modules.get("threading")
    others = [each for each in threading.enumerate() if each is not threading.main_thread()] if threading else []
    if not isinstance(code, int) or not all(thread.daemon for thread in others):
        return
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):  # full, or closed
        return
    os._exit(code)


if __name__ == "__main__":
    run()
