"""Our wording of plan mode's instructions (specs/claude-code.md 2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.selection import any_offered
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label


def plan_mode(m: Materials) -> Iterator[Piece]:
    """ExitPlanMode and AskUserQuestion are named in headless sessions too, where 2.1.329 does not offer them."""
    agents = any_offered(m, "Agent") & ~m.gates.model_is("opus", (5, 0))  # told to start none unasked
    yield builtin("plan_mode.on", _ON)
    yield label("\n\n## Plan File Info:\n")
    yield builtin("plan_mode.file", _FILE)
    yield computed("plan.folder", m.config_folder + "/plans/")
    yield builtin("plan_mode.file", _FILE_END)
    yield label("\n\n## Plan Workflow\n\n### Phase 1: Initial Understanding\n")
    yield builtin("plan_mode.understand", _UNDERSTAND)
    yield builtin("plan_mode.understand_by", _UNDERSTAND_BY_AGENTS, when=agents)
    yield builtin("plan_mode.reuse", f"\n\n{_REUSE}")
    yield from lines("plan_mode.explore", _EXPLORE, before="\n\n", when=agents)
    yield builtin("plan_mode.explore_directly", f"\n\n{_EXPLORE_DIRECTLY}", when=~agents)
    yield label("\n\n### Phase 2: Design\n")
    yield from lines("plan_mode.design", _DESIGN, between="\n\n", when=agents)
    yield label("\n\n**Guidelines:**", when=agents)
    yield from lines("plan_mode.guidelines", _GUIDELINES, before="\n", when=agents)
    yield label("\n\nIn the agent prompt:", when=agents)
    yield builtin("plan_mode.design_directly", _DESIGN_DIRECTLY, when=~agents)
    yield from lines("plan_mode.design", _BRIEFING, before="\n")
    yield label("\n\n### Phase 3: Review\n")
    yield builtin("plan_mode.review", _REVIEW)
    yield builtin("plan_mode.review_files", f"\n{_REVIEW_FILES_100}", when=gates.IS_100)
    yield builtin("plan_mode.review_files", f"\n{_REVIEW_FILES_329}", when=gates.IS_329)
    yield from lines("plan_mode.review", _REVIEW_END, before="\n")
    yield label("\n\n### Phase 4: Final Plan\n")
    yield from lines("plan_mode.final", _FINAL)
    yield builtin("plan_mode.final_files", f"\n{_FINAL_FILES_100}", when=gates.IS_100)
    yield builtin("plan_mode.final_files", f"\n{_FINAL_FILES_329}", when=gates.IS_329)
    yield from lines("plan_mode.final", _FINAL_END, before="\n")
    yield label("\n\n### Phase 5: Call ExitPlanMode\n")
    yield from lines("plan_mode", _EXIT, between="\n\n")


_ON = "Plan mode is on, because the user wants to see a plan before anything is carried out. You MUST therefore leave everything as it is: edit no file (with one exception, the plan file that is named below), call no tool that does more than read, make no commits, install nothing and touch no configuration. Where other instructions say something else, this one counts."
_FILE = "There is no plan file yet. Write your plan with the Write tool to "
_FILE_END = "<three-random-words>.md. Let the plan grow there as you learn more, by writing to this file or editing it. It is the ONLY file that you may edit; apart from that you may take READ-ONLY actions and no others, in this phase as in all that follow."
_UNDERSTAND = (
    "Aim: to understand thoroughly what the user wants, by reading the code that it concerns and by asking questions."
)
_UNDERSTAND_BY_AGENTS = " Of all the types of agents, only Explore is to be used in this phase."
_REUSE = "1. Concentrate on the request and the code behind it. Look actively for functions, utilities and patterns that exist already and can be used again. Nothing new should be proposed in places where something suitable is at hand but went unnoticed."
_EXPLORE = {
    "agents": "2. **Start up to 3 Explore agents IN PARALLEL**, that is with several calls in one message, to search the code efficiently.",
    "one": "   - One agent is enough if the task keeps to files that are known, if the user named the paths, or if the change is small and well aimed.",
    "several": "   - Several agents are right if the extent is uncertain, if more than one area of the code is concerned, or if you have to know existing patterns before you plan.",
    "few": "   - What they find matters, not how many of them there are. 3 is the limit; try to do with fewer, and in most cases with 1.",
    "focus": "   - With several agents give each a focus of its own. Example: one looks for implementations of the kind, one reads the components that take part, one examines how the tests are made, so that no two of them read the same.",
}
_EXPLORE_DIRECTLY = "2. Do this exploration yourself, with the tools at hand for searching and for reading."
_DESIGN = {
    "aim": "Aim: a design of how it is to be done.",
    "agents": "Start Plan agents that work it out, from what the user intends and from what came to light while you explored in phase 1.",
    "limit": "There may be 1 agent at a time and no more.",
}
_GUIDELINES = {
    "default": "- **By default** start one for most tasks at least: it tests your understanding and thinks of alternatives you have missed.",
    "skip": "- **Do without** for truly trivial tasks only (a typo, a single line, one name that is changed).",
}
_DESIGN_DIRECTLY = (
    "Aim: an approach to the implementation, worked out from what the user intends and what you have found. It has"
)
_BRIEFING = {
    "background": "- to hold all the background that phase 1 has brought up, with file names and the paths that the code takes",
    "limits": "- to say what is required and what is not",
    "detail": "- to come to a detailed plan of the work",
}
_REVIEW = "Aim: to hold what has been planned against what the user intends and really asked for."
_REVIEW_FILES_100 = "1. Read the critical files that agents have named, to know them yourself"
_REVIEW_FILES_329 = "1. Read the critical files that were found along the way, so that you know them yourself"
_REVIEW_END = {
    "request": "2. See that everything planned serves the original request",
    "questions": "3. Clear up with AskUserQuestion whatever has been left open so far",
}
_FINAL = {
    "aim": "Aim: the final plan in the plan file (the only one that you may edit).",
    "context": "- Begin with a section **Context**: why the change is made, what problem or need it answers, what gave rise to it, and what the outcome is meant to be",
    "recommended": "- Put down the approach you recommend, not all the alternatives",
    "length": "- Let it be short enough to be taken in at a glance, and detailed enough for somebody to carry it out",
}
_FINAL_FILES_100 = "- Name the paths of the files that are critical"
_FINAL_FILES_329 = "- Name the critical files with their paths and say what happens in each. A change that is the same in many places need be described only once: state the pattern, with a few of the places as samples"
_FINAL_END = {
    "reuse": "- Refer to existing functions and utilities that are to be used again, together with their paths",
    "verification": "- End with a section on verification: how the change is tested from end to end (running the code, MCP tools, tests)",
}
_EXIT = {
    "exit": "When your questions have been asked and the plan file says what it has to say, the last thing you do is to call ExitPlanMode: by that, and by nothing else, the user learns that the planning is over. In plan mode a turn thus has 2 possible ends and no third: a question put by AskUserQuestion, or ExitPlanMode. Whatever else you come upon is no reason to stop.",
    "exit_only": '**Important:** AskUserQuestion is there ONLY for requirements and choices of approach, ExitPlanMode for having the plan approved. Do NOT ask for approval in another way, neither in text nor by AskUserQuestion. Wherever you are about to write something like "Do you agree with this?", "May I start now?" or "Anything you want changed first?", you MUST call ExitPlanMode in its place.',
    "ask": "NOTE: Questions to the user are welcome at any point of this work; ask them with AskUserQuestion. Where you would have to guess at something that decides the direction, ask instead: a plan is ready when its facts were looked up and the loose ends tied, and only then is it time to think of carrying it out.",
}
