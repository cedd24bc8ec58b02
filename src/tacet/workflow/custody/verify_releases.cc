#include "tacet/workflow/custody/verify_releases.h"

#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/workflow/custody/readable_ledger.h"

namespace tacet {
namespace {

using enum ReleaseFinding;

/// The receipt in a release file, and the hashes of its contents.
struct Claim {
  std::optional<kernel::Receipt> receipt;
  std::string statement_hash, contents_hash;
};

/// Altered values must not hide a receipt, so the file need not be a valid release.
Claim claim_of(const std::string& contents) {
  using Json = nlohmann::json;
  const auto parsed = mechanisms::parse_json(contents, "releases", "text");
  const Json release = parsed ? *parsed : Json();
  Claim claim{.receipt = {}, .statement_hash = {}, .contents_hash = kernel::hash_hex(contents)};
  const Json written = release.is_object() ? release.value("ledger", Json()) : Json();
  if (!written.is_object() || !written.value("entry", Json()).is_number_integer()) return claim;
  for (const char* field : {"ledger", "dataset", "entry_hash", "statement_hash"}) {
    if (!written.value(field, Json()).is_string()) return claim;
  }
  claim.receipt = kernel::Receipt{.ledger = written.at("ledger"),
                                  .dataset = written.at("dataset"),
                                  .entry = written.at("entry"),
                                  .entry_hash = written.at("entry_hash"),
                                  .statement_hash = written.at("statement_hash"),
                                  .time = {},
                                  .charged = {}};
  claim.statement_hash = kernel::hash_hex(release.value("statement", Json()).dump(-1, ' ', false, Json::error_handler_t::replace));
  return claim;
}

/// The ledger.
struct Book {
  std::string ledger, dataset;
  std::string adopted;  // begins with the name of the older ledger that it continues
  std::vector<kernel::Entry> history;
};

ReleaseFinding judge(const Claim& claim, const Book& book) {
  if (!claim.receipt) return NoReceipt;
  const kernel::Receipt& receipt = *claim.receipt;
  // Receipts from before an adoption name the old ledger; the entries kept their numbers.
  const bool known = receipt.ledger == book.ledger || (!book.adopted.empty() && book.adopted.starts_with(receipt.ledger + " "));
  if (!known || receipt.dataset != book.dataset) return OtherLedger;
  if (receipt.entry > static_cast<std::int64_t>(book.history.size())) return RolledBack;
  if (receipt.entry < 1) return Forged;
  const kernel::Entry& entry = book.history[static_cast<std::size_t>(receipt.entry - 1)];
  if (entry.kind != kernel::EntryKind::Charge || entry.entry_hash != receipt.entry_hash || entry.statement_hash != receipt.statement_hash)
    return Forged;
  // The file must be the one that was charged: its statement, and all of its contents if their
  // hash is known.
  if (claim.statement_hash != entry.statement_hash) return Altered;
  if (entry.release_hash.empty()) return Unrecorded;
  return claim.contents_hash == entry.release_hash ? Agrees : Altered;
}

/// True if the receipt belongs to an entry of this ledger.
bool names_an_entry(ReleaseFinding finding) { return finding == Agrees || finding == Altered || finding == Unrecorded; }

}  // namespace

Result<ReleaseCheck> verify_releases(const Dataset& dataset, const std::vector<std::string>& files) {
  const KnownPlace& place = dataset.place();
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
  TACET_TRY(std::vector<kernel::Entry> history, ledger.custody.history(place.dataset));
  const Book book{ledger.name, place.dataset, state.adopted, std::move(history)};
  ReleaseCheck check{.dataset = place.dataset,
                     .ledger = place.ledger,
                     .sealed = state.sealed && ledger.format == kLedgerFormat,
                     .releases = {},
                     .charges_without_release = {}};
  std::map<std::int64_t, std::string> contents_of;  // the first file of each entry
  for (const std::string& file : files) {
    TACET_TRY(const std::string contents, mechanisms::read_text_file(file, "releases"));
    const Claim claim = claim_of(contents);
    ReleaseFinding finding = judge(claim, book);
    if (names_an_entry(finding)) {
      const auto [first, fresh] = contents_of.try_emplace(claim.receipt->entry, claim.contents_hash);
      if (!fresh && first->second != claim.contents_hash) finding = Replayed;
    }
    check.releases.push_back({file, {}, finding});
    if (claim.receipt && claim.receipt->entry > 0) check.releases.back().entry = static_cast<std::uint64_t>(claim.receipt->entry);
  }
  for (const kernel::Entry& entry : book.history) {
    if (entry.kind == kernel::EntryKind::Charge && !contents_of.contains(entry.number))
      check.charges_without_release.push_back({static_cast<std::uint64_t>(entry.number), !entry.release_hash.empty()});
  }
  return check;
}

}  // namespace tacet
