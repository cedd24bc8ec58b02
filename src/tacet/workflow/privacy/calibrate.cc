#include "tacet/workflow/privacy/calibrate.h"

#include <cmath>
#include <string>
#include <utility>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/laplace_gdp.h"
#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

Result<accounting::GaussianScale> scale_for(const PrivacyAmount& loss, double l2) {
  if (const auto* rho = std::get_if<Rho>(&loss)) {
    TACET_TRY(const privacy::Rho parsed, privacy::Rho::parse(rho->value.text()));
    return accounting::calibrate_gaussian(parsed, {l2});
  }
  if (const auto* mu = std::get_if<Mu>(&loss)) {
    TACET_TRY(const privacy::Mu parsed, privacy::Mu::parse(mu->value.text()));
    return accounting::calibrate_gaussian(parsed, {l2});
  }
  const auto* both = std::get_if<EpsilonDelta>(&loss);
  const std::string epsilon_text = both != nullptr ? both->epsilon.text() : std::get<Epsilon>(loss).value.text();
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(epsilon_text));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(both != nullptr ? both->delta.text() : "0"));
  return accounting::calibrate_gaussian(epsilon, delta, {l2});
}

/// The formula that was used before the exact curve was known; valid for epsilon < 1.
std::optional<double> classical_sigma(const PrivacyAmount& loss, double l2) {
  const auto* both = std::get_if<EpsilonDelta>(&loss);
  if (both == nullptr) return std::nullopt;
  const auto epsilon = Decimal::parse(both->epsilon.text());
  const auto delta = Decimal::parse(both->delta.text());
  if (!epsilon.ok() || !delta.ok() || !(epsilon->approximate() < 1) || !(delta->approximate() > 0)) return std::nullopt;
  return l2 * std::sqrt(2 * std::log(1.25 / delta->approximate())) / epsilon->approximate();
}

Result<std::vector<double>> bounds_up(const std::string& name, const std::vector<Digits>& sizes) {
  std::vector<double> bounds;
  bounds.reserve(sizes.size());
  for (const Digits& size : sizes) {
    TACET_TRY(const double bound, accounting::bound_up(name, size.text()));
    bounds.push_back(bound);
  }
  return bounds;
}

Result<accounting::LaplaceScale> proven_scale(const privacy::Mu& mu, const Decimal& l1, LaplaceMuRule rule) {
  switch (rule) {
    case LaplaceMuRule::OneDimensional: return accounting::laplace_scale_one_or_two_dimensional(mu, l1, 1);
    case LaplaceMuRule::TwoDimensional: return accounting::laplace_scale_one_or_two_dimensional(mu, l1, 2);
    case LaplaceMuRule::Table: return accounting::laplace_scale_table(mu, l1);
    case LaplaceMuRule::Universal:
    case LaplaceMuRule::Conjecture12: break;
  }
  return accounting::laplace_scale_universal(mu, l1);
}

Result<LaplaceCalibration> laplace_for_mu(const LaplaceCalibrationRequest& request, const privacy::Mu& mu) {
  const LaplaceMuRule rule = request.rule.value_or(LaplaceMuRule::Universal);
  TACET_CHECK(check_rule(rule, {request.l1, request.neighbours, request.dimension}));
  TACET_TRY(const Decimal l1, Decimal::parse(request.l1.text()));
  if (rule == LaplaceMuRule::Conjecture12) {
    TACET_TRY(const accounting::ConjecturedLaplaceScale scale, accounting::laplace_scale_by_conjecture_12(mu, l1));
    return LaplaceCalibration{scale.value(), rule, false, theorem_of(rule)};
  }
  TACET_TRY(const accounting::LaplaceScale scale, proven_scale(mu, l1, rule));
  return LaplaceCalibration{scale.value(), rule, true, theorem_of(rule)};
}

}  // namespace

std::string_view theorem_of(GaussianRule rule) {
  switch (rule) {
    case GaussianRule::LeastDouble: return "Dong, Roth & Su (2022), Theorem 1; Bun & Steinke (2016), Proposition 1.6";
    case GaussianRule::PrivacyCurve: return "Balle & Wang (2018), Theorem 8";
    case GaussianRule::GivenWeights:
    case GaussianRule::LeastVariance: break;
  }
  return "Aggregation, Algorithm 2 and Theorem 5; Dong, Roth & Su (2022), Theorem 1";
}

Result<GaussianCalibration> calibrate_gaussian(const GaussianCalibrationRequest& request) {
  TACET_TRY(const double l2, accounting::bound_up("l2", request.l2.text()));
  TACET_TRY(const accounting::GaussianScale scale, scale_for(request.loss, l2));
  const bool least = std::holds_alternative<Rho>(request.loss) || std::holds_alternative<Mu>(request.loss);
  return GaussianCalibration{scale.sigma,
                             scale.mu,
                             scale.rho,
                             l2,
                             least ? GaussianRule::LeastDouble : GaussianRule::PrivacyCurve,
                             classical_sigma(request.loss, l2)};
}

Result<BoxCalibration> calibrate_box(const BoxCalibrationRequest& request) {
  TACET_TRY(std::vector<double> box, bounds_up("box", request.box));
  std::vector<double> weights(box.size());
  if (request.weights) {
    TACET_TRY(weights, bounds_up("weights", *request.weights));
  } else {
    TACET_CHECK(accounting::least_error_weights(box, weights));
  }
  TACET_TRY(const privacy::Loss loss, loss_of(request.loss));
  TACET_TRY(const accounting::ForMu target, accounting::mu_for(loss));
  std::vector<double> sigma(box.size());
  TACET_CHECK(accounting::calibrate_box(target, box, weights, sigma));
  double total_variance = 0;
  for (const double one : sigma) total_variance += one * one;
  const GaussianRule rule = request.weights ? GaussianRule::GivenWeights : GaussianRule::LeastVariance;
  return BoxCalibration{std::move(sigma), target.mu, target.mu * target.mu / 2, std::move(box), std::move(weights), total_variance, rule};
}

Result<LaplaceCalibration> calibrate_laplace(const LaplaceCalibrationRequest& request) {
  TACET_TRY(const privacy::Loss loss, loss_of(request.loss));
  TACET_TRY(const double l1, accounting::bound_up("l1", request.l1.text()));
  if (const auto* mu = std::get_if<Mu>(&request.loss)) {
    TACET_TRY(const privacy::Mu parsed, privacy::Mu::parse(mu->value.text()));
    return laplace_for_mu(request, parsed);
  }
  const auto* pure = std::get_if<privacy::PureLoss>(&loss);
  if (pure == nullptr) {
    return Error::invalid("privacy", std::holds_alternative<Rho>(request.loss) ? "rho" : "epsilon and delta",
                          "must be epsilon alone, or mu", "for example: epsilon = 1");
  }
  if (request.rule) return Error::invalid("rule", std::string(name(*request.rule)), "goes with mu only", "leave rule out");
  if (request.dimension == 0U) return Error::invalid("dimension", "0", "must be at least 1");
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(pure->epsilon));
  TACET_TRY(const double scale, accounting::calibrate_laplace(epsilon, {l1}));
  return LaplaceCalibration{scale, std::nullopt, true, "Dwork, McSherry, Nissim & Smith (2006), Proposition 1"};
}

}  // namespace tacet
