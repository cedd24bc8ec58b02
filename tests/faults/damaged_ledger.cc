#include "faults/damaged_ledger.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "kernel/ledger_requests.h"

namespace tacet::testing {
namespace {

using kernel::Entry;
using kernel::Ledger;

bool is_refusal(const Error& error) {
  return error.code() == Code::LedgerCorrupt || error.code() == Code::LedgerUnavailable || error.code() == Code::Unsupported;
}

bool same(const Entry& a, const Entry& b) {
  return a.number == b.number && a.analyst == b.analyst && a.statement == b.statement && a.time == b.time && a.entry_hash == b.entry_hash &&
         a.charged == b.charged && a.spent_after == b.spent_after && a.clock_went_back == b.clock_went_back;
}

}  // namespace

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_all(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

DamagedLedger::DamagedLedger() {
  {
    Ledger ledger = *Ledger::open(path(), true);
    EXPECT_TRUE(ledger.create_budget("patients", rho_budget("1"), {{.analyst = "ada", .limit = {decimal("0.5"), {}}}}).ok());
    EXPECT_TRUE(ledger.create_budget("visitors", rho_budget("1"), {}).ok());
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(ledger.charge(request(rho_loss("0.05"), "ada")).ok());
      EXPECT_TRUE(ledger.charge(request(rho_loss("0.025"), "ben")).ok());
    }
    history_ = *ledger.history("patients");
  }
  whole_ = read_all(path());
}

bool DamagedLedger::is_right_or_refused(const std::string& where) const {
  auto ledger = Ledger::open(where);
  if (!ledger.ok()) {
    EXPECT_TRUE(is_refusal(ledger.error())) << name(ledger.error().code()) << ": " << ledger.error().message();
    return true;
  }
  bool refused = false;
  const auto check_error = [&](const Error& error) {
    EXPECT_TRUE(is_refusal(error)) << name(error.code()) << ": " << error.message();
    refused = true;
  };
  if (const auto known = ledger->history("patients"); known.ok()) {
    EXPECT_TRUE(std::equal(known->begin(), known->end(), history_.begin(), history_.end(), same)) << "another history";
  } else {
    check_error(known.error());
  }
  if (const auto state = ledger->show("patients"); state.ok()) {
    EXPECT_EQ(state->filter.spent_amount().first, decimal("0.75"));
    EXPECT_EQ(state->terms.budget.total.first, decimal("1"));
    EXPECT_EQ(state->terms.rule, privacy::FilterRule::Zcdp);
    EXPECT_EQ(state->terms.relation, kernel::Relation::ReplaceOne);
  } else {
    check_error(state.error());
  }
  // The name may be lost, but must not become free.
  const Status made = ledger->create_budget("patients", rho_budget("1"), {});
  EXPECT_FALSE(made.ok()) << "the budget was given again";
  if (!made.ok() && made.error().code() != Code::AlreadyExists) check_error(made.error());
  // ada has nothing left; ben may have 0.25 in steps of 0.0625, and not more.
  for (const char* analyst : {"ada", "ben"}) {
    int granted = 0;
    for (int i = 0; i < 8; ++i) {
      const auto grant = ledger->charge(request(rho_loss("0.0625"), analyst));
      if (grant.ok()) {
        ++granted;
      } else if (grant.error().code() != Code::BudgetExhausted) {
        check_error(grant.error());
      }
    }
    EXPECT_LE(granted, analyst == std::string("ada") ? 0 : 4) << analyst;
  }
  return refused;
}

bool DamagedLedger::is_right_or_refused_with(std::size_t at, unsigned char flipped_bits) const {
  std::string damaged = whole_;
  damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flipped_bits);
  const std::string copy = folder_.path("copy");
  write_all(copy, damaged);
  const bool refused = is_right_or_refused(copy);
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(copy + suffix);
  return refused;
}

void DamagedLedger::edit(const std::string& sql) const {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

}  // namespace tacet::testing
