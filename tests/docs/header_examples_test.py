#!/usr/bin/env python3
"""header_examples_test.py COMPILER: the check of the headers' examples is shown planted faults."""
import pathlib
import re
import shlex
import sys
import tempfile
import unittest

import header_examples

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMPILER = shlex.split(sys.argv[1])
COIN = """// tacet/exact/coin.h: a fair coin.
//
//   struct Purse {
//     Coin coin;
//   };
//
//   Purse purse{coin};
//   TOSS(purse.coin);          // returns what it shows
//
//   heads   one half
//   tails   the rest
//
// Domain   any coin; it stands on its
//          edge = nowhere;
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define TOSS(coin) if (toss(coin)) return (coin).side

namespace tacet::exact {

struct Coin {
  int side;
};
template <class T>
bool toss(const T& coin) {
  return coin.side == 0;
}

}  // namespace tacet::exact
"""
INPUTS = """#include "tacet/exact/coin.h"
namespace tacet::inputs {
extern exact::Coin coin;
}
"""
NOT_COMPILED = "the example does not compile: "


def judged(header=COIN, inputs=INPUTS, folder="exact", without=()):
    """What the check says of a tree with one header."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        all_inputs = root / header_examples.INPUTS
        # The tree has no other header, so what all inputs include is left out.
        common = [line for line in (SOURCE / header_examples.INPUTS / "all.h").read_text().splitlines() if "#include" not in line]
        for path, text in ((root / "src/tacet/exact/coin.h", header), (all_inputs / f"{folder}.h", inputs),
                           (all_inputs / "all.h", "\n".join(common) + "\n")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(header_examples.check(root, COMPILER, dict(without)))


class HeaderExamples(unittest.TestCase):
    def refused(self, *findings, **tree):
        """The first findings begin so; a compiler may go on with what follows from them."""
        said = judged(**tree)
        self.assertEqual([finding[:len(begins)] for finding, begins in zip(said, findings)], list(findings))

    def replaced(self, before, after):
        self.assertEqual(COIN.count(before), 1, before)
        return COIN.replace(before, after)

    def test_an_example_that_compiles_passes_with_tables_and_contracts_beside_it(self):
        self.assertEqual(judged(), [])

    def test_a_name_that_does_not_exist_is_refused_with_its_line(self):
        self.refused(f"src/tacet/exact/coin.h:7: {NOT_COMPILED}'Wallet' was not declared", header=self.replaced("Purse purse{coin};", "Wallet{coin};"))
        self.refused(f"src/tacet/exact/coin.h:4: {NOT_COMPILED}'Dice' does not name a type", header=self.replaced("//     Coin coin;", "//     Dice coin;"))

    def test_an_argument_that_a_macro_or_a_template_cannot_use_is_refused_with_its_line(self):
        self.refused(f"src/tacet/exact/coin.h:8: {NOT_COMPILED}", header=self.replaced("TOSS(purse.coin)", "TOSS(purse)"))
        self.refused(f"src/tacet/exact/coin.h:8: {NOT_COMPILED}", header=self.replaced("TOSS(purse.coin)", "toss(purse)"))

    def test_a_line_without_its_semicolon_is_refused(self):
        self.refused(f"src/tacet/exact/coin.h:8: {NOT_COMPILED}expected ", header=self.replaced("Purse purse{coin};", "Purse purse{coin}"))

    def test_a_header_without_an_example_is_refused_unless_it_is_excused(self):
        bare = re.sub("^// +", "// ", COIN, flags=re.MULTILINE)
        self.refused("src/tacet/exact/coin.h:1: has no example; ", f"{header_examples.INPUTS}/exact.h: there is no example for it; ", header=bare)
        self.refused(f"{header_examples.INPUTS}/exact.h: there is no example for it; ", header=bare,
                     without={"src/tacet/exact/coin.h": "nobody calls it"}.items())

    def test_an_excuse_that_is_no_longer_needed_is_refused(self):
        self.refused("src/tacet/exact/coin.h: has an example now; ", without={"src/tacet/exact/coin.h": "nobody calls it"}.items())
        self.refused("src/tacet/exact/dice.h: does not exist; ", without={"src/tacet/exact/dice.h": "nobody calls it"}.items())

    def test_an_input_that_no_example_uses_is_refused(self):
        self.refused(f"{header_examples.INPUTS}/exact.h: declares dice, which no example uses; ", inputs=INPUTS.replace("coin;", "coin, dice;"))
        self.refused(f"{header_examples.INPUTS}/kernel.h: there is no example for it; ", f"src/tacet/exact/coin.h:7: {NOT_COMPILED}'coin' was not declared",
                     folder="kernel")

    def test_inputs_that_do_not_compile_are_refused_with_their_line(self):
        self.refused(f"{header_examples.INPUTS}/exact.h:3: {NOT_COMPILED}'Dice' in namespace",
                     inputs=INPUTS.replace("exact::Coin", "exact::Dice"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
