#include "tacet/inference/gof_simulation.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tacet/inference/block_sum.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::inference {
namespace {

using mechanisms::NoiseStructure;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// With c = deviations - part * sums: squares += weight c^2, linear += weight c.
TACET_VECTORISED void add_forms(const double* deviations, const double* sums, std::size_t tables, double part, double weight,
                                double* squares, double* linear) {
  for (std::size_t t = 0; t < tables; ++t) {
    const double c = deviations[t] - part * sums[t];
    squares[t] += weight * (c * c);
    linear[t] += weight * c;
  }
}

/// All statistics are (sum of w_i c_i^2 + bend (sum of w_i c_i)^2 + rest S^2) / divisor, c = v - part_i S, v the deviations and S their sum.
class Form {
 public:
  Form(const GofDesign& design, GofStatistic statistic, bool n_public) : n_public_(n_public), n_(design.n()) {
    const std::vector<double>& p = design.null();
    const double t = design.noise_share();
    const bool keeps_total = design.noise().structure == NoiseStructure::SumZero;
    const bool classical = statistic == GofStatistic::Classical;
    const auto d = static_cast<double>(p.size());
    weights_.reserve(p.size());
    parts_.reserve(p.size());
    for (const double probability : p) {
      weights_.push_back(1 / (classical ? probability : probability + t));
      parts_.push_back(!n_public ? probability : classical ? 0 : 1 / d);
    }
    if (!classical) {
      bend_ = t / block_sum(p.size(), [&](std::size_t i) { return p[i] / (p[i] + t); });
      if (statistic == GofStatistic::Nonprojected && !keeps_total) rest_ = 1 / (d * t);
    }
  }

  void evaluate(const double* deviations, const double* sums, std::size_t tables, double* out) const {
    std::array<double, kMostTablesInABlock> linear{};
    std::fill_n(out, tables, 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      add_forms(deviations + i * tables, sums, tables, parts_[i], weights_[i], out, linear.data());
    }
    for (std::size_t t = 0; t < tables; ++t) {
      const double divisor = n_public_ ? n_ : n_ + sums[t];
      out[t] = divisor > 0 ? (out[t] + bend_ * linear[t] * linear[t] + rest_ * sums[t] * sums[t]) / divisor : kNever;
    }
  }

 private:
  bool n_public_;
  double n_, bend_ = 0, rest_ = 0;
  std::vector<double> weights_, parts_;
};

}  // namespace

std::vector<double> simulate_gof_null(const GofDesign& design, GofStatistic statistic, const NoiseSource& noise, bool n_public,
                                      const Simulation& simulation) {
  const std::size_t tables = tables_in_a_block(design.cells());
  const Form form(design, statistic, n_public);
  const NoisyTables drawn(design.n(), design.null(), noise);
  return simulate(simulation, tables, [&]() -> BlockOfTables {
    return [&, deviations = std::vector<double>(design.cells() * tables)](numeric::InsecureStream& stream, std::span<double> out) mutable {
      std::array<double, kMostTablesInABlock> sums;
      drawn.draw(stream, tables, deviations, std::span(sums).first(tables));
      form.evaluate(deviations.data(), sums.data(), tables, out.data());
    };
  });
}

double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values) {
  const double total = block_sum(values);
  if (!(total > 0)) return kNever;
  return block_sum(null.size(), [&](std::size_t i) {
    const double expected = total * null[i];
    const double deviation = values[i] - expected;
    return deviation == 0 ? 0 : deviation * deviation / expected;
  });
}

}  // namespace tacet::inference
