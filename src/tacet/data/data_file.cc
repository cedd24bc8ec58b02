#include "tacet/data/data_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/text.h"

namespace tacet::data {
namespace {

constexpr std::array<std::pair<std::string_view, FileForm>, 7> kEndings{{{".csv", {FileKind::Csv, ',', false}},
                                                                         {".csv.gz", {FileKind::Csv, ',', true}},
                                                                         {".tsv", {FileKind::Csv, '\t', false}},
                                                                         {".tsv.gz", {FileKind::Csv, '\t', true}},
                                                                         {".parquet", {FileKind::Parquet, ',', false}},
                                                                         {".duckdb", {FileKind::DuckDb, ',', false}},
                                                                         {".db", {FileKind::DuckDb, ',', false}}}};

bool ends_in(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  const std::string_view tail = path.substr(path.size() - ending.size());
  for (std::size_t i = 0; i < ending.size(); ++i) {
    const char c = tail[i] >= 'A' && tail[i] <= 'Z' ? static_cast<char>(tail[i] - 'A' + 'a') : tail[i];
    if (c != ending[i]) return false;
  }
  return true;
}

Error cannot_open(const std::string& path, int reason) {
  if (reason == ENOENT || reason == ENOTDIR) {
    return Error::of(Code::NotFound, fmt::format("there is no file {}", in_quotes(path)), "check the name given as data");
  }
  if (reason == EACCES || reason == EPERM) {
    return Error::of(Code::DataUnreadable, fmt::format("{} may not be read by this user", in_quotes(path)), "check its permissions");
  }
  return Error::of(Code::DataUnreadable, fmt::format("{} cannot be opened", in_quotes(path)), "check that the disk it is on is readable");
}

}  // namespace

Result<DataFile> DataFile::open(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return Error::invalid("data", in_quotes(path), "must be the name of a file");
  DataFile file;
  file.path_ = path;
  bool known = false;
  for (const auto& [ending, form] : kEndings) {
    if (!ends_in(path, ending)) continue;
    file.form_ = form;
    known = true;
  }
  if (!known) {
    return Error::invalid("data", in_quotes(path), "must end in .csv, .tsv, .csv.gz, .tsv.gz, .parquet, .duckdb or .db",
                          "the name tells how the file is read; nothing is guessed from its contents");
  }
  // O_NONBLOCK: a named pipe is refused below, not waited for.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) return cannot_open(path, errno);
  file.descriptor_ = std::make_shared<const OwnedDescriptor>(number);
  struct stat about{};
  if (::fstat(number, &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error::of(Code::DataUnreadable, fmt::format("{} is not a regular file", in_quotes(path)),
                     "a folder, a pipe or a device cannot be tabulated; save the rows as a file");
  }
  // Asked of the open file, not of the name: a symbolic link that is turned meanwhile changes nothing.
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
