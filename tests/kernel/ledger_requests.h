// Short ways to write the losses, budgets and requests of the ledger's tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/parameters.h"

namespace tacet::testing {

inline Decimal decimal(std::string_view text) { return *Decimal::parse(text); }
inline kernel::Declaration terms(const privacy::Budget& budget) { return kernel::plain_terms(budget, kernel::Relation::ReplaceOne); }
inline kernel::Declaration rho_budget(std::string_view text) { return terms(privacy::budget_of(*privacy::Rho::parse(text))); }
inline kernel::Declaration mu_budget(std::string_view text) { return terms(privacy::budget_of(*privacy::Mu::parse(text))); }
inline kernel::Declaration epsilon_budget(std::string_view text) { return terms(privacy::budget_of(*privacy::Epsilon::parse(text))); }
inline kernel::Declaration epsilon_delta_budget(std::string_view epsilon, std::string_view delta) {
  return terms(privacy::budget_of(*privacy::Epsilon::parse(epsilon), *privacy::Delta::parse(delta)));
}
inline kernel::Declaration rogers_budget(std::string_view epsilon, std::string_view delta) {
  kernel::Declaration made = epsilon_delta_budget(epsilon, delta);
  made.rule = privacy::FilterRule::Rogers;
  return made;
}
inline kernel::Declaration whitehouse_budget(std::string_view epsilon, std::string_view delta, std::string_view slack) {
  kernel::Declaration made = epsilon_delta_budget(epsilon, delta);
  made.rule = privacy::FilterRule::Whitehouse;
  made.slack = decimal(slack);
  return made;
}
inline privacy::Loss rho_loss(std::string_view text) { return privacy::gaussian_loss_from_rho(*privacy::Rho::parse(text)); }
inline privacy::Loss mu_loss(std::string_view text) { return privacy::gaussian_loss_from_mu(*privacy::Mu::parse(text)); }
inline privacy::Loss epsilon_loss(std::string_view text) { return privacy::pure_loss(*privacy::Epsilon::parse(text)); }
inline privacy::Loss epsilon_delta_loss(std::string_view epsilon, std::string_view delta) {
  return privacy::approximate_loss(*privacy::Epsilon::parse(epsilon), *privacy::Delta::parse(delta));
}

inline kernel::ChargeRequest request(privacy::Loss loss, std::string analyst = "ada", std::string dataset = "patients") {
  return {.dataset = std::move(dataset),
          .analyst = std::move(analyst),
          .statement = "counts by sex",
          .relation = kernel::Relation::ReplaceOne,
          .loss = std::move(loss)};
}

}  // namespace tacet::testing
