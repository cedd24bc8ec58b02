#include "tacet/mechanisms/release_fields.h"

#include <gtest/gtest.h>

#include "tacet/mechanisms/privacy_json.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kFields("give another");

json common_fields() {
  return {{"tacet_release", 1},
          {"statement", {{"release", "sum"}}},
          {"privacy", {{"currency", "gaussian"}, {"rho", 0.1}}},
          {"guarantee", "exact"},
          {"ledger", nullptr},
          {"time", "now"}};
}

TEST(ReleaseFields, AnErrorSaysFieldValueRuleAndRemedy) {
  EXPECT_EQ(kFields.member({{"a", 1}}, "b").error().message(), "b is missing, but must be there in a release file; give another");
  EXPECT_EQ(kFields.member(json::array(), "b").error().name(), "b");
  EXPECT_EQ(kFields.text({{"a", 1}}, "a").error().message(), "a is a number, but must be a text; give another");
  EXPECT_EQ(kFields.finite("1", "a").error().message(), "a is a text, but must be a number; give another");
  EXPECT_EQ(kFields.finite(-2e100, "a").error().message(), "a is -2e+100, but must be finite and at most 1e100 in size; give another");
  EXPECT_EQ(kFields.positive(0, "a").error().message(), "a is 0, but must be greater than 0, and at least 1e-100; give another");
  EXPECT_EQ(*kFields.finite(-1e100, "a"), -1e100);
  EXPECT_EQ(*kFields.positive(1e-100, "a"), 1e-100);
  EXPECT_EQ(kFields.bad("a", std::string(100, 'x'), "must be short").value(), std::string(60, 'x'));
}

TEST(ReleaseFields, AFileOfAnotherVersionIsRefused) {
  EXPECT_TRUE(kFields.check_version(common_fields()).ok());
  EXPECT_EQ(kFields.check_version(json::array()).error().message(), "release file is a list, but must be a JSON object; give another");
  EXPECT_EQ(kFields.check_version({{"tacet_release", 2}}).error().message(),
            "tacet_release is 2, but must be 1, the version this program reads; give another");
}

TEST(ReleaseFields, WhatEveryFileSaysIsReadOrRefusedByName) {
  const auto read = kFields.header(common_fields());
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->statement, R"({"release":"sum"})");
  EXPECT_EQ(read->privacy->rho, 0.1);
  EXPECT_EQ(read->guarantee, Guarantee::Exact);
  EXPECT_FALSE(read->receipt);
  EXPECT_EQ(read->time, "now");
  const std::pair<const char*, json> wrong[] = {{"privacy", json::object()}, {"guarantee", "certain"}, {"ledger", 1}, {"time", 12}};
  for (const auto& [field, value] : wrong) {
    json file = common_fields();
    file[field] = value;
    EXPECT_EQ(kFields.header(file).error().name(), field);
    file.erase(field);
    EXPECT_EQ(kFields.header(file).error().name(), field);
  }
}

TEST(ReleaseFields, PrivacyIsReadAsItIsWritten) {
  const json written[] = {{{"currency", nullptr}},
                          {{"currency", "gaussian"},
                           {"mu", 0.5},
                           {"rho", 0.125},
                           {"neighbours", "replace-one"},
                           {"public_columns", {"arm"}},
                           {"charged", "rho 0.125"}},
                          {{"currency", "epsilon"}, {"epsilon", 1.0}, {"delta", 0}, {"rho", 0.2}, {"mu", 0.7}, {"neighbours", "local"}},
                          {{"currency", "epsilon-delta"},
                           {"epsilon", 1.0},
                           {"delta", 1e-6},
                           {"neighbours", "add-or-remove-one"},
                           {"public_columns", json::array()}}};
  for (const json& privacy : written) {
    json file = common_fields();
    file["privacy"] = privacy;
    const auto read = kFields.header(file);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(privacy_json(read->privacy).dump(), privacy.dump());
  }
  const std::pair<const char*, json> wrong[] = {
      {"currency", "euro"}, {"rho", "0.1"}, {"neighbours", "cousins"}, {"public_columns", "arm"}, {"charged", 1}};
  for (const auto& [field, value] : wrong) {
    json file = common_fields();
    file["privacy"][field] = value;
    EXPECT_EQ(kFields.header(file).error().name(), field);
  }
}

TEST(ReleaseFields, AReceiptMayLackWhatEarlyFilesLacked) {
  json file = common_fields();
  file["ledger"] = {{"ledger", "9f"}, {"dataset", "people"}, {"entry", 3}};
  const auto read = kFields.header(file);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->receipt->entry, 3);
  EXPECT_EQ(read->receipt->entry_hash, "");
  EXPECT_EQ(read->receipt->time, "now");
  file["ledger"]["entry"] = "three";
  EXPECT_EQ(kFields.header(file).error().name(), "entry");
}

}  // namespace
}  // namespace tacet::mechanisms
