// tacet/studies/levels/drawn_rows.h: rows of a group, as their mean and their second moments.
//
//   const RowDesign design{.dimension = 10, .people = 1000, .law = RowLaw::Spiked};
//   const RowMoments moments = draw_moments(stream, design, /*shift=*/0.1);
//
// Columns lie in [-1, 1].
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tacet/numeric/insecure_gamma.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::studies {

/// Uniform and independent; normal with correlation 0.9; normal with a spike of 100 times the
/// variance; normal with 0.02 of the variance; the same with a mean near the bounds, where the
/// square of the mean is much larger than what the covariance is made of.
enum class RowLaw : std::uint8_t { Uniform, Equicorrelated, Spiked, Small, Far };
inline constexpr double kFarMean = 0.8;

struct RowDesign {
  std::size_t dimension;
  std::size_t people;
  RowLaw law = RowLaw::Uniform;
  double width = 0.63;  // uniform rows: +-width; normal rows: a standard deviation of width/sqrt(3)
  double mean = 0;      // of every column, besides the shift
};

/// The mean of a group's rows, and their second moments about the middle.
struct RowMoments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd second;
};

namespace drawn {

inline void fill_normal(numeric::InsecureStream& stream, Eigen::MatrixXd& values) {
  stream.fill_normal({values.data(), static_cast<std::size_t>(values.size())});
}

/// Of a row: a factor of the covariance, lower triangular.
inline Eigen::MatrixXd factor(const RowDesign& design) {
  const auto d = static_cast<Eigen::Index>(design.dimension);
  const double variance = design.width * design.width / 3;
  Eigen::MatrixXd covariance = variance * Eigen::MatrixXd::Identity(d, d);
  if (design.law == RowLaw::Equicorrelated)
    covariance = variance * (0.1 * Eigen::MatrixXd::Identity(d, d) + Eigen::MatrixXd::Constant(d, d, 0.9));
  if (design.law == RowLaw::Spiked) covariance.diagonal().tail(d - 1) *= 0.01;
  if (design.law == RowLaw::Small || design.law == RowLaw::Far) covariance *= 0.02;
  return covariance.llt().matrixL();
}

/// A column for each person.
inline Eigen::MatrixXd draw_rows(numeric::InsecureStream& stream, const RowDesign& design, double middle) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(design.dimension), static_cast<Eigen::Index>(design.people));
  if (design.law == RowLaw::Uniform) {
    stream.fill_uniform({rows.data(), static_cast<std::size_t>(rows.size())});
    rows = (2 * design.width * (rows.array() - 0.5)).matrix();
  } else {
    fill_normal(stream, rows);
    rows = factor(design).triangularView<Eigen::Lower>() * rows;
  }
  return (rows.array() + middle).max(-1).min(1).matrix();
}

}  // namespace drawn

/// Rows are drawn for up to 2000 people. Beyond that their mean is drawn as normal, and their
/// covariance by Bartlett's decomposition of a Wishart matrix, as of normal rows that are not
/// clipped: with 10^4 people it is known to 1 in 70 whatever the law of the rows.
inline RowMoments draw_moments(numeric::InsecureStream& stream, const RowDesign& design, double shift) {
  constexpr std::size_t kMostRows = 2000;
  const auto d = static_cast<Eigen::Index>(design.dimension);
  const auto n = static_cast<double>(design.people);
  const double middle = design.mean + shift + (design.law == RowLaw::Far ? kFarMean : 0);
  if (design.people <= kMostRows) {
    const Eigen::MatrixXd rows = drawn::draw_rows(stream, design, middle);
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(d, d);
    second.selfadjointView<Eigen::Lower>().rankUpdate(rows, 1 / n);
    return {rows.rowwise().mean(), second.selfadjointView<Eigen::Lower>()};
  }
  const Eigen::MatrixXd factor = drawn::factor(design);
  Eigen::MatrixXd normal(d, d + 1);
  drawn::fill_normal(stream, normal);
  const Eigen::VectorXd mean = (factor.triangularView<Eigen::Lower>() * normal.col(d) / std::sqrt(n)).array() + middle;
  Eigen::MatrixXd bartlett = normal.leftCols(d).triangularView<Eigen::StrictlyLower>();
  for (Eigen::Index j = 0; j < d; ++j) {
    double gamma = 0;
    numeric::fill_gamma(stream, (n - 1 - static_cast<double>(j)) / 2, {&gamma, 1});
    bartlett(j, j) = std::sqrt(2 * gamma);
  }
  const Eigen::MatrixXd root = factor * bartlett;
  return {mean, root * root.transpose() / n + mean * mean.transpose()};
}

}  // namespace tacet::studies
