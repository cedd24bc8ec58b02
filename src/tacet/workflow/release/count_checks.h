// tacet/workflow/release/count_checks.h: the rules that tables of counts and histograms share.
//
//   TACET_TRY(const CountPayment payment, count_payment(Epsilon(0.5), CountMechanism::Laplace));
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
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// What a request for counts pays, and the noise that it buys.
struct CountPayment {
  PrivacyAmount amount;
  privacy::Loss loss;
  mechanisms::CountMechanism mechanism;

  /// The charge to a budget in this currency: Laplace noise costs less than its epsilon there.
  Result<privacy::Loss> price(const kernel::Sensitivity& sensitivity, privacy::Currency budget) const;
};
/// The mechanism follows from the loss if none is asked for. InvalidArgument, naming "mechanism",
/// if the loss does not buy this noise; or without a loss.
Result<CountPayment> count_payment(const std::optional<PrivacyAmount>& asked, std::optional<mechanisms::CountMechanism> mechanism);
/// InvalidArgument, naming "count", if a unit is asked for where every row is a person.
Status check_count_unit(const std::optional<data::CountUnit>& unit, const data::Schema& schema);
/// The nearest doubles.
std::vector<double> approximate_edges(const std::vector<Decimal>& edges);

}  // namespace tacet
