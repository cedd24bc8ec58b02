// Ledger files, as they lie on a disk: the bytes are the file.
//
// Holds    a file is opened or refused in words; what is shown of a budget and its history agree; and a charge to what was opened is an entry more.
#include <string>

#include <unistd.h>

#include "tacet/kernel/ledger.h"

#include "support.h"

namespace {

using tacet::fuzz::must;
using tacet::kernel::Ledger;

void check(Ledger& ledger, const std::string& dataset) {
  const auto history = ledger.history(dataset);
  const auto state = ledger.show(dataset);
  if (!history || !state) return;
  must(static_cast<std::size_t>(state->entries) == history->size(), "a budget counts its entries");
  const auto charged = ledger.charge({.dataset = dataset,
                                      .analyst = "fuzz",
                                      .statement = "{}",
                                      .relation = state->terms.relation,
                                      .loss = tacet::privacy::pure_loss(*tacet::privacy::Epsilon::parse("1e-9"))});
  const auto after = ledger.history(dataset);
  must(after.ok() && after->size() == history->size() + (charged.ok() ? 1 : 0), "a charge is an entry, and a refusal is none");
}

/// What a ledger may have beside its file.
void remove_company(const std::string& path) {
  for (const char* ending : {"-wal", "-shm", "-journal"}) (void)::unlink((path + ending).c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tacet::fuzz::MemoryFile scratch("people.ledger");
  scratch.write(tacet::fuzz::as_text(data, size));
  {
    auto ledger = Ledger::open(scratch.path(), false, [] { return std::int64_t{1'700'000'000}; });
    if (ledger) {
      if (const auto datasets = ledger->datasets()) {
        for (const std::string& dataset : *datasets) check(*ledger, dataset);
      }
    } else {
      must(!ledger.error().message().empty(), "a refusal says why");
    }
  }
  remove_company(scratch.path());
  return 0;
}
