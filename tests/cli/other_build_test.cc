// Programs of two builds, as a half-finished update leaves them: they exchange memory, so a release
// must be refused, and nothing charged.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A copy of the program, beside a reader of another build.
class OtherBuild : public ::testing::Test {
 protected:
  OtherBuild() {
    fs::create_directory(program.path("bin"));
    fs::copy_file(TACET_PROGRAM, program.path("bin/tacet"));
    fs::create_symlink(TACET_BAD_WORKER, program.path("bin/other-build"));  // it does as its name says
    program.write("bin/tacet-scan", "#!/bin/sh\nexec " + program.path("bin/other-build") + "\n");
    fs::permissions(program.path("bin/tacet-scan"), fs::perms::owner_all);
  }
  Ended run(std::vector<std::string> words) const {
    words.insert(words.begin(), program.path("bin/tacet"));
    return program.run_command(std::move(words));
  }
  Program program;
};

TEST_F(OtherBuild, IsRefusedBeforeAnythingIsCharged) {
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "1"}).exit_code, 0);
  const Ended refused = run(Program::release_words({"--rho", "0.1", "--out", "release.json"}));
  EXPECT_EQ(refused.exit_code, 4) << refused.out;  // of EngineFailed
  EXPECT_THAT(refused.err, HasSubstr("EngineFailed: tacet-scan, the program that reads data files, is of another build than this program"));
  EXPECT_THAT(refused.err, HasSubstr("nothing was spent"));
  EXPECT_FALSE(program.has("release.json"));
  EXPECT_EQ(program.spent(), "rho 0");
  const Ended whole = program.run(Program::release_words({"--rho", "0.1", "--out", "release.json"}));
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(program.spent(), "rho 0.1");
}

}  // namespace
}  // namespace tacet::test
