#include "tacet/mechanisms/release_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/counts.h"

#include "kernel/scratch_folder.h"
#include "mechanisms/moments_of_rows.h"
#include "mechanisms/released.h"

namespace tacet::mechanisms::release_file_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Release counts() {
  const auto noisy = test::released({5, 0, 1000}, kernel::Relation::ReplaceOne, test::rho("0.125"));
  return describe_counts(noisy, CountMechanism::Gaussian, {{"plan", {"basic", "plus", "none"}}}, test::people(1005),
                         R"({"release":"counts"})");
}

Release local() { return *describe_local({LocalKind::Exp, 1}, {412, 301, 287}, 1000, {3}, {}); }

Release moments(MomentKind kind) {
  MomentRelease release = test::moments_of_rows({{1, 2}, {2, 1}, {3, 5}}, {1, 1}, 0.5);
  release.kind = kind;
  return release;
}

Release query() {
  return QueryRelease{.header = {.statement = R"({"by":"sd"})"},
                      .columns = {"a", "b"},
                      .centre = {0, 1},
                      .map = {2, 2, {2, 0, 0, 1}},
                      .radius = 3,
                      .scale = 4,
                      .parts = {{.n = 500, .sums = {10, 20}}}};
}

std::vector<Release> one_of_each() {
  return {counts(),
          local(),
          moments(MomentKind::Sum),
          moments(MomentKind::Mean),
          moments(MomentKind::SecondMoment),
          moments(MomentKind::Covariance),
          query()};
}

class ReleaseFiles : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  tacet::testing::ScratchFolder folder_;
};

TEST_F(ReleaseFiles, OfEveryKindAreReadAgainAsTheyWere) {
  std::size_t kind = 0;
  for (const Release& written : one_of_each()) {
    const auto read = read_release(write("r.json", to_text(written)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(kind_of(*read), names_of(ReleaseKind{})[kind].value);
    EXPECT_EQ(name(kind_of(*read)), to_json(written).at("kind").get<std::string>());
    EXPECT_EQ(to_text(*read), to_text(written));
    EXPECT_EQ(header_of(*read).statement, json::parse(header_of(written).statement).dump());
    ++kind;
  }
}

TEST_F(ReleaseFiles, AreReadAsTheKindThatIsWanted) {
  const std::string path = write("r.json", to_text(counts()));
  EXPECT_EQ(read_release_as<CountRelease>(path)->values, std::get<CountRelease>(counts()).values);
  const auto either = read_release_as<CountRelease, LocalRelease>(path);
  ASSERT_TRUE(either.ok());
  EXPECT_TRUE(std::holds_alternative<CountRelease>(*either));
  EXPECT_TRUE(std::holds_alternative<QueryRelease>(*read_release_as<MomentRelease, QueryRelease>(write("q.json", to_text(query())))));
}

TEST_F(ReleaseFiles, OfAnotherKindAreRefusedWithWhatServesThem) {
  const std::string path = write("r.json", to_text(local()));
  EXPECT_EQ(read_release_as<CountRelease>(path).error().message(),
            "release is \"" + path +
                "\", of the kind local, but must be of the kind counts; for local reports use `infer gof` or `infer independence`; their "
                "estimates and standard errors are in the file itself");
  const auto refused = [&](const Release& release) {
    return read_release_as<MomentRelease, QueryRelease>(write("other.json", to_text(release))).error().message();
  };
  EXPECT_THAT(refused(counts()),
              HasSubstr("of the kind counts, but must be of the kind mean, sum, second-moment, covariance or query; for "
                        "tables of counts use `infer estimate`, `infer gof`, `infer independence` or `infer homogeneity`"));
  const auto no_counts = [&](const Release& release) {
    return read_release_as<CountRelease, LocalRelease>(write("other.json", to_text(release))).error().message();
  };
  EXPECT_THAT(no_counts(query()), HasSubstr("must be of the kind counts or local; for a query use `infer region` or `infer mean-test`"));
  EXPECT_THAT(no_counts(moments(MomentKind::Mean)), HasSubstr("of the kind mean, but"));
  EXPECT_THAT(no_counts(moments(MomentKind::Mean)), HasSubstr("; for means use `infer region` or `infer mean-test`"));
  EXPECT_THAT(no_counts(moments(MomentKind::Covariance)),
              HasSubstr("use `infer region`, `infer mean-test`, `infer two-sample` or `infer k-sample`"));
}

TEST_F(ReleaseFiles, WhatIsNoReleaseFileIsSaidToBeNone) {
  const std::string path = write("table.json", R"({"values": [1, 2]})");
  EXPECT_EQ(read_release(path).error().message(),
            "\"" + path + "\" is not a release file: it lacks tacet_release; give a file written by `release` or `import`");
  EXPECT_EQ(read_release(path).error().code(), Code::InvalidArgument);
  EXPECT_EQ(release_from_json(json::parse("[1]")).error().message(),
            "the text is not a release file: it holds a list, not an object; give a file written by `release` or `import`");
  for (const char* text : {"null", "\"x\"", "7"}) EXPECT_FALSE(release_from_json(json::parse(text)).ok()) << text;
}

TEST_F(ReleaseFiles, OfAnUnknownKindOrVersionAreRefused) {
  json file = to_json(counts());
  file["kind"] = "median";
  EXPECT_THAT(
      release_from_json(file).error().message(),
      HasSubstr("kind is median, but must be counts, local, sum, mean, second-moment, covariance, query, histogram or denoised-counts"));
  file["tacet_release"] = 2;
  EXPECT_EQ(release_from_json(file).error().name(), "tacet_release");
}

TEST(ReadRelease, SaysWhichFileIsMissing) {
  const auto refused = read_release("no/such/release.json");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::NotFound);
  EXPECT_THAT(refused.error().message(), HasSubstr("no/such/release.json"));
}

}  // namespace
}  // namespace tacet::mechanisms::release_file_test
