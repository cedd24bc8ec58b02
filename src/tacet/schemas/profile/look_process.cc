#include "tacet/schemas/profile/look_process.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>

#include "tacet/data/fault.h"
#include "tacet/data/scan_process.h"
#include "tacet/data/shared_region.h"

namespace tacet::schemas {
namespace {

using data::Fault;
using data::SharedRegion;

constexpr std::size_t kMostBytesOfProfile = std::size_t{32} << 20;
constexpr std::size_t kMostBytesOfNames = std::size_t{4} << 20;

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

data::Scanning<std::string> ask(const std::string& program, const data::DataFile& file, const LookRequest& request,
                                const std::function<void(double)>& progress) {
  const std::optional<SharedRegion> region =
      SharedRegion::make(look_request_text(request), request.names ? kMostBytesOfNames : kMostBytesOfProfile);
  if (!region) return Fault{};
  std::optional<data::ScanProcess> process = data::ScanProcess::start(program, region->descriptor(), file);
  if (!process) return Fault{};
  while (!process->wait(progress ? std::optional(std::chrono::milliseconds(200)) : std::nullopt)) {
    const double fraction = region->head().fraction;
    if (progress) progress(fraction > 0 && fraction <= 1 ? fraction : 0);
  }
  const bool ended_well = process->ended_well();
  const SharedRegion::Head& head = region->head();
  if (head.begun != look_build()) return Fault{head.begun == 0 ? Fault::EngineBroken : Fault::OtherBuild};
  if (ended_well && head.answered == SharedRegion::kFault) return Fault{static_cast<Fault::Kind>(head.fault)};
  if (!ended_well || head.answered != SharedRegion::kAnswered) return Fault{};
  const auto said = static_cast<std::size_t>(std::min<std::uint64_t>(head.said, region->answer().size()));
  return std::string(reinterpret_cast<const char*>(region->answer().data()), said);
}

}  // namespace

Result<std::string> look_apart(const data::DataFile& file, const LookRequest& request, const std::function<void(double)>& progress,
                               std::string program) {
  if (program.empty()) {
    TACET_TRY(program, look_program());
  }
  auto said = ask(program, file, request, progress);
  if (!said.ok() && said.error().kind == Fault::OtherBuild) {
    return Error::of(Code::EngineFailed, "tacet-look, which shows data to its custodian, is of another build than this program",
                     "install Tacet whole; both come with one package, and with one make");
  }
  if (!said.ok()) return data::error_of(said.error(), file.path());
  return *std::move(said);
}

Error misunderstood(const data::DataFile& file) { return data::error_of(Fault{}, file.path()); }

}  // namespace tacet::schemas
