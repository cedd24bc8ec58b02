#include "tacet/kernel/release_cube_products.h"

#include <cmath>
#include <utility>

#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

Status add_parts(const std::vector<Int128>& values, exact::RandomBits& bits, NoisyCubeProducts& noisy) {
  const CubeProductsPlan& plan = noisy.plan;
  std::vector<Int128> exact_cube, exact_products, cube, products;
  for (std::vector<Int128>* part : {&exact_cube, &exact_products}) part->reserve(values.size());  // growing would leave copies unwiped
  for (std::size_t j = 0; j < values.size(); ++j) (plan.is_product(j) ? exact_products : exact_cube).push_back(values[j]);
  Status status = add_noise(exact_cube, plan.cube, bits, cube);
  if (status.ok()) status = add_noise(exact_products, plan.products, bits, products);
  for (std::vector<Int128>* part : {&exact_cube, &exact_products}) wipe(*part);
  TACET_CHECK(status);
  for (std::size_t j = 0; j < values.size(); ++j) noisy.ticks.push_back((plan.is_product(j) ? products : cube)[plan.place(j)]);
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
  const std::vector<Int128>& values = *opened;
  if (values.size() != plan.size())
    return Error::of(Code::Internal, "a box must have a bound for every coordinate").after_charge(paid.spent_words());
  NoisyCubeProducts noisy{{}, plan, relation, paid.loss(), paid.receipt()};
  if (Status status = add_parts(values, bits, noisy); !status.ok()) return std::move(status).error().after_charge(paid.spent_words());
  return Released<NoisyCubeProducts>(std::move(noisy));
}

}  // namespace tacet::kernel
