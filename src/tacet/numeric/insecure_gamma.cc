#include "tacet/numeric/insecure_gamma.h"

#include <array>
#include <cmath>

namespace tacet::numeric {

double draw_gamma(InsecureStream& stream, double shape) {
  const double d = shape - 1.0 / 3;
  const double slope = 1 / std::sqrt(9 * d);
  for (;;) {
    std::array<double, 1> x{};
    stream.fill_normal(x);
    const double root = 1 + slope * x[0];
    if (!(root > 0)) continue;
    const double v = root * root * root;
    if (portable_log(stream.uniform()) < x[0] * x[0] / 2 + d - d * v + d * portable_log(v)) return d * v;
  }
}

}  // namespace tacet::numeric
