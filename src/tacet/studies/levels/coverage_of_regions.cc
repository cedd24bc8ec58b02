#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/means/mean_region.h"
#include "tacet/numeric/insecure_gamma.h"
#include "tacet/numeric/normal.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::coverage_of_regions {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kConfidence = 0.95;
constexpr std::size_t kDraws = 199;
constexpr double kHalfWidth = 4;
constexpr double kMean = 0.3;
constexpr double kLogShape = 0.5;  // of the lognormal rows

enum class RegionRows : std::uint8_t { Independent, Equicorrelated, NearlyEqual, Spiked, SpikedMore, Skewed, Filling };
/// In the order of RegionRows.
constexpr std::array<std::pair<RegionRows, const char*>, 7> kLaws = {{{RegionRows::Independent, "independent"},
                                                                      {RegionRows::Equicorrelated, "equicorrelated 0.9"},
                                                                      {RegionRows::NearlyEqual, "equicorrelated 0.999"},
                                                                      {RegionRows::Spiked, "spiked 1"},
                                                                      {RegionRows::SpikedMore, "spiked 3"},
                                                                      {RegionRows::Skewed, "skewed"},
                                                                      {RegionRows::Filling, "uniform on their bounds, correlated"}}};

struct Setting {
  int columns;
  double people, mu;
  RegionRows law;
  std::string family;
  double claimed = 1;  // the share of the noise that the release admits
};

MatrixXd covariance_of(const Setting& setting) {
  const auto d = setting.columns;
  const MatrixXd one = MatrixXd::Identity(d, d);
  MatrixXd out = one;
  if (setting.law == RegionRows::Equicorrelated) out = 0.1 * one + 0.9 * MatrixXd::Ones(d, d);
  if (setting.law == RegionRows::NearlyEqual) out = 0.001 * one + 0.999 * MatrixXd::Ones(d, d);
  if (setting.law == RegionRows::Spiked || setting.law == RegionRows::SpikedMore) out = 0.01 * one;
  if (setting.law == RegionRows::Spiked) out(0, 0) = 1;
  if (setting.law == RegionRows::SpikedMore) out(0, 0) = 3;
  return out;
}

/// Their rows are drawn one by one.
bool is_row_by_row(RegionRows law) { return law == RegionRows::Skewed || law == RegionRows::Filling; }

/// The mean and the second moments of a sample.
struct Sample {
  VectorXd mean;
  MatrixXd second;
};

VectorXd normals(numeric::InsecureStream& stream, int count) {
  VectorXd out(count);
  stream.fill_normal({out.data(), static_cast<std::size_t>(count)});
  return out;
}

/// Normal rows: their mean and, by Bartlett's decomposition, their covariance. Bounds are at least
/// two deviations away, and are not looked at.
Sample normal_sample(numeric::InsecureStream& stream, const Setting& setting, const MatrixXd& root) {
  const int d = setting.columns;
  Sample out;
  out.mean = VectorXd::Constant(d, kMean) + root * normals(stream, d) / std::sqrt(setting.people);
  MatrixXd triangle = MatrixXd::Zero(d, d);
  for (int i = 0; i < d; ++i) {
    triangle.row(i).head(i + 1) = normals(stream, i + 1);
    std::array<double, 1> gamma{};
    numeric::fill_gamma(stream, (setting.people - 1 - i) / 2, gamma);
    triangle(i, i) = std::sqrt(2 * gamma[0]);
  }
  const MatrixXd half = root * triangle;
  out.second = half * half.transpose() / setting.people + out.mean * out.mean.transpose();
  return out;
}

double log_level() { return std::exp(kLogShape * kLogShape / 2); }
double log_deviation() { return log_level() * std::sqrt(std::expm1(kLogShape * kLogShape)); }

/// Standardised lognormal columns, cut off at their bounds; or uniform ones that fill them.
Sample sample_row_by_row(numeric::InsecureStream& stream, const Setting& setting) {
  const int d = setting.columns;
  Sample out{VectorXd::Zero(d), MatrixXd::Zero(d, d)};
  for (int i = 0; i < static_cast<int>(setting.people); ++i) {
    VectorXd x = normals(stream, d);
    if (setting.law == RegionRows::Filling) {
      x = std::sqrt(0.1) * x + VectorXd::Constant(d, std::sqrt(0.9) * normals(stream, 1)[0]);
      for (double& value : x) value = kHalfWidth * (1 - 2 * numeric::normal_upper(value));
    } else {
      for (double& value : x) value = std::min(kHalfWidth, kMean + (std::exp(kLogShape * value) - log_level()) / log_deviation());
    }
    out.mean += x / setting.people;
    out.second += x * x.transpose() / setting.people;
  }
  return out;
}

/// E min(bound, x) of such a column.
double skewed_mean() {
  const double bound = (kHalfWidth - kMean) * log_deviation() + log_level();
  const double cut = std::log(bound) / kLogShape;
  const double capped = log_level() * numeric::normal_upper(kLogShape - cut) + bound * numeric::normal_upper(cut);
  return kMean + (capped - log_level()) / log_deviation();
}

