#include "tacet/accounting/calibration.h"

#include <cmath>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/accounting/check.h"
#include "tacet/accounting/gaussian_curve.h"
#include "tacet/exact/rounding.h"
#include "tacet/numeric/ball.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

using numeric::Ball;

constexpr double kLeastPromise = 1e-100;
constexpr double kMostPromise = 1e6;
constexpr double kLeastSize = 1e-50;
constexpr double kMostSize = 1e50;

Status check_promise(const char* name, double value) {
  return check_between(name, value, kLeastPromise, "1e-100", kMostPromise, "at most 1e6");
}
Status check_size(const char* name, double value) { return check_between(name, value, kLeastSize, "1e-50", kMostSize, "at most 1e50"); }

GaussianScale described(double sigma, double l2) {
  const double mu = exact::quotient_up(l2, sigma);
  return {sigma, mu, exact::product_up(mu, 0.5 * mu)};
}

/// A decimal rounded down; 0, which every check refuses, if no double is below it.
double rounded_down(const Decimal& value) { return exact::greatest_double_at_most(value.to_rational()); }

Result<GaussianScale> for_rho(const mpq_class& rho, double l2) {
  TACET_CHECK(check_size("l2", l2));
  return described(exact::least_double_root_at_least(mpq_class(l2) * l2 / (2 * rho)), l2);
}

Result<GaussianScale> for_mu(const mpq_class& mu, double l2) {
  TACET_CHECK(check_size("l2", l2));
  return described(exact::least_double_at_least(mpq_class(l2) / mu), l2);
}

Result<double> for_epsilon(const mpq_class& epsilon, double l1) {
  TACET_CHECK(check_size("l1", l1));
  return exact::least_double_at_least(mpq_class(l1) / epsilon);
}

/// The decimals of currency.h may be below the domain of this file.
template <class Parameter>
Status check_decimal(const char* name, const Parameter& parameter) {
  return check_promise(name, parameter.value().approximate());
}

Status check_all(const char* name, std::span<const double> values) {
  for (const double value : values) TACET_CHECK(check_size(name, value));
  return {};
}

Status check_same_length(std::size_t first, std::size_t second) {
  if (first == second && first > 0) return {};
  return Error::invalid("number of coordinates", fmt::format("{} and {}", first, second), "must be the same in every list, and at least 1");
}

}  // namespace

Result<double> bound_up(const std::string& name, std::string_view digits) {
  static const Decimal least = *Decimal::parse("1e-50");
  static const Decimal most = *Decimal::parse("1e50");
  const auto value = Decimal::parse(digits);
  if (!value || *value < least || *value > most) {
    return Error::invalid(name, std::string(digits.substr(0, 40)), "must be a finite number greater than 0, between 1e-50 and 1e50",
                          fmt::format("for example: {} = 1", name));
  }
  return exact::least_double_at_least(value->to_rational());
}

Result<GaussianScale> calibrate_gaussian(ForEpsilonDelta target, L2 l2) {
  TACET_CHECK(check_size("l2", l2.value));
  TACET_TRY(const ForMu allowed, mu_for(target));
  return described(exact::quotient_up(l2.value, allowed.mu), l2.value);
}

Result<GaussianScale> calibrate_gaussian(const privacy::Epsilon& epsilon, const privacy::Delta& delta, L2 l2) {
  if (delta.value().is_zero()) {
    return Error::invalid("delta", "0", "must be greater than 0: no Gaussian noise is epsilon-DP", "use Laplace noise for a pure epsilon");
  }
  TACET_CHECK(check_decimal("epsilon", epsilon));
  return calibrate_gaussian(ForEpsilonDelta{rounded_down(epsilon.value()), rounded_down(delta.value())}, l2);
}

Result<GaussianScale> calibrate_gaussian(ForRho target, L2 l2) {
  TACET_CHECK(check_promise("rho", target.rho));
  return for_rho(mpq_class(target.rho), l2.value);
}

Result<GaussianScale> calibrate_gaussian(ForMu target, L2 l2) {
  TACET_CHECK(check_promise("mu", target.mu));
  return for_mu(mpq_class(target.mu), l2.value);
}

Result<GaussianScale> calibrate_gaussian(const privacy::Rho& rho, L2 l2) {
  TACET_CHECK(check_decimal("rho", rho));
  return for_rho(rho.value().to_rational(), l2.value);
}

Result<GaussianScale> calibrate_gaussian(const privacy::Mu& mu, L2 l2) {
  TACET_CHECK(check_decimal("mu", mu));
  return for_mu(mu.value().to_rational(), l2.value);
}

