// tacet/inference/means/mean_errors.h: draws of the error of an estimated mean, for
// mean_distribution.h; internal to this room.
//
//   DrawnReleases releases(mean, /*row_covariance=*/sigma);
//   const ErrorDraw& drawn = releases.draw(stream);   // an error, and its own estimated covariance
//
// Theorem  Wishart matrices by Bartlett's decomposition (1933).
// Domain   as mean_distribution.h; DrawnReleases: at least as many people as columns and two more.
// Cost     KnownErrors d^2, DrawnReleases d^3 and an eigenproblem, for each draw.
// Checked  through tests/inference/mean_region_test.cc and mean_coverage_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "tacet/inference/listed_matrix.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// One draw: an error and the covariance that goes with it.
struct ErrorDraw {
  Eigen::VectorXd error;
  Matrix covariance;
  Eigen::LLT<Matrix> factor;
};

/// Errors with a known covariance: noise, and sampling unless it is empty. `mean` must outlive it.
class KnownErrors {
 public:
  KnownErrors(const NoisyMean& mean, const std::vector<double>& covariance, const std::vector<double>& sampling);
  const ErrorDraw& draw(numeric::InsecureStream& stream);

 private:
  const NoisyMean& mean_;
  Matrix mix_, root_;
  ErrorDraw shared_;
};

/// Errors of releases that are simulated from the estimates of one: normal rows, and the noise of
/// every released number.
class DrawnReleases {
 public:
  DrawnReleases(const NoisyMean& mean, const std::vector<double>& row_covariance);
  const ErrorDraw& draw(numeric::InsecureStream& stream);

 private:
  void draw_sample(numeric::InsecureStream& stream);
  void add_noise(numeric::InsecureStream& stream);

  mechanisms::GroupMoments observed_;
  mechanisms::MomentRelease release_;
  double people_;
  Eigen::VectorXd estimate_, offset_, sample_mean_;
  Matrix root_, second_;
  std::vector<double> unit_;
  ErrorDraw drawn_;
};

}  // namespace tacet::inference
