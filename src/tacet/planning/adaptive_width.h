// tacet/planning/adaptive_width.h: widths that hold for the population, for queries chosen one
// after another.
//
// An analyst asks k queries, each chosen after the answers before it. Each is the mean over n
// independent rows of values in [0, 1], answered with noise. With probability at least 1 - beta all
// answers together lie within the width of the POPULATION's means:
//
//   AdaptiveWidths widths = *adaptive_widths({.n = 6400, .queries = 640, .beta = 0.05});
//   widths.best().rule;      // AdaptiveRule::Cvar
//   widths.best().width;     // 0.38204911, with normal noise of standard deviation 0.047256
//
// Theorem  docs/explanation/adaptive_analysis.md states and proves them, with r = 1/(2 n^2 sd^2)
//          for Gaussian and e = 1/(n scale) for Laplace noise:
//          dfhprr      Rogers 3.2.2 (Dwork et al. 2015), with the 8 that it lacks there
//          bnsssu      Rogers 3.3.1 (Bassily et al. 2016), with log(2k/d) and log(4k/d)
//          rz_monitor  Rogers 3.4.1 (Russo & Zou 2016, with a monitor)
//          jlnrss      Jung et al. 2020, Theorem 3.5, with the exact curve of Gaussian noise
//          cvar        conditional value at risk; in no paper
//          splitting   planning/split_width.h;        constant  answers 1/2: width 1/2
//          A smaller beta is also valid, so bnsssu, which jumps where 1/beta is whole, is the
//          lesser of its values at beta and at the next 1/s below.
//          Queries of sensitivity D that are not means: cvar and rz_monitor times n D.
// Domain   1 <= n <= 10^15, 1 <= k <= 10^12, 10^-9 <= beta <= 0.99, 10^-300 <= D <= 10^300.
// Error    a relative 10^-10; a noise that is not quite the best one only widens.
// Cost     20 ms for all rules.
// Checked  tests/planning/adaptive_width_test.cc: tests/data_reference/adaptive_width.csv.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"

namespace tacet::planning {

/// The queries that an analyst will ask.
struct AdaptiveQueries {
  double n, queries;  // whole numbers
  double beta;        // the probability that some answer may lie outside
};
/// InvalidArgument outside of the domain.
Status check_queries(const AdaptiveQueries& queries);

enum class AdaptiveRule : std::uint8_t { RzMonitor, Dfhprr, Bnsssu, Jlnrss, Cvar, DataSplitting, Constant };
constexpr auto names_of(AdaptiveRule) {
  using enum AdaptiveRule;
  return std::to_array<Named<AdaptiveRule>>({{RzMonitor, "rz_monitor"},
                                             {Dfhprr, "dfhprr"},
                                             {Bnsssu, "bnsssu"},
                                             {Jlnrss, "jlnrss"},
                                             {Cvar, "cvar"},
                                             {DataSplitting, "data_splitting"},
                                             {Constant, "constant"}});
}

enum class AnswerNoise : std::uint8_t { None, Gaussian, Laplace };
constexpr auto names_of(AnswerNoise) {
  using enum AnswerNoise;
  return std::to_array<Named<AnswerNoise>>({{None, "none"}, {Gaussian, "gaussian"}, {Laplace, "laplace"}});
}

/// A width and the noise that attains it.
struct AdaptiveWidth {
  AdaptiveRule rule;
  double width;
  AnswerNoise family;
  std::optional<double> noise;  // a standard deviation, or the scale of Laplace noise
};

struct AdaptiveWidths {
  std::vector<AdaptiveWidth> rules;  // each rule once, with its better noise
  const AdaptiveWidth& best() const;
  const AdaptiveWidth* find(AdaptiveRule rule) const;  // nullptr: the rule does not hold here
};

/// What is known of each query.
enum class QueryKind : std::uint8_t { Bounded, Proportion };
constexpr auto names_of(QueryKind) {
  return std::to_array<Named<QueryKind>>({{QueryKind::Bounded, "bounded"}, {QueryKind::Proportion, "proportion"}});
}

/// Every rule. Proportions are means of 0 and 1; data splitting serves them better.
Result<AdaptiveWidths> adaptive_widths(const AdaptiveQueries& queries, QueryKind kind = QueryKind::Bounded);

/// For queries that change by at most `sensitivity` when a row is replaced, and need not be means.
Result<AdaptiveWidths> low_sensitivity_widths(const AdaptiveQueries& queries, double sensitivity);

/// One rule with one kind of noise.
Result<AdaptiveWidth> dfhprr_width(const AdaptiveQueries& queries, AnswerNoise family);
Result<AdaptiveWidth> bnsssu_width(const AdaptiveQueries& queries, AnswerNoise family);
Result<AdaptiveWidth> rz_monitor_width(const AdaptiveQueries& queries);
Result<AdaptiveWidth> jlnrss_width(const AdaptiveQueries& queries);
Result<AdaptiveWidth> cvar_width(const AdaptiveQueries& queries);

/// The same with Gaussian noise of a given standard deviation. rz_monitor: infinite where
/// r k n <= 1.
Result<double> rz_monitor_width_at(const AdaptiveQueries& queries, double standard_deviation);
Result<double> cvar_width_at(const AdaptiveQueries& queries, double standard_deviation);

/// A promise that everything released from the rows keeps together.
struct GdpPromise {
  double mu;
};
struct ZcdpPromise {
  double rho;
};
using WholePromise = std::variant<GdpPromise, ZcdpPromise>;
/// The CVaR width where more than the answers may have been released from the rows: noise as above,
/// and the curve of this promise in place of that of the answers.
Result<double> cvar_width_within(const AdaptiveQueries& queries, double standard_deviation, const WholePromise& promise);
/// The part of it that does not depend on the noise: how far what was told about the rows may move
/// the mean of a query over them, except with probability beta.
Result<double> selection_width(double beta, const WholePromise& promise);

}  // namespace tacet::planning
