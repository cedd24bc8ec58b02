// region_coverage: how often confidence regions and intervals for the mean of a population hold it,
// when the covariance is private too.
//
//   region_coverage                 the whole grid, five minutes on two cores: CSV on the output, a
//                                   summary on the error output
//   region_coverage --quick         a quarter of the trials
//
// One to ten columns with bounds 4 deviations from their middle, 100 to 10,000 people; rows
// independent, equicorrelated (0.9 and 0.999), with one direction of a hundred times the variance
// of the others (and three times: detected or not), lognormal of skewness 1.75, cut off at their
// bounds, and uniform on their bounds with normal scores of correlation 0.9. Noise of about the
// size that `release covariance --mu` gives: 3 parts of mu^2 for the sums and 6 for the products.
// Exits with 1 where coverage is below 0.95 by three standard errors, and again so with new seeds
// and four times the trials.
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/means/mean_region.h"
#include "tacet/numeric/insecure_gamma.h"
#include "tacet/numeric/normal.h"

namespace {

using namespace tacet;
using namespace tacet::inference;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kConfidence = 0.95;
constexpr double kHalfWidth = 4;
constexpr double kMean = 0.3;
constexpr double kLogShape = 0.5;  // of the lognormal rows

enum class RowLaw : std::uint8_t { Independent, Equicorrelated, NearlyEqual, Spiked, SpikedMore, Skewed, Filling };
constexpr std::array<std::pair<RowLaw, const char*>, 7> kLaws = {{{RowLaw::Independent, "independent"},
                                                                  {RowLaw::Equicorrelated, "equicorrelated 0.9"},
                                                                  {RowLaw::NearlyEqual, "equicorrelated 0.999"},
                                                                  {RowLaw::Spiked, "spiked 1"},
                                                                  {RowLaw::SpikedMore, "spiked 3"},
                                                                  {RowLaw::Skewed, "skewed"},
                                                                  {RowLaw::Filling, "uniform on their bounds, correlated"}}};

struct Setting {
  int columns;
  double people, mu;
  RowLaw law;
  std::string name, family;
  double region = 0, simultaneous = 0, marginal = 0, trials = 0;

