#include "tacet/mechanisms/moment_result.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tacet/mechanisms/covariance.h"

namespace tacet::mechanisms {
namespace {

/// The variances of the noise in the numbers of one group.
class NoiseOf {
 public:
  NoiseOf(const MomentRelease& release, std::size_t group) : release_(release), part_(release.parts[group]) {}
  double people() const { return part_.people.scale > 0 ? square(release_.sum_noise_sd(part_.people.scale)) : 0; }
  double sum(std::size_t j) const { return square(release_.sum_noise_sd(part_.sums[j].scale)); }
  double product(std::size_t j, std::size_t k) const {
    return square(release_.product_noise_sd(part_.products[release_.product(j, k)].scale));
  }

 private:
  static double square(double sd) { return sd * sd; }
  const MomentRelease& release_;
  const GroupMoments& part_;
};

std::vector<double> each(std::size_t d, const std::function<double(std::size_t)>& variance) {
  std::vector<double> sds;
  for (std::size_t j = 0; j < d; ++j) sds.push_back(std::sqrt(variance(j)));
  return sds;
}

std::vector<double> each_pair(std::size_t d, const std::function<double(std::size_t, std::size_t)>& variance) {
  return each(d * d, [&](std::size_t at) { return variance(at / d, at % d); });
}

MomentResult vector_result(const MomentRelease& release, std::size_t group) {
  const NoiseOf noise(release, group);
  const GroupMoments& part = release.parts[group];
  if (release.kind == MomentKind::Sum) {
    return {release.sum(group), each(release.dimension(), [&](std::size_t j) {
              return noise.sum(j) + release.columns[j].centre * release.columns[j].centre * noise.people();
            })};
  }
  const double people = std::max(1.0, part.people.value);
  return {release.mean(group), each(release.dimension(), [&](std::size_t j) {
            const double mean = part.sums[j].value / people;
            return (noise.sum(j) + mean * mean * noise.people()) / (people * people);
          })};
}

std::vector<double> matrix_noise(const MomentRelease& release, std::size_t group) {
  const NoiseOf noise(release, group);
  const double people = std::max(1.0, release.parts[group].people.value);
  const Matrix moments = release.second_moment(group);
  return each_pair(release.dimension(), [&](std::size_t j, std::size_t k) {
    double of_means = 0;
    double by_people = -moments.at(j, k);
    if (release.kind == MomentKind::Covariance) {
      const double first = release.parts[group].sums[j].value / people;
      const double second = release.parts[group].sums[k].value / people;
      of_means = j == k ? 4 * first * first * noise.sum(j) : second * second * noise.sum(j) + first * first * noise.sum(k);
      by_people += 2 * first * second;
    }
    return (noise.product(j, k) + of_means + by_people * by_people * noise.people()) / (people * people);
  });
}

}  // namespace

std::optional<std::string> why_no_answer(const MomentRelease& release, std::size_t group) {
  if (release.kind == MomentKind::Sum) return std::nullopt;
  const NoisyNumber& people = release.parts[group].people;
  if (people.scale == 0) {
    if (people.value >= 1) return std::nullopt;
    return release.groups ? "nobody is in this group" : "nobody is in the file";
  }
  const double sd = release.sum_noise_sd(people.scale);
  if (people.value >= 1 && people.value > kCountOverNoise * sd) return std::nullopt;
  const std::string_view counted = name(release.header.counted());
  if (people.value < 1) return fmt::format("its noisy number of {} is {:.4g}, so there may be nobody", counted, people.value);
  return fmt::format("its noisy number of {}, {:.4g}, is within {:g} times its noise (sd {:.3g}) of 0, so there may be nobody", counted,
                     people.value, kCountOverNoise, sd);
}

MomentResult moment_result(const MomentRelease& release, std::size_t group) {
  if (!release.has_matrix()) return vector_result(release, group);
  const bool covariance = release.kind == MomentKind::Covariance;
  MomentResult result;
  result.values = covariance ? covariance_of(release, group)->matrix.values : release.second_moment(group).values;
  if (release.mechanism != MomentMechanism::Eigen) result.noise_sd = matrix_noise(release, group);
  return result;
}

}  // namespace tacet::mechanisms
