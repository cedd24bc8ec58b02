#include "tacet/schemas/profile/look.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/data/scan_request.h"
#include "tacet/schemas/profile/look_process.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/profile/row_tally.h"

namespace tacet::schemas {

Result<FileProfile> look_at(const data::DataFile& file, const data::Schema& schema, const LookOptions& options) {
  const LookRequest request{.scan = data::request_text({schema, {}, file.form(), 2}), .learn = options.learn};
  TACET_TRY(const std::string said, look_apart(file, request, options.progress));
  std::optional<FileProfile> profile = read_profile(said);
  if (!profile) return misunderstood(file);
  return *std::move(profile);
}

FileProfile look_at(const data::StoredTable& table, const data::Schema& schema) {
  FileProfile profile;
  std::vector<SourceField> fields;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    SourceField field{.name = table.columns[at]};
    if (!table.batches.empty() && at < table.batches.front().size()) {
      const data::StoredColumn& column = table.batches.front()[at];
      field.stored = {.single = std::holds_alternative<float>(column.kind), .numbers = !data::has_texts(column)};
    }
    fields.push_back(std::move(field));
  }
  RowTally tally(schema, fields, /*learn=*/false);
  std::string scratch;
  for (const auto& batch : table.batches) {
    if (batch.size() != fields.size()) continue;
    profile.rows += batch.empty() ? 0 : static_cast<std::int64_t>(batch.front().rows);
    for (const std::size_t at : tally.wanted()) {
      for (std::size_t row = 0; row < batch[at].rows; ++row) tally.add(at, data::text_of(batch[at], row, scratch), 1);
    }
  }
  tally.finish(profile);
  return profile;
}

}  // namespace tacet::schemas