  double error() const { return std::sqrt(kConfidence * (1 - kConfidence) / trials); }
  bool too_low() const { return std::min({region, simultaneous, marginal}) < kConfidence - 3 * error(); }
};

MatrixXd covariance_of(const Setting& setting) {
  const auto d = setting.columns;
  const MatrixXd one = MatrixXd::Identity(d, d);
  MatrixXd out = one;
  if (setting.law == RowLaw::Equicorrelated) out = 0.1 * one + 0.9 * MatrixXd::Ones(d, d);
  if (setting.law == RowLaw::NearlyEqual) out = 0.001 * one + 0.999 * MatrixXd::Ones(d, d);
  if (setting.law == RowLaw::Spiked || setting.law == RowLaw::SpikedMore) out = 0.01 * one;
  if (setting.law == RowLaw::Spiked) out(0, 0) = 1;
  if (setting.law == RowLaw::SpikedMore) out(0, 0) = 3;
  return out;
}

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
    if (setting.law == RowLaw::Filling) {
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
  draw_unit_noise(gaussian ? UnitNoise::Gaussian : UnitNoise::Laplace, 0, stream, noise);
  mechanisms::GroupMoments part{{setting.people, 0}, {}, {}};
  std::size_t at = d;
  for (std::size_t j = 0; j < d; ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    release.columns.push_back({fmt::format("x{}", j), -kHalfWidth, kHalfWidth, 0.001, 0});
    part.sums.push_back({setting.people * sample.mean[row] + sums * noise[j], sums});
    for (std::size_t k = j; k < d; ++k)
      part.products.push_back({setting.people * sample.second(row, static_cast<Eigen::Index>(k)) + products * noise[at++], products});
  }
  release.parts = {std::move(part)};
  return release;
}

void measure(Setting& setting, double trials, std::uint64_t seed) {
  const MatrixXd root = covariance_of(setting).llt().matrixL();
  const bool row_by_row = setting.law == RowLaw::Skewed || setting.law == RowLaw::Filling;
  const double truth = setting.law == RowLaw::Skewed ? skewed_mean() : setting.law == RowLaw::Filling ? 0 : kMean;
  numeric::InsecureStream stream(seed, 1);
  setting.region = setting.simultaneous = setting.marginal = 0;
  setting.trials = trials;
  for (int trial = 0; trial < static_cast<int>(trials); ++trial) {
    const Sample sample = row_by_row ? sample_row_by_row(stream, setting) : normal_sample(stream, setting, root);
    const auto region = mean_region(
        *noisy_mean(released(stream, setting, sample), 0),
        {.confidence = kConfidence,
         .distribution = {.target = MeanTarget::Population, .draws = 199, .simulation = {.seed = stream.word(), .threads = 1}}});
    const auto d = static_cast<Eigen::Index>(region->center.size());
    const VectorXd error = Eigen::Map<const VectorXd>(region->center.data(), d).array() - truth;
    const Eigen::Map<const MatrixXd> shape(region->shape.values.data(), d, d);
    setting.region += error.dot(shape.llt().solve(error)) <= region->radius * region->radius ? 1 / trials : 0;
    bool all = true;
    for (std::size_t j = 0; j < region->center.size(); ++j)
      all = all && region->simultaneous.lower[j] <= truth && truth <= region->simultaneous.upper[j];
    setting.simultaneous += all ? 1 / trials : 0;
    setting.marginal += region->marginal.lower[0] <= truth && truth <= region->marginal.upper[0] ? 1 / trials : 0;
  }
}

std::vector<Setting> grid() {
  std::vector<Setting> out;
  for (const int columns : {1, 2, 5, 10}) {
    for (const double people : {100.0, 1000.0, 10'000.0}) {
      for (const double mu : {0.5, 2.0}) {
        for (const auto& [law, name] : kLaws) {
          const bool row_by_row = law == RowLaw::Skewed || law == RowLaw::Filling;
          if (columns == 1 && law != RowLaw::Independent && !row_by_row) continue;
          if (row_by_row && people > 1000) continue;
          for (const char* family : {"gaussian", "laplace"}) out.push_back({columns, people, mu, law, name, family});
        }
      }
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const double trials = quick ? 250 : 1000;
  std::vector<Setting> settings = grid();
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < settings.size(); i = next++) {
      measure(settings[i], trials, 2 * i + 1);
      if (settings[i].too_low()) measure(settings[i], 4 * trials, 2 * i + 2);
      std::fprintf(stderr, "\r%zu of %zu settings", i + 1, settings.size());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < std::max(1U, std::thread::hardware_concurrency()); ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::puts("columns,people,mu,rows,noise,region,simultaneous,marginal,trials");
  double least = 1;
  double most = 0;
  int low = 0;
  int high = 0;
  for (const Setting& s : settings) {
    fmt::print("{},{},{},{},{},{:.4f},{:.4f},{:.4f},{}\n", s.columns, s.people, s.mu, s.name, s.family, s.region, s.simultaneous,
               s.marginal, s.trials);
    least = std::min({least, s.region, s.simultaneous, s.marginal});
    most = std::max({most, s.region, s.simultaneous, s.marginal});
    low += s.too_low() ? 1 : 0;
    high += std::max({s.region, s.simultaneous, s.marginal}) > kConfidence + 3 * s.error() ? 1 : 0;
  }
  fmt::print(stderr, "\n{} settings, coverage {:.3f} to {:.3f} at confidence {}: {} too low, {} above by three standard errors\n",
             settings.size(), least, most, kConfidence, low, high);
  return low > 0 ? 1 : 0;
}
