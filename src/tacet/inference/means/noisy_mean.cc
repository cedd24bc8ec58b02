#include "tacet/inference/means/noisy_mean.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/listed_matrix.h"
#include "tacet/mechanisms/covariance.h"

namespace tacet::inference {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using mechanisms::GroupMoments;
using mechanisms::MomentRelease;

// The least hidden eigenvalue, in standard deviations of a product: a covariance must be positive
// definite, and noise never shows that a direction has no variance.
constexpr double kLeastOfNoise = 0.1;

std::optional<std::string> why_no_mean(double people, std::optional<double> people_sd, mechanisms::Counted counted) {
  if (!people_sd) return people < 1 ? std::optional<std::string>("nobody is in this group, so it has no mean") : std::nullopt;
  const double least = std::max(1.0, kLeastCountOverNoise * *people_sd);
  if (people >= least) return std::nullopt;
  return fmt::format("the noisy number of {} is {:.4g}, which must be at least {:.4g}, {:g} times its noise, for a mean to follow from it",
                     name(counted), people, least, kLeastCountOverNoise);
}

}  // namespace

std::string combination_name(const std::vector<std::string>& columns, const std::vector<double>& direction) {
  std::string out;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (direction[j] == 0) continue;
    const double size = std::abs(direction[j]);
    out += out.empty() ? (direction[j] < 0 ? "-" : "") : (direction[j] < 0 ? " - " : " + ");
    out += size == 1 ? columns[j] : fmt::format("{:g} {}", size, columns[j]);
  }
  return out.empty() ? "0" : out;
}

std::vector<double> noise_covariance(const NoisyMean& mean) {
  const Eigen::Map<const Matrix> mix(mean.mix.data(), static_cast<Index>(mean.dimension()), static_cast<Index>(mean.units));
  return listed(unit_variance(mean.family, mean.draw_size) * mix * mix.transpose());
}

NoisyMean noisy_mean_alone(const MomentRelease& release) {
  const GroupMoments& part = release.parts.front();
  const std::size_t d = release.dimension();
  NoisyMean mean{};
  mean.family = noise_of_sums(release);
  const bool counted = part.people.scale > 0;
  mean.draw_size = release.draw_size();
  mean.units = d + (counted ? 1 : 0);
  mean.people = std::max(1.0, part.people.value);
  mean.counted = release.header.counted();
  if (counted) mean.people_sd = part.people.scale * std::sqrt(unit_variance(mean.family, mean.draw_size));
  mean.estimate = release.mean(0);
  mean.mix.assign(d * mean.units, 0);
  for (std::size_t j = 0; j < d; ++j) {
    mean.names.push_back(release.columns[j].name);
    mean.reaches.push_back(release.columns[j].upper - release.columns[j].lower);
    mean.mix[j * mean.units + j] = part.sums[j].scale / mean.people;
    if (counted) mean.mix[j * mean.units + d] = -(mean.estimate[j] - release.columns[j].centre) * part.people.scale / mean.people;
  }
  mean.no_answer = why_no_mean(part.people.value, mean.people_sd, mean.counted);
  return mean;
}

Result<NoisyMean> noisy_mean(const MomentRelease& release, std::size_t group) {
  if (group >= release.parts.size()) return Error::of(Code::Internal, "a release has no group of this number");
  MomentRelease one = release;
  one.parts = {release.parts[group]};
  NoisyMean mean = noisy_mean_alone(one);
  if (!one.parts.front().products.empty()) mean.second_moments = std::move(one);
  return mean;
}

