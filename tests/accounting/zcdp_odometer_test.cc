#include "tacet/accounting/zcdp_odometer.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/conversion.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::accounting::zcdp_odometer_test {
namespace {

using ::testing::HasSubstr;

TEST(ZcdpOdometer, AgreesWithTheReferenceTable) {
  std::ifstream file("tests/data_reference/zcdp_odometer.csv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    const double reading = *zcdp_odometer(row[0], row[1]);
    EXPECT_GE(reading, row[2] * (1 - 1e-12)) << line;
    EXPECT_LE(reading, row[2] * (1 + 1e-9)) << line;
    const std::optional<double> rogers = *rogers_zcdp_odometer(row[0], row[1], 100000);
    EXPECT_EQ(rogers.has_value(), row[0] <= 0.5);
    if (rogers) {
      EXPECT_NEAR(*rogers / row[3], 1, 1e-12) << line;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 12);
}

TEST(ZcdpOdometer, LiesBetweenThePresetBudgetAndTheDissertation) {
  for (const double rho : {1e-4, 1e-3, 0.01, 0.1, 0.5}) {
    for (const double delta : {1e-4, 1e-6, 1e-12}) {
      const double reading = *zcdp_odometer(rho, delta);
      EXPECT_GT(reading, epsilon_of_gdp(std::sqrt(2 * rho), delta)->epsilon);
      EXPECT_LT(reading, 1.8 * epsilon_of_gdp(std::sqrt(2 * rho), delta)->epsilon);
      EXPECT_LT(reading, **rogers_zcdp_odometer(rho, delta, 100000) * 0.75);
    }
  }
  EXPECT_EQ(*zcdp_odometer(0, 1e-6), 0);
}

TEST(ZcdpOdometer, GrowsWithRhoAndFallsWithDelta) {
  double last = 0;
  for (int i = 0; i < 48; ++i) {
    const double rho = 1e-9 * std::pow(1.7, i);
    const double reading = *zcdp_odometer(rho, 1e-6);
    EXPECT_GE(reading, last);
    EXPECT_LE(*zcdp_odometer(rho, 1e-5), reading);
    last = reading;
  }
}

/// An analyst who runs Gaussian mechanisms, each with 4 % of the rho of all before, and stops as
/// soon as the loss exceeds the reading by `excess`. The result estimates the expectation of
/// (1 - e^(reading - loss))_+ at that moment: the delta that the reading really has against this
/// analyst.
double delta_against_the_analyst(const std::vector<double>& rhos, const std::vector<double>& readings, double excess, int trials) {
  double sum = 0;
  std::vector<double> normals(rhos.size());
  for (int trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(20240611, static_cast<std::uint64_t>(trial));
    stream.fill_normal(normals);
    double loss = 0;
    for (std::size_t i = 0; i < rhos.size(); ++i) {
      const double step = rhos[i] - (i == 0 ? 0 : rhos[i - 1]);
      loss += step + std::sqrt(2 * step) * normals[i];
      if (loss > readings[i] + excess) {
        sum += -std::expm1(readings[i] - loss);
        break;
      }
    }
  }
  return sum / trials;
}

// Fixed seeds, so it is never red by chance. With 20,000 trials the standard error of a delta of
// 0.05 is below 0.0016.
TEST(ZcdpOdometer, HoldsAtTheMomentThatAnAnalystChoosesAndAPresetBudgetDoesNot) {
  constexpr double kDelta = 0.05;
  constexpr int kTrials = 20000;
  std::vector<double> rhos;
  std::vector<double> readings;
  std::vector<double> preset;
  for (int i = 0; i < 250; ++i) {
    const double rho = 1e-3 * std::pow(1.04, i);
    rhos.push_back(rho);
    readings.push_back(*zcdp_odometer(rho, kDelta));
    preset.push_back(epsilon_of_gdp(std::sqrt(2 * rho), kDelta)->epsilon);
  }
  for (const double excess : {0.0, 0.2, 0.5, 1.0}) {
    EXPECT_LT(delta_against_the_analyst(rhos, readings, excess, kTrials), kDelta) << excess;
  }
  // The planted fault: the epsilon of the total so far, as if the budget had been set beforehand.
  EXPECT_GT(delta_against_the_analyst(rhos, preset, 0.5, kTrials), 2 * kDelta);
}

TEST(ZcdpOdometer, RefusesWhatMakesNoSense) {
  EXPECT_THAT(zcdp_odometer(-1, 1e-6).error().message(), HasSubstr("rho is -1"));
  EXPECT_THAT(zcdp_odometer(1, 0).error().message(), HasSubstr("delta is 0"));
  EXPECT_THAT(zcdp_odometer(1, 1).error().message(), HasSubstr("delta is 1"));
  EXPECT_THAT(rogers_zcdp_odometer(0.1, 1e-6, 1).error().message(), HasSubstr("n is 1"));
}

}  // namespace
}  // namespace tacet::accounting::zcdp_odometer_test
