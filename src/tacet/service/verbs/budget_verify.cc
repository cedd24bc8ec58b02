#include <map>
#include <optional>

#include <fmt/format.h>

#include "tacet/base/enum_names.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/readable_ledger.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

/// What a release file and the ledger say of each other.
enum class Finding : std::uint8_t { Agrees, OtherLedger, RolledBack, Forged, Altered, Replayed, Unrecorded, NoReceipt };

constexpr auto names_of(Finding) {
  using enum Finding;
  return std::to_array<Named<Finding>>({{Agrees, "agrees"},
                                        {OtherLedger, "other-ledger"},
                                        {RolledBack, "rolled-back"},
                                        {Forged, "forged"},
                                        {Altered, "altered"},
                                        {Replayed, "replayed"},
                                        {Unrecorded, "unrecorded"},
                                        {NoReceipt, "no-receipt"}});
}

std::string_view meaning(Finding finding) {
  switch (finding) {
    case Finding::Agrees: return "its charge stands in the ledger";
    case Finding::OtherLedger: return "its receipt is of another ledger or dataset";
    case Finding::RolledBack: return "the ledger ends before its charge: an older copy was put back, or entries were cut off";
    case Finding::Forged: return "the ledger has another entry in the place that its receipt names";
    case Finding::Altered: return "its charge stands in the ledger, but the file is not the one that was published";
    case Finding::Replayed: return "another release has the same receipt: one charge, two files";
    case Finding::Unrecorded:
      return "its charge stands in the ledger, which does not say what its file holds: an alteration would not be noticed";
    case Finding::NoReceipt: break;
  }
  return "it has no receipt of a ledger";
}

struct Claim {
  std::string ledger, dataset, entry_hash, statement_hash;
  std::int64_t entry = 0;
};

std::optional<Claim> claim_of(const Json& release) {
  const Json receipt = release.is_object() ? release.value("ledger", Json()) : Json();
  if (!receipt.is_object()) return std::nullopt;
  for (const char* field : {"ledger", "dataset", "entry_hash", "statement_hash"}) {
    if (!receipt.value(field, Json()).is_string()) return std::nullopt;
  }
  if (!receipt.value("entry", Json()).is_number_integer()) return std::nullopt;
  return Claim{receipt.at("ledger"), receipt.at("dataset"), receipt.at("entry_hash"), receipt.at("statement_hash"), receipt.at("entry")};
}

Finding judge(const Claim& claim, const std::string& contents_hash, const std::string& statement_hash, const std::string& ledger,
              const std::string& adopted, const std::string& dataset, const std::vector<kernel::Entry>& history) {
  // Receipts of before an adoption name the old ledger, and their entries kept their numbers.
  const bool known = claim.ledger == ledger || (!adopted.empty() && adopted.starts_with(claim.ledger + " "));
  if (!known || claim.dataset != dataset) return Finding::OtherLedger;
  if (claim.entry > static_cast<std::int64_t>(history.size())) return Finding::RolledBack;
  if (claim.entry < 1) return Finding::Forged;
  const kernel::Entry& entry = history[static_cast<std::size_t>(claim.entry - 1)];
  if (entry.kind != kernel::EntryKind::Charge || entry.entry_hash != claim.entry_hash || entry.statement_hash != claim.statement_hash)
    return Finding::Forged;
  // The file itself must be what was charged for: its statement, and all of it where its hash was written down.
  if (statement_hash != entry.statement_hash) return Finding::Altered;
  if (entry.release_hash.empty()) return Finding::Unrecorded;
  return contents_hash == entry.release_hash ? Finding::Agrees : Finding::Altered;
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
  TACET_TRY(const std::vector<kernel::Entry> history, ledger.custody.history(place.dataset));
  TACET_TRY(const std::vector<std::string> files, list_field(request, "releases"));

  struct Row {
    std::string file, contents_hash;
    std::int64_t entry = 0;
    Finding finding;
  };
  std::vector<Row> rows;
  std::map<std::int64_t, std::string> seen;  // which contents claim an entry
  for (const std::string& file : files) {
    TACET_TRY(const std::string contents, mechanisms::read_text_file(file, "releases"));
    const Json release = Json::parse(contents, nullptr, /*allow_exceptions=*/false);
    const std::string hash = kernel::hash_hex(contents);
    const auto claim = claim_of(release);
    if (!claim) {
      rows.push_back({file, hash, 0, Finding::NoReceipt});
      continue;
    }
    const Json statement = release.value("statement", Json());
    Finding finding = judge(*claim, hash, kernel::hash_hex(dump(statement)), ledger.name, state.adopted, place.dataset, history);
    if (finding != Finding::OtherLedger && finding != Finding::Forged && finding != Finding::RolledBack) {
      const auto [first, fresh] = seen.try_emplace(claim->entry, hash);
      if (!fresh && first->second != hash) finding = Finding::Replayed;
    }
    rows.push_back({file, hash, claim->entry, finding});
  }

  Json releases = Json::array();
  bool verified = true;
  for (const Row& row : rows) {
    verified = verified && row.finding == Finding::Agrees;
    releases.push_back({{"file", row.file},
                        {"entry", row.entry == 0 ? Json(nullptr) : Json(row.entry)},
                        {"finding", name(row.finding)},
                        {"meaning", meaning(row.finding)}});
  }
  Json lost = Json::array();
  for (const kernel::Entry& entry : history) {
    if (entry.kind == kernel::EntryKind::Charge && !seen.contains(entry.number))
      lost.push_back({{"entry", entry.number}, {"published", !entry.release_hash.empty()}});
  }
  return Json{{"dataset", place.dataset}, {"ledger", place.ledger},
              {"verified", verified},     {"sealed", ledger.format == 3 && state.sealed},
              {"releases", releases},     {"charges_without_release", lost}};
}

std::string words(const Json& result) {
  report::TextTable table({"release", "entry", "finding", "which means"});
  for (const Json& row : result.at("releases")) {
    table.add({row.at("file"), row.at("entry").is_null() ? "none" : fmt::format("{}", row.at("entry").get<std::int64_t>()),
               row.at("finding"), row.at("meaning")});
  }
  std::string out = table.render();
  std::string lost;
  for (const Json& row : result.at("charges_without_release"))
    lost += (lost.empty() ? "" : ", ") + fmt::format("{}", row.at("entry").get<std::int64_t>());
  if (!lost.empty())
    out += fmt::format("Charged, but not among these files: entr{} {}.\n", lost.find(',') == std::string::npos ? "y" : "ies", lost);
  out += result.at("verified").get<bool>() ? "Every release agrees with the ledger.\n" : "Not every release agrees with the ledger.\n";
  if (!result.at("sealed").get<bool>())
    out += "The custodian's key is not here, so a ledger that was forged as a whole cannot be detected.\n";
  return out;
}

}  // namespace

Verb budget_verify_verb() {
  std::vector<Field> fields = ledger_place_fields();
  fields.push_back({"releases", "a.json,b.json", "the release files to compare with the ledger", FieldKind::List, true});
  return {"budget verify",
          "Compare release files with the ledger: names what was lost, forged, replayed or rolled back",
          "tacet budget verify --schema patients.toml --releases smoking.json",
          std::move(fields),
          run,
          words,
          "verified"};
}

}  // namespace tacet::service
