#include "tacet/schemas/data_path.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::schemas {
namespace {

using data::FileForm;
using data::FileKind;

constexpr std::array<std::pair<std::string_view, FileForm>, 7> kEndings{{{".csv", {FileKind::Csv, ',', false}},
                                                                         {".csv.gz", {FileKind::Csv, ',', true}},
                                                                         {".tsv", {FileKind::Csv, '\t', false}},
                                                                         {".tsv.gz", {FileKind::Csv, '\t', true}},
                                                                         {".parquet", {FileKind::Parquet, ',', false}},
                                                                         {".duckdb", {FileKind::DuckDb, ',', false}},
                                                                         {".db", {FileKind::DuckDb, ',', false}}}};

Error cannot_open(const std::string& path, int reason) {
  if (reason == ENOENT || reason == ENOTDIR)
    return Error::of(Code::NotFound, fmt::format("there is no file {}", in_quotes(path)), "check the name given as data");
  return Error::of(Code::DataUnreadable, fmt::format("{} cannot be opened ({})", in_quotes(path), std::generic_category().message(reason)),
                   "check its permissions, and the disk it is on");
}

}  // namespace

Result<data::DataFile> open_data(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return Error::invalid("data", in_quotes(path), "must be the name of a file");
  std::string lower = path;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto* const known = std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& one) { return lower.ends_with(one.first); });
  if (known == kEndings.end()) {
    return Error::invalid("data", in_quotes(path), "must end in .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .duckdb or .db",
                          "the name tells how the file is read; nothing is guessed from its contents");
  }
  // O_NONBLOCK: a named pipe is refused, not waited for.
  OwnedDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return cannot_open(path, errno);
  return data::DataFile::of(std::move(file), known->second, path);
}

}  // namespace tacet::schemas
