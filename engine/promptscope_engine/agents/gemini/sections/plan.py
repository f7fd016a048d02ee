"""`# Active Approval Mode: Plan`: what stands in place of the workflows while a plan is made (specs/gemini.md 3.1-3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.gates import INTERACTIVE
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.tools.selection import DISPLAY, in_plan_mode
from promptscope_engine.agents.gemini.wording import lines
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.drafts import Piece, SectionDraft, builtin, computed, guarded, label

from .part import part

HEADING = "# Active Approval Mode: Plan"


def plan(m: Materials) -> SectionDraft:
    """Stands where the workflows stand in the other modes."""
    pieces = _modern(m) if m.model.variant == "modern" else _legacy(m)
    return part(m, "plan", "Active Approval Mode: Plan", HEADING, pieces, m.gates.plan, switch="plan")


_START = "You are in **Plan Mode**: work out a plan, write it into the folder of plans ("
_START_INTERACTIVE = "), and have the user agree to it before any of it is done."
_START_HEADLESS = "), and hand it in with the tool for that; there is nobody to talk it over with."
_TOOLS = "Only these can be called while plan mode lasts:"
_RULES = {
    "read_only": "1. **Only Reading:** You are not able to change the project. What can be written are plans: Markdown files in the folder that is named above, and nothing outside of it. Calls that try something else are turned down, so do not try them.",
    "questions": "2. **Questions and Orders:** To a question, answer: look things up and explain them, and leave it at that. No plan is needed where the user only wants to know something. An order calls for a plan, however clear it may seem.",
    "efficiency": "3. **One Plan:** Keep to one file for each task, with a name that speaks (`faster-imports.md`). Change it as the plan grows; do not begin another one for every round.",
    "complete": "4. **For Somebody Else:** A plan is to be understood by somebody who has seen nothing but the plan. Name files, functions, commands; say what is changed in each of them, in which order, and how it will be checked. What was decided against belongs in there as well where it matters.",
    "size": "5. **No More Than Needed:** How much a plan has to say depends on the task. A small change takes a few lines, a new part of a system takes sections. Whatever does not help in carrying it out is left out.",
    "approval": '6. **Approval:** The `exit_plan_mode` tool is the only way to have a plan agreed on, and to get out of plan mode. Do not ask for approval in words, and neither end with "shall I go on?". Before you call it, the plan has to stand in its file.',
    "context": "7. **Instructions:** What the context files of the project and the user say about ways of working holds for plans, too; what speaks of carrying things out waits until then.",
    "questions_tool": "8. **Decisions of the User:** Where one is needed, the `ask_user` tool puts the question. Offer the ways that you see, with the one that you would take first, and what speaks for each.",
}
_EXPLORE = {
    "look": "Find out what the request is about, and how the parts of the project that it concerns work at present. Read the code and its tests, look for what has been done in a similar way before, and note what the change would touch. Have calls that do not depend on each other go out together. If there is a sub-agent that is made for that, let it do the reading.",
    "stop": "Go on until you could say what has to be changed and why, and no further. What you find to be unclear is noted for the next step; what the code answers is not asked.",
}
_CONSULT = {
    "depth": "How much there is to talk over depends on the task:",
    "simple": "- **Simple:** Where there is one obvious way, go to the draft at once.",
    "standard": "- **Usual:** Where there are two or three ways, name them with what they cost, and say which one you would take.",
    "complex": "- **Far-reaching:** Where structure, data or interfaces are at stake, or a choice could not be undone later on, lay the ways out in detail, with risks, and have the decision made before a draft is written.",
}
_CONSULT_INTERACTIVE = {
    "ask": "Put the question by means of `ask_user`, all open points at once, and wait for the answer. What the user has said once is not asked again. If the answer brings up something new, look into that before you go on.",
    "no_draft": "Do not write the draft while something of weight is open. A plan that rests on a guess has to be written twice.",
}
_CONSULT_HEADLESS = {
    "decide": "Decide by yourself, and note in the plan what you took for granted.",
}
_DRAFT = {
    "write": "Write the plan into a file in the folder of plans, in a form that fits the task:",
    "simple": "- **Simple:** a list of the **changes**, and how they are **verified**.",
    "standard": "- **Usual:** the **objective**, the **key files and their context**, the **steps**, and how they are **verified and tested**.",
    "complex": "- **Far-reaching:** the **background** and the reasons, the **scope** and what it will touch, the **solution** in detail, the **alternatives** that were weighed, the **phases** in which it is carried out, how each of them is **verified**, and how one gets back if it goes wrong.",
    "check": "Read it once more when it is finished: would somebody else be able to work from it? Is there a step of which it cannot be seen when it is done? Put that right before it is shown to anybody.",
}
_REVIEW = {
    "call": "Hand the plan in with the `exit_plan_mode` tool, naming its file. If it is approved, the work on it begins, in another mode and with other tools. If it is sent back, go by what was said about it: change the file, and hand it in again. Do not hand in a plan unchanged.",
}


def _modern(m: Materials) -> Iterator[Piece]:
    yield label(f"{HEADING}\n\n")
    yield builtin("plan.start", _START)
    yield from _folder(m)
    yield builtin("plan.start.interactive", _START_INTERACTIVE, when=INTERACTIVE)
    yield builtin("plan.start.headless", _START_HEADLESS, when=m.gates.headless)
    yield label("\n\n## Available Tools\n")
    yield builtin("plan.tools", _TOOLS)
    yield label("\n<available_tools>")
    yield from _tool_lines(m)
    yield label("\n</available_tools>\n\n## Rules\n")
    yield from lines("plan.rules", _RULES)
    yield label("\n\n## Planning Workflow\n")
    yield builtin(
        "plan.workflow", "Go through these steps in order, and back to an earlier one wherever something new turns up."
    )
    yield label("\n\n### 1. Explore & Analyze\n")
    yield from lines("plan.explore", _EXPLORE, between=" ")
    yield label("\n\n### 2. Consult\n")
    yield from lines("plan.consult", _CONSULT)
    yield from lines("plan.consult", _CONSULT_INTERACTIVE, before="\n", when=INTERACTIVE)
    yield from lines("plan.consult", _CONSULT_HEADLESS, before="\n", when=m.gates.headless)
    yield label("\n\n### 3. Draft\n")
    yield from lines("plan.draft", _DRAFT)
    yield label("\n\n### 4. Review & Approval\n")
    yield from lines("plan.review", _REVIEW)


def _folder(m: Materials) -> Iterator[Piece]:
    """The folder of plans relative to the workspace, with a slash at its end (3.3)."""
    yield label("`")
    yield computed("plans", f"{m.plans_shown}/")
    yield label("`")


def _tool_lines(m: Materials) -> Iterator[Piece]:
    """A line per active tool, sorted by what it is called on the screen."""
    rows = list(in_plan_mode(m))
    own = {tool.name: tool.own_name for tool in m.mcp_tools}
    titles = [f"{own[name]} ({server} MCP Server)" if server else DISPLAY[name] for name, server, _ in rows]
    for at in locale_order(titles):
        name, server, when = rows[at]
        yield from guarded(_tool_line(name, server), when)


def _tool_line(name: str, server: str) -> Iterator[Piece]:
    yield label("\n  <tool>`")
    yield computed("tool", name)
    yield label(f"` ({server})</tool>" if server else "`</tool>")


_LEGACY_START = "You are in **Plan Mode**. Nothing is carried out in it: the project is read, and out of that a plan is made that the user can agree to."
_LEGACY_TOOLS = "These tools are at your disposal while plan mode lasts. Others exist, but calling one of them fails, and it fails every time, whatever the reason for it may be:"
_LEGACY_STORAGE = "- A plan is a Markdown file (.md) in the folder "
_LEGACY_STORAGE_REST = ", the only place where anything can be written.\n- Name the file after what it is about (such as `login-by-mail.md`), and give it one section for each point below."
_LEGACY_PHASES = {
    "one": "**One phase after the other, and back if need be.** None of them is left out, and none begins before the one in front of it is finished.",
}
_PHASE_1 = {
    "read": "- Read the request closely: what is wanted, what is ruled out, what is left open.",
    "ask": "- For whatever is open and matters, put a question with the `ask_user` tool, and offer answers to pick from. Where the project itself has the answer, look there.",
}
_PHASE_2 = {
    "explore": "- Find the parts of the project that it concerns, and read them by means of the tools that are listed above.",
    "patterns": "- Note how things are done there, what could be used again, what depends on it, and which tests there are.",
    "nothing": "- Change nothing, and try nothing out. What only an attempt would show is named in the plan as a step that comes first.",
}
_PHASE_3 = {
    "design": "- Settle on an approach, and weigh it against the others. Write the plan only once you can give reasons for it.",
    "steps": "- The plan has to say which files change and how, in which order, and which commands show that it worked. It should be possible to carry it out step by step without asking.",
    "write": "- Write it into its file. Anything that is said in the conversation alone is no part of the plan.",
}
_PHASE_4 = {
    "present": "- Call `exit_plan_mode` with the name of the file. The user sees the plan, and approves of it or sends it back.",
    "iterate": "- If it comes back, change it as was asked, and hand it in once more. This goes on until it is approved.",
}
_LEGACY_CONSTRAINTS = {
    "read": "- Only what is listed above can be called, and only plans can be written.",
    "no_code": "- No code is changed in this mode, not even a little, and not even if asked: say that the plan has to be approved first.",
}


def _legacy(m: Materials) -> Iterator[Piece]:
    yield label(f"{HEADING}\n\n")
    yield builtin("plan.legacy.start", _LEGACY_START)
    yield label("\n\n## Available Tools\n")
    yield builtin("plan.legacy.tools", _LEGACY_TOOLS)
    yield from _tool_lines(m)
    yield label("\n\n## Plan Storage\n")
    yield builtin("plan.legacy.storage", _LEGACY_STORAGE)
    yield from _folder(m)
    yield builtin("plan.legacy.storage.rest", _LEGACY_STORAGE_REST)
    yield label("\n\n## Workflow Phases\n\n")
    yield from lines("plan.legacy.phases", _LEGACY_PHASES)
    yield label("\n\n### Phase 1: Requirements Understanding\n")
    yield from lines("plan.legacy.requirements", _PHASE_1)
    yield label("\n\n### Phase 2: Project Exploration\n")
    yield from lines("plan.legacy.exploration", _PHASE_2)
    yield label("\n\n### Phase 3: Design & Planning\n")
    yield from lines("plan.legacy.design", _PHASE_3)
    yield label("\n\n### Phase 4: Review & Approval\n")
    yield from lines("plan.legacy.review", _PHASE_4)
    yield label("\n\n## Constraints\n")
    yield from lines("plan.legacy.constraints", _LEGACY_CONSTRAINTS)
