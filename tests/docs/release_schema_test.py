#!/usr/bin/env python3
"""release_schema_test.py SCHEMA PROGRAM: docs/reference/release.schema.json describes the files that the program writes, and no others.

The program makes release files of every kind, with every kind of noise and privacy; each must be valid. Each is then made wrong in every
field, and none of these may be valid.
"""
import copy
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

DEBIAN = "/usr/bin/python3"
if importlib.util.find_spec("jsonschema") is None and sys.executable != DEBIAN:
    os.execv(DEBIAN, [DEBIAN, *sys.argv])  # another Python comes first on the PATH; the package python3-jsonschema is Debian's
import jsonschema

SCHEMA = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
PROGRAM = str(pathlib.Path(sys.argv[2]).resolve())
PEOPLE = "arm,ldl,hdl\n" + "".join(f"{'new' if i % 2 else 'old'},{100 + i % 40},{50 + i % 20}\n" for i in range(400))
TERMS = """tacet = 1
dataset = "{dataset}"
ledger = "{dataset}.ledger"
neighbours = "{neighbours}"
idealised = true
[columns.arm]
categories = ["old", "new", "none"]
other = "old"
{membership}
[columns.ldl]
lower = 50
upper = 200
resolution = 1
missing = 125
[columns.hdl]
lower = 20
upper = 100
resolution = 1
missing = 60
"""
# Each: the dataset, and what is released. The name of the file is the number of its line.
RELEASES = [line.split(" ", 1) for line in """
replaced counts --by arm --mechanism gaussian --rho 0.1
replaced counts --by arm --mechanism rank-deficient --rho 0.1
replaced counts --by arm --mechanism laplace --epsilon 0.1
replaced counts --by arm --mechanism laplace --mu 0.1
added counts --by arm --mechanism laplace --epsilon 0.1
loose counts --by arm --mechanism gaussian --epsilon 0.5 --delta 1e-6
replaced counts --by arm --where ldl>=90 --rho 0.1
replaced histogram --column ldl --rho 0.1
added histogram --column ldl --bins 12 --branching 3 --epsilon 0.1
replaced histogram --column ldl --edges 50,100,150,200 --where hdl>=60 --rho 0.1
replaced sum --columns ldl,hdl --where ldl>=90 --rho 0.1
replaced covariance --columns ldl,hdl --where ldl>=90 --group-by arm --rho 0.1
replaced sum --columns ldl,hdl --rho 0.1
added sum --columns ldl,hdl --rho 0.1
replaced mean --columns ldl,hdl --rho 0.1
replaced mean --columns ldl,hdl --mechanism k-norm --epsilon 0.1
replaced mean --columns ldl,hdl --mechanism laplace --epsilon 0.1 --group-by arm
added mean --columns ldl,hdl --rho 0.1 --group-by arm
empty mean --columns ldl,hdl --rho 0.1
replaced mean --columns ldl,hdl --rho 0.1 --goal test:6,8
replaced second-moment --columns ldl,hdl --rho 0.1
replaced second-moment --columns ldl,hdl --mechanism laplace --epsilon 0.1
replaced covariance --columns ldl,hdl --rho 0.1
replaced covariance --columns ldl,hdl --mechanism k-norm --epsilon 0.1
replaced covariance --columns ldl,hdl --mechanism ed --epsilon 0.1
replaced covariance --columns ldl,hdl --group-by arm --for two-sample --epsilon 0.1
added covariance --columns ldl,hdl --group-by arm --rho 0.1
empty covariance --columns ldl,hdl --group-by arm --rho 0.1
replaced query --columns ldl,hdl --direction 1,-1 --rho 0.1
replaced query --columns ldl,hdl --where ldl>=90 --direction 1,-1 --rho 0.1
replaced query --columns ldl,hdl --sd 35,20 --n 400 --rho 0.1
replaced query --columns ldl,hdl --sd 35,20 --n 400 --group-by arm --rho 0.1
added query --columns ldl,hdl --sd 35,20 --n 400 --group-by arm --rho 0.1
""".strip().splitlines()]
IMPORTS = """
table --values table.json --n 18 --noise gaussian:2
table --values table.json --noise laplace:2 --axes axes.json
table --values table.json --noise discrete-gaussian:0.5
table --values table.json --noise geometric:epsilon=1 --axes axes.json
table --values table.json --n 17 --noise laplace:2 --project nonnegative --axes axes.json
table --values table.json --n 18 --noise gaussian:2 --shrink js+ --project simplex
mean --values 171.2,70.4 --n 5000 --noise gaussian:0.4,0.3
mean --values 171.2,70.4 --n 5000 --noise laplace:0.4 --lower 100,0 --upper 220,200 --columns height,weight
mean --values 171.2,70.4 --n 5000 --noise gaussian:0.4 --lower 100,0 --upper 220,200 --covariance covariance.json --covariance-noise 2
local --reports counts.json --kind exp --epsilon 1 --n 1000 --categories a,b,c
local --reports means.json --kind flip --epsilon 1 --n 1000
local --reports means.json --kind gaussian --rho 0.1 --n 1000
local --reports means.json --kind gaussian --epsilon 1 --delta 1e-6 --n 1000
local --reports means.json --kind laplace --epsilon 1 --n 1000
local --reports means.json --kind laplace --mu 0.3 --n 1000
""".strip().splitlines()
INPUTS = {"table.json": [[3, 4], [5, 6]], "axes.json": [{"name": "sex", "labels": ["f", "m"]}, {"name": "plan", "labels": ["basic", "plus"]}],
          "counts.json": [412, 301, 287], "means.json": [0.41, 0.3, 0.29], "covariance.json": [[100, 20], [20, 200]]}


