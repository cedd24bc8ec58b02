// Adding up the cells of variables that are not wanted.
#include "tacet/inference/counts/marginal.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/drawn_release.h"

namespace tacet::inference {
namespace {

mechanisms::CountRelease three_way(const mechanisms::NoiseDistribution& law) {
  std::vector<double> values(24);
  for (std::size_t i = 0; i < 24; ++i) values[i] = static_cast<double>(i);
  mechanisms::CountRelease release = release_of(std::move(values), {2, 3, 4}, 276, law);
  release.axes = {{"a", {"0", "1"}}, {"b", {"0", "1", "2"}}, {"c", {"0", "1", "2", "3"}}};
  return release;
}

TEST(Marginal, AddsUpWhatIsNotWanted) {
  const auto table = marginal(three_way(gaussian(5)), {"c", "a"});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->shape, (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(table->axes[0].name, "c");
  EXPECT_EQ(table->values[0], 0 + 4 + 8);
  EXPECT_EQ(table->values[1], 12 + 16 + 20);
  EXPECT_EQ(table->values[7], 15 + 19 + 23);
  EXPECT_DOUBLE_EQ(table->noise.scale, 5 * std::sqrt(3.0));
  EXPECT_EQ(table->n, 276);
}

TEST(Marginal, OfAllVariablesIsATranspose) {
  const auto table = marginal(three_way(laplace(5)), {"c", "b", "a"});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->values[1], 12);
  EXPECT_EQ(table->noise.scale, 5);
}

TEST(Marginal, RefusesLaplaceSumsAndUnknownNames) {
  EXPECT_EQ(marginal(three_way(laplace(5)), {"a", "b"}).error().code(), Code::Unsupported);
  EXPECT_EQ(marginal(three_way(gaussian(5)), {"a", "z"}).error().name(), "variable");
  EXPECT_EQ(marginal(three_way(gaussian(5)), {"a", "a"}).error().name(), "variable");
  EXPECT_EQ(marginal(release_of({1, 2, 3, 4}, {2, 2}, 10, gaussian(1)), {"a", "b"}).error().name(), "variable");
}

}  // namespace
}  // namespace tacet::inference
