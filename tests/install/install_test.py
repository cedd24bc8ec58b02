#!/usr/bin/env python3
"""install_test.py SOURCE BUILD PROGRAM CMAKE-ARGUMENT...: installs the build, moves the installed tree, and uses it as a stranger would.

PROGRAM is the name of the installed program, or "none" where the build has none.
"""
import pathlib
import re
import sys
import tempfile

from stranger import ended, must, must_not_name, run

CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"
EXPECTED = "gaussian noise of scale 2.828427 costs mu 0.5\n"


def link_the_library(prefix, outside, arguments):
    """A project that links rooms, all rooms, and both libraries at once, which is refused."""
    run("cmake", "-S", CONSUMER, "-B", outside, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", *arguments)
    run("cmake", "--build", outside)
    for name in ("consumer", "everything"):
        said = run(outside / name)
        must(said == EXPECTED, f"{name} printed {said!r}, but must print {EXPECTED!r}")

    shared = (prefix / "lib/libtacet.so").exists()
    mixture = ("-DMIXTURE=ON", "TACET_LINKAGE" if shared else "tacet has no component 'shared' here")
    for wrong, why in (mixture, ("-DCOMPONENT=plastic", "tacet has no component 'plastic' here")):
        refused = ended("cmake", "-S", CONSUMER, "-B", outside, "-DMIXTURE=OFF", "-DCOMPONENT=static", wrong)
        must(refused.returncode != 0 and why in refused.stderr, f"a project with {wrong} is not refused because of {why}:\n{refused.stderr}")


def include_what_is_installed(headers):
    """No installed header includes one that is not."""
    for header in headers.rglob("*.h"):
        for included in re.findall(r'^#include "(tacet/[^"]+)"', header.read_text(encoding="utf-8"), re.MULTILINE):
            must((headers / included).exists(), f"{header.relative_to(headers)} includes {included}, which is not installed")


def main(source, build, program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        first, prefix, outside = (pathlib.Path(folder) / name for name in ("first", "moved", "consumer"))
        run("cmake", "--install", build, "--prefix", first)
        first.rename(prefix)

        must_not_name((source, build, first), prefix.rglob("*.cmake"))
        for name in ("kernel/vault.h", "data/engine.h", "data/scan.h", "schemas/profile/look.h"):
            must(not (prefix / "include/tacet" / name).exists(), f"{name} is installed: it leads to private values, declare it INTERNAL")
        include_what_is_installed(prefix / "include")
        for name in ("lib/tacet/libduckdb.so", "share/doc/tacet/LICENSE", "share/doc/tacet/LICENSE.duckdb", "share/doc/tacet/LICENSE.vega-lite",
                     "include/tacet/kernel/release.h"):
            must((prefix / name).exists(), f"{name} is not installed")
        link_the_library(prefix, outside, arguments)

        if program != "none":
            installed = prefix / "bin" / program
            must(installed.exists(), f"bin/{program} is not installed")
            libraries = run("ldd", installed)
            must("not found" not in libraries, f"bin/{program} does not find its libraries:\n{libraries}")
            must("libduckdb" not in libraries, f"bin/{program} loads the engine, which only tacet-scan needs:\n{libraries}")
            must(run(installed, "--help").strip() != "", f"bin/{program} --help prints nothing")

            # It has data files read by another program, which it finds wherever the tree was moved to.
            engine = run("ldd", prefix / "libexec/tacet/tacet-scan")
            must(f"{prefix}/libexec/tacet/../../lib/tacet/libduckdb.so" in engine or f"{prefix}/lib/tacet/libduckdb.so" in engine,
                 f"tacet-scan does not find the engine beside it:\n{engine}")
            people = pathlib.Path(folder) / "people.csv"
            people.write_text("smoking,disease\nnever,no\n")
            draft = pathlib.Path(folder) / "people.toml"
            run(installed, "init", "--data", people, "--dataset", "people", "--out", draft)
            must("[columns.disease]" in draft.read_text(), f"the draft that bin/{program} made has no columns")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
