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
  double later_epsilon = 0;                // after a description
  double bits = 0;
  double descriptions = 0;  // how many
  bool any_rows = false;

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
    } else {
      const double rho = std::get<ConcentratedStep>(step).rho;
      TACET_CHECK(check_step_value("rho", rho, 1e-100, 1e6));
      if (later || told.any_rows) return wrong_order("a mechanism in rho", told.any_rows);
      told.rho += rho;
    }
  }
  if (told.rho > 0 && told.delta > 0) {
    return Error::of(Code::Unsupported, "mechanisms in rho and in (epsilon, delta) have no common bound here",
                     "give all of them in (epsilon, delta), or all in rho");
  }
  if (told.rho > 0) {  // a pure epsilon is epsilon^2/2-zCDP
    for (const SelectionStep& step : selection.steps) {
      if (std::holds_alternative<DescribedStep>(step)) break;
      if (const auto* pure = std::get_if<PureStep>(&step)) told.rho += pure->epsilon * pure->epsilon / 2;
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

/// (1 - b) log2(1/(1 - b)), which Rogers 4.6.1 bounds by 0.54.
double overshoot(double beta) { return (beta - 1) * std::log1p(-beta) / ln2; }

enum class Constant : std::uint8_t { AsInPaper, Sharper };

/// The bits of the mechanisms at the beginning.
MaxInformation first_bits(const Told& told, double n, double beta, Constant constant) {
  if (told.rho > 0) {
    const double mutual = told.rho * n / ln2;
    const double bits = (mutual + (constant == Constant::Sharper ? overshoot(beta) : 0.54)) / beta;
    return {beta > 0 ? bits : kInfinite, InformationRule::MutualInformation};
  }
  const double e = told.epsilon;
  if (told.delta > 0) return {beta > 0 ? approximate_nats(n, e, told.delta, beta) / ln2 : kInfinite, InformationRule::Approximate};
  const double any = e * n / ln2;
  const double product = beta > 0 && !told.any_rows ? (n * e * e / 8 + e * std::sqrt(-n * std::log(beta) / 2)) / ln2 : kInfinite;
  return product < any ? MaxInformation{product, InformationRule::PureProduct} : MaxInformation{any, InformationRule::PureAny};
}

/// All bits, for a beta that is shared in the best way. Each of j descriptions gets the same part.
MaxInformation bits_of(const Told& told, double n, double beta, Constant constant = Constant::AsInPaper) {
  const double later = told.later_epsilon * n / ln2;
  const double j = told.descriptions;
  if (j == 0) return first_bits(told, n, beta, constant);
  const auto described = [&](double part) { return part > 0 ? told.bits - j * std::log2(part / j) : kInfinite; };
  if (!told.looked_first()) {
    const bool alone = j == 1 && later == 0;
    return {later + described(beta), alone ? InformationRule::Description : InformationRule::Composition};
  }
  const auto shared = [&](double logit) {
    const double first = beta / (1 + std::exp(-logit));
    return first_bits(told, n, first, constant).bits + described(beta / (1 + std::exp(logit)));
  };
  double bits = numeric::least_over(shared, -40, 40, 80).value;
  bits = std::min(bits, first_bits(told, n, 0, constant).bits + described(beta));
  return {bits + later, InformationRule::Composition};
}

struct Optimum {
  double log2_threshold, beta;
};

/// The largest (alpha - beta)/2^m over beta.
Optimum best_threshold(const Told& told, double n, double alpha, Constant constant) {
  const auto negative_log2 = [&](double logit) {
    const double beta = alpha / (1 + std::exp(-logit));
    return bits_of(told, n, beta, constant).bits - std::log2(alpha) + std::log1p(std::exp(logit)) / ln2;
  };
  const Least found = numeric::least_over(negative_log2, -200, 60, 260);
  const double without = bits_of(told, n, 0, constant).bits - std::log2(alpha);
  if (without <= found.value) return {-without, 0};
  return {-found.value, alpha / (1 + std::exp(-found.at))};
}

}  // namespace

Result<MaxInformation> max_information(const Selection& selection, double beta) {
  TACET_TRY(const Told told, told_by(selection));
  if (!(beta >= 0 && beta < 1)) return Error::invalid("beta", fmt::format("{}", beta), "must be at least 0 and less than 1");
  return bits_of(told, selection.n, beta);
}

Result<CorrectedLevel> corrected_level(const Selection& selection, double alpha) {
  TACET_TRY(const Told told, told_by(selection));
  if (!(alpha >= 1e-9 && alpha <= 0.5)) return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5");
  const Optimum best = best_threshold(told, selection.n, alpha, Constant::AsInPaper);
  const MaxInformation at = bits_of(told, selection.n, best.beta);
  CorrectedLevel level{std::exp2(best.log2_threshold), at.bits, best.beta, at.rule, std::nullopt};
  if (told.rho > 0) level.sharper = std::exp2(best_threshold(told, selection.n, alpha, Constant::Sharper).log2_threshold);
  if (told.descriptions > 0 && !told.looked_first() && told.later_epsilon == 0) level.sharper = alpha * std::exp2(-told.bits);
  return level;
}

Result<double> corrected_p_value(const Selection& selection, double p) {
  TACET_TRY(const Told told, told_by(selection));
  if (!(p >= 0 && p <= 1)) return Error::invalid("p", fmt::format("{}", p), "must be at least 0 and at most 1");
  if (p == 0) return 0.0;
  const auto level = [&](double log_beta) {
    const double beta = std::exp(log_beta);
    return beta + p * std::exp2(std::min(bits_of(told, selection.n, beta).bits, 2000.0));
  };
  // A beta far below p gains nothing. Where 2^m p is infinite, p is corrected to 1.
  const double best = numeric::least_over(level, std::max(-700.0, std::log(p) - 5), -1e-9, 240).value;
  const double without = p * std::exp2(std::min(bits_of(told, selection.n, 0).bits, 2000.0));
  return std::min({best, without, 1.0});
}

}  // namespace tacet::accounting
