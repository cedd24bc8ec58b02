#include "tacet/workflow/custody/readable_ledger.h"

#include <utility>
#include <vector>

#include "tacet/old_ledger/old_ledger.h"

namespace tacet {

Result<ReadableLedger> ReadableLedger::open(const std::string& path) {
  auto opened = kernel::Custody::open(path);
  if (opened.ok()) {
    std::string name = opened->name();
    return ReadableLedger{.custody = *std::move(opened), .name = std::move(name)};
  }
  if (opened.error().code() != Code::Unsupported) return std::move(opened).error();
  TACET_TRY(const std::vector<old_ledger::OldDataset> datasets, old_ledger::read_old_ledger(path));
  TACET_TRY(kernel::Custody copy, kernel::Custody::open(":memory:"));
  ReadableLedger ledger{.custody = std::move(copy), .name = {}};
  for (const old_ledger::OldDataset& old : datasets) {
    const kernel::Declaration declared{.budget = old.budget,
                                       .relation = old.relation.value_or(kernel::Relation(kernel::Relation::ReplaceOne)),
                                       .rule = old.rule,
                                       .slack = old.slack};
    TACET_CHECK(ledger.custody.adopt(old.dataset, declared, old.shares, old.from(), old.charges));
    ledger.name = old.ledger;
    ledger.format = old.format;
  }
  return ledger;
}

}  // namespace tacet
