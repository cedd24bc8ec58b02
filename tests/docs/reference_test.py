#!/usr/bin/env python3
"""reference_test.py PROGRAM FOLDER: the pages of the verbs in FOLDER are what PROGRAM (tacet-reference) writes, and their schemas are schemas.

A page that differs, is missing or is left over is named. `make reference` writes them anew.
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

DEBIAN = "/usr/bin/python3"
if importlib.util.find_spec("jsonschema") is None and sys.executable != DEBIAN:
    os.execv(DEBIAN, [DEBIAN, *sys.argv])  # another Python comes first on the PATH; the package python3-jsonschema is Debian's
import jsonschema


def findings(program, folder):
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([program, name], check=True)
        made = {path.name: path.read_bytes() for path in pathlib.Path(name).iterdir()}
    kept = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    for page in sorted(made.keys() | kept.keys()):
        if page not in kept:
            yield f"{folder}/{page} is missing"
        elif page not in made:
            yield f"{folder}/{page} is of no verb"
        elif made[page] != kept[page]:
            yield f"{folder}/{page} is not what the program says"
    for page, text in made.items():
        if page.endswith(".schema.json"):
            for part in json.loads(text)["$defs"].values():
                jsonschema.Draft202012Validator.check_schema(part)


def main(program, folder):
    found = list(findings(program, folder))
    for finding in found:
        print(f"{finding}; run `make reference`", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
