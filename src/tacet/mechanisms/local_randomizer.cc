#include "tacet/mechanisms/local_randomizer.h"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"

namespace tacet::mechanisms {
namespace {

constexpr double kLargestLocalScale = 1e100;

bool counts_coins(LocalKind kind) { return kind == LocalKind::Exp || kind == LocalKind::Flip; }

/// p - q, without cancellation where epsilon is small.
double gap(const LocalRandomizer& randomizer, std::size_t categories) {
  if (randomizer.kind == LocalKind::Flip) return std::tanh(randomizer.parameter / 4);
  return -std::expm1(-randomizer.parameter) / (1 + static_cast<double>(categories - 1) * std::exp(-randomizer.parameter));
}

Error bad_reports(const std::string& value, const std::string& rule) {
  return Error::invalid("reports", value, rule, "for example: [412, 301, 287] counts for exp, [0.41, 0.3, 0.29] means for the others");
}

}  // namespace

Status check_distribution(const LocalRandomizer& randomizer) {
  if (counts_coins(randomizer.kind)) {
    if (randomizer.parameter >= kLeastLocalEpsilon && randomizer.parameter <= kLargestLocalEpsilon) return {};
    return Error::invalid("epsilon", fmt::format("{}", randomizer.parameter), "must lie between 1e-9 and 100 for randomised reports",
                          "for example: epsilon = 1");
  }
  if (randomizer.parameter >= 1 / kLargestLocalScale && randomizer.parameter <= kLargestLocalScale) return {};
  return Error::invalid("noise scale", fmt::format("{}", randomizer.parameter), "must lie between 1e-100 and 1e100");
}

Status check_categories(std::size_t categories) {
  if (categories >= 2 && categories <= kMostCategories) return {};
  return Error::invalid("categories", fmt::format("{}", categories), "must be 2 to 1000000", "for example: categories = yes,no");
}

kernel::Sensitivity local_sensitivity() { return {kernel::Relation::ReplaceOne, 2, 2}; }

Result<kernel::NoisePlan> plan_local_noise(kernel::NoiseFamily family, const privacy::Loss& loss) {
  const kernel::Sensitivity neighbours = local_sensitivity();
  TACET_TRY(const kernel::NoisePlan plan, plan_noise(family, neighbours, loss));
  TACET_CHECK(kernel::check_scales(plan, neighbours, loss));  // no kernel proves it later
  return plan;
}

Chances chances(const LocalRandomizer& randomizer, std::size_t categories) {
  if (randomizer.kind == LocalKind::Flip) {
    const double odds = std::exp(-randomizer.parameter / 2);
    return {1 / (1 + odds), odds / (1 + odds)};
  }
  const double odds = std::exp(-randomizer.parameter);
  const double total = 1 + static_cast<double>(categories - 1) * odds;
  return {1 / total, odds / total};
}

Status check_reports(const LocalRandomizer& randomizer, double n, const std::vector<double>& reports) {
  if (!(n >= 1)) return Error::invalid("n", fmt::format("{}", n), "must be at least one report");
  TACET_CHECK(check_categories(reports.size()));
  double sum = 0;
  for (const double report : reports) {
    if (randomizer.kind == LocalKind::Exp && !(report >= 0 && report == std::floor(report)))
      return bad_reports(fmt::format("a list with {}", report), "must be how often each category was reported, whole numbers");
    if (randomizer.kind == LocalKind::Flip && !(report >= 0 && report <= 1))
      return bad_reports(fmt::format("a list with {}", report), "must be the mean of each bit, between 0 and 1");
    sum += report;
  }
  if (randomizer.kind == LocalKind::Exp && sum != n)
    return bad_reports(fmt::format("{} altogether", sum), fmt::format("must be as many as n, {}: every person reports one category", n));
  return {};
}

std::vector<double> estimates(const LocalRandomizer& randomizer, double n, const std::vector<double>& reports) {
  const Chances chance = chances(randomizer, reports.size());
  const double difference = gap(randomizer, reports.size());
  std::vector<double> counts;
  counts.reserve(reports.size());
  for (const double report : reports) {
    switch (randomizer.kind) {
      case LocalKind::Exp: counts.push_back((report - n * chance.other) / difference); break;
      case LocalKind::Flip: counts.push_back(n * (report - chance.other) / difference); break;
      case LocalKind::Gaussian:
      case LocalKind::Laplace: counts.push_back(n * report); break;
    }
  }
  return counts;
}

double covariance(const LocalRandomizer& randomizer, double n, const std::vector<double>& counts, std::size_t i, std::size_t j) {
  if (randomizer.kind == LocalKind::Gaussian || randomizer.kind == LocalKind::Laplace) {
    const double variance = randomizer.parameter * randomizer.parameter * (randomizer.kind == LocalKind::Laplace ? 2 : 1);
    return i == j ? n * variance : 0;
  }
  const auto [p, q] = chances(randomizer, counts.size());
  const double difference = gap(randomizer, counts.size());
  const double square = difference * difference;
  if (randomizer.kind == LocalKind::Flip) return i == j ? n * p * q / square : 0;
  if (i == j) return (counts[i] * p * (1 - p) + (n - counts[i]) * q * (1 - q)) / square;
  return (-(counts[i] + counts[j]) * p * q - (n - counts[i] - counts[j]) * q * q) / square;
}

}  // namespace tacet::mechanisms
