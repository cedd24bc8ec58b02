#include "tacet/numeric/insecure_gamma.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tacet::numeric {
namespace {

constexpr std::size_t kBatch = 64;

/// log(1 + y) - y.
double log_less_its_tangent(double y) {
  if (std::abs(y) > 0.1) return portable_log(1 + y) - y;
  // -y^2/2 + y^3/3 - ..., by Horner's rule; the term of y^17 is below 2^-53 of the first.
  double series = 0;
  for (int power = 17; power >= 2; --power) series = (power % 2 == 0 ? -1.0 : 1.0) / power + y * series;
  return y * y * series;
}

}  // namespace

void fill_gamma(InsecureStream& stream, double shape, std::span<double> values) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / (3 * std::sqrt(d));
  std::array<double, kBatch> normals;
  std::size_t unused = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (;;) {
      if (unused == 0) {
        unused = std::min(kBatch, values.size() - i);
        stream.fill_normal(std::span(normals).first(unused));
      }
      const double x = normals[--unused];
      const double step = c * x;
      if (step <= -1) continue;
      const double y = step * (3 + step * (3 + step));
      if (portable_log(stream.uniform()) < x * x / 2 + d * log_less_its_tangent(y)) {
        values[i] = d + d * y;
        break;
      }
    }
  }
}

void fill_laplace_sums(InsecureStream& stream, double terms, std::span<double> values) {
  std::array<double, kBatch> normals;
  for (std::size_t from = 0; from < values.size(); from += kBatch) {
    const std::span<double> part = values.subspan(from, std::min(kBatch, values.size() - from));
    fill_gamma(stream, terms, part);
    stream.fill_normal(normals);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = std::sqrt(2 * part[i]) * normals[i];
  }
}

double draw_chi_square(InsecureStream& stream, double degrees) {
  constexpr std::size_t kFewDegrees = 16;
  if (degrees < kFewDegrees) {
    std::array<double, kFewDegrees> normals{};
    const std::span<double> few = std::span(normals).first(static_cast<std::size_t>(degrees));
    stream.fill_normal(few);
    double sum = 0;
    for (const double z : few) sum += z * z;
    return sum;
  }
  std::array<double, 1> gamma{};
  fill_gamma(stream, degrees / 2, gamma);
  return 2 * gamma[0];
}

}  // namespace tacet::numeric
