"""The entry point: `--version` is answered before anything is imported, everything else goes to `cli.py`."""

import gc
import sys


def main() -> None:
    """Run the command line and exit with its code (see exits.py)."""
    if sys.argv[1:] in (["--version"], ["-V"]) and sys.stdout is not None:
        from promptscope_engine import __version__  # imports nothing itself

        try:
            print(f"promptscope {__version__}", flush=True)  # noqa: T201 - the one line that must not cost an import
        except OSError:  # full, or nobody reads it: what follows says so
            pass
        else:
            return
    gc.set_threshold(100_000, 20, 50)  # modules and assemblies are many objects that stay: 10 % of a command
    from .output import last_frame

    last_frame.show(sys.argv[1:])
    try:
        from .cli import cli  # 23 ms: click
    except KeyboardInterrupt:
        sys.exit(130)
    cli()


if __name__ == "__main__":
    main()
