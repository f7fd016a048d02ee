"""`promptscope shell-completion`: the script with which a shell completes commands and options."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from promptscope_tui.output.stdout import put

_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command("shell-completion")
@click.argument("shell", type=click.Choice(list(_SHELLS)))
@click.pass_context
def shell_completion(ctx: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete promptscope's commands and options.

    \b
    Examples:
      eval "$(promptscope shell-completion bash)"      # in ~/.bashrc
      eval "$(promptscope shell-completion zsh)"       # in ~/.zshrc
      promptscope shell-completion fish > ~/.config/fish/completions/promptscope.fish
    """
    found = _SHELLS[shell](ctx.find_root().command, {}, "promptscope", "_PROMPTSCOPE_COMPLETE")
    # Not `found.source()`: for bash it starts a bash, to look at its version.
    put(found.source_template % found.source_vars())
