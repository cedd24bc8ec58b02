#include "tacet/inference/counts/seen_deviation.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::inference::seen_deviation_test {
namespace {

TEST(SimulatePower, TellsItsProgressAndTheErrorOfItsDraws) {
  GofTest test{.critical = 1.0, .draws = 4000};
  std::vector<double> told;
  const Simulation simulation{.draws = 4000, .threads = 1, .progress = [&](double fraction) { told.push_back(fraction); }};
  simulate_power(test, simulation, [](const Simulation& again) {
    EXPECT_EQ(again.draws, 1000);
    return simulate(again, 10, []() -> BlockOfTables {
      return [](numeric::InsecureStream& /*stream*/, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = i < 8 ? 2 : 0;
      };
    });
  });
  EXPECT_EQ(told.size(), 100);
  EXPECT_THAT(told, testing::Each(testing::AllOf(testing::Gt(0), testing::Le(1))));
  EXPECT_EQ(told.back(), 1);
  EXPECT_EQ(test.power, 0.8);
  EXPECT_DOUBLE_EQ(test.power_standard_error.value(), std::sqrt(0.8 * 0.2 / 1000));
}

}  // namespace
}  // namespace tacet::inference::seen_deviation_test
