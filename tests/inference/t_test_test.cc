// The t-test for one column: without noise it is Welch's and the one-sample test; p-value and
// interval agree.
#include "tacet/inference/means/t_test.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::t_test_test {
namespace {

using mechanisms::MomentRelease;

/// Two columns; the first has the values, of a unit.
MomentRelease release_of(std::size_t people, std::size_t step, double divisor, double shift, double mu = 1e7, double unit = 1) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < people; ++i) rows.push_back({unit * (static_cast<double>(i * step % people) / divisor + shift), 1});
  return studies::exact_release(
      {.columns = {studies::column("x", -100 * unit, 200 * unit), studies::column("other", 0, 2)}, .family = "gaussian", .mu = mu}, rows);
}

const MomentRelease kFirst = release_of(30, 7, 3, 0);
const MomentRelease kSecond = release_of(20, 3, 2, 1);
const std::vector<ReleasedGroup> kBoth = {{&kFirst, 0}, {&kSecond, 0}};

// By scipy 1.14: statistic and df of ttest_ind(equal_var=False); p-values and ends by quadrature
// of the distribution of Behrens and Fisher. Welch's p-value is 0.2879, and the ends are -2.636
// and 0.803.
TEST(TTest, WithoutNoiseIsThatOfBehrensAndFisher) {
  const Simulation many{.draws = 400'000, .seed = 3};
  const ColumnTest two = *t_test(kBoth, 0, {.simulation = many});
  EXPECT_NEAR(two.statistic, -1.0769142997, 1e-5);
  EXPECT_NEAR(*two.df, 40.64666, 0.01);
  EXPECT_NEAR(two.p_value, 0.298007, 0.004);
  EXPECT_NEAR(two.estimate, -0.916666667, 1e-8);
  EXPECT_NEAR(*two.lower, -0.916667 - 1.759166, 0.015);
  EXPECT_NEAR(*two.upper, -0.916667 + 1.759166, 0.015);
  EXPECT_EQ(two.outcome, Outcome::Retain);
  const ColumnTest less = *t_test(kBoth, 0, {.alternative = Alternative::Less, .simulation = many});
  EXPECT_NEAR(less.p_value, 0.149003, 0.003);
  EXPECT_FALSE(less.lower);
  EXPECT_NEAR(*less.upper, -0.916667 + 1.464804, 0.015);
  const ColumnTest greater = *t_test(kBoth, 0, {.alternative = Alternative::Greater, .simulation = many});
  EXPECT_NEAR(greater.p_value, 1 - 0.149003, 0.003);
  EXPECT_NEAR(*greater.lower, -0.916667 - 1.464804, 0.015);
  EXPECT_FALSE(greater.upper);
}

TEST(TTest, OfOneGroupWithoutNoiseIsStudents) {
  const ColumnTest one = *t_test({{&kFirst, 0}}, 0, {.null = 4});
  EXPECT_NEAR(one.estimate, 4.8333333333, 1e-8);
  EXPECT_NEAR(one.statistic, 1.5554275, 1e-5);
  EXPECT_NEAR(*one.df, 29, 0.01);
  EXPECT_NEAR(one.p_value, 0.130691, 0.004);
  EXPECT_NEAR(*one.lower, 3.737584, 0.02);
  EXPECT_NEAR(*one.upper, 5.929082, 0.02);
}

TEST(TTest, RejectsWhatItsIntervalDoesNotContain) {
  for (const Alternative alternative : {Alternative::TwoSided, Alternative::Less, Alternative::Greater}) {
    const Simulation few{.draws = 9'999};
    const ColumnTest test = *t_test(kBoth, 0, {.alternative = alternative, .simulation = few});
    for (const double side : {-1.0, 1.0}) {
      const std::optional<double> end = side < 0 ? test.lower : test.upper;
      if (!end) continue;
      EXPECT_EQ(t_test(kBoth, 0, {.alternative = alternative, .null = *end + side * 1e-3, .simulation = few})->outcome, Outcome::Reject);
      EXPECT_EQ(t_test(kBoth, 0, {.alternative = alternative, .null = *end - side * 1e-3, .simulation = few})->outcome, Outcome::Retain);
    }
  }
}

TEST(TTest, DoesNotDependOnUnits) {
  const MomentRelease first = release_of(300, 7, 30, 0, 20);
  const MomentRelease second = release_of(200, 3, 20, 1, 20);
  const ColumnTest plain = *t_test({{&first, 0}, {&second, 0}}, 0, {});
  for (const double unit : {1e-6, 1e9}) {
    const MomentRelease a = release_of(300, 7, 30, 0, 20, unit);
    const MomentRelease b = release_of(200, 3, 20, 1, 20, unit);
    const ColumnTest scaled = *t_test({{&a, 0}, {&b, 0}}, 0, {});
    EXPECT_NEAR(scaled.statistic, plain.statistic, 1e-9);
    EXPECT_NEAR(*scaled.df, *plain.df, 1e-6);
    EXPECT_NEAR(scaled.p_value, plain.p_value, 1e-4);
    EXPECT_NEAR(*scaled.lower / unit, *plain.lower, 1e-9);
    EXPECT_NEAR(*scaled.upper / unit, *plain.upper, 1e-9);
  }
}

TEST(TTest, OfThePeopleInTheFileKnowsNoiseAlone) {
  MomentRelease means = release_of(3000, 7, 300, 0, 20);
  means.parts[0].products.clear();
  EXPECT_EQ(t_test({{&means, 0}}, 0, {}).error().code(), Code::Unsupported);
  const ColumnTest test = *t_test({{&means, 0}}, 0, {.null = 4, .target = MeanTarget::Data});
  EXPECT_FALSE(test.df);
  const double sd = means.parts[0].sums[0].scale / 3000;
  EXPECT_NEAR(test.sd, sd, 1e-12);
  EXPECT_NEAR(*test.upper - test.estimate, 1.959964 * sd, 0.03 * sd);
  MomentRelease eigen = release_of(3000, 7, 300, 0, 20);
  eigen.mechanism = mechanisms::MomentMechanism::Eigen;
  EXPECT_EQ(t_test({{&eigen, 0}}, 0, {}).error().code(), Code::Unsupported);
  EXPECT_TRUE(t_test({{&eigen, 0}}, 0, {.target = MeanTarget::Data}).ok());
}

// The combination is a column of its own: rows of which it was computed give the same test.
TEST(TTest, OfACombinationIsThatOfItsColumn) {
  const auto releases_of = [](double shift) {
    std::vector<std::vector<double>> two;
    std::vector<std::vector<double>> one;
    for (int i = 0; i < 40; ++i) {
      const double x = std::sin(3.0 * i) + shift;
      const double y = 0.5 * x + std::cos(5.0 * i);
      two.push_back({x, y});
      one.push_back({2 * x - 3 * y});
    }
    const auto both = studies::exact_release(
        {.columns = {studies::column("x", -4, 4), studies::column("y", -5, 5)}, .family = "gaussian", .mu = 1e7}, two);
    return std::pair{both, studies::exact_release({.columns = {studies::column("z", -23, 23)}, .family = "gaussian", .mu = 1e7}, one)};
  };
  const auto [first, first_one] = releases_of(0.3);
  const auto [second, second_one] = releases_of(0);
  const ColumnTest combined = *t_test({{&first, 0}, {&second, 0}}, {2, -3}, {});
  const ColumnTest alone = *t_test({{&first_one, 0}, {&second_one, 0}}, 0, {});
  EXPECT_NEAR(combined.estimate, 0.15, 1e-6);
  EXPECT_NEAR(combined.statistic, alone.statistic, 1e-5);
  EXPECT_NEAR(*combined.df, *alone.df, 1e-4);
  EXPECT_NEAR(combined.p_value, alone.p_value, 0.006) << "fixed seed, 99,999 draws each";
  EXPECT_LT(combined.noise_share, 1e-6);
  EXPECT_EQ(t_test({{&first, 0}}, std::vector<double>{2}, {}).error().name(), "direction");
  EXPECT_EQ(t_test({{&first, 0}}, std::vector<double>{0, 0}, {}).error().name(), "direction");
  EXPECT_EQ(t_test({{&first, 0}}, std::vector<double>{NAN, 1}, {}).error().name(), "direction");
}

// Laplace noise of a combination is that of its parts: its interval is that of
// the sum of two Laplace variables.
TEST(TTest, OfACombinationKnowsTheNoiseOfEveryPart) {
  std::vector<std::vector<double>> rows(1000, {0, 0});
  MomentRelease release =
      studies::exact_release({.columns = {studies::column("x", -1, 1), studies::column("y", -1, 1)}, .family = "laplace", .mu = 1}, rows);
  release.parts[0].sums = {{0, 10}, {0, 5}};
  const ColumnTest test = *t_test({{&release, 0}}, {1, 4}, {.alpha = 0.1, .target = MeanTarget::Data});
  // The sum of Laplace variables of scales a = 0.01 and b = 0.02 exceeds t with probability
  // (b^2 exp(-t/b) - a^2 exp(-t/a))/(2 (b^2 - a^2)), which is 0.05 at t = 0.051419.
  EXPECT_NEAR(test.sd, std::sqrt(2 * (1e-4 + 4e-4)), 1e-12);
  EXPECT_NEAR(*test.upper, 0.051419, 0.0006);
}

TEST(TTest, RefusesWhatItCannotTest) {
  EXPECT_EQ(t_test({}, 0, {}).error().name(), "groups");
  EXPECT_EQ(t_test(kBoth, 0, {.alpha = 0}).error().name(), "alpha");
  EXPECT_EQ(t_test(kBoth, 0, {.null = INFINITY}).error().name(), "null");
  EXPECT_EQ(t_test(kBoth, 0, {.alpha = 0.01, .simulation = {.draws = 20}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::inference::t_test_test
