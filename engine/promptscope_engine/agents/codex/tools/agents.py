"""The tools for other agents, of both kinds (specs/codex.md 7.1, 7.2, 7.8)."""

from __future__ import annotations

from collections.abc import Sequence

from promptscope_engine.agents.codex.materials import Role
from promptscope_engine.formats.document import Json

from .schema import array, boolean, encrypted, number, parameters, record, string
from .text import ToolText

AGENTS = "Sub-agents"
NAMESPACE_TEXT = "Tools to start other agents and lead them."
"""What both namespaces say of themselves."""

_ITEM = record(
    {
        "audio_url": string("For `audio`: the address of the recording."),
        "image_url": string("For `image`: the address of the picture."),
        "name": string("For `skill` and `mention`: the name that is shown."),
        "path": string("For `local_image` and `skill`: the file. For `mention`: what is meant, as app://<id>."),
        "text": string("For `text`: what is said."),
        "type": string("What the part is: text, image, local_image, audio, skill or mention."),
    }
)
_ITEMS = array(
    _ITEM, "The message in parts, where it is more than a text. Give either these or `message`; `mention` names an app."
)

CLOSE_AGENT = ToolText(
    AGENTS,
    "Closes an agent and those that it has started, once nobody needs them any more; returns the state that it was in "
    "before it was asked to stop. An agent that is done stays open until it is closed, and open agents count against the "
    "limit. Do not close one that you will write to again.",
    parameters({"target": string("The id of the agent to close, as spawn_agent returned it.")}, ["target"]),
)
RESUME_AGENT = ToolText(
    AGENTS,
    "Opens an agent again that was closed, so that it can be written to and waited for.",
    parameters({"id": string("The id of the agent to open again.")}, ["id"]),
)
SEND_INPUT = ToolText(
    AGENTS,
    "Writes to an agent that exists. With `interrupt` it drops what it is doing and turns to the message at once. Prefer an "
    "agent that knows the matter already to a new one, if the task builds on its work.",
    parameters(
        {
            "interrupt": boolean(
                "Whether it drops what it is doing (`true`), or reads the message when it is done (default)."
            ),
            "items": _ITEMS,
            "message": string("The message, where it is a text alone. Give either this or `items`."),
            "target": string("The id of the agent to write to, as spawn_agent returned it."),
        },
        ["target"],
    ),
)
WAIT_AGENT_FIRST = ToolText(
    AGENTS,
    "Waits until one of the agents is done, and returns its state with its last message. Nothing is returned where none is "
    "done in time. Once an agent is done a notice of it arrives by itself, so wait only where you cannot go on.",
    parameters(
        {
            "targets": array(
                string(), "The ids of the agents. With several, the wait ends as soon as one of them is done."
            ),
            "timeout_ms": number(
                "How long to wait, in milliseconds: 30000 unless told otherwise, 10000 at least, 3600000 at most. Choose "
                "minutes over seconds, to avoid polling."
            ),
        },
        ["targets"],
    ),
)
SPAWN_AGENT_FIRST = ToolText(
    AGENTS,
    """\
Starts another agent for a task that is clear and can be done by itself, and returns its id, with a name for the user where there is one.

Agents are only to be started where the user, an AGENTS.md or a skill asks for it: for sub-agents, for delegating, for work in parallel. A request to be thorough, to look deep or to take one's time is no such request. Where none was made, do the work yourself, however large it is.

This can be used to split a long task, to look at several things at once, or to have something checked by someone who has not written it. An agent that you start knows nothing of this conversation unless you fork the context; it has the same folder, the same sandbox and the same tools as you, and so can touch the same files.

### What to keep, what to give away
- Before you start an agent, look at the task as a whole and plan it. Find out what has to be done first, because everything waits for it, and what can be done beside it.
- Keep what comes next to yourself, if the next step depends on it. Starting an agent and then waiting for it does not make anything faster.
- Give away what is bounded, what is useful, and what you can go on without for now: a question about the code base, a part of a change that touches other files, a check of what is done already.
- What is given away should be described so that it can be done without asking back: what is wanted, where to look, what must not be changed, and what the answer should contain.
- Do not give away what you are going to do at the same time. Two agents that look for the same thing are one too many.
- A task of a few minutes is done sooner than explained; keep it.
- If a task is too vague to be described in a few sentences, it is too vague to be given away.

### How to describe a task to an agent that changes code
- Say which files or modules are its own. It must not touch others, and no two agents should have the same ones.
- Tell it that it is not alone: other agents and the user work in the same folder. It must not undo what it did not do, and has to fit in with what others change meanwhile.
- Let it make the change itself in the files, and name in its answer what it has changed, so that you can look through it.
- Say how to check the work: which tests, which command, which output is right.

### After it was started
- Wait rarely. Go on with what you kept, and wait only when the next step needs what the agent finds.
- Do not redo what you have given away, not even in part, and do not read its files while it writes them.
- While you wait, do something that does not get in its way: prepare what comes after, look through what is there, write down what to check.
- When an agent is done, look at what it did before you build on it: read what it has changed, and run what shows that it works.
- Then take its work into yours, and say in the final answer what came of it, not who did what.
- Close agents that you need no longer.

### Several at once
- Where questions do not depend on one another, start the agents for them at the same time, in one go.
- Cut a change so that each agent has files of its own; what cannot be cut so is better done by one.
- For a check, start an agent with the change and the question, without telling it what you expect to be found.
- An agent that knows a matter already should be asked again about it, instead of a new one that has to read everything first.
- Do not start agents from agents unless you were told so: it gets hard to follow, and all of them count against one limit.

- Where one has to wait for the other, start the second when the first is done, with what it found; do not let it wait by itself.
- Name in each task what the others do, in a sentence, so that none of them does it, too.
- More agents than there are separate questions do not make the work quicker. Two or three are usual, and more than that should have a reason that could be told to the user.

### If something goes wrong
- An agent that says that it cannot go on is given what it lacks, or is closed; do not let it stand.
- One that comes back with something else than was asked for needed more to go on. Write to it once more with what is missing, instead of starting another with the same words.
- If two agents have changed the same place against the rule, sort it out yourself, by hand, and look at both changes in full.
- If the result of an agent cannot be checked, say in the answer that it was not.

### Forking the context
- With `fork_context` the agent is given this conversation so far. Do so where the task cannot be understood without it; an agent that is to judge with fresh eyes should not have it.
- An agent that is forked keeps your model and your effort: leave out `model` and `reasoning_effort` then.

### Model and effort
- Leave out `model` unless the user asks for one: an agent has yours then, which is right nearly always.
- These can be named: gpt-6.1-sol, gpt-6.1-terra, gpt-6-sol, gpt-6-luna, gpt-5.6-sol, gpt-5.6-terra, gpt-5.6-luna, gpt-5.5. Smaller ones are quick at searching and at small edits, larger ones better at what needs thought.
- Efforts are low, medium, high and xhigh. Leave out `reasoning_effort`, too, unless there is a reason.""",
    parameters(
        {
            "fork_context": boolean(
                "Whether the agent is given this conversation so far before it begins with the task."
            ),
            "items": _ITEMS,
            "message": string("The task, where it is a text alone. Give either this or `items`."),
            "model": string("Another model for the agent; left out it has yours. Only where the user asks for it."),
            "reasoning_effort": string("Another effort for the agent; left out it has yours."),
        }
    ),
)

