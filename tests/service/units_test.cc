// Units: what is released of a column does not depend on the units in which it, or another, is
// declared.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"
#include "support/scripted_bits.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two columns of 8000 steps, each in its own unit, which is 10 to this power.
struct Units {
  int a, b;
};

/// 600 people with the same noise bits for every choice of units; a and b are correlated.
class UnitsDesk : public Desk {
 public:
  explicit UnitsDesk(const Units& units, const std::string& relation = "replace-one") {
    std::string schema =
        fmt::format("tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\nneighbours = \"{}\"\nidealised = true\n", relation);
    schema += "[columns.group]\ncategories = [\"many\", \"none\"]\nother = \"many\"\n";
    schema += column("a", units.a) + column("b", units.b);
    write("people.toml", schema);
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::string rows = "group,a,b\n";
    for (int i = 0; i < 600; ++i) {
      const double x = normal(random);
      a_.push_back(steps(800 * x + 500));
      b_.push_back(steps(400 * x + 300 * normal(random) - 200));
      rows += fmt::format("many,{},{}\n", decimal(a_.back(), units.a), decimal(b_.back(), units.b));
    }
    write("people.csv", rows);
    context.random_bits = []() -> Result<std::unique_ptr<exact::RandomBits>> {
      return std::unique_ptr<exact::RandomBits>(std::make_unique<test::InsecureSeededBits>(7));
    };
  }

  Result<Json> publish(const std::string& kind, const Json& how) const {
    Json request = {{"data", path("people.csv")}, {"schema", path("people.toml")}, {"columns", "a,b"}, {"out", path("r.json")}};
    request.update(how);
    return call("release " + kind, request);
  }

  /// In steps squared, over n.
  double covariance(bool first, bool second) const {
    const std::vector<int>& x = first ? b_ : a_;
    const std::vector<int>& y = second ? b_ : a_;
    const auto n = static_cast<double>(x.size());
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean_x += x[i] / n;
      mean_y += y[i] / n;
    }
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y) / n;
    return sum;
  }

 private:
  static int steps(double x) { return static_cast<int>(std::lround(std::clamp(x, -4000.0, 4000.0))); }
  /// steps times 10^power, without a rounding.
  static std::string decimal(int value, int power) { return fmt::format("{}e{}", value, power); }
  static std::string plain(int value, int power) {
    if (power >= 0) return std::to_string(value) + std::string(static_cast<std::size_t>(power), '0');
    const std::string digits = fmt::format("{:0{}}", std::abs(value), 1 - power);
    const std::size_t whole = digits.size() - static_cast<std::size_t>(-power);
    return (value < 0 ? "-" : "") + digits.substr(0, whole) + "." + digits.substr(whole);
  }
  static std::string column(const std::string& name, int power) {
    return fmt::format("[columns.{}]\nlower = {}\nupper = {}\nresolution = {}\nmissing = 0\n", name, plain(-4000, power),
                       plain(4000, power), plain(1, power));
  }
  std::vector<int> a_, b_;
};

/// Each number of the first answer is that of the second times the units of what it counts.
void expect_same(const Json& got, const Json& plain, double unit_a, double unit_b) {
  const double units[] = {unit_a, unit_b};
  const bool matrix = plain.at("values").at(0).is_array();
  for (const char* field : {"values", "noise_sd"}) {
    if (plain.at(field).is_null()) continue;
    for (std::size_t j = 0; j < 2; ++j) {
      if (!matrix) {
        EXPECT_NEAR(got.at(field)[j].get<double>() / units[j] / plain.at(field)[j].get<double>(), 1, 1e-9) << field << j;
        continue;
      }
      const double size = std::sqrt(plain.at("values")[0][0].get<double>() * plain.at("values")[1][1].get<double>());
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(got.at(field)[j][k].get<double>() / (units[j] * units[k]), plain.at(field)[j][k].get<double>(), 1e-9 * size)
            << field << j << k;
      }
    }
  }
}

TEST(Units, WhatIsReleasedByDefaultFollowsThem) {
  for (const std::string relation : {"replace-one", "add-or-remove-one"}) {
    for (const std::string kind : {"sum", "mean", "second-moment", "covariance"}) {
      std::vector<Json> hows = {{{"rho", "0.5"}}};
      if (relation == "replace-one") {
        hows.push_back({{"mechanism", "laplace"}, {"epsilon", 2}});
        hows.push_back({{"mechanism", "k-norm"}, {"epsilon", 2}});
      }
      if (relation == "replace-one" && kind == "covariance") {
        hows.push_back({{"mechanism", "k-norm+laplace"}, {"epsilon", 2}});
        hows.push_back({{"for", "two-sample"}, {"rho", "0.5"}});
        hows.push_back({{"rho", "0.0001"}});  // nothing but noise
      }
      for (const Json& how : hows) {
        SCOPED_TRACE(relation + " " + kind + " " + how.dump());
        const auto publish = [&](const Units& units) {
          const UnitsDesk desk(units, relation);
          EXPECT_TRUE(desk.budget("create", {{"rho", 1000}}).ok());
          const auto result = desk.publish(kind, how);
          EXPECT_TRUE(result.ok()) << result.error().message();
          return *result;
        };
        const Json plain = publish({0, 0});
        ASSERT_FALSE(plain.at("values").is_null());
        expect_same(publish({3, 0}), plain, 1e3, 1);
        expect_same(publish({0, -3}), plain, 1, 1e-3);
      }
    }
  }
}

