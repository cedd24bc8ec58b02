#include "faults/damaged_ledger.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tacet/kernel/ledger/record.h"

#include "faults/faulty_disk.h"
#include "kernel/ledger_requests.h"

namespace tacet::testing {
namespace {

using kernel::Custody;
using kernel::Entry;

bool is_refusal(const Error& error) { return error.code() == Code::LedgerCorrupt || error.code() == Code::Unsupported; }

bool same(const Entry& a, const Entry& b) {
  return a.number == b.number && a.kind == b.kind && a.analyst == b.analyst && a.statement == b.statement && a.time == b.time &&
         a.entry_hash == b.entry_hash && a.charged == b.charged && a.spent_after == b.spent_after && a.clock_went_back == b.clock_went_back;
}

}  // namespace

DamagedLedger::DamagedLedger() {
  Custody ledger = *Custody::open(path(), {.create = true, .disk = &QuickDisk::one()});
  kernel::Declaration declared = rho_budget("1");
  declared.custodian = "carol";
  declared.others = declared.budget.total;
  EXPECT_TRUE(ledger.create_budget("patients", declared, {{.analyst = "ada", .limit = {decimal("0.5"), {}}}}).ok());
  EXPECT_TRUE(ledger.create_budget("visitors", rho_budget("1"), {}).ok());
  for (int i = 0; i < 2; ++i) {
    const auto grant = ledger.charge(request(rho_loss("0.25"), "ada"));
    EXPECT_TRUE(ledger.record_published(grant->receipt(), std::string(64, 'a')).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.125"), "ben")).ok());
  }
  EXPECT_TRUE(ledger.record_failed_scan(request(rho_loss("0.125"), "ben")).ok());
  EXPECT_TRUE(ledger.amend("patients", {.custodian = "carol", .reason = "the file moved", .source = "/new.csv"}).ok());
  history_ = *ledger.history("patients");
  whole_ = read_all(path());
}

std::vector<std::string> DamagedLedger::lines() const {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < whole_.size();) {
    const std::size_t stop = whole_.find('\n', at) + 1;
    lines.push_back(whole_.substr(at, stop - at));
    at = stop;
  }
  return lines;
}

void DamagedLedger::expect_refused(const std::string& bytes) const {
  write_all(path(), bytes);
  auto ledger = Custody::open(path(), {.disk = &QuickDisk::one()});
  if (!ledger.ok()) {
    EXPECT_TRUE(is_refusal(ledger.error())) << name(ledger.error().code()) << ": " << ledger.error().message();
    return;
  }
  // A ledger with another name has another key, or none: it is then a ledger that nobody can
  // charge.
  const auto grant = ledger->charge(request(rho_loss("0.125"), "ben"));
  EXPECT_FALSE(grant.ok()) << "was granted";
  EXPECT_FALSE(ledger->create_budget("patients", rho_budget("1"), {}).ok()) << "the budget was given again";
  EXPECT_FALSE(ledger->show("patients").ok() && ledger->show("patients")->sealed) << "was taken for whole";
}

bool DamagedLedger::is_refused_to_readers(const std::string& bytes) const {
  write_all(path(), bytes);
  auto ledger = Custody::open(path(), {.seals = folder_.path("none")});
  if (!ledger.ok()) {
    EXPECT_TRUE(is_refusal(ledger.error())) << name(ledger.error().code()) << ": " << ledger.error().message();
    return true;
  }
  EXPECT_FALSE(ledger->charge(request(rho_loss("0.125"), "ben")).ok());
  const auto known = ledger->history("patients");
  if (!known.ok()) {
    EXPECT_EQ(known.error().code(), Code::NotFound) << known.error().message();
    return false;
  }
  EXPECT_LE(known->size(), history_.size());
  EXPECT_TRUE(std::equal(known->begin(), known->end(), history_.begin(), same)) << "another history";
  EXPECT_FALSE(ledger->show("patients")->sealed);
  return false;
}

std::string DamagedLedger::rehashed(std::vector<std::string> lines, std::size_t from) {
  std::string all;
  std::string previous;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = lines[i].substr(0, lines[i].size() - 1);
    if (i == 0) {
      previous = line.substr(line.rfind('\t') + 1);
      all += lines[i];
      continue;
    }
    const std::optional<kernel::Line> parsed = kernel::parse_line(line);
    const std::string text(parsed->text);
    const std::string tag(parsed->tag);
    const std::string hash = i < from ? std::string(parsed->hash) : kernel::record_hash(previous, text);
    all += kernel::record_line(text, hash, tag);
    previous = hash;
  }
  return all;
}

}  // namespace tacet::testing
