#include "tacet/workflow/infer/test_model.h"

#include <gtest/gtest.h>

#include "tacet/workflow/release/import_local.h"

namespace tacet {
namespace {

CountRelease genotypes(std::vector<double> values, double n) {
  CountRelease release{};
  release.shape = {values.size()};
  release.values = std::move(values);
  release.n = n;
  release.noise = {kernel::NoiseFamily::Gaussian, 8, mechanisms::NoiseStructure::Independent};
  return release;
}

const ModelRequest kOwn = {.parameters = {{"a", 0, 1}}, .cells = {"a^2", "2*a*(1 - a)", "(1 - a)^2"}};

TEST(TestModel, FitsHardyWeinbergByNameAndByExpressions) {
  const CountRelease equilibrium = genotypes({362.1, 478.4, 160.9}, 1000);
  const auto test = test_model(equilibrium, {.name = NamedModel::HardyWeinberg});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->outcome, Outcome::Retain);
  EXPECT_EQ(test->df, 1);
  ASSERT_EQ(test->estimates.size(), 1);
  EXPECT_EQ(test->estimates[0].name, "a");
  EXPECT_NEAR(test->estimates[0].value, 0.6, 0.01);
  EXPECT_NEAR((*test->fitted)[1], 2 * test->estimates[0].value * (1 - test->estimates[0].value), 1e-9);
  const auto own = test_model(equilibrium, kOwn);
  EXPECT_NEAR(*own->statistic, *test->statistic, 1e-9);
  EXPECT_EQ(test_model(genotypes({500, 200, 300}, 1000), {.name = NamedModel::HardyWeinberg})->outcome, Outcome::Reject);
}

TEST(TestModel, TakesLocalReports) {
  LocalRelease reports = *mechanisms::describe_local({mechanisms::LocalKind::Exp, 2}, {3100, 4000, 2900}, 10'000, {3}, std::nullopt);
  const auto test = test_model(TableRelease(reports), kOwn);
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_TRUE(test->p_value);
}

TEST(TestModel, RefusesWhatIsNotAModelOfTheTable) {
  const CountRelease three = genotypes({362.1, 478.4, 160.9}, 1000);
  EXPECT_EQ(test_model(three, {}).error().message(),
            "model is missing, but must be a name, or parameters with an expression for each cell; for example: model = hardy-weinberg");
  ModelRequest both = kOwn;
  both.name = NamedModel::Binomial;
  EXPECT_EQ(test_model(three, both).error().name(), "model");
  EXPECT_EQ(test_model(genotypes({1, 2, 3, 4}, 10), kOwn).error().message(),
            "cells is 3 expressions, but must be one for each of the 4 cells of the release");
  EXPECT_EQ(test_model(genotypes({1, 2, 3, 4}, 10), {.name = NamedModel::HardyWeinberg}).error().message(),
            "release is a table of 4 cells, but must have 3 cells for Hardy-Weinberg: the genotypes AA, Aa and aa");
  EXPECT_EQ(test_model(three, kOwn, {.statistic = GofStatistic::Classical}).error().name(), "statistic");
}

}  // namespace
}  // namespace tacet
