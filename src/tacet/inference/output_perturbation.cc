#include "tacet/inference/output_perturbation.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

double upper(double q, double s) {
  return numeric::normal_upper(q / s) + std::exp(s * s / 8 - q / 2 + numeric::normal_log_lower(q / s - s / 2));
}

}  // namespace

Result<double> gwas_critical(double n, double rho, double alpha) {
  if (!(n >= 2 && n <= 0x1p53)) return Error::invalid("n", fmt::format("{}", n), "must be at least 2 and at most 2^53");
  if (!(rho >= 1e-12 && rho <= 1e12)) return Error::invalid("rho", fmt::format("{}", rho), "must be at least 1e-12 and at most 1e12");
  if (!(alpha >= 1e-9 && alpha <= 0.5)) return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5");
  const double s = 4 * n / (n + 2) / std::sqrt(2 * rho);
  double low = 0;
  double high = 2 * (s + 1);
  while (upper(high, s) > alpha) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (upper(middle, s) > alpha ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace tacet::inference