TEST(Units, CovariancesOfColumnsFarApartAreThoseOfTheRowsWhenNoiseIsNegligible) {
  const UnitsDesk desk({-6, 2});  // half widths of 0.004 and 400000
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 1000000}}).ok());
  const auto result = desk.publish("covariance", {{"mechanism", "laplace"}, {"epsilon", 1000000}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  const double units[] = {1e-6, 1e2};
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double plain = desk.covariance(j == 1, k == 1) * units[j] * units[k];
      EXPECT_NEAR(result->at("values")[j][k].get<double>() / plain, 1, 1e-6) << j << k;
      EXPECT_LT(result->at("noise_sd")[j][k].get<double>() / plain, 1e-6) << j << k;
    }
  }
}

TEST(Units, ThatAreAsFarApartAsCanBeAreServedByDefault) {
  for (const std::string kind : {"sum", "mean", "covariance"}) {
    const UnitsDesk desk({-9, 8});  // 4e-6 beside 4e11
    ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
    EXPECT_TRUE(desk.publish(kind, {{"rho", "0.1"}}).ok()) << kind;
  }
}

TEST(Units, ThatLeastSquaresCannotServeAreRefusedBeforeTheChargeWithARemedy) {
  const UnitsDesk desk({-9, 8});
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const Json& how : {Json{{"rho", "0.1"}}, Json{{"mechanism", "laplace"}, {"epsilon", "0.1"}},
                          Json{{"mechanism", "k-norm+laplace"}, {"epsilon", "0.1"}}}) {
    Json request = how;
    request["goal"] = "least-squares";
    const auto refused = desk.publish("covariance", request);
    ASSERT_FALSE(refused.ok()) << how;
    EXPECT_EQ(refused.error().name(), "noise scale");
    EXPECT_THAT(
        refused.error().message(),
        HasSubstr("must lie between 2^-40 and 2^60; leave out goal = least-squares, which depends on units, or declare the columns in "
                  "units that are less far apart; otherwise ask for more epsilon, rho or mu"));
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
    EXPECT_EQ(desk.spent(), "rho 0");
  }
}

TEST(Units, OfAPublicCovarianceDoNotMakeItSingular) {
  const UnitsDesk desk({-6, 2});
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000}}).ok());
  desk.write("covariance.json", "[[6.4e-7, 32], [32, 2.5e9]]");  // correlation 0.8
  const auto white = desk.publish("query", {{"rho", 500}, {"covariance", desk.path("covariance.json")}, {"n", 600}});
  ASSERT_TRUE(white.ok()) << white.error().message();
  EXPECT_NEAR(white->at("values")[0].get<double>(), 500e-6, 100e-6);
  EXPECT_NEAR(white->at("values")[1].get<double>(), -200e2, 60e2);
  desk.write("covariance.json", "[[1, 1], [1, 1]]");
  EXPECT_REFUSED(
      desk, Code::InvalidArgument,
      desk.publish("query", {{"rho", 1}, {"covariance", desk.path("covariance.json")}, {"n", 600}, {"out", desk.path("s.json")}}));
}

TEST(PrintedMoments, HaveTheirNoiseBesideThemAndSayWhatIsBelowIt) {
  const UnitsDesk desk({0, 0});
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000}}).ok());
  const Json clear = *desk.publish("covariance", {{"rho", 900}});
  const std::string words = desk.said;
  EXPECT_THAT(words,
              HasSubstr(fmt::format("{:.5g} ({:.2g})", clear.at("values")[0][0].get<double>(), clear.at("noise_sd")[0][0].get<double>())));
  EXPECT_THAT(words, HasSubstr("In parentheses: the standard deviation of the noise."));
  EXPECT_THAT(words, Not(HasSubstr("elow noise")));
  const Json hidden = *desk.publish("covariance", {{"rho", "1e-8"}, {"out", desk.path("hidden.json")}});
  const std::string of_noise = desk.said;
  EXPECT_THAT(of_noise, HasSubstr(fmt::format("below noise ({:.2g})", hidden.at("noise_sd")[0][0].get<double>())));
  EXPECT_THAT(of_noise, HasSubstr("Below noise: smaller than the standard deviation of its noise, so not distinguishable from 0."));
}

TEST(PrintedMoments, OfNobodyAreNoAnswer) {
  const UnitsDesk desk({0, 0});
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000}}).ok());
  for (const std::string kind : {"mean", "covariance"}) {
    const auto result = desk.publish(kind, {{"rho", "1"}, {"group-by", "group"}, {"out", desk.path(kind + ".json")}});
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_TRUE(result->at("values")[0].is_array());
    EXPECT_TRUE(result->at("values")[1].is_null());
    const std::string reason = result->at("no_answer")[1];
    EXPECT_THAT(reason, HasSubstr("so there may be nobody"));
    EXPECT_THAT(desk.said, HasSubstr("people): no answer, as " + reason + ".\n"));
  }
}

}  // namespace
}  // namespace tacet::service
