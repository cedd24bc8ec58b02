#include "tacet/mechanisms/local_release.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tacet::mechanisms::local_release_test {
namespace {

using nlohmann::json;

struct Spoiled {
  std::string pointer;   // what is changed
  std::string contents;  // its new JSON; empty: it is taken away
  std::string name;      // the field that the refusal names
};

LocalRelease a_local_release(const LocalRandomizer& law = {LocalKind::Exp, 1}) {
  const bool exp = law.kind == LocalKind::Exp;
  const std::vector<double> reports = exp ? std::vector<double>{412, 301, 280, 7} : std::vector<double>{0.412, 0.301, 0.28, 0.007};
  return *describe_local(law, reports, 1000, {2, 2},
                         ReleasedPrivacy{.currency = LossForm::Epsilon, .epsilon = 1, .delta = 0, .neighbours = Neighbours::Local});
}

TEST(LocalRelease, ReadsBackWhatWasWrittenToTheLastBit) {
  for (const LocalKind kind : {LocalKind::Exp, LocalKind::Flip, LocalKind::Gaussian, LocalKind::Laplace}) {
    const LocalRelease written = a_local_release({kind, 1.25});
    const json file = to_json(written);
    const auto read = local_release_from_json(json::parse(file.dump(1)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->values, written.values);
    EXPECT_EQ(read->shape, written.shape);
    EXPECT_EQ(read->n, 1000);
    EXPECT_EQ(read->randomizer.kind, kind);
    EXPECT_EQ(read->randomizer.parameter, 1.25);
    EXPECT_EQ(read->reports, written.reports);
    EXPECT_EQ(read->header.privacy, written.header.privacy);
    EXPECT_EQ(to_json(*read), file);
  }
}

TEST(LocalRelease, SaysItsLawItsReportsAndItsStandardErrors) {
  const json file = to_json(a_local_release());
  EXPECT_EQ(file.at("kind"), "local");
  EXPECT_EQ(file.at("n"), 1000);
  EXPECT_EQ(file.at("noise").at("family"), "exp");
  EXPECT_EQ(file.at("noise").at("structure"), "local");
  EXPECT_EQ(file.at("noise").at("epsilon"), 1);
  EXPECT_EQ(file.at("reports"), json::parse("[[412.0, 301.0], [280.0, 7.0]]"));
  EXPECT_EQ(file.at("privacy").at("neighbours"), "local");
  EXPECT_EQ(file.at("guarantee"), "unknown");
  const double variance = covariance({LocalKind::Exp, 1}, 1000, a_local_release().values, 1, 1);
  EXPECT_DOUBLE_EQ(file.at("noise").at("standard_errors").at(0).at(1).get<double>(), std::sqrt(variance));
}

TEST(LocalRelease, IsRefusedWithTheFieldNamedWhereItIsSpoiled) {
  const std::vector<Spoiled> cases = {
      {"/n", "null", "n"},
      {"/n", "999", "reports"},
      {"/noise", "7", "noise"},
      {"/noise/family", "\"rappor\"", "noise family"},
      {"/noise/epsilon", "", "epsilon"},
      {"/noise/epsilon", "0", "epsilon"},
      {"/noise/epsilon", "1000", "epsilon"},
      {"/noise/epsilon", "2", "values"},
      {"/reports", "", "reports"},
      {"/reports", "[412, 301, 280, 7]", "reports"},
      {"/reports", "[[412, 301], [280, 8]]", "reports"},
      {"/reports", "[[412, 301], [286.5, 0.5]]", "reports"},
      {"/reports", "[[412, 301], [287, 0]]", "values"},
      {"/values", "[[412, 301], [280, 7]]", "values"},
  };
  for (const Spoiled& spoiled : cases) {
    json file = to_json(a_local_release());
    const json::json_pointer at(spoiled.pointer);
    if (spoiled.contents.empty()) {
      file.at(at.parent_pointer()).erase(at.back());
    } else {
      file[at] = json::parse(spoiled.contents);
    }
    const auto refused = local_release_from_json(file);
    ASSERT_FALSE(refused.ok()) << spoiled.pointer << spoiled.contents;
    EXPECT_EQ(refused.error().name(), spoiled.name) << refused.error().message();
  }
}

TEST(DescribeLocal, RefusesWhatNoReportsGive) {
  EXPECT_EQ(describe_local({LocalKind::Exp, 1}, {1, 2}, 4, {2}, {}).error().name(), "reports");
  EXPECT_EQ(describe_local({LocalKind::Exp, 1}, {1, 2}, 2.5, {2}, {}).error().name(), "n");
  EXPECT_EQ(describe_local({LocalKind::Exp, 0}, {1, 2}, 3, {2}, {}).error().name(), "epsilon");
}

}  // namespace
}  // namespace tacet::mechanisms::local_release_test
