#!/usr/bin/env python3
"""Executes the fenced blocks of Markdown files, so that nothing is written that is not run.

  run_blocks.py --source FOLDER [--program FILE] [--library FILE] [--build FOLDER] [--compiler COMMAND] [--accept] FILE.md...

The line before a block says what is done with it; readers do not see it:

  <!-- run -->               sh: runs it with bash (-euo pipefail), which must succeed. cpp: compiles, links and runs it.
  <!-- run, exit 3 -->       the same, and the exit status must be 3
  <!-- run as: COMMAND -->   sh: runs COMMAND in place of what is shown (for `make demo`, which would build inside a test)
  <!-- output -->            text or json: must be what the last run block printed (needed only where prose stands between them)
  <!-- output, noise varies -->  the same, but noisy values with their intervals, "12 [3, 20]", may be any (see without_noise)
  <!-- output, numbers vary -->  the same, but numbers may be any, except amounts of privacy and levels ("rho 0.1", "level 0.05")
  <!-- file: NAME -->        any language: writes the block to the file NAME, for the blocks after it
  <!-- compile -->           cpp: statements; compiled inside a function that may return an error (TACET_TRY works)
  <!-- compile, file -->     cpp: declarations, or a whole file; compiled as it stands
  <!-- not run: REASON -->   left alone, and says why

A text or json block right after a run block is its output. In an output `...` stands for anything: for a part of a line, or, alone
on its line, for any number of lines. Everything that is random must be written so.

Every block but text must have one of these lines: one that is neither run nor excused fails. Each file has a fresh folder that looks
like the source tree after `make build`: examples/ is a copy, build/tacet is the program, which is also on the PATH. What a block
leaves there, the next one finds. $TACET_BUILD is the folder of the build, for a block that installs it.

--accept writes what is printed into the documents, where that is not what they show: for a change of words that is meant. Lines that
still agree stay as they are, `...` too. Read the difference before you keep it.
"""
import argparse
import dataclasses
import difflib
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap

FENCE = re.compile(r"^(?P<indent>\s*)(?P<ticks>`{3,}|~{3,})\s*(?P<language>[\w+-]*)(?P<rest>.*)$")
MARK = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
SHELL = ("sh", "bash")
CPP = ("cpp", "c++")
OUTPUT = ("text", "json")
OUTPUT_MARKS = ("output", "output, noise varies", "output, numbers vary")
SECONDS = 300


@dataclasses.dataclass
class Block:
    file: str
    line: int  # of the fence
    indent: str
    language: str
    text: str
    mark: str
    after_block: bool  # nothing but blank lines since the block before

    def where(self):
        return f"{self.file}:{self.line}"


class Wrong(Exception):
    """What a document says is not so."""


def blocks_of(name, text):
    """The fenced blocks of a document, each with its mark."""
    blocks, mark, after_block = [], "", False
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        fence = FENCE.match(line)
        if fence:
            body = []
            for _, inner in lines:
                closing = inner.strip()
                if closing.startswith(fence["ticks"]) and not closing.strip(fence["ticks"][0]):
                    break
                body.append(inner)
            else:
                raise Wrong(f"{name}:{number}: the block is never closed")
            blocks.append(Block(name, number, fence["indent"], fence["language"].lower(), textwrap.dedent("\n".join(body)) + "\n", mark, after_block))
            mark, after_block = "", True
        elif MARK.match(line):
            mark = MARK.match(line)[1]
        elif line.strip():
            mark, after_block = "", False
    return blocks


def pattern_of(expected):
    """The regular expression for an output in which `...` stands for anything."""
    parts = []
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts) + r"\s*")


def without_noise(text):
    """The text with every noisy value and its interval replaced by signs."""
    return with_even_columns(re.sub(r"-?[\d,.]+ \[[\d,]+, [\d,]+\]", "# [#, #]", text))


def without_numbers(text):
    """The text with every number replaced by a sign, but those that no noise changes: amounts of privacy and levels."""
    number = r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?"
    return with_even_columns(re.sub(rf"(\b(?:rho|epsilon|delta|mu|level|confidence) {number})|{number}", lambda match: match[1] or "#", text))


