"""`exec`: a tool that runs JavaScript, from which the other tools are called (specs/codex.md 7.2)."""

from __future__ import annotations

GRAMMAR = """\
start: options? script
options: FIRST LF
FIRST: /[ \\t]*\\/\\/ @exec:[^\\r\\n]*/
script: /(?s:.+)/

%import common.LF
# The whole input is a script in JavaScript. Its first line may hold options as JSON, behind the mark.
"""

_HEAD = """\
Runs a script in JavaScript. The script is the whole input: no JSON around it, no quotes, no fences.

"""

_OPTIONS = """\
- The first line may be a comment with options as JSON: `// @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}`. `yield_time_ms` is how long to wait before control is handed back, with an id that `wait` takes; `max_output_tokens` bounds what is returned.
- A script is a module that runs in an engine of its own: `await` may stand at the top. There is no Node, no file system, no network and no console; all of that is for the tools.
- Each script begins with nothing of the one before. What should be kept for later goes through `store` and `load`.
- A script ends when its last statement is done. What was started and is not waited for is dropped, so wait for it.
- An error that nobody catches ends the script and is returned, together with what was written before.
- Tools are called as `await tools.name({...})`. A tool's name that is no word of JavaScript has its other signs replaced by `_`.
- What a tool returns is an object as its declaration says, or a text. Look at it before you rely on its form.
- Time that passes within a tool counts for the script as well. One that takes longer than `yield_time_ms` is not stopped: it goes on behind the id that you are given.
- What `text` was given so far is returned in any case, also when the script fails or hands back control.
- Options that are not known, or a first line that is no comment of this form, are an error, so that nothing runs other than it was meant.
- `ALL_TOOLS` is a list of `{ name, description }` of every tool that can be called, also of those that are not described here. Look through it with a filter when a task needs something that none of the others does.

These functions are there without a tool:
- `text(value)`: adds a text to what is returned; anything but a text is written as JSON.
- `image(value, detail)`: adds an image, from a data URL, or from what `view_image` has returned. `detail` is "auto", "low", "high" or "original".
- `store(key, value)` and `load(key)`: keep a value for later scripts of this session, and get it back. It must be JSON.
- `notify(value)`: shows a text at once, while the script goes on.
- `yield_control()`: hands back what was written so far, while the script goes on.
- `setTimeout(callback, milliseconds)` and `clearTimeout(id)`: as everywhere. A timer alone does not keep a script alive.
- `exit()`: ends the script as if its last statement were done.
"""

CODE_MODE = (
    _HEAD
    + _OPTIONS
    + """
Things to know:
- Nothing is returned but what `text` and `image` add. Add little: the few lines that matter out of an output of thousands.
- Calls that do not depend on each other are made at once with `Promise.all`; that is what scripts are for.
- Prefer one script that looks, decides and goes on to several that do one step each, as long as you know what to decide by.
- Paths and texts that stem from elsewhere are put into a command with care: quote them, or hand them over by a file.
- Other tools may be called without a script, too. A single call that needs no thought of its own does not need one.
"""
)
"""The description beside other tools."""

ONLY = (
    _HEAD
    + _OPTIONS
    + """
Things to know:
- Nothing is returned but what `text` and `image` add. Add little: the few lines that matter out of an output of thousands. What you leave out can be had again, what you print has to be read.
- Calls that do not depend on each other are made at once with `Promise.all`: reading several files, searching for several words, asking several services. That is what scripts are for.
- Prefer one script that looks, decides and goes on to several that do one step each, as long as you know what to decide by. Where the next step needs judgement, end the script and look at what it found.
- A command that runs for long is handed back with a `session_id`: keep that with `store`, and look again with `write_stdin` in a later script.
- Check `exit_code` before you go on, and print the end of the output where it is not 0.
- Paths and texts that stem from elsewhere are put into a command with care: quote them, or hand them over by a file.
- A patch is given to `apply_patch` as one text. Backslashes and dollar signs in a template have to be escaped: `String.raw` helps.
- Do not change files by a script's own means where `apply_patch` can do it, so that the user sees what has changed.
- `view_image` returns an object: hand it to `image`, or nothing is seen.
- Do not catch an error only to go on as if nothing had happened. Say what failed.
- Results of several commands look alike. Put a word in front of each, so that it can be told what belongs to which.
- Numbers, sorting and counting are done in the script and not in your head.
- If a script was stopped half-way, some of its commands may have run. Find out which before you start it again.
- Do not write loops that wait: `write_stdin` and `wait` wait by themselves.

Example, two searches at once, of which only the file names are returned:

```js
const found = await Promise.all(["TODO", "FIXME"].map((word) => tools.exec_command({ cmd: `rg -l ${word}` })));
for (const result of found) text(result.output.split("\\n").slice(0, 40));
```

These tools can be called:
"""
)
"""The description where scripts are the only way to the other tools."""
