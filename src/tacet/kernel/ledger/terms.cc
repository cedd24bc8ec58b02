#include "tacet/kernel/ledger/terms.h"

namespace tacet::kernel {

std::optional<PublicFact<std::int64_t>> Terms::people(std::int64_t rows) const {
  if (!declared_.relation.people_are_public()) return std::nullopt;
  return PublicFact<std::int64_t>(rows);
}

std::optional<PublicFact<std::vector<std::int64_t>>> Terms::group_sizes(const std::string& column, std::vector<std::int64_t> sizes) const {
  if (!declared_.relation.people_are_public() || !declared_.relation.is_public(column)) return std::nullopt;
  return PublicFact<std::vector<std::int64_t>>(std::move(sizes));
}

PublicFact<std::vector<std::string>> Terms::trusted_labels(std::vector<std::string> labels) const {
  return PublicFact<std::vector<std::string>>(std::move(labels));
}

}  // namespace tacet::kernel
