"""Links that lead out of the announced folders: the scenario's `outside_links` says whether they are followed."""

from __future__ import annotations

from promptscope_engine.prompt.conditions import ALWAYS, Condition, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Lever, Load
from promptscope_engine.workspace import Workspace


def followed(workspace: Workspace, path: str, follow: bool) -> Condition:
    """True unless a link takes the path out of the announced folders and is not followed."""
    real = workspace.leads_outside(path)
    if real is None:
        return ALWAYS
    return Observed(
        "flag",
        "outside_links",
        follow,
        f"a link leads to {real}, and such links are followed",
        f"a link leads to {real}, outside of the folders that may be read: not followed",
        wanted="follow",
        actual="follow" if follow else "refuse",
        on=(Lever("outside_links", "follow"),),
        off=(Lever("outside_links", "refuse"),),
    )


def refused(workspace: Workspace, path: str, kind: str, load: Load) -> FileDraft:
    """The row of a link that is not followed: nothing behind it was looked at."""
    why = followed(workspace, path, follow=False)
    return FileDraft(path, workspace.real_path(path), kind, load, why)
