// tacet/workflow/infer/table_release.h: a released table, of either kind.
//
//   TestedTable table = *read_release_as<CountRelease, LocalRelease, DenoisedRelease>("a.json");
//   GoodnessOfFitTest test = *test_goodness_of_fit(table, {0.5, 0.3, 0.2});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "tacet/workflow/release/release_file.h"

namespace tacet {

/// Noisy counts, or reports that people randomised themselves.
using TableRelease = std::variant<CountRelease, LocalRelease>;

/// The cells of either kind.
inline const mechanisms::ReleasedTable& cells_of(const TableRelease& release) {
  if (const auto* counts = std::get_if<CountRelease>(&release)) return *counts;
  return std::get<LocalRelease>(release);
}

/// What tests of fit and of independence take: also a table that was denoised before it was
/// published.
using TestedTable = std::variant<CountRelease, LocalRelease, DenoisedRelease>;

inline const mechanisms::ReleasedTable& cells_of(const TestedTable& release) {
  if (const auto* denoised = std::get_if<DenoisedRelease>(&release)) return denoised->table;
  if (const auto* counts = std::get_if<CountRelease>(&release)) return *counts;
  return std::get<LocalRelease>(release);
}

}  // namespace tacet
