#include "tacet/kernel/release_cube_products.h"

#include <cmath>
#include <utility>

#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

/// Wiped, whether noise was added or random bits failed.
struct ExactParts {
  std::vector<Int128> cube, products;
  ExactParts() = default;
  ExactParts(const ExactParts&) = delete;
  ExactParts& operator=(const ExactParts&) = delete;
  ~ExactParts() {
    wipe(cube);
    wipe(products);
  }
};

Status add_noise(const std::vector<Int128>& values, const CubeProductsPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  if (values.size() != plan.size()) return Error::of(Code::Internal, "a box must have a bound for every coordinate");
  ExactParts exact;
  for (std::vector<Int128>* part : {&exact.cube, &exact.products}) part->reserve(values.size());  // growing would leave copies unwiped
  for (std::size_t j = 0; j < values.size(); ++j) (plan.is_product(j) ? exact.products : exact.cube).push_back(values[j]);
  std::vector<Int128> cube, products;
  TACET_CHECK(kernel::add_noise(exact.cube, plan.cube, bits, cube));
  TACET_CHECK(kernel::add_noise(exact.products, plan.products, bits, products));
  for (std::size_t j = 0; j < values.size(); ++j) ticks.push_back((plan.is_product(j) ? products : cube)[plan.place(j)]);
  return {};
}

}  // namespace

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
  const Relation relation = statistic.sensitivity().relation;
  TACET_TRY(const Grant paid, pay(std::move(grant), plan, statistic));
  const auto opened = Vault::trusted_open(std::move(statistic));
  TACET_TRY(NoisyCubeProducts noisy, with_noise(NoisyCubeProducts{{}, plan, relation, paid.loss(), paid.receipt()}, paid,
                                                [&](auto& ticks) { return add_noise(*opened, plan, bits, ticks); }));
  return Released<NoisyCubeProducts>(std::move(noisy));
}

}  // namespace tacet::kernel
