#include "tacet/accounting/laplace_gdp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <boost/math/tools/roots.hpp>
#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/accounting/short_decimal.h"
#include "tacet/privacy/noise_proofs.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

const Decimal kLeastMu = *Decimal::parse("1e-9");
const Decimal kMostMu(40);
const Decimal kLeastL1 = *Decimal::parse("1e-100");
const Decimal kMostL1 = *Decimal::parse("1e100");

// --- Guesses in double arithmetic. No promise rests on them. ---

/// log Phi(-z) for z > -8, to about 1e-9.
double guess_log_upper(double z) {
  if (z < 30) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  return -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) + std::log1p(-1 / (z * z) + 3 / (z * z * z * z));
}

/// The w >= 0 with e^-w (3 + w) = 4 Phi(x), for Phi(x) <= 3/4: the type II error of T_b at slope
/// -e^epsilon.
double guess_w(double x) {
  const double target = std::log(4.0) + guess_log_upper(-x);
  double w = std::max(0.0, std::log(3.0) - target);
  for (int i = 0; i < 60; ++i) w = std::max(0.0, w - (std::log(3 + w) - w - target) / (1 / (3 + w) - 1));
  return w;
}

/// The point where T_b touches G_mu if b is the least scale; the slope there is -e^epsilon. In
/// terms of x = epsilon/mu - mu/2, the type II errors agree (guess_w), and so do the type I
/// errors: e^-w (1 + w) / 4 = e^epsilon Phi(-x - mu).
struct Touch {
  double epsilon, d;
};
Touch guess_touch(double mu) {
  const auto excess = [mu](double x) {
    const double w = guess_w(x), epsilon = mu * (x + mu / 2);
    return std::log(4.0) + epsilon + w + guess_log_upper(x + mu) - std::log1p(w);
  };
  const double least = -mu / 2, most = 0.6744897501960817;  // Phi(most) = 3/4: there w = 0
  std::uintmax_t rounds = 100;
  const auto bracket = boost::math::tools::toms748_solve(excess, least, most, boost::math::tools::eps_tolerance<double>(48), rounds);
  const double x = (bracket.first + bracket.second) / 2;
  const double epsilon = mu * (x + mu / 2);
  return {epsilon, epsilon / 2 + guess_w(x)};
}

/// The mu at which the least scale is l1/epsilon; 0 if it lies outside the domain.
double guess_table_mu(double epsilon) {
  const auto excess = [epsilon](double log_mu) { return std::log(2 * guess_touch(std::exp(log_mu)).d / epsilon); };
  const double least = std::log(kLeastMu.approximate()), most = std::log(kMostMu.approximate());
  if (!(excess(least) < 0 && excess(most) > 0)) return 0;
  std::uintmax_t rounds = 100;
  const auto bracket = boost::math::tools::toms748_solve(excess, least, most, boost::math::tools::eps_tolerance<double>(48), rounds);
  return std::exp((bracket.first + bracket.second) / 2);
}

// --- The search for the least scale that privacy/noise_proofs.h proves. ---

/// The least double b near `guess` at which the monotone `holds` is true; 0 if there is none.
template <class Holds>
double least_double(double guess, const Holds& holds) {
  double low = guess, high = guess;
  for (int bits = 50; !holds(high) && bits > 0; bits -= 2) {
    low = high;
    high *= 1 + std::ldexp(1.0, -bits);
  }
  if (low == high) {
    for (int bits = 50; holds(low) && bits > 0; bits -= 2) {
      high = low;
      low *= 1 - std::ldexp(1.0, -bits);
    }
  }
  if (!holds(high) || holds(low)) return 0;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (holds(middle) ? high : low) = middle;
  }
}

struct Request {
  mpq_class mu_squared, l1;
  double guess_mu, guess_l1;

  mpq_class ratio(double b) const { return l1 / mpq_class(b); }
};

Result<Request> checked(const privacy::Mu& mu, const Decimal& l1) {
  if (mu.value() < kLeastMu || mu.value() > kMostMu) {
    return Error::invalid("mu", mu.value().to_string(), "must lie between 1e-9 and 40 where Laplace noise is calibrated to it");
  }
  if (l1 < kLeastL1 || l1 > kMostL1) {
    return Error::invalid("l1", l1.to_string(), "must be a finite number between 1e-100 and 1e100",
                          "a table of counts under replace-one has l1 = 2");
  }
  return Request{(mu.value() * mu.value()).to_rational(), l1.to_rational(), mu.value().approximate(), l1.approximate()};
}

Error no_scale(const Request& request) {
  return Error::of(Code::Internal,
                   fmt::format("no Laplace scale could be certified at mu {} and l1 {}", request.guess_mu, request.guess_l1));
}

