#include "tacet/data/data_file.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"

#include "data/test_files.h"

namespace tacet::data {
namespace {

TEST(DataFile, TheNameTellsTheKind) {
  const TestFolder folder;
  const std::pair<const char*, FileKind> cases[] = {
      {"a.csv", FileKind::Csv},         {"a.CSV.gz", FileKind::Csv},    {"a.tsv", FileKind::Csv},  {"a.tsv.gz", FileKind::Csv},
      {"a.Parquet", FileKind::Parquet}, {"a.duckdb", FileKind::DuckDb}, {"a.db", FileKind::DuckDb}};
  for (const auto& [name, kind] : cases) {
    const DataFile file = *schemas::open_data(folder.write(name, "x"));
    EXPECT_EQ(file.kind(), kind) << name;
    EXPECT_EQ(file.delimiter(), std::string(name).find("tsv") == std::string::npos ? ',' : '\t') << name;
  }
  const Error error = schemas::open_data(folder.write("a.xlsx", "x")).error();
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_THAT(error.message(), ::testing::HasSubstr("must end in .csv, .tsv"));
}

TEST(DataFile, WhatIsNoReadableFileIsRefused) {
  const TestFolder folder;
  EXPECT_EQ(schemas::open_data(folder.path("none.csv")).error().code(), Code::NotFound);
  EXPECT_EQ(schemas::open_data("").error().code(), Code::InvalidArgument);
  EXPECT_EQ(schemas::open_data(std::string("a\0.csv", 6)).error().code(), Code::InvalidArgument);
  std::filesystem::create_directory(folder.path("folder.csv"));
  EXPECT_EQ(schemas::open_data(folder.path("folder.csv")).error().code(), Code::DataUnreadable);
  ASSERT_EQ(mkfifo(folder.path("pipe.csv").c_str(), 0600), 0);
  EXPECT_EQ(schemas::open_data(folder.path("pipe.csv")).error().code(), Code::DataUnreadable);  // and does not wait for a writer
}

TEST(DataFile, NamesThatLookLikeUrlsAreLocalFiles) {
  EXPECT_EQ(schemas::open_data("s3://bucket/people.parquet").error().code(), Code::NotFound);
  EXPECT_EQ(schemas::open_data("https://example.org/people.csv").error().code(), Code::NotFound);
}

}  // namespace
}  // namespace tacet::data
