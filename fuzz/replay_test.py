#!/usr/bin/env python3
"""replay_test.py PROGRAM: the program that replays a corpus (fuzz/replay.cc with fuzz/planted.cc) notices a property that does not hold."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]


class Replay(unittest.TestCase):
    def replayed(self, files, *left_out):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (pathlib.Path(folder) / name).write_text(text)
            run = subprocess.run([PROGRAM, folder, *left_out], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_a_corpus_in_order_passes(self):
        self.assertEqual(self.replayed({"a": "fine", "b": ""}), (0, "a\nb\n2 files\n", ""))

    def test_what_does_not_hold_is_named_with_its_file(self):
        status, out, err = self.replayed({"a": "fine", "b": "wrong", "c": "fine"})
        self.assertNotEqual(status, 0)
        self.assertEqual(out, "a\nb\n")
        self.assertIn('does not hold: the input is not "wrong"', err)

    def test_a_file_may_be_left_out(self):
        self.assertEqual(self.replayed({"a": "fine", "b": "wrong"}, "b")[:2], (0, "a\n1 files\n"))

    def test_no_files_are_no_success(self):
        self.assertNotEqual(self.replayed({})[0], 0)
        self.assertNotEqual(self.replayed({"b": "wrong"}, "b")[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
