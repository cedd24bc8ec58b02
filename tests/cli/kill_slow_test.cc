#include <gtest/gtest.h>

#include "cli/killing.h"

namespace tacet::test {
namespace {

TEST(KilledOften, ReleasesLeaveNoReleaseWithoutItsChargeInAHundredRandomMoments) {
  const Program program;
  kill_releases(program, 100);
}

}  // namespace
}  // namespace tacet::test
