#!/usr/bin/env python3
"""api_test.py: the check of the API's pages is shown planted faults, and the filter that Doxygen reads through is shown comments as we write them."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import tempfile
import unittest

import check_api

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "# The C++ API\n\n| namespace | what is in it |\n| --- | --- |\n| tacet | What people call. |\n| tacet::exact | Exact noise. |\n"
COIN = """// tacet/exact/coin.h: a fair coin.
//
//   bool heads = toss(3);
//
// Domain   any side < 4.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::exact {

/// Tosses it.
bool toss(int side);

}  // namespace tacet::exact
"""
BET = """// tacet/workflow/bet.h: a bet on a coin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet {

/// What is bet.
struct Bet {
  int side;  // of the coin
};

/// How it ended.
enum class End { Won, Lost };

}  // namespace tacet
"""


def filter_module():
    loader = importlib.machinery.SourceFileLoader("doxygen_filter", str(ROOT / "tools" / "doxygen_filter"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("doxygen_filter", loader))
    loader.exec_module(module)
    return module


def judged(coin=COIN, bet=BET, page=PAGE, installed=("exact/coin.h", "workflow/bet.h"), more=(), internal=()):
    """What the check says of a tree of two headers."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        files = {"src/tacet/exact/coin.h": coin, "src/tacet/workflow/bet.h": bet, "docs/reference/api.md": page, **dict(more)}
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        (root / "tools").mkdir()
        shutil.copy(ROOT / "tools" / "doxygen_filter", root / "tools")
        shutil.copy(ROOT / "docs" / "reference" / "Doxyfile", root / "docs" / "reference")
        (root / "internal_headers").write_text("".join(f"EXCLUDE += src/tacet/{header}\n" for header in internal))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = check_api.main(str(root), str(root / "out"), str(root / "internal_headers"), *(str(root / "src" / "tacet" / header) for header in installed))
        return status, said.getvalue()


class Check(unittest.TestCase):
    def refused(self, *words, **tree):
        status, said = judged(**tree)
        self.assertEqual(status, 1)
        for word in words:
            self.assertIn(word, said)

    def test_a_tree_without_faults_passes(self):
        self.assertEqual(judged(), (0, ""))

    def test_a_parameter_that_is_none_is_refused_with_its_line(self):
        self.refused("src/tacet/exact/coin.h:11: ", "argument 'coin' of command @param is not found",
                     coin=COIN.replace("/// Tosses it.", "/// \\param coin which coin"))

    def test_a_reference_to_nothing_is_refused(self):
        self.refused("src/tacet/exact/coin.h:11: ", "unable to resolve reference to 'dice'", coin=COIN.replace("Tosses it.", "See \\ref dice."))

    def test_an_unknown_command_is_refused(self):
        self.refused("src/tacet/exact/coin.h:11: ", "unknown command '\\tosses'", coin=COIN.replace("Tosses it.", "\\tosses it."))

    def test_a_banner_with_the_name_of_another_file_is_refused(self):
        self.refused("src/tacet/exact/coin.h:1: ", "'tacet/exact/dice.h'", coin=COIN.replace("tacet/exact/coin.h", "tacet/exact/dice.h"))

    def test_an_installed_header_without_a_page_is_refused(self):
        self.refused("src/tacet/kernel/vault.h: is installed, but has no page", installed=("exact/coin.h", "workflow/bet.h", "kernel/vault.h"), internal=("kernel/vault.h",),
                     more={"src/tacet/kernel/vault.h": COIN.replace("exact/coin.h", "kernel/vault.h")}.items())

    def test_a_page_of_a_header_that_is_not_installed_is_refused(self):
        self.refused("src/tacet/exact/coin.h: is not installed, but has a page", installed=("workflow/bet.h",))

    def test_an_internal_header_needs_no_page(self):
        vault = {"src/tacet/kernel/vault.h": COIN.replace("exact/coin.h", "kernel/vault.h")}
        self.assertEqual(judged(more=vault.items(), internal=("kernel/vault.h",)), (0, ""))

    def test_a_type_that_people_call_says_what_it_is(self):
        self.refused("src/tacet/workflow/bet.h: does not say what tacet::Bet is", bet=BET.replace("/// What is bet.\n", ""))
        self.refused("src/tacet/workflow/bet.h: does not say what tacet::End is", bet=BET.replace("/// How it ended.\n", ""))

    def test_a_room_says_what_is_in_it(self):
        self.refused("does not say what is in tacet::exact", page=PAGE.replace("| tacet::exact | Exact noise. |\n", ""))


class Filter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.filter = filter_module()

    def becomes(self, before, after):
        self.assertEqual(self.filter.filtered(before), after)

    def test_a_banner_describes_its_file_and_keeps_example_and_contract(self):
        marked = self.filter.filtered(COIN).split("\n")
        self.assertEqual(marked[0], "/// @file tacet/exact/coin.h @brief A fair coin.")
        self.assertEqual(marked[2], "/// @code{.cpp}bool heads = toss(3); @endcode")
        self.assertEqual(marked[4], "/// @contract{Domain} any side \\< 4.")
        self.assertEqual(marked[5:], COIN.split("\n")[5:])

    def test_several_contracts_of_a_line_and_lines_that_go_on(self):
        self.becomes("/// Domain   x > 0.   Error   none.\n/// Cost     much,\n///          or more.\nint f();",
                     "/// @contract{Domain} x \\> 0. @contract{Error} none.\n/// @contract{Cost} much,\n/// or more.\nint f();")

    def test_what_is_between_backticks_stays(self):
        self.becomes("/// `Result<int>`, #3 or <b>.", "/// `Result<int>`, \\#3 or \\<b\\>.")

    def test_a_formula_is_an_example_without_colours(self):
        self.becomes("/// It is\n///   x = y\n///   x > z\n/// always.", "/// It is\n/// @code{.unparsed}x = y\n///  x > z @endcode\n/// always.")

    def test_a_comment_behind_a_member_describes_it_also_on_the_next_line(self):
        self.becomes("struct A {\n  int a;  // one < two\n          // three\n  // not this\n  int b;\n};", "struct A {\n  int a;  ///< one \\< two\n          ///< three\n  // not this\n  int b;\n};")

    def test_comments_in_bodies_and_lists_and_behind_ends_describe_nothing(self):
        for text in ("int f() {\n  int a;  // one\n}", "namespace a {\n}  // namespace a", "#pragma once  // one", "void f(int a,  // one\n       int b);",
                     'struct A {\n  const char* a = "// one";\n};', "struct A {  // one\n};"):
            self.becomes(text, text)

    def test_lines_keep_their_numbers_in_every_header(self):
        for header in sorted((ROOT / "src").rglob("*.h")):
            text = header.read_text(encoding="utf-8")
            self.assertEqual(self.filter.filtered(text).count("\n"), text.count("\n"), header)


if __name__ == "__main__":
    unittest.main()
