#include "tacet/workflow/infer/date_columns.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace tacet {

std::vector<bool> date_columns(const MomentRelease& release) {
  std::vector<bool> dates(release.columns.size());
  const auto statement = nlohmann::json::parse(release.header.statement, nullptr, /*allow_exceptions=*/false);
  if (!statement.is_object() || !statement.contains("dates") || !statement["dates"].is_array()) return dates;
  const nlohmann::json& named = statement["dates"];
  for (std::size_t j = 0; j < dates.size(); ++j) dates[j] = std::find(named.begin(), named.end(), release.columns[j].name) != named.end();
  return dates;
}

}  // namespace tacet
