#!/usr/bin/env python3
"""The rules of the source tree, read from the files themselves.

  architecture.py arrows ROOM [NEED...]   the files of src/tacet/ROOM include ROOM, its NEEDs and nothing else of ours
  architecture.py rooms [ROOM...]         every folder of src/tacet with sources is one of these declared rooms
  architecture.py vault                   who may open and seal private values
  architecture.py shipped                 what ships includes nothing that is for tests
  architecture.py headers                 a header is one page that says what it is
  architecture.py comments                lines of comments are short enough to read
  architecture.py entropy                 random bits of the system have one door
  architecture.py trusted_base            what a release executes: in rooms with a star alone, and few lines
  architecture.py trusted_objects BUILD   what these files call is defined in them, as the objects in the folder BUILD say

All take --root FOLDER (the source tree; default: this one). Each finding is one line: file, line, what is wrong, what to do.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

INCLUDE = re.compile(r"^\s*(?:#|%:)\s*(?:include|import)\s*(?:_next\s*)?(.*?)\s*(?://.*)?$")
LONGEST_HEADER = 250
LONGEST_COMMENT = 100
LARGEST_TRUSTED_BASE = 10_000
# A release executes all of the kernel and of the data room, the program that reads data for it, and its random bits; what these include is
# found by reading. That program counts as a part of the data room.
SCANNER = "apps/tacet-scan"
RELEASE = ("src/tacet/kernel", "src/tacet/data", SCANNER, "src/tacet/exact/secure_bits")
# What only custodians execute: it is counted where a release leads to it, and otherwise told apart.
CUSTODY = "src/tacet/kernel/custody"
STARRED = re.compile(r"^[ \t]*tacet_room\(\s*(\w+)[^)]*\)[ \t]*#[ \t]*\*[ \t]*$", re.MULTILINE)
AUDITOR = "docs/explanation/auditor.md"
AUDITED = re.compile(r"^\| `(\w+)` \|.*\| about ([\d,]+) \|\s*$", re.MULTILINE)
SOURCES = (".cc", ".h", ".hpp", ".cpp", ".inc")
# Whoever opens the vault answers for what leaves it.
DOORS = {
    "tacet/kernel/vault.h": (
        re.compile(r"src/tacet/data/[^/]+\.cc|src/tacet/kernel/release\.cc|src/tacet/eigen/release_eigen\.cc|tests/.*"),
        "only src/tacet/data/*.cc, src/tacet/kernel/release.cc, src/tacet/eigen/release_eigen.cc (whose guarantee is idealised) and tests may"),
}
# Random bits have one door, which returns an error where there are none; behind these names programs end, or go on with weaker bits.
ENTROPY = "src/tacet/exact/entropy.cc"
RANDOM = re.compile(r"\b(randombytes\w*|getrandom|getentropy|sodium_init|arc4random\w*|srand|rand|drand48)\s*\(|\b(random_device)\b|(/dev/u?random)")
# What ships draws noise from SecureBits alone: no room above `exact` makes bits, and none but tests gives a Context others (its one default is empty).
OTHER_BITS = re.compile(r"\b(?:class|struct)\s+\w+[^;{()]*:[^;{()]*\bRandomBits\b|\brandom_bits\s*=(?!=)")
BITS = ("src/tacet/exact/", "src/tacet/workflow/context.h")
# Classes that others have as friends: a second definition would be a second key.
FRIENDS = {"Vault": "src/tacet/kernel/vault.h", "Publisher": "src/tacet/kernel/release.cc", "Ledger": "src/tacet/kernel/ledger/ledger.h"}


def files_of(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path, path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


# Raw texts and characters too: what looks like the start of a comment in them is none.
COMMENT_OR_STRING = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(?P<raw>[^()\\\s]{0,16})\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""", re.DOTALL)


