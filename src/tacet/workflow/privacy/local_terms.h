// tacet/workflow/privacy/local_terms.h: the terms that a person and the collector of local reports
// share.
//
//   LocalTerms terms = *local_terms(LocalKind::Exp, Epsilon(1));
//   terms.randomizer;        // exp with epsilon 1
//   terms.loss;              // the loss of one report
//
// Domain   exp and flip: epsilon alone, from 1e-9 to 100; laplace: epsilon alone, rho or mu;
//          gaussian: rho, mu, or epsilon and delta. Outside: InvalidArgument.
// Cost     microseconds; laplace with mu as mechanisms/laplace_loss.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;

/// How a report is randomised, and what it gives away.
struct LocalTerms {
  LocalRandomizer randomizer;
  privacy::Loss loss;
};
/// The randomiser of this kind that keeps this privacy.
Result<LocalTerms> local_terms(LocalKind kind, const PrivacyAmount& amount);

/// 2 or more different names, each of one line.
Status check_categories(const std::vector<std::string>& categories);

}  // namespace tacet
