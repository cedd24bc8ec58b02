// A real release of given counts: charged to a ledger in memory, drawn by the kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/vault.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

#include "support/scripted_bits.h"

namespace tacet::test {

inline kernel::Sensitivity sensitivity_of_counts(kernel::Relation relation) {
  const std::int64_t change = relation.kind() == kernel::Relation::ReplaceOne ? 2 : 1;
  return {std::move(relation), change, change};
}

inline privacy::Loss rho(const std::string& text) { return privacy::gaussian_loss_from_rho(*privacy::Rho::parse(text)); }
inline privacy::Loss mu(const std::string& text) { return privacy::gaussian_loss_from_mu(*privacy::Mu::parse(text)); }
inline privacy::Loss epsilon(const std::string& text) { return privacy::pure_loss(*privacy::Epsilon::parse(text)); }

/// The number of people as terms of this relation let it leave: nothing where it is private.
inline std::optional<kernel::PublicFact<std::int64_t>> people(std::int64_t n,
                                                              const kernel::Relation& relation = kernel::Relation::ReplaceOne) {
  kernel::Custody ledger = *kernel::Custody::open(":memory:");
  if (!ledger.create_budget("people", kernel::plain_terms(privacy::budget_of(*privacy::Rho::parse("1")), relation), {}).ok()) std::abort();
  return ledger.terms("people")->people(n);
}

/// Gaussian noise for a Gaussian loss, charged to a budget in rho; Laplace noise otherwise, charged
/// to one in epsilon.
inline kernel::Released<kernel::NoisyVector> released(std::vector<std::int64_t> counts, const kernel::Relation& relation,
                                                      const privacy::Loss& loss, std::uint64_t stream = 0) {
  const bool gaussian = std::holds_alternative<privacy::GaussianLoss>(loss);
  kernel::Custody ledger = *kernel::Custody::open(":memory:");
  const privacy::Budget budget =
      gaussian ? privacy::budget_of(*privacy::Rho::parse("1e6")) : privacy::budget_of(*privacy::Epsilon::parse("1e6"));
  if (!ledger.create_budget("people", kernel::plain_terms(budget, relation), {}).ok()) std::abort();
  kernel::Grant grant = *ledger.charge({.dataset = "people", .analyst = "ada", .statement = "counts", .relation = relation, .loss = loss});
  InsecureSeededBits bits(stream);
  const auto plan = *mechanisms::plan_noise(gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace,
                                            sensitivity_of_counts(relation), loss);
  return *kernel::release(kernel::Vault::trusted_seal(std::move(counts), sensitivity_of_counts(relation), ledger.terms("people")->id()),
                          plan, std::move(grant), bits);
}

}  // namespace tacet::test
