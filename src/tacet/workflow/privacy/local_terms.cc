#include "tacet/workflow/privacy/local_terms.h"

#include <set>
#include <variant>

#include <fmt/format.h>

#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

Status check_loss(LocalKind kind, const privacy::Loss& loss) {
  const bool pure = std::holds_alternative<privacy::PureLoss>(loss);
  const bool approximate = std::holds_alternative<privacy::ApproximateLoss>(loss);
  if (kind == LocalKind::Gaussian ? !pure : kind == LocalKind::Laplace ? !approximate : pure) return {};
  return Error::invalid("privacy",
                        pure          ? "epsilon alone"
                        : approximate ? "epsilon and delta"
                                      : "rho or mu",
                        kind == LocalKind::Gaussian  ? "must be rho, mu, or epsilon and delta: Gaussian noise is never pure"
                        : kind == LocalKind::Laplace ? "must be epsilon alone, rho or mu: Laplace noise needs no delta"
                                                     : "must be epsilon alone: this randomizer has pure differential privacy",
                        kind == LocalKind::Gaussian ? "for example: rho = 0.5" : "for example: epsilon = 1");
}

}  // namespace

Result<LocalTerms> local_terms(LocalKind kind, const PrivacyAmount& amount) {
  TACET_TRY(privacy::Loss loss, loss_of(amount));
  TACET_CHECK(check_loss(kind, loss));
  if (kind == LocalKind::Laplace) {
    TACET_TRY(const privacy::Budget promise, budget_of(amount));
    TACET_TRY(loss, mechanisms::laplace_loss(mechanisms::local_sensitivity(), promise, promise.currency));
  }
  LocalRandomizer randomizer{kind, 0};
  if (kind == LocalKind::Gaussian || kind == LocalKind::Laplace) {
    const auto family = kind == LocalKind::Gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace;
    TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_local_noise(family, loss));
    randomizer.parameter = plan.scale;
  } else {
    randomizer.parameter = std::get<privacy::PureLoss>(loss).epsilon.approximate();
  }
  TACET_CHECK(mechanisms::check_distribution(randomizer));
  return LocalTerms{randomizer, loss};
}

Status check_categories(const std::vector<std::string>& categories) {
  TACET_CHECK(mechanisms::check_categories(categories.size()));
  std::set<std::string> seen;
  for (const std::string& category : categories) {
    if (category.find_first_of("\r\n") != std::string::npos)
      return Error::invalid("categories", "a list with a name of several lines", "must be names of one line each");
    if (!seen.insert(category).second)
      return Error::invalid("categories", fmt::format("\"{}\" twice", category.substr(0, 40)), "must differ from each other");
  }
  return {};
}

}  // namespace tacet
