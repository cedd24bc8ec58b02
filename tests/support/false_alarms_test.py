#!/usr/bin/env python3
"""The ledger of false alarms is itself shown what it must refuse."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import false_alarms


def close(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ledger"
        if text is not None:
            path.write_text(text)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = false_alarms.main("close", str(path))
        return status, said.getvalue()


class FalseAlarms(unittest.TestCase):
    def test_an_empty_run_is_fine(self):
        self.assertEqual(close("")[0], 0)

    def test_the_sum_is_printed(self):
        status, said = close("a 1e-9\nb with spaces 2e-9\n")
        self.assertEqual(status, 0)
        self.assertIn("2 promises; this run is red by chance with probability at most 3e-09", said)

    def test_a_test_that_ran_twice_counts_twice(self):
        self.assertEqual(close("a 6e-7\n")[0], 0)
        self.assertEqual(close("a 6e-7\na 6e-7\n")[0], 1)

    def test_a_sum_above_what_is_allowed_fails_and_names_the_largest(self):
        status, said = close("small 1e-9\nlarge 2e-6\n")
        self.assertEqual(status, 1)
        self.assertIn("2e-06  large", said)

    def test_lines_that_say_nothing_fail(self):
        for line in ("heads", "heads one", "heads nan", "heads -1e-9", "heads 0", " 1e-9", "heads 1"):
            status, said = close(line + "\n")
            self.assertEqual(status, 1, line)
            self.assertIn("line 1 is", said)

    def test_a_ledger_that_was_never_opened_fails(self):
        self.assertEqual(close(None)[0], 1)

    def test_opening_forgets_the_last_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "new" / "ledger"
            self.assertEqual(false_alarms.main("open", str(path)), 0)
            path.write_text("a 1\n")
            self.assertEqual(false_alarms.main("open", str(path)), 0)
            self.assertEqual(path.read_text(), "")


if __name__ == "__main__":
    unittest.main()
