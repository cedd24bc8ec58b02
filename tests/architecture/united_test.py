#!/usr/bin/env python3
"""united.py and alone.py find what is planted, and are silent without it."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FIRST = """#include <string>
namespace house {
namespace {

std::string words(const std::string& text) { return text; }

}  // namespace

std::string first() { return words("first"); }

}  // namespace house
"""
SECOND = """#include <string>
namespace house {
namespace {

std::string %s(const char* text) { return text; }

}  // namespace

std::string second() { return %s("second"); }

}  // namespace house
"""


def run(script, sources):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "unity").mkdir()
        for name, text in sources.items():
            (root / name).write_text(text)
        together = root / "unity" / "house_1.cc"
        together.write_text("".join(f'#include "{name}"\n' for name in sources))
        entry = {"directory": folder, "file": str(together), "command": f"c++ -std=c++20 -I{folder} -o x.o -c {together}"}
        (root / "compile_commands.json").write_text(json.dumps([entry]))
        done = subprocess.run([sys.executable, "-B", HERE / script, root / "compile_commands.json"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class United(unittest.TestCase):
    def test_sources_with_names_of_their_own_pass(self):
        self.assertEqual(run("united.py", {"first.cc": FIRST, "second.cc": SECOND % ("letters", "letters")})[0], 0)

    def test_an_overload_in_another_source_is_found(self):
        # Together, first() calls words(const char*) of the other source.
        code, said = run("united.py", {"first.cc": FIRST, "second.cc": SECOND % ("words", "words")})
        self.assertEqual(code, 1)
        self.assertIn("words is declared in the unnamed namespaces of first.cc and second.cc", said)

    def test_a_call_that_another_source_could_capture_is_found(self):
        third = 'namespace house {\nint words(int);\nint third() { return words(3); }\n}\n'.replace("}\n}", "}\n}  // namespace house")
        code, said = run("united.py", {"first.cc": FIRST, "third.cc": third})
        self.assertEqual(code, 1)
        self.assertIn("words of the unnamed namespace of first.cc could be taken for what third.cc calls words()", said)


class Alone(unittest.TestCase):
    def test_sources_that_include_what_they_use_pass(self):
        self.assertEqual(run("alone.py", {"first.cc": FIRST, "second.cc": SECOND % ("letters", "letters")})[0], 0)

    def test_a_source_that_lives_on_the_includes_of_another_is_found(self):
        code, said = run("alone.py", {"first.cc": FIRST, "second.cc": (SECOND % ("letters", "letters")).replace("#include <string>\n", "")})
        self.assertEqual(code, 1)
        self.assertIn("second.cc does not compile alone", said)


if __name__ == "__main__":
    unittest.main()
