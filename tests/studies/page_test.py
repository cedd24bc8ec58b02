#!/usr/bin/env python3
"""page_test.py PROGRAM PAGE: `tacet study run all --docs` makes PAGE and its pictures again from the sums beside it.

The sums are of the studies' present versions: nothing is simulated here.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile


def stale(program, folder):
    """The studies whose sums are missing or of another version."""
    studies = json.loads(subprocess.run([program, "study", "list", "--json"], check=True, capture_output=True, text=True).stdout)["studies"]
    for study in studies:
        path = folder / f"{study['name']}.cells.jsonl"
        header = json.loads(path.read_text(encoding="utf-8").split("\n", 1)[0]) if path.is_file() else None
        if header != {"study": study["name"], "version": int(study["version"]), "seed": 1, "quick": False, "trials": None}:
            yield study["name"]


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = page.with_suffix("")
    found = [f"{folder}/{name}.cells.jsonl is missing or of another version" for name in stale(program, folder)]
    if not found:
        with tempfile.TemporaryDirectory() as name:
            copy = pathlib.Path(name) / page.name
            shutil.copytree(folder, copy.with_suffix(""), ignore=shutil.ignore_patterns("*.svg"))
            subprocess.run([program, "study", "run", "all", "--docs", str(copy)], check=True, stdout=subprocess.DEVNULL)
            made = {path.relative_to(name): path.read_bytes() for path in pathlib.Path(name).rglob("*") if path.is_file()}
            kept = {path.relative_to(page.parent): path.read_bytes() for path in [page, *folder.rglob("*")] if path.is_file()}
            found = [f"{page.parent / path} differs from what the studies find" for path in sorted(made.keys() | kept.keys()) if made.get(path) != kept.get(path)]
    for line in found:
        print(f"{line}; `build/tacet study run all --docs docs/studies.md` writes it anew")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
