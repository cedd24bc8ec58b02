// release histogram, infer quantile and infer distribution.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kTowns = R"(tacet = 1
dataset = "towns"
ledger = "towns.ledger"
neighbours = "replace-one"
[columns.sex]
categories = ["f", "m"]
other = "f"
[columns.age]
lower = 0
upper = 100
resolution = 1
bins = [0, 20, 40, 60, 100]
[columns.income]
lower = 0
upper = 2000000
resolution = 1000
[columns.share]
lower = 0
upper = 0.001
resolution = 0.000001
[columns.born]
date = true
lower = 1920-01-01
upper = 2020-01-01
resolution = 1
)";

/// 400 people in columns of very different units, computed here without privacy.
class Histograms : public ::testing::Test {
 protected:
  Histograms() {
    std::string csv = "sex,age,income,share,born\n";
    for (int i = 0; i < 400; ++i) {
      const int spread = i * 7919 % 400;  // each of 0 to 399 once
      income.push_back(4000.0 * spread + 500);
      share.push_back(1e-6 * (spread * spread / 400.0 + 0.5));
      const int years = spread / 5;
      age.push_back(years);
      csv += fmt::format("{},{},{},{:.9f},{}-06-15\n", i % 2 == 0 ? "f" : "m", i % 10 == 3 ? std::string() : fmt::format("{}", age.back()),
                         income.back(), share.back(), 1930 + spread / 5);
    }
    desk.write("towns.csv", csv);
    desk.write("towns.toml", kTowns);
    const auto made = desk.call("budget create", {{"schema", desk.path("towns.toml")}, {"rho", 1e6}});
    EXPECT_TRUE(made.ok()) << made.error().message();
  }
  Json release(const std::string& verb, const std::string& out, Json more) const {
    more.update({{"data", desk.path("towns.csv")}, {"schema", desk.path("towns.toml")}, {"out", desk.path(out)}});
    const auto made = desk.call("release " + verb, more);
    EXPECT_TRUE(made.ok()) << made.error().message();
    return made.ok() ? *made : Json();
  }
  Result<Json> infer(const std::string& verb, const std::string& file, Json more = Json::object()) const {
    more["release"] = desk.path(file);
    return desk.call("infer " + verb, more);
  }
  std::string refused(const std::string& verb, const std::string& file, const Json& more) const {
    const auto answer = infer(verb, file, more);
    return answer.ok() ? "not refused" : answer.error().message();
  }
  static double plain_quantile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::ceil(p * static_cast<double>(values.size()))) - 1];
  }
  Desk desk;
  std::vector<double> income, share, age;
};

TEST_F(Histograms, WithNegligibleNoiseQuantilesAreThoseOfTheFile) {
  for (const auto& [column, values, width] : {std::tuple{"income", income, 8000.0}, {"share", share, 4e-6}}) {
    const std::string file = std::string(column) + ".json";
    const Json made = release("histogram", file, {{"column", column}, {"rho", 1e5}});
    EXPECT_EQ(made.at("kind"), "histogram");
    EXPECT_EQ(made.at("n"), 400);
    const auto answer = infer("quantile", file, {{"probability", "0.1,0.5,0.9"}});
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    const std::vector<double> probabilities = {0.1, 0.5, 0.9};
    for (std::size_t i = 0; i < 3; ++i) {
      const double truth = plain_quantile(values, probabilities[i]);
      EXPECT_NEAR(answer->at("estimate")[i].get<double>(), truth, width) << column;
      EXPECT_LE(answer->at("file_lower")[i].get<double>(), truth);
      EXPECT_GE(answer->at("file_upper")[i].get<double>(), truth);
      EXPECT_NEAR(answer->at("file_upper")[i].get<double>() - answer->at("file_lower")[i].get<double>(), width, 1.01 * width) << column;
      EXPECT_LT(answer->at("lower")[i].get<double>(), truth);
      EXPECT_GT(answer->at("upper")[i].get<double>(), truth);
    }
    EXPECT_THAT(desk.said,
                AllOf(HasSubstr("in the population"), HasSubstr("About 400 people have a number."), HasSubstr("This cost no privacy.")));
  }
}

