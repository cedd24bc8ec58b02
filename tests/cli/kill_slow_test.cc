#include <gtest/gtest.h>

#include "cli/killing.h"

namespace tacet::test {
namespace {

TEST(Killed, ReleasesLeaveNoReleaseWithoutItsChargeInAHundredRandomMoments) {
  const Program program;
  kill_releases(program, 100);
}

}  // namespace
}  // namespace tacet::test
