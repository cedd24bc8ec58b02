#!/usr/bin/env python3
"""Shows what suites.py writes, and that each_test_runs.py notices a test that falls between."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import each_test_runs
import suites

LISTING = """Running main() from gmock_main.cc
Grid.
  HasSteps
  HasEnds
Values/Cells.
  Add/Small  # GetParam() = 1
  Add/Large  # GetParam() = 2
"""


class Suites(unittest.TestCase):
    def test_are_whole_or_say_which_tests(self):
        self.assertEqual(suites.entries(LISTING, "*"), [("Grid", "Grid.*"), ("Values/Cells", "Values/Cells.*")])
        self.assertEqual(suites.entries(LISTING, "*-Grid.*Ends:Other.*"), [("Grid", "Grid.HasSteps"), ("Values/Cells", "Values/Cells.*")])
        self.assertEqual(suites.entries(LISTING, "*.Add/L*"), [("Values/Cells", "Values/Cells.Add/Large")])
        self.assertEqual(suites.entries(LISTING, "*-*"), [])

    def test_of_a_list_that_cannot_be_read_are_refused(self):
        with self.assertRaises(ValueError):
            suites.entries(LISTING + "  Two words\n", "*")

    def test_of_a_program_without_tests_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "tests"
            program.write_text(f"#!/bin/sh\ncat <<'END'\n{LISTING}END\n")
            program.chmod(0o755)
            script = pathlib.Path(suites.__file__)
            for flt, good in (("Grid.*", True), ("Gird.*", False)):
                run = subprocess.run([sys.executable, "-B", script, program, f"{folder}/list.cmake", "data", f"--filter={flt}", "LABELS=data", "ENVIRONMENT=A=1;B=2"],
                                     capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode == 0, good, run.stderr)
            self.assertEqual((pathlib.Path(folder) / "list.cmake").read_text(),
                             f"add_test([==[data.Grid]==] [==[{program}]==] [==[--gtest_filter=Grid.*]==])\n"
                             "set_tests_properties([==[data.Grid]==] PROPERTIES LABELS [==[data]==] ENVIRONMENT [==[A=1;B=2]==])\n")


class EachTestRuns(unittest.TestCase):
    TESTS = [("data", "Grid.HasSteps", False), ("data", "Grid.HasEnds", True), ("data", "Cells.Add", False)]
    FILTERS = [each_test_runs.unparametrised(pattern) for pattern in ("Grid.*", "Values/Cells.Add/Large")]

    def test_is_true_of_what_runs_as_it_must(self):
        self.assertEqual(self.FILTERS, ["Grid.*", "Cells.Add"])
        runs = {"asan": {"data": ["Grid.*", "Cells.Add"]}, "release": {"data": ["Grid.HasEnds"]}}
        self.assertEqual(each_test_runs.forgotten(self.TESTS, runs, {"release"}), [])

    def test_notices_what_falls_between(self):
        runs = {"asan": {"data": ["Grid.*"]}, "release": {"kernel": ["Cells.Add"]}}
        self.assertEqual(each_test_runs.forgotten(self.TESTS, runs, {"release"}),
                         ["data.Grid.HasEnds asks whether there are sanitizers, and runs only with them", "data.Cells.Add runs in none of asan, release"])

    def test_reads_what_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder) / "tests" / "data"
            tests.mkdir(parents=True)
            (tests / "grid_test.cc").write_text("TEST(Grid, HasSteps) {\n}\nTEST_P(Cells, Add) { coarseness(); }\n// TEST(Not, This)\n")
            (tests / "grid_slow_test.cc").write_text("TEST(Grid, IsLarge) {}\n")
            self.assertEqual(each_test_runs.written(pathlib.Path(folder)), [("data", "Grid.HasSteps", True), ("data", "Cells.Add", True)])


if __name__ == "__main__":
    unittest.main()
