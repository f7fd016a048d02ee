"""Our wording of plan mode's instructions (specs/claude-code.md 2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.tools.selection import any_offered
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, computed


def plan_mode(m: Materials) -> Iterator[Piece]:
    agents, exits = any_offered(m, "Agent"), any_offered(m, "ExitPlanMode")
    yield from lines("plan_mode", _START, between=" ")
    yield builtin("plan_mode.file", _FILE)
    yield computed("plan.folder", m.config_folder + "/plans/")
    yield builtin("plan_mode.file", _FILE_END)
    yield builtin("plan_mode.understand", _UNDERSTAND)
    yield from lines("plan_mode.understand", _EXPLORE, before="\n", when=agents)
    yield builtin("plan_mode.design", _DESIGN)
    yield from lines("plan_mode.design", _DESIGN_AGENTS, before="\n", when=agents)
    yield from lines("plan_mode", _END, before="\n\n", between="\n\n")
    yield from lines("plan_mode", _EXIT, before="\n\n", between="\n\n", when=exits)
    yield from lines("plan_mode", _NO_EXIT, before="\n\n", between="\n\n", when=~exits)
    yield builtin("plan_mode.ask", _ASK, when=gates.IS_100 | gates.INTERACTIVE)


_START = {
    "on": "Plan mode is on: nothing is to be carried out yet, because the user wants to see a plan first.",
    "read_only": "You MUST therefore leave everything as it is. Change no file, with one exception, the plan file that is named below; call no tool that does more than read; make no commits, install nothing and touch no configuration.",
    "precedence": "Where other instructions say something else, this one counts.",
    "meaning": "Reading, searching and asking are what this stage is for: the better the plan, the less will have to be done twice once it is carried out.",
}
_FILE = "\n\n## The plan file\n\nThere is no plan file yet. Write your plan with the Write tool to a new file in `"
_FILE_END = "`, under a short name of a few words that says what it is about. Let the plan grow there as you learn more, by writing to this file or editing it. It is the ONLY file that you may edit; apart from that you may take READ-ONLY actions and no others."
_UNDERSTAND = "\n\n## How to work\n\n### Phase 1: Understand\nAim: a thorough understanding of what the user wants, by reading code and by asking them questions. Look actively for functions, utilities and patterns that exist already and can be used again: propose nothing new where something suitable is at hand."
_EXPLORE = {
    "focus": "\n1. Concentrate on the request and on the code that it concerns.",
    "agents": "2. **Start up to 3 Explore agents IN PARALLEL** (one message, several calls) to search the codebase efficiently. In this phase use agents of the type Explore only.\n   - One agent is enough if the task keeps to files that are known, if the user named the paths, or if the change is small and well aimed.\n   - Several agents are right if the extent is uncertain, if more than one area of the code is concerned, or if you have to know existing patterns before you plan.\n   - What they find matters, not how many there are. 3 is the limit; most tasks need 1.\n   - With several agents give each a focus of its own. Example: one looks for implementations of the kind, one reads the components that take part, one examines how the tests are made.",
    "read": "3. Read the files that turn out to matter yourself. What an agent reports tells you where to look; it does not take the place of having looked.",
}
_DESIGN = "\n\n### Phase 2: Design\nAim: an approach to the implementation, from what the user intends and what you found in phase 1."
_DESIGN_AGENTS = {
    "agents": "\nStart Plan agents for it, 1 at most at the same time unless the task gains from several points of view.\n- By default start one for most tasks: it tests your understanding and thinks of alternatives. Skip it only with truly trivial ones (a typo, a single line, a simple renaming).",
    "prompt": "- In its prompt give it all that phase 1 has brought up, with file names and the paths that code takes; say what is required and what limits there are; ask for a detailed plan of implementation.",
    "compare": "- Where the task can be approached in ways that differ in kind, let the agent compare them by what they cost now, what they cost later and what they put at risk, and choose among them yourself: the plan has to be yours.",
}
_END = {
    "review": "### Phase 3: Review\nAim: plans that agree with what the user intends.\n1. Read the critical files that agents have named, to understand them better\n2. See that the plan serves the original request\n3. Clear up with AskUserQuestion what is still open",
    "final": "### Phase 4: The final plan\nAim: the final plan in the plan file (the only one you may edit).\n- Begin with a section **Context**: why the change is made, what problem or need it answers, what led to it, and what is to come of it\n- Put down the approach you recommend and not all the alternatives\n- Let it be short enough to take in at a glance, and detailed enough to be carried out\n- Name the paths of the critical files that will be changed\n- Refer to existing functions and utilities that are to be used again, with their paths\n- End with a section on verification: how the change is tested from end to end (running the code, MCP tools, tests)",
}
_EXIT = {
    "exit": "### Phase 5: Call ExitPlanMode\nAt the very end of your turn, when you have asked what you had to ask and are content with the plan file, call ExitPlanMode, always: it tells the user that you are done planning.\nThis is critical: your turn should end either with a question by AskUserQuestion or with a call of ExitPlanMode. Do not stop for any other reason than these 2.",
    "exit_only": '**Important:** AskUserQuestion is there ONLY for requirements and choices of approach, ExitPlanMode for having the plan approved. Do NOT ask for approval in another way, neither in text nor by AskUserQuestion. Phrases like "Is this plan okay?", "Shall I begin?" or "Any changes before we start?" MUST become a call of ExitPlanMode.',
}
_NO_EXIT = {
    "hand_over": "### Phase 5: Hand the plan over\nNobody can approve a plan in this session, and no tool leads out of plan mode. So end your turn with the plan: write it to the plan file first, then give its substance as your answer, with the path of the file, so that whoever reads the output can judge it and start the implementation in a session of their own.",
    "turn": "Until the plan is complete, do not end your turn: there is nobody who could tell you to go on.",
    "assumptions": "Questions cannot be answered here either. Where the request leaves something open, choose what seems most sensible, mark it in the plan as an assumption, and say what would change if it were wrong. Under no circumstances begin with the implementation, even if the plan seems beyond doubt to you.",
    "no_waiting": "Do not wait for an approval and do not announce that you will go on once it has been given.",
}
_ASK = "\n\nNOTE: Questions to the user are welcome at any point of this work; ask them with AskUserQuestion. Where you would have to guess at something that decides the direction, ask instead: a plan is ready when its facts were looked up and nothing important in it is left open."
