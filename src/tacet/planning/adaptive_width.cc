#include "tacet/planning/adaptive_width.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>

#include "tacet/accounting/conversion.h"
#include "tacet/accounting/gaussian_curve.h"
#include "tacet/numeric/least.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/split_width.h"

namespace tacet::planning {
namespace {

using numeric::Least;
using numeric::least_between;
using numeric::least_over;
using numeric::root_of;

/// P[max_j |N_j| > t] of k standard normal variables.
double largest_exceeds(double k, double t) { return -std::expm1(k * std::log1p(-2 * numeric::normal_upper(t))); }

/// The t with P[max_j |N_j| > t] = b.
double largest_quantile(double k, double b) { return numeric::normal_upper_quantile(-std::expm1(std::log1p(-b) / k) / 2); }

/// CVaR_b of max_j |N_j|: q + (1/b) times the integral of the tail from the (1-b)-quantile q.
double largest_cvar(double k, double b) {
  const double q = largest_quantile(k, b);
  const auto tail = [&](double t) { return largest_exceeds(k, t); };
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  // Beyond q + 12 the tail is below exp(-72) of that at q.
  return q + Rule::integrate(tail, q, q + 12, 12, 1e-13) / b;
}

/// min over a >= 0 of a + delta(log(1 + a))/b for mu-GDP.
double information_term(double mu, double b) {
  const double z = numeric::normal_upper_quantile(b);
  if (z < mu / 2) return (1 - 2 * numeric::normal_upper(mu / 2)) / b;
  return numeric::normal_lower(mu - z) / b - 1;
}

/// An upper bound on the same for rho-zCDP: any a is valid. No width above 1 is of use.
Result<double> information_term(const ZcdpPromise& promise, double b) {
  const auto at = [&](double log_epsilon) {
    const double epsilon = std::exp(log_epsilon);
    const auto delta = accounting::delta_of_zcdp({0, promise.rho}, epsilon);
    return delta.ok() ? std::expm1(epsilon) + delta->best.delta / b : std::numeric_limits<double>::infinity();
  };
  TACET_CHECK(accounting::delta_of_zcdp({0, promise.rho}, 1));
  // Without an epsilon: total variation is at most sqrt(rho/2) (Pinsker).
  return std::min(least_over(at, -16, 1, 128).value, std::sqrt(promise.rho / 2) / b);
}

/// The zCDP of the whole interaction, rho, as an epsilon: Rogers 2.2.4.
double epsilon_of_rho(double rho, double log_inverse_delta) {
  return rho + 2 * std::sqrt(rho * std::max(0.0, std::log(std::numbers::pi * rho) / 2 + log_inverse_delta));
}

/// k mechanisms of e-DP together, for a delta: Rogers 2.1.5.
double epsilon_of_laplace(double e, double k, double log_inverse_delta) {
  return e * k * std::tanh(e / 2) + e * std::sqrt(2 * k * log_inverse_delta);
}

double standard_deviation_of(double n, double r) { return 1 / (n * std::sqrt(2 * r)); }

/// Theorem 3.3.1 with s samples in the monitor's argument.
AdaptiveWidth bnsssu_at(const AdaptiveQueries& queries, AnswerNoise family, double s, double beta) {
  const double n = queries.n;
  const double k = queries.queries;
  const double factor = -1 / std::expm1(s * std::log1p(-beta));
  const bool laplace = family == AnswerNoise::Laplace;
  // Both arguments are logarithms: of e or r, and of d.
  const auto inside = [&](double log_noise, double log_d) {
    const double noise = std::exp(log_noise);
    const double epsilon = laplace ? epsilon_of_laplace(noise, k, -log_d) : epsilon_of_rho(k * noise, -log_d);
    if (epsilon > 700) return 1e300;
    const double sample = laplace ? (std::log(2 * k) - log_d) / (noise * n) : std::sqrt((std::log(4 * k) - log_d) / noise) / n;
    return std::expm1(epsilon) + 2 * s * std::exp(log_d) + sample;
  };
  const double most_d = -std::log(2 * s);
  const auto best_d = [&](double log_noise) {
    return least_over([&](double log_d) { return inside(log_noise, log_d); }, most_d - 60, most_d, 24).value;
  };
  // k e^2 and k r are the size of the privacy loss.
  const double log_k = std::log(k);
  const double lowest = laplace ? -log_k / 2 - 40 : -log_k - 60;
  const double highest = laplace ? -log_k / 2 + 3 : -log_k + 3;
  const Least found = least_over(best_d, lowest, highest, 48);
  const double noise = std::exp(found.at);
  return {AdaptiveRule::Bnsssu, factor * found.value, family, laplace ? 1 / (n * noise) : standard_deviation_of(n, noise)};
}

/// Theorem 3.4.1, in the logarithm of B = r k n > 1.
struct Monitor {
  double n, k, beta;

