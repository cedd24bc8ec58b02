#include "tacet/mechanisms/denoised_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/release_file.h"

namespace tacet::mechanisms::denoised_release_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

DenoisedRelease truncated() {
  DenoisedRelease release{};
  release.header.statement = R"({"import":"table"})";
  release.table.shape = {3};
  release.table.values = {500.5, 0, 300};
  release.table.n = 800;
  release.table.noise = {kernel::NoiseFamily::Laplace, 4};
  release.project = Projection::Nonnegative;
  return release;
}

TEST(DenoisedRelease, ReadsBackAsItWasWritten) {
  const json written = to_json(truncated());
  EXPECT_EQ(written.at("kind"), "denoised-counts");
  EXPECT_EQ(written.at("denoised"), json({{"shrink", "none"}, {"project", "nonnegative"}}));
  EXPECT_EQ(written.at("noise").at("family"), "laplace");
  const auto read = denoised_release_from_json(written);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->table.values, truncated().table.values);
  EXPECT_EQ(read->project, Projection::Nonnegative);
  EXPECT_EQ(to_json(*read), written);
  EXPECT_EQ(kind_of(Release(*read)), ReleaseKind::DenoisedCounts);
}

TEST(DenoisedRelease, IsNoReleaseOfCounts) {
  const Result<Release> read = release_from_json(to_json(truncated()));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_THAT((as_kind<CountRelease, LocalRelease>(*read, "p.json")).error().message(),
              HasSubstr("of the kind denoised-counts, but must be of the kind counts or local; a table that was denoised before it was "
                        "published has no intervals"));
  EXPECT_FALSE(count_release_from_json(to_json(truncated())).ok());
}

TEST(DenoisedRelease, RefusesValuesThatItsDenoisingCannotLeave) {
  const auto refused = [](const DenoisedRelease& release) {
    const auto read = denoised_release_from_json(to_json(release));
    return read.ok() ? std::string("nothing") : read.error().name();
  };
  DenoisedRelease release = truncated();
  release.table.values[1] = -0.5;
  EXPECT_EQ(refused(release), "values");
  release = truncated();
  release.project = Projection::Simplex;
  EXPECT_EQ(refused(release), "values") << "the sum is 800.5";
  release.table.values[2] = 299.5;
  EXPECT_EQ(refused(release), "nothing");
  release.table.n = std::nullopt;
  EXPECT_EQ(refused(release), "n");
  release = truncated();
  release.shrink = Shrinkage::PositivePart;
  EXPECT_EQ(refused(release), "shrink") << "of laplace noise";
  release.table.noise.family = kernel::NoiseFamily::Gaussian;
  EXPECT_EQ(refused(release), "nothing");
  release.shrink = Shrinkage::RankDeficient;
  EXPECT_EQ(refused(release), "nothing") << "truncation came after it";
  release.project = Projection::None;
  EXPECT_EQ(refused(release), "values") << "rjs keeps the total";
  release.shrink = Shrinkage::None;
  EXPECT_EQ(refused(release), "denoised");
  release.project = Projection::Bounds;
  EXPECT_EQ(refused(release), "project");
}

}  // namespace
}  // namespace tacet::mechanisms::denoised_release_test
