#include "tacet/data/data_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::data {
namespace {

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

Result<DataFile> DataFile::open(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return Error::invalid("data", in_quotes(path), "must be the name of a file");
  DataFile file;
  file.path_ = path;
  std::string lower = path;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto* const known = std::find_if(kEndings.begin(), kEndings.end(), [&](const auto& one) { return lower.ends_with(one.first); });
  if (known == kEndings.end()) {
    return Error::invalid("data", in_quotes(path), "must end in .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .duckdb or .db",
                          "the name tells how the file is read; nothing is guessed from its contents");
  }
  file.form_ = known->second;
  // O_NONBLOCK: a named pipe is refused below, not waited for.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) return cannot_open(path, errno);
  file.descriptor_ = std::make_shared<const OwnedDescriptor>(number);
  struct stat about{};
  if (::fstat(number, &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error::of(Code::DataUnreadable, fmt::format("{} is not a regular file", in_quotes(path)),
                     "a folder, a pipe or a device cannot be tabulated; save the rows as a file");
  }
  // From the open file, not from the name: changing a symbolic link meanwhile has no effect.
  std::error_code error;
  file.real_path_ = std::filesystem::read_symlink(file.descriptor_path(), error).string();
  if (error) return cannot_open(path, error.value());
  return file;
}

DataFile DataFile::adopt(int descriptor, const FileForm& form, const std::string& name) {
  DataFile file;
  file.path_ = file.real_path_ = name;
  file.form_ = form;
  file.descriptor_ = std::make_shared<const OwnedDescriptor>(descriptor);
  return file;
}

std::string DataFile::descriptor_path() const { return fmt::format("/proc/self/fd/{}", descriptor()); }

}  // namespace tacet::data
