#!/usr/bin/env python3
"""package_test.py SOURCE BUILD VERSION CMAKE-ARGUMENT...: makes the Debian package of the build, unpacks it into a folder, and uses what is there.

Nothing is installed into this machine.
"""
import gzip
import json
import pathlib
import re
import sys
import tempfile

from stranger import ended, must, must_not_name, run

# What a fresh Debian 12 must bring along, by the libraries that the programs and libtacet.so load.
DEPENDS = {"libc6", "libfmt9", "libgcc-s1", "libgmp10", "libseccomp2", "libsodium23", "libsqlite3-0", "libstdc++6", "zlib1g"}
# Each part, and words that only its own licence has.
LICENCES = {
    "boost": "Boost Software License", "cli11": "Henry Schreiner", "duckdb": "Stichting DuckDB Foundation", "eigen": "MPL-2",
    "fmt": "Victor Zverovich", "gmp": "GNU MP Library", "libseccomp": "Paul Moore", "libsodium": "Frank Denis", "nlohmann-json": "Niels Lohmann",
    "sqlite": "D. Richard Hipp", "tomlplusplus": "Mark Gillard", "vega": "University of Washington Interactive Data Lab",
    "vega-embed": "University of Washington Interactive Data Lab", "vega-lite": "University of Washington Interactive Data Lab",
    "zlib": "Jean-loup Gailly",
}
PROGRAMS = {"./usr/bin/tacet", "./usr/libexec/tacet/tacet-scan", "./usr/libexec/tacet/tacet-look"}
HOLDS = ("lib/libtacet.so", "lib/libtacet_base.a", "lib/libtacet_planning.a", "lib/tacet/libduckdb.so", "lib/cmake/tacet/tacetConfig.cmake",
         "include/tacet/version.h", "include/tacet/kernel/release.h", "share/doc/tacet/README.md", "share/doc/tacet/LICENSE",
         "share/doc/tacet/examples/cpp/CMakeLists.txt", "share/man/man1/tacet.1.gz")
RUNPATHS = {"bin/tacet": [], "libexec/tacet/tacet-scan": ["$ORIGIN/../../lib/tacet"], "libexec/tacet/tacet-look": ["$ORIGIN/../../lib/tacet"], "lib/libtacet.so": []}
PEOPLE = "smoking,disease\n" + "never,no\n" * 40 + "never,yes\n" * 10 + "daily,no\n" * 20 + "daily,yes\n" * 30
SCHEMA = """tacet = 1
dataset = "people"
ledger = "people.ledger"
neighbours = "replace-one"

[columns.smoking]
categories = ["never", "daily"]
other = "never"

[columns.disease]
categories = ["no", "yes"]
other = "no"
"""


def soversion(version):
    """As docs/explanation/abi.md says: the major version, and the minor one too as long as that is 0."""
    major, minor, _ = version.split(".")
    return f"0.{minor}" if major == "0" else major


def check_control(package, version):
    for field, wanted in (("Package", "tacet"), ("Version", version), ("Architecture", run("dpkg", "--print-architecture").strip())):
        said = run("dpkg-deb", "-f", package, field).strip()
        must(said == wanted, f"the package says {field}: {said}, but must say {wanted}")
    depends = {word.split()[0] for word in run("dpkg-deb", "-f", package, "Depends").split(", ")}
    must(depends == DEPENDS, f"the package depends on {sorted(depends)}, but must depend on {sorted(DEPENDS)}")
    serves = run("dpkg-deb", "-I", package, "shlibs")
    must(serves == f"libtacet {soversion(version)} tacet (>= {version})\n", f"the package says of its shared library: {serves}")


def check_permissions(package):
    """Files are root's, nobody else writes them, and only programs are executable."""
    for line in run("dpkg-deb", "-c", package).splitlines():
        mode, owner, _, _, _, name = line.split(None, 5)
        wanted = "drwxr-xr-x" if mode[0] == "d" else "lrwxrwxrwx" if mode[0] == "l" else "-rwxr-xr-x" if name in PROGRAMS else "-rw-r--r--"
        must((mode, owner) == (wanted, "root/root"), f"{name} is {mode} of {owner}, but must be {wanted} of root/root")


def check_contents(source, usr, version):
    documents = [f"share/doc/tacet/{path.relative_to(source)}" for path in (source / "docs").rglob("*.md")]
    must(documents, f"{source}/docs has no documents")
    for name in (*HOLDS, *documents):
        must((usr / name).is_file(), f"the package has no /usr/{name}")
    for name, wanted in RUNPATHS.items():
        said = re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", run("readelf", "-d", usr / name))
        must(said == wanted, f"{name} looks for libraries in {said}, but must look in {wanted}")
    exported = run("nm", "-DC", "--defined-only", usr / "lib/libtacet.so")
    must(" toml::" not in exported, "libtacet.so offers its own toml++ under the name of everybody's")
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", run("readelf", "-d", usr / "lib/libtacet.so"))
    must(soname == [f"libtacet.so.{soversion(version)}"], f"libtacet.so of version {version} calls itself {soname}")
    must(f'kVersion = "{version}"' in (usr / "include/tacet/version.h").read_text(), f"tacet/version.h does not say {version}")
    manual = gzip.decompress((usr / "share/man/man1/tacet.1.gz").read_bytes()).decode()
    must(manual.startswith(".TH TACET 1") and "\n  release counts " in manual, f"the manual page lacks verbs:\n{manual}")


