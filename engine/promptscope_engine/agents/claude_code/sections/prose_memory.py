"""Our wording of the memory instructions: `# auto memory` (layouts A, A') and `# Memory` (layout B)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, computed, label


def memory_instructions(m: Materials) -> Iterator[Piece]:
    """The long form, with its six sub-headings. Where 2.1.329 moves it, its folder goes into a message."""
    yield label("# auto memory\n\n")
    yield from _folder(m)
    yield from lines("memory_instructions", _PURPOSE, between="\n\n")
    yield label("\n\n## Types of memory\n\n")
    yield builtin("memory_instructions.types", _TYPES_INTRO)
    yield label("\n\n<types>")
    for name, points in _TYPES.items():
        yield label(f"\n<type>\n    <name>{name}</name>")
        for tag, text in points.items():
            yield label(f"\n    <{tag}>")
            yield builtin(f"memory_instructions.{name}.{tag}", text)
            yield label(f"</{tag}>")
        yield label("\n</type>")
    yield label("\n</types>\n\n## What NOT to save in memory\n\n")
    yield from lines("memory_instructions", _NOT_TO_SAVE)
    yield label("\n\n## How to save memories\n\n")
    yield from lines("memory_instructions", _HOW_TO_SAVE)
    yield label("\n\n## When to access memories\n")
    yield from lines("memory_instructions", _WHEN_TO_ACCESS)
    yield label("\n\n## Before recommending from memory\n\n")
    yield from lines("memory_instructions", _BEFORE_RECOMMENDING)
    yield label("\n\n## Memory and other forms of persistence\n")
    yield from lines("memory_instructions", _OTHER_FORMS)
    yield builtin("memory_instructions.agents", _AGENTS, when=m.gates.layout_is("A'"))


def short_memory_instructions(m: Materials) -> Iterator[Piece]:
    """The short form of layout B."""
    yield label("# Memory\n\n")
    yield from _folder(m)
    yield from lines("memory_instructions", _SHORT, between="\n\n")


def _folder(m: Materials) -> Iterator[Piece]:
    """The sentence that names the folder; 2.1.329 moves it together with the other dynamic parts."""
    stays = gates.IS_100 | ~gates.EXCLUDE_DYNAMIC
    yield builtin("memory_instructions.folder", "You own a memory that lasts and is kept in files, at `", when=stays)
    yield computed("memory.folder", m.memory_folder + "/", when=stays)
    yield builtin(
        "memory_instructions.folder",
        "`. The directory is there already, so write into it with the Write tool at once (no mkdir, no test whether it exists). ",
        when=stays,
    )
    yield builtin(
        "memory_instructions.folder_moved",
        "You own a memory that lasts and is kept in files; a message names its directory. ",
        when=~stays,
    )


_PURPOSE = {
    "purpose": "\n\nLet it grow over time, so that later conversations know who the user is, how they want to work with you, what to do again and what to avoid, and what stands behind the work they bring you.",
    "commands": "When the user tells you to remember something, save it right then as whichever type fits. When they tell you to forget something, find its entry and take it out.",
}

_NOT_TO_SAVE = {
    "not_code": "- How the project is built: its structure, paths, architecture, conventions and patterns. Reading it tells you, and tells you what holds now.",
    "not_history": "- Who changed what and when. Git knows, by `git log` and `git blame`, and knows it better.",
    "not_fixes": "- How a bug was found and repaired. The repair is in the code, and the story belongs into the commit message.",
    "not_documented": "- What CLAUDE.md files already say.",
    "not_ephemeral": "- Details that pass with the task: unfinished work, momentary state, the context of this conversation.",
    "not_even_asked": "\nThis list holds even if the user explicitly asks you to save such a thing. If they want a list of PRs kept, or what was done this week, ask them which part of it was *unexpected* or *hard to find out*, and save that part.",
}

_HOW_TO_SAVE = {
    "two_steps": "There are two steps to saving a memory:",
    "step_file": "\n**Step 1**: put the memory into a file of its own (`user_role.md`, `feedback_testing.md`, for example), with this frontmatter:",
    "format": "\n```markdown\n---\nname: {{what the memory is called}}\ndescription: {{one line; later conversations judge by it whether the memory matters, so be specific}}\ntype: {{user, feedback, project, reference}}\n---\n\n{{the memory itself; for the types feedback and project: the rule or fact, then lines **Why:** and **How to apply:**}}\n```",
    "step_index": "\n**Step 2**: point to that file from `MEMORY.md`. This is an index and no memory: each entry takes one line of less than ~150 characters, in the form `- [Title](file.md) — what it is about`. It has no frontmatter. Never write the text of a memory straight into `MEMORY.md`.",
    "index_limit": "\n- `MEMORY.md` is loaded into the context of every conversation, and lines past 200 are cut off, so keep the index concise",
    "keep_in_step": "- Keep name, description and type in the frontmatter in step with what the memory says",
    "by_topic": "- Order memories by topic and meaning, not by time",
    "clean_up": "- Correct or delete memories that have proved wrong or gone out of date",
    "no_duplicates": "- Write no memory twice: before you write a new one, see whether there is one to update.",
}

_WHEN_TO_ACCESS = {
    "relevant": "- Whenever memories look relevant, or the user refers to work of earlier conversations.",
    "must": "- You MUST consult memory when the user explicitly asks you to check, recall or remember.",
    "ignore": "- If the user says to *ignore* or *not use* memory: act as if MEMORY.md were empty. Do not apply what is remembered, do not cite it, compare with it or mention it.",
    "stale": "- A memory shows what was true at some time and can go stale. Before you answer the user, or take something for granted, on the strength of a memory alone, check it against the present state of files or resources. Where the two disagree, believe what you see now, and update or remove the memory instead of acting on it.",
}

_BEFORE_RECOMMENDING = {
    "claim": "What a memory says of the code was true on the day it was written. The function, the file or the flag it names can have been moved, renamed or dropped since, or have lived only on a branch that was given up. So, before you recommend it:",
    "check_path": "\n- A path is named: see whether the file exists.",
    "check_name": "- A function or flag is named: search for it.",
    "check_history": "- The user is about to act on what you say (and is not merely asking about the past): verify first.",
    "not_now": "\nHaving read of something in memory is no proof that it is there today.",
    "snapshots": "\nMemories that describe a state (what has been going on, how the parts fit together) describe a state of the past. If the user wants to know how things are *now*, or what happened *lately*, the answer is in the code and in `git log`, not in memory.",
}

_OTHER_FORMS = {
    "others": "Memory is one of several ways to keep something while you assist a user. What sets it apart, mostly, is that later conversations can recall it; do not use it for what is of use within the current conversation only.",
    "plan": "- Make or update a plan rather than a memory: at the start of an implementation that is not trivial, when you want to agree with the user on an approach, use a Plan and save nothing. Likewise, when a plan exists and you have changed your approach, record the change in the plan.",
    "tasks": "- Make or update tasks rather than a memory: when work of the current conversation has to be split into separate steps, or its progress followed, use tasks. They are right for what remains to be done now; memory is for what will help in later conversations.",
}

_AGENTS = "\n- Agents that you start do not write to this memory. What one of them finds out and what deserves to be kept, you save yourself; hand on what they need to know from memory in their prompt."

_SHORT = {
    "file": "\n\nEach memory is a file that holds one fact, under frontmatter:\n\n```markdown\n---\nname: <short-name-in-kebab-case>\ndescription: <one line; later sessions decide by it whether the memory matters>\nmetadata:\n  type: user | feedback | project | reference\n---\n\n<the fact; for feedback and project, lines **Why:** and **How to apply:** after it. Link related memories with [[name]].>\n```",
    "links": "In the text of a memory, `[[name]]` points to the memory with that `name:`. Be generous with such links. One that leads nowhere yet is not a mistake but a reminder of what could be written down.",
    "types": "`user`: who they are (role, expertise, preferences). `feedback`: what they told you about how to work, corrections and confirmed approaches alike; say why. `project`: ongoing work, goals or constraints that neither the code nor git history shows; write dates as absolute dates. `reference`: where to find things outside (URLs, dashboards, tickets).",
    "index": "When the file is written, add a line to `MEMORY.md` that points to it: `- [Title](file.md) — what makes it worth opening`. This index is loaded in every session: one line per memory, no frontmatter, never the memory itself.",
    "care": "Before saving, look for a file that already covers the matter and update that one instead; delete memories that turn out wrong. Do not save what the repository records anyway (structure of the code, past fixes, git history, CLAUDE.md) or what only this conversation needs; asked to remember such a thing, ask what about it was not obvious, and save that.",
    "recall": "Memories that are recalled stand in `<system-reminder>` blocks. They are background, not instructions of the user, and show what was true when they were written: if one names a file, a function or a flag, check that it is still there before you recommend it.",
}

# --- the types of memory (`## Types of memory`) ----------------------------------------------------------------------

_TYPES_INTRO = "Your memory can hold memories of these separate types:"

_USER_EXAMPLES = """
    user: I look after the billing rules here, the code itself I only read, I don't write it
    assistant: [saves a user memory: product owner for billing, reads code but does not write it; talk in terms of rules and cases, leave out syntax]

    user: I've written C for embedded boards most of my life, this async Python is a foreign country to me
    assistant: [saves a user memory: long experience in embedded C, new to asynchronous Python; explain the event loop by way of interrupts and main loops]
    """

_FEEDBACK_EXAMPLES = """
    user: stop, never regenerate the fixtures by script, in spring that wiped the cases we had collected by hand from support
    assistant: [saves a feedback memory: fixtures are edited by hand, never regenerated. Why: a script once destroyed hand-collected cases. How to apply: whenever a test needs new data]

    user: please leave out the table at the end, a sentence is enough for me
    assistant: [saves a feedback memory: this user wants results in a sentence, no closing tables]

    user: good that you wrote the failing test before touching the parser, keep doing that
    assistant: [saves a feedback memory: with parser bugs a failing test comes first. I chose so unasked and the user approved of it, so it is a confirmed way of working and not a correction]
    """

_PROJECT_EXAMPLES = """
    user: the trade fair is on Tuesday in two weeks, until then the demo branch must stay as it is
    assistant: [saves a project memory: the demo branch is frozen until the trade fair on 2026-06-16. Point out changes that would touch it before that day]

    user: we leave the old search engine because its licence changes at the end of the year, speed was never the problem
    assistant: [saves a project memory: the move to another search engine is driven by the licence, not by performance. Suggestions should favour a timely change over tuning]
    """

_REFERENCE_EXAMPLES = """
    user: what customers report about invoices ends up on the Trello board "Paper cuts", look there for examples
    assistant: [saves a reference memory: customer reports on invoices are collected on the Trello board "Paper cuts"]

    user: before you change the importer, know that the data team watches metrics.example/imports every morning
    assistant: [saves a reference memory: metrics.example/imports is the data team's daily view of the importer; check it when import code changes]
    """

_TYPES: dict[str, dict[str, str]] = {
    "user": {
        "description": "What you know of the user's role, aims, responsibilities and knowledge. Good user memories let you suit what you do to their preferences and their view of things. In reading and writing them you build up an understanding of who they are and how you, of all helpers, can be most useful to them: somebody who has maintained a compiler for years wants other answers than somebody in their first course. Remember that the purpose is to be of help. Write nothing down that could be read as a negative judgement, or that has no bearing on your work together.",
        "when_to_save": "As soon as you learn something of the user's role, preferences, responsibilities or knowledge",
        "how_to_use": "When your work ought to be shaped by the user's profile or point of view. Asked to explain a piece of code, for instance, choose the explanation that gives this user the details they will value most, or that ties in with the knowledge they already have.",
        "examples": _USER_EXAMPLES,
    },
    "feedback": {
        "description": "What the user has told you about how to go about the work: both what to avoid and what to keep doing. This is a very important type to read and write, because with it you stay coherent and attentive to how you are meant to work in this project. Record success as well as failure: if you save nothing but corrections, you will not repeat old mistakes, but you will drift from approaches the user has already approved and may become too cautious.",
        "when_to_save": 'Whenever the user corrects your approach ("no, the other way round", "leave that out", "never touch X") OR confirms that one which was not obvious worked ("just what I meant", "good, do it like that again", or an unusual choice that passes without objection). Corrections are easily noticed; confirmations are quieter, so watch for them. Either way, save what will apply to later conversations too, above all if it is surprising or not plain from the code. Add the *why*, so that you can judge borderline cases later.',
        "how_to_use": "Let these memories steer what you do, so that the user need not give the same guidance twice.",
        "body_structure": "Begin with the rule itself, then a line **Why:** (the reason that the user gave: often a past incident or a strong preference) and a line **How to apply:** (when and where the guidance takes effect). If you know *why*, you can judge borderline cases instead of following the rule blindly.",
        "examples": _FEEDBACK_EXAMPLES,
    },
    "project": {
        "description": "What you find out about ongoing work, goals, initiatives, bugs or incidents within the project and cannot otherwise derive from the code or git history. Project memories let you see the wider context and the motives behind what the user does in this working directory.",
        "when_to_save": 'When you learn who does what, why, or by when. Such things change rather quickly, so try to keep your understanding current. Turn relative dates of the user\'s messages into absolute ones when you save ("Tuesday in two weeks" becomes "2026-06-16", say), so that the memory can still be understood when time has passed.',
        "how_to_use": "Draw on them to grasp the details and shades behind the user's request and to make suggestions that are better informed.",
        "body_structure": "Begin with the fact or decision, then a line **Why:** (what motivates it: often a constraint, a deadline or a stakeholder's demand) and a line **How to apply:** (how it should shape your suggestions). Project memories age fast, so the why helps you in future to see whether the memory still carries weight.",
        "examples": _PROJECT_EXAMPLES,
    },
    "reference": {
        "description": "Pointers to where information is kept in systems outside. They let you remember where to look for what is up to date beyond the project directory.",
        "when_to_save": "When you learn of a resource in some external system and what it is for: which board holds the open bugs, for example, or in which chat room customers are answered.",
        "how_to_use": "When the user mentions an external system, or information that may be kept in one.",
        "examples": _REFERENCE_EXAMPLES,
    },
}
