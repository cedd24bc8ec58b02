#include "tacet/kernel/ledger/log_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tacet::kernel {
namespace {

// How long a charge waits for other processes before it gives up; a charge itself takes milliseconds.
constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{20};
constexpr std::size_t kBlock = std::size_t{1} << 20;

Error cannot(const std::string& path, std::string_view what, int number) {
  return Error::of(Code::LedgerUnavailable,
                   fmt::format("the ledger \"{}\" cannot be {} ({})", path, what, std::generic_category().message(number)),
                   "check that its folder exists, that the disk has room and that you may write there");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Status write_all(Disk& disk, int descriptor, std::string_view bytes, off_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t wrote = disk.write_at(descriptor, bytes.data(), bytes.size(), offset);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return cannot(path, "written", wrote == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    offset += wrote;
  }
  return {};
}

/// Makes the names in a folder outlast a power cut, and not only the contents of its files.
Status sync_folder(Disk& disk, const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return cannot(path, "synced", errno);
  const bool synced = disk.sync(descriptor) == 0 || errno == EINVAL;
  const int number = errno;
  ::close(descriptor);
  return synced ? Status() : Status(cannot(path, "synced", number));
}

}  // namespace

ssize_t Disk::write_at(int descriptor, const char* bytes, std::size_t size, off_t offset) {
  return ::pwrite(descriptor, bytes, size, offset);
}
int Disk::sync(int descriptor) { return ::fdatasync(descriptor); }
int Disk::cut(int descriptor, off_t size) { return ::ftruncate(descriptor, size); }
Disk& Disk::real() {
  static Disk disk;
  return disk;
}

class LogFile::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

Error LogFile::unavailable(std::string_view what, int number) const { return cannot(path_.empty() ? "in memory" : path_, what, number); }

Result<LogFile> LogFile::open(const std::string& path, Disk& disk) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return Error::invalid("ledger", "\"\"", "must be the path of a file", "for example: people.ledger");
  LogFile file;
  file.disk_ = &disk;
  file.writable_ = true;
  int number = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0 && (errno == EACCES || errno == EROFS || errno == EPERM)) {
    file.writable_ = false;
    number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  }
  if (number < 0) {
    if (errno == EISDIR) return Error::invalid("ledger", fmt::format("\"{}\"", path), "must be a file", "for example: people.ledger");
    if (errno != ENOENT) return cannot(path, "opened", errno);
    return Error::of(Code::NotFound, fmt::format("there is no ledger at \"{}\"", path), "check the path, or make one: tacet budget create");
  }
  file.descriptor_ = std::make_shared<const Descriptor>(number);
  struct stat about{};
  if (::fstat(number, &about) != 0 || !S_ISREG(about.st_mode))
    return Error::invalid("ledger", fmt::format("\"{}\"", path), "must be a file", "for example: people.ledger");
  std::error_code error;
  file.path_ = std::filesystem::absolute(path, error).string();
  if (error) return cannot(path, "opened", error.value());
  return file;
}

Status LogFile::create(const std::string& path, std::string_view contents, Disk& disk) {
  // A file without a name, so that a killed program leaves nothing behind.
  int number = ::open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const bool nameless = number >= 0;
  if (!nameless) number = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (number < 0) {
    if (errno == EEXIST) return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already", path), "choose another path");
    return cannot(path, "made", errno);
  }
  const Descriptor descriptor(number);
  Status status = write_all(disk, number, contents, 0, path);
  if (status.ok() && disk.sync(number) != 0) status = cannot(path, "synced", errno);
  if (status.ok() && nameless) {
    const std::string name = fmt::format("/proc/self/fd/{}", number);
    if (::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      status = errno == EEXIST ? Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already", path), "choose another path")
                               : cannot(path, "made", errno);
    }
  }
  if (!status.ok()) {
    if (!nameless) ::unlink(path.c_str());
    return status;
  }
  return sync_folder(disk, path);
}

Result<LogFile> LogFile::in_memory(std::string_view contents) {
  const int number = ::memfd_create("tacet-ledger", MFD_CLOEXEC);
  if (number < 0) return cannot("in memory", "made", errno);
  LogFile file;
  file.disk_ = &Disk::real();
  file.writable_ = true;
  file.descriptor_ = std::make_shared<const Descriptor>(number);
  TACET_CHECK(write_all(*file.disk_, number, contents, 0, "in memory"));
  return file;
}

LogFile::Lock::Lock(Lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LogFile::Lock::~Lock() {
  if (descriptor_ < 0) return;
  struct flock whole{};
  whole.l_type = F_UNLCK;
  whole.l_whence = SEEK_SET;
  (void)::fcntl(descriptor_, F_OFD_SETLK, &whole);
}

Result<LogFile::Lock> LogFile::lock(Access access) const {
  struct flock whole{};
  whole.l_type = access == Access::Write ? F_WRLCK : F_RDLCK;
  whole.l_whence = SEEK_SET;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (auto pause = kFirstPause; ::fcntl(descriptor_->number(), F_OFD_SETLK, &whole) != 0; pause = std::min(2 * pause, kLongestPause)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) return unavailable("locked", errno);
    if (std::chrono::steady_clock::now() >= until) {
      return Error::of(Code::LedgerUnavailable,
                       fmt::format("the ledger \"{}\" is in use by another process and stayed so for {} seconds", path_, kPatience.count()),
                       "try again; if it persists, find the program that keeps it open");
    }
    std::this_thread::sleep_for(pause);
  }
  return Lock(descriptor_->number());
}

Result<std::string> LogFile::read_lines(std::int64_t offset) const {
  struct stat about{};
  if (::fstat(descriptor_->number(), &about) != 0) return unavailable("read", errno);
  if (about.st_size < offset) {
    return Error::of(Code::LedgerCorrupt, fmt::format("the ledger \"{}\" was cut short while it was in use", path_),
                     "restore the newest backup and compare it with the releases made since: tacet budget verify");
  }
  std::string bytes(static_cast<std::size_t>(about.st_size - offset), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::pread(descriptor_->number(), bytes.data() + have, std::min(kBlock, bytes.size() - have),
                                static_cast<off_t>(offset) + static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unavailable("read", errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  const std::size_t last = bytes.rfind('\n');
  bytes.resize(last == std::string::npos ? 0 : last + 1);
  return bytes;
}

LogFile::Appended LogFile::append(std::int64_t offset, std::string_view lines, bool sync) const {
  const int number = descriptor_->number();
  struct stat about{};
  if (::fstat(number, &about) != 0) return {unavailable("read", errno)};
  // What stands behind the last whole line is half of a line that a crash left; it was never worth anything.
  if (about.st_size > offset && disk_->cut(number, offset) != 0) return {unavailable("written", errno)};
  if (Status wrote = write_all(*disk_, number, lines, offset, path_); !wrote.ok()) {
    const bool undone = disk_->cut(number, offset) == 0 && disk_->sync(number) == 0;
    return {std::move(wrote), !undone};
  }
  if (sync && disk_->sync(number) != 0) {
    Error error = unavailable("synced", errno);
    const bool undone = disk_->cut(number, offset) == 0 && disk_->sync(number) == 0;
    return {std::move(error), !undone};
  }
  return {};
}

bool LogFile::still_there() const {
  if (path_.empty()) return true;
  struct stat named{};
  struct stat open{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_->number(), &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

}  // namespace tacet::kernel
