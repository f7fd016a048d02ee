#!/usr/bin/env python3
"""Hold the engine's replies to tool calls against recorded behaviour of the agent `roo`.

    python tests/conformance/check_roo_responses.py [--cases DIR] [--verbose] [--json]

DIR holds roo-responses.json, roo-attempt-completion.json and roo-user-messages.json. Run it with the
interpreter that has promptscope_engine installed. Exit status 0 when every case agrees, 1 otherwise, 2 when
nothing could be run.
"""

from __future__ import annotations

import argparse
import base64
import importlib
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULE = "promptscope_engine.agents.roo.responses"
USER_MESSAGES = "promptscope_engine.agents.roo.user_messages"
ROOT = "/project"  # never read: the functions are pure
TOKENS = {
    "{SENTENCE}": r"[^\n]*\w[^\n]*",
    "{PROSE}": r"(?s:.*\w.*?)",
    "{REMINDER}": r"# Reminder: Instructions for Tool Use\n\n(?s:.+?)",
}


def template_fits(template: str, text) -> bool:
    """The text is the template, with the agent's own sentences wherever a token stands."""
    if not isinstance(text, str):
        return False
    parts = re.split("(" + "|".join(map(re.escape, TOKENS)) + ")", template)
    return re.fullmatch("".join(TOKENS.get(part) or re.escape(part) for part in parts), text) is not None


def fits(wanted, got) -> bool:
    """Equal, where every string of `wanted` is a template; tuples count as lists."""
    if isinstance(wanted, str):
        return template_fits(wanted, got)
    if isinstance(wanted, list):
        return isinstance(got, (list, tuple)) and len(got) == len(wanted) and all(map(fits, wanted, got))
    if isinstance(wanted, dict):
        return isinstance(got, dict) and wanted.keys() == got.keys() and all(fits(v, got[k]) for k, v in wanted.items())
    if type(wanted) in (int, float):
        return type(got) in (int, float) and abs(wanted - got) < 1e-9
    return type(wanted) is type(got) and wanted == got


def differences(expect: dict, got) -> list[str]:
    """What is wrong with one reply; an empty list if it agrees."""
    wrong = []
    if not fits(expect["output"], got):
        wrong.append(f"wanted {expect['output']!r}, got {got!r}"[:700])
    text = got if isinstance(got, str) else ""
    wrong += [f"does not name {word}" for word in expect.get("names", []) if word not in text]
    wrong += [f"names {word}" for word in expect.get("avoids", []) if word in text]
    if "tags" in expect and re.findall(r"</?[a-z_0-9]+>", text) != expect["tags"]:
        wrong.append(f"tags {re.findall(r'</?[a-z_0-9]+>', text)}")
    items = re.findall(r"^\d+\. (.*)$", text, re.M)
    for item, words in zip(items, expect.get("items", []), strict=False):
        wrong += [f"item {item!r} does not name {word}" for word in words if word not in item]
    if "items" in expect and len(items) != len(expect["items"]):
        wrong.append(f"{len(items)} numbered items, wanted {len(expect['items'])}")
    return wrong


def files_list(api, case: dict):
    """format_files_list with paths below a root that does not exist."""
    listing = case["list"]

    def path(name: str) -> str:
        return f"{ROOT}/{name}" if name else ROOT

    ignore = api.RooIgnore(ROOT, listing["rooignore"]) if listing["rooignore"] is not None else None
    protected = api.RooProtected(ROOT) if listing["protected"] else None
    return api.format_response.format_files_list(
        path(listing["directory"]),
        [path(name) for name in listing["files"]],
        listing["did_hit_limit"],
        ignore=ignore,
        show_ignored=listing["show_ignored"],
        protected=protected,
    )


def reply(api, case: dict):
    if case["call"] == "format_files_list":
        return files_list(api, case)
    return getattr(api.format_response, case["call"])(*case.get("args", []), **case.get("kwargs", {}))


def completion(api, case: dict) -> dict:
    outcome = api.attempt_completion(**case["input"])
    return {
        "events": [list(event) for event in outcome.events],
        "mistakes": outcome.mistakes,
        "content": outcome.content,
    }


def count_with(counts: dict):
    """A counter of tokens that knows the texts of one case: it takes a text or a list of content blocks."""

    def count(content) -> int:
        if isinstance(content, str):
            return counts.get(content, 0)
        return sum(count(block["text"]) if block["type"] == "text" else counts.get("<image>", 0) for block in content)

    return count


def user_message(api, case: dict) -> list[str]:
    """One case of roo-user-messages.json."""
    module = importlib.import_module(USER_MESSAGES)
    args, kwargs, call = list(case.get("args", [])), dict(case.get("kwargs", {})), case["call"]
    if "rooignore" in kwargs:
        kwargs["ignore"] = api.RooIgnore(ROOT, kwargs.pop("rooignore") or "")
    if call.startswith("expand_") and "files" in kwargs:
        kwargs["files"] = {
            name: text if isinstance(text, str) else base64.b64decode(text["base64"])
            for name, text in kwargs["files"].items()
        }
    if call == "truncate":
        kwargs["count"] = count_with(kwargs.pop("counts", {}))
    if "counts" in case:
        args.append(count_with(case["counts"]))
    got = getattr(module, call)(*args, **kwargs)
    if "output" in case["expect"]:
        return differences(case["expect"], got)
    return [
        f"{key}: wanted {wanted!r}, got {getattr(got, key)!r}"[:2000]
        for key, wanted in case["expect"].items()
        if not fits(wanted, getattr(got, key))
    ]


def run_case(api, case: dict) -> list[str]:
    try:
        if case.get("part") == "user-messages":
            return user_message(api, case)
        got = completion(api, case) if "input" in case else reply(api, case)
    except Exception as error:  # the engine's own failure is the result
        return [f"{type(error).__name__}: {error}"]
    if "input" not in case:
        return differences(case["expect"], got)
    return [
        f"{key}: wanted {wanted!r}, got {got[key]!r}"[:900]
        for key, wanted in case["expect"].items()
        if not fits(wanted, got[key])
    ]


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--cases", type=Path, default=HERE / "cases-responses")
    args.add_argument("--verbose", action="store_true")
    args.add_argument("--json", action="store_true")
    opt = args.parse_args()
    paths = sorted(opt.cases.glob("roo-*.json"))
    cases = [
        (path.stem, case | {"part": path.stem.removeprefix("roo-")})
        for path in paths
        for case in json.loads(path.read_text())["cases"]
    ]
    if not cases:
        print("no cases", file=sys.stderr)
        return 2
    try:
        api = importlib.import_module(MODULE)
    except ImportError as error:
        print(f"{MODULE}: {error}", file=sys.stderr)
        return 2
    report = {f"{file}/{case['name']}": run_case(api, case) for file, case in cases}
    agree = sum(not wrong for wrong in report.values())
    if opt.json:
        print(json.dumps({"cases": len(report), "agree": agree, "report": report}, indent=1))
    else:
        for name, wrong in report.items():
            if wrong:
                print(f"DIFFERS {name}" + "".join(f"\n    {w}" for w in wrong if opt.verbose))
        print(f"{agree}/{len(report)} cases agree")
    return 0 if agree == len(report) else 1


if __name__ == "__main__":
    sys.exit(main())
