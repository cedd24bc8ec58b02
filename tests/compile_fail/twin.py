#!/usr/bin/env python3
"""twin.py repaired|misuse FILE COMPILER...: a misuse must not compile, and its repair must.

FILE is compiled as it stands (repaired: no error and no warning) or with -DMISUSE (misuse: the first error must match the regular
expression that the file's first line foretells). A misuse that fails for another reason proves nothing, so it is red:

  // error: use of deleted function 'tacet::kernel::Grant::Grant\\(const tacet::kernel::Grant&\\)'
"""
import os
import re
import subprocess
import sys

FORETOLD = "// error: "


def judge(twin, path, compiler):
    """What is wrong with this twin, or nothing."""
    with open(path, encoding="utf-8") as file:
        first = file.readline().rstrip("\n")
        rest = file.read()
    if not first.startswith(FORETOLD):
        return f'{path}: the first line must foretell the error of the misuse: "{FORETOLD}<regular expression>"'
    if "#ifdef MISUSE" not in rest:
        return f"{path}: there is no #ifdef MISUSE, so the twins are the same"
    expected = first[len(FORETOLD):]
    command = compiler + (["-DMISUSE"] if twin == "misuse" else []) + [path]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if twin == "repaired":
        return f"{path}: the repair must compile, but:\n{run.stderr}" if run.returncode != 0 or run.stderr.strip() else None
    if run.returncode == 0:
        return f"{path}: the misuse compiles; the type that should refuse it has lost its lock"
    errors = [line.partition("error: ")[2] for line in run.stderr.splitlines() if "error: " in line]
    if not errors or not re.search(expected, errors[0]):
        found = errors[0] if errors else "none"
        return f"{path}: the misuse is refused for another reason\n  foretold: {expected}\n  first error: {found}\n\n{run.stderr}"
    return None


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("repaired", "misuse"):
        sys.exit(__doc__)
    sys.exit(judge(sys.argv[1], sys.argv[2], sys.argv[3:]))
