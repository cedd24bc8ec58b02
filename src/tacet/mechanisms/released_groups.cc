#include "tacet/mechanisms/released_groups.h"

#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

constexpr std::size_t kMostGroups = 10'000;

}  // namespace

nlohmann::json groups_json(const std::optional<ReleasedGroups>& groups) {
  if (!groups) return nullptr;
  return {{"column", groups->column}, {"labels", groups->labels}, {"membership", name(groups->membership)}};
}

Result<std::optional<ReleasedGroups>> read_groups(const ReleaseFields& fields, const nlohmann::json& value) {
  std::optional<ReleasedGroups> groups;
  if (value.is_null()) return groups;
  groups.emplace();
  TACET_TRY(groups->column, fields.text(value, "column"));
  TACET_TRY(groups->membership, fields.choice<kernel::Membership>(value, "membership", "membership"));
  TACET_TRY(const nlohmann::json* labels, fields.member(value, "labels"));
  if (!labels->is_array() || labels->empty() || labels->size() > kMostGroups)
    return fields.bad("labels", "no list", "must be a list of 1 to 10^4 texts");
  TACET_TRY(groups->labels, fields.texts(*labels, "labels"));
  return groups;
}

}  // namespace tacet::mechanisms