def without_comments(text):
    """The text as the compiler reads it: spliced lines joined, comments blank; line feeds stay, so that lines keep their numbers."""
    def blank(match):
        found = match.group()
        if found.startswith(("//", "/*")):
            return " " + "\n" * found.count("\n")
        return '""' + "\n" * found.count("\n") if found.startswith("R") else found

    return COMMENT_OR_STRING.sub(blank, text.replace("\\\n", ""))


def includes_of(text):
    """(line number, what is included, its quoting) of every #include line."""
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            what = match.group(1)
            yield number, what.strip('"<>'), what[:1]


def arrows(root, room, needs):
    folder = root / "src" / "tacet" / room
    if not folder.is_dir():
        yield f"src/tacet/{room}: there is no such room; rooms are folders of src/tacet"
        return
    for _, name, text in files_of(root, f"src/tacet/{room}"):
        for number, what, quote in includes_of(text):
            if quote not in ('"', "<"):
                yield f"{name}:{number}: includes by a macro ({what}), which cannot be checked; write the name of the file"
            elif what.startswith("tacet/"):
                if not what.endswith(".h"):
                    yield f"{name}:{number}: includes {what}, which is no header by its name, so that no rule reads it; call it .h"
                other = what.split("/")[1]
                if other != room and other not in needs:
                    yield (f'{name}:{number}: room "{room}" includes {what}, but "{other}" is not among its needs ({" ".join(needs) or "none"}); '
                           f"move the code to a room that may, or add the need in src/CMakeLists.txt if the arrow points to a line above")
            elif quote == '"' or ".." in what:
                yield f'{name}:{number}: includes "{what}" by a relative name; write "tacet/<room>/<name>.h"'


def rooms(root, declared):
    for folder in sorted((root / "src" / "tacet").iterdir()):
        if folder.is_dir() and any(folder.rglob("*.cc")) and folder.name not in declared:
            yield f"src/tacet/{folder.name}: is no declared room, so nothing checks its arrows; add it to src/CMakeLists.txt"


def vault(root):
    for _, name, text in files_of(root, "src", "apps", "bench", "fuzz", "examples", "python", "tests"):
        for number, what, _ in includes_of(text):
            for door, (keepers, who) in DOORS.items():
                if what.split("/")[-1] == door.split("/")[-1] and not keepers.fullmatch(name):
                    yield f"{name}:{number}: includes {door}, which {who}; ask the data room for what you need, or the kernel to release it"
        for friend, home in FRIENDS.items():
            key = rf"\b(?:class|struct|union)\s+(?:\[\[.*?\]\]\s*|__attribute__\s*\(\(.*?\)\)\s*)*(?:\w+\s*::\s*|::\s*)*{friend}\s*(?:final\s*)?(?::(?!:)|{{)"
            if name != home and re.search(key, without_comments(text)):
                yield f"{name}: defines a class {friend}, but that name is a friend of sealed classes and belongs to {home}; choose another name"
        if re.search(r"^\s*#\s*define\s+(private|protected|class)\b", text, re.MULTILINE):
            yield f"{name}: redefines a keyword that keeps private values private; remove it"


def shipped(root):
    tests = [path.name for path in (root / "tests").iterdir() if path.is_dir()] if (root / "tests").is_dir() else []
    for _, name, text in files_of(root, "src", "apps"):
        for number, what, _ in includes_of(text):
            first = what.split("/")[0]
            if what.startswith(("gtest/", "gmock/", "benchmark/")) or "tests/" in what or first == "support" or (first in tests and "/" in what):
                yield f"{name}:{number}: includes {what}, which is for tests; what ships may not (randomness that can be foreseen must not ship)"


def entropy(root):
    for _, name, text in files_of(root, "src", "apps"):
        if name == ENTROPY:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = RANDOM.search(line.split("//")[0] if "/dev/" not in line else line)
            if match:
                found = next(group for group in match.groups() if group)
                yield f"{name}:{number}: uses {found}; draw bits with tacet/exact/entropy.h, which says so where the system has none"
            if OTHER_BITS.search(line.split("//")[0]) and not name.startswith(BITS):
                yield f"{name}:{number}: makes random bits or chooses them; noise that ships is drawn from exact::SecureBits, which Context::open_bits opens"


