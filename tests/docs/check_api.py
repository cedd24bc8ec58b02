#!/usr/bin/env python3
"""The pages of the C++ API are complete, and Doxygen has nothing to complain about.

  check_api.py ROOT FOLDER INTERNAL HEADER...   runs Doxygen in ROOT as docs/reference/Doxyfile and then the file INTERNAL say, into FOLDER;
                                                HEADERs are the installed ones

Every installed header has a page, and no other; every room's namespace, and every type of the room workflow, says in a sentence what it is.
Each finding is one line: file, what is wrong, what to do.
"""
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

TYPES = ("class", "struct", "union")
MEMBER_TYPES = ("enum", "typedef")


def doxygen(root, folder, internal):
    """What Doxygen says, line by line. Only the XML is made, which is quick and read here."""
    shutil.rmtree(folder / "xml", ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    settings = f"@INCLUDE = docs/reference/Doxyfile\n@INCLUDE = {internal}\nOUTPUT_DIRECTORY = {folder}\nGENERATE_HTML = NO\nGENERATE_XML = YES\nXML_PROGRAMLISTING = NO\n"
    try:
        run = subprocess.run(["doxygen", "-"], input=settings, cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return ["doxygen is not installed; run tools/setup"]
    said = [line.replace(f"{root}/", "") for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    return said or ([f"doxygen failed with {run.returncode}"] if run.returncode else [])


def compounds(folder):
    """The files, namespaces and types that have a page."""
    for path in sorted((folder / "xml").glob("*.xml")):
        if path.name != "index.xml":
            yield from xml.etree.ElementTree.parse(path).getroot().iter("compounddef")


def described(element):
    return bool("".join(element.find("briefdescription").itertext()).strip())


def place(element):
    return element.find("location").get("file", "")


def findings(root, folder, internal, headers):
    said = doxygen(root, folder, internal)
    yield from said
    if said:
        return
    installed = {pathlib.Path(header).resolve().relative_to(root / "src").as_posix() for header in headers}
    rooms = {"tacet"} | {"tacet::" + header.split("/")[1] for header in installed}
    pages = set()
    for compound in compounds(folder):
        kind, name = compound.get("kind"), compound.findtext("compoundname")
        if kind == "file" and name.endswith(".h"):
            pages.add(place(compound))
        elif kind == "namespace" and name in rooms and not described(compound):
            yield f"docs/reference/api.md: does not say what is in {name}; add its row to the table of rooms"
        elif kind in TYPES and compound.get("prot") == "public" and "tacet/workflow/" in place(compound) and not described(compound):
            yield f"src/{place(compound)}: does not say what {name} is; write a line /// before it"
        if kind == "namespace" and name == "tacet":
            for member in compound.iter("memberdef"):
                if member.get("kind") in MEMBER_TYPES and "tacet/workflow/" in place(member) and not described(member):
                    yield f"src/{place(member)}: does not say what {name}::{member.findtext('name')} is; write a line /// before it"
    for header in sorted(installed - pages):
        yield f"src/{header}: is installed, but has no page; it must not be INTERNAL in src/CMakeLists.txt"
    for header in sorted(pages - installed):
        yield f"src/{header}: is not installed, but has a page; is it INTERNAL in src/CMakeLists.txt?"


def main(root, folder, internal, *headers):
    found = list(findings(pathlib.Path(root).resolve(), pathlib.Path(folder).resolve(), pathlib.Path(internal).resolve(), headers))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
