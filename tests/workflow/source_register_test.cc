#include "tacet/workflow/custody/source_register.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace tacet::source_register_test {
namespace {

TEST(SourceRegister, NeedsAFolderAndSaysWhichVariablesNameIt) {
  std::map<std::string, std::string> before;
  for (const char* name : {"TACET_HOME", "XDG_STATE_HOME", "HOME"}) {
    if (const char* value = std::getenv(name)) before[name] = value;
    ::unsetenv(name);
  }
  const Status claimed = claim_source("/data/patients.csv", {"0123", "patients"}, "");
  for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
  ASSERT_FALSE(claimed.ok());
  EXPECT_EQ(claimed.error().code(), Code::FileUnwritable);
  EXPECT_EQ(claimed.error().message(),
            "there is no folder for the list of sources: TACET_HOME, XDG_STATE_HOME and HOME are not set; set TACET_HOME to a folder that "
            "only the custodian can write to");
}

}  // namespace
}  // namespace tacet::source_register_test