def headers(root):
    lengths = []
    for path, name, text in files_of(root, "src/tacet"):
        if path.suffix != ".h":
            continue
        lines = text.splitlines()
        lengths.append(len(lines))
        banner = f"// {path.relative_to(root / 'src').as_posix()}: "
        if not lines or not lines[0].startswith(banner) or len(lines[0]) <= len(banner):
            yield f'{name}:1: must start with "{banner}<what it is, in one line>"'
        if "// SPDX-License-Identifier: Apache-2.0" not in lines:
            yield f'{name}: has no line "// SPDX-License-Identifier: Apache-2.0"; it ends the banner'
        code = [line for line in lines if line.strip() and not line.startswith("//")]
        if not code or code[0] != "#pragma once":
            yield f'{name}: the first line after the banner must be "#pragma once"'
        source = path.with_suffix(".cc")
        own = path.relative_to(root / "src").as_posix()
        if source.is_file() and next((what for _, what, _ in includes_of(source.read_text(encoding="utf-8"))), own) != own:
            yield f'{name[:-1]}cc: must include "{own}" first, which shows that the header needs nothing before it'
        if len(lines) > LONGEST_HEADER:
            yield f"{name}: has {len(lines)} lines, but a header is one page (at most {LONGEST_HEADER} lines); split it by what it offers"
    if not lengths:
        yield "src/tacet: has no headers; is --root right?"
    else:
        print(f"{len(lengths)} headers, median {statistics.median(lengths):.0f} lines (aim: 80), longest {max(lengths)} (limit: {LONGEST_HEADER})")


def comments(root):
    """A comment is prose, and prose is read in short lines. Code beside it may be longer: clang-format sees to that."""
    seen = 0
    for _, name, text in files_of(root, "src", "apps", "tests", "bench", "fuzz", "examples"):
        for number, line in enumerate(text.splitlines(), 1):
            if not line.lstrip().startswith("//"):
                continue
            seen += 1
            if len(line) > LONGEST_COMMENT:
                yield f"{name}:{number}: has {len(line)} columns, but a line of a comment has at most {LONGEST_COMMENT}; break it"
    if not seen:
        yield "src: has no comments; is --root right?"


def executed(root):
    """The files that a release executes, each with the file that led to it."""
    sources = {name for _, name, _ in files_of(root, "src/tacet", SCANNER)}
    found = {name: "what a release executes" for name in sorted(sources) if name.startswith(RELEASE) and not name.startswith(CUSTODY)}
    queue = list(found)
    while queue:
        name = queue.pop()
        path = pathlib.PurePosixPath(name)
        led = {f"src/{what}" for _, what, _ in includes_of((root / name).read_text(encoding="utf-8")) if what.startswith("tacet/")}
        led |= {other for other in (str(path.with_suffix(".cc")), str(path.with_suffix(".h"))) if other in sources}
        # A source without a header of its own defines what some other header of its room declares.
        led |= {other for other in sources if other.startswith(f"{path.parent}/") and other.endswith(".cc") and other[:-2] + "h" not in sources}
        for other in sorted(led - found.keys()):
            found[other] = name
            if (root / other).is_file():
                queue.append(other)
    return found


# What the build makes by itself: the identity of the programs of one build.
MADE = re.compile(r"^_ZN5tacet4data10scan_buildE")


def symbols_of(path):
    """The names that an object defines, and those that it needs from others."""
    defined, needed = set(), set()
    for line in subprocess.run(["nm", "--format=posix", str(path)], capture_output=True, text=True, check=True).stdout.splitlines():
        name, kind = line.split()[:2]
        (needed if kind in "Uwv" else defined).add(name)
    return defined, needed


