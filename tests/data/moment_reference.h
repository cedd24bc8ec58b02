// tests/data/moment_reference.h: what grid.h promises, by its formula, slowly and in rational
// arithmetic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "tacet/data/schema.h"

namespace tacet::data {

/// sign(x - centre) floor(|x - centre| / resolution + slack), with x clamped first; NaN is the
/// declared missing value.
inline mpz_class reference_steps(const Bounds& bounds, const Decimal& centre, double slack, double value) {
  const mpq_class lower = bounds.lower.to_rational();
  const mpq_class upper = bounds.upper.to_rational();
  mpq_class x;
  if (std::isnan(value)) {
    x = bounds.missing.value().to_rational();
  } else if (std::isinf(value)) {
    x = value > 0 ? upper : lower;
  } else {
    x = mpq_class(value);
  }
  x = std::min(std::max(x, lower), upper);
  const mpq_class distance = (x - centre.to_rational()) / bounds.resolution.to_rational();
  const mpq_class shifted = abs(distance) + mpq_class(slack);
  mpz_class size;
  mpz_fdiv_q(size.get_mpz_t(), shifted.get_num_mpz_t(), shifted.get_den_mpz_t());
  return distance < 0 ? mpz_class(-size) : size;
}

/// As texts, which a test can print without a part that nothing else needs.
inline std::vector<std::string> texts(const std::vector<mpz_class>& values) {
  std::vector<std::string> out;
  for (const mpz_class& value : values) out.push_back(value.get_str());
  return out;
}

}  // namespace tacet::data
