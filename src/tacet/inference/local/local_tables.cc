#include "tacet/inference/local/local_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tacet/inference/monte_carlo.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;

std::vector<double> report_probabilities(const LocalRandomizer& randomizer, const std::vector<double>& probabilities) {
  const auto [stays, other] = mechanisms::chances(randomizer, probabilities.size());
  std::vector<double> reported;
  reported.reserve(probabilities.size());
  for (const double p : probabilities) reported.push_back(stays * p + other * (1 - p));
  return reported;
}

double report_gap(const LocalRandomizer& randomizer, std::size_t categories) {
  if (randomizer.kind == LocalKind::Flip) return std::tanh(randomizer.parameter / 4);
  if (randomizer.kind == LocalKind::Exp) return -std::expm1(-randomizer.parameter) * mechanisms::chances(randomizer, categories).stays;
  return 1;
}

double least_expected_report(const LocalRandomizer& randomizer, double n, const std::vector<double>& probabilities) {
  const bool coins = randomizer.kind == LocalKind::Exp || randomizer.kind == LocalKind::Flip;
  const std::vector<double> chance = coins ? report_probabilities(randomizer, probabilities) : probabilities;
  double least = 1;
  for (const double one : chance) {
    if (one > 0) least = std::min(least, one);
  }
  const double most = *std::max_element(chance.begin(), chance.end());
  return n * (randomizer.kind == LocalKind::Flip ? std::min(least, 1 - most) : least);
}

LocalTables::LocalTables(double n, std::vector<double> probabilities, const LocalRandomizer& randomizer)
    : n_(n),
      randomizer_(randomizer),
      drawn_(randomizer.kind == LocalKind::Exp ? report_probabilities(randomizer, probabilities) : std::move(probabilities)) {}

void LocalTables::draw(numeric::InsecureStream& stream, std::size_t tables, std::span<double> values) const {
  numeric::draw_multinomials(stream, n_, drawn_, tables, values);
  if (randomizer_.kind == LocalKind::Exp) return;
  if (randomizer_.kind == LocalKind::Flip) {
    const auto [stays, other] = mechanisms::chances(randomizer_, cells());
    const double gap = report_gap(randomizer_, cells());
    for (double& value : values) {
      const double sent = numeric::draw_binomial(stream, value, stays) + numeric::draw_binomial(stream, n_ - value, other);
      value = (sent - n_ * other) / gap;
    }
    return;
  }
  std::array<double, kMostTablesInABlock> room;
  const std::span<double> noise = std::span(room).first(tables);
  const double scale = randomizer_.kind == LocalKind::Gaussian ? std::sqrt(n_) * randomizer_.parameter : randomizer_.parameter;
  for (std::size_t i = 0; i < cells(); ++i) {
    if (randomizer_.kind == LocalKind::Gaussian) {
      stream.fill_normal(noise);
    } else {
      numeric::fill_laplace_sums(stream, n_, noise);
    }
    for (std::size_t t = 0; t < tables; ++t) values[i * tables + t] += scale * noise[t];
  }
}

}  // namespace tacet::inference
