#!/usr/bin/env python3
"""Does every header compile when nothing stands before it?

  headers_alone.py COMPILE_COMMANDS SOURCE FOLDER

asks the compiler about each generated file src/alone/*.cc of the database, which includes one header and nothing else, with the flags of its room.
To read the same headers again and again would take minutes. So some headers that many others include are precompiled, each alone; and a header
that includes one of them, directly or not, is compiled after it: it sees nothing that it does not include itself. That is decided by the
lines `#include "tacet/..."`. FOLDER keeps what is precompiled, and what passed before: it is not compiled again until it or a header that
it includes changes, or its flags.
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDE = re.compile(r'^#include "(tacet/[^"]+)"', re.MULTILINE)
CONDITION = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|else|elif)\b", re.MULTILINE)
# A precompiled header must serve so many others, or it costs more than it saves.
WORTH_IT = 4


class Tree:
    """Which of our headers a header includes, directly or not."""

    def __init__(self, folders):
        self.folders = [pathlib.Path(folder) for folder in folders]

    @functools.cache
    def path(self, header):
        return next((folder / header for folder in self.folders if (folder / header).exists()), None)

    @functools.cache
    def text(self, header):
        path = self.path(header)
        return path.read_text() if path else ""

    @functools.cache
    def below(self, header):
        """Those that it includes for certain: not where a condition decides."""
        text = self.text(header)
        found = {header}
        if not CONDITION.search(text):
            for inner in INCLUDE.findall(text):
                found |= self.below(inner)
        return frozenset(found)

    @functools.cache
    def all_below(self, header):
        found, queue = {header}, [header]
        while queue:
            for inner in INCLUDE.findall(self.text(queue.pop())):
                if inner not in found:
                    found.add(inner)
                    queue.append(inner)
        return frozenset(found)

    def digest(self, header, *more):
        hasher = hashlib.sha256(repr(more).encode())
        for inner in sorted(self.all_below(header)):
            hasher.update(inner.encode() + b"\0" + self.text(inner).encode() + b"\0")
        return hasher.hexdigest()


def bases(tree, headers, count=12):
    """{header: the header that is precompiled for it, or None}. Greedy: the one that spares most reading comes first."""
    base = dict.fromkeys(headers)
    for _ in range(count):
        gain = {}
        for header in headers:
            had = len(tree.below(base[header])) if base[header] else 0
            for inner in tree.below(header):
                if inner in base and inner != header and len(tree.below(inner)) > had:
                    gain.setdefault(inner, []).append((header, len(tree.below(inner)) - had))
        best = max(gain, key=lambda inner: (sum(g for _, g in gain[inner]) - WORTH_IT * len(tree.below(inner)), inner), default=None)
        if best is None or len(gain[best]) < WORTH_IT:
            break
        for header, _ in gain[best]:
            base[header] = best
    return base


class Checker:
    def __init__(self, tree, commands, folder):
        self.tree, self.commands, self.folder = tree, commands, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def stamp(self, header):
        return self.folder / (header.replace("/", "__") + ".passed")

    def key(self, header):
        return self.tree.digest(header, self.commands[header][0])

    def compiled(self, header, *arguments):
        command, directory = self.commands[header]
        run = subprocess.run(command + list(arguments), cwd=directory, capture_output=True, text=True, check=False)
        return None if run.returncode == 0 else run.stderr

    def precompile(self, header):
        """Alone, so it is checked by the way."""
        stub = self.folder / (header.replace("/", "__") + ".h")
        stub.write_text(f'#include "{header}"\n')
        return self.compiled(header, "-x", "c++-header", str(stub), "-o", f"{stub}.gch")

    def check(self, header, base):
        stub = self.folder / (header.replace("/", "__") + ".cc")
        stub.write_text(f'#include "{header}"\n')
        after = ["-include", str(self.folder / (base.replace("/", "__") + ".h")), "-Winvalid-pch"] if base else []
        return self.compiled(header, *after, "-fsyntax-only", str(stub))

    def run(self):
        """{header: what the compiler said}, and how many were compiled."""
        new = [h for h in self.commands if not (self.stamp(h).exists() and self.stamp(h).read_text() == self.key(h))]
        base = bases(self.tree, new)
        first = sorted({b for b in base.values() if b})
        trouble = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            trouble.update(zip(first, pool.map(self.precompile, first)))
            rest = [h for h in new if h not in first]
            trouble.update(zip(rest, pool.map(lambda h: self.check(h, base[h] if trouble.get(base[h]) is None else None), rest)))
        for header, said in trouble.items():
            if said is None:
                self.stamp(header).write_text(self.key(header))
        for header in first:
            (self.folder / (header.replace("/", "__") + ".h.gch")).unlink(missing_ok=True)
        return {h: said for h, said in trouble.items() if said is not None}, len(new)


def commands_of(database):
    """{header: (command without file and output, directory)} of the generated files."""
    found = {}
    for entry in database:
        if "/src/alone/" not in entry["file"]:
            continue
        words = shlex.split(entry["command"])
        words = words[next(i for i, word in enumerate(words) if re.search(r"(g|clang|c)\+\+(-\d+)?$", word)):]
        output = words.index("-o")
        del words[output:output + 2]
        words = [word for word in words if word not in ("-c", entry["file"])]
        header = INCLUDE.search(pathlib.Path(entry["file"]).read_text()).group(1)
        found[header] = (words, entry["directory"])
    return found


def main(database, source, folder):
    commands = commands_of(json.loads(pathlib.Path(database).read_text()))
    if not commands:
        sys.exit(f"headers_alone.py: no header in {database}")
    trouble, compiled = Checker(Tree([pathlib.Path(source) / "src"]), commands, folder).run()
    for header, said in trouble.items():
        print(f"{header} does not compile alone:\n{said}")
    print(f"{len(commands)} headers, {compiled} of them new or changed, {len(trouble)} do not compile alone")
    return 1 if trouble else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
