#include "tacet/schemas/profile/look.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/fault.h"
#include "tacet/data/scan_process.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/shared_region.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/profile/row_tally.h"

namespace tacet::schemas {
namespace {

using data::Fault;
using data::SharedRegion;

constexpr std::size_t kMostBytesOfProfile = std::size_t{32} << 20;

/// Beside the program that reads data for releases, or beside what that is a link to.
Result<std::string> look_program() {
  TACET_TRY(const std::string scan, data::scan_program());
  std::error_code error;
  for (const std::filesystem::path& place : {std::filesystem::path(scan), std::filesystem::canonical(scan, error)}) {
    std::string look = (place.parent_path() / "tacet-look").string();
    if (::access(look.c_str(), X_OK) == 0) return look;
  }
  return Error::of(Code::EngineFailed, "tacet-look, which shows data to its custodian, is not beside tacet-scan",
                   "install Tacet whole, with its package or with make install");
}

data::Scanning<FileProfile> ask_for_profile(const std::string& program, const data::DataFile& file, const std::string& request,
                                            const std::function<void(double)>& progress) {
  const std::optional<SharedRegion> region = SharedRegion::make(request, kMostBytesOfProfile);
  if (!region) return Fault{};
  std::optional<data::ScanProcess> process = data::ScanProcess::start(program, region->descriptor(), file);
  if (!process) return Fault{};
  while (!process->wait(progress ? std::optional(std::chrono::milliseconds(200)) : std::nullopt)) {
    const double fraction = region->head().fraction;
    if (progress) progress(fraction > 0 && fraction <= 1 ? fraction : 0);
  }
  const bool ended_well = process->ended_well();
  const SharedRegion::Head& head = region->head();
  if (head.begun != data::scan_build()) return Fault{head.begun == 0 ? Fault::EngineBroken : Fault::OtherBuild};
  if (ended_well && head.answered == SharedRegion::kFault) return Fault{static_cast<Fault::Kind>(head.fault)};
  if (!ended_well || head.answered != SharedRegion::kAnswered) return Fault{};
  const auto said = static_cast<std::size_t>(std::min<std::uint64_t>(head.said, region->answer().size()));
  std::optional<FileProfile> profile = read_profile({reinterpret_cast<const char*>(region->answer().data()), said});
  return profile ? data::Scanning<FileProfile>(*std::move(profile)) : Fault{};
}

}  // namespace

Result<FileProfile> look_at(const data::DataFile& file, const data::Schema& schema, const LookOptions& options) {
  TACET_TRY(const std::string program, look_program());
  const std::string request =
      look_request_text({.scan = data::request_text({schema, std::nullopt, file.form(), 2}), .learn = options.learn});
  auto profile = ask_for_profile(program, file, request, options.progress);
  if (!profile.ok()) return data::error_of(profile.error(), file.path());
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
