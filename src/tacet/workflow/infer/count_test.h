// tacet/workflow/infer/count_test.h: what every test of counts answers.
//
//   test.outcome;       // Outcome::Reject, Retain or Inconclusive
//   test.p_value;       // nothing where there is none, and then test.reason says why
//   test.power;         // how often a deviation of the size that was seen is rejected
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
  std::optional<std::uint64_t> seed = {};  // of the simulation; nothing where there was none
};

/// The test with its level, and its seed where tables were drawn.
inline CountTest count_test(inference::GofTest test, const inference::GofOptions& options) {
  CountTest answer{std::move(test), options.alpha, std::nullopt};
  if (answer.draws > 0) answer.seed = options.simulation.seed;
  return answer;
}

/// What inference asks for, from the options of any test of counts. Progress goes to `context`.
template <class Options>
inference::GofOptions gof_options(const Options& options, const Context& context) {
  return {.alpha = options.alpha,
          .statistic = options.statistic,
          .method = options.method,
          .simulation = told(options.simulation, context, "simulating tables")};
}

}  // namespace tacet