mechanisms::MomentRelease released(numeric::InsecureStream& stream, const Setting& setting, const Sample& sample) {
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = *named<mechanisms::MomentMechanism>("family", setting.family);
  const auto d = static_cast<std::size_t>(setting.columns);
  const bool gaussian = setting.family == "gaussian";
  const double unit = gaussian ? 1 : 1 / std::sqrt(2.0);  // Laplace noise of the same variance
  const double sums = 2 * kHalfWidth * std::sqrt(setting.columns) / (setting.mu * std::sqrt(1.0 / 3)) * unit;
  const double products =
      kHalfWidth * kHalfWidth * std::sqrt(setting.columns * (setting.columns + 1) / 2.0) / (setting.mu * std::sqrt(2.0 / 3)) * unit;
  std::vector<double> noise(d + d * (d + 1) / 2);
  draw_unit_noise(gaussian ? inference::UnitNoise::Gaussian : inference::UnitNoise::Laplace, 0, stream, noise);
  mechanisms::GroupMoments part{{setting.people, 0}, {}, {}};
  std::size_t at = d;
  for (std::size_t j = 0; j < d; ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    release.columns.push_back({fmt::format("x{}", j), -kHalfWidth, kHalfWidth, 0.001, 0});
    part.sums.push_back({setting.people * sample.mean[row] + sums * noise[j], setting.claimed * sums});
    for (std::size_t k = j; k < d; ++k) {
      part.products.push_back(
          {setting.people * sample.second(row, static_cast<Eigen::Index>(k)) + products * noise[at++], setting.claimed * products});
    }
  }
  release.parts = {std::move(part)};
  return release;
}

/// For each law of the rows, in the order of kLaws.
enum Kind : std::uint8_t { Region, Simultaneous, Marginal, KindsOfALaw };

Status count(const Setting& setting, Piece& piece, ErrorTally& tally) {
  const MatrixXd root = covariance_of(setting).llt().matrixL();
  const bool row_by_row = is_row_by_row(setting.law);
  const double truth = setting.law == RegionRows::Skewed ? skewed_mean() : setting.law == RegionRows::Filling ? 0 : kMean;
  const std::size_t first = KindsOfALaw * static_cast<std::size_t>(setting.law);
  for (std::size_t trial = 0; trial < piece.trials; ++trial) {
    const Sample sample = row_by_row ? sample_row_by_row(piece.stream, setting) : normal_sample(piece.stream, setting, root);
    TACET_TRY(const auto mean, inference::noisy_mean(released(piece.stream, setting, sample), 0));
    TACET_TRY(const auto region, mean_region(mean, {.confidence = kConfidence,
                                                    .distribution = {.target = inference::MeanTarget::Population,
                                                                     .draws = kDraws,
                                                                     .simulation = {.seed = piece.stream.word() >> 12, .threads = 1}}}));
    const auto d = static_cast<Eigen::Index>(region.center.size());
    const VectorXd error = Eigen::Map<const VectorXd>(region.center.data(), d).array() - truth;
    const Eigen::Map<const MatrixXd> shape(region.shape.values.data(), d, d);
    tally.add(first + Region, error.dot(shape.llt().solve(error)) > region.radius * region.radius);
    bool all = true;
    for (std::size_t j = 0; j < region.center.size(); ++j)
      all = all && region.simultaneous.lower[j] <= truth && truth <= region.simultaneous.upper[j];
    tally.add(first + Simultaneous, !all);
    tally.add(first + Marginal, region.marginal.lower[0] > truth || truth > region.marginal.upper[0]);
  }
  return {};
}

std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  for (const auto& [law, name] : kLaws) {
    for (const char* claim : {"the region holds the mean", "simultaneous intervals hold all means", "a single interval holds its mean"})
      all.push_back({claim, name, 1 - kConfidence});
  }
  return all;
}

LevelSetting setting_of(const Setting& setting) {
  const bool planted = setting.claimed != 1;
  return {.name = fmt::format("{}, {}, {} columns, {} people, mu {}{}", kLaws[static_cast<std::size_t>(setting.law)].second, setting.family,
                              setting.columns, setting.people, setting.mu, planted ? ", half of the noise" : ""),
          .count = [setting](Piece& piece, ErrorTally& tally) { return count(setting, piece, tally); },
          .planted = planted};
}

LevelGrid grid() {
  LevelGrid grid{.title = "Regions for means: coverage over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 50,
                 .in_a_hurry = 50,
                 .every = 19,
                 .planted = 400};
  for (const int columns : {1, 2, 5, 10}) {
    for (const double people : {100.0, 1000.0, 10'000.0}) {
      for (const double mu : {0.5, 2.0}) {
        for (const auto& [law, name] : kLaws) {
          if (columns == 1 && law != RegionRows::Independent && !is_row_by_row(law)) continue;
          if (is_row_by_row(law) && people > 1000) continue;
          for (const char* family : {"gaussian", "laplace"}) grid.settings.push_back(setting_of({columns, people, mu, law, family}));
        }
      }
    }
  }
  for (const char* family : {"gaussian", "laplace"})
    grid.settings.push_back(setting_of({5, 100, 0.5, RegionRows::Independent, family, /*claimed=*/0.5}));
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "coverage_of_regions",
          .title = "Coverage of regions for means",
          .paper = "Tacet's own promise (docs/explanation/means.md)",
          .shows =
              "How often the region of infer region, its simultaneous intervals and a single one miss the mean of the population at "
              "confidence 0.95 when the covariance is private too: 1 to 10 columns with bounds 4 deviations from their middle, 100 to "
              "10,000 people, mu 0.5 and 2, seven kinds of rows.",
          .version = 1,
          .seconds = 35,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::coverage_of_regions
