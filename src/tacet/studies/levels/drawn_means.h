// tacet/studies/levels/drawn_means.h: releases of means of rows that are known, clamped as a
// schema would, and the noise of a mechanism.
//
//   const MomentDesign design{.columns = {column("age", 0, 100)}, .mu = 2};
//   mechanisms::MomentRelease release = exact_release(design, {{30}, {41}, {17}});
//   add_noise(release, stream);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::studies {

/// What a release of moments is about, without its numbers.
struct MomentDesign {
  std::vector<mechanisms::ReleasedColumn> columns;
  std::string family = "gaussian";
  double mu = 1;  // privacy of all numbers together, if the noise is Gaussian; other families: scales as if it were
  bool products = true;
  bool private_count = false;
};

/// Figures without noise, with the scales that Gaussian noise of this mu has: equal parts, as
/// release --goal region shares them.
inline mechanisms::MomentRelease exact_release(const MomentDesign& design, const std::vector<std::vector<double>>& rows) {
  mechanisms::MomentRelease release{};
  release.kind = design.products ? mechanisms::MomentKind::Covariance : mechanisms::MomentKind::Mean;
  release.columns = design.columns;
  release.mechanism = *named<mechanisms::MomentMechanism>("family", design.family);
  const std::size_t d = design.columns.size();
  const auto numbers = static_cast<double>(d + (design.products ? d * (d + 1) / 2 : 0) + (design.private_count ? 1 : 0));
  const double share = std::sqrt(numbers) / design.mu;
  mechanisms::GroupMoments part{};
  part.people = {static_cast<double>(rows.size()), design.private_count ? share : 0};
  for (std::size_t j = 0; j < d; ++j) part.sums.push_back({0, (design.columns[j].upper - design.columns[j].lower) * share});
  for (std::size_t j = 0; design.products && j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      const double size = (design.columns[j].upper - design.columns[j].lower) * (design.columns[k].upper - design.columns[k].lower) / 4;
      part.products.push_back({0, (j == k ? 1 : 2) * size * share});
    }
  }
  for (const std::vector<double>& row : rows) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double x = std::clamp(row[j], design.columns[j].lower, design.columns[j].upper) - design.columns[j].centre;
      part.sums[j].value += x;
      for (std::size_t k = j; design.products && k < d; ++k, ++at)
        part.products[at].value += x * (std::clamp(row[k], design.columns[k].lower, design.columns[k].upper) - design.columns[k].centre);
    }
  }
  release.parts = {part};
  return release;
}

/// Noise of the family, `factor` times as large as the file says.
inline void add_noise(mechanisms::MomentRelease& release, numeric::InsecureStream& stream, double factor = 1) {
  mechanisms::GroupMoments& part = release.parts.front();
  std::vector<mechanisms::NoisyNumber*> numbers;
  if (part.people.scale > 0) numbers.push_back(&part.people);
  for (auto& sum : part.sums) numbers.push_back(&sum);
  for (auto& product : part.products) numbers.push_back(&product);
  std::vector<double> unit(numbers.size());
  inference::draw_release_noise(release, stream, unit);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i]->value += factor * numbers[i]->scale * unit[i];
}

/// A column with bounds lower and upper about its middle.
inline mechanisms::ReleasedColumn column(const std::string& name, double lower, double upper) {
  return {name, lower, upper, (upper - lower) / 1000, (upper + lower) / 2};
}

}  // namespace tacet::studies
