#include "tacet/accounting/max_information.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tacet/numeric/least.h"

namespace tacet::accounting {
namespace {

using numeric::Least;
using std::numbers::ln2;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// What the steps amount to: mechanisms that were composed as privacy, and then descriptions and
/// pure losses, whose bounds hold for any rows.
struct Told {
  double epsilon = 0, delta = 0, rho = 0;  // at the beginning
  double mu_squared = 0;                   // the part of rho that is Gaussian: twice that
  double later_epsilon = 0;                // after a description
  double bits = 0;
  double descriptions = 0;  // how many
  bool any_rows = false;
  bool gaussian = true;  // all of rho is

  bool looked_first() const { return epsilon > 0 || rho > 0; }
};

Status check_step_value(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return {};
  return Error::invalid(name, fmt::format("{}", value), fmt::format("must be at least {:g} and at most {:g}", least, most));
}

Error wrong_order(const char* what, bool any_rows) {
  if (any_rows) {
    return Error::of(Code::Unsupported, fmt::format("the bound for {} holds for independent rows only", what),
                     "rows = independent, if they are; a pure epsilon and bits have bounds for any rows");
  }
  return Error::of(Code::Unsupported,
                   fmt::format("{} after a description of the rows has no bound: what was described makes rows dependent, and then such a "
                               "mechanism can give all of them away (Rogers 4.4.1)",
                               what),
                   "let the mechanism come first, or give it a pure epsilon");
}

/// Reads the steps in order; refuses an order that voids a bound.
Result<Told> told_by(const Selection& selection) {
  if (!(selection.n >= 1 && selection.n <= 1e15) || selection.n != std::floor(selection.n))
    return Error::invalid("n", fmt::format("{}", selection.n), "must be a whole number between 1 and 10^15");
  if (selection.steps.empty()) return Error::invalid("steps", "an empty list", "must be at least one mechanism");
  Told told;
  told.any_rows = selection.rows == RowsAre::Any;
  for (const SelectionStep& step : selection.steps) {
    const bool later = told.descriptions > 0;
    if (const auto* described = std::get_if<DescribedStep>(&step)) {
      TACET_CHECK(check_step_value("bits", described->bits, 1e-100, 1e6));
      told.bits += described->bits;
      ++told.descriptions;
    } else if (const auto* pure = std::get_if<PureStep>(&step)) {
      TACET_CHECK(check_step_value("epsilon", pure->epsilon, 1e-100, 1e6));
      (later ? told.later_epsilon : told.epsilon) += pure->epsilon;
    } else if (const auto* approximate = std::get_if<ApproximateStep>(&step)) {
      TACET_CHECK(check_step_value("epsilon", approximate->epsilon, 1e-100, 1e6));
      if (!(approximate->delta > 0 && approximate->delta < 1))
        return Error::invalid("delta", fmt::format("{}", approximate->delta), "must be greater than 0 and less than 1");
      if (later || told.any_rows) return wrong_order("an (epsilon, delta) mechanism", told.any_rows);
      told.epsilon += approximate->epsilon;
      told.delta += approximate->delta;
    } else if (const auto* gaussian = std::get_if<GaussianStep>(&step)) {
      TACET_CHECK(check_step_value("mu", gaussian->mu, 1e-50, 1e3));
      if (later || told.any_rows) return wrong_order("a mechanism in mu", told.any_rows);
      told.mu_squared += gaussian->mu * gaussian->mu;
      told.rho += gaussian->mu * gaussian->mu / 2;
    } else {
      const double rho = std::get<ConcentratedStep>(step).rho;
      TACET_CHECK(check_step_value("rho", rho, 1e-100, 1e6));
      if (later || told.any_rows) return wrong_order("a mechanism in rho", told.any_rows);
      told.rho += rho;
      told.gaussian = false;
    }
  }
  if (told.rho > 0 && told.delta > 0) {
    return Error::of(Code::Unsupported, "mechanisms in rho and in (epsilon, delta) have no common bound here",
                     "give all of them in (epsilon, delta), or all in rho");
  }
  if (told.rho > 0) {  // a pure epsilon is epsilon^2/2-zCDP
    for (const SelectionStep& step : selection.steps) {
      if (std::holds_alternative<DescribedStep>(step)) break;
      if (const auto* pure = std::get_if<PureStep>(&step)) {
        told.rho += pure->epsilon * pure->epsilon / 2;
        told.gaussian = false;
      }
    }
    told.epsilon = 0;
  }
  if (told.delta > 0 && told.epsilon > 0.5) {
    return Error::invalid("epsilon", fmt::format("{}", told.epsilon), "must be at most 0.5 beside a delta, where Rogers 4.2.1 holds",
                          "less epsilon, a pure epsilon, or rho");
  }
  return told;
}

/// Theorem 4.2.1 in nats, minimised over its delta-hat and t.
double approximate_nats(double n, double epsilon, double delta, double beta) {
  const double per_hat = -2 / std::expm1(-3 * epsilon);  // delta'' = per_hat delta_hat
  const double left = beta / n + 2 * delta / std::expm1(-epsilon);
  const double root = left * left - 8 * per_hat * delta;
  if (!(left > 0) || !(root > 0)) return kInfinite;
  // beta exceeds n (delta' + delta'') between these two values of delta-hat.
  const double most = std::min((left + std::sqrt(root)) / (2 * per_hat), epsilon / 15);
  const double least = 4 * delta / (left + std::sqrt(root));
  if (!(least < most)) return kInfinite;
  const auto nats = [&](double log_hat) {
    const double hat = std::exp(log_hat);
    const double rest = beta - n * (2 * delta / hat - 2 * delta / std::expm1(-epsilon) + per_hat * hat);
    if (!(rest > 0)) return kInfinite;
    const double growth = 2 * std::exp(3 * epsilon) / -std::expm1(-3 * epsilon) + 1;
    const double tau = hat * (2 * std::exp(3 * epsilon) + 1) + 2 * hat * hat * growth * growth;
    const double nu = 6 * epsilon * (std::exp(6 * epsilon) / (1 - per_hat * hat) - 1) + tau;
    return n * nu + 6 * epsilon * std::sqrt(2 * n * -std::log(rest));
  };
  return numeric::least_over(nats, std::log(least), std::log(most), 64).value;
}

/// The mutual information of the mechanisms at the beginning, in nats.
double mutual_nats(const Told& told, double n) {
  if (!told.gaussian) return n * told.rho;
  const double cube = told.mu_squared * std::sqrt(told.mu_squared);
  return n * std::min(told.rho, told.mu_squared / 4 + cube / (6 * std::sqrt(2 * std::numbers::pi)));
}

/// Is the mutual information all that is known?
bool is_mutual(const Told& told) { return told.rho > 0 && told.descriptions == 0 && told.later_epsilon == 0; }

/// The union bound then holds for all that could have been told.
bool only_described(const Told& told) { return told.descriptions > 0 && !told.looked_first() && told.later_epsilon == 0; }

/// The relative entropy of a coin with `alpha` from one with `gamma` < alpha, in nats.
double binary_entropy(double alpha, double log_gamma) {
  const double other = alpha < 1 ? (1 - alpha) * (std::log1p(-alpha) - std::log(-std::expm1(log_gamma))) : 0;
  return alpha * (std::log(alpha) - log_gamma) + other;
}

/// Rounding makes an entropy wrong by less than this.
constexpr double kEntropyRounding = 1e-14;

/// The largest log gamma with binary_entropy(alpha, log gamma) >= nats.
double log_threshold_of(double alpha, double nats) {
  const double most = (nats + ln2) / alpha + 1 - std::log(alpha);
  return -numeric::root_of([&](double x) { return binary_entropy(alpha, -x) - nats - kEntropyRounding; }, -std::log(alpha), most);
}

/// The least alpha >= p with binary_entropy(alpha, log p) >= nats, at most 1.
double alpha_of(double p, double nats) {
  const double log_p = std::log(p);
  if (p >= 1 || nats >= -log_p) return 1;
  return numeric::root_of([&](double alpha) { return binary_entropy(alpha, log_p) - nats - kEntropyRounding; }, p, 1);
}

/// The bits of the mechanisms at the beginning.
MaxInformation first_bits(const Told& told, double n, double beta) {
  if (told.rho > 0) {
    const double bits = (mutual_nats(told, n) / ln2 + 0.54) / beta;
    return {beta > 0 ? bits : kInfinite, InformationRule::MutualInformation};
  }
  const double e = told.epsilon;
  if (told.delta > 0) return {beta > 0 ? approximate_nats(n, e, told.delta, beta) / ln2 : kInfinite, InformationRule::Approximate};
  const double any = e * n / ln2;
  const double product = beta > 0 && !told.any_rows ? (n * e * e / 8 + e * std::sqrt(-n * std::log(beta) / 2)) / ln2 : kInfinite;
  return product < any ? MaxInformation{product, InformationRule::PureProduct} : MaxInformation{any, InformationRule::PureAny};
}

/// All bits, for a beta that is shared in the best way. Each of j descriptions gets the same part.
MaxInformation bits_of(const Told& told, double n, double beta) {
  const double later = told.later_epsilon * n / ln2;
  const double j = told.descriptions;
  if (j == 0) return first_bits(told, n, beta);
  const auto described = [&](double part) { return part > 0 ? told.bits - j * std::log2(part / j) : kInfinite; };
  if (!told.looked_first()) {
    const bool alone = j == 1 && later == 0;
    return {later + described(beta), alone ? InformationRule::Description : InformationRule::Composition};
  }
  const auto shared = [&](double logit) {
    const double first = beta / (1 + std::exp(-logit));
    return first_bits(told, n, first).bits + described(beta / (1 + std::exp(logit)));
  };
  double bits = numeric::least_over(shared, -40, 40, 80).value;
  bits = std::min(bits, first_bits(told, n, 0).bits + described(beta));
  return {bits + later, InformationRule::Composition};
}

struct Optimum {
  double log2_threshold, beta;
};

/// The largest (alpha - beta)/2^m over beta.
Optimum best_threshold(const Told& told, double n, double alpha) {
  const auto negative_log2 = [&](double logit) {
    const double beta = alpha / (1 + std::exp(-logit));
    return bits_of(told, n, beta).bits - std::log2(alpha) + std::log1p(std::exp(logit)) / ln2;
  };
  const Least found = numeric::least_over(negative_log2, -200, 60, 260);
  const double without = bits_of(told, n, 0).bits - std::log2(alpha);
  if (without <= found.value) return {-without, 0};
  return {-found.value, alpha / (1 + std::exp(-found.at))};
}

/// beta + 2^m p, the least over beta; infinite if it is 1 or more.
double corrected_by_bits(const Told& told, double n, double p) {
  const auto level = [&](double log_beta) {
    const double beta = std::exp(log_beta);
    return beta + p * std::exp2(std::min(bits_of(told, n, beta).bits, 2000.0));
  };
  // A beta far below p gains nothing.
  const double best = numeric::least_over(level, std::max(-700.0, std::log(p) - 5), -1e-9, 240).value;
  const double corrected = std::min(best, p * std::exp2(std::min(bits_of(told, n, 0).bits, 2000.0)));
  return corrected < 1 ? corrected : kInfinite;
}

/// An (epsilon, delta)-private mechanism is (e, delta)-private for each e > epsilon, and where
/// epsilon is tiny beside delta the theorem says more of a larger e. `value` is to be least.
template <class Value>
Told at_best_epsilon(const Told& told, const Value& value) {
  if (told.delta == 0) return told;
  const auto with = [&](double log_epsilon) {
    Told other = told;
    other.epsilon = std::exp(log_epsilon);
    return other;
  };
  constexpr double kNearby = 0.05, kMost = 0.5;
  const double own = value(told), at = std::log(told.epsilon);
  if (std::isfinite(own) && value(with(at + kNearby)) >= own) return told;
  const Least found = numeric::least_over([&](double x) { return value(with(x)); }, at, std::max(at, std::log(kMost)), 24);
  return found.value < own ? with(found.at) : told;
}

}  // namespace

Result<MaxInformation> max_information(const Selection& selection, double beta) {
  TACET_TRY(const Told told, told_by(selection));
  if (!(beta >= 0 && beta < 1)) return Error::invalid("beta", fmt::format("{}", beta), "must be at least 0 and less than 1");
  const auto bits = [&](const Told& any) { return bits_of(any, selection.n, beta).bits; };
  return bits_of(at_best_epsilon(told, bits), selection.n, beta);
}

Result<CorrectedLevel> corrected_level(const Selection& selection, double alpha) {
  TACET_TRY(const Told own, told_by(selection));
  if (!(alpha >= 1e-9 && alpha <= 0.5)) return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5");
  const Told told = at_best_epsilon(own, [&](const Told& any) { return -best_threshold(any, selection.n, alpha).log2_threshold; });
  const Optimum best = best_threshold(told, selection.n, alpha);
  const MaxInformation at = bits_of(told, selection.n, best.beta);
  CorrectedLevel level{std::exp2(best.log2_threshold), at.bits, best.beta, at.rule, std::nullopt};
  if (is_mutual(told)) level.sharper = std::exp(log_threshold_of(alpha, mutual_nats(told, selection.n)));
  if (only_described(told)) level.sharper = alpha * std::exp2(-told.bits);
  return level;
}

Result<double> corrected_p_value(const Selection& selection, double p) {
  TACET_TRY(const Told told, told_by(selection));
  if (!(p >= 0 && p <= 1)) return Error::invalid("p", fmt::format("{}", p), "must be at least 0 and at most 1");
  if (p == 0) return 0.0;
  if (is_mutual(told)) return alpha_of(p, mutual_nats(told, selection.n));
  if (only_described(told)) return std::min(1.0, p * std::exp2(std::min(told.bits, 2000.0)));
  const double corrected =
      corrected_by_bits(at_best_epsilon(told, [&](const Told& any) { return corrected_by_bits(any, selection.n, p); }), selection.n, p);
  return std::min(1.0, corrected);
}

}  // namespace tacet::accounting
