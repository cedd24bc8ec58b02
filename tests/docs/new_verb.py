#!/usr/bin/env python3
"""new_verb.py COMPILER: the diffs in CONTRIBUTING.md that add a verb and a study apply to the tree, and what they add compiles.

Each diff is applied to copies in a folder of their own, which the compiler searches before src.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import run_blocks

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^--- (?P<old>\S+)\n\+\+\+ b/(?P<new>\S+)\n(?P<hunks>(?:(?!--- ).*\n)*)", re.MULTILINE)
# The list declares the verb; a function that it does not declare is a warning.
PROBES = {
    "verbs": '#include "tacet/service/all_verbs.h"\n'
             "[[maybe_unused]] static constexpr tacet::service::Verb (*kDeclared)() = tacet::service::{name}_verb::make;\n"
             '#include "{file}"\n',
    "papers": '#include "tacet/studies/study_list.h"\n'
              "[[maybe_unused]] static constexpr tacet::studies::Study (*kDeclared)() = tacet::studies::{name}::make;\n"
              '#include "{file}"\n',
}


class Wrong(Exception):
    """The diff does not do what the document says."""


def applied(text, hunks, name):
    """The text after the hunks. A hunk without line numbers stands where its lines are, which must be one place."""
    for hunk in filter(None, re.split(r"^@@.*\n", hunks, flags=re.MULTILINE)):
        lines = hunk.splitlines()
        before = "".join(line[1:] + "\n" for line in lines if line[:1] in " -")
        after = "".join(line[1:] + "\n" for line in lines if line[:1] in " +")
        if text is None:
            return after
        if text.count(before) != 1:
            raise Wrong(f"{name}: these lines stand there {text.count(before)} times, not once:\n{before}")
        text = text.replace(before, after)
    return text


def check(document, compiler):
    diffs = [block for block in run_blocks.blocks_of("the document", document) if block.language == "diff"]
    if len(diffs) != len(PROBES):
        raise Wrong(f"the document has {len(diffs)} diffs, not {len(PROBES)}")
    kinds = {check_diff(diff, compiler) for diff in diffs}
    if kinds != PROBES.keys():
        raise Wrong(f"the diffs add files to {', '.join(sorted(kinds))} alone")


def check_diff(diff, compiler):
    """Returns the folder of the file that the diff adds."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        added = []
        for section in SECTION.finditer(diff.text):
            path = section["new"]
            is_new = section["old"] == "/dev/null"
            if is_new and (SOURCE / path).exists():
                raise Wrong(f"{path}: is there already")
            result = folder / path
            result.parent.mkdir(parents=True, exist_ok=True)
            result.write_text(applied(None if is_new else (SOURCE / path).read_text(), section["hunks"], path))
            if is_new:
                added.append(path)
        if len(added) != 1:
            raise Wrong(f"the diff adds {len(added)} files, not one")
        file = pathlib.Path(added[0])
        if file.parent.name not in PROBES:
            raise Wrong(f"{file}: is neither a verb nor a study")
        probe = folder / "probe.cc"
        probe.write_text(PROBES[file.parent.name].format(name=file.stem, file=file.relative_to("src")))
        command = [*compiler, "-std=c++20", "-Wall", "-Wextra", "-Wmissing-declarations", "-Werror", f"-I{folder / 'src'}", f"-I{SOURCE / 'src'}",
                   "-fsyntax-only", str(probe)]
        run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        if run.returncode != 0:
            raise Wrong(f"{file}: does not compile:\n{run.stderr}")
        return file.parent.name


def main():
    try:
        check((SOURCE / "CONTRIBUTING.md").read_text(encoding="utf-8"), shlex.split(sys.argv[1]))
    except Wrong as wrong:
        print(wrong)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
