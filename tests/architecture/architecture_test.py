#!/usr/bin/env python3
"""architecture_test.py: every rule of the tree is shown a planted violation, and refuses it in words that help."""
import contextlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import architecture

COMPILER = next((given.split("=", 1)[1] for given in sys.argv if given.startswith("-DCMAKE_CXX_COMPILER=")), "c++")
HERE = pathlib.Path(__file__).resolve().parent
HEADER = "// {path}: a thing.\n// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"


class Tree:
    """A source tree of a few files."""

    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def judged(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = architecture.main(["--root", str(self.root), *arguments])
        return status, said.getvalue()


class Arrows(unittest.TestCase):
    def refused(self, line, *needs):
        tree = Tree({"src/tacet/exact/coin.cc": f"#include <vector>\n{line}\n"})
        status, said = tree.judged("arrows", "exact", *needs)
        self.assertEqual(status, 1, line)
        self.assertIn("src/tacet/exact/coin.cc:2:", said)
        return said

    def test_a_need_may_be_included_and_the_room_itself(self):
        tree = Tree({"src/tacet/exact/coin.cc": '#include "tacet/exact/coin.h"\n#include "tacet/base/result.h"\n#include <gmpxx.h>\n'})
        self.assertEqual(tree.judged("arrows", "exact", "base"), (0, ""))

    def test_an_arrow_that_is_no_need_is_refused(self):
        said = self.refused('#include "tacet/kernel/grant.h"', "base")
        self.assertIn('room "exact" includes tacet/kernel/grant.h, but "kernel" is not among its needs (base)', said)

    def test_neither_brackets_nor_spaces_nor_comments_hide_an_arrow(self):
        for line in ("#include <tacet/kernel/grant.h>", '  #  include "tacet/kernel/grant.h"  // only this once', '#include"tacet/kernel/grant.h"'):
            self.refused(line, "base")

    def test_nothing_that_looks_like_a_comment_hides_an_arrow(self):
        for before in ('const char* a = R"x(" /* )x";', "const int a = '/*';", 'const char a = \'"\'; const char* b = " /* ";', "const int a = 1'000; // /*"):
            tree = Tree({"src/tacet/exact/coin.cc": f'{before}\n#include "tacet/kernel/grant.h"\nconst char* c = "*/";\n'})
            self.assertIn("src/tacet/exact/coin.cc:2:", tree.judged("arrows", "exact", "base")[1], before)

    def test_other_spellings_of_a_directive_are_read(self):
        for line in ('%:include "tacet/kernel/grant.h"', '#import "tacet/kernel/grant.h"', '#include_next "tacet/kernel/grant.h"'):
            self.refused(line, "base")

    def test_what_is_included_is_a_header_by_its_name(self):
        self.assertIn("is no header by its name", self.refused('#include "tacet/exact/coin.ipp"'))

    def test_a_relative_name_is_refused(self):
        self.refused('#include "../kernel/grant.h"')
        self.refused('#include "coin.h"')

    def test_a_macro_is_refused(self):
        self.assertIn("by a macro", self.refused("#include GRANT_HEADER"))

    def test_a_room_that_does_not_exist_is_refused(self):
        self.assertIn("no such room", Tree({"src/tacet/base/a.cc": ""}).judged("arrows", "exact")[1])


class Rooms(unittest.TestCase):
    def test_a_folder_that_nobody_declared_is_refused(self):
        tree = Tree({"src/tacet/base/a.cc": "", "src/tacet/attic/b.cc": ""})
        self.assertEqual(tree.judged("rooms", "base", "attic"), (0, ""))
        self.assertIn("src/tacet/attic: is no declared room", tree.judged("rooms", "base")[1])

    def test_a_folder_inside_a_room_is_part_of_it(self):
        self.assertEqual(Tree({"src/tacet/base/deep/a.cc": ""}).judged("rooms", "base"), (0, ""))
        self.assertIn("src/tacet/attic: is no declared room", Tree({"src/tacet/attic/deep/a.cc": ""}).judged("rooms", "base")[1])


class Vault(unittest.TestCase):
    LINE = '#include "tacet/kernel/vault.h"\n'

    def test_its_keepers_may_include_it(self):
        files = ("src/tacet/data/counts.cc", "src/tacet/kernel/release.cc", "src/tacet/eigen/release_eigen.cc", "tests/kernel/release_test.cc")
        self.assertEqual(Tree({name: self.LINE for name in files}).judged("vault"), (0, ""))

    def test_nobody_else_may(self):
        for name in ("src/tacet/data/counts.h", "src/tacet/kernel/ledger.cc", "src/tacet/kernel/release.h", "src/tacet/kernel/release_order.cc", "src/tacet/service/verbs.cc",
                     "apps/tacet/main.cc", "examples/demo/peek.cc", "bench/release_bench.cc", "src/tacet/data/deep/counts.cc", "src/tacet/eigen/bingham.cc", "src/tacet/eigen/release_eigen.h"):
            status, said = Tree({name: self.LINE}).judged("vault")
            self.assertEqual(status, 1, name)
            self.assertIn(f"{name}:1: includes tacet/kernel/vault.h", said)

    def test_only_one_file_defines_what_opens_it(self):
        text = "class Publisher {};\n"
        self.assertEqual(Tree({"src/tacet/kernel/release.cc": text}).judged("vault"), (0, ""))
        for name in ("src/tacet/kernel/release.h", "src/tacet/kernel/grant.cc", "src/tacet/mechanisms/counts.cc", "tests/kernel/release_test.cc"):
            self.assertEqual(Tree({name: text}).judged("vault")[0], 1, name)

    def test_a_relative_name_does_not_hide_it(self):
        for line in ('#include "vault.h"\n', '#include "tacet/kernel/vault.h" /* x */\n', '/**/#include "tacet/kernel/vault.h"\n',
                     '#include \\\n"tacet/kernel/vault.h"\n',
                     '// see tests/*_test.cc\n#include "tacet/kernel/vault.h"\n// */\n', 'f("/*");\n#include "vault.h"\ng("*/");\n', '#inc\\\nlude "tacet/kernel/vault.h"\n'):
            self.assertEqual(Tree({"src/tacet/kernel/ledger.cc": line}).judged("vault")[0], 1, line)

    def test_a_second_key_is_refused(self):
        for text in ("class Vault {};", "struct Vault final : Base {};", "class Ledger\n{ };", "class Publisher {};",
                     "namespace tacet { class kernel::Publisher {}; }", "class [[gnu::unused]] Publisher {};", "class /**/ Publisher {};", "struct ::tacet::Vault {};"):
            self.assertEqual(Tree({"src/tacet/service/verbs.cc": text}).judged("vault")[0], 1, text)
        self.assertEqual(Tree({"src/tacet/service/verbs.cc": "class Vault;\nstruct LedgerRow {};\nstruct Ledger::Impl {};\n"}).judged("vault"), (0, ""))

    def test_a_redefined_keyword_is_refused(self):
        self.assertIn("keyword", Tree({"tests/kernel/peek_test.cc": "#define private public\n"}).judged("vault")[1])


class Shipped(unittest.TestCase):
    def test_what_ships_includes_nothing_for_tests(self):
        for line in ('#include "support/scripted_bits.h"', '#include "tests/support/promise.h"', "#include <gtest/gtest.h>", '#include "../../tests/x.h"'):
            for name in ("src/tacet/exact/coin.cc", "apps/tacet/main.cc"):
                status, said = Tree({name: line, "tests/support/promise.h": ""}).judged("shipped")
                self.assertEqual(status, 1, line)
                self.assertIn("is for tests", said)

    def test_tests_may(self):
        self.assertEqual(Tree({"tests/exact/coin_test.cc": '#include "support/promise.h"'}).judged("shipped"), (0, ""))


class Entropy(unittest.TestCase):
    LINES = ("randombytes_buf(bytes, 16);", "if (getrandom(at, 1, 0) < 0) {", "sodium_init ();", "std::random_device device;", 'open("/dev/urandom", 0);', "x = rand();")

    def test_it_has_one_door(self):
        for line in self.LINES:
            self.assertEqual(Tree({"src/tacet/exact/entropy.cc": line}).judged("entropy"), (0, ""))
            for name in ("src/tacet/kernel/ledger_file.cc", "apps/tacet/main.cc", "src/tacet/exact/secure_bits.cc"):
                status, said = Tree({name: line}).judged("entropy")
                self.assertEqual(status, 1, line)
                self.assertIn(f"{name}:1: uses ", said)

    def test_nothing_that_ships_chooses_other_bits(self):
        for line in ("class Zeros final : public exact::RandomBits {", "context.random_bits = [] { return zeros(); };", "Context context{.random_bits = zeros};"):
            for name in ("src/tacet/service/serve.cc", "apps/tacet/main.cc"):
                status, said = Tree({name: line}).judged("entropy")
                self.assertEqual(status, 1, line)
                self.assertIn(f"{name}:1: makes random bits or chooses them", said)
            self.assertEqual(Tree({"tests/support/zeros.h": line}).judged("entropy"), (0, ""))

    def test_words_about_it_are_free(self):
        self.assertEqual(Tree({"src/tacet/exact/a.h": "// a key from getrandom(2)\nint operand(int x);\n"}).judged("entropy"), (0, ""))


class Headers(unittest.TestCase):
    def judged(self, text):
        return Tree({"src/tacet/base/thing.h": text}).judged("headers")

    def test_a_source_begins_with_its_header(self):
        def judged_source(text):
            return Tree({"src/tacet/base/thing.h": HEADER.format(path="tacet/base/thing.h"), "src/tacet/base/thing.cc": text}).judged("headers")
        self.assertEqual(judged_source('#include "tacet/base/thing.h"\n\n#include <string>\n')[0], 0)
        code, said = judged_source('#include <string>\n\n#include "tacet/base/thing.h"\n')
        self.assertEqual(code, 1)
        self.assertIn('src/tacet/base/thing.cc: must include "tacet/base/thing.h" first, which shows that the header needs nothing before it', said)

    def test_a_page_that_says_what_it_is_passes(self):
        self.assertEqual(self.judged(HEADER.format(path="tacet/base/thing.h"))[0], 0)

    def test_a_banner_with_another_path_is_refused(self):
        status, said = self.judged(HEADER.format(path="tacet/base/other.h"))
        self.assertEqual(status, 1)
        self.assertIn('must start with "// tacet/base/thing.h: ', said)

    def test_a_header_without_licence_guard_or_banner_is_refused(self):
        good = HEADER.format(path="tacet/base/thing.h")
        for line in good.splitlines(keepends=True):
            self.assertEqual(self.judged(good.replace(line, ""))[0], 1, line)

    def test_a_header_of_more_than_one_page_is_refused(self):
        self.assertEqual(self.judged(HEADER.format(path="tacet/base/thing.h") + "\n" * 247)[0], 0)
        status, said = self.judged(HEADER.format(path="tacet/base/thing.h") + "\n" * 248)
        self.assertEqual(status, 1)
        self.assertIn("has 251 lines", said)


class Comments(unittest.TestCase):
    def test_a_line_of_a_hundred_columns_is_the_longest(self):
        longest = "  // " + "x" * 95
        tree = Tree({"tests/coin_test.cc": f"{longest}\n", "src/tacet/coin.h": "int long_code = 1;" + " " * 99 + "// beside it\n"})
        self.assertEqual(tree.judged("comments"), (0, ""))
        tree = Tree({"tests/coin_test.cc": f"int coin;\n{longest}x\n"})
        self.assertEqual(tree.judged("comments"), (1, "tests/coin_test.cc:2: has 101 columns, but a line of a comment has at most 100; break it\n"))

    def test_a_tree_without_comments_is_the_wrong_tree(self):
        self.assertEqual(Tree({"src/a.cc": "int a;\n"}).judged("comments"), (1, "src: has no comments; is --root right?\n"))


class TrustedBase(unittest.TestCase):
    ROOMS = ("tacet_room(base) # *\ntacet_room(exact NEEDS base)   # *\ntacet_room(numeric NEEDS base)\n"
             "tacet_room(kernel NEEDS base exact\n           INTERNAL vault.h)   # *\ntacet_room(data NEEDS kernel PARTS x::y) # *\n")

    def judged(self, more=None):
        files = {"src/CMakeLists.txt": self.ROOMS,
                 "src/tacet/base/result.h": "\n" * 10,
                 "src/tacet/exact/noise.h": "#pragma once\n",
                 "src/tacet/exact/noise.cc": '#include "tacet/exact/noise.h"\n#include "tacet/base/result.h"\n',
                 "src/tacet/exact/unused.h": "\n" * 20_000,
                 "src/tacet/numeric/guess.h": "\n" * 20_000,
                 "src/tacet/kernel/release.h": '#include "tacet/exact/noise.h"\n',
                 "src/tacet/kernel/release.cc": '#include "tacet/kernel/release.h"\n',
                 "src/tacet/data/counts.cc": '#include "tacet/kernel/release.h"\n'}
        return Tree({**files, **(more or {})}).judged("trusted_base")

    def test_what_a_release_executes_is_counted_with_the_sources_of_its_headers_and_nothing_else_is(self):
        status, said = self.judged()
        self.assertEqual(status, 0, said)
        for line in ("base           10", "exact           3", "kernel          2", "data            1", "together       16"):
            self.assertIn(line, said)

    def test_there_is_a_limit_to_the_lines(self):
        self.assertEqual(self.judged({"src/tacet/data/counts.cc": "\n" * 9_985})[0], 0)
        status, said = self.judged({"src/tacet/data/counts.cc": "\n" * 9_986})
        self.assertEqual(status, 1)
        self.assertIn("the trusted base has 10001 lines, but at most 10000", said)

    def test_a_room_without_a_star_is_not_reached_however_long_the_way(self):
        status, said = self.judged({"src/tacet/exact/noise.cc": '#include "tacet/numeric/guess.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn('src/tacet/numeric/guess.h: is executed by a release (src/tacet/exact/noise.cc leads to it), but room "numeric" has no star', said)

    def test_a_source_without_a_header_of_its_own_counts_with_its_room(self):
        status, said = self.judged({"src/tacet/exact/elsewhere.cc": '#include "tacet/numeric/guess.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("src/tacet/exact/elsewhere.cc leads to it", said)

    def test_a_file_of_any_name_is_followed(self):
        status, said = self.judged({"src/tacet/exact/noise.cc": '#include "tacet/exact/noise.ipp"\n',
                                    "src/tacet/exact/noise.ipp": '#include "tacet/numeric/guess.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("src/tacet/exact/noise.ipp leads to it", said)

    def test_the_random_bits_count(self):
        self.assertIn("exact         103", self.judged({"src/tacet/exact/secure_bits.cc": "\n" * 100})[1])

    def test_a_file_that_does_not_exist_and_a_list_without_stars_are_refused(self):
        self.assertIn("includes src/tacet/exact/gone.h, which does not exist", self.judged({"src/tacet/data/counts.cc": '#include "tacet/exact/gone.h"\n'})[1])
        self.assertIn("marks no room", Tree({"src/CMakeLists.txt": "tacet_room(base)\n"}).judged("trusted_base")[1])

    def test_the_page_for_the_auditor_tells_how_much_there_is_to_read(self):
        page = "| `base` | x | about 100 |\n| `exact` | x | about 5 |\n| `kernel` | x | about 50 |\n| `data` | x | about 1 |\n"
        self.assertEqual(self.judged({"docs/explanation/auditor.md": page})[0], 0)
        self.assertIn('tells of about 1000 lines in room "kernel"', self.judged({"docs/explanation/auditor.md": page.replace("about 50", "about 1,000")})[1])
        self.assertIn('does not tell how much there is to read in room "data"', self.judged({"docs/explanation/auditor.md": page.replace("`data`", "`date`")})[1])


class TrustedObjects(unittest.TestCase):
    """Compiles a room of one source, which calls what its header declares."""

    def judged(self, source, elsewhere=""):
        tree = Tree({"src/CMakeLists.txt": TrustedBase.ROOMS,
                     "src/tacet/kernel/release.h": "#pragma once\nnamespace tacet::kernel {\nint noise();\nint release();\n}\n",
                     "src/tacet/kernel/release.cc": f'#include "tacet/kernel/release.h"\nnamespace tacet::kernel {{\nint release() {{ return noise(); }}\n{source}}}\n',
                     "src/tacet/numeric/noise.cc": f'#include "tacet/kernel/release.h"\nnamespace tacet::kernel {{\n{elsewhere}}}\n'})
        for name in ("kernel/release", "numeric/noise"):
            room = name.split("/")[0]
            target = tree.root / f"build/src/CMakeFiles/tacet_{room}.dir/tacet/{name}.cc.o"
            target.parent.mkdir(parents=True)
            subprocess.run([COMPILER, "-c", f"-I{tree.root / 'src'}", str(tree.root / f"src/tacet/{name}.cc"), "-o", str(target)], check=True)
        return tree, tree.judged("trusted_objects", str(tree.root / "build"))

    def test_what_is_called_is_defined_where_it_counts(self):
        self.assertEqual(self.judged("int noise() { return 4; }\n")[1], (0, ""))

    def test_a_function_that_another_room_defines_is_found(self):
        for declared in ("", "__attribute__((weak)) int noise();\n"):
            status, said = self.judged(declared, "int noise() { return 4; }\n")[1]
            self.assertEqual(status, 1)
            self.assertRegex(said, r"src/tacet/kernel/release.cc: calls _ZN5tacet6kernel5noiseEv, which no file that counts as trusted defines")

    def test_a_source_without_an_object_is_refused(self):
        tree, _ = self.judged("int noise() { return 4; }\n")
        (tree.root / "build/src/CMakeFiles/tacet_kernel.dir/tacet/kernel/release.cc.o").unlink()
        self.assertIn("src/tacet/kernel/release.cc: has 0 objects", tree.judged("trusted_objects", str(tree.root / "build"))[1])


class Configure(unittest.TestCase):
    """The refusals of cmake/TacetRoom.cmake, on a project of two rooms (tests/architecture/two_rooms)."""

    def configured(self, plant):
        with tempfile.TemporaryDirectory() as build:
            run = subprocess.run(["cmake", "-S", str(HERE / "two_rooms"), "-B", build, f"-DPLANT={plant}", *sys.argv[1:]],
                                 capture_output=True, text=True, check=False)
        return run.returncode, re.sub(r"\s+", " ", run.stdout + run.stderr)

    def test_the_project_itself_is_fine(self):
        status, said = self.configured("nothing")
        self.assertEqual(status, 0, said)

    def refused(self, plant, message):
        status, said = self.configured(plant)
        self.assertNotEqual(status, 0, said)
        self.assertIn(message, said)

    def test_a_need_declared_below_is_refused(self):
        self.refused("need_below", "room 'lower' needs 'upper', which is declared below it or nowhere. Rooms are listed bottom-up "
                                   "in src/CMakeLists.txt; move the code, not the line.")

    def test_a_need_declared_nowhere_is_refused(self):
        self.refused("need_nowhere", "room 'upper' needs 'cellar', which is declared below it or nowhere.")

    def test_a_room_that_links_the_test_support_is_refused(self):
        self.refused("room_links_test_support", "'tacet_upper' ships, but links 'tacet_test_support', which is for tests")

    def test_a_program_that_links_it_behind_another_library_is_refused(self):
        self.refused("program_links_test_support", "'tacet' ships, but links 'tacet_test_support', which is for tests")

    def test_a_part_that_nobody_declared_is_refused(self):
        self.refused("unknown_part", "there is no part 'nowhere::part'; declare it in cmake/TacetParts.cmake")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
