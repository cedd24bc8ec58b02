#!/usr/bin/env python3
"""reference_test.py PROGRAM FOLDER SOURCE: the pages of the verbs in FOLDER are what PROGRAM (tacet-reference) writes, and their schemas are schemas.

A page that differs, is missing or is left over is named. `make reference` writes them anew. The C++ function that a page names is
declared in the header that it names, below SOURCE.
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DEBIAN = "/usr/bin/python3"
if importlib.util.find_spec("jsonschema") is None and sys.executable != DEBIAN:
    os.execv(DEBIAN, [DEBIAN, *sys.argv])  # another Python comes first on the PATH; the package python3-jsonschema is Debian's
import jsonschema


LIBRARY = re.compile(r"^C\+\+: `(?:\w+::)*(\w+)` in `(tacet/workflow/[\w/]+\.h)`\.$", re.MULTILINE)


def misnamed(page, text, source):
    """What is wrong with the C++ function that a page names."""
    named = LIBRARY.search(text)
    if not named:
        return None if "C++:" not in text else f"{page} names a C++ function in another way"
    function, header = named.groups()
    path = pathlib.Path(source) / header
    if not path.is_file():
        return f"{page} names {header}, which does not exist"
    code = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    return None if re.search(rf"\b{function}(\(|;)", code) else f"{page} names {function}, which {header} does not declare"


def findings(program, folder, source):
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
    for page, text in sorted(made.items()):
        if page.endswith(".md") and page != "README.md":
            wrong = misnamed(page, text.decode(), source)
            if wrong:
                yield f"{wrong}; see .library in src/tacet/service/verbs"
        if page.endswith(".schema.json"):
            for part in json.loads(text)["$defs"].values():
                jsonschema.Draft202012Validator.check_schema(part)


def main(program, folder, source):
    found = list(findings(program, folder, source))
    for finding in found:
        print(f"{finding}; run `make reference`", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
