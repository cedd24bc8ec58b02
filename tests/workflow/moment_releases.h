// Releases of two columns, made without data: what they say of the means is chosen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet::test {

/// 1000 people with this mean of two columns in [0, 100], standard deviation 10 in each, and
/// Gaussian noise.
inline mechanisms::GroupMoments people_at(double first, double second) {
  const double a = first - 50;
  const double b = second - 50;
  return {
      {1000, 0}, {{1000 * a, 300}, {1000 * b, 300}}, {{1000 * (a * a + 100), 3000}, {1000 * a * b, 3000}, {1000 * (b * b + 100), 3000}}};
}

/// A covariance of ldl and hdl, by arms where they have labels.
inline mechanisms::MomentRelease covariance_release(std::vector<mechanisms::GroupMoments> parts, std::vector<std::string> labels = {}) {
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.columns = {{"ldl", 0, 100, 1, 50}, {"hdl", 0, 100, 1, 50}};
  release.parts = std::move(parts);
  if (!labels.empty()) release.groups = {"arm", std::move(labels), kernel::Membership::Public};
  return release;
}

}  // namespace tacet::test
