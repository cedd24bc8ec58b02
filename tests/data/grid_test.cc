#include "tacet/data/grid.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/column_request.h"

#include "data/moment_reference.h"
#include "data/special_doubles.h"

namespace tacet::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Decimal decimal(const std::string& text) { return *Decimal::parse(text); }
Bounds bounds(const std::string& lower, const std::string& upper, const std::string& resolution, const std::string& missing) {
  return {decimal(lower), decimal(upper), decimal(resolution), decimal(missing)};
}
Grid grid(const Bounds& declared, const std::optional<Decimal>& centre = {}, Precision precision = Precision::Double) {
  Result<Grid> made = Grid::of("x", declared, centre, precision);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
  return *std::move(made);
}

std::int32_t steps(const Grid& grid, double value) {
  std::int32_t out = 0;
  grid.steps(&value, 1, &out);
  return out;
}

TEST(Grid, CountsStepsFromTheCentreToTheNearest) {
  const Grid g = grid(bounds("20", "300", "1", "90"));
  EXPECT_EQ(g.centre(), decimal("160"));
  EXPECT_EQ(g.lowest(), -140);
  EXPECT_EQ(g.highest(), 140);
  EXPECT_EQ(g.missing(), -70);
  EXPECT_EQ(g.slack(), 0.5 + 0x1p-20);
  EXPECT_EQ(steps(g, 160), 0);
  EXPECT_EQ(steps(g, 161.99), 2);
  EXPECT_EQ(steps(g, 158.01), -2);
  EXPECT_EQ(steps(g, 160.49), 0);
  EXPECT_EQ(steps(g, 159.51), 0);
  EXPECT_EQ(steps(g, 160.5), 1);
  EXPECT_EQ(steps(g, 159.5), -1);
  EXPECT_EQ(steps(g, 95.7), -64);
}

TEST(Grid, WhateverAValueIsItIsWorthAtMostTheBound) {
  const Grid g = grid(bounds("-1", "3", "0.5", "0.5"));
  EXPECT_EQ(g.centre(), decimal("1"));
  EXPECT_EQ(steps(g, kNaN), -1);
  EXPECT_EQ(steps(g, -kNaN), -1);
  for (const double huge : {3.0, 3.1, 1e300, std::numeric_limits<double>::max(), kInfinity}) EXPECT_EQ(steps(g, huge), 4) << huge;
  for (const double huge : {-1.0, -1.1, -1e300, -std::numeric_limits<double>::max(), -kInfinity}) EXPECT_EQ(steps(g, huge), -4) << huge;
  for (const double tiny : {0.0, -0.0, std::numeric_limits<double>::denorm_min(), -std::numeric_limits<double>::denorm_min(), 1e-310})
    EXPECT_EQ(steps(g, tiny), -2) << tiny;
  const Grid around_zero = grid(bounds("-1", "1", "0.5", "0"));
  for (const double tiny : {0.0, -0.0, std::numeric_limits<double>::denorm_min(), -1e-310}) EXPECT_EQ(steps(around_zero, tiny), 0) << tiny;
}

TEST(Grid, TheDoubleNearestToAGridPointCountsAsTheGridPoint) {
  for (const auto& [lower, upper, resolution] : {std::tuple{"0", "100", "0.1"},
                                                 {"-7", "7", "0.001"},
                                                 {"1e6", "1000100", "0.01"},
                                                 {"0.3", "9.9", "0.7"},
                                                 {"-1e-200", "1e-200", "1e-205"}}) {
    const Bounds declared = bounds(lower, upper, resolution, lower);
    const Grid g = grid(declared);
    for (std::int32_t k = g.lowest(); k <= g.highest(); k += 1 + k % 7 * k % 7) {
      const Decimal point = g.centre() + Decimal(k) * g.resolution();
      EXPECT_EQ(steps(g, point.approximate()), k) << point.to_string();
    }
  }
}