TEST_F(Histograms, OneQuantileIsANumberAndTheMedianIsTheDefault) {
  release("histogram", "income.json", {{"column", "income"}, {"rho", 1e5}});
  EXPECT_THAT(desk.said, AllOf(HasSubstr("A histogram of income with 250 bins from 0 to 2e+06, and sums of every 4 of them at 3 levels."),
                               HasSubstr("part below"), HasSubstr("tacet infer quantile --release")));
  const auto answer = infer("quantile", "income.json");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_TRUE(answer->at("estimate").is_number());
  EXPECT_EQ(answer->at("rows")[0].at("probability"), 0.5);
  // Ranks 180 and 221 of 400: the classical interval of the median.
  EXPECT_EQ(answer->at("lower"), 8000 * std::floor((4000.0 * 179 + 500) / 8000));
  EXPECT_EQ(answer->at("upper"), 8000 * std::ceil((4000.0 * 220 + 500) / 8000));
}

TEST_F(Histograms, MissingNumbersAreLeftOut) {
  release("histogram", "age.json", {{"column", "age"}, {"rho", 1e5}});
  const auto answer = infer("quantile", "age.json", {{"probability", 0.5}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("people").get<double>(), 360, 0.1);
  std::vector<double> present;
  for (std::size_t i = 0; i < 400; ++i)
    if (i % 10 != 3) present.push_back(age[i]);
  EXPECT_EQ(answer->at("file_lower").get<double>(), plain_quantile(present, 0.5));
}

TEST_F(Histograms, ATableByBinsHasQuantilesToo) {
  release("counts", "table.json", {{"by", "sex,age"}, {"rho", 1e5}});
  const auto all = infer("quantile", "table.json");
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->at("file_lower"), 20);
  EXPECT_EQ(all->at("file_upper"), 40);
  const auto women = infer("quantile", "table.json", {{"of", "age"}, {"given", "sex=f"}});
  ASSERT_TRUE(women.ok()) << women.error().message();
  EXPECT_NEAR(women->at("people").get<double>(), 200, 0.1);
  EXPECT_THAT(refused("quantile", "table.json", {{"of", "sex"}}), HasSubstr("must name one column of the release with bins"));
  EXPECT_THAT(refused("quantile", "table.json", {{"given", "age=\"0 to under 20\""}}), HasSubstr("must not be about the column"));
  EXPECT_THAT(refused("quantile", "table.json", {{"given", "sex=x"}}), HasSubstr("given"));
}

TEST_F(Histograms, DatesAreWrittenAsDates) {
  const Json made = release("histogram", "born.json", {{"column", "born"}, {"bins", 100}, {"rho", 1e5}});
  EXPECT_EQ(made.at("dates"), true);
  const auto answer = infer("quantile", "born.json");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at("dates"), true);
  EXPECT_THAT(desk.said, HasSubstr("1969-"));
}

TEST_F(Histograms, DatesMayHaveBinsOfTheCalendar) {
  const Json made = release("histogram", "born.json", {{"column", "born"}, {"every", "year"}, {"rho", 1e5}});
  ASSERT_EQ(made.at("edges").size(), 101U);
  EXPECT_EQ(made.at("edges")[50], 0);  // 1970-01-01
  EXPECT_EQ(made.at("statement").at("every"), "year");
  for (int year = 1930; year < 2010; ++year)
    EXPECT_NEAR(made.at("values")[0][static_cast<std::size_t>(year - 1920)].get<double>(), 5, 0.5) << year;
  const Json quarters = release("histogram", "quarters.json", {{"column", "born"}, {"every", "quarter"}, {"rho", 1e5}});
  EXPECT_EQ(quarters.at("edges").size(), 401U);
  const auto refused_of = [&](const Json& more) {
    Json request = {{"data", desk.path("towns.csv")}, {"schema", desk.path("towns.toml")}, {"rho", 1}, {"out", desk.path("no.json")}};
    request.update(more);
    const auto answer = desk.call("release histogram", request);
    return answer.ok() ? std::string("not refused") : answer.error().message();
  };
  EXPECT_THAT(refused_of({{"column", "age"}, {"every", "month"}}), HasSubstr("goes with a column of dates, which \"age\" is not"));
  EXPECT_THAT(refused_of({{"column", "born"}, {"every", "month"}, {"bins", 9}}), HasSubstr("cannot be given together with bins or edges"));
}

