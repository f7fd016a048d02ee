"""Tools that do something later: CronCreate, CronDelete, CronList, ScheduleWakeup (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import fixed, lines
from promptscope_engine.prompt.drafts import Piece, builtin

from .schema import NOTHING, ToolText, boolean, number, parameters, string


def _cron(m: Materials) -> Iterator[Piece]:  # noqa: ARG001
    newer = ~gates.IS_100
    yield from lines("tools.CronCreate", _CRON)
    yield from lines("tools.CronCreate", _CRON_WATCHING, before="\n\n", when=newer)
    yield from lines("tools.CronCreate", _CRON_RUNTIME, before="\n\n")
    yield builtin("tools.CronCreate.runtime", _RUNTIME_100, when=gates.IS_100)
    yield builtin("tools.CronCreate.runtime", _RUNTIME_329, when=newer)
    yield from lines("tools.CronCreate", _CRON_END, before="\n\n")


_CRON = {
    "purpose": "Has a prompt put into the queue later on: whenever a schedule says so, or one single time and never again.",
    "format": '\nThe schedule has the five fields of cron (minute, hour, day of month, month, day of week), in the user\'s own time: "0 9 * * *" is nine in the morning where they are.',
    "once_heading": "\n## One-shot tasks (recurring: false)",
    "once": '\nFor "remind me on Friday" or "at noon, do this": the prompt fires once, and then the job removes itself. Give minute, hour, day and month as fixed values:\n  "remind me at a quarter to four that the call begins" → cron: "45 15 <today_day> <today_month> *", recurring: false\n  "tonight, look at the backup" → cron: "12 22 <today_day> <today_month> *", recurring: false',
    "recurring_heading": "\n## Recurring jobs (recurring: true, the default)",
    "recurring": '\nFor "every ten minutes", "hourly" or "on working days":\n  "*/10 * * * *" (each ten minutes), "0 * * * *" (each hour), "0 8 * * 1-5" (Monday to Friday at eight)',
    "marks_heading": "\n## Avoid the :00 and :30 minute marks when the task allows it",
    "marks": '\nSomebody who says "at eight" gets `0 8` from nearly everyone, and "hourly" becomes `0 *`; so at those minutes the API has everybody\'s requests to answer at once. Unless the exact time matters, take a minute that is neither 0 nor 30:\n  "each morning around eight" → "53 7 * * *" or "4 8 * * *" (and not "0 8 * * *")\n  "hourly" → "11 * * * *" (and not "0 * * * *")\n  "in an hour, say, remind me" → the minute you arrive at, not a rounded one',
    "exact": '\nThe minutes 0 and 30 remain for users who name that time and mean it to the minute ("at 8:00 sharp", "on the half hour", because of a meeting). In doubt, go some minutes to either side: nobody will notice, except the servers that have to bear it.',
    "durability_heading": "\n## Durability",
    "durable": '\nWith durable: false, the default, a job belongs to this Claude session: no file is written, and when Claude exits, the job is gone. With durable: true it is written to .claude/scheduled_tasks.json and is there again after a restart. That is for users who ask for something that outlasts the session ("keep doing this every day", "set this up for good"). Nearly everything else, such as a reminder in a few minutes or a second look within the hour, ends with the session and needs no file.',
}
_CRON_WATCHING = {
    "watching_heading": "## Not for live watching",
    "watching": "\nTo see something as it happens, such as the lines of a log or the state of a build, take Monitor, which reports each event when it occurs. A cron job would only look from time to time: it starts a whole turn on each occasion, even if there is nothing to see.",
}
_CRON_RUNTIME = {"runtime_heading": "## Runtime behavior"}
_RUNTIME = "\n\nA job fires when the REPL is idle, and not while a query is being answered. Durable jobs are taken up again by the next session of the project without your doing; one-shots whose time went by while Claude was closed are then shown to the user, who can have them run after all. The time of each job is shifted a little, by an amount that stays the same for that job: "
_RUNTIME_100 = f"{_RUNTIME}recurring ones may be late by up to 10% of their period (15 min at most), and one-shots set to :00 or :30 may be early by up to 90 s. To choose another minute yourself still does more than this."
_RUNTIME_329 = f"{_RUNTIME}recurring ones may be late by up to 50% of their period (30 min at most), and one-shots set to :00 or :30 may be early by up to 90 s. To choose another minute yourself still does more than this. An organisation can forbid scheduled jobs; the call then returns an error, and there is nothing to be done about it from here. What the call returns otherwise has the time at which the job is really going to fire next. When you tell the user when that will be, tell them this time and not the one in the schedule."
_CRON_END = {
    "expiry": "Seven days later a recurring job is over: it fires one last time and is deleted, lest a session go on without end. Tell users of these 7 days when you schedule such a job for them.",
    "returns": "\nYou get back a job ID, to use with CronDelete.",
}
CRON_CREATE = ToolText(
    _cron,
    parameters(
        {
            "cron": string(
                'When it fires, in the five fields of cron and in local time: "M H DoM Mon DoW" ("*/10 * * * *" = each ten minutes, "45 15 20 11 *" = Nov 20, 3:45pm).'
            ),
            "prompt": string("What is put into the queue at that time."),
            "recurring": boolean(
                "true (the default) = each time that the schedule matches, until the job is deleted or its 7 days are over. false = at the next match only, then never again; for requests that name one moment, all four fields of it fixed by you."
            ),
            "durable": boolean(
                "true = written to .claude/scheduled_tasks.json, and so there again after a restart. false (the default) = lives in this session's memory and ends with it. Use true if the user wants it to outlast the session."
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
            "purpose": "Takes back a job that CronCreate has set up, by its ID. A durable one is removed from .claude/scheduled_tasks.json, any other from the memory of this session."
        },
    ),
    parameters({"id": string("The ID that CronCreate gave.")}, "id"),
)
CRON_LIST = ToolText(
    fixed(
        "tools.CronList",
        {
            "purpose": "Shows all the jobs that CronCreate has set up: the durable ones, and those that live in this session only."
        },
    ),
    NOTHING,
)

# --- ScheduleWakeup ---------------------------------------------------------------------------------------------------


def _wakeup(m: Materials) -> Iterator[Piece]:
    yield from lines("tools.ScheduleWakeup", _WAKEUP)
    yield from lines("tools.ScheduleWakeup", _FIVE_MINUTES, before="\n", when=~m.gates.hour_cache)
    yield from lines("tools.ScheduleWakeup", _AN_HOUR, before="\n", when=m.gates.hour_cache)
    yield from lines("tools.ScheduleWakeup", _WAKEUP_REST, before="\n")


_WAKEUP = {
    "purpose": "Determines when you go on in dynamic /loop mode, which is the one the user enters by /loop with no interval: it is up to you how long to pause each time.",
    "not_polling": "\nDo not use short pauses to look after work of your own that the harness is following anyway. Commands in the background, agents and workflows bring you back by themselves when they end; in such a case schedule nothing, or one long pause (1200s and more) in case the notification gets lost. It is different with work outside of this session, such as a CI run, a deployment or a queue on a server: nobody reports that to you, so you have to look.",
    "prompt": "\nPut the prompt of the /loop into `prompt` each time, and leave it word for word as it is, since that is what continues the loop when the pause is over. An autonomous loop, which began without a prompt of the user's, gets the marker `<<autonomous-loop-dynamic>>` in its place; the runtime turns that into the full instructions. (Loops that CronCreate drives have a marker of their own, `<<autonomous-loop>>`. The two must not be confused: here it is always the one that ends in `-dynamic`.) To end the loop, call with `stop: true`; you may do so in any turn, and nothing further is scheduled then.",
    "noop": "\nSay by `noop` whether this round has brought anything. True means that nothing has happened: you have looked, all is as it was before, and there is nothing to tell. False means that something has: a change, an action of yours, a message to the user. Rounds without event that follow each other are folded into one line on the user's screen, so with a wrong value they either miss something or see a lot of nothing. Leave the parameter out of a call with `stop`.",
    "picking": "\n## Picking delaySeconds",
}
_FIVE_MINUTES = {
    "cache": "\nPrompt caches live for five minutes. If you come back within that time, the conversation is read from the cache; after it, all of the context has to be processed again, which takes longer and costs more. From this follow three ranges:",
    "short": "\n- **Below 5 minutes (60s-270s)**: the cache is warm still. For active polling of something about to change: a build near its end, a process just started.",
    "long": "- **5 minutes to one hour (300s-3600s)**: you accept the miss. For everything that takes its time, because looking earlier would show you nothing new, and equally for having nothing particular to wait for. One miss that buys a long silence is cheap; many short pauses are not.",
    "worst": "\n**Never take 300s.** It unites the disadvantages of both: the cache has just been lost, and yet hardly any time has been won for it. If five minutes are what comes to your mind, either shorten them to 270s, where the cache is still there, or make them 1200s and more, so that the miss is worth its price.",
}
_AN_HOUR = {
    "cache": "\nPrompt caches live for an hour in this session. Within the limits of this tool you therefore always come back to a warm cache, so it is not the price of a pause that decides on its length:",
    "short": "\n- **Below 5 minutes (60s-270s)**: for active polling of something about to change: a build near its end, a process just started.",
    "long": "- **5 minutes to one hour (300s-3600s)**: for everything that takes its time, because looking earlier would show you nothing new, and equally for having nothing particular to wait for. Many short pauses still cost more than a long one, as each of them is a turn.",
}
_WAKEUP_REST = {
    "idle": "\nWith nothing definite to look out for, **1200s-1800s** (20-30 min) are the default. The loop keeps looking in that way, the cost stays within bounds, and a user who wants something before that can interrupt it at any time.",
    "match": "\nAsk yourself what it is that you are waiting for, and how soon it can be there. A CI run that takes eight minutes is not done sooner for being asked each minute: one pause of 270s followed by another shows you just as much.",
    "clamp": "\nValues below 60 or above 3600 are set to those limits by the runtime.",
    "reason_heading": "\n## The reason field",
    "reason": '\nOne short sentence on why you chose this pause. Telemetry records it, and the user sees it on the screen; it is from this line that they learn what you are doing. So name the thing: "the nightly import is at stage 3 of 5" says something, "waiting" does not.',
}
SCHEDULE_WAKEUP = ToolText(
    _wakeup,
    parameters(
        {
            "delaySeconds": number(
                "How long to pause, in seconds from now. Values outside of 60 to 3600 are set to these limits."
            ),
            "reason": string(
                "Why this long, in one short sentence. It is recorded in telemetry and displayed to the user, so be specific about what you wait for."
            ),
            "prompt": string(
                "What /loop is to run when the pause is over: the input of the loop, word for word as before, so that the loop goes on. For an autonomous loop, which has no prompt of the user's, pass the marker `<<autonomous-loop-dynamic>>`, from which the runtime makes the full instructions (without `-dynamic` it is the marker of loops by CronCreate). Not with stop."
            ),
            "stop": boolean(
                "True ends the loop: nothing more is scheduled, and all other parameters are ignored. Use it when the task is done, or has become pointless by now."
            ),
            "noop": boolean(
                "Whether this round brought nothing. True: you have looked and all is as before, so there is nothing to tell. False: something has changed, you have done something, or you have written to the user. Rounds that brought nothing are folded into one line on the user's screen. Leave it out of a call with stop."
            ),
        }
    ),
)