TEST(Grid, ColumnsOfFloatsHaveASlackForTheirOwnRounding) {
  const Bounds declared = bounds("0", "200", "0.1", "0");
  const Grid g = grid(declared, {}, Precision::Single);
  for (std::int32_t k = g.lowest(); k <= g.highest(); ++k) {
    const auto stored = static_cast<float>((g.centre() + Decimal(k) * g.resolution()).approximate());
    EXPECT_EQ(steps(g, static_cast<double>(stored)), k);
  }
  EXPECT_LT(g.slack(), 0.501);
  EXPECT_EQ(grid(bounds("0", "60000000", "1", "0"), {}, Precision::Single).slack(), 0.75);  // FLOAT cannot tell these steps apart
}

TEST(Grid, TheCentreIsTheGridPointNearestTheMiddleOrTheOneGiven) {
  EXPECT_EQ(grid(bounds("0", "1", "1", "0")).centre(), decimal("1"));
  EXPECT_EQ(grid(bounds("0", "10", "4", "0")).centre(), decimal("4"));
  EXPECT_EQ(grid(bounds("0.5", "10.5", "1", "1")).centre(), decimal("5.5"));
  const Grid g = grid(bounds("0", "10", "1", "3"), decimal("0"));
  EXPECT_EQ(g.lowest(), 0);
  EXPECT_EQ(g.highest(), 10);
  EXPECT_EQ(g.missing(), 3);
  const Grid between = grid(bounds("0", "10", "1", "3"), decimal("2.5"));
  EXPECT_EQ(between.lowest(), -3);
  EXPECT_EQ(between.highest(), 8);
  EXPECT_EQ(Grid::of("x", bounds("0", "10", "1", "3"), decimal("10.1")).error().message(),
            "centre is 10.1, but must lie between the bounds of column \"x\", 0 and 10");
}

TEST(Grid, RefusesWhatItCannotCountAndSaysWhatToWrite) {
  const auto error = [](const std::string& lower, const std::string& upper, const std::string& resolution) {
    const Result<Grid> made = Grid::of("blood.p", bounds(lower, upper, resolution, lower));
    EXPECT_FALSE(made.ok());
    EXPECT_EQ(made.error().code(), Code::SchemaInvalid);
    EXPECT_THAT(made.error().message(), HasSubstr("column \"blood.p\" has bounds or a resolution with which it cannot be summed"));
    return schemas::check_bounds("blood.p", bounds(lower, upper, resolution, lower)).error().message();
  };
  EXPECT_EQ(error("0", "67108865", "1"),
            "the resolution of column \"blood.p\" is 1, but must leave at most 67108864 steps between the bounds; declare a larger "
            "resolution or narrower bounds; the noise of a release is far larger than such a step");
  EXPECT_TRUE(Grid::of("x", bounds("0", "67108864", "1", "0")).ok());
  EXPECT_THAT(error("1e20", "100000000000000000010", "1"),
              AllOf(HasSubstr("2^-40 of the larger bound"), HasSubstr("declare a larger resolution")));
  EXPECT_THAT(error("0", "1e301", "1e300"), AllOf(HasSubstr("upper"), HasSubstr("1e40")));
  EXPECT_THAT(error("-1e301", "0", "1e300"), AllOf(HasSubstr("lower"), HasSubstr("1e40")));
  EXPECT_THAT(error("0", "1e-300", "1e-301"), AllOf(HasSubstr("resolution"), HasSubstr("1e-40")));
  EXPECT_THAT(error("0", "1", "2"), HasSubstr("at least one step"));
}

