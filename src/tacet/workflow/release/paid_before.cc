#include "tacet/workflow/release/paid_before.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "tacet/kernel/ledger/record.h"

namespace tacet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFilesOfAFolder = 1000;
constexpr std::uintmax_t kMostBytesOfAFolder = std::uintmax_t{1} << 26U;

/// The release files of a folder by name, as far as they may be read.
std::vector<fs::path> release_files(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  std::uintmax_t bytes = 0;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end && seen < kMostFilesOfAFolder; entry.increment(failed)) {
    ++seen;
    std::error_code unreadable;
    if (entry->path().extension() != ".json" || !entry->is_regular_file(unreadable)) continue;
    const std::uintmax_t size = entry->file_size(unreadable);
    if (unreadable || size > kMostBytesOfAFolder - bytes) continue;
    bytes += size;
    files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

std::optional<PaidBefore> paid_before(const std::vector<kernel::Entry>& history, const std::string& statement) {
  const kernel::Entry* found = nullptr;
  for (const kernel::Entry& entry : history) {
    if (entry.kind == kernel::EntryKind::Amendment) found = nullptr;
    if (entry.kind != kernel::EntryKind::Charge || entry.statement != statement) continue;
    if (found == nullptr || found->release_hash.empty() || !entry.release_hash.empty()) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  return PaidBefore{.entry = static_cast<std::uint64_t>(found->number),
                    .time = found->time,
                    .analyst = found->analyst,
                    .release_hash = found->release_hash.empty() ? std::nullopt : std::optional(found->release_hash),
                    .file = std::nullopt};
}

std::optional<std::string> file_with_hash(const std::string& folder, const std::string& hash) {
  for (const fs::path& path : release_files(folder.empty() ? "." : folder)) {
    if (kernel::hash_hex(bytes_of(path)) == hash) return folder.empty() ? path.filename().string() : path.string();
  }
  return std::nullopt;
}

}  // namespace tacet
