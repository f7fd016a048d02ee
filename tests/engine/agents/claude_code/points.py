"""How long the bullets and paragraphs of the real prompt are, in order: characters without indentation, by section.

Recorded from the real client; `units` cuts our sections in the same way. Left out are the parts whose text is not
fixed: git's lines, names of tools and skills, the agents' descriptions.
"""

from __future__ import annotations

import re
from typing import Any

from .prompts import OPUS_55, SONNET_45, SONNET_46, V100, V329

Sizes = dict[str, tuple[int, ...]]

_LIST = re.compile(r"\s*(?:- |\d+\. )")
_OWN_LINE = re.compile(
    r"\s*(?:- |\d+\. |#{1,3} |</?(?:types?|name|description|when_to_save|how_to_use|body_structure|env)>"
    r"|</?system-reminder>|<examples>)"
)


def units(text: str) -> list[str]:
    """The bullets, paragraphs, headings and tag lines of a text, each without its indentation.

    A fenced block belongs to the line right before it; examples are one unit, with their tags.
    """
    found: list[list[str]] = []
    until, begins = "", True  # what ends the fence or the examples under way; whether a blank line came before
    for line in text.strip("\n").split("\n"):
        if until:
            found[-1].append(line)
            until = "" if line.strip() == until else until
            continue
        if not line.strip():
            begins = True
            continue
        if begins or _OWN_LINE.match(line) or _stands_alone(found[-1][0], line):
            found.append([line])
        else:
            found[-1].append(line)
        until = "```" if line.strip().startswith("```") else "</examples>" if line.strip() == "<examples>" else ""
        begins = False
    return ["\n".join(lines).strip() for lines in found]


def _stands_alone(before: str, line: str) -> bool:
    """Whether a line does not continue the unit above: a heading or a tag, or a bullet that is more indented."""
    return bool(re.match(r"\s*(?:#{1,3} |<)", before)) or (bool(_LIST.match(before)) and not line.startswith(" "))


# --- the system prompt ----------------------------------------------------------------------------------------------

_SECURITY, _PASTED, _PRONOUNS, _CARE, _PRIVACY = 459, 794, 357, 520, 424
_BANG, _SKILLS_329, _ACT, _GAMES, _TOKENS_LEFT = 257, 134, 277, 265, 49
_MEMORY_TYPES = (
    *(7, 6, 17, 716, 122, 377, 471, 7),
    *(6, 21, 479, 487, 128, 297, 834, 7),
    *(6, 20, 330, 339, 155, 329, 673, 7),
    *(6, 22, 213, 224, 118, 551, 7, 8),
)
_MEMORY_BEFORE = (13, 223, 253, 176, 18, 84, *_MEMORY_TYPES, 29, 137, 95, 98, 49, 90, 211, 23, 38, 122)
_MEMORY_AFTER = (
    *(264, 124, 89, 60, 65, 118),
    *(26, 78, 89, 132, 468),
    *(34, 188, 57, 54, 99, 61, 212),
    *(40, 305, 410, 395),
)
_MEMORY_SHORT = (8, 275, 309, 238, 379, 221, 624)
_TASK_HELP = (210, 83, 40, 101)
_RISKS = (69, 135, 193, 234, 209)
_DEDICATED_100 = (202, 59, 46, 75, 52, 64, 286)

A: Sizes = {
    "intro": (156, 675),
    "system": (8, 239, 415, 216, 182, 363, 190),
    "doing_tasks": (13, 490, 209, 187, 221, 192, 362, 256, 320, 287, 334, *_TASK_HELP),
    "executing_actions": (29, 1211, *_RISKS, 742),
    "using_tools": (18, *_DEDICATED_100, 279, 516),
    "tone_and_style": (16, 107, 45, 163, 149, 216),
    "session_guidance": (27, 100, 442, 113, 287, 307),
    "memory_instructions": (*_MEMORY_BEFORE, 312, *_MEMORY_AFTER),
    "environment": (13, 51, 42, 27, 17, 13, 33, 89, 44, 259, 146, 154),
    "tool_results_note": (157,),
    "user_context.closing": (147, 18),
}
A_INTERACTIVE: Sizes = {**A, "session_guidance": (27, 100, _BANG, 442, 113, 287, 307)}
A_STYLED: Sizes = {**A, "intro": (219, 675)}