FOLLOWUP_TASK = ToolText(
    AGENTS,
    "Gives a further task to an agent that exists, and sets it to work if it does not work already. What it knows from "
    "before it keeps. It may not be sent to `/root`. Use send_message for what need not be acted upon at once, as a note.",
    parameters(
        {
            "message": encrypted("The task, described so that it can be done without asking back."),
            "target": string("The agent, by the name of its task or its whole path."),
        },
        ["target", "message"],
    ),
)
INTERRUPT_AGENT = ToolText(
    AGENTS,
    "Stops the turn of an agent, if it has one, and returns the state that it was in. The agent stays, and further tasks "
    "can be given to it.",
    parameters({"target": string("The agent, by the name of its task or its whole path.")}, ["target"]),
)
LIST_AGENTS = ToolText(
    AGENTS,
    "Lists the agents of this tree that are there, all of them or those below a path.",
    parameters({"path_prefix": string("Only agents whose path begins with this one; left out, all of them.")}),
)
SEND_MESSAGE = ToolText(
    AGENTS,
    "Writes to an agent without setting it to work: it reads the message in its next turn, whenever that is.",
    parameters(
        {
            "message": encrypted("The message that the agent is given."),
            "target": string("The agent, by the name of its task or its whole path."),
        },
        ["target", "message"],
    ),
)
SPAWN_AGENT = ToolText(
    AGENTS,
    """\
Starts another agent for a task, and returns its path. A task that is called `task_name` gets the path of its starter with that name behind it: `/root/task_a` starts `/root/task_a/task_b`. By its path an agent is written to, asked again and interrupted.
The agent has the same folder, the same sandbox and the same tools as you. Its last message of a turn comes to you by itself; other messages come when it sends them.
`fork_turns` says how much of this conversation it is given: `none`, which is enough where the task is described in full, `all`, or the last turns by their number. With `all` it keeps your model and your effort, and both are to be left out.
Leave out `model` and `reasoning_effort` unless the user asks for them. These models can be named:
- gpt-6.1-sol: for most tasks, also long ones. Efforts: low (its own), medium, high, xhigh, max, ultra.
- gpt-6.1-terra: for long tasks that need a large window. Efforts: low (its own), medium, high, xhigh, max, ultra.
- gpt-6-sol: thinks longer before it acts. Efforts: low, medium (its own), high, xhigh, max, ultra.
- gpt-6-luna: quick, for small tasks. Efforts: low, medium (its own), high, xhigh, max, ultra.
- gpt-5.6-sol, gpt-5.6-terra: earlier ones. Efforts: low, medium, high, xhigh, max, ultra.
- gpt-5.6-luna, gpt-5.5: earlier and small. Efforts: low, medium (their own), high, xhigh.
A task that is given a name twice is the same agent; choose another name for another task. Names are short and say what is done, as check_links or port_parser. An agent begins at once, and the call does not wait for it. If it cannot be started, because there are too many or because the model is not known, the call says so, and nothing has happened.
Whether agents may be started at all, and when, is said elsewhere; the limit of agents that work at once holds for the whole tree. An agent that waits for a task does not count.""",
    parameters(
        {
            "agent_type": string("The kind of agent."),
            "fork_turns": string(
                'How much of this conversation it is given: "none", "all", or a number of turns as a text.'
            ),
            "message": encrypted("The task of the new agent, in plain words."),
            "model": string("Another model for it; left out it has yours. Only where the user asks for it."),
            "reasoning_effort": string(
                "Another effort for it; left out it has yours. Only where the user asks for it."
            ),
            "task_name": string("A name for the task: small letters, digits and underscores."),
        },
        ["task_name", "message"],
    ),
)
WAIT_AGENT = ToolText(
    AGENTS,
    "Waits until something arrives from another agent, be it a message or the notice that its turn is done, or until the "
    "time is over. It does not return what arrives: that stands in the conversation afterwards. Use it where nothing is left "
    "for you to do before; a short wait that is repeated again and again costs more than a long one that ends early by "
    "itself.",
    parameters({"timeout_ms": number("How long to wait, in milliseconds: from 10000 to 3600000.")}),
)