def with_even_columns(text):
    """The text with columns and rules of any width made one."""
    return "".join(re.sub(r"-{5,}", "-----", re.sub(r" {2,}", "  ", line.rstrip())) + "\n" for line in text.splitlines())


def unchanged(text):
    return text


def accepted(shown, printed, blurred):
    """What is printed, with the lines of what is shown that still agree with it."""
    shown, printed = shown.splitlines(), printed.rstrip().splitlines()

    @functools.lru_cache(None)
    def unlike(i, j):
        line = blurred(shown[i])
        if pattern_of(line).fullmatch(blurred(printed[j]).rstrip() + "\n"):
            return 0.0
        return 1.5 - difflib.SequenceMatcher(None, line, blurred(printed[j])).ratio()

    # best[i][j]: how well shown[i:] and printed[j:] can be laid side by side, and the lines to show then.
    best = [[None] * (len(printed) + 1) for _ in range(len(shown) + 1)]
    for i in range(len(shown), -1, -1):
        for j in range(len(printed), -1, -1):
            anything = i < len(shown) and shown[i].strip() == "..."
            ways = [(0.0, [])] if i == len(shown) and j == len(printed) else []
            if i < len(shown):
                cost, lines = best[i + 1][j]
                ways.append((cost, [shown[i], *lines]) if anything else (cost + 1, lines))
            if j < len(printed):
                cost, lines = best[i][j + 1]
                ways.append((cost, lines) if anything else (cost + 1, [printed[j], *lines]))
            if i < len(shown) and j < len(printed) and not anything:
                cost, lines = best[i + 1][j + 1]
                ways.append((cost + unlike(i, j), [shown[i] if unlike(i, j) == 0 else printed[j], *lines]))
            best[i][j] = min(ways, key=lambda way: way[0])
    return best[0][0][1]