def made(folder):
    """The release files of every line above, by what was asked for."""
    def tacet(*words):
        run = subprocess.run([PROGRAM, *words], cwd=folder, env={**os.environ, "TACET_HOME": str(folder / "keys")}, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"tacet {' '.join(words)}: {run.stderr}")

    for dataset in ("replaced", "added", "loose"):
        (folder / f"{dataset}.csv").write_text(PEOPLE)
    (folder / "empty.csv").write_text("arm,ldl,hdl\n")
    for name, value in INPUTS.items():
        (folder / name).write_text(json.dumps(value))
    public = 'membership = "public"'
    budgets = (("replaced", "replace-one", public, ["--rho", "10"]), ("empty", "replace-one", public, ["--rho", "10"]),
               ("added", "add-or-remove-one", "", ["--rho", "10"]), ("loose", "replace-one", "", ["--epsilon", "10", "--delta", "1e-3"]))
    for dataset, neighbours, membership, budget in budgets:
        (folder / f"{dataset}.toml").write_text(TERMS.format(dataset=dataset, neighbours=neighbours, membership=membership))
        tacet("budget", "create", "--schema", f"{dataset}.toml", *budget)
    files = {}
    for number, (dataset, what) in enumerate(RELEASES):
        kind, *options = what.split()
        tacet("release", kind, "--data", f"{dataset}.csv", "--schema", f"{dataset}.toml", *options, "--out", f"release{number}.json")
        files[f"{dataset}: {what}"] = json.loads((folder / f"release{number}.json").read_text())
    for number, what in enumerate(IMPORTS):
        tacet("import", *what.split(), "--out", f"import{number}.json")
        files[f"import {what}"] = json.loads((folder / f"import{number}.json").read_text())
    return files


class ReleaseSchema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validator = jsonschema.Draft202012Validator(SCHEMA)
        with tempfile.TemporaryDirectory() as folder:
            cls.files = made(pathlib.Path(folder))

    def planted(self, what, file):
        self.assertFalse(self.validator.is_valid(file), f"a file of `{what[0]}` is valid although {what[1]}")

    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_files_of_every_kind_family_and_currency_are_made(self):
        self.assertEqual({file["kind"] for file in self.files.values()}, set(SCHEMA["properties"]["kind"]["enum"]))
        families = {file["noise"]["family"] for file in self.files.values()}
        self.assertEqual(families, {"gaussian", "laplace", "discrete-gaussian", "geometric", "k-norm", "k-norm+laplace", "ed", "exp", "flip"})
        self.assertEqual({file["privacy"]["currency"] for file in self.files.values()}, {"gaussian", "epsilon", "epsilon-delta", None})
        self.assertTrue(any(file["n"] is None for file in self.files.values()))
        for kind_of_reason in (str, list):
            self.assertTrue(any(isinstance(file.get("no_answer"), kind_of_reason) and "nobody" in str(file["no_answer"]) for file in self.files.values()))

    def test_what_the_program_writes_is_valid(self):
        for what, file in self.files.items():
            errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in self.validator.iter_errors(file)]
            self.assertEqual(errors, [], what)

    def test_a_field_that_is_missing_is_found(self):
        for what, file in self.files.items():
            for field in file:
                self.planted((what, f"{field} is missing"), {name: value for name, value in file.items() if name != field})

    def test_a_field_that_nobody_knows_is_found_at_every_depth(self):
        for what, file in self.files.items():
            self.planted((what, "it has an unknown field"), {**file, "unknown": 1})
            for field in ("noise", "privacy", "ledger"):
                if file[field] is not None:
                    self.planted((what, f"{field} has an unknown field"), {**file, field: {**file[field], "unknown": 1}})
            for field in ("axes", "columns", "parts"):
                if file.get(field) and isinstance(file[field][0], dict):
                    self.planted((what, f"{field} has an unknown field"), {**file, field: [{**file[field][0], "unknown": 1}, *file[field][1:]]})

    def test_a_field_of_another_type_is_found(self):
        for what, file in self.files.items():
            for field in file:
                for wrong in (True, "x", {"x": 1}, [["x"]], -1.5):
                    if field == "statement" and isinstance(wrong, dict) or field in ("no_answer", "floating_point", "where", "column") and isinstance(wrong, str):
                        continue
                    if field == "missing" and isinstance(wrong, float):
                        continue  # a noisy count may be negative
                    self.planted((what, f"{field} is {wrong!r}"), {**file, field: wrong})

    def test_a_kind_with_the_fields_of_another_is_found(self):
        alike = ({"sum", "mean"}, {"second-moment", "covariance"})
        for what, file in self.files.items():
            for kind in SCHEMA["properties"]["kind"]["enum"]:
                if kind != file["kind"] and {kind, file["kind"]} not in alike:
                    self.planted((what, f"its kind is {kind}"), {**file, "kind": kind})

    def test_numbers_that_cannot_be_are_found(self):
        for what, file in self.files.items():
            for path, wrong in ((("tacet_release",), 2), (("noise", "scale"), 0), (("noise", "family"), "cauchy"), (("noise", "structure"), "none"), (("n",), -1),
                                (("privacy", "delta"), 1), (("privacy", "rho"), 0), (("ledger", "entry"), 0), (("ledger", "entry_hash"), "0"),
                                (("guarantee",), "good"), (("time",), "today"), (("grid",), 0), (("radius",), 0)):
                file_with = copy.deepcopy(file)
                place = file_with
                for name in path[:-1]:
                    place = place.get(name) or {}
                if path[-1] in place:
                    place[path[-1]] = wrong
                    self.planted((what, f"{'.'.join(path)} is {wrong!r}"), file_with)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
