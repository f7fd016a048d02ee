"""When the model may ask for more than the sandbox lets it do, and who decides (specs/codex.md 6.2, 11.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from promptscope_engine.agents.codex.gates import INTERACTIVE
from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Lever, SettingSource

from .settings import Settings
from .trust import Level

Policy = Literal["on-request", "on-failure", "never", "granular", "untrusted"]


@frozen
class Approvals:
    """The conditions of the text on approvals; `policy` is what a session goes by, and `because` what decides that."""

    policy: Policy
    because: Condition
    gates: Mapping[str, Condition]


def approvals(params: CodexParams, settings: Settings, trust: Level | None, lite: Condition) -> Approvals:
    """`codex exec` never asks, whatever the policy says; only a reviewer changes that."""
    known = settings.known("approval_policy")
    policy, why, source = _policy(params, known, trust)

    def is_(*names: Policy) -> Condition:
        levers = [Lever("args.approval", name) for name in names if name in ("on-request", "on-failure", "never")]
        away = next(name for name in ("never", "on-request") if name not in names)
        fact = f"the approval policy is {policy}: {why}" if why else f"the approval policy is {policy}"
        fixed = params.args.bypassSandbox
        return Observed(
            "flag", "approval_policy", policy in names, fact, fact, wanted=names[0], actual=policy,
            on=None if fixed or not levers else (levers[0],), off=None if fixed else (Lever("args.approval", away),),
            remedy="start without `args.bypassSandbox`" if fixed else f"set `approval_policy` to {names[0]}",
            source=source,
        )  # fmt: skip

    named = (params.args.approval or known.value) is not None and not params.args.bypassSandbox
    asked = INTERACTIVE | Observed(
        "flag", "approval_policy.given", named, "a policy is named", "no policy is named, and `codex exec` never asks",
        on=(Lever("args.approval", "on-request"),), remedy="set `approval_policy`",
    )  # fmt: skip
    reviewer = settings.text("approvals_reviewer").is_(
        "auto_review", "guardian_subagent", unset="user",
        yes="`approvals_reviewer` is {actual}", no="`approvals_reviewer` is {actual}",
    )  # fmt: skip
    for_me = flag("args.approveForMe", yes="--approve-for-me is given", no="--approve-for-me is not given")
    not_bypassed = ~flag("args.bypassSandbox", yes="nothing is asked without a sandbox", no="there is a sandbox")
    by_reviewer = for_me | (reviewer & asked & is_("on-request"))
    reviewed = not_bypassed & by_reviewer
    asks = INTERACTIVE & not_bypassed & is_("on-request", "on-failure") & ~by_reviewer
    is_asked = params.entry == "interactive"
    decides = f"the approval policy is {policy}" + (f": {why}" if why else "")
    by_policy = Observed("flag", "approval_policy", True, decides, decides, source=source)
    return Approvals(
        policy=policy if is_asked else "never",
        because=by_policy if is_asked else ~INTERACTIVE,
        gates={
            "reviewed": reviewed,
            "escalation": asks | (reviewed & ~lite),
            "granular": INTERACTIVE & not_bypassed & is_("granular") & ~by_reviewer,
            "asks_untrusted": INTERACTIVE & not_bypassed & is_("untrusted") & ~by_reviewer,
            "never": (~INTERACTIVE | is_("never")) & ~reviewed,
        },
    )


def _policy(params: CodexParams, known: Known[Json], trust: Level | None) -> tuple[Policy, str, SettingSource | None]:
    """The policy of an interactive session, and what decides it."""
    if params.args.bypassSandbox:
        return "never", "nothing is asked without a sandbox", None
    if params.args.approval is not None:
        return params.args.approval, "--ask-for-approval", None
    match known.value:
        case "on-request" | "on-failure" | "never" as named:
            return named, "", known.source
        case dict():
            return "granular", "each kind of request is switched by itself", known.source
    if trust == "untrusted":
        return "untrusted", "the project is untrusted", None
    return "on-request", "it is the default", None