def wrapped(code):
    """Statements as a program: includes first, the rest inside a function from which errors may be returned."""
    lines = code.splitlines()
    is_top = [line.lstrip().startswith("#include") for line in lines]
    top = [line for line, include in zip(lines, is_top) if include]
    body = [line for line, include in zip(lines, is_top) if not include]
    return "\n".join(['#include "tacet/base/result.h"', "#include <cstdio>", *top, "static tacet::Status example() {", *body, "return {};", "}",
                      "int main() {", "const tacet::Status status = example();",
                      'if (!status.ok()) std::printf("%s\\n", status.error().message().c_str());', "return status.ok() ? 0 : 1;", "}", ""])


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.printed, self.just_ran = None, False  # by the last run block; is it the block right before?
        self.accepted = []  # blocks with the lines that they should show
        self.environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        for name in ("TACET_FALSE_ALARM_LEDGER", "TACET_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)
        if options.build:
            self.environment["TACET_BUILD"] = str(options.build.resolve())
        examples = options.source / "examples"
        if examples.is_dir():
            shutil.copytree(examples, self.folder / "examples")
        if options.program:
            (self.folder / "build").mkdir()
            (self.folder / "build" / "tacet").symlink_to(options.program.resolve())
            self.environment["TACET"] = str(self.folder / "build" / "tacet")
            self.environment["PATH"] = f"{self.folder / 'build'}{os.pathsep}{os.environ['PATH']}"
            for reader in ("tacet-scan", "tacet-look"):  # which programs of C++ blocks look for beside themselves
                if (options.program.resolve().parent / reader).exists():
                    (self.folder / reader).symlink_to(options.program.resolve().parent / reader)

    def execute(self, block, command, status=0):
        try:
            run = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace", check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired as slow:
            raise Wrong(f"{block.where()}: still running after {SECONDS} seconds") from slow
        if run.returncode != status:
            raise Wrong(f"{block.where()}: exits with {run.returncode}, but {status} is expected; it printed:\n{run.stdout}")
        return run.stdout

    def compile(self, block, code, link):
        source = self.folder / "block.cc"
        source.write_text(code)
        command = self.options.compiler + ["-std=c++20", "-Wall", "-Wextra", f"-I{self.options.source / 'src'}", str(source)]
        if not link:
            command.append("-fsyntax-only")
        elif self.options.library:
            library = self.options.library.resolve()
            command += ["-o", str(self.folder / "block"), f"-Wl,-rpath,{library.parent},--copy-dt-needed-entries", str(library)]
        else:
            raise Wrong(f"{block.where()}: cannot be linked without --library")
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise Wrong(f"{block.where()}: does not compile:\n{run.stderr}")

    def shell(self, block, mark):
        status = re.fullmatch(r"run(?:, exit (\d+))?", mark)
        instead = re.fullmatch(r"run as: (.+)", mark)
        if instead:
            self.printed = self.execute(block, ["bash", "-euo", "pipefail", "-c", instead[1]])
        elif status:
            self.printed = self.execute(block, ["bash", "-euo", "pipefail", "-c", block.text], int(status[1] or 0))
        else:
            return False
        return True

    def cpp(self, block, mark):
        status = re.fullmatch(r"run(?:, exit (\d+))?", mark)
        whole = block.text if re.search(r"\bint main\(", block.text) or mark == "compile, file" else wrapped(block.text)
        if status:
            self.compile(block, whole, link=True)
            self.printed = self.execute(block, [str(self.folder / "block")], int(status[1] or 0))
        elif mark in ("compile", "compile, file"):
            self.compile(block, whole, link=False)
        else:
            return False
        return True

    def output(self, block):
        if self.printed is None:
            raise Wrong(f"{block.where()}: is marked as output, but no block before it is run")
        blurred = {"output, noise varies": without_noise, "output, numbers vary": without_numbers}.get(block.mark, unchanged)
        if pattern_of(blurred(block.text)).fullmatch(blurred(self.printed.rstrip() + "\n")):
            return
        if self.options.accept:
            self.accepted.append((block, accepted(block.text, self.printed.replace(str(self.folder), "..."), blurred)))
        else:
            raise Wrong(f"{block.where()}: shows what is not printed\n-- shown:\n{block.text}-- printed:\n{self.printed}")

    def take(self, block):
        """What was done with the block. Raises Wrong where the document is not true."""
        if not block.language:
            raise Wrong(f"{block.where()}: a block must name its language (text, if it has none)")
        mark = block.mark
        if re.fullmatch(r"not run: .*\w.*", mark):
            return "excused"
        if mark.startswith("file: "):
            path = self.folder / mark[len("file: "):]
            if not path.resolve().is_relative_to(self.folder.resolve()):
                raise Wrong(f"{block.where()}: writes outside its folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
            return "run"
        if block.language in OUTPUT and (mark in OUTPUT_MARKS or (not mark and block.after_block and self.just_ran)):
            self.output(block)
            return "run"
        if block.language in SHELL and self.shell(block, mark):
            return "run"
        if block.language in CPP and self.cpp(block, mark):
            return "run"
        if mark and not mark.startswith("not run"):
            raise Wrong(f'{block.where()}: nothing is known to do with a {block.language} block marked "{mark}"; see tests/docs/run_blocks.py')
        if block.language == "text" and not mark:
            return "text"
        raise Wrong(f"{block.where()}: a {block.language} block is neither run nor excused; write one of these on the line before it:\n"
                    "  <!-- run -->    or    <!-- not run: the reason -->    (all of them: tests/docs/run_blocks.py)")


def run_file(options, path):
    """The number of blocks run and excused. Raises Wrong."""
    counts = {"run": 0, "excused": 0, "text": 0}
    name = os.path.relpath(path, options.source)
    blocks = blocks_of(name, path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        for block in blocks:
            counts[runner.take(block)] += 1
            runner.just_ran = block.mark.startswith("run")
    if runner.accepted:
        rewrite(path, runner.accepted)
    return counts


def rewrite(path, blocks):
    """The document with other lines in these blocks. They stand between fences, and what was there has as many lines as their text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for block, new in reversed(blocks):
        lines[block.line:block.line + len(block.text.splitlines())] = [(block.indent + line).rstrip() for line in new]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--compiler", type=shlex.split, default=["c++"])
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args(arguments)
    options.source = options.source.resolve()
    failed = False
    for path in options.files:
        try:
            counts = run_file(options, path.resolve())
            print(f"{path.name}: {counts['run']} blocks run, {counts['excused']} excused")
        except Wrong as wrong:
            print(wrong)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
