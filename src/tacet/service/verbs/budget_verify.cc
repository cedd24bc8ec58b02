#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/custody/verify_releases.h"

namespace tacet::service::budget_verify_verb {
namespace {

struct Request {
  PlaceFields place;
  std::vector<std::string> releases;
};

Result<ReleaseCheck> run(const Request& request, const Context& context) {
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  return verify_releases(dataset, request.releases);
}

std::string meaning(const CheckedRelease& release) {
  switch (release.finding) {
    case ReleaseFinding::Agrees: return "its charge is in the ledger";
    case ReleaseFinding::OtherLedger: return "its receipt is of another ledger or dataset";
    case ReleaseFinding::RolledBack: return "the ledger ends before its charge: an older copy was put back, or entries were cut off";
    case ReleaseFinding::Forged: return "the ledger has a different entry at the number in its receipt";
    case ReleaseFinding::Altered: return "its charge is in the ledger, but the file is not the one that was published";
    case ReleaseFinding::Replayed: return "another release has the same receipt: one charge, two files";
    case ReleaseFinding::Unrecorded:
      return "its charge is in the ledger, but the ledger has no hash of the file, so changes to its values cannot be detected";
    case ReleaseFinding::NoReceipt: break;
  }
  return "it has no receipt of a ledger";
}

AnswerTable<CheckedRelease> release_table() {
  return AnswerTable<CheckedRelease>()
      .value("file", &CheckedRelease::file, "the release file")
      .value("entry", &CheckedRelease::entry, "the entry that its receipt names; null without one")
      .value("finding", &CheckedRelease::finding, "what the file and the ledger say of each other")
      .value("meaning", meaning, "the same in words");
}

AnswerTable<UnmatchedCharge> charge_table() {
  return AnswerTable<UnmatchedCharge>()
      .value("entry", &UnmatchedCharge::entry, "its number")
      .value("published", &UnmatchedCharge::published, "whether a file was written for it");
}

std::string words(const ReleaseCheck& check) {
  report::TextTable table({"release", "entry", "finding", "which means"});
  for (const CheckedRelease& release : check.releases) {
    const std::string entry = release.entry ? fmt::format("{}", *release.entry) : "none";
    table.add({release.file, entry, std::string(name(release.finding)), meaning(release)});
  }
  std::string out = table.render();
  std::string lost;
  for (const UnmatchedCharge& charge : check.charges_without_release) lost += (lost.empty() ? "" : ", ") + fmt::format("{}", charge.entry);
  if (!lost.empty()) {
    out += fmt::format("Charged, but not among these files: entr{} {}.\n", check.charges_without_release.size() == 1 ? "y" : "ies", lost);
  }
  out += check.verified() ? "Every release agrees with the ledger.\n" : "Not every release agrees with the ledger.\n";
  if (!check.sealed) out += "The custodian's key is not here, so a ledger that was forged as a whole cannot be detected.\n";
  return out;
}

}  // namespace

Verb make() {
  return verb<Request, ReleaseCheck>(
      {.name = "budget verify",
       .summary = "Compare release files with the ledger: names what was lost, forged, replayed or rolled back",
       .example = "tacet budget verify --schema patients.toml --releases smoking.json",
       .library = LibraryFunction{"verify_releases", "tacet/workflow/custody/verify_releases.h"},
       .request = RequestTable<Request>()
                      .include(&Request::place, place_table())
                      .required("releases", &Request::releases, "a.json,b.json", "the release files to compare with the ledger"),
       .answer = AnswerTable<ReleaseCheck>()
                     .value("dataset", &ReleaseCheck::dataset, "the dataset")
                     .value("ledger", &ReleaseCheck::ledger, "the path of its ledger")
                     .value("verified", &ReleaseCheck::verified, "whether every release agrees with the ledger")
                     .value("sealed", &ReleaseCheck::sealed, "whether every entry was checked with the custodian's key")
                     .list("releases", &ReleaseCheck::releases, release_table(), "the files, in the order in which they were given")
                     .list("charges_without_release", &ReleaseCheck::charges_without_release, charge_table(),
                           "charges for which no file was given"),
       .run = run,
       .words = words,
       .holds = [](const ReleaseCheck& check) { return check.verified(); }});
}

}  // namespace tacet::service::budget_verify_verb
