// The query of one combination under audit, from rows to noise: the worst pair of neighbours is
// clipped as a release clips it, and the noisy sums are told apart as well as can be.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tacet/data/moments.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/vault.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/noisy_values.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel {
namespace {

constexpr double kQueryFalseAlarm = 1e-10;
constexpr std::int32_t kQuerySteps = 1 << 20;

/// S^-1 eta / sqrt(eta' S^-1 eta) for S = [[200, 100], [100, 100]] and eta = (4, 1), in the middle
/// between the means (166, 69) and (170, 70); clipped where one in 400 is, or for the most power.
data::ClipRequest combination_query(double radius) {
  return {.centre = {168, 69.5}, .map = {{0.03 / std::sqrt(0.1), -0.02 / std::sqrt(0.1)}}, .radius = radius, .steps = kQuerySteps};
}

std::int32_t clipped_combination(const data::NormClip& clip, double height, double weight) {
  const double* values[] = {&height, &weight};
  std::int32_t out = 0;
  std::int32_t* outs[] = {&out};
  std::vector<double> scratch(clip.scratch_size());
  clip.apply(values, 1, outs, scratch.data());
  return out;
}

data::NormClip clip_of_people(double radius) {
  const auto bounds = [](long lower, long upper, long missing) {
    return data::Bounds{Decimal(lower), Decimal(upper), Decimal(1), Decimal(missing)};
  };
  return *data::NormClip::of({bounds(100, 220, 160), bounds(0, 200, 70)}, combination_query(radius));
}

TEST(QueryAudit, NoPersonMovesTheCombinationByMoreThanItsSensitivity) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double radius : {0.05, 0.89, 3.02, 20.0}) {
    const data::NormClip clip = clip_of_people(radius);
    std::int32_t least = 0;
    std::int32_t most = 0;
    for (const double height : {-infinity, -1e300, 100.0, 150.0, 168.0, 190.0, 220.0, 1e300, infinity, nan}) {
      for (const double weight : {-infinity, -1e300, 0.0, 60.0, 69.5, 80.0, 200.0, 1e300, infinity, nan}) {
        const std::int32_t q = clipped_combination(clip, height, weight);
        least = std::min(least, q);
        most = std::max(most, q);
      }
    }
    EXPECT_GE(least, -kQuerySteps);
    EXPECT_LE(most, kQuerySteps);
    // The bounds of the columns reach beyond every radius but the last.
    EXPECT_GE(most - least, radius < 20 ? 2 * kQuerySteps - 4 : 0) << "these neighbours are the worst";
  }
}

/// A lower bound, wrong with probability kQueryFalseAlarm, on P[event | one] - P[event | the other]
/// for the best event, if a release promises `claimed` and its noise is for `paid`. `count` people
/// alike are replaced in place of one: a planted fault.
double proven_for_combination(const privacy::Loss& paid, int count, std::uint64_t stream) {
  constexpr std::size_t kCopies = 825'000;
  const data::NormClip clip = clip_of_people(0.89);
  const Int128 one = Int128{clipped_combination(clip, 220, 0)} * count;
  const Int128 other = Int128{clipped_combination(clip, 100, 200)} * count;
  const NormSensitivity norm{Relation::ReplaceOne, Int128{4} * kQuerySteps * kQuerySteps};
  const NumbersPlan planned = *mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, kCopies, paid);
  testing::Purse purse;
  test::InsecureSeededBits bits(stream);
  const double middle = (static_cast<double>(one) + static_cast<double>(other)) / 2;
  double events[2] = {0, 0};
  for (const int neighbour : {0, 1}) {
    std::vector<Int128> values(kCopies, neighbour == 0 ? other : one);
    const auto released =
        *release(testing::sealed_for_patients(std::move(values), NormSensitivity{norm}), planned, purse.grant(paid), bits);
    for (std::size_t j = 0; j < kCopies; ++j) events[neighbour] += mechanisms::value_of(released.value(), j) > middle ? 1 : 0;
  }
  const double n = kCopies;
  return (events[1] - events[0]) / n - 2 * std::sqrt(std::log(2 / kQueryFalseAlarm) / (2 * n));
}

TEST(QueryAudit, TheWorstNeighboursOfACombinationAreKeptApartNoBetterThanPromised) {
  test::declare_false_alarm("QueryAudit.TheWorstNeighboursOfACombinationAreKeptApartNoBetterThanPromised", kQueryFalseAlarm);
  const double proven = proven_for_combination(testing::mu_loss("1"), 1, 41);
  EXPECT_LE(proven, test::gaussian_delta(1, 0));
  EXPECT_GT(proven, test::gaussian_delta(1, 0) - 0.015) << "the auditor proves too little to be of use";
}