/// The least double b at which every mechanism that is l1/b-DP is mu-GDP.
Result<double> universal(const Request& request) {
  const double epsilon = request.guess_mu < 1
                             ? 2 * std::atanh(std::erf(request.guess_mu / (2 * std::numbers::sqrt2)))
                             : std::log1p(-std::exp(guess_log_upper(request.guess_mu / 2))) - guess_log_upper(request.guess_mu / 2);
  const double b =
      least_double(request.guess_l1 / epsilon, [&](double x) { return privacy::pure_keeps_mu(request.ratio(x), request.mu_squared); });
  if (b == 0) return no_scale(request);
  return b;
}

/// The least double b that the rule of one and two dimensions proves.
Result<double> by_l1(const Request& request) {
  const double half_epsilon = request.guess_mu < 1 ? -std::log1p(-std::erf(request.guess_mu / (2 * std::numbers::sqrt2)))
                                                   : -(std::numbers::ln2 + guess_log_upper(request.guess_mu / 2));
  const double b = least_double(request.guess_l1 / (2 * half_epsilon),
                                [&](double x) { return privacy::laplace_keeps_mu(request.ratio(x), request.mu_squared); });
  if (b == 0) return no_scale(request);
  return b;
}

/// The least b, up to a small excess, with delta_b <= delta_mu everywhere.
Result<double> table(const Request& request) {
  const Touch touch = guess_touch(request.guess_mu);
  // The inequality at one point bounds b from below.
  const double least = least_double(request.guess_l1 / (2 * touch.d), [&](double b) {
    return privacy::laplace_table_keeps_mu_at(request.ratio(b), request.mu_squared, touch.epsilon);
  });
  if (least == 0) return no_scale(request);
  // Slightly above that bound it holds everywhere.
  for (const double excess : {0x1p-44, 0x1p-43, 0x1p-42, 0x1p-41}) {
    const double b = least * (1 + excess);
    if (privacy::laplace_table_keeps_mu(request.ratio(b), request.mu_squared)) return b;
  }
  return no_scale(request);
}

/// The least mu near `guess`, of a few digits, that is proven for noise of scale l1/epsilon.
Result<Decimal> least_mu(double guess, const Decimal& epsilon, bool (*keeps)(const mpq_class& ratio, const mpq_class& mu_squared)) {
  constexpr int kDigits = 11;
  for (const double more : {1e-11, 1e-10, 2e-10, 1e-9, 1e-8}) {
    Decimal mu = short_decimal_up(mpq_class(guess * (1 + more)), kDigits);
    if (keeps(epsilon.to_rational(), (mu * mu).to_rational())) return mu;
  }
  return Error::of(Code::Internal, fmt::format("no mu could be certified for Laplace noise at epsilon {}", epsilon.to_string()));
}

}  // namespace

privacy::Loss loss_of(const LaplaceScale& scale) { return privacy::gaussian_loss_from_mu(scale.mu()); }

Result<LaplaceScale> laplace_scale_universal(const privacy::Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, universal(request));
  return LaplaceScale(value, LaplaceRule::Universal, mu);
}

Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const privacy::Mu& mu, const Decimal& l1, std::size_t dimension) {
  if (dimension == 0) return Error::invalid("dimension", "0", "must be 1 or 2");
  if (dimension > 2) {
    return Error::of(
        Code::Unsupported,
        fmt::format("in {} dimensions this scale is only conjectured to keep mu-GDP (Lee et al. 2022, Conjecture 12)", dimension),
        "use the rule for tables of counts, or the universal rule");
  }
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, by_l1(request));
  return LaplaceScale(value, LaplaceRule::OneOrTwoDimensional, mu);
}

Result<LaplaceScale> laplace_scale_table(const privacy::Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, table(request));
  return LaplaceScale(value, LaplaceRule::Table, mu);
}

Result<Decimal> laplace_table_mu(const Decimal& epsilon) {
  const double guess = guess_table_mu(epsilon.approximate());
  if (guess == 0) {
    return Error::invalid("epsilon", epsilon.to_string().substr(0, 40),
                          "must be a size for which the mu of a table lies between 1e-9 and 40", "use less, or a budget in epsilon or rho");
  }
  return least_mu(guess, epsilon, privacy::laplace_table_keeps_mu);
}

Result<Decimal> laplace_numbers_mu(const Decimal& epsilon) {
  const double size = epsilon.approximate();
  if (!(size >= 1e-14 && size <= 400))
    return Error::invalid("epsilon", epsilon.to_string().substr(0, 40), "must lie between 1e-14 and 400 to be told in mu");
  const double guess = std::sqrt(mpq_class(privacy::laplace_mu_squared_up(epsilon.to_rational())).get_d());
  return least_mu(guess, epsilon, privacy::laplace_keeps_mu);
}

Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const privacy::Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, by_l1(request));
  return ConjecturedLaplaceScale(value);
}

}  // namespace tacet::accounting
