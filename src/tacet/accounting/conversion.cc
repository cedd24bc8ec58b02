#include "tacet/accounting/conversion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/accounting/gaussian_curve.h"
#include "tacet/exact/rounding.h"
#include "tacet/numeric/ball.h"
#include "tacet/numeric/normal.h"

namespace tacet::accounting {
namespace {

using numeric::Ball;
using numeric::kInfinity;

constexpr std::string_view kTheorem224 = "Rogers, Theorem 2.2.4 (Bun & Steinke 2016)";
constexpr std::string_view kOptimal = "Canonne, Kamath & Steinke (2020), Corollary 13";
constexpr std::string_view kPureIsZcdp = "Rogers, Theorem 2.2.3 (Bun & Steinke 2016)";
constexpr std::string_view kCurve = "Dong, Roth & Su (2022), Corollary 1";
constexpr std::string_view kBlackwell = "Dong, Roth & Su (2022), Theorem 2";
constexpr std::string_view kLee12 = "Lee, Kim, Kwak & Jung, equation (12)";

constexpr double kLeastDeltaGiven = 1e-300;

Status check_parameter(const char* name, double value) { return check_between(name, value, 1e-100, "1e-100", 1e6, "at most 1e6"); }
Status check_or_zero(const char* name, double value) { return value == 0 ? Status() : check_parameter(name, value); }
Status check_delta(double delta) { return check_between("delta", delta, kLeastDelta, "1e-300", 1 - numeric::kUnit, "less than 1"); }
Status check_zcdp(const Zcdp& loss) {
  TACET_CHECK(check_or_zero("xi", loss.xi));
  TACET_CHECK(check_or_zero("rho", loss.rho));
  return {};
}

DpGuarantee with_epsilon(double epsilon, double delta, std::string_view rule, std::string_view theorem) {
  // NaN is not a guarantee either.
  return {epsilon <= 0 ? 0 : epsilon < kInfinity ? epsilon : kInfinity, delta, rule, theorem};
}
DpGuarantee with_delta(double epsilon, double delta, std::string_view rule, std::string_view theorem) {
  return {epsilon, delta <= 1 ? std::max(delta, kLeastDeltaGiven) : 1, rule, theorem};
}

/// The root in (1e-250, 1e200) of an increasing function of t, or the nearer end. Every t gives a
/// valid bound, and near the root the bound changes little.
template <class F>
double order_root(const F& f) {
  double low = std::log(1e-250);
  double high = std::log(1e200);
  for (int round = 0; round < 60; ++round) {
    const double middle = 0.5 * (low + high);
    (f(std::exp(middle)) < 0 ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

/// -a log(1 - 1/a) + log(a - 1) at a = 1 + t, without cancellation at either end.
Ball order_term(double t) {
  if (t < 1) return Ball(1 + t, numeric::kUnit * 2) * log1p(Ball(t)) - Ball(t) * log(Ball(t));
  return (Ball(1) + t) * log1p(Ball(1) / t) + log(Ball(t));
}

/// An upper bound on factor e^exponent, for factors below 10^10; at least 10^-300.
double times_exp_up(const Ball& factor, const Ball& exponent) {
  if (upper(exponent) < -800) return kLeastDeltaGiven;  // e^-800 < 10^-347
  const numeric::ScaledBall e = numeric::exp_scaled(exponent);
  return std::max(std::ldexp(upper(e.mantissa * factor), e.exponent), kLeastDeltaGiven);
}

double theorem_2_2_4_epsilon(const Zcdp& loss, double delta) {
  const Ball floor = Ball(loss.xi) + loss.rho;
  if (loss.rho == 0) return loss.xi;
  const Ball excess = log(numeric::kPi * loss.rho) * 0.5 - log(Ball(delta));
  if (upper(excess) <= 0) return upper(floor);
  return upper(floor + sqrt(Ball(loss.rho) * excess) * 2.0);
}

double optimal_epsilon(const Zcdp& loss, double delta) {
  const double information = -std::log(delta);
  const double t = order_root([&](double x) { return loss.rho * x * x + std::log1p(x) - information; });
  const Ball log_delta = delta > 0.9 ? log1p(-(Ball(1) - delta)) : log(Ball(delta));
  return upper(Ball(loss.xi) + Ball(loss.rho) * (Ball(1) + t) - (log_delta + order_term(t)) / t);
}

double theorem_2_2_4_delta(const Zcdp& loss, double epsilon) {
  const Ball beyond = Ball(epsilon) - loss.xi - loss.rho;
  if (loss.rho == 0 || !(lower(beyond) >= 0)) return 1;
  return times_exp_up(sqrt(numeric::kPi * loss.rho), -(beyond * beyond / (Ball(4) * loss.rho)));
}

double optimal_delta(const Zcdp& loss, double epsilon) {
  const double t = order_root([&](double x) { return loss.rho * (2 * x + 1) + (loss.xi - epsilon) - std::log1p(1 / x); });
  const Ball exponent = Ball(t) * ((Ball(loss.xi) - epsilon) + Ball(loss.rho) * (Ball(1) + t)) - order_term(t);
  return times_exp_up(1, exponent);
}

/// tanh(t) for 0 <= t <= 1/2: t/(1 + t^2/(3 + t^2/(5 + ...))). The part after 21 is between 0 and
/// t^2/23.
Ball half_tanh(const Ball& t) {
  const Ball square = t * t;
  Ball tail(0.0055, 0.0056);  // t^2/23 <= 0.0109
  for (int n = 21; n >= 1; n -= 2) tail = n == 1 ? Ball(1) + tail : square / (Ball(n) + tail);
  return t / tail * 0.5;
}

}  // namespace

Result<ZcdpToDp> epsilon_of_zcdp(Zcdp loss, double delta) {
  TACET_CHECK(check_zcdp(loss));
  TACET_CHECK(check_delta(delta));
  const DpGuarantee theorem = with_epsilon(theorem_2_2_4_epsilon(loss, delta), delta, "theorem-2.2.4", kTheorem224);
  const DpGuarantee optimal = with_epsilon(optimal_epsilon(loss, delta), delta, "optimal", kOptimal);
  const DpGuarantee best = optimal.epsilon <= theorem.epsilon ? optimal : theorem;
  if (!(best.epsilon < kInfinity)) {
    return Error::of(Code::Internal, fmt::format("no epsilon for xi {}, rho {} and delta {} could be certified", loss.xi, loss.rho, delta));
  }
  return ZcdpToDp{best, theorem, optimal};
}

Result<ZcdpToDp> delta_of_zcdp(Zcdp loss, double epsilon) {
  TACET_CHECK(check_zcdp(loss));
  TACET_CHECK(check_or_zero("epsilon", epsilon));
  if (loss.rho == 0 && epsilon >= loss.xi) {
    const DpGuarantee pure{epsilon, 0, "pure", kPureIsZcdp};
    return ZcdpToDp{pure, pure, pure};
  }
  const DpGuarantee theorem = with_delta(epsilon, theorem_2_2_4_delta(loss, epsilon), "theorem-2.2.4", kTheorem224);
  const DpGuarantee optimal = with_delta(epsilon, optimal_delta(loss, epsilon), "optimal", kOptimal);
  return ZcdpToDp{optimal.delta <= theorem.delta ? optimal : theorem, theorem, optimal};
}

Result<DpGuarantee> epsilon_of_gdp(double mu, double delta) {
  TACET_CHECK(check_parameter("mu", mu));
  TACET_TRY(const double epsilon, gaussian_epsilon_up(delta, mu));
  return DpGuarantee{epsilon, delta, "gdp", kCurve};
}

Result<DpGuarantee> delta_of_gdp(double mu, double epsilon) {
  TACET_CHECK(check_parameter("mu", mu));
  TACET_CHECK(check_or_zero("epsilon", epsilon));
  return with_delta(epsilon, gaussian_delta(epsilon, mu).upper, "gdp", kCurve);
}

Result<ZcdpGuarantee> zcdp_of_pure(double epsilon) {
  TACET_CHECK(check_parameter("epsilon", epsilon));
  return ZcdpGuarantee{{0, exact::product_up(epsilon, 0.5 * epsilon)}, "pure", kPureIsZcdp};
}

Result<ZcdpGuarantee> exact_zcdp_of_pure(double epsilon) {
  TACET_CHECK(check_parameter("epsilon", epsilon));
  return ZcdpGuarantee{{epsilon, 0}, "pure", kPureIsZcdp};
}

Result<ZcdpGuarantee> zcdp_of_gdp(double mu) {
  TACET_CHECK(check_parameter("mu", mu));
  return ZcdpGuarantee{{0, exact::product_up(mu, 0.5 * mu)}, "gdp", kBlackwell};
}

Result<GdpGuarantee> gdp_of_pure(double epsilon) {
  TACET_CHECK(check_parameter("epsilon", epsilon));
  // P[0 < Z <= mu/2] = tanh(epsilon/2)/2, and log P[Z > mu/2] = -epsilon - log(1 + e^-epsilon).
  const numeric::Enclosure half = epsilon <= 1 ? numeric::normal_central_quantile_bounds(half_tanh(Ball(epsilon) * 0.5))
                                               : numeric::normal_log_upper_quantile_bounds(-(Ball(epsilon) + log1p(exp(Ball(-epsilon)))));
  if (!(half.upper < kInfinity)) {
    return Error::of(Code::Internal,
                     fmt::format("mu for epsilon {} could not be certified; nothing is returned rather than something unsafe", epsilon));
  }
  return GdpGuarantee{2 * half.upper, "pure", kLee12};
}

Result<double> pure_epsilon_for_gdp(double mu) {
  TACET_CHECK(check_parameter("mu", mu));
  const Ball half = Ball(mu) * 0.5;
  if (mu <= 2) {
    const Ball twice = normal_central(half) * 2.0;
    const double epsilon = lower(log1p(twice) - log1p(-twice));
    return epsilon > 0 ? epsilon : 0;  // NaN gives 0 too
  }
  return lower(normal_log_upper(-half) - normal_log_upper(half));
}

Result<GdpGuarantee> gdp_of_approximate(double epsilon, double delta) {
  if (delta == 0) return gdp_of_pure(epsilon);
  TACET_CHECK(check_delta(delta));
  return Error::of(
      Code::Unsupported,
      fmt::format("(epsilon, delta)-DP with delta {} implies no mu: its trade-off curve starts at 1 - delta, that of mu at 1", delta),
      "for a Gaussian release, take the mu of its noise");
}

}  // namespace tacet::accounting
