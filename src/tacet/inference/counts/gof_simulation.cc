#include "tacet/inference/counts/gof_simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

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

/// All statistics are (sum of w_i c_i^2 + bend (sum of w_i c_i)^2 + rest S^2) / divisor, with c =
/// v - part_i S, v the deviations and S their sum.
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
      const double variance = classical ? probability : probability + t;
      weights_.push_back(variance > 0 ? 1 / variance : 0);
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

/// The total that denoising may use, of a table with this sum: noise that keeps the total shows it.
std::optional<double> known_total(const GofSetting& setting, double sum) {
  if (setting.n_public) return setting.design.n();
  return setting.noise.distribution.structure == NoiseStructure::SumZero ? std::optional(sum) : std::nullopt;
}

/// The statistic of a denoised table.
double denoised_statistic(const GofSetting& setting, std::span<const double> values) {
  if (setting.n_public) return gof_statistic(setting.design, GofStatistic::Classical, values);
  return gof_statistic_unknown_n(setting.design.null(), values) * (setting.times_total ? block_sum(values) : 1);
}

std::vector<double> simulate_denoised(const GofSetting& setting, const NoisyTables& drawn, std::size_t tables, const Simulation& simulation,
                                      std::optional<double> observed) {
  const std::size_t cells = setting.design.cells();
  const std::optional<double> total = known_total(setting, setting.design.n());
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    return [&, deviations = std::vector<double>(cells * tables), table = std::vector<double>(cells)](numeric::InsecureStream& stream,
                                                                                                     std::span<double> out) mutable {
      std::array<double, kMostTablesInABlock> sums;
      drawn.draw(stream, tables, deviations, std::span(sums).first(tables));
      for (std::size_t t = 0; t < tables; ++t) {
        for (std::size_t i = 0; i < cells; ++i) table[i] = deviations[i * tables + t] + drawn.expected()[i];
        const auto denoised = denoised_values(table, setting.noise.distribution, total, setting.denoise);
        out[t] = denoised ? denoised_statistic(setting, *denoised) : kNever;
      }
    };
  });
}

}  // namespace

bool denoises(const DenoiseOptions& options) { return options.shrink != Shrinkage::None || options.project != Projection::None; }

std::vector<double> simulate_gof(const GofSetting& setting, std::span<const double> truth, const Simulation& simulation,
                                 std::optional<double> observed) {
  const GofDesign& design = setting.design;
  const std::size_t tables = tables_in_a_block(design.cells());
  const NoisyTables drawn(design.n(), {truth.begin(), truth.end()}, setting.noise, design.null());
  if (denoises(setting.denoise)) return simulate_denoised(setting, drawn, tables, simulation, observed);
  const Form form(design, setting.statistic, setting.n_public);
  return simulate(simulation, observed, tables, [&]() -> BlockOfTables {
    return [&, deviations = std::vector<double>(design.cells() * tables)](numeric::InsecureStream& stream, std::span<double> out) mutable {
      std::array<double, kMostTablesInABlock> sums;
      drawn.draw(stream, tables, deviations, std::span(sums).first(tables));
      form.evaluate(deviations.data(), sums.data(), tables, out.data());
    };
  });
}

Result<double> gof_statistic_of(const GofSetting& setting, std::span<const double> values) {
  if (setting.denoise.done) return denoised_statistic(setting, values);
  if (denoises(setting.denoise)) {
    TACET_TRY(const std::vector<double> denoised,
              denoised_values(values, setting.noise.distribution, known_total(setting, block_sum(values)), setting.denoise));
    return denoised_statistic(setting, denoised);
  }
  return setting.n_public ? gof_statistic(setting.design, setting.statistic, values)
                          : gof_statistic_unknown_n(setting.design.null(), values);
}

double gof_statistic_unknown_n(std::span<const double> null, std::span<const double> values) {
  const double total = block_sum(values);
  if (!(total > 0)) return kNever;
  return block_sum(null.size(), [&](std::size_t i) {
    const double expected = total * null[i];
    const double deviation = values[i] - expected;
    return expected > 0 ? deviation * deviation / expected : 0;
  });
}

SimulatedPower simulated_power(std::vector<double> null, std::span<const double> other, double alpha) {
  std::sort(null.begin(), null.end());
  const auto draws = static_cast<double>(null.size());
  const auto quantile = [&](double level) {
    const double rank = std::ceil((draws + 1) * (1 - level) - 1e-9 * (draws + 1) * level);
    return null[static_cast<std::size_t>(std::clamp(rank, 1.0, draws)) - 1];
  };
  const auto others = static_cast<double>(other.size());
  const auto beyond = [&](double t) {
    return static_cast<double>(std::count_if(other.begin(), other.end(), [t](double s) { return s > t; })) / others;
  };
  const double critical = quantile(alpha);
  const double power = beyond(critical);
  // The sampling error of the critical value changes the power by the ratio of the densities
  // there.
  const double ratio = (beyond(quantile(1.5 * alpha)) - beyond(quantile(0.5 * alpha))) / alpha;
  return {power, std::sqrt(power * (1 - power) / others + ratio * ratio * alpha * (1 - alpha) / draws), critical};
}

}  // namespace tacet::inference