Result<double> calibrate_laplace(double epsilon, L1 l1) {
  TACET_CHECK(check_promise("epsilon", epsilon));
  return for_epsilon(mpq_class(epsilon), l1.value);
}

Result<double> calibrate_laplace(const privacy::Epsilon& epsilon, L1 l1) {
  TACET_CHECK(check_decimal("epsilon", epsilon));
  return for_epsilon(epsilon.value().to_rational(), l1.value);
}

Result<ForMu> mu_for(ForEpsilonDelta target) {
  TACET_CHECK(check_promise("epsilon", target.epsilon));
  TACET_TRY(const double mu, gaussian_mu_down(target.epsilon, target.delta));
  return ForMu{mu};
}

Result<ForMu> mu_for(ForRho target) {
  TACET_CHECK(check_promise("rho", target.rho));
  return ForMu{lower(sqrt(Ball(2) * target.rho))};
}

Result<ForMu> mu_for(const privacy::Loss& loss) {
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) {
    const mpq_class square = gaussian->mu_squared.to_rational();
    const double above = exact::least_double_root_at_least(square);
    const ForMu target{mpq_class(above) * above == square ? above : std::nextafter(above, 0.0)};
    TACET_CHECK(check_promise("mu", target.mu));
    return target;
  }
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss))
    return mu_for(ForEpsilonDelta{rounded_down(approximate->epsilon), rounded_down(approximate->delta)});
  return Error::of(Code::Unsupported, "no Gaussian noise is epsilon-DP without a delta",
                   "give a delta beside epsilon (for example 1e-6), or rho or mu, or use Laplace noise");
}

Result<privacy::Mu> mu_down(const privacy::GaussianLoss& loss) {
  const double above = exact::least_double_root_at_least(loss.mu_squared.to_rational());
  for (const double near : {above, std::nextafter(above, 0.0)}) {
    TACET_TRY(const Decimal root, Decimal::from_shortest(near));
    if (root * root == loss.mu_squared) return privacy::Mu::of(root);
  }
  // `above` is the least double above the root. The shortest decimal of the double two steps below
  // it differs from that double by less than a step.
  TACET_TRY(const Decimal below, Decimal::from_shortest(std::nextafter(std::nextafter(above, 0.0), 0.0)));
  return privacy::Mu::of(below);
}

Result<privacy::Loss> gaussian_loss_for(const privacy::ApproximateLoss& promise) {
  TACET_TRY(const ForMu allowed, mu_for(privacy::Loss(promise)));
  // The shortest decimal of the next lower double differs from it by less than half a step.
  TACET_TRY(const Decimal below, Decimal::from_shortest(std::nextafter(allowed.mu, 0.0)));
  TACET_TRY(const privacy::Mu mu, privacy::Mu::of(below));
  return privacy::gaussian_loss_from_mu(mu);
}

Status calibrate_box(ForMu target, std::span<const double> sensitivities, std::span<const double> weights, std::span<double> sigma) {
  TACET_CHECK(check_promise("mu", target.mu));
  TACET_CHECK(check_same_length(sensitivities.size(), weights.size()));
  TACET_CHECK(check_same_length(sensitivities.size(), sigma.size()));
  TACET_CHECK(check_all("sensitivity", sensitivities));
  TACET_CHECK(check_all("weight", weights));
  Ball square(0);
  for (const double weight : weights) square = square + Ball(weight) * weight;
  const Ball per_mu = sqrt(square) / target.mu;
  for (std::size_t j = 0; j < sigma.size(); ++j) sigma[j] = upper(Ball(sensitivities[j]) * per_mu / weights[j]);
  return {};
}

Status calibrate_ellipsoid(ForMu target, L2 l2, std::span<const double> weights, std::span<double> sigma) {
  TACET_CHECK(check_promise("mu", target.mu));
  TACET_CHECK(check_size("l2", l2.value));
  TACET_CHECK(check_same_length(weights.size(), sigma.size()));
  TACET_CHECK(check_all("weight", weights));
  const Ball per_mu = Ball(l2.value) / target.mu;
  for (std::size_t j = 0; j < sigma.size(); ++j) sigma[j] = upper(per_mu / weights[j]);
  return {};
}

Status least_error_weights(std::span<const double> sensitivities, std::span<double> weights) {
  TACET_CHECK(check_same_length(sensitivities.size(), weights.size()));
  TACET_CHECK(check_all("sensitivity", sensitivities));
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = std::sqrt(sensitivities[j]);
  return {};
}

}  // namespace tacet::accounting
