// K-norm noise for sums and Laplace noise for products under one grant, audited through a ledger:
// the neighbours differ in every figure of a stretch by all that its bound allows.
//
// The event "what is furthest from x among the figures before the products lies below x" has
// probability 1/2 under x and exp(-epsilon_1)/2 under the corner above it; "the product lies below
// x" has 1/2 and exp(-epsilon_2)/2; and both together have 1/4 and exp(-epsilon)/4. So each part is
// audited for its own part of epsilon, where noise 5 % too small is seen, and both for the whole.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/kernel/release_numbers.h"

#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::cube_products_audit_test {
namespace {

constexpr double kFalseAlarm = 1e-10, kMiss = 1e-10;
constexpr std::size_t kStretch = 3;
constexpr std::array<Int128, kStretch> kMost = {1, 20, 100};  // a count, a sum, its square
constexpr std::size_t kStretchesPerGrant = 60'000;
constexpr double kPart = 1;  // of epsilon, for either
constexpr double kBoth = 2;
constexpr std::size_t kEvents = 6;  // below and above: the cube, the product, both

struct Setting {
  const char* paid;             // the epsilon that the grant is for
  std::vector<double> weights;  // cube, product
  std::uint64_t stretches;      // for each neighbour
  std::uint64_t stream;
};

class CubeProductsAudit : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    test::declare_false_alarm(fmt::format("{}.{}", info->test_suite_name(), info->name()), 2 * kFalseAlarm + kMiss);
  }
};

using Counts = std::array<std::uint64_t, kEvents>;

Counts count(const Setting& setting, bool moved, testing::Purse& purse, exact::RandomBits& bits) {
  Counts counts{};
  for (std::uint64_t done = 0; done < setting.stretches;) {
    BoxSensitivity box{Relation::ReplaceOne, {}, kStretchesPerGrant, 1, 1};
    std::vector<Int128> values;
    for (std::size_t stretch = 0; stretch < kStretchesPerGrant; ++stretch) {
      for (const Int128 most : kMost) {
        box.most.push_back(most);
        values.push_back(moved ? most : 0);
      }
    }
    const auto released = testing::release_planned_cube_products(testing::sealed(std::move(values), std::move(box)), setting.weights,
                                                                 purse.grant(testing::epsilon_loss(setting.paid)), bits);
    const std::vector<Int128>& ticks = released->value().ticks;
    for (std::size_t from = 0; from < ticks.size() && done < setting.stretches; from += kStretch, ++done) {
      const Int128 first = ticks[from];
      const Int128 second = ticks[from + 1];
      const Int128 furthest = (first < 0 ? -first : first) > (second < 0 ? -second : second) ? first : second;
      const std::array<bool, kEvents> seen = {furthest < 0, ticks[from + 2] < 0, furthest < 0 && ticks[from + 2] < 0,
                                              furthest > 0, ticks[from + 2] > 0, furthest > 0 && ticks[from + 2] > 0};
      for (std::size_t i = 0; i < kEvents; ++i) counts[i] += seen[i] ? 1 : 0;
    }
  }
  return counts;
}

/// Of the events that `chosen` names: with their complements.
test::ProvenEvents audit(const Setting& setting, const std::vector<std::size_t>& chosen) {
  testing::Purse purse;
  test::InsecureSeededBits bits(setting.stream);
  const Counts at_x = count(setting, false, purse, bits);
  const Counts at_corner = count(setting, true, purse, bits);
  const std::array<std::string, kEvents> names = {"cube below", "product below", "both below", "cube above", "product above", "both above"};
  std::vector<test::EventPair> pairs;
  for (const std::size_t i : chosen) {
    pairs.push_back({names[i], at_x[i], at_corner[i]});
    pairs.push_back({"not " + names[i], setting.stretches - at_x[i], setting.stretches - at_corner[i]});
  }
  return {pairs, setting.stretches, kFalseAlarm};
}

const std::vector<std::size_t> kCube = {0, 3}, kProduct = {1, 4}, kAll = {0, 1, 2, 3, 4, 5};

std::uint64_t draws(double probability, double epsilon, double faulty, std::size_t events) {
  return test::draws_to_accuse(probability, probability * std::exp(-faulty), epsilon, 0, 2 * events, kFalseAlarm, kMiss);
}

TEST_F(CubeProductsAudit, ReleaseKeepsTheEpsilonItWasGranted) {
  const std::uint64_t n = draws(0.25, kBoth, kBoth + 0.1 * test::coarseness(), kAll.size());
  const test::ProvenEvents proven = audit({"2", {1, 1}, n, 740}, kAll);
  std::printf("[ audit       ] n = %llu per neighbour, epsilon proven >= %.4f, claimed 2\n", static_cast<unsigned long long>(n),
              proven.epsilon(0));
  EXPECT_EQ(proven.delta(kBoth).delta, 0) << proven.delta(kBoth).event;
  EXPECT_GT(proven.epsilon(0), kBoth - 0.2 * test::coarseness()) << "the auditor proves too little to be of use";
}

TEST_F(CubeProductsAudit, EachPartKeepsItsShare) {
  const std::uint64_t n = draws(0.5, kPart, kPart + 0.05 * test::coarseness(), 2);
  const Setting setting{"2", {1, 1}, n, 750};
  EXPECT_EQ(audit(setting, kCube).delta(kPart).delta, 0);
  EXPECT_EQ(audit(setting, kProduct).delta(kPart).delta, 0);
}

/// Weights 1 and 0.95 of an epsilon of 1/0.95 + 1: the cube has the noise of 1/0.95, and the
/// product that of 1.
TEST_F(CubeProductsAudit, RejectsACubeWithNoiseFivePercentTooSmall) {
  const Setting faulty{"2.0526315789473684", {1, 0.95}, draws(0.5, kPart, 1 / 0.95, kCube.size()), 760};
  EXPECT_GT(audit(faulty, kCube).delta(kPart).delta, 0);
}

TEST_F(CubeProductsAudit, RejectsProductsWithNoiseFivePercentTooSmall) {
  const Setting faulty{"2.0526315789473684", {0.95, 1}, draws(0.5, kPart, 1 / 0.95, kProduct.size()), 770};
  EXPECT_GT(audit(faulty, kProduct).delta(kPart).delta, 0);
}

/// Each part with all of epsilon, as if the other cost nothing.
TEST_F(CubeProductsAudit, RejectsPartsThatBothSpendTheWhole) {
  EXPECT_GT(audit({"4", {1, 1}, draws(0.25, kBoth, 3.8, kAll.size()), 780}, kAll).delta(kBoth).delta, 0);
}

}  // namespace
}  // namespace tacet::kernel::cube_products_audit_test
