// tacet/service/local_request.h: what the two sides of local privacy, the person and the collector, ask for in the same words.
//
//   TACET_TRY(const LocalTerms terms, local_terms(mechanisms::LocalKind::Exp, request));
//   terms.law;        // exp with epsilon 1
//   terms.privacy;    // epsilon 1, between values of one person
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

struct LocalTerms {
  mechanisms::LocalRandomizer law;
  privacy::Loss loss;
  mechanisms::ReleasedPrivacy privacy;
  std::string words;  // "epsilon 1"
};

/// From exactly one of epsilon (with or without delta), rho and mu. exp, flip: epsilon alone; laplace: no delta; gaussian: never epsilon
/// alone.
Result<LocalTerms> local_terms(mechanisms::LocalKind kind, const Json& request);

/// The field `categories`: 2 or more different names, each of one line.
Result<std::vector<std::string>> categories_field(const Json& request);

}  // namespace tacet::service
