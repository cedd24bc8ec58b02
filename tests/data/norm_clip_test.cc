#include "tacet/data/norm_clip.h"

#include <bit>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/moment_sums.h"

#include "data/special_doubles.h"

namespace tacet::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Bounds between(long lower, long upper, long missing) { return {Decimal(lower), Decimal(upper), Decimal(1), Decimal(missing)}; }

// The integers of one row.
std::vector<std::int32_t> clipped_row(const NormClip& clip, const std::vector<double>& row) {
  std::vector<const double*> values;
  for (const double& value : row) values.push_back(&value);
  std::vector<std::int32_t> q(clip.coordinates(), 777);
  std::vector<std::int32_t*> out;
  for (std::int32_t& coordinate : q) out.push_back(&coordinate);
  std::vector<double> scratch(clip.scratch_size());
  clip.apply(values.data(), 1, out.data(), scratch.data());
  return q;
}

TEST(NormClip, ShortRowsAreCutToTheGridAndLongOnesAreShortened) {
  const NormClip clip = *NormClip::of({between(-100, 100, 0), between(-100, 100, 0)},
                                      {.centre = {0, 0}, .map = {{1, 0}, {0, 1}}, .radius = 10, .steps = 1000});
  EXPECT_THAT(clipped_row(clip, {3, -4}), ElementsAre(300, -400));
  EXPECT_THAT(clipped_row(clip, {0.019, -0.019}), ElementsAre(1, -1));  // toward zero
  EXPECT_THAT(clipped_row(clip, {0, 0}), ElementsAre(0, 0));
  EXPECT_THAT(clipped_row(clip, {30, -40}), ElementsAre(599, -799));  // a hair shorter than (600, -800)
  EXPECT_THAT(clipped_row(clip, {kInfinity, 0}), ElementsAre(999, 0));
  EXPECT_THAT(clipped_row(clip, {-1e300, 1e300}), ElementsAre(-707, 707));
}

TEST(NormClip, RowsAreMovedAndMappedFirst) {
  const NormClip clip = *NormClip::of({between(0, 10, 5), between(0, 10, 7)},
                                      {.centre = {5, 5}, .map = {{1, 1}, {1, -1}, {0, 0.5}}, .radius = 100, .steps = 1000});
  EXPECT_EQ(clip.coordinates(), 3U);
  EXPECT_THAT(clipped_row(clip, {6, 8}), ElementsAre(40, -20, 15));
  EXPECT_THAT(clipped_row(clip, {kNaN, kNaN}), ElementsAre(20, -20, 10));  // missing: 5 and 7
  EXPECT_THAT(clipped_row(clip, {99, -99}), ElementsAre(0, 100, -25));     // the bounds: 10 and 0
}

// Whatever a row holds, the integers that leave are within the radius. What it would catch: a row
// whose rounding escapes the bound.
TEST(NormClip, NoRowIsLongerThanTheRadiusInIntegers) {
  std::mt19937_64 random(11);
  int at_the_edge = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t width = 1 + random() % 6;
    std::vector<Bounds> bounds;
    ClipRequest request{.centre = {},
                        .map = {},
                        .radius = std::ldexp(1 + static_cast<double>(random() % 1000) / 7, static_cast<int>(random() % 60) - 30),
                        .steps = static_cast<std::int32_t>(round % 3 == 0 ? kMostSteps : 1 + random() % kMostSteps)};
    for (std::size_t j = 0; j < width; ++j) {
      bounds.push_back(between(-1000, 1000, 3));
      request.centre.push_back(static_cast<double>(random() % 100) / 3);
      request.map.emplace_back();
      for (std::size_t k = 0; k < width; ++k) request.map.back().push_back((static_cast<double>(random() % 2001) - 1000) / 77);
    }
    for (std::size_t i = 0; round % 2 == 0 && i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) request.map[i][j] = i == j ? 1 : 0;
    }
    const Result<NormClip> clip = NormClip::of(bounds, request);
    ASSERT_TRUE(clip.ok());
    for (int i = 0; i < 200; ++i) {
      std::vector<double> row;
      for (std::size_t j = 0; j < width; ++j) {
        const double odd[] = {kNaN, kInfinity, -kInfinity, 5e-324, 1000, -1000, std::bit_cast<double>(random())};
        row.push_back(i % 2 == 0 ? odd[random() % 7] : (static_cast<double>(random() % 4001) - 2000) / 2);
      }
      const std::vector<std::int32_t> q = clipped_row(*clip, row);
      Int128 squares = 0;
      for (const std::int32_t coordinate : q) squares += Int128{coordinate} * coordinate;
      const Int128 most = Int128{request.steps} * request.steps;
      ASSERT_TRUE(squares <= most);
      at_the_edge += squares > most - most / 1000 ? 1 : 0;
    }
  }
  EXPECT_GT(at_the_edge, 10'000);  // shortened, and not replaced by the centre
}

