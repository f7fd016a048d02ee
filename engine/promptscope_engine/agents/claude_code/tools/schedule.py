"""Tools that do something later: CronCreate, CronDelete, CronList, ScheduleWakeup (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece

from .schema import NOTHING, ToolText, boolean, number, parameters, string


def _cron(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    yield from lines("tools.CronCreate", _CRON)
    yield from lines("tools.CronCreate", _CRON_329, before="\n\n", when=gates.IS_329)
    yield from lines("tools.CronCreate", _CRON_RUNTIME, before="\n\n")


_CRON = {
    "purpose": 'Puts a prompt into the queue at some future time: again and again on a cron schedule, or once at a certain moment.\n\nThe schedule is an ordinary cron expression of 5 fields in the user\'s local timezone: minute hour day-of-month month day-of-week. "30 7 * * *" means 7:30 in the morning where the user is; no conversion of timezones is needed. Ranges, lists and steps may be used as usual (1-5, 8,12,16, */15).',
    "once": '\n## One-shot tasks (recurring: false)\n\nFor requests like "remind me at X" or "at <time>, do Y": fire once, then delete.\nPin the minute, the hour, the day of month and the month:\n  "remind me this afternoon at a quarter to four of the call" → cron: "45 15 <day_of_today> <month_of_today> *", recurring: false\n  "tonight, start the backup" → cron: "12 22 <day_of_today> <month_of_today> *", recurring: false',
    "recurring": '\n## Recurring jobs (recurring: true, the default)\n\nFor requests like "every N minutes", "each hour", "on working days at 8":\n  "*/10 * * * *" (every 10 minutes), "0 * * * *" (on the hour), "0 8 * * 1-5" (working days at 8am local time)',
    "marks": '\n## Stay clear of minutes :00 and :30 where the task allows it\n\nRound times are where all jobs meet: who says "at 8" tends to be given `0 8`, who says "hourly" `0 *`, and at every full hour a wave of requests goes out to the API. If what the user wants is approximate, choose a minute that is NOT 0 or 30:\n  "each day around 8" → "53 7 * * *" or "4 8 * * *" (not "0 8 * * *")\n  "hourly" → "11 * * * *" (not "0 * * * *")\n  "in about half an hour, remind me" → take the minute you arrive at, without rounding',
    "exact": '\nMinute 0 or 30 is only for a user who names that very time and clearly means it ("at 8:00 sharp", "on the half hour", in step with a meeting). If in doubt, take some minutes earlier or later; it makes no difference to a reminder, but a great one to the load. When you tell the user what was scheduled, name the minute you chose, so that nobody is surprised by it.',
}
_CRON_329 = {
    "prompts": "## What to write into the prompt\n\nThe prompt arrives in this conversation as if it had been typed at that moment, possibly long after the matter was last spoken of and after older messages have been condensed. Let it stand on its own: what is to be done, on which files or services, and what the user wants to hear of it. A prompt may begin with a slash command.",
    "session": "\n## What a job may do\n\nA job acts with the permissions of the session in which it fires, and nobody may be there to answer. Let its prompt ask for what can be done without approval, and have it report whatever would need one. A job that finds nothing to report should say so in a line rather than at length. Look at CronList before you add a job that resembles one the user asked for earlier, and delete those that have served their purpose.",
}
_CRON_RUNTIME = {
    "session_only": "## For the session only\n\nJobs live in this Claude session alone. Nothing is written to disk, and when Claude exits the job is gone. Tell the user so if they seem to expect more of it, and point to cron of the operating system for things that must not be missed.",
    "runtime": "\n## How jobs run\n\nJobs fire only while the REPL is idle (never in the middle of a query). The scheduler adds a small, reproducible offset to your time: recurring jobs fire late by up to 10% of their period (15 min at most); one-shot jobs that fall on :00 or :30 fire early by up to 90 s. An off-minute is still the more effective choice.",
    "expiry": "\nRecurring jobs end by themselves after 7 days: they fire a last time and are deleted. That keeps sessions from running on forever. When you schedule a recurring job, tell the user about the 7 days.\n\nThe call returns the ID of the job, which CronDelete takes.",
}
CRON_CREATE = ToolText(
    _cron,
    parameters(
        {
            "cron": string(
                'Cron expression of the 5 ordinary fields in local time: "M H DoM Mon DoW" ("*/10 * * * *" = every 10 minutes, "45 15 20 11 *" = once, on Nov 20 at 3:45pm local).'
            ),
            "prompt": string("What is put into the queue each time it fires."),
            "recurring": boolean(
                "true (default) = fire whenever the cron expression matches, until deleted or expired after 7 days. false = fire once at the next match and delete the job. false is for one-shot requests that name a moment, with minute/hour/day/month pinned."
            ),
            "durable": boolean(
                "true = keep the job in .claude/scheduled_tasks.json so that it outlives restarts. false (default) = in memory only, gone when this Claude session ends. true only if the user wants the job to last across sessions."
            ),
        },
        "cron",
        "prompt",
    ),
)
CRON_DELETE = ToolText(
    fixed(
        "tools.CronDelete",
        {
            "purpose": "Cancels a cron job that was scheduled with CronCreate before. The job is taken out of this session's memory, where alone it is kept, and it does not fire again."
        },
    ),
    parameters({"id": string("ID of the job, as CronCreate returned it.")}, "id"),
)
CRON_LIST = ToolText(
    fixed(
        "tools.CronList",
        {
            "purpose": "Lists all the cron jobs of this session that were scheduled with CronCreate and are still to fire again."
        },
    ),
    NOTHING,
)

_WAKEUP = {
    "purpose": "Sets the moment at which your work is resumed in dynamic /loop mode, that is after the user has started /loop without an interval and left the pace to you.",
    "once": "\nEach call sets one wakeup; a later call in the same turn replaces the one before. When the user writes in the meantime, the conversation goes on at once, and the wakeup remains as it was set.",
    "not_polling": "\nDo NOT schedule a wakeup in order to look after work that the harness follows for you anyway: background commands, agents and workflows resume you when they are done. A wakeup is for what the harness cannot see (a CI run, a deployment, a queue somewhere else), and as a fallback in case a notice never comes. In the latter case let it be long, 1200s or more.",
    "prompt": "\nPass the prompt of the /loop unchanged as `prompt` every time, so that the next firing repeats the task and continues the loop. For an autonomous /loop (one that had no prompt of the user's) pass the literal sentinel `<<autonomous-loop-dynamic>>` instead; the runtime puts the instructions of the autonomous loop in its place when it fires. (There is a similar sentinel `<<autonomous-loop>>` for loops that run by CronCreate; do not mix the two up: ScheduleWakeup takes the `-dynamic` form.)",
    "end": "\nTo end the loop, make no further call. The loop is over when a turn ends with nothing scheduled. Say in your last message that you end it, and why.",
    "choosing": "\n## How to choose delaySeconds\n\nPrompt caches are kept for some minutes. If the next firing comes while the cache is alive, the conversation is read from it, quickly and cheaply; if it comes later, the whole conversation is read anew. So think of two ranges:",
    "short": '- **Up to about 270 s**: the cache is still warm. Right for something that is about to change: a build in its last stage, a process that has just been started, a page that answers with "try again".',
    "long": "- **From 1200 s upward**: you pay for one cold read and get a long wait in return. Right where nothing can have changed earlier, or where you are idle and only want to look in now and then. 1200-1800 s (20-30 min) is a good choice with no particular signal to go by.",
    "between": '- **Around 300 s** neither argument holds: the cache has just been lost, and little time has been won by it. If "in five minutes" comes to your mind, take 270 s or go to 1200 s and more.',
    "match": "\nChoose by what you wait for and how soon it can be there, not by what makes a round number. For a CI run that takes some 8 minutes, one wait of 480 s is better than eight of 60 s, which would read the conversation eight times to see nothing new.",
    "idle": "\nIf you were woken and found nothing new, it is a sign that the delay was too short: make the next one longer. If you found that things move, make it shorter. Do not use the waiting time up with checks in a row inside of one turn; that costs what the wakeup was meant to save.",
    "several": "\nWhen you wait for several things at once, go by the one that is expected first. When you wait for a person (a review, an answer), nothing will be there within minutes: 1800 s and more are right, and a notice through some other channel would be better still.",
    "clamp": "\nThe runtime keeps the value within [60, 3600], so you need not do so yourself.",
    "reason": '\n## The field reason\n\nA short sentence that says what the choice rests on. It is shown to the user and goes into telemetry. "watching the nightly import, stage 3 of 5" is better than "waiting". The user reads it to understand what you are doing without having to guess, so be specific.',
}
SCHEDULE_WAKEUP = ToolText(
    fixed("tools.ScheduleWakeup", _WAKEUP),
    parameters(
        {
            "delaySeconds": number(
                "Seconds from now until the work is resumed. The runtime keeps the value between 60 and 3600."
            ),
            "reason": string(
                "A short sentence that explains the delay that was chosen. It goes into telemetry and is shown to the user, so be specific: what you are waiting for, and why it should be there by then."
            ),
            "prompt": string(
                "The input of /loop that is to be run when the wakeup fires. Pass the same input of /loop unchanged in every turn, so that the next firing enters the skill again and continues the loop. For an autonomous /loop (no prompt of the user's) pass the literal sentinel `<<autonomous-loop-dynamic>>` instead (the form without `-dynamic` is that of CronCreate loops). The runtime resolves it to the full instructions of the autonomous loop when it fires, whatever has been condensed meanwhile. An empty prompt is refused, and so is a prompt other than the one with which the loop was begun, since it would silently turn the loop into a different task. To end the loop, do not make this call."
            ),
        },
        "delaySeconds",
        "reason",
        "prompt",
    ),
)
