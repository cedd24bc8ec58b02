#include "tacet/inference/means/row_variance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {

double RowNoise::variance(double n, double offset, double second) const {
  return (square + 4 * offset * offset * sum + std::pow(2 * offset * offset - second, 2) * people) / (n * n);
}

double draw_sampling_error(numeric::InsecureStream& stream, const PossibleRow& possible, double n, double freedom) {
  const double row =
      std::clamp(possible.row + possible.below, 0.0, possible.most) * (freedom + 1) / numeric::draw_chi_square(stream, freedom);
  std::array<double, 1> normal{};
  stream.fill_normal(normal);
  return std::sqrt(row / n) * normal[0];
}

}  // namespace tacet::inference
