// Noise does not depend on how finely a column is declared. (That planned noise is enough:
// tests/kernel/scale_check_test.cc.)
#include "tacet/mechanisms/noise_plan.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"

namespace tacet::mechanisms::noise_plan_test {
namespace {

using kernel::BoxSensitivity;
using kernel::NoiseFamily;
using testing::epsilon_loss;
using testing::mu_loss;

/// Sums and products of columns of these half widths, in steps.
BoxSensitivity moments(const std::vector<std::int64_t>& halves) {
  BoxSensitivity box{kernel::Relation::ReplaceOne, {}, 1, 1, halves.size()};
  for (const std::int64_t half : halves) box.most.push_back(Int128{2} * half);
  for (std::size_t j = 0; j < halves.size(); ++j) {
    for (std::size_t k = j; k < halves.size(); ++k) box.most.push_back(Int128{j == k ? 1 : 2} * halves[j] * halves[k]);
  }
  return box;
}

TEST(NoisePlan, AFinerResolutionOfOneColumnChangesNoOther) {
  const BoxSensitivity coarse = moments(std::vector<std::int64_t>(8, 1000));
  std::vector<std::int64_t> halves(8, 1000);
  halves[3] = 1'000'000;
  const BoxSensitivity fine = moments(halves);
  const std::vector<double> weights(coarse.most.size(), 1);
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    const auto loss = family == NoiseFamily::Gaussian ? mu_loss("1") : epsilon_loss("1");
    const auto before = plan_numbers(family, coarse, weights, loss);
    const auto after = plan_numbers(family, fine, weights, loss);
    ASSERT_TRUE(before.ok() && after.ok());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double finer = static_cast<double>(fine.most[i]) / static_cast<double>(coarse.most[i]);
      EXPECT_NEAR(after->scale[i] / finer / before->scale[i], 1, 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace tacet::mechanisms::noise_plan_test
