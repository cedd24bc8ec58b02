#include "tacet/planning/adaptive_width.h"

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/planning/split_width.h"

namespace tacet::planning {
namespace {

using ::testing::HasSubstr;

std::vector<std::vector<double>> rows_of_widths() {
  std::ifstream file("tests/data_reference/adaptive_width.csv");
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(AdaptiveWidths, AgreeWithTheReferenceTable) {
  const auto rows = rows_of_widths();
  ASSERT_EQ(rows.size(), 7U);
  for (const auto& row : rows) {
    SCOPED_TRACE(::testing::Message() << "n " << row[0] << " queries " << row[1] << " beta " << row[2]);
    const AdaptiveQueries queries{row[0], row[1], row[2]};
    EXPECT_NEAR(rz_monitor_width(queries)->width / row[3], 1, 1e-9);
    EXPECT_NEAR(*rz_monitor_width(queries)->noise / row[4], 1, 1e-5);
    EXPECT_NEAR(dfhprr_width(queries, AnswerNoise::Laplace)->width / row[5], 1, 1e-9);
    EXPECT_NEAR(dfhprr_width(queries, AnswerNoise::Gaussian)->width / row[6], 1, 1e-9);
    EXPECT_NEAR(bnsssu_width(queries, AnswerNoise::Laplace)->width / row[7], 1, 1e-9);
    EXPECT_NEAR(bnsssu_width(queries, AnswerNoise::Gaussian)->width / row[8], 1, 1e-9);
    EXPECT_NEAR(jlnrss_width(queries)->width / row[9], 1, 1e-9);
    EXPECT_NEAR(cvar_width(queries)->width / row[10], 1, 1e-9);
    EXPECT_NEAR(*cvar_width(queries)->noise / row[11], 1, 1e-5);
  }
}

// Values computed independently of this project, from the same formulas.
TEST(AdaptiveWidths, AgreeWithIndependentValues) {
  struct Known {
    double n, k, beta, rz_monitor, rho_each, splitting, cvar, noise;
  };
  constexpr std::array<Known, 4> kKnown = {
      {{6400, 640, 0.05, 0.4995018897234511, 4.244192251490644e-06, 0.5, 0.3820491079771741, 0.04725619430125203},
       {10000, 1000, 0.05, 0.4484111583869164, 2.2459119366927845e-06, 0.5, 0.34473006918435567, 0.04152254817424957},
       {50000, 5000, 0.05, 0.3055193090107042, 2.2110883706240522e-07, 0.5, 0.2374727901204743, 0.02624170402446364},
       {272718, 938, 0.05, 0.08445341132531411, 8.464756436333613e-08, 0.11724137931034483, 0.06322884557457575, 0.007464192720910946}}};
  for (const Known& known : kKnown) {
    const AdaptiveQueries queries{known.n, known.k, known.beta};
    // Those values of rz_monitor are of a noise that is best to four digits only.
    const double noise = 1 / (known.n * std::sqrt(2 * known.rho_each));
    EXPECT_NEAR(*rz_monitor_width_at(queries, noise) / known.rz_monitor, 1, 1e-12);
    EXPECT_LE(rz_monitor_width(queries)->width, known.rz_monitor);
    EXPECT_NEAR(rz_monitor_width(queries)->width / known.rz_monitor, 1, 5e-8);
    EXPECT_NEAR(cvar_width(queries)->width / known.cvar, 1, 1e-9);
    EXPECT_NEAR(*cvar_width(queries)->noise / known.noise, 1, 1e-6);
    EXPECT_NEAR(split_widths(queries)->at_half / known.splitting, 1, 1e-9);
    EXPECT_EQ(adaptive_widths(queries)->best().rule, AdaptiveRule::Cvar);
  }
}

TEST(AdaptiveWidths, TakeTheLeastAndTheConstantAtLast) {
  EXPECT_EQ(adaptive_widths({100, 1000, 0.05})->best().rule, AdaptiveRule::Constant);
  EXPECT_EQ(adaptive_widths({100, 1000, 0.05})->best().width, 0.5);
  const AdaptiveWidths few = *adaptive_widths({10000, 10, 0.05});
  EXPECT_EQ(few.best().rule, AdaptiveRule::DataSplitting);
  EXPECT_NEAR(few.best().width, std::sqrt(std::log(400.0) / 2000), 1e-12);
  EXPECT_LT(adaptive_widths({10000, 10, 0.05}, QueryKind::Proportion)->best().width, few.best().width);
  for (const AdaptiveWidth& one : few.rules) EXPECT_GE(one.width, few.best().width);
}

TEST(AdaptiveWidths, ANoiseThatIsNotTheBestOnlyWidens) {
  const AdaptiveQueries queries{20000, 300, 0.05};
  const AdaptiveWidth best = *cvar_width(queries);
  EXPECT_NEAR(*cvar_width_at(queries, *best.noise), best.width, 1e-12);
  for (const double factor : {0.01, 0.5, 0.9, 1.1, 2.0, 30.0}) EXPECT_GT(*cvar_width_at(queries, *best.noise * factor), best.width);
}

/// Every rule, so that a test may compare two plans rule by rule.
void expect_no_wider(const AdaptiveQueries& easier, const AdaptiveQueries& harder) {
  SCOPED_TRACE(::testing::Message() << "n " << easier.n << " k " << easier.queries << " beta " << easier.beta << " against n " << harder.n
                                    << " k " << harder.queries << " beta " << harder.beta);
  for (const QueryKind kind : {QueryKind::Bounded, QueryKind::Proportion}) {
    const AdaptiveWidths low = *adaptive_widths(easier, kind);
    const AdaptiveWidths high = *adaptive_widths(harder, kind);
    for (std::size_t i = 0; i < low.rules.size(); ++i)
      EXPECT_LE(low.rules[i].width, high.rules[i].width * (1 + 1e-9)) << name(low.rules[i].rule);
  }
  EXPECT_LE(split_widths(easier)->at_half, split_widths(harder)->at_half);
}

TEST(AdaptiveWidths, AreMonotoneInRowsQueriesAndBeta) {
  for (const double n : {300.0, 301.0, 305.0, 999.0, 7000.0}) expect_no_wider({n + 1, 3, 0.05}, {n, 3, 0.05});
  for (const double n : {50.0, 1e3, 3e4, 1e6}) expect_no_wider({n * 1.2, 40, 0.05}, {n, 40, 0.05});
  for (const double k : {1.0, 2.0, 5.0, 60.0, 900.0}) expect_no_wider({5000, k, 0.05}, {5000, k + 1, 0.05});
  // The print of bnsssu jumps where 1/beta is whole.
  for (const double beta : {0.001, 0.0499, 0.05, 0.0501, 0.052, 0.1, 0.3}) expect_no_wider({5000, 20, beta * 1.003}, {5000, 20, beta});
}

TEST(AdaptiveWidths, OfLowSensitivityScale) {
  const AdaptiveQueries queries{6400, 640, 0.05};
  const AdaptiveWidths means = *low_sensitivity_widths(queries, 1.0 / 6400);
  EXPECT_NEAR(means.find(AdaptiveRule::Cvar)->width, cvar_width(queries)->width, 1e-12);
  EXPECT_NEAR(means.find(AdaptiveRule::RzMonitor)->width, rz_monitor_width(queries)->width, 1e-12);
  const AdaptiveWidths sums = *low_sensitivity_widths(queries, 3);
  EXPECT_NEAR(sums.best().width / (3 * 6400 * cvar_width(queries)->width), 1, 1e-12);
  EXPECT_NEAR(*sums.best().noise / (3 * 6400 * *cvar_width(queries)->noise), 1, 1e-12);
  EXPECT_EQ(sums.find(AdaptiveRule::DataSplitting), nullptr);
}

TEST(AdaptiveWidths, RefuseWhatMakesNoSense) {
  EXPECT_THAT(adaptive_widths({0, 1, 0.05}).error().message(), HasSubstr("n is 0"));
  EXPECT_THAT(adaptive_widths({10.5, 1, 0.05}).error().message(), HasSubstr("n is 10.5"));
  EXPECT_THAT(adaptive_widths({10, 0, 0.05}).error().message(), HasSubstr("queries is 0"));
  for (const double beta : {0.0, -1.0, 1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(adaptive_widths({10, 1, beta}).error().message(), HasSubstr("beta is "));
  EXPECT_THAT(low_sensitivity_widths({10, 1, 0.05}, 0).error().message(), HasSubstr("sensitivity is 0"));
  EXPECT_THAT(cvar_width_at({10, 1, 0.05}, 0).error().message(), HasSubstr("noise is 0"));
}

}  // namespace
}  // namespace tacet::planning
