#include "tacet/kernel/release_cube_products.h"

#include <cmath>
#include <utility>

#include "tacet/kernel/release_steps.h"

namespace tacet::kernel {

Status add_noise(const std::vector<Int128>& values, const CubeProductsPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.size() != plan.size()) return Error::of(Code::Internal, "a box must have a bound for every coordinate");
  // First the noise of each part, on zeros: no copy of an exact value is made.
  Wiped cube, products;
  TACET_CHECK(add_noise(std::vector<Int128>(plan.cube.multiples.size()), plan.cube, bits, cube.noise));
  TACET_CHECK(add_noise(std::vector<Int128>(plan.products.scale.size()), plan.products, bits, products.noise));
  for (std::size_t j = 0; j < values.size(); ++j) {
    const std::size_t at = plan.place(j);
    const bool product = plan.is_product(j);
    const Int128 unit = product ? Int128{1} << plan.products.grid_log2[at] : plan.cube.multiples[at];
    TACET_CHECK(append_noisy(values[j], unit, product ? products.noise[at] : cube.noise[at], ticks));
  }
  return {};
}

std::size_t CubeProductsPlan::place(std::size_t j) const {
  const std::size_t group = j / stretch;
  const std::size_t within = j % stretch;
  return is_product(j) ? group * (stretch - before()) + within - before() : group * before() + within;
}

double CubeProductsPlan::scale_of(std::size_t j) const { return is_product(j) ? products.scale[place(j)] : cube.scale_of(place(j)); }

double NoisyCubeProducts::value(std::size_t j) const {
  const std::size_t at = plan.place(j);
  const auto tick = static_cast<double>(ticks[j]);
  return plan.is_product(j) ? std::ldexp(tick, -plan.products.grid_log2[at]) : tick / static_cast<double>(plan.cube.multiples[at]);
}

Result<Released<NoisyCubeProducts>> release_cube_products(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic,
                                                          const CubeProductsPlan& plan, Grant&& grant, exact::RandomBits& bits) {
  return Publisher::publish<NoisyCubeProducts>(std::move(statistic), plan, std::move(grant), bits);
}

}  // namespace tacet::kernel