  double population(double log_b) const {
    const double info = std::exp(log_b);
    const double sum = 2 * info + log_b;
    return std::sqrt(2 / (n * beta) * (sum + sum / (info - 1)));
  }
  double sample(double log_b) const { return 2 / n * std::sqrt(std::log(4 * k / beta) * k * n / std::exp(log_b)); }
};

Status check_deviation(double standard_deviation) {
  if (standard_deviation > 0 && standard_deviation < 1e300) return {};
  return Error::invalid("noise", fmt::format("{}", standard_deviation), "must be a standard deviation greater than 0");
}

AdaptiveWidth lesser(const AdaptiveWidth& a, const AdaptiveWidth& b) { return b.width < a.width ? b : a; }

}  // namespace

Status check_queries(const AdaptiveQueries& queries) {
  const auto whole = [](double x, double most) { return x >= 1 && x <= most && x == std::floor(x); };
  if (!whole(queries.n, 1e15)) return Error::invalid("n", fmt::format("{}", queries.n), "must be a whole number between 1 and 10^15");
  if (!whole(queries.queries, 1e12))
    return Error::invalid("queries", fmt::format("{}", queries.queries), "must be a whole number between 1 and 10^12");
  if (!(queries.beta >= 1e-9 && queries.beta <= 0.99)) {
    return Error::invalid("beta", fmt::format("{}", queries.beta), "must be at least 1e-9 and at most 0.99", "for example: beta = 0.05");
  }
  return {};
}

const AdaptiveWidth& AdaptiveWidths::best() const {
  return *std::min_element(rules.begin(), rules.end(), [](const AdaptiveWidth& a, const AdaptiveWidth& b) { return a.width < b.width; });
}

const AdaptiveWidth* AdaptiveWidths::find(AdaptiveRule rule) const {
  const auto found = std::find_if(rules.begin(), rules.end(), [rule](const AdaptiveWidth& one) { return one.rule == rule; });
  return found == rules.end() ? nullptr : &*found;
}

Result<AdaptiveWidth> dfhprr_width(const AdaptiveQueries& queries, AnswerNoise family) {
  TACET_CHECK(check_queries(queries));
  const double n = queries.n;
  const double k = queries.queries;
  const double b = queries.beta;
  const bool laplace = family == AnswerNoise::Laplace;
  // The least noise parameter that the sample allows, and what privacy then demands of tau. The
  // demand falls with tau, so the least tau is a root, or the bound without noise.
  const auto noise = [&](double tau) {
    return laplace ? 2 * std::log(2 * k / b) / (n * tau) : 4 * std::log(4 * k / b) / (n * tau * n * tau);
  };
  const auto left_over = [&](double tau) {
    const double log_inverse_delta = 8 * std::log(16 * k / b) / tau;
    const double epsilon =
        laplace ? epsilon_of_laplace(noise(tau), k, log_inverse_delta) : epsilon_of_rho(noise(tau) * k, log_inverse_delta);
    return tau - 8 * epsilon;
  };
  const double least = 2 * std::sqrt(48 * std::log(8 * k / b) / n);
  const double tau = left_over(least) >= 0 ? least : root_of(left_over, least, 1e12);
  return AdaptiveWidth{AdaptiveRule::Dfhprr, tau, family, laplace ? 1 / (n * noise(tau)) : standard_deviation_of(n, noise(tau))};
}

Result<AdaptiveWidth> bnsssu_width(const AdaptiveQueries& queries, AnswerNoise family) {
  TACET_CHECK(check_queries(queries));
  const double s = std::floor((1 + 1e-12) / queries.beta);
  const AdaptiveWidth here = bnsssu_at(queries, family, s, queries.beta);
  return s * queries.beta > 1 - 1e-9 ? here : lesser(here, bnsssu_at(queries, family, s + 1, 1 / (s + 1)));
}

Result<double> rz_monitor_width_at(const AdaptiveQueries& queries, double standard_deviation) {
  TACET_CHECK(check_queries(queries));
  TACET_CHECK(check_deviation(standard_deviation));
  const Monitor monitor{queries.n, queries.queries, queries.beta};
  // B = r k n with r = 1/(2 n^2 sd^2).
  const double log_b = std::log(queries.queries / (2 * queries.n)) - 2 * std::log(standard_deviation);
  return log_b > 0 ? std::max(monitor.population(log_b), monitor.sample(log_b)) : std::numeric_limits<double>::infinity();
}

Result<AdaptiveWidth> rz_monitor_width(const AdaptiveQueries& queries) {
  TACET_CHECK(check_queries(queries));
  const Monitor monitor{queries.n, queries.queries, queries.beta};
  // The bound for the population falls until B = 2.3 and then rises; that for the sample falls.
  const double turn = least_between([&](double log_b) { return monitor.population(log_b); }, 0.01, 5).at;
  const double crossing = root_of([&](double log_b) { return monitor.population(log_b) - monitor.sample(log_b); }, turn, 120);
  const double width = std::max(monitor.population(crossing), monitor.sample(crossing));
  const double r = std::exp(crossing) / (queries.queries * queries.n);
  return AdaptiveWidth{AdaptiveRule::RzMonitor, width, AnswerNoise::Gaussian, standard_deviation_of(queries.n, r)};
}

Result<double> cvar_width_at(const AdaptiveQueries& queries, double standard_deviation) {
  TACET_CHECK(check_queries(queries));
  TACET_CHECK(check_deviation(standard_deviation));
  const double mu = std::sqrt(queries.queries) / (queries.n * standard_deviation);
  return standard_deviation * largest_cvar(queries.queries, queries.beta) + information_term(mu, queries.beta);
}

Result<double> cvar_width_within(const AdaptiveQueries& queries, double standard_deviation, const WholePromise& promise) {
  TACET_CHECK(check_queries(queries));
  TACET_CHECK(check_deviation(standard_deviation));
  TACET_TRY(const double information, selection_width(queries.beta, promise));
  return standard_deviation * largest_cvar(queries.queries, queries.beta) + information;
}

Result<double> selection_width(double beta, const WholePromise& promise) {
  TACET_CHECK(check_queries({1, 1, beta}));
  const auto* gdp = std::get_if<GdpPromise>(&promise);
  if (gdp == nullptr) return information_term(std::get<ZcdpPromise>(promise), beta);
  if (!(gdp->mu > 0 && gdp->mu < 1e150)) return Error::invalid("mu", fmt::format("{}", gdp->mu), "must be greater than 0");
  return information_term(gdp->mu, beta);
}

Result<AdaptiveWidth> cvar_width(const AdaptiveQueries& queries) {
  TACET_CHECK(check_queries(queries));
  const double noise_term = largest_cvar(queries.queries, queries.beta);
  const double all = std::sqrt(queries.queries) / queries.n;  // mu is all/sd
  const auto width = [&](double log_mu) {
    const double mu = std::exp(log_mu);
    return all / mu * noise_term + information_term(mu, queries.beta);
  };
  const Least found = least_over(width, -40, 8, 96);
  return AdaptiveWidth{AdaptiveRule::Cvar, found.value, AnswerNoise::Gaussian, all / std::exp(found.at)};
}

Result<AdaptiveWidth> jlnrss_width(const AdaptiveQueries& queries) {
  TACET_TRY(const AdaptiveWidth start, cvar_width(queries));
  const double k = queries.queries;
  const double b = queries.beta;
  const double all = std::sqrt(k) / queries.n;
  const double quantile = largest_quantile(k, b);
  // alpha + c + e^epsilon - 1 + 2d with beta'/c + delta/d = beta: the best c and d give the square.
  const auto width = [&](double log_sd) {
    const double sd = std::exp(log_sd);
    const double mu = all / sd;
    const auto over_epsilon = [&](double log_epsilon) {
      const double epsilon = std::exp(log_epsilon);
      const double transfer = std::sqrt(2 * accounting::gaussian_delta(epsilon, mu).upper);
      const auto over_alpha = [&](double alpha) {
        const double root = std::sqrt(largest_exceeds(k, alpha)) + transfer;
        return sd * alpha + root * root / b;
      };
      return std::expm1(epsilon) + least_between(over_alpha, quantile, quantile + 20).value;
    };
    return least_between(over_epsilon, std::log(mu) - 6, std::log(mu * (mu + 40))).value;
  };
  const double middle = std::log(start.noise.value_or(1));
  const Least found = least_between(width, middle - 3, middle + 3);
  return AdaptiveWidth{AdaptiveRule::Jlnrss, found.value, AnswerNoise::Gaussian, std::exp(found.at)};
}

Result<AdaptiveWidths> adaptive_widths(const AdaptiveQueries& queries, QueryKind kind) {
  TACET_CHECK(check_queries(queries));
  TACET_TRY(const AdaptiveWidth rz_monitor, rz_monitor_width(queries));
  TACET_TRY(const AdaptiveWidth dfhprr, dfhprr_width(queries, AnswerNoise::Gaussian));
  TACET_TRY(const AdaptiveWidth dfhprr_laplace, dfhprr_width(queries, AnswerNoise::Laplace));
  TACET_TRY(const AdaptiveWidth bnsssu, bnsssu_width(queries, AnswerNoise::Gaussian));
  TACET_TRY(const AdaptiveWidth bnsssu_laplace, bnsssu_width(queries, AnswerNoise::Laplace));
  TACET_TRY(const AdaptiveWidth jlnrss, jlnrss_width(queries));
  TACET_TRY(const AdaptiveWidth cvar, cvar_width(queries));
  TACET_TRY(const SplitWidths split, split_widths(queries));
  const double splitting = kind == QueryKind::Proportion ? split.proportion : split.bounded;
  // At 1/2 the constant is as good as splitting, and it comes first: it needs no data.
  return AdaptiveWidths{{rz_monitor,
                         lesser(dfhprr, dfhprr_laplace),
                         lesser(bnsssu, bnsssu_laplace),
                         jlnrss,
                         cvar,
                         {AdaptiveRule::Constant, 0.5, AnswerNoise::None, std::nullopt},
                         {AdaptiveRule::DataSplitting, splitting, AnswerNoise::None, std::nullopt}}};
}

Result<AdaptiveWidths> low_sensitivity_widths(const AdaptiveQueries& queries, double sensitivity) {
  TACET_CHECK(check_queries(queries));
  if (!(sensitivity >= 1e-300 && sensitivity <= 1e300)) {
    return Error::invalid("sensitivity", fmt::format("{}", sensitivity), "must be greater than 0 and finite",
                          "for the mean of values in [0, 1] leave it out");
  }
  TACET_TRY(AdaptiveWidth rz_monitor, rz_monitor_width(queries));
  TACET_TRY(AdaptiveWidth cvar, cvar_width(queries));
  AdaptiveWidths widths{{rz_monitor, cvar}};
  const double factor = queries.n * sensitivity;
  for (AdaptiveWidth& one : widths.rules) {
    one.width *= factor;
    one.noise = *one.noise * factor;
  }
  return widths;
}

}  // namespace tacet::planning