Result<NoisyMean> noisy_mean(const mechanisms::QueryRelease& release, std::size_t group) {
  if (group >= release.parts.size()) return Error::of(Code::Internal, "a release has no group of this number");
  const mechanisms::QueryPart& part = release.parts[group];
  NoisyMean mean{};
  const bool along = release.is_direction();
  const std::optional<mechanisms::QueryBy> by = release.by();
  const auto d = static_cast<Index>(release.columns.size());
  mean.names = along ? std::vector<std::string>{combination_name(release.columns, release.map.values)} : release.columns;
  mean.estimate = release.mean(group);
  mean.people = part.n;
  mean.counted = release.header.counted();
  if (!part.n_is_public && !part.people_scale) {
    mean.no_answer =
        fmt::format("the number of {} is private: the sums are divided by a planned number, and its error is unknown", name(mean.counted));
  }
  if (part.n < 1) mean.no_answer = "nobody is in the release, so it has no mean";
  const double people_sd = part.people_scale.value_or(0);
  mean.people_sd = part.people_scale;
  if (part.people_scale) mean.no_answer = why_no_mean(part.n, part.people_scale, mean.counted);
  mean.family = UnitNoise::Gaussian;
  mean.draw_size = release.map.rows;
  mean.units = release.map.rows + (people_sd > 0 ? 1 : 0);
  const double sd = release.scale / part.n;
  // The last unit is the noise of the count, if there is one: the mean is a ratio.
  const auto by_count = [&](double offset) { return -offset * people_sd / part.n; };
  if (along) {
    mean.mix = {sd};
    if (people_sd > 0) mean.mix.push_back(by_count(part.sums[0] / part.n));
    mean.direction = release.map.values;
    if (by == mechanisms::QueryBy::Test) {
      // The combination itself is clipped, about that of the centre; its variance is 1.
      mean.clipping =
          RowClipping{release.radius, {1}, {std::inner_product(mean.direction.begin(), mean.direction.end(), release.centre.begin(), 0.0)}};
      mean.row_covariance = std::vector<double>{1};
    }
    return mean;
  }
  const Matrix map = Eigen::Map<const Matrix>(release.map.values.data(), d, d);
  const Matrix inverse = map.inverse();
  if (!inverse.allFinite()) return Error::invalid("map", "singular", "must have an inverse", "give a file written by `release query`");
  Matrix mix = inverse * sd;
  mix.conservativeResize(d, static_cast<Index>(mean.units));
  for (Index j = 0; people_sd > 0 && j < d; ++j)
    mix(j, d) = by_count(mean.estimate[static_cast<std::size_t>(j)] - release.centre[static_cast<std::size_t>(j)]);
  mean.mix = listed(mix);
  if (release.clipped && by != mechanisms::QueryBy::Direction) mean.clipping = RowClipping{release.radius, listed(map), release.centre};
  if (by == mechanisms::QueryBy::Covariance || by == mechanisms::QueryBy::Test) mean.row_covariance = listed(inverse * inverse.transpose());
  return mean;
}

std::vector<double> private_row_covariance(const MomentRelease& release, const NoisyMean& mean) {
  const GroupMoments& part = release.parts.front();
  const std::size_t d = release.dimension();
  const auto size = static_cast<Index>(d);
  const std::vector<double> second = release.second_moment(0).values;
  const std::vector<double> of_noise = noise_covariance(mean);
  Matrix matrix = square_view(second, d) + square_view(of_noise, d);
  VectorXd offset(size);
  VectorXd unit(size);  // units in which the noise of every squared column is 1
  for (std::size_t j = 0; j < d; ++j) {
    offset[static_cast<Index>(j)] = mean.estimate[j] - release.columns[j].centre;
    unit[static_cast<Index>(j)] = std::sqrt(release.product_noise_sd(part.products[release.product(j, j)].scale) / mean.people);
  }
  matrix -= offset * offset.transpose();
  if (mean.people > 1) matrix *= mean.people / (mean.people - 1);
  double noise = 0;  // of a product, in these units
  double most = 0;   // the sum of a quarter of the squared ranges, which no eigenvalue exceeds
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      const double of_product = release.product_noise_sd(part.products[release.product(j, k)].scale) / mean.people;
      noise = std::max(noise, of_product / (unit[static_cast<Index>(j)] * unit[static_cast<Index>(k)]));
    }
    most += std::pow(mean.reaches[j] / unit[static_cast<Index>(j)], 2) / 4;
  }
  const VectorXd inverse = unit.cwiseInverse();
  const Matrix scaled = inverse.asDiagonal() * (matrix + matrix.transpose()) / 2 * inverse.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(scaled);
  const double of_trace = std::sqrt(static_cast<double>(d));
  std::vector<double> values = mechanisms::project_with_floor({solver.eigenvalues().begin(), solver.eigenvalues().end()}, 0,
                                                              std::max(solver.eigenvalues().sum(), of_trace));
  const double edge = 2 * std::sqrt(static_cast<double>(d)) * noise;
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    sum += value <= edge ? value : 0;
    count += value <= edge ? 1 : 0;
  }
  for (double& value : values) value = std::min(value <= edge ? std::max({value, sum / count, kLeastOfNoise * noise}) : value, most);
  const Matrix half = unit.asDiagonal() * solver.eigenvectors() * vector_view(values).cwiseSqrt().asDiagonal();
  return listed(half * half.transpose());
}

}  // namespace tacet::inference