TEST(QueryAudit, RejectsAPersonWhoCountsTwice) {
  test::declare_false_alarm("QueryAudit.RejectsAPersonWhoCountsTwice", kQueryFalseAlarm);
  EXPECT_GT(proven_for_combination(testing::mu_loss("1"), 2, 42), test::gaussian_delta(1, 0));
}

/// The sums of a query in two groups over one person, and what the design claims about them.
struct GroupedSums {
  std::vector<Int128> one, other;  // of neighbours: in one group, or at the other end in the other
  NormSensitivity moving, staying;
};

GroupedSums grouped_sums() {
  const data::ClipRequest clip{.centre = {170}, .map = {{0.1}}, .radius = 1, .steps = 1 << 10};
  const data::Bounds bounds{Decimal(100), Decimal(220), Decimal(1), Decimal(170)};
  data::Schema schema;
  schema.relation = *Relation::within({"arm"});
  schema.columns = {{.name = "height", .bounds = bounds},
                    {.name = "arm", .categories = data::Categories{.labels = {"a", "b"}, .declared = 2}, .public_membership = true}};
  const data::ClipDesign moving = *data::design_clip(schema, {"height"}, clip, data::Groups{"arm", Membership::Private});
  const data::ClipDesign staying = *data::design_clip(schema, {"height"}, clip, data::Groups{"arm", Membership::Public});
  const auto clipped = [rows = *data::NormClip::of({bounds}, clip)](double height) {
    const double* values[] = {&height};
    std::int32_t out = 0;
    std::int32_t* outs[] = {&out};
    std::vector<double> scratch(rows.scratch_size());
    rows.apply(values, 1, outs, scratch.data());
    return Int128{out};
  };
  const Int128 count = *moving.count_steps;
  return {{clipped(220), count, 0, 0},
          {0, 0, clipped(100), count},
          {Relation::ReplaceOne, moving.sensitivity.l2_squared},
          {Relation::ReplaceOne, staying.sensitivity.l2_squared}};
}

/// A lower bound, as above, for the neighbours of grouped_sums; noise is for `claimed`.
double proven_for_groups(const GroupedSums& sums, const NormSensitivity& claimed, std::uint64_t stream) {
  constexpr std::size_t kCopies = 200'000;
  const std::size_t width = sums.one.size();
  const privacy::Loss paid = testing::mu_loss("1");
  const NumbersPlan planned = *mechanisms::plan_numbers(NoiseFamily::Gaussian, claimed, kCopies * width, paid);
  testing::Purse purse;
  test::InsecureSeededBits bits(stream);
  double events[2] = {0, 0};
  for (const int neighbour : {0, 1}) {
    const std::vector<Int128>& all = neighbour == 0 ? sums.other : sums.one;
    std::vector<Int128> values;
    for (std::size_t copy = 0; copy < kCopies; ++copy) values.insert(values.end(), all.begin(), all.end());
    const auto released =
        *release(testing::sealed_for_patients(std::move(values), NormSensitivity{claimed}), planned, purse.grant(paid), bits);
    for (std::size_t copy = 0; copy < kCopies; ++copy) {
      double along = 0;  // from the middle between them, towards the one
      for (std::size_t i = 0; i < width; ++i) {
        const auto a = static_cast<double>(sums.one[i]);
        const auto b = static_cast<double>(sums.other[i]);
        along += (a - b) * (mechanisms::value_of(released.value(), copy * width + i) - (a + b) / 2);
      }
      events[neighbour] += along > 0 ? 1 : 0;
    }
  }
  const double n = kCopies;
  return (events[1] - events[0]) / n - 2 * std::sqrt(std::log(2 / kQueryFalseAlarm) / (2 * n));
}

TEST(QueryAudit, APersonWhoChangesGroupsIsKeptApartNoBetterThanPromised) {
  test::declare_false_alarm("QueryAudit.APersonWhoChangesGroupsIsKeptApartNoBetterThanPromised", kQueryFalseAlarm);
  const GroupedSums sums = grouped_sums();
  const double proven = proven_for_groups(sums, sums.moving, 43);
  EXPECT_LE(proven, test::gaussian_delta(1, 0));
  EXPECT_GT(proven, test::gaussian_delta(1, 0) - 0.03) << "the auditor proves too little to be of use";
}

TEST(QueryAudit, RejectsNoiseForPublicGroupsWhereTheyArePrivate) {
  test::declare_false_alarm("QueryAudit.RejectsNoiseForPublicGroupsWhereTheyArePrivate", kQueryFalseAlarm);
  const GroupedSums sums = grouped_sums();
  EXPECT_GT(proven_for_groups(sums, sums.staying, 44), test::gaussian_delta(1, 0));
}

}  // namespace
}  // namespace tacet::kernel
