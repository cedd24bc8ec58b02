// Ledger files, as they lie on a disk. An input that begins with "raw:" is the file after it. Any
// other is a list of records, one a line, which get the header, the hashes and the tags that a
// forger without the key could give them, so that the fuzzer reaches what is behind them.
//
// Holds    a file is opened or refused in words; what is shown of a budget and its history agree;
//          and without the key nothing is charged.
#include <algorithm>
#include <string>
#include <string_view>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/privacy/parameters.h"

#include "support.h"

namespace {

using tacet::fuzz::must;
using tacet::kernel::Custody;

std::string chained(std::string_view texts) {
  std::string file = tacet::kernel::header_line("0123456789abcdef0123456789abcdef");
  std::string previous = tacet::kernel::parse_header(std::string_view(file).substr(0, file.size() - 1))->hash;
  while (!texts.empty()) {
    const std::string_view text = texts.substr(0, texts.find('\n'));
    texts.remove_prefix(std::min(texts.size(), text.size() + 1));
    previous = tacet::kernel::record_hash(previous, text);
    file += tacet::kernel::record_line(text, previous, std::string(64, '0'));
  }
  return file;
}

void check(Custody& ledger, const std::string& dataset) {
  const auto history = ledger.history(dataset);
  const auto state = ledger.show(dataset);
  must(history.ok() == state.ok(), "what can be shown has a history");
  if (!history || !state) return;
  must(static_cast<std::size_t>(state->entries) == history->size(), "a budget counts its entries");
  must(!state->sealed, "there is no key");
  must(ledger.terms(dataset).ok(), "what has a budget has terms");
  const auto charged = ledger.charge({.dataset = dataset,
                                      .analyst = "fuzz",
                                      .statement = "{}",
                                      .relation = state->terms.relation,
                                      .loss = tacet::privacy::pure_loss(*tacet::privacy::Epsilon::parse("1e-9"))});
  must(!charged.ok(), "nothing is charged without the key");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kRaw = "raw:";
  static const tacet::fuzz::MemoryFile scratch("people.ledger");
  const std::string_view input = tacet::fuzz::as_text(data, size);
  scratch.write(input.starts_with(kRaw) ? std::string(input.substr(kRaw.size())) : chained(input));
  auto ledger = Custody::open(scratch.path(), {.clock = [] { return std::int64_t{1'700'000'000}; }, .seals = "/nonexistent"});
  if (!ledger) {
    must(!ledger.error().message().empty(), "a refusal says why");
    return 0;
  }
  if (const auto datasets = ledger->datasets()) {
    for (const std::string& dataset : *datasets) check(*ledger, dataset);
  }
  return 0;
}