// Random bounds and centres; random values, values on the grid, values one unit in the last place
// beside it, beside what the slack lets through, and every kind of odd double. The reference is the
// formula of the header in rational arithmetic. What it would catch: any value on the wrong side of
// a step.
TEST(Grid, AgreesWithRationalArithmetic) {
  std::mt19937_64 random(20261115);
  const auto below = [&](std::uint64_t most) { return static_cast<long>(random() % most); };
  int doubtful = 0;
  for (int round = 0; round < 400; ++round) {
    const Decimal resolution = Decimal(1 + below(9999)) * decimal("1e" + std::to_string(below(30) - 20));
    const Decimal lower = Decimal(below(2'000'001) - 1'000'000) * resolution * (round % 3 == 0 ? decimal("0.37") : decimal("1"));
    const Decimal upper = lower + Decimal(1 + below(round % 2 == 0 ? 50 : kMostSteps)) * resolution + resolution * decimal("0.3");
    const Decimal missing = lower + resolution * decimal("0.6");
    const Bounds declared{lower, upper, resolution, missing};
    std::optional<Decimal> centre;
    if (round % 4 == 0) centre = lower + resolution * decimal("1.01");
    const Precision precision = round % 5 == 0 ? Precision::Single : Precision::Double;
    Result<Grid> made = Grid::of("x", declared, centre, precision);
    ASSERT_TRUE(made.ok()) << made.error().message();
    const Grid& g = *made;
    const mpq_class c = g.centre().to_rational();
    const mpq_class r = resolution.to_rational();
    std::vector<double> values{kNaN,   kInfinity,           -kInfinity,         0.0, -0.0, 5e-324, -5e-324, 1e308,
                               -1e308, lower.approximate(), upper.approximate()};
    for (int i = 0; i < 200; ++i) {
      const mpz_class k = g.lowest() + below(static_cast<std::uint64_t>(g.highest() - g.lowest() + 1));
      const mpq_class point = c + k * r;
      const mpq_class edge = c + (k > 0 ? mpq_class(k - mpq_class(g.slack())) : mpq_class(k + mpq_class(g.slack()))) * r;
      for (const mpq_class& near : {point, edge}) {
        const double d = near.get_d();
        for (const double value : {d, std::nextafter(d, kInfinity), std::nextafter(d, -kInfinity)}) values.push_back(value);
      }
      values.push_back(mpq_class(point + r * mpq_class(below(1 << 20)) / (1 << 20)).get_d());
      values.push_back(std::bit_cast<double>(random()));
    }
    std::vector<std::int32_t> found(values.size());
    g.steps(values.data(), values.size(), found.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const mpz_class expected = reference_steps(declared, g.centre(), g.slack(), values[i]);
      ASSERT_EQ(found[i], expected.get_si()) << values[i] << " in round " << round;
      ASSERT_EQ(steps(g, values[i]), found[i]);
      ASSERT_LE(g.lowest(), found[i]);
      ASSERT_GE(g.highest(), found[i]);
    }
    // The edge values must have met rational arithmetic, or this test would not test it.
    doubtful += g.slack() < 0.75 ? 1 : 0;
  }
  EXPECT_GT(doubtful, 300);
}

TEST(Grid, AnyLengthOfArrayIsCountedWhole) {
  const Grid g = grid(bounds("0", "100", "1", "50"));
  std::vector<double> values(19);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? kNaN : 5.0 * static_cast<double>(i);
  for (std::size_t count = 0; count <= values.size(); ++count) {
    std::vector<std::int32_t> out(values.size(), 777);
    g.steps(values.data(), count, out.data());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(out[i], i < count ? steps(g, values[i]) : 777);
  }
}

TEST(Grid, ReachesAsFarWhateverTheFormatOfTheFile) {
  // A release of the second once failed after its charge: it was planned for the reach of the
  // first.
  for (const char* upper : {"1000000.4", "1000000.45", "999999.5", "3000000.26"}) {
    const Grid planned = grid(bounds("0", upper, "1", "0"), {}, Precision::Double);
    const Grid found = grid(bounds("0", upper, "1", "0"), {}, Precision::Single);
    EXPECT_EQ(planned.lowest(), found.lowest()) << upper;
    EXPECT_EQ(planned.highest(), found.highest()) << upper;
  }
}

}  // namespace
}  // namespace tacet::data
