#include "tacet/workflow/release/count_checks.h"

#include <string>
#include <variant>

#include "tacet/mechanisms/laplace_loss.h"

namespace tacet {
namespace {

using mechanisms::CountMechanism;

Status check_count_loss(CountMechanism mechanism, const privacy::Loss& loss) {
  const bool gaussian_noise = mechanisms::family(mechanism) == kernel::NoiseFamily::Gaussian;
  if (gaussian_noise ? std::holds_alternative<privacy::PureLoss>(loss) : std::holds_alternative<privacy::ApproximateLoss>(loss)) {
    return Error::invalid("mechanism", std::string(name(mechanism)),
                          gaussian_noise ? "must be asked for with rho, mu, or epsilon and delta: Gaussian noise is never pure"
                                         : "must be asked for with epsilon alone, rho or mu: Laplace noise needs no delta",
                          gaussian_noise ? kNoiseForEpsilon : "for example: mechanism = laplace epsilon = 0.5");
  }
  return {};
}

}  // namespace

Result<privacy::Loss> CountPayment::price(const kernel::Sensitivity& sensitivity, privacy::Currency budget) const {
  if (mechanism != CountMechanism::Laplace) return as_charged(loss, budget);
  TACET_TRY(const privacy::Budget promise, budget_of(amount));
  return mechanisms::laplace_loss(sensitivity, promise, budget);
}

Result<CountPayment> count_payment(const std::optional<PrivacyAmount>& asked, std::optional<CountMechanism> mechanism) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(asked));
  TACET_TRY(const privacy::Loss loss, loss_of(amount));
  const CountMechanism chosen = mechanisms::choose_mechanism(mechanism, loss);
  TACET_CHECK(check_count_loss(chosen, loss));
  return CountPayment{amount, loss, chosen};
}

Status check_count_unit(const std::optional<data::CountUnit>& unit, const data::Schema& schema) {
  if (!unit || schema.contributions) return {};
  return Error::invalid("count", std::string(name(*unit)), "goes with a dataset whose terms say how many rows a person may have",
                        "leave count out: here every row is a person");
}

std::vector<double> approximate_edges(const std::vector<Decimal>& edges) {
  std::vector<double> numbers;
  for (const Decimal& edge : edges) numbers.push_back(edge.approximate());
  return numbers;
}

}  // namespace tacet
