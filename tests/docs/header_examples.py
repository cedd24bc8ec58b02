#!/usr/bin/env python3
"""header_examples.py SOURCE COMPILER FLAG...: the example at the head of every header compiles.

The first comment of a header of src/tacet describes it. A paragraph of it that is indented by two more spaces and has a line that ends
in ";" is C++; other indented paragraphs are tables, formulas and files. A paragraph whose last line is "}" or "};" defines something.
All other C++ of a header is the body of one function, which may return anything, so TACET_TRY and TACET_CHECK work.

An example stands in the namespace of its header, and in a namespace of its own inside it. It sees all headers of its folder, and the
inputs that tests/docs/header_examples/FOLDER.h declares for the folder (in tacet::inputs). That file invents no API: what is not obvious
belongs into the example. One file per folder is compiled, without code generation, so errors name the line of the header.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Headers without an example in C++, each with the reason. It is better empty.
WITHOUT = {}

INPUTS = "tests/docs/header_examples"
TITLE = re.compile(r"[A-Z][a-z-]+(?:, [A-Z][a-z-]+)* {2,}\S")
CPP = re.compile(r";\s*(?://.*)?$")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
INPUT = re.compile(r"\bextern\b[^;]*;")
LINE = re.compile(r'^#line \d+ "(.*)"$', re.MULTILINE)
ERROR = re.compile(r"(?P<file>[^:]+):(?P<line>\d+):\d+: (?:fatal )?error: (?P<words>.*)")
PLACE = re.compile(r"^([^\s:]+):(\d+):\d+:", re.MULTILINE)


def paragraphs(text):
    """The indented paragraphs of the first comment: lists of (line number, line). What goes on with a contract line is none."""
    found, last, contract = [], 0, False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//") or "SPDX-License-Identifier" in line:
            break
        words = line[3:]
        if words.startswith("  ") and not contract:
            if last != number - 1:
                found.append([])
            found[-1].append((number, words[2:]))
            last = number
        else:
            contract = bool(TITLE.match(words)) or (contract and words.startswith(" "))
    return found


def is_cpp(paragraph):
    return any(CPP.search(line) for _, line in paragraph)


def example_of(text):
    """The C++ of a header: its definitions and its statements, two lists of paragraphs."""
    cpp = [paragraph for paragraph in paragraphs(text) if is_cpp(paragraph)]
    definitions = [paragraph for paragraph in cpp if paragraph[-1][1].rstrip() in ("}", "};")]
    return definitions, [paragraph for paragraph in cpp if paragraph not in definitions]


def placed(name, text_paragraphs):
    """The lines, each in the place that it has in its header, so that the compiler names line and column."""
    return "".join(f'#line {paragraph[0][0]} "{name}"\n' + "".join(f"     {line}\n" for _, line in paragraph) for paragraph in text_paragraphs)


def wrapped(name, text, number):
    """The example of a header as C++ that can stand beside others; nothing where there is none."""
    definitions, statements = example_of(text)
    if not definitions and not statements:
        return ""
    namespace = NAMESPACE.search(text)
    return (f"namespace {namespace[1] if namespace else 'tacet'} {{ namespace example_{number} {{\nusing namespace tacet::inputs;\n"
            f"{placed(name, definitions)}tacet::inputs::Anything example() {{\n{placed(name, statements)}}}\n}}}}\n")


def unit(source, folder, headers):
    """One file for the compiler with the examples of all headers of a folder; nothing where there are none."""
    examples = [wrapped(name, (source / name).read_text(encoding="utf-8"), number) for number, name in enumerate(headers)]
    if not any(examples):
        return ""
    inputs = [path for path in (f"{INPUTS}/all.h", f"{INPUTS}/{folder}.h") if (source / path).is_file()]
    includes = [f'#include "{name[len("src/"):]}"' for name in headers] + [f'#include "{source / path}"' for path in inputs]
    return "\n".join(includes) + "\n" + "".join(examples)


def compiled(source, command, text):
    """What the compiler says against a file: (file, line, words)."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "examples.cc"
        file.write_text(text, encoding="utf-8")
        options = ["-std=c++20", "-w", "-fsyntax-only", "-ftrack-macro-expansion=0", f"-I{source / 'src'}"]
        run = subprocess.run([*command, *options, str(file)], capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    examples = set(LINE.findall(text))
    errors, before = [], ""
    for line in run.stderr.splitlines():
        error = ERROR.match(line)
        if not error:
            before += line + "\n"
            continue
        # What is wrong in a template is said of the template: the place is the line that needs it.
        callers = [place for place in PLACE.findall(before) if place[0] in examples and error["file"] not in examples]
        file, number = callers[-1] if callers else (error["file"], error["line"])
        errors.append((file.removeprefix(f"{source}/"), int(number), error["words"]))
        before = ""
    return errors or ([("the compiler", 0, run.stderr)] if run.returncode != 0 else [])


def unused(source, inputs, headers):
    """What a file of inputs declares for no example."""
    examples = [line for name in headers for kind in example_of((source / name).read_text(encoding="utf-8")) for paragraph in kind for _, line in paragraph]
    used = set(re.findall(r"\w+", "\n".join(examples)))
    if not used:
        yield "there is no example for it; remove it"
        return
    for declaration in INPUT.findall(inputs.read_text(encoding="utf-8")):
        for name in re.findall(r"(\w+)\s*[,;]", declaration):
            if name not in used:
                yield f"declares {name}, which no example uses; remove it"


def check(source, command, without=None):
    """Everything that is wrong, one finding a line."""
    without = WITHOUT if without is None else without
    folders = {}
    for path in sorted((source / "src/tacet").rglob("*.h")):
        folders.setdefault(path.parent.relative_to(source / "src/tacet").as_posix(), []).append(path.relative_to(source).as_posix())
    if not folders:
        yield "src/tacet: has no headers"
    named = {name for headers in folders.values() for name in headers}
    for name in sorted(named):
        has = any(example_of((source / name).read_text(encoding="utf-8")))
        if not has and name not in without:
            yield f"{name}:1: has no example; indent a few lines that call it by two spaces in the first comment, and end them with ;"
        elif has and name in without:
            yield f"{name}: has an example now; remove it from WITHOUT in tests/docs/header_examples.py"
    for name in sorted(without.keys() - named):
        yield f"{name}: does not exist; remove it from WITHOUT in tests/docs/header_examples.py"
    for path in sorted((source / INPUTS).rglob("*.h")):
        folder = path.relative_to(source / INPUTS).with_suffix("").as_posix()
        if folder != "all":
            yield from (f"{INPUTS}/{folder}.h: {finding}" for finding in unused(source, path, folders.get(folder, ())))
    units = [text for text in (unit(source, folder, headers) for folder, headers in folders.items()) if text]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for errors in pool.map(lambda text: compiled(source, command, text), units):
            yield from (f"{file}:{line}: the example does not compile: {words}" for file, line, words in errors)


def main(source, *command):
    findings = list(check(pathlib.Path(source).resolve(), list(command)))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
