#include "tacet/accounting/zcdp_odometer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tacet/exact/directed.h"
#include "tacet/numeric/least.h"

namespace tacet::accounting {
namespace {

constexpr int kLeastOrder = -6;
constexpr int kMostOrder = 40;
constexpr int kLikelyOrder = 8;

/// Orders lambda of the mixture, with the logarithms of their weights.
struct Orders {
  static constexpr std::size_t kCount = kMostOrder - kLeastOrder + 1;
  std::array<double, kCount> lambda, log_weight;

  Orders() {
    double sum = 0;
    std::array<double, kCount> weight{};
    for (std::size_t i = 0; i < kCount; ++i) {
      const int j = kLeastOrder + static_cast<int>(i);
      lambda[i] = std::exp2(j / 2.0);
      weight[i] = std::pow(1 + std::abs(j - kLikelyOrder) / 2.0, -1.5);
      sum += weight[i];
    }
    for (std::size_t i = 0; i < kCount; ++i) log_weight[i] = std::log(weight[i] / sum);
  }
};

/// log M at a loss, by the largest term.
double log_mixture(const Orders& orders, double loss, double rho) {
  std::array<double, Orders::kCount> terms{};
  double most = -HUGE_VAL;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double lambda = orders.lambda[i];
    terms[i] = orders.log_weight[i] + lambda * loss - lambda * (1 + lambda) * rho;
    most = std::max(most, terms[i]);
  }
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}

/// The logarithm of the largest (1 - e^(epsilon - L))_+ / M over L: log delta at a reading.
double log_delta(const Orders& orders, double epsilon, double rho) {
  const auto negative = [&](double log_excess) {
    const double excess = std::exp(log_excess);
    return log_mixture(orders, epsilon + excess, rho) - std::log(-std::expm1(-excess));
  };
  // Concave in L, so one maximum; beyond e^-20 of a loss the largest order decides.
  return -numeric::least_between(negative, -25, 8).value;
}

Status check_odometer(double rho, double delta) {
  if (!(rho == 0 || (rho >= 1e-30 && rho <= 1e6)))
    return Error::invalid("rho", fmt::format("{}", rho), "must be 0, or at least 1e-30 and at most 1e6");
  if (!(delta >= 1e-300 && delta < 1)) return Error::invalid("delta", fmt::format("{}", delta), "must be at least 1e-300 and less than 1");
  return {};
}

}  // namespace

Result<double> zcdp_odometer(double rho, double delta) {
  TACET_CHECK(check_odometer(rho, delta));
  if (rho == 0) return 0.0;
  static const Orders orders;
  const double target = std::log(delta);
  const auto left_over = [&](double epsilon) { return target - log_delta(orders, epsilon, rho); };
  if (left_over(0) >= 0) return 0.0;
  double most = 1;
  while (left_over(most) < 0) most *= 2;
  const double found = numeric::root_of(left_over, 0, most);
  return exact::enlarged(static_cast<long double>(found), 1e-10L);
}

Result<std::optional<double>> rogers_zcdp_odometer(double rho, double delta, std::uint64_t n) {
  TACET_CHECK(check_odometer(rho, delta));
  if (n < 2) return Error::invalid("n", fmt::format("{}", n), "must be at least 2");
  const double people = static_cast<double>(n);
  if (2 * rho > 1 || 2 * rho * people * people < 1) return std::optional<double>();
  const double logs = std::log(48 * std::numbers::e) + 2 * std::log(std::log(people) / delta);
  return std::optional(exact::enlarged(rho + std::sqrt(static_cast<long double>(4 * rho * logs)), 1e-14L));
}

}  // namespace tacet::accounting
