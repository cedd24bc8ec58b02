// Releases of what others published: typed, with or without a file.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/workflow/release/import_local.h"
#include "tacet/workflow/release/import_table.h"

#include "kernel/scratch_folder.h"

namespace tacet {
namespace {

TEST(ImportTable, MakesAReleaseThatReadsBackAsItIs) {
  const testing::ScratchFolder folder;
  const std::string out = folder.path("imported.json");
  const auto table = import_table({.values = {812, 90, 455, 120},
                                   .shape = {2, 2},
                                   .noise = {NoiseFamily::Laplace, 2},
                                   .n = 1468,
                                   .axes = {{"sex", {"f", "m"}}, {"ill", {"yes", "no"}}},
                                   .out = out});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->cell_name(1), "sex=f, ill=no");
  EXPECT_EQ(table->header.guarantee, mechanisms::Guarantee::Unknown);
  const auto read = mechanisms::read_release_as<CountRelease>(out);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->values, table->values);
  EXPECT_EQ(read->n, 1468);
  EXPECT_EQ(read->noise.family, NoiseFamily::Laplace);
  EXPECT_EQ(import_table({.values = {1, 2}, .noise = {NoiseFamily::Laplace, 2}, .out = out}).error().code(), Code::AlreadyExists);
}

TEST(ImportTable, RefusesWhatCouldNotBeReadBack) {
  const NoiseDistribution noise{NoiseFamily::Gaussian, 2};
  const auto name = [](const TableImport& table) { return import_table(table).error().name(); };
  EXPECT_EQ(import_table({.values = {1, 2, 3}, .shape = {2, 2}, .noise = noise}).error().message(),
            "shape is 2 x 2, but must have at most 32 dimensions and the 3 cells that there are; leave it out for a list");
  EXPECT_EQ(name({.values = {1, 2}, .shape = {2, 0}, .noise = noise}), "shape");
  EXPECT_EQ(name({.values = {1}, .shape = std::vector<std::size_t>(33, 1), .noise = noise}), "shape");
  EXPECT_EQ(name({.values = {}, .noise = noise}), "values");
  EXPECT_EQ(name({.values = {1, std::numeric_limits<double>::quiet_NaN()}, .noise = noise}), "values");
  EXPECT_EQ(name({.values = {1, 2}, .noise = noise, .n = 1.5}), "n");
  EXPECT_EQ(name({.values = {1, 2}, .noise = noise, .axes = {{"sex", {"f"}}}}), "labels");
  EXPECT_EQ(import_table({.values = {1, 2}, .noise = {NoiseFamily::Gaussian, 0}}).error().message(),
            "noise scale is 0, but must be a finite number greater than 0, between 1e-100 and 1e100; for example: noise = gaussian:2.83");
}

TEST(ImportLocal, EstimatesTheTrueCounts) {
  const auto local = import_local({.kind = LocalKind::Exp,
                                   .reports = {412, 301, 287},
                                   .n = 1000,
                                   .loss = Epsilon(1),
                                   .axes = {{"smoking", {"never", "former", "current"}}}});
  ASSERT_TRUE(local.ok()) << local.error().message();
  const double e = std::exp(1.0);
  EXPECT_NEAR(local->values[0], (412 * (e + 2) - 1000) / (e - 1), 1e-9);
  EXPECT_EQ(local->cell_name(2), "smoking=current");
  ASSERT_TRUE(local->header.privacy.has_value());
  EXPECT_EQ(local->header.privacy->neighbours, mechanisms::Neighbours::Local);
  EXPECT_EQ(local->header.privacy->epsilon, 1);
}

TEST(ImportLocal, CountsTheLinesOfReports) {
  const std::vector<std::string> categories = {"a", "b", "c"};
  EXPECT_EQ(*tally_reports("a\nb\nb\n", LocalKind::Exp, categories, 3), (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(*tally_reports("[1,0,1]\n[0,0,1]", LocalKind::Flip, categories, 2), (std::vector<double>{0.5, 0, 1}));
  const auto refused = [&](const std::string& lines, LocalKind kind, std::uint64_t n) {
    return tally_reports(lines, kind, categories, n).error().message();
  };
  EXPECT_EQ(refused("a\nz\n", LocalKind::Exp, 2),
            "reports is a file with another line, but must be one of the categories on every line; as `randomize` writes them");
  EXPECT_EQ(refused("[1,0]\n", LocalKind::Flip, 1),
            "reports is a file with another line, but must be a list of as many numbers as there are categories on every line; as "
            "`randomize` writes them");
  EXPECT_EQ(refused("a\n", LocalKind::Exp, 2), "reports is 1 lines, but must be as many as n, 2");
}

TEST(ImportLocal, RefusesWhatNoReportsCanBe) {
  EXPECT_EQ(import_local({.reports = {600, 400}, .n = 1000}).error().name(), "privacy");
  EXPECT_EQ(import_local({.reports = {600, 399}, .n = 1000, .loss = Epsilon(1)}).error().name(), "reports");
  EXPECT_EQ(import_local({.reports = {600, 400}, .n = 0, .loss = Epsilon(1)}).error().message(),
            "n is 0, but must be a whole number between 1 and 9007199254740992; for example: n = 1000");
  EXPECT_EQ(import_local({.reports = {600, 400}, .shape = {3}, .n = 1000, .loss = Epsilon(1)}).error().name(), "shape");
}

}  // namespace
}  // namespace tacet
