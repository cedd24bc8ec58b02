#include "tacet/workflow/kept_ledger.h"

#include <utility>

namespace tacet {

Result<kernel::Custody> KeptLedger::take(const std::string& path) {
  std::optional<kernel::Custody> taken;
  {
    const std::lock_guard<std::mutex> guard(alone_);
    taken = std::exchange(kept_, std::nullopt);
  }
  if (taken && taken->is_still_at(path)) return *std::move(taken);
  return kernel::Custody::open(path);
}

void KeptLedger::keep(kernel::Custody&& ledger) {
  const std::lock_guard<std::mutex> guard(alone_);
  kept_.emplace(std::move(ledger));
}

}  // namespace tacet