_A_OLDER: Sizes = {
    "intro": (175, 675),
    "system": A["system"],
    "doing_tasks": (13, 490, 209, 288, 53, 256, 328, 287, 262, 280, 389, *_TASK_HELP),
    "executing_actions": (29, 1211, *_RISKS, 1493),
    "using_tools": (18, 110, 100, 516),
    "tone_and_style": (16, 107, 45, 163, 216),
    "text_output": (44, 360, 253, 219, 86, 94, 273, _PRONOUNS),
    "session_guidance": (27, 409, _SKILLS_329),
    "memory_instructions": (*_MEMORY_BEFORE, 373, 238, *_MEMORY_AFTER),
    "environment": (13, 277, 146, 178),
    "context_management": (20, 259),
    "closing": (_ACT,),
    "tokens_left": (_TOKENS_LEFT,),
}
_B: Sizes = {
    "intro": (97, _SECURITY),
    "harness": (9, 105, 124, 224, 135, 61),
    "notes": (_PRONOUNS, _CARE),
    "session_guidance": (27, _SKILLS_329),
    "memory_instructions": _MEMORY_SHORT,
    "environment": _A_OLDER["environment"],
    "context_management": _A_OLDER["context_management"],
    "closing": (_ACT,),
}

# --- the messages of 2.1.329 ----------------------------------------------------------------------------------------

_OPEN, _CLOSE = 17, 18
_FACTS = (13, 51, 42, 27, 17, 13, 33, 474, 66)
_ATTRIBUTION = (_OPEN, 353, 31, 55, 37, 62, _CLOSE)
_PLAN_BEFORE = (
    *(344, 18, 323, 16, 34),
    *(184, 243, 123, 136, 157, 125, 229),
    *(19, 40, 119, 44, 15, 123, 97, 20, 108, 39, 40, 19, 86),
)
_PLAN_AFTER = (63, 71, 23, 74, 152, 62, 105)
_PLAN_END = (99, 119, 30, 355, 375, 305)
_PLAN_100 = (_OPEN, *_PLAN_BEFORE, 76, *_PLAN_AFTER, 52, *_PLAN_END, _CLOSE)
_PLAN_329 = (*_PLAN_BEFORE, 89, *_PLAN_AFTER, 201, *_PLAN_END)
_PLAN_OPUS_5 = (
    *(344, 18, 323, 16, 34),
    *(113, 243, 87, 19, 109, 108, 39, 40, 19, 86, 89),
    *_PLAN_AFTER,
    201,
    *_PLAN_END,
)
_INSIGHTS = (11, 294, 230)
_EXPLANATORY = (27, 198, 255, 26, *_INSIGHTS)
_LEARNING = (
    *(24, 228, 187, 23),
    *(33, 118, 52, 47, 41, 265, 202),
    *(18, 254, 18, 65, 125, 69, 125),
    *(20, 27, 939, 29, 683, 22, 569, 23, 106, 11),
    *_INSIGHTS,
)
_PROACTIVE = (25, 179, 24, 60, 117, 113, 121, 132, 284, 290)


