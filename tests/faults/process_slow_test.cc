#include <gtest/gtest.h>

#include "faults/charging_place.h"

namespace tacet::kernel {
namespace {

TEST(Processes, TwoHundredKillsNeverPublishForFree) { testing::kill_and_check(200); }

}  // namespace
}  // namespace tacet::kernel
