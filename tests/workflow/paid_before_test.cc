#include "tacet/workflow/release/paid_before.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tacet/kernel/ledger/record.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_counts.h"

#include "kernel/scratch_folder.h"
#include "service/desk.h"

namespace tacet {
namespace {

using kernel::Entry;
using kernel::EntryKind;

Entry entry_of(std::int64_t number, const std::string& statement, const std::string& hash = "", EntryKind kind = EntryKind::Charge) {
  Entry entry{};
  entry.number = number;
  entry.kind = kind;
  entry.analyst = "ada";
  entry.statement = statement;
  entry.time = "2026-01-0" + std::to_string(number) + "T00:00:00Z";
  entry.release_hash = hash;
  return entry;
}

TEST(PaidBefore, IsTheLastChargeForTheSameStatement) {
  const std::vector<Entry> history = {entry_of(1, "a", "f1"), entry_of(2, "b", "f2"), entry_of(3, "a", "f3"), entry_of(4, "c", "f4")};
  const auto before = paid_before(history, "a");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->entry, 3U);
  EXPECT_EQ(before->analyst, "ada");
  EXPECT_EQ(before->time, "2026-01-03T00:00:00Z");
  EXPECT_EQ(before->release_hash, "f3");
  EXPECT_FALSE(before->file);
  EXPECT_FALSE(paid_before(history, "d"));
  EXPECT_FALSE(paid_before({}, "a"));
}

TEST(PaidBefore, AChargeWithAFileIsPreferredToALaterOneWithout) {
  EXPECT_EQ(paid_before({entry_of(1, "a", "f1"), entry_of(2, "a")}, "a")->entry, 1U);
  const auto without = paid_before({entry_of(1, "a"), entry_of(2, "a")}, "a");
  EXPECT_EQ(without->entry, 2U);
  EXPECT_FALSE(without->release_hash);
}

TEST(PaidBefore, AFailedScanIsNoPaymentAndAnAmendmentEndsWhatWasTheSame) {
  EXPECT_FALSE(paid_before({entry_of(1, "a", "", EntryKind::FailedScan)}, "a"));
  EXPECT_FALSE(paid_before({entry_of(1, "a", "f1"), entry_of(2, "other bounds", "", EntryKind::Amendment)}, "a"));
  EXPECT_EQ(paid_before({entry_of(1, "why", "", EntryKind::Amendment), entry_of(2, "a", "f2")}, "a")->entry, 2U);
}

TEST(PaidBefore, AFileIsFoundByItsBytesAlone) {
  const testing::ScratchFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(folder.path(name), std::ios::binary) << text; };
  const std::string hash = kernel::hash_hex("released\n");
  EXPECT_FALSE(file_with_hash(folder.folder(), hash));
  write("a.json", "released");
  write("b.csv", "released\n");
  EXPECT_FALSE(file_with_hash(folder.folder(), hash));
  write("c.json", "released\n");
  EXPECT_EQ(file_with_hash(folder.folder(), hash), folder.path("c.json"));
  EXPECT_FALSE(file_with_hash(folder.path("no such folder"), hash));
}

TEST(PaidBefore, TheTypedAnswerCarriesIt) {
  const test::Desk desk;
  ASSERT_TRUE(create_budget({.schema = *schemas::read_schema(desk.path("people.toml")), .total = Rho(1)}).ok());
  const Dataset people = *Dataset::open({.ledger = desk.path("people.ledger"), .data = desk.path("people.csv")});
  const auto first = release_counts(people, {.by = {"sex"}, .loss = Rho("0.1"), .out = desk.path("first.json")});
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_FALSE(first->paid_before);
  // No file is asked for, so none is looked for.
  const auto second = release_counts(people, {.by = {"sex"}, .loss = Rho("0.1")});
  ASSERT_TRUE(second.ok()) << second.error().message();
  ASSERT_TRUE(second->paid_before);
  EXPECT_EQ(second->paid_before->entry, 1U);
  EXPECT_EQ(second->paid_before->release_hash, kernel::hash_hex(desk.read("first.json")));
  EXPECT_FALSE(second->paid_before->file);
}

}  // namespace
}  // namespace tacet
