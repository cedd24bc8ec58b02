#include "tacet/workflow/new_file.h"

#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;

class NewFileTest : public ::testing::TestWithParam<NewFile::Draft> {
 protected:
  Result<NewFile> reserve(const std::string& name, std::size_t bytes = 100) const {
    return NewFile::reserve(desk.path(name), bytes, GetParam());
  }
  Desk desk;
};

TEST_P(NewFileTest, AppearsWholeWhenItIsPublishedAndNotBefore) {
  auto file = reserve("r.json", 1'000'000);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(desk.has("r.json"));
  ASSERT_TRUE(file->publish("abc").ok());
  EXPECT_EQ(desk.read("r.json"), "abc");
  struct stat about{};
  ASSERT_EQ(::stat(desk.path("r.json").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0644U);
}

TEST_P(NewFileTest, LeavesNothingBehindWhetherPublishedOrNot) {
  const auto before = desk.files();
  {
    ASSERT_TRUE(reserve("r.json").ok());
  }
  EXPECT_EQ(desk.files(), before);
  {
    auto file = reserve("r.json");
    ASSERT_TRUE(file->publish("x").ok());
  }
  auto after = before;
  after.insert("r.json");
  EXPECT_EQ(desk.files(), after);
}

TEST_P(NewFileTest, MayBeLargerThanWhatWasReserved) {
  auto file = reserve("r.json", 1);
  const std::string contents(3'000'000, 'x');
  ASSERT_TRUE(file->publish(contents).ok());
  EXPECT_EQ(desk.read("r.json"), contents);
}

TEST_P(NewFileTest, NeverReplacesAFileThatWasThere) {
  EXPECT_EQ(reserve("people.csv").error().code(), Code::AlreadyExists);
  std::filesystem::create_symlink("nowhere", desk.path("link"));
  EXPECT_EQ(reserve("link").error().code(), Code::AlreadyExists);
}

TEST_P(NewFileTest, NeverReplacesAFileThatAppearedMeanwhile) {
  auto file = reserve("r.json");
  desk.write("r.json", "first");
  EXPECT_EQ(file->publish("second").error().code(), Code::AlreadyExists);
  EXPECT_EQ(desk.read("r.json"), "first");
}

TEST_P(NewFileTest, TakesTheNextFreeNameForWhatWasPaidFor) {
  auto file = reserve("r.json");
  desk.write("r.json", "first");
  desk.write("r-2.json", "second");
  const auto name = file->publish_somewhere("third");
  ASSERT_TRUE(name.ok()) << name.error().message();
  EXPECT_EQ(*name, desk.path("r-3.json"));
  EXPECT_EQ(desk.read("r-3.json"), "third");
  EXPECT_EQ(*reserve("s.json")->publish_somewhere("x"), desk.path("s.json"));
}

TEST_P(NewFileTest, RefusesWhereNothingCanBeWritten) {
  EXPECT_EQ(reserve("").error().code(), Code::AlreadyExists);  // the folder itself
  EXPECT_EQ(NewFile::reserve("", 1, GetParam()).error().code(), Code::InvalidArgument);
  EXPECT_EQ(reserve("no/folder/r.json").error().code(), Code::FileUnwritable);
  EXPECT_EQ(reserve("no/folder/r.json").error().remedy(), "make its folder first, or choose another name");
  EXPECT_EQ(reserve(std::string(300, 'r')).error().remedy(), "choose a shorter name");
  EXPECT_EQ(reserve("people.csv/r.json").error().code(), Code::FileUnwritable);
  EXPECT_EQ(reserve("folder/").error().code(), Code::InvalidArgument);
  EXPECT_EQ(NewFile::reserve("/proc/r.json", 1, GetParam()).error().code(), Code::FileUnwritable);
}

TEST_P(NewFileTest, RefusesMoreThanTheDiskHolds) {
  const auto refused = reserve("r.json", std::size_t{1} << 60);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::FileUnwritable);
  EXPECT_FALSE(refused.error().remedy().empty());
}

INSTANTIATE_TEST_SUITE_P(All, NewFileTest, ::testing::Values(NewFile::Draft::Nameless, NewFile::Draft::Hidden),
                         [](const auto& each) { return each.param == NewFile::Draft::Nameless ? "Nameless" : "Hidden"; });

}  // namespace
}  // namespace tacet