def check_licences(folder):
    """Every part is listed, and its own text is there."""
    listed = (folder / "copyright").read_text()
    files = {path.name for path in folder.glob("LICENSE.*")}
    must(files == {f"LICENSE.{part}" for part in LICENCES}, f"the package has the licences {sorted(files)}, but the parts are {sorted(LICENCES)}")
    must(set(re.findall(r"LICENSE\.[\w-]+", listed)) == files, f"the file copyright does not list exactly {sorted(files)}:\n{listed}")
    for part, words in LICENCES.items():
        must(words in (folder / f"LICENSE.{part}").read_text(), f'LICENSE.{part} does not say "{words}": is it the licence of {part}?')


def use_the_program(usr, folder, version):
    """A budget, a release and a test, in a folder of their own."""
    program, home = usr / "bin/tacet", {"cwd": folder, "TACET_HOME": folder / "keys"}
    must(run(program, "--version") == f"tacet {version}\n", f"tacet --version does not say {version}")
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "people.toml").write_text(SCHEMA)
    counts = ("release", "counts", "--data", "people.csv", "--schema", "people.toml", "--by", "smoking,disease", "--mechanism", "gaussian", "--rho", "0.5")
    run(program, "budget", "create", "--schema", "people.toml", "--rho", "1", **home)
    released = json.loads(run(program, *counts, "--out", "table.json", "--json", **home))
    must(released["n"] == 100 and [len(row) for row in released["values"]] == [2, 2], f"this is no table of 100 people: {released}")
    tested = json.loads(run(program, "infer", "independence", "--release", "table.json", "--json", **home))
    must(0 <= tested["p_value"] <= 1 and tested["outcome"] in ("reject", "retain", "inconclusive"), f"this is no test: {tested}")

    # Without the program that reads data there is nothing to release, and nothing is spent.
    alone = folder / "alone/tacet"
    alone.parent.mkdir()
    alone.write_bytes(program.read_bytes())
    alone.chmod(0o755)
    if not any(pathlib.Path(place, "libexec/tacet/tacet-scan").exists() for place in ("/usr", "/usr/local")):
        refused = ended(alone, *counts, "--out", "again.json", **home)
        must(refused.returncode == 4 and "EngineFailed: tacet-scan, which reads data, is not beside this program, in /usr/local/libexec/tacet or in "
             "/usr/libexec/tacet; install Tacet whole, with its package or with make install" in refused.stderr,
             f"the program without tacet-scan ended with {refused.returncode}: {refused.stderr}")
    shown = json.loads(run(program, "budget", "show", "--schema", "people.toml", "--json", **home))
    must(shown["spent"] == {"rho": "0.5"}, f"one release of rho 0.5 was made, but the budget says {shown}")


def build_the_examples(usr, outside, arguments):
    """The examples of the package, with the static libraries and with libtacet.so, for which fewer parts are looked for."""
    configure = ("cmake", "-S", usr / "share/doc/tacet/examples/cpp", "-B", outside, f"-DCMAKE_PREFIX_PATH={usr}", *arguments)
    fewer = ("-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON")
    for options, shared in (((), False), (("-DBUILD_SHARED_LIBS=ON", *fewer), True)):
        run(*configure, *options)
        run("cmake", "--build", outside)
        for name, words in (("odometer", "After 1005 releases at most epsilon "), ("plan", "people for power 0.8")):
            said = run(outside / name)
            must(words in said, f'the example {name} does not say "{words}":\n{said}')
            libraries = run("ldd", outside / name)
            must((str(usr / "lib/libtacet.so.") in libraries) == shared and "libduckdb" not in libraries,
                 f"the example {name} must {'load libtacet.so' if shared else 'load nothing of Tacet'}:\n{libraries}")
        release_and_infer(outside, outside.parent / f"people_{shared}")


def release_and_infer(outside, folder):
    """The example with a budget, a release and a test, on people of its own.

    Its noise is real. Each of the four cells has 200 people or none, and no category is empty, so the test rejects unless a noise of
    scale 4 exceeds 80: less than once in 10^6 runs.
    """
    folder.mkdir()
    (folder / "people.csv").write_text("sex,plan\n" + "f,basic\nm,plus\n" * 200)
    (folder / "people.toml").write_text('tacet = 1\ndataset = "people"\nledger = "people.ledger"\nneighbours = "replace-one"\n\n'
                                        '[columns.sex]\ncategories = ["f", "m"]\nother = "f"\n\n'
                                        '[columns.plan]\ncategories = ["basic", "plus"]\nother = "basic"\n')
    said = run(outside / "release_and_infer", "people.toml", "people.csv", cwd=folder, TACET_HOME=folder / "keys")
    must("Independence of sex and plan: reject" in said, f"release_and_infer does not find that plan follows sex:\n{said}")


def main(source, build, version, *arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        usr = folder / "root/usr"
        run("cpack", "--config", f"{build}/CPackConfig.cmake", "-B", folder / "package")
        package = folder / "package" / f"tacet_{version}_{run('dpkg', '--print-architecture').strip()}.deb"
        must(package.is_file(), f"cpack has made no {package.name}")
        run("dpkg-deb", "-x", package, folder / "root")
        check_control(package, version)
        check_permissions(package)
        check_contents(pathlib.Path(source), usr, version)
        check_licences(usr / "share/doc/tacet")
        must_not_name((source, build), (path for path in usr.rglob("*") if path.is_file()))
        use_the_program(usr, folder, version)
        build_the_examples(usr, folder / "examples", arguments)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
