#!/usr/bin/env python3
"""install_test.py SOURCE BUILD PROGRAM CMAKE-ARGUMENT...: installs the build, moves the installed tree, and uses it as a stranger would.

PROGRAM is the name of the installed program, or "none" where the build has none.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"
EXPECTED = "gaussian noise of scale 2.828427 costs mu 0.5\n"


def run(*command):
    """What the command prints; ends the test where it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "DESTDIR", "CMAKE_PREFIX_PATH")}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        sys.exit(f"failed with {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def must(true, sentence):
    if not true:
        sys.exit(sentence)


def main(source, build, program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        first, prefix, outside = (pathlib.Path(folder) / name for name in ("first", "moved", "consumer"))
        run("cmake", "--install", build, "--prefix", first)
        first.rename(prefix)

        for path in prefix.rglob("*.cmake"):
            for place in (source, build, str(first)):
                must(place not in path.read_text(), f"{path.name} names {place}, which another machine does not have")
        must(not (prefix / "include/tacet/kernel/vault.h").exists(), "vault.h is installed: it is the door to private values, declare it INTERNAL")
        for name in ("lib/tacet/libduckdb.so", "share/doc/tacet/LICENSE", "share/doc/tacet/LICENSE.duckdb", "share/doc/tacet/LICENSE.vega-lite",
                     "include/tacet/kernel/release.h"):
            must((prefix / name).exists(), f"{name} is not installed")

        run("cmake", "-S", CONSUMER, "-B", outside, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", *arguments)
        run("cmake", "--build", outside)
        for name in ("consumer", "everything"):
            said = run(outside / name)
            must(said == EXPECTED, f"{name} printed {said!r}, but must print {EXPECTED!r}")

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
