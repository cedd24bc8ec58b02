// tacet/workflow/release/count_checks.h: the rules that tables of counts and histograms share.
//
//   TACET_CHECK(check_count_loss(CountMechanism::Laplace, loss));
//   TACET_CHECK(check_count_unit(CountUnit::Rows, schema));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/data/schema.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/privacy/currency.h"

namespace tacet {

/// InvalidArgument, naming "mechanism", if the loss does not buy this noise.
Status check_count_loss(mechanisms::CountMechanism mechanism, const privacy::Loss& loss);
/// InvalidArgument, naming "count", if a unit is asked for where every row is a person.
Status check_count_unit(const std::optional<data::CountUnit>& unit, const data::Schema& schema);
/// The nearest doubles.
std::vector<double> approximate_edges(const std::vector<Decimal>& edges);

}  // namespace tacet
