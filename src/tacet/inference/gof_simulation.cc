#include "tacet/inference/gof_simulation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "tacet/inference/block_sum.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseStructure;
using numeric::branchless_round;
using numeric::InsecureStream;

constexpr std::size_t kMostTables = 256;
constexpr std::size_t kLeastTables = 8;
/// Doubles of a block of tables: small enough to stay near the processor.
constexpr std::size_t kBlockCells = std::size_t{1} << 14;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// deviations += scale * noise - expected, noise rounded to the grid; sums += that.
TACET_VECTORISED void add_noise(double* deviations, const double* noise, std::size_t tables, double scale, double expected, double* sums) {
  for (std::size_t t = 0; t < tables; ++t) {
    deviations[t] = (deviations[t] - expected) + scale * noise[t];
    sums[t] += deviations[t];
  }
}

TACET_VECTORISED void add_rounded_noise(double* deviations, const double* noise, std::size_t tables, double steps, double grid,
                                        double expected, double* sums) {
  for (std::size_t t = 0; t < tables; ++t) {
    deviations[t] = (deviations[t] - expected) + grid * branchless_round(steps * noise[t]);
    sums[t] += deviations[t];
  }
}

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
      // Noise that keeps the total is what is left of independent noise without its mean, and so are the centred deviations.
      parts_.push_back(!n_public && !keeps_total ? probability : classical && !keeps_total ? 0 : 1 / d);
    }
    if (!classical) {
      bend_ = t / block_sum(p.size(), [&](std::size_t i) { return p[i] / (p[i] + t); });
      if (statistic == GofStatistic::Nonprojected && !keeps_total) rest_ = 1 / (d * t);
    }
  }

  void evaluate(const double* deviations, const double* sums, std::size_t tables, double* out) const {
    std::array<double, kMostTables> linear{};
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

class Simulator {
 public:
  Simulator(const GofDesign& design, const NoiseSource& noise, const Form& form, std::uint64_t seed, std::size_t tables)
      : design_(design), noise_(noise), form_(form), seed_(seed), tables_(tables), deviations_(design.cells() * tables) {}

  void block(std::size_t index, double* out) {
    InsecureStream stream(seed_, index);
    numeric::draw_multinomials(stream, design_.n(), design_.null(), tables_, deviations_);
    std::array<double, kMostTables> noise;
    std::array<double, kMostTables> sums{};
    const double scale = noise_.law.scale;
    for (std::size_t i = 0; i < design_.cells(); ++i) {
      if (noise_.law.family == NoiseFamily::Laplace) {
        stream.fill_laplace({noise.data(), tables_});
      } else {
        stream.fill_normal({noise.data(), tables_});
      }
      double* cell = deviations_.data() + i * tables_;
      const double expected = design_.n() * design_.null()[i];
      if (noise_.grid) {
        add_rounded_noise(cell, noise.data(), tables_, scale / *noise_.grid, *noise_.grid, expected, sums.data());
      } else {
        add_noise(cell, noise.data(), tables_, scale, expected, sums.data());
      }
    }
    form_.evaluate(deviations_.data(), sums.data(), tables_, out);
  }

 private:
  const GofDesign& design_;
  const NoiseSource& noise_;
  const Form& form_;
  std::uint64_t seed_;
  std::size_t tables_;
  std::vector<double> deviations_;
};

}  // namespace

std::vector<double> simulate_gof_null(const GofDesign& design, GofStatistic statistic, const NoiseSource& noise,
                                      const GofSimulation& simulation) {
  const std::size_t tables = std::clamp(kBlockCells / design.cells() / kLeastTables * kLeastTables, kLeastTables, kMostTables);
  const std::size_t blocks = (simulation.draws + tables - 1) / tables;
  const Form form(design, statistic, simulation.n_public);
  std::vector<double> statistics(blocks * tables);
  std::atomic<std::size_t> next{0};
  const auto work = [&](bool tells) {
    Simulator simulator(design, noise, form, simulation.seed, tables);
    for (std::size_t block = next++; block < blocks; block = next++) {
      simulator.block(block, statistics.data() + block * tables);
      if (tells && simulation.progress) simulation.progress(static_cast<double>(block + 1) / static_cast<double>(blocks));
    }
  };
  const unsigned wanted = simulation.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : simulation.threads;
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < wanted && i < blocks; ++i) others.emplace_back(work, false);
  work(true);
  others.clear();  // joins
  statistics.resize(simulation.draws);
  return statistics;
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
