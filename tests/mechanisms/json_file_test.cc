#include "tacet/mechanisms/json_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/scratch_folder.h"

namespace tacet::mechanisms::json_file_test {
namespace {

using ::testing::HasSubstr;

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

TEST(ReadJsonFile, ReadsWhatIsThere) {
  const testing::ScratchFolder folder;
  write(folder.path("a.json"), " [[812, 90.5], [\"x\\u00e9\", null]] \n");
  const auto read = read_json_file(folder.path("a.json"), "values");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->at(0).at(1), 90.5);
  EXPECT_EQ(read->at(1).at(0), "x\xC3\xA9");
}

TEST(ReadJsonFile, ReadsAPipeThatSomebodyWritesTo) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "[1]", 3), 3);
  ::close(ends[1]);
  const auto read = read_json_file("/dev/fd/" + std::to_string(ends[0]), "values");
  ::close(ends[0]);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->size(), 1U);
}

TEST(ReadJsonFile, DoesNotWaitForANamedPipeThatNobodyWritesTo) {
  const testing::ScratchFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_json_file(folder.path("pipe"), "values").error().code(), Code::InvalidArgument);
}

TEST(ReadJsonFile, RefusesWhatIsNoJson) {
  const testing::ScratchFolder folder;
  for (const std::string text : {"", " ", "x", "[1,]", "[1", "{\"a\":}", "[1] [2]", "[NaN]", "[1e400]", "\"\xFF\"", "'a'"}) {
    write(folder.path("a.json"), text);
    const auto refused = read_json_file(folder.path("a.json"), "values");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << text;
    EXPECT_EQ(refused.error().name(), "values") << text;
  }
}

TEST(ReadJsonFile, RefusesWhatCannotBeRead) {
  const testing::ScratchFolder folder;
  ASSERT_EQ(::symlink("loop", folder.path("loop").c_str()), 0);
  for (const std::string name : {"missing", "loop", "."}) {
    const auto refused = read_json_file(folder.path(name), "values");
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_EQ(refused.error().code(), Code::NotFound) << name;
    EXPECT_THAT(refused.error().message(), HasSubstr(folder.path(name)));
  }
  EXPECT_EQ(read_json_file("", "values").error().code(), Code::InvalidArgument);
}

TEST(ParseJson, RefusesWhatIsNestedSoDeepThatWalkingItWouldExhaustTheStack) {
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']'), "values", "text").ok());
  EXPECT_FALSE(parse_json(std::string(65, '[') + std::string(65, ']'), "values", "text").ok());
  EXPECT_FALSE(parse_json(std::string(1'000'000, '['), "values", "text").ok());
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(parse_json(objects, "values", "text").ok());
}

TEST(ParseJson, RefusesMoreValuesThanAnyReleaseHasBeforeTheyTakeMemory) {
  std::string commas;
  commas.resize(50'000'000, ',');
  EXPECT_THAT(parse_json("[" + commas + "]", "values", "text").error().message(), HasSubstr("at most 50000000 values"));
}

TEST(ParseJson, CountsNoBracketsInsideTexts) {
  EXPECT_TRUE(parse_json("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]", "values", "text").ok());
}

}  // namespace
}  // namespace tacet::mechanisms::json_file_test
