#!/usr/bin/env python3
"""united.py COMPILE_COMMANDS: sources that are compiled together (cmake/TacetUnity.cmake) do not share names by accident.

Alone, a name in an unnamed namespace belongs to one source. Together, a function of another source is an overload of it, and may be
the better match: the program then does something else, without an error. So within a folder a name that one source declares in an
unnamed namespace is declared there by no other source, and called without qualification by none.
Each finding is one line: the name, who declares it, who uses it.
"""
import json
import pathlib
import re
import sys

INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
REGION = re.compile(r"^namespace \{$(.*?)^\}  @$", re.MULTILINE | re.DOTALL)
AROUND = re.compile(r"^namespace ([\w:]+) \{$", re.MULTILINE)
# In formatted code what a namespace declares begins at the start of a line.
TYPE = re.compile(r"^(?:template <[^\n]*>\s*)?(?:struct|class|enum class|enum|concept) (\w+)", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) =", re.MULTILINE)
FUNCTION = re.compile(r"^[A-Za-z_][^\n;={}()]*?[\s&*](\w+)\(", re.MULTILINE)
VALUE = re.compile(r"^(?:static |inline )*(?:constexpr|const)\b[^\n(;]*?\b(\w+)(?:\{| = |\[|\()", re.MULTILINE)
# Of Google Test, and PrintTo, whose overloads differ by type on purpose.
MACROS = re.compile(r"^(?:PrintTo|TEST|TEST_P|TEST_F|INSTANTIATE\w*|TYPED_TEST\w*|MATCHER\w*|ACTION\w*|BENCHMARK\w*)$")


def stripped(path):
    text = RAW.sub('""', pathlib.Path(path).read_text())
    return COMMENT.sub('""', re.sub(r"^\}  // namespace$", "}  @", text, flags=re.MULTILINE))


def declared(text):
    names = set()
    for region in REGION.findall(text):
        for kind in (TYPE, ALIAS, FUNCTION, VALUE):
            names |= set(kind.findall(region))
    return {name for name in names if not MACROS.match(name)}


def calls(text, name):
    """Unqualified uses that a declaration elsewhere could capture."""
    return re.search(rf"(?<![\w.:>&])(?<!->){re.escape(name)}\(", text) is not None


def folders(entries):
    """The sources that are compiled together or could be, by folder."""
    groups = {}
    for entry in entries:
        roots = [pathlib.Path(word[2:]) for word in entry["command"].split() if word.startswith("-I")]
        for path in INCLUDED.findall(pathlib.Path(entry["file"]).read_text()):
            source = next(root / path for root in roots if (root / path).exists())
            text = stripped(source)
            around = AROUND.findall(text)[-1:]  # a namespace of its own keeps a source apart
            groups.setdefault((source.parent, *around), {})[source.name] = text
    return groups


def findings(sources):
    names = {source: declared(text) for source, text in sources.items()}
    for source in sorted(sources):
        for name in sorted(names[source]):
            for other in sorted(sources):
                if other == source:
                    continue
                if name in names[other]:
                    if source < other:
                        yield f"{name} is declared in the unnamed namespaces of {source} and {other}: give one of them another name"
                elif calls(sources[other], name):
                    yield f"{name} of the unnamed namespace of {source} could be taken for what {other} calls {name}(): give it another name"


def main():
    entries = [entry for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()) if "/unity/" in entry["file"]]
    found = [f"{key[0].name}: {line}" for key, sources in sorted(folders(entries).items()) for line in findings(sources)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
