#!/usr/bin/env python3
"""Writes what ctest reads of a test program: one entry per suite, which runs the suite's tests in one process.

  suites.py PROGRAM LIST.cmake PREFIX --filter=FILTER NAME=VALUE...

FILTER is one of Google Test (`*-Slow.*:Other.One`); NAME=VALUE are properties of all entries. A suite of which the filter takes
some tests has them in its command, and so can be run by hand in the same way.
"""
import os
import re
import subprocess
import sys


def matches(name, patterns):
    return any(re.fullmatch(re.escape(p).replace(r"\*", ".*").replace(r"\?", "."), name) for p in patterns.split(":"))


def taken(name, flt):
    """As Google Test decides: a pattern before the first `-`, and none behind it."""
    wanted, _, unwanted = flt.partition("-")
    return matches(name, wanted or "*") and not matches(name, unwanted)


def suites(listing):
    """{suite: [test]} of what --gtest_list_tests prints: suites at the margin, tests indented, comments behind #."""
    found, suite = {}, None
    for line in listing.splitlines():
        words = line.split("#")[0].rstrip()
        if re.fullmatch(r"[\w/]+\.", words):
            suite = words[:-1]
            found[suite] = []
        elif suite and re.fullmatch(r"  [\w/]+", words):
            found[suite].append(words.strip())
        elif words and suite:
            raise ValueError(f"what is this in a list of tests? {line}")
    return found


def entries(listing, flt):
    """[(suite, filter that runs what is taken of it)]."""
    result = []
    for suite, tests in suites(listing).items():
        mine = [test for test in tests if taken(f"{suite}.{test}", flt)]
        if mine:
            result.append((suite, f"{suite}.*" if mine == tests else ":".join(f"{suite}.{test}" for test in mine)))
    return result


def quoted(text):
    return f"[==[{text}]==]"


def main(program, path, prefix, flt, *properties):
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    given = " ".join(f"{name} {quoted(value)}" for name, value in (p.split("=", 1) for p in properties))
    lines = []
    for suite, mine in entries(listing, flt.removeprefix("--filter=")):
        name = quoted(f"{prefix}.{suite}")
        lines.append(f"add_test({name} {quoted(program)} {quoted('--gtest_filter=' + mine)})\nset_tests_properties({name} PROPERTIES {given})\n")
    if not lines:
        sys.exit(f"suites.py: {program} has no test that {flt} takes")
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as out:
        out.writelines(lines)
    os.replace(temporary, path)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
