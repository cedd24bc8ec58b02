// What a release leaves in memory that was given back: neither the exact values nor their noise,
// which with the published values would tell them.
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/allocations.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::wiped_test {
namespace {

using testing::epsilon_loss;
using testing::rho_loss;
using testing::sealed;

/// Two columns: two sums, three products.
BoxSensitivity two_columns() { return {Relation::ReplaceOne, {20, 60, 100, 600, 900}, 1, 1, 2}; }

/// Values that nothing else in the program holds; made before anything is watched.
const std::vector<Int128>& secrets() {
  static const std::vector<Int128> values = [] {
    std::vector<Int128> made;
    for (std::int64_t j = 0; j < 5; ++j) made.push_back(0x5EC2E70000000000 + 0x1234567 * j);
    return made;
  }();
  return values;
}

/// `ticks` are the published values in units of 1/unit(j).
template <class Unit>
void expect_nothing_left(const test::FreedMemory& freed, const std::vector<Int128>& ticks, const Unit& unit) {
  const std::vector<Int128>& values = secrets();
  ASSERT_EQ(ticks.size(), values.size());
  for (std::size_t j = 0; j < values.size(); ++j) {
    const Int128 noise = ticks[j] - values[j] * unit(j);
    ASSERT_TRUE(noise > 1 << 20 || noise < -(1 << 20)) << "too small to be told from other numbers";
    EXPECT_FALSE(freed.holds(&values[j], sizeof values[j])) << "exact value " << j;
    EXPECT_FALSE(freed.holds(&noise, sizeof noise)) << "noise " << j;
  }
}

TEST(Wiped, WhatIsNotWipedIsSeen) {
  const Int128 secret = secrets()[0];
  const test::FreedMemory freed;
  EXPECT_FALSE(freed.holds(&secret, sizeof secret));
  {
    const std::vector<Int128> planted(3, secret);
  }
  EXPECT_TRUE(freed.holds(&secret, sizeof secret));
}

TEST(Wiped, NumbersAndTheirNoise) {
  testing::Purse purse;
  test::InsecureSeededBits bits(1);
  auto values = sealed(secrets(), two_columns());
  const auto plan = mechanisms::plan_numbers(NoiseFamily::Gaussian, two_columns(), std::vector<double>(5, 1), rho_loss("1e-12"));
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  Grant grant = purse.grant(rho_loss("1e-12"));
  const test::FreedMemory freed;
  const auto released = release(std::move(values), *plan, std::move(grant), bits);
  ASSERT_TRUE(released.ok()) << released.error().message();
  expect_nothing_left(freed, released->value().ticks, [&](std::size_t j) { return Int128{1} << plan->grid_log2[j]; });
}

TEST(Wiped, ACubeAndItsNoise) {
  testing::Purse purse;
  test::InsecureSeededBits bits(2);
  auto values = sealed(secrets(), two_columns());
  const auto plan = mechanisms::plan_k_norm(two_columns(), epsilon_loss("1e-6"));
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  Grant grant = purse.grant(epsilon_loss("1e-6"));
  const test::FreedMemory freed;
  const auto released = release_k_norm(std::move(values), *plan, std::move(grant), bits);
  ASSERT_TRUE(released.ok()) << released.error().message();
  expect_nothing_left(freed, released->value().ticks, [&](std::size_t j) { return plan->multiples[j]; });
}

TEST(Wiped, ACubeWithProductsAndTheNoiseOfBoth) {
  testing::Purse purse;
  test::InsecureSeededBits bits(3);
  auto values = sealed(secrets(), two_columns());
  const auto plan = mechanisms::plan_cube_products(two_columns(), {0.8, 0.05, 0.1, 0.05}, epsilon_loss("2e-6"));
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  Grant grant = purse.grant(epsilon_loss("2e-6"));
  const test::FreedMemory freed;
  const auto released = release_cube_products(std::move(values), *plan, std::move(grant), bits);
  ASSERT_TRUE(released.ok()) << released.error().message();
  expect_nothing_left(freed, released->value().ticks, [&](std::size_t j) {
    const std::size_t at = plan->place(j);
    return plan->is_product(j) ? Int128{1} << plan->products.grid_log2[at] : plan->cube.multiples[at];
  });
}

}  // namespace
}  // namespace tacet::kernel::wiped_test
