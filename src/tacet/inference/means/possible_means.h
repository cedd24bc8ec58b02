// tacet/inference/means/possible_means.h: means that one group may have, given its release.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_smoking.json");
//   PossibleMeans never(release, /*group=*/0);
//   std::vector<double> file(never.dimension()), population(never.dimension());
//   never.draw(stream, file, population);   // each a possible mean less the estimated one
//
// A draw subtracts new noise of the release's own distribution from the released numbers. What is
// left are a number of people, means and variances that the file may have. For the population, the
// variance of column j is multiplied by n over a chi-square variable with n - 1 degrees of
// freedom, and a normal error with this variance over n is added to the mean. Without noise, the
// difference of two such means has the distribution of Behrens and Fisher.
// Sampling errors of different columns are drawn as independent: then the largest of several is
// never too small (docs/explanation/differences.md).
// Theorem  generalised pivots: Weerahandi (1993). Their level is not proven in general; it was
//          measured (`study run coverage_of_differences`). Independent columns: Sidak (1967).
// Domain   1 to 64 columns; at least 1 person for the file, 2 for the population.
// Error    that of the draws.
// Cost     a draw about 100 ns for each column.
// Checked  tests/inference/mean_differences_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacet/inference/means/unit_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// Why the release says nothing about the population of its groups: it has no second moments, or
/// they are by "ed", whose error is not known.
std::optional<std::string> why_no_population(const mechanisms::MomentRelease& release);

/// The mean of max(0, x) for a normal x: the variance that noise leaves possible, on average.
double mean_of_positive_part(double mean, double sd);

class PossibleMeans {
 public:
  /// mechanisms::why_no_answer must say nothing about the group.
  PossibleMeans(const mechanisms::MomentRelease& release, std::size_t group);

  std::size_t dimension() const { return columns_.size(); }
  double people() const { return people_.value; }
  double estimate(std::size_t column) const { return columns_[column].estimate; }
  /// Of the error of the estimate, to first order: from noise, and from noise and sampling.
  double file_variance(std::size_t column) const { return columns_[column].noise; }
  double population_variance(std::size_t column) const { return columns_[column].noise + columns_[column].row / people_.value; }
  /// The variance of the estimate of population_variance(), for degrees of freedom.
  double variance_of_variance(std::size_t column) const { return columns_[column].row_error / (people_.value * people_.value); }

  /// `population` may be empty. Not const: it has buffers, so every thread needs its own.
  void draw(numeric::InsecureStream& stream, std::span<double> file, std::span<double> population);

 private:
  struct Column {
    mechanisms::NoisyNumber sum, square;
    double estimate, noise, most;   // most: a quarter of the squared range
    double row = 0, row_error = 0;  // the variance of a row, and the variance of its estimate
    double below = 0;               // by how much noise made the variance of a row negative
  };
  mechanisms::MomentMechanism mechanism_;
  std::size_t shared_;  // values of one draw of K-norm noise
  mechanisms::NoisyNumber people_;
  double freedom_;  // n - 1
  std::vector<Column> columns_;
  std::vector<double> unit_;
};

}  // namespace tacet::inference