_OWN_ROLES = {
    "default": "The usual kind, for anything that none of the others fits.",
    "explorer": (
        "For questions about a code base that can be answered by reading, quickly and well founded.\n"
        "Ask it bounded and precise questions. Several of them may look for different things at once.\n"
        "Trust what it finds; do not look for the same once more yourself.\n"
        "Ask one again that knows the matter already, instead of starting another."
    ),
    "worker": (
        "For carrying out: a part of a feature, a fix, a change that goes through many files.\n"
        "Name the files that are its own, and tell it that others work in the same folder.\n"
        "It must not undo what others have done, and has to fit in with it.\n"
        "Let it say in the end which files it has changed, and how it has checked them."
    ),
}


def role_text(roles: Sequence[Role]) -> str:
    """What `agent_type` says: the user's own roles first; one that has the name of a built-in role replaces it."""
    own = [f"{role.name}: {{\n{role.description}\n}}" for role in roles]
    taken = {role.name for role in roles}
    fixed = [f"{name}: {{\n{text}\n}}" for name, text in _OWN_ROLES.items() if name not in taken]
    return "\n".join([_ROLES_INTRO, *own, *fixed])


_ROLES_INTRO = (
    "The kind of agent to start. Left out it is `default`. Each kind has a text of its own on what it is for, and some have "
    "settings of their own: a kind that names a model or an effort has these, whatever you say. An agent that is given this "
    "whole conversation (`fork_turns` is `all`) is always of your own kind, so leave it out then.\n"
    "Choose by what the task needs, not by its size: `explorer` to find out, `worker` to change, one of the user's own where "
    "its description fits. If the user names a kind, take that one. If none fits, leave it out.\n"
    "The kinds:"
)


def with_roles(schema: Json, roles: Sequence[Role]) -> Json:
    """The schema of spawn_agent with the roles that there are."""
    properties = {**schema["properties"], "agent_type": string(role_text(roles))}
    return {**schema, "properties": {name: properties[name] for name in sorted(properties)}}
