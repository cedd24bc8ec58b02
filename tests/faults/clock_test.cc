// Clocks that go back, stand still, or are absurd.
#include <limits>

#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"

#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using testing::request;
using testing::rho_budget;
using testing::rho_loss;

std::vector<Entry> entries_at(const std::vector<std::int64_t>& times) {
  std::int64_t now = 900;
  Custody ledger = *Custody::open(":memory:", {.clock = [&now] { return now; }});
  EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  for (const std::int64_t time : times) {
    now = time;
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.125"))).ok());
  }
  return *ledger.history("patients");
}

TEST(Clock, GoingBackIsRecordedAndChangesNothingElse) {
  const std::vector<Entry> entries = entries_at({1000, 400, 500, 500});
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].time, "1970-01-01T00:16:40Z");
  EXPECT_EQ(entries[1].time, "1970-01-01T00:06:40Z");
  EXPECT_FALSE(entries[0].clock_went_back);
  EXPECT_TRUE(entries[1].clock_went_back);
  EXPECT_FALSE(entries[2].clock_went_back);
  EXPECT_FALSE(entries[3].clock_went_back);
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].number, static_cast<std::int64_t>(i + 1));
  EXPECT_EQ(entries[3].spent_after.first, testing::decimal("0.5"));
}

TEST(Clock, BeforeTheFirstOrAfterTheLastWritableSecondIsWrittenAsThat) {
  const std::vector<Entry> entries = entries_at({std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].time, "9999-12-31T23:59:59Z");
  EXPECT_EQ(entries[1].time, "1970-01-01T00:00:00Z");
  EXPECT_TRUE(entries[1].clock_went_back);
}

TEST(Clock, BeforeThatOfTheTermsHasGoneBackToo) { EXPECT_TRUE(entries_at({100}).at(0).clock_went_back); }

}  // namespace
}  // namespace tacet::kernel
