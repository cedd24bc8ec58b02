// tacet/service/histogram_words.h: numbers that may be dates, and quantiles, in words.
//
//   number_words(19676, /*dates=*/true);          // "2023-11-15"
//   quantile_table_words(quantiles);              // a table for the terminal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/workflow/infer/quantile.h"

namespace tacet::service {

/// "41.5", or the date of so many days since 1970-01-01.
std::string number_words(double number, bool dates);
/// "[38, 43]"
std::string number_range(const Interval& interval, bool dates);
/// One row for each quantile: estimate, file and population.
std::string quantile_table_words(const QuantileAnswer& answer);

}  // namespace tacet::service
