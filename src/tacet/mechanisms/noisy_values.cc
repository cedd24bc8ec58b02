#include "tacet/mechanisms/noisy_values.h"

#include <cmath>

namespace tacet::mechanisms {

double value_of(const kernel::NoisyNumbers& noisy, std::size_t j) {
  return std::ldexp(static_cast<double>(noisy.ticks[j]), -noisy.plan.grid_log2[j]);
}

double value_of(const kernel::NoisyCube& noisy, std::size_t j) {
  return static_cast<double>(noisy.ticks[j]) / static_cast<double>(noisy.plan.multiples[j]);
}

double value_of(const kernel::NoisyCubeProducts& noisy, std::size_t j) {
  const kernel::CubeProductsPlan& plan = noisy.plan;
  const std::size_t at = plan.place(j);
  const auto tick = static_cast<double>(noisy.ticks[j]);
  return plan.is_product(j) ? std::ldexp(tick, -plan.products.grid_log2[at]) : tick / static_cast<double>(plan.cube.multiples[at]);
}

double scale_of(const kernel::NumbersPlan& plan, std::size_t j) { return plan.scale[j]; }

double scale_of(const kernel::CubePlan& plan, std::size_t j) {
  return static_cast<double>(plan.scale) / static_cast<double>(plan.multiples[j]);
}

double scale_of(const kernel::CubeProductsPlan& plan, std::size_t j) {
  return plan.is_product(j) ? plan.products.scale[plan.place(j)] : scale_of(plan.cube, plan.place(j));
}

}  // namespace tacet::mechanisms
