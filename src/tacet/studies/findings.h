// tacet/studies/findings.h: what a study found: tables, figures, and verdicts on claims of a paper.
//
//   Findings found;
//   found.tables.push_back({"critical", "Critical values", {"n", "ours"}, {{1000, 10070.47}}});
//   found.verdicts.push_back(agrees("the critical value", {10070.4731, 10070.47, 0.005}));
//   found.verdicts.push_back(differs("the width", /*as_expected=*/true, {{"ours", 0.91}},
//                                    "the paper prints log(k/d) where its proof has log(4k/d)"));
//
// A verdict `differs` with a written reason is expected: the study has checked that the difference
// is the known one. Any other difference is unexpected, and `study run` then ends with exit code 1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/report/figure.h"

namespace tacet::studies {

enum class Outcome : std::uint8_t { Reproduced, Better, Differs };
constexpr auto names_of(Outcome) {
  return std::to_array<Named<Outcome>>({{Outcome::Reproduced, "reproduced"}, {Outcome::Better, "better"}, {Outcome::Differs, "differs"}});
}

struct Number {
  std::string name;
  double value;
};

struct Verdict {
  std::string claim;
  Outcome outcome;
  bool expected;  // false: differs, and the reason is not known
  std::vector<Number> numbers;
  std::string words;
};

using Entry = std::variant<double, std::string>;

struct Table {
  std::string name, title;  // the name is that of its CSV file
  std::vector<std::string> columns;
  std::vector<std::vector<Entry>> rows;
};

struct Findings {
  std::vector<Table> tables;
  std::vector<report::Figure> figures;
  std::vector<Verdict> verdicts;
};

/// One number of ours beside the paper's. The tolerance is the error of simulation, of rounding and
/// of reading a picture together.
struct Comparison {
  double ours, paper, tolerance;
};
/// Reproduced within the tolerance; otherwise it differs unexpectedly.
Verdict agrees(std::string claim, const Comparison& compared, std::string words = {});
/// The same for several numbers, of which the worst is told.
Verdict all_agree(std::string claim, const std::vector<std::pair<std::string, Comparison>>& compared, std::string words = {});
/// Reproduced (or better) if it holds.
Verdict holds(std::string claim, bool it_holds, std::vector<Number> numbers, std::string words, Outcome outcome = Outcome::Reproduced);
/// A difference whose reason is known; unexpected if it is no longer as the reason says.
Verdict differs(std::string claim, bool as_expected, std::vector<Number> numbers, std::string reason);

/// Whether every difference has a written reason.
bool as_expected(const std::vector<Verdict>& verdicts);

/// A share of trials, with its standard error.
struct Rate {
  double share, trials;
  double standard_error() const;
};

/// How many standard errors a comparison may be off if there are `count` of them in one verdict:
/// all together they exceed it by chance as often as one exceeds 3, which is 0.27 %.
double allowed_errors(std::size_t count);

/// `rate` against a share that the paper measured in `paper_trials` (0: exact), with a reading
/// error: the tolerance has the errors of both simulations, at least that of one event.
Comparison compared(const Rate& rate, double paper, double paper_trials, std::size_t count, double reading = 0);

}  // namespace tacet::studies
