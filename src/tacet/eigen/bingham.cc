#include "tacet/eigen/bingham.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacet::eigen {
namespace {

constexpr std::size_t kMostDimensions = 4096;
constexpr int kDeviateLog2 = 50;  // Gaussian deviates are multiples of 2^-50
constexpr int kMostSteps = 200;

/// The root of sum 1/(b + 2 a_i) = 1. As some a_i is 0, the sum is at least 1 at b = 1 and at most
/// 1 at b = q. It is decreasing and convex, so Newton's method from 1 increases to the root and
/// stops only by rounding.
double solve_b(const std::vector<double>& a) {
  double b = 1;
  for (int step = 0; step < kMostSteps; ++step) {
    double sum = 0;
    double squares = 0;
    for (const double value : a) {
      const double term = 1 / (b + 2 * value);
      sum += term;
      squares += term * term;
    }
    const double next = b + (sum - 1) / squares;
    if (!(next > b)) break;
    b = next;
  }
  return std::min(b, static_cast<double>(a.size()));
}

}  // namespace

BinghamDirection::BinghamDirection(std::vector<double> a, double b, exact::RoundedNoise gaussian)
    : a_(std::move(a)), b_(b), log_bound_(0), gaussian_(gaussian) {
  const auto q = static_cast<double>(a_.size());
  log_bound_ = -(q - b_) / 2 + q / 2 * std::log(q / b_);
}

Result<BinghamDirection> BinghamDirection::of(std::vector<double> eigenvalues) {
  if (eigenvalues.empty() || eigenvalues.size() > kMostDimensions)
    return Error::invalid("eigenvalues", fmt::format("a list of {}", eigenvalues.size()), fmt::format("must be 1 to {}", kMostDimensions));
  const auto [least, largest] = std::minmax_element(eigenvalues.begin(), eigenvalues.end());
  const double shift = *least;
  const bool finite = std::all_of(eigenvalues.begin(), eigenvalues.end(), [](double value) { return std::isfinite(value); });
  if (!finite || !std::isfinite(2 * (*largest - shift)))
    return Error::invalid("eigenvalues", "not finite", "must be finite, and no further apart than half the largest double");
  for (double& value : eigenvalues) value -= shift;
  TACET_TRY(const auto gaussian, exact::RoundedNoise::gaussian(std::ldexp(1.0, kDeviateLog2)));
  const double b = solve_b(eigenvalues);
  return BinghamDirection(std::move(eigenvalues), b, gaussian);
}

bool BinghamDirection::turn_to_direction(std::vector<double>& deviates) const {
  double square = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    deviates[i] /= std::sqrt(1 + 2 * a_[i] / b_);
    square += deviates[i] * deviates[i];
  }
  if (square == 0) return false;
  const double length = std::sqrt(square);
  for (double& coordinate : deviates) coordinate /= length;
  return true;
}

std::vector<double> BinghamDirection::propose(exact::RandomBits& bits) const {
  std::vector<double> direction(a_.size());
  do {  // all deviates 0: probability 2^-50 in one dimension
    for (double& deviate : direction) deviate = std::ldexp(static_cast<double>(gaussian_.draw(bits)), -kDeviateLog2);
  } while (!turn_to_direction(direction));
  return direction;
}

double BinghamDirection::log_acceptance(std::span<const double> direction) const {
  double form = 0;   // u'Au
  double omega = 0;  // u'Omega u
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double square = direction[i] * direction[i];
    form += a_[i] * square;
    omega += (1 + 2 * a_[i] / b_) * square;
  }
  return -form + static_cast<double>(a_.size()) / 2 * std::log(omega) - log_bound_;
}

std::vector<double> BinghamDirection::draw(exact::RandomBits& bits) const {
  for (;;) {
    std::vector<double> direction = propose(bits);
    const double uniform = std::ldexp(static_cast<double>(bits.word() >> 11U), -53);
    if (uniform < std::exp(log_acceptance(direction))) return direction;
  }
}

std::vector<double> BinghamDirection::simulate(numeric::InsecureStream& stream) const {
  std::vector<double> direction(a_.size());
  do {
    stream.fill_normal(direction);
  } while (!turn_to_direction(direction) || stream.uniform() >= std::exp(log_acceptance(direction)));
  return direction;
}

}  // namespace tacet::eigen
