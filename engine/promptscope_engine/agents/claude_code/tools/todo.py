"""TodoWrite: the task list of a headless session of 2.1.100, with its examples (specs/claude-code.md 6)."""

from __future__ import annotations

from promptscope_engine.agents.claude_code.wording import fixed

from .schema import ToolText, array, parameters, record

_TODO = {
    "purpose": "Keeps a list of tasks, by which the work of this coding session is kept in order, from start to end. With it you do not lose track, work of many parts gets a structure, and nothing is forgotten that was asked for.\nThe user has the list before them as well, and can tell from it how far things are.",
    "when": "\n## When to Use This Tool",
    "when_lead": "Use it of your own accord in these cases here:",
    "when_steps": "\n1. Several steps: the task takes three or more of them, each of which is work of its own",
    "when_complex": "2. Something bigger: it has to be thought through first, or several things have to be done",
    "when_asked": "3. The user says it: they want a list of tasks, or a todo list, and tell you directly so",
    "when_several": "4. You get more than one thing to do, be it as a list with numbers or bullets or in a sentence with commas",
    "when_new": "5. There are new instructions: note down at once what they ask for, as todos again",
    "when_start": "6. Work on one begins: set it to in_progress, and do that BEFORE you begin with it. It should be the only one in this state; two are one too many",
    "when_done": "7. Work on one has ended: set it to completed, and add as new todos whatever has turned out to be still missing",
    "when_not": "\n## When NOT to Use This Tool",
    "not_lead": "\nDo without it where:",
    "not_single": "1. a single task is all, and it is a simple one",
    "not_trivial": "2. it is so trivial that a list would be of no benefit to anyone here",
    "not_few": "3. it is done in less than three steps that are trivial",
    "not_talk": "4. somebody just talks with you or wants to know",
    "not_note": "\nNOTE: Is there no more than one task, and a trivial one? Then a list is not the right thing; it is better to go ahead and do what was asked.",
    "examples": "\n## Examples of When to Use the Todo List",
    "example_dark_mode": "\n<example>\nUser: The settings page needs a switch for dark mode. When you have it, see that the tests pass and that the project still builds!\nAssistant: *Writes a todo list:*\n1. Add the switch to the settings page\n2. Keep the choice, so that it survives a reload\n3. Define the dark colours beside the light ones\n4. Let the existing components take their colours from there\n5. Run tests and build, and repair what they report\n*Begins with the first entry*\n\n<reasoning>\nWhy a list was right here:\n1. There is work on interface, state and styles, and it takes several steps\n2. Test and build were named expressly, and would easily be forgotten over the rest\n3. The user cannot have known how many parts there are, and with the list they do\n4. The last entry keeps open that there may be something to repair\n</reasoning>\n</example>",
    "example_rename": '\n<example>\nUser: We want to say "workspace" wherever the code says "project" today. Please rename the function getProjectById accordingly, everywhere\nAssistant: *Searches for the name*\nIt occurs 23 times, in 9 files.\n*Writes a todo list that has an entry for each of the files in which something has to be changed, and one for the tests*\n\n<reasoning>\nWhy a list was right here:\n1. Before the search nobody knew how far the change would reach; the search has shown it\n2. There are many places in many files, all of which need the same treatment\n3. With an entry for each file none is left out, not even if the work is interrupted\n4. A name that was forgotten somewhere would break the build\n</reasoning>\n</example>',
    "example_features": "\n<example>\nUser: My shop needs registration, a catalogue, a cart and the checkout. Could you build these?\nAssistant: *Writes a todo list in which each of the four is divided into what has to be done for it, in the order that the present code suggests*\nRegistration comes first, as checkout cannot be without it.\n*Sets its first entry to in_progress*\n\n<reasoning>\nWhy a list was right here:\n1. Four features were named, in one sentence with commas between them\n2. Each of these is too large for a single step and has to be divided up\n3. Divided like this, the work can be shown to the user before it begins, and they can see at any time which of the four is in progress and which are still to come\n</reasoning>\n</example>",
    "example_slow": "\n<example>\nUser: My React app renders slowly. Can you make it faster?\nAssistant: *Reads the components, and looks at what is rendered when*\nThis is what I have found: the long table renders each of its rows whenever one changes, two contexts change far too often, pictures come in their full size, and everything is in one bundle.\n*Writes a todo list:*\n1. Memoise the rows of the table\n2. Show only those rows that are on the screen\n3. Divide the two contexts into what changes often and what does not\n4. Load pictures in the size in which they are displayed\n5. Divide the bundle by route\n6. Measure again, and compare\nI would begin with the table, since it accounts for most of it. Is that all right with you?\n\n<reasoning>\nWhy a list was right here:\n1. First of all the assistant looked, so the list holds what is really slow and not what usually is\n2. There turned out to be several causes, which are independent of each other and lie in different parts of the app\n3. Each of them is a change that can be made and measured by itself\n4. An order can be agreed upon, with what brings most at the top, and what has been gained is measured at the end\n</reasoning>\n</example>",
    "not_examples": "\n## Examples of When NOT to Use the Todo List",
    "counterexample_hello": "\n<example>\nUser: In Rust, how do I write 'Hello World'?\nAssistant: With the macro println!, in the function main:\n\n```rust\nfn main() {\n    println!(\"Hello World\");\n}\n```\n\nSave it as main.rs, then compile it using rustc main.rs.\n\n<reasoning>\nWhy there is no list: this is a single and trivial matter, over in one step. There is no progress that could be followed and nothing that could be forgotten, so a list would just be in the way of the answer.\n</reasoning>\n</example>",
    "counterexample_status": "\n<example>\nUser: What does git stash do, and would it touch the files I have not added yet?\nAssistant: It puts what you have changed aside and takes your working directory back to the last commit, so that you can do something else in between and get the changes back by git stash pop. Files that are new and have never been added are not included; they stay where they are, unless you write git stash -u.\n\n<reasoning>\nWhy there is no list: the user has asked something and is not asking for anything to be done. What they want is an explanation. Where no work is to be carried out in the codebase, there are no tasks, and consequently nothing to keep a list of.\n</reasoning>\n</example>",
    "counterexample_comment": "\n<example>\nUser: Put a comment above parseDate, please, that says which formats it accepts.\nAssistant: *Opens the file, reads the function, and writes the comment with the Edit tool*\nIt is there: two lines above parseDate name the three formats.\n\n<reasoning>\nWhy there is no list: it is a change at one place in one file, and what has to be written there is clear. Reading comes before it, but that makes no second task of it. Nothing has to be followed through several steps here.\n</reasoning>\n</example>",
    "counterexample_command": "\n<example>\nUser: Please install what package.json asks for and tell me how it went.\nAssistant: *Runs npm install with the Bash tool*\n\nIt went well: 412 packages were installed, without a warning.\n\n<reasoning>\nWhy there is no list: one command was wanted, with its outcome reported afterwards. As soon as it has run, all is done. It would be different if the installation had failed in several ways: from then on there would be several things to repair, and a list with one entry for each of these.\n</reasoning>\n</example>",
    "states": "\n## Task States and Management",
    "states_lead": "\n1. **What states there are**, and what each one tells us:",
    "pending": "   - pending: not begun until now",
    "in_progress": "   - in_progress: work on it goes on (with ONE task at any given time)",
    "completed": "   - completed: all of it is done, well",
    "forms": "   **IMPORTANT**: Each task has its text in two forms:",
    "content": '   - content: as one would give an order, hence the imperative ("Run the linter", "Write the migration first")',
    "active_form": '   - activeForm: as one would say what is going on now, while it is ("Running the linter", "Writing the migration")',
    "management": "\n2. **While you work**:",
    "real_time": "   - Keep the states up to date all the time",
    "at_once": "   - Set a task to completed the moment it is; do not save some up for later",
    "one": "   - There is exactly ONE that is in_progress: not two of them, nor none",
    "finish": "   - Bring one to an end before another is begun",
    "irrelevant": "   - What does not matter any longer is taken off the list altogether",
    "completion": "\n3. **When a task is completed**, or not:",
    "completed_fully": "   - A task is completed when all of it is there, and ONLY then, not before",
    "completed_errors": "   - As long as there are errors, something in the way or parts missing, it is in_progress",
    "completed_blocked": "   - If something is in the way, that makes a task of its own: add it here",
    "completed_never": "   - A task is never completed while:",
    "never_tests": "     - tests fail at all",
    "never_partial": "     - some of it is missing",
    "never_errors": "     - errors have remained unresolved",
    "never_missing": "     - a file or a dependency could not be found at all",
    "breakdown": "\n4. **How to divide**:",
    "specific": "   - Entries say precisely what to do",
    "small": "   - What is large is divided until parts can be done",
    "names": "   - Names tell what it is, and clearly",
    "both_forms": "   - Never without both forms:",
    "sample_content": '     - content: "Repair the date filter"',
    "sample_active": '     - activeForm: "Repairing the date filter"',
    "doubt": "\nIf you waver, take the tool. A list shows the user that you are working through the task with care, and makes sure that you leave none of it out in the end.\n",
}
_ITEM = record(
    {
        "content": {"type": "string", "minLength": 1},
        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
        "activeForm": {"type": "string", "minLength": 1},
    },
    "content",
    "status",
    "activeForm",
)
TODO_WRITE = ToolText(
    fixed("tools.TodoWrite", _TODO), parameters({"todos": array(_ITEM, "The list from now on")}, "todos")
)
