#!/usr/bin/env python3
"""twin_test.py COMPILER...: the judge of the twins is itself shown every way in which twins can be wrong."""
import pathlib
import sys
import tempfile
import unittest

import twin

COMPILER = sys.argv[1:]
GOOD = """// error: invalid conversion from 'const char\\*' to 'int'
int door(int);
#ifdef MISUSE
int open() { return door("key"); }
#else
int open() { return door(1); }
#endif
"""


def judge(which, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "planted.cc"
        path.write_text(text)
        return twin.judge(which, str(path), COMPILER)


class Twin(unittest.TestCase):
    def test_a_repair_that_compiles_passes(self):
        self.assertIsNone(judge("repaired", GOOD))

    def test_a_foretold_error_passes(self):
        self.assertIsNone(judge("misuse", GOOD))

    def test_a_misuse_that_compiles_is_found(self):
        self.assertIn("lost its lock", judge("misuse", GOOD.replace('"key"', "2")))

    def test_a_misuse_that_fails_for_another_reason_is_found(self):
        self.assertIn("another reason", judge("misuse", GOOD.replace('door("key")', "window(1)")))

    def test_a_right_error_after_a_wrong_one_does_not_count(self):
        planted = GOOD.replace("int door(int);", "int door(int); int x = y;")
        self.assertIn("another reason", judge("misuse", planted))

    def test_a_repair_that_does_not_compile_is_found(self):
        self.assertIn("the repair must compile", judge("repaired", GOOD.replace("door(1)", "window(1)")))

    def test_a_repair_with_a_warning_is_found(self):
        self.assertIn("the repair must compile", judge("repaired", GOOD.replace("door(1);", "door(1); int left;")))

    def test_a_file_that_foretells_nothing_is_found(self):
        self.assertIn("must foretell", judge("misuse", "\n" + GOOD))

    def test_a_file_without_a_misuse_is_found(self):
        self.assertIn("no #ifdef MISUSE", judge("repaired", GOOD.replace("#ifdef MISUSE", "#ifdef MISSUSE")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
