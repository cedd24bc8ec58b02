// K-norm noise under audit, through a ledger and its grants, on its worst neighbours: every
// coordinate of one stretch moves by all that its bound allows, which is a corner of the cube.
//
// Where the largest coordinate of the noise is negative, every further step away from it makes an
// outcome exp(-1/s) times as likely: so the event "the coordinate furthest from x lies below x" has
// probability 1/2 under x and exactly exp(-epsilon)/2 under the corner above it.
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
#include "tacet/mechanisms/noisy_values.h"

#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::k_norm_audit_test {
namespace {

constexpr double kFalseAlarm = 1e-10, kMiss = 1e-10;
constexpr std::size_t kStretch = 3;
constexpr std::array<Int128, kStretch> kMost = {1, 6, 250};
constexpr std::size_t kStretchesPerGrant = 60'000;
/// Furthest below and furthest above, each for one stretch and for both of a pair, and their
/// complements; and nine thresholds for each coordinate.
constexpr int kThresholds = 9;
constexpr std::uint64_t kEvents = 2 * (4 + kStretch * kThresholds);

/// Which stretches of a pair moved to the corner.
enum class Corner : std::uint8_t { First, Both };

struct Setting {
  const char* paid;     // the epsilon that the grant is for
  std::size_t touched;  // as sealed with the values
  Corner corner;
  std::uint64_t tables;  // pairs of stretches, for each neighbour
  std::uint64_t stream;
};

class KNormAudit : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    test::declare_false_alarm(fmt::format("{}.{}", info->test_suite_name(), info->name()), kFalseAlarm + kMiss);
  }
};

/// Signs of what is furthest from x in the stretch at `from`: -1 below, 1 above; in ticks, where x
/// is 0.
int furthest(const std::vector<Int128>& ticks, std::size_t from) {
  Int128 largest = 0;
  for (std::size_t j = 0; j < kStretch; ++j) {
    const Int128 value = ticks[from + j];
    if ((value < 0 ? -value : value) > (largest < 0 ? -largest : largest)) largest = value;
  }
  return largest < 0 ? -1 : 1;
}

struct Counts {
  std::array<std::uint64_t, 4> furthest{};
  std::array<std::array<std::uint64_t, kThresholds>, kStretch> above{};
};

/// Stretches of x or of its neighbour, in pairs, counted.
Counts count(const Setting& setting, bool moved, testing::Purse& purse, exact::RandomBits& bits) {
  Counts counts;
  for (std::uint64_t done = 0; done < setting.tables;) {
    BoxSensitivity box{Relation::ReplaceOne, {}, kStretchesPerGrant, setting.touched};
    std::vector<Int128> values;
    for (std::size_t stretch = 0; stretch < kStretchesPerGrant; ++stretch) {
      const bool moves = moved && (stretch % 2 == 0 || setting.corner == Corner::Both);
      for (const Int128 most : kMost) {
        box.most.push_back(most);
        values.push_back(moves ? most : 0);
      }
    }
    const auto released = testing::release_planned_k_norm(testing::sealed(std::move(values), std::move(box)),
                                                          purse.grant(testing::epsilon_loss(setting.paid)), bits);
    const NoisyCube& noisy = released->value();
    for (std::size_t from = 0; from < noisy.ticks.size() && done < setting.tables; from += 2 * kStretch, ++done) {
      const int first = furthest(noisy.ticks, from);
      const int second = furthest(noisy.ticks, from + kStretch);
      counts.furthest[0] += first < 0 ? 1 : 0;
      counts.furthest[1] += first < 0 && second < 0 ? 1 : 0;
      counts.furthest[2] += first > 0 ? 1 : 0;
      counts.furthest[3] += first > 0 && second > 0 ? 1 : 0;
      for (std::size_t j = 0; j < kStretch; ++j) {
        const double place = mechanisms::value_of(noisy, from + j) / mechanisms::scale_of(noisy.plan, j);
        for (int t = 0; t < kThresholds; ++t) counts.above[j][static_cast<std::size_t>(t)] += place > t - 4 ? 1 : 0;
      }
    }
  }
  return counts;
}

test::ProvenEvents audit(const Setting& setting) {
  testing::Purse purse;
  test::InsecureSeededBits bits(setting.stream);
  const Counts at_x = count(setting, false, purse, bits);
  const Counts at_corner = count(setting, true, purse, bits);
  std::vector<test::EventPair> pairs;
  const auto add = [&](const std::string& name, std::uint64_t first, std::uint64_t second) {
    pairs.push_back({name, first, second});
    pairs.push_back({"not " + name, setting.tables - first, setting.tables - second});
  };
  const std::array<std::string, 4> names = {"furthest below", "both furthest below", "furthest above", "both furthest above"};
  for (std::size_t i = 0; i < names.size(); ++i) add(names[i], at_x.furthest[i], at_corner.furthest[i]);
  for (std::size_t j = 0; j < kStretch; ++j) {
    for (std::size_t t = 0; t < kThresholds; ++t)
      add(fmt::format("coordinate {} above threshold {}", j, t), at_x.above[j][t], at_corner.above[j][t]);
  }
  return {pairs, setting.tables, kFalseAlarm};
}

std::uint64_t draws(double probability, double epsilon, double faulty) {
  return test::draws_to_accuse(probability, probability * std::exp(-faulty), epsilon, 0, kEvents, kFalseAlarm, kMiss);
}

void say(std::uint64_t n, const test::ProvenEvents& proven) {
  std::printf("[ audit       ] n = %llu per neighbour, epsilon proven >= %.4f, claimed 1\n", static_cast<unsigned long long>(n),
              proven.epsilon(0));
}

TEST_F(KNormAudit, ReleaseKeepsTheEpsilonItWasGranted) {
  const std::uint64_t n = draws(0.5, 1, 1 + 0.05 * test::coarseness());
  const test::ProvenEvents proven = audit({"1", 1, Corner::First, n, 640});
  say(n, proven);
  EXPECT_EQ(proven.delta(1).delta, 0) << proven.delta(1).event;
  EXPECT_GT(proven.epsilon(0), 1 - 0.1 * test::coarseness()) << "the auditor proves too little to be of use";
}

TEST_F(KNormAudit, RejectsAScaleTooSmallByFivePercent) {
  EXPECT_GT(audit({"1.0526315789473684", 1, Corner::First, draws(0.5, 1, 1 / 0.95), 650}).delta(1).delta, 0);
}

TEST_F(KNormAudit, ReleaseKeepsItsEpsilonWhereOnePersonTouchesTwoStretches) {
  const std::uint64_t n = draws(0.25, 1, 1 + 0.1 * test::coarseness());
  const test::ProvenEvents proven = audit({"1", 2, Corner::Both, n, 660});
  say(n, proven);
  EXPECT_EQ(proven.delta(1).delta, 0) << proven.delta(1).event;
  EXPECT_GT(proven.epsilon(0), 1 - 0.2 * test::coarseness()) << "the auditor proves too little to be of use";
}

TEST_F(KNormAudit, RejectsASecondStretchThatNobodyPaidFor) {
  EXPECT_GT(audit({"1", 1, Corner::Both, draws(0.25, 1, 1.9), 670}).delta(1).delta, 0);
}

}  // namespace
}  // namespace tacet::kernel::k_norm_audit_test
