#include "tacet/workflow/release/release_file.h"

#include <variant>

#include <gtest/gtest.h>

#include "tacet/workflow/release/import_table.h"

#include "kernel/scratch_folder.h"

namespace tacet {
namespace {

Release a_table() { return *import_table({.values = {812, 90.5}, .noise = {NoiseFamily::Laplace, 2}, .n = 902}); }

TEST(ReleaseFile, ReadsBackWhatItWrites) {
  const testing::ScratchFolder folder;
  const Release written = a_table();
  ASSERT_TRUE(write_release(written, folder.path("r.json")).ok());
  const Result<Release> any = tacet::read_release(folder.path("r.json"));
  ASSERT_TRUE(any.ok()) << any.error().message();
  EXPECT_EQ(mechanisms::to_text(*any), mechanisms::to_text(written));
  const Result<CountRelease> table = tacet::read_release_as<CountRelease>(folder.path("r.json"));
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->values, std::get<CountRelease>(written).values);
}

TEST(ReleaseFile, IsNeverReplaced) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(write_release(a_table(), folder.path("r.json")).ok());
  EXPECT_EQ(write_release(a_table(), folder.path("r.json")).error().code(), Code::AlreadyExists);
}

TEST(ReleaseFile, OfAnotherKindIsRefused) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(write_release(a_table(), folder.path("r.json")).ok());
  EXPECT_FALSE(read_release_as<MomentRelease>(folder.path("r.json")).ok());
}

}  // namespace
}  // namespace tacet
