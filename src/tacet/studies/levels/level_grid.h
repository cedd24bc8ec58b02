// tacet/studies/levels/level_grid.h: studies of levels and coverage: how often tests and intervals
// err, over a grid of settings.
//
//   const auto toss = [](Piece& piece, ErrorTally& tally) -> Status {
//     for (std::size_t i = 0; i < piece.trials; ++i) tally.add(0, piece.stream.uniform() < 0.05);
//     return {};
//   };
//   LevelGrid coins{.title = "Coins", .kinds = {{"a biased coin", "heads", 0.05}}, .settings = {}};
//   coins.settings.push_back({"one coin", toss});
//   coins.usual = 1000;
//   std::vector<Cell> cells = level_cells(coins, Effort{});
//   Findings found = level_findings(coins, measured);
//
// A rate is too high if it exceeds what is allowed by three standard errors, and again so with new
// draws and four times the trials, as two of a million that are exactly right do. A setting is one
// block. Nor may all errors of a kind together exceed what is allowed, by four standard errors and
// a fiftieth. A planted fault must show in the first trials.
// Checked  tests/studies/level_grid_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/studies/findings.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

/// What may go wrong in a trial, and in which share of the trials it may.
struct ErrorKind {
  std::string claim;  // one verdict for all kinds of a claim
  std::string name;
  double most;
};

/// Trials and errors of each kind. A kind that a setting never adds is not of that setting.
class ErrorTally {
 public:
  explicit ErrorTally(std::vector<bool> wanted) : wanted_(std::move(wanted)), counts_(wanted_.size()) {}

  struct Count {
    double trials = 0, errors = 0, silent = 0;  // silent: there was no answer, which is no error

    double rate() const { return trials > 0 ? errors / trials : 0; }
  };

  /// Others need not be added.
  bool wants(std::size_t kind) const { return wanted_[kind]; }
  void add(std::size_t kind, bool error, bool silent = false) { add_many(kind, {1, error ? 1.0 : 0.0, silent ? 1.0 : 0.0}); }
  void add_many(std::size_t kind, const Count& count);
  const Count& of(std::size_t kind) const { return counts_[kind]; }

 private:
  std::vector<bool> wanted_;
  std::vector<Count> counts_;
};

struct LevelSetting {
  std::string name;
  std::function<Status(Piece& piece, ErrorTally& tally)> count;
  /// A fault is planted: of each claim that it adds to, some rate must be too high.
  bool planted = false;
};

struct LevelGrid {
  std::string title;  // of the figure
  std::vector<ErrorKind> kinds;
  std::vector<LevelSetting> settings;
  std::size_t usual = 0, in_a_hurry = 0;  // trials of a setting
  std::size_t every = 1;                  // in a hurry: every so many settings, and all planted ones
  std::size_t planted = 0;                // at least so many trials, and in_a_hurry, of faults
};

std::vector<Cell> level_cells(const LevelGrid& grid, const Effort& effort);
/// A verdict for each claim and one for the planted faults, tables of all rates, and a figure of
/// the rates in order.
Findings level_findings(const LevelGrid& grid, const Measured& measured);

/// More than is allowed by three standard errors.
bool is_too_high(const ErrorTally::Count& count, double most);

}  // namespace tacet::studies
