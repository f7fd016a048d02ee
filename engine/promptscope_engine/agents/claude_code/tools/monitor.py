"""Monitor: a background script whose lines are events (2.1.329)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import ToolText, boolean, number, parameters, string

_MONITOR = {
    "purpose": "Starts a script in the background and turns what it prints into events: each line of its stdout is delivered to you as a notification in the conversation, while you carry on with something else. The watch is over when the script exits.",
    "choose": "\nWhether this is the right tool depends on how often you want to hear something:",
    "choose_once": "\n- **Just once, when a condition comes true** (the port answers, the import is through): not with this tool. Run Bash with `run_in_background` and a loop that leaves when the condition holds, such as `until nc -z localhost 5432; do sleep 1; done`; its exit is your one notification.",
    "choose_each": "- **Each time that something happens, with no end in sight** (every failed login, every changed file): Monitor, with a script that never exits of its own accord.",
    "choose_until": "- **Each time, up to an end that will come** (every stage of a deployment, then stop): Monitor, with a script that prints its lines and exits when the last stage has been reached.",
    "examples": "\n**Scripts could look like this:**",
    "example_log": "\n  # an event for each warning a service writes\n  journalctl -fu billing | grep -iE --line-buffered 'warn|panic|refused'",
    "example_files": "\n  # an event for each file that arrives in a folder\n  fswatch -0 --event Created inbox | while IFS= read -r -d '' f; do echo \"arrived: $f\"; done",
    "example_queue": '\n  # an event whenever the length of a queue changes\n  before=\n  while sleep 20; do\n    n=$(redis-cli llen jobs 2>/dev/null) || { echo \'queue does not answer\'; continue; }\n    [ "$n" = "$before" ] || echo "jobs waiting: $n"\n    before=$n\n  done',
    "example_stages": '\n  # an event for each pod of a rollout that becomes ready or breaks; ends with the rollout\n  known=$(mktemp)\n  for _ in $(seq 1 120); do\n    kubectl get pods -l app=shop --no-headers 2>/dev/null | awk \'{print $1, $3}\' | sort > "$known.new" || true\n    comm -13 "$known" "$known.new" | grep -E \'Running|Error|CrashLoop|OOMKilled|ImagePull\'\n    mv "$known.new" "$known"\n    kubectl rollout status deploy/shop --timeout=1s >/dev/null 2>&1 && { echo \'rollout complete\'; exit 0; }\n    sleep 5\n  done\n  echo \'rollout not complete after 10 minutes\'; exit 1',
    "no_unbounded": "\n**Take no endless script for a question that has one answer.** A script that follows a log stays alive after the line you wanted has gone by, and keeps the monitor occupied up to its timeout. Ending the pipe with something that stops at the first match does not help either: the program in front of it notices only when it next tries to write, and a quiet log may never give it occasion. Such questions belong to Bash in the background.",
    "script": "\n**What to mind in a script:**",
    "line_buffered": "- Every stage of a pipe has to hand lines on at once (`grep --line-buffered`, `sed -u`, `stdbuf -oL`, `fflush()` in awk). A stage that collects its output delays events by minutes or swallows them.",
    "transient": "- A loop that asks some service again and again has to outlive a request that fails; append `|| true`, or print that it failed and continue.",
    "intervals": "- Ask remote services no more than about twice a minute, for their limits' sake; local checks may come every second or so.",
    "quiet": "- Print nothing at the start and nothing to show that the watch is alive, unless a silence of some length would otherwise be unclear; in that case one line every ten minutes or so is plenty.",
    "state": "- A loop that compares states has to remember what it printed, or it will print the same thing in every round. Print differences, with the name of what has changed and its new state, so that a line can be understood without the ones before it.",
    "secrets": "- Lines end up in the conversation: filter out tokens, passwords and personal data before they are printed.",
    "description": '- `description` stands at the head of every notification, so let it say what the watch is about: "failed logins on staging", not "log monitor".',
    "stderr": "- Events come from stdout alone. What goes to stderr is written to the output file, where Read finds it, and wakes nobody. If a program that you start reports its troubles on stderr, join the two with `2>&1` in front of the filter.",
    "coverage": "\n**Hear of failure, too.** A filter that lets only good news through falls silent when the process crashes, hangs or is killed, and you cannot tell that silence from patience. So imagine each way in which the thing could go wrong, and see that each would make the filter print a line.",
    "coverage_wrong": "\n  # not enough: says nothing if the training run dies\n  tail -f train.log | grep --line-buffered 'epoch finished'",
    "coverage_right": "\n  # progress and whatever would make you step in\n  tail -f train.log | grep -iE --line-buffered 'epoch finished|nan|exception|out of memory|killed|disk full'",
    "coverage_poll": "\nThe same goes for the state of a job that you ask for: print when it ends in whatever way (done, failed, cancelled, expired), not only when it succeeds. Where you do not know how failure announces itself, filter less. A few lines too many can be borne; a crash that goes unnoticed cannot.",
    "test": "\nTry a script out before you arm it, if that can be done at little cost: run the command for a few seconds with Bash, or feed the filter a few lines by hand, and see that the lines you want come through and others do not. A regular expression that never matches looks from outside just like a quiet system.",
    "late": "\nIf the thing may already have happened before the watch began, look at the present state once, and watch only if there is something left to wait for.",
    "volume": "\n**Keep the lines few.** Each one takes up room in the conversation. Choose those on which you would act, good and bad, and never send a whole log. Lines printed within 200ms of each other are delivered in one notification, so a report of several lines stays together. A monitor that floods the conversation is stopped by the harness; in that case begin anew with a narrower filter.",
    "lifetime": "\n**How long it lives.** The script runs in the shell environment that Bash uses. It ends by exiting (you are told the exit code), by reaching `timeout_ms`, by TaskStop with its ID, or with the session. `persistent: true` takes the timeout away, which is meant for things you look after for as long as the session lasts: an open pull request, the log of a development server.",
    "no_wait": "\nNo need to sit and wait, or to look at the output file now and then: events come to you by themselves, also while you are busy with something else. They are not messages from the user. If one changes nothing about your work, do not comment on it; if it does, act on it and say in a sentence why. When the watch has served its purpose, end it.",
}
MONITOR = ToolText(
    fixed("tools.Monitor", _MONITOR),
    parameters(
        {
            "description": string("What is being watched, short and readable (shown with each notification)."),
            "timeout_ms": number(
                "The monitor is stopped after this time. 300000ms if not given, 3600000ms at most. Has no effect when persistent is true.",
                default=300000,
                minimum=1000,
            ),
            "persistent": boolean(
                "Whether it runs for as long as the session lasts (no timeout). For watches of the length of a session, such as a PR or the tail of a log. TaskStop ends it.",
                default=False,
            ),
            "command": string(
                "Shell command or script. Every line on stdout is an event, its exit is the end of the watch. Write one line for each thing you want to hear of, and see that every stage of a pipe passes lines on at once. Failures have to show on stdout too, or you will not hear of them."
            ),
        },
        "description",
        "timeout_ms",
        "persistent",
        "command",
    ),
)
