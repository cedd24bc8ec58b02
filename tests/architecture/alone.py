#!/usr/bin/env python3
"""alone.py COMPILE_COMMANDS: every source that is compiled together with others (cmake/TacetUnity.cmake) compiles alone too.

Together, a source finds what another one has included before it. This compiles each of them alone, and only checks: no code is made.
Prints one line for each source that does not compile, and the compiler's first error.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def command_for(words, generated, source):
    """The command of the generated file, for one source, without output and precompiled headers."""
    command, skip = [], False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT") or (word == "-include" and "cmake_pch" in words[position + 1]):
            skip = True
        elif word == generated:
            command.append(str(source))
        elif word not in ("-c", "-MD", "-Winvalid-pch"):
            command.append(word)
    return command + ["-fsyntax-only"]


def sources(entry):
    """(command, source) for every source of a generated file."""
    words, generated = shlex.split(entry["command"]), entry["file"]
    folders = [pathlib.Path(word[2:]) for word in words if word.startswith("-I")]
    for path in INCLUDED.findall(pathlib.Path(generated).read_text()):
        source = next(folder / path for folder in folders if (folder / path).exists())
        yield command_for(words, generated, source), entry["directory"], source


def error_of(command, directory, source):
    run = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    first = next((line for line in run.stderr.splitlines() if "error" in line), "the compiler failed")
    return f"{source} does not compile alone, include what it uses: {first}"


def main():
    entries = [entry for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()) if "/unity/" in entry["file"]]
    work = [task for entry in entries for task in sources(entry)]
    if not work:
        sys.exit("alone.py: nothing is compiled together; is TACET_UNITY off?")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [error for error in pool.map(lambda task: error_of(*task), work) if error]
    print("\n".join(errors) if errors else f"{len(work)} sources compile alone")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
