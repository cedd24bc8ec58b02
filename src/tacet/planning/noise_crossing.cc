#include "tacet/planning/noise_crossing.h"

#include <cmath>
#include <numbers>

#include "tacet/numeric/least.h"
#include "tacet/numeric/normal.h"

namespace tacet::planning {
namespace {

/// The mu of a table with Laplace noise of scale 1/mu: the root of mu = laplace_table_mu(2 mu).
/// Made by bisection of its dual (privacy/noise_proofs.h) with 30 digits.
constexpr double kTableCrossing = 3.687060656280794;

/// h(x) = x + e^-x - 1: the rho of Laplace noise on one number that moves by x scales.
double price_in_rho(double x) { return x + std::expm1(-x); }

/// The x with h(x) = share x^2, 0 < share < 1/2.
double root_in_rho(double share) {
  // h(x)/x^2 decreases from 1/2; beyond 1/share it is below share.
  return numeric::root_of([share](double x) { return share * x * x - price_in_rho(x); }, 1e-3, 1 / share);
}

}  // namespace

double noise_crossing_mu(CrossingRule rule, double l1_over_l2) {
  if (rule == CrossingRule::Table) return kTableCrossing;
  const double slope = std::numbers::sqrt2 * l1_over_l2;
  if (rule == CrossingRule::FromL1) {
    const auto excess = [slope](double mu) { return -2 * (std::numbers::ln2 + numeric::normal_log_upper(mu / 2)) - slope * mu; };
    return numeric::root_of(excess, 1, 20 * l1_over_l2);
  }
  const auto excess = [slope](double mu) { return numeric::normal_log_lower(mu / 2) - numeric::normal_log_upper(mu / 2) - slope * mu; };
  return numeric::root_of(excess, 1, 40 * l1_over_l2);
}

double noise_crossing_rho(CrossingRule rule, double l1_over_l2) {
  if (rule == CrossingRule::Table) return 2 * price_in_rho(root_in_rho(0.25));
  return price_in_rho(root_in_rho(1 / (4 * l1_over_l2 * l1_over_l2)));
}

}  // namespace tacet::planning
