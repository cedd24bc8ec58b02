// tacet/service/laplace_fields.h: the fields of a request that tie Laplace noise to a theorem.
//
//   struct Request { std::optional<Digits> l1; LaplaceFields theorem; };
//   RequestTable<Request>().include(&Request::theorem, laplace_table("the theorem for mu"));
//   LaplaceStatistic numbers = LaplaceFields{.dimension = 2}.statistic(1);  // two, with l1 = 1
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tacet/service/request_table.h"
#include "tacet/workflow/privacy/laplace_rule.h"

namespace tacet::service {

/// The theorem, and what it needs to know of the statistic.
struct LaplaceFields {
  std::optional<LaplaceMuRule> rule = {};  // nothing: universal
  std::optional<Relation::Kind> neighbours = {};
  std::optional<std::uint64_t> dimension = {};

  LaplaceStatistic statistic(Digits l1) const;
};

/// `what` says what the rule is for, as in "with mu: the theorem to use".
RequestTable<LaplaceFields> laplace_table(const std::string& what);

}  // namespace tacet::service