TEST_F(Histograms, TheDistributionFunctionHasBandsAndFiles) {
  release("histogram", "income.json", {{"column", "income"}, {"bins", 20}, {"rho", 1}});
  const auto answer = infer("distribution", "income.json", {{"csv", desk.path("f.csv")}, {"html", desk.path("f.html")}, {"draws", 999}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at("edges").size(), 21U);
  EXPECT_EQ(answer->at("estimate")[0], 0);
  EXPECT_EQ(answer->at("estimate")[20], 1);
  for (std::size_t j = 0; j <= 20; ++j) {
    EXPECT_LE(answer->at("lower")[j].get<double>(), answer->at("upper")[j].get<double>());
    EXPECT_LE(answer->at("file_lower")[j].get<double>(), answer->at("file_upper")[j].get<double>());
  }
  EXPECT_THAT(desk.read("f.csv"), HasSubstr("edge,estimate,lower,upper,file_lower,file_upper\n0,0,0,0,0,0\n"));
  EXPECT_THAT(desk.read("f.html"), HasSubstr("The distribution of income"));
  EXPECT_THAT(desk.said, AllOf(HasSubstr("All intervals of a column hold together with probability 0.95"), Not(HasSubstr("One edge in"))));
}

TEST_F(Histograms, SimultaneousIntervalsAreWider) {
  release("histogram", "income.json", {{"column", "income"}, {"rho", 0.5}});
  const auto each = infer("quantile", "income.json", {{"probability", "0.25,0.5"}});
  const auto together = infer("quantile", "income.json", {{"probability", "0.25,0.5"}, {"intervals", "simultaneous"}, {"draws", 999}});
  ASSERT_TRUE(each.ok() && together.ok());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LE(together->at("lower")[i].get<double>(), each->at("lower")[i].get<double>());
    EXPECT_GE(together->at("upper")[i].get<double>(), each->at("upper")[i].get<double>());
  }
  EXPECT_THAT(desk.said, HasSubstr("All intervals of a column hold together"));
}

TEST_F(Histograms, RequestsThatCannotBeAnsweredSayWhy) {
  release("histogram", "income.json", {{"column", "income"}, {"rho", 1}});
  release("counts", "sexes.json", {{"by", "sex"}, {"rho", 1}});
  EXPECT_THAT(refused("quantile", "income.json", {{"probability", 1}}),
              HasSubstr("probability is 1, but must be greater than 0 and less than 1"));
  EXPECT_THAT(refused("quantile", "income.json", {{"probability", Json::array()}}), HasSubstr("probability is an empty list"));
  EXPECT_THAT(refused("quantile", "income.json", {{"confidence", 2}}), HasSubstr("confidence is 2"));
  EXPECT_THAT(refused("quantile", "income.json", {{"of", "age"}}), HasSubstr("must be the column of the histogram, income"));
  EXPECT_THAT(refused("quantile", "income.json", {{"given", "sex=f"}}), HasSubstr("goes with a table of counts"));
  EXPECT_THAT(refused("quantile", "sexes.json", Json::object()), HasSubstr("of is missing, with 0 columns of bins"));
  EXPECT_THAT(refused("gof", "income.json", {{"null", desk.path("towns.toml")}}), Not(HasSubstr("not refused")));
}

}  // namespace
}  // namespace tacet::service
