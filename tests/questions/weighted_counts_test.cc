// Sums of public weights of cells (data/counts.h), which answer questions about rows.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/counts.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "kernel/scratch_folder.h"
#include "support/declared.h"
#include "support/opened.h"

namespace tacet::data {
namespace {

using ::testing::ElementsAre;

Schema weighted_schema(const std::string& more = "", const std::optional<Contributions>& contributions = {}) {
  const std::string text = "tacet = 1\ndataset = \"d\"\nledger = \"d.ledger\"\n" + more +
                           "[columns.who]\n[columns.age]\nlower = 0\nupper = 100\nresolution = 1\n";
  Schema schema = *schemas::parse_schema(text, /*json=*/false, "");
  schema.contributions = contributions;
  return schema;
}

/// By age in steps of 50: two cells, and the missing.
Result<CountTable> weighted_sum(const Schema& schema, const std::string& rows, const std::vector<std::int32_t>& weights,
                                const RowFilter& where = {}) {
  const testing::ScratchFolder folder;
  std::ofstream(folder.path("people.csv")) << "who,age\n" << rows;
  const CountRequest request{.by = {"age"},
                             .where = where,
                             .bins = {{"age", {Decimal(0), Decimal(50), Decimal(100)}}},
                             .unit = CountUnit::Rows,
                             .weights = weights};
  return count(*schemas::open_data(folder.path("people.csv")), test::declared(schema), request);
}

TEST(WeightedCounts, EachRowAddsTheWeightOfItsCell) {
  auto table = weighted_sum(weighted_schema(), "a,5\nb,50\nc,99\nd,\ne,-3\n", {-7, 3, 11});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->n, 5);
  // A row is replaced by another: from -7 to 11.
  EXPECT_EQ(table->counts.sensitivity().l1, 18);
  EXPECT_EQ(table->counts.sensitivity().l2_squared, 18 * 18);
  EXPECT_THAT(test::opened(std::move(table->counts)), ElementsAre(-7 + 3 + 3 + 11 - 7));
}

TEST(WeightedCounts, NoReplacementChangesTheSumByMoreAndOneByAsMuch) {
  const std::vector<std::int32_t> weights = {-7, 3, 11};
  const std::string ages[] = {"5", "77", ""};
  std::int64_t most = 0;
  for (const std::string& before : ages) {
    for (const std::string& after : ages) {
      auto first = weighted_sum(weighted_schema(), "a,5\nb," + before + "\n", weights);
      auto second = weighted_sum(weighted_schema(), "a,5\nb," + after + "\n", weights);
      const std::int64_t sealed = first->counts.sensitivity().l1;
      const std::int64_t change = test::opened(std::move(first->counts))[0] - test::opened(std::move(second->counts))[0];
      EXPECT_LE(std::abs(change), sealed);
      most = std::max(most, change);
    }
  }
  EXPECT_EQ(most, 18);
}

TEST(WeightedCounts, WhatTheSensitivityDoesNotCoverIsRefused) {
  const auto is_refused = [](const Schema& schema, const std::vector<std::int32_t>& weights, const RowFilter& where = {}) {
    const auto table = weighted_sum(schema, "a,5\n", weights, where);
    return !table.ok() && table.error().name() == "weights";
  };
  const std::vector<std::int32_t> fitting = {1, 2, 3};
  EXPECT_FALSE(is_refused(weighted_schema(), fitting));
  EXPECT_TRUE(is_refused(weighted_schema(), {1, 2}));
  EXPECT_TRUE(is_refused(weighted_schema(), {1, 2, 3, 4}));
  EXPECT_TRUE(is_refused(weighted_schema(), {0, kMostSteps, -1}));
  // Rows that come, go, or are dropped; people with several rows.
  EXPECT_TRUE(is_refused(weighted_schema("neighbours = \"add-or-remove-one\"\n"), fitting));
  EXPECT_TRUE(is_refused(weighted_schema(), fitting, RowFilter{{{"age", {Decimal(50)}, {1, 0, 0, 0}}}, {0}}));
  EXPECT_TRUE(is_refused(weighted_schema("", Contributions{"who", 2, {}}), fitting));
}

}  // namespace
}  // namespace tacet::data
