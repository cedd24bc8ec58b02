#!/usr/bin/env python3
"""headers_alone.py is shown headers that lean on others.

  headers_alone_test.py COMPILER
"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

import headers_alone

COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"
USERS = {f"user_{i}.h": '#pragma once\n#include <vector>\n\n#include "tacet/x/base.h"\n\n'
                        f"inline std::vector<Base> user_{i}() {{ return {{}}; }}\n" for i in range(6)}
BASE = "#pragma once\n#include <string>\n\nstruct Base {\n  std::string name;\n};\n"
ONLY_WITH_OTHERS = "#pragma once\n\nstruct Base {\n  std::vector<int> numbers;\n};\n"
FORGETS_BASE = "#pragma once\n\ninline Base forgets() { return {}; }\n"
FORGETS_MAP = '#pragma once\n\n#include "tacet/x/user_0.h"\n\ninline std::map<int, Base> forgets() { return {}; }\n'
SOMETIMES = "#pragma once\n#ifdef NEVER\n" + '#include "tacet/x/base.h"\n#endif\n\n' + "inline Base sometimes() { return {}; }\n"


class HeadersAlone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def check(self, headers):
        """(status, what was said)."""
        database = []
        for folder in ("src/tacet/x", "build/src/alone"):
            (self.root / folder).mkdir(parents=True, exist_ok=True)
        for name, text in headers.items():
            (self.root / "src/tacet/x" / name).write_text(text)
            file = self.root / "build/src/alone" / (name.replace(".", "_") + ".cc")
            file.write_text(f'#include "tacet/x/{name}"  // IWYU pragma: keep\n')
            database.append({"file": str(file), "directory": str(self.root),
                             "command": f"env A=1 ccache {COMPILER} -std=c++20 -O0 -Wall -Werror -I{self.root}/src -o {file}.o -c {file}"})
        (self.root / "commands.json").write_text(json.dumps(database))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = headers_alone.main(self.root / "commands.json", self.root, self.root / "kept")
        return status, said.getvalue()

    def test_which_stand_alone_pass_and_are_not_compiled_again(self):
        headers = {"base.h": BASE, **USERS}
        tree = headers_alone.Tree([self.root / "src"])
        self.assertEqual(self.check(headers), (0, "7 headers, 7 of them new or changed, 0 do not compile alone\n"))
        self.assertEqual(headers_alone.bases(tree, [f"tacet/x/{name}" for name in headers])["tacet/x/user_1.h"], "tacet/x/base.h")
        self.assertEqual(self.check(headers), (0, "7 headers, 0 of them new or changed, 0 do not compile alone\n"))
        self.assertEqual(self.check({**headers, "user_1.h": USERS["user_1.h"] + "\n"})[1], "7 headers, 1 of them new or changed, 0 do not compile alone\n")
        self.assertEqual(self.check({**headers, "base.h": BASE + "\n"})[1], "7 headers, 7 of them new or changed, 0 do not compile alone\n")

    def refuses(self, headers, name):
        for _ in range(2):  # and again, for what failed is not remembered
            status, said = self.check(headers)
            self.assertEqual(status, 1)
            self.assertIn(f"tacet/x/{name} does not compile alone", said)
            self.assertIn(" 1 do not compile alone", said)

    def test_that_forget_a_header_of_ours_are_refused(self):
        self.refuses({"base.h": BASE, **USERS, "planted.h": FORGETS_BASE}, "planted.h")

    def test_that_forget_a_header_of_the_language_are_refused_after_one_that_is_precompiled(self):
        self.refuses({"base.h": BASE, **USERS, "planted.h": FORGETS_MAP}, "planted.h")

    def test_that_are_precompiled_are_refused_too(self):
        self.refuses({"base.h": ONLY_WITH_OTHERS, **USERS}, "base.h")

    def test_that_include_only_sometimes_are_not_compiled_after_what_they_may_not_include(self):
        self.refuses({"base.h": BASE, **USERS, "planted.h": SOMETIMES}, "planted.h")

    def test_that_are_none_are_noticed(self):
        with self.assertRaises(SystemExit):
            self.check({})


if __name__ == "__main__":
    unittest.main()