def _reminder(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return (_OPEN, *sizes, _CLOSE)


A_OLDER: Sizes = {
    **_A_OLDER,
    "environment.facts": _reminder(_FACTS),
    "environment.model": _reminder((140,)),
    "total_tokens": _reminder((_TOKENS_LEFT,)),
    "attribution": _ATTRIBUTION,
}
A_OLDER_QUIET: Sizes = {
    **A_OLDER,
    "system": (8, 239, 415, 216, 182, _PASTED, 363, 190),
    "text_output": (*_A_OLDER["text_output"], _PRIVACY),
}
A_OLDER_INTERACTIVE: Sizes = {
    **A_OLDER,
    "session_guidance": (27, _BANG, 490, _SKILLS_329),
    "auto_mode": _reminder((19, 443, 482)),
}
A_OLDER_EXCLUDED: Sizes = {
    **{name: sizes for name, sizes in A_OLDER.items() if name != "memory_instructions"},
    "session_guidance": (27, 409),
    "environment": (13, 277, 146),
    "memory_instructions.static": (13, 224, *_A_OLDER["memory_instructions"][2:]),
    "memory_instructions.folder": _reminder((13, 69, 116)),
}
B: Sizes = {
    **_B,
    "games": (_GAMES,),
    "environment.facts": _FACTS,
    "environment.model": (124,),
    "attribution": _ATTRIBUTION,
}
B_QUIET: Sizes = {
    **B,
    "harness": (9, 105, 124, 224, _PASTED, 135, 61),
    "notes": (_PRONOUNS, _CARE, _PRIVACY),
}
B_INTERACTIVE: Sizes = {**B, "session_guidance": (27, _BANG, _SKILLS_329), "auto_mode": (26, 451)}
B_EXCLUDED: Sizes = {
    **{name: sizes for name, sizes in B.items() if name not in ("session_guidance", "memory_instructions")},
    "environment": (13, 277, 146),
    "memory_instructions.moved": _reminder((*_MEMORY_SHORT, 116)),
}
HAIKU: Sizes = {
    **_B,
    "finishing": (302, 293, 792, 620, 775),
    "tokens_left": (_TOKENS_LEFT,),
    "total_tokens": (_TOKENS_LEFT,),
    "environment.model": (126,),
}
OPUS_48: Sizes = {**_B, "harness": (9, 105, 124, 166, 135, 61), "tokens_left": (_TOKENS_LEFT,)}
OPUS_5: Sizes = {
    **_B,
    "delivering_work": (17, 946, 371, 678),
    "corrections": (13, 895, 334, 112),
    "tokens_left": (_TOKENS_LEFT,),
    "environment.model": (119,),
}
_TALKING = (22, 340, 133, 255, 255, 116)
SONNET_5: Sizes = {**_A_OLDER, "using_tools": (18, 110, 516)}

# --- sub-agents -----------------------------------------------------------------------------------------------------

_NOTES = (6, 112, 274, 78, 156)
_NOTES_329 = (*_NOTES, 264)
_LAUNCHER = (336,)
_GENERAL = (402, 15, 73, 60, 67, 38, 11, 125, 111, 103, 143, 127)
_FORBIDDEN = (68, 47, 36, 39, 51, 67, 47)
_EXPLORE = (146, 128, *_FORBIDDEN, 144, 15, 43, 54, 37, 11)
_EXPLORE_END = (84, 94, 117, 125, 103, 80)
_PLAN = (139, 125, *_FORBIDDEN, 164, 115, 15, 133, 26, 54)
_PLAN_DESIGN_END = (23, 67, 49, 44, 23, 46, 38, 33, 18, 23, 37, 56, 18, 18, 18, 144)
_SURROUNDINGS = (68, 5, 123, 6, 87, 42)


def _subagent_100(prompt: tuple[int, ...], surroundings: tuple[int, ...] = _SURROUNDINGS) -> Sizes:
    return {"subagent_prompt": prompt, "subagent_notes": _NOTES, "subagent_environment": surroundings}


def _subagent_329(prompt: tuple[int, ...]) -> Sizes:
    return {"subagent_prompt": prompt, "subagent_launcher": _LAUNCHER, "subagent_notes": _NOTES_329}


_SUBAGENTS_100 = {
    "general-purpose": _subagent_100(_GENERAL),
    "Explore": _subagent_100((*_EXPLORE, 42, 49, 64, 99, 128, *_EXPLORE_END), (68, 5, 123, 6, 94, 44)),
    "Plan": _subagent_100((*_PLAN, 67, 37, 40, 35, 99, 128, *_PLAN_DESIGN_END)),
}
_SUBAGENTS_329 = {
    "general-purpose": _subagent_329((*_GENERAL, 145)),
    "Explore": _subagent_329((*_EXPLORE, 53, 60, 64, 105, 128, *_EXPLORE_END)),
    "Plan": _subagent_329((*_PLAN, 71, 37, 40, 35, 105, 128, *_PLAN_DESIGN_END)),
}

# --- the variants ---------------------------------------------------------------------------------------------------

_QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
_HEADLESS = {"args": {"print": True}}
_EXCLUDED = {"args": {"print": True, "excludeDynamicSystemPromptSections": True}}


def _styled(name: str) -> dict[str, Any]:
    return {**_HEADLESS, "settings": {"outputStyle": name}}


def _variant(version: str, model: str, params: dict[str, Any], sizes: Sizes, **more: Any) -> dict[str, Any]:
    return {"version": version, "model": model, "params": params, "sizes": sizes, **more}


VARIANTS: dict[str, dict[str, Any]] = {
    "2.1.100, headless": _variant(V100, SONNET_46, _HEADLESS, A),
    "2.1.100, interactive": _variant(V100, SONNET_46, {}, A_INTERACTIVE),
    "2.1.100, plan mode": _variant(V100, SONNET_46, _HEADLESS, {"plan_mode": _PLAN_100}, mode="plan"),
    "2.1.100, answers through a tool": _variant(
        V100, SONNET_46, _HEADLESS, {"talking": _TALKING}, env={"CLAUDE_CODE_BRIEF": "1"}
    ),
    "2.1.329, answers through a tool": _variant(
        V329, OPUS_55, _HEADLESS, {**B, "talking": _TALKING}, env={"CLAUDE_CODE_BRIEF": "1"}
    ),
    "2.1.100, language": _variant(
        V100, SONNET_46, {**_HEADLESS, "settings": {"language": "french"}}, {"language": (10, 177)}
    ),
    "2.1.100, Explanatory": _variant(
        V100,
        SONNET_46,
        _styled("Explanatory"),
        {**A_STYLED, "output_style": _EXPLANATORY, "output_style.reminder": _reminder((94,))},
    ),
    "2.1.100, Learning": _variant(
        V100,
        SONNET_46,
        _styled("Learning"),
        {**A_STYLED, "output_style": _LEARNING, "output_style.reminder": _reminder((91,))},
    ),
    "2.1.329, Sonnet 4.5": _variant(V329, SONNET_45, _HEADLESS, A_OLDER),
    "2.1.329, Sonnet 4.5, quiet": _variant(V329, SONNET_45, _HEADLESS, A_OLDER_QUIET, env=_QUIET),
    "2.1.329, Sonnet 4.5, interactive": _variant(V329, SONNET_45, {}, A_OLDER_INTERACTIVE),
    "2.1.329, Sonnet 4.5, dynamic sections excluded": _variant(V329, SONNET_45, _EXCLUDED, A_OLDER_EXCLUDED),
    "2.1.329": _variant(V329, OPUS_55, _HEADLESS, B),
    "2.1.329, quiet": _variant(V329, OPUS_55, _HEADLESS, B_QUIET, env=_QUIET),
    "2.1.329, interactive": _variant(V329, OPUS_55, {}, B_INTERACTIVE),
    "2.1.329, interactive, first-party host": _variant(
        V329, OPUS_55, {}, {**B_INTERACTIVE, "artifact": (965,)}, env={"ANTHROPIC_BASE_URL": ""}
    ),
    "2.1.329, dynamic sections excluded": _variant(V329, OPUS_55, _EXCLUDED, B_EXCLUDED),
    "2.1.329, plan mode": _variant(V329, OPUS_55, _HEADLESS, {**B, "plan_mode": _PLAN_329}, mode="plan"),
    "2.1.329, language": _variant(
        V329, OPUS_55, {**_HEADLESS, "settings": {"language": "french"}}, {"language": (10, 452)}
    ),
    "2.1.329, Explanatory": _variant(
        V329,
        OPUS_55,
        _styled("Explanatory"),
        {**B, "intro": (135, _SECURITY), "output_style": _EXPLANATORY, "output_style.reminder": (94,)},
    ),
    "2.1.329, Learning": _variant(
        V329, OPUS_55, _styled("Learning"), {"output_style": _LEARNING, "output_style.reminder": (91,)}
    ),
    "2.1.329, Proactive": _variant(
        V329, OPUS_55, _styled("Proactive"), {"output_style": _PROACTIVE, "output_style.reminder": (108,)}
    ),
    "2.1.329, Haiku 5.5": _variant(V329, "claude-haiku-5-5", _HEADLESS, HAIKU),
    "2.1.329, Opus 4.8": _variant(V329, "claude-opus-4-8", _HEADLESS, OPUS_48),
    "2.1.329, Opus 5": _variant(V329, "claude-opus-5", _HEADLESS, OPUS_5),
    "2.1.329, Opus 5, plan mode": _variant(V329, "claude-opus-5", _HEADLESS, {"plan_mode": _PLAN_OPUS_5}, mode="plan"),
    "2.1.329, Sonnet 5": _variant(V329, "claude-sonnet-5", _HEADLESS, SONNET_5),
    **{
        f"2.1.100, sub-agent {name}": _variant(V100, SONNET_46, {**_HEADLESS, "subagent": name}, sizes)
        for name, sizes in _SUBAGENTS_100.items()
    },
    **{
        f"2.1.329, sub-agent {name}": _variant(V329, OPUS_55, {**_HEADLESS, "subagent": name}, sizes)
        for name, sizes in _SUBAGENTS_329.items()
    },
}
LISTINGS: dict[str, tuple[int, int]] = {"deferred_tools": (248, 0), "agents": (41, 133), "skills": (63, 0)}
"""The lengths of what is before and behind the names of a listing, 0 for nothing (2.1.329)."""
GIT_NOTICES = {V100: 157, V329: 146}
"""In 2.1.100 with the key before it."""
GIT_NOTE = 173
"""What is behind git's lines in 2.1.329."""
