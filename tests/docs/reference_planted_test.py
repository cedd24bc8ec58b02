#!/usr/bin/env python3
"""reference_test.py finds a page that names a C++ function that is not there, and is silent without one."""
import pathlib
import tempfile
import unittest

import reference_test

HEADER = "// plan_costs(request) is an example.\nResult<Costs> plan_costs(const Request& request);\nusing planning::plan_clip;\n"


def judged(line):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "tacet" / "workflow" / "plan"
        folder.mkdir(parents=True)
        (folder / "plan_costs.h").write_text(HEADER)
        (folder / "comment.h").write_text("// plan_costs(request) is elsewhere.\n")
        return reference_test.misnamed("page.md", f"# tacet plan costs\n\n{line}\n\n## Request\n", name)


class Names(unittest.TestCase):
    def test_a_function_that_is_declared_passes(self):
        self.assertIsNone(judged("C++: `plan_costs` in `tacet/workflow/plan/plan_costs.h`."))
        self.assertIsNone(judged("C++: `Plan::plan_clip` in `tacet/workflow/plan/plan_costs.h`."))
        self.assertIsNone(judged("A verb without a function."))

    def test_a_header_that_does_not_exist_is_named(self):
        self.assertEqual(judged("C++: `plan_costs` in `tacet/workflow/plan/costs.h`."),
                         "page.md names tacet/workflow/plan/costs.h, which does not exist")

    def test_a_function_that_is_not_declared_is_named(self):
        said = "page.md names {}, which tacet/workflow/plan/{} does not declare"
        self.assertEqual(judged("C++: `costs` in `tacet/workflow/plan/plan_costs.h`."), said.format("costs", "plan_costs.h"))
        self.assertEqual(judged("C++: `plan_costs` in `tacet/workflow/plan/comment.h`."), said.format("plan_costs", "comment.h"))

    def test_a_line_of_another_form_is_named(self):
        self.assertEqual(judged("C++: plan_costs"), "page.md names a C++ function in another way")


if __name__ == "__main__":
    unittest.main()
