#include "faults/scenario.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "faults/faulty_disk.h"
#include "kernel/ledger_requests.h"

namespace tacet::testing {
namespace {

using kernel::Custody;

constexpr int kTries = 2;
constexpr std::size_t kFits = 3;

std::optional<Custody> open_ledger(const std::string& path, bool create, kernel::Disk& disk, Story& story) {
  for (int i = 0; i < kTries; ++i) {
    auto ledger = Custody::open(path, {.create = create, .disk = &disk});
    if (ledger.ok()) return std::move(ledger).value();
    story.errors.push_back(std::move(ledger).error());
  }
  return std::nullopt;
}

kernel::Declaration declared() {
  kernel::Declaration made = rho_budget("0.3");
  made.others = made.budget.total;
  return made;
}

}  // namespace

bool make_ledger(const std::string& path, kernel::Disk& disk, Story& story) {
  std::optional<Custody> ledger = open_ledger(path, true, disk, story);
  if (!ledger) return false;
  for (int i = 0; i < kTries; ++i) {
    Status made = ledger->create_budget("patients", declared(), {{.analyst = "ada", .limit = {decimal("0.25"), {}}}});
    // A first try whose append failed may have been made after all.
    if (made.ok() || made.error().code() == Code::AlreadyExists) return true;
    story.errors.push_back(std::move(made).error());
  }
  return false;
}

void charge_ledger(const std::string& path, kernel::Disk& disk, Story& story) {
  std::optional<Custody> ledger = open_ledger(path, false, disk, story);
  if (!ledger) return;
  for (const char* analyst : {"ada", "ben", "ada", "ben"}) {
    for (int i = 0; i < kTries; ++i) {
      auto grant = ledger->charge(request(rho_loss("0.1"), analyst));
      if (grant.ok()) {
        story.grants.push_back(grant->receipt());
        Status published = ledger->record_published(grant->receipt(), std::string(64, 'a'));
        if (!published.ok()) story.errors.push_back(std::move(published).error());
        break;
      }
      story.errors.push_back(grant.error());
      story.refused_charges.push_back(grant.error());
    }
  }
}

std::string contradiction_of(const std::string& path, const Story& story, const std::string& seals) {
  if (!std::filesystem::exists(path)) return story.grants.empty() ? "" : "there is no ledger";
  auto ledger = Custody::open(path, {.seals = seals, .disk = &QuickDisk::one()});
  if (!ledger.ok()) return "it cannot be opened: " + ledger.error().message();
  auto history = ledger->history("patients");
  if (!history.ok()) {
    const bool never_made = history.error().code() == Code::NotFound && story.grants.empty();
    return never_made ? "" : "its history cannot be read: " + history.error().message();
  }
  for (const kernel::Receipt& receipt : story.grants) {
    const auto is_it = [&](const kernel::Entry& entry) { return entry.number == receipt.entry && entry.entry_hash == receipt.entry_hash; };
    if (std::none_of(history->begin(), history->end(), is_it)) return "a grant has no entry";
  }
  const auto certain = std::count_if(story.refused_charges.begin(), story.refused_charges.end(),
                                     [](const Error& e) { return e.spent() == "nothing was spent"; });
  const std::size_t unsure = story.refused_charges.size() - static_cast<std::size_t>(certain);
  if (history->size() > story.grants.size() + unsure) return "something was spent that was reported as not spent";
  // Somebody goes on with what is there.
  for (std::size_t entries = history->size(); entries <= kFits; ++entries) {
    const auto grant = ledger->charge(request(rho_loss("0.1"), "ben"));
    if (entries == kFits && grant.ok()) return "it is overspent";
    if (entries < kFits && !grant.ok()) return "it cannot be charged any more: " + grant.error().message();
  }
  return "";
}

}  // namespace tacet::testing
