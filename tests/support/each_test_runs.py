#!/usr/bin/env python3
"""Does every test of the tree run in `make check`? Asks ctest what it would run.

  each_test_runs.py SOURCE PRESET...

A TEST that is written in tests/*/*_test.cc (not in *_slow_test.cc, which are for `make check-slow`) must be taken by the filter of some entry
of some preset, and a test that asks whether there are sanitizers by one of a preset without them.
"""
import json
import pathlib
import re
import subprocess
import sys

from suites import taken

WRITTEN = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
ASKS = re.compile(r"coarseness\(|SANITIZE|NEEDS_FILTER")


def written(source):
    """[(room, "Suite.Test", does its file ask whether there are sanitizers)]."""
    found = []
    for path in sorted((source / "tests").glob("*/*_test.cc")):
        if path.name.endswith("_slow_test.cc"):
            continue
        text = path.read_text()
        found += [(path.parent.name, f"{suite}.{test}", bool(ASKS.search(text))) for suite, test in WRITTEN.findall(text)]
    return found


def unparametrised(pattern):
    """`Values/Suite.Test/Name` as it is written: `Suite.Test`."""
    suite, _, test = pattern.partition(".")
    return f"{suite.rpartition('/')[2]}.{test.partition('/')[0]}"


def commands(source, preset):
    """{room: [filter]} of what ctest would run."""
    shown = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=source, capture_output=True, text=True, check=True).stdout
    found = {}
    for test in json.loads(shown)["tests"]:
        given = [word for word in test.get("command", []) if word.startswith("--gtest_filter=")]
        if given:
            room = test["name"].split(".")[0]
            found.setdefault(room, []).append(":".join(map(unparametrised, given[0].removeprefix("--gtest_filter=").split(":"))))
    return found


def forgotten(tests, runs, without_sanitizers):
    """What is wrong, in words."""
    wrong = []
    for room, name, asks in tests:
        mine = {preset for preset, rooms in runs.items() if any(taken(name, flt) for flt in rooms.get(room, []))}
        if not mine:
            wrong.append(f"{room}.{name} runs in none of {', '.join(runs)}")
        elif asks and not mine & without_sanitizers:
            wrong.append(f"{room}.{name} asks whether there are sanitizers, and runs only with them")
    return wrong


def main(source, *presets):
    source = pathlib.Path(source)
    tests = written(source)
    wrong = forgotten(tests, {preset: commands(source, preset) for preset in presets}, {preset for preset in presets if preset != "asan"})
    for sentence in wrong:
        print(sentence)
    print(f"{len(tests)} tests are written in tests/; {len(wrong)} of them do not run as they must")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
