#include "tacet/inference/counts/noised_gwas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/verdict.h"
#include "tacet/inference/level.h"
#include "tacet/numeric/mills.h"
#include "tacet/numeric/normal.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {
namespace {

constexpr double kDf = 2;
constexpr double kCells = 6;

double upper(double q, double s) {
  const double z = q / s;
  const double past = s / 2 - z;
  const double shifted =
      past >= 0 ? numeric::normal_density(z) * numeric::mills(past) : std::exp(s * s / 8 - q / 2) * numeric::normal_upper(past);
  return numeric::normal_upper(z) + shifted;
}

double noise_of(double n, double rho) { return 4 * n / (n + 2) / std::sqrt(2 * rho); }

Status check_cohorts(double n, double rho) {
  if (!(n >= 2 && n <= 0x1p53)) return Error::invalid("n", fmt::format("{}", n), "must be at least 2 and at most 2^53");
  if (!(rho >= 1e-12 && rho <= 1e12)) return Error::invalid("rho", fmt::format("{}", rho), "must be at least 1e-12 and at most 1e12");
  return {};
}

Status check_split(double n) {
  if (std::fmod(n, 2) == 0) return {};
  return Error::invalid("n", fmt::format("{}", n), "must be even: half of the people are cases and half controls",
                        "without an even split the sensitivity of the statistic is another; noise on the table needs none: "
                        "`release counts`");
}

/// The integral of f from a to b: Gauss's rule of 8 points on each of 24 parts.
template <class F>
double integral(const F& f, double a, double b) {
  constexpr std::array<double, 4> kNodes = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr std::array<double, 4> kWeights = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  constexpr int kParts = 24;
  const double half = (b - a) / (2 * kParts);
  double sum = 0;
  for (int part = 0; part < kParts; ++part) {
    const double middle = a + half * (2 * part + 1);
    for (std::size_t k = 0; k < kNodes.size(); ++k) sum += kWeights[k] * (f(middle - half * kNodes[k]) + f(middle + half * kNodes[k]));
  }
  return half * sum;
}

/// P[chi2_2(noncentrality) + s N > q]. To all digits, the tail of the chi-square is 1 below the
/// square of `low` and 0 above that of `high`.
double noncentral_upper_of_gwas(double q, double s, double noncentrality) {
  constexpr double kFar = 9;
  const auto distribution =
      numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = kDf, .noncentrality = noncentrality}});
  if (!distribution) return 1;
  const double middle = std::sqrt(noncentrality);
  const double low = std::max(0.0, middle - kFar);
  const double high = middle + kFar;
  std::array<double, 4> turns = {low, std::sqrt(std::max(0.0, q - kFar * s)), std::sqrt(std::max(0.0, q + kFar * s)), high};
  for (double& turn : turns) turn = std::clamp(turn, low, high);
  const auto density = [&](double u) { return 2 * u / s * numeric::normal_density((q - u * u) / s) * distribution->upper(u * u); };
  // The noise beyond nine standard deviations is negligible.
  return numeric::normal_upper((q - low * low) / s) + integral(density, turns[1], turns[2]);
}

Status check_genotypes(std::span<const double> values, const char* parameter) {
  if (values.size() != 3) {
    return Error::invalid(parameter, fmt::format("{} probabilities", values.size()), "must be those of the three genotypes",
                          "for example [0.5, 0.25, 0.25]");
  }
  const auto checked = probabilities_of({values.begin(), values.end()}, parameter);
  if (!checked) return checked.error();
  return {};
}

}  // namespace

Result<double> gwas_noise(double n, double rho) {
  TACET_CHECK(check_cohorts(n, rho));
  return noise_of(n, rho);
}

Result<double> gwas_critical(double n, double rho, double alpha) {
  TACET_CHECK(check_cohorts(n, rho));
  TACET_CHECK(check_alpha(alpha));
  const double s = noise_of(n, rho);
  double low = 0;
  double high = 2 * (s + 1);
  while (upper(high, s) > alpha) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (upper(middle, s) > alpha ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Result<double> gwas_p_value(double statistic, double n, double rho) {
  TACET_CHECK(check_cohorts(n, rho));
  if (!std::isfinite(statistic)) return Error::invalid("noised", fmt::format("{}", statistic), "must be a number");
  return upper(statistic, noise_of(n, rho));
}

Result<GofTest> test_noised_gwas(double statistic, double n, double rho, double alpha) {
  GofTest test{};
  TACET_TRY(test.p_value, gwas_p_value(statistic, n, rho));
  TACET_TRY(test.critical, gwas_critical(n, rho, alpha));
  TACET_CHECK(check_split(n));
  test.statistic_kind = GofStatistic::Classical;
  test.method = GofMethod::Asymptotic;
  test.statistic = statistic;
  test.df = kDf;
  test.outcome = decide(*test.p_value, alpha);
  test.null_distribution =
      fmt::format("chi-square with 2 degrees of freedom plus Gaussian noise of standard deviation {:.4g}", noise_of(n, rho));
  test.power = noncentral_upper_of_gwas(*test.critical, noise_of(n, rho), std::max(0.0, statistic - kDf));
  // The margins of the genotypes are unknown; at best all cells are equal.
  if (n < kCells * kLeastExpected) {
    test.outcome = Outcome::Inconclusive;
    test.reason = untrusted_limit(fmt::format("among {:.0f} people some of the six cells expect fewer than {}", n, kLeastExpected), {});
  }
  return test;
}

Result<double> gwas_power(std::span<const double> cases, std::span<const double> controls, double n, double rho, double alpha) {
  TACET_TRY(const double critical, gwas_critical(n, rho, alpha));
  TACET_CHECK(check_split(n));
  TACET_CHECK(check_genotypes(cases, "cases"));
  TACET_CHECK(check_genotypes(controls, "controls"));
  double apart = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double difference = cases[i] - controls[i];
    apart += difference * difference / (2 * (cases[i] + controls[i]));
  }
  return noncentral_upper_of_gwas(critical, noise_of(n, rho), n * apart);
}

}  // namespace tacet::inference