def trusted_objects(root, build):
    """Includes do not show where a function is defined: it may be declared in a trusted room and defined in any other."""
    objects = [path for path in build.rglob("*.cc.o") if "tests" not in path.relative_to(build).parts]
    defined, needed = set(), {}
    for name in sorted(executed(root)):
        if not name.endswith(".cc"):
            continue
        folder, own = (SCANNER, name[len(SCANNER) + 1:]) if name.startswith(SCANNER) else ("src", name[len("src/"):])
        mine = [path for path in objects if path.as_posix().startswith(f"{(build / folder).as_posix()}/") and path.as_posix().endswith(f".dir/{own}.o")]
        if len(mine) != 1:
            yield f"{name}: has {len(mine)} objects below {build}, but must have one; build everything, and compile what is trusted one source at a time"
            continue
        has, needs = symbols_of(mine[0])
        defined |= has
        needed.update({symbol: name for symbol in needs if "5tacet" in symbol})
    for symbol, name in sorted(needed.items()):
        if symbol not in defined and not MADE.match(symbol):
            yield f"{name}: calls {symbol}, which no file that counts as trusted defines; define it in the source of the header that declares it"


def trusted_base(root):
    stars = STARRED.findall((root / "src/CMakeLists.txt").read_text(encoding="utf-8"))
    if not stars:
        yield 'src/CMakeLists.txt: marks no room with "# *" as trusted; is --root right?'
    lines = {room: 0 for room in stars}
    for name, led_by in sorted(executed(root).items()):
        if not (root / name).is_file():
            yield f"{led_by}: includes {name}, which does not exist"
            continue
        room = "data" if name.startswith(SCANNER) else name.split("/")[2]
        if room not in lines:
            yield (f'{name}: is executed by a release ({led_by} leads to it), but room "{room}" has no star; '
                   f"move what is needed to a room that has one, or do without it")
            continue
        lines[room] += len((root / name).read_text(encoding="utf-8").splitlines())
    total = sum(lines.values())
    for room, count in lines.items():
        print(f"{room:<10} {count:6,}")
    print(f"{'together':<10} {total:6,}  lines that privacy rests on (limit: {LARGEST_TRUSTED_BASE:,})")
    if total > LARGEST_TRUSTED_BASE:
        yield (f"the trusted base has {total} lines, but at most {LARGEST_TRUSTED_BASE} can be read in a day; "
               f"what only advises belongs into a room without a star")
    yield from audited(root, lines)


def audited(root, lines):
    """The page for the auditor says about how much there is to read: to within a tenth, and a hundred lines."""
    page = root / AUDITOR
    if not page.is_file():
        return
    told = {room: int(count.replace(",", "")) for room, count in AUDITED.findall(page.read_text(encoding="utf-8"))}
    for room, count in lines.items():
        if room not in told:
            yield f'{AUDITOR}: does not tell how much there is to read in room "{room}": add a line "| `{room}` | ... | about {count} |"'
        elif abs(told[room] - count) > count / 10 + 100:
            yield f'{AUDITOR}: tells of about {told[room]} lines in room "{room}", but it has {count}'


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    rules = parser.add_subparsers(dest="rule", required=True)
    arrow = rules.add_parser("arrows")
    arrow.add_argument("room")
    arrow.add_argument("needs", nargs="*")
    rules.add_parser("rooms").add_argument("declared", nargs="*")
    for rule in ("vault", "shipped", "headers", "comments", "entropy", "trusted_base"):
        rules.add_parser(rule)
    rules.add_parser("trusted_objects").add_argument("build", type=pathlib.Path)
    options = parser.parse_args(arguments)
    if options.rule == "arrows":
        findings = list(arrows(options.root, options.room, options.needs))
    elif options.rule == "rooms":
        findings = list(rooms(options.root, options.declared))
    elif options.rule == "trusted_objects":
        findings = list(trusted_objects(options.root, options.build.resolve()))
    else:
        rules_of_the_tree = {"vault": vault, "shipped": shipped, "headers": headers, "comments": comments, "entropy": entropy,
                             "trusted_base": trusted_base}
        findings = list(rules_of_the_tree[options.rule](options.root))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
