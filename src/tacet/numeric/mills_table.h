// tacet/numeric/mills_table.h: Taylor coefficients of Mills' ratio at 0, 1/8, ..., 8.
//
//   double ratio = kMillsTable[0][0];       // M(0) = sqrt(pi/2)
//
// kMillsTable[i][n] is M_n(x) = (1/n!) integral over t > 0 of t^n exp(-x t - t^2/2) at x = i/8. So
// M(x + d) = sum of (-d)^n M_n(x). Only mills.cc uses it.
// Error    each entry is the nearest double.
// Checked  tests/numeric/mills_test.cc, every entry, against MPFR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tacet::numeric {

inline constexpr int kMillsRows = 65;
inline constexpr int kMillsColumns = 16;
inline constexpr double kMillsRowsPerUnit = 8;
extern const double kMillsTable[kMillsRows][kMillsColumns];

}  // namespace tacet::numeric
