// tacet/workflow/infer/count_test.h: the members that all tests of counts have in their answers.
//
//   IndependenceTest test = *test_independence(table);
//   test.outcome;       // Outcome::Reject, Retain or Inconclusive
//   test.p_value;       // may be empty; test.reason then says why
//   test.power;         // against a deviation of the observed size
//
// The answers of the single tests (goodness_of_fit.h, independence.h, gwas.h, homogeneity.h) have
// these members and their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::GofMethod;
using inference::GofStatistic;
using inference::Outcome;

/// A test of a table of counts, with what it was asked.
struct CountTest : inference::GofTest {
  double alpha = 0;                        // the level that was asked for
  std::optional<std::uint64_t> seed = {};  // of the simulation, if there was one
};

/// The test with its level, and its seed where tables were drawn.
inline CountTest count_test(inference::GofTest test, const inference::GofOptions& options) {
  CountTest answer{std::move(test), options.alpha, std::nullopt};
  if (answer.draws) answer.seed = options.simulation.seed;
  return answer;
}

/// The options of inference, from those of any test of counts. Progress goes to `context`.
template <class Options>
inference::GofOptions gof_options(const Options& options, const Context& context) {
  return {.alpha = options.alpha,
          .statistic = options.statistic,
          .method = options.method,
          .simulation = told(options.simulation, context, "simulating tables")};
}

}  // namespace tacet
