#!/usr/bin/env python3
"""new_verb_test.py COMPILER: the check of the diff in CONTRIBUTING.md is shown planted faults."""
import shlex
import sys
import unittest

import new_verb

COMPILER = shlex.split(sys.argv[1])
DOCUMENT = (new_verb.SOURCE / "CONTRIBUTING.md").read_text(encoding="utf-8")


class NewVerb(unittest.TestCase):
    def refused(self, before, after, *words):
        self.assertEqual(DOCUMENT.count(before), 1, before)
        with self.assertRaises(new_verb.Wrong) as wrong:
            new_verb.check(DOCUMENT.replace(before, after), COMPILER)
        for word in words:
            self.assertIn(word, str(wrong.exception))

    def test_a_file_that_does_not_compile_is_refused(self):
        self.refused("+  double sd;\n", "", "plan_noise.cc: does not compile", "has no member named")

    def test_a_function_that_the_list_does_not_declare_is_refused(self):
        self.refused("+Verb make() {", "+Verb made() {", "plan_noise.cc: does not compile", "no previous declaration", "made()")

    def test_a_verb_that_the_list_does_not_have_is_refused(self):
        self.refused("+  VERB(plan_noise) \\\n", "", "does not compile", "plan_noise_verb")

    def test_lines_that_the_list_no_longer_has_are_refused(self):
        self.refused("   VERB(plan_clip) \\\n", "   VERB(plan_nothing) \\\n", "all_verbs.h: these lines stand there 0 times", "plan_nothing")

    def test_a_file_that_is_there_already_is_refused(self):
        self.refused("+++ b/src/tacet/service/verbs/plan_noise.cc", "+++ b/src/tacet/service/verbs/plan_clip.cc", "plan_clip.cc: is there already")

    def test_a_study_that_the_list_does_not_have_is_refused(self):
        self.refused("+  STUDY(rogers_example_6_3) \\\n", "", "does not compile", "rogers_example_6_3")

    def test_a_document_without_one_of_the_diffs_is_refused(self):
        self.refused("applies it and compiles what it adds -->\n```diff", "applies it and compiles what it adds -->\n```text", "has 1 diffs")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
