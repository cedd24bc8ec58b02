// tacet/studies/study.h: a study: one table or figure of a paper, cut into cells that can be
// computed in any order.
//
//   Cell coins{"coins", /*trials=*/10000, /*block=*/1000, [](Piece& piece) -> Result<Sums> {
//     double heads = 0;
//     for (std::size_t i = 0; i < piece.trials; ++i) heads += piece.stream.uniform() < 0.5 ? 1 : 0;
//     return Sums{heads};
//   }};
//   // Later, of all trials together:
//   double share = measured.rate("coins").share;
//
// A cell is one setting; its trials are done in blocks, each with the random stream of its name and
// number. So the results are the same for any number of threads and after any interruption. The
// numbers of a cell are sums over its trials; conclude() turns them into findings. A cell with one
// trial may hold any numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/studies/findings.h"

namespace tacet::studies {

using Sums = std::vector<double>;

/// A block of the trials of a cell.
struct Piece {
  std::size_t trials;
  std::uint64_t seed;              // for functions that simulate by themselves, with threads = 1
  numeric::InsecureStream stream;  // another one than those of the seed
};

struct Cell {
  std::string name;
  std::size_t trials = 1, block = 1;
  std::function<Result<Sums>(Piece& piece)> run;
};

/// How many trials are asked for.
struct Effort {
  bool quick = false;
  std::optional<std::size_t> trials = {};

  std::size_t of(std::size_t usual, std::size_t in_a_hurry) const { return trials.value_or(quick ? in_a_hurry : usual); }
};

/// The sums of all cells. Asking for a cell or a number that there is not ends the program.
class Measured {
 public:
  void set(std::string cell, std::size_t trials, Sums sums);
  const Sums& sums(const std::string& cell) const;
  double sum(const std::string& cell, std::size_t i = 0) const;
  double trials(const std::string& cell) const;
  /// The sum as a share of the trials.
  Rate rate(const std::string& cell, std::size_t i = 0) const;
  double mean(const std::string& cell, std::size_t i = 0) const { return rate(cell, i).share; }

  struct OfCell {
    std::size_t trials;
    Sums sums;
  };
  const std::map<std::string, OfCell>& all() const { return all_; }

 private:
  std::map<std::string, OfCell> all_;
};

struct Study {
  std::string name;   // "rogers_table_3"
  std::string title;  // one line
  std::string paper;  // where it stands
  std::string shows;  // one or two sentences
  /// Raised with every change of what a cell computes: older results are then not used.
  int version;
  /// Of all its cells on one processor, as measured; for the time left.
  double seconds;
  std::vector<Cell> (*cells)(const Effort& effort);
  Result<Findings> (*conclude)(const Measured& measured);
};

/// All studies, in the order of the papers.
const std::vector<Study>& all_studies();
/// InvalidArgument, with the nearest names, if there is none of that name.
Result<const Study*> find_study(std::string_view name);

}  // namespace tacet::studies
