#include "tacet/data/confine.h"

#include <fcntl.h>
#include <unistd.h>

#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/scan.h"
#include "tacet/data/scan_process.h"
#include "tacet/data/shared_region.h"
#include "tacet/schemas/data_path.h"

#include "data/bad_worker.h"
#include "data/needs_filter.h"

namespace tacet::data {
namespace {

/// What a process found out, by its name.
std::map<std::string, std::string> findings(const std::string& way) {
  const TestFolder folder;
  const BadWorker worker(way);
  const auto region = SharedRegion::make("", std::size_t{1} << 20U);
  auto process = ScanProcess::start(worker.program(), region->descriptor(), *schemas::open_data(folder.write("t.csv", "xy\n")));
  std::map<std::string, std::string> found;
  if (!process || !process->wait({}) || !process->ended_well() || region->head().said > region->answer().size()) return found;
  std::istringstream lines(std::string(reinterpret_cast<const char*>(region->answer().data()), region->head().said));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    found[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return found;
}

TEST(Confine, NothingIsLeftToDoButReading) {
  TACET_NEEDS_FILTER();
  std::map<std::string, std::string> found = findings("probe");
  const std::map<std::string, std::string> rest{{"descriptors", "0 1 2 3 4"},
                                                {"environment", "empty"},
                                                {"limit core", "0"},
                                                {"limit fsize", "0"},
                                                {"limit nofile", "some"},
                                                {"data", "x"},
                                                {"thread", "done"}};
  for (const auto& [what, expected] : rest) {
    EXPECT_EQ(found[what], expected) << what;
    found.erase(what);
  }
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(found["limit data"], "some");
#endif
  found.erase("limit data");
  EXPECT_GT(found.size(), 50U);
  for (const auto& [what, came] : found) EXPECT_EQ(came, what == "clone3" ? "ENOSYS" : "EPERM") << what;
}

TEST(Confine, TheProbeTellsAProcessThatIsNotConfined) {
  const auto found = findings("pretend");
  EXPECT_EQ(found.size(), 4U);
  for (const auto& [what, came] : found) EXPECT_EQ(came, "done") << what;
}

TEST(Confine, DescriptorsOfOthersAreNotHandedOn) {
  TACET_NEEDS_FILTER();
  // Open without O_CLOEXEC, as another part of a program may have it.
  const TestFolder folder;
  const int leak = ::open(folder.write("secret", "x").c_str(), O_RDONLY);
  ASSERT_GE(leak, 0);
  EXPECT_EQ(findings("probe")["descriptors"], "0 1 2 3 4");
  ::close(leak);
}

}  // namespace
}  // namespace tacet::data
