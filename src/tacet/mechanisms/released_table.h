// tacet/mechanisms/released_table.h: the cells of a released table, with their labels.
//
//   ReleasedTable t{{{"sex", {"f", "m"}}, {"plan", {"basic", "plus"}}}, {2, 2},
//                   {812, 90, 455, 120}};
//   t.cell_name(2);           // "sex=m, plan=basic"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacet::mechanisms {

struct ReleaseAxis {
  std::string name;
  std::vector<std::string> labels;
  /// Of bins: bin i holds numbers from edge i to under edge i + 1, the last bin also its upper
  /// edge. A label more than the bins is for no number. Empty: categories.
  std::vector<double> edges = {};
  bool dates = false;               // edges are days since 1970-01-01
  std::vector<double> people = {};  // of each label, if it is public who has which; or empty
};

struct ReleasedTable {
  std::vector<ReleaseAxis> axes = {};  // empty: an imported table without names
  std::vector<std::size_t> shape = {};
  std::vector<double> values = {};  // the last axis runs fastest

  /// "smoking=never, disease=yes", or "cell 3" without labels.
  std::string cell_name(std::size_t cell) const;
};

/// The most cells and dimensions that a file may have.
inline constexpr std::size_t kMostReleasedCells = 10'000'000;
inline constexpr std::size_t kMostAxes = 32;

}  // namespace tacet::mechanisms