TEST(NormClip, LongStretchesAreTheSameAsSingleRows) {
  const NormClip clip = *NormClip::of({between(-50, 50, 1), between(-50, 50, 2)},
                                      {.centre = {0.5, -0.5}, .map = {{0.3, 0.1}, {-0.2, 0.7}}, .radius = 9, .steps = 1 << 20});
  std::mt19937_64 random(3);
  std::vector<std::vector<double>> columns(2, std::vector<double>(kStretch));
  for (auto& column : columns) {
    for (double& value : column) value = random() % 50 == 0 ? kNaN : (static_cast<double>(random() % 20001) - 10000) / 128;
  }
  std::vector<std::vector<std::int32_t>> q(2, std::vector<std::int32_t>(kStretch));
  const double* const values[] = {columns[0].data(), columns[1].data()};
  std::int32_t* const out[] = {q[0].data(), q[1].data()};
  std::vector<double> scratch(clip.scratch_size());
  clip.apply(values, kStretch, out, scratch.data());
  for (std::size_t i = 0; i < kStretch; ++i) EXPECT_THAT(clipped_row(clip, {columns[0][i], columns[1][i]}), ElementsAre(q[0][i], q[1][i]));
}

TEST(NormClip, RefusesWhatIsNoMapAndSaysWhy) {
  const std::vector<Bounds> two{between(0, 1, 0), between(0, 1, 0)};
  const ClipRequest good{.centre = {0, 0}, .map = {{1, 0}, {0, 1}}, .radius = 1, .steps = 10};
  ASSERT_TRUE(NormClip::of(two, good).ok());
  const auto expect_refused = [&](auto&& spoil) {
    ClipRequest bad = good;
    spoil(bad);
    const Result<NormClip> clip = NormClip::of(two, bad);
    ASSERT_FALSE(clip.ok());
    EXPECT_EQ(clip.error().code(), Code::InvalidArgument);
    EXPECT_THAT(clip.error().message(), HasSubstr("the query is out of range, but must have a number for each of 1 to 64 columns"));
  };
  EXPECT_TRUE(NormClip::of(two, good).ok());
  expect_refused([](ClipRequest& r) { r.centre = {0}; });
  expect_refused([](ClipRequest& r) { r.centre = {0, kNaN}; });
  expect_refused([](ClipRequest& r) { r.map = {}; });
  expect_refused([](ClipRequest& r) { r.map = {{1}}; });
  expect_refused([](ClipRequest& r) { r.map = {{1, kInfinity}}; });
  expect_refused([](ClipRequest& r) { r.map = {{1, kNaN}}; });
  expect_refused([](ClipRequest& r) { r.map = {{1e150, 1e150}}; });
  expect_refused([](ClipRequest& r) { r.map.assign(65, {1, 1}); });
  for (const double radius : {0.0, -1.0, kNaN, kInfinity, 1e-200}) expect_refused([&](ClipRequest& r) { r.radius = radius; });
  for (const std::int32_t steps : {0, -1, kMostSteps + 1}) expect_refused([&](ClipRequest& r) { r.steps = steps; });
  EXPECT_FALSE(NormClip::of({}, good).ok());
}

}  // namespace
}  // namespace tacet::data
