#!/usr/bin/env python3
"""What documents refer to must exist.

  check_docs.py links FILE.md...                every relative link resolves, to a heading too where it names one
  check_docs.py orphans FILE.md...              every document but README.md and CONTRIBUTING.md at the root is linked from another
  check_docs.py mentions ROOT FOLDER...         every docs/...md that a source in these folders of ROOT names exists, with its heading
  check_docs.py decisions ARCHITECTURE FOLDER   every decision in FOLDER has its four parts, and ARCHITECTURE links to it
  check_docs.py errors ERROR_H ERRORS_MD        every code of the enum Code has its section: meaning, what was spent, what to do
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^[ ]*\[[^\]]+\]:[ ]*(\S+)", re.MULTILINE)
FENCED = re.compile(r"^\s*(`{3,}|~{3,}).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
PARTS = ("Meaning", "Spent", "What to do")
MENTION = re.compile(r"\bdocs/([\w./-]+\.(?:md|json))(?:#([\w-]+))?")
DECISION = ("Decision", "Why", "Rejected", "Where")


def without_code(text):
    """The text with code blanked out, so that lines keep their numbers and code is not taken for links or headings."""
    text = FENCED.sub(lambda match: "\n" * match.group(0).count("\n"), text)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(text):
    """The names that headings get, as GitHub makes them."""
    anchors, seen = set(), {}
    fences_gone = FENCED.sub("", text)
    for heading in re.findall(r"^#{1,6}\s+(.*?)\s*#*\s*$", fences_gone, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        anchors.add(slug if count == 0 else f"{slug}-{count}")
    return anchors | set(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", text))


def links(paths):
    for path in map(pathlib.Path, paths):
        text = path.read_text(encoding="utf-8")
        bare = without_code(text)
        for match in LINK.finditer(bare):
            target = match[1] or match[2]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            number = bare.count("\n", 0, match.start()) + 1
            name, _, anchor = target.partition("#")
            other = (path.parent / name) if name else path
            if target.startswith("/") or not other.exists():
                yield f"{path}:{number}: links to {target}, which does not exist"
            elif anchor and other.suffix == ".md" and anchor not in anchors_of(other.read_text(encoding="utf-8")):
                yield f"{path}:{number}: links to {target}, but {other.name} has no such heading"


def orphans(paths):
    paths = [pathlib.Path(path).resolve() for path in paths]
    linked = set()
    for path in paths:
        for match in LINK.finditer(without_code(path.read_text(encoding="utf-8"))):
            name = (match[1] or match[2]).partition("#")[0]
            other = (path.parent / name).resolve() if name else path
            if other != path:
                linked.add(other)
    for path in paths:
        if path not in linked and path.name not in ("README.md", "CONTRIBUTING.md"):
            yield f"{path}: no other document links to it; docs/README.md is the place for its line"


def mentions(root, *folders):
    root = pathlib.Path(root)
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*")):
        if path.suffix not in (".h", ".cc", ".sh", ".py", ".toml", ".cmake", ".txt") or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for name, anchor in MENTION.findall(line):
                page = root / "docs" / name
                if not page.exists():
                    yield f"{path.relative_to(root)}:{number}: names docs/{name}, which does not exist"
                elif anchor and anchor not in anchors_of(page.read_text(encoding="utf-8")):
                    yield f"{path.relative_to(root)}:{number}: names docs/{name}#{anchor}, but {page.name} has no such heading"


def decisions(architecture, folder):
    linked = {(pathlib.Path(architecture).parent / (match[1] or match[2])).resolve()
              for match in LINK.finditer(without_code(pathlib.Path(architecture).read_text(encoding="utf-8")))}
    for page in sorted(pathlib.Path(folder).glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = tuple(part for part in re.findall(r"^\*\*([\w ]+)\.\*\* \S", text, re.MULTILINE) if part in DECISION)
        if found != DECISION:
            yield f"{page}: must have these paragraphs in this order: " + ", ".join(f'"**{part}.** ..."' for part in DECISION)
        if page.resolve() not in linked:
            yield f"{page}: {pathlib.Path(architecture).name} does not link to it"


def errors(header, page):
    enum = re.search(r"enum class Code[^{]*{(.*?)}", pathlib.Path(header).read_text(encoding="utf-8"), re.DOTALL)
    codes = re.findall(r"^\s*(\w+)\s*(?:=\s*\d+\s*)?,", re.sub(r"//.*", "", enum[1]), re.MULTILINE) if enum else []
    if not codes:
        yield f"{header}: has no enum class Code with codes in it"
        return
    text = pathlib.Path(page).read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\s*$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    for code in codes:
        if code not in sections:
            yield f'{page}: has no section "## {code}"; every code has one ({", ".join(PARTS)})'
            continue
        for part in PARTS:
            if not re.search(rf"^\*\*{part}\.\*\* \S", sections[code], re.MULTILINE):
                yield f'{page}: the section {code} has no paragraph "**{part}.** ..."'
    for section in sections:
        if section not in codes:
            yield f"{page}: has a section {section}, which is no code of {pathlib.Path(header).name}"


def main(arguments):
    rules = {"links": lambda *paths: links(paths), "orphans": lambda *paths: orphans(paths), "mentions": mentions, "decisions": decisions, "errors": errors}
    if len(arguments) < 2 or arguments[0] not in rules:
        print(__doc__)
        return 2
    findings = list(rules[arguments[0]](*arguments[1:]))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
