#include "tacet/inference/counts/noisy_tables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tacet/inference/monte_carlo.h"
#include "tacet/inference/noise_of_cells.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseStructure;
using numeric::branchless_round;

/// A grid that is finer than the noise by this factor changes no digit of a double.
constexpr double kFineGrid = 0x1p40;

/// deviations += scale * noise - expected; sums += the same.
TACET_VECTORISED void add_noise(double* deviations, const double* noise, std::size_t tables, double scale, double expected, double* sums) {
  for (std::size_t t = 0; t < tables; ++t) {
    deviations[t] = (deviations[t] - expected) + scale * noise[t];
    sums[t] += deviations[t];
  }
}

/// The same with the noise rounded to the grid.
TACET_VECTORISED void add_rounded_noise(double* deviations, const double* noise, std::size_t tables, double steps, double grid,
                                        double expected, double* sums) {
  for (std::size_t t = 0; t < tables; ++t) {
    deviations[t] = (deviations[t] - expected) + grid * branchless_round(steps * noise[t]);
    sums[t] += deviations[t];
  }
}

TACET_VECTORISED void subtract_part(double* deviations, const double* sums, std::size_t tables, double part) {
  for (std::size_t t = 0; t < tables; ++t) deviations[t] -= part * sums[t];
}

}  // namespace

NoiseSource noise_source(const mechanisms::CountRelease& release) {
  NoiseSource source{release.noise, release.grid};
  if (source.grid && !(*source.grid * kFineGrid > release.noise.scale)) source.grid.reset();
  return source;
}

Status check_simulated(std::size_t cells, double n) {
  if (cells > kMostSimulatedCells) {
    return Error::of(Code::Unsupported, fmt::format("simulated tables have at most {} cells, and there are {}", kMostSimulatedCells, cells),
                     "use statistic = projected method = asymptotic");
  }
  if (!(n >= 1 && n <= numeric::kMostDrawn)) {
    return Error::invalid("n", fmt::format("{:.6g}", n), "must be at least 1 and at most 2^50 for simulated tables",
                          "use method = asymptotic");
  }
  return {};
}

NoisyTables::NoisyTables(double n, const std::vector<double>& probabilities, const NoiseSource& noise)
    : NoisyTables(n, probabilities, noise, probabilities) {}

NoisyTables::NoisyTables(double n, std::vector<double> probabilities, const NoiseSource& noise, std::vector<double> null)
    : n_(n),
      probabilities_(std::move(probabilities)),
      expected_(std::move(null)),
      noise_(noise),
      discrete_(discrete_noise(noise.distribution)) {
  for (double& expected : expected_) expected *= n;
}

void NoisyTables::draw(numeric::InsecureStream& stream, std::size_t tables, std::span<double> deviations, std::span<double> sums) const {
  numeric::draw_multinomials(stream, n_, probabilities_, tables, deviations);
  std::array<double, kMostTablesInABlock> noise;
  std::fill(sums.begin(), sums.end(), 0.0);
  const double scale = discrete_ ? 1 : noise_.distribution.scale;
  for (std::size_t i = 0; i < cells(); ++i) {
    if (discrete_) {
      discrete_->fill(stream, {noise.data(), tables});
    } else if (noise_.distribution.family == NoiseFamily::Laplace) {
      stream.fill_laplace({noise.data(), tables});
    } else {
      stream.fill_normal({noise.data(), tables});
    }
    double* cell = deviations.data() + i * tables;
    if (noise_.grid) {
      add_rounded_noise(cell, noise.data(), tables, scale / *noise_.grid, *noise_.grid, expected_[i], sums.data());
    } else {
      add_noise(cell, noise.data(), tables, scale, expected_[i], sums.data());
    }
  }
  if (noise_.distribution.structure != NoiseStructure::SumZero) return;
  // The counts sum to n, so the sum of the deviations is that of the noise. Noise without its mean
  // keeps the total.
  const double part = 1 / static_cast<double>(cells());
  for (std::size_t i = 0; i < cells(); ++i) subtract_part(deviations.data() + i * tables, sums.data(), tables, part);
  std::fill(sums.begin(), sums.end(), 0.0);
}

}  // namespace tacet::inference
