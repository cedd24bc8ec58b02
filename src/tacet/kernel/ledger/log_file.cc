#include "tacet/kernel/ledger/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tacet::kernel {
namespace {

constexpr std::size_t kFirst = 512;
constexpr std::size_t kBlock = std::size_t{64} << 20;
constexpr std::size_t kLongestLine = std::size_t{256} << 20;  // limits memory for a damaged file

std::string quoted(const std::string& path) { return fmt::format("the ledger \"{}\"", path); }

}  // namespace

std::string LogFile::whose() const { return quoted(path()); }

Result<LogFile> LogFile::open(const std::string& path, Disk& disk) {
  const Error no_file = Error::invalid("ledger", fmt::format("\"{}\"", path), "must be a file", "for example: people.ledger");
  if (path.empty() || path.find('\0') != std::string::npos)
    return Error::invalid("ledger", "\"\"", "must be the path of a file", "for example: people.ledger");
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  if (error) return disk_error(quoted(path), "opened", error.value());
  auto file = OpenFile::open(absolute, O_NOCTTY);
  if (!file && errno == EISDIR) return no_file;
  if (!file && errno == ENOENT)
    return Error::of(Code::NotFound, fmt::format("there is no ledger at \"{}\"", path), "check the path, or make one: `budget create`");
  if (!file) return disk_error(quoted(path), "opened", errno);
  struct stat about{};
  if (::fstat(file->descriptor(), &about) != 0 || !S_ISREG(about.st_mode)) return no_file;
  return LogFile(*std::move(file), disk);
}

Result<FileLock> LogFile::lock(FileLock::Access access, std::chrono::milliseconds patience) const {
  return FileLock::take(file_.descriptor(), access, whose(), patience);
}

Status LogFile::read_into(std::string& bytes, std::size_t size, std::int64_t offset) const {
  const std::size_t start = bytes.size();
  bytes.resize(start + size);
  for (std::size_t have = 0; have < size;) {
    const ssize_t got = ::pread(file_.descriptor(), bytes.data() + start + have, size - have, offset + static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return disk_error(whose(), "read", got == 0 ? EIO : errno);
    have += static_cast<std::size_t>(got);
  }
  return {};
}

Result<std::string> LogFile::first_bytes() const {
  struct stat about{};
  if (::fstat(file_.descriptor(), &about) != 0) return disk_error(whose(), "read", errno);
  std::string bytes;
  TACET_CHECK(read_into(bytes, std::min(kFirst, static_cast<std::size_t>(about.st_size)), 0));
  return bytes;
}

Result<std::string> LogFile::read_lines(std::int64_t offset) const {
  struct stat about{};
  if (::fstat(file_.descriptor(), &about) != 0) return disk_error(whose(), "read", errno);
  if (about.st_size < offset) return ledger_damaged(fmt::format("{} was cut short while it was in use", whose()));
  std::string bytes;
  auto left = static_cast<std::size_t>(about.st_size - offset);
  while (left > 0 && bytes.find('\n') == std::string::npos) {
    const std::size_t start = bytes.size();
    if (start >= kLongestLine) return ledger_damaged(fmt::format("{} has a line that is longer than any record", whose()));
    const std::size_t size = std::min(kBlock, left);
    TACET_CHECK(read_into(bytes, size, offset + static_cast<std::int64_t>(start)));
    left -= size;
  }
  const std::size_t last = bytes.rfind('\n');
  bytes.resize(last == std::string::npos ? 0 : last + 1);
  return bytes;
}

LogFile::Appended LogFile::append(std::int64_t offset, std::string_view lines, bool sync) const {
  const int number = file_.descriptor();
  if (lines.size() > kLongestLine) return {disk_error(whose(), "written", EFBIG)};
  struct stat about{};
  if (::fstat(number, &about) != 0) return {disk_error(whose(), "read", errno)};
  // Bytes after the last whole line are part of a line that a crash cut; it never counted.
  if (about.st_size > offset && disk_->cut(number, offset) != 0) return {disk_error(whose(), "written", errno)};
  int wrong = write_all(*disk_, number, lines, offset);
  const bool wrote = wrong == 0;
  if (wrote && (!sync || disk_->sync(number) == 0)) return {};
  if (wrote) wrong = errno;
  const bool undone = disk_->cut(number, offset) == 0 && disk_->sync(number) == 0;
  return {disk_error(whose(), wrote ? "synced" : "written", wrong), !undone};
}

}  // namespace tacet::kernel
