// People who follow given probabilities and randomise their values one by one, as the randomizers
// are described: shares no code with what draws whole tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "tacet/mechanisms/local_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::test {

inline std::size_t pick(numeric::InsecureStream& stream, const std::vector<double>& p) {
  double left = stream.uniform();
  std::size_t j = 0;
  while (j + 1 < p.size() && left >= p[j]) left -= p[j++];
  return j;
}

inline mechanisms::LocalRelease local_release(numeric::InsecureStream& stream, const std::vector<double>& p, std::size_t n,
                                              const mechanisms::LocalRandomizer& law, std::vector<std::size_t> shape = {}) {
  using mechanisms::LocalKind;
  const std::size_t d = p.size();
  std::vector<double> reports(d, 0);
  std::vector<double> noise(d);
  for (std::size_t person = 0; person < n; ++person) {
    const std::size_t value = pick(stream, p);
    if (law.kind == LocalKind::Exp) {
      // The true value once more with weight e^eps - 1, or any value with equal chances.
      const double extra = std::expm1(law.parameter);
      const bool kept = stream.uniform() * (extra + static_cast<double>(d)) < extra;
      reports[kept ? value : static_cast<std::size_t>(stream.uniform() * static_cast<double>(d))] += 1;
      continue;
    }
    if (law.kind == LocalKind::Gaussian) stream.fill_normal(noise);
    if (law.kind == LocalKind::Laplace) stream.fill_laplace(noise);
    for (std::size_t j = 0; j < d; ++j) {
      const bool one = j == value;
      if (law.kind == LocalKind::Flip) {
        reports[j] += (stream.uniform() < 1 / (1 + std::exp(law.parameter / 2))) != one ? 1 : 0;
      } else {
        reports[j] += (one ? 1 : 0) + law.parameter * noise[j];
      }
    }
  }
  if (law.kind != LocalKind::Exp) {
    for (double& report : reports) report /= static_cast<double>(n);
  }
  if (shape.empty()) shape = {d};
  return *mechanisms::describe_local(law, reports, static_cast<double>(n), shape, {});
}

}  // namespace tacet::test
